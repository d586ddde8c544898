#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# length.t - one job per file, at most 600 lines; a function fits a screen. Functions of more than
# 60 lines are listed in the log, more than 80 fail.
. "${srcdir:-.}/tests/tap.sh"
skip_slow # the source is the same in every build
cd "$srcdir" || exit 99

files=$(find src include tools -name '*.[ch]' -o -name '*.def' | sort)
is "files have at most 600 lines" \
	"$(for f in $files; do n=$(wc -l <"$f"); [ "$n" -le 600 ] || echo "$f: $n"; done)" ""

functions=$(echo "$files" | xargs "${AWK:-awk}" -f tests/lint/length.awk | sort -rn)
is "functions have at most 80 lines" "$(echo "$functions" | "${AWK:-awk}" '$1 > 80')" ""
long=$(echo "$functions" | "${AWK:-awk}" '$1 > 60 && $1 <= 80')
[ -z "$long" ] || diag "worth cutting up (more than 60 lines):
$long"

printf 'int\nlong_one(int a)\n{\n%82s}\n' '' | tr ' ' '\n' >"$tmp/a.c"
is "a planted long function is counted" "$("${AWK:-awk}" -f tests/lint/length.awk "$tmp/a.c")" \
	"82 $tmp/a.c:2 long_one"
done_testing
