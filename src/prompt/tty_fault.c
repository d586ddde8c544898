/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tty_fault.c - restores the terminal when the program crashes or exits at the prompt.
 *
 * readline changes the modes of the terminal and switches bracketed paste on. After a fault
 * readline cannot be called, so the handler restores the modes and switches bracketed paste off
 * with system calls. The same happens at an exit() within a command, as when memory runs out
 * (base/memory.h), but not at that of a child process. The screen has its own handler
 * (tui/guard.c). A handler has no context argument, hence the static variable.
 */
#include "base/signals.h"
#include "prompt/prompt.h"

#include <stdlib.h>
#include <string.h>
#include <termios.h>

static struct {
	struct termios found;
	bool is_terminal, is_dumb, is_registered;
	pid_t owner; /* 0: nobody is at the prompt */
	struct sigaction old[SIGNALS];
} tty;

static void
restore_terminal(void)
{
	static const char paste_off[] = "\033[?2004l\r\n";
	struct termios now;

	/* equal modes: a command is running, and readline has restored the terminal for it */
	if (tty.is_terminal && tcgetattr(STDIN_FILENO, &now) == 0 &&
	    (now.c_lflag != tty.found.c_lflag || now.c_iflag != tty.found.c_iflag)) {
		tcsetattr(STDIN_FILENO, TCSANOW, &tty.found);
		if (!tty.is_dumb && write(STDOUT_FILENO, paste_off, strlen(paste_off)) < 0)
			tty.is_dumb = true; /* the write failed: do not try again */
	}
}

static void
on_fault(int signo)
{
	restore_terminal();
	signal_pass_on(signo, tty.old);
}

static void
on_exit_of_program(void)
{
	if (tty.owner == getpid())
		restore_terminal();
}

void
tty_catch_faults(void)
{
	const char *term = getenv("TERM");

	tty.is_terminal = tcgetattr(STDIN_FILENO, &tty.found) == 0;
	tty.is_dumb = !term || !*term || strcmp(term, "dumb") == 0;
	signals_catch_faults(on_fault, tty.old);
	if (!tty.is_registered)
		tty.is_registered = atexit(on_exit_of_program) == 0;
	tty.owner = getpid();
}

void
tty_release_faults(void)
{
	signals_catch_faults(NULL, tty.old);
	tty.owner = 0;
}
