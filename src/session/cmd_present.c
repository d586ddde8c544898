/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_present.c - what a lecturer uses: the caption `note`, and the commands `present` and
 * `predict`, which the session's teacher executes.
 */
#include "session/command.h"
#include "session/session_part.h"

#include "timeline/timeline.h"

#include <string.h>

/* ---------------------------------------------------------------- the caption */

const char *
session_note(const struct session *s)
{
	return s->note;
}

void
session_set_note(struct session *s, const char *text)
{
	size_t n = strlen(text);

	if (n >= sizeof(s->note)) {
		n = sizeof(s->note) - 1;
		while (n && ((unsigned char)text[n] & 0xc0) == 0x80) /* inside a character */
			n--;
	}
	memmove(s->note, text, n);
	s->note[n] = '\0';
}

enum session_status
cmd_note(struct session *s, struct cmd_args *a)
{
	session_set_note(s, a->word[0] ? a->word[0] : "");
	if (s->note[0] && !s->ui.draws)
		say(s, SAY_RESULT, "note: %s", s->note);
	return SESSION_OK;
}

/* ---------------------------------------------------------------- presentation and vote */

enum session_steps
session_steps(const struct session *s)
{
	return s->teacher.steps;
}

bool
session_presents(const struct session *s)
{
	return s->teacher.steps >= STEPS_PRESENT;
}

bool
session_hides_outcome(const struct session *s)
{
	struct err e = {0};

	return s->teacher.allows && s->teacher.allows(s->teacher.ctx, &e);
}

struct session_place
session_place(const struct session *s)
{
	struct session_place p = {.machine = s->sim};

	if (s->sim) {
		p.branch = timeline_here(s->timeline).branch;
		p.cycle = sim_cycle(s->sim);
	}
	return p;
}

bool
session_is_answered(const char *line)
{
	const struct cmd_row *r;
	char word[64];

	span_copy(word_until(&line, "/("), word, sizeof(word));
	r = cmd_find(word, NULL);
	return !r || r->group == G_LOOK || r->group == G_BRANCH || r->group == G_OUT ||
	       r->group == G_SCRIPT || r->group == G_HELP;
}

bool
session_was_interrupted(const struct session *s)
{
	return s->control.interrupted;
}

void
session_hurry(struct session *s, bool hurries)
{
	s->control.tempo.hurries = hurries;
}

enum session_status
cmd_present(struct session *s, struct cmd_args *a)
{
	if (!s->teacher.present)
		return fail(s, "present: this session has no presentations");
	return s->teacher.present(s->teacher.ctx, a->word[0] ? a->word[0] : "");
}

enum session_status
cmd_predict(struct session *s, struct cmd_args *a)
{
	if (!s->teacher.predict)
		return fail(s, "predict: this session has no teacher");
	return s->teacher.predict(s->teacher.ctx, a->word[0]);
}
