/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference.c - total cycles and counts against the reference simulator.
 *
 * Every row of tests/reference/reference.csv agrees to the cycle, so its curves over the CTA limit
 * have the shape they have there: generated kernels (NAME-CTASxTHREADS), applications of this
 * project cut to their first CTAs and kernels (app-NAME), and captures of others (real-NAME), which
 * are looked for outside the project and skipped where they are not.
 */
#include "tests/captures.h"
#include "tests/tap.h"
#include "tests/sim/model.h"

/* Accesses and misses; DRAM commands only on kay30, where the reference counts them as we do, and
 * where they are known. */
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

/* NULL: it is a capture that is not here. */
static struct trace *
open_row(const struct model_row *r)
{
	char path[8192], folder[4096];

	if (model_reference_path(r->trace, path, sizeof(path)))
		return model_open(path);
	snprintf(path, sizeof(path), "%s/%s/kernelslist.g", captures_folder(folder, sizeof(folder)),
		 r->trace);
	if (strncmp(r->trace, "real-", 5) || access(path, R_OK) == 0)
		return model_open(path);
	return NULL;
}

static void
compare(const struct model_row *r)
{
	struct trace *t = open_row(r);
	struct config *c;
	struct sim *s;

	if (!t) {
		ok(true, "%s on %s # SKIP the capture is not here", r->trace, r->machine);
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

/* The rules that were found on applications: which of their rows have other cycles without them. */
static void
without(const char *option, const char *needed_by, const struct model_row *row, unsigned n)
{
	char differ[256] = "";

	for (unsigned i = 0; i < n; i++) {
		struct trace *t;
		struct config *c;
		struct sim *s;

		if (strncmp(row[i].trace, "app-", 4))
			continue;
		t = open_row(&row[i]);
		c = model_row_config(&row[i]);
		model_set(c, option, "off");
		s = model_sim(c, t);
		if (model_run(s) != row[i].cycles)
			snprintf(differ + strlen(differ), sizeof(differ) - strlen(differ), "%s ",
				 row[i].trace + 4);
		sim_free(s);
		config_free(c);
		trace_close(t);
	}
	is_str(differ, needed_by, "applications that are not exact without %s", option);
}

int
main(void)
{
	static struct model_row row[128];
	unsigned n = model_rows(row, 128);

	is_u64(n, 52, "rows of reference counts");
	for (unsigned i = 0; i < n; i++)
		if (!model_fast() || (row[i].cycles <= 15000 && !row[i].limit))
			compare(&row[i]);
	if (!model_fast()) {
		without("ldst.local_interleave", "lib wp ", row, n);
		without("ldst.wrbk_with_load", "wp ", row, n);
		without("mem.upper_half_next", "km lud sad sd2 ", row, n);
		/* no row of these: tests/ldst/write_back.c, tests/mem/l2.c */
		without("ldst.banks_in_turn", "", row, n);
		without("mem.memcpy_cleans", "", row, n);
	}
	return done();
}
