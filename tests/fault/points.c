/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * points.c - runs the program with its n-th allocation failing, or its n-th write (no space, an
 * error of the device): for every n, whichever library makes the call.
 *
 * The whole program is linked in, its main() under another name; failing.c replaces the calls. But
 * for the screen and for pictures only the program's own allocations fail, because ncurses,
 * readline and fontconfig crash on NULL. Each trial is a fork of this process, so nothing is loaded
 * again.
 *
 * Whatever fails, no signal may end the program. With status 0 everything was written and printed;
 * with another status the reason is printed, no line is incomplete, and the file is the old one or
 * the complete new one. Nothing else is left in the folder.
 *
 * Then it is killed at random moments, with the same requirements for files.
 *
 * The number of trials depends on SECONDS: if all points would take longer, only every few of them
 * are tried, and the first line of the log says which.
 */
#define _GNU_SOURCE 1
#include "ctascope/base.h"

#include "base/process.h"
#include "tests/child.h"
#include "tests/fault/failing.h"
#include "tests/tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define MAX_POINTS 5000
#define KILLS 200
#define TRIAL_SECONDS 30
#define OLD "old\n" /* what is in a file before it is written */
#define SECONDS 25  /* on points, of the whole test */
#define SECONDS_FAST 10
#define SECONDS_WHOLE 110

int ctascope_main(int argc, char **argv);

/* ---------------------------------------------------------------- a trial */

struct command {
	const char *name, *out; /* NULL: writes no file */
	bool screen;
	bool draws;   /* uses cairo and fontconfig, which crash without memory */
	bool by_row;  /* each line of the file is complete */
	bool live;    /* it grows from an empty file */
	bool exact;   /* it prints no wall-clock times */
	bool resumes; /* it continues the existing file */
	const char *argv[20];
};

#define SMALL "ctascope", "-n", "-b", "-c", "small.machine", "small.ctr"
static const struct command commands[] = {
	{.name = "run", .argv = {SMALL, "-e", "run", "-e", "info stats"}},
	{.name = "dump",
	 .out = "out.csv",
	 .argv = {SMALL, "-e", "step 3000", "-e", "dump csv stats -", "-e",
		  "dump csv series out.csv --force"}},
	{.name = "dump of CTAs",
	 .out = "out.csv",
	 .argv = {SMALL, "-e", "step 3000", "-e", "dump csv ctas out.csv --force"}},
	{.name = "export of events",
	 .out = "out.json",
	 .argv = {SMALL, "-e", "step 3000", "-e", "export events out.json --force"}},
	{.name = "plot",
	 .draws = true,
	 .out = "out.svg",
	 .argv = {SMALL, "-e", "step 3000", "-e", "plot ctas,gpu.ipc,classes out.svg --force"}},
	{.name = "record",
	 .out = "out.ctr",
	 .argv = {"ctascope", "record", "--ptx", "one.ptx", "--arg", "buf:1k:zero", "--grid", "4",
		  "--force", "-o", "out.ctr"}},
	{.name = "convert",
	 .out = "out.traceg.xz",
	 .argv = {"ctascope", "convert", "--force", "one.ctr", "out.traceg.xz"}},
	{.name = "sweep",
	 .out = "out.csv",
	 .by_row = true,
	 .argv = {"ctascope", "sweep", "tiny.sweep", "-q", "-f", "-j", "1", "-o", "out.csv"}},
	{.name = "restore",
	 .exact = true,
	 .argv = {SMALL, "-e", "step 500", "-e", "checkpoint a", "-e", "step 500", "-e",
		  "restore a", "-e", "step 500", "-e", "info digest"}},
	{.name = "save",
	 .out = "out.txt",
	 .argv = {SMALL, "-e", "break pause", "-e", "save breakpoints out.txt --force"}},
	{.name = "save session",
	 .out = "out.state",
	 .argv = {SMALL, "-e", "step 900", "-e", "checkpoint a", "-e", "save out.state --force"}},
	{.name = "log events",
	 .out = "out.csv",
	 .by_row = true,
	 .live = true,
	 .argv = {SMALL, "-e", "log events out.csv --force", "-e", "step 900"}},
	{.name = "report",
	 .out = "out.html",
	 .argv = {SMALL, "-e", "step 900", "-e", "report out.html --force"}},
	{.name = "bottleneck",
	 .out = "out.csv",
	 .argv = {SMALL, "-e", "bottleneck csv out.csv --force"}},
	{.name = "oracle",
	 .out = "out.sequence",
	 .argv = {SMALL, "-e", "oracle out.sequence 4096 --force"}},
	{.name = "plot of a table",
	 .draws = true,
	 .out = "out.svg",
	 .argv = {"ctascope", "plot", "table.csv", "-n", "rr", "--force", "-o", "out.svg"}},
	{.name = "script", .exact = true, .argv = {SMALL, "-x", "script.x"}},
	{.name = "tui",
	 .screen = true,
	 .argv = {"ctascope", "-n", "--tui", "-c", "small.machine", "small.ctr"}},
};

/* What a killed sweep can continue with. */
static const struct command resumed = {.name = "sweep --resume",
				       .out = "out.csv",
				       .by_row = true,
				       .resumes = true,
				       .argv = {"ctascope", "sweep", "tiny.sweep", "-q", "-j", "1",
						"--resume", "-o", "out.csv"}};

/* Commands that build texts. */
static const char script[] =
	"define row\nprintf \"%d %s\\n\", $arg0, \"x\"\nend\n"
	"document row\nPrints a row.\nThe second line.\nend\n"
	"set $i = 0\nwhile $i < 3\nrow $i\nset $i = $i + 1\nend\n"
	"printf \"a part, \"\nprintf \"%5.2s and %d more\\n\", \"text\", 3\neval \"print %d\", 4\n"
	"help\nhelp row\nbreak pause if core.1.n > 3\ninfo breakpoints\nstep 20\n"
	"list\nlist insns\nwhy\ninfo cores\ndisplay core.1.n\nset dyncta.t_mem_h 50\n"
	"step 100\nfirst core.1.n < 6\nwhy not 1\ninfo policy\napropos paused\ngoto 60\nset $v = "
	"core.*.n\nset $v = 3\n";

static const char table[] = "workload,policy,ipc\nkm,rr,1\nkm,dyncta,2\nbp,rr,3\nbp,dyncta,3\n";

static const char ptx[] = ".version 6.4\n.target sm_70\n.address_size 64\n"
			  ".visible .entry one(.param .u64 p)\n{\n"
			  ".reg .b32 %r<2>;\n.reg .b64 %rd<3>;\n"
			  "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n"
			  "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd1, %rd1, %rd2;\n"
			  "st.global.u32 [%rd1], %r1;\nret;\n}\n";

struct outcome {
	bool is_raw;		   /* the terminal is left in raw mode */
	int status;		   /* of wait */
	char *said, *error, *file; /* file NULL: there is none */
	size_t n_said, n_error, n_file;
};

static void
outcome_free(struct outcome *o)
{
	free(o->said);
	free(o->error);
	free(o->file);
	*o = (struct outcome){0};
}

static char *
slurp(int fd, size_t *n)
{
	struct stat st;
	char *text;

	if (fd < 0 || fstat(fd, &st))
		return NULL;
	text = calloc(1, (size_t)st.st_size + 1);
	*n = text ? (size_t)MAX(pread(fd, text, (size_t)st.st_size, 0), 0) : 0;
	return text;
}

/* Kills with a signal that the program cannot catch. */
static void
kill_later(void)
{
	struct sigevent by = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &by, &timer) == 0)
		timer_settime(timer, 0, &(struct itimerspec){.it_value = {.tv_sec = TRIAL_SECONDS}},
			      NULL);
}

static void
child(const struct command *c, int out, int err)
{
	char *argv[20];
	int argc = 0;

	while (argc < 19 && c->argv[argc]) {
		argv[argc] = strdup(c->argv[argc]);
		argc++;
	}
	argv[argc] = NULL;
	kill_later();
	if (!c->screen) {
		int null = open("/dev/null", O_RDONLY);

		dup2(null, STDIN_FILENO);
		dup2(out, STDOUT_FILENO);
		close(null);
	}
	dup2(err, STDERR_FILENO);
	shared->armed = true;
	exit(ctascope_main(argc, argv));
}

/* Reads the screen's output until its process has ended, which the keys ask for. Returns false if
 * the terminal's modes are not as a shell needs them. */
static bool
drain(int terminal)
{
	static const char keys[] = ":step 300\r:list insns\r:quit\r";
	struct termios now;
	char buf[4096];

	if (write(terminal, keys, sizeof(keys) - 1) < 0)
		diag("the terminal takes no keys");
	while (read(terminal, buf, sizeof(buf)) > 0)
		;
	return tcgetattr(terminal, &now) == 0 && now.c_lflag & ICANON && now.c_lflag & ECHO;
}

/* after: the microseconds after which it is killed; 0: it is not. */
static struct outcome
try_once(const struct command *c, unsigned after)
{
	struct outcome o = {0};
	int out = memfd_create("out", MFD_CLOEXEC), err = memfd_create("err", MFD_CLOEXEC), fd;
	struct child process;

	fd = c->out && !c->resumes ? open(c->out, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
	if (fd >= 0 && (write(fd, OLD, strlen(OLD)) < 0 || close(fd)))
		diag("no old file");
	memset(shared->n, 0, sizeof(shared->n));
	if (c->screen) {
		struct winsize w = {.ws_row = 24, .ws_col = 80};
		int terminal;

		if (child_fork_on_pty(&process, &terminal, &w) == 0)
			child(c, out, err);
		o.is_raw = !drain(terminal);
		close(terminal);
	} else if (child_fork(&process) == 0) {
		child(c, out, err);
	}
	if (after) {
		usleep(after);
		child_kill(&process);
		o.status = process.status;
	} else {
		process_wait(process.pid, &o.status, 0);
	}
	shared->armed = false;
	o.said = slurp(out, &o.n_said);
	o.error = slurp(err, &o.n_error);
	fd = c->out ? open(c->out, O_RDONLY | O_CLOEXEC) : -1;
	o.file = slurp(fd, &o.n_file);
	if (fd >= 0)
		close(fd);
	close(out);
	close(err);
	return o;
}

/* ---------------------------------------------------------------- what is right */

static unsigned
lines(const char *text, size_t n)
{
	unsigned found = 0;

	for (size_t i = 0; i < n; i++)
		found += text[i] == '\n';
	return found;
}

static unsigned
count_files(void)
{
	DIR *d = opendir(".");
	unsigned n = 0;

	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}

static bool
same_file(const struct outcome *a, const struct outcome *b)
{
	return !a->file == !b->file &&
	       (!a->file || (a->n_file == b->n_file && memcmp(a->file, b->file, a->n_file) == 0));
}

/* Returns NULL, or what is wrong with an outcome. good: that of a trial in which nothing failed. */
static const char *
wrong(const struct command *c, const struct outcome *o, const struct outcome *good)
{
	bool old = o->file && strcmp(o->file, OLD) == 0;

	if (!WIFEXITED(o->status))
		return WTERMSIG(o->status) == SIGKILL ? "it hangs" : "it is ended by a signal";
	if (o->is_raw)
		return "the terminal is left raw";
	if (o->n_said && o->said[o->n_said - 1] != '\n')
		return "a line of its output breaks off";
	if (strstr(o->error, "damaged"))
		return "it says that something is damaged";
	if (WEXITSTATUS(o->status) == 0) {
		if (c->out && !same_file(o, good))
			return "status 0, but the file is not whole";
		if (c->exact && strstr(o->error, "out of memory"))
			return NULL; /* it continues with less, and says so */
		if (c->exact &&
		    (strcmp(o->said, good->said) != 0 || strcmp(o->error, good->error) != 0))
			return "status 0, but other things were said, and not why";
		/* wall-clock times differ */
		if (lines(o->said, o->n_said) != lines(good->said, good->n_said))
			return "status 0, but not all was said";
		return NULL;
	}
	if (!c->screen && !o->n_error)
		return "an error without a word";
	if (c->live && o->file && !o->n_file)
		return NULL;
	if (c->by_row)
		return o->file && o->n_file && o->file[o->n_file - 1] == '\n' ? NULL
									      : "a row breaks off";
	return !c->out || old || same_file(o, good) ? NULL
						    : "the file is neither the old nor the new one";
}

/* ---------------------------------------------------------------- all of them */

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Tries every step-th point of a kind, including the first. */
static void
test_points(const struct command *c, enum kind kind, int error, double seconds)
{
	static const char *const what[] = {"allocation", "writing"};
	double began = now();
	struct outcome good;
	unsigned long n, step;
	unsigned files, bad = 0, tried = 0;

	shared->kind = kind;
	shared->error = error;
	shared->at = 0;
	shared->only_ours = c->screen || c->draws;
	good = try_once(c, 0);
	n = MIN(shared->n[kind], (unsigned long)MAX_POINTS);
	if (!ok(WIFEXITED(good.status) && WEXITSTATUS(good.status) == 0 &&
			(!c->out || (good.file && strcmp(good.file, OLD) != 0)),
		"%s works when nothing fails", c->name))
		diag("status %x: %s", (unsigned)good.status, good.error);
	files = count_files();
	step = (unsigned long)((double)n * (now() - began) / seconds) + 1;
	diag("%s: %lu points of %s, every %lu is tried", c->name, n, what[kind], step);
	for (unsigned long at = 1; at <= n && bad < 5; at += step) {
		struct outcome o;
		const char *why;

		shared->at = at;
		o = try_once(c, 0);
		tried++;
		why = wrong(c, &o, &good);
		if (!why && count_files() != files)
			why = "something is left in the folder";
		if (why) {
			diag("%s, %s %lu of %lu: %s (status %x)\n# %.300s\n# %.500s", c->name,
			     what[kind], at, n, why, (unsigned)o.status, o.error,
			     o.file && c->by_row ? o.file : "");
			bad++;
		}
		outcome_free(&o);
	}
	ok(!bad, "%s: %u failures of %s%s%s, one at a time", c->name, tried, what[kind],
	   error ? ": " : "", error ? strerror(error) : "");
	outcome_free(&good);
}

/* Removes unfinished files, which have a name between two system calls, or all the time on file
 * systems without unnamed files. Returns how many there were. */
static unsigned
remove_unfinished(void)
{
	unsigned n = 0;
	glob_t g;

	if (glob("*.tmp??????", 0, NULL, &g) == 0) {
		n = (unsigned)g.gl_pathc;
		for (unsigned i = 0; i < n; i++)
			unlink(g.gl_pathv[i]);
		globfree(&g);
	}
	return n;
}

/* The lock of a killed program lasts until the children that it had just made have ended. */
static struct outcome
try_again(const struct command *c)
{
	for (double end = now() + TRIAL_SECONDS;;) {
		struct outcome o = try_once(c, 0);

		if (!strstr(o.error, "another program is writing it") || now() > end)
			return o;
		outcome_free(&o);
		usleep(10000);
	}
}

/* Kills the program at some moment, then runs it again: the file is the old one or the complete new
 * one, or in a sweep as far as it was. */
static void
test_kills(const struct command *c, unsigned times)
{
	double began = now(), took;
	struct outcome good, o;
	unsigned files, bad = 0, old = 0, left = 0;

	shared->at = 0;
	if (c->resumes)
		unlink(c->out);
	good = try_once(c, 0);
	took = now() - began;
	files = count_files();
	for (unsigned i = 0; i < times; i++) {
		if (c->resumes)
			unlink(c->out);
		o = try_once(c, 1 + (unsigned)(drand48() * 1.2e6 * took));
		old += o.file && strcmp(o.file, OLD) == 0;
		left += remove_unfinished() > 0;
		if (!c->resumes && !same_file(&o, &good) && strcmp(o.file ? o.file : "", OLD) != 0)
			bad++;
		outcome_free(&o);
		if (!c->resumes && count_files() <= files)
			continue;
		o = try_again(c);
		if (!same_file(&o, &good) || count_files() != files) {
			diag("afterwards: status %x, %zu bytes: %.300s", (unsigned)o.status,
			     o.n_file, o.error);
			bad++;
		}
		outcome_free(&o);
	}
	ok(!bad, "%s: killed %u times within %.0f ms", c->name, times, 1e3 * took);
	diag("%u times the old file was there, %u times an unfinished one was left", old, left);
	ok(left <= times / 10 || shared->named, "and mostly no unfinished file is left");
	outcome_free(&good);
}

static bool
write_text(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	return f && fputs(text, f) >= 0 && fclose(f) == 0;
}

static bool
run_program(const char *fmt, ...)
{
	char line[1000];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	return system(line) == 0;
}

/* Makes the folder with the files that the commands read. */
static bool
prepare(char *folder)
{
	const char *src = getenv("srcdir"), *build = getenv("builddir");
	char *from = realpath(src ? src : ".", NULL), *to = realpath(build ? build : "build", NULL);
	bool good = from && to && mkdtemp(folder) && chdir(folder) == 0 &&
		    run_program("cp '%s/tests/small/small.machine' .", from) &&
		    run_program("'%s/tests/small/write_small' small.ctr", to) &&
		    write_text("tiny.sweep", "workload ./small.ctr\nmachine ./small.machine\n"
					     "vary run.events 1024 2048\ncolumn gpu.cycles\n") &&
		    write_text("table.csv", table) && write_text("one.ptx", ptx) &&
		    write_text("script.x", script) &&
		    run_program("'%s/ctascope' record --ptx one.ptx --arg buf:1k:zero -o one.ctr "
				">/dev/null",
				to);

	setenv("CTASCOPE_DATADIR", from ? from : "", 1);
	setenv("TERM", "xterm", 1);
	free(from);
	free(to);
	return good;
}

int
main(void)
{
	char folder[] = "/tmp/ctascope-points-XXXXXX";
	double seconds = tap_is_fast() ? SECONDS_FAST : getenv("WHOLE") ? SECONDS_WHOLE : SECONDS;
	double each = seconds / (ARRAY_LEN(commands) * 3);

	if (!FAILING_POSSIBLE && tap_skip("its malloc is the sanitizer's, or no glibc's"))
		return done();
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED || !prepare(folder))
		return 99;
	for (unsigned i = 0; i < ARRAY_LEN(commands); i++) {
		if (commands[i].screen && child_no_pty()) {
			diag("%s: %s", commands[i].name, child_no_pty());
			continue;
		}
		test_points(&commands[i], ALLOCATION, 0, 2 * each);
		if (commands[i].out) {
			test_points(&commands[i], WRITING, ENOSPC, each / 2);
			test_points(&commands[i], WRITING, EIO, each / 2);
		}
	}
	for (unsigned i = 0; i < ARRAY_LEN(commands); i++)
		if (commands[i].out && !commands[i].by_row)
			test_kills(&commands[i], KILLS / 5);
	test_kills(&resumed, KILLS / 5);
	shared->named = true;
	diag("where files have a name from the beginning:");
	for (unsigned i = 0; i < ARRAY_LEN(commands); i++)
		if (commands[i].out && !commands[i].by_row) {
			test_points(&commands[i], WRITING, ENOSPC, each / 2);
			test_kills(&commands[i], KILLS / 20);
		}
	ok(chdir("/") == 0 && run_program("rm -rf '%s'", folder), "the folder is removed");
	return done();
}
