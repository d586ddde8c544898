/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * order.c - streams, events and waits: what a writer keeps of them, in a .ctr and as lines of a
 * list, and what is refused.
 */
#include "tests/tap.h"
#include "trace/trace.h"
#include "trace/trace_obj.h"

#include <unistd.h>

enum { FIRST = 77, SECOND = 5, THIRD = 900 }; /* keys of streams */

static void
put_kernel(struct trace_writer *w, uint64_t key, enum trace_stream_kind kind)
{
	struct trace_kernel_desc d = {.name = "k", .block = {32, 1, 1}};
	struct trace_inst_desc x = {.opcode = "EXIT"};
	struct err e = {0};
	uint32_t at;

	ok(trace_writer_stream(w, key, kind, &d.stream, &e) == 0 &&
		   trace_writer_kernel(w, &d, &e) == 0 && trace_writer_inst(w, &x, &at, &e) == 0 &&
		   trace_writer_cta(w, (const uint32_t[]){0, 0, 0}, &e) == 0 &&
		   trace_writer_record(w, 0, at, UINT32_MAX, NULL, &e) == 0 &&
		   trace_writer_end_cta(w, &e) == 0 && trace_writer_end_kernel(w, &e) == 0,
	   "a kernel of stream %" PRIu64 " %s", key, e.msg);
}

static uint64_t
put_order(struct trace_writer *w, enum trace_cmd_kind what, uint64_t key, uint64_t event)
{
	struct err e = {0};
	bool has_event =
		what == TRACE_EVENT_RECORD || what == TRACE_STREAM_WAIT || what == TRACE_HOST_EVENT;

	if (trace_writer_order(w, what, key,
			       key == FIRST ? TRACE_STREAM_NONBLOCKING : TRACE_STREAM_BLOCKING,
			       has_event ? &event : NULL, &e))
		ok(false, "an order: %s", e.msg);
	return event;
}

/* The list of the trace, without its last newline; the names of kernels are K. */
static const char *
list_of(const struct trace *t, char *buf, size_t size)
{
	struct strbuf s = {0};

	for (uint32_t i = 0; i < t->n_cmd; i++) {
		const struct trace_cmd *c = &t->cmd[i];

		if (c->kind == TRACE_KERNEL)
			sb_printf(&s, "K%" PRIu64 "\n", t->kern[c->kernel]->pub.stream);
		else if (c->kind == TRACE_MEMCPY_H2D)
			sb_printf(&s, "C%" PRIu64 "\n", c->addr);
		else
			order_print(c, &s);
	}
	snprintf(buf, size, "%.*s", (int)(s.n ? s.n - 1 : 0), s.p ? s.p : "");
	sb_free(&s);
	for (char *p = buf; *p; p++)
		*p = *p == '\n' ? ' ' : *p;
	return buf;
}

/* A program of three streams, one of which has copies only; or all kernels in one. */
static struct trace_writer *
program(const char *path, bool many)
{
	struct err e = {0};
	struct trace_writer *w = trace_writer_new(path, &e);
	uint64_t used, unused;

	put_order(w, TRACE_COPY_STREAM, THIRD, 0);
	trace_writer_copy(w, 1, 64, &e);
	put_order(w, TRACE_HOST_ALL, 0, 0);
	put_kernel(w, FIRST, TRACE_STREAM_NONBLOCKING);
	unused = put_order(w, TRACE_EVENT_RECORD, FIRST, 0);
	used = put_order(w, TRACE_EVENT_RECORD, FIRST, 0);
	put_kernel(w, many ? SECOND : FIRST, TRACE_STREAM_BLOCKING);
	put_order(w, TRACE_STREAM_WAIT, many ? SECOND : FIRST, used);
	put_order(w, TRACE_COPY_STREAM, THIRD, 0);
	trace_writer_copy(w, 2, 64, &e);
	put_order(w, TRACE_HOST_STREAM, SECOND, 0);
	put_order(w, TRACE_HOST_STREAM, SECOND, 0);
	put_order(w, TRACE_HOST_EVENT, 0, used);
	put_kernel(w, many ? SECOND : FIRST, TRACE_STREAM_BLOCKING);
	ok(unused == 1 && used == 2, "records are numbered");
	return w;
}

static const char want[] =
	"Stream,0,nonblocking CopyStream,2 C1 DeviceSynchronize K0 EventRecord,1,0 K1 "
	"StreamWaitEvent,1,1 C2 StreamSynchronize,1 EventSynchronize,1 K1";

static void
test_writer(void)
{
	char path[] = "/tmp/ctascope-order-XXXXXX", name[64], buf[1000];
	struct err e = {0};
	struct trace *t = trace_writer_trace(program(NULL, true), &e), *u;
	uint64_t digest;

	if (!ok(t != NULL, "a trace %s", e.msg) || !ok(mkdtemp(path) != NULL, "a folder"))
		return;
	is_str(list_of(t, buf, sizeof(buf)), want,
	       "what orders something is kept, numbers are given");
	digest = trace_info(t)->digest;
	ok(trace_stream_kind(trace_info(t), 0) == TRACE_STREAM_NONBLOCKING &&
		   trace_stream_kind(trace_info(t), 1) == TRACE_STREAM_BLOCKING,
	   "kinds of streams");
	trace_close(t);

	snprintf(name, sizeof(name), "%s/a.ctr", path);
	ok(trace_writer_commit(program(name, true), &e) == 0, "a .ctr %s", e.msg);
	t = trace_open(name, &e);
	ok(t && trace_info(t)->digest == digest, "has the same digest %s", e.msg);
	is_str(t ? list_of(t, buf, sizeof(buf)) : "", want, "and the same commands");
	snprintf(buf, sizeof(buf), "%s/", path);
	ok(t && trace_write(t, buf, &e) == 0, "is written as text %s", e.msg);
	trace_close(t);
	u = trace_open(path, &e);
	ok(u && trace_info(u)->digest == digest, "and read again %s", e.msg);
	is_str(u ? list_of(u, buf, sizeof(buf)) : "", want, "as the same commands");
	trace_close(u);
	for (int i = 1; i <= 3; i++) {
		snprintf(buf, sizeof(buf), "%s/kernel-%d.traceg", path, i);
		unlink(buf);
	}
	unlink(name);
	snprintf(buf, sizeof(buf), "%s/kernelslist.g", path);
	unlink(buf);
	rmdir(path);
}

static void
test_one_stream(void)
{
	struct err e = {0};
	struct trace *t = trace_writer_trace(program(NULL, false), &e);
	char buf[1000];

	is_str(t ? list_of(t, buf, sizeof(buf)) : "", "C1 K0 K0 C2 K0",
	       "of kernels in one stream nothing but kernels and copies is kept");
	trace_close(t);
}

static void
test_lines(void)
{
	static const char *const bad[][2] = {
		{"Stream,1", "'Stream,STREAM,default'"},
		{"Stream,1,fast", "'Stream,STREAM,default'"},
		{"StreamWaitEvent,1", "'StreamWaitEvent,STREAM,EVENT'"},
		{"EventRecord,1,2 x", "'EventRecord,EVENT,STREAM'"},
		{"DeviceSynchronize,1", "'DeviceSynchronize'"},
		{"EventSynchronize,18446744073709551616", "'EventSynchronize,EVENT'"},
	};
	struct trace *t = trace_new("lines");
	struct trace_cmd c;
	const char *expected = "";
	struct err e = {0};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		ok(order_parse(bad[i][0], &c, &expected) < 0 && strstr(expected, bad[i][1]),
		   "refused: %s", bad[i][0]);
	ok(order_parse("StreamWait,1,1", &c, &expected) == 0 &&
		   order_parse("kernel-1.traceg", &c, &expected) == 0,
	   "another line");
	ok(order_parse("StreamWaitEvent,3,1 \t", &c, &expected) == 1 && c.stream == 3 &&
		   c.event == 1,
	   "a line");
	ok(trace_add_order(t, &c, &e) < 0 && strstr(e.msg, "event 1 was not recorded before"),
	   "a wait for no event: %s", e.msg);
	order_parse("EventRecord,2,0", &c, &expected);
	err_clear(&e);
	ok(trace_add_order(t, &c, &e) < 0 && strstr(e.msg, "event 2 is recorded after 0"),
	   "events are in order: %s", e.msg);
	trace_close(t);
}

int
main(void)
{
	test_writer();
	test_one_stream();
	test_lines();
	return done();
}
