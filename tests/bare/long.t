#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long.t - every test of check-long names a subject that exists, and a change of the subject selects the test.
. "${srcdir:-.}/tests/tap.sh"
cd "$srcdir" || exit 99

long=$(sh tests/long.sh --all)
is "the tests of check-long are those that name a subject" "$long" \
	"$(sed -n 's/^LONG_TESTS += //p' tests/*/module.am tests/*/*/module.am | tr ' ' '\n' | sort)"
# shellcheck disable=SC2086 # names without blanks
is "every subject exists" "$(sed -n 's/^# long: //p' $long | tr ' ' '\n' | sort -u | while read -r path; do
	ls -d "$path"* >/dev/null 2>&1 || echo "$path"
done)" ""
selected() { printf '%s\n' "$@" | sh tests/long.sh; }
is "a manual page selects none" "$(selected README.md tests/cudax.c)" ""
is "no change selects none" "$(sh tests/long.sh </dev/null)" ""
like "the recorder selects the CUDA programs" "$(selected README.md src/record/cuda/module.c)" '^tests/cuda/programs.t$'
is "a policy selects the tests of policies on applications" "$(selected src/cta/sched_rr.c)" "tests/traces/order.t
tests/traces/policies.t"
is "the list of policies selects recipes.t as well" "$(selected src/cta/module.am)" "tests/lint/recipes.t
tests/traces/order.t
tests/traces/policies.t"
is "the list of cycles selects its other rows" "$(selected tests/sim/same.list)" tests/sim/same_rest.t
is "commands and panes select none" "$(selected src/session/cmd_info.c src/session/session.c src/tui/pane_log.c src/tui/tui.c)" ""
is "a test selects itself" "$(selected tests/lint/recipes.t)" tests/lint/recipes.t
is "what all of them run on selects all" "$(selected tests/tap.sh)" "$long"
is "a subject is the beginning of a name" "$(selected old/src/record/x.c)" ""
is "the scripts of .ci/run name subjects that exist" "$(sed -n 's/^# long: //p' $(sh tests/long.sh --scripts --all) |
	tr ' ' '\n' | sort -u | while read -r path; do ls -d "$path"* >/dev/null 2>&1 || echo "$path"; done)" ""
is "packaging selects its script" "$(printf '%s\n' packaging/debian/control | sh tests/long.sh --scripts)" tests/bare/package.sh
done_testing
