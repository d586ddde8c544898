#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# distcheck.sh - make distcheck: the tarball is complete, builds from read-only sources, installs, and uninstalls to
# nothing. A few tests run there; the suite is for the tree.
#
#     tests/bare/distcheck.sh BUILD       BUILD: a build folder, where the tarball is made
#
# The last line sums up. Environment: JOBS.
# long: tests/bare/distcheck.sh Makefile.am configure.ac src/base/module.am man/module.am tools/module.am traces/module.am examples/
set -u
cd "${1:?usage: distcheck.sh BUILD}" || exit 1
if make -j"${JOBS:-2}" distcheck TESTS='tests/base/datadir tests/cli/doctor.t tests/lint/map.t' \
	AM_DISTCHECK_CONFIGURE_FLAGS=--disable-lto >distcheck.log 2>&1; then
	echo "1 passed, 0 failed"
else
	tail -n 40 distcheck.log
	echo "0 passed, 1 failed"
	exit 1
fi
