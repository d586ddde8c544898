/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cvt_f8.c - cvt to and from pairs of 8-bit floats, compared with a search for the nearest of all
 * numbers of a format, the even one in a tie.
 */
#include <math.h>

#include "tests/record/ptx/inst_rig.h"

static uint64_t
rnd64(void)
{
	static uint64_t seed = 88172645463325252u;

	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static const struct format {
	const char *name;
	int man, bias;
	unsigned largest, nan;
} formats[] = {{"e4m3x2", 3, 7, 0x7e, 0x7f}, {"e5m2x2", 2, 15, 0x7b, 0x7f}};

/* Returns the value of the code without its sign. */
static double
value(const struct format *f, unsigned x)
{
	unsigned e = x >> f->man, m = x & ((1u << f->man) - 1);

	return e ? ldexp((1 << f->man) + (int)m, (int)e - f->bias - f->man)
		 : ldexp((int)m, 1 - f->bias - f->man);
}

static unsigned
nearest(const struct format *f, uint32_t bits, bool relu)
{
	unsigned best = 0;
	float v;
	double x;

	memcpy(&v, &bits, 4);
	if (isnan(v))
		return f->nan;
	if (relu && v <= 0)
		return 0;
	x = fabs((double)v);
	for (unsigned i = 1; i <= f->largest; i++) {
		double was = fabs(value(f, best) - x), is = fabs(value(f, i) - x);

		if (is < was || (is == was && !(i & 1)))
			best = i;
	}
	if (x > value(f, f->largest))
		best = f->largest;
	return best | (bits >> 31 ? 0x80 : 0);
}

static uint32_t
some_float(const struct format *f, unsigned k)
{
	float v = (float)value(f, (unsigned)rnd64() % f->largest);
	uint32_t u;

	if (k % 4 == 0) /* half-way to the next one */
		v += (float)(ldexp(1, ilogb(v == 0 ? 1 : v) - f->man - 1));
	memcpy(&u, &v, 4);
	u ^= (uint32_t)(rnd64() & 1) << 31;
	if (k % 8 == 1)
		u += (uint32_t)(rnd64() % 5) - 2;
	if (k % 8 == 3)
		u = (uint32_t)rnd64();
	return k == 5 ? 0x7f800000u : k == 6 ? 0x7fc00000u : k == 7 ? 0xff800000u : u;
}

static void
test_from(const struct format *f, bool relu)
{
	char inst[120];
	uint64_t a[32], b[32];
	uint32_t bad = 0;
	struct rig r;

	snprintf(inst, sizeof(inst), "cvt.rn.satfinite%s.%s.f32 %%h0, %%r1, %%r2;",
		 relu ? ".relu" : "", f->name);
	if (!rig_open(&r, inst)) {
		ok(false, "%s %s", inst, r.e.msg);
		return;
	}
	for (unsigned round = 0; round < 400; round++) {
		for (unsigned l = 0; l < 32; l++) {
			a[l] = some_float(f, round * 32 + l);
			b[l] = some_float(f, round + l);
		}
		rig_set(&r, 1, a);
		rig_set(&r, 2, b);
		rig_run(&r, ~0u);
		for (unsigned l = 0; l < 32; l++)
			bad += rig_get(&r, 'h', 0, l) != (nearest(f, (uint32_t)a[l], relu) << 8 |
							  nearest(f, (uint32_t)b[l], relu));
	}
	is_u64(bad, 0, "%s", inst);
	rig_close(&r);
}

/* Converts all pairs of a code and its neighbour to f16x2 and back. */
static void
test_to(const struct format *f)
{
	char inst[120];
	uint64_t a[32];
	uint32_t bad = 0;
	struct rig r, back;

	snprintf(inst, sizeof(inst), "cvt.rn.f16x2.%s %%r0, %%h1;", f->name);
	if (!rig_open(&r, inst)) {
		ok(false, "%s %s", inst, r.e.msg);
		return;
	}
	snprintf(inst, sizeof(inst), "cvt.rn.satfinite.%s.f16x2 %%h0, %%r1;", f->name);
	if (!rig_open(&back, inst)) {
		ok(false, "%s %s", inst, back.e.msg);
		rig_close(&r);
		return;
	}
	for (unsigned first = 0; first < 256; first += 32) {
		for (unsigned l = 0; l < 32; l++)
			a[l] = (first + l) << 8 | ((first + l + 1) & 0xff);
		rig_set(&r, 1, a);
		rig_run(&r, ~0u);
		for (unsigned l = 0; l < 32; l++) {
			uint64_t two = rig_get(&r, 'r', 0, l);

			for (unsigned k = 0; k < 2; k++) {
				unsigned h = two >> 16 * k & 0xffff, x = a[l] >> 8 * k & 0xff;
				int e = (int)(h >> 10 & 31), m = (int)(h & 1023);
				double v = e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);

				if ((x & 0x7f) > f->largest)
					bad += e != 31 || (f->man == 3 || (x & 3)) != (m != 0);
				else
					bad += v != value(f, x & 0x7f) || h >> 15 != x >> 7;
			}
			a[l] = two;
		}
		rig_set(&back, 1, a);
		rig_run(&back, ~0u);
		for (unsigned l = 0; l < 32; l++) {
			unsigned x = (first + l) & 0xff;

			if ((x & 0x7f) <= f->largest)
				bad += rig_get(&back, 'h', 0, l) >> 8 != x;
		}
	}
	is_u64(bad, 0, "%s to f16x2 and back", f->name);
	rig_close(&r);
	rig_close(&back);
}

int
main(void)
{
	struct rig r;

	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		test_from(&formats[i], false);
		test_from(&formats[i], true);
		test_to(&formats[i]);
	}
	ok(!rig_open(&r, "cvt.rn.e4m3x2.f32 %h0, %r1, %r2;") &&
		   strstr(r.e.msg, "expected .rn.satfinite"),
	   "without .satfinite: %s", r.e.msg);
	return done();
}
