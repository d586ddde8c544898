/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * recording.h - private to recording.c and recording_end.c: the request of `ctascope record`, and
 * the trace, list or report in progress.
 */
#ifndef CUDA_RECORDING_H
#define CUDA_RECORDING_H

#include "record/cuda/driver.h"

#include "base/output.h"
#include "base/strbuf.h"
#include "record/ptx/ptx_record.h"
#include "trace/trace.h"

#include <regex.h>
#include <sys/types.h>

enum record_notice {
#define RECORD_NOTICE(name, value) RECORD_##name = (value),
#include "record/cuda/record_notice.def"
#undef RECORD_NOTICE
};

enum on_oob { OOB_ERROR, OOB_WARN, OOB_IGNORE };

struct recording {
	char *out;
	regex_t kernel, skip, cooperative;
	bool has_kernel, has_skip, has_cooperative;
	uint64_t first, last; /* launches */
	uint64_t stop_after;  /* the launch after which the program ends; UINT64_MAX: none */
	uint64_t max_insns;
	uint64_t max_cta; /* bytes of a decoded CTA */
	uint32_t jobs;	  /* threads of a launch */
	uint32_t checks, regs;
	enum ptx_arch arch;
	enum on_oob on_oob;
	char *report;  /* NULL: none */
	int notify_fd; /* eventfd for record_notice.def */
	pid_t pid;     /* the process that records; its children do not */

	struct trace_writer *writer; /* NULL: no launch was recorded yet */
	struct ptx_recorder *recorder;
	struct output *list;	       /* NULL: a trace is recorded, not a list */
	struct ptx_findings *findings; /* of the checks */
	bool failed, child_reported;
	unsigned failures; /* enum recording_failure */
	uint64_t cut; /* the launch that failed, after which nothing is recorded; 0: none */
	uint64_t seen, matched, recorded; /* launches */
	uint64_t insts;			  /* warp instructions of the recorded ones */
	struct strbuf names;		  /* of all launched kernels, for a message */
	struct strbuf skipped;		  /* of kernels that were not executed */
	struct strbuf waited;		  /* of kernels in which a CTA waited for later ones */
	struct strbuf divergent;	  /* of kernels with a divergent barrier */
	struct strbuf large;		  /* of kernels with a large CTA */

	/* progress of the current launch */
	double began, next; /* wall clock: its start, the next report */
	bool terminal, shown;
	const char *running;
};

void recording_notify(int fd, uint64_t what);
/* Ends the recording while the program continues. e NULL: the caller reports the reason. */
void recording_give_up(struct recording *r, const struct err *e);

/* ---- recording_end.c ---- */

void recording_free(struct recording *r);
/* Catches the signals that end the program, so that complete launches are kept. */
void recording_signals(void);
/* Ends the program, as by exit(0), after the last requested launch. */
void recording_stop_after(struct driver *d);

#endif
