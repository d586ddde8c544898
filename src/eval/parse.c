/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parse.c - compiles the text of an expression into a program.
 *
 * A Pratt parser: parse_level(p, level) reads one value and then every operator that binds at least
 * as tightly as level. Each step returns where its operand lies and how many elements it has; sizes
 * that do not go together are refused here, so that evaluation checks nothing. Depth, program size
 * and room are bounded, whatever the text.
 */
#include "eval/eval_program.h"

#include "base/ascii.h"
#include "base/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct parser {
	struct lexer lex;
	struct token tok; /* the next one, not yet taken */
	struct expr *x;
	uint32_t top; /* first free place in the room */
	unsigned depth;
	unsigned in_known; /* calls of known() under way: there an unknown name is an unknown value
			    */
	struct err *e;
};

/* A value computed so far; its place is always just below top. */
struct operand {
	uint32_t at, n;
};

/* Whether a function takes many values and makes one of them, or works element by element. */
static bool
is_reduction(enum eval_op op)
{
	return op >= OP_MIN && op <= OP_ALL;
}

static const struct eval_function functions[] = {
	{"min", "the smallest of the known values"},
	{"max", "the largest of the known values"},
	{"sum", "the sum of all values, unknown if one of them is unknown"},
	{"mean", "the mean of the known values"},
	{"count", "the number of values that are known and not 0"},
	{"any", "1 if any value is not 0"},
	{"all", "1 if no value is 0"},
	{"abs", "the absolute value"},
	{"known", "1 if the value is known, 0 if it is not or the name does not exist"},
};
static const enum eval_op function_ops[] = {OP_MIN, OP_MAX, OP_SUM, OP_MEAN, OP_COUNT,
					    OP_ANY, OP_ALL, OP_ABS, OP_KNOWN};
_Static_assert(ARRAY_LEN(functions) == ARRAY_LEN(function_ops), "one operation each");

struct infix {
	int token;
	unsigned level;
	enum eval_op op;
};

enum {
	LEVEL_SELECT = 1,
	LEVEL_OR,
	LEVEL_AND,
	LEVEL_EQUAL,
	LEVEL_ORDER,
	LEVEL_ADD,
	LEVEL_MUL,
	LEVEL_PREFIX
};

/* clang-format off */
static const struct infix infixes[] = {
	{'?', LEVEL_SELECT, OP_SELECT},
	{TOK_OR, LEVEL_OR, OP_OR},
	{TOK_AND, LEVEL_AND, OP_AND},
	{TOK_EQ, LEVEL_EQUAL, OP_EQ}, {TOK_NE, LEVEL_EQUAL, OP_NE},
	{'<', LEVEL_ORDER, OP_LT}, {TOK_LE, LEVEL_ORDER, OP_LE},
	{'>', LEVEL_ORDER, OP_GT}, {TOK_GE, LEVEL_ORDER, OP_GE},
	{'+', LEVEL_ADD, OP_ADD}, {'-', LEVEL_ADD, OP_SUB},
	{'*', LEVEL_MUL, OP_MUL}, {'/', LEVEL_MUL, OP_DIV}, {'%', LEVEL_MUL, OP_MOD},
};
/* clang-format on */

static int parse_level(struct parser *p, unsigned level, struct operand *out);

/* ---- errors ---- */

static int
report_at(const struct parser *p, const struct token *t, const char *msg)
{
	return err_at(p->e, "", 0, p->lex.text, (int)t->at, (int)MAX(t->len, 1u), "%s", msg);
}

static int
report_expected(const struct parser *p, const char *what)
{
	char msg[160];

	if (p->tok.kind == TOK_END)
		snprintf(msg, sizeof(msg), "expected %s, found the end", what);
	else
		snprintf(msg, sizeof(msg), "expected %s, found '%.*s'", what,
			 (int)MIN(p->tok.len, 60u), p->lex.text + p->tok.at);
	return report_at(p, &p->tok, msg);
}

/* ---- tokens ---- */

static int
next_token(struct parser *p)
{
	return eval_lex(&p->lex, &p->tok);
}

static int
take_token(struct parser *p, int kind, const char *what)
{
	return p->tok.kind == kind ? next_token(p) : report_expected(p, what);
}

/* ---- code ---- */

static struct instr *
emit_instr(struct parser *p, enum eval_op op, uint32_t at)
{
	struct expr *x = p->x;

	if (x->n_code == x->cap_code) {
		unsigned cap = x->cap_code ? 2 * x->cap_code : 16;
		struct instr *code = realloc(x->code, cap * sizeof(*code));

		if (!code) {
			err_nomem(p->e);
			return NULL;
		}
		x->code = code;
		x->cap_code = cap;
	}
	x->code[x->n_code] = (struct instr){.op = (uint8_t)op, .at = at};
	return &x->code[x->n_code++];
}

/* Reserves n places; t is the token that needs them. */
static int
push_places(struct parser *p, const struct token *t, uint32_t n, struct operand *out)
{
	*out = (struct operand){p->top, n};
	if (n > EVAL_MAX_ROOM - p->top)
		return report_at(p, t, "this expression needs too many values at once");
	p->top += n;
	p->x->max_room = MAX(p->x->max_room, p->top);
	return 0;
}

/* The operand at `at` now has n elements and is the last one. */
static void
replace_top(struct parser *p, struct operand *out, uint32_t at, uint32_t n)
{
	*out = (struct operand){at, n};
	p->top = at + n;
}

static int
check_sizes(const struct parser *p, const struct token *t, struct operand a, struct operand b)
{
	char msg[96];

	if (a.n == 1 || b.n == 1 || a.n == b.n)
		return 0;
	snprintf(msg, sizeof(msg), "vectors of different length: %u and %u elements", a.n, b.n);
	return report_at(p, t, msg);
}

/* ---- values ---- */

static int
parse_number(struct parser *p, struct operand *out)
{
	struct instr *i;

	if (push_places(p, &p->tok, 1, out))
		return -1;
	i = emit_instr(p, OP_NUMBER, out->at);
	if (!i)
		return -1;
	i->number = p->tok.number;
	return next_token(p);
}

/* The value of a name that the resolver does not know, within known(). */
static int
emit_unknown(struct parser *p, const struct token *t, struct operand *out)
{
	struct instr *i;

	if (push_places(p, t, 1, out))
		return -1;
	i = emit_instr(p, OP_NUMBER, out->at);
	if (!i)
		return -1;
	i->number = NAN;
	return 0;
}

/* Compiles a path that the resolver knows; t is the token that an error is about. */
static int
emit_name(struct parser *p, const struct token *t, const char *path, struct operand *out)
{
	const struct eval_names *names = &p->x->names;
	char msg[EVAL_MAX_PATH + 64];
	struct err inner = {0};
	struct instr *i;
	uint64_t id = 0;
	int n = -1;

	if (names->resolve)
		n = names->resolve(names->ctx, path, &id, &inner);
	if (n < 1 && p->in_known && inner.kind != ERR_MEMORY)
		return emit_unknown(p, t, out);
	if (n < 1) {
		snprintf(msg, sizeof(msg), "unknown name '%s'", path);
		report_at(p, t, inner.set ? inner.msg : msg);
		return err_as(p->e, inner.kind);
	}
	if (n > EVAL_MAX_VECTOR)
		return report_at(p, t, "this vector is too long");
	if (push_places(p, t, (uint32_t)n, out))
		return -1;
	i = emit_instr(p, OP_NAME, out->at);
	if (!i)
		return -1;
	i->id = id;
	i->n[0] = (uint32_t)n;
	return 0;
}

/* Compiles "core.$k.n": the element of core.*.n whose number is the value of $k, which is read at
 * each evaluation. dot: the one before the '$'. */
static int
emit_indexed(struct parser *p, const struct token *t, char *path, const char *dot,
	     struct operand *out)
{
	char vector[EVAL_MAX_PATH + 2], variable[EVAL_MAX_PATH + 1];
	size_t n = strcspn(dot + 1, ".");
	struct operand index;
	struct instr *i;

	snprintf(variable, sizeof(variable), "%.*s", (int)n, dot + 1);
	snprintf(vector, sizeof(vector), "%.*s.*%s", (int)(dot - path), path, dot + 1 + n);
	if (strstr(dot + 1, ".$") || strchr(path, '*'))
		return report_at(p, t,
				 "a name can have one variable as its index, and then no '*'");
	if (emit_name(p, t, vector, out) || emit_name(p, t, variable, &index))
		return -1;
	if (index.n != 1)
		return report_at(p, t, "the variable in this name is a vector; expected a number");
	i = emit_instr(p, OP_INDEX, out->at);
	if (!i)
		return -1;
	i->n[0] = out->n;
	replace_top(p, out, out->at, 1);
	return 0;
}

static int
parse_name(struct parser *p, const struct token *t, struct operand *out)
{
	char path[EVAL_MAX_PATH + 1];
	const char *dot;

	snprintf(path, sizeof(path), "%.*s", (int)t->len, p->lex.text + t->at);
	dot = strstr(path, ".$");
	return dot ? emit_indexed(p, t, path, dot, out) : emit_name(p, t, path, out);
}

/* Compiles "stop.is(cta-issue)". The word between the parentheses is part of the name that the
 * resolver sees; it may hold '-', so it is read here and not as tokens. The '(' is the present
 * token. */
static int
parse_question(struct parser *p, const struct token *name, struct operand *out)
{
	const char *text = p->lex.text, *word = skip_blanks(text + p->lex.pos);
	struct token whole = *name;
	char path[EVAL_MAX_PATH + 1];
	size_t n = 0;

	while (ascii_is_alnum(word[n]) || (word[n] && strchr("_-.", word[n])))
		n++;
	p->lex.pos = (unsigned)(word + n - text);
	if (next_token(p))
		return -1;
	if (n == 0 || p->tok.kind != ')')
		return report_expected(p, n ? "')'" : "a name between the parentheses");
	whole.len = p->tok.at + 1 - name->at;
	if (name->len + n + 2 > EVAL_MAX_PATH)
		return report_at(p, &whole, "this name is too long");
	snprintf(path, sizeof(path), "%.*s(%.*s)", (int)name->len, text + name->at, (int)n, word);
	return emit_name(p, &whole, path, out) ? -1 : next_token(p);
}

/* The operation of the function named by t; OP_NOTHING with an error if there is none. */
static enum eval_op
find_function(const struct parser *p, const struct token *t)
{
	const char *names[ARRAY_LEN(functions)];
	char name[32], msg[300];

	snprintf(name, sizeof(name), "%.*s", (int)t->len, p->lex.text + t->at);
	for (unsigned i = 0; i < ARRAY_LEN(functions); i++) {
		names[i] = functions[i].name;
		if (strcmp(names[i], name) == 0)
			return function_ops[i];
	}
	snprintf(msg, sizeof(msg), "unknown function '%s'%s", name,
		 near_hint(name, names, ARRAY_LEN(names), "").text);
	report_at(p, t, msg);
	return OP_NOTHING;
}

/* Parses the arguments. They lie one after the other in the room, which is all that a reduction
 * needs. */
static int
parse_call(struct parser *p, const struct token *name, struct operand *out)
{
	enum eval_op op = find_function(p, name);
	struct operand arg;
	struct instr *i;
	uint32_t at = p->top, n_args = 0, n;

	if (op == OP_NOTHING || next_token(p))
		return -1;
	p->in_known += op == OP_KNOWN;
	do {
		if (n_args && next_token(p))
			return -1;
		if (n_args && !is_reduction(op))
			return report_at(p, name, "this function takes one value");
		if (parse_level(p, LEVEL_SELECT, &arg))
			return -1;
		n_args++;
	} while (p->tok.kind == ',');
	p->in_known -= op == OP_KNOWN;
	if (take_token(p, ')', "',' or ')'"))
		return -1;
	i = emit_instr(p, op, at);
	if (!i)
		return -1;
	n = i->n[0] = p->top - at;
	replace_top(p, out, at, is_reduction(op) ? 1 : n);
	return 0;
}

static int
parse_path(struct parser *p, struct operand *out)
{
	struct token name = p->tok;

	if (next_token(p))
		return -1;
	if (p->tok.kind != '(')
		return parse_name(p, &name, out);
	return memchr(p->lex.text + name.at, '.', name.len) ? parse_question(p, &name, out)
							    : parse_call(p, &name, out);
}

static int
parse_prefix(struct parser *p, struct operand *out)
{
	int sign = p->tok.kind;
	struct instr *i;

	if (next_token(p) || parse_level(p, LEVEL_PREFIX, out))
		return -1;
	if (sign == '+')
		return 0;
	i = emit_instr(p, sign == '-' ? OP_NEG : OP_NOT, out->at);
	if (!i)
		return -1;
	i->n[0] = out->n;
	return 0;
}

static int
parse_value(struct parser *p, struct operand *out)
{
	switch (p->tok.kind) {
	case TOK_NUMBER:
		return parse_number(p, out);
	case TOK_PATH:
		return parse_path(p, out);
	case '-':
	case '+':
	case '!':
		return parse_prefix(p, out);
	case '(':
		if (next_token(p) || parse_level(p, LEVEL_SELECT, out))
			return -1;
		return take_token(p, ')', "an operator or ')'");
	default:
		return report_expected(p, "a value");
	}
}

/* ---- operators ---- */

/* c ? a : b, with c read already. Groups to the right. */
static int
parse_select(struct parser *p, const struct token *op, struct operand *c)
{
	struct operand a, b;
	struct instr *i;

	if (parse_level(p, LEVEL_SELECT, &a) || take_token(p, ':', "':' and the other value") ||
	    parse_level(p, LEVEL_SELECT, &b))
		return -1;
	if (check_sizes(p, op, *c, a) || check_sizes(p, op, *c, b) || check_sizes(p, op, a, b))
		return -1;
	i = emit_instr(p, OP_SELECT, c->at);
	if (!i)
		return -1;
	i->n[0] = c->n;
	i->n[1] = a.n;
	i->n[2] = b.n;
	replace_top(p, c, c->at, MAX(c->n, MAX(a.n, b.n)));
	return 0;
}

/* Parses b of "a OP b". For && and ||, the right side is skipped if the left side decides and
 * both are numbers; whether b is a number is known only after it is compiled. */
static int
parse_binary(struct parser *p, const struct token *tok, const struct infix *op, struct operand *a)
{
	bool logic = op->op == OP_AND || op->op == OP_OR;
	unsigned skip = p->x->n_code;
	struct operand b;
	struct instr *i;

	if (logic && !emit_instr(p, op->op == OP_AND ? OP_SKIP_AND : OP_SKIP_OR, a->at))
		return -1;
	if (parse_level(p, op->level + 1, &b) || check_sizes(p, tok, *a, b))
		return -1;
	i = emit_instr(p, op->op, a->at);
	if (!i)
		return -1;
	i->n[0] = a->n;
	i->n[1] = b.n;
	if (logic && a->n == 1 && b.n == 1)
		p->x->code[skip].target = p->x->n_code;
	else if (logic)
		p->x->code[skip].op = OP_NOTHING;
	replace_top(p, a, a->at, MAX(a->n, b.n));
	return 0;
}

static const struct infix *
find_infix(int token)
{
	for (unsigned i = 0; i < ARRAY_LEN(infixes); i++)
		if (infixes[i].token == token)
			return &infixes[i];
	return NULL;
}

static int
parse_operators(struct parser *p, unsigned level, struct operand *out)
{
	const struct infix *op;
	unsigned last = 0;

	for (; (op = find_infix(p->tok.kind)) && op->level >= level; last = op->level) {
		struct token tok = p->tok;

		if (op->level == last && (last == LEVEL_ORDER || last == LEVEL_EQUAL))
			return report_at(
				p, &tok,
				"comparisons do not chain; write a < b && b < c, or parentheses");
		if (next_token(p))
			return -1;
		if (op->op == OP_SELECT ? parse_select(p, &tok, out)
					: parse_binary(p, &tok, op, out))
			return -1;
	}
	return 0;
}

static int
parse_level(struct parser *p, unsigned level, struct operand *out)
{
	int rc;

	if (p->depth == EVAL_MAX_DEPTH)
		return report_at(p, &p->tok, "this expression is nested too deeply");
	p->depth++;
	rc = parse_value(p, out) || parse_operators(p, level, out) ? -1 : 0;
	p->depth--;
	return rc;
}

static int
compile_expr(struct parser *p)
{
	struct operand result;

	if (strlen(p->lex.text) > EVAL_MAX_TEXT)
		return err_set(p->e, "the expression is longer than %d characters", EVAL_MAX_TEXT);
	if (next_token(p) || parse_level(p, LEVEL_SELECT, &result))
		return -1;
	if (p->tok.kind != TOK_END)
		return report_expected(p, "an operator");
	p->x->size = result.n;
	p->x->room = calloc(p->x->max_room, sizeof(*p->x->room));
	return p->x->room ? 0 : err_nomem(p->e);
}

struct expr *
expr_parse(const char *text, const struct eval_names *names, struct err *e)
{
	struct parser p = {.lex = {.text = text, .e = e}, .e = e};

	p.x = calloc(1, sizeof(*p.x));
	if (p.x)
		p.x->text = strdup(text);
	if (!p.x || !p.x->text) {
		err_nomem(e);
	} else {
		if (names)
			p.x->names = *names;
		if (compile_expr(&p) == 0)
			return p.x;
	}
	expr_free(p.x);
	return NULL;
}

void
expr_free(struct expr *x)
{
	if (!x)
		return;
	free(x->code);
	free(x->room);
	free(x->text);
	free(x);
}

const char *
expr_text(const struct expr *x)
{
	return x->text;
}

unsigned
expr_size(const struct expr *x)
{
	return x->size;
}

const struct eval_function *
eval_functions(unsigned *n)
{
	*n = ARRAY_LEN(functions);
	return functions;
}
