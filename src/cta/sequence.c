/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sequence.c - see sequence.h.
 *
 * The next step is found from the time alone, so the state is only the cycle of the launch. A step
 * is the end of a period, whose length changes with each; all cores decide the same there.
 */
#include "cta/sequence.h"

#include "base/words.h"
#include "cta/cta.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAUSE_YIELD, PAUSE_HOLD };
struct sequence_opts {
	opt_enum pause;
};
static const char *const pause_names[] = {"yield", "hold", NULL};
static const struct opt_row sequence_opts[] = {
	CTA_PARAM_ENUM(struct sequence_opts, pause, PAUSE_HOLD, pause_names,
		       "paused CTAs do not issue; yield: they do when no other can"),
};

struct sequence_state {
	uint64_t start; /* launch of the kernel, or when the policy took over */
};
static const struct cta_field sequence_fields[] = {
	CTA_FIELD(struct sequence_state, start, u64, "cycles", "the cycle from which steps count"),
};

enum { RULE_STEP };
static const struct rule sequence_rules[] = {
	{"step", "step {step} of kernel {kernel}, {outcome}",
	 .value = {"step", "kernel", "old", "new"}},
};

/* ---------------------------------------------------------------- hooks */

static const struct sequence *
sequence_in(const struct cta_ctx *x)
{
	const struct cta_stack *s = x->host;

	return sequence_of(s->policy[x->index].ops);
}

static bool
steps_of(const struct sequence *q, uint32_t kernel, unsigned *first, unsigned *end)
{
	*first = 0;
	while (*first < q->n_steps && q->step[*first].kernel < kernel)
		++*first;
	*end = *first;
	while (*end < q->n_steps && q->step[*end].kernel == kernel)
		++*end;
	return *first < *end;
}

/* The step that holds now; NULL: there is none for the kernel. number: from 1. */
static const struct sequence_step *
present_step(const struct cta_ctx *x, unsigned *number)
{
	const struct sequence_state *k = x->state;
	const struct sequence *q = sequence_in(x);
	unsigned first, end, i;

	if (!steps_of(q, x->gpu->kernel + 1, &first, &end))
		return NULL;
	for (i = first; i + 1 < end && x->gpu->cycle - k->start >= q->step[i + 1].at;)
		i++;
	*number = i - first + 1;
	return &q->step[i];
}

static void
sequence_kernel(struct cta_ctx *x)
{
	struct sequence_state *k = x->state;

	k->start = x->gpu->cycle;
}

static uint32_t
sequence_limit(const struct cta_ctx *x, unsigned core)
{
	unsigned number;
	const struct sequence_step *t = present_step(x, &number);

	(void)core;
	return t ? t->n : x->gpu->n_max;
}

static cycle_t
sequence_period(const struct cta_ctx *x)
{
	const struct sequence_state *k = x->state;
	const struct sequence *q = sequence_in(x);
	cycle_t now = x->gpu->cycle - k->start;
	unsigned first, end;

	steps_of(q, x->gpu->kernel + 1, &first, &end);
	for (unsigned i = first; i < end; i++)
		if (q->step[i].at > now)
			return q->step[i].at - now;
	return 0;
}

static void
sequence_decide(struct cta_ctx *x, unsigned core, struct cta_decision *d)
{
	unsigned number = 0;
	const struct sequence_step *t = present_step(x, &number);
	uint32_t old = x->gpu->core[core].limit;

	if (!t)
		return;
	d->limit = t->n;
	d->why = (struct reason){.rule = RULE_STEP, .v = {number, t->kernel, old, t->n}};
}

static bool
sequence_holds(const struct cta_ctx *x)
{
	const struct sequence_opts *o = x->opts;

	return o->pause == PAUSE_HOLD;
}

static const struct cta_sched_ops sequence_ops = {
	.abi = CTA_SCHED_ABI,
	.rules = sequence_rules,
	.n_rules = ARRAY_LEN(sequence_rules),
	.opts = sequence_opts,
	.n_opts = ARRAY_LEN(sequence_opts),
	.opts_size = sizeof(struct sequence_opts),
	.state_size = sizeof(struct sequence_state),
	.fields = sequence_fields,
	.n_fields = ARRAY_LEN(sequence_fields),
	.pauses = true,
	.holds = sequence_holds,
	.kernel = sequence_kernel,
	.limit = sequence_limit,
	.period = sequence_period,
	.decide = sequence_decide,
};

/* ---------------------------------------------------------------- the steps */

struct sequence *
sequence_new(const char *name, const char *help)
{
	struct sequence *q = calloc(1, sizeof(*q));

	if (!q)
		return NULL;
	snprintf(q->name, sizeof(q->name), "%s", name);
	snprintf(q->help, sizeof(q->help), "%s", help);
	q->ops = sequence_ops;
	q->ops.name = q->name;
	q->ops.help = q->help;
	return q;
}

void
sequence_free(struct sequence *q)
{
	if (q)
		free(q->step);
	free(q);
}

struct sequence *
sequence_of(const struct cta_sched_ops *o)
{
	return o->limit == sequence_limit
		       ? (struct sequence *)((char *)(uintptr_t)o - offsetof(struct sequence, ops))
		       : NULL;
}

int
sequence_set(struct sequence *q, uint32_t kernel, cycle_t at, uint32_t n)
{
	unsigned i = 0, end;

	while (i < q->n_steps &&
	       (q->step[i].kernel < kernel || (q->step[i].kernel == kernel && q->step[i].at < at)))
		i++;
	for (end = i; end < q->n_steps && q->step[end].kernel == kernel;)
		end++;
	if (end == i && n && q->n_steps == q->room) {
		unsigned room = q->room ? 2 * q->room : 64;
		struct sequence_step *grown = realloc(q->step, room * sizeof(*grown));

		if (!grown)
			return -1;
		q->step = grown;
		q->room = room;
	}
	if (q->n_steps > end)
		memmove(&q->step[i + !!n], &q->step[end], (q->n_steps - end) * sizeof(q->step[0]));
	q->n_steps = q->n_steps - (end - i) + !!n;
	if (n)
		q->step[i] = (struct sequence_step){.kernel = kernel, .at = at, .n = n};
	return 0;
}

int
sequence_copy(struct sequence *to, const struct sequence *from)
{
	to->n_steps = 0;
	for (unsigned i = 0; i < from->n_steps; i++)
		if (sequence_set(to, from->step[i].kernel, from->step[i].at, from->step[i].n) < 0)
			return -1;
	return 0;
}

/* ---------------------------------------------------------------- as text */

/* Reads a line of numbers, "kernel K" or "CYCLE N"; -1: it is neither. */
static int
parse_line(struct sequence *q, const char *line, uint32_t *kernel)
{
	const struct sequence_step *last = q->n_steps ? &q->step[q->n_steps - 1] : NULL;
	bool first = !last || last->kernel != *kernel;
	uint64_t at;
	uint32_t n;
	int end = 0;

	if (sscanf(line, "kernel %9" SCNu32 " %n", &n, &end) == 1 && end && !line[end]) {
		bool later = n > *kernel && !(first && *kernel);

		*kernel = n;
		return later ? 0 : -1;
	}
	end = 0;
	if (sscanf(line, "%18" SCNu64 " %4" SCNu32 " %n", &at, &n, &end) != 2 || !end ||
	    line[end] || !*kernel || !n || n > MAX_CTAS)
		return -1;
	if (first ? at != 0 : at <= last->at)
		return -1;
	return sequence_set(q, *kernel, at, n);
}

int
sequence_parse(struct sequence *q, const char *text, const char *what, struct err *e)
{
	uint32_t kernel = 0;

	for (unsigned number = 1; *text; number++) {
		size_t n = strcspn(text, "\n");
		char line[100];

		snprintf(line, sizeof(line), "%.*s", (int)MIN(n, sizeof(line) - 1), text);
		text += n + (text[n] == '\n');
		if (!*skip_blanks(line) || line[0] == '#')
			continue;
		if (parse_line(q, line, &kernel) < 0)
			return err_set(e,
				       "policy '%s', line %u: expected 'kernel K', with kernels in "
				       "increasing order, or 'CYCLE N', with increasing cycles and "
				       "N from 1 to %d, found '%.40s'",
				       what, number, MAX_CTAS, line);
	}
	return 0;
}

void
sequence_write(const struct sequence *q, struct strbuf *out)
{
	uint32_t kernel = 0;

	sb_printf(out, "%s - %s\n", SEQUENCE_HEAD, q->help);
	for (unsigned i = 0; i < q->n_steps; i++) {
		if (q->step[i].kernel != kernel)
			sb_printf(out, "kernel %" PRIu32 "\n", q->step[i].kernel);
		kernel = q->step[i].kernel;
		sb_printf(out, "%" PRIu64 " %" PRIu32 "\n", (uint64_t)q->step[i].at, q->step[i].n);
	}
}
