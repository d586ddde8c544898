#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# cross.sh - a cross build for arm64, and what it computes under qemu: the digests of a native build.
#
#     tests/bare/cross.sh BUILD       BUILD: a native build folder, whose program and pages are compared with
#
# It builds what is committed. Debian's arm64 libraries are unpacked beside the build, not installed; wanted are
# gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user-static. The last line sums up; status 77 says what is
# missing. Environment: JOBS, TMPDIR (400 MB), CC_FOR_BUILD.
# long: tests/bare/cross.sh src/compat/ tools/module.am configure.ac
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
native=$(cd "${1:?usage: cross.sh BUILD}" && pwd) || exit 1
JOBS=${JOBS:-2}
skip() { echo "cross: skipped: $*" >&2; exit 77; }
for program in aarch64-linux-gnu-gcc qemu-aarch64-static apt-get dpkg-deb; do
	command -v "$program" >/dev/null || skip "no $program here"
done
# shellcheck source=tests/bare/verdict.sh
. "$top/tests/bare/verdict.sh"
make_work cross
cd "$work" || exit 1

# The libraries, with package lists of our own.
mkdir -p lists/partial debs/partial root
apt() {
	apt-get -q -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o Dir::State::Lists="$work/lists" \
		-o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root "$@"
}
apt update >log 2>&1 || skip "no package lists for arm64: $(tail -n 1 log)"
(cd debs && apt download libncurses-dev libncursesw6 libtinfo6 libreadline-dev libreadline8 libcsv-dev libcsv3 \
	libzstd-dev libzstd1 liblzma-dev liblzma5 zlib1g-dev zlib1g) >log 2>&1 || skip "no libraries: $(tail -n 1 log)"
for deb in debs/*.deb; do
	dpkg-deb -x "$deb" root
done
lib=$work/root/usr/lib/aarch64-linux-gnu
# Links into /lib of the other system.
for link in "$lib"/*.so; do
	[ -e "$link" ] || ln -sf "$work/root/lib/aarch64-linux-gnu/$(basename "$(readlink "$link")")" "$link"
done

mkdir tree build
git -c safe.directory="$top" -C "$top" archive HEAD 2>/dev/null | tar -xf - -C tree 2>/dev/null || skip "no git clone in $top"
verdict "autoreconf" sh -c 'cd tree && autoreconf -fi >autoreconf.log 2>&1'
top=$work/tree
cd build || exit 1
PKG_CONFIG_LIBDIR=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/root
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
path=$lib:$work/root/lib/aarch64-linux-gnu
verdict "configure" sh -c '"$1"/configure --host=aarch64-linux-gnu --without-cairo --disable-lto \
	CPPFLAGS="-I$2/root/usr/include" LDFLAGS="-L$3 -L$2/root/lib/aarch64-linux-gnu -Wl,-rpath-link,$3:$2/root/lib/aarch64-linux-gnu" \
	>configure.out 2>&1 || { tail -n 20 configure.out; exit 1; }' - "$top" "$work" "$lib"
verdict "make, docgen and the pages included" sh -c 'make -j"$0" >make.log 2>&1 || { tail -n 30 make.log; exit 1; }' "$JOBS"
for page in $(cat man/made); do
	verdict "$page is the native one" cmp "$page" "$native/$page"
done

arm() { CTASCOPE_DATADIR=$top qemu-aarch64-static -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH="$path" ./ctascope "$@"; }
here() { CTASCOPE_DATADIR=$top "$native/ctascope" "$@"; }
verdict "--version names the platform" sh -c 'echo "$0" | grep -q "^platform  aarch64, 64-bit, little-endian$"' "$(arm --version)"
verdict "the same sources have one id" sh -c '[ "$0" = "$1" ]' \
	"$(cat src/sim/build_id.def)" "$(cat "$native/src/sim/build_id.def")"
for policy in rr dyncta dyncta+claso onac tcs; do
	for trace in phase l1reuse uneven mixed; do
		set -- -n -b -p "$policy" "$trace" -e 'step 4000' -e 'info digest'
		verdict "digest of $trace under $policy" sh -c '[ -n "$0" ] && [ "$0" = "$1" ]' \
			"$(arm "$@" | tail -n 1)" "$(here "$@" | tail -n 1)"
	done
done
here -n -b phase -e 'step 1000' -e "save $work/x.state" >/dev/null 2>&1
arm -n -b phase -e "load $work/x.state" >out 2>&1
verdict "a session of x86-64 is refused for its platform" grep -q 'another kind of machine wrote it: x86_64, .* aarch64, ' out
sum_up
