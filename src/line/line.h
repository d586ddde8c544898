/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * line.h - the command line: GNU readline, and the terminal it is typed on.
 *
 * The plain prompt and the prompt of the screen use this. Bytes go in, accepted lines come out.
 * readline does the editing, history, searching and completion, and reads the user's inputrc. This
 * folder works around its faults: a byte reaches readline only as part of a whole key, it reads no
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
	/* Completes a word, as session_complete() does. */
	char **(*complete)(void *ctx, const char *text, int start, int end, bool *is_path);
	const char *history; /* the file of typed lines; NULL: none */
	/* The caller draws the line (line_look()), and the terminal is left alone. Then Ctrl-L asks
	 * for a redraw, and Ctrl-G and Escape leave the line as Ctrl-D does. */
	bool is_drawn_by_caller;
};

/* A process has one readline, and so one line. All use is between enter and leave. */
void line_enter(const struct line_hooks *hooks);
void line_leave(void);

void line_start(const char *prompt); /* opens a new, empty line; discards the open one */
void line_change_prompt(const char *prompt);
void line_stop(void); /* discards the open line */
void line_drop(void); /* drops keys typed ahead, and the rest of a paste that has begun */

void line_type(const char *bytes, size_t n); /* as the terminal sent them */
void line_quiet(void);			     /* there is nothing to read */
int line_patience(void);     /* ms until line_quiet() may complete a key; -1: never */
bool line_takes_paste(void); /* a paste has begun, and its end has not come */

enum line_end {
	LINE_OPEN,    /* it is still being typed */
	LINE_ENTERED, /* *text is it; free() it */
	LINE_LEFT     /* Ctrl-D on an empty line; also Ctrl-G, Escape (is_drawn_by_caller) */
};
/* Gives the typed keys to readline, up to the end of a line, which closes it. */
enum line_end line_run(char **text);
bool line_wants_redraw(void); /* Ctrl-L since the last call */
/* After LINE_LEFT: the character that came together with the Escape that left the line, 0: none. It
 * is the caller's. */
char line_take_next(void);

/* The open line, borrowed until the next call of any function here. */
struct line_look {
	char prompt[128];
	const char *text;   /* n bytes */
	size_t n, point;    /* the cursor is before byte `point` */
	char *const *popup; /* completions, NULL: none */
	unsigned n_popup;
};
void line_look(struct line_look *to);

/* ---------------------------------------------------------------- a terminal that readline draws
 * on */

void line_hide(void); /* removes the line before other text is printed */
void line_show(void); /* shows it again below that text */
void line_resized(void);
/* Restore the terminal's modes, and set those of readline again. */
void line_suspend(void);
void line_resume(void);

/* ---------------------------------------------------------------- a program without a session */

/* Makes the terminal ready for line_ask(); false: standard input or output is none. Signals that
 * end the program do so after the terminal has its modes back. */
bool line_ask_begin(void);
/* Returns the next line, which the caller frees; NULL: the input has ended. */
char *line_ask(const char *prompt);
void line_ask_end(void);

/* ---------------------------------------------------------------- history */

void history_open(const char *path); /* NULL: lines are kept for this session only */
bool history_is_kept(void);	     /* lines are kept in a file */
void history_add_line(const char *line);
void history_close(void);

/* ---------------------------------------------------------------- output (tty_output.c) */

/*
 * A write to a terminal that takes no output, after Ctrl-S or because no program reads it, blocks.
 * A signal that ends the program must not wait for it: after tty_end_waits() no write blocks, and
 * output that the terminal does not take is lost. tty_begin() saves the flags of standard input,
 * output and error, tty_end() restores them.
 */
void tty_begin(void);
void tty_end_waits(int fd); /* async-signal-safe; fd: the terminal, or no terminal */
bool tty_waits_ended(void);
void tty_write(const char *text); /* to standard output, after its buffered text */
void tty_end(void);

/* ---------------------------------------------------------------- input (tty.c) */

enum tty_news {
	TTY_BYTE,  /* *byte was read */
	TTY_QUIET, /* the time has passed */
	TTY_OTHER, /* a signal, or one of the other descriptors */
	TTY_GONE   /* the terminal is gone */
};
enum { TTY_RESIZED = 1, TTY_STOP = 2 /* Ctrl-Z */, TTY_CONTINUED = 4 };
struct pollfd;

/* For a prompt on standard input that line_start() has prepared: the signals of the terminal are
 * caught from tty_catch() to tty_release(). */
void tty_catch(void);
void tty_release(void);
/* Waits for a byte, a signal, or one of n more descriptors at fds + 1 (fds[0] is filled in); ms -1:
 * for ever. No signal is lost: it blocks all of them, calls is_due(), and waits only if that
 * returns false. */
enum tty_news tty_wait(struct pollfd *fds, unsigned n, int ms, bool (*is_due)(void *ctx), void *ctx,
		       char *byte);
/* Waits likewise, for line_patience() ms at most, and types the byte into the open line. (ask.c) */
enum tty_news line_wait(struct pollfd *fds, unsigned n, bool (*is_due)(void *ctx), void *ctx);
unsigned tty_take(void);  /* which of TTY_RESIZED ... came since the last call */
void tty_stop_self(void); /* stops the program as Ctrl-Z does; returns when it is continued */

#endif
