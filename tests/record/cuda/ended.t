#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# ended.t - a recorded program that a signal ends in the middle of a launch: the launches before it are kept and
# counted, however many threads run the launch and however many signals come.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/child.sh"
ptx=$srcdir/tests/record/cuda/ended.ptx
program=$builddir/tests/record/cuda/ended
cd "$tmp" || exit 99

run() { # arguments of record: standard error in $err, status in $rc
	"$CTASCOPE" record "$@" >/dev/null 2>"$tmp/err"
	rc=$?
	err=$(cat "$tmp/err")
}
counted() { printf '%s\n' "$err" | sed -n 's/.* recorded 1 launch, \([0-9,]*\) warp instructions$/\1/p'; }
in_trace() { "$CTASCOPE" trace info x.ctr | sed -n 's/.*, \([0-9,]*\) warp instructions$/\1/p'; }

rounds=20
[ "${FAST:-}" = 1 ] && rounds=4
n=0 good=0
while [ $n -lt $rounds ]; do
	n=$((n + 1))
	rm -f x.ctr
	run -j 8 -o x.ctr -- "$program" "$ptx" once
	[ "$rc" = 143 ] && [ "$(in_trace)" = "$(counted)" ] && good=$((good + 1)) && continue
	diag "status $rc, files $(ls)"
	diag "$err"
done
is "SIGTERM while 8 threads run a launch: what is complete is kept, $rounds times" $good $rounds

for jobs in 1 8; do
	rm -f x.ctr
	run -j $jobs -o x.ctr -- "$program" "$ptx" twice
	is "the signal twice, $jobs threads" "$rc" 143
	like "what is complete is kept" "$err" 'ended by signal 15 \(.*\): what was complete is kept'
	is "the total is that of the trace" "$(counted)" "$(in_trace)"
	ok "which is sound" "$CTASCOPE" trace check x.ctr
done
rm -f x.ctr
run -j 8 -o x.ctr -- "$program" "$ptx" first
like "in the only launch: there is nothing to keep" "$err" 'nothing is recorded: the program made only 1 matching launch'
is "and nothing is left" "$rc $(ls)" "143 err"

# A shell dies of the signal at once, before the program that it has started.
rm -f x.ctr
run -j 8 -o x.ctr -- sh -c '"$0" "$1" script $PPID; true' "$program" "$ptx"
is "SIGTERM to ctascope, which runs a script: what is complete is kept" "$rc $(ls | tr '\n' ' ')" "143 err x.ctr "
is "the total is that of the trace" "$(counted)" "$(in_trace)"
rm -f x.ctr

if no_children_known; then
	skip "signals that come while the program ends" "no /proc"
else
	run -o x.ctr -- "$program" "$ptx" late
	is "signals that come while the program ends do not lose its trace" "$rc $(ls | tr '\n' ' ')" "0 err x.ctr "
fi
done_testing
