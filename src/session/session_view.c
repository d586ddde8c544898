/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_view.c - the view of a session, which prompt and panes share: the core in focus, the
 * selection, the last stop.
 */
#include "session/session_part.h"

#include <stdio.h>

void
session_prompt(const struct session *s, char *buf, size_t size)
{
	char cycle[HUMAN], of[HUMAN];
	cycle_t tip;

	if (s->script.asking)
		snprintf(buf, size, "%s", s->script.question);
	else if (s->script.open)
		snprintf(buf, size, "%*s> ", (int)block_prompt_indent(s->script.open), "");
	else if (!s->sim)
		snprintf(buf, size, "(ctascope) ");
	else
		snprintf(buf, size, "(ctascope %s%s%s core %u) ", human(cycle, sim_cycle(s->sim)),
			 session_behind(s, &tip) ? " of " : "",
			 session_behind(s, &tip) ? human(of, tip) : "", s->view.core);
}

bool
session_is_interactive(const struct session *s)
{
	return s->ui.interactive;
}

unsigned
session_focus_core(const struct session *s)
{
	return s->view.core;
}

void
session_set_focus_core(struct session *s, unsigned core)
{
	if (s->sim && core < sim_instances(s->sim, "core"))
		s->view.core = core;
}

void
session_select(struct session *s, cycle_t from, cycle_t to)
{
	s->view.from = from;
	s->view.to = to;
}

bool
session_selection(const struct session *s, cycle_t *from, cycle_t *to)
{
	*from = s->view.from;
	*to = s->view.to;
	return s->view.to > 0;
}

bool
session_mouse(const struct session *s)
{
	return s->opts.mouse;
}

void
session_set_mouse(struct session *s, bool on)
{
	s->opts.mouse = on;
}

unsigned
session_line_rate(const struct session *s)
{
	return s->opts.line_rate;
}

bool
session_thick_lines(const struct session *s)
{
	return s->opts.thick_lines;
}

bool
session_core_has_stop(const struct session *s, unsigned core)
{
	return debug_core_has_stop(s->debug, core);
}

const char *
session_last_stop(const struct session *s)
{
	struct place here = timeline_here(s->timeline);

	return here.branch == s->stopped_at.branch && here.cycle == s->stopped_at.cycle
		       ? s->last_stop
		       : "";
}
