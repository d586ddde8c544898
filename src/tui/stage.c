/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stage.c - see stage.h. */
#include "tui/stage.h"
#include "tui/guard.h"
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool
tui_possible(void)
{
	const char *term = getenv("TERM");

	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term && *term &&
	       strcmp(term, "dumb") != 0;
}

int
stage_open(struct stage *g, struct session *s, const struct tui_options *o, const char *what,
	   struct err *e)
{
	*g = (struct stage){.session = s, .want_frame = true, .own = true};
	if (!tui_possible())
		return err_set(e, "%s needs a terminal", what);
	setlocale(LC_CTYPE, "");
	if (theme_load(&g->theme, o->theme ? o->theme : theme_for_terminal(), e) < 0)
		return -1;
	if (!guard_enter(s))
		return err_set(e, "cannot start the full screen: no more descriptors");
	g->term = term_open(STDIN_FILENO, guard_terminal(), o->color, o->ascii, e);
	if (g->term)
		return 0;
	guard_leave();
	return -1;
}

void
stage_borrow(struct stage *g, struct session *s, struct term *t, const struct theme *theme)
{
	*g = (struct stage){.session = s, .term = t, .theme = *theme, .want_frame = true};
}

int
stage_close(struct stage *g)
{
	int signal = guard_signal();

	canvas_free(g->canvas);
	g->canvas = NULL;
	if (g->own) {
		term_close(g->term);
		guard_leave();
	}
	return signal ? 128 + signal : g->interrupted;
}

static bool
fit_canvas(struct stage *g)
{
	int w, h;
	struct canvas *c;

	term_size(g->term, &w, &h);
	w = MIN(MAX(w, 1), 1000);
	h = MIN(MAX(h, 1), 1000);
	if (g->canvas && g->canvas->w == w && g->canvas->h == h)
		return true;
	c = canvas_new(w, h);
	if (!c)
		return false;
	canvas_free(g->canvas);
	g->canvas = c;
	return true;
}

bool
stage_ready(struct stage *g)
{
	return !term_busy(g->term) && fit_canvas(g);
}

void
stage_events(struct stage *g)
{
	unsigned events = guard_take();

	if (events & GUARD_STOP) {
		term_suspend(g->term);
		guard_release(true);
		guard_stop_self();
		/* what came meanwhile, but that we were continued is no news */
		events = (events | guard_take()) & ~(unsigned)(GUARD_CONT | GUARD_STOP);
		guard_release(false);
		term_resume(g->term);
		g->want_frame = true;
	}
	if (events & GUARD_CONT) {
		term_suspend(g->term);
		term_resume(g->term);
	}
	if (events & GUARD_WINCH)
		term_resize(g->term);
	g->interrupted |= (events & GUARD_INT) != 0;
	g->leave |= (events & (GUARD_INT | GUARD_END)) != 0;
	g->want_frame |= events != 0;
}

void
stage_wait(struct stage *g, struct pollfd *p, unsigned n, int ms)
{
	p[0] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
	p[1] = (struct pollfd){.fd = guard_fd(), .events = POLLIN};
	if (poll(p, 2 + n, ms) > 0 && (p[0].revents & (POLLHUP | POLLERR)))
		g->leave = true; /* the terminal is gone */
}

/* Or for a signal that ends the program: poll() returns for one that comes while it waits, and the
 * loop looks for one that came before. */
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

int
stage_shell(const char *command)
{
	int status = system(*command ? command : "${SHELL:-/bin/sh}");

	if (*command) {
		fputs("\nEnter goes back to ctascope. ", stdout);
		fflush(stdout);
		wait_for_enter();
	}
	return status;
}
