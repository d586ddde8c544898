#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# readme.t - the pictures of README.md are what the program draws today (make readme-pictures), and show the numbers that
# README.md says they show.
. "${srcdir:-.}/tests/tap.sh"

for name in race watch ctas; do
	is "README.md shows $name" "$(grep -c "^!\[.*](docs/$name\.svg)$" "$srcdir/README.md")" 1
done
caption=$(sed -n 's/^!\[\(.*\)](docs\/race.svg)$/\1/p' "$srcdir/README.md")
numbers=$(printf '%s\n' "$caption" | grep -oE '[0-9]+,[0-9,]*[0-9]')
is "the caption of the race has three numbers" "$(printf '%s\n' "$numbers" | grep -c .)" 3
is "all of which the picture shows" "$(for n in $numbers; do grep -qF "$n" "$srcdir/docs/race.svg" || echo "$n"; done)" ""

if [ ! -x "$builddir/tests/tui/screen_svg" ]; then
	skip "the pictures are those of today" "no libvterm here"
	done_testing
	exit 0
fi
mkdir "$tmp/now"
ok "the pictures are drawn" "$srcdir/docs/make-pictures" "$tmp/now"
for name in race watch ctas; do
	is "docs/$name.svg is that of today; otherwise make readme-pictures, and look at it" \
		"$(cmp "$srcdir/docs/$name.svg" "$tmp/now/$name.svg" 2>&1)" ""
done
done_testing
