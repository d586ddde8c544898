/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * barrier.c - executes bar and barrier, at which the warps of a CTA wait for each other.
 *
 * A barrier counts warps of 32 threads, as a machine does. Without a thread count it is complete
 * when every live warp has arrived; an exit can complete it, too (barrier_exit).
 *
 * A warp has arrived when all of its lanes that have not exited have arrived. Lanes may arrive at
 * different times and from different places (strand.c), as on machines since Volta. bar.arrive
 * takes whole warps only. For an aligned barrier (bar, barrier.aligned: __syncthreads()) this is
 * undefined on a machine. The launch continues, and the barrier is a finding (CHECK_SYNC) if lanes
 * of a warp are at different barriers, or if some lanes wait and others ended without it after a
 * branch whose sides meet again before the end of the kernel. A side that only ends the kernel is
 * an early return, which is no finding.
 *
 * A cluster is one CTA: barrier.cluster.arrive does nothing, and .wait is a separate barrier at
 * which all threads wait for each other. A thread that arrives and never waits is not supported.
 */
#include "record/ptx/exec/exec.h"

#include <string.h>

enum { RED_POPC, RED_AND, RED_OR };

void
barrier_reset(struct cta *c)
{
	uint32_t i;

	for (i = 0; i <= CLUSTER_BARRIER; i++)
		c->barrier[i].arrived = c->barrier[i].waiting = 0;
}

static bool
barrier_is_complete(const struct cta *c, const struct barrier *b)
{
	uint32_t i;

	if (b->expected)
		return (uint32_t)__builtin_popcountll(b->arrived) * WARP_SIZE >= b->expected;
	for (i = 0; i < c->n_warps; i++)
		if (c->warp[i].live && !(b->arrived >> i & 1))
			return false;
	return true;
}

/* Writes the result of bar.red to the lanes of a strand. */
static void
barrier_write_result(const struct flow *x, const struct barrier *b)
{
	const struct prog_inst *in = x->at;
	uint32_t mask = x->at_mask, bits;
	uint8_t *at;

	if (in->fn != exec_bar_red || in->dst[0].bytes == OPND_NONE)
		return;
	at = x->vectors + x->frame[x->depth].vectors + in->dst[0].off;
	if (in->sub == RED_POPC) {
		FOR_LANES(l, mask)
		memcpy(at + (size_t)4 * l, &b->popc, 4);
		return;
	}
	memcpy(&bits, at, 4);
	bits = (in->sub == RED_AND ? b->all : b->any) ? bits | mask : bits & ~mask;
	memcpy(at, &bits, 4);
}

static void
barrier_pass(struct cta *c, struct barrier *b)
{
	uint8_t id = (uint8_t)(b - c->barrier);
	uint64_t rest;

	for (rest = b->waiting; rest; rest &= rest - 1) {
		struct warp *w = &c->warp[__builtin_ctzll(rest)];

		for (struct flow *x = w->flow; x; x = x->next) {
			if (x->waits != id)
				continue;
			barrier_write_result(x, b);
			x->waits = NO_BARRIER;
		}
	}
	if (c->shadow)
		check_barrier(c, b->arrived);
	b->arrived = b->waiting = 0;
}

/* Reads an operand that must be equal in all lanes of mask. */
static int
barrier_read_operand(const struct prog_inst *in, struct warp *w, uint32_t mask, struct opnd o,
		     const char *what, uint32_t *value)
{
	const uint32_t *v = vec32(w, o);

	*value = v[mask_first(mask)];
	FOR_LANES(l, mask)
	if (v[l] != *value)
		return exec_fault(w, in, (int)l, "the %s is %u here, but %u in lane %u", what, v[l],
				  *value, mask_first(mask));
	return 0;
}

static int
barrier_report_divergence(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t lane = mask_first(w->live & ~mask), tid = w->id * WARP_SIZE + lane;
	const uint32_t *n = w->cta->run->launch->block;
	const struct prog_inst *at = flow_where(w, lane, in);
	char where[48] = "at the end of the function";

	if (at == in)
		snprintf(where, sizeof(where), "switched off by its guard");
	else if (at)
		snprintf(where, sizeof(where), "at line %u", at->line);
	return exec_fault(w, in, (int)mask_first(mask),
			  "divergent barrier: thread %u,%u,%u of the same warp is %s, not here",
			  tid % n[0], tid / n[0] % n[1], tid / n[0] / n[1], where);
}

/* ---- divergence at aligned barriers ---- */

/* Does the path at instruction pc end the function without doing anything else? */
static bool
barrier_path_ends(const struct prog_func *f, uint32_t pc)
{
	for (uint32_t n = 0; n < f->n_inst && pc < f->n_inst; n++) {
		const struct prog_inst *in = &f->inst[pc];

		if (in->flags & (PF_GUARD | PF_GUARD_NOT))
			return false;
		if (in->fn == exec_exit || in->fn == exec_ret)
			return true;
		if (in->fn != exec_bra)
			return false;
		pc = in->target;
	}
	return true;
}

/* The lanes that the lanes of mask, at the barrier, meet again after it: where they have diverged,
 * the paths meet at an instruction that is not the end. */
static uint32_t
barrier_find_apart(const struct prog_inst *in, const struct warp *w, uint32_t mask)
{
	const struct flow *x = w->flow;
	uint32_t depth = x->depth, apart = 0, off = w->active & ~mask;

	if (off && !barrier_path_ends(w->func, (uint32_t)(in - w->func->inst) + 1))
		apart = off;
	for (uint32_t i = x->n_path; i-- > 0;) {
		const struct path *p = &x->path[i];

		while (depth && i < x->frame[depth].base)
			depth--;
		if ((p->mask & mask) == mask && !barrier_path_ends(x->frame[depth].func, p->pc))
			apart |= p->mask;
	}
	return apart & strand_lanes(w, x) & ~mask;
}

/* Writes "0-7,9". */
static void
barrier_list_lanes(uint32_t mask, char *buf, size_t size)
{
	size_t n = 0;

	buf[0] = '\0';
	for (uint32_t l = 0, end; l < WARP_SIZE && n < size; l = end + 1) {
		for (end = l; end < WARP_SIZE && mask >> end & 1; end++)
			;
		if (end == l)
			continue;
		n += (size_t)snprintf(buf + n, size - n, end - l > 1 ? "%s%u-%u" : "%s%u",
				      n ? "," : "", l, end - 1);
	}
}

/* The lanes of mask are at a barrier, but lane other of the warp is at instruction `at`, or has
 * ended (NULL). Threads of side.c end here, and then the CTAs run in order. */
static int
barrier_found_divergence(const struct prog_inst *in, struct warp *w, uint32_t mask, uint32_t other,
			 const struct prog_inst *at)
{
	const uint32_t *n = w->cta->run->launch->block;
	uint32_t tid = w->id * WARP_SIZE + other;
	char lanes[100], where[60] = "has passed by it";
	struct found_pause p;
	bool beside = w->cta->run->beside;

	if (beside ? found_known(w, in, CHECK_SYNC) : found_before(w, in, CHECK_SYNC, &p))
		return 0;
	barrier_list_lanes(mask, lanes, sizeof(lanes));
	if (at && at->src_file)
		snprintf(where, sizeof(where), "is at line %u of the source (PTX line %u)",
			 at->src_line, at->line);
	else if (at)
		snprintf(where, sizeof(where), "is at line %u", at->line);
	exec_fault(
		w, in, (int)mask_first(mask),
		"divergent barrier, whose result is undefined: lanes %s of warp %u are here, but "
		"thread %u,%u,%u of the same warp %s",
		lanes, w->id, tid % n[0], tid / n[0] % n[1], tid / n[0] / n[1], where);
	if (beside)
		return EXEC_FAULT;
	found_new(w, in, (int)mask_first(mask), CHECK_SYNC, &p);
	return 0;
}

/* All lanes of a split warp that have not ended wait at barrier id: have they diverged? */
static int
barrier_check_divergence(struct warp *w, uint8_t id)
{
	const struct flow *x = NULL, *y;
	uint32_t ended = w->apart & ~w->live, here = 0;
	const struct prog_inst *in = w->apart_from;

	w->apart = 0;
	for (y = w->flow; y; y = y->next) /* the first one of the kernel is reported */
		if (y->waits == id && (y->at->flags & PF_UNI) && (!x || y->at < x->at))
			x = y;
	if (!x)
		return 0;
	for (y = w->flow; y; y = y->next)
		if (y->waits == id && y->at != x->at)
			return barrier_found_divergence(x->at, w, x->at_mask & w->live,
							mask_first(y->at_mask & w->live), y->at);
	for (y = w->flow; y; y = y->next)
		here |= y->waits == id && y->at == in ? y->at_mask & w->live : 0;
	return ended && here ? barrier_found_divergence(in, w, here, mask_first(ended), NULL) : 0;
}

/* Adds the predicates of a strand to bar.red. */
static void
barrier_add_predicates(const struct flow *x, struct barrier *b)
{
	const struct prog_inst *in = x->at;
	uint32_t p, mask = x->at_mask;
	const uint8_t *base = in->src[2].base == BASE_FRAME
				      ? x->vectors + x->frame[x->depth].vectors
				      : x->frame[x->depth].func->consts;

	if (in->fn != exec_bar_red)
		return;
	memcpy(&p, base + in->src[2].off, 4);
	p ^= in->sub2 ? UINT32_MAX : 0;
	b->popc += (uint32_t)__builtin_popcount(p & mask);
	b->all &= (p & mask) == mask;
	b->any |= (p & mask) != 0;
}

/* Notes that all lanes of the warp are at the barrier. */
static int
barrier_arrive(const struct prog_inst *in, struct warp *w, uint32_t id, uint32_t expected,
	       bool wait)
{
	struct cta *c = w->cta;
	struct barrier *b = &c->barrier[id];

	if (b->arrived == 0) {
		b->expected = expected;
		b->popc = 0;
		b->all = true;
		b->any = false;
	}
	if (b->expected != expected)
		return exec_fault(w, in, -1,
				  "barrier %u: this warp expects %u threads, the waiting ones %u "
				  "(0: all)",
				  id, expected, b->expected);
	if (b->arrived >> w->id & 1)
		return exec_fault(w, in, -1, "barrier %u: the warp has already arrived", id);
	if (wait && w->is_split && barrier_check_divergence(w, (uint8_t)id))
		return EXEC_FAULT;
	b->arrived |= UINT64_C(1) << w->id;
	if (wait)
		b->waiting |= UINT64_C(1) << w->id;
	for (struct flow *x = w->flow; x && wait; x = x->next)
		if (x->waits == id)
			barrier_add_predicates(x, b);
	if (barrier_is_complete(c, b))
		barrier_pass(c, b);
	if (w->flow->waits != NO_BARRIER)
		return EXEC_WAIT;
	return w->flow->next ? EXEC_SLICE : EXEC_NEXT; /* strands may merge now */
}

static int
barrier_enter(const struct prog_inst *in, struct warp *w, uint32_t mask, bool wait)
{
	uint32_t id, expected = 0, here = mask;

	if (mask != w->live && !wait)
		return barrier_report_divergence(in, w, mask);
	if (barrier_read_operand(in, w, mask, in->src[0], "barrier", &id))
		return EXEC_FAULT;
	if (id >= N_BARRIERS && in->sub2 != BAR_CLUSTER)
		return exec_fault(w, in, -1, "barrier %u does not exist, expected 0 to %u", id,
				  N_BARRIERS - 1);
	if (in->src[1].bytes != OPND_NONE) {
		if (barrier_read_operand(in, w, mask, in->src[1], "thread count", &expected))
			return EXEC_FAULT;
		if (expected == 0 || expected % WARP_SIZE)
			return exec_fault(w, in, -1,
					  "barrier %u: the thread count %u is not a multiple of %u",
					  id, expected, WARP_SIZE);
	}
	if (wait) {
		w->flow->waits = (uint8_t)id;
		w->flow->at = in;
		w->flow->at_mask = mask;
		w->flow->expected = expected;
	}
	if (mask != w->live) {
		if (in->flags & PF_UNI) {
			w->apart |= barrier_find_apart(in, w, mask);
			w->apart_from = in;
		}
		if (strand_at_barrier(w, in, mask, (uint8_t)id, &here) == EXEC_FAULT)
			return EXEC_FAULT;
		if (here != w->live)
			return EXEC_WAIT;
	}
	return barrier_arrive(in, w, id, expected, wait);
}

int
exec_bar_sync(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return barrier_enter(in, w, mask, true);
}

int
exec_bar_red(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return barrier_enter(in, w, mask, true);
}

int
exec_bar_arrive(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return barrier_enter(in, w, mask, false);
}

/* Some lanes of the warp have ended: arrives at the barrier if all others wait there. */
static int
barrier_arrive_rest(struct warp *w)
{
	uint8_t id = w->flow->waits;
	uint32_t here = 0;

	if (id > CLUSTER_BARRIER || (w->cta->barrier[id].arrived >> w->id & 1))
		return 0;
	for (const struct flow *x = w->flow; x; x = x->next)
		here |= x->waits == id ? x->at_mask & w->live : 0;
	if (here != w->live)
		return 0;
	return barrier_arrive(w->flow->at, w, id, w->flow->expected, true) == EXEC_FAULT ? -1 : 0;
}

int
barrier_exit(struct cta *c)
{
	uint32_t i;

	for (i = 0; i < c->n_warps; i++)
		if (c->warp[i].live && c->warp[i].is_split && barrier_arrive_rest(&c->warp[i]))
			return -1;
	for (i = 0; i <= CLUSTER_BARRIER; i++) {
		struct barrier *b = &c->barrier[i];

		if (b->arrived && !b->expected && barrier_is_complete(c, b))
			barrier_pass(c, b);
	}
	return 0;
}

int
barrier_deadlock(struct cta *c)
{
	char text[200] = "";
	struct warp *first = NULL;
	uint32_t i, n = 0, shown = 0;

	for (i = 0; i < c->n_warps; i++) {
		struct warp *w = &c->warp[i];

		if (!w->live)
			continue;
		if (!first || (!first->flow->next && w->flow->next))
			first = w;
		if (n < 150) {
			n += (uint32_t)snprintf(text + n, sizeof(text) - n,
						"%swarp %u at barrier %u, line %u", n ? "; " : "",
						i, w->flow->waits, w->flow->at->line);
			shown++;
		}
	}
	if (!first)
		return EXEC_FAULT;
	if (first->flow->next)
		return barrier_report_divergence(first->flow->at, first, first->flow->at_mask);
	for (i = 0, n = 0; i < c->n_warps; i++)
		n += c->warp[i].live != 0;
	i = c->barrier[first->flow->waits].expected;
	return exec_fault(
		first, first->flow->at, -1,
		"deadlock: no warp can continue; barrier %u has %u of %u threads; waiting: %s%s",
		first->flow->waits,
		WARP_SIZE * (uint32_t)__builtin_popcountll(c->barrier[first->flow->waits].arrived),
		i ? i : n * WARP_SIZE, text, shown < n ? "; ..." : "");
}
