/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main_toy.c - ctascope with its screen, around the toy machine of tests/mock: pty.c drives it. */
#include "repl/repl.h"
#include "tui/tui.h"

static int
show(struct session *s, const struct cli_screen *o, struct err *e)
{
	return tui_main(
		s, &(struct tui_options){.theme = o->theme, .color = o->color, .ascii = o->ascii},
		e);
}

int
main(int argc, char **argv)
{
	return cli_main(argc, argv, &(struct cli_front){.possible = tui_possible, .screen = show});
}
