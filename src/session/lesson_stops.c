/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lesson_stops.c - keeps the stops of a student apart from those of the lesson.
 *
 * A lesson's commands run the machine and delete stops (`reveal: delete`) as its author saw it,
 * whatever stops the student has set. So while the lesson types, the student's stops are disabled,
 * and `delete` deletes only stops that the lesson made. A stop is the lesson's if it was not there
 * when the lesson began to type.
 */
#include "session/session_part.h"

#include "base/memory.h"

#include <stdlib.h>

static void
add_id(unsigned **id, unsigned *n, unsigned more)
{
	*id = array_grow(*id, *n, sizeof(**id));
	(*id)[(*n)++] = more;
}

void
session_begin_lesson_typing(struct session *s)
{
	struct session_lesson_stops *l = &s->lesson_stops;

	if (l->depth++)
		return;
	for (unsigned i = 0; i < debug_stop_count(s->debug); i++) {
		const struct stop *p = debug_stop_at(s->debug, i);

		if (has_stop_number(l->made, l->n_made, p->id))
			continue;
		add_id(&l->others, &l->n_others, p->id);
		if (p->enabled)
			add_id(&l->held, &l->n_held, p->id);
	}
	for (unsigned i = 0; i < l->n_held; i++)
		debug_stop_enable(s->debug, l->held[i], false);
}

static void
free_others(struct session_lesson_stops *l)
{
	free(l->others);
	free(l->held);
	l->others = l->held = NULL;
	l->n_others = l->n_held = 0;
}

void
session_end_lesson_typing(struct session *s)
{
	struct session_lesson_stops *l = &s->lesson_stops;

	if (--l->depth)
		return;
	for (unsigned i = 0; i < debug_stop_count(s->debug); i++) {
		unsigned id = debug_stop_at(s->debug, i)->id;

		if (!has_stop_number(l->others, l->n_others, id) &&
		    !has_stop_number(l->made, l->n_made, id))
			add_id(&l->made, &l->n_made, id);
	}
	for (unsigned i = 0; i < l->n_held; i++)
		if (debug_stop_find(s->debug, l->held[i]))
			debug_stop_enable(s->debug, l->held[i], true);
	free_others(l);
}

bool
session_lesson_types(const struct session *s)
{
	return s->lesson_stops.depth > 0;
}

bool
lesson_stops_may_delete(const struct session *s, unsigned id)
{
	const struct session_lesson_stops *l = &s->lesson_stops;

	return !has_stop_number(l->others, l->n_others, id);
}

void
lesson_stops_forget(struct session *s)
{
	struct session_lesson_stops *l = &s->lesson_stops;

	free_others(l);
	free(l->made);
	l->made = NULL;
	l->n_made = 0;
}
