/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branches.c - the tree of branches, and the choices on the path to a place.
 *
 * A branch has the choices that its user made on it. It inherits the choices made on its parent
 * before it began; `inherits` is their number, because both branches may continue with a choice at
 * the same cycle. A state of the machine is therefore identified by the branch whose choices are
 * being applied and the number applied (struct spot). Whether the state leads to a place follows
 * from a walk up the tree.
 */
#include "timeline/timeline_part.h"

#include "base/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAMES 64 /* candidates for correcting a mistyped name */

static struct branch *
branch_at(const struct timeline *t, unsigned id)
{
	return id < t->n_branches ? t->branch[id] : NULL;
}

/* ---------------------------------------------------------------- the tree */

static const struct branch *
find_branch(const struct timeline *t, const char *name)
{
	for (unsigned i = 0; i < t->n_branches; i++)
		if (t->branch[i] && strcmp(t->branch[i]->name, name) == 0)
			return t->branch[i];
	return NULL;
}

static int
check_name(const struct timeline *t, const char *name, struct err *e)
{
	if (strlen(name) >= sizeof(((struct branch *)0)->name))
		return err_set(e, "the name of a branch has at most %zu characters",
			       sizeof(((struct branch *)0)->name) - 1);
	if (strpbrk(name, " \t\"'"))
		return err_set(e, "the name of a branch is one word, not '%s'", name);
	if (find_branch(t, name))
		return err_set(e, "branch '%s' exists; 'switch %s' goes to it", name, name);
	return 0;
}

static void
free_branch(const struct timeline *t, struct branch *b)
{
	if (b == t->root)
		*b = (struct branch){0};
	else
		free(b);
}

/* An empty branch in the next slot; NULL: out of memory, which cannot happen for the first one.
 * */
static struct branch *
add_branch_slot(struct timeline *t)
{
	struct branch **grown, *b;

	if (t->n_branches == 0)
		return t->root;
	grown = realloc(t->branch, (t->n_branches + 1) * sizeof(*grown));
	if (grown)
		t->branch = grown;
	b = grown ? calloc(1, sizeof(*b)) : NULL;
	return b;
}

struct branch *
timeline_branch_new(struct timeline *t, const char *name, unsigned parent, struct err *e)
{
	struct branch *b = add_branch_slot(t);
	char number[sizeof(b->name)];

	if (!b) {
		err_nomem(e);
		return NULL;
	}
	for (unsigned n = t->n_branches + 1; !*name || (name == number && find_branch(t, name));
	     n++) {
		snprintf(number, sizeof(number), "b%u", n);
		name = number;
	}
	if (check_name(t, name, e)) {
		free_branch(t, b);
		return NULL;
	}
	snprintf(b->name, sizeof(b->name), "%s", name);
	b->id = t->n_branches;
	b->parent = parent;
	b->left = CYCLE_NEVER;
	b->stood.cycle = CYCLE_NEVER;
	t->branch[t->n_branches++] = b;
	return b;
}

void
timeline_branch_forget(struct timeline *t, unsigned id)
{
	struct branch *b = branch_at(t, id);

	if (!b)
		return;
	for (unsigned i = 0; i < b->n_choices; i++)
		timeline_choice_free(&b->choice[i]);
	free(b->choice);
	free_branch(t, b);
	t->branch[id] = NULL;
}

unsigned
timeline_branches(const struct timeline *t)
{
	return t->n_branches;
}

const struct branch *
timeline_branch(const struct timeline *t, unsigned id)
{
	if (id == t->here)
		timeline_touch(t);
	return branch_at(t, id);
}

const struct branch *
timeline_branch_find(const struct timeline *t, const char *name, struct err *e)
{
	const struct branch *b = find_branch(t, name);
	const char *names[NAMES];
	unsigned n = 0;

	for (unsigned i = 0; i < t->n_branches && n < NAMES; i++)
		if (t->branch[i])
			names[n++] = t->branch[i]->name;
	if (!b)
		err_set(e, "no branch '%s'%s", name,
			near_hint(name, names, n, "; 'branches' lists them").text);
	return b;
}

/* The tip of the present branch is at least the present cycle. */
void
timeline_leave(struct timeline *t)
{
	struct branch *b = t->branch[t->here];

	b->left = sim_cycle(t->sim);
	b->stood = debug_standing(t->debug);
}

void
timeline_touch(const struct timeline *t)
{
	struct branch *b = branch_at(t, t->here);

	if (!b || !t->sim || sim_cycle(t->sim) < b->tip)
		return;
	b->tip = sim_cycle(t->sim);
	b->told = MAX(b->told, sim_events(t->sim)->next);
}

/* ---------------------------------------------------------------- paths */

bool
timeline_on_path(const struct timeline *t, unsigned end, unsigned at, unsigned *choices,
		 cycle_t *cycle)
{
	const struct branch *b = branch_at(t, end), *child = NULL;

	while (b && b->id != at) {
		child = b;
		b = branch_at(t, b->parent);
	}
	if (!b)
		return false;
	*choices = child ? child->inherits : b->n_choices;
	*cycle = child ? child->from : CYCLE_NEVER;
	return true;
}

bool
timeline_leads_to(const struct timeline *t, const struct spot *s, struct place p)
{
	unsigned choices;
	cycle_t cycle;

	return s->cycle <= p.cycle && timeline_on_path(t, p.branch, s->at, &choices, &cycle) &&
	       s->applied <= choices && s->cycle <= cycle;
}

/* The next branch after `at` on the path to the present branch; NULL: `at` is the last. */
const struct branch *
timeline_child(const struct timeline *t, unsigned at)
{
	const struct branch *b = t->branch[t->here];

	if (b->id == at)
		return NULL;
	while (b->parent != at)
		b = t->branch[b->parent];
	return b;
}

/* The spot of the present state. A state at or after the end of one branch belongs to the next.
 * */
struct spot
timeline_spot(struct timeline *t)
{
	const struct branch *child;

	while ((child = timeline_child(t, t->at)) && t->applied == child->inherits &&
	       sim_cycle(t->sim) >= child->from) {
		t->at = child->id;
		t->applied = 0;
	}
	return (struct spot){t->at, t->applied, sim_cycle(t->sim)};
}

unsigned
timeline_owner(const struct timeline *t, unsigned branch, cycle_t cycle)
{
	const struct branch *b = branch_at(t, branch);

	while (b && b->parent != BRANCH_NONE && cycle < b->from)
		b = branch_at(t, b->parent);
	return b ? b->id : branch;
}

const struct choice *
timeline_path_choice(const struct timeline *t, unsigned branch, unsigned k)
{
	const struct branch *b = branch_at(t, branch);
	unsigned before = 0, choices;
	cycle_t cycle;

	/* the oldest ancestor whose choices reach that far */
	for (const struct branch *a = b; a && a->parent != BRANCH_NONE; a = branch_at(t, a->parent))
		before += a->inherits;
	while (b && k < before) {
		before -= b->inherits;
		b = branch_at(t, b->parent);
	}
	if (!b || !timeline_on_path(t, branch, b->id, &choices, &cycle) || k - before >= choices)
		return NULL;
	return &b->choice[k - before];
}

/* ---------------------------------------------------------------- new paths */

uint64_t
timeline_common(const struct timeline *t, unsigned a, unsigned b)
{
	uint64_t seq = UINT64_MAX;

	/* ids grow from parents to children */
	while (a != b) {
		const struct branch *later = branch_at(t, MAX(a, b));

		seq = MIN(seq, later->from_seq);
		if (a > b)
			a = later->parent;
		else
			b = later->parent;
	}
	return seq;
}

void
timeline_parted(struct timeline *t, uint64_t seq, uint64_t told)
{
	debug_told(t->debug, told);
	if (t->opt.parted)
		t->opt.parted(t->opt.ctx, seq);
}

int
timeline_fork(struct timeline *t, const char *name, struct err *e)
{
	struct place here = timeline_here(t);
	unsigned parent = timeline_owner(t, here.branch, here.cycle);
	struct branch *b;

	/* Before the first cycle: the start is the parent's, or nothing would lead to the parent.
	 */
	if (!t->n_kept && !timeline_keep(t, e))
		return -1;
	b = timeline_branch_new(t, name, parent, e);
	if (!b)
		return -1;
	timeline_leave(t);
	b->from = b->tip = here.cycle;
	b->inherits = timeline_spot(t).applied;
	b->from_seq = b->told = sim_events(t->sim)->next;
	t->here = b->id;
	timeline_parted(t, b->from_seq, b->told);
	return 0;
}

int
timeline_switch(struct timeline *t, unsigned branch, struct err *e)
{
	const struct branch *b = branch_at(t, branch);

	if (!b)
		return err_set(e, "no such branch");
	if (branch == t->here)
		return err_set(e, "you are already on branch %s", b->name);
	return timeline_goto(t, (struct place){branch, b->left == CYCLE_NEVER ? b->tip : b->left},
			     e);
}

int
timeline_delete(struct timeline *t, unsigned branch, struct err *e)
{
	const struct branch *b = branch_at(t, branch);
	unsigned choices;
	cycle_t cycle;

	if (!b)
		return err_set(e, "no such branch");
	if (b->parent == BRANCH_NONE)
		return err_set(e, "branch %s cannot be deleted: all branches come from it",
			       b->name);
	if (branch == t->here)
		return err_set(e, "you are on branch %s; 'switch' goes to another one", b->name);
	if (timeline_on_path(t, t->here, branch, &choices, &cycle))
		return err_set(
			e,
			"you are on branch %s, which comes from %s; 'switch' to another one, "
			"and delete %s first",
			branch_at(t, t->here)->name, b->name, branch_at(t, t->here)->name);
	for (unsigned i = 0; i < t->n_branches; i++)
		if (t->branch[i] && t->branch[i]->parent == branch)
			return err_set(e, "branch %s comes from %s; delete it first",
				       t->branch[i]->name, b->name);
	for (unsigned i = 0; i < t->n_named; i++)
		if (t->named[i]->mark.place.branch == branch)
			return err_set(e,
				       "checkpoint %s lies on branch %s; 'delete checkpoint %s' "
				       "removes it",
				       t->named[i]->mark.name, b->name, t->named[i]->mark.name);
	timeline_forget_kept(t, branch, 0);
	timeline_branch_forget(t, branch);
	return 0;
}
