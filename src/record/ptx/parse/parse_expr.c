/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parse_expr.c - parses and computes constant expressions: the operators of C on 64-bit integers
 * and doubles, and the casts (.s64) and (.u64).
 *
 * An integer is signed unless it has the suffix U, is too large for a signed one, or is computed
 * from an unsigned one. Integers wrap. A 0f... number stays in single precision only alone or after
 * a minus; every other operator computes in double precision.
 */
#include "record/ptx/parse/parse.h"

#include <string.h>

static double
to_double(const struct constant *c)
{
	double d;
	float f;
	uint32_t low = (uint32_t)c->bits;

	if (!c->is_float)
		return c->is_unsigned ? (double)c->bits : (double)(int64_t)c->bits;
	if (c->is_f32) {
		memcpy(&f, &low, sizeof(f));
		return (double)f;
	}
	memcpy(&d, &c->bits, sizeof(d));
	return d;
}

static void
from_double(struct constant *c, double d)
{
	*c = (struct constant){.is_float = true};
	memcpy(&c->bits, &d, sizeof(d));
}

static bool
is_true(const struct constant *c)
{
	return c->is_float ? to_double(c) != 0 : c->bits != 0;
}

/* ---- operators ---- */

static int
get_precedence(int kind)
{
	switch (kind) {
	case TOK('*'):
	case TOK('/'):
	case TOK('%'):
		return 10;
	case TOK('+'):
	case TOK('-'):
		return 9;
	case TOK_SHL:
	case TOK_SHR:
		return 8;
	case TOK('<'):
	case TOK('>'):
	case TOK_LE:
	case TOK_GE:
		return 7;
	case TOK_EQ:
	case TOK_NE:
		return 6;
	case TOK('&'):
		return 5;
	case TOK('^'):
		return 4;
	case TOK('|'):
		return 3;
	case TOK_AND:
		return 2;
	case TOK_OR:
		return 1;
	default:
		return 0;
	}
}

/* Applies the comparison `kind`; the caller passes how the operands compare. Returns 1, or 0 if
 * `kind` is not a comparison. */
static int
apply_comparison(int kind, bool less, bool equal, bool unordered, struct constant *out)
{
	bool v;

	switch (kind) {
	case TOK('<'):
		v = less;
		break;
	case TOK('>'):
		v = !less && !equal && !unordered;
		break;
	case TOK_LE:
		v = less || equal;
		break;
	case TOK_GE:
		v = !less && !unordered;
		break;
	case TOK_EQ:
		v = equal;
		break;
	case TOK_NE:
		v = !equal;
		break;
	default:
		return 0;
	}
	*out = (struct constant){.bits = v};
	return 1;
}

static int
apply_float(struct parser *p, const struct tok *op, struct constant *a, const struct constant *b)
{
	double x = to_double(a), y = to_double(b);

	if (apply_comparison(op->kind, x < y, x == y, x != x || y != y, a))
		return 0;
	switch (op->kind) {
	case TOK('+'):
		from_double(a, x + y);
		return 0;
	case TOK('-'):
		from_double(a, x - y);
		return 0;
	case TOK('*'):
		from_double(a, x * y);
		return 0;
	case TOK('/'):
		if (y == 0)
			return parse_error(p, op, "division by zero");
		from_double(a, x / y);
		return 0;
	default:
		return parse_error(p, op, "this operator needs integers");
	}
}

static int
apply_division(struct parser *p, const struct tok *op, struct constant *a, const struct constant *b)
{
	bool rest = op->kind == TOK('%');

	if (!b->bits)
		return parse_error(p, op, "division by zero");
	if (a->is_unsigned || b->is_unsigned)
		a->bits = rest ? a->bits % b->bits : a->bits / b->bits;
	else if (b->bits == UINT64_MAX) /* -1: INT64_MIN / -1 is undefined in C */
		a->bits = rest ? 0 : 0 - a->bits;
	else
		a->bits = (uint64_t)(rest ? (int64_t)a->bits % (int64_t)b->bits
					  : (int64_t)a->bits / (int64_t)b->bits);
	return 0;
}

static uint64_t
shift_right(const struct constant *a, uint64_t n)
{
	bool minus = !a->is_unsigned && (int64_t)a->bits < 0;

	if (n >= 64)
		return minus ? UINT64_MAX : 0;
	return minus ? ~(~a->bits >> n) : a->bits >> n;
}

static int
apply_operator(struct parser *p, const struct tok *op, struct constant *a, const struct constant *b)
{
	bool is_unsigned = a->is_unsigned || b->is_unsigned, less;

	if (op->kind == TOK_AND || op->kind == TOK_OR) {
		bool v = op->kind == TOK_AND ? is_true(a) && is_true(b) : is_true(a) || is_true(b);

		*a = (struct constant){.bits = v};
		return 0;
	}
	if (a->is_float || b->is_float)
		return apply_float(p, op, a, b);
	less = is_unsigned ? a->bits < b->bits : (int64_t)a->bits < (int64_t)b->bits;
	if (apply_comparison(op->kind, less, a->bits == b->bits, false, a))
		return 0;
	if (op->kind == TOK('/') || op->kind == TOK('%')) {
		if (apply_division(p, op, a, b))
			return -1;
	} else if (op->kind == TOK_SHL) {
		a->bits = b->bits < 64 ? a->bits << b->bits : 0;
		is_unsigned = a->is_unsigned;
	} else if (op->kind == TOK_SHR) {
		a->bits = shift_right(a, b->bits);
		is_unsigned = a->is_unsigned;
	} else {
		a->bits = op->kind == TOK('*')	 ? a->bits * b->bits
			  : op->kind == TOK('+') ? a->bits + b->bits
			  : op->kind == TOK('-') ? a->bits - b->bits
			  : op->kind == TOK('&') ? a->bits & b->bits
			  : op->kind == TOK('^') ? a->bits ^ b->bits
						 : a->bits | b->bits;
	}
	a->is_unsigned = is_unsigned;
	return 0;
}

/* ---- grammar ---- */

static int parse_unary(struct parser *p, struct constant *c);

static int
parse_primary(struct parser *p, struct constant *c)
{
	const struct tok *t = &p->t;
	bool is_unsigned;

	if (t->kind == TOK_INT || t->kind == TOK_FLOAT) {
		*c = (struct constant){.is_float = t->kind == TOK_FLOAT,
				       .is_f32 = t->is_f32,
				       .is_unsigned = t->is_unsigned ||
						      (t->bits >> 63 && t->kind == TOK_INT),
				       .bits = t->bits};
		return parse_next(p);
	}
	if (t->kind == TOK_NAME && !strcmp(t->atom->text, "WARP_SZ")) {
		*c = (struct constant){.bits = WARP_SIZE};
		return parse_next(p);
	}
	if (t->kind != TOK('('))
		return parse_expected(p, "a number");
	if (parse_next(p))
		return -1;
	if (t->kind == TOK_DOT) {
		is_unsigned = t->atom->word == W_u64;
		if (!is_unsigned && t->atom->word != W_s64)
			return parse_expected(p, ".s64 or .u64");
		if (parse_next(p) || parse_expect(p, ')', "the type") || parse_unary(p, c))
			return -1;
		if (c->is_float)
			return parse_error(p, t, "a float cannot be cast to an integer here");
		c->is_unsigned = is_unsigned;
		return 0;
	}
	return parse_constant(p, c) || parse_expect(p, ')', "the expression") ? -1 : 0;
}

static void
negate_constant(struct constant *c)
{
	if (c->is_float)
		c->bits ^= c->is_f32 ? 1ull << 31 : 1ull << 63;
	else
		c->bits = 0 - c->bits;
}

static int
parse_unary(struct parser *p, struct constant *c)
{
	struct tok op = p->t;
	int rc;

	if (op.kind != TOK('-') && op.kind != TOK('+') && op.kind != TOK('~') &&
	    op.kind != TOK('!') && op.kind != TOK('('))
		return parse_primary(p, c);
	if (++p->nesting > PARSE_MAX_DEPTH)
		return parse_error(p, &op, "this expression is nested too deeply");
	if (op.kind == TOK('(')) {
		rc = parse_primary(p, c);
		p->nesting--;
		return rc;
	}
	rc = parse_next(p) || parse_unary(p, c) ? -1 : 0;
	p->nesting--;
	if (rc)
		return -1;
	if (op.kind == TOK('~') && c->is_float)
		return parse_error(p, &op, "this operator needs an integer");
	if (op.kind == TOK('-'))
		negate_constant(c);
	else if (op.kind == TOK('~'))
		c->bits = ~c->bits;
	else if (op.kind == TOK('!'))
		*c = (struct constant){.bits = !is_true(c)};
	return 0;
}

static int
parse_binary(struct parser *p, int least, struct constant *a)
{
	struct constant b;

	if (parse_unary(p, a))
		return -1;
	for (;;) {
		struct tok op = p->t;
		int level = get_precedence(op.kind);

		if (level < least || level == 0)
			return 0;
		if (parse_next(p) || parse_binary(p, level + 1, &b) ||
		    apply_operator(p, &op, a, &b))
			return -1;
	}
}

int
parse_constant(struct parser *p, struct constant *c)
{
	struct constant yes, no;
	int rc;

	if (parse_binary(p, 1, c))
		return -1;
	if (!parse_is(p, TOK('?')))
		return 0;
	if (++p->nesting > PARSE_MAX_DEPTH)
		return parse_error(p, &p->t, "this expression is nested too deeply");
	rc = parse_next(p) || parse_constant(p, &yes) || parse_expect(p, ':', "the expression") ||
	     parse_constant(p, &no);
	p->nesting--;
	if (rc)
		return -1;
	*c = is_true(c) ? yes : no;
	return 0;
}

int
parse_integer(struct parser *p, int64_t *v)
{
	struct tok at = p->t;
	struct constant c;

	if (parse_constant(p, &c))
		return -1;
	if (c.is_float)
		return parse_error(p, &at, "expected an integer, found a float");
	*v = (int64_t)c.bits;
	return 0;
}
