/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * coop.c - a cooperative launch: all CTAs are resident at once and take turns, so that one may wait
 * for the others by reading memory (grid.sync() of cooperative groups, which finds the word it
 * waits on through %envreg1 and %envreg2).
 *
 * A sink receives CTA after CTA, so what each CTA did is kept until all have ended. Turns are
 * short, because a waiting thread spends its turn polling, and all of that is in the trace, as on a
 * machine.
 *
 * Limitation: what each CTA did is kept in memory, 16 bytes for a line of instructions and up to
 * 272 for an access.
 */
#include "record/ptx/exec/exec.h"

#include <stdlib.h>
#include <string.h>

#define COOP_SLICE 128u
#define WORKSPACE_BYTES 256u /* of the grid */

struct logged { /* an event of the sink; the addresses of its lanes follow it in the log */
	const struct prog_func *func;
	const struct prog_inst *in;
	uint32_t n; /* instructions of a line; 0: one instruction with addresses */
	uint32_t warp, mask, lane_mask, n_lane;
};

struct coop {
	const struct ptx_sink *to;
	struct strbuf *log; /* of the CTA that runs */
	struct strbuf *logs;
};

/* ---------------------------------------------------------------- the sink in between */

static int
log_event(struct coop *k, const struct logged *t, const uint64_t *lane, struct err *e)
{
	sb_add(k->log, t, sizeof(*t));
	sb_add(k->log, lane, t->n_lane * sizeof(*lane));
	return k->log->failed ? err_of(e, ERR_MEMORY,
				       "out of memory for the order of a cooperative launch")
			      : 0;
}

static int
on_inst(void *ctx, uint32_t warp, const struct prog_func *func, const struct prog_inst *in,
	uint32_t mask, const uint64_t *lane, uint32_t lane_mask, struct err *e)
{
	static const uint64_t none[1];
	uint32_t n = !lane ? 0 : in->op == PTX_cp ? 2 * WARP_SIZE : WARP_SIZE;

	return log_event(ctx, &(struct logged){func, in, 0, warp, mask, lane_mask, n},
			 n ? lane : none, e);
}

static int
on_line(void *ctx, uint32_t warp, const struct prog_func *func, const struct prog_inst *in,
	uint32_t n, uint32_t mask, struct err *e)
{
	static const uint64_t none[1];

	return log_event(ctx, &(struct logged){func, in, n, warp, mask, 0, 0}, none, e);
}

static int
report_logged(const struct ptx_sink *s, const struct logged *t, const uint64_t *lane, struct err *e)
{
	if (t->n == 0)
		return s->inst(s->ctx, t->warp, t->func, t->in, t->mask, t->n_lane ? lane : NULL,
			       t->lane_mask, e);
	if (s->line)
		return s->line(s->ctx, t->warp, t->func, t->in, t->n, t->mask, e);
	for (uint32_t i = 0; i < t->n; i++)
		if (s->inst(s->ctx, t->warp, t->func, t->in + i, t->mask, NULL, 0, e))
			return -1;
	return 0;
}

/* Reports all that a CTA did to the sink. */
static int
report_cta(const struct ptx_sink *s, const struct cta *c, const struct strbuf *log, struct err *e)
{
	uint64_t lane[2 * WARP_SIZE];
	struct logged t;

	if (s->cta(s->ctx, c->xyz, e))
		return -1;
	for (size_t at = 0; at < log->n;) {
		memcpy(&t, log->p + at, sizeof(t));
		at += sizeof(t);
		memcpy(lane, log->p + at, t.n_lane * sizeof(*lane));
		at += t.n_lane * sizeof(*lane);
		if (report_logged(s, &t, lane, e))
			return -1;
	}
	return s->cta_end(s->ctx, e);
}

/* ---------------------------------------------------------------- turns */

static int
run_turns(struct coop *k, struct cta *c, uint64_t n)
{
	for (uint64_t left = n; left;) {
		left = 0;
		for (uint64_t i = 0; i < n; i++) {
			int ran;

			if (!c[i].alive)
				continue;
			k->log = &k->logs[i];
			ran = cta_round(&c[i], COOP_SLICE);
			if (ran < 0)
				return -1;
			if (ran == 0)
				return barrier_deadlock(&c[i]);
			left += c[i].alive != 0;
		}
		if (stuck_round(c[0].run, c, n) || run_tick(c[0].run))
			return -1;
	}
	return 0;
}

static int
begin_ctas(struct run *r, struct cta *c, uint64_t n)
{
	const uint32_t *grid = r->launch->grid;

	for (uint64_t i = 0; i < n; i++) {
		c[i].index = i;
		c[i].xyz[0] = (uint32_t)(i % grid[0]);
		c[i].xyz[1] = (uint32_t)(i / grid[0] % grid[1]);
		c[i].xyz[2] = (uint32_t)(i / grid[0] / grid[1]);
		if (cta_new(&c[i], r) || cta_begin(&c[i]))
			return -1;
	}
	return 0;
}

static int
report_ctas(struct run *r, struct coop *k, struct cta *c, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		if (k->to && report_cta(k->to, &c[i], &k->logs[i], r->e))
			return -1;
		if (run_report(r, i + 1, r->n.warp_insts) && i + 1 < n)
			return -1;
	}
	return 0;
}

static int
run_all(struct run *r, struct coop *k, struct cta *c, uint64_t n)
{
	if (!c || !k->logs)
		return err_of(r->e, ERR_MEMORY,
			      "out of memory for the CTAs of a cooperative launch");
	r->workspace = devmem_alloc(r->device, WORKSPACE_BYTES, 0, "cooperative grid", false, r->e);
	if (!r->workspace)
		return -1;
	memset(devmem_host(r->device, r->workspace), 0, WORKSPACE_BYTES);
	stuck_begin(r);
	return begin_ctas(r, c, n) || run_turns(k, c, n) ? -1 : 0;
}

int
coop_run(struct run *r)
{
	const struct ptx_launch *l = r->launch;
	uint64_t n = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
	struct coop k = {.to = r->sink};
	struct ptx_sink between = {.ctx = &k, .inst = on_inst, .line = on_line};
	struct cta *c;
	int rc;

	if (n > PTX_MAX_COOPERATIVE)
		return err_set(r->e, "kernel %s: a cooperative launch of more than %u CTAs",
			       l->kernel->name, PTX_MAX_COOPERATIVE);
	c = calloc(n, sizeof(*c));
	k.logs = calloc(n, sizeof(*k.logs));
	r->sink = k.to ? &between : NULL;
	rc = run_all(r, &k, c, n);
	for (uint64_t i = 0; c && i < n && c[i].run; i++)
		syscall_print(&c[i]);
	if (rc == 0)
		rc = report_ctas(r, &k, c, n);
	for (uint64_t i = 0; i < n; i++) {
		if (c && c[i].run)
			cta_free(&c[i]);
		if (k.logs)
			sb_free(&k.logs[i]);
	}
	free(c);
	free(k.logs);
	r->sink = k.to;
	if (r->workspace && ptx_release(r->device, r->workspace, rc ? NULL : r->e))
		rc = -1;
	return rc;
}
