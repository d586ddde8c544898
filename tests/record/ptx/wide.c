/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wide.c - every row of inst.def in four ways: the function for any processor and the one for
 * vectors of 256 bits, with all lanes active and with some inactive. Active lanes get the same bits
 * in all of them; inactive lanes keep theirs.
 */
#include "record/ptx/alu/alu.h"
#include "tests/tap.h"

#include <stdlib.h>

#ifdef __x86_64__
#define WIDE(fn) alu_wide_##fn
#else
#define WIDE(fn) alu_##fn
#endif

static const struct {
	const char *name;
	exec_fn *fn, *wide;
	uint32_t types;
	uint16_t op;
	uint8_t sub;
	const char *operands, *options;
} rows[] = {
#define ALU(op, word1, word2, types, fn, operands, options, sub) \
	{#op " " #fn, alu_##fn, WIDE(fn), types, PTX_##op, sub, operands, options},
#include "record/ptx/inst/inst.def"
};

enum { SLOTS = 8, SLOT = 8 * WARP_SIZE, DST = 0, DST2 = 1, SRC = 2 };

static uint32_t
random_word(void)
{
	static uint64_t s = 0x9e3779b97f4a7c15ull;

	s = s * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(s >> 32);
}

/* Random bits, numbers of moderate size as f32 and f64, and the ends of the ranges; only 16 bits if
 * a value has no more. */
static void
fill(uint8_t *frame, uint32_t bits)
{
	static const uint32_t ends[] = {0,	     1,		  0x80000000u, 0x7fffffffu, ~0u,
					0x7f800000u, 0xff800000u, 0x00800000u, 0x3ff00000u};
	uint32_t kind = random_word() % 4;

	for (uint32_t i = 0; i < SLOTS * SLOT / 4; i++) {
		uint32_t x = random_word();

		if (kind == 1)
			x = 0x3f000000u + x % 0x02000000u;
		else if (kind == 2)
			x = (i & 1 ? 0x3f000000u : 0) + x % 0x02000000u;
		if (x % 16 == 3)
			x = ends[random_word() % ARRAY_LEN(ends)];
		x &= bits;
		memcpy(frame + 4 * i, &x, 4);
	}
}

struct result {
	_Alignas(64) uint8_t frame[SLOTS * SLOT];
	uint32_t carry;
};

static void
run(exec_fn *fn, const struct prog_inst *in, const struct result *before, uint32_t mask,
    struct result *r)
{
	struct warp w = {.carry = before->carry};

	*r = *before;
	w.base[BASE_FRAME] = r->frame;
	fn(in, &w, mask);
	r->carry = w.carry;
}

/* Whether lanes of mask are as in all, and the others as before. */
static bool
blended(const struct prog_inst *in, const struct result *before, const struct result *all,
	const struct result *some, uint32_t mask)
{
	struct result want = *before;

	for (uint32_t k = 0; k < in->n_dst; k++) {
		struct opnd o = in->dst[k];

		for (uint32_t l = 0; l < WARP_SIZE; l++)
			if (o.bytes && mask >> l & 1)
				memcpy(want.frame + o.off + l * o.bytes,
				       all->frame + o.off + l * o.bytes, o.bytes);
		if (!o.bytes) {
			uint32_t *to = (uint32_t *)(void *)(want.frame + o.off), now;

			memcpy(&now, all->frame + o.off, 4);
			*to = (*to & ~mask) | (now & mask);
		}
	}
	want.carry = (before->carry & ~mask) | (all->carry & mask);
	return memcmp(want.frame, some->frame, sizeof(want.frame)) == 0 &&
	       want.carry == some->carry;
}

static uint8_t
bytes_of(char letter, enum ptx_type t)
{
	uint32_t n = ptx_type_bytes(t);

	if (letter == 'p' || (letter == 't' && t == TY_PRED))
		return 0;
	if (letter == 'u')
		return 4;
	return n * (letter == 'w' ? 2 : 1) > 4 ? 8 : 4;
}

static struct prog_inst
instruction(size_t i)
{
	static const uint16_t flags[] = {0,	      PF_FTZ,
					 PF_SAT,      PF_FTZ | PF_SAT,
					 PF_NAN,      PF_XORSIGN,
					 PF_CC_OUT,   PF_CC_OUT | PF_CC_IN,
					 PF_SHIFTAMT, PF_HI | PF_CC_OUT};
	struct prog_inst in = {.op = rows[i].op,
			       .sub = rows[i].sub,
			       .flags = flags[random_word() % ARRAY_LEN(flags)],
			       .type = (uint8_t)__builtin_ctz(rows[i].types),
			       .imm = random_word() & 0xff,
			       .n_dst = 1};
	const char *o = rows[i].operands;
	enum ptx_type t = (enum ptx_type)in.type;

	if (strpbrk(rows[i].options, "Rr"))
		in.rnd = (uint8_t)(RND_RN + random_word() % 4);
	in.dst[0] = (struct opnd){.off = DST * SLOT, .bytes = bytes_of(*o == 'P' ? 't' : *o, t)};
	if (*o == 'P') {
		in.n_dst = 2;
		in.dst[1] = (struct opnd){.off = DST2 * SLOT};
		in.dst[0] = (struct opnd){.off = DST * SLOT, .bytes = 4};
	}
	for (o++; *o; o++)
		if (*o != 'k') {
			in.src[in.n_src] = (struct opnd){.off = (SRC + in.n_src) * SLOT,
							 .bytes = bytes_of(*o, t)};
			in.n_src++;
		}
	return in;
}

int
main(void)
{
	static struct result before, plain, wide, some, some_wide;
	size_t bad = 0;

	if (tap_skip(alu_is_wide() ? NULL : "this processor has no vectors of 256 bits"))
		return done();
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		bool good = true;

		for (int n = 0; n < 200 && good; n++) {
			struct prog_inst in = instruction(i);
			uint32_t mask = random_word() | 1u << n % 32;

			fill(before.frame,
			     ptx_type_bytes((enum ptx_type)in.type) == 2 ? 0xffff : ~0u);
			before.carry = random_word();
			run(rows[i].fn, &in, &before, ~0u, &plain);
			run(rows[i].wide, &in, &before, ~0u, &wide);
			run(rows[i].fn, &in, &before, mask, &some);
			run(rows[i].wide, &in, &before, mask, &some_wide);
			good = memcmp(plain.frame, wide.frame, sizeof(plain.frame)) == 0 &&
			       plain.carry == wide.carry &&
			       blended(&in, &before, &plain, &some, mask) &&
			       blended(&in, &before, &plain, &some_wide, mask);
			if (!good)
				diag("%s, flags %x, rounding %u", rows[i].name, in.flags, in.rnd);
		}
		bad += !good;
	}
	is_u64(bad, 0, "rows of inst.def that differ");
	return done();
}
