/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_present.c - ctascope present: a lesson that its lecturer plays, one key per step.
 */
#include "base/number.h"
#include "cli/cli_part.h"

#include <stdio.h>

struct present_args {
	const char *script;
	bool batch, no_init;
	enum cli_mode tui, color;
	struct cli_screen look;
};

static const struct cmd_option options[] = {
	CMD_FLAG("batch", 'b', struct present_args, batch,
		 "no prompt: play all steps, or the commands of -x, and print their output"),
	CMD_TEXT("command", 'x', "FILE", struct present_args, script, "execute a file of commands"),
	CMD_FLAG("no-init", 'n', struct present_args, no_init,
		 "do not read $XDG_CONFIG_HOME/ctascope/config"),
	CMD_CHOICE("tui", 0, "[=auto|always|never]", struct present_args, tui, TUI_ALWAYS,
		   "show the full screen (auto: if there is a terminal)"),
	CLI_COLOR(struct present_args),
	CLI_LOOK(struct present_args),
	CMD_HELP,
	CMD_END,
};

const struct cmdline cli_present_cmdline = {
	.name = "present",
	.usage = "present [OPTION...] ID|FILE [PAGE]",
	.about = "Present a lesson, or a file of lessons/ made for it, in a lecture hall. Space, "
		 "Right or\n"
		 "PgDn (at the prompt: Enter) plays the next step; Left or PgUp goes back. PAGE is "
		 "the\n"
		 "number of the page at which it begins.\n",
	.section = {{NULL, options}},
	.tail = "'ctascope present lecture' plays the lecture that is included.\n",
};

int
cli_present(int argc, char **argv, const struct cli_front *f)
{
	struct present_args k = {0};
	int first, rc = cmdline_read(&cli_present_cmdline, argc, argv, &k, &first);
	struct cli_args a = {.keep_going = true, .teaches = true, .presents = true};
	char command[4200];
	uint64_t page = 1;

	if (rc >= 0)
		return rc;
	if (argc == first)
		return cmdline_usage(&cli_present_cmdline, "expected a lesson or presentation");
	if (argc - first > 2)
		return cmdline_usage(&cli_present_cmdline,
				     "unexpected argument '%s' after the page", argv[first + 2]);
	if (argc - first == 2 && (number_count(argv[first + 1], &page) || !page || page > 9999))
		return cmdline_usage(&cli_present_cmdline,
				     "expected the number of a page, found '%.40s'",
				     argv[first + 1]);
	if (k.batch && k.tui == TUI_ALWAYS)
		return cmdline_usage(&cli_present_cmdline, "--batch and --tui exclude each other");
	a.batch = k.batch;
	a.no_init = k.no_init;
	a.color = k.color;
	a.screen = k.look;
	a.lesson = argv[first];
	a.page = (unsigned)page;
	a.tui = k.batch ? TUI_NEVER : k.tui;
	if (a.tui == TUI_AUTO && f && f->possible && f->possible())
		a.tui = TUI_ALWAYS;
	if (a.tui == TUI_ALWAYS) {
		snprintf(command, sizeof(command), "present \"%.4000s\" %u", argv[first], a.page);
		a.screen.first = command;
	}
	if (k.script)
		cli_append(&a, ARG_SCRIPT, k.script);
	return cli_start(&a, f);
}
