/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference.c - decides for which configuration references are valid, and prints what the session
 * reports of them; see reference.h.
 *
 * References are kept as long as the session and its configuration exist, also across `run` and
 * changes of the policy, and in the user's cache (reference_cache.c).
 */
#include "session/reference.h"
#include "base/clock.h"
#include "base/hash.h"
#include "ctascope/policy_file.h"
#include "session/experiment.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- the configuration */

struct fingerprint {
	const struct session *s;
	const struct cta_sched_ops *warp_policy;
	struct hash h;
};

/* Options of policies and those that only end a run are left out. A policy that gpu.warp_sched
 * names takes part in every reference. */
static void
add_option(void *ctx, const char *key, const struct opt_group *g,
	   const struct opt_row *r ATTR_UNUSED)
{
	struct fingerprint *f = ctx;
	char value[POLICY_TEXT] = "";
	unsigned n;
	const struct cta_sched_ops *const *known = config_policies(f->s->config, &n);

	for (unsigned i = 0; i < n; i++)
		if (strcmp(known[i]->name, g->prefix) == 0 && known[i] != f->warp_policy)
			return;
	if (strcmp(key, "run.max_cycles") == 0 || strcmp(key, "run.max_seconds") == 0)
		return;
	opt_get(config_db_const(f->s->config), key, value, sizeof(value), NULL);
	hash_add(&f->h, key, strlen(key) + 1);
	hash_add(&f->h, value, strlen(value) + 1);
}

uint64_t
reference_fingerprint(const struct session *s)
{
	struct fingerprint f = {.s = s, .warp_policy = config_warp_policy(s->config)};
	const char *wsched = config_wsched_name(s->config);
	uint64_t file = f.warp_policy ? config_file_digest(s->config, wsched) : 0;

	hash_init(&f.h, 0);
	opt_each(config_db_const(s->config), add_option, &f);
	hash_add(&f.h, wsched, strlen(wsched));
	if (file)
		hash_add(&f.h, &file, sizeof(file));
	hash_add(&f.h, &sim_trace(s->sim)->digest, sizeof(uint64_t));
	return hash_end(&f.h);
}

/* ---------------------------------------------------------------- the workers */

void
reference_free(struct session *s)
{
	reference_delete(s->workers.reference);
	s->workers.reference = NULL;
}

int
session_start_reference(struct session *s, struct err *e)
{
	struct machine m = session_machine(s);

	return reference_start(&m, s->workers.reference, e);
}

/* The note about a run that failed, or that is no part of a sweep. False: none is due. */
static bool
note_run(struct reference *r, struct reference_run *k)
{
	char cycles[HUMAN];

	if (k->reported || (k->state != REF_FAILED && (k->state != REF_DONE || k->sweep)))
		return false;
	k->reported = true;
	if (k->state == REF_FAILED)
		snprintf(r->note, sizeof(r->note), "reference %s: %s", k->name, k->why);
	else
		snprintf(r->note, sizeof(r->note), "reference %s: %s cycles", k->name,
			 human(cycles, k->cycles));
	return true;
}

/* Prepares the note about measurements that have ended. The end of a worker is another end. */
static void
note_end(struct reference *r)
{
	const struct reference_run *best = reference_best(r);
	char cycles[HUMAN];
	unsigned n = 0;

	for (unsigned i = 0; i < r->n; i++) {
		n += r->run[i].sweep && r->run[i].sweep == r->sweep;
		if (note_run(r, &r->run[i]))
			return;
	}
	if (best && !best->reported && !reference_waits(r) && !reference_is_measuring(r)) {
		for (unsigned i = 0; i < r->n; i++)
			r->run[i].reported |= r->run[i].sweep == r->sweep;
		snprintf(r->note, sizeof(r->note), "reference %s: best of %u: %s, %s cycles",
			 r->sweep->name, n, best->name, human(cycles, best->cycles));
	}
}

static void
store_run(void *ctx, const struct reference_run *k)
{
	reference_cache_store(ctx, k);
}

bool
reference_read(struct session *s)
{
	struct reference *r = s->workers.reference;
	bool ended;

	if (!reference_is_measuring(r))
		return false;
	ended = reference_receive(r, store_run, s);
	if (ended && reference_waits(r))
		session_start_reference(s, NULL);
	if (ended)
		note_end(r);
	return ended;
}

void
reference_say(struct session *s)
{
	struct reference *r = s->workers.reference;

	if (!r)
		return;
	reference_read(s);
	if (session_hides_outcome(s))
		return; /* the note waits for the end of the prediction */
	if (r->note[0])
		say(s, SAY_NOTE, "%s", r->note);
	r->note[0] = '\0';
}

void
reference_check(struct session *s)
{
	if (!s->workers.reference || !s->sim ||
	    s->workers.reference->of == reference_fingerprint(s))
		return;
	reference_free(s);
	say(s, SAY_NOTE, "reference: dropped, because it was measured on another machine");
}

/* ---------------------------------------------------------------- queries */

static const struct reference_run *
run_of_kind(const struct reference *r, enum reference_kind kind)
{
	const struct reference_run *k;

	if (kind == REFERENCE_BEST)
		return reference_best(r);
	k = r->stack < r->n ? &r->run[r->stack] : NULL;
	return k && !k->sweep && (k->state == REF_DONE || k->state == REF_RUNS) ? k : NULL;
}

/* Whether its n limits CTAs. */
static bool
limits_ctas(const struct reference_run *k)
{
	return k->sweep && strcmp(k->sweep->opts[0].unit, "CTAs") == 0;
}

/* Estimates the seconds until the current measurement ends; NaN if it is too early. */
static double
seconds_left(const struct reference_run *k)
{
	return k->share > 0.01 ? (clock_seconds() - k->began) * (1 - k->share) / k->share : NAN;
}

bool
session_reference(const struct session *s, enum reference_kind kind, struct reference_view *v)
{
	const struct reference *r = s->workers.reference;
	const struct reference_run *k = r ? run_of_kind(r, kind) : NULL;

	if (!k || session_hides_outcome(s))
		return false;
	*v = (struct reference_view){.name = k->name,
				     .limit = limits_ctas(k) ? k->value : (double)NAN,
				     .measured = k->state == REF_DONE,
				     .cycles = k->cycles,
				     .insts = k->insts,
				     .point = k->point,
				     .n = k->n};
	return true;
}

void
session_reference_progress(const struct session *s, char *buf, size_t size)
{
	const struct reference *r = s->workers.reference;
	const struct reference_run *k = NULL; /* the first one under way */
	unsigned waiting = 0;
	char left[48] = "", more[32] = "";

	buf[0] = '\0';
	if (!reference_is_measuring(r))
		return;
	for (unsigned i = 0; i < r->n; i++) {
		bool runs = r->run[i].state == REF_RUNS && r->run[i].result == REF_WAITS;

		if (runs && !k)
			k = &r->run[i];
		else
			waiting += runs || r->run[i].state == REF_WAITS;
	}
	if (!k)
		return;
	if (isfinite(seconds_left(k)))
		snprintf(left, sizeof(left), ", %.0f s left", seconds_left(k));
	if (waiting)
		snprintf(more, sizeof(more), ", %u more", waiting);
	snprintf(buf, size, "%s %.0f %%%s%s", k->name, 100 * k->share, left, more);
}
