/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_cores.c - the topics of `info` about cores, CTAs and warps.
 */
#include "session/table.h"
#include "session/command.h"
#include "session/session_part.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum session_status
info_cores(struct session *s, const char *args ATTR_UNUSED)
{
	const bool together = sim_runs_together(s->sim);
	struct table t;
	char limiter[160], columns[160];

	snprintf(columns, sizeof(columns),
		 ">core <state %s>n >N >running >paused 1>ready 2>mem 3>dep 4>barrier >RACT "
		 "5>C_mem 6>C_idle 7>instructions",
		 together ? ">kernel " : "");
	table_begin(&t, columns);
	for (unsigned c = 0; c < sim_instances(s->sim, "core"); c++) {
		struct core_view v;
		char ract[HUMAN];

		sim_core_view(s->sim, c, &v);
		table_text(&t, "%s%u", c == s->view.core ? "*" : "", c);
		table_text(&t, "%s", core_state_text(&v));
		if (together)
			table_u64(&t, v.kernel);
		table_u64(&t, v.limit);
		table_u64(&t, v.n_max);
		table_u64(&t, v.running);
		table_u64(&t, v.paused);
		table_u64(&t, v.warps_ready);
		table_u64(&t, v.warps_memory);
		table_u64(&t, v.warps_dependence);
		table_u64(&t, v.warps_barrier);
		table_text(&t, "%s", human_ratio(ract, v.ract));
		table_u64(&t, v.period_c_mem);
		table_u64(&t, v.period_c_idle);
		table_u64(&t, v.warp_insts);
	}
	table_end(s, &t);
	if (together)
		say(s, SAY_RESULT,
		    "kernel: the oldest one with CTAs on the core; n, N, C_mem and C_idle are of "
		    "it");
	else if (*session_occupancy_limiter(s, sim_kernel_shown(s->sim), limiter, sizeof(limiter)))
		say(s, SAY_RESULT, "N is %s", limiter);
	return SESSION_OK;
}

static int
which_core(struct session *s, const char *args, unsigned *core)
{
	char word[64];
	uint64_t n;

	*core = s->view.core;
	if (!next_word(&args, word, sizeof(word)))
		return 0;
	if (number_count(word, &n) || n >= sim_instances(s->sim, "core")) {
		fail(s, "no core '%s': this machine has cores 0..%u", word,
		     sim_instances(s->sim, "core") - 1);
		return -1;
	}
	*core = (unsigned)n;
	return 0;
}

static const char *
held_text(const struct core_view *v, char *buf, size_t size)
{
	buf[0] = '\0';
	if (v->warps_held)
		snprintf(buf, size, ", %u held", v->warps_held);
	return buf;
}

/* Prints a line per scheduler, if there are several; they are the sub-cores of a core that has
 * them. */
static void
say_subs(struct session *s, unsigned core)
{
	const char *what = sim_sub_cores(s->sim) ? "sub-core" : "scheduler";
	unsigned n = sim_instances(s->sim, "sub");
	char issued[HUMAN], stalled[HUMAN];
	struct sub_view v;

	for (unsigned i = 0; n > 1 && i < n; i++) {
		sim_sub_view(s->sim, core, i, &v);
		say(s, SAY_RESULT,
		    "  %s %u %3u warps: %u ready, %u memory, %u dependence, %u barrier; %s issued, "
		    "%s cycles stalled",
		    what, i, v.warps, v.ready, v.memory, v.dependence, v.barrier,
		    human(issued, v.issued), human(stalled, v.stalled));
	}
}

/* Prints the limit and the CTAs of the core, of each kernel where several run together. */
static void
say_ctas(struct session *s, const struct core_view *v)
{
	struct kernel_on_core k;
	char limiter[160];

	if (!sim_runs_together(s->sim)) {
		session_occupancy_limiter(s, v->kernel, limiter, sizeof(limiter));
		say(s, SAY_RESULT, "limit     n %u of N %u%s%s", v->limit, v->n_max,
		    *limiter ? "; N is " : "", limiter);
	}
	say(s, SAY_RESULT, "CTAs      %u running, %u paused", v->running, v->paused);
	for (unsigned i = 0; sim_runs_together(s->sim) && i < sim_kernels_started(s->sim); i++)
		if (sim_kernel_on_core(s->sim, i, v->core, &k))
			say(s, SAY_RESULT, "kernel %-2u %u running, %u paused; limit n %u of N %u",
			    i + 1, k.running, k.paused, k.limit, k.n_max);
}

enum session_status
info_core(struct session *s, const char *args)
{
	struct core_view v;
	struct refusal_view why;
	char a[HUMAN], b[HUMAN], left[HUMAN], of[32] = "";
	uint64_t all = 0;
	unsigned core;

	if (which_core(s, args, &core))
		return SESSION_ERROR;
	sim_core_view(s->sim, core, &v);
	s->log.lost |= sim_why_not(s->sim, core, &why) < 0;
	say(s, SAY_RESULT, "core      %u, cluster %u, %s", v.core, v.cluster, core_state_text(&v));
	say_ctas(s, &v);
	say(s, SAY_RESULT,
	    "warps     %u: %u ready, %u memory, %u dependence, %u barrier, %u unfetched, "
	    "%u done%s",
	    v.warps, v.warps_ready, v.warps_memory, v.warps_dependence, v.warps_barrier,
	    v.warps_unfetched, v.warps_done, held_text(&v, a, sizeof(a)));
	say_subs(s, core);
	if (sim_runs_together(s->sim))
		snprintf(of, sizeof(of), "of kernel %u, ", v.kernel);
	if (v.period_left != CYCLE_NEVER)
		say(s, SAY_RESULT, "period    %sC_mem %s, C_idle %s, %s in %s cycles", of,
		    human(a, v.period_c_mem), human(b, v.period_c_idle),
		    v.period_over ? "has just ended; the next ends" : "ends",
		    human(left, v.period_left));
	if (v.has_credits)
		say(s, SAY_RESULT, "credits   %" PRId64 " local", v.credits_local);
	say(s, SAY_RESULT, "MSHR      %u of %u in use", v.mshr_used, v.mshr_max);
	say(s, SAY_RESULT, "work      %s warp instructions, %s thread instructions",
	    human(a, v.warp_insts), human(b, v.thread_insts));
	say(s, SAY_RESULT, "RACT      %s over the run, %s in the last sample",
	    human_ratio(a, v.ract), human_ratio(b, v.ract_now));
	for (unsigned i = 0; i < CC_CLASSES; i++)
		all += v.class_cycles[i];
	for (unsigned i = 0; i < CC_CLASSES; i++)
		say(s, SAY_RESULT, "  %-10s %12s cycles  %5.1f %%", cycle_class_names[i],
		    human(a, v.class_cycles[i]),
		    all ? 100.0 * (double)v.class_cycles[i] / (double)all : 0.0);
	say(s, SAY_RESULT, "a CTA     %s", why.text);
	return SESSION_OK;
}

static void
cta_rows(struct session *s, unsigned core, struct table *t, unsigned *n)
{
	struct core_view v;

	sim_core_view(s->sim, core, &v);
	for (unsigned i = 0; i < v.n_slots; i++) {
		const struct cta_slot_view *c = &v.slot[i];

		if (!c->used)
			continue;
		table_u64(t, core);
		table_u64(t, i);
		if (sim_runs_together(s->sim))
			table_u64(t, c->kernel + 1);
		table_u64(t, c->cta);
		table_text(t, "%s", c->held ? "held" : c->paused ? "paused" : "running");
		table_u64(t, c->order);
		table_text(t, "%u/%u", c->warps_left, c->warps);
		table_u64(t, c->issued);
		table_u64(t, sim_cycle(s->sim) - c->issued);
		(*n)++;
	}
}

/* Finds the cores that a command is about: the one in focus, or all after "all". */
static int
core_range(struct session *s, const char *args, unsigned *from, unsigned *to)
{
	char word[64];

	*from = s->view.core;
	*to = s->view.core + 1;
	if (!next_word(&args, word, sizeof(word)))
		return 0;
	if (ascii_same(word, "all")) {
		*from = 0;
		*to = sim_instances(s->sim, "core");
		return 0;
	}
	if (which_core(s, word, from))
		return -1;
	*to = *from + 1;
	return 0;
}

/* Says so if a table of cores from..to-1 has no rows. */
static void
say_no_rows(struct session *s, unsigned rows, unsigned from, unsigned to, const char *topic)
{
	if (!rows && to == from + 1)
		say(s, SAY_RESULT, "core %u holds no CTA; 'info %s all' lists those of every core",
		    from, topic);
}

enum session_status
info_ctas(struct session *s, const char *args)
{
	unsigned from, to, n = 0;
	struct table t;

	if (core_range(s, args, &from, &to))
		return SESSION_ERROR;
	table_begin(&t,
		    sim_runs_together(s->sim)
			    ? ">core >slot 3>kernel >CTA <state 3>order >warps~left 1>issued 2>age"
			    : ">core >slot >CTA <state 3>order >warps~left 1>issued 2>age");
	for (unsigned c = from; c < to; c++)
		cta_rows(s, c, &t, &n);
	table_end(s, &t);
	say_no_rows(s, n, from, to, "ctas");
	return SESSION_OK;
}

/* A ready warp misses no register, which 255 says. */
static const char *
wait_text(const struct warp_view *v, char *buf, size_t size)
{
	if (v->wait_reg == 255)
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "R%u", v->wait_reg);
	return buf;
}

static const char *
paused_text(const struct warp_view *v)
{
	return v->held ? " (held)" : v->paused ? " (paused)" : "";
}

static void
warp_rows(struct session *s, unsigned core, struct table *t, unsigned *n)
{
	for (unsigned w = 0; w < sim_warps(s->sim); w++) {
		struct warp_view v;
		char reg[16];

		sim_warp_view(s->sim, core, w, &v);
		if (v.status == WARP_FREE)
			continue;
		++*n;
		table_text(t, "%u.%u", core, w);
		if (sim_runs_together(s->sim))
			table_u64(t, v.kernel + 1);
		table_u64(t, v.cta);
		table_u64(t, v.warp_in_cta);
		table_text(t, "%s%s", warp_status_names[v.status], paused_text(&v));
		table_text(t, "%s", wait_text(&v, reg, sizeof(reg)));
		table_text(t, "%u/%u", v.done, v.total);
		table_text(t, "%d", __builtin_popcount(v.mask));
		if (v.next)
			table_text(t, "%04x %.60s", v.next->pc, v.next->text ? v.next->text : "");
		else
			table_text(t, "-");
	}
}

enum session_status
info_warps(struct session *s, const char *args)
{
	unsigned from, to, n = 0;
	struct table t;

	if (core_range(s, args, &from, &to))
		return SESSION_ERROR;
	table_begin(&t,
		    sim_runs_together(s->sim)
			    ? ">warp 3>kernel >CTA 3>in~CTA <status 1<waits >issued 2>lanes <next"
			    : ">warp >CTA 3>in~CTA <status 1<waits >issued 2>lanes <next");
	for (unsigned c = from; c < to; c++)
		warp_rows(s, c, &t, &n);
	table_end(s, &t);
	say_no_rows(s, n, from, to, "warps");
	return SESSION_OK;
}

enum session_status
info_warp(struct session *s, const char *args)
{
	unsigned core = s->view.core, warp = s->view.warp;
	struct warp_view v;
	char word[64], reg[16], of[32] = "", end;

	if (next_word(&args, word, sizeof(word)) &&
	    sscanf(word, "%u.%u%c", &core, &warp, &end) != 2)
		return fail(s, "expected core.warp such as 3.12, found '%s'", word);
	if (core >= sim_instances(s->sim, "core") || warp >= sim_warps(s->sim))
		return fail(s, "no warp %u.%u: cores are 0..%u, their warps 0..%u", core, warp,
			    sim_instances(s->sim, "core") - 1, sim_warps(s->sim) - 1);
	sim_warp_view(s->sim, core, warp, &v);
	if (v.status == WARP_FREE) {
		say(s, SAY_RESULT, "warp %u.%u is free", core, warp);
		return SESSION_OK;
	}
	if (sim_runs_together(s->sim))
		snprintf(of, sizeof(of), " of kernel %u", v.kernel + 1);
	say(s, SAY_RESULT, "warp      %u.%u, warp %u of CTA %u%s%s", core, warp, v.warp_in_cta,
	    v.cta, of, paused_text(&v));
	say(s, SAY_RESULT, "status    %s, waits for %s", warp_status_names[v.status],
	    wait_text(&v, reg, sizeof(reg)));
	say(s, SAY_RESULT, "work      %u of %u instructions issued, %u stores pending", v.done,
	    v.total, v.stores);
	if (v.next)
		say(s, SAY_RESULT, "next      %04x %s, %d lanes", v.next->pc,
		    v.next->text ? v.next->text : "", __builtin_popcount(v.mask));
	return SESSION_OK;
}

enum session_status
info_credits(struct session *s, const char *args ATTR_UNUSED)
{
	struct table t;
	struct core_view v;
	uint64_t id;
	bool global = sim_path(s->sim, "credits.global", &id, NULL) == 1;

	sim_core_view(s->sim, 0, &v);
	if (!v.has_credits && !global)
		say(s, SAY_RESULT, "the policy %s has no credits",
		    config_policy_text(sim_config(s->sim)));
	if (global)
		say(s, SAY_RESULT, "global    %.0f", sim_value(s->sim, id, 0));
	if (!v.has_credits)
		return SESSION_OK;
	table_begin(&t, ">core >local >running 1>paused 2<a~CTA");
	for (unsigned c = 0; c < sim_instances(s->sim, "core"); c++) {
		struct refusal_view why;

		sim_core_view(s->sim, c, &v);
		s->log.lost |= sim_why_not(s->sim, c, &why) < 0;
		table_u64(&t, c);
		table_text(&t, "%" PRId64, v.credits_local);
		table_u64(&t, v.running);
		table_u64(&t, v.paused);
		table_text(&t, "%s", debug_refusal_name(why.kind));
	}
	table_end(s, &t);
	return SESSION_OK;
}

enum session_status
info_gates(struct session *s, const char *args ATTR_UNUSED)
{
	struct table t;
	unsigned in_state[8] = {0};

	table_begin(&t, ">core <state >CTAs 2>gated~cycles 1<why");
	for (unsigned c = 0; c < sim_instances(s->sim, "core"); c++) {
		struct refusal_view why;
		struct core_view v;
		sim_core_view(s->sim, c, &v);
		in_state[v.state & 7]++;
		table_u64(&t, c);
		table_text(&t, "%s", core_state_names[v.state]);
		table_u64(&t, v.resident);
		table_u64(&t, v.class_cycles[CC_GATED]);
		s->log.lost |= sim_why_not(s->sim, c, &why) < 0;
		table_text(&t, "%s", why.kind == REFUSE_STATE ? why.text + why.cause : "");
	}
	say(s, SAY_RESULT, "%u active, %u draining, %u throttled, %u paused, %u off",
	    in_state[CORE_ACTIVE], in_state[CORE_DRAINING], in_state[CORE_THROTTLED],
	    in_state[CORE_PAUSED], in_state[CORE_OFF]);
	table_end(s, &t);
	return SESSION_OK;
}
