#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# whole.t - the tests that the suite runs in part, at full length (WHOLE=1): longer runs, on more machines.
#
# long: machines/ src/sim/snapshot src/timeline/ tests/prop/walks tests/reference/
. "${srcdir:-.}/tests/tap.sh"
WHOLE=1
unset FAST
export WHOLE

for test in sim/checkpoint sim/conservation sim/digest sim/modern sim/reference sim/series sim/stacks sim/states prop/walks; do
	status=0
	"$builddir/tests/$test" >"$tmp/out" 2>&1 || status=$?
	is "$test, all of it" "$status $(grep -E '^not ok' "$tmp/out")" "0 "
	[ "$status" -eq 0 ] || diag "$(grep -v '^ok' "$tmp/out" | tail -n 40)"
done
done_testing
