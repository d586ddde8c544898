/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_bottleneck.c - ctascope bottleneck: the command `bottleneck` on a workload, without a prompt.
 */
#include "cli/cli_part.h"

#include <stdio.h>
#include <stdlib.h>

static const struct cmd_option options[] = {
	CMD_TAKE("config", 'c', "MACHINE", cli_take_in_order, ARG_MACHINE,
		 "the machine, as for 'ctascope WORKLOAD'; may be repeated"),
	CMD_ALIAS("machine", 'm'),
	CMD_TAKE("option", 'o', "KEY=VALUE", cli_take_in_order, ARG_OPTION,
		 "set an option of the machine or the run"),
	CMD_ALIAS("set", 's'),
	CMD_TAKE("policy", 'p', "STACK", cli_take_in_order, ARG_POLICY, "CTA policies"),
	CMD_TAKE("warp-sched", 'w', "SCHED", cli_take_in_order, ARG_WSCHED, "warp scheduler"),
	CMD_TEXT("size", 0, "SIZE", struct cli_args, size, "size of an application"),
	CMD_TEXT("csv", 0, "FILE", struct cli_args, csv,
		 "write the table to FILE too; - writes it to standard output instead"),
	CMD_FLAG("force", 'f', struct cli_args, force,
		 "replace FILE, even if it is no table of ctascope"),
	CMD_FLAG("no-init", 'n', struct cli_args, no_init,
		 "do not read $XDG_CONFIG_HOME/ctascope/config"),
	CMD_HELP,
	CMD_END,
};

const struct cmdline cli_bottleneck_cmdline = {
	.name = "bottleneck",
	.usage = "bottleneck [OPTION...] WORKLOAD",
	.about = "Run WORKLOAD as it is and with each part of the machine twice as fast, or twice "
		 "as\n"
		 "large, and rank the parts by the cycles that this saves.\n",
	.section = {{NULL, options}},
};

int
cli_bottleneck(int argc, char **argv, const struct cli_front *f)
{
	struct cli_args a = {.batch = true, .tui = TUI_NEVER};
	int first, rc = cmdline_read(&cli_bottleneck_cmdline, argc, argv, &a, &first);
	char command[4200] = "bottleneck";

	if (rc < 0 && argc - first != 1)
		rc = cmdline_usage(&cli_bottleneck_cmdline, "expected one workload, found %d",
				   argc - first);
	if (rc >= 0) {
		free(a.arg);
		return rc;
	}
	a.workload = argv[first];
	if (a.csv)
		snprintf(command, sizeof(command), "bottleneck csv \"%.4000s\"%s", a.csv,
			 a.force ? " --force" : "");
	a.csv = NULL; /* that of a race */
	cli_append(&a, ARG_EVAL, command);
	return cli_start(&a, f);
}
