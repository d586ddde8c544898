/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * present_pty.c - a presentation, key by key at 80x24 and 120x40: a step per key, its captions
 * below the panes, a caption of its own, a vote whose outcome is hidden, the spotlight, and back;
 * and Enter at the plain prompt.
 */
#include "tests/tui/on_terminal.h"

#include <unistd.h>

static const char talk[] = "lesson: talk\n"
			   "title: A talk\n"
			   "session: -p dyncta phase\n"
			   "\n"
			   "# First\n"
			   "The cycle is {$cycle}.\n"
			   "@do layout lecture\n"
			   "@do core 5\n"
			   "Look at core {$focus}.\n"
			   "@do until core.5.n == 6\n"
			   "Its limit is {core.5.n}.\n"
			   "@ask predict: Which cycle comes after 24 more?\n"
			   "  choice: an even one | an odd one\n"
			   "  value:  an even one\n"
			   "  expect: $cycle % 2 == 0\n"
			   "  reveal: step 24\n"
			   "  why:    It is cycle {$cycle}.\n"
			   "\n"
			   "# Second\n"
			   "A new page.\n"
			   "@do note Look here\n"
			   "@do layout watch\n"
			   "The caption stands above.\n"
			   "@do predict \"Even or odd?\" step 1\n"
			   "@do race static:n=1\n"
			   "The race is over.\n";

static char file[4200], state[4200];

static void
start(int rows, int cols, const char *tui, const char *extra, const char *wanted)
{
	const char *const words[] = {"present", tui, "-n", file, extra, NULL};

	seen(start_program(rows, cols, words, (const char *const[]){state, NULL}, wanted),
	     "the first step is shown from the start");
}

static void
play_steps(void)
{
	seen(vth_find(&h, "page 1 of 2: A talk") == h.rows - 10,
	     "its captions are below the panes, on a wide screen, too");
	seen(vth_find(&h, "Space next") == h.rows - 10, "with the keys");
	seen(vth_find(&h, "next step") == h.rows - 2, "which the line of keys names as well");
	keys(" ", "Look at core 5.", "Space carries out the next step");
	seen(vth_find(&h, "limit n") >= 0, "its commands arranged the screen");
	seen(vth_find(&h, "The cycle is") < 0, "and its text takes the place of the one before");
	keys("\033[6~", "Its limit is 6.", "PgDn does, too");
	seen(vth_find(&h, "core 5: 5 -> 6, C_mem 0 < t_mem_l 128") >= 0,
	     "layout lecture has the last decision in words");
	keys("\033OC", "[>] Which cycle", "Right shows the question");
	seen(vth_find(&h, "2 an odd one") >= 0, "with its choices, and no prompt for an answer");
	keys("s", "the outcome is hidden", "no key moves the machine");
	keys(" ", "the answer is an even one", "the next step reveals the outcome");
	seen(vth_find(&h, "It is cycle 4,120.") >= 0, "and explains it");
	keys("\033OD", "[>] Which cycle", "Left goes back to the question");
	seen(vth_find(&h, "cycle 4,096") == 0, "and the machine as well");
	keys("\033[5~\033[5~", "Look at core 5.", "PgUp twice: before the run");
	seen(vth_find(&h, "cycle 0") == 0, "at cycle 0");
	keys(" ", "Its limit is 6.", "and on");
	keys(" ", "[>] Which cycle", "step by step");
	keys("s", "the outcome is hidden", "to the question, which hides the outcome again");
}

static void
play_rest(void)
{
	int before;

	keys(" ", "the answer is", "the outcome");
	keys(" ", "A new page.", "the next page");
	keys(":advance 5000\r", "cycle 5,000", "the lecturer tries something");
	keys(" ", "Look here", "a caption");
	seen(vth_find(&h, "cycle 4,120") == 0, "after what was tried is undone");
	before = vth_find(&h, "Look here");
	seen(before > 0 && before <= 2, "it stands below the header");
	keys(" ", "Even or odd?", "a vote");
	seen(vth_find(&h, "hidden until Space") > 0, "says how it ends");
	keys("n", "the outcome is hidden", "and hides the outcome");
	keys(" ", "cycle 4,121", "until the next key");
	seen(vth_find(&h, "results") < 0 && vth_find(&h, "Space next") > 0,
	     "the command after the vote waits for a key of its own");
	seen(vth_find(&h, "Even or odd?") < 0, "which removes the question");
}

static void
play_race(void)
{
	keys(":spotlight core 5\r", "only core 5", "the spotlight leaves one core");
	keys(" ", "static:n=1", "a race is a step");
	keys("\033[6~", "The race is over.", "PgDn leaves it for the rest of its step");
	keys("\033[5~", "page 2 of 2", "PgUp undoes that step");
	keys(" ", "Space starts the race", "which is carried out again");
	keys(" ", "static:n=1 wins", "Space runs the race");
	keys(" ", "The race is over.", "and after its end leaves it");
	keys(" ", "this was the last step", "which was the last one");
	keys(":present off\r", "the presentation ends here", "off ends it");
	seen(vth_find(&h, "page 2 of 2") < 0, "and its captions are gone");
}

static void
play(int rows, int cols, const char *extra)
{
	start(rows, cols, "--tui", extra, "The cycle is 0.");
	play_steps();
	play_rest();
	play_race();
	leave_with("q");
}

static void
play_prompt(void)
{
	start(24, 80, "--tui=never", NULL, "The cycle is 0.");
	keys("\r", "Look at core 5.", "at the prompt Enter is the next step");
	keys("\r", "Its limit is 6.", "and the next");
	keys("\r", "(Enter: the answer)", "a question says so");
	keys("step\r", "the outcome is hidden until an empty line", "it hides the outcome");
	keys("\r", "It is cycle 4,120.", "which Enter reveals");
	keys("present back\r", "(Enter: the answer)", "present back goes back");
	leave_with("quit\r");
}

/* The smallest screen for layout lecture beside captions. */
static void
play_small(void)
{
	start(23, 80, "--tui", NULL, "The cycle is 0.");
	keys(" ", "limit n", "layout lecture has room for its digits");
	keys(":note Look here\r", "Look here", "a caption");
	seen(vth_find(&h, "lecture needs") < 0 && vth_find(&h, "limit n") > 0,
	     "does not take the room that it has");
	leave_with("q");
}

static bool
make_file(const char *dir)
{
	FILE *f;

	snprintf(file, sizeof(file), "%s/talk.present", dir);
	f = fopen(file, "w");
	return f && fputs(talk, f) >= 0 && fclose(f) == 0;
}

int
main(void)
{
	const char *tmp = getenv("TMPDIR");
	char dir[4096], path[4300];

	if (tap_skip_slow() || tap_skip(child_no_pty()))
		return done();
	snprintf(dir, sizeof(dir), "%s/ctascope-present-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(dir) || !make_file(dir))
		return 99;
	find_program();
	snprintf(state, sizeof(state), "XDG_STATE_HOME=%.4000s", dir);
	play(24, 80, NULL);
	play(40, 120, NULL);
	play(24, 80, "--ascii");
	play_small();
	play_prompt();
	remove(file);
	snprintf(path, sizeof(path), "%s/ctascope/history", dir);
	remove(path);
	snprintf(path, sizeof(path), "%s/ctascope", dir);
	remove(path);
	remove(dir);
	return done();
}
