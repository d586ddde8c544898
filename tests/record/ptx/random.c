/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * random.c - random straight-line PTX programs, run by the emulator and by a scalar interpreter
 * that reads the same text line by line, one thread after the other: all registers of all threads
 * must be equal at the end. They have guards, immediates, all kinds of registers, and a last warp
 * that is not full. A program that differs is cut to its shortest prefix that still differs, and
 * printed.
 */
#include <ctype.h>
#include <math.h>

#include "record/ptx/ptx.h"
#include "tests/tap.h"

#define THREADS 80 /* two warps and a half */
#define PROGRAMS 150
#define LINES 60
#define REGS 6 /* of each kind: r (32 bits), d (64), f (f32), p */
#define OUT_WORDS (4 * REGS)

static uint64_t
next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

/* ---- the instructions: text, operands (the first is written), and what they do ---- */

#define SA ((int32_t)(uint32_t)a)
#define SB ((int32_t)(uint32_t)b)
#define UA ((uint32_t)a)
#define UB ((uint32_t)b)
#define LA ((int64_t)a)
#define LB ((int64_t)b)
#define FA of_bits(a)
#define FB of_bits(b)
#define FC of_bits(c)

static float
of_bits(uint64_t u)
{
	uint32_t w = (uint32_t)u;
	float f;

	memcpy(&f, &w, sizeof(f));
	return f;
}

static uint64_t
bits(float f)
{
	uint32_t u;

	memcpy(&u, &f, sizeof(u));
	return isnan(f) ? 0x7fffffff : u;
}

static uint64_t
ftz(uint64_t u)
{
	return u & 0x7f800000 ? u : u & 0x80000000;
}

static uint64_t
to_int(float f) /* cvt.rzi.s32.f32 */
{
	if (isnan(f))
		return 0;
	return (uint64_t)(f >= 0x1p31f ? INT32_MAX : f < -0x1p31f ? INT32_MIN : (int64_t)f);
}

static uint64_t
field(uint64_t x, unsigned pos, unsigned len, bool sign)
{
	uint64_t r = 0;

	for (unsigned i = 0; i < 32; i++) {
		unsigned at = i < len ? pos + i : pos + len - 1;

		if (i < len ? at < 32 : sign && len)
			r |= (x >> (at < 32 ? at : 31) & 1) << i;
		else if (i < len && sign)
			r |= (x >> 31 & 1) << i;
	}
	return r;
}

#define FORMS(X)                                                                                 \
	X(add_u32_rrr, "add.u32", "rrr", a + b)                                                  \
	X(sub_s32_rrr, "sub.s32", "rrr", a - b)                                                  \
	X(mul_lo_s32_rrr, "mul.lo.s32", "rrr", a *b)                                             \
	X(mul_hi_u32_rrr, "mul.hi.u32", "rrr", (uint64_t)UA *UB >> 32)                           \
	X(mul_hi_s32_rrr, "mul.hi.s32", "rrr", (uint64_t)((int64_t)SA * SB >> 32))               \
	X(mul_wide_u32_drr, "mul.wide.u32", "drr", (uint64_t)UA *UB)                             \
	X(mul_wide_s32_drr, "mul.wide.s32", "drr", (uint64_t)((int64_t)SA * SB))                 \
	X(mad_lo_s32_rrrr, "mad.lo.s32", "rrrr", a *b + c)                                       \
	X(mad_wide_u32_drrd, "mad.wide.u32", "drrd", (uint64_t)UA *UB + c)                       \
	X(add_s64_ddd, "add.s64", "ddd", a + b)                                                  \
	X(sub_u64_ddd, "sub.u64", "ddd", a - b)                                                  \
	X(mul_lo_u64_ddd, "mul.lo.u64", "ddd", a *b)                                             \
	X(div_u32_rrr, "div.u32", "rrr", UB ? UA / UB : ~0u)                                     \
	X(div_s32_rrr, "div.s32", "rrr", SB ? (uint64_t)((int64_t)SA / SB) : ~0u)                \
	X(rem_u32_rrr, "rem.u32", "rrr", UB ? UA % UB : ~0u)                                     \
	X(rem_s32_rrr, "rem.s32", "rrr", SB ? (uint64_t)((int64_t)SA % SB) : ~0u)                \
	X(min_s32_rrr, "min.s32", "rrr", (uint64_t)(SA < SB ? SA : SB))                          \
	X(max_u32_rrr, "max.u32", "rrr", UA > UB ? UA : UB)                                      \
	X(max_s64_ddd, "max.s64", "ddd", LA > LB ? a : b)                                        \
	X(abs_s32_rr, "abs.s32", "rr", SA < 0 ? 0 - a : a)                                       \
	X(neg_s64_dd, "neg.s64", "dd", 0 - a)                                                    \
	X(and_b32_rrr, "and.b32", "rrr", a &b)                                                   \
	X(or_b64_ddd, "or.b64", "ddd", a | b)                                                    \
	X(xor_b32_rrr, "xor.b32", "rrr", a ^ b)                                                  \
	X(not_b32_rr, "not.b32", "rr", ~a)                                                       \
	X(shl_b32_rrr, "shl.b32", "rrr", UB < 32 ? a << UB : 0)                                  \
	X(shr_u32_rrr, "shr.u32", "rrr", UB < 32 ? UA >> UB : 0)                                 \
	X(shr_s32_rrr, "shr.s32", "rrr", (uint64_t)((int64_t)SA >> (UB < 32 ? UB : 63)))         \
	X(shl_b64_ddr, "shl.b64", "ddr", UB < 64 ? a << UB : 0)                                  \
	X(shr_s64_ddr, "shr.s64", "ddr", (uint64_t)(LA >> (UB < 64 ? UB : 63)))                  \
	X(shf_l_wrap_b32_rrrr, "shf.l.wrap.b32", "rrrr", (b << 32 | UA) << (c & 31) >> 32)       \
	X(popc_b64_rd, "popc.b64", "rd", (uint64_t)__builtin_popcountll(a))                      \
	X(clz_b32_rr, "clz.b32", "rr", UA ? (uint64_t)__builtin_clz(UA) : 32)                    \
	X(bfe_u32_rrrr, "bfe.u32", "rrrr", field(UA, b & 255, c & 255, false))                   \
	X(bfe_s32_rrrr, "bfe.s32", "rrrr", field(UA, b & 255, c & 255, true))                    \
	X(mov_b32_rr, "mov.b32", "rr", a)                                                        \
	X(mov_b64_dd, "mov.b64", "dd", a)                                                        \
	X(mov_f32_ff, "mov.f32", "ff", a)                                                        \
	X(cvt_u64_u32_dr, "cvt.u64.u32", "dr", UA)                                               \
	X(cvt_s64_s32_dr, "cvt.s64.s32", "dr", (uint64_t)(int64_t)SA)                            \
	X(cvt_u32_u64_rd, "cvt.u32.u64", "rd", a)                                                \
	X(cvt_rn_f32_s32_fr, "cvt.rn.f32.s32", "fr", bits((float)SA))                            \
	X(cvt_rzi_s32_f32_rf, "cvt.rzi.s32.f32", "rf", to_int(FA))                               \
	X(add_f32_fff, "add.f32", "fff", bits(FA + FB))                                          \
	X(sub_ftz_f32_fff, "sub.ftz.f32", "fff", ftz(bits(of_bits(ftz(UA)) - of_bits(ftz(UB))))) \
	X(mul_f32_fff, "mul.f32", "fff", bits(FA *FB))                                           \
	X(fma_rn_f32_ffff, "fma.rn.f32", "ffff", bits(fmaf(FA, FB, FC)))                         \
	X(div_rn_f32_fff, "div.rn.f32", "fff", bits(FA / FB))                                    \
	X(sqrt_rn_f32_ff, "sqrt.rn.f32", "ff", bits(sqrtf(FA)))                                  \
	X(neg_f32_ff, "neg.f32", "ff", a ^ 0x80000000)                                           \
	X(max_f32_fff, "max.f32", "fff",                                                         \
	  isnan(FA)		 ? bits(FB)                                                      \
	  : isnan(FB) || FA > FB ? bits(FA)                                                      \
	  : FA == FB		 ? a & b                                                         \
				 : bits(FB))                                                                 \
	X(mov_b32_rf, "mov.b32", "rf", a)                                                        \
	X(setp_lt_s32_prr, "setp.lt.s32", "prr", SA < SB)                                        \
	X(setp_ge_u32_prr, "setp.ge.u32", "prr", UA >= UB)                                       \
	X(setp_ne_s64_pdd, "setp.ne.s64", "pdd", a != b)                                         \
	X(setp_gt_f32_pff, "setp.gt.f32", "pff", FA > FB)                                        \
	X(setp_leu_f32_pff, "setp.leu.f32", "pff", !(FA > FB))                                   \
	X(and_pred_ppp, "and.pred", "ppp", a &b)                                                 \
	X(xor_pred_ppp, "xor.pred", "ppp", a ^ b)                                                \
	X(not_pred_pp, "not.pred", "pp", !a)                                                     \
	X(selp_b32_rrrp, "selp.b32", "rrrp", c ? a : b)                                          \
	X(selp_b64_dddp, "selp.b64", "dddp", c ? a : b)                                          \
	X(selp_f32_fffp, "selp.f32", "fffp", c ? a : b)                                          \
	X(slct_s32_s32_rrrr, "slct.s32.s32", "rrrr", (int32_t)(uint32_t)c >= 0 ? a : b)

#define FUNCTION(name, text, operands, expr)                                 \
	static uint64_t name(uint64_t a ATTR_UNUSED, uint64_t b ATTR_UNUSED, \
			     uint64_t c ATTR_UNUSED)                         \
	{                                                                    \
		return (uint64_t)(expr);                                     \
	}
#define ENTRY(name, text, operands, expr) {text, operands, name},

FORMS(FUNCTION)
static const struct form {
	const char *text, *operands;
	uint64_t (*run)(uint64_t a, uint64_t b, uint64_t c);
} forms[] = {FORMS(ENTRY)};

/* ---- the interpreter ---- */

struct thread {
	uint64_t r[REGS], d[REGS], f[REGS], p[REGS];
};

static uint64_t *
register_of(struct thread *t, char kind)
{
	return kind == 'r' ? t->r : kind == 'd' ? t->d : kind == 'f' ? t->f : t->p;
}

/* Returns the value of an operand in the text; *at moves past it and the comma. */
static uint64_t
operand(struct thread *t, const char **at)
{
	const char *s = *at;
	uint64_t v;
	char *end;

	while (*s == ' ' || *s == ',')
		s++;
	if (strncmp(s, "0f", 2) == 0)
		v = strtoull(s + 2, &end, 16);
	else if (isdigit((unsigned char)*s) || *s == '-')
		v = (uint64_t)strtoll(s, &end, 10);
	else
		v = register_of(t, *s)[strtoul(s + 1, &end, 10)];
	*at = end;
	return v;
}

/* Interprets a line such as "@!p1 add.u32 r1, r2, -7;". */
static bool
interpret(struct thread *t, const char *s)
{
	char op[40], first = 0, kind;
	uint64_t v[3] = {0}, x;
	int n = 0, reg;
	bool on = true;

	if (*s == '@') {
		bool negated = s[1] == '!';

		s += 1 + negated;
		on = operand(t, &s) != negated;
	}
	if (sscanf(s, " %39s %c%d%n", op, &kind, &reg, &n) != 3)
		return false;
	s += n;
	if (!on)
		return true;
	for (int k = 0; k < 3 && *s == ','; k++) {
		const char *o = s + 1 + strspn(s + 1, " ");

		first = k == 0 && isalpha((unsigned char)*o) ? *o : first;
		v[k] = operand(t, &s);
	}
	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		const struct form *f = &forms[i];

		if (strcmp(f->text, op) || f->operands[0] != kind ||
		    (first && f->operands[1] != first))
			continue;
		x = f->run(v[0], v[1], v[2]);
		register_of(t, kind)[reg] = kind == 'd' ? x : kind == 'p' ? x & 1 : (uint32_t)x;
		return true;
	}
	return false;
}

/* ---- programs ---- */

struct program {
	char line[LINES][80];
	unsigned n;
};

static void
make(struct program *p, uint64_t *seed)
{
	static const char *const numbers[] = {"0",	     "1",	   "-1",     "5",
					      "31",	     "32",	   "33",     "255",
					      "-2147483648", "2147483647", "1000003"};
	static const char *const floats[] = {"0f3F800000", "0fBF000000", "0f00000000",
					     "0f7F800000", "0f00000001", "0f42280000"};

	for (p->n = 0; p->n < LINES; p->n++) {
		const struct form *f = &forms[next(seed) % ARRAY_LEN(forms)];
		size_t size = sizeof(p->line[0]);
		char *s = p->line[p->n];
		int at = 0;

		if (next(seed) % 4 == 0)
			at += snprintf(s, size, "@%sp%u ", next(seed) & 1 ? "!" : "",
				       (unsigned)(next(seed) % REGS));
		at += snprintf(s + at, size - (size_t)at, "%s", f->text);
		for (const char *o = f->operands; *o; o++) {
			/* never the first source, which distinguishes forms of the same name */
			bool constant = o - f->operands > 1 && next(seed) % 4 == 0;
			const char *sep = o == f->operands ? " " : ", ";

			if (constant && (*o == 'r' || *o == 'd'))
				at += snprintf(s + at, size - (size_t)at, "%s%s", sep,
					       numbers[next(seed) % ARRAY_LEN(numbers)]);
			else if (constant && *o == 'f')
				at += snprintf(s + at, size - (size_t)at, "%s%s", sep,
					       floats[next(seed) % ARRAY_LEN(floats)]);
			else
				at += snprintf(s + at, size - (size_t)at, "%s%c%u", sep, *o,
					       (unsigned)(next(seed) % REGS));
		}
		snprintf(s + at, size - (size_t)at, ";");
	}
}

/* The module: inputs of every thread go into r and f; d and p are computed from them; all are
 * stored at the end. */
static struct ptx_module *
compile(const struct program *p, unsigned n_lines, struct err *e)
{
	static char text[1 << 15];
	size_t size = sizeof(text);
	int n = snprintf(text, size,
			 ".version 7.8\n.target sm_80\n.address_size 64\n"
			 ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
			 ".reg .b32 r<%d>, %%i, %%n; .reg .b64 d<%d>, %%in, %%out, %%at;\n"
			 ".reg .f32 f<%d>; .reg .pred p<%d>;\n"
			 "mov.u32 %%i, %%tid.x;\n"
			 "ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out];\n"
			 "mad.wide.u32 %%in, %%i, %d, %%in; mad.wide.u32 %%out, %%i, %d, %%out;\n",
			 REGS, REGS, REGS, REGS, REGS * 8, OUT_WORDS * 8);

	for (int i = 0; i < REGS; i++)
		n += snprintf(text + n, size - (size_t)n,
			      "ld.global.b64 d%d, [%%in+%d]; cvt.u32.u64 r%d, d%d;\n"
			      "ld.global.f32 f%d, [%%in+%d]; setp.lt.s64 p%d, d%d, 0;\n",
			      i, 8 * i, i, i, i, 8 * i + 4, i, i);
	for (unsigned i = 0; i < n_lines; i++)
		n += snprintf(text + n, size - (size_t)n, "%s\n", p->line[i]);
	for (int i = 0; i < REGS; i++)
		n += snprintf(
			text + n, size - (size_t)n,
			"cvt.u64.u32 %%at, r%d; st.global.b64 [%%out+%d], %%at;\n"
			"st.global.b64 [%%out+%d], d%d;\n"
			"mov.b32 %%n, f%d; cvt.u64.u32 %%at, %%n; st.global.b64 [%%out+%d], %%at;\n"
			"selp.b64 %%at, 1, 0, p%d; st.global.b64 [%%out+%d], %%at;\n",
			i, 8 * i, 8 * (REGS + i), i, i, 8 * (2 * REGS + i), i, 8 * (3 * REGS + i));
	n += snprintf(text + n, size - (size_t)n, "ret;\n}\n");
	return ptx_parse("random.ptx", text, (size_t)n, e);
}

struct rig {
	struct ptx_device *device;
	uint64_t in, out, *host_in, *host_out;
};

/* Runs the first n lines both ways. */
static bool
same(struct rig *g, const struct program *p, unsigned n, bool show)
{
	struct err e = {0};
	uint64_t params[2] = {g->in, g->out};
	struct ptx_module *m = compile(p, n, &e);
	struct ptx_launch l = {.module = m, .block = {THREADS, 1, 1}, .params = params};
	bool good = m && !ptx_load(g->device, m, &e);

	l.kernel = good ? ptx_kernel(m, "k", &e) : NULL;
	good = l.kernel && !ptx_run(g->device, &l, NULL, &e);
	for (unsigned i = 0; i < THREADS && good; i++) {
		struct thread t;
		uint64_t *want[] = {t.r, t.d, t.f, t.p};

		for (unsigned k = 0; k < REGS; k++) {
			uint64_t x = g->host_in[i * REGS + k];

			t.d[k] = x;
			t.r[k] = (uint32_t)x;
			t.f[k] = x >> 32;
			t.p[k] = x >> 63;
		}
		for (unsigned k = 0; k < n && good; k++)
			if (!interpret(&t, p->line[k]))
				good = ok(false, "the interpreter knows: %s", p->line[k]);
		for (unsigned k = 0; k < OUT_WORDS && good; k++) {
			uint64_t got = g->host_out[i * OUT_WORDS + k];

			good = got == want[k / REGS][k % REGS];
			if (!good && show)
				diag("thread %u, %c%u: got %#" PRIx64 ", want %#" PRIx64, i,
				     "rdfp"[k / REGS], k % REGS, got, want[k / REGS][k % REGS]);
		}
	}
	if (show && e.msg[0])
		diag("line %" PRIu64 ": %s", e.line, e.msg);
	ptx_unload(g->device, m, &e);
	ptx_module_free(m);
	return good;
}

static void
show(struct rig *g, const struct program *p)
{
	unsigned n = 1;

	while (n < p->n && same(g, p, n, false))
		n++;
	for (unsigned i = 0; i < n; i++)
		diag("%s", p->line[i]);
	same(g, p, n, true);
}

int
main(void)
{
	struct err e = {0};
	struct rig g = {.device = ptx_device_new(1 << 24, &e)};
	uint64_t seed = 20200527;
	unsigned good = 0;

	g.in = ptx_alloc(g.device, THREADS * REGS * 8, 0, "in", &e);
	g.out = ptx_alloc(g.device, THREADS * OUT_WORDS * 8, 0, "out", &e);
	g.host_in = ptx_host(g.device, g.in, THREADS * REGS * 8, &e);
	g.host_out = ptx_host(g.device, g.out, THREADS * OUT_WORDS * 8, &e);
	if (!ok(g.host_in && g.host_out, "a device: %s", e.msg))
		return done();
	for (unsigned i = 0; i < PROGRAMS; i++) {
		struct program p;

		for (unsigned k = 0; k < THREADS * REGS; k++) {
			uint64_t x = next(&seed);

			g.host_in[k] = x % 4 ? next(&seed) : (next(&seed) % 64) << (x / 4 % 2 * 20);
		}
		make(&p, &seed);
		if (same(&g, &p, p.n, false))
			good++;
		else
			show(&g, &p);
	}
	is_u64(good, PROGRAMS, "random programs give what the interpreter gives");
	ptx_device_free(g.device);
	return done();
}
