/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report.c - the results of a race: the table, the first difference, the CSV.
 *
 * The speedup of a lane is its work per cycle over that of the first lane, each up to its present
 * cycle. At the end both have done the same work, and the speedup is the ratio of their cycles.
 */
#include "lab/race_part.h"

#include "base/output.h"
#include "export/export.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const struct race_number_row race_numbers[RACE_NUMBERS] = {
	[RACE_CYCLES] = {"gpu.cycles", "cycles", "cycles", 0},
	[RACE_MEAN_IPC] = {"gpu.ipc", "ipc", "IPC", 1},
	[RACE_MEAN_N] = {"gpu.mean_n", "mean_n", "mean n", 2},
	[RACE_RUN_RACT] = {"gpu.ract", "ract_ratio", NULL, 3},
	[RACE_RUN_L1_MISS] = {"l1.miss_rate", "l1_miss_ratio", "L1 miss", 3},
	[RACE_ENERGY] = {"power.energy", "energy_joules", "energy J", RACE_FLOATS},
	[RACE_CTAS] = {"gpu.ctas_done", "ctas_done", NULL, 0},
	[RACE_WORK] = {"gpu.warp_insts", NULL, NULL, 0},
};

static const char *const state_names[] = {
	[LANE_STARTS] = "starts", [LANE_WAITS] = "stopped", [LANE_RUNS] = "stopped",
	[LANE_DONE] = "ok",	  [LANE_CUT] = "cut",	    [LANE_FAILED] = "failed"};

double
race_speedup(const struct race *r, unsigned lane)
{
	const struct lane *a = &r->lane[0], *b = &r->lane[lane];
	double base = a->number[RACE_WORK] * b->number[RACE_CYCLES];

	if (a->state == LANE_FAILED || b->state == LANE_FAILED || !(base > 0))
		return NAN;
	return b->number[RACE_WORK] * a->number[RACE_CYCLES] / base;
}

int
race_status(const struct race *r)
{
	int status = 0;

	for (unsigned i = 0; i < r->n; i++) {
		if (r->lane[i].state == LANE_FAILED)
			return 1;
		if (r->lane[i].state == LANE_CUT)
			status = 4;
	}
	return status;
}

/* ---------------------------------------------------------------- the table */

/* The columns: a name, a number of race_numbers, the speedup. */
enum { NAME = RACE_NUMBERS, SPEEDUP };
static const unsigned columns[RACE_COLUMNS] = {NAME,	   RACE_CYCLES, RACE_MEAN_IPC,
					       SPEEDUP,	   RACE_MEAN_N, RACE_RUN_L1_MISS,
					       RACE_ENERGY};

const char *
race_head(const struct race *r, unsigned column)
{
	unsigned k = columns[column];

	return k == NAME      ? (r->branches ? "branch" : "policy")
	       : k == SPEEDUP ? "speedup"
			      : race_numbers[k].head;
}

const char *
race_cell(const struct race *r, unsigned lane, unsigned column, char buf[RACE_CELL])
{
	const struct lane *l = &r->lane[lane];
	unsigned k = columns[column];
	char name[POLICY_TEXT];
	double v = k >= RACE_NUMBERS || l->state == LANE_FAILED ? (double)NAN : l->number[k];

	if (k == NAME)
		snprintf(buf, RACE_CELL, "%.*s", RACE_CELL - 1,
			 race_short_name(r, lane, RACE_CELL - 1, "...", name));
	else if (k == SPEEDUP)
		human_fixed(buf, race_speedup(r, lane), 3);
	else if (race_numbers[k].decimals == RACE_FLOATS && isfinite(v) && fabs(v) < 1e15)
		snprintf(buf, RACE_CELL, "%.4g", v);
	else
		human_fixed(buf, v, race_numbers[k].decimals);
	return buf;
}

void
race_table(const struct race *r, struct strbuf *out)
{
	char cell[RACE_CELL];
	int width[RACE_COLUMNS];

	for (unsigned c = 0; c < RACE_COLUMNS; c++) {
		width[c] = (int)strlen(race_head(r, c));
		for (unsigned i = 0; i < r->n; i++)
			width[c] = MAX(width[c], (int)strlen(race_cell(r, i, c, cell)));
	}
	for (unsigned i = 0; i <= r->n; i++) { /* the head, then the lanes */
		for (unsigned c = 0; c < RACE_COLUMNS; c++) {
			const char *text = i ? race_cell(r, i - 1, c, cell) : race_head(r, c);

			sb_printf(out, c ? "  %*s" : "%-*s", width[c], text);
		}
		sb_char(out, '\n');
	}
}

/* Prints the name of a lane and its decision. That of the other lane may be earlier: then this lane
 * decided nothing at the cycle of the difference, and its next decision is marked. */
static void
print_side(const struct race *r, const struct race_difference *f, unsigned k, const char *name,
	   int width, struct strbuf *out)
{
	const struct lane *l = &r->lane[f->lane[k]];
	char at[HUMAN];

	sb_printf(out, "  %-*s  ", width, name);
	if (*f->says[k]) {
		sb_printf(out, "%s%s\n", f->came[k].cycle > f->cycle ? "later: " : "", f->says[k]);
		return;
	}
	/* It may have issued CTAs, and have decided before: only this is known. */
	sb_printf(out, "no decision%s from there ", f == &r->of_policy ? " of its policy" : "");
	if (l->state == LANE_FAILED)
		sb_printf(out, "up to cycle %s, where it failed\n", human(at, l->cycle));
	else if (lane_ended(l))
		sb_str(out, "to its end\n");
	else
		sb_printf(out, "up to cycle %s\n", human(at, l->cycle));
}

/* Prints "cycle 90, core 4" and the decisions of both lanes. */
static void
print_sides(const struct race *r, const struct race_difference *f, unsigned room,
	    struct strbuf *out)
{
	char cycle[HUMAN], name[2][POLICY_TEXT];
	int width = 0;

	sb_printf(out, "cycle %s", human(cycle, f->cycle));
	if (f->core >= 0)
		sb_printf(out, ", core %d", f->core);
	sb_char(out, '\n');
	for (unsigned k = 0; k < 2; k++)
		width = MAX(width,
			    (int)strlen(race_short_name(r, f->lane[k], room, "...", name[k])));
	for (unsigned k = 0; k < 2; k++)
		print_side(r, f, k, name[k], width, out);
}

/* Is there a difference of policies, other than the first difference? */
static bool
policy_differs(const struct race *r)
{
	const struct race_difference *p = &r->of_policy, *f = &r->difference;

	return p->known &&
	       (p->cycle != f->cycle || p->core != f->core || strcmp(p->says[0], f->says[0]) != 0 ||
		strcmp(p->says[1], f->says[1]) != 0);
}

/* A lane that failed has not taken the rest of its decisions, so they are not the same. */
static void
print_no_difference(const struct race *r, struct strbuf *out)
{
	const struct lane *failed = NULL;
	char at[HUMAN];

	for (unsigned i = 0; i < r->n; i++)
		if (r->lane[i].state == LANE_FAILED &&
		    (!failed || r->lane[i].cycle < failed->cycle))
			failed = &r->lane[i];
	if (failed)
		sb_printf(out, "first difference: none up to cycle %s, where %s failed\n",
			  human(at, failed->cycle), failed->stack);
	else
		sb_printf(out, "first difference: none%s\n",
			  race_ended(r) ? ", all decisions are the same" : " so far");
}

/* The first difference is that of one lane; prints where each other one differs from the first. */
static void
print_other_lanes(const struct race *r, struct strbuf *out)
{
	char cycle[HUMAN];

	for (unsigned i = 1; i < r->n; i++) {
		const struct race_difference *f = &r->own->differ.pair[i].first;

		if (i == r->difference.lane[1])
			continue;
		if (f->known)
			sb_printf(out, "%s: first differs from %s at cycle %s", r->lane[i].stack,
				  r->lane[0].stack, human(cycle, f->cycle));
		else if (lane_good(&r->lane[i]) && lane_good(&r->lane[0]) && race_ended(r))
			sb_printf(out, "%s: all decisions are those of %s", r->lane[i].stack,
				  r->lane[0].stack);
		else
			continue;
		if (f->known && f->core >= 0)
			sb_printf(out, ", core %d", f->core);
		sb_char(out, '\n');
	}
}

/* all: also those of the lanes that differ later. */
static void
print_differences(const struct race *r, unsigned room, bool all, struct strbuf *out)
{
	if (r->n < 2)
		return;
	if (!r->difference.known) {
		print_no_difference(r, out);
		return;
	}
	sb_printf(out, "first difference: ");
	print_sides(r, &r->difference, room, out);
	if (all)
		print_other_lanes(r, out);
	if (!policy_differs(r))
		return;
	sb_printf(out, "first of the policies: ");
	print_sides(r, &r->of_policy, room, out);
}

void
race_difference_lines(const struct race *r, struct strbuf *out)
{
	print_differences(r, POLICY_TEXT, true, out);
}

void
race_difference_brief(const struct race *r, unsigned room, struct strbuf *out)
{
	char cycle[HUMAN];

	if (r->n < 2 || !r->difference.known || !policy_differs(r)) {
		print_differences(r, room, false, out);
		return;
	}
	sb_printf(out, "first difference: cycle %s; of the policies: ",
		  human(cycle, r->difference.cycle));
	print_sides(r, &r->of_policy, room, out);
}

/* ---------------------------------------------------------------- CSV */

static int
write_rows(void *ctx, FILE *to, struct err *e ATTR_UNUSED)
{
	const struct race *r = ctx;
	const char *field[RACE_NUMBERS + 8] = {"run", r->branches ? "branch" : "policy", "status"};
	char text[RACE_NUMBERS + 8][64];
	unsigned n = 3;

	for (unsigned k = 0; k < RACE_NUMBERS; k++)
		if (race_numbers[k].column)
			field[n++] = race_numbers[k].column;
	field[n++] = "speedup_ratio";
	field[n++] = "first_difference_cycle";
	field[n++] = "error";
	export_row(to, field, n);
	for (unsigned i = 0; i < r->n; i++) {
		const struct lane *l = &r->lane[i];
		const struct race_difference *f = &r->own->differ.pair[i].first;

		snprintf(text[0], sizeof(text[0]), "%u", i + 1);
		field[0] = text[0];
		field[1] = l->stack;
		field[2] = state_names[l->state];
		n = 3;
		for (unsigned k = 0; k < RACE_NUMBERS; k++)
			if (race_numbers[k].column) {
				export_number(lane_good(l) ? l->number[k] : (double)NAN, text[n],
					      sizeof(text[n]));
				field[n] = text[n];
				n++;
			}
		export_number(lane_good(l) ? race_speedup(r, i) : (double)NAN, text[n],
			      sizeof(text[n]));
		field[n] = text[n];
		n++;
		export_number(f->known ? (double)f->cycle : (double)NAN, text[n], sizeof(text[n]));
		field[n] = text[n];
		n++;
		field[n++] = l->error;
		export_row(to, field, n);
	}
	return 0;
}

int
race_csv(const struct race *r, const char *path, struct err *e)
{
	if (strcmp(path, "-") == 0)
		return write_rows((void *)r, stdout, e);
	return output_replace(path, 0, write_rows, (void *)r, e);
}
