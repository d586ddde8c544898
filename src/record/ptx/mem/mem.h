/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mem.h - private to the memory instructions: mem.c ldst.c atom.c tex.c and their decoders.
 *
 * What the decoders store in struct prog_inst:
 *     src[0]  address vector; the address is src[0] + imm, in 32 bits when src[0] has 4 bytes
 *     space   SP_NONE generic; SP_PARAM only for a kernel's parameter block: parameters of
 * functions are in the thread's stack, SP_LOCAL type    of an element in memory; vec elements, one
 * after the other sub     ld: enum mem_conv; atom, red: row of atom.def; cvta, isspacep: enum
 * ptx_space sub2    MEM_STRONG: relaxed, acquire, release: no data race
 */
#ifndef PTX_MEM_H
#define PTX_MEM_H

#include "record/ptx/mem/devmem.h"

enum { MEM_STRONG = 1 };

/* MEM_DROP: the caller can continue without lanes that are out of bounds. */
enum mem_mode { MEM_READ = 1, MEM_WRITE = 2, MEM_ATOMIC = 4, MEM_DROP = 8 };

/* How an element is converted to a register: ROW(name, type in memory, type of the register's
 * width, container). */
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

/* Lanes whose memory is in one piece of host memory: that of lane l is at host + off[l]. */
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
/* Checks bytes at at[] for the lanes of mask, and finds the host memory of the lowest lane and of
 * all lanes in the same piece. 0, or EXEC_FAULT; with MEM_DROP in mode also MEM_DROPPED: s->lanes
 * are out of bounds, and the launch continues without their access. */
int mem_span(const struct prog_inst *in, struct warp *w, const uint64_t *at, uint32_t mask,
	     uint32_t bytes, uint32_t mode, struct mem_span *s);
/* The bytes at an address of lane l that only kernels write; NULL: the host may write them
 * meanwhile, or the address is invalid. */
const uint8_t *mem_peek(const struct prog_inst *in, const struct warp *w, uint32_t l, uint64_t at,
			uint32_t bytes);
/* Reports the addresses, as generic ones, to the sink if there is one. */
void mem_report(const struct prog_inst *in, struct warp *restrict w, const uint64_t *restrict at,
		uint32_t mask);
/* Must addresses of in be reported? *base is what makes an address generic. */
static inline bool
mem_report_base(const struct prog_inst *in, const struct warp *w, uint64_t *base)
{
	/* a constant at a constant address is an operand of machine instructions, not an access */
	if (!w->cta->run->sink || (in->flags & PF_SILENT) ||
	    (in->space == SP_CONST && in->src[0].base == BASE_CONST))
		return false;
	*base = in->space == SP_SHARED	? PTX_SHARED_BASE
		: in->space == SP_LOCAL ? PTX_LOCAL_BASE
		: in->space == SP_PARAM ? w->cta->run->param_addr
					: 0;
	return true;
}

/* Writes the instruction's name, "ld.global.v2.f32". */
void mem_name(const struct prog_inst *in, char *buf, size_t size);

exec_fn mem_load, mem_store, mem_atom, mem_cvta, mem_cvta_to, mem_isspacep, mem_touch;
exec_fn mem_load_fast, mem_store_fast, mem_load_wide, mem_store_wide, mem_load_param;

/* decode_mem.c */
int decode_mem_address(struct decode *d, uint32_t k, struct prog_inst *in);
void decode_mem_hints(struct decode *d);
/* atom.c; the row of atom.def for the operation among the words and a type, -1 with an error */
int atom_find(struct decode *d, enum ptx_type t);
/* Applies the operation of a row to the lanes of s, each with its element of b. */
void atom_apply(uint32_t n, const struct mem_span *s, const void *b, uint64_t *old);
int decode_atom(struct decode *d, struct prog_inst *in);

/* tex.c */
void tex_free(struct ptx_device *d);
int tex_new_ref(struct ptx_device *d, const char *name, uint64_t *handle, struct err *e);

#endif
