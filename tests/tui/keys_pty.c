/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * keys_pty.c - keys that people try first: i, u, p, a, o, Ctrl-R, Enter on a map, q over a long
 * answer; the mouse from the start; a layout on a screen that is too small for it; the launcher on
 * screens of all sizes, and the ways out of it.
 */
#include "tests/tui/on_terminal.h"

static char workload[4200], state[4200];

/* Starts the program with -n and these words, and waits for a text. */
static bool
start(int rows, int cols, const char *term, const char *const *more, const char *wanted)
{
	char env_term[64], *words[MOST_WORDS] = {(char *)"-n"};
	const char *const settings[] = {env_term, state, NULL};

	snprintf(env_term, sizeof(env_term), "TERM=%s", term);
	add_words(words, more);
	return seen(start_program(rows, cols, (const char *const *)words, settings, wanted),
		    "the screen comes up");
}

static void
test_letters(void)
{
	const char *const run[] = {"-c", machine,	 "-p",	   "dyncta",
				   "-e", "advance 3000", workload, NULL};

	if (!start(24, 80, "xterm-256color", run, "3,000 core 0)"))
		return;
	seen(mouse_is_on(&h), "with the mouse");
	keys("M", "belongs to the terminal", "M leaves it to the terminal");
	seen(mouse_is_off(&h), "which is told");
	keys("a", "A paces a run", "a says what A and b do,");
	keys("o", "o orders rows", "o where it means something,");
	keys("p", "Space runs and pauses", "p what pauses");
	keys("i", "info core 0", "i explains the core under the cursor");
	seen(vth_find(&h, "Esc q Enter close  Up Down PgUp PgDn scroll") >= 0,
	     "and the line of keys those of the answer");
	keys("\033[B\033OA\033[6~\033[H", "Esc q Enter close",
	     "arrows, PgDn and Home close no answer that is all in view");
	keys("q", "q quit", "q closes the answer and nothing else");
	keys("i", "info core 0", "an answer again");
	keys("\033:", "Esc back to the keys", "Escape and : in one write open the command line");
	keys("\033:echo once\r", "once", "and so they do from the command line");
	keys("\033d", "ecisions", "any key behind Escape is the next key");
	keys("x", "CTAs running", "back");
	keys("u", "no changes to undo", "u has nothing to take back");
	keys(":set dyncta.t_mem_h 99\r", "core 0)", "a change");
	keys("u", "undid the change", "u takes it back");
	keys(":info timeline\r", "99 ->", "by a change to the former value");
	keys("q", "q quit", "back");
	keys("\022", "reverse-i-search", "Ctrl-R searches the history");
	vth_send(&h, "\007");
	vth_settle(&h);
	vth_send(&h, "\033");
	keys("", "q quit", "and Escape leaves it");
	keys(":pane map\r", "by number", "a map");
	vth_send(&h, "\r");
	keys("", "slot", "Enter on it shows the core's slots,");
	seen(vth_find(&h, "Esc back to the keys") < 0, "no command line");
	keys(":set dyncta.t_mem_h 98\r", "core 0)", "a change that holds");
	keys("q", "leave?", "q asks, as there are changes");
	leave_with("y\r");
}

/* A terminal without reports of a mouse is left alone. */
static void
test_without_mouse(void)
{
	const char *const run[] = {"-c", machine, workload, NULL};

	if (!start(24, 80, "vt100", run, "q quit"))
		return;
	seen(mouse_is_off(&h), "without the mouse");
	vth_send(&h, "q");
	vth_wait_exit(&h, 20000);
	vth_close(&h);
}

static void
test_small_layout(void)
{
	const char *const watch[] = {"-c", machine,	   "-p",     "dyncta",
				     "-e", "advance 3000", workload, NULL};

	if (!start(22, 64, "xterm-256color", watch, "3,000 core 0)"))
		return;
	seen(vth_find(&h, "RACT") >= 0 && vth_find(&h, " dyncta") == 0,
	     "the header has the policy");
	keys("9", "no room here for ctas, policy", "layout watch says what it leaves out");
	keys("\t", "CTAs running", "Tab shows the first of them,");
	keys("\t", "period ", "and the next");
	keys("9d", "no room here for converge, policy",
	     "of a pane that was opened it never says so: it has the room");
	leave_with("q");
}

static void
test_watch(void)
{
	const char *const watch[] = {"-c", machine, "-p", "dyncta", "--watch", workload, NULL};

	if (!start(24, 80, "xterm-256color", watch, "settled")) /* it runs by itself */
		return;
	seen(vth_find(&h, "q quit") >= 0, "the keys are visible");
	leave_with("q"); /* also while the model runs */
}

static void
test_launcher(void)
{
	static const char *const none[] = {NULL};

	if (start(6, 20, "xterm-256color", none, "\342\226\270phase")) { /* a row of a list */
		keys("\t", "policy", "Tab goes to the next");
		keys("\004", "q quit", "Ctrl-D leaves");
		leave_with("q");
	}
	if (!start(24, 80, "xterm-256color", none, "\342\226\270phase"))
		return;
	keys("~~", "0 of", "letters that nothing has");
	keys("\177\177", "\342\226\270phase", "leave the mark where it was");
	keys("~", "0 of", "again");
	keys("\033", "\342\226\270phase", "Escape deletes the letters,");
	keys("\033", "No workload is loaded", "then leaves,");
	keys(":load\r", "\342\226\270phase", "load opens it again");
	keys("~\033\033", "No workload is loaded", "Escape typed twice at once is both,");
	keys(":load\r", "\342\226\270phase", "again");
	keys("x\003", "No workload is loaded", "and Ctrl-C leaves at once");
	seen(vth_find(&h, "q quit") >= 0, "to where q leaves");
	leave_with("q");
}

int
main(void)
{
	const char *build = getenv("builddir");

	if (tap_skip_slow() || tap_skip(child_no_pty()))
		return done();
	find_program();
	find_trace("phase", workload);
	snprintf(state, sizeof(state), "XDG_STATE_HOME=%s/tests/tui/keys.state",
		 build ? build : ".");
	test_letters();
	test_without_mouse();
	test_small_layout();
	test_watch();
	test_launcher();
	return done();
}
