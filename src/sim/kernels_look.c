/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernels_look.c - which kernels have started, run, and ended when.
 *
 * A kernel's number is its place in the trace. Where several run at once, one may start before
 * another of a lower number, which then has started "never".
 */
#include "sim/sim_priv.h"

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
