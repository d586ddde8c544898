/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * broken.c - a program of the driver API that does what its argument says wrong, for record.t:
 *
 *     broken FILE.ptx fault|freed|host|large|kernel|shorter|signal|exit|none|graph|slow|twice|files
 *
 * It launches vectoradd once before that, and prints the result of the call in question.
 */
#include "record/cuda/cuda_api.h"
#include "tests/child.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* an entry point src/record/cuda does not have */
CUresult cuGraphCreate(void **graph, unsigned int flags);

static void
print(CUresult r)
{
	const char *name = "?";

	cuGetErrorName(r, &name);
	puts(name);
	fflush(stdout);
}

static CUresult
launch(CUfunction f, CUdeviceptr c, int n, unsigned blocks)
{
	void *params[] = {&c, &c, &c, &n};

	return cuLaunchKernel(f, blocks, 1, 1, 64, 1, 1, 0, NULL, params, NULL);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[2] : "";
	CUcontext context;
	CUmodule module;
	CUfunction f;
	CUdeviceptr p;
	void *graph;

	/* A background process of a test ignores SIGINT by default. */
	signal(SIGINT, SIG_DFL);
	if (argc < 3 || cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) ||
	    cuCtxSetCurrent(context) || cuModuleLoad(&module, argv[1]) ||
	    cuModuleGetFunction(&f, module, "vectoradd") || cuMemAlloc(&p, 256))
		return 3;
	if (strcmp(what, "none") == 0)
		return 0;
	if (strcmp(what, "large") == 0) { /* its only launch, with too many threads */
		print(cuLaunchKernel(f, 1, 1, 1, 2048, 1, 1, 0, NULL, (void *[]){&p, &p, &p, &p},
				     NULL));
		return 0;
	}
	print(launch(f, p, 64, 1));
	fflush(stdout); /* a process that waits for this line may continue */
	if (strcmp(what, "fault") == 0) {
		print(launch(f, p, 65, 2));
	} else if (strcmp(what, "freed") == 0) {
		print(cuMemFree(p));
		print(launch(f, p, 64, 1));
	} else if (strcmp(what, "host") == 0) {
		print(launch(f, (uintptr_t)what, 64, 1));
	} else if (strcmp(what, "kernel") == 0) {
		print(cuModuleGetFunction(&f, module, "vectorad"));
	} else if (strcmp(what, "shorter") == 0) {
		/* a kernel whose name is the beginning of another one's */
		print(cuModuleGetFunction(&f, module, "vector"));
		print(launch(f, p, 64, 1));
	} else if (strcmp(what, "signal") == 0) {
		raise(SIGTERM);
	} else if (strcmp(what, "interrupt") == 0) {
		raise(SIGINT);
	} else if (strcmp(what, "exit") == 0) {
		_exit(5);
	} else if (strcmp(what, "graph") == 0) {
		print(cuGraphCreate(&graph, 0));
		print(cuGraphCreate(&graph, 0));
	} else if (strcmp(what, "slow") == 0) {
		for (int i = 0; i < 40; i++) {
			usleep(30000);
			launch(f, p, 64, 100);
		}
	} else if (strcmp(what, "files") == 0) {
		/* like a daemon: close all descriptors, and open files with the same numbers */
		char name[] = "mine.0";

		for (int i = 3; i < 1024; i++)
			close(i);
		for (; name[5] < '4'; name[5]++)
			if (dprintf(open(name, O_CREAT | O_WRONLY, 0666), "mine\n") < 0)
				return 4;
		for (int i = 0; i < 40; i++)
			launch(f, p, 64, 100);
	} else if (strcmp(what, "twice") == 0) {
		/* a forked child does not record, and does not disturb its parent's recording */
		struct child child;

		if (child_fork(&child) == 0) {
			launch(f, p, 64, 1);
			exit(0);
		}
		child_wait(&child, 60000);
		print(launch(f, p, 64, 1));
	}
	return 0;
}
