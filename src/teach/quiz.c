/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quiz.c - what is kept of a run, the draw, and what identifies a quiz.
 *
 * A stratum keeps at most QUIZ_KEPT questions, a sample in which each that occurred is equally
 * likely (Vitter 1985, algorithm R), so a long run needs little memory. The draw goes through the
 * answers in rounds, in another order each time, and for each answer takes the stratum that was
 * drawn from least.
 */
#include "teach/quiz_part.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/words.h"
#include "teach/handin_part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const quiz_level_names[] = {"normal", "easy", "hard"};

/* ---------------------------------------------------------------- keeping */

void
quiz_item_clear(struct quiz_item *it)
{
	free(it->text);
	free(it->why);
	*it = (struct quiz_item){.core = -1};
}

static struct quiz_stratum *
stratum_of(struct quiz *q, const void *subject, unsigned part, const char *name, unsigned order)
{
	struct quiz_stratum *t;

	for (unsigned i = 0; i < q->n_strata; i++) {
		t = &q->stratum[i];
		if (t->subject == subject && t->part == part && t->order == order)
			return t;
	}
	if (q->n_strata == QUIZ_STRATA)
		return NULL;
	q->stratum = array_grow(q->stratum, q->n_strata, sizeof(*q->stratum));
	t = &q->stratum[q->n_strata++];
	*t = (struct quiz_stratum){.subject = subject, .part = part, .name = name, .order = order};
	return t;
}

struct quiz_item *
quiz_keep(struct quiz *q, const void *subject, unsigned part, const char *name, unsigned order)
{
	struct quiz_stratum *t = stratum_of(q, subject, part, name, order);
	uint64_t place;

	if (!t)
		return NULL;
	place = t->seen++;
	if (t->n < QUIZ_KEPT) {
		t->item[t->n] = memory_new(1, sizeof(*t->item[0]));
		t->item[t->n]->core = -1;
		return t->item[t->n++];
	}
	place = random_next(&q->random) % (place + 1);
	if (place >= QUIZ_KEPT)
		return NULL;
	quiz_item_clear(t->item[place]);
	return t->item[place];
}

static int
by_order(const void *a, const void *b)
{
	const struct quiz_stratum *const *x = a, *const *y = b;

	return ((*x)->order > (*y)->order) - ((*x)->order < (*y)->order);
}

/* The choices of a question about a reason are those that occur in the run. */
static void
set_choices(const struct quiz *q, struct quiz_stratum *t)
{
	const struct quiz_stratum *of[QUIZ_STRATA];
	unsigned n = 0;

	for (unsigned i = 0; i < q->n_strata; i++)
		if (q->stratum[i].subject == t->subject && q->stratum[i].part == t->part)
			of[n++] = &q->stratum[i];
	qsort(of, n, sizeof(of[0]), by_order);
	for (unsigned k = 0; k < t->n; k++) {
		struct quiz_item *it = t->item[k];

		if (it->n_choices != 1)
			continue;
		it->n_choices = MIN(n, QUIZ_CHOICES);
		for (unsigned i = 0; i < it->n_choices; i++) {
			it->choice[i] = of[i]->name;
			if (of[i] == t)
				it->right = i;
		}
	}
}

/* A question with one choice is none. */
static void
drop_if_obvious(struct quiz_stratum *t)
{
	if (!t->n || t->item[0]->n_choices != 1)
		return;
	for (unsigned k = 0; k < t->n; k++) {
		quiz_item_clear(t->item[k]);
		free(t->item[k]);
	}
	t->n = 0;
}

/* ---------------------------------------------------------------- life */

bool
quiz_is_about_decisions(const struct quiz *q)
{
	return !q->kind ||
	       (strcmp(q->kind, QUIZ_OCCUPANCY) != 0 && strcmp(q->kind, QUIZ_CLASS) != 0);
}

static int
collect_questions(struct quiz *q, struct trace *t, struct err *e)
{
	unsigned kept = 0;
	int rc;

	if (q->kind && strcmp(q->kind, QUIZ_OCCUPANCY) == 0)
		rc = quiz_collect_occupancy(q, e);
	else if (q->kind && strcmp(q->kind, QUIZ_CLASS) == 0)
		rc = quiz_collect_classes(q, t, e);
	else
		rc = quiz_collect_decisions(q, t, e);
	if (rc)
		return -1;
	quiz_drop_undecided(q);
	for (unsigned i = 0; i < q->n_strata; i++)
		set_choices(q, &q->stratum[i]);
	for (unsigned i = 0; i < q->n_strata; i++) {
		drop_if_obvious(&q->stratum[i]);
		kept += q->stratum[i].n;
	}
	if (!kept)
		return err_set(e,
			       "nothing to ask about: in this run, %s under %s, %.80s makes no "
			       "decision with two outcomes that earlier values determine",
			       q->trace->path, config_policy_text(q->config),
			       q->kind ? q->kind : "the stack");
	return 0;
}

struct quiz *
quiz_new(struct config *c, struct trace *t, const char *kind, enum quiz_level level, struct err *e)
{
	struct quiz *q = memory_new(1, sizeof(*q));

	q->config = c;
	q->trace = trace_info(t);
	q->kind = kind;
	q->level = level;
	if (collect_questions(q, t, e) == 0)
		return q;
	quiz_free(q);
	return NULL;
}

void
quiz_free(struct quiz *q)
{
	if (!q)
		return;
	for (unsigned i = 0; i < q->n_strata; i++)
		for (unsigned k = 0; k < q->stratum[i].n; k++) {
			quiz_item_clear(q->stratum[i].item[k]);
			free(q->stratum[i].item[k]);
		}
	free(q->stratum);
	free(q->fact);
	free(q->drawn);
	free(q);
}

/* ---------------------------------------------------------------- drawing */

static void
shuffle_numbers(unsigned *v, unsigned n, uint64_t *random)
{
	for (unsigned i = n; i > 1; i--) {
		unsigned k = random_below(random, i), other = v[i - 1];

		v[i - 1] = v[k];
		v[k] = other;
	}
}

static bool
is_drawn(const struct quiz *q, const struct quiz_item *it)
{
	for (unsigned i = 0; i < q->n; i++)
		if (q->drawn[i] == it)
			return true;
	return false;
}

/* Numbers are one answer: what matters there is the reason. */
static const char *
answer_of(const struct quiz_item *it)
{
	return it->n_choices ? it->choice[it->right] : "";
}

/* Stores the different answers; returns how many there are. */
static unsigned
collect_answers(const struct quiz *q, const char **answer, unsigned most)
{
	unsigned n = 0, k;

	for (unsigned i = 0; i < q->n_strata; i++)
		for (unsigned j = 0; j < q->stratum[i].n; j++) {
			const char *a = answer_of(q->stratum[i].item[j]);

			for (k = 0; k < n && strcmp(answer[k], a) != 0;)
				k++;
			if (k == n && n < most)
				answer[n++] = a;
		}
	return n;
}

/* One of a stratum with that answer that is not drawn yet; NULL: all are. */
static struct quiz_item *
draw_from(const struct quiz *q, const struct quiz_stratum *t, const char *answer, uint64_t *random)
{
	unsigned from = t->n ? random_below(random, t->n) : 0;

	for (unsigned i = 0; i < t->n; i++) {
		struct quiz_item *it = t->item[(from + i) % t->n];

		if (strcmp(answer_of(it), answer) == 0 && !is_drawn(q, it))
			return it;
	}
	return NULL;
}

/* One with that answer, from the stratum that was drawn from least; NULL: all are drawn. */
static struct quiz_item *
draw_answer(const struct quiz *q, const char *answer, unsigned *taken, uint64_t *random)
{
	struct quiz_item *found = NULL, *it;
	unsigned order[QUIZ_STRATA], least = 0;

	for (unsigned i = 0; i < q->n_strata; i++)
		order[i] = i;
	shuffle_numbers(order, q->n_strata, random);
	for (unsigned i = 0; i < q->n_strata; i++) {
		unsigned k = order[i];

		if (found && taken[k] >= taken[least])
			continue;
		it = draw_from(q, &q->stratum[k], answer, random);
		if (it) {
			found = it;
			least = k;
		}
	}
	taken[least] += found != NULL;
	return found;
}

unsigned
quiz_draw(struct quiz *q, uint64_t seed, unsigned n)
{
	const char *answer[QUIZ_STRATA + QUIZ_MOVES + 1];
	unsigned order[ARRAY_LEN(answer)], taken[QUIZ_STRATA] = {0};
	unsigned n_answers = collect_answers(q, answer, ARRAY_LEN(answer)), before;
	uint64_t random = seed;

	free(q->drawn);
	q->drawn = memory_new(n, sizeof(struct quiz_item *));
	q->n = 0;
	q->seed = seed;
	q->wanted = n;
	for (unsigned i = 0; i < n_answers; i++)
		order[i] = i;
	do {
		before = q->n;
		shuffle_numbers(order, n_answers, &random);
		for (unsigned i = 0; i < n_answers && q->n < n; i++) {
			struct quiz_item *it = draw_answer(q, answer[order[i]], taken, &random);

			if (it)
				q->drawn[q->n++] = it;
		}
	} while (q->n > before && q->n < n);
	return q->n;
}

void
quiz_name(const struct quiz *q, char *buf, size_t size)
{
	const uint64_t numbers[] = {q->seed,	       q->wanted,
				    q->level,	       q->trace->digest,
				    digest_of_build(), digest_of_config(q->config)};
	uint64_t h = hash64(numbers, sizeof(numbers), 0);

	if (q->kind)
		h = hash64(q->kind, strlen(q->kind), h);
	snprintf(buf, size, "%" PRIu64 "-%016" PRIx64, q->seed, h);
}

/* ---------------------------------------------------------------- answers */

void
quiz_choices_text(const struct quiz_item *it, struct strbuf *out)
{
	for (unsigned i = 0; i < it->n_choices; i++)
		sb_printf(out, "%s%u %s",
			  i == 0		   ? ""
			  : i + 1 == it->n_choices ? " or "
						   : ", ",
			  i + 1, it->choice[i]);
}

int
quiz_choice(const struct quiz_item *it, const char *text, bool may_shorten)
{
	struct span typed = span_trim(span_of(text));
	int found = -1;

	if (typed.n == 1 && *typed.p >= '1' && (unsigned)(*typed.p - '1') < it->n_choices)
		return *typed.p - '1';
	for (unsigned i = 0; typed.n && i < it->n_choices; i++) {
		if (!ascii_same_start(it->choice[i], typed.p, typed.n))
			continue;
		if (strlen(it->choice[i]) == typed.n)
			return (int)i;
		if (may_shorten)
			found = found == -1 ? (int)i : -2;
	}
	return MAX(found, -1);
}

void
quiz_answer_text(const struct quiz_item *it, char *buf, size_t size)
{
	if (it->n_choices)
		snprintf(buf, size, "%s", it->choice[it->right]);
	else
		snprintf(buf, size, "%" PRIu32, it->number);
}

bool
quiz_is_right(const struct quiz_item *it, const char *text, bool *understood)
{
	double v = 0;
	int choice;

	if (it->n_choices) {
		choice = quiz_choice(it, text, true);
		*understood = choice >= 0;
		return choice == (int)it->right;
	}
	*understood = number_typed(text, &v);
	return *understood && v == it->number;
}
