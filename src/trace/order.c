/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * order.c - the commands that say what must come before what: streams, events, waits. As lines of a
 * kernelslist.g they have the names and arguments of CUDA:
 *
 *     Stream,2,nonblocking
 *     EventRecord,1,2
 *     StreamWaitEvent,3,1
 *
 * The reference simulator skips lines that it does not know.
 */
#include "trace/trace_obj.h"
#include "trace/traceg.h"

#include <inttypes.h>
#include <string.h>

static const char *const kind_name[] = {"default", "blocking", "nonblocking"};

enum field { NO_FIELD, F_EVENT, F_STREAM, F_KIND };

static const struct order {
	const char *name;
	enum field field[2];
	const char *expected;
} order[TRACE_CMD_KINDS] = {
	[TRACE_STREAM] = {"Stream",
			  {F_STREAM, F_KIND},
			  "'Stream,STREAM,default', 'blocking' or 'nonblocking'"},
	[TRACE_COPY_STREAM] = {"CopyStream", {F_STREAM}, "'CopyStream,STREAM'"},
	[TRACE_EVENT_RECORD] = {"EventRecord", {F_EVENT, F_STREAM}, "'EventRecord,EVENT,STREAM'"},
	[TRACE_STREAM_WAIT] = {"StreamWaitEvent",
			       {F_STREAM, F_EVENT},
			       "'StreamWaitEvent,STREAM,EVENT'"},
	[TRACE_HOST_STREAM] = {"StreamSynchronize", {F_STREAM}, "'StreamSynchronize,STREAM'"},
	[TRACE_HOST_EVENT] = {"EventSynchronize", {F_EVENT}, "'EventSynchronize,EVENT'"},
	[TRACE_HOST_ALL] = {"DeviceSynchronize", {NO_FIELD}, "'DeviceSynchronize'"},
};

static bool
has_field(const struct order *o, enum field f)
{
	return o->field[0] == f || o->field[1] == f;
}

int
trace_add_order(struct trace *t, const struct trace_cmd *c, struct err *e)
{
	const struct order *o = &order[c->kind];

	if (c->kind == TRACE_KERNEL)
		return trace_add_run(t, e);
	if (c->kind == TRACE_MEMCPY_H2D)
		return trace_add_cmd(t, c, e);
	if (c->kind == TRACE_EVENT_RECORD && c->event != t->n_events + 1)
		return err_set(e,
			       "event %" PRIu64 " is recorded after %" PRIu64
			       ": events are numbered from 1, in order",
			       c->event, t->n_events);
	if (c->kind != TRACE_EVENT_RECORD && has_field(o, F_EVENT) &&
	    (!c->event || c->event > t->n_events))
		return err_set(e, "event %" PRIu64 " was not recorded before", c->event);
	if (has_field(o, F_KIND) && c->stream_kind > TRACE_STREAM_NONBLOCKING)
		return err_set(e, "unknown kind of stream %" PRIu64, c->stream_kind);
	if ((!has_field(o, F_EVENT) && !has_field(o, F_KIND) && c->event) ||
	    (!has_field(o, F_STREAM) && c->stream))
		return err_set(e, "%s has too many arguments", o->name);
	t->n_events += c->kind == TRACE_EVENT_RECORD;
	return trace_add_cmd(t, c, e);
}

/* Reads field f at p; returns the place after it, or NULL. */
static const char *
parse_field(const char *p, enum field f, struct trace_cmd *c)
{
	if (f != F_KIND)
		return scan_dec(p, UINT64_MAX, f == F_EVENT ? &c->event : &c->stream);
	for (uint64_t i = 0; i < ARRAY_LEN(kind_name); i++) {
		size_t n = strlen(kind_name[i]);

		if (strncmp(p, kind_name[i], n) == 0) {
			c->stream_kind = i;
			return p + n;
		}
	}
	return NULL;
}

int
order_parse(const char *line, struct trace_cmd *c, const char **expected)
{
	size_t n = strcspn(line, ", \t");

	for (uint32_t kind = 0; kind < TRACE_CMD_KINDS; kind++) {
		const struct order *o = &order[kind];
		const char *p = line + n;

		if (!o->name || strlen(o->name) != n || strncmp(line, o->name, n) != 0)
			continue;
		*c = (struct trace_cmd){.kind = (enum trace_cmd_kind)kind};
		*expected = o->expected;
		for (int i = 0; i < 2 && o->field[i] != NO_FIELD && p; i++)
			p = *p == ',' ? parse_field(p + 1, o->field[i], c) : NULL;
		return p && !*skip_blanks(p) ? 1 : -1;
	}
	return 0;
}

void
order_print(const struct trace_cmd *c, struct strbuf *s)
{
	const struct order *o = &order[c->kind];

	sb_str(s, o->name);
	for (int i = 0; i < 2 && o->field[i] != NO_FIELD; i++) {
		if (o->field[i] == F_KIND)
			sb_printf(s, ",%s", kind_name[c->stream_kind]);
		else
			sb_printf(s, ",%" PRIu64, o->field[i] == F_EVENT ? c->event : c->stream);
	}
	sb_str(s, "\n");
}

enum trace_stream_kind
trace_stream_kind(const struct trace_info *t, uint64_t stream)
{
	for (uint32_t i = 0; i < t->n_cmds; i++)
		if (t->cmd[i].kind == TRACE_STREAM && t->cmd[i].stream == stream)
			return (enum trace_stream_kind)t->cmd[i].stream_kind;
	return stream ? TRACE_STREAM_BLOCKING : TRACE_STREAM_DEFAULT;
}

const char *
trace_stream_kind_name(enum trace_stream_kind kind)
{
	return kind_name[kind];
}
