#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# static.sh - the bundle of tools/make-static in an empty root: its size, the digests of the ordinary build, the full
# screen without a terminfo database, what it says of what it cannot do.
#
#     tests/bare/static.sh BUILD [ARCH...]  BUILD: a native build folder; ARCH: default x86_64 aarch64, one under qemu
#
# It runs as nobody if it may (root), else as the user, in a name space where only the bundle exists. The last line sums
# up; status 77: something is missing. Environment: BUNDLES (a folder with bundles that are built already), JOBS, TMPDIR,
# CONFIGURE_ARGS.
# long: tools/make-static tests/bare/static.sh src/compat/ src/base/datadir.c configure.ac
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
native=$(cd "${1:?usage: static.sh BUILD [ARCH]}" && pwd) || exit 1
shift
[ $# -gt 0 ] || set -- x86_64 aarch64
skip() { echo "static: skipped: $*" >&2; exit 77; }
command -v unshare >/dev/null && command -v script >/dev/null || skip "no unshare or no script here"
for arch; do
	[ "$arch" = "$(uname -m)" ] || command -v "qemu-$arch-static" >/dev/null || skip "no qemu-$arch-static here"
done
# shellcheck source=tests/bare/verdict.sh
. "$top/tests/bare/verdict.sh"
make_work static
clean="env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/user TERM=xterm-256color LC_ALL=C.UTF-8"
# shellcheck disable=SC2086 # lists of words
inside() { $clean $enter ${emulator:+/qemu} /ctascope/ctascope "$@"; } # in the root, as an ordinary user
here() { CTASCOPE_DATADIR=$top "$native/ctascope" "$@"; }

sentence() { # name, pattern, argument...
	name=$1 pattern=$2
	shift 2
	inside "$@" >"$work/out" 2>&1
	verdict "$name: $(cat "$work/out")" grep -qE "$pattern" "$work/out"
}

check_bundle() { # ARCH
	arch=$1 root=$work/root-$1 emulator=
	[ "$arch" = "$(uname -m)" ] || emulator=$(command -v "qemu-$arch-static")
	echo "== $arch"
	if [ -z "${BUNDLES:-}" ]; then
		"$top/tools/make-static" "$native" "$arch"
		status=$?
		[ $status -ne 77 ] || exit 77
		verdict "make-static $arch" [ $status -eq 0 ]
	fi
	bundle=$(echo "${BUNDLES:-$native}"/ctascope-*-linux-"$arch".tar.xz)
	verdict "the bundle has less than 2 MB" [ "$(wc -c <"$bundle")" -lt 2000000 ]

	# The root: the bundle, a home, and qemu where that must be. No libraries, no /proc, no terminfo.
	mkdir -p "$root/user" "$root/dev"
	chmod 755 "$work"
	chmod 777 "$root/user"
	tar -xJ -C "$root" -f "$bundle" || bad=$((bad + 1))
	mv "$root"/ctascope-* "$root/ctascope"
	[ -z "$emulator" ] || cp "$emulator" "$root/qemu"
	enter="unshare --map-root-user chroot $root"
	[ "$(id -u)" -ne 0 ] || enter="chroot --userspec=65534:65534 $root"
	verdict "nothing but the bundle is in the root" [ "$(find "$root" -name '*.so*' | wc -l)" -eq 0 ]
	inside --version >"$work/version" 2>&1
	verdict "--version finds the data: $(cat "$work/version")" grep -q '^data      /ctascope$' "$work/version"
	verdict "the model's id" [ "$(sed -n 's/^model  *\([^ ]*\) .*/\1/p' "$work/version")" = \
		"$(here --version | sed -n 's/^model  *\([^ ]*\) .*/\1/p')" ]
	for policy in rr dyncta dyncta+claso onac tcs; do
		for trace in phase l1reuse km:short; do
			set -- -n -b -p "$policy" "$trace" -e 'step 4000' -e 'info digest'
			inside "$@" >"$work/out" 2>&1
			verdict "digest of $trace under $policy" cmp "$work/out" "$(here "$@" >"$work/want" 2>&1; echo "$work/want")"
		done
	done
	printf q | timeout 100 script -qec \
		"stty rows 30 cols 100; $clean $enter ${emulator:+/qemu} /ctascope/ctascope -n --tui phase -e 'step 500'" "$work/screen" >/dev/null
	verdict "the full screen without a terminfo database" grep -qa '\[?1049h' "$work/screen"
	echo >"$root/user/mine.so"
	sentence "a policy from a file" 'this ctascope is a static program, which cannot load policies' -n -b -p /user/mine.so phase
	sentence "PNG" 'built without cairo' -n -b phase -e 'step 100' -e 'plot core.0.n /user/a.png'
	sentence "recording" 'built without the recorder' -n -b km:large
}
for arch; do
	check_bundle "$arch"
done
sum_up
