/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * err.c - fills and prints struct err.
 *
 * The offending line may contain anything. It is copied with control characters and broken UTF-8
 * shown as \xNN and tabs as one space, and cut to a window around the column, with "..." at the
 * cuts. The column is stored in screen columns of that copy (one per character), so that the caret
 * can be printed without the original text.
 */
#include "ctascope/err.h"

#include "base/shown.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 100     /* columns of the offending line that are shown */
#define LEAST_WINDOW 8 /* the same on a narrow terminal */
#define CUTS 6	       /* columns of "..." before and after the window */

/* Converts one character of the source to its display form: at most 4 bytes in out; adds its
 * columns to *cols. */
static size_t
show_char(const char *p, size_t n, char out[5], size_t *n_out, int *cols)
{
	size_t len = shown_as_is(p, n);

	if (p[0] == '\t') {
		out[0] = ' ';
		len = 1;
		*n_out = 1;
		*cols = 1;
	} else if (len) {
		memcpy(out, p, len);
		*n_out = len;
		*cols = 1;
	} else {
		snprintf(out, 5, "\\x%02x", (unsigned char)p[0]);
		len = 1;
		*n_out = 4;
		*cols = 4;
	}
	return len;
}

/* Screen columns of the first n bytes. */
static int
count_columns(const char *text, size_t n)
{
	char out[5];
	size_t i = 0, n_out;
	int cols, sum = 0;

	while (i < n && text[i]) {
		i += show_char(text + i, strnlen(text + i, 4), out, &n_out, &cols);
		sum += cols;
	}
	return sum;
}

/* Keeps at most `window` columns of the line around the column. */
static void
keep_text(struct err *e, const char *text, int col, int len, int window)
{
	const int before = window * 6 / 10; /* columns before the caret when the line is cut */
	size_t total = strlen(text), i = 0, n_out, used = 0;
	size_t at = col < 0 ? 0 : MIN((size_t)col, total);
	size_t end = MIN(at + (size_t)MAX(len, 1), total);
	int caret = count_columns(text, at), width = count_columns(text + at, end - at), x = 0,
	    cols;
	int from = 0, all = count_columns(text, total);
	char out[5];

	if (all > window && caret > before)
		from = MIN(caret - before, all - window);
	if (from > 0) {
		memcpy(e->text, "...", 3);
		used = 3;
	}
	while (i < total) {
		i += show_char(text + i, total - i, out, &n_out, &cols);
		x += cols;
		if (x <= from)
			continue;
		if (x - from > window || used + n_out + 4 > sizeof(e->text)) {
			memcpy(e->text + used, "...", 3);
			used += 3;
			break;
		}
		memcpy(e->text + used, out, n_out);
		used += n_out;
	}
	e->text[used] = '\0';
	e->col = caret - from + (from > 0 ? 3 : 0);
	e->len = MAX(1, MIN(width, window - (caret - from)));
}

/* Shortens a text in the middle, where a long name usually is; the reason is at the end. */
static void
shorten_middle(const char *text, char *buf, size_t size)
{
	size_t n = strlen(text), head = (size - 4) / 2, tail;

	if (n < size) {
		memcpy(buf, text, n + 1);
		return;
	}
	while (head && ((unsigned char)text[head] & 0xc0) == 0x80)
		head--;
	for (tail = n - (size - 4 - head); ((unsigned char)text[tail] & 0xc0) == 0x80;)
		tail++;
	memcpy(buf, text, head);
	memcpy(buf + head, "...", 3);
	memcpy(buf + head + 3, text + tail, n - tail + 1);
}

static void
set_msg(struct err *e, const char *file, const char *fmt, va_list ap)
{
	char raw[2 * PATH_MAX], shown[4 * PATH_MAX];
	size_t n;

	*e = (struct err){.set = true, .len = 1};
	vsnprintf(raw, sizeof(raw), fmt, ap);
	text_shown(raw, shown, sizeof(shown)); /* one line without terminal control codes */
	shorten_middle(shown, e->msg, sizeof(e->msg));
	if (!file)
		return;
	text_shown(file, shown, sizeof(shown));
	n = strlen(shown);
	if (n < sizeof(e->file))
		memcpy(e->file, shown, n + 1);
	else
		snprintf(e->file, sizeof(e->file), "...%s", shown + n - (sizeof(e->file) - 4));
}

int
err_vset(struct err *e, const char *fmt, va_list ap)
{
	if (e)
		set_msg(e, NULL, fmt, ap);
	return -1;
}

int
err_set(struct err *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_vset(e, fmt, ap);
	va_end(ap);
	return -1;
}

int
err_as(struct err *e, enum err_kind kind)
{
	if (e)
		e->kind = kind;
	return -1;
}

int
err_of(struct err *e, enum err_kind kind, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_vset(e, fmt, ap);
	va_end(ap);
	return err_as(e, kind);
}

int
err_nomem(struct err *e)
{
	return err_of(e, ERR_MEMORY, "out of memory");
}

int
err_at(struct err *e, const char *file, uint64_t line, const char *text, int col, int len,
       const char *fmt, ...)
{
	va_list ap;

	if (e) {
		va_start(ap, fmt);
		set_msg(e, file, fmt, ap);
		va_end(ap);
		e->line = line;
		if (text)
			keep_text(e, text, col, len, WINDOW);
	}
	return -1;
}

int
err_at_byte(struct err *e, const char *file, uint64_t offset, const char *fmt, ...)
{
	va_list ap;

	if (e) {
		va_start(ap, fmt);
		set_msg(e, file, fmt, ap);
		va_end(ap);
		e->offset = offset;
	}
	return -1;
}

void
err_fit(struct err *e, int columns)
{
	char text[sizeof(e->text)], out[5];
	size_t total = strlen(e->text), at = 0, end, n_out;
	int x = 0, cols;

	if (count_columns(e->text, total) <= columns)
		return;
	memcpy(text, e->text, total + 1);
	for (; at < total && x < e->col; x += cols)
		at += show_char(text + at, total - at, out, &n_out, &cols);
	for (end = at; end < total && x < e->col + e->len; x += cols)
		end += show_char(text + end, total - end, out, &n_out, &cols);
	keep_text(e, text, (int)at, (int)(end - at), MAX(columns - CUTS, LEAST_WINDOW));
}

void
err_clear(struct err *e)
{
	if (e)
		*e = (struct err){0};
}

void
err_format(const struct err *e, const char *prefix, char *buf, size_t size)
{
	char place[320] = "", lead[64] = "", caret[256];
	int i, col = MIN(MAX(e->col, 0), 220), len = MIN(MAX(e->len, 1), 240 - col);

	if (size == 0)
		return;
	if (prefix && prefix[0])
		snprintf(lead, sizeof(lead), "%s: ", prefix);
	if (e->file[0] && e->line)
		snprintf(place, sizeof(place), "%s:%llu: ", e->file, (unsigned long long)e->line);
	else if (e->file[0] && e->offset)
		snprintf(place, sizeof(place), "%s: byte %llu: ", e->file,
			 (unsigned long long)e->offset);
	else if (e->file[0])
		snprintf(place, sizeof(place), "%s: ", e->file);
	else if (e->line)
		snprintf(place, sizeof(place), "line %llu: ", (unsigned long long)e->line);
	if (!e->text[0]) {
		snprintf(buf, size, "%s%s%s", lead, place, e->msg);
		return;
	}
	memset(caret, ' ', (size_t)col);
	caret[col] = '^';
	for (i = 1; i < len; i++)
		caret[col + i] = '~';
	caret[col + len] = '\0';
	snprintf(buf, size, "%s%s%s\n    %s\n    %s", lead, place, e->msg, e->text, caret);
}

void
err_print(const struct err *e, const char *prefix, FILE *to)
{
	char buf[1600];

	err_format(e, prefix, buf, sizeof(buf));
	fprintf(to, "%s\n", buf);
}
