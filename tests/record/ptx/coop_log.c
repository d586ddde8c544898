/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * coop_log.c - what the logs of CTAs give back, in memory and from their file, and the calls of a
 * sink whose CTAs run at once because the first one waits.
 */
#include "record/ptx/exec/coop_log.h"

#include "tests/record/ptx/sink.h"
#include "rig.h"

#define CALLS 5000u

struct seen {
	uint32_t calls, wrong;
	const struct prog_inst *inst;
};

/* Call i of a log: every third one is a line, the others have addresses. */
static struct logged
call_number(const struct prog_inst *inst, uint32_t i)
{
	return i % 3 == 1 ? (struct logged){NULL, inst + i % 7, i, 0, i + 1, 0, 0, 0}
			  : (struct logged){NULL, inst + i % 7, 0, 0, i + 1, i, WARP_SIZE, 0};
}

static int
on_logged(void *ctx, uint32_t warp, const struct prog_func *func ATTR_UNUSED,
	  const struct prog_inst *in, uint32_t mask, const uint64_t *lane, uint32_t lane_mask,
	  struct err *e ATTR_UNUSED)
{
	struct seen *s = ctx;
	struct logged want = call_number(s->inst, s->calls);
	bool good = warp == 0 && in == want.in && mask == want.mask && !want.n &&
		    lane_mask == want.lane_mask && lane;

	for (uint32_t l = 0; good && l < WARP_SIZE; l++)
		good = lane[l] == ((uint64_t)s->calls << 32 | l);
	s->wrong += !good;
	s->calls++;
	return 0;
}

static int
on_logged_line(void *ctx, uint32_t warp, const struct prog_func *func ATTR_UNUSED,
	       const struct prog_inst *in, uint32_t n, uint32_t mask, struct err *e ATTR_UNUSED)
{
	struct seen *s = ctx;
	struct logged want = call_number(s->inst, s->calls);

	s->wrong += warp != 0 || in != want.in || n != want.n || mask != want.mask;
	s->calls++;
	return 0;
}

/* Logs CALLS calls and replays them. most: bytes in memory. */
static void
test_log(size_t most, bool file, const char *what)
{
	static struct prog_inst inst[7];
	struct seen seen = {.inst = inst};
	struct ptx_sink sink = {.ctx = &seen,
				SINK_QUIET,
				.inst = on_logged,
				.line = on_logged_line};
	struct err e = {0};
	struct run run = {.e = &e};
	struct warp warp = {.id = 0};
	struct cta cta = {.run = &run, .warp = &warp, .n_warps = 1};
	struct coop_file f;
	struct coop_log log = {0};
	uint64_t lane[WARP_SIZE];
	int rc = 0;

	coop_file_init(&f, "/nowhere", 1);
	f.most = most;
	for (uint32_t i = 0; i < CALLS && rc == 0; i++) {
		const struct logged t = call_number(inst, i);

		for (uint32_t l = 0; l < WARP_SIZE; l++)
			lane[l] = (uint64_t)i << 32 | l;
		rc = coop_log_add(&f, &log, &t, lane, &e);
	}
	ok(rc == 0 && (f.scratch.fd >= 0) == file, "%s: %s", what, e.msg);
	if (coop_log_replay(&f, &log, &cta, &sink))
		diag("%s", e.msg);
	is_u64(seen.calls, CALLS, "every call comes back");
	is_u64(seen.wrong, 0, "in order, with its addresses");
	ok(!log.recent.p && !log.n_part, "and the log is empty");
	coop_file_close(&f);
}

/* ---------------------------------------------------------------- a launch */

struct order {
	char ctas[200];
	size_t n;
	uint32_t insts;
};

static int
on_cta(void *ctx, const uint32_t xyz[3], struct err *e ATTR_UNUSED)
{
	struct order *o = ctx;

	o->n += (size_t)snprintf(o->ctas + o->n, sizeof(o->ctas) - o->n, "%u", xyz[0]);
	return 0;
}

static int
on_cta_end(void *ctx, struct err *e ATTR_UNUSED)
{
	struct order *o = ctx;

	o->n += (size_t)snprintf(o->ctas + o->n, sizeof(o->ctas) - o->n, ". ");
	return 0;
}

static int
on_inst(void *ctx, uint32_t warp ATTR_UNUSED, const struct prog_func *func ATTR_UNUSED,
	const struct prog_inst *in ATTR_UNUSED, uint32_t mask ATTR_UNUSED,
	const uint64_t *lane ATTR_UNUSED, uint32_t lane_mask ATTR_UNUSED, struct err *e ATTR_UNUSED)
{
	struct order *o = ctx;

	o->insts++;
	return 0;
}

/* CTA 1 waits for CTA 3; the others wait for nobody. */
static const char waiting[] =
	KERNEL("mov.u32 %r4, %ctaid.x; setp.ne.u32 %p2, %r4, 1; @%p2 bra W;\n"
	       "L: ld.volatile.global.u32 %r5, [%rd1+4096];\n"
	       "setp.eq.u32 %p1, %r5, 0; @%p1 bra L; ret;\n"
	       "W: setp.ne.u32 %p2, %r4, 3; @%p2 bra E; st.volatile.global.u32 [%rd1+4096], 1;\n"
	       "E: ret;\n");

static void
test_launch(void)
{
	struct rig r = {.max_insns = 100000000};
	struct order o = {.n = 0};
	struct ptx_sink sink = {.ctx = &o,
				.begin = sink_begin,
				.cta = on_cta,
				.inst = on_inst,
				.cta_end = on_cta_end,
				.end = sink_end};

	r.sink = &sink;
	ok(rig_run(&r, waiting, 6, 64) == 0, "a launch whose CTA 1 waits for CTA 3");
	is_str(o.ctas, "0. 1. 2. 3. 4. 5. ", "the sink receives the CTAs in order");
	is_u64(o.insts, r.n.warp_insts, "with every instruction");
	is_u64(r.n.at_once, 5, "those from CTA 1 on ran at once");
	rig_end(&r);
}

int
main(void)
{
	test_log((size_t)1 << 30, false, "a log in memory");
	test_log(10000, true, "a log of parts in a file");
	test_launch();
	return done();
}
