/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace_build.h - small traces for tests, made in memory.
 *
 *     struct tb *b = tb_new();
 *     tb_kernel(b, "loads", 2, 64, 16, 0, 70);                     2 blocks of 64 threads
 *     uint32_t ld = tb_inst(b, 0x00, "LDG.E", "R4", "R2");
 *     uint32_t ex = tb_inst(b, 0x10, "EXIT", "", "");
 *     tb_emit(b, 0, 0, ld, ~0u, ADDR_STRIDE, 0x1000, 4);
 *     tb_emit(b, 0, 0, ex, ~0u, ADDR_NONE, 0, 0);
 *     struct trace *t = tb_finish(b, &e);                          closed by trace_close
 *
 * Only tb_finish returns an error: it reports the first mistake. CTAs and warps may be emitted in
 * any order; those that are never emitted are empty.
 */
#ifndef TRACE_BUILD_H
#define TRACE_BUILD_H

#include "ctascope/trace.h"

struct tb;

struct tb *tb_new(void);

/* Begins a kernel of n_cta CTAs with threads threads each, both one-dimensional. tb_dims, called
 * before the first tb_emit, gives it more dimensions. binary_version 0 is 70 (Volta). */
void tb_kernel(struct tb *b, const char *name, uint32_t n_cta, uint32_t threads, uint32_t regs,
	       uint32_t shmem, uint32_t binary_version);
void tb_dims(struct tb *b, const uint32_t grid[3], const uint32_t block[3]);
void tb_windows(struct tb *b, uint64_t shmem_base, uint64_t local_base); /* for generic LD and ST */
/* Adds a MemcpyHtoD before or after a kernel. */
void tb_copy(struct tb *b, uint64_t addr, uint64_t bytes);

/* Adds a static instruction and returns its number. Registers are written "R4" or "R4 R8 R9", ""
 * for none. Opcodes are those of opcodes.def for the binary version; the access width is in the
 * suffix (.64, .128, .U8). */
uint32_t tb_inst(struct tb *b, uint32_t pc, const char *opcode, const char *dsts, const char *srcs);
/* The same with an immediate (DEPBAR's count) and a source line. */
uint32_t tb_inst_imm(struct tb *b, uint32_t pc, const char *opcode, const char *dsts,
		     const char *srcs, int64_t imm, uint32_t line);

/* Adds a record to a warp. mode is ADDR_STRIDE, or ADDR_NONE, which ignores base and stride. */
void tb_emit(struct tb *b, uint64_t cta, uint32_t warp, uint32_t inst, uint32_t mask,
	     enum addr_mode mode, uint64_t base, int64_t stride);
/* Adds a record with an address per active lane. */
void tb_emit_lanes(struct tb *b, uint64_t cta, uint32_t warp, uint32_t inst, uint32_t mask,
		   const uint64_t lane[WARP_SIZE]);

/* Frees b and returns the trace, or NULL with e filled. */
struct trace *tb_finish(struct tb *b, struct err *e);

/* The trace of a .traceg or kernelslist.g given as text, which may be compressed. */
struct trace *trace_from_text(const char *text, struct err *e);
struct trace *trace_from_bytes(const char *name, const void *p, size_t n, struct err *e);

#endif
