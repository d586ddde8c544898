/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.c - lines, bands and levels as dots, on each kind of terminal; their numbers. */
#include "tests/tap.h"
#include "tui/lines.h"
#include <locale.h>
#include <math.h>

static struct painter painter;

static void
use(bool unicode, bool braille)
{
	struct theme t;

	theme_default(&t);
	painter_init(&painter, &t, DEPTH_256, unicode);
	painter.braille = braille;
}

/* Returns the whole canvas with '/' between rows. */
static const char *
text_of(const struct canvas *c)
{
	static char buf[4096];
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	canvas_dump_text(c, painter.unicode, f);
	fclose(f);
	if (n && text[n - 1] == '\n')
		text[n - 1] = '\0';
	for (char *p = text; (p = strchr(p, '\n'));)
		*p = '/';
	snprintf(buf, sizeof(buf), "%s", text);
	free(text);
	return buf;
}

static void
test_lines(void)
{
	static const double rise[] = {0, 1, 2, 3}, fall[] = {3, 2, 1, 0}, gap[] = {0, NAN, NAN, 3},
			    out[] = {-9, 99};
	struct canvas *c = canvas_new(4, 2);
	struct lines l;

	use(true, true);
	lines_init(&l, c, &painter, 0, 4);
	lines_line(&l, rise, 4, &lines_style[0]);
	is_str(text_of(c), "  ⣀⠤/⣀⠖⠁", "a step up joins the points");
	canvas_clear(c);
	lines_line(&l, fall, 4, &lines_style[0]);
	is_str(text_of(c), "⠤⣀/  ⠓⣄", "and a step down");
	canvas_clear(c);
	lines_line(&l, gap, 4, &lines_style[0]);
	is_str(text_of(c), "   ⠤/⣀", "an unknown value is a gap");
	canvas_clear(c);
	lines_line(&l, out, 2, &lines_style[0]);
	ok(strstr(text_of(c), "⠉") && strstr(text_of(c), "⣀"), "beyond the range: at its edge");
	canvas_clear(c);
	lines_level(&l, 2, ROLE_DIM, true);
	is_str(text_of(c), "⣀⣀/", "a level, dashed");
	lines_line(&l, rise, 4, &lines_style[0]);
	is_str(text_of(c), "⣀⣀⣀⠤/⣀⠖⠁", "dots of a cell add up");
	is_u64(canvas_at(c, 1, 0)->role, ROLE_DIM, "a cell has the colour of what is in it");
	lines_cursor(&l, 3);
	ok(canvas_at(c, 3, 0)->attr == ATTR_REVERSE && canvas_at(c, 3, 1)->wc == 0x2502 &&
		   canvas_at(c, 3, 0)->wc == 0x2824,
	   "the cursor leaves the line to be seen");
	canvas_free(c);
}

static void
test_band(void)
{
	static const double low[] = {0, 1, NAN}, high[] = {2, 1, 3};
	struct canvas *c = canvas_new(3, 1);
	struct lines l;

	lines_init(&l, c, &painter, 0, 4);
	lines_band(&l, low, high, 3, ROLE_BAR);
	is_str(text_of(c), "⢔⠄", "a band is thinner than a line, and has gaps as well");
	canvas_free(c);
}

/* Terminals without braille, and without Unicode. */
static void
test_other_dots(void)
{
	static const double v[] = {0, 3, 3, 1};
	struct canvas *c = canvas_new(4, 2);
	struct lines l;

	use(true, false);
	lines_init(&l, c, &painter, 0, 4);
	lines_line(&l, v, 4, &lines_style[0]);
	is_str(text_of(c), " ▄▄/▄▀ ▀", "half blocks");
	canvas_clear(c);
	lines_line(&l, (const double[]){4, 4, 4, 4}, 4, &lines_style[0]);
	lines_line(&l, (const double[]){2.7, 2.7, 4, 4}, 4, &lines_style[1]);
	ok(canvas_at(c, 0, 0)->role == ROLE_LINE2 && canvas_at(c, 0, 0)->wc == 0x2584 &&
		   canvas_at(c, 3, 0)->role == ROLE_LINE2 && canvas_at(c, 3, 0)->wc == 0x2580,
	   "a cell of two lines is the later one's, in its colour");
	canvas_clear(c);
	use(false, false);
	lines_init(&l, c, &painter, 0, 4);
	lines_line(&l, v, 4, &lines_style[1]);
	is_str(text_of(c), " oo/o  o", "ASCII: a letter for each line");
	canvas_clear(c);
	lines_level(&l, 1, ROLE_DIM, true);
	is_str(text_of(c), "/--", "a level");
	canvas_clear(c);
	is_u64((uint64_t)lines_key(c, 0, 0, 4, &painter, &lines_style[2], "ipc"), 4, "a key is");
	is_str(text_of(c), "+ i~/", "the letter and the name");
	canvas_free(c);
	use(true, true);
}

/* At any size, range and number of points, nothing is drawn outside of the area. */
static void
test_every_size(void)
{
	static const double v[] = {-1e300, NAN, INFINITY, -INFINITY, 0, 1, 2, 3, 1e300};
	struct canvas *c = canvas_new(12, 12);
	unsigned bad = 0, n = 0;
	struct lines l;

	for (int w = 0; w <= 10; w++)
		for (int h = 0; h <= 10; h++)
			for (int k = 0; k <= (int)ARRAY_LEN(v); k++, n++) {
				struct canvas in = canvas_sub(c, 1, 1, w, h);
				struct canvas left = canvas_sub(c, 1, 1, MIN(w, 4), h);

				canvas_clear(c);
				lines_init(&l, &in, &painter, k, k % 3);
				lines_band(&l, v, v, k, ROLE_BAR);
				lines_line(&l, v, k, &lines_style[k % LINES_STYLES]);
				lines_level(&l, v[k % (int)ARRAY_LEN(v)], ROLE_DIM, false);
				lines_cursor(&l, k - 1);
				lines_numbers(&l, &left);
				for (int y = 0; y < 12; y++)
					for (int x = 0; x < 12; x++)
						bad += canvas_at(c, x, y)->wc &&
						       (x < 1 || y < 1 || x > w || y > h);
			}
	is_u64(bad, 0, "%u plots stay in their area", n);
	canvas_free(c);
}

static void
test_numbers(void)
{
	static const struct {
		double v;
		int w;
		const char *text;
	} t[] = {{0, 3, "0"},	      {0.25, 3, "0.2"},	  {0.25, 4, "0.25"}, {0.0625, 4, "0.06"},
		 {212, 3, "212"},     {999.7, 3, "1k"},	  {1250, 4, "1.2k"}, {12500, 3, "12k"},
		 {123456, 4, "123k"}, {2.5e6, 4, "2.5M"}, {-4, 3, "-4"},     {-0.001, 3, "0"},
		 {NAN, 3, "-"},	      {2048, 5, "2048"},  {3e9, 3, "3G"},    {INFINITY, 3, "-"}};
	struct canvas *c = canvas_new(4, 5);
	struct lines l;
	char num[64];

	for (size_t i = 0; i < ARRAY_LEN(t); i++)
		is_str(lines_number(num, sizeof(num), t[i].v, t[i].w), t[i].text, "%g in %d",
		       t[i].v, t[i].w);
	lines_init(&l, c, &painter, 0, 300);
	lines_numbers(&l, c);
	is_str(text_of(c), "300//150//  0", "numbers at the ends, and between");
	canvas_clear(c);
	lines_init(&l, c, &painter, 0, 0.08);
	lines_numbers(&l, c);
	is_str(text_of(c), ".08//.04//  0", "small ones without the 0 before the point");
	canvas_clear(c);
	lines_init(&l, c, &painter, 0, 1600);
	lines_numbers(&l, c);
	is_str(text_of(c), "1.6k//800//  0", "one that needs the blank beside the lines has it");
	canvas_clear(c);
	lines_init(&l, c, &painter, 0, 0.00025);
	lines_numbers(&l, c);
	is_str(text_of(c), "////  0", "and none that would be another number");
	canvas_free(c);
}

static void
test_round(void)
{
	static const struct {
		double lo, hi, from, to;
	} t[] = {{0, 7, 0, 8},	 {3, 3, 0, 3},	  {0, 0.93, 0, 1},   {212, 480, 0, 600},
		 {-3, 5, -5, 5}, {-7, -2, -8, 0}, {0, 0, 0, 1},	     {0, 8, 0, 8},
		 {NAN, 4, 0, 1}, {5, 2, 0, 1},	  {0, 1e-6, 0, 1e-6}};

	for (size_t i = 0; i < ARRAY_LEN(t); i++) {
		double lo = t[i].lo, hi = t[i].hi;

		lines_round(&lo, &hi);
		ok(fabs(lo - t[i].from) < 1e-9 && fabs(hi - t[i].to) < 1e-9, "%g..%g is %g..%g",
		   t[i].lo, t[i].hi, lo, hi);
	}
}

int
main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	test_lines();
	test_band();
	test_other_dots();
	test_every_size();
	test_numbers();
	test_round();
	return done();
}
