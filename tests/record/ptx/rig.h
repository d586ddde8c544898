/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rig.h - runs the kernel k of a PTX text: parameter out points to OUT_BYTES of zeroed memory.
 *
 * KERNEL(body) declares registers and computes %r1 = thread in the grid, %rd1 = out, %rd2 = address
 * of 4 bytes for the thread; the body ends with its own ret. Its first line is line 9.
 */
#ifndef TESTS_PTX_RIG_H
#define TESTS_PTX_RIG_H

#include "record/ptx/ptx.h"
#include "tests/tap.h"

#define OUT_BYTES 65536u

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
#define BEGIN                                                                                  \
	".visible .entry k(.param .u64 out)\n{\n"                                              \
	".reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .pred %p<10>;\n"                            \
	"ld.param.u64 %rd1, [out]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, " \
	"%tid.x;\n"                                                                            \
	"mad.lo.s32 %r1, %r1, %r2, %r3; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
#define KERNEL(body) HEAD BEGIN body "}\n"
#define STORE(reg) "st.global.u32 [%rd2], " reg ";\n"

struct rig {
	struct ptx_device *d;
	struct ptx_module *m;
	uint64_t out;
	const uint32_t *v; /* the content of out after the run */
	struct ptx_counts n;
	struct err e;
	uint32_t checks, shared; /* options of the launch */
	uint64_t max_insns;
	uint32_t go_on;
	struct ptx_findings *findings;
	const struct ptx_sink *sink;
	bool cooperative;
	bool tracked;		  /* out is; the host has written what wrote says */
	uint64_t wrote_at, wrote; /* bytes */
};

static inline void
rig_end(struct rig *r)
{
	ptx_device_free(r->d);
	ptx_module_free(r->m);
	r->d = NULL;
	r->m = NULL;
}

/* Prepares a launch of kernel k of a module, whose parameter is the buffer that r->v shows. Returns
 * 0, or -1 with r->e. It first frees the previous run. */
static inline int
rig_load(struct rig *r, const char *text, struct ptx_launch *l)
{
	rig_end(r);
	err_clear(&r->e);
	r->m = ptx_parse("test.ptx", text, strlen(text), &r->e);
	r->d = ptx_device_new(1 << 24, &r->e);
	if (!r->m || !r->d || ptx_load(r->d, r->m, &r->e))
		return -1;
	r->out = ptx_alloc(r->d, OUT_BYTES, 0, "out", &r->e);
	l->module = r->m;
	l->kernel = ptx_kernel(r->m, "k", &r->e);
	l->params = &r->out;
	r->v = ptx_host(r->d, r->out, OUT_BYTES, &r->e);
	return r->out && l->kernel ? 0 : -1;
}

/* Runs it; returns 0, or -1 with r->e. */
static inline int
rig_run3(struct rig *r, const char *text, const uint32_t grid[3], const uint32_t block[3])
{
	struct ptx_launch l = {.checks = r->checks,
			       .shared_bytes = r->shared,
			       .max_insns = r->max_insns,
			       .go_on = r->go_on,
			       .findings = r->findings,
			       .sink = r->sink,
			       .cooperative = r->cooperative};

	if (rig_load(r, text, &l))
		return -1;
	if (r->tracked && ptx_track(r->d, r->out, &r->e))
		return -1;
	ptx_note_written(r->d, r->out + r->wrote_at, r->wrote);
	memcpy(l.grid, grid, sizeof(l.grid));
	memcpy(l.block, block, sizeof(l.block));
	return ptx_run(r->d, &l, &r->n, &r->e);
}

static inline int
rig_run(struct rig *r, const char *text, uint32_t grid, uint32_t block)
{
	const uint32_t g[3] = {grid, 1, 1}, b[3] = {block, 1, 1};
	int rc = rig_run3(r, text, g, b);

	if (rc)
		diag("%s:%u: %s", r->e.file, (unsigned)r->e.line, r->e.msg);
	return rc;
}

/* Runs one CTA; shows the first of the n results that is not want(i). */
static inline void
rig_equal(struct rig *r, const char *text, uint32_t n, uint32_t (*want)(uint32_t i),
	  const char *what)
{
	uint32_t i;

	if (rig_run(r, text, 1, n)) {
		ok(false, "%s: %s", what, r->e.msg);
		return;
	}
	for (i = 0; i < n && r->v[i] == want(i); i++)
		;
	if (i < n)
		diag("thread %u: got %u, expected %u", i, r->v[i], want(i));
	ok(i == n, "%s", what);
}

/* The run must fail with a message that contains all of the words (ended by NULL). */
static inline void
rig_fails(struct rig *r, const char *text, uint32_t block, uint32_t line, const char *const *words)
{
	const uint32_t g[3] = {1, 1, 1}, b[3] = {block, 1, 1};
	int rc = rig_run3(r, text, g, b);
	bool good = rc != 0 && (line == 0 || r->e.line == line);
	const char *first = words[0];

	for (; good && *words; words++)
		good = strstr(r->e.msg, *words) != NULL;
	ok(good, "a fault names: %s", first);
	if (!good)
		diag("rc %d, line %u: %s", rc, (unsigned)r->e.line, r->e.msg);
}

#define FAILS(r, block, line, text, ...) \
	rig_fails(r, text, block, line, (const char *const[]){__VA_ARGS__, NULL})

#endif
