/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * config_load.c - the user's own policies that a configuration knows: loads their files, and reads
 * them again.
 *
 * A file that is read again is another policy, NAME_VERSION, beside the one before. Nothing that
 * was loaded is replaced, because the past of a run and its other branches go on with it.
 */
#include "ctascope/policy_file.h"
#include "base/words.h"
#include "decl/params.h"
#include "sim/config.h"
#include <stdio.h>
#include <string.h>

const char *
config_file(const struct config *c, const struct cta_sched_ops *o)
{
	for (unsigned i = 0; i < c->n_known; i++)
		if (c->known[i] == o && c->plugin[i])
			return c->plugin[i]->path;
	return NULL;
}

uint64_t
config_file_digest(const struct config *c, const char *path)
{
	for (unsigned i = 0; i < c->n_known; i++)
		if (c->plugin[i] && strcmp(c->plugin[i]->path, path) == 0)
			return c->plugin[i]->digest;
	return 0;
}

/* Checks that the name is not that of a policy or a group of options, and not a reserved word of
 * output and commands. */
static int
check_name(const struct config *c, const struct plugin *p, struct err *e)
{
	static const char *const reserved[] = {"host", "ui", "color", "time", "policy"};
	const char *name = p->ops->name;
	const struct cta_sched_ops *o = config_known_policy(c, name);
	bool taken = false;

	if (o)
		return err_set(e, "policy '%s': its name '%s' is that of %s%s", p->path, name,
			       config_file(c, o) ? "the policy of " : "a policy of ctascope",
			       config_file(c, o) ? config_file(c, o) : "");
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

/* Adds the policy of a file, or returns the known one; takes the reference. */
static const struct cta_sched_ops *
add_policy(struct config *c, struct plugin *p, struct err *e)
{
	const char *path = p->path;

	for (unsigned i = 0; i < c->n_known; i++)
		if (c->known[i] == p->ops) {
			plugin_close(p);
			return c->known[i];
		}
	if (c->n_known == CONFIG_POLICIES || c->db.n_groups == OPT_MAX_GROUPS) {
		err_set(e, "policy '%s': %u policies are known already", path, c->n_known);
	} else if (check_name(c, p, e) == 0) {
		c->known[c->n_known] = p->ops;
		if (config_mount_policy(c, c->n_known) == 0) {
			c->plugin[c->n_known] = p;
			return c->known[c->n_known++];
		}
		err_nomem(e);
	}
	plugin_close(p);
	return NULL;
}

const struct cta_sched_ops *
config_load_policy(struct config *c, const char *path, struct err *e)
{
	struct plugin *p;

	for (unsigned i = 0; i < c->n_known; i++)
		if (c->plugin[i] && !strcmp(c->plugin[i]->path, path))
			return c->known[i];
	if (c->try_load && c->try_load(load_and_drop, path, e))
		return NULL;
	p = plugin_open(path, e);
	return p ? add_policy(c, p, e) : NULL;
}

struct sequence *
config_new_sequence(struct config *c, const char *path, const char *help, struct err *e)
{
	struct plugin *p = plugin_new_sequence(path, help, e);
	const struct cta_sched_ops *o = p ? add_policy(c, p, e) : NULL;

	return o && config_policy(c, path, e) == 0 ? sequence_of(o) : NULL;
}

/* ---------------------------------------------------------------- reading again */

static bool
is_of_file(const struct plugin *p, const char *file)
{
	char own[sizeof(p->path)];

	if (!p)
		return false;
	plugin_version(p->path, own, sizeof(own));
	return strcmp(own, file) == 0;
}

/* The newest version of the file that the path names; NULL: the file was not loaded. */
static const struct plugin *
newest_version(const struct config *c, const char *path)
{
	char file[sizeof(c->plugin[0]->path)];
	const struct plugin *newest = NULL;

	plugin_version(path, file, sizeof(file));
	for (unsigned i = 0; i < c->n_known; i++)
		if (is_of_file(c->plugin[i], file) &&
		    (!newest || c->plugin[i]->version > newest->version))
			newest = c->plugin[i];
	return newest;
}

const char *
config_newest_path(const struct config *c, const char *path)
{
	const struct plugin *p = newest_version(c, path);

	return p ? p->path : path;
}

/* Loads the next version of a file that has changed; -1 with e. */
static int
load_next_version(struct config *c, const struct plugin *newest, struct err *e)
{
	char file[sizeof(newest->path)], path[sizeof(file) + 16];
	const struct cta_sched_ops *o;

	plugin_version(newest->path, file, sizeof(file));
	snprintf(path, sizeof(path), "%s@%u", file, newest->version + 1);
	if (strlen(path) >= sizeof(newest->path))
		return err_set(e, "the path of the policy is too long: '%.60s...'", path);
	o = config_load_policy(c, path, e);
	if (!o)
		return -1;
	if (!newest->handle || newest->handle != newest_version(c, path)->handle)
		return 0;
	return err_set(e,
		       "policy '%s': the file was overwritten in place, so the code that runs here "
		       "may be damaged, too; build it as a new file, as compilers and mv do",
		       file);
}

/* Writes the parameters that have other values under the policy `from` than by default under `to`.
 */
static void
carry_params(const struct config *c, const struct cta_sched_ops *from,
	     const struct cta_sched_ops *to, char *params, size_t size)
{
	size_t n = 0;

	*params = '\0';
	for (unsigned i = 0; i < to->n_opts && n < size; i++) {
		char was[128], is[128], value[64], plain[64];

		snprintf(was, sizeof(was), "%s.%s", from->name, to->opts[i].name);
		snprintf(is, sizeof(is), "%s.%s", to->name, to->opts[i].name);
		if (opt_get(&c->db, was, value, sizeof(value), NULL) == 0 &&
		    opt_get(&c->db, is, plain, sizeof(plain), NULL) == 0 &&
		    strcmp(value, plain) != 0)
			n += (size_t)snprintf(params + n, size - n, "%s%s=%s", n ? "," : "",
					      to->opts[i].name, value);
	}
}

/* Makes a part of the stack one of the newest version. */
static int
renew_part(struct config *c, const struct cta_sched_ops *from, struct stack_part *part,
	   struct err *e)
{
	const char *path = config_file(c, from);
	const struct plugin *newest = newest_version(c, path);

	if (plugin_digest(newest->path) != newest->digest) {
		if (load_next_version(c, newest, e))
			return -1;
		newest = newest_version(c, path);
	}
	if (newest->ops == from)
		return 0;
	snprintf(part->name, sizeof(part->name), "%s", newest->path);
	carry_params(c, from, newest->ops, part->params, sizeof(part->params));
	return 1;
}

int
config_reload(struct config *c, const char *file, char stack[POLICY_TEXT], struct err *e)
{
	struct stack_part part[CTA_STACK];
	int n = stack_parse(c->policy, part, CTA_STACK, e), newer = 0, files = 0;
	size_t at = 0;

	for (int i = 0; i < n; i++) {
		const char *path = config_file(c, c->stack[i]);
		int rc;

		if (!path || (file && !is_of_file(newest_version(c, path), file) &&
			      strcmp(file, c->stack[i]->name) != 0))
			continue;
		files++;
		rc = renew_part(c, c->stack[i], &part[i], e);
		if (rc < 0)
			return -1;
		newer += rc;
	}
	if (n < 0)
		return -1;
	if (!files && config_is_warp_file(c, file))
		return err_set(e,
			       "the warp scheduler %s is fixed for the run; start over to read it "
			       "again, or put it into the stack: set policy %s+%s",
			       config_wsched_name(c), c->policy, config_wsched_name(c));
	if (!files)
		return err_set(e,
			       file ? "'%.200s' is not a policy file of the stack %s"
				    : "the stack%.0s %s has no policy that is a file",
			       file ? file : "", c->policy);
	for (int i = 0; i < n && at < POLICY_TEXT; i++)
		at += (size_t)snprintf(stack + at, POLICY_TEXT - at, "%s%s%s%s", i ? "+" : "",
				       part[i].name, part[i].params[0] ? ":" : "", part[i].params);
	return at < POLICY_TEXT ? newer
				: err_set(e,
					  "the text of the stack is too long, at most %d "
					  "characters",
					  POLICY_TEXT - 1);
}

int
config_learn(struct config *to, const struct config *from, struct err *e)
{
	for (unsigned i = 0; i < from->n_known; i++) {
		struct plugin *p = from->plugin[i];
		bool known = !p;

		for (unsigned k = 0; k < to->n_known && !known; k++)
			known = to->plugin[k] && strcmp(to->plugin[k]->path, p->path) == 0;
		if (!known && !add_policy(to, plugin_ref(p), e))
			return -1;
	}
	return 0;
}
