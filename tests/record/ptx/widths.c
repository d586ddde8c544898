/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * widths.c - ld and st of every type, width and distance between lanes, compared with C.
 */
#include "tests/record/ptx/rig.h"

#define RAW_BYTES 512u

static uint8_t
raw(uint32_t i)
{
	return (uint8_t)(i * 37 + (i >> 3) * 11 + 129);
}

/* ".global .align 16 .b8 raw[512] = {...};" */
static const char *
raw_var(const char *space)
{
	static char text[4096];
	size_t n = (size_t)snprintf(text, sizeof(text), ".%s .align 16 .b8 raw[%u] = {", space,
				    RAW_BYTES);

	for (uint32_t i = 0; i < RAW_BYTES; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%u", i ? "," : "", raw(i));
	snprintf(text + n, sizeof(text) - n, "};\n");
	return text;
}

/* Returns what a register of `reg` bytes holds after loading the element at byte `at`. */
static uint64_t
loaded(uint32_t at, uint32_t bytes, bool sign, uint32_t reg)
{
	uint64_t x = 0;

	for (uint32_t k = 0; k < bytes; k++)
		x |= (uint64_t)raw(at + k) << 8 * k;
	if (sign && bytes < 8 && x >> (8 * bytes - 1))
		x |= ~0ull << 8 * bytes;
	return reg < 8 ? x & ((1ull << 8 * reg) - 1) : x;
}

struct width {
	const char *type;
	uint32_t bytes, sign;
	const char *reg; /* widest first */
};

static const struct width widths[] = {
	{"u8", 1, 0, "b16"},  {"u8", 1, 0, "b32"},  {"u8", 1, 0, "b64"},  {"s8", 1, 1, "b16"},
	{"s8", 1, 1, "b32"},  {"s8", 1, 1, "b64"},  {"b8", 1, 0, "b32"},  {"u16", 2, 0, "b16"},
	{"s16", 2, 1, "b16"}, {"u16", 2, 0, "b32"}, {"s16", 2, 1, "b32"}, {"s16", 2, 1, "b64"},
	{"u16", 2, 0, "b64"}, {"b16", 2, 0, "b16"}, {"u32", 4, 0, "b32"}, {"s32", 4, 1, "b32"},
	{"f32", 4, 0, "b32"}, {"u32", 4, 0, "b64"}, {"s32", 4, 1, "b64"}, {"b32", 4, 0, "b64"},
	{"u64", 8, 0, "b64"}, {"s64", 8, 1, "b64"}, {"f64", 8, 0, "b64"}, {"b64", 8, 0, "b64"},
};

/* Thread i loads vec elements at stride * i of raw, and stores them as 64 bits each. */
static void
check_width(struct rig *r, const char *space, const struct width *x, uint32_t vec, uint32_t off)
{
	static const char *const list[] = {"", "%v0", "{%v0,%v1}", "", "{%v0,%v1,%v2,%v3}"};
	uint32_t bytes = x->bytes * vec, reg = (uint32_t)atoi(x->reg + 1) / 8, bad = 0;
	const uint64_t *got;
	char text[8192], name[16] = "", store[1024] = "";

	if (vec > 1)
		snprintf(name, sizeof(name), ".v%u", vec);
	for (uint32_t k = 0; k < vec; k++) {
		size_t n = strlen(store);

		if (reg == 8)
			snprintf(store + n, sizeof(store) - n, "st.global.u64 [%%rd4+%u], %%v%u;\n",
				 8 * k, k);
		else
			snprintf(store + n, sizeof(store) - n,
				 "cvt.u64.u%u %%rd5, %%v%u; st.global.u64 [%%rd4+%u], %%rd5;\n",
				 reg * 8, k, 8 * k);
	}
	snprintf(text, sizeof(text),
		 "%s%s%s"
		 ".reg .%s %%v<4>;\n"
		 "mad.wide.u32 %%rd4, %%r1, 32, %%rd1; mov.u64 %%rd6, raw;\n"
		 "mad.wide.u32 %%rd7, %%r1, %u, %%rd6;\n"
		 "ld.%s%s.%s %s, [%%rd7+%u];\n%sret;\n}\n",
		 HEAD, raw_var(strcmp(space, "const") == 0 ? "const" : "global"), BEGIN, x->reg,
		 bytes, space, name, x->type, list[vec], off * bytes, store);
	if (rig_run(r, text, 1, 15) != 0) {
		ok(false, "ld.%s%s.%s runs", space, name, x->type);
		return;
	}
	got = (const uint64_t *)(const void *)r->v;
	for (uint32_t i = 0; i < 15; i++)
		for (uint32_t k = 0; k < vec; k++)
			bad += got[4 * i + k] !=
			       loaded((i + off) * bytes + k * x->bytes, x->bytes, x->sign, reg);
	ok(!bad, "ld.%s%s.%s into .%s", space, name, x->type, x->reg);
}

static void
test_widths(struct rig *r)
{
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		check_width(r, i % 2 ? "global" : "const", &widths[i], 1, (uint32_t)i % 3);
		if (widths[i].bytes <= 4 && i % 3 == 0)
			check_width(r, "global.nc", &widths[i], 4, 1);
		if (i % 3 == 1)
			check_width(r, "global.L1::no_allocate.L2::128B", &widths[i], 2, 0);
	}
}

/* The loads of a full warp whose addresses rise or fall by a number of elements from lane to lane,
 * in each space; the odd rows test each width, twos and fours. */
static void
test_steps(struct rig *r)
{
	static const int step[] = {0, 1, -1, 2, -2, 3, 4};
	static const char *const list[] = {"", "%v0", "{%v0,%v1}", "", "{%v0,%v1,%v2,%v3}"};
	uint32_t bad = 0, n = 0;

	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]) * sizeof(step) / sizeof(step[0]);
	     i++) {
		const struct width *x = &widths[i % (sizeof(widths) / sizeof(widths[0]))];
		int by = step[i / (sizeof(widths) / sizeof(widths[0]))];
		uint32_t reg = (uint32_t)atoi(x->reg + 1) / 8, vec = 1u << i % 3;
		const char *space = i % 2 ? "const" : "global", *conv = reg == 8 ? "mov" : "cvt";
		const uint64_t *got;
		uint32_t bytes, off;
		char text[8192];

		while (vec > 1 && (x->bytes * vec > 16 ||
				   32 * x->bytes * vec * (uint32_t)(by < 0 ? -by : by) > RAW_BYTES))
			vec /= 2;
		bytes = x->bytes * vec;
		if (32 * bytes * (uint32_t)(by < 0 ? -by : by) > RAW_BYTES)
			continue;
		off = by < 0 ? (uint32_t)(-by * 31) * bytes : 0;
		snprintf(
			text, sizeof(text),
			"%s%s%s.reg .%s %%v<4>;\n"
			"mov.u64 %%rd6, raw; mul.lo.s32 %%r4, %%r1, %d;\n"
			"mad.wide.s32 %%rd7, %%r4, %u, %%rd6; mad.wide.u32 %%rd4, %%r1, 8, %%rd1;\n"
			"ld.%s%s.%s %s, [%%rd7+%u]; %s%s%s %%rd5, %%v%u;\n"
			"st.global.u64 [%%rd4], %%rd5; ret;\n}\n",
			HEAD, raw_var(space), BEGIN, x->reg, by, bytes, space,
			vec == 4   ? ".v4"
			: vec == 2 ? ".v2"
				   : "",
			x->type, list[vec], off, conv, reg == 8 ? ".b64" : ".u64.u",
			reg == 8   ? ""
			: reg == 4 ? "32"
				   : "16",
			vec - 1);
		if (rig_run(r, text, 1, 32) != 0) {
			ok(false, "ld.%s.%s, %d elements apart, runs", space, x->type, by);
			return;
		}
		got = (const uint64_t *)(const void *)r->v;
		for (uint32_t l = 0; l < 32; l++)
			bad += got[l] != loaded(off + (uint32_t)(by * (int)(l * bytes)) +
							(vec - 1) * x->bytes,
						x->bytes, x->sign, reg);
		n++;
	}
	ok(!bad && n > 100, "full warps, %u steps and widths", n);
}

/* Stores the low bytes of wider registers, with 37 threads: a full warp and a partial one. */
static void
test_stores(struct rig *r)
{
	static const struct {
		const char *text;
		uint32_t bytes, vec;
	} c[] = {
		{"st.global.u8 [%rd4], %r4;", 1, 1},
		{"st.global.b16 [%rd4], %r4;", 2, 1},
		{"st.global.wb.u32 [%rd4], %r4;", 4, 1},
		{"st.global.u8 [%rd4], %rd5;", 1, 1},
		{"st.global.u16 [%rd4], %rd5;", 2, 1},
		{"st.global.u32 [%rd4], %rd5;", 4, 1},
		{"st.volatile.global.u64 [%rd4], %rd5;", 8, 1},
		{"st.global.v2.u32 [%rd4], {%r4, %r5};", 4, 2},
		{"st.global.v4.u16 [%rd4], {%r4, %r5, %r4, %r5};", 2, 4},
		{"st.relaxed.gpu.v2.u64 [%rd4], {%rd5, %rd6};", 8, 2},
		{"st.v4.b8 [%rd4], {%r4, %r5, %r4, %r5};", 1, 4},
	};
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		uint32_t bytes = c[i].bytes * c[i].vec, bad = 0;
		const uint8_t *got;
		char text[2048];

		snprintf(text, sizeof(text),
			 "%s%s"
			 "mul.lo.u32 %%r4, %%r1, 0x01234567; not.b32 %%r5, %%r4;\n"
			 "mul.wide.u32 %%rd5, %%r4, 0x89abcdef; not.b64 %%rd6, %%rd5;\n"
			 "mad.wide.u32 %%rd4, %%r1, %u, %%rd1;\n%s\nret;\n}\n",
			 HEAD, BEGIN, bytes, c[i].text);
		if (rig_run(r, text, 1, 37) != 0) {
			ok(false, "%s", c[i].text);
			continue;
		}
		got = (const uint8_t *)r->v;
		for (uint32_t t = 0; t < 38; t++) {
			uint32_t r4 = t * 0x01234567u;
			uint64_t rd5 = (uint64_t)r4 * 0x89abcdefu;
			uint64_t v = strstr(c[i].text, "%rd5") ? rd5 : r4;

			for (uint32_t k = 0; k < bytes; k++) {
				uint64_t el = k / c[i].bytes % 2 ? ~v : v;
				uint8_t want = (uint8_t)(el >> 8 * (k % c[i].bytes));

				bad += got[t * bytes + k] != (t < 37 ? want : 0);
			}
		}
		ok(!bad, "%s", c[i].text);
	}
}

int
main(void)
{
	struct rig r = {0};

	test_widths(&r);
	test_steps(&r);
	test_stores(&r);
	rig_end(&r);
	return done();
}
