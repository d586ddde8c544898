/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spec_options.c - the lines `set` and `vary` of a sweep file: options and their values.
 *
 * Both make an axis, `set` one with a single step. In a case an option has one source: the case
 * overrides the common part, and setting it twice is an error.
 */
#include "batch/spec.h"

#include "base/memory.h"
#include "base/words.h"

#include <stdlib.h>
#include <string.h>

/* Returns the index of an option among those that the file names, adding it if it is new. */
static unsigned
place_option(struct list *o, const struct word *key)
{
	for (unsigned at = 0; at < o->n; at++)
		if (strcmp(o->w[at].text, key->text) == 0)
			return at;
	words_add(o, key);
	return o->n - 1;
}

/* Makes sure that an option has one source in a case: it replaces a common one, and a second one is
 * an error. */
static int
make_room(struct spec_line *l, const struct axis *a, const struct word *key)
{
	struct sweep_case *c = l->c;

	for (unsigned i = 0; i < c->n_axes; i++) {
		struct axis *old = &c->axis[i];
		unsigned same = 0;

		for (unsigned j = 0; j < old->n_keys; j++)
			for (unsigned k = 0; k < a->n_keys; k++)
				same += old->key[j] == a->key[k];
		if (!same)
			continue;
		if (i >= c->n_common_axes)
			return spec_error(l->s, key, l->e, "already given in line %u",
					  old->value.w[0].line);
		if (same < old->n_keys)
			return spec_error(l->s, key, l->e,
					  "varies together with another option in line %u; name "
					  "them together here too",
					  old->value.w[0].line);
		memmove(old, old + 1, (c->n_axes - i - 1) * sizeof(*old));
		c->n_axes--;
		c->n_common_axes--;
		i--;
	}
	return 0;
}

static int
add_axis(struct spec_line *l, const struct axis *a, const struct word *key)
{
	if (make_room(l, a, key))
		return -1;
	l->c->axis = array_grow(l->c->axis, l->c->n_axes, sizeof(*l->c->axis));
	l->c->axis[l->c->n_axes++] = *a;
	return 0;
}

/* Splits "a,b" into words with their own places. */
static int
split_commas(struct spec_line *l, const struct word *w, struct list *to, const char *what)
{
	struct span rest = span_of(w->text), p;

	while (span_part(&rest, ',', &p)) {
		struct word part = {NULL, w->line, w->col + (int)(p.p - w->text), MAX((int)p.n, 1)};

		if (!p.n)
			return spec_error(l->s, &part, l->e, "expected %s here", what);
		part.text = spec_keep(l->s, p.p, p.n);
		words_add(to, &part);
	}
	return 0;
}

static int
parse_keys(struct spec_line *l, const struct word *w, struct axis *a)
{
	struct list parts = {0};
	int rc = split_commas(l, w, &parts, "the name of an option");

	if (rc == 0 && parts.n > SPEC_MAX_TOGETHER)
		rc = spec_error(l->s, w, l->e, "at most %d options vary together",
				SPEC_MAX_TOGETHER);
	for (unsigned i = 0; rc == 0 && i < parts.n; i++) {
		a->key[i] = place_option(&l->s->options, &parts.w[i]);
		for (unsigned j = 0; rc == 0 && j < i; j++)
			if (a->key[j] == a->key[i])
				rc = spec_error(l->s, &parts.w[i], l->e, "named twice");
	}
	a->n_keys = rc ? 0 : parts.n;
	free(parts.w);
	return rc;
}

static int
parse_values(struct spec_line *l, const struct word *w, struct axis *a)
{
	unsigned before = a->value.n;

	if (a->n_keys == 1)
		return spec_range(l->s, w, &a->value, l->e);
	if (split_commas(l, w, &a->value, "a value"))
		return -1;
	if (a->value.n - before != a->n_keys)
		return spec_error(l->s, w, l->e, "expected %u values joined by commas, found %u",
				  a->n_keys, a->value.n - before);
	return 0;
}

/* Parses set KEY VALUE and vary KEY VALUE...; a single value is a variation with one step. */
static int
set_or_vary(struct spec_line *l, bool set)
{
	struct axis a = {0};
	struct word end = spec_line_end(l);
	int rc;

	if (l->n < 3)
		return spec_error(l->s, &end, l->e, "expected %s after '%.60s'",
				  l->n == 1 ? "an option and its value" : "a value",
				  l->word[l->n - 1].text);
	if (set && l->n > 3)
		return spec_error(l->s, &l->word[3], l->e,
				  "expected the end of the line, found '%.60s'; 'vary' takes "
				  "several values",
				  l->word[3].text);
	rc = parse_keys(l, &l->word[1], &a);
	for (unsigned i = 2; rc == 0 && i < l->n; i++)
		rc = parse_values(l, &l->word[i], &a);
	if (rc == 0 && set && a.value.n != a.n_keys)
		rc = spec_error(l->s, &l->word[2], l->e,
				"expected one value; 'vary' takes a range");
	/* spec_free() frees each list once */
	if (rc == 0 && a.value.w)
		spec_own(l->s, a.value.w);
	else
		free(a.value.w);
	return rc ? -1 : add_axis(l, &a, &l->word[1]);
}

int
spec_set(struct spec_line *l)
{
	return set_or_vary(l, true);
}

int
spec_vary(struct spec_line *l)
{
	return set_or_vary(l, false);
}
