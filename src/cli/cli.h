/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli.h - the program behind main(): its command line and its subcommands. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/cmdline.h"

struct cli_front; /* prompt/prompt.h */

/* All command lines: the program's own first, then one for each subcommand; NULL ends the list. */
extern const struct cmdline *const cli_cmdlines[];

/* Parses the arguments, runs the program and returns the exit status. f is NULL if no screen is
 * built in. */
int cli_main(int argc, char **argv, const struct cli_front *f);

#endif
