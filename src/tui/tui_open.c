/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tui_open.c - opens the full screen on the terminal, and closes it: for a session, or for the page
 * of a race or a comparison without one.
 *
 * Every way in restores the terminal on its way out; an error leaves it as it was.
 */
#include "base/memory.h"
#include "line/line.h"
#include "prompt/prompt.h"
#include "tui/guard.h"
#include "tui/tui_part.h"

#include <locale.h>
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

/* Reports what tui_possible() lacks. */
static int
refuse_terminal(const char *what, struct err *e)
{
	const char *term = getenv("TERM");

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return err_set(e, "%s needs a terminal on standard input and output", what);
	if (!term || !*term)
		return err_set(e, "%s needs the name of the terminal in TERM, which is not set",
			       what);
	return err_set(e, "%s needs a terminal that can move its cursor, and TERM is %s", what,
		       term);
}

static void
on_sent(void *ctx, const char *bytes, size_t n)
{
	session_record(ctx, bytes, n);
}

static int
start_screen(struct tui *t, const struct tui_options *o, const char *what, struct err *e)
{
	struct theme theme;

	if (!tui_possible())
		return refuse_terminal(what, e);
	setlocale(LC_CTYPE, "");
	if (theme_load(&theme, o->theme ? o->theme : theme_for_terminal(), e) < 0)
		return -1;
	/* readline must start first: it inspects standard output to learn what the terminal can do,
	 * and that would change the size that curses uses. */
	prompt_enter(t->session, true);
	if (!guard_enter(t->session)) {
		line_leave();
		return err_set(e, "cannot start the full screen: too many open files");
	}
	t->term = term_open(STDIN_FILENO, guard_terminal(), o->color, o->ascii, e);
	if (!t->term) {
		line_leave();
		guard_leave();
		return -1;
	}
	term_listen(t->term, on_sent, t->session);
	if (!term_has_mouse(t->term)) /* `M` and `set mouse on` try it all the same */
		session_set_mouse(t->session, false);
	screen_init(&t->screen, t->session, &theme, term_depth(t->term), term_unicode(t->term));
	/* the fonts of the Linux console have half blocks but no braille */
	t->screen.no_braille = strncmp(getenv("TERM"), "linux", 5) == 0;
	screen_painter(&t->screen);
	return 0;
}

static void
close_screen(struct tui *t)
{
	line_leave();
	term_close(t->term);
	screen_free(&t->screen);
	for (unsigned i = 0; i < t->n_waiting; i++)
		free(t->waiting[i]);
	guard_leave();
	free(t);
}

/* Opens the screen of a session, or of a page without one; returns NULL with e if it cannot. */
static struct tui *
open_screen(struct session *s, const struct tui_options *o, const char *what, struct err *e)
{
	static const struct tui_options all_default = {.color = -1};
	struct tui *t = memory_new(1, sizeof(*t));

	t->session = s;
	if (start_screen(t, o ? o : &all_default, what, e) == 0)
		return t;
	free(t);
	return NULL;
}

int
tui_main(struct session *s, const struct tui_options *o, struct err *e)
{
	struct tui *t = open_screen(s, o, "the full screen", e);
	const char *last;
	bool leave;
	int signal;

	if (!t)
		return -1;
	tui_draw(t); /* commands may depend on its size and on the cycles of the run */
	if (!session_sim(s) && !(o && o->first)) /* a lesson opens its own workload */
		tui_do_command(t, "pane launcher", false);
	tui_do_kept(t);
	if (o && o->first)
		tui_do_command(t, o->first, false);
	tui_do_waiting(t); /* what was typed while that ran */
	tui_run_loop(t);
	session_set_ui(s, &(struct session_ui){.interactive = true});
	signal = guard_signal();
	leave = t->screen.want_leave && !t->quit;
	close_screen(t);
	last = session_last_stop(s); /* stays visible after the screen has closed */
	if (last && *last) {
		puts(last);
		fflush(stdout);
	}
	return signal ? 128 + signal : leave ? TUI_PROMPT : TUI_QUIT;
}

int
tui_race(struct session *s, struct race *r, const struct tui_options *o, struct err *e)
{
	struct tui *t = open_screen(s, o, "the screen of a race", e);
	int rc;

	if (!t)
		return -1;
	rc = tui_show_race(t, r);
	close_screen(t);
	return rc;
}

int
tui_compare(struct session *s, const struct compare *c, const char *column,
	    const struct tui_options *o, struct err *e)
{
	struct tui *t = open_screen(s, o, "the screen of a comparison", e);
	int rc;

	if (!t)
		return -1;
	rc = tui_show_compare(t, c, column);
	close_screen(t);
	return rc;
}
