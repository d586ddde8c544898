/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * misfit.c - a kernel whose block is larger than a core ends the run with an error that names the
 * machine, what the block needs, what the core has, and a machine with room for it.
 */
#include "tests/tap.h"
#include "tests/sim/model.h"

/* Runs a kernel of one block on kayiran30 and compares the error. */
static void
check_misfit(unsigned threads, unsigned regs, unsigned shmem, const char *expected)
{
	struct tb *b = tb_new();
	struct err e = {0};
	struct config *c = model_config("kayiran30", "rr");
	struct trace *t;
	uint32_t ex;

	tb_kernel(b, "large", 1, threads, regs, shmem, 70);
	ex = tb_inst(b, 0, "EXIT", "", "");
	for (unsigned w = 0; w < threads / WARP_SIZE; w++)
		tb_emit(b, 0, w, ex, ~0u, ADDR_NONE, 0, 0);
	t = tb_finish(b, &e);
	if (!t)
		model_die("large", &e);
	ok(!sim_new(c, t, &e), "the run does not begin");
	is_str(e.msg, expected, "the reason");
	config_free(c);
	trace_close(t);
}

int
main(void)
{
	check_misfit(32, 16, 49152,
		     "kernel 1 'large' does not fit on a core of machine kayiran30: a CTA needs "
		     "49,152 bytes of shared memory, core.shmem is 32,768; it fits on claso14 (-c "
		     "claso14)");
	check_misfit(1024, 64, 0,
		     "kernel 1 'large' does not fit on a core of machine kayiran30: a CTA needs "
		     "65,536 registers, core.registers is 32,768; it fits on qv100 (-c qv100)");
	check_misfit(
		32, 16, 65536,
		"kernel 1 'large' does not fit on a core of machine kayiran30: a CTA needs "
		"65,536 bytes of shared memory, core.shmem is 32,768; it fits on qv100 (-c qv100)");
	check_misfit(32, 16, 131072,
		     "kernel 1 'large' does not fit on a core of machine kayiran30: a CTA needs "
		     "131,072 bytes of shared memory, core.shmem is 32,768; it fits on no shipped "
		     "machine");
	done();
}
