/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * power.c - two power models over the same event counts.
 *
 * Relative model (Kayiran 5.2): core power only. A core that is on always spends a fixed part of
 * its full power (idle_share, one half); the rest is proportional to the cycles in which it issues.
 * A gated core spends nothing with per-core power gating, and the fixed part without.
 *
 * Event energy (Zhu et al. III.B): static power of every core that is not gated and of the uncore,
 * plus an energy per event.
 *
 * Not modelled: temperature, voltage and frequency scaling, leakage by area or by content, clock
 * gating of idle units, data values, the energy of waking a core, refresh and standby of DRAM, the
 * host.
 */
#include "power/power.h"
#include <math.h>

#define OPT(...) DECL_ROW(struct power_cfg, __VA_ARGS__)
const struct opt_row power_opts[] = {
#include "power/power.def"
};
const unsigned power_n_opts = ARRAY_LEN(power_opts);

#define PICO 1e-12

/* The counts are treated as an array of numbers, so that a new one cannot be forgotten here. */
#define N_COUNTS (sizeof(struct power_counts) / sizeof(uint64_t))
_Static_assert(sizeof(struct power_counts) % sizeof(uint64_t) == 0, "only uint64_t members");

void
power_add(struct power_counts *sum, const struct power_counts *c)
{
	uint64_t *to = (uint64_t *)sum;
	const uint64_t *from = (const uint64_t *)c;

	for (unsigned i = 0; i < N_COUNTS; i++)
		to[i] += from[i];
}

void
power_subtract(struct power_counts *now, const struct power_counts *before)
{
	uint64_t *to = (uint64_t *)now;
	const uint64_t *from = (const uint64_t *)before;

	for (unsigned i = 0; i < N_COUNTS; i++)
		to[i] -= from[i];
}

/* Energy of a thread instruction in pJ, and whether it uses the register file. */
static double
energy_of_class(const struct power_cfg *k, enum op_class cls, bool *registers)
{
	*registers = true;
	switch (cls) {
	case OP_SP:
		return k->inst_single;
	case OP_HALF:
		return k->inst_half;
	case OP_DP:
		return k->inst_double;
	case OP_SFU:
		return k->inst_sfu;
	case OP_TENSOR:
		return k->inst_tensor;
	case OP_LOAD:
	case OP_STORE:
	case OP_ATOMIC:
	case OP_TEX:
		return k->inst_memory;
	case OP_BRANCH:
	case OP_UNIFORM:
	case OP_BARRIER:
	case OP_MEMBAR:
	case OP_EXIT:
	case OP_DEPBAR:
		*registers = false;
		return k->inst_control;
	default:
		return k->inst_int;
	}
}

void
power_of_cores(const struct power_cfg *k, const struct power_counts *c, double core_hz,
	       struct power_energy *e)
{
	double insts = (double)c->warp_insts * k->inst_warp;

	*e = (struct power_energy){0};
	for (unsigned i = 0; i < OP_CLASSES; i++) {
		bool registers;
		double pj;

		if (!c->insts_of[i]) /* usually true for most classes within a sample */
			continue;
		pj = energy_of_class(k, (enum op_class)i, &registers);

		insts += (double)c->insts_of[i] * (pj + (registers ? k->registers : 0));
	}
	e->part[POWER_CORES] = (double)(c->core_cycles - c->gated) / core_hz * k->core_static;
	e->part[POWER_INSTS] = insts * PICO;
	e->part[POWER_L1] = ((double)c->l1 * k->l1 + (double)c->rocache * k->rocache) * PICO;
	e->part[POWER_SMEM] = (double)c->smem * k->smem * PICO;
}

void
power_of_gpu(const struct power_cfg *k, const struct power_counts *c, double core_hz,
	     double seconds, struct power_energy *e)
{
	power_of_cores(k, c, core_hz, e);
	e->part[POWER_UNCORE] = seconds * k->uncore_static;
	e->part[POWER_L2] =
		((double)c->l2_reads * k->l2_read + (double)c->l2_writes * k->l2_write) * PICO;
	e->part[POWER_NOC] = (double)c->noc_bytes * k->noc_byte * PICO;
	e->part[POWER_DRAM] = ((double)c->dram_bytes_read * k->dram_byte_read +
			       (double)c->dram_bytes_written * k->dram_byte_write +
			       (double)c->dram_activates * k->dram_activate) *
			      PICO;
}

double
power_static(const struct power_energy *e)
{
	return e->part[POWER_CORES] + e->part[POWER_UNCORE];
}

double
power_dynamic(const struct power_energy *e)
{
	double sum = 0;

	for (unsigned i = POWER_INSTS; i < POWER_PARTS; i++)
		sum += e->part[i];
	return sum;
}

double
power_relative(const struct power_cfg *k, const struct power_counts *c, bool gating)
{
	double on = (double)(c->core_cycles - (gating ? c->gated : 0));

	if (!c->core_cycles)
		return (double)NAN;
	return (on * k->idle_share + (double)c->active * (1 - k->idle_share)) /
	       (double)c->core_cycles;
}
