/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * l1_owner.c - whose the lines of L1 are, and core.N.l1_evicted_by_others.
 *
 * Every CTA of the workload has addresses of its own, so the address of a line names its CTA. The
 * test compares the lines of each cycle with those of the cycle before, and counts by addresses
 * alone. The digest of the machine must not depend on the owners.
 */
#include "sim/sim_priv.h"
#include "tests/sim/model.h"
#include "tests/tap.h"

#define CTAS 96
#define CTA_SHIFT 20
#define LINES 60 /* of each CTA: several CTAs together overflow L1 */
#define MOST_CORES 4
#define MOST_LINES 1024

static struct trace *
disjoint_ctas(void)
{
	struct tb *b = tb_new();
	struct err e = {0};
	struct trace *t;
	uint32_t ld, st, ex;

	tb_kernel(b, "disjoint", CTAS, 64, 16, 0, 70);
	ld = tb_inst(b, 0x00, "LDG.E", "R4", "R2");
	st = tb_inst(b, 0x10, "STG.E", "", "R2 R4");
	ex = tb_inst(b, 0x20, "EXIT", "", "");
	for (uint32_t cta = 0; cta < CTAS; cta++)
		for (uint32_t warp = 0; warp < 2; warp++) {
			for (uint32_t i = 0; i < 3 * LINES; i++)
				tb_emit(b, cta, warp, i % 11 == 10 ? st : ld, ~0u, ADDR_STRIDE,
					((uint64_t)(cta + 1) << CTA_SHIFT) + i * 7 % LINES * 128, 4);
			tb_emit(b, cta, warp, ex, ~0u, ADDR_NONE, 0, 0);
		}
	t = tb_finish(b, &e);
	if (!t)
		model_die("disjoint", &e);
	return t;
}

struct watcher {
	struct sim *s;
	unsigned n_cores;
	uint64_t addr[MOST_CORES][MOST_LINES]; /* 0: free */
	uint64_t evicted[MOST_CORES], replaced;
	uint64_t wrong_slot, wrong_resident;
	bool was_resident[MOST_CORES][CTAS]; /* when the cycle began */
};

/* Is the slot in the line that of the CTA whose address it has? */
static void
check_owner(struct watcher *w, const struct core_view *v, const struct l1_line_view *l)
{
	uint32_t cta = (uint32_t)(l->addr >> CTA_SHIFT) - 1;
	bool is_there = l->slot < v->n_slots && v->slot[l->slot].used && v->slot[l->slot].cta == cta;
	bool is_somewhere = false;

	for (unsigned i = 0; i < v->n_slots; i++)
		is_somewhere |= v->slot[i].used && v->slot[i].cta == cta;
	w->wrong_slot += is_somewhere && !is_there;
	w->wrong_resident += l->resident != is_somewhere;
}

static void
watch_core(struct watcher *w, unsigned core)
{
	struct core_view v;
	struct l1_view l1;
	struct l1_line_view l;
	unsigned n = 0;

	sim_core_view(w->s, core, &v);
	sim_l1_view(w->s, core, &l1);
	for (unsigned set = 0; set < l1.sets; set++)
		for (unsigned way = 0; way < l1.ways; way++, n++) {
			uint64_t *before = &w->addr[core][n];

			sim_l1_line(w->s, core, set, way, &l);
			if (l.used)
				check_owner(w, &v, &l);
			if (l.used && *before && *before != l.addr) {
				w->replaced++;
				w->evicted[core] +=
					*before >> CTA_SHIFT != l.addr >> CTA_SHIFT &&
					w->was_resident[core][(*before >> CTA_SHIFT) - 1];
			}
			*before = l.used ? l.addr : 0;
		}
	memset(w->was_resident[core], 0, sizeof(w->was_resident[core]));
	for (unsigned i = 0; i < v.n_slots; i++)
		if (v.slot[i].used)
			w->was_resident[core][v.slot[i].cta] = true;
}

static bool
watch_cycle(void *ctx)
{
	struct watcher *w = ctx;

	for (unsigned i = 0; i < w->n_cores; i++)
		watch_core(w, i);
	return false;
}

static void
compare_counts(struct watcher *w, const char *what, uint64_t at_least)
{
	uint64_t counted = 0, seen = 0, wrong = 0;

	for (unsigned i = 0; i < w->n_cores; i++) {
		char path[64];
		uint64_t n;

		snprintf(path, sizeof(path), "core.%u.l1_evicted_by_others", i);
		n = (uint64_t)model_value(w->s, path);
		counted += n;
		seen += w->evicted[i];
		wrong += n != w->evicted[i];
	}
	is_u64(counted, seen, "%s: as many evictions by others as the addresses show", what);
	is_u64(wrong, 0, "%s: on every core", what);
	ok(seen >= at_least && w->replaced > seen, "%s: %llu, and CTAs replace their own lines, too", what,
	   (unsigned long long)seen);
	is_u64(w->wrong_slot, 0, "%s: every line has the slot of its CTA", what);
	is_u64(w->wrong_resident, 0, "%s: and it is known whether the CTA has ended", what);
}

/* The owners and their count are restored, but not hashed. */
static void
travel(struct sim *s, const char *what)
{
	struct err e = {0};
	uint64_t digest, count;
	struct snapshot *k;
	struct line_owners *o = s->core[0].ldst.tags[L1_DATA].owners;

	if (sim_run(s, 3000, &e) != SIM_REACHED || !(k = sim_save(s, &e)))
		model_die("sim_save", &e);
	digest = sim_digest(s);
	count = o->evicted_by_others;
	o->evicted_by_others += 7;
	o->of[0]++;
	ok(sim_digest(s) == digest, "%s: owners are no part of the digest", what);
	sim_run(s, 6000, &e);
	if (sim_restore(s, k, &e) < 0)
		model_die("sim_restore", &e);
	is_u64(o->evicted_by_others, count, "%s: a restore brings the count back", what);
	snapshot_free(k);
}

static void
test_machine(const char *machine, const char *policy, uint64_t at_least)
{
	struct trace *t = disjoint_ctas();
	struct config *c = model_config(machine, policy);
	static struct watcher w;
	struct sim *s;
	char what[80];

	model_set(c, "gpu.clusters", "2"); /* each core has more CTAs than fit at once */
	s = model_sim(c, t);

	snprintf(what, sizeof(what), "%s, %s", machine, policy);
	w = (struct watcher){.s = s, .n_cores = sim_instances(s, "core")};
	sim_each_cycle(s, watch_cycle, &w);
	model_run(s);
	compare_counts(&w, what, at_least);
	sim_free(s);
	s = model_sim(c, t);
	travel(s, what);
	sim_free(s);
	config_free(c);
	trace_close(t);
}

/* One CTA at a time replaces its own lines, and those of CTAs that have ended. */
static void
test_one_cta(void)
{
	struct trace *t = disjoint_ctas();
	struct config *c = model_config("gtx480", "static:n=1");
	struct sim *s;

	model_set(c, "gpu.clusters", "2");
	s = model_sim(c, t);
	model_run(s);
	ok(model_value(s, "core.0.l1_misses") > 1000, "one CTA at a time misses");
	is_u64((uint64_t)model_value(s, "core.0.l1_evicted_by_others"), 0,
	       "but evicts no lines of others");
	sim_free(s);
	config_free(c);
	trace_close(t);
}

int
main(void)
{
	test_machine("gtx480", "rr", 1000);
	test_machine("gtx480", "dyncta", 1);
	test_machine("qv100", "rr", 1000);
	test_one_cta();
	return done();
}
