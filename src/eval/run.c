/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run.c - evaluates a compiled expression.
 *
 * Unknown is NaN, which arithmetic hands on by itself; what C would answer with false or with an
 * infinity (comparisons, && and ||, division by zero, results out of range) is made unknown here.
 * Two-operand and select instructions write their result over their first operand while they
 * read; that is safe because element i is written after it was read, and single numbers, which
 * every element needs, are read first.
 */
#include "eval/eval_program.h"

#include <math.h>

static double
in_reach(double v)
{
	return isfinite(v) ? v : NAN;
}

static double
logic_and(double a, double b)
{
	if (a == 0 || b == 0)
		return 0;
	return isnan(a) || isnan(b) ? NAN : 1;
}

static double
logic_or(double a, double b)
{
	if (isnan(a))
		return !isnan(b) && b != 0 ? 1 : NAN;
	if (a != 0)
		return 1;
	return isnan(b) ? NAN : b != 0;
}

static double
apply_binary(unsigned op, double a, double b)
{
	if (op == OP_AND)
		return logic_and(a, b);
	if (op == OP_OR)
		return logic_or(a, b);
	if (isnan(a) || isnan(b))
		return NAN;
	switch (op) {
	case OP_ADD:
		return in_reach(a + b);
	case OP_SUB:
		return in_reach(a - b);
	case OP_MUL:
		return in_reach(a * b);
	case OP_DIV:
		return in_reach(a / b);
	case OP_MOD:
		return in_reach(fmod(a, b));
	case OP_LT:
		return a < b;
	case OP_LE:
		return a <= b;
	case OP_GT:
		return a > b;
	case OP_GE:
		return a >= b;
	case OP_EQ:
		return a == b;
	default: /* OP_NE */
		return a != b;
	}
}

static void
run_binary(const struct instr *i, double *r)
{
	const double *a = r, *b = r + i->n[0];
	unsigned n = MAX(i->n[0], i->n[1]);
	double first = a[0];

	if (n == 1) {
		r[0] = apply_binary(i->op, first, b[0]);
		return;
	}
	for (unsigned k = 0; k < n; k++)
		r[k] = apply_binary(i->op, i->n[0] == 1 ? first : a[k], i->n[1] == 1 ? b[0] : b[k]);
}

static void
run_select(const struct instr *i, double *r)
{
	const double *c = r, *a = c + i->n[0], *b = a + i->n[1];
	const double c0 = c[0], a0 = a[0], b0 = b[0];
	unsigned n = MAX(i->n[0], MAX(i->n[1], i->n[2]));

	for (unsigned k = 0; k < n; k++) {
		double cond = i->n[0] == 1 ? c0 : c[k];
		double yes = i->n[1] == 1 ? a0 : a[k];
		double no = i->n[2] == 1 ? b0 : b[k];

		r[k] = isnan(cond) ? NAN : cond != 0 ? yes : no;
	}
}

/* An element that does not exist is unknown. */
static void
run_index(const struct instr *i, double *r)
{
	double k = r[i->n[0]];

	r[0] = k >= 0 && k < i->n[0] && floor(k) == k ? r[(uint32_t)k] : NAN;
}

static void
run_unary(const struct instr *i, double *r)
{
	for (unsigned k = 0; k < i->n[0]; k++) {
		double v = r[k];

		if (i->op == OP_NEG)
			r[k] = -v;
		else if (i->op == OP_ABS)
			r[k] = fabs(v);
		else if (i->op == OP_KNOWN)
			r[k] = !isnan(v);
		else /* OP_NOT */
			r[k] = isnan(v) ? NAN : v == 0;
	}
}

/* Reduces many elements to one. any and all may be decided before every element is known. */
static double
reduce_values(unsigned op, const double *v, unsigned n)
{
	double sum = 0, min = INFINITY, max = -INFINITY;
	unsigned known = 0, set = 0;

	for (unsigned k = 0; k < n; k++) {
		if (isnan(v[k]))
			continue;
		known++;
		set += v[k] != 0;
		sum += v[k];
		min = v[k] < min ? v[k] : min;
		max = v[k] > max ? v[k] : max;
	}
	switch (op) {
	case OP_COUNT:
		return set;
	case OP_SUM:
		return known == n ? in_reach(sum) : NAN;
	case OP_ANY:
		return set ? 1 : known == n ? 0 : NAN;
	case OP_ALL:
		return set < known ? 0 : known == n ? 1 : NAN;
	case OP_MEAN:
		return known ? in_reach(sum / known) : NAN;
	case OP_MIN:
		return known ? min : NAN;
	default: /* OP_MAX */
		return known ? max : NAN;
	}
}

const double *
expr_run(const struct expr *x)
{
	const struct eval_names *names = &x->names;

	for (unsigned pc = 0; pc < x->n_code; pc++) {
		const struct instr *i = &x->code[pc];
		double *r = x->room + i->at;

		if (i->op <= OP_OR) {
			run_binary(i, r);
		} else if (i->op == OP_NUMBER) {
			*r = i->number;
		} else if (i->op == OP_NAME) {
			for (unsigned k = 0; k < i->n[0]; k++)
				r[k] = names->get(names->ctx, i->id, k);
		} else if (i->op == OP_SKIP_AND || i->op == OP_SKIP_OR) {
			if (i->op == OP_SKIP_AND ? *r == 0 : *r != 0 && !isnan(*r)) {
				*r = i->op == OP_SKIP_OR;
				pc = i->target - 1;
			}
		} else if (i->op <= OP_KNOWN) {
			run_unary(i, r);
		} else if (i->op <= OP_ALL) {
			*r = reduce_values(i->op, r, i->n[0]);
		} else if (i->op == OP_SELECT) {
			run_select(i, r);
		} else if (i->op == OP_INDEX) {
			run_index(i, r);
		}
	}
	return x->room;
}

bool
expr_true(const struct expr *x)
{
	const double *r = expr_run(x);

	for (unsigned k = 0; k < x->size; k++)
		if (r[k] != 0 && !isnan(r[k]))
			return true;
	return false;
}
