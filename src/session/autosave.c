/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * autosave.c - writes the session to a file from time to time, so that a crash does not lose it.
 *
 * While a person is present, the session is written to a file in $XDG_STATE_HOME/ctascope after
 * every `time.autosave` seconds that the machine has run, and once more when a signal, or an exit()
 * in a command, ends the program. The file is removed only when the session ends normally: a
 * session that a script resumed and that failed keeps its file.
 *
 * The file's name says which process it belongs to: autosave-HOST-BOOT-PID-START, where BOOT is the
 * beginning of the system's boot id and START the time at which the process began. So a process
 * that reuses the number of an earlier one does not hide its file, and two hosts with one home
 * directory have separate files. `ctascope --resume` takes the newest file whose process has ended
 * by renaming it to its own name, which only one of two programs can do. A file that is damaged, or
 * was written by another build, does not hide an older one.
 *
 * Only time during a run counts (session_tick), so that a prompt left alone over night writes
 * nothing.
 */
#include "base/output.h"
#include "session/session_file.h"

#include "base/clock.h"
#include "session/session_part.h"
#include "base/process.h"
#include "compat/compat.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "autosave-"

int
session_state_path(const char *name, char *path, size_t size)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	char part[PATH_MAX];
	int n;

	if (state && state[0] == '/')
		n = snprintf(path, size, "%s/ctascope/%s", state, name);
	else if (home && home[0] == '/')
		n = snprintf(path, size, "%s/.local/state/ctascope/%s", home, name);
	else
		return -1;
	if ((size_t)n >= size)
		return -1;
	for (const char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(p - path), path);
		/* Only for the user; existing folders keep their modes. */
		mkdir(part, 0700);
	}
	return 0;
}

/* ---------------------------------------------------------------- names */

/* The process that a file belongs to. */
struct owner {
	char host[HOST_NAME_MAX + 1], boot[9];
	long pid;
	unsigned long long start; /* in clock ticks since the boot; 0: unknown */
};

#define START_UNKNOWN ULLONG_MAX /* for a running process if the system has no /proc */

static unsigned long long
start_if_it_runs(long pid)
{
	return process_signal((pid_t)pid, 0) == 0 || errno == EPERM ? START_UNKNOWN : 0;
}

/* Returns when the process began, 0 if it is not running. */
static unsigned long long
read_start(long pid)
{
	unsigned long long start = 0;
	char path[64], text[1024], state = 'X';
	const char *at;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return start_if_it_runs(pid);
	n = read(fd, text, sizeof(text) - 1);
	text[MAX(n, 0)] = '\0';
	close(fd);
	/* The program's name before it may contain anything. */
	at = strrchr(text, ')');
	if (!at || sscanf(at + 1,
			  " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
			  "%*s %llu",
			  &state, &start) != 2)
		return 0;
	return state == 'Z' || state == 'X' ? 0 : start;
}

static void
get_own(struct owner *o)
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");

	*o = (struct owner){.host = "localhost", .boot = "0", .pid = getpid()};
	if (gethostname(o->host, sizeof(o->host) - 1))
		snprintf(o->host, sizeof(o->host), "localhost");
	for (char *p = o->host; *p; p++)
		if (*p == '/')
			*p = '_';
	if (!f || fscanf(f, "%8[0-9a-f]", o->boot) != 1)
		snprintf(o->boot, sizeof(o->boot), "0");
	if (f)
		fclose(f);
	o->start = read_start(o->pid);
}

static int
own_path(char *path, size_t size)
{
	char name[NAME_MAX + 1];
	struct owner o;

	get_own(&o);
	snprintf(name, sizeof(name), PREFIX "%s-%s-%ld-%llu", o.host, o.boot, o.pid, o.start);
	return session_state_path(name, path, size);
}

/* Cuts off and returns the text after the last '-'; NULL if there is none. */
static const char *
cut_last_part(char *text)
{
	char *dash = strrchr(text, '-');

	if (!dash || !dash[1])
		return NULL;
	*dash = '\0';
	return dash + 1;
}

static bool
parse_name(const char *name, struct owner *o)
{
	char text[NAME_MAX + 1];
	const char *start, *pid, *boot;

	if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
		return false;
	snprintf(text, sizeof(text), "%s", name + strlen(PREFIX));
	start = cut_last_part(text);
	pid = start ? cut_last_part(text) : NULL;
	boot = pid ? cut_last_part(text) : NULL;
	if (!boot || start[strspn(start, "0123456789")] || pid[strspn(pid, "0123456789")] ||
	    strlen(boot) >= sizeof(o->boot) || strlen(text) >= sizeof(o->host))
		return false;
	memcpy(o->host, text, strlen(text) + 1);
	memcpy(o->boot, boot, strlen(boot) + 1);
	o->pid = strtol(pid, NULL, 10);
	o->start = strtoull(start, NULL, 10);
	return true;
}

enum whereabouts { OWNER_GONE, OWNER_RUNS, OWNER_ELSEWHERE };

static enum whereabouts
find_owner(const struct owner *o, const struct owner *me)
{
	unsigned long long start;

	if (strcmp(o->host, me->host) != 0)
		return OWNER_ELSEWHERE;
	if (strcmp(o->boot, me->boot) != 0)
		return OWNER_GONE;
	start = o->start ? read_start(o->pid) : 0;
	return start && (start == o->start || start == START_UNKNOWN || o->start == START_UNKNOWN)
		       ? OWNER_RUNS
		       : OWNER_GONE;
}

/* ---------------------------------------------------------------- writing */

static bool
write_now(struct session *s)
{
	char path[PATH_MAX];
	struct err e = {0};
	mode_t mask = umask(077);
	int rc = own_path(path, sizeof(path));

	s->unsaved = 0;
	if (rc)
		err_set(&e, "neither XDG_STATE_HOME nor HOME names a folder");
	else
		rc = session_write(s, path, &e);
	umask(mask);
	if (rc == 0) {
		snprintf(s->autosaved, sizeof(s->autosaved), "%s", path);
	} else if (!s->autosave_failed) {
		s->autosave_failed = true;
		say(s, SAY_NOTE,
		    "cannot save the session automatically: %s; 'set time.autosave 0' turns this "
		    "off",
		    e.msg);
	}
	return rc == 0;
}

void
session_autosave_tick(struct session *s)
{
	double now = clock_seconds(), since = now - s->control.ticked;

	s->control.ticked = now;
	if (!s->ui.interactive || s->opts.autosave <= 0)
		return;
	s->unsaved += since < 1 ? since : 0; /* a longer time means that another run began */
	if (s->unsaved >= s->opts.autosave)
		write_now(s);
}

void
session_autosave_now(struct session *s)
{
	/* the front end may have closed already */
	if (s->sim && !s->control.running && s->ui.interactive && s->opts.autosave > 0 &&
	    sim_cycle(s->sim) > 0 && write_now(s))
		fprintf(stderr,
			"ctascope: saved the session in %s; 'ctascope --resume' continues it\n",
			s->autosaved);
}

void
session_autosave_end(struct session *s)
{
	if (s->control.signal)
		session_autosave_now(s);
}

void
session_autosave_drop(struct session *s)
{
	if (*s->autosaved && !s->control.signal)
		unlink(s->autosaved);
	s->autosaved[0] = '\0';
}

/* ---------------------------------------------------------------- finding */

/* The newest file for each state of its owner. */
struct found {
	char path[PATH_MAX];
	struct timespec written;
	struct owner owner;
};

static bool
is_newer(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec > b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec > b->tv_nsec);
}

/* `bad` has the names of files that cannot be resumed, each with a '/' before and after it. */
static bool
is_among(const struct strbuf *bad, const char *name)
{
	char text[NAME_MAX + 3];

	snprintf(text, sizeof(text), "/%s/", name);
	return bad->n && strstr(bad->p, text);
}

static void
find_newest(const char *folder, const struct strbuf *bad, struct found found[OWNER_ELSEWHERE + 1])
{
	DIR *dir = opendir(folder);
	struct owner me, o;
	struct dirent *d;

	get_own(&me);
	while (dir && (d = readdir(dir))) {
		char path[PATH_MAX];
		struct found *f;
		struct stat st;

		if (!parse_name(d->d_name, &o) || is_among(bad, d->d_name) ||
		    snprintf(path, sizeof(path), "%s%s", folder, d->d_name) >= (int)sizeof(path) ||
		    stat(path, &st))
			continue;
		struct timespec written = compat_mtime(&st);

		f = &found[find_owner(&o, &me)];
		if (*f->path && !is_newer(&written, &f->written))
			continue;
		*f = (struct found){.written = written, .owner = o};
		memcpy(f->path, path, sizeof(path));
	}
	if (dir)
		closedir(dir);
}

/* Reports why no file can be taken. */
static int
refuse_resume(const char *folder, const struct found found[], struct err *e)
{
	const struct found *runs = &found[OWNER_RUNS], *away = &found[OWNER_ELSEWHERE];

	if (*runs->path && (!*away->path || is_newer(&runs->written, &away->written)))
		return err_set(e, "--resume: process %ld is using the session in %s",
			       runs->owner.pid, runs->path);
	if (*away->path)
		return err_set(e,
			       "--resume: the session in %s was saved on host %s; 'ctascope "
			       "--resume FILE' continues it",
			       away->path, away->owner.host);
	return err_set(e, "--resume: there is no interrupted session in %s", folder);
}

/* Takes the newest file that can be resumed, by renaming it to `own`; in a read-only folder the
 * file keeps its name. `bad` is that of find_newest(). */
static int
take_newest(struct session *s, const char *folder, const char *own, struct strbuf *bad, char *path,
	    size_t size, struct err *e)
{
	struct err first = {0};
	char workload[PATH_MAX];

	for (;;) {
		struct found found[OWNER_ELSEWHERE + 1] = {0};
		const char *from = found[OWNER_GONE].path;
		struct err why = {0};

		find_newest(folder, bad, found);
		if (!*from)
			return first.set ? err_of(e, first.kind, "--resume: %s", first.msg)
					 : refuse_resume(folder, found, e);
		if (session_file_workload(s, from, workload, sizeof(workload), &why)) {
			if (session_is_asked_to_stop(s) || why.kind == ERR_MEMORY)
				return err_of(e, why.kind, "--resume: %s", why.msg);
			say(s, SAY_NOTE, "--resume skipped a session: %s", why.msg);
			first = first.set ? first : why;
			sb_printf(bad, "%s/", strrchr(from, '/'));
			if (bad->failed)
				return err_nomem(e);
			continue;
		}
		if (output_rename(from, own) == 0) {
			snprintf(s->autosaved, sizeof(s->autosaved), "%s", own);
			snprintf(path, size, "%s", own);
			return 0;
		}
		if (errno != ENOENT) {
			snprintf(path, size, "%s", from);
			return 0;
		}
	}
}

int
session_autosave_take(struct session *s, char *path, size_t size, struct err *e)
{
	char folder[PATH_MAX], own[PATH_MAX];
	struct strbuf bad = {0};
	int rc;

	if (session_state_path("", folder, sizeof(folder)) || own_path(own, sizeof(own)))
		return err_set(e, "--resume: neither XDG_STATE_HOME nor HOME names a folder of "
				  "saved sessions; name a file");
	rc = take_newest(s, folder, own, &bad, path, size, e);
	sb_free(&bad);
	return rc;
}
