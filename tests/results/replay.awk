# SPDX-License-Identifier: GPL-3.0-or-later
# replay.awk - decides anew, from the tables of a run alone, what its policies had to decide, and prints where they did not.
#   awk -v policies="dyncta dyncore claso" -v cores=30 [-v listing=1] [-v bits=11] [-v pa=2 -v pl=1] [-v loss=0.02]
#       [-v thr=331 -v monitor=4096] -f replay.awk SERIES EVENTS
# SERIES: dump csv series, with run.sample = the period of 2,048 cycles; EVENTS: log events FILE; one kernel. The rules
# are written down again here, from the papers, with ctascope-model(7) where they are silent; no code is shared. The last
# line of the output has the numbers of what was compared.

function complain(what) {
	if (++wrong <= 5)
		print cycle ", core " core ": " what
}
function least(a, b) { return a < b ? a : b }
function most(a, b) { return a > b ? a : b }
function has(policy) { return index(" " policies " ", " " policy " ") }
# Kayiran et al., Algorithm 1: n after a period.
function next_n(n, c_mem, c_idle, resident) {
	if (bits) {
		c_mem %= 2 ^ bits
		c_idle %= 2 ^ bits
	}
	if (c_idle >= 16 || c_mem < 128)
		return listing && resident > n ? n : least(N, n + 1)
	return c_mem >= 384 ? most(1, n - 1) : n
}
# Exactly as many are paused as are resident beyond n (17.4). Asked of every core when time goes on.
function check_paused(    c) {
	if (!has("dyncta"))
		return
	for (c = 0; c < cores; c++) {
		core = c
		if (paused[c] + 0 != most(0, resident[c] - n[c]))
			complain(paused[c] + 0 " of " resident[c] " CTAs are paused, n is " n[c])
	}
}
# The place of the youngest running, or the oldest paused, CTA among those of a core, oldest first.
function find_cta(c, state,    i, found) {
	for (i = 1; i <= held[c]; i++)
		if (is_paused[c, i] == state) {
			found = i
			if (state)
				break
		}
	return found
}
function remove_cta(c, cta,    i, gone) {
	for (i = 1; i <= held[c]; i++) {
		if (gone) {
			list[c, i - 1] = list[c, i]
			is_paused[c, i - 1] = is_paused[c, i]
		} else if (list[c, i] == cta) {
			gone = 1
			paused[c] -= is_paused[c, i]
		}
	}
	held[c] -= gone
	resident[c] -= gone
}
function begin_kernel(text,    part) {
	ctas = number_before(text, "CTAs, N")
	match(text, /N [0-9]+/)
	N = substr(text, RSTART + 2, RLENGTH - 2) + 0
	for (core = 0; core < cores; core++) {
		n[core] = most(1, int(N / 2))
		local[core] = int((ctas + cores - 1) / cores) + pl
	}
	global = (ctas - 1) % cores + 1 + (pa - 1) * cores
}
# Yu et al., Algorithm 1: is the request of a core granted?
function grants(c) {
	local[c] = most(-1, local[c] - 1)
	if (local[c] >= pa + pl)
		return 1
	if (local[c] < 0)
		return 0
	global = most(-1, global - 1)
	return global >= 0
}
# Kayiran et al. 4.2: which cores have to be off, or empty themselves, after a period.
function check_states(    c, active, wanted, off) {
	for (c = 0; c < cores; c++)
		active += row_active[cycle, c]
	wanted = active < 40960 ? 8 : 0
	for (c = 0; c < cores; c++) {
		core = c
		checked["states"]++
		off = row_state[cycle, c] == 1 || row_state[cycle, c] == 4 # draining or off
		if (off != (c >= cores - wanted))
			complain("state " row_state[cycle, c] ", active cycles " active)
	}
}
function ceil(x,    i) {
	i = int(x)
	return i < x ? i + 1 : i
}
# The first number before a word: "48 CTAs ended" gives 48.
function number_before(text, word,    number) { # "2,607,488 thread"
	if (!match(text, "[0-9,]+ " word))
		return -1
	number = substr(text, RSTART, RLENGTH)
	gsub(/,/, "", number)
	return number + 0
}
# Zhu et al. IV.A, IV.B: the cores of the next sample, or 0 and N_opt, after one with x cores and an IPC of y.
function next_sample(x, y,    e) {
	last_x = this_x
	last_y = this_y
	this_x = x
	this_y = y
	if (++samples == 1) {
		ipc_thr = (1 - loss) * y
		return has("onac") ? 1 : x - 1
	}
	if (has("seqdet")) {
		n_opt = y < ipc_thr ? x + 1 : x
		return y < ipc_thr || x == 1 ? 0 : x - 1
	}
	n_opt = x
	if (samples > 2 && y >= ipc_thr)
		return 0
	if (samples == 2)
		e = most(2, ceil(ipc_thr / y))
	else if (y <= last_y)
		e = cores
	else
		e = most(x + 1, ceil(x + (ipc_thr - y) * (x - last_x) / (y - last_y)))
	n_opt = e = least(e, cores)
	return e == cores ? 0 : e
}
# Song et al. III: the cores begin as active (A); of half TCS the larger half, and the others off (O).
function begin_tcs(    c) {
	for (c = 0; c < cores; c++)
		role[c] = has("htcs") && c >= int((cores + 1) / 2) ? "O" : "A"
	reducing = tested = 0
}
function count_role(r,    c, k) {
	for (c = 0; c < cores; c++)
		k += role[c] == r
	return k + 0
}
function first_core(r,    c) {
	for (c = 0; c < cores && role[c] != r; c++)
		;
	return c
}
function last_core(r,    c) {
	for (c = cores - 1; c >= 0 && role[c] != r; c--)
		;
	return c
}
# Algorithm 1: is the core memory bound in this window?
function is_bound(c) {
	return row_amat[cycle, c] != "" && row_blocked[cycle, c] > 1024 && row_amat[cycle, c] > thr
}
# After the test of all active cores: which one has to be throttled, or -1.
function after_test(    c, bound, active) {
	active = count_role("A")
	for (c = 0; c < cores; c++)
		bound += role[c] == "A" && is_bound(c)
	if (has("htcs") && !tested++ && 2 * bound < active)
		for (c = 0; c < cores; c++)
			role[c] = "A"
	to_throttle = bound && 2 * bound >= active && active > 1 ? last_core("A") : -1
}
BEGIN {
	FS = ","
	if (!loss)
		loss = 0.02
	if (!pa)
		pa = 1
}
FNR == 1 {
	file++
	for (i = 1; i <= NF; i++)
		at[file, $i] = i
	next
}
file == 1 {
	k = $2 SUBSEP $at[1, "core"]
	row_mem[k] = $at[1, "c_mem_cycles"]
	row_idle[k] = $at[1, "c_idle_cycles"]
	row_n[k] = $at[1, "n_ctas"]
	row_state[k] = $at[1, "state"]
	row_blocked[k] = int($at[1, "blocked_ratio"] * $at[1, "span_cycles"] + 0.5)
	row_amat[k] = $at[1, "amat_cycles"]
	row_active[k] = int($at[1, "active_ratio"] * $at[1, "span_cycles"] + 0.5)
	next
}
{
	if ($2 != cycle)
		check_paused()
	cycle = $2
	core = $6
	checked[$5]++
}
$5 == "kernel" && $10 == "kernel-start" { begin_kernel($0) }
$5 == "kernel" && $10 == "kernel-start" { begin_tcs() }
$5 == "period" && $9 ~ /tcs$/ && core != "" && ($10 == "memory-bound") != is_bound(core) {
	complain("blocked for " row_blocked[cycle, core] " cycles, AMAT " row_amat[cycle, core] ": " $10)
}
$5 == "period" && $9 ~ /tcs$/ && core == "" {
	if (reducing)
		complain("a test after MONITOR")
	after_test()
}
$5 == "throttle" {
	if (core != to_throttle)
		complain("throttled, not core " to_throttle)
	role[core] = "T"
	to_throttle = -1
}
$5 == "phase" && $10 != "monitor" {
	if (!reducing && (!ended || cycle < monitor || to_throttle >= 0))
		complain("MONITOR ends after " ended + 0 " CTAs")
	reducing = 1
}
$5 == "gate" && $10 == "ran-out" {
	if (!reducing || role[core] != "A" || resident[core])
		complain("off, with " resident[core] " CTAs, role " role[core])
	role[core] = "O"
	next_core = first_core("T")
}
$5 == "unthrottle" {
	if (core != next_core)
		complain("active again, not core " next_core)
	role[core] = "A"
}
$5 == "cta-issue" && (has("tcs") || has("htcs")) {
	if (role[core] != "A" || (reducing && count_role("T")))
		complain("a CTA comes, role " role[core] ", " count_role("T") " throttled")
}
$5 == "period" && $9 == "dyncta" {
	if (!((cycle, core) in row_mem))
		next
	if (row_state[cycle, core] != 3 && row_state[cycle, core] != 4) # paused or off
		n[core] = next_n(n[core], row_mem[cycle, core], row_idle[cycle, core], resident[core])
	if (row_n[cycle, core] != n[core])
		complain("n is " row_n[cycle, core] ", not " n[core])
}
$5 == "period" && $9 == "dyncore" { check_states() }
$5 == "cta-issue" {
	if (resident[core] >= N)
		complain("a CTA beyond N")
	if (has("dyncta") && (paused[core] > 0 || resident[core] >= n[core]))
		complain("a CTA comes, n " n[core] ", " resident[core] " resident, " paused[core] + 0 " paused")
	if (has("claso") && !granted[core])
		complain("a CTA comes without a credit")
	granted[core] = 0
	resident[core]++
	list[core, ++held[core]] = $8
	is_paused[core, held[core]] = 0
}
$5 == "cta-done" {
	remove_cta(core, $8)
	ended++
}
$5 == "pause" || $5 == "resume" {
	i = find_cta(core, $5 == "resume")
	if (!i || list[core, i] != $8)
		complain($5 " of CTA " $8 ", not " list[core, i])
	else {
		is_paused[core, i] = $5 == "pause"
		paused[core] += $5 == "pause" ? 1 : -1
	}
}
$5 == "credit" || $5 == "credit-exhausted" {
	granted[core] = grants(core)
	if (granted[core] != ($5 == "credit"))
		complain("a credit, local " local[core] ", global " global ", is " (granted[core] ? "granted" : "refused") " here")
}
$5 == "sample-begin" {
	begun = $2
	ended = 0
	asked = samples ? wanted_cores : cores
	if (number_before($0, "of") != asked)
		complain(number_before($0, "of") " cores are sampled, not " asked)
}
$5 == "sample-end" {
	time = cycle - begun
	if (number_before($0, "CTAs ended") != ended || number_before($0, "cycles") != time)
		complain("a sample of " ended " CTAs and " time " cycles")
	wanted_cores = next_sample(asked, number_before($0, "thread") / time)
}
$5 == "detected" && samples {
	if (wanted_cores || $0 !~ "N_opt " n_opt ",")
		complain("N_opt is not " n_opt)
}
END {
	check_paused()
	printf "%d wrong;", wrong
	split("period cta-issue pause resume credit credit-exhausted states sample-end detected throttle gate unthrottle", name, " ")
	for (i = 1; i <= 12; i++)
		if (checked[name[i]])
			printf " %d %s", checked[name[i]], name[i]
	print ""
}
