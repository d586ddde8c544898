/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * corners.c - corner cases of the core in small kernels (ctascope-model(7) 3.7, 3.11, 5.7): warps
 * that wait for a collector of their class while others pass, BAR.ARV, records without an active
 * lane.
 *
 * One CTA runs on one core.
 */
#include "tests/tap.h"
#include "tests/sim/model.h"

#define GLOBAL UINT64_C(0x7fff00000000)
#define SHARED UINT64_C(0x7f0000000080)

static struct sim *
begin(const char *machine, const char *options, struct trace *t, struct config **c)
{
	char text[128], *save, *key;

	*c = model_config(machine, "rr");
	model_set(*c, "gpu.clusters", "1");
	model_set(*c, "gpu.cores_per_cluster", "1");
	snprintf(text, sizeof(text), "%s", options);
	for (key = strtok_r(text, " ", &save); key; key = strtok_r(NULL, " ", &save)) {
		char *value = strchr(key, '=');

		*value++ = '\0';
		model_set(*c, key, value);
	}
	return model_sim(*c, t);
}

static void
end(struct sim *s, struct config *c, struct trace *t)
{
	sim_free(s);
	config_free(c);
	trace_close(t);
}

static struct trace *
finish(struct tb *b)
{
	struct err e = {0};
	struct trace *t = tb_finish(b, &e);

	if (!t)
		model_die("corners", &e);
	return t;
}

/* ---------------------------------------------------------------- collectors */

#define WARPS 24

/* Every warp runs a separate dependent chain. */
static struct trace *
chains(void)
{
	struct tb *b = tb_new();
	uint32_t add, ex;

	tb_kernel(b, "chains", 1, WARPS * WARP_SIZE, 16, 0, 70);
	add = tb_inst(b, 0, "FFMA", "R4", "R4 R8 R9");
	ex = tb_inst(b, 0x10, "EXIT", "", "");
	for (unsigned w = 0; w < WARPS; w++) {
		for (unsigned i = 0; i < 200; i++)
			tb_emit(b, 0, w, add, ~0u, ADDR_NONE, 0, 0);
		tb_emit(b, 0, w, ex, ~0u, ADDR_NONE, 0, 0);
	}
	return finish(b);
}

/* Warps that have issued less than a tenth of the fastest ones, in the middle of the kernel. */
static unsigned
slow_warps(const char *machine, const char *options)
{
	struct trace *t = chains();
	struct config *c;
	struct sim *s = begin(machine, options, t, &c);
	struct warp_view v;
	uint32_t done[WARPS], most = 0;
	struct err e = {0};
	unsigned n = 0;

	sim_run(s, 4000, &e);
	for (unsigned w = 0; w < WARPS; w++) {
		sim_warp_view(s, 0, w, &v);
		done[w] = v.done;
		most = MAX(most, v.done);
	}
	for (unsigned w = 0; w < WARPS; w++)
		n += done[w] < most / 10;
	ok(model_run(s), "%s, %s: ends", machine, options);
	end(s, c, t);
	return n;
}

static void
collectors(void)
{
	static const struct {
		const char *machine, *options;
		unsigned slow;
	} row[] = {
		{"kayiran30", "core.simt_width=8", 6},
		{"kayiran30", "core.simt_width=8 core.collectors_sp=2", 2},
		{"kayiran30", "core.simt_width=32", 0},
		{"kay30", "core.ii_sp=4", 6},
	};

	for (unsigned i = 0; i < ARRAY_LEN(row); i++)
		is_u64(slow_warps(row[i].machine, row[i].options), row[i].slow,
		       "%s, %s: so many of %u warps wait in units of the SP set while others pass",
		       row[i].machine, row[i].options, WARPS);
}

/* ---------------------------------------------------------------- reads of one bank */

/* Instructions of three classes with as many registers as possible, until every collector has
 * one. */
static void
one_bank(void)
{
	static const char *const op[] = {"FFMA", "MUFU.RCP", "LDG.E"};
	enum { EACH = 40 };
	struct tb *b = tb_new();
	struct trace *t;
	struct config *c;
	struct sim *s;
	uint32_t inst[3], ex;
	cycle_t cycles;

	tb_kernel(b, "one_bank", 1, WARPS * WARP_SIZE, 32, 0, 70);
	for (unsigned k = 0; k < 3; k++)
		inst[k] = tb_inst(b, 16 * k, op[k], "", "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12");
	ex = tb_inst(b, 0x30, "EXIT", "", "");
	for (unsigned w = 0; w < WARPS; w++) {
		for (unsigned i = 0; i < EACH; i++)
			tb_emit(b, 0, w, inst[w % 3], ~0u, w % 3 == 2 ? ADDR_STRIDE : ADDR_NONE,
				w % 3 == 2 ? GLOBAL : 0, 4);
		tb_emit(b, 0, w, ex, ~0u, ADDR_NONE, 0, 0);
	}
	t = finish(b);
	s = begin("kayiran30",
		  "core.reg_banks=1 core.collectors_sp=8 core.collectors_sfu=8 "
		  "core.collectors_mem=8 core.collectors_gen=8 core.simt_width=32",
		  t, &c);
	cycles = model_run(s);
	is_u64((uint64_t)model_value(s, "gpu.warp_insts"), WARPS * (EACH + 1), "all are issued");
	ok(cycles > WARPS * EACH * 12, "a bank is read once a cycle: %" PRIu64 " of %u", cycles,
	   WARPS * EACH * 12);
	end(s, c, t);
}

/* ---------------------------------------------------------------- a barrier without waiting */

/* Warp 0 arrives with `op` and continues; warps 1 to 3 wait for it. Warp `late` first issues 50
 * other instructions. */
static struct trace *
producer(const char *op, unsigned late)
{
	struct tb *b = tb_new();
	uint32_t make, arrive, sync, after, ex;

	tb_kernel(b, "producer", 1, 4 * WARP_SIZE, 16, 0, 70);
	make = tb_inst(b, 0, "FFMA", "R4", "R4 R8 R9");
	arrive = tb_inst(b, 0x10, op, "", "");
	sync = tb_inst(b, 0x20, "BAR.SYNC", "", "");
	after = tb_inst(b, 0x30, "FFMA", "R5", "R5 R8 R9");
	ex = tb_inst(b, 0x40, "EXIT", "", "");
	for (unsigned w = 0; w < 4; w++) {
		for (unsigned i = 0; i < 50 && w == late; i++)
			tb_emit(b, 0, w, make, ~0u, ADDR_NONE, 0, 0);
		tb_emit(b, 0, w, w ? sync : arrive, ~0u, ADDR_NONE, 0, 0);
		for (unsigned i = 0; i < (w ? 10 : 200); i++)
			tb_emit(b, 0, w, after, ~0u, ADDR_NONE, 0, 0);
		if (w) /* the others meet once more; warp 0 has exited or arrives through that */
			tb_emit(b, 0, w, sync, ~0u, ADDR_NONE, 0, 0);
		tb_emit(b, 0, w, ex, ~0u, ADDR_NONE, 0, 0);
	}
	return finish(b);
}

struct met {
	cycle_t passed; /* warp 1 has continued after its first barrier */
	unsigned ahead; /* instructions that warp 0 had issued by then */
	cycle_t cycles;
};

static struct met
meet(const char *op, unsigned late, const char *options)
{
	struct trace *t = producer(op, late);
	struct config *c;
	struct sim *s = begin("kayiran30", options, t, &c);
	struct warp_view v = {0};
	struct met m = {0};
	struct err e = {0};

	while (v.done < 2 && sim_run(s, sim_cycle(s) + 1, &e) == SIM_REACHED)
		sim_warp_view(s, 0, 1, &v);
	m.passed = sim_cycle(s);
	sim_warp_view(s, 0, 0, &v);
	m.ahead = v.done;
	m.cycles = model_run(s);
	end(s, c, t);
	return m;
}

static void
arrive(void)
{
	struct met sync = meet("BAR.SYNC", 0, ""), arv = meet("BAR.ARV", 0, ""),
		   ref = meet("BAR.ARV", 0, "core.arrive_waits=on"), nop = meet("NOP", 0, "");

	ok(arv.cycles && sync.cycles && nop.cycles, "all three end");
	is_u64(arv.passed, sync.passed, "those that wait go on when it has arrived");
	ok(nop.passed > arv.passed + 500, "without it they would wait for its end: %" PRIu64,
	   nop.passed);
	is_u64(ref.passed, sync.passed, "core.arrive_waits: any other barrier");
	sync = meet("BAR.SYNC", 3, "");
	arv = meet("BAR.ARV", 3, "");
	ref = meet("BAR.ARV", 3, "core.arrive_waits=on");
	ok(MAX(arv.passed, sync.passed) - MIN(arv.passed, sync.passed) <= 2,
	   "they wait for another warp as long: %" PRIu64 ", %" PRIu64, arv.passed, sync.passed);
	ok(sync.ahead <= 2 && arv.ahead > 20, "it has gone on: %u records, %u when it waits",
	   arv.ahead, sync.ahead);
	ok(ref.ahead == sync.ahead && ref.cycles == sync.cycles,
	   "core.arrive_waits: any other barrier");
}

/* ---------------------------------------------------------------- no lane */

/* A record with all lanes or none, and one that waits for its result. */
static struct trace *
guarded(const char *op, const char *dst, const char *src, uint64_t base, bool lanes)
{
	struct tb *b = tb_new();
	uint32_t inst, user, ex, mask = lanes ? ~0u : 0;

	tb_kernel(b, "guarded", 1, WARP_SIZE, 16, 0, 70);
	inst = tb_inst(b, 0, op, dst, src);
	user = tb_inst(b, 0x10, "FFMA", "R5", "R4 R8 R9");
	ex = tb_inst(b, 0x20, "EXIT", "", "");
	tb_emit(b, 0, 0, inst, mask, base ? ADDR_STRIDE : ADDR_NONE, base, 4);
	tb_emit(b, 0, 0, user, ~0u, ADDR_NONE, 0, 0);
	tb_emit(b, 0, 0, ex, ~0u, ADDR_NONE, 0, 0);
	return finish(b);
}

static void
no_lane(const char *machine)
{
	static const struct {
		const char *op, *dst, *src;
		uint64_t base;
		bool same; /* it takes as long as with lanes */
	} row[] = {
		{"FFMA", "R4", "R1 R2 R3", 0, true},
		{"BRA", "", "", 0, true},
		{"EXIT", "", "", 0, true},
		{"BAR.SYNC", "", "", 0, true},
		{"MUFU.RCP", "R4", "R1", 0, true},
		{"LDS", "R4", "R2", SHARED, true},
		{"LDG.E", "R4", "R2", GLOBAL, false},
		{"STG.E", "", "R2 R4", GLOBAL, false},
		{"ATOMG.ADD", "R4", "R2 R3", GLOBAL, false},
		{"LDG.E.STRONG.GPU", "R4", "R2", GLOBAL, false},
	};

	for (unsigned i = 0; i < ARRAY_LEN(row); i++) {
		cycle_t cycles[2];
		double insts[2], requests[2];

		for (unsigned lanes = 0; lanes < 2; lanes++) {
			struct trace *t =
				guarded(row[i].op, row[i].dst, row[i].src, row[i].base, lanes);
			struct config *c;
			struct sim *s = begin(machine, "", t, &c);

			cycles[lanes] = model_run(s);
			insts[lanes] = model_value(s, "gpu.thread_insts");
			requests[lanes] = model_value(s, "l1.accesses");
			is_u64((uint64_t)model_value(s, "gpu.warp_insts"), 3,
			       "%s, %s: it is issued, with lanes or without", machine, row[i].op);
			end(s, c, t);
		}
		ok(insts[0] == 64 && insts[1] == 96, "%s, %s: no lane counts", machine, row[i].op);
		ok(requests[0] == 0, "%s, %s: nothing is accessed", machine, row[i].op);
		ok(row[i].same ? cycles[0] == cycles[1] : cycles[0] < cycles[1],
		   "%s, %s: %s: %" PRIu64 ", %" PRIu64, machine, row[i].op,
		   row[i].same ? "the same cycles" : "nothing to wait for", cycles[0], cycles[1]);
	}
}

int
main(void)
{
	collectors();
	one_bank();
	arrive();
	no_lane("gtx480");
	no_lane("kay30");
	return done();
}
