/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * choices.c - makes choices, and applies them again when a replay passes them.
 *
 * A choice is applied by the same call of the model every time, at the same cycle and on the same
 * state; therefore the future is the same, too. Listeners are notified of its effects only the
 * first time.
 */
#include "timeline/timeline_part.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TIMED 0.005 /* seconds; a shorter measurement says nothing about the speed */

void
timeline_choice_free(struct choice *c)
{
	free(c->key);
	free(c->value);
	free(c->before);
	c->key = c->value = c->before = NULL;
}

static int
apply_choice(struct timeline *t, const struct choice *c, char *note, size_t size, struct err *e)
{
	switch (c->kind) {
	case CHOICE_OPTION:
		return sim_set(t->sim, c->key, c->value, e);
	case CHOICE_POLICY:
		return sim_set_policy(t->sim, c->value, note, size, e);
	case CHOICE_OUTCOME:
		return sim_force(t->sim, c->key, c->value, e);
	}
	return -1;
}

/* ---------------------------------------------------------------- again */

/* The next choice on the path, and its branch; NULL: none. */
static const struct choice *
next_choice(const struct timeline *t, unsigned *at, unsigned *n)
{
	const struct branch *b = t->n_branches ? t->branch[t->at] : NULL;
	unsigned applied = t->applied;

	while (b) {
		const struct branch *child = timeline_child(t, b->id);

		if (applied < (child ? child->inherits : b->n_choices)) {
			*at = b->id;
			*n = applied;
			return &b->choice[applied];
		}
		b = child;
		applied = 0;
	}
	return NULL;
}

/* After a change of the stack: stops and conditions are compiled again. */
static void
recompile_stops(struct timeline *t, const struct choice *c)
{
	if (c->kind == CHOICE_POLICY)
		debug_moved(t->debug, true);
	else
		debug_watch_restart(t->debug);
}

int
timeline_apply_due(struct timeline *t, struct err *e)
{
	const struct choice *c;
	unsigned at, n;

	while ((c = next_choice(t, &at, &n)) && c->cycle <= sim_cycle(t->sim)) {
		int bad;

		debug_mute(t->debug);
		bad = apply_choice(t, c, NULL, 0, e);
		debug_unmute(t->debug);
		if (bad)
			return -1;
		t->at = at;
		t->applied = n + 1;
		t->changes++;
		recompile_stops(t, c);
	}
	return 0;
}

cycle_t
timeline_next_choice(const struct timeline *t)
{
	unsigned at, n;
	const struct choice *c = next_choice(t, &at, &n);

	return c ? c->cycle : CYCLE_NEVER;
}

cycle_t
timeline_next_date(void *timeline)
{
	const struct timeline *t = timeline;
	cycle_t next = timeline_next_choice(t);

	return t->opt.keep || t->keeping ? MIN(next, timeline_keep_date(t)) : next;
}

int
timeline_arrive(void *timeline, struct err *e)
{
	struct timeline *t = timeline;
	if (timeline_apply_due(t, e))
		return -1;
	timeline_touch(t);
	if (!t->n_kept || ((t->opt.keep || t->keeping) && timeline_keep_due(t))) {
		double took = clock_thread() - t->last;

		if (took > TIMED && sim_cycle(t->sim) > t->last_at)
			t->speed = (double)(sim_cycle(t->sim) - t->last_at) / took;
		timeline_keep(t, NULL);
	}
	return 0;
}

/* ---------------------------------------------------------------- the first time */

static int
value_before(const struct timeline *t, enum choice_kind k, const char *key, char *buf, size_t size,
	     struct err *e)
{
	if (k == CHOICE_OPTION)
		return opt_get(config_db_const(sim_config(t->sim)), key, buf, size, e);
	snprintf(buf, size, "%s", k == CHOICE_POLICY ? config_policy_text(sim_config(t->sim)) : "");
	return 0;
}

/* Makes room for a choice in the branch; -1: out of memory. */
static int
reserve_choice(struct branch *b, struct choice *c)
{
	struct choice *grown = realloc(b->choice, (b->n_choices + 1) * sizeof(*grown));

	if (grown)
		b->choice = grown;
	c->key = strdup(c->key ? c->key : "");
	c->value = strdup(c->value);
	c->before = strdup(c->before);
	if (grown && c->key && c->value && c->before)
		return 0;
	timeline_choice_free(c);
	return -1;
}

static void
add_note(char *note, size_t size, const char *text)
{
	size_t n = strlen(note);

	snprintf(note + n, size - n, "%s%s", n ? "\n" : "", text);
}

static void
say_branch(const struct timeline *t, const struct branch *b, const struct branch *was, char *note,
	   size_t size)
{
	const struct choice *c = &b->choice[0];
	char text[700], from[32], tip[32];

	snprintf(text, sizeof(text),
		 "branch %s from %s at %s: %.60s%s%.80s -> %.80s; %s %s %s, 'switch %s'", b->name,
		 t->branch[b->parent]->name, debug_number(from, b->from),
		 c->kind == CHOICE_POLICY ? "policy" : c->key, *c->before ? " " : "", c->before,
		 c->value, was->name, was->tip > b->from ? "keeps its future up to" : "stays at",
		 debug_number(tip, was->tip), was->name);
	add_note(note, size, text);
}

/* Deletes the branches that come from dropped choices. A child has a higher id than its parent.
 * */
static void
drop_children(struct timeline *t, const struct branch *b, unsigned choices, char *note, size_t size)
{
	cycle_t now = sim_cycle(t->sim);

	for (unsigned i = b->id + 1; i < t->n_branches; i++) {
		const struct branch *x = t->branch[i];
		char text[100];

		if (!x || (t->branch[x->parent] &&
			   (x->parent != b->id || (x->from <= now && x->inherits <= choices))))
			continue;
		snprintf(text, sizeof(text), "dropped branch %s", x->name);
		add_note(note, size, text);
		timeline_forget_marks(t, i, 0, note, size);
		timeline_forget_kept(t, i, 0);
		timeline_branch_forget(t, i);
	}
}

/* Drops what lies ahead of the present, with all branches that come from there. Returns the
 * branch that continues. */
static struct branch *
drop_future(struct timeline *t, char *note, size_t size)
{
	struct place here = timeline_here(t);
	struct branch *b = t->branch[timeline_owner(t, here.branch, here.cycle)];
	unsigned choices = timeline_spot(t).applied;
	char text[200], from[32], to[32];

	snprintf(text, sizeof(text), "dropped cycles %s to %s of %s",
		 debug_number(from, here.cycle), debug_number(to, t->branch[here.branch]->tip),
		 t->branch[here.branch]->name);
	add_note(note, size, text);
	t->here = b->id;
	drop_children(t, b, choices, note, size);
	timeline_forget_marks(t, b->id, here.cycle + 1, note, size);
	timeline_forget_kept(t, b->id, here.cycle + 1);
	while (b->n_choices > choices)
		timeline_choice_free(&b->choice[--b->n_choices]);
	b->tip = here.cycle;
	b->left = CYCLE_NEVER;
	return b;
}

/* Starts a new branch here. */
static void
begin_branch(struct timeline *t, struct branch *b, uint64_t seq)
{
	timeline_leave(t);
	b->from = b->tip = sim_cycle(t->sim);
	b->inherits = timeline_spot(t).applied;
	b->from_seq = seq;
	t->here = b->id;
}

static void
append_choice(struct timeline *t, struct branch *b, const struct choice *c)
{
	b->choice[b->n_choices++] = *c;
	t->at = b->id;
	t->applied = b->n_choices;
	t->changes++;
	timeline_touch(t);
	recompile_stops(t, c);
}

/* The branch for the choice: the present one, or a new one that is not started yet. */
static struct branch *
branch_for(struct timeline *t, bool fresh, struct err *e)
{
	struct place here = timeline_here(t);
	unsigned owner = timeline_owner(t, here.branch, here.cycle);

	return fresh ? timeline_branch_new(t, "", owner, e) : t->branch[owner];
}

/* Makes a choice. At a mark it changes nothing about the mark, just as a change in the past
 * keeps the future. */
int
timeline_choose(struct timeline *t, enum choice_kind k, const char *key, const char *value,
		char *note, size_t size, struct err *e)
{
	struct place here = timeline_here(t);
	struct branch *was = t->branch[here.branch], *b;
	bool past = here.cycle < was->tip, drop = past && t->opt.drop;
	bool fork = t->opt.fork && !t->opt.drop && here.cycle > was->from;
	bool fresh = (past && !drop) || fork || timeline_is_marked(t);
	uint64_t seq = here.cycle ? sim_events(t->sim)->next : 0; /* at cycle 0 the run restarts */
	char before[POLICY_TEXT], none[2];
	struct choice c = {
		k,	     here.cycle, (char *)(uintptr_t)key, (char *)(uintptr_t)value, before,
		t->opt.role, t->opt.made};

	if (!note) {
		note = none;
		size = sizeof(none);
	}
	*note = '\0';
	if (value_before(t, k, key, before, sizeof(before), e) < 0 ||
	    !(b = branch_for(t, fresh, e)))
		return -1;
	if (reserve_choice(b, &c))
		err_nomem(e);
	if (past)
		debug_told(t->debug, seq);
	if (!c.value || apply_choice(t, &c, note, size, e)) {
		if (past)
			debug_told(t->debug, was->told);
		if (fresh) {
			timeline_branch_forget(t, b->id);
			t->n_branches--;
		}
		timeline_choice_free(&c);
		return -1;
	}
	if (drop)
		was = drop_future(t, note, size);
	if (fresh)
		begin_branch(t, b, seq);
	append_choice(t, b, &c);
	if (past || !here.cycle) {
		b->told = sim_events(t->sim)->next;
		timeline_parted(t, seq, b->told);
	}
	if (fresh && !strstr(note, ": "))
		*note = '\0'; /* "policy rr -> dyncta": the line about the branch says so, too */
	if (fresh)
		say_branch(t, b, was, note, size);
	return 0;
}
