#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# handin.t - a lesson is handed in and graded; what was changed in the file, or reaches outside, gets no points, and
# a file that was cut off keeps those that it has.
. "${srcdir:-.}/tests/tap.sh"
cd "$tmp" || exit 99
cp "$srcdir/tests/small/small.machine" .
"$builddir/tests/small/write_small" small.ctr || exit 99
XDG_DATA_HOME=$tmp/data XDG_STATE_HOME=$tmp/state
export XDG_DATA_HOME XDG_STATE_HOME
mkdir -p data/ctascope/lessons
cat >data/ctascope/lessons/30-hand.lesson <<'L'
lesson: 30-hand
title: Hand in
session: -c small.machine -p dyncta small.ctr

@vary start: 1000 | 1001..1999
# First
@do core 3
@task Stop at the first pause of core 3 and ask why.
  check: stop.is(pause) && core.$focus.paused == 1
  used: why
  hint: One.
  hint: Two.
  points: 4, hint 1
  solve: break pause core 3
  solve: run
  solve: why
@ask How many run there?
  answer: core.3.n
  value: 1
  points: 3, try 1
@ask predict: Is the limit 2 at cycle 6,000?
  reveal: delete
  reveal: advance 6000
  choice: yes | no
  value: no
  expect: core.3.n == 1

# Second
@session -c small.machine -p rr small.ctr
@task Go to cycle <start>.
  check: $cycle == <start>
  solve: advance <start>
@task Run to the end.
  check: ended
  solve: run
L
lesson() { timeout 60 "$CTASCOPE" lesson -b -n --student "$1" --hand-in "$2" "${3:-30}"; }
grade() { timeout 600 "$CTASCOPE" grade "$@" 2>&1; }
seed=$("$CTASCOPE" grade --seeds ada | cut -d' ' -f2)
lesson ada probe.txt </dev/null >page
# The student's own cycle is in the text of task 4, which skipping leads to.
start=$(printf 'lesson skip\nlesson skip\nlesson skip\n' | lesson ada probe2.txt | sed -n 's/.*Go to cycle \([0-9]*\)\..*/\1/p' | sed 1q)
is "the seed is the same each time" "$("$CTASCOPE" grade --seeds ada)" "ada $seed"
ok "and another one with a key" sh -c "[ '$("$CTASCOPE" grade --class k --seeds ada)' != 'ada $seed' ]"
ok "the numbers are the student's" [ "$start" -gt 1000 ]

# ---- handed in, in two sittings

lesson ada ada.txt >/dev/null 2>&1 <<'L'
hint
break pause core 3
run
w
2
3
L
lesson ada ada.txt >out 2>&1 <<L
1
no
advance $start
lesson solve
L
like "the second sitting continues where the first one ended" "$(sed -n '/^question 2 of 5/p' out)" 'How many run there'
grep -q "^question 2: done" ada.txt && pass "the file has both sittings" || fail "the file has both sittings"
is "the file" "$(sed 's/[0-9a-f]\{16\}/X/; s/^version: .*/version: V/; s/'"$start"'/START/; s/^seed: .*/seed: S/' ada.txt)" "$(cat <<'L'
ctascope hand-in 1
student: ada
lesson: 30-hand
seed: S
version: V
build: X
text: X
machine: X
trace: X
typed by: script

> hint
> break pause core 3
> run
> w
task 1: done, cycle 5637, digest X, tries 0, hints 1
> 1
question 2: done, cycle 5637, digest X, tries 1, hints 0
> no
question 3: done, cycle 6000, digest X, tries 1, hints 0
> advance START
task 4: done, cycle START, digest X, tries 0, hints 0
> lesson solve
task 5: solved, cycle 8763, digest X, tries 0, hints 0
end
L
)"
is "its grade" "$(grade ada.txt)" "$(cat <<'L'
student,lesson,item,points,max,status,note
ada,30-hand,task 1,3,4,ok,1 hint
ada,30-hand,question 2,3,3,ok,
ada,30-hand,question 3,1,1,ok,
ada,30-hand,task 4,1,1,ok,
ada,30-hand,task 5,0,1,wrong,solved by ctascope
L
)"
printf 'break pause core 3\nrun\nw\n2\n3\n1\nyes\n' | lesson bob bob.txt >/dev/null 2>&1
is "tries cost; a wrong prediction and what is open are wrong" "$(grade bob.txt | sed 1d)" "$(cat <<'L'
bob,30-hand,task 1,4,4,ok,
bob,30-hand,question 2,1,3,ok,3 tries
bob,30-hand,question 3,0,1,wrong,wrong
bob,30-hand,task 4,0,1,wrong,open
bob,30-hand,task 5,0,1,wrong,open
L
)"
is "another's file is not written into, and no page is shown first" "$(lesson eve ada.txt 2>&1 </dev/null)" \
	'ctascope: ada.txt is the hand-in of ada for lesson 30-hand; name another file'
printf 'lesson solve\nlesson reset\nbreak pause core 3\nrun\nw\n' | lesson cy cy.txt >/dev/null 2>&1
is "a page that is begun again gives no second chance" "$(grade cy.txt | sed -n 2p)" "cy,30-hand,task 1,0,4,wrong,solved by ctascope"
printf 'break pause core 3\nrun\nw\n1\nno\nlesson back\nlesson next\nlesson solve\nlesson solve\nlesson back\n' |
	lesson flo flo.txt >/dev/null 2>&1
is "what was passed stays so when its page is read again" "$(grade flo.txt | cut -d, -f4 | tr '\n' ' ')" "points 4 3 1 0 0 "

# ---- tampered with

tampered() { # name, sed script, pattern of the note: every row is refused
	sed "$2" ada.txt >t.txt
	cmp -s ada.txt t.txt && fail "$1: nothing was changed"
	is "$1" "$(grade t.txt | sed 1d | grep -vc ',0,[0-9]*,tampered,')" 0
	like "$1, and the note" "$(grade t.txt)" "$3"
}
one_tampered() { # name, sed script, item, pattern of the note: that row is refused, the others keep their points
	sed "$2" ada.txt >t.txt
	cmp -s ada.txt t.txt && fail "$1: nothing was changed"
	grade t.txt >t.csv
	is "$1" "$(cut -d, -f3,6 t.csv | grep tampered)" "$3,tampered"
	is "$1, and no points" "$(grep ",$3," t.csv | cut -d, -f4)" 0
	is "$1, and the others keep theirs" "$(grep -v ",$3," t.csv)" "$(grade ada.txt | grep -v ",$3,")"
	like "$1, and the note" "$(grep ",$3," t.csv)" "$4"
}
tampered "another student" 's/^student: ada/student: eve/' 'the seed does not belong to the student eve'
tampered "another seed" 's/^seed: .*/seed: 1/' 'the seed does not belong to the student ada'
one_tampered "a mark" 's/^task 5: solved/task 5: done/' 'task 5' 'the file says done, the replay solved by ctascope'
one_tampered "a cycle" '/^task 1/s/5637/5636/' 'task 1' 'not the cycle of the replay'
one_tampered "a digest" '/^task 1/s/digest ....\(.*\)/digest 0000\1/' 'task 1' 'not the digest of the replay'
one_tampered "a hint" '/^task 1/s/hints 1/hints 0/' 'task 1' 'not the hints of the replay'
one_tampered "a hint, with its line" '/^> hint/d; /^task 1/s/hints 1/hints 1/' 'task 1' 'not the hints of the replay'
one_tampered "tries" '/^question 2/s/tries 1/tries 2/' 'question 2' 'not the tries of the replay'
one_tampered "an answer" 's/^> no$/> yes/' 'question 3' 'the file says done, the replay wrong'
tampered "a command" 's/^> run$/> advance 5000/' 'task 1,0,4,tampered,"?the file says done, the replay (open|solved)'
tampered "a command less" '/^> w$/d' 'task 1,0,4,tampered,"?the file says done, the replay (open|solved)'
one_tampered "a result less" '/^task 5/d' 'task 5' 'the file says open, the replay solved'
one_tampered "a result more" 's/^task 5: \(.*\)/&\
task 6: \1/' 'item 6' 'the lesson has no item 6'
one_tampered "a result twice" 's/^task 5: .*/&\
&/' 'task 5' 'task 5 appears twice'
one_tampered "a number of another form" '/^task 1/s/hints 1/hints 0x1/' 'task 1' 'expected MARK, cycle N'
one_tampered "a line of no form" 's/^question 2.*/&\
points 100/' 'line 19' "expected '> LINE'"
one_tampered "a line after the last" 's/^end$/&\
> run/' 'line 26' "nothing may follow the line 'end'"
tampered "no header" 1d "expected 'ctascope hand-in 1'"
tampered "a path as the lesson" 's|^lesson: .*|lesson: ../30-hand|' "lesson: '../30-hand' is not a valid value"
tampered "a wrong key" 's/^student: ada/student: eve/; s/^seed: .*/seed: '"$seed"'/' 'the seed does not belong'
is "with the key of a course it is another's" "$(grade --class k ada.txt | sed 1d | grep -c tampered)" 5

# ---- cut off on its way

sed '/^question 3/,$d' ada.txt >cut.txt
is "a file that ends early keeps the points that it has" "$(grade cut.txt | sed 1d)" "$(cat <<'L'
ada,30-hand,task 1,3,4,ok,1 hint
ada,30-hand,question 2,3,3,ok,
ada,30-hand,question 3,0,1,cut,the file was cut off before it; hand it in again
ada,30-hand,task 4,0,1,cut,the file was cut off before it; hand it in again
ada,30-hand,task 5,0,1,cut,the file was cut off before it; hand it in again
L
)"
size=$(wc -c <ada.txt)
is "wherever it is cut, nothing is tampered with" "$(
	for n in $(seq 1 41 $((size - 1))) $((size - 2)) $((size - 5)); do
		head -c "$n" ada.txt >cut.txt
		grade cut.txt | sed 1d | cut -d, -f6 | grep -vE '^(ok|cut|wrong)$' | sed "s/^/$n bytes: /"
	done)" ""
head -c 40 ada.txt >cut.txt
like "in the header" "$(grade cut.txt)" ',cut,.*cut off in its header'
printf 'ctascope hand-in 1\nstudent: ada\nlesson: 30-hand\nseed: none\nend\n' >t.txt
is "a damaged header that names the lesson: what was to be had" "$(grade t.txt | sed 1d | cut -d, -f1-6)" "$(cat <<'L'
ada,30-hand,task 1,0,4,tampered
ada,30-hand,question 2,0,3,tampered
ada,30-hand,question 3,0,1,tampered
ada,30-hand,task 4,0,1,tampered
ada,30-hand,task 5,0,1,tampered
L
)"
echo nonsense >t.txt
echo end >>t.txt
like "no lesson: that is not known" "$(grade t.txt)" '^,,,0,,tampered,.*this is not a hand-in'
is "with --lesson it is" "$(grade --lesson 30 t.txt | sed 1d | cut -d, -f2,5 | tr '\n' ' ')" "30-hand,4 30-hand,3 30-hand,1 30-hand,1 30-hand,1 "
sed '/^> no/,$d' ada.txt >cut.txt
lesson ada cut.txt >/dev/null 2>&1 <<L
no
advance $start
lesson solve
L
is "a student continues a file that was cut off" "$(cat cut.txt)" "$(cat ada.txt)"

# ---- what reaches outside is refused, in the lesson and in the replay

sed 's/^> w$/> shell touch leak\
> save leak\
> dump csv stats leak\
> source leak\
> set policy .\/leak.so\
&/' ada.txt >t.txt
is "files, shell and plug-ins" "$(grade t.txt | cut -d, -f6 | sort | uniq -c | tr -s ' ' | tr '\n' ';')" " 4 ok; 1 status; 1 wrong;"
ok "none of them happened" [ ! -e leak ]
like "a lesson that runs programs cannot be handed in" "$(lesson ada shell.txt "$srcdir/lessons/12-policy.lesson" 2>&1 </dev/null)" \
	'lesson 12-policy cannot be handed in: it runs programs \(shell\)'
ok "and there is no file" [ ! -e shell.txt ]
printf 'shell touch leak\nif 1\nshell touch leak\nend\neval "shell touch %%s", "leak"\nset policy ./leak.so\n' | lesson dan dan.txt >out 2>&1
is "in the lesson, too" "$(grep -c 'not allowed in a lesson that is handed in' out)" 4
ok "nor there" [ ! -e leak ]

# ---- changed while it ran

cat >data/ctascope/lessons/31-live.lesson <<'L'
lesson: 31-live
title: Live
session: -c small.machine -p dyncta small.ctr

# One
@task Go to cycle 6,000.
  check: $cycle == 6000
  solve: advance 6000
L
result() { sed -n 's/^task 1: //p' "$1"; }
printf 'advance 6000\n' | lesson flo plain.txt 31 >/dev/null 2>&1
printf 'advance 3000\nset dyncta.t_mem_h 30\nadvance 6000\n' | lesson flo stopped.txt 31 >/dev/null 2>&1
# As a front end records it: the change took effect after cycle 3,000 of the run.
lesson flo live.txt 31 </dev/null >/dev/null 2>&1
sed -i '$d' live.txt
printf '> advance 6000\n+ 3000 set dyncta.t_mem_h 30\nend\n' >>live.txt
lesson flo live.txt 31 </dev/null >/dev/null 2>&1
is "a change during a run is made again at its cycle" "$(result live.txt)" "$(result stopped.txt)"
ok "and it changes something" [ "$(result plain.txt)" != "$(result stopped.txt)" ]
is "it stays in the file" "$(grep -n '^+' live.txt | cut -d: -f2)" '+ 3000 set dyncta.t_mem_h 30'
is "and is graded" "$(grade live.txt | sed -n 2p)" 'flo,31-live,task 1,1,1,ok,'
sed 's/^+ 3000/+ 5990/' live.txt >t.txt
is "another cycle is another run" "$(grade t.txt | sed -n 2p | cut -d, -f6)" tampered
sed 's/^> advance 6000/&\
+ 3000 lesson solve\
+ 3000 advance 5000/' plain.txt >t.txt
is "what cannot be typed during a run is ignored there" "$(grade t.txt | sed -n 2p)" 'flo,31-live,task 1,1,1,ok,'
is "a change before any line is, too" "$(sed 's/^> advance 6000/+ 5 set dyncta.t_mem_h 30\
&/' plain.txt >t.txt && grade t.txt | sed -n 2p)" 'flo,31-live,task 1,1,1,ok,'

# ---- limits

sed 's/^> 1$/> while 1\
> set $i = 1\
> end\
&/' ada.txt >t.txt
is "processor time; what came before counts" "$(grade --seconds 1 t.txt | cut -d, -f3,4,6)" "item,points,status
task 1,3,ok
question 2,0,timeout
question 3,0,timeout
task 4,0,timeout
task 5,0,timeout"
is "cycles" "$(grade --cycles 4000 ada.txt | cut -d, -f6 | sort -u)" "status
timeout"
like "and the note" "$(grade --cycles 4000 ada.txt)" 'more than 4000 cycles'

# ---- stale

cp -r data stale
echo '# Third' >>stale/ctascope/lessons/30-hand.lesson
is "the lesson has changed" "$(XDG_DATA_HOME=$tmp/stale grade ada.txt | cut -d, -f6,7 | sort -u)" "stale,the lesson has changed since
status,note"
cp small.machine kept
echo 'set mem.dram_latency 11' >>small.machine
is "the machine has changed" "$(grade ada.txt | cut -d, -f6,7 | sort -u)" "stale,the machine has changed since
status,note"
mv kept small.machine
is "another build, whose digests differ" "$(sed 's/^build: .*/build: 0000000000000000/; /^task 1/s/digest ..../digest 0000/' ada.txt >t.txt
	grade t.txt | sed -n 2p)" "ada,30-hand,task 1,0,4,stale,not the digest of the replay"
rm data/ctascope/lessons/30-hand.lesson
like "no such lesson" "$(grade ada.txt)" "^ada,30-hand,,0,,stale,\"?no lesson '30-hand'"
cp stale/ctascope/lessons/30-hand.lesson x.lesson
sed -i '$d' x.lesson
is "a lesson by name" "$(grade --lesson ./x.lesson ada.txt | cut -d, -f6 | sort | uniq -c | tr -s ' ' | tr '\n' ';')" " 4 ok; 1 status; 1 wrong;"

# ---- a class

files=40
[ "${FAST:-}" != 1 ] || files=10
for i in $(seq $files); do cp ada.txt "h$i.txt"; done
is "$files files" "$(grade --lesson ./x.lesson h*.txt | grep -c ',ok,')" $((4 * files))
ok "a file that is not there is status 1, after the others" sh -c "'$CTASCOPE' grade --lesson ./x.lesson nosuch ada.txt >out 2>/dev/null; [ \$? = 1 ] && grep -q ',ok,' out"
cp stale/ctascope/lessons/30-hand.lesson data/ctascope/lessons
said=$(ulimit -f 0 && "$CTASCOPE" lesson -b -n --student ada --hand-in full.txt 30 2>&1 >/dev/null </dev/null)
is "a full disk is status 1" "$?" 1
like "and said" "$said" "cannot write 'full.txt': File too large"
echo precious >precious.txt
like "a file that is no hand-in is left alone" "$(lesson ada precious.txt 2>&1 </dev/null; cat precious.txt)" 'precious.txt:1: expected .*this is not a hand-in|precious'
is "and as it was" "$(cat precious.txt)" precious
ok "--hand-in alone is status 2" sh -c "'$CTASCOPE' lesson --hand-in x 30 2>/dev/null; [ \$? = 2 ]"
done_testing
