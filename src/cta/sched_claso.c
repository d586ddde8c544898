/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_claso.c - CLASO, admission by credits (Yu et al. 3.1, Algorithm 1).
 *
 * Every core has a local credit register, the GPU a global one. A request for a CTA spends a local
 * credit; as long as pa + pl or more remain it is granted, below that it also spends a global one.
 * So cores that run ahead cannot take the last CTAs from the others. A request is made once per
 * freed slot, and registers stop at -1 (schedulers.md).
 *
 * In a stack that switches cores off, the local credits a core still has when it goes off return to
 * the global register; from then on a core without local credits may spend global ones, else the
 * CTAs they stood for would never be issued (schedulers.md, Composition).
 */
#include "cta/cta.h"

#define OPT DECL_FIELD
struct claso_opts {
#include "cta/claso.def"
};
#undef OPT

#define OPT(type, name, def, min, max, unit, help) \
	DECL_ROW(struct claso_opts, type, name, def, min, max, unit, help)
static const struct opt_row claso_opts[] = {
#include "cta/claso.def"
};
#undef OPT

enum { R_LOCAL, R_GLOBAL, R_NO_LOCAL, R_NO_GLOBAL, R_RETURN, R_RETURNED };
static const struct rule claso_rules[] = {
	[R_LOCAL] = {"local-credit",
		     "local credits {0} -> {1}, at least pa + pl = {2} left",
		     {"old", "new", "reserve"}},
	[R_GLOBAL] = {"global-credit",
		      "local credits {0} -> {1} below pa + pl = {2}, global credits {3} -> {4}",
		      {"old", "new", "reserve", "global_old", "global_new"}},
	[R_NO_LOCAL] = {"no-local-credit", "local credits {0} -> {1}: none left", {"old", "new"}},
	[R_NO_GLOBAL] = {"no-global-credit",
			 "local credits {0} -> {1} below pa + pl = {2}, global credits {3} -> {4}: "
			 "none left",
			 {"old", "new", "reserve", "global_old", "global_new"}},
	[R_RETURN] = {"credits-return",
		      "the core is off: local credits {0} -> 0, global credits {1} -> {2}",
		      {"old", "global_old", "global_new"}},
	[R_RETURNED] = {"returned-credit",
			"no local credit left, global credits {0} -> {1}, of {2} that cores gone "
			"off returned",
			{"global_old", "global_new", "returned"}},
};

struct claso {
	int64_t global;
	int64_t spent_global;
	int64_t returned; /* by cores that went off */
};
struct claso_core {
	int64_t local;
};

static const struct cta_field claso_fields[] = {
	CTA_FIELD(struct claso, global, u64, "credits", "global credit register"),
	CTA_FIELD_CORE(struct claso_core, local, u64, "credits", "local credit register"),
	CTA_FIELD(struct claso, returned, u64, "credits",
		  "local credits that cores gone off returned"),
};

static struct claso_core *
cores_of(const struct cta_ctx *x)
{
	return (struct claso_core *)((char *)x->state + sizeof(struct claso));
}

static void
claso_kernel(struct cta_ctx *x)
{
	const struct claso_opts *o = x->opts;
	uint64_t n = MAX(x->gpu->n_cta - x->gpu->issued, 1), cores = MAX(x->gpu->n_used, 1);
	struct claso *s = x->state;

	s->global = (int64_t)((n - 1) % cores + 1 + (o->pa - 1) * cores);
	for (unsigned i = 0; i < x->gpu->n_cores; i++)
		if (!x->gpu->core[i].unused)
			cores_of(x)[i].local = (int64_t)((n + cores - 1) / cores + o->pl);
}

static void
claso_gated(struct cta_ctx *x, unsigned core)
{
	struct claso *s = x->state;
	int64_t *local = &cores_of(x)[core].local, back = MAX(*local, 0);
	struct reason r = {R_RETURN, 3, {*local, s->global, MAX(s->global, 0) + back}};

	if (x->gpu->core[core].unused)
		return;
	s->global = r.v[2];
	s->returned += back;
	*local = MIN(*local, 0);
	if (back)
		x->call->publish(x, EV_CREDIT, (int)core, &r);
}

/* No local credit is left: what other cores returned may do instead. */
static bool
spend_returned(struct claso *s, struct verdict *v)
{
	if (!s->returned || s->global <= 0)
		return false;
	v->rule = R_RETURNED;
	v->n_v = 3;
	v->v[0] = s->global--;
	v->v[1] = s->global;
	v->v[2] = s->returned;
	s->spent_global++;
	return true;
}

static void
claso_request(struct cta_ctx *x, unsigned core, struct verdict *v)
{
	const struct claso_opts *o = x->opts;
	struct claso *s = x->state;
	int64_t *local = &cores_of(x)[core].local, reserve = (int64_t)o->pa + o->pl;

	v->v[0] = *local;
	*local = MAX(*local - 1, -1);
	v->v[1] = *local;
	v->v[2] = reserve;
	v->n_v = 3;
	v->event = EV_CREDIT;
	if (*local >= reserve) {
		v->rule = R_LOCAL;
		return;
	}
	if (*local < 0 && spend_returned(s, v))
		return;
	if (*local < 0) {
		v->rule = R_NO_LOCAL;
		v->n_v = 2;
		v->allow = false;
		v->event = EV_CREDIT_EXHAUSTED;
		return;
	}
	v->v[3] = s->global;
	s->global = MAX(s->global - 1, -1);
	v->v[4] = s->global;
	v->n_v = 5;
	if (s->global >= 0) {
		v->rule = R_GLOBAL;
		s->spent_global++;
		return;
	}
	v->rule = R_NO_GLOBAL;
	v->allow = false;
	v->event = EV_CREDIT_EXHAUSTED;
}

const struct cta_sched_ops cta_sched_claso = {
	.name = "claso",
	.help = "admission by local and global credits (Yu et al. 3.1)",
	.abi = CTA_SCHED_ABI,
	.rules = claso_rules,
	.n_rules = ARRAY_LEN(claso_rules),
	.opts = claso_opts,
	.n_opts = ARRAY_LEN(claso_opts),
	.opts_size = sizeof(struct claso_opts),
	.state_size = sizeof(struct claso),
	.core_size = sizeof(struct claso_core),
	.fields = claso_fields,
	.n_fields = ARRAY_LEN(claso_fields),
	.kernel = claso_kernel,
	.request = claso_request,
	.gated = claso_gated,
};
