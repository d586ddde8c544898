// The kernel of tests/record/cuda/vectoradd.ptx as CUDA C, for clang without CUDA's headers:
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -S one.cu
#define __global__ __attribute__((global))

extern "C" __global__ void
vectoradd(const float *a, const float *b, float *c, int n)
{
	int i = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +
		__nvvm_read_ptx_sreg_tid_x();

	if (i < n)
		c[i] = a[i] + b[i];
}
