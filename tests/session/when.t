#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# when.t - who changed, first, why not at: the answers are those that a run with a watch, or step by step, gives; and
# one stands afterwards where one stood, with the stops as they were.
# shellcheck disable=SC2086 # $small is words
. "${srcdir:-.}/tests/tap.sh"
cd "$tmp" || exit 99
cp "$srcdir/tests/small/small.machine" .
"$builddir/tests/small/write_small" small.ctr || exit 99
small='-c small.machine -p dyncta+claso small.ctr'
m() { timeout 60 "$CTASCOPE" -n -b $small "$@" >out 2>err; }

for at in 1000 2500 4001 5120; do
	for name in core.1.n core.2.running core.*.n kernel.ctas_done credits.global 'core.0.n<4'; do
		m -e "advance $at" -e "who changed $name"
		cp out asked
		m -e "advance $((at + 1))" -e "watch $name" -e 'reverse-continue'
		# the watch's own answer, and the decision behind it
		want=$(sed -n "s/^stopped: \\(watch .*, cycle .*: .* -> .*\\)/\\1/p" out | tail -n 1)
		is "who changed $name, at $at: as reverse-continue with a watch" \
			"$(grep '^watch' asked)" "$want"
	done
done
m -e 'advance 3000' -e 'watch core.1.n' -e 'reverse-continue' -e why
sed 1,2d out >watched
m -e 'advance 3000' -e 'who changed core.1.n'
sed 1,2d out >asked
ok "with the decision that did it" cmp asked watched
like "which is told with its rule" "$(cat asked)" 'decided by dyncta, rule'
m -e 'advance 3000' -e 'last-change core.1.n'
sed 1,2d out >alias
ok "last-change is the same" cmp asked alias
m -e 'advance 3000' -e 'last-change changed core.1.n'
sed 1,2d out >alias
ok "with the word that belongs to its other name as well" cmp asked alias
m -e 'step 100' -e 'versus rr'
grep -v 'cycles/s' out >asked
m -e 'step 100' -e 'race rr'
grep -v 'cycles/s' out >alias
ok "race takes policy stacks as versus does" cmp asked alias
like "and races them" "$(cat asked)" 'rr'
m -e 'step 100' -e 'fork rr' -e 'step 50' -e 'race rr main'
like "a name that is a branch's is no policy" "$(cat out)" '^ *main '
m -e 'step 100' -e 'fork rr' -e 'versus rr'
grep -v 'cycles/s' out >alias
ok "which versus takes for a policy all the same" sh -c 'tail -n 3 asked >a; tail -n 3 alias >b; cmp a b'
m -e 'watch core.1.n' -e run -e continue -e 'print $cycle' -e 'who changed core.1.n'
is "at a watch that just changed it is this cycle" "$(grep -c "^$(sed -n 's/^stopped: //p' out | tail -n 1)\$" out)" 1
m -e 'advance 3000' -e 'who changed 7'
like "what never changes" "$(cat err)" '^ctascope: 7 is a number, which never changes'
m -e 'who changed core.1.n'
like "at the start" "$(tail -n 1 out)" '^core.1.n is [0-9]+, as at the start$'

m -e 'break pause core 2' -e 'trace limit' -e 'display core.2.n' -e run -e 'info breakpoints' -e 'info digest' -e why -e 'info timeline'
sed '/snapshots/d' out >before
m -e 'break pause core 2' -e 'trace limit' -e 'display core.2.n' -e run -e 'who changed core.3.n' -e 'first core.3.n<6' \
	-e 'why not core 1 at 100' -e 'info breakpoints' -e 'info digest' -e why -e 'info timeline'
sed '/snapshots/d' out >after
ok "afterwards everything is as it was" sh -c "tail -n $(($(wc -l <before) - 2)) before >b; tail -n $(($(wc -l <before) - 2)) after | cmp - b"

for e in 'core.1.n > 4' 'kernel.ctas_done >= 20' 'gpu.ctas_issued > 20' 'core.0.n + core.1.n > 9' '$kernel == 2'; do
	m -e "until $e" -e 'print $cycle'
	want=$(sed -n 's/^\$cycle = //p' out)
	m -e 'advance 7000' -e "first $e"
	is "first $e: as until from the start" "$(tail -n 1 out | tr -d ,)" "cycle $want: $e"
done
m -e 'advance 2000' -e 'first $cycle >= 0'
is "at the very start" "$(tail -n 1 out)" 'cycle 0: $cycle >= 0'
m -e 'advance 2000' -e 'first kernel.ctas_done > 10000'
is "never" "$(tail -n 1 out)" 'kernel.ctas_done > 10000: never, up to cycle 2,000'
m -e 'advance 700' -e 'why not core 1'
want=$(tail -n 1 out)
m -e 'advance 3000' -e 'why not core 1 at 700'
is "why not at a cycle: as there" "$(tail -n 1 out)" "$want"
m -e 'advance 2000' -e 'why core 2'
sed 1d out >want
m -e 'advance 3000' -e 'why core 2 at 2000'
ok "why core at a cycle: what it waited for, and the last decision there was then" sh -c 'sed 1d out | cmp - want'
ok "which begins with the core" grep -q '^core 2 .* at cycle 2,000: .* warps' want
m -e 'advance 500' -e 'why core 1 at 0'
like "no decision before it" "$(cat err)" 'no decision of core 1 was taken yet'
like "but what the core did" "$(cat out)" 'core 1 issues nothing at cycle 0: it holds no CTA'
m -e 'advance 2500' -e 'why cta 30' -e 'dump csv events events.csv'
is "why cta: every event of it" "$(sed -n 's/^  \([a-z-]*\), core [0-9]*, cycle \([0-9,]*\):.*/\1 \2/p' out | tr -d ,)" \
	"$(awk -F, '$8 == 30 { print $5, $2 }' events.csv)"
m -e 'continue' -e 'dump csv events events.csv' -e 'why cta 5 kernel 2' -e 'why cta 5 kernel 1'
is "of the kernel asked for" "$(sed -n 's/^CTA 5 of kernel //p' out | tr '\n' ' ')" \
	"2, events kept: $(awk -F, '$3 == 2 && $8 == 5' events.csv | wc -l) 1, events kept: $(awk -F, '$3 == 1 && $8 == 5' events.csv | wc -l) "
m -e 'advance 1000' -e 'set dyncta.t_mem_h 30' -e 'advance 2000' -e 'goto 500' -e 'set policy rr' -e 'step 3000' -e 'goto 1500' \
	-e 'who changed core.1.n' -e 'show policy' -e 'show dyncta.t_mem_h'
is "on a branch, under its choices" "$(tail -n 2 out | tr '\n' ' ')" 'rr dyncta.t_mem_h = 60 '

# ---- what a warp waits for

p() { CTASCOPE_DATADIR=$srcdir timeout 60 "$CTASCOPE" -n -b -m kayiran30 "$srcdir/traces/pair.ctr" -o gpu.concurrent_kernels=2 "$@" >out 2>err; }
p -e 'goto 60000' -e 'why warp 1.12' -e 'step 3000' -e 'why warp 1.12'
for n in 2 4; do
	like "a collector of its class: line $n" "$(sed -n "${n}p" out)" 'waits for R4: 0000 FFMA R4, .*, has read its registers and waits in an operand collector until the slot before the SP pipe is free; core 1 has issued [0-9,]+ instructions after it, because the general operand collectors have priority over those of its class'
done
after() { sed -n "${1}p" out | sed 's/.*issued \([0-9,]*\) instr.*/\1/' | tr -d ,; }
ok "in 3,000 cycles more of them went before it" test "$(after 4)" -gt "$(($(after 2) + 200))"
cp out there
p -e 'goto 64000' -e 'why warp 1.12 at 60000'
is "at a cycle: as there" "$(tail -n 1 out)" "$(sed -n 2p there)"
p -e 'goto 60000' -e 'why warp 1.20'
like "a warp that has only its EXIT left" "$(tail -n 1 out)" 'has issued its last instruction; 0020 EXIT has read its registers'
p -o core.simt_width=32 -e 'goto 5000' -e 'why warp 1.31' -e 'why warp 1.12'
like "memory, or free" "$(tail -n 1 out)" 'waits for R10, whose load is in the load/store unit or in memory$'
m -e 'why warp 0.0'
is "before anything runs" "$(tail -n 1 out)" 'warp 0.0 at cycle 0 is free: no CTA on this core uses it'

# ---- mistakes

bad() { # name, pattern, commands
	m -e 'step 500' -e "$2"
	like "$1" "$(cat err)" "$3"
}
bad "no word" 'who' 'an argument is missing'
bad "another word" 'who did it' "who: expected 'changed' and an expression, as in: who changed core.0.n"
bad "no expression" 'who changed' "who: expected 'changed' and an expression"
bad "an unknown name" 'who changed core.1.nn' "core.1.nn"
bad "first of nothing known" 'first bla' "unknown"
bad "a cycle to come" 'why not core 1 at 90000' 'cycle 90,000 has not run yet: the run has reached cycle 500'
bad "no cycle" 'why not core 1 at noon' "why not: expected a cycle after 'at', found 'noon'"
bad "no cycle for why" 'why core 1 at noon' "why: expected a cycle after 'at', found 'noon'"
bad "no warp" 'why warp 3' "why warp: expected core.warp such as 3.12, found '3'"
bad "no such warp" 'why warp 0.99' 'no warp 0.99: cores are 0'
bad "no CTA" 'why cta' 'why cta: expected a CTA number'
bad "no such CTA yet" 'why cta 95' 'CTA 95 has not been issued yet'
bad "no kernel" 'why cta 3 kernel 0' 'why cta: no kernel 0: this trace has kernels'
done_testing
