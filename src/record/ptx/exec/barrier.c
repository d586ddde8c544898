/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * barrier.c - executes bar and barrier, at which the warps of a CTA wait for each other.
 *
 * A barrier counts warps of 32 threads, as a machine does. Without a thread count it is complete
 * when every live warp has arrived; an exit can complete it, too (barrier_exit).
 *
 * A warp has arrived when all of its lanes that have not exited have arrived. Lanes may arrive at
 * different times and from different places (strand.c), as on machines since Volta. bar.arrive
 * takes whole warps only.
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
