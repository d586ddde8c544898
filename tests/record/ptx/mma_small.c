/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mma_small.c - products of matrices with elements of 8-bit floats, 4 bits and 1 bit, and of
 * quarters of a warp, on random registers, compared with sums computed here element by element from
 * the lanes' places in the tables of the PTX manual. The elements are such that every sum is exact.
 */
#include "rig.h"

#include <math.h>

enum kind { E4M3, E5M2, S4, U4, XOR, AND, HALVES };

static const struct {
	const char *name, *how;
	uint32_t bits;
} kinds[] = {
	[E4M3] = {"e4m3", "", 8},   [E5M2] = {"e5m2", "", 8},	    [S4] = {"s4", "", 4},
	[U4] = {"u4", "", 4},	    [XOR] = {"b1", ".xor.popc", 1}, [AND] = {"b1", ".and.popc", 1},
	[HALVES] = {"f16", "", 16},
};

struct shape {
	enum kind a, b;
	uint32_t m, k;
	const char *d;
	bool a_col, b_col; /* of quarters */
};

/* Each lane has A at word 0, B at 4, C at 8 and D at 16. */
static uint32_t in[32][32];

static uint32_t
next_random(void)
{
	static uint64_t x = 0x9e3779b97f4a7c15ull;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return (uint32_t)(x >> 20);
}

static double
f16_value(uint32_t h)
{
	int e = (int)(h >> 10 & 31), m = (int)(h & 1023);
	double v = e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);

	return h >> 15 ? -v : v;
}

static double
value(enum kind k, uint32_t x)
{
	int e;
	double v;

	switch (k) {
	case E4M3:
		e = (int)(x >> 3 & 15);
		v = e ? ldexp(8 + (int)(x & 7), e - 10) : ldexp((int)(x & 7), -9);
		return x >> 7 ? -v : v;
	case E5M2:
		e = (int)(x >> 2 & 31);
		v = e ? ldexp(4 + (int)(x & 3), e - 17) : ldexp((int)(x & 3), -16);
		return x >> 7 ? -v : v;
	case S4:
		return x & 8 ? (int)x - 16 : (int)x;
	case HALVES:
		return f16_value(x);
	default:
		return x;
	}
}

/* Returns element i of the registers of lane l that begin at `word`. */
static double
element(enum kind k, uint32_t l, uint32_t word, uint32_t i)
{
	uint32_t bits = kinds[k].bits, per = 32 / bits;

	return value(k, in[l][word + i / per] >> i % per * bits & ((1u << bits) - 1));
}

/* Returns A[row][col] or B[row][col] of the product of lane l, by searching for the lane that holds
 * it. */
static double
at(const struct shape *s, bool is_b, uint32_t of, uint32_t row, uint32_t col)
{
	enum kind k = is_b ? s->b : s->a;
	uint32_t per = 32 / kinds[k].bits, n = is_b ? s->k * 8 / 32 : s->m * s->k / 32, r, c;

	for (uint32_t l = 0; l < 32; l++) {
		uint32_t g = l >> 2, t = l & 3;

		if (s->a == HALVES && l / 4 % 4 != of / 4 % 4)
			continue;
		for (uint32_t i = 0; i < (s->a == HALVES ? 4 : n); i++) {
			if (s->a == HALVES && !is_b) {
				r = s->a_col ? i + (l < 16 ? 0 : 4) : t + (l < 16 ? 0 : 4);
				c = s->a_col ? t : i;
			} else if (s->a == HALVES) {
				r = s->b_col ? i : t;
				c = s->b_col ? t + (l < 16 ? 0 : 4) : i + (l < 16 ? 0 : 4);
			} else if (is_b) {
				r = t * per + i % per + (i >= per ? 4 * per : 0);
				c = g;
			} else {
				r = s->m == 8 || i % (2 * per) < per ? g : g + 8;
				c = t * per + i % per;
				c += i >= (s->m == 8 ? per : 2 * per) ? 4 * per : 0;
			}
			if (r == row && c == col)
				return element(k, l, is_b ? 4 : 0, i);
		}
	}
	return NAN;
}

/* Row and column of element i of D of lane l. */
static void
place_d(const struct shape *s, uint32_t l, uint32_t i, uint32_t *row, uint32_t *col)
{
	bool f32 = !strcmp(s->d, "f32");

	if (s->a == HALVES) {
		*row = f32 ? (l & 1) + (i & 2) : l % 4;
		*row += l < 16 ? 0 : 4;
		*col = f32 ? (i & 4) + (l & 2) + (i & 1) : i;
		return;
	}
	*row = (l >> 2) + (i >= 2 ? 8 : 0);
	*col = l % 4 * 2 + (i & 1);
}

static uint32_t
f32_of(double v)
{
	float f = (float)v;
	uint32_t u;

	memcpy(&u, &f, 4);
	return u;
}

/* Whether D of lane l, element i, is right: the bits of an f32 or s32, or the value of an f16. */
static bool
right(const struct shape *s, uint32_t l, uint32_t i, const uint32_t *d)
{
	bool half = !strcmp(s->d, "f16"), f32 = !strcmp(s->d, "f32");
	uint32_t row, col, c = in[l][8 + (half ? i / 2 : i)], got = d[half ? i / 2 : i];
	double sum;

	place_d(s, l, i, &row, &col);
	c = half ? c >> i % 2 * 16 & 0xffff : c;
	got = half ? got >> i % 2 * 16 & 0xffff : got;
	if (f32) {
		float f;

		memcpy(&f, &c, 4);
		sum = (double)f;
	} else {
		sum = half ? f16_value(c) : (double)(int32_t)c;
	}
	for (uint32_t k = 0; k < s->k; k++) {
		double a = at(s, false, l, row, k), b = at(s, true, l, k, col);

		sum += s->a == XOR ? (a != b) : a * b;
	}
	if (half)
		return fabs(f16_value(got) - sum) <= fabs(sum) / 2048 + 0x1p-25;
	return got == (f32 ? f32_of(sum) : (uint32_t)(int32_t)sum);
}

static void
fill(const struct shape *s)
{
	/* e5m2 without large exponents; f16 from 1/64 to 2 */
	uint32_t keep = s->a == E5M2 ? 0xbfbfbfbfu : UINT32_MAX;

	for (uint32_t l = 0; l < 32; l++)
		for (uint32_t i = 0; i < 32; i++) {
			int32_t c = (int32_t)(next_random() % 200) - 100;

			in[l][i] = next_random() & keep;
			if (s->a == E4M3)
				in[l][i] &= 0xf7f7f7f7u; /* no NaN */
			if (s->a == HALVES)
				in[l][i] = (in[l][i] & 0x87008700u) | 0x28002800u;
			if (i < 8)
				continue;
			in[l][i] = !strcmp(s->d, "f32") ? f32_of(c) : (uint32_t)c;
			if (!strcmp(s->d, "f16"))
				in[l][i] = 0x3c004000u;
		}
}

static int
put_list(char *to, size_t size, char name, uint32_t n, const char *end)
{
	int used = snprintf(to, size, "{");

	for (uint32_t i = 0; i < n; i++)
		used += snprintf(to + used, size - (size_t)used, "%s%%%c%u", i ? "," : "", name, i);
	return used + snprintf(to + used, size - (size_t)used, "}%s", end);
}

static void
test(struct rig *r, const struct shape *s)
{
	static char text[8192];
	struct ptx_launch l = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
	uint32_t wide = s->a == HALVES ? 4 : 1; /* products of a warp */
	uint32_t na = s->m * s->k * wide * kinds[s->a].bits / 1024;
	uint32_t nb = 8 * s->k * wide * kinds[s->b].bits / 1024;
	uint32_t nd = s->m * 8 * wide / 32, regs = !strcmp(s->d, "f16") ? nd / 2 : nd, bad = 0;
	char name[100];
	size_t n = 0;

	snprintf(name, sizeof(name), "mma.m%un8k%u.%s.%s.%s.%s%s%s", s->m, s->k,
		 s->a_col ? "col" : "row", s->b_col || s->a != HALVES ? "col" : "row", s->d,
		 kinds[s->a].name, kinds[s->b].name, kinds[s->a].how);
	n += (size_t)snprintf(
		text, sizeof(text), "%s",
		HEAD ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %t<4>; .reg .b64 %rd<4>;\n"
		     ".reg .b32 %a<9>; .reg .b32 %b<9>; .reg .b32 %c<9>; .reg .b32 %d<9>;\n"
		     "ld.param.u64 %rd1, [out]; mov.u32 %t1, %tid.x; mad.wide.u32 %rd2, %t1, 128, "
		     "%rd1;\n");
	for (uint32_t i = 0; i < 16; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n,
				      "ld.global.b32 %%%c%u, [%%rd2+%u];\n", "abcc"[i / 4],
				      i < 8 ? i % 4 : i - 8, i * 4);
	n += (size_t)snprintf(text + n, sizeof(text) - n,
			      "mma.sync.aligned.m%un8k%u.%s.%s.%s.%s.%s.%s%s ", s->m, s->k,
			      s->a_col ? "col" : "row", s->b_col || s->a != HALVES ? "col" : "row",
			      s->d, kinds[s->a].name, kinds[s->b].name, s->d, kinds[s->a].how);
	n += (size_t)put_list(text + n, sizeof(text) - n, 'd', regs, ", ");
	n += (size_t)put_list(text + n, sizeof(text) - n, 'a', na, ", ");
	n += (size_t)put_list(text + n, sizeof(text) - n, 'b', nb, ", ");
	n += (size_t)put_list(text + n, sizeof(text) - n, 'c', regs, ";\n");
	for (uint32_t i = 0; i < regs; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n,
				      "st.global.b32 [%%rd2+%u], %%d%u;\n", 64 + i * 4, i);
	snprintf(text + n, sizeof(text) - n, "ret;\n}\n");
	fill(s);
	if (rig_load(r, text, &l)) {
		ok(false, "%s: %s", name, r->e.msg);
		return;
	}
	memcpy((void *)(uintptr_t)r->v, in, sizeof(in));
	if (ptx_run(r->d, &l, &r->n, &r->e)) {
		ok(false, "%s: %s", name, r->e.msg);
		return;
	}
	for (uint32_t lane = 0; lane < 32; lane++)
		for (uint32_t i = 0; i < nd; i++)
			bad += !right(s, lane, i, r->v + lane * 32 + 16);
	is_u64(bad, 0, "%s", name);
}

int
main(void)
{
	static const struct shape all[] = {
		{E4M3, E4M3, 16, 32, "f32", false, true},
		{E4M3, E4M3, 16, 16, "f32", false, true},
		{E5M2, E5M2, 16, 32, "f32", false, true},
		{S4, S4, 8, 32, "s32", false, true},
		{S4, U4, 16, 32, "s32", false, true},
		{U4, S4, 16, 64, "s32", false, true},
		{U4, U4, 16, 64, "s32", false, true},
		{XOR, XOR, 8, 128, "s32", false, true},
		{AND, AND, 16, 128, "s32", false, true},
		{XOR, XOR, 16, 256, "s32", false, true},
		{AND, AND, 16, 256, "s32", false, true},
		{HALVES, HALVES, 8, 4, "f32", false, true},
		{HALVES, HALVES, 8, 4, "f32", true, false},
		{HALVES, HALVES, 8, 4, "f32", false, false},
		{HALVES, HALVES, 8, 4, "f32", true, true},
		{HALVES, HALVES, 8, 4, "f16", false, true},
		{HALVES, HALVES, 8, 4, "f16", true, false},
	};
	struct rig r = {.d = NULL};

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		test(&r, &all[i]);
	rig_end(&r);
	return done();
}
