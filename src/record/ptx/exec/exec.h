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
#define CLUSTER_BARRIER N_BARRIERS /* an additional one, for barrier.cluster.wait */
#define NO_BARRIER 0xffu
#define WAITS_LANES 0xfeu /* instead of the number of a barrier: waits at a .sync instruction */

/* Results of exec_run besides enum exec_status; EXEC_LESS: of strand_after, EXEC_SPENT: of
 * exec_some. */
enum { EXEC_SLICE = 3, EXEC_END = 4, EXEC_LESS = 5, EXEC_SPENT = 6 };

struct path {
	uint32_t mask, pc, stop;
};

struct frame {
	struct prog_func *func;
	const struct prog_inst *call; /* in the caller; NULL: the kernel */
	uint32_t entered;	      /* lanes that called */
	uint32_t here;		      /* those of them that have not returned */
	uint32_t rest;	/* of an indirect call: lanes that call other functions, later */
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
	uint32_t at_mask, expected; /* lanes that execute it; its thread count */
	exec_fn *sync;		    /* WAITS_LANES: the function of the instruction */
	/* strand.c */
	struct flow *next;   /* the next strand of the warp that does not run */
	uint32_t active, pc; /* as in struct warp, while the strand does not run */
	uint32_t turns;	     /* successive turns in which some of its lanes waited */
	uint32_t checks;     /* successive checks that found reads of memory but no spin */
	uint8_t *seen;	     /* registers at the beginning of a turn */
	struct sight *sight; /* stuck.c; NULL: no state was saved yet */
};

/* ---- exec.c ---- */

/* Runs w until it waits (EXEC_WAIT), ends (EXEC_END), faults, or has spent *budget instructions
 * (EXEC_SLICE). Adds to the counts of the launch. */
int exec_run(struct warp *w, uint64_t budget);
/* Like exec_run, but returns EXEC_SPENT instead of EXEC_SLICE when the budget is spent. */
int exec_some(struct warp *w, uint64_t budget);
/* Branches: the lanes of mask go to the target, the other active lanes to the next instruction;
 * they meet at in->reconv. */
int flow_branch(struct warp *w, const struct prog_inst *in, uint32_t mask);
/* Called after the sink has failed at instruction in; returns EXEC_FAULT. */
int exec_report_failed(struct warp *w, const struct prog_inst *in);
/* Continues with the next path, as the running one has ended or has no lanes left. Returns
 * EXEC_JUMP or EXEC_FAULT; active is 0 when no path is left. */
int flow_resume(struct warp *w);
/* The instruction where a lane is, for messages; NULL when it has exited. in: the instruction that
 * the running path executes. */
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
/* Continues in the caller, as all lanes that called the running frame's function have returned. */
int call_end(struct warp *w);
/* Opens a frame of func with zeroed registers, and runs it. */
int call_open(struct warp *w, struct prog_func *func, const struct prog_inst *in, uint32_t mask,
	      uint32_t stack);
/* Sets base pointers, SREG_SP and warp.func for the running frame. */
void call_enter(struct warp *w);

/* ---- syscall.c ---- */

/* Calls a function without a body. */
exec_fn exec_syscall;
/* Outputs what the CTA printed. */
void syscall_print(struct cta *c);

/* ---- launch.c ---- */

/* Allocates the storage of a CTA of r; needs cta_free also after a failure. */
int cta_new(struct cta *c, struct run *r);
void cta_free(struct cta *c);
/* Begins the CTA at c->xyz. */
int cta_begin(struct cta *c);
#define TICK (1u << 20) /* warp instructions between two calls of run_tick that report */

/* Reports the progress of the launch. True: it must stop, and r->stopped is set. */
bool run_report(struct run *r, uint64_t ctas_done, uint64_t insts);
/* The same, every TICK instructions. */
bool run_tick(struct run *r);
/* Gives each warp of c that can run a turn. 1: some ran; 0: none; -1: fault. */
int cta_round(struct cta *c, uint64_t slice);
/* Runs the CTA of that number from begin to end, and reports it to the sink. -1: it failed, or
 * waits for later CTAs (run.stuck.waits_for_later). */
int cta_run(struct cta *c, uint64_t index);
void sreg_fill32(struct warp *w, enum ptx_sreg r, uint32_t value);
void sreg_fill64(struct warp *w, enum ptx_sreg r, uint64_t value);
void sreg_clock(struct warp *w, uint64_t ticks); /* all clocks */

/* ---- coop.c ---- */

int coop_run(struct run *r); /* all CTAs of a cooperative launch */
/* Runs CTA first, which has begun and waits for later ones, and as many of those as are resident at
 * once. received: as for side_run. Returns how many ended; 0: the launch fails. The caller frees
 * first.
 */
uint64_t coop_join(struct run *r, struct cta *first, uint64_t received);

/* ---- side.c ---- */

/* Prepares to run the n CTAs in several threads; NULL: they cannot. Called before the first CTA,
 * which runs alone. */
struct side *side_new(struct run *r, uint64_t n);
/* Runs all other CTAs. SIDE_DONE: all have run. Otherwise memory and counts are as before, and the
 * sink has received the first *received CTAs. SIDE_IN_ORDER: all CTAs must run one after the other.
 * SIDE_ENDED: only those *received must, as the launch ends: the sink has failed, with r->e filled,
 * or r->stopped is set. */
enum { SIDE_DONE, SIDE_IN_ORDER, SIDE_ENDED };
int side_run(struct side *s, uint64_t *received);
void side_free(struct side *s); /* NULL is fine */

/* ---- barrier.c ---- */

struct barrier {
	uint64_t arrived;  /* warps, one bit each */
	uint64_t waiting;  /* those of them that wait */
	uint32_t expected; /* threads; 0: all of the CTA; valid while arrived is not 0 */
	uint32_t popc;
	bool all, any;
};

/* sub2 of bar.sync: it is barrier.cluster.wait. */
enum { BAR_CLUSTER = 1 };

exec_fn exec_bar_sync, exec_bar_arrive, exec_bar_red, exec_bar_warp;
void barrier_reset(struct cta *c);
/* Completes barriers that all others have reached, as a warp or some of its lanes have ended.
 * -1: fault. */
int barrier_exit(struct cta *c);
/* Reports a fault with the places at which warps wait, because none can run. */
int barrier_deadlock(struct cta *c);

/* ---- strand.c ---- */

/* Lanes of a strand. */
uint32_t strand_lanes(const struct warp *w, const struct flow *x);
/* Like exec_run, but splits the warp when lanes spin while others of their strand wait. */
int strand_run(struct warp *w, uint64_t budget);
/* Handles the result st of strand_run: EXEC_END when no strand is left, EXEC_LESS when one has
 * ended and another one runs. */
int strand_after(struct warp *w, int st);
/* Chooses a strand, as the running one waits. 1: another one runs; 0: all wait; -1: fault. */
int strand_turn(struct warp *w);
/* Makes the lanes of mask wait at a barrier that other lanes of the warp have not reached. *here:
 * all lanes that wait there. */
int strand_at_barrier(struct warp *w, const struct prog_inst *in, uint32_t mask, uint8_t id,
		      uint32_t *here);
/* Merges strands of w that are at the same place as the running one, after in, and wait in the same
 * way, into it. Returns those of their lanes that executed in. */
uint32_t strand_gather(struct warp *w, const struct prog_inst *in, uint8_t waits);
/* Executes fn for the lanes of mask, or first waits for the lanes that the member mask o names. */
int strand_sync(const struct prog_inst *in, struct warp *w, uint32_t mask, struct opnd o,
		exec_fn *fn);
/* Does the instruction read memory in a way that expects others to write it (a volatile or strong
 * load, an atomic operation)? */
bool strand_polls(const struct prog_inst *in);
/* Frees x and the strands after it; NULL is fine. */
void strand_free(struct flow *x);

/* ---- stuck.c ---- */

/* Can a CTA of the launch wait for another one by reading memory? */
bool stuck_may_wait(const struct run *r);
/* Starts watching a CTA, or all CTAs of a cooperative launch. */
void stuck_begin(struct run *r);
/* Called after each warp of the n CTAs at c, which are all that run, had a turn. EXEC_FAULT: none
 * of them can ever end, or, if run.stuck.waits_for_later is set, they wait for later CTAs. */
int stuck_round(struct run *r, struct cta *c, uint64_t n);
/* Have CTAs after the n at c not started yet? */
bool others_follow(const struct run *r, const struct cta *c, uint64_t n);
/* exec_some with checks for changes of memory. */
int stuck_run(struct warp *w, uint64_t budget);
/* Drops the saved state of a strand. */
void stuck_forget(struct flow *x);

/* ---- warpops.c ---- */

enum vote_mode { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };
enum shfl_mode { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };
enum redux_op { REDUX_ADD, REDUX_MIN, REDUX_MAX, REDUX_AND, REDUX_OR, REDUX_XOR };

/* sub: the mode; src: value, (b, c), member mask when there is .sync; dst: value, predicate */
exec_fn exec_vote, exec_match_any, exec_match_all, exec_activemask, exec_shfl, exec_redux,
	exec_elect;

#endif
