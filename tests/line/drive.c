/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drive.c - see drive.h. */
#include "tests/line/drive.h"

#include "base/clock.h"
#include "ctascope/base.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

static char home[] = "/tmp/ctascope-drive.XXXXXX", program[4096], machine[4096], workload[4096];
static char vi_settings[100];

/* Writes a file in the folder for homes. */
static void
write_file(const char *name, const char *text, char path[100])
{
	FILE *f;

	snprintf(path, 100, "%s/%s", home, name);
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f)) {
		printf("Bail out! cannot write %s\n", path);
		exit(99);
	}
}

/* What readline leaks when a line is abandoned is not our leak. */
static void
suppress_leaks(void)
{
	char path[100], option[200];

	write_file("leaks", "leak:libreadline\n", path);
	snprintf(option, sizeof(option), "suppressions=%s:print_suppressions=0", path);
	setenv("LSAN_OPTIONS", option, 1);
}

/* Sanitizers write their reports to files, because the screen would hide them. */
static void
divert_reports(const char *variable)
{
	const char *old = getenv(variable);
	char option[4200];

	snprintf(option, sizeof(option), "%s%slog_path=%s/report", old ? old : "", old ? ":" : "",
		 home);
	setenv(variable, option, 1);
}

void
drive_show_reports(void)
{
	char command[200];

	fflush(stdout);
	snprintf(command, sizeof(command),
		 "for f in %s/report.*; do [ ! -f \"$f\" ] || "
		 "{ sed 's/^/# /' \"$f\"; rm \"$f\"; }; done",
		 home);
	if (system(command) != 0)
		printf("# no reports\n");
}

void
drive_begin(void)
{
	const char *build = getenv("builddir"), *top = getenv("srcdir");

	snprintf(program, sizeof(program), "%s/tests/small/ctascope-fault", build ? build : ".");
	snprintf(machine, sizeof(machine), "%s/tests/small/small.machine", top ? top : ".");
	snprintf(workload, sizeof(workload), "%s/traces/phase.ctr", top ? top : ".");
	if (!mkdtemp(home)) {
		printf("Bail out! no folder for homes\n");
		exit(99);
	}
	suppress_leaks();
	divert_reports("ASAN_OPTIONS");
	divert_reports("UBSAN_OPTIONS");
	write_file("vi", "set editing-mode vi\n", vi_settings);
}

void
drive_end(void)
{
	char command[100];

	snprintf(command, sizeof(command), "rm -rf %s", home);
	if (system(command) != 0)
		printf("# %s is left\n", home);
}

/* ---------------------------------------------------------------- life */

static void
become_program(const struct drive_with *how)
{
	char inputrc[100], state[100];
	char *argv[12] = {program, (char *)(uintptr_t) "-n", (char *)(uintptr_t) "-c", machine};
	int n = 4;

	for (size_t i = 0; i < sizeof(how->args) / sizeof(how->args[0]) && how->args[i]; i++)
		argv[n++] = (char *)(uintptr_t)how->args[i];
	argv[n] = workload;
	setenv("TERM", how->term ? how->term : "xterm", 1);
	setenv("HOME", home, 1);
	setenv("SHELL", "/bin/true", 1);
	setenv("LC_ALL", how->locale ? how->locale : "C.UTF-8", 1);
	setenv("INPUTRC", how->edits_like_vi ? vi_settings : "/dev/null", 1);
	if (how->inputrc) {
		write_file("inputrc", how->inputrc, inputrc);
		setenv("INPUTRC", inputrc, 1);
	}
	setenv("CTASCOPE_FAULT", how->fault ? how->fault : "", 1);
	/* otherwise the history grows from program to program, and vi's searches become slow */
	snprintf(state, sizeof(state), "%s/state-%d", home, (int)getpid());
	setenv("XDG_STATE_HOME", state, 1);
	unsetenv("LINES");
	unsetenv("COLUMNS");
	if (chdir(home) == 0)
		execv(program, argv);
	_exit(127);
}

/* While the program executes a command, the terminal itself would act on keys that edit a line: a
 * Ctrl-U among keys that are typed ahead would erase those before it, or not, as the moment falls.
 * So they are given to the program like other keys. */
static void
pass_editing_keys(int tty)
{
	static const int keys[] = {VERASE, VKILL, VWERASE, VREPRINT, VLNEXT};
	struct termios m;

	if (tcgetattr(tty, &m) < 0)
		return;
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		m.c_cc[keys[i]] = _POSIX_VDISABLE;
	tcsetattr(tty, TCSANOW, &m);
}

void
drive_start(struct drive *d, const struct drive_with *how)
{
	struct winsize size = {.ws_row = (unsigned short)(how->rows ? how->rows : 24),
			       .ws_col = (unsigned short)(how->columns ? how->columns : 80)};

	memset(d, 0, sizeof(*d));
	if (openpty(&d->fd, &d->tty, NULL, NULL, &size) < 0) {
		printf("Bail out! openpty: %s\n", strerror(errno));
		exit(99);
	}
	pass_editing_keys(d->tty);
	tcgetattr(d->tty, &d->before);
	if (child_fork(&d->child) == 0) {
		close(d->fd);
		login_tty(d->tty);
		become_program(how);
	}
	fcntl(d->fd, F_SETFL, O_NONBLOCK);
	fcntl(d->fd, F_SETFD, FD_CLOEXEC);
	fcntl(d->tty, F_SETFD, FD_CLOEXEC);
}

void
drive_close(struct drive *d)
{
	child_kill(&d->child);
	close(d->fd);
	close(d->tty);
}

/* ---------------------------------------------------------------- patience */

/* How long the test waits for one answer. A slow machine looks like a program that hangs, so time
 * alone ends no wait: the program must have been idle for DRIVE_LONG, or must have computed for
 * DRIVE_LOOP seconds. */
struct patience {
	double since, looked; /* when the program last worked; when it was last examined */
	unsigned long computed,
		most; /* ticks of processor time: so far, and at the end of the wait */
};

/* Reads how long the program has computed, in ticks. Returns true if it wants the processor now, or
 * waits for a disk. */
static bool
is_busy(const struct drive *d, unsigned long *ticks)
{
	char path[40], text[1000] = "", state = 'S';
	unsigned long user = 0, system = 0;
	const char *p;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)d->child.pid);
	f = fopen(path, "r");
	if (!f)
		return false;
	p = fgets(text, sizeof(text), f) ? strrchr(text, ')') : NULL;
	fclose(f);
	if (p && sscanf(p, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state, &user,
			&system) == 3)
		*ticks = user + system;
	return state == 'R' || state == 'D';
}

static struct patience
begin_waiting(const struct drive *d)
{
	struct patience p = {.since = clock_seconds(), .looked = clock_seconds()};

	is_busy(d, &p.computed);
	p.most = p.computed + DRIVE_LOOP * (unsigned long)sysconf(_SC_CLK_TCK);
	return p;
}

/* Prints the state of the terminal, and whether Ctrl-Q makes its output go on. */
static void
show_terminal(struct drive *d)
{
	struct termios m = {.c_iflag = 0};
	int unread = -1, unsent = -1;

	tcgetattr(d->tty, &m);
	ioctl(d->tty, FIONREAD, &unread);
	ioctl(d->tty, TIOCOUTQ, &unsent);
	printf("# terminal: iflag %o, lflag %o, %d bytes to read, %d to send\n",
	       (unsigned)m.c_iflag, (unsigned)m.c_lflag, unread, unsent);
	for (int i = 0; i < 2; i++) {
		printf("# %s\n", drive_read(d, 1500) ? "there is output" : "there is no output");
		if (i == 0 && write(d->fd, "\021", 1) == 1)
			printf("# after Ctrl-Q:\n");
	}
}

/* Prints where a program that hangs is, because no later run may hang there. */
static void
show_where_it_hangs(struct drive *d, unsigned long ticks)
{
	static const char *const file[] = {"stat", "wchan", "syscall"};
	char path[64], text[400];

	printf("# it hangs; %lu ticks of processor time so far\n", ticks);
	for (size_t i = 0; i < ARRAY_LEN(file); i++) {
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%d/%s", (int)d->child.pid, file[i]);
		f = fopen(path, "r");
		if (!f)
			continue;
		if (fgets(text, sizeof(text), f))
			printf("# %s: %.*s\n", file[i], (int)strcspn(text, "\n"), text);
		fclose(f);
	}
	show_terminal(d);
}

/* A program that only reads its clock from time to time counts as idle, too. */
static bool
is_too_long(struct drive *d, struct patience *p)
{
	unsigned long computed = p->computed;
	double now = clock_seconds();

	if (now - p->looked < 1)
		return false;
	p->looked = now;
	if (is_busy(d, &computed) || computed >= p->computed + 5)
		p->since = now;
	p->computed = computed;
	if (computed < p->most && now - p->since <= DRIVE_LONG)
		return false;
	show_where_it_hangs(d, computed);
	return true;
}

/* ---------------------------------------------------------------- output */

bool
drive_read(struct drive *d, int ms)
{
	struct pollfd p = {.fd = d->fd, .events = POLLIN};
	size_t half = sizeof(d->text) / 2;
	ssize_t n;

	if (d->n > half) { /* drop the older half */
		memmove(d->text, d->text + d->n - half / 2, half / 2);
		d->at = d->at > d->n - half / 2 ? d->at - (d->n - half / 2) : 0;
		d->n = half / 2;
	}
	if (poll(&p, 1, ms) <= 0)
		return false;
	n = read(d->fd, d->text + d->n, sizeof(d->text) - 1 - d->n);
	d->n += n > 0 ? (size_t)n : 0;
	d->text[d->n] = '\0';
	return n > 0;
}

bool
drive_saw(const struct drive *d, const char *text)
{
	return memmem(d->text + d->at, d->n - d->at, text, strlen(text)) != NULL;
}

bool
drive_expect(struct drive *d, const char *text)
{
	struct patience p = begin_waiting(d);

	while (!drive_saw(d, text)) {
		if (is_too_long(d, &p) || (child_ended(&d->child) && !drive_read(d, 100)))
			break;
		if (!drive_read(d, 100))
			usleep(1000);
	}
	if (drive_saw(d, text)) {
		char *found = memmem(d->text + d->at, d->n - d->at, text, strlen(text));

		d->at = (size_t)(found - d->text) + strlen(text);
		return true;
	}
	printf("# expected: %s\n", text);
	return false;
}

/* ---------------------------------------------------------------- input */

bool
drive_type_bytes(struct drive *d, const char *bytes, size_t n)
{
	struct patience p = begin_waiting(d);

	while (n) {
		ssize_t k = write(d->fd, bytes, n);

		if (k > 0) {
			bytes += k;
			n -= (size_t)k;
		} else if ((k < 0 && errno != EAGAIN && errno != EINTR) || is_too_long(d, &p)) {
			return false;
		} else {
			if (child_ended(&d->child))
				return true;
			drive_read(d, 5);
		}
	}
	return true;
}

bool
drive_type(struct drive *d, const char *text)
{
	return drive_type_bytes(d, text, strlen(text));
}

void
drive_resize(struct drive *d, int rows, int columns)
{
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};

	ioctl(d->fd, TIOCSWINSZ, &size);
}

bool
drive_until_read(struct drive *d)
{
	struct patience p = begin_waiting(d);
	int unread;

	for (;;) {
		while (drive_read(d, 0))
			continue;
		if (child_ended(&d->child) ||
		    (ioctl(d->tty, FIONREAD, &unread) == 0 && unread == 0))
			return true;
		if (is_too_long(d, &p))
			return false;
		drive_read(d, 2);
	}
}

void
drive_until_asleep(struct drive *d)
{
	unsigned long before = 0, ticks = 0;
	int unread;

	for (int asleep = 0; asleep < 20 && !child_ended(&d->child); before = ticks) {
		while (drive_read(d, 0))
			continue;
		if (ioctl(d->tty, FIONREAD, &unread) == 0 && unread == 0)
			return;
		asleep = !is_busy(d, &ticks) && ticks == before ? asleep + 1 : 0;
		usleep(10000);
	}
}

void
drive_fill(struct drive *d, const char *keys)
{
	for (int i = 0; i < 60; i++) {
		int unread = 1, ms = 0;

		if (write(d->fd, keys, strlen(keys)) < 0)
			return;
		for (; unread && ms < 1000; ms += 20) {
			usleep(20000);
			ioctl(d->tty, FIONREAD, &unread);
		}
		if (unread)
			return;
	}
}

/* ---------------------------------------------------------------- the end */

static int
wait_for_end(struct drive *d, bool reads)
{
	struct patience p = begin_waiting(d);

	while (!child_ended(&d->child)) {
		if (is_too_long(d, &p)) {
			child_kill(&d->child);
			return -1;
		}
		if (!reads || !drive_read(d, 5))
			usleep(reads ? 1000 : 5000);
	}
	while (reads && drive_read(d, 0))
		continue;
	return WIFEXITED(d->child.status) ? WEXITSTATUS(d->child.status)
					  : 128 + WTERMSIG(d->child.status);
}

int
drive_ended(struct drive *d)
{
	return wait_for_end(d, true);
}

int
drive_ended_unread(struct drive *d)
{
	return wait_for_end(d, false);
}

bool
drive_modes_restored(const struct drive *d)
{
	struct termios now;

	return tcgetattr(d->tty, &now) == 0 && now.c_iflag == d->before.c_iflag &&
	       now.c_oflag == d->before.c_oflag && now.c_lflag == d->before.c_lflag &&
	       memcmp(now.c_cc, d->before.c_cc, sizeof(now.c_cc)) == 0;
}
