/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.c - kernels executed into a trace in memory, and the table of machine instructions. */
#include "record/ptx/decode/prog.h"
#include "record/ptx/ptx_record.h"
#include "tests/tap.h"
#include "trace/trace.h"

#define HEAD ".version 6.4\n.target sm_70\n.address_size 64\n"

/* ---- running ---- */

struct job {
	const char *text;
	uint32_t grid[3], block[3], shared, regs;
	uint64_t bytes; /* bytes of the buffer that is the first parameter */
	uint32_t more;	/* the second parameter */
};

static struct trace *
record(const struct job *j, uint64_t *buffer, struct err *e)
{
	struct ptx_module *m = ptx_parse("k.ptx", j->text, strlen(j->text), e);
	struct ptx_device *d = m ? ptx_device_new(0, e) : NULL;
	struct trace_writer *w = trace_writer_new(NULL, e);
	struct ptx_recorder *r = ptx_recorder_new(w, e);
	struct ptx_launch l = {.module = m,
			       .shared_bytes = j->shared,
			       .sink = ptx_recorder_sink(r)};
	uint8_t params[16] = {0};
	struct trace *t = NULL;

	memcpy(l.grid, j->grid, sizeof(l.grid));
	memcpy(l.block, j->block, sizeof(l.block));
	ptx_recorder_set_regs(r, j->regs);
	if (d && ptx_load(d, m, e) == 0) {
		*buffer = ptx_alloc(d, j->bytes ? j->bytes : 4096, 0, "buffer", e);
		memcpy(params, buffer, 8);
		memcpy(params + 8, &j->more, 4);
		l.kernel = ptx_kernel_at(m, 0);
		l.params = params;
		if (ptx_run(d, &l, NULL, e) == 0) {
			t = trace_writer_trace(w, e);
			w = NULL;
		}
	}
	ptx_recorder_free(r);
	trace_writer_abort(w);
	ptx_device_free(d);
	ptx_module_free(m);
	if (!t) {
		char buf[1200];

		err_format(e, "error", buf, sizeof(buf));
		diag("%s", buf);
	}
	return t;
}

/* Returns the opcodes of a warp of the first CTA, without suffixes, separated by blanks. */
static const char *
opcodes(struct trace *t, uint32_t warp, char *buf, size_t size)
{
	const struct trace_kernel *k = trace_info(t)->kernel;
	const struct cta_trace *c = trace_pin(t, 0, 0, NULL);
	size_t n = 0;

	buf[0] = '\0';
	for (uint32_t i = 0; c && i < c->warp[warp].n; i++) {
		const char *text = k->inst[c->warp[warp].rec[i].inst].text;

		n += (size_t)snprintf(buf + n, size - n, "%s%.*s", n ? " " : "",
				      (int)strcspn(text, ". "), text);
	}
	trace_unpin(t, 0, c);
	return buf;
}

/* ---- a whole kernel ---- */

static const char vadd[] = HEAD
	".visible .entry scale(.param .u64 p, .param .u32 n) {\n"
	".reg .pred %q; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<4>;\n"
	".shared .align 4 .b8 sh[64];\n"
	"ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\n"
	".loc 1 7 0\n"
	"mov.u32 %r6, sh;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\n"
	"mad.lo.u32 %r5, %r2, %r3, %r4;\n"
	"setp.ge.u32 %q, %r5, %r1;\n@%q bra END;\n"
	".loc 1 9 0\n"
	"mul.wide.u32 %rd2, %r5, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
	"ld.global.f32 %f1, [%rd3];\nadd.f32 %f2, %f1, %f1;\nst.global.f32 [%rd3+128], %f2;\n"
	"END:\nret;\n}\n.file 1 \"dir/scale.cu\"\n";

static void
whole_kernel(void)
{
	const struct job j = {vadd, {3, 1, 1}, {40, 1, 1}, 100, 0, 1 << 16, 100};
	struct err e = {0};
	uint64_t p, lane[WARP_SIZE];
	struct trace *t = record(&j, &p, &e);
	const struct trace_kernel *k;
	const struct cta_trace *c;
	const struct winst *r;
	uint32_t mask, i;
	char buf[400];

	if (!t) {
		ok(false, "a kernel is recorded");
		return;
	}
	k = trace_info(t)->kernel;
	is_u64(trace_info(t)->n_kernels, 1, "a launch is a kernel");
	is_str(k->name, "scale", "its name");
	ok(k->grid[0] == 3 && k->block[0] == 40 && k->block[1] == 1, "its grid and block");
	is_u64(k->shmem, 164, "static and dynamic shared memory");
	ok(k->regs >= 4 && k->regs <= 10, "%u registers", k->regs);
	is_u64(k->binary_version, 70, "Volta");
	ok(k->shmem_base == PTX_SHARED_BASE && k->local_base == PTX_LOCAL_BASE, "the windows");
	is_u64(k->warp_insts, 5 * 10 + 1 * 6,
	       "warp instructions: 5 warps do all, the last but exits");
	is_str(opcodes(t, 0, buf, sizeof(buf)), "S2R S2R IMAD ISETP BRA IMAD LDG FADD STG EXIT",
	       "the machine instructions of the first warp");
	is_u64(k->n_files, 1, "one source file");
	is_str(k->files[0], "dir/scale.cu", "its name");
	is_u64(k->inst[0].line, 7, "the line of the first instruction");
	for (i = 0; i + 1 < k->n_inst && k->inst[i + 1].pc == k->inst[i].pc + 16;)
		i++;
	is_u64(i + 1, k->n_inst, "program counters are 16 apart");

	c = trace_pin(t, 0, 0, NULL);
	r = &c->warp[0].rec[6];
	mask = trace_lanes(c, r, lane);
	is_u64(mask, UINT32_MAX, "the load of all 32 lanes");
	ok(lane[0] == p && lane[31] == p + 124, "its addresses");
	is_u64(k->inst[r->inst].width, 4, "and width");
	mask = trace_lanes(c, &c->warp[0].rec[8], lane);
	ok(lane[5] == p + 20 + 128 && mask == UINT32_MAX, "the store, with its displacement");
	is_u64(c->warp[1].rec[0].mask, 0xff, "the second warp has 8 lanes");
	trace_unpin(t, 0, c);

	c = trace_pin(t, 0, 2, NULL);
	is_u64(c->warp[0].rec[c->warp[0].n - 1].mask, UINT32_MAX,
	       "all lanes of a divergent warp exit");
	is_u64(c->warp[0].rec[5].mask, 0xfffff, "those below n load");
	is_u64(c->warp[1].n, 6, "a warp with nothing to do branches and exits");
	trace_unpin(t, 0, c);
	trace_close(t);
}

/* ---- single instructions ---- */

#define BODY_HEAD                                                                                 \
	HEAD ".const .align 4 .b8 table[64];\n"                                                   \
	     ".visible .entry k(.param .u64 p, .param .u32 n) {\n"                                \
	     ".shared .align 16 .b8 sh[256]; .local .align 16 .b8 lo[64];\n"                      \
	     ".reg .pred %q<4>; .reg .b16 %h<8>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 " \
	     "%f<9>; "                                                                            \
	     ".reg .f64 %d<9>;\n"                                                                 \
	     "ld.param.u64 %rd0, [p];\n"                                                          \
	     "ld.volatile.global.u32 %r0, [%rd0];\nld.volatile.global.u32 %r1, [%rd0+4];\n"       \
	     "ld.volatile.global.u64 %rd1, [%rd0+8];\nld.volatile.global.u64 %rd2, [%rd0+16];\n"  \
	     "ld.volatile.global.f32 %f0, [%rd0];\nld.volatile.global.f32 %f1, [%rd0];\n"         \
	     "ld.volatile.global.f64 %d0, [%rd0];\nld.volatile.global.f64 %d1, [%rd0];\n"

/* Checks the opcodes between the eight loads and EXIT. */
static void
leaves(const char *body, const char *expected)
{
	char text[4000], buf[1000], *at, *end;
	struct job j = {text, {1, 1, 1}, {32, 1, 1}, 0, 0, 4096, 3};
	struct err e = {0};
	struct trace *t;
	uint64_t p;

	snprintf(text, sizeof(text), "%s%s\nret;\n}\n", BODY_HEAD, body);
	t = record(&j, &p, &e);
	if (!t) {
		ok(false, "%s: %s", body, e.msg);
		return;
	}
	opcodes(t, 0, buf, sizeof(buf));
	at = buf + MIN(strlen(buf), strlen("LDG LDG LDG LDG LDG LDG LDG LDG "));
	end = strstr(at, "EXIT");
	if (end)
		*(end > at ? end - 1 : end) = '\0';
	for (char *c = text; *c; c++) /* the name of the test is one line */
		*c = *c == '\n' ? ' ' : *c;
	is_str(at, expected, "%.*s", (int)strlen(body), text + strlen(BODY_HEAD));
	trace_close(t);
}

static void
single_instructions(void)
{
	leaves("add.s32 %r2, %r0, %r1;", "IADD3");
	leaves("add.s64 %rd3, %rd1, %rd2;\nst.global.u64 [%rd0], %rd3;", "IADD3 IADD3 STG");
	leaves("add.s64 %rd3, %rd1, %rd2;\ncvt.u32.u64 %r2, %rd3;", "IADD3");
	leaves("mul.lo.s64 %rd3, %rd1, %rd2;\nst.global.u64 [%rd0], %rd3;",
	       "IMAD IMAD IMAD IADD3 STG");
	leaves("mad.lo.s32 %r2, %r0, %r1, %r0;", "IMAD");
	leaves("div.rn.f32 %f2, %f0, %f1;", "MUFU FCHK FFMA FFMA FFMA FFMA FFMA FFMA BRA");
	leaves("div.approx.ftz.f32 %f2, %f0, %f1;", "MUFU FMUL");
	leaves("div.full.f32 %f2, %f0, %f1;", "FSETP FSETP FMUL FMUL FMUL FMUL MUFU FMUL");
	leaves("sqrt.approx.f32 %f2, %f0;", "FSETP FMUL MUFU FMUL");
	leaves("sin.approx.f32 %f2, %f0;", "FMUL MUFU");
	leaves("ex2.approx.ftz.f32 %f2, %f0;", "MUFU");
	leaves("fma.rn.f64 %d2, %d0, %d1, %d0;", "DFMA");
	leaves("setp.lt.s64 %q1, %rd1, %rd2;", "ISETP ISETP");
	leaves("setp.lt.f64 %q1, %d0, %d1;", "DSETP");
	leaves("cvt.u32.u64 %r2, %rd1;", "");
	leaves("cvt.rn.f32.s32 %f2, %r0;", "I2F");
	leaves("cvt.rzi.s32.f32 %r2, %f0;", "F2I");
	leaves("cvt.rzi.f32.f32 %f2, %f0;", "FRND");
	leaves("cvt.f64.f32 %d2, %f0;", "F2F");
	leaves("cvt.s64.s32 %rd3, %r0;\nst.global.u64 [%rd0], %rd3;", "SHF STG");
	leaves("mov.u32 %r2, %r0;", "");
	leaves("mov.u32 %r2, %ntid.x;", "");
	leaves("mov.u32 %r2, %laneid;", "S2R");
	leaves("shl.b32 %r2, %r0, 3;\nadd.s32 %r3, %r2, %r1;", "LEA");
	leaves("and.b32 %r2, %r0, 3;\nxor.b32 %r3, %r2, %r1;\nor.b32 %r4, %r3, %r0;", "LOP3 LOP3");
	leaves("mul.wide.s32 %rd3, %r0, 4;\nadd.s64 %rd4, %rd3, %rd1;\nadd.s64 %rd5, %rd3, %rd2;\n"
	       "st.global.v2.u64 [%rd0], {%rd4, %rd5};",
	       "IMAD IMAD STG");
	leaves("mul.wide.s32 %rd3, %r0, 4;\nadd.s64 %rd4, %rd3, %rd1;\nsub.s64 %rd5, %rd3, %rd2;\n"
	       "st.global.v2.u64 [%rd0], {%rd4, %rd5};",
	       "IMAD IADD3 IADD3 IADD3 IADD3 STG");
	leaves("ld.const.u32 %r2, [table+4];", "");
	leaves("mov.u64 %rd4, table;\nand.b64 %rd3, %rd1, 0;\nadd.s64 %rd5, %rd3, %rd4;\n"
	       "ld.const.u32 %r2, [%rd5];",
	       "LOP3 IADD3 LDC");
	leaves("mov.u64 %rd4, sh;\nmul.wide.u32 %rd3, %r0, 0;\nadd.s64 %rd5, %rd4, %rd3;\n"
	       "add.s64 %rd6, %rd4, 16;\nst.shared.u32 [%rd5], %r0;\nst.shared.u32 [%rd6], %r0;",
	       "IMAD STS STS");
	leaves("st.shared.u32 [sh], %r0;\nld.shared.v2.u32 {%r2, %r3}, [sh+8];", "STS LDS");
	leaves("st.local.u64 [lo], %rd1;\nld.local.u64 %rd3, [lo];", "STL LDL");
	leaves("atom.global.add.u32 %r2, [%rd0], %r0;", "ATOMG");
	leaves("red.global.add.u32 [%rd0], %r0;", "RED");
	leaves("atom.shared.add.u32 %r2, [sh], %r0;", "ATOMS");
	leaves("atom.shared.add.f32 %f2, [sh], %f0;", "LDS FADD ATOMS ISETP BRA");
	leaves("bar.sync 0;", "BAR");
	leaves("bar.arrive 1, 64;\nbar.sync 0;", "BAR BAR");
	leaves("setp.ne.u32 %q1, %r0, %r0;\n@%q1 st.global.u32 [%rd0], %r0;\n"
	       "@!%q1 st.global.u32 [%rd0], %r1;",
	       "ISETP STG"); /* no lane: no record */
	leaves("setp.ne.u32 %q1, %r0, 0;\nvote.sync.ballot.b32 %r2, %q1, -1;", "ISETP VOTE");
	leaves("shfl.sync.bfly.b32 %r2, %r0, 1, 31, -1;", "SHFL");
	leaves("popc.b64 %r2, %rd1;", "POPC POPC IADD3");
	leaves("membar.gl;", "MEMBAR ERRBAR CCTL");
	leaves("membar.cta;", "MEMBAR");
}

/* ---- what an access says ---- */

static void
access_widths(void)
{
	static const struct {
		const char *body, *text;
		uint32_t width;
	} rows[] = {
		{"ld.global.u8 %r2, [%rd0];", "LDG.E.U8.SYS", 1},
		{"ld.global.s16 %r2, [%rd0];", "LDG.E.U16.SYS", 2},
		{"ld.global.v4.f32 {%f2, %f3, %f4, %f5}, [%rd0];", "LDG.E.128.SYS", 16},
		{"ld.global.v2.u8 {%h2, %h3}, [%rd0];", "LDG.E.U16.SYS", 2},
		{"bar.arrive 1, 64;", "BAR.ARV", 0},
		{"ld.global.nc.u64 %rd3, [%rd0];", "LDG.E.64.CONSTANT.SYS", 8},
		{"ld.global.cg.u32 %r2, [%rd0];", "LDG.E.STRONG.GPU", 4},
		{"st.shared.v2.f64 [sh], {%d0, %d1};", "STS.128", 16},
		{"atom.global.max.u64 %rd3, [%rd0], %rd1;", "ATOMG.E.MAX.64.STRONG.GPU", 8},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char text[4000];
		struct job j = {text, {1, 1, 1}, {32, 1, 1}, 0, 33, 4096, 3};
		struct err e = {0};
		const struct trace_kernel *k;
		struct trace *t;
		uint64_t p;

		snprintf(text, sizeof(text), "%s%s\nret;\n}\n", BODY_HEAD, rows[i].body);
		t = record(&j, &p, &e);
		if (!t) {
			ok(false, "%s: %s", rows[i].body, e.msg);
			continue;
		}
		k = trace_info(t)->kernel;
		ok(strncmp(k->inst[8].text, rows[i].text, strlen(rows[i].text)) == 0 &&
			   k->inst[8].width == rows[i].width,
		   "%s is %s of %u bytes (%s, %u)", rows[i].body, rows[i].text, rows[i].width,
		   k->inst[8].text, k->inst[8].width);
		if (i == 0)
			is_u64(k->regs, 33, "registers that the user gives count");
		trace_close(t);
	}
}

/* A generic access is in the space of its addresses, also an atomic one. */
static void
generic_accesses(void)
{
	static const char body[] =
		"mov.u64 %rd3, sh;\ncvta.shared.u64 %rd4, %rd3;\nld.u32 %r2, [%rd4];\n"
		"ld.u32 %r3, [%rd0];\natom.add.u32 %r4, [%rd4], %r0;\n"
		"atom.add.u32 %r5, [%rd0], %r0;\n";
	char text[4000], buf[400];
	struct job j = {text, {1, 1, 1}, {32, 1, 1}, 0, 0, 4096, 3};
	struct err e = {0};
	const struct trace_kernel *k;
	const struct cta_trace *c;
	struct trace *t;
	uint64_t p;

	snprintf(text, sizeof(text), "%s%s\nret;\n}\n", BODY_HEAD, body);
	t = record(&j, &p, &e);
	if (!t) {
		ok(false, "generic accesses: %s", e.msg);
		return;
	}
	k = trace_info(t)->kernel;
	c = trace_pin(t, 0, 0, NULL);
	is_str(strstr(opcodes(t, 0, buf, sizeof(buf)), "LD "), "LD LD ATOMS ATOM EXIT",
	       "generic accesses");
	ok(k->inst[c->warp[0].rec[c->warp[0].n - 5].inst].space == SPACE_SHARED,
	   "one to shared memory");
	ok(k->inst[c->warp[0].rec[c->warp[0].n - 4].inst].space == SPACE_GLOBAL,
	   "one to global memory");
	trace_unpin(t, 0, c);
	trace_close(t);
}

/* ---- functions, guards, ends ---- */

static void
functions(void)
{
	static const char text[] = HEAD
		".func (.param .b32 r) twice(.param .b32 a) {\n.reg .b32 %x<3>;\n"
		"ld.param.u32 %x1, [a];\nadd.u32 %x2, %x1, %x1;\nst.param.b32 [r], %x2;\nret;\n}\n"
		".visible .entry k(.param .u64 p, .param .u32 n) {\n"
		".reg .pred %q; .reg .b32 %r<5>; .reg .b64 %rd;\n"
		"ld.param.u64 %rd, [p];\nmov.u32 %r1, %tid.x;\nsetp.lt.u32 %q, %r1, 4;\n"
		"@%q st.global.u32 [%rd], %r1;\n"
		"{ .param .b32 A; .param .b32 R; st.param.b32 [A], %r1;\n"
		"call.uni (R), twice, (A);\nld.param.b32 %r2, [R]; }\n"
		"st.global.u32 [%rd+4], %r2;\n@%q exit;\nret;\n}\n";
	struct job j = {text, {1, 1, 1}, {32, 1, 1}, 0, 0, 4096, 3};
	struct err e = {0};
	const struct trace_kernel *k;
	const struct cta_trace *c;
	uint32_t exits = 0;
	struct trace *t;
	char buf[400];
	uint64_t p;

	t = record(&j, &p, &e);
	if (!t) {
		ok(false, "a kernel with a function: %s", e.msg);
		return;
	}
	k = trace_info(t)->kernel;
	c = trace_pin(t, 0, 0, NULL);
	is_str(opcodes(t, 0, buf, sizeof(buf)), "S2R ISETP STG CALL IADD3 RET STG EXIT EXIT",
	       "a call, a guarded store, two exits");
	is_u64(c->warp[0].rec[2].mask, 0xf, "a guard is in the mask");
	ok(k->inst[c->warp[0].rec[4].inst].pc > k->inst[c->warp[0].rec[8].inst].pc,
	   "the function lies behind the kernel");
	for (uint32_t i = 7; i < 9; i++)
		exits |= c->warp[0].rec[i].mask;
	is_u64(exits, UINT32_MAX, "every lane exits");
	is_u64(k->inst[0].line, 14, "without .loc the line of the PTX");
	is_str(k->files[0], "k.ptx", "and its name");
	trace_unpin(t, 0, c);
	trace_close(t);
}

/* ---- the table ---- */

/* Counts the unknown machine instructions of a text, except those that begin with a dot. */
static uint32_t
unknown_in(struct trace_writer *w, const char *at, uint32_t *n)
{
	uint32_t wrong = 0, row;
	struct err e = {0};

	for (; *at; at += strspn(at, " ")) {
		struct trace_inst_desc d = {.pc = 16 * (*n)++};
		size_t len = strcspn(at, " ");
		char op[64];

		snprintf(op, sizeof(op), "%.*s", (int)len, at);
		op[strcspn(op, "/%")] = '\0';
		d.opcode = op;
		if (*op != '.' && trace_writer_inst(w, &d, &row, &e)) {
			diag("%s", e.msg);
			wrong++;
		}
		at += len;
	}
	return wrong;
}

enum { VOLTA, TURING, AMPERE };

static void
every_row(const char *name, uint32_t version, unsigned generation)
{
	static const struct {
		const char *text, *flags;
	} rows[] = {
#define SASS(op, types, from, flags, text) {text, #flags},
#include "record/ptx/inst/inst.def"
	};
	static const char *const named[][3] = {
#define PRODUCT(element, volta, nv, turing, nt, ampere, na) {volta, turing, ampere},
#define NAMED(what, volta, turing, ampere) {volta, turing, ampere},
#include "record/ptx/arch.def"
	};
	struct err e = {0};
	struct trace_writer *w = trace_writer_new(NULL, &e);
	const struct trace_kernel_desc k = {.name = "k",
					    .grid = {1},
					    .block = {32},
					    .binary_version = version};
	uint32_t wrong = 0, n = 0;

	trace_writer_kernel(w, &k, &e);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (generation == AMPERE || !strstr(rows[i].flags, "PF_AMPERE"))
			wrong += unknown_in(w, rows[i].text, &n);
	for (size_t i = 0; i < ARRAY_LEN(named); i++)
		wrong += unknown_in(w, named[i][generation], &n);
	trace_writer_abort(w);
	ok(n > 500, "%s: %u machine instructions in the table", name, n);
	is_u64(wrong, 0, "%s: all of them are known to src/trace", name);
}

int
main(void)
{
	whole_kernel();
	single_instructions();
	access_widths();
	generic_accesses();
	functions();
#define ARCH(name, version, generation) every_row(#name, version, generation);
#include "record/ptx/arch.def"
	return done();
}
