/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pty.c - the program on a real terminal: start, run, pause, step, another size during a run,
 * completion, Ctrl-C and Ctrl-Z, signals, terminals of less ability. Slow lines are in line_pty.c.
 *
 * The program runs shipped workloads on the small machine of tests/small; where a run is to be
 * watched it is slowed down by the fault switch.
 */
#include "base/clock.h"
#include "ctascope/base.h"
#include "tests/tui/on_terminal.h"

#include <glob.h>
#include <signal.h>
#include <unistd.h>

/* Starts the program; slow: microseconds per cycle, for a long run; more: one more environment
 * variable, or NULL.
 */
static bool
start(const char *term, int rows, int cols, const char *slow, const char *more)
{
	char path[4200], env_term[64], env_fault[64];
	const char *const words[] = {"--tui",
				     "-n",
				     "-c",
				     machine,
				     "-p",
				     "dyncta+claso",
				     find_trace(slow ? "phase" : "uneven", path),
				     NULL};
	const char *const settings[] = {env_term, env_fault, more, NULL};

	snprintf(env_term, sizeof(env_term), "TERM=%s", term);
	snprintf(env_fault, sizeof(env_fault), "CTASCOPE_FAULT=%s%s", slow ? "slow=" : "",
		 slow ? slow : "");
	return start_program(rows, cols, words, settings, "quit");
}

static bool
has_colour(void)
{
	for (int y = 0; y < h.rows; y++)
		for (int x = 0; x < h.cols; x++) {
			struct vth_cell c = vth_cell(&h, y, x);
			if (c.fg != -1 || c.bg != -1)
				return true;
		}
	return false;
}

static int
colours_of_kind(int kind)
{
	int n = 0;

	for (int y = 0; y < h.rows; y++)
		for (int x = 0; x < h.cols; x++)
			n += vth_cell(&h, y, x).bg == kind;
	return n;
}

static void
test_session(void)
{
	char row[4096];

	ok(start("xterm-256color", 24, 80, "20", NULL), "it starts");
	seen(h.alternate, "on the alternate screen");
	seen(vth_find(&h, "Nothing has run yet") > 0, "the first screen explains itself");
	seen(!h.cursor, "no cursor among the keys");
	keys("?", "leave ctascope", "? shows the help");
	keys("\033", "? help", "Escape leaves it");
	keys("?", "leave ctascope", "it comes back");
	keys("q", "Nothing has run yet", "q leaves it");
	vth_send(&h, "s");
	bool stepped = text("cycle 1", 20000);
	vth_settle(&h);
	seen(stepped, "s steps a cycle");
	vth_send(&h, " ");
	seen(text("Space pause", 20000), "Space runs");
	vth_resize(&h, 43, 132);
	seen(text("running", 20000), "a larger window during the run is used");
	keys(" ", "stopped", "Space pauses");
	vth_resize(&h, 24, 80);
	seen(text("Space run", 20000), "and a smaller one");
	vth_settle(&h);
	seen(has_colour(), "in colours");
	keys(":info co", ") info co", "the command line");
	seen(h.cursor, "has the cursor");
	keys("\t", "completions", "Tab completes, with a list");
	keys("\003", "(ctascope", "Ctrl-C clears the line");
	seen(strstr(vth_row(&h, 23, row, sizeof(row)), "info") == NULL, "which is empty then");
	keys("print 6*7\r", "42", "Enter executes");
	vth_paste(&h, "print 1000+1\nprint 1000+2");
	vth_settle(&h);
	keys("\r", "1000+2 = 1002", "pasted lines run one by one at Enter");
	vth_send(&h, "c");
	seen(text("Space pause", 20000), "c runs on");
	keys("\003", "Space run", "Ctrl-C pauses the run");
	vth_paste(&h, "qqq");
	vth_settle(&h);
	seen(vth_find(&h, ") qqq") == 23, "what is pasted among the keys is a line, not keys");
	keys("\003\007", "? help", "that can be dropped");
	vth_key(&h, VTERM_KEY_LEFT);
	seen(text("then ", 20000), "the left arrow goes back in time");
	vth_send(&h, "\033[99~");
	vth_settle(&h);
	seen(!child_ended(&h.child) && vth_find(&h, "? help") == 22,
	     "an unknown sequence does nothing");
	seen(h.unknown == 0, "the terminal understood everything");
	leave_with("q");
}

static bool
is_read_on(struct vth *v)
{
	return vth_find(v, "(line 1 of") < 0;
}

static void
test_result(void)
{
	ok(start("xterm-256color", 24, 80, NULL, NULL), "it starts again");
	keys(" ", "done", "the run goes to its end");
	vth_resize(&h, 14, 80);
	text("(ctascope", 1000);
	vth_settle(&h);
	keys(":info stats\r", ": Up Down PgUp PgDn", "a long result covers the panes");
	vth_key(&h, VTERM_KEY_PAGEDOWN);
	seen(vth_wait(&h, is_read_on, 20000), "and can be read on");
	vth_send(&h, "\033OB");
	vth_settle(&h);
	seen(vth_find(&h, "Up Down PgUp PgDn scroll") >= 0, "an arrow scrolls, too");
	keys("j", "? help", "another key closes it");
	vth_resize(&h, 24, 80);
	vth_settle(&h);
	seen(vth_find(&h, "CTAs running") == 1, "the panes are back");
	keys("::print 6*8\r", "= 48", "a line that a search can find");
	keys("\022\030a\022\030\026\022p\030a\001\013print 7*8\r", "= 56",
	     "Ctrl-X in a search ends it, and nothing else");
	keys("\033", "? help", "Escape leaves the command line");
	keys(":set $i = 1\r:if $i\r", "Enter", "a construct keeps it open");
	keys("echo from here\rtheme light\rend\r", "from here", "is executed at its end");
	keys("f", "? help", "which leaves it");
	keys(":theme mono\r", "theme mono", "a theme by command");
	seen(!has_colour(), "mono has no colours");
	keys(":pane \t\t", "completions", "arguments of screen commands complete");
	seen(vth_find(&h, "credits") > 0, "to names of panes");
	keys("\003\007", "? help", "back");
	keys("/", "Enter search", "a search");
	keys("gpu.ipc\r", "'gpu.ipc'", "finds a line of the log");
	keys("\t:tui off\r", "(ctascope", "tui off goes to the plain prompt");
	seen(!h.alternate, "without the screen");
	keys("print 6*7\r", "= 42", "which works");
	keys("tui\r", "? help", "tui comes back");
	seen(h.alternate, "to the screen");
	vth_send(&h, ":q");
	vth_settle(&h);
	leave_with("\025quit\r");
}

/* The mouse is on at first, off and on after the command or the key, and off after every end. */
static void
test_mouse(void)
{
	ok(start("xterm-256color", 24, 80, NULL, NULL), "it starts");
	keys(" ", "done", "and runs to the end");
	keys("f", "CTAs running", "a key closes the result");
	ok(mouse_is_on(&h), "the mouse is on");
	vth_send(&h, ":set mouse off\r");
	seen(vth_wait(&h, mouse_is_off, 20000), "set mouse off");
	vth_send(&h, ":set mouse on\r");
	seen(vth_wait(&h, mouse_is_on, 20000), "set mouse on");
	vth_settle(&h);
	keys("\033[<0;20;6M\033[<0;20;6m", "core 1)", "a click takes the core");
	keys("\033[<0;20;12M\033[<0;20;12m", "core 3)", "of its row,");
	seen(vth_find(&h, "then ") == 0, "and the time of its column");
	vth_send(&h, "\033[<0;12;");
	vth_pump(&h, 50);
	keys("9M\033[<0;12;9m", "core 2)", "in two pieces as well");
	keys("\033[<0;10;5M\033[<32;20;5M", "let go to zoom", "a drag says what it selects");
	keys("\033[<0;20;5m", "selected ", "and selects it");
	keys(":dump csv series - selection\r", "run,cycle", "for dump");
	keys(":\033[<64;20;5M\033[<0;20;6M\033[<0;20;6Mx\025", "core 1       active",
	     "at the command line, too");
	seen(vth_find(&h, ";2M") < 0 && vth_find(&h, "[<") < 0, "where nothing of it is typed");
	vth_send(&h, "\rM");
	seen(vth_wait(&h, mouse_is_off, 20000), "M switches it off");
	vth_send(&h, "M");
	seen(vth_wait(&h, mouse_is_on, 20000), "and on");
	vth_settle(&h);
	leave_with("q");
	ok(mouse_is_off(&h), "leaving switches it off");
	for (int i = 0; i < 2; i++) {
		int n = i ? SIGSEGV : SIGTERM;

		ok(start("xterm-256color", 24, 80, "20", NULL), "it starts");
		seen(vth_wait(&h, mouse_is_on, 20000), "the mouse is on");
		child_signal(&h.child, n);
		vth_wait_exit(&h, 20000);
		ok(mouse_is_off(&h), "signal %d switches it off", n);
		vth_close(&h);
	}
}

static void
test_terminals(void)
{
	static const struct {
		const char *term, *more;
		bool colour;
	} kinds[] = {
		{"xterm-256color", "NO_COLOR=1", false},
		{"xterm", NULL, true},
		{"linux", NULL, true},
		{"vt100", NULL, false},
		{"screen", NULL, true},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		diag("TERM=%s %s", kinds[i].term, kinds[i].more ? kinds[i].more : "");
		ok(start(kinds[i].term, 24, 80, NULL, kinds[i].more), "%s: it starts",
		   kinds[i].term);
		keys(" ", "done", "runs");
		seen(has_colour() == kinds[i].colour,
		     kinds[i].colour ? "with colours" : "without colours");
		seen(vth_find(&h, "CTAs running") == 1, "shows a pane");
		keys("x", "q quit", "a key closes the card");
		leave_with("q");
	}
	for (int i = 0; i < 3; i++) {
		static const char *const term[] = {"xterm-256color", "xterm", "tmux-256color"};

		ok(start(term[i], 24, 80, NULL, "COLORTERM=truecolor"), "%s in true colour",
		   term[i]);
		keys(" ", "done", "runs");
		seen(colours_of_kind(-2) > 100, "in exact colours");
		keys("x", "q quit", "a key closes the card");
		keys("t", "theme high-contrast", "in another theme");
		keys("t", "theme light", "and another");
		seen(colours_of_kind(-2) > 100, "in exact colours again");
		seen(h.unknown == 0, "the terminal understood everything");
		leave_with("q");
	}
	ok(start("xterm-256color", 12, 40, NULL, NULL), "40x12: it starts");
	keys(" ", "done", "and runs");
	keys("f", "CTAs running", "a key closes the result");
	leave_with("q");
	ok(start("xterm-256color", 3, 10, NULL, NULL) || h.bytes > 0, "10x3: it starts too");
	leave_with("q");
}

static void
test_signals(void)
{
	const int signals[] = {SIGTERM,	 SIGHUP,  SIGQUIT, SIGPIPE, SIGXCPU,
			       SIGRTMIN, SIGABRT, SIGSEGV, SIGSYS};

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		int n = signals[i];
		diag("signal %d", n);
		ok(start("xterm-256color", 24, 80, "20", NULL), "it starts");
		vth_send(&h, " ");
		seen(text("Space pause", 20000), "and runs");
		child_signal(&h.child, n);
		bool ended = vth_wait_exit(&h, 20000);
		bool by_signal = WIFSIGNALED(h.child.status) && WTERMSIG(h.child.status) == n;
		bool by_status =
			WIFEXITED(h.child.status) && WEXITSTATUS(h.child.status) == 128 + n;
		seen(ended && (by_signal || by_status), "it ends by the signal, or says so");
		ok(!h.alternate && h.cursor, "the screen is left");
		ok(vth_modes_restored(&h), "the modes are restored");
		vth_close(&h);
	}
}

/* Inside a shell that has job control. */
static void
test_stop(void)
{
	char path[4200], script[16000];

	snprintf(script, sizeof(script),
		 "set -m; CTASCOPE_FAULT=slow=50 '%s' --tui -n -c '%s' '%s'; echo in the shell; "
		 "read x; fg >/dev/null; echo again; read x; fg >/dev/null; echo end $?; read x",
		 program, machine, find_trace("phase", path));
	ok(start_shell(script, "Nothing has run yet"), "under a shell");
	vth_send(&h, "\032");
	seen(text("in the shell", 20000), "Ctrl-Z goes to the shell");
	ok(!h.alternate && h.cursor, "the screen is left");
	keys("\r", "Nothing has run yet", "fg brings it back");
	ok(h.alternate, "on its screen");
	keys(" ", "Space pause", "it runs");
	h.rate = 20000; /* also on a slow line */
	vth_pump(&h, 500);
	vth_send(&h, "\032");
	seen(text("again", 20000) && !h.alternate, "and Ctrl-Z stops it there, too");
	vth_pump(&h, 1000);
	vth_send(&h, "\r");
	seen(text("Space pause", 20000), "fg lets it run on");
	remember_header();
	seen(vth_wait(&h, header_moved, 20000), "and the picture moves");
	h.rate = 0;
	vth_send(&h, "\032");
	seen(text("end 148", 20000) && !h.alternate, "until the next one");
	vth_close(&h);
}

/* ---------------------------------------------------------------- the pace */

/* Returns the cycle in the header. */
static unsigned long
cycle_now(void)
{
	char row[4096];
	const char *at = strstr(vth_row(&h, 0, row, sizeof(row)), "cycle ");
	unsigned long n = 0;

	for (at = at ? at + 6 : ""; *at == ',' || (*at >= '0' && *at <= '9'); at++)
		n = *at == ',' ? n : 10 * n + (unsigned long)(*at - '0');
	return n;
}

/* Watches a second of a run whose pace is 500 cycles/s: it must keep that pace and draw at least
 * ten pictures. */
static bool
keeps_pace(void)
{
	unsigned long from = cycle_now(), cycles;
	double began = clock_seconds(), seconds;
	unsigned pictures = 0;
	char row[4096];

	for (int i = 0; i < 20; i++) {
		remember_header();
		vth_pump(&h, 50);
		pictures += header_moved(&h);
	}
	cycles = cycle_now() - from;
	seconds = clock_seconds() - began;
	diag("%lu cycles in %.2f s, %u pictures: %s", cycles, seconds, pictures,
	     vth_row(&h, 0, row, sizeof(row)));
	return (double)cycles > 350 * seconds && (double)cycles < 800 * seconds && pictures >= 10;
}

/* A run with a limited pace: its speed, that it moves smoothly, that a key is answered at once. A
 * wrong pace fails every time, but a loaded machine also misses a right one at times: so there are
 * three tries. */
static void
test_pace(void)
{
	double began, seconds;
	bool kept = false;
	char row[4096], before[4096];

	ok(start("xterm-256color", 24, 80, NULL, NULL), "it starts, to go slowly");
	keys(":pace 500 cycles/s\r", "500 cyc/s", "a pace stands in the header");
	vth_send(&h, " ");
	seen(text("Space pause", 20000), "it runs");
	vth_pump(&h, 200);
	for (int tries = 0; tries < 3 && !kept; tries++)
		kept = keeps_pace();
	ok(kept, "500 cycles in a second, in ten pictures or more");
	vth_send(&h, ":why");
	seen(text("core 0) why", 20000), "one types while it runs");
	vth_row(&h, 23, before, sizeof(before));
	vth_pump(&h, 300);
	seen(strcmp(before, vth_row(&h, 23, row, sizeof(row))) != 0 && strstr(row, "core 0) why"),
	     "the prompt says the cycle of now");
	vth_send(&h, "\007>");
	seen(text("1,000 cyc/s", 20000), "> doubles it in the run");
	vth_send(&h, "<<<<<<<<<<<<");
	seen(text(" 1 cyc/s", 20000), "< halves it, down to a cycle a second");
	/* How long a key takes here, so that this time is not counted as a wait for a cycle. */
	began = clock_seconds();
	vth_send(&h, ">");
	text("2 cyc/s", 20000);
	vth_send(&h, "<");
	seen(text(" 1 cyc/s", 20000), "and once more");
	seconds = clock_seconds() - began;
	vth_send(&h, " ");
	seen(text("interrupted", (int)(1e3 * MAX(0.3, seconds))), "Space stops it at once");
	keys(":pace max\r", "Space run", "max");
	seen(vth_find(&h, "cyc/s") < 0, "is no pace to be shown");
	leave_with("q");
}

/* The installed program, on the first of the shipped workloads, or on none. */
static void
test_real(void)
{
	const char *real = getenv("CTASCOPE"), *src = getenv("srcdir");
	char pattern[4200];
	glob_t found = {0};

	if (!real || access(real, X_OK) < 0) {
		diag("no program to try: CTASCOPE is not set");
		return;
	}
	snprintf(pattern, sizeof(pattern), "%s/traces/*.ctr", src ? src : ".");
	bool loaded = glob(pattern, 0, NULL, &found) == 0;
	const char *const words[] = {real, "--tui",  "-n",
				     "-p", "dyncta", loaded ? found.gl_pathv[0] : NULL,
				     NULL};
	ok(start_command(40, 120, words, NULL, "q quit"), "%s starts on %s", real,
	   loaded ? found.gl_pathv[0] : "no workload");
	if (loaded) {
		vth_send(&h, " ");
		seen(text("gates", 20000), "it runs");
		vth_pump(&h, 500);
		vth_send(&h, "\003");
		vth_settle(&h);
		/* if it ended before the Ctrl-C, that only tells how to leave */
		seen(text(vth_find(&h, "q leaves") > 0 ? "done" : "Space run", 20000),
		     "and stops, or is done");
		vth_send(&h, "\033"); /* the card of a run that is done */
		vth_settle(&h);
	} else {
		seen(vth_find(&h, "No workload is loaded") > 0, "it says so");
	}
	leave_with("q");
	globfree(&found);
}

int
main(void)
{
	if (tap_skip_slow() || tap_skip(child_no_pty()))
		return done();
	find_program();
	if (access(program, X_OK) < 0) {
		ok(false, "no program %s", program);
		return done();
	}
	test_session();
	test_result();
	test_mouse();
	test_terminals();
	test_signals();
	test_stop();
	test_pace();
	test_real();
	return done();
}
