/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * graph_memory.c - adds the nodes of graphs that allocate and free memory.
 *
 * The memory is allocated when its node is added, because the call returns its address, and every
 * launch of the graph uses it. A node that frees it does nothing, because the next launch uses it
 * again; cudaFree or the end of the program frees it.
 */
#include "record/runtime/graph.h"

EXPORT
cudaGraphAddMemAllocNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after,
			 size_t n, struct cudaMemAllocNodeParams *p)
{
	struct work w = {.type = cudaGraphNodeTypeMemAlloc};

	if (!out || !g || !p || !p->bytesize)
		return runtime_done(cudaErrorInvalidValue);
	TRY(cudaMalloc(&p->dptr, p->bytesize));
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
