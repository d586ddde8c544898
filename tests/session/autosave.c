/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * autosave.c - after a crash, --resume finds the file of a session.
 *
 * A child runs a slow machine at a prompt and ends abruptly; then by a signal; then normally. The
 * test finds its file and reads it. Then files get the names of other processes: one that runs, one
 * whose number another process has now, one of another host.
 */
#include "tests/tap.h"

#include "base/memory.h"
#include "prompt/prompt.h"
#include "session/session_file.h"
#include "session/session_part.h"
#include "tests/child.h"
#include "tests/small/fault.h"
#include "tests/small/small.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

enum how { CRASH, SIGNAL, QUIT, NO_MEMORY };

static void
out(void *ctx, enum say kind, const char *line)
{
	(void)ctx;
	diag("%d %s", kind, line);
}

/* Runs some cycles, then some more after which the session has no time to write. */
static void
be_a_session(enum how end, const char *every)
{
	struct session_ui ui = {.out = out, .interactive = true};
	struct config *c = small_config("dyncta");
	struct trace *t = small_trace();
	struct session *s = session_new(c, t, &ui, NULL);
	char line[80];

	snprintf(line, sizeof(line), "set time.autosave %s", every);
	session_exec(s, line);
	session_exec(s, "break 4000");
	fault_set("slow=50");
	session_exec(s, "advance 3900");
	fault_set(NULL);
	if (end == CRASH)
		_exit(9);
	if (end == NO_MEMORY) {
		plain_signals(s);
		memory_end();
	}
	if (end == SIGNAL)
		session_note_signal(s, SIGTERM);
	session_autosave_end(s);
	session_autosave_drop(s);
	session_free(s);
	_exit(0);
}

/* Returns the cycle of the session in the file, 0 if there is no file. */
static cycle_t
left_at(unsigned *stops)
{
	struct session_ui ui = {.out = out};
	struct config *c = small_config("dyncta");
	struct trace *t = small_trace();
	struct session *s = session_new(c, t, &ui, NULL);
	char path[4096];
	struct err e = {0};
	cycle_t at = 0;

	if (session_autosave_take(s, path, sizeof(path), &e)) {
		diag("%s", e.msg);
	} else if (session_read(s, path, false, &e)) {
		diag("%s", e.msg);
	} else {
		struct stat st;

		at = sim_cycle(session_sim(s));
		*stops = debug_stop_count(s->debug);
		ok(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600,
		   "which is for its user alone");
		is_str(path, s->autosaved, "and is the new session's then");
		session_autosave_drop(s);
		ok(access(path, F_OK) != 0, "until that ends");
	}
	session_free(s);
	trace_close(t);
	config_free(c);
	return at;
}

static cycle_t
after(enum how end, const char *every, unsigned *stops)
{
	struct child child;

	*stops = 0;
	if (child_fork(&child) == 0)
		be_a_session(end, every);
	if (!child_wait(&child, 60000))
		child_kill(&child);
	return left_at(stops);
}

/* ---------------------------------------------------------------- whose a file is */

/* Creates a file that belongs to that process; boot NULL: of this boot. */
static void
leave_file(const char *host, const char *boot, long pid, unsigned start)
{
	char here[100] = "", id[9] = "0", path[4096];
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");

	gethostname(here, sizeof(here) - 1);
	if (f && fscanf(f, "%8s", id) != 1)
		diag("no boot id");
	if (f)
		fclose(f);
	snprintf(path, sizeof(path), "%s/ctascope/autosave-%s-%s-%ld-%u", getenv("XDG_STATE_HOME"),
		 host ? host : here, boot ? boot : id, pid, start);
	struct config *c = small_config("rr");
	struct trace *t = small_trace();
	struct session *s = session_new(c, t, NULL, NULL);

	if (!s || session_write(s, path, NULL))
		diag("no session in %s", path);
	session_free(s);
	trace_close(t);
	config_free(c);
}

/* Takes a file and removes it; returns the message if there is none. */
static const char *
take_file(void)
{
	static struct err e;
	struct session *s = session_new(NULL, NULL, NULL, NULL);
	char path[4096];
	int rc;

	e = (struct err){0};
	rc = session_autosave_take(s, path, sizeof(path), &e);
	session_autosave_drop(s);
	session_free(s);
	return rc ? e.msg : "taken";
}

static void
owners(void)
{
	char own[200];

	leave_file(NULL, "00000000", getpid(), 1);
	is_str(take_file(), "taken", "of a boot before: it can be taken");
	leave_file(NULL, NULL, getpid(), 1);
	is_str(take_file(), "taken", "of a process whose number another one has now: it can");
	leave_file("far-away", NULL, getpid(), 1);
	ok(strstr(take_file(), "was saved on host far-away"), "of another host: that is told");
	leave_file(NULL, "00000000", getpid(), 1);
	is_str(take_file(), "taken", "which is in nobody's way");
	snprintf(own, sizeof(own), "rm -r %s/ctascope/autosave-far-away*",
		 getenv("XDG_STATE_HOME"));
	ok(system(own) == 0, "and stays");
}

/* Two programs resume the same session. */
static void
two(void)
{
	struct child child;
	char want[100], byte;
	int pipes[2][2];

	leave_file(NULL, "00000000", getpid(), 1);
	if (pipe(pipes[0]) || pipe(pipes[1]))
		exit(99);
	if (child_fork(&child) == 0) {
		struct session *s = session_new(NULL, NULL, NULL, NULL);
		char path[4096];

		byte = session_autosave_take(s, path, sizeof(path), NULL) == 0 ? 'y' : 'n';
		close(pipes[1][1]);
		if (write(pipes[0][1], &byte, 1) != 1 || read(pipes[1][0], &byte, 1) != 0)
			_exit(1);
		_exit(0);
	}
	ok(read(pipes[0][0], &byte, 1) == 1 && byte == 'y', "the first gets it");
	snprintf(want, sizeof(want), "process %ld is using the session", (long)child.pid);
	ok(strstr(take_file(), want), "the second is told who has it");
	close(pipes[1][1]);
	child_wait(&child, 60000);
	child_kill(&child);
	is_str(take_file(), "taken", "until that has crashed");
}

static void
count_note(void *ctx, enum say kind, const char *line)
{
	unsigned *notes = ctx;

	diag("%d %s", kind, line);
	*notes += kind == SAY_NOTE && strstr(line, "cannot save the session automatically: ") == line;
}

/* A session whose home is read-only continues and prints one line, whoever its user is. */
static void
keep_nothing(const char *home, const char *name)
{
	unsigned notes = 0;
	struct session_ui ui = {.out = count_note, .ctx = &notes, .interactive = true};
	struct config *c = small_config("dyncta");
	struct trace *t = small_trace();
	struct session *s = session_new(c, t, &ui, NULL);

	unsetenv("XDG_STATE_HOME");
	if (home)
		setenv("HOME", home, 1);
	else
		unsetenv("HOME");
	session_exec(s, "advance 100");
	session_autosave_now(s);
	session_exec(s, "advance 200");
	session_note_signal(s, SIGTERM);
	session_autosave_end(s);
	ok(notes == 1 && sim_cycle(session_sim(s)) == 200, "%s: one line, and the session goes on",
	   name);
	session_free(s);
	trace_close(t);
	config_free(c);
}

int
main(void)
{
	char folder[] = "/tmp/ctascope-saved.XXXXXX", file[64];
	unsigned stops;
	cycle_t at;

	if (!mkdtemp(folder))
		return 99;
	setenv("XDG_STATE_HOME", folder, 1);
	at = after(CRASH, "0.05", &stops);
	ok(at > 500 && at < 3900, "a crash leaves what there was at cycle %llu",
	   (unsigned long long)at);
	is_u64(stops, 1, "with its stop");
	ok(after(CRASH, "0", &stops) == 0, "nothing, when nothing is to be kept");
	ok(after(CRASH, "60", &stops) == 0, "nothing, after a short run");
	is_u64(after(SIGNAL, "60", &stops), 3900, "a signal leaves the last place");
	is_u64(after(NO_MEMORY, "60", &stops), 3900, "so does a command that finds no memory");
	ok(after(QUIT, "0.05", &stops) == 0, "a session that ends as it should leaves nothing");
	owners();
	two();
	snprintf(file, sizeof(file), "%s/ctascope", folder);
	ok(rmdir(file) == 0 && rmdir(folder) == 0, "at all");
	keep_nothing(NULL, "no home");
	keep_nothing("/dev/null", "a home that is no folder");
	keep_nothing("/proc/nowhere", "a home that cannot be made");
	return done();
}
