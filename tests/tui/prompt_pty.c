/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prompt_pty.c - the ways into and out of the screen's command line, key by key: one command after
 * ':' returns to the keys, '::' keeps the line open, Escape leaves it.
 *
 * The program runs a shipped workload on the small machine of tests/small, slowed down by the fault
 * switch where a run is to be watched.
 */
#include "tests/tui/on_terminal.h"

#define LEAVES "Esc back to the keys"
#define KEPT "Esc or an empty line: back to the keys"
#define AT_KEYS "? help"

static char env_inputrc[4200]; /* "": the usual one */

static bool
start(const char *fault)
{
	char path[4200], env_fault[80];
	const char *const words[] = {
		"--tui", "-n", "-c", machine, "-p", "dyncta", find_trace("phase", path), NULL};
	const char *const settings[] = {env_fault, *env_inputrc ? env_inputrc : NULL, NULL};

	snprintf(env_fault, sizeof(env_fault), "CTASCOPE_FAULT=%s", fault);
	return seen(start_program(24, 80, words, settings, "q quit"), "it starts");
}

/* Leaving branches that no file has needs a confirmation. */
static void
leave_a_branch(void)
{
	keys(":fork a\r", "branch a", "a branch");
	keys("q", "1 branch is not saved; leave? (y or n)", "q asks about it");
	keys("\033", AT_KEYS, "Escape stays");
	keys("q", "leave? (y or n)", "q asks again");
	keys("\003", "nothing changed", "Ctrl-C answers no");
	keys("\033", AT_KEYS, "and the keys are back");
	keys(":set dyncta.t_idle 3\r", AT_KEYS, "a change");
	keys(":load x\r", "1 branch and 1 change are not saved; load anyway? (y or n)",
	     "load asks, too");
	keys("n\r", AT_KEYS, "no goes back to the keys");
	keys("q", "leave? (y or n)", "q again");
	leave_with("y\r");
}

/* Whether the last row of the screen ends with the prompt and that text. */
static bool
line_ends_with(const char *typed)
{
	char row[4096];
	size_t n = strlen(vth_row(&h, 23, row, sizeof(row))), m = strlen(typed);

	return n >= m && strcmp(row + n - m, typed) == 0;
}

/* What a new user types first: another layout, and then the keys. */
static void
test_one_command(void)
{
	keys(":layout watch", LEAVES, "':' opens the line, which says how to leave it");
	seen(h.cursor, "with the cursor");
	keys("\r", "layout watch: ", "Enter does the command");
	seen(!h.cursor && line_ends_with(")"), "and returns to the keys");
	keys("n", "cycle ", "n is a key: a period is run");
	seen(line_ends_with(")"), "and not typed");
	keys(":no-such-command\r", "no-such-command", "a wrong command");
	seen(!h.cursor && line_ends_with(")"), "returns to the keys as well");
	keys(":echo a\r:echo b\r", "b", "every command has its ':'");
	seen(!h.cursor, "and ends at the keys");
	vth_paste(&h, "print 2000+1\nprint 2000+2");
	vth_settle(&h);
	keys("\r", "= 2002", "lines pasted among the keys are done one by one");
	seen(!h.cursor && vth_find(&h, AT_KEYS) == 22, "and the keys are back");
}

static void
test_escape(void)
{
	keys(":print 40+2", "print 40+2", "a command is typed");
	keys("\033", AT_KEYS, "Escape leaves it");
	seen(line_ends_with(")") && vth_find(&h, "= 42") < 0, "undone");
	keys(":", LEAVES, "the next line");
	seen(line_ends_with(")"), "is empty");
	keys("print 6*8", "print 6*8", "text");
	vth_key(&h, VTERM_KEY_LEFT);
	vth_settle(&h);
	keys("7", "print 6*78", "an arrow begins with Escape, and leaves nothing");
	keys("\r", "= 468", "Enter anywhere in the line does it");
	keys(":\0226*78", "i-search", "a search in the history");
	keys("\033", ") print 6*78", "Escape ends it with the line that was found,");
	seen(h.cursor, "which stays open");
	keys("\033", AT_KEYS, "until the second Escape");
	keys("/", "Enter search", "the search in the log");
	keys("abc\033", AT_KEYS, "is left by Escape");
	keys(":\033\033", AT_KEYS, "Escape typed twice at once leaves it");
	seen(!h.cursor && line_ends_with(")"), "for the keys");
	keys(":print 50+8", "print 50+8", "and the next line");
	keys("\r", "= 58", "begins without a Meta");
	keys(":info registers", "info registers", "another line");
	keys("\007", AT_KEYS, "Ctrl-G leaves it, too");
}

static void
test_several(void)
{
	keys("::", KEPT, "'::' keeps the line open, and says so");
	keys("print 50+3\r", "= 53", "a command");
	keys("print 50+4\r", "= 54", "and another");
	seen(vth_find(&h, KEPT) == 22 && h.cursor, "the line is still open");
	keys(":print 50+5\r", "= 55", "a ':' before a command does nothing");
	keys("\r", AT_KEYS, "an empty line leaves it");
	keys("::print 50+6\r", "= 56", "again");
	keys("\033", AT_KEYS, "Escape leaves it");
	keys(":print 50+7\r", "= 57", "a single ':'");
	seen(vth_find(&h, AT_KEYS) == 22, "is for one command again");
	keys(":bind : prompt keep\r", AT_KEYS, "a binding");
	keys(":", KEPT, "makes ':' keep the line");
	keys("bind : prompt\r\033", AT_KEYS, "and back");
}

static void
test_run(void)
{
	keys(":run\r", "Space pause", "a run that was typed has its keys");
	keys(":layout log\r", "Space pause", "a command in it leaves the line");
	keys(":wh\033", "Space pause", "as Escape does");
	keys(" ", "Space run", "Space pauses");
	keys(":continue\r", "Space pause", "on it goes");
	keys("::print 30+1\r", "waits until", "a command for the session waits");
	keys("\033", "Space pause", "Escape goes to the keys of the run");
	keys(" ", "= 31", "when it stops the command is done");
	seen(vth_find(&h, "Space run") == 22, "at the keys");
}

/* The help lists the keys first, and '/' searches in it. */
static void
test_help(void)
{
	keys("?", "leave ctascope", "? shows the keys first");
	keys("/", "Enter search", "'/' asks for a text");
	keys("switched OFF\r", "core switched off", "Enter goes to its line in the help");
	seen(vth_find(&h, "core switched off") == 2, "which is the first shown");
	seen(vth_find(&h, "'switched OFF', line") == 22, "its number is said");
	keys("/no such words\r", "is not in the help", "what is not there is said");
	keys("/the\r", "'the', line", "what is there often");
	keys("/\r", "'the', line", "has a next one");
	keys("\033", AT_KEYS, "Escape closes the help");
	keys(":help layout\r", "names: auto, single", "help layout names the layouts");
	keys(":help pane\r", "names: ctas,", "help pane the panes");
	keys("j", "Space run", "a key closes the answer");
}

/* In readline's vi mode the first Escape ends inserting. */
static void
test_vi(void)
{
	keys(":print 7*9", "print 7*9", "vi: text");
	vth_send(&h, "\033");
	vth_settle(&h);
	seen(line_ends_with("print 7*9") && h.cursor, "Escape goes to vi's commands");
	keys("x\r", "7* ", "which take keys");
	keys(":print 7*8", "print 7*8", "again");
	vth_send(&h, "\033");
	vth_settle(&h);
	keys("\033", AT_KEYS, "the second Escape leaves");
}

int
main(void)
{
	const char *build = getenv("builddir");
	char file[4100];
	FILE *f;

	if (tap_skip_slow() || tap_skip(child_no_pty()))
		return done();
	find_program();
	if (start("")) {
		test_one_command();
		test_escape();
		test_several();
		test_help();
		leave_a_branch();
	}
	if (start("slow=50")) {
		test_run();
		leave_with("q");
	}
	snprintf(file, sizeof(file), "%s/tests/tui/vi.inputrc", build ? build : ".");
	if ((f = fopen(file, "w"))) {
		fputs("set editing-mode vi\n", f);
		fclose(f);
	}
	snprintf(env_inputrc, sizeof(env_inputrc), "INPUTRC=%s", file);
	if (start("")) {
		test_vi();
		leave_with("q");
	}
	remove(file);
	return done();
}
