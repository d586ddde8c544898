#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# installed.t - what "make install-strip" puts into an empty prefix: its size, its documents, no path of the build, a
# program that finds its data there; "make uninstall" leaves nothing. A program in its build folder finds the data, too.
# long: Makefile.am configure.ac tests/bare/installed.t traces/ examples/ include/module.am man/module.am tools/ src/base/datadir.c
. "${srcdir:-.}/tests/tap.sh"
cd "$builddir" || exit 99
unset CTASCOPE_DATADIR CTASCOPE_LIBDIR
prefix=$(sed -n 's/^prefix = //p' Makefile)
root=$tmp/root

like "a program in its build folder finds the data of the source tree" \
	"$(./ctascope --version | sed -n 's/^data *//p')" "^$(cd "$srcdir" && pwd -P)$"

make install-strip DESTDIR="$root" >"$tmp/log" 2>&1
is "make install-strip" "$?" 0
at=$root$prefix
is "at most 15 MB" "$(du -sk "$root" | awk '{ print $1 <= 15 * 1024 ? "" : $1 " KiB" }')" ""
for file in README.md COPYING ChangeLog; do
	ok "$file is in the folder of documents" test -s "$at/share/doc/ctascope/$file"
done
# shellcheck source=tests/lint/links.sh
. "$srcdir/tests/lint/links.sh"
# shellcheck disable=SC2046 # names without blanks
is "every link of an installed page leads to an installed file" \
	"$(cd "$at/share/doc/ctascope" && dead_links $(find . -name '*.md'))" ""
is "the pages are many" "$(find "$at/share/doc/ctascope" -name '*.md' | awk 'END { print (NR >= 15) }')" 1
for file in bash-completion/completions/ctascope zsh/site-functions/_ctascope fish/vendor_completions.d/ctascope.fish; do
	ok "$file" test -s "$at/share/$file"
done
is "no path of the build or of the sources" \
	"$(grep -rlFe "$PWD" -e "$(cd "$srcdir" && pwd -P)" "$root" | sed "s|^$root||")" ""
is "the installed program has its data" "$("$at/bin/ctascope" --version | sed -n 's/^data *//p')" "$at/share/ctascope"
like "and its traces" "$("$at/bin/ctascope" -n -b phase -e 'step 100' -e 'info digest' 2>&1 | tail -n 1)" '[0-9a-f]{16}'
if [ -x traces/src/km ]; then
	"$at/bin/ctascope" -n -b km:short -e 'step 100' >"$tmp/out" 2>&1
	is "a small workload at its size short is there" "$(cat "$tmp/out")" "$(./ctascope -n -b km:short -e 'step 100' 2>&1)"
	XDG_CACHE_HOME=$tmp/cache "$at/bin/ctascope" -n -b nqu:short -e 'step 100' >"$tmp/out" 2>"$tmp/err"
	is "a large one is recorded" "$(cat "$tmp/err")" "ctascope: recording nqu:short"
	ok "and is the same" cmp -s traces/short/nqu.ctr "$tmp/cache/ctascope"/nqu-short-*.ctr
else
	skip "a workload at its size short" "no recorder"
fi

make uninstall DESTDIR="$root" >"$tmp/log" 2>&1
is "make uninstall" "$?" 0
is "it leaves no file" "$(find "$root" ! -type d)" ""
is "and no folder of ours" "$(find "$root" -name '*ctascope*')" ""
done_testing
