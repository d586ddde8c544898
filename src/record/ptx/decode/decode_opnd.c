/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decode_opnd.c - decodes operands: registers, constants and addresses become vectors (struct
 * opnd).
 *
 * The rules are those of ptxas, slightly relaxed: a register must have the size of the
 * instruction's type, but its kind (.u32, .f32, .b32) does not matter. An integer is not a constant
 * of a float type (ptxas rejects it, and it would be ambiguous: bits or value?). 0f.. and 0d.. are
 * constants of both float types, and of .b32 and .b64, where they stand for their bits.
 *
 * Addresses: a shared variable is its offset in the CTA's shared memory, a kernel parameter its
 * offset in the parameter block. Variables .local and .param of the thread's stack are a
 * displacement from SREG_SP32/64, so they are not plain values (mov computes their sum). Variables
 * .global and .const are constants that ptx_load fills in (prog_fixup).
 */
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "record/ptx/mem/devmem.h"
#include "record/ptx/alu/half.h"
#include "record/ptx/decode/module.h"

static const struct opnd no_opnd = {.bytes = OPND_NONE, .reg = 0xffff};

const struct ast_opnd *
decode_opnd(struct decode *d, uint32_t k)
{
	if (k >= d->a->n_opnd)
		return NULL;
	if (k < 32)
		((struct decode_consts *)d->more)->seen |= 1u << k;
	return &d->m->ast->opnd[d->a->opnd + k];
}

const struct ast_opnd *
decode_elem(struct decode *d, const struct ast_opnd *o, uint32_t k)
{
	return k < o->n_elem ? &d->m->ast->opnd[o->elem + k] : NULL;
}

/* ---- constant vectors ---- */

/* Reserves one more vector; returns its offset, or PROG_NONE. */
static uint32_t
const_new(struct decode *d, uint32_t bytes)
{
	struct decode_consts *c = d->more;
	struct prog_func *f = d->f;
	uint32_t off = f->const_bytes, n = bytes * WARP_SIZE;

	if (off > UINT32_MAX / 2 - n) {
		decode_error(d, "too many constants in one function");
		return PROG_NONE;
	}
	if (off + n > c->cap) {
		uint32_t cap = MAX(c->cap * 2, 4096u);
		uint8_t *p = aligned_alloc(32, cap);

		if (!p) {
			err_nomem(d->e);
			return PROG_NONE;
		}
		if (off)
			memcpy(p, f->consts, off);
		free(f->consts);
		f->consts = p;
		c->cap = cap;
	}
	f->const_bytes += n;
	return off;
}

static void
const_fill(uint8_t *at, uint64_t bits, uint32_t bytes)
{
	for (uint32_t l = 0; l < WARP_SIZE; l++)
		/* Little-endian: the low bytes come first. */
		memcpy(at + (size_t)l * bytes, &bits, bytes);
}

static int
consts_grow(struct decode *d, struct decode_consts *c)
{
	uint32_t n = c->n_slots ? c->n_slots * 2 : 64;
	struct decode_const *slot = calloc(n, sizeof(*slot));

	if (!slot)
		return err_nomem(d->e);
	for (uint32_t i = 0; i < c->n_slots; i++) {
		uint32_t k;

		if (!c->slot[i].bytes)
			continue;
		k = (uint32_t)hash_mix(c->slot[i].bits + c->slot[i].bytes) & (n - 1);
		while (slot[k].bytes)
			k = (k + 1) & (n - 1);
		slot[k] = c->slot[i];
	}
	free(c->slot);
	c->slot = slot;
	c->n_slots = n;
	return 0;
}

int
decode_const(struct decode *d, uint64_t bits, uint32_t bytes, struct opnd *out)
{
	struct decode_consts *c = d->more;
	uint32_t k;

	if (bytes == 4)
		bits &= UINT32_MAX;
	if (c->n * 2 >= c->n_slots && consts_grow(d, c))
		return -1;
	k = (uint32_t)hash_mix(bits + bytes) & (c->n_slots - 1);
	while (c->slot[k].bytes && !(c->slot[k].bits == bits && c->slot[k].bytes == bytes))
		k = (k + 1) & (c->n_slots - 1);
	if (!c->slot[k].bytes) {
		uint32_t off = const_new(d, bytes);

		if (off == PROG_NONE)
			return -1;
		const_fill(d->f->consts + off, bits, bytes);
		c->slot[k] = (struct decode_const){.bits = bits, .bytes = bytes, .off = off};
		c->n++;
	}
	*out = (struct opnd){.off = c->slot[k].off,
			     .base = BASE_CONST,
			     .bytes = (uint8_t)bytes,
			     .reg = 0xffff};
	return 0;
}

/* Creates a constant vector for the address of a .global or .const variable, which ptx_load fills
 * in. */
static int
const_add_address(struct decode *d, const struct ast_opnd *o, int64_t addend, struct opnd *out)
{
	struct ptx_module *m = d->m;
	struct decode_consts *c = d->more;
	uint32_t bytes = m->ast->addr_bytes, func = (uint32_t)(d->f - m->func), off;

	for (uint32_t i = c->first_fixup; i < m->n_fixup; i++) {
		const struct prog_fixup *x = &m->fixup[i];

		if (x->var == o->index && x->local == o->local && x->addend == addend) {
			*out = (struct opnd){.off = x->off,
					     .base = BASE_CONST,
					     .bytes = (uint8_t)bytes,
					     .reg = 0xffff};
			return 0;
		}
	}
	if ((m->n_fixup & (m->n_fixup - 1)) == 0) { /* it is full at powers of two */
		size_t n = m->n_fixup ? (size_t)m->n_fixup * 2 : 1;
		void *p = realloc(m->fixup, n * sizeof(*m->fixup));

		if (!p)
			return err_nomem(d->e);
		m->fixup = p;
	}
	off = const_new(d, bytes);
	if (off == PROG_NONE)
		return -1;
	const_fill(d->f->consts + off, 0, bytes);
	m->fixup[m->n_fixup++] = (struct prog_fixup){.func = func,
						     .off = off,
						     .bytes = bytes,
						     .var = o->index,
						     .local = o->local,
						     .addend = addend};
	*out = (struct opnd){.off = off,
			     .base = BASE_CONST,
			     .bytes = (uint8_t)bytes,
			     .reg = 0xffff};
	return 0;
}

/* ---- registers ---- */

static const char *
size_name(enum ptx_type t)
{
	static const char *const name[] = {"a predicate", "an 8-bit", "a 16-bit", "a 32-bit",
					   "a 64-bit"};
	uint32_t b = ptx_type_bytes(t);

	return name[t == TY_PRED ? 0 : b == 1 ? 1 : b == 2 ? 2 : b == 4 ? 3 : 4];
}

static bool
is_video(uint32_t op)
{
	return op >= PTX_vadd && op <= PTX_vabsdiff4;
}

/* Finds the vector and the type of register o. */
static int
find_reg(struct decode *d, const struct ast_opnd *o, struct opnd *out, enum ptx_type *t)
{
	const struct ast_reg *r = &d->f->ast->reg[o->index];
	uint32_t bytes;

	*t = (enum ptx_type)r->type;
	bytes = *t == TY_PRED ? 0 : ptx_type_bytes(*t) == 8 ? 8 : 4;
	if (r->vec > 1 && !o->comp)
		return decode_error(d, "'%s' is a vector; expected an element such as %s.x",
				    r->name, r->name);
	if (o->comp > r->vec && o->comp > 1)
		return decode_error(d, "'%s' has no element %u", r->name, o->comp);
	if (o->sel && !is_video(d->a->op))
		return decode_error(d, "parts of a register are for video instructions");
	*out = (struct opnd){.off = d->f->reg_off[o->index] +
				    (o->comp ? o->comp - 1u : 0) * bytes * WARP_SIZE,
			     .base = BASE_FRAME,
			     .bytes = (uint8_t)bytes,
			     .reg = (uint16_t)o->index};
	return 0;
}

/* Decodes a register for a value of type t; `wider` also allows larger registers. */
static int
decode_reg_of_size(struct decode *d, const struct ast_opnd *o, enum ptx_type t, bool wider,
		   struct opnd *out)
{
	uint32_t want = ptx_type_bytes(t), have;
	enum ptx_type rt;

	if (find_reg(d, o, out, &rt))
		return -1;
	have = ptx_type_bytes(rt);
	if ((t == TY_PRED) == (rt == TY_PRED) && (have == want || (wider && have > want)))
		return 0;
	return decode_error(d, "expected %s%s register for .%s, found '%s', a .%s", size_name(t),
			    wider && want < 8 ? " or wider" : "", ptx_type_name(t),
			    d->f->ast->reg[o->index].name, ptx_type_name(rt));
}

int
decode_dst(struct decode *d, const struct ast_opnd *o, enum ptx_type t, bool wider,
	   struct opnd *out)
{
	*out = no_opnd;
	if (!o)
		return decode_error(d, "expected a destination");
	if (t == TY_NONE)
		return decode_error(d, "expected a type such as .u32");
	if (o->kind == AST_SINK)
		return 0;
	if (o->kind != AST_REG)
		return decode_error(d, "expected a register to write to");
	if (o->negate)
		return decode_error(d, "a destination cannot be negated");
	return decode_reg_of_size(d, o, t, wider, out);
}

int
decode_pred(struct decode *d, const struct ast_opnd *o, struct opnd *out, bool *negated)
{
	enum ptx_type t;

	*out = no_opnd;
	if (!o)
		return decode_error(d, "expected a predicate");
	if (o->negate && !negated)
		return decode_error(d, "'!' is not possible here");
	if (negated)
		*negated = o->negate;
	if (o->kind == AST_INT) { /* a constant selects all lanes or none */
		if (decode_const(d, o->bits ? UINT32_MAX : 0, 4, out))
			return -1;
		out->bytes = 0;
		return 0;
	}
	if (o->kind != AST_REG)
		return decode_error(d, "expected a predicate register");
	if (find_reg(d, o, out, &t))
		return -1;
	if (t != TY_PRED)
		return decode_error(d, "expected a predicate, found '%s', a .%s",
				    d->f->ast->reg[o->index].name, ptx_type_name(t));
	return 0;
}

/* ---- values ---- */

static const struct ast_var *
get_opnd_var(const struct decode *d, const struct ast_opnd *o)
{
	return o->local ? &d->f->ast->var[o->index] : &d->m->ast->var[o->index];
}

/* Returns the offset of variable o in its space. Dynamic shared memory starts at an offset on which
 * the kernels agree. */
static uint64_t
get_var_offset(const struct decode *d, const struct ast_opnd *o)
{
	const struct ast_var *v = get_opnd_var(d, o);

	if (v->space == SP_SHARED && v->is_extern)
		return d->f->dyn_shared;
	return o->local ? d->f->var_off[o->index] : d->m->var_addr[o->index];
}

static bool
is_kernel_param(const struct decode *d, const struct ast_opnd *o)
{
	return d->f->ast->entry && o->local && o->index < d->f->ast->n_param;
}

bool
decode_on_stack(struct decode *d, const struct ast_opnd *o)
{
	enum ptx_space s = (enum ptx_space)get_opnd_var(d, o)->space;

	return o->local && (s == SP_LOCAL || s == SP_PARAM) && !is_kernel_param(d, o);
}

/* Computes the bits of a constant of type t. */
static int
get_const_bits(struct decode *d, const struct ast_opnd *o, enum ptx_type t, uint64_t *bits)
{
	uint32_t size = ptx_type_bytes(t);
	uint64_t u = (uint64_t)o->bits;
	bool single = t == TY_F32 || t == TY_B32;

	if (o->kind == AST_INT) {
		if (ptx_is_float(t) && t != TY_F16X2 && t != TY_BF16X2)
			return decode_error(
				d, "expected a float constant such as 1.0, found an integer");
		if (t == TY_PRED)
			u = u ? UINT32_MAX : 0;
		else if (size < 8)
			u &= ((uint64_t)1 << size * 8) - 1;
		*bits = u;
		return 0;
	}
	if (!single && t != TY_F64 && t != TY_B64 && t != TY_F16 && t != TY_BF16)
		return decode_error(d, "a float is not a constant of type .%s", ptx_type_name(t));
	if (single) {
		*bits = o->is_f32 ? u : (uint32_t)fp_from_double(&fp_f32, bits_f64(u), RND_RN);
	} else {
		double x = o->is_f32 ? (double)bits_f32((uint32_t)u) : bits_f64(u);

		*bits = size == 8     ? f64_bits(x)
			: t == TY_F16 ? double_to_half(x, RND_RN)
				      : double_to_bf16(x, RND_RN);
	}
	return 0;
}

static int
decode_var_value(struct decode *d, const struct ast_opnd *o, enum ptx_type t, struct opnd *out)
{
	const struct ast_var *v = get_opnd_var(d, o);
	uint32_t size = ptx_type_bytes(t);

	if (ptx_is_float(t) || size < 4)
		return decode_error(d, "the address of '%s' is not a value of type .%s", v->name,
				    ptx_type_name(t));
	if (decode_on_stack(d, o))
		return decode_error(d,
				    "the address of '%s' differs in every thread: mov it "
				    "to a register first",
				    v->name);
	if (v->space != SP_GLOBAL && v->space != SP_CONST)
		return decode_const(d, get_var_offset(d, o) + (uint64_t)o->bits, size == 8 ? 8 : 4,
				    out);
	if (size != d->m->ast->addr_bytes)
		return decode_error(d, "the address of '%s' has %u bits", v->name,
				    d->m->ast->addr_bytes * 8);
	return const_add_address(d, o, o->bits, out);
}

static int
decode_sreg_value(struct decode *d, const struct ast_opnd *o, enum ptx_type t, struct opnd *out)
{
	uint32_t have = ptx_sreg_bytes((enum ptx_sreg)o->index), want = ptx_type_bytes(t);

	if (o->index >= SREG_CLOCK && o->index <= SREG_GLOBALTIMER_HI && d->a->op != PTX_mov)
		return decode_error(d, "only mov can read the clock");
	if (t == TY_PRED || have < want || (have > want && (want == 8 || have == 8)))
		return decode_error(d, "the special register has %u bits, .%s does not", have * 8,
				    ptx_type_name(t));
	*out = (struct opnd){.off = SREG_STRIDE * o->index,
			     .base = BASE_SREG,
			     .bytes = (uint8_t)have,
			     .reg = 0xffff};
	return 0;
}

static int
decode_any_value(struct decode *d, const struct ast_opnd *o, enum ptx_type t, bool wider,
		 struct opnd *out)
{
	uint64_t bits = 0;

	*out = no_opnd;
	if (!o)
		return decode_error(d, "expected another operand");
	if (t == TY_NONE)
		return decode_error(d, "expected a type such as .u32");
	if (o->negate && !is_video(d->a->op))
		return decode_error(d, "an operand cannot be negated here");
	switch (o->kind) {
	case AST_REG:
		return decode_reg_of_size(d, o, t, wider, out);
	case AST_SREG:
		return decode_sreg_value(d, o, t, out);
	case AST_INT:
	case AST_FLOAT:
		if (get_const_bits(d, o, t, &bits))
			return -1;
		if (decode_const(d, bits, ptx_type_bytes(t) == 8 ? 8 : 4, out))
			return -1;
		if (t == TY_PRED)
			out->bytes = 0;
		return 0;
	case AST_VAR:
		return decode_var_value(d, o, t, out);
	case AST_FUNC:
		bits = PTX_CODE_BASE + (uint64_t)16 * o->index;
		if (ptx_is_float(t) || ptx_type_bytes(t) < 4)
			return decode_error(d, "a function's address is not a value of type .%s",
					    ptx_type_name(t));
		return decode_const(d, bits, ptx_type_bytes(t) == 8 ? 8 : 4, out);
	case AST_LABEL:
		return decode_error(
			d, "a label is not a value; use .branchtargets for a table of labels");
	default:
		return decode_error(d, "expected a register or a constant of type .%s",
				    ptx_type_name(t));
	}
}

int
decode_value(struct decode *d, const struct ast_opnd *o, enum ptx_type t, struct opnd *out)
{
	return decode_any_value(d, o, t, false, out);
}

int
decode_wider(struct decode *d, const struct ast_opnd *o, enum ptx_type t, struct opnd *out)
{
	return decode_any_value(d, o, t, true, out);
}

/* ---- addresses ---- */

static int
decode_var_address(struct decode *d, const struct ast_opnd *o, struct opnd *base, int64_t *disp)
{
	const struct ast_var *v = get_opnd_var(d, o);

	if (v->space == SP_REG)
		return decode_error(d, "'%s' is a register, not in memory", v->name);
	if (v->space == SP_GLOBAL || v->space == SP_CONST)
		return const_add_address(d, o, 0, base);
	*disp += (int64_t)get_var_offset(d, o);
	if (!decode_on_stack(d, o))
		return decode_const(d, 0, 4, base);
	*base = (struct opnd){.off = SREG_STRIDE * SREG_SP32,
			      .base = BASE_SREG,
			      .bytes = 4,
			      .reg = 0xffff};
	if (d->m->ast->addr_bytes == 8) {
		base->off = SREG_STRIDE * SREG_SP64;
		base->bytes = 8;
	}
	return 0;
}

int
decode_address(struct decode *d, const struct ast_opnd *o, struct opnd *base, int64_t *disp,
	       const struct ast_var **var)
{
	const struct ast_opnd *b;
	enum ptx_type t;

	*base = no_opnd;
	*disp = 0;
	if (var)
		*var = NULL;
	if (!o)
		return decode_error(d, "expected an address in brackets");
	b = o->kind == AST_ADDR ? decode_elem(d, o, 0) : o; /* a variable needs no brackets */
	if (!b || (o->kind != AST_ADDR && o->kind != AST_VAR))
		return decode_error(d, "expected an address in brackets");
	*disp = o->bits;
	switch (b->kind) {
	case AST_REG:
		if (find_reg(d, b, base, &t))
			return -1;
		if (ptx_type_bytes(t) < 4 || t == TY_PRED)
			return decode_error(d,
					    "expected an address in a 32-bit or 64-bit register, "
					    "found '%s', a .%s",
					    d->f->ast->reg[b->index].name, ptx_type_name(t));
		return 0;
	case AST_VAR:
		if (b != o)
			*disp += b->bits;
		if (var)
			*var = get_opnd_var(d, b);
		return decode_var_address(d, b, base, disp);
	case AST_INT:
		return decode_const(d, (uint64_t)b->bits, 8, base);
	case AST_SREG:
		return decode_sreg_value(d, b,
					 ptx_sreg_bytes((enum ptx_sreg)b->index) == 8 ? TY_U64
										      : TY_U32,
					 base);
	default:
		return decode_error(d,
				    "expected a register, a variable or a number in the brackets");
	}
}
