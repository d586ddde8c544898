#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run-fuzz.sh - "make fuzz": builds every tests/fuzz/*.c that has LLVMFuzzerTestOneInput with clang's
# libFuzzer and both sanitizers, and runs each for FUZZ_SECONDS (default 10) from a copy of its
# corpus, the folder of tests/fuzz/corpus/ that it names by FUZZ_CORPUS. A crash leaves its input in the build folder and is named.
# FUZZ names a single target.
set -eu

top=$(cd "${srcdir:-.}" && pwd)
build=${builddir:-$PWD}/fuzz
seconds=${FUZZ_SECONDS:-10}
clang=${FUZZ_CC:-clang}
command -v "$clang" >/dev/null || { echo "fuzz: no clang here" >&2; exit 1; }

mkdir -p "$build"
cd "$build"
# The library as the fuzzer wants it: instrumented, with its own configuration and folder.
if [ ! -e Makefile ]; then
	"$top/configure" -q --disable-lto --enable-sanitizers CC="$clang" \
		CFLAGS='-O1 -g -fsanitize=fuzzer-no-link' >configure.log 2>&1 ||
		{ tail -n 20 configure.log; exit 1; }
fi
make -j"${JOBS:-2}" libmodel.a librecord.a libfront.a >make.log 2>&1 || { tail -n 20 make.log; exit 1; }

found=0
status=0
for source in "$top"/tests/fuzz/*.c; do
	grep -q 'LLVMFuzzerTestOneInput' "$source" || continue
	name=$(basename "$source" .c)
	[ -z "${FUZZ:-}" ] || [ "$FUZZ" = "$name" ] || continue
	found=$((found + 1))
	# shellcheck disable=SC2046 # lists of words
	"$clang" -std=gnu17 -O1 -g -D_GNU_SOURCE -DFUZZING -include config.h -I. -I"$top/include" \
		-I"$top/src" -I"$top" -fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=all -o "$name" "$source" libfront.a librecord.a libmodel.a \
		$(sed -n 's/^\(READLINE\|NCURSESW\|CSV\|ZSTD\|LZMA\|ZLIB\|MATH\)_LIBS = //p' Makefile)
	mkdir -p "corpus/$name" # grows from run to run
	seeds=$top/tests/fuzz/corpus/$(sed -n 's/^#define FUZZ_CORPUS "\(.*\)"$/\1/p' "$source")
	find "$seeds" -type f -exec cp -n {} "corpus/$name/" \;
	echo "fuzz: $name, $seconds s"
	if ! "./$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -verbosity=0 \
		-artifact_prefix="$name-" "corpus/$name" >"$name.log" 2>&1; then
		tail -n 30 "$name.log"
		echo "fuzz: $name failed, see $build/$name.log" >&2
		status=1
	fi
done
[ "$found" -gt 0 ] || { echo "fuzz: no such target in tests/fuzz" >&2; exit 1; }
exit "$status"
