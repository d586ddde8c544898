/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ctas.c - the panes that draw CTAs and decisions agree with the tables of `dump csv`, cell by
 * cell, on the small machine.
 *
 * The tables are read back from their files, and the expected content of each cell is computed from
 * their rows alone.
 */
#include "tests/tui/on_screen.h"

#include <locale.h>

/* ---------------------------------------------------------------- tables */

/* An empty field has the value `none`. */
static cycle_t
number_in(const struct export_rows *r, size_t row, const char *column, cycle_t none)
{
	const char *text = text_in(r, row, column);

	return *text ? strtoull(text, NULL, 10) : none;
}

/* ---------------------------------------------------------------- slots */

struct wanted {
	uint32_t cta;
	unsigned ctas, issues; /* in the column */
	bool pause, resume, end, paused;
};

static int
column_of(cycle_t cycle)
{
	return cycle <= s.axis.t0 ? -1 : (int)((cycle - s.axis.t0 - 1) / s.axis.per);
}

/* Computes from the tables what a slot shows in a column. */
static struct wanted
wanted_of(const struct export_rows *ctas, const struct export_rows *events, unsigned core,
	  unsigned slot, int x)
{
	struct wanted w = {.cta = UINT32_MAX};
	cycle_t latest = 0, kernel = 0;

	for (size_t i = 0; i < ctas->n_rows; i++) {
		cycle_t from = number_in(ctas, i, "issued_cycle", 0),
			to = number_in(ctas, i, "done_cycle", s.axis.now);

		if (number_in(ctas, i, "core", 99) != core ||
		    number_in(ctas, i, "slot", 99) != slot || column_of(to) < x ||
		    column_of(from) > x)
			continue;
		w.ctas++;
		w.issues += column_of(from) == x;
		w.end |= *text_in(ctas, i, "done_cycle") && column_of(to) == x;
		if (from >= latest) {
			latest = from;
			w.cta = (uint32_t)number_in(ctas, i, "cta", 0);
			kernel = number_in(ctas, i, "kernel", 0);
		}
	}
	for (size_t i = 0; w.ctas && i < events->n_rows; i++) {
		bool pause = strcmp(text_in(events, i, "event"), "pause") == 0,
		     resume = strcmp(text_in(events, i, "event"), "resume") == 0;
		int at = column_of(number_in(events, i, "cycle", 0));

		if ((!pause && !resume) || number_in(events, i, "core", 99) != core ||
		    number_in(events, i, "slot", 99) != slot)
			continue;
		w.pause |= pause && at == x;
		w.resume |= resume && at == x;
		if (at <= x && number_in(events, i, "cta", 0) == w.cta &&
		    number_in(events, i, "kernel", 0) == kernel)
			w.paused = pause;
	}
	return w;
}

static uint32_t
glyph_of(const struct wanted *w)
{
	return !w->ctas	       ? ' '
	       : w->issues > 1 ? ':'
	       : w->issues     ? '['
	       : w->pause      ? 'p'
	       : w->resume     ? 'r'
	       : w->end	       ? ']'
	       : w->paused     ? '/'
			       : '#';
}

/* Whether the digits at x are the number of its CTA, which is at the beginning of its bar. */
static bool
is_number(int x, int y, uint32_t cta)
{
	char want[16], got[16] = "";
	int n = snprintf(want, sizeof(want), "%u", cta), from = x;

	while (from > 0 && glyph(from - 1, y) >= '0' && glyph(from - 1, y) <= '9')
		from--;
	for (int i = 0; i < n && from + i < s.canvas->w; i++)
		got[i] = (char)glyph(from + i, y);
	return strcmp(got, want) == 0;
}

static unsigned cells[128]; /* how many of each glyph were compared */

/* Compares every visible cell; returns how many differ. */
static unsigned
compare_slots(const struct export_rows *ctas, const struct export_rows *events, unsigned core)
{
	int label = heat_label_width(SMALL_CORES), y = s.layout.main[0].y + 1;
	unsigned bad = 0;

	for (unsigned slot = 0; slot < 6; slot++)
		for (int x = 0; x < s.axis.w; x++) {
			struct wanted w = wanted_of(ctas, events, core, slot, x);
			uint32_t got = glyph(label + x, y + (int)slot), want = glyph_of(&w);
			bool same = got == want;

			if ((want == '#' || want == '/') && got >= '0' && got <= '9')
				same = is_number(label + x, y + (int)slot, w.cta);
			else
				cells[got & 127]++;
			if (!same && bad++ < 5)
				diag("core %u slot %u column %d: '%c', expected '%c' (CTA %u)",
				     core, slot, x, (int)got, (int)want, w.cta);
		}
	return bad;
}

static void
test_slots(const char *policy)
{
	struct export_rows ctas, events;
	unsigned bad = 0, views = 0;
	char line[40];

	open_small_screen(policy, 2500, 120, 14);
	ctas = read_table("ctas");
	events = read_table("events");
	command("layout single");
	command("pane slots");
	memset(cells, 0, sizeof(cells));
	for (unsigned core = 0; core < SMALL_CORES; core++) {
		snprintf(line, sizeof(line), "core %u", core);
		session_exec(session, line);
		command("zoom all");
		bad += compare_slots(&ctas, &events, core);
		for (int i = 0; i < 3; i++)
			command("zoom in");
		for (int i = 0; i < 12; i++, views++) {
			bad += compare_slots(&ctas, &events, core);
			command("pan left");
		}
	}
	ok(bad == 0, "%s: every cell of the slots is as in dump csv ctas and events, in %u views",
	   policy, views);
	ok(cells['['] && cells['#'], "%s: bars begin and run in them", policy);
	if (strncmp(policy, "dyncta", 6) == 0)
		ok(cells['p'] && cells['r'] && cells['/'] && cells[']'] && cells[' '],
		   "%s: CTAs are paused and resumed, and slots are free", policy);
	export_rows_free(&ctas);
	export_rows_free(&events);
	close_screen();
}

/* ---------------------------------------------------------------- grid */

/* Computes the glyph of a CTA at a cycle from the tables. */
static uint32_t
block_glyph(const struct export_rows *ctas, const struct export_rows *events, unsigned kernel,
	    unsigned cta, cycle_t at, char place[80])
{
	uint32_t glyph = '.';

	place[0] = '\0';
	for (size_t i = 0; i < ctas->n_rows; i++) {
		cycle_t from = number_in(ctas, i, "issued_cycle", 0),
			to = number_in(ctas, i, "done_cycle", CYCLE_NEVER);

		if (number_in(ctas, i, "kernel", 0) != kernel ||
		    number_in(ctas, i, "cta", 0) != cta || at < from)
			continue;
		snprintf(place, 80, "core %s slot %s, ", text_in(ctas, i, "core"),
			 text_in(ctas, i, "slot"));
		glyph = at >= to ? '-' : '#';
	}
	for (size_t i = 0; glyph == '#' && i < events->n_rows; i++)
		if (number_in(events, i, "cta", 9999) == cta &&
		    number_in(events, i, "kernel", 0) == kernel &&
		    number_in(events, i, "cycle", 0) <= at) {
			const char *event = text_in(events, i, "event");

			place[79] = strcmp(event, "pause") == 0	   ? 'p'
				    : strcmp(event, "resume") == 0 ? 'r'
								   : place[79];
		}
	return glyph == '#' && place[79] == 'p' ? '/' : glyph;
}

/* Clicks on every cell of the grid and compares it, and the text of the last row, with the tables;
 * returns how many cells differ. */
static unsigned
compare_grid(const struct export_rows *ctas, const struct export_rows *events, unsigned kernel,
	     unsigned *blocks, unsigned seen[128])
{
	struct rect r = s.layout.main[0];
	cycle_t at = axis_cursor(&s.axis);
	unsigned bad = 0, last = UINT32_MAX;

	*blocks = 0;
	for (int y = 1; y < r.h - 1; y++)
		for (int x = 1; x < r.w - 1; x++) {
			char text[200] = "", place[80] = "", *cta;
			uint32_t got = glyph(r.x + x, r.y + y), want;
			unsigned n;

			if (got == ' ' || got == '>')
				continue;
			s.pane->ops->click(&s, s.pane, x, y);
			screen_draw(&s);
			for (int i = 0; i < r.w - 2 && i < 199; i++)
				text[i] = (char)glyph(r.x + 1 + i, r.y + r.h - 1);
			cta = strstr(text, " CTA ");
			n = cta ? (unsigned)atoi(cta + 5) : 0;
			got = glyph(r.x + x, r.y + y) == '>' ? got : glyph(r.x + x, r.y + y);
			want = block_glyph(ctas, events, kernel, n, at, place);
			*blocks += n != last;
			last = n;
			seen[got & 127]++;
			if ((got != want || !strstr(text, place)) && bad++ < 5)
				diag("kernel %u cycle %u: '%c', expected '%c' %s; %s", kernel,
				     (unsigned)at, (int)got, (int)want, place, text);
		}
	return bad;
}

static void
test_grid(void)
{
	struct export_rows ctas, events;
	unsigned bad = 0, blocks, seen[128] = {0};
	cycle_t second;
	char line[40];

	open_small_screen("dyncta", 6500, 120, 30);
	ctas = read_table("ctas");
	events = read_table("events");
	second = sim_kernel_start(session_sim(session), 1);
	command("layout single");
	command("pane grid state");
	for (cycle_t at = 100; at < second; at += 700) {
		snprintf(line, sizeof(line), "cursor %u", (unsigned)at);
		command(line);
		bad += compare_grid(&ctas, &events, 1, &blocks, seen);
		bad += blocks < 95; /* the one that is marked may have no cell left */
	}
	command("cursor end");
	bad += compare_grid(&ctas, &events, 2, &blocks, seen);
	ok(bad == 0, "every block of the grid is as in dump csv ctas and events");
	ok(blocks >= 47, "all of the second kernel have a cell: %u", blocks);
	ok(seen['.'] && seen['#'] && seen['/'] && seen['-'],
	   "blocks wait, run, are paused and done");
	export_rows_free(&ctas);
	export_rows_free(&events);
	close_screen();
}

/* ---------------------------------------------------------------- decisions */

/* Returns the value of that name of the decision to which row i belongs. */
static cycle_t
value_in(const struct export_rows *r, size_t i, const char *name)
{
	const char *seq = text_in(r, i, "seq");

	for (; i < r->n_rows && strcmp(text_in(r, i, "seq"), seq) == 0; i++)
		if (strcmp(text_in(r, i, "name"), name) == 0)
			return number_in(r, i, "value", 0);
	return 0;
}

/* Computes from the table what a core shows in a column. */
static uint32_t
decision_glyph(const struct export_rows *r, unsigned core, int x)
{
	bool up = false, down = false, stays = false;
	const char *last = "";

	for (size_t i = 0; i < r->n_rows; last = text_in(r, i++, "seq")) {
		cycle_t old, new;

		if (strcmp(text_in(r, i, "seq"), last) == 0 ||
		    strcmp(text_in(r, i, "policy"), "host") == 0 ||
		    number_in(r, i, "core", 99) != core ||
		    column_of(number_in(r, i, "cycle", 0)) != x)
			continue;
		old = value_in(r, i, "old");
		new = value_in(r, i, "new");
		up |= new > old;
		down |= new < old;
		stays |= new == old;
	}
	return up && down ? '*' : up ? '^' : down ? 'v' : stays ? '=' : ' ';
}

static void
test_decisions(void)
{
	struct export_rows table;
	unsigned bad = 0, seen[128] = {0};
	int label = heat_label_width(SMALL_CORES), y;
	const char *got;

	open_small_screen("dyncta", 4500, 120, 20);
	table = read_table("decisions");
	command("layout single");
	command("pane decisions");
	for (int zoom = 0; zoom < 3; zoom++, command("zoom in")) {
		y = s.layout.main[0].y + 1;
		for (unsigned core = 0; core < SMALL_CORES; core++)
			for (int x = 0; x < s.axis.w; x++) {
				uint32_t g = glyph(label + x, y + (int)core),
					 want = decision_glyph(&table, core, x);

				seen[g & 127]++;
				if (g != want && bad++ < 5)
					diag("core %u column %d: '%c', expected '%c'", core, x,
					     (int)g, (int)want);
			}
	}
	ok(bad == 0, "every mark of the decision map is as in dump csv decisions");
	ok(seen['^'] && seen['v'] && seen['='], "%u up, %u down, %u stays", seen['^'], seen['v'],
	   seen['=']);
	command("cursor 1000");
	session_exec(session, "core 3");
	got = press('\r');
	is_str(got ? got : "", "why core 3 at 1000", "Enter asks why");
	is_str(press('d'), "pane decisions", "d shows the decisions");
	export_rows_free(&table);
	close_screen();

	open_small_screen("rr", 4500, 120, 20);
	command("pane decisions");
	screen_draw(&s);
	got = NULL;
	for (int i = 0; i < s.canvas->h && !got; i++) {
		char row[121] = "";

		for (int x = 0; x < 120; x++)
			row[x] = (char)glyph(x, i);
		got = strstr(row, "No policy has decided anything") ? "said" : NULL;
	}
	is_str(got ? got : "", "said", "a policy without decisions: the pane says so");
	close_screen();
}

/* Returns whether the title of the pane names the sign: "* both". */
static bool
title_names(const struct rect *r, uint32_t sign)
{
	for (int x = r->x + 11; x + 2 < r->x + r->w; x++)
		if (glyph(x, r->y) == sign && glyph(x + 1, r->y) == ' ' &&
		    glyph(x + 2, r->y) >= 'a')
			return true;
	return false;
}

/* Every sign that the map has is in its title, and rules where there are colours. */
static void
test_decision_legend(void)
{
	static const struct {
		int w, h;
		bool color;
		const char *layout;
	} way[] = {{80, 24, true, "single"},  {80, 24, false, "single"}, {120, 40, true, "grid"},
		   {120, 40, false, "grid"},  {80, 24, true, "watch"},	 {48, 20, true, "single"},
		   {200, 60, false, "single"}};
	static const struct stage_options o = {.samples = 60};

	for (size_t i = 0; i < ARRAY_LEN(way); i++) {
		unsigned bad = 0, marks = 0, place = 0;
		char line[60];

		(way[i].color ? open_screen : open_ascii_screen)(way[i].w, way[i].h, o);
		snprintf(line, sizeof(line), "layout %s", way[i].layout);
		command(line);
		command("pane decisions");
		while (strcmp(s.main[place]->ops->name, "decisions") != 0)
			place++;
		const struct rect *r = &s.layout.main[place];
		for (int y = r->y + 2; y < r->y + r->h; y++)
			for (int x = r->x + heat_label_width(30); x < r->x + r->w; x++) {
				uint32_t g = glyph(x, y);
				bool is = g == '=' || g == '*' || g == '^' || g == 'v' ||
					  g == 0x25b2 || g == 0x25bc;

				marks += is;
				bad += is && !title_names(r, g);
			}
		ok(marks && !bad, "%dx%d, layout %s: the title names %u of %u signs", way[i].w,
		   way[i].h, way[i].layout, marks - bad, marks);
		close_screen();
	}
	open_screen(80, 24, o);
	command("pane decisions");
	char *text = screen_text();
	ok(strstr(text, " rule ") && strstr(text, "mem-low"), "at 80x24 it names rules");
	free(text);
	session_exec(session, "core 9");
	s.front->ops->click(&s, s.front, 5, 2);
	ok(session_focus_core(session) == 0, "a click below them is on the first core: %u",
	   session_focus_core(session));
	close_screen();
}

/* A held CTA is drawn as an outline. */
static void
test_held(void)
{
	unsigned held = 0, outlines = 0;
	struct export_rows ctas;
	int y;

	open_small_screen("dyncta:pause=hold", 600, 120, 14);
	ctas = read_table("ctas");
	command("layout single");
	command("pane slots");
	y = s.layout.main[0].y + 1;
	for (unsigned core = 0; core < SMALL_CORES; core++) {
		char line[40];

		snprintf(line, sizeof(line), "core %u", core);
		session_exec(session, line);
		screen_draw(&s);
		for (int slot = 0; slot < 6; slot++) {
			int last = axis_column(&s.axis, s.axis.now) + heat_label_width(SMALL_CORES);
			uint32_t got = glyph(last, y + slot);

			outlines += got == '=' || got == 'p';
		}
	}
	for (size_t i = 0; i < ctas.n_rows; i++)
		held += strcmp(text_in(&ctas, i, "state"), "held") == 0;
	ok(held > 0 && held == outlines, "%u CTAs are held, %u outlines", held, outlines);
	export_rows_free(&ctas);
	close_screen();
}

/* Cycles before the first kept event are shown as not kept. */
static void
test_not_kept(void)
{
	struct export_rows events;
	unsigned dots = 0, wrong = 0;
	cycle_t first;
	int label = heat_label_width(SMALL_CORES), y;

	open_small_screen("dyncta", 0, 120, 14);
	session_exec(session, "set run.events 64");
	session_exec(session, "run");
	session_exec(session, "goto 2500");
	command("layout single");
	command("pane slots");
	events = read_table("events");
	first = events.n_rows ? number_in(&events, 0, "cycle", 0) : 0;
	y = s.layout.main[0].y + 1;
	for (int slot = 0; slot < 6; slot++)
		for (int x = 0; x < s.axis.w; x++) {
			cycle_t end = s.axis.t0 + (cycle_t)(x + 1) * s.axis.per;
			uint32_t g = glyph(label + x, y + slot);

			if (end > first)
				continue;
			dots += g == '.';
			wrong += g != '.' && g != '-' && !(g >= '0' && g <= '9') && g != '[';
		}
	ok(first > 1000 && dots > 50 && wrong == 0,
	   "before cycle %u it is not kept: %u dots, %u others", (unsigned)first, dots, wrong);
	export_rows_free(&events);
	close_screen();
}

int
main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	test_slots("rr");
	test_slots("dyncta");
	test_slots("dyncta+dyncore+claso");
	test_held();
	test_not_kept();
	test_grid();
	test_decisions();
	test_decision_legend();
	return done();
}
