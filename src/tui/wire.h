/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wire.h - the way of frames to the terminal, at the pace of the line.
 *
 * Curses would wait in write() while a slow line takes a frame, and for ever on one that takes
 * nothing. So its descriptor is the terminal only while modes are changed; for all that it writes a
 * file in memory takes its place (wire_divert()), and from there the bytes go out through a
 * descriptor that does not block. That one is opened anew: the flag belongs to what was opened, and
 * the shell has that, too. Order is kept: before the terminal is put back all has gone out, but for
 * a line that is stuck when a signal ends the program.
 */
#ifndef TUI_WIRE_H
#define TUI_WIRE_H

#include "base/strbuf.h"
#include "tui/sgr.h"
#include <stdio.h>

struct wire {
	int out;    /* the terminal; borrowed */
	int memory; /* what is written while diverted; -1: there is none, nothing is diverted */
	int line;   /* the terminal again, never blocking; -1: cannot be had, writes wait */
	bool diverted;
	struct strbuf queue; /* bytes of frames; the first `sent` have gone out */
	size_t sent;
	uint64_t bytes;	   /* that went into the queue, over all */
	struct sgr *exact; /* colours are numbers of this, owned; NULL: they are what they are */
	/* Told what frames are made of, as the terminal gets it; NULL: nobody listens. */
	void (*listen)(void *ctx, const char *bytes, size_t n);
	void *listen_ctx;
	struct strbuf curses; /* bytes as curses wrote them, on their way to the queue */
};

void wire_open(struct wire *w, int out);
void wire_close(struct wire *w);
/* On: what is written to `to` is kept for us. Off: all of it is sent, and `to` is the terminal.
 * These and wire_busy() return false when memory ran out: then the next frame has to draw
 * everything. */
bool wire_divert(struct wire *w, FILE *to, bool on);
/* Sends as much as the line takes; *busy: there is more. */
bool wire_push(struct wire *w, bool *busy);

FILE *wire_stream(int fd, const char *mode); /* of its own on a descriptor; NULL: errno */

#endif
