/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lesson.h - private to src/teach: a lesson as it was read, a flat list of items in the order in
 * which they happen.
 */
#ifndef TEACH_LESSON_H
#define TEACH_LESSON_H

#include "teach/teach.h"

#define LESSON_MOST (UINT64_C(1) << 20) /* bytes of a lesson */
#define LESSON_ITEMS 1000
#define LESSON_CHOICES 9 /* each has a digit */

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
	FIELD_KEYS
};

/* The fields, and which items may have them. */
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
	/* of a question */
	bool predict;
	char *choice[LESSON_CHOICES];
	unsigned n_choices; /* 0: a number is asked for */
	unsigned right;	    /* the choice that is right */
	double value;	    /* the number that the author saw */
	double tolerance;   /* how far from it an answer may be */
	bool is_relative;   /* the tolerance is a share of the answer */
	unsigned tries;	    /* answers that a student has; 0: any number */
};

struct vary {
	char *name, *value; /* <NAME> in the file was replaced by this value */
};

struct lesson {
	char *path;
	char *id, *title, *time, *needs, *session; /* time and needs: NULL where not given */
	unsigned session_line;
	struct item *item;
	unsigned n_items, n_pages, n_tasks, n_asks;
	struct vary *vary; /* in the order of the file */
	unsigned n_vary;
	struct lesson_seed seed;
};

/* Reads the text of a lesson with the numbers of that seed; path is what errors name. NULL with e,
 * which has file, line and what was expected. */
struct lesson *lesson_parse(const char *path, const char *text, size_t n, struct lesson_seed seed,
			    struct err *e);
struct lesson *lesson_read(const char *path, struct lesson_seed seed,
			   struct err *e); /* of a file */
void lesson_free(struct lesson *l);

/* Has the item everything that it needs, and expressions where they belong? Reads the choices and
 * numbers of a question. -1 with e. item.c */
int item_check(const char *path, struct item *it, struct err *e);
/* The i-th field of that key, NULL: there are fewer. */
const struct field *item_field(const struct item *it, enum field_key key, unsigned i);
const char *item_text(const struct item *it, enum field_key key); /* of the first, NULL: none */
/* "V | TEXT" of a field `wrong`: the text after V; the number or the choice is in *v. */
const char *wrong_text(const struct item *it, const struct field *f, double *v);

/* Reads "NAME: VALUES" of `@vary` and picks a value; -1 with e. vary.c */
int vary_read(struct lesson *l, const char *text, struct lesson_seed seed, struct err *e);
/* The line with values in place of names; NULL: out of memory. The caller frees it. */
char *vary_fill(const struct lesson *l, const char *line, size_t n);
void vary_free(struct lesson *l);

/* A number as a student types it: 125,980 and 7.3 % are numbers. False: it is none. */
bool number_typed(const char *text, double *v);
/* The choice that a text names, by its digit or in full, whatever the case; -1: none. */
int choice_typed(const struct item *it, const char *text);

#endif
