/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screen_part.h - what the files of the screen share: the lines around the panes, and the handlers
 * of the screen commands, one per SCREEN row of session/commands.def.
 */
#ifndef TUI_SCREEN_PART_H
#define TUI_SCREEN_PART_H

#include "tui/panes.h"

/* arg is what follows the command, without blanks around it, "" for nothing. -1 with e. */
#define SCREEN(name, flags, usage, complete, words, fn, help) \
	int fn(struct screen *s, const char *arg, struct err *e);
#define PAGE(name, when, usage, words, fn, help) \
	int fn(struct screen *s, const char *arg, struct err *e);
#include "session/commands.def"

/* The part of the screen's canvas that a place of the layout has, and the lines around the panes
 * (screen_lines.c). */
struct canvas screen_part(const struct screen *s, struct rect r);
void screen_draw_header(const struct screen *s);
void screen_draw_at(struct screen *s);
void screen_draw_last(const struct screen *s);
void screen_draw_keys(const struct screen *s);
void screen_draw_prompt(struct screen *s);

/* The marks of events, in the first row (axis_marks.c). */
void axis_marks_draw(struct screen *s, struct canvas *c);

/* The selected part of the run on the row of a time axis (screen_mouse.c). */
void screen_draw_selection(const struct screen *s, struct canvas *c);

/* "zoom: expected one of in, out, all; found 'x'", from the command's row; -1. */
int screen_wrong_word(const char *command, const char *word, struct err *e);

#endif
