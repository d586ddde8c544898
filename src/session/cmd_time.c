/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_time.c - the commands that move through time: backwards, to a cycle, to a checkpoint.
 *
 * Every command that runs forward has a mirror. `reverse-step` and the others stop where a forward
 * run would have stopped, and print the same words; they find the latest such cycle before the
 * present. If there is none, they end at cycle 0 and say so.
 */
#include "session/table.h"
#include "session/command.h"
#include "session/session_part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static enum session_status
say_stopped_at(struct session *s, const char *text)
{
	session_say_stop(s, text);
	return session_say_here(s);
}

static enum session_status
stopped_at_cycle(struct session *s)
{
	char text[80], cycle[HUMAN];

	snprintf(text, sizeof(text), "cycle %s%s", human(cycle, sim_cycle(s->sim)),
		 sim_cycle(s->sim) ? "" : ", the start of the run");
	return say_stopped_at(s, text);
}

/* Moves back to the goal or to a stop before it. Returns like session_reach(). */
static bool
reach_back(struct session *s, struct debug_goal g, struct debug_result *r,
	   enum session_status *status)
{
	struct strbuf undone = {0};
	struct err e = {0};
	enum debug_end end;
	bool reached;

	if (sim_cycle(s->sim) == 0) {
		*status = stopped_at_cycle(s);
		return false;
	}
	debug_prefer_core(s->debug, s->opts.follow_stop ? (int)s->view.core : -1);
	session_seek(s, true);
	end = timeline_back(s->timeline, &g, r, &e);
	session_say_undone(s, &undone);
	session_seek(s, false);
	s->view.list_at = 0;
	session_follow_stop(s);
	session_say_changes(s, &undone);
	if (end == DEBUG_DONE) {
		*status = stopped_at_cycle(s);
		return false;
	}
	reached = session_ended(s, end, r, &e, status);
	if (session_log_events(s) != SESSION_OK) {
		*status = SESSION_ERROR;
		return false;
	}
	return reached;
}

static enum session_status
go_back(struct session *s, struct debug_goal g)
{
	struct debug_result r;
	enum session_status status;

	if (!reach_back(s, g, &r, &status))
		return status;
	if (!r.hits)
		return stopped_at_cycle(s);
	session_say_hits(s, &r);
	return session_say_here(s);
}

/* ---------------------------------------------------------------- reverse-... */

static enum session_status
back_by_cycles(struct session *s, uint64_t n)
{
	cycle_t now = sim_cycle(s->sim);

	return go_back(s, (struct debug_goal){.until = n < now ? now - n : 0});
}

/* Moves to the ends of periods, each in another cycle. */
static enum session_status
back_by_periods(struct session *s, uint64_t n)
{
	struct debug_goal g = {.until = CYCLE_NEVER, .events = EV_BIT(EV_PERIOD), .count = 1};
	enum session_status status = SESSION_OK;
	struct debug_result r;
	cycle_t now = sim_cycle(s->sim), done = 0, period = sim_period(s->sim, &done), last;

	if (!session_has_periods(s))
		return session_no_periods(s);
	for (; session_cores_decide(s) && n; n--)
		if (!reach_back(s, g, &r, &status))
			return status;
	if (session_cores_decide(s))
		return session_say_period(s);
	/* no policy announces the ends of periods, so use the cycle number */
	last = done ? done : period;
	last += (n - 1) * period;
	return go_back(s, (struct debug_goal){.until = last < now ? now - last : 0});
}

enum session_status
cmd_reverse_next(struct session *s, struct cmd_args *a)
{
	uint64_t n = session_count_of(s, a);

	return n ? back_by_periods(s, n) : SESSION_ERROR;
}

enum session_status
cmd_reverse_step(struct session *s, struct cmd_args *a)
{
	return session_step(s, a, &(struct step_way){back_by_cycles, back_by_periods, go_back});
}

enum session_status
cmd_reverse_continue(struct session *s, struct cmd_args *a)
{
	uint64_t n = session_count_of(s, a);
	enum session_status status = n ? SESSION_OK : SESSION_ERROR;

	if (s->ui.draws && !debug_stop_count(s->debug)) /* one key would throw the present away */
		return fail(s,
			    "%s: no stop is set; 'goto 0' goes to the start, b sets a stop, S and "
			    "N go back a cycle and a period",
			    a->name);
	for (; n && status == SESSION_OK && !s->control.interrupted; n--) {
		status = go_back(s, (struct debug_goal){.until = CYCLE_NEVER});
		if (sim_cycle(s->sim) == 0)
			break;
	}
	return status;
}

/* Moves to the start of the kernel; from there, to the start of the kernel before it. */
enum session_status
cmd_reverse_finish(struct session *s, struct cmd_args *a ATTR_UNUSED)
{
	unsigned k = sim_kernels_started(s->sim);

	while (k > 1 && sim_kernel_start(s->sim, k - 1) >= sim_cycle(s->sim))
		k--;
	return go_back(s, (struct debug_goal){.until = k ? sim_kernel_start(s->sim, k - 1) : 0});
}

enum session_status
cmd_reverse_until(struct session *s, struct cmd_args *a)
{
	struct debug_goal g = {.until = CYCLE_NEVER, .count = 1};
	struct debug_result r;
	enum session_status status;
	struct err e = {0};
	char line[400], here[HUMAN], wanted[HUMAN];
	bool reached;
	cycle_t cycle;

	if (number_count(a->word[0], &cycle) == 0 && cycle < sim_cycle(s->sim))
		return go_back(s, (struct debug_goal){.until = cycle});
	if (number_count(a->word[0], &cycle) == 0)
		return fail(s, "reverse-until: cycle %s is not before this one, %s",
			    human(wanted, cycle), human(here, sim_cycle(s->sim)));
	if (number_count_fault(a->word[0]))
		return fail(s, "reverse-until: '%.60s' %s", a->word[0],
			    number_count_fault(a->word[0]));
	if (session_is_event(s, a->word[0]))
		return session_go_to_event(s, a->word[0], go_back);
	if (session_check_expr(s, a->word[0], &e))
		return say_err(s, &e);
	g.expr = a->word[0];
	reached = reach_back(s, g, &r, &status);
	if (!reached)
		return status;
	snprintf(line, sizeof(line), "cycle %s: %.300s", human(here, sim_cycle(s->sim)),
		 a->word[0]);
	return say_stopped_at(s, line);
}

/* ---------------------------------------------------------------- to a cycle */

/* If the cycle has not been run yet, the machine runs on. */
static enum session_status
goto_cycle(struct session *s, cycle_t cycle)
{
	struct place here = timeline_here(s->timeline);
	cycle_t tip = timeline_branch(s->timeline, here.branch)->tip;
	enum session_status status = session_goto(s, (struct place){here.branch, MIN(cycle, tip)});
	struct debug_result r;

	if (status != SESSION_OK)
		return status;
	if (cycle > tip &&
	    !session_reach(s, (struct debug_goal){.until = cycle, .count = 1}, &r, &status)) {
		if (status == SESSION_OK)
			session_say_early_end(s, cycle);
		return status;
	}
	return stopped_at_cycle(s);
}

enum session_status
cmd_goto(struct session *s, struct cmd_args *a)
{
	const struct mark *m;
	const char *fault;
	struct err e = {0};
	enum session_status status;
	cycle_t cycle;

	if (number_count(a->word[0], &cycle) == 0)
		return goto_cycle(s, cycle);
	fault = number_count_fault(a->word[0]);
	if (fault && a->word[0][0] != '-' && !timeline_mark_find(s->timeline, a->word[0], NULL))
		return fail(s, "goto: '%.60s' %s", a->word[0], fault);
	if (a->word[0][0] == '-')
		return fail(s, "goto: cycles begin at 0; 'reverse-step N' goes back by N cycles");
	m = timeline_mark_find(s->timeline, a->word[0], &e);
	if (!m)
		return fail(s, "goto: '%.60s' is no cycle, and there is %s", a->word[0], e.msg);
	status = session_goto(s, m->place);
	return status == SESSION_OK ? stopped_at_cycle(s) : status;
}

/* ---------------------------------------------------------------- checkpoints */

enum session_status
cmd_checkpoint(struct session *s, struct cmd_args *a)
{
	struct err e = {0};
	const struct mark *m = timeline_mark(s->timeline, a->word[0] ? a->word[0] : "", &e);
	char n[HUMAN];

	if (!m)
		return say_err(s, &e);
	say(s, SAY_NOTE, "checkpoint %s: cycle %s", m->name, human(n, m->place.cycle));
	return SESSION_OK;
}

enum session_status
cmd_restore(struct session *s, struct cmd_args *a)
{
	cycle_t from = sim_cycle(s->sim), tip;
	struct err e = {0};
	const struct mark *m = timeline_mark_find(s->timeline, a->word[0], &e);
	enum session_status status;
	char x[HUMAN], y[HUMAN], ahead[HUMAN + 20] = "";

	if (!m)
		return say_err(s, &e);
	status = session_goto(s, m->place);
	if (status != SESSION_OK)
		return status;
	if (session_behind(s, &tip)) {
		human(x, tip - sim_cycle(s->sim));
		snprintf(ahead, sizeof(ahead), "; %s cycle%s ahead", x,
			 PLURAL(tip - sim_cycle(s->sim)));
	}
	say(s, SAY_NOTE, "restored %s: cycle %s -> %s%s", m->name, human(x, from),
	    human(y, sim_cycle(s->sim)), ahead);
	session_show_displays(s);
	return SESSION_OK;
}

enum session_status
info_checkpoints(struct session *s, const char *args ATTR_UNUSED)
{
	struct table t;
	bool branches = timeline_branches(s->timeline) > 1;

	if (!timeline_marks(s->timeline)) {
		say(s, SAY_RESULT, "no checkpoints");
		return SESSION_OK;
	}
	table_begin(&t, branches ? "<name >cycle <branch >kernel 1>KiB~added 2>KiB~shared"
				 : "<name >cycle >kernel 1>KiB~added 2>KiB~shared");
	for (unsigned i = 0; i < timeline_marks(s->timeline); i++) {
		const struct mark *m = timeline_mark_at(s->timeline, i);
		const struct branch *b = timeline_branch(s->timeline, m->place.branch);

		table_text(&t, "%s", m->name);
		table_u64(&t, m->place.cycle);
		if (branches)
			table_text(&t, "%s", b ? b->name : "");
		table_u64(&t, m->kernel);
		table_u64(&t, (snapshot_added(m->snap) + 1023) / 1024);
		table_u64(&t, (snapshot_bytes(m->snap) - snapshot_added(m->snap)) / 1024);
	}
	table_end(s, &t);
	return SESSION_OK;
}

/* ---------------------------------------------------------------- visited places */

/* A branch may have been deleted, or its future dropped. */
static bool
still_exists(const struct session *s, const struct visit *v)
{
	const struct branch *b = timeline_branch(s->timeline, v->place.branch);

	return b && v->place.cycle <= b->tip;
}

static enum session_status
visit_place(struct session *s, unsigned i)
{
	unsigned was = s->time.at_visit;
	enum session_status status = session_goto(s, s->time.visit[i].place);

	s->time.at_visit = status == SESSION_OK ? i : was;
	return status == SESSION_OK ? stopped_at_cycle(s) : status;
}

enum session_status
cmd_back(struct session *s, struct cmd_args *a)
{
	uint64_t n = session_count_of(s, a);
	unsigned at = s->time.at_visit, i = at;

	if (!n)
		return SESSION_ERROR;
	while (n && i > 0)
		if (still_exists(s, &s->time.visit[--i])) {
			at = i;
			n--;
		}
	if (at == s->time.at_visit)
		return fail(
			s,
			"back: this is the first place you have been; 'history' lists the places");
	return visit_place(s, at);
}

enum session_status
cmd_forward(struct session *s, struct cmd_args *a)
{
	uint64_t n = session_count_of(s, a);
	unsigned at = s->time.at_visit, i = at;

	if (!n)
		return SESSION_ERROR;
	while (n && i + 1 < s->time.n_visits)
		if (still_exists(s, &s->time.visit[++i])) {
			at = i;
			n--;
		}
	if (at == s->time.at_visit)
		return fail(s, "forward: nothing to return to; 'history' lists the places");
	return visit_place(s, at);
}

enum session_status
cmd_history(struct session *s, struct cmd_args *a)
{
	uint64_t n = a->has_number[0] ? a->number[0] : 20;
	unsigned from = s->time.n_visits > n ? s->time.n_visits - (unsigned)n : 0;
	struct table t;

	table_begin(&t, "< >cycle <branch 1<by");
	for (unsigned i = from; i < s->time.n_visits; i++) {
		const struct visit *v = &s->time.visit[i];

		if (!still_exists(s, v))
			continue;
		table_text(&t, "%s", i == s->time.at_visit ? "*" : " ");
		table_u64(&t, v->place.cycle);
		table_text(&t, "%s", timeline_branch(s->timeline, v->place.branch)->name);
		table_text(&t, "%s", v->how);
	}
	table_end(s, &t);
	return SESSION_OK;
}

enum session_status
info_timeline(struct session *s, const char *args ATTR_UNUSED)
{
	struct place here = timeline_here(s->timeline);
	const struct branch *b = timeline_branch(s->timeline, here.branch);
	struct timeline_state v;
	char x[HUMAN], y[HUMAN], z[HUMAN];
	const struct choice *c;
	unsigned branches = 0;

	timeline_state(s->timeline, &v);
	for (unsigned i = 0; i < timeline_branches(s->timeline); i++)
		branches += timeline_branch(s->timeline, i) != NULL;
	say(s, SAY_RESULT, "branch      %s, %u in all", b->name, branches);
	say(s, SAY_RESULT, "cycle       %s of %s run so far", human(x, here.cycle),
	    human(y, b->tip));
	say(s, SAY_RESULT, "snapshots   %u, %s KiB of %s MiB; %s dropped", v.snapshots,
	    human(x, v.bytes / 1024), human(y, s->opts.time_memory), human(z, v.dropped));
	say(s, SAY_RESULT, "checkpoints %u", timeline_marks(s->timeline));
	for (unsigned k = 0; (c = timeline_path_choice(s->timeline, here.branch, k)); k++)
		say(s, SAY_RESULT, "%-11s cycle %s: %s%s%s -> %s", k ? "" : "choices",
		    human(x, c->cycle), c->kind == CHOICE_POLICY ? "policy" : c->key,
		    *c->before ? " " : "", c->before, c->value);
	return SESSION_OK;
}
