/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * teach_part.h - private to src/teach: the teacher, and what its files share.
 */
#ifndef TEACH_TEACH_PART_H
#define TEACH_TEACH_PART_H

#include "teach/lesson.h"
#include "teach/teach.h"

#include "base/strbuf.h"

enum { MARKS = 5 };
extern const char mark_letters[MARKS + 1]; /* in the file of progress */
enum mark { MARK_OPEN, MARK_DONE, MARK_WRONG, MARK_SOLVED, MARK_SKIPPED };

struct teacher {
	struct session *s;
	/* of the lesson's session; NULL: the session is still that of the command line */
	struct config *config;
	struct trace *trace;
	struct lesson *lesson; /* NULL: none is open */
	enum mark *mark;       /* of each item */
	unsigned at;	       /* the item that is open, or the next one; n_items: complete */
	bool open;	       /* it waits for the student */
	unsigned *tries;       /* answers to each item */
	unsigned hints;	       /* of it that were shown */
	cycle_t opened_at;     /* the machine's cycle when it opened */
	uint64_t used;	       /* bit i: its i-th `used` command was typed */
	bool passed;	       /* its checks have held */
	bool typing;	       /* the teacher gives commands itself */
	bool keeps_progress;
};

struct item *teacher_item(struct teacher *t); /* that is open, NULL: none */

/* find.c */
int lesson_find(const char *name, char *path, size_t size, struct err *e);
/* The first lesson that is not complete, in the order of names; false: there is none. */
bool lesson_next(char *id, size_t size);
struct progress {
	unsigned behind, items; /* tasks and questions */
	unsigned page;		/* to continue at, from 0 */
	struct lesson_seed seed;
	char *marks; /* the letter of each task and question (mark_letters), owned; NULL: none kept
		      */
};
void progress_forget(struct progress *p);
bool progress_of(const char *id, struct progress *p); /* false: it was never begun */
int progress_keep(const char *id, const struct progress *p, struct err *e);

/* setup.c: the session becomes that of these arguments. */
int teacher_setup(struct teacher *t, const char *arguments, struct err *e);

/* page.c */
/* Calls fn for each line of a page's text, in that width, with the values of {EXPR}. */
void page_lines(struct session *s, const char *text, unsigned width,
		void (*fn)(void *ctx, const char *line), void *ctx);
void page_say(struct teacher *t, const char *head, const char *text); /* wrapped below head */

/* play.c */
enum session_status teacher_advance(struct teacher *t); /* to the next item that waits */
enum session_status teacher_go_to_page(struct teacher *t, unsigned page);
/* To the first item that is open by the marks, on the page that it is on. */
enum session_status teacher_continue(struct teacher *t);
enum session_status teacher_show(struct teacher *t); /* the open page again */
enum session_status teacher_solve(struct teacher *t, bool quietly);
unsigned teacher_page(const struct teacher *t);
/* Does the condition hold? False, too, when a name in it does not exist now. */
bool teacher_holds(struct teacher *t, const char *text);
bool teacher_number(struct teacher *t, const char *text, double *v); /* false: unknown */
/* The first check of a task that does not hold, NULL: all hold. */
const struct field *teacher_failing_check(struct teacher *t, const struct item *it);
/* Gives the commands of these fields to the session. False: one failed. */
bool teacher_type(struct teacher *t, const struct item *it, enum field_key key, bool quietly);
enum session_status teacher_type_line(struct teacher *t, const char *line, bool quietly);
void teacher_pass(struct teacher *t, enum mark mark); /* the open item is behind */
void teacher_close(struct teacher *t);

/* ask.c */
void ask_show(struct teacher *t, const struct item *it);
bool ask_takes(struct teacher *t, const char *line, enum session_status *status);
void ask_solve(struct teacher *t, struct item *it, bool quietly);
/* Is v within the tolerance of the question around `answer`? */
bool ask_is_near(const struct item *it, double v, double answer);

/* command.c */
void teacher_attach(struct teacher *t);

#endif
