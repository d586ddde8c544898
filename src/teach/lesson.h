/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lesson.h - private to src/teach: a parsed lesson, which is a flat list of items in the order in
 * which they happen.
 */
#ifndef TEACH_LESSON_H
#define TEACH_LESSON_H

#include "teach/teach.h"

#define LESSON_MOST (UINT64_C(1) << 20) /* most bytes of a lesson */
#define LESSON_ITEMS 1000
#define LESSON_CHOICES 9 /* most choices: each has a digit */

enum item_kind { ITEM_PAGE, ITEM_TEXT, ITEM_SESSION, ITEM_DO, ITEM_TASK, ITEM_ASK };

enum field_key {
	FIELD_CHECK,
	FIELD_USED,
	FIELD_HINT,
	FIELD_SOLVE,
	FIELD_WHY,
	FIELD_CHOICE,
	FIELD_REVEAL,
	FIELD_ANSWER,
	FIELD_VALUE,
	FIELD_EXPECT,
	FIELD_TOLERANCE,
	FIELD_WRONG,
	FIELD_TRIES,
	FIELD_POINTS,
	FIELD_KEYS
};

/* The names of the fields, and which items may have them. */
struct field_row {
	const char *name;
	bool task, ask, repeats;
};
extern const struct field_row field_rows[FIELD_KEYS];

struct field {
	enum field_key key;
	char *text;
	unsigned line;
};

struct item {
	enum item_kind kind;
	char *text; /* heading, text of a page, arguments, command, task or question */
	unsigned line;
	struct field *field; /* in the order of the file */
	unsigned n_fields;
	/* For a question: */
	bool predict;
	char *choice[LESSON_CHOICES];
	unsigned n_choices; /* 0: the answer is a number */
	unsigned right;	    /* the right choice */
	double value;	    /* the number that the author saw */
	double tolerance;   /* largest difference of a right answer */
	bool is_relative;   /* the tolerance is relative to the answer */
	unsigned tries;	    /* answers that a student has; 0: any number */
};

struct vary {
	char *name, *value; /* the value replaced <NAME> in the file */
};

struct lesson {
	char *path;
	char *id, *title, *time, *needs, *session; /* time and needs are NULL if not given */
	unsigned session_line;
	struct item *item;
	unsigned n_items, n_pages, n_tasks, n_asks;
	struct vary *vary; /* in the order of the file */
	unsigned n_vary;
	struct lesson_seed seed;
};

/* Parses the text of a lesson with the numbers of that seed; errors name it by `path`. Returns NULL
 * with e, which has file, line and what was expected. */
struct lesson *lesson_parse(const char *path, const char *text, size_t n, struct lesson_seed seed,
			    struct err *e);
/* Parses a file. */
struct lesson *lesson_read(const char *path, struct lesson_seed seed, struct err *e);
void lesson_free(struct lesson *l);

/* Checks that the item has all it needs and that its expressions are valid, and parses the choices
 * and numbers of a question. Returns -1 with e. (item.c) */
int item_check(const char *path, struct item *it, struct err *e);
bool item_is_exercise(const struct item *it); /* a task or a question */
/* Returns the i-th field of that key, NULL if there are fewer. */
const struct field *item_field(const struct item *it, enum field_key key, unsigned i);
/* Of the first one, NULL: none. */
const char *item_text(const struct item *it, enum field_key key);
/* Returns the text after "V |" of a field `wrong`, and stores V, a number or the index of a choice.
 */
const char *wrong_text(const struct item *it, const struct field *f, double *v);

/* Parses "NAME: VALUES" of `@vary` and picks a value; returns -1 with e. (vary.c) */
int vary_read(struct lesson *l, const char *text, struct lesson_seed seed, struct err *e);
/* Returns the line with values in place of names, which the caller frees; NULL without memory. */
char *vary_fill(const struct lesson *l, const char *line, size_t n);
void vary_free(struct lesson *l);

/* What a task or question is worth in a hand-in, and what a hint and a further try cost. */
struct item_points {
	double points, hint, further_try;
};
/* Parses "points: 4, hint 1, try 2"; without the field it is 1. Returns false if it is wrong. */
bool points_read(const struct item *it, struct item_points *p);

/* Has the number a comma that does not separate thousands, as in 3,4 and 0,999? */
bool number_has_decimal_comma(const char *text);
/* Parses a number as a student types it, such as 125,980 and 7.3 %. Returns false for other text,
 * also for a decimal comma. */
bool number_typed(const char *text, double *v);
/* Returns the choice that the text names by its digit or by its words, in any case and with or
 * without an article; -1 if none. */
int choice_typed(const struct item *it, const char *text);

#endif
