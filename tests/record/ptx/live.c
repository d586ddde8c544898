/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * live.c - machine registers: the meaning of a number is checked by walking through functions.
 * Every definition writes a tag into its PTX register and its machine register, and every use must
 * find the same tag in both; copies carry the tag of their source. A walk takes branches and guards
 * at random.
 */
#include "record/ptx/decode/flow.h"
#include "record/ptx/sass/fuse.h"
#include "tests/tap.h"

#define HEAD ".version 6.4\n.target sm_70\n.address_size 64\n"
#define NO_REG 255

static struct ptx_module *
parse(const char *text)
{
	struct err e = {0};
	struct ptx_module *m = ptx_parse("t.ptx", text, strlen(text), &e);

	if (!m) {
		char buf[1200];

		err_format(&e, "error", buf, sizeof(buf));
		diag("%s", buf);
		diag("%s", text);
	}
	return m;
}

/* Returns the machine register of the PTX register of that name in the first function. */
static int
phys(const struct ptx_module *m, const char *name)
{
	const struct prog_func *f = &m->func[0];

	for (uint32_t i = 0; i < f->ast->n_reg; i++)
		if (strcmp(f->ast->reg[i].name, name) == 0)
			return f->phys[i];
	return -1;
}

/* ---- the walk ---- */

static uint64_t
next_random(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return *s;
}

struct walk {
	const struct prog_func *f;
	uint32_t value[512]; /* tags of PTX registers; 0: never written */
	uint32_t machine[256];
	uint32_t taken[600][2]; /* The operands of instructions whose work others do. */
	uint32_t next, wrong;
};

static uint32_t
reg_of(struct opnd o)
{
	return o.bytes != OPND_NONE && o.base == BASE_FRAME ? o.reg : UINT32_MAX;
}

static bool
is_wide(const struct walk *w, uint32_t r)
{
	return ptx_type_bytes((enum ptx_type)w->f->ast->reg[r].type) == 8 && !w->f->narrow[r];
}

static void
use(struct walk *w, struct opnd o, uint32_t line)
{
	uint32_t r = reg_of(o), p;

	if (r == UINT32_MAX || (p = w->f->phys[r]) == NO_REG || !w->value[r])
		return;
	if (w->machine[p] != w->value[r] || (is_wide(w, r) && w->machine[p + 1] != w->value[r])) {
		if (!w->wrong++)
			diag("line %u: %s is no longer in R%u", line, w->f->ast->reg[r].name, p);
	}
}

static void
define(struct walk *w, struct opnd o, uint32_t tag)
{
	uint32_t r = reg_of(o);

	if (r == UINT32_MAX)
		return;
	w->value[r] = tag;
	if (w->f->phys[r] == NO_REG)
		return;
	w->machine[w->f->phys[r]] = tag;
	if (is_wide(w, r))
		w->machine[w->f->phys[r] + 1] = tag;
}

static uint32_t
tag_of(const struct walk *w, struct opnd o)
{
	return reg_of(o) == UINT32_MAX ? 0 : w->value[reg_of(o)];
}

static void
execute(struct walk *w, uint32_t i)
{
	const struct prog_inst *in = &w->f->inst[i], *first = fuse_first(w->f, i);
	uint32_t src, taken = first ? first->dst[0].reg : UINT32_MAX, k, tag = ++w->next;

	if (fuse_is_done(w->f, i)) {
		for (k = 0; k < in->n_src && k < 2; k++)
			w->taken[i][k] = tag_of(w, in->src[k]);
		w->value[in->dst[0].reg] = 0; /* it has no place, and nothing may read it */
		return;
	}
	for (k = 0; k < in->n_src; k++)
		if (reg_of(in->src[k]) != taken)
			use(w, in->src[k], in->line);
	for (k = 0; first && k < first->n_src; k++) {
		use(w, first->src[k], in->line);
		if (k < 2 && tag_of(w, first->src[k]) != w->taken[w->f->fused[i]][k]) {
			w->wrong++;
			diag("line %u: operand %u of line %u has changed", in->line, k,
			     first->line);
		}
	}
	/* these conversions are between integers of 32 and 64 bits: the low word stays the same */
	src = in->n_src == 1 && in->n_dst == 1 &&
			      (in->op == PTX_mov || in->op == PTX_cvta || in->op == PTX_cvt)
		      ? reg_of(in->src[0])
		      : UINT32_MAX;
	if (src != UINT32_MAX && w->value[src])
		tag = w->value[src];
	for (k = 0; k < in->n_dst; k++)
		define(w, in->dst[k], tag);
}

/* Counts the uses that found another value, in a random walk of at most `steps` instructions. */
static uint32_t
walk(const struct ptx_module *m, uint64_t seed, uint32_t steps)
{
	struct walk w = {.f = &m->func[0]};
	uint32_t i = 0, to[16], n;

	while (steps-- && i < w.f->n_inst) {
		bool guarded = w.f->inst[i].flags & (PF_GUARD | PF_GUARD_NOT);

		if (!guarded || w.f->inst[i].op == PTX_bra || next_random(&seed) % 2)
			execute(&w, i);
		n = flow_next(m, w.f, i, to, 16);
		if (!n)
			break;
		i = to[next_random(&seed) % n];
	}
	return w.wrong;
}

/* ---- known cases ---- */

static void
small_cases(void)
{
	struct ptx_module *m = parse(
		HEAD ".visible .entry k(.param .u64 p, .param .u32 n, .param .f32 x) {\n"
		     ".reg .pred %q; .reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .f32 %f<9>;\n"
		     "ld.param.u64 %rd1, [p];\n ld.param.u32 %r1, [n];\n ld.param.f32 %f1, [x];\n"
		     "mov.u32 %r2, %tid.x;\n mov.u32 %r3, %ntid.x;\n mov.u32 %r4, 7;\n"
		     "setp.lt.u32 %q, %r2, %r1;\n"
		     "cvta.to.global.u64 %rd2, %rd1;\n"
		     "ld.global.u64 %rd3, [%rd2];\n"
		     "mad.lo.u32 %r5, %r2, %r3, %r4;\n"
		     "mov.u32 %r6, %r5;\n"
		     "cvt.rn.f32.u32 %f2, %r6;\n fma.rn.f32 %f3, %f2, %f1, %f1;\n"
		     "st.global.f32 [%rd3], %f3;\n ret;\n}\n");

	if (!m) {
		ok(false, "the first kernel parses");
		return;
	}
	is_u64((uint64_t)phys(m, "%r1"), NO_REG, "a parameter that arithmetic reads is a constant");
	is_u64((uint64_t)phys(m, "%f1"), NO_REG, "a float one too");
	is_u64((uint64_t)phys(m, "%r3"), NO_REG, "so is %%ntid");
	is_u64((uint64_t)phys(m, "%r4"), NO_REG, "and an immediate");
	is_u64((uint64_t)phys(m, "%q"), NO_REG, "a predicate has no register");
	ok(phys(m, "%rd1") != NO_REG, "a parameter that is an address needs a register");
	is_u64((uint64_t)phys(m, "%rd1"), (uint64_t)phys(m, "%rd2"), "and shares it with its cvta");
	is_u64((uint64_t)phys(m, "%r5"), (uint64_t)phys(m, "%r6"), "a copy shares its source's");
	ok(phys(m, "%rd3") % 2 == 0 && phys(m, "%rd3") > 0,
	   "64 bits are an even pair, not that of R1");
	/* R0 for %r5, R1, a pair for %rd1 and then %rd3 */
	is_u64(m->func[0].regs, 4, "4 registers suffice");
	is_u64(ptx_kernel_at(m, 0)->regs, m->func[0].regs, "the kernel has the function's count");
	ptx_module_free(m);
}

static bool
is_narrow(const struct ptx_module *m, const char *name)
{
	const struct prog_func *f = &m->func[0];

	for (uint32_t i = 0; i < f->ast->n_reg; i++)
		if (strcmp(f->ast->reg[i].name, name) == 0)
			return f->narrow[i];
	return false;
}

/* 64-bit values whose high half is never read. A read may come only later in the text. */
static void
narrow_values(void)
{
	struct ptx_module *m =
		parse(HEAD ".visible .entry k(.param .u64 p) {\n.shared .b8 sh[64];\n"
			   ".reg .pred %q; .reg .b32 %r<4>; .reg .b64 %rd<9>;\n"
			   "ld.param.u64 %rd0, [p];\nmov.u32 %r1, %tid.x;\n"
			   "cvt.u64.u32 %rd1, %r1;\nmov.u64 %rd2, 0;\ncvt.u64.u32 %rd7, %r1;\n"
			   "shr.u64 %rd7, %rd7, 3;\n"
			   "LOOP:\nst.global.u64 [%rd0], %rd2;\nadd.s64 %rd1, %rd1, 1;\n"
			   "mov.u64 %rd2, %rd1;\nmul.wide.u32 %rd3, %r1, 4;\nmov.u64 %rd4, sh;\n"
			   "add.s64 %rd5, %rd3, %rd4;\nst.shared.u32 [%rd5], %r1;\n"
			   "add.s64 %rd6, %rd7, 1;\ncvt.u32.u64 %r2, %rd6;\n"
			   "setp.lt.u32 %q, %r2, 9;\n@%q bra LOOP;\nret;\n}\n");

	if (!m) {
		ok(false, "the narrow kernel parses");
		return;
	}
	ok(is_narrow(m, "%rd5") && is_narrow(m, "%rd3"), "an address of shared memory is narrow");
	ok(is_narrow(m, "%rd6"), "what is cut to 32 bits, too");
	ok(!is_narrow(m, "%rd0"), "an address of global memory is not");
	ok(!is_narrow(m, "%rd7"), "nor what is shifted to the right");
	ok(!is_narrow(m, "%rd2"), "nor what is stored");
	ok(!is_narrow(m, "%rd1"), "nor what becomes that in the next round");
	ptx_module_free(m);
}

/* n values are live at the same time. */
static void
pressure(uint32_t n, uint32_t least, uint32_t most)
{
	char *text = malloc(1 << 20);
	size_t at = (size_t)sprintf(text,
				    HEAD ".visible .entry k(.param .u64 p) {\n.reg .b64 %%rd;\n"
					 ".reg .b32 %%r<%u>;\nld.param.u64 %%rd, [p];\n",
				    n + 2);
	struct ptx_module *m;
	bool one_is_free = true;

	for (uint32_t i = 0; i < n; i++)
		at += (size_t)sprintf(text + at, "ld.volatile.global.u32 %%r%u, [%%rd+%u];\n", i,
				      4 * i);
	for (uint32_t i = 0; i < n; i++)
		at += (size_t)sprintf(text + at, "st.volatile.global.u32 [%%rd+%u], %%r%u;\n",
				      4 * i, i);
	sprintf(text + at, "ret;\n}\n");
	m = parse(text);
	free(text);
	if (!m) {
		ok(false, "%u values parse", n);
		return;
	}
	for (uint32_t i = 0; i < m->func[0].ast->n_reg; i++)
		one_is_free = one_is_free && m->func[0].phys[i] != 1;
	ok(m->func[0].regs >= least && m->func[0].regs <= most,
	   "%u values at a time: %u registers, expected %u to %u", n, m->func[0].regs, least, most);
	ok(one_is_free, "R1 is left free");
	if (n < 250)
		is_u64(walk(m, 1, 10000), 0, "each is where it was put");
	ptx_module_free(m);
}

/* A sequence of temporaries needs no more registers than one. */
static void
chain(void)
{
	char *text = malloc(1 << 16);
	size_t at =
		(size_t)sprintf(text, HEAD ".visible .entry k(.param .u64 p) {\n.reg .b64 %%rd;\n"
					   ".reg .b32 %%r<400>;\nld.param.u64 %%rd, [p];\n"
					   "ld.global.u32 %%r0, [%%rd];\n");
	struct ptx_module *m;

	for (int i = 0; i < 300; i++)
		at += (size_t)sprintf(text + at, "popc.b32 %%r%d, %%r%d;\n", i + 1, i);
	sprintf(text + at, "st.global.u32 [%%rd], %%r300;\nret;\n}\n");
	m = parse(text);
	free(text);
	ok(m && m->func[0].regs == 4, "300 temporaries one after the other: R0, R1, a pair");
	ptx_module_free(m);
}

/* ---- random programs ---- */

/* As in compilers' output, temporaries are written once and read only in their block; the other
 * registers are written again and again. */
struct program {
	char *text;
	size_t at;
	uint64_t s;
	uint32_t n32, n64;	   /* temporaries so far */
	uint32_t first32, first64; /* of this block */
};

/* Writes "%r7", or "%t3" that was written before in this block. */
static void
operand(struct program *p, bool wide, char buf[16])
{
	uint32_t n = wide ? p->n64 : p->n32, first = wide ? p->first64 : p->first32;

	if (n > first && next_random(&p->s) % 2)
		sprintf(buf, "%s%u", wide ? "%u" : "%t",
			(unsigned)(first + next_random(&p->s) % (n - first)));
	else
		sprintf(buf, "%s%u", wide ? "%rd" : "%r", (unsigned)(next_random(&p->s) % 8));
}

static void
random_block(struct program *p)
{
	static const struct {
		const char *op, *last;
		uint8_t to, a, b; /* 1: 32 bits, 2: 64 bits, 0: missing, 3: predicate */
	} form[] = {
		{"add.u32", "", 1, 1, 1},      {"mul.lo.u32", "", 1, 1, 1},
		{"xor.b32", "", 1, 1, 1},      {"and.b32", "", 1, 1, 1},
		{"mov.u32", "", 1, 1, 0},      {"@%q add.u32", "", 1, 1, 1},
		{"mov.u32", ", 5", 1, 0, 0},   {"cvt.u64.u32", "", 2, 1, 0},
		{"mul.wide.u32", "", 2, 1, 1}, {"add.s64", "", 2, 2, 2},
		{"cvt.u32.u64", "", 1, 2, 0},  {"mov.u64", "", 2, 2, 0},
		{"shl.b64", ", 3", 2, 2, 0},   {"shl.b32", ", 3", 1, 1, 0},
		{"setp.lt.u32", "", 3, 1, 1},  {"@!%q mov.u64", "", 2, 2, 0},
	};
	uint32_t n = 1 + next_random(&p->s) % 12;

	p->first32 = p->n32;
	p->first64 = p->n64;
	while (n--) {
		uint32_t k = next_random(&p->s) % ARRAY_LEN(form);
		bool wide = form[k].to == 2, fresh = next_random(&p->s) % 2 && form[k].op[0] != '@';
		char to[16] = "%q", a[16] = "", b[16] = "";

		if (form[k].a)
			operand(p, form[k].a == 2, a);
		if (form[k].b)
			operand(p, form[k].b == 2, b);
		if (form[k].to != 3 && fresh)
			sprintf(to, "%s%u", wide ? "%u" : "%t", wide ? p->n64++ : p->n32++);
		else if (form[k].to != 3)
			sprintf(to, "%s%u", wide ? "%rd" : "%r",
				(unsigned)(next_random(&p->s) % 8));
		p->at += (size_t)sprintf(p->text + p->at, "%s %s%s%s%s%s%s;\n", form[k].op, to,
					 *a ? ", " : "", a, *b ? ", " : "", b, form[k].last);
	}
}

static void
random_programs(void)
{
	struct program p = {.text = malloc(1 << 16), .s = 88172645463325252u};
	uint32_t wrong = 0, programs = 0, pairs = 0, shared = 0;

	for (int k = 0; k < 300; k++) {
		uint32_t blocks = 1 + next_random(&p.s) % 8;
		struct ptx_module *m;

		p.n32 = p.n64 = 0;
		p.at = (size_t)sprintf(
			p.text, HEAD ".visible .entry k(.param .u64 p) {\n.reg .pred %%q;\n"
				     ".reg .b32 %%r<8>, %%t<99>; .reg .b64 %%rd<8>, %%u<99>, %%p;\n"
				     "ld.param.u64 %%p, [p];\n");
		for (int i = 0; i < 8; i++)
			p.at += (size_t)sprintf(p.text + p.at,
						"ld.global.u32 %%r%d, [%%p+%d];\n"
						"ld.global.u64 %%rd%d, [%%p+%d];\n",
						i, 8 * i, i, 8 * i + 64);
		for (uint32_t b = 0; b < blocks; b++) {
			p.at += (size_t)sprintf(p.text + p.at, "L%u:\n", b);
			random_block(&p);
			if (next_random(&p.s) % 2)
				p.at += (size_t)sprintf(p.text + p.at, "@%%q bra L%u;\n",
							(unsigned)(next_random(&p.s) % blocks));
		}
		sprintf(p.text + p.at, "ret;\n}\n");
		m = parse(p.text);
		if (!m)
			continue;
		programs++;
		for (uint32_t i = 0; i < m->func[0].n_inst; i++) {
			const struct prog_inst *in = &m->func[0].inst[i];

			pairs += fuse_is_done(&m->func[0], i);
			shared += (in->op == PTX_mov || in->op == PTX_cvt) && in->n_src == 1 &&
				  reg_of(in->src[0]) != UINT32_MAX &&
				  live_phys(&m->func[0], in->src[0]) ==
					  live_phys(&m->func[0], in->dst[0]);
		}
		for (uint64_t seed = 1; seed <= 4; seed++)
			wrong += walk(m, seed * 7919, 400) != 0;
		if (wrong == 1)
			diag("%s", p.text);
		ptx_module_free(m);
	}
	free(p.text);
	is_u64(programs, 300, "300 random programs are understood");
	is_u64(wrong, 0, "and every value is found where it was put");
	ok(pairs > 100 && shared > 100, "%u pairs and %u copies among them", pairs, shared);
}

int
main(void)
{
	small_cases();
	narrow_values();
	chain();
	pressure(20, 22, 26);
	pressure(100, 102, 106);
	pressure(400, 255, 255);
	random_programs();
	return done();
}
