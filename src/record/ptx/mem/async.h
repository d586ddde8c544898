/* SPDX-License-Identifier: GPL-3.0-or-later */
/* async.h - private to async.c and its decoder, decode_async.c. */
#ifndef PTX_ASYNC_H
#define PTX_ASYNC_H

#include "record/ptx/mem/mem.h"

enum mbar_op {
	MBAR_INIT,
	MBAR_INVAL,
	MBAR_ARRIVE,
	MBAR_DROP,
	MBAR_TEST,    /* test_wait, try_wait */
	MBAR_PENDING, /* pending_count */
	MBAR_COPIED,  /* cp.async.mbarrier.arrive */
	MBAR_EXPECT,  /* expect_tx */
	MBAR_COMPLETE /* complete_tx */
};

/* cp.async.bulk: global to shared memory, shared to shared, shared to global. */
enum bulk_kind { BULK_LOAD, BULK_MOVE, BULK_STORE };

exec_fn exec_cp_async, exec_mbarrier, exec_bulk;

/* Subtracts bytes that lane has copied from those that the mbarrier at addr expects. 0, or
 * EXEC_FAULT. */
int mbarrier_complete(const struct prog_inst *in, struct warp *w, uint32_t lane, uint64_t addr,
		      uint32_t bytes);
/* Reports to the sink what an exec_bulk of the lanes of mask has copied. */
int bulk_report(const struct prog_inst *in, struct warp *w, uint32_t mask);

#endif
