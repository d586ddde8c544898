/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * names.c - resolves names: scopes, and names that are used before they are declared.
 *
 * Registers and variables are declared before they are used; labels, tables, functions and
 * variables of the module may be declared later. A known name is resolved immediately, an unknown
 * one is pending. At the end of each scope its labels resolve what they can, and the rest passes to
 * the enclosing scope; what remains at the end of a function is looked up at the end of the module.
 * A name that may be a label is always pending, because the label of an inner scope takes
 * precedence over one of an outer scope that was seen before.
 *
 * "%r<100>" is one binding of the atom "%r" with a range. A register is created at its first use,
 * so that unused ones cost nothing, whatever the number.
 */
#include "record/ptx/parse/parse.h"

#include <stdio.h>
#include <string.h>

int
scope_open(struct parser *p)
{
	if (p->depth + 1 >= PARSE_MAX_DEPTH)
		return parse_error(p, &p->t, "blocks are nested deeper than %d levels",
				   PARSE_MAX_DEPTH - 2);
	p->scope[++p->depth] = (struct scope){.pend = p->pend.n};
	return 0;
}

static struct binding *
new_binding(struct parser *p, const struct tok *t, uint32_t depth)
{
	struct binding *b = p->free_bind;

	if (b)
		p->free_bind = b->next;
	else
		b = ast_mem_alloc(&p->lex.tmp, sizeof(*b));
	if (!b) {
		lex_no_memory(&p->lex);
		return NULL;
	}
	*b = (struct binding){.atom = t->atom,
			      .next = p->scope[depth].first,
			      .depth = depth,
			      .line = t->line};
	p->scope[depth].first = b;
	return b;
}

static int
report_redeclared(struct parser *p, const struct tok *t, uint32_t line)
{
	return parse_error(p, t, "'%s' is declared twice, before in line %u", t->atom->text, line);
}

/* What the innermost open scope declared under this name: the name itself, or a range of registers
 * that contains it. NULL: nothing. */
static const struct binding *
find_in_scope(const struct parser *p, const struct atom *a)
{
	const struct binding *r = a->base ? a->base->range : NULL;

	if (a->bind && a->bind->depth == p->depth)
		return a->bind;
	return r && r->depth == p->depth && a->number < r->count ? r : NULL;
}

struct binding *
name_bind(struct parser *p, const struct tok *t, enum bind_kind kind, uint32_t index)
{
	const struct binding *before = find_in_scope(p, t->atom);
	struct binding *b;

	if (before) {
		report_redeclared(p, t, before->line);
		return NULL;
	}
	if (t->atom->sreg) {
		parse_error(p, t, "'%s' is a special register", t->atom->text);
		return NULL;
	}
	b = new_binding(p, t, p->depth);
	if (b) {
		b->kind = kind;
		b->index = index;
		b->local = p->depth > 0 && kind == BIND_VAR;
		b->outer = t->atom->bind;
		t->atom->bind = b;
	}
	return b;
}

int
name_bind_reg(struct parser *p, const struct tok *t, uint8_t type, uint8_t vec, uint32_t count)
{
	struct atom *a = t->atom;
	struct binding *b;

	if (!count) {
		b = name_bind(p, t, BIND_REG, PARSE_UNUSED);
	} else {
		if (a->range && a->range->depth == p->depth)
			return report_redeclared(p, t, a->range->line);
		b = new_binding(p, t, p->depth);
		if (b) {
			b->kind = BIND_REG;
			b->count = count;
			b->outer = a->range;
			a->range = b;
		}
	}
	if (!b)
		return -1;
	b->type = type;
	b->vec = vec;
	return 0;
}

/* A register of range r that has no binding yet. */
static struct binding *
bind_from_range(struct parser *p, const struct tok *t, const struct binding *r)
{
	struct binding *b = new_binding(p, t, r->depth);

	if (!b)
		return NULL;
	b->kind = BIND_REG;
	b->index = PARSE_UNUSED;
	b->type = r->type;
	b->vec = r->vec;
	b->line = r->line;
	b->ranged = true;
	b->outer = t->atom->bind;
	t->atom->bind = b;
	return b;
}

int
name_find(struct parser *p, const struct tok *t, struct binding **found)
{
	struct atom *a = t->atom;
	struct binding *b = a->bind, *r = a->base ? a->base->range : NULL;

	if (r && a->number < r->count && !(b && b->depth > r->depth)) {
		if (!b || b->depth < r->depth)
			b = bind_from_range(p, t, r);
		else if (!b->ranged)
			return report_redeclared(p, t, MAX(b->line, r->line));
		if (!b)
			return -1;
	}
	*found = b;
	return b != NULL;
}

int
name_use_reg(struct parser *p, struct binding *b)
{
	struct ast_reg *r;

	if (b->index != PARSE_UNUSED)
		return 0;
	r = list_add(p, &p->reg, sizeof(*r));
	if (!r)
		return -1;
	*r = (struct ast_reg){.name = b->atom->text, .type = b->type, .vec = b->vec};
	b->index = p->reg.n - 1;
	return 0;
}

struct pending *
name_defer(struct parser *p, const struct tok *t)
{
	struct pending *w = list_add(p, p->depth ? &p->pend : &p->open, sizeof(*w));

	if (w)
		*w = (struct pending){.atom = t->atom, .tok = *t, .opnd = PARSE_UNUSED};
	return w;
}

/* ---- filling in ---- */

static int
fill_reloc(struct parser *p, struct pending *w, const struct binding *b)
{
	if (b->kind != BIND_VAR && b->kind != BIND_FUNC)
		return parse_error(p, &w->tok, "'%s' has no address", w->atom->text);
	w->reloc->is_func = b->kind == BIND_FUNC;
	w->reloc->index = b->index;
	return 0;
}

static int
fill_operand(struct parser *p, struct pending *w, const struct binding *b)
{
	static const uint8_t kind[] = {[BIND_VAR] = AST_VAR,
				       [BIND_FUNC] = AST_FUNC,
				       [BIND_LABEL] = AST_LABEL,
				       [BIND_TABLE] = AST_TABLE,
				       [BIND_PROTO] = AST_PROTO};
	struct ast_opnd *o = (struct ast_opnd *)p->opnd.p + w->opnd;

	if (b->kind == BIND_REG || b->local)
		return parse_error(p, &w->tok, "'%s' is used before it is declared (in line %u)",
				   w->atom->text, b->line);
	if (o->bits && b->kind != BIND_VAR)
		return parse_error(p, &w->tok, "an offset cannot be added to '%s'", w->atom->text);
	o->kind = kind[b->kind];
	o->index = b->index;
	return 0;
}

#define KIND(k) (1u << BIND_##k)

static const struct {
	uint8_t kinds;
	char what[24];
} wants[] = {[WANT_ANY] = {0xff, "name"},
	     [WANT_LABEL] = {KIND(LABEL), "label"},
	     [WANT_JUMP] = {KIND(LABEL) | KIND(TABLE), "label"},
	     [WANT_FUNC] = {KIND(FUNC), "function"},
	     [WANT_CALL] = {KIND(PROTO) | KIND(TABLE), "prototype"}};

static int
fill_pending(struct parser *p, struct pending *w, const struct binding *b)
{
	if (!(wants[w->want].kinds >> b->kind & 1))
		return parse_error(p, &w->tok, "'%s' is not a %s", w->atom->text,
				   wants[w->want].what);
	if (b->kind == BIND_LABEL)
		p->last_target = MAX(p->last_target, b->index);
	if (w->reloc)
		return fill_reloc(p, w, b);
	if (w->opnd != PARSE_UNUSED)
		return fill_operand(p, w, b);
	*w->slot = b->index;
	return 0;
}

static int
report_unknown(struct parser *p, const struct pending *w)
{
	if (w->want != WANT_ANY)
		return parse_error(p, &w->tok, "unknown %s '%s'", wants[w->want].what,
				   w->atom->text);
	return parse_error(p, &w->tok, "unknown name '%s': no %s of that name", w->atom->text,
			   w->reloc ? "variable or function"
				    : "register, variable, label or function");
}

int
scope_close(struct parser *p)
{
	struct scope *s = &p->scope[p->depth];
	struct pending *w = p->pend.p;
	struct binding *b, *next;
	uint32_t kept = s->pend;

	for (uint32_t i = s->pend; i < p->pend.n; i++) {
		b = w[i].atom->bind;
		if (!b || b->depth != p->depth)
			w[kept++] = w[i];
		else if (fill_pending(p, &w[i], b))
			return -1;
	}
	p->pend.n = kept;
	for (b = s->first; b; b = next) {
		next = b->next;
		if (b->count)
			b->atom->range = b->outer;
		else
			b->atom->bind = b->outer;
		b->next = p->free_bind;
		p->free_bind = b;
	}
	p->depth--;
	return 0;
}

/* No label can resolve the names that are still pending here, but a function or a variable of the
 * module may be declared later. */
int
names_end_function(struct parser *p)
{
	struct pending *w = p->pend.p, *to;

	for (uint32_t i = 0; i < p->pend.n; i++) {
		if (w[i].want != WANT_ANY && w[i].want != WANT_FUNC)
			return report_unknown(p, &w[i]);
		to = list_add(p, &p->open, sizeof(*to));
		if (!to)
			return -1;
		*to = w[i];
	}
	p->pend.n = 0;
	return 0;
}

int
names_end_module(struct parser *p)
{
	struct pending *w = p->open.p;

	for (uint32_t i = 0; i < p->open.n; i++) {
		if (!w[i].atom->bind)
			return report_unknown(p, &w[i]);
		if (fill_pending(p, &w[i], w[i].atom->bind))
			return -1;
	}
	return 0;
}

/* ---- special registers ---- */

/* xyz: the register has components. %envreg<n> and %pm<n> are in names_enter_sregs(). */
static const struct {
	char name[32];
	uint8_t sreg;
	bool xyz;
} sregs[] = {
	{"%tid", SREG_TID_X, true},
	{"%ntid", SREG_NTID_X, true},
	{"%ctaid", SREG_CTAID_X, true},
	{"%nctaid", SREG_NCTAID_X, true},
	{"%laneid", SREG_LANEID, false},
	{"%warpid", SREG_WARPID, false},
	{"%nwarpid", SREG_NWARPID, false},
	{"%smid", SREG_SMID, false},
	{"%nsmid", SREG_NSMID, false},
	{"%gridid", SREG_GRIDID, false},
	{"%lanemask_eq", SREG_LANEMASK_EQ, false},
	{"%lanemask_le", SREG_LANEMASK_LE, false},
	{"%lanemask_lt", SREG_LANEMASK_LT, false},
	{"%lanemask_ge", SREG_LANEMASK_GE, false},
	{"%lanemask_gt", SREG_LANEMASK_GT, false},
	{"%clock", SREG_CLOCK, false},
	{"%clock_hi", SREG_CLOCK_HI, false},
	{"%clock64", SREG_CLOCK64, false},
	{"%globaltimer", SREG_GLOBALTIMER, false},
	{"%globaltimer_lo", SREG_GLOBALTIMER_LO, false},
	{"%globaltimer_hi", SREG_GLOBALTIMER_HI, false},
	{"%dynamic_smem_size", SREG_DYNAMIC_SMEM_SIZE, false},
	{"%reserved_smem_offset_begin", SREG_RESERVED_BEGIN, false},
	{"%reserved_smem_offset_end", SREG_RESERVED_END, false},
	{"%reserved_smem_offset_cap", SREG_RESERVED_CAP, false},
	{"%reserved_smem_offset_0", SREG_RESERVED_0, false},
	{"%reserved_smem_offset_1", SREG_RESERVED_1, false},
	{"%total_smem_size", SREG_TOTAL_SMEM_SIZE, false},
	/* every cluster is a single CTA */
	{"%aggr_smem_size", SREG_TOTAL_SMEM_SIZE, false},
	{"%clusterid", SREG_CTAID_X, true},
	{"%nclusterid", SREG_NCTAID_X, true},
	{"%cluster_ctaid", PARSE_SREG_0, true},
	{"%cluster_nctaid", PARSE_SREG_1, true},
	{"%cluster_ctarank", PARSE_SREG_0, false},
	{"%cluster_nctarank", PARSE_SREG_1, false},
};

static int
enter_sreg(struct parser *p, const char *name, unsigned sreg, bool xyz, int64_t number)
{
	struct atom *a = lex_atom(&p->lex, name, strlen(name), false);

	if (!a)
		return -1;
	a->sreg = (uint16_t)(sreg + 1);
	a->sreg_xyz = xyz;
	a->sreg_number = (uint8_t)number;
	return 0;
}

int
names_enter_sregs(struct parser *p)
{
	char name[16];

	for (unsigned i = 0; i < ARRAY_LEN(sregs); i++)
		if (enter_sreg(p, sregs[i].name, sregs[i].sreg, sregs[i].xyz, 0))
			return -1;
	for (int i = 0; i < 32 + 8; i++) {
		snprintf(name, sizeof(name), i < 32 ? "%%envreg%d" : "%%pm%d", i % 32);
		if (enter_sreg(p, name, i < 32 ? SREG_ENVREG : SREG_PM, false, i % 32))
			return -1;
	}
	return 0;
}

int
name_unknown_register(struct parser *p, const struct tok *t)
{
	const struct atom *a = t->atom;
	const struct binding *r = a->base ? a->base->range : NULL;
	const char *names[ARRAY_LEN(sregs)];
	char what[160];

	if (r)
		return parse_error(p, t, "unknown register '%s': there are %s0 to %s%u", a->text,
				   a->base->text, a->base->text, r->count - 1);
	for (unsigned i = 0; i < ARRAY_LEN(sregs); i++)
		names[i] = sregs[i].name;
	snprintf(what, sizeof(what), "unknown register '%.60s', neither declared nor special",
		 a->text);
	return parse_unknown(p, t, what, a->text, names, ARRAY_LEN(names));
}
