/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wire.h - sends frames to the terminal at the pace of the line.
 *
 * With a slow line curses would wait in write(), and for ever on a line that takes nothing. So
 * curses writes to the terminal itself only while modes are changed. All its other output goes to a
 * file in memory (wire_divert()); from there the bytes are sent through a descriptor that does not
 * block. That descriptor is opened separately, because the shell shares the original one and would
 * become non-blocking too. Order is kept: everything is sent before the terminal is restored,
 * except to a line that is stuck when a signal ends the program.
 */
#ifndef TUI_WIRE_H
#define TUI_WIRE_H

#include "base/strbuf.h"
#include "tui/sgr.h"
#include <stdio.h>

struct wire {
	int out; /* the terminal; borrowed */
	/* Receives the output while diverted; -1: there is none, and nothing is diverted. */
	int memory;
	int line; /* the terminal opened again, non-blocking; -1: that failed, and writes wait */
	bool diverted;
	struct strbuf queue; /* bytes of frames; the first `sent` are sent */
	size_t sent;
	uint64_t bytes;	   /* all bytes that went into the queue */
	struct sgr *exact; /* replaces colour numbers by exact colours, owned; NULL: they stay */
	/* Receives the bytes of frames as they go to the terminal; NULL: nobody does. */
	void (*listen)(void *ctx, const char *bytes, size_t n);
	void *listen_ctx;
	struct strbuf curses; /* bytes as curses wrote them, on their way to the queue */
};

void wire_open(struct wire *w, int out);
void wire_close(struct wire *w);
/* On: output to `to` is captured. Off: all captured output is sent, and `to` is the terminal again.
 * This and wire_busy() return false if memory ran out; the next frame must then draw everything. */
bool wire_divert(struct wire *w, FILE *to, bool on);
/* Sends as many bytes as the line takes; *busy: there are more. */
bool wire_push(struct wire *w, bool *busy);

/* Bytes a second of a serial line; 0: it is none. */
unsigned wire_line_rate(int fd);

/* A separate stream on a descriptor; NULL: see errno. */
FILE *wire_stream(int fd, const char *mode);

#endif
