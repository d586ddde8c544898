/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * main.c - the program: arguments, choice of the front end, exit status.
 *
 * A first reader's map, in the order in which parts may use each other:
 *
 *   include/ctascope/  contracts between parts, nothing else: its listing is the architecture
 *
 * The model, and what it rests on:
 *
 *   src/compat/  what Linux, macOS and the BSDs do differently, as one function each
 *   src/base/    strings, words, numbers, errors, hashes, rings, the clock: nothing about GPUs
 *   src/decl/    option rows: parse, print, range check, config files
 *   src/event/   typed events: subscribe, ring of the last N
 *   src/eval/    expressions; one evaluator for derived values, print, conditions, watch
 *   src/trace/   kernels and warp streams in memory; readers and writers (.ctr, .traceg)
 *   src/cache/   tags, MSHRs, write policies: one cache used as L1, texture, constant and L2
 *   src/ldst/    coalescer, shared-memory banks, memory pipeline of a core
 *   src/wsched/  one file per warp scheduler
 *   src/noc/     crossbar and mesh between cores and memory
 *   src/mem/     address map, memory partition, DRAM channel and its scheduler
 *   src/cta/     launch, occupancy, issue, and one file per CTA policy
 *   src/power/   from counts of events to energy: two models
 *   src/core/    SIMT core pipeline: warp table, scoreboard, issue, execution pipes, barriers
 *   src/sim/     builds a GPU from options; clock domains, one step, run-until, snapshot
 *
 * The recorder makes traces; the model needs nothing of it, and it only trace/ of the model:
 *
 *   src/record/ptx/         programs in PTX, run without a GPU, a room per step:
 *   src/record/ptx/inst/    the instructions of PTX, all facts of each in adjacent rows
 *   src/record/ptx/parse/   the text: words, declarations, instructions as written
 *   src/record/ptx/decode/  the module, its control flow; what each instruction does, on what
 *   src/record/ptx/alu/     arithmetic, comparisons, conversions, over the lanes of a warp
 *   src/record/ptx/mem/     the device memory, loads and stores, atomics, textures, checks
 *   src/record/ptx/exec/    launches, warps, calls, barriers, exchange between lanes
 *   src/record/ptx/sass/    machine registers and instructions; the sink that writes traces
 *   src/record/divert/      leads a CUDA runtime that is linked into a program to ours
 *   src/record/cuda/        the CUDA driver API on the emulator, a library of its own
 *   src/record/runtime/     the CUDA runtime API over it, a library for each version
 *   src/record/blas/        a small cuBLAS over it, whose kernels are in the trace
 *
 * The front looks at the model:
 *
 *   src/source/  source lines of kernels, and the time warps spend there
 *   src/debug/   stops, watches, why
 *   src/export/  CSV files; expressions over time series
 *   src/timeline/  back in time: places, branches, choices, replay
 *   src/plot/    pictures of them, and the report
 *   src/lab/     experiments: copies of the machine, compared, raced, flipped, measured beside it
 *   src/line/    the command line: readline, fed with whole keys, and the terminal it works on
 *   src/workload/  workloads by name; records what is not there yet
 *   src/session/ the commands, and the session they work on
 *   src/teach/   lessons: read, played, checked
 *   src/prompt/  the plain prompt
 *   src/tui/     canvas, layout, keys, themes, one file per pane; one file that touches curses
 *   src/cli/     arguments and subcommands
 *   src/batch/   ctascope sweep: many runs, each a process, into one table
 */
#include "batch/batch.h"
#include "cli/cli.h"
#include "prompt/prompt.h"
#include "tui/tui.h"

#include <locale.h>
#include <string.h>

static int
show_screen(struct session *s, const struct cli_screen *o, struct err *e)
{
	struct tui_options t = {.theme = o->theme,
				.color = o->color,
				.first = o->first,
				.ascii = o->ascii};

	/* the numbers of both enums agree: quit, prompt, 128 + signal, -1 */
	return tui_main(s, &t, e);
}

static int
show_race(struct session *s, struct race *r, const struct cli_screen *o, struct err *e)
{
	struct tui_options t = {.theme = o->theme, .color = o->color, .ascii = o->ascii};

	return tui_race(s, r, &t, e);
}

static int
show_compare(struct session *s, const struct compare *c, const char *column,
	     const struct cli_screen *o, struct err *e)
{
	struct tui_options t = {.theme = o->theme, .color = o->color, .ascii = o->ascii};

	return tui_compare(s, c, column, &t, e);
}

static int
check_screen(const struct cli_screen *o, struct err *e)
{
	return tui_check(&(struct tui_options){.theme = o->theme}, e);
}

int
main(int argc, char **argv)
{
	static const struct cli_front front = {tui_possible,   show_screen, show_race,
					       show_compare,   tui_look,    check_screen,
					       tui_check_word, tui_help};

	static char option_help[] = "--help";

	if (argc > 2 && strcmp(argv[1], "help") == 0 && strcmp(argv[2], "sweep") == 0) {
		argv[1] = argv[2];
		argv[2] = option_help;
	}
	if (argc > 1 && strcmp(argv[1], "sweep") == 0) {
		setlocale(LC_ALL, "");
		setlocale(LC_NUMERIC, "C");
		return batch_main(argc - 1, argv + 1);
	}
	return cli_main(argc, argv, &front);
}
