#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# map.t - the head comment of src/main.c names every folder, and no folder that is not there; every
# file is named in a build list, so that a tarball is complete.
. "${srcdir:-.}/tests/tap.sh"
cd "$srcdir" || exit 99

map=$(sed -n '2,/\*\//p' src/main.c | grep -o 'src/[a-z/]*/' | sort -u)
folders=$(find src -mindepth 1 -type d | sed 's|$|/|' | grep -v '^src/record/$' | sort)
is "the map in src/main.c is complete" "$map" "$folders"

lists=$(cat Makefile.am $(find include src traces man tools examples tests -name module.am))
unlisted() { # of the files named, those in no list; the source of a program is called like it
	for f in "$@"; do
		case $lists in *"$f"* | *"${f%.c}"[!._a-z0-9]*) ;; *) echo "$f" ;; esac
	done
}
# Tests of a part lie in the folder of its name.
is "the folders of tests mirror those of src" "$(cd tests && for d in $(find . -name module.am | sed 's|^./||; s|/module.am$||'); do
	case $d in cuda | fault | fuzz | prop | bare | bench | lint | small | traces | results) ;; *) [ -d "../src/$d" ] || echo "$d" ;; esac; done)" ""
is "every source is in a build list" \
	"$(unlisted $(find include src tools examples -name '*.[ch]' -o -name '*.def' | sort))" ""
is "every test is in a build list" \
	"$(unlisted $(find tests -name '*.[cht]' -o -name '*.awk' -o -name '*.sh' -o -name '*.session' | sort))" ""
# What the build takes by its name: nothing else lies in these folders, or it would neither be installed nor found.
for d in machines themes sweeps lessons; do
	is "$d/ has files NAME.${d%s} only" "$(find "$d" -mindepth 1 ! -name "[a-z0-9]*.${d%s}" ! -path 'lessons/[a-z0-9]*.present' | sort)" ""
done
is "a machine says in its first line what it is" "$(for f in machines/*.machine; do
	name=${f##*/}; sed -n "1{/^# ${name%.machine} - ./!p;}" "$f"; done)" ""
done_testing
