/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parse.h - private to the parser: its state, and the functions that its files share.
 *
 * parse.c reads a module, parse_var.c declarations of variables, parse_func.c functions,
 * parse_inst.c instructions, parse_expr.c constant expressions; names.c resolves names, and
 * parse_util.c has the functions that all of them use. Functions return -1 with the error filled;
 * the first mistake ends the parse.
 */
#ifndef PTX_PARSE_H
#define PTX_PARSE_H

#include "record/ptx/parse/lex.h"

/* Words that are directives; a word may be a modifier of instructions too. */
#define PARSE_DIRS(DIR)    \
	DIR(version)       \
	DIR(target)        \
	DIR(address_size)  \
	DIR(file)          \
	DIR(loc)           \
	DIR(section)       \
	DIR(visible)       \
	DIR(weak)          \
	DIR(extern)        \
	DIR(common)        \
	DIR(global)        \
	DIR(const)         \
	DIR(shared)        \
	DIR(local)         \
	DIR(param)         \
	DIR(reg)           \
	DIR(tex)           \
	DIR(entry)         \
	DIR(func)          \
	DIR(alias)         \
	DIR(pragma)        \
	DIR(align)         \
	DIR(ptr)           \
	DIR(attribute)     \
	DIR(maxntid)       \
	DIR(reqntid)       \
	DIR(minnctapersm)  \
	DIR(maxnctapersm)  \
	DIR(maxnreg)       \
	DIR(noreturn)      \
	DIR(branchtargets) \
	DIR(calltargets)   \
	DIR(callprototype)

enum parse_dir {
	DIR_none,
#define DIR(name) DIR_##name,
	PARSE_DIRS(DIR)
#undef DIR
		PARSE_N_DIRS
};

#define PARSE_MAX_DEPTH 64	   /* nested scopes, braces, parentheses */
#define PARSE_MAX_RANGE (1u << 20) /* registers of one "%r<n>" */
#define PARSE_MAX_OPNDS 256	   /* operands of an instruction, arguments of a call, parameters */
#define PARSE_MAX_INIT (1ull << 28) /* initialized bytes of a module */

/* A growing array. It has its own memory until list_keep copies it into the module's. */
struct list {
	void *p;
	uint32_t n, cap;
};

enum bind_kind { BIND_REG, BIND_VAR, BIND_FUNC, BIND_LABEL, BIND_TABLE, BIND_PROTO };

/* What a name means from its declaration to the end of its scope. */
struct binding {
	struct atom *atom;
	struct binding *outer; /* the binding that it hides */
	struct binding *next;  /* in the list of the scope, or in that of free bindings */
	uint32_t depth;	       /* of the scope; 0: module */
	uint32_t line;
	uint32_t index; /* REG: PARSE_UNUSED until used */
	uint32_t count; /* of a range "%r<count>"; 0: a plain name */
	uint8_t kind;
	uint8_t type, vec; /* REG */
	bool local;	   /* VAR */
	bool ranged;	   /* REG: one of a range */
};

#define PARSE_UNUSED UINT32_MAX
/* Special registers that always hold 0 or 1: they become AST_INT. */
#define PARSE_SREG_0 PTX_SREGS
#define PARSE_SREG_1 (PTX_SREGS + 1)
#define PARSE_PENDING 255 /* ast_opnd.kind: a name not known yet; index: into parser.pend */

struct scope {
	struct binding *first;
	uint32_t pend; /* names in parser.pend from here on were used in it */
};

/* What a name must stand for where it is used. */
enum want { WANT_ANY, WANT_LABEL, WANT_JUMP, WANT_FUNC, WANT_CALL };

/* A name used before it was declared, and the place to fill in once it is. */
struct pending {
	struct atom *atom;
	struct tok tok; /* for messages */
	uint8_t want;	/* enum want */
	uint32_t opnd;	/* of module.opnd; PARSE_UNUSED: one of those below */
	uint32_t *slot; /* element of a table */
	struct ast_reloc *reloc;
};

struct parser {
	struct lex lex;
	struct tok t;	 /* the current token, which is not consumed yet */
	struct tok last; /* the one before */
	struct ast_mem *mem;
	struct ast_module *m;
	/* the module */
	struct list opnd, var, func, file, loc;
	struct list
		open; /* struct pending: names that functions use and only the module can declare */
	uint64_t init_bytes;
	/* the function */
	struct list fvar, reg, inst, table, proto;
	struct list pend;     /* struct pending */
	uint32_t last_target; /* the highest instruction that a jump or table names by its label */
	uint32_t src_file, src_line, src_call;
	uint32_t first_loc; /* of the function, in loc */
	struct err *bad;    /* ast_func.bad */
	/* scratch */
	struct list tmp_opnd, tmp_var, tmp_name, tmp_reloc, tmp_byte;
	struct binding *free_bind;
	struct scope scope[PARSE_MAX_DEPTH];
	uint32_t depth;	  /* of the innermost scope */
	uint32_t nesting; /* of parentheses and braces */
};

/* ---- parse_util.c ---- */

int parse_next(struct parser *p);		 /* the next token */
bool parse_is(const struct parser *p, int kind); /* the current token */
bool parse_is_dir(const struct parser *p, enum parse_dir dir);
int parse_skip(struct parser *p, int kind, bool *there); /* the current token, if it is of kind */
int parse_expect(struct parser *p, char c, const char *after);
/* "expected WHAT, found ...". -1. */
int parse_expected(struct parser *p, const char *what);
int parse_error(struct parser *p, const struct tok *t, const char *fmt, ...) ATTR_PRINTF(3, 4);
/* "unknown WHAT 'x'; nearest: ..." of the n names given (NULL ones are left out). -1. */
int parse_unknown(struct parser *p, const struct tok *t, const char *what, const char *typed,
		  const char *const *names, uint32_t n);
int parse_number(struct parser *p, uint64_t max, const char *what, uint64_t *v); /* a plain one */
/* A new zeroed element; NULL with the error filled. */
void *list_add(struct parser *p, struct list *l, size_t size);
/* Room for n elements in all. */
int list_reserve(struct parser *p, struct list *l, uint32_t n, size_t size);
/* The elements from `from` on go into the module's memory (never NULL) and leave the list. */
int list_keep(struct parser *p, struct list *l, uint32_t from, size_t size, void *to);

/* ---- parse.c ---- */

int parse_pragma(struct parser *p);
int parse_unknown_directive(struct parser *p);

/* ---- names.c ---- */

int scope_open(struct parser *p);
int scope_close(struct parser *p); /* resolves the pending names that this scope declared */
/* NULL with the error filled: declared twice. */
struct binding *name_bind(struct parser *p, const struct tok *t, enum bind_kind kind,
			  uint32_t index);
int name_bind_reg(struct parser *p, const struct tok *t, uint8_t type, uint8_t vec, uint32_t count);
/* 1: found; 0: not declared yet; -1: error. */
int name_find(struct parser *p, const struct tok *t, struct binding **b);
int name_use_reg(struct parser *p, struct binding *b); /* gives it an index at its first use */
struct pending *name_defer(struct parser *p, const struct tok *t);
int names_enter_sregs(struct parser *p);
int name_unknown_register(struct parser *p, const struct tok *t); /* the error. -1 */
int names_end_function(struct parser *p);
int names_end_module(struct parser *p);

/* ---- parse_expr.c ---- */

struct constant {
	bool is_float, is_f32, is_unsigned;
	uint64_t bits; /* as in ast_opnd */
};

int parse_constant(struct parser *p, struct constant *c);
int parse_integer(struct parser *p, int64_t *v); /* an expression that is an integer */

/* ---- parse_var.c ---- */

struct decl { /* the part of a declaration before its names */
	uint8_t space, type, vec;
	bool is_extern, visible, is_ptr;
	bool is_tex; /* .tex .u32 t: the old spelling of .global .texref t */
	uint32_t align;
};

int parse_type(struct parser *p, struct decl *d); /* .align, .v4, type, .ptr, .attribute */
/* Name, dimensions, initializer. The name is bound unless it is "_" or bind is false. */
int parse_variable(struct parser *p, const struct decl *d, struct list *to, bool bind);
int parse_variables(struct parser *p, struct decl *d,
		    struct list *to);  /* "a, b[4];" after .space */
int parse_attribute(struct parser *p); /* skips .attribute(...) */
int parse_registers(struct parser *p); /* after .reg */

/* ---- parse_func.c ---- */

int parse_function(struct parser *p, bool entry); /* after .entry or .func */

/* ---- parse_inst.c ---- */

/* name: the token of the instruction's name; the current token is the one after it. */
int parse_instruction(struct parser *p, const struct tok *name, int32_t guard, bool guard_not);

#endif
