/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main_plain.c - starts ctascope like a front end without a screen. */
#include "cli/cli.h"

#include <stddef.h>

int
main(int argc, char **argv)
{
	return cli_main(argc, argv, NULL);
}
