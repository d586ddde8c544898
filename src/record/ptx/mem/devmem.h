/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * devmem.h - the device and its memory, as instructions use it.
 *
 * Global memory is one reservation of host address space: host address = base + (address -
 * PTX_GLOBAL_BASE), and base is PTX_GLOBAL_BASE itself if that is free. Allocations are in a sorted
 * table; an instruction remembers the one it used last.
 */
#ifndef PTX_DEVMEM_H
#define PTX_DEVMEM_H

#include "record/ptx/decode/prog.h"

struct mem_block {
	uint64_t addr, bytes; /* as requested */
	const char *what;     /* "cuMemAlloc", a variable's name, ...; owned by the device */
	bool read_only;	      /* constants, parameters, ptx_protect: a kernel may not write */
	bool adopted;	      /* the host's own memory (ptx_adopt) */
	bool host_writes;     /* the host may write it while kernels run (ptx_share) */
	uint8_t *written;     /* of each byte: was it written? NULL: not tracked (ptx_track) */
};

/* A block that was released, as long as nothing was allocated in its place. */
struct mem_freed {
	uint64_t addr, bytes; /* bytes 0: forgotten */
	char what[24];
};

#define MEM_FREED 64u

struct ptx_device {
	uint8_t *host; /* the host address of PTX_GLOBAL_BASE */
	uint64_t bytes, used;
	uint64_t mapped, open;	 /* host bytes reserved at host, and accessible from there */
	struct mem_block *block; /* sorted by address */
	uint32_t n_block, cap_block;
	struct mem_freed freed[MEM_FREED]; /* the last ones, for messages */
	uint32_t n_freed;		   /* in all; number k is at k % MEM_FREED */
	struct ptx_module **module;
	uint32_t n_module;
	struct tex_slot *tex; /* tex.c; handle = index + 1 in the low 32 bits */
	uint32_t n_tex;
	struct cta *cta; /* the running CTA's storage, reused by launch.c */
};

/* The block that contains bytes at addr, or NULL. *hint: the index to try first, which may be any
 * number, and then the index found. */
const struct mem_block *devmem_search(const struct ptx_device *d, uint64_t addr, uint64_t bytes,
				      uint32_t *hint);
/* The block nearest to addr, for messages. */
const struct mem_block *devmem_near(const struct ptx_device *d, uint64_t addr);
/* Explains why devmem_find found nothing: "4 bytes at 0x.. are outside of every allocation;
 * nearest:
 * ..". */
void devmem_explain(const struct ptx_device *d, uint64_t addr, uint64_t bytes, char *buf,
		    size_t size);
uint64_t devmem_alloc(struct ptx_device *d, uint64_t bytes, uint32_t align, const char *what,
		      bool read_only, struct err *e);

/* Allocates the parameters of a launch, if possible where nothing was freed: an access to freed
 * memory must not find them. */
uint64_t devmem_alloc_params(struct ptx_device *d, uint64_t bytes, struct err *e);

static inline bool
mem_block_holds(const struct mem_block *b, uint64_t addr, uint64_t bytes)
{
	return addr >= b->addr && bytes <= b->bytes && addr - b->addr <= b->bytes - bytes;
}

/* Like devmem_search, for an instruction, which usually uses the same block as the last time. */
static inline const struct mem_block *
devmem_find(struct run *r, const struct prog_inst *in, uint64_t addr, uint64_t bytes)
{
	const struct ptx_device *d = r->device;
	uint32_t *hint = &r->hint[(uintptr_t)in / 64 % RUN_HINTS];

	if (likely(*hint < d->n_block && mem_block_holds(&d->block[*hint], addr, bytes)))
		return &d->block[*hint];
	return devmem_search(d, addr, bytes, hint);
}

static inline uint8_t *
devmem_host(const struct ptx_device *d, uint64_t addr)
{
	/* Computed with integers, as adopted memory is outside the reservation. */
	return (uint8_t *)((uintptr_t)d->host + (uintptr_t)(addr - PTX_GLOBAL_BASE));
}

/* Addresses of functions as values (mov of a name, calls through registers), which no memory has.
 */
#define PTX_CODE_BASE 0x10000000ull /* + 16 * index into module.func */

/* Handle a finding that does not end the launch. If found_before returns false, the place is new:
 * the caller calls the function that would report the fault, and then found_new, which keeps its
 * message. */
struct found_pause {
	struct err *kept, mine;
};
bool found_before(struct warp *w, const struct prog_inst *in, enum ptx_check kind,
		  struct found_pause *p);
/* Is the place known? Changes nothing. */
bool found_known(const struct warp *w, const struct prog_inst *in, enum ptx_check kind);
void found_new(struct warp *w, const struct prog_inst *in, int lane, enum ptx_check kind,
	       struct found_pause *p);

/* written.c: lanes of mask access bytes of a tracked block at off[l]. 0, or EXEC_FAULT. */
int written_access(struct warp *w, const struct prog_inst *in, const struct mem_block *b,
		   const uint64_t *off, uint32_t mask, uint32_t bytes, uint32_t mode);

/* check.c */
int check_shared(struct warp *w, const struct prog_inst *in, uint32_t mask, const uint32_t *offset,
		 uint32_t bytes, bool write,
		 bool atomic); /* 0 or EXEC_FAULT; only when cta->shadow */
int check_new(struct cta *c, uint32_t checks, struct err *e); /* makes or resets c->shadow */
void check_barrier(struct cta *c, uint64_t warps);	      /* these warps passed a barrier */
void check_free(struct cta *c);

/* order.c: the order among warps besides barriers. Without cta->shadow nothing is noted. 0, or
 * EXEC_FAULT when memory runs out. */
exec_fn exec_fence;
/* An atomic or strong access of ld, st, atom or red to shared memory at offset[l]. */
int order_access(struct warp *w, const struct prog_inst *in, uint32_t mask, const uint32_t *offset);
/* A thread of w, or bytes that it copied, arrive at the mbarrier at an offset; complete: this
 * completes the phase. */
int order_arrive(struct warp *w, uint32_t offset, bool complete);
/* A thread of w has found the last phase of the mbarrier complete. */
void order_pass(struct warp *w, uint32_t offset);

#endif
