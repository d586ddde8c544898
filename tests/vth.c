/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vth.c - see vth.h. */
#include "tests/vth.h"
#include "base/clock.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

static long
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---------------------------------------------------------------- what the terminal says */

static int
on_property(VTermProp property, VTermValue *value, void *ctx)
{
	struct vth *h = ctx;

	if (property == VTERM_PROP_ALTSCREEN)
		h->alternate = value->boolean;
	if (property == VTERM_PROP_MOUSE)
		h->mouse = value->number;
	if (property == VTERM_PROP_CURSORVISIBLE)
		h->cursor = value->boolean;
	return 1;
}

static int
on_unknown_csi(const char *leader, const long args[], int n, const char *intermed, char command,
	       void *ctx)
{
	struct vth *h = ctx;

	(void)leader;
	(void)intermed;
	if (command == 't' && n && (args[0] == 22 || args[0] == 23))
		return 1; /* xterm's stack of titles */
	h->unknown++;
	return 1;
}

static int
on_unknown_escape(const char *bytes, size_t n, void *ctx)
{
	(void)bytes;
	(void)n;
	((struct vth *)ctx)->unknown++;
	return 1;
}

static void
to_program(const char *s, size_t n, void *ctx)
{
	struct vth *h = ctx;

	while (n) {
		ssize_t k = write(h->fd, s, n);
		if (k < 0 && errno == EAGAIN)
			vth_pump(h, 5);
		else if (k < 0 && errno != EINTR)
			return;
		else if (k > 0)
			s += k, n -= (size_t)k;
	}
}

/* ---------------------------------------------------------------- life */

bool
vth_start(struct vth *h, int rows, int cols, char *const argv[], char *const env[])
{
	static const VTermScreenCallbacks callbacks = {.settermprop = on_property};
	static const VTermParserCallbacks unknown = {.escape = on_unknown_escape,
						     .csi = on_unknown_csi};
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};

	memset(h, 0, sizeof(*h));
	h->fd = h->tty = -1;
	h->rows = rows;
	h->cols = cols;
	h->cursor = true;
	h->vt = vterm_new(rows, cols);
	vterm_set_utf8(h->vt, 1);
	h->screen = vterm_obtain_screen(h->vt);
	h->state = vterm_obtain_state(h->vt);
	vterm_screen_set_callbacks(h->screen, &callbacks, h);
	vterm_screen_set_unrecognised_fallbacks(h->screen, &unknown, h);
	vterm_screen_enable_altscreen(h->screen, 1);
	vterm_screen_reset(h->screen, 1);
	vterm_output_set_callback(h->vt, to_program, h);
	if (openpty(&h->fd, &h->tty, NULL, NULL, &size) < 0)
		return false;
	tcgetattr(h->tty, &h->before);
	if (child_fork(&h->child) == 0) {
		close(h->fd);
		login_tty(h->tty);
		execvpe(argv[0], argv, env);
		_exit(127);
	}
	fcntl(h->fd, F_SETFL, O_NONBLOCK);
	fcntl(h->fd, F_SETFD, FD_CLOEXEC);
	return true;
}

void
vth_close(struct vth *h)
{
	child_kill(&h->child);
	close(h->fd);
	close(h->tty);
	vterm_free(h->vt);
}

/* ---------------------------------------------------------------- waiting */

/* Waits as long as a line of that rate needs. It makes up for delays of a loaded machine, on which
 * the line would otherwise be slower. */
static void
carry(struct vth *h, size_t n)
{
	double now = clock_seconds();

	if (h->carried < now - 0.5)
		h->carried = now;
	h->carried += (double)n / h->rate;
	if (h->carried > now)
		usleep((useconds_t)(1e6 * (h->carried - now)));
}

/* Reads what arrives within ms; returns false if nothing did. */
static bool
pump_once(struct vth *h, int ms)
{
	struct pollfd p = {.fd = h->fd, .events = POLLIN};
	char buf[65536];
	ssize_t n;

	if (h->eof || poll(&p, 1, ms) <= 0)
		return false;
	n = read(h->fd, buf, h->rate ? h->rate / 50 + 1 : sizeof(buf));
	if (n > 0) {
		if (h->rate)
			carry(h, (size_t)n);
		h->bytes += (size_t)n;
		vterm_input_write(h->vt, buf, (size_t)n);
		return true;
	}
	if (n == 0 || (errno != EAGAIN && errno != EINTR))
		h->eof = true;
	return false;
}

void
vth_pump(struct vth *h, int ms)
{
	for (long end = now_ms() + ms, left; (left = end - now_ms()) > 0 && !h->eof;)
		pump_once(h, (int)left);
}

/* Whether the program has read all that was typed and waits for more. Time does not tell this,
 * since a loaded machine may let the program wait for its turn. True if the system does not tell
 * (/proc). */
static bool
idle(struct vth *h)
{
	char path[64], stat[512], *state;
	pid_t pid = tcgetpgrp(h->fd);
	int unread = 0;
	size_t n = 0;
	FILE *f;

	if (ioctl(h->tty, FIONREAD, &unread) == 0 && unread > 0)
		return false;
	snprintf(path, sizeof(path), "/proc/%ld/stat", (long)(pid > 0 ? pid : h->child.pid));
	f = fopen(path, "r");
	if (f) {
		n = fread(stat, 1, sizeof(stat) - 1, f);
		fclose(f);
	}
	stat[n] = '\0';
	state = strrchr(stat, ')'); /* after the name */
	return !state || !strchr("RD", state[2]);
}

bool
vth_settle(struct vth *h)
{
	long noisy = now_ms() + 3000, busy = now_ms() + 10000;

	while (!h->eof) {
		bool waits = idle(h), quiet = !pump_once(h, 80);

		if (quiet && waits && idle(h))
			return true;
		if (now_ms() > (quiet ? busy : noisy))
			return false;
	}
	return true;
}

bool
vth_wait(struct vth *h, bool (*is)(struct vth *h), int ms)
{
	for (long end = now_ms() + ms; !is(h);) {
		if (now_ms() > end || h->eof)
			return false;
		pump_once(h, 50);
	}
	return true;
}

bool
vth_wait_text(struct vth *h, const char *text, int ms)
{
	for (long end = now_ms() + ms; vth_find(h, text) < 0;) {
		if (now_ms() > end || h->eof)
			return false;
		pump_once(h, 50);
	}
	return true;
}

bool
vth_wait_exit(struct vth *h, int ms)
{
	for (long end = now_ms() + ms; now_ms() < end;) {
		pump_once(h, 10);
		if (!child_ended(&h->child))
			continue;
		/* on a loaded machine the last bytes come late: those that leave the screen */
		while (pump_once(h, h->alternate ? 500 : 20))
			;
		return true;
	}
	return false;
}

/* ---------------------------------------------------------------- keys */

void
vth_send(struct vth *h, const char *bytes)
{
	to_program(bytes, strlen(bytes), h);
}

void
vth_key(struct vth *h, VTermKey key)
{
	vterm_keyboard_key(h->vt, key, VTERM_MOD_NONE);
}

void
vth_paste(struct vth *h, const char *text)
{
	vterm_keyboard_start_paste(h->vt);
	vth_send(h, text);
	vterm_keyboard_end_paste(h->vt);
}

void
vth_resize(struct vth *h, int rows, int cols)
{
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};

	h->rows = rows;
	h->cols = cols;
	vterm_set_size(h->vt, rows, cols);
	ioctl(h->fd, TIOCSWINSZ, &size);
}

/* ---------------------------------------------------------------- looking */

static size_t
utf8(uint32_t c, char *to)
{
	if (c < 0x80)
		return to[0] = (char)c, 1;
	if (c < 0x800)
		return to[0] = (char)(0xc0 | c >> 6), to[1] = (char)(0x80 | (c & 63)), 2;
	to[0] = (char)(0xe0 | c >> 12);
	to[1] = (char)(0x80 | (c >> 6 & 63));
	to[2] = (char)(0x80 | (c & 63));
	return 3;
}

static int
color_index(const VTermColor *c)
{
	if (VTERM_COLOR_IS_DEFAULT_FG(c) || VTERM_COLOR_IS_DEFAULT_BG(c))
		return -1;
	return VTERM_COLOR_IS_INDEXED(c) ? c->indexed.idx : -2;
}

struct vth_cell
vth_cell(struct vth *h, int row, int col)
{
	struct vth_cell r = {.fg = -1, .bg = -1};
	VTermScreenCell c;
	size_t n = 0;

	if (!vterm_screen_get_cell(h->screen, (VTermPos){row, col}, &c))
		return r;
	if (c.chars[0] != (uint32_t)-1) { /* otherwise it is the right half of a wide character */
		for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && c.chars[i]; i++)
			n += utf8(c.chars[i], r.text + n);
		if (n == 0)
			r.text[n++] = ' ';
	}
	r.text[n] = '\0';
	r.fg = color_index(&c.fg);
	r.bg = color_index(&c.bg);
	r.bold = c.attrs.bold;
	r.reverse = c.attrs.reverse;
	return r;
}

const char *
vth_row(struct vth *h, int row, char *buf, size_t size)
{
	size_t n = 0, end = 0;

	for (int x = 0; x < h->cols; x++) {
		struct vth_cell c = vth_cell(h, row, x);
		size_t len = strlen(c.text);
		if (n + len + 1 > size)
			break;
		memcpy(buf + n, c.text, len);
		n += len;
		if (len && strcmp(c.text, " ") != 0)
			end = n;
	}
	buf[end] = '\0';
	return buf;
}

int
vth_find(struct vth *h, const char *text)
{
	char buf[8192];

	for (int y = 0; y < h->rows; y++)
		if (strstr(vth_row(h, y, buf, sizeof(buf)), text))
			return y;
	return -1;
}

bool
vth_modes_restored(struct vth *h)
{
	struct termios now;

	if (tcgetattr(h->tty, &now) < 0)
		return false;
	return now.c_iflag == h->before.c_iflag && now.c_oflag == h->before.c_oflag &&
	       now.c_lflag == h->before.c_lflag &&
	       memcmp(now.c_cc, h->before.c_cc, sizeof(now.c_cc)) == 0;
}

void
vth_show(struct vth *h, FILE *to)
{
	char buf[8192];

	for (int y = 0; y < h->rows; y++)
		fprintf(to, "# |%s\n", vth_row(h, y, buf, sizeof(buf)));
}
