/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_detect.h - what ONAC and Seq-Det share: samples of the IPC with some of the cores.
 *
 * The policy chooses how many cores are sampled. After each sample it either requests the next one
 * (detect_sample) or gives the result (detect_found). sched_detect.c does everything else.
 *
 * An IPC is stored in millionths of thread instructions per core cycle, and all comparisons use
 * integers, so that the result does not depend on compiler or machine. Events show thousandths.
 */
#ifndef CTA_DETECT_H
#define CTA_DETECT_H

#include "cta/cta.h"

#define IPC_UNIT 1000000u

/* Defaults are the paper's values (Zhu et al. IV). */
struct detect_opts {
	opt_u32 waves, warmup;
	opt_f64 loss;
};
extern const struct opt_row detect_opts[3];

/* Rules of both policies; a policy's own rules are numbered from DR_RULES on. */
enum {
	DR_PAUSE,
	DR_SAMPLED,
	DR_BEGIN,
	DR_END,
	DR_GATE,
	DR_NONE_LEFT,
	DR_STARVED,
	DR_ONE_CORE,
	DR_RULES
};
#define DETECT_RULES                                                                               \
	[DR_PAUSE] = {"pause",                                                                     \
		      "before the sample with {cores} of {all} cores, every core lets its "        \
		      "instructions in flight complete",                                           \
		      .value = {"cores", "all"}},                                                  \
	[DR_SAMPLED] = {"sampled", "one of {cores} cores of the sample", .value = {"cores"}},      \
	[DR_BEGIN] = {"sample-begin",                                                              \
		      "{cores} of {all} cores, until {ctas} CTAs end: {waves} waves of "           \
		      "{resident} resident; "                                                      \
		      "paused for {paused} cycles",                                                \
		      .value = {"cores", "all", "ctas", "waves", "resident", "paused"}},           \
	[DR_END] = {"sample-end",                                                                  \
		    "{cores} cores: {ctas} CTAs ended in {cycles} cycles, {insts} thread "         \
		    "instructions, IPC {ipc_milli}",                                               \
		    .value = {"cores", "ctas", "cycles", "insts", "ipc_milli"}},                   \
	[DR_GATE] = {"not-needed", "{n_opt} of {all} cores are enough",                            \
		     .value = {"n_opt", "all"}},                                                   \
	[DR_NONE_LEFT] =                                                                           \
		{"not-detected",                                                                   \
		 "not detected: no CTA is left to issue after {samples} samples, {cycles} cycles", \
		 .value = {"samples", "cycles"}},                                                  \
	[DR_STARVED] = {"no-cta-for-sample",                                                       \
			"not detected: the cores of the sample hold no CTA and get none, after "   \
			"{samples} samples, {cycles} cycles",                                      \
			.value = {"samples", "cycles"}},                                           \
	[DR_ONE_CORE] = {"one-core", "there is only one core: N_opt {n_opt}", .value = {"n_opt"}}

enum detect_phase { DETECT_FILL, DETECT_DRAIN, DETECT_SAMPLE, DETECT_DONE, DETECT_GAVE_UP };

struct point { /* a point of the curve of IPC over cores */
	uint64_t cores, ipc;
};

struct detect {
	uint32_t phase;	   /* enum detect_phase */
	uint32_t estimate; /* cores of the current or next sample */
	uint32_t n_opt;	   /* 0: not known */
	uint32_t samples;  /* ended samples */
	struct point all, cur, prev;
	uint64_t thr; /* IPC_thr */
	double ipc_all, ipc_thr;
	cycle_t detect_cycles; /* from the launch to the end of detection */
	cycle_t start, since;  /* start of the kernel, start of the phase */
	uint64_t done_before;  /* CTAs that had ended at `start` */
	cycle_t stirred; /* fill: last cycle in which the cores held more CTAs than before; sample:
			    in which a CTA came or ended */
	uint64_t full, issued; /* most CTAs the cores have held; CTAs issued at the last act() */
	uint64_t insts; /* thread instructions of the sampled cores at the start of the sample */
	uint64_t ended, target; /* CTAs of the sample that have ended; that must end */
};

extern const struct cta_field detect_fields[7];
#define DETECT_GAUGES 1
extern const struct cta_gauge detect_gauges[DETECT_GAUGES];

/* The hooks of a policy: act(), given what to do after a sample; done(); read(). */
typedef void detect_next(struct cta_ctx *x, struct detect *d);
cycle_t detect_act(struct cta_ctx *x, unsigned why, detect_next *next);
void detect_done(struct cta_ctx *x, unsigned core, const struct cta_resident *cta,
		 struct cta_decision *n);
void detect_read(const struct cta_ctx *x, unsigned core, struct cta_reading *r);

/* For detect_next: request a sample with this many cores, or end detection and publish r. */
void detect_sample(struct cta_ctx *x, struct detect *d, uint64_t cores);
void detect_found(struct cta_ctx *x, struct detect *d, uint64_t n_opt, const struct reason *r);

/* An IPC in the unit of events. */
static inline int64_t
detect_milli(uint64_t ipc)
{
	return (int64_t)(ipc / (IPC_UNIT / 1000));
}

#endif
