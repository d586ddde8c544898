/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * draw.c - shows the line of the plain prompt on the terminal.
 *
 * readline draws it, except on a terminal that cannot move its cursor up (dumb.c). There, and in a
 * narrow window, readline would scroll the line sideways, divide by parts of the width, and read
 * beyond the end of its buffer. So lines always wrap, and readline is told of at least SHORTEST
 * rows and NARROWEST columns.
 *
 * readline calls back without a context, hence the static variable.
 */
#define _GNU_SOURCE 1
#include "line/line_part.h"

#include <stdio.h>
#include <string.h>

#include <readline/readline.h>

#define SHORTEST 2   /* rows */
#define NARROWEST 10 /* columns */

static struct {
	bool is_dumb;	     /* the terminal cannot move its cursor up */
	struct dumb_row row; /* what it shows */
} draw;

void
draw_begin(void)
{
	const char *up = rl_get_termcap("up");

	draw.is_dumb = !up || !*up;
}

void
draw_end(void)
{
	sb_free(&draw.row.text);
	draw.row = (struct dumb_row){.columns = 0};
}

static void
fit_size(void)
{
	int rows, columns;

	rl_get_screen_size(&rows, &columns);
	if (rows < SHORTEST || columns < NARROWEST) /* it may subtract one column */
		rl_set_screen_size(MAX(rows, SHORTEST), MAX(columns, NARROWEST) + 1);
}

void
draw_open(void)
{
	dumb_new_row(&draw.row);
	rl_reset_screen_size();
	fit_size();
}

/* readline ends the row only where it has drawn the line. */
void
draw_accepted(void)
{
	if (draw.is_dumb)
		fputc('\n', rl_outstream);
}

static void
redraw_dumb(void)
{
	struct strbuf row = {0};
	struct line_look look;
	int rows, columns;

	line_look(&look);
	sb_str(&row, look.prompt);
	sb_add(&row, look.text, look.n);
	rl_get_screen_size(&rows, &columns);
	if (row.p && !row.failed)
		dumb_draw(rl_outstream, &draw.row,
			  &(struct dumb_line){
				  .text = row.p,
				  .n = row.n,
				  .point = strlen(look.prompt) + look.point,
				  /* a completion may have printed a list since the last time */
				  .grows = rl_last_func == rl_insert &&
					   !RL_ISSTATE(RL_STATE_COMPLETING),
			  },
			  columns);
	sb_free(&row);
}

void
draw_again(void)
{
	if (draw.is_dumb) {
		redraw_dumb();
		return;
	}
	fit_size();
	rl_redisplay();
}

void
line_hide(void)
{
	if (draw.is_dumb)
		dumb_draw(rl_outstream, &draw.row, &(struct dumb_line){.text = ""},
			  draw.row.columns + 1);
	else
		rl_clear_visible_line();
}

void
line_show(void)
{
	rl_on_new_line();
	dumb_new_row(&draw.row);
	draw_again();
}

void
draw_resized(const char *prompt)
{
	if (draw.is_dumb) {
		redraw_dumb();
		return;
	}
	rl_clear_visible_line();
	if (rl_display_prompt == rl_prompt) /* no message replaces the prompt */
		rl_set_prompt(prompt);	    /* breaks it into lines for the width */
	rl_forced_update_display();
}
