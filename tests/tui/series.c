/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * series.c - the panes of time series: which arguments they accept and reject, and that their
 * caches equal a new computation; ranges, marks, bookmarks.
 */
#include "tests/tui/on_screen.h"
#include "tui/screen_part.h"

#include <locale.h>
#include <math.h>

/* Returns "" if the command was executed, otherwise its error. */
static const char *
try(const char *command)
{
	static struct err e;

	err_clear(&e);
	if (screen_command(&s, command, &e) != 1)
		return e.msg;
	screen_draw(&s);
	return "";
}

/* Returns row y of the screen. */
static const char *
row(int y)
{
	static char buf[1000];
	struct canvas one = canvas_sub(s.canvas, 0, y, s.canvas->w, 1);
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	canvas_dump_text(&one, true, f);
	fclose(f);
	snprintf(buf, sizeof(buf), "%.*s", (int)strcspn(text, "\n"), text);
	free(text);
	return buf;
}

static void
says(const char *command, const char *part)
{
	const char *got = try(command);

	ok(strstr(got, part), "%s: %s", command, got);
}

/* ---------------------------------------------------------------- arguments */

static void
test_arguments(void)
{
	open_screen(80, 24, (struct stage_options){.samples = 86});
	is_str(try("pane heat"), "", "pane heat");
	ok(strstr(row(1), "IPC of a core"), "is of the IPC: %s", row(1));
	is_str(try("pane heat CORE.Lat_RT"), "", "any series, in any case");
	is_str(try("pane heat lat_rt_cycles"), "", "by the name of its column");
	says("pane heat core.*.resident - core.*.n", "did you mean core.*.ctas_resident");
	says("pane heat gpu.ipc", "`pane plot gpu.ipc`");
	says("pane heat core.5.ipc", "one value");
	says("pane heat core.ipc +", "expected");
	is_str(try("pane plot"), "", "pane plot");
	is_str(try("pane plot max(core.*.n, 3), gpu.ipc"), "", "a comma in parentheses is no end");
	ok(strstr(row(1), "max(core.*.n, 3)") && strstr(row(2), "IPC"), "two lines: %s", row(1));
	says("pane plot core.*.n", "30 values");
	says("pane plot core.*.n", "`pane heat core.*.n`");
	says("pane plot gpu.ipc,", "after the comma");
	says("pane plot gpu.ipc,,gpu.ract", "before the comma");
	says("pane plot 1,2,3,4,5", "no more than 4");
	says("pane plot gpu.nosuch", "no time series");
	says("pane plot l2.*.misses", "only a present value");
	is_str(try("pane classes core"), "", "classes of a core");
	says("pane classes gpu", "expected core");
	says("pane log core", "takes no argument");
	close_screen();
}

/* Returns the value in the newest sample. */
static double
newest(enum series_core_field f, unsigned core)
{
	struct sim *sim = session_sim(session);

	return series_core(sim, f, core, series_count(sim) - 1);
}

static void
test_gauge(void)
{
	char text[40];

	open_screen(80, 24, (struct stage_options){.samples = 86});
	is_str(try("pane heat gauge"), "", "what the policy weighs");
	ok(strstr(row(1), "C_mem") && strstr(row(1), "cycles per 128"), "is C_mem, as a rate: %s",
	   row(1));
	is_str(try("pane heat c_mem"), "", "by its own name");
	snprintf(text, sizeof(text), "C_mem %.0f",
		 newest(SC_C_MEM, 5) * STAGE_PERIOD / STAGE_SAMPLE);
	ok(newest(SC_C_MEM, 5) > 0 && strstr(row(18), text), "in a period: %s", row(18));
	close_screen();
}

/* Panes of channels have as many rows as there are channels, and nothing of cores. */
static void
test_channels(void)
{
	unsigned named = 0;

	open_screen(80, 24, (struct stage_options){.samples = 86});
	is_str(try("pane heat mem.queue"), "", "a series of channels");
	for (int y = 2; y < 17; y++)
		named += row(y)[2] >= '0' && row(y)[2] <= '9';
	is_u64(named, sim_channels(session_sim(session)), "a row for each of them");
	ok(!strstr(row(4), "▸") && !strstr(row(4), "●"), "without focus and stops");
	close_screen();
}

/* ---------------------------------------------------------------- kept and computed anew */

static void
same_as_anew(const char *commands, unsigned samples, int w, int h)
{
	struct stage_options o = {.samples = 1, .policy = "dyncta+claso"};
	char *text[2] = {0};
	unsigned bad = 0;

	for (int way = 0; way < 2; way++) {
		size_t n;
		FILE *f = open_memstream(&text[way], &n);
		o.samples = way ? samples : 1;
		open_screen(w, h, o);
		for (const char *p = commands; *p; p = *(p += strcspn(p, "\n")) ? p + 1 : p) {
			char one[200];
			snprintf(one, sizeof(one), "%.*s", (int)strcspn(p, "\n"), p);
			bad += try(one)[0] != '\0';
		}
		for (unsigned i = 1; !way && i < samples; i++) {
			stage_more(session, 1);
			screen_draw(&s);
		}
		s.notice[0] = '\0';
		screen_draw(&s);
		/* The log below has a line for each run. */
		struct canvas panes = canvas_sub(s.canvas, 0, 0, w, s.layout.log.y);
		canvas_dump_ansi(&panes, &s.painter, f);
		fclose(f);
		close_screen();
	}
	ok(!bad && strcmp(text[0], text[1]) == 0, "sample by sample as at once: %.40s, %u at %dx%d",
	   commands, samples, w, h);
	free(text[0]);
	free(text[1]);
}

static void
test_kept(void)
{
	static const char *const commands[] = {
		"pane heat core.ipc",
		"pane heat core.*.n - core.*.ctas_running",
		"pane heat mem.queue",
		"pane plot gpu.ipc, sum(core.*.n), mean(core.*.ract)",
		"pane classes",
		"pane classes core",
		"marks",
		"layout grid",
		"layout memory",
	};

	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		for (unsigned n = 2; n < 100; n += 31)
			same_as_anew(commands[i], n, i % 2 ? 80 : 200, i % 2 ? 24 : 60);
}

/* After a change of the core in focus, its cache is computed again. */
static void
test_focus(void)
{
	open_screen(80, 24, (struct stage_options){.samples = 86, .policy = "cores:n=20"});
	try("pane classes core");
	ok(newest(SC_GATED, 5) == 0 && newest(SC_GATED, 29) == 1, "core 29 is gated, core 5 not");
	ok(canvas_at(s.canvas, 44, 3)->hi != HEAT_CLASS + CC_GATED, "as the picture says");
	session_set_focus_core(session, 29);
	screen_draw(&s);
	ok(strstr(row(1), "core 29"), "classes of another core: %s", row(1));
	is_u64(canvas_at(s.canvas, 44, 3)->hi, HEAT_CLASS + CC_GATED, "which is");
	close_screen();
}

/* ---------------------------------------------------------------- ranges */

/* Finds the smallest and the largest value of all cores and samples. */
static void
extremes(enum series_core_field f, double *least, double *most)
{
	struct sim *sim = session_sim(session);

	for (unsigned i = 0; i < series_count(sim); i++)
		for (unsigned core = 0; core < screen_cores(&s); core++) {
			double v = series_core(sim, f, core, i);

			*least = fmin(*least, v);
			*most = fmax(*most, v);
		}
}

static void
test_range(void)
{
	double least = INFINITY, most = 0, all;

	open_screen(120, 24, (struct stage_options){.samples = 86});
	try("pane heat core.lat_rt");
	extremes(SC_LAT_RT, &least, &most);
	all = s.pane->shown.hi;
	ok(all >= most && all < 2.5 * most && fmod(all, 100) == 0,
	   "a growing range ends on a round number, %g", all);
	is_str(try("range 300 500"), "", "fixed");
	ok(s.pane->shown.lo == 300 && s.pane->shown.hi == 500 && strstr(row(1), "(fixed)"),
	   "the legend says so: %s", row(1));
	is_str(try("range 10%"), "", "percent");
	ok(s.pane->shown.lo > least && s.pane->shown.hi < most && strstr(row(1), "(10-90 %)"),
	   "the outermost are left out: %s", row(1));
	double hi = s.pane->shown.hi;
	try("range up");
	ok(s.pane->shown.hi > hi, "up");
	try("range down");
	try("range down");
	ok(s.pane->shown.hi < hi, "down");
	try("range auto");
	ok(s.pane->shown.hi == all, "and all of them again");
	try("range next");
	ok(s.pane->range.how == RANGE_PERCENTILE && s.pane->range.percent == 2, "next");
	try("range next");
	try("range next");
	ok(s.pane->range.how == RANGE_AUTO, "and around");
	says("range 5 5", "empty");
	says("range 9 3", "empty");
	says("range 60%", "below 50");
	says("range x", "expected auto");
	says("range 1 2 3", "expected auto");
	try("pane plot gpu.ipc, gpu.ract");
	try("range 100 260");
	ok(s.pane->shown.lo == 100 && s.pane->shown.hi == 260, "the y axis of a plot");
	ok(strstr(row(3), "260"), "whose numbers say so: %s", row(3));
	is_str(try("range 2%"), "", "a plot without the outermost values");
	try("pane classes");
	s.pane->shown = s.front->shown = (struct heat_range){0, 0};
	says("range 1 2", "pane classes has none");
	close_screen();
}

/* ---------------------------------------------------------------- marks, bookmarks, layouts */

static const char *
type(int key)
{
	char buf[200];
	const char *command = screen_key(&s, key, buf, sizeof(buf));

	return command && *command ? try(command) : "";
}

static void
test_marks(void)
{
	open_screen(80, 24, (struct stage_options){.samples = 86});
	int h = s.layout.main[0].h;
	type('e');
	ok(s.marks.kinds & EV_BIT(EV_PAUSE) && s.layout.axis[0].h == 2 && s.layout.main[0].h < h,
	   "e shows marks, in a row of their own");
	ok(strchr(row(s.layout.axis[0].y), 'P'), "pauses: %s", row(s.layout.axis[0].y));
	is_str(try("marks limit"), "", "others");
	ok(strchr(row(s.layout.axis[0].y), 'L') && !strchr(row(s.layout.axis[0].y), 'P'),
	   "limits alone: %s", row(s.layout.axis[0].y));
	says("marks nosuch", "nosuch");
	type('e');
	ok(!s.marks.kinds && s.layout.main[0].h == h, "e takes them away");
	close_screen();
}

static void
test_bookmarks(void)
{
	open_screen(80, 24, (struct stage_options){.samples = 86});
	says("cursor 'a", "no bookmark 'a'");
	try("cursor 3000");
	type('m');
	is_str(type('a'), "", "m a");
	type('G');
	ok(strchr(row(s.layout.axis[0].y), 'a'), "stands on the axis: %s", row(s.layout.axis[0].y));
	ok(screen_live(&s), "from the newest");
	type('\'');
	is_str(type('a'), "", "' a");
	is_u64(axis_cursor(&s.axis), 3000, "goes back there");
	is_str(try("bookmark z 4096"), "", "at a cycle");
	type('\'');
	type('z');
	is_u64(axis_cursor(&s.axis), 4096, "' z");
	says("bookmark z 99999999", "not a cycle of this run");
	says("bookmark zz", "a letter");
	type('m');
	type('1');
	ok(strstr(s.notice, "a 3,000; z 4,096"), "m and no letter lists them: %s", s.notice);
	try("bookmark off");
	says("cursor 'a", "no bookmark");
	close_screen();
}

static bool
shows(const char *name, const char *arg)
{
	for (unsigned i = 0; i < s.layout.n_main; i++)
		if (strcmp(s.main[i]->ops->name, name) == 0 && strcmp(s.main[i]->arg, arg) == 0)
			return true;
	return false;
}

static void
test_layouts(void)
{
	open_screen(120, 40, (struct stage_options){.samples = 50});
	ok(s.layout.n_main == 4 && !shows("credits", "") && !shows("gates", "") &&
		   shows("heat", "gauge") && shows("heat", ""),
	   "a grid without credits and gates shows what the policy weighs instead");
	close_screen();
	open_screen(120, 40,
		    (struct stage_options){.samples = 86, .policy = "dyncta+dyncore+claso"});
	ok(shows("credits", "") && shows("gates", ""), "one with them shows them");
	screen_resize(&s, 200, 60);
	screen_draw(&s);
	is_u64(s.layout.n_main, 6, "and six on a tall screen");
	screen_resize(&s, 80, 24);
	screen_draw(&s);
	try("layout memory");
	is_str(s.pane->arg, "mem.dram_util", "layout memory begins with the channels");
	type('\t');
	is_str(s.pane->arg, "core.lat_rt", "Tab goes on to what else it is for");
	for (int i = 0; i < 8; i++)
		type('\t');
	is_str(s.pane->arg, "mem.dram_util", "and around, by core, policy and log");
	close_screen();
}

int
main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	test_arguments();
	test_gauge();
	test_channels();
	test_kept();
	test_focus();
	test_range();
	test_marks();
	test_bookmarks();
	test_layouts();
	return done();
}
