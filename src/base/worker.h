/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * worker.h - a child process that works for this one, a channel for messages, and what ended it.
 *
 *     parent   worker_start() -> worker_read(), channel_next() ... -> worker_reap() or worker_end()
 *     worker   work(channel): channel_add(), channel_flush() ...; its result is the exit status
 *
 * A message is a frame: a kind, and a body of plain structs, since both sides are the same program.
 * The head of a frame contains a checksum, so a reader detects data that is not a frame.
 *
 * A worker shares only the channel with its parent. All signals have their default action, except
 * SIGINT and SIGUSR1, which the worker ignores because the parent handles them. The worker ends
 * with _exit(), and is killed when its parent ends.
 */
#ifndef BASE_WORKER_H
#define BASE_WORKER_H

#include "base/strbuf.h"
#include "ctascope/err.h"

#include <sys/types.h>

/* ---------------------------------------------------------------- messages */

#define CHANNEL_MOST (64u << 20) /* bytes of the largest body */

struct channel {
	int fd;
	struct strbuf in, out;
	size_t taken; /* bytes of `in` that channel_next() has returned */
	size_t sent;  /* bytes of `out` that have been sent */
};

struct frame {
	uint32_t kind, bytes;
	const char *body; /* valid until the channel is read again */
};

/* A body is the concatenation of its parts. */
struct frame_part {
	const void *p;
	size_t n;
};

/* Appends a frame to the unsent data. */
void channel_add(struct channel *c, uint32_t kind, const struct frame_part *part, unsigned n);
/* Sends the unsent data; without `wait` only what can be sent without blocking. Returns 1 if all
 * was sent, 0 if some is left, -1 if the other side has gone or memory ran out. */
int channel_flush(struct channel *c, bool wait);
/* Reads the available data; with `wait`, at least a byte. Returns false at the end of the data. */
bool channel_read(struct channel *c, bool wait);
/* Returns 1 with the next frame in *f, 0 if it is incomplete, -1 if the data is not a frame. */
int channel_next(struct channel *c, struct frame *f);
/* Waits for the next frame. Returns 0, or -1 if the other side has gone or sent something else. */
int channel_wait(struct channel *c, struct frame *f);
/* Whether channel_read() would return at once, with data or at the end. */
bool channel_has_more(const struct channel *c);
/* Whether the other side has closed the channel. */
bool channel_is_alone(const struct channel *c);
void channel_free(struct channel *c);

/* ---------------------------------------------------------------- the process */

struct worker {
	pid_t pid; /* 0: no process */
	struct channel channel;
};

enum worker_kind {
	WORKER_LANE, /* as fast as the parent */
	WORKER_QUIET /* at the lowest priority; standard input, output and error are /dev/null */
};

/* Starts a worker. Returns 0, or -1 with e. It inherits the channels of other workers; work()
 * closes them with channel_free() where that matters. */
int worker_start(struct worker *w, enum worker_kind kind, int (*work)(struct channel *c, void *ctx),
		 void *ctx, struct err *e);
bool worker_runs(const struct worker *w);
/* Reads what the worker has sent, without waiting. Returns false once the worker sends no more. */
bool worker_read(struct worker *w);
/* Waits for the end of the worker. Returns true if its status is 0; otherwise why says what ended
 * it, such as "was ended by signal 9 (Killed)". */
bool worker_reap(struct worker *w, char *why, size_t size);
/* worker_end() kills the worker and waits for its end; worker_stop() does not wait, so that several
 * workers can end in parallel. */
void worker_stop(struct worker *w);
void worker_end(struct worker *w);

#endif
