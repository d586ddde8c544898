/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parse.c - PTX text to struct ast_module: what every statement becomes, where each error is
 * reported, and that small texts cannot require endless memory. The initial values of
 * tests/record/ptx/data/hand-init.ptx are those that NVIDIA's ptxas put into its object file.
 */
#include "tests/tap.h"

#include "record/ptx/parse/ast.h"

#include <dirent.h>

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"

static struct ast_module *
parse(const char *text)
{
	struct err e = {0};
	struct ast_module *m = ast_parse("t.ptx", text, strlen(text), &e);

	if (!m)
		diag("%s:%d: %s", e.file, (int)e.line, e.msg);
	return m;
}

/* Parses HEAD and one kernel k with this body; it has parameter p and registers %r0.. %rd0.. %f0..
 * %p0... */
static struct ast_module *
parse_body(const char *body)
{
	char text[4096];

	snprintf(text, sizeof(text),
		 HEAD ".entry k(.param .u64 p) {\n.reg .b32 %%r<9>; .reg .b64 %%rd<9>;\n"
		      ".reg .f32 %%f<9>; .reg .pred %%p<9>;\n%s }\n",
		 body);
	return parse(text);
}

static char *
read_sample(const char *name, size_t *n)
{
	const char *top = getenv("srcdir");
	char path[4096];
	char *text = calloc(1, 1 << 16);
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/record/ptx/data/%s", top ? top : ".", name);
	f = fopen(path, "rb");
	*n = f && text ? fread(text, 1, (1 << 16) - 1, f) : 0;
	if (f)
		fclose(f);
	return text;
}

static struct ast_module *
parse_sample(const char *name)
{
	size_t n;
	char *text = read_sample(name, &n);
	struct err e = {0};
	struct ast_module *m = ast_parse(name, text, n, &e);
	char line[600];

	if (!m) {
		err_format(&e, NULL, line, sizeof(line));
		diag("%s", line);
	}
	free(text);
	return m;
}

static const struct ast_var *
var(const struct ast_module *m, const char *name)
{
	for (uint32_t i = 0; m && i < m->n_var; i++)
		if (!strcmp(m->var[i].name, name))
			return &m->var[i];
	return NULL;
}

static const struct ast_opnd *
opnd(const struct ast_module *m, uint32_t inst, uint32_t k)
{
	return &m->opnd[m->func[0].inst[inst].opnd + k];
}

/* ---- what is read ---- */

static void
test_samples(void)
{
	const char *top = getenv("srcdir");
	char path[4096];
	struct dirent **list;
	unsigned found = 0;
	int n;

	snprintf(path, sizeof(path), "%s/tests/record/ptx/data", top ? top : ".");
	n = scandir(path, &list, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		const char *dot = strrchr(list[i]->d_name, '.');

		if (dot && !strcmp(dot, ".ptx")) {
			struct ast_module *m = parse_sample(list[i]->d_name);

			found++;
			ok(m && m->n_func > 0, "%s is read", list[i]->d_name);
			ast_free(m);
		}
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	ok(found >= 12, "there were samples: %u", found);
}

static void
test_header(void)
{
	struct ast_module *m = parse(".version 6.5 .target sm_75, debug .address_size 64\n// x");
	char line[8];

	ok(m && m->version == 65 && m->sm == 75 && m->addr_bytes == 8, "version, target, size");
	if (m) {
		ast_line(m, 2, line, sizeof(line));
		is_str(line, "// x", "a line");
		ast_line(m, 1, line, sizeof(line));
		is_str(line, ".versio", "a line longer than the buffer");
		ast_line(m, 3, line, sizeof(line));
		is_str(line, "", "a line behind the last");
	}
	ast_free(m);
	m = parse(".version 1.4\n.target sm_13, map_f64_to_f32\n");
	ok(m && m->version == 14 && m->sm == 13 && m->addr_bytes == 4, "an old header");
	ast_free(m);
	m = ast_parse("t", ".version 7.0\0\0", 14, NULL);
	ok(m, "the end of a string may be counted");
	ast_free(m);
}

static bool
has_bytes(const struct ast_module *m, const char *name, const char *hex)
{
	const struct ast_var *v = var(m, name);
	char got[200] = "";

	if (!v || v->bytes > 90 || !v->init)
		return false;
	for (uint64_t i = 0; i < v->bytes; i++)
		snprintf(got + 2 * i, 3, "%02x", v->init[i]);
	if (strcmp(got, hex))
		diag("%s: %s", name, got);
	return !strcmp(got, hex);
}

static void
test_init(void)
{
	struct ast_module *m = parse_sample("hand-init.ptx");
	const struct ast_var *v;

	if (!ok(m, "variables"))
		return;
	ok(has_bytes(m, "bias", "000080bf0000803f0000803f00007041"),
	   "floats, an array without size");
	ok(has_bytes(m, "wide", "000000000000f03f00000000000004c0"), "doubles");
	ok(has_bytes(m, "matrix", "010000000200000000000000fcffffff0000000000000000"),
	   "two dimensions");
	ok(has_bytes(m, "quad", "0000803f000000400000404000008040"), "a vector");
	ok(has_bytes(m, "duos", "0100020003000400"), "vectors");
	ok(has_bytes(m, "ops", "100f05ff"), "hexadecimal, octal, binary, unsigned");
	ok(has_bytes(m, "sums", "00000000000100002100000000000000ffff000000000000"), "expressions");
	ok(has_bytes(m, "casts", "0500000000000000f9ffffffffffffff1400000000000000"), "casts");
	ok(has_bytes(m, "empty_tail", "01020300000000000000000000000000"), "the rest is zero");
	v = var(m, "addresses");
	ok(v && v->n_reloc == 4 && v->reloc[1].offset == 8 && v->reloc[1].addend == 8 &&
		   !v->reloc[1].generic && v->reloc[3].generic && v->reloc[3].addend == 12 &&
		   v->reloc[3].size == 8 && !strcmp(m->var[v->reloc[3].index].name, "matrix"),
	   "addresses");
	v = var(m, "functions");
	ok(v && v->n_reloc == 2 && v->reloc[1].is_func &&
		   !strcmp(m->func[v->reloc[1].index].name, "once"),
	   "addresses of functions");
	v = var(m, "bytes");
	ok(v && v->n_reloc == 8 && v->reloc[5].size == 1 && v->reloc[5].shift == 40 &&
		   v->reloc[5].offset == 5,
	   "bytes of an address");
	v = var(m, "dynamic");
	ok(v && v->is_extern && v->space == SP_SHARED && v->bytes == 0 && v->align == 8,
	   "dynamic shared memory");
	v = var(m, "image");
	ok(v && v->type == TY_TEXREF && v->space == SP_GLOBAL, "a texture reference");
	ast_free(m);
	m = parse(HEAD ".global .u8 a[2][2] = {{1}, 5, 6}; .global .u8 b[][2] = {1, 2, 3};");
	ok(has_bytes(m, "a", "01000506"), "values with and without braces");
	ok(has_bytes(m, "b", "01020300"), "rows are whole");
	ast_free(m);
	m = parse(
		HEAD
		".global .u64 a[2] = {b + 4, f};\n.global .u32 b;\n"
		".extern .global .u32 c[]; .global .u32 c[3]; .extern .global .u32 c[];\n.func f;");
	v = var(m, "a");
	ok(v && v->n_reloc == 2 && v->reloc[0].index == 1 && v->reloc[1].is_func,
	   "names declared later");
	v = var(m, "c");
	ok(m && m->n_var == 3 && v && !v->is_extern && v->bytes == 12, "an .extern one is defined");
	ast_free(m);
}

static void
test_scopes(void)
{
	struct ast_module *m = parse_sample("hand-scopes.ptx");
	const struct ast_func *f;
	uint32_t outer, inner, innermost;

	if (!ok(m && !strcmp(m->func[2].name, "scopes"), "scopes"))
		return;
	f = &m->func[2];
	/* add %r2, %r1, one; mov %r1, 5; mov %r1, 6 */
	inner = m->opnd[f->inst[4].opnd].index;
	innermost = m->opnd[f->inst[5].opnd].index;
	outer = m->opnd[f->inst[14].opnd + 1].index;
	ok(f->inst[14].op == PTX_add && outer == m->opnd[f->inst[1].opnd].index, "the outer %%r1");
	ok(outer != inner && inner != innermost && outer != innermost, "three registers %%r1");
	is_str(f->reg[innermost].name, "%r1", "its name");
	is_u64(f->reg[m->opnd[f->inst[3].opnd].index].type, TY_F32, "an inner register's type");
	is_u64(m->opnd[f->inst[7].opnd].index, 8, "an inner label declared later wins");
	is_u64(m->opnd[f->inst[9].opnd].index, 14, "the outer label, forward");
	is_u64(m->opnd[f->inst[11].opnd].index, 10, "a label of another scope");
	is_u64(m->opnd[f->inst[12].opnd].index, f->n_inst - 1, "a label of the outermost scope");
	is_u64(f->inst[f->n_inst - 1].op, PTX_ret, "the end of a function returns");
	ok(m->func[0].defined && m->func[0].n_ret == 1 && m->func[0].n_param == 2 &&
		   m->func[0].var[0].space == SP_REG && m->func[0].var[2].space == SP_PARAM,
	   "a function used before it is defined");
	ok(!strcmp(m->func[0].reg[0].name, "r") && !strcmp(m->func[0].reg[1].name, "a"),
	   "parameters in registers are the first registers");
	ok(!m->func[1].defined && m->func[1].n_param == 2, "a function that is not there");
	ast_free(m);
}

static void
test_operands(void)
{
	struct ast_module *m =
		parse_body("mov.b64 {%r1, _}, %rd1;\n"		 /* 0 */
			   "setp.eq.s32 %p1|%p2, %r1, -4;\n"	 /* 1 */
			   "ld.param.u64 %rd1, [p+-8];\n"	 /* 2 */
			   "st.global.f32 [%rd1], 0f3F800000;\n" /* 3 */
			   "selp.f32 %f1, -0f3F800000, 2.5, !%p1;\n"
			   "mov.u32 %r1, %ntid.y;\n" /* 5 */
			   "ld.u32 %r1, [16];\n"
			   "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}];\n" /* 7 */
			   "vadd.u32.u32.u32 %r1, %r2.b3, %r3.h0;\n"
			   "@!%p3 bra L;\n" /* 9 */
			   "mov.u64 %rd2, k;\n"
			   "L: mov.u64 %rd2, p+4;\n" /* 11 */
			   "mov.u32 %r4, WARP_SZ;\n"
			   "mov.u32 %r5, %envreg7;\n"
			   "mov.u64 %rd3, 0xffffffffffffffff;\n"
			   "mov.u32 %r5, %cluster_nctaid.y;\n" /* 15 */
			   "mov.u32 %r5, %clusterid.z;\n");
	const struct ast_opnd *o;

	if (!ok(m && m->func[0].n_inst == 18, "operands"))
		return;
	o = opnd(m, 0, 0);
	ok(o->kind == AST_VEC && o->n_elem == 2 && m->opnd[o->elem].kind == AST_REG &&
		   m->opnd[o->elem + 1].kind == AST_SINK,
	   "a vector and a sink");
	o = opnd(m, 1, 0);
	ok(o->kind == AST_PAIR && o->n_elem == 2, "a pair");
	o = opnd(m, 1, 2);
	ok(o->kind == AST_INT && o->bits == -4, "a negative number");
	o = opnd(m, 2, 1);
	ok(o->kind == AST_ADDR && o->bits == -8 && m->opnd[o->elem].kind == AST_VAR &&
		   m->opnd[o->elem].local && m->opnd[o->elem].bits == 0,
	   "an address");
	o = opnd(m, 3, 1);
	ok(o->kind == AST_FLOAT && o->is_f32 && o->bits == 0x3f800000, "bits of a float");
	o = opnd(m, 4, 1);
	ok(o->is_f32 && o->bits == 0xbf800000, "a minus before them");
	o = opnd(m, 4, 2);
	ok(o->kind == AST_FLOAT && !o->is_f32 && o->bits == 0x4004000000000000, "a decimal float");
	o = opnd(m, 4, 3);
	ok(o->kind == AST_REG && o->negate, "a negated predicate");
	o = opnd(m, 5, 1);
	ok(o->kind == AST_SREG && o->index == SREG_NTID_Y && o->comp == 0, "a special register");
	o = opnd(m, 6, 1);
	ok(o->kind == AST_ADDR && o->bits == 0 && m->opnd[o->elem].kind == AST_INT &&
		   m->opnd[o->elem].bits == 16,
	   "a number as address");
	o = opnd(m, 7, 1);
	ok(o->kind == AST_TEXADDR && o->n_elem == 2 && m->opnd[o->elem + 1].kind == AST_VEC,
	   "a texture and where");
	ok(opnd(m, 8, 1)->sel == W_b3 - W_b0 + 1 && opnd(m, 8, 2)->sel == W_h0 - W_b0 + 1,
	   "parts of registers");
	ok(m->func[0].inst[9].guard >= 0 && m->func[0].inst[9].guard_not &&
		   opnd(m, 9, 0)->kind == AST_LABEL && opnd(m, 9, 0)->index == 11,
	   "a guarded jump");
	ok(opnd(m, 10, 1)->kind == AST_FUNC, "the address of a function");
	ok(opnd(m, 11, 1)->kind == AST_VAR && opnd(m, 11, 1)->bits == 4, "a variable and 4");
	ok(opnd(m, 12, 1)->kind == AST_INT && opnd(m, 12, 1)->bits == 32, "WARP_SZ");
	ok(opnd(m, 13, 1)->index == SREG_ENVREG && opnd(m, 13, 1)->bits == 7, "%%envreg7");
	ok(opnd(m, 14, 1)->bits == -1, "64 bits");
	ok(opnd(m, 15, 1)->kind == AST_INT && opnd(m, 15, 1)->bits == 1 &&
		   opnd(m, 16, 1)->kind == AST_SREG && opnd(m, 16, 1)->index == SREG_CTAID_Z,
	   "a CTA is a cluster");
	ok(m->func[0].inst[3].n_word == 2 && m->func[0].inst[3].word[0] == W_global &&
		   m->func[0].inst[3].word[1] == W_f32,
	   "modifiers");
	ok(m->func[0].n_reg == 17, "only registers that are used: %u", m->func[0].n_reg);
	is_u64(m->func[0].inst[3].line, 10, "the line of an instruction");
	ast_free(m);
}

/* Checks the operands of a call, given as letters: l list, f function, r register, t table, p
 * prototype. */
static void
is_call(const struct ast_module *m, uint32_t at, const char *want)
{
	char got[8] = "";

	while (m && at < m->func[0].n_inst && m->func[0].inst[at].op != PTX_call)
		at++;
	if (m && at < m->func[0].n_inst)
		for (uint32_t i = 0; i < m->func[0].inst[at].n_opnd && i < 6; i++) {
			uint8_t kind = opnd(m, at, i)->kind;

			got[i] = kind == AST_LIST    ? (char)('0' + opnd(m, at, i)->n_elem)
				 : kind == AST_FUNC  ? 'f'
				 : kind == AST_REG   ? 'r'
				 : kind == AST_TABLE ? 't'
				 : kind == AST_PROTO ? 'p'
						     : '?';
		}
	is_str(got, want, "operands of a call: %s", want);
}

static void
test_calls(void)
{
	struct ast_module *m = parse(
		HEAD ".entry k() { .reg .b64 %rd<3>; .reg .b32 %r<3>;\n"
		     "t: .calltargets f, g;\n q: .callprototype (.param .b32 _) _ (.reg .b32 x);\n"
		     "call f;\n call f, ();\n call (%r1), g, (%r2);\n call (%r1), %rd1, (5), t;\n"
		     "call.uni (_), %rd1, (%r1), q;\n call %rd1, q;\n"
		     "b: .branchtargets L, M;\n brx.idx %r1, b;\n L: ret;\n M: }\n"
		     ".func f() { ret; }\n .func (.reg .b32 r) g(.reg .b32 a) { mov.b32 r, a; }\n");
	const struct ast_func *f;

	if (!ok(m, "calls"))
		return;
	f = &m->func[0];
	is_call(m, 0, "0f0");
	is_call(m, 1, "0f0");
	is_call(m, 2, "1f1");
	is_call(m, 3, "1r1t");
	is_call(m, 4, "1r1p");
	is_call(m, 5, "0r0p");
	ok(f->n_table == 2 && f->table[0].calls && f->table[0].n == 2 && f->table[0].index[1] == 2,
	   "a list of functions");
	ok(!f->table[1].calls && f->table[1].index[0] == 7 && f->table[1].index[1] == 8 &&
		   f->n_inst == 9,
	   "a list of labels, the last at the end of the function");
	ok(f->n_proto == 1 && f->proto[0].n_ret == 1 && f->proto[0].n_param == 1 &&
		   f->proto[0].var[1].space == SP_REG,
	   "a prototype");
	ast_free(m);
}

static void
test_places(void)
{
	struct ast_module *m =
		parse(HEAD ".entry k() .maxntid 64, 2 .reqntid 32 .minnctapersm 3 .maxnreg 40 {\n"
			   "bar.sync 0;\n .loc 7 10 3\n bar.sync 0;\n"
			   ".loc 2 5 1, function_name x + 4, inlined_at 7 10 3\n bar.sync 0;\n"
			   ".loc 7 0 0\n bar.sync 0;\n .loc 9 1 1\n bar.sync 0; }\n"
			   ".file 2 \"b.cu\"\n .file 7 \"a.cu\", 1, 2\n");
	const struct ast_inst *in;

	if (!ok(m && m->n_file == 2, "lines of the source"))
		return;
	in = m->func[0].inst;
	ok(in[0].src_file == 0 && in[1].src_file == 2 && in[1].src_line == 10, ".loc");
	is_str(m->file[in[2].src_file - 1].name, "b.cu", "inlined: the inner place");
	ok(in[3].src_file == 0 && in[4].src_file == 0, "line 0, and a file that is not there");
	ok(m->func[0].maxntid[0] == 64 && m->func[0].maxntid[1] == 2 && m->func[0].maxntid[2] == 1,
	   ".maxntid");
	ok(m->func[0].reqntid[0] == 32 && m->func[0].minnctapersm == 3 && m->func[0].maxnreg == 40,
	   "other directives");
	ast_free(m);
}

/* ---- mistakes ---- */

/* text has '^' before the place of the caret. */
static void
is_error(const char *text, const char *msg)
{
	const char *at = strchr(text, '^'), *start = at;
	struct err e = {0};
	struct ast_module *m;
	char clean[4096];
	uint32_t line = 1;

	if (!ok(at, "the place is marked"))
		return;
	while (start > text && start[-1] != '\n')
		start--;
	for (const char *s = text; s < at; s++)
		line += *s == '\n';
	snprintf(clean, sizeof(clean), "%.*s%s", (int)(at - text), text, at + 1);
	m = ast_parse("t.ptx", clean, strlen(clean), &e);
	for (uint32_t i = 0; m && i < m->n_func; i++)
		if (m->func[i].bad) /* other functions of the module can run */
			e = *m->func[i].bad;
	if (!ok((!m || e.line) && !strncmp(e.msg, msg, strlen(msg)) && e.line == line &&
			e.col == at - start,
		"%s", msg))
		diag("got: %s line %d column %d", e.line ? e.msg : "nothing", (int)e.line, e.col);
	ast_free(m);
}

#define K ".entry k(.param .u64 p) {\n.reg .b32 %r<9>; .reg .pred %p<2>;\n"

static void
test_mistakes(void)
{
	is_error("^add", "expected PTX, which begins with .version");
	is_error("^", "expected PTX");
	is_error(".version ^70", "expected a version");
	is_error(".version ^12.0", "expected a PTX version from 1.0 to 9.9");
	is_error(HEAD "/* a comment\n of two lines */ // and\n^.entri k", "directive .entri");
	is_error(HEAD "^.entri k", "directive .entri is not supported here; did you mean .entry");
	is_error(HEAD "^wmma", "expected a directive");
	is_error(HEAD K "^wgmma.fence.sync %r1;}",
		 "instruction 'wgmma.fence.sync' is not supported");
	is_error(HEAD K "^ad.u32 %r1;}", "instruction 'ad.u32' is not supported; did you mean add");
	is_error(HEAD K "mov^.u33 %r1;}", "modifier '.u33' is not supported; did you mean ");
	is_error(HEAD K "mov.u32 %r1, ^%r9;}", "unknown register '%r9': there are %r0 to %r8");
	is_error(HEAD K "mov.u32 %r1, ^%x;}",
		 "unknown register '%x', neither declared nor special");
	is_error(HEAD K "mov.u32 %r1, ^%lane_id;}",
		 "unknown register '%lane_id', neither declared nor "
		 "special; did you mean %laneid");
	is_error(HEAD K "@^%q bra L;}", "unknown register '%q'");
	is_error(HEAD K "mov.u32 %r1, ^%laneid.x;}", "%laneid has no components");
	is_error(HEAD K "mov.u32 %r1, ^x;\nmov.u32 %r1, y;}", "unknown name 'x'");
	is_error(HEAD K "bra ^L;}", "unknown label 'L'");
	is_error(HEAD K "{ L: } bra ^L;}", "unknown label 'L'");
	is_error(HEAD K "bra ^p;}", "'p' is not a label");
	is_error(HEAD K "call ^f;}", "unknown function 'f'");
	is_error(HEAD K "call ^p;}", "'p' is not a function");
	is_error(HEAD K "L: ret; ^L: }", "'L' is declared twice, before in line 6");
	is_error(HEAD K ".reg .b32 ^%r3; }", "'%r3' is declared twice, before in line 5");
	is_error(HEAD K ".reg .b32 ^%r<3>; }", "'%r' is declared twice");
	is_error(HEAD K ".reg .b32 ^%tid; }", "'%tid' is a special register");
	is_error(HEAD ".func f() {}\n.func ^f() {}", "'f' is defined twice, before in line 4");
	is_error(HEAD ".func f();\n.func ^f(.param .b32 x) {}", "'f' is declared differently");
	is_error(HEAD ".global .u32 x; .func ^x;", "'x' is declared twice");
	is_error(HEAD ".global .u32 x; .global .u32 ^x;", "'x' is declared twice");
	is_error(HEAD K "@^%r1 bra L; }", "%r1 is a .b32 register, not a predicate");
	is_error(HEAD K "mov.u32 %r1, ^%tid; }", "%tid needs a component");
	is_error(HEAD K "mov.u32 %r1, ^%r2.x; }", "%r2 has no such component");
	is_error(HEAD K "mov.u32 %r1, 1^\nret; }", "expected ';' after the instruction");
	is_error(HEAD K "mov.u32 %r1, ^0x; }", "not a number");
	is_error(HEAD K "mov.u32 %r1, ^18446744073709551616; }", "a number of more than 64 bits");
	is_error(HEAD K "mov.u32 %r1, ^0f3F80000; }", "expected 8 hexadecimal digits");
	is_error(HEAD K "mov.u32 %r1, 1 ^/ 0; }", "division by zero");
	is_error(HEAD K "^/* mov.u32 %r1, 1; }", "this comment has no end");
	is_error(HEAD K ".pragma ^\"x; }", "this string has no end");
	is_error(HEAD K "ret;^", "expected an instruction, a label or a directive, found the end");
	is_error(HEAD K "ret ^#; }", "this character has no meaning here");
	is_error(HEAD ".global .u32 a[2] = {1, 2, ^3};", "more values than the variable has");
	is_error(HEAD ".global .u32 a[2] = {1, ^{2}};", "more braces than the variable has");
	is_error(HEAD ".global .u32 a[2][2] = {{1, 2, ^3}};", "more values than this part has");
	is_error(HEAD ".global .u32 a = ^1.5;", "a float initializes a variable of type .u32");
	is_error(HEAD ".shared .u32 a ^= 1;", "a variable in .shared has no initial value");
	is_error(HEAD ".global .u64 a = ^b;", "unknown name 'b': no variable or function");
	is_error(HEAD ".global .align ^3 .u32 a;", "an alignment is a power of two");
	is_error(HEAD ".global .pred ^a;", "a predicate can only be a register");
	is_error(HEAD "^.reg .u32 a;", "a register can be declared only in a function");
	is_error(HEAD ".entry k() .explicitcluster ^.reqnctapercluster 2, 1, 1 {}",
		 "thread block clusters of several CTAs (__cluster_dims__) are not supported");
	is_error(HEAD ".entry k() .reqnctapercluster ^{}", "expected a number of threads");
}

static void
test_limits(void)
{
	static char deep[20000];
	size_t n;

	is_error(HEAD K ".reg .b32 %x<^1000000000>; }", "a number of registers is at most 1048576");
	is_error(HEAD ".global .b8 a^[100000][100000][100000];", "an array of more than");
	is_error(HEAD ".global .b8 a^[0xffffffffffffffff];", "an array cannot have fewer");
	is_error(HEAD ".shared .b8 a^[100000000];", "an array of more than 16777216 bytes");
	is_error(HEAD ".global .b8 a[3000000000] ^= {1};", "more than 256 MiB of initialized");
	n = (size_t)snprintf(deep, sizeof(deep), "%s", HEAD K);
	memset(deep + n, '{', 10000);
	ok(!parse(deep), "blocks nested too deeply");
	n = (size_t)snprintf(deep, sizeof(deep), "%s", HEAD K "mov.u32 %r1, ");
	memset(deep + n, '(', 10000);
	deep[n + 10000] = '\0';
	ok(!parse(deep), "parentheses nested too deeply");
	memset(deep + n, '-', 10000);
	ok(!parse(deep), "signs nested too deeply");
	n = (size_t)snprintf(deep, sizeof(deep), HEAD ".global .u32 a[] = ");
	memset(deep + n, '{', 10000);
	deep[n + 10000] = '\0';
	ok(!parse(deep), "braces nested too deeply");
}

/* Many names, and many that wait for their label: neither may take quadratic time. */
static void
test_many(void)
{
	size_t cap = 8u << 20, n = 0;
	char *text = malloc(cap);
	struct ast_module *m;

	if (!text)
		return;
	n += (size_t)sprintf(text + n, HEAD ".entry k() { .reg .b32 %%r<100000>;\n");
	for (int i = 0; i < 100000; i++)
		n += (size_t)sprintf(text + n, "bra L%d; { bra E; } add.u32 %%r%d, %%r1, 1;\n", i,
				     i);
	for (int i = 0; i < 100000; i++)
		n += (size_t)sprintf(text + n, "L%d:\n", i);
	n += (size_t)sprintf(text + n, "E: }\n");
	m = parse(text);
	ok(m && m->func[0].n_inst == 300001 && m->func[0].n_reg == 100000, "100,000 of each");
	ast_free(m);
	free(text);
}

int
main(void)
{
	test_samples();
	test_header();
	test_init();
	test_scopes();
	test_operands();
	test_calls();
	test_places();
	test_mistakes();
	test_limits();
	test_many();
	return done();
}
