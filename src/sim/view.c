/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * view.c - the values behind paths (paths.c): rows of view.def, fields of the policies, options,
 * and the last sample of the time series. A path is resolved once to an id, which is then read
 * often.
 */
#include "sim/view_id.h"
#include "sim/threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VIEW(group, field, unit, counter, help, expr) {#group, #field, unit, help, counter},
const struct view_row view_rows[] = {
#include "sim/view.def"
};
const unsigned n_view_rows = ARRAY_LEN(view_rows);

static double
ratio_or_nan(double a, double b)
{
	return b > 0 ? a / b : (double)NAN;
}

/* A cycle that may not have come. */
static double
at_cycle(cycle_t t)
{
	return t == CYCLE_NEVER ? (double)NAN : (double)t;
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
	struct sim copy;

	const struct core *core = s->core[i < s->n_cores ? i : 0].core;
	const struct core_stat *c = core_stat(core);
	const struct ldst_stat *l = ldst_stat(&s->core[i < s->n_cores ? i : 0].ldst);
	const bool of_kernel = !strcmp(view_rows[row].group, GROUP_CORE_KERNEL);
	const struct cta_core of_core = of_kernel ? s->stack.host->core[i < s->n_cores ? i : 0]
						  : kernels_core(s, i < s->n_cores ? i : 0);
	const struct cta_core *h = &of_core;
	const struct channel_env *channel = &s->channel[i < s->n_channels ? i : 0];
	const struct dram_stat *ch = channel_stat(channel);
	const struct slice_stat *sl = slice_stat(&s->slice[i < s->n_slices ? i : 0]);

	if (!strcmp(view_rows[row].group, "sub"))
		sim_sub_view(s, i, sub, &u);
	if (i < s->n_cores && !strcmp(view_rows[row].group, "core"))
		s = kernels_show_core(s, i, &copy);
	switch (row) {
#define VIEW(group, field, unit, counter, help, expr) \
	case ROW_##group##_##field:                   \
		return expr;
#include "sim/view.def"
	default:
		return (double)NAN;
	}
}

/* Of the kernel whose policies s->stack.host holds. */
static double
field_value(const struct sim *s, unsigned policy, unsigned field, unsigned i)
{
	const struct cta_policy *p = &s->stack.policy[policy];
	const struct cta_field *f = &p->ops->fields[field];
	const char *at = (const char *)s->stack.host + p->state;

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

/* Of the kernel with which a core is shown, or of the oldest one. */
static double
shown_field_value(const struct sim *s, unsigned policy, unsigned field, unsigned i)
{
	struct sim copy;

	if (policy >= s->stack.n || field >= s->stack.policy[policy].ops->n_fields)
		return (double)NAN;
	if (s->stack.policy[policy].ops->fields[field].per_core)
		s = kernels_show_core(s, i, &copy);
	return field_value(s, policy, field, i);
}

/* A value that each kernel has; unknown while that kernel does not run. */
static double
value_of_kernel(const struct sim *s, uint64_t id, unsigned i)
{
	unsigned row = (unsigned)(id >> 32) & 0xffffff, sub = (unsigned)(id >> 16) & 0xffff;
	bool is_field = id >> 56 == ID_KERNEL_FIELD;
	struct cta_host *h = kernel_host(s, is_field ? KERNEL_OF_ROW(row) : sub);
	struct sim copy = *s;

	if (!h)
		return (double)NAN;
	copy.stack.host = h;
	if (!is_field)
		return row_value(&copy, row, 0, i);
	row = POLICY_OF_ROW(row);
	return row < s->stack.n && sub < s->stack.policy[row].ops->n_fields
		       ? field_value(&copy, row, sub, i)
		       : (double)NAN;
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
		return shown_field_value(s, row, sub, i);
	case ID_KERNEL_ROW:
	case ID_KERNEL_FIELD:
		return value_of_kernel(s, id, i);
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

	if (id >> 56 == ID_KERNEL_FIELD)
		row = POLICY_OF_ROW(row);
	if (id >> 56 == ID_FIELD || id >> 56 == ID_KERNEL_FIELD)
		return word_of(s->stack.policy[row].ops->fields[sub].names, v);
	if (id >> 56 == ID_OPTION && s->cfg->db.group[row].rows[sub].type == OPT_T_enum)
		return word_of(s->cfg->db.group[row].rows[sub].names, v);
	return NULL;
}
