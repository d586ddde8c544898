/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * debug.c - the life of a debugger, and the names that its expressions know.
 *
 * Names without '$' are paths of the machine (sim.h). Names with '$' belong to the debugger: a few
 * fixed ones, and the numbers of an event by the names in its rule. The event is the one for which
 * a condition is evaluated, or the one at which the machine has stopped. The policies declare the
 * names that their rules use, so a typing error is reported immediately. Without an event, or if
 * its rule has no such number, the value is unknown.
 */
#include "debug/debug_part.h"

#include "base/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ids of the debugger's own names; those of the machine are smaller. */
#define OWN (UINT64_C(1) << 63)
#define ARG (UINT64_C(1) << 62)
#define MORE (OWN | ARG)

enum own { OWN_CYCLE, OWN_PERIOD, OWN_CORE, OWN_CTA, OWN_SLOT, OWN_KERNEL, OWN_LAST };

static const struct {
	const char *name, *help;
} own_names[] = {
	[OWN_CYCLE] = {"$cycle", "core cycles done"},
	[OWN_PERIOD] = {"$period", "periods of the policy that have ended"},
	[OWN_CORE] = {"$core", "of the event asked about or stopped at: its core"},
	[OWN_CTA] = {"$cta", "of the event asked about or stopped at: its CTA"},
	[OWN_SLOT] = {"$slot", "of the event asked about or stopped at: its CTA slot"},
	[OWN_KERNEL] = {"$kernel", "number of the kernel, from 1"},
	[OWN_LAST] = {"$_", "the value printed last"},
};

/* Calls fn for every name of a number in a rule; stops when it returns true. */
static const char *
for_each_rule_name(const struct debug *d, bool (*fn)(void *ctx, const char *name), void *ctx)
{
	unsigned n;
	const struct cta_sched_ops *const *ops =
		d->sim ? config_policies(sim_config(d->sim), &n) : cta_sched_list(&n);

	for (unsigned p = 0; p < n; p++)
		for (unsigned r = 0; r < ops[p]->n_rules; r++)
			for (unsigned i = 0; i < EVENT_VALUES && ops[p]->rules[r].value[i]; i++)
				if (fn(ctx, ops[p]->rules[r].value[i]))
					return ops[p]->rules[r].value[i];
	return NULL;
}

static bool
same_name(void *ctx, const char *name)
{
	return strcmp(ctx, name) == 0;
}

/* Finds the id of a name with '$': one of ours, or the name of a number in a rule. */
static bool
find_own(const struct debug *d, const char *path, uint64_t *id)
{
	char text[EVAL_MAX_PATH + 1];
	const char *arg;

	for (unsigned i = 0; i < ARRAY_LEN(own_names); i++) {
		if (strcmp(path, own_names[i].name) == 0) {
			*id = OWN | i;
			return true;
		}
	}
	/* the pointer into the policy's table is the id: it is constant and unique */
	snprintf(text, sizeof(text), "%s", path + 1);
	arg = for_each_rule_name(d, same_name, text);
	*id = ARG | (uintptr_t)arg;
	return arg;
}

bool
debug_is_variable(struct debug *d, const char *name)
{
	uint64_t id;

	return name[0] == '$' && find_own(d, name, &id);
}

static int
resolve_name(void *ctx, const char *path, uint64_t *id, struct err *e)
{
	struct debug *d = ctx;
	const char *names[OWN_LAST];
	struct err inner = {0};
	struct hint near;
	int n;

	if (path[0] != '$') {
		if (!d->sim)
			return err_set(e, "'%s' means nothing before a workload is loaded", path);
		return sim_path(d->sim, path, id, e);
	}
	if (find_own(d, path, id))
		return *id == (OWN | OWN_LAST) && d->last.n ? (int)d->last.n : 1;
	n = d->more.resolve ? d->more.resolve(d->more.ctx, path, id, &inner) : -1;
	*id |= MORE;
	if (n > 0)
		return n;
	for (unsigned i = 0; i < OWN_LAST; i++) /* $_ is close to everything short */
		names[i] = own_names[i].name;
	near = near_hint(path, names, OWN_LAST, "");
	if (inner.set && !near.text[0])
		return err_of(e, inner.kind, "%s", inner.msg);
	return err_set(e, "unknown name '%s'%s", path,
		       near.text[0]
			       ? near.text
			       : "; '$' names are $cycle, $period, $kernel, $_, and of an event "
				 "$core, $cta, $slot and its numbers");
}

const struct event *
debug_event(const struct debug *d)
{
	if (d->now || !d->sim || d->goal || d->stopped_at != sim_cycle(d->sim))
		return d->now;
	return event_ring_get(sim_events(d->sim), d->stopped_seq);
}

static double
number_of_event(const struct debug *d, const struct event *ev, const char *name)
{
	int i = ev ? rule_find(sim_event_rule(d->sim, ev), name, strlen(name)) : -1;

	return i >= 0 ? (double)ev->v[i] : NAN;
}

static double
read_value(void *ctx, uint64_t id, unsigned i)
{
	struct debug *d = ctx;
	const struct event *ev;

	if (!(id & (OWN | ARG)))
		return sim_value(d->sim, id, i);
	if ((id & MORE) == MORE)
		return d->more.get(d->more.ctx, id & ~MORE, i);
	ev = debug_event(d);
	if (id & ARG)
		return number_of_event(d, ev, (const char *)(uintptr_t)(id & ~ARG));
	if ((id & ~OWN) == OWN_LAST)
		return d->last.n ? (i < d->last.n ? d->last.v[i] : NAN) : d->last.x;
	if (!d->sim)
		return NAN;
	switch ((enum own)(id & ~OWN)) {
	case OWN_CYCLE:
		return (double)sim_cycle(d->sim);
	case OWN_PERIOD:
		return (double)sim_periods(d->sim);
	case OWN_CORE:
		return ev && ev->core >= 0 ? ev->core : NAN;
	case OWN_CTA:
		return ev && ev->cta != UINT32_MAX ? ev->cta : NAN;
	case OWN_SLOT:
		return ev && ev->slot >= 0 ? ev->slot : NAN;
	case OWN_KERNEL:
		return sim_kernels_started(d->sim);
	case OWN_LAST:
		break;
	}
	return NAN;
}

const struct eval_names *
debug_names(struct debug *d)
{
	return &d->names;
}

void
debug_more_names(struct debug *d, const struct eval_names *more)
{
	d->more = *more;
}

struct each_variable {
	void (*fn)(void *ctx, const char *name, const char *help);
	void *ctx;
};

static bool
add_variable(void *ctx, const char *arg)
{
	struct each_variable *v = ctx;
	char name[64];

	snprintf(name, sizeof(name), "$%s", arg);
	v->fn(v->ctx, name, "of the event asked about or stopped at: a number of its rule");
	return false;
}

void
debug_each_variable(struct debug *d, void (*fn)(void *ctx, const char *name, const char *help),
		    void *ctx)
{
	struct each_variable v = {fn, ctx};

	for (unsigned i = 0; i < ARRAY_LEN(own_names); i++)
		fn(ctx, own_names[i].name, own_names[i].help);
	for_each_rule_name(d, add_variable, &v);
}

int
debug_set_last(struct debug *d, const struct value *v)
{
	value_free(&d->last);
	return value_copy(&d->last, v);
}

const struct value *
debug_last(const struct debug *d)
{
	return &d->last;
}

char *
debug_number(char buf[32], uint64_t v)
{
	char plain[24];
	int n = snprintf(plain, sizeof(plain), "%" PRIu64, v), o = 0;

	for (int i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			buf[o++] = ',';
		buf[o++] = plain[i];
	}
	buf[o] = '\0';
	return buf;
}

/* ---------------------------------------------------------------- life */

struct debug *
debug_new(void)
{
	struct debug *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->names = (struct eval_names){d, resolve_name, read_value};
	d->last.x = NAN;
	d->next_id = 1;
	d->stopped_seq = UINT64_MAX;
	d->prefer = -1;
	return d;
}

void
debug_free(struct debug *d)
{
	if (!d)
		return;
	debug_attach(d, NULL, NULL);
	for (unsigned i = 0; i < d->n_stops; i++)
		debug_stop_free(d->stop[i]);
	free(d->stop);
	value_free(&d->last);
	free(d);
}

static void
bind_stop(struct debug *d, struct stop *p, struct strbuf *lost)
{
	struct err e = {0};

	if (debug_stop_bind(d, p, &e) == 0)
		return;
	p->enabled = false;
	if (lost)
		sb_printf(lost, "stop %u is disabled: %s\n", p->id, e.msg);
}

void
debug_silent(struct debug *d, struct strbuf *out)
{
	for (unsigned i = 0; i < d->n_stops; i++) {
		struct err e = {0};

		if (debug_stop_bind(d, d->stop[i], &e))
			sb_printf(out, "stop %u is silent: %s\n", d->stop[i]->id, e.msg);
	}
}

void
debug_rebind(struct debug *d, struct strbuf *lost)
{
	for (unsigned i = 0; i < d->n_stops; i++) {
		struct stop *p = d->stop[i];

		if ((p->watch_text && strchr(p->watch_text, '$')) ||
		    (p->cond_text && strchr(p->cond_text, '$')))
			bind_stop(d, p, lost);
	}
	debug_listen(d);
}

void
debug_attach(struct debug *d, struct sim *s, struct strbuf *lost)
{
	if (d->sim && d->sim != s) {
		sim_listen(d->sim, 0, NULL, NULL);
		sim_each_cycle(d->sim, NULL, NULL);
	}
	d->sim = s;
	if (!s)
		return;
	for (unsigned i = 0; i < d->n_stops; i++)
		bind_stop(d, d->stop[i], lost);
	debug_rewound(d);
	debug_listen(d);
}

/* The numbers of the present event are gone in the next cycle, so a watch starts without them.
 * */
void
debug_watch_from_here(struct debug *d, struct stop *p)
{
	uint64_t at = d->stopped_seq;

	if (!p->watch || !d->sim)
		return;
	d->stopped_seq = UINT64_MAX;
	value_free(&p->old);
	expr_eval(p->watch, &p->old);
	d->stopped_seq = at;
}

void
debug_rewound(struct debug *d)
{
	d->stopped_seq = UINT64_MAX;
	d->watched = 0;
	for (unsigned i = 0; i < d->n_stops; i++) {
		d->stop[i]->last_hit = d->stop[i]->first_hit = CYCLE_NEVER;
		debug_watch_from_here(d, d->stop[i]);
	}
}

void
debug_restarted(struct debug *d)
{
	for (unsigned i = 0; i < d->n_stops; i++) {
		d->stop[i]->hits = d->stop[i]->told = 0;
		memset(d->stop[i]->bucket, 0, sizeof(d->stop[i]->bucket));
	}
	debug_rewound(d);
}
