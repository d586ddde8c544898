/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * coop.c - runs CTAs that are resident at once and take turns, so that one may wait for the others
 * by reading memory: all CTAs of a cooperative launch (grid.sync() of cooperative groups, which
 * finds the word it waits on through %envreg1 and %envreg2), and the CTAs of an ordinary launch
 * from the moment at which one waits for later ones (stuck.c).
 *
 * A sink receives CTA after CTA. The first CTA that has not ended calls it directly; the calls of
 * the others are logged until their turn comes (coop_log.c). Turns are short, because a waiting
 * thread spends its turn polling, and all its reads are in the trace, as on a machine.
 */
#include "record/ptx/exec/coop_log.h"

#include <stdlib.h>
#include <string.h>

#define COOP_SLICE 128u
#define WORKSPACE_BYTES 256u /* of the grid */
#define MOST_WARPS 32768u    /* of an ordinary launch that are resident at once */

struct coop {
	struct run *run;
	const struct ptx_sink *to; /* NULL: there is no sink */
	struct cta *c;
	uint64_t n;
	uint64_t current;  /* the CTA whose turn it is */
	uint64_t front;	   /* the first CTA that has not ended: it calls the sink */
	uint64_t received; /* the sink has already received the CTAs of the grid before this one */
	struct coop_log *log;
	struct coop_file file;
};

/* ---------------------------------------------------------------- the sink in between */

static bool
skips_sink(const struct coop *k, uint64_t i)
{
	return !k->to || k->c[i].index < k->received;
}

static int
on_inst(void *ctx, uint32_t warp, const struct prog_func *func, const struct prog_inst *in,
	uint32_t mask, const uint64_t *lane, uint32_t lane_mask, struct err *e)
{
	static const uint64_t none[1];
	struct coop *k = ctx;
	uint32_t n = !lane ? 0 : in->op == PTX_cp ? 2 * WARP_SIZE : WARP_SIZE;

	if (skips_sink(k, k->current))
		return 0;
	if (k->current == k->front)
		return k->to->inst(k->to->ctx, warp, func, in, mask, lane, lane_mask, e);
	return coop_log_add(&k->file, &k->log[k->current],
			    &(struct logged){func, in, 0, warp, mask, lane_mask, n, 0},
			    n ? lane : none, e);
}

static int
on_line(void *ctx, uint32_t warp, const struct prog_func *func, const struct prog_inst *in,
	uint32_t n, uint32_t mask, struct err *e)
{
	static const uint64_t none[1];
	const struct logged t = {func, in, n, warp, mask, 0, 0, 0};
	struct coop *k = ctx;

	if (skips_sink(k, k->current))
		return 0;
	if (k->current == k->front)
		return coop_call_sink(k->to, &t, none, e);
	return coop_log_add(&k->file, &k->log[k->current], &t, none, e);
}

/* Lets the front CTA call the sink, after the calls that were logged. */
static int
open_front(struct coop *k)
{
	struct cta *c = &k->c[k->front];

	if (skips_sink(k, k->front))
		return 0;
	if (k->to->cta(k->to->ctx, c->xyz, k->run->e))
		return -1;
	return coop_log_replay(&k->file, &k->log[k->front], c, k->to);
}

/* Moves the front over the CTAs that have ended. */
static int
advance_front(struct coop *k)
{
	struct run *r = k->run;
	const uint32_t *g = r->launch->grid;
	uint64_t all = (uint64_t)g[0] * g[1] * g[2];

	while (k->front < k->n && !k->c[k->front].alive) {
		bool skipped = skips_sink(k, k->front);
		uint64_t done = k->c[k->front].index + 1;

		if (!skipped && k->to->cta_end(k->to->ctx, r->e))
			return -1;
		r->ctas_done = done;
		if ((!skipped || !k->to) && run_report(r, done, r->n.warp_insts) && done < all)
			return -1;
		if (++k->front < k->n && open_front(k))
			return -1;
	}
	return 0;
}

/* ---------------------------------------------------------------- turns */

static int
run_turns(struct coop *k)
{
	for (uint64_t left = k->n; left;) {
		left = 0;
		for (uint64_t i = 0; i < k->n; i++) {
			int ran;

			if (!k->c[i].alive)
				continue;
			k->current = i;
			ran = cta_round(&k->c[i], COOP_SLICE);
			if (ran < 0)
				return -1;
			if (ran == 0)
				return barrier_deadlock(&k->c[i]);
			left += k->c[i].alive != 0;
		}
		if (advance_front(k) || stuck_round(k->run, k->c, k->n) || run_tick(k->run))
			return -1;
	}
	return 0;
}

/* Begins the CTAs from c[from] on as those of the grid from `index` on. */
static int
begin_ctas(struct coop *k, uint64_t from, uint64_t index)
{
	const uint32_t *grid = k->run->launch->grid;

	for (uint64_t i = from; i < k->n; i++, index++) {
		struct cta *c = &k->c[i];

		c->index = index;
		c->xyz[0] = (uint32_t)(index % grid[0]);
		c->xyz[1] = (uint32_t)(index / grid[0] % grid[1]);
		c->xyz[2] = (uint32_t)(index / grid[0] / grid[1]);
		if (cta_new(c, k->run) || cta_begin(c))
			return -1;
	}
	return 0;
}

/* Allocates the CTAs and logs, and puts the logs before the sink of the launch. */
static int
coop_begin(struct coop *k, struct ptx_sink *between)
{
	struct run *r = k->run;

	k->c = calloc(k->n, sizeof(*k->c));
	k->log = calloc(k->n, sizeof(*k->log));
	coop_file_init(&k->file, r->launch->scratch, k->n);
	*between = (struct ptx_sink){.ctx = k, .inst = on_inst, .line = on_line};
	if (!k->c || !k->log)
		return err_of(r->e, ERR_MEMORY, "out of memory for the CTAs that run at once");
	r->sink = k->to ? between : NULL;
	r->at_once = true;
	stuck_begin(r);
	return 0;
}

/* Prints what the CTAs printed, and frees them from `from` on. */
static void
coop_end(struct coop *k, uint64_t from)
{
	for (uint64_t i = 0; k->c && i < k->n && k->c[i].run; i++)
		syscall_print(&k->c[i]);
	for (uint64_t i = 0; i < k->n; i++) {
		if (i >= from && k->c && k->c[i].run)
			cta_free(&k->c[i]);
		if (k->log)
			coop_log_free(&k->log[i]);
	}
	free(k->c);
	free(k->log);
	coop_file_close(&k->file);
	k->run->sink = k->to;
	k->run->at_once = false;
}

/* ---------------------------------------------------------------- cooperative launches */

static int
give_workspace(struct run *r)
{
	r->workspace = devmem_alloc(r->device, WORKSPACE_BYTES, 0, "cooperative grid", false, r->e);
	if (!r->workspace)
		return -1;
	memset(devmem_host(r->device, r->workspace), 0, WORKSPACE_BYTES);
	return 0;
}

int
coop_run(struct run *r)
{
	const struct ptx_launch *l = r->launch;
	struct coop k = {.run = r, .to = r->sink};
	struct ptx_sink between;
	int rc;

	k.n = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
	if (k.n > PTX_MAX_COOPERATIVE)
		return err_set(r->e, "kernel %s: a cooperative launch of more than %u CTAs",
			       l->kernel->name, PTX_MAX_COOPERATIVE);
	rc = coop_begin(&k, &between) || give_workspace(r) || begin_ctas(&k, 0, 0) ||
			     open_front(&k) || run_turns(&k)
		     ? -1
		     : 0;
	coop_end(&k, 0);
	if (r->workspace && ptx_release(r->device, r->workspace, rc ? NULL : r->e))
		rc = -1;
	return rc;
}

/* ---------------------------------------------------------------- ordinary launches */

static void
move_cta(struct cta *to, const struct cta *from)
{
	*to = *from;
	for (uint32_t i = 0; i < to->n_warps; i++)
		to->warp[i].cta = to;
}

uint64_t
coop_join(struct run *r, struct cta *first, uint64_t received)
{
	const struct ptx_launch *l = r->launch;
	uint64_t left = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2] - first->index;
	struct coop k = {.run = r, .to = l->sink, .received = received};
	struct ptx_sink between;
	bool good;

	k.n = MIN(left, MAX(MOST_WARPS / first->n_warps, 2u));
	r->claim = NULL;
	r->n.at_once = MAX(r->n.at_once, k.n);
	good = coop_begin(&k, &between) == 0;
	if (good) {
		move_cta(&k.c[0], first);
		good = begin_ctas(&k, 1, first->index + 1) == 0 && run_turns(&k) == 0;
		move_cta(first, &k.c[0]);
	}
	coop_end(&k, 1);
	return good ? k.n : 0;
}
