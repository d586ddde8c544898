/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * signals.h - the signals that end a program, in one table of two kinds. Nothing in the model uses
 * it.
 *
 * SIGNAL_ENDS comes from outside. A program that holds the terminal or unsaved work catches it,
 * restores and saves, and exits with 128 + the signal's number. SIGNAL_FAULT says that the program
 * itself is broken. Its memory cannot be trusted, so a handler restores the terminal with system
 * calls only, and then the signal takes its course.
 *
 * Four signals that also end a program by default are in neither kind: SIGINT interrupts a command,
 * SIGUSR1 asks for statistics, SIGXFSZ is an error of writing (process.h), and SIGPIPE ends a
 * filter whose output nobody reads, which is right unless it holds the terminal.
 */
#ifndef BASE_SIGNALS_H
#define BASE_SIGNALS_H

#include "base/process.h"

#include <sys/mman.h>

#define SIGNALS NSIG		  /* their numbers are below that */
#define SIGNALS_STACK (64 * 1024) /* bytes for a handler of faults */

enum signal_kind { SIGNAL_OTHER, SIGNAL_ENDS, SIGNAL_FAULT };

static inline enum signal_kind
signal_kind(int signo)
{
	switch (signo) {
	case SIGHUP:
	case SIGQUIT:
	case SIGTERM:
	case SIGUSR2:
	case SIGALRM:
	case SIGVTALRM:
	case SIGPROF:
	case SIGXCPU:
	case SIGIO:
#ifdef SIGPWR
	case SIGPWR:
#endif
#ifdef SIGSTKFLT
	case SIGSTKFLT: /* no machine of today raises it: somebody sent it */
#endif
		return SIGNAL_ENDS;
	case SIGILL:
	case SIGTRAP:
	case SIGABRT:
	case SIGBUS:
	case SIGFPE:
	case SIGSEGV:
	case SIGSYS:
		return SIGNAL_FAULT;
	default:
#ifdef SIGRTMIN
		return signo >= SIGRTMIN && signo <= SIGRTMAX ? SIGNAL_ENDS : SIGNAL_OTHER;
#else
		return SIGNAL_OTHER;
#endif
	}
}

/* Installs a handler unless the signal is ignored: nohup and the background jobs of simple shells
 * ignore some, and expect them to stay so. old may be NULL. */
static inline void
signal_catch(int signo, const struct sigaction *act, struct sigaction *old)
{
	struct sigaction found;

	sigaction(signo, NULL, &found);
	if (found.sa_handler != SIG_IGN)
		sigaction(signo, act, NULL);
	if (old)
		*old = found;
}

/* Adds all signals of SIGNAL_ENDS to a set. */
static inline void
signals_add_ending(sigset_t *set)
{
	for (int n = 1; n < SIGNALS; n++)
		if (signal_kind(n) == SIGNAL_ENDS)
			sigaddset(set, n);
}

/* In a new child: both kinds end it again, whatever its parent does with them. */
static inline void
signals_reset(void)
{
	for (int n = 1; n < SIGNALS; n++)
		if (signal_kind(n) != SIGNAL_OTHER)
			signal(n, SIG_DFL);
}

/*
 * Calls fn for all signals of SIGNAL_FAULT, on a stack of its own, since a stack that overflowed is
 * one of these faults. old[signo] becomes what was there; fn ends with signal_pass_on(). With fn
 * NULL old is installed again.
 */
static inline void
signals_catch_faults(void (*fn)(int), struct sigaction old[])
{
	struct sigaction act = {.sa_handler = fn, .sa_flags = (int)SA_RESETHAND | SA_NODEFER};
	stack_t stack = {.ss_size = SIGNALS_STACK}, found;

	if (fn && sigaltstack(NULL, &found) == 0 && found.ss_flags & SS_DISABLE) {
		stack.ss_sp = mmap(NULL, stack.ss_size, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (stack.ss_sp != MAP_FAILED)
			sigaltstack(&stack, NULL);
	}
	act.sa_flags |= SA_ONSTACK;
	sigemptyset(&act.sa_mask);
	for (int n = 1; n < SIGNALS; n++)
		if (signal_kind(n) == SIGNAL_FAULT)
			sigaction(n, fn ? &act : &old[n], fn ? &old[n] : NULL);
}

/* In a handler of a fault: the former handler, of a sanitizer or the system's, has the last word.
 */
static inline void
signal_pass_on(int signo, const struct sigaction old[])
{
	sigaction(signo, &old[signo], NULL);
	raise(signo);
}

#endif
