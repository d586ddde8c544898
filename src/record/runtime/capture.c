/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * capture.c - captures streams: their calls are added to a graph instead of being executed. A
 * stream that waits for an event of a capturing stream captures, too, until the capture of the
 * first one ends. Work is added in the order of the calls and executed in that order, so no edges
 * are needed.
 */
#include "record/runtime/graph.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* A stream or an event that belongs to a capture. */
struct member {
	struct member *next;
	const void *handle;
	cudaGraph_t graph;
	bool origin; /* the stream whose capture began */
};

static struct member *members;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint captures; /* nearly always 0, which avoids the search */

static cudaGraph_t
find_graph(const void *handle)
{
	for (struct member *m = members; m; m = m->next)
		if (m->handle == handle)
			return m->graph;
	return NULL;
}

static cudaError_t
add_member(const void *handle, cudaGraph_t graph, bool origin)
{
	struct member *m = malloc(sizeof(*m));

	if (!m)
		return cudaErrorMemoryAllocation;
	*m = (struct member){members, handle, graph, origin};
	members = m;
	return cudaSuccess;
}

static void
drop_members(const void *handle, cudaGraph_t graph)
{
	for (struct member **p = &members; *p;) {
		struct member *m = *p;

		if ((handle && m->handle == handle) || (graph && m->graph == graph)) {
			*p = m->next;
			free(m);
		} else {
			p = &m->next;
		}
	}
}

cudaGraph_t
capture_of(cudaStream_t stream)
{
	cudaGraph_t g;

	if (!atomic_load(&captures))
		return NULL;
	pthread_mutex_lock(&lock);
	g = find_graph(stream);
	pthread_mutex_unlock(&lock);
	return g;
}

bool
capture_event(cudaEvent_t event, cudaStream_t stream)
{
	cudaGraph_t g = capture_of(stream);

	if (!atomic_load(&captures))
		return false;
	pthread_mutex_lock(&lock);
	drop_members(event, NULL);
	if (g)
		add_member(event, g, false);
	pthread_mutex_unlock(&lock);
	return g;
}

bool
capture_wait(cudaStream_t stream, cudaEvent_t event)
{
	cudaGraph_t g;

	if (!atomic_load(&captures))
		return false;
	pthread_mutex_lock(&lock);
	g = find_graph(event);
	if (g && !find_graph(stream))
		add_member(stream, g, false);
	pthread_mutex_unlock(&lock);
	return g;
}

EXPORT
cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode ATTR_UNUSED)
{
	cudaGraph_t g;
	cudaError_t r;

	if (!stream || stream == cudaStreamLegacy)
		return runtime_done(cudaErrorStreamCaptureUnsupported);
	TRY(runtime_ready());
	TRY(runtime_stream(stream));
	if (capture_of(stream))
		return runtime_done(cudaErrorIllegalState);
	TRY(cudaGraphCreate(&g, 0));
	pthread_mutex_lock(&lock);
	r = add_member(stream, g, true);
	pthread_mutex_unlock(&lock);
	if (r != cudaSuccess)
		cudaGraphDestroy(g);
	else
		atomic_fetch_add(&captures, 1);
	return runtime_done(r);
}

ALIAS(cudaStreamBeginCapture, cudaStreamBeginCapture_ptsz);

EXPORT
cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
	cudaGraph_t g = capture_of(stream);
	bool origin = false;

	if (!graph || !g)
		return runtime_done(graph ? cudaErrorIllegalState : cudaErrorInvalidValue);
	pthread_mutex_lock(&lock);
	for (struct member *m = members; m; m = m->next)
		origin = origin || (m->handle == stream && m->origin);
	if (origin)
		drop_members(NULL, g);
	pthread_mutex_unlock(&lock);
	if (!origin)
		return runtime_done(cudaErrorStreamCaptureUnmatched);
	atomic_fetch_sub(&captures, 1);
	*graph = g;
	return cudaSuccess;
}

ALIAS(cudaStreamEndCapture, cudaStreamEndCapture_ptsz);

EXPORT
cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
	if (!status)
		return runtime_done(cudaErrorInvalidValue);
	TRY(runtime_ready());
	TRY(runtime_stream(stream));
	*status = capture_of(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
	return cudaSuccess;
}

ALIAS(cudaStreamIsCapturing, cudaStreamIsCapturing_ptsz);

/* The versions differ only in further results about the graph. */
EXPORT
cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
			 unsigned long long *id)
{
	if (id)
		*id = (unsigned long long)(uintptr_t)capture_of(stream);
	return cudaStreamIsCapturing(stream, status);
}

ALIAS(cudaStreamGetCaptureInfo, cudaStreamGetCaptureInfo_ptsz);
ALIAS(cudaStreamGetCaptureInfo, cudaStreamGetCaptureInfo_v2);
ALIAS(cudaStreamGetCaptureInfo, cudaStreamGetCaptureInfo_v2_ptsz);
ALIAS(cudaStreamGetCaptureInfo, cudaStreamGetCaptureInfo_v3);
ALIAS(cudaStreamGetCaptureInfo, cudaStreamGetCaptureInfo_v3_ptsz);

EXPORT
cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
	static _Thread_local enum cudaStreamCaptureMode kept = cudaStreamCaptureModeGlobal;
	enum cudaStreamCaptureMode was = kept;

	if (!mode)
		return runtime_done(cudaErrorInvalidValue);
	kept = *mode;
	*mode = was;
	return cudaSuccess;
}
