/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line_part.h - private to src/line: keys, and the functions that its files share. */
#ifndef LINE_LINE_PART_H
#define LINE_LINE_PART_H

#include "base/strbuf.h"
#include "line/line.h"

#include <stdio.h>

enum key_kind {
	KEY_TEXT,     /* one character, or a control character */
	KEY_ESCAPE,   /* the key Escape alone */
	KEY_SEQUENCE, /* an escape sequence: a function key, or a key with Meta */
	KEY_PASTE,    /* pasted text, '\n' between its lines, without NUL */
	KEY_TOO_LONG  /* pasted text beyond PASTE_MOST: it is dropped */
};

struct key {
	enum key_kind kind;
	const char *bytes; /* n of them and a NUL, until the next call of a function below */
	size_t n;
};

#define PASTE_MOST (1u << 20) /* bytes */

enum keys_state {
	KEYS_TYPED,
	KEYS_PASTED,
	KEYS_DROPPED /* the rest of a paste that was given up */
};

/* Zero is the empty value. */
struct keys {
	enum keys_state state;
	struct strbuf in; /* the bytes received; the first `used` have been taken */
	size_t used;
	size_t searched;  /* of a paste: bytes after `used` that contain no end */
	bool escape_acts; /* set by the owner: the key Escape alone has a function */
	bool is_cut;	  /* the rest of an incomplete key has not come in time */
	bool too_long;
	double last; /* clock_seconds() of the last byte */
	struct strbuf out;
};

/* Adds bytes that were read at that time. */
void keys_put(struct keys *k, const char *bytes, size_t n, double now);
/* Notes that there is nothing to read: a key that began too long ago counts as complete. */
void keys_quiet(struct keys *k, double now);
/* Milliseconds until keys_quiet() should be called; -1: no key is incomplete. */
int keys_patience(const struct keys *k, double now);
/* Inserts text before the bytes that were not taken. */
void keys_insert(struct keys *k, const char *text);
/* Takes the next complete key; false when there is none. */
bool keys_take(struct keys *k, struct key *to);
/* Drops all bytes, and the rest of a paste that is still to come. */
void keys_drop(struct keys *k);
/* Drops typed bytes that were not taken; a paste that has begun stays. */
void keys_drop_typed(struct keys *k);
void keys_free(struct keys *k);

/* ---- function.c: which function of readline a key has ---- */

bool key_is_bound(const struct key *k);
/* True for text and for the few functions that an incremental search has. */
bool key_fits_search(const struct key *k);
/* True when the key would let the incremental search go on in the other direction. */
bool key_turns_search(const struct key *k);

/* The keys of one sequence that readline has read so far, such as Ctrl-X Ctrl-U. */
struct sequence {
	char bytes[32];
	size_t n;
};
/* Continues the sequence while readline is inside one, and begins another one otherwise. */
void sequence_add(struct sequence *s, const char *bytes, size_t n);
/* The text that an inputrc binds to the sequence; NULL when it is no macro. */
const char *sequence_macro(const struct sequence *s);
/* True when the sequence records or runs a keyboard macro. */
bool sequence_is_recorder(const struct sequence *s);

/* ---- feed.c: gives keys to readline ---- */

#define KEY_NOTHING 0 /* a key that does nothing: bind_own_keys() */

/* Keys reach readline between these two only: while it has a line. */
void feed_open(void);
void feed_close(void);
void feed(const char *bytes, size_t n);
/* The same for an escape sequence. If it is not bound, its rest is not inserted as text. */
void feed_sequence(const char *bytes, size_t n);
void feed_escape(void);			   /* the key Escape, alone */
const struct sequence *feed_last(void); /* the keys of the last or open sequence */

/* ---- search.c ---- */

/* Makes the searches of vi's command mode look for their text as it is. */
void search_bind(void);

/* ---- history.c ---- */

/* Makes the open line the only owner of its undo list. */
void history_drop_undo(void);

/* ---- draw.c: the line of the plain prompt on the terminal ---- */

void draw_begin(void); /* after readline has initialized the terminal */
void draw_end(void);
void draw_open(void);	  /* before a new line, or for a new size of the window */
void draw_again(void);	  /* readline's redisplay function */
void draw_accepted(void); /* after Enter */
void draw_resized(const char *prompt);

/* ---- dumb.c: the line on a terminal that cannot move its cursor up ---- */

/* What the terminal shows in the row of its cursor. Zero is an empty row. */
struct dumb_row {
	struct strbuf text;
	int columns;
	bool ends_at_cursor;
};

struct dumb_line {
	const char *text; /* prompt and line, n bytes; the cursor is before byte `point` */
	size_t n, point;
	bool grows; /* only text was added since the last time */
};

void dumb_draw(FILE *f, struct dumb_row *r, const struct dumb_line *l, int columns);
void dumb_new_row(struct dumb_row *r); /* after the cursor went to a new row */

/* The completions of readline's line, from start to end (complete.c). */
char **complete_line(const struct line_hooks *h, int start, int end);

#endif
