#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# programs.t - CUDA programs as people write them, by each nvcc that is here (nvcc.sh), with the shared runtime and the
# static one, for debugging, and with device code linked. clang.t compiles them where there is none.
#
# long: include/ src/record/ tests/cuda/
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/cuda/programs.sh"
. "$srcdir/tests/cuda/nvcc.sh"

nvcc() { "$nvcc" -w -I"$here" "$@"; }

# NAME LAUNCHES OPTION...: with the shared runtime and the static one the same trace; then as a debugger wants it
check() {
	name=$1 launches=$2
	shift 2
	check=right
	[ "$name" != says ] || check=says
	ok "$what: $name: compiled" nvcc "$@" -c -o "$name.o" "$here/$name.cu" || return
	ok "$what: $name: linked with the shared runtime" nvcc "$@" -cudart shared -o "$name" "$name.o"
	$check "$name" "$launches"
	ok "$what: $name: linked with the static one" nvcc "$@" -o "$name.static" "$name.o"
	run -o static.ctr -- "./$name.static"
	like "$what: $name: is as right" "$rc $(echo "$out" | tail -n 1)" '^0 [1-9][0-9]* checked, 0 wrong$'
	[ "$name" = says ] || ok "$what: $name: its trace is the same" cmp "$name.ctr" static.ctr
	ok "$what: $name: for debugging, linked device code" nvcc "$@" -G -g -rdc=true -o "$name.debug" "$here/$name.cu"
	run -o debug.ctr -- "./$name.debug"
	like "$what: $name: is as right" "$rc $(echo "$out" | tail -n 1)" '^0 [1-9][0-9]* checked, 0 wrong$'
}

query() {
	ok "$what: query: compiled" nvcc -cudart shared -o query "$here/query.cu"
	out=$(LD_LIBRARY_PATH="$builddir" ./query)
	like "$what: query: a program without kernels" "$? $out" \
		'^0 ctascope emulated GPU, compute capability 7\.5, 30 SMs, [0-9]+ bytes'
	run -c gtx480 -o query.ctr -- ./query
	like "$what: query: the machine chosen" "$out" ' 15 SMs,'
	ok "$what: query: leaves no trace" [ ! -e query.ctr ]
	run -o query.ctr -- ./query fault
	is "$what: query: a device that is not there" "$rc" 2
}

# ---- programs of two files ----

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
# Strings are $str and $str$1 in both, and so may other names be that each object has for itself.
cat >e.cu <<'EOF'
#include <cstdio>
static __device__ int own = 3;
__device__ void other();
__global__ void say() { printf("first %d\n", own); printf("of two\n"); other(); }
int main(void)
{
	say<<<1, 1>>>();
	return cudaDeviceSynchronize() != cudaSuccess;
}
EOF
cat >f.cu <<'EOF'
#include <cstdio>
static __device__ int own = 5;
__device__ void other() { printf("second %d\n", own); printf("the last\n"); }
EOF

two_files() {
	ok "$what: two objects: compiled" nvcc -cudart shared -o two a.cu b.cu
	run -o two.ctr -- ./two
	is "$what: two objects: kernels of both" "$rc $out" "0 1 checked, 0 wrong"
	ok "$what: linked objects: compiled" nvcc -rdc=true -cudart shared -o linked c.cu d.cu
	run -o linked.ctr -- ./linked
	is "$what: linked objects: functions and variables of each other" "$rc $out" "0 32 checked, 0 wrong"
	run -o linked.ctr -- ./linked fault
	is "$what: linked objects: would be found wrong" "$rc $out" "1 32 checked, 32 wrong"
	ok "$what: names of their own: compiled" nvcc -rdc=true -cudart shared -o own e.cu f.cu
	run -o own.ctr -- ./own
	is "$what: names of their own: each object has its" "$rc $(echo "$out" | tr '\n' ' ')" \
		"0 first 3 of two second 5 the last "
}

# PTX in a fat binary is plain or compressed, as the nvcc and what it is told have it.
packed() {
	case $what in
	'nvcc 11.'* | 'nvcc 12.'*) set -- -no-compress -Xfatbin=-compress-all ;; # LZ4
	*) set -- -no-compress -compress-mode=speed -compress-mode=size ;;       # none, LZ4, Zstandard
	esac
	for pack; do
		ok "$what: compiled with $pack" nvcc "$pack" -o packed "$here/gemm.cu"
		run -o packed.ctr -- ./packed
		like "$what: is as right" "$rc $out" '^0 [1-9][0-9]* checked, 0 wrong$'
	done
}

machine_code() {
	ok "$what: machine code only: compiled" nvcc -gencode arch=compute_75,code=sm_75 -o sass "$here/streams.cu"
	run -o sass.ctr -- ./sass
	like "$what: machine code only: an error" "$rc $out" '^2 .*cudaErrorNoKernelImageForDevice'
	is "$what: machine code only: says what to do, once" \
		"$(echo "$err" | grep -c 'without PTX.*nvcc -gencode arch=compute_75,code=compute_75')" 1
}

nvccs >list
[ -s list ] || skip_all "no nvcc here that compiles"
while read -r nvcc <&3; do
	what="nvcc $(nvcc_release "$nvcc")"
	check gemm 2
	check graphs 8
	check groups 2 -arch=sm_75
	check says 0
	check search 9
	check stencil 4
	check streams 5
	check structs 1
	check sums 2 -arch=sm_75
	check surfaces 2
	check symbols 1
	check templates 18
	check textures 4
	check waiting 2
	case $what in
	'nvcc 11.'*) check references 4 ;;
	*) skip "$what: references" "texture<> and surface<> ended with CUDA 11" ;;
	esac
	query
	two_files
	packed
	machine_code
done 3<list
done_testing
