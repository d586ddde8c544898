/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pty.c - the program on a real terminal: start, run, pause, step, another size during a run,
 * completion, Ctrl-C and Ctrl-Z, signals, terminals of less ability.
 *
 * The program runs shipped workloads on the small machine of tests/small; where a run is to be
 * watched it is slowed down by the fault switch.
 */
#include "tests/tap.h"
#include "tests/vth.h"
#include <glob.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static struct vth h;
static char program[4096], machine[4200], home[4200], data[4200];
static char quick[4200], lengthy[4200]; /* workloads */
static char env_term[64], env_slow[64], env_more[64];

/* Starts the program; slow: microseconds per cycle, for a long run; more: one more environment
 * variable, or NULL.
 */
static bool
start(const char *term, int rows, int cols, const char *slow, const char *more)
{
	char *argv[] = {program, (char *)"--tui", (char *)"-n",		  (char *)"-c",
			machine, (char *)"-p",	  (char *)"dyncta+claso", slow ? lengthy : quick,
			NULL};
	char *env[] = {env_term, (char *)"LC_ALL=C.UTF-8", home, data, (char *)"INPUTRC=/dev/null",
		       env_slow, more ? env_more : NULL,   NULL};

	snprintf(env_slow, sizeof env_slow, "CTASCOPE_FAULT=%s%s", slow ? "slow=" : "",
		 slow ? slow : "");
	snprintf(env_term, sizeof env_term, "TERM=%s", term);
	if (more)
		snprintf(env_more, sizeof env_more, "%s", more);
	bool up = vth_start(&h, rows, cols, argv, env) && vth_wait_text(&h, "quit", 10000);
	vth_settle(&h);
	return up;
}

/* Shows the screen of a failure. */
static bool
seen(bool good, const char *what)
{
	if (!ok(good, "%s", what))
		vth_show(&h, stdout);
	return good;
}

static bool
text(const char *t, int ms)
{
	return vth_wait_text(&h, t, ms);
}

/* Sends keys and waits for a text. */
static void
keys(const char *bytes, const char *wanted, const char *what)
{
	vth_send(&h, bytes);
	bool found = text(wanted, 5000);
	vth_settle(&h);
	seen(found, what);
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

static void
quit_with(const char *bytes)
{
	vth_send(&h, bytes);
	bool ended = vth_wait_exit(&h, 5000);
	seen(ended && WIFEXITED(h.child.status) && WEXITSTATUS(h.child.status) == 0,
	     "it ends with status 0");
	ok(!h.alternate && h.cursor, "the screen is left, the cursor visible");
	ok(vth_modes_restored(&h), "the terminal's modes are as before");
	vth_close(&h);
}

static void
test_session(void)
{
	char row[4096];

	ok(start("xterm-256color", 24, 80, "20", NULL), "it starts");
	seen(h.alternate, "on the alternate screen");
	seen(vth_find(&h, "Nothing has run yet") > 0, "the first screen explains itself");
	seen(!h.cursor, "no cursor among the keys");
	keys("?", "What you see", "? shows the help");
	keys("q", "Nothing has run yet", "q leaves it");
	vth_send(&h, "s");
	bool stepped = text("cycle 1", 5000);
	vth_settle(&h);
	seen(stepped, "s steps a cycle");
	vth_send(&h, " ");
	seen(text("Space pause", 5000), "Space runs");
	vth_resize(&h, 43, 132);
	seen(text("running", 5000), "a larger window during the run is used");
	keys(" ", "stopped", "Space pauses");
	vth_resize(&h, 24, 80);
	seen(text("Space run", 5000), "and a smaller one");
	vth_settle(&h);
	seen(has_colour(), "in colours");
	keys(":info co", ") info co", "the command line");
	seen(h.cursor, "has the cursor");
	keys("\t", "completions", "Tab completes, with a list");
	keys("\003", "(ctascope", "Ctrl-C clears the line");
	seen(strstr(vth_row(&h, 23, row, sizeof row), "info") == NULL, "which is empty then");
	keys("print 6*7\r", "42", "Enter executes");
	vth_paste(&h, "print 1000+1\nprint 1000+2");
	vth_settle(&h);
	keys("\r", "1000+2 = 1002", "pasted lines run one by one at Enter");
	keys("\007", "? help", "Ctrl-G leaves the command line");
	vth_send(&h, "c");
	seen(text("Space pause", 5000), "c runs on");
	keys("\003", "Space run", "Ctrl-C pauses the run");
	vth_paste(&h, "qqq");
	vth_settle(&h);
	seen(vth_find(&h, ") qqq") == 23, "what is pasted among the keys is a line, not keys");
	keys("\003\007", "? help", "that can be dropped");
	vth_key(&h, VTERM_KEY_LEFT);
	seen(text("then ", 5000), "the left arrow goes back in time");
	vth_send(&h, "\033x");
	vth_settle(&h);
	seen(!child_ended(&h.child) && vth_find(&h, "? help") == 22,
	     "an unknown sequence does nothing");
	seen(h.unknown == 0, "the terminal understood everything");
	quit_with("q");
}

static void
test_result(void)
{
	ok(start("xterm-256color", 24, 80, NULL, NULL), "it starts again");
	keys(" ", "done", "the run goes to its end");
	vth_resize(&h, 14, 80);
	text("(ctascope", 1000);
	vth_settle(&h);
	keys(":info stats\r", ": PgDn PgUp", "a long result covers the panes");
	vth_key(&h, VTERM_KEY_PAGEDOWN);
	vth_settle(&h);
	seen(vth_find(&h, "(line 1 of") < 0, "and can be read on");
	keys("\r", "? help", "an empty line leaves the command line");
	keys("j", "? help", "the next key closes it");
	vth_resize(&h, 24, 80);
	vth_settle(&h);
	seen(vth_find(&h, "CTAs running") == 1, "the panes are back");
	keys(":theme mono\r", "theme mono", "a theme by command");
	seen(!has_colour(), "mono has no colours");
	keys("\025pane \t\t", "completions", "arguments of screen commands complete");
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
	quit_with("\025quit\r");
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

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		diag("TERM=%s %s", kinds[i].term, kinds[i].more ? kinds[i].more : "");
		ok(start(kinds[i].term, 24, 80, NULL, kinds[i].more), "%s: it starts",
		   kinds[i].term);
		keys(" ", "done", "runs");
		seen(has_colour() == kinds[i].colour,
		     kinds[i].colour ? "with colours" : "without colours");
		seen(vth_find(&h, "CTAs running") == 1, "shows a pane");
		quit_with("q");
	}
	ok(start("xterm-256color", 12, 40, NULL, NULL), "40x12: it starts");
	keys(" ", "done", "and runs");
	keys("f", "CTAs running", "a key closes the result");
	quit_with("q");
	ok(start("xterm-256color", 3, 10, NULL, NULL) || h.bytes > 0, "10x3: it starts too");
	quit_with("q");
}

static void
test_signals(void)
{
	static const int signals[] = {SIGTERM, SIGHUP, SIGABRT, SIGSEGV};

	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
		int n = signals[i];
		diag("signal %d", n);
		ok(start("xterm-256color", 24, 80, "20", NULL), "it starts");
		vth_send(&h, " ");
		seen(text("Space pause", 5000), "and runs");
		child_signal(&h.child, n);
		bool ended = vth_wait_exit(&h, 5000);
		bool by_signal = WIFSIGNALED(h.child.status) && WTERMSIG(h.child.status) == n;
		bool by_status =
			WIFEXITED(h.child.status) && WEXITSTATUS(h.child.status) == 128 + n;
		seen(ended && (by_signal || by_status), "it ends by the signal, or says so");
		ok(!h.alternate && h.cursor, "the screen is left");
		ok(vth_modes_restored(&h), "the modes are restored");
		vth_close(&h);
	}
}

/* With a shell that has job control around it. */
static void
test_stop(void)
{
	char script[16000];
	char *argv[] = {(char *)"/bin/sh", (char *)"-c", script, NULL};
	char *env[] = {(char *)"TERM=xterm-256color", (char *)"LC_ALL=C.UTF-8",	    home, data,
		       (char *)"INPUTRC=/dev/null",   (char *)"PATH=/usr/bin:/bin", NULL};

	snprintf(script, sizeof script,
		 "set -m; CTASCOPE_FAULT=slow=20 '%s' --tui -n -c '%s' '%s'; echo in the shell; "
		 "read x; fg >/dev/null; echo end $?; read x",
		 program, machine, lengthy);
	ok(vth_start(&h, 24, 80, argv, env) && text("Nothing has run yet", 10000), "under a shell");
	vth_settle(&h);
	vth_send(&h, "\032");
	seen(text("in the shell", 5000), "Ctrl-Z goes to the shell");
	ok(!h.alternate && h.cursor, "the screen is left");
	keys("\r", "Nothing has run yet", "fg brings it back");
	ok(h.alternate, "on its screen");
	keys(" ", "Space pause", "it runs");
	vth_send(&h, "\032");
	seen(text("end 148", 5000) && !h.alternate, "and Ctrl-Z stops it there, too");
	vth_close(&h);
}

/* The program as it is installed, on the first of the shipped workloads, or on none. */
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
	snprintf(pattern, sizeof pattern, "%s/traces/*.ctr", src ? src : ".");
	bool loaded = glob(pattern, 0, NULL, &found) == 0;
	char *argv[] = {(char *)real, (char *)"--tui",	(char *)"-n",
			(char *)"-p", (char *)"dyncta", loaded ? found.gl_pathv[0] : NULL,
			NULL};
	char *env[] = {(char *)"TERM=xterm-256color",
		       (char *)"LC_ALL=C.UTF-8",
		       home,
		       data,
		       (char *)"INPUTRC=/dev/null",
		       NULL};
	ok(vth_start(&h, 40, 120, argv, env) && text("q quit", 20000), "%s starts on %s", real,
	   loaded ? found.gl_pathv[0] : "no workload");
	vth_settle(&h);
	if (loaded) {
		vth_send(&h, " ");
		seen(text("gates", 20000), "it runs");
		vth_pump(&h, 500);
		vth_send(&h, "\003");
		vth_settle(&h);
		/* done before the Ctrl-C: then it only says how to leave */
		seen(text(vth_find(&h, "q leaves") > 0 ? "done" : "Space run", 20000),
		     "and stops, or is done");
	} else {
		seen(vth_find(&h, "No workload is loaded") > 0, "it says so");
	}
	quit_with("q");
	globfree(&found);
}

int
main(void)
{
	const char *build = getenv("builddir"), *src = getenv("srcdir");

	if (tap_skip_slow() || tap_skip(child_no_pty()))
		return done();
	snprintf(program, sizeof program, "%s/tests/small/ctascope-fault", build ? build : ".");
	snprintf(machine, sizeof machine, "%s/tests/small/small.machine", src ? src : ".");
	snprintf(quick, sizeof quick, "%s/traces/uneven.ctr", src ? src : ".");
	snprintf(lengthy, sizeof lengthy, "%s/traces/phase.ctr", src ? src : ".");
	snprintf(home, sizeof home, "HOME=%s/tests/home", build ? build : ".");
	snprintf(data, sizeof data, "CTASCOPE_DATADIR=%s", src ? src : ".");
	if (access(program, X_OK) < 0) {
		ok(false, "no program %s", program);
		return done();
	}
	test_session();
	test_result();
	test_terminals();
	test_signals();
	test_stop();
	test_real();
	return done();
}
