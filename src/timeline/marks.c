/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * marks.c - named places: the checkpoints of the user.
 *
 * A mark is a place with a snapshot that is never dropped to save memory. It disappears only when
 * the user deletes it, or with its machine or its future.
 */
#include "timeline/timeline_part.h"

#include "base/human.h"
#include "base/words.h"

#include <stdlib.h>
#include <string.h>

#define NAMES 64 /* candidates for correcting a mistyped name */

static struct named *
find_mark(const struct timeline *t, const char *name)
{
	for (unsigned i = 0; i < t->n_named; i++)
		if (strcmp(t->named[i]->mark.name, name) == 0)
			return t->named[i];
	return NULL;
}

const struct mark *
timeline_mark_find(const struct timeline *t, const char *name, struct err *e)
{
	struct named *m = find_mark(t, name);
	const char *names[NAMES] = {NULL};
	unsigned n = MIN(t->n_named, (unsigned)NAMES);

	if (m)
		return &m->mark;
	for (unsigned k = 0; k < n; k++)
		names[k] = t->named[k]->mark.name;
	if (!n)
		err_set(e, "no checkpoint '%s'; 'checkpoint %s' makes one here", name, name);
	else
		err_set(e, "no checkpoint '%s'%s", name,
			near_hint(name, names, n, "; 'info checkpoints' lists them").text);
	return NULL;
}

static int
check_name(const struct timeline *t, const char *name, struct err *e)
{
	const struct named *m = find_mark(t, name);
	char cycle[HUMAN];

	if (strlen(name) >= sizeof(m->mark.name))
		return err_set(e, "the name of a checkpoint has at most %zu characters",
			       sizeof(m->mark.name) - 1);
	if (strpbrk(name, " \t\"'"))
		return err_set(e, "the name of a checkpoint is one word, not '%s'", name);
	if (m)
		return err_set(e,
			       "checkpoint '%s' exists (cycle %s); 'delete checkpoint %s' removes "
			       "it",
			       name, human(cycle, m->mark.place.cycle), name);
	return 0;
}

const struct mark *
timeline_mark(struct timeline *t, const char *name, struct err *e)
{
	struct named **grown, *m;
	char number[64];

	while (!*name || (name == number && find_mark(t, number))) {
		snprintf(number, sizeof(number), "c%u", t->next_name++);
		name = number;
	}
	if (check_name(t, name, e))
		return NULL;
	m = calloc(1, sizeof(*m));
	grown = realloc(t->named, (t->n_named + 1) * sizeof(*grown));
	if (grown)
		t->named = grown;
	if (!m || !grown)
		err_of(e, ERR_MEMORY, "out of memory for a checkpoint");
	else
		m->kept = timeline_keep(t, e);
	if (!m || !m->kept) {
		free(m);
		return NULL;
	}
	m->kept->pins++;
	m->mark.place = timeline_here(t);
	m->mark.place.branch = timeline_owner(t, m->mark.place.branch, m->mark.place.cycle);
	m->mark.kernel = sim_kernels_started(t->sim);
	m->mark.snap = m->kept->snap;
	snprintf(m->mark.name, sizeof(m->mark.name), "%s", name);
	snprintf(m->mark.policy, sizeof(m->mark.policy), "%s",
		 config_policy_text(sim_config(t->sim)));
	t->named[t->n_named++] = m;
	return &m->mark;
}

int
timeline_mark_delete(struct timeline *t, const char *name, struct err *e)
{
	unsigned i = 0;

	if (!timeline_mark_find(t, name, e))
		return -1;
	while (strcmp(t->named[i]->mark.name, name))
		i++;
	timeline_unpin(t, t->named[i]->kept);
	free(t->named[i]);
	t->n_named--;
	memmove(&t->named[i], &t->named[i + 1], (t->n_named - i) * sizeof(*t->named));
	return 0;
}

void
timeline_forget_marks(struct timeline *t, unsigned branch, cycle_t from, char *note, size_t size)
{
	for (unsigned i = t->n_named; i-- > 0;) {
		const struct mark *m = &t->named[i]->mark;
		size_t n = strlen(note);

		if (m->place.branch != branch || m->place.cycle < from)
			continue;
		snprintf(note + n, size - n, "%sdropped checkpoint %s", n ? "\n" : "", m->name);
		timeline_mark_delete(t, m->name, NULL);
	}
}

bool
timeline_is_marked(struct timeline *t)
{
	struct spot now = timeline_spot(t);

	for (unsigned i = 0; i < t->n_named; i++) {
		const struct spot *s = &t->named[i]->kept->spot;

		if (s->at == now.at && s->applied == now.applied && s->cycle == now.cycle)
			return true;
	}
	return false;
}

unsigned
timeline_marks(const struct timeline *t)
{
	return t->n_named;
}

const struct mark *
timeline_mark_at(const struct timeline *t, unsigned i)
{
	return i < t->n_named ? &t->named[i]->mark : NULL;
}
