/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flow.h - the analyses of a decoded function before it runs: control flow and registers. */
#ifndef PTX_FLOW_H
#define PTX_FLOW_H

#include "record/ptx/decode/prog.h"

/* Fills reconv of every bra and brx: control-flow graph and immediate post-dominators (flow.c). */
int flow_analyse(struct ptx_module *m, struct prog_func *f, struct err *e);
/* Fills phys and regs by liveness and linear scan (live.c). */
int live_analyse(struct ptx_module *m, struct prog_func *f, struct err *e);
/* Marks the movs that read the clock of a loop that only waits for it (spin.c). */
int spin_analyse(struct prog_func *f, struct err *e);
/* Returns the machine register of an operand (for 64 bits: of its low half), or 255 if it has none.
 */
uint32_t live_phys(const struct prog_func *f, struct opnd o);

/* Stores the successors of instruction i, at most max, and returns their number. */
uint32_t flow_next(const struct ptx_module *m, const struct prog_func *f, uint32_t i, uint32_t *to,
		   uint32_t max);

#endif
