/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ptx_record.h - the second facade of this folder: a sink that writes what a launch executes into a
 * trace. One kernel of the trace per launch. The machine instructions are those of inst.def.
 */
#ifndef PTX_PTX_RECORD_H
#define PTX_PTX_RECORD_H

#include "record/ptx/ptx.h"

struct trace_writer;
struct ptx_recorder;

/* w stays the caller's and must live longer; NULL: instructions are counted, and nothing is
 * written. */
struct ptx_recorder *ptx_recorder_new(struct trace_writer *w, struct err *e);
const struct ptx_sink *ptx_recorder_sink(struct ptx_recorder *r);
/* Registers per thread of the launches to come, in place of the kernel's own; 0: the kernel's. */
void ptx_recorder_set_regs(struct ptx_recorder *r, uint32_t regs);
uint64_t
ptx_recorder_insts(const struct ptx_recorder *r); /* machine instructions of warps so far */
void ptx_recorder_free(struct ptx_recorder *r);

#endif
