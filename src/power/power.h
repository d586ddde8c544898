/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * power.h - converts event counts to energy. Pure functions: no state, no access to the machine.
 *
 * Counts describe a whole run or a stretch of it; the energy of two stretches is the sum of their
 * energies.
 */
#ifndef POWER_H
#define POWER_H

#include "ctascope/decl.h"
#include "ctascope/trace.h"

#define OPT DECL_FIELD
struct power_cfg {
#include "power/power.def"
};
extern const struct opt_row power_opts[];
extern const unsigned power_n_opts;

struct power_counts {
	uint64_t core_cycles; /* cores times cycles */
	uint64_t gated;	      /* of those, switched off */
	uint64_t active;      /* of those, issuing: N_act */
	uint64_t warp_insts, thread_insts;
	uint64_t insts_of[OP_CLASSES]; /* thread instructions */
	uint64_t l1, rocache, smem;    /* look-ups; for smem, cycles of the shared memory */
	uint64_t l2_reads, l2_writes;
	uint64_t noc_bytes;
	uint64_t dram_bytes_read, dram_bytes_written, dram_activates;
};

enum power_part {
	POWER_CORES, /* static: cores that are not gated */
	POWER_UNCORE,
	POWER_INSTS, /* this part and the following ones are dynamic */
	POWER_L1,
	POWER_SMEM,
	POWER_L2,
	POWER_NOC,
	POWER_DRAM,
	POWER_PARTS
};

struct power_energy {
	double part[POWER_PARTS]; /* J */
};

void power_add(struct power_counts *sum, const struct power_counts *c);
void power_subtract(struct power_counts *now, const struct power_counts *before);

/* Energy of the cores alone: the parts of the uncore, L2, network and DRAM stay 0. */
void power_of_cores(const struct power_cfg *k, const struct power_counts *c, double core_hz,
		    struct power_energy *e);
/* Energy of the whole GPU; seconds: the length of the stretch. */
void power_of_gpu(const struct power_cfg *k, const struct power_counts *c, double core_hz,
		  double seconds, struct power_energy *e);
double power_static(const struct power_energy *e);
double power_dynamic(const struct power_energy *e);

/* Kayiran 5.2: relative power of the cores, 1 when all issue in every cycle. NaN before the
 * first cycle. */
double power_relative(const struct power_cfg *k, const struct power_counts *c, bool gating);

#endif
