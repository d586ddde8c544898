/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * file.c - a timeline as text: read with another machine, it is the same tree and leads to the same
 * states; text damaged in any line leaves an empty timeline.
 */
#include "tests/timeline/travel.h"

#include <string.h>

struct states {
	struct sim *from, *to; /* a state is written and read between them */
	struct timeline *tl;   /* that of `from` */
};

/* Converts a snapshot of one sim to one of another. */
static struct snapshot *
carry(const struct states *x, const struct snapshot *k, struct err *e)
{
	struct strbuf bytes = {0};
	struct snapshot *read;

	snapshot_write(x->from, k, &bytes);
	read = snapshot_read(x->to, bytes.p, bytes.n, e);
	sb_free(&bytes);
	return read;
}

static struct snapshot *
state(void *ctx, const char *mark, struct err *e)
{
	const struct states *x = ctx;
	struct snapshot *here, *read;

	if (mark) {
		const struct mark *m = timeline_mark_find(x->tl, mark, e);

		return m ? carry(x, m->snap, e) : NULL;
	}
	here = sim_save(x->from, e);
	read = carry(x, here, e);
	snapshot_free(here);
	return read;
}

static struct travel_bench
some_tree(void)
{
	struct travel_bench b = travel_setup("dyncta");

	travel_run(&b, 900);
	travel_set(&b, "dyncta.t_mem_h", "40");
	timeline_mark(b.tl, "early", NULL);
	travel_run(&b, 3000);
	travel_goto(&b, 1500);
	travel_policy(&b, "dyncta+claso");
	travel_run(&b, 4000);
	timeline_mark(b.tl, "", NULL);
	travel_goto(&b, 1700);
	timeline_fork(b.tl, "doomed", NULL);
	travel_run(&b, 1800);
	timeline_switch(b.tl, 1, NULL);
	timeline_delete(b.tl, 2, NULL);
	travel_goto(&b, 2100);
	timeline_fork(b.tl, "last", NULL);
	travel_set(&b, "dyncta.t_mem_l", "11");
	travel_run(&b, 2500);
	travel_goto(&b, 2300);
	return b;
}

static bool
goes_the_same(struct travel_bench *a, struct travel_bench *b, unsigned branch, cycle_t cycle)
{
	struct place p = {branch, cycle};
	bool there = timeline_goto(a->tl, p, &a->e) == 0 && timeline_goto(b->tl, p, &b->e) == 0;

	if (!there)
		diag("%s %s", a->e.msg, b->e.msg);
	return there && sim_digest(a->sim) == sim_digest(b->sim) && travel_same(b);
}

static void
there_and_back(void)
{
	struct travel_bench a = some_tree(), b = travel_setup("dyncta");
	struct states x = {a.sim, b.sim, a.tl};
	struct strbuf text = {0}, again = {0};
	struct place p;

	timeline_write(a.tl, &text);
	ok(timeline_read(b.tl, text.p, state, &x, &b.e) == 0, "it is read: %s", b.e.msg);
	p = timeline_here(b.tl);
	ok(p.branch == 3 && p.cycle == 2300 && sim_digest(a.sim) == sim_digest(b.sim) &&
		   travel_same(&b),
	   "and stands where the other one does");
	timeline_write(b.tl, &again);
	is_str(again.p, text.p, "it is written as the same");
	ok(goes_the_same(&a, &b, 3, 2500) && goes_the_same(&a, &b, 0, 2999) &&
		   goes_the_same(&a, &b, 1, 4000) && goes_the_same(&a, &b, 0, 0) &&
		   goes_the_same(&a, &b, 3, 1499),
	   "every place is the same");
	travel_run(&a, 1000);
	travel_run(&b, 1000);
	ok(sim_digest(a.sim) == sim_digest(b.sim), "runs do choices again");
	ok(timeline_fork(b.tl, "", &b.e) == 0 && timeline_here(b.tl).branch == 4,
	   "the next branch has the next number");
	ok(timeline_mark_find(b.tl, "c1", &b.e) && timeline_marks(b.tl) == 2, "marks are there");
	sb_free(&text);
	sb_free(&again);
	travel_teardown(&a);
	travel_teardown(&b);
}

/* Each line in turn is left out, cut, or gets other numbers: the result is an error, or a valid
 * timeline. */
static void
damaged(void)
{
	struct travel_bench a = some_tree();
	struct strbuf text = {0};
	unsigned refused = 0, bad = 0;

	timeline_write(a.tl, &text);
	for (size_t at = 0; at < text.n; at += strcspn(text.p + at, "\n") + 1)
		for (unsigned how = 0; how < 3; how++) {
			struct travel_bench b = travel_setup("dyncta");
			struct states x = {a.sim, b.sim, a.tl};
			struct strbuf other = {0};
			size_t line = strcspn(text.p + at, "\n");

			sb_add(&other, text.p, at);
			for (size_t i = 0; how && i < (how == 1 ? line / 2 : line); i++)
				sb_char(&other,
					how == 2 && text.p[at + i] == '1' ? '7' : text.p[at + i]);
			sb_str(&other, text.p + at + line + (how == 0));
			if (timeline_read(b.tl, other.p, state, &x, &b.e)) {
				refused++;
				bad += !b.e.set || timeline_here(b.tl).cycle || sim_cycle(b.sim);
			}
			travel_run(&b, timeline_here(b.tl).cycle + 100);
			travel_goto(&b, 10);
			sb_free(&other);
			travel_teardown(&b);
		}
	ok(refused > 15, "%u damaged texts are refused", refused);
	is_u64(bad, 0, "and the timeline begins anew");
	sb_free(&text);
	travel_teardown(&a);
}

int
main(void)
{
	there_and_back();
	damaged();
	return done();
}
