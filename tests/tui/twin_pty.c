/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * twin_pty.c - two runs on one terminal, key by key: split, the side in focus, why there, the first
 * different decision, back in time, the end of one run before the other, the mouse, branches, and
 * closing it.
 */
#include "tests/tui/on_terminal.h"

#include <string.h>

/* Returns the screen's row of the i-th title of an IPC of the run, -1: there are fewer. */
static int
row_of_title(unsigned i)
{
	char row[400];

	for (int y = 1; y < h.rows; y++) {
		vth_row(&h, y, row, sizeof(row));
		if ((strstr(row, "IPC of the run") || strstr(row, "IPC up to then")) && i-- == 0)
			return y;
	}
	return -1;
}

static bool
title_has(unsigned i, const char *wanted)
{
	char row[400] = "";
	int y = row_of_title(i);

	if (y >= 0)
		vth_row(&h, y, row, sizeof(row));
	return strstr(row, wanted) != NULL;
}

/* Before the first sample. */
static void
test_begin(void)
{
	keys("y", "no sample yet", "two runs that have no sample say so");
	seen(vth_find(&h, "known from the first sample on, at cycle ") >= 0 &&
		     vth_find(&h, "- | -") < 0,
	     "and when there are values, in place of dashes");
	keys("x", "only one run is shown again", "x closes it");
}

static void
test_split(void)
{
	keys(":advance 3000\r", "cycle 3,000", "some cycles have been run");
	keys(":split dyncta\r", "dyncta is the policy of this run", "the same run is not shown twice");
	keys(":split static:n=1\r", "beside the run: static:n=1", "split opens another run");
	vth_send(&h, "j");
	text("differ  ", 20000);
	keys("", "core   1", "the strip is of the core in focus");
	seen(row_of_title(0) >= 0 && row_of_title(1) > row_of_title(0), "one above the other");
	seen(title_has(0, "dyncta") && title_has(1, "static:n=1"), "each side has its name");
	seen(vth_wait_text(&h, "limit ", 20000) && vth_find(&h, "| 1 ") >= 0,
	     "the limits of both are compared");
	keys(":split first\r", "then ", "the cursor goes to the first different decision");
	keys("f", "cycle 3,000", "and back to the newest");
	keys("n", "cycle 3,072", "a run takes both along");
	keys("\t", "▸static:n=1", "Tab puts the other side in focus");
	keys("w", "why, in the run beside", "w explains a decision of that side");
	keys("q", "differ", "q closes the answer");
	keys("\t", "▸dyncta", "Tab goes back");
	keys("S", "of 3,072", "a step back");
	keys(":goto 2000\r", "cycle 2,000", "both go back in time");
	keys("x", "only one run is shown again", "x closes it");
}

static void
test_end(void)
{
	keys("y", "beside the run: rr", "y compares with the policy without a limit");
	keys(":finish\r", "done at", "a run to the end");
	seen(vth_wait_text(&h, " won by ", 60000) || vth_find(&h, "both needed") >= 0,
	     "the other one runs to its end, too, and the strip names the faster");
	keys(":split\r", "only one run is shown again", "split alone closes it");
}

/* A click acts on the half under it: its run is in focus, and both have the cursor there. */
static void
test_mouse(void)
{
	keys(":split static:n=1\r", "beside the run: static:n=1", "another run for the mouse");
	vth_resize(&h, 40, 160);
	keys("", "static:n=1", "side by side");
	keys("\033[<0;120;5M\033[<0;120;5m", "\u25b8static:n=1", "a click at the right focuses it");
	seen(vth_find(&h, "\u25b8dyncta") < 0, "and takes the focus from the left");
	seen(vth_find(&h, "then ") >= 0, "the cursor is in the past");
	keys("\033[<0;20;5M\033[<0;20;5m", "\u25b8dyncta", "a click at the left takes it back");
	keys("\033[<0;100;5M\033[<32;120;5M\033[<0;120;5m", "selected ", "a drag at the right selects");
	keys("x", "only one run is shown again", "x closes it");
	vth_resize(&h, 24, 80);
	keys(":select none\r", "q quit", "the selection is gone");
}

/* The branch that flip and fork leave, beside the run. */
static void
test_branches(void)
{
	keys(":goto 0\r", "cycle 0", "the run is at its start");
	keys(":break period\r", "period", "a stop at each period");
	keys("c", "stopped: period", "a decision");
	keys(":flip down --for 5000\r", "flip1", "flip makes a branch");
	keys("q", "q quit", "its report is closed");
	keys(":split flip1\r", "beside the run: flip1", "it is shown beside the run");
	keys(":advance 9000\r", "IPC of the run", "both go on");
	seen(vth_wait_text(&h, "differ", 20000) && title_has(1, "flip1"), "the title names it");
	keys(":split first\r", "then ", "the cursor goes to the decision that was flipped");
	keys("x", "only one run is shown again", "x closes it");
	keys(":fork a\r", "branch a", "fork makes another");
	keys(":set policy static:n=1\r", "static:n=1", "with a choice of its own");
	keys(":split main\r", "beside the run: main", "main is shown beside it");
	seen(title_has(0, "static:n=1") && title_has(1, "main"), "each side has its name");
	keys("x", "only one run is shown again", "x closes it");
}

int
main(void)
{
	if (tap_skip(child_no_pty()))
		return done();
	find_program();
	if (seen(start_screen("phase", "dyncta", ""), "it starts")) {
		test_begin();
		test_split();
		test_end();
		test_mouse();
		test_branches();
		vth_send(&h, "q");
		text("leave? (y or n)", 20000);
		leave_with("y\r");
	}
	return done();
}
