#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# quiz.t - the answers of a quiz are what the run does: 100 seeds agree with `dump csv decisions`, others with the
# machine itself.
. "${srcdir:-.}/tests/tap.sh"
cd "$tmp" || exit 99
cp "$srcdir/tests/small/small.machine" .
"$builddir/tests/small/write_small" small.ctr || exit 99
quiz() { timeout 120 "$CTASCOPE" quiz -m small.machine "$@" small.ctr; }
run() { timeout 120 "$CTASCOPE" -b -n -c small.machine "$@" small.ctr; }

# ---- 100 seeds, policy dyncta

run -p dyncta -e run -e 'dump csv decisions d.csv' -e 'dump csv ctas c.csv' >/dev/null
for seed in $(seq 100); do quiz --json -s "$seed" -n 6 -k dyncta -l easy; done >json
# SEQ RULE CORE CYCLE OLD NEW ANSWER of each question
sed -n 's/.*"answer": "\([a-z]*\)", "cycle": \([0-9]*\), "core": \([0-9]*\), "seq": \([0-9]*\), "rule": "\([a-z-]*\)", "old": \([0-9]*\), "new": \([0-9]*\).*/\4 \5 \3 \2 \6 \7 \1/p' \
	json >asked
is "100 seeds, 6 questions each" "$(grep -c . asked)" 600
# The same of the decisions, from old and new.
awk -F, 'NR > 1 && $5 == "period" { key = $4; rule[key] = $10; core[key] = $6; cycle[key] = $2; v[key, $11] = $12 }
	END { for (k in rule) { o = v[k, "old"]; n = v[k, "new"]
		print k, rule[k], core[k], cycle[k], o, n, (n > o ? "up" : n < o ? "down" : "stays") } }' d.csv | sort >decided
is "every answer is that of dump csv decisions" "$(sort -u asked | comm -23 - decided)" ""
is "many decisions are asked about" "$(sort -u asked | grep -c . | sed 's/^[0-9]\{3\}$/hundreds/')" hundreds
# The facts decide: a student who knows DYNCTA's rules and nothing else comes to the answer.
decide='{
	gsub(/,/, "", $0)
	split($0, f, "|"); n = f[1]; most = f[2]; mem = f[3]; idle = f[4]; answer = f[5]
	if (grows) { mem *= grows; idle *= grows }
	move = idle >= 16 || mem < 20 ? "up" : mem >= 60 ? "down" : "stays"
	if ((move == "up" && n == most) || (move == "down" && n == 1)) move = "stays"
	if (move != answer) print
}'
facts='s/.*: n \([0-9]*\) of \([0-9]*\), C_mem \([0-9,]*\)[^C]*C_idle \([0-9,]*\).*"answer": "\([a-z]*\)".*/\1|\2|\3|\4|\5/p'
is "the facts of every question decide it" "$(sed -n "$facts" json | awk "$decide" | sort -u)" ""
is "all of them were looked at" "$(sed -n "$facts" json | grep -c .)" 600
for seed in $(seq 20); do quiz --json -s "$seed" -n 6 -k dyncta -o dyncta.period=2048 -l normal; done >json.normal
is "also 512 cycles before" "$(sed -n "$facts" json.normal | awk "$decide" | sort -u)" ""
for seed in $(seq 20); do quiz --json -s "$seed" -n 6 -k dyncta -o dyncta.period=2048 -l hard; done >json.hard
is "a hard one by extrapolation" "$(sed -n "$facts" json.hard | awk -v grows=2 "$decide" | sort -u)" ""
like "and it says so" "$(quiz -c -s 1 -l hard -k dyncta | sed -n '2,3p' | tr '\n' ' ')" '^Extrapolate: assume that each counter'
like "the others, too" "$(quiz -c -s 1 | sed -n '2,3p' | tr '\n' ' ')" '^Decide by the values shown'
# A CTA was issued to the core before the decision, and ended after it.
is "no core without a CTA" "$(awk -F, 'NR == FNR { if (FNR > 1) { n++; on[n] = $5; from[n] = $8; to[n] = $9 == "" ? 1e18 : $9 } next }
	{ split($0, q, " "); found = 0
	  for (i = 1; i <= n; i++) found += on[i] == q[3] && from[i] < q[4] && to[i] >= q[4]
	  if (!found) print }' c.csv asked)" ""
# Stratified: a draw of 6 takes every answer as often as any other, and all rules.
rules=$(cut -d' ' -f2 asked | sort -u | grep -c .)
is "each quiz takes all answers evenly" "$(awk '{ n[int((NR - 1) / 6), $7]++ }
	END { for (i = 0; i < 100; i++) if (n[i, "up"] != 2 || n[i, "down"] != 2 || n[i, "stays"] != 2) print i }' asked)" ""
is "and all rules" "$(awk -v rules="$rules" '{ if (!seen[int((NR - 1) / 6), $2]++) n[int((NR - 1) / 6)]++ }
	END { for (i in n) if (n[i] != (rules < 6 ? rules : 6)) print i, n[i] }' asked)" ""
is "although most decisions have one rule" "$(cut -d' ' -f2 decided | sort | uniq -c | sort -rn |
	awk '{ n += $1; if (NR == 1) most = $1 } END { print (most / n > 0.3) }')" 1
is "the same seed, the same quiz" "$(quiz -c -s 7)" "$(quiz -c -s 7)"
ok "another seed, another quiz" sh -c "[ '$(quiz -c -s 7 | cksum)' != '$(quiz -c -s 8 | cksum)' ]"
like "it has a name" "$(quiz -c -s 7 | sed 1q)" '^quiz 7-[0-9a-f]{16}: small.ctr on small.machine, policy dyncta, warp scheduler lrr, normal$'
ok "which the machine changes" sh -c "[ '$(quiz -c -s 7 -o mem.dram_latency=20 | sed 1q)' != '$(quiz -c -s 7 | sed 1q)' ]"

# ---- how early, and with thresholds or without

left() { quiz --json -s 1 -n 40 -l "$1" -o dyncta.period=2048 | sed -n 's/.*, \([0-9,]*\) cycles left.*/\1/p' | sort -u; }
is "easy" "$(left easy)" 128
is "normal" "$(left normal)" 512
is "hard" "$(left hard)" 1,024
like "thresholds" "$(quiz -c -s 1 | grep '^1\. ')" 'C_mem [0-9,]+ \(t_mem_l 20, t_mem_h 60\), C_idle [0-9,]+ \(t_idle 16\)'
is "none in a hard one" "$(quiz -c -s 1 -l hard | grep '^[0-9]\. .*t_mem')" ""

# ---- other kinds

like "which credit" "$(quiz -c -s 1 -n 9 -k claso)" 'which rule decides: 1 local-credit, 2 global-credit'
like "which rule of the GPU" "$(quiz -c -s 1 -n 9 -k dyncore -o dyncore.period=256 -o dyncore.t_act=250)" '1 act-low or 2 act-high\?'
like "memory bound" "$(quiz -c -s 1 -n 9 -k tcs -o tcs.mon_cycle=256 -o tcs.thr=1 -o tcs.monitor=4000)" 'which rule decides'
like "how many cores" "$(quiz -c -s 1 -n 9 -k onac -o onac.waves=1)" 'rule first-estimate, .*how many cores does it estimate\?'
is "with answers that are those of the run" \
	"$(quiz --json -s 1 -n 50 -k onac -o onac.waves=1 | sed -n 's/.*"answer": "\([0-9]*\)", "cycle": \([0-9]*\), "seq": \([0-9]*\).*/\3 \2 \1/p' | sort)" \
	"$(run -p onac -o onac.waves=1 -e run -e 'dump csv decisions e.csv' >/dev/null
	awk -F, '$5 == "estimate" && $11 == "estimate" { print $4, $2, $12 }' e.csv | sort)"

# N: the machine of the question, asked for its N.
quiz -c -s 3 -n 6 -k occupancy | sed 's/\([0-9]\),\([0-9]\)/\1\2/g' >n.txt
is "every N is the machine's" "$(sed -n '/^[0-9]\. /{
	s/.*with \([0-9]*\) threads, \([0-9]*\) registers, \([0-9]*\) bytes of shared memory, \([0-9]*\) CTA slots; kernel \([0-9]*\).*/\1 \2 \3 \4 \5/
	N
	s/\n *answer: / /p
	}' n.txt | while read -r threads registers shmem slots kernel n; do
	got=$(run -o core.threads="$threads" -o core.registers="$registers" -o core.shmem="$shmem" -o core.max_ctas="$slots" \
		-o gpu.balance=off -e "until kernel.ordinal == $kernel" -e 'print kernel.n_max' |
		sed -n 's/^kernel.n_max = //p')
	[ "$got" = "$n" ] || echo "$threads $registers $shmem $slots kernel $kernel: $n, not $got"
done)" ""
is "of which there are 6" "$(grep -c '^   answer' n.txt)" 6
like "the limiter is named" "$(cat n.txt)" 'N is [0-9]+, limited by (threads|registers|slots)'

# Class: the counter of the class grows in that cycle.
quiz --json -s 5 -n 8 -k class | sed -n 's/.*"answer": "\([a-z]*\)", "cycle": \([0-9]*\), "core": \([0-9]*\).*/\1 \2 \3/p' >class
is "8 cycles" "$(grep -c . class)" 8
is "each has that class" "$(while read -r cls cycle core; do
	run -p rr -e "advance $((cycle - 1))" -e "set \$was = core.$core.$cls" -e "advance $cycle" \
		-e "print core.$core.$cls - \$was" | grep -q '= 1$' || echo "$cls $cycle $core"
done <class)" ""

# ---- asked, as a sheet, and what is none

quiz -c -s 7 -n 3 | sed -n 's/^   answer: //p' >right
{
	sed -n 1p right
	echo perhaps
	sed -n 2p right
} | quiz -s 7 -n 3 >out
is "an answer is judged, one that is none is asked for again, and the end of input is the end" \
	"$(grep -E '^>|^score' out | tr '\n' '|')" ">    right|>    expected 1 up, 2 down or 3 stays|>    right|> |score: 2 of 2|"
quiz --sheet -s 7 -n 3 >out
is "the sheet is 80 columns wide" "$(awk 'length($0) > 80' out)" ""
like "the sheet explains its terms" "$(cat out)" 'C_mem +cycles of the period so far in which the core'
like "the key says why" "$(sed '1,/\f/d' out)" 'decided by dyncta, rule [a-z-]+'
is "the sheet has no answers" "$(sed '/\f/,$d' out | grep -c 'answer:\|decided by')" 0
is "the key has them" "$(sed -n '/\f/,$s/^   answer: //p' out)" "$(cat right)"
like "no such policy" "$(quiz -k nosuch 2>&1)" "unknown policy 'nosuch'"
like "not in the stack" "$(quiz -k tcs -p dyncta 2>&1)" "-k tcs: the stack dyncta has no such policy"
like "nothing to ask" "$(quiz -p rr 2>&1)" 'nothing to ask about'
ok "no workload is status 2" sh -c "'$CTASCOPE' quiz 2>/dev/null; [ \$? = 2 ]"

# ---- at the prompt: the period that is running

cat >do <<'L'
advance 5600
core 3
quiz
s
down
quiz
print core.3.n
down
quiz now
set policy rr
quiz
L
run -p dyncta --keep-going -x do >out 2>&1
is "at the prompt" "$(cat out)" "$(cat <<'L'
stopped: cycle 5,600
cycle 5,600, core 3: n 2 of 4, C_mem 79 (t_mem_l 20, t_mem_h 60), C_idle 3 (t_idle 16), 4 warps wait for memory, 37 cycles left: what does n do: 1 up, 2 down or 3 stays?
not decided yet: C_idle may still reach t_idle 16; the pane period shows how it grew
  (type your answer; 'hint' shows the rules that determine it)
stopped: cycle 5,601
ctascope: do:5: unknown command 'down': there is no call stack; 'core N' and 'warp N' move the focus, 'list' shows where its warps are
cycle 5,601, core 3: n 2 of 4, C_mem 80 (t_mem_l 20, t_mem_h 60), C_idle 3 (t_idle 16), 4 warps wait for memory, 36 cycles left: what does n do: 1 up, 2 down or 3 stays?
not decided yet: C_idle may still reach t_idle 16; the pane period shows how it grew
  (type your answer; 'hint' shows the rules that determine it)
core.3.n = 2
right: down
period, core 3, cycle 5,637: C_mem 102 >= t_mem_h 60, limit 2 -> 1
  decided by dyncta, rule mem-high
  c_mem      102
  t_mem_h    60
  old        2
  new        1
  otherwise  with c_mem <= 59 (43 less), or t_mem_h >= 103, this rule would not have applied
  weighed    C_mem 102 cycles, t_mem_l 20, t_mem_h 60
  weighed    C_idle 3 cycles, t_idle 16
score: 1 of 1
ctascope: do:9: quiz: expected nothing or off, found 'now'
policy dyncta -> rr: kept the resident CTAs, all counters; lost the state of dyncta; rr starts as at a kernel launch
ctascope: do:11: quiz: policy rr has no period that is running
L
)"
run -p dyncta --keep-going -e 'core 3' -e 'advance 5600' -e quiz -e hint -e 4 -e 2 >out 2>&1
is "hint gives the rules, their order and what they do to n" "$(sed -n '/^dyncta: /,/^ctascope/p' out)" "$(cat <<'L'
dyncta: the first of these rules that holds decides what n does
  core-off     the core is paused or off: stays
  no-cta       the core holds only CTAs of other kernels: stays
  idle         C_idle >= t_idle: up
  mem-low      C_mem < t_mem_l: up
  mem-high     C_mem >= t_mem_h: down
  keep         t_mem_l <= C_mem < t_mem_h: stays
where n is N or 1, or a paused CTA comes first, n stays by one of these:
  idle-at-max, mem-low-at-max, mem-high-at-min, idle-paused, mem-low-paused
ctascope: the quiz expects 1 up, 2 down or 3 stays
L
)"
like "a choice is named by the number before it" "$(cat out)" '^right: down'
for k in class occupancy claso; do echo hint | quiz -s 1 -n 1 -k $k; done >out
like "a hint says what each class counts" "$(cat out)" '^> +memory: cycles in which no warp was ready'
printf 'help occupancy\nexplain C_mem\nhelp nosuch\nhelp\nup\n' | quiz -s 1 -n 1 >terms 2>&1
like "a term is explained in a quiz" "$(cat terms)" '^> +term occupancy'
like "also by explain" "$(cat terms)" '^> +term C_mem'
like "an unknown one is an error" "$(cat terms)" "^> .*unknown command 'nosuch'"
like "help alone says what may be typed" "$(cat terms)" "help TERM', as in: help C_mem"
like "and none is an answer" "$(cat terms)" '^score: . of 1'
like "how N comes about" "$(cat out)" '^> +N is the smallest'
like "and when each of the rules applies" "$(cat out)" '^ +no-local-credit local credits old -> new: none left'
run -p dyncta -e 'break 5610' -e 'core 3' -e 'advance 5600' -e quiz -e up >out 2>&1
is "a stop within the period voids the question" "$(tail -n 2 out)" "stopped: cycle 5,610
this came before the period ended at cycle 5,637, so the question does not count"
run -p dyncta --keep-going -e 'core 3' -e 'advance 5600' -e quiz -e 'quiz off' -e down -e 'quiz off' >out 2>&1
is "off drops the question" "$(tail -n 3 out | sed 's,: there is.*,,')" "the question is dropped; it does not count
ctascope: unknown command 'down'
ctascope: quiz off: no question is open"
like "what is still open is said" "$(run -p dyncta -e 'core 3' -e 'advance 5200' -e quiz)" 'not decided yet: .* may still reach t_'
done_testing
