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
# The committed tables were measured with the inputs that are now the size short.
measure() { # policy workload: cycles and mean n
	"$CTASCOPE" -n -b -c kayiran30 -p "$1" "$2:short" -e run -e 'print gpu.cycles' -e 'print gpu.mean_n' -e 'dump csv stats -' |
		awk -F, '/^gpu.mean_n = / { sub(/.*= /, ""); n = $0 } $1 == "gpu.cycles" { c = $2 } END { print c, n }'
}
for name in aes jpeg; do
	rr=$(measure rr "$name")
	dyncta=$(measure dyncta "$name")
	is "$name: IPC of dyncta over rr" "$(echo "$rr $dyncta" | awk '{ printf "%.6g", $1 / $3 }')" \
		"$(figure ipc dyncta ipc "$name")"
	is "$name: mean n" "$(echo "$dyncta" | awk '{ printf "%.6g", $2 }')" "$(figure ctas dyncta mean_n "$name")"
done
done_testing
