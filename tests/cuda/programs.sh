# SPDX-License-Identifier: GPL-3.0-or-later
# programs.sh - sourced by the tests of this folder, after tap.sh: what they do with a program that is compiled. Each
# program compares what its kernels did with what the processor computes, and each told "fault" finds itself wrong.
#
#   run ARGUMENT...      ctascope record: output in $out, standard error in $err, status in $rc
#   right NAME LAUNCHES  ./NAME is right, its trace NAME.ctr sound, with so many launches; and it can be wrong
#   says NAME            the same of says.cu, whose kernels print and fail
#
# $what says by which compiler; $here and $lib are this folder and the one with our libraries.

here=$(cd "$srcdir" && pwd)/tests/cuda lib=$(cd "$builddir" && pwd)
! [ "${FAST:-}" = 1 ] || skip_all "slow, and FAST=1"
! grep -q __asan_init "$builddir/libcuda.so.1" ||
	skip_all "a program without sanitizers cannot load a library with them"
cd "$tmp" || exit 99

run() {
	out=$(timeout -k 5 120 "$CTASCOPE" record "$@" 2>"$tmp/err")
	rc=$?
	err=$(cat "$tmp/err")
}

right() {
	run -o "$1.ctr" -- "./$1"
	like "$what: $1: right" "$rc $out" '^0 [1-9][0-9]* checked, 0 wrong$'
	ok "$what: $1: its trace is sound" "$CTASCOPE" trace check "$1.ctr"
	like "$what: $1: has its launches" "$("$CTASCOPE" trace info "./$1.ctr")" "^$2 kernels?,"
	run -o fault.ctr -- "./$1" fault
	like "$what: $1: would be found wrong" "$rc $out" '^1 [0-9]+ checked, [1-9][0-9]* wrong$'
}

says() {
	run -o "$1.ctr" -- "./$1"
	is "$what: $1: what kernels print, and the program after them" "$rc $out" "0 $(cat <<-END
		block 0 thread 0: is  2.50 q 1099511627776%
		block 0 thread 2: is  2.50 q 1099511627776%
		block 1 thread 0: is  2.50 q 1099511627776%
		block 1 thread 2: is  2.50 q 1099511627776%
		1 checked, 0 wrong
	END
	)"
	run -o fault.ctr -- "./$1" fault
	like "$what: $1: a failed assertion is an error" "$rc $(echo "$out" | tail -n 2)" '^1 cudaErrorAssert$'
	like "$what: $1: with its place" "$err" \
		'says\.cu:[0-9]+: .*insist.*: block: \[0,0,0\], thread: \[3,0,0\] Assertion .p\[threadIdx\.x\] < 3. failed'
}
