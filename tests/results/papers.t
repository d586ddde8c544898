#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# papers.t - the committed tables are those of this program: a few of their figures, measured again, come out to the last
# digit, and their rows are those that paper.csv and tables.txt make.
. "${srcdir:-.}/tests/tap.sh"
tables=$srcdir/results/tables.csv
[ -f "$tables" ] || skip_all "no results are committed: make papers, make papers-keep"

# Without the numbers measured: names and the papers' figures.
frame() { # tables.csv
	sed 's/,\([^,]*\),\([^,]*\),\([^,]*\)$/,\3/' "$1"
}
"$srcdir/results/make-tables" -o "$tmp/none"
frame "$tables" >"$tmp/committed"
frame "$tmp/none/tables.csv" >"$tmp/made"
is "the rows are those of paper.csv and tables.txt" "$(diff "$tmp/committed" "$tmp/made" | head -n 5)" ""
for page in "$tmp"/none/*.md; do
	name=${page##*/}
	is "$name has the same tables" "$(grep '^#\{1,2\} ' "$srcdir/results/$name")" "$(grep '^#\{1,2\} ' "$page")"
done

if [ ! -e "$builddir/traces/recorded" ]; then
	skip "figures measured again" "this build records no workloads"
	done_testing
fi
figure() { # table column metric application: as committed
	awk -F, -v t="$1" -v c="$2" -v m="$3" -v a="$4" '$1 == t && $2 == c && $3 == m && $5 == a { print $6; exit }' "$tables"
}
# Of the sizes that tables are made of only claso's are small enough to be recorded and run here.
XDG_CACHE_HOME=$tmp/cache
export XDG_CACHE_HOME
measure() { # policy workload: cycles
	"$CTASCOPE" -n -b -c claso14 --warp-sched lrr -p "$1" "$2:claso" -e run -e 'print gpu.cycles' 2>/dev/null |
		sed -n 's/^gpu.cycles = //p'
}
for name in bp sla st; do
	if [ -z "$(figure claso claso:pa=1 ipc $name)" ]; then
		skip "$name measured again" "the sweep claso is not through"
		continue
	fi
	is "$name: IPC of claso over rr" "$(echo "$(measure rr $name) $(measure claso:pa=1 $name)" |
		awk '{ printf "%.6g", $1 / $2 }')" "$(figure claso claso:pa=1 ipc $name)"
	is "$name: IPC of dyncta+claso over dyncta" "$(echo "$(measure dyncta $name) $(measure dyncta+claso:pa=1 $name)" |
		awk '{ printf "%.6g", $1 / $2 }')" "$(figure claso-on dyncta+claso:pa=1 ipc $name)"
done
done_testing
