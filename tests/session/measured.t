#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# measured.t - the process that measures a reference never outlives the program, however that ends, and a
# failure of it is one line; what was measured is kept for the next session. The small machine is slowed down, or made
# to fail, by the fault switch.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/child.sh"
program=$builddir/tests/small/ctascope-fault
XDG_CACHE_HOME=$tmp/cache
export XDG_CACHE_HOME
cd "$tmp" || exit 99
"$builddir/tests/small/write_small" small.ctr || exit 99

# How it ends when cycle 400 is never left.
CTASCOPE_FAULT=deadlock=400 "$program" -b -n -c "$srcdir/tests/small/small.machine" small.ctr -e 'reference rr' \
	>out 2>err </dev/null
is "a deadlock there is an error of the command" "$?" 1
like "in one line" "$(cat err)" "ctascope: reference rr: deadlock at cycle "
is "and nothing else" "$(wc -l <err)$(cat out)" 1

# What is kept is there at once: a machine that cannot do it any more is not asked.
kept() { # fault, options...: runs `reference static` and `reference rr`
	CTASCOPE_FAULT=$1
	export CTASCOPE_FAULT
	shift
	"$program" -b -n -c "$srcdir/tests/small/small.machine" "$@" small.ctr -e 'reference static' -e 'reference rr' \
		>out 2>err </dev/null
	status=$?
	CTASCOPE_FAULT=
}
kept ''
cp out first
is "measured, status 0" "$status $(cat err)" "0 "
kept deadlock=400
is "the second time nothing is measured" "$status" 0
ok "and it is the same" cmp -s first out
like "which is said" "$(tr '\n' ' ' <err)" "6 runs were measured before.* 1 run was measured before"
kept deadlock=400 -p dyncta:period=256 -w gto -o run.max_cycles=100000
is "another warp scheduler is another machine" "$status" 1
kept deadlock=400 -p dyncta:period=256 -o run.max_cycles=100000
is "another policy of the session and a limit are not" "$status" 0
kept deadlock=400 -o core.lat_int=7
is "an option is" "$status" 1
is "ctascope cache lists them" "$("$program" cache | sed -n 's/.*  \(.*, small.ctr\)$/\1/p' | LC_ALL=C sort | tr '\n' ';')" \
	"rr, small.ctr;static:n=1, small.ctr;static:n=2, small.ctr;static:n=3, small.ctr;static:n=4, small.ctr;static:n=5, small.ctr;static:n=6, small.ctr;"
like "with a sum" "$("$program" cache list)" "0 traces, 7 references, [0-9]+ bytes, in $XDG_CACHE_HOME/ctascope\$"
like "those of another build are old" "$("$CTASCOPE" cache)" "rr, small.ctr  old"
for f in "$XDG_CACHE_HOME"/ctascope/reference-*.ref; do
	printf x | dd of="$f" bs=1 seek=300 conv=notrunc 2>/dev/null
done
kept ''
is "damaged ones are measured again" "$status $(cat err)" "0 "
ok "and are as before" cmp -s first out
for f in "$XDG_CACHE_HOME"/ctascope/reference-*.ref; do
	head -c 200 "$f" >cut && cp cut "$f"
done
kept ''
is "shortened ones, too" "$status $(cat err)" "0 "
# Those that lost are of no use without one that won.
for f in "$XDG_CACHE_HOME"/ctascope/reference-*.ref; do
	grep -aq 'static:n=5' "$f" && rm "$f"
done
kept ''
ok "without the best those that it beat are measured again" cmp -s first out
is "cleared" "$("$program" cache clear references)" "0 traces, 7 references cleared"
cache=$XDG_CACHE_HOME XDG_CACHE_HOME=$tmp/first/cache # root may write everywhere, but not into a file
kept ''
ok "where nothing can be kept nothing is said" cmp -s first out
is "and nothing is an error" "$status $(cat err)" "0 "
XDG_CACHE_HOME=$cache
is "nor anything kept" "$(ls "$cache/ctascope")" ""

if no_children_known; then
	skip "no process is left" "no /proc here"
	done_testing
	exit
fi
wait_for() { # until the command is true, a minute at most
	n=0
	until "$@"; do
		n=$((n + 1))
		[ $n -lt 1200 ] || return 1
		sleep 0.05
	done
}
has_child() { [ -n "$(children_of "$pid")" ]; }
for signal in KILL TERM; do
	CTASCOPE_FAULT=slow=2000 "$program" -b -n -c "$srcdir/tests/small/small.machine" small.ctr \
		-e 'reference static' >out 2>err </dev/null &
	pid=$!
	ok "it measures in a process of its own" wait_for has_child
	children=$(children_of $pid)
	send $signal "$pid"
	wait $pid 2>/dev/null
	for child in $children; do
		ok "SIG$signal ends it, too" wait_for gone "$child"
	done
done

# A child that somebody ends.
CTASCOPE_FAULT=slow=2000 "$program" -b -n -c "$srcdir/tests/small/small.machine" small.ctr -e 'reference rr' \
	>out 2>err </dev/null &
pid=$!
wait_for has_child
send KILL "$(children_of $pid)"
wait $pid
is "ended from outside, it is an error" "$?" 1
is "that says so" "$(cat err)" "ctascope: reference rr: the process was ended by signal 9 (Killed)"
done_testing
