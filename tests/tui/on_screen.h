/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * on_screen.h - the screen `s` of a test, which is drawn in memory, with its `session` (stage.h);
 * and frequent steps of such tests: open it, execute a command, press a key, read what is drawn,
 * read a table that `dump csv` writes.
 */
#ifndef TESTS_TUI_ON_SCREEN_H
#define TESTS_TUI_ON_SCREEN_H

#include "export/export.h"
#include "tests/small/small.h"
#include "tests/tap.h"
#include "tests/tui/stage.h"
#include "tui/panes.h"
#include "tui/screen.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct session *session;
static struct screen s;

/* Draws the session that was opened. */
static inline void
show_session(int w, int h, enum depth depth, bool unicode)
{
	struct theme t;

	theme_default(&t);
	screen_init(&s, session, &t, depth, unicode);
	s.replay.slice = 1e9; /* whatever the load of the host */
	screen_resize(&s, w, h);
	screen_draw(&s);
}

/* A screen in 256 colours and Unicode. */
static inline void
open_screen(int w, int h, struct stage_options o)
{
	session = stage_open(&o);
	show_session(w, h, DEPTH_256, true);
}

/* A screen in ASCII without colours. */
static inline void
open_ascii_screen(int w, int h, struct stage_options o)
{
	session = stage_open(&o);
	show_session(w, h, DEPTH_MONO, false);
}

/* The small machine of 4 cores, which has run to a cycle; in ASCII. */
static inline void
open_small_screen(const char *policy, cycle_t cycle, int w, int h)
{
	char line[40];

	session = stage_open(&(struct stage_options){.small = true, .policy = policy});
	snprintf(line, sizeof(line), "advance %" PRIu64, cycle);
	if (cycle && session_exec(session, line) != SESSION_OK)
		ok(false, "%s: %s", line, stage_last_line());
	show_session(w, h, DEPTH_MONO, false);
}

static inline void
close_screen(void)
{
	screen_free(&s);
	stage_close(session);
}

/* Executes a command as the driver does: the screen's, or the session's. */
static inline void
command(const char *line)
{
	struct err e = {0};
	int done = screen_command(&s, line, &e);

	if (done < 0)
		ok(false, "%s: %s", line, e.msg);
	if (done == 0 && session_exec(session, line) != SESSION_OK)
		ok(false, "%s: %s", line, stage_last_line());
	s.notice[0] = '\0';
	screen_draw(&s);
}

/* Returns the command of a key, which is not executed; NULL: the screen did all. */
static inline const char *
press(int key)
{
	static char buf[120];
	const char *line = screen_key(&s, key, buf, sizeof(buf));

	screen_draw(&s);
	return line;
}

static inline uint32_t
glyph(int x, int y)
{
	return paint_cell(&s.painter, canvas_at(s.canvas, x, y)).wc;
}

/* Returns the text of the last frame, which the caller frees. */
static inline char *
screen_text(void)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	canvas_dump_text(s.canvas, true, f);
	fclose(f);
	return text;
}

/* ---------------------------------------------------------------- tables */

/* Reads what `dump csv NAME` writes. */
static inline struct export_rows
read_table(const char *name)
{
	struct export_rows r = {0};
	struct err e = {0};
	char path[64], line[120];

	snprintf(path, sizeof(path), "/tmp/ctascope-table-%d.csv", (int)getpid());
	snprintf(line, sizeof(line), "dump csv %s %s", name, path);
	if (session_exec(session, line) != SESSION_OK || export_rows_read(path, &r, &e))
		small_die(line, &e);
	unlink(path);
	return r;
}

/* Returns a field of a table. */
static inline const char *
text_in(const struct export_rows *r, size_t row, const char *column)
{
	return r->cell[(row + 1) * r->n_columns + (size_t)export_rows_column(r, column)];
}

#endif
