/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference.c - total cycles against the reference simulator, and the shape of its static-limit
 * curves.
 *
 * Every row of tests/reference/reference.csv. Almost all agree to the cycle; the table below names
 * those that do not and how far they may be off, so that a row that was exact stays exact.
 */
#include "tests/tap.h"
#include "tests/sim/model.h"

static const struct {
	const char *trace, *machine;
	double percent;
} inexact[] = {
	{"alu1-120x256", "gtx480", 6},
	{"alu4-120x256", "gtx480", 11},
	{"stream-120x256", "gtx480", 1},
};

static double
allowed(const struct model_row *r)
{
	for (unsigned i = 0; i < sizeof(inexact) / sizeof(inexact[0]); i++)
		if (!strcmp(inexact[i].trace, r->trace) && !strcmp(inexact[i].machine, r->machine))
			return inexact[i].percent;
	return 0;
}

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

/* The limit with the fewest cycles among the rows of one curve; 0: that is no curve. */
static unsigned
best_limit(const struct model_row *row, const uint64_t *cycles, unsigned n,
	   const struct model_row *like)
{
	unsigned best = 0, points = 0;
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < n; i++) {
		if (!row[i].limit || strcmp(row[i].trace, like->trace) ||
		    strcmp(row[i].machine, like->machine))
			continue;
		points++;
		if (cycles[i] < least) {
			least = cycles[i];
			best = row[i].limit;
		}
	}
	return points > 1 ? best : 0;
}

int
main(void)
{
	static struct model_row row[128];
	static uint64_t got[128], want[128];
	unsigned n = model_rows(row, 128), ran = 0, curves = 0;
	double sum = 0;

	ok(n >= 30, "%u rows of reference counts", n);
	for (unsigned i = 0; i < n; i++) {
		struct trace *t;
		struct config *c;
		struct sim *s;
		double percent;

		want[i] = row[i].cycles;
		if (model_fast() && (row[i].cycles > 15000 || row[i].limit))
			continue;
		t = model_reference(row[i].trace);
		c = model_row_config(&row[i]);
		s = model_sim(c, t);
		got[i] = model_run(s);
		percent = 100 * ((double)got[i] / (double)want[i] - 1);
		ok(fabs(percent) <= allowed(&row[i]),
		   "%s on %s, limit %u: %" PRIu64 " cycles, reference %" PRIu64 ", %+.2f %%",
		   row[i].trace, row[i].machine, row[i].limit, got[i], want[i], percent);
		if (!allowed(&row[i]))
			ok(same_counts(s, &row[i]),
			   "%s on %s, limit %u: accesses, misses, retries, DRAM commands",
			   row[i].trace, row[i].machine, row[i].limit);
		sum += fabs(percent);
		ran++;
		sim_free(s);
		config_free(c);
		trace_close(t);
	}
	ok(sum / ran <= 3, "mean absolute difference %.3f %%, at most 3", sum / ran);
	for (unsigned i = 0; i < n && !model_fast(); i++) {
		unsigned a, b;

		if (row[i].limit != 1)
			continue;
		a = best_limit(row, got, n, &row[i]);
		b = best_limit(row, want, n, &row[i]);
		ok(a && b && (a > b ? a - b : b - a) <= 1,
		   "%s on %s is fastest with %u CTAs per core, reference %u", row[i].trace,
		   row[i].machine, a, b);
		curves++;
	}
	ok(model_fast() || curves >= 2, "%u curves over the CTA limit", curves);
	return done();
}
