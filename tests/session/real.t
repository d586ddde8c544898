#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# real.t - the prompt on the real machine: what must hold whatever its timing is. A small workload of
# loads is written here; numbers of cycles are never expected, only compared with each other.
. "${srcdir:-.}/tests/tap.sh"
c=${CTASCOPE:-${builddir:-.}/ctascope}
w=$tmp/loads.traceg

"${AWK:-awk}" -v ctas=90 -v warps=4 -v loads=12 -v apart=4096 \
	-f "${srcdir:-.}/tests/loads.awk" >"$w"

run() { "$c" -b -n "$w" "$@" 2>&1 </dev/null; }
p='-p dyncta:period=256,t_mem_h=60,t_mem_l=20+claso'

# shellcheck disable=SC2086 # $p is two words
{
end=$(run $p -e run -e 'info digest' | tail -n 1)
like "a run has a digest" "$end" '^[0-9a-f]{16}$'
is "the same again" "$(run $p -e run -e 'info digest' | tail -n 1)" "$end"
is "from the start in the same session" "$(run $p -e run -e run -e 'info digest' | tail -n 1)" "$end"
is "in steps" "$(run $p -e 'step 100' -e 'step 3 event' -e next -e 'step 2 cta' -e 'step 1' -e 'until pause' \
	-e finish -e 'info digest' | tail -n 1)" "$end"
is "with watches and tracepoints" "$(run $p -e 'trace period' -e 'watch core.0.n' -e 'ignore 2 1000' -e run \
	-e 'info digest' | tail -n 1)" "$end"
is "by way of a checkpoint" "$(run $p -e 'advance 700' -e 'checkpoint a' -e 'step 900' -e 'restore a' -e finish \
	-e 'info digest' | tail -n 1)" "$end"
is "a checkpoint taken under another policy" "$(run $p -e 'advance 700' -e 'checkpoint a' -e 'set policy rr' \
	-e 'step 300' -e 'restore a' -e finish -e 'info digest' | tail -n 1)" "$end"
is "without skipping idle cycles" "$(run $p -o run.skip=off -e run -e 'info digest' | tail -n 1)" "$end"
is "switched in the middle" "$(run $p -e 'step 500' -e 'set skip off' -e finish -e 'info digest' | tail -n 1)" "$end"

out=$(run $p -e 'break pause' -e run -e why)
like "a pause is told with its numbers" "$out" \
	'^stopped: pause, core [0-9]+, cycle [0-9]+: C_mem [0-9]+ >= t_mem_h 60, limit [0-9]+ -> [0-9]+, paused CTA [0-9]+'
like "and why says what would have changed it" "$out" '^  otherwise  with .*, this rule would not have applied$'
like "why not names one constraint" "$(run $p -e 'step 400' -e 'why not core 3')" '^core 3 takes (no CTA \([a-z ]+\)|CTAs): .+'
like "credits are spent" "$(run $p -e 'until credit')" '^stopped: credit, core 0, cycle [0-9]+: .*credit'
like "and may run out" "$(run $p -e 'until credit-exhausted')" '^(stopped: credit-exhausted, core|done: )'
like "until converged ends" "$(run $p -e 'until converged')" '^(stopped: converged|done: )'
is "every CTA is issued and ends" "$(run $p -e run -e 'assert gpu.ctas_issued == 90' -e 'assert gpu.ctas_done == 90' -e 'print 1' | tail -n 1)" "1 = 1"
is "cycles by class add up" "$(run $p -e 'step 1000' -e 'assert core.4.active + core.4.stall + core.4.memory + core.4.dependence + core.4.idle + core.4.gated == $cycle' -e 'print 1' | tail -n 1)" "1 = 1"
is "an option may change in a run, to the point of the next decision" \
	"$(run $p -e 'step 10' -e 'set t_mem_h 61' -e 'until limit if $t_mem_h == 61' | grep -c '>= t_mem_h 61')" 1

out=$(run $p -e run -e 'dump csv stats -')
for name in gpu.cycles gpu.thread_insts gpu.warp_insts gpu.ipc gpu.ract gpu.util gpu.lat_rt gpu.ctas_issued \
	gpu.ctas_done gpu.idle_cycles l1.accesses l1.misses l2.accesses l2.misses dram.reads dram.writes \
	power.avg power.energy power.edp power.static power.dynamic power.core_rel power.core_rel_pcpg power.efficiency \
	power.insts_per_watt power.insts_per_watt_pcpg power.e_dram sim.cycles_per_second; do
	like "dump csv stats has $name" "$out" "^$name,[0-9.]+(e-?[0-9]+)?,"
done
is "no name twice" "$(printf '%s\n' "$out" | grep , | cut -d, -f1 | sort | uniq -d)" ""
for table in series cores ctas events decisions warps mem; do
	run $p -e 'step 2000' -e "dump csv $table $tmp/$table.csv" >"$tmp/log"
	like "dump csv $table" "$(head -n 1 "$tmp/$table.csv")" '^run,cycle,kernel,'
done
is "the same bytes every time" "$(run $p -e 'step 2000' -e 'dump csv series -' -e 'dump csv decisions -' | cksum)" \
	"$(run $p -e 'step 1000' -e 'step 1000' -e 'dump csv series -' -e 'dump csv decisions -' | grep -v '^stopped: cycle 1,000' | cksum)"
}

# Every topic of info and every kind of step on the real machine, at the start, in the middle, at the end.
for at in 'print 0' 'step 300' run; do
	for topic in gpu cores core ctas warps warp credits gates policy kernel mem noc power stats events breakpoints \
		checkpoints digest display trace; do
		run -e "$at" -e "info $topic" >"$tmp/out" 2>&1
		is "info $topic after $at" "$?" 0
	done
done
run -o run.max_cycles=100 -e run >"$tmp/out"
is "a limit has status 4" "$?" 4
like "list shows the kernel" "$(run -e 'step 300' -e 'list all')" 'LDG.E.SYS'

# The screens of a terminal are tested elsewhere; here only that the program has one.
like "the version" "$("$c" --version)" '^ctascope [0-9]'
like "policies are listed" "$("$c" --list-policies)" '^dyncta '
"$c" -n --print-config -p dyncta:period=100 -o l1d.assoc=8 >"$tmp/config"
is "a printed configuration comes back" "$("$c" -n --print-config -c "$tmp/config")" "$(cat "$tmp/config")"
is "and is what it says" "$("$c" -n -b -c "$tmp/config" "$w" -e 'show policy' -e 'show dyncta.period' -e 'show l1d.assoc')" \
	"dyncta:period=100
dyncta.period = 100
l1d.assoc = 8"
"$c" convert "$w" "$tmp/loads.ctr"
is "convert" "$?" 0
is "a converted trace runs alike" "$("$c" -b -n $p "$tmp/loads.ctr" -e run -e 'info digest' | tail -n 1)" "$end"
like "trace info" "$("$c" trace info "$tmp/loads.ctr")" 'loads'
"$c" trace check "$tmp/loads.ctr" >"$tmp/out"
is "trace check" "$?" 0
is "trace dump of one warp" "$("$c" trace dump "$tmp/loads.ctr" 1 0 2 | grep -c 'LDG')" 12
printf 'damaged' | dd of="$tmp/loads.ctr" bs=1 seek=300 conv=notrunc 2>/dev/null
"$c" -b -n "$tmp/loads.ctr" >"$tmp/out" 2>&1
is "a damaged trace is an error" "$?" 1
names=$("$c" --list-options | sed -n 's/^gpu\.warp_sched  *[a-z]*  *\([a-z|]*\) .*/\1/p')
like "warp schedulers are listed" "$names" '^lrr[|]gto[|]'
is "--help names them all" "$("$c" --help | sed -n 's/.*warp scheduler: //p' | sed 's/, or .*//; s/, / or /g; s/ or /|/g')" "$names"
for name in $(echo "$names" | tr '|' ' '); do
	is "--warp-sched $name is one, and every CTA ends" \
		"$(run -w "$name" -e 'show warp-sched' -e run -e 'print gpu.ctas_done' | sed '2d')" "$name
gpu.ctas_done = 90"
done
like "another is not" "$("$c" -b -n -w gtl "$w" 2>&1)" "unknown choice 'gtl', expected lrr, .*did you mean"
for key in run.sample run.samples run.events run.max_requests; do
	like "$key is fixed for a run" "$(run -e 'step 10' -e "set $key 8192" 2>&1)" "$key decides how much of the run is kept"
	is "and no list says else" "$("$c" --list-options | grep "^$key " | grep -c 'may change')" 0
done
is "run.skip may change" "$(run -e 'step 10' -e 'set run.skip off' -e 'show run.skip' | tail -n 1)" "run.skip = off"
like "and the list says so" "$("$c" --list-options)" '^run.skip .*may change'
is "the default machine is the file kayiran30, option by option" \
	"$("$c" -n --print-config)" "$("$c" -n -c kayiran30 --print-config)"
done_testing
