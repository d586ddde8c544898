/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_record.c - the command `record session`: records what the terminal shows as an asciicast.
 *
 * The full screen passes the bytes of its frames. At the prompt and in scripts the recording
 * consists of the typed and the printed lines. When the front end changes between the two, the
 * recording switches between the terminal's two screens, as the terminal did.
 */
#include "base/replace.h"
#include "session/command.h"
#include "session/session_part.h"

#include "plot/plot.h"
#include "session/cast.h"

#include <limits.h>
#include <string.h>

static const char enter[] = "\033[?1049h\033[H\033[2J", leave[] = "\033[?1049l";

bool
session_records(const struct session *s)
{
	return s->log.cast != NULL;
}

void
session_record(struct session *s, const char *bytes, size_t n)
{
	if (s->log.cast)
		cast_add(s->log.cast, bytes, n);
}

int
session_record_end(struct session *s, struct err *e)
{
	struct cast *c = s->log.cast;

	s->log.cast = NULL;
	return cast_close(c, e);
}

/* Draws the whole screen, with which the recording begins. */
static void
draw_all(struct session *s)
{
	session_record(s, enter, sizeof(enter) - 1);
	if (s->ui.screen)
		s->ui.screen(s->ui.ctx, "redraw", "", NULL);
}

void
session_record_front(struct session *s, bool drew)
{
	if (s->ui.columns && s->ui.rows)
		cast_size(s->log.cast, s->ui.columns, s->ui.rows);
	if (drew && !s->ui.draws)
		session_record(s, leave, sizeof(leave) - 1);
	else if (!drew && s->ui.draws)
		draw_all(s);
}

enum session_status
cmd_record(struct session *s, struct cmd_args *a)
{
	static const char *const what[] = {"session"};
	const char *at = a->word[1];
	char path[PATH_MAX], title[300] = "ctascope";
	struct err e = {0};

	if (pick_name("thing to record", a->word[0], what, 1, &e) < 0)
		return say_err(s, &e);
	if (a->word[2] && !replace_is_forced(a->word[2]))
		return fail(s,
			    "record session: expected nothing after the file but --force, found "
			    "'%.60s'",
			    a->word[2]);
	if (!at || !next_word(&at, path, sizeof(path))) {
		if (s->log.cast)
			say(s, SAY_RESULT, "record: to %s", cast_path(s->log.cast));
		else
			say(s, SAY_RESULT, "record: off");
		return SESSION_OK;
	}
	if (strcmp(path, "off") == 0 && !s->log.cast)
		return fail(s, "record session: nothing is being recorded");
	if (strcmp(path, "off") == 0) {
		snprintf(path, sizeof(path), "%s", cast_path(s->log.cast));
		if (session_record_end(s, &e))
			return say_err(s, &e);
		say(s, SAY_NOTE, "recorded to %s", path);
		return SESSION_OK;
	}
	if (s->log.cast)
		return fail(
			s,
			"record session: already recording to %.200s; 'record session off' ends it",
			cast_path(s->log.cast));
	if (!replace_is_forced(a->word[2]) &&
	    replace_check("record session", path, OWN_RECORDING, &e))
		return say_err(s, &e);
	if (s->sim)
		plot_title(s->sim, title, sizeof(title));
	s->log.cast = cast_open(path, s->ui.columns ? s->ui.columns : 80,
				s->ui.rows ? s->ui.rows : 24, title, &e);
	if (!s->log.cast)
		return say_err(s, &e);
	if (s->ui.draws)
		draw_all(s);
	return SESSION_OK;
}
