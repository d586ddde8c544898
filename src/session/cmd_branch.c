/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_branch.c - the commands that fork, list, switch and delete branches of the run
 * (src/timeline).
 */
#include "session/table.h"
#include "session/branch.h"
#include "session/command.h"
#include "session/experiment.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- descriptions */

void
session_choice_text(const struct choice *c, char *buf, size_t size)
{
	const char *kernel = c->kind == CHOICE_OUTCOME ? strstr(c->key, "/k") : NULL;
	char what[8], cycle[24], at[HUMAN], whose[24] = "";
	unsigned core;

	if (kernel)
		snprintf(whose, sizeof(whose), "kernel %.8s, ", kernel + 2);
	if (c->kind == CHOICE_OUTCOME &&
	    sscanf(c->key, "%7[a-z].%u@%23[0-9]", what, &core, cycle) == 3)
		snprintf(buf, size, "%score %u, cycle %s: %s %s", whose, core,
			 human(at, strtoull(cycle, NULL, 10)), what, c->value);
	else if (c->kind == CHOICE_OUTCOME)
		snprintf(buf, size, "%s %s", c->key, c->value);
	else
		snprintf(buf, size, "%s %s -> %s", c->kind == CHOICE_POLICY ? "policy" : c->key,
			 c->before, c->value);
}

/* The change that an undo of this branch took back; NULL: one of another branch. */
static const struct choice *
find_undone(const struct branch *b, unsigned undo)
{
	unsigned cancelled = 0;

	while (undo--) {
		if (b->choice[undo].role == CHOICE_UNDO)
			cancelled++;
		else if (!cancelled--)
			return &b->choice[undo];
	}
	return NULL;
}

/* Counts a change that ran for some cycles before it was undone. In the cycle in which it was made,
 * an undo leaves no trace in the run. */
static void
count_ended(struct branch_changes *n, const struct branch *b, unsigned undo)
{
	const struct choice *c = find_undone(b, undo);

	if (!c || c->cycle == b->choice[undo].cycle)
		return;
	if (!n->n_ended++) {
		n->ended = c;
		n->until = b->choice[undo].cycle;
	}
}

/* An undo cancels the last change of the branch that holds. Without one it took back a change of a
 * branch before this one, and so it is a change of this one itself. The same is true of a redo. */
struct branch_changes
session_branch_changes(const struct branch *b)
{
	struct branch_changes n = {0};
	unsigned own = 0; /* undos since the last change that are changes of this branch */

	for (unsigned i = 0; i < b->n_choices; i++) {
		enum choice_role role = b->choice[i].role;

		if (role == CHOICE_UNDO && n.n_hold > n.n_undos) {
			count_ended(&n, b, i);
			n.n_hold--;
		} else if (role == CHOICE_REDO && own) {
			own--;
			n.n_undos--;
			n.n_hold--;
		} else {
			if (!n.n_hold++)
				n.first = &b->choice[i];
			n.n_undos += role == CHOICE_UNDO;
			own = role == CHOICE_CHANGE ? 0 : own + (role == CHOICE_UNDO);
		}
	}
	return n;
}

/* Describes a branch: its first change that holds, and how many more there are; or, if all were
 * undone later, the first one of them. */
static void
describe_branch(const struct branch *b, char *buf, size_t size)
{
	struct branch_changes changes = session_branch_changes(b);
	char at[HUMAN];
	size_t n;

	*buf = '\0';
	if (changes.n_hold)
		session_choice_text(changes.first, buf, size);
	else if (changes.n_ended)
		session_choice_text(changes.ended, buf, size);
	n = strlen(buf);
	if (changes.n_hold > 1)
		snprintf(buf + n, size - n, ", %u more", changes.n_hold - 1);
	else if (!changes.n_hold && changes.n_ended)
		snprintf(buf + n, size - n, " until cycle %s", human(at, changes.until));
}

/* ---------------------------------------------------------------- branches */

static double
gpu_ipc(const struct sim *s)
{
	uint64_t id;

	return sim_path(s, "gpu.ipc", &id, NULL) == 1 ? sim_value(s, id, 0) : (double)NAN;
}

/* Finds the IPC at the tip of each branch by going there; NaN where that would take too long. */
static void
measure_ipc(struct session *s, double *ipc, unsigned n)
{
	struct machine m = session_machine(s);
	struct machine_origin o;
	struct progress_line w;

	for (unsigned i = 0; i < n; i++)
		ipc[i] = NAN;
	if (machine_leave(&m, &o, NULL) < 0)
		return;
	progress_line_begin(&w, s, "branches");
	for (unsigned i = 0; i < n; i++) {
		const struct branch *b = timeline_branch(s->timeline, i);

		if (!b || lab_progress_stop(&w.progress, (double)i / n) ||
		    machine_move(&m, (struct place){i, b->tip}, NULL))
			continue;
		ipc[i] = gpu_ipc(s->sim);
	}
	progress_line_end(&w);
	machine_return(&m, &o);
}

struct listing {
	struct table table;
	const double *ipc;
	unsigned here;
};

/* Lists a branch and its children, indented. */
static void
list_branch(struct session *s, struct listing *l, unsigned id, unsigned depth)
{
	const struct branch *b = timeline_branch(s->timeline, id),
			    *from = timeline_branch(s->timeline, b->parent);
	char text[2 * POLICY_TEXT], at[HUMAN];

	describe_branch(b, text, sizeof(text));
	table_text(&l->table, "%s%*s%s", id == l->here ? "* " : "  ", (int)MIN(2 * depth, 20u), "",
		   b->name);
	if (from)
		table_text(&l->table, "%s at %s", from->name, human(at, b->from));
	else
		table_text(&l->table, "%s", "-");
	table_u64(&l->table, b->tip);
	if (from && b->tip == b->from) /* the IPC there is that of the branch that it left */
		table_text(&l->table, "at its start");
	else
		table_num(&l->table, l->ipc[id]);
	table_text(&l->table, "%s", text);
	for (unsigned i = id + 1; i < timeline_branches(s->timeline); i++) {
		const struct branch *x = timeline_branch(s->timeline, i);

		if (x && x->parent == id)
			list_branch(s, l, i, depth + 1);
	}
}

enum session_status
cmd_branches(struct session *s, struct cmd_args *a ATTR_UNUSED)
{
	unsigned n = timeline_branches(s->timeline);
	double *ipc = calloc(n, sizeof(*ipc));
	struct place here = timeline_here(s->timeline);
	struct listing l = {.here = here.branch, .ipc = ipc};
	char at[HUMAN];

	if (!ipc)
		return fail_memory(s);
	measure_ipc(s, ipc, n);
	table_begin(&l.table, "<branch <from >up~to >IPC <changed");
	for (unsigned i = 0; i < n; i++) {
		const struct branch *b = timeline_branch(s->timeline, i);

		if (b && b->parent == BRANCH_NONE)
			list_branch(s, &l, i, 0);
	}
	table_end(s, &l.table);
	say(s, SAY_RESULT, "you are on %s at cycle %s",
	    timeline_branch(s->timeline, here.branch)->name, human(at, here.cycle));
	free(ipc);
	return SESSION_OK;
}

/* ---------------------------------------------------------------- fork, switch, delete */

enum session_status
cmd_fork(struct session *s, struct cmd_args *a)
{
	struct place was = timeline_here(s->timeline);
	struct err e = {0};

	if (timeline_fork(s->timeline, a->word[0] ? a->word[0] : "", &e) < 0)
		return say_err(s, &e);
	say(s, SAY_RESULT, "you are on branch %s; %s is unchanged",
	    timeline_branch(s->timeline, timeline_here(s->timeline).branch)->name,
	    timeline_branch(s->timeline, was.branch)->name);
	return SESSION_OK;
}

enum session_status
cmd_switch(struct session *s, struct cmd_args *a)
{
	struct err e = {0};
	const struct branch *b = timeline_branch_find(s->timeline, a->word[0], &e);
	enum session_status status;
	char text[80], cycle[HUMAN];

	if (!b)
		return say_err(s, &e);
	if (b->id == timeline_here(s->timeline).branch)
		return fail(s, "switch: you are already on branch %s", b->name);
	status = session_goto(s, (struct place){b->id, b->left == CYCLE_NEVER ? b->tip : b->left});
	if (status != SESSION_OK)
		return status;
	snprintf(text, sizeof(text), "cycle %s", human(cycle, sim_cycle(s->sim)));
	session_say_stop(s, text);
	return session_say_here(s);
}

enum session_status
session_delete_branch(struct session *s, const char *name)
{
	struct err e = {0};
	const struct branch *b = timeline_branch_find(s->timeline, name, &e);

	if (!b || timeline_delete(s->timeline, b->id, &e) < 0)
		return say_err(s, &e);
	return SESSION_OK;
}

void
complete_branch(struct offer *o, const struct before *b ATTR_UNUSED)
{
	for (unsigned i = 0; o->s && o->s->sim && i < timeline_branches(o->s->timeline); i++)
		if (timeline_branch(o->s->timeline, i))
			offer(o, timeline_branch(o->s->timeline, i)->name);
}
