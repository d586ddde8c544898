/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spec.h - private to src/batch: a sweep as its file says it.
 *
 * Reading is in three steps, each of which can refuse: spec_parse() knows the grammar and no names;
 * spec_check() asks whether the names are known and the values in range; points.c multiplies.
 * Every word keeps its place, so that all three can point at it.
 */
#ifndef BATCH_SPEC_H
#define BATCH_SPEC_H

#include "ctascope/base.h"
#include "ctascope/err.h"

#define SPEC_MAX_BYTES (1u << 20)
#define SPEC_MAX_WORDS 10000	 /* that one word or line may stand for */
#define SPEC_MAX_KEPT (1u << 20) /* words of a file, with what they stand for */
#define SPEC_MAX_POINTS 100000	 /* of a sweep */
#define SPEC_MAX_TOGETHER 8	 /* options that vary together */

struct word {
	const char *text;
	unsigned line; /* from 1; 0: not from the file */
	int col, len;  /* in that line, of what stands there (a range stands for many words) */
};

struct list {
	struct word *w;
	unsigned n;
};

enum dim { DIM_WORKLOAD, DIM_MACHINE, DIM_POLICY, DIM_WSCHED, DIMS };

/* Options that take their values together, step by step. `set` makes one of a single step. */
struct axis {
	unsigned n_keys, key[SPEC_MAX_TOGETHER]; /* places in spec.options */
	struct list value;			 /* steps x n_keys */
};

struct sweep_case {
	struct word name; /* text "" for the part before the first case */
	struct list dim[DIMS];
	bool own[DIMS]; /* said here; else it is the common part's */
	struct axis *axis;
	unsigned n_axes, n_common_axes; /* the first ones are the common part's */
};

struct column {
	const char *name;
	struct list expr; /* what it is: the first of these expressions that a run knows */
	bool let;	  /* and not `column` */
};

struct spec {
	const char *path;  /* as errors name it */
	const char *about; /* the first comment, without "NAME - "; "" for none */
	char *text;	   /* the file, cut into lines */
	const char **line;
	unsigned n_lines;
	struct list options; /* every option the file names, in its order: columns of the table */
	struct sweep_case *cases; /* the first is the common part; it runs if it is the only one */
	unsigned n_cases;
	struct column *column;
	unsigned n_columns;
	bool own_columns;		  /* a `column` line replaces the usual ones */
	uint64_t max_cycles, max_seconds; /* of a run; 0: no limit */
	void **kept;			  /* memory of words */
	size_t n_kept;
};

struct spec *spec_parse(const char *path, const char *text, size_t size, struct err *e);
struct spec *spec_read(const char *path, struct err *e);
void spec_free(struct spec *s);
/* Every application that stands without a size has this one (ctascope sweep --size). */
void spec_size(struct spec *s, const char *size);

/* ---------------------------------------------------------------- parts of spec_parse() */

#define SPEC_LINE_WORDS 512
struct spec_line { /* being read */
	struct spec *s;
	struct sweep_case *c; /* the one that the line belongs to */
	struct word word[SPEC_LINE_WORDS];
	unsigned n;
	unsigned number;
	struct err *e;
};
struct word spec_line_end(const struct spec_line *l); /* the place behind its last word */
int spec_set(struct spec_line *l);
int spec_vary(struct spec_line *l);

void column_add(struct column **c, unsigned *n, const char *name, bool let,
		const struct word *expr);
void *spec_own(struct spec *s, void *p); /* p, to be freed with the spec */
const char *spec_keep(struct spec *s, const char *p, size_t n); /* a copy */
void words_add(struct list *l, const struct word *w);
int spec_error(const struct spec *s, const struct word *at, struct err *e, const char *fmt, ...)
	ATTR_PRINTF(4, 5);
/* The values that one word stands for: 16, 1..8, 4..16..4; and with braces inside a longer word,
 * "one:n={1..8}", "{one,two}+three". */
int spec_range(struct spec *s, const struct word *w, struct list *to, struct err *e);
int spec_braces(struct spec *s, const struct word *w, struct list *to, struct err *e);

/* ---------------------------------------------------------------- names */

/* Are the names known? Machines and workloads are files, so a caller may bring its own answers:
 * whether NAME (of the file that lies at spec->path) is one. */
struct spec_files {
	int (*workload)(const struct spec *s, const char *name, struct err *e);
	int (*machine)(const struct spec *s, const char *name, struct err *e);
};
int spec_check(const struct spec *s, const struct spec_files *f, struct err *e);
extern const struct spec_files spec_files;

/* A word of the spec as a file: with a '/' it is a path from the folder of the spec. */
void spec_file(const struct spec *s, const char *name, char *buf, size_t size);

/* ---------------------------------------------------------------- points */

/* The fields of a point that tell it from all others: workload, machine, policy, warp scheduler,
 * then a value for each of spec.options, "" where its case says nothing of that option. */
struct point {
	const char **key;
	unsigned number; /* of the run in the whole sweep, from 1 */
};

struct points {
	const struct spec *spec;
	struct point *p;
	unsigned n, n_keys;
	unsigned repeated; /* combinations that had come before, left out */
	const char **keys; /* of all points */
	uint32_t *bucket;  /* of the hash table: place in p + 1 */
	unsigned n_buckets;
};

/* NULL with e: too many. The spec has been checked and outlives the points. */
struct points *points_new(struct spec *s, struct err *e);
void points_free(struct points *p);
int points_find(const struct points *p, const char *const *key); /* -1: none */
extern const char *const point_key_names[DIMS];

#endif
