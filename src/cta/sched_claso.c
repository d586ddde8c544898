/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_claso.c - CLASO, admission by credits (Yu et al. 3.1, Algorithm 1).
 *
 * Every core has a local credit register, and the GPU has a global one. A request for a CTA spends
 * a local credit. While at least pa + pl local credits remain it is granted; below that it also
 * spends a global credit. Fast cores therefore cannot take the last CTAs from the others. A request
 * is made once per freed slot, and registers stop at -1 (ctascope-model(7) 17.11).
 *
 * In a stack that switches cores off, the local credits of a core return to the global register
 * when the core goes off. From then on a core without local credits may spend global ones;
 * otherwise the CTAs for which the credits stood would never be issued (ctascope-model(7) 17.11).
 */
#include "cta/cta.h"

struct claso_opts {
	opt_u32 pa, pl;
};
static const struct opt_row claso_opts[] = {
	CTA_PARAM(struct claso_opts, pa, u32, 1, 1, 64, "credits",
		  "number of a core's last CTAs that also need a global credit"),
	CTA_PARAM(struct claso_opts, pl, u32, 0, 0, 64, "credits",
		  "local credits beyond the even share"),
};

enum { R_LOCAL, R_GLOBAL, R_NO_LOCAL, R_NO_GLOBAL, R_RETURN, R_RETURNED };
static const struct rule claso_rules[] = {
	[R_LOCAL] = {"local-credit",
		     "local credits {old} -> {new}, at least pa + pl = {reserve} left",
		     .value = {"old", "new", "reserve"}},
	[R_GLOBAL] = {"global-credit",
		      "local credits {old} -> {new} below pa + pl = {reserve}, global credits "
		      "{global_old} -> {global_new}",
		      .value = {"old", "new", "reserve", "global_old", "global_new"}},
	[R_NO_LOCAL] = {"no-local-credit", "local credits {old} -> {new}: none left",
			.value = {"old", "new"}, .refuses = REFUSE_LOCAL_CREDIT},
	[R_NO_GLOBAL] = {"no-global-credit",
			 "local credits {old} -> {new} below pa + pl = {reserve}, global credits "
			 "{global_old} -> {global_new}: none left",
			 .value = {"old", "new", "reserve", "global_old", "global_new"},
			 .refuses = REFUSE_GLOBAL_CREDIT},
	[R_RETURN] = {"credits-return",
		      "the core is off: local credits {old} -> 0, global credits {global_old} -> "
		      "{global_new}",
		      .value = {"old", "global_old", "global_new"}},
	[R_RETURNED] = {"returned-credit",
			"no local credit left, global credits {global_old} -> {global_new}, of "
			"{returned} that switched-off cores returned",
			.value = {"global_old", "global_new", "returned"}},
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
	CTA_CREDITS(struct claso, global, u64, "global credit register"),
	CTA_CREDITS_CORE(struct claso_core, local, u64, "local credit register"),
	CTA_FIELD(struct claso, returned, u64, "credits",
		  "local credits that switched-off cores returned"),
};

static struct claso_core *
claso_cores(const struct cta_ctx *x)
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
			claso_cores(x)[i].local = (int64_t)((n + cores - 1) / cores + o->pl);
}

static void
claso_gated(struct cta_ctx *x, unsigned core)
{
	struct claso *s = x->state;
	int64_t *local = &claso_cores(x)[core].local, back = MAX(*local, 0);
	struct reason r = {R_RETURN, {*local, s->global, MAX(s->global, 0) + back}};

	if (x->gpu->core[core].unused)
		return;
	s->global = r.v[2];
	s->returned += back;
	*local = MIN(*local, 0);
	if (back)
		x->call->publish(x, EV_CREDIT, (int)core, &r);
}

/* Without a local credit, spends one that other cores have returned. */
static bool
spend_returned(struct claso *s, struct verdict *v)
{
	if (!s->returned || s->global <= 0)
		return false;
	s->global--;
	s->spent_global++;
	v->why = (struct reason){R_RETURNED, {s->global + 1, s->global, s->returned}};
	return true;
}

static void
claso_request(struct cta_ctx *x, unsigned core, struct verdict *v)
{
	const struct claso_opts *o = x->opts;
	struct claso *s = x->state;
	int64_t *local = &claso_cores(x)[core].local, reserve = (int64_t)o->pa + o->pl;

	v->event = EV_CREDIT;
	v->why = (struct reason){R_LOCAL, {*local, MAX(*local - 1, -1), reserve}};
	*local = MAX(*local - 1, -1);
	if (*local >= reserve || (*local < 0 && spend_returned(s, v)))
		return;
	if (*local < 0) {
		v->why.rule = R_NO_LOCAL;
	} else {
		v->why.rule = s->global > 0 ? R_GLOBAL : R_NO_GLOBAL;
		v->why.v[3] = s->global;
		s->global = MAX(s->global - 1, -1);
		v->why.v[4] = s->global;
	}
	v->allow = v->why.rule == R_GLOBAL;
	if (v->allow)
		s->spent_global++;
	else
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
