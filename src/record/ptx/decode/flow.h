/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flow.h - what is computed about a decoded function before it runs. */
#ifndef PTX_FLOW_H
#define PTX_FLOW_H

#include "record/ptx/decode/prog.h"

/* Fills reconv of every bra and brx: control-flow graph and immediate post-dominators (flow.c). */
int flow_analyse(struct ptx_module *m, struct prog_func *f, struct err *e);
/* Fills phys and regs by liveness and linear scan (live.c). */
int live_analyse(struct ptx_module *m, struct prog_func *f, struct err *e);
/* The machine register of an operand (of 64 bits: of its low half); 255: it has none. */
uint32_t live_phys(const struct prog_func *f, struct opnd o);

/* Successors of instruction i, up to max; returns how many there are. */
uint32_t flow_next(const struct ptx_module *m, const struct prog_func *f, uint32_t i, uint32_t *to,
		   uint32_t max);

#endif
