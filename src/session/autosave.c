/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * autosave.c - what a crash leaves of a session: a file that is written now and then.
 *
 * While a person is there a session is written to $XDG_STATE_HOME/ctascope/autosave-PID after every
 * `time.autosave` seconds that the machine has run, and once more when a signal ends the program.
 * A session that ends as it should takes the file away. `ctascope --resume` goes on with the newest
 * whose program is gone, and from then on that file is its own.
 *
 * The seconds are counted from tick to tick of a run (session_tick), so that a prompt left alone
 * over night writes nothing.
 */
#include "base/output.h"
#include "session/session_file.h"

#include "base/clock.h"
#include "session/session_part.h"

#include <dirent.h>
#include <errno.h>
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
		mkdir(part, 0700); /* for its user alone; those there are stay as they are */
	}
	return 0;
}

/* ---------------------------------------------------------------- writing */

static void
write_now(struct session *s)
{
	char name[40], path[PATH_MAX];
	struct err e = {0};
	mode_t mask;
	int rc;

	s->unsaved = 0;
	snprintf(name, sizeof(name), PREFIX "%ld", (long)getpid());
	if (session_state_path(name, path, sizeof(path)))
		return;
	mask = umask(077);
	rc = session_write(s, path, &e);
	umask(mask);
	if (rc == 0) {
		snprintf(s->autosaved, sizeof(s->autosaved), "%s", path);
	} else if (!s->autosave_failed) {
		s->autosave_failed = true;
		say(s, SAY_NOTE, "no automatic save: %s; 'set time.autosave 0' ends trying", e.msg);
	}
}

void
session_autosave_tick(struct session *s)
{
	double now = clock_seconds(), since = now - s->run_ticked;

	s->run_ticked = now;
	if (!s->ui.interactive || s->opts.autosave <= 0)
		return;
	s->unsaved += since < 1 ? since : 0; /* longer: another run began */
	if (s->unsaved >= s->opts.autosave)
		write_now(s);
}

void
session_autosave_end(struct session *s)
{
	if (s->sim && s->signal && s->ui.interactive && s->opts.autosave > 0 &&
	    sim_cycle(s->sim) > 0)
		write_now(s);
	else if (*s->autosaved && !s->signal)
		unlink(s->autosaved);
}

/* ---------------------------------------------------------------- finding */

/* The program that wrote it still runs. */
static bool
alive(const char *pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%.20s", pid);
	return access(path, F_OK) == 0;
}

int
session_autosave_find(char *path, size_t size, struct err *e)
{
	char folder[PATH_MAX], file[PATH_MAX + 256];
	struct timespec newest = {0};
	struct dirent *d;
	DIR *dir;

	*path = '\0';
	if (session_state_path("", folder, sizeof(folder)))
		return err_set(e, "--resume: neither XDG_STATE_HOME nor HOME says where sessions "
				  "are kept; name a file");
	dir = opendir(folder);
	while (dir && (d = readdir(dir))) {
		struct stat st;

		snprintf(file, sizeof(file), "%s%s", folder, d->d_name);
		if (strncmp(d->d_name, PREFIX, strlen(PREFIX)) != 0 ||
		    strspn(d->d_name + strlen(PREFIX), "0123456789") !=
			    strlen(d->d_name + strlen(PREFIX)) ||
		    alive(d->d_name + strlen(PREFIX)) || stat(file, &st))
			continue;
		if (*path &&
		    (st.st_mtim.tv_sec < newest.tv_sec ||
		     (st.st_mtim.tv_sec == newest.tv_sec && st.st_mtim.tv_nsec < newest.tv_nsec)))
			continue;
		newest = st.st_mtim;
		snprintf(path, size, "%s", file);
	}
	if (dir)
		closedir(dir);
	return *path ? 0
		     : err_set(e, "--resume: no session that ended by accident is kept in %s",
			       folder);
}

void
session_autosave_take(struct session *s, const char *path)
{
	char name[40], own[PATH_MAX];

	snprintf(name, sizeof(name), PREFIX "%ld", (long)getpid());
	if (session_state_path(name, own, sizeof(own)) == 0 && output_move(path, own, NULL) == 0)
		snprintf(s->autosaved, sizeof(s->autosaved), "%s", own);
}
