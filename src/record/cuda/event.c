/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * event.c - records and queries events. The time between two events is artificial, so that it is
 * the same in every run: the number of warp instructions executed in between, one per cycle on each
 * SM.
 */
#include "record/cuda/driver.h"

#include <stdlib.h>

EXPORT
cuEventCreate(CUevent *event, unsigned int flags)
{
	ENTER(NEED_CONTEXT);
	struct event *v;

	if (!event || flags > 7)
		return CUDA_ERROR_INVALID_VALUE;
	v = calloc(1, sizeof(*v));
	if (!v)
		return CUDA_ERROR_OUT_OF_MEMORY;
	v->flags = flags;
	v->o.ctx = context_current();
	object_add(d, &v->o, OBJ_EVENT, (uintptr_t)v);
	*event = (CUevent)v;
	return CUDA_SUCCESS;
}

EXPORT
cuEventDestroy_v2(CUevent event)
{
	ENTER(NEED_CONTEXT);

	return object_destroy(d, FIND(d, OBJ_EVENT, event));
}

ALIAS(cuEventDestroy_v2, cuEventDestroy);

EXPORT
cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags)
{
	ENTER(NEED_CONTEXT);
	struct event *v = FIND(d, OBJ_EVENT, event);

	if (flags > 1)
		return CUDA_ERROR_INVALID_VALUE;
	if (!v || !stream_select(d, stream))
		return CUDA_ERROR_INVALID_HANDLE;
	v->recorded = true;
	v->time = d->insts;
	recording_order(d, TRACE_EVENT_RECORD, v);
	return CUDA_SUCCESS;
}

ALIAS(cuEventRecordWithFlags, cuEventRecordWithFlags_ptsz);

EXPORT
cuEventRecord(CUevent event, CUstream stream)
{
	return cuEventRecordWithFlags(event, stream, 0);
}

ALIAS(cuEventRecord, cuEventRecord_ptsz);

/* Notes that the program has waited for the event. A successful query counts as a wait, because the
 * program then relies on it. */
static CUresult
wait_event(struct driver *d, CUevent event)
{
	struct event *v = FIND(d, OBJ_EVENT, event);

	if (!v)
		return CUDA_ERROR_INVALID_HANDLE;
	recording_order(d, TRACE_HOST_EVENT, v);
	return CUDA_SUCCESS;
}

EXPORT
cuEventQuery(CUevent event)
{
	ENTER(NEED_CONTEXT);

	return wait_event(d, event);
}

EXPORT
cuEventSynchronize(CUevent event)
{
	ENTER(NEED_CONTEXT);

	return wait_event(d, event);
}

EXPORT
cuEventElapsedTime(float *ms, CUevent start, CUevent end)
{
	ENTER(NEED_CONTEXT);
	const struct event *a = FIND(d, OBJ_EVENT, start), *b = FIND(d, OBJ_EVENT, end);

	if (!ms)
		return CUDA_ERROR_INVALID_VALUE;
	if (!a || !b || !a->recorded || !b->recorded ||
	    ((a->flags | b->flags) & CU_EVENT_DISABLE_TIMING))
		return CUDA_ERROR_INVALID_HANDLE;
	*ms = (float)(((double)b->time - (double)a->time) /
		      ((double)d->machine.sms * d->machine.clock_khz));
	return CUDA_SUCCESS;
}

ALIAS(cuEventElapsedTime, cuEventElapsedTime_v2);
