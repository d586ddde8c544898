/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * causes.c - no pane over time shows a change before the decision that made it (columns.h): the
 * column in which a limit changes is the one that contains the decision's cycle, at every zoom, and
 * the cursor one cycle earlier shows the limit as it was.
 *
 * What is expected is computed from the rows of `dump csv decisions` alone.
 */
#include "tests/tui/on_screen.h"

#include <limits.h>
#include <locale.h>

/* ---------------------------------------------------------------- decisions */

/* A decision that changed the limit of a core. */
struct change {
	cycle_t cycle;
	unsigned core, old, new;
};
static struct change change[4096];
static unsigned changes;

static unsigned
number_in(const struct export_rows *r, size_t row, const char *column)
{
	return (unsigned)strtoul(text_in(r, row, column), NULL, 10);
}

/* The table has a row for each value of a decision. */
static void
read_changes(void)
{
	struct export_rows r = read_table("decisions");
	struct change *k = NULL;

	changes = 0;
	for (size_t i = 0; i < r.n_rows && changes < ARRAY_LEN(change); i++) {
		if (!i || strcmp(text_in(&r, i, "seq"), text_in(&r, i - 1, "seq")) != 0) {
			changes += k && k->old != k->new;
			k = &change[changes];
			*k = (struct change){number_in(&r, i, "cycle"), number_in(&r, i, "core"), 0,
					     0};
		}
		if (strcmp(text_in(&r, i, "name"), "old") == 0)
			k->old = number_in(&r, i, "value");
		if (strcmp(text_in(&r, i, "name"), "new") == 0)
			k->new = number_in(&r, i, "value");
	}
	changes += k && k->old != k->new;
	export_rows_free(&r);
}

/* Returns the limit of a core after all decisions up to a cycle; 0: none has ever changed it. */
static unsigned
limit_at(unsigned core, cycle_t cycle)
{
	unsigned limit = 0;

	for (unsigned i = 0; i < changes; i++) {
		if (change[i].core != core)
			continue;
		if (change[i].cycle > cycle)
			return limit ? limit : change[i].old;
		limit = change[i].new;
	}
	return limit;
}

/* ---------------------------------------------------------------- panes */

#define SAMPLE 64 /* as in small.machine */

#define MOST 9 /* the range of the strip */

/* Whether the cell has the level of a limit that held at the end of a sample in (from, to]; where
 * there are several it shows their mean. */
static bool
is_limit_of(unsigned code, unsigned core, cycle_t from, cycle_t to)
{
	unsigned low = UINT_MAX, high = 0;

	if (s.axis.per <= SAMPLE)
		return code == heat_level(limit_at(core, to), 0, MOST);
	for (cycle_t end = from / SAMPLE * SAMPLE + SAMPLE; end <= to; end += SAMPLE) {
		low = MIN(low, heat_level(limit_at(core, end), 0, MOST));
		high = MAX(high, heat_level(limit_at(core, end), 0, MOST));
	}
	return code >= low && code <= high;
}

/* Each cell of the strip of limits is the limit at the end of its column; before the end of the
 * first sample it is unknown. */
static unsigned
check_strip(unsigned *checked)
{
	int label = heat_label_width(SMALL_CORES), y0 = s.layout.main[0].y + 1;
	int rows = (int)heat_half_rows(SMALL_CORES, s.layout.main[0].h - 1) / 2;
	cycle_t first = s.axis.fit ? SAMPLE : s.axis.t0 + s.axis.per;
	unsigned bad = 0;

	for (unsigned core = 0; core < SMALL_CORES; core++)
		for (int x = 0; x < s.axis.w; x++) {
			cycle_t from = s.axis.t0 + s.axis.per * (cycle_t)x, to = from + s.axis.per;
			unsigned got = canvas_at(s.canvas, label + x, y0 + (int)core * rows)->hi;
			bool good =
				to < first ? got == HEAT_UNKNOWN : is_limit_of(got, core, from, to);

			if (!limit_at(core, to) || to > s.axis.now / SAMPLE * SAMPLE)
				continue;
			++*checked;
			if (!good && bad++ < 5)
				diag("core %u, cycles %u to %u: code %u, the limit is %u", core,
				     (unsigned)from, (unsigned)to, got, limit_at(core, to));
		}
	return bad;
}

/* The slots have the limit as a number in the column where it changes. */
static unsigned
check_slots(unsigned *checked)
{
	int label = heat_label_width(SMALL_CORES), y = s.layout.main[0].y + 1;
	unsigned bad = 0;

	for (unsigned i = 0; i < changes; i++) {
		int x = axis_column(&s.axis, change[i].cycle), bars = 0;

		if (change[i].core != session_focus_core(session) || x < 1)
			continue;
		while (y + bars < s.canvas->h && glyph(label - 2, y + bars) != 'n')
			bars++;
		++*checked;
		bad += glyph(label + x, y + bars) != '0' + change[i].new;
	}
	return bad;
}

/* The value of the strip at the cursor, as the line below the panes prints it. */
static unsigned
limit_at_cursor(cycle_t cycle)
{
	char line[40], text[80] = "";
	const char *at;

	snprintf(line, sizeof(line), "cursor %u", (unsigned)cycle);
	command(line);
	s.front->ops->at(&s, s.front, text, sizeof(text));
	at = strstr(text, "limit n ");
	return at ? (unsigned)strtoul(at + strlen("limit n "), NULL, 10) : 0;
}

static unsigned
check_cursor(unsigned *checked)
{
	unsigned bad = 0;
	char line[40];

	for (unsigned i = 0; i < changes; i++) {
		unsigned before, after;

		if (change[i].cycle <= SAMPLE)
			continue;
		snprintf(line, sizeof(line), "core %u", change[i].core);
		session_exec(session, line);
		before = limit_at_cursor(change[i].cycle - 1);
		after = limit_at_cursor(change[i].cycle);
		++*checked;
		if ((before != change[i].old || after != change[i].new) && bad++ < 5)
			diag("core %u at %u: %u then %u, expected %u then %u", change[i].core,
			     (unsigned)change[i].cycle, before, after, change[i].old,
			     change[i].new);
	}
	command("cursor end");
	return bad;
}

/* ---------------------------------------------------------------- tests */

static void
test_strip(void)
{
	static const cycle_t cycle[] = {300, 700, 1500, 4500};
	unsigned bad = 0, wrong = 0, checked = 0, cursor = 0, fine = 0;

	for (size_t i = 0; i < ARRAY_LEN(cycle); i++) {
		open_small_screen("dyncta", cycle[i], 80, 30);
		read_changes();
		command("layout single");
		command("pane heat core.n");
		command("range 0 9"); /* MOST */
		bad += check_strip(&checked);
		fine += s.axis.per < SAMPLE;
		wrong += check_cursor(&cursor);
		for (int zoom = 0; zoom < 4; zoom++) {
			command("zoom in");
			bad += check_strip(&checked);
		}
		close_screen();
	}
	ok(bad == 0 && checked > 1000 && fine,
	   "%u cells: a limit changes in the column of its decision", checked);
	ok(wrong == 0 && cursor > 20, "and at the cursor in its cycle, of %u decisions", cursor);
}

static void
test_slots(void)
{
	unsigned bad = 0, checked = 0;

	open_small_screen("dyncta", 1500, 80, 30);
	read_changes();
	command("layout single");
	command("pane slots");
	for (unsigned core = 0; core < SMALL_CORES; core++) {
		session_set_focus_core(session, core);
		screen_draw(&s);
		bad += check_slots(&checked);
	}
	ok(bad == 0 && checked > 3, "so do the limits above the slots: %u of %u differ", bad,
	   checked);
	close_screen();
}

int
main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	test_strip();
	test_slots();
	return done();
}
