#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# same_rest.t - the rows of same.list that same.t leaves out.
#
# long: include/ src/base/ src/cache/ src/core/ src/cta/ src/decl/ src/ldst/ src/mem/ src/noc/ src/power/ src/sim/
# long: src/wsched/ src/record/ src/trace/ machines/ traces/src/
. "${srcdir:-.}/tests/sim/same.t"
