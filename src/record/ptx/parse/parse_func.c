/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parse_func.c - parses functions: signature, directives, and the statements of the body.
 *
 * Parameters are variables of a scope around that of the body; those in registers are registers as
 * well. A declaration and the definition that follows are one function, which has the parameters
 * of the definition.
 */
#include "record/ptx/parse/parse.h"

#include <string.h>

/* ---- signatures ---- */

/* .param .align 4 .b8 name[16], .reg .b32 name */
static int
parse_parameter(struct parser *p, struct list *var, bool bind)
{
	struct decl d = {0};
	struct tok name;
	struct binding *b;
	bool reg;

	if (!parse_is_dir(p, DIR_param) && !parse_is_dir(p, DIR_reg))
		return parse_expected(p, "a parameter: .param or .reg");
	reg = parse_is_dir(p, DIR_reg);
	d.space = reg ? SP_REG : SP_PARAM;
	if (parse_next(p) || parse_type(p, &d))
		return -1;
	name = p->t;
	if (parse_variable(p, &d, var, bind && !reg))
		return -1;
	if (!bind || !reg)
		return 0;
	if (name_bind_reg(p, &name, d.type, d.vec, 0) || name_find(p, &name, &b) < 0)
		return -1;
	return name_use_reg(p, b);
}

static int
parse_parameters(struct parser *p, struct list *var, bool bind, uint32_t *n)
{
	bool more;

	if (parse_next(p))
		return -1;
	for (more = !parse_is(p, TOK(')')); more; (*n)++) {
		if (*n == PARSE_MAX_OPNDS)
			return parse_error(p, &p->t, "more than %d parameters", PARSE_MAX_OPNDS);
		if (parse_parameter(p, var, bind) || parse_skip(p, TOK(','), &more))
			return -1;
	}
	return parse_expect(p, ')', "the parameters");
}

/* (results) name (parameters); name gets the token of the name. */
static int
parse_signature(struct parser *p, struct ast_func *f, struct list *var, bool bind, struct tok *name)
{
	if (!f->entry && parse_is(p, TOK('(')) && parse_parameters(p, var, bind, &f->n_ret))
		return -1;
	if (!parse_is(p, TOK_NAME))
		return parse_expected(p, "the name of a function");
	*name = p->t;
	f->name = name->atom->text;
	f->line = name->line;
	if (parse_next(p))
		return -1;
	return parse_is(p, TOK('(')) && parse_parameters(p, var, bind, &f->n_param) ? -1 : 0;
}

/* ---- tables and prototypes ---- */

/* name: .branchtargets a, b, c; */
static int
parse_table(struct parser *p, const struct tok *name, bool calls)
{
	struct ast_table t = {.name = name->atom->text, .calls = calls}, *kept;
	bool more = true;

	if (parse_next(p) || !name_bind(p, name, BIND_TABLE, p->table.n))
		return -1;
	p->tmp_name.n = 0;
	while (more) {
		struct pending *w;

		if (!parse_is(p, TOK_NAME))
			return parse_expected(p, calls ? "a function" : "a label");
		w = list_add(p, &p->tmp_name, sizeof(*w));
		if (!w)
			return -1;
		w->tok = p->t;
		if (parse_next(p) || parse_skip(p, TOK(','), &more))
			return -1;
	}
	if (parse_expect(p, ';', "the list"))
		return -1;
	t.n = p->tmp_name.n;
	t.index = ast_mem_alloc(p->mem, t.n * sizeof(*t.index));
	if (!t.index)
		return lex_no_memory(&p->lex);
	for (uint32_t i = 0; i < t.n; i++) {
		struct pending *w = name_defer(p, &((struct pending *)p->tmp_name.p)[i].tok);

		if (!w)
			return -1;
		w->slot = &t.index[i];
		w->want = calls ? WANT_FUNC : WANT_LABEL;
	}
	kept = list_add(p, &p->table, sizeof(*kept));
	if (!kept)
		return -1;
	*kept = t;
	return 0;
}

/* name: .callprototype (.param .b32 _) _ (.param .b64 _); */
static int
parse_prototype(struct parser *p, const struct tok *name)
{
	struct ast_func f = {0}, *kept;
	struct tok ignored;

	if (parse_next(p) || !name_bind(p, name, BIND_PROTO, p->proto.n))
		return -1;
	p->tmp_var.n = 0;
	if (parse_signature(p, &f, &p->tmp_var, false, &ignored))
		return -1;
	f.name = name->atom->text;
	while (parse_is_dir(p, DIR_noreturn)) {
		f.noreturn = true;
		if (parse_next(p))
			return -1;
	}
	if (parse_expect(p, ';', "the prototype"))
		return -1;
	f.n_var = p->tmp_var.n;
	if (list_keep(p, &p->tmp_var, 0, sizeof(struct ast_var), &f.var))
		return -1;
	kept = list_add(p, &p->proto, sizeof(*kept));
	if (!kept)
		return -1;
	*kept = f;
	return 0;
}

/* ---- statements ---- */

static bool
is_name_text(const struct parser *p, const char *s)
{
	return parse_is(p, TOK_NAME) && !strcmp(p->t.atom->text, s);
}

/* Returns the index plus 1 of the last place in the function with that line and column (with
 * `call`, also inlined at the same place), and adds the place if it is new. 0: out of memory. The
 * search goes backwards and is bounded, because a place at which code was inlined has a .loc
 * shortly before. */
static uint32_t
find_or_add_loc(struct parser *p, const struct ast_loc *want, bool call)
{
	const struct ast_loc *l = (struct ast_loc *)p->loc.p;
	uint32_t from = MAX(p->first_loc, p->loc.n > 4096 ? p->loc.n - 4096 : 0), i;
	struct ast_loc *kept;

	for (i = p->loc.n; i > from; i--)
		if (l[i - 1].file == want->file && l[i - 1].line == want->line &&
		    l[i - 1].column == want->column && (!call || l[i - 1].call == want->call))
			return i;
	kept = list_add(p, &p->loc, sizeof(*kept));
	if (!kept)
		return 0;
	*kept = *want;
	return p->loc.n;
}

/* inlined_at 1 37 9 */
static int
parse_inlined_at(struct parser *p)
{
	uint64_t file, line, column;
	struct ast_loc at = {0};

	if (parse_number(p, UINT32_MAX, "the number of a file", &file) ||
	    parse_number(p, UINT32_MAX, "a line", &line) ||
	    parse_number(p, UINT32_MAX, "a column", &column))
		return -1;
	at.file = (uint32_t)file;
	at.line = (uint32_t)line;
	at.column = (uint32_t)column;
	p->src_call = find_or_add_loc(p, &at, false);
	return p->src_call ? 0 : -1;
}

/* .loc 1 20 5, function_name $L__info_string0 + 4, inlined_at 1 37 9 */
static int
parse_loc(struct parser *p)
{
	uint64_t file, line, column = 0;
	struct ast_loc here = {0};
	int64_t offset;
	bool more;

	if (parse_number(p, UINT32_MAX, "the number of a file", &file) ||
	    parse_number(p, UINT32_MAX, "a line", &line) ||
	    (parse_is(p, TOK_INT) && parse_number(p, UINT32_MAX, "a column", &column)) ||
	    parse_skip(p, TOK(','), &more))
		return -1;
	p->src_file = line ? (uint32_t)file : 0; /* line 0: code without a line in the source */
	p->src_line = (uint32_t)line;
	p->src_call = 0;
	while (more) {
		bool is_inlined = is_name_text(p, "inlined_at");

		if (!is_inlined && !is_name_text(p, "function_name"))
			return parse_expected(p, "function_name or inlined_at");
		if (parse_next(p))
			return -1;
		if (is_inlined && parse_inlined_at(p))
			return -1;
		if (!is_inlined) {
			if (!parse_is(p, TOK_NAME))
				return parse_expected(p, "a label");
			if (parse_next(p) || (parse_is(p, TOK('+')) && parse_integer(p, &offset)))
				return -1;
		}
		if (parse_skip(p, TOK(','), &more))
			return -1;
	}
	if (!p->src_call)
		return 0;
	here.file = (uint32_t)file;
	here.line = (uint32_t)line;
	here.column = (uint32_t)column;
	here.call = p->src_call;
	return find_or_add_loc(p, &here, true) ? 0 : -1;
}

/* @p or @!p, and the instruction. */
static int
parse_guarded(struct parser *p)
{
	const struct ast_reg *r;
	struct binding *b = NULL;
	struct tok name;
	bool is_not;

	if (parse_next(p) || parse_skip(p, TOK('!'), &is_not))
		return -1;
	if (!parse_is(p, TOK_NAME))
		return parse_expected(p, "a predicate after '@'");
	name = p->t;
	if (name_find(p, &name, &b) < 0)
		return -1;
	if (!b || b->kind != BIND_REG)
		return name_unknown_register(p, &name);
	if (name_use_reg(p, b))
		return -1;
	r = (struct ast_reg *)p->reg.p + b->index;
	if (r->type != TY_PRED || r->vec != 1)
		return parse_error(p, &name, "%s is a .%s register, not a predicate", r->name,
				   ptx_type_name((enum ptx_type)r->type));
	if (parse_next(p))
		return -1;
	name = p->t;
	if (!parse_is(p, TOK_NAME))
		return parse_expected(p, "an instruction");
	return parse_next(p) || parse_instruction(p, &name, (int32_t)b->index, is_not) ? -1 : 0;
}

/* A label, or an instruction. */
static int
parse_named(struct parser *p)
{
	struct tok name = p->t;

	if (parse_next(p))
		return -1;
	if (!parse_is(p, TOK(':')))
		return parse_instruction(p, &name, -1, false);
	if (parse_next(p))
		return -1;
	if (parse_is_dir(p, DIR_branchtargets))
		return parse_table(p, &name, false);
	if (parse_is_dir(p, DIR_calltargets))
		return parse_table(p, &name, true);
	if (parse_is_dir(p, DIR_callprototype))
		return parse_prototype(p, &name);
	return name_bind(p, &name, BIND_LABEL, p->inst.n) ? 0 : -1;
}

static int
parse_local_variable(struct parser *p)
{
	struct decl d = {0};

	while (parse_is_dir(p, DIR_extern) || parse_is_dir(p, DIR_visible) ||
	       parse_is_dir(p, DIR_weak)) {
		d.is_extern |= parse_is_dir(p, DIR_extern);
		if (parse_next(p))
			return -1;
	}
	if (!parse_is(p, TOK_DOT))
		return parse_expected(p, "a space");
	d.space = (uint8_t)ast_word_space((enum ptx_word)p->t.atom->word);
	if (d.space == SP_NONE || d.space == SP_REG)
		return parse_expected(p, "a space");
	return parse_next(p) || parse_variables(p, &d, &p->fvar) ? -1 : 0;
}

static int
parse_directive(struct parser *p)
{
	switch ((enum parse_dir)p->t.atom->dir) {
	case DIR_reg:
		return parse_next(p) || parse_registers(p) ? -1 : 0;
	case DIR_loc:
		return parse_next(p) || parse_loc(p) ? -1 : 0;
	case DIR_pragma:
		return parse_next(p) || parse_pragma(p) ? -1 : 0;
	case DIR_extern:
	case DIR_visible:
	case DIR_weak:
	case DIR_local:
	case DIR_shared:
	case DIR_param:
	case DIR_const:
	case DIR_global:
		return parse_local_variable(p);
	case DIR_branchtargets:
	case DIR_calltargets:
	case DIR_callprototype:
		return parse_error(p, &p->t, "this needs a label before it");
	default:
		return parse_unknown_directive(p);
	}
}

/* { ... }; afterwards the current token is the closing brace. */
static int
parse_block(struct parser *p)
{
	if (scope_open(p) || parse_next(p))
		return -1;
	while (!parse_is(p, TOK('}'))) {
		int rc;

		if (parse_is(p, TOK_NAME))
			rc = parse_named(p);
		else if (parse_is(p, TOK('@')))
			rc = parse_guarded(p);
		else if (parse_is(p, TOK_DOT))
			rc = parse_directive(p);
		else if (parse_is(p, TOK('{')))
			rc = parse_block(p) || parse_next(p) ? -1 : 0;
		else if (parse_is(p, TOK(';')))
			rc = parse_next(p);
		else
			rc = parse_expected(p, "an instruction, a label or a directive");
		if (rc)
			return -1;
	}
	return scope_close(p);
}

/* ---- functions ---- */

/* .maxntid 256, 1, 1: dimensions left out are 1. */
static int
parse_threads(struct parser *p, uint32_t to[3])
{
	bool more = true;
	uint64_t v = 0;

	to[0] = to[1] = to[2] = 1;
	for (int i = 0; more && i < 3; i++) {
		if (parse_number(p, UINT32_MAX, "a number of threads", &v) ||
		    parse_skip(p, TOK(','), &more))
			return -1;
		to[i] = (uint32_t)v;
	}
	return more ? parse_expected(p, "at most 3 numbers") : 0;
}

/* .explicitcluster, .reqnctapercluster 2, 1, 1 or .maxclusterrank 8: a kernel whose clusters have
 * several CTAs cannot run (ast_func.bad). */
static int
parse_cluster(struct parser *p, struct ast_func *f)
{
	bool sized = strcmp(p->t.atom->text, "reqnctapercluster") == 0;
	struct tok directive = p->t;
	uint32_t ctas[3];
	struct err *bad;

	if (parse_next(p) || ((sized || parse_is(p, TOK_INT)) && parse_threads(p, ctas)))
		return -1;
	if (!sized || f->bad || (ctas[0] == 1 && ctas[1] == 1 && ctas[2] == 1))
		return 0;
	bad = ast_mem_alloc(p->mem, sizeof(*bad));
	if (!bad)
		return lex_no_memory(&p->lex);
	parse_error(p, &directive,
		    "thread block clusters of several CTAs (__cluster_dims__) are not supported");
	*bad = *p->lex.e;
	err_clear(p->lex.e);
	f->bad = bad;
	return 0;
}

static int
parse_tuning(struct parser *p, struct ast_func *f)
{
	enum parse_dir dir = (enum parse_dir)p->t.atom->dir;
	uint32_t ignored, *to = &ignored;
	uint64_t v;

	switch (dir) {
	case DIR_maxntid:
		return parse_next(p) || parse_threads(p, f->maxntid) ? -1 : 0;
	case DIR_reqntid:
		return parse_next(p) || parse_threads(p, f->reqntid) ? -1 : 0;
	case DIR_pragma:
		return parse_next(p) || parse_pragma(p) ? -1 : 0;
	case DIR_noreturn:
		f->noreturn = true;
		return parse_next(p);
	case DIR_minnctapersm:
		to = &f->minnctapersm;
		break;
	case DIR_maxnreg:
		to = &f->maxnreg;
		break;
	case DIR_maxnctapersm: /* deprecated, and its value has no effect here */
		break;
	case DIR_loc: /* of the opening brace */
		return parse_next(p) || parse_loc(p) ? -1 : 0;
	default:
		return strstr(p->t.atom->text, "cluster") ? parse_cluster(p, f)
							  : parse_unknown_directive(p);
	}
	if (parse_next(p) || parse_number(p, UINT32_MAX, "a number", &v))
		return -1;
	*to = (uint32_t)v;
	return 0;
}

/* The function of that name, new or declared before. */
static int
find_or_add_function(struct parser *p, const struct tok *name, const struct ast_func *f,
		     uint32_t *index)
{
	const struct binding *b = name->atom->bind;
	const struct ast_func *before;
	uint32_t depth = p->depth;

	if (!b) {
		*index = p->func.n;
		p->depth = 0; /* the name belongs to the module, but the scope of the parameters is
				 open */
		b = name_bind(p, name, BIND_FUNC, *index);
		p->depth = depth;
		return b && list_add(p, &p->func, sizeof(*f)) ? 0 : -1;
	}
	if (b->kind != BIND_FUNC)
		return parse_error(p, name, "'%s' is declared twice, before in line %u", f->name,
				   b->line);
	before = (struct ast_func *)p->func.p + b->index;
	if (before->entry != f->entry || before->n_ret != f->n_ret || before->n_param != f->n_param)
		return parse_error(p, name, "'%s' is declared differently in line %u", f->name,
				   before->line);
	*index = b->index;
	return 0;
}

/* A thread that runs past the last instruction returns, so a ret is added unless the last
 * instruction never lets a thread pass. */
static int
add_return(struct parser *p, uint32_t line)
{
	const struct ast_inst *last = (struct ast_inst *)p->inst.p;
	struct ast_inst *ret;
	uint32_t n = p->inst.n;

	if (n && p->last_target < n && last[n - 1].guard < 0 &&
	    (last[n - 1].op == PTX_ret || last[n - 1].op == PTX_exit || last[n - 1].op == PTX_bra ||
	     last[n - 1].op == PTX_brx || last[n - 1].op == PTX_trap))
		return 0;
	ret = list_add(p, &p->inst, sizeof(*ret));
	if (!ret)
		return -1;
	*ret = (struct ast_inst){.op = PTX_ret,
				 .guard = -1,
				 .line = line,
				 .src_file = p->src_file,
				 .src_line = p->src_line,
				 .src_call = p->src_call};
	return 0;
}

static int
parse_body(struct parser *p, struct ast_func *f)
{
	uint32_t line;

	p->src_file = p->src_line = p->src_call = p->last_target = 0;
	p->first_loc = p->loc.n;
	p->bad = NULL;
	if (parse_block(p))
		return -1;
	line = p->t.line;
	f->defined = true;
	if (add_return(p, line) || parse_next(p))
		return -1;
	f->n_reg = p->reg.n;
	f->n_inst = p->inst.n;
	f->n_table = p->table.n;
	f->n_proto = p->proto.n;
	if (!f->bad)
		f->bad = p->bad;
	return list_keep(p, &p->reg, 0, sizeof(struct ast_reg), &f->reg) ||
			       list_keep(p, &p->inst, 0, sizeof(struct ast_inst), &f->inst) ||
			       list_keep(p, &p->table, 0, sizeof(struct ast_table), &f->table) ||
			       list_keep(p, &p->proto, 0, sizeof(struct ast_func), &f->proto)
		       ? -1
		       : 0;
}

int
parse_function(struct parser *p, bool entry)
{
	struct ast_func f = {.entry = entry}, *to;
	struct tok name;
	uint32_t index = 0;

	p->fvar.n = p->reg.n = p->inst.n = p->table.n = p->proto.n = 0;
	while (parse_is_dir(p, DIR_attribute))
		if (parse_attribute(p))
			return -1;
	if (scope_open(p) || parse_signature(p, &f, &p->fvar, true, &name) ||
	    find_or_add_function(p, &name, &f, &index))
		return -1;
	while (parse_is(p, TOK_DOT))
		if (parse_tuning(p, &f))
			return -1;
	to = (struct ast_func *)p->func.p + index;
	if (parse_is(p, TOK('{'))) {
		if (to->defined)
			return parse_error(p, &name, "'%s' is defined twice, before in line %u",
					   f.name, to->line);
		if (parse_body(p, &f))
			return -1;
	} else if (parse_expect(p, ';', "the declaration of a function")) {
		return -1;
	}
	f.n_var = p->fvar.n;
	if (scope_close(p) || names_end_function(p))
		return -1;
	to = (struct ast_func *)p->func.p + index;
	if (to->defined)
		return 0;
	*to = f;
	return list_keep(p, &p->fvar, 0, sizeof(struct ast_var), &to->var);
}
