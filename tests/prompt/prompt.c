/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prompt.c - the plain prompt on a terminal of its own: completion, history, Ctrl-C, signals, ends.
 *
 * The program runs a long workload on the small machine, slowed down by the fault switch
 * (tests/small); what it writes is read as it comes and searched for what is expected.
 */
#include "ctascope/base.h"
#include "base/clock.h"
#include "base/signals.h"
#include "tests/child.h"
#include "tests/tap.h"

#include <glob.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

struct term {
	int fd;
	struct child child;
	char text[65536];
	size_t n, at; /* searched so far */
};

static const char *term_name = "xterm";
static char program[4096], machine[4096], workload[4096], home[] = "/tmp/ctascope-prompt.XXXXXX";

/* The words of before, if any, are the program that starts ours. */
static struct term *
start_under(const char *const *before, struct winsize size, const char *const *args)
{
	const char *const first[] = {program, "-n", "-c", machine};
	struct term *t = calloc(1, sizeof(*t));
	char *argv[32] = {NULL};
	int n = 0;

	for (; before && *before; before++)
		argv[n++] = (char *)(uintptr_t)*before;
	for (size_t i = 0; i < ARRAY_LEN(first); i++)
		argv[n++] = (char *)(uintptr_t)first[i];
	for (; *args; args++)
		argv[n++] = (char *)(uintptr_t)*args;
	argv[n++] = workload;
	if (child_fork_on_pty(&t->child, &t->fd, &size) == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
		setenv("TERM", term_name, 1);
		setenv("HOME", home, 1);
		unsetenv("XDG_STATE_HOME");
		setenv("INPUTRC", "/dev/null", 1);
		execv(argv[0], argv);
		_exit(127);
	}
	return t;
}

static struct term *
start_in_window(struct winsize size, const char *const *args)
{
	return start_under(NULL, size, args);
}

static struct term *
start(const char *const *args)
{
	return start_in_window((struct winsize){24, 80, 0, 0}, args);
}

/* What has come, behind what came before; false when there was nothing. */
static bool
more(struct term *t, int ms)
{
	struct pollfd p = {t->fd, POLLIN, 0};
	ssize_t n;

	if (poll(&p, 1, ms) <= 0)
		return false;
	n = read(t->fd, t->text + t->n, sizeof(t->text) - 1 - t->n);
	t->n += n > 0 ? (size_t)n : 0;
	return n > 0;
}

/* Only to end a hang, in seconds. */
#define LONG 60

/* Reads until text has appeared behind what was expected before; false after LONG. */
static bool
expect(struct term *t, const char *text)
{
	double end = clock_seconds() + LONG;

	for (;;) {
		char *found = strstr(t->text + t->at, text);

		if (found) {
			t->at = (size_t)(found - t->text) + strlen(text);
			return true;
		}
		if (clock_seconds() > end || t->n + 1 == sizeof(t->text))
			break;
		if (!more(t, 100))
			usleep(1000); /* nothing yet, or nothing any more */
	}
	tap_show("seen instead:", t->text + t->at);
	return false;
}

static void
type(struct term *t, const char *keys)
{
	if (write(t->fd, keys, strlen(keys)) < 0)
		diag("cannot type");
}

/* The exit status as a shell tells it; -1 when it does not end. */
static int
ended(struct term *t)
{
	double end = clock_seconds() + LONG;
	size_t from = t->n;
	int status;

	while (!child_ended(&t->child)) {
		if (clock_seconds() > end) {
			child_kill(&t->child);
			return -1;
		}
		if (!more(t, 20))
			usleep(10000);
	}
	while (more(t, 50))
		continue;
	status = t->child.status;
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		tap_show("last words:", t->text + from);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void
finish(struct term *t)
{
	close(t->fd);
	free(t);
}

static void
keys(void)
{
	struct term *t = start((const char *[]){"--tui=never", "-p", "dyncta", NULL});

	ok(expect(t, "(ctascope 0 core 0) "), "the prompt");
	type(t, "adv\t64\r");
	ok(expect(t, "stopped: cycle 64"), "Tab completes a command and puts a blank");
	ok(expect(t, "(ctascope 64 core 0) "), "the next prompt comes after the answer");
	type(t, "st\r");
	ok(expect(t, "stopped: cycle 65"), "a prefix");
	type(t, "\r");
	ok(expect(t, "stopped: cycle 66"), "Enter steps again");
	type(t, "print core.1.ct\t\r");
	ok(expect(t, "core.1.ctas = "), "Tab completes a path");
	type(t, "break cta-\t\t");
	ok(expect(t, "cta-done") && expect(t, "cta-issue"), "Tab lists what there is");
	type(t, "\003");
	ok(expect(t, "^C") && expect(t, "(ctascope 66 core 0) "), "Ctrl-C gives the line up");
	type(t, " print 77\r");
	ok(expect(t, "77 = 77"), "a line with a blank in front");
	type(t, "print 5\r");
	ok(expect(t, "5 = 5"), "typed once");
	type(t, "print 5\r");
	ok(expect(t, "5 = 5"), "typed twice");
	type(t, "\033[A\033[A\r");
	ok(expect(t, "core.1.ctas = "), "the arrow finds what was typed before, each once");
	type(t, "\022\030a");
	usleep(50000);
	type(t, "\022\030\026\022p\030a\001\013print 6*7\r");
	ok(expect(t, "= 42"), "Ctrl-X in a search ends it, and nothing else");
	type(t, "\033[200~step\nstep\033[201~\r");
	ok(expect(t, "stopped: cycle 68"), "pasted lines are executed one by one");
	expect(t, "core 0) ");
	type(t, "quit 3\r");
	is_u64((uint64_t)ended(t), 3, "quit has a status");
	finish(t);
}

/* The kernel lets Ctrl-Z stop only a process whose parent is in the same session: a shell with job
 * control. */
static void
stop(void)
{
	static const char script[] =
		"set -m; \"$@\"; echo in the shell; read x; fg >/dev/null; exit $?";
	const char *const shell[] = {"/bin/sh", "-c", script, "sh", NULL};
	struct term *t = start_under(shell, (struct winsize){24, 80, 0, 0},
				     (const char *[]){"--tui=never", NULL});

	expect(t, "core 0) ");
	type(t, "prin");
	expect(t, "prin"); /* the terminal drops what was not read when Ctrl-Z comes */
	type(t, "\032");
	ok(expect(t, "in the shell"), "Ctrl-Z goes to the shell");
	type(t, "\r");
	ok(expect(t, "core 0) prin"), "fg shows the line again");
	type(t, "t 9\r");
	ok(expect(t, "9 = 9"), "and keeps it");
	type(t, "quit 3\r");
	is_u64((uint64_t)ended(t), 3, "the shell gets the status");
	finish(t);
}

/* What is measured beside the session is said above the line being typed. */
static void
beside(void)
{
	struct term *t = start((const char *[]){"--tui=never", "-p", "dyncta", NULL});

	expect(t, "(ctascope 0 core 0) ");
	type(t, "advance 600\r");
	expect(t, "core 0) ");
	type(t, "blame 0\r");
	ok(expect(t, "blame: measuring core 0 in the background"),
	   "blame gives the prompt back");
	expect(t, "core 0) ");
	type(t, "print 4");
	ok(expect(t, "blame: core 0, "), "and says by itself when it has come to its end");
	ok(expect(t, "core 0) print 4"), "above the line being typed");
	type(t, "2\r");
	ok(expect(t, "42 = 42"), "which goes on");
	type(t, "info blame\r");
	ok(expect(t, "core 0 on main, cycles 0 to 600"), "and shows what it found");
	type(t, "q\r");
	is_u64((uint64_t)ended(t), 0, "and that is all");
	finish(t);
}

static void
constructs(void)
{
	struct term *t = start((const char *[]){"--tui=never", NULL});

	expect(t, "core 0) ");
	type(t, "set $i = 0\rwhile $i < 3\r");
	ok(expect(t, "core 0) while") && expect(t, "h > "), "a prompt for the lines of a while");
	type(t, "if $i == 1\r");
	ok(expect(t, "h  > "), "further in");
	type(t, "printf \"%d is %s\\n\", $i, \"one\"\rend\rset $i = $i + 1\rend\r");
	ok(expect(t, "\r1 is one") && expect(t, "core 0) "), "which is done at its end");
	type(t, "while 1\recho never\r");
	expect(t, "echo never");
	expect(t, " > "); /* before that it is the line being taken that Ctrl-C would end */
	type(t, "\003");
	ok(expect(t, "^C") && expect(t, "(ctascope 0 core 0) "), "Ctrl-C gives a construct up");
	type(t, "while 1\rset $i = $i + 1\rif $i == 9\recho going\rend\rend\r");
	expect(t, "\rgoing"); /* before that it is the construct that Ctrl-C would give up */
	type(t, "\003");
	ok(expect(t, "stopped: interrupted") && expect(t, "core 0) "), "and ends a loop");
	type(t, "if $i > 3\recho it ran\rend\r");
	ok(expect(t, "\rit ran"), "that was under way");
	type(t, "define foo\recho old\rend\rdefine foo\r");
	ok(expect(t, "replace it? (y or n) "), "a definition is replaced");
	type(t, "y\recho new\rend\rfoo\r");
	ok(expect(t, "\rnew"), "when it is meant");
	type(t, "q\r");
	is_u64((uint64_t)ended(t), 0, "q quits");
	finish(t);
}

static void
runs(void)
{
	struct term *t = start((const char *[]){"--tui=never", NULL});

	expect(t, "core 0) ");
	type(t, "run\r");
	ok(expect(t, "s left"), "a long run says how long it may take");
	type(t, "\003");
	ok(expect(t, "stopped: interrupted, cycle ") && expect(t, "core 0) "),
	   "Ctrl-C stops it and gives the prompt back");
	size_t from = t->at;
	type(t, "step\r");
	ok(expect(t, "stopped: cycle "), "it can go on");
	ok(!strstr(t->text + from, "^C"), "and was asked for once");
	type(t, "\033[200~continue\nprint 6*7\033[201~\r");
	ok(expect(t, "s left"), "pasted lines, and the first is long");
	from = t->at;
	type(t, "\003");
	ok(expect(t, "stopped: interrupted") && expect(t, "core 0) "), "Ctrl-C ends it");
	type(t, "continue\r");
	expect(t, "s left");
	ok(!strstr(t->text + from, "= 42"), "and what was pasted behind it");
	child_signal(&t->child, SIGUSR1);
	ok(expect(t, "gpu.cycles"), "SIGUSR1 says the statistics");
	type(t, "\003");
	ok(expect(t, "stopped: interrupted") && expect(t, "core 0) "), "and the run went on");
	child_signal(&t->child, SIGUSR1);
	ok(expect(t, "gpu.cycles") && expect(t, "core 0) "), "at the prompt as well");
	type(t, "pace 100 cycles/s\r");
	expect(t, "core 0) ");
	type(t, "continue\r");
	from = t->at;
	ok(expect(t, "pace 100 cycles/s"), "a run that is held back says its pace");
	ok(!strstr(t->text + from, "left"), "and not how long it may take");
	type(t, "\003");
	expect(t, "core 0) ");
	type(t, "if 1\rwhile 1\r");
	ok(expect(t, "  > "), "lines of a construct");
	type(t, "\004");
	ok(expect(t, "'if' was cancelled; its lines were not executed") && expect(t, "core 0) "),
	   "which Ctrl-D gives up");
	type(t, "\004");
	is_u64((uint64_t)ended(t), 0, "the end of input quits");
	finish(t);
}

/* Removes what the sessions left; how many of them were saved. */
static unsigned
take_autosaves(void)
{
	char pattern[200];
	unsigned n = 0;
	glob_t g;

	snprintf(pattern, sizeof(pattern), "%s/.local/state/ctascope/autosave-*", home);
	if (glob(pattern, 0, NULL, &g) == 0) {
		n = (unsigned)g.gl_pathc;
		for (unsigned i = 0; i < n; i++)
			unlink(g.gl_pathv[i]);
		globfree(&g);
	}
	return n;
}

static void
send_signal(int signo, bool running)
{
	bool is_fault = signal_kind(signo) == SIGNAL_FAULT;
	struct term *t = start((const char *[]){"--tui=never", NULL});
	struct termios after = {0};
	int status;

	diag("signal %d, %s%s", signo, strsignal(signo), running ? ", in a run" : "");
	expect(t, "core 0) ");
	type(t, "advance 64\r");
	expect(t, "core 0) ");
	if (running) {
		type(t, "run\r");
		expect(t, "s left");
	}
	child_signal(&t->child, signo);
	status = ended(t);
	if (is_fault && status == 1)
		ok(strstr(t->text, "Sanitizer"), "a sanitizer has the last word");
	else
		is_u64((uint64_t)status, 128 + (uint64_t)signo, "it ends the program");
	tcgetattr(t->fd, &after);
	ok(after.c_lflag & ICANON && after.c_lflag & ECHO, "the terminal is as a new one");
	ok(running || expect(t, "\033[?2004l"), "with bracketed paste off");
	ok(is_fault || (expect(t, "ctascope: saved the session in /tmp/ctascope-prompt.") &&
			expect(t, "'ctascope --resume' continues it")),
	   "and a word about the session");
	is_u64(take_autosaves(), !is_fault, is_fault ? "nothing is saved" : "the session is saved");
	finish(t);
}

/* SIGTERM over and over: `timeout` and the end of a system send more than one. */
static void
insist(void)
{
	struct term *t = start((const char *[]){"--tui=never", NULL});
	double end = clock_seconds() + LONG;

	expect(t, "core 0) ");
	type(t, "advance 2000\r");
	expect(t, "core 0) ");
	while (!child_ended(&t->child) && clock_seconds() < end) {
		child_signal(&t->child, SIGTERM);
		usleep(100);
	}
	is_u64((uint64_t)ended(t), 143, "many signals end the program");
	is_u64(take_autosaves(), 1, "but not before the session is saved");
	finish(t);
}

/* A terminal that goes away, where SIGHUP does not say so. */
static void
hang_up(void)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
	struct term *t;

	sigaction(SIGHUP, &ignore, &old);
	t = start((const char *[]){"--tui=never", NULL});
	sigaction(SIGHUP, &old, NULL);
	expect(t, "core 0) ");
	type(t, "advance 64\r");
	expect(t, "core 0) ");
	close(t->fd);
	ok(child_wait(&t->child, 1000 * LONG), "a terminal that is gone ends the program");
	is_u64(take_autosaves(), 1, "and the session is saved");
	free(t);
}

/* Of the signals for real time, the first and the last. */
static void
signals(void)
{
	take_autosaves();
	for (int n = 1; n < SIGNALS; n++)
		if ((signal_kind(n) != SIGNAL_OTHER && (n <= SIGRTMIN || n == SIGRTMAX)) ||
		    n == SIGPIPE)
			send_signal(n, false);
	send_signal(SIGTERM, true);
	send_signal(SIGQUIT, true);
	insist();
	hang_up();
}

static void
history(void)
{
	char path[200], text[4096] = "";
	struct stat st;
	FILE *f;

	snprintf(path, sizeof(path), "%s/.local/state/ctascope/history", home);
	ok(stat(path, &st) == 0 && (st.st_mode & 077) == 0, "the history is for its user alone");
	f = fopen(path, "r");
	ok(f && fread(text, 1, sizeof(text) - 1, f) > 0, "and kept");
	if (f)
		fclose(f);
	ok(strstr(text, "advance 64\n") && strstr(text, "print 5\n"), "what was typed is in it");
	ok(!strstr(text, "print 77"), "but not what had a blank in front");
	ok(!strstr(text, "print 5\nprint 5\n"), "nor a line twice in a row");
}

/* A history that is a pipe is not waited for. */
static void
no_history(void)
{
	char path[200];
	struct term *t;

	snprintf(path, sizeof(path), "%s/.local/state/ctascope/history", home);
	unlink(path);
	ok(mkfifo(path, 0600) == 0, "a pipe in place of the history");
	t = start((const char *[]){"--tui=never", NULL});
	ok(expect(t, "(ctascope 0 core 0) "), "the prompt comes all the same");
	type(t, "q\r");
	is_u64((uint64_t)ended(t), 0, "and ends");
	finish(t);
	unlink(path);
}

/* A front end that has no screen. */
static void
screens(void)
{
	struct term *t = start((const char *[]){"--tui=always", NULL});

	ok(expect(t, "built without a screen"),
	   "a screen that is asked for and cannot be is an error");
	is_u64((uint64_t)ended(t), 1, "with status 1");
	finish(t);
	t = start((const char *[]){"--tui=never", "-e", "nonsense", "-e", "step", NULL});
	ok(expect(t, "unknown command 'nonsense'") && expect(t, "(ctascope 0 core 0) "),
	   "after a mistake in -e comes the prompt");
	type(t, "tui\r");
	ok(expect(t, "no screen is open"), "tui says why not");
	type(t, "q\r");
	is_u64((uint64_t)ended(t), 0, "q quits");
	finish(t);
}

/* ncurses takes no window of this size and does not tell why. */
static void
refuse_large_window(void)
{
	static const char *const args[] = {"--tui=always", NULL};
	struct term *t = start_in_window((struct winsize){65535, 65535, 0, 0}, args);

	ok(expect(t, "its window is too large"),
	   "a window that is too large is the reason that is printed");
	finish(t);
}

static void
refuse_dumb_terminal(void)
{
	static const char *const args[] = {"--tui=always", NULL};
	struct term *t;

	term_name = "dumb";
	t = start(args);
	ok(expect(t, "that can move its cursor, and TERM is dumb"), "a dumb terminal is told");
	finish(t);
	term_name = "";
	t = start(args);
	ok(expect(t, "in TERM, which is not set"), "and so is one without a name");
	finish(t);
	term_name = "xterm";
}

int
main(void)
{
	const char *build = getenv("builddir"), *top = getenv("srcdir");

	snprintf(program, sizeof(program), "%s/tests/small/ctascope-fault", build ? build : ".");
	snprintf(machine, sizeof(machine), "%s/tests/small/small.machine", top ? top : ".");
	snprintf(workload, sizeof(workload), "%s/traces/phase.ctr", top ? top : ".");
	setenv("CTASCOPE_FAULT", "slow=20", 1);
	if (tap_skip(child_no_pty()))
		return done();
	if (!mkdtemp(home))
		return 99;
	keys();
	stop();
	beside();
	constructs();
	runs();
	signals();
	history();
	no_history();
	refuse_large_window();
	refuse_dumb_terminal();
	snprintf(program, sizeof(program), "%s/tests/small/ctascope-plain", build ? build : ".");
	screens();
	{
		char command[100];

		snprintf(command, sizeof(command), "rm -r %s", home);
		ok(system(command) == 0, "nothing else is left");
	}
	return done();
}
