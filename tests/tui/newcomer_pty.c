/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * newcomer_pty.c - what new users of the screen tried, key by key, and what they must not meet: a
 * pane that is active and not seen, a time axis below a pane without time, decisions of a policy
 * that has gone, progress that stays after the answer, numbers that kernels push off the axis.
 */
#include "tests/tui/on_terminal.h"

#include <string.h>
#include <unistd.h>

static bool
absent(const char *text)
{
	return vth_find(&h, text) < 0;
}

static void
test_panes(void)
{
	keys(":advance 6000\r", "cycle 6,000", "some cycles");
	keys("5", "warps of core 0", "5 shows the warps at a stop,");
	seen(absent("no warp") && vth_find(&h, "mmmm") > 0, "which are not blank");
	keys(":layout 6\r", "source phase", "6 the source,");
	seen(vth_find(&h, "ready") > 0 && vth_find(&h, "dependence") > 0, "with its times");
	keys("1:pane policy\r\007", "\u25b8policy dyncta", "another pane");
	keys("6", "\u25b8source phase", "gives way to a layout,");
	keys("9:pane core\r", "\u25b8core 0", "and is seen where it is active");
	keys("1:pane map\r", "by number", "the map");
	seen(absent("2k"), "has no time axis below it,");
	keys(":pane big\r", "limit n", "nor have the large numbers");
	seen(absent("2k"), "one");
	keys("1", "2k", "which strips have");
	seen(absent("credits"), "without credits the core has no line about them");
	keys("C", "no stop is set", "C without a stop says so");
}

static void
test_cursor(void)
{
	keys("[", "then 384", "[ goes to the last decision that changed core 0,");
	keys("[[", "then 128", "and to those before it");
	keys("w", "why core 0 at 128", "w explains that core and cycle");
	seen(vth_find(&h, "then 128") == 0, "where the cursor stays");
	keys("q", "q quit", "the answer is closed");
	keys("f", "cycle 6,000", "at the newest");
	keys(":goto 3000\r", "cycle 3,000 of 6,000", "another place");
	keys("\177", "6,000 core 0)", "Backspace goes back to the one before");
}

static void
test_policy(void)
{
	keys("E", "reference", "rr is measured");
	keys("9", "x as fast as rr so far", "a factor before the end is called so far");
	keys(":set dyncta.t_mem_h 70\r", "dyncta.t_mem_h 60 -> 70", "set confirms a change");
	keys(":set policy static:n=2\r", "6,000 changed static:n=2",
	     "the pane policy marks another policy,");
	seen(vth_find(&h, " to 5,888") > 0, "where the decisions of the one before have an end,");
	keys("1:advance 12000\r", "\u25bcstatic:n=2", "and so does the axis");
}

/* A command without ':' opens the command line; one that is typed during a run is still there after
 * it. */
static void
test_typing(void)
{
	keys("step 5", "core 0) step 5", "a command typed as at a prompt opens the command line,");
	seen(vth_find(&h, "'step' is read as a command") > 0, "which a message explains");
	keys("\r", "(ctascope 6 core 0", "and is done, after the step of its first letter");
	keys(":set dyncta.t_mem_h 70\r", "60 -> 70", "a change");
	keys("undo", "u undid is made again", "a typed undo takes back that u is a key, too,");
	keys("\r", "dyncta.t_mem_h is 60 again", "and is done once");
	keys("core 2", ") core 2", "a command that begins with c, which runs,");
	seen(text("the run is back at cycle", 20000), "returns to where the run was");
	keys("\r", "core 2)", "and is done");
	keys(":core 0\r", "core 0)", "the first core again");
	keys(":break 10000\r", "stop 1", "a stop, for the end of a run");
	vth_send(&h, "c");
	keys(":print 6*7", ") print 6*7", "a command that is typed during a run");
	seen(text("stopped: cycle 10,000", 60000), "when the run ends");
	keys("\r", "6*7 = 42", "is whole");
	keys("\033", "q quit", "no answer is open");
}

/* Returns the column at which the text begins, -1: it is not on the screen. */
static int
column_of(const char *wanted)
{
	char row[8192];
	int y = vth_find(&h, wanted);

	return y < 0 ? -1 : (int)(strstr(vth_row(&h, y, row, sizeof(row)), wanted) - row);
}

/* An error whose answer covers the panes has the sentence once, and the keys below it; a caret is
 * below the text it points to. */
static void
test_messages(void)
{
	char row[8192];

	keys(":print foo\r", "^~~", "an error in an expression");
	ok(strstr(vth_row(&h, 22, row, sizeof(row)), " Esc q Enter close"),
	   "leaves the row of keys to those of the answer: %s", row);
	ok(vth_find(&h, "unknown name 'foo'") >= 0, "and has the sentence itself");
	keys("q:print core.1.n + core.2.n + core.3.n + core.0.n + core.1.n + nosuch + core.2.n + "
	     "core.3.n\r",
	     "^~~", "an expression that is longer than the screen is wide");
	ok(column_of("nosuch +") >= 0 && column_of("nosuch +") == column_of("^~~~~~"),
	   "has its caret below the mistake: %d, %d", column_of("nosuch +"), column_of("^~~~~~")) ||
		(vth_show(&h, stdout), 0);
	seen(text("Esc closes", 1000), "and a title that says how to close it");
	keys("q:why core 0\r", "otherwise", "why has a sentence that is longer than a row,");
	ok(column_of("with c_mem") == column_of("have applied"),
	   "which continues below its beginning: %d, %d", column_of("with c_mem"),
	   column_of("have applied")) ||
		(vth_show(&h, stdout), 0);
	keys("q", "q quit", "the answer is closed");
}

/* Two kernels at once on 30 cores, in every pane and at other sizes. */
static void
test_two_kernels(void)
{
	static const char *const panes[] = {"ctas",    "ract",	  "credits",  "gates",	   "heat",
					    "plot",    "classes", "converge", "slots",	   "grid",
					    "kernels", "policy",  "core",     "decisions", "period",
					    "map",     "warps",	  "source",   "l1",	   "log",
					    "summary", "knobs",	  "big"};
	static const struct {
		int rows, cols;
	} sizes[] = {{12, 40}, {60, 200}, {24, 80}};
	char path[4200], line[80];
	const char *const words[] = {"--tui",
				     "-n",
				     "-c",
				     "kayiran30",
				     "-p",
				     "dyncta",
				     "-s",
				     "gpu.concurrent_kernels=8",
				     find_trace("pair", path),
				     "-e",
				     "advance 9000",
				     NULL};

	if (!seen(start_program(24, 80, words, NULL, "cycle 9,000"), "two kernels at once"))
		return;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		unsigned shown = 0;

		vth_resize(&h, sizes[i].rows, sizes[i].cols);
		vth_settle(&h);
		for (size_t k = 0; k < sizeof(panes) / sizeof(*panes); k++) {
			snprintf(line, sizeof(line), ":pane %s\r", panes[k]);
			vth_send(&h, "\033");
			vth_settle(&h);
			vth_send(&h, line);
			vth_settle(&h);
			shown += text("\u25b8", 20000) && absent("no pane") && text("9,000", 1000);
		}
		ok(shown == sizeof(panes) / sizeof(*panes), "%dx%d: every pane is shown",
		   sizes[i].cols, sizes[i].rows) ||
			(vth_show(&h, stdout), 0);
	}
	seen(vth_find(&h, "core 0: 2 -> 1") > 0 && absent("2 -> 1, C_mem 1 "),
	     "a decision that has no room loses whole parts, and no part of a number");
	leave_with("q");
}

/* Progress appears after a second and is gone with the answer. */
static void
test_progress(void)
{
	keys(":break limit\rc", "stopped: limit", "a decision");
	vth_send(&h, ":flip stay --for 3000\r");
	seen(text(" s left", 20000), "flip takes a while,");
	keys("", "Enter close", "and answers");
	seen(absent(" s left"), "which takes its progress away");
	keys("q", "q quit", "the answer is closed");
	vth_send(&h, ":compare main flip1 --for 3000\r");
	seen(text(" s left", 20000), "a comparison, too,");
	keys("", "Enter close", "answers");
	seen(absent(" s left") && absent("through time"), "and leaves no progress");
}

/* Returns the number of cycles named on the time axis, "50k". */
static unsigned
count_ticks(void)
{
	char row[8192];
	unsigned n = 0;
	int y = vth_find(&h, "100k");

	if (y < 0)
		return 0;
	for (char *p = vth_row(&h, y, row, sizeof(row)) ? row : row; (p = strchr(p, 'k')); p++)
		n += p > row && p[-1] == '0' && p[1] != 'B';
	return n;
}

/* 13 kernels within 150,000 cycles. */
static void
test_kernels(void)
{
	const char *build = getenv("builddir");
	char trace[4200];
	const char *const words[] = {"--tui", "-n",  "-c", "tcs28",	     "-p",
				     "tcs",   trace, "-e", "advance 150000", NULL};

	snprintf(trace, sizeof(trace), "%s/traces/short/bfs.ctr", build ? build : ".");
	if (access(trace, R_OK) != 0) {
		ok(true, "# skip %s is not recorded here", trace);
		return;
	}
	if (!seen(start_program(40, 100, words, NULL, "cycle 150,000"), "a run of many kernels"))
		return;
	for (int cols = 100; cols <= 120; cols += 4) {
		vth_resize(&h, 40, cols);
		keys("f", "cycle 150,000", "at another width");
		unsigned n = count_ticks();
		ok(n >= 2, "%d columns: the axis names %u cycles", cols, n) ||
			(vth_show(&h, stdout), 0);
	}
	leave_with("q");
}

/* A line of progress that is longer than the terminal is cut, as one that wraps is repeated. */
static void
test_narrow(void)
{
	char path[4200], row[400];
	unsigned rows = 0;
	const char *const words[] = {
		"-b", "-n",  "-c", machine, "-p", "rr", find_trace("phase", path),
		"-e", "run", NULL};
	static const char *const slow[] = {"CTASCOPE_FAULT=slow=20", NULL};

	if (!seen(start_program(24, 20, words, slow, "%  cycle"), "progress on 20 columns"))
		return;
	vth_pump(&h, 500);
	for (int y = 0; y < h.rows; y++)
		rows += strstr(vth_row(&h, y, row, sizeof(row)), "%  cycle") != NULL;
	ok(rows == 1, "in one row: %u", rows) || (vth_show(&h, stdout), 0);
	vth_send(&h, "\003");
	vth_wait_exit(&h, 20000);
	vth_close(&h);
}

int
main(void)
{
	if (tap_skip_slow() || tap_skip(child_no_pty()))
		return done();
	find_program();
	if (seen(start_screen("phase", "dyncta", ""), "it starts")) {
		test_panes();
		test_cursor();
		test_messages();
		test_policy();
		vth_send(&h, "q");
		text("leave?", 20000);
		leave_with("y\r");
	}
	if (seen(start_screen("phase", "dyncta", "slow=300"), "it starts, slowly")) {
		test_progress();
		vth_send(&h, "q");
		vth_settle(&h);
		vth_send(&h, "q");
		text("leave?", 20000);
		leave_with("y\r");
	}
	if (seen(start_screen("phase", "dyncta", "slow=300"), "it starts again")) {
		test_typing();
		vth_send(&h, "q");
		text("leave?", 20000);
		leave_with("y\r");
	}
	test_kernels();
	test_two_kernels();
	test_narrow();
	return done();
}
