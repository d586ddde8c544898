/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * teach_part.h - private to src/teach: the teacher, and the functions that its files share.
 */
#ifndef TEACH_TEACH_PART_H
#define TEACH_TEACH_PART_H

#include "teach/lesson.h"
#include "teach/teach.h"

#include "base/human.h"
#include "base/strbuf.h"
#include "base/words.h"

enum { MARKS = 5 };
extern const char mark_letters[MARKS + 1]; /* in the file of progress */
enum mark { MARK_OPEN, MARK_DONE, MARK_WRONG, MARK_SOLVED, MARK_SKIPPED };
extern const char *const mark_names[MARKS];

/* What the expressions of a question are where it is asked. */
struct opening {
	double answer; /* NAN: unknown */
	bool expected; /* `expect` holds */
};

struct teacher {
	struct session *s;
	/* the configuration of the lesson's session; NULL: the session still has that of the
	 * command line */
	struct config *config;
	struct trace *trace;
	struct lesson *lesson; /* NULL: no lesson is open */
	enum mark *mark;       /* one per item */
	unsigned *tries;       /* answers to each item */
	double last_answer;    /* to the open item, if it has tries */
	struct strbuf *note;   /* hints and comments of each item, a line each, for the screen */
	unsigned at;	       /* the open item, or the next one; n_items: the lesson is complete */
	bool open;	       /* the item at `at` waits for the student */
	bool rereads;	       /* `at` is the last item of a page gone through; nothing waits */
	unsigned hints;	       /* hints of that item that were shown */
	cycle_t opened_at;     /* the machine's cycle when it opened */
	struct opening *opening; /* of each item */
	unsigned opened_to;	 /* the items before it have the place of the open one, or of one
				  * before that */
	uint64_t used;		 /* bit i is set when the item's i-th `used` command was typed */
	bool passed;		 /* its checks have held */
	bool typing;		 /* the teacher itself executes commands */
	bool keeps_progress;
	bool was_complete;	     /* in an earlier sitting: it stays complete in the list */
	struct quiz_prompt *quiz;    /* NULL: none was asked yet */
	struct presenter *presenter; /* NULL: the lesson is not presented */
	bool repeats;		     /* steps of a presentation are repeated */
	char *vote;		     /* the command that ends a vote; NULL: none is open */
	bool vote_is_of_lesson;	     /* and no person typed it */
	struct handin *handin;	     /* NULL: the lesson is not handed in */
	config_try_fn *plugin_try;   /* of the policies of a lesson's sessions; NULL: foreign_try */
};

struct item *teacher_item(struct teacher *t); /* the open item, NULL: none */

/* find.c */
int lesson_find(const char *name, char *path, size_t size, struct err *e);
/* The same of a presentation, which may be a lesson. */
int presentation_find(const char *name, char *path, size_t size, struct err *e);
/* Finds the first lesson behind `after` that is not complete, in the order of names, or, if there
 * is none, the first at all; after: NULL, or a lesson that is not meant. Returns false if all are
 * complete. */
bool lesson_next(const char *after, char *id, size_t size);
struct progress {
	/* tasks and questions passed, and all of them; equal: the lesson was completed once, and
	 * the marks may be those of a further sitting */
	unsigned behind, items;
	unsigned page; /* the page to continue at, from 0 */
	struct lesson_seed seed;
	char *marks; /* a letter of mark_letters per task and question, owned; NULL: unknown */
};
void progress_forget(struct progress *p);
/* False: the student never began it. */
bool progress_of(const char *id, struct progress *p);
int progress_keep(const char *id, const struct progress *p, struct err *e);

/* setup.c: gives the session the machine and workload of these arguments. */
int teacher_setup(struct teacher *t, const char *arguments, struct err *e);

/* page.c */
/* Splits the text between the braces of a live value, EXPR or EXPR:.2, into the expression and its
 * decimals, -1 if it names none. Returns false if the expression has no room. */
bool page_live_value(struct span text, char *expr, size_t size, int *decimals);
/* Formats a number as pages print it: with thousands separators and with so many decimals, or
 * rounded as in tables if they are -1; "?" if it is unknown. */
void page_number(double v, int decimals, char buf[HUMAN]);
/* Counts the columns of a text. */
unsigned page_columns(const char *text);
/* Calls fn for each line of a page's text at that width, with the values of {EXPR}. */
void page_lines(struct session *s, const char *text, unsigned width,
		void (*fn)(void *ctx, const char *line), void *ctx);
/* Prints a line; on a terminal it is wrapped between words, below its indentation. */
void page_tell(struct teacher *t, const char *fmt, ...) ATTR_PRINTF(2, 3);
/* The same for a line that begins with `head`; its text is wrapped beside it. */
void page_tell_below(struct teacher *t, const char *head, const char *text);
/* Prints text wrapped, indented below head; on the screen the lesson's text has it instead. */
void page_say(struct teacher *t, const char *head, const char *text);
/* The same, of the item at `at`: a hint, a comment or an explanation. */
void page_note(struct teacher *t, const char *head, const char *text);
/* The same of a `why`, which the log of the screen has, too: the next page may take its place. */
void page_explain(struct teacher *t, const char *why);
/* Calls fn for each line of a paragraph without values, as page_say() prints it. */
void page_wrap(const char *head, const char *text, unsigned width,
	       void (*fn)(void *ctx, const char *line), void *ctx);

/* present.c */
enum session_status present_command(void *teacher, const char *args);
/* The next step, or the end of a vote. */
enum session_status present_next(struct teacher *t);
/* Writes the step that is open, in place of the pages of a lesson. */
void present_text(struct teacher *t, unsigned width, lesson_line_fn *fn, void *to);
void presenter_free(struct presenter *p);

/* vote.c */
enum session_status vote_command(void *teacher, const char *args);
enum session_status vote_end(struct teacher *t);
void vote_drop(struct teacher *t); /* without its outcome */

/* text.c: the lesson as the screen shows it (hooks of struct session_teacher). */
void teacher_text(void *teacher, unsigned width, lesson_line_fn *fn, void *to);
unsigned teacher_question(void *teacher);
unsigned teacher_number_of(const struct lesson *l, unsigned at); /* of a task or question, from 1 */
/* Calls fn for the lines of a page's text. */
void teacher_page_text(struct teacher *t, const char *text, unsigned width, lesson_line_fn *fn,
		       void *to);
/* Calls fn for the lines of a task or question with its choices, hints and comments. */
void teacher_item_text(const struct teacher *t, unsigned i, unsigned width, lesson_line_fn *fn,
		       void *to);

/* play.c */
/* Returns the index of the heading of a page, from 0; the last item if there is no such page. */
unsigned lesson_page(const struct lesson *l, unsigned page);
/* Moves to the next item that waits. */
enum session_status teacher_advance(struct teacher *t);
/* Begins a page again: the marks from there on are forgotten. */
enum session_status teacher_go_to_page(struct teacher *t, unsigned page);
/* Shows a page that was gone through, with its marks and the machine as it was at its start; from
 * the page of the open item on, continues there. */
enum session_status teacher_reread_page(struct teacher *t, unsigned page);
unsigned teacher_count_marks_from(const struct teacher *t, unsigned page);
/* Goes to the first item that is open by its mark, and shows its page down to there. */
enum session_status teacher_continue(struct teacher *t);
enum session_status teacher_show(struct teacher *t); /* prints the open page again */
enum session_status teacher_solve(struct teacher *t, bool quietly);
/* The same, without moving on to the next item. */
enum session_status teacher_resolve(struct teacher *t, bool quietly);
/* The machine becomes what it is before an item. */
enum session_status teacher_go_to_item(struct teacher *t, unsigned to);
/* Prints an error of the lesson's file and closes it. */
enum session_status teacher_fail_at(struct teacher *t, unsigned line, const char *what,
				    const struct err *e);
void teacher_show_heading(struct teacher *t, unsigned at); /* of a page, at the prompt */
/* Marks a task or question as the one that waits. */
void teacher_wait_at(struct teacher *t, unsigned at);
/* Forgets marks, tries and comments from that item on. */
void teacher_forget_from(struct teacher *t, unsigned at);
unsigned teacher_page(const struct teacher *t);
/* Whether the condition holds; false also if a name in it does not exist now. */
bool teacher_holds(struct teacher *t, const char *text);
/* False: the value is unknown. */
bool teacher_number(struct teacher *t, const char *text, double *v);
/* Returns the first check of a task that does not hold, NULL if all hold. */
const struct field *teacher_failing_check(struct teacher *t, const struct item *it);
/* Executes the commands of these fields in the session. Returns false if one failed. */
bool teacher_type(struct teacher *t, const struct item *it, enum field_key key, bool quietly);
enum session_status teacher_type_line(struct teacher *t, const char *line, bool quietly);
/* The same for a command that a person asked for: his stops stop it. */
enum session_status teacher_type_for_person(struct teacher *t, const char *line, bool quietly);
/* Prints that a command of the lesson failed, in which line of its file, and what to do. */
void teacher_say_failed(struct teacher *t, const char *command, unsigned line,
			const char *what_to_do);
/* Marks the open item and closes it. */
void teacher_pass(struct teacher *t, enum mark mark);
void teacher_close(struct teacher *t);

/* ask.c */
void ask_show(struct teacher *t, const struct item *it);
/* Notes what the expressions of a question are here. */
void ask_note_opening(struct teacher *t, unsigned at);
bool ask_takes(struct teacher *t, const char *line, enum session_status *status);
void ask_solve(struct teacher *t, struct item *it, bool quietly);
/* Whether v is within the question's tolerance of `answer`. */
bool ask_is_near(const struct item *it, double v, double answer);

/* quiz_prompt.c */
enum session_status quiz_prompt_command(void *teacher, const char *args);
bool quiz_prompt_takes(struct teacher *t, const char *line, enum session_status *status);
void quiz_prompt_free(struct quiz_prompt *p);

/* handin.c: hooks of the recorder */
void handin_typed(void *teacher, const char *line);
void handin_changed(void *teacher, const char *line, cycle_t cycle);
/* The open item is about to be passed; the next two do nothing if the lesson is not handed in. */
void handin_note_pass(struct teacher *t);
void handin_after_line(struct teacher *t);
bool handin_is_unwritten(const struct teacher *t); /* the last attempt to write it failed */
void handin_free(struct handin *h);

/* command.c */
/* Asks a person who has work of his own in the session, which a lesson or presentation would
 * replace; true: he has to answer first. line: the command that opens it. */
bool teacher_asks_to_lose(struct teacher *t, const char *command, const char *args);
/* Prints an error; returns SESSION_ERROR. */
enum session_status teacher_refuse(struct teacher *t, const char *fmt, ...) ATTR_PRINTF(2, 3);
void teacher_attach(struct teacher *t);
/* Replaces the open lesson by l, which it owns from now on, also after an error. */
int teacher_take_lesson(struct teacher *t, struct lesson *l, struct err *e);

#endif
