/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * key_word.c - a command that is typed without ':' opens the command line.
 *
 * Newcomers type `step 5` as at a prompt, and each letter is a key: s steps, t changes the theme.
 * Letters that are typed as one word and begin the name of a command are therefore taken as that
 * command, from the fourth letter on; a name of three letters, such as `run`, at the blank or Enter
 * after it. What the letters changed on the screen is put back, and a stop that they set is
 * deleted. A run that they started is paused, and the machine returns to where it was; one cycle of
 * s stays, because a change before the newest cycle would begin a branch. What u undid is made
 * again. A message says that the letters acted.
 */
#include "tui/key_word.h"

#include "base/ascii.h"
#include "session/session.h"
#include "tui/fmt.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ONE_WORD 0.8 /* seconds between keys that are typed as one word */
#define SURE 4	     /* letters that no one types in a row as keys */
#define SHORTEST 3   /* letters of a name that a blank or Enter ends */

static unsigned
count_changes(const struct session *s)
{
	struct session_change c;
	unsigned n = 0;

	while (session_change(s, n, &c))
		n++;
	return n;
}

static void
save_look(struct screen *s)
{
	struct key_word *w = &s->word;
	struct session_place p = session_place(s->session);

	w->machine = p.machine;
	w->branch = p.branch;
	w->at = p.cycle;
	w->changes = count_changes(s->session);

	w->was_running = session_running(s->session);
	w->core = session_focus_core(s->session);
	w->had_stop = session_core_has_stop(s->session, w->core);
	w->want = s->want;
	w->pane = s->pane;
	w->front = s->front;
	w->range = s->front->range;
	w->theme = s->theme;
	w->mark_kinds = s->marks.kinds;
	w->cursor = s->axis.cursor;
	w->select_from = s->select_from;
}

static void
put_look_back(struct screen *s)
{
	struct key_word *w = &s->word;

	if (s->pane->ops->kind == PANE_OVER && s->pane != w->pane)
		screen_close_over(s);
	s->want = w->want;
	s->pane = w->pane;
	s->front = w->front;
	s->front->range = w->range;
	s->theme = w->theme;
	screen_painter(s);
	s->marks.kinds = w->mark_kinds;
	s->axis.cursor = w->cursor;
	s->select_from = w->select_from;
	s->log_open = false;
	s->prefix = 0;
	session_set_focus_core(s->session, w->core);
}

/* The b of `break` or `back` has set a stop, the newest one. */
static void
delete_stop(struct screen *s)
{
	const struct key_word *w = &s->word;

	if (w->text[0] == 'b' && !w->had_stop && !session_running(s->session) &&
	    session_core_has_stop(s->session, w->core))
		session_exec(s->session, "delete $");
}

static void
return_to_place(struct screen *s)
{
	char line[40];

	snprintf(line, sizeof(line), "goto %" PRIu64, s->word.at);
	session_exec(s->session, line);
}

/* Takes back what the letters did to the run, which is stopped, and writes what that was; "":
 * nothing. */
static void
take_back(struct screen *s, char *buf, size_t size)
{
	const struct key_word *w = &s->word;
	struct session_place now = session_place(s->session);
	bool left = now.branch != w->branch,
	     undone = strchr(w->text, 'u') && (left || count_changes(s->session) != w->changes);
	char cycle[FMT_MAX];

	buf[0] = '\0';
	if (!now.machine || now.machine != w->machine)
		return;
	session_mute(s->session);
	if (left || (!undone && now.cycle > w->at + 1)) {
		return_to_place(s);
		snprintf(buf, size, "the run is back at cycle %s", fmt_u64(cycle, w->at));
	}
	if (undone) {
		session_exec(s->session, "redo");
		snprintf(buf, size, "the change that u undid is made again");
	}
	session_unmute(s->session);
}

void
key_word_take_back(struct screen *s)
{
	char text[80];

	if (!s->word.waits || session_running(s->session))
		return;
	s->word.waits = false;
	take_back(s, text, sizeof(text));
	if (text[0])
		say(s->session, SAY_NOTE, "%s", text);
}

static const char *
open_line(struct screen *s, const char *end)
{
	struct key_word *w = &s->word;
	char text[80] = "";

	put_look_back(s);
	delete_stop(s);
	w->waits = session_running(s->session) && !w->was_running;
	s->want_pause |= w->waits;
	if (!w->waits && !w->was_running)
		take_back(s, text, sizeof(text));
	snprintf(s->prefill, sizeof(s->prefill), "%s%s", w->text, end);
	say(s->session, SAY_NOTE,
	    "'%s' is read as a command, but its letters have acted as keys; type ':' before a "
	    "command%s%s",
	    w->text, text[0] ? "; " : "", text);
	w->n = 0;
	return "prompt";
}

const char *
key_word_take(struct screen *s, int key)
{
	struct key_word *w = &s->word;
	bool is_letter = key >= 'a' && key <= 'z' && !keymap_is_own(&s->keymap, key);
	bool is_end = key == ' ' || key == '\r';
	bool goes_on = w->n && s->key_at > 0 && s->key_at - w->typed_at < ONE_WORD;

	if (!goes_on)
		w->n = 0;
	if (is_end && w->n >= SHORTEST && session_match_command(w->text) == SESSION_WORD_IS_COMMAND)
		return open_line(s, key == ' ' ? " " : "");
	if (!is_letter || w->n + 1 >= sizeof(w->text)) {
		w->n = 0;
		return NULL;
	}
	if (w->n == 0)
		save_look(s);
	w->text[w->n++] = (char)key;
	w->text[w->n] = '\0';
	w->typed_at = s->key_at;
	if (w->n >= SURE && session_match_command(w->text) != SESSION_WORD_UNKNOWN)
		return open_line(s, "");
	return NULL;
}
