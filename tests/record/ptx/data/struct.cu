// struct.cu - structs by value, local arrays, static and dynamic shared memory, constant tables,
// pointers in initializers. No header: clang -nocudainc compiles it, and nvcc.
//
// Made with clang 14 (-x cuda --cuda-device-only -nocudainc -nocudalib -S -O2):
//   struct-clang-sm_20.ptx       clang --cuda-gpu-arch=sm_20
//   struct-clang-sm_35-g.ptx     clang --cuda-gpu-arch=sm_35 -g
#ifdef __clang__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define TID __nvvm_read_ptx_sreg_tid_x()
#else
#define TID ((int)threadIdx.x)
#endif

struct point {
	int a;
	double b;
	char c[3];
};

__constant__ int table[2][3] = {{1, 2, 3}, {4, 5, -6}};
__device__ struct point origin = {7, 2.5, {'a', 'b', 0}};
__device__ const char *names[2] = {"one", "two"};
__device__ float ramp[4] = {0.f, 0.5f, 1.f, -2.f};
__device__ int *first = &origin.a;

__global__ void
mix(int *out, struct point p, int n)
{
	__shared__ int tile[32];
	extern __shared__ double more[];
	int local[8], i = TID;

	for (int k = 0; k < 8; k++)
		local[(i + k) & 7] = out[k] + n;
	tile[i] = local[n & 7];
	__syncthreads();
	more[i] = tile[31 - i] * p.b + table[n & 1][i % 3] + origin.b + p.c[n & 1];
	__syncthreads();
	out[i] = (int)(more[31 - i] * ramp[n & 3]) + names[n & 1][i % 3] + *first;
}
