/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decode_mem.c - decodes ld ldu st cvta isspacep prefetch discard membar fence (atom and red:
 * atom.c). mem.h describes the fields that it sets for mem.c and ldst.c.
 *
 * Cache operators, eviction hints and scopes have no effect, because the recorder has one memory
 * that is accessed in order. The decoder accepts and drops them; only .relaxed, .acquire and
 * .release are kept, because such an access is not a data race.
 *
 * A .b128 is a vector of two .b64, in registers as in memory.
 *
 * Not supported: 32-bit generic and global addresses (shared and local ones are supported), fences
 * and prefetches of tensor maps, multimem, surfaces.
 */
#include "record/ptx/alu/alu.h"
#include "record/ptx/mem/mem.h"

/* ---- modifiers without effect ---- */

static void
accept_words(struct decode *d, const enum ptx_word *w, size_t n)
{
	for (size_t i = 0; i < n; i++)
		decode_has(d, w[i]);
}

#define TAKE(d, ...)                                          \
	accept_words(d, (const enum ptx_word[]){__VA_ARGS__}, \
		     sizeof((enum ptx_word[]){__VA_ARGS__}) / sizeof(enum ptx_word))

void
decode_mem_hints(struct decode *d)
{
	TAKE(d, W_ca, W_cg, W_cs, W_lu, W_cv, W_wb, W_wt, W_nc);
	TAKE(d, W_l1_evict_normal, W_l1_evict_unchanged, W_l1_evict_first, W_l1_evict_last,
	     W_l1_no_allocate, W_l2_evict_normal, W_l2_evict_first, W_l2_evict_last);
	TAKE(d, W_l2_64b, W_l2_128b, W_l2_256b, W_l2_cache_hint);
	TAKE(d, W_cta, W_cluster, W_gpu, W_sys);
}

/* Memory order: weak, volatile, or one of the strong ones. */
static void
decode_order(struct decode *d, struct prog_inst *in)
{
	static const struct {
		enum ptx_word word;
		uint8_t order;
	} strong[] = {{W_relaxed, MEM_STRONG},
		      {W_acquire, MEM_STRONG | MEM_ACQUIRES},
		      {W_release, MEM_STRONG | MEM_RELEASES},
		      {W_mmio, MEM_STRONG}};

	decode_has(d, W_weak);
	if (decode_has(d, W_volatile))
		in->flags |= PF_VOLATILE;
	for (size_t i = 0; i < ARRAY_LEN(strong); i++)
		if (decode_has(d, strong[i].word))
			in->sub2 = strong[i].order;
}

/* ---- addresses ---- */

static bool
is_kernel_param(const struct decode *d, const struct ast_var *v)
{
	const struct ast_func *f = d->f->ast;

	return f->entry && (!v || (v >= f->var && v < f->var + f->n_ret + f->n_param));
}

/* Decodes operand k as the address of a memory instruction whose space is in->space. */
int
decode_mem_address(struct decode *d, uint32_t k, struct prog_inst *in)
{
	const struct ast_opnd *o = decode_opnd(d, k);
	const struct ast_var *v = NULL;

	if (!o || o->kind != AST_ADDR)
		return decode_error(d, "operand %u must be an address in brackets", k + 1);
	if (decode_address(d, o, &in->src[0], &in->imm, &v) != 0)
		return -1;
	if (v && in->space != SP_NONE && v->space != in->space)
		return decode_error(d, "variable '%s' is in .%s, not in .%s", v->name,
				    ptx_space_name(v->space), ptx_space_name(in->space));
	if (v && in->space == SP_NONE && v->space != SP_GLOBAL && v->space != SP_CONST)
		in->space = v->space; /* the variable decides the space */
	if (in->space == SP_PARAM && !is_kernel_param(d, v))
		in->space = SP_LOCAL;
	if (v && (v->space == SP_PARAM))
		in->flags |= PF_SILENT;
	if (in->src[0].bytes == 4 &&
	    (in->space == SP_NONE || in->space == SP_GLOBAL || in->space == SP_CONST))
		return decode_unsupported(d,
					  "a 32-bit address of global, constant or generic memory");
	return 0;
}

/* Checks the cache policy, the last operand of instructions with .L2::cache_hint, and ignores its
 * value. */
static int
decode_policy(struct decode *d, uint32_t n)
{
	struct opnd policy;
	bool hint = decode_has(d, W_l2_cache_hint);

	if (decode_count(d, n + hint, n + hint) != 0)
		return -1;
	return hint ? decode_value(d, decode_opnd(d, n), TY_B64, &policy) : 0;
}

/* ---- ld, st ---- */

/* Returns the width of the register that o names, in bytes. */
static uint32_t
get_reg_bytes(const struct decode *d, const struct ast_opnd *o, const struct opnd *p)
{
	if (o->kind == AST_REG && o->index < d->f->ast->n_reg)
		return ptx_type_bytes((enum ptx_type)d->f->ast->reg[o->index].type);
	return p->bytes;
}

/* Returns how a loaded element of type t is converted to a register of that many bytes. */
static enum mem_conv
find_conv(enum ptx_type t, uint32_t bytes)
{
	/* Indexed by log2 of the size in memory, then by the register's bytes: up to 2, 4, 8. */
	static const uint8_t plain[4][3] = {
		{CONV_u8_32, CONV_u8_32, CONV_u8_64},
		{CONV_u16_32, CONV_u16_32, CONV_u16_64},
		{CONV_u32_32, CONV_u32_32, CONV_u32_64},
		{CONV_u64_64, CONV_u64_64, CONV_u64_64},
	};
	static const uint8_t sign[4][3] = {
		{CONV_s8_16, CONV_s8_32, CONV_s8_64},
		{CONV_u16_32, CONV_s16_32, CONV_s16_64},
		{CONV_u32_32, CONV_u32_32, CONV_s32_64},
		{CONV_u64_64, CONV_u64_64, CONV_u64_64},
	};
	uint32_t size = (uint32_t)__builtin_ctz(ptx_type_bytes(t));
	uint32_t reg = bytes == 8 ? 2 : bytes == 4 ? 1 : 0;

	return ptx_is_signed(t) ? sign[size][reg] : plain[size][reg];
}

/* Returns the k-th element of a vector operand, {a, b} or a vector register. */
static const struct ast_opnd *
get_element(struct decode *d, const struct ast_opnd *o, uint32_t k, struct ast_opnd *tmp)
{
	if (o->kind == AST_VEC)
		return decode_elem(d, o, k);
	*tmp = *o;
	tmp->comp = (uint8_t)(k + 1);
	return tmp;
}

static int
check_data(struct decode *d, const struct ast_opnd *o, const struct prog_inst *in)
{
	if (!o)
		return decode_error(d, "an operand is missing");
	if (o->kind == AST_VEC ? o->n_elem != in->vec : in->vec > 1 && o->kind != AST_REG)
		return decode_error(d, "expected %u registers in braces", in->vec);
	return 0;
}

/* Decodes the registers of ld (to dst) or st (to src + 1). */
static int
decode_data(struct decode *d, const struct ast_opnd *o, struct prog_inst *in, bool load)
{
	enum ptx_type t = (enum ptx_type)in->type;
	uint32_t width = 0;

	if (check_data(d, o, in))
		return -1;
	for (uint32_t k = 0; k < in->vec; k++) {
		struct ast_opnd tmp;
		const struct ast_opnd *x = in->vec > 1 ? get_element(d, o, k, &tmp) : o;
		struct opnd *to = load ? &in->dst[k] : &in->src[1 + k];
		uint32_t bytes;

		if ((load ? decode_dst(d, x, t, true, to) : decode_wider(d, x, t, to)) != 0)
			return -1;
		bytes = to->bytes == OPND_NONE ? 0 : get_reg_bytes(d, x, to);
		if (load && bytes && width && bytes != width)
			return decode_error(d, "the registers in braces differ in size");
		width = bytes ? bytes : width;
	}
	if (load)
		in->sub = find_conv(t, width);
	in->n_dst = load ? in->vec : 0;
	in->n_src = load ? 1 : 1 + in->vec;
	return 0;
}

/* Does the same for an access of 32 bytes, whose registers have the size of the elements
 * (ldst32.c). */
static int
decode_data_32(struct decode *d, const struct ast_opnd *o, struct prog_inst *in, bool load)
{
	enum ptx_type t = (enum ptx_type)in->type;
	struct prog_more *m;

	if (in->space != SP_GLOBAL)
		return decode_error(d, "an access of 32 bytes is for .global");
	if (check_data(d, o, in))
		return -1;
	in->ext = d->f->n_more++;
	m = &d->f->more[in->ext];
	m->n[load ? MAT_D : MAT_C] = in->vec;
	in->n_src = 1;
	in->fn = load ? mem_load_32 : mem_store_32;
	for (uint32_t k = 0; k < in->vec; k++) {
		struct ast_opnd tmp;
		const struct ast_opnd *x = get_element(d, o, k, &tmp);

		if (load ? decode_dst(d, x, t, false, &m->o[MAT_D][k])
			 : decode_value(d, x, t, &m->o[MAT_C][k]))
			return -1;
	}
	return 0;
}

/* Reads the type and how many elements there are of it; returns their bytes, 0 with an error. */
static uint32_t
decode_elements_type(struct decode *d, struct prog_inst *in)
{
	uint32_t size;

	in->vec = decode_has(d, W_v8) ? 8 : decode_has(d, W_v4) ? 4 : decode_has(d, W_v2) ? 2 : 1;
	if (in->vec == 1 && decode_has(d, W_b128)) {
		in->type = TY_B64;
		in->vec = 2;
	}
	size = ptx_type_bytes((enum ptx_type)in->type);
	if (in->type == TY_NONE || !size || in->type == TY_PRED)
		decode_error(d, "expected a type such as .u32");
	else if (in->vec == 8 && size != 4)
		decode_error(d, "a vector of 8 has elements of 32 bits");
	else
		return size * in->vec;
	return 0;
}

static int
decode_ldst(struct decode *d, struct prog_inst *in)
{
	bool load = in->op != PTX_st;
	uint32_t bytes;

	in->type = (uint8_t)decode_type(d, 0);
	in->space = (uint8_t)decode_space(d);
	decode_mem_hints(d);
	decode_order(d, in);
	if (decode_has(d, W_async))
		return decode_unsupported(d, "an asynchronous store");
	bytes = decode_elements_type(d, in);
	if (!bytes)
		return -1;
	if (in->space == SP_REG || (!load && in->space == SP_CONST))
		return decode_error(d, "cannot access .%s", ptx_space_name(in->space));
	if (decode_policy(d, 2) != 0 || decode_mem_address(d, load ? 1 : 0, in) != 0)
		return -1;
	if (bytes == 32)
		return decode_data_32(d, decode_opnd(d, load ? 0 : 1), in, load);
	if (decode_data(d, decode_opnd(d, load ? 0 : 1), in, load) != 0)
		return -1;
	if (!load && (in->space == SP_PARAM || in->space == SP_CONST))
		return decode_error(d, "cannot write the parameters of a kernel");
	if (in->space == SP_PARAM)
		in->fn = in->src[0].base == BASE_CONST ? mem_load_param : mem_load;
	else
		in->fn = load ? (alu_is_wide() ? mem_load_wide : mem_load_fast)
			      : (alu_is_wide() ? mem_store_wide : mem_store_fast);
	return 0;
}

/* ---- cvta, isspacep ---- */

static int
decode_cvta(struct decode *d, struct prog_inst *in)
{
	bool to = decode_has(d, W_to);

	in->sub = (uint8_t)decode_space(d);
	in->type = (uint8_t)decode_type(d, 0);
	in->n_dst = in->n_src = 1;
	in->fn = to ? mem_cvta_to : mem_cvta;
	in->flags |= PF_SILENT;
	if (in->sub == SP_NONE || in->sub == SP_REG)
		return decode_error(d, "expected a space such as .global");
	if (in->sub == SP_PARAM && !d->f->ast->entry)
		return decode_unsupported(d, "the generic address of a function's parameter");
	if (in->type == TY_U32)
		return decode_unsupported(d, "a 32-bit generic address");
	if (in->type != TY_U64)
		return decode_error(d, "expected .u64");
	if (decode_count(d, 2, 2) != 0 ||
	    decode_dst(d, decode_opnd(d, 0), TY_U64, false, &in->dst[0]) != 0)
		return -1;
	return decode_value(d, decode_opnd(d, 1), TY_U64, &in->src[0]);
}

static int
decode_isspacep(struct decode *d, struct prog_inst *in)
{
	bool negated = false;

	in->sub = (uint8_t)decode_space(d);
	in->n_dst = in->n_src = 1;
	in->fn = mem_isspacep;
	if (in->sub == SP_NONE || in->sub == SP_REG)
		return decode_error(d, "expected a space such as .global");
	if (decode_count(d, 2, 2) != 0 ||
	    decode_pred(d, decode_opnd(d, 0), &in->dst[0], &negated) != 0)
		return -1;
	if (negated)
		return decode_error(d, "the result cannot be negated");
	return decode_value(d, decode_opnd(d, 1), TY_U64, &in->src[0]);
}

/* ---- no effect ---- */

/* These instructions change nothing, but a trace contains their addresses. */
static int
decode_touch(struct decode *d, struct prog_inst *in)
{
	bool line = in->op == PTX_applypriority || in->op == PTX_discard;
	const struct ast_opnd *n;

	in->space = (uint8_t)decode_space(d);
	in->vec = 1;
	in->n_src = 1;
	in->fn = mem_touch;
	decode_mem_hints(d);
	TAKE(d, W_l1, W_l2);
	if (decode_has(d, W_tensormap))
		return decode_unsupported(d, ".tensormap");
	if (in->space != SP_NONE && in->space != SP_GLOBAL && in->space != SP_LOCAL)
		return decode_error(d, "expected .global or .local");
	if (decode_count(d, line ? 2 : 1, line ? 2 : 1) != 0 || decode_mem_address(d, 0, in) != 0)
		return -1;
	if (line) {
		n = decode_opnd(d, 1);
		if (n->kind != AST_INT || n->bits != 128)
			return decode_error(d, "the size must be 128");
	}
	return 0;
}

static int
decode_fence(struct decode *d, struct prog_inst *in)
{
	in->fn = exec_fence;
	TAKE(d, W_mbarrier_init, W_cta, W_gl, W_sys, W_gpu, W_cluster, W_sc, W_acq_rel, W_acquire,
	     W_release);
	if (decode_has(d, W_proxy)) {
		TAKE(d, W_alias, W_async);
		decode_space(d);
	}
	return decode_count(d, 0, 0);
}

int
decode_mem(struct decode *d, struct prog_inst *in)
{
	switch (in->op) {
	case PTX_ld:
	case PTX_ldu:
	case PTX_st:
		return decode_ldst(d, in);
	case PTX_atom:
	case PTX_red:
		return decode_atom(d, in);
	case PTX_cvta:
		return decode_cvta(d, in);
	case PTX_isspacep:
		return decode_isspacep(d, in);
	case PTX_membar:
	case PTX_fence:
		return decode_fence(d, in);
	default:
		return decode_touch(d, in);
	}
}
