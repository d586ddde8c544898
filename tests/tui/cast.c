/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cast.c - record session: records the screen and the prompt. Played back into another terminal,
 * the recording shows the same.
 */
#include "tests/tap.h"
#include "tests/vth.h"

#include <sys/wait.h>
#include <unistd.h>

#define ROWS 30
#define COLS 100

static struct vth h;
static char program[4096], machine[4200], workload[4200], home[4200], data[4200];
static char folder[] = "/tmp/ctascope-cast.XXXXXX", file[64];

static bool
start(const char *tui)
{
	char mode[32];
	char *argv[] = {program,	  mode,	    (char *)"-n",
			(char *)"-c",	  machine,  (char *)"-p",
			(char *)"dyncta", workload, NULL};
	char *env[] = {(char *)"TERM=xterm-256color",
		       (char *)"LC_ALL=C.UTF-8",
		       home,
		       data,
		       (char *)"INPUTRC=/dev/null",
		       NULL};

	snprintf(mode, sizeof(mode), "--tui=%s", tui);
	return vth_start(&h, ROWS, COLS, argv, env);
}

static void
type(const char *bytes, const char *wanted)
{
	vth_send(&h, bytes);
	ok(vth_wait_text(&h, wanted, 20000), "%s shows", wanted) || (vth_show(&h, stdout), 0);
	vth_settle(&h);
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
end(const char *bytes)
{
	vth_send(&h, bytes);
	ok(vth_wait_exit(&h, 5000) && WIFEXITED(h.child.status) && WEXITSTATUS(h.child.status) == 0,
	   "it ends");
}

static void
test_screen(void)
{
	char command[100];

	ok(start("always") && vth_wait_text(&h, "q quit", 20000), "the screen");
	vth_settle(&h);
	snprintf(command, sizeof(command), ":record session %s\r", file);
	type(command, "? help");
	ok(access(file, F_OK) != 0, "nothing is at its place while it goes on");
	type(" ", "done");
	type("?", "Keys (bind");
	type("q", "done");
	vth_resize(&h, 36, 110);
	vth_settle(&h);
	type("jj", "core 2");
	keep_cells();
	end("q");
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

	ok(start("never") && vth_wait_text(&h, "(ctascope", 20000), "the prompt");
	snprintf(command, sizeof(command), "record session %s\r", file);
	type(command, "core 0)");
	type("print 6*7\r", "6*7 = 42");
	type("record session other.cast\r", "is under way");
	type("tui\r", "q quit");
	type("\t", "q quit");
	type(":tui off", ") tui off");
	keep_cells();
	type("\r", "(ctascope");
	type("print 1000+1\r", "1001");
	type("record session off\r", "recorded to");
	type("record session off\r", "none is under way");
	end("quit\r");
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
	ok(start("never") && vth_wait_text(&h, "(ctascope", 20000), "the prompt");
	type(command, wanted);
	end("quit\r");
	vth_close(&h);
}

int
main(void)
{
	const char *build = getenv("builddir"), *src = getenv("srcdir");

	if (tap_skip_slow() || tap_skip(child_no_pty()))
		return done();
	snprintf(program, sizeof(program), "%s/tests/small/ctascope-fault", build ? build : ".");
	snprintf(machine, sizeof(machine), "%s/tests/small/small.machine", src ? src : ".");
	snprintf(workload, sizeof(workload), "%s/traces/uneven.ctr", src ? src : ".");
	snprintf(home, sizeof(home), "HOME=%s/tests/home", build ? build : ".");
	snprintf(data, sizeof(data), "CTASCOPE_DATADIR=%s", src ? src : ".");
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
