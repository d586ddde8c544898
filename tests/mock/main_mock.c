/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * main_mock.c - the program around the toy machine of sim_mock.h, without a screen.
 *
 * Everything typed goes the same way as in ctascope; only what the machine answers is a toy, so
 * that a transcript can be written down and stays true however the timing model improves.
 */
#include "batch/batch.h"
#include "repl/repl.h"

#include <string.h>

int
main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "sweep") == 0)
		return batch_main(argc - 1, argv + 1);
	return cli_main(argc, argv, NULL);
}
