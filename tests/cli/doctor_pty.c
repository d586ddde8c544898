/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doctor_pty.c - what ctascope doctor says of terminals that differ in size, colours and encoding,
 * and its status. */
#include "tests/child.h"
#include "tests/tap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Runs the doctor on a pseudo-terminal until it ends; its output in buf. The status, or -1. */
static int
doctor(const char *term, const char *locale, int w, int h, char *buf, size_t size)
{
	struct winsize ws = {.ws_row = (unsigned short)h, .ws_col = (unsigned short)w};
	struct child c;
	size_t n = 0;
	ssize_t got;
	int fd;

	if (child_fork_on_pty(&c, &fd, &ws) == 0) {
		unsetenv("COLORTERM");
		setenv("TERM", term, 1);
		setenv("LC_ALL", locale, 1);
		execl(getenv("CTASCOPE"), "ctascope", "doctor", NULL);
		_exit(127);
	}
	/* The end of the child is the end of the file or EIO. */
	while (n + 1 < size &&
	       ((got = read(fd, buf + n, size - 1 - n)) > 0 || (got < 0 && errno == EINTR)))
		n += got > 0 ? (size_t)got : 0;
	buf[n] = '\0';
	close(fd);
	return child_wait(&c, 60000) && WIFEXITED(c.status) ? WEXITSTATUS(c.status) : -1;
}

static void
check(const char *name, const char *term, const char *locale, int w, int h, int status,
      const char *line, const char *mend)
{
	char buf[8192];
	int got = doctor(term, locale, w, h, buf, sizeof(buf));

	if (!ok(got == status && strstr(buf, line) &&
			(mend ? strstr(buf, mend) : strstr(buf, "no errors")),
		"%s", name))
		printf("# status %d, expected %d with '%s':\n# %s\n", got, status, line, buf);
}

int
main(void)
{
	if (tap_skip(child_no_pty()))
		return done();
	check("a usual terminal is ok", "xterm-256color", "C.UTF-8", 80, 24, 0,
	      "terminal   ok     xterm-256color, 256 colours, UTF-8, 80x24", NULL);
	check("a small window is an error", "xterm-256color", "C.UTF-8", 39, 24, 1, "UTF-8, 39x24",
	      "at least 40 columns wide and 12 lines high");
	check("an unknown terminal is an error", "nobody-knows-it", "C.UTF-8", 80, 24, 1,
	      "terminal   error  nobody-knows-it, no description", "export TERM=xterm-256color");
	check("another encoding is a note", "xterm-256color", "C", 80, 24, 0,
	      "terminal   note   xterm-256color, 256 colours, no UTF-8", "export LANG=C.UTF-8");
	check("a terminal without colours is a note", "vt100", "C.UTF-8", 80, 24, 0,
	      "terminal   note   vt100, no colours, UTF-8",
	      "TERM=xterm-256color if the terminal has colours");
	return done();
}
