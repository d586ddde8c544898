/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_delete.c - the command delete; `undo` brings the deleted stops back, `redo` deletes them
 * again.
 *
 * Stops are no part of the run, so a deletion is a change beside those of the model. All changes of
 * a session are numbered in the order in which they are made (session_time.made), and so `undo`
 * knows whether a deletion or another change was the last one.
 */
#include "base/ascii.h"
#include "session/branch.h"
#include "session/command.h"
#include "session/session_part.h"

#include <stdlib.h>
#include <string.h>

static void
free_deletion(struct deletion *x)
{
	free(x->id);
	free(x->text);
	*x = (struct deletion){0};
}

/* Forgets the deletions from one on. */
static void
forget_from(struct session_deleted *d, unsigned first)
{
	for (unsigned i = first; i < d->n + d->n_undone; i++)
		free_deletion(&d->item[i]);
	d->n = MIN(d->n, first);
	d->n_undone = 0;
}

void
session_forget_undeletions(struct session *s)
{
	forget_from(&s->deleted, s->deleted.n);
}

void
session_forget_deletions(struct session *s)
{
	forget_from(&s->deleted, 0);
}

uint64_t
session_last_deletion(const struct session *s)
{
	const struct session_deleted *d = &s->deleted;

	return d->n ? d->item[d->n - 1].made : 0;
}

uint64_t
session_last_undeletion(const struct session *s)
{
	const struct session_deleted *d = &s->deleted;

	return d->n_undone ? d->item[d->n].made : 0;
}

/* ---------------------------------------------------------------- delete */

/* Takes the stops away and remembers them in x. False: out of memory, nothing has changed. */
static bool
take_stops(struct session *s, struct deletion *x)
{
	struct strbuf text = {0};
	char *taken;

	sb_str(&text, "");
	for (unsigned i = 0; i < x->n; i++)
		debug_stop_write(s->debug, x->id[i], &text);
	taken = sb_take(&text);
	if (!taken)
		return false;
	free(x->text);
	x->text = taken;
	x->run = s->run;
	x->made = ++s->time.made;
	for (unsigned i = 0; i < x->n; i++)
		debug_stop_delete(s->debug, x->id[i]);
	return true;
}

/* Deletes n stops. False: out of memory, and they stay. */
static bool
delete_stops(struct session *s, const unsigned *id, unsigned n)
{
	struct session_deleted *d = &s->deleted;
	struct deletion x = {.n = n};

	if (!n)
		return true;
	x.id = calloc(n, sizeof(*id));
	if (!x.id)
		return false;
	memcpy(x.id, id, n * sizeof(*id));
	if (!take_stops(s, &x)) {
		free_deletion(&x);
		return false;
	}
	live_forget_undone(s);
	session_forget_undeletions(s);
	if (d->n == DELETIONS) {
		free_deletion(&d->item[0]);
		memmove(&d->item[0], &d->item[1], --d->n * sizeof(d->item[0]));
	}
	d->item[d->n++] = x;
	return true;
}

static enum session_status
delete_all(struct session *s)
{
	unsigned all = debug_stop_count(s->debug), n = 0, *id = calloc(all ? all : 1, sizeof(*id));
	bool done;

	for (unsigned i = 0; id && i < all; i++)
		if (lesson_stops_may_delete(s, debug_stop_at(s->debug, i)->id))
			id[n++] = debug_stop_at(s->debug, i)->id;
	done = id && delete_stops(s, id, n);
	free(id);
	if (!done)
		return fail_memory(s);
	if (n)
		say(s, SAY_NOTE, "deleted %u stop%s%s", n, PLURAL(n),
		    !s->sim  ? ""
		    : n == 1 ? "; 'undo' brings it back"
			     : "; 'undo' brings them back");
	return SESSION_OK;
}

bool
has_stop_number(const unsigned *id, unsigned n, unsigned number)
{
	for (unsigned i = 0; i < n; i++)
		if (id[i] == number)
			return true;
	return false;
}

/* Deletes the stops that the words name; none if one of them is wrong. */
static enum session_status
delete_named(struct session *s, const char *at)
{
	unsigned n = 0, *id = calloc(debug_stop_count(s->debug) + 1, sizeof(*id));
	const struct stop *p = NULL;
	struct err e = {0};
	char word[80];
	bool done;

	if (!id)
		return fail_memory(s);
	while (next_word(&at, word, sizeof(word)) && (p = stop_named(s, word, &e)))
		if (!has_stop_number(id, n, p->id))
			id[n++] = p->id;
	done = p && delete_stops(s, id, n);
	free(id);
	if (!p)
		return say_err(s, &e);
	return done ? SESSION_OK : fail_memory(s);
}

/* Forms: delete N..., delete breakpoints, delete checkpoint NAME. */
enum session_status
cmd_delete(struct session *s, struct cmd_args *a)
{
	static const char *const what[] = {"checkpoint", "branch"};
	const char *at = a->word[0];
	char word[80];
	struct err e = {0};
	int k;

	if (!next_word(&at, word, sizeof(word)) || ascii_same(word, "breakpoints"))
		return delete_all(s);
	if (!ascii_is_letter(*word))
		return delete_named(s, a->word[0]);
	k = pick_name("thing to delete", word, what, 2, &e);
	if (k < 0)
		return say_err(s, &e);
	if (!next_word(&at, word, sizeof(word)))
		return fail(s, "delete %s: a name is missing", what[k]);
	if (k)
		return s->sim ? session_delete_branch(s, word)
			      : fail(s, "delete branch: no workload is loaded");
	return timeline_mark_delete(s->timeline, word, &e) ? say_err(s, &e) : SESSION_OK;
}

/* ---------------------------------------------------------------- undo, redo */

/* The first event that tracepoints have not counted yet. */
static uint64_t
first_uncounted_event(const struct session *s)
{
	const struct branch *b = timeline_branch(s->timeline, timeline_here(s->timeline).branch);
	uint64_t next = sim_events(s->sim)->next;

	return b ? MAX(b->told, next) : next;
}

/* How many of the stops are set; *p: the first one. */
static unsigned
count_present(const struct session *s, const struct deletion *x, const struct stop **p)
{
	unsigned n = 0;

	*p = NULL;
	for (unsigned i = x->n; i-- > 0;) {
		const struct stop *found = debug_stop_find(s->debug, x->id[i]);

		n += found != NULL;
		*p = found ? found : *p;
	}
	return n;
}

static void
say_back(struct session *s, const struct deletion *x)
{
	const struct stop *p;
	unsigned n = count_present(s, x, &p);
	char text[300];

	if (n > 1) {
		say(s, SAY_RESULT, "%u deleted stops are back; 'info breakpoints' lists them", n);
	} else if (n) {
		debug_stop_text(p, text, sizeof(text));
		say(s, SAY_RESULT, "stop %u is back: %s", p->id, text);
	}
}

enum session_status
session_undo_deletion(struct session *s)
{
	struct session_deleted *d = &s->deleted;
	struct deletion *x = &d->item[d->n - 1];
	struct debug_again how = {first_uncounted_event(s), x->run != s->run};
	struct strbuf lost = {0};
	struct err e = {0};

	if (debug_stops_add(s->debug, x->text, &how, &lost, &e)) {
		sb_free(&lost);
		return say_err(s, &e);
	}
	x->made = ++s->time.made;
	d->n--;
	d->n_undone++;
	say_text(s, SAY_NOTE, &lost);
	say_back(s, x);
	return SESSION_OK;
}

/* Some may be gone, since a temporary stop is deleted when it is hit. */
enum session_status
session_redo_deletion(struct session *s)
{
	struct session_deleted *d = &s->deleted;
	struct deletion *x = &d->item[d->n];
	const struct stop *p;
	unsigned n = count_present(s, x, &p), first = p ? p->id : 0;

	if (!take_stops(s, x))
		return fail_memory(s);
	d->n++;
	d->n_undone--;
	if (n == 1)
		say(s, SAY_RESULT, "deleted stop %u again", first);
	else if (n)
		say(s, SAY_RESULT, "deleted %u stops again", n);
	else
		say(s, SAY_RESULT, "the stops that were to be deleted again are gone already");
	return SESSION_OK;
}
