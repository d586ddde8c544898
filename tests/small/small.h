/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * small.h - the small machine and its small workload: 4 cores of the real model, for tests of the
 * parts that use it.
 *
 * The machine is tests/small/small.machine, which resembles the default machine;
 * small_modern_config() makes one that resembles titanv. The workload is made here: two kernels of
 * 96 and 48 CTAs of two warps. A warp repeats a short loop of a load, a multiplication that depends
 * on it, a store and a jump; its CTA's number determines how often, so that CTAs end one by one.
 * Every second CTA computes for a while before each load, so that cores wait for memory in some
 * periods and work in others. A run takes some thousand cycles, and policies pause, resume and run
 * out of credits in it. Programs get the same workload as a file from tests/small/write_small, and
 * that of two streams, for kernels that run together, from `write_small FILE streams`. `write_small
 * FILE mangled` gives both kernels names as of C++.
 */
#ifndef TESTS_SMALL_H
#define TESTS_SMALL_H

#include "ctascope/sim.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>

#define SMALL_CORES 4
#define SMALL_CTAS (96 + 48)

/* Ends the test after a mistake of its own. */
static inline void
small_die(const char *what, const struct err *e)
{
	printf("Bail out! %s: %s\n", what, e->msg);
	exit(99);
}

enum { SMALL_TID, SMALL_LOAD, SMALL_MUL, SMALL_STORE, SMALL_JUMP, SMALL_COUNT, SMALL_EXIT };

static inline int
small_insts(struct trace_writer *w, struct err *e)
{
	static const struct trace_inst_desc inst[] = {
		[SMALL_TID] = {.opcode = "S2R", .n_dst = 1, .dst = {1}},
		[SMALL_LOAD] = {.opcode = "LDG.E", .n_dst = 1, .dst = {4}, .n_src = 1, .src = {2}},
		[SMALL_MUL] = {.opcode = "FMUL", .n_dst = 1, .dst = {5}, .n_src = 2, .src = {4, 1}},
		[SMALL_STORE] = {.opcode = "STG.E", .n_src = 2, .src = {2, 5}},
		[SMALL_JUMP] = {.opcode = "BRA"},
		[SMALL_COUNT] =
			{.opcode = "IADD3", .n_dst = 1, .dst = {6}, .n_src = 2, .src = {1, 3}},
		[SMALL_EXIT] = {.opcode = "EXIT"},
	};
	uint32_t file, no;

	if (trace_writer_file(w, "small.cu", &file, e) < 0)
		return -1;
	for (uint32_t i = 0; i < ARRAY_LEN(inst); i++) {
		struct trace_inst_desc d = inst[i];

		d.pc = 16 * i;
		d.file = file;
		d.line = 10 + i;
		if (trace_writer_inst(w, &d, &no, e) < 0)
			return -1;
	}
	return 0;
}

/* A larger workload of the same kind. */
struct small_shape {
	uint32_t times; /* factor on the number of CTAs */
	uint32_t lanes; /* active lanes in the loop of every second warp */
	const char *name[2]; /* of the kernels; NULL: first and second */
};

/* Writes a warp's records; every iteration uses a line that no other one uses. */
static inline int
small_warp(struct trace_writer *w, uint32_t cta, uint32_t warp, uint32_t lanes, struct err *e)
{
	uint64_t at = UINT64_C(0x7f0000000000) + (cta * 2 + warp) * UINT64_C(128);
	uint32_t loops = 1 + cta * 7 % 13 / 4, counts = cta % 2 ? 16 : 0;
	int bad = trace_writer_record(w, warp, SMALL_TID, UINT32_MAX, NULL, e);

	for (uint32_t i = 0; i < loops && !bad; i++) {
		for (uint32_t k = 0; k < counts && !bad; k++)
			bad = trace_writer_record(w, warp, SMALL_COUNT, lanes, NULL, e);
		bad = bad || trace_writer_stride(w, warp, SMALL_LOAD, lanes, at + i * 32, 0, e) ||
		      trace_writer_record(w, warp, SMALL_MUL, lanes, NULL, e) ||
		      trace_writer_stride(w, warp, SMALL_STORE, lanes, at + i * 32, 0, e) ||
		      trace_writer_record(w, warp, SMALL_JUMP, lanes, NULL, e);
	}
	return bad || trace_writer_record(w, warp, SMALL_EXIT, UINT32_MAX, NULL, e) ? -1 : 0;
}

static inline int
small_kernel(struct trace_writer *w, struct trace_kernel_desc d, const struct small_shape *shape,
	     struct err *e)
{
	uint32_t n;

	d.grid[0] *= shape->times;
	n = d.grid[0] * d.grid[1];
	if (trace_writer_kernel(w, &d, e) < 0 || small_insts(w, e) < 0)
		return -1;
	for (uint32_t cta = 0; cta < n; cta++) {
		const uint32_t xyz[3] = {cta % d.grid[0], cta / d.grid[0], 0};

		if (trace_writer_cta(w, xyz, e) < 0 || small_warp(w, cta, 0, UINT32_MAX, e) < 0 ||
		    small_warp(w, cta, 1, shape->lanes, e) < 0 || trace_writer_end_cta(w, e) < 0)
			return -1;
	}
	return trace_writer_end_kernel(w, e);
}

/* Writes both kernels to a file or, if path is NULL, to memory. */
static inline struct trace_writer *
small_write_shape(const char *path, const struct small_shape *shape)
{
	const struct trace_kernel_desc first = {.name = shape->name[0] ? shape->name[0] : "first",
						.grid = {96, 1, 1},
						.block = {64, 1, 1},
						.regs = 20},
				       second = {.name = shape->name[1] ? shape->name[1] : "second",
						 .grid = {24, 2, 1},
						 .block = {64, 1, 1},
						 .regs = 40,
						 .shmem = 8192};
	struct err e = {0};
	struct trace_writer *w = trace_writer_new(path, &e);

	if (!w || small_kernel(w, first, shape, &e) < 0 || small_kernel(w, second, shape, &e) < 0)
		small_die("the small workload", &e);
	return w;
}

static inline struct trace_writer *
small_write(const char *path)
{
	return small_write_shape(path, &(struct small_shape){.times = 1, .lanes = UINT32_MAX});
}

/* A kernel of the workload of two streams. */
static inline void
small_add(struct trace_writer *w, uint64_t stream, struct trace_kernel_desc d)
{
	struct err e = {0};

	d.block[0] = 64;
	if (trace_writer_stream(w, stream, TRACE_STREAM_NONBLOCKING, &d.stream, &e) < 0 ||
	    small_kernel(w, d, &(struct small_shape){.times = 1, .lanes = UINT32_MAX}, &e) < 0)
		small_die(d.name, &e);
}

/* Four kernels of two streams, to a file or, if path is NULL, to memory: "left" and "right" may run
 * together; "after" of the stream of "right" waits for "left", beside which "more" of that stream
 * may run. They need registers and shared memory in different shares. */
static inline struct trace_writer *
small_write_streams(const char *path)
{
	struct err e = {0};
	struct trace_writer *w = trace_writer_new(path, &e);
	uint64_t event = 0;

	if (!w)
		small_die("the workload of two streams", &e);
	small_add(w, 1, (struct trace_kernel_desc){.name = "left", .grid = {60, 1, 1}, .regs = 20});
	small_add(w, 2,
		  (struct trace_kernel_desc){
			  .name = "right", .grid = {30, 1, 1}, .regs = 40, .shmem = 8192});
	if (trace_writer_order(w, TRACE_EVENT_RECORD, 1, TRACE_STREAM_NONBLOCKING, &event, &e) <
		    0 ||
	    trace_writer_order(w, TRACE_STREAM_WAIT, 2, TRACE_STREAM_NONBLOCKING, &event, &e) < 0)
		small_die("the order of two streams", &e);
	small_add(w, 2,
		  (struct trace_kernel_desc){.name = "after", .grid = {12, 1, 1}, .regs = 20});
	small_add(w, 1,
		  (struct trace_kernel_desc){
			  .name = "more", .grid = {20, 1, 1}, .regs = 60, .shmem = 2048});
	return w;
}

static inline struct trace *
small_streams(void)
{
	struct err e = {0};
	struct trace *t = trace_writer_trace(small_write_streams(NULL), &e);

	if (!t)
		small_die("the workload of two streams", &e);
	return t;
}

static inline struct trace *
small_trace(void)
{
	struct err e = {0};
	struct trace *t = trace_writer_trace(small_write(NULL), &e);

	if (!t)
		small_die("the small workload", &e);
	return t;
}

/* Applies the machines in order; later ones override. */
static inline struct config *
small_config_of(const char *policy, const char *const *machine, unsigned n)
{
	const char *top = getenv("srcdir");
	struct config *c = config_new();
	struct err e = {0};
	char path[4096];

	for (unsigned i = 0; c && i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s.machine", top ? top : ".", machine[i]);
		if (config_machine(c, path, &e) < 0)
			small_die(path, &e);
	}
	if (!c || config_policy(c, policy, &e) < 0)
		small_die(policy, &e);
	return c;
}

static inline struct config *
small_config(const char *policy)
{
	static const char *const machine[] = {"tests/small/small"};

	return small_config_of(policy, machine, 1);
}

static inline struct config *
small_modern_config(const char *policy)
{
	static const char *const machine[] = {"machines/titanv", "tests/small/small",
					      "tests/small/modern"};

	return small_config_of(policy, machine, 3);
}

#endif
