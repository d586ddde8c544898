/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli.h - the program behind main(): its command line and its subcommands. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

struct cli_front; /* prompt/prompt.h */

/* The whole program: parses arguments, runs what they say, returns the exit status. f may be NULL:
 * no screen is built in. */
int cli_main(int argc, char **argv, const struct cli_front *f);

#endif
