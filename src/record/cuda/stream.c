/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stream.c - creates and queries streams. All work is done when the call that requests it returns,
 * so streams are always idle, and a wait for one returns immediately. Host functions are called
 * immediately. The order that streams impose on a GPU is recorded in the trace.
 *
 * Limitation: the default stream of a thread (_ptsz, --default-stream per-thread) is the default
 * stream of all threads, unless the program names it as CU_STREAM_PER_THREAD.
 */
#include "record/cuda/driver.h"

#include <stdlib.h>

static bool
is_default(CUstream s)
{
	return !s || s == CU_STREAM_LEGACY || s == CU_STREAM_PER_THREAD;
}

bool
stream_select(struct driver *d, CUstream stream)
{
	if (!is_default(stream) && !FIND(d, OBJ_STREAM, stream))
		return false;
	d->stream = stream;
	return true;
}

uint64_t
stream_key(struct driver *d, CUstream stream, enum trace_stream_kind *kind)
{
	const struct stream *s = is_default(stream) ? NULL : FIND(d, OBJ_STREAM, stream);

	*kind = TRACE_STREAM_BLOCKING;
	if (s && (s->flags & CU_STREAM_NON_BLOCKING))
		*kind = TRACE_STREAM_NONBLOCKING;
	else if (!s && stream != CU_STREAM_PER_THREAD)
		*kind = TRACE_STREAM_DEFAULT;
	return s ? s->id + 2 : *kind == TRACE_STREAM_DEFAULT ? 0 : 1;
}

CUresult
stream_wait(struct driver *d, CUresult r)
{
	if (r == CUDA_SUCCESS)
		recording_order(d, TRACE_HOST_STREAM, NULL);
	return r;
}

static CUresult
check_stream(struct driver *d, CUstream stream)
{
	return stream_select(d, stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

EXPORT
cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)
{
	ENTER(NEED_CONTEXT);
	struct stream *s;

	if (!stream || flags > CU_STREAM_NON_BLOCKING)
		return CUDA_ERROR_INVALID_VALUE;
	s = calloc(1, sizeof(*s));
	if (!s)
		return CUDA_ERROR_OUT_OF_MEMORY;
	s->flags = flags;
	s->priority = MAX(MIN(priority, 0), -5);
	s->id = ++d->ids;
	s->o.ctx = context_current();
	object_add(d, &s->o, OBJ_STREAM, (uintptr_t)s);
	*stream = (CUstream)s;
	return CUDA_SUCCESS;
}

EXPORT
cuStreamCreate(CUstream *stream, unsigned int flags)
{
	return cuStreamCreateWithPriority(stream, flags, 0);
}

EXPORT
cuStreamDestroy_v2(CUstream stream)
{
	ENTER(NEED_CONTEXT);

	return object_destroy(d, FIND(d, OBJ_STREAM, stream));
}

ALIAS(cuStreamDestroy_v2, cuStreamDestroy);

EXPORT
cuStreamQuery(CUstream stream)
{
	ENTER(NEED_CONTEXT);

	return stream_wait(d, check_stream(d, stream));
}

ALIAS(cuStreamQuery, cuStreamQuery_ptsz);

EXPORT
cuStreamSynchronize(CUstream stream)
{
	ENTER(NEED_CONTEXT);

	return stream_wait(d, check_stream(d, stream));
}

ALIAS(cuStreamSynchronize, cuStreamSynchronize_ptsz);

EXPORT
cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
	ENTER(NEED_CONTEXT);
	struct event *v = FIND(d, OBJ_EVENT, event);

	if (flags > 1)
		return CUDA_ERROR_INVALID_VALUE;
	if (!v || !stream_select(d, stream))
		return CUDA_ERROR_INVALID_HANDLE;
	recording_order(d, TRACE_STREAM_WAIT, v);
	return CUDA_SUCCESS;
}

ALIAS(cuStreamWaitEvent, cuStreamWaitEvent_ptsz);

EXPORT
cuStreamAddCallback(CUstream stream, CUstreamCallback fn, void *data, unsigned int flags)
{
	ENTER(NEED_CONTEXT);

	if (!fn || flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_select(d, stream))
		return CUDA_ERROR_INVALID_HANDLE;
	fn(stream, CUDA_SUCCESS, data);
	return CUDA_SUCCESS;
}

ALIAS(cuStreamAddCallback, cuStreamAddCallback_ptsz);

EXPORT
cuLaunchHostFunc(CUstream stream, CUhostFn fn, void *data)
{
	ENTER(NEED_CONTEXT);

	if (!fn)
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_select(d, stream))
		return CUDA_ERROR_INVALID_HANDLE;
	fn(data);
	return CUDA_SUCCESS;
}

ALIAS(cuLaunchHostFunc, cuLaunchHostFunc_ptsz);

EXPORT
cuStreamAttachMemAsync(CUstream stream, CUdeviceptr addr, size_t bytes ATTR_UNUSED,
		       unsigned int flags)
{
	ENTER(NEED_CONTEXT);
	struct memory *m = memory_at(d, addr);

	if (!m || m->kind != MEM_MANAGED || flags > CU_MEM_ATTACH_SINGLE)
		return CUDA_ERROR_INVALID_VALUE;
	return check_stream(d, stream);
}

ALIAS(cuStreamAttachMemAsync, cuStreamAttachMemAsync_ptsz);

/* ---- attributes ---- */

EXPORT
cuStreamGetPriority(CUstream stream, int *priority)
{
	ENTER(NEED_CONTEXT);
	const struct stream *s = FIND(d, OBJ_STREAM, stream);

	if (!priority)
		return CUDA_ERROR_INVALID_VALUE;
	*priority = s ? s->priority : 0;
	return check_stream(d, stream);
}

ALIAS(cuStreamGetPriority, cuStreamGetPriority_ptsz);

EXPORT
cuStreamGetFlags(CUstream stream, unsigned int *flags)
{
	ENTER(NEED_CONTEXT);
	const struct stream *s = FIND(d, OBJ_STREAM, stream);

	if (!flags)
		return CUDA_ERROR_INVALID_VALUE;
	*flags = s ? s->flags : 0;
	return check_stream(d, stream);
}

ALIAS(cuStreamGetFlags, cuStreamGetFlags_ptsz);

EXPORT
cuStreamGetId(CUstream stream, unsigned long long *id)
{
	ENTER(NEED_CONTEXT);
	const struct stream *s = FIND(d, OBJ_STREAM, stream);

	if (!id)
		return CUDA_ERROR_INVALID_VALUE;
	*id = s ? s->id : (uintptr_t)stream;
	return check_stream(d, stream);
}

ALIAS(cuStreamGetId, cuStreamGetId_ptsz);

EXPORT
cuStreamGetCtx(CUstream stream, CUcontext *ctx)
{
	ENTER(NEED_CONTEXT);
	const struct stream *s = FIND(d, OBJ_STREAM, stream);

	if (!ctx)
		return CUDA_ERROR_INVALID_VALUE;
	*ctx = (CUcontext)(s ? s->o.ctx : context_current());
	return check_stream(d, stream);
}

ALIAS(cuStreamGetCtx, cuStreamGetCtx_ptsz);

EXPORT
cuStreamGetDevice(CUstream stream, CUdevice *dev)
{
	ENTER(NEED_CONTEXT);

	if (!dev)
		return CUDA_ERROR_INVALID_VALUE;
	*dev = 0;
	return check_stream(d, stream);
}

ALIAS(cuStreamGetDevice, cuStreamGetDevice_ptsz);

EXPORT
cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
	ENTER(NEED_CONTEXT);

	if (!status)
		return CUDA_ERROR_INVALID_VALUE;
	*status = CU_STREAM_CAPTURE_STATUS_NONE;
	return check_stream(d, stream);
}

ALIAS(cuStreamIsCapturing, cuStreamIsCapturing_ptsz);
