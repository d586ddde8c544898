/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_loop.c - two runs on a terminal: keys in, frames out. Nothing moves, so it only waits. */
#include "tui/compare_view.h"
#include "tui/keys.h"
#include <poll.h>
#include <stdio.h>

#define PAGE 10
#define ALL 100000 /* rows */

static void
next_theme(struct compare_view *v)
{
	struct err e = {0};

	if (theme_next(&v->theme, &e))
		snprintf(v->notice, sizeof(v->notice), "%.150s", e.msg);
	painter_init(&v->painter, &v->theme, v->depth, v->unicode);
}

/* Rows that a key goes down; 0: it is another key. */
static int
rows_of_key(int key)
{
	switch (key) {
	case 'j':
	case '\t':
	case K_DOWN:
		return 1;
	case 'k':
	case K_BACKTAB:
	case K_UP:
		return -1;
	case K_PGDN:
		return PAGE;
	case K_PGUP:
		return -PAGE;
	case 'G':
	case K_END:
		return ALL;
	case 'g':
	case K_HOME:
		return -ALL;
	default:
		return 0;
	}
}

static void
one_key(struct stage *g, struct compare_view *v, int key)
{
	v->notice[0] = '\0';
	if (rows_of_key(key)) {
		compare_view_choose(v, rows_of_key(key));
		return;
	}
	switch (key) {
	case 'q':
		g->leave = !v->help;
		v->help = false;
		break;
	case '?':
	case K_F1:
		v->help = !v->help;
		break;
	case 'F':
		v->largest = !v->largest;
		break;
	case 't':
		next_theme(v);
		break;
	case K_CTRL('l'):
		term_redraw(g->term);
		break;
	default:
		snprintf(v->notice, sizeof(v->notice),
			 "this key has no meaning here; ? lists those that have");
	}
}

void
compare_loop(struct stage *g, const struct compare *c, const char *column)
{
	struct compare_view v;
	struct term_key k;
	struct pollfd p[2];

	compare_view_init(&v, c, column, &g->theme, term_depth(g->term), term_unicode(g->term));
	while (!g->leave) {
		if (g->want_frame && stage_ready(g)) {
			compare_view_draw(&v, g->canvas);
			term_blit(g->term, g->canvas, &v.painter, -1, -1);
			g->want_frame = false;
		}
		stage_wait(g, p, 0, term_busy(g->term) ? 20 : 250);
		stage_events(g);
		while (!g->leave && term_read(g->term, false, &k)) {
			if (k.code < K_NONE || (k.code > K_NONE && k.code < TERM_PASTE))
				one_key(g, &v, k.code);
			g->want_frame = true;
		}
	}
	compare_view_free(&v);
}

int
tui_compare(struct session *s, const struct compare *c, const char *column,
	    const struct tui_options *o, struct err *e)
{
	struct stage g;

	if (stage_open(&g, s, o, "the screen of a comparison", e))
		return -1;
	compare_loop(&g, c, column);
	return stage_close(&g);
}
