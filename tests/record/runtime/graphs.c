/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graphs.c - streams that capture, and graphs: what they execute, when, and in which order. */
#include "tests/record/runtime/rig.h"

/* What a stream captures is not executed then, but by each launch of the graph. */
static void
test_capture(void)
{
	uint32_t n = 32, v = 3, h[32] = {0};
	enum cudaStreamCaptureStatus status;
	cudaStream_t s, other;
	cudaGraphExec_t x;
	cudaEvent_t e;
	cudaGraph_t g;
	int calls = 0;
	size_t nodes;
	void *d, *args[] = {&d, &n, &v};

	GOOD(cudaMalloc(&d, sizeof(h)));
	GOOD(cudaMemset(d, 0, sizeof(h)));
	GOOD(cudaStreamCreate(&s));
	GOOD(cudaStreamCreate(&other));
	GOOD(cudaEventCreate(&e));
	REFUSED(cudaErrorStreamCaptureUnsupported,
		cudaStreamBeginCapture(NULL, cudaStreamCaptureModeGlobal));
	GOOD(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	GOOD(cudaStreamIsCapturing(s, &status));
	is_u64(status, cudaStreamCaptureStatusActive, "a stream captures");
	GOOD(cudaLaunchKernel(&fill, (dim3){1, 1, 1}, (dim3){32, 1, 1}, args, 0, s));
	v = 4; /* the argument was copied */
	GOOD(cudaEventRecord(e, s));
	GOOD(cudaStreamWaitEvent(other, e, 0));
	GOOD(cudaMemsetAsync(d, 0xff, 4, other));
	GOOD(cudaLaunchHostFunc(other, add_one, &calls));
	GOOD(cudaEventRecord(e, other));
	GOOD(cudaStreamWaitEvent(s, e, 0));
	GOOD(cudaMemcpyAsync(h, d, sizeof(h), cudaMemcpyDeviceToHost, s));
	REFUSED(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(other, &g));
	GOOD(cudaStreamEndCapture(s, &g));
	GOOD(cudaStreamIsCapturing(other, &status));
	is_u64(status, cudaStreamCaptureStatusNone, "none does any more");
	ok(!h[1] && !calls, "nothing was done");
	GOOD(cudaGraphGetNodes(g, NULL, &nodes));
	is_u64(nodes, 4, "four nodes");
#if CUDART_MAJOR == 11
	GOOD(cudaGraphInstantiate(&x, g, NULL, NULL, 0));
#else
	GOOD(cudaGraphInstantiate(&x, g, 0));
#endif
	GOOD(cudaGraphDestroy(g));
	GOOD(cudaGraphLaunch(x, s));
	ok(h[0] == UINT32_MAX && h[1] == 3 && h[31] == 3 && calls == 1, "a launch does all of it");
	h[1] = 0;
	GOOD(cudaGraphLaunch(x, NULL));
	ok(h[1] == 3 && calls == 2, "and another one again");
	GOOD(cudaGraphExecDestroy(x));
	GOOD(cudaEventDestroy(e));
	GOOD(cudaStreamDestroy(s));
	GOOD(cudaStreamDestroy(other));
	GOOD(cudaFree(d));
	cudaGetLastError();
}

static cudaError_t
edge(cudaGraph_t g, cudaGraphNode_t from, cudaGraphNode_t to)
{
#if CUDART_MAJOR >= 13
	return cudaGraphAddDependencies(g, &from, &to, NULL, 1);
#else
	return cudaGraphAddDependencies(g, &from, &to, 1);
#endif
}

/* Nodes are added in the wrong order; their edges give the right one. */
static void
test_graph(void)
{
	uint32_t n = 4, v = 8, h[4] = {0};
	cudaGraphNode_t back, set, k;
	cudaGraphExec_t x, none;
	cudaGraph_t g, parent;
	void *d, *args[] = {&d, &n, &v};
	struct cudaKernelNodeParams p = {.func = &fill,
					 .gridDim = {1, 1, 1},
					 .blockDim = {32, 1, 1},
					 .kernelParams = args};
	struct cudaMemsetParams m = {.elementSize = 4, .value = 77, .width = 1, .height = 1};

	GOOD(cudaMalloc(&d, sizeof(h)));
	m.dst = d;
	GOOD(cudaGraphCreate(&g, 0));
	GOOD(cudaGraphAddMemcpyNode1D(&back, g, NULL, 0, h, d, sizeof(h), cudaMemcpyDeviceToHost));
	GOOD(cudaGraphAddMemsetNode(&set, g, NULL, 0, &m));
	GOOD(cudaGraphAddKernelNode(&k, g, NULL, 0, &p));
	GOOD(edge(g, k, set));
	GOOD(edge(g, set, back));
	GOOD(cudaGraphInstantiateWithFlags(&x, g, 0));
	GOOD(cudaGraphLaunch(x, NULL));
	ok(h[0] == 77 && h[1] == 8 && h[3] == 8, "edges decide the order");
	v = 9;
	GOOD(cudaGraphExecKernelNodeSetParams(x, k, &p));
	GOOD(cudaGraphLaunch(x, NULL));
	is_u64(h[1], 9, "other parameters");
	args[1] = NULL;
	REFUSED(cudaErrorInvalidValue, cudaGraphExecKernelNodeSetParams(x, k, &p));
	REFUSED(cudaErrorInvalidValue, cudaGraphAddKernelNode(&k, g, NULL, 0, &p));
	GOOD(cudaGraphCreate(&parent, 0));
	GOOD(cudaGraphAddChildGraphNode(NULL, parent, NULL, 0, g));
	GOOD(cudaGraphExecDestroy(x));
	GOOD(cudaGraphInstantiateWithFlags(&x, parent, 0));
	GOOD(cudaGraphLaunch(x, NULL));
	is_u64(h[1], 8, "a graph in a graph");
	GOOD(edge(g, back, k));
	REFUSED(cudaErrorInvalidValue, cudaGraphInstantiateWithFlags(&none, g, 0));
	GOOD(cudaGraphExecDestroy(x));
	GOOD(cudaGraphDestroy(parent));
	GOOD(cudaGraphDestroy(g));
	GOOD(cudaFree(d));
	cudaGetLastError();
}

/* A graph allocates what its nodes use, and frees it; each launch finds it at the same address. */
static void
test_memory(void)
{
	struct cudaMemAllocNodeParams a = {.poolProps.allocType = 1, .bytesize = 128}, b = {0};
	struct cudaKernelNodeParams p = {.func = &fill,
					 .gridDim = {1, 1, 1},
					 .blockDim = {32, 1, 1}};
	uint32_t n = 32, v = 5, h[32] = {0};
	cudaGraphNode_t alloc, k, back, end;
	enum cudaGraphNodeType type;
	cudaGraphExec_t x;
	cudaGraph_t g;
	void *args[] = {&a.dptr, &n, &v}, *freed = NULL, *other;

	GOOD(cudaGraphCreate(&g, 0));
	GOOD(cudaGraphAddMemAllocNode(&alloc, g, NULL, 0, &a));
	ok(a.dptr != NULL, "the address is known when the node is added");
	p.kernelParams = args;
	GOOD(cudaGraphAddKernelNode(&k, g, &alloc, 1, &p));
	GOOD(cudaGraphAddMemcpyNode1D(&back, g, &k, 1, h, a.dptr, sizeof(h),
				      cudaMemcpyDeviceToHost));
	GOOD(cudaGraphAddMemFreeNode(&end, g, &back, 1, a.dptr));
	GOOD(cudaGraphMemAllocNodeGetParams(alloc, &b));
	GOOD(cudaGraphMemFreeNodeGetParams(end, &freed));
	GOOD(cudaGraphNodeGetType(end, &type));
	ok(b.dptr == a.dptr && b.bytesize == 128 && freed == a.dptr &&
		   type == cudaGraphNodeTypeMemFree,
	   "nodes of memory say what they were made of");
	REFUSED(cudaErrorInvalidValue, cudaGraphMemFreeNodeGetParams(alloc, &freed));
	GOOD(cudaGraphInstantiateWithFlags(&x, g, 0));
	for (int i = 0; i < 2; i++) {
		h[31] = 0;
		GOOD(cudaGraphLaunch(x, NULL));
		is_u64(h[31], 5, "a launch uses the memory of the graph");
	}
	GOOD(cudaFree(a.dptr));
	GOOD(cudaMalloc(&other, 128));
	GOOD(cudaMemset(other, 1, 128));
	GOOD(cudaGraphLaunch(x, NULL));
	is_u64(h[31], 5, "also after the program has freed it");
	GOOD(cudaMemcpy(h, other, sizeof(h), cudaMemcpyDeviceToHost));
	is_u64(h[31], 0x01010101, "no other memory has its address");
	GOOD(cudaFree(other));
	GOOD(cudaDeviceGraphMemTrim(0));
	GOOD(cudaGraphExecDestroy(x));
	GOOD(cudaGraphDestroy(g));
	a.bytesize = 0;
	REFUSED(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&alloc, g, NULL, 0, &a));
	cudaGetLastError();
}

int
main(void)
{
	register_all();
	test_capture();
	test_graph();
	test_memory();
	__cudaUnregisterFatBinary(handle);
	return done();
}
