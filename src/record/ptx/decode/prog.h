/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prog.h - a function ready to run, and a warp that runs it. This is the interface between the
 * decoders (decode_*.c), the instructions (alu_*.c, ldst.c, ...) and the machine that steps warps
 * (exec.c).
 *
 * A vector holds the 32 lanes of one value: uint32_t[32] for types of up to 4 bytes (8- and 16-bit
 * values zero-extended, f16x2 unchanged), uint64_t[32] for 8-byte types, one uint32_t of bits for a
 * predicate. Every operand is a vector, including immediates and special registers, so an
 * instruction is a loop over lanes that compilers vectorize. Vectors lie at an offset from one of
 * three bases of the warp: the frame of the running function, the function's constants, the warp's
 * special registers.
 *
 * An instruction that cannot fault computes all 32 lanes (garbage in inactive lanes is harmless)
 * and stores those of its mask; one that can fault touches only the lanes of its mask.
 */
#ifndef PTX_PROG_H
#define PTX_PROG_H

#include "base/strbuf.h"
#include "record/ptx/parse/ast.h"
#include "record/ptx/ptx.h"
#include "record/ptx/parse/types.h"

struct prog;
struct prog_func;
struct prog_inst;
struct sass_list;
struct warp;
struct cta;
struct run;

enum opnd_base { BASE_FRAME, BASE_CONST, BASE_SREG, OPND_BASES };

struct opnd {
	uint32_t off;  /* bytes from the base */
	uint8_t base;  /* enum opnd_base */
	uint8_t bytes; /* per lane: 4, 8; 0: predicate; 0xff: no operand (_ or absent) */
	uint16_t reg; /* BASE_FRAME: register of the function, index into ast_func.reg (for vectors:
			 plus prog_func.reg_slot); 0xffff otherwise */
};

#define OPND_NONE 0xff

enum exec_status {
	EXEC_NEXT, /* continue with the next instruction */
	EXEC_JUMP, /* pc was set */
	EXEC_WAIT, /* the warp waits (barrier); pc is past the instruction */
	EXEC_FAULT = -1
};

/* Executes the instruction for the lanes of mask, which is never 0 and includes the guard. */
typedef int exec_fn(const struct prog_inst *in, struct warp *w, uint32_t mask);

enum prog_flag {
	PF_GUARD = 1,	  /* executed where guard is true */
	PF_GUARD_NOT = 2, /* ... is false */
	PF_FTZ = 4,
	PF_SAT = 8,
	PF_APPROX = 16,
	PF_WIDE = 32, /* .wide; PF_HI: .hi */
	PF_HI = 64,
	PF_CC_OUT = 128, /* writes the carry (.cc); PF_CC_IN reads it */
	PF_CC_IN = 256,
	PF_UNI = 512, /* bra.uni, call.uni; bar, barrier.aligned: all lanes of a warp together */
	PF_VOLATILE = 1024,
	PF_NAN = 2048, /* min.NaN; PF_XORSIGN: min.xorsign.abs */
	PF_XORSIGN = 4096,
	PF_SHIFTAMT = 8192, /* bfind.shiftamt; shf.wrap */
	PF_ABS = 16384,
	PF_SILENT = 32768 /* leaves no record in a trace: ld.param, cvta, .. (sass.c) */
};

/* What the step loop must handle before it calls fn. */
enum prog_slow {
	SLOW_GUARD = 1, /* has a guard, PF_GUARD or PF_GUARD_NOT */
	SLOW_GUARD_NOT = 2,
	SLOW_BRANCH = 4, /* all active lanes execute it; the guard only decides where they go */
	SLOW_CLOCK = 8	 /* reads a clock */
};

enum prog_round {
	RND_NONE,
	RND_RN,
	RND_RZ,
	RND_RM,
	RND_RP,
	RND_RNI,
	RND_RZI,
	RND_RMI,
	RND_RPI,
	RND_RNA
};

struct prog_inst {
	exec_fn *fn;
	uint16_t op;	/* enum ptx_op */
	uint16_t flags; /* enum prog_flag */
	uint8_t type;	/* enum ptx_type the operation works on (of cvt, set: of the result) */
	uint8_t type2;	/* of cvt, set, slct, tex: of the source; of dp4a: of b; of mul.wide: result
			 */
	uint8_t space;	/* enum ptx_space of memory instructions; SP_NONE is generic */
	uint8_t vec;	/* elements of a vector access: 1, 2, 4, 8 */
	uint8_t sub;	/* comparison, atomic operation, mode: private to the decoder and fn */
	uint8_t sub2;	/* combination of setp.and ..: the same */
	uint8_t rnd;	/* enum prog_round */
	uint8_t n_dst, n_src;
	uint8_t slow; /* enum prog_slow, set by flow.c for exec.c; 0: only call fn */
	uint8_t pad[2];
	struct opnd guard;
	struct opnd dst[5];
	struct opnd src[6];
	int64_t imm;	 /* displacement of an address; lop3 table; constant byte count; ... */
	uint32_t target; /* bra: instruction; call: function, or PROG_NONE: indirect; brx: table */
	uint32_t reconv; /* bra, brx: instruction where the paths meet again (immediate
			    post-dominator); PROG_NONE: only at the end of the function */
	uint32_t ext;	 /* index of more operands (call: prog_func.call; matrices: prog_func.more),
			    else PROG_NONE */
	uint32_t line;	 /* of the PTX */
	uint32_t src_file, src_line; /* as in ast_inst */
};

#define PROG_NONE UINT32_MAX

/* Nested calls of recursive functions for which a thread's stack has room (local_bytes of a
 * kernel). */
#define PROG_MAX_DEPTH 96

/* One call site: the places of arguments and results in the caller's thread stack or registers. */
struct prog_call {
	uint32_t n_arg, n_ret;
	struct prog_arg {
		struct opnd value;   /* a register; bytes OPND_NONE: it is memory */
		uint32_t off, bytes; /* in the caller's stack frame */
	} * arg, *ret;
	struct opnd callee; /* indirect: register with the function's address */
	uint32_t table;	    /* indirect: ast_func.table of possible targets, or PROG_NONE */
};

/* The registers of up to four matrices; n[] is the number of registers of each. */
enum { MAT_D, MAT_A, MAT_B, MAT_C, MATS };
#define MAT_REGS 8

struct prog_more {
	uint8_t n[MATS];
	struct opnd o[MATS][MAT_REGS];
};

struct prog_func {
	const char *name;
	const struct ast_func *ast;
	struct prog_inst *inst;
	uint32_t n_inst;
	const struct err *bad; /* why the function cannot run (n_inst is 0 then); NULL: it can */
	uint32_t frame_bytes;  /* vectors of its registers */
	/* The frame offset of each register of ast->reg. The elements of a vector register follow
	 * its .x. */
	uint32_t *reg_off;
	uint8_t *consts; /* constant vectors */
	uint32_t const_bytes;
	uint32_t stack_bytes; /* of the thread's local memory: .local, .param variables and
				 arguments */
	/* The offset of each ast->var: in the stack frame (.local, .param), in the CTA's shared
	 * memory, or in a kernel's parameter block. */
	uint32_t *var_off;
	uint64_t *var_addr;  /* of each ast->var in .global or .const, once loaded */
	uint32_t dyn_shared; /* where dynamic shared memory starts, for a function that uses it */
	struct prog_call *call; /* room for every call instruction; n_call are in use */
	uint32_t n_call;
	struct prog_more *more; /* room for those that prog_has_more; n_more are in use */
	uint32_t n_more;
	uint8_t *narrow; /* from narrow.c, of each register of ast->reg: 64 bits of which only the
			    low half counts */
	uint32_t *fused; /* from fuse.c, of each instruction: PROG_NONE; or the earlier one whose
			    work it does as well; or itself: later ones do its work */
	struct sass_list *sass; /* from sass.c; NULL until it is first needed */
	uint8_t collisions;	/* launches in which CTAs in parallel collided in memory (side.c) */
	/* from live.c */
	uint8_t *phys; /* machine register of each register of ast->reg (64-bit ones: the even one
			  of a pair; predicates: 255) */
	uint32_t regs; /* 32-bit machine registers needed */
	uint32_t stack_align; /* from flow.c: of the stack frame, at least 16 */
	uint32_t param_off,
		param_bytes; /* formal parameters and results in the stack frame (functions) */
};

/* A constant vector (8 bytes per lane, or 4) of func that holds the address of a .global or .const
 * variable plus addend: known when the module is loaded. */
struct prog_fixup {
	uint32_t func, off, bytes; /* off: in prog_func.consts */
	uint32_t var;		   /* index into ast->var; local: of the function's own variables */
	bool local;
	int64_t addend;
};

/* A module that is ready to run; struct ptx_module of ptx.h. */
struct ptx_module {
	struct ast_module *ast;
	struct prog_func *func; /* as ast->func; undefined ones have no instructions */
	struct ptx_kernel *kernel;
	uint32_t *kernel_func; /* index into func */
	uint32_t n_kernels;
	uint32_t shared_bytes; /* of module-scope shared variables */
	uint64_t *var_addr;    /* of ast->var: shared: offset; global, const: address once loaded */
	struct prog_fixup *fixup;
	uint32_t n_fixup;
	struct ptx_device *device; /* the device that it is loaded on; NULL: none */
	uint32_t generation;	   /* of its machine instructions (sass.h) */
	void *mem;
};

/* module.c: decodes and analyses everything; a becomes the module's, also on failure. */
struct ptx_module *prog_build(struct ast_module *a, struct err *e);
/* module.c: zeroed memory that the module owns and frees with itself (call[].arg and .ret, phys,
 * ...); NULL with e filled. */
void *prog_alloc(struct ptx_module *m, size_t bytes, struct err *e);

#define PLACE_TEXT 300 /* bytes, of a place with a few files */
/* place.c: where the instruction is in the source, with the places that it was inlined at; false:
 * not known. */
bool prog_place(const struct ptx_module *m, const struct prog_inst *in, char *buf, size_t size);
/* The same of the instruction of f in that line of the PTX, or of the next one that has a place. */
bool prog_place_of_line(const struct ptx_module *m, const struct ast_func *f, uint64_t line,
			char *buf, size_t size);

/* Whether the instruction has registers in prog_func.more: matrices, the elements of sust, and
 * accesses of 32 bytes (ldst32.c). */
static inline bool
prog_has_more(const struct prog_inst *in)
{
	bool access = in->op == PTX_ld || in->op == PTX_ldu || in->op == PTX_st;

	return in->ext != PROG_NONE &&
	       (in->op == PTX_mma || in->op == PTX_wmma || in->op == PTX_sust || access);
}

/* ---- for the decoders: decode.c ---- */

struct decode {
	struct ptx_module *m;
	struct prog_func *f;
	const struct ast_inst *a; /* the instruction being decoded */
	struct err *e;
	uint32_t used; /* a bit for each word of a that a decoder knew */
	void *more;    /* private to decode.c */
};

/* A decoder fills in the instruction from d->a; all fields but guard, line and op are 0. Returns -1
 * with d->e. */
typedef int decode_fn(struct decode *d, struct prog_inst *in);
decode_fn decode_alu, decode_cvt, decode_mem, decode_tex, decode_warp, decode_ctl, decode_mma,
	decode_async, decode_surf, decode_cluster;

/* Reports an error at the instruction's line: "add.u32: expected ..., found ...". Returns -1. */
int decode_error(struct decode *d, const char *fmt, ...) ATTR_PRINTF(2, 3);
/* Reports "not supported: ..., known are ...". Returns -1. */
int decode_unsupported(struct decode *d, const char *what);

/* Whether the instruction has the modifier, which is then used. A modifier that no decoder uses is
 * an error. */
bool decode_has(struct decode *d, enum ptx_word w);
/* Returns the k-th type among the modifiers, from 0; TY_NONE if there are fewer. */
enum ptx_type decode_type(struct decode *d, uint32_t k);
enum ptx_space decode_space(struct decode *d); /* SP_NONE: none given */
enum prog_round decode_round(struct decode *d);
/* Returns the index of the one of n words that the instruction has, or -1. */
int decode_one_of(struct decode *d, const enum ptx_word *w, uint32_t n);

const struct ast_opnd *decode_opnd(struct decode *d,
				   uint32_t k); /* k-th operand; NULL: not there */
const struct ast_opnd *decode_elem(struct decode *d, const struct ast_opnd *o, uint32_t k);
/* Decodes an operand as a value of type t: a register of its size (checked: "expected a 32-bit
 * register"), a special register, an immediate (converted to t), the address of a variable or
 * function. */
int decode_value(struct decode *d, const struct ast_opnd *o, enum ptx_type t, struct opnd *out);
/* Decodes an operand as a destination of type t: a register or _ (bytes OPND_NONE). wider: the
 * register may be wider than t, as for ld, st and cvt. */
int decode_dst(struct decode *d, const struct ast_opnd *o, enum ptx_type t, bool wider,
	       struct opnd *out);
int decode_wider(struct decode *d, const struct ast_opnd *o, enum ptx_type t,
		 struct opnd *out); /* source */
int decode_pred(struct decode *d, const struct ast_opnd *o, struct opnd *out, bool *negated);
/* Decodes [base + disp]: base is a vector of addresses (4 or 8 bytes each). */
int decode_address(struct decode *d, const struct ast_opnd *o, struct opnd *base, int64_t *disp,
		   const struct ast_var **var);
/* Creates a constant vector of 4 or 8 bytes per lane, all lanes equal. */
int decode_const(struct decode *d, uint64_t bits, uint32_t bytes, struct opnd *out);
int decode_count(struct decode *d, uint32_t min, uint32_t max); /* number of operands */

/* ---- a warp: exec.c ---- */

struct warp {
	uint8_t *base[OPND_BASES];
	uint32_t active; /* lanes of the path being executed */
	uint32_t live;	 /* lanes that have not exited */
	uint32_t carry;	 /* CC.CF of each lane */
	uint32_t id;	 /* in the CTA */
	struct prog_func *func;
	uint32_t pc; /* next instruction of func */
	struct cta *cta;
	uint8_t *local;	      /* local memory, lane after lane */
	uint32_t local_bytes; /* of one lane */
	uint32_t local_top;   /* bytes of it that this CTA may have written; the rest is 0 */
	uint32_t stack; /* offset of the running function's stack frame in a lane's local memory */
	/* What a memory instruction accessed, for the sink: generic addresses of the lanes in
	 * addr_mask. addr_even: a full warp with a constant distance between lanes; only the first
	 * address is stored. */
	uint32_t addr_mask;
	bool addr_even;
	int32_t addr_step;
	uint64_t addr[2 * WARP_SIZE]; /* second half: of a copy, where it goes to */
	struct flow *flow;	      /* exec.c: reconvergence stack and calls */
	bool is_split;		      /* its lanes have separated (strand.c) */
	/* barrier.c: an aligned barrier at which lanes wait, and those that pass by it if they do
	 * not reach it later */
	const struct prog_inst *apart_from;
	uint32_t apart;
};

struct cta {
	struct run *run;
	uint32_t xyz[3];
	uint64_t index;
	uint8_t *shared;
	uint32_t shared_bytes; /* static, dynamic and reserved */
	uint32_t reserved;     /* start of the reserved part: %reserved_smem_offset_begin */
	struct warp *warp;
	uint32_t n_warps, alive; /* warps that have not ended */
	struct shadow
		*shadow; /* the last accesses of shared memory (check.c); NULL: it is not checked */
	struct barrier *barrier; /* barrier.c */
	struct strbuf printed;	 /* syscall.c */
};

#define RUN_HINTS 16u

struct stuck {			     /* stuck.c; times in warp instructions of the launch */
	bool watching;		     /* the CTAs are being examined */
	bool reads_host;	     /* memory was read that the host may write */
	bool waits_for_later;	     /* the CTAs wait for later ones */
	uint32_t rounds, left;	     /* how long to examine */
	uint32_t slept;		     /* sleeps of this CTA, to wait for the host */
	uint64_t began, next, round; /* next: when to start; round: when the last round ended */
	uint64_t changed;	     /* when memory last changed */
};

/* Instructions of a loop that waits for a clock (spin.c), at most. */
#define SPIN_BODY 64u
/* sub2 of the mov that reads the clock of such a loop */
enum { CLOCK_OF_SPIN = 1 };

struct clock {			    /* clock.c */
	uint64_t ahead;		    /* ticks by which the clock runs ahead of the instructions */
	const struct prog_inst *in; /* the loop that waits now: where it reads the clock */
	const struct warp *warp;
	uint64_t began, last; /* the clock at its first round; warp instructions at its last one */
	uint32_t rounds;
};

struct run { /* one launch */
	struct ptx_device *device;
	const struct ptx_launch *launch;
	struct ptx_module *module;
	struct prog_func *entry;
	uint64_t param_addr; /* the parameter block in constant memory */
	uint64_t workspace;  /* for a cooperative grid; 0: the grid is not cooperative */
	struct ptx_counts n; /* always current, since mov of %clock reads it */
	struct clock clock;
	const struct ptx_sink *sink; /* NULL: there is no sink */
	struct claim *claim;	     /* claim.h; NULL: CTAs run one after the other */
	struct global_check *global; /* global.h; NULL: global memory is not checked */
	struct stuck stuck;
	bool may_wait;		  /* the kernel reads memory that other CTAs may write meanwhile */
	bool at_once;		  /* several CTAs are resident and take turns: coop.c */
	uint64_t ctas_done, tick; /* finished CTAs; when to report them next */
	bool stopped;		  /* progress requested the end of the launch */
	bool beside;		  /* a thread of side.c: what it finds is found again, in order */
	/* The block of memory that an instruction found last: devmem_hint. */
	uint32_t hint[RUN_HINTS];
	struct err *e;
};

static inline void *
vec(const struct warp *w, struct opnd o)
{
	return w->base[o.base] + o.off;
}

static inline const uint32_t *
vec32(const struct warp *w, struct opnd o)
{
	return (const uint32_t *)(const void *)(w->base[o.base] + o.off);
}

static inline const uint64_t *
vec64(const struct warp *w, struct opnd o)
{
	return (const uint64_t *)(const void *)(w->base[o.base] + o.off);
}

static inline uint32_t
vec_pred(const struct warp *w, struct opnd o)
{
	return *(const uint32_t *)(const void *)(w->base[o.base] + o.off);
}

/* Stores those bits of a predicate that are in mask. */
static inline void
vec_set_pred(const struct warp *w, struct opnd o, uint32_t bits, uint32_t mask)
{
	uint32_t *p = vec(w, o);

	*p = (*p & ~mask) | (bits & mask);
}

/* clock.c: the clock of the launch; and what instruction in, a mov of the clock, reads. */
uint64_t clock_now(const struct run *r);
uint64_t clock_read(struct warp *w, const struct prog_inst *in);

/* Ends the launch: fills run->e with fmt, kernel, CTA, thread of lane (-1: the warp), PTX and
 * source line. Returns EXEC_FAULT. */
#define exec_fault(w, in, lane, ...) exec_fault_of(ERR_OTHER, w, in, lane, __VA_ARGS__)
int exec_fault_of(enum err_kind kind, struct warp *w, const struct prog_inst *in, int lane,
		  const char *fmt, ...) ATTR_PRINTF(5, 6);

exec_fn exec_nop;

#endif
