/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare.c - reads two tables into items, and into a map over cores and time (compare.h).
 *
 * Columns that identify a row (run, cycle, core ...) are not statistics. Of a time series, counts
 * are summed; other values are means weighted by the lengths of the samples, if that weight is
 * right.
 */
#include "export/compare.h"

#include "base/memory.h"
#include "base/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- items */

static struct compare_item *
find_or_add_item(struct compare *c, const char *name, const char *unit)
{
	/* The instances of a counter are adjacent, so the search starts at the end. */
	for (unsigned i = c->n_items; i-- > 0;)
		if (strncmp(c->item[i].name, name, sizeof(c->item[0].name) - 1) == 0)
			return &c->item[i]; /* compare as stored: a longer name is truncated */
	struct compare_item *grown = array_try_grow(c->item, c->n_items, sizeof(*c->item));

	if (!grown) {
		c->failed = true;
		return &c->spare;
	}
	c->item = grown;
	c->item[c->n_items] = (struct compare_item){.value = {NAN, NAN}};
	snprintf(c->item[c->n_items].name, sizeof(c->item[0].name), "%s", name);
	snprintf(c->item[c->n_items].unit, sizeof(c->item[0].unit), "%s", unit);
	return &c->item[c->n_items++];
}

/* "core.17.l1_misses" becomes "core.*.l1_misses". */
static void
fold_name(const char *name, char *to, size_t size)
{
	size_t n = 0;
	bool begins = true;

	while (*name && n + 1 < size) {
		size_t digits = begins ? strspn(name, "0123456789") : 0;

		if (digits && name[digits] == '.') {
			to[n++] = '*';
			name += digits;
		} else {
			begins = *name == '.';
			to[n++] = *name++;
		}
	}
	to[n] = '\0';
}

static uint64_t
mix_hash(uint64_t hash, double v)
{
	uint64_t bits = 1;

	if (!isnan(v))
		memcpy(&bits, &v, sizeof(bits));
	return (hash ^ bits) * UINT64_C(0x100000001b3) + 1;
}

bool
compare_differs(const struct compare_item *i)
{
	bool nothing = !i->nonzero[0] && !i->nonzero[1] && i->n[0] && i->n[1];

	return !i->is_wall_clock && !nothing && (i->n[0] != i->n[1] || i->hash[0] != i->hash[1]);
}

bool
compare_has_value(const struct compare_item *i)
{
	return !isnan(i->value[0]) || !isnan(i->value[1]);
}

bool
compare_totals_equal(const struct compare_item *i)
{
	return fabs(i->value[1] - i->value[0]) <= 1e-9 * fabs(i->value[0]);
}

static void
count_differences(struct compare *c)
{
	for (unsigned i = 0; i < c->n_items; i++) {
		bool differs = compare_differs(&c->item[i]);

		c->differ += differs;
		c->same += !differs && !c->item[i].is_wall_clock;
	}
}

static int
report_wrong_field(struct err *e, const char *path, uint64_t line, const char *what,
		   const char *found)
{
	return err_set(e, "'%.200s' line %llu: %s, found '%.40s'", path, (unsigned long long)line,
		       what, found);
}

/* Is the field empty or a number? */
static bool
is_number(const char *text, double *v)
{
	char *end;

	*v = NAN;
	if (!*text)
		return true;
	*v = strtod(text, &end);
	return !*end && !is_blank(*text);
}

double
compare_number(const struct export_rows *r, size_t row, int column)
{
	double v;

	is_number(r->cell[(row + 1) * r->n_columns + (unsigned)column], &v);
	return v;
}

/* ---------------------------------------------------------------- stats */

static void
add_value(struct compare_item *i, unsigned side, double v)
{
	i->is_wall_clock = strcmp(i->name, "sim.cycles_per_second") == 0;
	i->value[side] = i->n[side] ? i->value[side] + v : v;
	i->hash[side] = mix_hash(i->hash[side], v);
	i->n[side]++;
	i->nonzero[side] |= v != 0 && !isnan(v);
}

static void set_class_cycles(struct compare *c);

static int
add_stats(struct compare *c, unsigned side, struct err *e)
{
	const struct export_rows *r = &c->rows[side];

	for (size_t k = 1; k <= r->n_rows; k++) {
		char *const *f = &r->cell[k * 3];
		char name[96];
		double v;

		if (!is_number(f[1], &v))
			return report_wrong_field(e, c->path[side], r->line[k],
						  "the value is not a number", f[1]);
		fold_name(f[0], name, sizeof(name));
		add_value(find_or_add_item(c, name, f[2]), side, v);
	}
	return 0;
}

struct stat_target {
	struct compare *c;
	unsigned side;
};

static void
add_stat(void *ctx, const char *stat, double v, const char *unit)
{
	struct stat_target *t = ctx;
	char name[96];

	fold_name(stat, name, sizeof(name));
	add_value(find_or_add_item(t->c, name, unit), t->side, v);
}

void
compare_sims(struct compare *c, const struct sim *a, const struct sim *b)
{
	const struct sim *sim[2] = {a, b};
	struct stat_target t = {.c = c};

	*c = (struct compare){.kind = COMPARE_STATS};
	for (t.side = 0; t.side < 2; t.side++)
		export_each_stat(sim[t.side], add_stat, &t);
	count_differences(c);
	set_class_cycles(c);
}

/* ---------------------------------------------------------------- tables over cores */

/* Does the column identify the row? */
static bool
names_row(const char *column)
{
	static const char *const key[] = {"run",  "cycle",   "kernel", "span_cycles",
					  "core", "channel", "cluster"};

	for (unsigned i = 0; i < ARRAY_LEN(key); i++)
		if (strcmp(column, key[i]) == 0)
			return true;
	return false;
}

/* How the numbers of a column become one. */
enum fold {
	FOLD_NONE, /* the table does not have the weights, or the number stands for a state */
	FOLD_SUM,
	FOLD_CYCLES, /* mean, weighted by the cycles of the row */
	FOLD_ON	     /* the same without the cycles in which the core was gated, as of RACT */
};

static enum fold
choose_fold(const struct export_rows *r, const char *column)
{
	const struct series_row *row;

	if (strcmp(column, "ract_ratio") == 0)
		return FOLD_ON;
	if (export_rows_column(r, "span_cycles") < 0)
		return FOLD_SUM;
	row = compare_series_row(r, column);
	if (!row || !row->has_mean || row == &series_core_rows[SC_STATE])
		return FOLD_NONE;
	return row->count ? FOLD_SUM : FOLD_CYCLES;
}

/* The columns that weigh a row; -1: the table does not have them. */
struct weights {
	enum fold fold;
	int span, gated, class[CC_CLASSES];
};

static struct weights
find_weights(const struct export_rows *r, const char *column)
{
	struct weights w = {choose_fold(r, column), export_rows_column(r, "span_cycles"), -1, {0}};

	w.gated = export_rows_column(r, w.span >= 0 ? "gated_ratio" : "gated_cycles");
	for (unsigned k = 0; k < CC_CLASSES; k++) {
		char name[64];

		snprintf(name, sizeof(name), "%s_cycles", cycle_class_names[k]);
		w.class[k] = export_rows_column(r, name);
	}
	return w;
}

/* Returns the cycles that a row is about: those of its sample, or of its core up to now. */
static double
cycles_of_row(const struct export_rows *r, size_t row, const struct weights *w)
{
	double sum = 0;

	if (w->span >= 0)
		return compare_number(r, row, w->span);
	for (unsigned k = 0; k < CC_CLASSES; k++)
		sum += w->class[k] >= 0 ? compare_number(r, row, w->class[k]) : (double)NAN;
	return sum;
}

/* Returns the weight of a row; 0 or NaN: it has none. */
static double
weight_of_row(const struct export_rows *r, size_t row, const struct weights *w)
{
	double all;

	if (w->fold == FOLD_NONE || w->fold == FOLD_SUM)
		return w->fold == FOLD_SUM;
	all = cycles_of_row(r, row, w);
	if (w->fold == FOLD_CYCLES)
		return all;
	return w->gated < 0 ? (double)NAN
			    : all - compare_number(r, row, w->gated) * (w->span >= 0 ? all : 1);
}

/* Adds a column as an item. Texts, such as a state, affect only the hash. */
static void
add_column(struct compare *c, unsigned side, unsigned column)
{
	const struct export_rows *r = &c->rows[side];
	struct compare_item *i = find_or_add_item(c, r->cell[column], "");
	struct weights weights = find_weights(r, r->cell[column]);
	double sum = 0, weight = 0;

	for (size_t k = 1; k <= r->n_rows; k++) {
		const char *text = r->cell[k * r->n_columns + column];
		double v, w;

		i->n[side]++;
		i->nonzero[side] |= !is_number(text, &v) || (v != 0 && !isnan(v));
		if (isnan(v)) {
			for (const char *p = text; *p; p++)
				i->hash[side] = mix_hash(i->hash[side], *p);
			continue;
		}
		i->hash[side] = mix_hash(i->hash[side], v);
		w = weight_of_row(r, k - 1, &weights);
		if (!(w > 0))
			continue;
		sum += v * w;
		weight += w;
	}
	if (weight > 0)
		i->value[side] = weights.fold == FOLD_SUM ? sum : sum / weight;
}

static void
add_columns(struct compare *c, unsigned side)
{
	const struct export_rows *r = &c->rows[side];

	for (unsigned k = 0; k < r->n_columns; k++)
		if (!names_row(r->cell[k]))
			add_column(c, side, k);
}

/* ---------------------------------------------------------------- where the cycles went */

/* Sums the core cycles of a class. A series gives the share of a class in each sample of each
 * core. */
static double
sum_class_cycles(const struct export_rows *r, const char *class)
{
	char name[64];
	int span = export_rows_column(r, "span_cycles"), at;
	double sum = 0;

	snprintf(name, sizeof(name), "%s_ratio", class);
	at = export_rows_column(r, name);
	if (at < 0 || span < 0)
		return NAN;
	for (size_t k = 0; k < r->n_rows; k++) {
		double v = compare_number(r, k, at);

		if (!isnan(v))
			sum += v * compare_number(r, k, span);
	}
	return sum;
}

static void
set_class_cycles(struct compare *c)
{
	for (unsigned side = 0; side < 2; side++)
		for (unsigned k = 0; k < CC_CLASSES; k++) {
			char name[64];

			c->class_cycles[side][k] = NAN;
			if (c->kind == COMPARE_SERIES)
				c->class_cycles[side][k] =
					sum_class_cycles(&c->rows[side], cycle_class_names[k]);
			snprintf(name, sizeof(name), "%s%s_cycles",
				 c->kind == COMPARE_STATS ? "gpu." : "", cycle_class_names[k]);
			for (unsigned i = 0; i < c->n_items; i++)
				if (strcmp(c->item[i].name, name) == 0)
					c->class_cycles[side][k] = c->item[i].value[side];
		}
}

bool
compare_has_classes(const struct compare *c)
{
	for (unsigned side = 0; side < 2; side++) {
		double all = 0;

		for (unsigned k = 0; k < CC_CLASSES; k++)
			all += c->class_cycles[side][k];
		if (!(all > 0))
			return false;
	}
	return true;
}

/* Sets the last cycle of both tables, from the rows or from the statistics. */
static void
set_last_cycles(struct compare *c)
{
	for (unsigned side = 0; side < 2; side++) {
		const struct export_rows *r = &c->rows[side];
		int at = export_rows_column(r, "cycle");

		c->cycles[side] = NAN;
		for (size_t k = 0; at >= 0 && k < r->n_rows; k++)
			c->cycles[side] = fmax(c->cycles[side], compare_number(r, k, at));
		for (unsigned i = 0; c->kind == COMPARE_STATS && i < c->n_items; i++)
			if (strcmp(c->item[i].name, "gpu.cycles") == 0)
				c->cycles[side] = c->item[i].value[side];
	}
}

/* ---------------------------------------------------------------- reading */

static int
detect_kind(const struct export_rows *r, const char *path, enum compare_kind *kind, struct err *e)
{
	static const char *const stats[] = {"name", "value", "unit"};
	bool is_stats = r->n_columns == 3;

	for (unsigned i = 0; i < 3 && is_stats; i++)
		is_stats = strcmp(r->cell[i], stats[i]) == 0;
	if (r->n_rows == 0)
		return err_set(e,
			       r->cut ? "'%.200s' ends early: it has no complete row"
				      : "'%.200s' has no rows",
			       path);
	*kind = is_stats				    ? COMPARE_STATS
		: export_rows_column(r, "span_cycles") >= 0 ? COMPARE_SERIES
							    : COMPARE_NOW;
	if (is_stats || (export_rows_column(r, "cycle") >= 0 &&
			 (*kind == COMPARE_NOW ? export_rows_column(r, "active_cycles") >= 0
					       : export_rows_column(r, "core") >= 0 ||
							 export_rows_column(r, "channel") >= 0)))
		return 0;
	if (export_rows_is_sweep(r))
		return err_set(e,
			       "'%.200s' is the table of a race or sweep; 'ctascope plot %.100s -n "
			       "POLICY' "
			       "compares its rows",
			       path, path);
	return err_set(e,
		       "'%.200s' cannot be compared: expected a table of dump csv stats, series, "
		       "mem or cores",
		       path);
}

static int
check_same_header(const struct compare *c, struct err *e)
{
	const struct export_rows *a = &c->rows[0], *b = &c->rows[1];

	for (unsigned i = 0; i < MAX(a->n_columns, b->n_columns); i++) {
		const char *x = i < a->n_columns ? a->cell[i] : "nothing",
			   *y = i < b->n_columns ? b->cell[i] : "nothing";

		if (strcmp(x, y) != 0)
			return err_set(e,
				       "not the same table: column %u is '%.60s' in '%.120s' and "
				       "'%.60s' in '%.120s'",
				       i + 1, x, c->path[0], y, c->path[1]);
	}
	return 0;
}

/* Counts the rows at one end of a table that have the same cycle. */
static size_t
count_sample(const struct export_rows *r, bool last)
{
	int cycle = export_rows_column(r, "cycle");
	size_t n = 1, end = last ? r->n_rows - 1 : 0;

	while (n < r->n_rows &&
	       compare_number(r, last ? end - n : n, cycle) == compare_number(r, end, cycle))
		n++;
	return n;
}

/* If the other table begins with all names of this one and has more, returns the first name that is
 * missing here; otherwise NULL. */
static const char *
find_missing_stat(const struct export_rows *r, const struct export_rows *other)
{
	if (r->n_rows >= other->n_rows)
		return NULL;
	for (size_t k = 1; k <= r->n_rows; k++)
		if (strcmp(r->cell[k * 3], other->cell[k * 3]) != 0)
			return NULL;
	return other->cell[(r->n_rows + 1) * 3];
}

/* Notes that a table was cut short while it was written or copied. Rows missing for this reason are
 * not a difference between the runs. */
static void
find_early_end(struct compare *c, unsigned side)
{
	const struct export_rows *r = &c->rows[side];
	unsigned long long line = r->line[r->n_rows];
	const char *name = NULL, *path = c->path[side];
	char *to = c->early[side];
	size_t size = sizeof(c->early[side]), first, last;

	if (c->kind == COMPARE_STATS)
		name = find_missing_stat(r, &c->rows[!side]);
	first = c->kind == COMPARE_SERIES ? count_sample(r, false) : 0;
	last = first ? count_sample(r, true) : 0;
	if (r->cut)
		snprintf(
			to, size,
			"%.200s ends early: the line after line %llu is incomplete and was skipped",
			path, line);
	else if (name)
		snprintf(to, size,
			 "%.200s ends early, after line %llu: %.60s and what follows is missing",
			 path, line, name);
	else if (last < first)
		snprintf(to, size,
			 "%.200s ends early, after line %llu: its last sample has %zu of %zu rows",
			 path, line, last, first);
}

/* Notes that the first samples have different lengths. A run of one sample has no length to
 * compare. */
static void
find_spans(struct compare *c)
{
	double span[2], last;

	if (c->kind != COMPARE_SERIES)
		return;
	for (unsigned side = 0; side < 2; side++) {
		const struct export_rows *r = &c->rows[side];
		int cycle = export_rows_column(r, "cycle");

		span[side] = compare_number(r, 0, export_rows_column(r, "span_cycles"));
		last = compare_number(r, r->n_rows - 1, cycle);
		if (last == compare_number(r, 0, cycle))
			return;
	}
	if (span[0] > 0 && span[1] > 0 && span[0] != span[1])
		snprintf(c->spans, sizeof(c->spans),
			 "a sample of A has %.0f cycles, one of B %.0f: columns differ for this "
			 "reason "
			 "alone, and levels are read at other cycles. Dump both runs with the same "
			 "run.sample, or compare 'dump csv stats'",
			 span[0], span[1]);
}

int
compare_read(struct compare *c, const char *a, const char *b, struct err *e)
{
	*c = (struct compare){.path = {a, b}};
	for (unsigned side = 0; side < 2; side++) {
		enum compare_kind kind = COMPARE_NOW;

		if (export_rows_read(c->path[side], &c->rows[side], e) ||
		    detect_kind(&c->rows[side], c->path[side], &kind, e))
			return -1;
		c->kind = kind;
	}
	if (check_same_header(c, e))
		return -1;
	for (unsigned side = 0; side < 2; side++)
		if (c->kind != COMPARE_STATS)
			add_columns(c, side);
		else if (add_stats(c, side, e))
			return -1;
	if (c->failed)
		return err_nomem(e);
	count_differences(c);
	set_class_cycles(c);
	set_last_cycles(c);
	find_early_end(c, 0);
	find_early_end(c, 1);
	find_spans(c);
	return 0;
}

void
compare_free(struct compare *c)
{
	export_rows_free(&c->rows[0]);
	export_rows_free(&c->rows[1]);
	free(c->item);
	*c = (struct compare){0};
}

/* ---------------------------------------------------------------- columns */

int
compare_column(const struct compare *c, const char *column, struct err *e)
{
	const struct export_rows *r = &c->rows[0];
	int at = export_rows_column(r, column ? column : "ctas_running");

	/* the unit may be omitted: ract is ract_ratio */
	for (unsigned i = 0; column && at < 0 && i < r->n_columns; i++)
		if (strncmp(r->cell[i], column, strlen(column)) == 0 &&
		    r->cell[i][strlen(column)] == '_')
			at = (int)i;
	if (at >= 0 && !names_row(r->cell[at]))
		return at;
	if (column)
		return err_set(
			e, "'%.200s' has no column '%.60s'%s", c->path[0], column,
			near_hint(column, (const char *const *)r->cell, r->n_columns, "").text);
	for (unsigned i = 0; i < r->n_columns; i++)
		if (!names_row(r->cell[i]))
			return (int)i;
	return err_set(e, "'%.200s' has no column to show", c->path[0]);
}
