/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ready.c - see ready.h.
 *
 * A command is known by its index in the list. An event has happened when its stream is past the
 * command that records it. The default stream and the blocking streams wait for each other's
 * earlier commands.
 */
#include "sim/ready.h"

#include <stdlib.h>

/* The stream of each command as the trace numbers it; false: the command is not work of a stream,
 * as with a window all but kernels. */
static bool
stream_of(const struct ready_plan *p, uint32_t i, uint64_t copies, uint64_t *stream)
{
	const struct trace_info *t = p->trace;
	const struct trace_cmd *c = &t->cmd[i];

	if (p->window && c->kind != TRACE_KERNEL)
		return false;
	switch (c->kind) {
	case TRACE_KERNEL:
		*stream = t->kernel[c->kernel].stream;
		return true;
	case TRACE_MEMCPY_H2D:
		*stream = copies;
		return true;
	case TRACE_EVENT_RECORD:
	case TRACE_STREAM_WAIT:
	case TRACE_HOST_STREAM:
		*stream = c->stream;
		return true;
	default:
		return false;
	}
}

static int
compare_ids(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Stores the streams of all commands, sorted, without repetition, and returns their number. */
static uint32_t
list_streams(const struct ready_plan *p, uint64_t *id)
{
	const struct trace_info *t = p->trace;
	uint64_t copies = 0, stream;
	uint32_t n = 0, kept = 0;

	for (uint32_t i = 0; i < t->n_cmds; i++) {
		if (t->cmd[i].kind == TRACE_COPY_STREAM)
			copies = t->cmd[i].stream;
		if (stream_of(p, i, copies, &stream))
			id[n++] = stream;
	}
	qsort(id, n, sizeof(*id), compare_ids);
	for (uint32_t i = 0; i < n; i++)
		if (!kept || id[kept - 1] != id[i])
			id[kept++] = id[i];
	return kept;
}

/* Links the commands of each stream, from the last one to the first. The program's waits for a
 * stream name it in `stream`, but are not its work. */
static void
link_commands(struct ready_plan *p, const uint64_t *id)
{
	const struct trace_info *t = p->trace;
	uint64_t copies = 0, stream;

	for (uint32_t i = 0; i < t->n_cmds; i++) {
		p->stream[i] = p->next[i] = READY_NONE;
		if (t->cmd[i].kind == TRACE_COPY_STREAM)
			copies = t->cmd[i].stream;
		if (t->cmd[i].kind == TRACE_EVENT_RECORD)
			p->record_of[t->cmd[i].event] = i;
		if (stream_of(p, i, copies, &stream))
			p->stream[i] =
				(uint32_t)((const uint64_t *)bsearch(&stream, id, p->n_streams,
								     sizeof(*id), compare_ids) -
					   id);
	}
	for (uint32_t s = 0; s < p->n_streams; s++)
		p->first[s] = READY_NONE;
	for (uint32_t i = t->n_cmds; i--;) {
		uint32_t s = p->stream[i];

		if (s == READY_NONE || t->cmd[i].kind == TRACE_HOST_STREAM)
			continue;
		p->next[i] = p->first[s];
		p->first[s] = i;
	}
}

struct ready_plan *
ready_plan_new(const struct trace_info *t, uint32_t window)
{
	struct ready_plan *p = calloc(1, sizeof(*p));
	size_t n = MAX(t->n_cmds, 1);
	uint64_t *id = calloc(n, sizeof(*id));

	if (!p || !id)
		goto fail;
	p->trace = t;
	p->window = window;
	p->n_streams = list_streams(p, id);
	p->kind = calloc(MAX(p->n_streams, 1), sizeof(*p->kind));
	p->first = calloc(MAX(p->n_streams, 1), sizeof(*p->first));
	p->stream = calloc(n, sizeof(*p->stream));
	p->next = calloc(n, sizeof(*p->next));
	p->record_of = calloc(n + 1, sizeof(*p->record_of));
	if (!p->kind || !p->first || !p->stream || !p->next || !p->record_of)
		goto fail;
	for (uint32_t s = 0; s < p->n_streams; s++)
		p->kind[s] = (uint8_t)trace_stream_kind(t, id[s]);
	link_commands(p, id);
	free(id);
	return p;
fail:
	free(id);
	ready_plan_free(p);
	return NULL;
}

void
ready_plan_free(struct ready_plan *p)
{
	if (!p)
		return;
	free(p->kind);
	free(p->first);
	free(p->stream);
	free(p->next);
	free(p->record_of);
	free(p);
}

size_t
ready_bytes(const struct ready_plan *p)
{
	return sizeof(struct ready) + p->n_streams * sizeof(struct ready_stream);
}

void
ready_begin(const struct ready_plan *p, struct ready *r)
{
	r->issued = r->in_window = 0;
	for (uint32_t s = 0; s < p->n_streams; s++)
		r->stream[s] = (struct ready_stream){.next = p->first[s]};
}

/* The first command that is not complete, over all streams of each kind. */
struct lowest {
	uint32_t of[TRACE_STREAM_NONBLOCKING + 1];
};

static struct lowest
find_lowest(const struct ready_plan *p, const struct ready *r)
{
	struct lowest l = {{READY_NONE, READY_NONE, READY_NONE}};

	for (uint32_t s = 0; s < p->n_streams; s++)
		l.of[p->kind[s]] = MIN(l.of[p->kind[s]], r->stream[s].next);
	return l;
}

static bool
event_has_happened(const struct ready_plan *p, const struct ready *r, uint64_t event)
{
	uint32_t record = p->record_of[event];

	return r->stream[p->stream[record]].next > record;
}

static bool
program_waits(const struct ready_plan *p, const struct ready *r, uint32_t i)
{
	const struct trace_cmd *c = &p->trace->cmd[i];

	if (c->kind == TRACE_HOST_STREAM)
		return r->stream[p->stream[i]].next < i;
	if (c->kind == TRACE_HOST_EVENT)
		return !event_has_happened(p, r, c->event);
	for (uint32_t s = 0; c->kind == TRACE_HOST_ALL && s < p->n_streams; s++)
		if (r->stream[s].next < i)
			return true;
	return false;
}

/* The command of stream s, its next one, may begin. */
static bool
may_begin(const struct ready_plan *p, const struct ready *r, const struct lowest *l, uint32_t s)
{
	uint32_t i = r->stream[s].next;
	const struct trace_cmd *c;

	if (r->stream[s].is_busy || i >= r->issued)
		return false;
	c = &p->trace->cmd[i];
	if (c->kind == TRACE_STREAM_WAIT && !event_has_happened(p, r, c->event))
		return false;
	if (p->kind[s] == TRACE_STREAM_DEFAULT)
		return l->of[TRACE_STREAM_BLOCKING] > i;
	return p->kind[s] == TRACE_STREAM_NONBLOCKING || l->of[TRACE_STREAM_DEFAULT] > i;
}

static uint32_t
next_in_window(const struct ready_plan *p, struct ready *r)
{
	uint32_t first = READY_NONE;

	while (r->issued < p->trace->n_cmds && r->in_window < p->window) {
		uint32_t i = r->issued++;

		if (p->trace->cmd[i].kind == TRACE_MEMCPY_H2D)
			return i;
		r->in_window += p->trace->cmd[i].kind == TRACE_KERNEL;
	}
	for (uint32_t s = 0; s < p->n_streams; s++)
		if (!r->stream[s].is_busy && r->stream[s].next < r->issued)
			first = MIN(first, r->stream[s].next);
	return first;
}

uint32_t
ready_next(const struct ready_plan *p, struct ready *r)
{
	if (p->window)
		return next_in_window(p, r);
	for (;;) {
		uint32_t first = READY_NONE;
		struct lowest l;

		while (r->issued < p->trace->n_cmds && !program_waits(p, r, r->issued))
			r->issued++;
		l = find_lowest(p, r);
		for (uint32_t s = 0; s < p->n_streams; s++)
			if (r->stream[s].next < first && may_begin(p, r, &l, s))
				first = r->stream[s].next;
		if (first == READY_NONE || p->trace->cmd[first].kind == TRACE_KERNEL ||
		    p->trace->cmd[first].kind == TRACE_MEMCPY_H2D)
			return first;
		ready_end(p, r, first); /* records and waits take no time */
	}
}

void
ready_start(const struct ready_plan *p, struct ready *r, uint32_t cmd)
{
	r->stream[p->stream[cmd]].is_busy = 1;
}

void
ready_end(const struct ready_plan *p, struct ready *r, uint32_t cmd)
{
	if (p->window && p->trace->cmd[cmd].kind != TRACE_KERNEL)
		return;
	if (p->window)
		r->in_window--;
	r->stream[p->stream[cmd]] = (struct ready_stream){.next = p->next[cmd]};
}

bool
ready_is_over(const struct ready_plan *p, const struct ready *r)
{
	for (uint32_t s = 0; s < p->n_streams; s++)
		if (r->stream[s].next != READY_NONE)
			return false;
	return r->issued == p->trace->n_cmds;
}
