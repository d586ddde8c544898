#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# compare.t - two finished runs set against each other: statistics, cores, time series; what is refused; exit statuses. What
# is said of the small machine is in compare.out; --update writes it anew.
. "${srcdir:-.}/tests/tap.sh"
m=$CTASCOPE
cd "$tmp" || exit 99
"$builddir/tests/small/write_small" small.ctr || exit 99

dump() { # name, policy
	"$m" -b -n -c "$srcdir/tests/small/small.machine" -p "$2" small.ctr -e run -e "dump csv stats $1.stats.csv" \
		-e "dump csv series $1.series.csv" -e "dump csv cores $1.cores.csv" -e "dump csv mem $1.mem.csv" \
		-e "dump csv ctas $1.ctas.csv" >/dev/null || exit 99
}
run() { "$m" "$@" >out 2>err </dev/null; status=$?; }

dump a rr
dump b static:n=1
dump again rr
{
	for table in stats cores series mem; do
		echo "== $table"
		run compare "a.$table.csv" "b.$table.csv"
		cat err out
	done
	echo "== a column"
	run compare --column ract a.series.csv b.series.csv
	sed -n '/, B against A/,$p' out
	echo "== at the prompt"
	run -b -n -e 'compare a.series.csv b.series.csv l1_miss_rate'
	cat err
	sed -n '/, B against A/,$p' out
} >got
if [ "${1-}" = --update ]; then
	cp got "$srcdir/tests/cli/compare.out"
fi
is "what two runs differ in" "$(cat got)" "$(cat "$srcdir/tests/cli/compare.out")"

# ---- the numbers of a series follow from the run: counts are totals, means have the right weights
run compare a.series.csv b.series.csv
number() { # table row, column
	sed -n "s/^$1  *//p" out | awk -v k="$2" '{ gsub(",", ""); print $k }'
}
exact() { awk -F, -v n="$1" -v f="${3:-%.4f}" '$1 == n { printf f "\n", $2 }' "$2.stats.csv"; }
is "RACT of A is that of the run" "$(number ract_ratio 1)" "$(exact gpu.ract a)"
is "RACT of B, too" "$(number ract_ratio 2)" "$(exact gpu.ract b)"
is "CTAs that ended are a total" "$(number ctas_done 1)" "$(exact gpu.ctas_done a %d)"
is "a state, a latency and a rate per access have no row" "$(grep -cE '^(state|lat_rt_cycles|l1_miss_rate) ' out)" 0
like "but are named" "$(cat out)" "^differ, but have no total or mean here: .*l1_miss_rate, .*lat_rt_cycles, state"
run compare a.cores.csv b.cores.csv
is "RACT is not summed over cores" "$(number ract_ratio 1)" "$(exact gpu.ract a)"
run compare a.mem.csv b.mem.csv
is "a hit rate has no row" "$(grep -c '^row_hit_rate ' out)" 0
"$m" -b -n -c "$srcdir/tests/small/small.machine" -p rr -o run.sample=256 small.ctr -e run -e 'dump csv series long.csv' >/dev/null
run compare a.series.csv long.csv
like "samples of other lengths give a warning" "$(cat err)" \
	"^ctascope: a sample of A has 64 cycles, one of B 256: .* run.sample|^a sample of A has 64 cycles, one of B 256: .* run.sample"

# ---- a column about the whole GPU is one row
run compare --column gpu_ctas_running a.series.csv b.series.csv
is "one row" "$(sed -n '/, B against A/,$p' out | grep -c '[=#>]\{9\}')" 1
like "marked GPU" "$(cat out)" "^   GPU [-=+#.<>]+$"

# ---- exit statuses
for table in stats series cores mem; do
	run compare --exit-code a.$table.csv again.$table.csv
	is "$table of the same run: status 0" "$status" 0
	like "no difference" "$(cat out)" "^no difference: [0-9]+ (statistics|columns) are the same"
	run compare --exit-code a.$table.csv b.$table.csv
	is "of another: status 3" "$status" 3
	run compare a.$table.csv b.$table.csv
	is "but 0 where it is not asked for" "$status" 0
done
sed 's/^sim.cycles_per_second,[^,]*/sim.cycles_per_second,1/' a.stats.csv >other.csv
run compare --exit-code a.stats.csv other.csv
is "the speed on the wall clock is no difference" "$status" 0
run -b -n -e "compare a.stats.csv other.csv"
is "and no statistic that is the same" "$(sed -n 's/^no difference: \([0-9]*\) .*/\1/p' err out)" \
	"$(sed 1d a.stats.csv | sed 's/,.*//; s/\.[0-9]*\./.*./' | grep -v '^sim.cycles_per_second' | sort -u | wc -l)"
# One core has what another had: the sum is the same, the run is not.
awk -F, -v OFS=, '$1 == "core.0.l1_misses" { $2++ } $1 == "core.1.l1_misses" { $2-- } { print }' a.stats.csv >other.csv
run compare --exit-code a.stats.csv other.csv
is "what cores share out otherwise is one: status 3" "$status" 3
like "and is said" "$(cat out)" "^core.\*.l1_misses .* spread"
grep -v '^gpu.ract,' a.stats.csv >other.csv
run compare --exit-code a.stats.csv other.csv
is "a statistic that one has not is one: status 3" "$status" 3

# ---- a file that ends early
for table in stats series cores mem; do
	run compare a.$table.csv again.$table.csv
	is "$table: a whole file is said nothing about" "$(cat err)" ""
done
cut_of() { # table, what is left of the file: its message
	sh -c "$2" <a.$1.csv >cut.csv
	run compare a.$1.csv cut.csv
	is "$1 cut by $2" "$status $(cat err)" "$3"
}
cut_of stats 'head -n 20' "0 cut.csv ends early, after line 20: $(sed -n '21s/,.*//p' a.stats.csv) and what follows is missing"
cut_of stats 'head -c 300' "0 cut.csv ends early: the line after line $(head -c 300 a.stats.csv | wc -l) is incomplete and was skipped"
cut_of series 'head -n 11' "0 cut.csv ends early, after line 11: its last sample has 2 of 4 rows"
cut_of mem 'head -n 6' "0 cut.csv ends early, after line 6: its last sample has 1 of 2 rows"
cut_of cores 'sed "\$s/,[^,]*\$//" | head -c -1' "0 cut.csv ends early: the line after line 4 is incomplete and was skipped"
cut_of cores 'head -c 300' "1 ctascope: 'cut.csv' ends early: it has no complete row"
tr '\n' '\r' <a.stats.csv | sed 's/\r/\r\n/g' >other.csv
run compare --exit-code a.stats.csv other.csv
is "CR LF is none" "$status" 0

# ---- what is refused
refused() { # status, what is said, arguments...
	wanted=$1 said=$2
	shift 2
	run "$@"
	is "$*: status $wanted" "$status" "$wanted"
	like "and one line" "$(head -n 1 err)" "$said"
}
echo 'name,value,unit' >empty.csv
printf 'name,value,unit\ngpu.cycles,many,cycles\n' >text.csv
printf 'name,value,unit\ngpu.cycles,1\n' >short.csv
printf 'a,b\n1,2\n' >foreign.csv
refused 1 "cannot (open|read) 'none.csv'" compare none.csv a.stats.csv
refused 1 "'empty.csv' has no rows" compare empty.csv a.stats.csv
refused 1 "'text.csv' line 2: the value is not a number, found 'many'" compare a.stats.csv text.csv
refused 1 "short.csv:2" compare a.stats.csv short.csv
refused 1 "'foreign.csv' cannot be compared" compare foreign.csv foreign.csv
refused 1 "'a.ctas.csv' cannot be compared" compare a.ctas.csv b.ctas.csv
refused 1 "not the same table: column 1 is 'name'" compare a.stats.csv a.series.csv
refused 1 "has no column 'ract_rato'; did you mean ract_ratio" compare --column ract_rato a.series.csv b.series.csv
refused 1 "only series and mem tables have columns" compare --column ract a.stats.csv b.stats.csv
# Times that no run has: passed over, as they have no place on the map.
printf 'run,cycle,kernel,span_cycles,core,x\n1,-5,1,99,0,1\n1,1e300,1,1,0,2\n1,,1,,0,3\n1,64,1,1e9,1e9,4\n1,64,1,64,1,5\n' >odd.csv
sed 's/5$/6/' odd.csv >other.csv
run compare odd.csv other.csv
is "odd times: status 0" "$status" 0
like "one sample is on the map" "$(cat out)" "^     1 #+$"
refused 2 "expected two CSV files, found 1" compare a.stats.csv
refused 2 "compare: unknown option '--what'" compare --exit a.stats.csv b.stats.csv --what
refused 1 "a file name is missing" -b -n -e 'compare a.stats.csv'
done_testing
