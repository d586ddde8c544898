/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_knobs.c - the parameters of the policies at work, with their ranges, to be changed by
 * arrows.
 *
 * The pane stands over the others, which show what a change does. A value that is chosen here waits
 * until the policy's period ends, as the command `knob` does it; the pane keeps only which row is
 * chosen.
 */
#include "ctascope/decl.h"

#include "base/memory.h"
#include "tui/fmt.h"
#include "tui/panes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct knobs {
	unsigned at;  /* the chosen row */
	unsigned top; /* the first row shown */
};

static int
open_knobs(struct screen *s ATTR_UNUSED, struct pane_view *v, struct err *e ATTR_UNUSED)
{
	v->own = memory_new(1, sizeof(struct knobs));
	return 0;
}

static void
close_knobs(struct pane_view *v)
{
	free(v->own);
	v->own = NULL;
}

static unsigned
count_knobs(const struct screen *s)
{
	struct session_knob k;
	unsigned n = 0;

	while (session_knob(s->session, n, &k))
		n++;
	return n;
}

/* A row for each, and the line below them. */
static int
height_of_knobs(struct screen *s, struct pane_view *view ATTR_UNUSED)
{
	return (int)count_knobs(s) + 1;
}

/* ---------------------------------------------------------------- values */

/* The value that an arrow starts from: the one that waits, else the present one. */
static const char *
value_to_change(const struct session_knob *k)
{
	return k->next[0] ? k->next : k->now;
}

/* A tenth of the value's power of ten, at least 1 of a whole number: 384 goes to 394 and 374. */
static double
step_of(const struct opt_row *r, double v, int by)
{
	bool whole = r->type != OPT_T_f64;
	double from = by < 0 ? v * 0.999 : v;
	double step = from > 0 ? pow(10, floor(log10(from)) - 1) : 0.01 * fmin(r->max - r->min, 1);

	return whole ? fmax(step, 1) : step;
}

static void
change_number(const struct opt_row *r, const char *text, int by, char *buf, size_t size)
{
	double v = strtod(text, NULL);

	for (int i = 0; i < abs(by); i++)
		v += (by < 0 ? -1 : 1) * step_of(r, v, by);
	v = fmin(fmax(v, r->min), r->max);
	snprintf(buf, size, r->type == OPT_T_f64 ? "%.6g" : "%.0f", v);
}

/* The name `by` places further in a list that begins again at its end. */
static const char *
name_after(const char *const *names, unsigned n, const char *text, size_t len, int by)
{
	unsigned i = 0;

	while (i < n && (strlen(names[i]) != len || strncmp(names[i], text, len) != 0))
		i++;
	return names[(i % n + n + (by < 0 ? n - 1 : 1)) % n];
}

/* The policy before or after the first of the stack, with its default parameters. */
static void
change_policy(const char *text, int by, char *buf, size_t size)
{
	unsigned n;
	const struct cta_sched_ops *const *o = cta_sched_list(&n);
	const char *names[64];

	n = MIN(n, (unsigned)ARRAY_LEN(names));
	for (unsigned i = 0; i < n; i++)
		names[i] = o[i]->name;
	snprintf(buf, size, "%s", name_after(names, n, text, strcspn(text, ":+"), by));
}

static void
change_value(const struct session_knob *k, int by, char *buf, size_t size)
{
	const char *text = value_to_change(k);
	unsigned n = 0;

	if (!k->row) {
		change_policy(text, by, buf, size);
	} else if (k->row->type == OPT_T_bool) {
		snprintf(buf, size, "%s", strcmp(text, "on") == 0 ? "off" : "on");
	} else if (k->row->type == OPT_T_enum) {
		while (k->row->names[n])
			n++;
		snprintf(buf, size, "%s", name_after(k->row->names, n, text, strlen(text), by));
	} else {
		change_number(k->row, text, by, buf, size);
	}
}

/* ---------------------------------------------------------------- drawing */

static void
range_text(const struct session_knob *k, char *buf, size_t size)
{
	char lo[FMT_MAX], hi[FMT_MAX];
	size_t n = 0;

	*buf = '\0';
	if (!k->row)
		snprintf(buf, size, "any policy stack");
	else if (k->row->type == OPT_T_bool)
		snprintf(buf, size, "on, off");
	else if (k->row->type != OPT_T_enum)
		snprintf(buf, size, "%s to %s %s",
			 fmt_num(lo, k->row->min, k->row->min == floor(k->row->min) ? 0 : 2),
			 fmt_num(hi, k->row->max, k->row->max == floor(k->row->max) ? 0 : 2),
			 k->row->unit);
	else
		for (unsigned i = 0; k->row->names[i] && n < size; i++)
			n += (size_t)snprintf(buf + n, size - n, "%s%s", i ? ", " : "",
					      k->row->names[i]);
}

static void
draw_knob(struct canvas *c, int y, const struct session_knob *k, bool chosen, cycle_t due)
{
	const int name_w = MIN(MAX(c->w / 4, 10), 22), value_w = MIN(MAX(c->w / 6, 6), 20);
	char num[FMT_MAX], text[POLICY_TEXT + 80];
	int x = 1;

	canvas_put(c, 0, y, ROLE_FOCUS, chosen ? 0x25b8 : ' ');
	canvas_fit(c, x, y, name_w, chosen ? ROLE_FOCUS : ROLE_TEXT, k->key);
	x += name_w + 1;
	if (!k->row && !k->next[0]) { /* a stack is long, and its range says little */
		canvas_fit(c, x, y, c->w - x, ROLE_VALUE, k->now);
		return;
	}
	canvas_fit(c, x, y, value_w, ROLE_VALUE, k->now);
	x += value_w + 1;
	if (k->next[0]) {
		snprintf(text, sizeof(text), "-> %s at %s", k->next, fmt_u64(num, due));
		x += canvas_fit(c, x, y, c->w - x, ROLE_STOP, text) + 2;
	}
	range_text(k, text, sizeof(text));
	if (x + 4 < c->w)
		canvas_fit(c, x, y, c->w - x, ROLE_DIM, text);
}

static void
draw_pane(struct screen *s, struct pane_view *view, struct canvas *c)
{
	struct knobs *own = view->own;
	unsigned n = count_knobs(s), rows = (unsigned)MAX(c->h - 1, 1);
	cycle_t due = session_knobs_due(s->session);
	struct session_knob k;

	if (n == 0) {
		canvas_text(c, 1, 0, ROLE_DIM, "no workload, so no policy runs");
		return;
	}
	own->at = MIN(own->at, n - 1);
	own->top = own->at < own->top		? own->at
		   : own->at >= own->top + rows ? own->at + 1 - rows
						: own->top;
	own->top = n > rows ? MIN(own->top, n - rows) : 0;
	for (unsigned i = own->top; i < MIN(n, own->top + rows); i++)
		if (session_knob(s->session, i, &k))
			draw_knob(c, (int)(i - own->top), &k, i == own->at, due);
	if (c->h < 2 || !session_knob(s->session, own->at, &k))
		return;
	canvas_fit(c, 1, c->h - 1, c->w - 2, ROLE_DIM,
		   k.row ? k.row->help
			 : "the policies that decide; Left and Right go through them");
}

/* ---------------------------------------------------------------- keys */

static const char *
key_command(struct screen *s, struct pane_view *view, int key, char *buf, size_t size)
{
	struct knobs *own = view->own;
	unsigned n = count_knobs(s);
	char value[POLICY_TEXT];
	struct session_knob k;
	int by = key == K_LEFT || key == 'h' ? -1 : key == K_RIGHT || key == 'l' ? 1 : 0;

	by = key == 'H' ? -10 : key == 'L' ? 10 : by;
	if (key == 'K' || key == 'q' || key == 'x' || key == K_ESCAPE)
		return "pane back";
	if (key == '\r')
		return "knob now";
	if (key == 'u')
		return "undo";
	if (key == K_UP || key == 'k')
		own->at -= own->at > 0;
	else if (key == K_DOWN || key == 'j')
		own->at = MIN(own->at + 1, MAX(n, 1u) - 1);
	else if (!by)
		return NULL;
	if (!by || !session_knob(s->session, own->at, &k))
		return "";
	change_value(&k, by, value, sizeof(value));
	snprintf(buf, size, "knob %s %s", k.key, value);
	return buf;
}

const struct pane_ops pane_knobs = {
	.name = "knobs",
	.help = "The parameters of the policies at work and their ranges. Arrows change one; it "
		"changes in the model at the next period, on a branch of its own.",
	.title = " knobs: j k choose, h l change, Enter at once, u undo, Esc closes ",
	.read = "A row for each parameter of the policies at work, the stack first: its value, the "
		"value that waits for the next period and the cycle at which it comes, the range. "
		"Below them, what the chosen one means. A change is marked below the panes over "
		"time. It begins a branch, which keeps the future without the change.",
	.keys = "j and k choose a parameter, h and l or the arrows change it, H and L by ten "
		"steps. Enter changes what waits at once, u takes the last change back, U makes it "
		"again; K, x, q and Escape close the pane. Space runs and pauses as usual.",
	.also = "knob, set, branches, switch, race, info policy, pane policy",
	.min_w = 20,
	.min_h = 2,
	.kind = PANE_OVER,
	.open = open_knobs,
	.close = close_knobs,
	.height = height_of_knobs,
	.draw = draw_pane,
	.key = key_command,
};
