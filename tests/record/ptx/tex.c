/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tex.c - tex and txq through texture objects and references: cases worked out by hand from the
 * CUDA Programming Guide, all modes compared with a second, recursive sampler, and what is
 * rejected.
 */
#include <math.h>
#include "tests/record/ptx/rig.h"

#include "record/ptx/exec/sink.h"

#define N 64u

struct texrig {
	struct ptx_device *d;
	struct ptx_module *m;
	struct err e;
	struct {
		uint64_t out, handle, in;
	} p;
	float (*x)[4]; /* of each thread */
	uint32_t (*got)[4];
	uint64_t mem; /* texels */
	uint8_t *texel;
	uint64_t told[32]; /* addresses of the first warp */
};

static const char prolog[] =
	".visible .entry k(.param .u64 out, .param .u64 handle, .param .u64 in)\n{\n"
	".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n"
	"ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [handle]; ld.param.u64 %rd3, [in];\n"
	"mov.u32 %r8, %tid.x; mad.wide.u32 %rd1, %r8, 16, %rd1; mad.wide.u32 %rd3, %r8, 16, %rd3;\n"
	"ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd3];\n"
	"mov.b32 %r1, %f1; mov.b32 %r2, %f2; mov.b32 %r3, %f3;\n";

static void
rig_new(struct texrig *r, const char *vars, const char *body)
{
	char text[4096];

	snprintf(text, sizeof(text),
		 HEAD "%s%s%s\nst.global.v4.b32 [%%rd1], {%%r4, %%r5, %%r6, %%r7}; ret;\n}\n", vars,
		 prolog, body);
	memset(r, 0, sizeof(*r));
	r->m = ptx_parse("tex.ptx", text, strlen(text), &r->e);
	r->d = ptx_device_new(1 << 24, &r->e);
	if (!r->m || ptx_load(r->d, r->m, &r->e) != 0) {
		diag("%s", r->e.msg);
		return;
	}
	r->p.out = ptx_alloc(r->d, N * 16, 0, "out", &r->e);
	r->p.in = ptx_alloc(r->d, N * 16, 0, "in", &r->e);
	r->mem = ptx_alloc(r->d, 1 << 16, 0, "texels", &r->e);
	r->got = ptx_host(r->d, r->p.out, N * 16, &r->e);
	r->x = ptx_host(r->d, r->p.in, N * 16, &r->e);
	r->texel = ptx_host(r->d, r->mem, 1 << 16, &r->e);
}

static void
rig_free(struct texrig *r)
{
	ptx_device_free(r->d);
	ptx_module_free(r->m);
}

static int
told_inst(void *ctx, uint32_t warp, const struct prog_func *func, const struct prog_inst *in,
	  uint32_t mask, const uint64_t *lane, uint32_t lane_mask, struct err *e)
{
	(void)func, (void)mask, (void)lane_mask, (void)e;
	if (in->op == PTX_tex && lane && !warp)
		memcpy(ctx, lane, 32 * sizeof(*lane));
	return 0;
}

static int
told_begin(void *ctx, const struct run *r, struct err *e)
{
	(void)ctx, (void)r, (void)e;
	return 0;
}

static int
told_cta(void *ctx, const uint32_t xyz[3], struct err *e)
{
	(void)ctx, (void)xyz, (void)e;
	return 0;
}

static int
told_end(void *ctx, struct err *e)
{
	(void)ctx, (void)e;
	return 0;
}

static int
run_tex(struct texrig *r)
{
	const struct ptx_sink sink = {.ctx = r->told,
				      .begin = told_begin,
				      .cta = told_cta,
				      .inst = told_inst,
				      .cta_end = told_end,
				      .end = told_end};
	struct ptx_launch l = {.module = r->m,
			       .grid = {1, 1, 1},
			       .block = {N, 1, 1},
			       .params = &r->p};

	l.kernel = r->m ? ptx_kernel(r->m, "k", &r->e) : NULL;
	l.sink = &sink;
	return l.kernel ? ptx_run(r->d, &l, NULL, &r->e) : -1;
}

static int
object(struct texrig *r, struct ptx_texture t)
{
	t.addr = r->mem;
	t.height = t.height ? t.height : 1;
	t.depth = t.depth ? t.depth : 1;
	return ptx_texture_new(r->d, &t, &r->p.handle, &r->e);
}

static float
as_f(uint32_t u)
{
	float f;

	memcpy(&f, &u, 4);
	return f;
}

#define TEX1F "tex.1d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd2, {%f1}];\n"
#define TEX2F "tex.2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd2, {%f1, %f2}];\n"
#define TEX3F "tex.3d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd2, {%f1, %f2, %f3, %f3}];\n"
#define MOVE4 "mov.b32 %r4, %f5; mov.b32 %r5, %f6; mov.b32 %r6, %f7; mov.b32 %r7, %f8;\n"

/* ---------------------------------------------------------------- by hand */

static void
test_linear_1d(void)
{
	static const struct {
		float x, want;
	} c[] = {
		{0.5f, 10},
		{1.5f, 20},
		{1.0f, 15},
		{0.0f, 10},
		{-3.0f, 10},
		{3.5f, 80},
		{4.0f, 80},
		{9.0f, 80},
		{2.0f, 30},
		{2.25f, 35},
		{2.75f, 50},
		{3.0f, 60},
		{1.5f + 1.0f / 256, 20 + 20.0f / 256},
		{1.5f + 0.4f / 256, 20},
		{1.5f + 0.6f / 256, 20 + 20.0f / 256},
	};
	struct texrig r;
	uint32_t bad = 0;

	rig_new(&r, "", TEX1F MOVE4);
	memcpy(r.texel, (const float[]){10, 20, 40, 80}, 16);
	for (uint32_t i = 0; i < sizeof(c) / sizeof(c[0]); i++)
		r.x[i][0] = c[i].x;
	ok(object(&r, (struct ptx_texture){.width = 4,
					   .texel = TEXEL_F32,
					   .channels = 1,
					   .dims = 1,
					   .wrap = {WRAP_CLAMP},
					   .linear = true}) == 0 &&
		   run_tex(&r) == 0,
	   "linear filtering runs: %s", r.e.msg);
	for (uint32_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		if (as_f(r.got[i][0]) == c[i].want)
			continue;
		bad++;
		diag("x %g: got %.9g, expected %.9g", c[i].x, as_f(r.got[i][0]), c[i].want);
	}
	ok(!bad, "linear, clamped: weights of 8 fractional bits");
	ok(r.got[0][1] == 0 && r.got[0][2] == 0 && as_f(r.got[0][3]) == 1, "absent components");
	ok(r.told[0] == r.mem && r.told[1] == r.mem + 4 && r.told[5] == r.mem + 12,
	   "the sink is told the first texel");
	rig_free(&r);
}

static void
test_texel_fetch(void)
{
	struct texrig r;
	const uint32_t *g;

	rig_new(&r, "", "tex.1d.v4.u32.s32 {%r4, %r5, %r6, %r7}, [%rd2, {%r1}];\n");
	for (uint32_t i = 0; i < 40; i++)
		r.texel[i] = (uint8_t)(200 + i);
	for (uint32_t i = 0; i < N; i++)
		r.x[i][0] = as_f(i - 2);
	ok(object(&r, (struct ptx_texture){.width = 10,
					   .texel = TEXEL_S8,
					   .channels = 4,
					   .dims = 1,
					   .as_integer = true}) == 0 &&
		   run_tex(&r) == 0,
	   "tex.1d.v4.u32.s32: %s", r.e.msg);
	g = r.got[2];
	ok(g[0] == (uint32_t)(int8_t)200 && g[3] == (uint32_t)(int8_t)203, "sign extended");
	g = r.got[11];
	ok(g[1] == 237 - 256u, "the last texel");
	ok(!r.got[1][0] && !r.got[12][0], "outside there is nothing");
	rig_free(&r);

	rig_new(&r, "",
		"tex.2d.v4.s32.s32 {%r4, %r5, _, %r7}, [%rd2, {%r1, %r2}];\nmov.u32 %r6, 9;\n");
	for (uint32_t i = 0; i < 16 * 4; i++)
		((uint16_t *)(void *)r.texel)[i] = (uint16_t)(1000 + i);
	for (uint32_t i = 0; i < N; i++) {
		r.x[i][0] = as_f(i % 8 - 1);
		r.x[i][1] = as_f(i / 8 - 1);
	}
	ok(object(&r, (struct ptx_texture){.width = 6,
					   .height = 4,
					   .pitch = 32,
					   .texel = TEXEL_U16,
					   .channels = 2,
					   .dims = 2,
					   .as_integer = true,
					   .wrap = {WRAP_CLAMP, WRAP_CLAMP}}) == 0 &&
		   run_tex(&r) == 0,
	   "tex.2d.v4.s32.s32: %s", r.e.msg);
	ok(r.got[8 + 1][0] == 1000 && r.got[8 + 2][0] == 1002 && r.got[16 + 1][1] == 1017,
	   "rows of a pitch");
	ok(r.got[0][0] == 1000 && r.got[63][0] == 1000 + 48 + 10, "clamped in two dimensions");
	ok(r.got[9][2] == 9 && r.got[9][3] == 1, "_ takes no component; the fourth is 1");
	rig_free(&r);
}

static void
test_normalized_reads(void)
{
	static const struct {
		enum ptx_texel texel;
		uint8_t byte[4];
		float want;
	} c[] = {
		{TEXEL_U8, {255}, 1},	       {TEXEL_U8, {51}, 0.2f},
		{TEXEL_S8, {0x80}, -1},	       {TEXEL_S8, {127}, 1},
		{TEXEL_U16, {0xff, 0xff}, 1},  {TEXEL_S16, {0xff, 0x7f}, 1},
		{TEXEL_S16, {0, 0x80}, -1},    {TEXEL_F16, {0, 0x3c}, 1},
		{TEXEL_F16, {0, 0xc1}, -2.5f}, {TEXEL_F32, {0, 0, 0x20, 0x41}, 10},
	};
	for (uint32_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		struct texrig r;

		rig_new(&r, "", TEX1F MOVE4);
		memcpy(r.texel, c[i].byte, 4);
		ok(object(&r, (struct ptx_texture){.width = 1,
						   .texel = c[i].texel,
						   .channels = 1,
						   .dims = 1,
						   .wrap = {WRAP_CLAMP}}) == 0 &&
			   run_tex(&r) == 0 && as_f(r.got[0][0]) == c[i].want,
		   "a texel of kind %d reads %g", (int)c[i].texel, c[i].want);
		rig_free(&r);
	}
}

/* ---------------------------------------------------------------- all modes */

static int64_t
ref_index(const struct ptx_texture *t, uint32_t k, int64_t i, int64_t n)
{
	enum ptx_wrap w = t->wrap[k];

	if (!t->normalized && w != WRAP_BORDER)
		w = WRAP_CLAMP;
	if (w == WRAP_BORDER)
		return i < 0 || i >= n ? -1 : i;
	while (w == WRAP_REPEAT && (i < 0 || i >= n))
		i += i < 0 ? n : -n;
	while (w == WRAP_MIRROR && (i < 0 || i >= n))
		i = i < 0 ? -1 - i : 2 * n - 1 - i;
	return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* Samples component 0 by recursion over the dimensions, the outermost first. */
static double
ref_sample(const struct ptx_texture *t, const float *texel, const float *x, uint32_t k, uint64_t at)
{
	int64_t n = k == 2 ? t->depth : k == 1 ? t->height : t->width;
	uint64_t stride = k == 2 ? (uint64_t)t->width * t->height : k == 1 ? t->width : 1;
	double v = x[k], part[2] = {0}, a = 0;
	int64_t i;

	if (t->normalized && t->wrap[k] == WRAP_MIRROR)
		v = (int64_t)floor(v) % 2 ? 1 - (v - floor(v)) : v - floor(v);
	v *= t->normalized ? (double)n : 1;

	if (t->linear) {
		v -= 0.5;
		a = floor((v - floor(v)) * 256 + 0.5) / 256;
	}
	i = (int64_t)floor(v);
	for (int64_t s = 0; s < 2; s++) {
		int64_t j = ref_index(t, k, i + s, n);

		if (j < 0 || (s && a == 0))
			continue;
		part[s] = k == 0 ? texel[at + (uint64_t)j]
				 : ref_sample(t, texel, x, k - 1, at + (uint64_t)j * stride);
	}
	return (1 - a) * part[0] + a * part[1];
}

static void
test_modes(void)
{
	static const char *const body[] = {"", TEX1F MOVE4, TEX2F MOVE4, TEX3F MOVE4};

	for (uint32_t mode = 0; mode < 3 * 4 * 4; mode++) {
		struct ptx_texture t = {.width = 8,
					.height = 1,
					.depth = 1,
					.texel = TEXEL_F32,
					.channels = 1,
					.dims = (uint8_t)(1 + mode % 3),
					.linear = mode / 3 % 2,
					.normalized = mode / 6 % 2};
		uint32_t bad = 0, seed = mode + 1;
		const float *texel;
		struct texrig r;

		for (uint32_t k = 0; k < 3; k++)
			t.wrap[k] = (enum ptx_wrap)((mode / 12 + k) % 4);
		t.height = t.dims > 1 ? 4 : 1;
		t.depth = t.dims > 2 ? 2 : 1;
		rig_new(&r, "", body[t.dims]);
		texel = (const float *)(const void *)r.texel;
		for (uint32_t i = 0; i < 64; i++)
			((float *)(void *)r.texel)[i] = (float)(i * i % 97);
		for (uint32_t i = 0; i < N * 4; i++) {
			seed = seed * 1664525u + 1013904223u;
			/* multiples of 1/64, so that the reference's products are exact */
			r.x[i / 4][i % 4] = (float)((int)(seed >> 16) % 2000 - 1000) /
					    (t.normalized ? 256.0f : 64.0f);
		}
		if (object(&r, t) != 0 || run_tex(&r) != 0) {
			ok(false, "mode %u: %s", mode, r.e.msg);
			rig_free(&r);
			continue;
		}
		for (uint32_t i = 0; i < N; i++) {
			float want = (float)ref_sample(&t, texel, r.x[i], t.dims - 1, 0);

			if (as_f(r.got[i][0]) != want && !bad++)
				diag("(%g %g %g): got %.9g, expected %.9g", r.x[i][0], r.x[i][1],
				     r.x[i][2], as_f(r.got[i][0]), want);
		}
		ok(!bad, "%u-d, %s, %s coordinates, wrap %d %d %d", t.dims,
		   t.linear ? "linear" : "nearest", t.normalized ? "normalized" : "texel",
		   (int)t.wrap[0], (int)t.wrap[1], (int)t.wrap[2]);
		rig_free(&r);
	}
}

static void
test_odd_coordinates(void)
{
	static const float x[] = {NAN,	  INFINITY, -INFINITY,	3e38f,
				  -3e38f, 1e-40f,   0.9999999f, -1e-30f};
	struct texrig r;

	for (uint32_t wrap = 0; wrap < 4; wrap++) {
		uint32_t bad = 0;

		rig_new(&r, "", TEX1F MOVE4);
		for (uint32_t i = 0; i < 4; i++)
			((float *)(void *)r.texel)[i] = 1;
		for (uint32_t i = 0; i < N; i++)
			r.x[i][0] = x[i % 8];
		object(&r, (struct ptx_texture){.width = 4,
						.texel = TEXEL_F32,
						.channels = 1,
						.dims = 1,
						.wrap = {(enum ptx_wrap)wrap},
						.linear = true,
						.normalized = true});
		bad += run_tex(&r) != 0;
		for (uint32_t i = 0; i < 8; i++)
			bad += wrap != WRAP_BORDER && as_f(r.got[i][0]) != 1;
		ok(!bad, "odd coordinates, wrap mode %u", wrap);
		rig_free(&r);
	}
}

/* ---------------------------------------------------------------- references, arrays, questions */

static void
test_reference(void)
{
	struct texrig r;
	struct ptx_texture t = {.width = 4096,
				.height = 1,
				.depth = 1,
				.texel = TEXEL_F32,
				.channels = 1,
				.dims = 1,
				.wrap = {WRAP_CLAMP}};

	rig_new(&r, ".global .texref T;\n",
		"tex.1d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [T, {%f1}];\n" MOVE4);
	memcpy(r.texel, (const float[]){10, 20, 40, 80}, 16);
	r.x[1][0] = 2.5f;
	ok(run_tex(&r) != 0 && strstr(r.e.msg, "tex: texture reference 'T' is not bound: kernel k"),
	   "not bound: %s", r.e.msg);
	err_clear(&r.e);
	t.addr = r.mem;
	ok(ptx_texref_bind(r.d, r.m, "U", &t, &r.e) != 0, "an unknown one");
	is_str(r.e.msg, "module 'tex.ptx' has no .texref variable 'U'", "is named");
	err_clear(&r.e);
	ok(ptx_texref_bind(r.d, r.m, "T", &t, &r.e) == 0 && run_tex(&r) == 0, "bound: %s", r.e.msg);
	ok(as_f(r.got[0][0]) == 10 && as_f(r.got[1][0]) == 40, "and read");
	ptx_release(r.d, r.mem, &r.e);
	ok(run_tex(&r) != 0 &&
		   strstr(r.e.msg, "tex.1d: the memory of the texture was freed: 16384 bytes at"),
	   "its memory is freed: %s", r.e.msg);
	err_clear(&r.e);
	ok(ptx_unload(r.d, r.m, &r.e) == 0 && ptx_load(r.d, r.m, &r.e) == 0, "loaded again");
	ok(run_tex(&r) != 0 && strstr(r.e.msg, "'T' is not bound"), "it has to be bound again");
	rig_free(&r);
}

/* Lanes may use different textures, if their handles were made one after the other. */
static void
test_mixed(void)
{
	struct ptx_texture t = {
		.width = 1, .texel = TEXEL_F32, .channels = 1, .dims = 1, .wrap = {WRAP_CLAMP}};
	struct texrig r;
	uint32_t bad = 0;

	rig_new(&r, "",
		"and.b32 %r4, %r8, 1; cvt.u64.u32 %rd4, %r4; sub.u64 %rd2, %rd2, %rd4;\n" TEX1F
			MOVE4);
	memcpy(r.texel, (const float[]){10, 20}, 8);
	object(&r, t);
	r.mem += 4;
	ok(object(&r, t) == 0 && run_tex(&r) == 0, "two textures in a warp: %s", r.e.msg);
	for (uint32_t i = 0; i < N; i++)
		bad += as_f(r.got[i][0]) != (i & 1 ? 10 : 20);
	ok(!bad, "each lane reads its own");
	rig_free(&r);
}

static void
test_arrays(void)
{
	struct texrig r;

	rig_new(&r, "",
		"tex.a2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd2, {%r3, %f1, %f2, %f2}];\n" MOVE4);
	for (uint32_t i = 0; i < 24; i++)
		((float *)(void *)r.texel)[i] = (float)i;
	r.x[1][0] = 1.5f;
	r.x[1][1] = 1.5f;
	r.x[1][2] = as_f(2);
	r.x[2][2] = as_f(9);
	ok(object(&r, (struct ptx_texture){.width = 4,
					   .height = 2,
					   .depth = 3,
					   .texel = TEXEL_F32,
					   .channels = 1,
					   .dims = 2,
					   .wrap = {WRAP_CLAMP, WRAP_CLAMP}}) == 0 &&
		   run_tex(&r) == 0,
	   "a2d: %s", r.e.msg);
	ok(as_f(r.got[0][0]) == 0 && as_f(r.got[1][0]) == 21 && as_f(r.got[2][0]) == 16,
	   "layers, the last one for larger numbers");
	rig_free(&r);

	rig_new(&r, "",
		"txq.width.b32 %r4, [%rd2]; txq.height.b32 %r5, [%rd2]; txq.depth.b32 %r6, "
		"[%rd2]; txq.normalized_coords.b32 %r7, [%rd2];\n");
	ok(object(&r, (struct ptx_texture){.width = 4,
					   .height = 2,
					   .depth = 3,
					   .texel = TEXEL_F32,
					   .channels = 1,
					   .dims = 3,
					   .normalized = true}) == 0 &&
		   run_tex(&r) == 0,
	   "txq: %s", r.e.msg);
	ok(r.got[63][0] == 4 && r.got[63][1] == 2 && r.got[63][2] == 3 && r.got[63][3] == 1,
	   "width, height, depth, normalized");
	rig_free(&r);
}

/* ---------------------------------------------------------------- mistakes */

static void
refused(struct ptx_texture t, const char *text)
{
	struct texrig r;

	rig_new(&r, "", TEX1F MOVE4);
	t.height = t.height ? t.height : 1;
	ok(object(&r, t) != 0, "refused: %s", text);
	ok(strstr(r.e.msg, text) != NULL, "its words: %s", r.e.msg);
	rig_free(&r);
}

static void
not_decoded(const char *body, const char *text)
{
	struct rig r = {0};

	FAILS(&r, 1, 0, body, text);
	rig_end(&r);
}

static void
test_mistakes(void)
{
	struct ptx_texture t = {.width = 4, .texel = TEXEL_U8, .channels = 1, .dims = 1};
	struct texrig r;

	rig_new(&r, "", TEX2F MOVE4);
	r.p.handle = 3;
	ok(run_tex(&r) != 0 &&
		   strstr(r.e.msg, "tex: 0x3 is not a texture: kernel k, CTA 0,0,0, thread 0,0,0"),
	   "a wrong handle: %s", r.e.msg);
	err_clear(&r.e);
	object(&r, t);
	ok(run_tex(&r) != 0 && strstr(r.e.msg, "tex.2d: the texture has 1 dimension:"),
	   "another geometry: %s", r.e.msg);
	err_clear(&r.e);
	ok(ptx_texture_free(r.d, r.p.handle, &r.e) == 0 &&
		   ptx_texture_free(r.d, r.p.handle, &r.e) != 0,
	   "freed twice");
	ok(strstr(r.e.msg, "is not a texture") != NULL, "its words: %s", r.e.msg);
	rig_free(&r);

	t.dims = 4;
	refused(t, "a texture of 4 dimensions and 4 x 1 x 1 texels, expected 1 to 3");
	t.dims = 1;
	t.channels = 3;
	refused(t, "a texture of 3 channels, expected 1, 2 or 4");
	t.channels = 4;
	t.pitch = 15;
	refused(t, "a texture with a pitch of 15 bytes and rows of 16");
	t.pitch = 0;
	t.linear = t.as_integer = true;
	refused(t, "integers read without conversion cannot be filtered linearly");
	t.linear = false;
	t.width = 70000;
	refused(t, "partly outside of an allocation: 'texels' of 65536 bytes");
	t.width = 1u << 29;
	refused(t, "texels, expected at most 2^28 x 2^17 x 2^14");

#define F ".reg .f32 %f<9>;\n"
	not_decoded(KERNEL(F "tex.2dms.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f1,%f1,%f1}]; "
			     "ret;\n"),
		    ".2dms is not supported");
	not_decoded(KERNEL(F
			   "tex.level.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f1}]; ret;\n"),
		    "expected 3 operands, found 2");
	not_decoded(KERNEL(F
			   "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, %rd2, {%f1,%f1}]; ret;\n"),
		    "a sampler in addition to the texture is not supported");
	not_decoded(KERNEL(F "tex.3d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f1}]; ret;\n"),
		    "expected 4 coordinates, found 2");
	not_decoded(KERNEL(F "tld4.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f1}]; ret;\n"),
		    "expected one of .r .g .b .a");
	not_decoded(KERNEL(F "txq.filter_mode.b32 %r1, [%rd1]; ret;\n"),
		    "this query of a texture is not supported");
}

int
main(void)
{
	test_linear_1d();
	test_texel_fetch();
	test_normalized_reads();
	test_modes();
	test_odd_coordinates();
	test_reference();
	test_mixed();
	test_arrays();
	test_mistakes();
	return done();
}
