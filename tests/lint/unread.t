#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# unread.t - an option that no code reads looks like a rule of the model and is none; a counter that nothing counts is a
# column of zeros. Each OPT of a .def is the field of a struct, and so is each COUNTER: the field has to be read, and a
# counter counted as well. The options of a cache are fields of one struct for every kind: that one kind does not look at
# one is not seen here (src/cache/cache.h says which share what).
. "${srcdir:-.}/tests/tap.sh"
skip_slow # the source is the same in every build
cd "$srcdir" || exit 99

names() { # macro, place of the name, .def files
	macro=$1 place=$2
	shift 2
	sed -n "s/^$macro(\\(.*\\)/\\1/p" "$@" | cut -d, -f"$place" | tr -d ' "' | sort -u
}
# A field that is read: behind "->" or "x.", and no "=" alone behind it. An initializer begins with its point.
unread() { # names on standard input: those that file $1 does not read
	while read -r name; do
		sed -E "s/(->|\\.)$name *=([^=]|\$)/ /g" "$1" |
			grep -qE "(->|[A-Za-z0-9_]\\.|[])]\\.)$name([^A-Za-z0-9_]|\$)" || echo "$name"
	done
}
uncounted() {
	while read -r name; do
		grep -qE "(->|\\.)$name(\\[[^]]*\\])? *(\\+\\+|\\+=|-=|=[^=])|(\\+\\+|--)[^;]*(->|\\.)$name([^A-Za-z0-9_]|\$)" "$1" ||
			echo "$name"
	done
}

find src -name '*.c' -o -name '*.h' | sort | xargs "${AWK:-awk}" -f tests/lint/code.awk >"$tmp/code"
sed 's/"[^"]*"//g; /^OPT/d; /^COUNTER/d; /^ \*/d' src/*/*.def include/ctascope/*.def >>"$tmp/code" # rows with expressions
options=$(names OPT 2 src/*/*.def)
counters=$(names COUNTER 1 src/*/*.def)
is "there are options and counters" "$(echo "$options" | grep -c .; echo "$counters" | grep -c .)" "$(echo "$options" | wc -l | tr -d ' ')
$(echo "$counters" | wc -l | tr -d ' ')"
is "every option is read" "$(echo "$options" | unread "$tmp/code")" ""
is "every counter is counted" "$(echo "$counters" | uncounted "$tmp/code")" ""

# Options of policies, of the session: rows of tables in C.
rows=$(grep -hoE '^	\{"[a-z0-9_]+", OPT_T_[a-z0-9]+, offsetof\([^)]*\)' src/*/*.c | sed 's/.*, *\([a-z0-9_.]*\))$/\1/' | sort -u)
is "there are rows in C, too" "$([ "$(echo "$rows" | wc -l)" -gt 5 ] && echo yes)" yes
is "which are read" "$(echo "$rows" | unread "$tmp/code")" ""

printf 'if (c->used == 1) x.set = 2; f(c->twice); s->hits++; s->seen = s->sum; struct a b = {.init = 1};\n' >"$tmp/x"
is "one that is only set is found" "$(printf '%s\n' used set twice init | unread "$tmp/x")" "set
init"
is "one that is never counted is found" "$(printf '%s\n' hits seen sum | uncounted "$tmp/x")" "sum"
done_testing
