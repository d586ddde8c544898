/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * handin.h - a lesson that is handed in, and its grade.
 *
 * A hand-in is a text: who did which lesson, every line that was typed, and for each task and
 * question its mark, the cycle and digest of the machine then, and how many tries and hints it took
 * (ctascope-lesson(5)). Grading types the lines again into the same lesson, in a child without
 * files, programs and plug-ins and with limits, and compares. The marks of the file are claims;
 * points come from the replay alone.
 *
 *     handin.c       records a lesson, and replays the lines of a hand-in
 *     handin_text.c  the text: parsed and written
 *     grade.c        the child, the comparison, the points, the table
 */
#ifndef TEACH_HANDIN_H
#define TEACH_HANDIN_H

#include "teach/teach.h"

#include <stdio.h>

/* The student's seed: HMAC-SHA256 of the ID with the key of the course ("" if none), never 0. */
uint64_t handin_seed(const char *student, const char *key);

/* Opens the lesson from its start with these numbers, and writes a hand-in whenever a task or
 * question is passed. If the file exists and is the same student's hand-in of the same lesson, the
 * lesson continues where it ends. Errors have been printed. */
enum session_status teacher_hand_in(struct teacher *t, const char *lesson, const char *student,
				    struct lesson_seed seed, const char *path);

struct grade_options {
	const char *key;    /* of the course; NULL: none */
	const char *lesson; /* the file to grade by; NULL: the lesson that the hand-in names */
	unsigned seconds;   /* of processor time for a hand-in */
	unsigned memory;    /* MiB */
	uint64_t cycles;
};

void grade_head(FILE *csv);
/* Writes the rows of a hand-in. -1 with e: the file cannot be read. */
int grade_file(const char *path, const struct grade_options *o, FILE *csv, struct err *e);

#endif
