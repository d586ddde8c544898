/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * module.c - the properties of a module after it was built: kernels and their parameters,
 * registers, the layout of stacks and shared memory, constants; and errors in texts that parse but
 * have no meaning.
 */
#include "record/ptx/mem/devmem.h"
#include "tests/tap.h"

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"

static struct ptx_module *
parse(const char *text, struct err *e)
{
	err_clear(e);
	return ptx_parse("m.ptx", text, strlen(text), e);
}

/* Returns the module of a correct text. */
static struct ptx_module *
must(const char *text)
{
	struct err e;
	struct ptx_module *m = parse(text, &e);

	if (!m) {
		diag("m.ptx:%u: %s", (unsigned)e.line, e.msg);
		exit(99);
	}
	return m;
}

static const struct ptx_kernel *
kernel(const struct ptx_module *m, const char *name)
{
	const struct ptx_kernel *k = ptx_kernel(m, name, NULL);

	if (!k)
		exit(99);
	return k;
}

static const struct prog_func *
func(const struct ptx_module *m, const char *name)
{
	for (uint32_t i = 0; i < m->ast->n_func; i++)
		if (strcmp(m->func[i].name, name) == 0)
			return &m->func[i];
	exit(99);
}

/* ---- kernels ---- */

static void
test_kernels(void)
{
	struct ptx_module *m =
		must(HEAD ".func helper() { ret; }\n"
			  ".visible .entry vadd(.param .u64 .ptr .global .align 4 a, .param .u8 b, "
			  ".param .f32 c,\n"
			  "  .param .align 16 .b8 d[20], .param .u32 e, .param .s64 f)\n"
			  ".maxntid 128, 2\n.minnctapersm 3\n.maxnreg 40\n{ ret; }\n"
			  ".entry scale() .reqntid 64 { ret; }\n");
	const struct ptx_kernel *k = kernel(m, "vadd");
	static const struct ptx_param want[] = {
		{0, 8, 8, true, false},	    {8, 1, 1, false, false},  {12, 4, 4, false, true},
		{16, 20, 16, false, false}, {36, 4, 4, false, false}, {40, 8, 8, true, false},
	};
	struct err e;

	is_u64(ptx_n_kernels(m), 2, "two kernels; a function is none");
	is_str(ptx_kernel_at(m, 1)->name, "scale", "in the order of the text");
	ok(!ptx_kernel_at(m, 2), "and no more");
	is_u64(k->n_params, 6, "parameters");
	for (unsigned i = 0; i < 6 && i < k->n_params; i++)
		ok(k->param[i].offset == want[i].offset && k->param[i].size == want[i].size &&
			   k->param[i].align == want[i].align &&
			   k->param[i].pointer == want[i].pointer &&
			   k->param[i].real == want[i].real,
		   "parameter %u at %u, %u bytes, aligned to %u%s", i, k->param[i].offset,
		   k->param[i].size, k->param[i].align, k->param[i].pointer ? ", a pointer" : "");
	is_u64(k->param_bytes, 48, "size of the block");
	ok(k->maxntid[0] == 128 && k->maxntid[1] == 2 && k->minnctapersm == 3, "bounds");
	ok(k->maxnreg == 40 && k->regs == 40, ".maxnreg is the number of registers");
	is_u64(kernel(m, "scale")->reqntid[0], 64, ".reqntid");
	ok(!ptx_kernel(m, "vad", &e), "an unknown kernel");
	is_str(e.msg, "no kernel 'vad' in m.ptx; did you mean vadd?", "names the nearest");
	ok(!ptx_kernel(m, "zzzzzzzz", &e) && strstr(e.msg, "it has vadd, scale"), "or some: %s",
	   e.msg);
	ptx_module_free(m);
	m = must(HEAD ".func f() { ret; }\n");
	ok(!ptx_kernel(m, "f", &e) && strstr(e.msg, "which has no kernel at all"),
	   "none at all: %s", e.msg);
	ptx_module_free(m);
	ok(!ptx_parse_file("/nonexistent/x.ptx", &e) && strstr(e.msg, "cannot open"), "no file: %s",
	   e.msg);
	ptx_module_free(NULL);
}

/* ---- frames, stacks ---- */

static void
test_frames(void)
{
	struct ptx_module *m = must(
		HEAD ".entry k() {\n.reg .pred %p, %q; .reg .b16 %h; .reg .b64 %d; .reg .v4 .f32 "
		     "%v; .reg .b32 %r;\n"
		     "setp.eq.u32 %p, %r, 1; setp.eq.u32 %q, %r, 1; mov.b16 %h, 1; mov.b64 %d, 1;\n"
		     "mov.f32 %v.z, 1.0; mov.b32 %r, 1;\nret; }\n");
	const struct prog_func *f = func(m, "k");
	const struct opnd *z = &f->inst[4].dst[0];
	uint32_t end = 0;

	for (unsigned i = 0; i < f->ast->n_reg; i++) { /* vectors are in order and do not overlap */
		const struct ast_reg *r = &f->ast->reg[i];
		bool pred = r->type == TY_PRED;

		ok(pred ? f->reg_off[i] >= 1024 : f->reg_off[i] == end, "vector of %s", r->name);
		end += pred ? 0 : ptx_type_bytes((enum ptx_type)r->type) == 8 ? 256 : 128u * r->vec;
	}
	is_u64(end, 1024, "predicates come after them");
	ok(f->inst[0].dst[0].off + 4 == f->inst[1].dst[0].off ||
		   f->inst[1].dst[0].off + 4 == f->inst[0].dst[0].off,
	   "each a word");
	is_u64(f->frame_bytes, 1056, "size of the frame");
	is_str(f->ast->reg[z->reg].name, "%v", "%s.z belongs to", "%v");
	is_u64(z->off, f->reg_off[z->reg] + 2 * 128, "  and is its third vector");
	ptx_module_free(m);

	m = must(HEAD ".func (.param .b64 out) leaf(.param .b8 x, .param .align 8 .b8 s[12])\n"
		      "{ .local .align 4 .b8 buf[20]; ret; }\n"
		      ".func mid() { .local .b8 a[100]; { .param .b64 r; .param .b8 x; .param "
		      ".align 8 .b8 s[12];\n"
		      "call (r), leaf, (x, s); } ret; }\n"
		      ".func rec() { .local .b8 a[32]; call rec; call mid; ret; }\n"
		      ".func ping(); .func pong() { .local .b8 a[16]; call ping; ret; }\n"
		      ".func ping() { .local .b8 a[48]; call pong; ret; }\n"
		      ".entry flat() { .local .b8 a[8]; ret; }\n"
		      ".entry deep() { .local .b8 a[8]; call mid; ret; }\n"
		      ".entry twice() { .local .b8 a[8]; call rec; ret; }\n"
		      ".entry pair() { call ping; ret; }\n"
		      ".entry any() { .reg .b64 %d; mov.u64 %d, leaf; prot: .callprototype _ ();\n"
		      "call %d, (), prot; ret; }\n");
	f = func(m, "leaf");
	ok(f->var_off[0] == 0 && f->var_off[1] == 8 && f->var_off[2] == 16,
	   "results, then parameters");
	is_u64(f->param_bytes, 28, "size of both");
	is_u64(f->var_off[3], 28, "then variables");
	is_u64(f->stack_bytes, 48, "a frame is a multiple of 16");
	is_u64(func(m, "mid")->stack_bytes, 144, "arguments of calls are in the caller's frame");
	is_u64(kernel(m, "flat")->local_bytes, 16, "local memory of a kernel");
	is_u64(kernel(m, "deep")->local_bytes, 16 + 144 + 48, "with what it calls");
	is_u64(kernel(m, "twice")->local_bytes, 16 + 32 * PROG_MAX_DEPTH + 144 + 48, "recursion");
	is_u64(kernel(m, "pair")->local_bytes, (16 + 48) * PROG_MAX_DEPTH, "in a circle of two");
	is_u64(kernel(m, "any")->local_bytes, 48, "an indirect call of what has its address taken");
	ptx_module_free(m);
}

/* ---- registers of kernels ---- */

static void
test_regs(void)
{
	struct ptx_module *m = must(
		HEAD ".func (.reg .b32 o) many(.reg .b32 x) { .reg .b32 %r<24>;\n"
		     "mul.lo.u32 %r1, x, 3; mul.lo.u32 %r2, x, 5; mul.lo.u32 %r3, x, 7; mul.lo.u32 "
		     "%r4, x, 9;\n"
		     "mul.lo.u32 %r5, x, 11; mul.lo.u32 %r6, x, 13; mul.lo.u32 %r7, x, 15; "
		     "mul.lo.u32 %r8, x, 17;\n"
		     "xor.b32 %r9, %r1, %r2; xor.b32 %r9, %r9, %r3; xor.b32 %r9, %r9, %r4; xor.b32 "
		     "%r9, %r9, %r5;\n"
		     "xor.b32 %r9, %r9, %r6; xor.b32 %r9, %r9, %r7; xor.b32 o, %r9, %r8; ret; }\n"
		     ".entry few() { ret; }\n"
		     ".entry calls() { .reg .b32 %r<3>; mov.u32 %r1, 1; call (%r2), many, (%r1); "
		     "ret; }\n"
		     ".entry says() .maxnreg 7 { .reg .b32 %r<3>; mov.u32 %r1, 1; call (%r2), "
		     "many, (%r1); ret; }\n");

	ok(func(m, "many")->regs >= 9, "a function keeps 8 values: %u registers",
	   func(m, "many")->regs);
	is_u64(kernel(m, "calls")->regs, func(m, "many")->regs, "its caller needs as many");
	ok(kernel(m, "few")->regs < func(m, "many")->regs, "another kernel does not");
	is_u64(kernel(m, "says")->regs, 7, ".maxnreg decides");
	ptx_module_free(m);
}

/* ---- shared memory ---- */

static void
test_shared(void)
{
	struct ptx_module *m = must(
		HEAD ".shared .align 4 .b8 both[12]; .shared .align 8 .b8 only_a[40]; .shared .b8 "
		     "only_b[3];\n"
		     ".shared .b8 unused[4000]; .extern .shared .align 4 .b8 dyn[];\n"
		     ".shared .b32 both2;\n"
		     ".func inner() { .reg .b32 %r; .shared .b32 own; mov.u32 %r, own; ret; }\n"
		     ".func via() { .reg .b32 %r; st.shared.u8 [both], 1; mov.u32 %r, both2; call "
		     "inner; ret; }\n"
		     ".func uses_dyn() { .reg .b32 %r; ld.shared.u32 %r, [dyn]; ret; }\n"
		     ".entry a() { .reg .b32 %r; mov.u32 %r, only_a; mov.u32 %r, both; mov.u32 %r, "
		     "both2; ret; }\n"
		     ".entry b() { .reg .b32 %r; ld.shared.u8 %r, [only_b+2]; call via; ret; }\n"
		     ".entry c() { .reg .b32 %r; mov.u32 %r, dyn; ret; }\n"
		     ".entry d() { .reg .b32 %r; .shared .b8 x[20]; mov.u32 %r, dyn; mov.u32 %r, "
		     "x; ret; }\n"
		     ".entry e() { .shared .b8 x[50]; .reg .b32 %r; mov.u32 %r, x; call uses_dyn; "
		     "ret; }\n"
		     ".entry f() { .reg .b32 %r; call uses_dyn; mov.u32 %r, dyn; ret; }\n"
		     ".entry g() { ret; }\n");
	const uint64_t *at = m->var_addr;

	is_u64(at[0], 0, "what two kernels use comes first");
	is_u64(at[5], 12, "one after the other");
	is_u64(at[1], 16, "then what only one uses");
	is_u64(at[2], 16, "at the same place in another one");
	is_u64(kernel(m, "a")->shared_bytes, 56, "a");
	is_u64(func(m, "inner")->var_off[0], 20, "a variable of a called function");
	is_u64(kernel(m, "b")->shared_bytes, 24, "b");
	is_u64(kernel(m, "c")->shared_bytes, 0, "dynamic memory alone");
	is_u64(func(m, "d")->dyn_shared, 32, "it comes after the rest, aligned to 16");
	is_u64(kernel(m, "d")->shared_bytes, 32, "d");
	is_u64(func(m, "uses_dyn")->dyn_shared, 64,
	       "a function of two kernels: where the larger has it");
	is_u64(func(m, "f")->dyn_shared, 64, "also in the smaller one");
	is_u64(kernel(m, "f")->shared_bytes, 64, "f");
	is_u64(func(m, "c")->dyn_shared, 0, "others do not pay for it");
	is_u64(kernel(m, "g")->shared_bytes, 0, "what is not used takes no room");
	is_u64(m->shared_bytes, 64, "the most of any kernel");
	is_u64(*(const uint32_t *)(const void *)(func(m, "f")->consts +
						 func(m, "f")->inst[1].src[0].off),
	       64, "an address is a constant");
	ptx_module_free(m);
}

/* ---- constants and addresses ---- */

static void
test_consts(void)
{
	struct ptx_module *m =
		must(HEAD ".global .b32 g[4]; .const .b32 c;\n"
			  ".entry k() { .reg .b32 %r<4>; .reg .b64 %d<4>; .reg .b16 %h;\n"
			  "add.u32 %r1, %r2, 7; add.u32 %r1, %r2, 7; add.u64 %d1, %d2, 7; add.u32 "
			  "%r1, %r2, -1;\n"
			  "mov.u16 %h, -1; mov.u64 %d1, g; mov.u64 %d1, g+4; ld.global.u32 %r1, "
			  "[g+8]; mov.u64 %d1, c;\n"
			  "ret; }\n"
			  ".entry other() { .reg .b64 %d<2>; mov.u64 %d1, g; ret; }\n");
	const struct prog_func *f = func(m, "k");
	const struct prog_inst *in = f->inst;
	const uint32_t *c = (const uint32_t *)(const void *)f->consts;

	is_u64(in[0].src[1].off, in[1].src[1].off, "the same constant is one vector");
	ok(in[2].src[1].off != in[0].src[1].off && in[2].src[1].bytes == 8,
	   "but for another width");
	ok(c[in[0].src[1].off / 4] == 7 && c[in[0].src[1].off / 4 + 31] == 7, "its 32 lanes");
	is_u64(c[in[3].src[1].off / 4], UINT32_MAX, "a negative one");
	is_u64(c[in[4].src[0].off / 4], 0xffff, "cut to 16 bits");
	is_u64(m->n_fixup, 4, "addresses that wait for the load: g, g+4, c; g of the other kernel");
	ok(m->fixup[1].addend == 4 && !m->fixup[1].local && m->fixup[1].var == 0 &&
		   m->fixup[1].off == in[6].src[0].off && m->fixup[1].bytes == 8,
	   "one of them");
	ok(in[7].src[0].off == in[5].src[0].off && in[7].imm == 8, "[g+8] is g and a displacement");
	is_u64(m->fixup[3].func, 1, "the other kernel's own");
	ok((uintptr_t)f->consts % 32 == 0, "constants are aligned");
	ptx_module_free(m);
}

/* ---- errors ---- */

static void
test_errors(void)
{
	static const struct {
		const char *text;
		unsigned line;
		const char *msg;
	} bad[] = {
		{".entry k() { .reg .b32 %r<3>;\n  add.u32.eq %r1, %r1, %r2; }\n", 5,
		 "add.u32.eq: unknown modifier '.eq' here"},
		{".entry k() { .reg .b32 %r<3>; .reg .b64 %d;\n\n@!%r1 add.u32 %r1, %r1, %r2; }\n",
		 6, ""},
		{".entry k() { .reg .b32 %r<3>;\n mov.u32 %r1; }\n", 5,
		 "mov.u32: expected 2 operands, found 1"},
		{".entry k() { .reg .b32 %r<3>; .reg .b64 %d;\n add.u32 %r1, %r1, %d; }\n", 5,
		 "add.u32: expected a 32-bit register for .u32, found '%d', a .b64"},
		{".entry k() { .reg .b32 %r<3>;\n cvt.rn.f32x2.f32 %r1, %r2;\n"
		 " cvt.rn.satfinite.u16x2.f32 %r1, %r1, %r2;\n st.async.b32 [%r1], %r1, [%r2]; }\n",
		 5,
		 "cvt.rn.f32x2.f32: .f32x2 is not supported; also missing: "
		 "cvt.rn.satfinite.u16x2.f32, st.async.b32"},
		{".entry k() { .local .b8 a[10000000]; .local .b8 b[10000000]; ret; }\n", 4,
		 "k: more than 16 MiB of local memory"},
		{".entry k() { .shared .b8 a[2000000]; .reg .b32 %r;\n mov.u32 %r, a; ret; }\n", 4,
		 "a: more than 1 MiB of shared memory"},
		{".entry k(.param .align 4 .b8 a[40000]) { ret; }\n", 4,
		 "k: more than 32764 bytes of parameters"},
		{".entry k() { .local .b8 a[8]; .reg .b64 %d;\n add.u64 %d, %d, a; }\n", 5,
		 "add.u64: the address of 'a' differs in every thread: mov it to a register "
		 "first"},
		{".entry k() { .reg .b32 %r;\n add.u32 %r, %r, %clock; }\n", 5,
		 "add.u32: only mov can read the clock"},
	};

	for (unsigned i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		char text[1024];
		struct err e;
		struct ptx_module *m;

		snprintf(text, sizeof(text), "%s%s", HEAD, bad[i].text);
		m = parse(text, &e);
		if (!ok(!m, "refused: %s", bad[i].msg)) {
			ptx_module_free(m);
			continue;
		}
		is_u64(e.line, bad[i].line, "  in line %u of %s", (unsigned)e.line, e.file);
		if (*bad[i].msg)
			is_str(e.msg, bad[i].msg, "  and why");
	}
}

/* A kernel that cannot run names itself and its place in the source; others run. */
static void
test_named(void)
{
	static const char text[] = HEAD
		".file 1 \"k.cu\"\n"
		".visible .entry good() .reqnctapercluster 1, 1, 1 .maxclusterrank 4 { ret; }\n"
		".visible .entry pair() .explicitcluster .reqnctapercluster 1, 2, 1 {\n"
		".loc 1 7 0\nret; }\n"
		".visible .entry new() {\n.loc 1 9 0\nret;\n.loc 1 10 0\nwgmma.x;\nret; }\n";
	struct err e = {0};
	struct ptx_module *m = parse(text, &e);
	const struct ptx_kernel *k = m ? ptx_kernel(m, "good", &e) : NULL;

	ok(k && !k->bad, "clusters of one CTA run %s", e.msg);
	k = m ? ptx_kernel(m, "pair", &e) : NULL;
	if (ok(k && k->bad, "clusters of two do not"))
		is_str(k->bad->msg,
		       "thread block clusters of several CTAs (__cluster_dims__) are not "
		       "supported: kernel pair (k.cu:7)",
		       "which is said with the kernel and its first line");
	k = m ? ptx_kernel(m, "new", &e) : NULL;
	if (ok(k && k->bad, "nor does an instruction that is not known"))
		ok(strstr(k->bad->msg, "kernel new (k.cu:10)"), "with its line: %s", k->bad->msg);
	ptx_module_free(m);
}

int
main(void)
{
	test_named();
	test_kernels();
	test_frames();
	test_regs();
	test_shared();
	test_consts();
	test_errors();
	return done();
}
