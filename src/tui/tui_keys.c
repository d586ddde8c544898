/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tui_keys.c - handles keys and the lines of the prompt on the screen.
 *
 * Each key and line becomes a command line. During a run only screen commands are executed;
 * commands for the session wait until it stops.
 */
#define _GNU_SOURCE 1
#include "tui/tui_part.h"

#include "base/clock.h"
#include "base/memory.h"
#include "line/line.h"
#include "session/session.h"
#include "tui/key_word.h"
#include "tui/prompt_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- the prompt */

static const char *
prompt_text(const struct tui *t, char buf[128])
{
	if (t->screen.mode != MODE_PROMPT)
		return "/";
	if (t->screen.page)
		return ":";
	if (session_lesson_question(t->session) && !session_collects(t->session))
		return "answer: ";
	session_prompt(t->session, buf, 128);
	return buf;
}

static void
prompt_start(struct tui *t)
{
	char buf[128];

	line_start(prompt_text(t, buf));
	prompt_line_copy(&t->screen.line);
}

void
tui_close_prompt(struct tui *t)
{
	line_stop();
	t->screen.mode = MODE_KEYS;
	t->screen.keeps_prompt = false;
}

void
tui_give_up(struct tui *t)
{
	struct screen *s = &t->screen;
	char buf[200];

	session_take_interrupt(t->session);
	session_give_up(t->session);
	if (s->mode != MODE_KEYS)
		prompt_start(t);
	else if (s->pane->ops->types && !s->help && !s->page) /* it leaves the list */
		screen_key(s, K_CTRL('c'), buf, sizeof(buf));
	else
		screen_notice(&t->screen, "q leaves ctascope");
}

/* ---------------------------------------------------------------- commands */

static cycle_t
cycle_now(const struct tui *t)
{
	const struct sim *sim = session_sim(t->session);

	return sim ? sim_cycle(sim) : 0;
}

void
tui_follow_run(struct tui *t)
{
	if (!t->follows && cycle_now(t) != t->ran_from)
		axis_follow(&t->screen.axis);
	t->follows |= cycle_now(t) != t->ran_from;
}

void
tui_show_progress(struct tui *t, const char *what, double done, double left)
{
	screen_notice(&t->screen, "%s: %.0f %%, %.0f s left; Ctrl-C %s",
		      what ? what : "moving through time", 100 * done, left,
		      what ? "stops it" : "stays here");
	snprintf(t->progress, sizeof(t->progress), "%s", t->screen.notice);
}

static void
run_session(struct tui *t, const char *text)
{
	struct screen *s = &t->screen;
	enum session_status status;

	screen_before(s, text);
	t->follows = false;
	t->ran_from = cycle_now(t);
	t->in_run = true;
	status = session_exec(t->session, text);
	tui_handle_events(t); /* handle the Ctrl-C that ended the run */
	t->in_run = false;
	key_word_take_back(s);
	if (strcmp(s->notice, t->progress) == 0)
		s->notice[0] = '\0';
	t->progress[0] = '\0';
	tui_follow_run(t);
	screen_after(s);
	tui_show_kept(t);
	if (status == SESSION_QUIT)
		t->quit = true;
}

static void
queue_command(struct tui *t, const char *text)
{
	if (t->n_waiting < WAITING)
		t->waiting[t->n_waiting++] = memory_text(text, strlen(text));
	screen_notice(&t->screen, "waits until the model stops: %s", text);
}

/* Types what the line begins with. */
static void
type_prefill(struct tui *t)
{
	char *none;

	for (const char *p = t->screen.prefill; *p; p++) {
		line_type(p, 1);
		if (line_run(&none) == LINE_ENTERED)
			free(none);
	}
	t->screen.prefill[0] = '\0';
}

/* Keys that pause a running model, and are then executed. */
static bool
pauses_first(const char *text)
{
	return strcmp(text, "quit") == 0 || strncmp(text, "why", 3) == 0;
}

void
tui_do_command(struct tui *t, const char *text, bool typed)
{
	struct screen *s = &t->screen;
	enum screen_mode mode = s->mode;
	char buf[128];
	struct err e = {0};
	/* The lines of a construct are not executed yet, and a key is not one of them. */
	bool is_own = s->page || !typed || !session_collects(t->session);
	int done = is_own ? screen_command(s, text, &e) : 0;

	if (done < 0)
		screen_notice(s, "%s", e.msg);
	else if (done == 0 && t->in_run && session_exec_running(t->session, text))
		t->want_frame = true;
	else if (done == 0 && t->in_run && (typed || pauses_first(text))) {
		queue_command(t, text);
		s->want_pause |= !typed;
		if (!typed)
			screen_notice(s, "paused; Space continues the run");
	} else if (done == 0 && t->in_run)
		screen_notice(s, "the model is running; Space pauses it");
	else if (done == 0 && !typed && session_collects(t->session))
		screen_notice(s,
			      "a block is open up to 'end': ':' continues it, Ctrl-C cancels it");
	else if (done == 0)
		run_session(t, text);
	if (done > 0 && mode == MODE_KEYS && s->mode != MODE_KEYS) {
		prompt_start(t);
		type_prefill(t);
	} else if (done == 0 && s->mode == MODE_PROMPT) {
		/* It was opened during the run, and the user may be typing there. */
		line_change_prompt(prompt_text(t, buf));
	}
	if (s->want_redraw)
		term_redraw(t->term);
	s->want_redraw = false;
}

/* After a construct has begun, the user types the rest of its lines. */
static void
continue_construct(struct tui *t)
{
	if (t->screen.mode == MODE_KEYS && session_collects(t->session) && !t->quit)
		tui_do_command(t, "prompt", false);
}

/* A question of a lesson opens the command line, so that its answer is typed and is no key. */
static void
follow_question(struct tui *t)
{
	unsigned question = session_lesson_question(t->session);

	if (question && question != t->question && t->screen.mode == MODE_KEYS && !t->quit)
		tui_do_command(t, "prompt", false);
	t->question = question;
}

void
tui_do_waiting(struct tui *t)
{
	while (t->n_waiting && !t->quit) {
		char *text = t->waiting[0];
		memmove(t->waiting, t->waiting + 1, --t->n_waiting * sizeof(*t->waiting));
		tui_do_command(t, text, true);
		free(text);
	}
	continue_construct(t);
	follow_question(t);
}

void
tui_do_kept(struct tui *t)
{
	struct err first = {0};
	char *line;

	while (!t->quit && (line = session_take_kept(t->session))) {
		struct err e = {0};
		int done = screen_command(&t->screen, line, &e);

		if (done == 0)
			tui_do_command(t, line, true);
		else if (done < 0)
			say_err(t->session, &e);
		first = done < 0 && !first.set ? e : first;
		free(line);
	}
	t->screen.log_open = false; /* the panes are what was asked for */
	screen_place(&t->screen);
	if (first.set) {
		screen_notice(&t->screen, "%s", first.msg);
	} else if (t->screen.notice[0] && t->screen.layout.log.h) {
		/* a newcomer needs the row of keys */
		say(t->session, SAY_NOTE, "%s", t->screen.notice);
		t->screen.notice[0] = '\0';
	}
}

/* The prompt stays open after this line. */
static bool
prompt_stays(const struct tui *t)
{
	return t->screen.keeps_prompt || session_collects(t->session) ||
	       (!t->screen.page && session_lesson_question(t->session));
}

/* Searches for what was typed after '/': in the help if it is open, in time if it is an event or a
 * comparison, else in the log. Without text it repeats the last search. */
static void
do_search(struct tui *t, const char *text)
{
	struct screen *s = &t->screen;
	char command[300];

	if (*text && !s->help)
		s->searched_time = session_can_find(t->session, text);
	if (s->help || !s->searched_time) {
		snprintf(command, sizeof(command), "search %.140s", *text ? text : s->search);
		if (*text || s->search[0]) /* an empty search goes further back */
			tui_do_command(t, command, true);
		return;
	}
	snprintf(command, sizeof(command), "find %.280s", text);
	if (*text)
		tui_do_command(t, command, true);
	if (!t->in_run)
		tui_do_command(t, "cursor next-hit", false);
}

/* Executes an accepted line; a paste has several. The command line closes first, so that keys work
 * while the command runs. An empty line only closes it. */
static void
do_line(struct tui *t, char *text)
{
	struct screen *s = &t->screen;
	char *save = NULL, buf[128];
	bool stays;

	if (s->mode == MODE_SEARCH) {
		tui_close_prompt(t);
		do_search(t, text);
		return;
	}
	if (!text[strspn(text, " \t\n")] && !session_collects(t->session)) {
		tui_close_prompt(t);
		return;
	}
	if (!s->page)
		history_add_line(text);
	stays = prompt_stays(t);
	if (stays)
		/* The user may type the next line while this one runs. */
		prompt_start(t);
	else
		tui_close_prompt(t);
	for (char *p = strtok_r(text, "\n", &save); p && !t->quit; p = strtok_r(NULL, "\n", &save))
		tui_do_command(t, p, true);
	if (stays && !prompt_stays(t))
		tui_close_prompt(t);
	continue_construct(t);
	if (s->mode == MODE_PROMPT)
		/* The cycle and the core in focus may have changed. */
		line_change_prompt(prompt_text(t, buf));
}

/* ---------------------------------------------------------------- keys */

/* A second ':' at the beginning of the line keeps it open for several commands. */
static void
take_second_colon(struct tui *t)
{
	struct line_look look;

	line_look(&look);
	if (t->screen.mode != MODE_PROMPT || prompt_stays(t) || look.n != 1 || look.text[0] != ':')
		return;
	t->screen.keeps_prompt = true;
	prompt_start(t);
}

static void handle_key(struct tui *t, const struct term_key *k);

/* The key that came together with the Escape that left the line. */
static void
handle_next(struct tui *t)
{
	struct term_key k = {.n = 1};

	k.bytes[0] = line_take_next();
	k.code = k.bytes[0];
	if (k.code)
		handle_key(t, &k);
}

/* Passes the typed keys to the line editor; k may be NULL. */
static void
run_line(struct tui *t, const struct term_key *k)
{
	enum line_end end;
	char *text;

	if (k)
		line_type(k->bytes, k->n);
	while ((end = line_run(&text)) == LINE_ENTERED) {
		do_line(t, text);
		free(text);
	}
	if (line_wants_redraw())
		term_redraw(t->term);
	if (end == LINE_LEFT) {
		session_give_up(t->session);
		tui_close_prompt(t);
		handle_next(t);
	} else {
		take_second_colon(t);
	}
}

/* Whether the line waits for the answer to a question, and nothing is typed there. */
static bool
is_empty_answer(const struct tui *t)
{
	struct line_look look;

	if (t->screen.mode != MODE_PROMPT || t->screen.page ||
	    !session_lesson_question(t->session) || session_collects(t->session) ||
	    line_takes_paste())
		return false;
	line_look(&look);
	return look.n == 0;
}

/* Keys with which no answer and no command begins keep their meaning at a line for an answer. */
static bool
begins_no_answer(int code)
{
	return code == ' ' || code == '\t' || code == K_BACKTAB || code == K_UP || code == K_DOWN ||
	       code == K_LEFT || code == K_RIGHT || code == K_PGUP || code == K_PGDN ||
	       code == K_HOME || code == K_END;
}

/* Does what a key means before the answer to a question is typed; false: the key is typed. No
 * answer needs H: h or a number types a choice that begins with it. */
static bool
do_question_key(struct tui *t, int code)
{
	const char *command = code == '['   ? "turn previous"
			      : code == ']' ? "turn next"
			      : code == 'H' ? "lesson hint"
					    : NULL;
	char buf[200];

	if (!is_empty_answer(t))
		return false;
	t->screen.notice[0] = '\0';
	if (code == '?' || code == K_F1) { /* the help takes letters as keys */
		tui_close_prompt(t);
		command = "pane help";
	} else if (code == ':') { /* as if the line were not open yet */
		command = "";
	} else if (!command && begins_no_answer(code)) {
		command = screen_key(&t->screen, code, buf, sizeof(buf));
		command = command ? command : "";
	}
	if (command && *command)
		tui_do_command(t, command, false);
	return command;
}

/* A digit while a question waits is the beginning of its answer, and no layout. */
static bool
starts_answer(const struct tui *t, int code)
{
	const struct screen *s = &t->screen;

	return code >= '0' && code <= '9' && !s->page && !s->help && !t->in_run && !s->prefix &&
	       session_lesson_question(t->session);
}

/* Returns the command of a lecturer's key, NULL: it has its usual meaning. A clicker sends PgDn and
 * PgUp. */
static const char *
lecturer_key(const struct tui *t, int code)
{
	const struct screen *s = &t->screen;
	bool next = code == ' ' || code == K_RIGHT || code == K_PGDN,
	     back = code == K_LEFT || code == K_PGUP;

	if (session_steps(t->session) == STEPS_NONE || s->help || s->prefix)
		return NULL;
	if (t->in_run && !s->page)
		return NULL;
	/* A race has a use for the arrows, and until its end for Space. */
	if (s->page && code != K_PGDN && code != K_PGUP &&
	    !(code == ' ' && screen_when(s) == WHEN_RACE_OVER))
		return NULL;
	if (s->pane->ops->types && !s->page)
		return NULL;
	return next ? "present next" : back && session_presents(t->session) ? "present back" : NULL;
}

/* What covers the panes is closed: the audience sees what the step does. */
static void
do_step(struct tui *t, const char *command)
{
	struct screen *s = &t->screen;

	s->notice[0] = '\0';
	s->log_open = false;
	if (s->page) { /* what is left of the step that opened it follows */
		s->page->is_left = true;
		return;
	}
	if (s->pane->ops->kind == PANE_OVER)
		screen_close_over(s);
	tui_do_command(t, command, false);
}

static void
handle_key(struct tui *t, const struct term_key *k)
{
	char buf[200];
	const char *command;

	if (k->code == TERM_MOUSE) {
		screen_mouse(&t->screen, &k->mouse);
		return;
	}
	if (do_question_key(t, k->code))
		return;
	if (t->screen.mode != MODE_KEYS || line_takes_paste()) {
		t->screen.notice[0] = '\0';
		/* While a long result is open, the page keys scroll it; all other keys go to the
		 * line. */
		if (t->screen.log_open && !t->screen.page && !line_takes_paste() &&
		    (k->code == K_PGUP || k->code == K_PGDN)) {
			tui_do_command(t, k->code == K_PGUP ? "scroll page-up" : "scroll page-down",
				       false);
			return;
		}
		if (!t->screen.page ||
		    k->code != '\t') /* completion knows the session's words only */
			run_line(t, k);
		return;
	}
	if (k->code == TERM_PASTE) { /* pasted text never acts as keys */
		tui_do_command(t, "prompt", false);
		run_line(t, k);
		return;
	}
	if (k->code == K_NONE)
		return;
	if (starts_answer(t, k->code)) {
		tui_do_command(t, "prompt", false);
		run_line(t, k);
		return;
	}
	if ((command = lecturer_key(t, k->code))) {
		do_step(t, command);
		return;
	}
	t->screen.key_at = clock_seconds();
	command = screen_key(&t->screen, k->code, buf, sizeof(buf));
	if (command && *command)
		tui_do_command(t, command, false);
	t->screen.word.typed_at = clock_seconds(); /* a slow command is no pause in typing */
}

bool
tui_read_keys(struct tui *t)
{
	struct term_key k;
	bool any = false;

	while (!t->quit && !t->screen.want_leave && !(t->screen.page && t->screen.page->is_left) &&
	       term_read(t->term, t->screen.mode != MODE_KEYS || line_takes_paste(), &k)) {
		any = true;
		handle_key(t, &k);
		if (t->in_run && t->screen.want_pause)
			return true;
	}
	if (line_patience() == 0) {
		line_quiet();
		run_line(t, NULL);
		any = true;
	}
	return any;
}
