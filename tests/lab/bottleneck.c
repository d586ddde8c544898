/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bottleneck.c - the cycles of every part are those of a plain run with the options that the table
 * names; the session, its machine and its settings stay as they were; it can be interrupted.
 */
#include "export/compare.h"
#include "lab/lab.h"
#include "session/experiment.h"
#include "session/session_part.h"

#include "tests/small/small.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char said[8192];

static void
out(void *ctx ATTR_UNUSED, enum say kind ATTR_UNUSED, const char *line)
{
	snprintf(said + strlen(said), sizeof(said) - strlen(said), "%s\n", line);
}

/* Sets options given as "KEY VALUE, KEY VALUE"; returns their number. */
static unsigned
set_options(struct config *c, const char *list)
{
	char *copy = strdup(list), *rest = copy, *one;
	struct err e = {0};
	unsigned n = 0;

	while ((one = strsep(&rest, ",")) && *one) {
		char key[64], value[32];

		if (sscanf(one, " %63s %31s", key, value) != 2 ||
		    opt_set(config_db(c), key, value, &e) < 0)
			small_die(one, &e);
		n++;
	}
	free(copy);
	return n;
}

static void
run_plainly(const char *changes, struct bottleneck_run *r, unsigned *options)
{
	struct config *c = small_config("dyncta");
	struct trace *t = small_trace();
	struct err e = {0};
	struct sim *s;

	*options = set_options(c, changes);
	s = sim_new(c, t, &e);
	if (!s || sim_run(s, CYCLE_NEVER, &e) != SIM_DONE)
		small_die(changes, &e);
	r->cycles = sim_cycle(s);
	sim_free(s);
	trace_close(t);
	config_free(c);
}

static bool
go_on(void *ctx ATTR_UNUSED, double share ATTR_UNUSED)
{
	return false;
}

static bool
stop_at_once(void *ctx ATTR_UNUSED, double share ATTR_UNUSED)
{
	return true;
}

/* A doubled clock of the DRAM and half its delay, written by hand. */
static void
has_dram(const struct bottleneck_run *r)
{
	struct config *c = small_config("dyncta");
	char want[128], clock[16], delay[16];

	opt_get(config_db(c), "gpu.clock_dram", clock, sizeof(clock), NULL);
	opt_get(config_db(c), "mem.dram_latency", delay, sizeof(delay), NULL);
	snprintf(want, sizeof(want), "gpu.clock_dram %d, mem.dram_latency %d", 2 * atoi(clock),
		 atoi(delay) / 2);
	is_str(r->changes, want, "dram: twice the clock, half the delay");
	config_free(c);
}

/* The table of the command has the cycles that were measured before. */
static void
has_csv(struct session *s, const struct bottleneck *b)
{
	struct export_rows rows;
	struct err e = {0};
	int cycles, gain;

	is_u64(session_exec(s, "bottleneck csv bottleneck.csv"), SESSION_OK, "csv");
	if (!ok(export_rows_read("bottleneck.csv", &rows, &e) == 0, "is a table"))
		return;
	cycles = export_rows_column(&rows, "cycles");
	gain = export_rows_column(&rows, "gain");
	is_u64(rows.n_rows, BOTTLENECK_RUNS, "a row for every run");
	for (unsigned i = 0; i < BOTTLENECK_RUNS && i < rows.n_rows; i++)
		ok(compare_number(&rows, i, cycles) == (double)b->run[i].cycles &&
			   fabs(compare_number(&rows, i, gain) - bottleneck_gain(b, &b->run[i])) <
				   1e-5,
		   "row %u has its cycles and gain", i);
	export_rows_free(&rows);
	unlink("bottleneck.csv");
	is_u64(session_exec(s, "bottleneck csv"), SESSION_ERROR, "csv needs a file");
}

int
main(void)
{
	struct session_ui ui = {.out = out};
	struct config *c = small_config("dyncta");
	struct trace *t = small_trace();
	struct session *s = session_new(c, t, &ui, NULL);
	struct machine m = session_machine(s);
	struct lab_progress go = {.stop = go_on}, stop = {.stop = stop_at_once};
	struct bottleneck b;
	struct err e = {0};
	uint64_t digest;
	cycle_t whole;

	session_exec(s, "advance 900");
	digest = sim_digest(s->sim);
	is_u64((uint64_t)bottleneck_measure(&m, &b, &go, &e), 0, "measured");
	for (unsigned i = 0; i < BOTTLENECK_RUNS; i++) {
		struct bottleneck_run plain;
		unsigned options;

		run_plainly(b.run[i].changes, &plain, &options);
		ok(b.run[i].done && b.run[i].cycles == plain.cycles && (options > 0) == (i > 0),
		   "%s: %llu cycles as a plain run with %s", i ? b.run[i].part : "as it is",
		   (unsigned long long)plain.cycles, i ? b.run[i].changes : "no change");
		ok(bottleneck_gain(&b, &b.run[i]) == (double)b.run[0].cycles / (double)plain.cycles,
		   "and its gain");
	}
	whole = b.run[0].cycles;
	has_dram(&b.run[BOTTLENECK_RUNS - 1]);
	has_csv(s, &b);
	ok(sim_cycle(s->sim) == 900 && sim_digest(s->sim) == digest, "the machine stays");
	is_u64((uint64_t)bottleneck_measure(&m, &b, &stop, &e), 1, "it can be interrupted");
	said[0] = '\0';
	is_u64(session_exec(s, "bottleneck"), SESSION_OK, "the command");
	ok(strstr(said, "part") && strstr(said, "as it is") && strstr(said, "network"),
	   "prints a table");
	ok(strstr(said, "largest gain: ") || strstr(said, "gains 2 %"), "and the largest gain");
	ok(sim_digest(s->sim) == digest, "the machine stays");
	session_exec(s, "run");
	is_u64(sim_cycle(s->sim), whole, "a new run has the settings of before");
	session_free(s);
	trace_close(t);
	config_free(c);
	done();
}
