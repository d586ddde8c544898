/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sched_tcs_core.h - what TCS and hTCS share: parameters, state, the test, the phases. */
#ifndef TCS_CORE_H
#define TCS_CORE_H

#include "cta/cta.h"

/* Defaults are the paper's values. */
struct tcs_opts {
	opt_u32 mon_cycle, thr, monitor;
	opt_f64 thr_factor;
	opt_enum stall, reset;
	opt_bool throttle;
};

enum tcs_phase { TCS_MONITOR, TCS_REDUCE, TCS_RUN };
enum tcs_role { TCS_ACTIVE, TCS_THROTTLE, TCS_OFF };

struct tcs {
	uint64_t start; /* cycle at which MONITOR began */
	uint64_t done;	/* CTAs that had ended by then */
	uint32_t phase; /* enum tcs_phase */
	uint32_t active, throttled, off;
	/* active cores, at the last test; with reset=listing at all since a core was throttled */
	uint32_t memory_bound;
	uint32_t tests;	       /* tests in this MONITOR phase */
};

struct tcs_core {
	uint64_t blocked, mem_stall, loads, load_cycles; /* at the start of the window */
	uint64_t stall, amat; /* of the last window; amat is rounded up, 0: no load ended */
	uint32_t role;	      /* enum tcs_role */
	uint32_t bound;
};

/* The members of struct cta_sched_ops. */
enum tcs_rule {
	TCS_R_BOUND,
	TCS_R_NO_STALL,
	TCS_R_FAST,
	TCS_R_NO_LOAD,
	TCS_R_THROTTLE,
	TCS_R_DRAIN,
	TCS_R_FEW,
	TCS_R_LAST,
	TCS_R_MONITOR,
	TCS_R_REDUCE,
	TCS_R_NOTHING,
	TCS_R_WAIT,
	TCS_R_RAN_OUT,
	TCS_R_TURN,
	TCS_R_REDUCED,
	TCS_R_HALF,
	TCS_R_ALL,
	TCS_RULES
};
extern const struct rule tcs_rules[TCS_RULES];
extern const struct opt_row tcs_opts[7];
extern const struct cta_field tcs_fields[10];
#define TCS_GAUGES 2
extern const struct cta_gauge tcs_gauges[TCS_GAUGES];

struct tcs_core *tcs_cores(const struct cta_ctx *x);
void tcs_kernel(struct cta_ctx *x);
cycle_t tcs_period(const struct cta_ctx *x);
void tcs_decide(struct cta_ctx *x, unsigned core, struct cta_decision *d);
void tcs_read(const struct cta_ctx *x, unsigned core, struct cta_reading *r);

/* Publishes the start of MONITOR. */
void tcs_begin(struct cta_ctx *x);
/* Called after tcs_decide() for every core: throttles one core if at least half of the active
 * ones are memory bound, otherwise returns false. */
bool tcs_test(struct cta_ctx *x);
/* Runs the phases and returns the next cycle for act(). */
cycle_t tcs_go_on(struct cta_ctx *x);

#endif
