#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# policies.t - a policy declares everything that is printed about it: no code but its own names one. Its own
# files are src/cta/sched_*. Comments may name policies, and so may the example of a command, its last word.
. "${srcdir:-.}/tests/tap.sh"
names=$(sed -n 's|^	src/cta/sched_\([a-z_]*\)[.]c.*|\1|p' "$srcdir/src/cta/module.am")
ordinary='static cores' # words of the language, or of the trade: looked for where only a policy is meant

words() { # the names as one pattern: of whole words, and of what only a policy is called
	for name in $names; do
		case " $ordinary " in
		*" $name "*) echo "(^|[^A-Za-z0-9_])$name:[a-z_]+=" ;;
		*) echo "(^|[^A-Za-z0-9_])$name([^A-Za-z0-9_]|\$)" ;;
		esac
		echo "cta_sched_$name([^A-Za-z0-9_]|\$)"
	done | tr '\n' '|'
	echo 'seq-det'
}
named() { # folder: code, with the text of its strings, that names a policy
	(cd "$1" && find include src tools -name '*.[ch]' -o -name '*.def' | sort | grep -vE '^src/cta/sched_[a-z_]*\.[ch]$' |
		xargs "${AWK:-awk}" -v STRINGS=1 -f "$code" |
		sed '/^src\/session\/commands.def:/s/, "[^"]*")$/)/' | grep -iE "^[^:]*:[0-9]+:.*($(words))")
}
code=$(cd "$srcdir/tests/lint" && pwd)/code.awk
is "no code names a policy but its own" "$(named "$srcdir")" ""
is "there are policies to look for" "$(echo "$names" | grep -cE '^(static|cores)$') $(($(echo "$names" | wc -l) > 5))" "2 1"

# Planted: each kind of naming is found; comments and longer words are not.
mkdir -p "$tmp/src/cta" "$tmp/src/tui" "$tmp/include" "$tmp/tools"
own=$(echo "$names" | sed -n 4p)
printf '%s\n' "if (!strcmp(o->name, \"$own\"))" "/* as $(echo "$own" | tr a-z A-Z) does */" 'say("cores:n=4");' \
	'x = &cta_sched_static;' 'static int cores; /* cores: many, static: none */' "int my$own, ${own}x;" >"$tmp/src/tui/a.c"
cp "$tmp/src/tui/a.c" "$tmp/src/cta/sched_a.c"
is "planted names are found" "$(named "$tmp" | cut -d: -f1,2 | tr '\n' ' ')" \
	"src/tui/a.c:1 src/tui/a.c:3 src/tui/a.c:4 "
done_testing
