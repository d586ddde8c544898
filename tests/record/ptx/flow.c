/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flow.c - where branches reconverge: known functions, and random graphs compared with
 * post-dominators computed from their definition.
 */
#include "record/ptx/decode/flow.h"
#include "tests/tap.h"

/* ---------------------------------------------------------------- known functions */

/* The body has one instruction per line, counted from 1. want "3>7 5>-": the branch at line 3
 * reconverges at line 7, that at line 5 nowhere. */
static void
check(const char *what, const char *body, const char *want)
{
	static const char head[] =
		".version 7.0\n.target sm_70\n.address_size 64\n"
		".func quit() .noreturn { trap; }\n.extern .func work();\n"
		".entry k() { .reg .pred p, q; .reg .b32 r; setp.eq.u32 p, r, 0;\n";
	char text[3000], got[300] = "";
	struct err e = {.set = false};
	struct ptx_module *m;
	const struct prog_func *f;
	uint32_t i;
	size_t n = 0;

	snprintf(text, sizeof(text), "%s%s}\n", head, body);
	m = ptx_parse("flow.ptx", text, strlen(text), &e);
	if (!m) {
		ok(false, "%s: line %u: %s", what, (unsigned)e.line, e.msg);
		return;
	}
	f = &m->func[m->kernel_func[0]];
	for (i = 0; i < f->n_inst; i++) {
		const struct prog_inst *in = &f->inst[i];

		if (in->op != PTX_bra && in->op != PTX_brx)
			continue;
		n += (size_t)snprintf(got + n, sizeof(got) - n, "%s%u>", n ? " " : "",
				      in->line - 6);
		if (in->reconv == PROG_NONE)
			n += (size_t)snprintf(got + n, sizeof(got) - n, "-");
		else
			n += (size_t)snprintf(got + n, sizeof(got) - n, "%u",
					      f->inst[in->reconv].line - 6);
	}
	is_str(got, want, "%s", what);
	ptx_module_free(m);
}

/* A table with very many targets. */
static void
big_table(void)
{
	char body[2000];
	size_t n = (size_t)snprintf(body, sizeof(body), "T: .branchtargets A");
	uint32_t i;

	for (i = 0; i < 400; i++)
		n += (size_t)snprintf(body + n, sizeof(body) - n, ",%s", i % 2 ? "A" : "B");
	snprintf(body + n, sizeof(body) - n, ";\n@p brx.idx r, T;\nA: add.u32 r, r, 1;\nB: ret;\n");
	check("a table of 401 targets", body, "2>4");
}

static void
test_known(void)
{
	check("if", "@p bra L;\nadd.u32 r, r, 1;\nL: ret;\n", "1>3");
	check("if else", "@p bra L;\nadd.u32 r, r, 1;\nbra M;\nL: add.u32 r, r, 2;\nM: ret;\n",
	      "1>5 3>5");
	check("while", "L: @p bra M;\nadd.u32 r, r, 1;\nbra L;\nM: ret;\n", "1>4 3>1");
	check("do while", "L: add.u32 r, r, 1;\n@p bra L;\nret;\n", "2>3");
	check("loop in loop with break out of both",
	      "O: @p bra E;\nI: @p bra N;\n@q bra E;\nadd.u32 r, r, 1;\nbra I;\nN: bra O;\nE: "
	      "ret;\n",
	      "1>7 2>7 3>7 5>2 6>1");
	check("switch with fall through",
	      "T: .branchtargets A, B, C;\nbrx.idx r, T;\nA: bra D;\nB: add.u32 r, r, 1;\n"
	      "C: add.u32 r, r, 1;\nD: ret;\n",
	      "2>6 3>6");
	check("an early exit does not hold back the others",
	      "@p bra L;\n@q bra X;\nL: add.u32 r, r, 1;\nret;\nX: exit;\n", "1>3 2>3");
	check("nor does a guarded one", "@p bra L;\n@q exit;\nL: add.u32 r, r, 1;\nret;\n", "1>3");
	check("nor trap, nor a call that does not return",
	      "@p bra L;\n@q bra T;\nL: @p bra M;\nbra C;\nM: ret;\nT: trap;\nC: call quit;\n",
	      "1>3 2>3 3>5 4>-");
	check("two ends of which one is reached by less",
	      "@p bra A;\n@q bra E;\nadd.u32 r, r, 1;\nA: @p bra B;\nadd.u32 r, r, 1;\nB: ret;\n"
	      "E: @p bra F;\nadd.u32 r, r, 1;\nF: ret;\n",
	      "1>4 2>3 4>6 7>9");
	check("only guarded ends", "L: @p exit;\n@q bra L;\nbra L;\n", "2>1 3>1");
	check("an endless loop", "@p bra L;\nret;\nL: @q bra M;\nadd.u32 r, r, 1;\nM: bra L;\n",
	      "1>2 3>- 5>-");
	check("nothing but an endless loop", "L: @p bra M;\nadd.u32 r, r, 1;\nM: bra L;\n",
	      "1>- 3>-");
	check("unreachable code", "bra M;\nL: @p bra N;\nadd.u32 r, r, 1;\nN: bra L;\nM: ret;\n",
	      "1>5 2>- 4>-");
	check("the end of the text is a ret", "@p bra L;\nadd.u32 r, r, 1;\nL:\n", "1>4");
	check("two entries of a loop",
	      "@p bra B;\nA: add.u32 r, r, 1;\nB: add.u32 r, r, 2;\n@q bra A;\nret;\n", "1>3 4>5");
	big_table();
	check("a call in between", "@p bra L;\ncall work;\nL: ret;\n", "1>3");
}

/* ---------------------------------------------------------------- flow_next */

static void
test_next(void)
{
	static uint32_t targets[] = {0, 4, 2};
	static struct ast_table table = {.n = 3, .index = targets};
	static const struct ast_func a = {.table = &table, .n_table = 1};
	struct prog_inst inst[5] = {{.op = PTX_bra, .target = 3, .flags = PF_GUARD},
				    {.op = PTX_bra, .target = 2, .flags = PF_GUARD_NOT},
				    {.op = PTX_brx, .target = 0},
				    {.op = PTX_exit, .flags = PF_GUARD},
				    {.op = PTX_ret}};
	struct prog_func f = {.inst = inst, .n_inst = 5, .ast = &a};
	struct ptx_module m = {.func = &f};
	uint32_t to[4] = {9, 9, 9, 9};

	is_u64(flow_next(&m, &f, 0, to, 4), 2, "a guarded branch has two successors");
	ok(to[0] == 3 && to[1] == 1, "which are the target and the next");
	is_u64(flow_next(&m, &f, 1, to, 4), 1, "one when they are the same");
	to[2] = 9;
	is_u64(flow_next(&m, &f, 2, to, 2), 3, "a table has as many as it lists");
	ok(to[0] == 0 && to[1] == 4 && to[2] == 9, "no more are stored than asked for");
	is_u64(flow_next(&m, &f, 3, to, 4), 1, "a guarded exit goes on");
	is_u64(flow_next(&m, &f, 4, to, 4), 0, "ret does not");
}

/* ---------------------------------------------------------------- random graphs */

#define N 14 /* instructions; the function ends only at the last */

static uint64_t seed = 42;

static uint32_t
dice(uint32_t n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(seed >> 33) % n;
}

/* Whether a path leads from a to instruction N - 1 that avoids `without`. */
static bool
reaches_end(const struct ptx_module *m, const struct prog_func *f, uint32_t a, uint32_t without)
{
	bool seen[N] = {false};
	uint32_t stack[N * 4], n = 0, to[2], k, cnt;

	if (a == without)
		return false;
	stack[n++] = a;
	while (n) {
		uint32_t i = stack[--n];

		if (i == N - 1)
			return true;
		if (seen[i])
			continue;
		seen[i] = true;
		cnt = flow_next(m, f, i, to, 2);
		for (k = 0; k < cnt; k++)
			if (to[k] != without && !seen[to[k]])
				stack[n++] = to[k];
	}
	return false;
}

static bool
post_dominates(const struct ptx_module *m, const struct prog_func *f, uint32_t d, uint32_t i)
{
	return d != i && !reaches_end(m, f, i, d);
}

/* By definition, the post-dominator that all other post-dominators post-dominate. */
static uint32_t
slow_reconv(const struct ptx_module *m, const struct prog_func *f, uint32_t i)
{
	uint32_t d, o;

	if (!reaches_end(m, f, i, PROG_NONE))
		return PROG_NONE;
	for (d = 0; d < N; d++) {
		if (!post_dominates(m, f, d, i))
			continue;
		for (o = 0; o < N; o++)
			if (o != d && post_dominates(m, f, o, i) && !post_dominates(m, f, o, d))
				break;
		if (o == N)
			return d;
	}
	return PROG_NONE;
}

static bool
reachable(const struct ptx_module *m, const struct prog_func *f, uint32_t i)
{
	bool seen[N] = {true};
	uint32_t round, k, j, to[2], cnt;

	for (round = 0; round < N; round++)
		for (j = 0; j < N; j++) {
			cnt = seen[j] ? flow_next(m, f, j, to, 2) : 0;
			for (k = 0; k < cnt; k++)
				seen[to[k]] = true;
		}
	return seen[i];
}

static void
test_random(void)
{
	static const struct ast_func a = {.n_inst = N};
	static struct ast_module ast;
	uint32_t round, i, checked = 0, none = 0, bad = 0;

	for (round = 0; round < 400 && !bad; round++) {
		struct prog_inst inst[N] = {{.op = PTX_add}};
		struct prog_func f = {.inst = inst, .n_inst = N, .ast = &a};
		struct ptx_module m = {.func = &f, .ast = &ast};
		struct err e;

		for (i = 0; i < N - 1; i++) {
			inst[i].op = dice(3) ? PTX_bra : PTX_add;
			inst[i].target = dice(N);
			inst[i].flags = dice(4) ? PF_GUARD : 0;
			inst[i].reconv = PROG_NONE;
		}
		inst[N - 1].op = PTX_ret;
		if (flow_analyse(&m, &f, &e))
			break;
		for (i = 0; i < N - 1 && !bad; i++) {
			uint32_t want;

			if (inst[i].op != PTX_bra || !reachable(&m, &f, i))
				continue;
			want = slow_reconv(&m, &f, i);
			checked++;
			none += want == PROG_NONE;
			bad += inst[i].reconv != want;
			if (bad)
				diag("graph %u, branch %u: %d, expected %d", round, i,
				     (int)inst[i].reconv, (int)want);
		}
	}
	is_u64(bad, 0, "400 random graphs: immediate post-dominators");
	diag("%u branches, %u of them have none", checked, none);
	ok(checked > 1500 && none > 50, "the graphs have both sorts of branches");
}

int
main(void)
{
	test_known();
	test_next();
	test_random();
	return done();
}
