/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pane_log.c - what was said: results, stops, notes, errors. Newest at the bottom, or scrolled
 * back. */
#include "tui/panes.h"
#include <string.h>

static enum role
line_role(enum say kind)
{
	static const enum role role[] = {ROLE_RESULT, ROLE_STOPLINE, ROLE_NOTE, ROLE_ERROR};

	return (unsigned)kind < ARRAY_LEN(role) ? role[kind] : ROLE_RESULT;
}

static void
draw(struct screen *s, struct canvas *c)
{
	unsigned n = session_log_count(s->session), rows = (unsigned)c->h;
	unsigned to = n > s->log_back ? n - s->log_back : 0, from = to > rows ? to - rows : 0;
	bool active = s->pane == &pane_log;

	canvas_text(c, 1, 0, active ? ROLE_FOCUS : ROLE_TITLE, "log");
	canvas_put(c, 0, 0, ROLE_FOCUS, active ? 0x25b8 : ' ');
	for (unsigned i = from; i < to; i++) {
		enum say kind = SAY_RESULT;
		const char *text = session_log_line(s->session, i, &kind);
		int y = (int)(i - from);
		canvas_fit(c, 6, y, c->w - 7, line_role(kind), text ? text : "");
		if (text && s->search[0] && strstr(text, s->search))
			canvas_attr(c, 6, y, MIN(text_width(text), c->w - 7), ATTR_REVERSE);
	}
	if (s->log_back)
		canvas_printf(c, 0, c->h - 1, ROLE_DIM, "-%u", s->log_back);
}

static const char *
key(const struct screen *s, int k)
{
	(void)s;
	switch (k) {
	case 'k':
	case K_UP:
		return "scroll up";
	case 'j':
	case K_DOWN:
		return "scroll down";
	case K_PGUP:
		return "scroll page-up";
	case K_PGDN:
		return "scroll page-down";
	case K_GG:
	case K_HOME:
		return "scroll start";
	case 'G':
	case K_END:
		return "scroll end";
	default:
		return NULL;
	}
}

const struct pane_ops pane_log = {
	.name = "log",
	.help = "What commands said and why the model stopped. As the active pane: j k PgUp PgDn "
		"scroll, / searches.",
	.min_w = 20,
	.min_h = 1,
	.draw = draw,
	.key = key,
};
