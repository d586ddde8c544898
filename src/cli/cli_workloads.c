/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_workloads.c - --list-workloads: shipped workloads and those that the user added, a line each;
 * --list-traces: the recorded traces, with what is in them.
 *
 * Suite and type come from traces/src/workloads.def, the numbers from the traces. There an
 * application has a line for every size that is recorded. Only the tables of a trace are read, not
 * its CTAs.
 */
#include "cli/cli_part.h"
#include "workload/workload.h"

#include "base/shown.h"
#include "base/datadir.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <string.h>

/* Classes of instructions, coarser than those of the model. */
enum mix { MIX_INT, MIX_FLOAT, MIX_SPECIAL, MIX_MEMORY, MIX_CONTROL, MIX_KINDS };

static const char *const mix_name[MIX_KINDS] = {"int", "float", "special", "memory", "control"};

static const uint8_t mix_of[OP_CLASSES] = {
	[OP_ALU] = MIX_INT,	   [OP_INT] = MIX_INT,	       [OP_SP] = MIX_FLOAT,
	[OP_HALF] = MIX_FLOAT,	   [OP_SFU] = MIX_SPECIAL,     [OP_DP] = MIX_FLOAT,
	[OP_BRANCH] = MIX_CONTROL, [OP_TEX] = MIX_MEMORY,      [OP_TENSOR] = MIX_FLOAT,
	[OP_UNIFORM] = MIX_INT,	   [OP_LOAD] = MIX_MEMORY,     [OP_STORE] = MIX_MEMORY,
	[OP_ATOMIC] = MIX_MEMORY,  [OP_BARRIER] = MIX_CONTROL, [OP_MEMBAR] = MIX_CONTROL,
	[OP_EXIT] = MIX_CONTROL,   [OP_DEPBAR] = MIX_CONTROL,
};

struct listing {
	const struct config *config;
	unsigned n;
};

static void
print_mix(const uint64_t mix[MIX_KINDS], uint64_t all)
{
	const char *between = "";

	for (unsigned i = 0; i < MIX_KINDS; i++) {
		unsigned percent = (unsigned)((200 * mix[i] + all) / (2 * MAX(all, 1)));

		if (!mix[i])
			continue;
		printf(percent ? "%s%s %u%%" : "%s%s <1%%", between, mix_name[i], percent);
		between = " ";
	}
	putchar('\n');
}

static void
print_head_once(struct listing *l)
{
	if (l->n++ == 0)
		printf("%-10s %-11s %-4s %7s %8s %7s %2s %10s  %s\n", "name", "suite", "type",
		       "kernels", "CTAs", "threads", "N", "warp insts", "mix");
}

static void
print_trace(const struct listing *l, const char *name, const struct workload_app *app,
	    const struct trace_info *t)
{
	const struct trace_kernel *most =
		&t->kernel[0]; /* the kernel with the most instructions represents the trace */
	uint64_t ctas = 0, insts = 0, mix[MIX_KINDS] = {0};

	for (uint32_t i = 0; i < t->n_kernels; i++) {
		const struct trace_kernel *k = &t->kernel[i];

		ctas += k->n_cta;
		insts += k->warp_insts;
		for (unsigned c = 0; c < OP_CLASSES; c++)
			mix[mix_of[c]] += k->class_warp_insts[c];
		if (k->warp_insts > most->warp_insts)
			most = k;
	}
	printf("%-10s %-11s %-4s %7" PRIu32 " %8" PRIu64 " %7" PRIu32 " %2" PRIu32 " %10" PRIu64
	       "  ",
	       name, app ? app->suite : "-", app ? app->type : "-", t->n_kernels, ctas,
	       most->threads_per_cta, config_ctas_per_core(l->config, most), insts);
	print_mix(mix, insts);
}

static void
print_file(struct listing *l, const char *name, const struct workload_app *app, const char *path)
{
	struct err e = {0};
	struct trace *t = trace_open(path, &e);
	char shown[200];

	name = text_shown(name, shown, sizeof(shown));
	print_head_once(l);
	if (!t)
		printf("%-10s unreadable: %s\n", name, e.msg);
	else if (trace_info(t)->n_kernels)
		print_trace(l, name, app, trace_info(t));
	else
		printf("%-10s has no kernels\n", name);
	trace_close(t);
}

static int
print_workload(void *ctx, const char *name, const char *path)
{
	print_file(ctx, name, workload_app(name), path);
	return 0;
}

/* Prints a line for each recorded size; if there is none, what workloads.def says. */
static void
print_app(struct listing *l, const struct workload_app *a)
{
	struct workload_trace t;
	unsigned n = 0;
	char name[64];

	for (unsigned i = 0; i < SIZES; i++) {
		if (!workload_has(a, (enum workload_size)i) ||
		    workload_look(&t, a, (enum workload_size)i, NULL) || !t.there)
			continue;
		snprintf(name, sizeof(name), "%s%s%s", a->name, i == SIZE_DEFAULT ? "" : ":",
			 i == SIZE_DEFAULT ? "" : workload_size_names[i]);
		print_file(l, name, a, t.path);
		n++;
	}
	print_head_once(l);
	if (!n)
		printf("%-10s %-11s %-4s %7s %8s %7s %2u %10s  not recorded\n", a->name, a->suite,
		       a->type, "-", "-", "-", a->n, "-");
}

/* Prints the sizes; a size that only some applications have is followed by their names. */
static void
print_sizes(void)
{
	puts("\nsizes, as NAME:SIZE or --size SIZE; recorded when they are first needed "
	     "(ctascope cache):");
	for (unsigned i = 0; i < SIZES; i++) {
		const char *between = " [";

		printf("  %-8s %s", workload_size_names[i], workload_size_help[i]);
		for (unsigned k = 0; i > SIZE_SHORT && k < n_workload_apps; k++)
			if (workload_has(&workload_apps[k], (enum workload_size)i)) {
				printf("%s%s", between, workload_apps[k].name);
				between = " ";
			}
		puts(between[1] ? "" : "]");
	}
}

void
cli_list_traces(const struct config *c)
{
	struct listing l = {.config = c};

	datadir_each("traces", ".ctr", print_workload, &l);
	for (unsigned i = 0; i < n_workload_apps; i++)
		print_app(&l, &workload_apps[i]);
	puts("type: from the paper (M memory, C compute, X few threads; A fewer cores are enough, "
	     "B all are needed);\n"
	     "threads per CTA and N, the most CTAs that fit on a core, are those of the kernel "
	     "with the most work.");
}

/* ---------------------------------------------------------------- a line each */

/* Appends the sizes of an application: all, or those that are recorded. */
static void
sizes_text(const struct workload_app *a, bool recorded, char *text, size_t size)
{
	struct workload_trace t;
	size_t n = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < SIZES && n < size; i++) {
		if (!workload_has(a, (enum workload_size)i) ||
		    (recorded && (workload_look(&t, a, (enum workload_size)i, NULL) || !t.there)))
			continue;
		n += (size_t)snprintf(text + n, size - n, "%s%s", n ? " " : "",
				      workload_size_names[i]);
	}
}

#define SUMMARY "%-10s %-11s %-18s %-34s %s\n"

static int
print_trace_summary(void *ctx ATTR_UNUSED, const char *name, const char *path ATTR_UNUSED)
{
	const char *shows = workload_shows(name);
	char shown[200];

	printf(SUMMARY, text_shown(name, shown, sizeof(shown)), "-", "yes", "-",
	       shows ? shows : "your own trace");
	return 0;
}

void
cli_list_workloads(void)
{
	printf(SUMMARY, "name", "suite", "recorded", "sizes", "what it shows");
	datadir_each("traces", ".ctr", print_trace_summary, NULL);
	for (unsigned i = 0; i < n_workload_apps; i++) {
		const struct workload_app *a = &workload_apps[i];
		char sizes[120], recorded[120];

		sizes_text(a, false, sizes, sizeof(sizes));
		sizes_text(a, true, recorded, sizeof(recorded));
		printf(SUMMARY, a->name, a->suite, *recorded ? recorded : "no", sizes, a->help);
	}
	print_sizes();
}
