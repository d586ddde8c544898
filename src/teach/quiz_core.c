/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quiz_core.c - questions about a core: why it did not issue in a cycle, and how many CTAs fit.
 *
 * A cycle's class is what the counters of the classes gained in it. For occupancy the machine is
 * varied, not run: how many CTAs one resource allows is how many fit while the others are as large
 * as they can be.
 */
#include "teach/quiz_part.h"

#include "base/human.h"
#include "base/memory.h"
#include "base/random.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- class of a cycle */

#define CYCLES_APART 509 /* prime, so that loops of the workload are met at any place */

struct before {
	struct core_view v;
	uint64_t cls[CC_CLASSES];
};

const char *
quiz_class_help(const char *cls)
{
	for (unsigned i = 0; i < n_view_rows; i++)
		if (strcmp(view_rows[i].group, "core") == 0 && strcmp(view_rows[i].field, cls) == 0)
			return view_rows[i].help;
	return "";
}

static void
fill_class(struct quiz_item *it, const struct core_view *v, cycle_t cycle, unsigned cls,
	   enum quiz_level level)
{
	struct strbuf text = {0}, why = {0};
	char number[HUMAN];

	sb_printf(&text, "cycle %s, core %u: %" PRIu32 " CTAs run, %" PRIu32 " warps: ",
		  human(number, cycle), v->core, v->running, v->warps);
	if (level != QUIZ_HARD)
		sb_printf(&text, "%" PRIu32 " ready, ", v->warps_ready);
	sb_printf(&text,
		  "%" PRIu32 " wait for memory, %" PRIu32 " for a result (dependence), %" PRIu32
		  " at a barrier, %" PRIu32 " unfetched",
		  v->warps_memory, v->warps_dependence, v->warps_barrier, v->warps_unfetched);
	if (level == QUIZ_EASY)
		sb_printf(&text, ", %u of %u miss registers in use", v->mshr_used, v->mshr_max);
	sb_printf(&text, "; the core issues nothing");
	sb_printf(&why, "class %s: %s\n", cycle_class_names[cls],
		  quiz_class_help(cycle_class_names[cls]));
	it->text = memory_kept(sb_take(&text));
	it->why = memory_kept(sb_take(&why));
	it->asks = "which class is the cycle";
	it->n_choices = 1;
	it->at = cycle;
	it->core = (int)v->core;
}

/* The class of the cycle that has just ended; -1: unclear, as the counters came later. */
static int
class_of_cycle(const uint64_t *before, const uint64_t *after)
{
	int found = -1;

	for (unsigned i = 0; i < CC_CLASSES; i++) {
		if (after[i] == before[i])
			continue;
		if (found >= 0 || after[i] != before[i] + 1)
			return -1;
		found = (int)i;
	}
	return found;
}

static void
take_cycle(struct quiz *q, const struct sim *s, const struct core_view *before)
{
	static const char subject;
	struct core_view v;
	struct quiz_item *it;
	int cls;

	sim_core_view(s, before->core, &v);
	cls = class_of_cycle(before->class_cycles, v.class_cycles);
	if (cls < 0 || cls == CC_ACTIVE || cls == CC_GATED || !before->running || !v.running)
		return;
	it = quiz_keep(q, &subject, 0, cycle_class_names[cls], (unsigned)cls);
	if (it)
		fill_class(it, before, sim_cycle(s), (unsigned)cls, q->level);
}

int
quiz_collect_classes(struct quiz *q, struct trace *t, struct err *e)
{
	struct sim *s = sim_new(q->config, t, e);
	enum sim_stop stop = SIM_REACHED;
	struct core_view *before;
	unsigned n;

	if (!s)
		return -1;
	n = sim_instances(s, "core");
	before = memory_new(n, sizeof(*before));
	while (stop == SIM_REACHED) {
		cycle_t next = sim_cycle(s) + CYCLES_APART - 32 + random_below(&q->random, 64);

		stop = sim_run(s, next, e);
		for (unsigned i = 0; i < n; i++)
			sim_core_view(s, i, &before[i]);
		if (stop == SIM_REACHED)
			stop = sim_run(s, next + 1, e);
		for (unsigned i = 0; stop == SIM_REACHED && i < n; i++)
			take_cycle(q, s, &before[i]);
	}
	free(before);
	sim_free(s);
	return stop == SIM_FAILED || stop == SIM_DEADLOCK ? -1 : 0;
}

/* ---------------------------------------------------------------- occupancy */

#define MACHINES 400 /* that are tried */

/* The resources of a core, with the values of machines that exist, and what is more than enough. */
static const struct {
	const char *option, *name, *unit;
	const char *most;
	const char *value[4];
} resources[] = {
	{"core.threads", "threads", "threads", "2048", {"768", "1024", "1536", "2048"}},
	{"core.registers",
	 "registers",
	 "registers",
	 "1048576",
	 {"8192", "16384", "32768", "65536"}},
	{"core.shmem",
	 "shared memory",
	 "bytes of shared memory",
	 "1048576",
	 {"16384", "32768", "49152", "98304"}},
	{"core.max_ctas", "slots", "CTA slots", "32", {"8", "16", "24", "32"}},
};
#define RESOURCES ARRAY_LEN(resources)

/* CTAs of the kernel that fit with these values; 0: none, or no such machine can be. */
static uint32_t
count_fitting(struct config *c, const struct trace_kernel *k, const char *const value[RESOURCES])
{
	for (unsigned i = 0; i < RESOURCES; i++)
		if (opt_set(config_db(c), resources[i].option, value[i], NULL))
			return 0;
	return config_ctas_per_core(c, k);
}

/* How many each resource allows by itself. */
static void
fit_alone(struct config *c, const struct trace_kernel *k, const char *const value[RESOURCES],
	  uint32_t n[RESOURCES])
{
	const char *alone[RESOURCES];

	for (unsigned i = 0; i < RESOURCES; i++) {
		for (unsigned r = 0; r < RESOURCES; r++)
			alone[r] = r == i ? value[r] : resources[r].most;
		n[i] = count_fitting(c, k, alone);
	}
}

static void
fill_occupancy(struct quiz_item *it, const struct trace_kernel *k,
	       const char *const value[RESOURCES], const uint32_t n[RESOURCES], uint32_t most,
	       uint32_t answer)
{
	struct strbuf text = {0}, why = {0};
	char number[HUMAN];
	unsigned limiters = 0;

	sb_printf(&text, "a core with");
	for (unsigned i = 0; i < RESOURCES; i++)
		sb_printf(&text, "%s %s %s", i ? "," : "",
			  human(number, strtoull(value[i], NULL, 10)), resources[i].unit);
	sb_printf(&text,
		  "; kernel %" PRIu32 ", %.60s: CTAs of %" PRIu32 " threads, %" PRIu32
		  " registers a thread, %s bytes of shared memory",
		  k->id, k->name, k->threads_per_cta, k->regs, human(number, k->shmem));
	sb_printf(&why, "N is %" PRIu32 ", limited by ", answer);
	for (unsigned i = 0; i < RESOURCES; i++)
		if (n[i] == answer)
			sb_printf(&why, "%s%s", limiters++ ? " and " : "", resources[i].name);
	for (unsigned i = 0; i < RESOURCES; i++) {
		sb_printf(&why, i ? ", %s " : "; %s allow ", resources[i].name);
		if (n[i] >= most)
			sb_printf(&why, "%" PRIu32 " or more", n[i]);
		else
			sb_printf(&why, "%" PRIu32, n[i]);
	}
	sb_char(&why, '\n');
	it->text = memory_kept(sb_take(&text));
	it->why = memory_kept(sb_take(&why));
	it->asks = "how many CTAs fit on it (N)";
	it->number = answer;
}

/* One machine, drawn at random, and one kernel. */
static void
take_machine(struct quiz *q, struct config *c)
{
	static const char subject;
	const struct trace_kernel *k =
		&q->trace->kernel[random_below(&q->random, q->trace->n_kernels)];
	const char *value[RESOURCES], *all[RESOURCES];
	uint32_t n[RESOURCES], answer, most;
	struct quiz_item *it;
	unsigned limiter = 0;

	for (unsigned i = 0; i < RESOURCES; i++) {
		value[i] = resources[i].value[random_below(&q->random, 4)];
		all[i] = resources[i].most;
	}
	answer = count_fitting(c, k, value);
	most = count_fitting(c, k, all);
	if (!answer || answer >= most)
		return;
	fit_alone(c, k, value, n);
	while (limiter < RESOURCES && n[limiter] != answer)
		limiter++;
	if (limiter == RESOURCES)
		return;
	it = quiz_keep(q, &subject, 0, resources[limiter].name, limiter);
	if (it)
		fill_occupancy(it, k, value, n, most, answer);
}

int
quiz_collect_occupancy(struct quiz *q, struct err *e)
{
	char kept[RESOURCES][80];

	if (!q->trace->n_kernels)
		return err_set(e, "%s: the trace has no kernel", q->trace->path);
	for (unsigned i = 0; i < RESOURCES; i++)
		opt_get(config_db(q->config), resources[i].option, kept[i], sizeof(kept[i]), NULL);
	for (unsigned i = 0; i < MACHINES; i++)
		take_machine(q, q->config);
	for (unsigned i = 0; i < RESOURCES; i++)
		opt_set(config_db(q->config), resources[i].option, kept[i], NULL);
	return 0;
}
