/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * checkpoint.c - named points in time to come back to.
 *
 * A checkpoint is a snapshot of the machine and a name. Snapshots share what is the same in them.
 * It is never dropped to save memory, only by the user, or when the machine it belongs to is built
 * anew with other fixed options. Coming back gives up what happened since: samples, events and
 * counters later than the checkpoint. That is said, with numbers. The policy stack comes back too;
 * what the user set up (stops, displays) and the values of options stay.
 */
#include "debug/debug_part.h"

#include "base/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int
index_of(const struct debug *d, const char *name)
{
	for (unsigned i = 0; i < d->n_checkpoints; i++)
		if (strcmp(d->checkpoint[i]->name, name) == 0)
			return (int)i;
	return -1;
}

const struct checkpoint *
debug_checkpoint_find(const struct debug *d, const char *name, struct err *e)
{
	int i = index_of(d, name);
	const char *names[64] = {NULL};
	unsigned n = MIN(d->n_checkpoints, 64u);

	if (i >= 0)
		return d->checkpoint[i];
	for (unsigned k = 0; k < n; k++)
		names[k] = d->checkpoint[k]->name;
	if (!n)
		err_set(e, "no checkpoint '%s'; 'checkpoint %s' would make one here", name, name);
	else
		err_set(e, "no checkpoint '%s'%s", name,
			near_hint(name, names, n, "; 'info checkpoints' lists them").text);
	return NULL;
}

static int
name_ok(const char *name, struct err *e)
{
	if (strlen(name) >= sizeof(((struct checkpoint *)0)->name))
		return err_set(e, "the name of a checkpoint has at most %zu characters",
			       sizeof(((struct checkpoint *)0)->name) - 1);
	if (strpbrk(name, " \t\"'"))
		return err_set(e, "the name of a checkpoint is one word, not '%s'", name);
	return 0;
}

const struct checkpoint *
debug_checkpoint(struct debug *d, const char *name, struct err *e)
{
	struct checkpoint *c;
	struct checkpoint **grown;
	char number[64];
	int i;

	while (!*name || (name == number && index_of(d, number) >= 0)) {
		snprintf(number, sizeof(number), "c%u", d->next_checkpoint++);
		name = number;
	}
	if (name_ok(name, e))
		return NULL;
	i = index_of(d, name);
	if (i >= 0) {
		err_set(e,
			"checkpoint '%s' exists (cycle %" PRIu64 "); 'delete checkpoint %s' "
			"removes it",
			name, snapshot_cycle(d->checkpoint[i]->snap), name);
		return NULL;
	}
	c = calloc(1, sizeof(*c));
	grown = realloc(d->checkpoint, (d->n_checkpoints + 1) * sizeof(*grown));
	if (grown)
		d->checkpoint = grown;
	if (!c || !grown) {
		free(c);
		err_set(e, "out of memory");
		return NULL;
	}
	snprintf(c->name, sizeof(c->name), "%s", name);
	c->kernel = sim_kernels_started(d->sim);
	snprintf(c->policy, sizeof(c->policy), "%s", config_policy_text(sim_config(d->sim)));
	c->snap = sim_save(d->sim, e);
	if (!c->snap) {
		free(c);
		return NULL;
	}
	d->checkpoint[d->n_checkpoints++] = c;
	return c;
}

int
debug_restore(struct debug *d, const char *name, struct strbuf *what, struct err *e)
{
	const struct checkpoint *c = debug_checkpoint_find(d, name, e);
	cycle_t from = sim_cycle(d->sim), to;
	uint64_t events = sim_events(d->sim)->next;
	unsigned samples = series_count(d->sim);
	char a[32], b[32], n[32];
	bool again;

	if (!c)
		return -1;
	/* the state of one policy means nothing to another: its stack comes back with it */
	again = strcmp(c->policy, config_policy_text(sim_config(d->sim))) != 0;
	if (again && sim_set_policy(d->sim, c->policy, NULL, 0, e))
		return -1;
	if (sim_restore(d->sim, c->snap, e))
		return -1;
	debug_rewound(d);
	to = sim_cycle(d->sim);
	sb_printf(what, "restored %s: cycle %s -> %s", name, debug_number(a, from),
		  debug_number(b, to));
	if (again)
		sb_printf(what, ", policy %s again", c->policy);
	if (from <= to)
		return 0;
	sb_printf(what, "; gave up %s cycles", debug_number(a, from - to));
	if (series_count(d->sim) < samples)
		sb_printf(what, ", %s sample%s", debug_number(n, samples - series_count(d->sim)),
			  samples - series_count(d->sim) == 1 ? "" : "s");
	if (sim_events(d->sim)->next < events)
		sb_printf(what, ", %s events", debug_number(n, events - sim_events(d->sim)->next));
	return 0;
}

static void
forget(struct debug *d, unsigned i)
{
	snapshot_free(d->checkpoint[i]->snap);
	free(d->checkpoint[i]);
	memmove(&d->checkpoint[i], &d->checkpoint[i + 1],
		(d->n_checkpoints - i - 1) * sizeof(d->checkpoint[0]));
	d->n_checkpoints--;
}

int
debug_checkpoint_delete(struct debug *d, const char *name, struct err *e)
{
	if (!debug_checkpoint_find(d, name, e))
		return -1;
	forget(d, (unsigned)index_of(d, name));
	return 0;
}

unsigned
debug_checkpoint_count(const struct debug *d)
{
	return d->n_checkpoints;
}

const struct checkpoint *
debug_checkpoint_at(const struct debug *d, unsigned i)
{
	return i < d->n_checkpoints ? d->checkpoint[i] : NULL;
}

void
debug_checkpoints_drop(struct debug *d, struct strbuf *lost)
{
	if (lost && d->n_checkpoints)
		sb_str(lost, "checkpoints of the machine before are gone:");
	while (d->n_checkpoints) {
		if (lost)
			sb_printf(lost, " %s", d->checkpoint[0]->name);
		forget(d, 0);
		if (lost && !d->n_checkpoints)
			sb_char(lost, '\n');
	}
}
