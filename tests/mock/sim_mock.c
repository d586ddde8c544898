/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim_mock.c - a toy machine behind sim.h: life, running, snapshots (see sim_mock.h).
 *
 * A CTA needs 20 + (7 * id mod 13) active cycles of its core; a core is active or waits for memory
 * in stretches of 16 cycles. That is enough for every command to have something to show.
 */
#include "base/clock.h"
#include "tests/mock/sim_mock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct rule mock_rules[MR_RULES] = {
	[MR_KERNEL_START] = {"kernel-start",
			     "kernel {0} starts with {1} CTAs",
			     {"kernel", "n_cta"}},
	[MR_KERNEL_END] = {"kernel-end", "kernel {0} ends after {1} cycles", {"kernel", "cycles"}},
	[MR_ISSUE] = {"issue", "slot {0}, {1} of {2} CTAs issued", {"slot", "issued", "n_cta"}},
	[MR_DONE] = {"done", "slot {0} is free after {1} cycles", {"slot", "cycles"}},
	[MR_IDLE] = {"idle-high",
		     "C_idle {0} >= t_idle {1}, limit {2} -> {3}",
		     {"c_idle", "t_idle", "old", "limit"}},
	[MR_MEM_LOW] = {"mem-low",
			"C_mem {0} < t_mem_l {1}, limit {2} -> {3}",
			{"c_mem", "t_mem_l", "old", "limit"}},
	[MR_MEM_HIGH] = {"mem-high",
			 "C_mem {0} >= t_mem_h {1}, limit {2} -> {3}",
			 {"c_mem", "t_mem_h", "old", "limit"}},
	[MR_KEEP] = {"keep",
		     "t_mem_l {0} <= C_mem {1} < t_mem_h {2}, limit stays {3}",
		     {"t_mem_l", "c_mem", "t_mem_h", "limit"}},
	[MR_PAUSE] =
		{"pause",
		 "C_mem {0} >= t_mem_h {1}, limit {2} -> {3}, paused CTA {4} (youngest of {5})",
		 {"c_mem", "t_mem_h", "old", "limit", "cta", "running"}},
	[MR_RESUME] = {"resume",
		       "limit {0}, resumed CTA {1} (oldest of {2} paused)",
		       {"limit", "cta", "paused"}},
	[MR_CREDIT] = {"spend",
		       "local credits {0} -> {1}, global {2} -> {3}",
		       {"local_old", "local", "global_old", "global"}},
	[MR_REFUSE] = {"refuse", "local credits {0}, global {1}: below zero", {"local", "global"}},
	[MR_SAMPLE] = {"sample", "sample {0} of {1} cycles", {"sample", "cycles"}},
};

/* ---------------------------------------------------------------- life */

struct sim *
sim_new(const struct config *c, struct trace *t ATTR_UNUSED, struct err *e)
{
	struct sim *s = calloc(1, sizeof(*s));

	if (s)
		s->ring = malloc(event_ring_size(MOCK_EVENTS));
	if (s)
		s->config = mock_config_copy(c);
	if (!s || !s->ring || !s->config) {
		err_set(e, "out of memory");
		sim_free(s);
		return NULL;
	}
	event_ring_init(s->ring, MOCK_EVENTS);
	return s;
}

void
sim_free(struct sim *s)
{
	if (!s)
		return;
	config_free(s->config);
	free(s->ring);
	free(s);
}

int
sim_set(struct sim *s, const char *key, const char *value, struct err *e)
{
	const struct opt_group *g;

	if (opt_find(&s->config->db, key, &g) && !g->live)
		return err_set(e, "option '%s' is fixed for the run", key);
	return opt_set(&s->config->db, key, value, e);
}

int
sim_set_policy(struct sim *s, const char *stack, char *note, size_t size, struct err *e)
{
	char old[128];

	snprintf(old, sizeof(old), "%s", s->config->policy);
	if (config_policy(s->config, stack, e))
		return -1;
	if (note)
		snprintf(note, size,
			 "%s hands over to %s: resident CTAs stay, counters of the period start at "
			 "0",
			 old, s->config->policy);
	return 0;
}

/* ---------------------------------------------------------------- one cycle */

uint32_t
mock_n_max(const struct sim *s)
{
	return s->st.started >= 2 ? 4 : MOCK_SLOTS;
}

uint32_t
mock_resident(const struct mock_core *c, uint32_t *running)
{
	uint32_t n = 0, run = 0;

	for (unsigned i = 0; i < MOCK_SLOTS; i++) {
		n += c->slot[i].used;
		run += c->slot[i].used && !c->slot[i].paused;
	}
	if (running)
		*running = run;
	return n;
}

void
mock_emit(struct sim *s, enum event_kind kind, unsigned policy, unsigned rule, int core, int slot,
	  uint32_t cta, unsigned n, const int64_t *v)
{
	struct event ev = {.cycle = s->st.cycle,
			   .cta = cta,
			   .core = (int16_t)core,
			   .slot = (int16_t)slot,
			   .kind = (uint8_t)kind,
			   .policy = (uint8_t)policy,
			   .rule = (uint8_t)rule,
			   .n_v = (uint8_t)n,
			   .kernel = s->st.started ? s->st.started - 1 : 0};

	for (unsigned i = 0; i < n; i++)
		ev.v[i] = v[i];
	event_ring_add(s->ring, &ev);
	if (s->listen && s->listen_mask & EV_BIT(kind))
		s->listen(s->listen_ctx, &ev);
}

#define V(...)                                                       \
	(unsigned)ARRAY_LEN(((int64_t[]){__VA_ARGS__})), (int64_t[]) \
	{                                                            \
		__VA_ARGS__                                          \
	}

static void
start_kernel(struct sim *s)
{
	struct mock_state *st = &s->st;
	const struct trace_kernel *k = &mock_kernel[st->started];
	int64_t n = (int64_t)k->n_cta;

	st->k_start[st->started] = st->cycle;
	st->k_end[st->started] = CYCLE_NEVER;
	st->started++;
	st->running = true;
	st->issued = st->done = 0;
	st->credits_global = (n - 1) % MOCK_CORES + 1 + (s->config->claso.pa - 1) * MOCK_CORES;
	for (unsigned c = 0; c < MOCK_CORES; c++) {
		st->core[c].limit = s->config->use_dyncta ? mock_n_max(s) / 2 : mock_n_max(s);
		st->core[c].credits = (n + MOCK_CORES - 1) / MOCK_CORES + s->config->claso.pl;
		st->core[c].asked = 0;
	}
	mock_emit(s, EV_KERNEL, POLICY_HOST, MR_KERNEL_START, -1, -1, UINT32_MAX,
		  V(st->started, n));
}

static struct mock_slot *
pick_slot(struct mock_core *c, bool paused, bool youngest)
{
	struct mock_slot *best = NULL;

	for (unsigned i = 0; i < MOCK_SLOTS; i++) {
		struct mock_slot *t = &c->slot[i];

		if (t->used && t->paused == paused &&
		    (!best ||
		     (youngest ? t->order_key > best->order_key : t->order_key < best->order_key)))
			best = t;
	}
	return best;
}

static void
resume_oldest(struct sim *s, unsigned core)
{
	struct mock_core *c = &s->st.core[core];
	uint32_t running, n = mock_resident(c, &running);
	struct mock_slot *t = pick_slot(c, true, false);

	if (!t || running >= c->limit)
		return;
	t->paused = false;
	mock_emit(s, EV_RESUME, 0, MR_RESUME, (int)core, (int)(t - c->slot), t->cta,
		  V(c->limit, t->cta, n - running));
}

static void
advance_core(struct sim *s, unsigned core)
{
	struct mock_core *c = &s->st.core[core];
	uint32_t running;
	enum cycle_class cls = CC_ACTIVE;

	mock_resident(c, &running);
	if (running == 0)
		cls = CC_IDLE;
	else if ((s->st.cycle / 16 + core) % 3 == 0)
		cls = CC_MEMORY;
	c->cls[cls]++;
	c->sample_cls[cls]++;
	c->c_mem += cls == CC_MEMORY;
	c->c_idle += cls == CC_IDLE;
	if (cls != CC_ACTIVE)
		return;
	c->warp_insts++;
	c->sample_insts++;
	for (unsigned i = 0; i < MOCK_SLOTS; i++) {
		struct mock_slot *t = &c->slot[i];

		if (!t->used || t->paused || --t->left)
			continue;
		t->used = false;
		c->asked = 0;
		s->st.done++;
		s->st.done_all++;
		mock_emit(s, EV_CTA_DONE, POLICY_HOST, MR_DONE, (int)core, (int)i, t->cta,
			  V(i, (int64_t)(s->st.cycle - t->issued)));
		resume_oldest(s, core);
	}
}

static bool
may_take(struct sim *s, unsigned core)
{
	struct mock_core *c = &s->st.core[core];
	uint32_t running, n = mock_resident(c, &running);
	int64_t old = c->credits, gold = s->st.credits_global;

	if (n >= mock_n_max(s) || n != running || running >= c->limit)
		return false;
	if (!s->config->use_claso)
		return true;
	if (c->asked)
		return false; /* one request per freed slot */
	c->credits = MAX(old - 1, -1);
	if (c->credits < s->config->claso.pa && c->credits >= 0)
		s->st.credits_global = MAX(gold - 1, -1);
	if (c->credits < 0 || s->st.credits_global < 0) {
		c->asked = 1;
		mock_emit(s, EV_CREDIT_EXHAUSTED, 1, MR_REFUSE, (int)core, -1, UINT32_MAX,
			  V(c->credits, s->st.credits_global));
		return false;
	}
	mock_emit(s, EV_CREDIT, 1, MR_CREDIT, (int)core, -1, UINT32_MAX,
		  V(old, c->credits, gold, s->st.credits_global));
	return true;
}

static void
issue_one(struct sim *s)
{
	struct mock_state *st = &s->st;
	const struct trace_kernel *k = &mock_kernel[st->started - 1];

	if (st->issued >= k->n_cta)
		return;
	for (unsigned i = 0; i < MOCK_CORES; i++) {
		unsigned core = (st->next_core + i) % MOCK_CORES;
		struct mock_core *c = &st->core[core];
		unsigned slot = 0;

		if (!may_take(s, core))
			continue;
		while (c->slot[slot].used)
			slot++;
		c->slot[slot] = (struct mock_slot){.used = true,
						   .cta = st->issued,
						   .order_key = st->order++,
						   .left = 20 + st->issued * 7 % 13,
						   .issued = st->cycle};
		st->issued++;
		st->issued_all++;
		st->next_core = core + 1;
		mock_emit(s, EV_CTA_ISSUE, POLICY_HOST, MR_ISSUE, (int)core, (int)slot,
			  st->issued - 1, V(slot, st->issued, (int64_t)k->n_cta));
		return;
	}
}

static void
decide(struct sim *s, unsigned core)
{
	struct mock_core *c = &s->st.core[core];
	const struct mock_dyncta *o = &s->config->dyncta;
	uint32_t old = c->limit, running, n = mock_resident(c, &running);
	int64_t mem = (int64_t)c->c_mem, idle = (int64_t)c->c_idle;
	unsigned rule = MR_KEEP;

	if (c->c_idle >= o->t_idle || c->c_mem < o->t_mem_l) {
		rule = c->c_idle >= o->t_idle ? MR_IDLE : MR_MEM_LOW;
		c->limit = MIN(old + 1, mock_n_max(s));
	} else if (c->c_mem >= o->t_mem_h) {
		rule = MR_MEM_HIGH;
		c->limit = MAX(old - 1, 1u);
	}
	int64_t keep[4] = {o->t_mem_l, mem, o->t_mem_h, old};
	int64_t move[4] = {rule == MR_IDLE ? idle : mem,
			   rule == MR_IDLE	? o->t_idle
			   : rule == MR_MEM_LOW ? o->t_mem_l
						: o->t_mem_h,
			   old, c->limit};

	mock_emit(s, EV_PERIOD, 0, rule, (int)core, -1, UINT32_MAX, 4,
		  rule == MR_KEEP ? keep : move);
	if (c->limit != old)
		mock_emit(s, EV_LIMIT, 0, rule, (int)core, -1, UINT32_MAX, 4, move);
	if (running > c->limit) {
		struct mock_slot *t = pick_slot(c, false, true);

		t->paused = true;
		mock_emit(s, EV_PAUSE, 0, MR_PAUSE, (int)core, (int)(t - c->slot), t->cta,
			  V(mem, o->t_mem_h, old, c->limit, t->cta, n));
	} else if (c->limit > old) {
		resume_oldest(s, core);
	}
	c->c_mem = c->c_idle = 0;
}

static void
end_kernel(struct sim *s)
{
	struct mock_state *st = &s->st;
	unsigned k = st->started - 1;

	if (!st->running || st->done < mock_kernel[k].n_cta)
		return;
	st->running = false;
	st->k_end[k] = st->cycle + 1;
	mock_emit(s, EV_KERNEL, POLICY_HOST, MR_KERNEL_END, -1, -1, UINT32_MAX,
		  V(k + 1, (int64_t)(st->cycle + 1 - st->k_start[k])));
}

static void
one_cycle(struct sim *s)
{
	if (!s->st.running)
		start_kernel(s);
	for (unsigned c = 0; c < MOCK_CORES; c++)
		advance_core(s, c);
	issue_one(s);
	if (s->config->use_dyncta && (s->st.cycle + 1) % s->config->dyncta.period == 0)
		for (unsigned c = 0; c < MOCK_CORES; c++)
			decide(s, c);
	if ((s->st.cycle + 1) % s->config->run.sample == 0)
		mock_close_sample(s);
	end_kernel(s);
	s->st.cycle++;
}

/* ---------------------------------------------------------------- running */

static enum sim_stop
run_loop(struct sim *s, cycle_t until, struct err *e)
{
	const struct mock_knobs *m = &s->config->mock;
	double last = clock_seconds();

	s->stop = false;
	while (s->st.cycle < until) {
		if (sim_done(s))
			return SIM_DONE;
		if (m->deadlock && s->st.cycle >= m->deadlock)
			return err_set(e,
				       "deadlock at cycle %ju: core 0 waits for a credit, 3 cores "
				       "have no CTA",
				       (uintmax_t)s->st.cycle),
			       SIM_DEADLOCK;
		if (m->fail && s->st.cycle >= m->fail)
			return err_set(e, "mock.ctr: the block of CTA 7 is damaged"), SIM_FAILED;
		one_cycle(s);
		if (m->slow)
			usleep(m->slow);
		if (s->each && s->each(s->each_ctx))
			s->stop = true;
		if (s->stop)
			return SIM_REQUESTED;
		if (s->poll && *s->poll)
			return SIM_INTERRUPTED;
		if (s->tick && (clock_seconds() - last) * 1000 >= s->tick_ms) {
			last = clock_seconds();
			if (s->tick(s->tick_ctx))
				return SIM_INTERRUPTED;
		}
	}
	return sim_done(s) ? SIM_DONE : SIM_REACHED;
}

enum sim_stop
sim_run(struct sim *s, cycle_t until, struct err *e)
{
	double start = clock_seconds();
	enum sim_stop why = run_loop(s, until, e);

	s->wall += clock_seconds() - start;
	return why;
}

void
sim_listen(struct sim *s, uint64_t mask, void (*fn)(void *, const struct event *), void *ctx)
{
	s->listen_mask = mask;
	s->listen = fn;
	s->listen_ctx = ctx;
}

void
sim_request_stop(struct sim *s)
{
	s->stop = true;
}

void
sim_each_cycle(struct sim *s, bool (*fn)(void *), void *ctx)
{
	s->each = fn;
	s->each_ctx = ctx;
}

void
sim_poll(struct sim *s, const volatile int *poll)
{
	s->poll = poll;
}

void
sim_every_ms(struct sim *s, unsigned ms, bool (*fn)(void *), void *ctx)
{
	s->tick_ms = ms;
	s->tick = fn;
	s->tick_ctx = ctx;
}

bool
sim_done(const struct sim *s)
{
	return !s->st.running && s->st.started == MOCK_KERNELS;
}

double
sim_wall_seconds(const struct sim *s)
{
	return s->wall;
}

/* ---------------------------------------------------------------- snapshots */

struct snapshot {
	struct mock_state st;
	struct event_ring *ring;
};

struct snapshot *
sim_save(struct sim *s, struct err *e)
{
	struct snapshot *k = malloc(sizeof(*k));
	struct event_ring *ring = malloc(event_ring_size(MOCK_EVENTS));

	if (!k || !ring) {
		free(k);
		free(ring);
		err_set(e, "out of memory");
		return NULL;
	}
	k->st = s->st;
	k->ring = memcpy(ring, s->ring, event_ring_size(MOCK_EVENTS));
	return k;
}

int
sim_restore(struct sim *s, const struct snapshot *k, struct err *e ATTR_UNUSED)
{
	s->st = k->st;
	memcpy(s->ring, k->ring, event_ring_size(MOCK_EVENTS));
	s->generation++;
	return 0;
}

void
snapshot_free(struct snapshot *k)
{
	if (k)
		free(k->ring);
	free(k);
}

cycle_t
snapshot_cycle(const struct snapshot *k)
{
	return k->st.cycle;
}

size_t
snapshot_bytes(const struct snapshot *k ATTR_UNUSED)
{
	return sizeof(struct mock_state) + event_ring_size(MOCK_EVENTS);
}
