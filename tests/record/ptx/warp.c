/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * warp.c - exchange between the lanes of a warp, compared with plain C for random values and masks;
 * special registers.
 */
#include "tests/record/ptx/rig.h"

/* ---------------------------------------------------------------- lanes */

struct lanes {
	uint32_t a[32], b[32], c[32]; /* inputs */
	uint32_t mask;		      /* lanes that execute */
};

static uint64_t seed = 88172645463325252ull;

static uint32_t
next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 16);
}

/* Runs op on one warp for the lanes of x->mask: inputs %r11 %r12 %r13, member mask %r14; results
 * %r15 and predicate %p5. Lanes that do not execute have 0xabcd and false. */
static bool
run_op(struct rig *r, const char *op, const struct lanes *x, uint32_t d[32], uint32_t *p)
{
	char text[4000];
	uint32_t i;
	uint32_t *host;
	struct ptx_launch l = {.grid = {1, 1, 1}, .block = {32, 1, 1}};

	snprintf(text, sizeof(text), "%s%u%s%s%s",
		 HEAD BEGIN "ld.global.u32 %r11, [%rd2+1024]; ld.global.u32 %r12, [%rd2+2048];\n"
			    "ld.global.u32 %r13, [%rd2+3072]; mov.u32 %r14, ",
		 x->mask,
		 ";\nmov.b64 %rd11, {%r11, %r12}; shr.u32 %r16, %r14, %r1;\n"
		 "and.b32 %r16, %r16, 1; setp.ne.u32 %p1, %r16, 0; mov.u32 %r15, 0xabcd;\n"
		 "setp.lt.s32 %p2, %r11, 0; setp.ne.u32 %p5, %r1, %r1;\n@!%p1 bra SKIP;\n",
		 op,
		 "\nSKIP:\n" STORE("%r15") "selp.u32 %r17, 1, 0, %p5;\n"
					   "st.global.u32 [%rd2+4096], %r17; ret;\n}\n");
	rig_end(r);
	err_clear(&r->e);
	r->m = ptx_parse("op.ptx", text, strlen(text), &r->e);
	r->d = ptx_device_new(1 << 20, &r->e);
	if (!r->m || !r->d || ptx_load(r->d, r->m, &r->e)) {
		diag("%s: %s", op, r->e.msg);
		return false;
	}
	r->out = ptx_alloc(r->d, OUT_BYTES, 0, "out", &r->e);
	host = ptx_host(r->d, r->out, OUT_BYTES, &r->e);
	memcpy(host + 256, x->a, 128);
	memcpy(host + 512, x->b, 128);
	memcpy(host + 768, x->c, 128);
	l.module = r->m;
	l.kernel = ptx_kernel(r->m, "k", &r->e);
	l.params = &r->out;
	if (ptx_run(r->d, &l, &r->n, &r->e)) {
		diag("%s: %s", op, r->e.msg);
		return false;
	}
	memcpy(d, host, 128);
	for (*p = i = 0; i < 32; i++)
		*p |= host[1024 + i] << i;
	return true;
}

static void
random_lanes(struct lanes *x, uint32_t range)
{
	uint32_t i;

	for (i = 0; i < 32; i++) {
		x->a[i] = next_random() % range;
		x->b[i] = next_random() % 40;
		x->c[i] = (next_random() % 32) | (next_random() % 32) << 8;
	}
	x->mask = next_random() % 4 ? next_random() | 1 : UINT32_MAX;
}

/* What the ISA's pseudocode says, one lane after the other. */
static bool
shfl_isa(const char *mode, const struct lanes *x, uint32_t lane, uint32_t *d)
{
	int l = (int)lane, bval = (int)(x->b[lane] & 31), cval = (int)(x->c[lane] & 31);
	int mask = (int)(x->c[lane] >> 8 & 31), max_lane = (l & mask) | (cval & ~mask & 31);
	int min_lane = l & mask, j;
	bool p;

	if (!strcmp(mode, "up")) {
		j = l - bval;
		p = j >= max_lane;
	} else if (!strcmp(mode, "down")) {
		j = l + bval;
		p = j <= max_lane;
	} else if (!strcmp(mode, "bfly")) {
		j = l ^ bval;
		p = j <= max_lane;
	} else {
		j = min_lane | (bval & ~mask);
		p = j <= max_lane;
	}
	/* 0 for inactive lanes. */
	*d = x->mask >> (p ? j : l) & 1 ? x->a[p ? j : l] : 0;
	return p;
}

static void
test_shfl(struct rig *r)
{
	static const char *const mode[] = {"up", "down", "bfly", "idx"};
	struct lanes x;
	uint32_t d[32], want, p, k, i, bad = 0;
	char op[200];

	for (k = 0; k < 48; k++) {
		random_lanes(&x, UINT32_MAX);
		snprintf(op, sizeof(op),
			 k & 4 ? "shfl.sync.%s.b32 %%r15|%%p5, %%r11, %%r12, %%r13, %%r14;"
			       : "shfl.%s.b32 %%r15|%%p5, %%r11, %%r12, %%r13;",
			 mode[k % 4]);
		if (!run_op(r, op, &x, d, &p))
			break;
		for (i = 0; i < 32; i++) {
			bool here = x.mask >> i & 1, good = shfl_isa(mode[k % 4], &x, i, &want);

			if (d[i] != (here ? want : 0xabcd) || (p >> i & 1) != (here && good)) {
				if (!bad++)
					diag("%s lane %u: %x, want %x", op, i, d[i], want);
			}
		}
	}
	is_u64(k, 48, "shfl ran with all modes");
	is_u64(bad, 0, "shfl is what the ISA says, for random segments, clamps and lanes");
	x.mask = UINT32_MAX;
	for (i = 0; i < 32; i++)
		x.a[i] = i;
	run_op(r, "shfl.sync.down.b32 %r15, %r11, 16, 31, -1;", &x, d, &p);
	ok(d[3] == 19 && d[20] == 20, "shfl.down by 16 as __shfl_down_sync has it");
	run_op(r, "shfl.sync.up.b32 %r15, %r11, 1, 0, -1;", &x, d, &p);
	ok(d[0] == 0 && d[31] == 30, "shfl.up by 1 as __shfl_up_sync has it");
	run_op(r, "shfl.sync.bfly.b32 %r11, %r11, 1, 0x1f, -1; mov.u32 %r15, %r11;", &x, d, &p);
	ok(d[0] == 1 && d[31] == 30, "shfl.bfly in place");
}

static uint32_t
vote_want(const struct lanes *x, int mode)
{
	uint32_t p = 0, i;

	for (i = 0; i < 32; i++)
		p |= (x->a[i] >> 31 & x->mask >> i & 1) << i;
	switch (mode) {
	case 0:
		return p == x->mask;
	case 1:
		return p != 0;
	case 2:
		return p == x->mask || p == 0;
	default:
		return p;
	}
}

static void
test_vote(struct rig *r)
{
	static const char *const op[] = {"vote.sync.all.pred %p5, %p2, %r14;",
					 "vote.sync.any.pred %p5, %p2, %r14;",
					 "vote.sync.uni.pred %p5, %p2, %r14;",
					 "vote.sync.ballot.b32 %r15, %p2, %r14;",
					 "vote.all.pred %p5, %p2;",
					 "vote.any.pred %p5, %p2;",
					 "vote.uni.pred %p5, %p2;",
					 "vote.ballot.b32 %r15, %p2;"};
	struct lanes x;
	uint32_t d[32], p, k, i, bad = 0;

	for (k = 0; k < 48; k++) {
		uint32_t want;

		random_lanes(&x, UINT32_MAX);
		for (i = 0; k % 3 && i < 32; i++) /* all or none */
			x.a[i] = k % 3 == 1 ? UINT32_MAX : 0;
		want = vote_want(&x, k % 4);
		if (!run_op(r, op[k % 8], &x, d, &p))
			break;
		if (k % 4 == 3) {
			for (i = 0; i < 32; i++)
				bad += d[i] != (x.mask >> i & 1 ? want : 0xabcd);
		} else {
			bad += p != (want ? x.mask : 0);
		}
		if (bad)
			break;
	}
	is_u64(k, 48, "vote all, any, uni, ballot, with and without .sync");
	x.mask = 0x00ff00ff;
	run_op(r, "vote.sync.any.pred %p5, !%p2, %r14;", &x, d, &p);
	is_u64(p, vote_want(&x, 0) ? 0 : x.mask, "vote of a negated predicate");
	/* two halves of the warp as members at the same time */
	x.mask = UINT32_MAX;
	for (i = 0; i < 32; i++)
		x.a[i] = i < 16 || i == 20 ? UINT32_MAX : 0;
	run_op(r,
	       "setp.lt.u32 %p3, %r1, 16; selp.b32 %r14, 0xffff, 0xffff0000, %p3;\n"
	       "vote.sync.ballot.b32 %r15, %p2, %r14;",
	       &x, d, &p);
	ok(d[0] == 0xffff && d[31] == 1u << 20, "two sets of members at one instruction");
}

static void
test_match(struct rig *r)
{
	struct lanes x;
	uint32_t d[32], p, k, i, j, bad = 0, want;

	for (k = 0; k < 12; k++) {
		random_lanes(&x, 5);
		for (i = 0; i < 32; i++)
			x.b[i] %= 2;
		if (!run_op(r,
			    k & 1 ? "match.any.sync.b64 %r15, %rd11, %r14;"
				  : "match.any.sync.b32 %r15, %r11, %r14;",
			    &x, d, &p))
			break;
		for (i = 0; i < 32; i++) {
			for (j = want = 0; j < 32; j++)
				want |= (uint32_t)(x.a[j] == x.a[i] &&
						   (!(k & 1) || x.b[j] == x.b[i]))
					<< j;
			bad += d[i] != (x.mask >> i & 1 ? want & x.mask : 0xabcd);
		}
	}
	ok(k == 12 && bad == 0, "match.any of 32 and 64 bits");
	for (k = 0; k < 6; k++) {
		random_lanes(&x, k & 1 ? 1 : 2);
		x.mask |= 0xff;
		x.a[3] = k & 1 ? x.a[4] : !x.a[4];
		run_op(r, "match.all.sync.b32 %r15|%p5, %r11, %r14;", &x, d, &p);
		bad += d[3] != (k & 1 ? x.mask : 0) || p != (k & 1 ? x.mask : 0);
	}
	is_u64(bad, 0, "match.all");
}

static void
test_redux(struct rig *r)
{
	static const char *const op[] = {"add.u32", "min.u32", "max.u32", "min.s32", "max.s32",
					 "and.b32", "or.b32",  "xor.b32", "add.s32"};
	struct lanes x;
	uint32_t d[32], p, k, i, bad = 0, n = 0;
	char text[100];

	for (k = 0; k < 2 * ARRAY_LEN(op); k++) {
		uint32_t o = k % ARRAY_LEN(op), sum = 0, low = UINT32_MAX, high = 0,
			 all = UINT32_MAX, any = 0, odd = 0;
		int32_t slow = INT32_MAX, shigh = INT32_MIN;

		random_lanes(&x, UINT32_MAX);
		for (i = 0; i < 32; i++) {
			if (!(x.mask >> i & 1))
				continue;
			sum += x.a[i];
			low = MIN(low, x.a[i]);
			high = MAX(high, x.a[i]);
			slow = MIN(slow, (int32_t)x.a[i]);
			shigh = MAX(shigh, (int32_t)x.a[i]);
			all &= x.a[i];
			any |= x.a[i];
			odd ^= x.a[i];
		}
		snprintf(text, sizeof(text), "redux.sync.%s %%r15, %%r11, %%r14;", op[o]);
		n += run_op(r, text, &x, d, &p);
		for (i = 0; i < 32; i++) {
			const uint32_t want[] = {
				sum, low, high, (uint32_t)slow, (uint32_t)shigh, all,
				any, odd, sum};

			bad += d[i] != (x.mask >> i & 1 ? want[o] : 0xabcd);
		}
	}
	ok(n == 2 * ARRAY_LEN(op) && bad == 0, "redux.sync, all operations");
	x.mask = 0xfff0;
	run_op(r, "elect.sync %r15|%p5, %r14;", &x, d, &p);
	ok(d[4] == 4 && d[15] == 4 && p == 16, "elect.sync: the lowest lane");
	run_op(r, "activemask.b32 %r15;", &x, d, &p);
	ok(d[4] == 0xfff0 && d[0] == 0xabcd, "activemask");
	ok(run_op(r, "bar.warp.sync %r14; pmevent 1; brkpt; elect.sync _|%p5, %r14;", &x, d, &p),
	   "bar.warp.sync of those that are here");
}

/* CHECK_SHFL reports what PTX leaves undefined. */
static void
test_missing(struct rig *r)
{
	r->checks = CHECK_SHFL;
	FAILS(r, 32, 0,
	      KERNEL("setp.eq.u32 %p1, %r1, 5; setp.eq.u32 %p2, %r1, 0; @%p1 bra L;\n"
		     "vote.sync.any.pred %p3, %p2, -1;\nret; L: bar.warp.sync -1; ret;\n"),
	      "lane 5 names lane 0 in its member mask 0xffffffff, which is at line 10",
	      "thread 5,0,0");
	FAILS(r, 32, 0, KERNEL("shfl.sync.idx.b32 %r5, %r1, 0, 31, 0xfffe; ret;\n"),
	      "lane 0 is not in its own member mask 0x0000fffe");
	FAILS(r, 32, 0,
	      KERNEL("setp.lt.u32 %p1, %r1, 4; selp.b32 %r5, 0xf, -1, %p1;\n"
		     "shfl.sync.idx.b32 %r5, %r1, 0, 31, %r5; ret;\n"),
	      "lane 0 has the member mask 0x0000000f", "lane 4 has 0xffffffff");
	ok(rig_run(r, KERNEL("shfl.sync.idx.b32 %r5, %r1, 3, 31, -1;\n" STORE("%r5") "ret;\n"), 1,
		   20) == 0 &&
		   r->v[19] == 3,
	   "lanes that do not exist need not come");
	r->checks = 0;
}

/* ---------------------------------------------------------------- special registers */

static void
test_sregs(struct rig *r)
{
	static const uint32_t grid[3] = {2, 3, 4}, block[3] = {5, 4, 3};
	static const char ptx[] = HEAD
		".visible .entry k(.param .u64 out) { .reg .b32 %r<20>; .reg .b64 %rd<5>;\n"
		"ld.param.u64 %rd1, [out]; mov.u32 %r1, %ctaid.z; mov.u32 %r2, %nctaid.y;\n"
		"mov.u32 %r3, %ctaid.y; mad.lo.u32 %r1, %r1, %r2, %r3; mov.u32 %r2, %nctaid.x;\n"
		"mov.u32 %r3, %ctaid.x; mad.lo.u32 %r1, %r1, %r2, %r3; mov.u32 %r2, %ntid.z;\n"
		"mul.lo.u32 %r1, %r1, %r2; mov.u32 %r2, %ntid.y; mul.lo.u32 %r1, %r1, %r2;\n"
		"mov.u32 %r3, %tid.z; mul.lo.u32 %r3, %r3, %r2; mov.u32 %r4, %tid.y;\n"
		"add.u32 %r3, %r3, %r4; add.u32 %r1, %r1, %r3; mov.u32 %r2, %ntid.x;\n"
		"mov.u32 %r4, %tid.x; mad.lo.u32 %r1, %r1, %r2, %r4;\n"
		"mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2;\n"
		"mov.u32 %r5, %laneid; mov.u32 %r6, %warpid; shl.b32 %r6, %r6, 8; add.u32 %r5, "
		"%r5, %r6;\n"
		"mov.u32 %r6, %lanemask_lt; popc.b32 %r6, %r6; shl.b32 %r6, %r6, 16; add.u32 %r5, "
		"%r5, "
		"%r6; add.u32 %r5, %r5, 1;\n"
		"st.global.u32 [%rd2], %r5; mov.u32 %r7, %clock; mov.u32 %r8, %clock; mov.u64 "
		"%rd3, "
		"%clock64; cvt.u32.u64 %r9, %rd3; sub.u32 %r9, %r9, %r7; sub.u32 %r8, %r8, %r7;\n"
		"shl.b32 %r8, %r8, 8; add.u32 %r8, %r8, %r9; st.global.u32 [%rd1+65532], %r8; ret; "
		"}\n";
	uint32_t i, bad = 0;

	ok(rig_run3(r, ptx, grid, block) == 0, "3-D grid and block ran %s", r->e.msg);
	for (i = 0; i < 24 * 60; i++) {
		uint32_t t = i % 60, want = t % 32 + (t / 32 << 8) + (t % 32 << 16) + 1;

		bad += r->v[i] != want;
	}
	is_u64(bad, 0, "tid, ctaid, laneid, warpid, lanemask of all threads");
	is_u64(r->v[16383], 0x102, "the clock ticks");
}

int
main(void)
{
	struct rig r = {.d = NULL};

	r.max_insns = 10000000;
	test_shfl(&r);
	test_vote(&r);
	test_match(&r);
	test_redux(&r);
	test_missing(&r);
	test_sregs(&r);
	rig_end(&r);
	return done();
}
