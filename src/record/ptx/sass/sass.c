/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sass.c - expands PTX instructions to machine instructions. Those of arithmetic are rows of
 * inst.def; moves, memory accesses, atomics and barriers depend on more than type and flags and are
 * expanded here.
 *
 * Instructions have the names of Volta, Turing or Ampere (arch.def). As NVIDIA's tracer does, a
 * trace lists only the first register of a 64-bit operand; it lists all registers of a vector,
 * since they need not be consecutive here.
 *
 * Differences from ptxas: instructions are not reordered or removed, and only pairs are combined
 * (fuse.c); values become uniform or constant operands only where live.c finds them; divergent
 * branches have no BSSY and BSYNC; atomics of a warp on one address are not added up first; a loop
 * around an atomic of shared memory runs once.
 */
#include "record/ptx/sass/sass_part.h"

#include "base/ascii.h"
#include "base/words.h"
#include "record/ptx/decode/flow.h"
#include "record/ptx/sass/fuse.h"

#include <string.h>

/* ---------------------------------------------------------------- rows */

enum {
	U8 = 1,
	S8 = 2,
	U16 = 4,
	S16 = 8,
	U32 = 16,
	S32 = 32,
	U64 = 64,
	S64 = 128,
	HALF = 256,
	F32 = 512,
	F64 = 1024,
	PRED = 2048,
	NONE = 4096,
	I16 = U8 | S8 | U16 | S16,
	I32 = U32 | S32,
	I64 = U64 | S64,
	INT = I16 | I32 | I64,
	FLOAT = HALF | F32 | F64,
	ANY = 8191
};

/* Flags of this file, besides enum prog_flag. */
#define PF_FULL (1u << 16)     /* div.full */
#define PF_INTEGRAL (1u << 17) /* cvt that rounds to an integer in the same type */
#define PF_CTA (1u << 18)      /* membar.cta, fence.*.cta */
#define PF_AMPERE (1u << 19)   /* this generation or a later one */

struct row {
	uint16_t op, types, from;
	uint32_t flags;
	const char *text;
};

static const struct row rows[] = {
#define SASS(op, types, from, flags, text) {PTX_##op, types, from, flags, text},
#include "record/ptx/inst/inst.def"
};

const char *
sass_get_name(enum sass_named what, uint32_t generation)
{
	static const char *const name[SASS_NAMED][GENERATIONS] = {
#define NAMED(what, volta, turing, ampere) {volta, turing, ampere},
#include "record/ptx/arch.def"
	};

	return name[what][generation];
}

static uint16_t
get_type_bit(enum ptx_type t)
{
	static const uint16_t bit[PTX_TYPES] = {
		[TY_NONE] = NONE,   [TY_B8] = U8,	 [TY_B16] = U16,	 [TY_B32] = U32,
		[TY_B64] = U64,	    [TY_U8] = U8,	 [TY_U16] = U16,	 [TY_U32] = U32,
		[TY_U64] = U64,	    [TY_S8] = S8,	 [TY_S16] = S16,	 [TY_S32] = S32,
		[TY_S64] = S64,	    [TY_F16] = HALF,	 [TY_F16X2] = HALF,	 [TY_BF16] = HALF,
		[TY_BF16X2] = HALF, [TY_F32] = F32,	 [TY_F64] = F64,	 [TY_PRED] = PRED,
		[TY_TEXREF] = NONE, [TY_SURFREF] = NONE, [TY_SAMPLERREF] = NONE,
	};

	return bit[t];
}

/* ---------------------------------------------------------------- building instructions */

bool
sass_has_word(const struct expand *x, enum ptx_word w)
{
	for (uint32_t i = 0; i < x->a->n_word; i++)
		if (x->a->word[i] == w)
			return true;
	return false;
}

void
sass_name(const struct expand *x, const enum ptx_word *w, uint32_t n, const char *otherwise,
	  char buf[12])
{
	const char *text = otherwise;
	uint32_t i;

	for (i = 0; i < n; i++)
		if (sass_has_word(x, w[i])) {
			text = ast_word_text(w[i]);
			break;
		}
	for (i = 0; i < 11 && text[i]; i++)
		buf[i] = ascii_upper(text[i]);
	buf[i] = '\0';
}

struct sass *
sass_add(struct expand *x, const char *op)
{
	struct sass *s;

	if (x->n == SASS_MAX)
		return &x->out[SASS_MAX - 1];
	s = &x->out[x->n++];
	memset(s, 0, sizeof(*s));
	snprintf(s->op, sizeof(s->op), "%s", op);
	return s;
}

void
sass_add_src(struct sass *s, uint32_t reg)
{
	if (reg >= NO_REG || s->n_src == INST_MAX_SRC)
		return;
	s->src[s->n_src++] = (uint8_t)reg;
}

void
sass_add_dst(struct sass *s, uint32_t reg)
{
	if (reg >= NO_REG || s->n_dst == INST_MAX_DST)
		return;
	s->dst[s->n_dst++] = (uint8_t)reg;
}

uint32_t
sass_reg(const struct expand *x, struct opnd o, bool high)
{
	uint32_t r = live_phys(x->f, o);

	if (r == NO_REG || !high)
		return r;
	return narrow_bytes(x->f, o) == 8 ? r + 1 : NO_REG;
}

void
sass_all_sources(const struct expand *x, struct sass *s, bool high)
{
	const struct prog_inst *in = x->in;

	uint32_t k, reg, taken = x->first ? x->first->dst[0].reg : UINT32_MAX;

	for (k = 0; x->first && k < x->first->n_src; k++)
		sass_add_src(s, sass_reg(x, x->first->src[k],
					 high && narrow_bytes(x->f, x->first->src[k]) == 8));
	for (k = 0; k < in->n_src; k++) {
		reg = sass_reg(x, in->src[k], high && narrow_bytes(x->f, in->src[k]) == 8);
		if (!x->first || in->src[k].base != BASE_FRAME || in->src[k].reg != taken)
			sass_add_src(s, reg);
	}
}

/* What a REDUX computes is a suffix of its name; it has none for AND. */
static void
name_reduction(const struct expand *x, char name[13])
{
	static const enum ptx_word compared[] = {W_min, W_max}, others[] = {W_or, W_xor};

	if (sass_has_word(x, W_and)) {
		name[0] = '\0';
		return;
	}
	name[0] = '.';
	if (x->in->type == TY_B32)
		sass_name(x, others, ARRAY_LEN(others), "", name + 1);
	else
		sass_name(x, compared, ARRAY_LEN(compared), "SUM", name + 1);
	if (x->in->type == TY_S32 && (sass_has_word(x, W_min) || sass_has_word(x, W_max)))
		memcpy(name + 4, ".S32", 5);
}

/* Replaces %c, %u, %m and %r. */
static void
fill_placeholders(const struct expand *x, const char *from, size_t len, char *to, size_t size)
{
	static const enum ptx_word comparison[] = {W_eq,  W_ne,	 W_lt,	W_le,  W_gt,  W_ge,
						   W_lo,  W_ls,	 W_hi,	W_hs,  W_equ, W_neu,
						   W_ltu, W_leu, W_gtu, W_geu, W_num, W_nan};
	static const enum ptx_word mode[] = {W_up, W_down, W_bfly, W_idx};
	enum ptx_type t = (enum ptx_type)(x->in->op == PTX_set ? x->in->type2 : x->in->type);
	bool is_unsigned = (get_type_bit(x->first ? (enum ptx_type)x->first->type : t) &
			    (U8 | U16 | U32 | U64)) != 0;
	char name[13];
	size_t n = 0;

	for (size_t i = 0; i < len && n + 1 < size; i++) {
		const char *put = NULL;

		if (from[i] == '%' && i + 1 < len) {
			i++;
			if (from[i] == 'u')
				put = is_unsigned ? ".U32" : "";
			else if (from[i] == 'c')
				sass_name(x, comparison, ARRAY_LEN(comparison), "NE", name);
			else if (from[i] == 'm')
				sass_name(x, mode, ARRAY_LEN(mode), "IDX", name);
			else
				name_reduction(x, name);
			n += (size_t)snprintf(to + n, size - n, "%s", put ? put : name);
			n = MIN(n, size - 1);
		} else {
			to[n++] = from[i];
		}
	}
	to[n] = '\0';
}

/* Expands one word of a row: a name, then /l /h /p (inst.def). */
static void
expand_word(struct expand *x, const char *text, size_t len)
{
	const struct prog_inst *in = x->in;
	const char *slash = memchr(text, '/', len);
	char how = slash ? slash[1] : 'c', op[SASS_TEXT];
	bool high = how == 'h';
	struct sass *s;

	fill_placeholders(x, text, slash ? (size_t)(slash - text) : len, op, sizeof(op));
	s = sass_add(x, op);
	if (how == 'c' && x->wrote)
		sass_add_src(s, sass_reg(x, in->dst[0], false));
	sass_all_sources(x, s, high);
	if (how == 'p' && x->wrote)
		sass_add_src(s, sass_reg(x, in->dst[0], false));
	if (how == 'p' || !in->n_dst)
		return;
	sass_add_dst(s, sass_reg(x, in->dst[0], high));
	x->wrote = true;
	for (uint32_t k = 1; k < in->n_dst && how == 'c'; k++)
		sass_add_dst(s, sass_reg(x, in->dst[k], false));
}

static void
expand_row(struct expand *x, const char *text)
{
	struct span w;

	while ((w = word_next(&text)).n)
		expand_word(x, w.p, w.n);
}

/* Does the instruction have a 64-bit result of which only 32 bits are computed? */
static bool
is_narrow(const struct expand *x)
{
	return x->in->n_dst == 1 && x->in->dst[0].bytes == 8 &&
	       narrow_bytes(x->f, x->in->dst[0]) == 4;
}

static uint32_t
get_flags(const struct expand *x)
{
	const struct prog_inst *in = x->in;
	uint32_t flags = in->flags;
	static const enum ptx_word integral[] = {W_rni, W_rzi, W_rmi, W_rpi};

	if (sass_has_word(x, W_full))
		flags |= PF_FULL;
	if (sass_has_word(x, W_approx))
		flags |= PF_APPROX;
	if (sass_has_word(x, W_ftz))
		flags |= PF_FTZ;
	if (sass_has_word(x, W_cta))
		flags |= PF_CTA;
	if (sass_has_word(x, W_wide))
		flags |= PF_WIDE;
	if (sass_has_word(x, W_sat))
		flags |= PF_SAT;
	for (uint32_t i = 0; i < ARRAY_LEN(integral); i++)
		if (sass_has_word(x, integral[i]))
			flags |= PF_INTEGRAL;
	if (x->generation >= GEN_AMPERE)
		flags |= PF_AMPERE;
	if (is_narrow(x))
		flags &= ~(uint32_t)PF_WIDE;
	if (sass_has_word(x, W_hi) && in->op != PTX_setp && in->op != PTX_set)
		flags |= PF_HI;
	return flags;
}

/* Expands a pair of PTX instructions, which is one machine instruction. */
static void
expand_pair(struct expand *x)
{
	switch (x->first->op) {
	case PTX_mul:
		expand_row(x,
			   (x->first->flags & PF_WIDE) && !is_narrow(x) ? "IMAD.WIDE%u" : "IMAD");
		break;
	case PTX_shl:
		expand_row(x, narrow_bytes(x->f, x->in->dst[0]) == 8 ? "LEA/l LEA.HI.X/h" : "LEA");
		break;
	case PTX_add:
		expand_row(x, "IADD3");
		break;
	default:
		expand_row(x, "LOP3.LUT");
	}
}

static void
expand_by_table(struct expand *x)
{
	const struct prog_inst *in = x->in;
	uint32_t flags = get_flags(x);
	uint16_t type = get_type_bit((enum ptx_type)in->type),
		 from = get_type_bit((enum ptx_type)in->type2);

	if (is_narrow(x))
		type = type & I64 ? U32 : type;
	for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct row *r = &rows[i];

		if (r->op == in->op && (r->types & type) && (r->from & from) &&
		    (flags & r->flags) == r->flags) {
			expand_row(x, r->text);
			return;
		}
	}
	expand_row(x, "NOP/p"); /* the table has no row: it takes one instruction */
}

/* ---------------------------------------------------------------- moves */

/* Adds a 32-bit move, unless both registers are the same or the value needs no register. */
static void
add_move(struct expand *x, const char *op, uint32_t to, uint32_t from)
{
	struct sass *s;

	if (to >= NO_REG || to == from)
		return;
	s = sass_add(x, op);
	sass_add_dst(s, to);
	sass_add_src(s, from);
}

static void
move_sreg(struct expand *x, struct opnd to, uint32_t sreg)
{
	uint32_t reg = sass_reg(x, to, false);

	if (reg == NO_REG)
		return;
	if (sreg == SREG_WARPID)
		expand_row(x, "S2R SHF.R.U32.HI SGXT.U32");
	else if (sreg >= SREG_CLOCK && sreg <= SREG_GLOBALTIMER_HI)
		sass_add_dst(sass_add(x, "CS2R"), reg);
	else if ((sreg >= SREG_NTID_X && sreg <= SREG_NTID_Z) ||
		 (sreg >= SREG_NCTAID_X && sreg <= SREG_NCTAID_Z) || sreg == SREG_NWARPID ||
		 sreg >= SREG_DYNAMIC_SMEM_SIZE)
		add_move(x, "MOV", reg, NO_REG);
	else
		sass_add_dst(sass_add(x, "S2R"), reg);
}

/* Moves registers, or packs and unpacks their parts. */
static void
expand_mov(struct expand *x)
{
	const struct prog_inst *in = x->in;
	uint32_t k;

	if (in->n_dst == 1 && in->dst[0].bytes == 0) {
		expand_row(x, "PLOP3.LUT/p");
	} else if (in->n_src == 1 && in->src[0].base == BASE_SREG && in->n_dst == 1) {
		move_sreg(x, in->dst[0], in->src[0].off / SREG_STRIDE);
	} else if (in->n_dst == 1 && in->n_src == 1) {
		add_move(x, "MOV", sass_reg(x, in->dst[0], false), sass_reg(x, in->src[0], false));
		if (narrow_bytes(x->f, in->dst[0]) == 8)
			add_move(x, "MOV", sass_reg(x, in->dst[0], true),
				 sass_reg(x, in->src[0], true));
	} else if (in->n_dst == 1) { /* pack {a, b}: halves, or parts of 16 and 8 bits */
		uint32_t words = in->dst[0].bytes == 8 ? 2 : 1, each = MAX(in->n_src / words, 1u);

		for (k = 0; k < words; k++) {
			uint32_t to = sass_reg(x, in->dst[0], k), i;
			struct sass *s;

			if (each == 1) {
				add_move(x, "MOV", to, sass_reg(x, in->src[k], false));
				continue;
			}
			if (to >= NO_REG)
				continue;
			s = sass_add(x, "PRMT");
			sass_add_dst(s, to);
			for (i = 0; i < each && k * each + i < in->n_src; i++)
				sass_add_src(s, sass_reg(x, in->src[k * each + i], false));
		}
	} else { /* unpack into {a, b} */
		uint32_t words = in->src[0].bytes == 8 ? 2 : 1, each = MAX(in->n_dst / words, 1u);

		for (k = 0; k < in->n_dst; k++)
			add_move(x, each == 1 ? "MOV" : "PRMT", sass_reg(x, in->dst[k], false),
				 sass_reg(x, in->src[0], k / each));
	}
}

/* Conversions that keep all bits need no instruction if live.c let source and result share a
 * register. */
static void
expand_cvt(struct expand *x)
{
	const struct prog_inst *in = x->in;
	uint32_t to = ptx_type_bytes((enum ptx_type)in->type);
	uint32_t from = ptx_type_bytes((enum ptx_type)in->type2);
	bool ints = (get_type_bit((enum ptx_type)in->type) & INT) &&
		    (get_type_bit((enum ptx_type)in->type2) & INT);
	bool sign = get_type_bit((enum ptx_type)in->type2) & (S16 | S8 | S32);

	if (!ints || (in->flags & PF_SAT) || to == 1 || from == 1 || (from == 2 && sign)) {
		expand_by_table(x);
		return;
	}
	add_move(x, "MOV", sass_reg(x, in->dst[0], false), sass_reg(x, in->src[0], false));
	if (to == 8 && from < 8) {
		uint32_t high = sass_reg(x, in->dst[0], true);
		struct sass *s;

		if (high >= NO_REG)
			return;
		s = sass_add(x, sign ? "SHF.R.S32.HI" : "MOV");
		sass_add_dst(s, high);
		if (sign)
			sass_add_src(s, sass_reg(x, in->src[0], false));
	}
}

/* ---------------------------------------------------------------- warps */

static void
expand_bar(struct expand *x)
{
	if (x->in->fn == exec_nop) /* barrier.cluster.arrive: barrier.cluster.wait does its work */
		expand_row(x, "NOP/p");
	else if (sass_has_word(x, W_arrive))
		expand_row(x, "BAR.ARV/p");
	else if (sass_has_word(x, W_red))
		expand_row(x, "BAR.RED/p B2R.RESULT");
	else
		expand_row(x, "BAR.SYNC.DEFER_BLOCKING/p");
}

/* Is the result a constant of the machine? Then live.c gave it no register. */
static bool
is_constant(const struct expand *x)
{
	struct opnd d = x->in->dst[0];

	return x->in->n_dst == 1 && d.base == BASE_FRAME && (d.bytes == 4 || d.bytes == 8) &&
	       d.reg < x->f->ast->n_reg && x->f->phys[d.reg] == NO_REG && x->in->op != PTX_atom;
}

static uint32_t
expand_inst(const struct prog_func *f, uint32_t i, uint32_t generation, struct sass *out,
	    bool shared)
{
	struct expand x = {.f = f,
			   .in = &f->inst[i],
			   .a = &f->ast->inst[i],
			   .out = out,
			   .shared = shared,
			   .generation = generation};

	if ((x.in->flags & PF_SILENT) || fuse_is_done(f, i) || is_constant(&x))
		return 0;
	x.first = fuse_first(f, i);
	if (x.first) {
		expand_pair(&x);
		return x.n;
	}
	switch (x.in->op) {
	case PTX_mov:
		expand_mov(&x);
		break;
	case PTX_cvt:
		expand_cvt(&x);
		break;
	case PTX_ld:
	case PTX_ldu:
	case PTX_st:
		if (x.in->space != SP_PARAM)
			sass_access(&x);
		break;
	case PTX_atom:
	case PTX_red:
		sass_atomic(&x);
		break;
	case PTX_bar:
	case PTX_barrier:
		expand_bar(&x);
		break;
	case PTX_mma:
	case PTX_wmma:
	case PTX_ldmatrix:
	case PTX_stmatrix:
	case PTX_movmatrix:
	case PTX_cp:
	case PTX_mbarrier:
	case PTX_suld:
	case PTX_sust:
		sass_matrix(&x);
		break;
	case PTX_ret:
		expand_row(&x, f->ast->entry ? "EXIT/p" : "RET.REL.NODEC/p");
		break;
	default:
		expand_by_table(&x);
	}
	return x.n;
}

/* Does the kernel access global memory, on a generation where it first loads a descriptor? */
static bool
needs_descriptor(const struct prog_func *f, uint32_t generation)
{
	for (uint32_t i = 0; f->ast->entry && i < f->n_inst; i++)
		if (f->inst[i].space == SP_GLOBAL || f->inst[i].op == PTX_cp)
			return *sass_get_name(SASS_DESCRIPTOR, generation);
	return false;
}

/* Counts the machine instructions of f, and with a list writes them to it. The load of the
 * descriptor comes first and belongs to the first PTX instruction that has machine instructions. */
static uint32_t
list_insts(const struct ptx_module *m, const struct prog_func *f, struct sass_list *l)
{
	const char *name = sass_get_name(SASS_DESCRIPTOR, m->generation);
	bool first = needs_descriptor(f, m->generation);
	struct sass s[SASS_MAX + 1];
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->n_inst; i++) {
		uint32_t here = expand_inst(f, i, m->generation, s + 1, false);
		bool more = first && here;

		if (more) {
			memset(s, 0, sizeof(*s));
			snprintf(s[0].op, sizeof(s[0].op), "%s", name);
			first = false;
		}
		if (l) {
			memcpy(&l->inst[n], s + !more, (here + more) * sizeof(*s));
			l->first[i + 1] = n + here + more;
		}
		n += here + more;
	}
	return n;
}

const struct sass_list *
sass_of(struct ptx_module *m, uint32_t func, struct err *e)
{
	struct prog_func *f = &m->func[func];
	struct sass_list *l = f->sass;
	uint32_t n;

	if (l)
		return l;
	n = list_insts(m, f, NULL);
	l = prog_alloc(m, sizeof(*l) + n * sizeof(*l->inst), e);
	if (!l || !(l->first = prog_alloc(m, (f->n_inst + 1) * sizeof(*l->first), e)))
		return NULL;
	l->n = list_insts(m, f, l);
	return f->sass = l;
}

uint32_t
sass_expand_shared(const struct prog_func *f, uint32_t i, uint32_t generation,
		   struct sass out[SASS_MAX])
{
	return expand_inst(f, i, generation, out, true);
}
