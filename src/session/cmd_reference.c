/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_reference.c - the commands reference and info reference: which runs to measure, and how the
 * present run compares with them.
 */
#include "session/table.h"
#include "session/command.h"
#include "session/experiment.h"
#include "session/reference.h"
#include "session/session_part.h"

#include "base/foreign.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

static uint64_t
insts_now(const struct session *s)
{
	uint64_t id;

	return sim_path(s->sim, "gpu.thread_insts", &id, NULL) == 1
		       ? (uint64_t)sim_value(s->sim, id, 0)
		       : 0;
}

static void
say_compared(struct session *s, enum reference_kind kind)
{
	struct reference_view v;
	char now[HUMAN], then[HUMAN], insts[HUMAN];
	double at;

	if (!session_reference(s, kind, &v) || insts_now(s) == 0)
		return;
	at = reference_cycle(&v, (double)insts_now(s));
	if (isnan(at))
		say(s, SAY_RESULT, "%s has not been measured as far as this run yet", v.name);
	else
		say(s, SAY_RESULT,
		    "%.2fx as fast as %s so far: %s thread instructions in %s cycles, %s needs %s",
		    at / (double)sim_cycle(s->sim), v.name, human(insts, insts_now(s)),
		    human(now, sim_cycle(s->sim)), v.name, human(then, (uint64_t)(at + 0.5)));
}

enum session_status
info_reference(struct session *s, const char *args ATTR_UNUSED)
{
	static const char *const words[] = {"waits", "is measured", "", "cannot win, stopped",
					    "failed"};
	struct reference *r;
	const struct reference_run *best;
	char cycles[HUMAN];
	struct table t;

	reference_say(s);
	r = s->workers.reference;
	if (!r) {
		say(s, SAY_RESULT,
		    "nothing to compare with; 'reference STACK' measures a policy (see 'help "
		    "reference')");
		return SESSION_OK;
	}
	best = reference_best(r);
	table_begin(&t, "<policy >cycles >IPC <");
	for (unsigned i = 0; i < r->n; i++) {
		const struct reference_run *k = &r->run[i];
		bool ran = k->state != REF_WAITS;

		table_text(&t, "%s", k->name);
		if (k->state == REF_CUT) /* it needs more than the best one, which ended here */
			table_text(&t, ">%s", human(cycles, k->cycles));
		else
			table_num(&t, ran ? (double)k->cycles : NAN);
		table_num(&t, ran && k->cycles && k->state != REF_CUT
				      ? (double)k->insts / (double)k->cycles
				      : NAN);
		if (k->state == REF_RUNS)
			table_text(&t, "%.0f %%", 100 * k->share);
		else
			table_text(&t, "%s",
				   k->why[0]   ? k->why
				   : k == best ? "best"
					       : words[k->state]);
	}
	table_end(s, &t);
	say_compared(s, REFERENCE_STACK);
	say_compared(s, REFERENCE_BEST);
	return SESSION_OK;
}

/* Finds or adds the run of that name; returns NULL with e if there are too many. *kept counts the
 * runs that the cache had. */
static struct reference_run *
want_run(struct session *s, const char *name, unsigned *kept, struct err *e)
{
	struct reference *r = s->workers.reference;
	struct reference_run *k;
	unsigned i = 0;

	while (i < r->n && strcmp(r->run[i].name, name) != 0)
		i++;
	if (i == REFERENCE_RUNS) {
		err_set(e, "reference: at most %d runs are kept; 'reference off' forgets them", i);
		return NULL;
	}
	k = &r->run[i];
	if (i == r->n || k->state == REF_FAILED) {
		free(k->point);
		*k = (struct reference_run){.state = REF_WAITS};
		snprintf(k->name, sizeof(k->name), "%s", name);
		r->n = MAX(r->n, i + 1);
		*kept += reference_cache_load(s, k);
	}
	return k;
}

/* Returns the policy of that name if its only parameter is n: then every n is measured. */
static const struct cta_sched_ops *
policy_of_n(const struct session *s, const char *name)
{
	unsigned n;
	const struct cta_sched_ops *const *known = config_policies(s->config, &n);

	for (unsigned i = 0; i < n; i++)
		if (strcmp(known[i]->name, name) == 0 && known[i]->n_opts == 1 &&
		    strcmp(known[i]->opts[0].name, "n") == 0)
			return known[i];
	return NULL;
}

/* Returns the largest useful n: the CTAs that fit on a core, or the number of cores, depending on
 * the parameter's unit. */
static unsigned
largest_n(const struct session *s, const struct cta_sched_ops *o)
{
	const struct trace_info *t = sim_trace(s->sim);
	uint32_t most = 1;

	if (strcmp(o->opts[0].unit, "cores") == 0)
		return sim_instances(s->sim, "core");
	for (uint32_t i = 0; i < t->n_kernels; i++)
		most = MAX(most, config_ctas_per_core(s->config, &t->kernel[i]));
	return most;
}

/* A run was cut off because it lost against a best run; if the cache no longer has that run, the
 * cut one must be measured again. */
static void
check_cut(struct reference *r, unsigned *kept)
{
	const struct reference_run *best = reference_best(r);

	for (unsigned i = 0; i < r->n; i++) {
		struct reference_run *k = &r->run[i];

		if (k->state != REF_CUT || !k->sweep || k->sweep != r->sweep ||
		    (best && best->cycles <= k->cycles))
			continue;
		k->state = REF_WAITS;
		k->n = 0;
		*kept -= *kept > 0;
	}
}

static int
want_runs(struct session *s, const char *stack, unsigned *kept, struct err *e)
{
	const struct cta_sched_ops *o = policy_of_n(s, stack);
	struct reference *r = s->workers.reference;
	char name[sizeof(r->run[0].name)];
	struct reference_run *k;

	if (!r) {
		if (!(r = s->workers.reference = calloc(1, sizeof(*r))))
			return err_nomem(e);
		r->of = reference_fingerprint(s);
		r->build = s->workers.keeps_references ? reference_build() : 0;
	}
	for (unsigned n = 1; o && n <= largest_n(s, o); n++) {
		snprintf(name, sizeof(name), "%.60s:n=%u", o->name, n);
		if (!(k = want_run(s, name, kept, e)))
			return -1;
		k->sweep = r->sweep = o;
		k->value = n;
	}
	if (o) {
		check_cut(r, kept);
		return 0;
	}
	if (!(k = want_run(s, stack, kept, e)))
		return -1;
	k->sweep = NULL;
	r->stack = (unsigned)(k - r->run);
	return 0;
}

/* Checks that it is a valid stack whose name is short enough. */
static int
check_stack(const char *stack, struct err *e)
{
	struct config *c = config_new();
	int rc;

	config_set_try(c, foreign_try);
	if (!c)
		return err_nomem(e);
	rc = config_policy(c, stack, e);
	config_free(c);
	if (rc == 0 && strlen(stack) >= sizeof(((struct reference_run *)0)->name))
		rc = err_set(e, "reference: the name of the stack is too long");
	return rc;
}

/* In a script the command ends when the result is complete. */
static enum session_status
wait_for_all(struct session *s)
{
	while (reference_is_measuring(s->workers.reference) && !s->control.poll) {
		struct pollfd p[REFERENCE_LANES];
		int fd[REFERENCE_LANES];
		unsigned n = reference_descriptors(s->workers.reference, fd);

		for (unsigned i = 0; i < n; i++)
			p[i] = (struct pollfd){.fd = fd[i], .events = POLLIN};
		poll(p, n, 100);
		reference_read(s);
	}
	if (s->control.poll) {
		reference_free(s);
		return session_say_interrupted(s, "reference");
	}
	s->workers.reference->note[0] = '\0';
	for (unsigned i = 0; i < s->workers.reference->n; i++)
		if (s->workers.reference->run[i].state == REF_FAILED)
			return fail(s, "reference %s: %s", s->workers.reference->run[i].name,
				    s->workers.reference->run[i].why);
	return info_reference(s, "");
}

enum session_status
cmd_reference(struct session *s, struct cmd_args *a)
{
	const char *word = a->word[0];
	unsigned kept = 0;
	struct err e = {0};

	if (!word)
		return info_reference(s, "");
	if (ascii_same(word, "off")) {
		bool had = s->workers.reference != NULL;

		reference_free(s);
		say(s, SAY_RESULT, had ? "reference: forgotten" : "reference: nothing to forget");
		return SESSION_OK;
	}
	reference_check(s);
	if (check_stack(word, &e) || want_runs(s, word, &kept, &e) ||
	    session_start_reference(s, &e))
		return say_err(s, &e);
	if (kept)
		say(s, SAY_NOTE, "reference: %u run%s measured before; 'ctascope cache' lists %s",
		    kept, kept == 1 ? " was" : "s were", kept == 1 ? "it" : "them");
	if (!s->ui.interactive)
		return wait_for_all(s);
	if (reference_is_measuring(s->workers.reference))
		say(s, SAY_RESULT,
		    "reference: measuring in the background; 'info reference' shows it, 'reference "
		    "off' ends it");
	else
		return info_reference(s, "");
	return SESSION_OK;
}
