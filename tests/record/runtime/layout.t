#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# layout.t - our header of the runtime API has the sizes and numbers of NVIDIA's of each version that is installed, and the
# libraries have every entry point of theirs, under the versions that programs are linked with.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/cuda/nvcc.sh"
cc=${CC:-cc}
layout=$srcdir/tests/record/runtime/layout.c
errors=$srcdir/src/record/runtime/errors.def
echo 'int main(void) { return 0; }' >"$tmp/main.c"
nvccs >"$tmp/list"

for v in 11 12 13; do
	# shellcheck disable=SC2086 # CC is a list of words
	ok "our header compiles, version $v" $cc -DCUDART_MAJOR=$v -fsyntax-only -I"$srcdir/src" \
		-x c "$srcdir/src/record/runtime/runtime_api.h"
done
ours() { # MAJOR: what layout.c says with our header; the rows of errors.def are in $tmp/errors.def
	# shellcheck disable=SC2086
	$cc -DCUDART_MAJOR="$1" -DERRORS="\"$tmp/errors.def\"" -I"$srcdir/src" "$layout" -o "$tmp/ours" &&
		"$tmp/ours" >"$tmp/ours.txt"
}
theirs() {
	"$nvcc" -DNVIDIA_HEADER -DERRORS="\"$tmp/errors.def\"" -I"$srcdir/src" "$layout" -o "$tmp/theirs" &&
		"$tmp/theirs" >"$tmp/theirs.txt"
}
# The file that a program is linked with, as the linker says it.
their_library() {
	"$nvcc" -cudart shared -Xlinker --trace "$tmp/main.c" -o "$tmp/main" | grep -m1 '/libcudart\.so$'
}

cp "$errors" "$tmp/errors.def"
ok "layout.c compiles with our header" ours 13
like "and says something" "$(cat "$tmp/ours.txt")" '^cudaErrorInvalidValue 1$'
while read -r nvcc <&3; do
	release=$(nvcc_release "$nvcc")
	echo '#include <cuda_runtime_api.h>' >"$tmp/all.c"
	"$nvcc" -E "$tmp/all.c" >"$tmp/all.i" 2>"$tmp/nvcc.log"
	awk 'NR == FNR { if ($1 ~ /^cudaError|^cudaSuccess/) has[$1] = 1; next }
		match($0, /^ERROR\([A-Za-z0-9]*/) { if (has[substr($0, 7, RLENGTH - 6)]) print }' \
		"$tmp/all.i" "$errors" >"$tmp/errors.def"
	like "$release: most errors are NVIDIA's, too" "$(wc -l <"$tmp/errors.def")" '^ *1[0-9][0-9]$'
	ok "$release: our header" ours "${release%%.*}"
	ok "$release: NVIDIA's header" theirs
	is "$release: they agree" "$(cat "$tmp/ours.txt")" "$(cat "$tmp/theirs.txt")"
done 3<"$tmp/list"
[ -s "$tmp/list" ] || skip "our header agrees with NVIDIA's" "no nvcc here"

if ! command -v readelf >/dev/null || ! command -v nm >/dev/null; then
	skip "entry points" "no readelf or nm here"
	done_testing
	exit
fi
entries() { nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort; }
printf 'libcudart.so.%s\n' 11.0 12 13 >"$tmp/libs"
for lib in libcudart.so.11.0 libcudart.so.12 libcudart.so.13; do
	is "$lib: its name" "$(readelf -dW "$builddir/$lib" | sed -n 's/.*SONAME.*\[\(.*\)\].*/\1/p')" "$lib"
	is "$lib: the version of what it has" \
		"$(readelf --dyn-syms -W "$builddir/$lib" | sed -n 's/.* FUNC .* \(__\)*cuda[A-Za-z0-9_]*@@*//p' | sort -u)" "$lib"
	is "$lib: nothing else is visible" "$(entries "$builddir/$lib" | grep -vE '^(__)?cuda')" ""
done
while read -r nvcc <&3; do
	release=$(nvcc_release "$nvcc")
	entries "$(their_library)" >"$tmp/nvidia"
	entries "$builddir/$(sed -n "s/^\(libcudart.so.${release%%.*}[.0]*\)$/\1/p" "$tmp/libs")" >"$tmp/lib"
	like "$release: NVIDIA's library" "$(wc -l <"$tmp/nvidia")" '^ *[2-9][0-9][0-9]$'
	is "$release: every entry point of NVIDIA's is there" "$(comm -23 "$tmp/nvidia" "$tmp/lib")" ""
done 3<"$tmp/list"
[ -s "$tmp/list" ] || skip "every entry point of NVIDIA's is there" "no nvcc here"
done_testing
