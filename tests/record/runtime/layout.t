#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# layout.t - our header of the runtime API has the sizes and numbers of NVIDIA's 13, where that is installed, and the
# libraries have every entry point of theirs, under the versions that programs are linked with.
. "${srcdir:-.}/tests/tap.sh"
cuda=${CUDA_HOME:-/usr/local/cuda}
cc=${CC:-cc}
layout=$srcdir/tests/record/runtime/layout.c

for v in 11 12 13; do
	# shellcheck disable=SC2086 # CC is a list of words
	ok "our header compiles, version $v" $cc -DCUDART_MAJOR=$v -fsyntax-only -I"$srcdir/src" \
		-x c "$srcdir/src/record/runtime/runtime_api.h"
done
# shellcheck disable=SC2086
ok "layout.c compiles with our header" $cc -I"$srcdir/src" "$layout" -o "$tmp/ours"
"$tmp/ours" >"$tmp/ours.txt"
like "and says something" "$(cat "$tmp/ours.txt")" '^cudaErrorInvalidValue 1$'
if grep -q 'define CUDART_VERSION *13' "$cuda/include/cuda_runtime_api.h" 2>/dev/null; then
	# shellcheck disable=SC2086
	ok "layout.c compiles with NVIDIA's" $cc -DNVIDIA_HEADER -I"$cuda/include" -I"$srcdir/src" "$layout" -o "$tmp/theirs"
	"$tmp/theirs" >"$tmp/theirs.txt"
	is "they agree" "$(cat "$tmp/ours.txt")" "$(cat "$tmp/theirs.txt")"
else
	skip "our header agrees with NVIDIA's" "no cuda_runtime_api.h of CUDA 13 in $cuda"
fi

if ! command -v readelf >/dev/null || ! command -v nm >/dev/null; then
	skip "entry points" "no readelf or nm here"
	done_testing
	exit
fi
entries() { nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort; }
for lib in libcudart.so.11.0 libcudart.so.12 libcudart.so.13; do
	is "$lib: its name" "$(readelf -dW "$builddir/$lib" | sed -n 's/.*SONAME.*\[\(.*\)\].*/\1/p')" "$lib"
	is "$lib: the version of what it has" \
		"$(readelf --dyn-syms -W "$builddir/$lib" | sed -n 's/.* FUNC .* \(__\)*cuda[A-Za-z0-9_]*@@*//p' | sort -u)" "$lib"
	is "$lib: nothing else is visible" "$(entries "$builddir/$lib" | grep -vE '^(__)?cuda')" ""
done
entries "$builddir/libcudart.so.13" >"$tmp/lib"
if [ -e "$cuda/lib64/libcudart.so.13" ]; then
	entries "$cuda/lib64/libcudart.so.13" >"$tmp/nvidia"
	is "every entry point of NVIDIA's is there" "$(comm -23 "$tmp/nvidia" "$tmp/lib")" ""
else
	skip "every entry point of NVIDIA's is there" "no libcudart.so.13 in $cuda"
fi
done_testing
