/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lifetimes.h - the lifetime of each CTA: where it ran, when it was issued, ended and paused.
 *
 * `dump csv ctas` and the panes that draw CTAs read the same lifetimes. They are computed from the
 * most recent events, since only these are kept (run.events). A CTA whose issue is no longer among
 * them is listed while it is resident or one of its events is kept.
 */
#ifndef EXPORT_LIFETIMES_H
#define EXPORT_LIFETIMES_H

#include "ctascope/sim.h"

#define NO_PAUSE UINT32_MAX

enum cta_state { CTA_STATE_ABSENT, CTA_STATE_RUNNING, CTA_STATE_PAUSED, CTA_STATE_HELD };

/* Cycles [from, to). from 0: the beginning is not kept. to CYCLE_NEVER: it is still paused. */
struct cta_pause {
	cycle_t from, to;
	uint32_t next; /* the next pause of this CTA, or NO_PAUSE */
	bool held;     /* its warps do not issue even when no other warp can */
};

/* Resident in cycles [issued, done). */
struct cta_lifetime {
	uint32_t kernel, cta;
	int core, slot;
	cycle_t issued, done; /* CYCLE_NEVER: not known; has not ended */
	uint32_t pauses;      /* events kept */
	uint32_t first_pause, last_pause;
	enum cta_state now; /* CTA_STATE_ABSENT: it has ended */
};

/* All zero at first. */
struct cta_lifetimes {
	struct cta_lifetime *cta; /* by the first event kept of each; then those without one */
	size_t n;
	struct cta_pause *pause;
	size_t n_pauses;
	cycle_t kept_from; /* events before this cycle are not kept; 0: all are */
	bool no_memory;	   /* some are missing */
	/* what it was read from */
	const struct sim *sim;
	uint64_t first, next, generation;
	cycle_t cycle;
};

/* Reads the lifetimes again if the machine has changed since the last call; returns whether it
 * has. */
bool lifetimes_read(struct cta_lifetimes *l, const struct sim *sim);
void lifetimes_free(struct cta_lifetimes *l);

/* The known part of the lifetime: it begins at kept_from or later and ends by now. */
cycle_t lifetime_begin(const struct cta_lifetimes *l, const struct cta_lifetime *c);
cycle_t lifetime_end(const struct cta_lifetimes *l, const struct cta_lifetime *c);
/* The state of the CTA at the end of that cycle. */
enum cta_state lifetime_state(const struct cta_lifetimes *l, const struct cta_lifetime *c,
			      cycle_t cycle);
extern const char *const cta_state_names[]; /* "absent", "running", "paused", "held" */

#endif
