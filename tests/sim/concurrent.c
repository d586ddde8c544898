/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * concurrent.c - several kernels at once (src/sim/concurrent.c): which CTA goes where and when, as
 * computed by hand; that no core holds more than it has; that the state is the same however it was
 * reached; and what is refused.
 */
#include "sim/sim_priv.h"
#include "tests/sim/model.h"
#include "tests/small/small.h"
#include "tests/tap.h"
#include <math.h>

/* A line for each event: "1 k1 CTA 0 -> core 0", "+k1" and "-k1" for a kernel. */
static char lines[20000];

static void
note(const char *fmt, ...)
{
	size_t n = strlen(lines);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(lines + n, sizeof(lines) - n, fmt, ap);
	va_end(ap);
}

static void
note_issue(void *ctx, const struct event *ev)
{
	(void)ctx;
	note("%" PRIu64 " k%u CTA %u -> core %d\n", ev->cycle, ev->kernel + 1, ev->cta, ev->core);
}

static void
note_kernel(void *ctx, const struct event *ev)
{
	note("%s%s ", strstr(sim_event_rule(ctx, ev)->name, "start") ? "+" : "-",
	     sim_trace(ctx)->kernel[ev->kernel].name);
}

static struct sim *
new_sim_sharing(struct trace *t, const char *policy, const char *kernels, const char *share,
		const char *key, const char *value)
{
	struct config *c = small_config(policy);
	struct sim *s;

	model_set(c, "gpu.concurrent_kernels", kernels);
	model_set(c, "gpu.kernel_share", share);
	if (key)
		model_set(c, key, value);
	s = model_sim(c, t);
	config_free(c);
	return s;
}

static struct sim *
new_sim(struct trace *t, const char *policy, const char *kernels, const char *key,
	const char *value)
{
	return new_sim_sharing(t, policy, kernels, "leftover", key, value);
}

/* ---------------------------------------------------------------- the schedule */

/* Two kernels of n CTAs, of two streams. */
static struct trace *
two_kernels(uint32_t n)
{
	struct err e = {0};
	struct trace_writer *w = trace_writer_new(NULL, &e);
	struct trace *t;

	small_add(w, 1, (struct trace_kernel_desc){.name = "one", .grid = {n, 1, 1}, .regs = 20});
	small_add(w, 2, (struct trace_kernel_desc){.name = "two", .grid = {n, 1, 1}, .regs = 20});
	t = trace_writer_trace(w, &e);
	if (!t)
		small_die("two kernels", &e);
	return t;
}

/*
 * By hand (ctascope-model(7) 2.4, 2.12): 4 cores in 2 clusters. N is 1 for both kernels, as 4 CTAs
 * are spread over 4 cores. A cluster takes one CTA per cycle, its cores in turn. Kernel 2 is asked
 * when kernel 1 has no CTA left.
 *
 *     cycle   core 0   core 1   core 2   core 3
 *         1   k1 0              k1 1
 *         2            k1 2              k1 3
 *         3   k2 0              k2 1
 *         4            k2 2              k2 3
 */
static void
schedule(void)
{
	struct trace *t = two_kernels(4);
	struct sim *s = new_sim(t, "rr", "2", "core.max_ctas", "2");

	*lines = 0;
	sim_listen(s, EV_BIT(EV_CTA_ISSUE), note_issue, NULL);
	sim_run(s, 20, NULL);
	is_str(lines,
	       "1 k1 CTA 0 -> core 0\n1 k1 CTA 1 -> core 2\n"
	       "2 k1 CTA 2 -> core 1\n2 k1 CTA 3 -> core 3\n"
	       "3 k2 CTA 0 -> core 0\n3 k2 CTA 1 -> core 2\n"
	       "4 k2 CTA 2 -> core 1\n4 k2 CTA 3 -> core 3\n",
	       "two kernels of four CTAs, as by hand");
	sim_free(s);
	trace_close(t);
}

/*
 * By hand: kernel 1 has cores 0 and 1, kernel 2 the others. N is 2, what fits: gpu.balance does not
 * spread 4 CTAs over all 4 cores, of which each kernel has only 2.
 *
 *     cycle   core 0   core 1   core 2   core 3
 *         1   k1 0              k2 0
 *         2            k1 1              k2 1
 *         3   k1 2              k2 2
 *         4            k1 3              k2 3
 */
static void
spatial(void)
{
	struct trace *t = two_kernels(4);
	struct sim *s = new_sim_sharing(t, "rr", "2", "spatial", "core.max_ctas", "2");

	*lines = 0;
	sim_listen(s, EV_BIT(EV_CTA_ISSUE), note_issue, NULL);
	sim_run(s, 20, NULL);
	is_str(lines,
	       "1 k1 CTA 0 -> core 0\n1 k2 CTA 0 -> core 2\n"
	       "2 k1 CTA 1 -> core 1\n2 k2 CTA 1 -> core 3\n"
	       "3 k1 CTA 2 -> core 0\n3 k2 CTA 2 -> core 2\n"
	       "4 k1 CTA 3 -> core 1\n4 k2 CTA 3 -> core 3\n",
	       "spatial, as by hand");
	sim_free(s);
	trace_close(t);
}

/*
 * By hand: kernels of 8 CTAs with N 2 and equal needs, so that the slots of a core decide: a core
 * takes of the kernel that has fewer on it, else of the first.
 *
 *     cycle   core 0   core 1   core 2   core 3
 *         1   k1 0              k1 1
 *         2            k1 2              k1 3
 *         3   k2 0              k2 1
 *         4            k2 2              k2 3
 *         5   k1 4              k1 5
 *         6            k1 6              k1 7
 *         7   k2 4              k2 5
 *         8            k2 6              k2 7
 */
static void
smk(void)
{
	struct trace *t = two_kernels(8);
	struct sim *s = new_sim_sharing(t, "rr", "2", "smk", NULL, NULL);

	*lines = 0;
	sim_listen(s, EV_BIT(EV_CTA_ISSUE), note_issue, NULL);
	sim_run(s, 12, NULL);
	is_str(lines,
	       "1 k1 CTA 0 -> core 0\n1 k1 CTA 1 -> core 2\n"
	       "2 k1 CTA 2 -> core 1\n2 k1 CTA 3 -> core 3\n"
	       "3 k2 CTA 0 -> core 0\n3 k2 CTA 1 -> core 2\n"
	       "4 k2 CTA 2 -> core 1\n4 k2 CTA 3 -> core 3\n"
	       "5 k1 CTA 4 -> core 0\n5 k1 CTA 5 -> core 2\n"
	       "6 k1 CTA 6 -> core 1\n6 k1 CTA 7 -> core 3\n"
	       "7 k2 CTA 4 -> core 0\n7 k2 CTA 5 -> core 2\n"
	       "8 k2 CTA 6 -> core 1\n8 k2 CTA 7 -> core 3\n",
	       "smk, as by hand");
	sim_free(s);
	trace_close(t);
}

/* The schedule above, in which core 0 is refused in cycle 3, so that its cluster asks core 1:
 *
 *         3            k2 0     k2 1
 *         4   k2 2                       k2 3
 */
static void
forced(void)
{
	struct trace *t = two_kernels(4);
	struct sim *s = new_sim(t, "rr", "2", "core.max_ctas", "2");
	struct decision_view v;
	struct err e = {0};

	sim_run(s, 2, NULL);
	ok(sim_force(s, "issue.0@3/k2", "refuse", &e) == 0, "kernel 2 is refused: %s", e.msg);
	*lines = 0;
	sim_listen(s, EV_BIT(EV_CTA_ISSUE), note_issue, NULL);
	sim_run(s, 20, NULL);
	is_str(lines,
	       "3 k2 CTA 0 -> core 1\n3 k2 CTA 1 -> core 2\n"
	       "4 k2 CTA 2 -> core 0\n4 k2 CTA 3 -> core 3\n",
	       "a forced outcome, as by hand");
	for (uint64_t seq = sim_events(s)->next; seq--;) {
		const struct event *ev = event_ring_get(sim_events(s), seq);

		if (ev && ev->kind == EV_CTA_ISSUE && ev->cycle == 4 && ev->core == 3)
			ok(sim_decision_view(s, ev, &v, &e) == 0 &&
				   strcmp(v.name, "issue.3@4/k2") == 0,
			   "the name of a decision has the kernel: %s", v.name);
	}
	sim_free(s);
	trace_close(t);
}

/* A policy that chooses: the kernel with the fewest CTAs issued, of two the older one; with `skips`
 * none for core 0. */
static bool skips;

static uint32_t
choose_fewest_issued(const struct cta_ctx *x, unsigned core, const struct cta_running *k,
		     unsigned n, struct reason *why)
{
	unsigned best = 0;

	(void)x;
	(void)why;
	for (unsigned i = 1; i < n; i++)
		if (k[i].issued < k[best].issued)
			best = i;
	return skips && core == 0 ? CTA_NO_KERNEL : best;
}

static void
with_chooser(bool skip, const char *schedule, const char *what)
{
	static const struct cta_sched_ops chooser = {.name = "chooser",
						     .role = CTA_ROLE_KERNEL,
						     .next_kernel = choose_fewest_issued};
	struct trace *t = two_kernels(4);
	struct sim *s = new_sim(t, "rr", "2", "core.max_ctas", "2");
	struct refusal_view v;

	skips = skip;
	s->stack.policy[0].ops = &chooser;
	*lines = 0;
	sim_listen(s, EV_BIT(EV_CTA_ISSUE), note_issue, NULL);
	sim_run(s, 20, NULL);
	is_str(lines, schedule, "%s", what);
	sim_why_not(s, 0, &v);
	is_str(v.text,
	       skip ? "no kernel gives this core a CTA now: the policy that chooses between "
		      "kernels names none"
		    : "no CTA is left: all 8 of the 2 running kernels have been issued",
	       "%s: why not", what);
	sim_free(s);
	trace_close(t);
}

/*
 * By hand: both kernels have N 1. The core that is asked gets the kernel with fewer CTAs issued,
 * and takes none if that one has a CTA on it already, as kernel 1 has on cores 0 and 1 in cycle 3.
 *
 *     cycle   core 0   core 1   core 2   core 3
 *         1   k1 0              k2 0
 *         2            k1 1              k2 1
 *         3                     k1 2
 *         4   k2 2                       k1 3
 *         5            k2 3
 *
 * Without core 0, cores 1 to 3 are full after cycle 4:
 *
 *         1            k1 0     k2 0
 *         2                              k1 1
 *         3            k2 1     k1 2
 *         4                              k2 2
 */
static void
chosen(void)
{
	with_chooser(false,
		     "1 k1 CTA 0 -> core 0\n1 k2 CTA 0 -> core 2\n"
		     "2 k1 CTA 1 -> core 1\n2 k2 CTA 1 -> core 3\n"
		     "3 k1 CTA 2 -> core 2\n"
		     "4 k2 CTA 2 -> core 0\n4 k1 CTA 3 -> core 3\n"
		     "5 k2 CTA 3 -> core 1\n",
		     "a policy chooses the kernel, as by hand");
	with_chooser(true,
		     "1 k1 CTA 0 -> core 1\n1 k2 CTA 0 -> core 2\n"
		     "2 k1 CTA 1 -> core 3\n"
		     "3 k2 CTA 1 -> core 1\n3 k1 CTA 2 -> core 2\n"
		     "4 k2 CTA 2 -> core 3\n",
		     "and names none for core 0");
}

struct slot_log {
	const struct sim *s;
	cycle_t free_at[SMALL_CORES]; /* when a CTA left the core */
	unsigned early, late, n;
};

static void
watch_slots(void *ctx, const struct event *ev)
{
	struct slot_log *l = ctx;

	if (ev->kind == EV_CTA_DONE)
		l->free_at[ev->core] = ev->cycle;
	if (ev->kind != EV_CTA_ISSUE || ev->kernel != 1)
		return;
	l->n++;
	l->early += !l->free_at[ev->core];
	l->late += ev->cycle > l->free_at[ev->core] + 1; /* the cluster may serve the other core */
}

static void
one_slot(void)
{
	struct trace *t = two_kernels(4);
	struct sim *s = new_sim(t, "rr", "2", "core.max_ctas", "1");
	struct refusal_view v;
	struct slot_log l = {.s = s};

	sim_listen(s, EV_BIT(EV_CTA_ISSUE) | EV_BIT(EV_CTA_DONE), watch_slots, &l);
	sim_run(s, 10, NULL);
	sim_why_not(s, 2, &v);
	is_str(v.text,
	       "kernel 2: slots: a CTA needs 1, but the CTAs on the core, some of other kernels, "
	       "leave 0 of 1 free",
	       "why names the kernel whose turn it is");
	ok(v.kind == REFUSE_OTHER_KERNEL, "and its kind");
	sim_run(s, CYCLE_NEVER, NULL);
	ok(l.n == 4 && !l.early && !l.late,
	   "with one slot, a CTA of kernel 2 comes when the CTA before it leaves");
	sim_free(s);
	trace_close(t);
}

/* ---------------------------------------------------------------- what a kernel has done */

/* The schedule above: kernel 2 begins at once, and its first CTA comes in cycle 3. */
static void
first_ctas(void)
{
	struct trace *t = two_kernels(4);
	struct sim *s = new_sim(t, "rr", "2", "core.max_ctas", "2");
	struct err e = {0};
	uint64_t id;

	sim_run(s, 2, NULL);
	ok(model_value(s, "kernel.2.start") == 0 && isnan(model_value(s, "kernel.2.first_cta")) &&
		   model_value(s, "kernel.2.ctas_issued") == 0,
	   "kernel 2 runs, and has no CTA yet");
	sim_run(s, 20, NULL);
	is_u64((uint64_t)model_value(s, "kernel.1.first_cta"), 1, "the first CTA of kernel 1");
	is_u64((uint64_t)model_value(s, "kernel.2.first_cta"), 3, "and of kernel 2, as by hand");
	ok(sim_path(s, "kernel.3.start", &id, &e) < 0 && strstr(e.msg, "expected 1..2"),
	   "there is no third: %s", e.msg);
	ok(sim_path(s, "kernels.start", &id, NULL) < 0, "kernels.start is no name");
	sim_free(s);
	trace_close(t);
}

/* The instructions of the kernels, while they run and at the end, are those of the GPU. */
static void
kernel_insts(const char *kernels)
{
	struct trace *t = small_streams();
	struct sim *s = new_sim(t, "dyncta", kernels, NULL, NULL);
	unsigned wrong = 0;

	for (cycle_t at = 100; sim_run(s, at, NULL) != SIM_DONE; at += 100) {
		double sum = 0;

		for (unsigned k = 0; k < sim_kernels_started(s); k++) {
			struct kernel_view v;

			sim_kernel_view(s, k, &v);
			sum += (double)v.warp_insts;
		}
		wrong += sum != model_value(s, "gpu.warp_insts");
	}
	ok(!wrong, "%s kernels at most: their instructions are those of the GPU (%u)", kernels,
	   wrong);
	for (unsigned k = 0; k < 4; k++) {
		struct kernel_view v;

		sim_kernel_view(s, k, &v);
		wrong += v.warp_insts != sim_kernel(s, k)->warp_insts || v.done != v.ctas ||
			 v.issued != v.ctas || v.end != sim_kernel_end(s, k) ||
			 v.cycles != v.end - v.start;
	}
	ok(!wrong, "%s kernels at most: at the end those of the trace", kernels);
	sim_free(s);
	trace_close(t);
}

/* ---------------------------------------------------------------- room on a core */

struct room {
	const struct sim *s;
	unsigned over, wrong, mixed; /* cycles and cores */
};

static void
check_core(struct room *r, unsigned core)
{
	const struct config *c = sim_config(r->s);
	const struct trace_info *t = sim_trace(r->s);
	struct core_view v;
	uint32_t threads = 0, registers = 0, shmem = 0, slots = 0, kernels = 0;

	sim_core_view(r->s, core, &v);
	for (unsigned i = 0; i < v.n_slots; i++) {
		const struct trace_kernel *k = &t->kernel[v.slot[i].kernel];

		if (!v.slot[i].used)
			continue;
		slots++;
		threads += k->threads_per_cta;
		registers += k->threads_per_cta * k->regs;
		shmem += k->shmem;
		kernels |= 1u << v.slot[i].kernel;
		r->wrong += v.slot[i].warps != k->warps_per_cta || v.slot[i].cta >= k->n_cta;
	}
	r->wrong += v.resident != slots;
	r->mixed += (kernels & (kernels - 1)) != 0;
	r->over += threads > c->core.threads || registers > c->core.registers ||
		   shmem > c->core.shmem || slots > c->core.max_ctas;
}

static bool
check_cores(void *ctx)
{
	for (unsigned i = 0; i < SMALL_CORES; i++)
		check_core(ctx, i);
	return false;
}

/* The resource that runs out first differs with the option. */
static void
room(const char *share, const char *key, const char *value)
{
	struct trace *t = small_streams();
	struct sim *s = new_sim_sharing(t, "rr", "3", share, key, value);
	const bool apart = strcmp(share, "spatial") == 0;
	struct room r = {.s = s};
	bool done;

	*lines = 0;
	sim_listen(s, EV_BIT(EV_KERNEL), note_kernel, s);
	sim_each_cycle(s, check_cores, &r);
	done = sim_run(s, CYCLE_NEVER, NULL) == SIM_DONE;
	ok(done && (apart ? !r.mixed : r.mixed > 100) && !r.over && !r.wrong,
	   "%s, %s %s: cores hold CTAs of two kernels (%u), and no more than they have (%u, %u)",
	   share, key, value, r.mixed, r.over, r.wrong);
	/* "left" and "right" have begun before there is a listener. "after" is of the stream of
	 * "right" and waits for "left". */
	ok(strstr(lines, "-left ") < strstr(lines, "+more ") &&
		   strstr(lines, "-right ") < strstr(lines, "+after ") &&
		   strstr(lines, "-left ") < strstr(lines, "+after "),
	   "%s, %s %s: streams keep their order: %s", share, key, value, lines);
	sim_free(s);
	trace_close(t);
}

/* ---------------------------------------------------------------- one state */

static void
one_state(const char *policy, const char *share)
{
	struct trace *t = small_streams();
	struct sim *a = new_sim_sharing(t, policy, "3", share, NULL, NULL),
		   *b = new_sim_sharing(t, policy, "3", share, "run.skip", "off");
	struct snapshot *k;
	unsigned different = 0, restored = 0;
	struct err e = {0};
	uint64_t at[60];

	for (unsigned i = 0; i < 60; i++) {
		sim_run(a, i * 100 + 50, NULL);
		for (cycle_t c = sim_cycle(b); c < i * 100 + 50; c++)
			sim_run(b, c + 1, NULL);
		at[i] = sim_digest(a);
		different += at[i] != sim_digest(b);
	}
	ok(!different, "%s, %s: in one go, and cycle by cycle without skipping", policy, share);
	sim_free(b);
	b = new_sim_sharing(t, policy, "3", share, NULL, NULL);
	sim_run(b, 1050, NULL);
	k = sim_save(b, &e);
	if (!k)
		diag("%s", e.msg);
	sim_run(b, CYCLE_NEVER, NULL);
	sim_restore(b, k, NULL);
	for (unsigned i = 10; i < 60; i++) {
		sim_run(b, i * 100 + 50, NULL);
		restored += at[i] != sim_digest(b);
	}
	ok(!restored, "%s, %s: after a restore", policy, share);
	snapshot_free(k);
	sim_free(a);
	sim_free(b);
	trace_close(t);
}

struct counts {
	uint64_t issued, accesses, waits;
};

static struct counts
profile_of(struct sim *s, unsigned kernel)
{
	const struct inst_profile *p = sim_profile(s, kernel);
	struct counts n = {0};

	for (uint32_t i = 0; p && i < sim_kernel(s, kernel)->n_inst; i++) {
		n.issued += p[i].issued;
		n.accesses += p[i].l1_accesses;
		for (unsigned j = 0; j < WARP_STATUSES; j++)
			n.waits += p[i].waits[j];
	}
	return n;
}

/* Each kernel's profile has its instructions, and the look-ups in L1 that it has when it runs
 * alone, however often it is read. */
static void
profiles(void)
{
	struct trace *t = small_streams();
	struct sim *s = new_sim(t, "rr", "3", "core.max_ctas", "6"),
		   *b = new_sim(t, "rr", "3", "core.max_ctas", "6"),
		   *alone = new_sim(t, "rr", "1", "core.max_ctas", "6");
	struct err e = {0};

	ok(sim_profile_on(s, &e) == 0, "profile on: %s", e.msg);
	sim_profile_on(alone, &e);
	for (cycle_t at = 700; at < 8000; at += 700) {
		sim_run(s, at, NULL);
		sim_profile(s, 1);
	}
	sim_run(b, CYCLE_NEVER, NULL);
	sim_run(alone, CYCLE_NEVER, NULL);
	ok(sim_run(s, CYCLE_NEVER, NULL) == SIM_DONE && sim_digest(s) == sim_digest(b),
	   "a profile does not change the machine");
	for (unsigned k = 0; k < 4; k++) {
		struct counts n = profile_of(s, k), want = profile_of(alone, k);

		ok(n.issued == sim_kernel(s, k)->warp_insts && n.waits && n.accesses &&
			   n.accesses == want.accesses,
		   "kernel %u: %" PRIu64 " instructions, %" PRIu64 " look-ups in L1", k + 1,
		   n.issued, n.accesses);
	}
	sim_free(s);
	sim_free(b);
	sim_free(alone);
	trace_close(t);
}

/* Kernels of two streams, of which the second waits for the first, never share a core: each runs as
 * it does one after the other, to the cycle. */
static void
never_together(const char *share)
{
	struct err e = {0};
	struct trace_writer *w = trace_writer_new(NULL, &e);
	struct sim *s[2];
	struct trace *t;
	uint64_t event = 0;

	small_add(w, 1, (struct trace_kernel_desc){.name = "one", .grid = {40, 1, 1}, .regs = 20});
	if (trace_writer_order(w, TRACE_EVENT_RECORD, 1, TRACE_STREAM_NONBLOCKING, &event, &e) <
		    0 ||
	    trace_writer_order(w, TRACE_STREAM_WAIT, 2, TRACE_STREAM_NONBLOCKING, &event, &e) < 0)
		small_die("the order of two streams", &e);
	small_add(w, 2, (struct trace_kernel_desc){.name = "two", .grid = {30, 1, 1}, .regs = 40});
	t = trace_writer_trace(w, &e);
	for (unsigned i = 0; i < 2; i++) {
		s[i] = new_sim_sharing(t, "dyncta", i ? "2" : "1", share, NULL, NULL);
		sim_run(s[i], CYCLE_NEVER, NULL);
	}
	ok(sim_kernel_end(s[0], 0) == sim_kernel_end(s[1], 0) &&
		   sim_kernel_start(s[0], 1) == sim_kernel_start(s[1], 1) &&
		   sim_cycle(s[0]) == sim_cycle(s[1]) && sim_cycle(s[0]) > 1000 &&
		   model_value(s[0], "l1.misses") == model_value(s[1], "l1.misses") &&
		   model_value(s[0], "dram.row_hits") == model_value(s[1], "dram.row_hits"),
	   "%s: kernels that wait for each other run as one after the other: %" PRIu64 ", %" PRIu64
	   " cycles",
	   share, sim_cycle(s[0]), sim_cycle(s[1]));
	sim_free(s[0]);
	sim_free(s[1]);
	trace_close(t);
}

static void
no_effect(void)
{
	struct trace *t = small_trace();
	struct sim *a = new_sim(t, "dyncta", "1", NULL, NULL),
		   *b = new_sim(t, "dyncta", "8", NULL, NULL);

	sim_run(a, CYCLE_NEVER, NULL);
	sim_run(b, CYCLE_NEVER, NULL);
	ok(sim_digest(a) == sim_digest(b) && sim_cycle(a) == sim_cycle(b),
	   "the option has no effect on a trace of one stream");
	sim_free(a);
	sim_free(b);
	trace_close(t);
}

/* ---------------------------------------------------------------- refusals */

static void
refused(void)
{
	struct trace *t = small_streams();
	struct config *c = small_config("cores:n=2");
	struct err e = {0};
	struct sim *s;

	model_set(c, "gpu.concurrent_kernels", "2");
	s = sim_new(c, t, &e);
	ok(!s && strstr(e.msg, "policy cores decides how many cores work"),
	   "a policy that switches cores: %s", e.msg);
	config_free(c);
	s = new_sim(t, "rr", "2", NULL, NULL);
	ok(sim_set_policy(s, "dyncta", NULL, 0, &e) == 0, "the policy changes at cycle 0");
	sim_run(s, 500, NULL);
	ok(sim_set_policy(s, "rr", NULL, 0, &e) < 0 && strstr(e.msg, "while 2 kernels run"),
	   "but not while two kernels run: %s", e.msg);
	ok(sim_set(s, "dyncta.t_idle", "9", &e) == 0, "an option of a policy does");
	ok(sim_set_policy(s, "cores:n=2", NULL, 0, &e) < 0, "cores is refused at a stop as well");
	ok(sim_force(s, "limit.1@512", "down", &e) < 0 && strstr(e.msg, "add /kN"),
	   "forced outcomes name the kernel: %s", e.msg);
	ok(sim_force(s, "limit.1@512/k3", "down", &e) < 0 && strstr(e.msg, "does not run now"),
	   "which must run: %s", e.msg);
	ok(sim_force(s, "issue.1@512/k2", "core 2", &e) < 0 && strstr(e.msg, "take or refuse"),
	   "another core is no outcome: %s", e.msg);
	ok(sim_run(s, CYCLE_NEVER, &e) == SIM_DONE, "and the run goes on");
	sim_free(s);
	trace_close(t);
}

int
main(void)
{
	schedule();
	spatial();
	smk();
	forced();
	chosen();
	one_slot();
	first_ctas();
	kernel_insts("1");
	kernel_insts("3");
	room("leftover", "core.max_ctas", "6");
	room("leftover", "core.registers", "10240");
	room("leftover", "core.threads", "256");
	room("leftover", "core.shmem", "8192");
	room("spatial", "core.max_ctas", "6");
	room("smk", "core.registers", "10240");
	room("smk", "core.shmem", "16384");
	one_state("rr", "leftover");
	one_state("dyncta+claso", "leftover");
	one_state("dyncta:pause=hold", "smk");
	one_state("lcs", "spatial");
	one_state("static:n=2", "smk");
	one_state("dyncta", "accelsim");
	profiles();
	never_together("leftover");
	never_together("spatial");
	never_together("smk");
	no_effect();
	refused();
	return done();
}
