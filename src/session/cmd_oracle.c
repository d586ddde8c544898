/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_oracle.c - the command oracle: searches the limits of CTAs with which the workload ends
 * earliest, and writes them as a policy. The session stays where it is.
 */
#include "base/output.h"
#include "base/replace.h"
#include "lab/lab.h"
#include "session/command.h"
#include "session/experiment.h"
#include "session/table.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define KERNELS 20 /* rows of the table */

static void
print_kernels(struct session *s, const struct oracle *o)
{
	struct table t;

	table_begin(&t, ">kernel >N >best_n >at_N >at_best_n");
	for (unsigned i = 0; i < MIN(o->n_kernels, KERNELS); i++) {
		table_u64(&t, i + 1);
		table_u64(&t, o->kernel[i].n_max);
		table_u64(&t, o->kernel[i].n);
		table_u64(&t, o->kernel[i].at_most);
		table_u64(&t, o->kernel[i].best);
	}
	table_end(s, &t);
	if (o->n_kernels > KERNELS)
		say(s, SAY_RESULT, "and %u more kernels", o->n_kernels - KERNELS);
}

static void
add_run(struct table *t, const struct oracle *o, const char *what, cycle_t cycles)
{
	table_text(t, "%s", what);
	table_u64(t, cycles);
	table_text(t, "%.3fx", cycles ? (double)o->at_most / (double)cycles : 0.0);
}

static void
print_oracle(struct session *s, const struct oracle *o, const char *path)
{
	struct table t;
	char same[60];

	print_kernels(s, o);
	snprintf(same, sizeof(same), "n = %" PRIu32 " for all kernels", o->same_n);
	table_begin(&t, "<limit >cycles >speedup");
	add_run(&t, o, "N, without a limit", o->at_most);
	add_run(&t, o, same, o->same);
	add_run(&t, o, "the best n of each kernel", o->kernels);
	add_run(&t, o, "the sequence within the kernels", o->sequence);
	table_end(s, &t);
	say(s, SAY_RESULT,
	    "wrote %s to %s, %u steps; 'race %s' compares it with this policy. It is the best "
	    "found, which need not be the optimum",
	    o->best, path, o->n_steps, path);
}

/* The file as a policy names it; its name without folders and ending is the policy's. */
static bool
name_file(const char *typed, char *path, size_t size)
{
	const char *name = strrchr(typed, '/');
	size_t n;

	name = name ? name + 1 : typed;
	n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
	return *name >= 'a' && *name <= 'z' && n < 32 && (!name[n] || name[n] == '.') &&
	       !strpbrk(typed, ":+, ") &&
	       (size_t)snprintf(path, size, "%s%s", strchr(typed, '/') ? "" : "./", typed) < size;
}

enum session_status
cmd_oracle(struct session *s, struct cmd_args *a)
{
	struct machine m = session_machine(s);
	struct progress_line w;
	struct oracle o;
	bool forced = replace_is_forced(a->word[2]);
	char path[256];
	struct err e = {0};
	int rc;

	if (!name_file(a->word[0], path, sizeof(path)))
		return fail(s,
			    "oracle: '%.60s' cannot name a policy: expected a-z, 0-9 and _ before "
			    "the extension, and no ':', '+', ',' or blank in the path",
			    a->word[0]);
	if (sim_runs_together(s->sim))
		return fail(s, "oracle: it times one kernel at a time, and these run together; "
			       "'start' begins a new run, in which 'set gpu.concurrent_kernels 1' "
			       "is possible");
	if (a->has_number[1] && a->number[1] < 64)
		return fail(s, "oracle: an interval has at least 64 cycles");
	if (a->word[2] && !forced)
		return fail(
			s,
			"oracle: expected nothing after FILE and EVERY but --force, found '%.60s'",
			a->word[2]);
	/* now, and not after minutes of search */
	if (replace_check_before("oracle", a->word[0], OWN_SEQUENCE, forced, &e))
		return say_err(s, &e);
	progress_line_begin(&w, s, "oracle");
	rc = oracle_search(&m, a->has_number[1] ? a->number[1] : 0, a->word[0], &o, &w.progress,
			   &e);
	progress_line_end(&w);
	if (rc == 0)
		print_oracle(s, &o, path);
	free(o.kernel);
	if (rc > 0)
		return session_say_interrupted(s, "oracle");
	return rc < 0 ? say_err(s, &e) : SESSION_OK;
}
