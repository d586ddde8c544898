/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prompt.c - the plain prompt: reads lines from the terminal and gives them to the session.
 *
 * line/ owns readline and the terminal; this file connects it to a session. The line is closed
 * while a command runs, so that the next prompt is not printed before the command's output. Keys
 * typed meanwhile stay in the kernel, so that a child of `shell` can read them.
 */
#include "prompt/prompt.h"
#include "session/session.h"

#include "line/line.h"

#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

struct prompt {
	struct plain *plain;
	struct session *session;
};

/* ---------------------------------------------------------------- what both prompts share */

static char **
complete_word(void *ctx, const char *text, int start, int end, bool *is_path)
{
	return session_complete(ctx, text, start, end, is_path);
}

void
prompt_enter(struct session *s, bool is_drawn_by_caller)
{
	char path[PATH_MAX];
	bool kept = session_state_path("history", path, sizeof(path)) == 0;

	line_enter(&(struct line_hooks){.ctx = s,
					.complete = complete_word,
					.history = kept ? path : NULL,
					.is_drawn_by_caller = is_drawn_by_caller});
}

/* ---------------------------------------------------------------- commands */

/* Executes a line. Pasted text of several lines arrives as one; its empty lines are skipped,
 * whereas an empty line that is typed repeats the last command. Ctrl-C ends the command and drops
 * the rest of the paste. True: leave the prompt. */
static bool
exec_line(struct prompt *p, char *line)
{
	bool is_pasted = strchr(line, '\n') != NULL;

	for (char *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (is_pasted && !*line && !session_collects(p->session))
			continue;
		history_add_line(line);
		if (session_exec(p->session, line) == SESSION_QUIT)
			return true;
		if (session_take_interrupt(p->session))
			break;
	}
	return session_signal(p->session) != 0;
}

/* Signals belong to the front end while a command runs. */
static bool
run_line(struct prompt *p, char *line)
{
	bool leave;

	tty_release();
	if (session_take_interrupt(p->session)) { /* Ctrl-C after Enter, before the command began */
		puts("^C");
		fflush(stdout);
		session_give_up(p->session);
		leave = session_signal(p->session) != 0;
	} else {
		leave = exec_line(p, line);
	}
	tty_catch();
	free(line);
	return leave;
}

/* ---------------------------------------------------------------- the loop */

static void
show_prompt(struct prompt *p)
{
	char text[128];

	session_prompt(p->session, text, sizeof(text));
	line_start(text);
}

static void
drop_line(struct prompt *p)
{
	line_drop();
	line_stop();
	fputs("^C\n", stdout);
	fflush(stdout);
	session_give_up(p->session); /* drops a construct that was being typed */
	show_prompt(p);
}

/* Ctrl-Z at the prompt: the shell gets the terminal in its original state, and the prompt restores
 * its own afterwards. */
static void
suspend_program(void)
{
	line_suspend();
	tty_stop_self();
	line_resume();
}

/* Handles the signals that came since the last call. */
static void
answer_signals(struct prompt *p)
{
	unsigned news = tty_take();

	if (news & TTY_STOP) {
		suspend_program();
		news |= tty_take();
	} else if (news & TTY_CONTINUED) { /* stopped by a signal that cannot be caught */
		line_suspend();
		line_resume();
	}
	if (news & TTY_RESIZED) {
		struct session_ui ui = plain_ui(p->plain, true);

		session_set_ui(p->session, &ui); /* tables use the new width */
		line_resized();
	}
	if (session_take_interrupt(p->session))
		drop_line(p);
	if (!session_collects(p->session) && session_take_want_stats(p->session)) {
		line_stop();
		putchar('\n');
		session_exec(p->session, "info stats");
		show_prompt(p);
	}
}

/* Prints finished measurements above the line being typed. */
static void
say_above(struct prompt *p)
{
	line_hide();
	session_beside_say(p->session);
	fflush(stdout);
	line_show();
}

static bool
is_due(void *ctx)
{
	return session_has_request(ctx);
}

/* Waits for keys, signals and background measurements; false: the terminal is gone. */
static bool
wait_for_keys(struct prompt *p)
{
	struct pollfd fds[1 + SESSION_BESIDE];
	int fd[SESSION_BESIDE];
	unsigned n = session_beside(p->session, fd);
	enum tty_news news;

	for (unsigned i = 0; i < n; i++)
		fds[1 + i] = (struct pollfd){.fd = fd[i], .events = POLLIN};
	news = line_wait(fds, n, is_due, p->session);
	if (news == TTY_OTHER && session_beside_read(p->session))
		say_above(p);
	return news != TTY_GONE;
}

static enum prompt_end
read_lines(struct prompt *p)
{
	char *text;

	show_prompt(p);
	for (;;) {
		answer_signals(p);
		if (session_signal(p->session))
			return PROMPT_SIGNAL;
		switch (line_run(&text)) {
		case LINE_OPEN:
			if (!wait_for_keys(p))
				return PROMPT_EOF;
			break;
		case LINE_LEFT:
			putchar('\n');
			fflush(stdout);
			if (session_end_input(p->session))
				return PROMPT_EOF;
			show_prompt(p);
			break;
		case LINE_ENTERED:
			if (run_line(p, text))
				return session_signal(p->session) ? PROMPT_SIGNAL : PROMPT_QUIT;
			if (p->plain->want_screen)
				return PROMPT_SCREEN;
			show_prompt(p);
		}
	}
}

enum prompt_end
prompt_readline(struct plain *plain)
{
	struct prompt p = {.plain = plain, .session = plain->session};
	enum prompt_end end;

	prompt_enter(p.session, false);
	tty_catch();
	end = read_lines(&p);
	line_leave();
	tty_release();
	return end;
}
