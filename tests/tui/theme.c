/* SPDX-License-Identifier: GPL-3.0-or-later */
/* theme.c - theme files: which lines are accepted, and where errors point. */
#include "tests/tap.h"
#include "tests/tui/contrast.h"
#include "base/datadir.h"
#include "tui/canvas.h"
#include "tui/paint.h"
#include "tui/theme.h"
#include <math.h>
#include <stdlib.h>

static struct theme t;
static struct err e;

static int
line(const char *text)
{
	err_clear(&e);
	return theme_line(&t, "x.theme", 7, text, &e);
}

static void
test_lines(void)
{
	theme_default(&t);
	ok(line("") == 0 && line("   # a comment") == 0 && line("#comment") == 0,
	   "blank lines and comments");
	ok(line("set color.focus #ffd75f bold underline") == 0 &&
		   t.role[ROLE_FOCUS].fg == (COLOR_RGB | 0xffd75f) &&
		   t.role[ROLE_FOCUS].attr == (ATTR_BOLD | ATTR_UNDERLINE),
	   "a colour and attributes");
	ok(line("set color.header black on 110 # dark on light") == 0 &&
		   t.role[ROLE_HEADER].fg == 0 && t.role[ROLE_HEADER].bg == 110,
	   "a background, and a comment behind");
	ok(line("set color.stall default") == 0 && t.role[ROLE_STALL].fg == COLOR_NONE,
	   "the terminal's own colour");
	ok(line("set color.ramp #000000 #ffffff") == 0 && t.n_ramp == 2 && t.n_ramp256 == 0,
	   "a new ramp forgets the steps of the old");
	ok(line("set color.ramp shades") == 0 && t.shades, "shades instead of colours");
	ok(line("set color.paper white") == 0 && t.white && line("set color.paper black") == 0 &&
		   !t.white,
	   "the terminals it is for");
	ok(line("set color.ramp8 black white") == 0 && t.n_ramp8 == 2, "a ramp of few colours");
}

/* The line is rejected, the caret is at col and the message contains the word. */
static void
refused(const char *text, int col, const char *word)
{
	struct theme before = t;

	ok(line(text) < 0 && e.line == 7 && e.col == col && strstr(e.msg, word), "%s: col %d, %s",
	   text, e.col, e.msg);
	ok(memcmp(&before, &t, sizeof(t)) == 0 || strstr(text, "ramp"), "and changes nothing");
}

static void
test_errors(void)
{
	refused("put color.focus red", 0, "'put'");
	refused("set", 3, "color.focus");
	refused("set color.focsu red", 4, "color.focus");
	refused("set color.focus", 15, "expected a colour");
	refused("set color.focus reed", 16, "'reed'");
	refused("set color.focus 256", 16, "'256'");
	refused("set color.focus #12345", 16, "'#12345'");
	refused("set color.focus red blue", 20, "on blue");
	refused("set color.focus red on", 22, "expected a colour");
	refused("set color.ramp #000000", 22, "at least 2");
	refused("set color.paper", 15, "white or black");
	refused("set color.paper green", 16, "'green'");
	refused("set color.ramp default red", 15, "'default'");
	refused("set color.ramp 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", 54, "at most 16");
}

static int
load_one(void *ctx, const char *name, const char *path)
{
	unsigned *n = ctx;
	struct painter p;

	(void)path;
	err_clear(&e);
	ok(theme_load(&t, name, &e) == 0, "theme %s loads %s", name, e.msg);
	is_str(t.name, name, "and knows its name");
	for (enum depth d = DEPTH_MONO; d <= DEPTH_RGB; d++)
		painter_init(&p, &t, d, true);
	++*n;
	return 0;
}

static void
test_files(void)
{
	static const struct {
		const char *path, *msg;
	} bad[] = {
		{"/nowhere/x.theme",
		 "cannot open the theme '/nowhere/x.theme': No such file or directory"},
		{"/tmp/", "cannot read the theme '/tmp/': Is a directory"},
		{"/dev/zero", "the line is longer than 65536 characters"},
	};
	unsigned n = 0;

	datadir_each("themes", ".theme", load_one, &n);
	ok(n >= 6, "%u themes are shipped", n);
	ok(theme_load(&t, "cividis", &e) == 0, "cividis");
	struct theme built_in;
	theme_default(&built_in);
	ok(built_in.n_ramp == t.n_ramp &&
		   memcmp(built_in.ramp, t.ramp, t.n_ramp * sizeof(*t.ramp)) == 0 &&
		   built_in.n_ramp8 == t.n_ramp8 &&
		   memcmp(built_in.ramp8, t.ramp8, t.n_ramp8 * sizeof(*t.ramp8)) == 0,
	   "the built-in ramp is the file's");
	ok(theme_load(&t, "nosuch", &e) < 0 && strstr(e.msg, "aerial"),
	   "an unknown theme names those there are: %s", e.msg);
	is_str(t.name, "cividis", "and leaves the old one");
	err_clear(&e);
	for (unsigned i = 0; i < ARRAY_LEN(bad); i++) {
		err_clear(&e);
		ok(theme_load(&t, bad[i].path, &e) < 0, "%s is no theme", bad[i].path);
		is_str(e.msg, bad[i].msg, "and why");
	}
}

/* Every role is readable, on black and on white terminals; in `light`, better on white. */
static int
readable(void *ctx, const char *name, const char *path)
{
	struct painter p;
	double least = strcmp(name, "light") ? 3 : 4.5;

	(void)path;
	(void)ctx;
	if (strcmp(name, "mono") == 0 || theme_load(&t, name, &e) < 0)
		return 0;
	for (enum depth d = DEPTH_8; d <= DEPTH_16; d++) {
		painter_init(&p, &t, d, true);
		for (unsigned i = 0; i < ROLE_ACTIVE; i++)
			if (p.role[i].fg >= 0 &&
			    ((!t.white && contrast(color_rgb(p.role[i].fg, 0), 0) < 3) ||
			     contrast(color_rgb(p.role[i].fg, 0), 0xffffff) < 3))
				ok(false, "%s: %s in %d of few colours", name, role_rows[i].name,
				   p.role[i].fg);
	}
	for (enum depth d = DEPTH_256; d <= DEPTH_RGB; d++) {
		unsigned bad = 0;

		painter_init(&p, &t, d, true);
		for (unsigned i = 0; i < ROLES; i++) {
			const struct look *k = &p.role[i];
			uint32_t fg = color_rgb(k->fg, 0);
			bool good = k->fg < 0 ||
				    (k->bg >= 0 ? contrast(fg, color_rgb(k->bg, 0)) >= 4.5
						: contrast(fg, 0xffffff) >= least &&
							  (least > 3 || contrast(fg, 0) >= 3));

			if (i == ROLE_FRAME || i == ROLE_UNKNOWN || good)
				continue;
			bad++;
			diag("%s: %s, %06x: %.1f on white, %.1f on black", name, role_rows[i].name,
			     fg, contrast(fg, 0xffffff), contrast(fg, 0));
		}
		ok(!bad, "%s can be read on white and black", name);
	}
	return 0;
}

/* The steps for 256 colours follow the map, and there are enough of them. */
static int
steps(void *ctx, const char *name, const char *path)
{
	struct painter p, exact;
	unsigned n = 1, back = 0;
	double far = 0;

	(void)path;
	(void)ctx;
	if (theme_load(&t, name, &e) < 0 || t.shades)
		return 0;
	painter_init(&p, &t, DEPTH_256, true);
	painter_init(&exact, &t, DEPTH_RGB, true);
	for (unsigned i = 0; i < HEAT_LEVELS; i++) {
		double want = color_lightness(color_rgb(exact.ramp[i], 0)),
		       is = color_lightness(color_rgb(p.ramp[i], 0));

		far = fmax(far, fabs(want - is));
		if (i == 0 || p.ramp[i] == p.ramp[i - 1])
			continue;
		n++;
		back += (is > color_lightness(color_rgb(p.ramp[i - 1], 0))) !=
			(want > color_lightness(color_rgb(exact.ramp[i - 1], 0)));
	}
	ok(back == 0, "%s: no step goes back", name);
	ok(n >= (strcmp(name, "high-contrast") ? 11 : 8), "%s: %u steps", name, n);
	ok(far < (n > 8 ? 0.12 : 0.25), "%s: lightness is off by %.2f at most", name, far);
	return 0;
}

static void
test_terminal(void)
{
	unsetenv("COLORFGBG");
	is_str(theme_for_terminal(), "cividis", "of a terminal that says nothing");
	setenv("COLORFGBG", "15;0", 1);
	is_str(theme_for_terminal(), "cividis", "of a black one");
	setenv("COLORFGBG", "0;default;15", 1);
	is_str(theme_for_terminal(), "light", "of a white one");
}

static void
test_palette(void)
{
	unsigned wrong = 0;

	datadir_each("themes", ".theme", readable, NULL);
	datadir_each("themes", ".theme", steps, NULL);

	for (unsigned i = 16; i < 256; i++)
		wrong += palette_rgb(palette_nearest(palette_rgb(i))) != palette_rgb(i);
	is_u64(wrong, 0, "every colour of the cube is nearest to itself");
	is_u64(palette_nearest16(0xff0000, 8), 1, "red of eight");
	is_u64(palette_nearest16(0x4f88bd, 16), 12, "a muted blue of sixteen is no grey");
}

int
main(void)
{
	test_lines();
	test_errors();
	test_files();
	test_palette();
	test_terminal();
	return done();
}
