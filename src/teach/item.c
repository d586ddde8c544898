/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * item.c - checks the fields of an item: which fields each kind may have, and which a task and a
 * question need. Also parses typed answers.
 */
#include "teach/lesson.h"

#include "base/ascii.h"
#include "base/number.h"
#include "base/words.h"
#include "eval/eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct field_row field_rows[FIELD_KEYS] = {
	[FIELD_CHECK] = {"check", true, false, true},
	[FIELD_USED] = {"used", true, false, true},
	[FIELD_HINT] = {"hint", true, true, true},
	[FIELD_SOLVE] = {"solve", true, false, true},
	[FIELD_WHY] = {"why", true, true, false},
	[FIELD_CHOICE] = {"choice", false, true, false},
	[FIELD_REVEAL] = {"reveal", false, true, true},
	[FIELD_ANSWER] = {"answer", false, true, false},
	[FIELD_VALUE] = {"value", false, true, false},
	[FIELD_EXPECT] = {"expect", false, true, false},
	[FIELD_TOLERANCE] = {"tolerance", false, true, false},
	[FIELD_WRONG] = {"wrong", false, true, true},
	[FIELD_TRIES] = {"tries", false, true, false},
	[FIELD_POINTS] = {"points", true, true, false},
};

/* Where errors are reported. */
struct reading {
	const char *path;
	struct err *e;
};

/* Reports an error on a line whose text is no longer known. */
static int bad_item(const struct reading *r, unsigned line, const char *fmt, ...) ATTR_PRINTF(3, 4);

static int
bad_item(const struct reading *r, unsigned line, const char *fmt, ...)
{
	char msg[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	return err_at(r->e, r->path, line, NULL, 0, 1, "%s", msg);
}

/* ---------------------------------------------------------------- fields and answers */

bool
item_is_exercise(const struct item *it)
{
	return it->kind == ITEM_TASK || it->kind == ITEM_ASK;
}

const struct field *
item_field(const struct item *it, enum field_key key, unsigned i)
{
	for (unsigned k = 0; k < it->n_fields; k++)
		if (it->field[k].key == key && i-- == 0)
			return &it->field[k];
	return NULL;
}

const char *
item_text(const struct item *it, enum field_key key)
{
	const struct field *f = item_field(it, key, 0);

	return f ? f->text : NULL;
}

bool
number_has_decimal_comma(const char *text)
{
	text += *text == '+' || *text == '-';
	return (text[0] == '0' && text[1] == ',') || !number_commas_fit(text);
}

bool
number_typed(const char *text, double *v)
{
	char clean[64];
	unsigned n = 0;
	char *end;

	text = skip_blanks(text);
	if (number_has_decimal_comma(text))
		return false;
	for (; *text && n + 1 < sizeof(clean); text++)
		if (*text != ',' || n == 0 || !ascii_is_digit(text[1]))
			clean[n++] = *text;
	clean[n] = '\0';
	trim_end(clean);
	n = (unsigned)strlen(clean);
	if (n && clean[n - 1] == '%')
		clean[n - 1] = '\0';
	trim_end(clean);
	if (*text || !strpbrk(clean, "0123456789") ||
	    strspn(clean, "+-0123456789.eE") < strlen(clean))
		return false;
	*v = strtod(clean, &end);
	return !*end && isfinite(*v);
}

static bool
is_same_text(struct span a, struct span b)
{
	return a.n == b.n && ascii_same_start(a.p, b.p, a.n);
}

static struct span
without_article(struct span text)
{
	static const char *const articles[] = {"the ", "a ", "an "};

	for (unsigned i = 0; i < ARRAY_LEN(articles); i++) {
		size_t n = strlen(articles[i]);

		if (text.n > n && ascii_same_start(text.p, articles[i], n))
			return span_trim((struct span){text.p + n, text.n - n});
	}
	return text;
}

/* A choice may be typed without its article; if that names two, the one that is typed in full
 * counts. */
int
choice_typed(const struct item *it, const char *text)
{
	struct span typed = span_trim(span_of(text)), bare = without_article(typed);

	for (unsigned i = 0; i < it->n_choices; i++)
		if (is_same_text(span_of(it->choice[i]), typed))
			return (int)i;
	for (unsigned i = 0; i < it->n_choices; i++)
		if (is_same_text(without_article(span_of(it->choice[i])), bare))
			return (int)i;
	if (typed.n == 1 && *typed.p >= '1' && (unsigned)(*typed.p - '1') < it->n_choices)
		return *typed.p - '1';
	return -1;
}

const char *
wrong_text(const struct item *it, const struct field *f, double *v)
{
	const char *bar = strchr(f->text, '|');
	char of[200];
	int choice;

	if (!bar || !span_copy((struct span){f->text, (size_t)(bar - f->text)}, of, sizeof(of)))
		return NULL;
	if (!it->n_choices)
		return number_typed(of, v) ? skip_blanks(bar + 1) : NULL;
	choice = choice_typed(it, of);
	*v = choice;
	return choice >= 0 ? skip_blanks(bar + 1) : NULL;
}

/* ---------------------------------------------------------------- completeness */

static int
any_name(void *ctx ATTR_UNUSED, const char *path, uint64_t *id, struct err *e ATTR_UNUSED)
{
	*id = 0;
	return strstr(path, ".*") ? 2 : 1;
}

static double
no_value(void *ctx ATTR_UNUSED, uint64_t id ATTR_UNUSED, unsigned i ATTR_UNUSED)
{
	return NAN;
}

static int
check_expressions(const struct reading *r, const struct item *it)
{
	static const struct eval_names names = {NULL, any_name, no_value};

	for (unsigned i = 0; i < it->n_fields; i++) {
		const struct field *f = &it->field[i];
		struct err inner = {0};
		struct expr *x;

		if (f->key != FIELD_CHECK && f->key != FIELD_ANSWER && f->key != FIELD_EXPECT)
			continue;
		x = expr_parse(f->text, &names, &inner);
		if (!x && inner.kind == ERR_MEMORY)
			return err_nomem(r->e);
		if (!x)
			return err_at(r->e, r->path, f->line, f->text, inner.col, inner.len,
				      "%s: %s", field_rows[f->key].name, inner.msg);
		expr_free(x);
	}
	return 0;
}

static int
read_choices(const struct reading *r, struct item *it, const struct field *f)
{
	struct span rest = span_of(f->text), part;

	while (span_part(&rest, '|', &part)) {
		part = span_trim(part);
		if (!part.n)
			return bad_item(r, f->line, "choice: expected a text between the bars");
		if (it->n_choices == LESSON_CHOICES)
			return bad_item(r, f->line, "choice: at most %d choices", LESSON_CHOICES);
		it->choice[it->n_choices] = strndup(part.p, part.n);
		if (!it->choice[it->n_choices++])
			return err_nomem(r->e);
	}
	return it->n_choices > 1 ? 0
				 : bad_item(r, f->line, "choice: expected A | B, found one choice");
}

static int
read_tolerance(const struct reading *r, struct item *it)
{
	const struct field *f = item_field(it, FIELD_TOLERANCE, 0);

	it->tolerance = 1e-9;
	it->is_relative = true;
	if (!f)
		return 0;
	if (!number_typed(f->text, &it->tolerance) || it->tolerance < 0)
		return bad_item(r, f->line,
				"tolerance: expected a number or a percentage, found '%.60s'",
				f->text);
	it->is_relative = strchr(f->text, '%') != NULL;
	it->tolerance /= it->is_relative ? 100 : 1;
	return 0;
}

/* "NAME N" */
static bool
read_cost(struct span part, const char *name, double *v)
{
	size_t n = strlen(name);
	char text[40];

	part = span_trim(part);
	return part.n > n && strncmp(part.p, name, n) == 0 &&
	       span_copy((struct span){part.p + n, part.n - n}, text, sizeof(text)) &&
	       number_typed(text, v) && *v >= 0 && *v <= 1000;
}

bool
points_read(const struct item *it, struct item_points *p)
{
	const char *text = item_text(it, FIELD_POINTS);
	struct span rest = span_of(text ? text : "1"), part;

	*p = (struct item_points){0};
	if (!span_part(&rest, ',', &part) || !read_cost(part, "", &p->points))
		return false;
	while (span_part(&rest, ',', &part))
		if (!read_cost(part, "hint ", &p->hint) &&
		    !read_cost(part, "try ", &p->further_try))
			return false;
	return true;
}

static int
check_choice(const struct reading *r, struct item *it, const struct field *value)
{
	const struct field *choice = item_field(it, FIELD_CHOICE, 0);
	int right;

	if (read_choices(r, it, choice))
		return -1;
	right = choice_typed(it, value->text);
	if (right < 0)
		return bad_item(r, value->line, "value: '%.60s' is not one of the choices",
				value->text);
	it->right = (unsigned)right;
	it->value = right;
	if (!item_field(it, FIELD_EXPECT, 0))
		return bad_item(r, it->line,
				"the question has choices, so it needs 'expect: EXPR', which holds "
				"when value is right");
	return 0;
}

static int
check_number(const struct reading *r, struct item *it, const struct field *value)
{
	if (!number_typed(value->text, &it->value))
		return bad_item(r, value->line, "value: expected a number, found '%.60s'",
				value->text);
	if (!item_field(it, FIELD_ANSWER, 0))
		return bad_item(r, it->line, "the question needs 'answer: EXPR'");
	return read_tolerance(r, it);
}

/* Without reveal the machine does not show the answer, so that the student may try on. Of two
 * choices the second try would be no question any more. */
static int
read_tries(const struct reading *r, struct item *it)
{
	const struct field *f = item_field(it, FIELD_TRIES, 0);
	double tries;

	it->tries = !item_field(it, FIELD_REVEAL, 0) ? 0 : it->n_choices == 2 ? 1 : 2;
	if (!f)
		return 0;
	if (!number_typed(f->text, &tries) || tries < 1 || tries > 99 || tries != (unsigned)tries)
		return bad_item(r, f->line, "tries: expected a number from 1 to 99, found '%.60s'",
				f->text);
	it->tries = (unsigned)tries;
	return 0;
}

static int
check_ask(const struct reading *r, struct item *it)
{
	const struct field *value = item_field(it, FIELD_VALUE, 0), *f;
	double v;

	if (!value)
		return bad_item(r, it->line, "the question needs 'value: V', the right answer");
	if (item_field(it, FIELD_CHOICE, 0) ? check_choice(r, it, value)
					    : check_number(r, it, value))
		return -1;
	if (it->predict && !item_field(it, FIELD_REVEAL, 0))
		return bad_item(r, it->line, "a prediction needs 'reveal: COMMAND'");
	if (read_tries(r, it))
		return -1;
	for (unsigned i = 0; (f = item_field(it, FIELD_WRONG, i)); i++)
		if (!wrong_text(it, f, &v))
			return bad_item(r, f->line, "wrong: expected ANSWER | TEXT, found '%.60s'",
					f->text);
	return 0;
}

int
item_check(const char *path, struct item *it, struct err *e)
{
	const struct reading where = {path, e}, *r = &where;
	struct item_points points;

	if (!points_read(it, &points))
		return bad_item(r, item_field(it, FIELD_POINTS, 0)->line,
				"points: expected N, hint N, try N, found '%.60s'",
				item_text(it, FIELD_POINTS));
	if (it->kind == ITEM_TASK) {
		if (!item_field(it, FIELD_CHECK, 0) && !item_field(it, FIELD_USED, 0))
			return bad_item(r, it->line,
					"the task needs 'check: EXPR' or 'used: COMMAND'");
		if (!item_field(it, FIELD_SOLVE, 0))
			return bad_item(r, it->line,
					"the task needs 'solve: COMMAND', which "
					"'lesson --check' plays");
	}
	if (it->kind == ITEM_ASK && check_ask(r, it))
		return -1;
	return check_expressions(r, it);
}
