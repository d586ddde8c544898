/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernels.h - the kernels of a run: which have started and ended when, and what each has done. */
#ifndef CTASCOPE_KERNELS_H
#define CTASCOPE_KERNELS_H

#include "ctascope/base.h"
#include "ctascope/trace.h"

struct sim;

/* The start and end of each kernel. The first one starts when the sim is made. */
unsigned sim_kernels_started(const struct sim *s);
/* CYCLE_NEVER: of several kernels at once, a later one has started before it. */
cycle_t sim_kernel_start(const struct sim *s, unsigned ordinal);
/* The last cycle of its launch (gpu.launch_latency); CTAs are issued after it. */
cycle_t sim_kernel_launched(const struct sim *s, unsigned ordinal);
cycle_t sim_kernel_end(const struct sim *s, unsigned ordinal); /* CYCLE_NEVER while it runs */
const struct trace_kernel *sim_kernel(const struct sim *s, unsigned ordinal);
/* The number, from 1, of the kernel that runs or ran last, of several the oldest: "the kernel". */
unsigned sim_kernel_shown(const struct sim *s);
bool sim_kernel_runs(const struct sim *s, unsigned ordinal, cycle_t at);
unsigned sim_kernel_at(const struct sim *s, cycle_t at); /* the first that runs, or the last */
bool sim_runs_together(const struct sim *s);		 /* several kernels may run at once */
/* Which kernel gives a core its next CTA, where several run together: a value of gpu.kernel_share,
 * or the choice of a policy, whose name *policy gets. */
enum kernel_share {
	SHARE_LEFTOVER,
	SHARE_SPATIAL,
	SHARE_SMK,
	SHARE_ACCELSIM,
	SHARE_BY_POLICY
};
enum kernel_share sim_kernel_share(const struct sim *s, const char **policy);
/* Under spatial, the number, from 1, of the kernel whose CTAs a core takes; 0: no CTA is left. */
unsigned sim_kernel_of_core(const struct sim *s, unsigned core);
/* What a started kernel is doing, or has done. */
struct kernel_view {
	cycle_t start, end; /* CYCLE_NEVER: not yet */
	cycle_t first_cta;  /* when its first CTA was issued, known where kernels may run together;
			       CYCLE_NEVER: not yet, or unknown */
	uint64_t cycles;    /* since its start, up to its end */
	uint64_t ctas, issued, done;
	uint64_t warp_insts; /* issued by its warps */
};
void sim_kernel_view(const struct sim *s, unsigned ordinal, struct kernel_view *v);
/* A running kernel on a core: N, its limit n, and its CTAs there. Returns false if it does not run.
 */
struct kernel_on_core {
	uint32_t n_max, limit, running, paused;
};
bool sim_kernel_on_core(const struct sim *s, unsigned ordinal, unsigned core,
			struct kernel_on_core *v);
/* N of a kernel of the trace: the most CTAs of it on a core. */
uint32_t sim_most_ctas(const struct sim *s, uint32_t kernel);

/* A value that a policy of the stack finds for each kernel, such as the number of cores it needs:
 * the name of the policy's field (NULL: no policy has one), and the value (NaN: not found). */
const char *sim_found_name(const struct sim *s);
double sim_found(const struct sim *s, unsigned ordinal);

#endif
