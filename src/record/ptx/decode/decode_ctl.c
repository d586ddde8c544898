/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decode_ctl.c - decodes control flow: bra brx call ret exit trap brkpt.
 *
 * A call site becomes a prog_call: the place of each argument and result in the caller, checked
 * against the declaration of the function, the .callprototype or the first of the .calltargets. An
 * indirect call is checked again for the function that it reaches when it runs (call.c). A function
 * without a body may be named, since it might never be called; executing the call is a fault.
 */
#include "record/ptx/exec/exec.h"

static int
decode_bra(struct decode *d, struct prog_inst *in)
{
	const struct ast_opnd *o = decode_opnd(d, 0);

	if (decode_count(d, 1, 1))
		return -1;
	if (o->kind != AST_LABEL)
		return decode_error(d, "expected a label");
	in->target = o->index;
	in->fn = exec_bra;
	return 0;
}

static int
decode_brx(struct decode *d, struct prog_inst *in)
{
	const struct ast_opnd *o = decode_opnd(d, 1);

	if (!decode_has(d, W_idx))
		return decode_error(d, "expected brx.idx");
	if (decode_count(d, 2, 2))
		return -1;
	if (o->kind != AST_TABLE || d->f->ast->table[o->index].calls)
		return decode_error(d, "expected the name of a .branchtargets list");
	if (d->f->ast->table[o->index].n == 0)
		return decode_error(d, "the .branchtargets list is empty");
	if (decode_value(d, decode_opnd(d, 0), TY_U32, &in->src[0]))
		return -1;
	in->n_src = 1;
	in->target = o->index;
	in->fn = exec_brx;
	return 0;
}

/* ---------------------------------------------------------------- calls */

static uint64_t
get_formal_bytes(const struct ast_var *v) /* 0: any */
{
	if (v->space == SP_REG)
		return v->type == TY_PRED ? 4 : ptx_type_bytes((enum ptx_type)v->type);
	return v->bytes;
}

/* Decodes an argument or, if result, the destination of a result. */
static int
decode_actual(struct decode *d, const struct ast_opnd *o, const struct ast_var *formal, bool result,
	      struct prog_arg *out)
{
	enum ptx_type t = (enum ptx_type)formal->type;
	uint64_t want = get_formal_bytes(formal);
	bool negated = false;

	out->value.bytes = OPND_NONE;
	if (result && o->kind == AST_SINK)
		return 0;
	if (o->kind == AST_VAR) {
		const struct ast_var *v = o->local ? &d->f->ast->var[o->index] : NULL;

		if (!v || v->space != SP_PARAM || o->bits)
			return decode_error(
				d, "expected a register or a .param variable of the function");
		if (want && v->bytes != want)
			return decode_error(d, "'%s' has %u bytes, but the parameter '%s' has %u",
					    v->name, (unsigned)v->bytes, formal->name,
					    (unsigned)want);
		out->off = d->f->var_off[o->index];
		out->bytes = (uint32_t)v->bytes;
		return 0;
	}
	if (want == 0 || want > 8)
		return decode_error(d, "the parameter '%s' needs a .param variable", formal->name);
	out->bytes = (uint32_t)want;
	if (t == TY_PRED) {
		if (decode_pred(d, o, &out->value, &negated))
			return -1;
		return negated ? decode_error(d, "an argument cannot be negated") : 0;
	}
	return result ? decode_dst(d, o, t, true, &out->value) : decode_wider(d, o, t, &out->value);
}

static int
decode_actuals(struct decode *d, const struct ast_opnd *list, const struct ast_var *formal,
	       uint32_t n, bool result, struct prog_arg *out)
{
	uint32_t k, given = list ? list->n_elem : 0;

	if (given != n)
		return decode_error(d, "%u %s%s, but the function has %u", given,
				    result ? "result" : "argument", given == 1 ? "" : "s", n);
	for (k = 0; k < n; k++)
		if (decode_actual(d, decode_elem(d, list, k), &formal[k], result, &out[k]))
			return -1;
	return 0;
}

static struct prog_call *
decode_call_site(struct decode *d, struct prog_inst *in, uint32_t n_ret, uint32_t n_arg)
{
	struct prog_func *f = d->f; /* has room for all its calls */
	struct prog_call *c = &f->call[f->n_call];
	struct prog_arg *arg = prog_alloc(d->m, (n_ret + n_arg + 1) * sizeof(*arg), d->e);

	if (!arg)
		return NULL;
	in->ext = f->n_call++;
	*c = (struct prog_call){.n_ret = n_ret,
				.n_arg = n_arg,
				.arg = arg,
				.ret = arg + n_arg,
				.callee = {.bytes = OPND_NONE},
				.table = PROG_NONE};
	return c;
}

/* call (results), function, (arguments), targets; all but the function may be absent. */
static int
decode_call(struct decode *d, struct prog_inst *in)
{
	const struct ast_module *a = d->m->ast;
	const struct ast_opnd *ret = NULL, *arg = NULL, *callee, *more = NULL;
	const struct ast_func *type = NULL;
	struct prog_call *c;
	uint32_t k = 0;

	if (decode_count(d, 1, 4))
		return -1;
	if (decode_opnd(d, k)->kind == AST_LIST)
		ret = decode_opnd(d, k++);
	callee = decode_opnd(d, k++);
	if (callee && decode_opnd(d, k) && decode_opnd(d, k)->kind == AST_LIST)
		arg = decode_opnd(d, k++);
	if (callee && decode_opnd(d, k))
		more = decode_opnd(d, k++);
	if (!callee || decode_opnd(d, k) || (callee->kind != AST_FUNC && callee->kind != AST_REG))
		return decode_error(d, "expected (results), function, (arguments)");
	if (callee->kind == AST_FUNC)
		type = &a->func[callee->index];
	else if (more && more->kind == AST_PROTO)
		type = &d->f->ast->proto[more->index];
	else if (more && more->kind == AST_TABLE && d->f->ast->table[more->index].calls &&
		 d->f->ast->table[more->index].n)
		type = &a->func[d->f->ast->table[more->index].index[0]];
	if (!type)
		return decode_error(d, "an indirect call needs a .callprototype or .calltargets");
	c = decode_call_site(d, in, type->n_ret, type->n_param);
	if (!c || decode_actuals(d, ret, type->var, type->n_ret, true, c->ret) ||
	    decode_actuals(d, arg, type->var + type->n_ret, type->n_param, false, c->arg))
		return -1;
	in->fn = exec_call;
	if (callee->kind == AST_FUNC) {
		in->target = callee->index;
		return type->entry ? decode_error(d, "'%s' is a kernel", type->name) : 0;
	}
	in->target = PROG_NONE;
	if (more->kind == AST_TABLE)
		c->table = more->index;
	if (decode_value(d, callee, a->addr_bytes == 8 ? TY_U64 : TY_U32, &c->callee))
		return -1;
	in->src[0] = c->callee;
	in->n_src = 1;
	return 0;
}

int
decode_ctl(struct decode *d, struct prog_inst *in)
{
	in->reconv = in->ext = PROG_NONE;
	if (decode_has(d, W_uni))
		in->flags |= PF_UNI;
	switch (in->op) {
	case PTX_bra:
		return decode_bra(d, in);
	case PTX_brx:
		return decode_brx(d, in);
	case PTX_call:
		return decode_call(d, in);
	case PTX_ret:
		in->fn = exec_ret;
		break;
	case PTX_exit:
		in->fn = exec_exit;
		break;
	case PTX_trap:
		in->fn = exec_trap;
		break;
	case PTX_brkpt:
		in->fn = exec_nop;
		break;
	default:
		return decode_unsupported(d, "this instruction");
	}
	return decode_count(d, 0, 0);
}
