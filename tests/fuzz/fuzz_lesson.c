/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_lesson.c - any bytes as a lesson.
 *
 * Requirements: no crash; a rejected lesson has an error with a message, a line if it has a place,
 * and a caret on its text; an accepted one has a name, a page, and for each task and question
 * everything that playing it needs. Line ends of other systems change nothing.
 */
#define FUZZ_CORPUS "lesson"
#define FUZZ_COVERS "src/teach/lesson.c"
#include "tests/fuzz/replay.h"

#include "teach/lesson.h"

#include <math.h>
#include <string.h>

static void
check_item(const struct item *it)
{
	const struct field *f;
	double v;

	fuzz_check(it->text && it->line);
	for (unsigned i = 0; i < it->n_fields; i++)
		fuzz_check(it->field[i].text && *it->field[i].text && it->field[i].line > it->line);
	if (it->kind == ITEM_TASK)
		fuzz_check(item_text(it, FIELD_SOLVE) &&
			   (item_text(it, FIELD_CHECK) || item_text(it, FIELD_USED)));
	if (it->kind != ITEM_ASK)
		return;
	fuzz_check(isfinite(it->value) && it->n_choices <= LESSON_CHOICES && it->n_choices != 1);
	if (it->n_choices)
		fuzz_check(it->right < it->n_choices && item_text(it, FIELD_EXPECT));
	else
		fuzz_check(item_text(it, FIELD_ANSWER) && it->tolerance >= 0);
	fuzz_check(!it->predict || item_text(it, FIELD_REVEAL));
	for (unsigned i = 0; (f = item_field(it, FIELD_WRONG, i)); i++)
		fuzz_check(wrong_text(it, f, &v) && isfinite(v));
}

/* Checks the same text with CR LF at the ends of its lines. */
static void
check_twin(const struct lesson *l, const char *data, size_t size)
{
	char *twin = malloc(2 * size + 1);
	struct lesson *other;
	size_t n = 0;

	if (!twin)
		return;
	for (size_t i = 0; i < size; i++) {
		if (data[i] == '\n')
			twin[n++] = '\r';
		twin[n++] = data[i];
	}
	other = lesson_parse("twin", twin, n, l ? l->seed : (struct lesson_seed){size}, NULL);
	fuzz_check(!l == !other &&
		   (!l || (l->n_items == other->n_items && !strcmp(l->id, other->id))));
	lesson_free(other);
	free(twin);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err e = {0};
	struct lesson *l =
		lesson_parse("a.lesson", (const char *)data, size, (struct lesson_seed){size}, &e);

	if (l) {
		fuzz_check(l->id && l->title && l->session && l->n_pages &&
			   l->n_items <= LESSON_ITEMS);
		for (unsigned i = 0; i < l->n_vary; i++)
			fuzz_check(*l->vary[i].name && *l->vary[i].value);
		for (unsigned i = 0; i < l->n_items; i++)
			check_item(&l->item[i]);
	} else {
		fuzz_check(e.set && e.msg[0]);
		fuzz_check(!e.text[0] ||
			   (e.col >= 0 && (size_t)e.col <= strlen(e.text) && e.len >= 1));
	}
	check_twin(l, (const char *)data, size);
	lesson_free(l);
	return 0;
}
