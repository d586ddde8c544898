/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace_priv.h - struct kern, shared by the readers and writers of src/trace.
 *
 *   .traceg text --traceg.c--> struct ctabuf --codec.c--> bytes of one CTA, kept in struct kern
 *   .ctr file ---ctr_read.c--> bytes of one CTA
 *   bytes of one CTA --codec.c--> struct cta_trace, kept by trace.c while it is pinned
 *
 * A struct kern is one kernel, complete or not: its header, its static instructions and its encoded
 * CTAs. "Encoded" always means the byte string of codec.h, whether it is in memory (read from text,
 * built by calls) or in a block of a .ctr file.
 */
#ifndef TRACE_PRIV_H
#define TRACE_PRIV_H

#include "ctascope/trace.h"
#include "base/hash.h"
#include "base/strbuf.h"

/* Limits. A trace beyond one is an error, so that a damaged file cannot use up the memory. */
#define TRACE_MAX_STATIC (1u << 20) /* static instructions of a kernel */
#define TRACE_MAX_CTAS (1u << 26)   /* CTAs of a kernel */
#define TRACE_MAX_THREADS 2048	    /* threads of a CTA */
#define TRACE_MAX_WARPS (TRACE_MAX_THREADS / WARP_SIZE)
#define TRACE_CTA_BYTES (1ull << 30)	  /* one CTA, decoded: of text */
#define SPILL_BYTES (16ull << 20)	  /* of trace_writer_set_spill() */
#define TRACE_MAX_CTA_BYTES (16ull << 30) /* TRACE_MOST_CTA_MIB */
#define TRACE_MAX_COMMANDS (1u << 20)	  /* lines of a kernelslist.g */
#define TRACE_MAX_SHMEM (1u << 20)
#define TRACE_MAX_HEAD (1u << 16) /* bytes of a kernel's header */
#define TRACE_MAX_OPCODE 64	  /* bytes of an opcode with suffixes */

/* The compressed form that newer tracers write. */
#define TRACEZ_REFUSED                                                                        \
	"a .tracez is not supported: give ctascope the tracer's kernelslist with its .trace " \
	"files, "                                                                             \
	"or write text with 'post-traces-processing --text'"

/* How a record gives its addresses; the first three have the numbers that the text uses. */
enum text_mode { MODE_LIST, MODE_STRIDE, MODE_DELTA, MODE_NONE };

enum imm_kind { IMM_NONE, IMM_DEC, IMM_HEX };

/* What the text of a static instruction has beyond struct inst. Both together identify the row. */
struct inst_text {
	const char *op; /* opcode with suffixes, in kern.strings */
	uint32_t op_len;
	uint32_t mem_width; /* as written; 0: no memory operand */
	int64_t imm;
	uint8_t imm_kind;
	uint32_t mem_index; /* number among instructions with memory operands, without gaps */
};

#define NO_MEM UINT32_MAX

/* Details of a .traceg's layout, kept so that it can be written back byte for byte. */
enum text_style {
	STYLE_BLANK_END = 1, /* records end in a blank */
	STYLE_LIST_16 = 2,   /* list addresses have 16 digits */
	STYLE_BLANK_TAIL = 4 /* an empty line after the last #END_TB */
};

struct chunk; /* of the string pool */
struct ctr_blocks;

struct kern {
	struct trace_kernel pub; /* inst, files and counts are set by kern_finish */
	char *file;	    /* name in kernelslist.g without directory and compression suffix */
	struct strbuf head; /* the text before the first #BEGIN_TB, as found or as composed */
	uint32_t tracer_version;
	bool lineinfo;
	uint8_t style;

	struct inst *inst;
	struct inst_text *text;
	uint32_t n_inst, cap_inst, n_mem;
	uint32_t *slot; /* hash table of row numbers plus 1 */
	uint32_t n_slots;
	struct chunk *strings;
	const char **files;

	uint64_t *off; /* n_cta + 1: where each encoded CTA begins in the concatenation of all */
	uint64_t n_cta, cap_cta;
	uint8_t *seen; /* while building: one bit per CTA of the grid */
	uint64_t n_seen_bytes;
	struct strbuf blob;	   /* the concatenation, or empty when it is in a file */
	struct ctr_blocks *blocks; /* where it is in the file */
	struct hash content;	   /* of the encoded CTAs */
	uint64_t stored_content;   /* the hash that a .ctr states, if is_stored */
	bool is_stored;
	uint64_t digest;
};

/* Numbers of records, defined as in struct trace_kernel. */
struct kern_counts {
	uint64_t warp_insts, thread_insts;
	uint64_t class_warp_insts[OP_CLASSES];
};

/* A row to look up or to add. */
struct inst_key {
	uint32_t pc, line, file; /* file: number in kern.files plus 1; 0: unknown */
	const char *op;
	uint32_t op_len, mem_width;
	int64_t imm;
	uint8_t imm_kind, n_dst, n_src;
	uint8_t cls, space, flags; /* from op_find */
	uint8_t dst[INST_MAX_DST], src[INST_MAX_SRC];
};

/* ---- isa.c: opcodes ---- */

enum isa {
	ISA_NONE,
	ISA_KEPLER,
	ISA_PASCAL,
	ISA_VOLTA,
	ISA_TURING,
	ISA_AMPERE,
	ISA_HOPPER,
	ISA_BLACKWELL
};

#define SPACE_GENERIC 100 /* space of an op_row: the addresses decide */
#define SPACE_SURFACE 101
#define SPACE_BARRIER 102 /* of an mbarrier: shared memory, if the trace gives addresses */

/* The binary versions that isa_of knows, for messages. */
#define BINARY_VERSIONS                                                                       \
	"35 (Kepler), 60 or 61 (Pascal), 70 (Volta), 75 (Turing), 80, 86 or 87 (Ampere), 89 " \
	"(Ada), "                                                                             \
	"90 (Hopper), 100, 103, 110, 120 or 121 (Blackwell)"

enum isa isa_of(uint32_t binary_version);
/* Sets class, space and flags of key; false when the architecture has no such opcode. */
bool op_find(enum isa isa, const char *op, uint32_t op_len, struct inst_key *key);
/* What an opcode that the model does not have is, or NULL. */
const char *op_refused(const char *op, uint32_t op_len);
/* Reports why op_find did not find the opcode; -1. */
int op_unknown(uint32_t version, const char *op, uint32_t op_len, struct err *e);
/* The opcode of that architecture that is spelled most like op, or NULL. */
const char *op_nearest(enum isa isa, const char *op, uint32_t op_len);
uint8_t op_width(const char *op, uint32_t op_len);
/* inst.imm of an instruction of class OP_DEPBAR. */
uint8_t op_depbar(const char *op, uint32_t op_len, int64_t imm);
/* Replaces SPACE_GENERIC, SPACE_SURFACE and SPACE_BARRIER by the space that the first address is
 * in; -1: a memory opcode has no memory operand. */
int op_resolve(const struct trace_kernel *k, struct inst_key *key, bool any_lane, uint64_t first);

/* ---- kern.c: one kernel ---- */

struct kern *kern_new(void);
void kern_free(struct kern *k);
/* A copy of n bytes that lives as long as k, or NULL. */
const char *kern_string(struct kern *k, const char *p, size_t n);
/* Number of the row equal to key, added when new; -1 when memory runs out, -2 beyond the limit. */
int64_t kern_intern(struct kern *k, const struct inst_key *key);
int64_t kern_find(const struct kern *k, const struct inst_key *key); /* -1: no such row */
/* Gives row i the number order[i] - 1; order has each number once. -1 when memory runs out. */
int kern_order_rows(struct kern *k, const uint32_t *order);
void kern_add_counts(struct kern *k, const struct kern_counts *n); /* they are the kernel's */
int kern_set_dims(struct kern *k, struct err *e); /* derived fields of pub; checks the limits */
/* Notes that the kernel has this CTA; 0, -1 when memory runs out, 1 when it was noted before. */
int kern_mark_cta(struct kern *k, uint64_t linear);
/* Appends an encoded CTA to off[] and to the content hash; if keep, to the blob as well. */
int kern_append_cta(struct kern *k, const void *p, size_t n, bool keep);
uint64_t kern_content_hash(const struct kern *k); /* hash of the CTAs */
int kern_finish(struct kern *k, struct err *e); /* texts, digest; frees what only building needs */
void kern_set_name(struct kern *k, const char *name, size_t n);
/* Adds everything but the CTAs to a digest. */
void kern_hash_head(const struct kern *k, struct hash *h);
/* Composes head from the fields, in the form in which the tracer writes it. */
void kern_compose_head(struct kern *k, const char *full_name);
/* Checks that every active lane of a global atomic has an address, since the warp waits for an
 * answer to each; -1: e names the lane that has none. */
int kern_check_atomics(const struct kern *k, const struct cta_trace *c, struct err *e);
uint32_t kern_lanes(const struct kern *k, uint32_t warp); /* mask of the threads of that warp */

#endif
