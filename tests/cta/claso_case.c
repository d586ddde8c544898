/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * claso_case.c - the case study of CLASO (Yu et al. 3.2, Figs. 9 and 10), twice: on the host of the
 * policies with CTAs that end when the text says so, and on the whole machine with CTAs of such
 * lengths.
 *
 * 17 CTAs, 4 cores, 3 at a time on each. Core 3 finishes its first set (CTA 7, 11, 3), then core 0
 * (4, 0, 8). Without CLASO core 3 takes 12, 13, 14, core 0 takes 15, 16, and cores 1 and 2 get
 * nothing more. With pa = 1, pl = 0 core 3 ends with 5 CTAs, the others with 4.
 */
#include "tests/tap.h"
#include "tests/sim/model.h"
#include "tests/cta/numbers.h"

/* ---------------------------------------------------------------- on the host alone */

static void
issued_are(const struct mock *m, const unsigned want[4], const char *what)
{
	for (unsigned c = 0; c < 4; c++)
		is_u64(m->core[c].issued, want[c], "%s: core %u has had %u CTAs", what, c, want[c]);
}

static int64_t
local_credits(const struct mock *m, unsigned core)
{
	const char *state = (const char *)m->s.host + m->s.policy[0].state;

	return *(const int64_t *)(state + m->s.policy[0].ops->state_size +
				  core * m->s.policy[0].ops->core_size);
}

static int64_t
global_credits(const struct mock *m)
{
	return *(const int64_t *)((const char *)m->s.host + m->s.policy[0].state);
}

/* Checks what the last event says about this core. */
static void
last_says(const struct mock *m, unsigned core, const char *rule, const char *what)
{
	unsigned i = m->n_ev - 1;

	while (i && m->ev[i].kind != EV_CREDIT && m->ev[i].kind != EV_CREDIT_EXHAUSTED)
		i--;
	ok(m->ev[i].core == (int)core, "%s: about core %u", what, core);
	is_str(mock_rule(m, i), rule, "%s", what);
}

static void
figure_9(void)
{
	struct mock *m = mock_new("rr", 4, 17, 3);
	static const uint32_t ends[] = {7, 11, 3, 4, 0};

	mock_rounds(m);
	issued_are(m, (const unsigned[]){3, 3, 3, 3}, "Fig. 9, at first");
	for (unsigned i = 0; i < 5; i++) {
		mock_finish(m, ends[i]);
		mock_rounds(m);
	}
	issued_are(m, (const unsigned[]){5, 3, 3, 6}, "Fig. 9, core 3 then core 0 finish");
	mock_free(m);
}

static void
figure_10(void)
{
	struct mock *m = mock_new("claso:pa=1,pl=0", 4, 17, 3);

	for (unsigned c = 0; c < 4; c++)
		is_u64((uint64_t)local_credits(m, c), 5,
		       "Fig. 10: core %u begins with 5 local credits", c);
	is_u64((uint64_t)global_credits(m), 1, "Fig. 10: there is 1 global credit");
	mock_rounds(m);
	issued_are(m, (const unsigned[]){3, 3, 3, 3}, "Fig. 10, at first");
	for (unsigned c = 0; c < 4; c++)
		is_u64((uint64_t)local_credits(m, c), 2, "core %u has 2 local credits left", c);
	mock_finish(m, 7);
	mock_rounds(m);
	is_u64(m->core[3].cta[2], 12, "CTA 7 ends: core 3 takes CTA 12");
	last_says(m, 3, "local-credit", "on a local credit alone");
	mock_finish(m, 11);
	mock_rounds(m);
	is_u64(m->core[3].cta[2], 13, "CTA 11 ends: core 3 takes CTA 13");
	last_says(m, 3, "global-credit", "with the last local and the global credit");
	is_u64((uint64_t)global_credits(m), 0, "no global credit is left");
	mock_finish(m, 3);
	mock_rounds(m);
	is_u64(m->core[3].n, 2, "CTA 3 ends: core 3 is refused");
	last_says(m, 3, "no-local-credit", "for lack of local credits");
	mock_finish(m, 4);
	mock_rounds(m);
	is_u64(m->core[0].cta[2], 14, "CTA 4 ends: core 0 takes CTA 14");
	mock_finish(m, 0);
	mock_rounds(m);
	is_u64(m->core[0].n, 2, "CTA 0 ends: core 0 is refused");
	last_says(m, 0, "no-global-credit", "for lack of a global credit, and loses its local one");
	mock_finish(m, 8);
	mock_rounds(m);
	last_says(m, 0, "no-local-credit",
		  "CTA 8 ends: core 0 is refused for lack of a local credit");
	mock_finish(m, 1);
	mock_rounds(m);
	is_u64(m->core[1].cta[2], 15, "CTA 1 ends: core 1 takes CTA 15");
	mock_finish(m, 2);
	mock_rounds(m);
	is_u64(m->core[2].cta[2], 16, "CTA 2 ends: core 2 takes CTA 16");
	issued_are(m, (const unsigned[]){4, 4, 4, 5}, "Fig. 10, in the end");
	is_u64(mock_count(m, EV_CREDIT), 17, "17 requests were granted");
	is_u64(mock_count(m, EV_CREDIT_EXHAUSTED), 3, "3 were refused");
	mock_free(m);
}

/* ---------------------------------------------------------------- on the machine */

/* 17 CTAs of one warp of dependent FFMA; how many says when they end. */
static struct trace *
case_study(void)
{
	/* core 3 (3, 7, 11) is fast, core 0 (0, 4, 8) less so; 7 before 11 before 3, 4 before 0
	 * before 8 */
	static const unsigned length[17] = {240, 500, 520, 140, 220, 540, 560, 100, 260,
					    580, 600, 120, 300, 300, 300, 300, 300};
	struct tb *b = tb_new();
	struct err e = {0};
	uint32_t add, ex;
	struct trace *t;

	tb_kernel(b, "case study", 17, 32, 16, 0, 70);
	add = tb_inst(b, 0, "FFMA", "R4", "R4 R8 R9");
	ex = tb_inst(b, 0x10, "EXIT", "", "");
	for (unsigned c = 0; c < 17; c++) {
		for (unsigned i = 0; i < length[c]; i++)
			tb_emit(b, c, 0, add, ~0u, ADDR_NONE, 0, 0);
		tb_emit(b, c, 0, ex, ~0u, ADDR_NONE, 0, 0);
	}
	t = tb_finish(b, &e);
	if (!t)
		model_die("case study", &e);
	return t;
}

struct where {
	int core[17];
	unsigned refused;
};

static void
note(void *ctx, const struct event *ev)
{
	struct where *w = ctx;

	if (ev->kind == EV_CTA_ISSUE)
		w->core[ev->cta] = ev->core;
	else
		w->refused++;
}

static void
on_the_machine(const char *machine, const char *policy, const unsigned want[4], const int late[5])
{
	struct trace *t = case_study();
	struct config *c = model_config(machine, policy);
	struct where w = {.refused = 0};
	unsigned has[4] = {0};
	struct sim *s;

	model_set(c, "gpu.clusters", "4");
	model_set(c, "gpu.cores_per_cluster", "1");
	model_set(c, "core.max_ctas", "3");
	s = model_sim(c, t);
	sim_listen(s, EV_BIT(EV_CTA_ISSUE) | EV_BIT(EV_CREDIT_EXHAUSTED), note, &w);
	ok(model_run(s), "%s under %s: the 17 CTAs finish", machine, policy);
	ok(!w.refused == !strstr(policy, "claso"), "%s under %s: %u refusals", machine, policy,
	   w.refused);
	for (unsigned i = 0; i < 17; i++)
		has[w.core[i] & 3]++;
	for (unsigned i = 0; i < 4; i++)
		is_u64(has[i], want[i], "%s under %s: core %u gets %u CTAs", machine, policy, i,
		       want[i]);
	for (unsigned i = 0; i < 5; i++)
		ok(w.core[12 + i] == late[i], "%s under %s: CTA %u goes to core %d (%d)", machine,
		   policy, 12 + i, late[i], w.core[12 + i]);
	sim_free(s);
	config_free(c);
	trace_close(t);
}

int
main(void)
{
	figure_9();
	figure_10();
	for (unsigned m = 0; m < N_MODEL_MACHINES; m++) {
		on_the_machine(model_machines[m], "rr", (const unsigned[]){5, 3, 3, 6},
			       (const int[]){3, 3, 3, 0, 0});
		on_the_machine(model_machines[m], "claso:pa=1,pl=0", (const unsigned[]){4, 4, 4, 5},
			       (const int[]){3, 3, 0, 1, 2});
	}
	return done();
}
