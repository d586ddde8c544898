#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bootstrap.sh - from a fresh clone on a bare Debian (or Ubuntu) to a running ctascope. On other systems it installs
# nothing: it names the packages that are missing and the command that installs them.
#
#   ./bootstrap.sh demo      install what is missing, build, show a race and DYNCTA converging
#   ./bootstrap.sh check     the same up to the build, then the tests that depend on the system
#   ./bootstrap.sh build     only install what is missing and build
#   ./bootstrap.sh deps [PACKAGE...]   only install what is missing (and these packages)
#
# Everything is built in BUILD (default: build/ beside this script). A second call is quick.
# Environment: BUILD, JOBS (default: one per processor, at most 8), CONFIGURE_ARGS; CHECK_JOBS (default: twice JOBS and one
# more, for the tests that drive a terminal wait most of their time), CHECK_TESTS (what "check" runs: system, the
# default; rest, the tests that do not depend on the system; memory, those in which a sanitizer can find a fault; all; or
# names of tests).
set -eu

top=$(cd "$(dirname "$0")" && pwd)
BUILD=${BUILD:-$top/build}
JOBS=${JOBS:-$(n=$(nproc 2>/dev/null || echo 2); [ "$n" -le 8 ] && echo "$n" || echo 8)}
CHECK_JOBS=${CHECK_JOBS:-$((2 * JOBS + 1))}
CONFIGURE_ARGS=${CONFIGURE_ARGS:-}
MAKE=$(command -v gmake || echo make) # the makefile is GNU make's

packages='gcc make autoconf automake pkg-config libncurses-dev libreadline-dev libcsv-dev
	libzstd-dev liblzma-dev zlib1g-dev libvterm-dev libcairo2-dev'

say() { printf 'bootstrap: %s\n' "$*" >&2; }

die() { say "$*"; exit 1; }

usage() {
	sed -n '3,16s/^# \{0,1\}//p' "$0"
}

# Runs as root: directly, or through sudo.
as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif command -v sudo >/dev/null 2>&1; then
		sudo "$@"
	else
		die "not root and no sudo; as root run: $*"
	fi
}

missing() { # of the packages named, those that dpkg does not have installed
	for package in "$@"; do
		dpkg -s "$package" 2>/dev/null | grep -q '^Status: install ok installed' || echo "$package"
	done
}

# ---- systems without dpkg

# Sets manager, install (its command), names (its packages) and has_libcsv.
other_manager() {
	names='' has_libcsv=yes
	for manager in dnf pacman apk brew pkg; do
		command -v "$manager" >/dev/null 2>&1 && break
		manager=
	done
	case $manager in pacman | apk | '') has_libcsv=no ;; esac
	case $manager in
	dnf)
		install='sudo dnf install' names='gcc make autoconf automake pkgconf-pkg-config ncurses-devel readline-devel
			libcsv-devel libzstd-devel xz-devel zlib-devel libvterm-devel cairo-devel' ;;
	pacman)
		install='sudo pacman -S --needed' names='gcc make autoconf automake pkgconf ncurses readline
			zstd xz zlib libvterm cairo' ;;
	apk)
		install='apk add' names='build-base linux-headers autoconf automake pkgconf ncurses-dev readline-dev
			zstd-dev xz-dev zlib-dev libvterm-dev cairo-dev' ;;
	brew)
		install='brew install' names='autoconf automake pkgconf ncurses readline libcsv zstd xz zlib libvterm cairo' ;;
	pkg)
		install='pkg install' names='gcc gmake autoconf automake pkgconf ncurses readline libcsv zstd libvterm cairo' ;;
	esac
}

# What the build needs and does not find, by the names of programs and libraries.
not_found() {
	for program in "${CC:-cc}" make autoconf automake pkg-config; do
		# shellcheck disable=SC2086 # CC may hold options
		set -- $program
		command -v "$1" >/dev/null 2>&1 || echo "$1"
	done
	for library in ncursesw readline zlib liblzma libzstd; do
		pkg-config --exists "$library" 2>/dev/null || echo "$library"
	done
	# shellcheck disable=SC2086 # lists of words
	printf '#include <stdio.h>\n#include <csv.h>\n' |
		${CC:-cc} ${CPPFLAGS:-} ${CFLAGS:-} -E - >/dev/null 2>&1 || echo libcsv
}

# Ends here if something is missing, with the names of this system's packages.
deps_elsewhere() {
	# shellcheck disable=SC2046 # lists of words
	set -- "$@" $(not_found)
	[ $# -gt 0 ] || return 0
	other_manager
	say "missing: $*"
	if [ -n "$manager" ]; then
		# shellcheck disable=SC2086 # a list of words
		say "install the packages, then start bootstrap.sh again: $install" $names
	else
		# shellcheck disable=SC2086 # a list of words
		say "no package manager known here; on Debian the packages are:" $packages
	fi
	case " $* " in
	*' libcsv '*)
		[ "$has_libcsv" = yes ] || say "${manager:-this system} may have no package of libcsv: its sources are at" \
			"https://sourceforge.net/projects/libcsv/ (./configure && make && make install)" ;;
	esac
	# shellcheck disable=SC2016 # for the user's shell
	[ "$manager" != brew ] || say "Homebrew keeps ncurses and readline apart: before bootstrap.sh," \
		'export PKG_CONFIG_PATH="$(brew --prefix ncurses)/lib/pkgconfig:$(brew --prefix readline)/lib/pkgconfig"' \
		'CPPFLAGS="-I$(brew --prefix)/include" LDFLAGS="-L$(brew --prefix)/lib"'
	exit 1
}

deps() {
	command -v dpkg >/dev/null 2>&1 || { deps_elsewhere "$@"; return 0; }
	# shellcheck disable=SC2086,SC2046 # lists of words
	set -- $(missing $packages "$@")
	[ $# -gt 0 ] || return 0
	say "installing $*"
	apt="env DEBIAN_FRONTEND=noninteractive apt-get -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends"
	log=$(mktemp)
	# The package lists may be there and fresh enough; fetch them only when they are not.
	# shellcheck disable=SC2086
	if ! as_root $apt install "$@" >"$log" 2>&1; then
		say "updating the package lists"
		as_root $apt update >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; die "apt-get update failed"; }
		as_root $apt install "$@" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; die "apt-get install failed"; }
	fi
	rm -f "$log"
}

# Shows the end of a log and stops.
failed() { # what, log
	tail -n 40 "$2" >&2
	die "$1 failed; the whole log is $2"
}

# The sources that a build folder was configured for, when they or the folder are elsewhere now: the tree
# was copied or moved together with it. Its makefile and its lists of dependencies name the old place.
configured_elsewhere() { # folder
	[ -e "$1/Makefile" ] || return 0
	sources=$(sed -n 's/^abs_top_srcdir = //p' "$1/Makefile")
	folder=$(sed -n 's/^abs_top_builddir = //p' "$1/Makefile")
	[ -z "$sources" ] || { [ "$sources" -ef "$top" ] && [ "$folder" -ef "$1" ]; } || echo "$sources"
}

# Removes from a build folder what names its place; what is made of that is then older, and made again.
# What else lies there stays.
forget() { # folder
	find "$1" -xdev -type f \( -name '*.[oa]' -o -name '*.Po' -o -name '*.gc[dn][ao]' \) -exec rm -f {} +
	rm -f "$1/Makefile" "$1/config.status" "$1/config.h" "$1/stamp-h1"
}

build() {
	cd "$top"
	mkdir -p "$BUILD"
	elsewhere=$(configured_elsewhere "$BUILD")
	if [ -n "$elsewhere" ]; then
		say "$BUILD was configured for $elsewhere: configuring anew"
		forget "$BUILD"
		rm -f configure # a copy has lost the order of its files' ages
	fi
	if [ ! -e configure ] || [ ! -e Makefile.in ]; then
		say "making configure"
		autoreconf -fi >"$BUILD/autoreconf.log" 2>&1 || failed autoreconf "$BUILD/autoreconf.log"
	fi
	cd "$BUILD"
	if [ ! -e Makefile ] || [ "$(cat .configure-args 2>/dev/null)" != "$CONFIGURE_ARGS" ]; then
		say "configuring in $BUILD"
		# eval: arguments may be quoted, as in CONFIGURE_ARGS="CFLAGS='-O1 -g'"
		eval "\"\$top/configure\" $CONFIGURE_ARGS" >configure.log 2>&1 || failed configure configure.log
		printf '%s\n' "$CONFIGURE_ARGS" >.configure-args
	fi
	say "building"
	"$MAKE" -j"$JOBS" >make.log 2>&1 || failed make "$BUILD/make.log"
}

# Runs the program that was built, with the data of the source.
demo_run() {
	CTASCOPE_DATADIR=$top "$BUILD/ctascope" "$@"
}

demo() {
	if [ -t 0 ] && [ -t 1 ] && [ "${TERM:-dumb}" != dumb ]; then
		# A bare system names no locale at all; its terminal nearly always shows UTF-8.
		[ -n "${LC_ALL:-}${LC_CTYPE:-}${LANG:-}" ] || { LC_CTYPE=C.UTF-8; export LC_CTYPE; }
		say "1 of 2: three policies race on the workload l1reuse. Space starts the race, q ends it. [Enter]"
		read -r _
		demo_run --tui --versus rr,static:n=1 --policy dyncta l1reuse
		say "2 of 2: DYNCTA converges on the workload phase. Space pauses, w says why, ? explains, q ends it. [Enter]"
		read -r _
		demo_run --tui --watch --policy dyncta phase
		say "next: $BUILD/ctascope lesson"
		return
	fi
	say "no terminal: the race of three policies on l1reuse, then the first decisions of DYNCTA on phase"
	demo_run --batch --no-init --versus rr,static:n=1 --policy dyncta l1reuse
	csv=$BUILD/demo-series.csv
	demo_run --batch --no-init --policy dyncta phase \
		-e "tbreak cta-issue" -e "tbreak limit" -e "tbreak pause" \
		-e run -e continue -e why -e delete -e continue \
		-e "info gpu" -e "dump csv series $csv"
	say "every sample of every core is in $csv:"
	head -n 3 "$csv"
}

# Sums up automake's count of single TAP results; the verdict is make's as well.
check() {
	case ${CHECK_TESTS:-system} in
	all) set -- check ;;
	system | rest | memory) set -- "check-${CHECK_TESTS:-system}" ;;
	*) set -- check-only ONLY="$CHECK_TESTS" ;;
	esac
	cd "$BUILD"
	rm -f test-suite.log
	say "testing"
	status=0
	"$MAKE" -j"$CHECK_JOBS" "$@" >check.log 2>&1 || status=$?
	grep -E '^(FAIL|ERROR|XPASS|XFAIL|SKIP): ' check.log | grep -v 'slow, and FAST=1' || :
	sum=$BUILD/test-suite.log
	count() { # heading: that number in the summary
		n=$(sed -n "s/^# $1: *\([0-9][0-9]*\)\$/\1/p" "$sum" 2>/dev/null | head -n 1)
		echo "${n:-0}"
	}
	pass=$(count PASS)
	skip=$(count SKIP)
	bad=$(($(count FAIL) + $(count ERROR) + $(count XPASS) + $(count XFAIL)))
	if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
		bad=1 # the build of the tests failed: none of them ran
		tail -n 40 check.log
	fi
	[ "$bad" -eq 0 ] || echo "logs: $BUILD/check.log and $sum"
	if [ "$skip" -gt 0 ]; then
		echo "$pass passed, $bad failed, $skip skipped"
	else
		echo "$pass passed, $bad failed"
	fi
	[ "$bad" -eq 0 ] && [ "$pass" -gt 0 ]
}

case ${1:-} in
demo) deps; build; demo ;;
check) deps; build; check ;;
build) deps; build; say "built: $BUILD/ctascope" ;;
deps) shift; deps "$@" ;;
'' | help | -h | --help) usage ;;
*) usage >&2; exit 2 ;;
esac
