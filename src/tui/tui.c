/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tui.c - the event loop: reads keys, draws frames, and runs the session's commands.
 *
 * There is one thread. While the model is stopped, the loop sleeps in poll(). While it runs, the
 * loop is inside session_exec(), and the session calls tick() about thirty times a second: each
 * call reads keys, and draws a frame if it is due (pace.h) and the terminal has taken the last one.
 * On a slow line frames are left out and the model keeps running. tui_keys.c handles keys and
 * lines; tui_open.c opens and closes the screen.
 *
 * A race and a comparison are pages (page.h) on the same screen, inside a session's screen or
 * without one. They use the same loop, inside the command that asked for the page.
 */
#define _GNU_SOURCE 1
#include "base/clock.h"
#include "line/line.h"
#include "session/session.h"
#include "tui/compare_page.h"
#include "tui/guard.h"
#include "tui/panes.h"
#include "tui/prompt_line.h"
#include "tui/race_page.h"
#include "tui/tui_part.h"
#include "tui/wire.h"
#include "compat/compat.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REMOTE_RATE 100e3 /* average bytes per second for frames of a run, over ssh */
#define FRAME 0.031	  /* least seconds between frames of a run, and of a page that moves */

static void on_out(void *ctx, enum say kind, const char *text);
static bool on_tick(void *ctx);
static void on_wait(void *ctx, double seconds);
static int on_screen(void *ctx, const char *verb, const char *args, struct err *e);
static int on_race(void *ctx, struct race *r, struct err *e);
static int on_compare(void *ctx, const struct compare *c, const char *column, struct err *e);
static void on_words(void *ctx, const char *verb, void (*fn)(void *to, const char *word), void *to);

static void
set_ui(struct tui *t, int width, int height)
{
	t->width = width;
	t->height = height;
	session_set_ui(t->session, &(struct session_ui){.ctx = t,
							.out = on_out,
							.tick = on_tick,
							.wait = on_wait,
							.screen = on_screen,
							.words = on_words,
							.race = on_race,
							.compare = on_compare,
							.interactive = true,
							.draws = true,
							.columns = (unsigned)width,
							.rows = (unsigned)height,
							.width = (unsigned)MAX(width - 8, 20)});
}

/* ---------------------------------------------------------------- frames */

void
tui_draw(struct tui *t)
{
	struct screen *s = &t->screen;
	int w, h;

	term_size(t->term, &w, &h);
	screen_resize(s, w, h);
	if (!s->page && (w != t->width || h != t->height)) /* tables are made to fit the width */
		set_ui(t, w, h);
	if (s->mode != MODE_KEYS)
		prompt_line_copy(&s->line);
	screen_draw(s);
	term_mouse(t->term, session_mouse(t->session));
	term_blit(t->term, s->canvas, &s->painter, s->cursor_x, s->cursor_y);
}

void
tui_show_kept(struct tui *t)
{
	char text[200];

	while (guard_kept(text, sizeof(text)))
		if (text[0])
			screen_notice(&t->screen, "%s", text);
}

static void
leave_terminal(struct tui *t)
{
	term_suspend(t->term);
	guard_release(true);
}

static void
return_to_terminal(struct tui *t)
{
	guard_release(false);
	term_resume(t->term);
}

bool
tui_handle_events(struct tui *t)
{
	unsigned events = guard_take();
	struct page *page = t->screen.page;
	bool stop = false;

	t->want_frame |= events != 0;
	if (events & GUARD_STOP) {
		leave_terminal(t);
		guard_stop_self();
		events = (events | guard_take()) & ~(unsigned)(GUARD_CONT | GUARD_STOP);
		return_to_terminal(t);
	}
	if (events & GUARD_CONT) { /* the process was stopped and continued without Ctrl-Z */
		term_suspend(t->term);
		term_resume(t->term);
	}
	if (events & GUARD_WINCH)
		term_resize(t->term);
	if (events & GUARD_INT) {
		stop = true;
		line_drop();
		if (page)
			page->is_left = t->interrupted = true;
		else if (!t->in_run)
			tui_give_up(t);
	}
	if (events & GUARD_END)
		t->quit = stop = true;
	return stop;
}

/* ---------------------------------------------------------------- the session's hooks */

static void
on_out(void *ctx, enum say kind, const char *text)
{
	struct tui *t = ctx;

	t->screen.said++; /* the session's log keeps the text, and the log pane shows it */
	/* The line with the caret stands below the text it points to, in the log. */
	if (kind == SAY_ERROR && t->screen.mode == MODE_KEYS && text[0] != ' ')
		screen_notice(&t->screen, "%s", text);
}

/* The bytes a second that the line to the terminal takes: as the option says, or as a serial line's
 * setting does; over ssh a guess. A local terminal has no limit but the frames that it has not
 * taken yet. */
static double
line_rate(const struct tui *t)
{
	unsigned rate = session_line_rate(t->session);

	if (!rate)
		rate = wire_line_rate(guard_terminal());
	if (rate)
		return rate;
	return getenv("SSH_CONNECTION") || getenv("SSH_TTY") ? REMOTE_RATE : (double)INFINITY;
}

static bool
on_tick(void *ctx)
{
	struct tui *t = ctx;
	bool stop = tui_handle_events(t);
	const char *what;
	double done, left;
	twin_follow_run(&t->screen);
	/* After the events, so that time spent in a shell does not count for the frame. */
	double processor = clock_thread(), clock = clock_seconds();
	uint64_t bytes = term_bytes(t->term);

	t->want_frame |= tui_read_keys(t);
	stop = stop || t->screen.want_pause || t->screen.want_leave || t->quit;
	t->screen.want_pause = false;
	if (session_seeking(t->session, &done, &left, &what)) {
		if (left < 0) /* do not show cycles that are only replayed */
			return stop;
		tui_show_progress(t, what, done, left);
	}
	/* A model that waits for its pace leaves its processor time to the frames. */
	if (session_ahead(t->session) && clock >= t->drew + FRAME)
		t->pace.processor = processor;
	if (stop || term_busy(t->term) || !(t->want_frame || pace_due(&t->pace, processor, clock)))
		return stop;
	tui_follow_run(t);
	tui_draw(t);
	t->drew = clock;
	t->want_frame = false;
	pace_drew(&t->pace, processor, clock, clock_thread() - processor, t->screen.budget,
		  term_bytes(t->term) - bytes, line_rate(t));
	t->pace.clock = MAX(t->pace.clock, clock + FRAME);
	return false;
}

/* A run with a pace sleeps here until a key, a signal, or a line that takes bytes again. */
static void
on_wait(void *ctx, double seconds)
{
	struct tui *t = ctx;
	struct pollfd p[3] = {{.fd = STDIN_FILENO, .events = POLLIN},
			      {.fd = guard_fd(), .events = POLLIN},
			      {.fd = term_busy(t->term) ? term_line(t->term) : -1,
			       .events = POLLOUT}};
	struct timespec until = {.tv_nsec = (long)(seconds * 1e9)};

	if (compat_poll(p, ARRAY_LEN(p), &until, NULL) > 0 && p[0].revents & (POLLHUP | POLLERR))
		t->quit = true; /* the terminal is gone */
}

/* Waits for Enter, or for a signal that ends the program. A signal during poll() interrupts it; the
 * loop checks for one that came before. */
static void
wait_for_enter(void)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	char typed[256];

	while (!guard_signal() && poll(&p, 1, 250) <= 0)
		continue;
	if (!guard_signal() && read(STDIN_FILENO, typed, sizeof(typed)) < 0)
		return;
}

/* Runs a command or a shell on the terminal, which the screen has left. After a command it waits
 * for Enter. Returns what system() returned. */
static int
call_shell(const char *command)
{
	int status = system(*command ? command : "${SHELL:-/bin/sh}");

	if (*command) {
		fputs("\nEnter goes back to ctascope. ", stdout);
		fflush(stdout);
		wait_for_enter();
	}
	return status;
}

static int
run_shell(struct tui *t, const char *command, struct err *e)
{
	int status;

	leave_terminal(t);
	status = call_shell(command);
	return_to_terminal(t);
	return status == -1 ? err_set(e, "shell: cannot start it") : 0;
}

static int
on_screen(void *ctx, const char *verb, const char *args, struct err *e)
{
	struct tui *t = ctx;
	char text[600];
	int done;

	if (strcmp(verb, "shell") == 0)
		return run_shell(t, args ? args : "", e);
	snprintf(text, sizeof(text), "%s %s", verb, args ? args : "");
	done = screen_command(&t->screen, text, e);
	if (done > 0 && session_lesson_types(t->session)) /* a student needs the row of keys */
		t->screen.notice[0] = '\0';
	return done > 0	  ? 0
	       : done < 0 ? -1
			  : err_set(e, "%s: this screen has no such command", verb);
}

/* Returns the outcome of a page like that of any command. */
static int
leave_page(struct tui *t, int rc)
{
	t->quit |= rc >= 128;
	term_redraw(t->term);
	return rc;
}

static int
on_race(void *ctx, struct race *r, struct err *e ATTR_UNUSED)
{
	return leave_page(ctx, tui_show_race(ctx, r));
}

static int
on_compare(void *ctx, const struct compare *c, const char *column, struct err *e ATTR_UNUSED)
{
	return leave_page(ctx, tui_show_compare(ctx, c, column));
}

static void
on_words(void *ctx ATTR_UNUSED, const char *verb, void (*fn)(void *to, const char *word), void *to)
{
	screen_each_word(verb, fn, to);
}

/* ---------------------------------------------------------------- the loop */

static bool
page_moves(const struct page *p)
{
	return p->ops->moves && p->ops->moves(p);
}

/* Draws frames that are due: of a session in every turn, of a page that moves as often as the line
 * allows. */
static void
draw_frame(struct tui *t)
{
	struct page *page = t->screen.page;
	double clock = clock_seconds();
	uint64_t bytes = term_bytes(t->term);
	bool due =
		!page || t->want_frame || (page_moves(page) && pace_due(&t->page_pace, 0, clock));

	if (term_busy(t->term) || !due)
		return;
	tui_draw(t);
	if (!page)
		return;
	t->want_frame = false;
	/* the lanes have their own processors, so only the line limits the frames */
	pace_drew(&t->page_pace, 0, clock, 0, 1, term_bytes(t->term) - bytes, line_rate(t));
	t->page_pace.clock = MAX(t->page_pace.clock, clock + FRAME);
}

/* Waits for keys, signals, and descriptors of the session or the page. Returns false if the
 * terminal is gone. */
static bool
wait_for_input(struct tui *t)
{
	struct pollfd p[3 + MAX(SESSION_BESIDE, PAGE_DESCRIPTORS)] = {
		{.fd = STDIN_FILENO, .events = POLLIN},
		{.fd = guard_fd(), .events = POLLIN},
		{.fd = term_busy(t->term) ? term_line(t->term) : -1, .events = POLLOUT}};
	struct page *page = t->screen.page;
	int fd[SESSION_BESIDE], ms = line_patience(), most = -1;
	unsigned more = 0;

	if (!page) {
		more = session_beside(t->session, fd);
		for (unsigned i = 0; i < more; i++)
			p[3 + i] = (struct pollfd){.fd = fd[i], .events = POLLIN};
	} else {
		most = page_moves(page) ? (int)(1000 * FRAME) / 2 : 250;
		if (page->ops->descriptors)
			more = page->ops->descriptors(page, p + 3);
	}
	if (!page && twin_is_moving(&t->screen) && !term_busy(t->term))
		most = 0; /* the next frame does the next slice */
	if (ms < 0 || (most >= 0 && most < ms))
		ms = most;
	if (poll(p, 3 + more, ms) < 0)
		p[0].revents = 0; /* interrupted by a signal, whose byte is in the pipe */
	return !(p[0].revents & (POLLHUP | POLLERR));
}

/* Does the work of a turn that is not about keys. */
static void
do_other_work(struct tui *t)
{
	struct page *page = t->screen.page;

	if (page) {
		t->want_frame |= page->ops->go_on && page->ops->go_on(page);
		return;
	}
	tui_do_waiting(t);
	if (session_has_kept(t->session)) /* a page has left them */
		tui_do_kept(t);
	if (!session_collects(t->session) && session_take_want_stats(t->session)) /* SIGUSR1 */
		tui_do_command(t, "info stats", true);
}

void
tui_run_loop(struct tui *t)
{
	struct page *page = t->screen.page;

	while (!t->quit && !t->screen.want_leave && !(page && page->is_left)) {
		bool there;

		draw_frame(t);
		there = wait_for_input(t);
		tui_handle_events(t);
		if (!page && session_beside_read(t->session))
			session_beside_say(t->session);
		t->want_frame |= tui_read_keys(t);
		t->quit |= !there;
		do_other_work(t);
	}
}

/* ---------------------------------------------------------------- pages */

/* Shows a page until its user leaves it. Returns 0, 1 after Ctrl-C, or 128 + n after signal n. */
static int
show_page(struct tui *t, struct page *page)
{
	struct screen *s = &t->screen;
	bool kept = s->keeps_prompt;
	int signal;

	tui_close_prompt(t);
	s->page = page;
	s->help = false;
	t->interrupted = false;
	t->want_frame = true;
	t->page_pace = (struct pace){0};
	tui_run_loop(t);
	s->page = NULL;
	screen_place(
		s); /* the session's places, which its commands ask for before the next frame */
	s->help = false;
	s->notice[0] = '\0';
	tui_close_prompt(t);
	if (kept && !t->quit)
		tui_do_command(t, "prompt keep", false);
	signal = guard_signal();
	return signal ? 128 + signal : t->interrupted;
}

int
tui_show_race(struct tui *t, struct race *r)
{
	struct race_page page;
	char workload[64];

	workload_name(session_sim(t->session), workload, sizeof(workload));
	race_page_init(&page, r, workload);
	screen_notice(&t->screen, "Space starts the race");
	return show_page(t, &page.page);
}

int
tui_show_compare(struct tui *t, const struct compare *c, const char *column)
{
	struct compare_page page;
	int rc;

	compare_page_init(&page, c, column);
	rc = show_page(t, &page.page);
	compare_page_free(&page);
	return rc;
}
