/* SPDX-License-Identifier: GPL-3.0-or-later */
/* canvas.c - cells, clipping, wide characters, and what a cell becomes on each kind of terminal. */
#include "tests/tap.h"
#include "tui/canvas.h"
#include "tui/fmt.h"
#include "tui/paint.h"
#include <locale.h>
#include <math.h>

/* Returns row y as text, in a buffer of the test. */
static const char *
row(const struct canvas *c, int y)
{
	static char buf[4096];
	char *text = NULL;
	size_t n = 0;
	struct canvas one = canvas_sub(c, 0, y, c->w, 1);
	FILE *f = open_memstream(&text, &n);

	canvas_dump_text(&one, true, f);
	fclose(f);
	snprintf(buf, sizeof(buf), "%.*s", (int)strcspn(text, "\n"), text);
	free(text);
	return buf;
}

static void
test_text(void)
{
	struct canvas *c = canvas_new(10, 3);

	is_u64((uint64_t)canvas_text(c, 7, 0, ROLE_TEXT, "abcdef"), 6,
	       "the width of text is told uncut");
	is_str(row(c, 0), "       abc", "text is cut at the right edge");
	canvas_text(c, -2, 1, ROLE_TEXT, "abcdef");
	is_str(row(c, 1), "cdef", "and at the left edge");
	canvas_text(c, 0, 9, ROLE_TEXT, "below");
	canvas_text(c, 0, -1, ROLE_TEXT, "above");
	canvas_clear(c);
	canvas_fit(c, 0, 0, 5, ROLE_TEXT, "abcdefgh");
	is_str(row(c, 0), "abcd…", "what does not fit ends in an ellipsis");
	canvas_right(c, 2, 1, 6, ROLE_TEXT, "123");
	is_str(row(c, 1), "     123", "numbers end at their column");
	canvas_text(c, 0, 2, ROLE_TEXT, "a\tb\033c");
	is_str(row(c, 2), "a b c", "control characters never reach the terminal");
	struct canvas sub = canvas_sub(c, 4, 1, 100, 100);
	is_u64((uint64_t)sub.w, 6, "a view ends where its parent ends");
	canvas_text(&sub, 0, 0, ROLE_TEXT, "xyzxyzxyz");
	is_str(row(c, 1), "    xyzxyz", "and draws at its own origin");
	struct canvas none = canvas_sub(c, 20, 20, 5, 5);
	canvas_text(&none, 0, 0, ROLE_TEXT, "nothing");
	ok(none.w == 0 && none.h == 0, "a view outside of its parent is empty");
	canvas_free(c);
}

static void
test_wide(void)
{
	struct canvas *c = canvas_new(6, 2);

	canvas_text(c, 0, 0, ROLE_TEXT, "日本");
	is_u64(canvas_at(c, 1, 0)->kind, CELL_RIGHT, "a wide character takes two cells");
	is_str(row(c, 0), "日本", "wide text");
	canvas_put(c, 1, 0, ROLE_TEXT, 'x');
	is_str(row(c, 0), " x本", "overwriting its right half blanks the left");
	canvas_put(c, 2, 0, ROLE_TEXT, 'y');
	is_str(row(c, 0), " xy", "overwriting its left half blanks the right");
	canvas_text(c, 5, 1, ROLE_TEXT, "日");
	is_str(row(c, 1), "", "half a wide character is not drawn");
	canvas_text(c, 0, 1, ROLE_TEXT, "e\xcc\x81!");
	is_str(row(c, 1), "e\xcc\x81!", "a combining mark joins its character");
	is_u64((uint64_t)text_width("e\xcc\x81!"), 2, "and takes no column");
	const char *bad = "\xff\xc0\xaf\xed\xa0\x80";
	unsigned n = 0;
	for (const char *p = bad; *p;)
		n += utf8_next(&p) == 0xfffd;
	is_u64(n, 6, "every damaged byte becomes one U+FFFD");
	canvas_free(c);
}

static void
test_wrap(void)
{
	struct canvas *c = canvas_new(12, 4);

	is_u64((uint64_t)canvas_wrap(c, 0, 0, 10, 4, ROLE_TEXT, "one two three four"), 2,
	       "two lines");
	is_str(row(c, 0), "one two", "broken at a blank");
	is_str(row(c, 1), "three four", "and filled");
	canvas_clear(c);
	is_u64((uint64_t)canvas_wrap(c, 0, 0, 4, 2, ROLE_TEXT, "abcdefghij"), 3,
	       "a long word is cut");
	is_str(row(c, 1), "efg…", "in pieces, and where the rows end it is marked");
	is_str(row(c, 2), "", "no more than h lines are drawn");
	is_u64((uint64_t)canvas_wrap(c, 0, 0, 10, 4, ROLE_TEXT, "a\n\nb"), 3, "newlines count");
	canvas_free(c);
}

static struct glyph
heat(const struct painter *p, unsigned hi, unsigned lo)
{
	struct cell c = {.kind = CELL_HEAT, .hi = (uint8_t)hi, .lo = (uint8_t)lo};

	return paint_cell(p, &c);
}

/* 256 colours and more: half blocks. */
static void
test_paint(void)
{
	struct theme t;
	struct painter p;
	struct glyph g;

	theme_default(&t);
	painter_init(&p, &t, DEPTH_256, true);
	g = heat(&p, 31, 0);
	ok(g.wc == 0x2580 && g.fg == 220 && g.bg == 17, "256 colours: half block, one colour each");
	g = heat(&p, 4, 4);
	ok(g.wc == ' ' && g.bg >= 16, "equal halves are a coloured blank");
	g = heat(&p, HEAT_UNKNOWN, HEAT_UNKNOWN);
	ok(g.wc == 0xb7 && g.bg == COLOR_NONE, "an unknown value is a dot");
	g = heat(&p, HEAT_STATE + 1, HEAT_STATE + 1);
	ok(g.wc == 'd', "a state has its letter as well as its colour");
	painter_init(&p, &t, DEPTH_256, false);
	g = heat(&p, 31, 31);
	ok(g.wc == ' ' && g.bg == 220, "ASCII and colours: coloured blanks");
	ok(heat(&p, HEAT_GATED, HEAT_GATED).wc == 'x', "the cross has an ASCII form");
	is_u64(heat_level(NAN, 0, 1), HEAT_UNKNOWN, "not a number is unknown, not zero");
	ok(heat_level(-3, 0, 1) == 0 && heat_level(9, 0, 1) == 31 && heat_level(5, 0, 0) == 31,
	   "values are clamped");
}

/* 8 and 16 colours: two hues that become denser; a cell shows one value. */
static void
test_hues(void)
{
	struct theme t;
	struct painter p;
	struct glyph g;

	theme_load(&t, "cividis", NULL);
	for (enum depth d = DEPTH_8; d <= DEPTH_16; d++) {
		unsigned seen = 0, same = 0;
		struct glyph last = {0};

		painter_init(&p, &t, d, true);
		ok(heat(&p, 0, 0).wc == '_' && heat(&p, 0, 0).bg == COLOR_NONE &&
			   heat(&p, 0, 0).fg == p.hue[0],
		   "zero is a line at the bottom, neither a blank nor a colour such as black");
		for (unsigned i = 0; i < HEAT_LEVELS; i++) {
			g = heat(&p, i, i);
			same += g.fg >= 0 && g.fg == g.bg;
			seen += i == 0 || memcmp(&g, &last, sizeof(g)) != 0;
			last = g;
		}
		ok(seen == 9 && !same, "%u steps, each with a look of its own", seen);
		ok(last.wc == 0x2588 && last.fg == (d == DEPTH_8 ? 3 : 11), "the last is full");
		ok(heat(&p, 31, 0).wc == heat(&p, 16, 16).wc &&
			   heat(&p, 31, 0).fg == heat(&p, 16, 16).fg,
		   "two values in a cell: their mean");
		g = heat(&p, HEAT_STATE, HEAT_STATE + 3);
		ok(g.wc == 0x2580 && g.fg != g.bg && g.bg >= 0, "two states still are two halves");
	}
	painter_init(&p, &t, DEPTH_8, false);
	ok(heat(&p, 1, 1).wc == '.' && heat(&p, 31, 31).wc == '@' &&
		   heat(&p, 1, 1).fg != heat(&p, 31, 31).fg,
	   "and so in ASCII");
	theme_line(&t, "x", 1, "set color.ramp8 black red yellow white", NULL);
	painter_init(&p, &t, DEPTH_8, true);
	ok(heat(&p, 31, 0).wc == 0x2580 && heat(&p, 31, 0).fg == 7,
	   "a theme that names steps of plain colour gets them");
}

/* No colours: digits, or shades if the theme asks for them. */
static void
test_digits(void)
{
	struct theme t;
	struct painter p;
	unsigned wrong = 0;

	theme_default(&t);
	painter_init(&p, &t, DEPTH_MONO, true);
	for (unsigned i = 0; i < HEAT_LEVELS; i++)
		wrong += heat(&p, i, i).wc != '0' + i * 10 / HEAT_LEVELS ||
			 heat(&p, i, i).fg != COLOR_NONE;
	ok(!wrong && heat(&p, 31, 31).wc == '9', "no colours: digits 0 to 9");
	ok(heat(&p, 31, 0).wc == '5', "of the mean");
	ok(heat(&p, 31, 31).attr & ATTR_REVERSE && heat(&p, 0, 0).attr & ATTR_DIM,
	   "the high ones stand out, the low ones do not");
	t.shades = true;
	painter_init(&p, &t, DEPTH_MONO, false);
	ok(heat(&p, 31, 31).wc == '@' && heat(&p, 0, 0).wc == ' ' && heat(&p, 1, 1).wc == '.',
	   "shades in ASCII, and something is not nothing");
	painter_init(&p, &t, DEPTH_MONO, true);
	ok(heat(&p, 31, 31).wc == 0x2588 && heat(&p, 31, 31).fg == COLOR_NONE,
	   "shade blocks, no colour");
}

static bool
look_alike(struct glyph a, struct glyph b)
{
	return a.wc == b.wc && a.fg == b.fg && a.bg == b.bg && a.attr == b.attr;
}

/* "Off" looks different from empty, zero, unknown and no value: alone, above and below any of them.
 */
static void
test_off(void)
{
	static const unsigned off[] = {HEAT_GATED, HEAT_STATE + 4},
			      other[] = {0, 1, HEAT_UNKNOWN, HEAT_NONE, HEAT_STATE + 5};
	static const unsigned beside[] = {
		0, 16, 31, HEAT_STATE, HEAT_STATE + 1, HEAT_STATE + 5, HEAT_UNKNOWN, HEAT_NONE};
	static const char *const themes[] = {"cividis", "aerial",	 "viridis",
					     "light",	"high-contrast", "mono"};

	for (size_t n = 0; n < ARRAY_LEN(themes); n++) {
		unsigned alike = 0;
		struct theme t;
		struct painter p;

		ok(theme_load(&t, themes[n], NULL) == 0, "theme %s", themes[n]);
		for (enum depth d = DEPTH_MONO; d <= DEPTH_RGB; d++)
			for (unsigned k = 0; k < 2 * ARRAY_LEN(off) * ARRAY_LEN(other); k++) {
				unsigned x = off[k / 2 % 2], y = other[k / 4];

				painter_init(&p, &t, d, k % 2);
				alike += look_alike(heat(&p, x, x), heat(&p, y, y));
				for (size_t b = 0; b < ARRAY_LEN(beside); b++) {
					alike += look_alike(heat(&p, x, beside[b]),
							    heat(&p, y, beside[b]));
					alike += look_alike(heat(&p, beside[b], x),
							    heat(&p, beside[b], y));
				}
			}
		is_u64(alike, 0, "%s: a core that is off never looks like another", themes[n]);
	}
}

static void
test_fmt(void)
{
	char b[FMT_MAX];

	is_str(fmt_u64(b, 0), "0", "zero");
	is_str(fmt_u64(b, 22528), "22,528", "thousands are separated");
	is_str(fmt_u64(b, UINT64_MAX), "18,446,744,073,709,551,615", "the largest number fits");
	is_str(fmt_i64(b, -1234), "-1,234", "negative numbers");
	is_str(fmt_num(b, NAN, 2), "-", "unknown is a dash");
	is_str(fmt_num(b, 1234.567, 1), "1,234.6", "decimals");
	is_str(fmt_num(b, -0.001, 2), "0.00", "no negative zero");
	is_str(fmt_short(b, 5000), "5k", "axis labels are short");
	is_str(fmt_short(b, 12500), "12.5k", "and exact");
	is_str(fmt_short(b, 2000000), "2M", "millions");
}

int
main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	test_text();
	test_wide();
	test_wrap();
	test_paint();
	test_hues();
	test_digits();
	test_off();
	test_fmt();
	return done();
}
