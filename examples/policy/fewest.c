/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fewest.c - of several kernels at once, the one with the fewest CTAs left goes first, so that
 * short kernels do not wait for long ones:
 *
 *     ctascope -p ./fewest.so -o gpu.concurrent_kernels=2 pair
 *
 * A core that has no room for a CTA of that kernel takes one of the next.
 */
#include <ctascope/cta_sched.h>

enum { FEWEST, NO_ROOM };
static const struct rule fewest_rules[] = {
	[FEWEST] = {"fewest", "CTA {cta} of the kernel with {left} CTAs left, the fewest",
		    .value = {"left"}},
	[NO_ROOM] = {"no-room", "there is no room for a CTA of any of {kernels} kernels",
		     .value = {"kernels"}},
};

static uint32_t
fewest_kernel(const struct cta_ctx *x, unsigned core, const struct cta_running *k, unsigned n,
	      struct reason *why)
{
	uint64_t left = UINT64_MAX;
	uint32_t best = CTA_NO_KERNEL;

	(void)x;
	(void)core;
	for (unsigned i = 0; i < n; i++)
		if (k[i].fits && k[i].n_cta - k[i].issued < left) {
			left = k[i].n_cta - k[i].issued;
			best = i;
		}
	if (best == CTA_NO_KERNEL)
		*why = (struct reason){NO_ROOM, {n}};
	else
		*why = (struct reason){FEWEST, {(int64_t)left}};
	return best;
}

const struct cta_sched_ops ctascope_policy = {
	.abi = CTA_SCHED_ABI,
	.role = CTA_ROLE_KERNEL,
	.name = "fewest",
	.help = "of several kernels, the one with the fewest CTAs left goes first",
	.rules = fewest_rules,
	.n_rules = 2,
	.next_kernel = fewest_kernel,
};
