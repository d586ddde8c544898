#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# reference.t - the process that measures a reference never outlives the program, however that ends, and a
# failure of it is one line. The small machine is slowed down by the fault switch.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/child.sh"
program=$builddir/tests/small/ctascope-fault
cd "$tmp" || exit 99
"$builddir/tests/small/write_small" small.ctr || exit 99

# How it ends when cycle 400 is never left.
CTASCOPE_FAULT=deadlock=400 "$program" -b -n -c "$srcdir/tests/small/small.machine" small.ctr -e 'reference rr' \
	>out 2>err </dev/null
is "a deadlock there is an error of the command" "$?" 1
like "in one line" "$(cat err)" "ctascope: reference rr: deadlock at cycle "
is "and nothing else" "$(wc -l <err)$(cat out)" 1

if no_children_known; then
	skip "no process is left" "no /proc here"
	done_testing
	exit
fi
wait_for() { # until the command is true, five seconds at most
	n=0
	until "$@"; do
		n=$((n + 1))
		[ $n -lt 100 ] || return 1
		sleep 0.05
	done
}
has_child() { [ -n "$(children_of "$pid")" ]; }
for signal in KILL TERM; do
	CTASCOPE_FAULT=slow=2000 "$program" -b -n -c "$srcdir/tests/small/small.machine" small.ctr \
		-e 'reference static' >out 2>err </dev/null &
	pid=$!
	ok "it measures in a process of its own" wait_for has_child
	child=$(children_of $pid)
	send $signal "$pid"
	wait $pid 2>/dev/null
	# shellcheck disable=SC2086 # one number
	ok "SIG$signal ends both" wait_for gone $child
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
