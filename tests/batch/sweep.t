#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sweep.t - ctascope sweep on the small machine (tests/small): combinations and their order, the same bytes for any -j, failures
# as rows, Ctrl-C and kill -9 and --resume, shards and merge.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/child.sh"
m=$CTASCOPE
fault=$builddir/tests/small/ctascope-fault
cd "$tmp" || exit 99
cp "$srcdir/tests/small/small.machine" .
"$builddir/tests/small/write_small" small.ctr || exit 99
cp small.ctr other.ctr

status() { # wanted status, name, command...
	wanted=$1 name=$2
	shift 2
	"$@" >out 2>all.err </dev/null
	is "$name" "$?" "$wanted"
	# How far a sweep is it says when it takes seconds, as on a loaded machine.
	sed '/^ctascope: [0-9]* %  .* left$/d' all.err >err
}
good() { awk -F, '$7 == "ok"' "$1" | wc -l; } # good rows of a table of slow.sweep
wait_for() { # command: until it holds, a minute at most
	n=0
	until eval "$1"; do
		n=$((n + 1))
		[ "$n" -lt 1200 ] || return 1
		sleep 0.05
	done
}

# ---- combinations
cat >order.sweep <<'X'
# order - what stands before the first case holds for all
workload ./small.ctr          # paths are seen from this file
machine  ./small.machine
policy   rr
vary     run.sample 16 64
column   gpu.cycles gpu.ipc
let      half = gpu.cycles / 2

case limits
policy   claso:pa={1,2..4..2},pl={0,1} # in place of rr
set      run.sample 32        # in place of 16 64

case schedulers
workload ./small.ctr ./other.ctr
warp-sched lrr gto
vary     dyncta.t_mem_l,dyncta.t_mem_h 10,20 20,40

case again
policy   {rr,dyncta}
X
status 0 "--dry-run lists the runs" "$m" sweep order.sweep --dry-run
is "cases in order, the last option changes fastest" "$(cat out)" "1 ./small.ctr ./small.machine claso:pa=1,pl=0 lrr run.sample=32
2 ./small.ctr ./small.machine claso:pa=1,pl=1 lrr run.sample=32
3 ./small.ctr ./small.machine claso:pa=2,pl=0 lrr run.sample=32
4 ./small.ctr ./small.machine claso:pa=2,pl=1 lrr run.sample=32
5 ./small.ctr ./small.machine claso:pa=4,pl=0 lrr run.sample=32
6 ./small.ctr ./small.machine claso:pa=4,pl=1 lrr run.sample=32
7 ./small.ctr ./small.machine rr lrr run.sample=16 dyncta.t_mem_l=10 dyncta.t_mem_h=20
8 ./small.ctr ./small.machine rr lrr run.sample=16 dyncta.t_mem_l=20 dyncta.t_mem_h=40
9 ./small.ctr ./small.machine rr lrr run.sample=64 dyncta.t_mem_l=10 dyncta.t_mem_h=20
10 ./small.ctr ./small.machine rr lrr run.sample=64 dyncta.t_mem_l=20 dyncta.t_mem_h=40
11 ./small.ctr ./small.machine rr gto run.sample=16 dyncta.t_mem_l=10 dyncta.t_mem_h=20
12 ./small.ctr ./small.machine rr gto run.sample=16 dyncta.t_mem_l=20 dyncta.t_mem_h=40
13 ./small.ctr ./small.machine rr gto run.sample=64 dyncta.t_mem_l=10 dyncta.t_mem_h=20
14 ./small.ctr ./small.machine rr gto run.sample=64 dyncta.t_mem_l=20 dyncta.t_mem_h=40
15 ./other.ctr ./small.machine rr lrr run.sample=16 dyncta.t_mem_l=10 dyncta.t_mem_h=20
16 ./other.ctr ./small.machine rr lrr run.sample=16 dyncta.t_mem_l=20 dyncta.t_mem_h=40
17 ./other.ctr ./small.machine rr lrr run.sample=64 dyncta.t_mem_l=10 dyncta.t_mem_h=20
18 ./other.ctr ./small.machine rr lrr run.sample=64 dyncta.t_mem_l=20 dyncta.t_mem_h=40
19 ./other.ctr ./small.machine rr gto run.sample=16 dyncta.t_mem_l=10 dyncta.t_mem_h=20
20 ./other.ctr ./small.machine rr gto run.sample=16 dyncta.t_mem_l=20 dyncta.t_mem_h=40
21 ./other.ctr ./small.machine rr gto run.sample=64 dyncta.t_mem_l=10 dyncta.t_mem_h=20
22 ./other.ctr ./small.machine rr gto run.sample=64 dyncta.t_mem_l=20 dyncta.t_mem_h=40
23 ./small.ctr ./small.machine rr lrr run.sample=16
24 ./small.ctr ./small.machine rr lrr run.sample=64
25 ./small.ctr ./small.machine dyncta lrr run.sample=16
26 ./small.ctr ./small.machine dyncta lrr run.sample=64"
status 0 "it runs" "$m" sweep order.sweep -j 1 -o one.csv
is "and says so" "$(cat err)" "ctascope: 26 runs"
is "the header" "$(sed 1q one.csv)" \
	"run,workload,machine,policy,warp_sched,run.sample,dyncta.t_mem_l,dyncta.t_mem_h,status,error,gpu.cycles,gpu.ipc,half"
like "a row" "$(sed -n 2p one.csv)" '^1,\./small\.ctr,\./small\.machine,"claso:pa=1,pl=0",lrr,32,,,ok,,[0-9]+,[0-9.]+,[0-9.]+$'
like "the numbers are those of the program" "$("$m" -n -b -c small.machine -p claso:pa=1,pl=0 small.ctr -e run -e 'print gpu.cycles' | tail -n 1)" \
	" $(sed -n '2s/.*,ok,,\([0-9]*\),.*/\1/p' one.csv)\$"
status 0 "with four processes, to standard output" "$m" sweep order.sweep -j 4 --quiet
is "the same bytes" "$(cat out)" "$(cat one.csv)"
is "--quiet is quiet" "$(cat err)" ""
status 0 "-o -" "$m" sweep order.sweep -qo -
is "is standard output" "$(cat out)" "$(cat one.csv)"
status 2 "a table is not overwritten" "$m" sweep order.sweep -o one.csv
like "the error says what to do" "$(cat err)" '--resume continues it, --force replaces it'
status 0 "unless one says so" "$m" sweep order.sweep -q -f -o one.csv
is "with the same bytes" "$(cat one.csv)" "$("$m" sweep order.sweep -q)"
printf 'workload ./small.ctr ./small.ctr\nmachine ./small.machine\n' >twice.sweep
status 0 "a combination that comes twice" "$m" sweep twice.sweep --dry-run
is "is run once" "$(cat out)" "1 ./small.ctr ./small.machine rr lrr"
like "and that is said" "$(cat err)" '1 run left out that came before'

# ---- failures are rows
cp small.ctr damaged.ctr
printf damaged | dd of=damaged.ctr bs=1 seek=800 conv=notrunc 2>/dev/null # in the CTAs of the second kernel
cat >fail.sweep <<'X'
machine ./small.machine
limit cycles 8000
column gpu.cycles
case deadlock
workload ./small.ctr
case damaged
workload ./damaged.ctr
case too-long
workload ./small.ctr
set run.deadlock 10000 # which is not seen before the limit
X
export CTASCOPE_FAULT=deadlock=6000
status 1 "failed runs make status 1" "$fault" sweep fail.sweep -j 2 -o fail.csv
is "each is a row" "$(grep -oE ',(deadlock|error|limit),' fail.csv | sed 1d | tr -d '\n')" ",deadlock,,error,,limit,"
like "with its error: a deadlock" "$(sed -n 2p fail.csv)" '^1,.*,deadlock,.*deadlock at cycle 7,168, [0-9]+ of 48 CTAs done, no progress since cycle [0-9,]+; core 0: '
like "a damaged trace" "$(sed -n 3p fail.csv)" '^2,.*,error,.*damaged.ctr: byte [0-9]+: the block is damaged'
like "a limit, and no statistics" "$(sed -n 4p fail.csv)" ',limit,"limit of 8,000 cycles reached",$'
like "they are told as they come" "$(cat err)" '^ctascope: run 3 \(\./small\.ctr, \./small\.machine, rr\): limit: limit of 8,000 cycles reached$'
like "and counted" "$(cat err)" '^ctascope: 3 of 3 runs failed$'
printf 'workload ./small.ctr\nlimit seconds 1\n' >slow1.sweep
export CTASCOPE_FAULT=slow=1000
status 1 "a limit of seconds" "$fault" sweep slow1.sweep
like "is a row" "$(cat out)" ',limit,"?limit of 1 s reached at cycle [0-9,]+"?,'

# ---- a run that ends after a number of instructions, as the papers' do, is good
unset CTASCOPE_FAULT
cat >cut.sweep <<'X'
workload ./small.ctr
machine  ./small.machine
vary     run.max_thread_insts 20k 1G
column   gpu.cycles gpu.thread_insts
X
status 0 "run.max_thread_insts makes no failure" "$m" sweep cut.sweep -o cut.csv
is "nothing is said of it" "$(cat err)" "ctascope: 2 runs"
like "the row is marked, and has its values" "$(sed -n 2p cut.csv)" \
	',cut,"?run.max_thread_insts 20000 reached at cycle [0-9,]+"?,[0-9]+,20[0-9]{3}$'
like "a run that ended sooner is not" "$(sed -n 3p cut.csv)" ',1G,ok,,[0-9]+,[0-9]+$'
cp cut.csv cut.first
status 0 "--resume" "$m" sweep cut.sweep -o cut.csv --resume
like "does not run it again" "$(cat err)" '2 runs, 2 of them were complete already'
is "and keeps its row" "$(cat cut.csv)" "$(cat cut.first)"

# ---- ended and resumed
cat >slow.sweep <<'X'
workload ./small.ctr ./other.ctr
machine ./small.machine
policy rr dyncta claso
vary run.events 2048 4096
column gpu.cycles gpu.ipc
X
export CTASCOPE_FAULT=slow=20
"$fault" sweep slow.sweep -q -j 4 -o whole.csv
is "a sweep to compare with" "$(good whole.csv)" 12

ended() { # signal: sent after two runs. A background job of sh ignores SIGINT, unless told not to
	rm -f part.csv
	env --default-signal=INT "$fault" sweep slow.sweep -j 2 -o part.csv >out 2>err &
	pid=$!
	wait_for '[ -e part.csv ] && [ "$(good part.csv)" -ge 2 ]'
	children=$(children_of "$pid")
	send "$1" "$pid"
	wait "$pid"
	got=$?
}
children_gone() { # of those there were
	# shellcheck disable=SC2086 # a list of numbers
	[ -n "$children" ] && gone $children
}
no_child_is_left() { # name of the check
	if no_children_known; then
		skip "$1" "the processes of this system are not told (no /proc)"
	else
		wait_for children_gone
		ok "$1" children_gone
	fi
}
for pair in TERM:15 HUP:1 INT:2; do
	sig=${pair%:*} number=${pair#*:}
	ended $sig
	is "SIG$sig ends it with 128 + n" "$got" $((128 + number))
	like "it says how to go on" "$(cat err)" "ended by signal $number, [0-9]+ of 12 runs are in part.csv; .*--resume continues"
	like "what was done is kept" "$(good part.csv)" '^([2-9]|1[01])$'
	no_child_is_left "no process is left"
done
before=$(good part.csv)
status 0 "--resume" "$m" sweep slow.sweep -j 2 -o part.csv --resume
is "runs what is missing only" "$(cat err)" "ctascope: 12 runs, $before of them were complete already"
is "and makes the same bytes" "$(cat part.csv)" "$(cat whole.csv)"
ended KILL 2>/dev/null
no_child_is_left "kill -9 leaves no process either"
printf '5,./small.ctr,./sm' >>part.csv # a row that was being written
status 0 "a table that breaks off in a row" "$m" sweep slow.sweep -q -j 2 -o part.csv --resume
is "is taken up where it was whole" "$(cat part.csv)" "$(cat whole.csv)"
# wherever it breaks off in its sixth row, also between the last field and the end of the line, or in quotes
all=$(wc -c <whole.csv) from=$(sed 5q whole.csv | wc -c) to=$(sed 6q whole.csv | wc -c)
bad=
for n in $from $((from + 1)) $((from + 3)) $(((from + to) / 2)) $((to - 2)) $((to - 1)) $((all - 1)); do
	head -c "$n" whole.csv >part.csv
	"$m" sweep slow.sweep -q -o part.csv --resume >out 2>err && cmp -s part.csv whole.csv || bad="$bad $n"
done
is "wherever a row breaks off, it is run again" "$bad" ""
sed '5s/,rr,/,"rr,/;5q' whole.csv | head -c $((from - 9)) >part.csv
status 0 "also within quotes" "$m" sweep slow.sweep -q -o part.csv --resume
is "it is taken up where it was whole" "$(cat part.csv)" "$(cat whole.csv)"

# ---- how far it is
rm -f part.csv
CTASCOPE_FAULT=slow=100 "$fault" sweep slow.sweep -q -j 2 -o part.csv 2>err &
pid=$!
wait_for '[ -e part.csv ] && [ "$(wc -l <part.csv)" -ge 3 ]'
send USR1 "$pid"
wait_for '[ -s err ]'
like "SIGUSR1 says how far it is, also by --quiet" "$(cat err)" '^ctascope: [0-9]+ %  [2-9] of 12 runs, .* left$'
wait "$pid"
is "and it goes on" "$?" 0
is "to the same table" "$(cat part.csv)" "$(cat whole.csv)"

# ---- two sweeps on one table
rm -f part.csv
CTASCOPE_FAULT=slow=400 "$fault" sweep slow.sweep -q -j 1 -o part.csv 2>first.err &
pid=$!
wait_for '[ -e part.csv ] && [ "$(wc -l <part.csv)" -ge 2 ]'
for how in '' --resume --force '--merge whole.csv --force' '--slurm --force'; do
	# shellcheck disable=SC2086 # words
	status 1 "a second one${how:+ with $how}" "$m" sweep slow.sweep -q -o part.csv $how
	is "is refused" "$(cat err)" "ctascope: cannot write 'part.csv': another program is writing it"
done
"$m" -n -b small.ctr -e 'dump csv stats part.csv --force' >out 2>err
is "so is any other output" "$? $(cat err)" "1 ctascope: cannot write 'part.csv': another program is writing it"
status 1 "but it can be read" "$m" sweep slow.sweep -q --merge part.csv -o other.csv
like "what is there so far" "$(cat err)" '^ctascope: [0-9]+ of 12 runs are missing'
send KILL "$pid"
wait "$pid" 2>/dev/null
wait_for '"$m" sweep slow.sweep -q -j 2 -o part.csv --resume 2>err'
is "when that is gone, another goes on with it" "$(cat part.csv)" "$(cat whole.csv)"
is "no row is there twice" "$(sort part.csv | uniq -d)" ""
status 0 "--resume with nothing left to do" "$m" sweep slow.sweep -o part.csv --resume
is "changes nothing" "$(cat part.csv)" "$(cat whole.csv)"
sed -e '3d;7d;12d' -e '5s/,ok,,.*/,error,gone,,/' whole.csv >part.csv
status 0 "gaps and failed rows" "$m" sweep slow.sweep -j 3 -o part.csv --resume
like "are what is run" "$(cat err)" '12 runs, 8 of them were complete already'
is "and end in their places" "$(cat part.csv)" "$(cat whole.csv)"
sed 's/,rr,/,dyncta+claso,/' whole.csv >part.csv
cp part.csv copy.csv
status 1 "a table of another sweep" "$m" sweep slow.sweep -o part.csv --resume
like "is refused with the line" "$(cat err)" 'part.csv:2: run 1 .* is not in the sweep'
is "and left alone" "$(cat part.csv)" "$(cat copy.csv)"
status 1 "one with other columns" "$m" sweep slow.sweep -o one.csv --resume
like "is refused too" "$(cat err)" 'one.csv:1: it has no column run.events'
status 2 "--resume without a file" "$m" sweep slow.sweep --resume

# ---- a process that dies
printf 'workload ./small.ctr\nmachine ./small.machine\nvary run.events 1024 2048 4096\ncolumn gpu.cycles\n' >crash.sweep
export CTASCOPE_FAULT=slow=300
if no_children_known; then
	skip "a run that is killed" "the processes of this system are not told (no /proc)"
else
	"$fault" sweep crash.sweep -j 1 -o crash.csv 2>err &
	pid=$!
	wait_for '[ -n "$(children_of "$pid")" ]'
	first=$(children_of "$pid") second=
	wait_for 'second=$(children_of "$pid" | grep -vx "$first"); [ -n "$second" ] && [ "$(wc -l <crash.csv)" -ge 2 ]'
	send KILL "$second"
	wait "$pid"
	is "a run that is killed makes status 1" "$?" 1
	like "and a row" "$(sed -n 3p crash.csv)" ',2048,crash,the process was ended by signal 9 \(.*\),$'
	like "the others are good" "$(sed -n 4p crash.csv)" ',4096,ok,,[0-9]+$'
fi
unset CTASCOPE_FAULT

# ---- shards
for i in 1 2 3; do
	"$m" sweep order.sweep -q --shard $i/3 -o s$i.csv || echo "shard $i failed"
done
is "a shard is every third run" "$(cut -d, -f1 s2.csv | tr '\n' ' ')" "run 2 5 8 11 14 17 20 23 26 "
status 0 "--merge" "$m" sweep order.sweep --merge s3.csv s1.csv s2.csv -o merged.csv
is "makes the bytes of one sweep" "$(cat merged.csv)" "$(cat one.csv)"
status 2 "a merged table is not overwritten either" "$m" sweep order.sweep --merge s1.csv -o s2.csv
like "unless one says so" "$(cat err)" "'s2.csv' exists; --force replaces it"
status 1 "a shard is missing" "$m" sweep order.sweep --merge s1.csv s3.csv
is "and that is said" "$(cat err)" "ctascope: 9 of 26 runs are missing: 2, 5, 8, 11, 14, 17, 20, 23, 26"
sed '2s/,ok,,[0-9]*,/,ok,,7,/' s1.csv >differs.csv
status 1 "a run that differs" "$m" sweep order.sweep --merge s1.csv s2.csv s3.csv differs.csv
is "is named with its line" "$(cat err)" "ctascope: differs.csv:2: run 1 differs from the same run in an earlier file"
is "the first counts" "$(cat out)" "$(cat one.csv)"
sed '2s/,ok,,.*/,error,gone,,,/' s1.csv >failed.csv
status 1 "a run that failed" "$m" sweep order.sweep --merge failed.csv s2.csv s3.csv
is "is told" "$(cat err)" "ctascope: 1 of 26 runs failed: 1"
status 0 "a good one of it counts before" "$m" sweep order.sweep --merge failed.csv s1.csv s2.csv s3.csv
is "and makes it whole" "$(cat out)" "$(cat one.csv)"
status 1 "a shard is not resumed as another" "$m" sweep order.sweep --shard 2/3 --resume -o s1.csv
like "with the line" "$(cat err)" 's1.csv:2: run 1 belongs to another shard'
status 2 "a bad shard" "$m" sweep order.sweep --shard 4/3

done_testing
