/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * read_only.c - loads from constant and texture space use their own caches, except on a machine
 * with a sectored L1, through which they go.
 *
 * Captured traces do not give the space of such loads (or no addresses), so the test builds global
 * loads and moves them to the space under test after decoding.
 */
#include "sim/sim_priv.h"
#include "tests/tap.h"
#include "tests/sim/model.h"

/* One warp loads a line, uses it, loads the same line again, and then a line that was not
 * requested yet. */
static struct trace *
kernel(void)
{
	struct tb *b = tb_new();
	struct err e = {0};
	uint32_t ld, use, ex;
	struct trace *t;

	tb_kernel(b, "loads", 1, 32, 16, 0, 70);
	ld = tb_inst(b, 0, "LDG.E", "R4", "R2");
	use = tb_inst(b, 0x10, "FADD", "R2", "R4 R4");
	ex = tb_inst(b, 0x20, "EXIT", "", "");
	for (unsigned i = 0; i < 3; i++) {
		tb_emit(b, 0, 0, ld, ~0u, ADDR_STRIDE, i < 2 ? 0x10000 : 0x20000, 0);
		tb_emit(b, 0, 0, use, ~0u, ADDR_NONE, 0, 0);
	}
	tb_emit(b, 0, 0, ex, ~0u, ADDR_NONE, 0, 0);
	t = tb_finish(b, &e);
	if (!t)
		model_die("loads", &e);
	return t;
}

static cycle_t
load_from(const char *machine, enum op_space space, const char *key, const char *value)
{
	static const char *const names[] = {
		[SPACE_GLOBAL] = "global", [SPACE_CONST] = "constant", [SPACE_TEX] = "texture"};
	struct trace *t = kernel();
	struct config *c = model_config(machine, "rr");
	bool own = space != SPACE_GLOBAL && !c->ldst.sectored; /* otherwise through L1 */
	struct sim *s;
	cycle_t at;

	if (key)
		model_set(c, key, value);
	s = model_sim(c, t);
	/* the kernel is decoded at its launch, long before the warp has fetched */
	while (!s->dinst[0])
		if (sim_run(s, sim_cycle(s) + 1, NULL) != SIM_REACHED)
			model_die("launch", NULL);
	s->dinst[0][0].space = (uint8_t)space;
	if (space != SPACE_GLOBAL)
		s->dinst[0][0].flags &= (uint8_t)~INST_BYPASS;
	ok(model_run(s), "%s, %s: ends", machine, names[space]);
	is_u64((uint64_t)model_value(s, "rocache.accesses"), own ? 3 : 0,
	       "%s, %s: look-ups of the read-only caches", machine, names[space]);
	is_u64((uint64_t)model_value(s, "rocache.misses"), own ? 2 : 0,
	       "%s, %s: misses there: two lines", machine, names[space]);
	if (own)
		is_u64((uint64_t)model_value(s, "l1.accesses"), 0, "%s, %s: L1 is not asked",
		       machine, names[space]);
	at = sim_cycle(s);
	sim_free(s);
	config_free(c);
	trace_close(t);
	return at;
}

int
main(void)
{
	for (unsigned m = 0; m < N_MODEL_MACHINES; m++) {
		const char *machine = model_machines[m];
		cycle_t constant;

		load_from(machine, SPACE_GLOBAL, NULL, NULL);
		constant = load_from(machine, SPACE_CONST, NULL, NULL);
		load_from(machine, SPACE_TEX, NULL, NULL);
		ok(load_from(machine, SPACE_CONST, "ldst.l1_latency", "62") > constant,
		   "%s: a hit takes the latency of L1", machine);
	}
	return done();
}
