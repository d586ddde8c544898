/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * core_panes.c - the panes l1 and period of the core in focus show what the machine has: every
 * line with its slot, and the counters of the period with their thresholds. Of kernels that run
 * together, the panes core and policy show the one that has CTAs on the core.
 */
#include "tests/small/small.h"
#include "tests/tap.h"
#include "tui/panes.h"
#include "tui/screen.h"

#include <stdlib.h>
#include <string.h>

static struct config *config;
static struct trace *trace;
static bool two_streams; /* the workload is that of two streams */
static struct session *session;
static struct screen s;

/* A session of the small machine with these options (keys and values up to NULL), stopped at a
 * cycle. */
static void
open_screen(const char *policy, const char *const *option, cycle_t cycle, const char *pane, int w,
	    int h)
{
	struct session_ui ui = {NULL};
	struct theme t;
	struct err e = {0};
	char line[60];

	config = small_config(policy);
	trace = two_streams ? small_streams() : small_trace();
	for (; option && *option; option += 2)
		if (opt_set(config_db(config), option[0], option[1], &e))
			small_die(option[0], &e);
	session = session_new(config, trace, &ui, &e);
	if (!session)
		small_die("session", &e);
	theme_default(&t);
	screen_init(&s, session, &t, DEPTH_MONO, false);
	s.replay.slice = 1e9; /* whatever the load of the host */
	screen_resize(&s, w, h);
	snprintf(line, sizeof(line), "advance %" PRIu64, cycle);
	session_exec(session, line);
	snprintf(line, sizeof(line), "pane %s", pane);
	if (screen_command(&s, "layout single", &e) != 1 || screen_command(&s, line, &e) != 1)
		ok(false, "%s: %s", line, e.msg);
	screen_draw(&s);
}

static void
close_screen(void)
{
	screen_free(&s);
	session_free(session);
	trace_close(trace);
	config_free(config);
}

static struct canvas
pane_canvas(void)
{
	const struct rect *r = &s.layout.main[0];

	return canvas_sub(s.canvas, r->x, r->y, r->w, r->h);
}

static char *
pane_text(void)
{
	struct canvas c = pane_canvas();
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	canvas_dump_text(&c, false, f);
	fclose(f);
	return text;
}

static void
has_text(const char *wanted, const char *what)
{
	char *text = pane_text();

	if (!ok(strstr(text, wanted), "%s: %s", what, wanted))
		printf("%s", text);
	free(text);
}

/* Is this on the screen, in whichever pane? */
static bool
screen_has(const char *wanted)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	bool has;

	canvas_dump_text(s.canvas, false, f);
	fclose(f);
	has = strstr(text, wanted);
	if (!has)
		printf("# no '%s' on\n%s", wanted, text);
	free(text);
	return has;
}

/* ---------------------------------------------------------------- l1 */

static char
letter_of(const struct l1_line_view *l)
{
	return !l->used	      ? '.'
	       : !l->resident ? '+'
	       : l->slot < 10 ? (char)('0' + l->slot)
			      : (char)('a' + l->slot - 10);
}

/* The row of cells of a set, which follows its number. */
static void
set_is_shown(const char *text, const struct sim *sim, unsigned core, unsigned set, unsigned ways)
{
	char wanted[600], number[16];
	unsigned n = (unsigned)snprintf(wanted, sizeof(wanted), "%3u ", set);

	for (unsigned way = 0; way < ways; way++) {
		struct l1_line_view l;

		sim_l1_line(sim, core, set, way, &l);
		wanted[n++] = letter_of(&l);
	}
	wanted[n] = '\0';
	snprintf(number, sizeof(number), "set %u", set);
	if (!ok(strstr(text, wanted), "%s: '%s'", number, wanted))
		printf("%s", text);
}

static void
test_l1(int w, int h)
{
	static const char *const small_l1[] = {"l1d.sets", "16", "l1d.assoc", "2", NULL};
	unsigned core, colours = 0;
	struct l1_view v;
	struct sim *sim;
	char *text, wanted[80];

	open_screen("rr", small_l1, 1200, "l1", w, h);
	sim = session_sim(session);
	core = session_focus_core(session);
	sim_l1_view(sim, core, &v);
	text = pane_text();
	for (unsigned set = 0; set < v.sets; set++)
		set_is_shown(text, sim, core, set, v.ways);
	free(text);
	snprintf(wanted, sizeof(wanted), "L1 of core %u: %u sets x %u ways", core, v.sets, v.ways);
	has_text(wanted, "its size");
	ok(v.evicted_by_others > 0, "CTAs evict lines of each other here");
	snprintf(wanted, sizeof(wanted), "evicted by other CTAs %" PRIu64 " lines",
		 v.evicted_by_others);
	has_text(wanted, "the count");
	struct canvas c = pane_canvas();
	for (int y = 0; y < c.h; y++)
		for (int x = 0; x < c.w; x++)
			colours += canvas_at(&c, x, y)->kind == CELL_HEAT;
	ok(colours > 0, "resident CTAs have colours");
	close_screen();
}

/* 512 lines on 80 columns beside the inspector. */
static void
test_large_l1(void)
{
	unsigned cells = 0, used = 0;
	struct l1_view v;

	open_screen("rr", NULL, 1200, "l1", 80, 24);
	sim_l1_view(session_sim(session), session_focus_core(session), &v);
	struct canvas c = pane_canvas();
	for (int y = 4; y < c.h; y++)
		for (int x = 0; x < c.w; x++) {
			const struct cell *at = canvas_at(&c, x, y);

			cells += at->wc != 0 && at->wc != ' ';
			used += at->kind == CELL_HEAT;
		}
	is_u64(cells, v.sets * v.ways, "every line of %u x %u is seen", v.sets, v.ways);
	ok(used > 0, "some are in use");
	close_screen();
}

/* ---------------------------------------------------------------- what limits N */

/* Two limiters get shorter until they fit, and are never cut. */
static void
test_limiters(void)
{
	static const struct {
		int w;
		const char *text;
	} row[] = {{20, "by threads, slots"},
		   {17, "by threads, slots"},
		   {16, "threads, slots"},
		   {14, "threads, slots"},
		   {13, "by 2 limits"},
		   {10, "2 limits"},
		   {7, ""}};
	static const char *const few_threads[] = {"core.threads", "384", NULL};

	open_screen("rr", few_threads, 100, "l1", 80, 24);
	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct canvas c = canvas_sub(s.canvas, 0, 0, 30, 1);
		char got[31] = "";

		canvas_fill(&c, 0, 0, c.w, 1, ROLE_TEXT, ' ');
		int n = draw_limiters(&c, 0, 0, row[i].w, session_sim(session), 1);

		for (int x = 0; x < n; x++)
			got[x] = (char)canvas_at(&c, x, 0)->wc;
		is_str(got, row[i].text, "in %d columns", row[i].w);
	}
	close_screen();
}

/* ---------------------------------------------------------------- period */

/* The filled cells of a column, from row `top` to row `end`. */
static int
height_at(const struct canvas *c, int x, int top, int end)
{
	int n = 0;

	for (int y = top; y < end; y++)
		n += canvas_at(c, x, y)->wc == 0x2588;
	return n;
}

static void
test_period(void)
{
	struct gauge_view mem = {0};
	char wanted[80];
	int before = 0, falls = 0, columns = 0;
	struct sim *sim;
	cycle_t done, period;

	open_screen("dyncta:period=2048", NULL, 3600, "period", 80, 24);
	sim = session_sim(session);
	period = sim_period(sim, &done);
	for (unsigned i = 0; i < sim_gauges(sim); i++) {
		sim_gauge_view(sim, i, session_focus_core(session), &mem);
		if (strcmp(mem.gauge->name, "C_mem") == 0)
			break;
	}
	snprintf(wanted, sizeof(wanted), "period of core %u: ", session_focus_core(session));
	has_text(wanted, "its core");
	snprintf(wanted, sizeof(wanted), "C_mem %.0f now", mem.now.value);
	has_text(wanted, "the value now");
	has_text("t_mem_l", "a threshold");
	has_text("t_mem_h", "the other");
	has_text("t_idle", "and that of C_idle");
	struct canvas c = pane_canvas();
	for (int x = 8; x < c.w; x++) {
		int n = height_at(&c, x, 2, 1 + (c.h - 2) / 2);

		falls += n > 0 && n < before;
		columns += n > 0;
		before = n;
	}
	is_u64((unsigned)falls, 0, "the curve never falls");
	ok(mem.now.value < 1 || columns > 0, "and is drawn");
	ok(columns <= (int)((uint64_t)(c.w - 8) * done / period) + 1,
	   "up to the present: %d columns of %d for %" PRIu64 " of %" PRIu64 " cycles", columns,
	   c.w - 8, done, period);
	close_screen();
	open_screen("rr", NULL, 1200, "period", 80, 24);
	has_text("The policy weighs no counter over a period.", "rr has none");
	close_screen();
}

/* Cores 0 and 1 are kernel 1's, the others kernel 2's. Both kernels decide about all cores. */
static void
test_kernels(void)
{
	static const char *const spatial[] = {"gpu.concurrent_kernels", "2", "gpu.kernel_share",
					      "spatial", NULL};
	struct err e = {0};

	two_streams = true;
	open_screen("dyncta:period=128", spatial, 1200, "heat", 110, 30);
	if (screen_command(&s, "layout auto", &e) != 1)
		ok(false, "layout auto: %s", e.msg);
	screen_draw(&s);
	ok(screen_has("slots  111111"), "slots have the number of their kernel");
	ok(screen_has("k1 limit stays 6"), "the decisions are of that kernel");
	session_exec(session, "core 3");
	screen_draw(&s);
	ok(screen_has("slots  2222"), "another core has CTAs of another kernel");
	ok(screen_has("k2 limit stays 4"), "and its decisions");
	close_screen();
	two_streams = false;
}

/* Draws the layout auto and tells whether the pane of kernels is in it. */
static bool
shows_kernels(const char *const options[], int w, int h)
{
	struct err e = {0};
	bool found;

	open_screen("dyncta:period=128", options, 1200, "ctas", w, h);
	if (screen_command(&s, "layout auto", &e) != 1)
		ok(false, "layout auto: %s", e.msg);
	screen_draw(&s);
	found = screen_has(" kernels ") && screen_has("k1") && screen_has("CTAs running");
	close_screen();
	return found;
}

static void
test_kernels_layout(void)
{
	static const char *const together[] = {"gpu.concurrent_kernels", "2", NULL};

	two_streams = true;
	ok(shows_kernels(together, 160, 50), "a large screen has the kernels that run together");
	ok(shows_kernels(together, 120, 40), "and one on which few strips fit");
	ok(shows_kernels(together, 80, 30), "a small one shows them in rows that are left");
	ok(!shows_kernels(NULL, 160, 50), "kernels that follow each other need no pane");
	two_streams = false;
}

/* The legend of pane warps names every letter, however low the screen is from 8 rows on. */
static void
test_warps_legend(void)
{
	static const char *const words[] = {"issued",  "ready", "memory", "dependence",
					    "barrier", "fence", "atomic", "unfetched",
					    "ends",    "paused"};

	for (int h = 15; h <= 24; h++) {
		unsigned found = 0;

		open_screen("dyncta", NULL, 300, "warps", 80, h);
		for (size_t i = 0; i < ARRAY_LEN(words); i++)
			found += screen_has(words[i]);
		ok(s.layout.main[0].h < 8 || found == ARRAY_LEN(words),
		   "pane warps in %d rows: a legend of %u words", s.layout.main[0].h, found);
		close_screen();
	}
}

int
main(void)
{
	test_warps_legend();
	test_l1(80, 24);
	test_l1(120, 40);
	test_large_l1();
	test_limiters();
	test_period();
	test_kernels();
	test_kernels_layout();
	return done();
}
