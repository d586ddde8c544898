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

/* Rules that differ in their outcome only have one condition, and one line. */
static void
add_rules(const struct quiz_item *it, const struct cta_sched_ops *o, struct strbuf *out)
{
	bool moves = it->n_choices && it->choice[0] == quiz_moves[0];

	sb_printf(out, "%s: %s\n", o->name,
		  moves ? "rules that change n between 1 and N, or keep it" : "its rules");
	for (unsigned i = 0; i < o->n_rules; i++) {
		const struct rule *r = &o->rules[i];
		struct strbuf line = {0};

		if (moves ? !quiz_moves_limit(r) : it->n_choices && !is_choice(it, r->name))
			continue;
		add_condition(r->says, &line);
		sb_char(&line, '\n');
		if (moves && (line.failed || strstr(out->p, line.p)))
			; /* also "at the most", "at the least" */
		else
			sb_printf(out, "  %-12s %s", r->name, line.p);
		sb_free(&line);
	}
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
