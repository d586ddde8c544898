/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * script_file.c - variables and user-defined commands in a session file.
 *
 *     script 1                        the version of what follows
 *     variable $NAME N NUMBER...      N 0: a number; else a vector of N; in hexadecimal, exact
 *     define NAME N FILE              FILE: where it was written, "-": typed
 *     <tab>LINE TEXT                  N of them: the number in that file, the line
 *     document NAME N                 after the command's define
 *     <tab>TEXT                       N of them
 *
 * What is read replaces variables and commands of the same names; others stay. The text is checked
 * completely before anything changes.
 */
#include "session/session_part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SCRIPT_VERSION 1
#define HEAD 4300 /* most characters of a line that names a file */

/* ---------------------------------------------------------------- writing */

static void
write_variable(const char *name, const struct value *v, struct strbuf *out)
{
	sb_printf(out, "variable %s %u", name, v->n);
	for (unsigned i = 0; i < MAX(v->n, 1u); i++)
		sb_printf(out, " %a", v->n ? v->v[i] : v->x);
	sb_char(out, '\n');
}

static void
write_command(const char *name, const struct block *b, const char *help, struct strbuf *out)
{
	unsigned lines = 1;

	sb_printf(out, "define %s %u %s\n", name, b->n, b->file ? b->file : "-");
	for (unsigned i = 0; i < b->n; i++)
		sb_printf(out, "\t%u %s\n", b->line[i].line, b->line[i].text);
	if (!help)
		return;
	for (const char *p = help; *p; p++)
		lines += *p == '\n';
	sb_printf(out, "document %s %u\n", name, lines);
	for (const char *p = help; lines; lines--) {
		sb_printf(out, "\t%.*s\n", (int)strcspn(p, "\n"), p);
		p += strcspn(p, "\n") + 1;
	}
}

void
script_write(const struct session *s, struct strbuf *out)
{
	const struct value *v;
	const struct block *b;
	const char *name, *help;

	sb_printf(out, "script %d\n", SCRIPT_VERSION);
	for (unsigned i = 0; (name = script_variable_at(s, i, &v)); i++)
		write_variable(name, v, out);
	for (unsigned i = 0; (name = user_at(s, i, &b, &help)); i++)
		write_command(name, b, help, out);
}

/* ---------------------------------------------------------------- reading */

struct reading {
	struct session *s; /* NULL: only check */
	const char *at;
	char head[HEAD];
	char defined[70]; /* the last command that was defined */
};

static int
refuse_damaged(const struct reading *r, struct err *e)
{
	return err_set(e, "its script is damaged at '%.60s'", r->head);
}

/* Returns a copy of the next line without its tab; NULL if it has none, or if memory ran out. */
static char *
next_line(struct reading *r)
{
	size_t n = strcspn(r->at, "\n");
	char *line = *r->at == '\t' ? strndup(r->at + 1, n - 1) : NULL;

	r->at += n;
	r->at += *r->at == '\n';
	return line;
}

static int
read_variable(struct reading *r, const char *name, unsigned n, const char *at, struct err *e)
{
	struct value v = {.n = n};
	char *end;

	if (!script_is_name(name) || n > EVAL_MAX_VECTOR)
		return refuse_damaged(r, e);
	if (n && !(v.v = calloc(n, sizeof(*v.v))))
		return err_nomem(e);
	for (unsigned i = 0; i < MAX(n, 1u); i++, at = end) {
		double x = strtod(at, &end);

		if (end == at) {
			value_free(&v);
			return refuse_damaged(r, e);
		}
		*(n ? &v.v[i] : &v.x) = x;
	}
	if (*at || !r->s) {
		value_free(&v);
		return *at ? refuse_damaged(r, e) : 0;
	}
	return script_put(r->s, name, &v) ? err_nomem(e) : 0;
}

static int
add_line(struct reading *r, struct block *b, struct err *e)
{
	char *line = next_line(r), *text = NULL;
	unsigned long number = line ? strtoul(line, &text, 10) : 0;
	int rc = -1;

	if (line && text > line && *text == ' ' && b->depth)
		rc = block_add(b, text + 1, (unsigned)number, e);
	else
		refuse_damaged(r, e);
	free(line);
	return rc;
}

/* The lines of a body are between the head of a define and its end. */
static int
read_define(struct reading *r, const char *name, unsigned n, const char *file, struct err *e)
{
	struct block *b = block_new(strcmp(file, "-") ? file : NULL), *body = NULL;
	int rc = b ? user_name_ok(name, e) : err_nomem(e);

	snprintf(r->defined, sizeof(r->defined), "%s", name);
	if (rc == 0)
		rc = block_add(b, "define x", 0, e);
	for (unsigned i = 0; rc == 0 && i < n; i++)
		rc = add_line(r, b, e);
	if (rc == 0)
		rc = b->depth ? block_add(b, "end", 0, e) : refuse_damaged(r, e);
	if (rc == 0 && b->depth)
		rc = refuse_damaged(r, e);
	if (rc == 0 && !(body = block_cut(b, 1, b->n - 1, b->file)))
		rc = err_nomem(e);
	block_free(b);
	if (!body || !r->s) {
		block_free(body);
		return rc;
	}
	return user_define(r->s, name, body) == SESSION_OK
		       ? 0
		       : err_set(e, "command '%s' is missing", name);
}

static int
read_document(struct reading *r, const char *name, unsigned n, struct err *e)
{
	struct strbuf text = {0};
	int rc = strcmp(name, r->defined) ? refuse_damaged(r, e) : 0;

	sb_str(&text, "");
	for (unsigned i = 0; rc == 0 && i < n; i++) {
		char *line = next_line(r);

		rc = line ? 0 : refuse_damaged(r, e);
		sb_printf(&text, "%s%s", i ? "\n" : "", line ? line : "");
		free(line);
	}
	if (rc == 0 && text.failed)
		rc = err_nomem(e);
	if (rc == 0 && r->s)
		user_document(r->s, name, sb_take(&text));
	sb_free(&text);
	return rc;
}

/* Reads one item: its head, and the lines that belong to it. */
static int
read_item(struct reading *r, struct err *e)
{
	char verb[16], name[70], rest[HEAD] = "-";
	unsigned n;
	int end = 0;

	if (sscanf(r->head, "%15s %69s %u%n", verb, name, &n, &end) != 3 || !end)
		return refuse_damaged(r, e);
	snprintf(rest, sizeof(rest), "%s", skip_blanks(r->head + end));
	if (strcmp(verb, "variable") == 0)
		return read_variable(r, name, n, rest, e);
	if (strcmp(verb, "define") == 0)
		return read_define(r, name, n, rest, e);
	if (strcmp(verb, "document") == 0)
		return read_document(r, name, n, e);
	return refuse_damaged(r, e);
}

int
script_read(struct session *s, const char *text, struct err *e)
{
	struct reading r = {.s = s, .at = text};
	unsigned version = 0;
	int rc = 0;

	if (sscanf(text, "script %u", &version) != 1)
		return err_set(e, "its script is damaged: it has no version");
	if (version != SCRIPT_VERSION)
		return err_set(e, "its script has the version %u, expected %d", version,
			       SCRIPT_VERSION);
	r.at += strcspn(r.at, "\n");
	r.at += *r.at == '\n';
	while (rc == 0 && *r.at) {
		size_t n = strcspn(r.at, "\n");
		const char *head = r.at;

		snprintf(r.head, sizeof(r.head), "%.*s", (int)MIN(n, sizeof(r.head)), head);
		r.at += n;
		r.at += *r.at == '\n';
		rc = n < sizeof(r.head) ? read_item(&r, e) : refuse_damaged(&r, e);
	}
	return rc;
}
