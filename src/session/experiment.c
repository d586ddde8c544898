/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiment.c - passes the session's machine to src/lab and shows progress; see experiment.h. */
#include "session/experiment.h"
#include "session/command.h"

#include "base/clock.h"
#include "base/progress_line.h"
#include "base/replace.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_SECONDS 1.0 /* shorter work shows no progress */
#define EVERY_SECONDS 0.25
#define TICK_SECONDS 0.033 /* interval at which a screen reads keys and draws */

/* ---------------------------------------------------------------- the machine */

static void
note_seek(void *ctx, bool on)
{
	session_seek(ctx, on);
}

static void
print_lost(void *ctx, const char *why)
{
	say(ctx, SAY_ERROR, "returning to the present cycle failed: %s", why);
}

static void
print_nothing(void *ctx ATTR_UNUSED, enum say kind ATTR_UNUSED, const char *line ATTR_UNUSED)
{
}

static void
detach_session(void *ctx)
{
	struct session *s = ctx;

	s->ui = (struct session_ui){.out = print_nothing};
	s->log.output = NULL;
	s->log.events = NULL;
	s->log.cast = NULL;
	s->control.poll = 0;
}

struct machine
session_machine(struct session *s)
{
	return (struct machine){.sim = s->sim,
				.config = s->config,
				.trace = s->trace,
				.timeline = s->timeline,
				.debug = s->debug,
				.log = &s->log.events,
				.poll = &s->control.poll,
				.seek = note_seek,
				.lost = print_lost,
				.detach = detach_session,
				.ctx = s};
}

/* ---------------------------------------------------------------- progress */

static bool
show_progress(void *ctx, double share)
{
	struct progress_line *w = ctx;
	double now = clock_seconds(), took = now - w->began;
	struct session *s = w->s;
	bool draws = s->ui.draws;
	char left[48] = "";

	if (draws && s->ui.tick && now - w->drawn > TICK_SECONDS) {
		w->drawn = now;
		s->control.running = s->time.seeking = true;
		s->time.seek_began = w->began;
		s->time.seek_done = share;
		s->time.seek_what = w->what;
		if (s->ui.tick(s->ui.ctx))
			s->control.poll = 1;
		s->control.running = s->time.seeking = false;
		s->time.seek_what = NULL;
	}
	if (!draws && took > FIRST_SECONDS && now - w->drawn > EVERY_SECONDS &&
	    isatty(STDERR_FILENO)) {
		double more = share > 0 ? took * (1 - share) / share : 0;

		if (more > 0)
			snprintf(left, sizeof(left),
				 more < 120 ? ", %.0f s left" : ", %.0f min left",
				 more < 120 ? more : more / 60);
		fprintf(stderr, PROGRESS_BEGIN "%s: %.0f %%%s" PROGRESS_END, w->what, 100 * share,
			left);
		fflush(stderr);
		w->drawn = now;
		w->shown = true;
	}
	return s->control.poll;
}

void
progress_line_begin(struct progress_line *w, struct session *s, const char *what)
{
	*w = (struct progress_line){.progress = {show_progress, w},
				    .s = s,
				    .what = what,
				    .began = clock_seconds()};
	w->drawn = w->began;
}

void
progress_line_end(struct progress_line *w)
{
	if (w->shown) {
		fputs(PROGRESS_CLEAR, stderr);
		fflush(stderr);
	}
	w->shown = false;
}

enum session_status
session_say_interrupted(struct session *s, const char *what)
{
	say(s, SAY_NOTE, "%s: interrupted", what);
	return session_end_interrupted(s);
}

int
session_read_csv(const char *command, const char *at, char *csv, size_t size, struct err *e)
{
	char word[64];

	if (!next_word(&at, word, sizeof(word)))
		return 0;
	if (!ascii_same(word, "csv"))
		return err_set(e, "%s: expected csv FILE, found '%.60s'", command, word);
	if (!next_word(&at, csv, size))
		return err_set(e, "%s: csv: a file name is missing", command);
	if (!next_word(&at, word, sizeof(word)))
		return replace_check_before(command, csv, OWN_TABLE, false, e);
	if (!replace_is_forced(word))
		return err_set(e, "%s: expected nothing after csv FILE but --force, found '%.60s'",
			       command, word);
	at = skip_blanks(at);
	if (*at)
		return err_set(e, "%s: unexpected argument '%.60s' after csv FILE", command, at);
	return replace_check_before(command, csv, OWN_TABLE, true, e);
}
