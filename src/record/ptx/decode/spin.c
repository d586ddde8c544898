/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spin.c - finds loops that only wait for a clock, so that clock.c can shorten the wait.
 *
 * Such a loop reads a clock and computes in registers, and every condition in it depends on a clock
 * that it has read. A loop that also counts, accesses memory other than parameters and constants,
 * or synchronizes is left alone. So is a loop that measures time, because a count ends it.
 */
#include "record/ptx/alu/cvt.h"
#include "record/ptx/decode/flow.h"

#include <stdlib.h>
#include <string.h>

static const bool op_quiet[] = {
#define QUIET_changes false
#define QUIET_quiet true
#define QUIET_compare false
#define QUIET_reads false
#define QUIET_alone false
#define OP(name, group, parallel, memory) QUIET_##memory,
#include "record/ptx/inst/inst.def"
};

/* Does the instruction change nothing but registers and the program counter? */
static bool
is_pure(const struct prog_inst *in)
{
	switch (in->op) {
	case PTX_ld:
		return in->space == SP_PARAM || in->space == SP_CONST;
	case PTX_brx:
	case PTX_call:
	case PTX_ret:
	case PTX_exit:
	case PTX_trap:
	case PTX_brkpt:
		return false;
	}
	return op_quiet[in->op];
}

static bool
is_marked(const uint8_t *marked, struct opnd o)
{
	return o.bytes != OPND_NONE && o.base == BASE_FRAME && o.reg != UINT16_MAX && marked[o.reg];
}

/* Marks the registers that an instruction computes from marked ones. True: one of them is new. */
static bool
mark_results(const struct prog_inst *in, uint8_t *marked)
{
	bool from_clock = in->fn == cvt_mov_clock || is_marked(marked, in->guard), more = false;

	for (uint32_t k = 0; k < in->n_src; k++)
		from_clock |= is_marked(marked, in->src[k]);
	for (uint32_t k = 0; from_clock && k < in->n_dst; k++) {
		struct opnd o = in->dst[k];

		if (o.bytes == OPND_NONE || o.base != BASE_FRAME || o.reg == UINT16_MAX)
			continue;
		more |= !marked[o.reg];
		marked[o.reg] = 1;
	}
	return more;
}

/* Are instructions first to last such a loop? marked: scratch, a byte for each register. */
static bool
waits_for_clock(const struct prog_func *f, uint32_t first, uint32_t last, uint8_t *marked)
{
	uint32_t conditions = 0, i;
	bool more = true;

	for (i = first; i <= last; i++)
		if (!is_pure(&f->inst[i]))
			return false;
	memset(marked, 0, f->ast->n_reg);
	while (more) {
		more = false;
		for (i = first; i <= last; i++)
			more |= mark_results(&f->inst[i], marked);
	}
	for (i = first; i <= last; i++) {
		const struct prog_inst *in = &f->inst[i];

		if (in->op != PTX_bra || !(in->flags & (PF_GUARD | PF_GUARD_NOT)))
			continue;
		if (!is_marked(marked, in->guard))
			return false;
		conditions++;
	}
	return conditions > 0;
}

/* The last instruction of the shortest loop around instruction i, which begins at *first; 0: there
 * is none. */
static uint32_t
find_loop_around(const struct prog_func *f, uint32_t i, uint32_t *first)
{
	for (uint32_t k = i + 1; k < f->n_inst && k - i < SPIN_BODY; k++)
		if (f->inst[k].op == PTX_bra && f->inst[k].target <= i) {
			*first = f->inst[k].target;
			return k;
		}
	return 0;
}

int
spin_analyse(struct prog_func *f, struct err *e)
{
	uint8_t *marked = NULL;
	uint32_t first, last;

	for (uint32_t i = 0; i < f->n_inst; i++) {
		if (f->inst[i].fn != cvt_mov_clock || !(last = find_loop_around(f, i, &first)))
			continue;
		if (!marked && !(marked = malloc(f->ast->n_reg + 1)))
			return err_nomem(e);
		if (!waits_for_clock(f, first, last, marked))
			continue;
		f->inst[i].sub2 = CLOCK_OF_SPIN;
		i = last; /* it is enough to mark one of its clocks */
	}
	free(marked);
	return 0;
}
