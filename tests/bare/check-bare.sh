#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check-bare.sh - what the README's reader types, on a system that has nothing: "./bootstrap.sh demo" and
# "./bootstrap.sh check" of what is committed, in a minimal Debian of its own with only apt (mmdebstrap).
#
#     make check-bare            from the build folder, as root
#     make check-bare FAST=1     without slow tests; the tree is built once, with -O1 and without link-time
#                                optimization (part "optimized" of .ci/run has it); root runs only the tests that
#                                depend on the user or on a terminal; the user's demo is the small one
#     make check-bare CI_LONG=1  both run the whole suite, not only the tests that depend on the system
#     check-bare.sh --can        only says by its status whether this can be had here, as far as one sees before
#
# Twice: as root without a pseudo-terminal, then as an ordinary user with one, in a copy of the tree together
# with its build folder (FAST=1: in the same tree). The first process of either reaps nobody. Environment:
# FAST, CI_LONG, JOBS, TMPDIR (default /var/tmp; 2 GB), BARE_DIGESTS (a file that gets the output of
# tests/sim/determinism).
# The last line sums up; status 77 means that it cannot be had here, and why is said.
#
# Nothing reaches out: every run has process and mount name spaces of its own, so that a signal to "all" ends
# with it, and no folder of this system is mounted in the minimal one. What is mounted goes with the name
# space; only then is the folder removed, and never across file systems.
set -eu

suite=bookworm
# The tests that root without a terminal may fail: of rights, limits, signals, orphans and terminals.
root_tests='tests/base/output tests/base/process tests/base/signals tests/base/worker tests/bare/bootstrap.t
	tests/batch/sweep.t tests/cli/bounds.t tests/cli/cli.t tests/fault/limits.t tests/lab/blame tests/line/terminal
	tests/prompt/prompt tests/record/cuda/ended.t tests/record/cuda/record.t tests/results/run.t tests/session/autosave
	tests/session/events.t tests/session/outputs.t tests/session/saved.t tests/traces/suites.t tests/tui/foreign_pty
	tests/workload/sizes.t'
say() { printf 'check-bare: %s\n' "$*" >&2; }
skip() { say "skipped: $*"; exit 77; }

# ---------------------------------------------------------------- inside, in name spaces of its own

# The minimal root, with the mirror and the settings of this system's apt.
make_root() {
	apt-config dump 2>/dev/null | grep -E '^Acquire::(https?|ftp)::Proxy |^Acquire::Check-' >"$work/apt.conf" || :
	mirror=$(apt-get indextargets --format '$(REPO_URI) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
		sed -n 's/^\(http:.*\/debian\/*\) main$/\1/p' | head -n 1)
	# shellcheck disable=SC2086 # no mirror is no word
	mmdebstrap --mode=root --variant=apt --skip=chroot/mount --aptopt="$work/apt.conf" \
		"$suite" "$root" ${mirror:-http://deb.debian.org/debian} >"$work/log" 2>&1 ||
		{ tail -n 20 "$work/log" >&2; return 1; }
	echo 'user:x:1000:1000::/home/user:/bin/sh' >>"$root/etc/passwd"
	echo 'user:x:1000:' >>"$root/etc/group"
	cp /etc/hosts "$root/etc/hosts"
	mkdir -p "$root/home/user" "$root/src"
	tar -x -C "$root/src" -f "$work/head.tar"
	# cat is the first process: it waits for a status, and for nobody's end.
	cat >"$root/first" <<-'X'
		rm -f /end
		mkfifo /end
		(exec 3>/end; "$@"; echo $? >&3) </dev/null 3>&- &
		exec cat /end
	X
}

# Runs a command in the root, seen from its folder; the last line printed is the status.
in_root() { # folder, user, command...
	folder=$1 user=$2 home=/home/user
	shift 2
	[ "$user" != root ] || home=/root
	: >"$work/status"
	unshare --mount --propagation private --pid --fork --kill-child --mount-proc="$root/proc" \
		chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		HOME="$home" ${http_proxy:+http_proxy="$http_proxy"} ${JOBS:+JOBS="$JOBS"} ${FAST:+FAST="$FAST"} \
		${bare_configure:+CONFIGURE_ARGS="$bare_configure"} ${bare_tests:+CHECK_TESTS="$bare_tests"} \
		/bin/sh /first /usr/bin/setpriv --reuid "$user" --regid "$user" --init-groups \
		/bin/sh -c 'cd "$1" && shift && exec "$@" >&2' - "$folder" "$@" >"$work/status"
	[ "$(cat "$work/status")" = 0 ]
}

passed=0 bad=0 skipped=0
verdict() { # command...: one more check
	if "$@"; then passed=$((passed + 1)); else bad=$((bad + 1)); say "failed: $*"; fi
}

# Adds up the last line of "bootstrap.sh check" and shows what failed.
sum_up() { # log, build folder
	# shellcheck disable=SC2046 # the words of a line
	set -- "$2" $(grep -E '^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' "$1" || echo 0 passed, 1 failed)
	passed=$((passed + $2)) bad=$((bad + $4)) skipped=$((skipped + ${6:-0}))
	[ "$4" = 0 ] || grep -aE -B 2 -A 12 '^not ok|^Bail out' "$1/test-suite.log" | head -n 200
}

both_commands() { # folder, user
	echo "== $2: bootstrap.sh demo"
	verdict in_root "$1" "$2" ./bootstrap.sh demo
	echo "== $2: bootstrap.sh check"
	in_root "$1" "$2" ./bootstrap.sh check 2>"$work/check" || bad=$((bad + 1))
	cat "$work/check"
	sum_up "$work/check" "$root$1/build"
}

# The tests that need a terminal: are they skipped, with this reason?
no_terminal() { # build folder
	grep -q '^1\.\.0 # SKIP no pseudo-terminal' "$1/tests/prompt/prompt.log"
}
a_terminal() { grep -q '^ok ' "$1/tests/prompt/prompt.log"; }

inside() {
	root=$work/root bare_configure='' bare_tests='' of_user=''
	[ "${CI_LONG:-}" != 1 ] || bare_tests=all of_user=all
	if [ "${FAST:-}" = 1 ]; then
		bare_configure='--disable-lto CFLAGS=-O1'
		[ -n "$bare_tests" ] || bare_tests=$(echo $root_tests)
	fi
	make_root || return 77
	both_commands /src root
	bare_tests=$of_user
	verdict no_terminal "$root/src/build"
	mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
	ln -sf pts/ptmx "$root/dev/ptmx"
	there=/src
	if [ "${FAST:-}" != 1 ]; then
		there=/home/user/src
		cp -r "$root/src" "$root$there"
		mv "$root/src" "$root/gone"
	fi
	chroot "$root" chown -R user:user /home/user "$there"
	both_commands "$there" user
	verdict a_terminal "$root$there/build"
	[ -z "${BARE_DIGESTS:-}" ] || cp "$root$there/build/tests/sim/determinism.out" "$BARE_DIGESTS"
	echo "== bare"
	echo "$passed passed, $bad failed, $skipped skipped"
	[ "$bad" -eq 0 ]
}

if [ "${1-}" = --inside ]; then
	work=$2
	inside
	exit
fi

# ---------------------------------------------------------------- outside

top=$(cd "$(dirname "$0")/../.." && pwd)
[ "$(id -u)" = 0 ] || skip "not root"
for program in mmdebstrap unshare git tar; do
	command -v "$program" >/dev/null || skip "no $program here"
done
unshare --mount --propagation private --pid --fork --mount-proc true 2>/dev/null || skip "no name spaces can be had here"
[ "${1-}" != --can ] || exit 0
work=$(mktemp -d "${TMPDIR:-/var/tmp}/ctascope-bare.XXXXXX")
clean() {
	if grep -qF " $work/" /proc/self/mounts; then
		say "left alone, since something is mounted in it: $work"
	else
		rm -rf --one-file-system -- "$work"
	fi
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
chmod 755 "$work"
git -c safe.directory="$top" -C "$top" archive -o "$work/head.tar" HEAD 2>/dev/null || skip "no git clone in $top"
status=0
unshare --mount --propagation private --pid --fork --kill-child --mount-proc \
	/bin/sh "$0" --inside "$work" || status=$?
[ $status -ne 77 ] || say "skipped: no minimal $suite can be made here"
exit $status
