/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference.c - total cycles and counts against the reference simulator.
 *
 * Every row of tests/reference/reference.csv must agree to the cycle, so that curves over the CTA
 * limit have the same shape: generated kernels (NAME-CTASxTHREADS), applications of this project
 * shortened to their first CTAs and kernels (app-NAME), kernels of one kind of instruction
 * (syn-NAME) or one rule (iso-NAME, rule-NAME), random mixes of instructions (fuzz-N), and captures
 * by others (real-NAME). The captures and the largest traces are outside the project; without them
 * their rows are skipped.
 */
#include "tests/captures.h"
#include "tests/tap.h"
#include "tests/sim/model.h"

/* Compares accesses and misses; DRAM commands only on kay30, where the reference counts them as we
 * do, if they are known. */
static bool
same_counts(const struct sim *s, const struct model_row *r)
{
	const struct {
		const char *path;
		uint64_t want;
	} count[] = {
		{"gpu.thread_insts", r->thread_insts}, {"l1.accesses", r->l1_accesses},
		{"l1.misses", r->l1_misses},	       {"l1.fails", r->l1_fails},
		{"l2.accesses", r->l2_accesses},       {"l2.misses", r->l2_misses},
		{"dram.reads", r->dram_reads},	       {"dram.writes", r->dram_writes},
	};
	unsigned n = strcmp(r->machine, "kay30") ? 6 : 8;
	bool same = true;

	for (unsigned i = 0; i < n; i++) {
		double got = model_value(s, count[i].path);

		if (got == (double)count[i].want || count[i].want == UINT64_MAX)
			continue;
		diag("%s: %.0f, reference %" PRIu64, count[i].path, got, count[i].want);
		same = false;
	}
	return same;
}

/* Returns NULL if the project does not have the trace, and it is not here either. */
static struct trace *
open_row(const struct model_row *r)
{
	char path[8192], folder[4096];

	if (model_reference_path(r->trace, path, sizeof(path)))
		return model_open(path);
	snprintf(path, sizeof(path), "%s/%s/kernelslist.g", captures_folder(folder, sizeof(folder)),
		 r->trace);
	return access(path, R_OK) ? NULL : model_open(path);
}

static void
compare(const struct model_row *r)
{
	struct trace *t = open_row(r);
	struct config *c;
	struct sim *s;

	if (!t) {
		ok(true, "%s on %s # SKIP the trace is not here", r->trace, r->machine);
		return;
	}
	c = model_row_config(r);
	s = model_sim(c, t);
	is_u64(model_run(s), r->cycles, "%s on %s, limit %u: cycles", r->trace, r->machine,
	       r->limit);
	ok(same_counts(s, r), "%s on %s, limit %u: accesses, misses, retries, DRAM commands",
	   r->trace, r->machine, r->limit);
	sim_free(s);
	config_free(c);
	trace_close(t);
}

/* Finds the rows whose cycles differ without a rule of the reference, among those named, since the
 * rule has no effect on most traces. A row is TRACE, or TRACE/MACHINE if both machines have it. */
static void
without(const char *option, const char *rows, const struct model_row *row, unsigned n)
{
	char differ[256] = "", name[128];

	for (unsigned i = 0; i < n; i++) {
		struct trace *t;
		struct config *c;
		struct sim *s;

		snprintf(name, sizeof(name), "%.63s/%.31s", row[i].trace, row[i].machine);
		if (!strstr(rows, name) || row[i].limit || !(t = open_row(&row[i])))
			continue;
		c = model_row_config(&row[i]);
		model_set(c, option, "off");
		s = model_sim(c, t);
		if (model_run(s) != row[i].cycles)
			snprintf(differ + strlen(differ), sizeof(differ) - strlen(differ), "%s ",
				 name);
		sim_free(s);
		config_free(c);
		trace_close(t);
	}
	is_str(differ, rows, "rows that are not exact without %s", option);
}

static void
on_every_machine(const char *name)
{
	for (unsigned i = 0; i < N_MODEL_MACHINES; i++) {
		struct trace *t = model_reference(name);
		struct config *c = model_config(model_machines[i], "rr");
		struct sim *s = model_sim(c, t);

		ok(model_run(s), "%s on %s runs to its end", name, model_machines[i]);
		sim_free(s);
		config_free(c);
		trace_close(t);
	}
}

int
main(void)
{
	static struct model_row row[256];
	unsigned n = model_rows(row, 256);

	is_u64(n, 158, "rows of reference counts");
	for (unsigned i = 0; i < n; i++)
		if (!model_fast() || (row[i].cycles <= 15000 && !row[i].limit))
			compare(&row[i]);
	without("mem.masks_add_up", "syn-stores/kay30 fuzz-21/gtx480 iso-stgone/kay30 ", row, n);
	without("ldst.flush_used", "fuzz-19/kay30 fuzz-19/gtx480 iso-mem/kay30 ", row, n);
	without("ldst.wrbk_written_bytes", "syn-local/gtx480 ", row, n);
	without("ldst.banks_in_turn", "fuzz-11/kay30 fuzz-19/gtx480 fuzz-55/gtx480 ", row, n);
	if (!model_fast()) {
		without("ldst.local_interleave", "app-lib/kay30 app-wp/kay30 ", row, n);
		without("ldst.wrbk_with_load", "app-wp/kay30 syn-local/gtx480 ", row, n);
		without("mem.upper_half_next",
			"app-km/kay30 app-lud/kay30 app-sad/kay30 app-sd2/kay30 ", row, n);
	}
	/* mem.memcpy_cleans: tests/mem/l2.c */
	on_every_machine("syn-ampere");
	return done();
}
