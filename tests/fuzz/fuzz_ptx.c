/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_ptx.c - any bytes as a PTX text.
 *
 * Requirements: no crash and no unlimited memory; a rejected text has an error with a message and a
 * caret on the text; in an accepted one every index is within its table, every operand has the
 * parts of its kind, and the lines of instructions are lines of the text.
 */
#define FUZZ_CORPUS "ptx"
#define FUZZ_COVERS "src/record/ptx/parse"
#include "tests/fuzz/replay.h"

#include "record/ptx/parse/ast.h"
#include "record/ptx/ptx.h"

#include <string.h>

static void check_operand(const struct ast_module *m, const struct ast_func *f, uint32_t at,
			  unsigned depth);

static void
check_parts(const struct ast_module *m, const struct ast_func *f, const struct ast_opnd *o,
	    unsigned depth)
{
	fuzz_check(depth < 3);
	fuzz_check((uint64_t)o->elem + o->n_elem <= m->n_opnd);
	for (uint32_t i = 0; i < o->n_elem; i++)
		check_operand(m, f, o->elem + i, depth + 1);
	if (o->kind == AST_ADDR)
		fuzz_check(o->n_elem == 1);
	else if (o->kind == AST_PAIR)
		fuzz_check(o->n_elem == 2);
	else if (o->kind == AST_TEXADDR)
		fuzz_check(o->n_elem >= 2 && o->n_elem <= 4);
	else
		fuzz_check(o->kind == AST_LIST || o->n_elem >= 1);
}

static void
check_operand(const struct ast_module *m, const struct ast_func *f, uint32_t at, unsigned depth)
{
	const struct ast_opnd *o = &m->opnd[at];

	fuzz_check(at < m->n_opnd);
	switch (o->kind) {
	case AST_REG:
		fuzz_check(o->index < f->n_reg);
		fuzz_check(o->comp <= (f->reg[o->index].vec > 1 ? f->reg[o->index].vec : 0));
		break;
	case AST_SREG:
		fuzz_check(o->index < PTX_SREGS && o->comp == 0);
		break;
	case AST_INT:
	case AST_FLOAT:
	case AST_SINK:
		break;
	case AST_VAR:
		fuzz_check(o->index < (o->local ? f->n_var : m->n_var));
		break;
	case AST_FUNC:
		fuzz_check(o->index < m->n_func);
		break;
	case AST_LABEL:
		fuzz_check(o->index < f->n_inst);
		break;
	case AST_TABLE:
		fuzz_check(o->index < f->n_table);
		break;
	case AST_PROTO:
		fuzz_check(o->index < f->n_proto);
		break;
	case AST_ADDR:
	case AST_VEC:
	case AST_LIST:
	case AST_PAIR:
	case AST_TEXADDR:
		check_parts(m, f, o, depth);
		break;
	default:
		fuzz_check(!"a kind that is none");
	}
}

static void
check_vars(const struct ast_module *m, const struct ast_var *var, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct ast_var *v = &var[i];

		fuzz_check(v->name[0] && v->space < PTX_SPACES && v->type < PTX_TYPES);
		fuzz_check(v->align >= ptx_type_bytes((enum ptx_type)v->type) &&
			   (v->align & (v->align - 1)) == 0);
		if (v->init && v->bytes) /* all of it can be read and written */
			v->init[v->bytes - 1] = v->init[0];
		for (uint32_t k = 0; k < v->n_reloc; k++) {
			const struct ast_reloc *r = &v->reloc[k];

			fuzz_check((uint64_t)r->offset + r->size <= v->bytes && r->size);
			fuzz_check(r->index < (r->is_func ? m->n_func : m->n_var));
		}
	}
}

static void
check_func(const struct ast_module *m, const struct ast_func *f, uint32_t lines)
{
	fuzz_check(f->n_ret + f->n_param <= f->n_var);
	fuzz_check(f->defined == (f->n_inst > 0));
	check_vars(m, f->var, f->n_var);
	for (uint32_t i = 0; i < f->n_inst; i++) {
		const struct ast_inst *in = &f->inst[i];

		fuzz_check(in->op < PTX_OPS && in->n_word <= AST_MAX_WORDS);
		for (unsigned w = 0; w < in->n_word; w++)
			fuzz_check(in->word[w] > W_NONE && in->word[w] < PTX_WORDS);
		fuzz_check(in->guard < 0 ||
			   ((uint32_t)in->guard < f->n_reg && f->reg[in->guard].type == TY_PRED));
		fuzz_check(in->line >= 1 && in->line <= lines && in->src_file <= m->n_file);
		for (uint32_t k = 0; k < in->n_opnd; k++)
			check_operand(m, f, in->opnd + k, 0);
	}
	for (uint32_t i = 0; i < f->n_table; i++)
		for (uint32_t k = 0; k < f->table[i].n; k++)
			fuzz_check(f->table[i].index[k] <
				   (f->table[i].calls ? m->n_func : f->n_inst));
	for (uint32_t i = 0; i < f->n_proto; i++)
		fuzz_check(f->proto[i].n_ret + f->proto[i].n_param == f->proto[i].n_var);
}

static void
check_error(const struct err *e)
{
	fuzz_check(e->set && e->msg[0] && !strchr(e->msg, '\n'));
	fuzz_check(!e->text[0] || (e->col >= 0 && e->len >= 1));
}

static void
decode(const uint8_t *data, size_t size)
{
	struct err e = {0};
	struct ptx_module *m = ptx_parse("fuzz", (const char *)data, size, &e);

	if (!m)
		check_error(&e);
	for (uint32_t i = 0; m && i < ptx_n_kernels(m); i++)
		fuzz_check(ptx_kernel_at(m, i)->n_params <= PTX_MAX_PARAMS);
	ptx_module_free(m);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err e = {0};
	struct ast_module *m = ast_parse("fuzz", (const char *)data, size, &e);
	uint32_t lines = 1;
	char line[80];

	if (!m) {
		check_error(&e);
		return 0;
	}
	for (size_t i = 0; i < m->text_bytes; i++)
		lines += m->text[i] == '\n';
	check_vars(m, m->var, m->n_var);
	for (uint32_t i = 0; i < m->n_func; i++)
		check_func(m, &m->func[i], lines);
	for (uint32_t i = 0; i <= lines + 1; i++)
		ast_line(m, i, line, sizeof(line));
	ast_free(m);
	decode(data, size);
	return 0;
}
