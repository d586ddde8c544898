/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ast.h - a parsed PTX text: names are resolved, instructions are not interpreted.
 *
 * The module owns flat arrays of all parts; references are indices. Nested blocks of a function are
 * flattened: a register or variable of an inner scope is one more entry, so a name may occur twice.
 * Labels are instruction indices.
 *
 * - func.reg holds a register from its first use on; unused registers of "%r<100>" have no entry.
 * - Parameters in registers (.reg): the i-th variable of func.var in space SP_REG is register i of
 *   func.reg.
 * - call has 3 or 4 operands in every spelling: AST_LIST of results (n_elem 0: none), callee
 *   (AST_FUNC or AST_REG), AST_LIST of arguments, and AST_PROTO or AST_TABLE if the text has one.
 *   Elements of the lists: AST_VAR (a .param variable), AST_REG, AST_INT, AST_FLOAT, AST_SINK.
 * - A function gets a ret at its end if control can reach the end, or a jump leads there.
 * - [a + 8]: the AST_ADDR has bits 8, and its one element has bits 0.
 * - [16]: the element of the AST_ADDR is AST_INT with bits 16.
 * - Coordinates of tex: the element of AST_TEXADDR is AST_VEC or one scalar.
 * - %envreg0, %pm0 and the others of their kind have their number in bits of AST_SREG.
 * - WARP_SZ is AST_INT with bits 32.
 */
#ifndef PTX_AST_H
#define PTX_AST_H

#include "ctascope/err.h"
#include "record/ptx/parse/types.h"

/* Modifiers: the words after the dots of an instruction. words.def has a row WORD(id, "text") for
 * each: "ftz" is W_ftz, "L1::evict_last" is W_l1_evict_last, ".shared::cta" is W_shared. Types are
 * words too (see ast_word_type). */
enum ptx_word {
	W_NONE,
#define WORD(id, text) W_##id,
#include "record/ptx/parse/words.def"
#undef WORD
	PTX_WORDS
};

enum ptx_type ast_word_type(enum ptx_word w);	/* TY_NONE: not a type */
enum ptx_space ast_word_space(enum ptx_word w); /* SP_NONE: not a space */
const char *ast_word_text(enum ptx_word w);	/* without the dot */

enum ast_kind {
	AST_NONE,
	AST_REG,   /* index into func.reg; comp picks an element of a vector register */
	AST_SREG,  /* index: enum ptx_sreg */
	AST_INT,   /* bits: two's complement 64 bit */
	AST_FLOAT, /* bits: those of the double, or of the float if is_f32 (0f3F800000) */
	AST_VAR,   /* address of a variable: index into func.var (local) or module.var, plus bits */
	AST_FUNC,  /* index into module.func */
	AST_LABEL, /* index: instruction */
	AST_TABLE, /* index into func.table: .branchtargets or .calltargets */
	AST_PROTO, /* index into func.proto: .callprototype */
	AST_ADDR,  /* [elem + bits]: elem is one operand, REG, VAR, INT or SREG */
	AST_VEC,   /* {a, b, c, d}: n_elem operands */
	AST_LIST,  /* (a, b, ...) of call */
	AST_PAIR,  /* p|q: two operands, REG or SINK */
	/* [texture, {coordinates}] of tex has two elements, [texture, sampler, {coordinates}]
	 * three; the coordinates are AST_VEC or a scalar. */
	AST_TEXADDR,
	AST_SINK /* _ */
};

struct ast_opnd {
	uint8_t kind; /* enum ast_kind */
	uint8_t comp; /* 0: whole; 1 to 4: .x .y .z .w */
	/* The part of a register that a video instruction selects: 0: all of it; 1 to 4: .b0 to
	 * .b3; 5, 6: .h0, .h1. */
	uint8_t sel;
	bool negate; /* -a or !p */
	bool local;  /* AST_VAR: the variable belongs to the function, not to the module */
	bool is_f32;
	uint16_t n_elem; /* number of its operands, which start at module.opnd[elem] */
	uint32_t elem;
	uint32_t index;
	int64_t bits;
};

#define AST_MAX_WORDS 12

struct ast_inst {
	uint16_t op; /* enum ptx_op */
	uint8_t n_word;
	uint16_t word[AST_MAX_WORDS]; /* enum ptx_word */
	bool guard_not;
	int32_t guard; /* predicate register, index into func.reg; -1: none */
	uint16_t n_opnd;
	uint32_t opnd;	   /* index of the first operand in module.opnd */
	uint32_t line;	   /* line of the PTX text, from 1 */
	uint32_t src_file; /* index into module.file plus 1; 0: unknown */
	uint32_t src_line;
	uint32_t src_call; /* index into module.loc plus 1: the place that the function with this
			      line was inlined at; 0: it was not */
};

/* A place that a function was inlined at. */
struct ast_loc {
	uint32_t file; /* as ast_inst.src_file */
	uint32_t line, column;
	uint32_t call; /* as ast_inst.src_call */
};

struct ast_reg {
	const char *name;
	uint8_t type; /* enum ptx_type, with .bN as the text has it */
	uint8_t vec;  /* 1, 2, 4 */
};

/* One initialized word of a variable that holds the address of a variable or function. */
struct ast_reloc {
	uint32_t offset; /* bytes into the variable */
	uint8_t size;	 /* bytes stored: 1 .. 8 */
	uint8_t shift;	 /* from mask(): low bits dropped before storing */
	bool generic;	 /* generic(name) */
	bool is_func;
	uint32_t index; /* into module.var or module.func */
	int64_t addend;
};

struct ast_var {
	const char *name;
	uint8_t space; /* enum ptx_space */
	uint8_t type;
	uint8_t vec;
	bool is_extern; /* .extern .shared: dynamic shared memory */
	bool visible;
	bool is_ptr;	/* kernel parameter with .ptr */
	uint32_t align; /* bytes, at least the alignment of the type */
	uint64_t bytes; /* 0: unsized ([]) */
	uint8_t *init;	/* bytes, or NULL: zero */
	struct ast_reloc *reloc;
	uint32_t n_reloc;
	uint32_t line;
};

struct ast_table { /* .branchtargets (labels) or .calltargets (functions) */
	const char *name;
	uint32_t n;
	uint32_t *index;
	bool calls;
};

struct ast_func {
	const char *name;
	bool entry, defined, noreturn;
	uint32_t line;
	/* The first n_ret variables are return values, the next n_param are parameters; then come
	 * .local, .shared and .param variables, and .const and .global ones of the function. */
	uint32_t n_ret, n_param;
	struct ast_var *var;
	uint32_t n_var;
	struct ast_reg *reg;
	uint32_t n_reg;
	struct ast_inst *inst;
	uint32_t n_inst;
	struct ast_table *table;
	uint32_t n_table;
	struct ast_func *proto; /* .callprototype: n_ret, n_param, var */
	uint32_t n_proto;
	uint32_t maxntid[3], reqntid[3], minnctapersm, maxnreg;
	const struct err *bad; /* names the unknown instruction of the function; NULL: none */
};

struct ast_file { /* .file */
	uint32_t id;
	const char *name;
};

struct ast_module {
	const char *name; /* name of the PTX, for messages */
	char *text;	  /* a copy of the PTX whose lines end in '\n' */
	size_t text_bytes;
	uint32_t version;     /* 10 * major + minor */
	uint32_t sm;	      /* 20 .. 100 */
	uint32_t addr_bytes;  /* 4 or 8 */
	bool reserved_shared; /* the text reads the place of the reserved shared memory */
	struct ast_opnd *opnd;
	uint32_t n_opnd;
	struct ast_var *var;
	uint32_t n_var;
	struct ast_func *func;
	uint32_t n_func;
	struct ast_file *file;
	uint32_t n_file;
	struct ast_loc *loc;
	uint32_t n_loc;
	void *mem; /* owns all names and arrays */
};

/* NULL with e filled (file, line, caret) if the text is invalid, or if none of its kernels can
 * run. */
struct ast_module *ast_parse(const char *name, const char *text, size_t n, struct err *e);
void ast_free(struct ast_module *a);
/* Writes a line of the PTX text without newline, for messages; "" if there is no such line. */
void ast_line(const struct ast_module *a, uint32_t line, char *buf, size_t size);

#endif
