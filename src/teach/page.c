/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page.c - formats the text of a page as lines.
 *
 * A paragraph is wrapped; a list item ("- ") is wrapped below its first word; an indented line
 * stays as it is. {EXPR} is replaced by its present value, or "?" if that is unknown, rounded as in
 * tables; {EXPR:.2} has two decimals; **bold** loses its stars.
 */
#include "teach/teach_part.h"

#include "base/ascii.h"
#include "base/human.h"
#include "base/words.h"
#include "eval/eval.h"
#include "session/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 80

bool
page_live_value(struct span text, char *expr, size_t size, int *decimals)
{
	size_t n = text.n;

	*decimals = -1;
	if (n > 3 && text.p[n - 3] == ':' && text.p[n - 2] == '.' &&
	    ascii_is_digit(text.p[n - 1])) {
		*decimals = text.p[n - 1] - '0';
		text.n = n - 3;
	}
	return span_copy(text, expr, size);
}

void
page_number(double v, int decimals, char buf[HUMAN])
{
	if (isnan(v))
		snprintf(buf, HUMAN, "?");
	else if (decimals >= 0)
		human_fixed(buf, v, (unsigned)decimals);
	else
		human_num(buf, v);
}

static void
add_value(struct session *s, struct span text, struct strbuf *out)
{
	char expr[EVAL_MAX_TEXT], number[200];
	struct value v;
	int decimals;

	if (!page_live_value(text, expr, sizeof(expr), &decimals) ||
	    session_evaluate(s, expr, &v, NULL)) {
		sb_char(out, '?');
		return;
	}
	if (v.n)
		value_format(&v, 0, number, sizeof(number));
	else
		page_number(v.x, decimals, number);
	sb_str(out, number);
	value_free(&v);
}

/* Copies a line, inserts the values, and removes the stars of bold words. */
static void
fill_line(struct session *s, struct span line, struct strbuf *out)
{
	for (size_t i = 0; i < line.n; i++) {
		const char *close = line.p[i] == '{' ? memchr(line.p + i, '}', line.n - i) : NULL;

		if (close) {
			add_value(s,
				  (struct span){line.p + i + 1, (size_t)(close - line.p) - i - 1},
				  out);
			i = (size_t)(close - line.p);
		} else if (line.p[i] == '*' && i + 1 < line.n && line.p[i + 1] == '*') {
			i++;
		} else {
			sb_char(out, line.p[i]);
		}
	}
}

/* Counts the bytes that begin a UTF-8 character. */
static unsigned
columns_of(const char *p, size_t n)
{
	unsigned columns = 0;

	for (size_t i = 0; i < n; i++)
		columns += ((unsigned char)p[i] & 0xc0) != 0x80;
	return columns;
}

unsigned
page_columns(const char *text)
{
	return columns_of(text, strlen(text));
}

struct wrapper {
	unsigned width;
	void (*fn)(void *ctx, const char *line);
	void *ctx;
};

/* Wraps a paragraph. `head` precedes the first line; the other lines are indented by its width. */
static void
wrap_paragraph(const struct wrapper *w, const char *head, const char *text)
{
	unsigned indent = columns_of(head, strlen(head));
	struct strbuf line = {0};
	struct span word;
	unsigned used = indent;

	sb_str(&line, head);
	while ((word = word_next(&text)).n) {
		unsigned n = columns_of(word.p, word.n);

		if (used > indent && used + 1 + n > w->width) {
			w->fn(w->ctx, line.failed ? "" : line.p);
			sb_clear(&line);
			sb_printf(&line, "%*s", (int)indent, "");
			used = indent;
		}
		if (used > indent)
			sb_char(&line, ' ');
		used += (used > indent) + n;
		sb_add(&line, word.p, word.n);
	}
	w->fn(w->ctx, line.n && !line.failed ? line.p : "");
	sb_free(&line);
}

static void
end_paragraph(const struct wrapper *w, struct strbuf *para)
{
	const char *text = para->n ? para->p : "";

	if (para->n)
		wrap_paragraph(w, strncmp(text, "- ", 2) == 0 ? "- " : "",
			       strncmp(text, "- ", 2) == 0 ? text + 2 : text);
	sb_clear(para);
}

void
page_lines(struct session *s, const char *text, unsigned width,
	   void (*fn)(void *ctx, const char *line), void *ctx)
{
	struct wrapper w = {width, fn, ctx};
	struct span rest = span_of(text), line;
	struct strbuf para = {0};
	bool in_list = false;

	while (span_part(&rest, '\n', &line)) {
		bool is_item = line.n > 1 && line.p[0] == '-' && line.p[1] == ' ';
		bool is_verbatim = line.n && line.p[0] == ' ' && !in_list;

		if (!line.n || is_item || is_verbatim)
			end_paragraph(&w, &para);
		in_list = line.n && (is_item || (in_list && line.p[0] == ' '));
		if (!line.n || is_verbatim) {
			struct strbuf whole = {0};

			fill_line(s, line, &whole);
			fn(ctx, whole.n && !whole.failed ? whole.p : "");
			sb_free(&whole);
			continue;
		}
		if (para.n)
			sb_char(&para, ' ');
		fill_line(s, line, &para);
	}
	end_paragraph(&w, &para);
	sb_free(&para);
}

/* ---------------------------------------------------------------- output at the prompt */

static void
say_line(void *session, const char *line)
{
	say(session, SAY_RESULT, "%s", line);
}

void
page_tell_below(struct teacher *t, const char *head, const char *text)
{
	unsigned width = session_has_screen(t->s) ? 0 : session_width(t->s);

	if (width && page_columns(head) + page_columns(text) > width)
		page_wrap(head, text, width, say_line, t->s);
	else
		say(t->s, SAY_RESULT, "%s%s", head, text);
}

void
page_tell(struct teacher *t, const char *fmt, ...)
{
	char text[1200], head[40];
	unsigned indent;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	indent = (unsigned)MIN(strspn(text, " "), sizeof(head) - 1);
	snprintf(head, sizeof(head), "%*s", (int)indent, "");
	page_tell_below(t, head, text + indent);
}

void
page_say(struct teacher *t, const char *head, const char *text)
{
	struct strbuf filled = {0};
	struct wrapper w = {WIDTH, say_line, t->s};

	if (session_has_screen(t->s))
		return;
	if (!*head) {
		page_lines(t->s, text, WIDTH, say_line, t->s);
		return;
	}
	fill_line(t->s, span_of(text), &filled);
	if (!filled.failed)
		wrap_paragraph(&w, head, filled.n ? filled.p : "");
	sb_free(&filled);
}

void
page_note(struct teacher *t, const char *head, const char *text)
{
	struct strbuf *note = &t->note[t->at];

	page_say(t, head, text);
	sb_str(note, skip_blanks(head));
	fill_line(t->s, span_of(text), note);
	sb_char(note, '\n');
}

void
page_explain(struct teacher *t, const char *why)
{
	struct strbuf filled = {0};

	page_note(t, "  ", why);
	if (!session_has_screen(t->s) || t->presenter) /* the captions have it */
		return;
	fill_line(t->s, span_of(why), &filled);
	if (filled.n && !filled.failed)
		say(t->s, SAY_RESULT, "%s", filled.p);
	sb_free(&filled);
}

void
page_wrap(const char *head, const char *text, unsigned width,
	  void (*fn)(void *ctx, const char *line), void *ctx)
{
	wrap_paragraph(&(struct wrapper){width, fn, ctx}, head, text);
}
