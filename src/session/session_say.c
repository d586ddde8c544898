/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_say.c - prints the output of a session. Everything a user sees goes through say(): to the
 * front end, into the bounded log that the panes show, and into the file of `log on`.
 */
#include "base/output.h"
#include "session/session_part.h"

#include "base/shown.h"
#include "ctascope/policy_file.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Gives the ring ui.log_lines places and keeps the newest lines. If memory runs out, it stays as it
 * is, and the command fails at its end. */
static void
fit_ring(struct session *s)
{
	unsigned room = s->opts.log_lines;
	struct said *ring = room == s->log.said_room ? NULL : calloc(room, sizeof(*ring));
	uint64_t kept = MIN(s->log.n_said - s->log.said_first, room);

	if (!ring) {
		s->log.lost |= room != s->log.said_room;
		return;
	}
	for (uint64_t i = s->log.said_first; i < s->log.n_said; i++) {
		struct said *slot = &s->log.said[i % s->log.said_room];

		if (i < s->log.n_said - kept)
			free(slot->line);
		else
			ring[i % room] = *slot;
	}
	free(s->log.said);
	s->log.said = ring;
	s->log.said_room = room;
	s->log.said_first = s->log.n_said - kept;
}

static void
store_line(struct session *s, enum say kind, const char *line)
{
	struct said *slot;

	fit_ring(s);
	if (!s->log.said_room)
		return;
	slot = &s->log.said[s->log.n_said % s->log.said_room];
	if (s->log.n_said - s->log.said_first == s->log.said_room) {
		free(slot->line);
		s->log.said_first++;
	}
	slot->line = strdup(line); /* NULL is shown as an empty line */
	s->log.lost |= !slot->line;
	slot->kind = kind;
	s->log.n_said++;
}

void
session_log_free(struct session *s)
{
	for (uint64_t i = s->log.said_first; i < s->log.n_said; i++)
		free(s->log.said[i % s->log.said_room].line);
	free(s->log.said);
	free(s->log.noted_options);
	free(s->log.policy_options);
}

/* If the front end does not draw, a recording has the typed and the printed lines. */
void
session_record_line(struct session *s, const char *prompt, const char *line)
{
	if (!s->log.cast)
		return;
	session_record(s, prompt, strlen(prompt));
	session_record(s, line, strlen(line));
	session_record(s, "\r\n", 2);
}

/* Whether the line has no control characters but tabs. */
static bool
is_clean(const char *line)
{
	size_t n = strlen(line);

	for (size_t i = 0, len; i < n; i += len) {
		len = line[i] == '\t' ? 1 : shown_as_is(line + i, n - i);
		if (!len)
			return false;
	}
	return true;
}

static void say_shown(struct session *s, enum say kind, const char *line);

/* Control characters in names from input files must not reach a terminal. */
static void
say_line(struct session *s, enum say kind, const char *line)
{
	size_t size = 4 * strlen(line) + 1;
	bool clean = is_clean(line);
	char *shown;

	if (s->log.mutes && kind != SAY_ERROR)
		return;
	shown = clean ? NULL : malloc(size);
	s->log.lost |= !clean && !shown;
	say_shown(s, kind, shown ? text_shown(line, shown, size) : clean ? line : "?");
	free(shown);
}

static void
say_shown(struct session *s, enum say kind, const char *line)
{
	if (s->script.partial.n) /* it must be printed first, as a separate line */
		session_say_partial(s);
	store_line(s, kind, line);
	if (s->log.output) {
		fprintf(output_stream(s->log.output), "%s\n", line);
		/* Session_check_said() checks for errors. */
		output_flush(s->log.output, NULL);
	}
	if (!s->ui.draws)
		session_record_line(s, "", line);
	if (s->ui.out)
		s->ui.out(s->ui.ctx, kind, line);
}

void
session_say_partial(struct session *s)
{
	struct strbuf line = s->script.partial;

	/* Before printing, which comes here again. */
	s->script.partial = (struct strbuf){0};
	if (line.n)
		say_line(s, SAY_RESULT, text_so_far(s, &line));
	sb_free(&line);
}

const char *
text_so_far(struct session *s, const struct strbuf *text)
{
	s->log.lost |= text->failed;
	return text->n ? text->p : "";
}

void
say_text(struct session *s, enum say kind, struct strbuf *text)
{
	say_lines(s, kind, text_so_far(s, text));
	sb_free(text);
}

void
say_lines(struct session *s, enum say kind, const char *text)
{
	char small[512];

	while (*text) {
		size_t n = strcspn(text, "\n");
		char *line = n < sizeof(small) ? small : malloc(n + 1);

		if (line) {
			memcpy(line, text, n);
			line[n] = '\0';
			say_line(s, kind, line);
		}
		s->log.lost |= !line;
		if (line != small)
			free(line);
		text += n + (text[n] == '\n');
	}
}

void
say(struct session *s, enum say kind, const char *fmt, ...)
{
	struct strbuf text = {0};
	char small[512];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(small, sizeof(small), fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n < sizeof(small)) {
		say_line(s, kind, small);
		return;
	}
	if (n > 0 && sb_reserve(&text, (size_t)n)) {
		va_start(ap, fmt);
		vsnprintf(text.p, (size_t)n + 1, fmt, ap);
		va_end(ap);
		say_line(s, kind, text.p);
	}
	s->log.lost |= text.failed;
	sb_free(&text);
}

void
say_chatter(struct session *s, const char *text)
{
	if (!s->teacher.hides_chatter)
		say_lines(s, SAY_NOTE, text);
}

void
say_scheduler_hint(struct session *s, const struct config *c)
{
	const char *has = config_wsched_name(c), *wants = NULL;
	char names[sizeof(s->log.hinted)] = "";
	unsigned n, n_names = 0;
	size_t len = 0;
	const struct cta_sched_ops *const *o = config_stack(c, &n);

	for (unsigned i = 0; i < n && s->ui.out; i++) {
		bool misses = o[i]->warp_sched && o[i] != config_warp_policy(c) &&
			      strcmp(o[i]->warp_sched, has) != 0;

		/* One that assumes a third scheduler gets its hint when this one is right. */
		if (!misses || (wants && strcmp(wants, o[i]->warp_sched) != 0))
			continue;
		wants = o[i]->warp_sched;
		len += (size_t)snprintf(names + len, sizeof(names) - len, "%s%s",
					n_names++ ? ", " : "", o[i]->name);
		len = MIN(len, sizeof(names) - 1);
	}
	if (!wants || strcmp(s->log.hinted, names) == 0)
		return;
	snprintf(s->log.hinted, sizeof(s->log.hinted), "%s", names);
	say(s, SAY_NOTE,
	    "%s %s %s made for the warp scheduler %s, but this run has %s; 'set warp-sched %s' at "
	    "cycle 0, or the option -w %s, changes it",
	    n_names > 1 ? "policies" : "policy", names, n_names > 1 ? "were" : "was", wants, has,
	    wants, wants);
}

/* The value of an option of the machine, as text. */
static const char *
machine_option(const struct session *s, const char *key, char *buf, size_t size)
{
	if (opt_get(config_db_const(s->config), key, buf, size, NULL))
		buf[0] = '\0';
	return buf;
}

/* An option about several kernels at once, where none run together. It is common to the runs of a
 * course or a sweep, so this is no error. */
static void
say_streams_hint(struct session *s)
{
	char most[16];
	bool streams =
		s->sim && s->ui.out && !sim_runs_together(s->sim) &&
		strcmp(machine_option(s, "gpu.concurrent_kernels", most, sizeof(most)), "1") != 0;

	if (streams && !s->log.hinted_streams)
		say(s, SAY_NOTE,
		    "gpu.concurrent_kernels %s has no effect: the kernels of this trace are of "
		    "one stream, so they run one after the other (info streams)",
		    most);
	s->log.hinted_streams = streams;
}

/* Only who asks for two threads is told; by default they are used where they help. */
static void
say_threads_hint(struct session *s)
{
	char threads[16];
	const char *one = s->sim && s->ui.out ? sim_one_thread_reason(s->sim) : NULL;
	bool hint =
		one && strcmp(machine_option(s, "run.threads", threads, sizeof(threads)), "2") == 0;

	if (hint && !s->log.hinted_threads)
		say(s, SAY_NOTE, "run.threads 2 has no effect now: %s (info run)", one);
	s->log.hinted_threads = hint;
}

void
session_say_hints(struct session *s)
{
	say_scheduler_hint(s, s->config);
	say_streams_hint(s);
	say_unused_options(s, s->config);
	say_threads_hint(s);
}

/* In a script the place of the command precedes the error. An error of a file that it reads has its
 * own place. */
enum session_status
say_err(struct session *s, const struct err *e)
{
	char prefix[300] = "", text[1200];
	struct err shown = *e;

	if (session_width(s)) /* a caret below a line that is wrapped points to nothing */
		err_fit(&shown, (int)session_width(s) - ERR_INDENT);
	if (s->script.file && s->script.line)
		snprintf(prefix, sizeof(prefix), "%.240s:%u", s->script.file, s->script.line);
	err_format(&shown, *prefix ? prefix : NULL, text, sizeof(text));
	say_lines(s, SAY_ERROR, text);
	return SESSION_ERROR;
}

enum session_status
fail(struct session *s, const char *fmt, ...)
{
	struct err e;
	va_list ap;

	va_start(ap, fmt);
	err_vset(&e, fmt, ap);
	va_end(ap);
	return say_err(s, &e);
}

enum session_status
fail_memory(struct session *s)
{
	return fail(s, "out of memory");
}

enum session_status
session_check_said(struct session *s, enum session_status status)
{
	struct output *log = s->log.output;
	struct err e = {0};

	s->log.lost |= s->script.partial.failed;
	s->script.partial.failed = false;
	if (s->log.lost && status != SESSION_ERROR) { /* which has printed the failure */
		fail(s, "out of memory: part of the output is missing");
		status = status == SESSION_OK ? SESSION_ERROR : status;
	}
	s->log.lost = false;
	if (log && output_flush(log, &e)) {
		s->log.output = NULL; /* before an error is printed */
		output_abort(log);
		say_err(s, &e);
		status = status == SESSION_OK ? SESSION_ERROR : status;
	}
	return status;
}

unsigned
session_log_count(const struct session *s)
{
	return (unsigned)(s->log.n_said - s->log.said_first);
}

uint64_t
session_log_dropped(const struct session *s)
{
	return s->log.said_first;
}

const char *
session_log_line(const struct session *s, unsigned i, enum say *kind)
{
	const struct said *slot;

	if (i >= session_log_count(s))
		return "";
	slot = &s->log.said[(s->log.said_first + i) % s->log.said_room];
	if (kind)
		*kind = slot->kind;
	return slot->line ? slot->line : "";
}
