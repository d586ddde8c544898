/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * live_alloc.c - gives values their machine registers (points 3 and 4 of live.c): copies share one,
 * and a linear scan assigns the rest.
 */
#include "record/ptx/sass/live.h"

#include <stdlib.h>

#define FIRST_WRAP 254u
#define MAX_PHYS 65536u

static bool
ranges_overlap(const struct value *a, const struct value *b)
{
	uint32_t i = a->n, k = b->n;

	while (i && k) {
		const struct range *x = &a->range[i - 1], *y = &b->range[k - 1];

		if (x->from < y->to && y->from < x->to)
			return true;
		if (x->to <= y->to)
			i--;
		else
			k--;
	}
	return false;
}

/* ---------------------------------------------------------------- copies */

static uint32_t
find_class(const struct live *l, uint32_t r)
{
	while (l->v[r].same_as != r) {
		l->v[r].same_as = l->v[l->v[r].same_as].same_as;
		r = l->v[r].same_as;
	}
	return r;
}

/* Adds the ranges of b to a, which represents both. */
static void
merge_ranges(struct live *l, uint32_t a, uint32_t b)
{
	struct value *x = &l->v[a], *y = &l->v[b], sum = {0};
	uint32_t i = 0, k = 0;

	while (i < x->n || k < y->n) {
		const struct range *r;

		if (k == y->n || (i < x->n && x->range[i].to > y->range[k].to))
			r = &x->range[i++];
		else
			r = &y->range[k++];
		live_add_range(l, &sum, r->from, r->to);
	}
	free(x->range);
	free(y->range);
	x->range = sum.range;
	x->n = sum.n;
	x->cap = sum.cap;
	y->range = NULL;
	y->n = y->cap = 0;
	y->same_as = a;
	x->width = MAX(x->width, y->width);
}

/* Is it a conversion between integers that only removes or adds high bits? */
static bool
is_resize(const struct prog_inst *in)
{
	uint32_t to, from;

	if (in->op != PTX_cvt || in->n_dst != 1 || in->n_src != 1 || (in->flags & PF_SAT) ||
	    ptx_is_float((enum ptx_type)in->type) || ptx_is_float((enum ptx_type)in->type2))
		return false;
	to = ptx_type_bytes((enum ptx_type)in->type);
	from = ptx_type_bytes((enum ptx_type)in->type2);
	return to >= 4 && from >= 4;
}

static void
share_copies(struct live *l)
{
	uint32_t i, d, s, cd, cs;

	for (i = 0; i < l->f->n_inst; i++) {
		const struct prog_inst *in = &l->f->inst[i];
		bool copy = live_is_copy(in);
		struct value *x, *y;

		if ((!copy && !is_resize(in)) || (in->flags & (PF_GUARD | PF_GUARD_NOT)))
			continue;
		d = live_reg(l->f, in->dst[0]);
		s = live_reg(l->f, in->src[0]);
		if (d == UINT32_MAX || s == UINT32_MAX || !l->v[d].width || !l->v[s].width)
			continue;
		cd = find_class(l, d);
		cs = find_class(l, s);
		x = &l->v[cs];
		y = &l->v[cd];
		if (cd == cs || l->f->ast->reg[d].vec > 1 || l->f->ast->reg[s].vec > 1)
			continue;
		if (x->is_one_value && y->is_one_value && cd == d && l->v[d].n_defs == 1) {
			merge_ranges(l, cs, cd);
		} else if (copy && x->width == y->width && !ranges_overlap(x, y)) {
			merge_ranges(l, cs, cd);
			l->v[cs].is_one_value = false;
		}
	}
}

/* ---------------------------------------------------------------- linear scan */

struct start {
	uint32_t at, value;
};

static int
compare_starts(const void *a, const void *b)
{
	const struct start *x = a, *y = b;

	return x->at != y->at ? (x->at < y->at ? -1 : 1)
			      : (x->value > y->value) - (x->value < y->value);
}

struct machine {
	struct list {
		uint32_t *value, n, cap;
	} * reg; /* the values of each register; is_free() drops those that have ended */
	uint32_t n;
};

static bool
is_free(const struct live *l, struct list *reg, const struct value *v, uint32_t start)
{
	uint32_t i, kept = 0;
	bool free_ = true;

	for (i = 0; i < reg->n; i++) {
		const struct value *o = &l->v[reg->value[i]];

		if (o->range[0].to <= start)
			continue;
		reg->value[kept++] = reg->value[i];
		free_ = free_ && !ranges_overlap(o, v);
	}
	reg->n = kept;
	return free_;
}

static int
take_register(struct machine *m, uint32_t reg, uint32_t value)
{
	struct list *r = &m->reg[reg];
	uint32_t cap, *grown;

	if (r->n == r->cap) {
		cap = r->cap ? r->cap * 2 : 4;
		grown = realloc(r->value, cap * sizeof(*grown));
		if (!grown)
			return -1;
		r->value = grown;
		r->cap = cap;
	}
	r->value[r->n++] = value;
	return 0;
}

static int
place_value(struct live *l, struct machine *m, uint32_t value, uint32_t start)
{
	struct value *v = &l->v[value];
	uint32_t step = v->width == 3 ? 4 : v->width, p, k;

	for (p = 0; p + v->width <= m->n; p += step) {
		for (k = 0; k < v->width; k++)
			if (p + k == 1 || !is_free(l, &m->reg[p + k], v, start))
				break;
		if (k == v->width)
			break;
	}
	if (p + v->width > m->n)
		return -1;
	v->phys = p;
	for (k = 0; k < v->width; k++)
		if (take_register(m, p + k, value))
			return -1;
	return 0;
}

static int
scan_ranges(struct live *l)
{
	struct start *s = calloc(l->n + 1, sizeof(*s));
	struct machine m = {.n = MIN(8 * l->n + 16, MAX_PHYS)};
	uint32_t i, n = 0, used = 0;
	int r = 0;

	m.reg = calloc(m.n, sizeof(*m.reg));
	if (!s || !m.reg)
		r = -1;
	for (i = 0; !r && i < l->n; i++)
		if (l->v[i].same_as == i && l->v[i].width && l->v[i].n)
			s[n++] = (struct start){l->v[i].range[l->v[i].n - 1].from, i};
	if (!r)
		qsort(s, n, sizeof(*s), compare_starts);
	for (i = 0; !r && i < n; i++) {
		r = place_value(l, &m, s[i].value, s[i].at);
		used = MAX(used, l->v[s[i].value].phys + l->v[s[i].value].width);
	}
	for (i = 0; m.reg && i < m.n; i++)
		free(m.reg[i].value);
	free(m.reg);
	free(s);
	l->f->regs = MIN(MAX(used, 2u), 255u); /* R0 and R1 are always there */
	return r;
}

static uint8_t
wrap_register(uint32_t phys)
{
	return (uint8_t)(phys < FIRST_WRAP ? phys : 2 + (phys - 2) % (FIRST_WRAP - 2));
}

static void
number_registers(struct live *l)
{
	uint32_t i;

	for (i = 0; i < l->n; i++) {
		const struct value *v = &l->v[find_class(l, i)];

		l->f->phys[i] = v->width && v->n ? wrap_register(v->phys) : NO_REG;
	}
}

int
live_allocate(struct live *l)
{
	share_copies(l);
	if (l->failed || scan_ranges(l))
		return -1;
	number_registers(l);
	return 0;
}
