/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernels_look.c - which kernels have started, run, and ended when, and what those that run have
 * together.
 *
 * A kernel's number is its place in the trace. Where several run at once, one may start before
 * another of a lower number, which then has started "never".
 */
#include "sim/sim_priv.h"

#include "base/ascii.h"
#include <stddef.h>
#include <stdlib.h>

unsigned
sim_kernels_started(const struct sim *s)
{
	return MIN(s->machine->ordinal, MAX_KERNELS_KEPT);
}

cycle_t
sim_kernel_start(const struct sim *s, unsigned ordinal)
{
	return s->kernels[ordinal].start;
}

cycle_t
sim_kernel_launched(const struct sim *s, unsigned ordinal)
{
	cycle_t start = s->kernels[ordinal].start;

	return start == CYCLE_NEVER ? start : start + s->cfg->gpu.launch_latency;
}

cycle_t
sim_kernel_end(const struct sim *s, unsigned ordinal)
{
	return s->kernels[ordinal].end;
}

const struct trace_kernel *
sim_kernel(const struct sim *s, unsigned ordinal)
{
	return &s->info->kernel[s->kernels[ordinal].kernel];
}

unsigned
sim_kernel_shown(const struct sim *s)
{
	return s->machine->ordinal ? MIN(s->stack.host->ordinal + 1, MAX_KERNELS_KEPT) : 0;
}

bool
sim_kernel_runs(const struct sim *s, unsigned ordinal, cycle_t at)
{
	return s->kernels[ordinal].start < at && at <= s->kernels[ordinal].end;
}

unsigned
sim_kernel_at(const struct sim *s, cycle_t at)
{
	unsigned n = sim_kernels_started(s), k = 0;

	while (k < n && !sim_kernel_runs(s, k, at))
		k++;
	if (k < n)
		return k;
	for (k = n - (n > 0); k > 0 && s->kernels[k].start >= at; k--)
		;
	return k;
}

bool
sim_runs_together(const struct sim *s)
{
	return s->n_places > 1;
}

enum kernel_share
sim_kernel_share(const struct sim *s, const char **policy)
{
	for (unsigned i = 0; i < s->stack.n; i++)
		if (s->stack.policy[i].ops->next_kernel) {
			*policy = s->stack.policy[i].ops->name;
			return SHARE_BY_POLICY;
		}
	return s->cfg->gpu.kernel_share;
}

unsigned
sim_kernel_of_core(const struct sim *s, unsigned core)
{
	unsigned place = s->concurrent ? concurrent_owner(s, core) : s->n_places;

	return place == s->n_places ? 0 : s->host[place]->ordinal + 1;
}

/* ---------------------------------------------------------------- what a kernel has done */

struct cta_host *
kernel_host(const struct sim *s, unsigned ordinal)
{
	struct cta_host *h = s->stack.host;

	for (unsigned i = 0; s->concurrent && i < s->n_places; i++)
		if (s->concurrent->place[i].runs && s->host[i]->ordinal == ordinal)
			return s->host[i];
	return !s->concurrent && s->machine->running && h->ordinal == ordinal ? h : NULL;
}

/* Issued so far by the warps of a kernel's resident CTAs. */
static uint64_t
resident_insts(const struct sim *s, unsigned ordinal)
{
	uint64_t n = 0;

	for (unsigned core = 0; core < s->n_cores; core++)
		for (uint32_t k = core_used(s->core[core].core); k; k &= k - 1) {
			unsigned slot = (unsigned)__builtin_ctz(k);

			if (concurrent_kernel_of(s, core, slot) == ordinal)
				n += policy_resident(s, core, slot).warp_insts;
		}
	return n;
}

/* Issued by the kernel that runs alone. */
static uint64_t
insts_since_launch(const struct sim *s)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < s->n_cores; i++)
		n += core_stat(s->core[i].core)->warp_insts;
	return n - s->machine->warp_insts_before;
}

struct kernel_view
kernel_view(const struct sim *s, unsigned ordinal)
{
	const bool started =
		ordinal < sim_kernels_started(s) && s->kernels[ordinal].start != CYCLE_NEVER;
	const struct trace_kernel *t = &s->info->kernel[ordinal];
	const struct cta_host *h = started ? kernel_host(s, ordinal) : NULL;
	struct kernel_view v = {CYCLE_NEVER, CYCLE_NEVER, CYCLE_NEVER, .ctas = t->n_cta};

	if (!started)
		return v;
	v.start = s->kernels[ordinal].start;
	v.end = s->kernels[ordinal].end;
	v.cycles = MIN(v.end, s->machine->cycle) - v.start;
	v.issued = h ? h->issued : t->n_cta;
	v.done = h ? h->done : t->n_cta;
	if (s->concurrent) {
		v.first_cta = s->work[ordinal].first_cta;
		v.warp_insts = s->work[ordinal].warp_insts + (h ? resident_insts(s, ordinal) : 0);
	} else {
		v.warp_insts = h ? insts_since_launch(s) : t->warp_insts;
	}
	return v;
}

void
sim_kernel_view(const struct sim *s, unsigned ordinal, struct kernel_view *v)
{
	*v = kernel_view(s, ordinal);
}

int
kernel_index(const struct sim *s, const char *text, const char *otherwise, unsigned *index,
	     struct err *e)
{
	uint32_t last = MIN(s->info->n_kernels, MAX_KERNELS_KEPT);
	unsigned long v;
	char *end;

	v = strtoul(text, &end, 10);
	if (!ascii_is_digit(text[0]) || *end || !v || v > last)
		return err_set(e, "'%s' is not a kernel, expected 1..%u (see info kernel)%s", text,
			       last, otherwise);
	*index = (unsigned)v - 1;
	return 1;
}

const struct sim *
kernels_show_core(const struct sim *s, unsigned core, struct sim *copy)
{
	if (!s->concurrent)
		return s;
	*copy = *s;
	copy->stack.host = s->host[concurrent_place_shown(s, core)];
	return copy;
}

bool
sim_kernel_on_core(const struct sim *s, unsigned ordinal, unsigned core, struct kernel_on_core *v)
{
	const struct cta_host *h = kernel_host(s, ordinal);
	const struct cta_core *c = h ? &h->core[core] : NULL;

	if (c)
		*v = (struct kernel_on_core){c->n_max, c->limit, c->running, c->paused};
	return c;
}

/* ---------------------------------------------------------------- sums over the kernels */

/* The sum of a field over the hosts of all places. */
static uint64_t
sum_hosts(const struct sim *s, size_t offset)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < s->n_places; i++)
		n += *(const uint64_t *)((const char *)s->host[i] + offset);
	return n;
}

uint64_t
kernels_issued_to(const struct sim *s, unsigned core)
{
	return sum_hosts(s, offsetof(struct cta_host, issued_to) + core * sizeof(uint64_t));
}

uint64_t
kernels_done_on(const struct sim *s, unsigned core)
{
	return sum_hosts(s, offsetof(struct cta_host, done_on) + core * sizeof(uint64_t));
}

uint64_t
kernels_periods(const struct sim *s)
{
	return sum_hosts(s, offsetof(struct cta_host, periods));
}

uint64_t
kernels_forced(const struct sim *s)
{
	return sum_hosts(s, offsetof(struct cta_host, n_forced));
}

struct cta_core
kernels_core(const struct sim *s, unsigned core)
{
	struct cta_core v;

	if (!s->concurrent)
		return s->stack.host->core[core];
	v = s->host[concurrent_place_shown(s, core)]->core[core];
	v.resident = v.running = v.paused = 0;
	for (unsigned i = 0; i < s->n_places; i++) {
		const struct cta_core *h = &s->host[i]->core[core];

		if (!s->concurrent->place[i].runs)
			continue;
		v.resident += h->resident;
		v.running += h->running;
		v.paused += h->paused;
	}
	return v;
}

struct cta_means
kernels_means(const struct sim *s)
{
	struct cta_means sum = {0};
	struct cta_stack stack = s->stack;

	for (unsigned i = 0; i < s->n_places; i++) {
		struct cta_means m;

		stack.host = s->host[i];
		m = cta_means(&stack);
		sum.n_area += m.n_area;
		sum.n_time += m.n_time;
		sum.ctas_area += m.ctas_area;
		sum.ctas_time += m.ctas_time;
	}
	return sum;
}
