/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alu.h - instructions compared with C: every thread of a kernel has four 64-bit inputs; the code
 * under test reads them as h1 .. h4 (16 bits), r1 .. r4 (32), d1 .. d4 (64) and leaves its result
 * in h0, r0 or d0. It runs twice: in whole warps, and after a branch that about every second thread
 * does not take; the results of the others must be unchanged.
 */
#ifndef TESTS_UNIT_PTX_ALU_H
#define TESTS_UNIT_PTX_ALU_H

#include "record/ptx/ptx.h"
#include "tests/tap.h"

#define ALU_THREADS 2048
#define ALU_SENTINEL 0x5a5a5a5a5a5a5a5aull

struct alu_case {
	const char *text;
	char out; /* 'h', 'r', 'd' */
	uint64_t (*want)(uint64_t a, uint64_t b, uint64_t c, uint64_t d);
	bool (*same)(uint64_t got, uint64_t want); /* NULL: the bits must be equal */
};

struct alu_rig {
	struct ptx_device *device;
	uint64_t in, out; /* 5 words per thread, the fifth says who branches; 1 word */
	uint64_t *host_in, *host_out;
};

/* Computes the result of a SIMD video instruction with n parts. how: 1 saturated, 2 summed up. */
static inline uint64_t
simd(uint64_t a, uint64_t b, uint64_t c, int n, char op, bool sign, int how)
{
	int bits = 32 / n;
	int64_t one = (int64_t)1 << bits, low = sign ? -one / 2 : 0, high = low + one - 1;
	uint64_t sum = how == 2 ? (uint32_t)c : 0;

	for (int i = 0; i < n; i++) {
		int64_t x = (int64_t)(a >> bits * i) & (one - 1), r;
		int64_t y = (int64_t)(b >> bits * i) & (one - 1);

		x -= sign && x >= one / 2 ? one : 0;
		y -= sign && y >= one / 2 ? one : 0;
		r = op == '+'	? x + y
		    : op == '-' ? x - y
		    : op == '<' ? (x < y ? x : y)
		    : op == '>' ? (x < y ? y : x)
		    : op == 'l' ? x < y
		    : op == 'd' ? (x < y ? y - x : x - y)
		    : x + y < 0 ? -((-(x + y) + 1) / 2)
				: (x + y + 1) / 2;
		r = how == 1 && r < low ? low : how == 1 && r > high ? high : r;
		sum += how == 2 ? (uint64_t)r : (uint64_t)(r & (one - 1)) << bits * i;
	}
	return (uint32_t)sum;
}

static inline uint64_t
alu_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static inline bool
alu_open(struct alu_rig *g)
{
	struct err e = {0};

	g->device = ptx_device_new(1 << 24, &e);
	g->in = ptx_alloc(g->device, ALU_THREADS * 40, 0, "in", &e);
	g->out = ptx_alloc(g->device, ALU_THREADS * 8, 0, "out", &e);
	g->host_in = ptx_host(g->device, g->in, ALU_THREADS * 40, &e);
	g->host_out = ptx_host(g->device, g->out, ALU_THREADS * 8, &e);
	return ok(g->host_in && g->host_out, "a device: %s", e.msg);
}

/* Fills the inputs: one half with edge values, the other with random numbers. */
static inline void
alu_fill(struct alu_rig *g, const uint64_t *edge, unsigned n, uint64_t seed)
{
	for (unsigned i = 0; i < ALU_THREADS * 5; i++) {
		uint64_t x = alu_random(&seed);

		g->host_in[i] = x & 1 ? edge[x / 2 % n] : alu_random(&seed);
	}
}

/* Parses a module with the code as kernels "whole" and "part". Returns NULL with e. */
static inline struct ptx_module *
alu_parse(const char *code, char out, struct err *e)
{
	static const char head[] = ".version 8.6\n.target sm_90\n.address_size 64\n";
	static const char kernel[] =
		".visible .entry %s(.param .u64 in, .param .u64 out)\n{\n"
		".reg .b16 h<10>; .reg .b32 r<20>; .reg .b64 d<20>; .reg .pred p<10>;\n"
		".reg .b64 %%in, %%out, %%at; .reg .b32 %%i, %%n;\n"
		"ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out];\n"
		"mov.u32 %%i, %%ctaid.x; mov.u32 %%n, %%ntid.x;\n"
		"mul.lo.u32 %%i, %%i, %%n; mov.u32 %%n, %%tid.x; add.u32 %%i, %%i, %%n;\n"
		"mul.wide.u32 %%at, %%i, 40; add.u64 %%in, %%in, %%at;\n"
		"mul.wide.u32 %%at, %%i, 8; add.u64 %%out, %%out, %%at;\n"
		"ld.global.b64 d1, [%%in]; ld.global.b64 d2, [%%in+8];\n"
		"ld.global.b64 d3, [%%in+16]; ld.global.b64 d4, [%%in+24];\n"
		"ld.global.b32 r1, [%%in]; ld.global.b32 r2, [%%in+8];\n"
		"ld.global.b32 r3, [%%in+16]; ld.global.b32 r4, [%%in+24];\n"
		"ld.global.b16 h1, [%%in]; ld.global.b16 h2, [%%in+8];\n"
		"ld.global.b16 h3, [%%in+16]; ld.global.b16 h4, [%%in+24];\n"
		"ld.global.b64 d0, [%%out]; ld.global.b32 r0, [%%out]; ld.global.b16 h0, [%%out];\n"
		"%s\n%s\nSKIP: st.global.b%s [%%out], %c0;\nret;\n}\n";
	static const char skip[] =
		"ld.global.b32 %n, [%in+32]; setp.lt.s32 p9, %n, 0; @p9 bra SKIP;";
	const char *bits = out == 'h' ? "16" : out == 'r' ? "32" : "64";
	static char text[1 << 16];
	int n = snprintf(text, sizeof(text), "%s", head);

	n += snprintf(text + n, sizeof(text) - (size_t)n, kernel, "whole", "", code, bits, out);
	n += snprintf(text + n, sizeof(text) - (size_t)n, kernel, "part", skip, code, bits, out);
	return ptx_parse("test.ptx", text, (size_t)n, e);
}

static inline bool
alu_check(struct alu_rig *g, const struct alu_case *c, bool part)
{
	uint64_t cut = c->out == 'h' ? 0xffff : c->out == 'r' ? 0xffffffff : ~0ull;

	for (unsigned i = 0; i < ALU_THREADS; i++) {
		const uint64_t *x = &g->host_in[5 * i];
		bool off = part && (int32_t)(uint32_t)x[4] < 0;
		uint64_t got = g->host_out[i] & cut, want;

		want = (off ? ALU_SENTINEL : c->want(x[0], x[1], x[2], x[3])) & cut;
		if (got == want || (!off && c->same && c->same(got, want)))
			continue;
		diag("%s%s: a %#" PRIx64 " b %#" PRIx64 " c %#" PRIx64 " d %#" PRIx64
		     ": got %#" PRIx64 ", want %#" PRIx64,
		     c->text, part ? " (part)" : "", x[0], x[1], x[2], x[3], got, want);
		return false;
	}
	return true;
}

static inline bool
alu_run(struct alu_rig *g, const struct alu_case *c)
{
	struct err e = {0};
	struct ptx_module *m = alu_parse(c->text, c->out, &e);
	uint64_t params[2] = {g->in, g->out};
	bool good = m && !ptx_load(g->device, m, &e);

	for (unsigned part = 0; part < 2 && good; part++) {
		struct ptx_launch l = {.module = m,
				       .kernel = ptx_kernel(m, part ? "part" : "whole", &e),
				       .grid = {ALU_THREADS / 256, 1, 1},
				       .block = {256, 1, 1},
				       .params = params};

		for (unsigned i = 0; i < ALU_THREADS; i++)
			g->host_out[i] = ALU_SENTINEL;
		good = l.kernel && !ptx_run(g->device, &l, NULL, &e) && alu_check(g, c, part);
	}
	if (e.msg[0])
		diag("%s: line %" PRIu64 ": %s", c->text, e.line, e.msg);
	ptx_unload(g->device, m, &e);
	ptx_module_free(m);
	return ok(good, "%s", c->text);
}

/* Checks that the text is rejected with a message that contains the words. */
static inline void
alu_refused(const char *code, const char *words)
{
	struct err e = {0};
	struct ptx_module *m = alu_parse(code, 'r', &e);

	ok(!m && strstr(e.msg, words), "refused: %s (%s)", code, e.msg);
	ptx_module_free(m);
}

#endif
