/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record_order.c - the streams, events and waits of a trace being written.
 *
 * Streams get numbers in the order of their first kernels, so that a program that uses one stream,
 * whichever, has stream 0. Until the trace is complete, commands name a stream by its place in
 * order.stream. Then record_order_finish numbers the others and drops what orders nothing: all of
 * it if the kernels are of one stream, events that nobody waits for, and waits that repeat the
 * command before.
 */
#include "trace/record_part.h"

#include <stdlib.h>

#define NO_NUMBER UINT64_MAX

/* The place of the stream in order.stream; -1 with e: out of memory. */
static int64_t
find_stream(struct record_order *o, uint64_t key, enum trace_stream_kind kind, struct err *e)
{
	uint32_t i, cap;
	struct record_stream *p;

	for (i = 0; i < o->n; i++)
		if (o->stream[i].key == key)
			return i;
	if (o->n == o->cap) {
		cap = o->cap ? o->cap * 2 : 16;
		p = realloc(o->stream, cap * sizeof(*p));
		if (!p)
			return err_nomem(e);
		o->stream = p;
		o->cap = cap;
	}
	o->stream[o->n] = (struct record_stream){.key = key, .kind = kind, .number = NO_NUMBER};
	return o->n++;
}

int
trace_writer_stream(struct trace_writer *w, uint64_t key, enum trace_stream_kind kind,
		    uint64_t *number, struct err *e)
{
	int64_t i = find_stream(&w->order, key, kind, e);

	if (i < 0)
		return -1;
	if (w->order.stream[i].number == NO_NUMBER)
		w->order.stream[i].number = w->order.numbered++;
	*number = w->order.stream[i].number;
	return 0;
}

int
trace_writer_order(struct trace_writer *w, enum trace_cmd_kind what, uint64_t key,
		   enum trace_stream_kind kind, uint64_t *event, struct err *e)
{
	struct trace_cmd c = {.kind = what};
	bool of_stream = what != TRACE_HOST_EVENT && what != TRACE_HOST_ALL;
	int64_t i = of_stream ? find_stream(&w->order, key, kind, e) : 0;

	if (i < 0)
		return -1;
	c.stream = (uint64_t)i;
	if (what == TRACE_EVENT_RECORD)
		*event = ++w->order.events;
	if (event)
		c.event = *event;
	return trace_add_cmd(w->t, &c, e);
}

/* ---- the end ---- */

static bool
has_many_streams(const struct trace *t)
{
	for (uint32_t i = 1; i < t->n_kern; i++)
		if (t->kern[i]->pub.stream != t->kern[0]->pub.stream)
			return true;
	return false;
}

static bool
is_order(const struct trace_cmd *c)
{
	return c->kind != TRACE_KERNEL && c->kind != TRACE_MEMCPY_H2D;
}

static bool
is_host_wait(const struct trace_cmd *c)
{
	return c->kind == TRACE_HOST_STREAM || c->kind == TRACE_HOST_EVENT ||
	       c->kind == TRACE_HOST_ALL;
}

/* Gives the events that somebody waits for their numbers; number[0] stays 0. */
static void
number_events(const struct trace *t, uint64_t *number)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < t->n_cmd; i++) {
		const struct trace_cmd *c = &t->cmd[i];

		if (c->kind == TRACE_STREAM_WAIT || c->kind == TRACE_HOST_EVENT)
			number[c->event] = 1;
	}
	for (uint32_t i = 0; i < t->n_cmd; i++) {
		const struct trace_cmd *c = &t->cmd[i];

		if (c->kind == TRACE_EVENT_RECORD && number[c->event])
			number[c->event] = ++n;
	}
}

/* Replaces places of streams and numbers of records by those of the trace. False: the command is
 * not needed. before: the command of the trace before it, or NULL; copies: the stream of copies. */
static bool
finish_command(const struct record_order *o, const uint64_t *event, const struct trace_cmd *before,
	       uint64_t *copies, struct trace_cmd *c)
{
	if (!is_order(c))
		return true;
	if (c->kind != TRACE_HOST_EVENT && c->kind != TRACE_HOST_ALL)
		c->stream = o->stream[c->stream].number;
	if (c->kind == TRACE_COPY_STREAM) {
		bool same = *copies == c->stream;

		*copies = c->stream;
		return !same;
	}
	if (c->kind == TRACE_EVENT_RECORD || c->kind == TRACE_STREAM_WAIT ||
	    c->kind == TRACE_HOST_EVENT) {
		c->event = event[c->event];
		return c->event != 0;
	}
	return !before || !is_host_wait(c) || c->kind != before->kind ||
	       c->stream != before->stream;
}

/* Writes the commands again; room: for all of them and the streams. */
static uint32_t
finish_commands(const struct trace_writer *w, const uint64_t *event, struct trace_cmd *room)
{
	const struct record_order *o = &w->order;
	const struct trace *t = w->t;
	bool many = has_many_streams(t);
	uint64_t copies = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; many && i < o->n; i++) {
		const struct record_stream *s = &o->stream[i];

		if (s->kind != (s->number ? TRACE_STREAM_BLOCKING : TRACE_STREAM_DEFAULT))
			room[n++] = (struct trace_cmd){.kind = TRACE_STREAM,
						       .stream_kind = s->kind,
						       .stream = s->number};
	}
	for (uint32_t i = 0; i < t->n_cmd; i++) {
		room[n] = t->cmd[i];
		if (many ? finish_command(o, event, n ? &room[n - 1] : NULL, &copies, &room[n])
			 : !is_order(&room[n]))
			n++;
	}
	return n;
}

int
record_order_finish(struct trace_writer *w, struct err *e)
{
	struct record_order *o = &w->order;
	struct trace *t = w->t;
	struct trace_cmd *room;
	uint64_t *event;

	if (!o->n && !o->events && !o->stream)
		return 0;
	room = malloc(((size_t)t->n_cmd + o->n + 1) * sizeof(*room));
	event = calloc(o->events + 1, sizeof(*event));
	if (!room || !event) {
		free(room);
		free(event);
		return err_nomem(e);
	}
	for (uint32_t i = 0; i < o->n; i++)
		if (o->stream[i].number == NO_NUMBER)
			o->stream[i].number = o->numbered++;
	number_events(t, event);
	t->n_cmd = finish_commands(w, event, room);
	free(t->cmd);
	t->cmd = room;
	t->cap_cmd = t->n_cmd;
	free(event);
	return 0;
}
