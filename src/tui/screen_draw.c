/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screen_draw.c - one frame: header, panes, the lines below them, command line, overlays.
 *
 * Every number has a place that depends on the size of the screen only. What does not fit is left
 * out by weight, never squeezed.
 */
#include "tui/fmt.h"
#include "tui/panes.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct canvas
part(const struct screen *s, struct rect r)
{
	return canvas_sub(s->canvas, r.x, r.y, r.w, r.h);
}

/* ---------------------------------------------------------------- header */

/* Of a name in the user's cache, NAME-SIZE-KEY (ctascope(1)): NAME, or NAME:SIZE. Returns where it
 * ends. */
static const char *
without_key(const char *p, const char *end, char *size_from)
{
	enum { KEY = 16, DEFAULT = 8 };
	const char *dash = end - KEY - 1;

	*size_from = '-';
	if (end - p < KEY + 3 || *dash != '-' || strspn(dash + 1, "0123456789abcdef") < KEY)
		return end;
	*size_from = ':';
	if (dash - p > DEFAULT && strncmp(dash - DEFAULT, "-default", DEFAULT) == 0)
		return dash - DEFAULT;
	return dash;
}

/* The workload's name: its file without folders and suffix; of a folder of captured kernels, the
 * folder. */
static void
workload_name(const struct sim *sim, char *buf, size_t size)
{
	const char *path = sim_trace(sim)->path ? sim_trace(sim)->path : "",
		   *end = path + strlen(path), *p;

	for (int up = 0; up < 2; up++) {
		for (p = end; p > path && p[-1] != '/'; p--)
			;
		bool kernels = strncmp(p, "kernel", 6) == 0 && memmem(p, (size_t)(end - p), ".", 1);
		if (!kernels || p == path)
			break;
		end = p - 1;
	}
	const char *dot = p;
	char colon, *dash;

	while (dot < end && *dot != '.')
		dot++;
	end = without_key(p, dot, &colon);
	snprintf(buf, size, "%.*s", (int)(end - p), p);
	dash = strchr(buf, '-');
	if (dash && colon == ':')
		*dash = colon;
}

/* Numbers and policy at the right, each in a field of its own: "cycle 22,528  IPC 212  RACT
 * 0.47". */
static int
header_numbers(const struct screen *s, struct canvas *c, int end)
{
	struct sim *sim = screen_sim(s);
	int i = screen_sample(s), x = end;
	char num[FMT_MAX], text[64];

	if (c->w >= 72) {
		const char *policy = config_policy_text(sim_config(sim));
		int w = MIN(text_width(policy), c->w >= 110 ? 30 : 12);

		x -= w;
		canvas_fit(c, x, 0, w, ROLE_HEADER, policy);
		x -= 2;
	}
	if (c->w >= 50) {
		x -= 9;
		snprintf(text, sizeof(text), "RACT %s",
			 fmt_num(num, i < 0 ? NAN : series_gpu(sim, SG_RACT, (unsigned)i), 2));
		canvas_text(c, x, 0, ROLE_HEADER, text);
		x -= 11;
		snprintf(text, sizeof(text), "IPC %s",
			 fmt_num(num, i < 0 ? NAN : series_gpu(sim, SG_IPC, (unsigned)i), 0));
		canvas_right(c, x, 0, 9, ROLE_HEADER, text);
	}
	int w = c->w >= 100 ? 20 : 16;
	x -= w + 2;
	snprintf(text, sizeof(text), "%s %s", screen_live(s) ? "cycle" : "then",
		 fmt_u64(num, axis_cursor(&s->axis)));
	canvas_right(c, x, 0, w, ROLE_HEADER, text);
	canvas_attr(c, x + w - text_width(num), 0, text_width(num), ATTR_BOLD);
	return x + w - text_width(text);
}

static void
header_kernel(const struct screen *s, struct canvas *c, int x, int end)
{
	struct sim *sim = screen_sim(s);
	unsigned n = sim_kernels_started(sim), total = 0, k;
	const struct trace_info *t = sim_trace(sim);
	cycle_t at = axis_cursor(&s->axis);
	char text[400];

	for (uint32_t i = 0; i < t->n_cmds; i++)
		total += t->cmd[i].kind == TRACE_KERNEL;
	if (n == 0) {
		snprintf(text, sizeof(text), total == 1 ? "1 kernel" : "%u kernels", total);
		canvas_fit(c, x, 0, end - x, ROLE_HEADER, text);
		return;
	}
	for (k = n - 1; k > 0 && sim_kernel_start(sim, k) >= at; k--)
		;
	snprintf(text, sizeof(text), "%s%u/%u %s", end - x >= 26 ? "kernel " : "k", k + 1,
		 MAX(total, n), sim_kernel(sim, k)->name);
	canvas_fit(c, x, 0, end - x, ROLE_HEADER, text);
}

static void
draw_header(const struct screen *s)
{
	struct canvas c = part(s, s->layout.header);
	struct sim *sim = screen_sim(s);
	char text[300];
	int x = 1, end = c.w - 1;

	canvas_fill(&c, 0, 0, c.w, 1, ROLE_HEADER, ' ');
	if (!sim) {
		canvas_text(&c, 1, 0, ROLE_HEADER, "ctascope");
		return;
	}
	/* Run state: glyph and word. */
	bool running = session_running(s->session);
	canvas_put(&c, x, 0, ROLE_HEADER, running ? 0x25b6 : 0x25a0);
	if (c.w >= 100)
		x += 1 + canvas_printf(&c, x + 2, 0, ROLE_HEADER, "%-8s",
				       running	       ? "running"
				       : sim_done(sim) ? "done"
						       : "stopped");
	x += 2;
	end = header_numbers(s, &c, end);
	workload_name(sim, text, sizeof(text));
	x += canvas_fit(&c, x, 0, MIN(MAX(end - x - 1, 0), c.w >= 100 ? 16 : 10), ROLE_HEADER,
			text) +
	     1;
	canvas_attr(&c, 1, 0, x - 2, ATTR_BOLD);
	if (end - x - 1 >= 8)
		header_kernel(s, &c, x + (c.w >= 100), end - 1);
}

/* ---------------------------------------------------------------- lines below the panes */

static int
name_of_line(struct canvas *c, const char *name)
{
	canvas_text(c, 1, 0, ROLE_TITLE, name);
	return 6;
}

/* The cell under the cursor in words: every value of that core at that time. */
static void
draw_at(const struct screen *s)
{
	struct canvas c = part(s, s->layout.at);
	unsigned core = session_focus_core(s->session);
	int x = name_of_line(&c, "at"), i = screen_sample(s);
	char num[FMT_MAX];

	if (c.h == 0 || i < 0 || core >= screen_cores(s))
		return;
	cycle_t end = series_end(screen_sim(s), (unsigned)i);
	double state = screen_series(s, SC_STATE, core);
	x += canvas_text(&c, x, 0, ROLE_VALUE, fmt_u64(num, end));
	x += canvas_printf(&c, x, 0, ROLE_TEXT, " core %u: CTAs ", core);
	x += canvas_text(&c, x, 0, ROLE_VALUE, fmt_num(num, screen_series(s, SC_RUNNING, core), 0));
	x += canvas_text(&c, x, 0, ROLE_TEXT, ", RACT ");
	x += canvas_text(&c, x, 0, ROLE_VALUE, fmt_num(num, screen_series(s, SC_RACT, core), 2));
	if (!isnan(screen_series(s, SC_CREDITS, core))) {
		x += canvas_text(&c, x, 0, ROLE_TEXT, ", credits ");
		x += canvas_text(&c, x, 0, ROLE_VALUE,
				 fmt_num(num, screen_series(s, SC_CREDITS, core), 0));
	}
	if (state >= 0 && state < HEAT_STATES) {
		x += canvas_text(&c, x, 0, ROLE_TEXT, ", ");
		x += canvas_text(&c, x, 0, state_role((unsigned)state),
				 state < 5 ? core_state_names[(unsigned)state] : "no CTA");
	}
	if (c.w - x < 28)
		return;
	char text[64];
	snprintf(text, sizeof(text), "1 column = %s cycles", fmt_u64(num, s->axis.per));
	canvas_right(&c, c.w - 30, 0, 29, ROLE_DIM, text);
}

static void
draw_last(const struct screen *s)
{
	struct canvas c = part(s, s->layout.last);
	uint64_t seq = UINT64_MAX;
	const struct event *ev = screen_decision(s, -1, DECISIONS_CHANGE, &seq);
	int x = name_of_line(&c, "last");
	char text[320];

	if (c.h == 0)
		return;
	if (!ev)
		ev = screen_decision(s, -1, DECISIONS_ALL, &seq);
	if (!ev) {
		canvas_text(&c, x, 0, ROLE_DIM, "no decision yet");
		return;
	}
	/* "pause, core 5, cycle 22528: why" with the cycle in front, as in the line above it. */
	char num[FMT_MAX];
	sim_event_text(screen_sim(s), ev, text, sizeof(text));
	const char *why = strstr(text, ": ");
	x += canvas_printf(&c, x, 0, ROLE_VALUE, "%s", fmt_u64(num, ev->cycle));
	if (ev->core >= 0)
		x += canvas_printf(&c, x, 0, ROLE_TEXT, " core %d", ev->core);
	x += canvas_printf(&c, x, 0, ROLE_VALUE, " %s", event_rows[ev->kind].name);
	canvas_fit(&c, x, 0, c.w - x - 1, ROLE_TEXT, why ? why : "");
}

/* The keys valid now, as many as fit; or the notice. */
static void
draw_keys(const struct screen *s)
{
	struct canvas c = part(s, s->layout.keys);
	bool running = session_running(s->session);
	int x = 1;

	if (s->notice[0]) {
		canvas_fill(&c, 0, 0, c.w, 1, ROLE_NOTICE, ' ');
		canvas_fit(&c, 1, 0, c.w - 2, ROLE_NOTICE, s->notice);
		return;
	}
	if (s->help) {
		canvas_text(&c, 1, 0, ROLE_STATUS, "q or ? back   j k PgUp PgDn scroll");
		return;
	}
	if (s->mode != MODE_KEYS) {
		canvas_fit(&c, 1, 0, c.w - 2, ROLE_STATUS,
			   s->mode == MODE_SEARCH ? "Enter search   Ctrl-G leave"
						  : "Enter do it   Tab complete   Up history   "
						    "Ctrl-G back to the keys");
		return;
	}
	for (unsigned i = 0; i < n_key_rows; i++) {
		const struct key_row *k = &key_rows[i];
		if (!k->label[0] || !(k->when & (running ? WHEN_RUNNING : WHEN_STOPPED)))
			continue;
		const char *name = strcmp(k->name, "+") == 0 ? "+-" : k->name;
		int w = text_width(name) + 1 + text_width(k->label);
		if (x + w > c.w)
			break;
		x += canvas_text(&c, x, 0, ROLE_KEY, name) + 1;
		x += canvas_text(&c, x, 0, ROLE_STATUS, k->label) + 2;
	}
}

/* The command line: scrolled so that the cursor is in view, cut ends marked. */
static void
draw_prompt(struct screen *s)
{
	struct canvas c = part(s, s->layout.prompt);
	const char *text = s->line.text;
	int prompt = text_width(s->line.prompt), total = text_width(text), off = 0, room;

	s->cursor_x = s->cursor_y = -1;
	if (s->mode == MODE_KEYS) {
		char p[128];
		session_prompt(s->session, p, sizeof(p));
		canvas_fit(&c, 0, 0, c.w, ROLE_DIM, p);
		return;
	}
	if (prompt > c.w / 2)
		prompt = 0; /* a narrow screen belongs to what is typed */
	else
		canvas_text(&c, 0, 0, ROLE_PROMPT, s->line.prompt);
	struct canvas in = canvas_sub(&c, prompt, 0, c.w - prompt, 1);
	room = MAX(in.w, 1);
	if (total >= room) {
		off = MAX(s->line.cursor - room * 2 / 3, 0);
		off = MIN(off, total - room + 1);
	}
	canvas_text(&in, -off, 0, ROLE_TEXT, text);
	if (off > 0)
		canvas_put(&in, 0, 0, ROLE_DIM, '<');
	if (total - off > room)
		canvas_put(&in, room - 1, 0, ROLE_DIM, '>');
	s->cursor_x = MIN(prompt + s->line.cursor - off, c.w - 1);
	s->cursor_y = s->layout.prompt.y;
}

/* ---------------------------------------------------------------- overlays */

/* A frame over rows y..y+h of the canvas; the inside is returned, blank. */
static struct canvas
box(const struct screen *s, int y, int h, const char *title)
{
	struct canvas *c = s->canvas;
	int w = c->w;

	canvas_fill(c, 0, y, w, h, ROLE_TEXT, ' ');
	canvas_fill(c, 0, y, w, 1, ROLE_FRAME, 0x2500);
	canvas_fit(c, 2, y, w - 4, ROLE_TITLE, title);
	return canvas_sub(c, 0, y + 1, w, h - 1);
}

/* The result of the last command, over the panes. */
static void
draw_result(struct screen *s)
{
	int bottom = s->layout.keys.h ? s->layout.keys.y : s->canvas->h - 1, w = s->canvas->w - 2;
	int most = bottom - s->layout.header.h - 1, need = 0, tail = 0, y = 0;
	unsigned to = MIN(s->log_to, session_log_count(s->session)), last = to, i;
	char title[160], more[64] = "";

	for (i = s->log_from; i < to; i++)
		need += log_line_rows(s, i, w);
	if (most < 1 || need < 1)
		return;
	/* The page that ends with the last line is the last one. */
	while (last > s->log_from && tail + log_line_rows(s, last - 1, w) <= most)
		tail += log_line_rows(s, --last, w);
	s->log_back = MIN(s->log_back, last - s->log_from);
	if (need > most)
		snprintf(more, sizeof(more), "(line %u of %u: PgDn PgUp) ", s->log_back + 1,
			 to - s->log_from);
	snprintf(title, sizeof(title), " %s %s%s", s->command, more,
		 s->mode == MODE_KEYS ? "- any other key closes " : "");
	struct canvas in = box(s, bottom - MIN(need, most) - 1, MIN(need, most) + 1, title);
	for (i = s->log_from + s->log_back; i < to && y < in.h; i++)
		y += log_draw_line(s, &in, 1, y, w, i);
}

static void
draw_help(struct screen *s)
{
	int y = s->layout.header.h, bottom = s->layout.keys.h ? s->layout.keys.y : s->canvas->h - 1;
	struct canvas in;

	if (bottom - y < 2)
		return;
	in = box(s, y, bottom - y, " help: j k PgUp PgDn scroll, q leaves ");
	s->help_rows = help_page(s, &in, s->help_top);
	if (s->help_top > MAX(s->help_rows - in.h, 0)) {
		s->help_top = MAX(s->help_rows - in.h, 0);
		in = box(s, y, bottom - y, " help: j k PgUp PgDn scroll, q leaves ");
		help_page(s, &in, s->help_top);
	}
	if (s->help_top + in.h < s->help_rows)
		canvas_right(s->canvas, s->canvas->w - 12, y, 10, ROLE_TITLE, " more ");
}

/* Completions in columns above the line of keys. */
static void
draw_popup(struct screen *s)
{
	int bottom = s->layout.keys.h ? s->layout.keys.y : s->canvas->h - 1, w = 1, cols, rows,
	    shown;
	char title[64];

	if (s->mode != MODE_PROMPT || s->line.n_popup == 0)
		return;
	for (unsigned i = 0; i < s->line.n_popup; i++)
		w = MAX(w, text_width(s->line.popup[i]) + 2);
	cols = MAX((s->canvas->w - 2) / w, 1);
	rows = ((int)s->line.n_popup + cols - 1) / cols;
	shown = MIN(rows, MAX(bottom - s->layout.header.h - 1, 0));
	if (shown < 1)
		return;
	snprintf(title, sizeof(title),
		 shown < rows ? " %u completions, the first of them " : " %u completions ",
		 s->line.n_popup);
	struct canvas in = box(s, bottom - shown - 1, shown + 1, title);
	for (unsigned i = 0; i < s->line.n_popup; i++) {
		int row = (int)i % rows, col = (int)i / rows;
		if (row < shown)
			canvas_fit(&in, 1 + col * w, row, w - 1, ROLE_TEXT, s->line.popup[i]);
	}
}

/* ---------------------------------------------------------------- the frame */

static void
draw_heats(struct screen *s)
{
	struct layout *l = &s->layout;
	struct canvas c;

	if (!screen_sim(s) || series_count(screen_sim(s)) == 0) {
		int h = l->heat[0].h;
		for (unsigned i = 1; i < l->n_heat; i++)
			h = MAX(h, l->heat[i].y + l->heat[i].h - l->heat[0].y);
		struct rect all = {l->heat[0].x, l->heat[0].y, l->sep_x >= 0 ? l->sep_x : l->w, h};
		c = part(s, all);
		draw_welcome(s, &c);
		return;
	}
	if (!l->grid) {
		c = part(s, l->heat[0]);
		s->heat->draw(s, &c);
	} else {
		for (unsigned i = 0; i < l->n_heat; i++) {
			c = part(s, l->heat[i]);
			pane_table[i]->draw(s, &c);
		}
	}
	for (int i = 0; i < 2; i++) {
		c = part(s, l->axis[i]);
		if (c.w && c.h)
			heat_axis(s, &c);
	}
}

static void
draw_side(struct screen *s)
{
	struct layout *l = &s->layout;
	struct canvas c;

	if (l->sep_x < 0) {
		/* No room for the inspector: the active pane takes the heat pane's place. */
		if (s->pane == &pane_policy || s->pane == &pane_core) {
			c = part(s, l->heat[0]);
			canvas_clear(&c);
			s->pane->draw(s, &c);
		}
		return;
	}
	canvas_fill(s->canvas, l->sep_x, l->sep_y0, 1, l->sep_y1 - l->sep_y0, ROLE_FRAME, 0x2502);
	c = part(s, l->core);
	pane_core.draw(s, &c);
	c = part(s, l->policy);
	if (c.h)
		pane_policy.draw(s, &c);
}

/* The log in its place, or larger while it is the active pane. */
static void
draw_log(struct screen *s)
{
	struct rect r = s->layout.log;
	int bottom = r.y + r.h, want = MAX(r.h, s->canvas->h / 2);

	if (s->pane == &pane_log && !s->log_open && want > r.h && s->canvas->h >= 8) {
		struct canvas in = box(s, bottom - want, want, "");
		pane_log.draw(s, &in);
		return;
	}
	struct canvas c = part(s, r);
	if (c.h)
		pane_log.draw(s, &c);
}

/* The length of a sample; the last one of a run may be shorter. */
static cycle_t
sample_span(const struct sim *sim, unsigned n)
{
	cycle_t last = series_span(sim, n - 1);

	return n > 1 ? MAX(last, series_span(sim, n - 2)) : last;
}

void
screen_draw(struct screen *s)
{
	struct sim *sim = screen_sim(s);
	struct layout *l = &s->layout;
	unsigned cores = screen_cores(s), n = sim ? series_count(sim) : 0;

	canvas_clear(s->canvas);
	layout_compute(l, s->want, s->canvas->w, s->canvas->h, cores);
	int w = l->heat[0].w;
	for (unsigned i = 1; i < l->n_heat; i++)
		w = MIN(w, l->heat[i].w);
	axis_update(&s->axis, sim ? sim_cycle(sim) : 0, n ? sample_span(sim, n) : 512,
		    w - heat_label_width(cores) - (l->sep_x >= 0));
	draw_header(s);
	draw_heats(s);
	draw_side(s);
	draw_at(s);
	draw_last(s);
	draw_log(s);
	if (s->log_open)
		draw_result(s);
	if (s->help)
		draw_help(s);
	draw_popup(s);
	draw_keys(s);
	draw_prompt(s);
}
