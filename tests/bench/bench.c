/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench.c - measures how fast the model runs, and compares it with the reference simulator.
 *
 *     bench [--quick] [--csv FILE]
 *
 * It prints one line per row of tests/reference/reference.csv whose reference time is known, then
 * the same for modern.csv. Each row runs in a separate process, so that peak memory is that run's;
 * runs of less than half a second are the best of three. "cycles/s" and "warp instr/s" are those of
 * the simulation alone; the column beside them is the time to open the trace. "ratio" is that speed
 * divided by the reference's recorded one (cycles / cpu_s, on a machine like ours). Nothing is
 * judged here; tests/sim/reference does that.
 */
#include "base/clock.h"
#include "tests/child.h"
#include "tests/sim/model.h"
#include <sys/resource.h>
#include <unistd.h>

struct result {
	uint64_t cycles, warp_insts;
	double load_s, sim_s;
	long rss_kib;
};

static void
measure(const struct model_row *row, struct result *r)
{
	double start = clock_seconds(), best = 1e9, spent = 0;
	struct trace *t = model_reference(row->trace);
	struct config *c = model_row_config(row);
	struct rusage use;

	r->load_s = clock_seconds() - start;
	for (unsigned i = 0; i < 3 && (i == 0 || spent < 1.0); i++) {
		struct sim *s = model_sim(c, t);

		start = clock_seconds();
		r->cycles = model_run(s);
		spent += clock_seconds() - start;
		best = fmin(best, clock_seconds() - start);
		r->warp_insts = (uint64_t)model_value(s, "gpu.warp_insts");
		sim_free(s);
		if (best > 0.5)
			break;
	}
	r->sim_s = best;
	getrusage(RUSAGE_SELF, &use);
	r->rss_kib = use.ru_maxrss;
	config_free(c);
	trace_close(t);
}

/* Measures in a separate child; returns false if that died. */
static bool
measure_apart(const struct model_row *row, struct result *r)
{
	struct child child;
	int fd[2];
	bool got;

	if (pipe(fd) < 0)
		return false;
	if (child_fork(&child) == 0) {
		close(fd[0]);
		measure(row, r);
		_exit(write(fd[1], r, sizeof(*r)) == (ssize_t)sizeof(*r) ? 0 : 1);
	}
	close(fd[1]);
	got = read(fd[0], r, sizeof(*r)) == (ssize_t)sizeof(*r);
	close(fd[0]);
	got = got && child_wait(&child, 10000) && child.status == 0;
	child_kill(&child);
	return got && r->cycles;
}

static void
usage(FILE *to)
{
	fputs("Usage: bench [--quick] [--csv FILE]\n"
	      "Runs every reference trace and prints cycles, difference to the reference, and "
	      "speed.\n"
	      "  --quick     only rows of less than 30000 cycles\n"
	      "  --csv FILE  the same table as CSV\n",
	      to);
}

/* Runs the rows of a table; returns how many failed. */
static unsigned
bench_table(const char *table, bool quick, FILE *csv)
{
	static struct model_row row[256];
	unsigned n = model_rows_of(table, row, 256), done = 0, failed = 0, exact = 0;
	double worst = 0, logs = 0, cycles = 0, seconds = 0;
	const struct model_row *worst_row = row;
	char path[4096];

	printf("%-16s %-7s %5s %8s %8s %7s %9s %9s %7s %7s %7s %7s\n", "trace", "machine", "limit",
	       "cycles", "ref.", "diff %", "cycles/s", "warp i/s", "sim ms", "load ms", "MiB",
	       "ratio");
	for (unsigned i = 0; i < n; i++) {
		struct result r = {0};
		double diff, speed, ratio;
		char limit[16] = "-";

		if (!row[i].cpu_s || !model_reference_path(row[i].trace, path, sizeof(path)))
			continue;
		if (quick && row[i].cycles >= 30000)
			continue;
		if (row[i].limit)
			snprintf(limit, sizeof(limit), "%u", row[i].limit);
		if (!measure_apart(&row[i], &r)) {
			printf("%-16s %-7s %5s failed\n", row[i].trace, row[i].machine, limit);
			failed++;
			continue;
		}
		diff = 100 * ((double)r.cycles / (double)row[i].cycles - 1);
		speed = (double)r.cycles / r.sim_s;
		ratio = speed / ((double)row[i].cycles / row[i].cpu_s);
		printf("%-16s %-7s %5s %8llu %8llu %+7.2f %9.0f %9.0f %7.1f %7.1f %7.1f %7.1f\n",
		       row[i].trace, row[i].machine, limit, (unsigned long long)r.cycles,
		       (unsigned long long)row[i].cycles, diff, speed,
		       (double)r.warp_insts / r.sim_s, 1e3 * r.sim_s, 1e3 * r.load_s,
		       (double)r.rss_kib / 1024, ratio);
		if (csv)
			fprintf(csv, "%s,%s,%s,%llu,%llu,%.4f,%.0f,%.0f,%.6f,%.6f,%ld,%.3f\n",
				row[i].trace, row[i].machine, row[i].limit ? limit : "",
				(unsigned long long)r.cycles, (unsigned long long)row[i].cycles,
				diff, speed, (double)r.warp_insts / r.sim_s, r.sim_s, r.load_s,
				r.rss_kib, ratio);
		exact += r.cycles == row[i].cycles;
		if (fabs(diff) >= fabs(worst)) {
			worst = diff;
			worst_row = &row[i];
		}
		logs += log(ratio);
		cycles += (double)r.cycles;
		seconds += r.sim_s;
		done++;
	}
	if (done) {
		printf("\n%u rows, %u equal to the cycle", done, exact);
		if (exact < done)
			printf("; worst %+.2f %% (%s on %s)", worst, worst_row->trace,
			       worst_row->machine);
		printf("\nspeed: %.0f simulated cycles per second over all; geometric mean %.1f "
		       "times the reference\n",
		       cycles / seconds, exp(logs / done));
	}
	return failed;
}

int
main(int argc, char **argv)
{
	unsigned failed;
	bool quick = false;
	FILE *csv = NULL;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--quick")) {
			quick = true;
		} else if (!strcmp(argv[i], "--csv") && i + 1 < argc) {
			csv = fopen(argv[++i], "w");
			if (!csv) {
				perror(argv[i]);
				return 1;
			}
		} else {
			usage(strcmp(argv[i], "--help") ? stderr : stdout);
			return strcmp(argv[i], "--help") ? 2 : 0;
		}
	}
	if (csv)
		fputs("trace,machine,cta_limit,cycles,reference_cycles,difference_percent,cycles_"
		      "per_second,"
		      "warp_instructions_per_second,simulation_seconds,load_seconds,peak_kib,speed_"
		      "ratio\n",
		      csv);
	failed = bench_table("reference.csv", quick, csv);
	puts("\nmachines from Volta on");
	failed += bench_table("modern.csv", quick, csv);
	if (csv && fclose(csv) != 0) {
		perror("bench: csv");
		return 1;
	}
	return failed ? 1 : 0;
}
