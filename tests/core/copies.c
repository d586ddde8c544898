/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * copies.c - asynchronous copies and atomics in small kernels (ctascope-model(7) 3.9, 3.10): DEPBAR
 * waits for the copies of closed groups and nothing else; a warp may end before its copies; an
 * atomic without an address is rejected.
 */
#include "tests/tap.h"
#include "tests/sim/model.h"

#define GLOBAL UINT64_C(0x7fff00000000)

static struct tb *tb;
static uint32_t copy, closes, waits, ends;
static uint64_t at; /* address of the next copy */

static void
begin(unsigned n_cta, unsigned threads, int64_t n)
{
	tb = tb_new();
	at = 0;
	tb_kernel(tb, "copies", n_cta, threads, 16, 0, 80);
	copy = tb_inst(tb, 0, "LDGSTS.E.128", "", "R4 R2");
	closes = tb_inst(tb, 0x10, "LDGDEPBAR", "", "");
	waits = tb_inst_imm(tb, 0x20, "DEPBAR.LE", "", "", n, 0);
	ends = tb_inst(tb, 0x30, "EXIT", "", "");
}

static void
emit(unsigned cta, unsigned warp, uint32_t inst)
{
	at += inst == copy ? 4096 : 0;
	tb_emit(tb, cta, warp, inst, ~0u, inst == copy ? ADDR_STRIDE : ADDR_NONE,
		inst == copy ? GLOBAL + at : 0, 16);
}

/* Runs the trace and returns its cycles. */
static uint64_t
run(const char *machine)
{
	struct err e = {0};
	struct trace *t = tb_finish(tb, &e);
	struct config *c = model_config(machine, "rr");
	struct sim *s;
	uint64_t cycles;

	if (!t)
		model_die("copies", &e);
	s = model_sim(c, t);
	cycles = model_run(s);
	sim_free(s);
	config_free(c);
	trace_close(t);
	return cycles;
}

/* One warp: n_groups groups of one copy each, and a DEPBAR that leaves the last n outstanding.
 * */
static uint64_t
groups(const char *machine, unsigned n_groups, unsigned n)
{
	begin(1, 32, n);
	for (unsigned i = 0; i < n_groups; i++) {
		emit(0, 0, copy);
		emit(0, 0, closes);
	}
	emit(0, 0, waits);
	emit(0, 0, ends);
	return run(machine);
}

/* Warps that exit with copies under way, and other warps in their place that wait for their own.
 * */
static uint64_t
leave_copies(const char *machine)
{
	begin(600, 64, 0);
	for (unsigned cta = 0; cta < 600; cta++)
		for (unsigned w = 0; w < 2; w++) {
			for (unsigned i = 0; i < 6; i++)
				emit(cta, w, copy);
			emit(cta, w, closes);
			if (w)
				emit(cta, w, waits);
			emit(cta, w, ends);
		}
	return run(machine);
}

static void
refuse_atomic(const char *machine)
{
	struct tb *b = tb_new();
	struct config *c = model_config(machine, "rr");
	uint64_t lane[WARP_SIZE];
	struct err e = {0};
	struct trace *t;
	struct sim *s;
	uint32_t red, ex;

	tb_kernel(b, "counter", 1, 32, 16, 0, 70);
	red = tb_inst(b, 0x40, "RED.E.ADD.STRONG.GPU", "", "R2 R4");
	ex = tb_inst(b, 0x50, "EXIT", "", "");
	for (unsigned i = 0; i < WARP_SIZE; i++)
		lane[i] = i == 7 ? 0 : GLOBAL;
	tb_emit_lanes(b, 0, 0, red, ~0u, lane);
	tb_emit(b, 0, 0, ex, ~0u, ADDR_NONE, 0, 0);
	t = tb_finish(b, &e);
	if (!t)
		model_die("counter", &e);
	s = model_sim(c, t);
	is_u64(sim_run(s, CYCLE_NEVER, &e), SIM_FAILED, "%s: an atomic without an address ends it",
	       machine);
	is_str(e.msg,
	       "kernel 1, thread block 0, warp 0, pc 0x40: RED.E.ADD.STRONG.GPU [R2], R4: active "
	       "lane 7 has no address; every active lane of an atomic needs one other than "
	       "0",
	       "the message says where");
	sim_free(s);
	config_free(c);
	trace_close(t);
}

int
main(void)
{
	static const char *const machine[] = {"gtx480", "kay30", "kayiran30"};

	for (unsigned i = 0; i < 3; i++) {
		uint64_t all = groups(machine[i], 4, 0), last = groups(machine[i], 4, 1),
			 none = groups(machine[i], 4, 4);

		ok(all >= last && last > none && none,
		   "%s: DEPBAR waits for fewer groups the larger its number is", machine[i]);
		ok(groups(machine[i], 12, 0) >= groups(machine[i], 12, 1) &&
			   groups(machine[i], 12, 1) > none,
		   "%s: more groups than are told apart", machine[i]);
		ok(leave_copies(machine[i]), "%s: warps that end before their copies", machine[i]);
		refuse_atomic(machine[i]);
	}
	return done();
}
