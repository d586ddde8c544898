/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * write_back.c - what leaves the load/store unit: results for the registers (ctascope-model(7)
 * 7.8), and modified lines of L1 (7.13).
 *
 * Results are put into the write-back register by hand, with banks taken as the test likes; a
 * modified line is displaced in the whole machine. Both as the reference does it and without its
 * oddities.
 */
#include "ldst/ldst_part.h"
#include "tests/mem/rig.h"
#include "tests/tap.h"

/* ---------------------------------------------------------------- results */

#define BANK(reg) (1u << (((reg) + 1u) & 15u)) /* of hardware warp 0 */

static void
has_data(const struct ldst_env *e, const struct dinst *d)
{
	struct ldst *u = e->unit;

	warp_reserve(&e->warp[0], d);
	u->wb_load = u->free_load;
	u->free_load = u->loads[u->wb_load].next;
	u->loads[u->wb_load] = (struct load){.left = 1};
	u->wb_valid = 1;
}

/* A load with these registers has its data; cycle by cycle, the banks taken by others then. Returns
 * the cycles until the registers were released; took: banks it claimed, by cycle. What comes behind
 * it begins afresh. */
static unsigned
released(const char *in_turn, const uint8_t *dst, unsigned n_dst, const uint32_t *others,
	 uint32_t *took)
{
	const char *const options[] = {"ldst.banks_in_turn", in_turn, NULL};
	struct rig r = rig_new("kay30", options);
	const struct ldst_env *e = &r.s->core[0].ldst;
	struct dinst d = {.cls = OP_LOAD, .space = SPACE_GLOBAL, .n_dst = (uint8_t)n_dst};
	uint32_t behind = 0;
	unsigned at = 0;

	memcpy(d.dst, dst, n_dst);
	for (unsigned i = 0; i < n_dst; i++)
		d.gets |= UINT64_C(1) << dst[i];
	has_data(e, &d);
	while (e->unit->wb_valid && at < 9) {
		uint32_t banks = at < 3 ? others[at] : 0;

		ldst_write_back(e, &d, at, &banks);
		if (at < 3)
			took[at] = banks & ~others[at];
		at++;
	}
	is_u64(warp_pending(&e->warp[0]), e->unit->wb_valid, "registers wait while it waits");
	has_data(e, &d);
	ldst_write_back(e, &d, at, &behind);
	ok(behind & BANK(dst[0]), "the next result begins with its first register");
	rig_free(&r);
	return at;
}

static void
results(void)
{
	static const uint8_t three[] = {4, 5, 6}, same[] = {4, 20};
	const uint32_t busy[3] = {BANK(5), BANK(4) | BANK(6), BANK(5)}, none[3] = {0};
	uint32_t took[3];

	is_u64(released("on", three, 3, none, took), 1, "all banks are free: at once");
	is_u64(took[0], BANK(4) | BANK(5) | BANK(6), "and all three are written");
	is_u64(released("on", three, 3, busy, took), 3, "in turn: R4, R5 and R6 in three cycles");
	is_u64(took[0], BANK(4), "R5 is taken: R4 only");
	is_u64(took[1], BANK(5), "R6 is taken: R5, and R4 not again");
	is_u64(took[2], BANK(6), "R6 at last");
	is_u64(released("off", three, 3, none, took), 1, "all at once: all banks are free");
	is_u64(released("off", three, 3, busy, took), 4, "all at once: when no bank is taken");
	is_u64(released("on", same, 2, none, took), 2, "in turn: two registers of one bank");
	is_u64(released("off", same, 2, none, took), 1, "all at once: these as well");
}

/* ---------------------------------------------------------------- modified lines */

#define LOCAL_LINE 0x7f1000000000u

/* Line n of the set of L1 that LOCAL_LINE falls into, of another slice. */
static uint64_t
rival(const struct sim *s, unsigned n)
{
	const struct tags *t = &s->core[0].ldst.tags[L1_DATA];
	uint64_t local;

	for (uint64_t a = 0x10000;; a += t->line)
		if (tags_set(t, a) == tags_set(t, LOCAL_LINE) &&
		    addr_route(&s->map, a, &local) != addr_route(&s->map, LOCAL_LINE, &local) &&
		    !n--)
			return a;
}

/* One lane loads a local word, writes it, and loads as many lines as displace it. */
static struct trace *
kernel(const struct sim *s, unsigned ways)
{
	struct tb *b = tb_new();
	struct err e = {0};
	uint32_t ldl, stl, ldg, ex;
	struct trace *t;

	tb_kernel(b, "displace", 1, 32, 16, 0, 70);
	ldl = tb_inst(b, 0, "LDL", "R4", "R2");
	stl = tb_inst(b, 0x10, "STL", "", "R2 R4");
	ldg = tb_inst(b, 0x20, "LDG.E", "R4", "R2");
	ex = tb_inst(b, 0x30, "EXIT", "", "");
	tb_emit(b, 0, 0, ldl, 1, ADDR_STRIDE, LOCAL_LINE, 0);
	tb_emit(b, 0, 0, stl, 1, ADDR_STRIDE, LOCAL_LINE, 0);
	for (unsigned i = 0; i < ways; i++)
		tb_emit(b, 0, 0, ldg, 1, ADDR_STRIDE, rival(s, i), 0);
	tb_emit(b, 0, 0, ex, ~0u, ADDR_NONE, 0, 0);
	t = tb_finish(b, &e);
	if (!t)
		model_die("displace", &e);
	return t;
}

static const struct req *
write_back_of(const struct sim *s)
{
	for (uint32_t i = 0; i < s->pool->high; i++)
		if (s->req[i].kind == REQ_WRBK)
			return &s->req[i];
	return NULL;
}

static void
displaced(const char *machine, const char *with_load)
{
	const char *const options[] = {"ldst.wrbk_with_load",
				       with_load,
				       "l1d.hash_index",
				       "on",
				       "ldst.local_interleave",
				       "off",
				       NULL};
	struct rig r = rig_new(machine, options);
	unsigned ways = r.cfg->l1d.assoc;
	struct trace *t = kernel(r.s, ways);
	struct sim *s = model_sim(r.cfg, t);
	const struct req *q = NULL;
	uint64_t local, other;
	unsigned home = addr_route(&s->map, LOCAL_LINE, &local);
	unsigned load = addr_route(&s->map, rival(s, ways - 1), &other);

	while (!q && sim_run(s, sim_cycle(s) + 1, NULL) == SIM_REACHED)
		q = write_back_of(s);
	if (ok(q, "%s: a modified local line is displaced", machine)) {
		is_u64(q->addr, LOCAL_LINE, "%s: it is that line", machine);
		is_u64(q->slice, strcmp(with_load, "on") ? home : load,
		       "%s, wrbk_with_load %s: it goes to the slice of %s", machine, with_load,
		       strcmp(with_load, "on") ? "its address" : "the load");
		is_u64(q->local, local, "%s: its place there is that of its address", machine);
	}
	ok(model_run(s), "%s: the run ends", machine);
	sim_free(s);
	trace_close(t);
	rig_free(&r);
}

int
main(void)
{
	results();
	for (unsigned m = 0; m < N_MODEL_FIRST; m++) {
		displaced(model_machines[m], "on");
		displaced(model_machines[m], "off");
	}
	for (unsigned m = 0; m < N_MODEL_MACHINES; m++) {
		struct config *c = model_config(model_machines[m], "rr");
		bool reference = m < 2;		/* gtx480, kay30 */
		bool modern = c->ldst.sectored; /* follow it too, and have no write-backs from L1 */

		is_u64(c->ldst.banks_in_turn, reference || modern, "%s: banks_in_turn",
		       model_machines[m]);
		is_u64(c->ldst.wrbk_with_load, reference, "%s: wrbk_with_load", model_machines[m]);
		is_u64(c->mem.memcpy_cleans, reference || modern, "%s: memcpy_cleans",
		       model_machines[m]);
		is_u64(c->mem.upper_half_next, reference, "%s: upper_half_next", model_machines[m]);
		config_free(c);
	}
	return done();
}
