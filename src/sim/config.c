/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * config.c - mounts the rows of every part, parses policy stacks.
 */
#include "sim/config.h"
#include "base/words.h"
#include "decl/params.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPT(...) DECL_ROW(struct machine_cfg, __VA_ARGS__)
static const struct opt_row machine_opts[] = {
#include "sim/machine.def"
};
#define OPT(...) DECL_ROW(struct run_cfg, __VA_ARGS__)
#define OPT_FIXED(...) DECL_ROW_FIXED(struct run_cfg, __VA_ARGS__)
static const struct opt_row run_opts[] = {
#include "sim/run.def"
};

/* Rows whose struct is made here, *base; no rows, no struct. */
static int
mount(struct optdb *db, const char *prefix, const struct opt_row *rows, unsigned n, size_t size,
      void **base, bool live)
{
	if (!n)
		return 0;
	if (!*base && !(*base = calloc(1, size)))
		return -1;
	optdb_mount(db, prefix, rows, n, *base, live);
	return 0;
}

/* The parameters of known policy i; its name is their prefix. */
static int
mount_policy(struct config *c, unsigned i)
{
	const struct cta_sched_ops *o = c->known[i];

	return mount(&c->db, o->name, o->opts, o->n_opts, o->opts_size, &c->policy_opts[i], true);
}

static int
mount_wsched(struct config *c, unsigned i)
{
	const struct warp_sched_ops *o = wsched_table[i];

	assert(i < CONFIG_WSCHEDS && "more warp schedulers than CONFIG_WSCHEDS");
	return mount(&c->db, "core", o->opts, o->n_opts, o->opts_size, &c->wsched_opts[i], false);
}

static int
mount_all(struct config *c)
{
	c->db.n_groups = 0;
#define PART(member, prefix, type, rows, n_rows, live) \
	optdb_mount(&c->db, #prefix, rows, n_rows, &c->member, live);
#include "sim/parts.def"
	for (unsigned i = 0; wsched_table[i]; i++)
		if (mount_wsched(c, i) < 0)
			return -1;
	for (unsigned i = 0; i < c->n_known; i++)
		if (mount_policy(c, i) < 0)
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
	snprintf(c->machine, sizeof(c->machine), "kayiran30"); /* as the rows have it */
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
	/* mounting sets defaults: mount first, then take the values over */
	if (mount_all(c) < 0) {
		config_free(c);
		return NULL;
	}
	optdb_copy(&c->db, &from->db);
	return c;
}

/* What may change during a run and makes it another one: not how it is carried out, nor what its
 * energy is computed with. */
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

/* A policy that `from` does not know yet has its defaults there. */
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

void
config_put_back(struct config *to, const struct config *from)
{
	take_values(to, from);
	memcpy(to->policy, from->policy, sizeof(to->policy));
	memcpy(to->stack, from->stack, sizeof(to->stack));
	to->n_stack = from->n_stack;
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
config_stack(const struct config *c, unsigned *n)
{
	*n = c->n_stack;
	return c->stack;
}

const struct cta_sched_ops *const *
config_policies(const struct config *c, unsigned *n)
{
	*n = c->n_known;
	return c->known;
}

const char *
config_wsched_name(const struct config *c)
{
	return wsched_names[c->sched.warp_sched];
}

const void *
config_policy_opts(const struct config *c, const struct cta_sched_ops *o)
{
	for (unsigned i = 0; i < c->n_known; i++)
		if (c->known[i] == o)
			return c->policy_opts[i];
	return NULL;
}

int
config_wsched(struct config *c, const char *name, struct err *e)
{
	return opt_set(&c->db, "gpu.warp_sched", name, e);
}

/* ---------------------------------------------------------------- policies */

static const struct cta_sched_ops *
known_policy(const struct config *c, const char *name)
{
	for (unsigned i = 0; i < c->n_known; i++)
		if (!strcmp(c->known[i]->name, name))
			return c->known[i];
	return NULL;
}

/* The file a policy was loaded from; NULL: it comes with the program. */
static const char *
policy_path(const struct config *c, const struct cta_sched_ops *o)
{
	for (unsigned i = 0; i < c->n_known; i++)
		if (c->known[i] == o && c->plugin[i])
			return c->plugin[i]->path;
	return NULL;
}

/* Its name must not be that of a policy, of a group of options, or of something else that stands in
 * their place in output and commands. */
static int
check_name(const struct config *c, const struct plugin *p, struct err *e)
{
	static const char *const reserved[] = {"host", "ui", "color", "time", "policy"};
	const char *name = p->ops->name;
	const struct cta_sched_ops *o = known_policy(c, name);
	bool taken = false;

	if (o)
		return err_set(e, "policy '%s': its name '%s' is that of %s%s", p->path, name,
			       policy_path(c, o) ? "the policy of " : "a policy of ctascope",
			       policy_path(c, o) ? policy_path(c, o) : "");
	for (unsigned i = 0; i < ARRAY_LEN(reserved); i++)
		taken |= !strcmp(reserved[i], name);
	for (unsigned i = 0; i < c->db.n_groups; i++)
		taken |= !strcmp(c->db.group[i].prefix, name);
	if (taken)
		return err_set(e, "policy '%s': its name '%s' has another meaning in ctascope",
			       p->path, name);
	return 0;
}

void
config_set_try(struct config *c, config_try_fn *try_load)
{
	if (c)
		c->try_load = try_load;
}

static int
load_and_drop(const char *path, struct err *e)
{
	struct plugin *p = plugin_open(path, e);

	plugin_close(p);
	return p ? 0 : -1;
}

static bool
is_loaded(const struct config *c, const char *path)
{
	for (unsigned i = 0; i < c->n_known; i++)
		if (c->plugin[i] && strcmp(c->plugin[i]->path, path) == 0)
			return true;
	return false;
}

/* Takes the policy of a file in, once, whatever it is called then. */
static const struct cta_sched_ops *
load_policy(struct config *c, const char *path, struct err *e)
{
	struct plugin *p;

	if (c->try_load && !is_loaded(c, path) && c->try_load(load_and_drop, path, e))
		return NULL;
	p = plugin_open(path, e);
	for (unsigned i = 0; p && i < c->n_known; i++)
		if (c->known[i] == p->ops) {
			plugin_close(p);
			return c->known[i];
		}
	if (!p)
		return NULL;
	if (c->n_known == CONFIG_POLICIES || c->db.n_groups == OPT_MAX_GROUPS) {
		err_set(e, "policy '%s': %u policies are known already", path, c->n_known);
	} else if (check_name(c, p, e) == 0) {
		c->known[c->n_known] = p->ops;
		if (mount_policy(c, c->n_known) == 0) {
			c->plugin[c->n_known] = p;
			return c->known[c->n_known++];
		}
		err_nomem(e);
	}
	plugin_close(p);
	return NULL;
}

static const struct cta_sched_ops *
unknown_policy(const struct config *c, const char *name, struct err *e)
{
	const char *names[CONFIG_POLICIES];

	for (unsigned i = 0; i < c->n_known; i++)
		names[i] = c->known[i]->name;
	err_set(e, "unknown policy '%s'%s", name, near_hint(name, names, c->n_known, "").text);
	return NULL;
}

static int
find_policies(struct config *c, const struct stack_part *part, int n,
	      const struct cta_sched_ops **found, struct err *e)
{
	for (int i = 0; i < n; i++) {
		found[i] = part[i].is_path ? load_policy(c, part[i].name, e)
					   : known_policy(c, part[i].name);
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

/* A policy that builds on another one gets it put in front. */
static int
add_foundations(const struct config *c, struct stack_part *part, int n,
		const struct cta_sched_ops **found, struct err *e)
{
	for (int i = 0; i < n; i++) {
		const char *name = found[i]->with;
		const struct cta_sched_ops *with = name ? known_policy(c, name) : NULL;
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
		i--; /* it may build on another one itself */
	}
	return n;
}

/* Policies that decide the same thing would undo each other's decisions. */
static int
check_stack(const struct cta_sched_ops *const *found, int n, struct err *e)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			if (found[i]->role & found[j]->role & CTA_ROLE_CORES)
				return err_set(e,
					       "policies '%s' and '%s' cannot be stacked: both "
					       "decide how many cores work",
					       found[j]->name, found[i]->name);
	return 0;
}

/* The stack as config_policy() would take it: a policy of a user's own by its file. */
static int
write_stack(const struct config *c, const struct stack_part *part,
	    const struct cta_sched_ops *const *found, int n, char *text, struct err *e)
{
	size_t at = 0;

	for (int i = 0; i < n && at < POLICY_TEXT; i++) {
		const char *path = policy_path(c, found[i]);

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
	for (int i = 0; i < n; i++)
		if (part[i].params[0] &&
		    params_apply(found[i]->name, part[i].params, &c->db, e) < 0)
			return -1;
	c->n_stack = (unsigned)n;
	for (int i = 0; i < n; i++)
		c->stack[i] = found[i];
	snprintf(c->policy, sizeof(c->policy), "%s", text);
	return 0;
}

static bool
pow2(uint32_t n)
{
	return n && !(n & (n - 1));
}

static int
check_cache(const char *name, const struct cache_cfg *k, struct err *e)
{
	if (!pow2(k->sets) || !pow2(k->line))
		return err_set(e, "%s: %u sets of %u bytes, expected powers of two", name, k->sets,
			       k->line);
	return 0;
}

/* A look-up that may leave a miss and a write-back asks for two places: with one it never would. */
static int
check_miss_queue(const char *name, const struct cache_cfg *k, struct err *e)
{
	if (k->miss_queue < 2)
		return err_set(
			e,
			"%s.miss_queue: %u place is too few: a miss asks for two, expected 2..64",
			name, k->miss_queue);
	return 0;
}

/* What a core with sub-cores must have, and one without cannot have. */
static int
check_subs(const struct core_cfg *k, struct err *e)
{
	const uint32_t four[] = {k->units_sp, k->units_sfu, k->units_branch, k->units_tex};
	const uint32_t more[] = {k->units_int, k->units_dp, k->units_tensor, k->units_uniform};

	for (unsigned i = 0; i < ARRAY_LEN(more); i++) {
		if (!k->sub_cores && more[i])
			return err_set(e,
				       "core.units_int, units_dp, units_tensor and units_uniform "
				       "need core.sub_cores");
		if (k->sub_cores && ((more[i] && more[i] != CORE_SUBS) || four[i] != CORE_SUBS))
			return err_set(e,
				       "core.sub_cores: expected %d pipes of every kind, or 0 of "
				       "units_int, units_dp, units_tensor and units_uniform",
				       CORE_SUBS);
	}
	if (!k->sub_cores && (k->perfect_icache || k->fetch_rounds > 1 || k->reg_steps > 1))
		return err_set(e, "core.perfect_icache, fetch_rounds and reg_steps need "
				  "core.sub_cores");
	if (!k->sub_cores)
		return 0;
	if (k->schedulers != CORE_SUBS || k->collectors_gen != 2 * CORE_SUBS ||
	    k->collectors_sp + k->collectors_sfu + k->collectors_mem || k->reg_banks < CORE_SUBS)
		return err_set(
			e,
			"core.sub_cores: expected %d schedulers, %d general collectors and no "
			"others, and at least %d register banks",
			CORE_SUBS, 2 * CORE_SUBS, CORE_SUBS);
	return 0;
}

static int
check_sectored(const struct config *c, struct err *e)
{
	uint32_t ways = c->ldst.unified ? (c->ldst.unified << 10) / (c->l1d.sets * c->l1d.line)
					: c->l1d.assoc;

	if (!c->ldst.sectored)
		return c->ldst.unified ? err_set(e, "ldst.unified needs ldst.sectored") : 0;
	if (!pow2(c->ldst.l1_banks) || c->l1d.line != LINE_SECTORS * SECTOR || !ways ||
	    c->l1d.sets > 64 || c->l1d.sets * ways > 1024)
		return err_set(
			e,
			"ldst.sectored: %u banks, %u sets of %u ways of %u bytes, expected 1, 2 "
			"or 4 banks, at most 64 sets and 1,024 lines of 128 bytes",
			c->ldst.l1_banks, c->l1d.sets, ways, c->l1d.line);
	return 0;
}

static bool
can_hash(uint32_t n)
{
	return n == 16 || n == 32 || n == 64;
}

static int
check_hashes(const struct config *c, struct err *e)
{
	uint32_t slices = c->mem.channels * c->mem.slices;

	if (c->mem.slice_hash && !can_hash(slices))
		return err_set(e, "mem.slice_hash: %u slices, expected 16, 32 or 64", slices);
	if (c->l2.poly_hash && !can_hash(c->l2.sets))
		return err_set(e, "l2.poly_hash: %u sets, expected 16, 32 or 64", c->l2.sets);
	if (c->l1d.poly_hash || c->l1i.poly_hash || c->l1c.poly_hash || c->l1t.poly_hash)
		return err_set(e, "poly_hash is for l2 only");
	return 0;
}

int
config_check(const struct config *c, struct err *e)
{
	uint32_t collectors = c->core.collectors_gen + c->core.collectors_sp +
			      c->core.collectors_sfu + c->core.collectors_mem;
	uint32_t units =
		c->core.units_sp + c->core.units_sfu + c->core.units_branch + c->core.units_tex;
	uint64_t bank_bits = (uint64_t)__builtin_popcountll(c->mem.bank_bits);

	if (check_cache("l1d", &c->l1d, e) < 0 || check_cache("l1i", &c->l1i, e) < 0 ||
	    check_cache("l1c", &c->l1c, e) < 0 || check_cache("l1t", &c->l1t, e) < 0 ||
	    check_cache("l2", &c->l2, e) < 0 || check_miss_queue("l1d", &c->l1d, e) < 0 ||
	    check_miss_queue("l2", &c->l2, e) < 0 || check_subs(&c->core, e) < 0 ||
	    check_sectored(c, e) < 0 || check_hashes(c, e) < 0)
		return -1;
	if (c->gpu.clusters * c->gpu.cores_per_cluster > MAX_CORES)
		return err_set(e, "gpu: %u clusters of %u cores, expected at most %d cores",
			       c->gpu.clusters, c->gpu.cores_per_cluster, MAX_CORES);
	if (c->mem.channels * c->mem.slices > MAX_SLICES)
		return err_set(e, "mem: %u channels of %u slices, expected at most %d slices",
			       c->mem.channels, c->mem.slices, MAX_SLICES);
	if (!pow2(c->mem.slices) || !pow2(c->mem.chunk) || !pow2(c->core.reg_banks) ||
	    !pow2(c->mem.bank_groups))
		return err_set(e, "mem.slices, mem.chunk, mem.bank_groups and "
				  "core.reg_banks must be "
				  "powers of two");
	if (UINT64_C(1) << bank_bits < c->mem.banks || (c->mem.slices > 1 && !c->mem.bank_bits))
		return err_set(e, "mem.bank_bits: %u bits cannot number %u banks",
			       (unsigned)bank_bits, c->mem.banks);
	if (bank_bits > (pow2(c->mem.banks) ? (uint64_t)__builtin_ctz(c->mem.banks) : 12))
		return err_set(e, "mem.bank_bits: %u bits number more than %u banks",
			       (unsigned)bank_bits, c->mem.banks);
	if (collectors > CORE_COLLECTORS)
		return err_set(e, "core: %u collector units, expected at most %d", collectors,
			       CORE_COLLECTORS);
	if (units > CORE_MAX_UNITS)
		return err_set(e, "core: %u pipes, expected at most %d", units, CORE_MAX_UNITS);
	if (c->core.threads % WARP_SIZE)
		return err_set(e, "core.threads: %u is not a multiple of %d", c->core.threads,
			       WARP_SIZE);
	if (c->l1d.line > c->l2.line || c->l1i.line > c->l2.line || c->l1c.line > c->l2.line ||
	    c->l1t.line > c->l2.line)
		return err_set(e, "lines of L1 may not be longer than lines of L2");
	if (c->noc.vc_buffer > NOC_VC_FLITS || c->noc.vcs > NOC_VCS)
		return err_set(e, "noc: at most %d virtual channels of %d flits", NOC_VCS,
			       NOC_VC_FLITS);
	return 0;
}
