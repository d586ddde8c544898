#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# rows.t - a table of rows has no name twice, nor has a list of sources: merging two branches of work adds both, and the
# second of two is never found, or linked twice.
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

sources_twice() { # module.am...
	for f; do
		sed '/^#/d' "$f" | tr -s ' \t\\' '\n\n\n' | grep -E "^src/.*\.c$" | sort | uniq -d | sed "s|^|$f: |"
	done
}
is "no source stands twice" "$(sources_twice $(find src -name module.am | sort))" ""
printf '%s\n' 'x_SOURCES = \' '	src/a.c src/b.c \' '	src/a.c' >"$tmp/module.am"
is "one that does is found" "$(sources_twice "$tmp/module.am")" "$tmp/module.am: src/a.c"
done_testing
