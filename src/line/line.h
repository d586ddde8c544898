/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * line.h - the command line: GNU readline, and the terminal it is typed on.
 *
 * The plain prompt and the prompt of the screen are both this one. Bytes go in, accepted lines come
 * out. Editing, history, searching, completion and the user's inputrc are readline's; all that
 * readline does badly stays in here: a byte reaches it only as part of a whole key, it reads no
 * paste, it never waits, and a search ends before a key that would crash it.
 *
 *     line_enter(&hooks);
 *     line_start(prompt);
 *     for (;;) {
 *             wait for bytes, for line_patience() ms at most;
 *             line_type(bytes, n), or line_quiet() when none came;
 *             while ((end = line_run(&text)) != LINE_OPEN)
 *                     do it, and line_start(prompt);
 *     }
 *     line_leave();
 */
#ifndef LINE_LINE_H
#define LINE_LINE_H

#include "ctascope/base.h"

#include <stddef.h>

struct line_hooks {
	void *ctx;
	/* What can follow: as session_complete(). */
	char **(*complete)(void *ctx, const char *text, int start, int end, bool *is_path);
	const char *history; /* the file of the lines that were typed; NULL: there is none */
	/* The caller draws the line (line_look()), and the terminal is left alone. Then Ctrl-L asks
	 * for a redraw, and Ctrl-G and Escape leave the line as Ctrl-D does. */
	bool is_drawn_by_caller;
};

/* readline is one per process, and so is this: enter and leave bracket its use. */
void line_enter(const struct line_hooks *hooks);
void line_leave(void);

void line_start(const char *prompt); /* a new, empty line; gives up the one that is open */
void line_change_prompt(const char *prompt);
void line_stop(void); /* gives it up */
void line_drop(void); /* drops what was typed ahead, and the rest of a paste that has begun */

void line_type(const char *bytes, size_t n); /* as the terminal sent them */
void line_quiet(void);			     /* there is nothing to read */
int line_patience(void);     /* ms until line_quiet() may make a key of what was typed; -1: never */
bool line_takes_paste(void); /* the end of a paste has not come yet */

enum line_end {
	LINE_OPEN,    /* it is still being typed */
	LINE_ENTERED, /* *text is it; free() it */
	LINE_LEFT     /* Ctrl-D on an empty line; also Ctrl-G, Escape (is_drawn_by_caller) */
};
/* Lets readline have the keys that were typed, to the end of a line. After an end the line is
 * closed. */
enum line_end line_run(char **text);
bool line_wants_redraw(void); /* Ctrl-L since the last call */

/* The open line, borrowed until the next call of any function here. */
struct line_look {
	char prompt[128];
	const char *text;   /* n bytes */
	size_t n, point;    /* the cursor stands before this byte */
	char *const *popup; /* completions, NULL: none */
	unsigned n_popup;
};
void line_look(struct line_look *to);

/* ---------------------------------------------------------------- a terminal that readline draws
 * on */

void line_hide(void); /* before other text is printed in its place */
void line_show(void); /* and again below that */
void line_resized(void);
/* Gives the terminal back as it was found, and takes it again. */
void line_suspend(void);
void line_resume(void);

/* ---------------------------------------------------------------- history */

void history_open(const char *path); /* NULL: lines are kept for this session only */
bool history_is_kept(void);	     /* there is a file */
void history_add_line(const char *line);
void history_close(void);

/* ---------------------------------------------------------------- output (tty_output.c) */

/*
 * A terminal that takes no output, after Ctrl-S or because nobody reads it, holds up whoever
 * writes. A signal that ends the program must not wait for that: from tty_end_waits() on, nothing
 * does, and output that does not fit is lost. tty_begin() notes how standard input, output and
 * error were found, tty_end() puts that back.
 */
void tty_begin(void);
void tty_end_waits(int fd); /* async-signal-safe; fd: the terminal, or no terminal */
bool tty_waits_ended(void);
void tty_write(const char *text); /* to standard output, behind what is buffered */
void tty_end(void);

/* ---------------------------------------------------------------- input (tty.c) */

enum tty_news {
	TTY_BYTE,  /* *byte was read */
	TTY_QUIET, /* the time is over */
	TTY_OTHER, /* a signal, or one of the other descriptors */
	TTY_GONE   /* the terminal */
};
enum { TTY_RESIZED = 1, TTY_STOP = 2 /* Ctrl-Z */, TTY_CONTINUED = 4 };
struct pollfd;

/* For a prompt on standard input that line_start() has prepared: catches the signals of a terminal
 * from _catch() to _release(). */
void tty_catch(void);
void tty_release(void);
/* Waits for a byte, a signal, or one of n more descriptors at fds + 1 (fds[0] is filled in); ms -1:
 * for ever. No signal is lost: with all held back it asks is_due() first, and waits when that says
 * no. */
enum tty_news tty_wait(struct pollfd *fds, unsigned n, int ms, bool (*is_due)(void *ctx), void *ctx,
		       char *byte);
unsigned tty_take(void);  /* which of TTY_RESIZED ... came since the last call */
void tty_stop_self(void); /* stops the program as Ctrl-Z does; returns when it is continued */

#endif
