/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim.c - a run: created, continued to a cycle, interrupted.
 */
#include "base/clock.h"
#include "base/human.h"
#include "sim/sim_priv.h"
#include "sim/threads.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static cycle_t
present_cycle(void *ctx)
{
	return ((struct sim *)ctx)->machine->cycle;
}

/* Creates a sim. like: NULL, or a sim whose numbering of policies it shares. */
static struct sim *
create_sim(const struct config *c, struct trace *t, const struct sim *like, struct err *e)
{
	struct sim *s = calloc(1, sizeof(*s));

	if (!s) {
		err_nomem(e);
		return NULL;
	}
	s->trace = t;
	s->info = trace_info(t);
	s->cfg = config_copy(c);
	if (!s->cfg) {
		err_nomem(e);
		goto fail;
	}
	s->stack.cycle = present_cycle;
	if (like) {
		memcpy(s->stack.seen, like->stack.seen, sizeof(s->stack.seen));
		s->stack.n_seen = like->stack.n_seen;
	}
	if (config_check(s->cfg, e) < 0 || sim_build(s, e) < 0)
		goto fail;
	kernel_launch_next(s);
	if (s->failure.set) {
		if (e)
			*e = s->failure;
		goto fail;
	}
	return s;
fail:
	sim_free(s);
	return NULL;
}

struct sim *
sim_new(const struct config *c, struct trace *t, struct err *e)
{
	return create_sim(c, t, NULL, e);
}

struct sim *
sim_twin(struct sim *s, struct err *e)
{
	struct sim *t = create_sim(s->cfg, s->trace, s, e);

	if (t) {
		t->twin_of = s;
		t->cfg->run.max_thread_insts = 0;
		t->cfg->run.deadlock = (uint64_t)1 << 40;
	}
	return t;
}

/* Restarts at cycle 0. The arena holds no pointers, so the arena of a new machine with the same
 * configuration can replace it. */
int
sim_begin_anew(struct sim *s, struct err *e)
{
	uint64_t generation = series_generation(s), n_forced = s->stack.host->n_forced;
	struct cta_forced forced[CTA_FORCED];
	struct sim *fresh = create_sim(s->cfg, s->trace, s, e);

	if (!fresh)
		return -1;
	memcpy(forced, s->stack.host->forced, sizeof(forced));
	memcpy(s->arena, fresh->arena, s->arena_bytes);
	memcpy(s->stack.host->forced, forced, sizeof(forced));
	s->stack.host->n_forced = n_forced;
	kernel_attach(s);
	series_restored(s, &fresh->samples, generation);
	sim_free(fresh);
	if (s->profile)
		profile_restart(s);
	if (s->past)
		past_restart(s);
	return 0;
}

void
sim_free(struct sim *s)
{
	if (!s)
		return;
	if (s->core)
		sim_unbuild(s);
	config_free(s->cfg);
	free(s);
}

const struct config *
sim_config(const struct sim *s)
{
	return s->cfg;
}

const struct trace_info *
sim_trace(const struct sim *s)
{
	return s->info;
}

cycle_t
sim_cycle(const struct sim *s)
{
	return s->machine->cycle;
}

bool
sim_done(const struct sim *s)
{
	return s->machine->done;
}

double
sim_wall_seconds(const struct sim *s)
{
	return s->wall;
}

void
sim_progress(const struct sim *s, uint64_t *done, uint64_t *total)
{
	*total = 0;
	*done = 0;
	for (unsigned i = 0; i < s->info->n_cmds; i++)
		if (s->info->cmd[i].kind == TRACE_KERNEL)
			*total += s->info->kernel[s->info->cmd[i].kernel].warp_insts;
	for (unsigned i = 0; i < s->n_cores; i++)
		*done += core_stat(s->core[i].core)->warp_insts;
}

/* ---------------------------------------------------------------- listeners */

void
sim_listen(struct sim *s, uint64_t mask, void (*fn)(void *ctx, const struct event *ev), void *ctx)
{
	s->listen = fn;
	s->listen_mask = fn ? mask : 0;
	s->listen_ctx = ctx;
}

void
sim_request_stop(struct sim *s)
{
	s->stop = true;
}

void
sim_each_cycle(struct sim *s, bool (*fn)(void *ctx), void *ctx)
{
	s->each_cycle = fn;
	s->each_ctx = ctx;
}

void
sim_poll(struct sim *s, const volatile int *poll)
{
	s->poll = poll;
}

void
sim_every_ms(struct sim *s, unsigned ms, bool (*fn)(void *ctx), void *ctx)
{
	s->every = fn;
	s->every_ctx = ctx;
	s->every_s = ms * 1e-3;
	s->every_next = 0;
}

/* ---------------------------------------------------------------- deadlock */

/* Describes who waits: cores with their CTAs, slices and channels with requests. */
static void
describe_deadlock(struct sim *s, struct err *e)
{
	const struct cta_host *h = s->stack.host;
	char buf[400], at[HUMAN], since[HUMAN], done[HUMAN], all[HUMAN];
	uint64_t n_done = 0, n_all = 0;
	size_t n = 0;

	for (unsigned i = 0; concurrent_select_next(s, &i); i++) {
		n_done += s->stack.host->done;
		n_all += s->stack.host->n_cta;
	}
	concurrent_select_oldest(s);

	for (unsigned i = 0; i < s->n_cores && n + 90 < sizeof(buf); i++) {
		struct core_view v;
		struct refusal_view r;

		sim_core_view(s, i, &v);
		sim_why_not(s, i, &r);
		if (v.resident)
			n += (size_t)snprintf(
				buf + n, sizeof(buf) - n,
				"; core %u: %u CTAs, %u warps wait for memory, %u at barriers", i,
				v.resident, v.warps_memory, v.warps_barrier);
		else if (h->issued < h->n_cta)
			n += (size_t)snprintf(buf + n, sizeof(buf) - n, "; core %u: %.60s", i,
					      r.text);
	}
	for (unsigned i = 0; i < s->n_slices && n + 40 < sizeof(buf); i++)
		if (slice_has_requests(&s->slice[i]))
			n += (size_t)snprintf(buf + n, sizeof(buf) - n, "; slice %u has requests",
					      i);
	for (unsigned i = 0; i < s->n_channels && n + 40 < sizeof(buf); i++)
		if (channel_inside(&s->channel[i]))
			n += (size_t)snprintf(buf + n, sizeof(buf) - n,
					      "; channel %u has %u requests", i,
					      channel_inside(&s->channel[i]));
	err_set(e, "deadlock at cycle %s, %s of %s CTAs done, no progress since cycle %s%s",
		human(at, s->machine->cycle), human(done, n_done), human(all, n_all),
		human(since, s->sleep->progress_at), buf);
}

static uint64_t
progress_count(const struct sim *s)
{
	uint64_t n = s->machine->ordinal;

	for (unsigned i = 0; i < POOLS; i++)
		n += s->pool[i].taken;

	for (unsigned i = 0; i < s->n_places; i++)
		n += s->host[i]->issued + s->host[i]->done;
	for (unsigned i = 0; i < s->n_cores; i++)
		n += core_stat(s->core[i].core)->warp_insts + ldst_stat(&s->core[i].ldst)->replies +
		     ldst_stat(&s->core[i].ldst)->acks;
	return n;
}

/* Has nothing happened for too long? A policy may have set a date, such as the end of a phase,
 * until which everything waits, and so may a launch latency: that is no deadlock. A date that moves
 * while nothing happens does not count. */
static bool
is_deadlocked(struct sim *s)
{
	uint64_t p = progress_count(s);
	struct sleepers *z = s->sleep;
	cycle_t now = s->machine->cycle, awaited = CYCLE_NEVER, since;

	if (p != z->progress) {
		z->progress = p;
		z->progress_at = now;
		for (unsigned i = 0; concurrent_select_next(s, &i); i++)
			awaited = MIN(awaited, cta_next_act(&s->stack));
		concurrent_select_oldest(s);
		z->awaited = awaited;
		return false;
	}
	since = MAX(z->progress_at, s->machine->launched + s->cfg->gpu.launch_latency);
	if (concurrent_is_launching(s))
		return false;
	if (z->awaited != CYCLE_NEVER && z->awaited > z->progress_at)
		since = MAX(since, z->awaited);
	return now > since && now - since >= s->cfg->run.deadlock;
}

/* ---------------------------------------------------------------- running */

static bool
lacks_requests(const struct sim *s)
{
	for (unsigned i = 0; i < POOLS; i++)
		if (s->pool[i].high + 65536 > s->pool[i].end)
			return true;
	return false;
}

/* Checks that are needed only every 1024 cycles. */
static bool
periodic_checks(struct sim *s, enum sim_stop *why, struct err *e)
{
	if (lacks_requests(s)) {
		err_set(e, "more than %u memory requests in flight; raise run.max_requests",
			s->cfg->run.max_requests);
		*why = SIM_FAILED;
		return true;
	}
	if (is_deadlocked(s)) {
		sim_settle(s);
		describe_deadlock(s, e);
		*why = SIM_DEADLOCK;
		return true;
	}
	if (s->every) {
		double t = clock_seconds();

		if (t >= s->every_next) {
			sim_settle(s);
			if (s->every(s->every_ctx)) {
				*why = SIM_INTERRUPTED;
				return true;
			}
			s->every_next = clock_seconds() + s->every_s;
		}
	}
	return false;
}

/* The first cycle in which run.max_thread_insts can have been reached, the present one if it
 * has. A scheduler issues at most two instructions per cycle, so not every cycle needs to be
 * counted. */
static cycle_t
insts_due(const struct sim *s)
{
	uint64_t max = s->cfg->run.max_thread_insts, done = 0;
	uint64_t most = (uint64_t)s->n_cores * s->cfg->core.schedulers * 2 * WARP_SIZE;

	if (!max)
		return CYCLE_NEVER;
	for (unsigned i = 0; i < s->n_cores; i++)
		done += core_stat(s->core[i].core)->thread_insts;
	return done >= max ? s->machine->cycle : s->machine->cycle + MAX((max - done) / most, 1);
}

static enum sim_stop
run_loop(struct sim *s, cycle_t until, struct err *e)
{
	struct machine *m = s->machine;
	enum sim_stop why = SIM_REACHED;
	cycle_t due = insts_due(s), parts_at = threads_begin(s);

	while (m->cycle < until) {
		if (unlikely(m->cycle >= due)) {
			due = insts_due(s);
			if (m->cycle >= due)
				return SIM_LIMIT;
		}
		if (m->cycle < parts_at || !threads_run(s, MIN(until, due), &parts_at))
			sim_step(s);
		if (unlikely(s->each_cycle != NULL) && s->each_cycle(s->each_ctx))
			s->stop = true;
		if (unlikely(s->past != NULL))
			past_add(s);
		if (unlikely(m->done))
			return s->failure.set ? SIM_FAILED : SIM_DONE;
		if (unlikely(s->stop))
			return s->failure.set ? SIM_FAILED : SIM_REQUESTED;
		if (unlikely(s->poll && *s->poll))
			return SIM_INTERRUPTED;
		if (unlikely((m->cycle & 1023) == 0) && periodic_checks(s, &why, e))
			return why;
	}
	return why;
}

HOT enum sim_stop
sim_run(struct sim *s, cycle_t until, struct err *e)
{
	double start = clock_seconds();
	enum sim_stop why = SIM_REACHED;

	if (s->machine->done)
		return SIM_DONE;
	s->stop = false;
	s->sleep->look_at = 0;
	/* also checked here, because a caller may stop more often than the periodic checks run
	 * */
	if (is_deadlocked(s) && periodic_checks(s, &why, e))
		return why;
	why = run_loop(s, until, e);
	if (why == SIM_FAILED && s->failure.set && e)
		*e = s->failure;
	sim_settle(s);
	s->wall += clock_seconds() - start;
	return why;
}
