#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record.t - `ctascope record -- PROGRAM`: the program's output and exit status pass through, its
# launches become a trace, and what goes wrong leaves nothing behind.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/child.sh"
here=$srcdir/tests/record/cuda
ptx=$here/vectoradd.ptx
vadd=$builddir/tests/record/cuda/vectoradd
broken=$builddir/tests/record/cuda/broken
cuda=${CUDA_HOME:-/usr/local/cuda}
lib=$builddir/libcuda.so.1
# A library with sanitizers wants them in the program too.
san=
grep -q __asan_init "$lib" && san=-fsanitize=address,undefined
cd "$tmp" || exit 99

run() { # arguments of record: output in $out, standard error in $err, status in $rc
	out=$("$CTASCOPE" record "$@" 2>"$tmp/err")
	rc=$?
	err=$(cat "$tmp/err")
}
left() { ls "$tmp" | grep -v '^\.' | grep '\.ctr'; }
info() { "$CTASCOPE" trace info "$1"; }

# ---- divergent barriers ----

# Of the thread blocks only number 900 has one, which other threads of ctascope find.
cat >sync.ptx <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry k() {
	.reg .b32 %r<6>; .reg .pred %p<4>;
	mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mov.u32 %r3, 0;
L:	add.u32 %r3, %r3, 1;
	setp.lt.u32 %p1, %r3, 40;
	@%p1 bra L;
	setp.ne.u32 %p2, %r1, 900;
	setp.lt.u32 %p3, %r2, 40;
	or.pred %p2, %p2, %p3;
	@!%p2 bra M;
	bar.sync 0;
M:	bar.sync 0;
	ret;
}
END
for jobs in 1 4; do
	run -j $jobs -o d.ctr --ptx sync.ptx --grid 1000 --block 64
	is "a divergent barrier does not end the launch" "$rc $(printf '%s\n' "$err" | grep -c divergent)" "0 1"
	like "it is reported, with $jobs threads" "$err" \
		'sync.ptx:14: divergent barrier, whose result is undefined: lanes 0-7 of warp 1 are here, but thread 40,0,0 of the same warp is at line 15: kernel k, CTA 900,0,0, thread 32,0,0'
done
awk '/st\.global/ { print "\tmov.u32 %q1, %tid.x;\n\tsetp.lt.u32 %q2, %q1, 7;\n\t@%q2 bar.sync 0;" } { print }
	/\.reg \.pred/ { print "\t.reg .b32 %q1;\n\t.reg .pred %q2;" }' "$ptx" >late.ptx
run --report d.csv -o d.ctr -- "$vadd" late.ptx 128 2
is "of a program: once for its kernel" "$rc $(printf '%s\n' "$err" | grep -c 'divergent barrier.*lanes 0-6 of warp 0')" "0 1"
is "the report counts" "$(sed -n 's/.*,\(divergent barrier\),[^,]*,[^,]*,[^,]*,\([0-9]*\),.*/\1 \2/p' d.csv)" "divergent barrier 2"
rm -f d.ctr d.csv

# ---- what shall work ----

run -o a.ctr -- "$vadd" "$ptx" 1000 2
is "its output" "$out" "1000 sums, 0 wrong"
is "its status" "$rc" 0
is "one file" "$(left)" a.ctr
is "it counts what is in the trace" \
	"$(printf '%s\n' "$err" | sed -n 's/.* \([0-9,]*\) warp instructions$/\1/p')" \
	"$(info a.ctr | sed -n 's/.*, \([0-9,]*\) warp instructions$/\1/p')"
ok "the trace is sound" "$CTASCOPE" trace check a.ctr
like "kernels and copies" "$(info a.ctr)" '^2 kernels, 2 copies to the device \(8,000 bytes\)'
like "the grid" "$(info a.ctr)" 'grid +8 x 1 x 1 = 8 thread blocks of 128'
is "its first access" "$("$CTASCOPE" trace dump a.ctr 1 0 0 | grep -c LDG)" 2
like "it runs" "$("$CTASCOPE" -n -b a.ctr -e run -e 'info stats' 2>&1)" 'instruction'

# Streams: events, waits and kinds of streams are in the trace; of one stream, whichever, nothing is.
run -o s.ctr -- "$builddir/tests/record/cuda/streams" "$ptx"
is "a program of four streams" "$rc $out" "0 "
"$CTASCOPE" convert s.ctr s/ 2>/dev/null
is "what waits for what" "$(tr '\n' ' ' <s/kernelslist.g)" "$(echo Stream,0,nonblocking Stream,2,default \
	CopyStream,3 MemcpyHtoD,0x0000200000000000,512 EventRecord,1,3 StreamWaitEvent,0,1 kernel-1.traceg \
	EventRecord,2,0 StreamWaitEvent,1,2 kernel-2.traceg StreamSynchronize,1 kernel-3.traceg \
	DeviceSynchronize StreamSynchronize,2 DeviceSynchronize) "
like "its streams" "$(info s.ctr)" '^3 streams, 2 waits between streams, 4 waits of the program$'
is "the streams of the kernels" "$(info s.ctr | sed -n 's/.*, stream //p' | tr '\n' ' ')" "0 1 2 "
like "which the prompt shows" "$("$CTASCOPE" -n -b s.ctr -e 'info streams' 2>&1)" '  1  blocking  +1 '
ok "the trace of streams is sound" "$CTASCOPE" trace check s.ctr
run -o one.ctr -- "$builddir/tests/record/cuda/streams" "$ptx" one
"$CTASCOPE" convert one.ctr one/ 2>/dev/null
is "one stream" "$(tr '\n' ' ' <one/kernelslist.g)" \
	"MemcpyHtoD,0x0000200000000000,512 kernel-1.traceg kernel-2.traceg kernel-3.traceg "
is "which is stream 0" "$(info one.ctr | sed -n 's/.*, stream //p' | tr '\n' ' ')" "0 0 0 "
rm -rf s one s.ctr one.ctr
run -o b.ctr -- "$vadd" "$ptx" 1000 2
ok "the same again" cmp a.ctr b.ctr
run -o b.ctr -- "$vadd" "$ptx" 100 1 7
is "a status of its own" "$rc $(left | tr '\n' ' ')" "7 a.ctr b.ctr "
like "an older trace is replaced" "$(info b.ctr)" '^1 kernel,'
rm -f b.ctr

mkdir sub
run -o sub/c.ctr --launch 2-3 --kernel '^vec.*d$' -- "$vadd" "$ptx" 100 5
like "some of the launches" "$(info sub/c.ctr)" '^2 kernels'
run -o sub/c.ctr --launch 4- -- "$vadd" "$ptx" 100 5
like "from the fourth on" "$(info sub/c.ctr)" '^2 kernels'
run -o sub/c.ctr --regs 40 -- "$vadd" "$ptx"
like "registers as told" "$(info sub/c.ctr)" '40 registers per thread'
# 60 values at once, on an SM that has 32 registers for each thread of a block
awk '{ print }
	/\.reg \.f32/ { print "\t.reg .f32 %g<60>;" }
	/ld\.global\.f32 %f2/ { for (i = 0; i < 60; i++) print "\tld.volatile.global.f32 %g" i ", [%rd6];" }
	/add\.s64 %rd10/ { for (i = 0; i < 60; i++) print "\tst.volatile.global.f32 [%rd10], %g" i ";" }' \
	"$ptx" >many.ptx
sed 's/^)$/) .maxntid 128/' many.ptx >bounds.ptx
echo 'set core.registers 4096' >few.machine
run -o sub/c.ctr -c few.machine -- "$vadd" many.ptx 1000 2
is "an estimate refuses no launch" "$rc $out" "0 1000 sums, 0 wrong"
like "it is cut to what an SM has" "$(info sub/c.ctr)" '32 registers per thread'
is "which is said once" "$(printf '%s\n' "$err" | grep -c '^ctascope: kernel .vectoradd.: 128 threads of 6[0-9] registers (estimated) need more than the 4096 registers of an SM; the run and its occupancy use 32 per thread (--regs')" 1
run -o sub/c.ctr -c few.machine --regs 40 -- "$vadd" many.ptx
like "registers told that an SM does not have" "$err" '^ctascope: launch of kernel .vectoradd.: 128 threads of 40 registers need more than the 4096 registers of an SM \(--regs'
run -o sub/c.ctr -c few.machine --regs 30 -- "$vadd" many.ptx
like "fewer as told" "$rc $out, $(info sub/c.ctr | tr '\n' ' ')" '^0 1000 sums, 0 wrong, .*30 registers per thread'
run -o sub/c.ctr -c few.machine -- "$vadd" bounds.ptx
is "launch bounds keep them down" "$rc $out" "0 1000 sums, 0 wrong"
like "in the trace too" "$(info sub/c.ctr)" '32 registers per thread'
rm many.ptx bounds.ptx few.machine
run -o sub/c.ctr --check-races --check-init -- "$vadd" "$ptx"
is "with checks" "$rc" 0
run -o sub/c.ctr -- "$broken" "$ptx" twice
is "a child that was forked" "$out" "CUDA_SUCCESS
CUDA_SUCCESS"
like "does not count" "$(info sub/c.ctr)" '^2 kernels'
like "but it says so" "$err" '^ctascope: process [0-9]+ was forked by the recorded process [0-9]+: its launches run, but are not recorded'
run -o sub/c.ctr -- sh -c "exec '$vadd' '$ptx'"
is "behind a shell" "$rc $out" "0 1000 sums, 0 wrong"
LD_LIBRARY_PATH=/nowhere run -o sub/c.ctr -- sh -c 'echo "$LD_LIBRARY_PATH"'
like "our library comes first" "$out" '^/.*:/nowhere$'

# ---- what shall not ----

rm -rf sub a.ctr
run -o x.ctr -- "$broken" "$ptx" fault
like "a fault is the launch's result" "$out" 'CUDA_ERROR_ILLEGAL_ADDRESS'
like "it says where" "$err" 'vectoradd.ptx:32: ld.global.f32: 4 bytes .* kernel vectoradd, CTA 1,0,0, thread 0,0,0'
like "the launch before it is kept" "$err" 'recorded 1 launch, [0-9,]+ warp instructions; launch 2 failed, the launches before it are kept'
is "which alone is counted" "$(printf '%s\n' "$err" | sed -n 's/.* \([0-9,]*\) warp instructions; .*/\1/p')" \
	"$(info x.ctr | sed -n 's/.*, \([0-9,]*\) warp instructions$/\1/p')"
is "which is an error though the program takes it" "$rc $(left)" "1 x.ctr"
ok "the trace is sound" "$CTASCOPE" trace check x.ctr
rm -f x.ctr
is "the reason is said once, and no other is made up" "$(grep -c 'no call of' "$tmp/err")" 0
run -o x.ctr --max-insns 2 -- "$vadd" "$ptx"
like "a limit of instructions" "$err" 'reached the limit of 2 warp instructions: an endless loop\? \(--max-insns'
is "is the only reason, too" "$(grep -c 'no call of' "$tmp/err")" 0
run -o x.ctr --kernel other -- "$vadd" "$ptx"
like "no kernel of that name" "$err" 'no kernel matches .* vectoradd'
is "is an error, the program's output stays" "$rc $out $(left)" "1 1000 sums, 0 wrong "
run -o x.ctr --launch 2 -- "$vadd" "$ptx"
like "fewer launches" "$err" 'nothing is recorded: the program made only 1 matching launch'
is "are an error" "$rc $(left)" "1 "
run -o x.ctr -- "$broken" "$ptx" none
like "no launch" "$err" 'nothing is recorded: the program launched no kernels'
is "is no error" "$rc $(left)" "0 "
run -o x.ctr -- "$broken" "$ptx" large
like "its only launch fails" "$err" 'nothing is recorded: every launch of the program failed'
is "which is an error" "$rc $out $(left)" "1 CUDA_ERROR_INVALID_VALUE "
printf 'xx' >no.ptx
run -o x.ctr -- "$vadd" no.ptx
like "no module" "$err" "nothing is recorded: the program's kernels could not be loaded"
run -o x.ctr -- "$broken" "$ptx" freed
like "use after free" "$err" "are in memory that was freed by cudaFree: 'cuMemAlloc' of 256 bytes"
run -o x.ctr -- "$broken" "$ptx" host
like "a pointer of the host" "$err" 'are memory of the host program \(a variable or malloc\), not of the device'
rm -f x.ctr
run -o x.ctr -- true
like "not a program of either API" "$err" 'no call of the CUDA driver API .*; true: it is linked with neither libcuda.so.1 nor'
is "is an error too" "$rc $(left)" "1 "
run -o x.ctr -- "$broken" "$ptx" signal
like "a signal" "$err" 'signal 15'
is "is 128 and its number, and what was complete is kept" "$rc $(left)" "143 x.ctr"
ok "the trace is sound" "$CTASCOPE" trace check x.ctr
rm -f x.ctr
run -o x.ctr -- "$broken" "$ptx" exit
is "a program that leaves by the window" "$rc $(left)" "5 "
run -o x.ctr -- "$broken" "$ptx" kernel
like "a kernel that is not there" "$out" 'CUDA_ERROR_NOT_FOUND'
like "is named" "$err" "no kernel 'vectorad' .* vectoradd"
rm -f x.ctr
echo '.version 6.0 .target sm_70 .address_size 64 .entry k() { bogus; }' >bad.ptx
run -o x.ctr -- "$vadd" bad.ptx
like "PTX that is none" "$err" 'bad.ptx:1: '
is "is a program's own failure" "$rc $out" "3 cuModuleLoad(&module, argv[1]): CUDA_ERROR_INVALID_PTX"
result() { # what is wanted, declaration, body of a kernel: the result of its launch
	{
		echo ".version 7.0 .target sm_70 .address_size 64 $2"
		echo '.visible .entry vectoradd(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {'
		echo ".reg .b32 %r<8>; .reg .b64 %rd<4>; $3 ret; }"
	} >kind.ptx
	run -o x.ctr -- "$vadd" kind.ptx
	like "the result of $3" "$out" "$1"
	rm -f x.ctr
}
result CUDA_ERROR_MISALIGNED_ADDRESS '' 'ld.param.u64 %rd1, [a]; st.global.u32 [%rd1 + 2], %r1;'
result CUDA_ERROR_ILLEGAL_ADDRESS '' 'mov.u64 %rd1, 16; st.u32 [%rd1], %r1;'
result CUDA_ERROR_ILLEGAL_ADDRESS '.const .u32 k;' 'mov.u64 %rd1, k; cvta.const.u64 %rd1, %rd1; st.u32 [%rd1], %r1;'
result CUDA_ERROR_LAUNCH_FAILED '' 'trap;'
# what it is, not what it is called
result CUDA_ERROR_LAUNCH_FAILED '.extern .func misaligned;' 'call misaligned;'
run -o x.ctr --max-insns 100 -- "$vadd" "$ptx"
like "a limit" "$out" 'CUDA_ERROR_LAUNCH_TIMEOUT'
run -o x.ctr -- "$broken" "$ptx" graph
like "a call that is not there" "$out" 'CUDA_ERROR_NOT_SUPPORTED'
is "is named once" "$(echo "$err" | grep -c 'cuGraphCreate is not supported: its calls return CUDA_ERROR_NOT_SUPPORTED$')" 1
rm -f x.ctr

run -o x.ctr -- ./nothing
is "no such program" "$rc $err" "127 ctascope: ./nothing: No such file or directory"
run -o nowhere/x.ctr -- "$vadd" "$ptx"
is "no such folder: the program does not run" "$rc$out" 1
run -- "$vadd" "$ptx"
like "-o is needed" "$rc $err" '^2 .*-o OUT.ctr'
run -o x.ctr --kernel '(' -- "$vadd"
like "a pattern that is none" "$rc $err" '^2 .*--kernel'
run -o x.ctr --launch 3-2 -- "$vadd"
like "launches backwards" "$rc $err" '^2 .*--launch 3-2'
run -o x.ctr --
like "no program" "$rc $err" '^2 .*no program'
if [ "${FAST:-}" = 1 ]; then
	skip "progress" "slow, and FAST=1"
else
	run -o sub.ctr -- "$broken" "$ptx" slow
	like "a line of progress after a second" "$err" \
		'^record: launch [0-9]+, vectoradd: [0-9]+ of 100 CTAs, [0-9.]+ M instructions, [0-9]+ s$'
	rm -f sub.ctr
fi
run -o x.ctr -- "$broken" "$ptx" exit
is "a program that ends by _exit, and is told so" "$rc $err" "5 ctascope: the program ended with status 5 without running \
its exit handlers (_exit, or exec), or closed all files: nothing is recorded"
run -o x.ctr -- "$broken" "$ptx" files
like "one that closes all files" "$err" 'x.ctr.* Bad file descriptor$'
is "its own, opened then, hold what it wrote" "$(cat mine.0 mine.1 mine.2 mine.3 2>&1)" "mine
mine
mine
mine"
rm -f mine.*
cp /bin/sh foreign && printf '\050' | dd of=foreign bs=1 seek=18 conv=notrunc 2>dd.err
run -o x.ctr -- ./foreign
is "a program for another machine is no script" "$rc $err" "126 ctascope: ./foreign: it is for another machine"
rm -f foreign dd.err
run "$vadd" "$ptx" -o x.ctr
like "without --" "$rc $err" '^2 .*unexpected argument .*; a program comes after --'
run -o x.ctr -- false
like "one that fails before it began" "$err" '^ctascope: the program ended with status 1; no call of the CUDA driver API '
run -o x.ctr -- true
like "one that does not use it at all" "$err" '^ctascope: no call of the CUDA driver API .* nothing is recorded; true: '
is "nothing is left of all that" "$(left)" ""

# ---- where the trace goes ----

echo old >t.ctr
run -o t.ctr -- "$vadd" "$ptx"
is "a file that is no trace stays" "$rc $out $err $(cat t.ctr)" "1  ctascope: record: t.ctr exists and is no trace; choose another name, or add --force old"
printf '\211CTR\r\n' >t.ctr
chmod 640 t.ctr
ln -s t.ctr l.ctr
run -o l.ctr -- "$vadd" "$ptx"
is "a link is followed, the mode kept" "$rc $(readlink l.ctr) $(stat -c %a t.ctr)" "0 t.ctr 640"
ok "the trace is sound" "$CTASCOPE" trace check t.ctr
mkfifo f.ctr
timeout 100 cat f.ctr >through &
run -o f.ctr -- "$vadd" "$ptx"
wait $!
ok "into a FIFO" cmp -s through t.ctr
run -o /dev/null -- "$vadd" "$ptx"
ok "into a device" [ "$rc" = 0 ] && [ -c /dev/null ]
chmod 444 t.ctr
run -o t.ctr -- "$vadd" "$ptx"
is "not into a read-only file, and the program does not run" "$rc $out $err" "1  ctascope: cannot write '$tmp/t.ctr': the file is read-only"
rm -f t.ctr l.ctr f.ctr through
: >x.ctr.record-4194305 # no process has this number
: >"x.ctr.record-$$"
run -o x.ctr -- "$vadd" "$ptx"
is "what a killed one left is removed, not what one at work has" "$(left | tr '\n' ' ')" "x.ctr x.ctr.record-$$ "
rm -f x.ctr "x.ctr.record-$$"

# ---- killed ----

"$CTASCOPE" record -o x.ctr -- sh -c 'trap "echo usr1 >got; exit 3" USR1; echo $$ >number; while :; do sleep 0.05; done' 2>/dev/null &
pid=$!
n=0
until [ -s number ] || [ $n -ge 1200 ]; do n=$((n + 1)); sleep 0.05; done
send USR1 "$pid"
wait "$pid"
is "SIGUSR1 is the program's" "$? $(cat got)" "3 usr1"
rm -f number

"$CTASCOPE" record -o x.ctr -- sh -c 'echo $$ >number; exec sleep 60' &
pid=$!
n=0
until [ -s number ] || [ $n -ge 1200 ]; do n=$((n + 1)); sleep 0.05; done
send KILL "$pid"
wait "$pid" 2>/dev/null
n=0
until gone "$(cat number)" || [ $n -ge 1200 ]; do n=$((n + 1)); sleep 0.05; done
ok "a record that is killed takes its program with it" gone "$(cat number)"
is "and leaves nothing" "$(left)" ""

# ---- machines ----

cat >attr.c <<'EOF'
#include "record/cuda/cuda_api.h"
#include <stdio.h>
int main(void)
{
	int v;

	if (cuInit(0) || cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0))
		return 1;
	printf("%d SMs\n", v);
	return 0;
}
EOF
# shellcheck disable=SC2086 # lists of words
ok "a program compiled with our header" ${CC:-cc} $san -I"$srcdir/src" attr.c "$lib" -o attr
run -o x.ctr -c gtx480 -- ./attr
is "the machine chosen" "$out" "15 SMs"

# ---- the same source with NVIDIA's header; CUDA C by clang ----

if [ -e "$cuda/include/cuda.h" ]; then
	# shellcheck disable=SC2086
	ok "a program compiled with NVIDIA's header" ${CC:-cc} $san -DNVIDIA_HEADER \
		-I"$cuda/include" "$here/vectoradd.c" "$lib" -o theirs
	run -o x.ctr -- ./theirs "$ptx"
	is "runs" "$rc $out" "0 1000 sums, 0 wrong"
else
	skip "a program compiled with NVIDIA's header" "no cuda.h in $cuda"
fi
clang=$(command -v clang)
if [ -n "$clang" ] && "$clang" -print-targets 2>/dev/null | grep -q nvptx64; then
	ok "clang compiles CUDA C" "$clang" -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 \
		-nocudainc -nocudalib -O2 -S -Wno-unknown-cuda-version "$here/one.cu" -o one.ptx
	run -o x.ctr -- "$vadd" one.ptx
	is "it runs" "$rc $out" "0 1000 sums, 0 wrong"
	like "and is recorded" "$(info x.ctr)" '^1 kernel'
else
	skip "CUDA C" "no clang for nvptx64 here"
fi
done_testing
