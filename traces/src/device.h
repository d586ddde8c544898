/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * device.h - what the kernels of the workloads use of CUDA, so that clang alone compiles them: no
 * CUDA headers, no libdevice. Functions are named by what they do in PTX; those of mathematics are
 * the fast ones (.approx) that nvcc -use_fast_math takes for expf, logf, sinf.
 *
 * MAXNREG(kernel, n) says how many registers a thread of the kernel has on the machine; make-ptx
 * writes it into the PTX as .maxnreg. Without it the recorder estimates.
 */
#ifndef DEVICE_H
#define DEVICE_H

#define KERNEL(threads) extern "C" __attribute__((global, launch_bounds(threads)))
#define DEVICE static inline __attribute__((device, always_inline))
#define FUNCTION static __attribute__((device, noinline)) /* called */
#define SHARED __attribute__((shared))
#define CONSTANT __attribute__((constant))
#define MAXNREG(kernel, n)
#define UNROLL _Pragma("unroll")
#define UNROLL_BY_5 _Pragma("unroll 5")
#define NO_UNROLL _Pragma("nounroll")

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

struct float4 {
	float x, y, z, w;
} __attribute__((aligned(16)));

struct float2 {
	float x, y;
} __attribute__((aligned(8)));

struct uint4 {
	u32 x, y, z, w;
} __attribute__((aligned(16)));

#define tid_x ((int)__nvvm_read_ptx_sreg_tid_x())
#define tid_y ((int)__nvvm_read_ptx_sreg_tid_y())
#define cta_x ((int)__nvvm_read_ptx_sreg_ctaid_x())
#define cta_y ((int)__nvvm_read_ptx_sreg_ctaid_y())
#define block_x ((int)__nvvm_read_ptx_sreg_ntid_x())
#define block_y ((int)__nvvm_read_ptx_sreg_ntid_y())
#define grid_x ((int)__nvvm_read_ptx_sreg_nctaid_x())
#define grid_y ((int)__nvvm_read_ptx_sreg_nctaid_y())
#define barrier() __nvvm_bar_sync(0)

#define atomic_add(p, v) __nvvm_atom_add_gen_i(p, v)
#define atomic_max(p, v) __nvvm_atom_max_gen_i(p, v)
#define atomic_cas(p, old, v) __nvvm_atom_cas_gen_i(p, old, v)

#define DEVICE_MATH_1(name, insn)                        \
	DEVICE float name(float x)                       \
	{                                                \
		float y;                                 \
		asm(insn " %0, %1;" : "=f"(y) : "f"(x)); \
		return y;                                \
	}
DEVICE_MATH_1(sin_approx, "sin.approx.f32")
DEVICE_MATH_1(cos_approx, "cos.approx.f32")
DEVICE_MATH_1(ex2_approx, "ex2.approx.f32")
DEVICE_MATH_1(lg2_approx, "lg2.approx.f32")
DEVICE_MATH_1(rsqrt_approx, "rsqrt.approx.f32")
DEVICE_MATH_1(rcp_approx, "rcp.approx.f32")
DEVICE_MATH_1(sqrt_rn, "sqrt.rn.f32")

DEVICE float
div_approx(float a, float b)
{
	float y;

	asm("div.approx.f32 %0, %1, %2;" : "=f"(y) : "f"(a), "f"(b));
	return y;
}

DEVICE float
exp_approx(float x)
{
	return ex2_approx(x * 1.4426950408889634f);
}

DEVICE float
log_approx(float x)
{
	return lg2_approx(x) * 0.69314718055994531f;
}

DEVICE float
abs_f(float x)
{
	return __builtin_fabsf(x);
}

DEVICE float
min_f(float a, float b)
{
	return __builtin_fminf(a, b);
}

DEVICE float
max_f(float a, float b)
{
	return __builtin_fmaxf(a, b);
}

DEVICE int
min_i(int a, int b)
{
	return a < b ? a : b;
}

DEVICE int
max_i(int a, int b)
{
	return a > b ? a : b;
}

/* What is new stands last: the PTX of all says at which line of this file an instruction is. */

#define UNROLL_BY_4 _Pragma("unroll 4")
#define tid_z ((int)__nvvm_read_ptx_sreg_tid_z())

struct uint2 {
	u32 x, y;
} __attribute__((aligned(8)));

/* The first channel at (x, y) of a texture of floats. */
DEVICE float
texture_2d(u64 texture, float x, float y)
{
	float r, g, b, a;

	asm("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
	    : "=f"(r), "=f"(g), "=f"(b), "=f"(a)
	    : "l"(texture), "f"(x), "f"(y));
	return r;
}

#endif
