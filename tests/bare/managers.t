#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# managers.t - bootstrap.sh on systems without dpkg: it names what is missing and the packages of the system's own
# package manager, where to find libcsv, and ends with status 1. The managers and compilers are toys.
. "${srcdir:-.}/tests/tap.sh"
cd "$tmp" || exit 99
mkdir bin tree
cp "$srcdir/bootstrap.sh" tree
for tool in sh dirname sed id cat grep nproc mktemp mkdir rm env awk tail printf; do
	there=$(command -v "$tool") && case $there in /*) ln -s "$there" bin ;; esac
done
unset CC CPPFLAGS CFLAGS BUILD CONFIGURE_ARGS
toy() { # status, name...
	for name in "$@"; do
		[ "$name" = "$1" ] || { printf '#!/bin/sh\nexit %s\n' "$1" >"bin/$name"; chmod +x "bin/$name"; }
	done
}
boot() { # word...
	PATH="$tmp/bin" "$tmp/tree/bootstrap.sh" "$@" >out 2>err
	status=$?
}
on() { # manager, one of its packages' names, its command
	toy 0 "$1"
	boot build
	is "$1: status" "$status" 1
	like "$1: what is missing" "$(cat err)" '^bootstrap: missing: cc make autoconf automake pkg-config ncursesw .* libcsv$'
	like "$1: the names of its packages" "$(cat err)" "start bootstrap.sh again: $3 .*\b$2\b"
	is "$1: not Debian's" "$(grep -c 'libncurses-dev' err)" 0
	is "$1: nothing was begun" "$(ls tree; cat out)" "bootstrap.sh"
	case $2 in
	libcsv*) is "$1 has libcsv" "$(grep -c sourceforge err)" 0 ;;
	*) like "$1: where to find libcsv" "$(cat err)" 'https://sourceforge.net/projects/libcsv/' ;;
	esac
	rm "bin/$1"
}
on dnf libcsv-devel 'sudo dnf install'
on pacman readline 'sudo pacman -S --needed'
on apk readline-dev 'apk add'
on brew libcsv 'brew install'
on pkg libcsv 'pkg install'
boot build
is "no manager: status" "$status" 1
like "no manager: what Debian calls them" "$(cat err)" 'on Debian the packages are: .*libncurses-dev'

toy 0 cc make autoconf automake pkg-config dnf
boot deps
is "everything is there" "$status $(cat err)" "0 "
boot deps mmdebstrap
is "what else is asked for" "$status $(sed 1q err)" "1 bootstrap: missing: mmdebstrap"
printf '#!/bin/sh\n[ "$2" != readline ]\n' >bin/pkg-config
boot deps
is "one library is missing" "$status $(sed 1q err)" "1 bootstrap: missing: readline"
is "libcsv is not" "$(grep -c sourceforge err)" 0
done_testing
