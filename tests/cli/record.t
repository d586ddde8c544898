#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record.t - `ctascope record --ptx`: kernels executed into traces, its mistakes, and `list` on the result.
. "${srcdir:-.}/tests/tap.sh"
c=${CTASCOPE:-$builddir/ctascope}
cd "$tmp" || exit 99

cat >scale.ptx <<'END'
.version 6.4
.target sm_70
.address_size 64
.visible .entry scale(.param .u64 in, .param .u64 out, .param .u32 n, .param .f32 by)
{
	.reg .pred %p;
	.reg .b32 %r<6>;
	.reg .b64 %rd<9>;
	.reg .f32 %f<4>;
	ld.param.u64 %rd1, [in];
	ld.param.u64 %rd2, [out];
	ld.param.u32 %r1, [n];
	ld.param.f32 %f1, [by];
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %ntid.x;
	mov.u32 %r4, %tid.x;
	mad.lo.u32 %r5, %r2, %r3, %r4;
	setp.ge.u32 %p, %r5, %r1;
	@%p bra DONE;
	mul.wide.u32 %rd3, %r5, 4;
	add.s64 %rd4, %rd1, %rd3;
	add.s64 %rd5, %rd2, %rd3;
	ld.global.f32 %f2, [%rd4];
	mul.f32 %f3, %f2, %f1;
	st.global.f32 [%rd5], %f3;
DONE:
	ret;
}
.visible .entry spin(.param .u64 p)
{
	.reg .pred %p;
	.reg .b32 %r<3>;
	mov.u32 %r1, %tid.x;
AGAIN:
	setp.ge.u32 %p, %r1, 0;
	@%p bra AGAIN;
	ret;
}
.visible .entry race(.param .u64 p)
{
	.reg .b32 %r<3>;
	.shared .align 4 .b8 sh[64];
	mov.u32 %r1, %tid.x;
	st.shared.u32 [sh], %r1;
	ld.shared.u32 %r2, [sh];
	st.shared.u32 [sh+4], %r2;
	ret;
}
.visible .entry unset(.param .u64 p)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<3>;
	.shared .align 4 .b8 sh[64];
	ld.param.u64 %rd1, [p];
	ld.shared.u32 %r2, [sh+8];
	st.global.u32 [%rd1], %r2;
	ret;
}
END

record() { "$c" record --ptx scale.ptx -o out.ctr "$@" 2>&1; }
scale() { record --kernel scale --grid 4 --block 64 "$@"; }

# ---- a trace, and what the kernel wrote ----

is "one line says what was recorded" \
	"$(scale --arg buf:1k:iota:f32 --arg buf:1k --arg 250 --arg 2 --dump 2=out.bin | sed 's/, [0-9,]* bytes$//')" \
	"out.ctr: 1 kernel, 4 CTAs, 88 warp instructions"
is "the buffer is what the kernel computed" \
	"$(od -An -v -tf4 -w4 out.bin | awk '{ want = NR <= 250 ? 2 * (NR - 1) : 0; bad += $1 != want } END { print NR, bad + 0 }')" \
	"256 0"
like "the trace is sound" "$("$c" trace check out.ctr 2>&1)" 'kernel 1 scale: 4 thread blocks, 88 warp'
like "and has the launch" "$("$c" trace info out.ctr)" 'grid +4 x 1 x 1 = 4 thread blocks of 64 x 1 x 1'
like "it runs" "$("$c" -b -n out.ctr -e run 2>&1)" '^done: cycle [0-9,]+, 1 kernel, 4 CTAs'
cp out.ctr first.ctr
for size in 4m 4M 4096k 4096K; do
	like "a buffer of $size" "$(scale --arg buf:$size:iota:f32 --arg buf:1k --arg 250 --arg 2 --dump 1=big.bin; wc -c <big.bin)" '^ *4194304$'
done
rm -f big.bin
scale --arg buf:1k:iota:f32 --arg buf:1k --arg 250 --arg 2 >/dev/null
ok "the same command writes the same file" cmp first.ctr out.ctr

# ---- kinds of arguments ----

bytes() { # ARG...: what scale makes of it, as hexadecimal words
	scale --grid 1 --block 4 "$@" --force --dump 2=out.bin >said || cat said
	od -An -v -tx4 -w16 -N16 out.bin | tr -s ' '
}
is "rand is from 0 to 1 and the same each time" \
	"$(bytes --arg buf:16:rand:f32 --arg buf:16 --arg 4 --arg 1)" \
	"$(bytes --arg buf:16:rand:f32 --arg buf:16 --arg 4 --arg 1.0f)"
is "0 to 1, indeed" "$(od -An -v -tf4 -w4 -N16 out.bin | awk '$1 < 0 || $1 >= 1 { bad++ } { s[$1] } END { print bad + 0, length(s) }')" "0 4"
printf '\000\000\200\077\000\000\000\100' >in.bin
is "a file fills the front" "$(bytes --arg buf:16:file=in.bin --arg buf:16 --arg 4 --arg 0.5)" \
	" 3f000000 3f800000 00000000 00000000"
is "bytes as they are" "$(bytes --arg buf:16:file=in.bin --arg buf:16 --arg 0x4 --arg hex:00000040)" \
	" 40000000 40800000 00000000 00000000"

# ---- long thread blocks, and those that wait for later ones ----

cat >long.ptx <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry count(.param .u32 n)
{
	.reg .b32 %r<3>;
	.reg .pred %p1;
	ld.param.u32 %r1, [n];
	mov.u32 %r2, 0;
L:	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p1, %r2, %r1;
	@%p1 bra L;
	ret;
}
.visible .entry meet(.param .u64 flag, .param .u32 most)
{
	.reg .b32 %r<6>;
	.reg .b64 %rd1;
	.reg .pred %p<4>;
	ld.param.u64 %rd1, [flag];
	ld.param.u32 %r4, [most];
	mov.u32 %r1, %ctaid.x;
	setp.eq.u32 %p1, %r1, 1;
	@%p1 bra W;
	mov.u32 %r3, 0;
L:	bar.sync 0;
	ld.volatile.global.u32 %r2, [%rd1];
	add.u32 %r3, %r3, 1;
	setp.eq.u32 %p2, %r2, 0;
	setp.lt.and.u32 %p3, %r3, %r4, %p2;
	@%p3 bra L;
	ret;
W:	st.volatile.global.u32 [%rd1], 1;
	ret;
}
END
long() { "$c" record --ptx long.ptx -o out.ctr "$@" 2>&1; }
rm -f out.ctr
is "a block of 200,000 instructions has at most 1 MiB: status 1" "$(long --kernel count --arg 66000 --max-cta 1 >said; echo $?)" 1
like "which names the options, kernel, block and line" "$(cat said)" \
	'long.ptx:1[0-2]: the thread block is larger than 1 MiB decoded \(--max-cta raises the limit, up to 16,384 MiB; --kernel and --launch leave launches out\): kernel count, CTA 0,0,0, warp 0$'
like "of several blocks also the option that lets them wait" "$(long --kernel count --grid 2 --arg 66000 --max-cta 1)" \
	'leave launches out\); --cooperative lets blocks wait for later ones: kernel count, CTA 0,0,0, warp 0$'
like "a higher limit" "$(long --kernel count --arg 66000 --max-cta 4)" '^out.ctr: 1 kernel, 1 CTA, 198,00[0-9] warp instructions'
like "it runs" "$("$c" -b -n out.ctr -e run 2>&1)" '^done: cycle [0-9,]+, 1 kernel, 1 CTA'
like "a block that waits at a barrier for the next one never ends" \
	"$(long --kernel meet --grid 2 --arg buf:4 --arg 100000000 --max-insns 1000000)" \
	'reached the limit of 1000000 warp instructions: .*\(--max-insns raises it; --cooperative lets blocks wait for later ones\)'
like "unless they take turns" "$(long --kernel meet --grid 2 --arg buf:4 --arg 100000000 --cooperative)" \
	'^out.ctr: 1 kernel, 2 CTAs, [0-9]{1,4} warp instructions'
rm -f out.ctr

# ---- mistakes: one error, status 1, no file ----

wrong() { # NAME PATTERN ARG...: fails and leaves nothing
	wrong_name=$1 wrong_pattern=$2
	shift 2
	rm -f out.ctr
	said=$(record "$@")
	like "$wrong_name: status $?" "$?$(printf '%s' "$said" | tr '\n' '~')" "^1ctascope: .*$wrong_pattern"
	is "$wrong_name: no file" "$(ls out.ctr* 2>/dev/null)" ""
}
wrong "missing kernel" "scael.*scale" --kernel scael
wrong "no kernel named" "3 kernels|4 kernels, choose with --kernel: scale, spin, race, unset"
wrong "too few arguments" "scale takes 4 arguments of 8, 8, 4, 4 bytes, 1 given" --kernel scale --arg 1
wrong "an address in 4 bytes" "argument 3.*4 bytes, an address has 8" --kernel scale \
	--arg buf:1k --arg buf:1k --arg buf:1k --arg 2
wrong "a number too large" "argument 3, 4294967296: does not fit" --kernel scale \
	--arg buf:1k --arg buf:1k --arg 4294967296 --arg 2
wrong "no number" "argument 3, 'x': expected a number" --kernel scale --arg buf:1k --arg buf:1k --arg x --arg 2
wrong "a bad size" "argument 1, 'buf:x': expected a size" --kernel scale --arg buf:x --arg 0 --arg 0 --arg 0
wrong "a bad filling" "expected zero, iota, rand or file=F" --kernel scale --arg buf:8:ones --arg 0 --arg 0 --arg 0
wrong "a missing file" "argument 1: nofile: " --kernel scale --arg buf:8:file=nofile --arg 0 --arg 0 --arg 0
wrong "dump of a number" "dump 3: argument 250 is not a buffer" --kernel scale --arg buf:1k --arg buf:1k \
	--arg 250 --arg 2 --dump 3=x
wrong "too many threads" "2048" --kernel scale --block 2048 --arg buf:1k --arg buf:1k --arg 250 --arg 2
wrong "an endless loop" "spin.*instructions|instructions.*spin" --kernel spin --max-insns 1000 --arg 0
wrong "an access out of bounds" "scale.ptx:2[35]" --kernel scale --grid 4 --block 64 \
	--arg buf:512 --arg buf:1k --arg 250 --arg 2
wrong "a race" "race" --kernel race --block 64 --check-races --arg 0
wrong "an unset word" "scale.ptx:5[0-9]" --kernel unset --block 32 --check-init --arg buf:16
like "which nobody asked to find" "$(record --kernel race --block 64 --arg 0)" "^out.ctr: 1 kernel"
echo '.version 6.4 .target sm_70 .address_size 64 .visible .entry k() { frob.u32 %r1, 2; }' >bad.ptx
rm -f out.ctr
said=$("$c" record --ptx bad.ptx -o out.ctr 2>&1)
is "bad PTX is an error" "$?" 1
like "with its place" "$said" "^ctascope: bad.ptx:1: "
like "a missing PTX file" "$("$c" record --ptx no.ptx -o out.ctr 2>&1)" "^ctascope: .*no.ptx"
is "neither leaves a file" "$(ls out.ctr* 2>/dev/null)" ""
like "no folder to write to" "$(scale --arg buf:1k --arg buf:1k --arg 250 --arg 2 -o no/out.ctr 2>&1)" "^ctascope: cannot write 'no/out.ctr'"

usage() { # NAME ARG...: status 2
	usage_name=$1
	shift
	"$c" record "$@" >said 2>&1
	is "$usage_name is a usage error" "$?" 2
}
usage "no output" --ptx scale.ptx
usage "no PTX" -o out.ctr
usage "an unknown option" --ptx scale.ptx -o out.ctr --frob
usage "a grid of nothing" --ptx scale.ptx -o out.ctr --grid 0
usage "four dimensions" --ptx scale.ptx -o out.ctr --block 1,1,1,1
usage "300 registers" --ptx scale.ptx -o out.ctr --regs 300
usage "no job" --ptx scale.ptx -o out.ctr -j 0
usage "no job for a program" -o out.ctr -j 0 -- true
usage "a stray word" --ptx scale.ptx -o out.ctr stray
like "--help says what there is" "$("$c" record --help)" '^Usage: ctascope record --ptx'

# ---- registers ----

scale --arg buf:1k --arg buf:1k --arg 250 --arg 2 --regs 63 >/dev/null
like "registers may be given" "$("$c" trace info out.ctr)" '63 registers per thread'

# ---- side by side ----

many() { # JOBS: enough CTAs to be worth threads; their trace and what they leave
	"$c" record --ptx scale.ptx --kernel scale --grid 2000 --block 256 --arg buf:2M:iota:f32 --arg buf:2M:zero \
		--arg 500000 --arg 2 --jobs "$1" --dump "2=many.$1" -o "many.$1.ctr" >/dev/null
}
many 1
many 3
cmp many.1.ctr many.3.ctr
is "several jobs write the same trace" "$?" 0
cmp many.1 many.3
is "and leave the same memory" "$?" 0

# ---- list ----

scale --arg buf:1k --arg buf:1k --arg 250 --arg 2 >/dev/null
prompt() { "$c" -b -n -p rr out.ctr "$@" 2>&1; }
now=$(prompt -e 'step 300' -e list)
like "list names the file" "$now" '^scale.ptx$'
like "marks the line of the warp in focus" "$now" '^=> +[0-9]+ +[0-9]+ +[a-z]'
like "and shows PTX" "$now" '^ +20 .*mul.wide.u32 %rd3, %r5, 4;$'
is "twenty lines" "$(printf '%s\n' "$now" | grep -c '^\(=>\)\? *[0-9]')" 20
like "a second one goes on" "$(prompt -e 'step 300' -e list -e list)" '^ +[0-9]+ +race|^ +3[0-9] '
like "a line by number" "$(prompt -e 'step 300' -e 'list 4,5')" '^ *4 +\.visible \.entry scale'
like "a file and line" "$(prompt -e 'step 300' -e 'list scale.ptx:18,19')" '^.*18 .*setp.ge.u32 %p, %r5, %r1;'
like "instructions on demand" "$(prompt -e 'step 300' -e 'list insns')" 'LDG.E.SYS R[0-9]+, \[R[0-9]+\] +scale.ptx:23'
like "an unknown file" "$(prompt -e 'step 300' -e 'list foo.cu:3')" "no file 'foo.cu'"
like "lines there are not" "$(prompt -e 'step 300' -e 'list 900')" 'scale.ptx has [0-9]+ lines'
like "warps at lines out of sight" "$(prompt -e 'step 300' -e 'list 1,2')" '^[0-9]+ warps elsewhere: scale.ptx:'
mv scale.ptx gone.ptx
like "without the text instructions" "$(prompt -e 'step 300' -e list)" '^num +warps'
mkdir src
mv gone.ptx src/scale.ptx
like "the text may lie in src beside the trace" "$(prompt -e 'step 300' -e list)" 'mul.wide.u32'

# ---- what the tutorial says ----

if command -v clang >/dev/null && clang --print-targets 2>/dev/null | grep -q nvptx64; then
	mkdir bin
	ln -s "$c" bin/ctascope
	sed -n '/^cat >scale.cu/,/^```/p' "$srcdir/docs/tutorial.md" | sed '$d' >readme.sh
	said=$(PATH=$PWD/bin:$PATH sh -e readme.sh 2>&1)
	is "the tutorial's kernel: status" "$?" 0
	like "is recorded" "$said" '^scale.ctr: 1 kernel, 512 CTAs, '
	like "listed as CUDA C" "$said" '^=> +[0-9]+ +[0-9]+ .*if \(i < n\)'
	like "and run" "$said" '^done: cycle .* 512 CTAs'
else
	skip "the tutorial's kernel" "no clang with nvptx64 here"
fi
done_testing
