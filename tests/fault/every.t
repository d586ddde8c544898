#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# every.t - tests/fault/points at full length (WHOLE=1): four times as many allocations and writes fail, each in turn.
#
# long: src/base/output src/base/strbuf src/base/worker src/export/ src/plot/ src/batch/ tests/fault/
. "${srcdir:-.}/tests/tap.sh"
WHOLE=1
unset FAST
export WHOLE

status=0
"$builddir/tests/fault/points" >"$tmp/out" 2>&1 || status=$?
is "no failure of any ends the program or leaves half a file" "$status $(grep -E '^not ok' "$tmp/out")" "0 "
[ "$status" -eq 0 ] || diag "$(grep -v '^ok' "$tmp/out" | tail -n 40)"
done_testing
