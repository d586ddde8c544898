/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * begin_pty.c - the start of the screen: screen commands in -e, -x and the config file, and the
 * options --layout, --pane, --pace, --reference and --watch, wait until it is shown.
 */
#include "tests/tui/on_terminal.h"

#include <sys/stat.h>

static char workload[4200], config[4200], state[4200], folder[4100];

/* Starts the program with these words after its name, and waits for a text. */
static bool
start(const char *const *words, const char *wanted, const char *what)
{
	return seen(start_program(24, 80, words, (const char *const[]){config, state, NULL},
				  wanted),
		    what);
}

/* Starts the screen of dyncta with these words after the usual ones. */
static bool
start_dyncta(const char *const *more)
{
	char *words[MOST_WORDS] = {(char *)"-c", machine, (char *)"-p", (char *)"dyncta", workload};

	add_words(words, more);
	return start((const char *const *)words, "RACT", "the screen comes up");
}

static void
test_eval(void)
{
	static const char *const args[] = {"-n",	"-e", "layout watch", "-e",
					   "pace auto", "-e", "advance 3000", "-e",
					   "core 2",	NULL};

	if (start_dyncta(args)) {
		keys("", "mean n", "-e 'layout watch' is done by the screen,");
		keys("", " auto ", "-e 'pace auto' as well,");
		keys("", "3,000 core 2)", "and the other -e have been executed");
		leave_with("q");
	}
}

static void
test_options(void)
{
	static const char *const args[] = {"-n",	   "--layout", "single",      "--pane",
					   "ract",	   "--pace",   "4 periods/s", "-e",
					   "advance 3000", NULL};
	static const char *const watch[] = {"-n", "--watch", "-e", "advance 3000", NULL};
	static const char *const wrong[] = {"-n", "-e", "layout wathc", NULL};

	if (start_dyncta(args)) {
		keys("", "RACT", "--pane is in front");
		keys("", "4 per/s", "--pace is set");
		leave_with("q");
	}
	if (start_dyncta(watch)) {
		keys("", "mean n", "--watch shows a policy converging,");
		keys("", " auto ", "slow while limits change,");
		keys("", "Space pause", "at once,");
		keys(" ", "Space run", "until Space");
		keys(":info reference\r", "static:n=1", "against the best static limit");
		keys("q", "q quit", "the line of keys again");
		leave_with("q");
	}
	if (start_dyncta(wrong)) {
		keys("", "layout: expected one of auto", "a wrong word is told on the screen");
		leave_with("q");
	}
}

static bool
write_config(const char *text)
{
	char path[4300];
	FILE *f;

	snprintf(path, sizeof(path), "%s/ctascope", folder);
	mkdir(folder, 0700);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/ctascope/config", folder);
	f = fopen(path, "w");
	return f && fputs(text, f) >= 0 && fclose(f) == 0;
}

static void
test_config_file(void)
{
	static const char *const none[] = {NULL};
	const char *const plain[] = {"-c", machine, workload, "--tui=never", NULL};

	ok(write_config("layout watch\npace auto\nreference static\nfold max\n"), "a config file");
	if (start_dyncta(none)) {
		seen(vth_find(&h, " auto ") == 0, "the pace of the config file holds");
		keys("n", "mean n", "and its layout");
		leave_with("q");
	}
	if (start(plain, "(ctascope 0", "a plain prompt")) {
		seen(vth_find(&h, "layout") < 0, "says nothing about the config file");
		keys("pane gates\r", "pane: takes effect when 'tui' opens the screen",
		     "a typed screen command waits");
		keys("tui\r", "Nothing has run yet", "tui shows the screen");
		keys("?/active pane: gates\r", "'active pane: gates', line",
		     "with the pane in front");
		vth_send(&h, "?");
		leave_with("q");
	}
}

/* Without a workload three lists come first. */
static void
test_launcher(void)
{
	static const char *const none[] = {"-n", NULL};

	if (!start(none, "type to filter", "the launcher opens"))
		return;
	keys("phase\tdyn", "▸dyncta", "letters filter the lists");
	keys("\r", "(ctascope 0 core 0)", "Enter loads the workload");
	keys("n", "2,048", "which runs");
	keys(":load\r", "type to filter", "load opens the lists again");
	keys("\033", "q quit", "Escape leaves them");
	vth_send(&h, "\020sub\r");
	vth_settle(&h);
	seen(vth_find(&h, "type to search") < 0, "Ctrl-P and Enter show a pane");
	leave_with("q");
	if (start(none, "type to filter", "again")) {
		keys("\033", "No workload is loaded",
		     "Escape leaves to a page that says what to do");
		leave_with("q");
	}
}

int
main(void)
{
	const char *build = getenv("builddir");

	if (tap_skip_slow() || tap_skip(child_no_pty()))
		return done();
	find_program();
	find_trace("phase", workload);
	snprintf(folder, sizeof(folder), "%s/tests/tui/begin.config", build ? build : ".");
	snprintf(config, sizeof(config), "XDG_CONFIG_HOME=%s", folder);
	snprintf(state, sizeof(state), "XDG_STATE_HOME=%s", folder);
	test_eval();
	test_options();
	test_config_file();
	test_launcher();
	return done();
}
