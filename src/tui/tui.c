/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tui.c - the event loop: keys in, frames out, and the session in between.
 *
 * One thread. Stopped, the loop sleeps in poll(). While the model runs, the loop stands still
 * inside session_exec() and the session calls tick() about thirty times a second: keys are read
 * each time, a frame is drawn when it is due (pace.h) and the terminal has taken the last one; on a
 * slow line frames are left out and the model goes on. What keys and lines do is in tui_keys.c.
 */
#define _GNU_SOURCE 1
#include "base/clock.h"
#include "line/line.h"
#include "prompt/prompt.h"
#include "tui/tui_part.h"
#include "tui/compare_view.h"
#include "tui/guard.h"
#include "tui/prompt_line.h"
#include "tui/race_view.h"
#include "tui/stage.h"
#include "compat/compat.h"

#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FRAME_BYTES 20e3 /* a second for frames of a run, on average */
#define FRAMES 30.0	 /* a second, at most, when they cost the model nothing */

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

static void
draw(struct tui *t)
{
	struct screen *s = &t->screen;
	int w, h;

	term_size(t->term, &w, &h);
	if (!screen_resize(s, w, h))
		return;
	if (w != t->width || h != t->height) /* tables are made to fit */
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
go_away(struct tui *t)
{
	term_suspend(t->term);
	guard_release(true);
}

static void
come_back(struct tui *t)
{
	guard_release(false);
	term_resume(t->term);
}

bool
tui_handle_events(struct tui *t)
{
	unsigned events = guard_take();
	bool stop = false;

	if (events & GUARD_STOP) {
		go_away(t);
		guard_stop_self();
		events = (events | guard_take()) & ~(unsigned)(GUARD_CONT | GUARD_STOP);
		come_back(t);
	}
	if (events & GUARD_CONT) { /* stopped and continued without asking us */
		term_suspend(t->term);
		term_resume(t->term);
	}
	if (events & GUARD_WINCH)
		term_resize(t->term);
	if (events & GUARD_INT) {
		stop = true;
		line_drop();
		if (!t->in_run)
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

	(void)text; /* the session's log keeps it, and the log pane shows that */
	t->screen.said++;
	if (kind == SAY_ERROR && t->screen.mode == MODE_KEYS)
		screen_notice(&t->screen, "%s", text);
}

static bool
on_tick(void *ctx)
{
	struct tui *t = ctx;
	bool stop = tui_handle_events(t);
	double done, left;
	/* After events: a stay in the shell is not the frame's. */
	double processor = clock_processor(), clock = clock_seconds();
	uint64_t bytes = term_bytes(t->term);

	t->want_frame |= tui_read_keys(t);
	stop = stop || t->screen.want_pause || t->screen.want_leave || t->quit;
	t->screen.want_pause = false;
	if (session_seeking(t->session, &done, &left)) {
		if (left < 0) /* what is replayed on the way is nothing to look at */
			return stop;
		screen_notice(&t->screen,
			      "on the way through time: %.0f %%, %.0f s left; Ctrl-C stays here",
			      100 * done, left);
	}
	/* A model that waits for its pace gives its processor time to the frames. */
	if (session_ahead(t->session) && clock >= t->drew + 1 / FRAMES)
		t->pace.processor = processor;
	if (stop || term_busy(t->term) || !(t->want_frame || pace_due(&t->pace, processor, clock)))
		return stop;
	draw(t);
	t->drew = clock;
	t->want_frame = false;
	pace_drew(&t->pace, processor, clock, clock_processor() - processor, t->screen.budget,
		  term_bytes(t->term) - bytes, FRAME_BYTES);
	return false;
}

/* A run at a pace sleeps here: a key, a signal or a line that takes bytes again wakes it. */
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

static int
run_shell(struct tui *t, const char *command, struct err *e)
{
	int status;

	go_away(t);
	status = stage_shell(command);
	come_back(t);
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
	return done > 0	  ? 0
	       : done < 0 ? -1
			  : err_set(e, "%s: this screen has no such command", verb);
}

/* A race, or two runs, has the screen to itself; what came of it is said as any answer is. */
static int
off_stage(struct tui *t, struct stage *g)
{
	int rc = stage_close(g);

	t->quit |= rc >= 128;
	term_redraw(t->term);
	return rc;
}

static int
on_race(void *ctx, struct race *r, struct err *e ATTR_UNUSED)
{
	struct tui *t = ctx;
	struct stage g;

	stage_borrow(&g, t->session, t->term, &t->screen.theme);
	race_loop(&g, r);
	return off_stage(t, &g);
}

static int
on_compare(void *ctx, const struct compare *c, const char *column, struct err *e ATTR_UNUSED)
{
	struct tui *t = ctx;
	struct stage g;

	stage_borrow(&g, t->session, t->term, &t->screen.theme);
	compare_loop(&g, c, column);
	return off_stage(t, &g);
}

static void
on_words(void *ctx ATTR_UNUSED, const char *verb, void (*fn)(void *to, const char *word), void *to)
{
	screen_each_word(verb, fn, to);
}

/* ---------------------------------------------------------------- life */

static void
loop(struct tui *t)
{
	struct pollfd p[3 + SESSION_BESIDE] = {{.fd = STDIN_FILENO, .events = POLLIN},
					       {.fd = guard_fd(), .events = POLLIN},
					       {.events = POLLOUT}};
	int fd[SESSION_BESIDE];

	while (!t->quit && !t->screen.want_leave) {
		unsigned beside;

		if (!term_busy(t->term))
			draw(t);
		p[2].fd = term_busy(t->term) ? term_line(t->term) : -1;
		beside = session_beside(t->session, fd);
		for (unsigned i = 0; i < beside; i++)
			p[3 + i] = (struct pollfd){.fd = fd[i], .events = POLLIN};
		if (poll(p, 3 + beside, line_patience()) < 0)
			p[0].revents = p[1].revents = 0; /* a signal; its byte is in the pipe */
		tui_handle_events(t);
		if (session_beside_read(t->session))
			session_beside_say(t->session);
		tui_read_keys(t);
		if (p[0].revents & (POLLHUP | POLLERR))
			t->quit = true; /* the terminal is gone */
		tui_do_waiting(t);
		if (!session_collects(t->session) &&
		    session_take_want_stats(t->session)) /* SIGUSR1 */
			tui_do_command(t, "info stats", true);
	}
}

static void
on_sent(void *ctx, const char *bytes, size_t n)
{
	session_record(ctx, bytes, n);
}

static int
start(struct tui *t, const struct tui_options *o, struct err *e)
{
	struct theme theme;

	if (!tui_possible())
		return err_set(e, "the full screen needs a terminal on standard input and output");
	setlocale(LC_CTYPE, "");
	if (theme_load(&theme, o->theme ? o->theme : theme_for_terminal(), e) < 0)
		return -1;
	/* readline first: it looks at standard output to learn what the terminal can, and its
	 * look-up would change the size that curses believes in. */
	prompt_enter(t->session, true);
	if (!guard_enter(t->session)) {
		line_leave();
		return err_set(e, "cannot start the full screen: no more descriptors");
	}
	t->term = term_open(STDIN_FILENO, guard_terminal(), o->color, o->ascii, e);
	if (!t->term) {
		line_leave();
		guard_leave();
		return -1;
	}
	term_listen(t->term, on_sent, t->session);
	if (!screen_init(&t->screen, t->session, &theme, term_depth(t->term),
			 term_unicode(t->term))) {
		term_close(t->term);
		line_leave();
		guard_leave();
		return err_nomem(e);
	}
	/* The fonts of the Linux console have half blocks, but no braille. */
	const char *name = getenv("TERM");
	t->screen.no_braille = name && strncmp(name, "linux", 5) == 0;
	screen_painter(&t->screen);
	return 0;
}

/* Takes the screen down and leaves the user with the line that matters. */
static int
finish(struct tui *t)
{
	int signal = guard_signal();
	const char *last = session_last_stop(t->session);
	bool leave = t->screen.want_leave && !t->quit;

	line_leave();
	term_close(t->term);
	screen_free(&t->screen);
	for (unsigned i = 0; i < t->n_waiting; i++)
		free(t->waiting[i]);
	guard_leave();
	if (last && *last) {
		puts(last);
		fflush(stdout);
	}
	free(t);
	return signal ? 128 + signal : leave ? TUI_PROMPT : TUI_QUIT;
}

int
tui_main(struct session *s, const struct tui_options *o, struct err *e)
{
	static const struct tui_options all_default = {.color = -1};
	struct tui *t = calloc(1, sizeof(*t));

	if (!t)
		return err_nomem(e);
	t->session = s;
	if (start(t, o ? o : &all_default, e) < 0) {
		free(t);
		return -1;
	}
	loop(t);
	session_set_ui(s, &(struct session_ui){.interactive = true});
	return finish(t);
}
