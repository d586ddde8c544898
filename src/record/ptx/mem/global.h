/* SPDX-License-Identifier: GPL-3.0-or-later */
/* global.h - CHECK_GLOBAL: races on global memory between the warps and CTAs of a launch. */
#ifndef PTX_GLOBAL_H
#define PTX_GLOBAL_H

#include "record/ptx/mem/devmem.h"

/* Begins the check of a launch of n CTAs; NULL with e: out of memory. */
struct global_check *global_new(uint64_t n, struct err *e);
void global_free(struct global_check *g); /* NULL is fine */
/* Lanes of mask access bytes at the start of b + off[l]. 0, or EXEC_FAULT. */
int global_access(struct warp *w, const struct prog_inst *in, const struct mem_block *b,
		  const uint64_t *off, uint32_t mask, uint32_t bytes, uint32_t mode);
/* A warp of the CTA executes a fence. */
void global_fence(struct cta *c);

#endif
