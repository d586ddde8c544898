#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# present.t - a presentation without a screen: its steps, going back, votes and captions.
. "${srcdir:-.}/tests/tap.sh"
cd "$tmp" || exit 99
cp "$srcdir/tests/small/small.machine" .
"$builddir/tests/small/write_small" small.ctr || exit 99
XDG_DATA_HOME=$tmp/data XDG_STATE_HOME=$tmp/state
export XDG_DATA_HOME XDG_STATE_HOME
mkdir -p data/ctascope/lessons
cat >data/ctascope/lessons/talk.present <<'L'
lesson: talk
title: A talk
session: -c small.machine -p dyncta small.ctr

# First page
It is cycle {$cycle}.
@do layout lecture
@do core 3
Core {$focus} is in focus.
@do advance 100
It ran.
@ask predict: Which cycle comes after 24 more?
  reveal: step 24
  answer: $cycle
  value:  124
  why:    It is cycle {$cycle}.

# Second page
@do note A caption
@do set $x = 7
The variable is {$x}.
@session -c small.machine -p rr small.ctr
@task Go to cycle 500.
  check: $cycle == 500
  solve: advance 500
  why:   Here is cycle {$cycle}.
L
present() { timeout 60 "$CTASCOPE" present -n "$@" 2>&1; }
# Lines for a presentation that is open at its first step.
lines() { printf '%s\n' "$@" >script; present -x script -b talk; }
# The last value of $cycle that was printed.
cycle() { sed -n 's/^\$cycle = //p' | tail -n 1; }

present -b talk >all
is "all steps without a person" "$(cat all)" "A talk: Enter plays the next step, 'present back' undoes the last one

== First page (page 1 of 2) ==
It is cycle 0.
> core 3
Core 3 is in focus.
> advance 100
stopped: cycle 100
It ran.

[>] Which cycle comes after 24 more?
(Enter: the answer)
> step 24
stopped: cycle 124
the answer is 124
  It is cycle 124.

== Second page (page 2 of 2) ==
> note A caption
note: A caption
> set \$x = 7
The variable is 7.

[>] Go to cycle 500.
(Enter: the answer)
> advance 500
stopped: cycle 500
  Here is cycle 500."
ok "it checks as a lesson does" timeout 60 "$CTASCOPE" lesson --check data/ctascope/lessons/talk.present
is "it is not among the lessons" "$(timeout 60 "$CTASCOPE" lesson --list | grep -c talk)" 0
like "no such presentation" "$(present -b nosuch)" "no presentation or lesson 'nosuch'"
present -b >out
is "without a name it is wrong usage" $? 2

# ---- steps

is "a step has the commands and the text below them" "$(lines 'print $cycle' 'present next' 'print $focus' | grep '^\$focus')" '$focus = 3'
n='present next'
is "the question comes before its answer" "$(lines $n 'present next' 'present next' 'present next' 'print $cycle' | cycle)" 100
is "and the outcome after it" "$(lines "$n" "$n" "$n" "$n" 'print $cycle' | cycle)" 124
like "while it is open, what shows the outcome is refused" \
	"$(lines "$n" "$n" "$n" 'step' 'info reference')" "script:5: the outcome is hidden until"
is "and no time passes" "$(lines "$n" "$n" "$n" 'step' 'continue' 'print $cycle' | cycle)" 100
is "back from the outcome to the question" "$(lines "$n" "$n" "$n" "$n" 'present back' 'print $cycle' | cycle)" 100
like "which is open again" "$(lines "$n" "$n" "$n" "$n" 'present back' step)" "the outcome is hidden until"
is "back to before the first run" "$(lines "$n" "$n" "$n" "$n" 'present back' 'present back' 'present back' 'print $cycle' | cycle)" 0
is "and forward again to the same" \
	"$(lines "$n" "$n" "$n" "$n" 'present back' 'present back' 'present back' "$n" "$n" "$n" 'print $cycle' | cycle)" 124
like "not before the first" "$(lines 'present back')" "this is the first step"
is "what was tried in between is undone by the next step" \
	"$(lines "$n" "$n" 'advance 2000' 'set policy rr' "$n" 'print $cycle' | cycle)" 100
is "a new session begins its own machine" "$(lines "$n" "$n" "$n" "$n" "$n" "$n" 'print $cycle' | cycle)" 0
is "back over it" "$(lines "$n" "$n" "$n" "$n" "$n" "$n" 'present back' 'print $cycle' | cycle)" 124
like "not behind the last" "$(lines "$n" "$n" "$n" "$n" "$n" "$n" "$n" "$n" "$n" "$n")" "this was the last step"
like "off ends it" "$(lines 'present off' "$n")" "script:2: present next: no presentation is open"
like "no lesson meanwhile" "$(lines 'lesson skip')" "lesson: a presentation is open"
like "it knows its words" "$(lines 'present a b')" "present: expected the number of a page, found 'b'"
like "next takes no page" "$(lines 'present next 2')" "present: expected nothing after 'next'"

# ---- from a page on

printf '%s\n' 'print $x' 'print $cycle' 'present back' 'print $cycle' 'present back' 'print $cycle' >script
is "it begins at a page, with the machine as the pages before leave it" "$(present -x script -b talk 2)" \
"A talk: Enter plays the next step, 'present back' undoes the last one

== Second page (page 2 of 2) ==
> note A caption
note: A caption
> set \$x = 7
The variable is 7.
\$x = 7
\$cycle = 124

== First page (page 1 of 2) ==
\$cycle = 124

== First page (page 1 of 2) ==

[>] Which cycle comes after 24 more?
(Enter: the answer)
\$cycle = 100"
like "the same in a session" "$(lines 'present talk 2')" '^The variable is 7\.$'
like "there are only so many" "$(present -b talk 3)" "present: talk has the pages 1 to 2, not 3"
like "it is a number" "$(present -b talk two)" "expected the number of a page, found 'two'"

# ---- a vote

small() { printf '%s\n' "$@" | timeout 60 "$CTASCOPE" -b -n -c small.machine -p dyncta -x - small.ctr 2>&1; }
is "a vote hides the outcome until its end" \
	"$(small 'predict "Will it run?" advance 700' 'advance 300' 'print $cycle' 'present next' 'print $cycle' | grep -v '^stopped')" \
"vote: Will it run?
(the outcome is hidden until an empty line)
ctascope: stdin:2: the outcome is hidden until an empty line, or 'present next'"
like "it needs a question" "$(small 'predict ""')" "predict: expected a question"
is "without a command it continues" \
	"$(small 'break 900' 'predict Up or down?' 'present next' 'print $cycle' | cycle)" 900

cat >vote.present <<'L'
lesson: vote
title: A vote
session: -c small.machine -p dyncta small.ctr

# Page
Text.
@do advance 50
@do predict "Where?" advance 60
@do advance 70
The end.
L
votes() { printf '%s\n' "$@" >script; present -x script -b ./vote.present; }
is "a step ends with its vote" "$(votes "$n" 'print $cycle' | cycle)" 50
is "the next key shows the outcome" "$(votes "$n" "$n" 'print $cycle' | cycle)" 60
is "and the one after it goes on" "$(votes "$n" "$n" "$n" 'print $cycle' | cycle)" 70
is "back undoes that" "$(votes "$n" "$n" "$n" 'present back' 'print $cycle' | cycle)" 60
is "back drops an open vote with its step" "$(votes "$n" 'present back' 'print $cycle' 'advance 5' | cycle)" 0
ok "it can be checked" timeout 60 "$CTASCOPE" lesson --check ./vote.present

# ---- a caption

is "a caption is a line" "$(small 'note Look at # 5' 'note' 'print 1')" "note: Look at # 5
1 = 1"
done_testing
