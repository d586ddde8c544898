// SPDX-License-Identifier: GPL-3.0-or-later
// graphs.cu - graphs: one put together by hand, one captured from two streams, changed and launched again.
#include "check.h"

__global__ void
scale(int *p, int n, int by)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i] *= by;
}

__global__ void
shift(const int *from, int *to, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		to[i] += from[(i + 1) % n];
}

static void
instantiate(cudaGraphExec_t *e, cudaGraph_t g)
{
#if CUDART_VERSION >= 12000
	CALL(cudaGraphInstantiate(e, g, 0));
#else
	cudaGraphNode_t at;
	char log[100];

	CALL(cudaGraphInstantiate(e, g, &at, log, sizeof(log)));
#endif
}

static void CUDART_CB
count(void *data)
{
	++*(int *)data;
}

/* copy in, scale, copy out and a function of the host; then scaled by another number */
static void
by_hand(int by)
{
	int n = 100, host[100], got[100], called = 0, *d;
	void *args[] = {&d, &n, &by};
	cudaKernelNodeParams k = {};
	cudaHostNodeParams h = {};
	cudaGraphNode_t in, kernel, out, fn;
	cudaGraphExec_t e;
	cudaGraph_t g;
	size_t nodes;

	for (int i = 0; i < n; i++)
		host[i] = i + 1;
	CALL(cudaMalloc(&d, sizeof(host)));
	CALL(cudaGraphCreate(&g, 0));
	CALL(cudaGraphAddMemcpyNode1D(&in, g, nullptr, 0, d, host, sizeof(host), cudaMemcpyHostToDevice));
	k.func = (void *)scale;
	k.gridDim = dim3(2);
	k.blockDim = dim3(64);
	k.kernelParams = args;
	CALL(cudaGraphAddKernelNode(&kernel, g, &in, 1, &k));
	CALL(cudaGraphAddMemcpyNode1D(&out, g, &kernel, 1, got, d, sizeof(got), cudaMemcpyDeviceToHost));
	h.fn = count;
	h.userData = &called;
	CALL(cudaGraphAddHostNode(&fn, g, &out, 1, &h));
	CALL(cudaGraphGetNodes(g, nullptr, &nodes));
	expect(nodes == 4);
	instantiate(&e, g);
	CALL(cudaGraphLaunch(e, 0));
	CALL(cudaStreamSynchronize(0));
	for (int i = 0; i < n; i++)
		expect(got[i] == 3 * host[i]);
	by = 7;
	CALL(cudaGraphExecKernelNodeSetParams(e, kernel, &k));
	CALL(cudaGraphLaunch(e, 0));
	CALL(cudaStreamSynchronize(0));
	for (int i = 0; i < n; i++)
		expect(got[i] == 7 * host[i]);
	expect(called == 2);
	CALL(cudaGraphExecDestroy(e));
	CALL(cudaGraphDestroy(g));
	CALL(cudaFree(d));
}

static void
captured()
{
	const int n = 60;
	int host[n], got[n], *a, *b;
	cudaStream_t s, t;
	cudaEvent_t fork, join;
	cudaGraphExec_t e;
	cudaGraph_t g;

	for (int i = 0; i < n; i++)
		host[i] = i * i;
	CALL(cudaMalloc(&a, sizeof(host)));
	CALL(cudaMalloc(&b, sizeof(host)));
	CALL(cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice));
	CALL(cudaStreamCreate(&s));
	CALL(cudaStreamCreate(&t));
	CALL(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
	CALL(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
	CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	CALL(cudaEventRecord(fork, s));
	CALL(cudaStreamWaitEvent(t, fork, 0));
	CALL(cudaMemsetAsync(b, 0, sizeof(host), t));
	scale<<<1, 64, 0, s>>>(a, n, 2);
	CALL(cudaEventRecord(join, t));
	CALL(cudaStreamWaitEvent(s, join, 0));
	shift<<<1, 64, 0, s>>>(a, b, n);
	CALL(cudaMemcpyAsync(got, b, sizeof(got), cudaMemcpyDeviceToHost, s));
	CALL(cudaStreamEndCapture(s, &g));
	instantiate(&e, g);
	for (int k = 1; k <= 3; k++) {
		CALL(cudaGraphLaunch(e, s));
		CALL(cudaStreamSynchronize(s));
		for (int i = 0; i < n; i++)
			expect(got[i] == host[(i + 1) % n] << k);
	}
	CALL(cudaGraphExecDestroy(e));
	CALL(cudaGraphDestroy(g));
	CALL(cudaStreamDestroy(s));
	CALL(cudaStreamDestroy(t));
	CALL(cudaFree(a));
	CALL(cudaFree(b));
}

int
main(int argc, char **argv)
{
	by_hand(3 + told_fault(argc, argv));
	captured();
	return report();
}
