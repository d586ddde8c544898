/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_kernels.c - the topic `info kernel`: the kernels that have started, and what limits the CTAs
 * of those that run. */
#include "base/human.h"
#include "base/plain_name.h"
#include "base/strbuf.h"
#include "session/command.h"
#include "session/session_part.h"
#include "session/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const char *
ctas_text(char *buf, size_t size, uint32_t n)
{
	snprintf(buf, size, n == UINT32_MAX ? "any" : "%u", n);
	return buf;
}

/* Writes what limits N of a running kernel: "limited by threads and slots", or how the CTAs of a
 * small grid are spread; "" if it does not run. */
const char *
session_occupancy_limiter(const struct session *s, unsigned kernel, char *buf, size_t size)
{
	const char *limiter[OCCUPANCY_LIMITERS];
	struct occupancy_view v;
	char ctas[HUMAN];
	size_t used = 0;
	unsigned n;

	buf[0] = '\0';
	if (!sim_occupancy(s->sim, kernel, &v))
		return buf;
	if (v.n_max < v.fit) {
		const struct trace_kernel *k = sim_kernel(s->sim, kernel - 1);

		snprintf(buf, size,
			 "lowered from %u by gpu.balance, which spreads %s CTAs over %u cores",
			 v.fit, human(ctas, k->n_cta), sim_instances(s->sim, "core"));
		return buf;
	}
	n = sim_occupancy_limiters(s->sim, kernel, limiter);
	for (unsigned i = 0; i < n && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s",
					 i ? " and " : "limited by ", limiter[i]);
	return buf;
}

/* Under spatial: whose CTAs a core takes, and whose it still holds. Kernels have numbers from 1. */
struct core_owner {
	unsigned takes, holds;
};

static struct core_owner
find_core_owner(const struct session *s, unsigned core)
{
	struct core_owner o = {.takes = sim_kernel_of_core(s->sim, core)};
	struct core_view v;

	sim_core_view(s->sim, core, &v);
	for (unsigned i = 0; i < v.n_slots; i++)
		if (v.slot[i].used && v.slot[i].kernel + 1 != o.takes)
			o.holds = v.slot[i].kernel + 1;
	return o;
}

/* Names which cores take CTAs of which kernel. Returns false if no kernel has CTAs left. */
static bool
list_core_owners(const struct session *s, struct strbuf *out)
{
	const unsigned n = sim_instances(s->sim, "core");
	struct core_owner next = find_core_owner(s, 0), o;
	unsigned first = 0;

	for (unsigned i = 1; i <= n; i++) {
		o = next;
		next = i < n ? find_core_owner(s, i) : (struct core_owner){0};
		if (!o.takes)
			return false;
		if (next.takes == o.takes && next.holds == o.holds)
			continue;
		sb_str(out, first ? ", " : "");
		if (i == first + 1)
			sb_printf(out, "core %u", first);
		else
			sb_printf(out, "cores %u-%u", first, i - 1);
		sb_printf(out, "%s kernel %u", first ? " of" : " take CTAs of", o.takes);
		if (o.holds)
			sb_printf(out, " after those of kernel %u", o.holds);
		first = i;
	}
	return true;
}

/* Where several kernels run together: how they share the cores. */
static void
say_kernel_share(struct session *s)
{
	static const char together[] = "on a core they share threads, registers, shared memory "
				       "and slots";
	const char *policy = NULL;
	struct strbuf owners = {0};

	switch (sim_kernel_share(s->sim, &policy)) {
	case SHARE_BY_POLICY:
		say(s, SAY_RESULT, "policy %s chooses whose CTA a core takes next; %s", policy,
		    together);
		break;
	case SHARE_SMK:
		say(s, SAY_RESULT,
		    "gpu.kernel_share smk: a core takes its next CTA from the kernel whose CTAs "
		    "use least of it; %s",
		    together);
		break;
	case SHARE_LEFTOVER:
		say(s, SAY_RESULT,
		    "gpu.kernel_share leftover: a core takes CTAs of the next kernel when the one "
		    "before it has none left to issue; %s",
		    together);
		break;
	case SHARE_ACCELSIM:
		say(s, SAY_RESULT,
		    "gpu.kernel_share accelsim: a core takes CTAs of the kernel that was chosen "
		    "last, and of the one in the next place when that one has none left to issue; "
		    "%s",
		    together);
		break;
	case SHARE_SPATIAL:
		if (!list_core_owners(s, &owners))
			sb_str(&owners, "no kernel has CTAs left to issue");
		s->log.lost |= owners.failed;
		say(s, SAY_RESULT, "gpu.kernel_share spatial: %s", owners.p ? owners.p : "");
		break;
	}
	sb_free(&owners);
}

/* Where several kernels run together: whose CTAs fill the slots of the core in focus. N of a kernel
 * does not count those of others, so a core may be full although no kernel has N CTAs on it. */
static void
say_core_slots(struct session *s)
{
	struct strbuf of = {0};
	struct core_view v;
	char slots[16] = "";

	sim_core_view(s->sim, s->view.core, &v);
	session_get(s, "core.max_ctas", slots, sizeof(slots));
	for (unsigned k = 0; k < sim_kernels_started(s->sim); k++) {
		unsigned n = 0;

		for (unsigned i = 0; i < v.n_slots; i++)
			n += v.slot[i].used && v.slot[i].kernel == k;
		if (n)
			sb_printf(&of, "%s%u by kernel %u", of.n ? ", " : ": ", n, k + 1);
	}
	s->log.lost |= of.failed;
	say(s, SAY_RESULT, "core %u: %u of %s CTA slots are taken%s", s->view.core, v.resident,
	    slots, of.p ? of.p : "");
	sb_free(&of);
}

/* Where several kernels run together: what limits each of them. */
static void
say_occupancies(struct session *s)
{
	const struct trace_info *info = sim_trace(s->sim);
	char limiter[160];

	for (unsigned i = 0; i < sim_kernels_started(s->sim); i++) {
		const struct trace_kernel *k = sim_kernel(s->sim, i);

		if (sim_kernel_runs(s->sim, i, sim_cycle(s->sim) + 1))
			say(s, SAY_RESULT,
			    "kernel %u of stream %" PRIu64 ": at most %u CTAs per core (N), %s",
			    i + 1, k->stream, sim_most_ctas(s->sim, (uint32_t)(k - info->kernel)),
			    session_occupancy_limiter(s, i + 1, limiter, sizeof(limiter)));
	}
	say_kernel_share(s);
	say_core_slots(s);
}

/* Prints what limits the running kernel's CTAs on a core, and how the core's L1 and shared memory
 * are divided. */
static void
say_occupancy(struct session *s)
{
	const unsigned kernel = sim_kernel_shown(s->sim);
	struct occupancy_view v;
	char regs[12], shmem[12], limiter[160];

	if (!sim_occupancy(s->sim, kernel, &v))
		return;
	if (sim_runs_together(s->sim)) {
		say_occupancies(s);
		return;
	}
	say(s, SAY_RESULT,
	    "CTAs per core: threads allow %u, registers %s, shared memory %s, slots %u; N is %u, "
	    "%s",
	    v.threads, ctas_text(regs, sizeof(regs), v.registers),
	    ctas_text(shmem, sizeof(shmem), v.shmem), v.slots, v.n_max,
	    session_occupancy_limiter(s, kernel, limiter, sizeof(limiter)));
	if (v.unified_bytes)
		say(s, SAY_RESULT,
		    "%u KiB per core: %u KiB shared memory, %u KiB L1 of %u ways, divided for this "
		    "kernel",
		    v.unified_bytes >> 10, v.shared_bytes >> 10,
		    (v.unified_bytes - v.shared_bytes) >> 10, v.l1_ways);
}

static void
add_cycle(struct table *t, cycle_t cycle)
{
	if (cycle == CYCLE_NEVER)
		table_text(t, "-");
	else
		table_u64(t, cycle);
}

/* A row of info kernel. What a kernel did is added where several run together, as the counters of
 * the GPU do not tell it then. */
static void
add_kernel(const struct session *s, struct table *t, unsigned i)
{
	const struct trace_kernel *k = sim_kernel(s->sim, i);
	char name[PLAIN_NAME];
	struct kernel_view v;

	sim_kernel_view(s->sim, i, &v);
	table_u64(t, i + 1);
	table_text(t, "%.40s", plain_name(k->name, name, sizeof(name)));
	table_u64(t, k->n_cta);
	table_u64(t, k->threads_per_cta);
	table_u64(t, k->regs);
	table_u64(t, k->shmem);
	add_cycle(t, v.start);
	if (sim_runs_together(s->sim)) {
		add_cycle(t, v.first_cta);
		table_u64(t, v.warp_insts);
	}
	table_u64(t, v.cycles);
	if (sim_found_name(s->sim) && isnan(sim_found(s->sim, i)))
		table_text(t, "-");
	else if (sim_found_name(s->sim))
		table_text(t, "%.0f", sim_found(s->sim, i));
	table_text(t, "%s",
		   v.start == CYCLE_NEVER ? "waits"
		   : v.end == CYCLE_NEVER ? "running"
					  : "done");
}

/* The kernels from `first` to before `end`, a row each. */
static void
say_kernels(struct session *s, unsigned first, unsigned end)
{
	const char *found = sim_found_name(s->sim);
	char columns[160];
	struct table t;

	snprintf(columns, sizeof(columns),
		 ">num <name >CTAs 6>threads 5>regs 4>shmem >start %s>cycles %s%.40s 1<state",
		 sim_runs_together(s->sim) ? "2>first~CTA 3>instructions " : "", found ? ">" : "",
		 found ? found : "");
	table_begin(&t, columns);
	for (unsigned i = first; i < end; i++)
		add_kernel(s, &t, i);
	table_end(s, &t);
}

/* One kernel; what limits its CTAs is known while it runs. */
static enum session_status
say_one_kernel(struct session *s, const char *word)
{
	struct err e = {0};
	char limiter[160];
	unsigned kernel;

	if (debug_kernel_number(s->debug, word, &kernel, &e))
		return fail(s, "info kernel: %s", e.msg);
	if (kernel > sim_kernels_started(s->sim)) {
		say(s, SAY_RESULT, "kernel %u of %u has not started", kernel,
		    sim_trace(s->sim)->n_kernels);
		return SESSION_OK;
	}
	say_kernels(s, kernel - 1, kernel);
	if (*session_occupancy_limiter(s, kernel, limiter, sizeof(limiter)))
		say(s, SAY_RESULT, "its CTAs per core are %s", limiter);
	return SESSION_OK;
}

enum session_status
info_kernel(struct session *s, const char *args)
{
	unsigned n = sim_kernels_started(s->sim), started = 0;
	char word[NAME_TYPED];

	if (next_word(&args, word, sizeof(word)))
		return say_one_kernel(s, word);
	for (unsigned i = 0; i < n; i++)
		started += sim_kernel_start(s->sim, i) != CYCLE_NEVER;
	say(s, SAY_RESULT, "%u of %u kernels started", started, sim_trace(s->sim)->n_kernels);
	if (!n)
		return SESSION_OK;
	say_kernels(s, 0, n);
	say_occupancy(s);
	return SESSION_OK;
}
