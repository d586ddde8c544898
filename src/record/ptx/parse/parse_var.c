/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parse_var.c - parses declarations: types, registers, variables with dimensions and initializers.
 *
 * The elements of a vector are one more, innermost dimension. As in C, values without inner braces
 * fill the elements in order. An address in an initializer is always a relocation, because its
 * name may be declared later. The initializer of a .samplerref or .texref (addr_mode_0 = ...) is
 * skipped, because the host sets up textures.
 */
#include "record/ptx/parse/parse.h"

#include <string.h>

#define MAX_DIMS 8
#define MAX_BYTES (1ull << 34)	     /* of a variable in global memory */
#define MAX_BYTES_SMALL (1ull << 24) /* in the other spaces */

/* ---- types ---- */

static int
parse_align(struct parser *p, uint32_t *align)
{
	struct tok at;
	uint64_t v;

	if (parse_next(p))
		return -1;
	at = p->t;
	if (parse_number(p, 1u << 16, "an alignment", &v))
		return -1;
	if (!v || (v & (v - 1)))
		return parse_error(p, &at, "an alignment is a power of two");
	*align = (uint32_t)v;
	return 0;
}

/* .attribute(.managed), .attribute(.unified(1, 2)): skipped, because host and device share one
 * memory here. */
int
parse_attribute(struct parser *p)
{
	uint32_t depth = 0;

	if (parse_next(p))
		return -1;
	do {
		if (parse_is(p, TOK('(')))
			depth++;
		else if (parse_is(p, TOK(')')))
			depth--;
		else if (!depth || parse_is(p, TOK_END))
			return parse_expected(p, "'(...)' after .attribute");
		if (parse_next(p))
			return -1;
	} while (depth);
	return 0;
}

/* .ptr .global .align 16: what the parameter points to. */
static int
parse_ptr(struct parser *p, struct decl *d)
{
	uint32_t ignored;

	d->is_ptr = true;
	if (parse_next(p))
		return -1;
	if (parse_is(p, TOK_DOT) && ast_word_space(p->t.atom->word) != SP_NONE && parse_next(p))
		return -1;
	return parse_is_dir(p, DIR_align) ? parse_align(p, &ignored) : 0;
}

static int
parse_type_word(struct parser *p, struct decl *d)
{
	enum ptx_word w = p->t.atom->word;

	if (w == W_v2 || w == W_v4) {
		d->vec = w == W_v2 ? 2 : 4;
	} else if (w == W_b128 && d->type == TY_NONE && d->vec == 1) {
		d->type = TY_B64;
		d->vec = 2;
	} else if (ast_word_type(w) != TY_NONE) {
		if (d->type != TY_NONE)
			return parse_error(p, &p->t, "a declaration has only one type");
		d->type = (uint8_t)ast_word_type(w);
	} else {
		return parse_expected(p, "a type");
	}
	return parse_next(p);
}

int
parse_type(struct parser *p, struct decl *d)
{
	d->vec = 1;
	while (parse_is(p, TOK_DOT)) {
		int rc;

		switch ((enum parse_dir)p->t.atom->dir) {
		case DIR_align:
			rc = parse_align(p, &d->align);
			break;
		case DIR_attribute:
			rc = parse_attribute(p);
			break;
		case DIR_ptr:
			rc = parse_ptr(p, d);
			break;
		default:
			rc = parse_type_word(p, d);
		}
		if (rc)
			return -1;
	}
	return d->type == TY_NONE ? parse_expected(p, "a type") : 0;
}

/* ---- registers ---- */

static int
parse_register(struct parser *p, const struct decl *d)
{
	struct tok name = p->t;
	uint64_t count = 0;

	if (!parse_is(p, TOK_NAME))
		return parse_expected(p, "the name of a register");
	if (parse_next(p))
		return -1;
	if (parse_is(p, TOK('<'))) {
		if (parse_next(p) ||
		    parse_number(p, PARSE_MAX_RANGE, "a number of registers", &count) ||
		    parse_expect(p, '>', "the number of registers"))
			return -1;
		if (!count)
			return 0; /* %f<0>: none */
	}
	return name_bind_reg(p, &name, d->type, d->vec, (uint32_t)count);
}

int
parse_registers(struct parser *p)
{
	struct decl d = {.space = SP_REG};
	struct tok at = p->t;
	bool more;

	if (parse_type(p, &d))
		return -1;
	if (d.type >= TY_TEXREF)
		return parse_error(p, &at, "a register cannot have this type");
	do {
		if (parse_register(p, &d) || parse_skip(p, TOK(','), &more))
			return -1;
	} while (more);
	return parse_expect(p, ';', "the registers");
}

/* ---- initializers ---- */

struct shape {
	uint32_t n_dim;		       /* a vector's elements included */
	uint64_t stride[MAX_DIMS + 2]; /* elements of one step of dimension i; of the last: 1 */
	uint64_t elems;		       /* of the whole; 0: as many as are initialized */
	uint8_t type;
	uint8_t bytes; /* of an element */
	uint64_t used; /* elements that got a value, up to the last */
};

/* The bytes of element i of the initializer, which grows to contain it; NULL with the error. */
static uint8_t *
reach_element(struct parser *p, const struct tok *at, struct shape *s, uint64_t i)
{
	uint64_t need = (i + 1) * s->bytes;

	if (s->elems && i >= s->elems) {
		parse_error(p, at, "more values than the variable has elements (%llu)",
			    (unsigned long long)s->elems);
		return NULL;
	}
	if (need > PARSE_MAX_INIT - MIN(p->init_bytes, PARSE_MAX_INIT)) {
		parse_error(p, at, "more than %llu MiB of initialized variables",
			    PARSE_MAX_INIT >> 20);
		return NULL;
	}
	if (p->tmp_byte.n < need) {
		if (list_reserve(p, &p->tmp_byte, (uint32_t)need, 1))
			return NULL;
		memset((uint8_t *)p->tmp_byte.p + p->tmp_byte.n, 0, need - p->tmp_byte.n);
		p->tmp_byte.n = (uint32_t)need;
	}
	s->used = MAX(s->used, i + 1);
	return (uint8_t *)p->tmp_byte.p + i * s->bytes;
}

static int
put_number(struct parser *p, const struct tok *at, struct shape *s, uint64_t i,
	   const struct constant *c)
{
	uint8_t *to = reach_element(p, at, s, i);
	uint64_t bits = c->bits;
	uint32_t low = (uint32_t)bits;
	double d = c->is_unsigned ? (double)bits : (double)(int64_t)bits;
	float f;

	if (!to)
		return -1;
	if (c->is_f32) {
		memcpy(&f, &low, sizeof(f));
		d = (double)f;
	} else if (c->is_float) {
		memcpy(&d, &bits, sizeof(d));
	}
	if (s->type == TY_F64) {
		memcpy(&bits, &d, sizeof(d));
	} else if (s->type == TY_F32) {
		if (!c->is_f32) {
			f = (float)d;
			memcpy(&low, &f, sizeof(f));
		}
		bits = low;
	} else if (c->is_float) {
		return parse_error(p, at, "a float initializes a variable of type .%s",
				   ptx_type_name((enum ptx_type)s->type));
	}
	for (uint32_t k = 0; k < s->bytes; k++)
		to[k] = (uint8_t)(bits >> 8 * k);
	return 0;
}

/* name, name + 4, generic(name), generic(name) + 4, and those in MASK(...). */
static int
put_address(struct parser *p, struct shape *s, uint64_t i, bool masked, uint64_t mask)
{
	struct tok name = p->t;
	struct ast_reloc r = {.size = s->bytes};
	struct pending *w;
	struct ast_reloc *to;
	bool inner;
	int64_t add;

	if (!parse_is(p, TOK_NAME))
		return parse_expected(p, "a value");
	if (parse_next(p))
		return -1;
	if (!strcmp(name.atom->text, "generic") && parse_is(p, TOK('('))) {
		r.generic = true;
		if (parse_next(p))
			return -1;
		name = p->t;
		if (!parse_is(p, TOK_NAME))
			return parse_expected(p, "the name of a variable");
		if (parse_next(p))
			return -1;
	}
	for (inner = r.generic;;
	     inner = false) { /* offsets inside the parentheses and after them */
		if (parse_is(p, TOK('+')) || parse_is(p, TOK('-'))) {
			if (parse_integer(p, &add))
				return -1;
			r.addend = (int64_t)((uint64_t)r.addend + (uint64_t)add);
		}
		if (!inner)
			break;
		if (parse_expect(p, ')', "the name"))
			return -1;
	}
	if (masked) {
		uint32_t width = 0;

		while (mask && !(mask & 0xff))
			mask >>= 8, r.shift = (uint8_t)(r.shift + 8);
		for (; mask & 0xff; mask >>= 8)
			width += (mask & 0xff) == 0xff;
		if (mask || !width || width > s->bytes)
			return parse_error(p, &name,
					   "the bits of a mask must be whole adjacent bytes");
		r.size = (uint8_t)width;
	}
	if (!reach_element(p, &name, s, i))
		return -1;
	r.offset = (uint32_t)(i * s->bytes);
	to = list_add(p, &p->tmp_reloc, sizeof(*to));
	w = to ? list_add(p, &p->tmp_name, sizeof(*w)) : NULL;
	if (!w)
		return -1;
	*to = r;
	*w = (struct pending){.atom = name.atom, .tok = name, .opnd = PARSE_UNUSED};
	return 0;
}

static int
put_value(struct parser *p, struct shape *s, uint64_t i)
{
	struct tok at = p->t;
	struct constant c;

	if (parse_is(p, TOK_NAME) && strcmp(at.atom->text, "WARP_SZ"))
		return put_address(p, s, i, false, 0);
	if (parse_constant(p, &c))
		return -1;
	if (!parse_is(p, TOK('(')))
		return put_number(p, &at, s, i, &c);
	if (c.is_float)
		return parse_error(p, &at, "a mask is an integer");
	return parse_next(p) || put_address(p, s, i, true, c.bits) ||
			       parse_expect(p, ')', "the address")
		       ? -1
		       : 0;
}

/* The values of dimension dim, from element first on. The current token is '{'. */
static int
parse_values(struct parser *p, struct shape *s, uint32_t dim, uint64_t first)
{
	uint64_t i = first, step = s->stride[dim];
	bool more = true;

	if (dim >= MAX(s->n_dim, 1u))
		return parse_error(p, &p->t, "more braces than the variable has dimensions");
	if (parse_next(p))
		return -1;
	while (more && !parse_is(p, TOK('}'))) {
		if (dim > 0 && i - first >= s->stride[dim - 1])
			return parse_error(p, &p->t, "more values than this part has elements");
		if (parse_is(p, TOK('{'))) {
			i = first + (i - first + step - 1) / step * step;
			if (parse_values(p, s, dim + 1, i))
				return -1;
			i += step;
		} else if (put_value(p, s, i++)) {
			return -1;
		}
		if (parse_skip(p, TOK(','), &more))
			return -1;
	}
	return parse_expect(p, '}', "the values");
}

/* Moves the bytes, relocations and names just read to the variable. */
static int
keep_values(struct parser *p, const struct tok *at, struct ast_var *v)
{
	struct pending *w, *from;

	if (v->bytes > PARSE_MAX_INIT - MIN(p->init_bytes, PARSE_MAX_INIT))
		return parse_error(p, at, "more than %llu MiB of initialized variables",
				   PARSE_MAX_INIT >> 20);
	p->init_bytes += v->bytes;
	v->init = ast_mem_alloc(p->mem, v->bytes ? v->bytes : 1);
	if (!v->init)
		return lex_no_memory(&p->lex);
	if (p->tmp_byte.n)
		memcpy(v->init, p->tmp_byte.p, p->tmp_byte.n);
	v->n_reloc = p->tmp_reloc.n;
	if (list_keep(p, &p->tmp_reloc, 0, sizeof(struct ast_reloc), &v->reloc))
		return -1;
	from = p->tmp_name.p;
	for (uint32_t i = 0; i < v->n_reloc; i++) {
		w = name_defer(p, &from[i].tok);
		if (!w)
			return -1;
		w->reloc = &v->reloc[i];
	}
	p->tmp_name.n = 0;
	p->tmp_byte.n = 0;
	return 0;
}

static int
skip_braces(struct parser *p)
{
	do {
		if (parse_is(p, TOK_END))
			return parse_expected(p, "'}'");
		if (parse_next(p))
			return -1;
	} while (!parse_is(p, TOK('}')));
	return parse_next(p);
}

static int
parse_initializer(struct parser *p, struct shape *s, struct ast_var *v)
{
	struct tok at = p->t;

	if (parse_next(p))
		return -1;
	if (v->space != SP_GLOBAL && v->space != SP_CONST)
		return parse_error(p, &at, "a variable in .%s has no initial value",
				   ptx_space_name((enum ptx_space)v->space));
	if (v->type >= TY_TEXREF)
		return skip_braces(p);
	p->tmp_byte.n = p->tmp_reloc.n = p->tmp_name.n = 0;
	if (parse_is(p, TOK('{')) ? parse_values(p, s, 0, 0) : put_value(p, s, 0))
		return -1;
	if (!v->bytes)
		v->bytes = (s->used + s->stride[0] - 1) / s->stride[0] * s->stride[0] * s->bytes;
	return keep_values(p, &at, v);
}

/* ---- variables ---- */

/* [2][3], [] */
static int
parse_dimensions(struct parser *p, const struct ast_var *v, struct shape *s)
{
	uint64_t dim[MAX_DIMS + 1], max = v->space == SP_GLOBAL ? MAX_BYTES : MAX_BYTES_SMALL;
	struct tok at = p->t;
	bool unsized = false;

	while (parse_is(p, TOK('['))) {
		int64_t n = 1;

		if (s->n_dim == MAX_DIMS)
			return parse_error(p, &p->t, "more than %d dimensions", MAX_DIMS);
		if (parse_next(p))
			return -1;
		if (parse_is(p, TOK(']')) && s->n_dim == 0)
			unsized = true;
		else if (parse_integer(p, &n))
			return -1;
		if (n < 0)
			return parse_error(p, &at, "an array cannot have fewer than 0 elements");
		dim[s->n_dim++] = (uint64_t)n;
		if (parse_expect(p, ']', "the number of elements"))
			return -1;
	}
	if (v->vec > 1)
		dim[s->n_dim++] = v->vec;
	s->type = v->type;
	s->bytes = (uint8_t)ptx_type_bytes((enum ptx_type)v->type);
	s->elems = 1;
	for (uint32_t i = s->n_dim; i > 0; i--) {
		s->stride[i - 1] = s->elems;
		if (dim[i - 1] && s->elems > max / s->bytes / dim[i - 1])
			return parse_error(p, &at, "an array of more than %llu bytes",
					   (unsigned long long)max);
		s->elems *= dim[i - 1];
		if (!s->elems && i > 1)
			return parse_error(p, &at, "an inner dimension of 0 elements");
	}
	if (s->n_dim == 0)
		s->stride[0] = 1;
	if (unsized)
		s->elems = 0;
	return 0;
}

/* An .extern variable may be declared again, and be defined. */
static int
declare_again(struct parser *p, const struct tok *name, const struct ast_var *v,
	      struct ast_var *before)
{
	if (before->space != v->space || before->type != v->type || before->vec != v->vec)
		return parse_error(p, name, "'%s' is declared differently in line %u", v->name,
				   before->line);
	if (!v->is_extern)
		*before = *v;
	return 0;
}

static int
keep_variable(struct parser *p, const struct tok *name, const struct ast_var *v, struct list *to,
	      bool bind)
{
	const struct binding *b = name->atom->bind;
	struct ast_var *kept;

	bind = bind && strcmp(v->name, "_") != 0;
	if (bind && p->depth == 0 && b && b->kind == BIND_VAR) {
		kept = (struct ast_var *)to->p + b->index;
		if (v->is_extern || kept->is_extern)
			return declare_again(p, name, v, kept);
	}
	kept = list_add(p, to, sizeof(*kept));
	if (!kept)
		return -1;
	*kept = *v;
	return !bind || name_bind(p, name, BIND_VAR, to->n - 1) ? 0 : -1;
}

int
parse_variable(struct parser *p, const struct decl *d, struct list *to, bool bind)
{
	struct tok name = p->t;
	struct shape s = {0};
	struct ast_var v = {.space = d->space,
			    .type = d->type,
			    .vec = d->vec,
			    .is_extern = d->is_extern,
			    .visible = d->visible,
			    .is_ptr = d->is_ptr};
	uint32_t natural = ptx_type_bytes((enum ptx_type)d->type) * d->vec;

	if (!parse_is(p, TOK_NAME))
		return parse_expected(p, "a name");
	if (d->type == TY_PRED && d->space != SP_REG)
		return parse_error(p, &name, "a predicate can only be a register");
	v.name = name.atom->text;
	v.line = name.line;
	v.align = MAX(d->align, natural);
	if (parse_next(p) || parse_dimensions(p, &v, &s))
		return -1;
	v.bytes = s.elems * s.bytes;
	if (parse_is(p, TOK('=')) && parse_initializer(p, &s, &v))
		return -1;
	return keep_variable(p, &name, &v, to, bind);
}

int
parse_variables(struct parser *p, struct decl *d, struct list *to)
{
	bool more;

	if (parse_type(p, d))
		return -1;
	if (d->is_tex)
		d->type = TY_TEXREF;
	do {
		if (parse_variable(p, d, to, true) || parse_skip(p, TOK(','), &more))
			return -1;
	} while (more);
	return parse_expect(p, ';', "the declaration");
}
