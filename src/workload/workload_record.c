/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * workload_record.c - records an application into the user's cache, when it is first needed.
 *
 * A child does what `ctascope record -o PATH -- PROGRAM --size SIZE` does: the trace gets its name
 * when it is complete, so that two who record the same at once do no harm, and whatever fails or is
 * interrupted leaves nothing behind. What the child says is read here: lines of progress become one
 * line of ours, and of what else it says the first line is the reason when it fails.
 *
 * The child ends when we do: its own end is the program's, which it cleans up after.
 */
#define _GNU_SOURCE 1
#include "workload/recorder.h"

#include "base/clock.h"
#include "base/process.h"
#include "base/progress_line.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#define PROGRESS "record: "

struct recorder {
	const struct workload_trace *t;
	char name[100];
	bool quiet, terminal, shown;
	double began, drawn;
	char line[400]; /* being read */
	size_t n;
	char where[120]; /* of progress */
	char reason[400];
};

/* ---------------------------------------------------------------- what the child says */

static void
draw_progress(struct recorder *r)
{
	double now = clock_seconds();

	if (r->quiet || !r->terminal || now - r->drawn < 0.25 || now - r->began < 0.5)
		return;
	fprintf(stderr, PROGRESS_BEGIN "ctascope: recording %s, %.0f s%s%s" PROGRESS_END, r->name,
		now - r->began, r->where[0] ? ", " : "", r->where);
	fflush(stderr);
	r->drawn = now;
	r->shown = true;
}

static void
take_line(struct recorder *r)
{
	r->line[r->n] = '\0';
	r->n = 0;
	if (strncmp(r->line, PROGRESS, strlen(PROGRESS)) == 0)
		snprintf(r->where, sizeof(r->where), "%.100s", r->line + strlen(PROGRESS));
	else if (!r->reason[0])
		snprintf(r->reason, sizeof(r->reason), "%s", r->line);
}

static void
take_bytes(struct recorder *r, const char *p, size_t n)
{
	for (; n--; p++)
		if (*p == '\n')
			take_line(r);
		else if (r->n + 1 < sizeof(r->line))
			r->line[r->n++] = *p;
}

static void
listen_to(struct recorder *r, int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	char buf[4096];

	for (;;) {
		int ready = poll(&p, 1, 250);
		ssize_t n = ready > 0 ? read(fd, buf, sizeof(buf)) : -1;

		if (ready > 0 && (n == 0 || (n < 0 && errno != EINTR)))
			break;
		if (n > 0)
			take_bytes(r, buf, (size_t)n);
		draw_progress(r);
	}
	if (r->n)
		take_line(r);
	if (r->shown)
		fputs(PROGRESS_CLEAR, stderr);
}

/* ---------------------------------------------------------------- the child */

static void
be_child(const struct workload_trace *t, int fd, pid_t parent)
{
	char record[] = "record", force[] = "--force", o[] = "-o", dashes[] = "--",
	     size_option[] = "--size", ptx_option[] = "--ptx-dir", size[16], path[PATH_MAX],
	     program[PATH_MAX], ptx[PATH_MAX];
	/* force: what lies there is this program's cache, and damaged */
	char *argv[] = {record,	     force, o,		path, dashes, program,
			size_option, size,  ptx_option, ptx,  NULL};
	int null = open("/dev/null", O_RDONLY);

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent || null < 0)
		_exit(1);
	dup2(null, STDIN_FILENO);
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	snprintf(size, sizeof(size), "%s", workload_size_names[t->size]);
	snprintf(path, sizeof(path), "%s", t->path);
	snprintf(program, sizeof(program), "%s", t->program);
	snprintf(ptx, sizeof(ptx), "%.*s", (int)(strrchr(t->ptx, '/') - t->ptx), t->ptx);
	exit(record_app_main((int)ARRAY_LEN(argv) - 1, argv));
}

static int
run_child(struct recorder *r, int *status, struct err *e)
{
	pid_t parent = getpid(), pid;
	int fd[2];

	if (pipe2(fd, O_CLOEXEC))
		return err_set(e, "cannot make a pipe: %s", strerror(errno));
	pid = process_fork();
	if (pid == 0)
		be_child(r->t, fd[1], parent);
	close(fd[1]);
	if (pid < 0) {
		close(fd[0]);
		return err_set(e, "cannot start a process: %s", strerror(errno));
	}
	listen_to(r, fd[0]);
	close(fd[0]);
	process_wait(pid, status, 0);
	return 0;
}

int
workload_record(const struct workload_trace *t, bool quiet, struct err *e)
{
	struct recorder r = {.t = t, .quiet = quiet};
	char folder[PATH_MAX];
	int status = 0;

	if (workload_cache_folder(folder, sizeof(folder), e) || workload_make_folder(folder, e))
		return -1;
	snprintf(r.name, sizeof(r.name), "%s:%s", t->app->name, workload_size_names[t->size]);
	r.terminal = isatty(STDERR_FILENO);
	r.began = r.drawn = clock_seconds();
	if (!quiet && !r.terminal)
		fprintf(stderr, "ctascope: recording %s\n", r.name);
	if (run_child(&r, &status, e))
		return -1;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	/* it names itself */
	return err_set(e, "%s could not be recorded: %s", r.name,
		       !r.reason[0]				  ? "no reason was given"
		       : strncmp(r.reason, "ctascope: ", 10) == 0 ? r.reason + 10
								  : r.reason);
}
