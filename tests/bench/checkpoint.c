/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * checkpoint.c - measures the cost of a checkpoint: processor time to take and to restore it, and
 * memory.
 *
 *     checkpoint [TRACE...]
 *
 * Kernels of tests/reference and the given traces run on three machines: one checkpoint at the
 * start, then sixteen, 10,000 cycles apart (fewer if the run ends before). All are restored, none
 * directly after the one before it. "first" is that of the start; "KiB" is what it added, and for
 * the others the mean and the maximum. Nothing is judged here; tests/sim/checkpoint does that.
 */
#include "tests/bench/measure.h"
#include "tests/sim/model.h"

#define MANY 16
#define APART 10000

static void
measure(const char *name, struct trace *t, const char *machine)
{
	struct config *c = model_config(machine, "rr");
	struct sim *s = model_sim(c, t);
	double take[MANY + 1], put[MANY + 1];
	size_t sum = 0, most = 0;
	struct snapshot *k[MANY + 1];
	unsigned n = 0;

	while (n <= MANY && !sim_done(s)) {
		double from = cpu_ms();

		k[n] = sim_save(s, NULL);
		take[n] = cpu_ms() - from;
		if (!k[n])
			model_die("no memory", NULL);
		if (n) {
			sum += snapshot_added(k[n]);
			most = MAX(most, snapshot_added(k[n]));
		}
		n++;
		sim_run(s, n * APART, NULL);
	}
	for (unsigned i = 0; i < n; i++) {
		double from = cpu_ms();

		sim_restore(s, k[(i * 7 + 3) % n], NULL);
		put[i] = cpu_ms() - from;
	}
	printf("%-16s %-9s %5u %7.2f %7zu", name, machine, n, take[0], snapshot_added(k[0]) / 1024);
	sort_numbers(take + 1, n - 1);
	sort_numbers(put, n);
	if (n > 1)
		printf(" %7.2f %7.2f %7.2f %7.2f %7zu %7zu\n", take[1 + (n - 1) / 2], take[n - 1],
		       put[n / 2], put[n - 1], sum / (n - 1) / 1024, most / 1024);
	else
		putchar('\n');
	for (unsigned i = 0; i < n; i++)
		snapshot_free(k[i]);
	sim_free(s);
	config_free(c);
}

int
main(int argc, char **argv)
{
	static const char *const traces[] = {"stream-120x256", "stride2-120x256", "phase-120x256",
					     "diverge-120x256"};
	static const char *const machines[] = {"gtx480", "kayiran30", "mesh110"};

	printf("checkpoints, ms of processor time (median and most) and KiB added (mean and most)\n"
	       "%-16s %-9s %5s %7s %7s %7s %7s %7s %7s %7s %7s\n",
	       "trace", "machine", "taken", "first", "KiB", "take", "", "restore", "", "KiB", "");
	for (int i = 0; i < (int)ARRAY_LEN(traces) + argc - 1; i++) {
		const char *name = i < (int)ARRAY_LEN(traces)
					   ? traces[i]
					   : argv[i - (int)ARRAY_LEN(traces) + 1];
		struct err e = {0};
		struct trace *t =
			i < (int)ARRAY_LEN(traces) ? model_reference(name) : trace_open(name, &e);

		if (!t)
			model_die(name, &e);
		if (strrchr(name, '/'))
			name = strrchr(name, '/') + 1;
		for (unsigned m = 0; m < ARRAY_LEN(machines); m++)
			measure(name, t, machines[m]);
		trace_close(t);
	}
	return 0;
}
