/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text.c - .traceg and kernelslist.g as text: every address mode and tracer version, and every way
 * to get it wrong, each with the line, the caret and the words of its error.
 */
#include "tests/tap.h"
#include "tests/trace/replaced.h"

#include "base/strbuf.h"
#include "trace/trace.h"
#include "trace/trace_build.h"

#define HEAD                                                                             \
	"-kernel name = k\n-kernel id = 7\n-grid dim = (1,1,1)\n-block dim = (40,1,1)\n" \
	"-shmem = 0\n-nregs = 16\n-binary version = 70\n-accelsim tracer version = 4\n"  \
	"-enable lineinfo = 0\n\n"
#define BODY                                             \
	"#BEGIN_TB\n\nthread block = 0,0,0\n\n"          \
	"warp = 0\ninsts = 2\n"                          \
	"0010 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4 0\n" \
	"0020 ffffffff 0 EXIT 0 0 0\n\n"                 \
	"warp = 1\ninsts = 1\n"                          \
	"0020 000000ff 0 EXIT 0 0 0\n\n#END_TB\n"

/* clang-format off */
/* The good text with one replacement, and what must be said about it. */
static const struct wrong {
	const char *from, *to;
	uint64_t line;
	const char *msg, *under; /* under: the text above the caret */
} wrongs[] = {
	{"-nregs = 16", "-nregs = 21955", 6, "invalid nregs '21955': expected a number from 0 to 255", "21955"},
	{"version = 70", "version = 0", 7, "unknown binary version 0: expected 35 (Kepler)", "0"},
	{"version = 70", "version = 7x", 7, "invalid binary version '7x'", "7x"},
	{"version = 4", "version = 7", 8, "invalid accelsim tracer version '7': expected a number from 0 to 6", "7"},
	{"-grid dim = (1,1,1)", "-grid dim = (0,1,1)", 3, "invalid grid dim '(0,1,1)': expected three", "(0,1,1)"},
	{"-grid dim = (1,1,1)", "-grid dim = (1,1)", 3, "invalid grid dim '(1,1)'", "(1,1)"},
	{"-grid dim = (1,1,1)", "-grid dim = (4294967295,4294967295,1)", 11, "more than 67108864 thread", NULL},
	{"-block dim = (40,1,1)", "-block dim = (64,64,1)", 11, "more than 2048 threads", NULL},
	{"-shmem = 0", "-shmem = 1048577", 5, "invalid shmem '1048577'", "1048577"},
	{"-shmem = 0", "-shmem = -1", 5, "invalid shmem '-1'", "-1"},
	{"-shmem = 0\n", "", 10, "the header lacks '-shmem = ...'", "#BEGIN_TB"},
	{"-nregs = 16\n", "-nregs = 16\n-nregs = 16\n", 7, "the header has 'nregs' twice", "nregs"},
	{"-nregs = 16\n", "-nregs 16\n", 6, "expected '-key = value'", "-nregs 16"},
	{"-nregs = 16\n", "nregs = 16\n", 6, "expected '-key = value', a '#' comment or #BEGIN_TB", "nregs = 16"},
	{"-enable lineinfo = 0", "-enable lineinfo = 2", 9, "invalid enable lineinfo '2'", "2"},
	{"lineinfo = 0", "lineinfo = 1", 17, "expected the number of destination registers, 0 to 4, found 'R4'",
	 "R4"},
	{"#BEGIN_TB\n", "", 12, "expected '-key = value', a '#' comment or #BEGIN_TB", "thread block = 0,0,0"},
	{"thread block = 0,0,0", "thread block = 1,0,0", 13, "invalid thread block '1,0,0': expected x,y,z inside "
	 "the grid (1,1,1)", "1,0,0"},
	{"thread block = 0,0,0", "thread block = 0,0", 13, "invalid thread block '0,0'", "0,0"},
	{"thread block = 0,0,0\n", "thread block = 0,0,0\nthread block = 0,0,0\n", 14, "second 'thread block ='",
	 "thread block = 0,0,0"},
	{"thread block = 0,0,0\n", "", 14, "expected 'thread block = x,y,z', found 'warp'", "warp"},
	{"warp = 1", "warp = 2", 20, "invalid warp '2': expected 0 to 1", "2"},
	{"warp = 1", "warp = 0", 20, "warp 0 appears twice", "0"},
	{"warp = 0\n", "", 15, "expected 'warp = ...', found 'insts'", "insts"},
	{"insts = 2\n", "", 16, "expected 'insts = ...'", "0010 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4 0"},
	{"insts = 2\n", "insts = 2\ninsts = 2\n", 17, "warp 0 has a second 'insts ='", "insts = 2"},
	{"insts = 2", "insts = 3", 20, "warp 0 of thread block 0,0,0 has 2 of the 3 instructions it declares",
	 "warp = 1"},
	{"insts = 2", "insts = 1", 18, "warp 0 has more than the 1 instructions it declares",
	 "0020 ffffffff 0 EXIT 0 0 0"},
	{"insts = 1", "insts = 2", 24, "warp 1 of thread block 0,0,0 has 1 of the 2", "#END_TB"},
	{"insts = 1", "insts = 99999999999", 21, "invalid number of instructions '99999999999'", "99999999999"},
	{"0010 ffffffff", "zz10 ffffffff", 17, "expected a program counter of up to 8 hexadecimal digits, found "
	 "'zz10'", "zz10"},
	{"0010 ffffffff", "123456789 ffffffff", 17, "expected a program counter", "123456789"},
	{"0010 ffffffff", "0010 1ffffffff", 17, "expected an active mask", "1ffffffff"},
	{"0020 000000ff", "0020 000001ff", 22, "the mask '000001ff' has lanes beyond the 40 threads", "000001ff"},
	{"1 R4 LDG.E", "1 Q4 LDG.E", 17, "expected a register such as R4, found 'Q4'", "Q4"},
	{"1 R4 LDG.E", "1 R256 LDG.E", 17, "expected a register such as R4, found 'R256'", "R256"},
	{"1 R4 LDG.E", "5 R4 LDG.E", 17, "expected the number of destination registers, 0 to 4, found '5'", "5"},
	{"1 R4 LDG.E", "2 R4 LDG.E", 17, "expected a register such as R4, found 'LDG.E'", "LDG.E"},
	{"LDG.E 1 R2", "LDG.E 13 R2", 17, "expected the number of source registers, 0 to 12, found '13'", "13"},
	{"LDG.E", "LDQ.E", 17, "unknown opcode 'LDQ.E' for binary version 70; did you mean LDC?", "LDQ.E"},
	{"LDG.E", "XMAD.MRG", 17, "unknown opcode 'XMAD.MRG' for binary version 70; did you mean IMAD?",
	 "XMAD.MRG"},
	{"LDG.E", "QQQQQQ", 17, "unknown opcode 'QQQQQQ' for binary version 70", "QQQQQQ"},
	{"LDG.E", "(LDG)", 17, "expected an opcode such as FADD, found '(LDG)'", "(LDG)"},
	{"R2 4 1", "R2 999 1", 17, "expected a memory width in bytes, 0 for no memory, found '999'", "999"},
	{"R2 4 1 0x1000 4 0", "R2 0 0", 17, "LDG.E is a memory instruction, but its memory width is 0", "LDG.E"},
	{"4 1 0x1000", "4 3 0x1000", 17, "expected an address mode, 0 (list), 1 (base and stride) or 2", "3"},
	{"0x1000 4 0", "1000 4 0", 17, "expected a base address such as 0x7f00, found '1000'", "1000"},
	{"0x1000 4 0", "0x11112222333344445 4 0", 17, "expected a base address", "0x11112222333344445"},
	{"0x1000 4 0", "0x1000 x 0", 17, "expected a stride in bytes, found 'x'", "x"},
	{"0x1000 4 0", "0x1000", 17, "expected a stride in bytes, found the end of the line", NULL},
	{"4 1 0x1000 4 0", "4 0 0x1000 0x1004 0", 17, "expected one address such as 0x7f00 for each active lane, "
	 "found '0'", "0"},
	{"4 1 0x1000 4 0", "4 2 0x1000 4 4 4", 17, "expected one step in bytes for each further active lane, "
	 "found the end", NULL},
	{"0x1000 4 0", "0x1000 4 z", 17, "expected an immediate or the end of the record, found 'z'", "z"},
	{"0x1000 4 0", "0x1000 4 0 0", 17, "expected the end of the record, found '0'", "0"},
	{"#END_TB\n", "", 23, "the file ends inside a thread block: it is truncated", NULL},
	{"#END_TB\n", "#END_TB\n#END_TB\n", 25, "#END_TB without #BEGIN_TB", "#END_TB"},
	{"#END_TB\n", "#BEGIN_TB\n", 24, "#BEGIN_TB before the #END_TB of the last block", "#BEGIN_TB"},
	{"#END_TB\n", "#END_TB\nmore\n", 25, "expected #BEGIN_TB, found 'more'", "more"},
	{"(1,1,1)", "(2,1,1)", 24, "the file has 1 thread blocks, but the grid (2,1,1) has 2", NULL},
	{"#END_TB\n", "#END_TB\n#BEGIN_TB\nthread block = 0,0,0\n", 26, "thread block 0,0,0 appears twice",
	 "0,0,0"},
	{"LDG.E", "LDG\033[2J", 17, "expected an opcode such as FADD, found 'LDG\\x1b[2J'", "LDG\\x1b[2J"},
};
/* clang-format on */

/* The part of the shown line that the caret underlines; ASCII only. */
static void
underlined(const struct err *e, char *buf, size_t size)
{
	snprintf(buf, size, "%.*s", e->len,
		 (size_t)e->col <= strlen(e->text) ? e->text + e->col : "");
}

static void
test_wrong(void)
{
	size_t i;

	for (i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		const struct wrong *w = &wrongs[i];
		char *text = replaced(HEAD BODY, w->from, w->to), under[256];
		struct err e = {0};
		struct trace *t = trace_from_text(text, &e);

		if (!ok(!t && e.set && strstr(e.msg, w->msg), "%zu refused: %s", i, w->msg))
			diag("got: %s", e.msg);
		is_u64(e.line, w->line, "%zu names line %u", i, (unsigned)w->line);
		if (w->under) {
			underlined(&e, under, sizeof(under));
			is_str(under, w->under, "%zu points at it", i);
		}
		trace_close(t);
		free(text);
	}
}

/* Every prefix of the text is rejected, except that without the final newline. */
static void
test_truncated(void)
{
	static const char text[] = HEAD BODY;
	size_t n, bad = 0;

	for (n = 0; n + 2 < sizeof(text); n++) {
		struct err e = {0};
		struct trace *t = trace_from_bytes("cut", text, n, &e);

		bad += t || !e.set || !e.msg[0];
		trace_close(t);
	}
	is_u64(bad, 0, "no truncated text is taken for a trace");
}

static struct trace *
open_data(const char *name)
{
	const char *top = getenv("srcdir");
	char path[4096];
	struct err e = {0};
	struct trace *t;

	snprintf(path, sizeof(path), "%s/tests/trace/data/%s", top ? top : ".", name);
	t = trace_open(path, &e);
	if (!ok(t, "%s opens", name))
		err_print(&e, "#", stdout);
	return t;
}

static void
test_modes(void)
{
	struct trace *t = open_data("modes.traceg");
	const struct cta_trace *c;
	uint64_t lane[WARP_SIZE];
	const struct winst *r;
	const struct inst *in;

	if (!t)
		return;
	in = trace_info(t)->kernel[0].inst;
	c = trace_pin(t, 0, 0, NULL);
	r = c->warp[0].rec;
	is_u64(c->n_warps, 2, "two warps");
	is_u64(c->warp[0].n, 9, "nine records");
	is_u64(c->warp[1].n, 0, "a warp of 0 instructions");
	ok(r[0].mode == ADDR_NONE && trace_lanes(c, &r[0], lane) == 0, "S2R accesses nothing");
	ok(r[1].mode == ADDR_STRIDE && trace_lanes(c, &r[1], lane) == UINT32_MAX &&
		   lane[0] == 0x7fff00001000 && lane[31] == 0x7fff0000107c,
	   "base and stride");
	ok(r[2].mode == ADDR_LIST && trace_lanes(c, &r[2], lane) == 0xf &&
		   lane[1] == 0x7fff00002000 && lane[3] == 0x7fff00000100 && lane[4] == 0,
	   "a list");
	ok(r[3].mode == ADDR_LIST && trace_lanes(c, &r[3], lane) == 0xffff00ff &&
		   lane[7] == 0x7fff00001038 && lane[8] == 0 && lane[16] == 0x7fff00002038 &&
		   lane[31] == 0x7fff000010a8,
	   "base and steps, over a hole in the mask");
	ok(trace_lanes(c, &r[4], lane) == 0x100 && lane[8] == 0x7fff00001000, "one lane");
	ok(trace_lanes(c, &r[5], lane) == 0, "no lane");
	ok(trace_lanes(c, &r[6], lane) == 0xff && lane[7] == 0x7fff00001000 - 28 && lane[24] == 0,
	   "a stride ends at the first hole");
	ok(trace_lanes(c, &r[7], lane) == UINT32_MAX && lane[31] == 0x7f0000000000, "stride 0");
	is_u64(in[r[3].inst].width, 8, "width from the opcode");
	is_str(in[r[1].inst].text, "LDG.E.SYS R4, [R2]", "the instruction's text");
	trace_unpin(t, 0, c);
	c = trace_pin(t, 0, 1, NULL);
	is_u64(c->xyz[0], 1, "the second block");
	is_u64(c->warp[0].n, 0, "a warp that the trace leaves out");
	is_u64(c->warp[1].n, 2, "and one that it has");
	trace_unpin(t, 0, c);
	trace_close(t);
}

static void
test_versions(void)
{
	struct trace *t = open_data("v1-mixed.traceg");
	const struct trace_kernel *k;
	const struct cta_trace *c;
	uint64_t lane[WARP_SIZE];

	if (t) {
		c = trace_pin(t, 0, 0, NULL);
		k = &trace_info(t)->kernel[0];
		ok(c->warp[0].n == 3 && c->warp[1].n == 3, "mixed warps are told apart");
		ok(trace_lanes(c, &c->warp[1].rec[1], lane) == 0xff && lane[0] == 0x7fff00000080,
		   "each with its own addresses");
		ok(k->inst[1].cls == OP_LOAD && k->inst[1].space == SPACE_GLOBAL,
		   "LD is LDG on Kepler");
		trace_unpin(t, 0, c);
	}
	trace_close(t);
	trace_close(open_data("v2.traceg"));
	t = open_data("v4-lines.traceg");
	if (t) {
		k = &trace_info(t)->kernel[0];
		is_u64(k->n_inst, 4, "a generic load is a row per space");
		ok(k->inst[1].space == SPACE_SHARED && k->inst[2].space == SPACE_GLOBAL,
		   "by its addresses");
		is_u64(k->inst[3].line, 15, "source line");
	}
	trace_close(t);
	t = open_data("v5-immediates.traceg");
	if (t) {
		k = &trace_info(t)->kernel[0];
		is_str(k->inst[0].text, "SHF.L.U32 R0, R0, R255, 0xa", "an immediate in the text");
		ok(k->inst[2].flags == INST_LDGSTS && k->inst[2].width == 16, "LDGSTS");
		ok(k->inst[3].cls == OP_DEPBAR && k->inst[3].imm == 255,
		   "LDGDEPBAR waits for nothing");
		ok(k->inst[4].cls == OP_DEPBAR && k->inst[4].imm == 1, "DEPBAR 1");
		ok(k->inst[5].flags == INST_BYPASS, "STRONG.GPU goes past L1");
	}
	trace_close(t);
}

/* An opcode, a version of its architecture, and what it is there; msg instead for an error. */
static const struct {
	const char *version, *op;
	int cls;
	const char *msg;
} architectures[] = {
	{"70", "HADD2.F32", OP_HALF, NULL},
	{"87", "IADD3", OP_INT, NULL},
	{"89", "HMMA.16816.F32", OP_TENSOR, NULL},
	{"90", "HADD2.F32", OP_SP, NULL},
	{"90", "VIADD", OP_INT, NULL},
	{"90", "SYNCS.PHASECHK.TRANS64.TRYWAIT", OP_ALU, NULL},
	{"90", "UCGABAR_WAIT", OP_ALU, NULL},
	{"100", "LDCU.64", OP_UNIFORM, NULL},
	{"103", "FFMA2", OP_SP, NULL},
	{"120", "UISETP.NE.AND", OP_UNIFORM, NULL},
	{"121", "QMMA.16832.F32.E4M3.E4M3", OP_TENSOR, NULL},
	{"89", "VIADD", 0, "unknown opcode 'VIADD' for binary version 89; did you mean IADD?"},
	{"90", "LDCU.64", 0, "unknown opcode 'LDCU.64' for binary version 90; did you mean LDC?"},
	{"90", "UTMALDG.2D", 0,
	 "'UTMALDG.2D' is a copy of the tensor memory accelerator, which ctascope does not model"},
	{"90", "HGMMA.64x64x16.F32", 0,
	 "'HGMMA.64x64x16.F32' is a product of a group of warps (wgmma)"},
	{"100", "UTCHMMA", 0, "'UTCHMMA' is an operation on tensor memory (tcgen05)"},
	{"91", "EXIT", 0, "unknown binary version 91: expected 35 (Kepler)"},
};

static void
test_architectures(void)
{
	for (size_t i = 0; i < sizeof(architectures) / sizeof(architectures[0]); i++) {
		char text[1000];
		struct err e = {0};
		struct trace *t;

		snprintf(
			text, sizeof(text),
			"-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n"
			"-nregs = 16\n-binary version = %s\n-accelsim tracer version = 5\n"
			"#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n"
			"0010 ffffffff 0 %s 0 0 0\n#END_TB\n",
			architectures[i].version, architectures[i].op);
		t = trace_from_text(text, &e);
		if (architectures[i].msg)
			ok(!t && strstr(e.msg, architectures[i].msg), "refused: %s",
			   architectures[i].msg);
		else
			ok(t && trace_info(t)->kernel[0].inst[0].cls == architectures[i].cls,
			   "%s of %s", architectures[i].op, architectures[i].version);
		if (architectures[i].msg ? !strstr(e.msg, architectures[i].msg) : !t)
			diag("got: %s", e.msg);
		trace_close(t);
	}
}

static const struct {
	const char *text, *msg;
	uint64_t line;
} bad_lists[] = {
	{"MemcpyHtoD,0x10\nkernel-1.traceg\n",
	 "expected an address such as 0x7fff00000000 and a comma", 1},
	{"MemcpyHtoD 0x10,5\n", "expected 'MemcpyHtoD,0xADDRESS,BYTES'", 1},
	{"MemcpyHtoD,0x10,5x\n", "expected a number of bytes, found '5x'", 1},
	{"MemcpyHtoD,0x10,99999999999999999999\n", "expected a number of bytes", 1},
	{"\n# only\nMemcpyHtoD,0x10,5\n", "the list names no kernel", 3},
	{"MemcpyHtoD,0x10,5\nnonsense here\n", "expected 'MemcpyHtoD,...' or a kernel's file name",
	 2},
	{"# new\nkernel-1.tracez\n", "a .tracez is not supported: give ctascope", 2},
	{"kernel-none.traceg\n", "cannot find the kernel's file 'kernel-none.traceg'", 1},
};

static void
test_lists(void)
{
	struct trace *t = open_data("kernelslist.g");
	struct err e = {0};
	size_t i;

	if (t) {
		const struct trace_info *in = trace_info(t);

		is_u64(in->n_kernels, 6, "six kernels");
		is_u64(in->n_cmds, 8, "and two copies; those to the host are read over");
		ok(in->cmd[0].kind == TRACE_MEMCPY_H2D && in->cmd[0].addr == 0x7fff00000000 &&
			   in->cmd[0].bytes == 65536,
		   "a copy");
		ok(in->cmd[1].kind == TRACE_KERNEL && in->cmd[7].kernel == 5, "kernels in order");
	}
	trace_close(t);
	for (i = 0; i < sizeof(bad_lists) / sizeof(bad_lists[0]); i++) {
		e = (struct err){0};
		t = trace_from_text(bad_lists[i].text, &e);
		if (!ok(!t && strstr(e.msg, bad_lists[i].msg), "list refused: %s",
			bad_lists[i].msg))
			diag("got: %s", e.msg);
		is_u64(e.line, bad_lists[i].line, "at its line");
		trace_close(t);
	}
	t = trace_from_text("", &e);
	ok(!t && strstr(e.msg, "is empty"), "an empty file is no trace");
	t = trace_from_text("\n# nothing\n\n", &e);
	ok(!t && strstr(e.msg, "only empty lines"), "neither is one of comments");
	t = trace_open("/nonexistent/x.traceg", &e);
	ok(!t && strstr(e.msg, "cannot open '/nonexistent/x.traceg'"), "a file that is not there");
	t = trace_open("/dev/null", &e);
	ok(!t && strstr(e.msg, "not a regular file"), "a device");
}

/* The error as the user sees it. */
static void
test_print(void)
{
	char *text = replaced(HEAD BODY, "1 R4 LDG.E", "1 Q4 LDG.E"), buf[1000];
	struct err e = {0};
	struct trace *t = trace_from_bytes("kernel-1.traceg", text, strlen(text), &e);

	err_format(&e, "ctascope", buf, sizeof(buf));
	is_str(buf,
	       "ctascope: kernel-1.traceg:17: expected a register such as R4, found 'Q4'\n"
	       "    0010 ffffffff 1 Q4 LDG.E 1 R2 4 1 0x1000 4 0\n"
	       "                    ^~",
	       "place, text and caret");
	trace_close(t);
	free(text);
}

static void
test_line_ends(void)
{
	struct strbuf s = {0};
	const char *p;
	struct err e = {0};
	struct trace *a = trace_from_text(HEAD BODY, &e), *b, *c;
	char *imm;

	for (p = HEAD BODY; *p; p++)
		sb_printf(&s, *p == '\n' ? " \r\n" : "%c", *p);
	b = trace_from_text(s.p, &e);
	ok(a && b && trace_info(a)->digest == trace_info(b)->digest,
	   "blanks and carriage returns at line ends do not matter");
	imm = replaced(HEAD BODY, "0x1000 4 0", "0x1004 4 0");
	c = trace_from_text(imm, &e);
	ok(a && c && trace_info(a)->digest != trace_info(c)->digest, "an address does");
	free(imm);
	sb_free(&s);
	trace_close(a);
	trace_close(b);
	trace_close(c);
}

int
main(void)
{
	test_modes();
	test_versions();
	test_architectures();
	test_lists();
	test_print();
	test_line_ends();
	test_truncated();
	test_wrong();
	return done();
}
