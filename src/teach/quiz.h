/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quiz.h - questions about a run, drawn by a seed.
 *
 * The run is made once, and of every kind of decision a bounded number is kept with what could be
 * seen before it. Questions are drawn from these, evenly over the answers, and those with the same
 * answer evenly over the kinds (the rules of a policy, the classes of a cycle, the occupancy
 * limiters), since on most workloads one kind is by far the most frequent. Which are kept does not
 * depend on the seed, so one run serves many seeds.
 *
 *     quiz.c         what is kept, the draw, and what identifies a quiz
 *     quiz_policy.c  what a policy decides: up, down or stays, which rule, how many cores
 *     quiz_core.c    why a core did not issue, and how many CTAs fit
 *     quiz_print.c   as a sheet, as JSON, and asked one by one
 *     quiz_prompt.c  the command `quiz`: the period that is running
 *
 * Nothing here knows a policy by name. A rule whose sentence has {outcome} moves a limit, so the
 * question is up, down or stays; otherwise it is which rule decides.
 */
#ifndef TEACH_QUIZ_H
#define TEACH_QUIZ_H

#include "ctascope/sim.h"

#include <stdio.h>

enum quiz_level { QUIZ_NORMAL, QUIZ_EASY, QUIZ_HARD };
extern const char *const quiz_level_names[];

#define QUIZ_OCCUPANCY "occupancy" /* kinds that are no policy */
#define QUIZ_CLASS "class"

struct quiz;

/* Runs the workload and keeps what can be asked. kind: a policy of the stack, NULL for all of them,
 * or one of the two above. NULL with e: there is nothing to ask, or the run failed. c is borrowed
 * and comes back unchanged. */
struct quiz *quiz_new(struct config *c, struct trace *t, const char *kind, enum quiz_level level,
		      struct err *e);
void quiz_free(struct quiz *q);

/* Draws up to n questions in place of those before; returns how many there are. */
unsigned quiz_draw(struct quiz *q, uint64_t seed, unsigned n);
/* What identifies the questions drawn: the seed, and a digest of program, machine, policies, trace,
 * kind, level and n. */
void quiz_name(const struct quiz *q, char *buf, size_t size);

/* The questions; with_answers: each with its answer and why. */
void quiz_print(const struct quiz *q, FILE *to, bool with_answers);
void quiz_print_sheet(const struct quiz *q, FILE *to); /* a page to hand out, and a key */
void quiz_print_json(const struct quiz *q, FILE *to);
/* Asks them one by one, reading answers from standard input, up to its end. */
void quiz_ask(const struct quiz *q, FILE *to);

#endif
