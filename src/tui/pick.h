/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pick.h - a list that typing filters: of the palette, and of the launcher. */
#ifndef TUI_PICK_H
#define TUI_PICK_H

#include "tui/canvas.h"

struct pick_row {
	char *name, *help;
	const char *key;  /* that does the same; NULL: none */
	bool is_complete; /* Enter does it; else it is typed and waits for an argument */
};

struct pick {
	struct pick_row *row;
	unsigned n;
	char filter[64];
	unsigned *shown, n_shown; /* indexes of the rows that match, the best first */
	unsigned at, top;	  /* the chosen one of these, and the first that is drawn */
	unsigned last;		  /* index of the row that was chosen last */
};

void pick_add(struct pick *p, const char *name, const char *help, const char *key,
	      bool is_complete);
void pick_free(struct pick *p);
/* Applies the filter after a change of the rows or of it, and chooses the best row. */
void pick_match(struct pick *p);
/* Handles a key that types, deletes, or moves in the list. False: it is none of these. */
bool pick_key(struct pick *p, int key);
const struct pick_row *pick_chosen(const struct pick *p); /* NULL: nothing matches */
/* Whether the key leaves such a list at once: Ctrl-C or Ctrl-D. */
bool pick_leaves(int key);
/* Draws the filter and below it the rows that match, with key and help from column help_x on; 0:
 * without them. active: the keys are for this list. */
void pick_draw(struct pick *p, struct canvas *c, int help_x, bool active);

/* Returns how well a text matches letters typed: all of them, in their order. 0: not at all. */
unsigned pick_score(const char *text, const char *typed);

#endif
