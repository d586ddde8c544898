#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run-fuzz.sh - "make fuzz": builds every tests/fuzz/*.c that has LLVMFuzzerTestOneInput with clang's
# libFuzzer and both sanitizers, and runs each for FUZZ_SECONDS (default 10) from a copy of its
# corpus, the folder of tests/fuzz/corpus/ that it names by FUZZ_CORPUS. A crash leaves its input in the build folder and is named.
# FUZZ names a single target; FUZZ_TIMEOUT (60) seconds are too long for one input.
#
# "make fuzz-coverage": the same targets over what they have found so far, without running on; for each the share of
# lines reached in the sources it names by FUZZ_COVERS, file by file, and what is not reached in fuzz-coverage/NAME.txt.
#
# The last target is random typing on a terminal, with the same sanitizers: FUZZ_ROUNDS (2000) rounds of
# tests/prop/typing.c (FUZZ=typing runs this one alone).
#
# A target may name objects to link (FUZZ_LINKS) and options of libFuzzer (FUZZ_OPTIONS), each in one line.
set -eu

top=$(cd "${srcdir:-.}" && pwd)
corpora=${builddir:-$PWD}/fuzz/corpus
what=${1:-fuzz}
build=${builddir:-$PWD}/$what
seconds=${FUZZ_SECONDS:-10}
clang=${FUZZ_CC:-clang}
command -v "$clang" >/dev/null || { echo "fuzz: no clang here" >&2; exit 1; }
if [ "$what" = fuzz-coverage ]; then
	flags='-O0 -g -fprofile-instr-generate -fcoverage-mapping'
	link=-fsanitize=fuzzer
	sanitizers=
	llvm=$("$clang" --version | sed -n 's/.*version \([0-9]*\).*/\1/p' | head -n 1)
	cov=$(command -v llvm-cov || command -v "llvm-cov-$llvm") || { echo "fuzz: no llvm-cov here" >&2; exit 1; }
	profdata=$(command -v llvm-profdata || command -v "llvm-profdata-$llvm")
else
	flags='-O1 -g -fsanitize=fuzzer-no-link'
	link='-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all'
	sanitizers=--enable-sanitizers
fi

mkdir -p "$build" "$corpora"
cd "$build"
# The library as the fuzzer wants it: instrumented, with its own configuration and folder.
if [ ! -e Makefile ]; then
	# shellcheck disable=SC2086 # none or one
	"$top/configure" -q --disable-lto --disable-hardening $sanitizers CC="$clang" CFLAGS="$flags" >configure.log 2>&1 ||
		{ tail -n 20 configure.log; exit 1; }
fi
make -j"${JOBS:-2}" libmodel.a librecord.a libfront.a libcuda.so.1 >make.log 2>&1 || { tail -n 20 make.log; exit 1; }

# What a target's source says of itself.
says() { sed -n "s/^#define $1 \"\\(.*\\)\".*$/\\1/p" "$source"; }

run() {
	# shellcheck disable=SC2046 # a list of options
	"./$name" -max_total_time="$seconds" -timeout="${FUZZ_TIMEOUT:-60}" -rss_limit_mb=1024 -verbosity=0 -print_final_stats=1 \
		$(says FUZZ_OPTIONS) -artifact_prefix="$name-" "$corpora/$name" >"$name.log" 2>&1 && {
		sed -n 's/^stat::number_of_executed_units: *//p' "$name.log" | sed "s/^/fuzz: $name, inputs tried: /"
		return 0
	}
	tail -n 30 "$name.log"
	echo "fuzz: $name failed, see $build/$name.log" >&2
	status=1
}

coverage() {
	# shellcheck disable=SC2046 # lists of words
	LLVM_PROFILE_FILE=$name.raw "./$name" -runs=0 $(says FUZZ_OPTIONS) "$corpora/$name" >"$name.log" 2>&1 ||
		{ tail -n 5 "$name.log"; status=1; }
	"$profdata" merge -sparse -o "$name.data" "$name.raw"
	of=$(cd "$top" && for f in $(says FUZZ_COVERS); do # files and folders, with wildcards
		if [ -d "$f" ]; then find "$top/$f" -name '*.c'; else echo "$top/$f"; fi
	done | sort)
	# shellcheck disable=SC2086 # a list of files
	"$cov" show "./$name" -instr-profile="$name.data" $of >"$name.txt"
	# shellcheck disable=SC2086
	"$cov" report "./$name" -instr-profile="$name.data" $of | ${AWK:-awk} -v name="$name" '
		/\.c / { printf "%-18s %7s  %5d lines  %s\n", "", $10, $8, $1 }
		/^TOTAL/ { printf "%-18s %7s  %5d lines\n", name, $10, $8 }'
}

typing() {
	rounds=${FUZZ_ROUNDS:-2000}
	echo "fuzz: typing, $rounds rounds"
	make -j"${JOBS:-2}" tests/prop/typing tests/small/ctascope-fault >>make.log 2>&1 || { tail -n 20 make.log; exit 1; }
	builddir=$build srcdir=$top CTASCOPE_DATADIR=$top tests/prop/typing "$rounds" >typing.log && return 0
	tail -n 30 typing.log
	echo "fuzz: typing failed, see $build/typing.log" >&2
	status=1
}

found=0
status=0
for source in "$top"/tests/fuzz/*.c; do
	grep -q 'LLVMFuzzerTestOneInput' "$source" || continue
	name=$(basename "$source" .c)
	[ -z "${FUZZ:-}" ] || [ "$FUZZ" = "$name" ] || continue
	found=$((found + 1))
	# shellcheck disable=SC2046,SC2086 # lists of words
	"$clang" -std=gnu17 $flags -D_GNU_SOURCE -DFUZZING -include config.h -I. -I"$top/include" \
		-I"$top/src" -I"$top" $link -o "$name" "$source" $(says FUZZ_LINKS) libfront.a librecord.a libmodel.a \
		-pthread $(sed -n 's/^\(READLINE\|NCURSESW\|CAIRO\|CSV\|ZSTD\|LZMA\|ZLIB\|MATH\|DL\)_LIBS = //p' Makefile)
	[ "$what" = fuzz ] || [ -n "$(says FUZZ_COVERS)" ] || continue
	mkdir -p "$corpora/$name" # grows from run to run
	seeds=$top/tests/fuzz/corpus/$(says FUZZ_CORPUS)
	find "$seeds" -type f -exec cp -n {} "$corpora/$name/" \;
	if [ "$what" = fuzz-coverage ]; then
		coverage
	else
		echo "fuzz: $name, $seconds s"
		run
	fi
done
if [ "$what" = fuzz ] && { [ -z "${FUZZ:-}" ] || [ "$FUZZ" = typing ]; }; then
	found=$((found + 1))
	typing
fi
[ "$found" -gt 0 ] || { echo "fuzz: no such target in tests/fuzz" >&2; exit 1; }
exit "$status"
