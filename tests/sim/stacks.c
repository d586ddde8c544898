/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stacks.c - every policy stack finishes every reference trace on every machine and obeys its rules
 * on the way, the simplest ones under every warp scheduler; the same run twice gives the same
 * bytes.
 *
 * The kernels are short (a few CTAs, the first records of each warp) and run on a few clusters, so
 * that CTAs queue up for the cores. The test checks whenever a CTA is issued or ends, or a limit or
 * a core's state changes: at most as many CTAs run as the limit allows, at most as many are
 * resident as fit, and a paused CTA is younger than every running one; a core that is paused or off
 * issues nothing, one that is off holds no CTA, one that is not active takes none. states.c tests
 * further rules of policies that switch cores off.
 */
#include "export/export.h"
#include "tests/tap.h"
#include "tests/sim/model.h"
#include "wsched/wsched.h"

static const char *const stacks[] = {
	"rr",
	"static:n=1",
	"static:n=2",
	"static:n=3",
	"static:n=8",
	"cores:n=1",
	"cores:n=3",
	"dyncta:period=256",
	"dyncta:period=64,n0=4,t_mem_l=4,t_mem_h=12",
	"claso",
	"claso:pa=2,pl=1",
	"dyncta:period=256+claso",
	"static:n=2+claso",
	"cores:n=2+dyncta:period=256+claso",
	"onac",
	"seqdet",
	"onac:waves=1",
	"seqdet:waves=1,loss=0.5",
	"onac:waves=1+claso",
	"onac:waves=1+static:n=1",
	"seqdet:waves=1,loss=0.3+static:n=2",
	"onac:waves=1,loss=0.4+static:n=1+claso:pa=2",
	"onac:waves=1,loss=0.2+dyncta:period=128,n0=1",
	"claso+seqdet:waves=1,loss=0.3+dyncta:period=64,n0=1",
	"dyncore:period=128",
	"tcs:mon_cycle=64,monitor=200,thr=1+dyncta:period=64,n0=4,t_mem_l=4,t_mem_h=12",
	"htcs:mon_cycle=64,monitor=200,thr=1+dyncta:period=128+claso",
	"lcs",
	"bcs",
	"bcs:block=3+dyncta:period=64,n0=1",
	"clustering",
	"clustering:steal=off+lcs+claso:pl=64",
	"equalizer:epoch=64,interval=8,repeat=1",
	"equalizer:epoch=128,interval=16+bcs+onac:waves=1,loss=0.2",
	"swl:n=1",
	"swl:n=2,hold=memory+dyncta:period=64,n0=1",
	"ccws",
	"ccws:k=100+static:n=2+swl:n=3",
};
#define N_STACKS (sizeof(stacks) / sizeof(stacks[0]))

struct seen {
	unsigned paused;		 /* CTAs */
	unsigned held, off, found, lost; /* cores; cores found to be enough; detections given up */
};

struct watch {
	struct sim *s;
	unsigned cores; /* allowed by cores:n */
	bool keeps;	/* a policy lowers limits and pauses nothing: CTAs above them stay */
	bool pauses;	/* without such a policy nothing is ever paused */
	struct seen *seen;
	uint8_t state[MAX_CORES]; /* enum core_state at the last check */
	uint64_t insts[MAX_CORES];
	char broken[200];
};

#define STOPS                                                                                 \
	(EV_BIT(EV_CTA_ISSUE) | EV_BIT(EV_CTA_DONE) | EV_BIT(EV_PERIOD) | EV_BIT(EV_GATE) |   \
	 EV_BIT(EV_UNGATE) | EV_BIT(EV_DRAIN) | EV_BIT(EV_THROTTLE) | EV_BIT(EV_UNTHROTTLE) | \
	 EV_BIT(EV_CORE_PAUSE) | EV_BIT(EV_CORE_RESUME) | EV_BIT(EV_DETECTED))

static void
look_at(struct watch *w, unsigned core)
{
	struct core_view v;
	unsigned youngest_running = 0, oldest_paused = UINT32_MAX;

	sim_core_view(w->s, core, &v);
	for (unsigned i = 0; i < v.n_slots; i++) {
		if (!v.slot[i].used)
			continue;
		if (v.slot[i].paused)
			oldest_paused = MIN(oldest_paused, v.slot[i].order);
		else
			youngest_running = MAX(youngest_running, v.slot[i].order);
	}
	w->seen->paused += v.paused;
	if (v.resident > v.n_max || (v.running > v.limit && !w->keeps) ||
	    v.running + v.paused != v.resident || (v.paused && oldest_paused < youngest_running) ||
	    (v.paused && !w->pauses) || (v.resident && core >= w->cores) || v.limit < 1 ||
	    v.limit > v.n_max)
		snprintf(w->broken, sizeof(w->broken),
			 "cycle %" PRIu64
			 ", core %u: %u resident, %u running, %u paused, limit %u, N %u, oldest "
			 "paused %u, youngest running %u",
			 sim_cycle(w->s), core, v.resident, v.running, v.paused, v.limit, v.n_max,
			 oldest_paused, youngest_running);
}

/* Every change of state stops the run before the next cycle, so that each core has had the state of
 * the last check since then. */
static void
look_at_state(struct watch *w, unsigned core)
{
	struct core_view v;

	sim_core_view(w->s, core, &v);
	if ((w->state[core] >= CORE_PAUSED && v.warp_insts != w->insts[core]) ||
	    (v.state == CORE_OFF && v.resident))
		snprintf(w->broken, sizeof(w->broken),
			 "cycle %" PRIu64 ", core %u, %u resident: %" PRIu64
			 " instructions, %" PRIu64 " when it was in state %u",
			 sim_cycle(w->s), core, v.resident, v.warp_insts, w->insts[core],
			 w->state[core]);
	w->seen->held += v.state == CORE_PAUSED;
	w->seen->off += v.state == CORE_OFF;
	w->state[core] = (uint8_t)v.state;
	w->insts[core] = v.warp_insts;
}

static void
note(void *ctx, const struct event *ev)
{
	struct watch *w = ctx;

	if (ev->kind == EV_DETECTED) {
		bool lost = !strncmp(sim_event_rule(w->s, ev)->says, "not detected", 12);

		w->seen->found += !lost;
		w->seen->lost += lost;
	}
	if (ev->kind == EV_CTA_ISSUE) {
		struct core_view v;

		/* It may have become so just now. */
		sim_core_view(w->s, (unsigned)ev->core, &v);
		if (v.state != CORE_ACTIVE)
			snprintf(w->broken, sizeof(w->broken), "core %d took CTA %u in state %u",
				 ev->core, ev->cta, v.state);
	}
	sim_request_stop(w->s); /* checked between cycles */
}

static bool
run_watched(struct sim *s, const char *stack, const char *what, struct seen *seen)
{
	const char *cores = strstr(stack, "cores:n=");
	struct watch w = {.s = s,
			  .cores = cores ? (unsigned)atoi(cores + 8) : MAX_CORES,
			  .keeps = strstr(stack, "lcs"),
			  .pauses = strstr(stack, "dyncta") || strstr(stack, "dyncore") ||
				    strstr(stack, "equalizer"),
			  .seen = seen};
	struct err e = {0};
	enum sim_stop how;

	sim_listen(s, STOPS, note, &w);
	while ((how = sim_run(s, 2000000, &e)) == SIM_REQUESTED)
		for (unsigned c = 0; c < sim_instances(s, "core") && !w.broken[0]; c++) {
			look_at(&w, c);
			look_at_state(&w, c);
		}
	if (how != SIM_DONE)
		diag("%s: stopped with %d: %s", what, (int)how, e.msg);
	if (w.broken[0])
		diag("%s: %s", what, w.broken);
	return how == SIM_DONE && !w.broken[0];
}

/* With FAST=1, under a sanitizer, every third run. */
static bool
is_left_out(void)
{
	static unsigned n;

	return tap_is_fast() && n++ % 3;
}

/* Runs on a few clusters; wsched NULL: the machine's default. */
static void
finishes(struct trace *t, const char *trace, unsigned machine, const char *stack,
	 const char *wsched, struct seen *seen)
{
	struct config *c;
	struct sim *s;
	char what[128];

	if (is_left_out())
		return;
	c = model_config(model_machines[machine], stack);
	model_set(c, "gpu.clusters", model_get(c, "gpu.cores_per_cluster") == 1 ? "3" : "1");
	model_set(c, "gpu.balance", "off");
	if (wsched)
		config_wsched(c, wsched, NULL);
	s = model_sim(c, t);
	snprintf(what, sizeof(what), "%s on %s, %s, %s", trace, model_machines[machine], stack,
		 config_wsched_name(c));
	ok(run_watched(s, stack, what, seen), "%s: finishes", what);
	sim_free(s);
	config_free(c);
}

/* ---------------------------------------------------------------- the same twice */

static char *
dump(struct sim *s, size_t *n)
{
	static const char *const table[] = {"series", "events", "stats"};
	struct export_job j = {.sim = s, .run = 1, .to = CYCLE_NEVER};
	struct err e = {0};
	char *text = NULL;
	FILE *f = open_memstream(&text, n);

	for (unsigned i = 0; f && i < sizeof(table) / sizeof(table[0]); i++)
		if (export_write(&j, table[i], f, &e) < 0)
			model_die(table[i], &e);
	if (!f || fclose(f) != 0)
		model_die("open_memstream", NULL);
	return text;
}

/* sim.seconds and sim.cycles_per_second depend on the host, so rows that name them do not count.
 * (No string functions here: a strict sanitizer would examine all that follows in each.) */
static void
without_host_rows(char *text, size_t size)
{
	char *out = text;

	for (char *p = text; p < text + size;) {
		size_t left = (size_t)(text + size - p);
		char *end = memchr(p, '\n', left);
		size_t n = end ? (size_t)(end - p) + 1 : left;
		bool host = false;

		for (size_t i = 0; i + 4 <= n; i++)
			host |= !memcmp(p + i, "sim.", 4);
		if (!host) {
			memmove(out, p, n);
			out += n;
		}
		p += n;
	}
	*out = '\0';
}

static void
twice(struct trace *t, const char *trace, const char *machine, const char *stack)
{
	struct config *c = model_config(machine, stack);
	char *text[2];
	uint64_t digest[2];
	size_t n;

	model_set(c, "run.sample", "64");
	for (unsigned i = 0; i < 2; i++) {
		struct sim *s = model_sim(c, t);

		model_run(s);
		digest[i] = sim_digest(s);
		text[i] = dump(s, &n);
		without_host_rows(text[i], n);
		sim_free(s);
	}
	ok(digest[0] == digest[1] && !strcmp(text[0], text[1]) && strlen(text[0]) > 1000,
	   "%s on %s, %s: the same bytes twice, %zu of them", trace, machine, stack,
	   strlen(text[0]));
	free(text[0]);
	free(text[1]);
	config_free(c);
}

int
main(void)
{
	unsigned records = model_fast() ? 24 : 60, ctas = model_fast() ? 10 : 20;
	struct seen seen = {.paused = 0};

	for (unsigned i = 0; i < N_MODEL_TRACES; i++) {
		struct trace *whole = model_reference(model_traces[i]);
		struct trace *t = model_shorter(whole, ctas, records);

		trace_close(whole);
		for (unsigned m = 0; m < N_MODEL_MACHINES; m++) {
			if (!model_runs(i, m))
				continue;
			for (unsigned k = 0; k < N_STACKS; k++)
				finishes(t, model_traces[i], m, stacks[k], NULL, &seen);
			for (unsigned w = 0; wsched_names[w]; w++) {
				finishes(t, model_traces[i], m, "rr", wsched_names[w], &seen);
				finishes(t, model_traces[i], m,
					 "dyncta:period=64,t_mem_l=4,t_mem_h=12", wsched_names[w],
					 &seen);
			}
			twice(t, model_traces[i], model_machines[m], "dyncta:period=128+claso");
			if (m != i % N_MODEL_MACHINES)
				continue;
			twice(t, model_traces[i], model_machines[m],
			      "htcs:mon_cycle=64,monitor=200,thr=1+dyncta:period=64+claso");
		}
		trace_close(t);
	}
	ok(seen.paused > 100, "among them many with paused CTAs: seen %u times", seen.paused);
	ok(seen.held > 500 && seen.off > 500, "with cores paused, %u times, and off, %u times",
	   seen.held, seen.off);
	ok(seen.found > 20 && seen.lost > 20,
	   "and detections of the cores needed: %u with an outcome, %u without", seen.found,
	   seen.lost);
	return done();
}
