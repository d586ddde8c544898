#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build_id.t - the model's id depends on the committed sources only: it is the same in place and out of place, before
# and after a build, and an unchanged one is not written again. The whole build in place: tests/bare/in-place.sh.
. "${srcdir:-.}/tests/tap.sh"
cd "$srcdir" || exit 99
mkdir -p "$tmp/tree/include/ctascope" || exit 99
tar -cf - include/ctascope src/*/*.[ch] src/*/*.def src/*/module.am src/sim/build-id.sh | tar -xf - -C "$tmp/tree"
cd "$tmp/tree" || exit 99
id() { sh src/sim/build-id.sh .; }
generated=$(sed -n 's/^BUILT_SOURCES += *//p' src/*/module.am)
is "the tables that make generates are known" "$(echo "$generated" | grep -c '\.def$')" "$(echo "$generated" | wc -l)"
# shellcheck disable=SC2086 # a list of files
rm -f $generated
built=$(cat "$builddir/src/sim/build_id.def")
is "a fresh tree has the id of the build" "$(id)" "$built"
for file in $generated; do
	cp "$builddir/$file" "$file" || exit 99
done
is "so has one after a build in place" "$(id)" "$built"
id >src/sim/build_id.def
echo other >>src/sim/build_id.def
is "whose own id is not part of the id" "$(id)" "$built"
echo '/* */' >>src/tui/tui.c
is "nor is the screen" "$(id)" "$built"
mv include/ctascope/sim.h sim.h
ok "a missing header is another id" [ "$(id)" != "$built" ]
mv sim.h include/ctascope/sim.h
echo '/* */' >>src/core/core.def
ok "and so is another table of options" [ "$(id)" != "$built" ]

: >"$tmp/before"
(cd "$builddir" && make src/sim/build_id.def) >"$tmp/make.log" 2>&1 || cat "$tmp/make.log"
is "make leaves the file of an unchanged id alone" \
	"$(find "$builddir/src/sim/build_id.def" -newer "$tmp/before")$(ls "$builddir"/src/sim/*.tmp 2>/dev/null)" ""
done_testing
