/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spec.h - private to src/batch: the content of a sweep file.
 *
 * Reading has three steps, each of which can fail: spec_parse() checks the grammar and knows no
 * names; spec_check() checks that names are known and values in range; points.c lists the
 * combinations. Every word keeps its place, so that all three can point at it.
 */
#ifndef BATCH_SPEC_H
#define BATCH_SPEC_H

#include "ctascope/base.h"
#include "ctascope/err.h"

#define SPEC_MAX_BYTES (1u << 20)
#define SPEC_MAX_WORDS 10000	 /* most words that one word or line may stand for */
#define SPEC_MAX_KEPT (1u << 20) /* most words of a file, including those that they stand for */
#define SPEC_MAX_POINTS 100000	 /* most points of a sweep */
#define SPEC_MAX_TOGETHER 8	 /* most options that vary together */

struct word {
	const char *text;
	unsigned line; /* from 1; 0: not from the file */
	int col, len;  /* of the word in that line (a range stands for many words) */
};

struct list {
	struct word *w;
	unsigned n;
};

enum dim { DIM_WORKLOAD, DIM_MACHINE, DIM_POLICY, DIM_WSCHED, DIMS };

/* Options that take their values together, step by step. `set` makes an axis with a single step. */
struct axis {
	unsigned n_keys, key[SPEC_MAX_TOGETHER]; /* indices into spec.options */
	struct list value;			 /* steps * n_keys values */
};

struct sweep_case {
	struct word name; /* text "" for the part before the first case */
	struct list dim[DIMS];
	bool own[DIMS]; /* set in this case; otherwise they come from the common part */
	struct axis *axis;
	unsigned n_axes, n_common_axes; /* the first ones come from the common part */
};

struct column {
	const char *name;
	struct list expr; /* its value: the first of these expressions that a run knows */
	bool let;	  /* defined by `let`, not by `column` */
};

struct spec {
	const char *path;  /* for errors */
	const char *about; /* the first comment, without "NAME - "; "": none */
	char *text;	   /* the file, split into lines */
	const char **line;
	unsigned n_lines;
	/* Every option that the file names, in its order: columns of the table. */
	struct list options;
	struct sweep_case *cases; /* the first is the common part; it runs if it is the only one */
	unsigned n_cases;
	struct column *column;
	unsigned n_columns;
	bool own_columns;		  /* a `column` line replaces the default ones */
	uint64_t max_cycles, max_seconds; /* limits of a run; 0: none */
	void **kept;			  /* memory of words */
	size_t n_kept;
};

struct spec *spec_parse(const char *path, const char *text, size_t size, struct err *e);
struct spec *spec_read(const char *path, struct err *e);
void spec_free(struct spec *s);
/* Gives this size to every application without one (ctascope sweep --size). */
void spec_size(struct spec *s, const char *size);

/* ---------------------------------------------------------------- parts of spec_parse() */

#define SPEC_LINE_WORDS 512
struct spec_line { /* the line being read */
	struct spec *s;
	struct sweep_case *c; /* the case that the line belongs to */
	struct word word[SPEC_LINE_WORDS];
	unsigned n;
	unsigned number;
	struct err *e;
};
/* The place after its last word. */
struct word spec_line_end(const struct spec_line *l);
int spec_set(struct spec_line *l);
int spec_vary(struct spec_line *l);

void column_add(struct column **c, unsigned *n, const char *name, bool let,
		const struct word *expr);
void *spec_own(struct spec *s, void *p); /* returns p, which spec_free() will free */
const char *spec_keep(struct spec *s, const char *p, size_t n); /* returns a copy */
void words_add(struct list *l, const struct word *w);
int spec_error(const struct spec *s, const struct word *at, struct err *e, const char *fmt, ...)
	ATTR_PRINTF(4, 5);
/* Lists the values that one word stands for: 16, 1..8, 4..16..4; and with braces inside a longer
 * word, "one:n={1..8}", "{one,two}+three". */
int spec_range(struct spec *s, const struct word *w, struct list *to, struct err *e);
int spec_braces(struct spec *s, const struct word *w, struct list *to, struct err *e);

/* ---------------------------------------------------------------- names */

/* Checks that the names are known. Machines and workloads are files, so a caller may provide its
 * own functions, which tell whether NAME (used by the file at spec->path) exists. */
struct spec_files {
	int (*workload)(const struct spec *s, const char *name, struct err *e);
	int (*machine)(const struct spec *s, const char *name, struct err *e);
};
int spec_check(const struct spec *s, const struct spec_files *f, struct err *e);
extern const struct spec_files spec_files;

/* Returns the path of a word that is a file: with a '/' it is relative to the folder of the spec.
 */
void spec_file(const struct spec *s, const char *name, char *buf, size_t size);

/* ---------------------------------------------------------------- points */

/* The fields that identify a point: workload, machine, policy, warp scheduler, then a value for
 * each of spec.options, "" if its case does not set that option. */
struct point {
	const char **key;
	unsigned number; /* number of the run in the whole sweep, from 1 */
};

struct points {
	const struct spec *spec;
	struct point *p;
	unsigned n, n_keys;
	unsigned repeated; /* combinations that were left out because they are repeated */
	const char **keys; /* the keys of all points */
	uint32_t *bucket;  /* the hash table: indices into p, plus 1 */
	unsigned n_buckets;
};

/* Returns NULL with e if there are too many. The spec must have been checked and outlive the
 * points. */
struct points *points_new(struct spec *s, struct err *e);
void points_free(struct points *p);
int points_find(const struct points *p, const char *const *key); /* -1: none */
extern const char *const point_key_names[DIMS];

#endif
