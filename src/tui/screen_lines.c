/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screen_lines.c - draws the lines around the panes: header, the cell under the cursor, the last
 * decision, keys, command line.
 */
#include "base/plain_name.h"
#include "session/session.h"
#include "tui/fmt.h"
#include "tui/panes.h"
#include "tui/screen_part.h"
#include "tui/work.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------- header */

/* Removes the key from the name of a file in the user's cache, NAME-SIZE-KEY (ctascope(1)): leaves
 * NAME, or NAME:SIZE. Returns the end of the name. */
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

void
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

/* Returns the IPC from the start of the run to the cursor. */
static double
ipc_so_far(const struct screen *s)
{
	cycle_t at = axis_cursor(&s->axis);
	struct work w = {0};
	double work;

	work_update(&w, screen_sim(s));
	work = work_at(&w, at);
	work_free(&w);
	return at ? work / (double)at : (double)NAN;
}

const char *
screen_ipc_label(const struct screen *s)
{
	return screen_live(s) ? "IPC of the run" : "IPC up to then";
}

/* Marks that IPC and RACT are those of the sample, and shows the IPC of the run if there is room.
 */
static int
header_span(const struct screen *s, struct canvas *c, int x)
{
	const char *when = screen_live(s) ? "now" : "then";
	char num[FMT_MAX], text[48] = "";

	if (c->w >= 120)
		snprintf(text, sizeof(text), "%s %s  ", screen_ipc_label(s),
			 fmt_num(num, ipc_so_far(s), 0));
	if (c->w < 72)
		return x;
	x -= 4;
	canvas_right(c, x, 0, 4, ROLE_HEADER, when);
	x -= text_width(text);
	canvas_text(c, x, 0, ROLE_HEADER, text);
	return x;
}

/* Draws "cycle 12,000", followed by the newest cycle if the cursor is in the past. */
static int
header_cycle(const struct screen *s, struct canvas *c, int end)
{
	char num[FMT_MAX], tip[FMT_MAX], of[FMT_MAX + 8] = "", text[3 * FMT_MAX];
	int w = c->w >= 100 ? 20 : 16, behind, x;
	cycle_t furthest;

	if (screen_live(s) && session_behind(s->session, &furthest))
		snprintf(of, sizeof(of), " of %s", fmt_u64(tip, furthest));
	behind = text_width(of);
	snprintf(text, sizeof(text), "%s %s%s", screen_live(s) ? "cycle" : "then",
		 fmt_u64(num, axis_cursor(&s->axis)), of);
	w = behind ? MAX(w, text_width(text)) : w;
	x = end - w - 2;
	canvas_right(c, x, 0, w, ROLE_HEADER, text);
	canvas_attr(c, x + w - text_width(num) - behind, 0, text_width(num), ATTR_BOLD);
	return x + w - text_width(text);
}

/* Draws numbers and the policy at the right, each in its own field: "cycle 22,528  IPC 212  RACT
 * 0.47". */
static int
header_numbers(const struct screen *s, struct canvas *c, int end)
{
	struct sim *sim = screen_sim(s);
	int i = screen_sample(s), x = end, ipc;
	char num[FMT_MAX], text[64];

	if (c->w >= 40) {
		const char *policy = config_policy_text(sim_config(sim));
		int w = MIN(text_width(policy), c->w >= 110 ? 30 : c->w >= 60 ? 12 : 8);

		x -= w;
		canvas_fit(c, x, 0, w, ROLE_HEADER, policy);
		x -= 2;
	}
	if (c->w >= 50) {
		x -= 9;
		snprintf(text, sizeof(text), "RACT %s",
			 fmt_num(num, i < 0 ? NAN : series_gpu(sim, SG_RACT, (unsigned)i), 2));
		canvas_text(c, x, 0, ROLE_HEADER, text);
		snprintf(text, sizeof(text), "IPC %s",
			 fmt_num(num, i < 0 ? NAN : series_gpu(sim, SG_IPC, (unsigned)i), 0));
		/* Many cores together issue more than 999. */
		ipc = MAX(9, text_width(text) + 1);
		x -= ipc + 2;
		canvas_right(c, x, 0, ipc, ROLE_HEADER, text);
		x = header_span(s, c, x);
	}
	return header_cycle(s, c, x);
}

unsigned
screen_kernels_text(const struct sim *sim, cycle_t at, char *buf, size_t size)
{
	unsigned count = 0;
	size_t n = 0;
	char name[300];

	for (unsigned k = 0; k < sim_kernels_started(sim) && n < size; k++)
		if (sim_kernel_runs(sim, k, at))
			n += (size_t)snprintf(buf + n, size - n, "%sk%u %s", count++ ? ", " : "",
					      k + 1,
					      plain_name_shown(sim_kernel(sim, k)->name, name,
							       sizeof(name)));
	return count;
}

static void
header_kernel(const struct screen *s, struct canvas *c, int x, int end)
{
	struct sim *sim = screen_sim(s);
	unsigned n = sim_kernels_started(sim), total = 0, k;
	const struct trace_info *t = sim_trace(sim);
	cycle_t at = axis_cursor(&s->axis);
	char text[400], name[300];

	for (uint32_t i = 0; i < t->n_cmds; i++)
		total += t->cmd[i].kind == TRACE_KERNEL;
	if (n == 0) {
		snprintf(text, sizeof(text), total == 1 ? "1 kernel" : "%u kernels", total);
		canvas_fit(c, x, 0, end - x, ROLE_HEADER, text);
		return;
	}
	k = sim_kernel_at(sim, at);
	if (screen_kernels_text(sim, at, text, sizeof(text)) > 1) {
		canvas_fit(c, x, 0, end - x, ROLE_HEADER, text);
		return;
	}
	if (at <= sim_kernel_launched(sim, k) && sim_kernel_launched(sim, k) > 1) {
		/* Until then every core is empty, which looks like a mistake. */
		fmt_u64(name, sim_kernel_launched(sim, k));
		snprintf(text, sizeof(text), "launch of k%u until %s", k + 1, name);
		canvas_fit(c, x, 0, end - x, ROLE_HEADER, text);
		return;
	}
	snprintf(text, sizeof(text), "%s%u/%u %s", end - x >= 26 ? "kernel " : "k", k + 1,
		 MAX(total, n), plain_name_shown(sim_kernel(sim, k)->name, name, sizeof(name)));
	canvas_fit(c, x, 0, end - x, ROLE_HEADER, text);
}

void
screen_draw_header(const struct screen *s)
{
	struct canvas c = screen_part(s, s->layout.header);
	struct sim *sim = screen_sim(s);
	char text[300];
	int x = 1, end = c.w - 1;

	canvas_fill(&c, 0, 0, c.w, 1, ROLE_HEADER, ' ');
	if (!sim) {
		canvas_text(&c, 1, 0, ROLE_HEADER, "ctascope");
		return;
	}
	/* the state of the run, as a glyph and a word */
	bool running = session_running(s->session);
	canvas_put(&c, x, 0, ROLE_HEADER, running ? 0x25b6 : 0x25a0);
	if (c.w >= 100)
		x += 1 + canvas_printf(&c, x + 2, 0, ROLE_HEADER, "%-8s",
				       running	       ? "running"
				       : sim_done(sim) ? "done"
						       : "stopped");
	x += 2;
	end = header_numbers(s, &c, end);
	if (replay_window(s, text, sizeof(text))) { /* it takes the place of the kernel's name */
		if (c.w >= 120 && x + 18 + text_width(text) < end) {
			char name[17];
			workload_name(sim, name, sizeof(name));
			x += canvas_fit(&c, x, 0, 16, ROLE_HEADER, name) + 2;
			canvas_attr(&c, 1, 0, x - 3, ATTR_BOLD);
		}
		canvas_fit(&c, x, 0, end - x - 1, ROLE_HEADER, text);
		return;
	}
	workload_name(sim, text, sizeof(text));
	x += canvas_fit(&c, x, 0, MIN(MAX(end - x - 1, 0), c.w >= 100 ? 16 : 10), ROLE_HEADER,
			text) +
	     1;
	canvas_attr(&c, 1, 0, x - 2, ATTR_BOLD);
	session_pace(s->session, c.w < 100, text, sizeof(text));
	if (text[0] && x + text_width(text) + (c.w >= 100) < end)
		x += (c.w >= 100) + canvas_text(&c, x + (c.w >= 100), 0, ROLE_HEADER, text) + 1;
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

/* Describes the cell under the cursor: every value of that core at that time. */
/* Draws what a row and a column of the front pane stand for, at the right end of the line. */
static void
draw_cell_size(const struct screen *s, struct canvas *c, int x)
{
	const struct view_rows *r = &s->front->rows;
	bool cores = s->front->ops->kind == PANE_STRIP && r->half && !r->folded;
	const char *plural = s->axis.per == 1 ? "" : "s";
	char num[FMT_MAX], text[80];

	fmt_u64(num, s->axis.per);
	snprintf(text, sizeof(text), "a row is %s, a column %s cycle%s",
		 r->half == 1 ? "2 cores" : "1 core", num, plural);
	if (!cores || c->w - x < text_width(text) + 3)
		snprintf(text, sizeof(text), "1 column = %s cycle%s", num, plural);
	if (c->w - x >= text_width(text) + 3)
		canvas_right(c, x, 0, c->w - x - 1, ROLE_DIM, text);
}

void
screen_draw_at(struct screen *s)
{
	struct canvas c = screen_part(s, s->layout.at);
	unsigned core = session_focus_core(s->session);
	int x = name_of_line(&c, "at"), i = screen_sample(s);
	char num[FMT_MAX];

	if (c.h == 0 || i < 0 || core >= screen_cores(s))
		return;
	cycle_t at = MIN(axis_cursor(&s->axis), series_end(screen_sim(s), (unsigned)i));
	double state = screen_series(s, SC_STATE, core);
	x += canvas_text(&c, x, 0, ROLE_VALUE, fmt_u64(num, at));
	x += canvas_printf(&c, x, 0, ROLE_TEXT, " core %u: CTAs ", core);
	x += canvas_text(&c, x, 0, ROLE_VALUE, fmt_num(num, screen_series(s, SC_RUNNING, core), 0));
	x += canvas_text(&c, x, 0, ROLE_TEXT, ", RACT ");
	x += canvas_text(&c, x, 0, ROLE_VALUE, fmt_num(num, screen_series(s, SC_RACT, core), 2));
	if (!isnan(screen_series(s, SC_CREDITS, core))) {
		x += canvas_text(&c, x, 0, ROLE_TEXT, ", credits ");
		x += canvas_text(&c, x, 0, ROLE_VALUE,
				 fmt_num(num, screen_series(s, SC_CREDITS, core), 0));
	}
	if (state > CORE_ACTIVE && state < HEAT_STATES) { /* an active core may wait; RACT tells */
		x += canvas_text(&c, x, 0, ROLE_TEXT, ", ");
		x += canvas_text(&c, x, 0, state_role((unsigned)state),
				 state < 5 ? core_state_names[(unsigned)state] : "no CTA");
	}
	char text[300] = "";
	if (s->front->ops->at) { /* of the machine that the pane itself shows */
		struct replay_saved saved = replay_give(s, s->front);

		s->front->ops->at(s, s->front, text, sizeof(text));
		replay_return(s, &saved);
	}
	if (text[0] && x + 2 + text_width(text) < c.w)
		x += canvas_printf(&c, x, 0, ROLE_TEXT, ", %s", text);
	draw_cell_size(s, &c, x);
}

void
screen_draw_last(const struct screen *s)
{
	struct canvas c = screen_part(s, s->layout.last);
	uint64_t seq = UINT64_MAX;
	const struct event *ev = screen_decision(s, s->spotlight, DECISIONS_CHANGE, &seq);
	int x = name_of_line(&c, "last");
	char text[320];

	if (c.h == 0)
		return;
	if (!ev)
		ev = screen_decision(s, s->spotlight, DECISIONS_ALL, &seq);
	if (!ev) {
		canvas_text(&c, x, 0, ROLE_DIM, "no decision yet");
		return;
	}
	/* the cycle comes first, as in the line above it */
	char num[FMT_MAX];
	sim_event_sentence(screen_sim(s), ev, text, sizeof(text));
	x += canvas_printf(&c, x, 0, ROLE_VALUE, "%s", fmt_u64(num, ev->cycle));
	if (ev->core >= 0)
		x += canvas_printf(&c, x, 0, ROLE_TEXT, " core %d", ev->core);
	if (sim_runs_together(screen_sim(s)))
		x += canvas_printf(&c, x, 0, ROLE_TEXT, " k%u", ev->kernel + 1u);
	x += canvas_printf(&c, x, 0, ROLE_VALUE, " %s", event_rows[ev->kind].name);
	x += canvas_text(&c, x, 0, ROLE_TEXT, ": ");
	canvas_fit(&c, x, 0, c.w - x - 1, ROLE_TEXT, text);
}

/* The line of keys shows only the first of two keys that form a pair. */
static const char *
name_of_pair(const char *name)
{
	static const char *const pairs[][2] = {{"+", "+-"},
					       {"<", "<>"},
					       {"j", "jk"},
					       {"PgDn", "PgDn PgUp"}};

	for (size_t i = 0; i < ARRAY_LEN(pairs); i++)
		if (strcmp(name, pairs[i][0]) == 0)
			return pairs[i][1];
	return name;
}

/* Returns the label of a key; at a stop of a presentation or a vote Space does something else. */
static const char *
label_now(const struct screen *s, const struct key_row *k)
{
	enum session_steps steps = s->page ? STEPS_NONE : session_steps(s->session);

	if (k->code != ' ' || !(k->when & WHEN_STOPPED) || steps == STEPS_NONE)
		return k->label;
	return steps == STEPS_PRESENT ? "next step" : "outcome";
}

/* Draws the keys that are valid now, as many as fit; returns the column after them. */
static int
draw_valid_keys(const struct screen *s, struct canvas *c)
{
	enum key_when now = screen_when(s);
	int x = 1;

	for (unsigned i = 0; i < n_key_rows; i++) {
		const struct key_row *k = &key_rows[i];

		if (!k->label[0] || !(k->when & now))
			continue;
		const char *name = name_of_pair(k->name), *label = label_now(s, k);
		int w = text_width(name) + 1 + text_width(label);

		if (x + w > c->w)
			break;
		x += canvas_text(c, x, 0, ROLE_KEY, name) + 1;
		x += canvas_text(c, x, 0, ROLE_STATUS, label) + 2;
	}
	return x;
}

struct key_label {
	const char *key, *label; /* key NULL: the end */
};

/* Keys of what lies over the panes: a list that takes letters, with the way out first because it
 * must fit a narrow screen; the knobs; a long answer; the card at the end of a run. */
static const struct key_label list_keys[] = {{"Esc", "leaves"},	    {"Enter", "does it"},
					     {"letters", "search"}, {"arrows", "choose"},
					     {"Tab", "next list"},  {NULL, NULL}};
static const struct key_label knob_keys[] = {{"Esc q", "close"}, {"jk", "choose"},
					     {"hl", "change"},	 {"Enter", "at once"},
					     {"u", "take back"}, {"Space", "run, pause"},
					     {NULL, NULL}};
static const struct key_label answer_keys[] = {{"Esc q Enter", "close"},
					       {"Up Down PgUp PgDn", "scroll"},
					       {":", "command"},
					       {"others", "close it, act"},
					       {NULL, NULL}};

static const struct key_label card_keys[] = {{"any key", "closes"},
					     {"keys of 'next'", "act, too"},
					     {":", "command"},
					     {"?", "help"},
					     {NULL, NULL}};

/* Returns the keys of what lies over the panes, NULL: nothing does. */
static const struct key_label *
keys_over(const struct screen *s)
{
	if (s->page || s->help || s->mode != MODE_KEYS)
		return NULL;
	return s->pane->ops->types	       ? list_keys
	       : s->log_open		       ? answer_keys
	       : s->pane->ops == &pane_knobs   ? knob_keys
	       : s->pane->ops == &pane_summary ? card_keys
					       : NULL;
}

static void
draw_labels(const struct screen *s, struct canvas *c, const struct key_label *k)
{
	int x = 1;

	for (; k->key; k++) {
		int w = text_width(k->key) + 1 + text_width(k->label);

		if (x + w > c->w || (k->key[0] == 'T' && s->pane->ops != &pane_launcher))
			continue;
		x += canvas_text(c, x, 0, ROLE_KEY, k->key) + 1;
		x += canvas_text(c, x, 0, ROLE_STATUS, k->label) + 2;
	}
}

static int
notice_rows(const struct screen *s, const char *text)
{
	return canvas_wrap(s->canvas, 1, 0, s->layout.keys.w - 2, 0, ROLE_NOTICE, text);
}

/* Draws the notice in place of the keys. If it is longer than the row, it covers rows above, too,
 * unless an answer ends there. */
static void
draw_notice(const struct screen *s, struct canvas *keys, const char *text)
{
	enum { MOST = 4, FROM_H = 20 };
	struct rect r = s->layout.keys;
	struct canvas c = *keys;
	int rows = notice_rows(s, text);

	if (rows > 1 && rows <= MOST && s->canvas->h >= FROM_H && !s->log_open) {
		r.y -= rows - 1;
		r.h = rows;
		c = screen_part(s, r);
	}
	canvas_fill(&c, 0, 0, c.w, c.h, ROLE_NOTICE, ' ');
	if (c.h > 1)
		canvas_wrap(&c, 1, 0, c.w - 2, c.h, ROLE_NOTICE, text);
	else
		canvas_fit(&c, 1, 0, c.w - 2, ROLE_NOTICE, text);
}

/* Returns the keys of the command line. */
static const char *
keys_of_line(const struct screen *s)
{
	if (s->mode == MODE_SEARCH)
		return "Enter search   Esc back to the keys";
	if (s->keeps_prompt)
		return "Enter do it   Esc or an empty line: back to the keys";
	if (s->page)
		return "Enter do it   Esc back to the keys   :: several";
	if (!session_lesson_question(s->session))
		return "Enter do it   Esc back to the keys   Tab complete   Up history   :: "
		       "several";
	return session_lesson_has_hint(s->session)
		       ? "Enter answers, or does a command   H hint   [ ] text   Esc back to the "
			 "keys"
		       : "Enter answers, or does a command   [ ] text   Esc back to the keys";
}

/* Draws the keys that are valid now, or the notice. */
void
screen_draw_keys(const struct screen *s)
{
	struct canvas c = screen_part(s, s->layout.keys);
	char text[sizeof(s->notice)];

	snprintf(text, sizeof(text), "%s", s->notice);
	if (s->page && s->page->ops->stopped)
		s->page->ops->stopped(s->page, text, sizeof(text));
	if (text[0] && !log_shows_notice(s, text, notice_rows(s, text))) {
		draw_notice(s, &c, text);
		return;
	}
	if (keys_over(s)) {
		draw_labels(s, &c, keys_over(s));
		return;
	}
	if (s->help && !s->page && s->mode == MODE_KEYS) {
		canvas_text(&c, 1, 0, ROLE_STATUS,
			    "q, ? or Esc back   j k PgUp PgDn scroll   / search");
		return;
	}
	if (s->mode != MODE_KEYS) {
		canvas_fit(&c, 1, 0, c.w - 2, ROLE_STATUS, keys_of_line(s));
		return;
	}
	text[0] = '\0';
	if (s->page && s->page->ops->aside)
		s->page->ops->aside(s->page, text, sizeof(text));
	int x = draw_valid_keys(s, &c);
	if (text[0] && x + text_width(text) + 1 <= c.w)
		canvas_right(&c, x, 0, c.w - x - 1, ROLE_DIM, text);
}

/* Updates the cycle and core in the prompt, which readline stored when the line began. The prompt
 * of a search of the line editor, or of the lines of a command, stays as it is. */
static void
renew_prompt(struct screen *s)
{
	static const char own[] = "(ctascope ";

	if (s->mode == MODE_PROMPT && strncmp(s->line.prompt, own, strlen(own)) == 0)
		session_prompt(s->session, s->line.prompt, sizeof(s->line.prompt));
}

/* Returns the prompt. Of a question that does not fit it returns the end, which tells how to
 * answer. */
static const char *
fit_question(const struct screen *s, int room)
{
	const char *at = s->line.prompt;

	while (session_asks(s->session) && *at && text_width(at) > room)
		do
			at++;
		while ((*at & 0xc0) == 0x80); /* inside a UTF-8 character */
	return at;
}

void
screen_draw_prompt(struct screen *s)
{
	struct canvas c = screen_part(s, s->layout.prompt);
	const char *text = s->line.text;

	renew_prompt(s);
	const char *before = fit_question(s, c.w - 4);
	int prompt = text_width(before), total = text_width(text), off = 0, room;

	s->cursor_x = s->cursor_y = -1;
	if (s->mode == MODE_KEYS && s->page)
		return;
	if (s->mode == MODE_KEYS) {
		char p[128];
		session_prompt(s->session, p, sizeof(p));
		canvas_fit(&c, 0, 0, c.w, ROLE_DIM, p);
		return;
	}
	if (prompt > c.w / 2 && !session_asks(s->session))
		prompt = 0; /* a narrow screen shows only what is typed */
	else
		canvas_text(&c, 0, 0, ROLE_PROMPT, before);
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
