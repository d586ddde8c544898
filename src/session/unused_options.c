/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unused_options.c - notes which options have no effect, because another one lacks the value that
 * they need (opt_row.only_with): core.owl_spread under another warp scheduler than owl; or because
 * their policy is not in the stack: dyncta.n0 under rr.
 *
 * Only options with another value than that of the machine are named, as someone has set these.
 * Each is noted once as long as it stays without effect. Of a lane of a race, and of the run beside
 * the session's, only its own options are looked at. An option of a policy is named only if the
 * user set it by its name and the policy was not in the stack since, because options outlive the
 * stack for which they were set (set policy dyncta:n0=4, then rr).
 */
#include "ctascope/policy_file.h"
#include "lab/lab.h"
#include "session/command.h"
#include "session/session_part.h"

#include <stdlib.h>
#include <string.h>

#define NEEDS 16 /* different ones in a run */

#define POLICY "policy" /* the key of a need: the policy that it names is missing in the stack */

struct unused_options {
	const struct config *config, *plain; /* plain: the machine as its file describes it */
	const char *lane;		     /* only its own options; NULL: all of the run */
	const char *noted, *by_name;	     /* by_name: options of policies, " KEY " each */
	struct strbuf keys;		     /* of all of them, " KEY VALUE" each */
	struct {
		struct opt_need need;
		struct strbuf text; /* "core.owl_group 2, core.owl_spread on", those not noted */
		unsigned n;
	} of[NEEDS];
	unsigned n;
};

static bool
is_same_need(const struct opt_need *a, const struct opt_need *b)
{
	return strcmp(a->key, b->key) == 0 && strcmp(a->value, b->value) == 0;
}

static void
add_unused(struct unused_options *u, const struct opt_need *need, const char *what)
{
	unsigned i = 0;

	while (i < u->n && !is_same_need(&u->of[i].need, need))
		i++;
	if (i == NEEDS)
		return;
	if (i == u->n)
		u->of[u->n++].need = *need;
	sb_printf(&u->of[i].text, "%s%s", u->of[i].n++ ? ", " : "", what);
}

/* Does the warp scheduler that the user's policy assumes meet the need? The option has the name of
 * the file. */
static bool
is_met_by_file(const struct config *c, const struct opt_need *need)
{
	const struct cta_sched_ops *o = config_warp_policy(c);

	return o && o->warp_sched && strcmp(need->key, "gpu.warp_sched") == 0 &&
	       strcmp(need->value, o->warp_sched) == 0;
}

static bool
is_named(const struct unused_options *u, const char *key)
{
	char option[160];

	snprintf(option, sizeof(option), "@%s=", key);
	return !u->lane || strstr(race_lane_options(u->lane), option);
}

/* The policy that an option belongs to; NULL: none. */
static const char *
policy_of(const struct config *c, const struct opt_group *g)
{
	unsigned n;
	const struct cta_sched_ops *const *ops = config_policies(c, &n);

	for (unsigned i = 0; i < n; i++)
		if (ops[i]->opts == g->rows && strcmp(ops[i]->name, g->prefix) == 0)
			return ops[i]->name;
	return NULL;
}

void
session_remember_option(struct session *s, const char *key)
{
	struct strbuf keys = {0};
	const struct opt_group *g;

	if (!opt_find(config_db_const(s->config), key, &g) || !policy_of(s->config, g))
		return;
	sb_printf(&keys, "%s %s ", s->log.policy_options ? s->log.policy_options : "", key);
	free(s->log.policy_options);
	s->log.policy_options = sb_take(&keys);
	s->log.lost |= !s->log.policy_options;
}

/* Whether the policy of an option is missing in the stack, and the user set the option. */
static bool
lacks_policy(const struct unused_options *u, const char *key, const struct opt_group *g,
	     struct opt_need *need)
{
	const char *policy = policy_of(u->config, g);
	char option[160];

	*need = (struct opt_need){POLICY, policy};
	snprintf(option, sizeof(option), " %s ", key);
	return policy && !session_is_of_stack(u->config, key) &&
	       (u->lane || (u->by_name && strstr(u->by_name, option)));
}

static void
look_at_option(void *ctx, const char *key, const struct opt_group *g, const struct opt_row *r)
{
	struct unused_options *u = ctx;
	const struct opt_need *need = opt_unmet(config_db_const(u->config), g, r);
	char value[OPT_VALUE], plain[OPT_VALUE], what[OPT_VALUE + 160];
	struct opt_need policy;

	if (!need && lacks_policy(u, key, g, &policy))
		need = &policy;
	if (!need || !is_named(u, key) || is_met_by_file(u->config, need) ||
	    opt_get(config_db_const(u->config), key, value, sizeof(value), NULL) ||
	    opt_get(config_db_const(u->plain), key, plain, sizeof(plain), NULL) ||
	    strcmp(value, plain) == 0)
		return;
	snprintf(what, sizeof(what), " %s %s", key, value);
	sb_str(&u->keys, what);
	if (!u->noted || !strstr(u->noted, what))
		add_unused(u, need, what + 1);
}

/* Writes "owl", "xbar or mesh" or "other than 0", and a value that it may have. */
static void
describe_need(const struct opt_need *need, char *text, size_t size, char *example, size_t n)
{
	size_t first = strcspn(need->value, "|");

	if (*need->value == '!') {
		snprintf(text, size, "other than %s", need->value + 1);
		snprintf(example, n, "N");
		return;
	}
	snprintf(example, n, "%.*s", (int)first, need->value);
	snprintf(text, size, "%.*s%s%s", (int)first, need->value, need->value[first] ? " or " : "",
		 need->value[first] ? need->value + first + 1 : "");
}

static void
say_without_policy(struct session *s, const struct unused_options *u, unsigned i)
{
	const char *policy = u->of[i].need.value, *has = config_policy_text(u->config);
	const char *what = u->of[i].text.p;
	bool several = u->of[i].n > 1;

	if (u->lane)
		say(s, SAY_NOTE, "%s: %s %s no effect: %s policy %s, and this lane has %s", u->lane,
		    what, several ? "have" : "has", several ? "they need" : "it needs", policy,
		    has);
	else
		say(s, SAY_NOTE,
		    "%s %s no effect: %s policy %s, and this run has %s; 'set policy %s', or the "
		    "option -p %s, changes it",
		    what, several ? "have" : "has", several ? "they need" : "it needs", policy, has,
		    policy, policy);
}

static void
say_unused(struct session *s, const struct unused_options *u, unsigned i)
{
	const struct opt_need *need = &u->of[i].need;
	const char *what = u->of[i].text.p;
	bool several = u->of[i].n > 1;
	char needed[80], example[40], has[OPT_VALUE] = "";

	if (strcmp(need->key, POLICY) == 0) {
		say_without_policy(s, u, i);
		return;
	}
	describe_need(need, needed, sizeof(needed), example, sizeof(example));
	opt_get(config_db_const(u->config), need->key, has, sizeof(has), NULL);
	if (u->lane)
		say(s, SAY_NOTE,
		    "%s: %s %s no effect: %s %s %s, and this lane has %s; @%s=%s changes it",
		    u->lane, what, several ? "have" : "has", several ? "they need" : "it needs",
		    need->key, needed, has, need->key, example);
	else
		say(s, SAY_NOTE,
		    "%s %s no effect: %s %s %s, and this run has %s; 'set %s %s' at cycle 0, or "
		    "the option -o %s=%s, changes it",
		    what, several ? "have" : "has", several ? "they need" : "it needs", need->key,
		    needed, has, need->key, example, need->key, example);
}

static void
look_at_options(struct session *s, struct unused_options *u)
{
	struct config *plain = s->ui.out ? config_new() : NULL;
	struct err e = {0};

	u->plain = plain;
	if (plain && config_machine(plain, config_machine_name(u->config), &e) == 0) {
		opt_each(config_db_const(u->config), look_at_option, u);
		for (unsigned i = 0; i < u->n; i++)
			if (u->of[i].text.p && !u->of[i].text.failed)
				say_unused(s, u, i);
	} else {
		u->keys.failed = true;
	}
	for (unsigned i = 0; i < u->n; i++) {
		s->log.lost |= u->of[i].text.failed;
		sb_free(&u->of[i].text);
	}
	s->log.lost |= s->ui.out && (!plain || e.kind == ERR_MEMORY);
	config_free(plain);
}

/* Those whose policy is in the stack now have had an effect. */
static void
forget_used_options(struct session *s, const struct config *c)
{
	struct strbuf keys = {0};
	const char *at = s->log.policy_options;
	char key[160];

	if (!at)
		return;
	while (next_word(&at, key, sizeof(key)))
		if (!session_is_of_stack(c, key))
			sb_printf(&keys, " %s ", key);
	free(s->log.policy_options);
	s->log.policy_options = sb_take(&keys);
	s->log.lost |= !s->log.policy_options;
}

void
say_unused_options(struct session *s, const struct config *c)
{
	struct unused_options u = {.config = c,
				   .noted = s->log.noted_options,
				   .by_name = s->log.policy_options};

	look_at_options(s, &u);
	forget_used_options(s, c);
	if (!u.keys.failed) {
		free(s->log.noted_options);
		s->log.noted_options = sb_take(&u.keys);
	}
	sb_free(&u.keys);
}

void
say_unused_of_lane(struct session *s, const struct config *c, const char *lane)
{
	struct unused_options u = {.config = c, .lane = lane};

	look_at_options(s, &u);
	sb_free(&u.keys);
}
