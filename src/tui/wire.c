/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire.c - sends frames to the terminal without blocking; see wire.h. */
#include "tui/wire.h"

#include "line/line.h"
#include "compat/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#define STUCK_MS 500 /* time without taking a byte after which a line is stuck */

/* Opens the same terminal again. */
static int
reopen_terminal(int fd)
{
	char name[64];

	if (ttyname_r(fd, name, sizeof(name)) != 0)
		return -1;
	return open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/* A pseudo-terminal has a speed as well, which means nothing. */
unsigned
wire_line_rate(int fd)
{
	static const struct {
		speed_t speed;
		unsigned baud;
	} speeds[] = {{B1200, 1200},   {B2400, 2400},	{B4800, 4800},	 {B9600, 9600},
		      {B19200, 19200}, {B38400, 38400}, {B57600, 57600}, {B115200, 115200}};
	struct termios is;
	char name[64];

	if (ttyname_r(fd, name, sizeof(name)) != 0 ||
	    (strncmp(name, "/dev/ttyS", 9) != 0 && strncmp(name, "/dev/ttyUSB", 11) != 0) ||
	    tcgetattr(fd, &is) < 0)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(speeds); i++)
		if (cfgetospeed(&is) == speeds[i].speed)
			return speeds[i].baud / 10;
	return 0;
}

void
wire_open(struct wire *w, int out)
{
	*w = (struct wire){.out = out,
			   .line = reopen_terminal(out),
			   .memory = compat_memory_file("ctascope-frames")};
}

void
wire_close(struct wire *w)
{
	if (w->memory >= 0)
		close(w->memory);
	if (w->line >= 0)
		close(w->line);
	sb_free(&w->queue);
	sb_free(&w->curses);
	free(w->exact);
}

/* Appends what was written since the last call to the queue. */
static bool
collect_output(struct wire *w)
{
	off_t n = lseek(w->memory, 0, SEEK_CUR);
	char *to = n > 0 ? sb_reserve(&w->curses, (size_t)n) : NULL;
	ssize_t got = to ? pread(w->memory, to, (size_t)n, 0) : 0;
	size_t before = w->queue.n;
	bool whole;

	if (n <= 0)
		return true;
	if (got > 0)
		sgr_write_out(w->exact, to, (size_t)got, &w->queue);
	w->bytes += w->queue.n - before;
	if (w->listen && w->queue.n > before)
		w->listen(w->listen_ctx, w->queue.p + before, w->queue.n - before);
	whole = lseek(w->memory, 0, SEEK_SET) == 0 && got == n && !w->queue.failed;
	w->queue.failed = w->curses.failed = false;
	return whole;
}

static void
push_queue(struct wire *w)
{
	int to = w->line >= 0 ? w->line : w->out;
	ssize_t n = 0;

	while (w->sent < w->queue.n &&
	       (n = write(to, w->queue.p + w->sent, w->queue.n - w->sent)) > 0)
		w->sent += (size_t)n;
	if (w->sent == w->queue.n || (n < 0 && errno != EAGAIN && errno != EINTR)) {
		sb_clear(&w->queue); /* everything is sent, or the terminal is gone */
		w->sent = 0;
	}
}

/* Waits until the line takes more bytes. After a signal that ends the program it waits only
 * briefly, and drops what the line has not taken by then. */
static void
wait_for_line(struct wire *w)
{
	struct pollfd p = {.fd = w->line >= 0 ? w->line : w->out, .events = POLLOUT};

	if (poll(&p, 1, tty_waits_ended() ? STUCK_MS : 1000) != 0 || !tty_waits_ended())
		return;
	sb_clear(&w->queue);
	w->sent = 0;
}

bool
wire_divert(struct wire *w, FILE *to, bool on)
{
	bool whole = true;

	if (w->memory < 0 || on == w->diverted)
		return true;
	fflush(to);
	if (!on)
		for (whole = collect_output(w), push_queue(w); w->queue.n; push_queue(w))
			wait_for_line(w);
	w->diverted = on && compat_dup_onto(w->memory, fileno(to)) == 0;
	if (!on)
		compat_dup_onto(w->out, fileno(to));
	return whole;
}

bool
wire_push(struct wire *w, bool *busy)
{
	bool whole = !w->diverted || collect_output(w);

	if (w->diverted)
		push_queue(w);
	*busy = w->queue.n > 0;
	return whole;
}

FILE *
wire_stream(int fd, const char *mode)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);

	return copy < 0 ? NULL : fdopen(copy, mode);
}
