#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# student.t - what a student meets: two sittings, tries, hints, numbers of his own.
. "${srcdir:-.}/tests/tap.sh"
cd "$tmp" || exit 99
cp "$srcdir/tests/small/small.machine" .
"$builddir/tests/small/write_small" small.ctr || exit 99
XDG_DATA_HOME=$tmp/data XDG_STATE_HOME=$tmp/state
export XDG_DATA_HOME XDG_STATE_HOME
mkdir -p data/ctascope/lessons
lesson() { timeout 60 "$CTASCOPE" lesson "$@" 2>&1; }
play() { lesson -b -n "$@"; }

cat >data/ctascope/lessons/30-two.lesson <<'L'
lesson: 30-two
title: Two sittings
session: -c small.machine -p dyncta small.ctr

# First
Above.
@do core 1
@task Go to cycle 1,000.
  check: $cycle == 1000
  hint: Type it.
  solve: advance 1000
Between.
@ask What is two and two?
  answer: 2 + 2
  value: 4
@task Go to cycle 2,000.
  check: $cycle == 2000
  solve: goto 2000
@ask predict: Which cycle comes next?
  reveal: step
  answer: $cycle
  value: 2001
  wrong: 1999 | That way is back.
L

# ---- two sittings

is "it is no stale lesson" "$(lesson --check 30-two)" "ok 30-two: 2 tasks, 2 questions"
printf 'advance 1000\n4\n' | play 30 >/dev/null
like "the first sitting is listed" "$(lesson --list)" '^30-two +2 of 4 +Two sittings$'
printf 'print $cycle\ngoto 2000\n2001\n' | play 30 >out
like "the second one says so" "$(cat out)" '^you continue where you stopped;'
is "shows the page down to the open task" "$(sed -n '/^== First/,/^task/p' out)" "$(cat <<'O'
== First (page 1 of 1) ==
Above.
Between.

task 3 of 4: Go to cycle 2,000.
O
)"
like "with the machine as it was left" "$(cat out)" '^\$cycle = 1000$'
like "and completes the lesson" "$(lesson --list)" '^30-two +complete +Two sittings$'
is "all is done" "$(tail -4 out | cut -c1-16)" "done     1 task:
done     2 quest
done     3 task:
done     4 quest"

# ---- tries, hints

printf 'advance 1000\n4\ngoto 2000\n1999\nprint $cycle\n2001\n' | play 30 >out
like "the first wrong prediction is not the last" "$(cat out)" "^wrong; type another number \(try 2 of 2\), or 'lesson solve'$"
like "it has its comment" "$(cat out)" '^  That way is back\.$'
like "and the machine stands still" "$(cat out)" '^\$cycle = 2000$'
like "the second one counts, and is counted" "$(cat out)" '^done     4 question: Which cycle comes next\? \(2 answers\)$'
printf 'advance 1000\n4\ngoto 2000\n1999\n1999\n2001\n' | play 30 >out
like "the same answer again costs nothing" "$(cat out)" '^that was your last answer; type another number$'
like "and another one counts" "$(cat out)" '^done     4 question: Which cycle comes next\? \(2 answers\)$'
printf 'advance 1000\n4\ngoto 2000\n1999\n1998\n' | play 30 >out
like "two wrong ones are wrong" "$(cat out)" '^wrong    4 question'
sed 's/30-two/31-three/; s/  wrong:/  tries: 3\n  wrong:/' data/ctascope/lessons/30-two.lesson \
	>data/ctascope/lessons/31-three.lesson
printf 'advance 1000\n4\ngoto 2000\n2001\n' | play 30 >out
like "the next lesson is one behind it" "$(cat out)" "^next: lesson 31-three; 'lesson next' opens it$"
printf 'advance 1000\n4\ngoto 2000\n1\n2\n2001\n' | play 31 >out
like "tries: 3" "$(cat out)" '^done     4 question.*\(3 answers\)$'
sed 's/  tries: 3/  tries: 0/' data/ctascope/lessons/31-three.lesson >bad.lesson
is "tries: 0 is a mistake" "$(lesson --check bad.lesson)" \
	"ctascope: bad.lesson:23: tries: expected a number from 1 to 99, found '0'"
printf 'hint\n?\n' | play 31 >out
like "hint is a command of the lesson's prompt" "$(cat out)" '^hint: Type it\.$'
like "? lists the lesson's commands" "$(cat out)" '^lesson skip +leave the task out$'

# ---- numbers of one's own

cat >data/ctascope/lessons/32-vary.lesson <<'L'
lesson: 32-vary
title: Numbers vary
@vary core: 1 | 0..3
@vary t: 60 | 50 | 40
session: -c small.machine -p dyncta:t_mem_h=<t> small.ctr

# P
The threshold is <t>, t_mem_h is {option.t_mem_h}; a < b > c and <other> stay.
@vary far: <core>00 | 900
@task Go to core <core>.
  check: $focus == <core> && known(core.<core>.n)
  used: core
  solve: step
  solve: core <core>
@ask What is <far> times two?
  answer: <far> * 2
  value: 200
L
sed -i '/known(core/s/$/ \&\& $cycle > 0/' data/ctascope/lessons/32-vary.lesson
is "it is checked with several seeds" "$(lesson --check 32-vary)" "ok 32-vary: 1 tasks, 1 questions"
numbers() { echo quit | play 32 --seed "$1" | sed -n 's/^The threshold/threshold/p; s/^task.*: //p'; }
is "seed 0: the author's numbers" "$(numbers 0)" \
	"threshold is 60, t_mem_h is 60; a < b > c and <other> stay.
Go to core 1."
is "a seed gives the same numbers again" "$(numbers 7)" "$(numbers 7)"
ok "seeds differ" sh -c '[ "$(printf %s "$1" | sort -u | wc -l)" -gt 2 ]' x "$(for i in 1 2 3 4 5 6; do numbers $i; done)"
printf 'step\ncore 3\n' | play 32 --seed 9 >/dev/null
seed=$(sed -n 's/^32-vary [0-9]* [0-9]* [0-9]* \([0-9]*\) .*/\1/p' state/ctascope/lessons)
is "the seed is kept with the progress" "${seed:-9}" 9
sed 's/value: 200/value: 202/' data/ctascope/lessons/32-vary.lesson >bad.lesson
is "the author's value is compared" "$(lesson --check bad.lesson)" "ctascope: bad.lesson:16: the answer is 200, but value is 202"
sed 's/known(core.<core>.n)/<core> < 2/' data/ctascope/lessons/32-vary.lesson >bad.lesson
like "a stale variation names its seed" "$(lesson --check bad.lesson)" \
	"^ctascope: bad.lesson:11: with --seed [1-3]: '.focus == [23] && [23] < 2 "
vary() { sed "3s/.*/@vary $1/" data/ctascope/lessons/32-vary.lesson >bad.lesson; lesson --check bad.lesson | sed 1q; }
like "one value varies nothing" "$(vary 'core: 1')" "bad.lesson:3: @vary: expected two values or more, as in 'core: 5 | 0..29'"
like "a name is missing" "$(vary '5 | 6')" 'bad.lesson:3: @vary: expected NAME: VALUE'
like "a name twice" "$(vary 't: 5 | 6')" "bad.lesson:4: @vary: 't' appears twice"
like "a range that is too long" "$(vary 'core: 0..999999')" 'bad.lesson:3: @vary: expected two values'
like "no number as seed" "$(lesson --seed x 32)" "--seed expects a number, found 'x'"
# ---- a change after the end of a run
cat >end.lesson <<'L'
lesson: 40-end
title: After the end
session: -c small.machine -p rr small.ctr

# One
@task Run it.
  check: ended
  solve: run
@task Run it with another limit.
  check: ended && policy.static.n == 1
  solve: set policy static:n=1
  solve: run
L

printf 'run\nset policy static:n=1\necho changed\nrun\n' | play end.lesson >out
is "a change after the end needs a run" "$(grep -E '^(task done|changed)' out | tr '\n' ' ')" "task done changed task done "

done_testing
