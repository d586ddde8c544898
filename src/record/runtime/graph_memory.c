/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * graph_memory.c - adds the nodes of graphs that allocate and free memory.
 *
 * The memory is allocated when its node is added, because the call returns its address, and every
 * launch of the graph uses it. Neither a node that frees it nor cudaFree does anything, because the
 * next launch uses it again; a reset of the device or the end of the program frees it.
 */
#include "record/runtime/graph.h"

#include <pthread.h>
#include <stdlib.h>

static struct {
	void **p;
	size_t n, cap;
} kept;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

cudaError_t
graph_memory_keep(void *p)
{
	cudaError_t r = cudaSuccess;

	pthread_mutex_lock(&lock);
	if (kept.n == kept.cap) {
		size_t cap = MAX(kept.cap * 2, (size_t)16);
		void **more = realloc(kept.p, cap * sizeof(*more));

		if (more) {
			kept.p = more;
			kept.cap = cap;
		}
	}
	if (kept.n < kept.cap)
		kept.p[kept.n++] = p;
	else
		r = cudaErrorMemoryAllocation;
	pthread_mutex_unlock(&lock);
	return r;
}

bool
graph_memory_is_kept(const void *p)
{
	bool found = false;

	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < kept.n && !found; i++)
		found = kept.p[i] == p;
	pthread_mutex_unlock(&lock);
	return found;
}

void
graph_memory_forget(void)
{
	pthread_mutex_lock(&lock);
	kept.n = 0;
	pthread_mutex_unlock(&lock);
}

EXPORT
cudaGraphAddMemAllocNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after,
			 size_t n, struct cudaMemAllocNodeParams *p)
{
	struct work w = {.type = cudaGraphNodeTypeMemAlloc};

	if (!out || !g || !p || !p->bytesize)
		return runtime_done(cudaErrorInvalidValue);
	TRY(cudaMalloc(&p->dptr, p->bytesize));
	TRY(graph_memory_keep(p->dptr));
	w.alloc = *p;
	return graph_add(g, &w, after, n, out);
}

EXPORT
cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *p)
{
	const struct work *w = graph_work(node, cudaGraphNodeTypeMemAlloc);

	if (!w || !p)
		return runtime_done(cudaErrorInvalidValue);
	*p = w->alloc;
	return cudaSuccess;
}

EXPORT
cudaGraphAddMemFreeNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
			void *p)
{
	struct work w = {.type = cudaGraphNodeTypeMemFree, .freed = p};

	if (!out || !g || !p)
		return runtime_done(cudaErrorInvalidValue);
	return graph_add(g, &w, after, n, out);
}

/* p: where the pointer goes. */
EXPORT
cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *p)
{
	const struct work *w = graph_work(node, cudaGraphNodeTypeMemFree);

	if (!w || !p)
		return runtime_done(cudaErrorInvalidValue);
	*(void **)p = w->freed;
	return cudaSuccess;
}

/* There is nothing to trim, since freed memory is not kept for reuse. */
EXPORT
cudaDeviceGraphMemTrim(int device)
{
	return runtime_done(device ? cudaErrorInvalidDevice : cudaSuccess);
}
