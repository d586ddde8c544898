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
	MBAR_COPIED   /* cp.async.mbarrier.arrive */
};

exec_fn exec_cp_async, exec_mbarrier;

#endif
