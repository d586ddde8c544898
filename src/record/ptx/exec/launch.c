/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * launch.c - runs a launch (ptx_run): checks it, then runs its CTAs one after the other, or several
 * in parallel (side.c).
 *
 * The storage of a CTA (shared memory, and for each warp: special registers, local memory, frames)
 * is allocated once per launch. The warps of a CTA take turns: each runs until it waits at a
 * barrier, ends or has used its slice, so that a warp may wait for another one by reading memory.
 * Registers, shared and local memory start as 0 in every CTA, so no CTA depends on another one
 * before it.
 *
 * Special registers: %smid is 0 of 1, %nwarpid 64, %gridid 1, %pm 0, and %envreg 0 except in
 * coop.c; the clocks are in clock.c.
 *
 * If a CTA waits for later ones (stuck.c), it and the CTAs after it take turns (coop.c).
 */
#include "record/ptx/exec/exec.h"

#include "record/ptx/mem/global.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SLICE 4096u
#define MAX_INSNS 10000000000ull
#define MAX_THREADS 1024u
#define MAX_SHARED (227u * 1024)
#define RESERVED_SHARED 1024u /* reserved shared memory, for kernels that read its address */

/* ---------------------------------------------------------------- special registers */

void
sreg_fill32(struct warp *w, enum ptx_sreg r, uint32_t value)
{
	uint32_t *v = (uint32_t *)(void *)(w->base[BASE_SREG] + (size_t)r * SREG_STRIDE);
	uint32_t l;

	for (l = 0; l < WARP_SIZE; l++)
		v[l] = value;
}

void
sreg_fill64(struct warp *w, enum ptx_sreg r, uint64_t value)
{
	uint64_t *v = (uint64_t *)(void *)(w->base[BASE_SREG] + (size_t)r * SREG_STRIDE);
	uint32_t l;

	for (l = 0; l < WARP_SIZE; l++)
		v[l] = value;
}

void
sreg_clock(struct warp *w, uint64_t ticks)
{
	sreg_fill32(w, SREG_CLOCK, (uint32_t)ticks);
	sreg_fill32(w, SREG_CLOCK_HI, (uint32_t)(ticks >> 32));
	sreg_fill64(w, SREG_CLOCK64, ticks);
	sreg_fill64(w, SREG_GLOBALTIMER, ticks);
	sreg_fill32(w, SREG_GLOBALTIMER_LO, (uint32_t)ticks);
	sreg_fill32(w, SREG_GLOBALTIMER_HI, (uint32_t)(ticks >> 32));
}

static void
sreg_set_lane(struct warp *w, enum ptx_sreg r, uint32_t l, uint32_t value)
{
	memcpy(w->base[BASE_SREG] + (size_t)r * SREG_STRIDE + 4 * l, &value, 4);
}

/* Sets the special registers that are constant during a launch. */
static void
sreg_launch(struct warp *w)
{
	const struct ptx_launch *n = w->cta->run->launch;
	uint32_t l, k;

	memset(w->base[BASE_SREG], 0, (size_t)SREG_STRIDE * PTX_SREGS);
	for (l = 0; l < WARP_SIZE; l++) {
		uint32_t tid = w->id * WARP_SIZE + l, bit = 1u << l;

		sreg_set_lane(w, SREG_TID_X, l, tid % n->block[0]);
		sreg_set_lane(w, SREG_TID_Y, l, tid / n->block[0] % n->block[1]);
		sreg_set_lane(w, SREG_TID_Z, l, tid / n->block[0] / n->block[1]);
		sreg_set_lane(w, SREG_LANEID, l, l);
		sreg_set_lane(w, SREG_LANEMASK_EQ, l, bit);
		sreg_set_lane(w, SREG_LANEMASK_LT, l, bit - 1);
		sreg_set_lane(w, SREG_LANEMASK_LE, l, bit | (bit - 1));
		sreg_set_lane(w, SREG_LANEMASK_GE, l, ~(bit - 1));
		sreg_set_lane(w, SREG_LANEMASK_GT, l, ~(bit | (bit - 1)));
	}
	for (k = 0; k < 3; k++) {
		sreg_fill32(w, (enum ptx_sreg)(SREG_NTID_X + k), n->block[k]);
		sreg_fill32(w, (enum ptx_sreg)(SREG_NCTAID_X + k), n->grid[k]);
	}
	sreg_fill32(w, SREG_WARPID, w->id);
	sreg_fill32(w, SREG_NWARPID, MAX_WARPS);
	sreg_fill32(w, SREG_NSMID, 1);
	sreg_fill64(w, SREG_GRIDID, 1);
	sreg_fill32(w, SREG_DYNAMIC_SMEM_SIZE, n->shared_bytes);
	sreg_fill32(w, SREG_TOTAL_SMEM_SIZE, w->cta->shared_bytes);
	sreg_fill32(w, SREG_ENVREG_1, (uint32_t)(w->cta->run->workspace >> 32));
	sreg_fill32(w, SREG_ENVREG_2, (uint32_t)w->cta->run->workspace);
	sreg_fill32(w, SREG_RESERVED_BEGIN, w->cta->reserved);
	sreg_fill32(w, SREG_RESERVED_END, w->cta->shared_bytes);
	sreg_fill32(w, SREG_RESERVED_CAP, RESERVED_SHARED);
	sreg_fill32(w, SREG_RESERVED_0, w->cta->reserved);
	sreg_fill32(w, SREG_RESERVED_1, w->cta->reserved);
}

/* ---------------------------------------------------------------- checks */

static int
check_dims(const struct ptx_launch *l, struct err *e)
{
	static const uint32_t max_grid[3] = {INT32_MAX, 65535, 65535};
	static const uint32_t max_block[3] = {1024, 1024, 64};
	const struct ptx_kernel *k = l->kernel;
	uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2], most = 1;
	uint32_t i;

	for (i = 0; i < 3; i++) {
		if (l->grid[i] > max_grid[i])
			return err_set(e,
				       "kernel %s: a grid of %u,%u,%u has more than %u CTAs in %c",
				       k->name, l->grid[0], l->grid[1], l->grid[2], max_grid[i],
				       "xyz"[i]);
		if (l->block[i] > max_block[i])
			return err_set(
				e, "kernel %s: a block of %u,%u,%u has more than %u threads in %c",
				k->name, l->block[0], l->block[1], l->block[2], max_block[i],
				"xyz"[i]);
		if (k->reqntid[0] && l->block[i] != MAX(k->reqntid[i], 1u))
			return err_set(
				e, "kernel %s: a block of %u,%u,%u, but .reqntid demands %u,%u,%u",
				k->name, l->block[0], l->block[1], l->block[2], k->reqntid[0],
				MAX(k->reqntid[1], 1u), MAX(k->reqntid[2], 1u));
		most *= MAX(k->maxntid[i], 1u);
	}
	/* MAX_THREADS in each dimension at most: no overflow */
	if (threads > MAX_THREADS)
		return err_set(e,
			       "kernel %s: a block of %u,%u,%u has %" PRIu64
			       " threads, expected at "
			       "most %u",
			       k->name, l->block[0], l->block[1], l->block[2], threads,
			       MAX_THREADS);
	if (k->maxntid[0] && threads > most)
		return err_set(e,
			       "kernel %s: a block of %u,%u,%u has %" PRIu64
			       " threads, but .maxntid allows %" PRIu64,
			       k->name, l->block[0], l->block[1], l->block[2], threads, most);
	return 0;
}

static int
check_launch(const struct ptx_device *d, const struct ptx_launch *l, uint32_t *func, struct err *e)
{
	const struct ptx_module *m = l->module;
	uint32_t i;

	if (!m || !l->kernel)
		return err_set(e, "a launch needs a module and a kernel");
	for (i = 0; i < m->n_kernels && &m->kernel[i] != l->kernel; i++)
		;
	if (i == m->n_kernels)
		return err_set(e, "kernel %s belongs to another module", l->kernel->name);
	*func = m->kernel_func[i];
	if (m->device != d)
		return err_set(e, "kernel %s: its module is not loaded on this device",
			       l->kernel->name);
	if (l->kernel->bad) {
		if (e)
			*e = *l->kernel->bad;
		return -1;
	}
	if (check_dims(l, e))
		return -1;
	if ((uint64_t)l->kernel->shared_bytes + l->shared_bytes > MAX_SHARED)
		return err_set(
			e,
			"kernel %s: %u bytes of static and %u bytes of dynamic shared memory, "
			"expected at most %u together",
			l->kernel->name, l->kernel->shared_bytes, l->shared_bytes, MAX_SHARED);
	if (l->kernel->param_bytes && !l->params)
		return err_set(e, "kernel %s: its %u bytes of parameters are missing",
			       l->kernel->name, l->kernel->param_bytes);
	return 0;
}

/* ---------------------------------------------------------------- storage */

/* Bytes of local memory per thread: enough for the kernel and for deep calls. They are an odd
 * number of cache lines, so that the lanes use different cache sets. */
static uint32_t
local_bytes(const struct ptx_launch *l, const struct prog_func *entry)
{
	uint32_t lines, bytes = MAX(l->kernel->local_bytes, entry->stack_bytes);

	if (entry->n_call)
		bytes = MAX(bytes, CALL_STACK_BYTES);
	lines = (bytes + 63) / 64;
	return (lines | 1) * 64;
}

void
cta_free(struct cta *c)
{
	uint32_t i;

	for (i = 0; c->warp && i < c->n_warps; i++) {
		struct flow *x = c->warp[i].flow;

		free(c->warp[i].base[BASE_SREG]);
		strand_free(x);
	}
	if (c->warp)
		free(c->warp[0].local);
	free(c->warp);
	free(c->barrier);
	free(c->shared);
	sb_free(&c->printed);
	check_free(c);
}

int
cta_new(struct cta *c, struct run *r)
{
	const struct ptx_launch *l = r->launch;
	uint32_t threads = l->block[0] * l->block[1] * l->block[2], i;
	uint32_t local = local_bytes(l, r->entry);
	uint8_t *all;

	c->run = r;
	c->n_warps = (threads + WARP_SIZE - 1) / WARP_SIZE;
	c->shared_bytes = l->kernel->shared_bytes + l->shared_bytes;
	c->reserved = c->shared_bytes;
	if (r->module->ast->reserved_shared) {
		c->reserved = (c->shared_bytes + 127) / 128 * 128;
		c->shared_bytes = c->reserved + RESERVED_SHARED;
	}
	c->shared = aligned_alloc(64, ((size_t)c->shared_bytes + 127) / 64 * 64);
	c->barrier = calloc(CLUSTER_BARRIER + 1, sizeof(*c->barrier));
	c->warp = calloc(c->n_warps, sizeof(*c->warp));
	if (!c->shared || !c->barrier || !c->warp)
		return err_nomem(r->e);
	all = calloc((size_t)c->n_warps * WARP_SIZE, local); /* unused pages take no memory */
	if (!all)
		return err_of(r->e, ERR_MEMORY, "out of memory for the local memory of a CTA");
	for (i = 0; i < c->n_warps; i++) {
		struct warp *w = &c->warp[i];

		w->cta = c;
		w->id = i;
		w->local = all + (size_t)i * WARP_SIZE * local;
		w->local_bytes = local;
		w->flow = calloc(1, sizeof(*w->flow));
		w->base[BASE_SREG] = aligned_alloc(64, (size_t)SREG_STRIDE * PTX_SREGS);
		if (!w->flow || !w->base[BASE_SREG])
			return err_nomem(r->e);
		sreg_launch(w);
	}
	return 0;
}

/* Clears the part of local memory that the previous CTA used. */
static void
local_clear(struct warp *w)
{
	for (uint32_t l = 0; w->local_top && l < WARP_SIZE; l++)
		memset(w->local + (size_t)l * w->local_bytes, 0, w->local_top);
	w->local_top = 0;
}

int
cta_begin(struct cta *c)
{
	const struct run *r = c->run;
	uint32_t threads = r->launch->block[0] * r->launch->block[1] * r->launch->block[2], i, k;

	memset(c->shared, 0, c->shared_bytes);
	c->alive = c->n_warps;
	barrier_reset(c);
	if (r->launch->checks && check_new(c, r->launch->checks, r->e))
		return -1;
	for (i = 0; i < c->n_warps; i++) {
		struct warp *w = &c->warp[i];
		uint32_t left = threads - i * WARP_SIZE;

		for (k = 0; k < 3; k++)
			sreg_fill32(w, (enum ptx_sreg)(SREG_CTAID_X + k), c->xyz[k]);
		w->live = left >= WARP_SIZE ? UINT32_MAX : (1u << left) - 1;
		w->carry = 0;
		w->addr_mask = 0;
		w->flow->depth = w->flow->n_path = 0;
		w->flow->waits = NO_BARRIER;
		w->flow->turns = w->flow->checks = 0;
		w->is_split = false;
		w->apart = 0;
		stuck_forget(w->flow);
		local_clear(w);
		if (call_open(w, r->entry, NULL, w->live, 0))
			return -1;
	}
	return 0;
}

/* ---------------------------------------------------------------- running */

static int
report_endless(struct warp *w, uint64_t limit)
{
	const struct prog_inst *in = &w->func->inst[MIN(w->pc, w->func->n_inst - 1)];
	uint32_t others = w->live & ~w->active;
	const struct prog_inst *at = others ? flow_where(w, mask_first(others), in) : NULL;
	bool alone = !w->cta->run->at_once && others_follow(w->cta->run, w->cta, 1);
	char text[80] = "";

	if (at)
		snprintf(text, sizeof(text), "; lane %u of the warp waits at line %u",
			 mask_first(others), at->line);
	return exec_fault_of(ERR_ENDLESS, w, in, (int)mask_first(w->active ? w->active : 1),
			     "reached the limit of %" PRIu64
			     " warp instructions: an endless loop? (--max-insns raises it%s)%s",
			     limit, alone ? "; --cooperative lets blocks wait for later ones" : "",
			     text);
}

int
cta_round(struct cta *c, uint64_t slice)
{
	struct run *r = c->run;
	uint64_t limit = r->launch->max_insns;
	int ran = 0;

	for (uint32_t i = 0; i < c->n_warps; i++) {
		struct warp *w = &c->warp[i];
		int st;

		if (!w->live)
			continue;
		st = w->flow->waits == NO_BARRIER ? 1 : strand_turn(w);
		if (st < 0)
			return -1;
		if (st == 0)
			continue;
		if (r->n.warp_insts >= limit)
			return report_endless(w, limit);
		ran = 1;
		st = strand_run(w, MIN(limit - r->n.warp_insts, slice));
		if (st == EXEC_FAULT)
			return -1;
		st = strand_after(w, st);
		c->alive -= st == EXEC_END;
		if ((st == EXEC_END || st == EXEC_LESS) && barrier_exit(c))
			return -1;
	}
	return ran;
}

bool
run_report(struct run *r, uint64_t ctas_done, uint64_t insts)
{
	const struct ptx_launch *l = r->launch;

	if (!r->stopped && l->progress &&
	    l->progress(l->progress_ctx, ctas_done, (uint64_t)l->grid[0] * l->grid[1] * l->grid[2],
			insts))
		r->stopped = true;
	return r->stopped;
}

bool
run_tick(struct run *r)
{
	if (r->n.warp_insts < r->tick)
		return false;
	r->tick = r->n.warp_insts + TICK;
	return run_report(r, r->ctas_done, r->n.warp_insts);
}

/* Gives all warps turns until the CTA has ended. */
static int
cta_run_turns(struct cta *c)
{
	while (c->alive) {
		int ran = cta_round(c, SLICE);

		if (ran < 0)
			return -1;
		if (ran == 0)
			return barrier_deadlock(c);
		if (stuck_round(c->run, c, 1) || run_tick(c->run))
			return -1;
	}
	return 0;
}

int
cta_run(struct cta *c, uint64_t index)
{
	struct run *r = c->run;
	const struct ptx_launch *l = r->launch;
	const struct ptx_sink *s = r->sink;
	int rc;

	c->index = index;
	c->xyz[0] = (uint32_t)(index % l->grid[0]);
	c->xyz[1] = (uint32_t)(index / l->grid[0] % l->grid[1]);
	c->xyz[2] = (uint32_t)(index / l->grid[0] / l->grid[1]);
	if (s && s->cta(s->ctx, c->xyz, r->e))
		return -1;
	stuck_begin(r);
	rc = cta_begin(c) || cta_run_turns(c) ? -1 : 0;
	if (r->stuck.waits_for_later)
		return -1;
	syscall_print(c);
	if (rc)
		return -1;
	return s && s->cta_end(s->ctx, r->e) ? -1 : 0;
}

/* Runs all CTAs. If several threads did not finish the launch, the CTAs run again one after the
 * other; the first `received` ones, which the sink has received, without the sink. */
static int
run_ctas(struct run *r, struct cta *c)
{
	const struct ptx_launch *l = r->launch;
	uint64_t n = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2], received = 0, i;
	struct side *side = side_new(r, n);
	int how = SIDE_IN_ORDER, rc = 0;

	for (i = 0; i < n && rc == 0 && how != SIDE_DONE; i++) {
		r->sink = i < received ? NULL : l->sink;
		rc = cta_run(c, i);
		if (r->stuck.waits_for_later) {
			uint64_t ended = coop_join(r, c, received);

			rc = ended ? 0 : -1;
			i += ended - 1;
			continue;
		}
		r->ctas_done = i + 1;
		if (rc == 0 && i >= received && run_report(r, i + 1, r->n.warp_insts) && i + 1 < n)
			rc = -1;
		if (rc == 0 && i == 0 && side)
			how = side_run(side, &received);
		n = how == SIDE_ENDED ? received : n;
	}
	side_free(side);
	return how == SIDE_ENDED ? -1 : rc;
}

static int
run_launch(struct run *r)
{
	const struct ptx_sink *s = r->sink;
	uint64_t n = (uint64_t)r->launch->grid[0] * r->launch->grid[1] * r->launch->grid[2];
	struct cta c = {0};
	int rc = -1;

	if ((r->launch->checks & CHECK_GLOBAL) && !(r->global = global_new(n, r->e)))
		return -1;
	if (s && s->begin(s->ctx, r, r->e))
		return -1;
	if (r->launch->cooperative)
		rc = coop_run(r);
	else if (cta_new(&c, r) == 0)
		rc = run_ctas(r, &c);
	cta_free(&c);
	global_free(r->global);
	return rc == 0 && s && s->end(s->ctx, r->e) ? -1 : rc;
}

int
ptx_run(struct ptx_device *d, const struct ptx_launch *given, struct ptx_counts *n, struct err *e)
{
	struct ptx_launch l = *given;
	struct run r = {.device = d,
			.launch = &l,
			.module = l.module,
			.sink = l.sink,
			.tick = TICK,
			.e = e};
	uint32_t i, func = 0;
	int rc;

	for (i = 0; i < 3; i++) {
		l.grid[i] = MAX(l.grid[i], 1u);
		l.block[i] = MAX(l.block[i], 1u);
	}
	if (l.max_insns == 0)
		l.max_insns = MAX_INSNS;
	if (n)
		*n = (struct ptx_counts){0};
	if (check_launch(d, &l, &func, e))
		return -1;
	r.entry = &l.module->func[func];
	r.may_wait = (uint64_t)l.grid[0] * l.grid[1] * l.grid[2] > 1 && stuck_may_wait(&r);
	if (l.kernel->param_bytes) {
		r.param_addr = devmem_alloc_params(d, l.kernel->param_bytes, e);
		if (!r.param_addr)
			return -1;
		memcpy(devmem_host(d, r.param_addr), l.params, l.kernel->param_bytes);
	}
	rc = run_launch(&r);
	if (rc && r.stopped)
		err_set(e, "kernel %s: the launch was stopped", l.kernel->name);
	if (r.param_addr && ptx_release(d, r.param_addr, rc ? NULL : e))
		rc = -1;
	if (n)
		*n = r.n;
	return rc && r.stopped ? PTX_STOPPED : rc;
}
