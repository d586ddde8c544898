#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# races.t - the two threads of a run (src/sim/halves.c) have no data race: the model alone, built with clang's thread
# sanitizer, runs tests/sim/threads. A build that hands replies over without a release shows that it finds one.
#
# long: src/base/partner src/base/fifo.h src/sim/halves src/sim/step.c src/sim/memory_half.c src/sim/second_team.c
# long: src/sim/threads src/sim/visits.h tests/sim/threads.c
. "${srcdir:-.}/tests/tap.sh"
skip_slow
here=$(cd "$builddir" && pwd)
cd "$srcdir" || exit 99
command -v clang >/dev/null || skip_all "no clang here"
printf 'int main(void) { return 0; }\n' >"$tmp/try.c"
clang -fsanitize=thread -o "$tmp/try" "$tmp/try.c" 2>/dev/null && "$tmp/try" || skip_all "clang has no thread sanitizer here"

compile() { # file...: objects in $tmp, with the configuration of this build
	# shellcheck disable=SC2016 # of the inner shell
	printf '%s\n' "$@" | xargs -P 2 -n 8 sh -c 'to=$1 here=$2; shift 2; for f; do
		clang -fsanitize=thread -O1 -g1 -std=gnu17 -ffp-contract=off -w -D_GNU_SOURCE -include "$here/config.h" -Iinclude \
			-I"$here/src" -Isrc -I. -DPKGDATADIR=\"/nowhere\" -c -o "$to/$(echo "${f#"$to"}" | tr / _).o" "$f" || exit 255
	done' - "$tmp" "$here"
}
link_threads() { # output, object of memory_half.c
	# shellcheck disable=SC2046 # names without blanks
	clang -fsanitize=thread -o "$1" "$2" $(ls "$tmp"/*.o | grep -v memory_half) -lzstd -llzma -lz -lm -ldl -lpthread
}
files=$(for d in compat base decl event eval trace cache ldst wsched noc mem cta power core sim; do
	find "src/$d" -name '*.c'
done)
sed 's/\(&h->n_replies, h->memory.n_replies\[FIRST\], memory_order_\)release/\1relaxed/; s/\(&h->done, h->memory.cycle, memory_order_\)release/\1relaxed/' \
	src/sim/memory_half.c >"$tmp/racy_memory_half.c"
# shellcheck disable=SC2086 # names without blanks
ok "the model compiles with the sanitizer" compile $files tests/sim/threads.c "$tmp/racy_memory_half.c"
ok "and links" link_threads "$tmp/threads" "$tmp/src_sim_memory_half.c.o"
ok "so does the one with a race" link_threads "$tmp/racy" "$tmp/_racy_memory_half.c.o"

TSAN_OPTIONS=halt_on_error=1 "$tmp/racy" >"$tmp/out" 2>&1
like "the sanitizer finds a race where there is one" "$(cat "$tmp/out")" 'WARNING: ThreadSanitizer: data race'
status=0
TSAN_OPTIONS=halt_on_error=1 "$tmp/threads" >"$tmp/out" 2>&1 || status=$?
is "none in tests/sim/threads, and its tests pass" "$status $(grep -E '^not ok|WARNING' "$tmp/out")" "0 "
[ "$status" -eq 0 ] || diag "$(grep -v '^ok' "$tmp/out" | head -n 60)"
done_testing
