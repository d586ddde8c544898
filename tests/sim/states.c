/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * states.c - policies that switch cores off or hold them back: every workload finishes; a core that
 * is off holds no CTA and issues nothing; a throttled core issues no global, local or texture
 * access and takes no CTA; no credit is lost or created.
 *
 * Short kernels run on a few cores, with periods so short and thresholds so low that the policies
 * act all the time. The machine is checked after every cycle in which something changed; what
 * happens between two checks shows in the counters. Credits are tracked independently, from the
 * events alone.
 */
#include "sim/sim_priv.h"
#include "tests/tap.h"
#include "tests/sim/model.h"

#define TCS "mon_cycle=64,monitor=200,thr=1"

static const char *const stacks[] = {
	"dyncore:period=64",
	"dyncore:period=64,off=2,wake=90",
	"dyncta:period=64+dyncore:period=256,t_act=500,off=2+claso",
	"claso:pa=2,pl=1+dyncore:period=64,t_act=100,off=1",
	"tcs:" TCS,
	"tcs:stall=run," TCS,
	"tcs:throttle=off," TCS,
	"tcs:" TCS "+dyncta:period=64",
	"tcs:" TCS "+claso",
	"static:n=1+tcs:" TCS "+claso:pa=3",
	"htcs:" TCS,
	"htcs:throttle=off," TCS "+claso",
	"htcs:" TCS "+dyncta:period=128+claso",
	"cores:n=2+claso",
};
#define N_STACKS (sizeof(stacks) / sizeof(stacks[0]))

/* How many times each rule was checked, over all runs. */
struct seen {
	unsigned off, throttled, drained, credits, returned;
};

struct book { /* Credits according to the events. */
	bool known[MAX_CORES], global_known;
	int64_t local[MAX_CORES], global;
	unsigned granted;
};

struct watch {
	struct sim *s;
	uint8_t state[MAX_CORES]; /* at the last check */
	uint64_t issued[MAX_CORES];
	uint32_t head[MAX_CORES][MAX_WARPS], n_ctas[MAX_CORES];
	struct book book;
	struct seen *seen;
	char broken[200];
};

__attribute__((format(printf, 3, 4))) static void
broken(struct watch *w, unsigned core, const char *fmt, ...)
{
	size_t n;
	va_list ap;

	if (w->broken[0])
		return;
	n = (size_t)snprintf(w->broken, sizeof(w->broken),
			     "cycle %" PRIu64 ", core %u: ", sim_cycle(w->s), core);
	va_start(ap, fmt);
	vsnprintf(w->broken + n, sizeof(w->broken) - n, fmt, ap);
	va_end(ap);
}

/* ---------------------------------------------------------------- credits */

static void
entry(struct watch *w, unsigned core, const char *what, bool *known, int64_t *has, int64_t old,
      int64_t now)
{
	if (*known && *has != old)
		broken(w, core, "%s: %" PRId64 " credits, the book says %" PRId64, what, old, *has);
	*known = true;
	*has = now;
}

static void
book(struct watch *w, const struct event *ev)
{
	const char *rule = sim_event_rule(w->s, ev)->name;
	struct book *b = &w->book;
	unsigned c = (unsigned)ev->core;
	const int64_t *v = ev->v;

	w->seen->credits++;
	b->granted += ev->kind == EV_CREDIT && strcmp(rule, "credits-return");
	if (!strcmp(rule, "credits-return")) {
		w->seen->returned++;
		entry(w, c, rule, &b->known[c], &b->local[c], v[0], 0);
		entry(w, c, rule, &b->global_known, &b->global, v[1], v[2]);
		if (v[2] != MAX(v[1], 0) + v[0])
			broken(w, c, "%" PRId64 " credits return, global %" PRId64 " -> %" PRId64,
			       v[0], v[1], v[2]);
	} else if (!strcmp(rule, "returned-credit")) {
		b->local[c] = -1;
		entry(w, c, rule, &b->global_known, &b->global, v[0], v[1]);
	} else {
		entry(w, c, rule, &b->known[c], &b->local[c], v[0], v[1]);
		if (strstr(rule, "global"))
			entry(w, c, rule, &b->global_known, &b->global, v[3], v[4]);
	}
}

/* At the end the registers hold what the events say, and every CTA was granted once. */
static void
close_book(struct watch *w)
{
	for (unsigned c = 0; c < sim_instances(w->s, "core"); c++) {
		char path[64];

		snprintf(path, sizeof(path), "policy.claso.local.%u", c);
		if (w->book.known[c] && (int64_t)model_value(w->s, path) != w->book.local[c])
			broken(w, c, "the local register is not what the book says");
	}
	if (w->book.global_known &&
	    (int64_t)model_value(w->s, "policy.claso.global") != w->book.global)
		broken(w, 0, "the global register is not what the book says");
	if (w->book.granted != (unsigned)model_value(w->s, "gpu.ctas_issued"))
		broken(w, 0, "%u requests granted", w->book.granted);
}

/* ---------------------------------------------------------------- states */

/* Counts the records that a warp has issued since the last check while its core was throttled. */
static void
look_at_warp(struct watch *w, unsigned core, unsigned warp)
{
	const struct core_env *e = &w->s->core[core];

	for (uint32_t i = w->head[core][warp]; i < core_warp(e->core, warp)->head; i++) {
		const struct dinst *d = &e->di[e->stream[warp].rec[i].inst];

		w->seen->throttled++;
		if (d->cls == OP_TEX || ((d->fu == FU_MEM || d->fu == FU_TEX) &&
					 (d->space == SPACE_GLOBAL || d->space == SPACE_LOCAL ||
					  d->space == SPACE_TEX)))
			broken(w, core, "throttled, warp %u issued a memory access, record %u",
			       warp, i);
	}
}

static void
look_at(struct watch *w, unsigned core)
{
	const struct core *c = w->s->core[core].core;
	uint64_t live = core_masks(c).live;
	const struct cta_core *h = &w->s->stack.host->core[core];
	bool same = h->state == w->state[core];

	if (same && h->state != CORE_ACTIVE && h->resident > w->n_ctas[core])
		broken(w, core, "in state %u it took a CTA", (unsigned)h->state);
	if (h->state == CORE_OFF) {
		w->seen->off++;
		if (h->resident || live)
			broken(w, core, "off with %u CTAs", h->resident);
		if (same && core_stat(c)->warp_insts != w->issued[core])
			broken(w, core, "off, and issued %" PRIu64 " warp instructions",
			       core_stat(c)->warp_insts - w->issued[core]);
	}
	for (unsigned i = 0; same && h->state == CORE_THROTTLED && i < MAX_WARPS; i++)
		if (live >> i & 1)
			look_at_warp(w, core, i);
	w->seen->drained += same && h->state == CORE_DRAINING;
	w->state[core] = (uint8_t)h->state;
	w->issued[core] = core_stat(c)->warp_insts;
	w->n_ctas[core] = h->resident;
	for (unsigned i = 0; i < MAX_WARPS; i++)
		w->head[core][i] = core_warp(c, i)->head;
}

static void
note(void *ctx, const struct event *ev)
{
	struct watch *w = ctx;

	if (ev->kind == EV_CREDIT || ev->kind == EV_CREDIT_EXHAUSTED)
		book(w, ev);
	else
		sim_request_stop(w->s); /* checked between cycles */
}

static bool
run_watched(struct sim *s, const char *what, struct seen *seen)
{
	struct watch *w = calloc(1, sizeof(*w));
	struct err e = {0};
	enum sim_stop how;
	bool good;

	w->s = s;
	w->seen = seen;
	sim_listen(s, EV_ALL, note, w);
	while ((how = sim_run(s, 10000000, &e)) == SIM_REQUESTED)
		for (unsigned c = 0; c < sim_instances(s, "core"); c++)
			look_at(w, c);
	if (strstr(config_policy_text(sim_config(s)), "claso"))
		close_book(w);
	if (how != SIM_DONE)
		diag("%s: stopped with %d: %s", what, (int)how, e.msg);
	if (w->broken[0])
		diag("%s: %s", what, w->broken);
	good = how == SIM_DONE && !w->broken[0];
	free(w);
	return good;
}

/* ---------------------------------------------------------------- policies that do nothing */

static void
sums(struct sim *s, double sum[5])
{
	static const char *const path[] = {"core.%u.warp_insts", "core.%u.active", "core.%u.idle",
					   "core.%u.memory", "core.%u.l1_misses"};

	for (unsigned k = 0; k < 5; k++)
		for (unsigned c = 0; c < sim_instances(s, "core"); c++) {
			char text[64];

			snprintf(text, sizeof(text), path[k], c);
			/* Weighted by the core, so that it matters which one it is. */
			sum[k] += model_value(s, text) * (c + 1);
		}
}

/* Without cores to switch off, DYNCORE is DYNCTA; TCS that finds no core memory bound is rr. */
static void
nothing_to_do(struct trace *t, const char *trace)
{
	static const char *const pair[][2] = {{"dyncta:period=64", "dyncore:off=0,period=64"},
					      {"rr", "tcs:mon_cycle=64,thr=16M"}};

	for (unsigned i = 0; i < 2; i++) {
		uint64_t cycles[2];
		double sum[2][5] = {{0}};

		for (unsigned k = 0; k < 2; k++) {
			struct config *c = model_config("kayiran30", pair[i][k]);
			struct sim *s;

			model_set(c, "dyncta.period", "64");
			model_set(c, "gpu.clusters", "5");
			model_set(c, "gpu.balance", "off");
			s = model_sim(c, t);
			cycles[k] = model_run(s);
			sums(s, sum[k]);
			sim_free(s);
			config_free(c);
		}
		ok(cycles[0] && cycles[0] == cycles[1] && !memcmp(sum[0], sum[1], sizeof(sum[0])),
		   "%s, %s is %s to the cycle: %" PRIu64 ", %" PRIu64, trace, pair[i][1],
		   pair[i][0], cycles[0], cycles[1]);
	}
}

/* ---------------------------------------------------------------- from kernel to kernel */

/* Strided loads, then arithmetic, n CTAs of two warps each. */
static struct trace *
two_kernels(unsigned n)
{
	struct tb *b = tb_new();
	struct err e = {0};
	struct trace *t;

	for (unsigned k = 0; k < 2; k++) {
		uint32_t op, ex;

		tb_kernel(b, k ? "arithmetic" : "loads", n, 64, 16, 0, 70);
		op = k ? tb_inst(b, 0, "FFMA", "R4", "R4 R8 R9")
		       : tb_inst(b, 0, "LDG.E", "R4", "R2");
		ex = tb_inst(b, 16, "EXIT", "", "");
		for (unsigned c = 0; c < n; c++)
			for (unsigned w = 0; w < 2; w++) {
				for (unsigned i = 0; i < (k ? 100 : 6); i++)
					tb_emit(b, c, w, op, ~0u, k ? ADDR_NONE : ADDR_STRIDE,
						(((c * 2ull + w) * 40 + i) * 32) << 8, 256);
				tb_emit(b, c, w, ex, ~0u, ADDR_NONE, 0, 0);
			}
	}
	t = tb_finish(b, &e);
	if (!t)
		model_die("two kernels", &e);
	return t;
}

static unsigned
cores_off(const struct sim *s)
{
	unsigned n = 0;

	for (unsigned c = 0; c < sim_instances(s, "core"); c++)
		n += s->stack.host->core[c].state == CORE_OFF;
	return n;
}

/* Every core works again when the next kernel begins. */
static void
next_kernel(const char *policy, unsigned off_at_start)
{
	struct trace *t = two_kernels(36);
	struct config *c = model_config("kayiran30", policy);
	struct seen seen = {0};
	struct err e = {0};
	unsigned off = MAX_CORES;
	struct sim *s;

	model_set(c, "gpu.clusters", "2");
	model_set(c, "l1d.mshr", "8");
	s = model_sim(c, t);
	while (s->machine->ordinal < 2 && sim_run(s, sim_cycle(s) + 1, &e) == SIM_REACHED)
		off = cores_off(s);
	ok(s->machine->ordinal == 2 && sim_events(s)->count[EV_GATE],
	   "%s: cores went off in the first kernel", policy);
	is_u64(off, off_at_start, "%s: %u are when the second one begins", policy, off_at_start);
	ok(run_watched(s, policy, &seen), "%s: it finishes", policy);
	if (strstr(policy, "tcs"))
		is_u64(cores_off(s), 0, "%s: arithmetic needs every core", policy);
	sim_free(s);
	config_free(c);
	trace_close(t);
}

int
main(void)
{
	unsigned records = model_fast() ? 24 : 60, ctas = model_fast() ? 12 : 24;
	struct seen seen = {0};

	for (unsigned i = 0; i < N_MODEL_TRACES; i++) {
		struct trace *whole = model_reference(model_traces[i]);
		struct trace *t = model_shorter(whole, ctas, records);

		trace_close(whole);
		for (unsigned k = 0; k < N_STACKS; k++) {
			unsigned m = (i + k) % N_MODEL_MACHINES;
			struct config *c = model_config(model_machines[m], stacks[k]);
			struct sim *s;
			char what[160];

			model_set(c, "gpu.clusters",
				  model_get(c, "gpu.cores_per_cluster") == 1 ? "5" : "2");
			model_set(c, "gpu.balance", "off");
			model_set(c, "l1d.mshr", "4"); /* so that memory units stall */
			s = model_sim(c, t);
			snprintf(what, sizeof(what), "%s on %s, %s", model_traces[i],
				 model_machines[m], stacks[k]);
			ok(run_watched(s, what, &seen), "%s", what);
			sim_free(s);
			config_free(c);
		}
		nothing_to_do(t, model_traces[i]);
		trace_close(t);
	}
	next_kernel("tcs:mon_cycle=256,monitor=1000", 0);
	next_kernel("htcs:mon_cycle=256,monitor=1000", 3);
	next_kernel("dyncore:period=64,t_act=30", 0);
	ok(seen.off > 100 && seen.throttled > 100 && seen.drained > 100,
	   "seen: %u looks at a core that is off, %u instructions of throttled cores, %u looks at "
	   "draining ones",
	   seen.off, seen.throttled, seen.drained);
	ok(seen.credits > 1000 && seen.returned > 10,
	   "%u entries in the books of credits, %u cores gave theirs back", seen.credits,
	   seen.returned);
	return done();
}
