/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export_events.c - writes the tables of events, of decisions, and of the CTAs in them.
 *
 * Only the most recent events are kept (the ring of event.h), so these tables cover only that
 * period, which begins at the cycle of the first row.
 */
#include "export/export_part.h"

#include "export/lifetimes.h"

#include <stdlib.h>

static void
put_place(struct csv_out *o, const struct event *ev)
{
	if (ev->core >= 0)
		csv_i64(o, ev->core);
	else
		csv_none(o);
	if (ev->slot >= 0)
		csv_i64(o, ev->slot);
	else
		csv_none(o);
	if (ev->cta != UINT32_MAX)
		csv_u64(o, ev->cta);
	else
		csv_none(o);
}

void
export_event_header(struct csv_out *o)
{
	static const char *const columns[] = {"run",  "cycle", "kernel", "seq",	 "event", "core",
					      "slot", "cta",   "policy", "rule", "text"};

	csv_header(o, columns, ARRAY_LEN(columns));
}

/* The columns that a row of an event begins with, up to the rule. */
static void
begin_row(const struct export_job *j, struct csv_out *o, const struct event *ev)
{
	csv_begin(o, j, ev->cycle, ev->kernel + 1);
	csv_u64(o, ev->seq);
	csv_text(o, event_rows[ev->kind].name);
	put_place(o, ev);
	csv_text(o, sim_event_policy(j->sim, ev));
	csv_text(o, sim_event_rule(j->sim, ev)->name);
}

void
export_event_row(const struct export_job *j, struct csv_out *o, const struct event *ev)
{
	char text[400];

	begin_row(j, o, ev);
	sim_event_text(j->sim, ev, text, sizeof(text));
	csv_text(o, text);
	csv_end(o);
}

void
export_events(const struct export_job *j, struct csv_out *o)
{
	const struct event_ring *ring = sim_events(j->sim);

	export_event_header(o);
	for (uint64_t seq = ring->first; seq < ring->next && !o->closed; seq++) {
		const struct event *ev = event_ring_get(ring, seq);

		if (ev && csv_wanted(j, ev->cycle))
			export_event_row(j, o, ev);
	}
}

/* Writes one number of a decision; v NULL: the decision has none. */
static void
write_decision_row(const struct export_job *j, struct csv_out *o, const struct event *ev,
		   const char *name, const int64_t *v)
{
	begin_row(j, o, ev);
	csv_text(o, name);
	if (v)
		csv_i64(o, *v);
	else
		csv_none(o);
	csv_u64(o, sim_most_ctas(j->sim, ev->kernel));
	csv_u64(o, sim_trace(j->sim)->kernel[ev->kernel].n_cta);
	csv_end(o);
}

void
export_decisions(const struct export_job *j, struct csv_out *o)
{
	static const char *const columns[] = {"run",  "cycle", "kernel", "seq",	       "event",
					      "core", "slot",  "cta",	 "policy",     "rule",
					      "name", "value", "n_max",	 "kernel_ctas"};
	const struct event_ring *ring = sim_events(j->sim);

	csv_header(o, columns, ARRAY_LEN(columns));
	for (uint64_t seq = ring->first; seq < ring->next && !o->closed; seq++) {
		const struct event *ev = event_ring_get(ring, seq);
		const struct rule *r;

		if (!ev || !csv_wanted(j, ev->cycle) || !sim_event_is_decision(ev))
			continue;
		r = sim_event_rule(j->sim, ev);
		if (!r->value[0])
			write_decision_row(j, o, ev, "", NULL);
		for (unsigned i = 0; i < EVENT_VALUES && r->value[i]; i++)
			write_decision_row(j, o, ev, r->value[i], &ev->v[i]);
		if (ev->among) {
			int64_t resident = ev->resident;

			write_decision_row(j, o, ev, "resident", &resident);
		}
	}
}

/* ---------------------------------------------------------------- CTAs */

static int
compare_numbers(const void *a, const void *b)
{
	const struct cta_lifetime *x = a, *y = b;

	if (x->kernel != y->kernel)
		return x->kernel < y->kernel ? -1 : 1;
	return (x->cta > y->cta) - (x->cta < y->cta);
}

static void
put_cycle(struct csv_out *o, cycle_t c)
{
	if (c == CYCLE_NEVER)
		csv_none(o);
	else
		csv_u64(o, c);
}

/* The column cycle is the present cycle, followed by the times of the CTA. A range selects CTAs
 * alive in it. */
void
export_ctas(const struct export_job *j, struct csv_out *o)
{
	static const char *const columns[] = {"run",	    "cycle", "kernel", "cta",
					      "core",	    "slot",  "state",  "issued_cycle",
					      "done_cycle", "pauses"};
	struct cta_lifetimes l = {0};

	csv_header(o, columns, ARRAY_LEN(columns));
	lifetimes_read(&l, j->sim);
	o->no_memory |= l.no_memory;
	if (l.n)
		qsort(l.cta, l.n, sizeof(l.cta[0]), compare_numbers);
	for (size_t i = 0; i < l.n && !o->closed; i++) {
		const struct cta_lifetime *c = &l.cta[i];

		if ((c->issued != CYCLE_NEVER && c->issued > j->to) ||
		    (c->done != CYCLE_NEVER && c->done < j->from))
			continue;
		csv_begin(o, j, sim_cycle(j->sim), c->kernel + 1);
		csv_u64(o, c->cta);
		csv_i64(o, c->core);
		csv_i64(o, c->slot);
		csv_text(o, c->now == CTA_STATE_ABSENT ? "done" : cta_state_names[c->now]);
		put_cycle(o, c->issued);
		put_cycle(o, c->done);
		csv_u64(o, c->pauses);
		csv_end(o);
	}
	lifetimes_free(&l);
}
