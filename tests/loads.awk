# SPDX-License-Identifier: GPL-3.0-or-later
# loads.awk - writes the trace of a kernel of loads that share no line, each followed by an addition that needs it.
#
#     awk -v ctas=N -v warps=N -v loads=N -v apart=BYTES [-v adds=N] -f loads.awk
#
# warps: of a CTA; apart: bytes between the addresses of two loads; adds: more additions, at the end of each warp.
BEGIN {
	print "-kernel name = loads\n-kernel id = 1"
	print "-grid dim = (" ctas ",1,1)\n-block dim = (" 32 * warps ",1,1)"
	print "-shmem = 0\n-nregs = 16\n-binary version = 70\n-cuda stream id = 0"
	print "-shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007f1000000000"
	print "-nvbit version = 1.5.5\n-accelsim tracer version = 3\n"
	print "#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses]\n"
	for (t = 0; t < ctas; t++) {
		print "#BEGIN_TB\n\nthread block = " t ",0,0\n"
		for (v = 0; v < warps; v++) {
			print "warp = " v "\ninsts = " 2 * loads + adds + 1
			for (i = 0; i < loads; i++) {
				at = ((t * warps + v) * loads + i) * apart
				printf "%04x ffffffff 1 R4 LDG.E.SYS 1 R2 4 1 0x%x 128 \n", 16 * (2 * i), 140000000000000 + at
				printf "%04x ffffffff 1 R5 FADD 2 R4 R5 0 \n", 16 * (2 * i + 1)
			}
			for (i = 0; i < adds; i++)
				printf "%04x ffffffff 1 R6 FADD 2 R6 R7 0 \n", 16 * (2 * loads + i)
			printf "%04x ffffffff 0 EXIT 0 0 \n\n", 16 * (2 * loads + adds)
		}
		print "#END_TB\n"
	}
}
