/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_bcs.c - BCS, block CTA scheduling (Lee et al., HPCA 2014, section 4).
 * The paper was not at hand: this follows what is known of it.
 *
 * Neighbouring CTAs often read the same lines. CTAs are handed out in blocks of consecutive
 * numbers, so that neighbours run on one core at the same time and share its L1. A core takes a
 * block only when it has room for all of it; the rest of a block that has begun is kept for its
 * core. The last block of a kernel may be shorter, and on a core with room for fewer CTAs than a
 * block has, blocks are as large as that room.
 */
#include "cta/cta.h"

struct bcs_opts {
	opt_u32 block;
};
static const struct opt_row bcs_opts[] = {
	CTA_PARAM(struct bcs_opts, block, u32, 2, 1, MAX_CTAS, "CTAs",
		  "consecutive CTAs that go to one core together"),
};

enum { R_NO_ROOM, R_KEPT, R_NEW_BLOCK, R_SAME_BLOCK };
static const struct rule bcs_rules[] = {
	[R_NO_ROOM] = {"no-room-for-a-block", "room for {free} CTAs, but a block has {block}",
		       .value = {"free", "block"}},
	[R_KEPT] = {"kept", "the remaining CTAs belong to blocks of other cores"},
	[R_NEW_BLOCK] = {"new-block", "CTA {cta} in slot {slot}, the first of a block of {block}",
			 .value = {"block"}},
	[R_SAME_BLOCK] = {"same-block",
			  "CTA {cta} in slot {slot}, the next of the core's block, of which {left} "
			  "were left",
			  .value = {"left"}},
};

struct bcs {
	uint64_t next; /* first CTA of the next block */
};
struct bcs_core { /* the CTAs kept for a core: those from next to before end */
	uint32_t next, end;
};

static const struct cta_field bcs_fields[] = {
	CTA_FIELD(struct bcs, next, u64, "CTA", "first CTA of the next block"),
	CTA_FIELD_CORE(struct bcs_core, next, u32, "CTA", "next CTA of the core's block"),
	CTA_FIELD_CORE(struct bcs_core, end, u32, "CTA", "end of the core's block"),
};

static struct bcs_core *
bcs_core(const struct cta_ctx *x, unsigned core)
{
	return (struct bcs_core *)((char *)x->state + sizeof(struct bcs)) + core;
}

static uint32_t
block_size(const struct cta_ctx *x)
{
	const struct bcs_opts *o = x->opts;
	const struct bcs *s = x->state;
	uint64_t left = x->gpu->n_cta - MIN(s->next, x->gpu->n_cta);

	return (uint32_t)MIN(MIN(o->block, x->gpu->n_max), left);
}

/* Moves on to the next CTA that was not issued. */
static void
skip_issued(const struct cta_ctx *x, struct bcs *s)
{
	while (s->next < x->gpu->n_cta && x->call->was_issued(x, (uint32_t)s->next))
		s->next++;
}

static void
bcs_kernel(struct cta_ctx *x)
{
	skip_issued(x, x->state);
}

static uint32_t
bcs_next_cta(const struct cta_ctx *x, unsigned core, struct reason *why)
{
	const struct bcs *s = x->state;
	const struct bcs_core *c = bcs_core(x, core);
	uint32_t cta = c->next;

	while (cta < c->end && x->call->was_issued(x, cta))
		cta++;
	if (cta < c->end) {
		*why = (struct reason){R_SAME_BLOCK, {c->end - cta}};
		return cta;
	}
	*why = (struct reason){R_NEW_BLOCK, {block_size(x)}};
	return (uint32_t)s->next;
}

static void
bcs_may(const struct cta_ctx *x, unsigned core, struct verdict *v)
{
	const struct cta_core *view = &x->gpu->core[core];
	const struct bcs_core *c = bcs_core(x, core);
	uint32_t block = block_size(x), room = MIN(view->limit, view->n_max);

	room = room > view->resident ? room - view->resident : 0;
	if (c->next < c->end)
		return;
	v->allow = block && room >= MIN(block, MIN(view->limit, view->n_max));
	if (!v->allow)
		v->why = block ? (struct reason){R_NO_ROOM, {room, block}}
			       : (struct reason){R_KEPT, {0}};
}

static void
bcs_issued(struct cta_ctx *x, unsigned core, uint32_t cta)
{
	struct bcs *s = x->state;
	struct bcs_core *c = bcs_core(x, core);

	if (c->next >= c->end) {
		c->end = (uint32_t)s->next + block_size(x);
		s->next = c->end;
		skip_issued(x, s);
	}
	c->next = cta + 1;
}

const struct cta_sched_ops cta_sched_bcs = {
	.name = "bcs",
	.help = "consecutive CTAs go to one core in blocks (Lee 4)",
	.abi = CTA_SCHED_ABI,
	.role = CTA_ROLE_ORDER,
	.rules = bcs_rules,
	.n_rules = ARRAY_LEN(bcs_rules),
	.opts = bcs_opts,
	.n_opts = ARRAY_LEN(bcs_opts),
	.opts_size = sizeof(struct bcs_opts),
	.state_size = sizeof(struct bcs),
	.core_size = sizeof(struct bcs_core),
	.fields = bcs_fields,
	.n_fields = ARRAY_LEN(bcs_fields),
	.kernel = bcs_kernel,
	.may = bcs_may,
	.next_cta = bcs_next_cta,
	.issued = bcs_issued,
};
