#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long.sh - selects the tests of check-long that a change asks for. Standard input has the names of the changed files, one
# per line; standard output gets the tests. Run it at the top of the source. With --all it prints every long test.
# With --scripts in front it is about the scripts in tests/bare that .ci/run starts, minutes each, instead.
#
# A long test names its subject in lines "# long: PATH...", where PATH is how the names of files begin. The test itself
# and what every test runs on belong to it, too.
# shellcheck disable=SC2013,SC2046,SC2086 # names without blanks
everywhere='tests/long.sh tests/tap.sh'
tests='tests/*/*.t tests/*/*/*.t'
if [ "${1:-}" = --scripts ]; then
	tests='tests/bare/*.sh' everywhere=
	shift
fi
changed=
[ "${1:-}" = --all ] || changed=$(cat)

begins_with() { # path...: is there a changed file whose name begins with one of them?
	printf '%s\n' "$changed" | "${AWK:-awk}" -v paths="$*" '
		BEGIN { n = split(paths, path, " ") }
		{ for (i = 1; i <= n; i++) if (index($0, path[i]) == 1) found = 1 }
		END { exit !found }'
}
for test in $(grep -lE '^# long: ' $tests); do
	if [ "${1:-}" = --all ] || begins_with "$test" $everywhere $(sed -n 's/^# long: //p' "$test"); then
		echo "$test"
	fi
done
