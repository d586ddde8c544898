#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# transcripts.t - sessions written down: what was typed and what it said.
#
# A file tests/repl/sessions/NAME.session starts with comment lines and one line
#
#     run: ARGUMENTS                on the toy machine (tests/mock)
#     run-real: ARGUMENTS           on the real one
#
# then goes on as it looks at the prompt. Lines from "(ctascope) " on are typed, those from "> " are
# the lines of `commands`; everything else is expected output, standard error included. The words
# @toy@ and @tmp@ stand for the toy's trace and a folder to write to.
#
#     tests/repl/transcripts.t --update [NAME...]     writes the files anew: read the difference
. "${srcdir:-.}/tests/tap.sh"
builddir=${builddir:-.}
mock=$builddir/tests/repl/ctascope-mock
real=${CTASCOPE:-$builddir/ctascope}
folder=$srcdir/tests/repl/sessions
update=
if [ "${1:-}" = --update ]; then update=yes; shift; fi
: >"$tmp/toy.ctr"
if [ $# -gt 0 ]; then names=$*; else names=$(cd "$folder" && ls -- *.session | sed 's/\.session$//'); fi

# The script that types the session's lines, each said before it is executed.
script() {
	"${AWK:-awk}" '
	/^\(ctascope\) / { print "echo " $0; print substr($0, 12); next }
	/^> / {
		print substr($0, 3); held = held "echo " $0 "\n"
		if ($0 == "> end") { printf "%s", held; held = "" }
	}' "$1"
}

play() { # session file: what it says now
	from=$1
	arguments=$(sed -n 's/^run\(-real\)\{0,1\}: \{0,1\}//p' "$from" | sed 1q)
	program=$mock
	if grep -q '^run-real:' "$from"; then program=$real; fi
	arguments=$(printf '%s\n' "$arguments" | sed "s|@toy@|$tmp/toy.ctr|; s|@src@|$srcdir|")
	sed '/^run\(-real\)\{0,1\}:/q' "$from"
	# shellcheck disable=SC2086 # the arguments are words
	rm -rf "$tmp/out"
	mkdir "$tmp/out"
	script "$from" | sed "s|@tmp@|$tmp/out|g" |
		timeout 60 "$program" -b -n --keep-going $arguments -x - 2>&1 |
		sed "s|$tmp/out|@tmp@|g; s|^ctascope: stdin:[0-9]*: |error: |; s|^ctascope: |error: |"
}

for name in $names; do
	play "$folder/$name.session" >"$tmp/now"
	if [ "$update" ]; then
		cmp -s "$tmp/now" "$folder/$name.session" || cp "$tmp/now" "$folder/$name.session"
		pass "$name written"
	else
		is "$name" "$(cat "$tmp/now")" "$(cat "$folder/$name.session")"
	fi
done
done_testing
