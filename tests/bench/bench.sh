#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench.sh - builds and runs a program of tests/bench; "make bench", "make bench-apps" and "make bench-growth" call it
# with its name, bench if none is given. Further arguments go on to the program. From the environment:
#
#   bench    BENCH_ARGS            its arguments (make bench BENCH_ARGS=--quick); then checkpoint, travel, look and frames run as well
#   apps     APPS, RUNS            which applications (all), how often each (3): make bench-apps APPS="pvc km" RUNS=5
#            BASE, BASE_TRACES     a ctascope of another build to compare with, its traces folder (ours)
#   growth   GROWTH_ARGS           its arguments
set -eu
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
builddir=${builddir:-$PWD}
CTASCOPE=${CTASCOPE:-$builddir/ctascope}
CTASCOPE_DATADIR=${CTASCOPE_DATADIR:-$srcdir}
export srcdir builddir CTASCOPE_DATADIR
program=${1:-bench}
[ $# -eq 0 ] || shift

# Of no concern to the make below: how the one above was called.
unset MAKEFLAGS MFLAGS MAKELEVEL
make -s -C "$builddir" "tests/bench/$program" tests/bench/checkpoint tests/bench/travel tests/bench/look tests/bench/frames
# shellcheck disable=SC2086 # lists of arguments
case $program in
bench) set -- ${BENCH_ARGS:-} "$@" ;;
growth) set -- ${GROWTH_ARGS:-} "$@" ;;
apps)
	set -- "$CTASCOPE" "$builddir/traces/short" ${APPS:-} "$@"
	[ -z "${BASE:-}" ] || set -- --base "$BASE" "${BASE_TRACES:-$builddir/traces/short}" "$@"
	[ -z "${RUNS:-}" ] || set -- --runs "$RUNS" "$@"
	;;
esac
"$builddir/tests/bench/$program" "$@"
[ "$program" != bench ] || { echo; "$builddir/tests/bench/checkpoint"; echo; "$builddir/tests/bench/travel"; echo; "$builddir/tests/bench/look"; echo; CTASCOPE=$CTASCOPE exec "$builddir/tests/bench/frames"; }
