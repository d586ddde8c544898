/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exec.h - private to the machine that steps warps: exec.c call.c launch.c barrier.c strand.c
 * stuck.c syscall.c warpops.c and the decoders decode_ctl.c decode_warp.c.
 *
 * Lanes of a warp that diverge at a branch are run path after path. The running path is struct
 * warp's active, pc and flow.stop; the others wait in flow.path, the last one runs next. A path
 * ends when its pc reaches stop. Then the entry below continues: either a sibling with the same
 * stop, or the path from which all of them came, which waits at that instruction (its pc) for its
 * lanes. Lanes of an entry that have exited or returned meanwhile are removed when it is resumed,
 * not before. Every divergence strictly narrows the active lanes, so a warp never has more than
 * MAX_PATHS entries besides one for each call.
 *
 * Where lanes must progress independently, a warp has several such stacks: strand.c.
 *
 * A call puts the caller's path on the same stack and opens a frame. Lanes that return are removed
 * from frame.here; when no path of the frame is left, all callers continue together after the call.
 */
#ifndef PTX_EXEC_H
#define PTX_EXEC_H

#include "record/ptx/mem/devmem.h"
#include "record/ptx/exec/sink.h"

#define MAX_PATHS 64
#define MAX_DEPTH 1024		/* calls */
#define CALL_STACK_BYTES 65536u /* of each thread, for kernels that call functions */
#define N_BARRIERS 16u
#define CLUSTER_BARRIER N_BARRIERS /* one more: where barrier.cluster.wait waits */
#define NO_BARRIER 0xffu
#define WAITS_LANES 0xfeu /* beside the number of a barrier: at a .sync instruction */

/* Of exec_run, beside enum exec_status; EXEC_LESS: of strand_after, EXEC_SPENT: of exec_some. */
enum { EXEC_SLICE = 3, EXEC_END = 4, EXEC_LESS = 5, EXEC_SPENT = 6 };

struct path {
	uint32_t mask, pc, stop;
};

struct frame {
	struct prog_func *func;
	const struct prog_inst *call; /* in the caller; NULL: the kernel */
	uint32_t entered;	      /* lanes that called */
	uint32_t here;		      /* of these, those that have not returned */
	uint32_t rest;	/* of an indirect call: lanes that have yet to call another function */
	uint32_t base;	/* flow.path entries below belong to the callers */
	uint32_t stack; /* as warp.stack */
	size_t vectors; /* offset of its registers in flow.vectors */
};

struct flow {
	uint32_t stop; /* the running path's end: an instruction, or n_inst: the end of the function
			*/
	struct path *path;
	uint32_t n_path, cap_path;
	struct frame *frame;
	uint32_t depth, cap_frame; /* frame[depth] is the running one */
	uint8_t *vectors;
	size_t cap_vectors;
	/* at a barrier */
	uint8_t waits;		    /* its number, NO_BARRIER or WAITS_LANES */
	const struct prog_inst *at; /* the instruction */
	uint32_t at_mask, expected; /* lanes that execute it; threads it says */
	exec_fn *sync;		    /* WAITS_LANES: what it does */
	/* strand.c */
	struct flow *next;   /* strands of the warp that stand */
	uint32_t active, pc; /* of one that stands, as in struct warp */
	uint32_t turns;	     /* in a row in which some of its lanes stood */
	uint32_t looks;	     /* in a row that found it asking memory, and no spin */
	uint8_t *seen;	     /* registers at the beginning of a turn */
	struct sight *sight; /* stuck.c; NULL: it has not looked yet */
};

/* ---- exec.c ---- */

/* Runs w until it waits (EXEC_WAIT), ends (EXEC_END), faults, or has spent *budget instructions
 * (EXEC_SLICE). Adds to the counts of the launch. */
int exec_run(struct warp *w, uint64_t budget);
/* The same, and EXEC_SPENT, not EXEC_SLICE, where the budget ends it. */
int exec_some(struct warp *w, uint64_t budget);
/* The path being run goes to target for the lanes of mask, the rest of its lanes on to the next
 * instruction; they meet at in->reconv. */
int flow_branch(struct warp *w, const struct prog_inst *in, uint32_t mask);
/* The running path has come to its end or has no lanes left: the next one. Returns EXEC_JUMP or
 * EXEC_FAULT; when nobody is left active is 0. */
int flow_resume(struct warp *w);
/* Instruction where lane is, for messages, NULL when it has exited. in: what the running path
 * executes. */
const struct prog_inst *flow_where(const struct warp *w, uint32_t lane, const struct prog_inst *in);

static inline uint32_t
mask_first(uint32_t mask) /* not 0 */
{
	return (uint32_t)__builtin_ctz(mask);
}

#define FOR_LANES(l, mask) \
	for (uint32_t m_##l = (mask), l; m_##l && (l = mask_first(m_##l), true); m_##l &= m_##l - 1)

exec_fn exec_bra, exec_brx, exec_exit, exec_trap;

/* ---- call.c ---- */

exec_fn exec_call, exec_ret;
/* All lanes that called the running frame's function are back: continues in the caller. */
int call_end(struct warp *w);
/* Makes func's frame the running one; vectors zeroed. */
int call_open(struct warp *w, struct prog_func *func, const struct prog_inst *in, uint32_t mask,
	      uint32_t stack);
/* Base pointers, SREG_SP and warp.func for the running frame. */
void call_enter(struct warp *w);

/* ---- syscall.c ---- */

/* call of a function without a body */
exec_fn exec_syscall;
/* What the CTA printed goes out. */
void syscall_print(struct cta *c);

/* ---- launch.c ---- */

/* The storage of a CTA of r; cta_free also after a failure. */
int cta_new(struct cta *c, struct run *r);
void cta_free(struct cta *c);
/* The CTA at c->xyz begins. */
int cta_begin(struct cta *c);
#define TICK (1u << 20) /* warp instructions between two calls of run_tick that report */

/* Reports how far the launch is. True: it shall stop, and r->stopped is set. */
bool run_report(struct run *r, uint64_t ctas_done, uint64_t insts);
/* The same, every TICK instructions. */
bool run_tick(struct run *r);
/* A turn for each warp of c that can run; how many ran: 0 or 1, -1: fault. */
int cta_round(struct cta *c, uint64_t slice);
/* Runs the CTA of that number from its beginning to its end, and tells the sink. */
int cta_run(struct cta *c, uint64_t index);
void sreg_fill32(struct warp *w, enum ptx_sreg r, uint32_t value);
void sreg_fill64(struct warp *w, enum ptx_sreg r, uint64_t value);
void sreg_clock(struct warp *w, uint64_t ticks); /* all clocks */

/* ---- coop.c ---- */

int coop_run(struct run *r); /* all CTAs of a cooperative launch */
/* ---- side.c ---- */

/* CTAs in several threads; NULL: not this launch's n. Before the first CTA, which runs alone. */
struct side *side_new(struct run *r, uint64_t n);
/* Runs all others. SIDE_DONE: all is done. Else memory and counts are as before and the CTAs have
 * to be run one after the other, of which the sink knows the first *told; SIDE_ENDED: only these,
 * for the launch ends: the sink has failed, with r->e filled, or r->stopped is set. */
enum { SIDE_DONE, SIDE_IN_ORDER, SIDE_ENDED };
int side_run(struct side *s, uint64_t *told);
void side_free(struct side *s); /* NULL is fine */

/* ---- barrier.c ---- */

struct barrier {
	uint64_t arrived;  /* warps, one bit each */
	uint64_t waiting;  /* of these, the ones to wake */
	uint32_t expected; /* threads; 0: all of the CTA; valid while arrived is not 0 */
	uint32_t popc;
	bool all, any;
};

/* sub2 of bar.sync: it is barrier.cluster.wait. */
enum { BAR_CLUSTER = 1 };

exec_fn exec_bar_sync, exec_bar_arrive, exec_bar_red, exec_bar_warp;
void barrier_reset(struct cta *c);
/* A warp or some of its lanes have ended: barriers that all others have come to are passed.
 * -1: fault. */
int barrier_exit(struct cta *c);
/* Nobody can run: a fault that says who waits where. */
int barrier_deadlock(struct cta *c);

/* ---- strand.c ---- */

/* Lanes of a strand. */
uint32_t strand_lanes(const struct warp *w, const struct flow *x);
/* exec_run, and the warp is split when lanes spin while others of their strand stand. */
int strand_run(struct warp *w, uint64_t budget);
/* After strand_run said st: EXEC_END when no strand is left, EXEC_LESS when one has ended and
 * another one is the running one. */
int strand_after(struct warp *w, int st);
/* The running strand waits: 1: another one runs; 0: all wait; -1: fault. */
int strand_turn(struct warp *w);
/* The lanes of mask wait at a barrier, others of the warp do not yet. *here: all that wait there.
 */
int strand_at_barrier(struct warp *w, const struct prog_inst *in, uint32_t mask, uint8_t id,
		      uint32_t *here);
/* Strands of w that stand where the running one does, behind in, and wait as it does, become part
 * of it. Returns the lanes of theirs that executed in. */
uint32_t strand_gather(struct warp *w, const struct prog_inst *in, uint8_t waits);
/* fn for the lanes of mask, or waits first for those that o, a member mask, names. */
int strand_sync(const struct prog_inst *in, struct warp *w, uint32_t mask, struct opnd o,
		exec_fn *fn);
/* x and all that stand with it; NULL is fine. */
void strand_free(struct flow *x);

/* ---- stuck.c ---- */

/* What follows is watched from the beginning: a CTA, or all of them. */
void stuck_begin(struct run *r);
/* All warps of the n CTAs at c, which are all that run, have had a turn. EXEC_FAULT: none of them
 * can ever end. */
int stuck_round(struct run *r, struct cta *c, uint64_t n);
/* exec_run, while it is looked. */
int stuck_run(struct warp *w, uint64_t budget);
/* Of a strand. */
void stuck_forget(struct flow *x);

/* ---- warpops.c ---- */

enum vote_mode { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };
enum shfl_mode { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };
enum redux_op { REDUX_ADD, REDUX_MIN, REDUX_MAX, REDUX_AND, REDUX_OR, REDUX_XOR };

/* sub: the mode; src: value, (b, c), member mask when there is .sync; dst: value, predicate */
exec_fn exec_vote, exec_match_any, exec_match_all, exec_activemask, exec_shfl, exec_redux,
	exec_elect;

#endif
