/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overtime.c - computes expressions over time series: resolves names to series and samples to
 * values.
 *
 * src/eval compiles the text once; its callbacks here find the series of a name and its value in
 * the sample being evaluated. If a value of the machine has no series, the message lists the series
 * of its group.
 */
#include "export/overtime.h"

#include "base/ascii.h"
#include "base/memory.h"
#include "base/words.h"
#include "eval/eval.h"
#include "export/export_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const overtime_group_names[OVERTIME_GROUPS] = {"core", "mem", "gpu"};

struct overtime {
	struct overtime_source from;
	struct expr *x;
	unsigned sample;       /* being evaluated */
	const char *unit;      /* of the names so far; "" when they differ */
	unsigned names;	       /* in the text */
	bool level;	       /* one of them is a level */
	enum overtime_group g; /* of the last one: group, field and instances */
	unsigned field, first, n;
	char *label;
};

/* An id contains group, field and first instance; the group after the last one is time itself.
 * */
enum { TIME_CYCLE, TIME_SPAN };
#define ID(group, field, first) ((uint64_t)(group) << 32 | (uint64_t)(field) << 16 | (first))

/* ---------------------------------------------------------------- a run as a source */

double
overtime_sim_value(const void *sim, enum overtime_group g, unsigned field, unsigned k,
		   unsigned sample)
{
	switch (g) {
	case OVERTIME_CORE:
		return series_core(sim, (enum series_core_field)field, k, sample);
	case OVERTIME_MEM:
		return series_mem(sim, (enum series_mem_field)field, k, sample);
	default:
		return series_gpu(sim, (enum series_gpu_field)field, sample);
	}
}

double
overtime_sim_weight(const void *sim, enum overtime_group g, unsigned field, unsigned k,
		    unsigned sample)
{
	switch (g) {
	case OVERTIME_CORE:
		return series_core_weight(sim, (enum series_core_field)field, k, sample);
	case OVERTIME_MEM:
		return series_mem_weight(sim, (enum series_mem_field)field, k, sample);
	default:
		return series_gpu_weight(sim, (enum series_gpu_field)field, sample);
	}
}

static unsigned
sim_samples(const void *ctx)
{
	return series_count(ctx);
}

static cycle_t
sim_end(const void *ctx, unsigned sample)
{
	return series_end(ctx, sample);
}

static cycle_t
sim_span(const void *ctx, unsigned sample)
{
	return series_span(ctx, sample);
}

static uint32_t
sim_kernel_of(const void *ctx, unsigned sample)
{
	return series_kernel(ctx, sample);
}

struct overtime_source
overtime_source_sim(const struct sim *s)
{
	return (struct overtime_source){.ctx = s,
					.instances = {sim_instances(s, "core"), sim_channels(s), 1},
					.value = overtime_sim_value,
					.count = sim_samples,
					.end = sim_end,
					.span = sim_span,
					.kernel = sim_kernel_of,
					.weight = overtime_sim_weight};
}

/* ---------------------------------------------------------------- rows */

unsigned
overtime_fields(enum overtime_group g)
{
	static const unsigned n[OVERTIME_GROUPS] = {SC_FIELDS, SM_FIELDS, SG_FIELDS};

	return n[g];
}

const struct series_row *
overtime_row(enum overtime_group g, unsigned field)
{
	static const struct series_row *const rows[OVERTIME_GROUPS] = {series_core_rows,
								       series_mem_rows,
								       series_gpu_rows};

	return &rows[g][field];
}

void
overtime_each_name(void (*fn)(void *ctx, const char *path, const char *unit, const char *help),
		   void *ctx)
{
	for (enum overtime_group g = 0; g < OVERTIME_GROUPS; g++)
		for (unsigned f = 0; f < overtime_fields(g); f++) {
			const struct series_row *r = overtime_row(g, f);
			char path[64];

			snprintf(path, sizeof(path), "%s.%s%s", overtime_group_names[g],
				 g == OVERTIME_GPU ? "" : "*.", r->name);
			fn(ctx, path, r->unit, r->help);
		}
}

/* Finds a field by its name or the name of its column; -1: none. */
static int
find_field(enum overtime_group g, const char *name)
{
	for (unsigned f = 0; f < overtime_fields(g); f++) {
		const struct series_row *r = overtime_row(g, f);
		char column[COLUMN_NAME];

		export_column_name(r->name, r->unit, column, sizeof(column));
		if (ascii_same(name, r->name) || ascii_same(name, column))
			return (int)f;
	}
	return -1;
}

/* ---------------------------------------------------------------- names */

struct path {
	char part[3][EVAL_MAX_PATH + 1];
	unsigned n; /* 4 means more than 3 */
};

static void
split_path(const char *text, struct path *p)
{
	struct span rest = span_of(text), piece;

	for (p->n = 0; p->n < 4 && span_part(&rest, '.', &piece); p->n++)
		if (p->n < 3)
			span_copy(piece, p->part[p->n], sizeof(p->part[0]));
}

static int
parse_group(const char *name)
{
	for (unsigned g = 0; g < OVERTIME_GROUPS; g++)
		if (ascii_same(name, overtime_group_names[g]))
			return (int)g;
	return -1;
}

/* Lists all series of a group in an error message. */
static int
report_no_series(const char *path, enum overtime_group g, struct err *e)
{
	char list[300];
	size_t n = 0;

	for (unsigned f = 0; f < overtime_fields(g); f++)
		n += (size_t)snprintf(list + n, n < sizeof(list) ? sizeof(list) - n : 0, "%s%s",
				      f ? ", " : "", overtime_row(g, f)->name);
	return err_set(e, "'%.80s' is not a time series; those of %s are %s", path,
		       overtime_group_names[g], list);
}

struct names {
	const char *name[SC_FIELDS + SM_FIELDS + SG_FIELDS + 2];
	char text[SC_FIELDS + SM_FIELDS + SG_FIELDS][64];
	const char *index; /* replaces the star */
	unsigned n;
};

static void
add_name(void *ctx, const char *path, const char *unit ATTR_UNUSED, const char *help ATTR_UNUSED)
{
	struct names *k = ctx;
	const char *star = strstr(path, "*.");

	if (star)
		snprintf(k->text[k->n], sizeof(k->text[0]), "%.*s%.20s.%s", (int)(star - path),
			 path, k->index, star + 2);
	else
		snprintf(k->text[k->n], sizeof(k->text[0]), "%s", path);
	k->name[k->n] = k->text[k->n];
	k->n++;
}

/* Of a mistyped word alone: the series whose last part, or whose group, is near. */
static struct hint
hint_of_part(const char *word, const struct names *k)
{
	const char *part[ARRAY_LEN(k->name) + OVERTIME_GROUPS], *best;
	unsigned n = 0;

	for (; n < k->n; n++)
		part[n] = strrchr(k->name[n], '.') ? strrchr(k->name[n], '.') + 1 : k->name[n];
	for (unsigned g = 0; g < OVERTIME_GROUPS; g++)
		part[n++] = overtime_group_names[g];
	return near_names(word, part, n, &best, 1) ? near_hint(best, k->name, k->n, "")
						   : (struct hint){""};
}

/* Reports a name without a series. The message depends on whether the machine has a value of that
 * name or a similar one. */
static int
report_unknown(const char *path, const struct path *p, struct err *e)
{
	struct names k = {.index = p->n == 3 ? p->part[1] : "*"};
	int g = parse_group(p->part[0]);
	const unsigned most = g == OVERTIME_GPU ? 3 : 4; /* the GPU has no index */
	bool view = !strcmp(p->part[0], "policy");
	struct hint near;

	for (unsigned i = 0; i < n_view_rows && p->n > 1 && p->n < most; i++)
		view |= !strcmp(view_rows[i].group, p->part[0]) &&
			!strcmp(view_rows[i].field, p->part[p->n - 1]);
	if (view && g >= 0)
		return report_no_series(path, (enum overtime_group)g, e);
	if (view)
		return err_set(e,
			       "'%.80s' has only a present value; time series are kept of core, "
			       "mem and gpu",
			       path);
	overtime_each_name(add_name, &k);
	k.name[k.n++] = "credits.local.*";
	k.name[k.n++] = "credits.global";
	near = near_hint(path, k.name, k.n, "");
	if (!near.text[0] && p->n == 1)
		near = hint_of_part(path, &k);
	return err_of(e, near.text[0] ? ERR_NEAR : ERR_NAME, "no time series '%.80s'%s", path,
		      near.text[0] ? near.text : "; series are kept of core, mem and gpu");
}

/* Parses "5" or "*" to the first instance and the number of them; -1: out of range. */
static int
parse_instances(const char *text, unsigned n, const char *group, unsigned *first, struct err *e)
{
	char *end;
	unsigned long v;

	*first = 0;
	if (!strcmp(text, "*"))
		return (int)n;
	v = strtoul(text, &end, 10);
	if (!ascii_is_digit(text[0]) || *end)
		return err_set(e, "'%.40s' is not the number of a %s; expected 0..%u or *", text,
			       group, n - 1);
	if (v >= n)
		return err_set(e, "%s %.40s does not exist, expected 0..%u or *", group, text,
			       n - 1);
	*first = (unsigned)v;
	return 1;
}

/* Splits a path into group, field and index ("*" if there is none). Returns false if it is not
 * the path of a series. */
static bool
find_series(const struct path *p, enum overtime_group *g, unsigned *field, const char **index)
{
	const char *last = p->part[p->n - 1];
	int group = parse_group(p->part[0]), f = -1;

	*index = p->n == 3 ? p->part[1] : "*";
	if (p->n == 1) { /* a column, or a name without its group */
		if ((f = find_field(OVERTIME_CORE, last)) >= 0)
			group = OVERTIME_CORE;
		else if ((f = find_field(OVERTIME_MEM, last)) >= 0)
			group = OVERTIME_MEM;
		else if (ascii_same_start(last, "gpu_", 4) &&
			 (f = find_field(OVERTIME_GPU, last + 4)) >= 0)
			group = OVERTIME_GPU;
	} else if (ascii_same(p->part[0], "credits")) {
		if (p->n == 3 && ascii_same(p->part[1], "local")) {
			group = OVERTIME_CORE;
			f = SC_CREDITS;
			*index = last;
		} else if (p->n == 2 && ascii_same(last, "global")) {
			group = OVERTIME_GPU;
			f = SG_CREDITS;
		}
	} else if (group >= 0 && p->n == (group == OVERTIME_GPU ? 2 : p->n == 2 ? 2 : 3)) {
		f = find_field((enum overtime_group)group, last);
	}
	if (f < 0)
		return false;
	*g = (enum overtime_group)group;
	*field = (unsigned)f;
	return true;
}

static int
resolve_name(void *ctx, const char *text, uint64_t *id, struct err *e)
{
	struct overtime *o = ctx;
	const char *index, *unit;
	unsigned first = 0, field = 0;
	enum overtime_group g = OVERTIME_GROUPS;
	struct path p;
	int n = 1;

	split_path(text, &p);
	if (ascii_same(text, "$cycle") || ascii_same(text, "$span")) {
		*id = ID(OVERTIME_GROUPS, ascii_same(text, "$span") ? TIME_SPAN : TIME_CYCLE, 0);
		unit = "cycles";
	} else {
		if (!p.n || p.n > 3 || !find_series(&p, &g, &field, &index))
			return report_unknown(text, &p, e);
		n = parse_instances(index, o->from.instances[g], overtime_group_names[g], &first,
				    e);
		if (n < 1)
			return n < 0 ? -1
				     : err_set(e,
					       "'%.80s': no time series of it is kept in this run",
					       text);
		*id = ID(g, field, first);
		unit = overtime_row(g, field)->unit;
		o->level |= overtime_row(g, field)->level;
	}
	o->unit = !o->names || !strcmp(o->unit, unit) ? unit : "";
	o->names++;
	o->g = g;
	o->field = field;
	o->first = first;
	o->n = (unsigned)n;
	return n;
}

static double
read_named_value(void *ctx, uint64_t id, unsigned element)
{
	const struct overtime *o = ctx;
	unsigned g = (unsigned)(id >> 32), field = (unsigned)(id >> 16) & 0xffff;

	if (g == OVERTIME_GROUPS)
		return (double)(field == TIME_SPAN ? o->from.span(o->from.ctx, o->sample)
						   : o->from.end(o->from.ctx, o->sample));
	return o->from.value(o->from.ctx, (enum overtime_group)g, field,
			     ((unsigned)id & 0xffff) + element, o->sample);
}

/* ---------------------------------------------------------------- expressions */

/* Does the expression only add, subtract and reduce its names? Then it has their unit. A plain
 * number (n + 1) is assumed to have that unit as well. */
static bool
keeps_unit(const char *text)
{
	static const char *const plain[] = {"min", "max", "sum", "mean", "abs"};

	while (*text) {
		size_t n = strcspn(text, " \t+-*/%<>=!&|?:(),.");

		if (text[n] == '(' && n) {
			bool known = false;

			for (unsigned i = 0; i < ARRAY_LEN(plain); i++)
				known |= strlen(plain[i]) == n && !strncmp(text, plain[i], n);
			if (!known)
				return false;
		}
		text += n;
		if (*text == '.' && text[1] == '*')
			text++; /* unary, not a product */
		else if (*text && strchr("*/%<>=!&|?:", *text))
			return false;
		text += *text != '\0';
	}
	return true;
}

static bool
is_path(const char *text)
{
	return text[strcspn(text, " \t+-/%<>=!&|?:(),")] == '\0';
}

struct overtime *
overtime_new_from(const struct overtime_source *from, const char *text, struct err *e)
{
	struct overtime *o = memory_new(1, sizeof(*o));
	struct eval_names names = {o, resolve_name, read_named_value};

	text = skip_blanks(text);
	o->label = memory_text(text, strlen(text));
	trim_end(o->label);
	o->from = *from;
	o->unit = "";
	o->x = expr_parse(o->label, &names, e);
	if (!o->x) {
		overtime_free(o);
		return NULL;
	}
	if (!keeps_unit(o->label))
		o->unit = "";
	return o;
}

struct overtime *
overtime_new(const struct sim *s, const char *text, struct err *e)
{
	struct overtime_source from = overtime_source_sim(s);

	return overtime_new_from(&from, text, e);
}

void
overtime_free(struct overtime *o)
{
	if (!o)
		return;
	expr_free(o->x);
	free(o->label);
	free(o);
}

unsigned
overtime_size(const struct overtime *o)
{
	return expr_size(o->x);
}

const double *
overtime_vector(struct overtime *o, unsigned sample)
{
	o->sample = sample;
	return expr_run(o->x);
}

double
overtime_value(struct overtime *o, unsigned sample)
{
	return overtime_size(o) == 1 ? *overtime_vector(o, sample) : (double)NAN;
}

double
overtime_weight(const struct overtime *o, unsigned sample, unsigned element)
{
	double sum = 0;

	if (o->names != 1 || o->g == OVERTIME_GROUPS || !o->from.weight ||
	    !overtime_row(o->g, o->field)->is_rate)
		return 1;
	if (overtime_size(o) == o->n)
		return o->from.weight(o->from.ctx, o->g, o->field, o->first + element, sample);
	for (unsigned i = 0; i < o->n; i++)
		sum += o->from.weight(o->from.ctx, o->g, o->field, o->first + i, sample);
	return sum;
}

const char *
overtime_label(const struct overtime *o)
{
	return o->label;
}

const char *
overtime_unit(const struct overtime *o)
{
	return o->unit;
}

bool
overtime_has_level(const struct overtime *o)
{
	return o->level;
}

bool
overtime_is_series(const struct overtime *o, enum overtime_group *g, unsigned *field)
{
	if (o->names != 1 || o->g == OVERTIME_GROUPS || !is_path(o->label))
		return false;
	*g = o->g;
	*field = o->field;
	return true;
}
