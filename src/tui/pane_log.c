/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pane_log.c - shows the log: results, stops, notes and errors, the newest at the bottom; the user
 * can scroll back. */
#include "tui/fmt.h"
#include "tui/panes.h"
#include <inttypes.h>
#include <string.h>

static enum role
line_role(enum say kind)
{
	static const enum role role[] = {ROLE_RESULT, ROLE_STOPLINE, ROLE_NOTE, ROLE_ERROR};

	return (unsigned)kind < ARRAY_LEN(role) ? role[kind] : ROLE_RESULT;
}

/* Returns the column at which further rows of a long line begin: below its text, which follows the
 * indentation and, in "  then   cta-issue, core 0", the word before the only gap. */
static int
text_column(const char *line, int w)
{
	const char *text = line + strspn(line, " "), *gap = strstr(text, "  ");
	int indent = (int)(text - line), column = indent;

	if (gap && gap[strspn(gap, " ")] && !strstr(gap + strspn(gap, " "), "  "))
		column = text_width(line) - text_width(gap + strspn(gap, " "));
	return column <= w / 2 ? column : indent <= w / 2 ? indent : 0;
}

int
log_line_rows(const struct screen *s, unsigned i, int w)
{
	enum say kind;
	const char *text = session_log_line(s->session, i, &kind);

	return text && *text ? canvas_wrap_below(s->canvas, 0, 0, MAX(w, 1), 0, ROLE_TEXT, text,
						 text_column(text, w))
			     : 1;
}

int
log_draw_line(struct screen *s, struct canvas *c, int x, int y, int w, unsigned i)
{
	enum say kind = SAY_RESULT;
	const char *text = session_log_line(s->session, i, &kind);
	int rows = log_line_rows(s, i, w);

	if (!text)
		return 1;
	canvas_wrap_below(c, x, y, w, c->h - y, line_role(kind), text, text_column(text, w));
	for (int k = 0; s->search[0] && k < rows && strstr(text, s->search); k++)
		canvas_attr(c, x, y + k, MIN(text_width(text), w), ATTR_REVERSE);
	return rows;
}

bool
log_shows_notice(const struct screen *s, const char *text, int rows)
{
	unsigned to = session_log_count(s->session), i = to ? to - 1 : 0;
	enum say kind;

	if (s->page || s->help)
		return false;
	if (s->log_open) {
		i = s->log_from + s->log_back;
		to = s->log_seen;
	} else if (s->pane->ops->kind == PANE_OVER || s->log_back || rows < 2 ||
		   log_line_rows(s, i, s->layout.log.w - 7) > s->layout.log.h) {
		return false;
	}
	for (; i < to; i++) {
		const char *line = session_log_line(s->session, i, &kind);
		if (line && strncmp(line, text, strlen(text)) == 0)
			return true;
	}
	return false;
}

static void
draw_pane(struct screen *s, struct pane_view *v, struct canvas *c)
{
	unsigned n = session_log_count(s->session);
	unsigned to = n > s->log_back ? n - s->log_back : 0, from = to;
	bool active = s->pane == v;
	int w = c->w - 7, used = 0, y = 0;
	char dropped[FMT_MAX];

	canvas_text(c, 1, 0, active ? ROLE_FOCUS : ROLE_TITLE, "log");
	canvas_put(c, 0, 0, ROLE_FOCUS, active ? 0x25b8 : ' ');
	while (from > 0 && used + log_line_rows(s, from - 1, w) <= c->h)
		used += log_line_rows(s, --from, w);
	if (from == to && to > 0)
		from--; /* show the beginning of a line that is higher than the pane */
	if (from == 0 && used < c->h && session_log_dropped(s->session))
		canvas_printf(c, 6, y++, ROLE_DIM, "%s earlier lines are gone (ui.log_lines %u)",
			      fmt_u64(dropped, session_log_dropped(s->session)), n);
	for (unsigned i = from; i < to && y < c->h; i++)
		y += log_draw_line(s, c, 6, y, w, i);
	if (s->log_back)
		canvas_printf(c, 0, c->h - 1, ROLE_DIM, "-%u", s->log_back);
}

static const char *
key_command(struct screen *s ATTR_UNUSED, struct pane_view *v ATTR_UNUSED, int k,
	    char *buf ATTR_UNUSED, size_t size ATTR_UNUSED)
{
	return keys_scroll(k);
}

const struct pane_ops pane_log = {
	.name = "log",
	.help = "The output of commands, and why the model stopped. As the active pane: j k PgUp "
		"PgDn scroll, / searches.",
	.read = "The output of commands, the newest below. A stop says what happened, where, and "
		"the rule with its numbers. The output of the last command is shown in full until "
		"the next key.",
	.keys = "j k PgUp PgDn scroll, / searches, newest first, and again for the next.",
	.also = "search, log, why, info events",
	.min_w = 20,
	.min_h = 1,
	.kind = PANE_LOG,
	.draw = draw_pane,
	.key = key_command,
};
