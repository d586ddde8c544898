/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timeline.c - the life of a timeline.
 *
 *   branches.c  the tree of branches, and the choices on the path to a place
 *   choices.c   making choices, and applying them again in a replay
 *   keeper.c    automatic snapshots: when one is taken, which one is dropped
 *   replay.c    moving: restoring a snapshot, then running forward with listeners muted
 *   back.c      moving backwards to where a forward run would have stopped
 *   marks.c     named places
 *   file.c      the whole timeline as text, and back
 *
 * The debugger calls the timeline at its dates (debug.h): a run calls it at the next choice of the
 * branch, so `continue` past a choice applies it again without knowing.
 */
#include "timeline/timeline_part.h"

#include <stdlib.h>
#include <string.h>

#define MEMORY ((size_t)1 << 30)
#define SPEED 1e6 /* cycles per second, until a replay has been timed */

struct timeline *
timeline_new(struct debug *d)
{
	struct timeline *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->branch = calloc(1, sizeof(struct branch *));
	t->root = calloc(1, sizeof(*t->root));
	if (!t->branch || !t->root) {
		free(t->branch);
		free(t->root);
		free(t);
		return NULL;
	}
	t->debug = d;
	t->opt.memory = MEMORY;
	t->speed = SPEED;
	t->next_name = 1;
	t->dates = (struct debug_dates){t, timeline_next_date, timeline_arrive};
	return t;
}

static void
forget_all(struct timeline *t)
{
	while (t->n_named)
		timeline_mark_delete(t, t->named[0]->mark.name, NULL);
	timeline_forget_all_kept(t);
	for (unsigned i = 0; i < t->n_branches; i++)
		timeline_branch_forget(t, i);
	t->n_branches = 0;
	t->here = t->at = t->applied = 0;
	t->changes++;
	t->n_dropped++;
	t->bytes = 0;
	t->keeping = t->starved = t->told_starved = false;
	debug_set_dates(t->debug, NULL);
}

void
timeline_free(struct timeline *t)
{
	if (!t)
		return;
	forget_all(t);
	free(t->named);
	free(t->kept);
	free(t->branch);
	free(t->root);
	free(t);
}

int
timeline_begin(struct timeline *t, struct sim *s, struct err *e)
{
	forget_all(t);
	t->sim = s;
	if (!s)
		return 0;
	if (!timeline_branch_new(t, "main", BRANCH_NONE, e))
		return -1;
	debug_set_dates(t->debug, &t->dates);
	return 0;
}

void
timeline_set_options(struct timeline *t, const struct timeline_options *o)
{
	t->opt = *o;
	timeline_thin(t);
}

struct place
timeline_here(const struct timeline *t)
{
	timeline_touch(t);
	return (struct place){t->here, t->sim ? sim_cycle(t->sim) : 0};
}

void
timeline_state(const struct timeline *t, struct timeline_state *v)
{
	*v = (struct timeline_state){t->n_kept, t->bytes, t->dropped, (cycle_t)t->speed};
}

const char *
timeline_news(struct timeline *t)
{
	if (!t->starved || t->told_starved)
		return NULL;
	t->told_starved = true;
	return "out of memory: automatic snapshots were dropped; going back takes longer";
}

uint64_t
timeline_changes(const struct timeline *t)
{
	return t->changes;
}
