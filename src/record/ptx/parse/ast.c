/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ast.c - allocates the memory of a parsed module, finds its lines, and maps modifiers to types and
 * spaces.
 *
 * Memory is a list of blocks; nothing is freed before the module. Large pieces get their own block,
 * so that a zeroed array uses no pages until it is written.
 */
#include "record/ptx/parse/ast.h"
#include "record/ptx/parse/lex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES (64 * 1024)

struct ast_block {
	struct ast_block *next;
	uint64_t pad; /* aligns the memory after this head to 16 bytes */
};

static struct ast_block *
new_block(struct ast_mem *m, size_t bytes)
{
	struct ast_block *b = bytes > SIZE_MAX - sizeof(*b) ? NULL : calloc(1, sizeof(*b) + bytes);

	if (b) {
		b->next = m->block;
		m->block = b;
	}
	return b;
}

void *
ast_mem_alloc(struct ast_mem *m, size_t bytes)
{
	struct ast_block *b;
	void *p;

	if (bytes > BLOCK_BYTES / 4) {
		b = new_block(m, bytes);
		return b ? b + 1 : NULL;
	}
	bytes = (bytes + 7) / 8 * 8;
	if (bytes > m->left) {
		b = new_block(m, BLOCK_BYTES);
		if (!b)
			return NULL;
		m->at = (char *)(b + 1);
		m->left = BLOCK_BYTES;
	}
	p = m->at;
	m->at += bytes;
	m->left -= bytes;
	return p;
}

void
ast_mem_free(struct ast_mem *m)
{
	struct ast_block *b = m->block;

	while (b) {
		struct ast_block *next = b->next;

		free(b);
		b = next;
	}
	*m = (struct ast_mem){0};
}

void
ast_free(struct ast_module *a)
{
	struct ast_mem *m = a ? a->mem : NULL;

	if (m) {
		ast_mem_free(m); /* this frees a as well, which is in this memory */
		free(m);
	}
}

void
ast_line(const struct ast_module *a, uint32_t line, char *buf, size_t size)
{
	const struct ast_mem *m = a->mem;
	size_t from, n;

	if (size == 0)
		return;
	buf[0] = '\0';
	if (line == 0 || line > m->n_line)
		return;
	from = m->line[line - 1];
	n = m->line[line] - from - 1; /* line[n_line] is the end of the text */
	n = MIN(n, size - 1);
	memcpy(buf, a->text + from, n);
	buf[n] = '\0';
}

const char *
ast_word_text(enum ptx_word w)
{
	static const char *const text[PTX_WORDS] = {
		"",
#define WORD(id, text) text,
#include "record/ptx/parse/words.def"
#undef WORD
	};

	return (unsigned)w < PTX_WORDS ? text[w] : "?";
}

/* The rows of types and spaces in words.def are in the order of their enumerations. */
_Static_assert(W_surfref - W_b8 == TY_SURFREF - TY_B8, "types of words.def in order");
_Static_assert(W_shared - W_reg == SP_SHARED - SP_REG, "spaces of words.def in order");
_Static_assert(W_wt < 256, "words fit into the 8 bits that tables of the decoders have for them");

enum ptx_type
ast_word_type(enum ptx_word w)
{
	return w >= W_b8 && w <= W_surfref ? (enum ptx_type)(w - W_b8 + TY_B8) : TY_NONE;
}

enum ptx_space
ast_word_space(enum ptx_word w)
{
	if (w == W_shared_cluster) /* every cluster is a single CTA */
		return SP_SHARED;
	return w >= W_reg && w <= W_shared ? (enum ptx_space)(w - W_reg + SP_REG) : SP_NONE;
}
