# SPDX-License-Identifier: GPL-3.0-or-later
# tap.sh - shell tests in TAP. A test starts with
#
#     #!/bin/sh
#     . "${srcdir:-.}/tests/tap.sh"
#
# and ends with "done_testing". srcdir, builddir and CTASCOPE come from "make check" (Makefile.am,
# AM_TESTS_ENVIRONMENT); by hand, from the top folder, they default to what bootstrap.sh builds.
#
#   ok "name" COMMAND ARG...        passes when the command does; its output goes to the log
#   is "name" GOT WANTED            passes when both strings are equal; shows the difference
#   like "name" TEXT PATTERN        passes when grep -E finds the pattern in the text
#   skip "name" "why"               counts as skipped
#   skip_all "why"                  ends the whole script as skipped
#   skip_slow                       the same when only fast tests are wanted (FAST=1)
#   tmp                             a folder for this test, "$tmp", removed at the end

: "${srcdir:=$PWD}" "${builddir:=$srcdir/build}"
: "${CTASCOPE:=$builddir/ctascope}" "${CTASCOPE_DATADIR:=$srcdir}"
export srcdir builddir CTASCOPE CTASCOPE_DATADIR
tap_n=0
tap_failed=0
tmp=$(mktemp -d "${TMPDIR:-/tmp}/ctascope-test.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

diag() { printf '%s\n' "$*" | sed 's/^/# /'; }

pass() { tap_n=$((tap_n + 1)); printf 'ok %d - %s\n' "$tap_n" "$1"; }

fail() { tap_n=$((tap_n + 1)); tap_failed=$((tap_failed + 1)); printf 'not ok %d - %s\n' "$tap_n" "$1"; }

ok() {
	tap_name=$1
	shift
	if "$@" >"$tmp/.tap" 2>&1; then pass "$tap_name"; else
		fail "$tap_name"
		diag "status $? of: $*"
		sed 's/^/#   /' "$tmp/.tap"
	fi
}

is() {
	if [ "$2" = "$3" ]; then pass "$1"; else
		fail "$1"
		printf '%s\n' "$2" >"$tmp/.got"
		printf '%s\n' "$3" >"$tmp/.wanted"
		diff -u "$tmp/.wanted" "$tmp/.got" | sed 1,2d | sed 's/^/#   /'
	fi
}

like() {
	if printf '%s\n' "$2" | grep -qE -- "$3"; then pass "$1"; else
		fail "$1"
		diag "no match for '$3' in:"
		printf '%s\n' "$2" | sed 's/^/#   /'
	fi
}

skip() { tap_n=$((tap_n + 1)); printf 'ok %d - %s # SKIP %s\n' "$tap_n" "$1" "$2"; }

skip_all() { echo "1..0 # SKIP $1"; exit 0; }

skip_slow() { if [ "${FAST:-}" = 1 ]; then skip_all "slow, and FAST=1"; fi; }

done_testing() { echo "1..$tap_n"; [ "$tap_failed" -eq 0 ] && exit 0; exit 1; }
