/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * eval.h - expressions over named numbers: "core.5.ract < 0.4 && min(credits.local.*) == 0".
 *
 * One evaluator for derived statistics, print, display, conditions, watch, assert and plots. The
 * text is compiled once and evaluated often. Operators as in C, lowest first:
 *     ?:   ||   &&   == !=   < <= > >=   + -   * / %   - + ! (before a value)
 * Numbers: 42, 1_000, 0x2a, 0.4, 1e3, and 10k, 2M, 1G for thousands, millions, 10^9. All arithmetic
 * is on doubles: 7 / 2 is 3.5, and integers are exact up to 2^53. Comparisons do not chain.
 *
 * A value is a number, a vector (core.*.n), or unknown. Unknown is not zero:
 *   - an operator with an unknown operand gives unknown; so do division by zero and results too
 *     large for a double. But false && unknown is false and true || unknown is true.
 *   - a condition that is unknown does not hold.
 * Vectors: every operator works element by element, comparisons and && || ! ?: too, and a number
 * goes with each element. As a condition a vector holds when any of its elements does, so
 * "core.*.n > 6 && core.*.ract < 0.2" asks for one core with both. Say any() or all() to be plain.
 * A variable as an index picks an element when the expression is evaluated: core.$k.n is element $k
 * of core.*.n, unknown where there is no such element. A dotted name with a word in parentheses,
 * such as stop.is(cta-issue), is one name for the resolver, parentheses and all. In known() a name
 * that the resolver refuses is an unknown value, not an error. Functions take numbers and vectors
 * alike: sum(core.*.n, 3). min, max and mean look at the known values only, sum is unknown if one
 * is, count counts those that are not 0.
 */
#ifndef EVAL_EVAL_H
#define EVAL_EVAL_H

#include "ctascope/base.h"
#include "ctascope/err.h"

#define EVAL_MAX_TEXT 4096   /* characters of an expression */
#define EVAL_MAX_PATH 127    /* characters of a name */
#define EVAL_MAX_VECTOR 4096 /* elements of a vector */
#define EVAL_MAX_DEPTH 64    /* levels of parentheses and the like */
#define EVAL_MAX_ROOM 65536  /* numbers held at once while evaluating */

struct eval_names {
	void *ctx;
	/* Resolves a path such as "core.*.n" or "$cycle", once, at compile time: the number of
	 * elements (1: a number, more: a vector) and an id of the resolver's own making; or -1 with
	 * the message in e (the place is added by the parser). */
	int (*resolve)(void *ctx, const char *path, uint64_t *id, struct err *e);
	/* Element i at evaluation time; NaN when unknown. */
	double (*get)(void *ctx, uint64_t id, unsigned i);
};

struct expr;

/* NULL and e with a caret when text is no expression. names is copied, its ctx borrowed; with names
 * NULL only constants can be written. When memory ran out, e says so by its kind. */
struct expr *expr_parse(const char *text, const struct eval_names *names, struct err *e);
void expr_free(struct expr *x);
const char *expr_text(const struct expr *x);
unsigned expr_size(const struct expr *x); /* elements of its value, 1 for a number */

/* Evaluates as a condition. Allocates nothing. An expression has one scratch area, so it must not
 * be evaluated by two threads at once, nor from within its own get(). */
bool expr_true(const struct expr *x);

/* One element alone would cost as much as all, so here is the whole value; valid until the next
 * evaluation of x. Allocates nothing. */
const double *expr_run(const struct expr *x);

struct value {
	unsigned n; /* 0: the number x; else a vector v of n elements */
	double x;   /* NaN: unknown */
	double *v;  /* owned */
};

/* Evaluates into out, which the caller frees; -1 when memory runs out. */
int expr_eval(const struct expr *x, struct value *out);
int value_copy(struct value *to, const struct value *from);	/* -1 when memory runs out */
void value_free(struct value *v);				/* and sets it to the number 0 */
bool value_equal(const struct value *a, const struct value *b); /* unknown equals unknown */

/* "5", "0.47", "unknown", "{1, 2, unknown}". fmt: 0 default, 'd' rounded to an integer, 'x'
 * hexadecimal, 't' binary (both for integers, others as by default), 'f' every digit there is,
 * '%' a share as percent. What does not fit into buf ends in "...". */
void value_format(const struct value *v, char fmt, char *buf, size_t n);

struct eval_function {
	const char *name, *help;
};
const struct eval_function *eval_functions(unsigned *n); /* for help and completion */

#endif
