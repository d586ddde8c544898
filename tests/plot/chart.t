#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# chart.t - ctascope plot TABLE.csv: which columns it chooses, baselines, means and deviations with numbers computed by hand,
# parameters of policies, pictures, and what is refused.
. "${srcdir:-.}/tests/tap.sh"
cd "$tmp" || exit 99
m() { LC_ALL=C.UTF-8 timeout 60 "$CTASCOPE" "$@" >out 2>err; }
# The values of a chart of bars: place series value, without the bars.
values() { sed 1,2d out | sed 's/[^ -~]//g' | "${AWK:-awk}" '/^\(/ { next } { if (/^[^ ]/) place = $1; $1 = /^[^ ]/ ? $1 : place " " $1; print }'; }
cat >sweep.csv <<'X'
run,workload,machine,policy,warp_sched,status,error,gpu.ipc,l1.misses,l1.accesses
1,km,k30,rr,lrr,ok,,10,50,100
2,km,k30,static:n=1,lrr,ok,,20,25,100
3,km,k30,"static:n=3,x=1",lrr,ok,,40,10,100
4,bp,k30,rr,lrr,ok,,100,5,100
5,bp,k30,static:n=1,lrr,ok,,50,5,100
6,bp,k30,"static:n=3,x=1",lrr,ok,,100,5,100
7,bp,k30,static:n=9,lrr,failed,killed,,,
X

m plot sweep.csv
is "a chart of the table of a sweep" "$?-$(cat err)" "0-"
is "its title says what is over what" "$(sed -n 1p out)" "sweep: gpu.ipc over workload"
is "IPC over workloads, a bar for each policy" "$(values | head -4)" "km rr 10
km static:n=1 20
km static:n=3,x=1 40
bp rr 100"
is "with both means" "$(values | sed -n 7,12p)" "mean rr 55
mean static:n=1 35
mean static:n=3,x=1 70
geomean rr 31.62
geomean static:n=1 31.62
geomean static:n=3,x=1 63.25"
is "a run that failed has no bar" "$(grep -c 'n=9' out)" 0
m plot sweep.csv -n rr -m geometric
is "divided by a baseline of the same workload" "$(values)" "km rr 1
km static:n=1 2
km static:n=3,x=1 4
bp rr 1
bp static:n=1 0.5
bp static:n=3,x=1 1
geomean rr 1
geomean static:n=1 1
geomean static:n=3,x=1 2"
is "the axis says by what" "$(sed -n 2p out)" "gpu.ipc / rr"
m plot sweep.csv -n rr -m none -w 'policy=static:n=1'
is "conditions on its column do not hide the baseline" "$(values)" "km gpu.ipc 2
bp gpu.ipc 0.5"
m plot sweep.csv -y l1.misses/l1.accesses -m arithmetic -w 'policy=rr|static:n=3*'
is "an expression of columns; either of two texts" "$(values)" "km rr 0.5
km static:n=3,x=1 0.1
bp rr 0.05
bp static:n=3,x=1 0.05
mean rr 0.275
mean static:n=3,x=1 0.075"
m plot sweep.csv -x n --bars -w 'workload!=bp' -m none
is "a parameter of the policy; without it the group is the rest" "$(values)" "1 static 20
1 static:x=1 -
3 static -
3 static:x=1 40"
m plot sweep.csv -x n -w workload=km -g '' -n n=1
is "curves over it" "$(grep -c 'gpu.ipc$' out)-$(sed -n 2p out)" "1-gpu.ipc / n=1"
printf '%s\n' run,workload,machine,policy,warp_sched,mem.row_prefetch,status,error,l2.misses \
	1,a,k,rr,lrr,0,ok,,10 2,a,k,rr,lrr,4,ok,,8 >option.csv
m plot option.csv -y l2.misses -n mem.row_prefetch=0
is "a number of an option stands beside its name" "$(sed -n 2p out)" "l2.misses / mem.row_prefetch=0"
m plot sweep.csv -y ipc -x policy -g '' -m none
is "rows that share a bar are averaged, with their deviation" "$(values | sed -n 2p)" "static:n=1 gpu.ipc 35 21"
like "and the chart says in what they differ" "$(tail -1 out)" "each bar: mean of 2 rows that differ in workload, with one standard deviation"

printf 'n,time,who\n10,4,a\n2,1,a\n2,3,a\n10,8,b\n' >other.csv
m plot other.csv -x n --bars -m none
is "another program's table; numbers ascend" "$(values)" "2 a 2 1.4
2 b -
10 a 4
10 b 8"
m plot other.csv -x n
is "curves in ASCII and Unicode have the same letters" "$(grep -o '  [ab]  [ab]$' out | tr -d ' \n')" "aabb"
is "ticks have their numbers, along both axes" "$(sed -n 's/^ *\([0-9]*\) ┤.*/\1/p; /┬/{n;s/  */ /gp;}' out | tr '\n' ' ')" \
	"8 6 4 2 0  2 4 6 8 10 "
printf 'x,y\r\n1,"2"\r\n2,3\r\n' >dos.csv
m plot dos.csv -x x
is "line ends of other systems" "$?" 0

{
	echo who,ipc,run
	for i in 1 2 3 4 5 6 7 8 9 10; do echo "p$i,$i,a"; done
} >ten.csv
m plot ten.csv -x run -g who -m none -o ten.svg
is "where colours come again, bar and legend have a white line" "$(grep -cE 'stroke="(#fff|#ffffff|white)"' ten.svg)" 4

for f in svg png pdf; do
	m plot sweep.csv -n rr -o chart.$f
	if [ "$f" != svg ] && grep -q 'without cairo' err; then skip "chart.$f: no cairo"; continue; fi
	is "chart.$f is written" "$?-$(cat err)" "0-"
	ok "it has something in it" [ -s chart.$f ]
done
cp chart.svg first.svg
m plot sweep.csv -n rr -o chart.svg
ok "the same bytes again" cmp -s chart.svg first.svg
is "a bar for each value and mean, and keys" "$(grep -c '<polygon' chart.svg)" 16

# ---- a table of dump csv series: two kernels, two cores
cat >series.csv <<'X'
run,cycle,kernel,span_cycles,core,n_ctas,ract_ratio,ipc_thread_instructions_per_cycle,gpu_ipc_thread_instructions_per_cycle
1,100,1,100,0,3,0.5,10,30
1,100,1,100,1,3,0.7,20,30
1,200,2,100,0,4,0.5,10,25
1,200,2,100,1,2,0.7,15,25
X
m plot series.csv
is "a table of series" "$?-$(sed -n 1p out)-$(cat err)" "0-series: gpu_ipc_thread_instructions_per_cycle over cycle-"
for path in gpu.ipc:gpu_ipc_thread_instructions_per_cycle core.ipc:ipc_thread_instructions_per_cycle \
	ract:ract_ratio core.n:n_ctas; do
	m plot series.csv -y "${path%%:*}"
	is "a column by the path ${path%%:*}" "$(sed -n 1p out)-$(cat err)" "series: ${path#*:} over cycle-"
done
m plot series.csv -y gpu.ipc/n
is "and in an expression" "$?-$(cat err)" "0-"
m plot series.csv -y gpu.icp
like "a mistyped path: $(sed 1q err)" "$(cat err)" "did you mean gpu.ipc"

refused() { # name, status, wanted text, arguments
	name=$1 wanted=$2 text=$3
	shift 3
	m plot "$@"
	is "$name: status" "$?" "$wanted"
	like "$name: $(sed 1q err)" "$(cat err)" "$text"
}
refused "no such column" 1 "plot: no column 'ipcc'; the columns are run, workload, machine, policy, .*l1.accesses" sweep.csv -x ipcc
refused "a mistyped one" 1 "did you mean workload?" sweep.csv -x worklaod
refused "no such column in an expression" 1 "no column 'l1.acc'.*the columns are" sweep.csv -y l1.misses/l1.acc
refused "no such baseline" 1 "no row is 'dyncta'" sweep.csv -n dyncta
refused "no such value" 1 "no row has policy=x" sweep.csv -n policy=x
refused "a condition without an equal sign" 1 "expected COLUMN=VALUE" sweep.csv -w km
refused "no row left" 1 "no row has workload=x" sweep.csv -w workload=x
refused "texts as values" 1 "column 'policy' has no number" sweep.csv -y policy
refused "no table" 2 "expected one table, found 0"
refused "no rows" 1 "has no rows" /dev/null
refused "a wrong suffix" 1 "expected a file .svg, .png or .pdf" sweep.csv -o x.txt
refused "both kinds" 2 "exclude each other" sweep.csv --bars --lines
"${AWK:-awk}" 'BEGIN { print "name,v"; for (i = 0; i < 500; i++) print "n" i ",1" }' >many.csv
refused "too many bars" 1 "places on the x axis are too many for bars .at most 400" many.csv
"${AWK:-awk}" 'BEGIN { print "name,value,unit"; for (i = 0; i < 500; i++) print "n" i ",1," }' >stats.csv
refused "too many statistics" 1 "'stats.csv' is a table of 'dump csv stats': 500 statistics of one run.*-w 'name=gpu" stats.csv
refused "too many groups" 1 "groups are too many to tell apart" many.csv -g name -x v -y v
"${AWK:-awk}" 'BEGIN { print "n,v"; for (i = 0; i < 100000; i++) print i "," i % 977 }' >long.csv
m plot long.csv -x n -o long.svg
is "a curve of 100,000 rows" "$?" 0
ok "whose picture is no finer than paper" [ "$(wc -c <long.svg)" -lt 200000 ]
m report sweep.csv -o x.html
is "report names plot" "$?-$(grep -c "the table of a race or sweep.*ctascope plot sweep.csv" err)" "1-1"
m compare sweep.csv sweep.csv
is "so does compare" "$?-$(grep -c "the table of a race or sweep.*ctascope plot sweep.csv" err)" "1-1"
done_testing
