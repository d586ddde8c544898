// asm.cu - clang and nvcc: inline assembly with scopes, registers and labels of its own, 64-bit and
// double arithmetic, conversions.
//
// Made with clang 14 (-x cuda --cuda-device-only -nocudainc -nocudalib -S -O2) and nvcc 13 (-ptx):
//   asm-nvcc-75-G.ptx            nvcc -arch=compute_75 -G
//   asm-clang-sm_35.ptx          clang --cuda-gpu-arch=sm_35
//   asm-nvcc-90.ptx              nvcc -arch=compute_90
#ifdef __clang__
#define __global__ __attribute__((global))
#define TID __nvvm_read_ptx_sreg_tid_x()
#else
#define TID ((int)threadIdx.x)
#endif

__global__ void
assembly(double *d, long long *l, float *f, int n)
{
	unsigned long long a = 0, b = (unsigned long long)l[1];
	float q, r;
	int i = TID;

	asm("{ .reg .f32 t1; mul.rn.f32 t1,%1,%1; add.f32 %0,t1,0f3F800000; }"
	    : "=f"(q)
	    : "f"((float)n));
	asm("{ .reg .f32 t1; .reg .pred p; setp.gt.f32 p, %1, 0f00000000;\n\t"
	    "@p bra L1; neg.f32 t1, %1; bra.uni L2;\n\tL1: mov.f32 t1, %1;\n\tL2: mov.f32 %0, t1; }"
	    : "=f"(r)
	    : "f"(q));
	asm volatile("{ .reg .pred p; L1: setp.ne.s32 p, %0, %0; @p bra L1; }" ::"r"(n));
	asm("mul.hi.u64 %0, %1, %2;" : "=l"(a) : "l"(b), "l"(b + 3));
	asm("{ .reg .b32 lo, hi; mov.b64 {lo, hi}, %1; mov.b64 %0, {hi, lo}; }" : "=l"(b) : "l"(a));
	f[i] = q + r;
	l[i] = (long long)(a % 1000003 + b / 7) + (long long)d[1] + l[0] * l[2];
	d[i] = d[i] / 3.0 + (double)l[3] + (double)(float)d[2];
}
