/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * profile.c - profiles instructions: how often each was issued and with how many lanes, and what
 * warps waited for at it.
 *
 * Only the L1 look-ups of loads are counted as they happen. The records that a warp has issued are
 * those of its stream up to its head, so they are added up when the profile is read and when the
 * CTA ends. What warps wait for is sampled at the end of every sample of the time series, weighted
 * by the length of the sample.
 *
 * Everything here lies outside the arena, because a profile is not part of the machine's state.
 * After a restore it restarts.
 */
#include "sim/sim_priv.h"
#include <stdlib.h>
#include <string.h>

struct profile {
	cycle_t since;
	struct inst_profile *
		*of; /* [n_kernels]; kernels with the same code share one; NULL: none yet */
	bool *owner; /* [n_kernels]: this kernel frees the table */
	uint32_t (*mark)[MAX_WARPS]; /* [n_cores]: records of each warp already counted */
	struct inst_profile *l1;     /* [n_places][code_room]: the look-ups not yet in a table of a
					kernel; NULL: one kernel runs, and they go there at once */
};

static bool
same_code(const struct trace_kernel *a, const struct trace_kernel *b)
{
	if (a->n_inst != b->n_inst || strcmp(a->name, b->name))
		return false;
	for (uint32_t i = 0; i < a->n_inst; i++)
		if (a->inst[i].pc != b->inst[i].pc || a->inst[i].cls != b->inst[i].cls)
			return false;
	return true;
}

/* The table of the running kernel; NULL when memory runs out, in which case the kernel is not
 * counted. */
static struct inst_profile *
find_table(struct sim *s, uint32_t kernel)
{
	struct profile *p = s->profile;
	const struct trace_kernel *t = &s->info->kernel[kernel];

	for (uint32_t k = 0; !p->of[kernel] && k < s->info->n_kernels; k++)
		if (p->of[k] && same_code(&s->info->kernel[k], t))
			p->of[kernel] = p->of[k];
	if (!p->of[kernel]) {
		p->of[kernel] = calloc(t->n_inst + 1, sizeof(struct inst_profile));
		p->owner[kernel] = p->of[kernel];
	}
	return p->of[kernel];
}

/* Counts the records of a warp up to `to`. */
static void
count_warp(struct sim *s, unsigned core, unsigned w, uint32_t to, struct inst_profile *t)
{
	const struct winst *rec = s->core[core].stream[w].rec;
	uint32_t *mark = &s->profile->mark[core][w];

	for (uint32_t i = *mark; rec && i < to; i++) {
		t[rec[i].inst].issued++;
		t[rec[i].inst].lanes += (unsigned)__builtin_popcount(rec[i].mask);
	}
	*mark = MAX(*mark, to);
}

/* Calls fn for the warps of resident CTAs, including warps that have exited before their CTA. */
static void
for_each_warp(struct sim *s, void (*fn)(struct sim *s, unsigned core, unsigned w, uint32_t head,
					struct inst_profile *t))
{
	for (unsigned c = 0; s->machine->running && c < s->n_cores; c++)
		for (uint32_t k = core_used(s->core[c].core); k; k &= k - 1) {
			unsigned slot = (unsigned)__builtin_ctz(k);
			struct inst_profile *t = find_table(s, concurrent_kernel_of(s, c, slot));
			uint64_t m = core_slot(s->core[c].core, slot).all_warps;

			for (; t && m; m &= m - 1) {
				unsigned w = (unsigned)__builtin_ctzll(m);

				fn(s, c, w, core_warp(s->core[c].core, w)->head, t);
			}
		}
}

/* Where kernels run together, the look-ups in L1 are counted by place. Adds those of the selected
 * place to the table of its kernel. */
static void
take_l1_counts(struct sim *s)
{
	const uint32_t kernel = s->stack.host->kernel;
	struct inst_profile *t = find_table(s, kernel), *l1 = s->profile->l1;

	if (!l1)
		return;
	l1 += concurrent_code_base(s);
	for (uint32_t i = 0; i < s->info->kernel[kernel].n_inst; i++) {
		if (t) {
			t[i].l1_accesses += l1[i].l1_accesses;
			t[i].l1_misses += l1[i].l1_misses;
		}
		l1[i] = (struct inst_profile){0};
	}
}

static void
skip_warp(struct sim *s, unsigned core, unsigned w, uint32_t head,
	  struct inst_profile *t ATTR_UNUSED)
{
	s->profile->mark[core][w] = head;
}

/* Counts into a table from now on; NULL: not any more. */
static void
listen_to_l1(struct sim *s, struct inst_profile *t)
{
	s->l1_listener.profile = t;
	warps_attach(s);
}

void
profile_kernel(struct sim *s, uint32_t kernel)
{
	struct inst_profile *t = s->profile ? find_table(s, kernel) : NULL;

	listen_to_l1(s, s->profile && s->concurrent ? s->profile->l1 : t);
}

void
profile_cta_left(struct sim *s, unsigned core, unsigned slot)
{
	const struct cta_trace *cta = s->pin[core][slot];
	struct inst_profile *t = find_table(s, s->stack.host->kernel);

	for (uint64_t m = core_slot(s->core[core].core, slot).all_warps; m; m &= m - 1) {
		unsigned w = (unsigned)__builtin_ctzll(m);
		unsigned i = core_warp(s->core[core].core, w)->warp_in_cta;

		if (t && cta && i < cta->n_warps)
			count_warp(s, core, w, cta->warp[i].n, t);
		s->profile->mark[core][w] = 0;
	}
	take_l1_counts(s);
}

/* Adds the wait of a warp at its next instruction. */
static void
sample_warp(struct sim *s, unsigned core, unsigned w, cycle_t span)
{
	struct inst_profile *t;
	struct warp_view v;

	sim_warp_view(s, core, w, &v);
	t = v.next ? find_table(s, v.kernel) : NULL;
	if (!t)
		return;
	t += v.next - s->info->kernel[v.kernel].inst;
	if (v.paused)
		t->paused += span;
	else
		t->waits[v.status] += span;
}

void
profile_sample(struct sim *s, cycle_t span)
{
	for (unsigned c = 0; s->machine->running && c < s->n_cores; c++)
		for (uint64_t live = core_masks(s->core[c].core).live; live; live &= live - 1)
			sample_warp(s, c, (unsigned)__builtin_ctzll(live), span);
}

/* Restarts counting: what resident warps have issued before does not count. */
void
profile_restart(struct sim *s)
{
	struct profile *p = s->profile;

	p->since = s->machine->cycle;
	for (uint32_t k = 0; k < s->info->n_kernels; k++) {
		if (p->owner[k])
			free(p->of[k]);
		p->of[k] = NULL;
		p->owner[k] = false;
	}
	memset(p->mark, 0, s->n_cores * sizeof(*p->mark));
	if (p->l1)
		memset(p->l1, 0, (size_t)s->n_places * s->code_room * sizeof(*p->l1));
	for_each_warp(s, skip_warp);
	profile_kernel(s, s->stack.host->kernel);
}

/* ---------------------------------------------------------------- interface */

int
sim_profile_on(struct sim *s, struct err *e)
{
	struct profile *p;

	if (s->profile)
		return 0;
	p = calloc(1, sizeof(*p));
	if (p) {
		p->of = calloc(s->info->n_kernels + 1, sizeof(struct inst_profile *));
		p->owner = calloc(s->info->n_kernels + 1, sizeof(*p->owner));
		p->mark = calloc(s->n_cores, sizeof(*p->mark));
		if (s->concurrent)
			p->l1 = calloc((size_t)s->n_places * s->code_room, sizeof(*p->l1));
	}
	s->profile = p;
	if (!p || !p->of || !p->owner || !p->mark || (s->concurrent && !p->l1)) {
		sim_profile_off(s);
		return err_of(e, ERR_MEMORY, "out of memory for a profile");
	}
	profile_restart(s);
	return 0;
}

void
sim_profile_off(struct sim *s)
{
	struct profile *p = s->profile;

	for (uint32_t k = 0; p && p->of && p->owner && k < s->info->n_kernels; k++)
		if (p->owner[k])
			free(p->of[k]);
	if (p) {
		free(p->of);
		free(p->owner);
		free(p->mark);
		free(p->l1);
	}
	free(p);
	s->profile = NULL;
	if (s->core)
		listen_to_l1(s, NULL);
}

struct profile *
sim_profile_lay_aside(struct sim *s)
{
	struct profile *p = s->profile;

	s->profile = NULL;
	listen_to_l1(s, NULL);
	return p;
}

void
sim_profile_take_up(struct sim *s, struct profile *p)
{
	if (!p)
		return;
	sim_profile_off(s);
	s->profile = p;
	profile_kernel(s, s->stack.host->kernel);
}

bool
sim_profile_since(const struct sim *s, cycle_t *since)
{
	if (s->profile && since)
		*since = s->profile->since;
	return s->profile;
}

const struct inst_profile *
sim_profile(struct sim *s, uint32_t kernel)
{
	if (!s->profile || kernel >= s->info->n_kernels)
		return NULL;
	for_each_warp(s, count_warp);
	for (unsigned i = 0; s->concurrent && concurrent_select_next(s, &i); i++)
		take_l1_counts(s);
	concurrent_select_oldest(s);
	return find_table(s, kernel);
}
