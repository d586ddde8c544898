/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stuck.c - detects a launch that can never end: all live strands loop, and nothing changes.
 *
 * A strand (strand.c) is a deterministic machine: its registers, its place and memory determine
 * what it does next. If it returns to a place with the same registers, and memory has not changed
 * in between, it will return forever unless another strand changes memory. If that holds for all
 * strands of all running CTAs that do not wait at a barrier, within one period without a change,
 * none of them will change memory, and the launch ends with an error at the place where it reads
 * the value that it waits for.
 *
 * While later CTAs have not started, less is enough: the CTA waits for them if each strand has
 * returned or has polled, that is, read memory as one that others write (a volatile or strong load,
 * an atomic operation), in a period without a change. The CTA and those after it then take turns
 * (coop.c), which is a legal order even if the guess is wrong.
 *
 * A change is a store, an atomic operation or an arrival at an mbarrier that modifies memory, and
 * everything that this file cannot judge: a barrier, an exit, a clock, lanes that exchange values
 * in a split warp. Strands with waiting lanes never count as stuck, because strand.c may split
 * them.
 *
 * A load from memory that the host can write may return another value the next time. A launch that
 * is stuck except for such loads sleeps between its rounds, so that threads of the host can work,
 * and ends with an error after HOST_SLEEPS of them. A write by a later launch, or by the thread
 * that made this one, can never arrive, because that thread continues only after the launch has
 * ended.
 *
 * Checking is a few times slower than running, so it is done only from time to time: first after
 * FIRST instructions of the CTA (FIRST_POLLING if the kernel may wait for other CTAs, because the
 * trace contains all its polling until they start), for ROUNDS turns of each strand, and then again
 * after twice as many instructions, for twice as long. It ends early when a round has changed
 * something. The results and the trace of a launch do not depend on it.
 *
 * Limitation: loops that count while they wait are not detected, nor those whose period is longer
 * than the rounds; --max-insns ends them.
 */
#include "record/ptx/alu/cvt.h"
#include "record/ptx/exec/exec.h"
#include "record/ptx/mem/mem.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FIRST (1u << 22)
#define FIRST_POLLING (1u << 16)
#define ROUNDS 3u
#define HOST_SLEEPS 100u /* of a tenth of a second */

struct sight {		   /* a saved state of a strand */
	uint64_t at;	   /* instructions of the launch when it was saved */
	bool found;	   /* the strand has returned to this state */
	uint32_t n, power; /* comparisons since; a new state is saved after power (Brent) */
	const struct prog_inst *reader; /* an instruction that has read memory since, or NULL */
	uint64_t polled;		/* when memory that others write was last read */
	uint32_t pc, active, carry, stop, depth, n_path;
	size_t bytes, cap;
	uint8_t *state; /* paths, frames, registers */
};

/* ---------------------------------------------------------------- what changes memory */

enum memory_kind { MEMORY_changes, MEMORY_quiet, MEMORY_compare, MEMORY_reads, MEMORY_alone };

static const uint8_t op_memory[] = {
#define OP(name, group, parallel, memory) MEMORY_##memory,
#include "record/ptx/inst/inst.def"
};

static uint8_t
get_memory_kind(const struct prog_inst *in, const struct warp *w)
{
	uint8_t kind = op_memory[in->op];

	if ((in->slow & SLOW_CLOCK) || in->fn == cvt_mov_clock || in->op == PTX_exit ||
	    in->op == PTX_trap || in->fn == exec_syscall)
		return MEMORY_changes;
	if (in->fn == exec_bar_warp)
		kind = MEMORY_alone;
	if (kind == MEMORY_alone)
		return w->flow->next ? MEMORY_changes : MEMORY_quiet;
	return kind;
}

#define MOST_BYTES 32u /* of a lane */

/* The memory that an instruction accesses: for each lane its place and previous content. */
struct held {
	uint32_t mask, bytes;
	const uint8_t *p[WARP_SIZE];
	uint8_t x[WARP_SIZE][MOST_BYTES];
};

/* Saves the memory that the lanes access. False: some access memory that the host can write. */
static bool
hold_memory(const struct prog_inst *in, const struct warp *w, uint32_t mask, struct held *h)
{
	uint64_t at[WARP_SIZE];

	h->mask = mask;
	h->bytes = ptx_type_bytes((enum ptx_type)in->type) * MAX(in->vec, 1u);
	if (!mask)
		return true;
	if (h->bytes > MOST_BYTES)
		return false;
	mem_addresses(in, w, mask, at);
	FOR_LANES(l, mask)
	{
		h->p[l] = mem_peek(in, w, l, at[l], h->bytes);
		if (!h->p[l])
			return false;
		memcpy(h->x[l], h->p[l], h->bytes);
	}
	return true;
}

static bool
memory_is_unchanged(const struct held *h)
{
	FOR_LANES(l, h->mask)
	if (memcmp(h->x[l], h->p[l], h->bytes) != 0)
		return false;
	return true;
}

/* Executes one instruction as exec_some does, and notes whether it changed memory. */
static int
step_watched(struct warp *w, const struct prog_inst *in, struct stuck *s)
{
	struct sight *v = w->flow->sight;
	uint32_t mask = w->active;
	uint8_t kind = get_memory_kind(in, w);
	bool still = kind != MEMORY_changes;
	struct held h;
	int st;

	if (in->slow & SLOW_GUARD)
		mask &= vec_pred(w, in->guard);
	else if (in->slow & SLOW_GUARD_NOT)
		mask &= ~vec_pred(w, in->guard);
	if (!mask && !(in->slow & SLOW_BRANCH))
		return exec_some(w, 1);
	if (kind == MEMORY_compare || kind == MEMORY_reads)
		still = hold_memory(in, w, mask, &h);
	if (kind == MEMORY_reads && !still) {
		s->reads_host = true;
		still = true;
	}
	if (v && (kind == MEMORY_reads || in->op == PTX_atom || in->op == PTX_mbarrier))
		v->reader = in;
	if (v && strand_polls(in))
		v->polled = w->cta->run->n.warp_insts;
	st = exec_some(w, 1);
	if (!still || (kind == MEMORY_compare && !memory_is_unchanged(&h)))
		s->changed = w->cta->run->n.warp_insts;
	return st;
}

/* ---------------------------------------------------------------- sights */

void
stuck_forget(struct flow *x)
{
	if (x->sight)
		free(x->sight->state);
	free(x->sight);
	x->sight = NULL;
}

/* Writes paths, frames and registers to `to`, unless it is NULL; returns their bytes. */
static size_t
write_state(const struct flow *x, uint8_t *to)
{
	size_t n = 0, bytes = x->frame[x->depth].vectors + x->frame[x->depth].func->frame_bytes;

#define PUT(p, size)                               \
	do {                                       \
		if (to)                            \
			memcpy(to + n, (p), size); \
		n += size;                         \
	} while (0)
	PUT(x->path, x->n_path * sizeof(*x->path));
	for (uint32_t i = 0; i <= x->depth; i++) {
		const struct frame *fr = &x->frame[i];
		const uint64_t f[] = {(uintptr_t)fr->func,
				      (uintptr_t)fr->call,
				      fr->entered,
				      fr->here,
				      fr->rest,
				      fr->base,
				      fr->stack,
				      fr->vectors};

		PUT(f, sizeof(f));
	}
	PUT(x->vectors, bytes);
#undef PUT
	return n;
}

static int
save_sight(struct warp *w, uint32_t power)
{
	struct flow *x = w->flow;
	struct sight *v = x->sight;
	size_t bytes = write_state(x, NULL);

	if (!v)
		v = x->sight = calloc(1, sizeof(*v));
	if (v && bytes > v->cap) {
		free(v->state);
		v->cap = 2 * bytes;
		v->state = malloc(v->cap);
	}
	if (!v || !v->state) {
		stuck_forget(x);
		return err_nomem(w->cta->run->e);
	}
	v->at = w->cta->run->n.warp_insts;
	v->found = false;
	v->n = 0;
	v->power = power;
	v->reader = NULL;
	v->pc = w->pc;
	v->active = w->active;
	v->carry = w->carry;
	v->stop = x->stop;
	v->depth = x->depth;
	v->n_path = x->n_path;
	v->bytes = write_state(x, v->state);
	return 0;
}

static bool
sight_is_same(const struct warp *w, const struct sight *v)
{
	const struct flow *x = w->flow;
	uint8_t *now;
	bool same;

	if (v->pc != w->pc || v->active != w->active || v->carry != w->carry ||
	    v->stop != x->stop || v->depth != x->depth || v->n_path != x->n_path ||
	    v->bytes != write_state(x, NULL))
		return false;
	now = malloc(v->bytes);
	if (!now)
		return false;
	write_state(x, now);
	same = memcmp(now, v->state, v->bytes) == 0;
	free(now);
	return same;
}

/* Compares the running strand, which has jumped backwards, with its saved state. */
static int
compare_sight(struct warp *w, const struct stuck *s)
{
	struct sight *v = w->flow->sight;

	if (!v || v->at < s->changed)
		return save_sight(w, 1);
	if (v->found)
		return 0;
	v->found = sight_is_same(w, v);
	if (!v->found && ++v->n >= v->power)
		return save_sight(w, 2 * v->power);
	return 0;
}

int
stuck_run(struct warp *w, uint64_t budget)
{
	struct stuck *s = &w->cta->run->stuck;

	/* after a change the rest of the round is irrelevant */
	while (budget > 0 && s->changed <= s->round) {
		const struct prog_func *func;
		uint32_t pc;
		int st = exec_some(w, 0); /* goes to the next instruction without executing it */

		budget--;
		if (st != EXEC_SPENT)
			return st;
		func = w->func;
		pc = w->pc;
		st = step_watched(w, &func->inst[pc], s);
		if (st != EXEC_SPENT)
			return st;
		if (w->func == func && w->pc <= pc && compare_sight(w, s))
			return EXEC_FAULT;
	}
	return exec_some(w, budget);
}

/* ---------------------------------------------------------------- the decision */

/* Does the function read global memory that others may write meanwhile (strand_polls)? */
static bool
func_polls(const struct prog_func *f)
{
	for (uint32_t i = 0; i < f->n_inst; i++)
		if (f->inst[i].op == PTX_ld && f->inst[i].space != SP_SHARED &&
		    strand_polls(&f->inst[i]))
			return true;
	return false;
}

bool
stuck_may_wait(const struct run *r)
{
	const struct ptx_module *m = r->module;
	bool polls = func_polls(r->entry);

	for (uint32_t f = 0; f < m->ast->n_func && !polls && r->entry->n_call; f++)
		polls = !m->func[f].ast->entry && func_polls(&m->func[f]);
	return polls;
}

void
stuck_begin(struct run *r)
{
	bool soon = r->may_wait && !r->at_once;

	r->stuck = (struct stuck){.began = r->n.warp_insts,
				  .next = r->n.warp_insts + (soon ? FIRST_POLLING : FIRST),
				  .rounds = ROUNDS};
}

static bool
strand_stuck(const struct warp *w, const struct flow *x, const struct stuck *s)
{
	uint32_t active = x == w->flow ? w->active : x->active;

	if (x->waits != NO_BARRIER)
		return true;
	return active == strand_lanes(w, x) && x->sight && x->sight->found &&
	       x->sight->at >= s->changed;
}

/* Guesses whether the strand waits for something, possibly for other lanes of its warp. */
static bool
strand_waits(const struct flow *x, const struct stuck *s)
{
	const struct sight *v = x->sight;

	return x->waits != NO_BARRIER ||
	       (v && v->at >= s->changed && (v->found || (s->left == 0 && v->polled >= v->at)));
}

static bool
cta_waits(const struct cta *c, const struct stuck *s)
{
	bool reads = false;

	for (uint32_t i = 0; i < c->n_warps; i++)
		for (const struct flow *x = c->warp[i].flow; x && c->warp[i].live; x = x->next) {
			if (!strand_waits(x, s))
				return false;
			reads |= x->waits == NO_BARRIER && x->sight->reader;
		}
	return reads;
}

bool
others_follow(const struct run *r, const struct cta *c, uint64_t n)
{
	const uint32_t *grid = r->launch->grid;

	return c[n - 1].index + 1 < (uint64_t)grid[0] * grid[1] * grid[2];
}

/* Are all strands of the CTA stuck? *at is an instruction of warp *who that reads memory. */
static bool
cta_stuck(struct cta *c, const struct stuck *s, struct warp **who, const struct prog_inst **at)
{
	for (uint32_t i = 0; i < c->n_warps; i++) {
		struct warp *w = &c->warp[i];

		for (const struct flow *x = w->flow; x && w->live; x = x->next) {
			if (!strand_stuck(w, x, s))
				return false;
			if (x->waits != NO_BARRIER || *at)
				continue;
			*who = w;
			*at = x->sight->reader;
		}
	}
	return true;
}

static int
stuck_fault(struct warp *w, const struct prog_inst *at, bool later)
{
	const struct run *r = w->cta->run;
	uint32_t lane = w->active ? mask_first(w->active) : 0;

	if (at && r->stuck.reads_host)
		return exec_fault_of(ERR_ENDLESS, w, at, (int)lane,
				     "waits for a value from the host or another kernel; nothing "
				     "has written it for %u seconds (the host thread continues "
				     "only after a launch has ended, and kernels of other "
				     "streams start after it)",
				     HOST_SLEEPS / 10);
	if (!at)
		return exec_fault_of(ERR_ENDLESS, w,
				     &w->func->inst[MIN(w->pc, w->func->n_inst - 1)], (int)lane,
				     "endless loop: it repeats with the same values");
	return exec_fault(w, at, (int)lane,
			  "waits for a value that nothing will write, so the launch never ends%s",
			  later ? " (the last CTAs of the grid start only when others have ended)"
				: "");
}

/* Gives the host time to write. False: HOST_SLEEPS is reached. */
static bool
wait_for_host(struct run *r, uint32_t strands)
{
	const struct timespec tenth = {.tv_nsec = 100000000};
	struct stuck *s = &r->stuck;

	if (s->slept++ == HOST_SLEEPS)
		return false;
	nanosleep(&tenth, NULL);
	s->left = s->rounds * strands;
	/* all states are saved and compared again */
	s->round = s->changed = r->n.warp_insts + 1;
	return true;
}

/* Returns the largest number of strands of a warp; a turn of a warp runs one of them. */
static uint32_t
count_most_strands(const struct cta *c, uint64_t n)
{
	uint32_t most = 1;

	for (uint64_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < c[i].n_warps && c[i].alive; k++) {
			uint32_t strands = 0;

			for (const struct flow *x = c[i].warp[k].flow; x; x = x->next)
				strands++;
			most = MAX(most, strands);
		}
	return most;
}

static void
stop_watching(struct run *r)
{
	struct stuck *s = &r->stuck;

	s->watching = false;
	s->rounds *= 2;
	s->next = s->began + 2 * (r->n.warp_insts - s->began);
}

int
stuck_round(struct run *r, struct cta *c, uint64_t n)
{
	struct stuck *s = &r->stuck;
	const struct prog_inst *at = NULL;
	struct warp *who = NULL;
	bool all = true;

	if (!s->watching) {
		if (r->n.warp_insts < s->next)
			return 0;
		s->watching = true;
		s->reads_host = false;
		s->left = s->rounds * count_most_strands(c, n);
		s->round = s->changed = r->n.warp_insts + 1;
		return 0;
	}
	if (s->changed > s->round || s->left-- == 0) {
		stop_watching(r);
		return 0;
	}
	s->round = r->n.warp_insts;
	if (!r->at_once && others_follow(r, c, n) && cta_waits(c, s)) {
		s->waits_for_later = true;
		return EXEC_FAULT;
	}
	for (uint64_t i = 0; i < n && all; i++)
		all = !c[i].alive || cta_stuck(&c[i], s, &who, &at);
	if (!all || !who || (s->reads_host && wait_for_host(r, count_most_strands(c, n))))
		return 0;
	return stuck_fault(who, at, others_follow(r, c, n));
}
