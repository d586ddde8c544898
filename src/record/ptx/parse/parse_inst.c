/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parse_inst.c - parses one instruction: modifiers and operands.
 *
 * An unknown instruction, or one with an unknown modifier, is skipped to its ';': its function
 * cannot run (ast_func.bad), others can.
 *
 * Only the shape of operands is checked here; the decoders check which kinds an instruction
 * accepts. Compound operands are stored after their parts, so that the operands of an instruction,
 * and the elements of each operand, are adjacent.
 */
#include "record/ptx/parse/parse.h"

#include <stdio.h>
#include <string.h>

#define MAX_ELEMS 16 /* of a vector or of the address of a texture */

static int parse_simple(struct parser *p, enum want want, struct ast_opnd *o);

/* Appends n operands to those of the module, from *first on. The pending name of an operand learns
 * the operand's place here, because only now it is final. */
static int
keep_operands(struct parser *p, const struct ast_opnd *o, uint32_t n, uint32_t *first)
{
	struct pending *pend = p->pend.p;

	*first = p->opnd.n;
	for (uint32_t i = 0; i < n; i++) {
		struct ast_opnd *to = list_add(p, &p->opnd, sizeof(*to));

		if (!to)
			return -1;
		*to = o[i];
		if (o[i].kind == PARSE_PENDING)
			pend[o[i].index].opnd = p->opnd.n - 1;
	}
	return 0;
}

/* Makes o an operand that consists of the n operands given. */
static int
compose_operand(struct parser *p, struct ast_opnd *o, enum ast_kind kind,
		const struct ast_opnd *part, uint32_t n)
{
	o->kind = (uint8_t)kind;
	o->n_elem = (uint16_t)n;
	return keep_operands(p, part, n, &o->elem);
}

/* ---- names ---- */

/* .x of a vector or special register, .b0 or .h1 of an operand of a video instruction. */
static int
parse_component(struct parser *p, struct ast_opnd *o)
{
	enum ptx_word w = (enum ptx_word)p->t.atom->word;

	switch (w) {
	case W_x:
	case W_r:
		o->comp = 1;
		break;
	case W_y:
	case W_g:
		o->comp = 2;
		break;
	case W_z:
	case W_b:
		o->comp = 3;
		break;
	case W_w:
	case W_a:
		o->comp = 4;
		break;
	default:
		if (w < W_b0 || w > W_h1)
			return parse_expected(p, "a component such as .x");
		o->sel = (uint8_t)(w - W_b0 + 1);
	}
	return parse_next(p);
}

static int
parse_sreg(struct parser *p, const struct tok *name, struct ast_opnd *o)
{
	const struct atom *a = name->atom;

	o->kind = AST_SREG;
	o->index = a->sreg - 1u;
	o->bits = a->sreg_number;
	if (o->index == SREG_ENVREG && (o->bits == 1 || o->bits == 2))
		o->index = SREG_ENVREG + (uint32_t)o->bits;
	p->m->reserved_shared |= o->index >= SREG_RESERVED_BEGIN && o->index <= SREG_RESERVED_1;
	if (parse_is(p, TOK_DOT) && parse_component(p, o))
		return -1;
	if (!a->sreg_xyz && (o->comp || o->sel))
		return parse_error(p, name, "%s has no components", a->text);
	if (a->sreg_xyz && (!o->comp || o->sel))
		return parse_error(p, name, "%s needs a component: .x, .y or .z", a->text);
	if (o->comp == 4) /* .w exists and is always 0 */
		*o = (struct ast_opnd){.kind = AST_INT};
	else if (o->index >= PTX_SREGS)
		*o = (struct ast_opnd){.kind = AST_INT, .bits = o->index == PARSE_SREG_1};
	else if (o->comp)
		o->index += o->comp - 1u;
	o->comp = 0;
	return 0;
}

static int
parse_register_use(struct parser *p, const struct tok *name, struct binding *b, struct ast_opnd *o)
{
	if (name_use_reg(p, b))
		return -1;
	o->kind = AST_REG;
	o->index = b->index;
	if (parse_is(p, TOK_DOT) && parse_component(p, o))
		return -1;
	if (o->comp > b->vec || (o->comp && b->vec == 1))
		return parse_error(p, name, "%s has no such component", name->atom->text);
	return 0;
}

static int
resolve_later(struct parser *p, const struct tok *name, enum want want, struct ast_opnd *o)
{
	struct pending *w = name_defer(p, name);

	if (!w)
		return -1;
	w->want = (uint8_t)want;
	o->kind = PARSE_PENDING;
	o->index = p->pend.n - 1;
	return 0;
}

/* A name without what may follow it: the callers read "+ 8" and "[2]". */
static int
parse_name(struct parser *p, enum want want, struct ast_opnd *o)
{
	struct tok name = p->t;
	struct binding *b = NULL;
	int found;

	if (parse_next(p))
		return -1;
	if (name.len == 1 && name.atom->text[0] == '_') {
		o->kind = AST_SINK;
		return 0;
	}
	if (name.atom->sreg)
		return parse_sreg(p, &name, o);
	found = name_find(p, &name, &b);
	if (found < 0)
		return -1;
	if (found && b->kind == BIND_REG)
		return parse_register_use(p, &name, b, o);
	if (!found && name.atom->text[0] == '%')
		return name_unknown_register(p, &name);
	if (found && (want == WANT_ANY || want == WANT_FUNC) &&
	    (b->kind == BIND_VAR || b->kind == BIND_FUNC)) {
		o->kind = b->kind == BIND_VAR ? AST_VAR : AST_FUNC;
		o->index = b->index;
		o->local = b->local;
	} else if (resolve_later(p, &name, want, o)) {
		return -1;
	}
	return 0;
}

static bool
is_name(const struct parser *p)
{
	return parse_is(p, TOK_NAME) && strcmp(p->t.atom->text, "WARP_SZ") != 0;
}

static bool
is_place(const struct ast_opnd *o)
{
	return o->kind == AST_VAR || o->kind == PARSE_PENDING;
}

/* ---- operands ---- */

static int
parse_offset(struct parser *p, int64_t *bits)
{
	int64_t v;

	if (!parse_is(p, TOK('+')) && !parse_is(p, TOK('-')))
		return 0;
	if (parse_integer(p, &v))
		return -1;
	*bits = (int64_t)((uint64_t)*bits + (uint64_t)v);
	return 0;
}

static int
parse_literal(struct parser *p, struct ast_opnd *o)
{
	struct constant c;

	if (parse_constant(p, &c))
		return -1;
	o->kind = c.is_float ? AST_FLOAT : AST_INT;
	o->is_f32 = c.is_f32;
	o->bits = (int64_t)c.bits;
	return 0;
}

/* A name, -name, !name, or a constant. */
static int
parse_simple(struct parser *p, enum want want, struct ast_opnd *o)
{
	struct tok sign = p->t;
	uint32_t at = p->lex.at, line = p->lex.line;

	if (is_name(p))
		return parse_name(p, want, o);
	if (!parse_is(p, TOK('-')) && !parse_is(p, TOK('!')))
		return parse_literal(p, o);
	if (parse_next(p))
		return -1;
	if (is_name(p)) {
		o->negate = true;
		return parse_name(p, WANT_ANY, o);
	}
	p->t = sign;
	p->lex.at = at;
	p->lex.line = line;
	return parse_literal(p, o);
}

/* {a, b, c, d} */
static int
parse_vector(struct parser *p, struct ast_opnd *o)
{
	struct ast_opnd part[MAX_ELEMS] = {0};
	uint32_t n = 0;
	bool more;

	if (parse_next(p))
		return -1;
	do {
		if (n == MAX_ELEMS)
			return parse_error(p, &p->t, "a vector of more than %d elements",
					   MAX_ELEMS);
		if (parse_simple(p, WANT_ANY, &part[n++]) || parse_skip(p, TOK(','), &more))
			return -1;
	} while (more);
	if (parse_expect(p, '}', "the elements of the vector"))
		return -1;
	return compose_operand(p, o, AST_VEC, part, n);
}

/* [a + 8]; of textures [tex, {x, y}], [tex, sampler, {x, y}] */
static int
parse_address(struct parser *p, struct ast_opnd *o)
{
	struct ast_opnd part[MAX_ELEMS] = {0};
	uint32_t n = 1;
	bool more;

	if (parse_next(p))
		return -1;
	if (parse_simple(p, WANT_ANY, &part[0]) || parse_offset(p, &o->bits) ||
	    parse_skip(p, TOK(','), &more))
		return -1;
	while (more) {
		if (n == 4)
			return parse_error(p, &p->t, "this address has too many parts");
		if (parse_is(p, TOK('{')) ? parse_vector(p, &part[n])
					  : parse_simple(p, WANT_ANY, &part[n]))
			return -1;
		n++;
		if (parse_skip(p, TOK(','), &more))
			return -1;
	}
	if (parse_expect(p, ']', "the address"))
		return -1;
	return compose_operand(p, o, n > 1 ? AST_TEXADDR : AST_ADDR, part, n);
}

/* a[2]: the address of element 2 of the array. Only a variable declared before has a type yet. */
static int
parse_element(struct parser *p, enum ptx_op op, struct ast_opnd *o)
{
	const struct list *vars = o->local ? &p->fvar : &p->var;
	const struct ast_var *v = (const struct ast_var *)vars->p + o->index;
	bool access = op == PTX_ld || op == PTX_ldu || op == PTX_st || op == PTX_atom ||
		      op == PTX_red || op == PTX_prefetch;
	struct ast_opnd var = *o;
	int64_t i;

	if (parse_next(p) || parse_integer(p, &i) || parse_expect(p, ']', "the index"))
		return -1;
	i = (int64_t)((uint64_t)i * ptx_type_bytes((enum ptx_type)v->type) * v->vec);
	if (!access) {
		o->bits = i;
		return 0;
	}
	*o = (struct ast_opnd){.bits = i};
	return compose_operand(p, o, AST_ADDR, &var, 1);
}

static int
parse_pair(struct parser *p, struct ast_opnd *o)
{
	struct ast_opnd part[2] = {*o};

	if (parse_next(p))
		return -1;
	if (!is_name(p))
		return parse_expected(p, "a register after '|'");
	if (parse_name(p, WANT_ANY, &part[1]))
		return -1;
	*o = (struct ast_opnd){0};
	return compose_operand(p, o, AST_PAIR, part, 2);
}

static int
parse_operand(struct parser *p, enum ptx_op op, struct ast_opnd *o)
{
	if (parse_is(p, TOK('{')))
		return parse_vector(p, o);
	if (parse_is(p, TOK('[')))
		return parse_address(p, o);
	if (parse_simple(p, op == PTX_bra || op == PTX_brx ? WANT_JUMP : WANT_ANY, o))
		return -1;
	if (is_place(o) && parse_offset(p, &o->bits))
		return -1;
	if (parse_is(p, TOK('|')) && (o->kind == AST_REG || o->kind == AST_SINK))
		return parse_pair(p, o);
	if (parse_is(p, TOK('[')) && o->kind == AST_VAR)
		return parse_element(p, op, o);
	return 0;
}

/* ---- call ---- */

/* The operands read since tmp_opnd had `from` of them become parts of o. */
static int
compose_list(struct parser *p, uint32_t from, struct ast_opnd *o)
{
	const struct ast_opnd *part =
		p->tmp_opnd.n > from ? (struct ast_opnd *)p->tmp_opnd.p + from : NULL;

	if (compose_operand(p, o, AST_LIST, part, p->tmp_opnd.n - from))
		return -1;
	p->tmp_opnd.n = from;
	return 0;
}

/* (a, b, ...) */
static int
parse_list(struct parser *p, struct ast_opnd *o)
{
	uint32_t from = p->tmp_opnd.n;
	bool more;

	if (parse_next(p))
		return -1;
	for (more = !parse_is(p, TOK(')')); more;) {
		struct ast_opnd one = {0}, *to;

		if (p->tmp_opnd.n - from >= PARSE_MAX_OPNDS)
			return parse_error(p, &p->t, "more than %d arguments", PARSE_MAX_OPNDS);
		if (parse_simple(p, WANT_ANY, &one) ||
		    (is_place(&one) && parse_offset(p, &one.bits)))
			return -1;
		to = list_add(p, &p->tmp_opnd, sizeof(*to));
		if (!to)
			return -1;
		*to = one;
		if (parse_skip(p, TOK(','), &more))
			return -1;
	}
	return parse_expect(p, ')', "the arguments") || compose_list(p, from, o) ? -1 : 0;
}

/* What is called: a function, declared before or later, or a register. */
static int
parse_callee(struct parser *p, struct ast_opnd *o)
{
	struct tok name = p->t;

	if (!is_name(p))
		return parse_expected(p, "the name of a function");
	if (parse_name(p, WANT_FUNC, o))
		return -1;
	if (o->kind != AST_FUNC && o->kind != AST_REG && o->kind != PARSE_PENDING)
		return parse_error(p, &name, "'%s' is not a function", name.atom->text);
	return 0;
}

/* (results), callee, (arguments), prototype */
static int
parse_call(struct parser *p, struct ast_opnd *o, uint32_t *n)
{
	bool more;

	o[0].kind = o[2].kind = AST_LIST;
	*n = 3;
	if (parse_is(p, TOK('(')) && (parse_list(p, &o[0]) || parse_expect(p, ',', "the results")))
		return -1;
	if (parse_callee(p, &o[1]) || parse_skip(p, TOK(','), &more))
		return -1;
	if (more && parse_is(p, TOK('('))) {
		if (parse_list(p, &o[2]) || parse_skip(p, TOK(','), &more))
			return -1;
	}
	if (!more)
		return 0;
	if (!is_name(p))
		return parse_expected(p, "the name of a prototype or of a list of functions");
	*n = 4;
	return parse_name(p, WANT_CALL, &o[3]);
}

/* ---- instructions ---- */

static int
report_unsupported(struct parser *p, const struct tok *name)
{
	static const char *const names[] = {
#define OP(name, group, parallel, memory) #name,
#include "record/ptx/inst/inst.def"
	};
	const char *s = p->lex.text + name->at;
	struct tok all = *name;
	char what[200];

	while (!memchr(" \t\r\n;,", s[all.len], 6)) /* with its modifiers */
		all.len++;
	snprintf(what, sizeof(what), "instruction '%.*s' is not supported", (int)MIN(all.len, 120u),
		 s);
	return parse_unknown(p, &all, what, name->atom->text, names, ARRAY_LEN(names));
}

static int
report_unknown_modifier(struct parser *p)
{
	static const char *const names[] = {
#define WORD(id, text) text,
#include "record/ptx/parse/words.def"
#undef WORD
	};
	char what[120];

	snprintf(what, sizeof(what), "modifier '.%.80s' is not supported", p->t.atom->text);
	return parse_unknown(p, &p->t, what, p->t.atom->text, names, ARRAY_LEN(names));
}

static int
parse_modifiers(struct parser *p, struct ast_inst *in)
{
	while (parse_is(p, TOK_DOT)) {
		if (!p->t.atom->word)
			return report_unknown_modifier(p);
		if (in->n_word == AST_MAX_WORDS)
			return parse_error(p, &p->t, "more than %d modifiers", AST_MAX_WORDS);
		in->word[in->n_word++] = p->t.atom->word;
		if (parse_next(p))
			return -1;
	}
	return 0;
}

static int
parse_operands(struct parser *p, enum ptx_op op, struct ast_opnd *o, uint32_t *n)
{
	bool more = !parse_is(p, TOK(';'));

	for (*n = 0; more; (*n)++) {
		if (*n == MAX_ELEMS)
			return parse_error(p, &p->t, "more than %d operands", MAX_ELEMS);
		if (parse_operand(p, op, &o[*n]) || parse_skip(p, TOK(','), &more))
			return -1;
	}
	return 0;
}

/* Skips the instruction and puts a trap in its place. The error just reported becomes the
 * function's (ast_func.bad), which thus cannot run; the rest of the text is parsed. */
static int
skip_instruction(struct parser *p, struct ast_inst *in)
{
	int open_braces = 0;

	if (!p->bad) {
		p->bad = ast_mem_alloc(p->mem, sizeof(*p->bad));
		if (!p->bad)
			return lex_no_memory(&p->lex);
		*p->bad = *p->lex.e;
	}
	err_clear(p->lex.e);
	while (!parse_is(p, TOK(';'))) {
		if (parse_is(p, TOK_END) || (parse_is(p, TOK('}')) && !open_braces))
			return parse_expected(p, "';'");
		open_braces += parse_is(p, TOK('{')) ? 1 : parse_is(p, TOK('}')) ? -1 : 0;
		if (parse_next(p))
			return -1;
	}
	in->op = PTX_trap;
	in->n_word = 0;
	return 0;
}

static int
parse_modifiers_and_operands(struct parser *p, const struct tok *name, struct ast_inst *in)
{
	struct ast_opnd o[MAX_ELEMS] = {0};
	uint32_t n;

	if (!name->atom->op) {
		report_unsupported(p, name);
		return skip_instruction(p, in);
	}
	in->op = (uint16_t)(name->atom->op - 1);
	if (parse_modifiers(p, in)) {
		bool known = !parse_is(p, TOK_DOT) || p->t.atom->word;

		return known ? -1 : skip_instruction(p, in);
	}
	if (in->op == PTX_call ? parse_call(p, o, &n)
			       : parse_operands(p, (enum ptx_op)in->op, o, &n))
		return -1;
	in->n_opnd = (uint16_t)n;
	return keep_operands(p, o, n, &in->opnd);
}

int
parse_instruction(struct parser *p, const struct tok *name, int32_t guard, bool guard_not)
{
	struct ast_inst in = {.guard = guard,
			      .guard_not = guard_not,
			      .line = name->line,
			      .src_file = p->src_file,
			      .src_line = p->src_line,
			      .src_call = p->src_call};
	struct ast_inst *kept;

	if (parse_modifiers_and_operands(p, name, &in) || parse_expect(p, ';', "the instruction"))
		return -1;
	kept = list_add(p, &p->inst, sizeof(*kept));
	if (!kept)
		return -1;
	*kept = in;
	return 0;
}
