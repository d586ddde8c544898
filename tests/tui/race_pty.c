/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * race_pty.c - a race on a terminal: run, pause, steps in lockstep, its end, another size, Ctrl-C
 * and Ctrl-Z, signals, and a race from the screen of a session; the same for the comparison of two
 * runs.
 *
 * The program runs a shipped workload on the small machine of tests/small, slowed down by the fault
 * switch where the test watches it.
 */
#include "base/process.h"
#include "tests/tui/on_terminal.h"

#include <signal.h>

/* Starts the screen of a race with the policies of versus, or of a session where that is NULL;
 * slow: microseconds per cycle, or NULL. */
static bool
start(int rows, int cols, const char *slow, const char *term, const char *versus)
{
	char path[4200], versus_arg[100], env_term[64], env_fault[64];
	const char *const words[] = {"--tui",
				     "-n",
				     "-c",
				     machine,
				     "-p",
				     "rr",
				     find_trace("uneven", path),
				     versus ? versus_arg : NULL,
				     NULL};
	const char *const settings[] = {env_term, env_fault, NULL};

	snprintf(versus_arg, sizeof(versus_arg), "--versus=%s", versus ? versus : "");
	snprintf(env_term, sizeof(env_term), "TERM=%s", term);
	snprintf(env_fault, sizeof(env_fault), "CTASCOPE_FAULT=%s%s", slow ? "slow=" : "",
		 slow ? slow : "");
	return start_program(rows, cols, words, settings,
			     versus ? "Space starts the race" : "q quit");
}

static void
test_race(void)
{
	ok(start(24, 80, "300", "xterm-256color", "dyncta,static:n=1"), "a race of three");
	seen(h.alternate && !h.cursor, "on the alternate screen");
	seen(vth_find(&h, "cycle 0") == 0 && vth_find(&h, "first difference: none so far") > 0,
	     "which stands at its start");
	keys("s", "cycle 64", "s goes one sample further");
	keys("ss", "cycle 192", "and again, as often as it is pressed");
	keys("?", "stop every lane at once", "? explains");
	keys("q", "IPC now", "q leaves the help");
	keys("x", "no meaning in a race", "another key is refused");
	keys(":pace 2\r", "pace 2 samples/s", ": takes a command");
	keys(":fly\r", "not a command of a race", "another is refused");
	keys("::pace 4\r", "pace 4 samples/s", "'::' keeps the line");
	keys("series ip\033", "? help", "which Escape leaves");
	keys(":pace max\r", "pace max", "as fast as can be");
	keys("M", "the mouse belongs to the terminal", "M leaves the mouse to the terminal");
	keys("M", "the mouse clicks", "M: the mouse");
	keys("\033[<0;20;4M\033[<0;20;4m", "core 2, cycle", "a click takes core and cycle");
	seen(h.mouse != 0 && vth_find(&h, ": rr ") > 0, "of every lane");
	keys("M", "the mouse belongs to the terminal", "M again");
	keys("\t", "n, the limit", "Tab shows the next series");
	keys("t", "cycle 192", "t another theme");
	keys(" ", "running", "Space runs");
	seen(text("first difference: cycle", 20000), "to the first difference");
	vth_resize(&h, 40, 160);
	seen(text("IPC, 0 to", 20000), "a larger window: the lanes stand side by side");
	keys("s", "Space pauses it", "no steps while it runs");
	keys(" ", "Space run", "Space pauses");
	ends_with("q", 0, "q leaves with status 0");
	seen(vth_find(&h, "left the race at cycle") >= 0 && vth_find(&h, "policy") >= 0,
	     "and the table so far");
	seen(h.unknown == 0, "the terminal understood everything");
	vth_close(&h);
}

static void
test_end(void)
{
	ok(start(24, 80, NULL, "xterm-256color", "static:n=1"), "a fast race");
	keys(" ", "wins", "has a winner");
	seen(vth_find(&h, "energy J") > 0, "and results");
	keys(" s", "the race has ended", "there is no further step");
	ends_with("q", 0, "q leaves");
	seen(vth_find(&h, "first difference: cycle") >= 0, "the table remains");
	vth_close(&h);
	ok(start(24, 80, NULL, "vt100", "static:n=1"), "on a terminal without colours");
	keys(" ", "wins", "likewise");
	ends_with("q", 0, "q leaves");
	vth_close(&h);
}

/* Returns the first process that the program has started; 0: the system does not tell. */
static int
first_lane(void)
{
	char path[64];
	int pid = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)h.child.pid,
		 (int)h.child.pid);
	f = fopen(path, "r");
	if (f && fscanf(f, "%d", &pid) != 1)
		pid = 0;
	if (f)
		fclose(f);
	return pid;
}

static void
test_stopped(void)
{
	int lane;

	ok(start(24, 80, "300", "xterm-256color", "dyncta"), "a race with a lane to be stopped");
	lane = first_lane();
	if (lane) {
		process_signal(lane, SIGSTOP);
		keys(" ", "is stopped; kill -CONT", "a stopped lane is named");
		process_signal(lane, SIGCONT);
		seen(text("Space pause", 20000), "the keys come back when it continues");
	}
	ends_with("q", 0, "q leaves");
	vth_close(&h);
}

static void
test_signals(void)
{
	ok(start(24, 80, "500", "xterm-256color", "dyncta"), "a race to be stopped");
	keys(" ", "running", "it runs");
	ends_with("\003", 130, "Ctrl-C ends it with status 130");
	vth_close(&h);
	ok(start(24, 80, "500", "xterm-256color", "dyncta"), "another");
	keys(" ", "running", "runs");
	child_signal(&h.child, SIGTERM);
	ends_with("", 143, "SIGTERM ends it");
	vth_close(&h);
}

static void
test_session(void)
{
	ok(start(24, 80, NULL, "xterm-256color", NULL), "the screen of a session");
	keys(":layout race\r", "versus STACK, or race", "layout race says how one begins");
	keys(":versus static:n=1\r", "Space starts the race", "versus shows a race");
	keys("1", "lane 1: rr, the session", "1 marks the first lane, which is the run itself");
	keys("\r", "the session's own run", "which Enter does not show beside itself");
	keys("ss", "cycle 128", "two samples");
	keys("2\r", "beside the run: static:n=1",
	     "Enter on the other lane shows it beside the run");
	seen(vth_find(&h, "cycle 128") == 0 && vth_find(&h, "IPC of the run") > 0,
	     "which has come to the cycle of the race");
	keys("x", "only one run is shown again", "x closes it");
	keys(":versus static:n=1\r", "Space starts the race", "versus shows the race again");
	keys(" ", "wins", "which runs");
	keys("q", "first difference: cycle", "q comes back, with the table");
	keys(":try policy static:n=1 --for 100\r", "branch try1 from main", "a branch of the run");
	keys(":versus static:n=2\r", "Space starts the race", "versus once more");
	keys("?", "stop every lane", "? explains");
	keys("\033", "Space run", "Escape leaves the help");
	keys(":pa\033", "? help", "and the command line");
	keys("\033", "q quit", "and the race, as q does");
	seen(vth_find(&h, "Space starts") < 0, "for the session");
	keys(":race\r", "Space starts the race", "race shows both");
	keys(" ", "wins", "which run as well");
	keys("q", "first difference: cycle", "and q comes back");
	seen(h.alternate && vth_find(&h, "energy J") > 0, "to the screen of the session");
	keys("f", "q quit", "whose keys");
	keys("q", "not saved; leave? (y or n)", "ask before they lead out");
	ends_with("y\r", 0, "of a session with a branch");
	vth_close(&h);
}

/* Compares two runs, inside the session and without one. */
static void
test_compare(void)
{
	char a[4300], b[4300], line[9000];
	const char *dir =
		"tests/home"; /* short: the answer fits on two lines wherever it is built */

	snprintf(a, sizeof(a), "%s/a-series.csv", dir);
	snprintf(b, sizeof(b), "%s/b-series.csv", dir);
	ok(start(24, 80, NULL, "xterm-256color", NULL), "the screen of a session");
	/* the sums show that the lines before them were executed */
	snprintf(line, sizeof(line), ":run\r:dump csv series '%s'\r:print 40+2\r", a);
	keys(line, "= 42", "one run");
	snprintf(line, sizeof(line),
		 ":set policy static:n=1\r:run\r:dump csv series '%s'\r:print 50+3\r", b);
	keys(line, "= 53", "another");
	snprintf(line, sizeof(line), ":compare '%s' '%s'\r", a, b);
	keys(line, "core cycles", "compare shows both");
	seen(vth_find(&h, "ctas_running, B - A") == 1 && vth_find(&h, "differ") > 0,
	     "the difference over cores and time, and the table");
	keys("j", "ctas_resident, B - A", "j shows the next column");
	keys("?", "The difference B - A", "? explains");
	keys("q", "core cycles", "q leaves the help");
	keys("x", "no meaning here", "another key is refused");
	keys("q", "q quit", "q comes back to the keys of the session");
	seen(vth_find(&h, "differ") > 0, "with a line of it, wherever it breaks");
	keys("q", "not saved; leave? (y or n)", "which ask, as there is a branch");
	ends_with("y\r", 0, "and lead out");
	vth_close(&h);
	ok(start_program(40, 120, (const char *const[]){"compare", a, b, NULL}, NULL,
			 "core cycles"),
	   "ctascope compare has a screen of its own");
	vth_resize(&h, 12, 40);
	vth_settle(&h);
	seen(text("A a-series", 20000) && vth_find(&h, "core cycles") < 0, "of any size");
	ends_with("q", 0, "q leaves with status 0");
	vth_close(&h);
	ok(start_program(24, 80, (const char *const[]){"compare", "--batch", a, b, NULL}, NULL,
			 "differ") &&
		   vth_wait_exit(&h, 20000) && !h.alternate,
	   "with --batch it is text");
	vth_close(&h);
}

/* A race without a session's screen. */
static void
test_open(void)
{
	ok(start(24, 80, NULL, "xterm-256color", "static:n=1"), "a race from the command line");
	keys("sss", "cycle 192", "three samples");
	keys("\r", "beside the run: static:n=1", "Enter opens the screen of the session");
	seen(vth_find(&h, "cycle 192") == 0, "at the cycle of the race");
	keys("x", "only one run is shown again", "x closes the lane");
	ends_with("q", 0, "q leaves");
	vth_close(&h);
}

/* Inside a shell that has job control. */
static void
test_stop(void)
{
	char path[4200], script[16000];

	snprintf(script, sizeof(script),
		 "set -m; CTASCOPE_FAULT=slow=500 '%s' -n -c '%s' -p rr --versus dyncta '%s'; "
		 "echo in the shell; read x; fg >/dev/null; echo end $?; read x",
		 program, machine, find_trace("uneven", path));
	ok(start_shell(script, "Space starts"), "under a shell");
	keys(" ", "running", "a race runs");
	vth_send(&h, "\032");
	seen(text("in the shell", 20000) && !h.alternate && h.cursor, "Ctrl-Z goes to the shell");
	vth_send(&h, "\r");
	seen(text("running", 20000) && h.alternate, "fg brings it back");
	remember_header();
	seen(vth_wait(&h, header_moved, 20000), "and the lanes run on");
	vth_send(&h, "\003");
	seen(text("end 130", 20000) && !h.alternate, "to the end");
	vth_close(&h);
}

int
main(void)
{
	if (tap_skip_slow() || tap_skip(child_no_pty()))
		return done();
	find_program();
	test_race();
	test_end();
	test_stopped();
	test_signals();
	test_session();
	test_open();
	test_compare();
	test_stop();
	return done();
}
