#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# same_rest.t - the rows of same.list that same.t leaves out.
#
# long: machines/ tests/sim/same traces/src/
. "${srcdir:-.}/tests/sim/same.t"
