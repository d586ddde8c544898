/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hold.c - sim_warp_hold() finds every instruction that a warp waits for, and tells the truth about
 * it: it writes the register; a result in a pipe arrives in the cycle that was told, and not
 * before; one that waits in a collector of its own class waits on, while the core issues others.
 */
#include "tests/sim/model.h"
#include "tests/tap.h"

#define SAMPLES 60
#define LOADS "mixed-120x256"
#define PLACES (HOLD_IN_PIPE + 1)

struct found {
	unsigned waits, lost, wrong; /* lost: not found. wrong: it does not write the register */
	unsigned at[PLACES];	     /* by place */
	unsigned arrivals, late;     /* results in a pipe that were followed */
	uint32_t most;		     /* instructions issued after one in a collector */
	uint32_t most_last;	     /* and of those collectors that come last */
};

static bool
writes(const struct inst *d, unsigned reg)
{
	for (unsigned i = 0; i < d->n_dst; i++)
		if (d->dst[i] == reg)
			return true;
	return false;
}

/* Follows a result in a pipe, one cycle at a time. */
static void
follow(struct sim *s, unsigned core, unsigned warp, const struct warp_view *v, uint32_t cycles,
       struct found *f)
{
	struct err e = {0};

	f->arrivals++;
	for (uint32_t i = 1; i <= cycles; i++) {
		struct warp_view now;
		bool waits;

		sim_run(s, sim_cycle(s) + 1, &e);
		sim_warp_view(s, core, warp, &now);
		waits = now.status == WARP_DEPENDENCE && now.wait_reg == v->wait_reg &&
			now.done == v->done;
		if (waits != (i < cycles)) {
			f->late++;
			return;
		}
	}
}

static void
look_at_warps(struct sim *s, struct found *f)
{
	for (unsigned core = 0; core < sim_instances(s, "core"); core++)
		for (unsigned w = 0; w < sim_warps(s); w++) {
			struct warp_view v;
			struct warp_hold h;

			sim_warp_view(s, core, w, &v);
			if (v.status != WARP_DEPENDENCE)
				continue;
			sim_warp_hold(s, core, w, &h);
			f->waits++;
			f->at[h.place]++;
			f->lost += h.place == HOLD_NOWHERE;
			f->wrong += h.inst && !writes(h.inst, v.wait_reg);
			if (h.place == HOLD_COLLECTED && h.comes_last)
				f->most_last = h.younger > f->most_last ? h.younger : f->most_last;
			else if (h.place == HOLD_COLLECTED)
				f->most = h.younger > f->most ? h.younger : f->most;
			if (h.place == HOLD_IN_PIPE && f->arrivals < 20 && !v.paused) {
				follow(s, core, w, &v, h.cycles, f);
				return;
			}
		}
}

static struct found
run(const char *machine, const char *trace, const char *lanes)
{
	struct config *c = model_config(machine, "rr");
	struct trace *t = model_reference(trace);
	struct found f = {0};
	struct err e = {0};
	struct sim *s;

	if (lanes)
		model_set(c, "core.simt_width", lanes);
	model_set(c, "gpu.launch_latency", "0");
	s = model_sim(c, t);
	for (unsigned i = 0; i < SAMPLES && !sim_done(s); i++) {
		sim_run(s, sim_cycle(s) + 53, &e);
		look_at_warps(s, &f);
	}
	ok(f.waits > 20, "%s, %s: %u waits for a result", machine, trace, f.waits);
	if (strcmp(trace, LOADS) != 0) /* a load from shared memory is in the load/store unit */
		is_u64(f.lost, 0, "%s, %s: no instruction is lost", machine, trace);
	is_u64(f.wrong, 0, "%s, %s: each writes the register", machine, trace);
	ok(f.arrivals > 3, "%s, %s: %u results followed", machine, trace, f.arrivals);
	is_u64(f.late, 0, "%s, %s: which arrive when it was told", machine, trace);
	sim_free(s);
	trace_close(t);
	config_free(c);
	return f;
}

int
main(void)
{
	static const char *const machine[] = {"kayiran30", "gtx480", "kay30", "qv100", "rtx3070"};
	static const char *const trace[] = {"alu1-120x256", "sfu-120x256", LOADS};
	unsigned at[PLACES] = {0};
	struct found narrow, wide;

	for (unsigned m = 0; m < 5; m++)
		for (unsigned i = 0; i < 3; i++) {
			struct found f = run(machine[m], trace[i], NULL);

			for (unsigned p = 0; p < PLACES; p++)
				at[p] += f.at[p];
		}
	for (unsigned p = HOLD_ISSUED; p < PLACES; p++)
		ok(at[p], "place %u: %u", p, at[p]);
	ok(run("qv100", "alu4-120x256", NULL).most_last > 100,
	   "sub-cores, second collector: many instructions went before one");
	narrow = run("kay30", "alu1-120x256", "8");
	wide = run("kay30", "alu1-120x256", "32");
	ok(narrow.most_last > 150, "8 lanes: %u instructions went before one", narrow.most_last);
	ok(wide.most_last < 20, "32 lanes: %u", wide.most_last);
	ok(narrow.most < 50, "8 lanes, general collectors: %u", narrow.most);
	return done();
}
