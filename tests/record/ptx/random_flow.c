/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * random_flow.c - random control flow: blocks that hash a number and then continue at random places
 * by branch, table, call, ret or exit, in functions that call each other. 64 threads take
 * independent paths; what they leave in memory must be what C computes for each thread alone.
 */
#include "tests/record/ptx/rig.h"

#include <stdarg.h>

#define THREADS 64u
#define MAX_BLOCKS 10u
#define N_FUNCS 3u
#define FUEL 60u /* blocks that a thread runs in all */

enum kind { JUMP, COND, COND_FALL, TABLE, RET, RET_SOME, EXIT_SOME, CALL, CALL_SOME, KINDS };

struct block {
	enum kind kind;
	uint32_t to[4], mul;
};

struct random_func {
	uint32_t n;
	struct block block[MAX_BLOCKS];
};

static uint64_t seed;

static uint32_t
dice(uint32_t n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(seed >> 33) % n;
}

/* Function k calls those after it, and itself. */
static void
random_funcs(struct random_func *f)
{
	uint32_t k, b, i;

	for (k = 0; k < N_FUNCS; k++) {
		f[k].n = 2 + dice(MAX_BLOCKS - 1);
		for (b = 0; b < f[k].n; b++) {
			struct block *x = &f[k].block[b];

			x->kind = (enum kind)dice(KINDS);
			x->mul = dice(1u << 30) * 2 + 1;
			for (i = 0; i < 4; i++)
				x->to[i] = dice(f[k].n);
			if (x->kind >= CALL)
				x->to[0] = k + dice(N_FUNCS - k);
		}
		f[k].block[f[k].n - 1].kind = RET;
	}
}

/* ---------------------------------------------------------------- one thread in C */

struct thread {
	uint32_t x, fuel;
	bool gone;
};

static void
run_thread(const struct random_func *f, uint32_t k, struct thread *t)
{
	uint32_t b = 0;

	for (;;) {
		const struct block *x = &f[k].block[b];
		bool bit;

		if (t->fuel == 0)
			return;
		t->fuel--;
		t->x = t->x * x->mul + b + k * 100;
		t->x ^= t->x >> 13;
		bit = t->x >> 7 & 1;
		switch (x->kind) {
		case JUMP:
			b = x->to[0];
			break;
		case COND:
			b = bit ? x->to[0] : x->to[1];
			break;
		case COND_FALL:
			b = bit ? x->to[0] : b + 1;
			break;
		case TABLE:
			b = x->to[t->x >> 8 & 3];
			break;
		case RET:
			return;
		case RET_SOME:
			if (bit)
				return;
			b++;
			break;
		case EXIT_SOME:
			if (bit && (t->x >> 9 & 1)) {
				t->gone = true;
				return;
			}
			b++;
			break;
		default:
			if (x->kind == CALL || bit)
				run_thread(f, x->to[0], t);
			if (t->gone)
				return;
			b++;
		}
	}
}

/* ---------------------------------------------------------------- the same in PTX */

struct text {
	char p[60000];
	size_t n;
};

ATTR_PRINTF(2, 3) static void put(struct text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	t->n += (size_t)vsnprintf(t->p + t->n, sizeof(t->p) - t->n, fmt, ap);
	va_end(ap);
}

/* x is %r10, fuel %r11; every block stores x, because the thread may exit after it. */
static void
put_block(struct text *t, uint32_t k, uint32_t b, const struct block *x)
{
	static const char guard[] = "%p1";

	put(t, "B%u_%u: setp.eq.u32 %%p2, %%r11, 0; @%%p2 bra END%u; sub.u32 %%r11, %%r11, 1;\n", k,
	    b, k);
	put(t, "mad.lo.u32 %%r10, %%r10, %u, %u; shr.u32 %%r12, %%r10, 13;\n", x->mul, b + k * 100);
	put(t, "xor.b32 %%r10, %%r10, %%r12; st.global.u32 [%%rd2], %%r10;\n");
	put(t, "and.b32 %%r12, %%r10, 128; setp.ne.u32 %s, %%r12, 0;\n", guard);
	switch (x->kind) {
	case JUMP:
		put(t, "bra B%u_%u;\n", k, x->to[0]);
		break;
	case COND:
		put(t, "@%s bra B%u_%u; bra B%u_%u;\n", guard, k, x->to[0], k, x->to[1]);
		break;
	case COND_FALL:
		put(t, "@%s bra B%u_%u;\n", guard, k, x->to[0]);
		break;
	case TABLE:
		put(t, "T%u_%u: .branchtargets B%u_%u, B%u_%u, B%u_%u, B%u_%u;\n", k, b, k,
		    x->to[0], k, x->to[1], k, x->to[2], k, x->to[3]);
		put(t, "bfe.u32 %%r12, %%r10, 8, 2; brx.idx %%r12, T%u_%u;\n", k, b);
		break;
	case RET:
		put(t, "bra END%u;\n", k);
		break;
	case RET_SOME:
		put(t, k ? "@%s bra END%u;\n" : "@%s ret;\n", guard, k);
		break;
	case EXIT_SOME:
		put(t,
		    "bfe.u32 %%r12, %%r10, 9, 1; setp.ne.and.u32 %%p3, %%r12, 0, %s; @%%p3 exit;\n",
		    guard);
		break;
	default:
		put(t, "{ .param .b64 a; .param .b64 r; mov.b64 %%rd5, {%%r10, %%r11};\n");
		put(t, "st.param.b64 [a], %%rd5; mov.b64 %%rd6, %%rd5; @!%s bra S%u_%u;\n",
		    x->kind == CALL ? "%p4" : guard, k, b);
		put(t, "call (r), f%u, (a, %%rd2); ld.param.b64 %%rd6, [r];\n", x->to[0]);
		put(t, "S%u_%u: mov.b64 {%%r10, %%r11}, %%rd6; }\n", k, b);
	}
}

static void
put_func(struct text *t, const struct random_func *f, uint32_t k)
{
	uint32_t b;

	put(t,
	    ".reg .b32 %%r<14>; .reg .b64 %%rd<7>; .reg .pred %%p<5>; setp.eq.u32 %%p4, 0, 0;\n");
	if (k) {
		put(t, "ld.param.b64 %%rd5, [x]; mov.b64 {%%r10, %%r11}, %%rd5; mov.u64 %%rd2, "
		       "%%at;\n");
	} else {
		put(t, "mov.u32 %%r1, %%tid.x; ld.param.u64 %%rd1, [out]; mov.u32 %%r11, %u;\n",
		    FUEL);
		put(t, "mad.wide.u32 %%rd2, %%r1, 4, %%rd1; mad.lo.u32 %%r10, %%r1, 77777, 5;\n");
	}
	for (b = 0; b < f->n; b++)
		put_block(t, k, b, &f->block[b]);
	put(t, "END%u:", k);
	if (k)
		put(t, "mov.b64 %%rd5, {%%r10, %%r11}; st.param.b64 [res], %%rd5;");
	put(t, "ret;\n}\n");
}

static void
put_program(struct text *t, const struct random_func *f)
{
	uint32_t k;

	t->n = 0;
	put(t, "%s", HEAD);
	for (k = 1; k < N_FUNCS; k++)
		put(t, ".func (.param .b64 res) f%u(.param .b64 x, .reg .b64 %%at);\n", k);
	for (k = 1; k < N_FUNCS; k++) {
		put(t, ".func (.param .b64 res) f%u(.param .b64 x, .reg .b64 %%at)\n{\n", k);
		put_func(t, &f[k], k);
	}
	put(t, ".visible .entry k(.param .u64 out)\n{\n");
	put_func(t, &f[0], 0);
}

/* ---------------------------------------------------------------- */

/* The kernel itself cannot be called. */
static void
no_self_calls(struct random_func *f)
{
	uint32_t b;

	for (b = 0; b < f->n; b++)
		if (f->block[b].kind >= CALL && f->block[b].to[0] == 0)
			f->block[b].to[0] = 1;
}

int
main(void)
{
	struct random_func f[N_FUNCS];
	struct text *t = calloc(1, sizeof(*t));
	struct rig r = {.d = NULL};
	uint32_t round, i, bad = 0, rounds = 150;
	uint64_t parted = 0, executed = 0;

	for (round = 0; t && round < rounds && !bad; round++) {
		seed = round;
		random_funcs(f);
		no_self_calls(&f[0]);
		put_program(t, f);
		if (rig_run(&r, t->p, 1, THREADS)) {
			bad++;
			break;
		}
		executed += r.n.warp_insts;
		parted += r.n.warp_insts * WARP_SIZE - r.n.thread_insts;
		for (i = 0; i < THREADS; i++) {
			struct thread want = {i * 77777 + 5, FUEL, false};

			run_thread(f, 0, &want);
			if (r.v[i] != want.x && !bad++)
				diag("program %u, thread %u: %x, expected %x\n%s", round, i, r.v[i],
				     want.x, t->p);
		}
	}
	is_u64(bad, 0, "%u random programs: every thread went its own way", rounds);
	diag("%u instructions, %u lanes of 1000 off", (unsigned)executed,
	     (unsigned)(executed ? parted * 1000 / 32 / executed : 0));
	ok(executed > 20000 && parted > executed * 4, "and the ways were different ones");
	free(t);
	rig_end(&r);
	return done();
}
