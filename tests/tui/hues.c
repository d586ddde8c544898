/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hues.c - what the policies weigh, in colours and glyphs cut at their thresholds, and the cores
 * stacked by limit or state: every cell agrees with the tables of `dump csv`, on the small machine
 * in ASCII, where a glyph says what a colour would.
 */
#include "tests/tui/on_screen.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>

#define LOW 20 /* t_mem_l and t_mem_h of small.machine */
#define HIGH 60

static void
open_pane(const char *policy, cycle_t cycle, const char *pane)
{
	char line[80];

	open_small_screen(policy, cycle, 120, 40);
	command("layout single");
	snprintf(line, sizeof(line), "pane %s", pane);
	command(line);
}

static char
letter_at(int x, int y)
{
	return (char)glyph(x, y);
}

/* ---------------------------------------------------------------- the table */

static struct export_rows table;

static double
value_in(size_t row, const char *column)
{
	const char *text = text_in(&table, row, column);

	return *text ? strtod(text, NULL) : (double)NAN;
}

/* Returns the row of a core in the sample that ended at or before a cycle (level), or that contains
 * it; -1: none. */
static int
row_at(unsigned core, cycle_t cycle, bool level)
{
	int found = -1;

	for (size_t i = 0; i < table.n_rows; i++) {
		if (value_in(i, "core") != core)
			continue;
		if (value_in(i, "cycle") <= (double)cycle)
			found = (int)i;
		else if (!level && (found < 0 || value_in((size_t)found, "cycle") < (double)cycle))
			return (int)i;
	}
	return found;
}

/* ---------------------------------------------------------------- thresholds */

static void
test_bands(void)
{
	int label = heat_label_width(SMALL_CORES), rows, y0;
	unsigned bad = 0, seen[128] = {0}, period = 128;

	open_pane("dyncta", 4500, "heat c_mem");
	table = read_table("series");
	y0 = s.layout.main[0].y + 1;
	rows = (int)heat_half_rows(SMALL_CORES, s.layout.main[0].h - 1) / 2;
	for (unsigned core = 0; core < SMALL_CORES; core++)
		for (int x = 0; x < s.axis.w; x++) {
			cycle_t to = s.axis.t0 + s.axis.per * (cycle_t)(x + 1);
			int row = row_at(core, to, false);
			double v;
			char got = letter_at(label + x, y0 + (int)core * rows), want;

			if (row < 0 || value_in((size_t)row, "cycle") != (double)to ||
			    value_in((size_t)row, "span_cycles") != (double)s.axis.per)
				continue; /* the column is not one sample */
			v = value_in((size_t)row, "c_mem_cycles") * period / (double)s.axis.per;
			want = v < LOW ? '.' : v < HIGH ? '+' : '#';
			seen[(unsigned char)got & 127]++;
			if (got != want && bad++ < 5)
				diag("core %u to %u: '%c', C_mem %.0f", core, (unsigned)to, got, v);
		}
	ok(bad == 0, "C_mem is below, between or above its thresholds in every cell");
	ok(seen['.'] > 5 && seen['+'] > 5 && seen['#'] > 5, "%u, %u and %u cells", seen['.'],
	   seen['+'], seen['#']);
	ok(s.front->heat.cut.low == LOW && s.front->heat.cut.high == HIGH,
	   "which are those of the policy");
	command("range 0 200");
	ok(letter_at(label + 20, y0) >= '0' && letter_at(label + 20, y0) <= '9',
	   "a range that was chosen shows the ramp");
	command("range auto");
	command("set dyncta.t_mem_h 30");
	ok(s.front->heat.cut.high == 30, "a threshold that is changed cuts anew");
	export_rows_free(&table);
	close_screen();
}

static const char *
row_text(int y)
{
	static char buf[1000];
	int n = 0;

	for (int x = 0; x < s.canvas->w; x++)
		buf[n++] = letter_at(x, y);
	buf[n] = '\0';
	return buf;
}

/* Returns the number that a sign follows in a row at the right of the strips; NaN: none. */
static double
signed_number(const char *text, char *sign)
{
	char digits[32];
	const char *end = strpbrk(text, "<=>"), *from = end;
	size_t n = 0;

	while (from && from > text && (from[-1] == ',' || from[-1] == '.' || isdigit(from[-1])))
		from--;
	for (; from && from < end && n + 1 < sizeof(digits); from++)
		if (*from != ',')
			digits[n++] = *from;
	digits[n] = '\0';
	*sign = end ? *end : ' ';
	return n ? strtod(digits, NULL) : (double)NAN;
}

/* Counts the values at the right of the strips whose sign is not that of their place among the
 * thresholds of the gauge named above or before them. */
static unsigned
wrong_signs(unsigned *checked)
{
	struct gauge_view v, *now = NULL;
	unsigned bad = 0;

	for (int y = 0; y < s.canvas->h; y++) {
		const char *text = row_text(y) + s.layout.sep_x + 2;
		double x, from, to;
		char sign;

		for (unsigned g = 0; g < sim_gauges(session_sim(session)); g++) {
			struct gauge_view k;

			sim_gauge_view(session_sim(session), g, session_focus_core(session), &k);
			if (strncmp(text, k.gauge->name, strlen(k.gauge->name)) == 0) {
				v = k;
				now = &v;
			}
		}
		x = signed_number(text, &sign);
		if (!now || isnan(x) || strncmp(text, "credits", 7) == 0)
			continue;
		from = v.gauge->low ? v.now.low : v.now.high;
		to = v.gauge->high ? v.now.high : v.now.low;
		++*checked;
		if (sign != (x < from ? '<' : x < to ? '=' : '>') && bad++ < 5)
			diag("%s: %s", v.gauge->name, text);
	}
	return bad;
}

/* In the panes core and policy each value has the sign of its place. */
static void
test_signs(void)
{
	static const char *const of[] = {"dyncta", "dyncore",	   "tcs",
					 "htcs",   "onac:waves=1", "seqdet:waves=1"};

	for (size_t i = 0; i < ARRAY_LEN(of); i++) {
		unsigned bad = 0, checked = 0;

		for (cycle_t at = 500; at < 4500; at += 300) {
			open_pane(of[i], at, "ctas");
			bad += wrong_signs(&checked);
			close_screen();
		}
		ok(bad == 0 && checked > 0, "%s: the signs of %u gauges", of[i], checked);
	}
}

/* The local credits of CLASO have the thresholds of its next request. */
static void
test_credits(void)
{
	unsigned checked = 0, bad = 0;

	for (cycle_t at = 300; at < 4500; at += 300) {
		open_pane("claso", at, "ctas");
		for (int y = 0; y < s.canvas->h; y++) {
			const char *text = row_text(y) + s.layout.sep_x + 2;
			struct core_view v;
			char sign;

			if (strncmp(text, "credits", 7) != 0)
				continue;
			sim_core_view(session_sim(session), session_focus_core(session), &v);
			sign = text[strcspn(text, "<=>")];
			checked++;
			/* pa = 1 and pl = 0 are the defaults */
			bad += sign != (v.credits_local < 1   ? '<'
					: v.credits_local < 2 ? '='
							      : '>');
		}
		close_screen();
	}
	ok(checked > 5 && bad == 0, "claso: the sign of %u local credits", checked);
}

/* ---------------------------------------------------------------- the stack */

enum { NO_CTA = 5 };

/* Returns the glyphs of the cores at a cycle, from the bottom up, as the table has them. */
static unsigned
stacked_at(cycle_t cycle, bool cores, char to[SMALL_CORES])
{
	static const struct {
		int state;
		char glyph;
	} above[] = {{CORE_THROTTLED, 't'},
		     {CORE_PAUSED, 'p'},
		     {CORE_DRAINING, 'd'},
		     {NO_CTA, '.'},
		     {CORE_OFF, 'x'}};
	unsigned n = 0;

	for (unsigned limit = 1; limit <= 9; limit++)
		for (unsigned core = 0; core < SMALL_CORES; core++) {
			int row = row_at(core, cycle, true);

			if (row >= 0 && value_in((size_t)row, "state") == CORE_ACTIVE &&
			    value_in((size_t)row, "n_ctas") == limit)
				to[n++] = cores ? '-' : (char)('0' + limit);
		}
	for (size_t i = 0; i < ARRAY_LEN(above); i++)
		for (unsigned core = 0; core < SMALL_CORES; core++) {
			int row = row_at(core, cycle, true);

			if (row >= 0 && value_in((size_t)row, "state") == above[i].state)
				to[n++] = above[i].glyph;
		}
	return n;
}

static void
test_stack(const char *policy, bool cores, cycle_t end, const char *must)
{
	int label = heat_label_width(SMALL_CORES), y0, h;
	unsigned bad = 0, checked = 0, seen[128] = {0};

	open_pane(policy, end, "converge");
	table = read_table("series");
	y0 = s.layout.main[0].y + 2;
	for (h = 0; !strstr(row_text(y0 + h), "IPC ") && y0 + h < s.canvas->h; h++)
		;
	for (int x = 0; x < s.axis.w; x++) {
		cycle_t to = s.axis.t0 + s.axis.per * (cycle_t)(x + 1);
		char want[SMALL_CORES];
		unsigned n = to <= s.axis.now ? stacked_at(to, cores, want) : 0;

		for (int y = 0; n == SMALL_CORES && y < h; y++) {
			char got = letter_at(label + x, y0 + y);

			checked++;
			seen[(unsigned char)got & 127]++;
			if (got != want[(int)((h - y - 0.5) / h * SMALL_CORES)] && bad++ < 5)
				diag("%s, column to %u, row %d of %d: '%c', expected '%c'", policy,
				     (unsigned)to, y, h, got,
				     want[(int)((h - y - 0.5) / h * SMALL_CORES)]);
		}
	}
	ok(s.axis.per <= 64 && checked > 100 && bad == 0,
	   "%s: %u cells of the stack are as in dump csv series", policy, checked);
	for (; *must; must++)
		ok(seen[(unsigned char)*must], "%s: some are %c", policy, *must);
	export_rows_free(&table);
	close_screen();
}

int
main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	test_bands();
	test_signs();
	test_credits();
	test_stack("dyncta", false, 4500, "1234");
	test_stack("tcs:mon_cycle=64,monitor=1500,stall=unit,thr=1", true, 4500, "-");
	test_stack("htcs:mon_cycle=64,monitor=1500,stall=unit,thr=1", true, 4500, "-");
	test_stack("onac:waves=1", true, 4500, "-p");
	test_stack("dyncore:period=256,t_act=40960,off=2", false, 4500, "dx");
	return done();
}
