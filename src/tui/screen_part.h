/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screen_part.h - private to the files of the screen: the lines around the panes, and the handlers
 * of the screen commands, one per SCREEN row of session/commands.def.
 */
#ifndef TUI_SCREEN_PART_H
#define TUI_SCREEN_PART_H

#include "tui/panes.h"

/* arg is the text after the command without surrounding blanks, "" if there is none. Returns -1
 * with e on an error. */
#define SCREEN(name, flags, usage, complete, words, fn, help, example) \
	int fn(struct screen *s, const char *arg, struct err *e);
#define PAGE(name, when, usage, words, fn, help) \
	int fn(struct screen *s, const char *arg, struct err *e);
#include "session/commands.def"

/* Returns the part of the screen's canvas at a place of the layout. The functions below draw the
 * lines around the panes (screen_lines.c). */
struct canvas screen_part(const struct screen *s, struct rect r);
void screen_draw_header(const struct screen *s);
void screen_draw_at(struct screen *s);
void screen_draw_last(const struct screen *s);
void screen_draw_keys(const struct screen *s);
void screen_draw_prompt(struct screen *s);

/* Draws the marks of events in the first row (axis_marks.c). */
void axis_marks_draw(struct screen *s, struct canvas *c);

/* measure.c: marks of what `find` found, on the row of a time axis; the way to the next or the
 * previous of them; the lines about the selected part, false if there is none; and a selection that
 * begins or ends at the cursor. */
void screen_draw_hits(const struct screen *s, struct canvas *c);
void screen_to_hit(struct screen *s, int by);
bool screen_draw_measured(struct screen *s, struct canvas *first, struct canvas *second);
void screen_select_here(struct screen *s);

/* Draws the selected part of the run on the row of a time axis (screen_mouse.c). */
void screen_draw_selection(const struct screen *s, struct canvas *c);

/* Fails with "zoom: expected one of in, out, all; found 'x'", made from the command's row. Returns
 * -1. */
int screen_wrong_word(const char *command, const char *word, struct err *e);

/* The caption: how many rows it needs on this screen, and drawing it. (banner.c) */
int screen_banner_rows(const struct screen *s);
void screen_draw_banner(const struct screen *s);

#endif
