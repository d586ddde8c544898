#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench.sh - builds and runs tests/bench/bench; "make bench" calls it. Arguments go on to the program,
# as do those in BENCH_ARGS (make bench BENCH_ARGS=--quick).
set -eu
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
builddir=${builddir:-$PWD}
CTASCOPE_DATADIR=${CTASCOPE_DATADIR:-$srcdir}
export srcdir CTASCOPE_DATADIR

# Of no concern to the make below: how the one above was called.
unset MAKEFLAGS MFLAGS MAKELEVEL
make -s -C "$builddir" tests/bench/bench
# shellcheck disable=SC2086 # a list of arguments
exec "$builddir/tests/bench/bench" ${BENCH_ARGS:-} "$@"
