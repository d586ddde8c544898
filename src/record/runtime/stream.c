/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stream.c - creates and queries streams and events, by the driver. capture.c captures their
 * calls. */
#include "record/runtime/graph.h"

CUresult
runtime_stream(cudaStream_t stream)
{
	unsigned flags;

	return cuStreamGetFlags(stream, &flags);
}

cudaError_t
runtime_wait(cudaError_t r)
{
	if (r == cudaSuccess)
		TRY(cuStreamSynchronize(NULL));
	return r;
}

EXPORT
cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
	FORWARD(cuStreamCreateWithPriority(stream, flags, priority));
}

EXPORT
cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
	return cudaStreamCreateWithPriority(stream, flags, 0);
}

EXPORT
cudaStreamCreate(cudaStream_t *stream)
{
	return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

EXPORT
cudaStreamDestroy(cudaStream_t stream)
{
	FORWARD(cuStreamDestroy_v2(stream));
}

EXPORT
cudaStreamQuery(cudaStream_t stream)
{
	FORWARD(cuStreamQuery(stream));
}

ALIAS(cudaStreamQuery, cudaStreamQuery_ptsz);

EXPORT
cudaStreamSynchronize(cudaStream_t stream)
{
	FORWARD(cuStreamSynchronize(stream));
}

ALIAS(cudaStreamSynchronize, cudaStreamSynchronize_ptsz);

EXPORT
cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
	if (capture_wait(stream, event))
		return cudaSuccess;
	FORWARD(cuStreamWaitEvent(stream, event, flags));
}

ALIAS(cudaStreamWaitEvent, cudaStreamWaitEvent_ptsz);

struct callback {
	cudaStreamCallback_t fn;
	void *data;
};

static void
call_back(CUstream stream, CUresult status, void *data)
{
	struct callback *c = data;

	c->fn(stream, (cudaError_t)status, c->data);
}

/* The function is called before this returns, so its data may be on the stack. */
EXPORT
cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t fn, void *data, unsigned int flags)
{
	struct callback c = {fn, data};

	if (!fn)
		return runtime_done(cudaErrorInvalidValue);
	FORWARD(cuStreamAddCallback(stream, call_back, &c, flags));
}

ALIAS(cudaStreamAddCallback, cudaStreamAddCallback_ptsz);

EXPORT
cudaStreamAttachMemAsync(cudaStream_t stream, void *p, size_t bytes, unsigned int flags)
{
	FORWARD(cuStreamAttachMemAsync(stream, (CUdeviceptr)(uintptr_t)p, bytes, flags));
}

ALIAS(cudaStreamAttachMemAsync, cudaStreamAttachMemAsync_ptsz);

EXPORT
cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
	FORWARD(cuStreamGetPriority(stream, priority));
}

ALIAS(cudaStreamGetPriority, cudaStreamGetPriority_ptsz);

EXPORT
cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
	FORWARD(cuStreamGetFlags(stream, flags));
}

ALIAS(cudaStreamGetFlags, cudaStreamGetFlags_ptsz);

EXPORT
cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
	FORWARD(cuStreamGetId(stream, id));
}

ALIAS(cudaStreamGetId, cudaStreamGetId_ptsz);

EXPORT
cudaStreamGetDevice(cudaStream_t stream, int *device)
{
	FORWARD(cuStreamGetDevice(stream, device));
}

ALIAS(cudaStreamGetDevice, cudaStreamGetDevice_ptsz);

/* ---- events ---- */

EXPORT
cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
	FORWARD(cuEventCreate(event, flags));
}

EXPORT
cudaEventCreate(cudaEvent_t *event)
{
	return cudaEventCreateWithFlags(event, cudaEventDefault);
}

EXPORT
cudaEventDestroy(cudaEvent_t event)
{
	FORWARD(cuEventDestroy_v2(event));
}

EXPORT
cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	if (capture_event(event, stream))
		return cudaSuccess;
	FORWARD(cuEventRecord(event, stream));
}

ALIAS(cudaEventRecord, cudaEventRecord_ptsz);

EXPORT
cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
	FORWARD(cuEventRecordWithFlags(event, stream, flags));
}

ALIAS(cudaEventRecordWithFlags, cudaEventRecordWithFlags_ptsz);

EXPORT
cudaEventQuery(cudaEvent_t event)
{
	FORWARD(cuEventQuery(event));
}

EXPORT
cudaEventSynchronize(cudaEvent_t event)
{
	FORWARD(cuEventSynchronize(event));
}

EXPORT
cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
	FORWARD(cuEventElapsedTime(ms, start, end));
}

ALIAS(cudaEventElapsedTime, cudaEventElapsedTime_v2);
