/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * config.c - mounts the option rows of every part, and parses policy stacks.
 */
#include "sim/config.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "ctascope/policy_file.h"
#include "decl/params.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const kernel_share_names[] = {"leftover", "spatial", "smk", "accelsim", NULL};

#define OPT(...) DECL_ROW(struct machine_cfg, __VA_ARGS__)
#define OPT_ENUM(...) DECL_ROW_ENUM(struct machine_cfg, __VA_ARGS__)
static const struct opt_row machine_opts[] = {
#include "sim/machine.def"
};
#define OPT(...) DECL_ROW(struct run_cfg, __VA_ARGS__)
#define OPT_FIXED(...) DECL_ROW_FIXED(struct run_cfg, __VA_ARGS__)
static const struct opt_row run_opts[] = {
#include "sim/run.def"
};

/* Mounts rows whose options struct is allocated here as *base; without rows there is no struct.
 * */
static int
mount_rows(struct optdb *db, const char *prefix, const struct opt_row *rows, unsigned n,
	   size_t size, void **base, bool live)
{
	if (!n)
		return 0;
	if (!*base && !(*base = calloc(1, size)))
		return -1;
	optdb_mount(db, prefix, rows, n, *base, live);
	return 0;
}

int
config_mount_policy(struct config *c, unsigned i)
{
	const struct cta_sched_ops *o = c->known[i];

	return mount_rows(&c->db, o->name, o->opts, o->n_opts, o->opts_size, &c->policy_opts[i],
			  true);
}

static int
mount_wsched(struct config *c, unsigned i)
{
	const struct warp_sched_ops *o = wsched_table[i];

	assert(i < CONFIG_WSCHEDS && "more warp schedulers than CONFIG_WSCHEDS");
	if (mount_rows(&c->db, "core", o->opts, o->n_opts, o->opts_size, &c->wsched_opts[i],
		       false) < 0)
		return -1;
	if (o->n_opts)
		c->db.group[c->db.n_groups - 1].only_with =
			(struct opt_need){"gpu.warp_sched", o->name};
	return 0;
}

/* A perfect instruction cache needs no other one. */
static void
restrict_icache(struct optdb *db)
{
	for (unsigned i = 0; i < db->n_groups; i++)
		if (strcmp(db->group[i].prefix, "l1i") == 0)
			db->group[i].only_with = (struct opt_need){"core.perfect_icache", "off"};
}

static int
mount_all(struct config *c)
{
	c->db.n_groups = 0;
#define PART(member, prefix, type, rows, n_rows, live) \
	optdb_mount(&c->db, #prefix, rows, n_rows, &c->member, live);
#include "sim/parts.def"
	config_mount_warp_files(c);
	restrict_icache(&c->db);
	for (unsigned i = 0; wsched_table[i]; i++)
		if (mount_wsched(c, i) < 0)
			return -1;
	for (unsigned i = 0; i < c->n_known; i++)
		if (config_mount_policy(c, i) < 0)
			return -1;
	return 0;
}

struct config *
config_new(void)
{
	struct config *c = calloc(1, sizeof(*c));
	const struct cta_sched_ops *const *shipped;
	struct err e;

	if (!c)
		return NULL;
	shipped = cta_sched_list(&c->n_known);
	assert(c->n_known < CONFIG_POLICIES && "more shipped policies than CONFIG_POLICIES");
	memcpy(c->known, shipped, c->n_known * sizeof(c->known[0]));
	if (mount_all(c) < 0) {
		config_free(c);
		return NULL;
	}
	snprintf(c->machine, sizeof(c->machine),
		 "kayiran30"); /* the machine whose values the rows have as defaults */
	err_clear(&e);
	config_policy(c, c->known[0]->name, &e);
	return c;
}

void
config_free(struct config *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i < c->n_known; i++) {
		free(c->policy_opts[i]);
		plugin_close(c->plugin[i]);
	}
	for (unsigned i = 0; i < CONFIG_WSCHEDS; i++)
		free(c->wsched_opts[i]);
	free(c);
}

struct config *
config_copy(const struct config *from)
{
	struct config *c = malloc(sizeof(*c));

	if (!c)
		return NULL;
	*c = *from;
	memset(c->policy_opts, 0, sizeof(c->policy_opts));
	memset(c->wsched_opts, 0, sizeof(c->wsched_opts));
	for (unsigned i = 0; i < c->n_known; i++)
		if (c->plugin[i])
			plugin_ref(c->plugin[i]);
	/* mounting sets defaults, so mount first and copy the values afterwards */
	if (mount_all(c) < 0) {
		config_free(c);
		return NULL;
	}
	optdb_copy(&c->db, &from->db);
	return c;
}

/* Options that may change during a run and make it a different run. Excluded are how the run is
 * carried out and how its energy is computed. */
static bool
is_choice(const struct opt_group *g)
{
	return g->live && strcmp(g->prefix, "run") != 0 && strcmp(g->prefix, "power") != 0;
}

static const struct opt_group *
same_group(const struct optdb *db, const struct opt_group *g)
{
	for (unsigned i = 0; i < db->n_groups; i++)
		if (db->group[i].rows == g->rows && !strcmp(db->group[i].prefix, g->prefix))
			return &db->group[i];
	return NULL;
}

/* Copies these options. A policy that `from` does not know yet gets its defaults. */
static void
take_values(struct config *to, const struct config *from)
{
	for (unsigned i = 0; i < to->db.n_groups; i++) {
		const struct opt_group *g = &to->db.group[i], *f = same_group(&from->db, g);

		if (is_choice(g) && f)
			opt_group_copy(g, f);
		else if (is_choice(g))
			opt_defaults(g->rows, g->n_rows, g->base);
	}
}

const struct cta_sched_ops *
config_known_policy(const struct config *c, const char *name)
{
	for (unsigned i = 0; i < c->n_known; i++)
		if (!strcmp(c->known[i]->name, name))
			return c->known[i];
	return NULL;
}

void
config_put_back(struct config *to, const struct config *from)
{
	take_values(to, from);
	memcpy(to->policy, from->policy, sizeof(to->policy));
	memcpy(to->stack, from->stack, sizeof(to->stack));
	to->n_stack = from->n_stack;
	/* a policy that both have read from its file may be two of one name */
	for (unsigned i = 0; i < to->n_stack; i++)
		if (config_known_policy(to, to->stack[i]->name))
			to->stack[i] = config_known_policy(to, to->stack[i]->name);
	config_place_warp_policy(to);
}

int
config_follow(struct config *to, const struct config *from, struct err *e)
{
	if (strcmp(to->policy, from->policy) && config_policy(to, from->policy, e) < 0)
		return -1;
	take_values(to, from);
	return 0;
}

bool
config_is_choice(const struct config *c, const char *key)
{
	const struct opt_group *g;
	const struct opt_row *r = opt_find(&c->db, key, &g);

	return r && is_choice(g) && opt_is_live(g, r);
}

struct optdb *
config_db(struct config *c)
{
	return &c->db;
}

const struct optdb *
config_db_const(const struct config *c)
{
	return &c->db;
}

const char *
config_machine_name(const struct config *c)
{
	return c->machine;
}

const char *
config_policy_text(const struct config *c)
{
	return c->policy;
}

const struct cta_sched_ops *const *
config_policies(const struct config *c, unsigned *n)
{
	*n = c->n_known;
	return c->known;
}

const void *
config_policy_opts(const struct config *c, const struct cta_sched_ops *o)
{
	for (unsigned i = 0; i < c->n_known; i++)
		if (c->known[i] == o)
			return c->policy_opts[i];
	return NULL;
}

/* ---------------------------------------------------------------- policies */

static const struct cta_sched_ops *
unknown_policy(const struct config *c, const char *name, struct err *e)
{
	const char *names[CONFIG_POLICIES];
	char all[sizeof(((struct hint *)0)->text)];
	struct hint near;
	size_t n = 0;

	if (config_wsched_called(name) != wsched_count) {
		err_set(e,
			"'%s' is a warp scheduler, not a CTA policy; -w %s or 'set warp-sched %s' "
			"chooses it",
			name, name, name);
		return NULL;
	}
	for (unsigned i = 0; i < c->n_known && n < sizeof(all); i++) {
		names[i] = c->known[i]->name;
		n += (size_t)snprintf(all + n, sizeof(all) - n, "%s%s", i ? ", " : "; there are ",
				      names[i]);
	}
	near = near_hint(name, names, c->n_known, all);
	err_set(e, "unknown policy '%s'%s", name, near.text);
	return NULL;
}

/* The first policy is what real GPUs do, and what papers compare with: max or baseline. */
static const struct cta_sched_ops *
policy_called(const struct config *c, const char *name)
{
	const struct cta_sched_ops *o = config_known_policy(c, name);

	if (!o && (!strcmp(name, "max") || !strcmp(name, "baseline")))
		o = c->known[0];
	return o;
}

static int
find_policies(struct config *c, const struct stack_part *part, int n,
	      const struct cta_sched_ops **found, struct err *e)
{
	for (int i = 0; i < n; i++) {
		found[i] = part[i].is_path ? config_load_policy(c, part[i].name, e)
					   : policy_called(c, part[i].name);
		if (!found[i] && !part[i].is_path)
			found[i] = unknown_policy(c, part[i].name, e);
		if (!found[i])
			return -1;
		for (int j = 0; j < i; j++)
			if (found[j] == found[i])
				return err_set(e, "policy '%s' is stacked twice", found[i]->name);
	}
	return 0;
}

/* Inserts the policies on which others build in front of them. */
static int
add_foundations(const struct config *c, struct stack_part *part, int n,
		const struct cta_sched_ops **found, struct err *e)
{
	for (int i = 0; i < n; i++) {
		const char *name = found[i]->with;
		const struct cta_sched_ops *with = name ? config_known_policy(c, name) : NULL;
		bool there = !name;

		if (name && !with)
			return err_set(e, "policy '%s' needs the policy '%s', which is not known",
				       found[i]->name, name);
		for (int j = 0; j < n && !there; j++)
			there = found[j] == with;
		if (there)
			continue;
		if (n == CTA_STACK)
			return err_set(e,
				       "policy '%s' needs %s below it, and the stack is full: "
				       "at most %d policies",
				       found[i]->name, with->name, CTA_STACK);
		memmove(&part[i + 1], &part[i], (size_t)(n - i) * sizeof(part[0]));
		memmove(&found[i + 1], &found[i], (size_t)(n - i) * sizeof(found[0]));
		part[i] = (struct stack_part){0};
		found[i] = with;
		n++;
		i--; /* the inserted policy may itself build on another one */
	}
	return n;
}

/* Rejects policies that decide the same thing, because they would undo each other's decisions.
 * */
static int
check_stack(const struct cta_sched_ops *const *found, int n, struct err *e)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++) {
			uint32_t both = found[i]->role & found[j]->role;

			if (both)
				return err_set(e,
					       "policies '%s' and '%s' cannot be stacked: both "
					       "decide %s",
					       found[j]->name, found[i]->name,
					       both & CTA_ROLE_CORES ? "how many cores work"
					       : both & CTA_ROLE_ORDER
						       ? "which CTA comes next"
						       : "which kernel a CTA is taken from");
		}
	return 0;
}

/* Writes the stack in the form that config_policy() accepts; the user's own policies by their
 * files. */
static int
write_stack(const struct config *c, const struct stack_part *part,
	    const struct cta_sched_ops *const *found, int n, char *text, struct err *e)
{
	size_t at = 0;

	for (int i = 0; i < n && at < POLICY_TEXT; i++) {
		const char *path = config_file(c, found[i]);

		at += (size_t)snprintf(text + at, POLICY_TEXT - at, "%s%s%s%s", i ? "+" : "",
				       path ? path : found[i]->name, part[i].params[0] ? ":" : "",
				       part[i].params);
	}
	if (at >= POLICY_TEXT)
		return err_set(e, "the text of the stack is too long, at most %d characters",
			       POLICY_TEXT - 1);
	return 0;
}

int
config_policy(struct config *c, const char *stack, struct err *e)
{
	struct stack_part part[CTA_STACK];
	const struct cta_sched_ops *found[CTA_STACK];
	char text[POLICY_TEXT];
	int n = stack_parse(stack, part, CTA_STACK, e);

	if (n < 0 || find_policies(c, part, n, found, e) < 0)
		return -1;
	n = add_foundations(c, part, n, found, e);
	if (n < 0 || check_stack(found, n, e) < 0 || write_stack(c, part, found, n, text, e) < 0)
		return -1;
	if (n == CTA_STACK && config_warp_policy(c))
		return err_set(e,
			       "the stack is full: at most %d policies, with that of "
			       "gpu.warp_sched",
			       CTA_STACK);
	for (int i = 0; i < n; i++)
		if (part[i].params[0] &&
		    params_apply(found[i]->name, part[i].params, &c->db, e) < 0)
			return -1;
	c->n_stack = (unsigned)n;
	for (int i = 0; i < n; i++)
		c->stack[i] = found[i];
	config_place_warp_policy(c);
	snprintf(c->policy, sizeof(c->policy), "%s", text);
	return 0;
}

/* ---------------------------------------------------------------- the stack with its values */

static bool
is_named_in(const char *params, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = params; p; p = strchr(p, ',')) {
		p += *p == ',';
		if (strncmp(p, name, n) == 0 && p[n] == '=')
			return true;
	}
	return false;
}

/* Whether the parameter has another value than on the plain machine. */
static bool
is_changed(const struct optdb *db, const struct optdb *plain, const char *key, char *value,
	   size_t size)
{
	char other[64];

	if (opt_get(db, key, value, size, NULL) < 0)
		return false;
	return opt_get(plain, key, other, sizeof(other), NULL) == 0 && strcmp(value, other) != 0;
}

/* Rewrites the parameters of one policy of the stack. */
static void
write_values(const struct config *c, const struct config *plain, const struct cta_sched_ops *o,
	     struct stack_part *part)
{
	char text[sizeof(part->params)] = "", key[128], value[64];
	size_t at = 0;

	for (unsigned r = 0; r < o->n_opts && at < sizeof(text); r++) {
		snprintf(key, sizeof(key), "%s.%s", o->name, o->opts[r].name);
		if (is_changed(&c->db, &plain->db, key, value, sizeof(value)) ||
		    is_named_in(part->params, o->opts[r].name))
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s=%s",
					       at ? "," : "", o->opts[r].name, value);
	}
	if (at < sizeof(text))
		memcpy(part->params, text, sizeof(text));
}

void
config_stack_text(const struct config *c, char text[POLICY_TEXT])
{
	struct config *plain = config_new();
	struct stack_part part[CTA_STACK];
	struct err e = {0};
	int n = stack_parse(c->policy, part, CTA_STACK, &e);

	if (plain && n == (int)c->n_stack && config_machine(plain, c->machine, &e) == 0) {
		for (int i = 0; i < n; i++)
			write_values(c, plain, c->stack[i], &part[i]);
		n = write_stack(c, part, c->stack, n, text, &e);
	} else {
		n = -1;
	}
	if (n < 0)
		snprintf(text, POLICY_TEXT, "%s", c->policy);
	config_free(plain);
}

/* Appends the parameters of one policy that have another value than on the plain machine and that
 * its part of the stack does not name. Returns how many there are. */
static unsigned
write_kept(const struct config *c, const struct config *plain, const struct cta_sched_ops *o,
	   const char *params, struct strbuf *out)
{
	char key[128], value[64];
	unsigned n = 0;

	for (unsigned r = 0; r < o->n_opts; r++) {
		const char *name = o->opts[r].name;

		snprintf(key, sizeof(key), "%s.%s", o->name, name);
		if (is_changed(&c->db, &plain->db, key, value, sizeof(value)) &&
		    !is_named_in(params, name))
			sb_printf(out, "%s%s %s", out->n ? ", " : "", n++ ? name : key, value);
	}
	return n;
}

unsigned
config_kept_values(const struct config *c, struct strbuf *out)
{
	struct config *plain = config_new();
	struct stack_part part[CTA_STACK];
	struct err e = {0};
	int n = stack_parse(c->policy, part, CTA_STACK, &e);
	unsigned kept = 0;

	if (plain && n == (int)c->n_stack && config_machine(plain, c->machine, &e) == 0)
		for (int i = 0; i < n; i++)
			kept += write_kept(c, plain, c->stack[i], part[i].params, out);
	config_free(plain);
	return kept;
}
