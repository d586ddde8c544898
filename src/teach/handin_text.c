/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * handin_text.c - the text of a hand-in.
 *
 *     ctascope hand-in 1
 *     student: ada
 *     lesson: 05-dyncta
 *     ...
 *
 *     > break period core 5
 *     > run
 *     task 1: done, cycle 2048, digest 6f1d00e2a9c4b375, tries 0, hints 0
 *     > run
 *     + 5000 set dyncta.t_mem_h 200
 *     end
 *
 * A line with + was typed during the run above it, and took effect after that cycle. Without the
 * last line the file was cut off on its way.
 *
 * Whoever hands in could have written anything, so each line has one form, numbers have bounds,
 * and nothing may come twice.
 */
#include "teach/handin_part.h"

#include "base/ascii.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FIRST "ctascope hand-in 1"
#define LAST "end"

enum key {
	KEY_STUDENT,
	KEY_LESSON,
	KEY_SEED,
	KEY_VERSION,
	KEY_BUILD,
	KEY_TEXT,
	KEY_MACHINE,
	KEY_TRACE,
	KEY_TYPED_BY,
	KEYS
};
static const char *const key_names[KEYS] = {"student", "lesson",  "seed",  "version", "build",
					    "text",    "machine", "trace", "typed by"};

bool
handin_name_is_good(const char *name)
{
	size_t n = strlen(name);

	for (const char *p = name; *p; p++)
		if (!ascii_is_alnum(*p) && !strchr("-_.@+", *p))
			return false;
	return n > 0 && n <= HANDIN_NAME && name[0] != '.' && name[0] != '-';
}

void
handin_add_line(struct handin_text *h, const char *line, cycle_t at)
{
	h->line = array_grow(h->line, h->n_lines, sizeof(*h->line));
	h->line[h->n_lines++] = (struct handin_line){memory_text(line, strlen(line)), at};
}

void
handin_text_free(struct handin_text *h)
{
	for (unsigned i = 0; i < h->n_lines; i++)
		free(h->line[i].text);
	free(h->line);
	h->line = NULL;
	h->n_lines = 0;
}

/* ---------------------------------------------------------------- writing */

static void
write_result(const struct handin_result *r, unsigned number, struct strbuf *out)
{
	sb_printf(out, "%s %u: %s, cycle %" PRIu64 ", digest %016" PRIx64 ", tries %u, hints %u\n",
		  r->question ? "question" : "task", number, mark_names[r->mark], r->cycle,
		  r->digest, r->tries, r->hints);
}

void
handin_write(const struct handin_text *h, struct strbuf *out)
{
	sb_printf(out, FIRST "\nstudent: %s\nlesson: %s\nseed: %" PRIu64 "\nversion: %s\n",
		  h->student, h->lesson, h->seed, h->version);
	sb_printf(out,
		  "build: %016" PRIx64 "\ntext: %016" PRIx64 "\nmachine: %016" PRIx64
		  "\ntrace: %016" PRIx64 "\ntyped by: %s\n\n",
		  h->build, h->text, h->machine, h->trace, h->by_person ? "person" : "script");
	for (unsigned i = 0; i <= h->n_lines; i++) {
		for (unsigned k = 0; k < h->n_results; k++)
			if (h->result[k].known && h->result[k].after == i)
				write_result(&h->result[k], k + 1, out);
		if (i < h->n_lines && h->line[i].at == CYCLE_NEVER)
			sb_printf(out, "> %s\n", h->line[i].text);
		else if (i < h->n_lines)
			sb_printf(out, "+ %" PRIu64 " %s\n", h->line[i].at, h->line[i].text);
	}
	sb_str(out, LAST "\n");
}

/* ---------------------------------------------------------------- parsing */

struct parser {
	const char *path;
	unsigned line;
	struct handin_text *h;
	struct err *e;
};

static int bad_line(const struct parser *p, const char *fmt, ...) ATTR_PRINTF(2, 3);

static int
bad_line(const struct parser *p, const char *fmt, ...)
{
	char msg[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	return err_at(p->e, p->path, p->line, NULL, 0, 1, "%s", msg);
}

static bool
read_hex(const char *text, uint64_t *v)
{
	char *end;

	if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
		return false;
	*v = strtoull(text, &end, 16);
	return !*end;
}

/* Decimal digits only: 1k and 0x10 are numbers elsewhere. */
static bool
read_decimal(const char *text, uint64_t *v)
{
	return *text && strspn(text, "0123456789") == strlen(text) && number_count(text, v) == 0;
}

static bool
take_name(const char *value, char to[HANDIN_NAME + 1])
{
	if (!handin_name_is_good(value))
		return false;
	snprintf(to, HANDIN_NAME + 1, "%s", value);
	return true;
}

static bool
take_value(struct handin_text *h, enum key key, const char *value)
{
	switch (key) {
	case KEY_STUDENT:
		return take_name(value, h->student);
	case KEY_LESSON:
		return take_name(value, h->lesson);
	case KEY_VERSION:
		return take_name(value, h->version);
	case KEY_SEED:
		return read_decimal(value, &h->seed);
	case KEY_BUILD:
		return read_hex(value, &h->build);
	case KEY_TEXT:
		return read_hex(value, &h->text);
	case KEY_MACHINE:
		return read_hex(value, &h->machine);
	case KEY_TRACE:
		return read_hex(value, &h->trace);
	case KEY_TYPED_BY:
		h->by_person = strcmp(value, "person") == 0;
		return h->by_person || strcmp(value, "script") == 0;
	case KEYS:
		break;
	}
	return false;
}

/* The next line, without its end; false: there is none, or it is none of a text. */
static bool
next_line(struct parser *p, struct span *rest, char *line, size_t size)
{
	struct span part;

	if (!rest->n || !span_part(rest, '\n', &part))
		return false;
	p->line++;
	if (part.n && part.p[part.n - 1] == '\r')
		part.n--;
	return !memchr(part.p, '\0', part.n) && span_copy(part, line, size);
}

static int
parse_header(struct parser *p, struct span *rest, char *line, size_t size)
{
	if (!next_line(p, rest, line, size) || strcmp(line, FIRST) != 0)
		return bad_line(p, "expected '%s': this is not a hand-in", FIRST);
	for (unsigned k = 0; k < KEYS; k++) {
		size_t n = strlen(key_names[k]);

		if (!next_line(p, rest, line, size) || strncmp(line, key_names[k], n) != 0 ||
		    strncmp(line + n, ": ", 2) != 0)
			return bad_line(p, "expected '%s: ...'", key_names[k]);
		if (!take_value(p->h, (enum key)k, line + n + 2))
			return bad_line(p, "%s: '%.80s' is not a valid value", key_names[k],
					line + n + 2);
	}
	if (!next_line(p, rest, line, size) || *line)
		return bad_line(p, "expected an empty line after the header");
	return 0;
}

/* "NAME NUMBER" of a result; *at moves on, over a comma and a blank. */
static bool
take_number(const char **at, const char *name, uint64_t most, uint64_t *v)
{
	size_t n = strlen(name), digits;
	char number[24];

	if (strncmp(*at, name, n) != 0 || (*at)[n] != ' ')
		return false;
	digits = strspn(*at + n + 1, "0123456789");
	if (!span_copy((struct span){*at + n + 1, digits}, number, sizeof(number)) ||
	    !read_decimal(number, v) || *v > most)
		return false;
	*at += n + 1 + digits;
	if (strncmp(*at, ", ", 2) == 0)
		*at += 2;
	return true;
}

static bool
take_mark(const char **at, enum mark *mark)
{
	for (unsigned i = MARK_OPEN + 1; i < MARKS; i++) {
		size_t n = strlen(mark_names[i]);

		if (strncmp(*at, mark_names[i], n) != 0 || strncmp(*at + n, ", ", 2) != 0)
			continue;
		*mark = (enum mark)i;
		*at += n + 2;
		return true;
	}
	return false;
}

static bool
take_digest(const char **at, uint64_t *digest)
{
	char hex[17];

	if (strncmp(*at, "digest ", 7) != 0 || strlen(*at) < 7 + 16 + 2)
		return false;
	snprintf(hex, sizeof(hex), "%s", *at + 7);
	if (!read_hex(hex, digest) || strncmp(*at + 7 + 16, ", ", 2) != 0)
		return false;
	*at += 7 + 16 + 2;
	return true;
}

/* A result that cannot be believed: its row in the grade says so. */
static void
spoil_result(struct handin_text *h, uint64_t number)
{
	h->result[number - 1].spoilt = true;
	h->n_results = MAX(h->n_results, (unsigned)number);
}

static int
parse_result(struct parser *p, const char *line)
{
	struct handin_result r = {.known = true, .after = p->h->n_lines};
	uint64_t number = 0, tries = 0, hints = 0;
	const char *at = line;

	r.question = strncmp(at, "question ", 9) == 0;
	if (!take_number(&at, r.question ? "question" : "task", LESSON_ITEMS, &number) ||
	    number == 0 || strncmp(at, ": ", 2) != 0)
		return bad_line(p, "expected '> LINE', 'task N: ...' or 'question N: ...'");
	at += 2;
	if (!take_mark(&at, &r.mark) || !take_number(&at, "cycle", CYCLE_NEVER, &r.cycle) ||
	    !take_digest(&at, &r.digest) || !take_number(&at, "tries", UINT32_MAX, &tries) ||
	    !take_number(&at, "hints", UINT32_MAX, &hints) || *at) {
		spoil_result(p->h, number);
		return bad_line(p, "expected MARK, cycle N, digest HEX, tries N, hints N");
	}
	r.tries = (unsigned)tries;
	r.hints = (unsigned)hints;
	if (p->h->result[number - 1].known) {
		spoil_result(p->h, number);
		return bad_line(p, "%s %" PRIu64 " appears twice", r.question ? "question" : "task",
				number);
	}
	p->h->result[number - 1] = r;
	p->h->n_results = MAX(p->h->n_results, (unsigned)number);
	return 0;
}

/* "+ CYCLE LINE" */
static int
parse_change(struct parser *p, const char *line)
{
	size_t digits = strspn(line + 2, "0123456789");
	char number[24];
	uint64_t cycle;

	if (!span_copy((struct span){line + 2, digits}, number, sizeof(number)) ||
	    !read_decimal(number, &cycle) || cycle >= CYCLE_NEVER || line[2 + digits] != ' ')
		return bad_line(p, "expected '+ CYCLE LINE'");
	handin_add_line(p->h, line + 2 + digits + 1, cycle);
	return 0;
}

static int
parse_line(struct parser *p, const char *line)
{
	if (strncmp(line, "+ ", 2) == 0)
		return parse_change(p, line);
	if (strncmp(line, "> ", 2) != 0 && strcmp(line, ">") != 0)
		return parse_result(p, line);
	handin_add_line(p->h, line[1] ? line + 2 : "", CYCLE_NEVER);
	return 0;
}

/* A last line without an end is a part of one, and not believed. */
static int
parse_body(struct parser *p, struct span *rest, char *line, size_t size)
{
	struct err *of_file = p->e;
	bool is_whole = false;

	while (rest->n && !is_whole) {
		bool is_line = memchr(rest->p, '\n', rest->n);

		p->e = of_file;
		if (p->h->n_lines == HANDIN_LINES)
			return bad_line(p, "more than %d lines", HANDIN_LINES);
		p->e = p->h->bad.set ? NULL : &p->h->bad;
		if (!next_line(p, rest, line, size))
			bad_line(p, "a line has a zero byte");
		else if (strcmp(line, LAST) == 0)
			is_whole = true;
		else if (is_line)
			parse_line(p, line);
	}
	p->h->is_cut = !is_whole;
	p->e = p->h->bad.set ? NULL : &p->h->bad;
	if (rest->n && next_line(p, rest, line, size))
		bad_line(p, "nothing may follow the line '" LAST "'");
	return 0;
}

int
handin_parse(const char *path, const char *text, size_t n, struct handin_text *h, struct err *e)
{
	struct parser p = {.path = path, .h = h, .e = e};
	struct span rest = {text, n};
	char *line;
	int rc;

	*h = (struct handin_text){.seed = 0};
	if (n > HANDIN_MOST)
		return err_set(e, "%s: a hand-in has at most %" PRIu64 " bytes", path, HANDIN_MOST);
	line = memory_new(n + 1, 1);
	rc = parse_header(&p, &rest, line, n + 1);
	h->is_cut = rc && !rest.n;
	if (rc == 0)
		rc = parse_body(&p, &rest, line, n + 1);
	free(line);
	return rc;
}
