/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * autosave.c - what an accident leaves of a session: a file that --resume finds.
 *
 * A child runs a slow machine at a prompt and ends without a word; then by a signal; then as it
 * should. What it leaves is looked for, and read.
 */
#include "tests/tap.h"

#include "session/session_file.h"
#include "session/session_part.h"
#include "tests/child.h"
#include "tests/small/fault.h"
#include "tests/small/small.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

enum how { CRASH, SIGNAL, QUIT };

static void
out(void *ctx, enum say kind, const char *line)
{
	(void)ctx;
	diag("%d %s", kind, line);
}

/* Some cycles, then some more after which nothing is written for lack of time. */
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
	if (end == SIGNAL)
		session_note_signal(s, SIGTERM);
	session_free(s);
	_exit(0);
}

/* The cycle a session had in the file that was left, 0: there is none. */
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

	if (session_autosave_find(path, sizeof(path), &e)) {
		diag("%s", e.msg);
	} else if (session_read(s, path, false, &e)) {
		diag("%s", e.msg);
	} else {
		struct stat st;

		at = sim_cycle(session_sim(s));
		*stops = debug_stop_count(s->debug);
		ok(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600,
		   "which is for its user alone");
		session_autosave_take(s, path);
		ok(access(path, F_OK) != 0 && access(s->autosaved, F_OK) == 0,
		   "and is the new session's then");
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
	ok(after(QUIT, "0.05", &stops) == 0, "a session that ends as it should leaves nothing");
	snprintf(file, sizeof(file), "%s/ctascope", folder);
	ok(rmdir(file) == 0 && rmdir(folder) == 0, "at all");
	return done();
}
