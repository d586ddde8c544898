/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stopped.c - a launch whose progress callback asks it to stop: it stops after the present CTA, or
 * inside a long one, with any number of threads, and the data shared by its threads can be freed
 * afterwards.
 */
#include "record/ptx/ptx_record.h"
#include "tests/record/ptx/rig.h"
#include "trace/trace.h"

#define CTAS 120u
#define WORK                                                                             \
	"mov.u32 %r30, 0; W: add.u32 %r30, %r30, 1; mad.lo.u32 %r31, %r30, %r1, %r31;\n" \
	"setp.lt.u32 %p9, %r30, 200; @%p9 bra W;\n"

static const char work[] = KERNEL(WORK STORE("%r31") "ret;\n");
/* All CTAs but the first run for ever. */
static const char endless[] = KERNEL(WORK STORE("%r31") "mov.u32 %r4, %ctaid.x; setp.eq.u32 %p1, "
							"%r4, 0; @%p1 ret;\n"
							"L: add.u32 %r4, %r4, 1; bra L;\n");

struct stop {
	uint64_t after; /* stop after this many CTAs */
	unsigned calls; /* and after this many reports */
	uint64_t done;	/* finished CTAs at the time of the request */
	bool asked;
	unsigned called; /* reports after that */
};

static bool
on_progress(void *ctx, uint64_t done, uint64_t all ATTR_UNUSED, uint64_t insts ATTR_UNUSED)
{
	struct stop *s = ctx;

	s->called += s->asked;
	s->calls -= s->calls > 0;
	if (s->asked || done < s->after || s->calls)
		return false;
	s->done = done;
	s->asked = true;
	return true;
}

/* Returns the result of ptx_run. The recorder and its plans are freed at once, as when a recording
 * ends. */
static int
run(const char *text, uint32_t jobs, bool cooperative, struct stop *s, char *msg, size_t size)
{
	struct err e = {0};
	struct trace_writer *w = trace_writer_new(NULL, &e);
	struct ptx_recorder *r = ptx_recorder_new(w, &e);
	struct ptx_module *m = ptx_parse("stopped.ptx", text, strlen(text), &e);
	struct ptx_device *d = ptx_device_new(1 << 24, &e);
	struct ptx_launch l = {.module = m,
			       .grid = {cooperative ? 4 : CTAS, 1, 1},
			       .block = {64, 1, 1},
			       .jobs = jobs,
			       .cooperative = cooperative,
			       .max_insns = 2000000000,
			       .sink = ptx_recorder_sink(r),
			       .progress = on_progress,
			       .progress_ctx = s};
	uint64_t out = 0;
	int rc = -2;

	if (m && d && !ptx_load(d, m, &e) && (out = ptx_alloc(d, OUT_BYTES, 0, "out", &e))) {
		l.kernel = ptx_kernel(m, "k", &e);
		l.params = &out;
		rc = ptx_run(d, &l, NULL, &e);
	}
	snprintf(msg, size, "%s", e.msg);
	ptx_recorder_free(r);
	trace_writer_abort(w);
	ptx_device_free(d);
	ptx_module_free(m);
	return rc;
}

int
main(void)
{
	static const uint32_t jobs[] = {1, 2, 8};
	char msg[600];

	for (size_t i = 0; i < ARRAY_LEN(jobs); i++) {
		struct stop some = {.after = 40}, last = {.after = CTAS}, within = {.calls = 6};

		ok(run(work, jobs[i], false, &some, msg, sizeof(msg)) == PTX_STOPPED &&
			   some.done == 40 && !some.called,
		   "%u threads: it stops after the CTA at hand: %s", (unsigned)jobs[i], msg);
		is_str(msg, "kernel k: the launch was stopped", "and says so");
		ok(run(work, jobs[i], false, &last, msg, sizeof(msg)) == 0 && last.done == CTAS,
		   "after the last CTA there is nothing to stop");
		ok(run(endless, jobs[i], false, &within, msg, sizeof(msg)) == PTX_STOPPED &&
			   within.done == 1,
		   "within CTAs that never end");
	}
	struct stop turns = {.calls = 6};

	ok(run(endless, 1, true, &turns, msg, sizeof(msg)) == PTX_STOPPED, "a cooperative launch");
	return done();
}
