// tests/record/divert/divert.t: managed, constant and device memory, a kernel; the results checked on the CPU.
#include <cstdio>
#include <cstdlib>
__constant__ float scale;
__global__ void vadd(const float *a, const float *b, float *c, int n)
{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = scale * (a[i] + b[i]); }
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1000, wrong = 0; float s = 1;
	float *a, *b, *c; cudaMallocManaged(&a, n * 4); 
	cudaError_t e = cudaGetLastError();
	if (e) { printf("%s\n", cudaGetErrorString(e)); return 1; }
	cudaMalloc(&b, n * 4); cudaMalloc(&c, n * 4);
	float *h = (float *)malloc(n * 4);
	for (int i = 0; i < n; i++) { a[i] = i; h[i] = 2 * i; }
	cudaMemcpyToSymbol(scale, &s, 4);
	cudaMemcpy(b, h, n * 4, cudaMemcpyHostToDevice);
	vadd<<<(n + 127) / 128, 128>>>(a, b, c, n);
	e = cudaDeviceSynchronize();
	cudaMemcpy(h, c, n * 4, cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i++) wrong += h[i] != 3.0f * i;
	printf("%d sums, %d wrong: %s\n", n, wrong, cudaGetErrorString(e));
	return wrong != 0 || e != 0;
}
