#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# errors.t - what is decided by an error is its kind (include/ctascope/err.h): no code looks into a message, which is for
# people and may be reworded. An error that says "out of memory" has that kind.
. "${srcdir:-.}/tests/tap.sh"
cd "$srcdir" || exit 99

looks() { # files: comparisons with a message
	grep -nE 'str(n|case|ncase)?(cmp|str|chr|spn)\([^;]*(\.|->)msg\b' "$@" || true
}
plain() { # files: out of memory without the kind
	grep -nE 'err_set\([^"]*"[^"]*out of memory' "$@" || true
}
files=$(find src include -name '*.[ch]' | sort)
# shellcheck disable=SC2086 # many files
is "no decision by the text of an error" "$(looks $files)" ""
# shellcheck disable=SC2086
is "out of memory is err_nomem(), or err_of(e, ERR_MEMORY, ...)" "$(plain $files)" ""

printf 'if (strstr(why.msg, "no"))\n\tpick(e.msg);\nx = strncmp(e->msg, "a", 1);\n' >"$tmp/a.c"
is "those that do are found" "$(looks "$tmp/a.c" | wc -l | tr -d ' ')" 2
echo 'return err_set(e, "out of memory for %s", x);' >"$tmp/b.c"
is "and one that has no kind" "$(plain "$tmp/b.c" | wc -l | tr -d ' ')" 1
done_testing
