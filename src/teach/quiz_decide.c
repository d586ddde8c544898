/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quiz_decide.c - which decisions follow from the facts of a question.
 *
 * A question shows the gauges some cycles before the end of a period. It is fair only if they
 * decide: a C_mem of 0 says nothing if it is 365 at the end. An easy or normal question is drawn
 * only if no gauge crosses a threshold in the cycles that are left. A hard one asks for
 * extrapolation: a counter that grows on as it has so far must end on the right side of its
 * thresholds. What else a policy goes by is unknown here, so decisions are also counted by their
 * facts, and only the most frequent outcome of each is asked about.
 */
#include "teach/quiz_part.h"

#include "base/hash.h"
#include "base/human.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *
quiz_assumption(enum quiz_level level)
{
	return level == QUIZ_HARD
		       ? "Extrapolate: assume that each counter of cycles grows in the rest of "
			 "the period as fast as it has grown so far."
		       : "Decide by the values shown: none of them crosses a threshold in the "
			 "cycles that are left.";
}

/* ---------------------------------------------------------------- sides of thresholds */

enum side { SIDE_UNCLEAR, SIDE_LOW, SIDE_BETWEEN, SIDE_HIGH };

/* On which side of its thresholds a value is. Exactly on one is unclear, because rules differ in
 * whether they include it. */
static enum side
side_of(double v, double low, double high)
{
	if (isnan(v) || v == low || v == high)
		return SIDE_UNCLEAR;
	if (!isnan(high) && v > high)
		return SIDE_HIGH;
	return !isnan(low) && v < low ? SIDE_LOW : SIDE_BETWEEN;
}

static bool
counts_cycles(const struct cta_gauge *g)
{
	return strcmp(g->unit, "cycles") == 0;
}

static bool
is_asked(const struct quiz_state *st, unsigned i, const struct cta_sched_ops *policy, int core)
{
	return st->policy[i] == policy && st->gauge[i]->per_core == (core >= 0) &&
	       !isnan(st->reading[i].value);
}

static double
value_assumed(const struct quiz_state *st, unsigned i, cycle_t left, enum quiz_level level)
{
	double v = st->reading[i].value;

	if (level != QUIZ_HARD || !counts_cycles(st->gauge[i]) || !st->period_done)
		return v;
	return v * (double)(st->period_done + left) / (double)st->period_done;
}

static uint64_t
add_to_key(uint64_t key, double v)
{
	return hash64(&v, sizeof(v), key);
}

bool
quiz_facts_decide(const struct quiz_state *st, const struct sim *s,
		  const struct cta_sched_ops *policy, int core, cycle_t left, enum quiz_level level,
		  uint64_t *facts)
{
	uint64_t key = add_to_key(hash64(policy->name, strlen(policy->name), 0), core >= 0);

	if (core >= 0) {
		key = add_to_key(key, st->limit <= 1);
		key = add_to_key(key, st->limit >= st->n_max);
	}
	for (unsigned i = 0; i < st->n; i++) {
		const struct cta_gauge *g = st->gauge[i];
		double low = g->low ? st->reading[i].low : (double)NAN;
		double high = g->high ? st->reading[i].high : (double)NAN;
		enum side side;
		struct gauge_view end;

		if (!is_asked(st, i, policy, core))
			continue;
		if (isnan(low) && isnan(high)) {
			key = add_to_key(key, st->reading[i].value);
			continue;
		}
		sim_gauge_view(s, i, (unsigned)MAX(core, 0), &end);
		side = side_of(value_assumed(st, i, left, level), low, high);
		if (side == SIDE_UNCLEAR || end.last_end != st->cycle + left ||
		    side != side_of(end.last.value, low, high))
			return false;
		key = add_to_key(key, side);
	}
	*facts = key;
	return true;
}

/* ---------------------------------------------------------------- the same facts */

static struct quiz_fact *
fact_of(const struct quiz *q, uint64_t facts, unsigned outcome)
{
	for (unsigned i = 0; i < q->n_facts; i++)
		if (q->fact[i].facts == facts && q->fact[i].outcome == outcome)
			return &q->fact[i];
	return NULL;
}

void
quiz_count_facts(struct quiz *q, uint64_t facts, unsigned outcome)
{
	struct quiz_fact *f = fact_of(q, facts, outcome);

	if (!f && q->n_facts < QUIZ_FACTS) {
		q->fact = array_grow(q->fact, q->n_facts, sizeof(*q->fact));
		f = &q->fact[q->n_facts++];
		*f = (struct quiz_fact){.facts = facts, .outcome = outcome};
	}
	if (f)
		f->n++;
}

static bool
is_decided(const struct quiz *q, const struct quiz_item *it)
{
	const struct quiz_fact *own = it->has_facts ? fact_of(q, it->facts, it->outcome) : NULL;

	for (unsigned i = 0; own && i < q->n_facts; i++)
		if (&q->fact[i] != own && q->fact[i].facts == own->facts && q->fact[i].n >= own->n)
			return false;
	return true;
}

void
quiz_drop_undecided(struct quiz *q)
{
	for (unsigned i = 0; i < q->n_strata; i++) {
		struct quiz_stratum *t = &q->stratum[i];
		unsigned kept = 0;

		for (unsigned k = 0; k < t->n; k++) {
			if (is_decided(q, t->item[k])) {
				t->item[kept++] = t->item[k];
				continue;
			}
			quiz_item_clear(t->item[k]);
			free(t->item[k]);
		}
		t->n = kept;
	}
}

/* ---------------------------------------------------------------- a period that is running */

static void
add_open(struct strbuf *out, const struct cta_gauge *g, const char *name, double threshold,
	 double v, cycle_t left)
{
	char number[HUMAN];

	if (!name || isnan(threshold) || v >= threshold || v + (double)left < threshold)
		return;
	sb_printf(out, "%s%s may still reach %s %s", out->n ? ", " : "", g->name, name,
		  human_num(number, threshold));
}

void
quiz_open_text(const struct quiz_state *st, const struct cta_sched_ops *policy, int core,
	       cycle_t left, struct strbuf *out)
{
	for (unsigned i = 0; i < st->n; i++) {
		const struct cta_gauge *g = st->gauge[i];

		if (!is_asked(st, i, policy, core) || !counts_cycles(g))
			continue;
		add_open(out, g, g->low, st->reading[i].low, st->reading[i].value, left);
		add_open(out, g, g->high, st->reading[i].high, st->reading[i].value, left);
	}
}
