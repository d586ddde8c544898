/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load.c - config files: lines "set KEY VALUE", '#' comments, blank lines.
 *
 * A '#' starts a comment at the start of a line or after a blank. Reading stops at the first
 * mistake, which names the file and the line and points at the word; options set by earlier lines
 * stay set. Lines may end in LF or CR LF.
 */
#include "ctascope/decl.h"

#include "base/textfile.h"
#include "base/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#define MAX_WORDS 4 /* one more than a valid line has */

struct word {
	char *text;
	int col;
};

struct config_line {
	const char *path;
	uint64_t number;
	const char *text; /* as read, for the caret */
	char *copy;	  /* the same, split into words */
	struct word word[MAX_WORDS];
	unsigned n_words;
};

static void
split_words(struct config_line *l)
{
	struct span w[MAX_WORDS];

	l->n_words = MIN(words_of_line(l->copy, w, MAX_WORDS), (unsigned)MAX_WORDS);
	for (unsigned i = 0; i < l->n_words; i++) {
		int col = (int)(w[i].p - l->copy);

		l->word[i] = (struct word){l->copy + col, col};
		l->copy[col + (int)w[i].n] = '\0';
	}
}

static int
line_error(const struct config_line *l, int col, int len, const char *msg, struct err *e)
{
	return err_at(e, l->path, l->number, l->text, col, len, "%s", msg);
}

static int
apply_line(struct optdb *db, struct config_line *l, struct err *e)
{
	const struct word *w = l->word, *wrong;
	struct err inner = {0};
	char msg[160];

	split_words(l);
	if (!l->n_words)
		return 0;
	if (strcmp(w[0].text, "set") != 0) {
		snprintf(msg, sizeof(msg), "expected 'set KEY VALUE', found '%.60s'", w[0].text);
		return line_error(l, w[0].col, (int)strlen(w[0].text), msg, e);
	}
	if (l->n_words < 3) {
		const struct word *last = &w[l->n_words - 1];

		snprintf(msg, sizeof(msg), "expected %s after '%.60s'",
			 l->n_words == 1 ? "an option and its value" : "a value", last->text);
		return line_error(l, last->col + (int)strlen(last->text), 1, msg, e);
	}
	if (l->n_words > 3) {
		snprintf(msg, sizeof(msg), "expected the end of the line, found '%.60s'",
			 w[3].text);
		return line_error(l, w[3].col, (int)strlen(w[3].text), msg, e);
	}
	if (opt_set(db, w[1].text, w[2].text, &inner) == 0)
		return 0;
	wrong = opt_find(db, w[1].text, NULL) ? &w[2] : &w[1];
	line_error(l, wrong->col, (int)strlen(wrong->text), inner.msg, e);
	return err_as(e, inner.kind);
}

int
opt_load_stream(struct optdb *db, const char *path, FILE *f, struct err *e)
{
	struct config_line l = {.path = path};
	struct strbuf line = {0};
	struct err bad = {0};
	char why[64];
	int rc = 0, there = 0;

	while (rc == 0 && (there = text_line(f, &line, &bad)) > 0) {
		l.number++;
		l.text = line.p;
		l.copy = strdup(line.p);
		rc = l.copy ? apply_line(db, &l, e)
			    : err_of(e, ERR_MEMORY, "%s: out of memory", path);
		free(l.copy);
	}
	if (there < 0) {
		err_at(e, path, l.number + 1, NULL, 0, 0, "%s", bad.msg);
		rc = err_as(e, bad.kind);
	} else if (rc == 0 && ferror(f)) {
		rc = err_set(e, "cannot read '%.200s': %s", path, text_why(errno, TEXT_MOST, why));
	}
	sb_free(&line);
	return rc;
}

int
opt_load(struct optdb *db, const char *path, struct err *e)
{
	FILE *f = text_open(path, TEXT_MOST, NULL, NULL);
	int rc;

	if (!f)
		return text_cannot_open(path, e);
	rc = opt_load_stream(db, path, f, e);
	fclose(f);
	return rc;
}
