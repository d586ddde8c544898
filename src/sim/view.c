/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * view.c - paths: rows of view.def, credits.*, and the fields of the policies.
 *
 * A path is resolved once to an id, which is then read often. Groups core, mem and l2 have
 * instances; the totals over the slices are l2.accesses, l2.misses, l2.miss_rate (rows of group
 * l2sum).
 *
 * Column names of CSV files are accepted, too: core.5.ract_ratio is core.5.ract. If the machine has
 * no such value but the time series has, the path means the last sample. Without a group, such a
 * name means all cores or channels; with the prefix gpu_ it means the GPU. Case is ignored.
 */
#include "sim/sim_priv.h"

#include "base/ascii.h"
#include "base/words.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define VIEW(group, field, unit, counter, help, expr) {#group, #field, unit, help, counter},
const struct view_row view_rows[] = {
#include "sim/view.def"
};
const unsigned n_view_rows = ARRAY_LEN(view_rows);

/* An id contains the kind, the row or field, and the first instance; element e is instance first
 * + e. */
enum { ID_ROW, ID_FIELD, ID_FOUND, ID_OPTION, ID_CORE_SERIES, ID_MEM_SERIES, ID_GPU_SERIES };
enum { ID_SUBS = ID_GPU_SERIES + 1 }; /* a row of all schedulers, one core after the other */
#define ID(kind, row, sub, first) \
	((uint64_t)(kind) << 56 | (uint64_t)(row) << 32 | (uint64_t)(sub) << 16 | (uint64_t)(first))

static double
ratio_or_nan(double a, double b)
{
	return b > 0 ? a / b : (double)NAN;
}

static double
count_bits(uint64_t mask)
{
	return __builtin_popcountll(mask);
}

static struct core_view
unfinished_warps(const struct core *c)
{
	const struct core_masks m = core_masks(c);
	struct core_view v;

	look_at_warps(&m, &v);
	return v;
}

static double
sum_core(const struct sim *s, size_t offset)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < s->n_cores; i++)
		n += *(const uint64_t *)((const char *)core_stat(s->core[i].core) + offset);
	return (double)n;
}

static double
sum_class(const struct sim *s, enum cycle_class k)
{
	return sum_core(s, offsetof(struct core_stat, cls) + k * sizeof(uint64_t));
}

static double
sum_ldst(const struct sim *s, size_t offset)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < s->n_cores; i++)
		n += *(const uint64_t *)((const char *)ldst_stat(&s->core[i].ldst) + offset);
	return (double)n;
}

static double
sum_slice(const struct sim *s, size_t offset)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < s->n_slices; i++)
		n += *(const uint64_t *)((const char *)slice_stat(&s->slice[i]) + offset);
	return (double)n;
}

static double
sum_channel(const struct sim *s, size_t offset)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < s->n_channels; i++)
		n += *(const uint64_t *)((const char *)channel_stat(&s->channel[i]) + offset);
	return (double)n;
}

/* ---------------------------------------------------------------- values */

enum {
#define VIEW(group, field, unit, counter, help, expr) ROW_##group##_##field,
#include "sim/view.def"
};

static double
row_value(const struct sim *s, unsigned row, unsigned sub, unsigned i)
{
	struct sub_view u = {0}; /* for values of group "sub" only */

	const struct core *core = s->core[i < s->n_cores ? i : 0].core;
	const struct core_stat *c = core_stat(core);
	const struct ldst_stat *l = ldst_stat(&s->core[i < s->n_cores ? i : 0].ldst);
	const struct cta_core sum = concurrent_core(s, i < s->n_cores ? i : 0), *h = &sum;
	const struct channel_env *channel = &s->channel[i < s->n_channels ? i : 0];
	const struct dram_stat *ch = channel_stat(channel);
	const struct slice_stat *sl = slice_stat(&s->slice[i < s->n_slices ? i : 0]);

	if (!strcmp(view_rows[row].group, "sub"))
		sim_sub_view(s, i, sub, &u);
	switch (row) {
#define VIEW(group, field, unit, counter, help, expr) \
	case ROW_##group##_##field:                   \
		return expr;
#include "sim/view.def"
	default:
		return (double)NAN;
	}
}

static double
field_value(const struct sim *s, unsigned policy, unsigned field, unsigned i)
{
	const struct cta_policy *p = &s->stack.policy[policy];
	const struct cta_field *f;
	const char *at = (const char *)s->stack.host + p->state;

	if (policy >= s->stack.n || field >= p->ops->n_fields)
		return (double)NAN;
	f = &p->ops->fields[field];
	at += f->offset + (f->per_core ? p->ops->state_size + i * p->ops->core_size : 0);
	switch (f->type) {
	case OPT_T_u32:
	case OPT_T_enum:
		return *(const uint32_t *)at;
	case OPT_T_i32:
		return *(const int32_t *)at;
	case OPT_T_f64:
		return *(const double *)at;
	case OPT_T_bool:
		return *(const bool *)at;
	default:
		return (double)*(const int64_t *)at;
	}
}

static double
option_value(const struct sim *s, unsigned group, unsigned row)
{
	const struct opt_group *g = &s->cfg->db.group[group];
	const char *at = (const char *)g->base + g->rows[row].offset;

	switch (g->rows[row].type) {
	case OPT_T_u32:
	case OPT_T_enum:
		return *(const uint32_t *)at;
	case OPT_T_u64:
		return (double)*(const uint64_t *)at;
	case OPT_T_i32:
		return *(const int32_t *)at;
	case OPT_T_f64:
		return *(const double *)at;
	default:
		return *(const bool *)at;
	}
}

/* A value of a series in the last sample. */
static double
last_sample(const struct sim *s, unsigned kind, unsigned field, unsigned i)
{
	unsigned n = series_count(s);

	if (!n)
		return (double)NAN;
	if (kind == ID_CORE_SERIES)
		return series_core(s, (enum series_core_field)field, i, n - 1);
	if (kind == ID_MEM_SERIES)
		return series_mem(s, (enum series_mem_field)field, i, n - 1);
	return series_gpu(s, (enum series_gpu_field)field, n - 1);
}

double
sim_value(const struct sim *s, uint64_t id, unsigned element)
{
	unsigned row = (unsigned)(id >> 32) & 0xffffff, sub = (unsigned)(id >> 16) & 0xffff;
	unsigned i = ((unsigned)id & 0xffff) + element;

	switch (id >> 56) {
	case ID_ROW:
		return row_value(s, row, sub, i);
	case ID_SUBS:
		return row_value(s, row, element % s->shape.n_sched,
				 ((unsigned)id & 0xffff) + element / s->shape.n_sched);
	case ID_FIELD:
		return field_value(s, row, sub, i);
	case ID_FOUND:
		return i ? sim_found(s, i - 1) : found_mean(s);
	case ID_OPTION:
		return option_value(s, row, sub);
	default:
		return last_sample(s, (unsigned)(id >> 56), row, i);
	}
}

/* The word at index v of a list that ends with NULL. */
static const char *
word_of(const char *const *list, double v)
{
	double i = 0;

	while (list && *list && i < v)
		list++, i++;
	return list && i == v ? *list : NULL;
}

const char *
sim_value_name(const struct sim *s, uint64_t id, double v)
{
	unsigned row = (unsigned)(id >> 32) & 0xffffff, sub = (unsigned)(id >> 16) & 0xffff;

	if (id >> 56 == ID_FIELD)
		return word_of(s->stack.policy[row].ops->fields[sub].names, v);
	if (id >> 56 == ID_OPTION && s->cfg->db.group[row].rows[sub].type == OPT_T_enum)
		return word_of(s->cfg->db.group[row].rows[sub].names, v);
	return NULL;
}

/* ---------------------------------------------------------------- names */

unsigned
sim_instances(const struct sim *s, const char *group)
{
	if (!strcmp(group, "core"))
		return s->n_cores;
	if (!strcmp(group, "mem"))
		return s->n_channels;
	if (!strcmp(group, "l2"))
		return s->n_slices;
	if (!strcmp(group, "sub"))
		return s->shape.n_sched;
	for (unsigned i = 0; i < n_view_rows; i++)
		if (!strcmp(view_rows[i].group, group))
			return 1;
	return 0;
}

static bool
has_instances(const char *group)
{
	return !strcmp(group, "core") || !strcmp(group, "mem") || !strcmp(group, "l2");
}

struct collect {
	const char **name;
	unsigned n, cap;
	char *text;
	size_t used;
};

static void
collect_path(void *ctx, const char *path, const char *unit, const char *help)
{
	struct collect *k = ctx;
	size_t n = strlen(path) + 1;

	(void)unit;
	(void)help;
	if (k->n == k->cap || k->used + n > 64 * 1024)
		return;
	memcpy(k->text + k->used, path, n);
	k->name[k->n++] = k->text + k->used;
	k->used += n;
}

static int
unknown_path(const struct sim *s, const char *path, struct err *e)
{
	const char *names[1024] = {0};
	struct collect k = {.name = names, .cap = ARRAY_LEN(names), .text = malloc(64 * 1024)};

	if (e && k.text)
		sim_each_path(s, collect_path, &k);
	err_set(e, "unknown name '%.80s'%s", path, near_hint(path, names, k.n, "").text);
	free(k.text);
	return -1;
}

/* Splits "core.5.n" at dots. Returns the number of pieces, -1 when there are too many or one is
 * empty. */
static int
split_path(const char *path, char part[5][48])
{
	struct span rest = span_of(path), piece;
	int n = 0;

	while (span_part(&rest, '.', &piece))
		if (n == 5 || !piece.n || !span_copy(piece, part[n++], sizeof(part[0])))
			return -1;
	return n;
}

/* Parses "5" or "*" to the first instance and the number of elements; -1 with the reason if out
 * of range. */
static int
parse_instances(const char *text, unsigned n, const char *what, unsigned *first, struct err *e)
{
	char *end;
	unsigned long v;

	if (!strcmp(text, "*")) {
		*first = 0;
		return (int)n;
	}
	v = strtoul(text, &end, 10);
	if (!ascii_is_digit(text[0]) || *end)
		return err_set(e, "'%s' is not a %s, expected 0..%u or *", text, what, n - 1);
	if (v >= n)
		return err_set(e, "%s %s does not exist, expected 0..%u or *", what, text, n - 1);
	*first = (unsigned)v;
	return 1;
}

/* Does the text name the value, either by name or by name and unit as in a column? */
static bool
is_called(const char *name, const char *unit, const char *typed)
{
	char column[96];

	column_name(name, unit, column, sizeof(column));
	return ascii_same(name, typed) || ascii_same(column, typed);
}

/* Finds the id of a value of a group: a row, or a series. */
static bool
find_value(const char *group, const char *field, uint64_t *id)
{
	static const struct {
		const char *group;
		unsigned kind, n;
		const struct series_row *row;
	} series[] = {{"core", ID_CORE_SERIES, SC_FIELDS, series_core_rows},
		      {"mem", ID_MEM_SERIES, SM_FIELDS, series_mem_rows},
		      {"gpu", ID_GPU_SERIES, SG_FIELDS, series_gpu_rows}};

	for (unsigned i = 0; i < n_view_rows; i++)
		if (ascii_same(view_rows[i].group, group) &&
		    is_called(view_rows[i].field, view_rows[i].unit, field)) {
			*id = ID(ID_ROW, i, 0, 0);
			return true;
		}
	for (unsigned g = 0; g < ARRAY_LEN(series); g++)
		for (unsigned i = 0; i < series[g].n && ascii_same(series[g].group, group); i++)
			if (is_called(series[g].row[i].name, series[g].row[i].unit, field)) {
				*id = ID(series[g].kind, i, 0, 0);
				return true;
			}
	return false;
}

/* Finds a column name without a group. Returns its number of elements, or -2. */
static int
find_column(const struct sim *s, const char *name, uint64_t *id)
{
	if (find_value("core", name, id))
		return (int)s->n_cores;
	if (find_value("mem", name, id))
		return (int)s->n_channels;
	return ascii_same_start(name, "gpu_", 4) && find_value("gpu", name + 4, id) ? 1 : -2;
}

static int
policy_path(const struct sim *s, const char *policy, const char *field, const char *index,
	    uint64_t *id, struct err *e)
{
	for (unsigned p = 0; p < s->stack.n; p++) {
		const struct cta_sched_ops *o = s->stack.policy[p].ops;
		unsigned first = 0;
		int n = 1;

		if (strcmp(o->name, policy))
			continue;
		for (unsigned f = 0; f < o->n_fields; f++) {
			if (strcmp(o->fields[f].name, field))
				continue;
			if (o->fields[f].per_core)
				n = parse_instances(index ? index : "*", s->n_cores, "core", &first,
						    e);
			else if (index && &o->fields[f] == found_field(s))
				n = found_index(s, index, &first, e);
			else if (index)
				return err_set(e, "policy.%s.%s has no index", policy, field);
			*id = ID(index && !o->fields[f].per_core ? ID_FOUND : ID_FIELD, p, f,
				 first);
			return n;
		}
		for (unsigned g = 0; g < s->cfg->db.n_groups; g++)
			for (unsigned r = 0; !strcmp(s->cfg->db.group[g].prefix, policy) &&
					     r < s->cfg->db.group[g].n_rows;
			     r++)
				if (!strcmp(s->cfg->db.group[g].rows[r].name, field) && !index) {
					*id = ID(ID_OPTION, g, r, 0);
					return 1;
				}
	}
	return -2;
}

/* The field that credits.local or credits.global reads: the one of the first policy of a list
 * that declares it. */
static const struct cta_field *
find_credits(const struct cta_sched_ops *o, bool per_core)
{
	for (unsigned f = 0; f < o->n_fields; f++)
		if (o->fields[f].credits && o->fields[f].per_core == per_core)
			return &o->fields[f];
	return NULL;
}

static int
credits_path(const struct sim *s, bool per_core, const char *index, uint64_t *id, struct err *e)
{
	for (unsigned p = 0; p < s->stack.n; p++) {
		const struct cta_sched_ops *o = s->stack.policy[p].ops;
		const struct cta_field *f = find_credits(o, per_core);

		if (f)
			return policy_path(s, o->name, f->name, index, id, e);
	}
	return -2;
}

double
view_credits(const struct sim *s, bool per_core, unsigned core)
{
	for (unsigned p = 0; p < s->stack.n; p++) {
		const struct cta_sched_ops *o = s->stack.policy[p].ops;
		const struct cta_field *f = find_credits(o, per_core);

		if (f)
			return sim_value(s, ID(ID_FIELD, p, f - o->fields, core), 0);
	}
	return NAN;
}

const struct cta_sched_ops *
config_credit_policy(const struct config *c)
{
	for (unsigned i = 0; i < c->n_known; i++)
		if (find_credits(c->known[i], true) || find_credits(c->known[i], false))
			return c->known[i];
	return NULL;
}

/* Explains why a credits path has no value. */
static int
no_credits(const struct sim *s, const char *path, struct err *e)
{
	const struct cta_sched_ops *o = config_credit_policy(s->cfg);
	uint64_t id;

	if (credits_path(s, true, NULL, &id, NULL) < 0 &&
	    credits_path(s, false, NULL, &id, NULL) < 0)
		return err_set(e,
			       "'%.60s' needs a policy with credits in the stack%s%s (the stack "
			       "is %s)",
			       path, o ? ", such as " : "", o ? o->name : "", s->cfg->policy);
	if (!strcmp(path, "credits.local"))
		return err_set(e, "'%s' needs an index, such as credits.local.0", path);
	if (!strcmp(path, "credits.global"))
		return err_set(e, "no policy of the stack has credits that all cores share");
	return unknown_path(s, path, e);
}

/* Resolves a value of schedulers of cores, "core.5.sub.2.ready"; either number may be a star. *id
 * becomes that of its row. */
static int
sub_path(const struct sim *s, const char *core, const char *scheduler, uint64_t *id, struct err *e)
{
	unsigned first = 0, sub = 0;
	int cores = parse_instances(core, s->n_cores, "core", &first, e);
	int subs =
		cores < 0 ? -1 : parse_instances(scheduler, s->shape.n_sched, "scheduler", &sub, e);

	if (subs < 0)
		return -1;
	*id |= ID(subs > 1 ? ID_SUBS : ID_ROW, 0, sub, first);
	return cores * subs;
}

int
sim_path(const struct sim *s, const char *path, uint64_t *id, struct err *e)
{
	char part[5][48];
	unsigned first = 0;
	int n = split_path(path, part), k;

	if (n == 3 && !strcmp(part[0], "credits") && !strcmp(part[1], "local"))
		k = credits_path(s, true, part[2], id, e);
	else if (n == 2 && !strcmp(part[0], "credits") && !strcmp(part[1], "global"))
		k = credits_path(s, false, NULL, id, e);
	else if ((n == 3 || n == 4) && !strcmp(part[0], "policy"))
		k = policy_path(s, part[1], part[2], n == 4 ? part[3] : NULL, id, e);
	else
		k = -2;
	if (k != -2)
		return k;
	if (n == 5 && !strcmp(part[0], "core") && !strcmp(part[2], "sub") &&
	    find_value("sub", part[4], id))
		return sub_path(s, part[1], part[3], id, e);
	if (n == 1 && (k = find_column(s, part[0], id)) != -2)
		return k;
	if (n == 3 && has_instances(part[0]) && find_value(part[0], part[2], id)) {
		k = parse_instances(part[1], sim_instances(s, part[0]), part[0], &first, e);
		*id += first;
		return k;
	}
	if (n == 2 && !has_instances(part[0]) && strcmp(part[0], "l2sum") &&
	    strcmp(part[0], "sub") && find_value(part[0], part[1], id))
		return 1;
	if (n == 2 && !strcmp(part[0], "l2") && find_value("l2sum", part[1], id))
		return 1;
	if (!strncmp(path, "credits.", 8))
		return no_credits(s, path, e);
	if (n == 2 && has_instances(part[0]) && e)
		return err_set(e, "'%.60s' needs an index, such as %s.0.%s", path, part[0],
			       part[1]);
	return unknown_path(s, path, e);
}

static void
each_credits_path(const struct sim *s, bool per_core, const char *path,
		  void (*fn)(void *ctx, const char *path, const char *unit, const char *help),
		  void *ctx)
{
	const struct cta_field *f = NULL;

	for (unsigned p = 0; p < s->stack.n && !f; p++)
		f = find_credits(s->stack.policy[p].ops, per_core);
	if (f)
		fn(ctx, path, f->unit, f->help);
}

void
sim_each_path(const struct sim *s,
	      void (*fn)(void *ctx, const char *path, const char *unit, const char *help),
	      void *ctx)
{
	char path[160];

	for (unsigned i = 0; i < n_view_rows; i++) {
		const struct view_row *r = &view_rows[i];

		snprintf(path, sizeof(path), "%s.%s%s",
			 !strcmp(r->group, "sub")     ? "core.*.sub.*"
			 : !strcmp(r->group, "l2sum") ? "l2"
						      : r->group,
			 has_instances(r->group) ? "*." : "", r->field);
		fn(ctx, path, r->unit, r->help);
	}
	for (unsigned p = 0; p < s->stack.n; p++) {
		const struct cta_sched_ops *o = s->stack.policy[p].ops;

		for (unsigned f = 0; f < o->n_fields; f++) {
			snprintf(path, sizeof(path), "policy.%s.%s%s", o->name, o->fields[f].name,
				 o->fields[f].per_core ? ".*" : "");
			fn(ctx, path, o->fields[f].unit, o->fields[f].help);
			if (&o->fields[f] != found_field(s))
				continue;
			snprintf(path, sizeof(path), "policy.%s.%s.mean", o->name,
				 o->fields[f].name);
			fn(ctx, path, o->fields[f].unit,
			   "the same over the kernels so far, by cycles");
		}
		for (unsigned r = 0; r < o->n_opts; r++) {
			snprintf(path, sizeof(path), "policy.%s.%s", o->name, o->opts[r].name);
			fn(ctx, path, o->opts[r].unit, o->opts[r].help);
		}
	}
	each_credits_path(s, true, "credits.local.*", fn, ctx);
	each_credits_path(s, false, "credits.global", fn, ctx);
}
