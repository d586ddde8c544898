#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# programs.t - CUDA programs as people write them, compiled by nvcc and linked with -cudart shared, run under `ctascope
# record`. Each compares what its kernels did with what the processor computes, and each told "fault" finds itself wrong.
. "${srcdir:-.}/tests/tap.sh"
here=$srcdir/tests/record/runtime
lib=$builddir/libcuda.so.1
nvcc=${CUDA_HOME:-/usr/local/cuda}/bin/nvcc
[ -x "$nvcc" ] || nvcc=$(command -v nvcc) || skip_all "no nvcc here"
[ "${FAST:-}" != 1 ] || skip_all "slow, and FAST=1"
! grep -q __asan_init "$lib" || skip_all "a program of nvcc's cannot load a library with sanitizers"
cd "$tmp" || exit 99

run() { # arguments of record: output in $out, standard error in $err, status in $rc
	out=$(timeout -k 5 120 "$CTASCOPE" record "$@" 2>"$tmp/err")
	rc=$?
	err=$(cat "$tmp/err")
}
build() { # NAME OPTION...
	name=$1
	shift
	"$nvcc" "$@" -I"$here" "$here/$name.cu" -o "$name" >nvcc.log 2>&1 || {
		cat nvcc.log
		return 1
	}
}
check() { # NAME, launches in its trace
	ok "$1: nvcc compiles it" build "$1" -cudart shared || return
	run -o "$1.ctr" -- "./$1"
	like "$1: right" "$rc $out" '^0 [1-9][0-9]* checked, 0 wrong$'
	ok "$1: its trace is sound" "$CTASCOPE" trace check "$1.ctr"
	like "$1: has its launches" "$("$CTASCOPE" trace info "./$1.ctr")" "^$2 kernels?,"
	run -o "$1.ctr" -- "./$1" fault
	like "$1: would be found wrong" "$rc $out" '^1 [0-9]+ checked, [1-9][0-9]* wrong$'
}

check streams 5
check symbols 1
check textures 4
check templates 18

ok "query: nvcc compiles it" build query -cudart shared
out=$(LD_LIBRARY_PATH="$builddir" ./query)
like "query: a program without kernels" "$? $out" '^0 ctascope emulated GPU, compute capability 7\.5, 30 SMs, [0-9]+ bytes'
run -c gtx480 -o query.ctr -- ./query
like "query: the machine chosen" "$out" ' 15 SMs,'
ok "query: leaves no trace" [ ! -e query.ctr ]
run -o query.ctr -- ./query fault
is "query: a device that is not there" "$rc" 2

# Two objects, each with kernels of its own.
cat >a.cu <<'EOF'
__global__ void one(int *p) { p[0] = 1; }
void call_one(int *p) { one<<<1, 1>>>(p); }
EOF
cat >b.cu <<'EOF'
#include "check.h"
void call_one(int *p);
static __global__ void one(int *p) { p[1] = 2; }
int main()
{
	int *p, h[2];

	CALL(cudaMalloc(&p, sizeof(h)));
	call_one(p);
	one<<<1, 1>>>(p);
	CALL(cudaMemcpy(h, p, sizeof(h), cudaMemcpyDeviceToHost));
	expect(h[0] == 1 && h[1] == 2);
	return report();
}
EOF
ok "two objects: nvcc compiles them" "$nvcc" -cudart shared -I"$here" a.cu b.cu -o two
run -o two.ctr -- ./two
is "two objects: kernels of both" "$rc $out" "0 1 checked, 0 wrong"

# Device code in two objects, linked: a kernel here calls a function there.
cat >c.cu <<'EOF'
__device__ int more = 100;
__device__ int square(int x) { return x * x; }
EOF
cat >d.cu <<'EOF'
#include "check.h"
extern __device__ int more;
__device__ int square(int x);
__global__ void call(int *p, int v) { p[threadIdx.x] = square(threadIdx.x) + more + v; }
int main(int argc, char **argv)
{
	int *p, h[32], v = told_fault(argc, argv);

	CALL(cudaMalloc(&p, sizeof(h)));
	call<<<1, 32>>>(p, v);
	CALL(cudaMemcpy(h, p, sizeof(h), cudaMemcpyDeviceToHost));
	for (int i = 0; i < 32; i++)
		expect(h[i] == i * i + 100);
	return report();
}
EOF
ok "linked objects: nvcc compiles them" "$nvcc" -rdc=true -cudart shared -I"$here" c.cu d.cu -o linked
run -o linked.ctr -- ./linked
is "linked objects: functions and variables of each other" "$rc $out" "0 32 checked, 0 wrong"
run -o linked.ctr -- ./linked fault
is "linked objects: would be found wrong" "$rc $out" "1 32 checked, 32 wrong"
# Strings are $str in both, and so may other names be that each object has for itself.
cat >e.cu <<'EOF'
#include <cstdio>
static __device__ int own = 3;
__device__ void other();
__global__ void say() { printf("first %d\n", own); other(); }
int main(void)
{
	say<<<1, 1>>>();
	return cudaDeviceSynchronize() != cudaSuccess;
}
EOF
cat >f.cu <<'EOF'
#include <cstdio>
static __device__ int own = 5;
__device__ void other() { printf("second %d\n", own); }
EOF
ok "names of their own: nvcc compiles them" "$nvcc" -rdc=true -cudart shared e.cu f.cu -o own
run -o own.ctr -- ./own
is "names of their own: each object has its" "$rc $(echo "$out" | tr '\n' ' ')" "0 first 3 second 5 "
ok "machine code only: nvcc compiles it" build streams -cudart shared -gencode arch=compute_75,code=sm_75
run -o sass.ctr -- ./streams
like "machine code only: an error" "$rc $out" '^2 .*cudaErrorNoKernelImageForDevice'
is "machine code only: says what to do, once" "$(echo "$err" | grep -c 'without PTX.*nvcc -gencode arch=compute_75,code=compute_75')" 1
done_testing
