#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# text.t - licence line first, tabs, no stray blanks, at most 100 columns, no leftovers, no paths of one machine.
. "${srcdir:-.}/tests/tap.sh"
skip_slow # the source is the same in every build
cd "$srcdir" || exit 99

c_files=$(find src include tools tests examples -name '*.[ch]' | sort)
rows=$(find src include -name '*.def' | sort)
scripts=$(find tests -name '*.t' -o -name '*.sh' -o -name '*.awk'; echo bootstrap.sh; echo .ci/run)
spdx='SPDX-License-Identifier: GPL-3.0-or-later'

# shellcheck disable=SC2086 # lists of names without blanks
{
is "C files start with the licence line" \
	"$("${AWK:-awk}" -v wanted="/* $spdx */" 'FNR == 1 && $0 != wanted { print FILENAME }' $c_files $rows)" ""
is "scripts have it in their first two lines" "$("${AWK:-awk}" -v wanted="# $spdx" '
	FNR <= 2 && $0 == wanted { has[FILENAME] = 1 }
	END { for (i = 1; i < ARGC; i++) if (!has[ARGV[i]]) print ARGV[i] }' $scripts)" ""
}

# shellcheck disable=SC2086 # lists of names without blanks
{
is "no blanks at the end of a line" "$(grep -nE '[[:blank:]]+$' $c_files $rows $scripts)" ""
is "no carriage returns" "$(grep -l "$(printf '\r')" $c_files $rows $scripts)" ""
is "every file ends in a newline" "$(for f in $c_files $rows $scripts; do
	[ -z "$(tail -c 1 "$f")" ] || echo "$f"; done)" ""
is "indentation is made of tabs" "$(grep -nE '^(	*)  +[^ *]' $c_files |
	grep -vE ':[0-9]+:	+ {1,7}[^ ]' | grep -vE ':[0-9]+: {1,7}[^ ]' )" ""
"${AWK:-awk}" 'length($0) * 8 > 100 { # as many columns, if all of it were tabs
	gsub(/[\200-\277]/, "") # count characters, not bytes, whatever awk this is
	n = split($0, part, "\t")
	for (i = 1; i < n; i++)
		columns += 8 * (int(length(part[i]) / 8) + 1)
	columns += length(part[n])
	if (columns > 100) print columns, FILENAME ":" FNR
	columns = 0 }' $(find src tools include -name '*.[ch]' | sort) >"$tmp/long"
is "lines have at most 100 columns" "$(cat "$tmp/long")" ""
# The words are put together here so that this line does not find itself.
is "no leftovers" "$(grep -nwE 'TO''DO|FIX''ME|X''XX|HA''CK' $c_files $rows $scripts)" ""
}

# Absolute paths below folders where people and mounted disks keep files: another machine has other ones.
of_one_machine() { # grep's options and files
	grep -nE '(^|[^A-Za-z0-9_.~$)}/-])/(data|export|home|media|mnt|nfs|opt|root|scratch|srv|Users|Volumes|work)/' "$@"
}
# The user of the bare Debian lives where check-bare.sh makes a home.
is "no absolute path of one machine" "$(of_one_machine -rI --include='*.[ch]' --include='*.def' --include='*.am' --include='*.ac' \
	--include='*.in' --include='*.md' --include='*.t' --include='*.sh' --include='*.awk' --include='*.cu' --include='*.ptx' \
	--include='*.machine' --include='*.sweep' --include='*.theme' --include='*.csv' --include='*.list' --include=run \
	.ci bootstrap.sh configure.ac Makefile.am src include tools tests examples machines themes sweeps traces man results ./*.md |
	grep -vE '^tests/bare/check-bare\.sh:[0-9]+:.*[/]home/user')" ""
cd "$tmp" || exit 99
p=/ # so that this file does not name one
printf '%s\n' "f = \"${p}work/x\";" "#include <sys${p}data/x.h>" "see ${p}home/me/a" 'cp "$x'"${p}root/x\"" "${p}mnt/disk" >a.c
is "planted ones are found, and nothing else" "$(of_one_machine a.c | cut -d: -f1 | tr '\n' ' ')" "1 3 5 "
done_testing
