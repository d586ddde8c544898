/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_launcher.c - three lists to begin with: a workload, a policy, a machine. Enter loads what is
 * chosen (the command `workload`).
 */
#include "ctascope/cta_sched.h"
#include "ctascope/sim.h"

#include "base/datadir.h"
#include "base/memory.h"
#include "tui/panes.h"
#include "tui/pick.h"
#include "workload/workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum list { LIST_WORKLOAD, LIST_POLICY, LIST_MACHINE, LISTS };

struct launcher {
	struct pick list[LISTS];
	enum list at;
};

/* ---------------------------------------------------------------- rows */

static int
add_trace(void *p, const char *name, const char *path ATTR_UNUSED)
{
	const char *help = workload_shows(name);

	pick_add(p, name, help ? help : "a trace", NULL, true);
	return 0;
}

static void
add_apps(struct pick *p)
{
	char help[300];

	for (unsigned i = 0; i < n_workload_apps; i++) {
		const struct workload_app *a = &workload_apps[i];
		struct workload_trace t;
		bool there = workload_look(&t, a, SIZE_DEFAULT, NULL) == 0 && t.there;

		snprintf(help, sizeof(help), "%s%s (%s)", there ? "" : "recorded first: ", a->help,
			 a->suite);
		pick_add(p, a->name, help, NULL, true);
	}
}

static void
add_policies(struct pick *p)
{
	unsigned n;
	const struct cta_sched_ops *const *o = cta_sched_list(&n);

	for (unsigned i = 0; i < n; i++)
		if (!o[i]->with)
			pick_add(p, o[i]->name, o[i]->help, NULL, true);
}

static int
add_machine(void *p, const char *name, const char *help)
{
	pick_add(p, name, help, NULL, true);
	return 0;
}

/* Chooses the row of that name. */
static void
choose_row(struct pick *p, const char *name)
{
	for (unsigned i = 0; i < p->n_shown; i++)
		if (strcmp(p->row[p->shown[i]].name, name) == 0)
			p->at = i;
}

static void
fill_lists(struct screen *s, struct launcher *own)
{
	const struct config *c = session_config(s->session);
	char policy[64]; /* the first one of the example */

	datadir_each("traces", ".ctr", add_trace, &own->list[LIST_WORKLOAD]);
	add_apps(&own->list[LIST_WORKLOAD]);
	add_policies(&own->list[LIST_POLICY]);
	config_each_machine(add_machine, &own->list[LIST_MACHINE]);
	for (unsigned i = 0; i < LISTS; i++)
		pick_match(&own->list[i]);
	choose_row(&own->list[LIST_WORKLOAD], "phase");
	snprintf(policy, sizeof(policy), "%.*s", (int)strcspn(cta_sched_example, "+:"),
		 cta_sched_example);
	choose_row(&own->list[LIST_POLICY], policy);
	choose_row(&own->list[LIST_MACHINE], config_machine_name(c));
}

/* ---------------------------------------------------------------- the pane */

static int
open_launcher(struct screen *s ATTR_UNUSED, struct pane_view *v, struct err *e ATTR_UNUSED)
{
	v->own = memory_new(1, sizeof(struct launcher));
	return 0;
}

static void
forget_lists(struct launcher *own)
{
	for (unsigned i = 0; i < LISTS; i++)
		pick_free(&own->list[i]);
	own->at = LIST_WORKLOAD;
}

static void
close_launcher(struct pane_view *v)
{
	forget_lists(v->own);
	free(v->own);
	v->own = NULL;
}

static int
height_of_launcher(struct screen *s, struct pane_view *v ATTR_UNUSED)
{
	return s->canvas->h;
}

static const char *const names[LISTS] = {"workload", "policy", "machine"};

#define LISTS_MIN_W 48 /* a smaller screen shows only the list that takes the keys */
#define LISTS_MIN_H 5

static void
draw_one_list(struct launcher *own, struct canvas *c)
{
	const char *name = names[own->at];
	int w = text_width(name);

	pick_draw(&own->list[own->at], c, 0, true);
	if (!own->list[own->at].filter[0] && c->w > w + 6)
		canvas_text(c, c->w - w - 1, 0, ROLE_FOCUS, name);
}

static void
draw_pane(struct screen *s, struct pane_view *v, struct canvas *c)
{
	struct launcher *own = v->own;
	int foot = c->h >= 8 ? 3 : c->h >= 5, w = (c->w - 1) / LISTS;

	if (!own->list[0].n)
		fill_lists(s, own);
	if (c->w < LISTS_MIN_W || c->h < LISTS_MIN_H) {
		draw_one_list(own, c);
		return;
	}
	for (unsigned i = 0; i < LISTS; i++) {
		struct canvas in = canvas_sub(c, (int)i * w, 1, w - 1, c->h - 1 - foot);

		canvas_text(c, (int)i * w + 1, 0, i == own->at ? ROLE_FOCUS : ROLE_TITLE, names[i]);
		pick_draw(&own->list[i], &in, 0, i == own->at);
	}
	const struct pick_row *r = pick_chosen(&own->list[own->at]);
	struct canvas text = canvas_sub(c, 1, c->h - foot, c->w - 2, MAX(foot - 1, 1));
	if (r && foot)
		canvas_wrap(&text, 0, 0, text.w, text.h, ROLE_VALUE, r->help);
	if (foot > 1)
		canvas_fit(c, 1, c->h - 1, c->w - 2, ROLE_DIM,
			   "new here?  ctascope lesson  teaches step by step");
}

static const char *
key_command(struct screen *s, struct pane_view *v, int key, char *buf, size_t size)
{
	struct launcher *own = v->own;
	const struct pick_row *r[LISTS];

	if (key == '\t' || key == K_RIGHT || key == K_BACKTAB || key == K_LEFT) {
		bool forward = key == '\t' || key == K_RIGHT;
		own->at = (enum list)((own->at + (forward ? 1 : LISTS - 1)) % LISTS);
		return "";
	}
	if (key == K_ESCAPE && own->list[own->at].filter[0])
		key = K_CTRL('u');
	if (key != '\r' && key != K_ESCAPE && !pick_leaves(key)) {
		pick_key(&own->list[own->at], key);
		return "";
	}
	for (unsigned i = 0; i < LISTS; i++)
		if (!(r[i] = pick_chosen(&own->list[i])) && key == '\r') {
			screen_notice(s, "nothing matches '%s'", own->list[i].filter);
			return "";
		}
	if (key == '\r')
		snprintf(buf, size, "workload %s %s %s", r[LIST_WORKLOAD]->name,
			 r[LIST_POLICY]->name, r[LIST_MACHINE]->name);
	else
		buf[0] = '\0';
	s->pane = s->front;
	forget_lists(own);
	return buf;
}

const struct pane_ops pane_launcher = {
	.name = "launcher",
	.help = "Choose a workload, a policy and a machine from three lists. Enter loads them.",
	.title = " load: type to filter, Tab lists, Enter starts, Esc leaves ",
	.read = "Three lists: workloads (traces and applications), policies of CTA scheduling, "
		"machines. Below them, what the chosen row of the list with the '>' is. An "
		"application that is not recorded yet is recorded when it is loaded.",
	.keys = "Up and Down choose, Tab and the arrows go to the next list, letters filter it; "
		"Enter loads. Escape deletes the letters, and without letters leaves, as Ctrl-C "
		"and "
		"Ctrl-D do.",
	.also = "workload, load, lesson",
	.min_w = 20,
	.min_h = 4,
	.kind = PANE_OVER,
	.types = true,
	.open = open_launcher,
	.close = close_launcher,
	.height = height_of_launcher,
	.draw = draw_pane,
	.key = key_command,
};
