/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session.h - the facade of src/session: what the command line and the prompt need beyond the
 * contract ctascope/session.h, such as files of sessions, options by name, races and comparisons.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "ctascope/session.h"

struct optdb;
struct race_stacks;
struct value;

void say(struct session *s, enum say kind, const char *fmt, ...) ATTR_PRINTF(3, 4);
/* Prints an error, in a script with its place. Returns SESSION_ERROR. */
enum session_status say_err(struct session *s, const struct err *e);

/* Sets the trace for the session file that session_read() is about to read; borrowed. */
void session_set_trace(struct session *s, struct trace *t);
/* Whether a person types at the front end (session_ui.interactive). */
bool session_is_interactive(const struct session *s);
/* Stores references in the user's cache and loads them from there. */
void session_keep_references(struct session *s);

/* Replaces the session by that of the file, whose workload the session's trace must be. all: the
 * machine comes from the file, too; otherwise it must be the same. Returns -1 with e; nothing has
 * changed then. */
int session_read(struct session *s, const char *path, bool all, struct err *e);
/* Finds the path of the trace of a session file. s reads the file and may be asked to stop. Returns
 * -1 with e if the file is damaged or another build wrote it. */
int session_file_workload(struct session *s, const char *path, char *workload, size_t size,
			  struct err *e);
/* Called if the program ends in the middle of a command: writes the session if possible, and prints
 * where. */
void session_autosave_now(struct session *s);
/* Called at the end of the session: removes the file, or after a signal writes it once more. */
void session_autosave_end(struct session *s);
void session_autosave_drop(struct session *s);
/* Takes over the newest file of a process that has ended; from now on it is this session's, at
 * `path`. Returns -1 with e if there is none, or if other processes have them. */
int session_autosave_take(struct session *s, char *path, size_t size, struct err *e);
/* Writes the path under which the program keeps NAME between runs, and creates its folder; returns
 * -1 if no folder is known. */
int session_state_path(const char *name, char *path, size_t size);

/* What becomes of screen commands that come from a script: SCREEN_REFUSED makes them errors,
 * SCREEN_NEVER says that they are ignored, SCREEN_MAY_COME keeps them until `tui`, SCREEN_COMES
 * until the screen that is about to start, and `pace` and `reference` as well (keep.c). */
enum session_screen {
	SCREEN_REFUSED,
	SCREEN_NEVER,
	SCREEN_NEVER_QUIETLY,
	SCREEN_MAY_COME,
	SCREEN_COMES
};
void session_expect_screen(struct session *s, enum session_screen how);
void session_keep(struct session *s, const char *name, const char *args);
/* The first of the kept lines, which the caller frees; NULL: none. */
char *session_take_kept(struct session *s);
bool session_has_kept(const struct session *s);

/* Writes the full name of an option that is given in full or by its unique last part ("skip");
 * returns -1 with e if it is unknown. */
int session_option(struct session *s, const char *typed, char *key, size_t size, struct err *e);
struct optdb *session_option_db(struct session *s, const char *key);
/* Lets a note say where an option of a policy has no effect, as that is not in the stack. */
void session_remember_option(struct session *s, const char *key);

/* Races policy stacks on the session's workload, with its options. The front end shows the race, or
 * it runs to its end with a line of progress; then its table is printed. csv NULL: no file.
 * cmd_race.c */
enum session_status session_race(struct session *s, const struct race_stacks *stacks,
				 const char *csv);

/* Prints what differs between two tables of finished runs, and sets whether anything does. column
 * NULL: the default. cmd_compare.c */
enum session_status session_compare(struct session *s, const char *a, const char *b,
				    const char *column, bool *differ);

/* Finds the one of `names` that word is or uniquely begins; returns -1 with e, which names the
 * nearest. what: "table". */
int pick_name(const char *what, const char *word, const char *const *names, unsigned n,
	      struct err *e);

/* ---------------------------------------------------------------- a teacher (src/teach) */

/* The kinds of lines of a lesson's text. */
enum lesson_line {
	LESSON_TITLE, /* the first line: the lesson, and how many tasks are done */
	LESSON_HEADING,
	LESSON_TEXT,
	LESSON_DONE,  /* a task or question that was passed */
	LESSON_WRONG, /* a question that was answered wrong */
	LESSON_OPEN,  /* the task or question that waits for the student */
	LESSON_HOWTO, /* below the first task: how to do it */
	LESSON_NOTE,  /* a hint, a comment on an answer, an explanation */
	LESSON_REREAD /* below a page that was gone through, which is read from its start */
};
typedef void lesson_line_fn(void *to, enum lesson_line kind, const char *line);

/* What the keys of a lecturer (Space, PgDn ...) do: nothing of their own, end a vote, or move
 * through the steps of a presentation. */
enum session_steps { STEPS_NONE, STEPS_VOTE, STEPS_PRESENT, STEPS_PRESENT_VOTE };

/* The hooks of a teacher, which gives lessons in a session. Each is called with ctx, and none while
 * another one runs. */
struct session_teacher {
	void *ctx;
	/* Executes `lesson ARGS`. */
	enum session_status (*command)(void *ctx, const char *args);
	/* Called before a line is executed, also one of a construct, a script, or the teacher. */
	void (*typed)(void *ctx, const char *line);
	/* Called before a change that was typed while the model ran is made, after this cycle. */
	void (*changed)(void *ctx, const char *line, cycle_t cycle);
	/* Executes `quiz ARGS`, in a session with a workload. */
	enum session_status (*quiz)(void *ctx, const char *args);
	/* Execute `present ARGS` and `predict ARGS`. */
	enum session_status (*present)(void *ctx, const char *args);
	enum session_status (*predict)(void *ctx, const char *args);
	/* Handles a typed line. True: it was the answer to a question, so it is not a command. */
	bool (*takes)(void *ctx, const char *line, enum session_status *status);
	/* Called before a command moves the machine through time or measures another run. Returns
	 * -1 with e if that is not allowed now. */
	int (*allows)(void *ctx, struct err *e);
	/* after_command is called after each command, also one of a script; after_line after a
	 * typed line, with all that it did. */
	void (*after_command)(void *ctx, const char *line, enum session_status status);
	void (*after_line)(void *ctx);
	/* Calls fn for the words that may follow `lesson`. */
	void (*words)(void *ctx, void (*fn)(void *to, const char *word), void *to);
	/* Calls fn for each line of the open lesson down to its open task, at that width. */
	void (*text)(void *ctx, unsigned width, lesson_line_fn *fn, void *to);
	/* Returns a number of the question that waits for an answer, 0 if there is none. */
	unsigned (*question)(void *ctx);
	/* Whether `lesson hint` has a hint for the open task that was not given yet. */
	bool (*has_hint)(void *ctx);
	/* A lesson is open: messages about branches and policies are left out. */
	bool hides_chatter;
	/* What the keys of a presentation mean now. */
	enum session_steps steps;
};
/* Calls line() with the name and the help of each row that the screen has of "keys", "layout" or
 * "pane"; of any other word there is none. */
typedef void session_help_fn(const char *of,
			     void (*line)(void *to, const char *name, const char *help), void *to);
void session_set_screen_help(struct session *s, session_help_fn *fn);
void session_set_teacher(struct session *s, const struct session_teacher *t); /* copied */

/* Asks a person whether to execute `line`, the current one. True: the question is open, and the
 * line is done for now. False: there is nobody to ask, or the answer was yes. fmt: the question. */
bool session_ask(struct session *s, const char *line, const char *fmt, ...) ATTR_PRINTF(3, 4);

/* Asks the same if branches or changes would be lost that no file has; what: "leave". */
bool session_asks_to_lose(struct session *s, const char *line, const char *what);

/* For the screen: what the hooks above tell; nothing if no lesson is open. */
bool session_has_lesson(const struct session *s);
void session_lesson_text(struct session *s, unsigned width, lesson_line_fn *fn, void *to);
unsigned session_lesson_question(struct session *s);
bool session_lesson_has_hint(struct session *s);
enum session_steps session_steps(const struct session *s);
/* A presentation is open, perhaps with a vote in it. */
bool session_presents(const struct session *s);
/* A prediction is open: what measures or has measured another run is not shown. */
bool session_hides_outcome(const struct session *s);
/* The caption that `note` or a vote shows; "": none. Borrowed until the next command. */
const char *session_note(const struct session *s);
/* Replaces the caption; a text that is too long is cut at a character. */
void session_set_note(struct session *s, const char *text);
/* Where the machine is, to find out whether a person has moved it: numbers that are equal for the
 * same cycle on the same branch of the same machine. */
struct session_place {
	const void *machine;
	unsigned branch;
	cycle_t cycle;
};
struct session_place session_place(const struct session *s);
/* A person interrupted a run of the present line. */
bool session_was_interrupted(const struct session *s);
/* While it hurries, runs ignore the pace. */
void session_hurry(struct session *s, bool hurries);

/* Restarts the session with another machine and workload, both borrowed. Stops, displays, branches,
 * marks and the focus are lost; variables stay. Returns -1 with e; nothing has changed then. */
int session_restart(struct session *s, struct config *c, struct trace *t, struct err *e);
/* Evaluates an expression without printing. Returns -1 with e if it is invalid, or if it names
 * something that does not exist now. The caller frees v. */
int session_evaluate(struct session *s, const char *text, struct value *v, struct err *e);
/* From now on the session refuses every command that reads or writes a file or starts a program
 * (F_OUTSIDE). Its error names the reason, which is borrowed: "a lesson that is handed in". */
void session_confine(struct session *s, const char *reason);
/* A change that was typed while the model ran, and the cycle after which it was made. */
struct session_typed_change {
	cycle_t cycle;
	const char *line;
};
/* From now on runs make these changes, in the order of cycles, as if they were typed then. Lines
 * that cannot be typed during a run are ignored. Borrowed until the next call; n 0: none. */
void session_replay_changes(struct session *s, const struct session_typed_change *change,
			    unsigned n);
/* Between these two the lesson types: stops that it did not make stop no run and stay. Calls nest.
 */
void session_begin_lesson_typing(struct session *s);
void session_end_lesson_typing(struct session *s);
bool session_lesson_types(const struct session *s);
/* While muted, the session prints only errors. Calls nest. */
void session_mute(struct session *s);
void session_unmute(struct session *s);
/* The first tells whether the line begins with a command of the screen; the second, whether a
 * screen is shown. */
bool session_is_screen_command(const char *line);
bool session_has_screen(const struct session *s);
/* Columns of a line of output; 0: any number, as where no terminal is. */
unsigned session_width(const struct session *s);
/* Whether a line begins with a command, one of a user too, or with what may be one mistyped. */
bool session_is_command(const struct session *s, const char *line);
/* The line begins with a command whose output is what it is given for: print, why, flip ... */
bool session_is_answered(const char *line);
/* Was an option or the policy changed after the workload had ended? Only another run has it. */
bool session_changed_after_end(const struct session *s);
/* Whether `line` is the command `wanted`, perhaps with more words. Names may be abbreviated: "i po"
 * is "info power". */
bool session_same_command(const char *line, const char *wanted);

/* Calls fn for every command; the tables of the manual pages are made of them. */
void session_each_command(void (*fn)(void *ctx, const char *group, const char *name,
				     const char *usage, const char *help),
			  void *ctx);

#endif
