#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# versus.t - a race without a screen, on the small machine: its table and CSV (small.race; --update writes it anew), exit
# statuses, lanes that fail, what is refused, and Ctrl-C, after which no lane is left.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/child.sh"
m=$CTASCOPE
fault=$builddir/tests/small/ctascope-fault
cd "$tmp" || exit 99
"$builddir/tests/small/write_small" small.ctr || exit 99
small="-b -n -c $srcdir/tests/small/small.machine"

run() { # program, arguments...: out, err, $status
	# shellcheck disable=SC2086
	{ p=$1; shift; "$p" $small "$@" >out 2>err </dev/null; }
	status=$?
}
wait_for() { # command: until it holds, a minute at most
	n=0
	until eval "$1"; do
		n=$((n + 1))
		[ "$n" -lt 1200 ] || return 1
		sleep 0.05
	done
}

# ---- what comes of it
{
	run "$m" --versus rr,static:n=1 -p dyncta:period=64 small.ctr --csv race.csv
	echo "status $status"
	cat err out race.csv
	run "$m" -p tcs small.ctr --versus 'rr,claso:pa=2,pl=0' --csv -
	echo "status $status"
	cat err out
	run "$m" small.ctr -e 'versus static:n=2' -e 'versus tcs csv race.csv' -e 'info digest'
	echo "status $status"
	sed 's/^[0-9a-f]\{16\}$/DIGEST/' out
} >got
if [ "${1-}" = --update ]; then
	cp got "$srcdir/tests/lab/small.race"
fi
is "tables and CSV" "$(cat got)" "$(cat "$srcdir/tests/lab/small.race")"
run "$m" --versus rr,static:n=1 -p dyncta:period=64 small.ctr --csv again.csv
run "$m" --versus rr,static:n=1 -p dyncta:period=64 small.ctr --csv race.csv
is "the same bytes every time" "$(cat again.csv)" "$(cat race.csv)"
run "$m" -p static:n=1 small.ctr -e run
is "the cycles are those of a run alone" "$(sed -n 's/^done: cycle \([0-9,]*\), .*/\1/p' out | tr -d ,)" \
	"$(sed -n 's/^[0-9]*,static:n=1,ok,\([0-9]*\),.*/\1/p' race.csv)"
run "$m" -p dyncta:period=64 --versus dyncta small.ctr
is "a stack's parameters are its own" "$(cut -d' ' -f1 out | sed -n 2,3p | tr '\n' ' ')" "dyncta:period=64 dyncta "
ok "and make a difference" grep -q "^first difference: cycle" out

# shellcheck disable=SC2046 # the words of a command
"$m" $(sed -n 's/^\$ ctascope \(.*--versus .*\)/\1/p' "$srcdir/docs/tutorial.md") -n >out 2>err </dev/null
is "the race in the tutorial is this one" "$(sed -n '/^\$ ctascope .*--versus /,/^```/p' "$srcdir/docs/tutorial.md" | sed '1d;$d')" \
	"$(cat out)"

# ---- what goes wrong
run "$m" -p rr --versus tcs small.ctr -o run.max_cycles=100
is "a limit: status 4" "$status" 4
is "both were cut" "$(grep -c 'run.max_cycles 100 reached, cycle 100' err)" 2
CTASCOPE_FAULT=deadlock=200 run "$fault" -p rr --versus tcs small.ctr --csv race.csv
is "a deadlock: status 1" "$status" 1
like "no decision after it is called the same" "$(cat out)" '^first difference: none up to cycle [0-9,]+, where [a-z]+ failed$'
is "of both" "$(grep -c '^ctascope: [a-z]* failed: deadlock' err)" 2
is "which the table says" "$(cut -d, -f2-4 race.csv | tr '\n' ' ')" "policy,status,cycles rr,failed, tcs,failed, "
run "$m" -p rr --versus tcs --csv /nowhere/x.csv small.ctr
is "a CSV that cannot be written: status 1" "$status" 1
like "and why" "$(cat err)" "/nowhere/x.csv"
run "$m" --versus tcs,rr small.ctr --csv race.csv
is "the stack of the run may be in the list: status 0" "$status" 0
is "it is the first lane, once" "$(cut -d, -f2 race.csv | tr '\n' ' ')" "policy rr tcs "

refused() { # what is said, arguments...
	said=$1
	shift
	run "$m" "$@"
	is "$*: status 2" "$status" 2
	like "one line that says why" "$(head -n 1 err)" "$said"
}
refused "unknown policy 'dynkta'; did you mean dyncta" --versus dynkta small.ctr
refused "at most 4 stacks" --versus static:n=1,static:n=2,static:n=3,static:n=4 small.ctr
refused "a race needs two stacks; rr is the only one" --versus rr small.ctr
refused "rr is in the race already" --versus tcs,rr,rr small.ctr
refused "unknown policy 'dynkta'; did you mean dyncta" --versus rr,dynkta small.ctr
refused "n is given twice" --versus static:n=2,n=3 small.ctr
refused "no workload" --versus tcs
refused "-e run" --versus tcs small.ctr -e run
refused "-x some.file" --versus tcs small.ctr -x some.file
refused "two races at once" --versus tcs small.ctr -e 'versus dyncta'
refused "--csv is for" --csv x.csv small.ctr
refused "exclude each other" --versus tcs --list-policies small.ctr
for command in 'versus' 'versus dynkta' 'versus tcs to x' 'versus tcs csv'; do
	run "$m" small.ctr -e "$command"
	is "$command: status 1" "$status" 1
done

# ---- Ctrl-C
if no_children_known; then
	skip "Ctrl-C" "no /proc here"
else
	# shellcheck disable=SC2086
	CTASCOPE_FAULT=slow=500 "$fault" $small -p rr --versus tcs,dyncta small.ctr >out 2>err </dev/null &
	pid=$!
	ok "three lanes run" wait_for '[ "$(children_of $pid | wc -l)" = 3 ]'
	lanes=$(children_of $pid)
	sleep 0.3
	# A background job of a shell ignores SIGINT, as the program then does; SIGTERM ends it the same way.
	send TERM "$pid"
	wait "$pid"
	is "a signal ends it" "$?" 143
	# shellcheck disable=SC2086
	ok "and its lanes" gone $lanes
	# shellcheck disable=SC2086
	CTASCOPE_FAULT=slow=500 "$fault" $small -p rr --versus tcs small.ctr >out 2>err </dev/null &
	pid=$!
	wait_for '[ "$(children_of $pid | wc -l)" = 2 ]'
	lanes=$(children_of $pid)
	send KILL "$pid"
	wait "$pid" 2>/dev/null
	# shellcheck disable=SC2086
	ok "one that is killed takes its lanes along" wait_for "gone $(echo $lanes)"
	# shellcheck disable=SC2086
	CTASCOPE_FAULT=slow=400 "$fault" $small -p rr --versus tcs,dyncta small.ctr >out 2>err </dev/null &
	pid=$!
	wait_for '[ "$(children_of $pid | wc -l)" = 3 ]'
	send KILL "$(children_of $pid | sed -n 2p)"
	wait "$pid"
	is "a lane that is killed: status 1" "$?" 1
	like "it is said" "$(cat err)" "failed: its process was ended by signal 9"
	like "no difference is claimed for it" "$(cat out)" 'none up to cycle [0-9,]+, where tcs failed|up to cycle [0-9,]+, where it failed|later: '
	is "the others have ended" "$(awk '$2 != "-" && NR > 1 && NR < 5' out | wc -l | tr -d ' ')" 2
	# shellcheck disable=SC2086
	CTASCOPE_FAULT=slow=400 "$fault" $small -p rr --versus tcs small.ctr >out 2>err </dev/null &
	pid=$!
	wait_for '[ "$(children_of $pid | wc -l)" = 2 ]'
	lane=$(children_of $pid | sed -n 2p)
	send STOP "$lane"
	ok "a lane that is stopped is named" wait_for "grep -q 'waiting for [a-z]*: process $lane is stopped' err"
	send CONT "$lane"
	wait "$pid"
	is "and continues: status 0" "$?" 0
	is "both are told once" "$(sed 's/^ctascope: waiting for [a-z]*: process .*/stopped/' err)" \
		"stopped
ctascope: all lanes continue"
fi
done_testing
