/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lesson.c - reads a lesson.
 *
 *     KEY: VALUE          the header, up to an empty line
 *     @vary NAME: VALUES  in the header or later: lines after it may use <NAME> (vary.c)
 *     # HEADING           a page; text follows it
 *     @session ARGUMENTS  @do COMMAND  @task TEXT  @ask [predict:] TEXT
 *       KEY: VALUE        fields of the task or the question, indented
 *         MORE            a line that is indented further continues the one above
 *
 * Everything that can be known without a machine is checked here: unknown keys, missing fields, and
 * whether an expression is one. Names are checked by playing the lesson.
 */
#include "teach/lesson.h"

#include "base/ascii.h"
#include "base/strbuf.h"
#include "base/textfile.h"
#include "base/words.h"

#include <stdlib.h>
#include <string.h>

#define CONTINUES 4 /* lines indented by this many columns continue the line above */

static const char *const header_keys[] = {"lesson", "title", "time", "needs", "session"};

struct reader {
	struct lesson *l;
	struct err *e;
	char *text;	    /* the current line */
	unsigned line;	    /* its number */
	struct strbuf para; /* text of the page since the last item */
	unsigned para_line;
	bool in_item;	/* indented lines are fields */
	char **growing; /* the text that a line indented further continues; NULL: none */
};

/* ---------------------------------------------------------------- errors */

static int bad_line(const struct reader *r, const char *fmt, ...) ATTR_PRINTF(2, 3);

static int
bad_line(const struct reader *r, const char *fmt, ...)
{
	size_t blanks = (size_t)(skip_blanks(r->text) - r->text), n = strlen(r->text);
	char msg[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	return err_at(r->e, r->l->path, r->line, r->text, (int)MIN(blanks, 200u),
		      (int)MAX(MIN(n - blanks, 60u), 1u), "%s", msg);
}

/* ---------------------------------------------------------------- reading */

static struct item *
add_item(struct reader *r, enum item_kind kind, unsigned line, const char *text)
{
	struct lesson *l = r->l;
	struct item *grown = realloc(l->item, (l->n_items + 1) * sizeof(*grown));
	char *copy = strdup(text);

	if (grown)
		l->item = grown;
	if (!grown || !copy) {
		free(copy);
		err_nomem(r->e);
		return NULL;
	}
	grown[l->n_items] = (struct item){.kind = kind, .text = copy, .line = line};
	l->n_pages += kind == ITEM_PAGE;
	l->n_tasks += kind == ITEM_TASK;
	l->n_asks += kind == ITEM_ASK;
	return &grown[l->n_items++];
}

/* Completes the current item. */
static int
end_item(struct reader *r)
{
	if (!r->in_item)
		return 0;
	r->in_item = false;
	r->growing = NULL;
	return item_check(r->l->path, &r->l->item[r->l->n_items - 1], r->e);
}

static int
end_text(struct reader *r)
{
	while (r->para.n && r->para.p[r->para.n - 1] == '\n')
		r->para.p[--r->para.n] = '\0';
	if (r->para.failed)
		return err_nomem(r->e);
	if (r->para.n && !add_item(r, ITEM_TEXT, r->para_line, r->para.p))
		return -1;
	sb_clear(&r->para);
	return 0;
}

/* "@vary NAME: VALUES"; false: the line is none. */
static bool
is_vary(const struct reader *r)
{
	const char *rest = r->text;

	return span_is(word_next(&rest), "@vary");
}

static int
read_vary(struct reader *r)
{
	const char *rest = r->text;
	struct err inner = {0};

	word_next(&rest);
	if (vary_read(r->l, skip_blanks(rest), r->l->seed, &inner) == 0)
		return 0;
	return inner.kind == ERR_MEMORY ? err_nomem(r->e) : bad_line(r, "%s", inner.msg);
}

static int
read_header(struct reader *r)
{
	struct lesson *l = r->l;
	char **into[] = {&l->id, &l->title, &l->time, &l->needs, &l->session};
	char *colon = strchr(r->text, ':');
	struct span key = {r->text, colon ? (size_t)(colon - r->text) : 0};

	if (is_vary(r))
		return read_vary(r);
	for (unsigned i = 0; i < ARRAY_LEN(header_keys); i++) {
		if (!span_is(key, header_keys[i]))
			continue;
		if (*into[i])
			return bad_line(r, "'%s:' appears twice", header_keys[i]);
		if (!*skip_blanks(colon + 1))
			return bad_line(r, "%s: a value is missing", header_keys[i]);
		*into[i] = strdup(skip_blanks(colon + 1));
		if (i == 4)
			l->session_line = r->line;
		return *into[i] ? 0 : err_nomem(r->e);
	}
	return bad_line(r, "expected lesson:, title:, time:, needs: or session:, and an empty line "
			   "after the header");
}

static int
end_header(struct reader *r)
{
	const struct lesson *l = r->l;
	const char *missing = !l->id	    ? "lesson"
			      : !l->title   ? "title"
			      : !l->session ? "session"
					    : NULL;

	if (missing)
		return bad_line(r, "the header ends without '%s:'", missing);
	if (strlen(l->id) > 40 || strpbrk(l->id, " \t/"))
		return err_at(r->e, l->path, 1, NULL, 0, 1,
			      "lesson: expected a name of at most 40 characters without blanks and "
			      "'/', found '%.60s'",
			      l->id);
	return 0;
}

/* Reads a line such as "@task TEXT". */
static int
read_item(struct reader *r)
{
	static const struct {
		const char *name;
		enum item_kind kind;
	} row[] = {{"@session", ITEM_SESSION},
		   {"@do", ITEM_DO},
		   {"@task", ITEM_TASK},
		   {"@ask", ITEM_ASK}};
	static const char predict[] = "predict:";
	const char *rest = r->text;
	struct span word = word_next(&rest);
	struct item *it;

	rest = skip_blanks(rest);
	for (unsigned i = 0; i < ARRAY_LEN(row); i++) {
		bool predicts =
			row[i].kind == ITEM_ASK && strncmp(rest, predict, strlen(predict)) == 0;

		if (!span_is(word, row[i].name))
			continue;
		if (predicts)
			rest = skip_blanks(rest + strlen(predict));
		if (!*rest)
			return bad_line(r, "%s: expected something after it", row[i].name);
		it = add_item(r, row[i].kind, r->line, rest);
		if (!it)
			return -1;
		it->predict = predicts;
		r->in_item = row[i].kind == ITEM_TASK || row[i].kind == ITEM_ASK;
		r->growing = r->in_item ? &it->text : NULL;
		return 0;
	}
	return bad_line(r, "expected @session, @do, @task, @ask or @vary, found '%.*s'",
			(int)MIN(word.n, 40u), word.p);
}

static int
unknown_field(const struct reader *r, const struct item *it, struct span key)
{
	const char *names[FIELD_KEYS];
	unsigned n = 0;
	char word[40];

	for (unsigned k = 0; k < FIELD_KEYS; k++)
		if (it->kind == ITEM_TASK ? field_rows[k].task : field_rows[k].ask)
			names[n++] = field_rows[k].name;
	span_copy(key, word, sizeof(word));
	return bad_line(r, "expected a field of %s, found '%s'%s",
			it->kind == ITEM_TASK ? "the task" : "the question", word,
			near_hint(word, names, n,
				  it->kind == ITEM_TASK
					  ? "; they are check, used, hint, solve, points and why"
					  : "; they are choice, reveal, answer, value, expect, "
					    "tolerance, tries, hint, wrong, points and "
					    "why")
				.text);
}

static int
continue_text(struct reader *r, const char *more)
{
	struct strbuf whole = {0};

	if (!r->growing)
		return bad_line(r, "expected a field, found a continuation line without one");
	sb_printf(&whole, "%s %s", *r->growing, more);
	if (whole.failed) {
		sb_free(&whole);
		return err_nomem(r->e);
	}
	free(*r->growing);
	*r->growing = sb_take(&whole);
	return 0;
}

static int
read_field(struct reader *r)
{
	struct item *it = &r->l->item[r->l->n_items - 1];
	const char *text = skip_blanks(r->text), *colon = strchr(text, ':');
	struct span key = {text, colon ? (size_t)(colon - text) : strcspn(text, " ")};
	struct field *grown;
	unsigned k = 0;

	if (text - r->text >= CONTINUES)
		return continue_text(r, text);
	while (k < FIELD_KEYS &&
	       !(span_is(key, field_rows[k].name) && colon &&
		 (it->kind == ITEM_TASK ? field_rows[k].task : field_rows[k].ask)))
		k++;
	if (k == FIELD_KEYS)
		return unknown_field(r, it, key);
	if (!field_rows[k].repeats && item_field(it, (enum field_key)k, 0))
		return bad_line(r, "'%s:' appears twice", field_rows[k].name);
	if (!*skip_blanks(colon + 1))
		return bad_line(r, "%s: a value is missing", field_rows[k].name);
	grown = realloc(it->field, (it->n_fields + 1) * sizeof(*grown));
	if (!grown)
		return err_nomem(r->e);
	it->field = grown;
	grown += it->n_fields++;
	*grown = (struct field){.key = (enum field_key)k,
				.text = strdup(skip_blanks(colon + 1)),
				.line = r->line};
	r->growing = &grown->text;
	return grown->text ? 0 : err_nomem(r->e);
}

static int
read_body_line(struct reader *r)
{
	const char *text = r->text;

	if (r->in_item && *text && is_blank(*text))
		return read_field(r);
	if (r->in_item && *text && end_item(r))
		return -1;
	if (*text == '#' || *text == '@') {
		if (end_text(r))
			return -1;
		if (is_vary(r))
			return read_vary(r);
		if (r->l->n_items == LESSON_ITEMS)
			return bad_line(r, "a lesson has at most %d items", LESSON_ITEMS);
		if (*text == '#' && !*skip_blanks(text + 1))
			return bad_line(r, "expected a heading after '#'");
		if (*text == '#')
			return add_item(r, ITEM_PAGE, r->line, skip_blanks(text + 1)) ? 0 : -1;
		if (!r->l->n_pages)
			return bad_line(r, "expected a page, '# HEADING', before the first '@'");
		return read_item(r);
	}
	if (!*text && !r->para.n)
		return 0;
	if (!r->l->n_pages)
		return bad_line(r, "expected a page: '# HEADING'");
	if (!r->para.n)
		r->para_line = r->line;
	sb_printf(&r->para, "%s\n", text);
	return 0;
}

static int
read_lines(struct reader *r, const char *text, size_t n)
{
	const char *end = text + n;
	bool in_header = true;

	if (memchr(text, '\0', n))
		return err_set(r->e, "%s: expected a text, found a zero byte", r->l->path);
	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		size_t length = (size_t)((stop ? stop : end) - text);
		int rc;

		free(r->text);
		r->text = vary_fill(r->l, text, length);
		if (!r->text)
			return err_nomem(r->e);
		trim_end(r->text);
		r->line++;
		text += length + 1;
		if (in_header && !*r->text && (r->l->id || r->l->title || r->l->session)) {
			in_header = false;
			rc = end_header(r);
		} else if (in_header) {
			rc = *r->text ? read_header(r) : 0;
		} else {
			rc = read_body_line(r);
		}
		if (rc)
			return rc;
	}
	if (!r->text && !(r->text = strdup("")))
		return err_nomem(r->e);
	if (end_item(r) || end_text(r))
		return -1;
	if (in_header)
		return bad_line(r, "the file ends in the header; expected an empty line and pages");
	return r->l->n_pages ? 0 : bad_line(r, "the lesson has no page, '# HEADING'");
}

struct lesson *
lesson_parse(const char *path, const char *text, size_t n, struct lesson_seed seed, struct err *e)
{
	struct reader r = {.l = calloc(1, sizeof(*r.l)), .e = e};
	int rc;

	if (r.l) {
		r.l->path = strdup(path);
		r.l->seed = seed;
	}
	rc = r.l && r.l->path ? read_lines(&r, text, n) : err_nomem(e);
	free(r.text);
	sb_free(&r.para);
	if (rc == 0)
		return r.l;
	lesson_free(r.l);
	return NULL;
}

struct lesson *
lesson_read(const char *path, struct lesson_seed seed, struct err *e)
{
	struct strbuf text = {0};
	struct lesson *l = NULL;

	if (text_read(path, LESSON_MOST, &text, e) == 0)
		l = lesson_parse(path, text.n ? text.p : "", text.n, seed, e);
	sb_free(&text);
	return l;
}

void
lesson_free(struct lesson *l)
{
	if (!l)
		return;
	for (unsigned i = 0; i < l->n_items; i++) {
		struct item *it = &l->item[i];

		for (unsigned k = 0; k < it->n_fields; k++)
			free(it->field[k].text);
		for (unsigned k = 0; k < it->n_choices; k++)
			free(it->choice[k]);
		free(it->field);
		free(it->text);
	}
	vary_free(l);
	free(l->item);
	free(l->path);
	free(l->id);
	free(l->title);
	free(l->time);
	free(l->needs);
	free(l->session);
	free(l);
}
