#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# text.t - licence line first, tabs, no stray blanks, at most 100 columns, no leftovers.
. "${srcdir:-.}/tests/tap.sh"
cd "$srcdir" || exit 99

c_files=$(find src include tools tests examples -name '*.[ch]' | sort)
rows=$(find src include -name '*.def' | sort)
scripts=$(find tests -name '*.t' -o -name '*.sh' -o -name '*.awk'; echo bootstrap.sh; echo .ci/run)
spdx='SPDX-License-Identifier: GPL-3.0-or-later'

is "C files start with the licence line" "$(for f in $c_files $rows; do
	[ "$(sed -n 1p "$f")" = "/* $spdx */" ] || echo "$f"; done)" ""
is "scripts have it in their first two lines" "$(for f in $scripts; do
	sed 2q "$f" | grep -q "^# $spdx\$" || echo "$f"; done)" ""

# shellcheck disable=SC2086 # lists of names without blanks
{
is "no blanks at the end of a line" "$(grep -nE '[[:blank:]]+$' $c_files $rows $scripts)" ""
is "no carriage returns" "$(grep -l "$(printf '\r')" $c_files $rows $scripts)" ""
is "every file ends in a newline" "$(for f in $c_files $rows $scripts; do
	[ -z "$(tail -c 1 "$f")" ] || echo "$f"; done)" ""
is "indentation is made of tabs" "$(grep -nE '^(	*)  +[^ *]' $c_files |
	grep -vE ':[0-9]+:	+ {1,7}[^ ]' | grep -vE ':[0-9]+: {1,7}[^ ]' )" ""
for f in $(find src tools include -name '*.[ch]' | sort); do
	expand "$f" | "${AWK:-awk}" -v f="$f" '{
		gsub(/[\200-\277]/, "") # count characters, not bytes, whatever awk this is
		if (length($0) > 100) print length($0), f ":" NR }'
done >"$tmp/long"
is "lines have at most 100 columns" "$(cat "$tmp/long")" ""
# The words are put together here so that this line does not find itself.
is "no leftovers" "$(grep -nwE 'TO''DO|FIX''ME|X''XX|HA''CK' $c_files $rows $scripts)" ""
}
done_testing
