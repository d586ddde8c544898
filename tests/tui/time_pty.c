/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time_pty.c - going back in time on a terminal: the keys S N C, 'a and gh, the progress of a long
 * way back, which appears after a second, and Ctrl-C during it.
 *
 * The program runs a shipped workload on the small machine of tests/small, slowed down by the fault
 * switch so that a few thousand cycles take long.
 */
#include "tests/tui/on_terminal.h"

#include "base/clock.h"

#define FAR "moving through time"

static void
test_keys(void)
{
	keys(":advance 3000\r", "cycle 3,000", "some cycles have been run");
	keys("S", "cycle 2,999", "S goes back a cycle");
	keys("S", "2,998 of 3,000", "and another; the header says how far one is behind");
	keys("N", "period, cycle", "N goes back to the end of a period");
	keys("::break limit\rgoto 3000\r\r", "cycle 3,000", "to the furthest cycle again");
	keys("C", "stopped: limit", "C goes back to the stop before");
	keys(":goto 3000\r", "cycle 3,000", "and forth");
	vth_key(&h, VTERM_KEY_LEFT);
	keys("", "then ", "the time cursor goes back");
	keys("gh", " of 3,000", "gh makes its cycle the present");
	keys(":print $cycle < 3000\r", "= 1", "which is in the past");
}

/* The past is searched cycle by cycle, since nothing tells what changes such a value. */
static void
test_far(void)
{
	char row[400] = "", now[400];
	double began;
	int at;

	keys(":advance 8000\r", "cycle 8,000", "many cycles have been run");
	keys("::watch mem.0.queue if $cycle < 0\rinfo digest\r", "stop 1: watch", "a stop");
	at = vth_find(&h, "stop 1: watch");
	if (at >= 0) /* the digest follows in the log */
		vth_row(&h, at + 1, row, sizeof(row));
	keys("\r", "8,000", "back at the keys");
	began = clock_seconds();
	vth_send(&h, "C");
	seen(vth_wait_text(&h, FAR, 20000), "a way back says how far it is");
	ok(clock_seconds() - began > 0.9, "after a second, and nothing at first: %.2f s",
	   clock_seconds() - began);
	began = clock_seconds();
	vth_send(&h, "\003");
	seen(vth_wait_text(&h, "interrupted, cycle 8,000", 20000), "Ctrl-C gives it up");
	ok(clock_seconds() - began < 2, "soon: %.2f s", clock_seconds() - began);
	vth_settle(&h);
	vth_send(&h, ":info digest\r");
	vth_settle(&h);
	at = vth_find(&h, "interrupted, cycle 8,000");
	seen(at >= 0 && *row && strcmp(vth_row(&h, at + 1, now, sizeof(now)), row) == 0,
	     "in the same place");
	keys("f", "8,000", "another key");
	seen(vth_find(&h, FAR) < 0, "nothing is left of what was shown");
}

int
main(void)
{
	if (tap_skip_slow() || tap_skip(child_no_pty()))
		return done();
	find_program();
	if (seen(start_screen("phase", "dyncta", ""), "it starts")) {
		test_keys();
		leave_with("q");
	}
	if (seen(start_screen("phase", "dyncta", "slow=400"), "it starts, slowly")) {
		test_far();
		leave_with("q");
	}
	return done();
}
