/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export_log.c - writes the table `events` during the run, so that no event is dropped.
 *
 * Whenever something happens, new events of the ring are written. When the machine goes back in
 * time, the file is truncated before the first event that will happen again. A new run continues in
 * the same file under its own number. After a write error the log ignores everything;
 * event_log_flush() reports the error once.
 */
#include "export/export_part.h"

#include "base/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER (64u << 10)

struct event_log {
	struct output *file;
	struct csv_out out; /* writes to the stream of the file */
	struct export_job job;
	uint64_t next; /* seq of the next event of run job.run */
	bool reported; /* the failure has been reported */
	char *path;
};

static void
free_log(struct event_log *l)
{
	free(l->out.buf);
	free(l->path);
	free(l);
}

struct event_log *
event_log_open(const char *path, bool crlf, struct err *e)
{
	struct event_log *l = calloc(1, sizeof(*l));

	if (!l || !(l->path = strdup(path)) || !(l->out.buf = malloc(BUFFER)))
		err_nomem(e);
	else
		l->file = output_open(path, OUTPUT_LIVE, e);
	if (!l || !l->file) {
		if (l)
			free_log(l);
		return NULL;
	}
	l->out.to = output_stream(l->file);
	l->out.size = BUFFER;
	l->out.eol = crlf ? "\r\n" : "\n";
	l->job.to = CYCLE_NEVER;
	export_event_header(&l->out);
	return l;
}

int
event_log_close(struct event_log *l, struct err *e)
{
	int rc;

	if (!l)
		return 0;
	csv_flush(&l->out);
	rc = output_close(l->file, e);
	rc = l->reported ? 0 : rc;
	free_log(l);
	return rc;
}

const char *
event_log_path(const struct event_log *l)
{
	return l->path;
}

/* The file position of the first row of this run that will be written again. -1 with errno set.
 * */
static off_t
find_row(const struct event_log *l, uint64_t seq)
{
	int fd = dup(output_descriptor(l->file));
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	char *line = NULL;
	size_t room = 0;
	off_t at = 0;
	ssize_t n;

	if (!f || fseeko(f, 0, SEEK_SET))
		at = -1;
	while (at >= 0 && (n = getline(&line, &room, f)) > 0) {
		unsigned of;
		uint64_t is;

		if (sscanf(line, "%u,%*[^,],%*[^,],%" SCNu64 ",", &of, &is) == 2 &&
		    of == l->job.run && is >= seq)
			break;
		at += n;
	}
	if (at >= 0 && !feof(f) && n < 0)
		at = -1;
	free(line);
	if (f)
		fclose(f);
	else if (fd >= 0)
		close(fd);
	return at;
}

/* Truncates the file before the events that will happen again. */
static void
truncate_log(struct event_log *l, uint64_t seq)
{
	off_t at;

	csv_flush(&l->out);
	l->next = seq;
	if (l->out.closed || output_flush(l->file, NULL))
		return;
	errno = ESPIPE; /* what went through a pipe cannot be removed */
	at = output_descriptor(l->file) < 0 ? -1 : find_row(l, seq);
	if (at < 0)
		output_fail(l->file, errno, NULL);
	else
		output_cut(l->file, (uint64_t)at, NULL);
}

uint64_t
event_log_next(const struct event_log *l, unsigned run)
{
	return run == l->job.run ? l->next : 0;
}

uint64_t
event_log_add(struct event_log *l, struct sim *s, unsigned run, uint64_t seq)
{
	const struct event_ring *ring = sim_events(s);
	uint64_t missed = 0;

	if (run != l->job.run)
		l->next = 0;
	l->job.sim = s;
	l->job.run = run;
	if (MIN(seq, ring->next) < l->next)
		truncate_log(l, MIN(seq, ring->next));
	if (l->next < ring->first) {
		missed = ring->first - l->next;
		l->next = ring->first;
	}
	for (; l->next < ring->next && !l->out.closed; l->next++)
		export_event_row(&l->job, &l->out, event_ring_get(ring, l->next));
	return missed;
}

int
event_log_flush(struct event_log *l, struct err *e)
{
	if (l->reported)
		return 0;
	csv_flush(&l->out);
	if (output_flush(l->file, e) == 0)
		return 0;
	l->reported = l->out.closed = true;
	return -1;
}
