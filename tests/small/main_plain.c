/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main_plain.c - ctascope as a front end without a screen would start it. */
#include "cli/cli.h"

#include <stddef.h>

int
main(int argc, char **argv)
{
	return cli_main(argc, argv, NULL);
}
