#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# citations.t - the rules of ctascope-model(7) and the manual pages that comments and texts name exist.
. "${srcdir:-.}/tests/tap.sh"
lint=$(cd "$srcdir/tests/lint" && pwd) || exit 99
cd "$srcdir" || exit 99
model=man/ctascope-model.7.in

numbers=$(sed -n 's/^\.SH \([0-9]*\) .*/\1/p; s/^\.SS \([0-9]*\.[0-9]*\) .*/\1/p; s/^\.B \([0-9]*\.[0-9]*\)$/\1/p' $model)
pages=$(ls man | sed -n 's/^\(ctascope[a-z-]*\)\.\([0-9]\)\(\.in\)*$/\1(\2)/p')
texts() {
	find include src tests tools examples man themes machines sweeps traces results \( -name '*.[ch]' -o -name '*.def' \
		-o -name '*.cu' -o -name '*.t' -o -name '*.sh' -o -name '*.awk' -o -name '*.md' -o -name '*.txt' \
		-o -name '*.machine' -o -name '*.theme' -o -name '*.sweep' -o -name '*.[1-8]' -o -name '*.[1-8].in' \
		-o -name '*.am' \) ! -path '*/traces/recorded/*' ! -path tests/lint/citations.t | sort
	ls README.md CONTRIBUTING.md ChangeLog Makefile.am configure.ac bootstrap.sh
}
citations() { # files
	"${AWK:-awk}" -v NUMBERS="$(echo $numbers)" -v PAGES="$(echo $pages)" \
		-f "$lint/citations.awk" "$@"
}
is "the page has rules" "$(echo "$numbers" | grep -cxE '1|7\.5|14|17\.11')" 4
is "no two have one number" "$(echo "$numbers" | sort | uniq -d)" ""
is "there are pages" "$(echo "$pages" | grep -cxE 'ctascope\(1\)|ctascope-trace\(5\)')" 2
is "there are texts" "$(texts | grep -cxE 'src/main.c|README.md|machines/kay30.machine|results/reasons.md')" 4
# shellcheck disable=SC2046 # names without blanks
is "every rule and page that is named exists" "$(citations $(texts))" ""

# What the letters in brackets behind a machine's values mean, its head says.
letters() { # machine files: letters without a meaning
	for f in "$@"; do
		for x in $(sed -n 's/^set .*#//p' "$f" | grep -o '\[[A-Z]' | sort -u | tr -d '['); do
			grep -q "^#.*\[$x[] ]" "$f" || echo "$f: [$x]"
		done
	done
}
is "machines explain their letters" "$(letters machines/*.machine)" ""
printf '# [K] = a paper\nset a 1 # [K]\nset b 2 # [Q 3]\n' >"$tmp/e.machine"
is "a letter without a meaning is found" "$(cd "$tmp" && letters e.machine)" "e.machine: [Q]"

# Each kind of fault is found, also where a comment breaks the line, and what is right is left alone.
cat >"$tmp/a.c" <<'END'
/*
 * a.c - rules that are there (ctascope-model(7) 4 and 3.6 to 3.10), and one that is not (ctascope-model(7)
 * 7.99, 99). See ctascope(1), ctascope-nothing(7).
 */
END
printf 'set a 1 # [M 7.5]\nset b 2 # [M 0.5]\n' >"$tmp/b.machine"
printf '.BR ctascope\\-none (5),\n.BR ctascope\\-trace (5)\n' >"$tmp/c.7"
is "faults are found" "$(cd "$tmp" && citations a.c b.machine c.7)" \
	"a.c: no rule 7.99
a.c: no rule 99
a.c: no page ctascope-nothing(7)
b.machine: no rule 0.5
c.7: no page ctascope-none(5)"
done_testing
