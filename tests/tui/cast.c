/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cast.c - record session: records the screen and the prompt. Played back into another terminal,
 * the recording shows the same.
 */
#include "tests/tui/on_terminal.h"

#include <unistd.h>

#define ROWS 30
#define COLS 100

static char folder[] = "/tmp/ctascope-cast.XXXXXX", file[64];

/* Starts the program with --tui=MODE and waits for a text. */
static bool
start(const char *mode, const char *wanted)
{
	char path[4200], option[32];
	const char *const words[] = {
		option, "-n", "-c", machine, "-p", "dyncta", find_trace("uneven", path), NULL};

	snprintf(option, sizeof(option), "--tui=%s", mode);
	return start_program(ROWS, COLS, words, NULL, wanted);
}

/* Types, and waits for a text. */
static void
type_keys(const char *bytes, const char *wanted)
{
	keys(bytes, wanted, wanted);
}

/* ---------------------------------------------------------------- playing back */

struct player {
	VTerm *vt;
	VTermScreen *screen;
	unsigned events, sizes;
	int rows, cols;
	double last;
	bool good; /* every line was valid */
};

static unsigned
hex4(const char *p)
{
	char text[5] = {p[0], p[1], p[2], p[3], 0};

	return (unsigned)strtoul(text, NULL, 16);
}

/* Plays the string that begins at p into the terminal, or only skips it; returns the place after
 * it. */
static const char *
play_string(struct player *pl, const char *p, bool output)
{
	for (; *p && *p != '"'; p++) {
		char c = *p;

		if ((unsigned char)c < ' ')
			pl->good = false;
		if (c == '\\' && p[1] == 'u') {
			unsigned u = hex4(p + 2);

			pl->good &= u < 0x80;
			c = (char)u;
			p += 5;
		} else if (c == '\\') {
			c = *++p;
		}
		if (output)
			vterm_input_write(pl->vt, &c, 1);
	}
	return p;
}

/* Plays lines until one contains `until`. */
static struct player
play(const char *until)
{
	struct player pl = {.good = true};
	FILE *f = fopen(file, "r");
	char *line = NULL;
	size_t room = 0;

	if (!f || getline(&line, &room, f) < 0 ||
	    sscanf(line, "{\"version\": 2, \"width\": %d, \"height\": %d,", &pl.cols, &pl.rows) !=
		    2) {
		ok(false, "a header, found %s", line ? line : "nothing");
		return pl;
	}
	pl.vt = vterm_new(pl.rows, pl.cols);
	vterm_set_utf8(pl.vt, 1);
	pl.screen = vterm_obtain_screen(pl.vt);
	vterm_screen_enable_altscreen(pl.screen, 1);
	vterm_screen_reset(pl.screen, 1);
	while (getline(&line, &room, f) >= 0 && !(until && strstr(line, until))) {
		double at = 0;
		char kind = 0;
		int n = 0;

		pl.good &= sscanf(line, "[%lf, \"%c\", \"%n", &at, &kind, &n) == 2 && n &&
			   at >= pl.last;
		pl.last = at;
		pl.events++;
		if (kind == 'r') {
			pl.sizes++;
			pl.good &= sscanf(line + n, "%dx%d", &pl.cols, &pl.rows) == 2;
			vterm_set_size(pl.vt, pl.rows, pl.cols);
		}
		pl.good &= n && strcmp(play_string(&pl, line + n, kind == 'o'), "\"]\n") == 0;
	}
	free(line);
	fclose(f);
	return pl;
}

static VTermScreenCell cell[60][200]; /* the cells of the first terminal */

static void
keep_cells(void)
{
	for (int y = 0; y < h.rows; y++)
		for (int x = 0; x < h.cols; x++)
			vterm_screen_get_cell(h.screen, (VTermPos){y, x}, &cell[y][x]);
}

/* Counts the cells that differ in content or look. */
static unsigned
differences(const struct player *pl)
{
	unsigned n = 0;

	for (int y = 0; y < h.rows; y++)
		for (int x = 0; x < h.cols; x++) {
			VTermScreenCell b, *a = &cell[y][x];

			vterm_screen_get_cell(pl->screen, (VTermPos){y, x}, &b);
			n += (a->chars[0] ? a->chars[0] : ' ') != (b.chars[0] ? b.chars[0] : ' ') ||
			     a->attrs.bold != b.attrs.bold || a->attrs.reverse != b.attrs.reverse ||
			     memcmp(&a->fg, &b.fg, sizeof(b.fg)) != 0 ||
			     memcmp(&a->bg, &b.bg, sizeof(b.bg)) != 0;
		}
	return n;
}

static void
played(const char *until, unsigned sizes)
{
	struct player pl = play(until);

	ok(pl.good && pl.events > 2, "every line of %u is an event, in order", pl.events);
	is_u64(pl.sizes, sizes, "with each change of the size");
	ok(pl.rows == h.rows && pl.cols == h.cols, "to the one it has");
	is_u64(differences(&pl), 0, "it shows what was shown, cell by cell");
	vterm_free(pl.vt);
}

/* ---------------------------------------------------------------- cases */

static void
test_screen(void)
{
	char command[100];

	ok(start("always", "q quit"), "the screen");
	snprintf(command, sizeof(command), ":record session %s\r", file);
	type_keys(command, "? help");
	ok(access(file, F_OK) != 0, "nothing is at its place while it goes on");
	type_keys(" ", "done");
	type_keys("?", "Keys (bind");
	type_keys("q", "done");
	vth_resize(&h, 36, 110);
	vth_settle(&h);
	type_keys("jj", "core 2");
	keep_cells();
	ends_with("q", 0, "it ends");
	played("\\u001b[?1049l", 1);
	vth_close(&h);
	remove(file);
}

/* From the prompt to the screen and back. */
static void
test_prompt(void)
{
	char command[100], row[4096];
	struct player pl;
	bool found = false;

	ok(start("never", "(ctascope"), "the prompt");
	snprintf(command, sizeof(command), "record session %s\r", file);
	type_keys(command, "core 0)");
	type_keys("print 6*7\r", "6*7 = 42");
	type_keys("record session other.cast\r", "already recording");
	type_keys("tui\r", "q quit");
	type_keys("\t", "q quit");
	type_keys(":tui off", ") tui off");
	keep_cells();
	type_keys("\r", "(ctascope");
	type_keys("print 1000+1\r", "1001");
	type_keys("record session off\r", "recorded to");
	type_keys("record session off\r", "nothing is being recorded");
	ends_with("quit\r", 0, "it ends");
	played("\\u001b[?1049l", 0);
	pl = play(NULL);
	for (int y = 0; y < pl.rows && pl.vt; y++) {
		VTermRect r = {y, y + 1, 0, pl.cols};
		size_t n = vterm_screen_get_text(pl.screen, row, sizeof(row) - 1, r);

		row[n] = '\0';
		found |= strstr(row, "core 0) print 6*7") != NULL;
		if (strstr(row, "1000+1 = 1001"))
			ok(found, "what was typed and said at the prompt, before and after");
	}
	ok(pl.good && found, "stands on the other screen");
	vterm_free(pl.vt);
	vth_close(&h);
	remove(file);
}

static void
mistake(const char *command, const char *wanted)
{
	ok(start("never", "(ctascope"), "the prompt");
	type_keys(command, wanted);
	ends_with("quit\r", 0, "it ends");
	vth_close(&h);
}

int
main(void)
{
	if (tap_skip_slow() || tap_skip(child_no_pty()))
		return done();
	find_program();
	ok(mkdtemp(folder) != NULL, "a folder");
	snprintf(file, sizeof(file), "%s/s.cast", folder);
	test_screen();
	test_prompt();
	mistake("record session /no/where/x.cast\r", "cannot write '/no/where/x.cast'");
	mistake("record session /\r", "cannot write '/': it is a folder");
	mistake("record film\r", "unknown thing to record 'film'");
	mistake("record session\r", "record: off");
	ok(remove(folder) == 0, "nothing is left beside");
	return done();
}
