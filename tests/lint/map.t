#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# map.t - the head comment of src/main.c names every folder, and no folder that is not there; every
# file is named in a build list, so that a tarball is complete.
. "${srcdir:-.}/tests/tap.sh"
cd "$srcdir" || exit 99

map=$(sed -n '2,/\*\//p' src/main.c | grep -o 'src/[a-z]*/' | sort -u)
folders=$(find src -mindepth 1 -maxdepth 1 -type d | sed 's|$|/|' | sort)
is "the map in src/main.c is complete" "$map" "$folders"

lists=$(cat Makefile.am include/module.am src/*/module.am src/sim/machines/module.am \
	themes/module.am traces/module.am sweeps/module.am man/module.am tools/module.am \
	examples/module.am tests/module-*.am)
unlisted() {
	for f in "$@"; do
		case $lists in *"$f"*) ;; *) echo "$f" ;; esac
	done
}
is "every source is in a build list" \
	"$(unlisted $(find include src tools examples -name '*.[ch]' -o -name '*.def' -o -name '*.machine' | sort))" ""
is "every test is in a build list" \
	"$(unlisted $(find tests -name '*.[cht]' -o -name '*.awk' -o -name '*.sh' | sort))" ""
is "every theme is in a build list" "$(unlisted $(find themes -name '*.theme' | sort))" ""
is "every sweep is in a build list" "$(unlisted $(find sweeps -name '*.sweep' | sort))" ""
done_testing
