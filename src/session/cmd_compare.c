/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_compare.c - compares two finished runs by their CSV tables: what differs, in percent; where
 * the cycles of the cores went; and for a time series, on which core and when. A front end with a
 * screen shows it there (session_ui.compare); otherwise it is text.
 */
#include "export/compare.h"
#include "session/table.h"
#include "session/branch.h"
#include "session/command.h"
#include "session/session_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BAR 16	     /* columns of a bar to each side */
#define MAP_ROWS 32  /* rows of a map; more cores are folded */
#define MAP_WIDTH 72 /* columns of a map if the terminal's width is unknown */

/* ---------------------------------------------------------------- what differs */

/* Adds "+4.2 %", or "-" if there is no change. "spread": the sum is the same, but its parts differ.
 */
static void
table_change(struct table *t, const struct compare_item *k)
{
	double change = 100 * (k->value[1] / k->value[0] - 1);
	char num[HUMAN];

	if (compare_totals_equal(k))
		table_text(t, "spread");
	else
		table_text(t, "%s", human_change(num, change, 1));
}

/* Prints which run is shorter, and by how much. */
static void
say_cycles(struct session *s, const struct compare *c)
{
	char a[HUMAN], b[HUMAN], change[48] = "the same";

	if (!(c->cycles[0] > 0) || !(c->cycles[1] > 0))
		return;
	if (c->cycles[0] != c->cycles[1])
		human_change(change, 100 * (c->cycles[1] / c->cycles[0] - 1), 1);
	say(s, SAY_RESULT, "cycles: A %s, B %s, %s", human_num(a, c->cycles[0]),
	    human_num(b, c->cycles[1]), change);
}

/* Names the columns that differ and have neither a sum nor a mean. */
static void
say_without_value(struct session *s, const struct compare *c)
{
	struct strbuf names = {0};

	for (unsigned i = 0; c->kind != COMPARE_STATS && i < c->n_items; i++)
		if (compare_differs(&c->item[i]) && !compare_has_value(&c->item[i]))
			sb_printf(&names, "%s%s", names.n ? ", " : "", c->item[i].name);
	if (names.n && !names.failed)
		say(s, SAY_RESULT, "differ, but have no total or mean here: %s", names.p);
	sb_free(&names);
}

static void
say_items(struct session *s, const struct compare *c)
{
	struct table t;

	table_begin(&t, c->kind == COMPARE_SERIES ? "<mean~(counts:~total) >A >B >change"
			: c->kind == COMPARE_NOW  ? "<sum~over~cores >A >B >change"
						  : "<statistic >A >B >change 1<unit");
	for (unsigned i = 0; i < c->n_items; i++) {
		const struct compare_item *k = &c->item[i];

		if (!compare_differs(k) || (c->kind != COMPARE_STATS && !compare_has_value(k)))
			continue;
		table_text(&t, "%s", k->name);
		table_pair(&t, k->value[0], k->value[1]);
		table_change(&t, k);
		if (c->kind == COMPARE_STATS)
			table_text(&t, "%s", k->unit);
	}
	table_end(s, &t);
	say_without_value(s, c);
	say_cycles(s, c);
	if (c->differ)
		say(s, SAY_RESULT, "%u differ, %u are the same", c->differ, c->same);
	else
		say(s, SAY_RESULT, "no difference: %u %s are the same", c->same,
		    c->kind == COMPARE_STATS ? "statistics" : "columns");
}

/* ---------------------------------------------------------------- where the cycles went */

/* Draws a bar to the right for more, to the left for less. */
static void
format_bar(double change, double most, char buf[2 * BAR + 2])
{
	int n = most > 0 ? (int)(fabs(change) / most * BAR + 0.5) : 0;

	memset(buf, ' ', 2 * BAR + 1);
	buf[BAR] = '|';
	for (int i = 1; i <= n; i++)
		buf[change < 0 ? BAR - i : BAR + i] = change < 0 ? '-' : '+';
	buf[2 * BAR + 1] = '\0';
}

static void
say_classes(struct session *s, const struct compare *c)
{
	double all[2] = {0, 0}, most = 0;
	char text[2 * BAR + 2];
	struct table t;

	for (unsigned k = 0; k < CC_CLASSES; k++) {
		all[0] += c->class_cycles[0][k];
		all[1] += c->class_cycles[1][k];
		most = fmax(most, fabs(c->class_cycles[1][k] - c->class_cycles[0][k]));
	}
	if (!compare_has_classes(c) || most <= 0)
		return;
	say(s, SAY_RESULT, "%s", "");
	table_begin(&t, "<core~cycles >A 2>share >B 2>share >B-A 1<");
	for (unsigned k = 0; k < CC_CLASSES; k++) {
		double a = c->class_cycles[0][k], b = c->class_cycles[1][k];
		char num[HUMAN];

		table_text(&t, "%s", cycle_class_names[k]);
		table_num(&t, round(a));
		table_text(&t, "%.1f %%", 100 * a / all[0]);
		table_num(&t, round(b));
		table_text(&t, "%.1f %%", 100 * b / all[1]);
		table_text(&t, "%s%s", b > a ? "+" : "", human_num(num, round(b - a)));
		format_bar(b - a, most, text);
		table_text(&t, "%s", text);
	}
	table_end(s, &t);
}

/* ---------------------------------------------------------------- on which core and when */

/* Returns the sign of a cell: whether B is above or below A, by more or less than half of the
 * largest difference. */
static char
choose_sign(double a, double b, double most)
{
	if (isnan(a) && isnan(b))
		return ' ';
	if (isnan(a) || isnan(b))
		return isnan(b) ? '<' : '>';
	if (fabs(b - a) < most / 16)
		return '.';
	return b > a ? (b - a > most / 2 ? '#' : '+') : (a - b > most / 2 ? '=' : '-');
}

/* Returns the mean over instances whose values are known. */
static double
mean_of(const struct compare_map *m, unsigned side, unsigned from, unsigned to, unsigned x)
{
	double sum = 0;
	unsigned n = 0;

	for (unsigned i = from; i < to && i < m->instances; i++)
		if (!isnan(m->value[side][(size_t)i * m->columns + x])) {
			sum += m->value[side][(size_t)i * m->columns + x];
			n++;
		}
	return n ? sum / n : (double)NAN;
}

static enum session_status
say_map(struct session *s, const struct compare *c, const char *column)
{
	unsigned width = session_width(s) ? MIN(session_width(s), 200u) : MAP_WIDTH + 8, fold;
	struct compare_map m;
	struct err e = {0};
	char most[HUMAN], per[HUMAN], name[12], line[256];

	if (compare_map(c, column, width > 16 ? width - 8 : 8, &m, &e)) {
		compare_map_free(&m);
		return say_err(s, &e);
	}
	fold = (m.instances + MAP_ROWS - 1) / MAP_ROWS;
	say(s, SAY_RESULT, "%s", "");
	if (m.most > 0)
		say(s, SAY_RESULT,
		    "%s, B against A: + # more, - = less (# = by more than half of %s), . the same",
		    m.title, human_num(most, m.most));
	else
		say(s, SAY_RESULT, "%s: the same in every sample", m.title);
	for (unsigned i = 0; m.most > 0 && i < m.instances; i += fold) {
		for (unsigned x = 0; x < m.columns; x++)
			line[x] = choose_sign(mean_of(&m, 0, i, i + fold, x),
					      mean_of(&m, 1, i, i + fold, x), m.most);
		line[m.columns] = '\0';
		trim_end(line);
		compare_map_name(&m, i, name, sizeof(name));
		say(s, SAY_RESULT, "%6s %s", name, line);
	}
	if (m.most > 0)
		say(s, SAY_RESULT, "%6s 1 column = %s cycles%s; < only A has samples, > only B", "",
		    human(per, m.per), fold > 1 ? ", a row is the mean of neighbours" : "");
	compare_map_free(&m);
	return SESSION_OK;
}

void
session_print_compare(struct session *s, const struct compare *c)
{
	say_items(s, c);
	say_classes(s, c);
}

static void
say_warnings(struct session *s, const struct compare *c)
{
	if (c->spans[0])
		say(s, SAY_NOTE, "%s", c->spans);
	for (unsigned side = 0; side < 2; side++)
		if (c->early[side][0])
			say(s, SAY_NOTE, "%s", c->early[side]);
}

static enum session_status
say_all(struct session *s, const struct compare *c, const char *column)
{
	say(s, SAY_RESULT, "A: %s", c->path[0]);
	say(s, SAY_RESULT, "B: %s", c->path[1]);
	say_warnings(s, c);
	session_print_compare(s, c);
	return c->kind == COMPARE_SERIES ? say_map(s, c, column) : SESSION_OK;
}

/* Shows the comparison on the screen; afterwards one line remains in the log. */
static enum session_status
show_on_screen(struct session *s, const struct compare *c, const char *column)
{
	struct err e = {0};
	int rc = s->ui.compare(s->ui.ctx, c, column, &e);

	if (rc < 0)
		return say_err(s, &e);
	say(s, SAY_RESULT, "compare %s %s: %u differ, %u are the same", c->path[0], c->path[1],
	    c->differ, c->same);
	say_warnings(s, c);
	return SESSION_OK;
}

enum session_status
session_compare(struct session *s, const char *a, const char *b, const char *column, bool *differ)
{
	struct compare c;
	struct err e = {0};
	enum session_status status;

	if (compare_read(&c, a, b, &e)) {
		compare_free(&c);
		return say_err(s, &e);
	}
	*differ = c.differ > 0;
	if (column && c.kind != COMPARE_SERIES)
		status = fail(s, "compare: only series and mem tables have columns to show, not %s",
			      a);
	else if (column && compare_column(&c, column, &e) < 0)
		status = say_err(s, &e);
	else
		status = s->ui.compare ? show_on_screen(s, &c, column) : say_all(s, &c, column);
	compare_free(&c);
	return status;
}

enum session_status
cmd_compare(struct session *s, struct cmd_args *a)
{
	bool differ, is_branch[2] = {false, false};
	struct err e = {0};

	for (unsigned i = 0; s->sim && i < 2; i++)
		is_branch[i] = timeline_branch_find(s->timeline, a->word[i], NULL) != NULL;
	if (is_branch[0] && is_branch[1])
		return session_compare_branches(s, a->word[0], a->word[1], a->word[2]);
	/* After a branch, another word that is not a file must be a branch. */
	for (unsigned i = 0; i < 2; i++)
		if (is_branch[!i] && !is_branch[i] && access(a->word[!i], F_OK) != 0 &&
		    access(a->word[i], F_OK) != 0 &&
		    !timeline_branch_find(s->timeline, a->word[i], &e))
			return say_err(s, &e);
	return session_compare(s, a->word[0], a->word[1],
			       a->word[2] && *a->word[2] ? a->word[2] : NULL, &differ);
}
