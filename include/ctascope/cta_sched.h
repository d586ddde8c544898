/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cta_sched.h - the contract of a CTA scheduling policy.
 *
 * A policy is one file with a const struct cta_sched_ops. It sees a const view of the GPU, keeps
 * its state in memory the host gives it (so that a snapshot is a copy), and answers questions; it
 * changes nothing itself. The host (src/cta) applies the answers, publishes each as an event with
 * its rule and numbers, and asks several policies in order when they are stacked (dyncta+claso).
 *
 * Every way a policy can decide is a struct rule: the sentence a stop prints. In `fmt`, {0}..{5}
 * stand for the decision's values, whose names (for CSV columns and paths) are in `arg`.
 */
#ifndef CTASCOPE_CTA_SCHED_H
#define CTASCOPE_CTA_SCHED_H

#include "ctascope/base.h"
#include "ctascope/decl.h"
#include "ctascope/event.h"

#define CTA_SCHED_ABI 1

struct rule {
	const char *name; /* "mem-high" */
	const char *fmt;  /* "C_mem {0} >= t_mem_h {1}, limit {2} -> {3}" */
	const char *arg[EVENT_VALUES];
};

/* From least to most restrictive; a stack's core state is the most restrictive one asked for. */
enum core_state { CORE_ACTIVE, CORE_DRAINING, CORE_THROTTLED, CORE_PAUSED, CORE_OFF };

/* One core as a policy sees it. Counters run from the start of the simulation: take differences. */
struct cta_core {
	uint32_t n_max;			    /* N: CTAs of this kernel that fit */
	uint32_t limit;			    /* n in force: most running CTAs */
	uint32_t resident, running, paused; /* CTAs: resident = running + paused */
	enum core_state state;
	bool unused; /* some policy's unused() says it takes no CTA of this kernel */
	uint64_t c_mem, c_idle, n_act, n_inact; /* core cycles, schedulers.md "Terms" */
	uint64_t c_raw; /* cycles in which every warp was blocked by some register */
};

struct cta_gpu {
	cycle_t cycle;
	uint32_t n_cores, n_used; /* n_used: those that may take CTAs of this kernel */
	uint32_t kernel;	  /* ordinal of the kernel in the run */
	uint32_t n_max;		  /* N after load balancing */
	uint64_t n_cta;		  /* of the kernel */
	uint64_t issued, done;
	const struct cta_core *core;
};

/* What a policy is called with. state: state_size + n_cores * core_size bytes, zeroed before
 * kernel(). */
struct cta_ctx {
	void *state;
	const void *opts;
	const struct cta_gpu *gpu;
};

/* An answer. rule indexes ops->rules; v are its numbers. */
struct verdict {
	bool allow;
	uint8_t rule;
	uint8_t n_v;
	uint8_t event; /* enum event_kind to publish, EV_KINDS: none */
	int64_t v[EVENT_VALUES];
};

/* A decision about one core at the end of a period. */
struct cta_decision {
	uint32_t limit; /* new limit n; the host clamps to 1..N and pauses or resumes to fit */
	uint8_t rule;
	uint8_t n_v;
	int64_t v[EVENT_VALUES];
};

/* One visible field of a policy's state: path policy.NAME.FIELD (or policy.NAME.FIELD.CORE). */
struct cta_field {
	const char *name, *unit, *help;
	size_t offset; /* in state, or in the per-core part */
	bool per_core;
	enum opt_type type;
};

struct cta_sched_ops {
	const char *name, *help; /* help: one line with the paper and section */
	uint32_t abi;		 /* CTA_SCHED_ABI */
	const struct rule *rules;
	unsigned n_rules;
	const struct opt_row *opts; /* parameters: option NAME.PARAM, stack text NAME:PARAM=VALUE */
	unsigned n_opts;
	size_t opts_size;
	size_t state_size, core_size;
	const struct cta_field *fields;
	unsigned n_fields;
	bool pauses; /* limits below the resident count pause CTAs (else they only stop issue) */

	/* All hooks may be NULL. */
	void (*kernel)(struct cta_ctx *x); /* a kernel is launched */
	/* Takes core no CTA of this kernel? Asked before any kernel(), without state. */
	bool (*unused)(const struct cta_ctx *x, unsigned core);
	uint32_t (*limit)(const struct cta_ctx *x, unsigned core); /* initial limit, N if NULL */
	cycle_t (*period)(const struct cta_ctx *x); /* core cycles between decide() calls; 0 none */
	void (*decide)(struct cta_ctx *x, unsigned core,
		       struct cta_decision *d); /* d comes filled "no change" */
	/* May core take a CTA now? Asked often; must not change anything. */
	void (*may)(const struct cta_ctx *x, unsigned core, struct verdict *v);
	/* Asked once per free slot after every may() agreed; may spend something. */
	void (*request)(struct cta_ctx *x, unsigned core, struct verdict *v);
	void (*issued)(struct cta_ctx *x, unsigned core, uint32_t cta);
	void (*done)(struct cta_ctx *x, unsigned core, uint32_t cta);
};

#endif
