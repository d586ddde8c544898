/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * walk_steps.c - the steps of a random walk: forward and back, to places and marks, branches,
 * changes of options, stack and outcomes, another machine.
 */
#include "tests/prop/walk.h"

const char *const walk_stacks[] = {
	"rr",
	"static:n=2",
	"cores:n=3",
	"dyncta:period=256",
	"dyncore:period=256,off=2,wake=75",
	"tcs:mon_cycle=128,monitor=300,thr=1",
	"htcs:mon_cycle=64,monitor=300,thr=1",
	"onac:waves=1,loss=0.3",
	"seqdet:waves=1,loss=0.3",
	"claso",
	"dyncta:period=512+claso",
	NULL,
};

#define N_STACKS (ARRAY_LEN(walk_stacks) - 1)

uint64_t
walk_below(struct walk *w, uint64_t n)
{
	w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return n ? (w->random >> 33) % n : 0;
}

static void
did(struct walk *w, const char *what)
{
	size_t n = strlen(w->last), m = strlen(what) + 2;

	if (n + m >= sizeof(w->last)) {
		memmove(w->last, w->last + m, n - m + 1);
		n -= m;
	}
	snprintf(w->last + n, sizeof(w->last) - n, ", %s", what);
}

static void
visit(struct walk *w)
{
	if (w->n_visits == MOST_VISITS)
		walk_check_visits(w);
	w->visit[w->n_visits++] = (struct visit){timeline_here(w->tl), sim_digest(w->sim)};
}

/* A change replaces the state of this cycle of the branch, so the visits before it are dropped. */
static void
forget_here(struct walk *w, struct place p)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < w->n_visits; i++)
		if (w->visit[i].place.branch != p.branch || w->visit[i].place.cycle != p.cycle)
			w->visit[kept++] = w->visit[i];
	w->n_visits = kept;
}

static void
forward(struct walk *w)
{
	struct place here = timeline_here(w->tl);
	struct debug_goal g = {.until = here.cycle + 1 +
					walk_below(w, walk_below(w, 4) ? 300 : 3000)};
	struct debug_result r;
	struct err e = {0};

	if (here.cycle >= w->far || sim_done(w->sim))
		return;
	if (walk_below(w, 4) == 0) {
		g.events = EV_BIT(walk_below(w, EV_KINDS));
		g.count = 1 + walk_below(w, 3);
	}
	debug_run(w->d, &g, &r, &e);
	did(w, "forward");
}

static void
back(struct walk *w)
{
	struct debug_goal g = {.until = CYCLE_NEVER};
	struct debug_result r;
	struct err e = {0};

	if (walk_below(w, 2)) {
		g.events = EV_BIT(walk_below(w, EV_KINDS));
		g.count = 1 + walk_below(w, 3);
	}
	timeline_back(w->tl, &g, &r, &e);
	did(w, "back");
}

static unsigned
any_branch(struct walk *w)
{
	unsigned id;

	do
		id = (unsigned)walk_below(w, timeline_branches(w->tl));
	while (!timeline_branch(w->tl, id));
	return id;
}

static void
go(struct walk *w)
{
	struct place p = {any_branch(w), 0};

	if (walk_below(w, 3))
		p.branch = timeline_here(w->tl).branch;
	if (walk_below(w, 5)) /* otherwise to the start */
		p.cycle = walk_below(w, timeline_branch(w->tl, p.branch)->tip + 1);
	timeline_goto(w->tl, p, NULL);
	did(w, "goto");
}

static void
change_branch(struct walk *w)
{
	timeline_switch(w->tl, any_branch(w), NULL);
	did(w, "switch");
}

static void
fork_here(struct walk *w)
{
	timeline_fork(w->tl, "", NULL);
	did(w, "fork");
}

static void
delete_branch(struct walk *w)
{
	walk_check_visits(w);
	timeline_delete(w->tl, any_branch(w), NULL);
	did(w, "delete");
}

static void
mark(struct walk *w)
{
	const struct mark *m;

	if (timeline_marks(w->tl) < 5 && walk_below(w, 2)) {
		timeline_mark(w->tl, "", NULL);
		did(w, "mark");
	} else if (timeline_marks(w->tl)) {
		m = timeline_mark_at(w->tl, (unsigned)walk_below(w, timeline_marks(w->tl)));
		if (walk_below(w, 4) == 0) {
			timeline_mark_delete(w->tl, m->name, NULL);
			return;
		}
		timeline_goto(w->tl, m->place, NULL);
		did(w, "to a mark");
	}
}

static void
skip(struct walk *w)
{
	sim_set(w->sim, "run.skip", walk_below(w, 3) ? "on" : "off", NULL);
	sim_set(w->sim, "run.threads", walk_below(w, 3) ? "2" : "1", NULL);
	did(w, "skip");
}

/* Chooses one of the options that may change, all equally likely. */
struct some_option {
	struct walk *w;
	unsigned n;
	char key[128], value[64];
};

static void
maybe_option(void *ctx, const char *key, const struct opt_group *g, const struct opt_row *r)
{
	struct some_option *o = ctx;
	bool used = false;
	unsigned n_stack;
	const struct cta_sched_ops *const *stack = config_stack(sim_config(o->w->sim), &n_stack);
	double to;

	for (unsigned i = 0; i < n_stack; i++)
		used |= strcmp(stack[i]->name, g->prefix) == 0;
	if (!config_is_choice(sim_config(o->w->sim), key) || !used || walk_below(o->w, ++o->n))
		return;
	snprintf(o->key, sizeof(o->key), "%s", key);
	to = MIN(MAX(r->def * 3, r->min + 4), r->max);
	if (r->type == OPT_T_enum)
		snprintf(o->value, sizeof(o->value), "%s",
			 r->names[walk_below(o->w, (uint64_t)r->max + 1)]);
	else if (r->type == OPT_T_bool)
		snprintf(o->value, sizeof(o->value), "%s", walk_below(o->w, 2) ? "on" : "off");
	else if (r->type == OPT_T_f64)
		snprintf(o->value, sizeof(o->value), "%g",
			 r->min + (to - r->min) * (double)walk_below(o->w, 1000) / 1000);
	else
		snprintf(o->value, sizeof(o->value), "%.0f",
			 r->min + (double)walk_below(o->w, (uint64_t)(to - r->min) + 1));
}

static void
choose(struct walk *w)
{
	struct place here = timeline_here(w->tl);
	struct some_option o = {.w = w};
	bool policy = walk_below(w, 3) == 0;
	struct err e = {0};
	int rc;

	if (!policy)
		opt_each(config_db_const(sim_config(w->sim)), maybe_option, &o);
	if (!policy && !o.n)
		return;
	rc = timeline_choose(w->tl, policy ? CHOICE_POLICY : CHOICE_OPTION, policy ? NULL : o.key,
			     policy ? walk_stacks[walk_below(w, N_STACKS)] : o.value, NULL, 0, &e);
	if (rc == 0 && timeline_here(w->tl).branch == here.branch)
		forget_here(w, here);
	did(w, policy ? "policy" : o.key);
}

/* Gives one of the last decisions another outcome, from the cycle before it on. */
static void
flip(struct walk *w)
{
	const struct event_ring *r = sim_events(w->sim);
	struct place here = timeline_here(w->tl);
	uint64_t back = walk_below(w, MIN(r->next - r->first, 300));
	struct decision_view v = {.name = ""};

	while (back < r->next - r->first && back < 600 &&
	       sim_decision_view(w->sim, event_ring_get(r, r->next - 1 - back), &v, NULL))
		back++;
	if (!*v.name || v.cycle == 0 || !v.other || v.cycle > here.cycle)
		return;
	here.cycle = v.cycle - 1;
	if (timeline_goto(w->tl, here, NULL))
		return;
	if (timeline_choose(w->tl, CHOICE_OUTCOME, v.name, v.other, NULL, 0, NULL) == 0 &&
	    timeline_here(w->tl).branch == here.branch)
		forget_here(w, here);
	did(w, v.name);
}

static struct snapshot *
as_bytes(struct sim *from, const struct snapshot *k, struct sim *to, struct err *e)
{
	struct strbuf b = {0};
	struct snapshot *read;

	snapshot_write(from, k, &b);
	read = snapshot_read(to, b.p, b.n, e);
	sb_free(&b);
	return read;
}

struct carried {
	struct walk *w;
	struct sim *to;
};

static struct snapshot *
carry_state(void *ctx, const char *name, struct err *e)
{
	const struct carried *x = ctx;
	struct snapshot *k = name ? NULL : sim_save(x->w->sim, e), *read;
	const struct mark *m = name ? timeline_mark_find(x->w->tl, name, e) : NULL;

	read = as_bytes(x->w->sim, m ? m->snap : k, x->to, e);
	snapshot_free(k);
	return read;
}

/* Continues with another machine, as after save and load. */
static void
carry(struct walk *w)
{
	struct carried x = {w, model_sim(w->c, w->t)};
	struct strbuf tree = {0}, stops = {0}, lost = {0};
	struct debug *d = debug_new();
	struct timeline *tl = timeline_new(d);
	struct err e = {0};

	debug_attach(d, x.to, NULL);
	timeline_begin(tl, x.to, NULL);
	timeline_write(w->tl, &tree);
	debug_stops_write(w->d, &stops);
	if (timeline_read(tl, tree.p, carry_state, &x, &e) ||
	    debug_stops_read(d, stops.p, &lost, &e))
		snprintf(w->bad, sizeof(w->bad), "read again: %.300s%.200s", e.msg, w->last);
	timeline_free(w->tl);
	debug_free(w->d);
	sim_free(w->sim);
	w->tl = tl;
	w->d = d;
	w->sim = x.to;
	sb_free(&tree);
	sb_free(&stops);
	sb_free(&lost);
	did(w, "carried");
}

void
walk_step(struct walk *w)
{
	static const struct {
		void (*fn)(struct walk *w);
		unsigned weight;
		bool chooses;
	} steps[] = {{forward, 10, false}, {back, 4, false},	    {go, 5, false},
		     {mark, 2, false},	   {skip, 1, false},	    {carry, 1, false},
		     {choose, 4, true},	   {flip, 2, true},	    {change_branch, 2, true},
		     {fork_here, 2, true}, {delete_branch, 1, true}};
	unsigned sum = 0, pick;

	for (unsigned i = 0; i < ARRAY_LEN(steps); i++)
		sum += steps[i].chooses && w->quiet ? 0 : steps[i].weight;
	pick = (unsigned)walk_below(w, sum);
	for (unsigned i = 0; i < ARRAY_LEN(steps); i++) {
		unsigned weight = steps[i].chooses && w->quiet ? 0 : steps[i].weight;

		if (pick < weight) {
			steps[i].fn(w);
			break;
		}
		pick -= weight;
	}
	visit(w);
}
