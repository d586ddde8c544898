/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * teach.h - lessons: pages that a lecturer writes, with tasks that ctascope checks.
 *
 * Idea. A lesson is a text file without code (ctascope-lesson(5)): pages of text, and between them
 * items in the order in which they happen: a new session, commands that the lesson types, tasks and
 * questions. A task is passed when its checks, which are expressions, hold; a question is answered
 * by a line typed at the prompt. Everything a lesson does is a command given to the session, so a
 * lesson has no powers of its own, and `ctascope lesson --check` can play it without a student.
 *
 * Design. The room is deep: outside, there is one object, the teacher of a session, which is
 * opened, asked for a report, and freed. A session knows it only by the hooks of struct
 * session_teacher.
 *
 *     lesson.c     reads the file into a flat list of items, and refuses what is not a lesson
 *     item.c       what a task and a question need
 *     vary.c       numbers that differ from student to student
 *     find.c       finds lessons by name and lists them; the file of progress
 *     setup.c      makes machine and workload from the arguments of `session:`
 *     page.c       turns the text of a page into lines, with live values
 *     play.c       goes from item to item; hint, skip, back, reset, solve
 *     ask.c        questions and answers
 *     present.c    the steps of a presentation: a lesson that its lecturer plays
 *     vote.c       a question to the audience, whose outcome is hidden
 *     command.c    the command `lesson`, its completion, the hooks of the session
 *     check.c      plays the reference solutions
 *
 * Invariants. An item is either behind (done, wrong, solved or skipped), open, or still to come;
 * only one is open. The state of the machine at a page is a function of the items since the latest
 * `@session` before it: that is how `back`, `reset` and a lesson that continues get there, by
 * playing them again. While the teacher itself types, its hooks do nothing.
 */
#ifndef TEACH_TEACH_H
#define TEACH_TEACH_H

#include "session/session.h"

struct teacher;

/* Which numbers of `@vary` a student gets: 0 are those that the author played. */
struct lesson_seed {
	uint64_t value;
};

/* Gives the session the command `lesson`. NULL: out of memory. Free the teacher after the session,
 * since it owns the machine and the workload of its lessons. */
struct teacher *teacher_new(struct session *s);
void teacher_free(struct teacher *t);

/* Opens a lesson by its ID or the path of its file (NULL: the first that is not complete) and
 * prints its first page. seed: of the numbers that vary; NULL: those of the student's progress, or
 * else the author's. with_progress: continue where the student was, and remember how far he
 * comes. Otherwise errors have been printed. */
enum session_status teacher_open(struct teacher *t, const char *name,
				 const struct lesson_seed *seed, bool with_progress);

/* Prints an error if there is no lesson of that name, or if its file is wrong. NULL: the next one.
 * presents: it may be the name of a presentation. */
enum session_status teacher_check_name(struct teacher *t, const char *name, bool presents);

/* Prints one line per task and question of the open lesson; true: all are done and right, and
 * handed in if they are to be. */
bool teacher_report(struct teacher *t);

/* Opens a presentation, named as above or "NAME" of lessons/NAME.present, and carries out the first
 * step of a page, from 1; the machine is there what the pages before made of it. */
enum session_status teacher_present(struct teacher *t, const char *name, unsigned page);
/* Carries out all its other steps, as its lecturer would. */
enum session_status teacher_present_all(struct teacher *t);

/* Prints the lessons that are found, with the student's progress. */
enum session_status teacher_list(struct teacher *t);

/* Plays the reference solutions of a lesson, named as above, with the numbers of a seed; NULL:
 * those of the author and, if numbers vary, of seeds 1 to 3. -1 with e: the file is no lesson, or
 * the lesson is stale. tasks and questions receive how many there are. */
int teach_check(const char *name, const struct lesson_seed *seed, unsigned *tasks,
		unsigned *questions, struct err *e);

/* Calls fn for every lesson that is found, by name, until it returns other than 0; returns that. */
int teach_each(int (*fn)(void *ctx, const char *id, const char *path), void *ctx);

#endif
