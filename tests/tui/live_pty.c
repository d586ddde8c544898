/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * live_pty.c - what a lecturer does while the model runs, key by key: knobs, `set`.
 *
 * The program runs a shipped workload on the small machine of tests/small, slowed down by the fault
 * switch where a run is to be watched.
 */
#include "tests/tui/on_terminal.h"

#include <string.h>

static bool
start(const char *fault)
{
	return seen(start_screen("phase", "dyncta", fault), "it starts");
}

/* Changes are not left without a question. */
static void
leave_changes(void)
{
	keys("q", "leave? (y or n)", "q asks about branches and changes");
	leave_with("y\r");
}

/* The program starts at "CTAs running"; the axis is below it. */
static void
test_knobs(void)
{
	keys(":advance 300\r", "cycle 300", "some cycles");
	keys("K", "knobs: j k choose", "K opens the knobs");
	seen(vth_find(&h, "dyncta.t_mem_h") >= 0 && vth_find(&h, "0 to 16,777,216 cycles") >= 0,
	     "with their ranges");
	keys("jjjj",
	     "\xe2\x96\xb8"
	     "dyncta.t_mem_h",
	     "j chooses");
	keys("l", "-> 61 at 384", "l changes it at the next period");
	keys("u", "n shrinks if C_mem reaches this", "u takes it back");
	seen(vth_find(&h, "-> 61") < 0, "so that nothing waits");
	keys("LL", "-> 80 at 384", "L goes by ten steps");
	keys(" ", "t_mem_h 80", "the run marks the change on the axis");
	keys(" ", "Space run", "Space pauses it");
	keys("\033", "last ", "Escape closes the knobs");
	seen(vth_find(&h, "knobs:") < 0, "which are gone");
	keys(":branches\r", "dyncta.t_mem_h 60 -> 80", "the old future is a branch");
	keys("\033", "at ", "the answer is closed");
}

static void
test_in_run(void)
{
	keys(" ", "Space pause", "it runs");
	keys("K", "knobs: j k choose", "K opens the knobs in a run");
	keys("k\033", "Space pause", "Escape closes them");
	keys(":set policy static:n=1\r", "\xe2\x96\xbcstatic:n=1",
	     "set changes the policy at once");
	seen(vth_find(&h, "waits until") < 0, "it does not wait for the run to end");
	keys("", "Space pause", "which goes on");
	keys(":set static.n=2\r", "n 2", "an option changes, too");
	keys(":set static.n many\r", "'many' is not a number", "a mistake is told");
	keys("Kjl", "-> ", "and a knob waits for its period");
	keys(" ", "Space run", "until the run is paused");
	keys("\033", "last ", "the keys are back");
	keys(":switch main\r", "branch main", "the branch before is there");
	keys("\033", "last ", "its answer is closed");
}

#define CARD "summary: any key closes"

static void
test_card(void)
{
	char row[400];

	keys(":advance 300\r", "cycle 300", "some cycles");
	seen(vth_find(&h, CARD) < 0, "a run that is not over has no card");
	keys("c", CARD, "the end of a run opens the card");
	seen(vth_find(&h, " done ") >= 0 && vth_find(&h, " settled ") >= 0 &&
		     vth_find(&h, " energy ") >= 0 && vth_find(&h, " next ") >= 0,
	     "which says what came of it");
	seen(vth_find(&h, "E measures rr") >= 0, "and that no reference is known");
	int settled = vth_find(&h, "for a while only: n = ");

	seen(settled >= 0 && !strstr(vth_row(&h, settled, row, sizeof(row)), "\u2026"),
	     "the last change of a limit is not cut");
	keys("\033", "last ", "Escape closes it");
	seen(vth_find(&h, CARD) < 0, "it is gone");
	keys(":goto 300\r", "cycle 300", "back");
	keys("c", CARD, "the run ends again");
	seen(vth_find(&h, "any key closes  keys of 'next' act, too") == 22,
	     "the row of keys says what keys do");
	keys("q", "? help", "q closes the card and does not leave");
	seen(vth_find(&h, CARD) < 0 && vth_find(&h, "leave?") < 0, "nor asks");
	keys(":pane summary\r", CARD, "it opens again");
	keys("s", "last ", "s closes it");
	seen(vth_find(&h, "s: ") < 0 && vth_find(&h, "ended") < 0, "and takes no step");
	keys(":pane summary\r", CARD, "and again");
	keys("K", "knobs: j k choose", "a key that its last line names also acts");
	seen(vth_find(&h, CARD) < 0, "and closes the card");
	keys("\033", "last ", "the knobs are closed");
	keys(":pane summary\r", CARD, "a command opens it");
	keys("x", "last ", "x closes it");
}

static void
test_search(void)
{
	keys(":goto 1500\r", "cycle 1,500", "a place in the run");
	keys(":trace limit core 1\r", "limit core 1", "what is looked for");
	keys("/core.0.n>5\r", "1 of 1: ", "a comparison is searched in time");
	seen(vth_find(&h, "core.0.n>5 at cycle 384") >= 0, "which goes to the first hit");
	keys("/limit core 1\r", "1 of 3: ", "an event, too");
	keys(";", "2 of 3: ", "; goes to the next hit");
	seen(vth_find(&h, "then ") == 0, "the time cursor is there");
	keys(",", "1 of 3: ", ", goes back");
	keys("/\r", "2 of 3: ", "/ without text goes on");
	keys("v", "selecting from cycle", "v begins a selection");
	keys("llll", " sel ", "which follows the cursor");
	keys("v", "selected ", "v ends it");
	seen(vth_find(&h, " cycles, IPC ") >= 0 && vth_find(&h, "limits: ") >= 0,
	     "its lines name cycles, IPC and decisions");
	keys("\033", " at ", "Escape drops it");
	seen(vth_find(&h, " sel ") < 0, "and its lines");
	keys("/no such text\r", "is not in the log", "another text is searched in the log");
	keys("f", "last ", "at the newest");
}

/* Types keys, at most 8 of them. */
static void
few_keys(const char *bytes, const char *wanted, const char *what)
{
	ok(strlen(bytes) <= 8, "%s: %zu keystrokes", what, strlen(bytes));
	keys(bytes, wanted, what);
}

static void
test_shortcuts(void)
{
	keys(":advance 200\r", "cycle 200", "some cycles");
	few_keys("B", "break pause core 0", "a stop where the core in focus pauses a CTA");
	keys(":tbreak limit\rc", "stopped: limit", "a decision");
	few_keys("!", "flip", "flip it");
	keys("\033", "last ", "its answer is closed");
	few_keys("9AE", "rr ", "the set-up to watch a policy");
	seen(vth_find(&h, "auto") == 0, "with its pace in the header");
	seen(vth_find(&h, "mean n") >= 0, "and the layout");
	few_keys("Khh\r", "policy dyncta -> static", "another policy");
	keys("\033", "last ", "the knobs are closed");
	few_keys("R", "Space starts the race", "a race against rr");
	keys("q", "? help", "which q leaves");
}

int
main(void)
{
	if (tap_skip_slow() || tap_skip(child_no_pty()))
		return done();
	find_program();
	if (start("slow=2000")) {
		test_knobs();
		test_in_run();
		leave_changes();
	}
	if (start("")) {
		test_card();
		test_search();
		leave_with("q");
	}
	if (start("")) {
		test_shortcuts();
		leave_changes();
	}
	return done();
}
