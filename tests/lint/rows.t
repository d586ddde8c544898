#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# rows.t - a table of rows has no name twice: merging two branches of work adds rows, and the second of two is never found.
. "${srcdir:-.}/tests/tap.sh"

twice() { # files: MACRO "name" that a file has twice
	for f; do
		sed -nE 's/^([A-Z]+)\("([^"]+)".*/\1 \2/p' "$f" | sort | uniq -d | sed "s|^|$f: |"
	done
}
cd "$srcdir" || exit 99
is "no row stands twice" "$(twice src/repl/*.def include/ctascope/*.def)" ""

printf '%s\n' 'CMD("a", 1)' 'INFO("a", 1)' 'CMD("b", 1)' 'CMD("a", 2)' >"$tmp/x.def"
is "one that does is found" "$(twice "$tmp/x.def")" "$tmp/x.def: CMD a"
done_testing
