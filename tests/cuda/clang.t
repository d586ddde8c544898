#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# clang.t - the programs of this folder by clang, which needs no toolkit: clang/cuda_runtime.h stands for NVIDIA's header,
# fatbin puts the PTX into a fat binary, and the program is linked with each of our three runtimes.
#
# long: include/ src/record/ tests/cuda/
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/cuda/programs.sh"
clang=$(command -v clang++) || skip_all "no clang++ here"

cuda() { # SOURCE OPTION...
	source=$1
	shift
	"$clang" -x cuda -std=c++14 -O2 -w -nocudainc -nocudalib --cuda-gpu-arch=sm_70 --cuda-path="$tmp/none" \
		-Xclang -target-sdk-version=11.0 -I"$here/clang" -I"$here" -I"$here/../../src" "$@" "$source"
}
device() { # NAME: its fat binary
	cuda "$here/$1.cu" --cuda-device-only -Xclang -target-feature -Xclang +ptx63 -S -o "$1.ptx" &&
		"$lib/tests/cuda/fatbin" 70 <"$1.ptx" >"$1.fatbin"
}
host() { # NAME MAJOR RUNTIME
	cuda "$here/$1.cu" -DCUDART_MAJOR="$2" --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang "$1.fatbin" \
		-c -o "$1.o" && "$clang" -o "$1" "$1.o" -L"$lib" -l:"$3" -Wl,-rpath-link,"$lib"
}

echo '__attribute__((global)) void k() {}' >probe.cu
cuda "$tmp/probe.cu" --cuda-device-only -S -o probe.ptx >probe.log 2>&1 ||
	skip_all "clang makes no PTX here: $(head -n 1 probe.log)"

for row in gemm:2 graphs:8 query:0 says:0 search:9 stencil:4 streams:5 sums:2 templates:18 waiting:2; do
	name=${row%:*}
	what=clang
	ok "$name: the device's side" device "$name"
	for version in 11:libcudart.so.11.0 12:libcudart.so.12 13:libcudart.so.13; do
		what="runtime ${version%:*}"
		ok "$what: $name: the host's side" host "$name" "${version%:*}" "${version#*:}" || continue
		case $name in
		says) says says ;;
		query)
			run -c gtx480 -o query.ctr -- ./query
			like "$what: query: what the device is" "$rc $out" '^0 ctascope emulated GPU, .* 15 SMs'
			;;
		*) right "$name" "${row#*:}" ;;
		esac
	done
done
for name in groups references structs surfaces symbols textures; do
	skip "clang: $name" "it needs nvcc and its headers"
done
done_testing
