/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vary.c - numbers of a lesson that differ from student to student.
 *
 *     @vary core: 5 | 0..29        later lines may use <core>
 *
 * Seed 0 takes the first value, which is the one that the author played. Any other seed picks a
 * value for each name, from a hash of name and seed: the same on every machine, and independent of
 * the order of the names. A value is put into a line before the line is read, so that it may stand
 * anywhere: in text, arguments, commands and expressions.
 */
#include "teach/lesson.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "base/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define VARY_MOST 64	     /* names in a lesson */
#define VARY_VALUES 100000u  /* values of one */
#define VARY_NAME_LENGTH 20u /* of a name */
#define VARY_VALUE_LENGTH 100u

/* "LOW..HIGH" of whole numbers; false: it is a single value. */
static bool
read_range(struct span part, uint32_t *low, uint32_t *high)
{
	char text[40], end;

	return span_copy(part, text, sizeof(text)) && ascii_is_digit(text[0]) &&
	       sscanf(text, "%9" SCNu32 "..%9" SCNu32 "%c", low, high, &end) == 2 && *low <= *high;
}

/* Counts the values of a list, and prints the one with that number to out. 0: the list is wrong. */
static unsigned
walk_values(struct span list, unsigned wanted, struct strbuf *out)
{
	unsigned n = 0;
	struct span part;

	while (span_part(&list, '|', &part)) {
		uint32_t low, high, many = 1;
		bool is_range = read_range(part = span_trim(part), &low, &high);

		if (!part.n || part.n > VARY_VALUE_LENGTH)
			return 0;
		if (is_range)
			many = high - low + 1;
		if (many > VARY_VALUES || n + many > VARY_VALUES)
			return 0;
		if (out && wanted >= n && wanted < n + many && is_range)
			sb_printf(out, "%" PRIu32, low + (wanted - n));
		else if (out && wanted >= n && wanted < n + many)
			sb_add(out, part.p, part.n);
		n += many;
	}
	return n;
}

static bool
is_vary_name(struct span name)
{
	if (!name.n || name.n > VARY_NAME_LENGTH || !ascii_is_letter(*name.p))
		return false;
	for (size_t i = 0; i < name.n; i++)
		if (!ascii_is_alnum(name.p[i]) && name.p[i] != '_')
			return false;
	return true;
}

static const struct vary *
find_vary(const struct lesson *l, struct span name)
{
	for (unsigned i = 0; i < l->n_vary; i++)
		if (span_is(name, l->vary[i].name))
			return &l->vary[i];
	return NULL;
}

static int
add_vary(struct lesson *l, struct span name, struct strbuf *value, struct err *e)
{
	struct vary *grown = realloc(l->vary, (l->n_vary + 1) * sizeof(*grown));
	char *copy = strndup(name.p, name.n);

	if (grown)
		l->vary = grown;
	if (!grown || !copy || value->failed) {
		free(copy);
		return err_nomem(e);
	}
	grown[l->n_vary++] = (struct vary){.name = copy, .value = sb_take(value)};
	return 0;
}

int
vary_read(struct lesson *l, const char *text, struct lesson_seed seed, struct err *e)
{
	const char *colon = strchr(text, ':');
	struct span name = {text, colon ? (size_t)(colon - text) : 0}, list;
	struct strbuf value = {0};
	unsigned n;
	int rc;

	name = span_trim(name);
	if (!is_vary_name(name))
		return err_set(e, "@vary: expected NAME: VALUE | VALUE, where a name is at most "
				  "20 letters and digits");
	if (find_vary(l, name))
		return err_set(e, "@vary: '%.*s' appears twice", (int)name.n, name.p);
	if (l->n_vary == VARY_MOST)
		return err_set(e, "@vary: a lesson has at most %d of them", VARY_MOST);
	list = span_of(colon + 1);
	n = walk_values(list, 0, NULL);
	if (n < 2)
		return err_set(e, "@vary: expected two values or more, as in '%.*s: 5 | 0..29'",
			       (int)name.n, name.p);
	walk_values(list, seed.value ? (unsigned)(hash64(name.p, name.n, seed.value) % n) : 0,
		    &value);
	rc = add_vary(l, name, &value, e);
	sb_free(&value);
	return rc;
}

char *
vary_fill(const struct lesson *l, const char *line, size_t n)
{
	struct strbuf out = {0};

	sb_str(&out, "");
	for (size_t i = 0; i < n; i++) {
		const char *close = line[i] == '<' ? memchr(line + i, '>', n - i) : NULL;
		const struct vary *v =
			close ? find_vary(l, (struct span){line + i + 1,
							   (size_t)(close - line) - i - 1})
			      : NULL;

		if (v) {
			sb_str(&out, v->value);
			i = (size_t)(close - line);
		} else {
			sb_char(&out, line[i]);
		}
	}
	if (out.failed) {
		sb_free(&out);
		return NULL;
	}
	return sb_take(&out);
}

void
vary_free(struct lesson *l)
{
	for (unsigned i = 0; i < l->n_vary; i++) {
		free(l->vary[i].name);
		free(l->vary[i].value);
	}
	free(l->vary);
}
