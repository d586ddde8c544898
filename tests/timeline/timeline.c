/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timeline.c - tests of places, choices, branches and marks on the small machine. */
#include "tests/timeline/travel.h"

#include "tests/small/fault.h"

static void
there_and_back(void)
{
	struct travel_bench b = travel_setup("dyncta");
	uint64_t at_300, end;

	travel_run(&b, 300);
	at_300 = sim_digest(b.sim);
	travel_run(&b, CYCLE_NEVER);
	end = sim_digest(b.sim);
	ok(travel_goto(&b, 300) == 0 && sim_digest(b.sim) == at_300, "back to a cycle");
	ok(timeline_here(b.tl).cycle == 300 && timeline_branch(b.tl, 0)->tip > 8000,
	   "the tip stays where it was");
	ok(travel_goto(&b, 0) == 0 && sim_cycle(b.sim) == 0 && travel_same(&b), "to the start");
	ok(travel_goto(&b, timeline_branch(b.tl, 0)->tip) == 0 && sim_digest(b.sim) == end &&
		   sim_done(b.sim),
	   "to the end again");
	ok(travel_goto(&b, 100000) < 0, "further than ever: %s", b.e.msg);
	ok(sim_digest(b.sim) == end, "that moves nothing");
	travel_teardown(&b);
}

static void
choices(void)
{
	struct travel_bench b = travel_setup("dyncta");
	char value[64];
	uint64_t with, end;

	travel_run(&b, 500);
	ok(travel_set(&b, "dyncta.t_mem_h", "24") == 0 && !*b.note, "a choice at the tip");
	with = sim_digest(b.sim);
	travel_run(&b, 1000);
	travel_policy(&b, "rr");
	travel_run(&b, CYCLE_NEVER);
	end = sim_digest(b.sim);
	travel_goto(&b, 499);
	opt_get(config_db_const(sim_config(b.sim)), "dyncta.t_mem_h", value, sizeof(value), NULL);
	is_str(value, "60", "going back before it undoes it");
	is_str(config_policy_text(sim_config(b.sim)), "dyncta", "of the policy stack too");
	travel_goto(&b, 500);
	ok(sim_digest(b.sim) == with, "at its cycle it is done");
	travel_goto(&b, 400);
	is_u64(timeline_next_choice(b.tl), 500, "the next choice is known");
	is_u64(travel_run(&b, CYCLE_NEVER), DEBUG_DONE, "a run goes over both");
	ok(sim_digest(b.sim) == end, "to the same end");
	is_str(config_policy_text(sim_config(b.sim)), "rr", "under the same policy");
	ok(travel_set(&b, "dyncta.nothing", "1") < 0 && timeline_branch(b.tl, 0)->n_choices == 2,
	   "what cannot be set is no choice: %s", b.e.msg);
	travel_teardown(&b);
}

static void
branches(void)
{
	struct travel_bench b = travel_setup("dyncta");
	const struct branch *x;
	uint64_t end;

	travel_run(&b, 6000);
	end = sim_digest(b.sim);
	travel_goto(&b, 2000);
	ok(travel_set(&b, "dyncta.t_mem_h", "x") < 0 && timeline_branches(b.tl) == 1 &&
		   timeline_here(b.tl).branch == 0,
	   "a mistake in the past changes nothing: %s", b.e.msg);
	travel_set(&b, "dyncta.t_mem_h", "24");
	is_str(b.note,
	       "branch b2 from main at 2,000: dyncta.t_mem_h 60 -> 24; main keeps its future up to "
	       "6,000, 'switch main'",
	       "a change in the past says what becomes of the future");
	x = timeline_branch_find(b.tl, "b2", &b.e);
	ok(x && x->from == 2000 && x->tip == 2000 && x->parent == 0 &&
		   timeline_here(b.tl).branch == x->id,
	   "the present is a branch");
	travel_run(&b, 3000);
	ok(travel_same(&b), "it goes on with the change");
	travel_goto(&b, 1000);
	ok(timeline_here(b.tl).branch == x->id && travel_same(&b),
	   "back before it left its parent");
	travel_run(&b, 2500);
	ok(travel_same(&b), "and forward: the branch's choice is done again");
	ok(timeline_delete(b.tl, 0, &b.e) < 0, "what one comes from cannot be deleted: %s",
	   b.e.msg);
	ok(timeline_switch(b.tl, 0, &b.e) == 0 && sim_cycle(b.sim) == 2000, "back on main");
	travel_goto(&b, 6000);
	ok(sim_digest(b.sim) == end, "whose future is what it was");
	ok(timeline_fork(b.tl, "b2", &b.e) < 0, "names are not taken twice: %s", b.e.msg);
	err_clear(&b.e);
	ok(timeline_fork(b.tl, "why", &b.e) == 0 && timeline_branch_find(b.tl, "why", NULL),
	   "fork");
	travel_set(&b, "dyncta.t_mem_h", "90");
	ok(!*b.note && timeline_branch_find(b.tl, "why", NULL)->n_choices == 1,
	   "a change at its tip is its own");
	timeline_switch(b.tl, 0, &b.e);
	travel_goto(&b, 6000);
	ok(sim_digest(b.sim) == end && travel_same(&b), "not that of its parent at the same cycle");
	ok(timeline_delete(b.tl, x->id, &b.e) == 0 && !timeline_branch_find(b.tl, "b2", &b.e),
	   "deleted: %s", b.e.msg);
	travel_teardown(&b);
}

static void
dropped(void)
{
	struct travel_bench b = travel_setup("dyncta");

	timeline_set_options(b.tl, &(struct timeline_options){.memory = 1u << 30, .drop = true});
	travel_run(&b, 3000);
	timeline_mark(b.tl, "late", NULL);
	timeline_fork(b.tl, "", NULL);
	timeline_switch(b.tl, 0, NULL);
	travel_goto(&b, 1000);
	travel_set(&b, "dyncta.t_mem_h", "24");
	is_str(b.note,
	       "cycles 1,000 to 3,000 of main are dropped\nbranch b2 is dropped\ncheckpoint late "
	       "is "
	       "dropped",
	       "without branches the future is dropped, and it is said");
	ok(timeline_branch(b.tl, 0)->tip == 1000 && !timeline_branch(b.tl, 1) &&
		   !timeline_marks(b.tl) && travel_same(&b),
	   "and gone");
	travel_teardown(&b);
}

static void
marks(void)
{
	struct travel_bench b = travel_setup("dyncta+claso");
	const struct mark *m;

	travel_run(&b, 200);
	ok(timeline_mark(b.tl, "", &b.e) && timeline_mark(b.tl, "c2", &b.e), "two checkpoints");
	is_str(timeline_mark(b.tl, "", &b.e)->name, "c3", "names that are taken are skipped");
	ok(!timeline_mark(b.tl, "c1", &b.e) && strstr(b.e.msg, "exists"), "none is overwritten");
	err_clear(&b.e);
	ok(!timeline_mark(b.tl, "a b", &b.e), "one word: %s", b.e.msg);
	travel_run(&b, 2000);
	m = timeline_mark_find(b.tl, "c1", NULL);
	err_clear(&b.e);
	ok(timeline_goto(b.tl, m->place, &b.e) == 0 && sim_cycle(b.sim) == 200, "back to one");
	ok(!timeline_mark_find(b.tl, "c9", &b.e), "one that is not there: %s", b.e.msg);
	ok(timeline_mark_delete(b.tl, "c2", NULL) == 0 && timeline_marks(b.tl) == 2, "deleted");
	travel_teardown(&b);
}

int
main(void)
{
	there_and_back();
	choices();
	branches();
	dropped();
	marks();
	return done();
}
