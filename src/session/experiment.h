/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * experiment.h - private to src/session: the session's machine as src/lab takes it, and its
 * progress for the user.
 */
#ifndef SESSION_EXPERIMENT_H
#define SESSION_EXPERIMENT_H

#include "lab/lab.h"
#include "session/session_part.h"

struct machine session_machine(struct session *s);

/* On the screen, or as a line on standard error; Ctrl-C ends what it shows. */
struct progress_line {
	struct lab_progress progress; /* for src/lab */
	struct session *s;
	const char *what;
	double began, drawn; /* wall clock */
	bool shown;
};
void progress_line_begin(struct progress_line *w, struct session *s, const char *what);
void progress_line_end(struct progress_line *w);

#endif
