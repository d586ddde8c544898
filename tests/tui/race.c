/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * race.c - pictures of a race against text files, at the sizes that matter.
 *
 *     tests/tui/race            compares with tests/tui/race-NAME.screen
 *     tests/tui/race --update   writes them anew: review the difference
 *
 * The lanes are made by formulas, without processes. In every size nothing may be drawn outside.
 */
#include "tests/stored.h"

#include "lab/race_part.h"
#include "tui/race_page.h"
#include "tui/screen.h"
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CORES 30
#define SPAN 512

enum end { ON, ENDED, BROKEN, FRESH, BRANCHES };
#define PARTED 40 /* in samples */

static const struct shot {
	const char *name;
	int w, h;
	unsigned lanes;
	enum depth depth;
	bool ascii;
	const char *theme;
	enum end end;
	unsigned series;
	bool help;
} shots[] = {
	{"80x24", 80, 24, 4, DEPTH_256, false, "cividis", ON, 0, false},
	{"80x24-end", 80, 24, 4, DEPTH_256, false, "cividis", ENDED, 0, false},
	{"80x24-two", 80, 24, 2, DEPTH_256, false, "cividis", ON, 2, false},
	{"80x24-mono", 80, 24, 4, DEPTH_MONO, false, "mono", ON, 0, false},
	{"80x24-ascii", 80, 24, 4, DEPTH_MONO, true, "mono", ON, 0, false},
	{"80x24-8", 80, 24, 4, DEPTH_8, false, "cividis", ON, 0, false},
	{"80x24-broken", 80, 24, 3, DEPTH_256, false, "cividis", BROKEN, 0, false},
	{"80x24-first", 80, 24, 3, DEPTH_256, false, "cividis", FRESH, 0, false},
	{"80x24-help", 80, 24, 3, DEPTH_256, false, "cividis", BROKEN, 0, true},
	{"80x24-branches", 80, 24, 2, DEPTH_256, false, "cividis", BRANCHES, 0, false},
	{"120x40", 120, 40, 2, DEPTH_256, false, "cividis", ON, 0, false},
	{"120x40-ascii", 120, 40, 2, DEPTH_MONO, true, "mono", ENDED, 0, false},
	{"200x60", 200, 60, 4, DEPTH_256, false, "cividis", ENDED, 1, false},
	{"64x22", 64, 22, 2, DEPTH_256, false, "cividis", ON, 0, false},
	{"40x12", 40, 12, 3, DEPTH_256, false, "cividis", ON, 0, false},
};

static const char *const names[] = {"rr", "static:n=1", "dyncta:period=4096+claso:pa=2,pl=0",
				    "cores:n=20"};
static const unsigned ends[] = {120, 100, 84, 112}; /* in samples */

/* The values of a core in sample i. */
static void
values(unsigned lane, unsigned core, unsigned i, float *to)
{
	double n = lane == 0 ? 8 : lane == 1 ? 1 : 4 + 3 * sin(i / 9.0 + core / 7.0);
	bool off = lane == 3 && core >= 20;

	to[RACE_RUNNING] = off ? 0 : (float)round(n);
	to[RACE_N] = (float)round(n);
	to[RACE_RACT] = (float)(0.5 + 0.4 * sin(i / 11.0 + lane));
	to[RACE_IPC] = (float)(4 + 3 * sin(i / 13.0 + lane));
	to[RACE_L1_MISS] = core == 7 ? NAN : (float)(0.2 * lane);
	to[RACE_MEMORY] = 1 - to[RACE_RACT];
	to[RACE_STATE] = off ? (float)CORE_OFF : (float)CORE_ACTIVE;
	to[RACE_RACT_WEIGHT] = to[RACE_L1_WEIGHT] = 1;
}

static void
fill(struct race *r, unsigned lane, unsigned samples)
{
	struct lane *l = &r->lane[lane];
	float core[CORES * RACE_FIELDS];

	for (unsigned i = 0; i < samples; i++) {
		struct race_sample at = {.end = (i + 1) * SPAN,
					 .span = SPAN,
					 .ipc = 200 + 100 * sin(i / 13.0 + lane)};

		for (unsigned c = 0; c < CORES; c++)
			values(lane, c, i, core + c * RACE_FIELDS);
		samples_take(&l->samples, &at, core, CORES);
	}
	l->cycle = samples * SPAN;
	l->kernel = samples ? 1 + samples / 60 : 0;
	l->number[RACE_CYCLES] = (double)l->cycle;
	l->number[RACE_WORK] = samples ? 1e6 * samples / ends[lane] : (double)NAN;
	l->number[RACE_CTAS] = samples ? floor(494.0 * samples / ends[lane]) : (double)NAN;
	l->number[RACE_MEAN_IPC] = samples ? 210.5 + lane : (double)NAN;
	l->number[RACE_MEAN_N] = samples ? 8.0 / (lane + 1) : (double)NAN;
	l->number[RACE_RUN_L1_MISS] = 0.25 * lane;
	l->number[RACE_ENERGY] = 0.0123;
	l->state = samples == ends[lane] ? LANE_DONE : samples ? LANE_RUNS : LANE_WAITS;
}

/* Branches have no values of the cycles before they part. */
static void
make_branches(struct race *r)
{
	static const char *const name[] = {"main", "flip1"};

	r->branches = true;
	r->from = PARTED * SPAN - 1;
	for (unsigned i = 0; i < r->n; i++) {
		struct race_samples *s = &r->lane[i].samples;

		snprintf(r->lane[i].stack, sizeof(r->lane[i].stack), "%s", name[i]);
		s->n -= PARTED;
		memmove(s->at, s->at + PARTED, s->n * sizeof(*s->at));
		memmove(s->core, s->core + PARTED * CORES * RACE_FIELDS,
			s->n * CORES * RACE_FIELDS * sizeof(*s->core));
	}
}

static struct race *
fake_race(const struct shot *k)
{
	struct race *r = calloc(1, sizeof(*r));

	r->own = calloc(1, sizeof(*r->own));
	r->n = k->lanes;
	r->cores = CORES;
	r->sample = SPAN;
	r->ctas = 494;
	r->work = 1000000;
	r->kernels = 3;
	for (unsigned i = 0; i < r->n; i++) {
		snprintf(r->lane[i].stack, sizeof(r->lane[i].stack), "%s", names[i]);
		r->own->worker[i].channel.fd = -1;
		fill(r, i, k->end == FRESH ? 0 : k->end == ENDED ? ends[i] : MIN(92u, ends[i]));
	}
	if (k->end == BROKEN) {
		r->lane[1].state = LANE_FAILED;
		snprintf(
			r->lane[1].error, sizeof(r->lane[1].error),
			"deadlock at cycle 47,104: nothing can ever happen again: core 3 waits for "
			"CTA 17");
	}
	if (k->end == BRANCHES)
		make_branches(r);
	if (k->end != FRESH)
		r->difference = (struct race_difference){
			.known = true,
			.lane = {0, 1},
			.cycle = 13,
			.core = 4,
			.says = {
				"cta-issue, core 4, cycle 13: CTA 124 in slot 4, 5 of 8 resident",
				"cta-issue, core 2, cycle 453: CTA 30 in slot 0, 1 of 8 resident"}};
	return r;
}

/* A race on a separate screen, as a front end without a session's screen shows it. */
struct shown {
	struct race *race;
	struct race_page page;
	struct screen screen;
	struct config *config;
	struct session *session;
};

static void
show(struct shown *on, const struct shot *k, int w, int h)
{
	struct theme t;
	struct err e = {0};

	on->race = fake_race(k);
	on->config = config_new();
	on->session = session_new(on->config, NULL, &(struct session_ui){.draws = true}, NULL);
	if (theme_load(&t, k->theme, &e) < 0)
		ok(false, "theme %s: %s", k->theme, e.msg);
	screen_init(&on->screen, on->session, &t, k->depth, !k->ascii);
	screen_resize(&on->screen, w, h);
	race_page_init(&on->page, on->race, "bfs");
	on->screen.page = &on->page.page;
	on->page.view.running = k->end == ON || k->end == BROKEN || k->end == BRANCHES;
	on->page.view.series = k->series;
	on->screen.help = k->help;
	if (k->end == FRESH)
		screen_notice(&on->screen, "Space starts the race");
}

static void
hide(struct shown *on)
{
	on->screen.page = NULL;
	screen_free(&on->screen);
	session_free(on->session);
	config_free(on->config);
	race_free(on->race);
}

static char *
draw(const struct shot *k, int w, int h)
{
	struct shown on;
	char *text = NULL;
	size_t n;
	FILE *f;

	show(&on, k, w, h);
	screen_draw(&on.screen);
	f = open_memstream(&text, &n);
	canvas_dump_text(on.screen.canvas, !k->ascii, f);
	fclose(f);
	hide(&on);
	return text;
}

/* At 80 columns lanes whose names are long and similar can be told apart, and one is said to lead.
 */
static void
test_long_names(void)
{
	struct shown on;
	char *text = NULL;
	size_t n;
	FILE *f;

	show(&on, &shots[0], 80, 24);
	for (unsigned i = 0; i < on.race->n; i++)
		snprintf(on.race->lane[i].stack, sizeof(on.race->lane[i].stack),
			 "rr@gpu.warp_sched=gto@core.owl_group=1%u@mem.tCCD=3", i);
	screen_draw(&on.screen);
	f = open_memstream(&text, &n);
	canvas_dump_text(on.screen.canvas, false, f);
	fclose(f);
	if (!ok(strstr(text, "1 rr@core.~10 ") && strstr(text, "2 rr@core.~11 ") &&
			strstr(text, "rr@core.owl~12 leads: "),
		"similar names differ on the screen, and one leads"))
		diag("%s", text);
	free(text);
	hide(&on);
}

static void
compare(const struct shot *k, bool update)
{
	const char *dir = getenv("srcdir");
	char path[4096], *got = draw(k, k->w, k->h);

	snprintf(path, sizeof(path), "%s/tests/tui/race-%s.screen", dir ? dir : ".", k->name);
	is_stored(path, got, update);
	free(got);
}

/* Whether the text is pure ASCII, if the picture must be. */
static bool
is_plain(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text > 126)
			return false;
	return true;
}

/* Returns the result of a command, or its error: "runs, pace 0, series 3". */
static const char *
after(struct shown *on, const char *line, char buf[600])
{
	const struct race_view *v = &on->page.view;
	struct err e = {0};

	on->page.target = 0;
	if (screen_command(&on->screen, line, &e) < 0)
		snprintf(buf, 600, "%s", e.msg);
	else if (on->page.target)
		snprintf(buf, 600, "to %u", (unsigned)on->page.target);
	else
		snprintf(buf, 600, "%s, pace %u, series %u",
			 on->page.page.is_left ? "left"
			 : v->running	       ? "runs"
					       : "stands",
			 v->pace, v->series);
	return buf;
}

static void
test_commands(void)
{
	static const char all[] =
		" is not a command of a race; expected run, pause, sample, period, advance, pace, "
		"lane, open, series, theme, help, quit, spotlight";
	static const struct {
		const char *line, *wanted;
	} k[] = {
		{"run", "runs, pace 0, series 0"},
		{"sample", "the race is running; Space pauses it"},
		{"pau", "stands, pace 0, series 0"},
		{"r", "runs, pace 0, series 0"},
		{"pause", "stands, pace 0, series 0"},
		{"pace 8", "stands, pace 8, series 0"},
		{"pace faster", "stands, pace 16, series 0"},
		{"pace 0", "pace: expected a number of samples per second, max, slower or faster"},
		{"pace", "pace: expected a number of samples per second, max, slower or faster"},
		{"pace max", "stands, pace 0, series 0"},
		{"pace slower", "stands, pace 64, series 0"},
		{"series ipc", "stands, pace 64, series 3"},
		{"series 2", "stands, pace 64, series 1"},
		{"se previous", "stands, pace 64, series 0"},
		{"series", "stands, pace 64, series 1"},
		{"series power", "series: expected CTAs, n, RACT, IPC, L1 or waiting"},
		{"lane 5", "lane: expected next or a number from 1 to 4; found '5'"},
		{"open 0", "lane: expected next or a number from 1 to 4; found '0'"},
		{"open", "open: no workload is loaded"},
		{"lane 3", "stands, pace 64, series 1"},
		{"advance 60k", "to 60000"},
		{"advance 20k", "a race only runs forwards"},
		{"advance", "advance: expected a cycle"},
		{"sa", "to 47616"},
		{"period", "to 49152"},
		{"theme nosuch", "no theme 'nosuch'; there are: aerial, cividis, high-contrast, "
				 "light, mono, viridis"},
		{"", "stands, pace 64, series 1"},
		{"theme light", "stands, pace 64, series 1"},
		{"h", "stands, pace 64, series 1"},
		{"q", "left, pace 64, series 1"},
	};
	static const char *const none[] = {"pa", "continue", "zoom"};
	char buf[600], want[600];
	struct shown on;

	show(&on, &shots[0], 80, 24);
	on.page.view.running = false;
	on.race->period = 4096;
	for (size_t i = 0; i < ARRAY_LEN(k); i++)
		is_str(after(&on, k[i].line, buf), k[i].wanted, "command '%s'", k[i].line);
	for (size_t i = 0; i < ARRAY_LEN(none); i++) {
		snprintf(want, sizeof(want), "'%s'%s", none[i], all);
		is_str(after(&on, none[i], buf), want, "no command '%s'", none[i]);
	}
	ok(on.screen.help && strcmp(on.screen.theme.name, "light") == 0,
	   "theme and help are the screen's");
	hide(&on);
}

/* The keys and commands of a race are rows of the general tables. */
static void
test_keys(void)
{
	static const struct {
		int key;
		const char *command;
	} k[] = {{' ', "run"},		{'s', "sample"},      {'n', "period"},
		 {'\t', "series next"}, {'<', "pace slower"}, {K_LEFT, "cursor left"},
		 {'t', "theme next"},	{':', "prompt"},      {'?', "help"},
		 {'M', "mouse"},	{'q', "quit"},	      {K_CTRL('l'), "redraw"}};
	struct shown on;
	char buf[200];

	show(&on, &shots[0], 80, 24);
	on.page.view.running = false;
	for (size_t i = 0; i < ARRAY_LEN(k); i++)
		is_str(screen_key(&on.screen, k[i].key, buf, sizeof(buf)), k[i].command,
		       "key %d of a race", k[i].key);
	on.page.view.running = true;
	is_str(screen_key(&on.screen, ' ', buf, sizeof(buf)), "pause", "of one that runs");
	ok(!screen_key(&on.screen, 's', buf, sizeof(buf)) &&
		   strcmp(on.screen.notice, "s: the race is running; Space pauses it") == 0,
	   "no steps by hand: %s", on.screen.notice);
	ok(!screen_key(&on.screen, 'w', buf, sizeof(buf)) &&
		   strstr(on.screen.notice, "has no meaning here"),
	   "those of the session mean nothing");
	on.screen.help = true;
	is_str(screen_key(&on.screen, 'q', buf, sizeof(buf)), "help", "q leaves the help first");
	is_str(screen_key(&on.screen, K_ESCAPE, buf, sizeof(buf)), "help", "so does Escape");
	is_str(screen_key(&on.screen, ' ', buf, sizeof(buf)), "", "and no key acts behind it");
	hide(&on);
	show(&on, &shots[1], 80, 24);
	ok(!screen_key(&on.screen, 's', buf, sizeof(buf)) &&
		   strcmp(on.screen.notice, "s: the race has ended; q leaves it") == 0,
	   "after the end: %s", on.screen.notice);
	hide(&on);
}

static void
click(struct shown *on, int x, int y)
{
	screen_mouse(&on->screen, &(struct mouse){.kind = MOUSE_PRESS, .x = x, .y = y});
}

static void
test_focus(void)
{
	struct shown on;
	struct race_view *v = &on.page.view;
	struct err e = {0};

	show(&on, &shots[10], 120, 40);
	screen_draw(&on.screen);
	click(&on, 5, 0);
	ok(!v->focus, "a click beside the lanes is none");
	click(&on, 40, 9);
	ok(v->focus && v->core < CORES && v->cycle > 0, "one into a lane takes core and cycle");
	ok(strncmp(on.screen.notice, "core ", 5) == 0 &&
		   strstr(on.screen.notice, "rr 8, static:n=1 1"),
	   "and says what each lane is like there: %s", on.screen.notice);
	unsigned core = v->core;
	click(&on, 40, 9);
	ok(v->core == core + 1, "again: the next core of the row");
	race_view_move(v, 5, -3);
	ok(v->core == core + 6, "keys move on");
	race_view_move(v, -100, 1000);
	ok(v->core == 0 && v->cycle == race_view_now(on.race), "to the ends");
	ok(screen_command(&on.screen, "cursor down", &e) == 1 && v->core == 1, "by a command, too");
	ok(screen_command(&on.screen, "follow", &e) == 1 && !v->focus, "follow looks at none");
	for (int w = 1; w < 220; w += 13)
		for (int h = 1; h < 80; h += 5) {
			screen_resize(&on.screen, w, h);
			screen_draw(&on.screen);
			for (int y = 0; y < h; y++)
				click(&on, w / 2, y);
		}
	ok(v->core < CORES, "wherever one clicks");
	hide(&on);
}

int
main(int argc, char **argv)
{
	bool update = argc > 1 && strcmp(argv[1], "--update") == 0;

	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < ARRAY_LEN(shots); i++)
		compare(&shots[i], update);
	for (int w = 1; w < 260; w += w < 100 ? 7 : 40)
		for (int h = 1; h < 90; h += h < 40 ? 3 : 20)
			for (size_t i = 0; i < ARRAY_LEN(shots); i++) {
				char *text = draw(&shots[i], w, h);

				if (shots[i].ascii && !is_plain(text))
					ok(false, "%s at %dx%d is ASCII", shots[i].name, w, h);
				free(text);
			}
	ok(true, "any size is drawn");
	test_commands();
	test_long_names();
	test_keys();
	test_focus();
	return done();
}
