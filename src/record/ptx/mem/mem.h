/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mem.h - private to the memory instructions: mem.c ldst.c atom.c tex.c and their decoders.
 *
 * The decoders store in struct prog_inst:
 *
 * - src[0]: the address vector. The address is src[0] + imm, in 32 bits when src[0] has 4 bytes.
 * - space: SP_NONE for a generic address. SP_PARAM means a kernel's parameter block only; the
 *   parameters of functions are in the thread's stack, which is SP_LOCAL.
 * - type: the type of an element in memory. vec: how many elements lie one after the other.
 * - sub: enum mem_conv for ld; the row of atom.def for atom and red; enum ptx_space for cvta and
 *   isspacep.
 * - sub2 of ld, st, atom and red: MEM_STRONG for .relaxed, .acquire and .release, which cannot
 * cause a data race; MEM_ACQUIRES and MEM_RELEASES for the order that they establish.
 */
#ifndef PTX_MEM_H
#define PTX_MEM_H

#include "record/ptx/mem/devmem.h"

enum { MEM_STRONG = 1, MEM_ACQUIRES = 2, MEM_RELEASES = 4 };

/* MEM_DROP: the caller can continue without the lanes that are out of bounds. */
enum mem_mode { MEM_READ = 1, MEM_WRITE = 2, MEM_ATOMIC = 4, MEM_DROP = 8 };

/* The conversions of an element in memory to a register: ROW(name, type in memory, type with the
 * register's width, type of the lane that holds it). */
#define MEM_CONVS(ROW)                            \
	ROW(u8_32, uint8_t, uint32_t, uint32_t)   \
	ROW(u8_64, uint8_t, uint64_t, uint64_t)   \
	ROW(s8_16, int8_t, uint16_t, uint32_t)    \
	ROW(s8_32, int8_t, uint32_t, uint32_t)    \
	ROW(s8_64, int8_t, uint64_t, uint64_t)    \
	ROW(u16_32, uint16_t, uint32_t, uint32_t) \
	ROW(u16_64, uint16_t, uint64_t, uint64_t) \
	ROW(s16_32, int16_t, uint32_t, uint32_t)  \
	ROW(s16_64, int16_t, uint64_t, uint64_t)  \
	ROW(u32_32, uint32_t, uint32_t, uint32_t) \
	ROW(u32_64, uint32_t, uint64_t, uint64_t) \
	ROW(s32_64, int32_t, uint64_t, uint64_t)  \
	ROW(u64_64, uint64_t, uint64_t, uint64_t)

enum mem_conv {
#define ROW(name, memory, width, container) CONV_##name,
	MEM_CONVS(ROW)
#undef ROW
		MEM_CONV_COUNT
};

/* Lanes whose accesses fall into one piece of host memory: lane l accesses host + off[l]. */
struct mem_span {
	uint8_t *host;
	uint32_t lanes;
	uint8_t place; /* enum ptx_space: shared, local, param or global */
	uint64_t off[WARP_SIZE];
};

/* Computes the 32 addresses; inactive lanes get the address of the lowest active one. */
void mem_addresses(const struct prog_inst *in, const struct warp *w, uint32_t mask,
		   uint64_t *restrict at);
enum { MEM_DROPPED = 1 };
/* Checks the accesses to the given number of bytes at at[] for the lanes of mask, and finds the
 * host memory of the lowest lane and of all lanes in the same piece. Returns 0 or EXEC_FAULT; with
 * MEM_DROP in mode also MEM_DROPPED: s->lanes are out of bounds, and the launch continues without
 * their accesses. */
int mem_span(const struct prog_inst *in, struct warp *w, const uint64_t *at, uint32_t mask,
	     uint32_t bytes, uint32_t mode, struct mem_span *s);
/* Returns the bytes at an address of lane l if only kernels write them. NULL: the host may write
 * them at the same time, or the address is invalid. */
const uint8_t *mem_peek(const struct prog_inst *in, const struct warp *w, uint32_t l, uint64_t at,
			uint32_t bytes);
/* Reports the addresses to the sink, if there is one, as generic addresses. */
void mem_report(const struct prog_inst *in, struct warp *restrict w, const uint64_t *restrict at,
		uint32_t mask);
/* Must the addresses of in be reported? *base, added to an address, makes it generic. */
static inline bool
mem_report_base(const struct prog_inst *in, const struct warp *w, uint64_t *base)
{
	/* Machine instructions take a constant at a constant address as an operand, so a trace has
	 * no access for it. */
	if (!w->cta->run->sink || (in->flags & PF_SILENT) ||
	    (in->space == SP_CONST && in->src[0].base == BASE_CONST))
		return false;
	*base = in->space == SP_SHARED	? PTX_SHARED_BASE
		: in->space == SP_LOCAL ? PTX_LOCAL_BASE
		: in->space == SP_PARAM ? w->cta->run->param_addr
					: 0;
	return true;
}

/* Writes the instruction's name, such as "ld.global.v2.f32". */
void mem_name(const struct prog_inst *in, char *buf, size_t size);

exec_fn mem_load, mem_store, mem_atom, mem_cvta, mem_cvta_to, mem_isspacep, mem_touch;
exec_fn mem_load_32, mem_store_32;
exec_fn mem_load_fast, mem_store_fast, mem_load_wide, mem_store_wide, mem_load_param;

/* decode_mem.c */
int decode_mem_address(struct decode *d, uint32_t k, struct prog_inst *in);
void decode_mem_hints(struct decode *d);
/* atom.c: the row of atom.def for type t and the operation among the modifiers; -1 with an
 * error. */
int atom_find(struct decode *d, enum ptx_type t);
/* Applies the operation of a row to the lanes of s, each with its element of b. */
void atom_apply(uint32_t n, const struct mem_span *s, const void *b, uint64_t *old);
int decode_atom(struct decode *d, struct prog_inst *in);

/* tex.c */
void tex_free(struct ptx_device *d);
int tex_new_ref(struct ptx_device *d, const char *name, uint64_t *handle, struct err *e);

#endif
