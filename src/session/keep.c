/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * keep.c - commands of the screen that are given before it is up: in the config file, with -x and
 * -e, as --layout and the options beside it, or at the plain prompt. They are kept, and the screen
 * executes them when it starts. `pace` and `reference` wait as well, because a script is never held
 * back and would wait until the reference has been measured.
 */
#include "session/command.h"
#include "session/session_part.h"

#include "base/words.h"
#include "plot/plot.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void
session_expect_screen(struct session *s, enum session_screen how)
{
	s->kept.how = how;
}

void
session_keep(struct session *s, const char *name, const char *args)
{
	struct session_kept *k = &s->kept;
	char *line = NULL;

	if (k->n < ARRAY_LEN(k->line) && (line = malloc(strlen(name) + strlen(args) + 2)))
		sprintf(line, "%s %s", name, args);
	if (!line)
		fail(s, "%s: at most %zu commands can wait for the screen", name,
		     ARRAY_LEN(k->line));
	else
		k->line[k->n++] = line;
}

char *
session_take_kept(struct session *s)
{
	struct session_kept *k = &s->kept;
	char *line = k->n ? k->line[0] : NULL;

	if (line)
		memmove(k->line, k->line + 1, --k->n * sizeof(*k->line));
	return line;
}

bool
session_has_kept(const struct session *s)
{
	return s->kept.n > 0;
}

void
session_drop_kept(struct session *s)
{
	while (s->kept.n)
		free(s->kept.line[--s->kept.n]);
}

bool
session_keeps(struct session *s, const struct cmd_row *r, const char *rest)
{
	bool of_screen = r->group == G_SCREEN && strcmp(r->name, "tui") != 0;
	enum session_screen how = s->kept.how;

	if (s->ui.interactive || s->ui.screen || how == SCREEN_REFUSED ||
	    !(of_screen || (r->flags & F_SCREEN && *rest)))
		return false;
	if (how == SCREEN_COMES || (how == SCREEN_MAY_COME && (of_screen || !s->sim))) {
		session_keep(s, r->name, rest);
		return true;
	}
	return of_screen || how == SCREEN_NEVER_QUIETLY;
}

/* Checks the only argument of a command whose usage lists all words, such as "[in|out|all]". */
static int
check_word(const struct cmd_row *r, const char *word, struct err *e)
{
	const char *at = r->usage;
	char one[32];

	if (!*word || strpbrk(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
		return 0;
	for (struct span w; (w = word_of_usage(&at)).n;)
		if (span_copy(w, one, sizeof(one)) && strcmp(one, word) == 0)
			return 0;
	return *r->usage ? err_set(e, "%s: expected %s, found '%.60s'", r->name, r->usage, word)
			 : err_set(e, "%s: unexpected argument '%.60s'", r->name, word);
}

/* Only what can be known without a screen. */
static int
check_of_screen(const struct session *s, const struct cmd_row *r, const char *rest, struct err *e)
{
	static const char *const sides[] = {"", "swap", "first", "why", "off"};
	char word[PATH_MAX] = "";

	if (strcmp(r->name, "split") == 0) {
		for (unsigned i = 0; i < ARRAY_LEN(sides); i++)
			if (strcmp(rest, sides[i]) == 0)
				return 0;
		return session_check_split(s, rest, e);
	}
	if (strcmp(r->name, "picture") == 0 && next_word(&rest, word, sizeof(word)))
		return plot_is_file(word) ? 0
					  : err_set(e,
						    "picture: expected a file .svg, .png or .pdf, "
						    "found '%.200s'",
						    word);
	return check_word(r, rest, e);
}

enum session_status
session_ignore(struct session *s, const struct cmd_row *r, const char *rest)
{
	struct err e = {0};

	if (r->group != G_SCREEN || s->kept.how != SCREEN_NEVER)
		return SESSION_OK;
	if (check_of_screen(s, r, rest, &e))
		return say_err(s, &e);
	say(s, SAY_NOTE, "%s: ignored, because there is no screen", r->name);
	return SESSION_OK;
}
