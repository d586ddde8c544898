/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * find.c - finds lessons by name, lists them, and keeps the file of progress.
 *
 * That file has a line "ID BEHIND ITEMS PAGE SEED MARKS" for each lesson that the student began, in
 * $XDG_STATE_HOME/ctascope/lessons. MARKS has a letter for each task and question, so that a lesson
 * that is played in two sittings becomes complete; a line of an older version ends after PAGE.
 * Damaged lines are dropped when the file is written again.
 */
#include "teach/teach_part.h"

#include "base/ascii.h"
#include "base/datadir.h"
#include "base/output.h"
#include "base/textfile.h"
#include "base/words.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define KIND "lessons"
#define SUFFIX ".lesson"
#define PRESENTATION ".present" /* not listed: a student has nothing to do in it */
#define PROGRESS_MOST (UINT64_C(1) << 20)

int
teach_each(int (*fn)(void *ctx, const char *id, const char *path), void *ctx)
{
	return datadir_each(KIND, SUFFIX, fn, ctx);
}

struct prefix_search {
	const char *prefix;
	char *path;
	size_t size;
	unsigned found;
};

static int
match_prefix(void *ctx, const char *id, const char *path)
{
	struct prefix_search *p = ctx;

	if (strncmp(id, p->prefix, strlen(p->prefix)) == 0 && p->found++ == 0)
		snprintf(p->path, p->size, "%s", path);
	return 0;
}

/* Whether the digits that both begin with are the same number. */
static bool
is_same_number(const char *a, const char *b)
{
	size_t n;

	a += strspn(a, "0");
	b += strspn(b, "0");
	n = strspn(a, "0123456789");
	return n == strspn(b, "0123456789") && strncmp(a, b, n) == 0;
}

static int
match_number(void *ctx, const char *id, const char *path)
{
	struct prefix_search *p = ctx;

	if (ascii_is_digit(*id) && is_same_number(id, p->prefix) && p->found++ == 0)
		snprintf(p->path, p->size, "%s", path);
	return 0;
}

/* Returns whether one lesson, and no other, has that number or begins so; p->found is how many. -1:
 * no memory. */
static int
find_short_name(struct prefix_search *p)
{
	bool is_number = *p->prefix && !p->prefix[strspn(p->prefix, "0123456789")];

	if (is_number && teach_each(match_number, p) < 0)
		return -1;
	if (*p->prefix && !p->found && teach_each(match_prefix, p) < 0)
		return -1;
	return p->found == 1;
}

/* A name is the ID of a lesson, its number ("5"), or its beginning if that is unique ("05-dy"), or
 * else a file. */
int
lesson_find(const char *name, char *path, size_t size, struct err *e)
{
	struct prefix_search p = {name, path, size, 0};
	char file[PATH_MAX];
	struct stat st;

	if (!strchr(name, '/')) {
		snprintf(file, sizeof(file), "%s%s", name, SUFFIX);
		if (datadir_find(KIND, file, path, size))
			return 0;
		int found = find_short_name(&p);

		if (found)
			return found < 0 ? err_nomem(e) : 0;
		if (p.found > 1)
			return err_set(e,
				       "several lessons begin with '%.60s'; 'lesson --list' "
				       "names them",
				       name);
	}
	if (stat(name, &st) == 0 && (size_t)snprintf(path, size, "%s", name) < size)
		return 0;
	return err_set(
		e, "no lesson '%.200s'%s", name,
		datadir_hint(KIND, SUFFIX, name, "; 'ctascope lesson --list' names them").text);
}

int
presentation_find(const char *name, char *path, size_t size, struct err *e)
{
	char file[PATH_MAX];
	struct err none = {0};

	if (!strchr(name, '/')) {
		snprintf(file, sizeof(file), "%s%s", name, PRESENTATION);
		if (datadir_find(KIND, file, path, size) || !lesson_find(name, path, size, &none))
			return 0;
		return err_set(e, "no presentation or lesson '%.200s'%s", name,
			       datadir_hint(KIND, PRESENTATION, name, "").text);
	}
	return lesson_find(name, path, size, e);
}

/* ---------------------------------------------------------------- progress */

/* Reads a line of the file and stores where its marks are; returns false if it is damaged. */
static bool
read_progress(const char *line, char *id, size_t size, struct progress *p, const char **marks)
{
	char name[64];
	int end = 0, fields;

	*p = (struct progress){0};
	fields = sscanf(line, "%63s %u %u %u %" SCNu64 " %n", name, &p->behind, &p->items, &p->page,
			&p->seed.value, &end);
	*marks = fields == 5 && end ? line + end : "";
	if (fields < 4)
		return false;
	snprintf(id, size, "%s", name);
	return true;
}

void
progress_forget(struct progress *p)
{
	free(p->marks);
	p->marks = NULL;
}

/* Reads the whole file; the text is empty if there is none. */
static void
read_all(struct strbuf *text)
{
	char path[PATH_MAX];
	struct stat st;

	if (session_state_path(KIND, path, sizeof(path)) || stat(path, &st) ||
	    !S_ISREG(st.st_mode) || text_read(path, PROGRESS_MOST, text, NULL))
		sb_clear(text);
}

bool
progress_of(const char *id, struct progress *p)
{
	struct strbuf text = {0};
	char name[64], *rest = NULL;
	const char *marks;
	bool found = false;

	read_all(&text);
	for (char *line = text.n ? strtok_r(text.p, "\n", &rest) : NULL; line && !found;
	     line = strtok_r(NULL, "\n", &rest))
		found = read_progress(line, name, sizeof(name), p, &marks) && strcmp(name, id) == 0;
	if (found)
		p->marks = strdup(marks); /* without memory the lesson begins again */
	else
		*p = (struct progress){0};
	sb_free(&text);
	return found;
}

static int
write_text(void *ctx, FILE *to, struct err *e)
{
	const struct strbuf *text = ctx;

	return fwrite(text->p, 1, text->n, to) == text->n
		       ? 0
		       : err_set(e, "your progress was not saved");
}

int
progress_keep(const char *id, const struct progress *p, struct err *e)
{
	struct strbuf text = {0}, out = {0};
	struct progress other;
	char path[PATH_MAX], name[64], *rest = NULL;
	const char *marks;
	int rc = 0;

	if (session_state_path(KIND, path, sizeof(path)))
		return 0; /* the user has no folder for state */
	read_all(&text);
	for (char *line = text.n ? strtok_r(text.p, "\n", &rest) : NULL; line;
	     line = strtok_r(NULL, "\n", &rest))
		if (read_progress(line, name, sizeof(name), &other, &marks) &&
		    strcmp(name, id) != 0)
			sb_printf(&out, "%s\n", line);
	sb_printf(&out, "%s %u %u %u %" PRIu64 " %s\n", id, p->behind, p->items, p->page,
		  p->seed.value, p->marks ? p->marks : "");
	rc = out.failed ? err_nomem(e) : output_replace(path, 0, write_text, &out, e);
	sb_free(&text);
	sb_free(&out);
	return rc;
}

/* ---------------------------------------------------------------- the list */

/* The student's progress in a lesson; 0 of its items if it has another number of them now, since it
 * begins again then. */
static struct progress
progress_in(const struct lesson *l, const char *id)
{
	unsigned items = l->n_tasks + l->n_asks;
	struct progress p;

	if (!progress_of(id, &p))
		return p;
	if (p.items != items)
		p.behind = 0;
	p.items = items;
	return p;
}

static bool
is_complete(const char *id, const char *path)
{
	struct lesson *l = lesson_read(path, (struct lesson_seed){0}, NULL);
	struct progress p = {0};

	if (l)
		p = progress_in(l, id);
	lesson_free(l);
	progress_forget(&p);
	return p.items && p.behind >= p.items;
}

struct to_do {
	const char *after;	     /* NULL: the first one is wanted */
	struct strbuf first, behind; /* the first lessons to do, at all and behind `after` */
};

static int
note_to_do(void *ctx, const char *id, const char *path)
{
	struct to_do *d = ctx;

	if ((d->after && strcmp(id, d->after) == 0) || is_complete(id, path))
		return 0;
	if (!d->first.n)
		sb_str(&d->first, id);
	if (!d->after || strcmp(id, d->after) < 0)
		return !d->after;
	sb_str(&d->behind, id);
	return 1;
}

bool
lesson_next(const char *after, char *id, size_t size)
{
	struct to_do d = {.after = after};
	const struct strbuf *found = &d.first;

	if (teach_each(note_to_do, &d) == 1 && after)
		found = &d.behind;
	if (found->n && !found->failed)
		snprintf(id, size, "%s", found->p);
	bool any = found->n > 0;
	sb_free(&d.first);
	sb_free(&d.behind);
	return any;
}

static int
list_lesson(void *ctx, const char *id, const char *path)
{
	struct teacher *t = ctx;
	struct progress p;
	struct err e = {0};
	struct lesson *l = lesson_read(path, (struct lesson_seed){0}, &e);
	char state[40] = "", head[120];

	if (!l) {
		say(t->s, SAY_RESULT, "%-20s cannot be read: %s", id, e.msg);
		return 0;
	}
	p = progress_in(l, id);
	if (p.items)
		snprintf(state, sizeof(state), p.behind >= p.items ? "complete" : "%u of %u",
			 p.behind, p.items);
	progress_forget(&p);
	snprintf(head, sizeof(head), "%-20.40s %-10.20s %-9s ", id, l->time ? l->time : "", state);
	page_tell_below(t, head, l->title);
	lesson_free(l);
	return 0;
}

enum session_status
teacher_list(struct teacher *t)
{
	if (teach_each(list_lesson, t) < 0)
		return SESSION_ERROR;
	return SESSION_OK;
}
