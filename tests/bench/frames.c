/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * frames.c - how often the screen is drawn while the model runs, and what that costs the model.
 *
 *     frames [TRACE...]
 *
 * Runs each trace three times with the program on a terminal that takes all bytes at once: at the
 * plain prompt, on the screen at 120x40, at 80x24; under dyncta, with the automatic snapshots that
 * both take. Frames are counted as the bytes arrive: one begins after 4 ms without any. The loss is
 * the processor time that a run takes more on the screen than at the prompt. Nothing is judged
 * here; the row "target" names what both numbers should be on an idle machine.
 */
#include "base/clock.h"
#include "ctascope/base.h"
#include "tests/child.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define QUIET 0.004 /* seconds between two frames */

struct seen {
	double first, last; /* on the clock: of the run's bytes */
	double cpu;	    /* seconds of processor time of the program */
	unsigned frames;
	size_t bytes;
};

/* Reads until the text has come, or nothing comes for ten seconds. */
static bool
read_until(int fd, const char *text, struct seen *s)
{
	static char kept[1 << 16];
	struct pollfd p = {.fd = fd, .events = POLLIN};
	size_t have = 0, keep = strlen(text) - 1;

	while (poll(&p, 1, 10000) > 0) {
		ssize_t n = read(fd, kept + have, sizeof(kept) - have);
		double now = clock_seconds();

		if (n <= 0)
			return false;
		s->frames += now - s->last > QUIET;
		s->last = now;
		s->bytes += (size_t)n;
		have += (size_t)n;
		if (memmem(kept, have, text, strlen(text)))
			return true;
		if (have > keep) {
			memmove(kept, kept + have - keep, keep);
			have = keep;
		}
	}
	return false;
}

/* Processor time of all children that have ended. */
static double
child_seconds(void)
{
	struct rusage u;

	getrusage(RUSAGE_CHILDREN, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* The run command is sent as is; "done" on the screen, "done:" at the prompt ends the run. False:
 * it did not. */
static bool
run(const char *path, bool tui, int w, int h, struct seen *s)
{
	struct winsize size = {.ws_row = (unsigned short)h, .ws_col = (unsigned short)w};
	const char *program = getenv("CTASCOPE"), *command = tui ? ":run\r" : "run\r";
	struct seen start = {0};
	struct child c = {0};
	bool done;
	int fd;

	if (child_fork_on_pty(&c, &fd, &size) == 0) {
		setenv("TERM", "xterm-256color", 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		unsetenv("SSH_CONNECTION");
		execl(program, program, "-n", tui ? "--tui=always" : "--tui=never", "-p", "dyncta",
		      path, (char *)NULL);
		_exit(127);
	}
	done = read_until(fd, "core 0)", &start);
	*s = (struct seen){.first = clock_seconds(), .last = clock_seconds()};
	done = done && write(fd, command, strlen(command)) > 0 &&
	       read_until(fd, tui ? "done" : "done: ", s);
	close(fd);
	s->cpu = -child_seconds();
	child_kill(&c);
	s->cpu += child_seconds();
	return done;
}

static void
measure(const char *path)
{
	static const int sizes[][2] = {{120, 40}, {80, 24}};
	const char *name = strrchr(path, '/');
	struct seen plain, s;

	if (!run(path, false, 80, 24, &plain)) {
		printf("%s: the run did not end\n", path);
		return;
	}
	for (unsigned i = 0; i < 2; i++) {
		if (!run(path, true, sizes[i][0], sizes[i][1], &s)) {
			printf("%s: the run on the screen did not end\n", path);
			continue;
		}
		double took = s.last - s.first;
		printf("%-9.9s %3dx%-3d %7.2f %7.2f %7.1f %8.1f %8.1f %8.1f\n",
		       name ? name + 1 : path, sizes[i][0], sizes[i][1], plain.cpu, s.cpu,
		       100 * (s.cpu / plain.cpu - 1), s.frames / took, s.frames / s.cpu,
		       (double)s.bytes / 1e3 / took);
		fflush(stdout);
	}
}

int
main(int argc, char **argv)
{
	static const char *const apps[] = {"bfs", "pvc"};
	const char *build = getenv("builddir");
	char path[4096];

	printf("frames while the model runs: processor time at the prompt and on the screen; "
	       "frames "
	       "a second on the clock (a busy host has less) and of processor time\n"
	       "%-9s %7s %7s %7s %7s %8s %8s %8s\n"
	       "%-9s %7s %7s %7s %7s %8s\n",
	       "trace", "size", "prompt", "screen", "loss %", "clock", "cpu", "kB/s", "target", "",
	       "", "", "<= 5", ">= 30");
	for (int i = 1; i < argc; i++)
		measure(argv[i]);
	for (unsigned i = 0; argc < 2 && i < ARRAY_LEN(apps); i++) {
		snprintf(path, sizeof(path), "%s/traces/short/%s.ctr", build ? build : ".",
			 apps[i]);
		measure(path);
	}
	return 0;
}
