/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * main_mock.c - the program around the toy machine of sim_mock.h, without a screen.
 *
 * Everything typed goes the same way as in ctascope; only what the machine answers is a toy, so
 * that a transcript can be written down and stays true however the timing model improves.
 */
#include "repl/repl.h"

int
main(int argc, char **argv)
{
	return cli_main(argc, argv, NULL);
}
