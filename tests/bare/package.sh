#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# package.sh - the Debian packages of packaging/debian: built, examined by lintian, installed in a bare root, and used
# there by an ordinary user.
#
#     tests/bare/package.sh        wanted are root, mmdebstrap, dpkg-dev, debhelper; lintian is used where it is
#
# DEBS names a folder with packages that are built already.
# The last line sums up; status 77: something is missing. Environment: JOBS, TMPDIR (800 MB).
# long: packaging/ tests/bare/package.sh man/module.am tools/module.am traces/module.am configure.ac
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
suite=bookworm
skip() { echo "package: skipped: $*" >&2; exit 77; }
[ "$(id -u)" = 0 ] || skip "not root"
for program in mmdebstrap unshare dpkg-buildpackage dh; do
	command -v "$program" >/dev/null || skip "no $program here"
done
# shellcheck source=tests/bare/verdict.sh
. "$top/tests/bare/verdict.sh"
make_work package
if [ -n "${DEBS:-}" ]; then
	cp -R "$DEBS" "$work/debs"
else
	verdict "packaging/make-deb" "$top/packaging/make-deb" "$work/debs"
fi
for name in ctascope ctascope-recorder ctascope-traces; do
	verdict "the package $name" [ -e "$(echo "$work/debs/$name"_*.deb)" ]
done
if command -v lintian >/dev/null; then
	lintian --allow-root --fail-on error,warning "$work/debs"/*.deb >"$work/lintian" 2>&1
	verdict "lintian: $(cat "$work/lintian")" [ ! -s "$work/lintian" ]
fi

# mmdebstrap installs them with what they depend on; the debugger's users need no compiler.
apt-config dump 2>/dev/null | grep -E '^Acquire::(https?|ftp)::Proxy |^Acquire::Check-' >"$work/apt.conf" || :
mirror=$(apt-get indextargets --format '$(REPO_URI) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
	sed -n 's/^\(http:.*\/debian\/*\) main$/\1/p' | head -n 1)
chmod -R a+rX "$work"
# shellcheck disable=SC2086 # no mirror is no word
verdict "they can be installed in a bare root" mmdebstrap --mode=root --variant=apt --skip=chroot/mount --quiet \
	--aptopt="$work/apt.conf" --customize-hook="mkdir -p \$1/debs && cp $work/debs/*.deb \$1/debs" \
	--customize-hook='chroot "$1" sh -c "apt-get -qq -y -o Dpkg::Use-Pty=0 --no-install-recommends install /debs/*.deb >/dev/null"' \
	"$suite" "$work/root" ${mirror:-http://deb.debian.org/debian}
mkdir -p "$work/root/user"
chown 1000:1000 "$work/root/user"
as_user() {
	chroot --userspec=1000:1000 "$work/root" /usr/bin/env -i HOME=/user PATH=/usr/bin:/bin LC_ALL=C.UTF-8 "$@"
}
verdict "its data are found" [ "$(as_user ctascope --version | sed -n 's/^data  *//p')" = /usr/share/ctascope ]
verdict "a trace runs" as_user ctascope -n -b phase -e run >/dev/null
verdict "an application is recorded" as_user ctascope -n -b scp:small -e run >/dev/null
for page in man1/ctascope.1 man5/ctascope-lesson.5 man7/ctascope-commands.7 man7/ctascope-glossary.7; do
	verdict "the manual page $page is there" [ -s "$work/root/usr/share/man/$page.gz" ]
done
verdict "it can be removed" chroot "$work/root" dpkg -r ctascope-recorder ctascope-traces ctascope >/dev/null
verdict "nothing is left" [ -z "$(find "$work/root/usr" -name '*ctascope*')" ]
sum_up
