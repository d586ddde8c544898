/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * eval_program.h - private to src/eval: the compiled form of an expression, and its tokens.
 *
 * A program is a list of instructions in postfix order over one array of doubles. As every size is
 * known when the text is compiled (a path is resolved then), so is the place of every operand: an
 * instruction names where its first operand lies, the others follow it without gaps, and the result
 * goes where the first operand was. Evaluation therefore needs no stack pointer, no size checks
 * and no memory.
 */
#ifndef EVAL_PROGRAM_H
#define EVAL_PROGRAM_H

#include "eval/eval.h"

enum eval_op {
	/* two operands, element by element */
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_DIV,
	OP_MOD,
	OP_LT,
	OP_LE,
	OP_GT,
	OP_GE,
	OP_EQ,
	OP_NE,
	OP_AND,
	OP_OR,
	/* one operand, element by element */
	OP_NEG,
	OP_NOT,
	OP_ABS,
	OP_KNOWN,
	/* n[0] elements become one */
	OP_MIN,
	OP_MAX,
	OP_SUM,
	OP_MEAN,
	OP_COUNT,
	OP_ANY,
	OP_ALL,
	/* the rest */
	OP_SELECT,   /* ?: of three operands */
	OP_INDEX,    /* n[0] elements and the number of one of them become that one */
	OP_NUMBER,   /* number */
	OP_NAME,     /* id, n[0] elements */
	OP_SKIP_AND, /* false so far: the result is 0, go on at target */
	OP_SKIP_OR,  /* true so far: the result is 1, go on at target */
	OP_NOTHING
};

struct instr {
	uint8_t op;    /* enum eval_op */
	uint32_t at;   /* first operand and result */
	uint32_t n[3]; /* elements of the operands */
	union {
		double number;
		uint64_t id;
		uint32_t target;
	};
};

struct expr {
	struct eval_names names;
	struct instr *code;
	unsigned n_code, cap_code;
	unsigned size; /* elements of the result, which ends up at room[0] */
	unsigned max_room;
	double *room;
	char *text;
};

/* Tokens. Operators of one character are that character. */
enum token_kind {
	TOK_END = 256,
	TOK_NUMBER,
	TOK_PATH,
	TOK_LE,
	TOK_GE,
	TOK_EQ,
	TOK_NE,
	TOK_AND,
	TOK_OR
};

struct token {
	int kind;
	unsigned at, len; /* place in the text */
	double number;
};

struct lexer {
	const char *text;
	unsigned pos;
	struct err *e;
};

/* The next token; -1 with a caret when there is none to be made of the text. */
int eval_lex(struct lexer *l, struct token *t);

#endif
