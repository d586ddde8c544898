/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace.h - the workload of the timing model: kernels, their CTAs, their warps, their instructions.
 *
 * A struct trace is constant once opened. Kernels carry their static instructions (one row per
 * program counter, pre-decoded); the dynamic stream of a warp is a list of 16-byte records that
 * point at them. CTAs are decoded on demand, pinned while they run and given back afterwards, so
 * a large trace needs little memory. The same CTA always decodes to the same records.
 */
#ifndef CTASCOPE_TRACE_H
#define CTASCOPE_TRACE_H

#include "ctascope/base.h"
#include "ctascope/err.h"

/* The class of a static instruction in the pipeline, as in the reference simulator's tables. */
enum op_class {
	OP_ALU,	    /* moves, conversions, votes, shuffles: integer latency */
	OP_INT,	    /* integer arithmetic */
	OP_SP,	    /* single precision */
	OP_HALF,    /* half precision: single-precision latency, half the interval */
	OP_SFU,	    /* MUFU */
	OP_DP,	    /* double precision */
	OP_BRANCH,  /* control flow with a unit of its own (Volta and later) */
	OP_TEX,	    /* texture with a unit of its own (Volta and later) */
	OP_TENSOR,  /* HMMA and friends */
	OP_UNIFORM, /* uniform datapath (Turing and later) */
	OP_LOAD,    /* from the memory `space` */
	OP_STORE,
	OP_ATOMIC,  /* ATOM, ATOMG, RED; ATOMS is OP_LOAD from SPACE_SHARED with INST_ATOMIC */
	OP_BARRIER, /* BAR */
	OP_MEMBAR,
	OP_EXIT,
	OP_DEPBAR, /* LDGDEPBAR/DEPBAR of Ampere: inst.imm = groups that may stay outstanding */
	OP_CLASSES
};

enum op_space { SPACE_NONE, SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONST, SPACE_TEX };

enum inst_flag {
	INST_BYPASS = 1, /* bypasses L1: a load with STRONG and GPU in its opcode, or an atomic */
	INST_ATOMIC = 2,
	INST_LDGSTS = 4,    /* global to shared copy */
	INST_HOLE_STOP = 8, /* reserved */
	INST_ARRIVES = 16,  /* BAR.ARV: arrives at the barrier and does not wait */
};

#define DEPBAR_CLOSES UINT8_MAX /* inst.imm of LDGDEPBAR: closes a group and does not wait */

#define INST_MAX_DST 4
#define INST_MAX_SRC 12

/* A static instruction. Register numbers are the trace's own (R255 is 255). */
struct inst {
	uint32_t pc;
	uint8_t cls;   /* enum op_class */
	uint8_t space; /* enum op_space, memory instructions only */
	uint8_t width; /* bytes per lane, from the opcode's suffix as the reference reads it */
	uint8_t flags; /* enum inst_flag */
	uint8_t n_dst, n_src;
	uint8_t imm; /* DEPBAR count, or DEPBAR_CLOSES */
	uint8_t pad;
	uint8_t dst[INST_MAX_DST];
	uint8_t src[INST_MAX_SRC];
	uint32_t file;	  /* index into trace_kernel.files plus 1; 0: unknown */
	uint32_t line;	  /* source line; 0: unknown */
	const char *text; /* opcode with suffixes and operands, "LDG.E.SYS R4, [R2]" */
};

enum addr_mode {
	ADDR_NONE,
	ADDR_STRIDE, /* addr[at] = address of the first active lane, addr[at+1] = stride in bytes
			(two's complement) per further active lane, up to the first hole in the mask
		      */
	ADDR_LIST    /* addr[at..at+31] = address per lane; 0 for a lane without one */
};

/* One dynamic warp instruction. */
struct winst {
	uint32_t inst; /* index of the static instruction */
	uint32_t mask; /* active lanes */
	uint32_t at;   /* index into cta_trace.addr */
	uint32_t mode; /* enum addr_mode */
};

struct wstream {
	const struct winst *rec;
	uint32_t n; /* records; 0 for a warp that the trace omits */
};

struct cta_trace {
	uint64_t id; /* position in the kernel's trace, 0-based: the order CTAs are issued in */
	uint32_t xyz[3];
	uint32_t n_warps;
	const struct wstream *warp;
	const uint64_t *addr;
};

struct trace_kernel {
	char name[256]; /* demangled or as found; shortened at the end with "..." */
	uint32_t id;	/* its number in the trace */
	uint32_t grid[3], block[3];
	uint32_t shmem;		 /* bytes per CTA */
	uint32_t regs;		 /* registers per thread */
	uint32_t binary_version; /* 70: Volta; ctascope-trace(5) lists them */
	uint64_t shmem_base, local_base;
	uint64_t stream; /* CUDA stream */
	uint64_t n_cta;
	uint32_t threads_per_cta, warps_per_cta;
	const struct inst *inst;
	uint32_t n_inst;
	const char *const *files; /* source files named by inst.file */
	uint32_t n_files;
	uint64_t warp_insts, thread_insts; /* whole kernel */
	uint64_t class_warp_insts[OP_CLASSES];
};

/* What a program does. A kernel is work of the stream that struct trace_kernel names, a copy of the
 * one that the last TRACE_COPY_STREAM before it names, 0 if there is none. Work of a stream is done
 * in order. The default stream waits for all blocking streams, and they wait for it. A trace whose
 * kernels are all of one stream has only kernels and copies. */
enum trace_cmd_kind {
	TRACE_KERNEL,
	TRACE_MEMCPY_H2D,
	TRACE_STREAM, /* what kind of stream it is; else 0 is the default stream, others block */
	TRACE_COPY_STREAM,  /* later copies are of that stream */
	TRACE_EVENT_RECORD, /* an event, numbered from 1 in this order, that comes after all work so
			       far of the stream */
	TRACE_STREAM_WAIT,  /* later work of the stream begins after the event */
	TRACE_HOST_STREAM,  /* the program waits for the stream, */
	TRACE_HOST_EVENT,   /* for an event, */
	TRACE_HOST_ALL,	    /* for all streams */
	TRACE_CMD_KINDS
};

enum trace_stream_kind { TRACE_STREAM_DEFAULT, TRACE_STREAM_BLOCKING, TRACE_STREAM_NONBLOCKING };

/* The program's actions in order. */
struct trace_cmd {
	enum trace_cmd_kind kind;
	uint32_t kernel; /* TRACE_KERNEL: index into trace_info.kernel */
	union {
		uint64_t addr;	      /* TRACE_MEMCPY_H2D */
		uint64_t event;	      /* TRACE_EVENT_RECORD, _STREAM_WAIT, _HOST_EVENT */
		uint64_t stream_kind; /* TRACE_STREAM */
	};
	union {
		uint64_t bytes;	 /* TRACE_MEMCPY_H2D */
		uint64_t stream; /* the others with a stream */
	};
};

struct trace_info {
	const char *path;
	const struct trace_kernel *kernel;
	uint32_t n_kernels;
	const struct trace_cmd *cmd;
	uint32_t n_cmds;
	uint64_t digest; /* of the content: the same for all files with the same kernels */
};

struct trace;

/* Opens a .ctr, a kernelslist.g or a single .traceg (plain, .xz, .gz, .zst), recognized by content.
 * Everything is validated: a damaged file is an error that names the place, never a shorter trace.
 */
struct trace *trace_open(const char *path, struct err *e);
void trace_close(struct trace *t); /* NULL is fine */
const struct trace_info *trace_info(const struct trace *t);

/* Decodes one CTA and pins it; the CTA is valid until trace_unpin. NULL with e filled when its
 * block of a .ctr is damaged (trace_open does not read it), or memory runs out. */
const struct cta_trace *trace_pin(struct trace *t, uint32_t kernel, uint64_t cta, struct err *e);
void trace_unpin(struct trace *t, uint32_t kernel, const struct cta_trace *c);

/* Expands the addresses of one record to 32 lanes (0: no access); returns the mask of lanes that
 * access. */
uint32_t trace_lanes(const struct cta_trace *c, const struct winst *w, uint64_t lane[WARP_SIZE]);

enum trace_stream_kind trace_stream_kind(const struct trace_info *t, uint64_t stream);
const char *trace_stream_kind_name(enum trace_stream_kind kind); /* "default", "blocking", ... */

const char *op_class_name(enum op_class c); /* "alu", "int", "sp", ... */

#endif
