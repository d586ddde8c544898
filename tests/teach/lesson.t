#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# lesson.t - lessons on the small machine: what is no lesson, what is a stale one, and a student who does everything.
. "${srcdir:-.}/tests/tap.sh"
cd "$tmp" || exit 99
cp "$srcdir/tests/small/small.machine" .
"$builddir/tests/small/write_small" small.ctr || exit 99
XDG_DATA_HOME=$tmp/data XDG_STATE_HOME=$tmp/state
export XDG_DATA_HOME XDG_STATE_HOME
mkdir -p data/ctascope/lessons
lesson() { timeout 60 "$CTASCOPE" lesson "$@" 2>&1; }
play() { lesson -b -n "$@"; }

# ---- what is no lesson: one error, with file, line, what, and what was expected

# A head, then the lines given; its first line is line 5.
bad() {
	{
		printf 'lesson: bad\ntitle: T\nsession: -c small.machine small.ctr\n\n'
		printf '%s\n' "$@"
	} >bad.lesson
	lesson --check bad.lesson | sed 's/^ctascope: //' | sed 1q
}
is "text before a page" "$(bad text)" "bad.lesson:5: expected a page: '# HEADING'"
is "no page" "$(bad '')" "bad.lesson:5: the lesson has no page, '# HEADING'"
is "an unknown item" "$(bad '# P' '@taks X')" "bad.lesson:6: expected @session, @do, @task, @ask or @vary, found '@taks'"
is "an unknown field" "$(bad '# P' '@task X' '  chekc: 1')" \
	"bad.lesson:7: expected a field of the task, found 'chekc'; did you mean check?"
is "a field of a question in a task" "$(bad '# P' '@task X' '  answer: 1')" \
	"bad.lesson:7: expected a field of the task, found 'answer'; they are check, used, hint, solve, points and why"
is "a task without a check" "$(bad '# P' '@task X' '  solve: run')" \
	"bad.lesson:6: the task needs 'check: EXPR' or 'used: COMMAND'"
is "a task without a solution" "$(bad '# P' '@task X' '  check: 1')" \
	"bad.lesson:6: the task needs 'solve: COMMAND', which 'lesson --check' plays"
is "no expression" "$(bad '# P' '@task X' '  check: 1 +' '  solve: run')" \
	"bad.lesson:7: check: expected a value, found the end"
is "a question without an answer" "$(bad '# P' '@ask X' '  value: 1')" "bad.lesson:6: the question needs 'answer: EXPR'"
is "a value that is no number" "$(bad '# P' '@ask X' '  value: one' '  answer: 1')" \
	"bad.lesson:7: value: expected a number, found 'one'"
is "a value that is no choice" "$(bad '# P' '@ask X' '  choice: a | b' '  value: c' '  expect: 1')" \
	"bad.lesson:8: value: 'c' is not one of the choices"
is "a prediction without a reveal" "$(bad '# P' '@ask predict: X' '  value: 1' '  answer: 1')" \
	"bad.lesson:6: a prediction needs 'reveal: COMMAND'"
is "a field twice" "$(bad '# P' '@ask X' '  value: 1' '  value: 2')" "bad.lesson:8: 'value:' appears twice"
is "an unknown header" "$(printf 'lesson: x\ntitel: y\n' >bad.lesson; lesson --check bad.lesson | sed 1q)" \
	"ctascope: bad.lesson:2: expected lesson:, title:, time:, needs: or session:, and an empty line after the header"
is "a header without a session" "$(printf 'lesson: x\ntitle: y\n\n# P\n' >bad.lesson; lesson --check bad.lesson | sed 1q)" \
	"ctascope: bad.lesson:3: the header ends without 'session:'"
like "no such lesson" "$(lesson --check nosuch)" "no lesson 'nosuch'"

# ---- what is stale

is "done before it begins" "$(bad '# P' '@task X' '  check: core.0.n > 0' '  solve: run')" \
	"bad.lesson:7: the task is already done at its start: 'core.0.n > 0' holds"
is "not done afterwards" "$(bad '# P' '@task X' '  check: $cycle == 5' '  solve: advance 6')" \
	"bad.lesson:7: '\$cycle == 5' does not hold after the solution"
is "an unknown name is not yet" "$(bad '# P' '@task X' '  check: $nothing == 5' '  solve: advance 6')" \
	"bad.lesson:7: '\$nothing == 5' does not hold after the solution"
like "a reveal that needs the stop of the student" "$(bad '# P' '@task X' '  check: $cycle == 100' '  solve: break cycle 100' '  solve: run' \
	'@ask predict: Y' '  reveal: goto 0' '  reveal: run' '  answer: $cycle' '  value: 100')" \
	'^bad.lesson:13: the answer is [0-9]+, but value is 100$'
is "a command that fails" "$(bad '# P' '@task X' '  check: ended' '  solve: rnu')" \
	"bad.lesson:8: 'rnu' failed: unknown command 'rnu'; did you mean run?"
is "another answer" "$(bad '# P' '@ask X' '  answer: 2 + 3' '  value: 6')" "bad.lesson:7: the answer is 5, but value is 6"
is "within the tolerance" "$(bad '# P' '@ask X' '  answer: 2 + 3' '  value: 6' '  tolerance: 1')" \
	"ok bad.lesson: 0 tasks, 1 questions"
is "an expectation that fails" "$(bad '# P' '@ask X' '  choice: a | b' '  value: a' '  expect: ended')" \
	"bad.lesson:9: 'ended' does not hold"
is "a solution that does not use it" "$(bad '# P' '@task X' '  check: ended' '  used: why' '  solve: run')" \
	"bad.lesson:8: the solution does not use 'why'"
# The task stops at the first pause of core 3, at cycle 5,637.
elsewhere() {
	bad '# P' '@session -c small.machine -p dyncta small.ctr' '@task X' "  check: $1" '  solve: break pause core 3' '  solve: run' \
		'@ask Y' "  answer: $2" "  value: $3"
}
is "also done at the next stop" "$(elsewhere 'stop.is(pause)' '$c_mem' 102)" \
	"bad.lesson:7: the task is also done at the next stop, cycle 5,893, where line 12 has: the answer is 95, but value is 102; let its check contain '\$cycle == 5637'"
is "also done at the end" "$(elsewhere '$cycle >= 5637' core.3.ctas 2)" \
	"bad.lesson:7: the task is also done at the end of the run, cycle 8,575, where line 12 has: the answer is 0, but value is 2; let its check contain '\$cycle == 5637'"
is "its check names the cycle" "$(elsewhere 'stop.is(pause) && $cycle == 5637' '$c_mem' 102)" "ok bad.lesson: 1 tasks, 1 questions"
is "the question has the same answer there" "$(elsewhere '$cycle >= 5637' 'core.3.n > 0' 1)" "ok bad.lesson: 1 tasks, 1 questions"
# The run takes 8,763 cycles.
is "an explanation with the cycles of another run" \
	"$(bad '# P' '@task X' '  check: ended' '  solve: run' '  why: 8,268 cycles, not 9,000.')" \
	"bad.lesson:9: why names 8,268 cycles, but the run took 8,763; write {\$cycle}, or the value that is meant, in braces"
is "with those of this one, and of another" \
	"$(bad '# P' '@task X' '  check: ended' '  solve: run' '  why: 8,268 cycles became 8,763.')" "ok bad.lesson: 1 tasks, 0 questions"
is "with a live value" "$(bad '# P' '@task X' '  check: ended' '  solve: run' '  why: {$cycle} instead of 9,000 cycles.')" \
	"ok bad.lesson: 1 tasks, 0 questions"
is "before the end" "$(bad '# P' '@task X' '  check: $cycle == 5' '  solve: advance 5' '  why: It takes 9,000 cycles.')" \
	"ok bad.lesson: 1 tasks, 0 questions"
is "a value without an end" "$(bad '# P' 'It is {core.3.n CTAs.' 'It is {core.3.n}.')" \
	"bad.lesson:6: '{core.3.n CTAs.' on this page: the line has no '}' after it"
is "nor in a question" "$(bad '# P' '@ask Is it {core.3.n?' '  answer: 1' '  value: 1')" \
	"bad.lesson:6: '{core.3.n?' in the text: the line has no '}' after it"
is "a brace of a program" "$(bad '# P' '    int main() {' '    }')" "ok bad.lesson: 0 tasks, 0 questions"
is "an unknown value on a page" "$(bad '# P' 'It is {gpu.nothing}.' | cut -d';' -f1)" \
	"bad.lesson:6: {gpu.nothing} on this page: unknown name 'gpu.nothing'"
is "an unknown value in an explanation" \
	"$(bad '# P' '@task X' '  check: ended' '  solve: run' '  why: It is {gpu.nothing:.1}.' | cut -d';' -f1)" \
	"bad.lesson:9: {gpu.nothing} in why: unknown name 'gpu.nothing'"
is "live values are rounded, and as the author says" \
	"$(bad '# P' '{1000 * 4} {2 / 3} {1234.56} {2 / 3:.1} {4000:.2} {1 / 0:.1}' '@task X' '  check: ended' '  solve: run' \
	'  why: {2 / 3:.2}' >/dev/null; echo run | play ./bad.lesson | grep -E '4,000|0\.67')" "4,000 0.667 1,234.6 0.7 4,000.00 ?
  0.67"
rm -f state/ctascope/lessons
is "a session that cannot be" "$(bad '# P' '@session -p nosuch small.ctr' | cut -d';' -f1)" \
	"bad.lesson:6: @session: unknown policy 'nosuch'"
is "no other option" "$(bad '# P' '@session -e run small.ctr')" \
	"bad.lesson:6: @session: expected -c, -o, -p, -w or a workload, found '-e'"
bad '# P' '@ask X' '  answer: 1' '  value: 2' >/dev/null
ok "a stale lesson is status 1" sh -c "'$CTASCOPE' lesson --check bad.lesson 2>/dev/null; [ \$? = 1 ]"

# ---- a lesson

cat >data/ctascope/lessons/20-play.lesson <<'L'
lesson: 20-play
title: Play
time: 1 min
session: -c small.machine -p dyncta small.ctr

# First
There are {kernel.ctas} CTAs and **n** is {core.3.n}; {1 / 0} is unknown.
@do core 3
@task Stop at the first pause of core 3
    and ask why.
  check: stop.is(pause) && core.$focus.paused == 1
  used: why
  hint: One.
  hint: Two.
  solve: break pause core 3
  solve: run
  solve: why
  why: It had to wait.
@ask How many run there?
  answer: core.3.n
  value: 1
  wrong: 2 | That was before.
@ask predict: Is the limit 2 at cycle 6,000?
  reveal: delete
  reveal: advance 6000
  choice: yes | no
  value: no
  expect: core.3.n == 1

# Second
@session -c small.machine -p rr small.ctr
@do set $fast = 1
@task Run to the end.
  check: ended && known($fast)
  solve: run
@ask Cycles?
  answer: $cycle
  value: 8,267
  tolerance: 10 %
L
is "it is no stale lesson" "$(lesson --check 20-play)" "ok 20-play: 2 tasks, 3 questions"
like "it is listed" "$(lesson --list)" '^20-play +1 min +Play$'

play 20 >out <<'L'
why
lesson hint
lesson hint
lesson hint
break pause core 3
run
w
2
one
1
continue
yes
run
8,267
lesson
L
is "the student's way" "$(cat out)" "$(cat <<'L'
lesson 20-play: Play (1 min)
'hint' helps, 'lesson skip' leaves a task out, 'lesson off' ends the lesson

== First (page 1 of 2) ==
There are 96 CTAs and n is 3; ? is unknown.

task 1 of 5: Stop at the first pause of core 3 and ask why.
core 3 issues nothing at cycle 0: it holds no CTA, because nothing has run yet
ctascope: stdin:1: no decision of core 3 was taken yet
hint: One.
hint: Two.
no further hint; 'lesson solve' shows the solution
stop 1: break pause core 3
stopped: pause, core 3, cycle 5,637: C_mem 102 >= t_mem_h 60, limit 2 -> 1, paused CTA 4, the youngest of 2 running
pause, core 3, cycle 5,637: C_mem 102 >= t_mem_h 60, limit 2 -> 1, paused CTA 4, the youngest of 2 running
  decided by dyncta, rule mem-high
  c_mem      102
  t_mem_h    60
  old        2
  new        1
  otherwise  with c_mem <= 59 (43 less), or t_mem_h >= 103, this rule would not have applied
  weighed    C_mem 102 cycles, t_mem_l 20, t_mem_h 60
  weighed    C_idle 3 cycles, t_idle 16
task done
  It had to wait.

question 2 of 5: How many run there?
  (type the number)
wrong; type another number, or 'lesson solve'
  That was before.
ctascope: stdin:9: the answer is a number; 'one' is neither a number nor a command
right: 1

question 3 of 5: Is the limit 2 at cycle 6,000?
  1 yes   2 no
  (type your prediction; the model waits for it)
ctascope: stdin:11: the model waits for your answer: type a choice, or 'lesson skip'
> delete
> advance 6000
stopped: cycle 6,000
wrong: it is no

== Second (page 2 of 2) ==

task 4 of 5: Run to the end.
done: cycle 8,763, 2 kernels, 144 CTAs, IPC 29.36
task done

question 5 of 5: Cycles?
  (type the number)
right: 8,763

lesson 20-play is complete: 4 done, 1 answered wrong, 0 solved by ctascope, 0 skipped
next: lesson 01-cta; 'lesson next' opens it

== Second (page 2 of 2) ==
the lesson is complete; 'lesson next' opens the next one, 'lesson list' names all
done     1 task: Stop at the first pause of core 3 and ask why.
done     2 question: How many run there? (2 answers)
wrong    3 question: Is the limit 2 at cycle 6,000?
done     4 task: Run to the end.
done     5 question: Cycles?
L
)"
is "progress is kept" "$(cat state/ctascope/lessons)" "20-play 5 5 0 0 ddwdd"
like "and listed" "$(lesson --list)" '^20-play +1 min +complete +Play$'

# ---- the ways past a task

printf '%s\n' 'lesson solve' 'set policy rr' 'lesson skip' 'lesson skip' 'lesson back' 'lesson reset' 'print core.3.n' \
	'lesson solve' 'lesson solve' 'lesson solve' 'print $cycle' 'lesson off' 'lesson hint' 'lesson' >do
play 20 -x do >out
like "solve shows the commands" "$(cat out)" '^> break pause core 3$'
like "and their output" "$(cat out)" '^stopped: pause, core 3, cycle 5,637'
ok "messages about policies are left out" sh -c '! grep -q "kept the resident" out'
is "back and reset return to the start of a page" "$(grep -c '^== First' out)" 3
like "with the machine as it was there" "$(cat out)" '^core.3.n = 3$'
like "a prediction is solved on the machine" "$(cat out)" '^the answer is no$'
is "off ends the lesson; then there is no hint" "$(grep 'no lesson is open' out)" \
	"ctascope: do:13: lesson hint: no lesson is open; 'lesson' opens the next one"
printf 'lesson 20-play 1 1 0\n20-play 3 5 1 0 ddd--\nnonsense\n' >state/ctascope/lessons
echo quit | play 20 >out
like "a lesson continues at its page" "$(sed -n 5p out)" '^== Second \(page 2 of 2\) ==$'
echo 'lesson 20
lesson list
lesson nosuch' | timeout 60 "$CTASCOPE" -b -n --keep-going -c small.machine small.ctr >out 2>&1
like "a lesson opens at any prompt" "$(cat out)" '^== Second'
like "an unknown one is an error" "$(cat out)" "no lesson 'nosuch'"

# ---- before a prediction is answered, no command moves the machine or shows an outcome

cat >data/ctascope/lessons/22-freeze.lesson <<'L'
lesson: 22-freeze
title: Freeze
session: -c small.machine -p dyncta small.ctr

# P
@do break pause core 3
@do run
@do checkpoint here
@do fork other
@ask predict: How many CTAs run at cycle 6,000?
  reveal: advance 6000
  answer: core.3.n
  value: 1
L
# A row for each command that has to wait, with arguments that it takes; an alias may stand there.
cat >frozen <<'F'
run
start
continue
step
next
finish
until 6000
advance 6000
reference rr
restore here
reverse-step
reverse-next
reverse-continue
reverse-finish
reverse-until 100
goto 6000
back
forward
last-change core.3.n
first core.3.n > 0
history
switch main
flip
try set policy rr
diverge main other
race rr
versus rr
blame 3
compare main other
find pause
bottleneck
oracle x.limits
load x.session
workload small.ctr
F
# The commands that neither move the machine nor show what comes.
cat >free <<'F'
pace policy break tbreak watch condition ignore commands silent enable disable delete assert expect trace profile log record print display
undisplay info why list explain core cta warp cuda mem set knob show checkpoint fork branches dump export plot report source save shell
echo printf if else while loop_break loop_continue end define document eval lesson quiz present predict note help apropos quit
undo redo
F
sed -n 's/^CMD("\([^"]*\)".*/\1/p' "$srcdir/src/session/commands.def" | sort >all
{ sed 's/ .*//; /^versus$/d' frozen; tr ' ' '\n' <free; } | sort >rows
ok "the two tables have every command once" cmp all rows
play 22 <frozen >out
sed 's/.*/still/' frozen >wanted
grep -o "stdin:[0-9]*: the model waits for your answer" out | sed 's/.*answer$/still/' >got
ok "all of the first wait" cmp wanted got
{
	echo 'print $cycle'
	# Constructs take the lines after them, and the others leave.
	tr ' ' '\n' <free | grep -Evx 'commands|if|while|define|document|shell|lesson|quit'
	echo 'print $cycle'
} >lines
play 22 <lines >out
is "those of the second leave the machine where it is" "$(grep '^\$cycle' out | sort -u)" '$cycle = 5637'
printf '%s\n' 'info reference' 'i bl' 'info policy' >lines
is "info reference and info blame wait as well" "$(play 22 <lines | grep -c "stdin:[12]: the model waits for your answer")" 2
ok "and none of them waits" sh -c '! grep -q "the model waits for your" out'

# ---- a question is about the cycle at which it opened

cat >data/ctascope/lessons/25-place.lesson <<'L'
lesson: 25-place
title: Place
session: -c small.machine -p dyncta small.ctr

# P
@task Stop at the first pause of core 3.
  check: stop.is(pause)
  solve: break pause core 3
  solve: run
@ask How many run?
  answer: core.3.n
  value: 1
@ask In which cycle?
  choice: early | late
  value: early
  expect: $cycle == 5637
L
printf '%s\n' 'break pause core 3' run finish 0 1 early >lines
play 25 <lines >out
is "an answer that is right elsewhere is wrong, and is told where" "$(sed -n '/^question 2/,$p' out | grep -v '^stopped\|^done  *[13] \|^next\|^$')" "$(cat <<'L'
question 2 of 3: How many run?
  (type the number)
wrong; type another number, or 'lesson solve'
  The question is about cycle 5,637; 'goto 5637' returns there.
right: 1
question 3 of 3: In which cycle?
  1 early   2 late
  (type a choice)
right: early
lesson 25-place is complete: 3 done, 0 answered wrong, 0 solved by ctascope, 0 skipped
done     2 question: How many run? (2 answers)
L
)"
rm -f state/ctascope/lessons
printf '%s\n' 'advance 5700' 'break pause core 3' continue 1 early >lines
play 25 <lines >out
is "at a stop that the lesson does not expect a student reads what to do" "$(grep -c "lesson:[0-9]" out) $(grep 'not where' out)" \
	"0 the machine is not where the lesson expects it at this question, so the answer is compared with that of the lesson; 'lesson reset' restarts the page"
rm -f state/ctascope/lessons
printf '%s\n' run hint >lines
like "after the end a hint names the way back" "$(play 20 <lines)" "^the program has ended; 'start' returns to its beginning"
like "a lesson is named by its number" "$(echo quit | play 020)" '^lesson 20-play: Play'
like "a word is no choice" "$(printf '%s\n' 'lesson skip' 'lesson skip' perhaps | play 20)" \
	"'perhaps' is neither a choice, 1 to 2, nor a command"

# ---- a lesson deletes only its own stops, and those of the student do not stop it

cat >stops.lesson <<'L'
lesson: stops
title: S
session: -c small.machine -p dyncta small.ctr

# P
@do break pause core 3
@ask predict: Which cycle?
  reveal: delete
  reveal: break limit core 3
  reveal: continue
  answer: $cycle
  value: 128
L
printf '%s\n' 'break cta-issue core 3' 'disable 2' 'tbreak cycle 100' 'watch core.3.n' 7 8 'info breakpoints' 'lesson off' delete \
	'info breakpoints' | play ./stops.lesson >out
is "it runs to where its author ran" "$(grep -c '^stopped: limit, core 3, cycle 128' out)" 1
is "the student's stops stay as they were" "$(sed -n '/^num /,/^lesson /p' out | awk '$1 ~ /^[0-9]/ { print $1, $2, $5, $6 }' | paste -sd,)" \
	"2 no break cta-issue,3 yes tbreak cycle,4 yes watch core.3.n,5 yes break limit"
is "and are the student's to delete" "$(tail -n 1 out)" "no stops"

# ---- a command of a lesson that fails: which lesson and line, and what to do

mkdir -p failing
cat >failing/failing.lesson <<'L'
lesson: failing
title: F
session: -c small.machine -p dyncta small.ctr

# P
@do set nosuch 1
@task Run.
  check: ended
  solve: rnu
@ask Which cycle?
  reveal: break nosuch
  answer: $cycle
  value: 0
@session -p nosuch small.ctr
@task Run.
  check: ended
  solve: run
L
printf '%s\n' 'lesson solve' 'lesson skip' 0 | play failing/failing.lesson >out
is "a lesson says its name and line" "$(grep '^ctascope: lesson' out | sed 's/unknown policy.*;/.../')" \
	"ctascope: lesson failing, line 6: its command 'set nosuch 1' failed; 'lesson reset' restarts the page
ctascope: lesson failing, line 9: its command 'rnu' failed; 'lesson reset' restarts the page, 'lesson skip' leaves the task out
ctascope: lesson failing, line 9: its command 'rnu' failed; 'lesson reset' restarts the page
ctascope: lesson failing, line 11: its command 'break nosuch' failed; 'lesson reset' restarts the page
ctascope: lesson failing, line 14: @session: ... the lesson ends here"
is "a presentation, too" "$("$CTASCOPE" present -b -n failing/failing.lesson 2>&1 | grep '^ctascope: pres' | sed 's/unknown policy.*;/.../')" \
	"ctascope: presentation failing, line 6: its command 'set nosuch 1' failed; the next step continues, 'present back' undoes this one
ctascope: presentation failing, line 9: its command 'rnu' failed; 'present back' undoes the step
ctascope: presentation failing, line 11: its command 'break nosuch' failed; 'present back' undoes the step
ctascope: presentation failing, line 14: @session: ... the presentation ends here"

# ---- a complete lesson that is opened again

rm -f state/ctascope/lessons
echo 'lesson skip
lesson skip
lesson skip
lesson skip
lesson skip' | play 20 >/dev/null
printf 'lesson solve\nlesson solve\n' | play 20 >out
like "it begins at its first page" "$(sed -n 4p out)" '^== First'
like "stays complete in the list" "$(lesson --list)" '^20-play +1 min +complete'
is "keeps the marks of the new sitting" "$(cat state/ctascope/lessons)" "20-play 5 5 0 0 ss---"
echo quit | play 20 >out
like "and continues there" "$(cat out)" '^question 3 of 5'
printf 'lesson skip\nlesson solve\nlesson solve\n' | play 20 >out
like "until it is complete again" "$(cat out)" '^lesson 20-play is complete: .* 4 solved by ctascope, 1 skipped'
like "it does not hold for another number of tasks" \
	"$(echo '20-play 4 4 0 0 ddd-' >state/ctascope/lessons; printf 'lesson solve\n' | play 20 >/dev/null; cat state/ctascope/lessons)" \
	'^20-play 1 5 0 0 s----'
echo '20-play 3 4 0 0 ddd-' >state/ctascope/lessons
like "the list has the present number, of which none is done" "$(lesson --list)" '^20-play +1 min +0 of 5 '
echo '20-play 4 4 0 0 dddd' >state/ctascope/lessons
like "and such a lesson is the next one to do" "$(mv data/ctascope/lessons/20-play.lesson data/ctascope/lessons/00-play.lesson
	sed -i 's/^lesson: .*/lesson: 00-play/' data/ctascope/lessons/00-play.lesson
	echo '00-play 4 4 0 0 dddd' >state/ctascope/lessons; lesson -b -n </dev/null; mv data/ctascope/lessons/00-play.lesson data/ctascope/lessons/20-play.lesson
	sed -i 's/^lesson: .*/lesson: 20-play/' data/ctascope/lessons/20-play.lesson)" '^lesson 00-play'

# ---- back and next: answers and marks of pages gone through stay; only reset loses them

rm -f state/ctascope/lessons
printf '%s\n' 'lesson solve' 1 no 'lesson back' 'print $cycle' 'lesson hint' 'lesson back' 'lesson' 'lesson next' 'run' \
	'lesson next' 8,267 'lesson back' 'lesson back' 'lesson next' 'lesson next' >do
play 20 -x do >out
is "back shows the page with marks and comments" "$(sed -n '/^task 1, solved/,/page is done/p' out | sed '/page is done/q')" \
	"$(cat <<'L'
task 1, solved: Stop at the first pause of core 3 and ask why.
  It had to wait.

question 2, done: How many run there?
  right: 1

question 3, done: Is the limit 2 at cycle 6,000?
  right: no

this page is done; 'lesson next' continues, 'lesson reset' restarts it
L
)"
like "nothing waits on it" "$(cat out)" "do:6: lesson hint: no task is open on this page; 'lesson next' continues"
like "the first page has none before it" "$(cat out)" '^this is the first page$'
is "the page is printed again by 'lesson'" "$(grep -c '^task 1, solved' out)" 3
like "next leads to the open task" "$(sed -n '/^this is the first/,$p' out)" '^task 4 of 5: Run to the end'
like "which is passed before the next page opens" "$(cat out)" '^lesson 20-play is complete: 4 done, 0 answered wrong, 1 solved'
is "a complete lesson goes back to its last page first" "$(sed -n '/complete: 4/,$p' out | grep '^==' | tr '\n' ';')" \
	"== Second (page 2 of 2) ==;== First (page 1 of 2) ==;== Second (page 2 of 2) ==;== Second (page 2 of 2) ==;"
is "every mark survives" "$(cat state/ctascope/lessons)" "20-play 5 5 0 0 sdddd"
rm -f state/ctascope/lessons
printf '%s\n' 'lesson skip' 'lesson skip' 'lesson skip' 'lesson back' 'lesson reset' >do
play 20 -x do >out
is "reset loses them" "$(grep -c '^open ' out)" 5
printf '%s\n' 'lesson skip' 'H' '[' 'lesson' >do
play 20 -x do >out
like "H is a hint at the prompt, too" "$(cat out)" "^no hint; 'lesson solve'"
like "the keys that page say what pages here" "$(cat out)" "^\[ and \] turn pages on the screen; here 'lesson' prints"

# ---- reset plays @session and @do of the page again, and of the pages before what its machine needs

cat >data/ctascope/lessons/23-reset.lesson <<'L'
lesson: 23-reset
title: Reset
session: -c small.machine -p rr small.ctr

# One
@do advance 100
@task Go on.
  check: $cycle > 100
  solve: advance 200

# Two
@session -c small.machine -p dyncta small.ctr
@do advance 1000
@do set policy rr
@do core 3
@task Run to the end.
  check: ended
  solve: run
L
cat >do <<'L'
lesson solve
print $cycle
break 2000
fork mine
core 1
set policy dyncta:pause=hold
advance 3000
lesson reset
print $cycle
print $focus
print policy.is(rr)
print known(core.3.n)
branches
info breakpoints
advance 2500
lesson back
print $cycle
print policy.is(rr)
L
play 23 -x do >out
sed -n '/^== Two/,$p' out | sed '1d' | sed -n '/^== Two/,$p' >again
is "cycle, focus and policy are those of the page" "$(grep -E '^[$p].* = ' again | sed 3q | tr '\n' ';')" \
	'$cycle = 1000;$focus = 3;policy.is(rr) = 1;'
ok "no branch or stop of the student is left" sh -c '! grep -qE "mine|break 2000" again'
is "what reset types is not printed" "$(sed '/^\$cycle/,$d' again | tr '\n' ';')" \
	'== Two (page 2 of 2) ==;;task 2 of 2: Run to the end.;'
is "the machine of the page before is there" "$(grep -E '^[$p].* = ' again | tail -n 2 | tr '\n' ';')" \
	'$cycle = 100;policy.is(rr) = 1;'

# ---- a question without reveal never moves the machine; one with it starts where it was asked

cat >data/ctascope/lessons/21-from.lesson <<'L'
lesson: 21-from
title: From where it was asked
session: -c small.machine -p dyncta small.ctr

# P
@do advance 1000
@ask Which cycle is 500 cycles on?
  reveal: advance 1500
  answer: $cycle
  value: 1500
L
printf 'advance 3000\n1500\n' | play 21 >out
like "the reveal goes back first" "$(cat out)" '^right: 1,500$'

# ---- a decimal comma costs no try, and a share may be typed in percent

cat >data/ctascope/lessons/41-share.lesson <<'L'
lesson: 41-share
title: A share
session: -c small.machine small.ctr

# P
@ask predict: Half?
  reveal: advance 10
  answer: 0.5
  value: 0.5
  tolerance: 0.01
L
printf '%s\n' 0,5 0,500 1,50 '50,1 %' '50.1 %' | play 41 >out
is "each comma that separates no thousands is refused" "$(grep -o 'write .*, with a point' out | tr '\n' ';')" \
	'write 0.5, with a point;write 0.500, with a point;write 1.50, with a point;write 50.1 %, with a point;'
like "the first try is right, in percent" "$(cat out)" '^right: 0.50*$'
like "the report counts one try" "$(grep -c '^wrong' out)" '^0$'
rm data/ctascope/lessons/41-share.lesson

# ---- choices, and the lesson after this one

cat >data/ctascope/lessons/40-choice.lesson <<'L'
lesson: 40-choice
title: Choices
session: -c small.machine small.ctr

# P
@ask Which one?
  choice: the old | A new one | old
  value: A new one
  expect: 1
@ask And now?
  choice: the old | a new one | old
  value: old
  expect: 1
L
printf '%s\n' 'New One' 'the new one' old 'lesson next' 'lesson off' | play 40 >out
is "a choice may be typed with another article, or without" "$(grep -c '^right' out)" 2
like "as it stands it is that choice" "$(cat out)" '^right: old$'
like "next opens the lesson that was named" "$(sed -n '/^next: /,$p' out)" "^lesson 01-cta: "
rm data/ctascope/lessons/40-choice.lesson
ok "status 3 unless all is done and right" sh -c "echo quit | '$CTASCOPE' lesson -b -n 20 >/dev/null; [ \$? = 3 ]"
done_testing
