/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branch.h - private to src/session: prints and compares branches of the timeline.
 */
#ifndef SESSION_BRANCH_H
#define SESSION_BRANCH_H

#include "timeline/timeline.h"

struct session;

/* Formats a change or an outcome: "core.starve 8 -> 6", "core 5, cycle 900: limit stay". The
 * functions are in cmd_branch.c and cmd_flip.c. */
void session_choice_text(const struct choice *c, char *buf, size_t size);
/* The changes of a branch, less those that were undone. */
struct branch_changes {
	unsigned n_hold,
		n_undos;  /* those that hold; of these, undos of changes before the branch */
	unsigned n_ended; /* those that were undone at a later cycle, on this branch */
	const struct choice *first, *ended; /* the first of each kind, if there are any */
	cycle_t until;			    /* when `ended` was undone */
};
struct branch_changes session_branch_changes(const struct branch *b);
enum session_status session_delete_branch(struct session *s, const char *name);
/* rest: [--for N] [csv FILE] (compare_branches.c) */
enum session_status session_compare_branches(struct session *s, const char *a, const char *b,
					     const char *rest);
/* Removes the words "--for N" from text, wherever they are; 0 cycles if they are missing. -1 with
 * e: N is wrong. */
int session_take_for(char *text, cycle_t *cycles, struct err *e);
/* Removes "kernel K" from the text, K being a number or a name; *kernel 0: it is missing, which
 * means any kernel. Returns -1 with e, which begins with the command, if K is wrong. */
int session_take_kernel(const struct session *s, const char *command, char *text, unsigned *kernel,
			struct err *e);

#endif
