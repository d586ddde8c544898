/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * begin_pty.c - the start of the screen: screen commands in -e, -x and the config file, and the
 * options --layout, --pane, --pace, --reference and --watch, wait until it is shown.
 */
#include "tests/tap.h"
#include "tests/vth.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>

static struct vth h;
static char program[4096], machine[4200], workload[4200], home[4200], data[4200];
static char config[4200], state[4200], folder[4100];

static bool
seen(bool good, const char *what)
{
	if (!ok(good, "%s", what))
		vth_show(&h, stdout);
	return good;
}

static bool
shows(const char *wanted, const char *what)
{
	bool found = vth_wait_text(&h, wanted, 20000);

	vth_settle(&h);
	return seen(found, what);
}

/* Starts the program with these arguments after the usual ones; NULL ends them. */
static bool
start(int rows, int cols, const char *const *more)
{
	char *argv[32] = {program, (char *)"-c", machine, (char *)"-p", (char *)"dyncta", workload};
	char *env[] = {(char *)"TERM=xterm-256color",
		       (char *)"LC_ALL=C.UTF-8",
		       home,
		       data,
		       config,
		       state,
		       (char *)"INPUTRC=/dev/null",
		       NULL};
	int n = 6;

	while (*more)
		argv[n++] = (char *)(uintptr_t)*more++;
	return vth_start(&h, rows, cols, argv, env) && shows("RACT", "the screen comes up");
}

static void
leave(void)
{
	vth_send(&h, "q");
	seen(vth_wait_exit(&h, 20000) && WIFEXITED(h.child.status) &&
		     WEXITSTATUS(h.child.status) == 0,
	     "q ends it with status 0");
	vth_close(&h);
}

static void
test_eval(void)
{
	static const char *const args[] = {"-n",	"-e", "layout watch", "-e",
					   "pace auto", "-e", "advance 3000", "-e",
					   "core 2",	NULL};

	if (start(24, 80, args)) {
		shows("mean n", "-e 'layout watch' is done by the screen,");
		shows(" auto ", "-e 'pace auto' as well,");
		shows("3,000 core 2)", "and the other -e have been executed");
		leave();
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

	if (start(24, 80, args)) {
		shows("RACT", "--pane is in front");
		shows("4 per/s", "--pace is set");
		leave();
	}
	if (start(24, 80, watch)) {
		shows("mean n", "--watch shows a policy converging,");
		shows(" auto ", "slowly while limits change,");
		shows("Space pause", "at once,");
		vth_send(&h, " ");
		shows("Space run", "until Space");
		vth_send(&h, ":info reference\r");
		shows("static:n=1", "against the best static limit");
		vth_send(&h, "q"); /* closes the answer */
		shows("q quit", "the line of keys again");
		leave();
	}
	if (start(24, 80, wrong)) {
		shows("layout: expected one of auto", "a wrong word is told on the screen");
		leave();
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
	static const char *const plain[] = {"--tui=never", NULL};
	char *argv[] = {program, (char *)"-c", machine, workload, (char *)plain[0], NULL};
	char *env[] = {(char *)"TERM=xterm-256color",
		       (char *)"LC_ALL=C.UTF-8",
		       home,
		       data,
		       config,
		       state,
		       (char *)"INPUTRC=/dev/null",
		       NULL};

	ok(write_config("layout watch\npace auto\nreference static\nfold max\n"), "a config file");
	if (start(24, 80, none)) {
		seen(vth_find(&h, " auto ") == 0, "the pace of the config file holds");
		vth_send(&h, "n");
		shows("mean n", "and its layout");
		leave();
	}
	if (vth_start(&h, 24, 80, argv, env) && shows("(ctascope 0", "a plain prompt")) {
		seen(vth_find(&h, "layout") < 0, "says nothing about the config file");
		vth_send(&h, "pane gates\r");
		shows("pane: waits until 'tui' shows the screen", "a typed screen command waits");
		vth_send(&h, "tui\r");
		shows("Nothing has run yet", "tui shows the screen");
		vth_send(&h, "?/active pane: gates\r");
		shows("'active pane: gates', line", "with the pane in front");
		vth_send(&h, "?");
		leave();
	}
}

/* Without a workload three lists come first. */
static void
test_launcher(void)
{
	char *argv[] = {program, (char *)"-n", NULL};
	char *env[] = {(char *)"TERM=xterm-256color",
		       (char *)"LC_ALL=C.UTF-8",
		       home,
		       data,
		       config,
		       state,
		       (char *)"INPUTRC=/dev/null",
		       NULL};

	if (!vth_start(&h, 24, 80, argv, env) || !shows("type to filter", "the launcher opens"))
		return;
	vth_send(&h, "phase\tdyn");
	shows("▸dyncta", "letters filter the lists");
	vth_send(&h, "\r");
	shows("(ctascope 0 core 0)", "Enter loads the workload");
	vth_send(&h, "n");
	shows("2,048", "which runs");
	vth_send(&h, ":load\r");
	shows("type to filter", "load opens the lists again");
	vth_send(&h, "\033");
	shows("q quit", "Escape leaves them");
	vth_send(&h, "\020sub\r");
	vth_settle(&h);
	seen(vth_find(&h, "type to search") < 0, "Ctrl-P and Enter show a pane");
	leave();
	if (vth_start(&h, 24, 80, argv, env) && shows("type to filter", "again") &&
	    (vth_send(&h, "\033"),
	     shows("No workload is loaded", "Escape leaves to a page that says what to do"))) {
		leave();
	}
}

int
main(void)
{
	const char *build = getenv("builddir"), *src = getenv("srcdir");

	if (tap_skip_slow() || tap_skip(child_no_pty()))
		return done();
	snprintf(program, sizeof(program), "%s/tests/small/ctascope-fault", build ? build : ".");
	snprintf(machine, sizeof(machine), "%s/tests/small/small.machine", src ? src : ".");
	snprintf(workload, sizeof(workload), "%s/traces/phase.ctr", src ? src : ".");
	snprintf(home, sizeof(home), "HOME=%s/tests/home", build ? build : ".");
	snprintf(data, sizeof(data), "CTASCOPE_DATADIR=%s", src ? src : ".");
	snprintf(folder, sizeof(folder), "%s/tests/tui/begin.config", build ? build : ".");
	snprintf(config, sizeof(config), "XDG_CONFIG_HOME=%s", folder);
	snprintf(state, sizeof(state), "XDG_STATE_HOME=%s", folder);
	test_eval();
	test_options();
	test_config_file();
	test_launcher();
	return done();
}
