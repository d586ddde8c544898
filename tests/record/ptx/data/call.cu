// call.cu - functions: direct, recursive, through a table of pointers, with structs; a switch.
//
// Made with clang 14 (-x cuda --cuda-device-only -nocudainc -nocudalib -S -O2) and nvcc 13 (-ptx):
//   call-clang-sm_70-lines.ptx   clang --cuda-gpu-arch=sm_70 -gline-tables-only
//   call-nvcc-75-lineinfo.ptx    nvcc -arch=compute_75 -lineinfo
#ifdef __clang__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __noinline__ __attribute__((noinline))
#define TID __nvvm_read_ptx_sreg_tid_x()
#else
#define TID ((int)threadIdx.x)
#endif

struct pair {
	int a, b;
	long long c;
};

__device__ __noinline__ int
triple(int x)
{
	return 3 * x;
}

__device__ __noinline__ int
fib(int x)
{
	return x < 2 ? x : fib(x - 1) + fib(x - 2);
}

__device__ __noinline__ struct pair
swap(struct pair p)
{
	struct pair q = {p.b, p.a, -p.c};
	return q;
}

__device__ int (*calls[2])(int) = {triple, fib};

__global__ void
run(int *out, int n)
{
	struct pair p = {n, out[1], n};
	int i = TID;

	p = swap(p);
	switch (n) {
	case 0:
		out[i] = 1;
		break;
	case 1:
		out[i + 1] = 7;
		break;
	case 2:
		out[i] = n * p.a;
		break;
	case 3:
		out[i] = fib(n);
		break;
	case 4:
		out[4] = p.b;
		break;
	case 5:
		out[i] = triple(9) + (int)p.c;
		break;
	case 6:
		out[2 * i] += 5;
		break;
	case 7:
		out[0] ^= i;
		break;
	case 8:
		out[i] = out[i + 4] / 3;
		break;
	case 9:
		p.a = i;
		break;
	case 10:
		out[n] = -i;
		break;
	case 11:
		out[3 * i] = 11;
		break;
	}
	out[i] += calls[n & 1](i + p.a);
}
