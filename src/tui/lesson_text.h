/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lesson_text.h - the text of the open lesson beside the panes: at the left, or on a narrow screen
 * below them.
 *
 * The text is drawn again in every frame while the model stands still, so its live values are those
 * of the stop; while the model runs, the lines of the last stop remain. Until the reader pages, the
 * part in view follows the lesson: the open page from its heading if it fits or is new, else what
 * was said about the last task, and what follows it. If the open task is below that part, the last
 * rows show it with its hints. A mark shows where text is left out.
 */
#ifndef TUI_LESSON_TEXT_H
#define TUI_LESSON_TEXT_H

#include "tui/canvas.h"

struct screen;

struct lesson_text {
	struct lesson_row *row;
	unsigned n, cap;
	unsigned page;	 /* the row of the last heading */
	unsigned passed; /* the row of the last task that was passed */
	unsigned open;	 /* the row of the open task, which ends the text; n: none is open */
	bool is_new;	 /* nothing of that page was done yet */
	bool rereads;	 /* that page was gone through, and is read from its heading */
	int width, rows; /* of the text in the last frame */
	int shown;	 /* of those rows, the ones above the open task */
	int top;	 /* the first row in view */
	bool is_paged;	 /* by the reader, since the open task became that */
	bool shows_note; /* a hint or comment has come since the reader paged */
};

void lesson_text_draw(struct screen *s, struct canvas *c);
void lesson_text_free(struct lesson_text *t);

#endif
