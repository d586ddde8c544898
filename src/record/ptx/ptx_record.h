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

/* The machines that a recording can be for: the rows of arch.def. */
enum ptx_arch {
	PTX_ARCH_ANY, /* not given: the first one */
#define ARCH(name, version, generation) PTX_ARCH_##name,
#include "record/ptx/arch.def"
	PTX_ARCHS
};
#define ARCH(name, version, generation) "|" #name
static const char ptx_arch_names[] = "auto"
#include "record/ptx/arch.def"
	; /* in the order of enum ptx_arch, as a command line takes them */
enum ptx_arch ptx_arch_of(unsigned binary_version); /* PTX_ARCH_ANY: unknown version */

/* The caller owns w, which must outlive the recorder; NULL: instructions are only counted. */
struct ptx_recorder *ptx_recorder_new(struct trace_writer *w, struct err *e);
const struct ptx_sink *ptx_recorder_sink(struct ptx_recorder *r);
/* Registers per thread of later launches, instead of the kernel's own; 0: the kernel's. */
void ptx_recorder_set_regs(struct ptx_recorder *r, uint32_t regs);
/* The number of the stream of later launches, of trace_writer_stream. */
void ptx_recorder_set_stream(struct ptx_recorder *r, uint64_t stream);
/* Sets the machine of all launches, before the first. */
void ptx_recorder_set_arch(struct ptx_recorder *r, enum ptx_arch arch);
uint64_t
ptx_recorder_insts(const struct ptx_recorder *r); /* machine instructions of warps so far */
void ptx_recorder_free(struct ptx_recorder *r);

#endif
