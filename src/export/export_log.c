/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export_log.c - the table `events` written while the run goes on, so that none is dropped.
 *
 * Each time something happened, what is new in the ring is written. When the machine goes back in
 * time, what came after is given up here as well: the file is cut off before the first event that
 * will come again. A new run goes on below, under its own number. After a failed writing
 * everything is ignored; event_log_flush() says so once.
 */
#include "export/export_part.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER (64u << 10)

struct event_log {
	struct csv_out out;
	struct export_job job;
	uint64_t next; /* seq of the next event, of run job.run */
	bool said;     /* that it failed */
	char *path;
};

struct event_log *
event_log_open(const char *path, bool crlf, struct err *e)
{
	struct event_log *l = calloc(1, sizeof(*l));

	if (!l || !(l->path = strdup(path)) || !(l->out.buf = malloc(BUFFER))) {
		err_set(e, "out of memory");
		goto fail;
	}
	l->out.size = BUFFER;
	l->out.eol = crlf ? "\r\n" : "\n";
	l->job.to = CYCLE_NEVER;
	l->out.to = fopen(path, "w+e");
	if (!l->out.to) {
		err_set(e, "cannot write '%s': %s", path, strerror(errno));
		goto fail;
	}
	export_event_header(&l->out);
	return l;
fail:
	event_log_close(l);
	return NULL;
}

void
event_log_close(struct event_log *l)
{
	if (!l)
		return;
	if (l->out.to) {
		csv_flush(&l->out);
		fclose(l->out.to);
	}
	free(l->out.buf);
	free(l->path);
	free(l);
}

const char *
event_log_path(const struct event_log *l)
{
	return l->path;
}

/* Cuts the file off before the row of this run whose seq is the first to come again. */
static void
go_back(struct event_log *l, uint64_t seq)
{
	char *line = NULL;
	size_t room = 0;
	off_t at = 0;
	ssize_t n;

	csv_flush(&l->out);
	if (l->out.over || fflush(l->out.to) || fseeko(l->out.to, 0, SEEK_SET))
		return;
	while ((n = getline(&line, &room, l->out.to)) > 0) {
		unsigned of;
		uint64_t is;

		if (sscanf(line, "%u,%*[^,],%*[^,],%" SCNu64 ",", &of, &is) == 2 &&
		    of == l->job.run && is >= seq)
			break;
		at += n;
	}
	free(line);
	if (fseeko(l->out.to, at, SEEK_SET) || ftruncate(fileno(l->out.to), at))
		l->out.over = true;
	l->next = seq;
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
		go_back(l, MIN(seq, ring->next));
	if (l->next < ring->first) {
		missed = ring->first - l->next;
		l->next = ring->first;
	}
	for (; l->next < ring->next && !l->out.over; l->next++)
		export_event_row(&l->job, &l->out, event_ring_get(ring, l->next));
	return missed;
}

int
event_log_flush(struct event_log *l, struct err *e)
{
	csv_flush(&l->out);
	if (!l->out.over && fflush(l->out.to))
		l->out.over = true;
	if (!l->out.over || l->said)
		return 0;
	l->said = true;
	return err_set(e, "cannot write '%s': %s", l->path, strerror(errno));
}
