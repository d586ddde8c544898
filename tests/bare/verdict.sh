# SPDX-License-Identifier: GPL-3.0-or-later
# verdict.sh - scripts of this folder source it: a temporary folder $work that is removed at the end, and checks that
# are counted for the last line.
# shellcheck shell=sh

make_work() { # name
	work=$(mktemp -d "${TMPDIR:-/var/tmp}/ctascope-$1.XXXXXX") || exit 1
	trap 'rm -rf --one-file-system -- "$work"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
}

passed=0 bad=0
verdict() { # name, command...
	name=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
	else
		bad=$((bad + 1))
		echo "failed: $name"
	fi
}

# Prints the last line; fails if a check has failed.
sum_up() {
	echo "$passed passed, $bad failed"
	[ "$bad" -eq 0 ]
}
