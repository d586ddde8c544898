/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_clustering.c - CTA clustering (Li et al., ASPLOS 2017, section 4).
 * The paper was not at hand: this follows what is known of it.
 *
 * The grid is cut into as many parts of consecutive CTAs as there are cores, and each core runs
 * its own part: CTAs that share data meet in one L1, whenever they run. A core that has finished
 * its part takes the last CTA of the part in which most are left; with steal=off it stays empty, as
 * with the static partition of the paper. Only the partition along x is here: CTAs are consecutive
 * in the order of their numbers.
 */
#include "cta/cta.h"

struct clustering_opts {
	opt_bool steal;
};
static const struct opt_row clustering_opts[] = {
	CTA_PARAM(struct clustering_opts, steal, bool, 1, 0, 1, "",
		  "a core that has finished its part takes CTAs of other parts"),
};

enum { R_PART_DONE, R_OWN_PART, R_OTHER_PART };
static const struct rule clustering_rules[] = {
	[R_PART_DONE] = {"part-done", "all CTAs of the core's part have been issued"},
	[R_OWN_PART] =
		{"own-part",
		 "CTA {cta} in slot {slot}, the next of the core's part, of which {left} were left",
		 .value = {"left"}},
	[R_OTHER_PART] = {"other-part",
			  "CTA {cta} in slot {slot}, the last of the part of core {of}, of which "
			  "{left} were left: the core's own part is done",
			  .value = {"left", "of"}},
};

struct clustering_core { /* the CTAs of its part that are left: from next to before end */
	uint32_t next, end;
};

static const struct cta_field clustering_fields[] = {
	CTA_FIELD_CORE(struct clustering_core, next, u32, "CTA", "next CTA of the core's part"),
	CTA_FIELD_CORE(struct clustering_core, end, u32, "CTA",
		       "end of the rest of the core's part"),
};

/* Drops the CTAs at both ends of a part that were issued. */
static void
trim_part(const struct cta_ctx *x, struct clustering_core *c)
{
	while (c->next < c->end && x->call->was_issued(x, c->next))
		c->next++;
	while (c->next < c->end && x->call->was_issued(x, c->end - 1))
		c->end--;
}

/* Cuts the kernel into parts whose sizes differ by one at most. */
static void
clustering_kernel(struct cta_ctx *x)
{
	struct clustering_core *c = x->state;
	uint64_t part = 0;

	for (unsigned i = 0; i < x->gpu->n_cores; i++) {
		if (x->gpu->core[i].unused)
			continue;
		c[i].next = (uint32_t)(x->gpu->n_cta * part / x->gpu->n_used);
		c[i].end = (uint32_t)(x->gpu->n_cta * ++part / x->gpu->n_used);
		trim_part(x, &c[i]);
	}
}

/* The part with most CTAs left, the first of equal ones. */
static const struct clustering_core *
largest_part(const struct cta_ctx *x)
{
	const struct clustering_core *c = x->state, *most = c;

	for (unsigned i = 1; i < x->gpu->n_cores; i++)
		if (c[i].end - c[i].next > most->end - most->next)
			most = &c[i];
	return most;
}

static uint32_t
clustering_next_cta(const struct cta_ctx *x, unsigned core, struct reason *why)
{
	const struct clustering_core *parts = x->state, *c = &parts[core];

	if (c->next < c->end) {
		*why = (struct reason){R_OWN_PART, {c->end - c->next}};
		return c->next;
	}
	c = largest_part(x);
	*why = (struct reason){R_OTHER_PART, {c->end - c->next, c - parts}};
	return c->end - 1;
}

static void
clustering_may(const struct cta_ctx *x, unsigned core, struct verdict *v)
{
	const struct clustering_opts *o = x->opts;
	const struct clustering_core *c = (const struct clustering_core *)x->state + core;

	v->allow = o->steal || c->next < c->end;
	v->why.rule = R_PART_DONE;
}

static void
clustering_issued(struct cta_ctx *x, unsigned core, uint32_t cta)
{
	struct clustering_core *c = x->state;

	(void)core;
	(void)cta;
	for (unsigned i = 0; i < x->gpu->n_cores; i++)
		trim_part(x, &c[i]);
}

const struct cta_sched_ops cta_sched_clustering = {
	.name = "clustering",
	.help = "each core runs a part of consecutive CTAs (Li et al. 4)",
	.abi = CTA_SCHED_ABI,
	.role = CTA_ROLE_ORDER,
	.rules = clustering_rules,
	.n_rules = ARRAY_LEN(clustering_rules),
	.opts = clustering_opts,
	.n_opts = ARRAY_LEN(clustering_opts),
	.opts_size = sizeof(struct clustering_opts),
	.core_size = sizeof(struct clustering_core),
	.fields = clustering_fields,
	.n_fields = ARRAY_LEN(clustering_fields),
	.kernel = clustering_kernel,
	.may = clustering_may,
	.next_cta = clustering_next_cta,
	.issued = clustering_issued,
};
