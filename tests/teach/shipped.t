#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shipped.t - every shipped lesson agrees with the model: its reference solutions are played.
. "${srcdir:-.}/tests/tap.sh"
XDG_DATA_HOME=$tmp/data XDG_STATE_HOME=$tmp/state
export XDG_DATA_HOME XDG_STATE_HOME
for l in "$srcdir"/lessons/*.lesson; do
	name=${l##*/}
	ok "$name" timeout 600 "$CTASCOPE" lesson --check "$l"
	is "$name is called so" "$(sed -n 's/^lesson: *//p' "$l")" "${name%.lesson}"
done
done_testing
