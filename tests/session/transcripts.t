#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# transcripts.t - sessions written down: what was typed and what it said.
#
# A file tests/session/sessions/NAME.session starts with comment lines and one line
#
#     run: ARGUMENTS
#
# then goes on as it looks at the prompt. Lines from "(ctascope) " on are typed, those from "> " are
# the lines up to `end` of the command above (commands, if, while, define ...), not indented;
# everything else is expected output, standard error included. The word
# @small@ stands for the small machine and its workload (tests/small), @src@ for the source tree and
# @tmp@ for a folder to write to. What hangs on how the model lays out its state is not written down: digests are
# told apart by letters, and the sizes of checkpoints are left out, as is the number of snapshots.
#
#     tests/session/transcripts.t --update [NAME...]     writes the files anew: read the difference
. "${srcdir:-.}/tests/tap.sh"
folder=$srcdir/tests/session/sessions
update=
if [ "${1:-}" = --update ]; then update=yes; shift; fi
if [ $# -gt 0 ]; then names=$*; else names=$(cd "$folder" && ls -- *.session | sed 's/\.session$//'); fi
XDG_CACHE_HOME=$tmp/cache
export XDG_CACHE_HOME
cd "$tmp" || exit 99
cp "$srcdir/tests/small/small.machine" .
"$builddir/tests/small/write_small" small.ctr || exit 99
"$builddir/tests/small/write_small" streams.ctr streams || exit 99
"$builddir/tests/small/write_small" mangled.ctr mangled || exit 99
"$builddir/tests/small/write_small" overloads.ctr overloads || exit 99

# The script that types the session's lines, each said before it is executed: those of a construct
# with its head, since among them an echo would be one of them.
script() {
	"${AWK:-awk}" '
	function flush() { printf "%s%s", said, typed; said = typed = "" }
	/^\(ctascope\) / { flush(); said = "echo " $0 "\n"; typed = substr($0, 12) "\n"; next }
	/^> / { said = said "echo " $0 "\n"; typed = typed substr($0, 3) "\n" }
	END { flush() }' "$1"
}

# In place of each digest a letter, of each checkpoint's sizes a word.
settle() {
	"${AWK:-awk}" '
	/^[0-9a-f]+$/ && length($0) == 16 {
		if (!($0 in letter)) letter[$0] = substr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", ++n, 1)
		$0 = "(digest " letter[$0] ")"
	}
	/^\(ctascope\)/ { sizes = 0 }
	sizes { sub(/ +[0-9,]+ +[0-9,]+$/, "  (sizes)") }
	/^name  .*KiB shared$/ { sizes = 1 }
	/^saved the session / { sub(/[0-9,.]+ [KM]iB$/, "(size)") }
	/^snapshots  +[0-9]/ { $0 = "snapshots   (sizes)" }
	{ print }'
}

play() { # session file: what it says now
	from=$1
	arguments=$(sed -n 's/^run: \{0,1\}//p' "$from" | sed 1q)
	arguments=$(printf '%s\n' "$arguments" | sed "s|@small@|-c small.machine small.ctr|; s|@streams@|-c small.machine streams.ctr|; s|@mangled@|-c small.machine mangled.ctr|; s|@overloads@|-c small.machine overloads.ctr|; s|@src@|$srcdir|")
	sed '/^run:/q' "$from"
	# shellcheck disable=SC2086 # the arguments are words
	rm -rf "$tmp/out" "$tmp/cache"
	mkdir "$tmp/out"
	script "$from" | sed "s|@tmp@|$tmp/out|g" |
		timeout 60 "$CTASCOPE" -b -n --keep-going $arguments -x - 2>&1 |
		sed "s|$tmp/out|@tmp@|g; s|^ctascope: stdin:[0-9]*: |error: |; s|^ctascope: |error: |" | settle
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
