/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * micro.c - cycle-exact kernels of a few instructions (ctascope-model(7) 13.1), compared with the
 * reference.
 *
 * One CTA runs; every warp executes `n` records of one instruction, then EXIT. A case is a row:
 * what is executed, how often, by how many warps, and the total cycles on both reference machines.
 */
#include "tests/tap.h"
#include "tests/sim/model.h"

#define GLOBAL UINT64_C(0x7fff00000000)
#define SHARED UINT64_C(0x7f0000000080)

struct body {
	const char *name;
	const char *op, *dst, *src; /* dst: a format of one number, or fixed */
	unsigned n;		    /* records */
	unsigned dst_from, dst_mod; /* register of record i: from + i % mod; 0: as written */
	unsigned pcs; /* program counters the records cycle through; 0: straight line */
	unsigned first_pc;
	uint64_t base, per_warp; /* address; 0: no memory */
	int64_t stride;		 /* between lanes */
	uint64_t step;		 /* between records */
	unsigned exit_pc;
};

/* clang-format off */
static const struct body exit_only = {.name = "EXIT only"};
static const struct body chain12 = {.name = "12 dependent FFMA", .op = "FFMA", .dst = "R4", .src = "R4 R8 R9",
				    .n = 12, .pcs = 4, .exit_pc = 0x40};
static const struct body chain36 = {.name = "36 dependent FFMA", .op = "FFMA", .dst = "R4", .src = "R4 R8 R9",
				    .n = 36, .pcs = 4, .exit_pc = 0x40};
static const struct body independent = {.name = "120 independent FFMA", .op = "FFMA", .src = "R1 R2 R3", .n = 120,
				 .dst_from = 4, .dst_mod = 20, .pcs = 4, .exit_pc = 0x40};
static const struct body mufu = {.name = "48 MUFU", .op = "MUFU.RCP", .src = "R2", .n = 48, .dst_from = 4,
				 .dst_mod = 20, .pcs = 1, .exit_pc = 0x10};
static const struct body bar = {.name = "24 barriers", .op = "BAR.SYNC", .dst = "", .src = "", .n = 24, .pcs = 1,
				.exit_pc = 0x10};
static const struct body lds = {.name = "48 LDS", .op = "LDS", .src = "R2", .n = 48, .dst_from = 4, .dst_mod = 16,
				.pcs = 1, .base = SHARED, .stride = 4, .exit_pc = 0x10};
static const struct body straight = {.name = "64 straight-line FFMA", .op = "FFMA", .dst = "R4", .src = "R4 R8 R9",
				     .n = 64, .exit_pc = 0x400};
static const struct body store = {.name = "one 128-byte store", .op = "STG.E", .dst = "", .src = "R2 R4", .n = 1,
				  .pcs = 1, .base = GLOBAL, .stride = 4, .exit_pc = 0x10};
static const struct body lines = {.name = "48 loads of a line per warp", .op = "LDG.E", .src = "R2", .n = 48,
				  .dst_from = 4, .dst_mod = 16, .pcs = 1, .base = GLOBAL, .per_warp = 128,
				  .stride = 4, .exit_pc = 0x10};
static const struct body chase = {.name = "12 dependent row misses", .op = "LDG.E", .dst = "R2", .src = "R2", .n = 12,
				  .pcs = 1, .first_pc = 0x10, .base = GLOBAL, .step = 3 << 20, .exit_pc = 0x20};
/* clang-format on */

static const struct {
	const struct body *b;
	unsigned warps;
	uint64_t gtx480, kay30; /* cycles of the reference; 0: not known */
} cases[] = {
	{&exit_only, 1, 265, 307},
	{&chain12, 1, 379, 421},
	{&chain36, 1, 619, 661},
	{&independent, 1, 448, 490},
	{&independent, 2, 520, 568},
	{&independent, 4, 693, 796},
	{&independent, 8, 1048, 1279},
	{&independent, 16, 1498, 2247},
	{&independent, 32, 2663, 4183},
	{&independent, 48, 3805, 0},
	{&mufu, 1, 679, 721},
	{&mufu, 2, 1045, 1087},
	{&mufu, 4, 1813, 1857},
	{&mufu, 8, 3351, 3391},
	{&mufu, 16, 6423, 6463},
	{&mufu, 32, 12567, 12607},
	{&bar, 8, 381, 506},
	{&lds, 16, 1064, 1101},
	{&straight, 1, 2851, 3174},
	{&store, 1, 429, 478},
	{&lines, 8, 1652, 1042},
	{&lines, 16, 2284, 1418},
	{&chase, 1, 3939, 4572},
};

static struct trace *
make(const struct body *b, unsigned warps)
{
	struct tb *t = tb_new();
	uint32_t inst[128], ex;
	unsigned kinds = b->n;
	struct err e = {0};
	struct trace *out;

	tb_kernel(t, "micro", 1, warps * WARP_SIZE, 16, 0, 70);
	for (unsigned i = 0; i < kinds; i++) {
		char dst[16];
		unsigned pc = b->first_pc + 16 * (b->pcs ? i % b->pcs : i);

		snprintf(dst, sizeof(dst), "R%u", b->dst_from + (b->dst_mod ? i % b->dst_mod : 0));
		inst[i] = tb_inst(t, pc, b->op, b->dst ? b->dst : dst, b->src);
	}
	ex = tb_inst(t, b->exit_pc, "EXIT", "", "");
	for (unsigned w = 0; w < warps; w++) {
		for (unsigned i = 0; i < b->n; i++)
			tb_emit(t, 0, w, inst[i], ~0u, b->base ? ADDR_STRIDE : ADDR_NONE,
				b->base + w * b->per_warp + i * b->step, b->stride);
		tb_emit(t, 0, w, ex, ~0u, ADDR_NONE, 0, 0);
	}
	out = tb_finish(t, &e);
	if (!out)
		model_die(b->name, &e);
	return out;
}

int
main(void)
{
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct trace *t = make(cases[i].b, cases[i].warps);

		for (unsigned m = 0; m < 2; m++) {
			uint64_t want = m ? cases[i].kay30 : cases[i].gtx480;
			struct config *c;
			struct sim *s;

			if (!want)
				continue;
			c = model_config(model_machines[m], "rr");
			s = model_sim(c, t);
			is_u64(model_run(s), want, "%s x %u warps on %s: %" PRIu64 " cycles",
			       cases[i].b->name, cases[i].warps, model_machines[m], want);
			sim_free(s);
			config_free(c);
		}
		trace_close(t);
	}
	return done();
}
