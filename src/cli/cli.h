/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli.h - the program behind main(): its command line and its subcommands. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/cmdline.h"

struct cli_front; /* prompt/prompt.h */

/* The command lines: the program's own first, then that of each subcommand; NULL ends them. */
extern const struct cmdline *const cli_cmdlines[];

/* The whole program: parses arguments, runs what they say, returns the exit status. f may be NULL:
 * no screen is built in. */
int cli_main(int argc, char **argv, const struct cli_front *f);

#endif
