#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# headers.t - every header compiles alone, so it includes what it needs and nobody depends on order.
. "${srcdir:-.}/tests/tap.sh"
skip_slow
cd "$srcdir" || exit 99

config=
[ -f "${builddir:-build}/config.h" ] && config="-include ${builddir:-build}/config.h"
for h in $(find include src -name '*.h' | sort); do
	# shellcheck disable=SC2086 # CC and config are lists of words
	ok "$h" ${CC:-cc} -std=gnu17 -D_GNU_SOURCE $config -Iinclude -I"${builddir:-build}/src" -Isrc -I. -fsyntax-only -x c "$h"
done
done_testing
