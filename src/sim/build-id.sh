#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build-id.sh SRCDIR - prints the definition of BUILD_SUM, the checksum of the model's sources (build_id.c).
#
# It depends on what the files contain, not on where or how often they are built: the tables that make generates
# (BUILT_SOURCES) lie among the sources after a build in the source folder and are left out. They follow from the
# module.am files, which are in. The order of the files does not depend on the locale.
set -eu
LC_ALL=C
export LC_ALL
cd "$1"
generated=$(sed -n 's/^BUILT_SOURCES += *//p' src/*/module.am | tr '\n' ' ')

# The files of a list but for the generated ones; a pattern that matches nothing is no file.
committed() {
	for file in "$@"; do
		case " $generated" in
		*" $file "*) ;;
		*) [ ! -f "$file" ] || echo "$file" ;;
		esac
	done
}

files=
for part in compat base decl event eval trace cache ldst wsched noc mem cta power core sim; do
	files="$files $(committed "src/$part"/*.[ch] "src/$part"/*.def "src/$part/module.am")"
done
# shellcheck disable=SC2046,SC2086 # lists of words
set -- $(cat $files $(committed include/ctascope/*.h include/ctascope/*.def) | cksum)
printf '#define BUILD_SUM "%08x-%x"\n' "$1" "$2"
