# SPDX-License-Identifier: GPL-3.0-or-later
# make.awk - writes the text traces that phase.ctr, uneven.ctr and pair.ctr are made of:
#
#     awk -v kernel=phase -f traces/make.awk >phase.traceg && ctascope convert phase.traceg traces/phase.ctr
#
#     mkdir pair && for kernel in many few; do
#         awk -v kernel=$kernel -f traces/make.awk >pair/$kernel.traceg && echo $kernel.traceg
#     done >pair/kernelslist.g && ctascope convert pair traces/pair.ctr
#
# phase   360 CTAs of 128 threads: 8 of them fit on a core of 1024 threads, and 30 cores have 12 each to do.
#         Every warp alternates a compute phase (a loop over FFMA) with a memory phase (loads of lines nobody
#         else reads), four times.
# uneven  150 CTAs of 256 threads, each a loop over a chain of FFMA. On 30 cores that hold 4 of them the
#         first 120 are resident at once. Those of every sixth core are short, so these cores are free
#         early, and the 30 that are left are long.
# many    720 CTAs of 128 threads in stream 1, each with a few loads of lines nobody else reads.
# few     60 CTAs of 128 threads in stream 2, each a long loop over FFMA. Both kernels are pair.ctr.

function head(name, ctas, threads, stream) {
	print "-kernel name = " name
	print "-kernel id = " (stream ? stream : 1)
	print "-grid dim = (" ctas ",1,1)"
	print "-block dim = (" threads ",1,1)"
	print "-shmem = 0"
	print "-nregs = 16"
	print "-binary version = 70"
	print "-cuda stream id = " stream
	print "-shmem base_addr = 0x00007f0000000000"
	print "-local mem base_addr = 0x00007f1000000000"
	print "-nvbit version = 1.5.5"
	print "-accelsim tracer version = 4"
	print "-enable lineinfo = 0\n"
	print "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs]" \
		" mem_width [adrrescompress?] [mem_addresses] immediate\n"
}

function arithmetic(pc, dst, op, srcs, n) {
	return sprintf("%04x ffffffff 1 R%d %s %d %s 0 0\n", pc, dst, op, n, srcs)
}

# Four FFMA in two chains, the loop counter, the jump back.
function loop(pc,    s, k) {
	for (k = 0; k < 4; k++)
		s = s arithmetic(pc + 16 * k, 4 + k % 2, "FFMA", "R" 4 + k % 2 " R8 R9", 3)
	s = s arithmetic(pc + 64, 2, "IADD3", "R2 R3 R255", 3)
	return s sprintf("%04x ffffffff 0 BRA 0 0 0\n", pc + 80)
}

function warp(w, body, n) {
	printf "warp = %d\ninsts = %d\n%s\n", w, n, body
}

function phase(cta, w,    s, p, i) {
	for (p = 0; p < 4; p++) {
		for (i = 0; i < 12; i++)
			s = s loop(0)
		for (i = 0; i < 8; i++) {
			s = s sprintf("%04x ffffffff 1 R%d LDG.E.SYS 1 R2 4 1 0x7fff%08x 4 0\n", 96, 10,
				      (((cta * 4 + w) * 4 + p) * 8 + i) * 128)
			s = s arithmetic(112, 5, "FADD", "R5 R10", 2)
		}
	}
	warp(w, s "0080 ffffffff 0 EXIT 0 0 0\n", 4 * (12 * 6 + 8 * 2) + 1)
}

function uneven(cta, w,    s, n, i) {
	n = cta >= 120 ? 40 : cta % 30 % 6 ? 25 : 5
	for (i = 0; i < n; i++)
		s = s loop(0)
	warp(w, s "0060 ffffffff 0 EXIT 0 0 0\n", 6 * n + 1)
}

function many(cta, w,    s, i) {
	for (i = 0; i < 4; i++) {
		s = s sprintf("%04x ffffffff 1 R%d LDG.E.SYS 1 R2 4 1 0x7fff%08x 4 0\n", 0, 10,
			      ((cta * 4 + w) * 4 + i) * 128)
		s = s arithmetic(16, 5, "FADD", "R5 R10", 2)
	}
	warp(w, s "0020 ffffffff 0 EXIT 0 0 0\n", 4 * 2 + 1)
}

function few(w,    s, i) {
	for (i = 0; i < 320; i++)
		s = s loop(0)
	warp(w, s "0060 ffffffff 0 EXIT 0 0 0\n", 6 * 320 + 1)
}

BEGIN {
	ctas["phase"] = 360; ctas["uneven"] = 150; ctas["many"] = 720; ctas["few"] = 60
	warps = kernel == "uneven" ? 8 : 4
	head(kernel, ctas[kernel], 32 * warps, kernel == "many" ? 1 : kernel == "few" ? 2 : 0)
	for (cta = 0; cta < ctas[kernel]; cta++) {
		printf "#BEGIN_TB\n\nthread block = %d,0,0\n\n", cta
		for (w = 0; w < warps; w++)
			if (kernel == "phase")
				phase(cta, w)
			else if (kernel == "uneven")
				uneven(cta, w)
			else if (kernel == "many")
				many(cta, w)
			else
				few(w)
		print "#END_TB\n"
	}
}
