/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gallery.c - every pane and every layout in seven ways: three sizes, 256 colours, 8, none, ASCII.
 *
 *     tests/tui/gallery            compares with tests/tui/pictures/NAME.txt, and judges them
 *     tests/tui/gallery --update   writes them again (make update-screens): read the difference
 *     tests/tui/gallery --ansi DIR writes them with their colours, to look at
 *
 * The rows are those of the program (pane_table, layout_rows), so a new pane or layout is in it by
 * itself: without its file the test fails. A file has the seven pictures as text. Where there are
 * colours, heat cells are shades in it, as wide screens would be all half blocks; where there are
 * 8 or none, it is what the terminal shows. A second block says the colour of each cell by a letter
 * that the list below it explains; in it the cells of a ramp are their level, 0 to V, of a cell of
 * two halves the upper one. A block that is the same as that of an earlier picture is not repeated,
 * nor is a row below itself.
 *
 * What is asserted of each picture is in gallery_judge.c, for more ways than are kept as text: all
 * themes in all depths, and 40x12.
 */
#include "tests/tui/gallery.h"
#include "tests/stored.h"
#include "tests/tui/stage.h"
#include "tui/panes.h"
#include <locale.h>
#include <stdlib.h>
#include <sys/stat.h>

static const struct way ways[] = {
	{"80x24, 24-bit colour", "80x24", 80, 24, DEPTH_RGB, "cividis", false, true},
	{"120x40, 24-bit colour", "120x40", 120, 40, DEPTH_RGB, "cividis", false, false},
	{"200x60, 24-bit colour", "200x60", 200, 60, DEPTH_RGB, "cividis", false, false},
	{"80x24, 256 colours", "256", 80, 24, DEPTH_256, "cividis", false, true},
	{"80x24, 8 colours", "8", 80, 24, DEPTH_8, "cividis", false, true},
	{"80x24, no colours", "mono", 80, 24, DEPTH_MONO, "cividis", false, true},
	{"80x24, ASCII, no colours", "ascii", 80, 24, DEPTH_MONO, "cividis", true, false},
};

/* A pane alone, with the inspector, or a layout. */
struct subject {
	const char *kind, *name;
};

/* ---------------------------------------------------------------- the screen */

static struct session *
show_session(const struct subject *k)
{
	static const struct stage_options rich = {.samples = 86,
						  .policy = "dyncore+claso",
						  .references = STAGE_ALL,
						  .pace = "pace 2 periods/s"};
	static const struct stage_options sub_cores = {.samples = 8, .modern = true};

	return stage_show(strcmp(k->name, "subcores") == 0 ? &sub_cores : &rich);
}

static void
command(struct screen *s, const char *verb, const char *arg)
{
	struct err e = {0};
	char line[80];

	snprintf(line, sizeof(line), "%s %s", verb, arg);
	if (screen_command(s, line, &e) != 1)
		ok(false, "%s: %s", line, e.msg);
	s->notice[0] = '\0';
	screen_draw(s);
}

static void
open_screen(struct screen *s, struct session *session, const struct subject *k, const struct way *w)
{
	struct theme t;
	struct err e = {0};

	if (theme_load(&t, w->theme, &e) < 0)
		ok(false, "%s", e.msg);
	screen_init(s, session, &t, w->depth, !w->ascii);
	s->replay.slice = 1e9; /* whatever the load of the host */
	screen_resize(s, w->w, w->h);
	screen_draw(s);
	if (strcmp(k->kind, "pane") == 0)
		command(s, "layout", "single");
	if (strcmp(k->kind, "split") != 0 || !session_twin_name(session)) /* it takes long */
		command(s, k->kind, k->name);
}

/* ---------------------------------------------------------------- as text */

static char *
text_of(const struct screen *s, bool shades)
{
	const struct canvas *c = s->canvas;
	char *text = NULL, four[4];
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (shades) {
		canvas_dump_text(c, s->unicode, f);
		fclose(f);
		return text;
	}
	for (int y = 0; y < c->h; y++) {
		int end = c->w;
		while (end && !is_inked(s, end - 1, y))
			end--;
		for (int x = 0; x < end; x++) {
			struct glyph g = paint_cell(&s->painter, canvas_at(c, x, y));
			fwrite(four, 1, utf8_put(four, g.wc), f);
		}
		fputc('\n', f);
	}
	fclose(f);
	return text;
}

/* ---------------------------------------------------------------- colours */

#define LOOKS 64

/* A look of this picture, and the letter for it. */
struct look_letter {
	struct glyph g; /* its colours and attributes */
	unsigned what;	/* role; of a heat cell ROLES + its code */
};

struct colours {
	struct look_letter at[LOOKS];
	unsigned n;
	bool level[HEAT_LEVELS]; /* is in the picture */
};

static char
letter_of(struct colours *k, const struct glyph *g, unsigned what)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz!#$%&()*+,-./:;<=>?@[]^_{|}~\"'`";
	unsigned i = 0;

	while (i < k->n && (k->at[i].what != what || k->at[i].g.fg != g->fg ||
			    k->at[i].g.bg != g->bg || k->at[i].g.attr != g->attr))
		i++;
	if (i == k->n && k->n < LOOKS && k->n < sizeof(letters) - 1)
		k->at[k->n++] = (struct look_letter){*g, what};
	return i < sizeof(letters) - 1 ? letters[i] : '?';
}

static char
colour_letter(const struct screen *s, struct colours *k, int x, int y)
{
	const struct cell *c = canvas_at(s->canvas, x, y);
	struct glyph g = paint_cell(&s->painter, c);

	if (!is_inked(s, x, y))
		return ' ';
	if (c->kind != CELL_HEAT)
		return letter_of(k, &g, c->role);
	/* Of a ramp of colours the level says all; of hues and digits the look does. */
	if (c->hi < HEAT_LEVELS && s->painter.depth > DEPTH_16 && !c->cursor) {
		k->level[c->hi] = true;
		return "0123456789ABCDEFGHIJKLMNOPQRSTUV"[c->hi];
	}
	if (c->hi >= HEAT_LEVELS && s->painter.half) /* the half below is another cell's business */
		g.bg = g.wc == ' ' ? g.bg : COLOR_NONE;
	return letter_of(k, &g, ROLES + (c->hi < HEAT_LEVELS ? 0 : c->hi));
}

static void
put_colour(FILE *f, int32_t color)
{
	if (color < 0)
		fputs("default", f);
	else if (color & COLOR_RGB)
		fprintf(f, "#%06x", (unsigned)color & 0xffffff);
	else
		fprintf(f, "%d", color);
}

static void
put_what(FILE *f, unsigned what)
{
	unsigned code = what - ROLES;

	if (what < ROLES)
		fputs(role_rows[what].name, f);
	else if (code == 0)
		fputs("heat", f);
	else if (code >= HEAT_CLASS && code < HEAT_CLASS + HEAT_CLASSES)
		fprintf(f, "heat %s", role_rows[class_role(code - HEAT_CLASS)].name);
	else if (code >= HEAT_BAND && code < HEAT_BAND + HEAT_BANDS * HEAT_BAND_STEPS)
		fprintf(f, "heat %s",
			role_rows[band_role((code - HEAT_BAND) / HEAT_BAND_STEPS)].name);
	else if (code >= HEAT_STATE && code < HEAT_STATE + HEAT_STATES)
		fprintf(f, "heat %s", role_rows[state_role(code - HEAT_STATE)].name);
	else
		fputs(code == HEAT_GATED				   ? "heat off"
		      : code >= HEAT_DIFF && code < HEAT_DIFF + HEAT_DIFFS ? "heat difference"
		      : code == HEAT_UNKNOWN				   ? "heat unknown"
									   : "heat nothing",
		      f);
}

static void
put_legend(const struct screen *s, const struct colours *k, FILE *f)
{
	static const char *const attrs[] = {" bold", " dim", " underline", " reverse"};
	bool any = false;

	for (unsigned i = 0; i < k->n; i++) {
		struct colours copy = *k;
		const struct glyph *g = &k->at[i].g;

		fprintf(f, "  %c ", letter_of(&copy, g, k->at[i].what));
		put_what(f, k->at[i].what);
		fputs(": ", f);
		put_colour(f, g->fg);
		if (g->bg >= 0) {
			fputs(" on ", f);
			put_colour(f, g->bg);
		}
		for (unsigned a = 0; a < ARRAY_LEN(attrs); a++)
			fputs(g->attr >> a & 1 ? attrs[a] : "", f);
		fputc('\n', f);
	}
	for (unsigned i = 0; i < HEAT_LEVELS; i++)
		if (k->level[i]) {
			fprintf(f, "%s%c ", any ? " " : "  levels ",
				"0123456789ABCDEFGHIJKLMNOPQRSTUV"[i]);
			put_colour(f, s->painter.ramp[i]);
			any = true;
		}
	if (any)
		fputc('\n', f);
}

static char *
colours_of(const struct screen *s)
{
	const struct canvas *c = s->canvas;
	struct colours k = {.n = 0};
	char *text = NULL, row[512];
	size_t n;
	FILE *f = open_memstream(&text, &n);

	for (int y = 0; y < c->h; y++) {
		int end = 0;

		for (int x = 0; x < c->w; x++) {
			row[x] = colour_letter(s, &k, x, y);
			end = row[x] == ' ' ? end : x + 1;
		}
		fprintf(f, "%.*s\n", end, row);
	}
	put_legend(s, &k, f);
	fclose(f);
	return text;
}

/* A row that is the same as the one before is a mark only: "(3 more)" for three of them. */
static void
put_folded(FILE *f, const char *text)
{
	const char *last = NULL;
	size_t length = 0;
	unsigned more = 0;

	for (; *text; text += strcspn(text, "\n") + 1) {
		size_t n = strcspn(text, "\n");
		if (last && n > 8 && n == length && strncmp(text, last, n) == 0) {
			more++;
			continue;
		}
		if (more)
			fprintf(f, "(%u more)\n", more);
		more = 0;
		fprintf(f, "%.*s\n", (int)n, text);
		last = text;
		length = n;
	}
	if (more)
		fprintf(f, "(%u more)\n", more);
}

/* ---------------------------------------------------------------- the files */

/* The pictures of a subject; the texts of earlier ones are named, not repeated. */
static char *
draw_all(const struct subject *k)
{
	char *page = NULL, *text[ARRAY_LEN(ways)];
	size_t n;
	FILE *f = open_memstream(&page, &n);

	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		struct session *session = show_session(k);
		struct screen s;
		size_t same = 0;

		open_screen(&s, session, k, &ways[i]);
		text[i] = text_of(&s, ways[i].depth > DEPTH_16);
		while (strcmp(text[same], text[i]) != 0)
			same++;
		fprintf(f, "%s== %s %s, %s\n", i ? "\n" : "", k->kind, k->name, ways[i].name);
		if (same < i)
			fprintf(f, "(as %s)\n", ways[same].name);
		else
			put_folded(f, text[i]);
		if (ways[i].colours) {
			char *colours = colours_of(&s);

			fputs("-- its colours\n", f);
			put_folded(f, colours);
			free(colours);
		}
		screen_free(&s);
	}
	for (size_t i = 0; i < ARRAY_LEN(ways); i++)
		free(text[i]);
	fclose(f);
	return page;
}

static void
path_of(const struct subject *k, char *buf, size_t size)
{
	const char *dir = getenv("srcdir");

	snprintf(buf, size, "%s/tests/tui/pictures/%s-%s.txt", dir ? dir : ".", k->kind, k->name);
}

/* NAME-WAY.ans, for whatever makes a picture of a terminal's text; themes for white ones, too. */
static void
write_ansi(const struct subject *k, const char *dir)
{
	static const struct way more[] = {
		{"", "light", 80, 24, DEPTH_RGB, "light", false, false},
		{"", "light8", 80, 24, DEPTH_8, "light", false, false},
		{"", "light16", 80, 24, DEPTH_16, "light", false, false},
		{"", "16", 80, 24, DEPTH_16, "cividis", false, false},
	};
	char path[4096];

	for (size_t i = 0; i < ARRAY_LEN(ways) + ARRAY_LEN(more); i++) {
		const struct way *w = i < ARRAY_LEN(ways) ? &ways[i] : &more[i - ARRAY_LEN(ways)];
		struct session *session = show_session(k);
		struct screen s;

		open_screen(&s, session, k, w);
		snprintf(path, sizeof(path), "%s/%s-%s-%s.ans", dir, k->kind, k->name, w->file);
		FILE *f = fopen(path, "w");
		if (ok(f, "%s", path)) {
			canvas_dump_ansi(s.canvas, &s.painter, f);
			fclose(f);
		}
		screen_free(&s);
	}
}

/* ---------------------------------------------------------------- judged */

static void
judge(const struct subject *k, const struct way *w)
{
	struct session *session = show_session(k);
	struct screen s;

	open_screen(&s, session, k, w);
	judge_picture(&s, k->name, w);
	screen_free(&s);
}

static const char *const themes[] = {"cividis", "viridis",	 "aerial",
				     "light",	"high-contrast", "mono"};

/* Every theme in every depth, Unicode and not; the sizes of the pages, and a small one. */
static void
judge_all(const struct subject *k)
{
	static const int size[][2] = {{40, 12}, {80, 24}, {120, 40}, {200, 60}};
	unsigned before = judge_faults();

	for (size_t t = 0; t < ARRAY_LEN(themes); t++)
		for (enum depth d = DEPTH_MONO; d <= DEPTH_RGB; d++)
			for (int a = 0; a < 2; a++)
				judge(k, &(struct way){"", "", 80, 24, d, themes[t], a, false});
	for (size_t i = 0; i < ARRAY_LEN(size); i++)
		for (int a = 0; a < 2; a++)
			judge(k, &(struct way){"", "", size[i][0], size[i][1],
					       a ? DEPTH_MONO : DEPTH_256, "cividis", a, false});
	ok(judge_faults() == before, "%s %s can be read in every theme, depth and size", k->kind,
	   k->name);
}

static void
judge_ramps(void)
{
	for (size_t t = 0; t < ARRAY_LEN(themes); t++)
		for (int i = 0; i < 4; i++) {
			struct way w = {"",	   "",	  80,	24, i & 1 ? DEPTH_16 : DEPTH_8,
					themes[t], i & 2, false};
			unsigned steps, bad = judge_ramp(&w, &steps);

			ok(bad == 0 && steps >= 8,
			   "%s, %d colours%s: %u steps, %u levels like nothing", themes[t],
			   i & 1 ? 16 : 8, i & 2 ? ", ASCII" : "", steps, bad);
		}
}

static void
check_subject(const struct subject *k, const char *how, const char *dir)
{
	char path[4096], *got;

	if (strcmp(how, "--ansi") == 0) {
		write_ansi(k, dir);
		return;
	}
	got = draw_all(k);
	path_of(k, path, sizeof(path));
	is_stored(path, got, strcmp(how, "--update") == 0);
	free(got);
	judge_all(k);
}

/* Another run beside the session's, which is not left for the subjects after it. */
static void
split(const char *policy, const char *how, const char *dir)
{
	struct subject k = {"split", policy};
	struct err e = {0};

	check_subject(&k, how, dir);
	ok(session_split(show_session(&k), "", &e) == 0, "one run again");
}

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "", *dir = argc > 2 ? argv[2] : ".";

	setlocale(LC_CTYPE, "C.UTF-8");
	for (unsigned i = 0; pane_table[i]; i++) {
		if (!pane_is_of(pane_table[i], WHEN_ALWAYS))
			continue; /* tests/tui/race.c and compare.c have pictures of pages */
		check_subject(&(struct subject){"pane", pane_table[i]->name}, how, dir);
		ok(pane_table[i]->read && pane_table[i]->also, "pane %s has a page (pane_ops.read)",
		   pane_table[i]->name);
	}
	for (unsigned i = 0; i < n_layout_rows; i++)
		if (layout_rows[i].when & WHEN_ALWAYS)
			check_subject(&(struct subject){"layout", layout_rows[i].name}, how, dir);
	split("rr", how, dir);
	stage_show(NULL);
	judge_ramps();
	return done();
}
