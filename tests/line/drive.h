/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * drive.h - runs the program on a new terminal, as a person does: bytes in, bytes out.
 *
 *     struct drive d;
 *
 *     drive_start(&d, &(struct drive_with){.term = "xterm", .args = {"--tui=never"}});
 *     drive_expect(&d, "core 0) ");
 *     drive_type(&d, "print 6*7\r");
 *     ok(drive_expect(&d, "= 42"), "...");
 *     is_u64(drive_signal(&d, SIGTERM), 143, "...");
 *     drive_close(&d);
 *
 * A wait ends when its condition holds. DRIVE_LONG and DRIVE_LOOP only end a hang. (tests/vth.h
 * also interprets the output, and needs libvterm.)
 */
#ifndef TESTS_LINE_DRIVE_H
#define TESTS_LINE_DRIVE_H

#include "tests/child.h"

#include <stddef.h>
#include <termios.h>

#define DRIVE_LONG 60  /* seconds without any work of the program */
#define DRIVE_LOOP 200 /* seconds of processor time for one answer */

struct drive_with {
	const char *term;    /* NULL: xterm */
	int rows, columns;   /* 0: 24, 80 */
	const char *fault;   /* words of tests/small/fault.h; NULL: none */
	const char *locale;  /* NULL: C.UTF-8 */
	const char *inputrc; /* its text; NULL: none */
	bool edits_like_vi;  /* readline uses its vi mode instead of its emacs mode */
	const char *args[4]; /* before the workload */
};

struct drive {
	struct child child;
	int fd;	 /* our end */
	int tty; /* the program's end: its modes can be read after the program's end */
	struct termios before;
	char text[1 << 18]; /* the newest output */
	size_t n, at;	    /* its bytes; how many have been searched */
};

/* The first creates a folder for homes and files, the last removes it. */
void drive_begin(void);
void drive_end(void);
/* Prints reports of sanitizers since the last call, as comments. */
void drive_show_reports(void);

void drive_start(struct drive *d, const struct drive_with *how);
void drive_close(struct drive *d); /* kills the program if it still runs */

/* Reads what arrives within that time; returns false if nothing did. */
bool drive_read(struct drive *d, int ms);
/* Reads until the text has appeared after the texts that were expected before. */
bool drive_expect(struct drive *d, const char *text);
/* Whether the text has appeared after the texts that were expected before. */
bool drive_saw(const struct drive *d, const char *text);

/* Types n bytes; returns false if they were not accepted because nobody reads them. */
bool drive_type_bytes(struct drive *d, const char *bytes, size_t n);
bool drive_type(struct drive *d, const char *text);
void drive_resize(struct drive *d, int rows, int columns);

/* Waits until the program has read all bytes that have reached it; reads its output meanwhile. The
 * bytes typed last may still be in the system, so type them with a key whose effect is visible. */
bool drive_until_read(struct drive *d);
/* The same for a program whose output waits: also returns when it sleeps and keys are unread. */
void drive_until_asleep(struct drive *d);
/* Types keys that cause much output again and again, and reads none of it, until the program reads
 * no key for a second or has answered 60 times. */
void drive_fill(struct drive *d, const char *keys);

/* Waits for the end; returns the exit status as a shell reports it, -1 if there is none. */
int drive_ended(struct drive *d);
int drive_ended_unread(struct drive *d); /* without reading any output */
bool drive_modes_restored(const struct drive *d);

#endif
