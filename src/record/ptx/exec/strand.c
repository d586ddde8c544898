/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * strand.c - lets lanes of a warp progress independently of each other.
 *
 * The paths of exec.h run one after the other: lanes that have reached a reconvergence point wait
 * there until the rest arrives. That is wrong if the rest waits for them, in three cases:
 *     barrier   some lanes are at a barrier, others must still reach it or exit
 *     .sync     shfl.sync and the like name lanes that have not arrived yet
 *     spin      lanes read memory in a loop until another lane of their warp has written it
 *
 * Then the warp is split: its lanes become two strands, each with its own paths, frames and
 * registers, as on machines since Volta. warp.flow is the running strand, the others wait in
 * flow.next. Every lane belongs to one strand, while it is in `here` of frame 0. Two strands at the
 * same place with the same paths merge when they meet at a barrier or a .sync instruction. A strand
 * that has ended is dropped; the last one stays.
 *
 * At a .sync instruction a strand waits while a lane that it names can still arrive. No lane can
 * arrive when all strands of the warp wait, either at a barrier, which takes whole warps, or for
 * lanes. Then the strands that wait for lanes continue together with the lanes they have, as if the
 * others had arrived: two sides of a branch with a __syncwarp() each meet in this way. Strands at
 * the same .sync instruction that cannot merge, because their paths differ, still take part in it
 * together.
 *
 * A spin is detected by registers: the lanes return to the same instruction with unchanged
 * registers within one turn. Detection begins after SPIN_TURNS turns in which lanes ran while
 * others of their strand waited, so that warps without spins run as usual. A loop that counts while
 * it waits is treated as a spin after SPIN_CHECKS checks, if it read memory that others write (an
 * atomic operation, a volatile or strong load) each time. If that guess is wrong, the results are
 * the same and the trace has more records.
 *
 * Limitation: lanes split in this way that meet at no barrier or .sync stay apart until they exit;
 * a machine might merge them earlier.
 */
#include "record/ptx/exec/exec.h"
#include "record/ptx/mem/mem.h"

#include <stdlib.h>
#include <string.h>

#define SPIN_TURNS 8u
#define SPIN_CHECKS 3u

uint32_t
strand_lanes(const struct warp *w, const struct flow *x)
{
	return x->frame[0].here & w->live;
}

static uint32_t
strand_index(const struct flow *x, const struct prog_inst *in)
{
	return (uint32_t)(in - x->frame[x->depth].func->inst);
}

/* ---------------------------------------------------------------- the running strand */

/* Makes x, which is in no list, the running strand. */
static void
strand_enter(struct warp *w, struct flow *x)
{
	w->flow = x;
	w->active = x->active;
	w->pc = x->pc;
	call_enter(w);
}

static void
strand_leave(struct warp *w)
{
	w->flow->active = w->active;
	w->flow->pc = w->pc;
}

/* Makes the strand *at of the list the running one; the previous one goes to the end of the list.
 */
static void
strand_switch(struct warp *w, struct flow **at)
{
	struct flow *x = *at, *old = w->flow, *first = old->next, **end = &first;

	strand_leave(w);
	if (at == &old->next)
		first = x->next;
	else
		*at = x->next;
	while (*end)
		end = &(*end)->next;
	*end = old;
	old->next = NULL;
	x->next = first;
	strand_enter(w, x);
}

void
strand_free(struct flow *x)
{
	while (x) {
		struct flow *next = x->next;

		free(x->path);
		free(x->frame);
		free(x->vectors);
		free(x->seen);
		stuck_forget(x);
		free(x);
		x = next;
	}
}

/* ---------------------------------------------------------------- splitting */

/* Removes all lanes but those of mask from x, and paths without lanes, except those that wait for a
 * function to return. */
static void
strand_keep_lanes(struct flow *x, uint32_t mask)
{
	uint32_t n = 0, fr = 1;

	for (uint32_t i = 0; i < x->n_path; i++) {
		bool caller = fr <= x->depth && x->frame[fr].base == i + 1;

		x->path[i].mask &= mask;
		if (x->path[i].mask || caller)
			x->path[n++] = x->path[i];
		if (caller)
			x->frame[fr++].base = n;
	}
	x->n_path = n;
	for (uint32_t i = 0; i <= x->depth; i++) {
		x->frame[i].entered &= mask;
		x->frame[i].here &= mask;
		x->frame[i].rest &= mask;
	}
}

static struct flow *
strand_copy(const struct flow *x)
{
	struct flow *y = calloc(1, sizeof(*y));

	if (!y)
		return NULL;
	*y = *x;
	y->next = NULL;
	y->seen = NULL;
	y->sight = NULL;
	y->turns = y->checks = 0;
	y->path = malloc(MAX(x->cap_path, 1u) * sizeof(*y->path));
	y->frame = malloc(MAX(x->cap_frame, 1u) * sizeof(*y->frame));
	y->vectors = aligned_alloc(64, x->cap_vectors);
	if (!y->path || !y->frame || !y->vectors) {
		strand_free(y);
		return NULL;
	}
	memcpy(y->path, x->path, x->n_path * sizeof(*y->path));
	memcpy(y->frame, x->frame, (x->depth + 1) * sizeof(*y->frame));
	memcpy(y->vectors, x->vectors, x->cap_vectors);
	return y;
}

/* Splits the warp: the lanes of mask, some of the active ones, stay in the running strand; all
 * others become a new strand, whose active lanes continue at instruction next. */
static int
strand_split(struct warp *w, uint32_t mask, uint32_t next)
{
	struct flow *x = w->flow, *y = strand_copy(x);

	if (!y)
		return err_nomem(w->cta->run->e);
	y->active = w->active & ~mask;
	y->pc = next;
	y->waits = NO_BARRIER;
	strand_keep_lanes(y, ~mask);
	strand_keep_lanes(x, mask);
	w->active = mask;
	y->next = x->next;
	x->next = y;
	w->is_split = true;
	return 0;
}

/* ---------------------------------------------------------------- merging */

static bool
strand_can_join(const struct flow *x, const struct flow *y)
{
	if (x->stop != y->stop || x->depth != y->depth || x->n_path != y->n_path)
		return false;
	for (uint32_t i = 0; i < x->n_path; i++)
		if (x->path[i].pc != y->path[i].pc || x->path[i].stop != y->path[i].stop)
			return false;
	for (uint32_t i = 0; i <= x->depth; i++) {
		const struct frame *a = &x->frame[i], *b = &y->frame[i];

		if (a->func != b->func || a->call != b->call || a->base != b->base ||
		    a->stack != b->stack || a->vectors != b->vectors || a->rest || b->rest)
			return false;
	}
	return true;
}

/* Copies the lanes of mask in the registers of one frame. */
static void
strand_copy_lanes(const struct prog_func *f, uint8_t *to, const uint8_t *from, uint32_t mask)
{
	for (uint32_t i = 0; i < f->ast->n_reg; i++) {
		const struct ast_reg *r = &f->ast->reg[i];
		uint32_t bytes = ptx_type_bytes((enum ptx_type)r->type) == 8 ? 8 : 4;
		size_t off = f->reg_off[i];

		for (uint32_t v = 0; v < MAX(r->vec, 1u); v++) {
			if (r->type == TY_PRED) {
				uint32_t a, b;

				memcpy(&a, to + off + (size_t)4 * v, 4);
				memcpy(&b, from + off + (size_t)4 * v, 4);
				a = (a & ~mask) | (b & mask);
				memcpy(to + off + (size_t)4 * v, &a, 4);
				continue;
			}
			FOR_LANES(l, mask)
			{
				size_t at = off + ((size_t)v * WARP_SIZE + l) * bytes;

				memcpy(to + at, from + at, bytes);
			}
		}
	}
}

/* Adds the lanes of y to x. */
static void
strand_join(struct flow *x, const struct flow *y)
{
	uint32_t lanes = y->frame[0].here;

	for (uint32_t i = 0; i < x->n_path; i++)
		x->path[i].mask |= y->path[i].mask;
	for (uint32_t i = 0; i <= x->depth; i++) {
		struct frame *fr = &x->frame[i];

		strand_copy_lanes(fr->func, x->vectors + fr->vectors, y->vectors + fr->vectors,
				  lanes);
		fr->entered |= y->frame[i].entered;
		fr->here |= y->frame[i].here;
	}
}

uint32_t
strand_gather(struct warp *w, const struct prog_inst *in, uint8_t waits)
{
	struct flow *x = w->flow, **at = &x->next;
	uint32_t got = 0;

	while (*at) {
		struct flow *y = *at;

		if (y->at != in || y->waits != waits || y->pc != strand_index(x, in) + 1 ||
		    !strand_can_join(x, y)) {
			at = &y->next;
			continue;
		}
		*at = y->next;
		y->next = NULL;
		got |= y->at_mask;
		w->active |= y->active;
		strand_join(x, y);
		strand_free(y);
	}
	return got & w->live;
}

/* ---------------------------------------------------------------- waiting */

/* Makes the lanes of mask, which execute in, wait; active lanes that do not execute it continue. */
static int
strand_wait(struct warp *w, const struct prog_inst *in, uint32_t mask, uint8_t waits)
{
	struct flow *x = w->flow;

	x->at = in;
	x->at_mask = mask;
	x->waits = waits;
	if (mask != strand_lanes(w, x) && strand_split(w, mask, strand_index(x, in) + 1))
		return EXEC_FAULT;
	return EXEC_WAIT;
}

int
strand_at_barrier(struct warp *w, const struct prog_inst *in, uint32_t mask, uint8_t id,
		  uint32_t *here)
{
	struct flow *y;

	if (strand_wait(w, in, mask, id) == EXEC_FAULT)
		return EXEC_FAULT;
	*here = mask;
	for (y = w->flow->next; y; y = y->next)
		if (y->waits == id)
			*here |= y->at_mask & w->live;
	return 0;
}

/* Does y wait for lanes at instruction in? */
static bool
strand_waits_at(const struct flow *y, const struct prog_inst *in)
{
	return y->waits == WAITS_LANES && y->at == in;
}

/* The lanes of other strands that wait at in; adds the lanes that they name in o to *want. */
static uint32_t
strand_lanes_at(const struct warp *w, const struct prog_inst *in, struct opnd o, uint32_t *want)
{
	uint32_t lanes = 0, m[WARP_SIZE];

	for (const struct flow *y = w->flow->next; y; y = y->next) {
		const uint8_t *base = o.base == BASE_FRAME ? y->vectors + y->frame[y->depth].vectors
							   : w->base[o.base];

		if (!strand_waits_at(y, in))
			continue;
		memcpy(m, base + o.off, sizeof(m));
		FOR_LANES(l, y->at_mask & w->live)
		*want |= m[l];
		lanes |= y->at_mask & w->live;
	}
	return lanes;
}

/* Executes fn for the lanes of mask and of the strands that wait at in, whose registers are copied
 * to this strand for it and back. Then they no longer wait. */
static int
strand_meet(struct warp *w, const struct prog_inst *in, uint32_t mask, exec_fn *fn)
{
	struct flow *x = w->flow;
	const struct prog_func *f = x->frame[x->depth].func;
	uint8_t *mine = x->vectors + x->frame[x->depth].vectors;
	uint32_t lanes = mask;
	int st;

	for (struct flow *y = x->next; y; y = y->next)
		if (strand_waits_at(y, in)) {
			strand_copy_lanes(f, mine, y->vectors + y->frame[y->depth].vectors,
					  y->at_mask & w->live);
			lanes |= y->at_mask & w->live;
		}
	st = fn(in, w, lanes);
	x->waits = NO_BARRIER;
	for (struct flow *y = x->next; y; y = y->next)
		if (strand_waits_at(y, in)) {
			strand_copy_lanes(f, y->vectors + y->frame[y->depth].vectors, mine,
					  y->at_mask & w->live);
			y->waits = NO_BARRIER;
		}
	return st;
}

int
strand_sync(const struct prog_inst *in, struct warp *w, uint32_t mask, struct opnd o, exec_fn *fn)
{
	const uint32_t *m;
	uint32_t want = 0, got, others;
	int st;

	if (o.bytes == OPND_NONE)
		return fn(in, w, mask);
	m = vec32(w, o);
	FOR_LANES(l, mask)
	want |= m[l];
	want &= w->live;
	if (likely(!(want & ~mask)))
		return fn(in, w, mask);
	w->flow->sync = fn;
	got = strand_gather(w, in, WAITS_LANES);
	m = vec32(w, o);
	FOR_LANES(l, got)
	want |= m[l];
	others = strand_lanes_at(w, in, o, &want);
	if (want & w->live & ~(mask | got | others)) {
		st = strand_wait(w, in, mask | got, WAITS_LANES);
	} else {
		st = strand_meet(w, in, mask | got, fn);
		if (st == EXEC_NEXT)
			st = EXEC_JUMP;
	}
	w->pc = strand_index(w->flow, in) + 1;
	return st;
}

/* ---------------------------------------------------------------- turns */

/* Retries the instruction at which the strand waits for lanes, as some of them may have ended. */
static int
strand_retry(struct warp *w)
{
	struct flow *x = w->flow;
	int st;

	x->at_mask &= w->live;
	st = x->at->fn(x->at, w, x->at_mask);
	if (st == EXEC_FAULT)
		return -1;
	if (st == EXEC_WAIT)
		return 0;
	w->flow->waits = NO_BARRIER;
	return 1;
}

/* Makes a strand that does not wait the running one; false: all wait, and *n is the number of
 * others. */
static bool
strand_ready(struct warp *w, uint32_t *n)
{
	struct flow **at;

	*n = 0;
	if (w->flow->waits == NO_BARRIER)
		return true;
	for (at = &w->flow->next; *at; at = &(*at)->next, ++*n)
		if ((*at)->waits == NO_BARRIER) {
			strand_switch(w, at);
			return true;
		}
	return false;
}

/* Called when all strands wait: lets those that wait for lanes continue without them. */
static int
strand_release(struct warp *w, uint32_t n)
{
	for (uint32_t k = 0; k <= n; k++) {
		struct flow *x = w->flow;

		if (x->waits == WAITS_LANES &&
		    strand_meet(w, x->at, x->at_mask & w->live, x->sync) == EXEC_FAULT)
			return -1;
		if (x->next)
			strand_switch(w, &x->next);
	}
	return strand_ready(w, &n);
}

int
strand_turn(struct warp *w)
{
	uint32_t n, k;

	if (strand_ready(w, &n))
		return 1;
	for (k = 0; k <= n; k++) {
		int st = w->flow->waits == WAITS_LANES ? strand_retry(w) : 0;

		if (st)
			return st;
		if (w->flow->next)
			strand_switch(w, &w->flow->next);
	}
	return strand_release(w, n);
}

/* Drops the running strand, which has no lanes left, and runs another one; false: there is none. */
static bool
strand_end(struct warp *w)
{
	struct flow *x = w->flow, *next = x->next;

	if (!next)
		return false;
	x->next = NULL;
	strand_enter(w, next);
	strand_free(x);
	return true;
}

int
strand_after(struct warp *w, int st)
{
	struct flow **at;

	if (st == EXEC_END)
		return strand_end(w) ? EXEC_LESS : EXEC_END;
	for (at = &w->flow->next; st == EXEC_SLICE && *at; at = &(*at)->next) {
		if ((*at)->waits != NO_BARRIER)
			continue;
		strand_switch(w, at);
		break;
	}
	return st;
}

/* ---------------------------------------------------------------- spinning */

/* Has the running path returned to the place where the turn began, with the same registers? */
static bool
strand_same(const struct warp *w, const struct flow *then)
{
	const struct flow *x = w->flow;
	size_t bytes = x->frame[x->depth].vectors + w->func->frame_bytes;

	return w->pc == then->pc && w->active == then->active && x->depth == then->depth &&
	       x->n_path == then->n_path && x->stop == then->stop &&
	       memcmp(x->vectors, x->seen, bytes) == 0;
}

bool
strand_polls(const struct prog_inst *in)
{
	return in->op == PTX_atom ||
	       (in->op == PTX_ld && ((in->flags & PF_VOLATILE) || (in->sub2 & MEM_STRONG)));
}

int
strand_run(struct warp *w, uint64_t budget)
{
	struct flow *x = w->flow, then;
	bool polls = false;
	size_t bytes;
	int st = EXEC_SLICE;

	if (unlikely(!w->active) && flow_resume(w) == EXEC_FAULT) /* it was just split off */
		return EXEC_FAULT;
	if (x->next && w->pc && x->at == &w->func->inst[w->pc - 1])
		strand_gather(w, x->at, NO_BARRIER);
	if (w->active == strand_lanes(w, x)) {
		x->turns = x->checks = 0;
		return exec_run(w, budget);
	}
	if (!w->is_split && ++x->turns < SPIN_TURNS)
		return exec_run(w, budget);
	bytes = x->frame[x->depth].vectors + w->func->frame_bytes;
	free(x->seen);
	x->seen = malloc(bytes + 1);
	if (!x->seen)
		return err_nomem(w->cta->run->e);
	memcpy(x->seen, x->vectors, bytes);
	then = *x;
	then.pc = w->pc;
	then.active = w->active;
	while (budget-- > 0 && st == EXEC_SLICE && w->flow == x) {
		polls |= w->pc < w->func->n_inst && strand_polls(&w->func->inst[w->pc]);
		st = exec_run(w, 1);
		if (st == EXEC_SLICE &&
		    (strand_same(w, &then) || (!budget && polls && x->checks + 1 >= SPIN_CHECKS))) {
			x->checks = 0;
			if (w->active == strand_lanes(w, x))
				return st;
			if (strand_split(w, w->active, w->pc))
				return EXEC_FAULT;
			return st;
		}
	}
	if (w->flow == x) {
		x->checks = polls ? x->checks + 1 : 0;
		x->turns = 0; /* not a spin but a loop: checked again after SPIN_TURNS turns */
	}
	return st;
}
