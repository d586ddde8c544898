/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * foreign.c - handles foreign code in our process (foreign.h).
 *
 * The stack shows who called exit() or crashed: the innermost frame outside the objects that were
 * loaded when the program started belongs to foreign code. This costs nothing in the normal case
 * and covers every function of a policy, its constructors and what it calls. _exit() cannot be
 * detected, and an overwritten stack yields no name.
 *
 * Handlers have no context argument, hence the static variable.
 */
#define _GNU_SOURCE 1
#include "base/foreign.h"

#include "base/process.h"
#include "compat/compat.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define FRAMES 64
#define OBJECTS 256
#define STACK_BYTES (128 * 1024) /* for a fault handler; compat_backtrace() needs some of it */
#define EXIT_CALLED 97		 /* exit status of a child whose policy called exit() */

static const int faults[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};

static struct {
	struct compat_range ours[OBJECTS]; /* code that was loaded when the program started */
	size_t n_ours;
	struct sigaction old[ARRAY_LEN(faults)];
} watch;

/* ---------------------------------------------------------------- whose code */

static bool
is_ours(const void *at)
{
	for (size_t i = 0; i < watch.n_ours; i++)
		if ((uintptr_t)at - watch.ours[i].from < watch.ours[i].to - watch.ours[i].from)
			return true;
	return watch.n_ours == OBJECTS; /* if the table was full, assume ours */
}

/* The file of the innermost foreign code on the stack; NULL if there is none. */
static const char *
find_foreign_file(void)
{
	void *frame[FRAMES];
	int n = compat_backtrace(frame, FRAMES);
	Dl_info info;

	for (int i = 0; i < n; i++) {
		const char *at =
			(const char *)frame[i] - 1; /* an address inside the call, not after it */

		if (!is_ours(at) && dladdr(at, &info) && info.dli_fname)
			return info.dli_fname;
	}
	return NULL;
}

/* Uses system calls only. */
static void
put_text(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		return; /* nobody can read it */
}

/* The path of a policy that was read again is spelled with "//" and "/./" (src/sim/plugin.c). */
static void
put_path(const char *path)
{
	for (; *path; path++) {
		while (path[0] == '/' && (path[1] == '/' || (path[1] == '.' && path[2] == '/')))
			path += path[1] == '/' ? 1 : 2;
		if (write(STDERR_FILENO, path, 1) < 0)
			return; /* nobody can read it */
	}
}

/* ---------------------------------------------------------------- on the way out */

static void
on_exit_called(void)
{
	const char *file = find_foreign_file();

	if (!file)
		return;
	fflush(NULL);
	put_text("ctascope: policy '");
	put_path(file);
	put_text("' ended the program by calling exit()\n");
	_exit(1);
}

static void
on_fault(int signo)
{
	const char *file = find_foreign_file();

	if (file) {
		put_text("ctascope: policy '");
		put_path(file);
		put_text("', or a function that it called, ended the program: ");
		put_text(signo == SIGABRT ? "abort()\n" : "a fault\n");
	}
	for (size_t i = 0; i < ARRAY_LEN(faults); i++)
		if (faults[i] == signo)
			sigaction(signo, &watch.old[i], NULL);
	raise(signo);
}

/* Stack overflow is a fault, too, and needs a separate stack. Sanitizers already set one up. */
static void
make_signal_stack(void)
{
	stack_t stack = {.ss_size = STACK_BYTES}, found;

	if (sigaltstack(NULL, &found) || !(found.ss_flags & SS_DISABLE))
		return;
	stack.ss_sp = mmap(NULL, stack.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
	if (stack.ss_sp != MAP_FAILED)
		sigaltstack(&stack, NULL);
}

void
foreign_watch(void)
{
	struct sigaction act = {.sa_handler = on_fault,
				.sa_flags = (int)SA_RESETHAND | SA_NODEFER | SA_ONSTACK};
	void *frame[1];

	compat_backtrace(frame, 1); /* loads the libraries it needs, which a handler must not do */
	watch.n_ours = MIN(compat_objects(watch.ours, OBJECTS), OBJECTS);
	make_signal_stack();
	for (size_t i = 0; i < ARRAY_LEN(faults); i++)
		sigaction(faults[i], &act, &watch.old[i]);
	atexit(on_exit_called);
}

/* ---------------------------------------------------------------- in a child */

static void
end_child(void)
{
	_exit(EXIT_CALLED);
}

/* The child's output is discarded: the code prints it again when it runs here. */
static void
run_in_child(void (*run)(void *ctx), void *ctx, unsigned seconds, int done)
{
	static const int theirs[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	const struct rlimit no_core = {0, 0};
	int null = open("/dev/null", O_WRONLY);

	compat_end_with_parent(SIGKILL);
	setrlimit(RLIMIT_CORE, &no_core);
	for (size_t i = 0; i < ARRAY_LEN(faults); i++)
		signal(faults[i], SIG_DFL);
	for (size_t i = 0; i < ARRAY_LEN(theirs); i++)
		signal(theirs[i], SIG_DFL);
	if (null >= 0) {
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	atexit(end_child);
	signal(SIGALRM, SIG_DFL);
	alarm(seconds);
	run(ctx);
	_exit(write(done, "", 1) != 1);
}

static int
report_child(const char *path, const char *when, int status, struct err *e)
{
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		return err_set(e, "policy '%s': it did not return %s", path, when);
	if (WIFSIGNALED(status))
		return err_set(e, "policy '%s': it crashed %s: signal %d (%s)", path, when,
			       WTERMSIG(status), strsignal(WTERMSIG(status)));
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_CALLED)
		return err_set(e, "policy '%s': it called exit() %s", path, when);
	return err_set(e, "policy '%s': it ended the program %s", path, when);
}

int
foreign_run(void (*run)(void *ctx), void *ctx, unsigned seconds, const char *path, const char *when,
	    struct err *e)
{
	int fd[2], status = 0;
	ssize_t n;
	pid_t pid;
	char got;

	if (compat_pipe(fd))
		return 0;
	pid = process_fork();
	if (pid == 0)
		run_in_child(run, ctx, seconds, fd[1]);
	close(fd[1]);
	do
		n = pid < 0 ? 1 : read(fd[0], &got, 1);
	while (n < 0 && errno == EINTR);
	close(fd[0]);
	if (pid > 0)
		process_wait(pid, &status, 0);
	return n == 1 ? 0 : report_child(path, when, status, e);
}

struct load_call {
	int (*load)(const char *path, struct err *e);
	const char *path;
};

static void
load_file(void *ctx)
{
	const struct load_call *c = ctx;
	struct err e = {0};

	c->load(c->path, &e);
}

int
foreign_try(int (*load)(const char *path, struct err *e), const char *path, struct err *e)
{
	struct load_call c = {load, path};

	return foreign_run(load_file, &c, 0, path, "while loading", e);
}
