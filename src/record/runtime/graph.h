/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * graph.h - private: work that is kept to be done later, in graphs (graph.c), and streams whose
 * calls go into one (capture.c).
 */
#ifndef RUNTIME_GRAPH_H
#define RUNTIME_GRAPH_H

#include "record/runtime/runtime.h"

/* What a node does; a kernel's arguments are copied. */
struct work {
	enum cudaGraphNodeType type;
	union {
		struct {
			const void *func;
			CUlaunchConfig config;
			void **args; /* one block: pointers, then what they point to */
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
	};
	bool is_box; /* of cudaGraphNodeTypeMemcpy */
};

/* Puts a copy of w behind what g has. NULL out is fine. */
cudaError_t graph_add(cudaGraph_t g, const struct work *w, const cudaGraphNode_t *after, size_t n,
		      cudaGraphNode_t *out);
cudaError_t graph_add_kernel(cudaGraph_t g, const struct cudaKernelNodeParams *p,
			     const cudaGraphNode_t *after, size_t n, cudaGraphNode_t *out);

/* The graph that the calls of a stream go into; NULL: they are done at once. */
cudaGraph_t capture_of(cudaStream_t stream);
/* An event is recorded, or a stream waits for one; true: as part of a capture, and that is all. */
bool capture_event(cudaEvent_t event, cudaStream_t stream);
bool capture_wait(cudaStream_t stream, cudaEvent_t event);

/* The driver's words for a copy (copy.c). */
cudaError_t copy_box_of(const struct cudaMemcpy3DParms *p, CUDA_MEMCPY3D *c);

#endif
