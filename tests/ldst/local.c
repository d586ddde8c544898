/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * local.c - local memory (ctascope-model(7) 7.10): where its words lie, and what that costs.
 *
 * The layout by hand and, at random, against the formula of the rule, lane by lane; then small
 * kernels through the whole machine, which show that a launch sets it up and the option leaves it
 * out.
 */
#include "ldst/ldst_part.h"
#include "sim/sim_priv.h"
#include "tests/sim/model.h"
#include "tests/tap.h"

#define AT 0x7f1000000060u /* of the trace: what a thread calls its own */

static uint32_t seed = 88172645;

static uint32_t
rnd(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % n;
}

/* ---------------------------------------------------------------- where words lie */

/* Core 2 of 4, CTAs of 64 threads, 3 of them on a core: a word of all threads is 3072 bytes. */
static const struct local_map four_cores = {.step = 4 * 64 * 3 * 4,
					    .cta_threads = 64,
					    .core = 2,
					    .n_cores = 4};

static struct access acc[LDST_MAX_ACCESSES]; /* of the last pattern */

/* "+line:sectors ...": lines as a distance from the first word of the trace's address. */
static const char *
pattern(unsigned width, unsigned warp, uint64_t base, int64_t stride, uint32_t mask, uint32_t line)
{
	static char text[512];
	struct dinst d = {.cls = OP_STORE, .space = SPACE_LOCAL, .width = (uint8_t)width};
	uint64_t addr[2] = {base, (uint64_t)stride};
	struct cta_trace c = {.addr = addr};
	struct winst r = {.mask = mask, .mode = ADDR_STRIDE};
	unsigned n = coalesce_local(&d, &c, &r, &four_cores, warp, line, acc);
	size_t at = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < n && i < 6; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s+%" PRIu64 ":%x",
				       i ? " " : "",
				       acc[i].line - (AT / 4 * four_cores.step + 0x1f880000),
				       acc[i].sectors);
	return text;
}

static void
by_hand(void)
{
	is_str(pattern(4, 0, AT, 0, ~0u, 128), "+512:f",
	       "a warp's word: one line, behind those of two cores");
	is_str(pattern(4, 1, AT, 0, ~0u, 128), "+640:f", "the next warp of the CTA: the next line");
	is_str(pattern(4, 2, AT, 0, ~0u, 128), "+1536:f",
	       "the next CTA: behind those of all cores");
	is_str(pattern(4, 0, AT + 4, 0, ~0u, 128), "+3584:f",
	       "the next word: behind those of all threads there can be");
	is_str(pattern(8, 0, AT, 0, ~0u, 128), "+512:f +3584:f", "8 bytes are two words");
	is_str(pattern(16, 0, AT, 0, ~0u, 128), "+512:f +3584:f +6656:f +9728:f", "16 four");
	is_str(pattern(1, 0, AT + 1, 0, ~0u, 128), "+512:1 +512:2 +512:4 +512:8",
	       "bytes: segments of 32");
	is_u64(acc[0].bytes[0], 0x22222222, "a byte lies in the word of its thread");
	is_str(pattern(4, 0, AT, 0, ~0u, 64), "+512:3 +576:3", "lines of 64 bytes: two");
	is_str(pattern(4, 0, AT, 0, 0xff00, 128), "+512:2", "lanes 8 to 15: their sector");
	is_str(pattern(4, 0, AT, 4, 7, 128), "+512:1 +3584:1 +6656:1",
	       "threads at words of their own: one access each");
	is_str(pattern(4, 0, AT, 0, 0, 128), "", "no lanes, no access");
}

/* The formula, byte by byte, into a set of segments; returns how many there are. */
static unsigned
slowly(const struct local_map *m, unsigned warp, const uint64_t lane[32], uint32_t mask,
       unsigned width, uint32_t line, uint64_t seg[128])
{
	uint32_t size = MIN(line, width == 1 ? 32 : width == 2 ? 64 : 128);
	unsigned n = 0;

	for (unsigned i = 0; i < 32; i++)
		for (unsigned b = 0; mask >> i & 1 && lane[i] && b < width; b++) {
			uint64_t tid = 32 * warp + i, p = m->cta_threads, a = lane[i] + b;
			uint64_t at = a / 4 * m->step +
				      4 * (p * (m->core + m->n_cores * (tid / p)) + tid % p) +
				      a % 4 + 0x1f880000;
			unsigned k = 0;

			while (k < n && seg[k] != at / size * size)
				k++;
			if (k == n)
				seg[n++] = at / size * size;
		}
	return n;
}

static void
at_random(void)
{
	static const unsigned widths[] = {1, 2, 4, 4, 8, 16};
	unsigned wrong = 0, several = 0;

	for (unsigned k = 0; k < 20000; k++) {
		unsigned width = widths[rnd(6)], warp = rnd(32), n, want;
		uint32_t cores = 1 + rnd(120), p = 32 * (1 + rnd(8)), line = rnd(2) ? 128 : 64;
		struct dinst d = {.cls = rnd(2) ? OP_LOAD : OP_STORE,
				  .space = SPACE_LOCAL,
				  .width = (uint8_t)width};
		struct local_map m = {.step = 4ull * p * (1 + rnd(8)) * cores,
				      .cta_threads = p,
				      .core = rnd(cores),
				      .n_cores = cores};
		uint64_t addr[32], lane[32], seg[128];
		struct cta_trace c = {.addr = addr};
		struct winst r = {.mask = rnd(2) ? ~0u : rnd(UINT32_MAX),
				  .mode = rnd(2) ? ADDR_STRIDE : ADDR_LIST};
		bool good = true;

		for (unsigned i = 0; i < 32; i++)
			addr[i] = (AT + 4 * width * rnd(4)) * (rnd(9) > 0);
		if (r.mode == ADDR_STRIDE)
			addr[1] = width * rnd(3);
		n = coalesce_local(&d, &c, &r, &m, warp, line, acc);
		want = slowly(&m, warp, lane, trace_lanes(&c, &r, lane), width, line, seg);
		several += want > 1;
		for (unsigned i = 1; i < n; i++)
			good &= acc[i - 1].line <= acc[i].line;
		for (unsigned i = 0; i < n; i++) {
			unsigned j = 0;

			while (j < want && seg[j] / line * line != acc[i].line)
				j++;
			good &= j < want;
		}
		wrong += n != want || !good;
	}
	is_u64(wrong, 0,
	       "20000 random records (%u of several accesses): where the formula says, in order",
	       several);
}

/* ---------------------------------------------------------------- in the machine */

/* CTAs of 40 threads, each thread of which loads its word. */
static struct trace *
kernel(unsigned n_cta, const char *opcode)
{
	struct tb *b = tb_new();
	struct err e = {0};
	uint32_t ld, ex;
	struct trace *t;

	tb_kernel(b, "local", n_cta, 40, 16, 0, 70);
	ld = tb_inst(b, 0, opcode, "R4", "R2");
	ex = tb_inst(b, 0x10, "EXIT", "", "");
	for (unsigned c = 0; c < n_cta; c++)
		for (unsigned w = 0; w < 2; w++) {
			tb_emit(b, c, w, ld, w ? 0xff : ~0u, ADDR_STRIDE, AT, 0);
			tb_emit(b, c, w, ex, w ? 0xff : ~0u, ADDR_NONE, 0, 0);
		}
	t = tb_finish(b, &e);
	if (!t)
		model_die("local", &e);
	return t;
}

static void
launch(const char *machine)
{
	struct trace *t = kernel(5, "LDL");
	struct config *c = model_config(machine, "rr");
	unsigned cores =
		(unsigned)(model_get(c, "gpu.clusters") * model_get(c, "gpu.cores_per_cluster"));
	struct sim *s = model_sim(c, t);
	unsigned wrong = 0;

	if (sim_run(s, 2, NULL) != SIM_REACHED)
		model_die("launch", NULL);
	for (unsigned i = 0; i < cores; i++) {
		const struct local_map *m = &s->core[i].ldst.local;

		wrong += m->cta_threads != 64 || m->core != i || m->n_cores != cores ||
			 m->step != 4ull * 64 * s->machine->n_max * cores;
	}
	is_u64(wrong, 0, "%s: a launch lays local memory out, for whole warps, N CTAs, all cores",
	       machine);
	is_u64(s->machine->n_max, 1, "%s: N is that of a small grid", machine);
	sim_free(s);
	config_free(c);
	trace_close(t);
}

static double
misses(const char *machine, const char *opcode, const char *on)
{
	struct trace *t = kernel(1, opcode);
	struct config *c = model_config(machine, "rr");
	struct sim *s;
	double n;

	model_set(c, "ldst.local_interleave", on);
	s = model_sim(c, t);
	ok(model_run(s), "%s: %s with ldst.local_interleave %s ends", machine, opcode, on);
	n = model_value(s, "l1.misses") - model_value(s, "l1.pending");
	sim_free(s);
	config_free(c);
	trace_close(t);
	return n;
}

static void
lines(const char *machine, unsigned line)
{
	ok(misses(machine, "LDL", "on") == (line == 128 ? 2 : 3),
	   "%s: 40 threads load 40 words from as many lines as hold these", machine);
	ok(misses(machine, "LDL", "off") == 1, "%s: off, all from the trace's address", machine);
	ok(misses(machine, "LDG", "on") == 1, "%s: as global loads do", machine);
}

/* Kernels with layouts of their own: a run that is put back into the first one goes on with its. */
static void
put_back(void)
{
	struct tb *b = tb_new();
	struct err e = {0};
	struct config *c = model_config("kay30", "rr");
	struct trace *t;
	struct sim *s;
	struct snapshot *k;
	uint64_t end;

	for (unsigned n = 0; n < 2; n++) {
		uint32_t ld, st, ex;

		tb_kernel(b, "arrays", 60, n ? 256 : 32, 16, 0, 70);
		ld = tb_inst(b, 0, "LDL", "R4", "R2");
		st = tb_inst(b, 0x10, "STL", "", "R2 R4");
		ex = tb_inst(b, 0x20, "EXIT", "", "");
		for (unsigned cta = 0; cta < 60; cta++)
			for (unsigned w = 0; w < (n ? 8 : 1); w++) {
				for (unsigned i = 0; i < 20; i++)
					tb_emit(b, cta, w, i % 2 ? st : ld, ~0u, ADDR_STRIDE,
						AT + 4 * i, 0);
				tb_emit(b, cta, w, ex, ~0u, ADDR_NONE, 0, 0);
			}
	}
	t = tb_finish(b, &e);
	if (!t)
		model_die("arrays", &e);
	s = model_sim(c, t);
	sim_run(s, 1000, NULL);
	k = sim_save(s, &e);
	end = model_run(s);
	ok(end > 2000, "two kernels run");
	is_u64(s->core[0].ldst.local.cta_threads, 256, "the second has its layout");
	ok(k && sim_restore(s, k, &e) == 0, "the run is put back into the first");
	is_u64(s->core[0].ldst.local.cta_threads, 32, "which has its own again");
	is_u64(model_run(s), end, "and ends as before");
	snapshot_free(k);
	sim_free(s);
	config_free(c);
	trace_close(t);
}

int
main(void)
{
	by_hand();
	at_random();
	for (unsigned m = 0; m < N_MODEL_MACHINES; m++)
		launch(model_machines[m]);
	lines("kay30", 128);
	lines("kayiran30", 64);
	put_back();
	return done();
}
