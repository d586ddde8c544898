/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * change.c - what may be changed at a stop: live options and the policy stack.
 *
 * A new stack starts as at a kernel's launch: limits at their initial values, credits as for the
 * CTAs of the whole kernel. What is kept is what is true of the machine (resident CTAs, counters).
 */
#include "sim/sim_priv.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
sim_set(struct sim *s, const char *key, const char *value, struct err *e)
{
	const struct opt_group *g;
	char old[64];

	if (!opt_find(&s->cfg->db, key, &g))
		return opt_set(&s->cfg->db, key, value, e); /* names the nearest keys */
	if (!g->live)
		return err_set(
			e,
			"%s is part of the machine and fixed for the run; start over with -o %s=%s",
			key, key, value);
	if (!strcmp(key, "run.sample") || !strcmp(key, "run.samples") ||
	    !strcmp(key, "run.events") || !strcmp(key, "run.max_requests"))
		return err_set(
			e,
			"%s sizes what the run keeps and is fixed for it; start over with -o %s=%s",
			key, key, value);
	if (opt_get(&s->cfg->db, key, old, sizeof(old), e) < 0 ||
	    opt_set(&s->cfg->db, key, value, e) < 0)
		return -1;
	sim_settle(s);
	return 0;
}

/* The state of another stack may be longer: the host is laid out again in memory of its own size
 * only when it fits. */
int
sim_set_policy(struct sim *s, const char *stack, char *note, size_t size, struct err *e)
{
	struct config *c = s->cfg;
	struct cta_stack next = s->stack;
	struct cta_host *h = s->stack.h;
	uint64_t issued = h->issued, done = h->done, n_cta = h->n_cta;
	uint32_t kernel = h->kernel, ordinal = h->ordinal;
	char before[sizeof(c->policy)];

	snprintf(before, sizeof(before), "%s", c->policy);
	if (config_policy(c, stack, e) < 0)
		return -1;
	kernel_show_counters(s);
	next.n = c->n_stack;
	for (unsigned i = 0; i < c->n_stack; i++)
		next.p[i] = (struct cta_policy){.ops = c->stack[i],
						.opts = config_policy_opts(c, c->stack[i])};
	cta_stack_layout(&next, s->n_cores);
	if (next.bytes > STACK_ROOM) {
		config_policy(c, before, NULL);
		return err_set(
			e, "the stack '%s' needs %zu bytes of state, more than the %d there are",
			stack, next.bytes, STACK_ROOM);
	}
	next.h = h;
	memset((char *)h + next.p[0].state, 0, STACK_ROOM - next.p[0].state);
	s->stack = next;
	cta_stack_start(&s->stack, s->n_cores);
	if (s->m->running) {
		cta_kernel(&s->stack, kernel, ordinal, n_cta, s->m->n_max);
		h->issued = issued;
		h->done = done;
		for (unsigned i = 0; i < s->n_cores; i++) {
			h->core[i].resident = s->core[i].c->resident;
			cta_paused(&s->stack, i,
				   (uint32_t)__builtin_popcount(s->core[i].c->slot_paused));
			kernel_repause(s, i, NULL);
		}
	}
	s->z->ask = 1;
	if (note)
		snprintf(note, size,
			 "policy %s -> %s: kept %" PRIu64
			 " resident CTAs and all counters; limits and credits start "
			 "as at a kernel launch",
			 before, stack, issued - done);
	return 0;
}
