/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stacks.c - parses the list of stacks of a race.
 *
 * A stack may contain commas between its parameters: name:a=2,b=0. So a comma separates two stacks
 * unless NAME=VALUE follows, which is a parameter of the stack before it, as names of policies have
 * no '='.
 */
#include "lab/race_part.h"

#include "base/foreign.h"
#include "base/words.h"

#include <string.h>

/* The length of the first stack of a list. */
static size_t
stack_length(const char *list)
{
	size_t n = strcspn(list, ",");

	while (list[n] == ',' && list[n + 1 + strcspn(list + n + 1, "=:+,")] == '=')
		n += 1 + strcspn(list + n + 1, ",");
	return n;
}

/* Writes the stack in its canonical form; -1 with e, which suggests similar names. */
static int
write_canonical(const char *stack, char *to, size_t size, struct err *e)
{
	struct config *c = config_new();
	int rc;

	config_set_try(c, foreign_try);
	rc = c ? config_policy(c, stack, e) : err_nomem(e);
	if (rc == 0)
		snprintf(to, size, "%s", config_policy_text(c));
	config_free(c);
	return rc;
}

int
race_add(struct race_stacks *s, const char *list, struct err *e)
{
	const char *at = list;
	char stack[POLICY_TEXT], text[POLICY_TEXT];

	for (;;) {
		size_t n = stack_length(at);

		if (!span_copy(span_trim((struct span){at, n}), stack, sizeof(stack)))
			return err_set(e, "'%.60s...': a stack of more than %d characters", stack,
				       POLICY_TEXT - 1);
		if (!stack[0])
			return err_set(e, "'%.100s': expected policy stacks with commas between",
				       list);
		if (write_canonical(stack, text, sizeof(text), e))
			return -1;
		for (unsigned i = 0; i < s->n; i++)
			if (strcmp(s->text[i], text) == 0)
				return err_set(e,
					       "%.100s is in the race already; a stack runs once",
					       text);
		if (s->n == RACE_LANES)
			return err_set(e, "no lane for %.100s: at most %d stacks race", text,
				       RACE_LANES);
		memcpy(s->text[s->n++], text, sizeof(text));
		if (!at[n])
			return 0;
		at += n + 1;
	}
}
