/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * surf.c - surfaces: what suld.b, sust.b and sust.p read and write in every geometry, at the
 * borders in each mode; and further ways to read textures: cubes, tld4, .level and .grad.
 */
#include "rig.h"

#define W 8u
#define H 4u
#define D 12u

struct surfrig {
	struct ptx_device *d;
	struct ptx_module *m;
	struct err e;
	uint64_t out, mem, handle;
	uint32_t *v;
	uint8_t *byte;
};

/* Runs the body for one warp on W x H x D texels of 4 bytes, rows of 64 bytes; byte i is 3 * i. */
static int
run(struct surfrig *r, const char *body, uint32_t dims, enum ptx_texel texel, uint32_t channels)
{
	static char text[4096];
	struct ptx_texture t = {.width = W * 4 / (channels * (texel == TEXEL_F32 ? 4 : 1)),
				.height = dims > 1 ? H : 1,
				.depth = D,
				.pitch = 64,
				.texel = texel,
				.channels = (uint8_t)channels,
				.dims = (uint8_t)dims,
				.wrap = {WRAP_CLAMP, WRAP_CLAMP, WRAP_CLAMP},
				.as_integer = texel != TEXEL_F32};
	struct ptx_launch l = {.block = {32, 1, 1}};
	uint64_t params[2];

	ptx_device_free(r->d);
	ptx_module_free(r->m);
	memset(r, 0, sizeof(*r));
	snprintf(text, sizeof(text),
		 HEAD
		 ".global .surfref plane;\n"
		 ".visible .entry k(.param .u64 out, .param .u64 s)\n{ .reg .b32 %%r<30>; .reg "
		 ".b64 %%rd<9>;\n.reg .b16 %%h<9>; .reg .f32 %%f<19>; ld.param.u64 %%rd1, [out]; "
		 "ld.param.u64 %%rd3, [s];\nmov.u32 %%r1, %%tid.x; mad.wide.u32 %%rd2, %%r1, 16, "
		 "%%rd1;\n%s ret; }\n",
		 body);
	r->m = ptx_parse("surf.ptx", text, strlen(text), &r->e);
	r->d = ptx_device_new(1 << 24, &r->e);
	if (!r->m || !r->d || ptx_load(r->d, r->m, &r->e))
		return -1;
	r->out = ptx_alloc(r->d, 4096, 0, "out", &r->e);
	r->mem = ptx_alloc(r->d, (uint64_t)64 * H * D, 0, "surface", &r->e);
	r->v = ptx_host(r->d, r->out, 4096, &r->e);
	r->byte = ptx_host(r->d, r->mem, (uint64_t)64 * H * D, &r->e);
	for (uint32_t i = 0; i < 64 * H * D; i++)
		r->byte[i] = (uint8_t)(3 * i);
	for (uint32_t i = 0; texel == TEXEL_F32 && i < 16 * H * D; i++) {
		float x = (float)i;

		memcpy(r->byte + 4 * (size_t)i, &x, 4);
	}
	t.addr = r->mem;
	if (ptx_texture_new(r->d, &t, &r->handle, &r->e))
		return -1;
	params[0] = r->out;
	params[1] = r->handle;
	l.module = r->m;
	l.kernel = ptx_kernel(r->m, "k", &r->e);
	l.params = params;
	return ptx_run(r->d, &l, NULL, &r->e);
}

#define OUT(regs) "st.global.v4.u32 [%rd2], {" regs "};\n"

static uint32_t
word(uint32_t at)
{
	return (3 * at & 255) | (3 * (at + 1) & 255) << 8 | (3 * (at + 2) & 255) << 16 |
	       (3 * (at + 3) & 255) << 24;
}

/* ---------------------------------------------------------------- surfaces */

static void
test_load(struct surfrig *r)
{
	/* lane l: x = 4 (l % 8), y = l / 8 */
	static const char two[] =
		"and.b32 %r2, %r1, 7; shl.b32 %r2, %r2, 2; shr.u32 %r3, %r1, 3;\n"
		"suld.b.2d.b32.trap {%r4}, [%rd3, {%r2, %r3}];\n"
		"suld.b.2d.v4.b8.trap {%h1,%h2,%h3,%h4}, [%rd3, {%r2, %r3}];\n"
		"cvt.u32.u16 %r5, %h2; cvt.u32.u16 %r6, %h4; add.u32 %r7, %r2, 4;\n"
		"suld.b.2d.b32.zero {%r7}, [%rd3, {%r7, %r3}];\n" OUT("%r4,%r5,%r6,%r7");
	static const char others[] =
		"mov.u32 %r2, 16; mov.u32 %r3, 2; mov.u32 %r8, 5; mov.u32 %r9, -3;\n"
		"suld.b.3d.b32.trap {%r4}, [%rd3, {%r2, %r3, %r8, %r8}];\n"
		"suld.b.3d.v2.b64.clamp {%rd5,%rd6}, [%rd3, {%r2, %r9, %r1, %r1}];\n"
		"cvt.u32.u64 %r5, %rd5; shr.u64 %rd6, %rd6, 32; cvt.u32.u64 %r6, %rd6;\n"
		"mov.u32 %r7, 0;\n" OUT("%r4,%r5,%r6,%r7");
	static const char arrays[] = "mov.u32 %r2, 16; mov.u32 %r3, 2; mov.u32 %r8, 5;\n"
				     "suld.b.a2d.b32.trap {%r4}, [%rd3, {%r8, %r2, %r3, %r3}];\n"
				     "mov.u32 %r5, 0;\n" OUT("%r4,%r5,%r5,%r5");
	static const char line[] =
		"mov.u32 %r2, 16; mov.u32 %r8, 5;\n"
		"suld.b.a1d.b32.trap {%r4}, [%rd3, {%r8, %r2}];\n"
		"suld.b.1d.b16.trap {%h1}, [%rd3, {%r2}]; cvt.u32.u16 %r5, %h1;\n" OUT(
			"%r4,%r5,%r5,%r5");
	uint32_t bad = 0;

	ok(run(r, two, 2, TEXEL_U8, 4) == 0, "suld.b.2d runs %s", r->e.msg);
	for (uint32_t l = 0; l < 32; l++) {
		uint32_t at = l % 8 * 4 + l / 8 * 64, v = word(at);

		bad += r->v[l * 4] != v || r->v[l * 4 + 1] != (v >> 8 & 255) ||
		       r->v[l * 4 + 2] != v >> 24 ||
		       r->v[l * 4 + 3] != (l % 8 == 7 ? 0 : word(at + 4));
	}
	is_u64(bad, 0, "bytes and words, and nothing outside with .zero");
	ok(run(r, others, 3, TEXEL_U8, 4) == 0, "suld.b.3d runs %s", r->e.msg);
	bad = 0;
	for (uint32_t l = 0; l < 32; l++) {
		uint32_t at = 16 + (l < D ? l : D - 1) * H * 64;

		bad += r->v[l * 4] != word(16 + 2 * 64 + 5 * H * 64) ||
		       r->v[l * 4 + 1] != word(at) || r->v[l * 4 + 2] != word(at + 12);
	}
	is_u64(bad, 0, "three dimensions, 16 bytes, .clamp");
	ok(run(r, arrays, 2, TEXEL_U8, 4) == 0 && r->v[0] == word(16 + 2 * 64 + 5 * H * 64),
	   "a layer of an array of two dimensions %s", r->e.msg);
	ok(run(r, line, 1, TEXEL_U8, 4) == 0 && r->v[0] == word(16 + 5 * 64) &&
		   r->v[1] == (word(16) & 0xffff),
	   "a layer of an array of one %s", r->e.msg);
	ok(run(r, "mov.u32 %r2, 28; mov.u32 %r3, 4; suld.b.2d.b32.trap {%r4}, [%rd3, {%r2, %r3}];",
	       2, TEXEL_U8, 4) &&
		   strstr(r->e.msg, "suld: y is 4, outside of the surface: 0 to 3"),
	   ".trap: %s", r->e.msg);
	ok(run(r, "mov.u32 %r2, 2; suld.b.2d.b32.trap {%r4}, [%rd3, {%r2, %r2}];", 2, TEXEL_U8,
	       4) &&
		   strstr(r->e.msg, "misaligned"),
	   "x counts bytes: %s", r->e.msg);
	ok(run(r, "mov.u32 %r2, 0; suld.b.1d.b32.trap {%r4}, [%rd3, {%r2}];", 2, TEXEL_U8, 4) &&
		   strstr(r->e.msg, "the surface has 2 dimensions, not 1"),
	   "another geometry: %s", r->e.msg);
	ok(run(r, "mov.u32 %r2, 0; suld.b.1d.b32.trap {%r4}, [plane, {%r2}];", 2, TEXEL_U8, 4) &&
		   strstr(r->e.msg, "suld: surface reference 'plane' is not bound"),
	   "a reference that is not bound: %s", r->e.msg);
}

static void
test_store(struct surfrig *r)
{
	static const char body[] =
		"and.b32 %r2, %r1, 7; shl.b32 %r2, %r2, 2; shr.u32 %r3, %r1, 3; add.u32 %r4, %r1, "
		"1000;\nadd.u32 %r3, %r3, 1; mov.u32 %r5, 3;\n"
		"sust.b.3d.b32.zero [%rd3, {%r2, %r3, %r5, %r5}], {%r4}; suq.width.b32 %r6, "
		"[%rd3];\n"
		"suq.height.b32 %r7, [%rd3];\n" OUT("%r6,%r7,%r7,%r7");
	uint32_t bad = 0;

	ok(run(r, body, 3, TEXEL_U8, 4) == 0, "sust.b runs %s", r->e.msg);
	for (uint32_t i = 0; i < 64 * H * D; i += 4) {
		uint32_t x = i % 64 / 4, y = i / 64 % H, z = i / 64 / H, got;

		memcpy(&got, r->byte + i, 4);
		bad += got != (z == 3 && y >= 1 && x < 8 ? 1000 + x + 8 * (y - 1) : word(i));
	}
	is_u64(bad, 0, "what is inside is written, and nothing else");
	ok(r->v[0] == W && r->v[1] == H, "suq");
}

/* sust.p: lane l writes texel (l % 8, l / 8); x counts texels, and numbers are converted. */
static void
test_texels(struct surfrig *r)
{
	static const char store[] =
		"and.b32 %r2, %r1, 7; shr.u32 %r3, %r1, 3; add.u32 %r4, %r1, 100; mov.u32 %r5, "
		"300;\n"
		"mov.u32 %r6, 7; sust.p.2d.v4.b32.trap [%rd3, {%r2, %r3}], {%r4, %r5, %r6, %r1};\n";
	static const char floats[] =
		"and.b32 %r2, %r1, 7; shr.u32 %r3, %r1, 3; cvt.rn.f32.u32 %f1, %r1;\n"
		"mov.b32 %r4, %f1; sust.p.2d.b32.zero [%rd3, {%r2, %r3}], {%r4};\n"
		"add.u32 %r2, %r2, 100; sust.p.2d.b32.zero [%rd3, {%r2, %r3}], {%r4};\n";
	uint32_t bad = 0;

	ok(run(r, store, 2, TEXEL_U8, 4) == 0, "sust.p runs %s", r->e.msg);
	for (uint32_t l = 0; l < 32; l++) {
		const uint8_t *p = r->byte + l % 8 * 4 + l / 8 * 64;

		bad += p[0] != 100 + l || p[1] != 255 || p[2] != 7 || p[3] != l;
	}
	is_u64(bad, 0, "four components of 8 bits, the largest for what is larger");
	ok(run(r,
	       "mov.u32 %r2, 300; mov.u32 %r3, 1; sust.p.2d.v2.b32.trap [%rd3, {%r3, %r3}], "
	       "{%r2, %r3};",
	       2, TEXEL_U8, 4) == 0 &&
		   memcmp(r->byte + 64 + 4, (const uint8_t[]){255, 1, 0, 0}, 4) == 0,
	   "components without a value are 0 %s", r->e.msg);
	ok(run(r, floats, 2, TEXEL_F32, 1) == 0, "sust.p of floats runs %s", r->e.msg);
	bad = 0;
	for (uint32_t l = 0; l < 32; l++) {
		float f;

		memcpy(&f, r->byte + l % 8 * 4 + l / 8 * 64, 4);
		bad += f != (float)l;
	}
	is_u64(bad, 0, "floats");
	ok(run(r, "mov.u32 %r2, 8; mov.u32 %r3, 1; sust.p.2d.b32.trap [%rd3, {%r2, %r3}], {%r3};",
	       2, TEXEL_U8, 4) &&
		   strstr(r->e.msg, "sust: x is 8, outside of the surface: 0 to 7"),
	   "x counts texels: %s", r->e.msg);
}

/* ---------------------------------------------------------------- textures */

/* Texel (x, y) of layer z is its number in memory, in units of 4 bytes: x + 16 (y + 4 z). */
static float
texel_of(uint32_t x, uint32_t y, uint32_t z)
{
	return (float)(x + 16 * (y + H * z));
}

static float
got_float(const struct surfrig *r, uint32_t i)
{
	float f;

	memcpy(&f, &r->v[i], 4);
	return f;
}

static void
test_cube(struct surfrig *r)
{
	/* a direction, its face, and the place on it: s and t of the table in the guide */
	static const struct {
		float v[3];
		uint32_t face;
		float s, t;
	} dir[] = {
		{{2, 1, 0.5f}, 0, -0.5f / 2, -1.0f / 2}, {{-2, 1, 0.5f}, 1, 0.5f / 2, -1.0f / 2},
		{{1, 4, 0.5f}, 2, 1.0f / 4, 0.5f / 4},	 {{1, -4, 0.5f}, 3, 1.0f / 4, -0.5f / 4},
		{{1, -2, 8.0f}, 4, 1.0f / 8, 2.0f / 8},	 {{1, -2, -8.0f}, 5, -1.0f / 8, 2.0f / 8},
	};
	char body[1024];

	for (uint32_t i = 0; i < 2 * ARRAY_LEN(dir); i++) {
		uint32_t k = i / 2, layer = i % 2 ? 6 : 0, u[3];
		float x = (dir[k].s + 1) / 2 * W, y = (dir[k].t + 1) / 2 * H;

		memcpy(u, dir[k].v, sizeof(u));
		snprintf(
			body, sizeof(body),
			"mov.b32 %%f1, 0x%08x; mov.b32 %%f2, 0x%08x; mov.b32 %%f3, 0x%08x;\n"
			"mov.u32 %%r9, 1; %s\nmov.b32 %%r4, %%f4; st.global.u32 [%%rd2], %%r4;\n",
			u[0], u[1], u[2],
			i % 2 ? "tex.acube.v4.f32.f32 {%f4,%f5,%f6,%f7}, [%rd3, {%r9,%f1,%f2,%f3}];"
			      : "tex.cube.v4.f32.f32 {%f4,%f5,%f6,%f7}, [%rd3, "
				"{%f1,%f2,%f3,%f3}];");
		ok(run(r, body, 2, TEXEL_F32, 1) == 0 &&
			   got_float(r, 0) ==
				   texel_of((uint32_t)x, (uint32_t)y, layer + dir[k].face),
		   "face %u of %s: %g %s", dir[k].face, layer ? "a cube of an array" : "a cube",
		   (double)got_float(r, 0), r->e.msg);
	}
}

static void
test_gather(struct surfrig *r)
{
	static const char gather[] =
		"mov.f32 %f1, 0f40600000; mov.f32 %f2, 0f40200000;\n"
		"tld4.r.2d.v4.f32.f32 {%f4,%f5,%f6,%f7}, [%rd3, {%f1, %f2}];\n"
		"mov.b32 %r4, %f4; mov.b32 %r5, %f5; mov.b32 %r6, %f6; mov.b32 "
		"%r7, %f7;\n" OUT("%r4,%r5,%r6,%r7");
	static const char level[] =
		"mov.f32 %f1, 0f40600000; mov.f32 %f2, 0f40200000; mov.f32 %f3, 0f3F800000;\n"
		"tex.level.2d.v4.f32.f32 {%f4,%f5,%f6,%f7}, [%rd3, {%f1, %f2}], %f3;\n"
		"tex.grad.2d.v4.f32.f32 {%f5,%f6,%f7,%f8}, [%rd3, {%f1, %f2}], {%f3,%f3}, "
		"{%f3,%f3};\n"
		"txq.num_mipmap_levels.b32 %r6, [%rd3]; mov.b32 %r4, %f4; mov.b32 %r5, %f5;\n" OUT(
			"%r4,%r5,%r6,%r6");

	/* 3.5, 2.5: between texels 3 and 4, 2 and 3 */
	ok(run(r, gather, 2, TEXEL_F32, 1) == 0 && got_float(r, 0) == texel_of(3, 3, 0) &&
		   got_float(r, 1) == texel_of(4, 3, 0) && got_float(r, 2) == texel_of(4, 2, 0) &&
		   got_float(r, 3) == texel_of(3, 2, 0),
	   "tld4: the four texels of a filter, in its order %s", r->e.msg);
	ok(run(r, level, 2, TEXEL_F32, 1) == 0 && got_float(r, 0) == texel_of(3, 2, 0) &&
		   got_float(r, 1) == texel_of(3, 2, 0) && r->v[2] == 1,
	   "one level, whatever .level and .grad ask for %s", r->e.msg);
}

int
main(void)
{
	struct surfrig r = {.d = NULL};

	test_load(&r);
	test_store(&r);
	test_texels(&r);
	test_cube(&r);
	test_gather(&r);
	ptx_device_free(r.d);
	ptx_module_free(r.m);
	return done();
}
