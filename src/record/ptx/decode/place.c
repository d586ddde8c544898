/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * place.c - the place of an instruction in the source, for messages.
 *
 * An instruction of a function that was inlined has the place in that function, which may be a
 * header of a library. The place that a user looks for is where his own code calls it, so this
 * comes first: "k.cu:6, inlined from h.h:5, from h.h:2".
 */
#include "record/ptx/decode/prog.h"

#include "base/strbuf.h"

#include <stdio.h>
#include <string.h>

#define MAX_CHAIN 8

static const struct ast_inst *
ast_inst_of(const struct ptx_module *m, const struct prog_inst *in)
{
	for (uint32_t i = 0; i < m->ast->n_func; i++) {
		const struct prog_func *f = &m->func[i];

		if (f->inst && (uintptr_t)in >= (uintptr_t)f->inst &&
		    (uintptr_t)in < (uintptr_t)(f->inst + f->n_inst))
			return &f->ast->inst[in - f->inst];
	}
	return NULL;
}

bool
prog_place(const struct ptx_module *m, const struct prog_inst *in, char *buf, size_t size)
{
	const struct ast_module *a = m->ast;
	const struct ast_inst *from = ast_inst_of(m, in);
	struct ast_loc chain[MAX_CHAIN];
	uint32_t call = from ? from->src_call : 0, n = 1;
	struct strbuf s = {0};

	if (!in->src_file || in->src_file > a->n_file)
		return false;
	chain[0] = (struct ast_loc){.file = in->src_file, .line = in->src_line};
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
