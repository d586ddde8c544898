/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ctas_pty.c - the panes that draw CTAs, key by key on a terminal: from a core of a strip to its
 * slots, to a CTA, to its history, and back.
 */
#include "tests/tui/on_terminal.h"

static void
key(VTermKey k, const char *wanted, const char *what)
{
	vth_key(&h, k);
	keys("", wanted, what);
}

static void
test_slots(void)
{
	keys(":layout single\r", "layout single", "one strip");
	keys(":advance 3000\r", "cycle 3,000", "some cycles have been run");
	keys("jj", "core 2)", "j j: core 2 is in focus");
	keys("\r", "CTA slots of core 2", "Enter shows its slots");
	key(VTERM_KEY_DOWN, "slot 1: CTA 5", "Down: the slot below");
	key(VTERM_KEY_LEFT, "then ", "Left: the cycle before");
	keys("\r", "CTA 5 of kernel 1", "Enter explains the CTA");
	seen(vth_find(&h, "then ") == 0, "the time cursor is where it was");
	keys("j", "CTA slots of core 3", "j: the next core");
	keys("o", "CTAs of every core", "o: all cores");
	keys("\r", "CTA slots of core 3", "Enter: one");
	keys("x", "CTAs of every core", "x: the pane before");
	keys("n", "cycle 3,072", "a run takes the cursor to the newest");
	seen(vth_find(&h, "then ") < 0, "and it stays there");
}

static void
test_grid(void)
{
	keys(":pane grid\r", "grid by core", "the grid of the kernel");
	keys("o", "grid by state", "o: by state");
	key(VTERM_KEY_RIGHT, " CTA 1: core 2 slot 0", "Right: the next block, its core and slot");
	keys("\r", "CTA 1 of kernel 1", "Enter explains its CTA");
	keys("x", "CTAs of every core", "x: the pane before");
}

static void
test_decisions(void)
{
	keys("d", "\342\226\274 down", "d: the decision map");
	keys("\r", "decided by dyncta, rule",
	     "Enter explains the decision of the core at the cursor");
	keys("f", "decisions", "another key closes the answer");
	keys("x", "CTAs of every core", "x: the pane before");
}

int
main(void)
{
	if (tap_skip(child_no_pty()))
		return done();
	find_program();
	if (seen(start_screen("phase", "dyncta", ""), "it starts")) {
		test_slots();
		test_grid();
		test_decisions();
		leave_with("fq"); /* the next key closes a long answer */
	}
	return done();
}
