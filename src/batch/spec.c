/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spec.c - parses a sweep file, line by line; man/ctascope-sweep.5.in describes it.
 *
 *     workload NAME...      machine NAME...      policy STACK...      warp-sched NAME...
 *     set KEY VALUE         vary KEY[,KEY]... VALUE[,VALUE]...        limit cycles|seconds N
 *     column NAME...        let NAME = EXPRESSION                     case NAME
 *
 * Lines before the first case hold for all cases. A case that names workloads, machines, policies
 * or warp schedulers uses these instead, and its options add to the common ones or replace them.
 * Parsing stops at the first error.
 */
#include "batch/spec.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/strbuf.h"
#include "base/textfile.h"
#include "base/words.h"
#include "workload/workload.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- words, errors */

void *
spec_own(struct spec *s, void *p)
{
	s->kept = array_grow(s->kept, s->n_kept, sizeof(*s->kept));
	s->kept[s->n_kept++] = p;
	return p;
}

const char *
spec_keep(struct spec *s, const char *p, size_t n)
{
	return spec_own(s, memory_text(p, n));
}

void
words_add(struct list *l, const struct word *w)
{
	l->w = array_grow(l->w, l->n, sizeof(*l->w));
	l->w[l->n++] = *w;
}

int
spec_error(const struct spec *s, const struct word *at, struct err *e, const char *fmt, ...)
{
	char msg[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	if (!at->line || at->line > s->n_lines)
		return err_at(e, s->path, 0, NULL, 0, 1, "%s", msg);
	return err_at(e, s->path, at->line, s->line[at->line - 1], at->col, at->len, "%s", msg);
}

/* Returns the place after the last word of the line. */
struct word
spec_line_end(const struct spec_line *l)
{
	const struct word *last = &l->word[l->n - 1];

	return (struct word){"", l->number, last->col + last->len, 1};
}

/* ---------------------------------------------------------------- lists of names */

static const struct {
	const char *name, *type;
} shipped[] = {
#define WORKLOAD(name, suite, type, n, help) {#name, #type},
#include "traces/src/workloads.def"
#undef WORKLOAD
};

/* Adds the workloads for `type M C` or `all`: the rows of set 1 in workloads.def, in their order;
 * with a size, those that have it. */
static int
add_group(struct spec_line *l, const struct word *at, const char *type, const char *size,
	  struct list *to)
{
	unsigned before = to->n;
	char name[64];

	for (size_t i = 0; i < ARRAY_LEN(shipped); i++) {
		struct word w = *at;

		if (type && strcmp(type, shipped[i].type) != 0)
			continue;
		if (size && !workload_has_size(shipped[i].name, size))
			continue;
		snprintf(name, sizeof(name), "%s%s%s", shipped[i].name, size ? ":" : "",
			 size ? size : "");
		w.text = spec_keep(l->s, name, strlen(name));
		words_add(to, &w);
	}
	if (to->n == before && size)
		return spec_error(l->s, at, l->e,
				  "no shipped workload of this kind has a size "
				  "'%.40s'",
				  size);
	if (to->n == before)
		return spec_error(l->s, at, l->e,
				  "no shipped workload is of type '%.40s'; expected M, C or X",
				  type ? type : "");
	return 0;
}

static bool
is_all(const char *text)
{
	return strcmp(text, "all") == 0 || strncmp(text, "all:", 4) == 0;
}

/* Handles all and all:large, and for types M and M:large. */
static int
add_sized_group(struct spec_line *l, const struct word *w, bool types, struct list *to)
{
	const char *size = strchr(w->text, ':');
	char type[64];

	snprintf(type, sizeof(type), "%.*s", (int)(size ? size - w->text : 63), w->text);
	return add_group(l, w, types ? type : NULL, size ? size + 1 : NULL, to);
}

void
spec_size(struct spec *s, const char *size)
{
	char name[300];

	for (unsigned i = 0; i < s->n_cases; i++) {
		struct list *l = &s->cases[i].dim[DIM_WORKLOAD];

		for (unsigned k = 0; s->cases[i].own[DIM_WORKLOAD] && k < l->n; k++) {
			if (!workload_has_size(l->w[k].text, "default"))
				continue; /* a file or a trace, or it has its size */
			snprintf(name, sizeof(name), "%s:%s", l->w[k].text, size);
			l->w[k].text = spec_keep(s, name, strlen(name));
		}
	}
}

static int
add_names(struct spec_line *l, enum dim d)
{
	struct list *to = &l->c->dim[d];
	bool types = d == DIM_WORKLOAD && l->n > 1 && strcmp(l->word[1].text, "type") == 0;
	struct word end = spec_line_end(l);

	if (!l->c->own[d]) /* remove what was copied from the common part */
		*to = (struct list){0};
	l->c->own[d] = true;
	if (l->n < 2 || (types && l->n < 3))
		return spec_error(l->s, &end, l->e, "expected a name after '%s'",
				  l->word[l->n - 1].text);
	for (unsigned i = types ? 2 : 1; i < l->n; i++) {
		const struct word *w = &l->word[i];
		int rc;

		if (types || (d == DIM_WORKLOAD && is_all(w->text)))
			rc = add_sized_group(l, w, types, to);
		else
			rc = spec_braces(l->s, w, to, l->e);
		if (rc)
			return -1;
	}
	return 0;
}

static int
parse_workload(struct spec_line *l)
{
	return add_names(l, DIM_WORKLOAD);
}

static int
parse_machine(struct spec_line *l)
{
	return add_names(l, DIM_MACHINE);
}

static int
parse_policy(struct spec_line *l)
{
	return add_names(l, DIM_POLICY);
}

static int
parse_warp_sched(struct spec_line *l)
{
	return add_names(l, DIM_WSCHED);
}

/* ---------------------------------------------------------------- the rest */

static int
common_only(struct spec_line *l)
{
	if (l->c == &l->s->cases[0])
		return 0;
	return spec_error(l->s, &l->word[0], l->e,
			  "'%s' applies to the whole sweep, so it comes before the first case",
			  l->word[0].text);
}

static int
parse_limit(struct spec_line *l)
{
	struct word end = spec_line_end(l);

	if (common_only(l))
		return -1;
	if (l->n < 2)
		return spec_error(l->s, &end, l->e, "expected 'cycles N' or 'seconds N'");
	for (unsigned i = 1; i < l->n; i += 2) {
		bool cycles = strcmp(l->word[i].text, "cycles") == 0;
		uint64_t v;

		if (!cycles && strcmp(l->word[i].text, "seconds") != 0)
			return spec_error(l->s, &l->word[i], l->e,
					  "expected cycles or seconds, found '%.60s'",
					  l->word[i].text);
		if (i + 1 == l->n)
			return spec_error(l->s, &end, l->e, "expected a number of %s",
					  l->word[i].text);
		if (number_count(l->word[i + 1].text, &v) || v == 0 ||
		    v > (cycles ? UINT64_C(1) << 53 : UINT64_C(1) << 30))
			return spec_error(l->s, &l->word[i + 1], l->e,
					  "expected a number of %s, at least 1, found '%.60s'",
					  l->word[i].text, l->word[i + 1].text);
		*(cycles ? &l->s->max_cycles : &l->s->max_seconds) = v;
	}
	return 0;
}

void
column_add(struct column **c, unsigned *n, const char *name, bool let, const struct word *expr)
{
	*c = array_grow(*c, *n, sizeof(**c));
	(*c)[*n] = (struct column){.name = name, .let = let};
	words_add(&(*c)[(*n)++].expr, expr);
}

/* A second `let` of a name is used in runs that do not know the first. */
static int
add_column(struct spec_line *l, const struct word *name, bool is_let, const struct word *expr)
{
	struct spec *s = l->s;

	for (unsigned i = 0; i < s->n_columns; i++) {
		struct column *c = &s->column[i];

		if (strcmp(c->name, name->text) != 0)
			continue;
		if (!is_let || !c->let)
			return spec_error(s, name, l->e, "a column of this name exists already");
		words_add(&c->expr, expr);
		return 0;
	}
	column_add(&s->column, &s->n_columns, name->text, is_let, expr);
	return 0;
}

static int
parse_columns(struct spec_line *l)
{
	struct word end = spec_line_end(l);

	if (common_only(l))
		return -1;
	if (l->n < 2)
		return spec_error(l->s, &end, l->e, "expected names of values, such as gpu.ipc");
	l->s->own_columns = true;
	for (unsigned i = 1; i < l->n; i++)
		if (add_column(l, &l->word[i], false, &l->word[i]))
			return -1;
	return 0;
}

/* Parses let NAME = EXPRESSION: the expression is the rest of the line, up to a comment. */
static int
parse_let(struct spec_line *l)
{
	struct word end = spec_line_end(l), expr;
	const struct word *last = &l->word[l->n - 1];

	if (common_only(l))
		return -1;
	if (l->n < 4 || strcmp(l->word[2].text, "=") != 0)
		return spec_error(l->s, l->n > 2 ? &l->word[2] : &end, l->e,
				  l->n == 3 && strcmp(l->word[2].text, "=") == 0
					  ? "expected an expression after '='"
					  : "expected let NAME = EXPRESSION");
	expr = l->word[3];
	expr.len = last->col + last->len - expr.col;
	expr.text = spec_keep(l->s, l->s->line[l->number - 1] + expr.col, (size_t)expr.len);
	return add_column(l, &l->word[1], true, &expr);
}

/* A case begins as a copy of the common part, with which it shares lists and the values of axes. */
static int
new_case(struct spec_line *l)
{
	struct spec *s = l->s;
	struct sweep_case *c, *common;
	struct word end = spec_line_end(l);

	if (l->n < 2)
		return spec_error(s, &end, l->e, "expected the name of the case");
	if (l->n > 2)
		return spec_error(s, &l->word[2], l->e,
				  "expected the end of the line, found '%.60s'", l->word[2].text);
	for (unsigned i = 1; i < s->n_cases; i++)
		if (strcmp(s->cases[i].name.text, l->word[1].text) == 0)
			return spec_error(s, &l->word[1], l->e,
					  "line %u has a case of this name already",
					  s->cases[i].name.line);
	s->cases = array_grow(s->cases, s->n_cases, sizeof(*s->cases));
	common = &s->cases[0];
	c = &s->cases[s->n_cases++];
	*c = *common;
	c->name = l->word[1];
	memset(c->own, 0, sizeof(c->own));
	c->n_common_axes = common->n_axes;
	c->axis = NULL;
	for (unsigned i = 0; i < common->n_axes; i++) {
		c->axis = array_grow(c->axis, i, sizeof(*c->axis));
		c->axis[i] = common->axis[i];
	}
	l->c = c;
	return 0;
}

/* ---------------------------------------------------------------- lines */

static int
cut_words(struct spec_line *l, const char *text)
{
	struct span part[SPEC_LINE_WORDS];
	unsigned n = words_of_line(text, part, SPEC_LINE_WORDS);

	for (l->n = 0; l->n < MIN(n, (unsigned)SPEC_LINE_WORDS); l->n++) {
		const struct span *p = &part[l->n];
		struct word *w = &l->word[l->n];

		*w = (struct word){NULL, l->number, (int)(p->p - text), (int)p->n};
		if (l->n + 1 == SPEC_LINE_WORDS)
			return spec_error(l->s, w, l->e,
					  "more than %d words; a second line of the kind adds to "
					  "the first",
					  SPEC_LINE_WORDS - 1);
		w->text = spec_keep(l->s, p->p, p->n);
	}
	return 0;
}

static const struct {
	const char *word;
	int (*fn)(struct spec_line *l);
} kinds[] = {
	{"workload", parse_workload},
	{"machine", parse_machine},
	{"policy", parse_policy},
	{"warp-sched", parse_warp_sched},
	{"set", spec_set},
	{"vary", spec_vary},
	{"limit", parse_limit},
	{"column", parse_columns},
	{"let", parse_let},
	{"case", new_case},
};

static int
unknown_kind(const struct spec_line *l)
{
	struct strbuf all = {0};
	int rc;

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		sb_printf(&all, "%s%s",
			  i == 0		     ? ""
			  : i + 1 < ARRAY_LEN(kinds) ? ", "
						     : " or ",
			  kinds[i].word);
	rc = spec_error(l->s, &l->word[0], l->e, "expected %s, found '%.60s'", all.p ? all.p : "",
			l->word[0].text);
	sb_free(&all);
	return rc;
}

static int
one_line(struct spec_line *l)
{
	if (cut_words(l, l->s->line[l->number - 1]))
		return -1;
	if (!l->n)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (strcmp(kinds[i].word, l->word[0].text) == 0)
			return kinds[i].fn(l);
	return unknown_kind(l);
}

/* Lines may end in LF or CR LF. Bytes that are not text are rejected at their place. */
static int
cut_lines(struct spec *s, size_t size, struct err *e)
{
	char *p = s->text, *end = s->text + size;

	for (const char *q = p; q < end; q++)
		s->n_lines += *q == '\n';
	s->n_lines += size && end[-1] != '\n';
	s->line = memory_new(s->n_lines, sizeof(*s->line));
	for (unsigned i = 0; i < s->n_lines; i++) {
		char *eol = memchr(p, '\n', (size_t)(end - p)), *nul;

		eol = eol ? eol : end;
		nul = memchr(p, '\0', (size_t)(eol - p));
		s->line[i] = p;
		if (nul)
			return err_at(e, s->path, i + 1, p, (int)(nul - p), 1,
				      "expected text, found a zero byte");
		p = eol + 1;
		*eol = '\0';
		if (eol > s->line[i] && eol[-1] == '\r')
			eol[-1] = '\0';
	}
	return 0;
}

/* Finds "# NAME - what it asks", the text that --list prints. */
static void
find_about(struct spec *s)
{
	s->about = "";
	for (unsigned i = 0; i < s->n_lines; i++) {
		const char *p = s->line[i], *dash;

		if (*p != '#' || strncmp(p, "# SPDX", 6) == 0)
			continue;
		dash = strstr(p, " - ");
		p += strspn(p, "# ");
		s->about = dash ? dash + 3 : p;
		return;
	}
}

struct spec *
spec_parse(const char *path, const char *text, size_t size, struct err *e)
{
	struct spec *s = memory_new(1, sizeof(*s));
	struct spec_line *l = memory_new(1, sizeof(*l));

	s->path = spec_keep(s, path, strlen(path));
	s->text = spec_own(s, memory_new(size + 1, 1));
	memcpy(s->text, text, size);
	s->cases = array_grow(NULL, 0, sizeof(*s->cases));
	s->cases[s->n_cases++] = (struct sweep_case){.name.text = ""};
	if (cut_lines(s, size, e))
		goto fail;
	find_about(s);
	*l = (struct spec_line){.s = s, .c = &s->cases[0], .e = e};
	while (l->number < s->n_lines) {
		l->number++;
		if (one_line(l))
			goto fail;
	}
	free(l);
	return s;
fail:
	free(l);
	spec_free(s);
	return NULL;
}

struct spec *
spec_read(const char *path, struct err *e)
{
	FILE *f = text_open(path, 0, NULL, NULL); /* SPEC_MAX_BYTES limits it */
	char *text = memory_new(SPEC_MAX_BYTES, 1), why[64];
	size_t n = f ? fread(text, 1, SPEC_MAX_BYTES, f) : 0;
	struct spec *s = NULL;

	if (!f)
		text_cannot_open(path, e);
	else if (ferror(f))
		err_set(e, "cannot read '%.200s': %s", path, text_why(errno, 0, why));
	else if (n == SPEC_MAX_BYTES)
		err_set(e, "'%.200s' is longer than a sweep file may be, %u bytes", path,
			SPEC_MAX_BYTES);
	else
		s = spec_parse(path, text, n, e);
	free(text);
	if (f)
		fclose(f);
	return s;
}

/* A case shares with the common part the lists that it does not replace; the values of axes belong
 * to s->kept. */
void
spec_free(struct spec *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < s->n_cases; i++) {
		struct sweep_case *c = &s->cases[i];

		for (unsigned d = 0; d < DIMS; d++)
			if (c->own[d])
				free(c->dim[d].w);
		free(c->axis);
	}
	for (size_t i = 0; i < s->n_kept; i++)
		free(s->kept[i]);
	for (unsigned i = 0; i < s->n_columns; i++)
		free(s->column[i].expr.w);
	free(s->kept);
	free(s->cases);
	free(s->column);
	free(s->options.w);
	free(s->line);
	free(s);
}
