/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * atom.c - decodes and executes atom and red. The operations are the rows of atom.def; in->sub is
 * the row. The lanes of a warp are executed in ascending order, so that a launch has the same
 * result in every run.
 *
 * As PTX specifies, add.f32 flushes subnormal numbers in global memory, but not in shared memory.
 * Memory order needs no work, as warps run one at a time on one memory.
 *
 * Not supported: vectors of 8, .b128, .async, multimem, min and max of floats.
 */
#include "record/ptx/alu/half.h"
#include "record/ptx/mem/mem.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- operations ---- */

static uint32_t
add_f32(uint32_t a, uint32_t b)
{
	float x = bits_f32(a) + bits_f32(b);

	return isnan(x) ? F32_NAN : f32_bits(x);
}

static uint32_t
flush_subnormal(uint32_t x)
{
	return x & 0x7f800000u ? x : x & 0x80000000u;
}

/* Adds doubles. The first operand's NaN payload is kept, whatever order the compiler uses. */
static uint64_t
add_f64(uint64_t a, uint64_t b)
{
	double x = bits_f64(a), y = bits_f64(b), sum = x + y;
	uint64_t quiet = 1ull << 51;

	if (isnan(x))
		return a | quiet;
	if (isnan(y))
		return b | quiet;
	return isnan(sum) ? 0xfff8000000000000u : f64_bits(sum);
}

/* Adds halves as floats: rounding twice gives the correct result (24 >= 2 * 11 + 2). */
static uint16_t
add_f16(uint16_t a, uint16_t b)
{
	return float_to_half_rn(half_to_float(a) + half_to_float(b));
}

static uint16_t
add_bf16(uint16_t a, uint16_t b)
{
	return float_to_bf16_rn(bf16_to_float(a) + bf16_to_float(b));
}

static uint32_t
apply_to_halves(uint16_t (*fn)(uint16_t, uint16_t), uint32_t a, uint32_t b)
{
	return fn((uint16_t)a, (uint16_t)b) | (uint32_t)fn((uint16_t)(a >> 16), (uint16_t)(b >> 16))
						      << 16;
}

/* Applies an operation to the lanes of a span, in order; b and c are vectors; old gets the previous
 * values. */
typedef void atom_fn(const struct mem_span *s, const void *bv, const void *cv, uint64_t *old);

#define LANE(ctype, v, l) \
	(ctype)(sizeof(ctype) == 8 ? ((const uint64_t *)(v))[l] : ((const uint32_t *)(v))[l])

#define ATOM(op, type, ctype, expr)                                                              \
	static void atom_##op##_##type(const struct mem_span *s, const void *bv, const void *cv, \
				       uint64_t *old)                                            \
	{                                                                                        \
		for (uint32_t m = s->lanes; m; m &= m - 1) {                                     \
			uint32_t l = (uint32_t)__builtin_ctz(m);                                 \
			ctype a, b = LANE(ctype, bv, l), c = LANE(ctype, cv, l);                 \
			(void)b, (void)c;                                                        \
			memcpy(&a, s->host + s->off[l], sizeof(a));                              \
			old[l] = (uint64_t)a;                                                    \
			a = (ctype)(expr);                                                       \
			memcpy(s->host + s->off[l], &a, sizeof(a));                              \
		}                                                                                \
	}
#include "record/ptx/mem/atom.def"
ATOM(add, f32_flush, uint32_t, flush_subnormal(add_f32(flush_subnormal(a), flush_subnormal(b))))
#undef ATOM

/* Types are kept and compared as words: the rows have "u32", from which no enum ptx_type can be
 * formed. */
static const struct atom_row {
	uint8_t op, type; /* enum ptx_word */
	atom_fn *fn;
} row[] = {
#define ATOM(op, type, ctype, expr) {W_##op, W_##type, atom_##op##_##type},
#include "record/ptx/mem/atom.def"
#undef ATOM
};

/* ---- running ---- */

/* Applies the operation to element k of a vector, for the lanes of s. */
static void
apply_element(const struct prog_inst *in, struct warp *w, const struct mem_span *s, uint32_t k,
	      uint64_t *old)
{
	const void *b = vec(w, in->src[1 + k]);
	const void *c = in->vec == 1 && in->n_src > 2 ? vec(w, in->src[2]) : b;
	uint64_t size = ptx_type_bytes((enum ptx_type)in->type);
	struct mem_span at = *s;
	atom_fn *fn = row[in->sub].fn;

	for (uint32_t l = 0; k && l < WARP_SIZE; l++)
		at.off[l] += k * size;
	if (fn == atom_add_f32 && s->place == SP_GLOBAL)
		fn = atom_add_f32_flush;
	fn(&at, b, c, old);
}

int
mem_atom(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t bytes = ptx_type_bytes((enum ptx_type)in->type) * in->vec;
	uint64_t at[WARP_SIZE], old[4][WARP_SIZE];
	struct mem_span s;

	mem_addresses(in, w, mask, at);
	mem_report(in, w, at, mask);
	for (uint32_t left = mask; left; left &= ~s.lanes) {
		int rc = mem_span(in, w, at, left, bytes, MEM_ATOMIC | MEM_DROP, &s);

		if (rc == EXEC_FAULT)
			return rc;
		for (uint32_t k = 0; k < in->vec; k++) {
			if (unlikely(rc == MEM_DROPPED))
				old[k][__builtin_ctz(s.lanes)] = 0;
			else
				apply_element(in, w, &s, k, old[k]);
		}
	}
	for (uint32_t k = 0; k < in->n_dst; k++) {
		if (in->dst[k].bytes == OPND_NONE)
			continue;
		for (uint32_t rest = mask; rest; rest &= rest - 1) {
			uint32_t l = (uint32_t)__builtin_ctz(rest);

			if (in->dst[k].bytes == 8)
				((uint64_t *)vec(w, in->dst[k]))[l] = old[k][l];
			else
				((uint32_t *)vec(w, in->dst[k]))[l] = (uint32_t)old[k][l];
		}
	}
	return EXEC_NEXT;
}

void
atom_apply(uint32_t n, const struct mem_span *s, const void *b, uint64_t *old)
{
	row[n].fn(s, b, b, old);
}

/* ---- decoding ---- */

int
atom_find(struct decode *d, enum ptx_type t)
{
	const struct atom_row *found = NULL;
	enum ptx_word op = W_NONE;

	for (size_t i = 0; i < ARRAY_LEN(row); i++) {
		if (op == W_NONE && decode_has(d, row[i].op))
			op = row[i].op;
		if (op == row[i].op && ast_word_type(row[i].type) == t)
			found = &row[i];
	}
	if (op == W_NONE)
		return decode_error(
			d, "expected one of .add .min .max .inc .dec .cas .exch .and .or .xor");
	if (!found) {
		char what[32];

		snprintf(what, sizeof(what), ".%s of .%s", ast_word_text(op), ptx_type_name(t));
		return decode_unsupported(d, what);
	}
	return (int)(found - row);
}

/* Decodes .v2 and .v4: only additions of f32 and halves, in global memory. */
static int
decode_vector(struct decode *d, struct prog_inst *in)
{
	enum ptx_type t = (enum ptx_type)in->type;

	in->vec = decode_has(d, W_v4) ? 4 : decode_has(d, W_v2) ? 2 : 1;
	if (decode_has(d, W_v8))
		return decode_unsupported(d, "an atomic operation on a vector of 8");
	if (in->vec > 1 && (!ptx_is_float(t) || t == TY_F64))
		return decode_error(d,
				    "expected .f32, .f16, .bf16, .f16x2 or .bf16x2 for a vector");
	if (in->vec > 1 && in->space == SP_SHARED)
		return decode_error(d, "a vector must be in .global");
	return 0;
}

/* Decodes the elements of operand k: the destinations, or the operands (from src[1] on). */
static int
decode_elements(struct decode *d, struct prog_inst *in, uint32_t k, bool dst)
{
	const struct ast_opnd *o = decode_opnd(d, k);
	enum ptx_type t = (enum ptx_type)in->type;

	if (in->vec > 1 && (!o || o->kind != AST_VEC || o->n_elem != in->vec))
		return decode_error(d, "expected %u registers in braces", in->vec);
	for (uint32_t i = 0; i < in->vec; i++) {
		const struct ast_opnd *x = in->vec > 1 ? decode_elem(d, o, i) : o;

		if (dst ? decode_dst(d, x, t, false, &in->dst[i])
			: decode_value(d, x, t, &in->src[1 + i]))
			return -1;
	}
	return 0;
}

int
decode_atom(struct decode *d, struct prog_inst *in)
{
	static const struct {
		enum ptx_word word;
		uint8_t order;
	} order[] = {{W_relaxed, 0},
		     {W_acquire, MEM_ACQUIRES},
		     {W_release, MEM_RELEASES},
		     {W_acq_rel, MEM_ACQUIRES | MEM_RELEASES},
		     {W_noftz, 0}};
	uint32_t first = in->op == PTX_atom; /* operand of the address */
	enum ptx_type t = decode_type(d, 0);
	struct opnd policy;
	int n;
	bool hint;

	in->type = (uint8_t)t;
	in->sub2 = MEM_STRONG;
	in->space = (uint8_t)decode_space(d);
	decode_mem_hints(d);
	for (size_t i = 0; i < ARRAY_LEN(order); i++)
		if (decode_has(d, order[i].word))
			in->sub2 |= order[i].order;
	if (decode_vector(d, in))
		return -1;
	if (decode_has(d, W_b128))
		return decode_unsupported(d, ".b128");
	if (in->space != SP_NONE && in->space != SP_GLOBAL && in->space != SP_SHARED)
		return decode_error(d, "expected .global or .shared");
	n = atom_find(d, t);
	if (n < 0)
		return -1;
	in->sub = (uint8_t)n;
	n = row[n].op == W_cas ? 2 : 1;
	hint = decode_has(d, W_l2_cache_hint);
	if (decode_count(d, first + 1 + (uint32_t)n + hint, first + 1 + (uint32_t)n + hint) != 0 ||
	    decode_mem_address(d, first, in) != 0)
		return -1;
	if (first && decode_elements(d, in, 0, true))
		return -1;
	if (n == 1 ? decode_elements(d, in, first + 1, false)
		   : decode_value(d, decode_opnd(d, first + 1), t, &in->src[1]) ||
			     decode_value(d, decode_opnd(d, first + 2), t, &in->src[2]))
		return -1;
	in->n_dst = (uint8_t)(first * in->vec);
	in->n_src = (uint8_t)(1 + n * in->vec);
	in->fn = mem_atom;
	return hint ? decode_value(d, decode_opnd(d, first + 1 + (uint32_t)n), TY_B64, &policy) : 0;
}
