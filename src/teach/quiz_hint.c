/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quiz_hint.c - the hint of a question: the rules that the answer follows from.
 *
 * For a decision these are the conditions of the policy's rules; for the class of a cycle what each
 * class counts; for an occupancy how N is computed. A hint is made from the choices, so it does not
 * give the answer away.
 */
#include "teach/quiz_part.h"

#include "base/ascii.h"
#include "base/words.h"

#include <stdio.h>
#include <string.h>

/* The condition of a rule, from "C_mem {c_mem} >= t_mem_h {t_mem_h}, {outcome}": "C_mem >=
 * t_mem_h". A name in braces is left out where the word before it is the same. */
static void
add_condition(const char *says, struct strbuf *out)
{
	static const char outcome[] = ", {outcome}";
	const char *end = strstr(says, outcome);
	size_t n = end ? (size_t)(end - says) : strlen(says);
	struct span before = {0};

	for (size_t i = 0; i < n;) {
		const char *close = says[i] == '{' ? memchr(says + i, '}', n - i) : NULL;
		size_t length = close ? (size_t)(close - says) - i + 1 : strcspn(says + i, " {");
		struct span word = {says + i + (close != NULL), length - 2 * (close != NULL)};

		length = MIN(MAX(length, 1), n - i);
		if (close && before.n == word.n && ascii_same_start(before.p, word.p, word.n)) {
			if (out->n && out->p[out->n - 1] == ' ')
				out->p[--out->n] = '\0';
		} else if (close) {
			sb_add(out, word.p, word.n);
		} else {
			sb_add(out, says + i, length);
		}
		if (says[i] != ' ')
			before = word;
		i += length;
	}
}

static bool
is_choice(const struct quiz_item *it, const char *name)
{
	for (unsigned i = 0; i < it->n_choices; i++)
		if (strcmp(it->choice[i], name) == 0)
			return true;
	return false;
}

/* ---------------------------------------------------------------- rules that move n */

/* What follows the outcome: " (maximum)", ": a CTA is paused"; "" where the rule moves n. */
static const char *
after_outcome(const struct rule *r)
{
	static const char outcome[] = "{outcome}";
	const char *at = strstr(r->says, outcome);

	return at ? at + strlen(outcome) : "";
}

static bool
has_same_condition(const struct rule *a, const struct rule *b)
{
	size_t n = (size_t)(after_outcome(a) - a->says);

	return n == (size_t)(after_outcome(b) - b->says) && strncmp(a->says, b->says, n) == 0;
}

/* The rule that this one is a variant of, for cores whose n cannot change; NULL: none. */
static const struct rule *
base_of(const struct cta_sched_ops *o, const struct rule *r)
{
	for (unsigned i = 0; *after_outcome(r) && i < o->n_rules; i++)
		if (!*after_outcome(&o->rules[i]) && has_same_condition(&o->rules[i], r))
			return &o->rules[i];
	return NULL;
}

/* A rule of cores whose limit no rule can move has the old limit only. */
static bool
keeps_old(const struct rule *r)
{
	return rule_find(r, "old", 3) >= 0 && rule_find(r, "new", 3) < 0;
}

/* Where the variant of a rule leaves n at its maximum, the rule raises it. "": unknown. */
static const char *
move_of(const struct cta_sched_ops *o, const struct rule *r)
{
	const char *move = strcmp(r->name, "keep") == 0 || keeps_old(r) ? ": stays" : "";

	for (unsigned i = 0; i < o->n_rules; i++) {
		const struct rule *other = &o->rules[i];

		if (other == r || !has_same_condition(other, r))
			continue;
		if (!*after_outcome(other))
			return ""; /* the condition does not tell them apart */
		if (strstr(after_outcome(other), "(maximum)"))
			move = ": up";
		else if (strstr(after_outcome(other), "(minimum)"))
			move = ": down";
	}
	return move;
}

static void
add_rule(const struct rule *r, const char *move, struct strbuf *out)
{
	sb_printf(out, "  %-12s ", r->name);
	add_condition(r->says, out);
	sb_printf(out, "%s\n", move);
}

static void
add_moving_rules(const struct cta_sched_ops *o, struct strbuf *out)
{
	struct strbuf variants = {0};

	sb_printf(out, "%s: the first of these rules that holds decides what n does\n", o->name);
	for (unsigned first = 1; first <= 2; first++) /* those about the core come first */
		for (unsigned i = 0; i < o->n_rules; i++) {
			const struct rule *r = &o->rules[i];

			if (!quiz_moves_limit(r) || keeps_old(r) != (first == 1))
				continue;
			if (base_of(o, r))
				sb_printf(&variants, "%s%s", variants.n ? ", " : "", r->name);
			else
				add_rule(r, move_of(o, r), out);
		}
	if (variants.n && !variants.failed)
		sb_printf(out,
			  "where n is N or 1, or a paused CTA comes first, n stays by one of "
			  "these:\n  "
			  "%s\n",
			  variants.p);
	sb_free(&variants);
}

static void
add_rules(const struct quiz_item *it, const struct cta_sched_ops *o, struct strbuf *out)
{
	if (it->n_choices && it->choice[0] == quiz_moves[0]) {
		add_moving_rules(o, out);
		return;
	}
	sb_printf(out, "%s: its rules\n", o->name);
	for (unsigned i = 0; i < o->n_rules; i++)
		if (!it->n_choices || is_choice(it, o->rules[i].name))
			add_rule(&o->rules[i], "", out);
}

bool
quiz_wants_hint(const char *text)
{
	return span_is(span_trim(span_of(text)), "hint");
}

void
quiz_hint(const struct quiz_item *it, struct strbuf *out)
{
	if (it->policy) {
		add_rules(it, it->policy, out);
		return;
	}
	for (unsigned i = 0; i < it->n_choices; i++)
		sb_printf(out, "%s: %s\n", it->choice[i], quiz_class_help(it->choice[i]));
	if (!it->n_choices)
		sb_str(out, "N is the smallest of the numbers of CTAs that threads, registers, "
			    "shared memory and slots allow\n");
}
