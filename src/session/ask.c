/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ask.c - asks a person before a command loses something: a definition that would be replaced,
 * branches and changes that no file has.
 *
 * A question remembers the command line that asked it. "Yes" executes that line again, this time
 * without asking. Only a line that a person typed can ask; scripts, blocks and commands of a stop
 * never do.
 */
#include "base/hash.h"
#include "session/branch.h"
#include "session/command.h"
#include "session/session_part.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool
session_ask(struct session *s, const char *line, const char *fmt, ...)
{
	va_list ap;

	if (!s->ui.interactive || !s->script.is_typed || s->script.is_confirmed)
		return false;
	s->script.asking = strdup(line);
	va_start(ap, fmt);
	vsnprintf(s->script.question, sizeof(s->script.question), fmt, ap);
	va_end(ap);
	return s->script.asking != NULL;
}

bool
session_asks(const struct session *s)
{
	return s->script.asking != NULL;
}

enum session_status
session_answer(struct session *s, const char *line)
{
	char *command = s->script.asking;
	enum session_status status = SESSION_OK;

	line = skip_blanks(line);
	if (*line != 'y' && *line != 'Y' && *line != 'n' && *line != 'N')
		return fail(s, "please answer y or n");
	s->script.asking = NULL;
	if (*line == 'y' || *line == 'Y') {
		s->script.is_confirmed = true;
		status = session_do(s, command, false);
		s->script.is_confirmed = false;
	} else {
		say(s, SAY_NOTE, "nothing changed");
	}
	free(command);
	return status;
}

/* ---------------------------------------------------------------- unsaved work */

struct work {
	unsigned branches, changes;
	uint64_t hash;
};

static void
add_text(struct hash *h, const char *text)
{
	hash_add(h, text, strlen(text) + 1);
}

/* Counts the branches besides main and the changes on all branches that had an effect on the run,
 * and hashes all of them. */
static struct work
find_work(const struct session *s)
{
	unsigned n = s->sim ? timeline_branches(s->timeline) : 0;
	struct work w = {.branches = 0};
	struct branch_changes changes;
	struct hash h;

	hash_init(&h, 0);
	for (unsigned i = 0; i < n; i++) {
		const struct branch *b = timeline_branch(s->timeline, i);

		if (!b)
			continue;
		w.branches += b->parent != BRANCH_NONE;
		changes = session_branch_changes(b);
		w.changes += changes.n_hold + changes.n_ended;
		add_text(&h, b->name);
		hash_add(&h, &b->from, sizeof(b->from));
		for (unsigned k = 0; k < b->n_choices; k++) {
			hash_add(&h, &b->choice[k].cycle, sizeof(b->choice[k].cycle));
			add_text(&h, b->choice[k].key);
			add_text(&h, b->choice[k].value);
		}
	}
	w.hash = hash_end(&h);
	return w;
}

void
session_note_saved(struct session *s)
{
	s->saved_work = find_work(s).hash;
}

bool
session_asks_to_lose(struct session *s, const char *line, const char *what)
{
	struct work w = find_work(s);
	char branches[40] = "", changes[40] = "";

	if ((!w.branches && !w.changes) || w.hash == s->saved_work)
		return false;
	if (w.branches)
		snprintf(branches, sizeof(branches), "%u branch%s", w.branches,
			 w.branches == 1 ? "" : "es");
	if (w.changes)
		snprintf(changes, sizeof(changes), "%u change%s", w.changes, PLURAL(w.changes));
	return session_ask(s, line, "%s%s%s %s not saved; %s? (y or n) ", branches,
			   w.branches && w.changes ? " and " : "", changes,
			   w.branches + w.changes == 1 ? "is" : "are", what);
}

/* ---------------------------------------------------------------- the end of input */

bool
session_end_input(struct session *s)
{
	if (s->script.asking && strncmp(s->script.asking, "quit", 4) == 0)
		return session_exec(s, "y") == SESSION_QUIT;
	if (session_collects(s))
		session_give_up(s);
	else if (session_exec(s, "quit"), !session_collects(s))
		return true;
	return false;
}
