/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * paths.c - names of values: rows of view.def, credits.*, and the fields of the policies.
 *
 * Groups core, mem and l2 have instances; the totals over the slices are l2.accesses, l2.misses,
 * l2.miss_rate (rows of group l2sum). kernel.ctas is of the kernel that runs, kernel.2.ctas of the
 * second one of the trace (rows of group kernels).
 *
 * What the policies keep for a core, they keep for each kernel. Such a path means the kernel with
 * which the core is shown, unless ".kernel.K" follows the number of the core: core.5.kernel.2.n
 * (rows of group core_kernel), policy.dyncta.limit.5.kernel.2, credits.local.5.kernel.2. A policy's
 * value that cores share takes it at its end.
 *
 * Column names of CSV files are accepted, too: core.5.ract_ratio is core.5.ract. If the machine has
 * no such value but the time series has, the path means the last sample. Without a group, such a
 * name means all cores or channels; with the prefix gpu_ it means the GPU. Case is ignored.
 */
#include "sim/view_id.h"

#include "base/ascii.h"
#include "base/words.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* Groups whose values have paths that do not begin with the group's name. */
static bool
has_another_name(const char *group)
{
	return !strcmp(group, "l2sum") || !strcmp(group, "sub") || !strcmp(group, GROUP_KERNELS) ||
	       !strcmp(group, GROUP_CORE_KERNEL);
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

	if (opt_find(config_db_const(s->cfg), path, NULL)) {
		free(k.text);
		return err_set(
			e, "'%.80s' is an option, not a value of the run; 'show %.80s' prints it",
			path, path);
	}
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

/* Whether the sum of the value over all instances has a meaning. */
static bool
is_counter(const char *group, const char *field)
{
	uint64_t id;

	return find_value(group, field, &id) && id >> 56 == ID_ROW && view_rows[id >> 32].counter;
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

/* The name of a value of a group, for an example. */
static const char *
first_value(const char *group)
{
	for (unsigned i = 0; i < n_view_rows && strcmp(group, "core") != 0; i++)
		if (ascii_same(view_rows[i].group, group))
			return view_rows[i].field;
	return "n";
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

/* Resolves a path without ".kernel.K". */
static int
shown_path(const struct sim *s, const char *path, uint64_t *id, struct err *e)
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
	if (n == 3 && !strcmp(part[0], "kernel") && find_value(GROUP_KERNELS, part[2], id)) {
		k = kernel_index(s, part[1], "", &first, e);
		*id += first;
		return k;
	}
	if (n == 2 && !has_instances(part[0]) && !has_another_name(part[0]) &&
	    find_value(part[0], part[1], id))
		return 1;
	if (n == 2 && !strcmp(part[0], "l2") && find_value("l2sum", part[1], id))
		return 1;
	if (!strncmp(path, "credits.", 8))
		return no_credits(s, path, e);
	if (n == 2 && has_instances(part[0]) && e && !part[1][strspn(part[1], "0123456789")])
		return err_set(e, "'%.60s' needs the name of a value, such as %s.%s.%s", path,
			       part[0], part[1], first_value(part[0]));
	if (n == 2 && has_instances(part[0]) && e)
		return err_set(e, "'%.60s' needs an index, such as %s.0.%s, or %s(%s.*.%s) of all",
			       path, part[0], part[1],
			       is_counter(part[0], part[1]) ? "sum" : "mean", part[0], part[1]);
	return unknown_path(s, path, e);
}

/* ---------------------------------------------------------------- of a kernel */

#define OF_KERNEL ".kernel."

/* Copies the path without ".kernel.K", whose K becomes *kernel, from 0. Returns 0: the path has no
 * such part; -1 with e set: it is wrong. */
static int
cut_kernel(const struct sim *s, const char *path, char *rest, size_t size, unsigned *kernel,
	   struct err *e)
{
	const char *at = strstr(path, OF_KERNEL), *number, *after;
	char text[24];

	if (!at)
		return 0;
	number = at + strlen(OF_KERNEL);
	after = number + strcspn(number, ".");
	snprintf(text, sizeof(text), "%.*s", (int)(after - number), number);
	if (kernel_index(s, text, "", kernel, e) < 0)
		return -1;
	snprintf(rest, size, "%.*s%s", (int)(at - path), path, after);
	return 1;
}

/* Lists the fields of group core_kernel: "ctas, running ...". */
static void
list_fields_of_kernel(char *buf, size_t size)
{
	size_t n = 0;

	*buf = '\0';
	for (unsigned i = 0; i < n_view_rows && n < size; i++)
		if (!strcmp(view_rows[i].group, GROUP_CORE_KERNEL))
			n += (size_t)snprintf(buf + n, size - n, "%s%s", n ? ", " : "",
					      view_rows[i].field);
}

/* Turns the id of a value of the kernel shown into that of the same value of this kernel. */
static int
id_of_kernel(const char *path, unsigned kernel, uint64_t *id, struct err *e)
{
	unsigned row = (unsigned)(*id >> 32) & 0xffffff, sub = (unsigned)(*id >> 16) & 0xffff;
	unsigned first = (unsigned)*id & 0xffff;
	char fields[160];
	uint64_t of_kernel;

	if (*id >> 56 == ID_FIELD) {
		*id = ID(ID_KERNEL_FIELD, ROW_OF_KERNEL(row, kernel), sub, first);
		return 0;
	}
	if (*id >> 56 == ID_ROW && !strcmp(view_rows[row].group, "core") &&
	    find_value(GROUP_CORE_KERNEL, view_rows[row].field, &of_kernel)) {
		row = (unsigned)(of_kernel >> 32) & 0xffffff;
		*id = ID(ID_KERNEL_ROW, row, kernel, first);
		return 0;
	}
	list_fields_of_kernel(fields, sizeof(fields));
	return err_set(
		e,
		"'%.80s': this value is not counted for each kernel; core.N.kernel.K has %s, "
		"and so do the values of policies (policy.NAME.FIELD.N.kernel.K)",
		path, fields);
}

int
sim_path(const struct sim *s, const char *path, uint64_t *id, struct err *e)
{
	char rest[160];
	unsigned kernel;
	int cut = cut_kernel(s, path, rest, sizeof(rest), &kernel, e), n;

	if (cut < 0)
		return -1;
	n = shown_path(s, cut ? rest : path, id, e);
	return n >= 0 && cut && id_of_kernel(path, kernel, id, e) < 0 ? -1 : n;
}

/* ---------------------------------------------------------------- all paths */

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

#define KERNELS_LISTED 16 /* their values are among the paths; those of others can be read */

void
view_row_path(const struct view_row *r, const char *kernel, char *buf, size_t size)
{
	if (!strcmp(r->group, GROUP_KERNELS))
		snprintf(buf, size, "kernel.%s.%s", kernel, r->field);
	else if (!strcmp(r->group, GROUP_CORE_KERNEL))
		snprintf(buf, size, "core.*.kernel.%s.%s", kernel, r->field);
	else
		snprintf(buf, size, "%s.%s%s",
			 !strcmp(r->group, "sub")     ? "core.*.sub.*"
			 : !strcmp(r->group, "l2sum") ? "l2"
						      : r->group,
			 has_instances(r->group) ? "*." : "", r->field);
}

/* Lists a value of a policy for each kernel, where several run together. */
static void
each_kernel_of_field(const struct sim *s, const char *path, const struct cta_field *f,
		     void (*fn)(void *ctx, const char *path, const char *unit, const char *help),
		     void *ctx)
{
	uint32_t kernels = sim_runs_together(s) ? MIN(s->info->n_kernels, KERNELS_LISTED) : 0;
	char of_kernel[200];

	for (unsigned k = 1; k <= kernels; k++) {
		snprintf(of_kernel, sizeof(of_kernel), "%s" OF_KERNEL "%u", path, k);
		fn(ctx, of_kernel, f->unit, f->help);
	}
}

void
sim_each_path(const struct sim *s,
	      void (*fn)(void *ctx, const char *path, const char *unit, const char *help),
	      void *ctx)
{
	char path[160], kernel[16];

	for (unsigned i = 0; i < n_view_rows; i++) {
		const struct view_row *r = &view_rows[i];
		bool on_core = !strcmp(r->group, GROUP_CORE_KERNEL);
		uint32_t kernels =
			on_core || !strcmp(r->group, GROUP_KERNELS) ? s->info->n_kernels : 1;

		if (on_core && !sim_runs_together(s))
			continue; /* core.*.n is the same */

		for (unsigned k = 1; k <= MIN(kernels, KERNELS_LISTED); k++) {
			snprintf(kernel, sizeof(kernel), "%u", k);
			view_row_path(r, kernel, path, sizeof(path));
			fn(ctx, path, r->unit, r->help);
		}
	}
	for (unsigned p = 0; p < s->stack.n; p++) {
		const struct cta_sched_ops *o = s->stack.policy[p].ops;

		for (unsigned f = 0; f < o->n_fields; f++) {
			snprintf(path, sizeof(path), "policy.%s.%s%s", o->name, o->fields[f].name,
				 o->fields[f].per_core ? ".*" : "");
			fn(ctx, path, o->fields[f].unit, o->fields[f].help);
			each_kernel_of_field(s, path, &o->fields[f], fn, ctx);
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
