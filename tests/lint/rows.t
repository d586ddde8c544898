#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# rows.t - a table of rows has no name twice, nor has a list of sources or of tests: merging two branches of work adds
# both, and the second of two is never found, or linked twice, or never run (NAME.t and NAME have one log).
. "${srcdir:-.}/tests/tap.sh"

twice() { # files: MACRO "name" that a file has twice
	for f; do
		sed -nE 's/^([A-Z]+)\("([^"]+)".*/\1 \2/p' "$f" | sort | uniq -d | sed "s|^|$f: |"
	done
}
cd "$srcdir" || exit 99
is "no row stands twice" "$(twice src/session/*.def include/ctascope/*.def)" ""

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

logs_twice() { # folder of a makefile
	printf 'include Makefile\nall-logs: ; @printf "%%s\\n" $(TEST_LOGS)\n' | make -s -C "$1" -f - all-logs | sort | uniq -d
}
is "no two tests have one log" "$(logs_twice "$builddir")" ""
printf 'TEST_LOGS = a.log b.log a.log\n' >"$tmp/Makefile"
is "two that do are found" "$(logs_twice "$tmp")" "a.log"
done_testing
