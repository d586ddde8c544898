#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# abi.t - our header of the driver API has the sizes and numbers of NVIDIA's, where that is installed,
# and the library has every entry point of its stub.
. "${srcdir:-.}/tests/tap.sh"
cuda=${CUDA_HOME:-/usr/local/cuda}
cc=${CC:-cc}

# shellcheck disable=SC2086 # CC is a list of words
ok "abi.c compiles with our header" $cc -I"$srcdir/src" "$srcdir/tests/record/cuda/abi.c" -o "$tmp/ours"
"$tmp/ours" >"$tmp/ours.txt"
like "and says something" "$(cat "$tmp/ours.txt")" '^CUDA_ERROR_INVALID_VALUE 1$'
if [ -e "$cuda/include/cuda.h" ]; then
	# shellcheck disable=SC2086
	ok "abi.c compiles with NVIDIA's" $cc -DNVIDIA_HEADER -I"$cuda/include" -I"$srcdir/src" \
		"$srcdir/tests/record/cuda/abi.c" -o "$tmp/theirs"
	"$tmp/theirs" >"$tmp/theirs.txt"
	is "they agree" "$(cat "$tmp/ours.txt")" "$(cat "$tmp/theirs.txt")"
else
	skip "our header agrees with NVIDIA's" "no cuda.h in $cuda"
fi

entries() { nm -D --defined-only "$1" | awk '{ print $3 }' | grep '^cu' | sort; }
lib=$builddir/libcuda.so.1
if ! command -v nm >/dev/null; then
	skip "entry points" "no nm here"
else
	is "nothing else is visible" "$(nm -D --defined-only "$lib" | awk '{ print $3 }' | grep -v '^cu')" ""
	if [ -e "$cuda/lib64/stubs/libcuda.so" ]; then
		entries "$cuda/lib64/stubs/libcuda.so" >"$tmp/stub"
		entries "$lib" >"$tmp/lib"
		is "every entry point of NVIDIA's is there" "$(comm -23 "$tmp/stub" "$tmp/lib")" ""
	else
		skip "every entry point of NVIDIA's is there" "no stub library in $cuda"
	fi
fi
done_testing
