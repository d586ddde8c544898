#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# whole.t - the tests that the suite runs in part, at full length (WHOLE=1): longer runs, on more machines.
#
# long: machines/ src/sim/snapshot src/timeline/ tests/prop/walks tests/reference/
. "${srcdir:-.}/tests/tap.sh"
WHOLE=1
unset FAST
export WHOLE

# Two at a time, the longest first: one after the other they are the slowest test of all.
tests="prop/walks sim/digest sim/stacks sim/reference sim/modern sim/checkpoint sim/conservation sim/series sim/states"
# shellcheck disable=SC2016 # of the inner shell
for test in $tests; do echo "$test"; done | to=$tmp xargs -P 2 -I '{}' sh -c '
	out=$to/$(echo "$1" | tr / _) status=0
	"$builddir/tests/$1" >"$out" 2>&1 || status=$?
	echo "$status" >"$out.status"' - '{}'
for test in $tests; do
	out=$tmp/$(echo "$test" | tr / _)
	is "$test, all of it" "$(cat "$out.status") $(grep -E '^not ok' "$out")" "0 "
	[ "$(cat "$out.status")" = 0 ] || diag "$(grep -v '^ok' "$out" | tail -n 40)"
done
done_testing
