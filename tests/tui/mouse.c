/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mouse.c - mouse reports: their meaning, and the effects of clicks, drags and the wheel on the
 * screen.
 */
#include "tests/tui/on_screen.h"

#include <locale.h>

static struct err e;

static bool
is_report(struct mouse m, enum mouse_kind kind, int x, int y)
{
	return m.kind == kind && (kind == MOUSE_NONE || (m.x == x && m.y == y));
}

static void
reports(void)
{
	static const char *const bad[] = {
		"",	   "0",	      "0;1",	 "0;1;",
		"0;1;2;3", "0;0;1",   "0;1;0",	 "-1;1;1",
		"x;1;1",   "0;1;1x",  "128;1;1", "0;99999;1",
		"35;1;1",  "0; 1; 1", "0;1;1e9", "999999999999999999999;1;1"};
	struct mouse m = mouse_sgr("0;10;5", 'M');

	ok(is_report(m, MOUSE_PRESS, 9, 4) && m.button == 0, "a press");
	m = mouse_sgr("2;1;1", 'm');
	ok(is_report(m, MOUSE_RELEASE, 0, 0) && m.button == 2, "the right button is let go");
	ok(is_report(mouse_sgr("32;223;100", 'M'), MOUSE_DRAG, 222, 99), "a drag, far away");
	m = mouse_sgr("64;3;3", 'M');
	ok(m.kind == MOUSE_WHEEL && m.by == -1 && !m.sideways, "the wheel, up");
	m = mouse_sgr("65;3;3", 'M');
	ok(m.kind == MOUSE_WHEEL && m.by == 1 && !m.sideways, "down");
	ok(mouse_sgr("69;3;3", 'M').sideways && mouse_sgr("67;3;3", 'M').sideways,
	   "with Shift, and the other wheel: sideways");
	ok(is_report(mouse_sgr("16;3;3", 'M'), MOUSE_PRESS, 2, 2), "Control is no other button");
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		ok(mouse_sgr(bad[i], 'M').kind == MOUSE_NONE, "no report: '%s'", bad[i]);
	ok(mouse_sgr("0;1;1", 'H').kind == MOUSE_NONE, "nor with another end");
	ok(is_report(mouse_x10((const unsigned char *)" *%"), MOUSE_PRESS, 9, 4),
	   "a press as old terminals tell it");
	ok(is_report(mouse_x10((const unsigned char *)"#*%"), MOUSE_RELEASE, 9, 4),
	   "and a release");
	ok(mouse_x10((const unsigned char *)"\001*%").kind == MOUSE_NONE, "but not a control byte");
}

/* ---------------------------------------------------------------- on the screen */

/* Sends a report as the terminal does: "0;10;5M". */
static void
send(const char *text)
{
	char copy[32];
	struct mouse m;
	size_t n = strlen(text);

	snprintf(copy, sizeof(copy), "%.*s", (int)n - 1, text);
	m = mouse_sgr(copy, text[n - 1]);
	screen_mouse(&s, &m);
	screen_draw(&s);
}

/* At 80x24 the body of the strip begins in row 3 of the terminal, its columns at 5; a sample is 64
 * cycles. */
static void
clicks(void)
{
	open_screen(80, 24, (struct stage_options){.samples = 40});
	send("0;15;8M");
	send("0;15;8m");
	is_u64(session_focus_core(session), 10, "a click takes the core of the row");
	is_u64(axis_cursor(&s.axis), 11 * s.axis.per, "and the cycle of the column");
	ok(!screen_live(&s), "which is in the past");
	send("0;15;8M");
	is_u64(session_focus_core(session), 11, "the second click is the lower core");
	send("0;15;8M");
	is_u64(session_focus_core(session), 10, "the third the upper");
	send("0;2;9M");
	is_u64(session_focus_core(session), 12, "on a label too,");
	is_u64(axis_cursor(&s.axis), 11 * s.axis.per, "where there is no time");
	send("0;47;8M");
	ok(screen_live(&s), "a click beyond the newest goes to it");
	send("0;20;18M");
	is_u64(axis_cursor(&s.axis), 16 * s.axis.per, "a click on the axis takes the cycle");
	is_u64(session_focus_core(session), 10, "and no core");
	send("2;15;12M");
	is_u64(session_focus_core(session), 10, "the right button is the terminal's");
	send("0;60;14M");
	is_str(s.pane->ops->name, "policy", "a click makes a pane the active one");
	send("0;3;22M");
	is_str(s.pane->ops->name, "log", "the log, too");
	send("0;3;1M");
	send("0;500;500M");
	is_str(s.pane->ops->name, "log", "nothing happens where nothing is");
	close_screen();
	/* 110 cores in 15 rows of two halves */
	open_screen(80, 24, (struct stage_options){.samples = 40, .cores = 110});
	send("0;15;4M");
	is_u64(session_focus_core(session), 110 / 15, "of cores that share a row the first");
	for (int i = 0; i < 6; i++)
		send("0;15;4M");
	is_u64(session_focus_core(session), 2 * 110 / 15 - 1, "then the others");
	send("0;15;4M");
	is_u64(session_focus_core(session), 110 / 15, "then the first again");
	screen_command(&s, "fold off", NULL);
	screen_draw(&s);
	send("0;15;3M");
	is_u64(session_focus_core(session), s.top_core, "and where the strip scrolls its own");
	close_screen();
}

static void
wheels(void)
{
	cycle_t per, at;

	open_screen(80, 24, (struct stage_options){.samples = 140});
	per = s.axis.per;
	at = s.axis.t0 + 10 * per + 1;
	send("64;15;8M");
	ok(s.axis.per < per, "the wheel zooms in");
	ok(screen_live(&s), "the cursor stays");
	is_u64((uint64_t)axis_column(&s.axis, at), 10, "and what is under the pointer");
	at = s.axis.t0;
	send("69;15;8M");
	ok(s.axis.t0 > at, "with Shift it goes on in time");
	send("68;15;8M");
	is_u64(s.axis.t0, at, "and back");
	send("65;15;8M");
	is_u64(s.axis.per, per, "down zooms out");
	send("65;15;8M");
	send("65;15;8M");
	ok(s.axis.fit && s.axis.t0 == 0, "until all is in view");
	screen_command(&s, "pane help", &e);
	screen_draw(&s);
	send("65;15;8M");
	is_u64((uint64_t)s.help_top, 3, "over the help it scrolls");
	send("0;15;8M");
	ok(!s.help, "a click closes the help");
	close_screen();
}

static void
drags(void)
{
	cycle_t from, to, per;
	char line[80];

	open_screen(80, 24, (struct stage_options){.samples = 140});
	per = s.axis.per;
	send("0;15;8M");
	send("32;18;8M");
	send("32;24;20M");
	ok(strstr(s.notice, "let go to zoom"), "while it is dragged, what will be: %s", s.notice);
	ok(canvas_at(s.canvas, 14, 17)->attr & ATTR_REVERSE &&
		   canvas_at(s.canvas, 23, 17)->attr & ATTR_REVERSE &&
		   !(canvas_at(s.canvas, 24, 17)->attr & ATTR_REVERSE),
	   "the axis shows it");
	send("0;24;20m");
	ok(session_selection(session, &from, &to), "a part is selected");
	is_u64(from, 10 * per, "from the column of the press");
	is_u64(to, 20 * per, "to that of the release");
	ok(s.axis.t0 <= from && s.axis.per < per &&
		   s.axis.t0 + (cycle_t)s.axis.w * s.axis.per >= to,
	   "the panes show it");
	ok(screen_live(&s), "the cursor is where it was");
	screen_command(&s, "zoom all", &e);
	screen_draw(&s);
	ok(canvas_at(s.canvas, 14, 17)->attr & ATTR_REVERSE &&
		   !(canvas_at(s.canvas, 13, 17)->attr & ATTR_REVERSE),
	   "of the whole run the axis says which part it was");
	send("0;24;8M");
	send("32;9;8M");
	send("0;9;8m");
	session_selection(session, &from, &to);
	ok(from == 4 * per && to == 20 * per, "it may be dragged backwards");
	screen_command(&s, "zoom all", &e);
	send("0;15;8M");
	send("32;16;8M");
	send("32;15;8M");
	send("0;15;8m");
	session_selection(session, &from, &to);
	ok(from == 4 * per, "back to where it began selects nothing");
	ok(screen_command(&s, "select none", &e) == 1 && !session_selection(session, &from, &to),
	   "select none");
	snprintf(line, sizeof(line), "select %" PRIu64 "..%" PRIu64, 8 * per, 9 * per);
	ok(screen_command(&s, line, &e) == 1 && session_selection(session, &from, &to) &&
		   from == 8 * per && to == 9 * per,
	   "without a mouse: %s", line);
	screen_command(&s, "zoom all", &e);
	close_screen();
}

static void
mistakes(void)
{
	static const char *const bad[] = {"select",	 "select x",	      "select 5..3",
					  "select 1..x", "select 99999999..", "mouse maybe"};

	open_screen(80, 24, (struct stage_options){.samples = 40});
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		err_clear(&e);
		ok(screen_command(&s, bad[i], &e) < 0, "%s: %s", bad[i], e.msg);
	}
	screen_command(&s, "mouse on", &e);
	ok(session_mouse(session), "mouse on");
	screen_command(&s, "mouse", &e);
	ok(!session_mouse(session), "and the other way");
	close_screen();
	open_screen(80, 24, (struct stage_options){.no_workload = true});
	send("0;15;8M");
	send("32;20;8M");
	send("0;20;8m");
	send("64;15;8M");
	ok(screen_command(&s, "select 1..2", &e) < 0, "no run, nothing to select: %s", e.msg);
	close_screen();
	for (int w = 1; w < 140; w += 23)
		for (int h = 1; h < 60; h += 11) {
			open_screen(w, h, (struct stage_options){.samples = 20, .cores = 56});
			for (int y = 0; y < h + 2; y += 3)
				for (int x = 0; x < w + 2; x += 5) {
					char text[40];

					snprintf(text, sizeof(text), "0;%d;%dM", x + 1, y + 1);
					send(text);
					snprintf(text, sizeof(text), "32;%d;%dM", w, h);
					send(text);
					send("0;1;1m");
				}
			close_screen();
		}
	ok(true, "no place on any screen does harm");
}

int
main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	reports();
	clicks();
	wheels();
	drags();
	mistakes();
	return done();
}
