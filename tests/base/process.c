/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * process.c - the helper functions of the program and of the tests reject process numbers that
 * kill() would apply to several processes. The signal is 0 in all checks, so nothing is affected
 * whatever the result.
 */
#include "base/process.h"
#include "base/clock.h"
#include "tests/child.h"
#include "tests/tap.h"

static void
refusals(void)
{
	static const pid_t many[] = {-2, -1, 0, 1};

	for (unsigned i = 0; i < sizeof(many) / sizeof(many[0]); i++) {
		struct child c = {.pid = many[i]};

		errno = 0;
		ok(process_signal(many[i], 0) == -1 && errno == ESRCH, "no signal to process %d",
		   (int)many[i]);
		ok(process_wait(many[i], NULL, WNOHANG) == -1 && errno == ECHILD,
		   "nor is it waited for");
		ok(!child_signal(&c, 0), "nor by a test");
		ok(child_ended(&c), "to which it is not there");
	}
}

static void
program(void)
{
	pid_t pid = process_fork();
	int status = 0;

	if (pid == 0) {
		pause();
		_exit(1);
	}
	ok(pid >= 2, "a child");
	is_u64((uint64_t)process_wait(pid, &status, WNOHANG), 0, "runs");
	is_u64((uint64_t)process_signal(pid, SIGTERM), 0, "takes a signal");
	ok(process_wait(pid, &status, 0) == pid, "and ends");
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM, "by it");
}

static void
tests(void)
{
	struct child c;
	double start;

	if (child_fork(&c) == 0)
		_exit(7);
	ok(child_wait(&c, 60000), "a test's child ends");
	ok(WIFEXITED(c.status) && WEXITSTATUS(c.status) == 7, "with its status");
	ok(!child_signal(&c, 0), "and is not signalled any more");
	if (child_fork(&c) == 0) {
		pause();
		_exit(1);
	}
	start = clock_seconds();
	ok(!child_wait(&c, 50) && clock_seconds() - start < 60, "one that does not end");
	ok(child_signal(&c, 0), "can be signalled");
	child_kill(&c);
	ok(child_ended(&c) && WIFSIGNALED(c.status), "and killed");
}

int
main(void)
{
	refusals();
	program();
	tests();
	return done();
}
