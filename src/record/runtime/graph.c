/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * graph.c - builds and launches graphs, which are lists of work that a launch executes one node
 * after the other.
 *
 * An instantiated graph is a copy with its nodes in an order that the edges allow: the order in
 * which they were added, unless an edge requires another one. The work of a node is that of the
 * same call on a stream. Not supported: nodes of events and conditions, and changes of an
 * instantiated graph other than a kernel's parameters and cudaGraphExecUpdate.
 */
#include "record/runtime/graph.h"

#include <stdlib.h>
#include <string.h>

struct CUgraphNode_st {
	struct CUgraphNode_st *next;
	struct CUgraph_st *graph;
	const struct CUgraphNode_st *origin; /* in a copy: the original node */
	struct work work;
	const struct CUgraphNode_st **after;
	size_t n_after;
	bool done; /* in cudaGraphClone: the node was copied */
};

struct CUgraph_st {
	struct CUgraphNode_st *first, **end;
	size_t n;
};

struct CUgraphExec_st {
	cudaGraph_t graph;
};

/* ---- work ---- */

/* Copies arguments into one block: the pointers, then the values, each at a multiple of 16. A null
 * pointer instead of a value is an error, as in a launch. */
static cudaError_t
copy_args(CUfunction f, void **from, void ***out)
{
	size_t n = 0, bytes = 0, offset, size;
	char *at;

	for (; cuFuncGetParamInfo(f, n, &offset, &size) == CUDA_SUCCESS; n++) {
		if (!from || !from[n])
			return cudaErrorInvalidValue;
		bytes += (size + 15) / 16 * 16;
	}
	*out = calloc(1, (n + 2) * sizeof(void *) + bytes + 16);
	if (!*out)
		return cudaErrorMemoryAllocation;
	at = (char *)*out + (n + 2) / 2 * 2 * sizeof(void *);
	for (size_t i = 0; i < n; i++) {
		cuFuncGetParamInfo(f, i, &offset, &size);
		(*out)[i] = at;
		memcpy(at, from[i], size);
		at += (size + 15) / 16 * 16;
	}
	return cudaSuccess;
}

static void
work_free(struct work *w)
{
	if (w->type == cudaGraphNodeTypeKernel)
		free(w->kernel.args);
	else if (w->type == cudaGraphNodeTypeGraph)
		cudaGraphDestroy(w->child);
}

/* Copies work and what it points to. */
static cudaError_t
work_copy(struct work *to, const struct work *from)
{
	CUfunction f;

	*to = *from;
	if (from->type == cudaGraphNodeTypeGraph)
		return cudaGraphClone(&to->child, from->child);
	if (from->type != cudaGraphNodeTypeKernel)
		return cudaSuccess;
	to->kernel.args = NULL;
	TRY(register_function(from->kernel.func, &f));
	return copy_args(f, from->kernel.args, &to->kernel.args);
}

static cudaError_t
run_fill(const struct cudaMemsetParams *m, cudaStream_t s)
{
	CUdeviceptr at = (CUdeviceptr)(uintptr_t)m->dst;
	size_t h = MAX(m->height, 1);

	if (m->elementSize == 1)
		return (cudaError_t)cuMemsetD2D8Async(at, m->pitch, (unsigned char)m->value,
						      m->width, h, s);
	if (m->elementSize == 2)
		return (cudaError_t)cuMemsetD2D16Async(at, m->pitch, (unsigned short)m->value,
						       m->width, h, s);
	return (cudaError_t)cuMemsetD2D32Async(at, m->pitch, m->value, m->width, h, s);
}

static cudaError_t run_graph(const struct CUgraph_st *g, cudaStream_t s);

static cudaError_t
run_work(const struct work *w, cudaStream_t s)
{
	CUlaunchConfig c;
	CUfunction f;

	switch (w->type) {
	case cudaGraphNodeTypeKernel:
		TRY(register_function(w->kernel.func, &f));
		c = w->kernel.config;
		c.hStream = s;
		return (cudaError_t)cuLaunchKernelEx(&c, f, w->kernel.args, NULL);
	case cudaGraphNodeTypeMemcpy:
		if (w->is_box)
			return (cudaError_t)cuMemcpy3DAsync_v2(&w->box, s);
		return cudaMemcpyAsync(w->line.to, w->line.from, w->line.bytes, w->line.kind, s);
	case cudaGraphNodeTypeMemset:
		return run_fill(&w->fill, s);
	case cudaGraphNodeTypeHost:
		return (cudaError_t)cuLaunchHostFunc(s, w->host.fn, w->host.userData);
	case cudaGraphNodeTypeGraph:
		return run_graph(w->child, s);
	default:
		return cudaSuccess;
	}
}

static cudaError_t
run_graph(const struct CUgraph_st *g, cudaStream_t s)
{
	cudaError_t r = cudaSuccess;

	for (const struct CUgraphNode_st *n = g->first; n && r == cudaSuccess; n = n->next)
		r = run_work(&n->work, s);
	return r;
}

/* ---- graphs ---- */

static cudaError_t
add_edges(struct CUgraphNode_st *node, const cudaGraphNode_t *after, size_t n)
{
	const struct CUgraphNode_st **more;

	if (!n)
		return cudaSuccess;
	if (!after)
		return cudaErrorInvalidValue;
	more = realloc(node->after, (node->n_after + n) * sizeof(*more));
	if (!more)
		return cudaErrorMemoryAllocation;
	node->after = more;
	for (size_t i = 0; i < n; i++)
		node->after[node->n_after++] = after[i];
	return cudaSuccess;
}

static void
node_free(struct CUgraphNode_st *node)
{
	work_free(&node->work);
	free(node->after);
	free(node);
}

/* Takes ownership of w, also on failure. */
static cudaError_t
append_node(cudaGraph_t g, struct work *w, const cudaGraphNode_t *after, size_t n,
	    cudaGraphNode_t *out)
{
	struct CUgraphNode_st *node = g ? calloc(1, sizeof(*node)) : NULL;
	cudaError_t r;

	if (!node) {
		work_free(w);
		return g ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
	}
	node->work = *w;
	node->graph = g;
	r = add_edges(node, after, n);
	if (r != cudaSuccess) {
		node_free(node);
		return r;
	}
	*g->end = node;
	g->end = &node->next;
	g->n++;
	if (out)
		*out = node;
	return cudaSuccess;
}

cudaError_t
graph_add(cudaGraph_t g, const struct work *w, const cudaGraphNode_t *after, size_t n,
	  cudaGraphNode_t *out)
{
	struct work copy;

	TRY(work_copy(&copy, w));
	return runtime_done(append_node(g, &copy, after, n, out));
}

const struct work *
graph_work(cudaGraphNode_t node, enum cudaGraphNodeType type)
{
	return node && node->work.type == type ? &node->work : NULL;
}

static struct work
make_kernel_work(const struct cudaKernelNodeParams *p)
{
	struct work w = {.type = cudaGraphNodeTypeKernel};

	w.kernel.func = p->func;
	w.kernel.args = p->kernelParams;
	w.kernel.config = (CUlaunchConfig){.gridDimX = p->gridDim.x,
					   .gridDimY = p->gridDim.y,
					   .gridDimZ = p->gridDim.z,
					   .blockDimX = p->blockDim.x,
					   .blockDimY = p->blockDim.y,
					   .blockDimZ = p->blockDim.z,
					   .sharedMemBytes = p->sharedMemBytes};
	return w;
}

EXPORT
cudaGraphCreate(cudaGraph_t *out, unsigned int flags)
{
	struct CUgraph_st *g = out && !flags ? calloc(1, sizeof(*g)) : NULL;

	if (!g)
		return runtime_done(out && !flags ? cudaErrorMemoryAllocation
						  : cudaErrorInvalidValue);
	g->end = &g->first;
	*out = g;
	return cudaSuccess;
}

EXPORT
cudaGraphDestroy(cudaGraph_t g)
{
	if (!g)
		return runtime_done(cudaErrorInvalidValue);
	while (g->first) {
		struct CUgraphNode_st *node = g->first;

		g->first = node->next;
		node_free(node);
	}
	free(g);
	return cudaSuccess;
}

/* A node of g that can be copied next: all nodes that it depends on are done. */
static struct CUgraphNode_st *
find_next_node(cudaGraph_t g)
{
	for (struct CUgraphNode_st *node = g->first; node; node = node->next) {
		bool free_now = !node->done;

		for (size_t i = 0; i < node->n_after && free_now; i++)
			free_now = node->after[i]->done;
		if (free_now)
			return node;
	}
	return NULL;
}

/* Copies the nodes in an order that the edges allow; the copy has no edges. */
EXPORT
cudaGraphClone(cudaGraph_t *out, cudaGraph_t g)
{
	cudaError_t r;

	if (!g)
		return runtime_done(cudaErrorInvalidValue);
	TRY(cudaGraphCreate(out, 0));
	for (struct CUgraphNode_st *node = g->first; node; node = node->next)
		node->done = false;
	r = cudaSuccess;
	for (struct CUgraphNode_st *node; r == cudaSuccess && (node = find_next_node(g));) {
		cudaGraphNode_t copy;

		node->done = true;
		r = graph_add(*out, &node->work, NULL, 0, &copy);
		if (r == cudaSuccess)
			copy->origin = node;
	}
	if (r == cudaSuccess && (*out)->n != g->n)
		r = cudaErrorInvalidValue; /* a cycle */
	if (r != cudaSuccess)
		cudaGraphDestroy(*out);
	return runtime_done(r);
}

EXPORT
cudaGraphGetNodes(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *n)
{
	size_t i = 0;

	if (!g || !n)
		return runtime_done(cudaErrorInvalidValue);
	for (struct CUgraphNode_st *node = g->first; nodes && node && i < *n; node = node->next)
		nodes[i++] = node;
	*n = nodes ? i : g->n;
	return cudaSuccess;
}

EXPORT
cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
	if (!node || !type)
		return runtime_done(cudaErrorInvalidValue);
	*type = node->work.type;
	return cudaSuccess;
}

static cudaError_t
add_dependencies(const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		TRY(from && to && from[i] && to[i] ? add_edges(to[i], &from[i], 1)
						   : cudaErrorInvalidValue);
	return cudaSuccess;
}

#if CUDART_MAJOR >= 13
EXPORT
cudaGraphAddDependencies(cudaGraph_t g ATTR_UNUSED, const cudaGraphNode_t *from,
			 const cudaGraphNode_t *to, const void *edge ATTR_UNUSED, size_t n)
{
	return add_dependencies(from, to, n);
}
#else
EXPORT
cudaGraphAddDependencies(cudaGraph_t g ATTR_UNUSED, const cudaGraphNode_t *from,
			 const cudaGraphNode_t *to, size_t n)
{
	return add_dependencies(from, to, n);
}
#endif

/* ---- nodes ---- */

cudaError_t
graph_add_kernel(cudaGraph_t g, const struct cudaKernelNodeParams *p, const cudaGraphNode_t *after,
		 size_t n, cudaGraphNode_t *out)
{
	struct work w;

	if (!p || p->extra)
		return runtime_done(p ? cudaErrorNotSupported : cudaErrorInvalidValue);
	TRY(runtime_ready());
	w = make_kernel_work(p);
	return graph_add(g, &w, after, n, out);
}

EXPORT
cudaGraphAddKernelNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
		       const struct cudaKernelNodeParams *p)
{
	return graph_add_kernel(g, p, after, n, out);
}

EXPORT
cudaGraphAddMemcpyNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
		       const struct cudaMemcpy3DParms *p)
{
	struct work w = {.type = cudaGraphNodeTypeMemcpy, .is_box = true};

	TRY(runtime_ready());
	TRY(copy_box_of(p, &w.box));
	return graph_add(g, &w, after, n, out);
}

EXPORT
cudaGraphAddMemcpyNode1D(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after,
			 size_t n, void *to, const void *from, size_t bytes,
			 enum cudaMemcpyKind kind)
{
	struct work w = {.type = cudaGraphNodeTypeMemcpy, .line = {to, from, bytes, kind}};

	return graph_add(g, &w, after, n, out);
}

EXPORT
cudaGraphAddMemsetNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
		       const struct cudaMemsetParams *p)
{
	struct work w = {.type = cudaGraphNodeTypeMemset};

	if (!p)
		return runtime_done(cudaErrorInvalidValue);
	w.fill = *p;
	return graph_add(g, &w, after, n, out);
}

EXPORT
cudaGraphAddHostNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n,
		     const struct cudaHostNodeParams *p)
{
	struct work w = {.type = cudaGraphNodeTypeHost};

	if (!p || !p->fn)
		return runtime_done(cudaErrorInvalidValue);
	w.host = *p;
	return graph_add(g, &w, after, n, out);
}

EXPORT
cudaGraphAddChildGraphNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after,
			   size_t n, cudaGraph_t child)
{
	struct work w = {.type = cudaGraphNodeTypeGraph, .child = child};

	return graph_add(g, &w, after, n, out);
}

EXPORT
cudaGraphAddEmptyNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after, size_t n)
{
	struct work w = {.type = cudaGraphNodeTypeEmpty};

	return graph_add(g, &w, after, n, out);
}

static cudaError_t
replace_work(struct CUgraphNode_st *node, const struct work *w)
{
	struct work copy;

	if (node->work.type != w->type)
		return cudaErrorInvalidValue;
	TRY(work_copy(&copy, w));
	work_free(&node->work);
	node->work = copy;
	return cudaSuccess;
}

EXPORT
cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *p)
{
	struct work w;

	if (!node || !p || p->extra)
		return runtime_done(cudaErrorInvalidValue);
	w = make_kernel_work(p);
	return runtime_done(replace_work(node, &w));
}

/* ---- instantiated graphs ---- */

static cudaError_t
instantiate_graph(cudaGraphExec_t *out, cudaGraph_t g)
{
	struct CUgraphExec_st *x = out ? calloc(1, sizeof(*x)) : NULL;
	cudaError_t r;

	if (!x)
		return runtime_done(out ? cudaErrorMemoryAllocation : cudaErrorInvalidValue);
	r = cudaGraphClone(&x->graph, g);
	if (r != cudaSuccess)
		free(x);
	else
		*out = x;
	return r;
}

EXPORT
cudaGraphInstantiateWithFlags(cudaGraphExec_t *out, cudaGraph_t g,
			      unsigned long long flags ATTR_UNUSED)
{
	return instantiate_graph(out, g);
}

#if CUDART_MAJOR == 11
EXPORT
cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t g, cudaGraphNode_t *bad, char *log,
		     size_t bytes)
{
	if (bad)
		*bad = NULL;
	if (log && bytes)
		*log = '\0';
	return instantiate_graph(out, g);
}
#else
EXPORT
cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t g, unsigned long long flags ATTR_UNUSED)
{
	return instantiate_graph(out, g);
}
#endif

EXPORT
cudaGraphExecDestroy(cudaGraphExec_t x)
{
	if (!x)
		return runtime_done(cudaErrorInvalidValue);
	cudaGraphDestroy(x->graph);
	free(x);
	return cudaSuccess;
}

EXPORT
cudaGraphUpload(cudaGraphExec_t x, cudaStream_t stream)
{
	if (!x)
		return runtime_done(cudaErrorInvalidValue);
	FORWARD(runtime_stream(stream));
}

ALIAS(cudaGraphUpload, cudaGraphUpload_ptsz);

EXPORT
cudaGraphLaunch(cudaGraphExec_t x, cudaStream_t stream)
{
	cudaGraph_t into = capture_of(stream);

	if (!x)
		return runtime_done(cudaErrorInvalidValue);
	TRY(runtime_ready());
	if (into)
		return cudaGraphAddChildGraphNode(NULL, into, NULL, 0, x->graph);
	return runtime_done(run_graph(x->graph, stream));
}

ALIAS(cudaGraphLaunch, cudaGraphLaunch_ptsz);

EXPORT
cudaGraphExecKernelNodeSetParams(cudaGraphExec_t x, cudaGraphNode_t node,
				 const struct cudaKernelNodeParams *p)
{
	struct CUgraphNode_st *copy;

	if (!x || !node)
		return runtime_done(cudaErrorInvalidValue);
	copy = x->graph->first;
	while (copy && copy->origin != node)
		copy = copy->next;
	return cudaGraphKernelNodeSetParams(copy, p);
}

/* Replaces the parameters of all nodes; fails, without a change, if the nodes differ in type. */
static cudaError_t
update_exec(cudaGraphExec_t x, cudaGraph_t g)
{
	struct CUgraphNode_st *a, *b;
	cudaGraph_t fresh;

	if (!x)
		return cudaErrorInvalidValue;
	TRY(cudaGraphClone(&fresh, g));
	for (a = x->graph->first, b = fresh->first; a && b && a->work.type == b->work.type;) {
		a = a->next;
		b = b->next;
	}
	if (a || b) {
		cudaGraphDestroy(fresh);
		return cudaErrorGraphExecUpdateFailure;
	}
	cudaGraphDestroy(x->graph);
	x->graph = fresh;
	return cudaSuccess;
}

#if CUDART_MAJOR == 11
EXPORT
cudaGraphExecUpdate(cudaGraphExec_t x, cudaGraph_t g, cudaGraphNode_t *bad, int *result)
{
	cudaError_t r = update_exec(x, g);

	if (bad)
		*bad = NULL;
	if (result)
		*result = r != cudaSuccess;
	return runtime_done(r);
}
#else
EXPORT
cudaGraphExecUpdate(cudaGraphExec_t x, cudaGraph_t g, cudaGraphExecUpdateResultInfo *info)
{
	cudaError_t r = update_exec(x, g);

	if (info) {
		memset(info, 0, sizeof(*info));
		info->result = r != cudaSuccess;
	}
	return runtime_done(r);
}
#endif
