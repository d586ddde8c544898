/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * random.c - random expressions compared with a second, naive evaluator.
 *
 * A random tree is written with only the parentheses that C's precedence requires (the writer has
 * its own precedence table), with blanks here and there. Then the tree is evaluated directly, one
 * element at a time, by rules written independently of src/eval; both results must agree in every
 * bit.
 */
#include "eval/eval.h"
#include "tests/tap.h"

#include <math.h>

#define MAX_NODES 128 /* more than four levels of three */
#define N 3	      /* elements of every vector */

enum kind { NUM, NAME, PREFIX, INFIX, SELECT, CALL };

struct node {
	enum kind kind;
	const char *op; /* an operator, a function or a name */
	double number;
	int kid[3], n_kids;
};

struct tree {
	struct node node[MAX_NODES];
	int n;
	uint64_t seed;
};

static const double vector[2][N] = {{1, -2, NAN}, {0, 5, 0.5}};
static const double scalar[2] = {3, NAN};
static const char *const name_list[] = {"a.*.x", "b.*", "s", "never"};

static int
resolve(void *ctx, const char *path, uint64_t *id, struct err *e)
{
	(void)ctx;
	for (unsigned i = 0; i < 4; i++) {
		if (strcmp(path, name_list[i]) == 0) {
			*id = i;
			return i < 2 ? N : 1;
		}
	}
	return err_set(e, "no such name");
}

static double
get(void *ctx, uint64_t id, unsigned i)
{
	(void)ctx;
	return id < 2 ? vector[id][i] : scalar[id - 2];
}

static unsigned
dice(struct tree *t, unsigned sides)
{
	t->seed = t->seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(t->seed >> 33) % sides;
}

static int
grow(struct tree *t, unsigned depth)
{
	static const char *const infix[] = {"+", "-",  "*",  "/",  "%",	 "<", "<=",
					    ">", ">=", "==", "!=", "&&", "||"};
	static const char *const fn[] = {"min", "max", "sum", "mean", "count",
					 "any", "all", "abs", "known"};
	static const double number[] = {0, 1, 2, 3, 0.5, 7, 10, 100};
	int me = t->n++;
	struct node x = {.kind = depth ? dice(t, 6) : dice(t, 2)};

	switch (x.kind) {
	case NUM:
		x.number = number[dice(t, 8)];
		break;
	case NAME:
		x.op = name_list[dice(t, 4)];
		break;
	case PREFIX:
		x.op = dice(t, 2) ? "-" : "!";
		x.n_kids = 1;
		break;
	case INFIX:
		x.op = infix[dice(t, 13)];
		x.n_kids = 2;
		break;
	case SELECT:
		x.n_kids = 3;
		break;
	case CALL:
		x.op = fn[dice(t, 9)];
		x.n_kids = x.op[0] == 'k' || !strcmp(x.op, "abs") ? 1 : 1 + (int)dice(t, 3);
		break;
	}
	for (int i = 0; i < x.n_kids; i++)
		x.kid[i] = grow(t, depth - 1);
	t->node[me] = x;
	return me;
}

/* ---- writing ---- */

static int
binding(const struct node *x)
{
	static const char *const level[] = {"||", "&&", "== !=", "< <= > >=", "+ -", "* / %"};

	if (x->kind == SELECT)
		return 0;
	if (x->kind != INFIX)
		return x->kind == PREFIX ? 8 : 9;
	for (int i = 0;; i++) {
		const char *at = strstr(level[i], x->op);
		size_t n = strlen(x->op);

		if (at && (at[n] == ' ' || !at[n]) && (at == level[i] || at[-1] == ' '))
			return i + 1;
	}
}

static void
blank(struct tree *t, char *out)
{
	if (dice(t, 2))
		strcat(out, " ");
}

static void
write_tree(struct tree *t, int me, int least, char *out)
{
	const struct node *x = &t->node[me];
	int b = binding(x);
	bool comparison = b == 3 || b == 4;

	if (b < least)
		strcat(out, "(");
	if (x->kind == NUM)
		sprintf(out + strlen(out), "%g", x->number);
	else if (x->kind == NAME || x->kind == PREFIX)
		strcat(out, x->op);
	if (x->kind == PREFIX) {
		write_tree(t, x->kid[0], 8, out);
	} else if (x->kind == INFIX) {
		write_tree(t, x->kid[0], b + comparison, out);
		blank(t, out);
		strcat(out, x->op);
		blank(t, out);
		write_tree(t, x->kid[1], b + 1, out);
	} else if (x->kind == SELECT) {
		write_tree(t, x->kid[0], 1, out);
		strcat(out, " ? ");
		write_tree(t, x->kid[1], 0, out);
		strcat(out, " : ");
		write_tree(t, x->kid[2], 0, out);
	} else if (x->kind == CALL) {
		strcat(out, x->op);
		blank(t, out);
		for (int i = 0; i < x->n_kids; i++) {
			strcat(out, i ? "," : "(");
			write_tree(t, x->kid[i], 0, out);
		}
		strcat(out, ")");
	}
	if (b < least)
		strcat(out, ")");
}

/* ---- the naive evaluator ---- */

static int
width(const struct tree *t, int me)
{
	const struct node *x = &t->node[me];
	int w = x->kind == NAME && strchr(x->op, '*') ? N : 1;

	if (x->kind == CALL && strcmp(x->op, "abs") != 0 && strcmp(x->op, "known") != 0)
		return 1;
	for (int i = 0; i < x->n_kids; i++)
		w = MAX(w, width(t, x->kid[i]));
	return w;
}

static double element(const struct tree *t, int me, int i);

static double
call(const struct tree *t, const struct node *x)
{
	double all = 0, least = HUGE_VAL, most = -HUGE_VAL, known = 0, nonzero = 0, values = 0;
	const char *f = x->op;

	for (int k = 0; k < x->n_kids; k++) {
		for (int i = 0; i < width(t, x->kid[k]); i++) {
			double v = element(t, x->kid[k], i);

			values++;
			if (v != v)
				continue;
			known++;
			all += v;
			nonzero += v != 0;
			least = fmin(least, v);
			most = fmax(most, v);
		}
	}
	if (!strcmp(f, "count"))
		return nonzero;
	if (!strcmp(f, "any"))
		return nonzero > 0 ? 1 : known < values ? NAN : 0;
	if (!strcmp(f, "all"))
		return nonzero < known ? 0 : known < values ? NAN : 1;
	if (!strcmp(f, "sum"))
		return known < values ? NAN : all;
	if (known == 0)
		return NAN;
	return !strcmp(f, "mean") ? all / known : !strcmp(f, "min") ? least : most;
}

/* Three-valued logic by way of the worst and the best case. */
static double
logic(const char *op, double a, double b)
{
	bool a_low = a == a && a != 0, a_high = a != 0, b_low = b == b && b != 0, b_high = b != 0;
	bool low = *op == '&' ? a_low && b_low : a_low || b_low;
	bool high = *op == '&' ? a_high && b_high : a_high || b_high;

	return low == high ? low : NAN;
}

static double
infix_value(const char *op, double a, double b)
{
	double r;

	if (*op == '&' || *op == '|')
		return logic(op, a, b);
	if (a != a || b != b)
		return NAN;
	switch (op[0] * 256 + op[1]) {
	case '+' * 256:
		r = a + b;
		break;
	case '-' * 256:
		r = a - b;
		break;
	case '*' * 256:
		r = a * b;
		break;
	case '/' * 256:
		r = b == 0 ? NAN : a / b;
		break;
	case '%' * 256:
		r = b == 0 ? NAN : fmod(a, b);
		break;
	case '<' * 256:
		return a < b;
	case '>' * 256:
		return a > b;
	case '<' * 256 + '=':
		return a <= b;
	case '>' * 256 + '=':
		return a >= b;
	case '=' * 256 + '=':
		return a == b;
	default:
		return a != b;
	}
	return fabs(r) <= 1.7976931348623157e308 ? r : NAN;
}

static double
element(const struct tree *t, int me, int i)
{
	const struct node *x = &t->node[me];
	double v;

	switch (x->kind) {
	case NUM:
		return x->number;
	case NAME:
		for (unsigned k = 0; k < 4; k++)
			if (x->op == name_list[k])
				return get(NULL, k, k < 2 ? (unsigned)i : 0);
		return NAN;
	case PREFIX:
		v = element(t, x->kid[0], i);
		return *x->op == '-' ? -v : v != v ? NAN : v == 0;
	case INFIX:
		return infix_value(x->op, element(t, x->kid[0], i), element(t, x->kid[1], i));
	case SELECT:
		v = element(t, x->kid[0], i);
		return v != v ? NAN : element(t, x->kid[v != 0 ? 1 : 2], i);
	default:
		if (!strcmp(x->op, "abs"))
			return fabs(element(t, x->kid[0], i));
		if (!strcmp(x->op, "known"))
			return !isnan(element(t, x->kid[0], i));
		return call(t, x);
	}
}

static bool
agree(const struct tree *t, const char *text)
{
	const struct eval_names names = {NULL, resolve, get};
	struct err e = {0};
	struct expr *x = expr_parse(text, &names, &e);
	int w = width(t, 0);
	bool truth = false, same = x && (int)expr_size(x) == w;
	struct value v = {0};

	if (!x)
		diag("%s", e.msg);
	if (same && expr_eval(x, &v) == 0) {
		for (int i = 0; i < w; i++) {
			double want = element(t, 0, i), got = v.n ? v.v[i] : v.x;

			same = same && (want == got || (want != want && got != got));
			truth = truth || (want == want && want != 0);
		}
		same = same && expr_true(x) == truth;
	}
	value_free(&v);
	expr_free(x);
	return same;
}

int
main(void)
{
	static struct tree t;
	static char text[8192];
	unsigned good = 0, rounds = 20000, widest = 0;

	for (unsigned i = 0; i < rounds; i++) {
		t.n = 0;
		t.seed = i * 7919u + 1;
		grow(&t, 1 + i % 4);
		text[0] = '\0';
		write_tree(&t, 0, 0, text);
		widest += width(&t, 0) == N;
		if (agree(&t, text))
			good++;
		else if (i - good < 5)
			diag("round %u: %s", i, text);
	}
	is_u64(good, rounds, "random expressions give what the naive evaluator gives");
	ok(widest > rounds / 10, "many of them are vectors");
	return done();
}
