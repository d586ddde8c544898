/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * experiment.h - private to src/session: passes the session's machine to src/lab, and shows the
 * progress of its work.
 */
#ifndef SESSION_EXPERIMENT_H
#define SESSION_EXPERIMENT_H

#include "lab/lab.h"
#include "session/session_part.h"

struct machine session_machine(struct session *s);

/* Shows progress on the screen, or as a line on standard error. Ctrl-C ends the work. */
struct progress_line {
	struct lab_progress progress; /* for src/lab */
	struct session *s;
	const char *what;
	double began, drawn; /* wall clock */
	bool shown;
};
void progress_line_begin(struct progress_line *w, struct session *s, const char *what);
void progress_line_end(struct progress_line *w);
/* After Ctrl-C has ended the work of a command: says so and ends a script, or a run with -b. */
enum session_status session_say_interrupted(struct session *s, const char *what);

/* Parses "csv FILE", the end of a command's arguments, or nothing, which leaves *csv as it is. */
int session_read_csv(const char *command, const char *at, char *csv, size_t size, struct err *e);

#endif
