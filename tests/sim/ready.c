/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ready.c - which commands of a trace may begin (src/sim/ready.c): lists of commands, and by hand
 * the kernels that run after each step.
 */
#include "sim/ready.h"
#include "tests/sim/model.h"
#include "tests/small/small.h"
#include "tests/tap.h"

#define MOST_CMDS 16

/* A list of commands, in which a kernel's number is its place among the kernels. */
struct list {
	struct trace_cmd cmd[MOST_CMDS];
	struct trace_kernel kernel[MOST_CMDS];
	struct trace_info info;
};

static void
add(struct list *l, enum trace_cmd_kind kind, uint64_t stream, uint64_t event)
{
	struct trace_cmd *c = &l->cmd[l->info.n_cmds++];

	*c = (struct trace_cmd){.kind = kind};
	if (kind == TRACE_KERNEL) {
		l->kernel[l->info.n_kernels].stream = stream;
		c->kernel = l->info.n_kernels++;
	} else {
		c->event = event;
		c->stream = stream;
	}
	l->info.cmd = l->cmd;
	l->info.kernel = l->kernel;
}

/*
 * Plays a list: letters A, B, ... end the first, second, ... kernel, and every kernel that may
 * begin does so before and after. Prints the starts and ends in order: "+A+B-A+C".
 */
static void
play(const struct list *l, uint32_t window, const char *ends, char *out, size_t size)
{
	struct ready_plan *p = ready_plan_new(&l->info, window);
	struct ready *r = calloc(1, ready_bytes(p));
	size_t n = 0;

	ready_begin(p, r);
	for (;; ends++) {
		uint32_t cmd;

		while ((cmd = ready_next(p, r)) != READY_NONE) {
			bool copy = l->cmd[cmd].kind == TRACE_MEMCPY_H2D;

			n += (size_t)snprintf(out + n, size - n, "+%c",
					      copy ? 'c' : (int)('A' + l->cmd[cmd].kernel));
			if (copy)
				ready_end(p, r, cmd);
			else
				ready_start(p, r, cmd);
		}
		if (!*ends)
			break;
		for (cmd = 0; l->cmd[cmd].kind != TRACE_KERNEL ||
			      l->cmd[cmd].kernel != (uint32_t)(*ends - 'A');)
			cmd++;
		ready_end(p, r, cmd);
		n += (size_t)snprintf(out + n, size - n, "-%c", *ends);
	}
	snprintf(out + n, size - n, "%s", ready_is_over(p, r) ? " over" : "");
	free(r);
	ready_plan_free(p);
}

static void
check_window(const char *what, const struct list *l, uint32_t window, const char *ends,
	     const char *expected)
{
	char out[200] = "";

	play(l, window, ends, out, sizeof(out));
	is_str(out, expected, "%s", what);
}

static void
check(const char *what, const struct list *l, const char *ends, const char *expected)
{
	check_window(what, l, 0, ends, expected);
}

static void
streams(void)
{
	struct list l = {0};

	add(&l, TRACE_KERNEL, 1, 0);
	add(&l, TRACE_KERNEL, 2, 0);
	add(&l, TRACE_KERNEL, 1, 0);
	add(&l, TRACE_KERNEL, 3, 0);
	check("streams run together, a stream in order", &l, "BADC", "+A+B+D-B-A+C-D-C over");
}

static void
events(void)
{
	struct list l = {0};

	add(&l, TRACE_KERNEL, 1, 0);
	add(&l, TRACE_EVENT_RECORD, 1, 1);
	add(&l, TRACE_KERNEL, 1, 0);
	add(&l, TRACE_STREAM_WAIT, 2, 1);
	add(&l, TRACE_KERNEL, 2, 0);
	check("a stream waits for an event, not for what follows it", &l, "ACB",
	      "+A-A+B+C-C-B over");
	l = (struct list){0};
	add(&l, TRACE_EVENT_RECORD, 1, 1);
	add(&l, TRACE_KERNEL, 1, 0);
	add(&l, TRACE_STREAM_WAIT, 2, 1);
	add(&l, TRACE_KERNEL, 2, 0);
	check("an event without work before it has happened", &l, "AB", "+A+B-A-B over");
}

static void
default_stream(void)
{
	struct list l = {0};

	add(&l, TRACE_STREAM, 3, TRACE_STREAM_NONBLOCKING);
	add(&l, TRACE_KERNEL, 1, 0);
	add(&l, TRACE_KERNEL, 0, 0);
	add(&l, TRACE_KERNEL, 2, 0);
	add(&l, TRACE_KERNEL, 3, 0);
	add(&l, TRACE_KERNEL, 1, 0);
	check("the default stream waits for the blocking ones, and they for it", &l, "DABCE",
	      "+A+D-D-A+B-B+C+E-C-E over");
}

static void
program(void)
{
	struct list l = {0};

	add(&l, TRACE_KERNEL, 1, 0);
	add(&l, TRACE_KERNEL, 2, 0);
	add(&l, TRACE_HOST_STREAM, 1, 0);
	add(&l, TRACE_KERNEL, 3, 0);
	add(&l, TRACE_EVENT_RECORD, 2, 1);
	add(&l, TRACE_HOST_EVENT, 0, 1);
	add(&l, TRACE_KERNEL, 1, 0);
	add(&l, TRACE_HOST_ALL, 0, 0);
	add(&l, TRACE_KERNEL, 2, 0);
	check("the program waits for a stream, an event, all streams", &l, "ABCDE",
	      "+A+B-A+C-B+D-C-D+E-E over");
}

static void
copies(void)
{
	struct list l = {0};

	add(&l, TRACE_KERNEL, 1, 0);
	add(&l, TRACE_COPY_STREAM, 1, 0);
	add(&l, TRACE_MEMCPY_H2D, 0, 0);
	add(&l, TRACE_COPY_STREAM, 2, 0);
	add(&l, TRACE_MEMCPY_H2D, 0, 0);
	add(&l, TRACE_KERNEL, 2, 0);
	check("a copy is work of its stream", &l, "AB", "+A+c+B-A+c-B over");
}

/* The rules of Accel-Sim. */
static void
window(void)
{
	struct list l = {0};

	add(&l, TRACE_KERNEL, 0, 0);
	add(&l, TRACE_KERNEL, 0, 0);
	add(&l, TRACE_MEMCPY_H2D, 0, 0);
	add(&l, TRACE_STREAM_WAIT, 1, 0);
	add(&l, TRACE_KERNEL, 1, 0);
	add(&l, TRACE_KERNEL, 2, 0);
	check_window("a window of two: a kernel that waits takes room in it", &l, 2, "ABCD",
		     "+A-A+c+B+C-B+D-C-D over");
	check_window("a window of three: streams 0 and 1 run together", &l, 3, "CABD",
		     "+c+A+C-C+D-A+B-B-D over");
}

/* With one kernel at a time the order is that of the list. */
static bool
keeps_the_order(const struct trace_info *t)
{
	struct ready_plan *p = ready_plan_new(t, 0);
	struct ready *r = calloc(1, ready_bytes(p));
	bool good = true;
	uint32_t cmd;

	ready_begin(p, r);
	for (uint32_t i = 0; i < t->n_cmds && good; i++) {
		if (t->cmd[i].kind != TRACE_KERNEL && t->cmd[i].kind != TRACE_MEMCPY_H2D)
			continue;
		cmd = ready_next(p, r);
		good = cmd == i;
		if (good)
			ready_end(p, r, cmd);
	}
	good = good && ready_next(p, r) == READY_NONE && ready_is_over(p, r);
	free(r);
	ready_plan_free(p);
	return good;
}

static void
one_at_a_time(void)
{
	struct trace *t = small_streams();

	ok(keeps_the_order(trace_info(t)), "one kernel at a time: the order of two streams");
	trace_close(t);
	t = small_trace();
	ok(keeps_the_order(trace_info(t)), "and of the small workload");
	trace_close(t);
	for (unsigned i = 0; i < N_MODEL_TRACES; i++) {
		t = model_reference(model_traces[i]);
		ok(keeps_the_order(trace_info(t)), "and of %s", model_traces[i]);
		trace_close(t);
	}
}

int
main(void)
{
	streams();
	events();
	default_stream();
	program();
	copies();
	window();
	one_at_a_time();
	return done();
}
