/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ended.c - a program of the driver API that a signal ends, for ended.t:
 *
 *     ended FILE.ptx once|twice    SIGTERM, once or twice in a row, in the middle of a launch
 *     ended FILE.ptx first         the same in the middle of its only launch
 *     ended FILE.ptx late          it ends by exit, and two signals that were sent to ctascope wait
 * there with the message that it has ended
 *     ended FILE.ptx script PID    SIGTERM to process PID, ctascope, in the middle of a launch
 *
 * Before that it makes a launch that is complete, except for "first". Nothing depends on time: the
 * signal is sent when the launch under way has stored a word.
 */
#include "record/cuda/cuda_api.h"
#include "tests/child.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CTAS 5000000u
#define SEEN 200u

struct watch {
	volatile uint32_t *word;
	int signals;
	struct child to; /* pid 0: this process */
};

static void *
watch_word(void *ctx)
{
	const struct watch *w = ctx;

	while (!w->word[1])
		usleep(200);
	for (int i = 0; i < w->signals && !w->to.pid; i++)
		raise(SIGTERM);
	if (w->to.pid)
		child_signal(&w->to, SIGTERM);
	return NULL;
}

static CUresult
launch(CUfunction f, CUdeviceptr out, unsigned blocks)
{
	unsigned seen = SEEN;
	void *params[] = {&out, &seen};

	return cuLaunchKernel(f, blocks, 1, 1, 32, 1, 1, 0, NULL, params, NULL);
}

/* Returns the value of a line of /proc/PID/status, "" if there is none. */
static void
read_status(pid_t pid, const char *line, char *value, size_t size)
{
	char name[40], text[200];
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%ld/status", (long)pid);
	f = fopen(name, "r");
	*value = '\0';
	while (f && fgets(text, sizeof(text), f))
		if (strncmp(text, line, strlen(line)) == 0)
			snprintf(value, size, "%s", text + strlen(line) + 1);
	if (f)
		fclose(f);
}

static bool
is_stopped(pid_t pid)
{
	char state[40];

	read_status(pid, "State:", state, sizeof(state));
	return !state[0] || strchr("TtZX", state[0]);
}

/* Whether the message that its child has ended is waiting for it. */
static bool
is_told_end(pid_t pid)
{
	char pending[40];

	read_status(pid, "ShdPnd:", pending, sizeof(pending));
	return !pending[0] || strtoull(pending, NULL, 16) >> (SIGCHLD - 1) & 1;
}

/* Stops ctascope, sends it two signals, and lets it continue after this process has ended. */
static void
signal_stopped_parent(void)
{
	struct child recorder = {.pid = getppid()}, helper;

	child_signal(&recorder, SIGSTOP);
	while (!is_stopped(recorder.pid))
		usleep(200);
	child_signal(&recorder, SIGHUP);
	child_signal(&recorder, SIGTERM);
	if (child_fork(&helper) == 0) {
		while (!is_told_end(recorder.pid))
			usleep(200);
		child_signal(&recorder, SIGCONT);
		_exit(0);
	}
}

int
main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[2] : "";
	struct watch w = {.signals = strcmp(what, "twice") == 0 ? 2 : 1};
	pthread_t thread;
	CUcontext context;
	CUmodule module;
	CUfunction f;
	CUdeviceptr p;

	if (argc < 3 || cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) ||
	    cuCtxSetCurrent(context) || cuModuleLoad(&module, argv[1]) ||
	    cuModuleGetFunction(&f, module, "work") ||
	    cuMemAllocManaged(&p, 64, CU_MEM_ATTACH_GLOBAL) || cuMemsetD8(p, 0, 64))
		return 3;
	if (strcmp(what, "first") != 0 && launch(f, p, 2))
		return 4;
	if (strcmp(what, "late") == 0) {
		signal_stopped_parent();
		return 0;
	}
	if (strcmp(what, "script") == 0 && argc > 3)
		w.to.pid = atoi(argv[3]);
	w.word = (volatile uint32_t *)(uintptr_t)p;
	if (pthread_create(&thread, NULL, watch_word, &w))
		return 5;
	launch(f, p, CTAS);
	return 6;
}
