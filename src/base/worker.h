/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * worker.h - a process that works for this one: a fork with a channel, and in words what ended it.
 *
 *     parent   worker_start() -> worker_read(), channel_next() ... -> worker_reap() or worker_end()
 *     worker   work(channel): channel_add(), channel_flush() ...; what it returns is its status
 *
 * Messages are frames: a kind, and a body of plain structs, since both sides are the same program.
 * A head that is out of place is found, so what is no frame is an error and never a guess.
 *
 * A worker shares nothing with its parent but the channel. Its signals are as at the start of a
 * program, except that it ignores those that the parent answers: SIGINT of the terminal and
 * SIGUSR1, which asks how far a run is. It ends by _exit(), and when its parent ends.
 */
#ifndef BASE_WORKER_H
#define BASE_WORKER_H

#include "base/strbuf.h"
#include "ctascope/err.h"

#include <sys/types.h>

/* ---------------------------------------------------------------- messages */

#define CHANNEL_MOST (64u << 20) /* bytes of a body */

struct channel {
	int fd;
	struct strbuf in, out;
	size_t taken; /* of in: frames that channel_next() has handed out */
	size_t sent;  /* of out */
};

struct frame {
	uint32_t kind, bytes;
	const char *body; /* valid until the channel is read again */
};

/* Several parts make one body. */
struct frame_part {
	const void *p;
	size_t n;
};

/* Adds a frame to what is to be sent. */
void channel_add(struct channel *c, uint32_t kind, const struct frame_part *part, unsigned n);
/* Sends it; without `wait` as much as goes at once. 1: all of it, 0: the rest waits for the next
 * time, -1: nobody reads, or memory ran out. */
int channel_flush(struct channel *c, bool wait);
/* Reads what has come; with `wait` at least a byte. False: nothing more will come. */
bool channel_read(struct channel *c, bool wait);
/* The next frame. 1: *f is it; 0: it is not whole yet; -1: that is no frame. */
int channel_next(struct channel *c, struct frame *f);
/* Waits for it. 0, or -1: the other side has gone, or sent no frame. */
int channel_wait(struct channel *c, struct frame *f);
/* Is there something to read, or the end? */
bool channel_has_more(const struct channel *c);
/* Has the other side gone? */
bool channel_is_alone(const struct channel *c);
void channel_free(struct channel *c);

/* ---------------------------------------------------------------- the process */

struct worker {
	pid_t pid; /* 0: there is none */
	struct channel channel;
};

enum worker_kind {
	WORKER_LANE, /* as fast as the parent */
	WORKER_QUIET /* at the lowest priority; standard input, output and error lead nowhere */
};

/* Starts it. -1 with e: there is none. Other workers' channels are open in it, too: work() closes
 * them by channel_free() where that matters. */
int worker_start(struct worker *w, enum worker_kind kind, int (*work)(struct channel *c, void *ctx),
		 void *ctx, struct err *e);
bool worker_runs(const struct worker *w);
/* Takes in what it has sent. False: it has sent its last. */
bool worker_read(struct worker *w);
/* Waits for its end. True: with status 0; else why: "was ended by signal 9 (Killed)". */
bool worker_reap(struct worker *w, char *why, size_t size);
/* Ends it at once. Several end faster when all are told first: worker_stop() does not wait. */
void worker_stop(struct worker *w);
void worker_end(struct worker *w);

#endif
