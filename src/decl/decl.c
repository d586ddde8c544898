/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decl.c - options as rows: defaults, look-up, setting and printing.
 *
 * The database only borrows: rows are constant tables, the fields live in the structs of whoever
 * mounted them, and a field is always within the range of its row because opt_set is the only way
 * in. What opt_get prints, opt_set takes back to the very same value.
 *
 * Sizes in bytes (unit "bytes") read k, M and G as powers of 1024, all other units as powers of
 * 1000: 16k bytes are 16384, 16k cycles are 16000. Ranges are kept as doubles, so the ends of a
 * 64-bit range above 2^53 are rounded to what a double holds; values are not.
 *
 * Left out: whether an option may change now (`live`) is for the caller to decide.
 */
#include "ctascope/decl.h"

#include "base/number.h"
#include "base/words.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_KEY 128

static void *
field_of(const struct opt_row *r, void *base)
{
	return (char *)base + r->offset;
}

static uint64_t
to_u64(double v)
{
	if (v <= 0)
		return 0;
	return v >= 18446744073709551616.0 ? UINT64_MAX : (uint64_t)v;
}

static void
store_default(const struct opt_row *r, void *base)
{
	void *field = field_of(r, base);

	switch (r->type) {
	case OPT_T_u32:
	case OPT_T_enum:
		*(uint32_t *)field = (uint32_t)r->def;
		break;
	case OPT_T_u64:
		*(uint64_t *)field = to_u64(r->def);
		break;
	case OPT_T_i32:
		*(int32_t *)field = (int32_t)r->def;
		break;
	case OPT_T_f64:
		*(double *)field = r->def;
		break;
	case OPT_T_bool:
		*(bool *)field = r->def != 0;
		break;
	}
}

void
opt_defaults(const struct opt_row *rows, unsigned n_rows, void *base)
{
	for (unsigned i = 0; i < n_rows; i++)
		store_default(&rows[i], base);
}

void
optdb_mount(struct optdb *db, const char *prefix, const struct opt_row *rows, unsigned n_rows,
	    void *base, bool live)
{
	assert(db->n_groups < OPT_MAX_GROUPS && "more option groups than OPT_MAX_GROUPS");
	opt_defaults(rows, n_rows, base);
	db->group[db->n_groups++] = (struct opt_group){
		.prefix = prefix, .rows = rows, .n_rows = n_rows, .base = base, .live = live};
}

static size_t
size_of(enum opt_type type)
{
	switch (type) {
	case OPT_T_u32:
	case OPT_T_enum:
		return sizeof(uint32_t);
	case OPT_T_u64:
		return sizeof(uint64_t);
	case OPT_T_i32:
		return sizeof(int32_t);
	case OPT_T_f64:
		return sizeof(double);
	case OPT_T_bool:
		return sizeof(bool);
	}
	return 0;
}

void
opt_group_copy(const struct opt_group *to, const struct opt_group *from)
{
	assert(to->rows == from->rows && "two structs of the same rows");
	for (unsigned j = 0; j < to->n_rows; j++)
		memcpy(field_of(&to->rows[j], to->base), field_of(&from->rows[j], from->base),
		       size_of(to->rows[j].type));
}

void
optdb_copy(struct optdb *to, const struct optdb *from)
{
	assert(to->n_groups == from->n_groups && "two databases of the same groups");
	for (unsigned i = 0; i < to->n_groups; i++)
		opt_group_copy(&to->group[i], &from->group[i]);
}

static void
key_format(char *buf, size_t size, const struct opt_group *g, const struct opt_row *r)
{
	snprintf(buf, size, "%s%s%s", g->prefix, *g->prefix ? "." : "", r->name);
}

const struct opt_row *
opt_find(const struct optdb *db, const char *key, const struct opt_group **group)
{
	for (unsigned i = 0; i < db->n_groups; i++) {
		const struct opt_group *g = &db->group[i];
		size_t n = strlen(g->prefix);
		const char *name = key;

		if (n) {
			if (strncmp(key, g->prefix, n) != 0 || key[n] != '.')
				continue;
			name = key + n + 1;
		}
		for (unsigned j = 0; j < g->n_rows; j++) {
			if (strcmp(name, g->rows[j].name) == 0) {
				if (group)
					*group = g;
				return &g->rows[j];
			}
		}
	}
	return NULL;
}

void
opt_each(const struct optdb *db,
	 void (*fn)(void *ctx, const char *key, const struct opt_group *g, const struct opt_row *r),
	 void *ctx)
{
	char key[MAX_KEY];

	for (unsigned i = 0; i < db->n_groups; i++) {
		const struct opt_group *g = &db->group[i];

		for (unsigned j = 0; j < g->n_rows; j++) {
			key_format(key, sizeof(key), g, &g->rows[j]);
			fn(ctx, key, g, &g->rows[j]);
		}
	}
}

static void
append_text(char *buf, size_t size, const char *text)
{
	size_t n = strlen(buf);

	snprintf(buf + n, size - n, "%s", text);
}

struct key_list {
	char (*keys)[MAX_KEY];
	const char **names;
	unsigned n;
};

static void
collect_key(void *ctx, const char *key, const struct opt_group *g ATTR_UNUSED,
	    const struct opt_row *r ATTR_UNUSED)
{
	struct key_list *list = ctx;

	snprintf(list->keys[list->n], MAX_KEY, "%s", key);
	list->names[list->n] = list->keys[list->n];
	list->n++;
}

static int
unknown_key(const struct optdb *db, const char *key, struct err *e)
{
	struct key_list list = {0};
	struct hint near = {""};
	unsigned total = 0;

	for (unsigned i = 0; i < db->n_groups; i++)
		total += db->group[i].n_rows;
	list.keys = calloc(total + 1, sizeof(*list.keys));
	list.names = calloc(total + 1, sizeof(*list.names));
	if (list.keys && list.names) { /* without memory: the error alone, no suggestions */
		opt_each(db, collect_key, &list);
		near = near_hint(key, list.names, list.n, "");
	}
	free(list.keys);
	free(list.names);
	return err_of(e, near.text[0] ? ERR_NEAR : ERR_NAME, "unknown option '%.100s'%s", key,
		      near.text[0] ? near.text : "; --list-options lists them");
}

/* "1..65536 sets"; bounds beyond the type itself are cut to it. */
static void
format_range(const struct opt_row *r, char *buf, size_t size)
{
	char min[40], max[40];

	number_format(r->min, min, sizeof(min));
	number_format(r->max, max, sizeof(max));
	if (r->type == OPT_T_u64)
		snprintf(max, sizeof(max), "%" PRIu64, to_u64(r->max));
	snprintf(buf, size, "%s..%s%s%s", min, max, r->unit && *r->unit ? " " : "",
		 r->unit ? r->unit : "");
}

/* 0 when within the row's range; -1 when not, which includes what the type cannot hold. */
static int
check_range(const struct opt_row *r, const struct number *v)
{
	if (r->type == OPT_T_u64) {
		if (v->neg && v->mag)
			return -1;
		return v->mag < to_u64(r->min) || v->mag > to_u64(r->max) ? -1 : 0;
	}
	if (r->type == OPT_T_u32 && (v->f < 0 || v->f > UINT32_MAX))
		return -1;
	if (r->type == OPT_T_i32 && (v->f < INT32_MIN || v->f > INT32_MAX))
		return -1;
	return isfinite(v->f) && v->f >= r->min && v->f <= r->max ? 0 : -1;
}

static int
set_number(const struct opt_row *r, void *field, const char *key, const char *value, struct err *e)
{
	unsigned kilo = r->unit && strcmp(r->unit, "bytes") == 0 ? 1024 : 1000;
	struct number v;
	char range[120];

	format_range(r, range, sizeof(range));
	if (number_parse(value, kilo, &v))
		return err_set(e, "%s: '%.60s' is not a number, expected %s", key, value, range);
	if (r->type != OPT_T_f64 && !v.whole) {
		if (isfinite(v.f) && v.f < 18446744073709551616.0 && v.f > -18446744073709551616.0)
			return err_set(e, "%s: %.60s is not a whole number, expected %s", key,
				       value, range);
		return err_set(e, "%s: %.60s is out of range, expected %s", key, value, range);
	}
	if (check_range(r, &v))
		return err_set(e, "%s: %.60s is out of range, expected %s", key, value, range);
	if (r->type == OPT_T_u64)
		*(uint64_t *)field = v.mag;
	else if (r->type == OPT_T_u32)
		*(uint32_t *)field = (uint32_t)v.mag;
	else if (r->type == OPT_T_i32)
		*(int32_t *)field = (int32_t)v.f;
	else
		*(double *)field = v.f;
	return 0;
}

static int
set_bool(void *field, const char *key, const char *value, struct err *e)
{
	static const char *const on[] = {"on", "yes", "true", "1"};
	static const char *const off[] = {"off", "no", "false", "0"};

	for (unsigned i = 0; i < ARRAY_LEN(on); i++) {
		if (strcmp(value, on[i]) == 0 || strcmp(value, off[i]) == 0) {
			*(bool *)field = strcmp(value, on[i]) == 0;
			return 0;
		}
	}
	return err_set(e,
		       "%s: '%.60s' is neither on nor off, expected on, yes, true, 1, off, no, "
		       "false or 0",
		       key, value);
}

static int
set_enum(const struct opt_group *g, const struct opt_row *r, void *field, const char *key,
	 const char *value, struct err *e)
{
	char choices[240] = "";
	unsigned n = 0;
	int more;

	for (; r->names[n]; n++) {
		if (strcmp(value, r->names[n]) == 0) {
			*(uint32_t *)field = n;
			return 0;
		}
	}
	more = g->more ? g->more->find(g->more->owner, value, e) : OPT_NO_CHOICE;
	if (more != OPT_NO_CHOICE) {
		if (more >= 0)
			*(uint32_t *)field = n + (unsigned)more;
		return more < 0 ? -1 : 0;
	}
	for (unsigned i = 0; i < n; i++) {
		if (i)
			append_text(choices, sizeof(choices),
				    i + 1 == n && !g->more ? " or " : ", ");
		append_text(choices, sizeof(choices), r->names[i]);
	}
	if (g->more) {
		append_text(choices, sizeof(choices), " or ");
		append_text(choices, sizeof(choices), g->more->kind);
	}
	return err_set(e, "%s: unknown choice '%.60s', expected %s%s", key, value, choices,
		       near_hint(value, r->names, n, "").text);
}

int
opt_set(struct optdb *db, const char *key, const char *value, struct err *e)
{
	const struct opt_group *g;
	const struct opt_row *r = opt_find(db, key, &g);
	void *field;

	if (!r)
		return unknown_key(db, key, e);
	field = field_of(r, g->base);
	if (r->type == OPT_T_bool)
		return set_bool(field, key, value, e);
	if (r->type == OPT_T_enum)
		return set_enum(g, r, field, key, value, e);
	return set_number(r, field, key, value, e);
}

/* Is the value among the names of a need, which '|' separates? */
static bool
is_named(const char *names, const char *value)
{
	struct span rest = span_of(names), name;

	while (span_part(&rest, '|', &name))
		if (span_is(name, value))
			return true;
	return false;
}

const struct opt_need *
opt_unmet(const struct optdb *db, const struct opt_group *g, const struct opt_row *r)
{
	const struct opt_need *need = r->only_with.key ? &r->only_with : &g->only_with;
	char value[OPT_VALUE];
	bool but;

	if (!need->key || opt_get(db, need->key, value, sizeof(value), NULL))
		return NULL;
	but = *need->value == '!';
	return is_named(need->value + but, value) != but ? NULL : need;
}

static const char *
enum_name(const struct opt_group *g, const struct opt_row *r, uint32_t number)
{
	uint32_t n = 0;

	while (r->names[n] && n < number)
		n++;
	return r->names[n] ? r->names[n] : g->more->name(g->more->owner, number - n);
}

int
opt_get(const struct optdb *db, const char *key, char *buf, size_t size, struct err *e)
{
	const struct opt_group *g;
	const struct opt_row *r = opt_find(db, key, &g);
	const void *field;

	if (!r)
		return unknown_key(db, key, e);
	field = field_of(r, g->base);
	switch (r->type) {
	case OPT_T_u32:
		snprintf(buf, size, "%" PRIu32, *(const uint32_t *)field);
		break;
	case OPT_T_u64:
		snprintf(buf, size, "%" PRIu64, *(const uint64_t *)field);
		break;
	case OPT_T_i32:
		snprintf(buf, size, "%" PRId32, *(const int32_t *)field);
		break;
	case OPT_T_f64:
		number_format(*(const double *)field, buf, size);
		break;
	case OPT_T_bool:
		snprintf(buf, size, "%s", *(const bool *)field ? "on" : "off");
		break;
	case OPT_T_enum:
		snprintf(buf, size, "%s", enum_name(g, r, *(const uint32_t *)field));
		break;
	}
	return 0;
}
