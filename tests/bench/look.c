/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * look.c - what the screen's cursor and its zoom cost: milliseconds of processor time until the
 * machine that looks back is there.
 *
 *     look [TRACE...]
 *
 * Of each trace a run under dyncta+claso to its end or 10 million cycles, as on the screen, with
 * automatic snapshots. Then at 20 places all over the run: the state (panes core and policy) with
 * the cursor thrown there, a cycle back from there, a cycle forward; the state with the past of a
 * core's warps; a profile of 8,192 cycles; a window of 120 columns of 64, 8 and 1 cycles. Of each
 * the median and the most. Last the MiB that the machines that look back take. Nothing is judged
 * here.
 */
#include "ctascope/session.h"
#include "tests/bench/measure.h"
#include "tests/sim/model.h"

#include <inttypes.h>

#define PLACES 20
#define MOST_CYCLES 10000000
#define COLUMNS 120

/* What is measured at a place: the want of a cycle. step: a first want of that cycle is not
 * measured, and then the cycle so much further. */
static const struct view {
	const char *name;
	enum look_back purpose;
	cycle_t before; /* cycles that are recorded */
	int step, core;
	bool profile;
	uint32_t sample;
} views[] = {
	{"cursor", LOOK_STATE, 0, 0, -1, false, 0},
	{"back", LOOK_STATE, 0, -1, -1, false, 0},
	{"forward", LOOK_STATE, 0, 1, -1, false, 0},
	{"warps", LOOK_STATE, PAST_CYCLES, 0, 0, false, 0},
	{"back", LOOK_STATE, PAST_CYCLES, -1, 0, false, 0},
	{"source", LOOK_PROFILE, 8192, 0, -1, true, 64},
	{"zoom 64", LOOK_SAMPLES, COLUMNS * 64, 0, -1, false, 64},
	{"zoom 8", LOOK_SAMPLES, COLUMNS * 8, 0, -1, false, 8},
	{"zoom 1", LOOK_SAMPLES, COLUMNS, 0, -1, false, 1},
};

static double
look(struct session *s, const struct view *v, cycle_t cycle)
{
	struct look_back_want want = {.cycle = cycle,
				      .from = cycle > v->before ? cycle - v->before : 0,
				      .core = v->core,
				      .profile = v->profile,
				      .sample = v->sample};
	double from = cpu_ms(), done;
	struct err e = {0};
	struct sim *sim;

	if (session_look_back(s, SIDE_SESSION, v->purpose, &want, 1e9, &sim, &done, &e) <= 0)
		model_die("looking back", &e);
	return cpu_ms() - from;
}

static void
measure_view(struct session *s, const struct view *v)
{
	cycle_t end = sim_cycle(session_sim(s));
	double ms[PLACES];

	for (unsigned p = 0; p < PLACES; p++) {
		cycle_t at = end - end / PLACES * (p * 7 % PLACES) - 1;

		ms[p] = look(s, v, at);
		if (v->step)
			ms[p] = look(s, v, at + (cycle_t)v->step);
	}
	sort_numbers(ms, PLACES);
	printf(" %5.1f %5.1f", ms[PLACES / 2], ms[PLACES - 1]);
	fflush(stdout);
}

static void
measure(const char *path)
{
	struct config *c = model_config("kayiran30", "dyncta+claso");
	struct trace *t = model_open(path);
	const char *name = strrchr(path, '/');
	struct session_ui ui = {.interactive = true};
	struct err e = {0};
	struct session *s = session_new(c, t, &ui, &e);
	double resident;
	char line[40];

	if (!s)
		model_die("session", &e);
	snprintf(line, sizeof(line), "advance %d", MOST_CYCLES);
	session_exec(s, line);
	printf("%-9.9s %10" PRIu64, name ? name + 1 : path, sim_cycle(session_sim(s)));
	resident = resident_mib();
	for (unsigned i = 0; i < ARRAY_LEN(views); i++)
		measure_view(s, &views[i]);
	printf(" %5.0f\n", resident_mib() - resident);
	session_free(s);
	trace_close(t);
	config_free(c);
}

int
main(int argc, char **argv)
{
	static const char *const apps[] = {"km", "bfs", "mum", "pvc"};
	const char *build = getenv("builddir");
	char path[4096];

	printf("looking back, ms of processor time (median, most)\n%-9s %10s", "trace", "cycles");
	for (unsigned i = 0; i < ARRAY_LEN(views); i++)
		printf(" %11s", views[i].name);
	printf(" %5s\n", "MiB");
	for (int i = 1; i < argc; i++)
		measure(argv[i]);
	for (unsigned i = 0; argc < 2 && i < ARRAY_LEN(apps); i++) {
		snprintf(path, sizeof(path), "%s/traces/short/%s.ctr", build ? build : ".",
			 apps[i]);
		measure(path);
	}
	return 0;
}
