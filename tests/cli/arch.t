#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# arch.t - `ctascope record --arch`: the same kernel with the instructions of four architectures, and on the machines of two.
. "${srcdir:-.}/tests/tap.sh"
c=$CTASCOPE
cd "$tmp" || exit 99

cat >k.ptx <<'END'
.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out)
{
	.reg .b32 %r<20>;
	.reg .f32 %f<20>;
	.reg .b64 %rd<10>;
	.shared .align 16 .b8 buf[4096];
	ld.param.u64 %rd1, [in];
	ld.param.u64 %rd2, [out];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %ntid.x;
	mad.lo.s32 %r4, %r2, %r3, %r1;
	mul.wide.s32 %rd3, %r4, 16;
	add.s64 %rd4, %rd1, %rd3;
	mov.u32 %r5, buf;
	mad.lo.s32 %r6, %r1, 16, %r5;
	cp.async.cg.shared.global [%r6], [%rd4], 16;
	cp.async.commit_group;
	cp.async.wait_group 0;
	bar.sync 0;
	ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r7,%r8,%r9,%r10}, [%r6];
	mov.f32 %f1, 0f3f800000;
	mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f5,%f6,%f7,%f8}, {%r7,%r8,%r9,%r10}, {%r7,%r8}, {%f1,%f1,%f1,%f1};
	redux.sync.add.s32 %r11, %r4, 0xffffffff;
	cvt.rn.f32.s32 %f9, %r11;
	add.f32 %f5, %f5, %f9;
	add.f32 %f6, %f6, %f7;
	add.f32 %f5, %f5, %f8;
	add.s64 %rd5, %rd2, %rd3;
	st.global.f32 [%rd5], %f5;
	st.global.f32 [%rd5+4], %f6;
	ret;
}
END

record() { # ARCH NAME
	"$c" record ${1:+--arch "$1"} --ptx k.ptx --grid 200 --block 128 --arg buf:512k:rand:u16 --arg buf:512k:zero \
		-o "$2.ctr" --dump "2=$2.bin" 2>&1
}
ops() { # NAME: some opcodes of a warp, in order
	"$c" trace dump "$1.ctr" 1 0 0 |
		grep -oE '(HMMA|LDSM|LDS|STS|LDG|LDGSTS|LDGDEPBAR|DEPBAR|REDUX|ULDC|SHFL|STG|IMAD)[.A-Z0-9]*' | uniq | tr '\n' ' ' | sed 's/ $//'
}
for a in sm_70 sm_75 sm_80 sm_86; do
	like "recorded for $a" "$(record $a $a)" "^$a.ctr: 1 kernel, 200 CTAs"
	like "  with its binary version" "$("$c" trace info $a.ctr)" "version ${a#sm_}"
done
record '' any >/dev/null
ok "by default as for sm_70, to the byte" cmp any.ctr sm_70.ctr
ok "results do not depend on it" cmp sm_70.bin sm_86.bin
is "a Volta" "$(ops sm_70)" \
	"IMAD IMAD.WIDE IMAD LDG.E.128.SYS STS.128 LDS.128 HMMA.884.F32.F32 SHFL.BFLY IMAD.WIDE STG.E.SYS"
is "a Turing" "$(ops sm_75)" \
	"IMAD IMAD.WIDE IMAD LDG.E.128.SYS STS.128 LDSM.16.M88.4 HMMA.1688.F32 SHFL.BFLY IMAD.WIDE STG.E.SYS"
is "an Ampere" "$(ops sm_86)" \
	"ULDC.64 IMAD IMAD.WIDE IMAD LDGSTS.E.BYPASS.128 LDGDEPBAR DEPBAR.LE LDSM.16.M88.4 HMMA.16816.F32 REDUX.SUM IMAD.WIDE STG.E"
# What an instruction computes is in its name: redux, products of unsigned bytes.
cat >names.ptx <<'END'
.version 7.8
.target sm_86
.address_size 64
.visible .entry names(.param .u64 out)
{
	.reg .b32 %r<12>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	redux.sync.and.b32 %r2, %r1, 0xffffffff;
	redux.sync.xor.b32 %r3, %r2, 0xffffffff;
	redux.sync.min.s32 %r4, %r3, 0xffffffff;
	redux.sync.max.u32 %r5, %r4, 0xffffffff;
	mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%r6,%r7,%r8,%r9}, {%r1,%r1,%r1,%r1}, {%r1,%r1}, {%r5,%r5,%r5,%r5};
	st.global.u32 [%rd1], %r6;
	ret;
}
END
"$c" record --arch sm_86 --ptx names.ptx --grid 1 --block 32 --arg buf:4k:zero -o names.ctr >/dev/null 2>&1
is "what they compute is in the name" \
	"$("$c" trace dump names.ctr 1 0 0 | grep -oE '(REDUX|IMMA)[.A-Z0-9]*' | tr '\n' ' ')" \
	"REDUX REDUX.XOR REDUX.MIN.S32 REDUX.MAX IMMA.16832.U8.U8 "
like "another word is a mistake" "$(record sm_99 no)" "sm_99.*auto.*sm_70.*sm_86"

run() { "$c" -n -b -c "$2" "$1.ctr" -e continue -e 'print gpu.warp_insts' -e 'print gpu.ctas_done' 2>&1; }
for m in qv100 titanv rtx3070 rtx2060; do
	for a in sm_70 sm_86; do
		said=$(run $a $m)
		like "$a ends on $m" "$said" 'gpu.ctas_done = 200$'
		insts=$("$c" trace info $a.ctr | sed -n 's/^1 kernel.* \([0-9,]*\) warp instructions$/\1/p' | tr -d ,)
		like "  with all its instructions" "$said" "gpu.warp_insts = ${insts:-?}"
	done
done
done_testing
