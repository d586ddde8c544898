/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * barrier.c - bar and barrier: the warps of a CTA wait for each other.
 *
 * A barrier counts warps, 32 threads each, as the machine does. Without a thread count it is passed
 * when every warp that still lives has come; exits are noticed (barrier_exit).
 *
 * All living lanes of a warp must come together. Where some are elsewhere the program hangs or
 * worse on most machines, and CUDA calls it undefined: here it is a fault. This includes
 * barrier.sync without .aligned, which PTX allows in divergent code: left out.
 */
#include "record/ptx/exec/exec.h"

enum { RED_POPC, RED_AND, RED_OR };

void
barrier_reset(struct cta *c)
{
	uint32_t i;

	for (i = 0; i < N_BARRIERS; i++)
		c->barrier[i].arrived = c->barrier[i].waiting = 0;
}

static bool
barrier_complete(const struct cta *c, const struct barrier *b)
{
	uint32_t i;

	if (b->expected)
		return (uint32_t)__builtin_popcountll(b->arrived) * WARP_SIZE >= b->expected;
	for (i = 0; i < c->n_warps; i++)
		if (c->warp[i].live && !(b->arrived >> i & 1))
			return false;
	return true;
}

/* The warp gets the result of its bar.red. */
static void
barrier_result(const struct warp *w, const struct barrier *b)
{
	const struct prog_inst *in = w->flow->at;
	uint32_t mask = w->flow->at_mask;

	if (in->fn != exec_bar_red || in->dst[0].bytes == OPND_NONE)
		return;
	if (in->sub == RED_POPC) {
		uint32_t *d = vec(w, in->dst[0]);

		FOR_LANES(l, mask)
		d[l] = b->popc;
	} else {
		vec_set_pred(w, in->dst[0], (in->sub == RED_AND ? b->all : b->any) ? UINT32_MAX : 0,
			     mask);
	}
}

static void
barrier_pass(struct cta *c, struct barrier *b)
{
	uint64_t rest;

	for (rest = b->waiting; rest; rest &= rest - 1) {
		struct warp *w = &c->warp[__builtin_ctzll(rest)];

		barrier_result(w, b);
		w->flow->waits = NO_BARRIER;
	}
	if (c->shadow)
		check_barrier(c, b->arrived);
	b->arrived = b->waiting = 0;
}

/* The value all lanes of mask must agree on. */
static int
barrier_operand(const struct prog_inst *in, struct warp *w, uint32_t mask, struct opnd o,
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
barrier_divergent(const struct prog_inst *in, struct warp *w, uint32_t mask)
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
			  "divergent barrier: thread %u,%u,%u of the same warp is not here but %s",
			  tid % n[0], tid / n[0] % n[1], tid / n[0] / n[1], where);
}

static int
barrier_come(const struct prog_inst *in, struct warp *w, uint32_t mask, bool wait)
{
	struct cta *c = w->cta;
	struct barrier *b;
	uint32_t id, expected = 0;

	if (mask != w->live)
		return barrier_divergent(in, w, mask);
	if (barrier_operand(in, w, mask, in->src[0], "barrier", &id))
		return EXEC_FAULT;
	if (id >= N_BARRIERS)
		return exec_fault(w, in, -1, "barrier %u: there are %u", id, N_BARRIERS);
	if (in->src[1].bytes != OPND_NONE) {
		if (barrier_operand(in, w, mask, in->src[1], "thread count", &expected))
			return EXEC_FAULT;
		if (expected == 0 || expected % WARP_SIZE)
			return exec_fault(w, in, -1,
					  "barrier %u: the thread count %u is not a multiple of %u",
					  id, expected, WARP_SIZE);
	}
	b = &c->barrier[id];
	if (b->arrived == 0) {
		b->expected = expected;
		b->popc = 0;
		b->all = true;
		b->any = false;
	}
	if (b->expected != expected)
		return exec_fault(w, in, -1,
				  "barrier %u: %u threads expected here, %u by warps already there "
				  "(0: all)",
				  id, expected, b->expected);
	if (b->arrived >> w->id & 1)
		return exec_fault(w, in, -1, "barrier %u: the warp has arrived already", id);
	b->arrived |= UINT64_C(1) << w->id;
	if (wait) {
		b->waiting |= UINT64_C(1) << w->id;
		w->flow->waits = (uint8_t)id;
		w->flow->at = in;
		w->flow->at_mask = mask;
	}
	if (in->fn == exec_bar_red) {
		uint32_t p = vec_pred(w, in->src[2]) ^ (in->sub2 ? UINT32_MAX : 0);

		b->popc += (uint32_t)__builtin_popcount(p & mask);
		b->all &= (p & mask) == mask;
		b->any |= (p & mask) != 0;
	}
	if (barrier_complete(c, b))
		barrier_pass(c, b);
	return w->flow->waits == NO_BARRIER ? EXEC_NEXT : EXEC_WAIT;
}

int
exec_bar_sync(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return barrier_come(in, w, mask, true);
}

int
exec_bar_red(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return barrier_come(in, w, mask, true);
}

int
exec_bar_arrive(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return barrier_come(in, w, mask, false);
}

void
barrier_exit(struct cta *c)
{
	uint32_t i;

	for (i = 0; i < N_BARRIERS; i++) {
		struct barrier *b = &c->barrier[i];

		if (b->arrived && !b->expected && barrier_complete(c, b))
			barrier_pass(c, b);
	}
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
		if (!first)
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
	for (i = 0, n = 0; i < c->n_warps; i++)
		n += c->warp[i].live != 0;
	i = c->barrier[first->flow->waits].expected;
	return exec_fault(
		first, first->flow->at, -1,
		"deadlock: nobody can go on; barrier %u has %u of %u threads; waiting: %s%s",
		first->flow->waits,
		WARP_SIZE * (uint32_t)__builtin_popcountll(c->barrier[first->flow->waits].arrived),
		i ? i : n * WARP_SIZE, text, shown < n ? "; ..." : "");
}
