/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alu.h - shared by the arithmetic instructions. An instruction is a loop over the 32 lanes: it
 * writes the register directly if all lanes are active, otherwise a temporary vector that is then
 * stored under the mask.
 *
 * FN rows (alu_int.def, alu_bit.def) define such a loop by the expression of one lane, in which a,
 * b, c, d are the sources and in is the instruction: FN2(add_32, 32, 32, 32, a + b) is the function
 * alu_add_32 with a 32-bit result of two 32-bit sources. 16-bit values are zero-extended in 32-bit
 * lanes: S16() reads one as signed, and results are truncated to 16 bits.
 */
#ifndef PTX_ALU_H
#define PTX_ALU_H

#include "record/ptx/alu/half.h"
#include "record/ptx/decode/prog.h"
#include <string.h>

/* The NaN of 0 / 0, on this processor and on NVIDIA's. */
#define F64_NAN 0xfff8000000000000ull

#define ALU_ARGS const struct prog_inst *in, struct warp *w, uint32_t mask

/* One body is compiled twice where that makes it faster: alu_NAME for every processor,
 * alu_wide_NAME for those with vectors of 256 bits (alu_is_wide). Both compute the same bits. */
#ifdef __x86_64__
#define ALU_WIDE __attribute__((target("avx2,fma")))
#define ALU_FN(name)                                 \
	static inline int alu_body_##name(ALU_ARGS); \
	int alu_##name(ALU_ARGS)                     \
	{                                            \
		return alu_body_##name(in, w, mask); \
	}                                            \
	ALU_WIDE int alu_wide_##name(ALU_ARGS)       \
	{                                            \
		return alu_body_##name(in, w, mask); \
	}                                            \
	static inline __attribute__((always_inline)) int alu_body_##name(ALU_ARGS)
#else
#define ALU_WIDE
#define ALU_FN(name) int alu_##name(ALU_ARGS)
#endif

bool alu_is_wide(void);

#define ALU_LOOP(l) for (unsigned l = 0; l < WARP_SIZE; l++)

extern const uint32_t alu_lane_bit[WARP_SIZE]; /* 1 << lane: shifts by lane do not vectorize */

static inline int
alu_put_32(const struct warp *w, struct opnd o, const uint32_t *r, uint32_t mask)
{
	uint32_t *d = vec(w, o);

	if (unlikely(o.bytes == OPND_NONE))
		return EXEC_NEXT;
	if (likely(mask == ~0u)) {
		memcpy(d, r, sizeof(*d) * WARP_SIZE);
		return EXEC_NEXT;
	}
	ALU_LOOP(l)
	{
		uint32_t on = 0u - ((mask & alu_lane_bit[l]) != 0);

		d[l] = (r[l] & on) | (d[l] & ~on);
	}
	return EXEC_NEXT;
}

static inline int
alu_put_64(const struct warp *w, struct opnd o, const uint64_t *r, uint32_t mask)
{
	uint64_t *d = vec(w, o);

	if (unlikely(o.bytes == OPND_NONE))
		return EXEC_NEXT;
	if (likely(mask == ~0u)) {
		memcpy(d, r, sizeof(*d) * WARP_SIZE);
		return EXEC_NEXT;
	}
	ALU_LOOP(l)
	{
		uint64_t on = 0u - (uint64_t)((mask & alu_lane_bit[l]) != 0);

		d[l] = (r[l] & on) | (d[l] & ~on);
	}
	return EXEC_NEXT;
}

/* The results of a loop go into the register itself if all lanes are written, else into r, from
 * which alu_put copies the active ones. ALU_APART precedes such a loop: the destination either is
 * the same register as a source, lane for lane, or does not overlap it. */
#if defined(__GNUC__) && !defined(__clang__)
#define ALU_APART _Pragma("GCC ivdep")
#else
#define ALU_APART
#endif

#define ALU_TO_FNS(bits)                                                                     \
	static inline uint##bits##_t *alu_to_##bits(const struct warp *w, struct opnd o,     \
						    uint##bits##_t *r, uint32_t mask)        \
	{                                                                                    \
		return likely(mask == ~0u && o.bytes != OPND_NONE) ? vec(w, o) : r;          \
	}                                                                                    \
	static inline int alu_done_##bits(const struct warp *w, struct opnd o,               \
					  const uint##bits##_t *to, const uint##bits##_t *r, \
					  uint32_t mask)                                     \
	{                                                                                    \
		return likely(to != r) ? EXEC_NEXT : alu_put_##bits(w, o, r, mask);          \
	}
ALU_TO_FNS(32)
ALU_TO_FNS(64)

static inline int
alu_put_pred(const struct warp *w, struct opnd o, uint32_t bits, uint32_t mask)
{
	if (o.bytes != OPND_NONE)
		vec_set_pred(w, o, bits, mask);
	return EXEC_NEXT;
}

/* Collects a bit per lane from 32 values that are 0 or not. */
static inline uint32_t
alu_bits(const uint32_t *r)
{
	uint32_t bits = 0;

	ALU_LOOP(l)
	{
		bits |= r[l] ? alu_lane_bit[l] : 0;
	}
	return bits;
}

#define ALU_SRC(type, name, k) const type *name = vec(w, in->src[k])

/* ---- the rows ---- */

#define ALU_T(bits) uint##bits##_t

#define ALU_FN1(name, td, ta, expr)                                                \
	ALU_FN(name)                                                               \
	{                                                                          \
		ALU_SRC(ALU_T(ta), pa, 0);                                         \
		ALU_T(td) r[WARP_SIZE], *to = alu_to_##td(w, in->dst[0], r, mask); \
		ALU_APART                                                          \
		ALU_LOOP(l)                                                        \
		{                                                                  \
			const ALU_T(ta) a = pa[l];                                 \
			to[l] = (ALU_T(td))(expr);                                 \
		}                                                                  \
		return alu_done_##td(w, in->dst[0], to, r, mask);                  \
	}

#define ALU_FN2(name, td, ta, tb, expr)                                            \
	ALU_FN(name)                                                               \
	{                                                                          \
		ALU_SRC(ALU_T(ta), pa, 0);                                         \
		ALU_SRC(ALU_T(tb), pb, 1);                                         \
		ALU_T(td) r[WARP_SIZE], *to = alu_to_##td(w, in->dst[0], r, mask); \
		ALU_APART                                                          \
		ALU_LOOP(l)                                                        \
		{                                                                  \
			const ALU_T(ta) a = pa[l];                                 \
			const ALU_T(tb) b = pb[l];                                 \
			to[l] = (ALU_T(td))(expr);                                 \
		}                                                                  \
		return alu_done_##td(w, in->dst[0], to, r, mask);                  \
	}

#define ALU_FN3(name, td, ta, tb, tc, expr)                                        \
	ALU_FN(name)                                                               \
	{                                                                          \
		ALU_SRC(ALU_T(ta), pa, 0);                                         \
		ALU_SRC(ALU_T(tb), pb, 1);                                         \
		ALU_SRC(ALU_T(tc), pc, 2);                                         \
		ALU_T(td) r[WARP_SIZE], *to = alu_to_##td(w, in->dst[0], r, mask); \
		ALU_APART                                                          \
		ALU_LOOP(l)                                                        \
		{                                                                  \
			const ALU_T(ta) a = pa[l];                                 \
			const ALU_T(tb) b = pb[l];                                 \
			const ALU_T(tc) c = pc[l];                                 \
			to[l] = (ALU_T(td))(expr);                                 \
		}                                                                  \
		return alu_done_##td(w, in->dst[0], to, r, mask);                  \
	}

#define FN1(name, td, ta, expr) exec_fn alu_##name, alu_wide_##name;
#define FN2(name, td, ta, tb, expr) exec_fn alu_##name, alu_wide_##name;
#define FN3(name, td, ta, tb, tc, expr) exec_fn alu_##name, alu_wide_##name;
#define FN(name) exec_fn alu_##name, alu_wide_##name;
#include "record/ptx/alu/alu_bit.def"
#include "record/ptx/alu/alu_float.def"
#include "record/ptx/alu/alu_int.def"
#undef FN1
#undef FN2
#undef FN3
#undef FN

/* prog_inst.sub of testp. */
enum { TESTP_FINITE, TESTP_INFINITE, TESTP_NUMBER, TESTP_NAN, TESTP_NORMAL, TESTP_SUBNORMAL };

/* Additional fields of a video instruction, stored in prog_inst.imm. A selector is 0 for the whole
 * word, then b0 b1 b2 b3 h0 h1. */
struct alu_video {
	uint8_t a_sel, b_sel, d_sel; /* d_sel: merge into c */
	uint8_t second;		     /* W_add, W_min, W_max with c; W_NONE */
	uint8_t mode;		     /* W_eq ..; W_clamp, W_wrap; of vmad: bits shifted out */
	uint8_t negate;		     /* vmad: 1 the product, 2 c, 4: plus one (.po) */
	bool d_signed;
	uint8_t pad;
};

/* ---- float helpers ---- */

/* Computes a * b + c with one rounding and without the processor's instruction; vectorizes. */
float alu_soft_fmaf(float a, float b, float c);

static inline uint32_t
f32_flush(uint32_t x) /* .ftz: a subnormal becomes a zero of its sign */
{
	return x & 0x7f800000u ? x : x & 0x80000000u;
}

static inline uint32_t
f32_canon(uint32_t x) /* every NaN is the canonical one */
{
	return (int32_t)(x & 0x7fffffffu) > 0x7f800000 ? F32_NAN : x;
}

static inline uint64_t
f64_canon(uint64_t x)
{
	return (x & ~(1ull << 63)) > 0x7ff0000000000000ull ? F64_NAN : x;
}

/* Applies .sat and .ftz to a result. */
static inline uint32_t
f32_finish(float r, bool ftz, bool sat)
{
	uint32_t x;

	if (sat) {
		r = r > 0.0f ? r : 0.0f; /* a NaN too */
		r = r < 1.0f ? r : 1.0f;
	}
	x = f32_canon(f32_bits(r));
	return ftz ? f32_flush(x) : x;
}

static inline float
f32_read(uint32_t x, bool ftz)
{
	return bits_f32(ftz ? f32_flush(x) : x);
}

#endif
