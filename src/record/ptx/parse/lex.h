/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lex.h - private to the parser: memory of a module, names, tokens.
 *
 * Every name and every dotted word of the text becomes an atom once. The atom stores all that the
 * word may mean (a modifier, an instruction, a special register, a declaration of the text), so
 * that a token costs one hash lookup.
 */
#ifndef PTX_LEX_H
#define PTX_LEX_H

#include "record/ptx/parse/ast.h"

/* ---- memory: ast.c ---- */

/* Freed as a whole by ast_mem_free. */
struct ast_mem {
	struct ast_block *block;
	char *at;
	size_t left;
	uint32_t *line; /* offsets of the text's lines, for ast_line */
	uint32_t n_line;
};

void *ast_mem_alloc(struct ast_mem *m, size_t bytes); /* zeroed, aligned to 8; NULL: none left */
void ast_mem_free(struct ast_mem *m);

/* ---- atoms and tokens: lex.c ---- */

struct binding; /* parse.h: what a name means at the current place in the text */

struct atom {
	const char *text; /* ends in '\0' */
	uint32_t len;
	uint32_t hash;
	uint16_t word;	       /* enum ptx_word; W_NONE: no modifier */
	uint8_t dir;	       /* enum parse_dir of parse.h; 0: no directive */
	uint16_t op;	       /* enum ptx_op plus 1; 0: no instruction */
	uint16_t sreg;	       /* enum ptx_sreg plus 1 (.x of those with components); 0: none */
	bool sreg_xyz;	       /* needs a component */
	uint8_t sreg_number;   /* %envreg3: 3 */
	bool dot;	       /* a dotted word; these and names are different atoms */
	uint32_t number;       /* "%r12": 12, and base is the atom "%r" */
	struct atom *base;     /* NULL: the name does not end in a plain number */
	struct binding *bind;  /* innermost */
	struct binding *range; /* innermost "%r<100>" */
};

enum tok_kind {
	TOK_END,
	TOK_NAME,   /* atom */
	TOK_DOT,    /* ".global": atom, without the dot */
	TOK_INT,    /* bits; is_unsigned */
	TOK_FLOAT,  /* bits, is_f32: as in ast_opnd */
	TOK_STRING, /* text between the quotes at + 1, len - 2 */
	TOK_SHL,
	TOK_SHR,
	TOK_LE,
	TOK_GE,
	TOK_EQ,
	TOK_NE,
	TOK_AND,
	TOK_OR,
	TOK_PUNCT = 64 /* and above: TOK_PUNCT + the character */
};

#define TOK(c) (TOK_PUNCT + (c))

struct tok {
	int kind;
	bool is_unsigned, is_f32;
	uint32_t at, len; /* in the text */
	uint32_t line;
	struct atom *atom;
	uint64_t bits;
};

struct lex {
	const char *name; /* for messages */
	const char *text; /* ends in "\n\0" */
	uint32_t size;
	uint32_t at, line;   /* what is read next */
	struct ast_mem *mem; /* the module's: texts of atoms, as the module refers to them */
	struct ast_mem tmp;  /* the atoms, needed only while the text is parsed */
	struct atom **table;
	uint32_t n_atom, cap;
	struct err *e;
};

int lex_init(struct lex *l, struct ast_mem *mem, const char *name, const char *text, uint32_t size,
	     struct err *e);
void lex_free(struct lex *l);
int lex_next(struct lex *l, struct tok *t); /* -1: e filled */

struct atom *lex_atom(struct lex *l, const char *text, size_t n, bool dot); /* NULL: no memory */
int lex_no_memory(struct lex *l);

/* Error with the line of t and a caret under it. -1. */
int lex_error(struct lex *l, const struct tok *t, const char *fmt, ...) ATTR_PRINTF(3, 4);
/* The text of t as it is quoted in "expected ..., found ..."; returns buf. */
const char *lex_show(const struct lex *l, const struct tok *t, char *buf, size_t size);

#endif
