/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * warp.h - pre-decoded instructions and the warp table: what the core's stages and the load/store
 * unit share.
 *
 * A condition is one bit per hardware warp in a mask of the core; what a stage changes about a warp
 * it marks in the core's mask `changed`, and the issue stage looks again at just those.
 */
#ifndef CTASCOPE_WARP_H
#define CTASCOPE_WARP_H

#include "ctascope/base.h"
#include "ctascope/trace.h"

/* Classes of pipes an instruction is collected and executed by. */
enum fu { FU_SP, FU_SFU, FU_MEM, FU_BRANCH, FU_TEX, FU_CLASSES };

/* A static instruction as the pipeline wants it: one cache line. */
struct dinst {
	uint64_t need[4]; /* registers read or written: any of them pending holds the instruction */
	uint32_t pc;
	uint8_t fu, lat, ii;
	uint8_t cls; /* enum op_class */
	uint8_t space, width, flags;
	uint8_t n_dst, n_src; /* n_src: distinct */
	uint8_t imm;
	uint8_t dst[INST_MAX_DST];
	uint8_t src_bank[INST_MAX_SRC]; /* bank of each distinct source for hardware warp 0 */
	uint8_t high; /* need[1..3] are not all zero: most instructions stay below R64 */
	uint8_t pad;
};
_Static_assert(sizeof(struct dinst) == 64, "a dinst fills a cache line");

/* In dinst.flags beside enum inst_flag: somebody is to be told when it is issued. */
#define DINST_TOLD 128

#define LDGSTS_GROUPS 8

/* 64 registers of a warp, one bit each. */
struct warp_regs {
	uint64_t pend; /* with a result outstanding */
	uint64_t mem;  /* of those, the ones that come from memory */
};

/* What most cycles touch fills a line of the host's cache: few instructions go beyond R63. */
struct warp {
	_Alignas(64) uint32_t head; /* next record to issue */
	uint32_t n;		    /* records in all */
	uint32_t head_inst;	    /* the instruction it is of, an index into the dinst table */
	uint32_t fetch_pc;	    /* looked up in the instruction cache next */
	uint16_t in_pipe;	    /* decoded and not yet finished */
	uint16_t stores;	    /* sectors not yet acknowledged */
	uint16_t atomics;	    /* lanes not yet answered */
	uint8_t nbuf;		    /* records in the instruction buffer */
	uint8_t head_fu;	    /* of the record at head, FU_CLASSES: not ready */
	uint8_t slot;		    /* CTA slot */
	uint8_t warp_in_cta;
	uint8_t group;	 /* LDGSTS group being filled */
	uint8_t depbar;	 /* groups that may stay outstanding */
	uint32_t age;	 /* launch order on the core */
	uint64_t passed; /* cycle since which it was ready but passed over (paused CTAs) */
	uint8_t group_left[LDGSTS_GROUPS];
	struct warp_regs reg[4];
};
_Static_assert(offsetof(struct warp, reg[1]) == 64, "the first line holds what is looked at most");

static inline bool
warp_hazard(const struct warp *w, const struct dinst *d)
{
	uint64_t m = w->reg[0].pend & d->need[0];

	for (unsigned k = 1; d->high && k < 4; k++)
		m |= w->reg[k].pend & d->need[k];
	return m;
}

static inline bool
warp_hazard_mem(const struct warp *w, const struct dinst *d)
{
	uint64_t m = w->reg[0].mem & d->need[0];

	for (unsigned k = 1; d->high && k < 4; k++)
		m |= w->reg[k].mem & d->need[k];
	return m;
}

static inline bool
warp_pending(const struct warp *w)
{
	return w->reg[0].pend | w->reg[1].pend | w->reg[2].pend | w->reg[3].pend;
}

static inline void
warp_reserve(struct warp *w, const struct dinst *d, bool memory)
{
	for (unsigned i = 0; i < d->n_dst; i++) {
		uint64_t bit = UINT64_C(1) << (d->dst[i] & 63);

		w->reg[d->dst[i] >> 6].pend |= bit;
		if (memory)
			w->reg[d->dst[i] >> 6].mem |= bit;
	}
}

/* The results of an instruction are there; the issue stage is to look at the warp again. */
static inline void
warp_release(struct warp *w, const struct dinst *d)
{
	for (unsigned i = 0; i < d->n_dst; i++) {
		uint64_t keep = ~(UINT64_C(1) << (d->dst[i] & 63));

		w->reg[d->dst[i] >> 6].pend &= keep;
		w->reg[d->dst[i] >> 6].mem &= keep;
	}
}

#endif
