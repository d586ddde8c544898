/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cvt_cmp.c - executes setp and set. A comparison of two vectors gives a bit per lane. The rows
 * below make a function for each relation and each way to read the operands.
 */
#include "record/ptx/alu/cvt.h"

typedef uint32_t cmp_fn(const void *pa, const void *pb);

static uint32_t
half_flush(uint32_t h)
{
	return h & 0x7c00 ? h : h & 0x8000;
}

/* ---- rows: how to read lanes, and the relations ---- */

#define ROWS_INT(ROW)                                    \
	ROW(u32, uint32_t, uint32_t, x)                  \
	ROW(s32, uint32_t, int32_t, (int32_t)x)          \
	ROW(s16, uint32_t, int32_t, (int32_t)(int16_t)x) \
	ROW(u64, uint64_t, uint64_t, x)                  \
	ROW(s64, uint64_t, int64_t, (int64_t)x)

#define ROWS_FLOAT(ROW)                                                                \
	ROW(f32, uint32_t, float, bits_f32(x))                                         \
	ROW(f32_ftz, uint32_t, float, bits_f32(f32_flush(x)))                          \
	ROW(f64, uint64_t, double, bits_f64(x))                                        \
	ROW(f16, uint32_t, float, half_to_float((uint16_t)x))                          \
	ROW(f16_ftz, uint32_t, float, half_to_float((uint16_t)half_flush(x & 0xffff))) \
	ROW(bf16, uint32_t, float, bf16_to_float((uint16_t)x))

#define RELATIONS(ROW, ...)               \
	ROW(eq, a == b, __VA_ARGS__)      \
	ROW(ne, a<b || a> b, __VA_ARGS__) \
	ROW(lt, a < b, __VA_ARGS__)       \
	ROW(le, a <= b, __VA_ARGS__)      \
	ROW(gt, a > b, __VA_ARGS__)       \
	ROW(ge, a >= b, __VA_ARGS__)

/* These are also true if an operand is a NaN. */
#define UNORDERED(ROW, ...)                      \
	ROW(equ, !(a < b || a > b), __VA_ARGS__) \
	ROW(neu, a != b, __VA_ARGS__)            \
	ROW(ltu, !(a >= b), __VA_ARGS__)         \
	ROW(leu, !(a > b), __VA_ARGS__)          \
	ROW(gtu, !(a <= b), __VA_ARGS__)         \
	ROW(geu, !(a < b), __VA_ARGS__)          \
	ROW(num, a == a && b == b, __VA_ARGS__)  \
	ROW(nan, a != a || b != b, __VA_ARGS__)

/* ---- a function per row and relation, and one that is a whole setp ---- */

#define CMP(rel, expr, name, word, type, READ)                                                    \
	static uint32_t cmp_##name##_##rel(const void *pa, const void *pb)                        \
	{                                                                                         \
		const word *va = pa, *vb = pb;                                                    \
		uint32_t bits = 0;                                                                \
		ALU_LOOP(l)                                                                       \
		{                                                                                 \
			const type a = read_##name(va[l]), b = read_##name(vb[l]);                \
			bits |= (expr) ? alu_lane_bit[l] : 0;                                     \
		}                                                                                 \
		return bits;                                                                      \
	}                                                                                         \
	static int setp_##name##_##rel(const struct prog_inst *in, struct warp *w, uint32_t mask) \
	{                                                                                         \
		return alu_put_pred(w, in->dst[0],                                                \
				    cmp_##name##_##rel(vec(w, in->src[0]), vec(w, in->src[1])),   \
				    mask);                                                        \
	}

#define READER(name, word, type, READ)         \
	static inline type read_##name(word x) \
	{                                      \
		return READ;                   \
	}

#define INT_FNS(name, word, type, READ) \
	READER(name, word, type, READ) RELATIONS(CMP, name, word, type, READ)
#define FLOAT_FNS(name, word, type, READ) \
	READER(name, word, type, READ)    \
	RELATIONS(CMP, name, word, type, READ) UNORDERED(CMP, name, word, type, READ)

ROWS_INT(INT_FNS)
ROWS_FLOAT(FLOAT_FNS)

enum cmp_row {
#define ROW(name, word, type, READ) ROW_##name,
	ROWS_INT(ROW) ROWS_FLOAT(ROW)
#undef ROW
		CMP_ROWS
};

static const struct cmp_entry {
	cmp_fn *cmp;
	exec_fn *setp;
} table[CMP_ROWS][CVT_CMPS] = {
#define ENTRY(rel, expr, name, ...) [CMP_##rel] = {cmp_##name##_##rel, setp_##name##_##rel},
#define INT_ROW(name, ...) [ROW_##name] = {RELATIONS(ENTRY, name)},
#define FLOAT_ROW(name, ...) [ROW_##name] = {RELATIONS(ENTRY, name) UNORDERED(ENTRY, name)},
	ROWS_INT(INT_ROW) ROWS_FLOAT(FLOAT_ROW)};

static const struct cmp_entry *
find_entry(enum ptx_type t, enum cvt_cmp cmp, bool ftz)
{
	static const uint8_t row[PTX_TYPES] = {
		[TY_B16] = ROW_u32, [TY_B32] = ROW_u32,	  [TY_B64] = ROW_u64,
		[TY_U16] = ROW_u32, [TY_U32] = ROW_u32,	  [TY_U64] = ROW_u64,
		[TY_S16] = ROW_s16, [TY_S32] = ROW_s32,	  [TY_S64] = ROW_s64,
		[TY_F16] = ROW_f16, [TY_F16X2] = ROW_f16, [TY_BF16] = ROW_bf16,
		[TY_F32] = ROW_f32, [TY_F64] = ROW_f64,	  [TY_BF16X2] = ROW_bf16,
	};
	uint32_t r = row[t];

	if (ftz && r == ROW_f32)
		r = ROW_f32_ftz;
	if (ftz && r == ROW_f16)
		r = ROW_f16_ftz;
	return &table[r][cmp];
}

exec_fn *
cvt_setp_fn(enum ptx_type t, enum cvt_cmp cmp, bool ftz)
{
	return t == TY_F16X2 || t == TY_BF16X2 ? cvt_setp : find_entry(t, cmp, ftz)->setp;
}

/* ---- the general forms ---- */

static uint32_t
combine_with_pred(const struct prog_inst *in, const struct warp *w, uint32_t bits)
{
	uint32_t c;

	if (in->sub2 == BOOL_none)
		return bits;
	c = vec_pred(w, in->src[2]) ^ (in->sub2 & CVT_NOT_C ? UINT32_MAX : 0);
	switch (in->sub2 & ~CVT_NOT_C) {
	case BOOL_and:
		return bits & c;
	case BOOL_or:
		return bits | c;
	default:
		return bits ^ c;
	}
}

/* Compares; for f16x2 it returns the comparison of the lower halves and stores that of the upper
 * ones in *hi. */
static uint32_t
compare_lanes(const struct prog_inst *in, const struct warp *w, enum ptx_type t, uint32_t *hi)
{
	cmp_fn *cmp = find_entry(t, (enum cvt_cmp)in->sub, in->flags & PF_FTZ)->cmp;
	const void *a = vec(w, in->src[0]), *b = vec(w, in->src[1]);

	if (t == TY_F16X2 || t == TY_BF16X2) {
		uint32_t ah[WARP_SIZE], bh[WARP_SIZE];

		for (uint32_t l = 0; l < WARP_SIZE; l++) {
			ah[l] = vec32(w, in->src[0])[l] >> 16;
			bh[l] = vec32(w, in->src[1])[l] >> 16;
		}
		*hi = cmp(ah, bh);
	}
	return cmp(a, b);
}

/* In p|q, q is the opposite comparison, or for f16x2 that of the upper halves; both are combined
 * with c. */
int
cvt_setp(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	bool x2 = in->type == TY_F16X2 || in->type == TY_BF16X2;
	uint32_t hi = 0, lo = compare_lanes(in, w, (enum ptx_type)in->type, &hi);
	uint32_t p = combine_with_pred(in, w, lo), q = combine_with_pred(in, w, x2 ? hi : ~lo);

	alu_put_pred(w, in->dst[0], p, mask);
	return in->n_dst > 1 ? alu_put_pred(w, in->dst[1], q, mask) : EXEC_NEXT;
}

int
cvt_set(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	enum ptx_type t = (enum ptx_type)in->type2;
	bool x2 = t == TY_F16X2 || t == TY_BF16X2;
	uint32_t hi = 0, lo = combine_with_pred(in, w, compare_lanes(in, w, t, &hi)), r[WARP_SIZE];
	uint32_t truth = (uint32_t)in->imm;

	if (x2) {
		hi = combine_with_pred(in, w, hi);
		ALU_LOOP(l)
		{
			r[l] = (lo & alu_lane_bit[l] ? truth & 0xffff : 0) |
			       (hi & alu_lane_bit[l] ? truth & 0xffff0000 : 0);
		}
	} else {
		ALU_LOOP(l)
		{
			r[l] = lo & alu_lane_bit[l] ? truth : 0;
		}
	}
	return alu_put_32(w, in->dst[0], r, mask);
}
