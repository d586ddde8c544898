/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * look.c - shows the machine as plain structs: cores, warps, channels, and why a core takes no CTA.
 */
#include "sim/sim_priv.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const warp_status_names[] = {"free",  "ready",  "memory",	 "dependence", "barrier",
					 "fence", "atomic", "unfetched", "draining"};

static unsigned
count_bits(uint64_t m)
{
	return (unsigned)__builtin_popcountll(m);
}

static void
look_at_slots(const struct sim *s, unsigned core, struct core_view *v)
{
	const struct core *c = s->core[core].core;

	v->n_slots = MIN(v->n_max, MAX_CTAS);
	for (uint32_t k = core_used(c); k; k &= k - 1) {
		unsigned i = (unsigned)__builtin_ctz(k);
		struct core_slot slot = core_slot(c, i);

		v->n_slots = MAX(v->n_slots, i + 1);
		v->slot[i] = (struct cta_slot_view){.used = true,
						    .paused = core_paused(c) >> i & 1,
						    .held = core_held(c) >> i & 1,
						    .cta = slot.cta,
						    .issued = slot.issued,
						    .kernel = concurrent_kernel_of(s, core, i),
						    .warps = count_bits(slot.all_warps),
						    .warps_left = count_bits(slot.warps),
						    .order = slot.order};
	}
}

/* Counts warps by condition, as the class of a cycle does (ctascope-model(7) 14): those of a
 * held CTA count as absent. */
void
look_at_warps(const struct core_masks *m, struct core_view *v)
{
	uint64_t here = m->live & ~(m->done | m->absent), act = here & ~m->barrier;
	uint64_t waits = m->membar | m->atomic | m->depbar;

	v->warps = count_bits(m->live);
	v->warps_done = count_bits(m->live & m->done);
	v->warps_held = count_bits(m->live & m->absent & ~m->done);
	v->warps_barrier = count_bits(here & m->barrier);
	v->warps_ready = count_bits(m->ready & act & ~waits);
	v->warps_memory = count_bits((m->memwait | waits) & act);
	v->warps_unfetched = count_bits(act & ~m->fetched & ~waits);
	v->warps_dependence =
		count_bits(act) - v->warps_ready - v->warps_memory - v->warps_unfetched;
}

static bool
period_over(const struct sim *s)
{
	for (unsigned i = 0; i < s->stack.n; i++)
		if (s->stack.policy[i].ops->n_gauges &&
		    s->stack.host->kept_at[i] == s->machine->cycle)
			return true;
	return false;
}

void
sim_core_view(const struct sim *s, unsigned core, struct core_view *v)
{
	struct sim copy;
	const struct core *c = s->core[core].core;
	const struct core_stat *st = core_stat(c);
	const struct core_masks m = core_masks(c);
	const struct cta_core sum = kernels_core(s, core), *h = &sum;
	unsigned n = series_count(s);
	double credits = view_credits(s, true, core);
	cycle_t next;

	s = kernels_show_core(s, core, &copy);
	next = cta_next_period(&s->stack);
	*v = (struct core_view){.core = core,
				.kernel = sim_kernel_shown(s),
				.cluster = s->cluster_of[core],
				.state = h->state,
				.n_max = h->n_max,
				.limit = h->limit,
				.resident = h->resident,
				.running = h->running,
				.paused = h->paused,
				.period_left = next == CYCLE_NEVER ? CYCLE_NEVER
								   : next - s->machine->cycle,
				.warp_insts = st->warp_insts,
				.thread_insts = st->thread_insts,
				.mshr_used = s->core[core].ldst.mshr[L1_DATA].state->used,
				.mshr_max = s->core[core].ldst.mshr[L1_DATA].entries};
	look_at_warps(&m, v);
	v->warps_held_back = count_bits(core_ready_but_held_back(&s->core[core]));
	memcpy(v->class_cycles, st->cls, sizeof(v->class_cycles));
	v->period_c_mem =
		(uint64_t)look_count(s, core, "C_mem", st->c_mem - s->stack.host->base_c_mem[core]);
	v->period_c_idle = (uint64_t)look_count(s, core, "C_idle",
						st->c_idle - s->stack.host->base_c_idle[core]);
	v->period_over = period_over(s);
	v->ract = s->machine->cycle > st->cls[CC_GATED]
			  ? (double)st->cls[CC_ACTIVE] /
				    (double)(s->machine->cycle - st->cls[CC_GATED])
			  : (double)NAN;
	v->ract_now = n ? series_core(s, SC_RACT, core, n - 1) : (double)NAN;
	look_at_slots(s, core, v);
	v->has_credits = !isnan(credits);
	v->credits_local = v->has_credits ? (int64_t)credits : 0;
}

enum core_wait
core_wait_of(const struct core_view *v)
{
	unsigned unfinished = v->warps - v->warps_done - v->warps_held;
	unsigned act = unfinished - v->warps_barrier;

	if (v->warps_ready)
		return v->warps_ready > v->warps_held_back ? WAIT_NOTHING : WAIT_POLICY;
	if (!v->resident)
		return WAIT_CTA;
	if (!unfinished)
		return v->warps_held ? WAIT_HELD : WAIT_END;
	if (!act)
		return WAIT_BARRIER;
	if (v->warps_memory == act)
		return WAIT_MEMORY;
	return v->warps_unfetched == act ? WAIT_FETCH : WAIT_RESULT;
}

const char *
core_state_text(const struct core_view *v)
{
	static const char *const text[CORE_WAITS] = {
		[WAIT_NOTHING] = "active",
		[WAIT_POLICY] = "held back",
		[WAIT_CTA] = "no CTA",
		[WAIT_MEMORY] = "waits for memory",
		[WAIT_RESULT] = "waits for results",
		[WAIT_FETCH] = "waits for a fetch",
		[WAIT_BARRIER] = "at barriers",
		[WAIT_HELD] = "CTAs held",
		[WAIT_END] = "warps finished",
	};

	return v->state != CORE_ACTIVE ? core_state_names[v->state] : text[core_wait_of(v)];
}

bool
sim_sub_cores(const struct sim *s)
{
	return s->shape.sub_cores;
}

void
sim_sub_view(const struct sim *s, unsigned core, unsigned sub, struct sub_view *v)
{
	const struct core *c = s->core[core].core;
	const struct core_stat *st = core_stat(c);
	struct core_masks m = core_masks(c);
	struct core_view w;

	m.live &= s->shape.sched_warps[sub];
	look_at_warps(&m, &w);
	*v = (struct sub_view){.warps = w.warps,
			       .ready = w.warps_ready,
			       .memory = w.warps_memory,
			       .dependence = w.warps_dependence,
			       .barrier = w.warps_barrier,
			       .unfetched = w.warps_unfetched,
			       .done = w.warps_done,
			       .held = w.warps_held,
			       .issued =
				       s->shape.n_sched > 1 ? st->issued_by[sub] : st->warp_insts};
	v->stalled = st->occupied > v->issued ? st->occupied - v->issued : 0;
}

bool
sim_place(const struct sim *s, unsigned core, unsigned *x, unsigned *y, unsigned *w, unsigned *h)
{
	const struct mesh_map *m = &s->mesh;
	unsigned node = m->nodes ? m->cluster[s->cluster_of[core]] : 0;

	if (!m->nodes)
		return false;
	*x = m->x[node];
	*y = m->y[node];
	*w = m->width;
	*h = (m->nodes + m->width - 1u) / m->width;
	return true;
}

unsigned
sim_channels(const struct sim *s)
{
	return s->n_channels;
}

void
sim_mem_view(const struct sim *s, unsigned channel, struct mem_view *v)
{
	channel_look(&s->channel[channel], v);
}

/* ---------------------------------------------------------------- occupancy */

bool
sim_occupancy(const struct sim *s, unsigned kernel, struct occupancy_view *v)
{
	const struct ldst_env *unit = &s->core[0].ldst;
	uint32_t unified = s->cfg->ldst.unified << 10, n_max = s->machine->n_max;
	struct cta_limits l = s->machine->limits;
	bool runs = s->machine->running;

	if (s->concurrent && kernel) {
		n_max = kernel_most_ctas(s, kernel - 1, &l);
		runs = kernel_host(s, kernel - 1);
	}
	*v = (struct occupancy_view){.threads = l.threads,
				     .registers = l.registers,
				     .shmem = l.shmem,
				     .slots = l.hard,
				     .n_max = n_max};
	v->fit = MIN(MIN(l.threads, l.registers), MIN(l.shmem, l.hard));
	if (unified) {
		v->unified_bytes = unified;
		v->l1_ways = unit->ways;
		v->shared_bytes =
			unified - (uint32_t)unit->ways * s->cfg->l1d.sets * s->cfg->l1d.line;
	}
	return runs;
}

unsigned
sim_occupancy_limiters(const struct sim *s, unsigned kernel, const char *name[OCCUPANCY_LIMITERS])
{
	struct occupancy_view v;
	unsigned n = 0;

	if (!sim_occupancy(s, kernel, &v))
		return 0;
	if (v.n_max < v.fit) {
		name[0] = "gpu.balance";
		return 1;
	}
	if (v.threads == v.fit)
		name[n++] = "threads";
	if (v.registers == v.fit)
		name[n++] = "registers";
	if (v.shmem == v.fit)
		name[n++] = "shared memory";
	if (v.slots == v.fit)
		name[n++] = "slots";
	return n;
}

/* ---------------------------------------------------------------- why not */

/* All slots are taken: which resource limits their number? */
static struct reason
occupancy_limiter(const struct sim *s)
{
	const struct machine *m = s->machine;
	const struct core_cfg *k = &s->cfg->core;
	const struct trace_kernel *t = &s->info->kernel[s->stack.host->kernel];
	const struct cta_limits *l = &m->limits;
	struct occupancy_view v;
	uint32_t fit;

	sim_occupancy(s, s->stack.host->kernel + 1, &v);
	fit = v.fit;
	if (m->n_max < fit)
		return (struct reason){HR_BALANCE, {m->n_max, fit, (int64_t)t->n_cta, s->n_cores}};
	if (l->hard == fit)
		return (struct reason){HR_HARD_LIMIT, {l->hard}};
	if (l->registers == fit)
		return (struct reason){HR_REGISTERS,
				       {fit, t->threads_per_cta, t->regs, k->registers}};
	if (l->shmem == fit)
		return (struct reason){HR_SHMEM, {fit, t->shmem, k->shmem}};
	if (t->threads_per_cta % WARP_SIZE)
		return (struct reason){HR_WARPS, {fit, t->warps_per_cta, k->threads / WARP_SIZE}};
	return (struct reason){HR_THREADS, {fit, t->threads_per_cta, k->threads}};
}

static void
view_refusal(const struct sim *s, unsigned core, struct reason why, struct refusal_view *v)
{
	cta_refuse(&s->stack, core, POLICY_HOST, true, &why, v);
}

static void
drop_event(void *ctx, struct event *ev)
{
	(void)ctx;
	(void)ev;
}

/* Asks the policies as for a real issue, including credits, but on a copy of the host, so that
 * nothing is spent. */
static int
ask_selected_kernel(const struct sim *s, unsigned core, struct refusal_view *v)
{
	struct cta_stack stack = s->stack;
	const struct cta_host *h = s->stack.host;
	struct reason why;
	struct cta_host *copy = s->machine->running ? malloc(stack.bytes) : NULL;
	cycle_t launched = s->machine->launched + s->cfg->gpu.launch_latency;

	*v = (struct refusal_view){.kind = REFUSE_NO_KERNEL};
	if (!copy) {
		view_refusal(s, core, (struct reason){.rule = HR_NO_KERNEL}, v);
		return s->machine->running ? -1 : 0;
	}
	memcpy(copy, h, stack.bytes);
	stack.host = copy;
	stack.emit = drop_event;
	if (h->issued < h->n_cta && s->concurrent && !concurrent_has_room(s, core, &why)) {
		view_refusal(s, core, why, v);
	} else if (!cta_may_issue(&stack, core, true, v)) {
		if (v->kind == REFUSE_HARD_LIMIT)
			view_refusal(s, core, occupancy_limiter(s), v);
	} else if (s->cfg->gpu.launch_latency && s->machine->cycle <= launched) {
		view_refusal(s, core, (struct reason){HR_LAUNCH, {(int64_t)launched}}, v);
	} else {
		view_refusal(s, core, (struct reason){.rule = HR_ORDER}, v);
	}
	free(copy);
	return 0;
}

/* A policy chooses between kernels, and names none for this core. */
static void
view_no_choice(const struct sim *s, unsigned core, const struct cta_choice *choice,
	       struct refusal_view *v)
{
	*v = (struct refusal_view){.kind = REFUSE_OTHER_KERNEL};
	if (choice->why.rule == RULE_NONE)
		view_refusal(s, core, (struct reason){.rule = HR_NO_CHOICE}, v);
	else
		cta_refuse(&s->stack, core, s->stack.policy[choice->by].id, false, &choice->why, v);
}

/* All kernels that run have issued their CTAs. */
static void
view_no_ctas(const struct sim *s, unsigned core, struct refusal_view *v)
{
	int64_t ctas = 0;

	for (unsigned i = 0; i < s->n_places; i++)
		if (s->concurrent->place[i].runs)
			ctas += (int64_t)s->host[i]->n_cta;
	*v = (struct refusal_view){.kind = REFUSE_NO_CTA};
	view_refusal(s, core, (struct reason){HR_NO_CTAS, {ctas, s->machine->running}}, v);
}

/* Asks about the kernel in a place, or without one about the selected one. It is selected in a
 * copy.
 */
static int
ask_kernel_in(const struct sim *s, unsigned place, unsigned core, struct refusal_view *v)
{
	struct concurrent concurrent = *s->concurrent;
	struct machine machine = *s->machine;
	struct sim copy = *s;
	char text[sizeof(v->text) - 20]; /* room for the name before it */
	int rc, n;

	copy.concurrent = &concurrent;
	copy.machine = &machine;
	if (place != s->n_places)
		concurrent_select(&copy, place);
	rc = ask_selected_kernel(&copy, core, v);
	if (rc || !machine.running)
		return rc;
	v->kernel = copy.stack.host->kernel + 1;
	snprintf(text, sizeof(text), "%.*s", (int)sizeof(text) - 1, v->text);
	n = snprintf(v->text, sizeof(v->text), "kernel %u: ", v->kernel);
	snprintf(v->text + n, sizeof(v->text) - (size_t)n, "%s", text);
	v->cause += (unsigned)n;
	return 0;
}

/* Of several kernels, the one whose turn it is on this core gives the reason, which then names it.
 */
int
sim_why_not(const struct sim *s, unsigned core, struct refusal_view *v)
{
	struct cta_choice choice;
	unsigned place;

	v->kernel = 0;
	if (!s->concurrent)
		return ask_selected_kernel(s, core, v);
	place = concurrent_pick(s, core, &choice);
	if (place == s->n_places && choice.by != POLICY_HOST) {
		view_no_choice(s, core, &choice, v);
		return 0;
	}
	if (place == s->n_places)
		place = concurrent_oldest_with_ctas(s);
	if (place == s->n_places && s->machine->running > 1) {
		view_no_ctas(s, core, v);
		return 0;
	}
	return ask_kernel_in(s, place, core, v);
}

int
sim_why_not_kernel(const struct sim *s, unsigned core, unsigned kernel, struct refusal_view *v)
{
	v->kernel = 0;
	for (unsigned i = 0; s->concurrent && i < s->n_places; i++)
		if (s->concurrent->place[i].runs && s->host[i]->kernel + 1 == kernel)
			return ask_kernel_in(s, i, core, v);
	if (s->concurrent || !s->machine->ordinal || s->stack.host->kernel + 1 != kernel)
		return 1;
	return ask_selected_kernel(s, core, v);
}

/* ---------------------------------------------------------------- gauges */

unsigned
sim_gauges(const struct sim *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->stack.n; i++)
		n += s->stack.policy[i].ops->n_gauges;
	return n;
}

/* Reads a gauge now. The counters in the host are those of the policy's last decision, so
 * present ones are read into a copy. */
static struct cta_reading
read_now(const struct sim *s, unsigned p, unsigned i, unsigned core)
{
	bool one = s->stack.policy[p].ops->gauges[i].per_core;
	struct cta_core cores[MAX_CORES];
	struct cta_reading r[CTA_GAUGES];

	memcpy(cores, s->stack.host->core, s->n_cores * sizeof(cores[0]));
	for (unsigned c = one ? core : 0; c < (one ? core + 1 : s->n_cores); c++)
		ctas_read_counters(s, c, &cores[c]);
	cta_read_gauges(&s->stack, p, core, cores, r);
	return r[i];
}

/* Finds a gauge of the stack. */
static const struct cta_gauge *
find_gauge(const struct sim *s, unsigned *p, unsigned *i)
{
	for (*p = 0; *i >= s->stack.policy[*p].ops->n_gauges; ++*p)
		*i -= s->stack.policy[*p].ops->n_gauges;
	return &s->stack.policy[*p].ops->gauges[*i];
}

/* Of the kernel whose policies s->stack.host holds. */
static void
view_gauge(const struct sim *s, unsigned i, unsigned core, struct gauge_view *v)
{
	unsigned p;

	v->gauge = find_gauge(s, &p, &i);
	v->policy = s->stack.policy[p].ops;
	v->kernel = sim_kernel_shown(s);
	v->now = read_now(s, p, i, core);
	v->last = *cta_kept(&s->stack, p, i, v->gauge->per_core ? core : 0);
	v->last_end = s->stack.host->kept_at[p];
	v->shown = v->last_end == s->machine->cycle ? v->last : v->now;
}

void
sim_gauge_view(const struct sim *s, unsigned i, unsigned core, struct gauge_view *v)
{
	unsigned p, k = i;
	struct sim copy;

	view_gauge(find_gauge(s, &p, &k)->per_core ? kernels_show_core(s, core, &copy) : s, i, core,
		   v);
}

bool
sim_gauge_of_kernel(const struct sim *s, unsigned ordinal, unsigned i, unsigned core,
		    struct gauge_view *v)
{
	struct cta_host *h = s->concurrent ? kernel_host(s, ordinal) : s->stack.host;
	struct sim copy = *s;

	if (!h)
		return false;
	copy.stack.host = h;
	view_gauge(&copy, i, core, v);
	return true;
}

/* A count of a core by the name of a gauge: as shown by the first policy that has this gauge,
 * otherwise what the core counted since the period began. */
double
look_count(const struct sim *s, unsigned core, const char *gauge, uint64_t counted)
{
	for (unsigned p = 0; p < s->stack.n; p++)
		for (unsigned i = 0; i < s->stack.policy[p].ops->n_gauges; i++) {
			const struct cta_gauge *g = &s->stack.policy[p].ops->gauges[i];
			double v;

			if (!g->per_core || strcmp(g->name, gauge))
				continue;
			v = s->stack.host->kept_at[p] == s->machine->cycle
				    ? cta_kept(&s->stack, p, i, core)->value
				    : read_now(s, p, i, core).value;
			return v >= 0 ? v : (double)counted;
		}
	return (double)counted;
}

cycle_t
sim_period(const struct sim *s, cycle_t *done)
{
	return cta_period(&s->stack, done);
}

/* ---------------------------------------------------------------- events, kernels */

const struct event_ring *
sim_events(const struct sim *s)
{
	return s->events;
}

void
sim_event_text(const struct sim *s, const struct event *ev, char *buf, size_t size)
{
	cta_event_text(&s->stack, ev, buf, size);
}

void
sim_event_sentence(const struct sim *s, const struct event *ev, char *buf, size_t size)
{
	cta_event_sentence(&s->stack, ev, true, buf, size);
}

void
sim_event_cause(const struct sim *s, const struct event *ev, char *buf, size_t size)
{
	cta_event_sentence(&s->stack, ev, false, buf, size);
}

const struct rule *
sim_event_rule(const struct sim *s, const struct event *ev)
{
	return cta_rule(&s->stack, ev->policy, ev->rule);
}

const char *
sim_event_policy(const struct sim *s, const struct event *ev)
{
	return ev->policy < s->stack.n_seen ? s->stack.seen[ev->policy]->name : "host";
}

bool
sim_event_is_decision(const struct event *ev)
{
	return ev->policy != POLICY_HOST || ev->kind == EV_CTA_ISSUE || ev->kind == EV_FORCED;
}

uint64_t
sim_periods(const struct sim *s)
{
	return kernels_periods(s);
}
