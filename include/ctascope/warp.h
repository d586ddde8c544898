/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * warp.h - pre-decoded instructions and the warp table, which the core's stages and the load/store
 * unit share.
 *
 * A condition is one bit per hardware warp in a mask of the core. A stage that changes a warp marks
 * it in the core's mask `changed`, and the issue stage examines only marked warps again.
 */
#ifndef CTASCOPE_WARP_H
#define CTASCOPE_WARP_H

#include "ctascope/base.h"
#include "ctascope/trace.h"
#include <assert.h>

/* Classes of pipes that collect and execute an instruction; only cores with sub-cores have the last
 * ones (core/sub.c). */
enum fu {
	FU_SP,
	FU_SFU,
	FU_MEM,
	FU_BRANCH,
	FU_TEX,
	FU_CLASSES,
	FU_DP = FU_CLASSES,
	FU_INT,
	FU_TENSOR,
	FU_UNIFORM,
	FU_ALL
};

/* A static instruction for the pipeline: one cache line. */
struct dinst {
	uint64_t need; /* registers of R0 to R63 that it reads or writes; it waits while one of
			  them is pending */
	uint64_t gets; /* those it writes */
	uint64_t gets_from_mem; /* those it writes, if its results come from memory, else 0 */
	uint32_t high; /* 0: it uses no register beyond R63; else the distance in entries to its
			  struct dinst_high */
	uint32_t pc;
	uint8_t fu, lat, ii;
	uint8_t cls; /* enum op_class */
	uint8_t space, width, flags;
	uint8_t n_dst, n_src; /* n_src: distinct */
	uint8_t imm;
	uint8_t dst[INST_MAX_DST];
	uint8_t src_bank[INST_MAX_SRC]; /* bank of each distinct source for hardware warp 0 */
	uint8_t sectored;		/* coalesced into sectors, whatever its width */
	uint8_t pad;
};
_Static_assert(sizeof(struct dinst) == 64, "a dinst fills a cache line");

/* R64 to R255 of an instruction, which few instructions use. These entries follow the kernel's
 * table. */
struct dinst_high {
	uint64_t need[3], gets[3];
	uint8_t from_mem; /* the results come from memory */
	uint8_t pad[15];
};
_Static_assert(sizeof(struct dinst_high) == sizeof(struct dinst), "they stand in one table");

static inline const struct dinst_high *
dinst_high(const struct dinst *d)
{
	return (const struct dinst_high *)(const void *)(d + d->high);
}

/* Flags in dinst.flags besides enum inst_flag: the issue stage has additional work for its class;
 * the issue of the instruction is reported to another part. */
#define DINST_SPECIAL 64
#define DINST_TOLD 128

/* Groups of LDGSTS of a warp that are distinguished; all older ones count as one. */
#define LDGSTS_GROUPS 8

/* 64 registers of a warp, one bit each. */
struct warp_regs {
	uint64_t pend; /* with a result outstanding */
	uint64_t mem;  /* those of them whose results come from memory */
};

/* The first line of the host's cache has what most cycles use, as few instructions use registers
 * beyond R63. */
struct warp {
	_Alignas(64) uint32_t head; /* next record to issue */
	uint32_t n;		    /* records in all */
	uint32_t head_inst;	    /* its instruction, an index into the dinst table */
	uint32_t fetch_pc;	    /* the next to look up in the instruction cache */
	uint16_t in_pipe;	    /* decoded and not yet finished */
	uint16_t stores;	    /* sectors not yet acknowledged */
	uint16_t atomics;	    /* lanes not yet answered */
	uint8_t nbuf;		    /* records in the instruction buffer */
	uint8_t pad0;
	uint8_t slot; /* CTA slot */
	uint8_t warp_in_cta;
	uint8_t depbar; /* groups that may stay outstanding */
	uint8_t pad;
	uint32_t age;	     /* launch order on the core */
	uint64_t passed;     /* paused CTAs: cycle since which it was ready but not issued */
	uint16_t group;	     /* LDGSTS group being filled: counts up */
	uint16_t older_left; /* copies in flight of groups before the last LDGSTS_GROUPS */
	uint32_t inst_base;  /* where its kernel begins in the dinst table */
	struct warp_regs reg[4];
	uint16_t group_left[LDGSTS_GROUPS]; /* the same for the last groups, by number modulo
					       LDGSTS_GROUPS */
};
_Static_assert(offsetof(struct warp, reg[1]) == 64, "the first line holds what is looked at most");

/* The pending registers among those that an instruction needs, of the 64 from R(64 k) on. */
static inline uint64_t
warp_waits_for(const struct warp *w, const struct dinst *d, unsigned k)
{
	return w->reg[k].pend & (!k ? d->need : d->high ? dinst_high(d)->need[k - 1] : 0);
}

static inline bool
warp_hazard(const struct warp *w, const struct dinst *d)
{
	uint64_t m = w->reg[0].pend & d->need;

	for (unsigned k = 1; d->high && k < 4; k++)
		m |= w->reg[k].pend & dinst_high(d)->need[k - 1];
	return m;
}

static inline bool
warp_hazard_mem(const struct warp *w, const struct dinst *d)
{
	uint64_t m = w->reg[0].mem & d->need;

	for (unsigned k = 1; d->high && k < 4; k++)
		m |= w->reg[k].mem & dinst_high(d)->need[k - 1];
	return m;
}

static inline bool
warp_pending(const struct warp *w)
{
	return w->reg[0].pend | w->reg[1].pend | w->reg[2].pend | w->reg[3].pend;
}

static inline void
warp_reserve(struct warp *w, const struct dinst *d)
{
	w->reg[0].pend |= d->gets;
	w->reg[0].mem |= d->gets_from_mem;
	for (unsigned k = 1; unlikely(d->high) && k < 4; k++) {
		const struct dinst_high *h = dinst_high(d);

		w->reg[k].pend |= h->gets[k - 1];
		w->reg[k].mem |= h->from_mem ? h->gets[k - 1] : 0;
	}
}

/* Adds a copy to the open group; the next functions end that group, and complete a copy of a group.
 */
static inline void
warp_group_join(struct warp *w)
{
	w->group_left[w->group % LDGSTS_GROUPS]++;
}

static inline void
warp_group_close(struct warp *w)
{
	uint16_t *oldest = &w->group_left[++w->group % LDGSTS_GROUPS];

	w->older_left = (uint16_t)(w->older_left + *oldest);
	*oldest = 0;
}

static inline void
warp_group_leave(struct warp *w, uint16_t group)
{
	bool old = (uint16_t)(w->group - group) >= LDGSTS_GROUPS;
	uint16_t *left = old ? &w->older_left : &w->group_left[group % LDGSTS_GROUPS];

	assert(*left);
	--*left;
}

/* Copies in flight of all closed groups except the last n. */
static inline unsigned
warp_groups_left(const struct warp *w, unsigned n)
{
	unsigned left = w->older_left;

	for (unsigned g = n + 1; g < LDGSTS_GROUPS; g++)
		left += w->group_left[(unsigned)(w->group - g) % LDGSTS_GROUPS];
	return left;
}

/* Clears the results of an instruction, which have arrived; the caller marks the warp as changed.
 */
static inline void
warp_release(struct warp *w, const struct dinst *d)
{
	w->reg[0].pend &= ~d->gets;
	w->reg[0].mem &= ~d->gets;
	for (unsigned k = 1; unlikely(d->high) && k < 4; k++) {
		uint64_t keep = ~dinst_high(d)->gets[k - 1];

		w->reg[k].pend &= keep;
		w->reg[k].mem &= keep;
	}
}

#endif
