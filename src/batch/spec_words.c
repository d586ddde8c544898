/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spec_words.c - words that stand for many: ranges and braces.
 *
 *     item   = VALUE | LO ".." HI [ ".." STEP ]         whole numbers, both ends included
 *     word   = { text | "{" item { "," item } "}" }     every combination, the last brace fastest
 *
 * Braces do not nest. The expanded words keep the place of the word, for errors.
 */
#include "batch/spec.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Returns a part of a word, with its own place. */
static struct word
part_of(const struct word *w, const char *from, size_t n)
{
	return (struct word){w->text, w->line, w->col + (int)(from - w->text), MAX((int)n, 1)};
}

static int
add_text(struct spec *s, const struct word *at, const char *text, size_t n, struct list *to,
	 struct err *e)
{
	struct word w = *at;

	if (to->n >= SPEC_MAX_WORDS)
		return spec_error(s, at, e, "these are more than %d values", SPEC_MAX_WORDS);
	if (s->n_kept >= SPEC_MAX_KEPT)
		return spec_error(s, at, e, "the file has too many values up to here");
	w.text = spec_keep(s, text, n);
	words_add(to, &w);
	return 0;
}

/* Parses one end of a range, such as "4k". */
static int
parse_whole(const char *text, size_t n, int64_t *out)
{
	char copy[32];
	struct number v;

	if (n >= sizeof(copy))
		return -1;
	memcpy(copy, text, n);
	copy[n] = '\0';
	if (number_parse(copy, 1000, &v) || !v.whole || v.mag > INT64_MAX / 4)
		return -1;
	*out = v.neg ? -(int64_t)v.mag : (int64_t)v.mag;
	return 0;
}

static const char *
find_dots(const char *p, const char *end)
{
	for (; p + 1 < end; p++)
		if (p[0] == '.' && p[1] == '.')
			return p;
	return NULL;
}

/* Expands the item [p, end) of the word; the results are added as words at `at`. */
static int
expand_item(struct spec *s, const struct word *w, const struct word *at, const char *p,
	    const char *end, struct list *to, struct err *e)
{
	struct word here = part_of(w, p, (size_t)(end - p));
	const char *first = find_dots(p, end), *second = first ? find_dots(first + 2, end) : NULL;
	int64_t lo, hi, step = 1;
	char text[32];

	if (!first)
		return add_text(s, at, p, (size_t)(end - p), to, e);
	if (parse_whole(p, (size_t)(first - p), &lo) ||
	    parse_whole(first + 2, (size_t)((second ? second : end) - first - 2), &hi) ||
	    (second && parse_whole(second + 2, (size_t)(end - second - 2), &step)))
		return spec_error(s, &here, e,
				  "expected a range of whole numbers such as 1..8 or 4..16..4, "
				  "found '%.*s'",
				  (int)MIN(end - p, 60), p);
	if (hi < lo || step < 1)
		return spec_error(s, &here, e,
				  "a range goes up: expected LOW..HIGH or LOW..HIGH..STEP, found "
				  "'%.*s'",
				  (int)MIN(end - p, 60), p);
	if ((hi - lo) / step >= SPEC_MAX_WORDS)
		return spec_error(s, &here, e, "these are more than %d values", SPEC_MAX_WORDS);
	for (int64_t v = lo; v <= hi; v += step) {
		int n = snprintf(text, sizeof(text), "%" PRId64, v);

		if (add_text(s, at, text, (size_t)n, to, e))
			return -1;
	}
	return 0;
}

int
spec_range(struct spec *s, const struct word *w, struct list *to, struct err *e)
{
	return expand_item(s, w, w, w->text, w->text + strlen(w->text), to, e);
}

/* Expands the items between two braces: from after the opening one to the closing one. */
static int
expand_brace(struct spec *s, const struct word *w, const char *open, const char **close,
	     struct list *to, struct err *e)
{
	const char *p = open + 1, *end = p + strcspn(p, "{}");
	struct span rest = {p, (size_t)(end - p)}, item;
	struct word here = part_of(w, open, 1);

	if (*end == '{')
		here = part_of(w, end, 1);
	if (*end != '}')
		return spec_error(s, &here, e,
				  *end ? "braces do not nest" : "expected '}' to close this brace");
	*close = end;
	while (span_part(&rest, ',', &item)) {
		here = part_of(w, item.p, item.n);
		if (!item.n)
			return spec_error(s, &here, e, "expected a value or a range here");
		if (expand_item(s, w, w, item.p, item.p + item.n, to, e))
			return -1;
	}
	return 0;
}

/* Appends every item to every text so far. */
static int
combine_lists(struct spec *s, const struct word *w, struct list *done, const struct list *items,
	      struct err *e)
{
	struct list next = {0};
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < done->n; i++)
		for (unsigned j = 0; rc == 0 && j < items->n; j++) {
			size_t a = strlen(done->w[i].text), b = strlen(items->w[j].text);
			char *both = memory_new(a + b + 1, 1);

			memcpy(both, done->w[i].text, a);
			memcpy(both + a, items->w[j].text, b + 1);
			rc = add_text(s, w, both, a + b, &next, e);
			free(both);
		}
	free(done->w);
	*done = next;
	return rc;
}

int
spec_braces(struct spec *s, const struct word *w, struct list *to, struct err *e)
{
	struct list done = {0};
	const char *p = w->text;
	int rc = add_text(s, w, "", 0, &done, e);

	while (rc == 0 && *p) {
		struct list items = {0};
		size_t n = strcspn(p, "{}");

		if (n) {
			rc = add_text(s, w, p, n, &items, e);
			p += n;
		} else if (*p == '}') {
			struct word here = part_of(w, p, 1);

			rc = spec_error(s, &here, e, "'}' without a '{' before it");
		} else {
			const char *close = p;

			rc = expand_brace(s, w, p, &close, &items, e);
			p = close + 1;
		}
		if (rc == 0)
			rc = combine_lists(s, w, &done, &items, e);
		free(items.w);
	}
	if (rc == 0 && to->n + done.n > SPEC_MAX_WORDS)
		rc = spec_error(s, w, e, "these are more than %d in all", SPEC_MAX_WORDS);
	for (unsigned i = 0; rc == 0 && i < done.n; i++)
		words_add(to, &done.w[i]);
	free(done.w);
	return rc;
}
