/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run.c - runs until something worth a stop happens.
 *
 * The machine reports only the kinds of events that are needed: those of the enabled stops, the
 * tracepoints and the goal of the current command. A stop takes effect at the end of its cycle;
 * everything else hit in that cycle is reported with it, because no later stop could report it.
 *
 * A condition on an event is evaluated at the event, in the middle of the cycle. Watches and the
 * expression of `until` are evaluated at the end of every cycle, which is slow. Runs without them
 * have no such cost; neither have runs whose watches change only through events (cause.c), because
 * these are evaluated only after cycles with such an event.
 */
#include "base/human.h"
#include "debug/debug_part.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Counts a hit of p (NULL: of the goal) and asks the machine to stop. False: it is ignored. */
static bool
count_hit(struct debug *d, struct stop *p)
{
	if (p) {
		p->hits++;
		if (p->ignore) {
			p->ignore--;
			return false;
		}
		if (p->temporary)
			p->enabled = false; /* deleted when its commands are taken */
		if (!p->order)
			p->order = ++d->ordered;
	}
	sim_request_stop(d->sim);
	return true;
}

void
debug_hit(struct debug *d, struct stop *p, const char *fmt, ...)
{
	struct debug_result *r = d->result;
	char text[sizeof(r->hit[0].text)];
	va_list ap;

	if (d->scan) {
		debug_scan_hit(d, p->id);
		return;
	}
	if (!count_hit(d, p) || !r)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	/* several stops at the same cycle, or watches of the same expression */
	if (r->n_hits && strcmp(r->hit[r->n_hits - 1].text, text) == 0)
		return;
	r->hits++;
	if (r->n_hits == DEBUG_HITS)
		return;
	r->hit[r->n_hits].id = p ? p->id : 0;
	memcpy(r->hit[r->n_hits++].text, text, sizeof(text));
}

void
debug_prefer_core(struct debug *d, int core)
{
	d->prefer = core;
}

/* Puts a hit before all others. */
static void
hit_first(struct debug_result *r, unsigned id, const char *text)
{
	memmove(&r->hit[1], &r->hit[0], (r->n_hits - 1) * sizeof(r->hit[0]));
	r->hit[0].id = id;
	snprintf(r->hit[0].text, sizeof(r->hit[0].text), "%s", text);
}

/* Records a hit by an event. `why` asks about the first one, or the first of the preferred core.
 * */
static void
hit_event(struct debug *d, struct stop *p, const struct event *ev, const char *text)
{
	uint64_t before = d->result ? d->result->hits : 0;
	bool better = ev->core >= 0 && ev->core == d->prefer && !d->preferred;

	if (before && d->hit_seq == ev->seq) { /* another stop was hit by the same event */
		count_hit(d, p);
		return;
	}
	debug_hit(d, p, "%s", text);
	if (!d->result || d->result->hits == before)
		return;
	d->hit_seq = ev->seq;
	if (before && !better)
		return;
	if (before)
		hit_first(d->result, p ? p->id : 0, text);
	d->stopped_seq = ev->seq;
	d->preferred = better;
}

/* Counts an event of a tracepoint, unless it was counted before the machine went back. */
static void
count_trace(struct stop *p, const struct event *ev)
{
	cycle_t now = ev->cycle;

	if (ev->seq < p->told)
		return;
	p->told = ev->seq + 1;
	p->hits++;
	if (p->first_hit == CYCLE_NEVER || p->last_hit > now) {
		p->first_hit = now;
	} else {
		cycle_t apart = now - p->last_hit;
		unsigned b = 0;

		while (apart >> b && b + 1 < TRACE_BUCKETS)
			b++;
		p->bucket[b]++;
	}
	p->last_hit = now;
}

/* Counts an event of the goal, and reports the last one. */
static void
count_goal(struct debug *d, const struct event *ev)
{
	const struct debug_goal *g = d->goal;
	char text[sizeof(d->result->hit[0].text)];

	if (!g)
		return;
	if (g->converged) {
		if (ev->kind == EV_LIMIT) {
			d->quiet = 0;
		} else if (ev->kind == EV_PERIOD && ev->cycle != d->period_at) {
			d->period_at = ev->cycle;
			if (++d->quiet >= CONVERGED_PERIODS)
				sim_request_stop(d->sim);
		}
	}
	if (!(g->events & EV_BIT(ev->kind)))
		return;
	/* A period ends for all cores at once: the goal is as well reached by that of another
	 * core. */
	bool again = d->result->goal && ev->kind == EV_PERIOD && ev->core >= 0 &&
		     ev->core == d->prefer && !d->preferred && d->result->hits == 1 &&
		     !d->result->hit[0].id;
	if ((d->result->goal && !again) || (!again && --d->left))
		return;
	d->result->goal = true;
	sim_event_text(d->sim, ev, text, sizeof(text));
	if (again)
		*d->result = (struct debug_result){.goal = true};
	hit_event(d, NULL, ev, text);
}

static void
on_event(void *ctx, const struct event *ev)
{
	struct debug *d = ctx;

	if (d->each && !d->scan)
		d->each(d->each_ctx, ev);
	if (d->dirty & EV_BIT(ev->kind))
		debug_look_at_cycle(d);
	for (unsigned i = 0; i < d->n_stops; i++) {
		struct stop *p = d->stop[i];
		char text[sizeof(d->result->hit[0].text)];

		if (!p->enabled || !(debug_stop_events(p) & EV_BIT(ev->kind)) ||
		    (*p->rule && !debug_rule_decides(d, p, ev)) || !debug_stop_admits(p, ev) ||
		    (p->kind == STOP_TRACE && d->scan) || (p->cond_text && !p->cond))
			continue;
		if (p->cond) {
			bool holds;

			d->now = ev;
			holds = expr_true(p->cond);
			d->now = NULL;
			if (!holds)
				continue;
		}
		if (p->kind == STOP_TRACE) {
			count_trace(p, ev);
			continue;
		}
		if (d->scan) {
			debug_scan_hit(d, p->id);
			continue;
		}
		sim_event_text(d->sim, ev, text, sizeof(text));
		hit_event(d, p, ev, text);
	}
	if (d->scan)
		debug_scan_event(d, ev);
	else
		count_goal(d, ev);
}

static void
check_watch(struct debug *d, struct stop *p)
{
	struct value now;
	char text[sizeof(d->result->hit[0].text)];

	if (expr_eval(p->watch, &now))
		return; /* out of memory: the next cycle tries again */
	if (value_equal(&p->old, &now)) {
		value_free(&now);
		return;
	}
	if (p->cond_text ? p->cond && expr_true(p->cond) : true) {
		uint64_t hits = d->result ? d->result->hits : 0;

		debug_change_text(d, p, &p->old, &now, text, sizeof(text));
		debug_hit(d, p, "%s", text);
		if (d->result && !hits && d->result->hits)
			debug_watch_cause(d, p, &p->old, &now);
	}
	value_free(&p->old);
	p->old = now;
}

void
debug_check_watches(struct debug *d)
{
	for (unsigned i = 0; i < d->n_stops; i++)
		if (d->stop[i]->kind == STOP_WATCH && d->stop[i]->enabled && d->stop[i]->watch)
			check_watch(d, d->stop[i]);
}

static bool
every_cycle(void *ctx)
{
	struct debug *d = ctx;
	uint64_t before = d->result ? d->result->hits : 0;

	if (!d->always)
		sim_each_cycle(d->sim, NULL, NULL);
	if (d->scan) {
		debug_scan_cycle(d);
		return false;
	}
	debug_check_watches(d);
	if (d->goal && d->expr && expr_true(d->expr))
		d->result->goal = true;
	return d->result && (d->result->goal || d->result->hits != before);
}

void
debug_look_at_cycle(struct debug *d)
{
	sim_each_cycle(d->sim, every_cycle, d);
}

void
debug_each_event(struct debug *d, void (*fn)(void *ctx, const struct event *ev), void *ctx)
{
	d->each = fn;
	d->each_ctx = ctx;
	debug_listen(d);
}

void
debug_listen(struct debug *d)
{
	uint64_t mask = d->each ? EV_ALL : d->goal ? d->goal->events : 0;

	if (!d->sim)
		return;
	d->always = d->scan ? debug_scan_always(d) : d->goal && d->goal->expr;
	d->dirty = 0;
	if (d->mutes) {
		sim_listen(d->sim, 0, NULL, NULL);
		sim_each_cycle(d->sim, NULL, NULL);
		debug_lines_listen(d);
		return;
	}
	if (d->scan && d->scan->goal)
		mask |= d->scan->goal->events;
	if (d->goal && d->goal->converged)
		mask |= EV_BIT(EV_LIMIT) | EV_BIT(EV_PERIOD);
	for (unsigned i = 0; i < d->n_stops; i++) {
		const struct stop *p = d->stop[i];

		if (!p->enabled)
			continue;
		mask |= debug_stop_events(p);
		if (p->kind == STOP_WATCH) {
			d->always |= !p->changing;
			d->dirty |= p->changing;
		}
	}
	mask |= d->dirty;
	sim_listen(d->sim, mask, mask ? on_event : NULL, d);
	sim_each_cycle(d->sim, d->always ? every_cycle : NULL, d);
	debug_lines_listen(d);
}

int
debug_goal_bind(struct debug *d)
{
	const struct debug_goal *g = d->scan ? d->scan->goal : d->goal;

	struct err e = {0};

	expr_free(d->expr);
	d->expr = g && g->expr ? debug_parse_per_cycle(d, g->expr, &e) : NULL;
	return !d->expr && e.kind == ERR_MEMORY ? -1 : 0;
}

static cycle_t
next_target(const struct debug *d)
{
	cycle_t now = sim_cycle(d->sim);
	cycle_t target = d->goal->until > now ? d->goal->until : CYCLE_NEVER;

	for (unsigned i = 0; i < d->n_stops; i++) {
		const struct stop *p = d->stop[i];

		if (p->kind == STOP_CYCLE && p->enabled && p->cycle > now)
			target = MIN(target, p->cycle);
	}
	return target;
}

static void
check_cycle_stops(struct debug *d, cycle_t began)
{
	cycle_t now = sim_cycle(d->sim);
	char cycle[HUMAN];

	if (now == began)
		return; /* the stop at which the machine is, is not hit again */
	for (unsigned i = 0; i < d->n_stops; i++) {
		struct stop *p = d->stop[i];

		if (p->kind == STOP_CYCLE && p->enabled && p->cycle == now &&
		    (p->cond_text ? p->cond && expr_true(p->cond) : true))
			debug_hit(d, p, "cycle %s", human(cycle, now));
	}
}

static enum debug_end
end_reason(enum sim_stop why)
{
	switch (why) {
	case SIM_LIMIT:
		return DEBUG_LIMIT;
	case SIM_INTERRUPTED:
		return DEBUG_INTERRUPTED;
	case SIM_DONE:
		return DEBUG_DONE;
	case SIM_DEADLOCK:
		return DEBUG_DEADLOCK;
	case SIM_FAILED:
		return DEBUG_FAILED;
	case SIM_REACHED:
	case SIM_REQUESTED:
		break;
	}
	return DEBUG_GOAL;
}

/* Returns false to end the run. */
static bool
call_between(struct debug *d)
{
	cycle_t now = sim_cycle(d->sim), n;

	if (!d->between || now < d->between_at)
		return true;
	n = d->between(d->between_ctx);
	d->between_at = n < CYCLE_NEVER - now ? now + n : CYCLE_NEVER;
	return n != 0;
}

static enum debug_end
run_on(struct debug *d, struct err *e)
{
	struct debug_result *r = d->result;

	d->between_at = 0;
	if (d->dates && d->dates->arrive(d->dates->ctx, e))
		return DEBUG_FAILED;
	for (;;) {
		cycle_t began = sim_cycle(d->sim), until;
		enum sim_stop why;

		if (!call_between(d))
			return DEBUG_INTERRUPTED;
		until = next_target(d);
		if (d->between)
			until = MIN(until, d->between_at);
		if (d->dates)
			until = MIN(until, d->dates->next(d->dates->ctx));
		why = sim_run(d->sim, until, e);

		if (d->dates && why != SIM_FAILED && d->dates->arrive(d->dates->ctx, e))
			return DEBUG_FAILED;
		check_cycle_stops(d, began);
		if (d->goal->converged && d->quiet >= CONVERGED_PERIODS)
			r->goal = true;
		if (d->goal->until == sim_cycle(d->sim) && began < d->goal->until)
			r->goal = true;
		if (r->hits && why != SIM_DEADLOCK && why != SIM_FAILED) {
			bool other = r->hit[0].id || r->hits > 1;

			return r->goal && !other ? DEBUG_GOAL : DEBUG_STOP;
		}
		if (why != SIM_REACHED && why != SIM_REQUESTED)
			return r->goal && why == SIM_DONE ? DEBUG_GOAL : end_reason(why);
		if (r->goal)
			return DEBUG_GOAL;
	}
}

enum debug_end
debug_run(struct debug *d, const struct debug_goal *g, struct debug_result *r, struct err *e)
{
	enum debug_end end;
	bool bound;

	*r = (struct debug_result){0};
	d->goal = g;
	d->result = r;
	d->left = MAX(g->count, 1);
	d->quiet = 0;
	d->period_at = CYCLE_NEVER;
	bound = debug_goal_bind(d) == 0;
	debug_listen(d);
	d->stopped_seq = UINT64_MAX;
	d->watched = 0;
	d->preferred = false;
	d->ordered = 0;
	for (unsigned i = 0; i < d->n_stops; i++)
		d->stop[i]->order = 0;
	if (!bound)
		err_nomem(e);
	end = bound ? run_on(d, e) : DEBUG_FAILED;
	d->stopped_at = sim_cycle(d->sim);
	d->goal = NULL;
	d->result = NULL;
	debug_goal_bind(d);
	debug_listen(d);
	return end;
}

void
debug_between(struct debug *d, cycle_t (*fn)(void *ctx), void *ctx)
{
	d->between = fn;
	d->between_ctx = ctx;
}

void
debug_between_now(struct debug *d)
{
	d->between_at = 0;
	if (d->sim)
		sim_request_stop(d->sim);
}

static bool
add_line(char ***lines, unsigned *n, const char *text)
{
	char *copy = strdup(text);
	char **grown = realloc(*lines, (*n + 1) * sizeof(*grown));

	if (grown)
		*lines = grown;
	if (!copy || !grown) {
		free(copy);
		return false;
	}
	(*lines)[(*n)++] = copy;
	return true;
}

/* Returns the n-th stop that the last run hit, from 1; NULL: it is gone. */
static struct stop *
stop_in_order(const struct debug *d, unsigned n)
{
	for (unsigned i = 0; i < d->n_stops; i++)
		if (d->stop[i]->order == n)
			return d->stop[i];
	return NULL;
}

char **
debug_take_commands(struct debug *d, unsigned *n)
{
	char **lines = NULL;

	*n = 0;
	for (unsigned k = 1; k <= d->ordered; k++) {
		const struct stop *p = stop_in_order(d, k);

		for (unsigned c = 0; p && c < p->n_commands; c++)
			if (!add_line(&lines, n, p->command[c]))
				return lines;
	}
	for (unsigned k = 1; k <= d->ordered; k++) {
		const struct stop *p = stop_in_order(d, k);

		if (p && p->temporary && !p->enabled)
			debug_stop_delete(d, p->id);
	}
	return lines;
}
