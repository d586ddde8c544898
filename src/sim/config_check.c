/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * config_check.c - rejects combinations of options that a machine cannot have.
 */
#include "sim/config.h"

#include <stdlib.h>

static bool
is_power_of_two(uint32_t n)
{
	return n && !(n & (n - 1));
}

static int
check_cache(const char *name, const struct cache_cfg *k, struct err *e)
{
	if (!is_power_of_two(k->sets) || !is_power_of_two(k->line))
		return err_set(e, "%s: %u sets of %u bytes, expected powers of two", name, k->sets,
			       k->line);
	return 0;
}

/* A look-up that may produce a miss and a write-back needs two places; with one it would never
 * succeed. */
static int
check_miss_queue(const char *name, const struct cache_cfg *k, struct err *e)
{
	if (k->miss_queue < 2)
		return err_set(
			e, "%s.miss_queue: %u entry is too few: a miss needs two, expected 2..64",
			name, k->miss_queue);
	return 0;
}

/* What a core with sub-cores must have, and what a core without them cannot have. */
static int
check_subs(const struct core_cfg *k, struct err *e)
{
	const uint32_t four[] = {k->units_sp, k->units_sfu, k->units_branch, k->units_tex};
	const uint32_t more[] = {k->units_int, k->units_dp, k->units_tensor, k->units_uniform};

	for (unsigned i = 0; i < ARRAY_LEN(more); i++) {
		if (!k->sub_cores && more[i])
			return err_set(e,
				       "core.units_int, units_dp, units_tensor and units_uniform "
				       "need core.sub_cores");
		if (k->sub_cores && ((more[i] && more[i] != CORE_SUBS) || four[i] != CORE_SUBS))
			return err_set(e,
				       "core.sub_cores: expected %d pipes of every kind, or 0 of "
				       "units_int, units_dp, units_tensor and units_uniform",
				       CORE_SUBS);
	}
	if (!k->sub_cores && (k->perfect_icache || k->fetch_rounds > 1 || k->reg_steps > 1))
		return err_set(e, "core.perfect_icache, fetch_rounds and reg_steps need "
				  "core.sub_cores");
	if (!k->sub_cores)
		return 0;
	if (k->schedulers != CORE_SUBS || k->collectors_gen != 2 * CORE_SUBS ||
	    k->collectors_sp + k->collectors_sfu + k->collectors_mem || k->reg_banks < CORE_SUBS)
		return err_set(
			e,
			"core.sub_cores: expected %d schedulers, %d general collectors and no "
			"others, and at least %d register banks",
			CORE_SUBS, 2 * CORE_SUBS, CORE_SUBS);
	return 0;
}

static int
check_sectored(const struct config *c, struct err *e)
{
	uint32_t ways = c->ldst.unified ? (c->ldst.unified << 10) / (c->l1d.sets * c->l1d.line)
					: c->l1d.assoc;

	if (!c->ldst.sectored)
		return c->ldst.unified ? err_set(e, "ldst.unified needs ldst.sectored") : 0;
	if (!is_power_of_two(c->ldst.l1_banks) || c->l1d.line != LINE_SECTORS * SECTOR || !ways ||
	    c->l1d.sets > 64 || c->l1d.sets * ways > 1024)
		return err_set(
			e,
			"ldst.sectored: %u banks, %u sets of %u ways of %u bytes, expected 1, 2 "
			"or 4 banks, at most 64 sets and 1,024 lines of 128 bytes",
			c->ldst.l1_banks, c->l1d.sets, ways, c->l1d.line);
	return 0;
}

static bool
can_hash(uint32_t n)
{
	return n == 16 || n == 32 || n == 64;
}

uint32_t
config_hashed_slices(const struct mem_cfg *k)
{
	uint32_t channels = 1;

	while (channels < k->channels)
		channels <<= 1;
	return channels * k->slices;
}

static int
check_hashes(const struct config *c, struct err *e)
{
	uint32_t slices = config_hashed_slices(&c->mem);

	if (c->mem.slice_hash && !can_hash(slices))
		return err_set(e, "mem.slice_hash: %u slices, expected 9 to 64",
			       c->mem.channels * c->mem.slices);
	if (c->l2.poly_hash && !can_hash(c->l2.sets))
		return err_set(e, "l2.poly_hash: %u sets, expected 16, 32 or 64", c->l2.sets);
	if (c->l1d.poly_hash || c->l1i.poly_hash || c->l1c.poly_hash || c->l1t.poly_hash)
		return err_set(e, "poly_hash is for l2 only");
	return 0;
}

static int
check_dram(const struct mem_cfg *k, struct err *e)
{
	if (k->row_prefetch && k->dram_sched)
		return err_set(e, "mem.row_prefetch: expected mem.dram_sched frfcfs");
	if (k->bank_hash && !is_power_of_two(k->banks))
		return err_set(e, "mem.bank_hash: %u banks, expected a power of two", k->banks);
	if (!k->write_queue)
		return 0;
	if (!k->write_low || k->write_low > k->write_high || k->write_high > k->write_queue)
		return err_set(e,
			       "mem.write_queue: %u writes, write_high %u, write_low %u, expected "
			       "1 <= write_low <= write_high <= write_queue",
			       k->write_queue, k->write_high, k->write_low);
	if (k->sched_queue + k->return_queue + k->write_queue > MEM_CREDITS)
		return err_set(e,
			       "mem: queues of %u, %u and %u requests (sched_queue, return_queue, "
			       "write_queue), expected at most %u in all",
			       k->sched_queue, k->return_queue, k->write_queue, MEM_CREDITS);
	if (k->dram_sched)
		return err_set(e, "mem.write_queue: expected mem.dram_sched frfcfs");
	return 0;
}

/* The value of the option behind a threshold; false: no option has this name. */
static bool
threshold_value(const struct config *c, const struct cta_sched_ops *o, const char *name, char *text,
		size_t size)
{
	char key[128];

	snprintf(key, sizeof(key), "%s.%s", o->name, name ? name : "");
	return name && opt_get(config_db_const(c), key, text, size, NULL) == 0;
}

int
config_check_thresholds(const struct config *c, struct err *e)
{
	char low[64], high[64];
	unsigned n;
	const struct cta_sched_ops *const *o = config_stack(c, &n);

	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < o[i]->n_gauges; k++) {
			const struct cta_gauge *g = &o[i]->gauges[k];

			if (!threshold_value(c, o[i], g->low, low, sizeof(low)) ||
			    !threshold_value(c, o[i], g->high, high, sizeof(high)) ||
			    strtod(low, NULL) <= strtod(high, NULL))
				continue;
			return err_set(e,
				       "%s.%s %s is above %s.%s %s: the lower threshold of %s "
				       "cannot be above the upper one",
				       o[i]->name, g->low, low, o[i]->name, g->high, high, g->name);
		}
	return 0;
}

/* Credits are for all cores, but where kernels have cores of their own, each kernel has a policy
 * that may give CTAs to a part of the cores only: the credits of the others would never be used. */
static bool
has_credits(const struct cta_sched_ops *o)
{
	for (unsigned i = 0; i < o->n_fields; i++)
		if (o->fields[i].credits)
			return true;
	return false;
}

int
config_check_concurrent(const struct config *c, struct err *e)
{
	unsigned n;
	const struct cta_sched_ops *const *o = config_stack(c, &n);

	for (unsigned i = 0; c->gpu.concurrent_kernels > 1 && i < n; i++) {
		const char *what = o[i]->role & CTA_ROLE_CORES ? "how many cores work"
				   : o[i]->warps	       ? "which warps of a core issue"
				   : o[i]->l1_miss	       ? "by what L1 brings"
							       : NULL;

		if (what)
			return err_set(e,
				       "policy %s decides %s, for one kernel at a time: it needs "
				       "gpu.concurrent_kernels 1",
				       o[i]->name, what);
		if (c->gpu.kernel_share == SHARE_SPATIAL && has_credits(o[i]))
			return err_set(e,
				       "policy %s shares its credits among all cores, and with "
				       "gpu.kernel_share spatial a kernel has only some of them: "
				       "set it to leftover, smk or accelsim",
				       o[i]->name);
	}
	return 0;
}

int
config_check(const struct config *c, struct err *e)
{
	uint32_t collectors = c->core.collectors_gen + c->core.collectors_sp +
			      c->core.collectors_sfu + c->core.collectors_mem;
	uint32_t units =
		c->core.units_sp + c->core.units_sfu + c->core.units_branch + c->core.units_tex;
	uint64_t bank_bits = (uint64_t)__builtin_popcountll(c->mem.bank_bits);

	if (check_cache("l1d", &c->l1d, e) < 0 || check_cache("l1i", &c->l1i, e) < 0 ||
	    check_cache("l1c", &c->l1c, e) < 0 || check_cache("l1t", &c->l1t, e) < 0 ||
	    check_cache("l2", &c->l2, e) < 0 || check_miss_queue("l1d", &c->l1d, e) < 0 ||
	    check_miss_queue("l2", &c->l2, e) < 0 || check_subs(&c->core, e) < 0 ||
	    check_sectored(c, e) < 0 || check_hashes(c, e) < 0 || check_dram(&c->mem, e) < 0 ||
	    config_check_thresholds(c, e) < 0 || config_check_concurrent(c, e) < 0)
		return -1;
	if (c->gpu.clusters * c->gpu.cores_per_cluster > MAX_CORES)
		return err_set(e, "gpu: %u clusters of %u cores, expected at most %d cores",
			       c->gpu.clusters, c->gpu.cores_per_cluster, MAX_CORES);
	if (c->mem.channels * c->mem.slices > MAX_SLICES)
		return err_set(e, "mem: %u channels of %u slices, expected at most %d slices",
			       c->mem.channels, c->mem.slices, MAX_SLICES);
	if (!is_power_of_two(c->mem.slices) || !is_power_of_two(c->mem.chunk) ||
	    !is_power_of_two(c->core.reg_banks) || !is_power_of_two(c->mem.bank_groups))
		return err_set(e, "mem.slices, mem.chunk, mem.bank_groups and "
				  "core.reg_banks must be "
				  "powers of two");
	if (UINT64_C(1) << bank_bits < c->mem.banks || (c->mem.slices > 1 && !c->mem.bank_bits))
		return err_set(e, "mem.bank_bits: %u bits cannot number %u banks",
			       (unsigned)bank_bits, c->mem.banks);
	if (bank_bits >
	    (is_power_of_two(c->mem.banks) ? (uint64_t)__builtin_ctz(c->mem.banks) : 12))
		return err_set(e, "mem.bank_bits: %u bits number more than %u banks",
			       (unsigned)bank_bits, c->mem.banks);
	if (collectors > CORE_COLLECTORS)
		return err_set(e, "core: %u collector units, expected at most %d", collectors,
			       CORE_COLLECTORS);
	if (units > CORE_MAX_UNITS)
		return err_set(e, "core: %u pipes, expected at most %d", units, CORE_MAX_UNITS);
	if (c->core.threads % WARP_SIZE)
		return err_set(e, "core.threads: %u is not a multiple of %d", c->core.threads,
			       WARP_SIZE);
	if (c->l1d.line > c->l2.line || c->l1i.line > c->l2.line || c->l1c.line > c->l2.line ||
	    c->l1t.line > c->l2.line)
		return err_set(e, "lines of L1 cannot be longer than lines of L2");
	if (c->noc.reply == NOC_REPLY_LINE && c->noc.type == NOC_SIMPLE)
		return err_set(e, "noc.reply: line needs noc.type xbar or mesh; a packet of simple "
				  "carries one sector");
	if (c->noc.vc_buffer > NOC_VC_FLITS || c->noc.vcs > NOC_VCS)
		return err_set(e, "noc: at most %d virtual channels of %d flits", NOC_VCS,
			       NOC_VC_FLITS);
	return 0;
}
