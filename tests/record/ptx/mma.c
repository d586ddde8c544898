/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mma.c - matrices: mma.sync compared with a product of random matrices that are distributed over
 * the lanes by the PTX manual's tables, written out here one by one; wmma, loaded from memory,
 * multiplied and stored; ldmatrix, stmatrix, movmatrix. The elements are small integers, so that
 * every order of summing gives the same result.
 */
#include "rig.h"

static uint64_t seed = 88172645463325252ull;

static int32_t
next_random(int32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (int32_t)(seed >> 16 & 0x7fffffff) % (2 * below) - below;
}

/* Small integers in each format. */
static uint32_t
f32(int32_t v)
{
	float f = (float)v;
	uint32_t u;

	memcpy(&u, &f, 4);
	return u;
}

static uint32_t
bf16(int32_t v)
{
	return f32(v) >> 16;
}

static uint32_t
f16(int32_t v) /* below 2048 */
{
	uint32_t u = f32(v);

	return v ? (u >> 16 & 0x8000) | (((u >> 23 & 255) - 112) << 10 | (u >> 13 & 1023)) : 0;
}

enum kind { F16, BF16, TF32, F64, S8, U8 };

static const char *const kind_name[] = {"f16", "bf16", "tf32", "f64", "s8", "u8"};

struct shape {
	enum kind a, b;
	uint32_t m, n, k;
	const char *d; /* type of C and D */
};

/* Row and column of element i of lane l, from the manual's tables. */
static void
place_a(const struct shape *s, uint32_t l, uint32_t i, uint32_t *row, uint32_t *col)
{
	uint32_t g = l >> 2, t = l % 4;

	switch (s->a) {
	case F16:
	case BF16:
		*row = i % 4 < 2 ? g : g + 8;
		*col = t * 2 + (i & 1) + (i >= 4 ? 8 : 0);
		return;
	case TF32:
	case F64:
		*row = i % 2 == 0 ? g : g + 8;
		*col = t + i / 2 * 4;
		return;
	default:
		*row = s->m == 8 || i % 8 < 4 ? g : g + 8;
		*col = t * 4 + (i & 3) + (i >= 8 ? 16 : 0);
	}
}

static void
place_b(const struct shape *s, uint32_t l, uint32_t i, uint32_t *row, uint32_t *col)
{
	uint32_t t = l % 4;

	*col = l >> 2;
	switch (s->a) {
	case F16:
	case BF16:
		*row = t * 2 + (i & 1) + (i >= 2 ? 8 : 0);
		return;
	case TF32:
	case F64:
		*row = t + i * 4;
		return;
	default:
		*row = t * 4 + (i & 3) + (i >= 4 ? 16 : 0);
	}
}

static void
place_c(uint32_t l, uint32_t i, uint32_t *row, uint32_t *col)
{
	*row = (l >> 2) + (i >= 2 ? 8 : 0);
	*col = l % 4 * 2 + (i & 1);
}

static uint32_t
kind_bytes(enum kind k)
{
	return k == F64 ? 8 : k == TF32 ? 4 : k < TF32 ? 2 : 1;
}

static void
put_elem(uint8_t *to, enum kind k, int32_t v)
{
	uint32_t u = k == F16 ? f16(v) : k == BF16 ? bf16(v) : k == TF32 ? f32(v) : (uint32_t)v;
	double x = v;

	memcpy(to, k == F64 ? (const void *)&x : (const void *)&u, kind_bytes(k));
}

static void
put_sum(uint8_t *to, const char *d, int32_t v)
{
	uint32_t u = !strcmp(d, "s32") ? (uint32_t)v : !strcmp(d, "f16") ? f16(v) : f32(v);
	double x = v;

	if (!strcmp(d, "f64"))
		memcpy(to, &x, 8);
	else
		memcpy(to, &u, !strcmp(d, "f16") ? 2 : 4);
}

/* The kernel that loads each lane's registers from out, 128 bytes a lane, and stores D after them.
 */
static void
mma_text(const struct shape *s, char *text, size_t size)
{
	uint32_t na = s->m * s->k / 32 * kind_bytes(s->a), nb = s->k * s->n / 32 * kind_bytes(s->b);
	uint32_t dbytes = !strcmp(s->d, "f64") ? 8 : !strcmp(s->d, "f16") ? 2 : 4;
	uint32_t nc = s->m * s->n / 32 * dbytes, reg = s->a == F64 ? 8 : 4, part;
	static const char name[] = "dabc";
	uint32_t bytes[4] = {nc, na, nb, nc}, at[4] = {96, 0, 32, 64};
	size_t n = (size_t)snprintf(
		text, size, "%s",
		HEAD ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %t<4>; .reg .b64 %rd<4>;\n"
		     ".reg .b32 %a<9>; .reg .b32 %b<9>; .reg .b32 %c<9>; .reg .b32 %d<9>;\n"
		     ".reg .f64 %ea<9>; .reg .f64 %eb<9>; .reg .f64 %ec<9>; .reg .f64 %ed<9>;\n"
		     "ld.param.u64 %rd1, [out]; mov.u32 %t1, %tid.x; mad.wide.u32 %rd2, %t1, 128, "
		     "%rd1;\n");
	const char *e = s->a == F64 ? "e" : "", *ty = s->a == F64 ? "f64" : "b32";

	for (part = 1; part < 4; part++)
		for (uint32_t i = 0; i < bytes[part] / reg; i++)
			n += (size_t)snprintf(text + n, size - n,
					      "ld.global.%s %%%s%c%u, [%%rd2+%u];\n", ty, e,
					      name[part], i, at[part] + i * reg);
	n += (size_t)snprintf(text + n, size - n, "mma.sync.aligned.m%un%uk%u.row.col.%s.%s.%s.%s ",
			      s->m, s->n, s->k, s->d, kind_name[s->a], kind_name[s->b], s->d);
	for (part = 0; part < 4; part++) {
		n += (size_t)snprintf(text + n, size - n, "{");
		for (uint32_t i = 0; i < bytes[part] / reg; i++)
			n += (size_t)snprintf(text + n, size - n, "%s%%%s%c%u", i ? "," : "", e,
					      name[part], i);
		n += (size_t)snprintf(text + n, size - n, part == 3 ? "};\n" : "}, ");
	}
	for (uint32_t i = 0; i < nc / reg; i++)
		n += (size_t)snprintf(text + n, size - n, "st.global.%s [%%rd2+%u], %%%sd%u;\n", ty,
				      at[0] + i * reg, e, i);
	snprintf(text + n, size - n, "ret;\n}\n");
}

/* Like rig_run, but out begins with init. */
static int
run_on(struct rig *r, const char *text, const void *init, size_t bytes)
{
	struct ptx_launch l = {.grid = {1, 1, 1}, .block = {32, 1, 1}};

	if (rig_load(r, text, &l))
		return -1;
	memcpy((void *)(uintptr_t)r->v, init, bytes);
	return ptx_run(r->d, &l, &r->n, &r->e);
}

struct matrices {
	int32_t a[32][32], b[32][32], c[32][32], d[32][32];
};

static void
random_matrices(struct matrices *x, const struct shape *s)
{
	for (uint32_t i = 0; i < 32; i++)
		for (uint32_t j = 0; j < 32; j++) {
			x->a[i][j] = s->a == U8 ? next_random(8) + 8 : next_random(8);
			x->b[i][j] = s->b == U8 ? next_random(8) + 100 : next_random(8);
			x->c[i][j] = next_random(100);
		}
	for (uint32_t i = 0; i < s->m; i++)
		for (uint32_t j = 0; j < s->n; j++) {
			x->d[i][j] = x->c[i][j];
			for (uint32_t k = 0; k < s->k; k++)
				x->d[i][j] += x->a[i][k] * x->b[k][j];
		}
}

static void
test_mma(struct rig *r, const struct shape *s)
{
	static char text[16384];
	static uint8_t in[32 * 128], want[32 * 128];
	struct matrices x;
	uint32_t row, col, bytes = !strcmp(s->d, "f64") ? 8 : !strcmp(s->d, "f16") ? 2 : 4;
	bool same = true;

	random_matrices(&x, s);
	memset(in, 0, sizeof(in));
	memset(want, 0, sizeof(want));
	for (uint32_t l = 0; l < 32; l++) {
		for (uint32_t i = 0; i < s->m * s->k / 32; i++) {
			place_a(s, l, i, &row, &col);
			put_elem(in + l * 128 + i * kind_bytes(s->a), s->a, x.a[row][col]);
		}
		for (uint32_t i = 0; i < s->k * s->n / 32; i++) {
			place_b(s, l, i, &row, &col);
			put_elem(in + l * 128 + 32 + i * kind_bytes(s->b), s->b, x.b[row][col]);
		}
		for (uint32_t i = 0; i < s->m * s->n / 32; i++) {
			place_c(l, i, &row, &col);
			put_sum(in + l * 128 + 64 + i * bytes, s->d, x.c[row][col]);
			put_sum(want + l * 128 + 96 + i * bytes, s->d, x.d[row][col]);
		}
	}
	mma_text(s, text, sizeof(text));
	if (run_on(r, text, in, sizeof(in))) {
		ok(false, "mma.m%un%uk%u.%s: %s", s->m, s->n, s->k, kind_name[s->a], r->e.msg);
		return;
	}
	for (uint32_t l = 0; l < 32; l++)
		same &= !memcmp((const uint8_t *)r->v + l * 128 + 96, want + l * 128 + 96, 32);
	ok(same, "mma.m%un%uk%u.%s.%s.%s", s->m, s->n, s->k, s->d, kind_name[s->a],
	   kind_name[s->b]);
}

/* ---------------------------------------------------------------- wmma */

static void
wmma_list(char *text, size_t size, size_t *n, const char *name, uint32_t regs)
{
	*n += (size_t)snprintf(text + *n, size - *n, "{");
	for (uint32_t i = 0; i < regs; i++)
		*n += (size_t)snprintf(text + *n, size - *n, "%s%%%s%u", i ? "," : "", name, i);
	*n += (size_t)snprintf(text + *n, size - *n, "}");
}

/* A is at out, B at +4096, C and D at +8192 and +16384, with strides of 40, 48 and 36 elements. */
static void
test_wmma(struct rig *r, const struct shape *s, bool a_col, bool b_col, bool c_col)
{
	static char text[16384];
	static uint8_t in[32768], want[32768];
	struct matrices x;
	uint32_t db = !strcmp(s->d, "f64") ? 8 : !strcmp(s->d, "f16") ? 2 : 4;
	uint32_t ab = kind_bytes(s->a), per = s->a == F64 ? 1 : 4 / ab;
	uint32_t ra = s->a == F16 ? 8 : s->m * s->k / 32 / per;
	uint32_t rb = s->a == F16 ? 8 : s->k * s->n / 32 / per;
	uint32_t rc = s->m * s->n / 32 / (db == 2 ? 2 : 1);
	const char *e = s->a == F64 ? "e" : "", *cr = db == 4 && *s->d == 'f' ? "f" : e;
	char shape[24], an[4], bn[4], cn[4], dn[4];
	size_t n;

	random_matrices(&x, s);
	memset(in, 0, sizeof(in));
	for (uint32_t i = 0; i < s->m; i++)
		for (uint32_t k = 0; k < s->k; k++)
			put_elem(in + (a_col ? k * 40 + i : i * 40 + k) * ab, s->a, x.a[i][k]);
	for (uint32_t k = 0; k < s->k; k++)
		for (uint32_t j = 0; j < s->n; j++)
			put_elem(in + 8192 + (b_col ? j * 48 + k : k * 48 + j) * ab, s->b,
				 x.b[k][j]);
	memcpy(want, in, sizeof(want));
	for (uint32_t i = 0; i < s->m; i++)
		for (uint32_t j = 0; j < s->n; j++) {
			uint32_t at = (c_col ? j * 36 + i : i * 36 + j) * db;

			put_sum(in + 16384 + at, s->d, x.c[i][j]);
			put_sum(want + 16384 + at, s->d, x.c[i][j]);
			put_sum(want + 24576 + at, s->d, x.d[i][j]);
		}
	snprintf(shape, sizeof(shape), "m%un%uk%u", s->m, s->n, s->k);
	snprintf(an, sizeof(an), "%sa", e);
	snprintf(bn, sizeof(bn), "%sb", e);
	snprintf(cn, sizeof(cn), "%sc", cr);
	snprintf(dn, sizeof(dn), "%sd", cr);
	n = (size_t)snprintf(
		text, sizeof(text), "%s",
		HEAD ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %t<4>; .reg .b64 %rd<4>;\n"
		     ".reg .b32 %a<9>; .reg .b32 %b<9>; .reg .b32 %c<9>; .reg .b32 %d<9>;\n"
		     ".reg .f32 %fc<9>; .reg .f32 %fd<9>;\n"
		     ".reg .f64 %ea<9>; .reg .f64 %eb<9>; .reg .f64 %ec<9>; .reg .f64 %ed<9>;\n"
		     "ld.param.u64 %rd1, [out]; mov.u32 %t1, 40; mov.u32 %t2, 36;\n");
	n += (size_t)snprintf(text + n, sizeof(text) - n,
			      "wmma.load.a.sync.aligned.%s.%s.global.%s ", a_col ? "col" : "row",
			      shape, kind_name[s->a]);
	wmma_list(text, sizeof(text), &n, an, ra);
	n += (size_t)snprintf(text + n, sizeof(text) - n,
			      ", [%%rd1], %%t1;\nwmma.load.b.sync.aligned.%s.%s.%s ",
			      b_col ? "col" : "row", shape, kind_name[s->b]);
	wmma_list(text, sizeof(text), &n, bn, rb);
	n += (size_t)snprintf(text + n, sizeof(text) - n,
			      ", [%%rd1+8192], 48;\nwmma.load.c.sync.aligned.%s.%s.global.%s ",
			      c_col ? "col" : "row", shape, s->d);
	wmma_list(text, sizeof(text), &n, cn, rc);
	n += (size_t)snprintf(text + n, sizeof(text) - n,
			      ", [%%rd1+16384], %%t2;\nwmma.mma.sync.aligned.%s.%s.%s",
			      a_col ? "col" : "row", b_col ? "col" : "row", shape);
	if (s->a == F16)
		n += (size_t)snprintf(text + n, sizeof(text) - n, ".%s.%s ", s->d, s->d);
	else
		n += (size_t)snprintf(text + n, sizeof(text) - n, ".%s.%s.%s.%s%s ", s->d,
				      kind_name[s->a], kind_name[s->b], s->d,
				      s->a == F64 ? ".rn" : "");
	wmma_list(text, sizeof(text), &n, dn, rc);
	n += (size_t)snprintf(text + n, sizeof(text) - n, ", ");
	wmma_list(text, sizeof(text), &n, an, ra);
	n += (size_t)snprintf(text + n, sizeof(text) - n, ", ");
	wmma_list(text, sizeof(text), &n, bn, rb);
	n += (size_t)snprintf(text + n, sizeof(text) - n, ", ");
	wmma_list(text, sizeof(text), &n, cn, rc);
	n += (size_t)snprintf(text + n, sizeof(text) - n,
			      ";\nwmma.store.d.sync.aligned.%s.%s.global.%s [%%rd1+24576], ",
			      c_col ? "col" : "row", shape, s->d);
	wmma_list(text, sizeof(text), &n, dn, rc);
	snprintf(text + n, sizeof(text) - n, ", 36;\nret;\n}\n");
	if (run_on(r, text, in, sizeof(in))) {
		ok(false, "wmma.%s.%s: %s", shape, kind_name[s->a], r->e.msg);
		return;
	}
	ok(!memcmp(r->v, want, sizeof(want)), "wmma.%s.%s.%s, A, B, C by %s, %s, %s", shape, s->d,
	   kind_name[s->a], a_col ? "columns" : "rows", b_col ? "columns" : "rows",
	   c_col ? "columns" : "rows");
}

/* ---------------------------------------------------------------- rows */

/* Matrix i has the elements 64 * i + 8 * row + col; its rows are 48 bytes apart. */
static uint32_t
rows_want(uint32_t l, uint32_t i, bool trans)
{
	uint32_t row = l / 4, col = l % 4 * 2;

	return trans ? (64 * i + 8 * col + row) | (64 * i + 8 * (col + 1) + row) << 16
		     : (64 * i + 8 * row + col) | (64 * i + 8 * row + col + 1) << 16;
}

static void
test_rows(struct rig *r)
{
	/* each lane writes its row, of the matrix lane / 8 */
	static char text[4096];

	for (int trans = 0; trans < 2; trans++) {
		uint32_t bad = 0;

		snprintf(text, sizeof(text), "%s%s%s%s%s",
			 HEAD BEGIN
			 ".reg .b16 %h; .shared .align 16 .b8 s[2048]; .shared .align 16 .b8 "
			 "q[2048];\n"
			 "mov.u32 %r4, s; mad.lo.u32 %r5, %r1, 48, %r4; shl.b32 %r6, %r1, 3;\n"
			 "mov.u32 %r7, %r5; add.u32 %r8, %r6, 8;\n"
			 "F: cvt.u16.u32 %h, %r6; st.shared.u16 [%r7], %h; add.u32 %r6, %r6, 1;\n"
			 "add.u32 %r7, %r7, 2; setp.lt.u32 %p1, %r6, %r8; @%p1 bra F;\n"
			 "bar.sync 0; ldmatrix.sync.aligned.m8n8.x4",
			 trans ? ".trans" : "",
			 ".shared.b16 {%r11,%r12,%r13,%r14}, [%r5];\n"
			 "mov.u32 %r9, q; mad.lo.u32 %r9, %r1, 32, %r9;\n"
			 "stmatrix.sync.aligned.m8n8.x4",
			 trans ? ".trans" : "",
			 ".shared.b16 [%r9], {%r11,%r12,%r13,%r14}; bar.sync 0;\n"
			 "ld.shared.v4.u32 {%r15,%r16,%r17,%r18}, [%r9];\n"
			 "movmatrix.sync.aligned.m8n8.trans.b16 %r19, %r12;\n"
			 "mad.wide.u32 %rd2, %r1, 64, %rd1; st.global.v4.u32 [%rd2], "
			 "{%r11,%r12,%r13,%r14};\n"
			 "st.global.v4.u32 [%rd2+16], {%r15,%r16,%r17,%r18}; st.global.u32 "
			 "[%rd2+32], "
			 "%r19; ret;\n}\n");
		if (!ok(rig_run(r, text, 1, 32) == 0, "ldmatrix runs"))
			continue;
		for (uint32_t l = 0; l < 32; l++)
			for (uint32_t i = 0; i < 4; i++) {
				uint32_t e = 8 * l + 2 * i;

				bad += r->v[l * 16 + i] != rows_want(l, i, trans);
				bad += r->v[l * 16 + 4 + i] != (e | (e + 1) << 16);
				bad += r->v[l * 16 + 8] != rows_want(l, 1, !trans);
			}
		is_u64(bad, 0, "ldmatrix.x4%s, stmatrix brings it back, movmatrix turns it",
		       trans ? ".trans" : "");
	}
	FAILS(r, 31, 0,
	      KERNEL(".shared .align 16 .b8 s[512]; ldmatrix.sync.aligned.m8n8.x1.shared.b16 "
		     "{%r4}, "
		     "[s]; ret;\n"),
	      "ldmatrix: lane 31 of the warp does not execute it");
}

/* Byte (row, col) of a matrix of bytes is 16 row + col. */
static uint32_t
bytes_want(uint32_t row, uint32_t col)
{
	return (16 * row + col) | (16 * (row + 1) + col) << 8 | (16 * row + col + 8) << 16 |
	       (16 * (row + 1) + col + 8) << 24;
}

/* Lanes 0 to 15 give the rows of 16 bytes of a matrix of 16 rows; it is stored as two of 8. */
static void
test_bytes(struct rig *r)
{
	static const char text[] = KERNEL(
		".shared .align 16 .b8 s[256]; .shared .align 16 .b8 q[256];\n"
		"mov.u32 %r4, s; shl.b32 %r5, %r1, 3; add.u32 %r6, %r4, %r5; mov.u32 %r7, 0;\n"
		"F: add.u32 %r8, %r5, %r7; st.shared.u8 [%r6], %r8; add.u32 %r6, %r6, 1;\n"
		"add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 8; @%p1 bra F; bar.sync 0;\n"
		"and.b32 %r9, %r1, 15; shl.b32 %r9, %r9, 4; add.u32 %r10, %r4, %r9;\n"
		"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r11, %r12}, [%r10];\n"
		"mov.u32 %r13, q; add.u32 %r13, %r13, %r9;\n"
		"stmatrix.sync.aligned.m16n8.x2.trans.shared.b8 [%r13], {%r11, %r12}; bar.sync 0;\n"
		"mov.u32 %r14, q; add.u32 %r14, %r14, %r5; ld.shared.v2.u32 {%r15, %r16}, [%r14];\n"
		"mad.wide.u32 %rd2, %r1, 16, %rd1; st.global.v4.u32 [%rd2], {%r11,%r12,%r15,%r16}; "
		"ret;\n");
	uint32_t bad = 0, moved = 0;

	ok(rig_run(r, text, 1, 32) == 0, "ldmatrix of .b8 runs");
	for (uint32_t l = 0; l < 32; l++) {
		bad += r->v[4 * l] != bytes_want(l % 4 * 4, l / 4) ||
		       r->v[4 * l + 1] != bytes_want(l % 4 * 4 + 2, l / 4);
	}
	is_u64(bad, 0, "ldmatrix.m16n16.trans.b8: four rows of two columns each");
	/* row 2 a + c of register i is row 4 a + 2 i + c of what was loaded */
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t row = i / 16, to = row % 8 / 2 * 4 + row / 8 * 2 + row % 2;
		const uint8_t *p = (const uint8_t *)(r->v + i / 8 * 4 + 2) + i % 8;

		moved += *p != 16 * to + i % 16;
	}
	is_u64(moved, 0, "stmatrix.m16n8.trans.b8: two rows of two columns each");
	FAILS(r, 32, 0,
	      KERNEL(".shared .align 16 .b8 s[512]; "
		     "ldmatrix.sync.aligned.m16n16.x4.trans.shared.b8 "
		     "{%r4, %r5, %r6, %r7}, [s]; ret;\n"),
	      "at most two matrices of .m16n16");
}

int
main(void)
{
	static const struct shape mma[] = {
		{F16, F16, 16, 8, 8, "f32"},   {F16, F16, 16, 8, 16, "f32"},
		{F16, F16, 16, 8, 8, "f16"},   {F16, F16, 16, 8, 16, "f16"},
		{BF16, BF16, 16, 8, 8, "f32"}, {BF16, BF16, 16, 8, 16, "f32"},
		{TF32, TF32, 16, 8, 4, "f32"}, {TF32, TF32, 16, 8, 8, "f32"},
		{F64, F64, 8, 8, 4, "f64"},    {S8, S8, 8, 8, 16, "s32"},
		{S8, U8, 16, 8, 16, "s32"},    {U8, S8, 16, 8, 32, "s32"},
		{U8, U8, 16, 8, 32, "s32"},    {S8, S8, 16, 8, 32, "s32"},
	};
	static const struct shape wmma[] = {
		{F16, F16, 16, 16, 16, "f32"},	 {F16, F16, 32, 8, 16, "f32"},
		{F16, F16, 8, 32, 16, "f16"},	 {F16, F16, 16, 16, 16, "f16"},
		{BF16, BF16, 16, 16, 16, "f32"}, {BF16, BF16, 32, 8, 16, "f32"},
		{TF32, TF32, 16, 16, 8, "f32"},	 {F64, F64, 8, 8, 4, "f64"},
		{S8, S8, 16, 16, 16, "s32"},	 {U8, U8, 8, 32, 16, "s32"},
		{S8, S8, 32, 8, 16, "s32"},
	};
	struct rig r = {.d = NULL};

	for (size_t i = 0; i < ARRAY_LEN(mma); i++)
		test_mma(&r, &mma[i]);
	for (size_t i = 0; i < ARRAY_LEN(wmma); i++)
		for (unsigned k = 0; k < 8; k += 1 + i % 3)
			test_wmma(&r, &wmma[i], k & 1, k & 2, k & 4);
	test_rows(&r);
	test_bytes(&r);
	rig_end(&r);
	return done();
}
