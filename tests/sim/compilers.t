#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# compilers.t - one digest, whatever compiled the model: other compilers and levels of optimization give the
# results of this build (tests/sim/determinism: thirteen runs).
#
# long: configure.ac src/compat/ tests/sim/determinism
. "${srcdir:-.}/tests/tap.sh"
skip_slow
src=$(cd "$srcdir" && pwd)
here=$(cd "$builddir" && pwd)
! grep -q '^MODE_FLAGS = .*fsanitize' "$here/Makefile" || skip_all "a build with sanitizers: .ci/run compares its builds"
"$here/tests/sim/determinism" >"$tmp/base" || exit 99
is "thirteen runs" "$(wc -l <"$tmp/base" | tr -d ' ')" 13

build() { # name, compiler and flags: the model alone, with the configuration of this build
	name=$1
	shift
	command -v "$1" >/dev/null || { skip "$name" "no $1 here"; return; }
	mkdir -p "$tmp/$name"
	(cd "$src" && for f in compat base decl event eval trace cache ldst wsched noc mem cta power core sim; do
		find "src/$f" -name '*.c'
	done; echo tests/sim/determinism.c) >"$tmp/files"
	# shellcheck disable=SC2016 # of the inner shell
	if ! xargs -P 2 -n 8 sh -c 'to=$1 src=$2 here=$3 flags=$4; shift 4; for f; do
		# shellcheck disable=SC2086
		$flags -std=gnu17 -ffp-contract=off -w -D_GNU_SOURCE -include "$here/config.h" -I"$src/include" \
			-I"$here/src" -I"$src/src" -I"$src" -DPKGDATADIR=\"/nowhere\" -c \
			-o "$to/$(echo "$f" | tr / _).o" "$src/$f" || exit 255; done' - \
		"$tmp/$name" "$src" "$here" "$*" <"$tmp/files" >"$tmp/log" 2>&1 ||
		! "$1" -o "$tmp/$name/run" "$tmp/$name"/*.o -lzstd -llzma -lz -lm -ldl >>"$tmp/log" 2>&1; then
		fail "$name: it compiles"
		tail -n 20 "$tmp/log" | sed 's/^/#   /'
		return
	fi
	"$tmp/$name/run" >"$tmp/now" 2>&1
	is "$name: the same digests and values" "$(cat "$tmp/now")" "$(cat "$tmp/base")"
	rm -rf "${tmp:?}/$name"
}
build gcc-O0 gcc -O0
build gcc-O3-native gcc -O3 -march=native
build clang-O2 clang -O2
done_testing
