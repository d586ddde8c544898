#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# docs.t - the manual pages say what the program has: every row of every table, every option of the
# command line, nothing else; and what README and tutorial tell their readers to type works.
. "${srcdir:-.}/tests/tap.sh"
pages="ctascope.1 ctascope-record.1 ctascope-lesson.5 ctascope-sweep.5 ctascope-commands.7 ctascope-glossary.7
	ctascope-model.7 ctascope-options.7 ctascope-panes.7 ctascope-time.7"
for p in $pages; do # as text: no fonts, no escapes
	sed 's/\\-/-/g; s/\\(ga/`/g; s/\\(ha/^/g; s/\\f.//g; s/" *"//g' "$builddir/man/$p" >"$tmp/$p"
done

missing() { # page, words on standard input: those that head no entry of it
	while read -r word; do
		grep -qF ".BR \"$word" "$tmp/$1" || echo "$word"
	done
}
rows() { # kind of row, file
	sed -n "s/^$1([^\"]*\"\([^\"]*\)\".*/\1/p" "$srcdir/$2"
}
is "the pages are all that are made" "$(cd "$srcdir/man" && ls -- *.in | LC_ALL=C sort)" \
	"$(for p in $pages; do echo "$p.in"; done | LC_ALL=C sort)"
is "no table is left open" "$(cd "$tmp" && grep -E '^@[A-Z]|^:[a-z]' $pages)" ""
is "every command" "$(rows CMD src/session/commands.def | missing ctascope-commands.7)" ""
# An example is the last word of a row; a command without arguments has its own name there.
without_example() { # file
	sed -n 's/^\(CMD\|SCREEN\)("\([^"]*\)".*, "\(\([^"\]\|\\.\)*\)")$/\2 \3/p' "$1" |
		"${AWK:-awk}" '$1 != $2 { print $1 }'
	"${AWK:-awk}" -F'"' '/^CMD\(/ && $6 != $2 && $8 != "" && $NF == ")" && $(NF - 1) == $2 { print $2 }' "$1"
	"${AWK:-awk}" -F'"' '/^SCREEN\(/ && $4 != "" && $(NF - 1) == $2 { print $2 }' "$1"
}
is "every command that takes something has an example, of itself" "$(without_example "$srcdir/src/session/commands.def")" ""
printf '%s\n' 'CMD("a", "", G_RUN, "N", "[N]", c, 0, f, "help", "b 3")' 'CMD("c", "", G_RUN, "N", "[N]", c, 0, f, "help", "c")' \
	'SCREEN("d", 0, "X", c, NULL, f, "help", "d")' >"$tmp/rows.def"
is "planted rows without one are found" "$(without_example "$tmp/rows.def" | tr '\n' ' ')" "a c d "
is "every topic of info" "$(rows INFO src/session/commands.def | sed 's/^/info /' | missing ctascope-commands.7)" ""
is "every event" "$(rows EVENT include/ctascope/events.def | missing ctascope-commands.7)" ""
is "every model option" "$("$CTASCOPE" --list-options | cut -d' ' -f1 | missing ctascope-options.7)" ""
is "every machine" "$("$CTASCOPE" --list-machines | cut -d' ' -f1 | missing ctascope-options.7)" ""
is "of which there are some" "$("$CTASCOPE" --list-machines | grep -c '^kayiran30 \|^mesh56 ')" 2
is "every policy" "$("$CTASCOPE" --list-policies | cut -d' ' -f1 | missing ctascope-options.7)" ""
is "every word that explain defines" "$(sed -n 's/^\(LABEL\|TERM\)("\([^"]*\)".*/\2/p' "$srcdir/src/session/labels.def" |
	missing ctascope-glossary.7)" ""
is "a row that is not there is noticed" "$(echo no-such-row | missing ctascope-commands.7)" "no-such-row"
is "there are rows to look for" "$(rows CMD src/session/commands.def | grep -c .)" \
	"$(grep -c '^CMD(' "$srcdir/src/session/commands.def")"

long() { grep -oE -e '--[a-z][a-z-]+' | sort -u; }
is "the same options as --help" \
	"$(sed -n '/^\.SH OPTIONS/,/^\.SH EXIT/p' "$tmp/ctascope.1" | long)" \
	"$("$CTASCOPE" --help | sed '/^Examples/q' | grep '^  ' | long)"

for c in app record cache convert trace compare report plot doctor lesson quiz grade sweep; do
	is "the options of ctascope $c are in a manual" "$("$CTASCOPE" "$c" --help | sed '/^Examples/q' | grep '^  ' | long |
		while read -r option; do
			cat "$tmp"/ctascope* | grep -q -e "$option" || echo "$option"
		done)" ""
	grep -q "^\.B ctascope $c" "$tmp/ctascope.1" || fail "ctascope $c is in the synopsis"
done

# The page about the model: values, series, and of every policy parameters, fields and sentences.
is "a section for every policy" "$("$CTASCOPE" --list-policies | cut -d' ' -f1 | while read -r name; do
	grep -q "^\.SS 17\.[0-9]* $name\$" "$tmp/ctascope-model.7" || echo "$name"; done)" ""
is "every parameter of one" "$("$CTASCOPE" --list-policies | cut -d' ' -f1 | while read -r name; do
	"$CTASCOPE" --list-options | cut -d' ' -f1 | grep "^$name\."; done | missing ctascope-model.7)" ""
is "every value" "$(sed -n '/^VIEW(/{s/^VIEW(\([a-z0-9_]*\), *\([a-z0-9_]*\),.*/\1.\2/;s/^sub[.]/core.&/;s/^kernels[.]/kernel.K./;s/^core_kernel[.]/core.kernel.K./;p;}' "$srcdir/src/sim/view.def" |
	missing ctascope-model.7)" ""
is "of which there are some" "$(grep -c '^\.BR "gpu\.' "$tmp/ctascope-model.7" | sed 's/^[0-9][0-9]$/many/')" many

# The page about the panes: each has its section and its example.
panes=$builddir/man/ctascope-panes.7
is "a page for every pane, with an example" \
	"$(sed -n 's/^\.SH pane \([a-z0-9]*\).*/\1/p; s/^\.EX/EX/p' "$panes" | paste -sd' ')" \
	"$(sed -n 's/^PANE(\([a-z0-9_]*\))/\1 EX/p' "$builddir/src/tui/panes.def" | paste -sd' ')"

# .RI and its like set their words without blanks between them, so a sentence on their line would lose its own.
joined() { # page...
	grep -nE '^\.(BR|RB|RI|IR|BI|IB) ' "$@" /dev/null | sed 's/"[^"]*"/"/g' | grep -E '[A-Za-z,]+ +[a-z]+ +[a-z]+'
}
is "no sentence stands on the line of a macro that joins words" \
	"$(joined "$builddir"/man/*.[157] "$srcdir"/man/*.[157])" ""
printf '.RI ( FILE ). Before anything runs\n.BR a ", " b " and so on to " c .\n' >"$tmp/joined"
is "one that does is found" "$(joined "$tmp/joined" | cut -d: -f2)" 1

if command -v groff >/dev/null; then
	for p in "$builddir"/man/*.[157] "$srcdir"/man/*.[157]; do
		[ -e "$p" ] || continue
		is "$(basename "$p") formats without a warning" \
			"$(groff -ww -man -Tutf8 -Kutf8 "$p" 2>&1 >/dev/null)" ""
	done
else
	skip "manual pages format without a warning" "no groff here"
fi

if command -v mandoc >/dev/null; then
	# A page has no date: the same source makes the same bytes.
	warnings() { mandoc -T lint -W warning "$@" 2>&1 | grep -v 'WARNING: missing date'; }
	is "nor does mandoc warn" "$(warnings "$builddir"/man/*.[157] "$srcdir"/man/ctascope-*.[157])" ""
	printf '.TH A 1\n.SH NAME\na \\- b\n.ZZ\n' >"$tmp/wrong.1"
	is "a faulty page is found" "$(warnings "$tmp/wrong.1" | grep -c 'unknown macro: .ZZ')" 1
else
	skip "nor does mandoc warn" "no mandoc here"
fi

# The page about policies of one's own: its example is the shipped one, and it names all of the contract.
policy=$srcdir/man/ctascope-policy.7
is "ctascope-policy.7 has the example that is shipped" \
	"$(sed -n '/^\/\*/,/^\.EE/p' "$policy" | sed '$d')" \
	"$(sed 's/\\/\\e/g; s/-/\\-/g; s/"/\\(dq/g; s/'"'"'/\\(aq/g; s/\^/\\(ha/g; s/~/\\(ti/g; s/^\./\\\&./' \
		"$srcdir/examples/policy/half.c")"
names=$(sed -n 's/^	[a-z_ ]*(\*\([a-z_]*\))(.*/\1/p; s/^	\(ACT_[A-Z]*\).*/\1/p; s/^	\(CORE_[A-Z]*\).*/\1/p' \
	"$srcdir/include/ctascope/cta_sched.h")
is "and names every hook, call, reason and state" "$(for name in $names; do
	grep -q "$name" "$policy" || echo "$name"; done)" ""
is "of which there are some" "$(echo "$names" | grep -cxE 'decide|want|ACT_DUE|CORE_OFF')" 4

# What the tutorial says to type: lines "$ ctascope ..." of its code blocks, and those that show a prompt,
# "(ctascope 0) run", as one session with the workload of the first such line. What "$ cat NAME" shows is a file,
# and what a command that reads one prints stands below it.
tutorial=$srcdir/docs/tutorial.md
sed -n '/^```/,/^```/s/^\$ \(ctascope .*\)/\1/p' "$tutorial" "$srcdir/README.md" >"$tmp/commands"
sed -n '/^```/,/^```/s/^(ctascope [^)]*) \([^#]*\).*/\1/p' "$tutorial" >"$tmp/session"
mkdir "$tmp/bin" "$tmp/work"
ln -s "$CTASCOPE" "$tmp/bin/ctascope"
PATH=$tmp/bin:$PATH
cd "$tmp/work" || exit 99
"${AWK:-awk}" '/^\$ cat / { file = $3; next } /^\$ |^```/ { file = "" } file { print >file }' "$tutorial"
if [ "${FAST:-}" = 1 ]; then
	skip "what README and tutorial say to type works" "slow, and FAST=1"
elif ! ctascope --list-workloads | grep -q .; then
	skip "what README and tutorial say to type works" "this tree has no workloads"
else
	# shellcheck disable=SC2046 # the words of a command
	ok "tutorial: the tour" $(sed 1q "$tmp/commands") --batch -x "$tmp/session"
	# The same, asked for the cycle before each command: is it the one in the prompt?
	sed 's/^/print $cycle\
/' "$tmp/session" >"$tmp/asking"
	# shellcheck disable=SC2046
	is "tutorial: the cycles in the prompts" \
		"$($(sed 1q "$tmp/commands") --batch -x "$tmp/asking" | sed -n 's/^\$cycle = //p')" \
		"$(sed -n '/^```/,/^```/s/^(ctascope \([0-9,]*\)\( of [0-9,]*\)\{0,1\} core [0-9]*) .*/\1/p' \
			"$tutorial" | tr -d ,)"
	# The prompts of the README are a session, too; its answers are among what is printed.
	sed -n '/^```/,/^```/s/^(ctascope [^)]*) //p' "$srcdir/README.md" >readme
	ctascope --batch --policy dyncta phase -x readme >printed 2>/dev/null
	is "README: what why prints" "$(sed -n '/^(ctascope .*) why$/,/^```/p' "$srcdir/README.md" | sed '1d;$d' |
		grep -v '^(ctascope ' | grep -vxFf printed)" ""
	sed 1d "$tmp/commands" | sort -u >"$tmp/others"
	while read -r command; do
		ok "$command" sh -c "$command </dev/null"
	done <"$tmp/others"
	is "tutorial: what the script prints" "$(ctascope --batch --policy dyncta phase -x falls 2>/dev/null)" \
		"$(sed -n '/-x falls$/,/^```/p' "$tutorial" | sed '1d;$d')"
	sed -n '/-x slower$/,/^```/p' "$tutorial" | sed '1d;$d' >story
	is "tutorial: what the story says" "$(ctascope --batch --policy dyncta bp:short -x slower 2>/dev/null)" "$(cat story)"
	is "and the same in the manual" "$(sed -n '/x slower$/,/^.EE/p' "$srcdir/man/ctascope-time.7.in" |
		sed '1d;$d; s/\\-/-/g')" "$(cat story)"
fi
done_testing
