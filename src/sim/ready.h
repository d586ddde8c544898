/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ready.h - which commands of a trace may begin, when kernels of several streams run together
 * (ctascope-model(7) 2.11).
 *
 * A stream does its commands in order. The program issues commands in the order of the list, up to
 * one at which it waits. What follows from the trace alone is the plan; the state lies in the
 * arena.
 */
#ifndef SIM_READY_H
#define SIM_READY_H

#include "ctascope/trace.h"

#include <stddef.h>

#define READY_NONE UINT32_MAX

struct ready_plan {
	const struct trace_info *trace;
	uint32_t window; /* the kernels in Accel-Sim's window; 0: the rules of CUDA */
	uint32_t n_streams;
	uint8_t *kind;	     /* [n_streams]: enum trace_stream_kind */
	uint32_t *first;     /* [n_streams]: the first command of each */
	uint32_t *stream;    /* [n_cmds]: the stream that does the command; READY_NONE: none */
	uint32_t *next;	     /* [n_cmds]: the next command of the same stream, or READY_NONE */
	uint32_t *record_of; /* [n_events + 1]: the command that records an event */
};

struct ready {
	uint32_t issued;    /* commands that the program has issued */
	uint32_t in_window; /* kernels issued and not complete; 0 without a window */
	struct ready_stream {
		uint32_t next;	  /* its first command that is not complete, or READY_NONE */
		uint32_t is_busy; /* that command is a kernel that runs */
	} stream[];
};

/* With a window, the rules of Accel-Sim hold (ctascope-model(7) 2.16): the program issues commands
 * while the window has room for a kernel, a copy takes place when it is issued, and a kernel waits
 * for nothing but the kernels before it in its stream. NULL: out of memory. */
struct ready_plan *ready_plan_new(const struct trace_info *t, uint32_t window);
void ready_plan_free(struct ready_plan *p); /* NULL is fine */
size_t ready_bytes(const struct ready_plan *p);
void ready_begin(const struct ready_plan *p, struct ready *r);
/* The first command that may begin, a kernel or a copy; READY_NONE: none. */
uint32_t ready_next(const struct ready_plan *p, struct ready *r);
void ready_start(const struct ready_plan *p, struct ready *r, uint32_t cmd); /* a kernel runs */
void ready_end(const struct ready_plan *p, struct ready *r, uint32_t cmd);   /* it is complete */
bool ready_is_over(const struct ready_plan *p, const struct ready *r);

#endif
