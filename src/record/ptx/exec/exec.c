/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exec.c - steps a warp: the main loop, branches, the reconvergence stack (exec.h), exit, faults.
 *
 * The loop calls one function per instruction; its only other work is guards, clocks and counting.
 * A sink receives instructions in lines: a line ends at an instruction that accesses memory or runs
 * for fewer lanes than the path, and at the end of the path.
 *
 * Instructions that leave the straight line return EXEC_JUMP, after which pc, active and flow.stop
 * are read again. Between them none of the three changes, except that exit and ret remove lanes
 * from active and return EXEC_JUMP too.
 *
 * Lanes of a warp progress independently of each other only where they must: strand.c.
 */
#include "record/ptx/exec/exec.h"
#include "base/shown.h"
#include "record/ptx/mem/async.h"

#include <stdarg.h>
#include <string.h>

/* ---------------------------------------------------------------- faults */

/* Returns the source line of the instruction or, as libraries have none, of the nearest caller that
 * has one. */
static const char *
fault_source(const struct warp *w, const struct prog_inst *in, char *buf, size_t size)
{
	const struct flow *x = w->flow;
	char place[PLACE_TEXT];

	for (uint32_t i = x ? x->depth : 0; i && in && !in->src_file; i--)
		in = x->frame[i].call;
	if (!in || !prog_place(w->cta->run->module, in, place, sizeof(place)))
		return "";
	snprintf(buf, size, " (%s)", place);
	return buf;
}

int
exec_fault_of(enum err_kind kind, struct warp *w, const struct prog_inst *in, int lane,
	      const char *fmt, ...)
{
	const struct cta *c = w->cta;
	const struct ast_module *a = c->run->module->ast;
	struct err *e = c->run->e;
	uint32_t tid = w->id * WARP_SIZE + (lane < 0 ? 0 : (uint32_t)lane);
	const uint32_t *block = c->run->launch->block;
	uint32_t nx = MAX(block[0], 1u), ny = MAX(block[1], 1u);
	char raw[300], what[sizeof(e->msg)], where[64], text[240], src[PLACE_TEXT + 4];
	va_list ap;
	int col;

	va_start(ap, fmt);
	vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	text_shown(raw, what, sizeof(what));
	if (lane < 0)
		snprintf(where, sizeof(where), "warp %u", w->id);
	else
		snprintf(where, sizeof(where), "thread %u,%u,%u", tid % nx, tid / nx % ny,
			 tid / nx / ny);
	ast_line(a, in->line, text, sizeof(text));
	col = (int)strspn(text, " \t");
	err_at(e, a->name, in->line, text, col, (int)MAX(strcspn(text + col, ";\n"), 1u),
	       "%s: kernel %s, CTA %u,%u,%u, %s%s", what, c->run->entry->name, c->xyz[0], c->xyz[1],
	       c->xyz[2], where, fault_source(w, in, src, sizeof(src)));
	if (e)
		e->n_what = (int)strlen(what);
	err_as(e, kind);
	return EXEC_FAULT;
}

int
exec_nop(const struct prog_inst *in ATTR_UNUSED, struct warp *w ATTR_UNUSED,
	 uint32_t mask ATTR_UNUSED)
{
	return EXEC_NEXT;
}

int
exec_trap(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return exec_fault(w, in, (int)mask_first(mask), "trap");
}

/* ---------------------------------------------------------------- the reconvergence stack */

static uint32_t
flow_index(const struct warp *w, const struct prog_inst *in)
{
	return (uint32_t)(in - w->func->inst);
}

static void
flow_push(struct flow *x, uint32_t mask, uint32_t pc, uint32_t stop)
{
	x->path[x->n_path++] = (struct path){mask, pc, stop};
}

/* Makes the running path wait where the paths that begin at `in` meet; returns that instruction. */
static uint32_t
flow_split(struct warp *w, const struct prog_inst *in)
{
	struct flow *x = w->flow;
	uint32_t meet = in->reconv == PROG_NONE ? x->stop : in->reconv;

	if (meet != x->stop)
		flow_push(x, w->active, meet, x->stop);
	x->stop = meet;
	return meet;
}

int
flow_branch(struct warp *w, const struct prog_inst *in, uint32_t mask)
{
	uint32_t rest = w->active & ~mask, next = flow_index(w, in) + 1, meet;

	meet = flow_split(w, in);
	if (in->target == meet) { /* the branching lanes are at the meeting point already */
		w->active = rest;
		w->pc = next;
	} else {
		if (next != meet)
			flow_push(w->flow, rest, next, meet);
		w->active = mask;
		w->pc = in->target;
	}
	return EXEC_JUMP;
}

int
flow_resume(struct warp *w)
{
	struct flow *x = w->flow;

	for (;;) {
		const struct frame *fr = &x->frame[x->depth];

		while (x->n_path > fr->base) {
			const struct path *p = &x->path[--x->n_path];
			uint32_t mask = p->mask & fr->here & w->live;

			if (mask) {
				w->active = mask;
				w->pc = p->pc;
				x->stop = p->stop;
				return EXEC_JUMP;
			}
		}
		w->active = 0;
		if (x->depth == 0)
			return EXEC_JUMP;
		if (call_end(w) != EXEC_NEXT)
			return EXEC_FAULT;
		if (w->active)
			return EXEC_JUMP;
	}
}

const struct prog_inst *
flow_where(const struct warp *w, uint32_t lane, const struct prog_inst *in)
{
	const struct flow *x = w->flow;
	uint32_t depth = x->depth, i = x->n_path;

	if (!(w->live >> lane & 1))
		return NULL;
	if (w->active >> lane & 1)
		return in;
	for (const struct flow *y = x->next; y; y = y->next)
		if ((strand_lanes(w, y) >> lane & 1) && y->waits != NO_BARRIER)
			return y->at;
	for (;;) {
		const struct frame *fr = &x->frame[depth];

		while (i > fr->base) {
			const struct path *p = &x->path[--i];

			if (p->mask & fr->here & 1u << lane)
				return p->pc < fr->func->n_inst ? &fr->func->inst[p->pc] : NULL;
		}
		if (depth-- == 0)
			return NULL;
		if (fr->entered >> lane & 1) /* it has returned and waits for the others */
			return fr->call;
	}
}

/* ---------------------------------------------------------------- branches and exit */

int
exec_bra(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	if (likely(mask == w->active)) {
		w->pc = in->target;
		return EXEC_JUMP;
	}
	return mask ? flow_branch(w, in, mask) : EXEC_NEXT;
}

int
exec_brx(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const struct ast_table *t = &w->func->ast->table[in->target];
	const uint32_t *index = vec32(w, in->src[0]);
	uint32_t next = flow_index(w, in) + 1, rest = mask, meet, first, same = 0;

	if (!mask)
		return EXEC_NEXT;
	FOR_LANES(l, mask)
	if (index[l] >= t->n)
		return exec_fault(w, in, (int)l, "brx index %u, but %s has %u targets", index[l],
				  t->name, t->n);
	first = t->index[index[mask_first(mask)]];
	FOR_LANES(l, mask)
	same |= (uint32_t)(t->index[index[l]] == first) << l;
	if (same == w->active) {
		w->pc = first;
		return EXEC_JUMP;
	}
	meet = flow_split(w, in);
	if (w->active & ~mask && next != meet)
		flow_push(w->flow, w->active & ~mask, next, meet);
	while (rest) {
		first = t->index[index[mask_first(rest)]];
		same = 0;
		FOR_LANES(l, rest)
		same |= (uint32_t)(t->index[index[l]] == first) << l;
		if (first != meet)
			flow_push(w->flow, same, first, meet);
		rest &= ~same;
	}
	return flow_resume(w);
}

int
exec_exit(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	w->live &= ~mask;
	w->active &= ~mask;
	w->pc = flow_index(w, in) + 1;
	return w->active ? EXEC_JUMP : flow_resume(w);
}

/* ---------------------------------------------------------------- the loop */

/* Ends the running path, which is at its stop or has passed the end of the function. */
static int
exec_path_end(struct warp *w)
{
	struct flow *x = w->flow;
	struct frame *fr = &x->frame[x->depth];

	if (w->pc == w->func->n_inst) { /* the end of the function is a ret */
		fr->here &= ~w->active;
		if (x->depth == 0)
			w->live &= ~w->active;
	}
	return flow_resume(w);
}

static uint32_t
exec_guard(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	if (in->slow & SLOW_GUARD)
		mask &= vec_pred(w, in->guard);
	else if (in->slow & SLOW_GUARD_NOT)
		mask &= ~vec_pred(w, in->guard);
	if (in->slow & SLOW_CLOCK)
		sreg_clock(w, clock_now(w->cta->run));
	return mask;
}

/* Reports a failure of the sink at the instruction. If the thread block is too long for the sink,
 * the message also names the place in the kernel. */
int
exec_report_failed(struct warp *w, const struct prog_inst *in)
{
	const struct err *e = w->cta->run->e;
	bool alone = !w->cta->run->at_once && others_follow(w->cta->run, w->cta, 1);
	char what[sizeof(e->msg)];

	if (!e || e->kind != ERR_TOO_LONG)
		return EXEC_FAULT;
	snprintf(what, sizeof(what), "%s", e->msg);
	err_clear(w->cta->run->e);
	return exec_fault_of(ERR_TOO_LONG, w, in, -1, "%s%s", what,
			     alone ? "; --cooperative lets blocks wait for later ones" : "");
}

/* Reports an instruction to the sink. A bulk copy is reported as several instructions. */
static int
exec_report(struct warp *w, const struct prog_func *func, const struct prog_inst *in, uint32_t mask)
{
	struct run *r = w->cta->run;
	const struct ptx_sink *s = r->sink;

	if (w->addr_even) {
		w->addr_even = false;
		if (s->even)
			return s->even(s->ctx, w->id, func, in, w->addr[0], w->addr_step, r->e);
		for (uint32_t l = 1; l < WARP_SIZE; l++)
			w->addr[l] = w->addr[l - 1] + (uint64_t)w->addr_step;
	}
	if (unlikely(in->fn == exec_bulk))
		return bulk_report(in, w, mask);
	return s->inst(s->ctx, w->id, func, in, mask, w->addr_mask ? w->addr : NULL, w->addr_mask,
		       r->e);
}

/* Reports the instructions from first to before end, which accessed no memory. */
static int
exec_report_line(struct warp *w, const struct prog_func *func, const struct prog_inst *first,
		 const struct prog_inst *end, uint32_t mask)
{
	struct run *r = w->cta->run;
	const struct ptx_sink *s = r->sink;

	if (first == end)
		return 0;
	if (s->line)
		return s->line(s->ctx, w->id, func, first, (uint32_t)(end - first), mask, r->e);
	for (; first != end; first++)
		if (s->inst(s->ctx, w->id, func, first, mask, NULL, 0, r->e))
			return -1;
	return 0;
}

/* Runs straight-line code of one path, until an instruction returns something other than EXEC_NEXT.
 * EXEC_NEXT: the path has ended. */
static inline __attribute__((always_inline)) int
exec_line(struct warp *w, uint64_t *budget, bool has_sink)
{
	struct prog_func *func = w->func;
	const struct prog_inst *in = func->inst + w->pc, *stop = func->inst + w->flow->stop;
	const struct prog_inst *unreported = in;
	struct ptx_counts *n = &w->cta->run->n;
	const uint32_t active = w->active, lanes = (uint32_t)__builtin_popcount(active);
	uint64_t left = *budget;
	int st = EXEC_NEXT;

	if (stop < in) /* the stop is before this place and needs a branch to reach */
		stop = func->inst + func->n_inst;
	for (; in != stop && st == EXEC_NEXT; in++) {
		uint32_t mask = active, reported_mask = active, count = lanes;

		if (unlikely(left == 0)) {
			st = EXEC_SPENT;
			break;
		}
		left--;
		if (unlikely(in->slow)) {
			mask = exec_guard(in, w, mask);
			if (!(in->slow & SLOW_BRANCH)) {
				reported_mask = mask;
				count = (uint32_t)__builtin_popcount(mask);
			}
			if (has_sink && reported_mask != active) {
				if (exec_report_line(w, func, unreported, in, active))
					return exec_report_failed(w, in);
				unreported = in;
			}
			if (!reported_mask) {
				unreported = in + 1;
				continue;
			}
		}
		n->warp_insts++;
		n->thread_insts += count;
		st = in->fn(in, w, mask);
		if (unlikely(st == EXEC_FAULT))
			return st;
		if (has_sink && (w->addr_mask || reported_mask != active)) {
			if (exec_report_line(w, func, unreported, in, active) ||
			    exec_report(w, func, in, reported_mask))
				return exec_report_failed(w, in);
			unreported = in + 1;
			w->addr_mask = 0;
		}
	}
	if (has_sink && exec_report_line(w, func, unreported, in, active))
		return exec_report_failed(w, unreported);
	if (st != EXEC_JUMP)
		w->pc = (uint32_t)(in - func->inst);
	*budget = left;
	return st;
}

static inline __attribute__((always_inline)) int
exec_paths(struct warp *w, uint64_t budget, bool has_sink)
{
	while (w->active) {
		int st = exec_line(w, &budget, has_sink);

		if (st == EXEC_NEXT)
			st = exec_path_end(w);
		if (st != EXEC_JUMP)
			return st;
	}
	return EXEC_END;
}

int
exec_some(struct warp *w, uint64_t budget)
{
	return w->cta->run->sink ? exec_paths(w, budget, true) : exec_paths(w, budget, false);
}

int
exec_run(struct warp *w, uint64_t budget)
{
	int st;

	if (unlikely(w->cta->run->stuck.watching))
		st = stuck_run(w, budget);
	else
		st = exec_some(w, budget);
	return st == EXEC_SPENT ? EXEC_SLICE : st;
}
