/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * layout.c - assigns offsets to the registers of a function, to its variables on the thread's
 * stack, and to the parameters of a kernel.
 *
 * Each register is a vector, aligned to 32 bytes; those of a vector register are consecutive.
 * Predicates, 4 bytes each, come last. A stack frame holds results, then parameters, then the other
 * .local and .param variables in the order of the text. All frames of a module are multiples of the
 * largest alignment that any stack variable requires (at least 16), so that a frame is aligned for
 * its variables wherever it is called from. Kernel parameters have their natural or declared
 * alignment.
 */
#include "record/ptx/decode/module.h"

#define MAX_REGS 0xffffu       /* limit of struct opnd.reg, where 0xffff means none */
#define MAX_PARAM_BYTES 32764u /* the limit of sm_70 and later */
#define MIN_STACK_ALIGN 16u

static int
report_func_error(const struct ptx_module *m, const struct ast_func *f, uint32_t line,
		  struct err *e, const char *what)
{
	char text[240];

	ast_line(m->ast, line, text, sizeof(text));
	return err_at(e, m->ast->name, line, text, 0, 1, "%s: %s", f->name, what);
}

static int
layout_regs(struct ptx_module *m, struct prog_func *f, struct err *e)
{
	const struct ast_func *a = f->ast;
	uint64_t off = 0;

	if (a->n_reg >= MAX_REGS)
		return report_func_error(m, a, a->line, e, "more than 65534 registers");
	f->reg_off = prog_alloc(m, a->n_reg * sizeof(*f->reg_off), e);
	if (!f->reg_off)
		return -1;
	for (uint32_t pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < a->n_reg; i++) {
			const struct ast_reg *r = &a->reg[i];
			bool pred = r->type == TY_PRED;
			uint32_t bytes = ptx_type_bytes((enum ptx_type)r->type) == 8 ? 8 : 4;

			if (pred != (pass == 1))
				continue;
			f->reg_off[i] = (uint32_t)off;
			off += (uint64_t)MAX(r->vec, 1) * bytes * (pred ? 1 : WARP_SIZE);
		}
	}
	f->frame_bytes = (uint32_t)layout_align(off, 32);
	return 0;
}

static uint32_t
stack_align(const struct ast_module *a)
{
	uint32_t align = MIN_STACK_ALIGN;

	for (uint32_t f = 0; f < a->n_func; f++)
		for (uint32_t i = 0; i < a->func[f].n_var; i++)
			if (a->func[f].var[i].space == SP_LOCAL ||
			    a->func[f].var[i].space == SP_PARAM)
				align = MAX(align, a->func[f].var[i].align);
	return align;
}

static int
layout_stack(struct ptx_module *m, struct prog_func *f, struct err *e)
{
	const struct ast_func *a = f->ast;
	uint32_t n_formal = a->n_ret + a->n_param;
	uint64_t off = 0;

	for (uint32_t i = a->entry ? n_formal : 0; i < a->n_var; i++) {
		const struct ast_var *v = &a->var[i];

		if (v->space != SP_LOCAL && v->space != SP_PARAM)
			continue;
		off = layout_align(off, v->align);
		f->var_off[i] = (uint32_t)off;
		if (v->bytes > PTX_WINDOW_BYTES || off + v->bytes > PTX_WINDOW_BYTES)
			return report_func_error(m, a, v->line, e,
						 "more than 16 MiB of local memory");
		off += v->bytes;
		if (!a->entry && i < n_formal)
			f->param_bytes = (uint32_t)off;
	}
	f->stack_bytes = (uint32_t)layout_align(off, stack_align(m->ast));
	return 0;
}

int
layout_func(struct ptx_module *m, struct prog_func *f, struct err *e)
{
	f->var_off = prog_alloc(m, f->ast->n_var * sizeof(*f->var_off), e);
	f->var_addr = prog_alloc(m, f->ast->n_var * sizeof(*f->var_addr), e);
	if (!f->var_off || !f->var_addr || layout_regs(m, f, e))
		return -1;
	return layout_stack(m, f, e);
}

int
layout_kernel(struct ptx_module *m, struct ptx_kernel *k, const struct ast_func *f, struct err *e)
{
	struct prog_func *pf = &m->func[f - m->ast->func];
	struct ptx_param *p;
	uint64_t off = 0;

	if (f->n_param > PTX_MAX_PARAMS)
		return report_func_error(m, f, f->line, e, "more than 256 parameters");
	p = prog_alloc(m, f->n_param * sizeof(*p), e);
	if (!p)
		return -1;
	for (uint32_t i = 0; i < f->n_param; i++) {
		const struct ast_var *v = &f->var[i];

		off = layout_align(off, v->align);
		if (v->bytes > MAX_PARAM_BYTES || off + v->bytes > MAX_PARAM_BYTES)
			return report_func_error(m, f, v->line, e,
						 "more than 32764 bytes of parameters");
		p[i] = (struct ptx_param){
			.offset = (uint32_t)off,
			.size = (uint32_t)v->bytes,
			.align = MAX(v->align, 1u),
			.pointer = v->is_ptr || v->type == TY_U64 || v->type == TY_B64 ||
				   v->type == TY_S64,
			.real = v->type == TY_F32 || v->type == TY_F64,
		};
		pf->var_off[i] = (uint32_t)off;
		off += v->bytes;
	}
	k->name = f->name;
	k->n_params = f->n_param;
	k->param = p;
	k->param_bytes = (uint32_t)off;
	k->minnctapersm = f->minnctapersm;
	k->maxnreg = f->maxnreg;
	for (uint32_t i = 0; i < 3; i++) {
		k->maxntid[i] = f->maxntid[i];
		k->reqntid[i] = f->reqntid[i];
	}
	return 0;
}
