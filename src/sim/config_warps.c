/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * config_warps.c - the warp scheduler of a configuration: one of the program, or a policy of the
 * user's own that orders warps (gpu.warp_sched ./mine.so).
 *
 * Such a policy has the contract of all policies (ctascope/cta_sched.h). It runs as the last one of
 * the stack, whatever the CTA policies before it, so the text of the stack does not name it. The
 * cores have the warp scheduler that it assumes, which chooses among the warps that it leaves.
 */
#include "base/words.h"
#include "ctascope/policy_file.h"
#include "decl/params.h"
#include "sim/config.h"
#include <string.h>

const struct cta_sched_ops *
config_warp_policy(const struct config *c)
{
	unsigned i = c->sched.warp_sched;

	return i < wsched_count ? NULL : c->known[i - wsched_count];
}

static bool
is_in_text(const struct config *c, const struct cta_sched_ops *o)
{
	for (unsigned i = 0; i < c->n_stack; i++)
		if (c->stack[i] == o)
			return true;
	return false;
}

const struct cta_sched_ops *const *
config_stack(const struct config *c, unsigned *n)
{
	const struct cta_sched_ops *o = config_warp_policy(c);

	*n = c->n_stack + (o && !is_in_text(c, o));
	return c->stack;
}

void
config_place_warp_policy(struct config *c)
{
	if (config_warp_policy(c))
		c->stack[c->n_stack] = config_warp_policy(c);
}

const char *
config_wsched_name(const struct config *c)
{
	const struct cta_sched_ops *o = config_warp_policy(c);

	return o ? config_file(c, o) : wsched_names[c->sched.warp_sched];
}

bool
config_is_warp_file(const struct config *c, const char *file)
{
	const struct cta_sched_ops *o = config_warp_policy(c);

	return o && (!file || !strcmp(file, config_file(c, o)) || !strcmp(file, o->name));
}

unsigned
config_wsched_called(const char *name)
{
	unsigned i = 0;

	while (i < wsched_count && strcmp(wsched_names[i], name) != 0)
		i++;
	return i;
}

unsigned
config_wsched_index(const struct config *c)
{
	const struct cta_sched_ops *o = config_warp_policy(c);

	if (!o)
		return c->sched.warp_sched;
	return o->warp_sched ? config_wsched_called(o->warp_sched) : 0;
}

int
config_wsched(struct config *c, const char *name, struct err *e)
{
	return opt_set(&c->db, "gpu.warp_sched", name, e);
}

/* ---------------------------------------------------------------- files */

/* Rejects a policy that belongs into the stack. */
static int
check_warp_policy(const struct config *c, const struct cta_sched_ops *o, struct err *e)
{
	const char *path = config_file(c, o);

	if (!o->warps)
		return err_set(e,
			       "warp scheduler '%s': it orders no warps, it has no warps(); a "
			       "policy for CTAs belongs into the stack: set policy %s",
			       path, path);
	if (o->role || o->with || o->pauses || o->unused || o->limit || o->decide || o->may ||
	    o->request || o->next_cta)
		return err_set(e,
			       "warp scheduler '%s': it decides about CTAs, too, so it belongs "
			       "into the stack: set policy %s",
			       path, path);
	if (o->warp_sched && config_wsched_called(o->warp_sched) == wsched_count)
		return err_set(e,
			       "warp scheduler '%s': it assumes the warp scheduler '%.40s', "
			       "which is not known",
			       path, o->warp_sched);
	if (c->n_stack == CTA_STACK && !is_in_text(c, o))
		return err_set(e, "warp scheduler '%s': the stack %s is full, at most %d policies",
			       path, c->policy, CTA_STACK);
	return 0;
}

/* A value that is no file: the name of a CTA policy, or of a stack, gets a message of its own. */
static int
refuse_name(const struct config *c, const char *value, struct err *e)
{
	char name[32];

	if (!span_copy((struct span){value, strcspn(value, ":+")}, name, sizeof(name)) ||
	    !config_known_policy(c, name))
		return OPT_NO_CHOICE;
	return err_set(e,
		       "'%s' is a CTA policy, not a warp scheduler; -p %.60s or 'set policy %.60s' "
		       "chooses it",
		       name, value, value);
}

static int
find_file(void *owner, const char *value, struct err *e)
{
	struct config *c = owner;
	struct stack_part part;
	const struct cta_sched_ops *o;
	int i = 0;

	if (!strchr(value, '/') && !strstr(value, ".so"))
		return refuse_name(c, value, e);
	if (stack_parse(value, &part, 1, e) < 0)
		return -1;
	o = config_load_policy(c, part.name, e);
	if (!o || check_warp_policy(c, o, e) < 0 ||
	    (part.params[0] && params_apply(o->name, part.params, &c->db, e) < 0))
		return -1;
	if (c->n_stack < CTA_STACK)
		c->stack[c->n_stack] = o;
	while (c->known[i] != o)
		i++;
	return i;
}

static const char *
name_file(const void *owner, unsigned number)
{
	const struct config *c = owner;

	return config_file(c, c->known[number]);
}

void
config_mount_warp_files(struct config *c)
{
	c->warp_files = (struct opt_more){find_file, name_file, "a policy file", c};
	for (unsigned i = 0; i < c->db.n_groups; i++)
		if (c->db.group[i].rows == wsched_opts)
			c->db.group[i].more = &c->warp_files;
}
