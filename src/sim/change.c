/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * change.c - changes at a stop: live options and the policy stack.
 *
 * A policy that is in both the old and the new stack keeps its state. A new policy starts as at the
 * launch of a kernel, with the CTAs that are left. The state of the machine (resident CTAs,
 * counters) is always kept.
 *
 * A stack that comes back in the cycle in which it was replaced, as `undo` does at once, continues
 * where it was: the host keeps the first stack that was replaced in a cycle.
 *
 * At cycle 0 there is nothing to keep: a change there holds from the start, including for what the
 * policies ask only once, when a kernel begins.
 */
#include "ctascope/policy_file.h"
#include "sim/sim_priv.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For the selected kernel. */
static void
option_changed(struct sim *s)
{
	cta_refresh_periods(&s->stack);
	for (unsigned i = 0; i < s->n_cores; i++)
		ctas_repause(s, i, NULL); /* the new option may pause CTAs in another way */
	if (s->orders_warps)
		warps_ask_again(s);
	if (cta_acts(&s->stack)) {
		s->stack.host->changed = 1;
		kernel_act(s, false);
	}
}

int
sim_check_set(const struct sim *s, const char *key, const char *value, struct err *e)
{
	const struct opt_group *g;
	const struct opt_row *r = opt_find(&s->cfg->db, key, &g);
	char is[OPT_VALUE];

	if (!r)
		return opt_get(&s->cfg->db, key, is, sizeof(is), e); /* names the nearest keys */
	if (!g->live)
		return err_set(
			e,
			"%s is part of the machine, which is fixed for the run; 'start' begins a "
			"new run, in which 'set %s %s' is possible",
			key, key, value);
	if (!opt_is_live(g, r))
		return err_set(e,
			       "%s decides how much of the run is kept, which is fixed for the "
			       "run; 'start' begins a new run, in which 'set %s %s' is possible",
			       key, key, value);
	return 0;
}

int
sim_set(struct sim *s, const char *key, const char *value, struct err *e)
{
	char old[64];

	if (sim_check_set(s, key, value, e) < 0)
		return -1;
	if (opt_get(&s->cfg->db, key, old, sizeof(old), e) < 0 ||
	    opt_set(&s->cfg->db, key, value, e) < 0)
		return -1;
	if (config_check_thresholds(s->cfg, e) < 0) {
		opt_set(&s->cfg->db, key, old, NULL);
		return -1;
	}
	sim_settle(s);
	if (!config_is_choice(s->cfg, key))
		return 0;
	snapshot_setting_changed(s);
	if (s->machine->cycle == 0) {
		if (sim_begin_anew(s, e) == 0)
			return 0;
		opt_set(&s->cfg->db, key, old, NULL);
		return -1;
	}
	if (!s->machine->running)
		return 0;
	s->sleep->progress_at = s->machine->cycle; /* what was stuck may be able to continue */
	for (unsigned i = 0; concurrent_select_next(s, &i); i++)
		option_changed(s);
	concurrent_select_oldest(s);
	return 0;
}

/* ---------------------------------------------------------------- the former stack */

/* Was this stack replaced in this cycle? */
static bool
is_former_stack(const struct sim *s, const char *policy)
{
	return s->former->left == s->machine->cycle && strcmp(s->former->policy, policy) == 0;
}

/* Keeps the state of the present stack, unless an earlier one of this cycle is kept. */
static void
keep_former_stack(struct sim *s, const char *policy)
{
	struct former_stack *f = s->former;

	if (f->left == s->machine->cycle)
		return;
	f->left = s->machine->cycle;
	snprintf(f->policy, sizeof(f->policy), "%s", policy);
	memcpy(f->host, s->stack.host, sizeof(f->host));
	f->found_area = s->machine->found_area;
	f->found_cycles = s->machine->found_cycles;
	for (unsigned k = 0; k < MAX_KERNELS_KEPT; k++)
		f->found[k] = s->kernels[k].found;
	for (unsigned i = 0; i < s->n_cores; i++) {
		f->passed[i] = core_passed(s->core[i].core);
		f->order[i] = core_order(s->core[i].core);
		f->runs[i] = ldst_runs(&s->core[i].ldst);
	}
}

/* Completes the return of the former stack, whose limits and core states hold again: restores what
 * a hand-over resets. Forced outcomes are the user's and stay. */
static void
restore_former_stack(struct sim *s)
{
	struct former_stack *f = s->former;
	struct cta_host *h = s->stack.host, now = *h;

	memcpy(h, f->host, sizeof(f->host));
	memcpy(h->forced, now.forced, sizeof(h->forced));
	h->n_forced = now.n_forced;
	s->machine->found_area = f->found_area;
	s->machine->found_cycles = f->found_cycles;
	for (unsigned k = 0; k < MAX_KERNELS_KEPT; k++)
		s->kernels[k].found = f->found[k];
	for (unsigned i = 0; i < s->n_cores; i++) {
		core_set_passed(s->core[i].core, f->passed[i]);
		core_set_order(&s->core[i], f->order[i]);
		ldst_put_runs(&s->core[i].ldst, f->runs[i]);
	}
	f->left = 0;
}

/* Describes the stack from which the next one takes what it keeps: the present one, or itself as
 * the former one. old->host has room for the state. */
static void
copy_old_stack(struct sim *s, const struct cta_stack *next, struct cta_stack *old, bool returns)
{
	if (returns) {
		memcpy(old->policy, next->policy, sizeof(old->policy));
		old->n = next->n;
	}
	memcpy(old->host, returns ? s->former->host : (const char *)s->stack.host, STACK_ROOM);
}

/* ---------------------------------------------------------------- the stack */

/* Replaces the present stack, which is called `before`. old->host has room for a copy of a state.
 */
static void
hand_over(struct sim *s, const struct cta_stack *next, const char *before, struct cta_stack *old,
	  char *kept, size_t size)
{
	bool returns = is_former_stack(s, s->cfg->policy);
	struct cta_host *h = s->stack.host;

	if (!returns)
		keep_former_stack(s, before);
	ctas_show_counters(s);
	copy_old_stack(s, next, old, returns);
	memset((char *)h + next->policy[0].state, 0, STACK_ROOM - next->policy[0].state);
	found_forget(s);
	s->stack = *next;
	cta_stack_start(&s->stack, s->n_cores);
	warps_attach(s);
	if (s->machine->running) {
		s->sleep->progress_at = s->machine->cycle;
		cta_hand_over(&s->stack, old, kept, size);
		/* a policy that stays may have another period now */
		cta_refresh_periods(&s->stack);
		for (unsigned i = 0; i < s->n_cores; i++) {
			struct event why = {.policy = POLICY_HOST,
					    .rule = HR_POLICY,
					    .v = {h->core[i].limit}};

			ctas_repause(s, i, &why);
		}
		if (returns)
			h->changed = 0;
		kernel_act(s, false);
		warps_ask_again(s);
	}
	if (returns) {
		restore_former_stack(s);
		snprintf(kept, size, "it continues with its former state");
	}
}

static int
restart_with_stack(struct sim *s, const struct cta_stack *next, const char *before, struct err *e)
{
	struct cta_stack old = s->stack;

	s->stack = *next;
	if (sim_begin_anew(s, e) == 0)
		return 0;
	s->stack = old;
	config_policy(s->cfg, before, NULL);
	return -1;
}

/* Whether the stack can be set; the configuration stays as it is. */
static int
check_stack(const struct config *c, const char *stack, struct err *e)
{
	struct config *trial = config_copy(c);
	int rc = trial ? config_policy(trial, stack, e) : err_nomem(e);

	if (rc == 0)
		rc = config_check_thresholds(trial, e);
	if (rc == 0)
		rc = config_check_concurrent(trial, e);
	config_free(trial);
	return rc;
}

int
sim_learn(struct sim *s, const struct config *from, struct err *e)
{
	return config_learn(s->cfg, from, e);
}

int
sim_set_policy(struct sim *s, const char *stack, char *note, size_t size, struct err *e)
{
	struct config *c = s->cfg;
	struct cta_stack next = s->stack, old = s->stack;
	char before[sizeof(c->policy)], kept[400] = "";
	int rc = 0;

	if (s->machine->running > 1 && s->machine->cycle)
		return err_set(e,
			       "the policy cannot change while %u kernels run; change it when one "
			       "runs, or at cycle 0 ('goto 0')",
			       s->machine->running);
	snprintf(before, sizeof(before), "%s", c->policy);
	if (check_stack(c, stack, e) < 0 || config_policy(c, stack, e) < 0)
		return -1;
	old.host = malloc(STACK_ROOM);
	if (!old.host || sim_lay_out_stack(s, &next, e) < 0) {
		config_policy(c, before, NULL);
		if (!old.host)
			err_of(e, ERR_MEMORY, "out of memory for a copy of the policies' state");
		free(old.host);
		return -1;
	}
	if (s->machine->cycle == 0)
		rc = restart_with_stack(s, &next, before, e);
	else
		hand_over(s, &next, before, &old, kept, sizeof(kept));
	free(old.host);
	if (rc)
		return -1;
	snapshot_setting_changed(s);
	s->sleep->ask = 1;
	if (note)
		snprintf(note, size, "policy %s -> %s%s%s", before, c->policy, *kept ? ": " : "",
			 kept);
	return 0;
}
