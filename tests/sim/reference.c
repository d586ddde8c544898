/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference.c - total cycles and counts against the reference simulator.
 *
 * Every row of tests/reference/reference.csv agrees to the cycle, so its curves over the CTA limit
 * have the shape they have there.
 */
#include "tests/tap.h"
#include "tests/sim/model.h"

/* Accesses and misses; DRAM commands only on kay30, where the reference counts them as we do. */
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

		if (got == (double)count[i].want)
			continue;
		diag("%s: %.0f, reference %" PRIu64, count[i].path, got, count[i].want);
		same = false;
	}
	return same;
}

int
main(void)
{
	static struct model_row row[128];
	unsigned n = model_rows(row, 128);

	is_u64(n, 34, "rows of reference counts");
	for (unsigned i = 0; i < n; i++) {
		struct trace *t;
		struct config *c;
		struct sim *s;

		if (model_fast() && (row[i].cycles > 15000 || row[i].limit))
			continue;
		t = model_reference(row[i].trace);
		c = model_row_config(&row[i]);
		s = model_sim(c, t);
		is_u64(model_run(s), row[i].cycles, "%s on %s, limit %u: cycles", row[i].trace,
		       row[i].machine, row[i].limit);
		ok(same_counts(s, &row[i]),
		   "%s on %s, limit %u: accesses, misses, retries, DRAM commands", row[i].trace,
		   row[i].machine, row[i].limit);
		sim_free(s);
		config_free(c);
		trace_close(t);
	}
	return done();
}
