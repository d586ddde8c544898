/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call.c - calls functions: frames, arguments, results.
 *
 * The registers of a frame are vectors in flow.vectors; its .param and .local variables are in
 * every thread's local memory from warp.stack on. Arguments and results are copied lane by lane
 * between caller and callee; a formal parameter is in memory (.param) or in a register (.reg).
 * Lanes of an indirect call may call different functions: the lanes of the lowest one run first,
 * the others (frame.rest) after these have returned.
 *
 * Functions without a body cannot be called, except those of syscall.c. The depth is limited to
 * MAX_DEPTH calls and CALL_STACK_BYTES of local memory per thread.
 */
#include "record/ptx/exec/exec.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- frames */

void
call_enter(struct warp *w)
{
	struct flow *x = w->flow;
	const struct frame *fr = &x->frame[x->depth];

	w->func = fr->func;
	w->base[BASE_FRAME] = x->vectors + fr->vectors;
	w->base[BASE_CONST] = fr->func->consts;
	w->stack = fr->stack;
	sreg_fill32(w, SREG_SP32, fr->stack);
	sreg_fill64(w, SREG_SP64, fr->stack);
}

/* Makes room for bytes of registers from off on, at least 1 byte. */
static int
frame_reserve(struct flow *x, size_t off, size_t bytes)
{
	size_t cap = MAX(x->cap_vectors * 2, (off + bytes + 63) / 64 * 64 + 64);
	uint8_t *p;

	if (off + bytes < x->cap_vectors)
		return 0;
	p = aligned_alloc(64, cap);
	if (!p)
		return -1;
	if (off)
		memcpy(p, x->vectors, off);
	free(x->vectors);
	x->vectors = p;
	x->cap_vectors = cap;
	return 0;
}

/* Makes room for one more frame and the path of its caller. */
static int
frame_grow(struct flow *x)
{
	if (x->depth + 2 > x->cap_frame) {
		uint32_t cap = MAX(x->cap_frame * 2, 4u);
		struct frame *p = realloc(x->frame, cap * sizeof(*p));

		if (!p)
			return -1;
		x->frame = p;
		x->cap_frame = cap;
	}
	if (x->n_path + MAX_PATHS + 1 > x->cap_path) {
		uint32_t cap = x->cap_path * 2 + MAX_PATHS + 1;
		struct path *p = realloc(x->path, cap * sizeof(*p));

		if (!p)
			return -1;
		x->path = p;
		x->cap_path = cap;
	}
	return 0;
}

int
call_open(struct warp *w, struct prog_func *func, const struct prog_inst *in, uint32_t mask,
	  uint32_t stack)
{
	struct flow *x = w->flow;
	const struct frame *below = in ? &x->frame[x->depth] : NULL;
	size_t vectors = below ? below->vectors + (below->func->frame_bytes + 63) / 64 * 64 : 0;

	if (frame_grow(x) || frame_reserve(x, vectors, func->frame_bytes))
		return err_nomem(w->cta->run->e);
	if (in)
		x->depth++;
	x->frame[x->depth] = (struct frame){.func = func,
					    .call = in,
					    .entered = mask,
					    .here = mask,
					    .base = x->n_path,
					    .stack = stack,
					    .vectors = vectors};
	if (func->frame_bytes)
		memset(x->vectors + vectors, 0, func->frame_bytes);
	call_enter(w);
	w->active = mask;
	w->pc = 0;
	w->local_top = MAX(w->local_top, stack + func->stack_bytes);
	x->stop = func->n_inst;
	return 0;
}

/* ---------------------------------------------------------------- arguments and results */

/* The place of a value of one frame, for each lane. */
struct place {
	uint8_t *at; /* of lane 0 */
	size_t step;
	uint32_t bytes; /* of a register: 4 or 8; its value may have fewer */
	bool pred;
};

static struct place
place_memory(const struct warp *w, uint32_t off)
{
	return (struct place){.at = w->local + off, .step = w->local_bytes};
}

static struct place
place_reg(uint8_t *at, uint32_t bytes)
{
	return (struct place){.at = at, .step = bytes, .bytes = bytes, .pred = bytes == 0};
}

/* The formal parameter k (results first) of the function in frame fr. */
static struct place
place_formal(const struct warp *w, const struct frame *fr, uint32_t k)
{
	const struct ast_func *a = fr->func->ast;
	const struct ast_var *v = &a->var[k];
	uint32_t i;

	if (v->space != SP_REG)
		return place_memory(w, fr->stack + fr->func->var_off[k]);
	for (i = 0; i < a->n_reg && strcmp(a->reg[i].name, v->name) != 0; i++)
		;
	return place_reg(w->flow->vectors + fr->vectors + fr->func->reg_off[i],
			 v->type == TY_PRED			       ? 0
			 : ptx_type_bytes((enum ptx_type)v->type) == 8 ? 8
								       : 4);
}

/* The argument or result that a call names, in the caller's frame. */
static struct place
place_actual(const struct warp *w, const struct frame *fr, const struct prog_arg *a)
{
	if (a->value.bytes == OPND_NONE)
		return place_memory(w, fr->stack + a->off);
	if (a->value.base == BASE_FRAME)
		return place_reg(w->flow->vectors + fr->vectors + a->value.off, a->value.bytes);
	return place_reg((a->value.base == BASE_CONST ? fr->func->consts : w->base[BASE_SREG]) +
				 a->value.off,
			 a->value.bytes);
}

/* Copies the value of each lane. A register larger than the value is zero-extended. */
static void
place_copy(struct place to, struct place from, uint32_t bytes, uint32_t mask)
{
	if (to.pred && from.pred) {
		uint32_t a, b;

		memcpy(&a, from.at, 4);
		memcpy(&b, to.at, 4);
		b = (b & ~mask) | (a & mask);
		memcpy(to.at, &b, 4);
		return;
	}
	FOR_LANES(l, mask)
	{
		uint8_t *d = to.at + l * to.step;
		const uint8_t *s = from.at + l * from.step;

		if (to.bytes > bytes)
			memset(d, 0, to.bytes);
		if (bytes == 8)
			memcpy(d, s, 8);
		else if (bytes == 4)
			memcpy(d, s, 4);
		else
			memcpy(d, s, bytes);
	}
}

static void
call_copy_args(struct warp *w, const struct prog_call *c, const struct frame *caller,
	       const struct frame *callee, uint32_t mask)
{
	uint32_t k, n_ret = callee->func->ast->n_ret;

	for (k = 0; k < c->n_arg; k++)
		place_copy(place_formal(w, callee, n_ret + k), place_actual(w, caller, &c->arg[k]),
			   c->arg[k].bytes, mask);
}

static void
call_copy_results(struct warp *w, const struct prog_call *c, const struct frame *caller,
		  const struct frame *callee, uint32_t mask)
{
	uint32_t k;

	for (k = 0; k < c->n_ret; k++)
		if (c->ret[k].bytes)
			place_copy(place_actual(w, caller, &c->ret[k]), place_formal(w, callee, k),
				   c->ret[k].bytes, mask);
}

/* ---------------------------------------------------------------- call and ret */

/* Reports why func cannot be called, or returns EXEC_NEXT. Direct calls were checked by the
 * decoder, so only indirect ones are compared in full. */
static int
call_check(struct warp *w, const struct prog_inst *in, const struct prog_call *c,
	   const struct prog_func *func, int lane)
{
	const struct ast_func *a = func->ast;
	uint32_t k;

	if (a->entry)
		return exec_fault(w, in, lane, "call of the kernel %s", a->name);
	if (!a->defined)
		return exec_fault(w, in, lane, "call of %s, which has no body in this module",
				  a->name);
	if (in->target != PROG_NONE)
		return EXEC_NEXT;
	if (a->n_ret != c->n_ret || a->n_param != c->n_arg)
		return exec_fault(w, in, lane,
				  "indirect call of %s with %u arguments and %u results: it has %u "
				  "and %u",
				  a->name, c->n_arg, c->n_ret, a->n_param, a->n_ret);
	for (k = 0; k < a->n_ret + a->n_param; k++) {
		const struct prog_arg *arg = k < a->n_ret ? &c->ret[k] : &c->arg[k - a->n_ret];
		uint64_t bytes =
			MAX(a->var[k].bytes, ptx_type_bytes((enum ptx_type)a->var[k].type));

		if (arg->bytes && arg->bytes != bytes)
			return exec_fault(
				w, in, lane,
				"indirect call of %s: its parameter %s has %u bytes, not %u",
				a->name, a->var[k].name, (unsigned)bytes, arg->bytes);
	}
	return EXEC_NEXT;
}

/* Finds the function that the first lane of mask calls; returns the lanes that call the same
 * one. */
static uint32_t
find_targets(const struct warp *w, const struct prog_call *c, uint32_t mask,
	     struct prog_func **func)
{
	const struct ptx_module *m = w->cta->run->module;
	uint64_t at[WARP_SIZE], index;
	uint32_t same = 0, first = mask_first(mask), l;

	for (l = 0; l < WARP_SIZE; l++)
		at[l] = c->callee.bytes == 8 ? vec64(w, c->callee)[l] : vec32(w, c->callee)[l];
	for (l = 0; l < WARP_SIZE; l++)
		same |= (uint32_t)(at[l] == at[first]) << l;
	index = (at[first] - PTX_CODE_BASE) / 16;
	*func = at[first] % 16 == 0 && at[first] >= PTX_CODE_BASE && index < m->ast->n_func
			? &m->func[index]
			: NULL;
	return same & mask;
}

/* Lets the lanes of mask enter the function that they call. */
static int
call_enter_targets(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	struct flow *x = w->flow;
	const struct prog_call *c = &w->func->call[in->ext];
	struct prog_func *func = NULL;
	uint32_t stack = w->stack + w->func->stack_bytes, rest = 0;
	uint64_t top;

	if (in->target != PROG_NONE) {
		func = &w->cta->run->module->func[in->target];
	} else {
		uint32_t same = find_targets(w, c, mask, &func);

		if (!func)
			return exec_fault(w, in, (int)mask_first(mask),
					  "indirect call of an address where no function starts");
		rest = mask & ~same;
		mask = same;
	}
	if (call_check(w, in, c, func, (int)mask_first(mask)))
		return EXEC_FAULT;
	stack = (stack + func->stack_align - 1) / func->stack_align * func->stack_align;
	top = (uint64_t)stack + func->stack_bytes;
	if (x->depth + 1 >= MAX_DEPTH || top > w->local_bytes)
		return exec_fault(
			w, in, (int)mask_first(mask),
			"call stack overflow at %s, %u calls deep (limits: %u calls, %u bytes "
			"of local memory, %u used)",
			func->name, x->depth + 1, MAX_DEPTH - 1, w->local_bytes, w->stack);
	x->path[x->n_path++] =
		(struct path){w->active, (uint32_t)(in + 1 - w->func->inst), x->stop};
	if (call_open(w, func, in, mask, stack))
		return EXEC_FAULT;
	x->frame[x->depth].rest = rest;
	call_copy_args(w, c, &x->frame[x->depth - 1], &x->frame[x->depth], mask);
	return EXEC_JUMP;
}

int
exec_call(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	if (in->target != PROG_NONE) {
		const struct ast_func *a = w->cta->run->module->func[in->target].ast;

		if (!a->defined)
			return exec_syscall(in, w, mask);
	}
	return call_enter_targets(in, w, mask);
}

int
call_end(struct warp *w)
{
	struct flow *x = w->flow;
	struct frame *done = &x->frame[x->depth], *fr = done - 1;
	const struct prog_inst *in = done->call;
	uint32_t back = done->entered & w->live, rest = done->rest & w->live;
	struct path *p;

	x->depth--;
	call_enter(w);
	call_copy_results(w, &w->func->call[in->ext], fr, done, back);
	p = &x->path[--x->n_path];
	w->active = p->mask & fr->here & w->live;
	w->pc = p->pc;
	x->stop = p->stop;
	if (rest && call_enter_targets(in, w, rest) == EXEC_FAULT)
		return EXEC_FAULT;
	return EXEC_NEXT;
}

int
exec_ret(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	struct flow *x = w->flow;

	if (x->depth == 0)
		return exec_exit(in, w, mask);
	x->frame[x->depth].here &= ~mask;
	w->active &= ~mask;
	w->pc = (uint32_t)(in + 1 - w->func->inst);
	return w->active ? EXEC_JUMP : flow_resume(w);
}
