/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tui.c - the event loop: keys in, frames out, and the session in between.
 *
 * One thread. Stopped, the loop sleeps in poll(). While the model runs, the loop stands still
 * inside session_exec() and the session calls tick() about thirty times a second: keys are read
 * each time, a frame is drawn when it is due (pace.h) and the terminal has taken the last one; on a
 * slow line frames are left out and the model goes on. During a run only screen commands are done;
 * commands for the session wait for its end.
 */
#define _GNU_SOURCE 1
#include "base/clock.h"
#include "tui/tui.h"
#include "tui/compare_view.h"
#include "tui/guard.h"
#include "tui/line.h"
#include "tui/pace.h"
#include "tui/race_view.h"
#include "tui/screen.h"
#include "tui/stage.h"
#include "tui/term.h"
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WAITING 16	 /* command lines typed during a run */
#define FRAME_BYTES 20e3 /* a second for frames of a run, on average */
#define FRAMES 30.0	 /* a second, at most, when they cost the model nothing */

struct tui {
	struct session *session;
	struct screen screen;
	struct term *term;
	bool quit, in_run;
	int width, height; /* the session knows of */
	struct pace pace;
	double drew;	 /* the last frame of a run, on the clock */
	bool want_frame; /* a key was pressed: the next frame does not wait until it is due */
	char *waiting[WAITING];
	unsigned n_waiting;
};

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
		line_show(&s->line);
	screen_draw(s);
	term_mouse(t->term, session_mouse(t->session));
	term_blit(t->term, s->canvas, &s->painter, s->cursor_x, s->cursor_y);
}

/* What libraries printed: the last line of it as a notice; all of it is shown after the screen. */
static void
show_kept(struct tui *t)
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

static void
prompt_start(struct tui *t)
{
	char prompt[128] = "/";

	if (t->screen.mode == MODE_PROMPT)
		session_prompt(t->session, prompt, sizeof(prompt));
	line_start(prompt);
	line_show(&t->screen.line);
}

/* Returns true when a run should stop. */
static bool
handle_events(struct tui *t)
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
		if (!t->in_run)
			session_take_interrupt(t->session);
		if (!t->in_run)
			session_give_up(t->session);
		if (t->screen.mode != MODE_KEYS && !t->in_run)
			prompt_start(t);
		else if (!t->in_run)
			screen_notice(&t->screen, "q leaves ctascope");
	}
	if (events & GUARD_END)
		t->quit = stop = true;
	return stop;
}

/* ---------------------------------------------------------------- commands */

static void
prompt_stop(struct tui *t)
{
	line_stop();
	t->screen.mode = MODE_KEYS;
}

static void
run_session(struct tui *t, const char *text)
{
	struct screen *s = &t->screen;
	enum session_status status;

	screen_before(s, text);
	axis_follow(&s->axis);
	t->in_run = true;
	status = session_exec(t->session, text);
	handle_events(t); /* the Ctrl-C that ended a run is done with */
	t->in_run = false;
	screen_after(s);
	show_kept(t);
	if (status == SESSION_QUIT)
		t->quit = true;
}

static void
wait_with(struct tui *t, const char *text)
{
	if (t->n_waiting < WAITING && (t->waiting[t->n_waiting] = strdup(text)))
		t->n_waiting++;
	screen_notice(&t->screen, "waits until the model stops: %s", text);
}

/* One command line, of a key or typed. */
static void
do_command(struct tui *t, const char *text, bool typed)
{
	struct screen *s = &t->screen;
	enum screen_mode mode = s->mode;
	struct err e = {0};
	/* the lines of a construct are not done now, and a key is none of them */
	int done = !typed || !session_collects(t->session) ? screen_command(s, text, &e) : 0;

	if (done < 0)
		screen_notice(s, "%s", e.msg);
	else if (done == 0 && t->in_run && session_exec_running(t->session, text))
		t->want_frame = true;
	else if (done == 0 && t->in_run && typed)
		wait_with(t, text);
	else if (done == 0 && t->in_run)
		screen_notice(s, "the model is running; Space pauses it");
	else if (done == 0 && !typed && session_collects(t->session))
		screen_notice(s, "lines up to 'end' are being typed: ':' goes on, Ctrl-C gives up");
	else if (done == 0)
		run_session(t, text);
	if (mode == MODE_KEYS && s->mode != MODE_KEYS)
		prompt_start(t);
	if (s->want_redraw)
		term_redraw(t->term);
	s->want_redraw = false;
}

/* Commands typed during a run, now that it is over. */
static void
do_waiting(struct tui *t)
{
	while (t->n_waiting && !t->quit) {
		char *text = t->waiting[0];
		memmove(t->waiting, t->waiting + 1, --t->n_waiting * sizeof(*t->waiting));
		do_command(t, text, true);
		free(text);
	}
}

/* An accepted line: several after a paste. An empty one leaves the command line. */
static void
do_line(struct tui *t, char *text)
{
	struct screen *s = &t->screen;
	char *save = NULL;

	if (s->mode == MODE_SEARCH) {
		char command[160];
		snprintf(command, sizeof(command), "search %.140s", *text ? text : s->search);
		prompt_stop(t);
		if (*text || s->search[0]) /* empty: the same text again, further back */
			do_command(t, command, true);
		return;
	}
	if (!text[strspn(text, " \t\n")] && !session_collects(t->session)) {
		prompt_stop(t);
		return;
	}
	line_add_history(text);
	for (char *p = strtok_r(text, "\n", &save); p && !t->quit; p = strtok_r(NULL, "\n", &save))
		do_command(t, p, true);
	if (s->mode == MODE_PROMPT)
		prompt_start(t); /* cycle and focus in it may be others now */
}

/* ---------------------------------------------------------------- keys */

static void
line_key(struct tui *t, const struct term_key *k)
{
	char *text;

	line_push(k->bytes, k->n);
	line_run();
	while ((text = line_take())) {
		do_line(t, text);
		free(text);
	}
	if (line_redraw())
		term_redraw(t->term);
	if (line_given_up() && t->screen.mode != MODE_KEYS) {
		session_give_up(t->session);
		prompt_stop(t);
	}
}

static void
one_key(struct tui *t, const struct term_key *k)
{
	char buf[200];
	const char *command;

	if (k->code == TERM_MOUSE) {
		screen_mouse(&t->screen, &k->mouse);
		return;
	}
	if (t->screen.mode != MODE_KEYS) {
		t->screen.notice[0] = '\0';
		/* With a long result open the page keys read it; everything else goes on typing. */
		if (t->screen.log_open && (k->code == K_PGUP || k->code == K_PGDN)) {
			do_command(t, k->code == K_PGUP ? "scroll page-up" : "scroll page-down",
				   false);
			return;
		}
		line_key(t, k);
		return;
	}
	if (k->code == TERM_PASTE) { /* pasted text is never a row of keys */
		do_command(t, "prompt", false);
		line_key(t, k);
		return;
	}
	if (k->code == K_NONE)
		return;
	command = screen_key(&t->screen, k->code, buf, sizeof(buf));
	if (command && *command)
		do_command(t, command, false);
}

/* All keys that wait; true when there were any. */
static bool
read_keys(struct tui *t)
{
	struct term_key k;
	bool any = false;

	while (!t->quit && !t->screen.want_leave &&
	       term_read(t->term, t->screen.mode != MODE_KEYS, &k)) {
		any = true;
		one_key(t, &k);
		if (t->in_run && t->screen.want_pause)
			break;
	}
	return any;
}

/* readline wants the rest of a paste. */
static bool
more_bytes(void *ctx)
{
	struct tui *t = ctx;
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	struct term_key k;
	bool any = false;

	if (poll(&p, 1, 1000) <= 0)
		return false;
	while (term_read(t->term, true, &k)) {
		line_push(k.bytes, k.n);
		any = true;
	}
	return any;
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
	bool stop = handle_events(t);
	double done, left;
	/* After events: a stay in the shell is not the frame's. */
	double processor = clock_processor(), clock = clock_seconds();
	uint64_t bytes = term_bytes(t->term);

	t->want_frame |= read_keys(t);
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

	if (ppoll(p, ARRAY_LEN(p), &until, NULL) > 0 && p[0].revents & (POLLHUP | POLLERR))
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
		if (poll(p, 3 + beside, -1) < 0)
			p[0].revents = p[1].revents = 0; /* a signal; its byte is in the pipe */
		handle_events(t);
		if (session_beside_read(t->session))
			session_beside_say(t->session);
		read_keys(t);
		if (p[0].revents & (POLLHUP | POLLERR))
			t->quit = true; /* the terminal is gone */
		do_waiting(t);
		if (!session_collects(t->session) &&
		    session_take_want_stats(t->session)) /* SIGUSR1 */
			do_command(t, "info stats", true);
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
	struct line_hooks hooks = {.ctx = t, .more = more_bytes, .session = t->session};

	if (!tui_possible())
		return err_set(e, "the full screen needs a terminal on standard input and output");
	setlocale(LC_CTYPE, "");
	if (theme_load(&theme, o->theme ? o->theme : theme_for_terminal(), e) < 0)
		return -1;
	/* readline first: it looks at standard output to learn what the terminal can, and its
	 * look-up would change the size that curses believes in. */
	line_enter(&hooks);
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
