/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plain.c - the front end without a screen: results go to standard output, everything else to
 * standard error.
 *
 * A long run shows progress and the remaining time on standard error if that is a terminal. Signal
 * handlers only note the signal for the session. A handler has no context argument, so the session
 * is in a static variable. An exit() while it is set, for instance when memory runs out, interrupts
 * a command, and the session is saved.
 */
#include "base/clock.h"
#include "base/human.h"
#include "base/process.h"
#include "base/progress_line.h"
#include "base/signals.h"
#include "prompt/prompt.h"

#include "session/session.h"

#include "line/line.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static struct session *volatile signalled_session;
static pid_t session_owner; /* process that owns the session; 0: on_exit() is not registered */

static void
save_on_exit(void)
{
	struct session *s = signalled_session;

	signalled_session = NULL; /* cleared first, in case saving calls exit() as well */
	if (s && session_owner == getpid())
		session_autosave_now(s);
}

static void
note_signal(int signo)
{
	struct session *s = signalled_session;

	if (!s)
		return;
	if (signo == SIGUSR1)
		session_want_stats(s);
	else if (signo == SIGINT)
		session_interrupt(s);
	else {
		session_note_signal(s, signo);
		tty_end_waits(STDOUT_FILENO);
		tty_end_waits(STDERR_FILENO);
	}
}

void
plain_signals(struct session *s)
{
	if (!session_owner)
		atexit(save_on_exit);
	session_owner = getpid();
	signalled_session = s;
	for (int n = 1; n < SIGNALS; n++) {
		struct sigaction act = {.sa_handler = s ? note_signal : SIG_DFL,
					.sa_flags = SA_RESTART};

		if (n == SIGPIPE && s && !session_is_interactive(s))
			act.sa_handler = SIG_DFL;
		else if (n == SIGUSR1 && !s)
			act.sa_handler = process_ignore_signal;
		sigemptyset(&act.sa_mask);
		if (n == SIGINT || n == SIGUSR1 || n == SIGPIPE || signal_kind(n) == SIGNAL_ENDS)
			signal_catch(n, &act, NULL);
	}
}

void
plain_clear(struct plain *p)
{
	if (!p->shown)
		return;
	fputs(PROGRESS_CLEAR, stderr);
	fflush(stderr);
	p->shown = false;
}

static void
print_line(void *ctx, enum say kind, const char *line)
{
	struct plain *p = ctx;

	bool is_result = kind == SAY_RESULT || (kind == SAY_STOP && !p->stops_aside);

	plain_clear(p);
	if (is_result) {
		fputs(line, stdout);
		putchar('\n');
		p->waiting = p->batch;
		if (!p->batch)
			fflush(stdout);
		return;
	}
	fflush(stdout); /* results before the error come first, also where both streams are one file
			 */
	/* the text and the caret below an error begin with a blank and get no prefix */
	fprintf(stderr, "%s%s\n", kind == SAY_ERROR && p->batch && *line != ' ' ? "ctascope: " : "",
		line);
}

static void
draw_progress(struct plain *p, double now)
{
	char cycle[HUMAN], left[40] = "", pace[TEMPO_TEXT];
	uint64_t done, all;
	double fresh;

	sim_progress(session_sim(p->session), &done, &all);
	session_pace(p->session, false, pace, sizeof(pace));
	fresh = (double)(done - p->done0);
	/* a paced run shows its pace; the remaining time would follow from that alone */
	if (fresh > 0 && all > done && !*pace) {
		double seconds = (now - p->began) * (double)(all - done) / fresh;

		snprintf(left, sizeof(left), seconds < 120 ? ", %.0f s left" : ", %.0f min left",
			 seconds < 120 ? seconds : seconds / 60);
	}
	fprintf(stderr, PROGRESS_BEGIN "%3.0f %%  cycle %s%s%s%s" PROGRESS_END,
		all ? 100.0 * (double)done / (double)all : 0.0,
		human(cycle, sim_cycle(session_sim(p->session))), left, *pace ? ", pace " : "",
		pace);
	fflush(stderr);
	p->shown = true;
}

static void
draw_seeking(struct plain *p, double done, double left)
{
	fprintf(stderr, PROGRESS_BEGIN "%3.0f %%  moving through time, %.0f s left" PROGRESS_END,
		100 * done, left);
	fflush(stderr);
	p->shown = true;
}

static bool
on_tick(void *ctx)
{
	struct plain *p = ctx;
	double now = clock_seconds(), done, left;
	uint64_t all;

	if (p->waiting) /* a reader of a pipe sees output during the run */
		fflush(stdout);
	p->waiting = false;
	if (!p->progress || !session_sim(p->session))
		return false;
	if (session_seeking(p->session, &done, &left, NULL)) {
		if (left >= 0 && now - p->drawn > 0.25) {
			p->drawn = now;
			draw_seeking(p, done, left);
		}
		return false;
	}
	if (now - p->last > 0.3) { /* a gap: a new run began */
		p->began = now;
		sim_progress(session_sim(p->session), &p->done0, &all);
	}
	p->last = now;
	if (now - p->began > 1 && now - p->drawn > 0.25) {
		p->drawn = now;
		draw_progress(p, now);
	}
	return false;
}

static int
request_screen(void *ctx, const char *verb, const char *args, struct err *e)
{
	struct plain *p = ctx;

	if (strcmp(verb, "tui") != 0) {
		session_keep(p->session, verb, args);
		say(p->session, SAY_NOTE, "%s: takes effect when 'tui' opens the screen", verb);
		return 0;
	}
	if (*args && strcmp(args, "on") != 0)
		return strcmp(args, "off") == 0
			       ? 0
			       : err_set(e, "tui: expected on or off, found '%.40s'", args);
	p->want_screen = true;
	return 0;
}

static int
show_race(void *ctx, struct race *r, struct err *e)
{
	struct plain *p = ctx;
	int rc = p->front->race(p->session, r, p->look, e);

	plain_signals(p->session);
	p->want_screen |= session_has_kept(p->session); /* the user has opened a lane */
	return rc;
}

static int
show_compare(void *ctx, const struct compare *c, const char *column, struct err *e)
{
	struct plain *p = ctx;
	int rc = p->front->compare(p->session, c, column, p->look, e);

	plain_signals(p->session);
	return rc;
}

static struct winsize
terminal_size(void)
{
	struct winsize w;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 ? w : (struct winsize){0};
}

struct session_ui
plain_ui(struct plain *p, bool interactive)
{
	struct winsize w = terminal_size();

	return (struct session_ui){
		.ctx = p,
		.out = print_line,
		.tick = on_tick,
		.screen = interactive && p->has_screen ? request_screen : NULL,
		.race = p->front ? show_race : NULL,
		.compare = p->front ? show_compare : NULL,
		.interactive = interactive,
		.width = p->batch || !isatty(STDOUT_FILENO) ? 0 : w.ws_col,
		.columns = w.ws_col,
		.rows = w.ws_row,
	};
}
