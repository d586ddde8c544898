/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare.c - pictures of the comparison of two runs, at the important sizes; which rows the keys
 * choose; and that a difference is visible on every terminal.
 *
 *     tests/tui/compare            compares with tests/tui/compare-NAME.screen
 *     tests/tui/compare --update   writes them again: review the difference
 *
 * Formulas make the tables. At no size may anything be drawn outside.
 */
#include "tests/stored.h"

#include "tui/compare_page.h"
#include "tui/screen.h"
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SPAN 512

static char dir[] = "/tmp/compare-XXXXXX";

/* ---------------------------------------------------------------- tables */

static FILE *
create(const char *name)
{
	char path[100];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return fopen(path, "w");
}

/* B runs fewer CTAs on the later half of the cores, and ends earlier; what both do the same is
 * same.
 */
static void
write_series(const char *name, unsigned side, unsigned cores, unsigned samples)
{
	FILE *f = create(name);

	fputs("run,cycle,kernel,span_cycles,core,ctas_running,ctas_resident,power_w,active_ratio,"
	      "stall_ratio,"
	      "blocked_ratio,memory_ratio,dependence_ratio,idle_ratio,gated_ratio\n",
	      f);
	for (unsigned i = 0; i < samples; i++)
		for (unsigned c = 0; c < cores; c++) {
			bool less = side && c >= cores / 2 && i > 20, more = side && c == 1;

			fprintf(f, "1,%u,k,%u,%u,%d,7,%.3f,%.2f,0.05,0.05,%.2f,0.1,0.1,0\n",
				(i + 1) * SPAN, SPAN, c,
				less   ? 3
				: more ? 9
				       : 8,
				2 + sin(i / 9.0) + 0.5 * less, less ? 0.4 : 0.2, less ? 0.3 : 0.5);
		}
	fclose(f);
}

/* A column about the whole GPU: every row of a sample has the same value. */
static void
write_gpu(const char *name, unsigned side)
{
	FILE *f = create(name);

	fputs("run,cycle,kernel,span_cycles,core,ctas_running,gpu_ctas_running\n", f);
	for (unsigned i = 0; i < 40; i++)
		for (unsigned c = 0; c < 30; c++)
			fprintf(f, "1,%u,k,%u,%u,%u,%u\n", (i + 1) * SPAN, SPAN, c,
				4 + (side && i > 20), 30 * (4 + (side && i > 20)));
	fclose(f);
}

static void
write_stats(const char *name, unsigned side)
{
	FILE *f = create(name);

	/* The last statistic depends on the clock on the wall and is not counted. */
	fprintf(f, "name,value,unit\ngpu.cycles,%u,cycles\ngpu.ipc,%.3f,\npower.edp,%g,J s\n",
		side ? 40960 : 51200, side ? 250.0 : 200.0, side ? 3.1e-7 : 4.2e-7);
	for (unsigned i = 0; i < 20; i++)
		fprintf(f, "part.count_%u,%u,\n", i, 100 + (i % 3 ? i * side : 0));
	fprintf(f, "sim.cycles_per_second,%u,\n", 9000 + side);
	fclose(f);
}

/* ---------------------------------------------------------------- pictures */

static const struct shot {
	const char *name, *a, *b, *column;
	int w, h;
	enum depth depth;
	bool ascii, largest, help;
	int down;
} shots[] = {
	{"80x24", "a.csv", "b.csv", NULL, 80, 24, DEPTH_256, false, false, false, 0},
	{"80x24-largest", "a.csv", "b.csv", NULL, 80, 24, DEPTH_256, false, true, false, 0},
	{"80x24-mono", "a.csv", "b.csv", "power_w", 80, 24, DEPTH_MONO, false, false, false, 0},
	{"80x24-8", "a.csv", "b.csv", NULL, 80, 24, DEPTH_8, false, false, false, 1},
	{"80x24-ascii", "a.csv", "b.csv", NULL, 80, 24, DEPTH_MONO, true, false, false, 0},
	{"80x24-same", "a.csv", "b.csv", "ctas_resident", 80, 24, DEPTH_256, false, false, false,
	 0},
	{"80x24-help", "a.csv", "b.csv", NULL, 80, 24, DEPTH_256, false, false, true, 0},
	{"80x24-gpu", "ga.csv", "gb.csv", "gpu_ctas_running", 80, 24, DEPTH_256, false, false,
	 false, 0},
	{"80x24-stats", "a.stats", "b.stats", NULL, 80, 24, DEPTH_256, false, false, false, 9},
	{"80x24-stats-same", "a.stats", "again.stats", NULL, 80, 24, DEPTH_256, false, false, false,
	 0},
	{"120x40", "a.csv", "b.csv", NULL, 120, 40, DEPTH_256, false, false, false, 0},
	{"120x40-128", "a128.csv", "b128.csv", NULL, 120, 40, DEPTH_256, false, false, false, 0},
	{"200x60", "a.csv", "b.csv", NULL, 200, 60, DEPTH_RGB, false, false, false, 0},
	{"40x12", "a.csv", "b.csv", NULL, 40, 12, DEPTH_256, false, false, false, 0},
};

/* Reads the tables of a shot; the paths stay valid. */
static void
read_tables(const struct shot *k, struct compare *c, char path[2][100])
{
	struct err e = {0};

	snprintf(path[0], 100, "%s/%s", dir, k->a);
	snprintf(path[1], 100, "%s/%s", dir, k->b);
	if (compare_read(c, path[0], path[1], &e))
		ok(false, "%s: %s", k->name, e.msg);
}

static char *
draw(const struct shot *k, const struct compare *tables, int w, int h)
{
	struct config *config = config_new();
	struct session *session =
		session_new(config, NULL, &(struct session_ui){.draws = true}, NULL);
	struct compare_page page;
	struct screen s;
	struct theme t;
	char *text = NULL;
	size_t n;
	FILE *f;

	theme_default(&t);
	screen_init(&s, session, &t, k->depth, !k->ascii);
	screen_resize(&s, w, h);
	compare_page_init(&page, tables, k->column);
	page.view.largest = k->largest;
	compare_view_choose(&page.view, k->down);
	s.page = &page.page;
	s.help = k->help;
	screen_draw(&s);
	f = open_memstream(&text, &n);
	canvas_dump_text(s.canvas, !k->ascii, f);
	fclose(f);
	compare_page_free(&page);
	screen_free(&s);
	session_free(session);
	config_free(config);
	return text;
}

static void
check(const struct shot *k, bool update)
{
	const char *src = getenv("srcdir");
	char path[4096], files[2][100], *got;
	struct compare c;

	read_tables(k, &c, files);
	got = draw(k, &c, k->w, k->h);
	snprintf(path, sizeof(path), "%s/tests/tui/compare-%s.screen", src ? src : ".", k->name);
	is_stored(path, got, update);
	free(got);
	for (int w = 1; w < 260; w += w < 100 ? 9 : 60)
		for (int h = 1; h < 90; h += h < 40 ? 5 : 20) {
			got = draw(k, &c, w, h);
			for (const char *p = got; k->ascii && *p; p++)
				if ((unsigned char)*p > 126) {
					ok(false, "%s at %dx%d is ASCII", k->name, w, h);
					break;
				}
			free(got);
		}
	ok(true, "%s in any size", k->name);
	compare_free(&c);
}

/* ---------------------------------------------------------------- keys */

static void
test_rows(void)
{
	struct compare c;
	struct compare_page page;
	struct compare_view *v = &page.view;
	char files[2][100];

	read_tables(&(struct shot){.name = "rows", .a = "a128.csv", .b = "b128.csv"}, &c, files);
	compare_page_init(&page, &c, NULL);
	is_str(c.item[v->item].name, "ctas_running", "first the running CTAs");
	compare_view_choose(v, 1);
	is_str(c.item[v->item].name, "power_w", "the next row is the next that differs");
	compare_view_choose(v, -1);
	compare_view_choose(v, -1);
	is_str(c.item[v->item].name, "ctas_running", "nothing is above the first");
	compare_view_choose(v, 1000);
	is_str(c.item[v->item].name, "memory_ratio", "and the last that differs is the last");
	compare_page_free(&page);
	compare_page_init(&page, &c, "ctas_resident");
	is_str(c.item[v->item].name, "ctas_resident", "one that was asked for need not differ");
	compare_page_free(&page);
	compare_free(&c);
}

/* ---------------------------------------------------------------- colours */

static int
spread(uint32_t rgb)
{
	int r = (int)(rgb >> 16), g = (int)(rgb >> 8 & 255), b = (int)(rgb & 255);

	return MAX(MAX(r, g), b) - MIN(MIN(r, g), b);
}

static struct glyph
paint(const struct painter *p, unsigned code)
{
	return paint_cell(p, &(struct cell){.kind = CELL_HEAT,
					    .hi = (uint8_t)code,
					    .lo = (uint8_t)code});
}

/* For a viewer who cannot distinguish red from green, the difference of blue and red remains of a
 * hue. */
static int
blue(uint32_t rgb)
{
	return (int)(rgb & 255) - (int)(rgb >> 16);
}

static void
test_colors(void)
{
	static const char *const themes[] = {"cividis", "viridis",	 "aerial",
					     "light",	"high-contrast", "mono"};
	static const unsigned none = HEAT_DIFF + HEAT_DIFFS / 2, less = HEAT_DIFF,
			      more = HEAT_DIFF + HEAT_DIFFS - 1;
	struct painter p;
	struct theme t;
	struct err e = {0};

	ok(heat_diff(0, 5) == none && heat_diff(-5, 5) == less && heat_diff(9, 5) == more &&
		   heat_diff(NAN, 5) == HEAT_UNKNOWN && heat_diff(0, 0) == none,
	   "codes of differences");
	for (size_t i = 0; i < ARRAY_LEN(themes); i++) {
		ok(theme_load(&t, themes[i], &e) == 0, "theme %s", themes[i]);
		for (int d = DEPTH_256; d <= DEPTH_RGB && !t.shades; d++) {
			painter_init(&p, &t, (enum depth)d, true);
			uint32_t z = color_rgb(paint(&p, none).bg, 0),
				 l = color_rgb(paint(&p, less).bg, 0),
				 m = color_rgb(paint(&p, more).bg, 0);
			ok(spread(z) <= 16, "none is a grey, %06x", z);
			ok(blue(l) > 60 && blue(m) < -60, "less is blue (%06x), more is not (%06x)",
			   l, m);
		}
		painter_init(&p, &t, DEPTH_8, true);
		ok(t.shades || paint(&p, less).fg != paint(&p, more).fg, "two hues of eight");
		painter_init(&p, &t, DEPTH_MONO, false);
		ok(paint(&p, less).wc == '=' && paint(&p, less + 12).wc == '-' &&
			   paint(&p, none).wc == '.' && paint(&p, more - 12).wc == '+' &&
			   paint(&p, more).wc == '#',
		   "signs where there are no colours");
	}
}

int
main(int argc, char **argv)
{
	static const char *const files[] = {"a.csv",   "b.csv",	  "a128.csv", "b128.csv",
					    "a.stats", "b.stats", "ga.csv",   "gb.csv"};
	bool update = argc > 1 && strcmp(argv[1], "--update") == 0;
	char path[100];

	setlocale(LC_CTYPE, "C.UTF-8");
	if (!mkdtemp(dir))
		return 99;
	write_series("a.csv", 0, 30, 100);
	write_series("b.csv", 1, 30, 80);
	write_series("a128.csv", 0, 128, 60);
	write_series("b128.csv", 1, 128, 60);
	write_gpu("ga.csv", 0);
	write_gpu("gb.csv", 1);
	write_stats("a.stats", 0);
	write_stats("again.stats", 0);
	write_stats("b.stats", 1);
	for (size_t i = 0; i < ARRAY_LEN(shots); i++)
		check(&shots[i], update);
	test_rows();
	test_colors();
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, files[i]);
		unlink(path);
	}
	rmdir(dir);
	return done();
}
