/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * place.c - finds the place of an instruction in the source, for messages.
 *
 * An instruction of a function that was inlined has the place in that function, which may be a
 * header of a library. Users look for the place where their own code calls it, so this comes first:
 * "k.cu:6, inlined from h.h:5, from h.h:2".
 */
#include "record/ptx/decode/prog.h"

#include "base/strbuf.h"

#include <stdio.h>
#include <string.h>

#define MAX_CHAIN 8

static const struct ast_inst *
find_ast_inst(const struct ptx_module *m, const struct prog_inst *in)
{
	for (uint32_t i = 0; i < m->ast->n_func; i++) {
		const struct prog_func *f = &m->func[i];

		if (f->inst && (uintptr_t)in >= (uintptr_t)f->inst &&
		    (uintptr_t)in < (uintptr_t)(f->inst + f->n_inst))
			return &f->ast->inst[in - f->inst];
	}
	return NULL;
}

static bool
place_chain(const struct ast_module *a, uint32_t file, uint32_t line, uint32_t call, char *buf,
	    size_t size)
{
	struct ast_loc chain[MAX_CHAIN];
	struct strbuf s = {0};
	uint32_t n = 1;

	if (!file || file > a->n_file)
		return false;
	chain[0] = (struct ast_loc){.file = file, .line = line};
	for (; call && n < MAX_CHAIN; call = a->loc[call - 1].call)
		if (a->loc[call - 1].file)
			chain[n++] = a->loc[call - 1];
	while (n--)
		sb_printf(&s, "%s:%u%s", a->file[chain[n].file - 1].name, chain[n].line,
			  n == 0		    ? ""
			  : s.p && strchr(s.p, ',') ? ", from "
						    : ", inlined from ");
	snprintf(buf, size, "%s", s.failed ? "" : s.p);
	sb_free(&s);
	return *buf;
}

bool
prog_place(const struct ptx_module *m, const struct prog_inst *in, char *buf, size_t size)
{
	const struct ast_inst *from = find_ast_inst(m, in);

	return place_chain(m->ast, in->src_file, in->src_line, from ? from->src_call : 0, buf,
			   size);
}

bool
prog_place_of_line(const struct ptx_module *m, const struct ast_func *f, uint64_t line, char *buf,
		   size_t size)
{
	for (uint32_t i = 0; i < f->n_inst; i++) {
		const struct ast_inst *in = &f->inst[i];

		if (in->line >= line && in->src_file)
			return place_chain(m->ast, in->src_file, in->src_line, in->src_call, buf,
					   size);
	}
	return false;
}
