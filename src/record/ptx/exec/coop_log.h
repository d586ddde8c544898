/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * coop_log.h - logs of the CTAs that run while an earlier one has not ended: calls of the sink that
 * must wait for their turn. Logs that are too large for memory continue in a file without a name.
 */
#ifndef PTX_COOP_LOG_H
#define PTX_COOP_LOG_H

#include "base/scratch.h"
#include "base/strbuf.h"
#include "record/ptx/exec/exec.h"

/* A call of the sink. n: instructions of a line; 0: one instruction with n_lane addresses. */
struct logged {
	const struct prog_func *func;
	const struct prog_inst *in;
	uint32_t n;
	uint32_t warp, mask, lane_mask, n_lane;
	uint32_t zero; /* fills the padding, since the bytes are written to a file */
};

struct coop_log { /* of one CTA */
	struct strbuf recent;
	struct coop_part *part; /* earlier calls, in the file */
	uint32_t n_part, cap_part;
};

struct coop_file { /* shared by the logs of a launch */
	struct scratch scratch;
	size_t most; /* bytes that a log keeps in memory */
};

/* Prepares the file of n logs. folder: ptx_launch.scratch. */
void coop_file_init(struct coop_file *f, const char *folder, uint64_t n);
void coop_file_close(struct coop_file *f);
/* Adds a call and its addresses to a log. */
int coop_log_add(struct coop_file *f, struct coop_log *l, const struct logged *t,
		 const uint64_t *lane, struct err *e);
/* Makes the logged calls of CTA c to s, and frees the log. */
int coop_log_replay(struct coop_file *f, struct coop_log *l, struct cta *c,
		    const struct ptx_sink *s);
void coop_log_free(struct coop_log *l);
/* Makes one call of s. */
int coop_call_sink(const struct ptx_sink *s, const struct logged *t, const uint64_t *lane,
		   struct err *e);

#endif
