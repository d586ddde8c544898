/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_workloads.c - --list-workloads: what is shipped, and what the user added, a line each.
 *
 * Suite and type come from the rows of traces/src/workloads.def, everything else from the trace
 * itself. A trace's tables are enough for that, its CTAs are not read.
 */
#include "repl/repl_part.h"

#include "base/datadir.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <string.h>

struct workload_row {
	const char *name, *suite, *type;
};

static const struct workload_row rows[] = {
#define WORKLOAD(name, suite, type, n, help) {#name, suite, #type},
#define WORKLOAD2 WORKLOAD
#include "traces/src/workloads.def"
#undef WORKLOAD
};

/* Classes as a reader of a list wants them. */
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

static const struct workload_row *
row_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

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
print_trace(const struct listing *l, const char *name, const struct trace_info *t)
{
	const struct workload_row *row = row_of(name);
	const struct trace_kernel *most =
		&t->kernel[0]; /* the one that works most stands for all */
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
	       name, row ? row->suite : "-", row ? row->type : "-", t->n_kernels, ctas,
	       most->threads_per_cta, config_ctas_per_core(l->config, most), insts);
	print_mix(mix, insts);
}

static int
print_workload(void *ctx, const char *name, const char *path)
{
	struct listing *l = ctx;
	struct err e = {0};
	struct trace *t = trace_open(path, &e);

	if (l->n++ == 0)
		printf("%-10s %-11s %-4s %7s %8s %7s %2s %10s  %s\n", "name", "suite", "type",
		       "kernels", "CTAs", "threads", "N", "warp insts", "mix");
	if (!t)
		printf("%-10s unreadable: %s\n", name, e.msg);
	else if (trace_info(t)->n_kernels)
		print_trace(l, name, trace_info(t));
	else
		printf("%-10s has no kernels\n", name);
	trace_close(t);
	return 0;
}

void
cli_list_workloads(const struct config *c)
{
	struct listing l = {.config = c};

	datadir_each("traces", ".ctr", print_workload, &l);
	if (l.n)
		puts("type: of the paper (M memory, C compute, X few threads; A fewer cores do, B "
		     "all are needed); threads\nper CTA and N, the CTAs that fit on a core of this "
		     "machine, are those of the kernel that works most.");
	else
		fputs("ctascope: no workloads are installed\n", stderr);
}
