/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * recording.h - private to recording.c and recording_end.c: what `ctascope record` asked for, and
 * the trace, list or report that is being made.
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

enum record_told {
#define RECORD_TOLD(name, value) RECORD_##name = (value),
#include "record/cuda/record_told.def"
#undef RECORD_TOLD
};

enum on_oob { OOB_ERROR, OOB_WARN, OOB_IGNORE };

struct recording {
	char *out;
	regex_t kernel, skip;
	bool has_kernel, has_skip;
	uint64_t first, last; /* launches */
	uint64_t stop_after;  /* the program ends after it; UINT64_MAX: it does not */
	uint64_t max_insns;
	uint32_t jobs; /* threads of a launch */
	uint32_t checks, regs;
	enum ptx_arch arch;
	enum on_oob on_oob;
	char *report; /* NULL: none */
	int tell;     /* record_told.def */
	pid_t pid;    /* who records: not a child it forks */

	struct trace_writer *writer; /* NULL: nothing was recorded yet */
	struct ptx_recorder *recorder;
	struct output *list;	       /* NULL: a trace is made */
	struct ptx_findings *findings; /* NULL: nobody wants them */
	bool failed, child_said;
	uint64_t cut; /* the launch that failed, those before are kept; 0: none */
	uint64_t seen, matched, recorded; /* launches */
	uint64_t insts;			  /* warp instructions of the recorded ones */
	struct strbuf names;		  /* of kernels seen, for a message */
	struct strbuf skipped;		  /* those not executed */

	/* progress of the launch under way */
	double began, next; /* when to draw again */
	bool terminal, shown;
	const char *running;
};

void recording_tell(int fd, uint64_t what);
/* The recording ends here, and the program goes on. e NULL: somebody else says why. */
void recording_give_up(struct recording *r, const struct err *e);

/* ---- recording_end.c ---- */

void recording_free(struct recording *r);
/* From now on the signals that end the program keep what is complete. */
void recording_signals(void);
/* The program ends here, as by exit(0), when the launch was the last asked for. */
void recording_stop_after(struct driver *d);

#endif
