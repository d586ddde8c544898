/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ask.c - reads lines from a person for a program without a session, such as a quiz.
 *
 * Keys work as at the prompt: the line can be edited, and Up returns lines typed before. A signal
 * that ends the program takes its course after the terminal has its modes back. The wait for keys
 * is also the one of the plain prompt.
 */
#include "base/signals.h"
#include "line/line.h"

#include <poll.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t signal_came; /* a handler has no context */

static void
note_signal(int signo)
{
	signal_came = signo;
}

static char **
complete_nothing(void *ctx ATTR_UNUSED, const char *text ATTR_UNUSED, int start ATTR_UNUSED,
		 int end ATTR_UNUSED, bool *is_path)
{
	*is_path = false;
	return NULL;
}

static void
catch_signals(void (*handler)(int))
{
	struct sigaction act = {.sa_handler = handler, .sa_flags = SA_RESTART};

	sigemptyset(&act.sa_mask);
	for (int n = 1; n < SIGNALS; n++)
		if (n == SIGINT || signal_kind(n) == SIGNAL_ENDS)
			signal_catch(n, &act, NULL);
}

bool
line_ask_begin(void)
{
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return false;
	line_enter(&(struct line_hooks){.complete = complete_nothing});
	tty_catch();
	catch_signals(note_signal);
	return true;
}

void
line_ask_end(void)
{
	line_leave();
	tty_release();
	catch_signals(SIG_DFL);
}

static bool
has_signal(void *ctx ATTR_UNUSED)
{
	return signal_came != 0;
}

static void
answer_signals(void)
{
	unsigned news = tty_take();

	if (signal_came) {
		line_ask_end();
		putchar('\n');
		fflush(stdout);
		raise(signal_came);
	}
	if (news & (TTY_STOP | TTY_CONTINUED)) {
		line_suspend();
		if (news & TTY_STOP)
			tty_stop_self();
		line_resume();
	}
	if (news & TTY_RESIZED)
		line_resized();
}

enum tty_news
line_wait(struct pollfd *fds, unsigned n, bool (*is_due)(void *ctx), void *ctx)
{
	char byte;
	enum tty_news news = tty_wait(fds, n, line_patience(), is_due, ctx, &byte);

	if (news == TTY_BYTE)
		line_type(&byte, 1);
	else if (news == TTY_QUIET)
		line_quiet();
	return news;
}

char *
line_ask(const char *prompt)
{
	enum line_end end;
	struct pollfd fd;
	char *text = NULL;

	fflush(stdout);
	line_start(prompt);
	while ((end = line_run(&text)) == LINE_OPEN) {
		answer_signals();
		if (line_wait(&fd, 0, has_signal, NULL) == TTY_GONE)
			return NULL;
	}
	if (end == LINE_LEFT)
		return NULL;
	history_add_line(text);
	return text;
}
