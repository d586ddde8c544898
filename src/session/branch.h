/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branch.h - branches of the timeline as the commands say and compare them.
 */
#ifndef SESSION_BRANCH_H
#define SESSION_BRANCH_H

#include "timeline/timeline.h"

struct session;

/* Branches (cmd_branch.c, cmd_flip.c): "core.starve 8 -> 6", "core 5, cycle 900: limit stay". */
void session_choice_text(const struct choice *c, char *buf, size_t size);
enum session_status session_delete_branch(struct session *s, const char *name);
/* rest: [--for N] [csv FILE] (compare_branches.c) */
enum session_status session_compare_branches(struct session *s, const char *a, const char *b,
					     const char *rest);
/* Takes "--for N" off the end of text, 0 when there is none; -1 with e. */
int session_take_for(char *text, cycle_t *cycles, struct err *e);

#endif
