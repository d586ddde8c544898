/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * graph.h - private to graphs, which are lists of work to launch later (graph.c), and to streams
 * whose calls are captured into a graph (capture.c).
 */
#ifndef RUNTIME_GRAPH_H
#define RUNTIME_GRAPH_H

#include "record/runtime/runtime.h"

/* The work of a node; a kernel's arguments are copied. */
struct work {
	enum cudaGraphNodeType type;
	union {
		struct {
			const void *func;
			CUlaunchConfig config;
			void **args; /* one block: pointers, then the values */
		} kernel;
		struct {
			void *to;
			const void *from;
			size_t bytes;
			enum cudaMemcpyKind kind;
		} line;
		CUDA_MEMCPY3D box;
		struct cudaMemsetParams fill;
		struct cudaHostNodeParams host;
		cudaGraph_t child;
		struct cudaMemAllocNodeParams alloc;
		void *freed;
	};
	bool is_box; /* of cudaGraphNodeTypeMemcpy */
};

/* Appends a copy of w to g. out may be NULL. */
cudaError_t graph_add(cudaGraph_t g, const struct work *w, const cudaGraphNode_t *after, size_t n,
		      cudaGraphNode_t *out);
cudaError_t graph_add_kernel(cudaGraph_t g, const struct cudaKernelNodeParams *p,
			     const cudaGraphNode_t *after, size_t n, cudaGraphNode_t *out);

/* The work of a node; NULL: the node has work of another type. */
const struct work *graph_work(cudaGraphNode_t node, enum cudaGraphNodeType type);

/* The graph that captures the calls of a stream; NULL: they run immediately. */
cudaGraph_t capture_of(cudaStream_t stream);
/* Record an event, or wait for one, as part of a capture; false: the stream does not capture. */
bool capture_event(cudaEvent_t event, cudaStream_t stream);
bool capture_wait(cudaStream_t stream, cudaEvent_t event);

/* Notes that the memory at p belongs to a graph, whose launches use it even after cudaFree. */
cudaError_t graph_memory_keep(void *p);
bool graph_memory_is_kept(const void *p);
void graph_memory_forget(void); /* a reset of the device freed all memory */

/* Converts a copy to the driver's struct (copy.c). */
cudaError_t copy_box_of(const struct cudaMemcpy3DParms *p, CUDA_MEMCPY3D *c);

#endif
