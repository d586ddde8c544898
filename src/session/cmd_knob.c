/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_knob.c - changes while the model runs: `set` at the end of a cycle, `knob` at a period.
 *
 * The front end hands over a line while the model runs in the middle of a cycle, where nothing may
 * change. The line waits until the cycle has ended; the run calls work_between_cycles() there. A
 * knob waits until the policy's period has ended, when the decisions of that period have been
 * taken. Either is then an ordinary `set`, that is a choice at its cycle: a replay, a saved session
 * and a script that stops there and sets the same reach the same state. It begins a branch, so that
 * the future without the change can still be run on the branch before.
 */
#include "session/command.h"
#include "session/offer.h"
#include "session/session_part.h"
#include "session/table.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- the parameters */

/* The i-th parameter of the stack that may change during a run; NULL: there are fewer. */
static const struct opt_row *
stack_parameter(const struct session *s, unsigned i, char *key, size_t size)
{
	unsigned n;
	const struct cta_sched_ops *const *o = config_stack(sim_config(s->sim), &n);

	for (unsigned k = 0; k < n; k++)
		for (unsigned r = 0; r < o[k]->n_opts; r++) {
			snprintf(key, size, "%s.%s", o[k]->name, o[k]->opts[r].name);
			if (config_is_choice(sim_config(s->sim), key) && i-- == 0)
				return &o[k]->opts[r];
		}
	return NULL;
}

static unsigned
find_waiting(const struct session_live *l, const char *key)
{
	unsigned i = 0;

	while (i < l->n_knobs && strcmp(l->knob[i].key, key) != 0)
		i++;
	return i;
}

bool
session_knob(const struct session *s, unsigned i, struct session_knob *k)
{
	const struct session_live *l = &s->control.live;
	unsigned waits;

	*k = (struct session_knob){.key = "policy"};
	if (!s->sim)
		return false;
	if (i && !(k->row = stack_parameter(s, i - 1, k->key, sizeof(k->key))))
		return false;
	if (k->row)
		opt_get(config_db_const(sim_config(s->sim)), k->key, k->now, sizeof(k->now), NULL);
	else
		snprintf(k->now, sizeof(k->now), "%s", config_policy_text(sim_config(s->sim)));
	waits = find_waiting(l, k->key);
	if (waits < l->n_knobs)
		snprintf(k->next, sizeof(k->next), "%s", l->knob[waits].value);
	return true;
}

/* By its full name or its last part. False: the stack has no such parameter. */
static bool
find_knob(const struct session *s, const char *name, struct session_knob *k)
{
	for (unsigned i = 0; session_knob(s, i, k); i++) {
		const char *dot = strrchr(k->key, '.');

		if (strcmp(k->key, name) == 0 || (dot && strcmp(dot + 1, name) == 0))
			return true;
	}
	return false;
}

bool
session_change(const struct session *s, unsigned i, struct session_change *c)
{
	const struct choice *x;
	const char *dot;

	if (!s->sim || !timeline_branches(s->timeline) ||
	    !(x = timeline_path_choice(s->timeline, timeline_here(s->timeline).branch, i)))
		return false;
	c->cycle = x->cycle;
	dot = strrchr(x->key, '.');
	if (x->kind == CHOICE_OPTION)
		snprintf(c->label, sizeof(c->label), "%.40s %.20s", dot ? dot + 1 : x->key,
			 x->value);
	else
		snprintf(c->label, sizeof(c->label), "%s%.50s",
			 x->kind == CHOICE_OUTCOME ? "flip " : "", x->value);
	return true;
}

/* ---------------------------------------------------------------- what waits */

static void
free_knob(struct waiting_knob *k)
{
	free(k->key);
	free(k->value);
}

static void
drop_knob(struct session_live *l, unsigned i)
{
	free_knob(&l->knob[i]);
	memmove(&l->knob[i], &l->knob[i + 1], (--l->n_knobs - i) * sizeof(l->knob[0]));
}

void
live_forget_undone(struct session *s)
{
	struct session_live *l = &s->control.live;

	while (l->n_undone)
		free_knob(&l->undone[--l->n_undone]);
}

void
live_forget(struct session *s)
{
	struct session_live *l = &s->control.live;

	live_forget_undone(s);
	while (l->n_knobs)
		drop_knob(l, l->n_knobs - 1);
	while (l->n_lines)
		free(l->line[--l->n_lines]);
}

bool
live_take(struct session *s, const char *line)
{
	struct session_live *l = &s->control.live;
	char *copy = l->takes_lines && l->n_lines < LIVE_MOST ? strdup(line) : NULL;

	if (!copy)
		return false;
	l->line[l->n_lines++] = copy;
	debug_between_now(s->debug);
	return true;
}

/* Makes a change as `set` does, on a branch of its own. */
static void
make_change(struct session *s, const char *line)
{
	s->control.live.is_applying = true;
	session_exec_between(s, line);
	s->control.live.is_applying = false;
	session_time_begin(s); /* the changes of others begin no branch */
}

/* Whether the line only takes back a knob that waits, or lets one wait again. Neither changes the
 * run, and a replay of the typed changes knows nothing of knobs that waited. */
static bool
moves_waiting_knob(const struct session *s, const char *line)
{
	const struct session_live *l = &s->control.live;
	const struct cmd_row *r;
	char name[64];

	span_copy(word_next(&line), name, sizeof(name));
	r = cmd_find(name, NULL);
	return r && ((r->fn == cmd_undo && l->n_knobs) || (r->fn == cmd_redo && l->n_undone));
}

/* Makes a change that was typed while the model ran. */
static void
make_typed_change(struct session *s, const char *line)
{
	if (s->teacher.changed && !moves_waiting_knob(s, line))
		s->teacher.changed(s->teacher.ctx, line, sim_cycle(s->sim));
	make_change(s, line);
}

void
session_replay_changes(struct session *s, const struct session_typed_change *change, unsigned n)
{
	s->control.live.replayed = change;
	s->control.live.n_replayed = n;
}

static bool
may_be_typed_running(const char *line)
{
	const struct cmd_row *r;
	char name[64];

	span_copy(word_next(&line), name, sizeof(name));
	r = cmd_find(name, NULL);
	return r && r->flags & F_CYCLE;
}

/* Those whose cycle is over cannot be made any more. */
static void
make_replayed(struct session *s)
{
	struct session_live *l = &s->control.live;

	while (l->n_replayed && l->replayed->cycle <= sim_cycle(s->sim)) {
		const struct session_typed_change *c = l->replayed++;

		l->n_replayed--;
		if (c->cycle == sim_cycle(s->sim) && may_be_typed_running(c->line))
			make_change(s, c->line);
	}
}

static void
make_lines(struct session *s)
{
	struct session_live *l = &s->control.live;

	while (l->n_lines) {
		char *line = l->line[0];

		memmove(&l->line[0], &l->line[1], --l->n_lines * sizeof(l->line[0]));
		make_typed_change(s, line);
		free(line);
	}
}

static void
set_knobs(struct session *s)
{
	struct session_live *l = &s->control.live;

	while (l->n_knobs) {
		char line[POLICY_TEXT + 160];
		bool was_running = l->knob[0].was_running;

		snprintf(line, sizeof(line), "set %s %s", l->knob[0].key, l->knob[0].value);
		drop_knob(l, 0);
		if (was_running)
			make_typed_change(s, line);
		else
			make_change(s, line);
	}
}

/* Cycles until the knobs change: 0 where a period has just ended. A policy without periods takes
 * them at once. */
static cycle_t
cycles_to_period(const struct session *s)
{
	cycle_t done, period = sim_period(s->sim, &done);

	return period && done ? period - done : 0;
}

cycle_t
session_knobs_due(const struct session *s)
{
	return s->sim && s->control.live.n_knobs ? sim_cycle(s->sim) + cycles_to_period(s)
						 : CYCLE_NEVER;
}

/* ---------------------------------------------------------------- around a run */

/* Cycles until a change is due that waits for its cycle. */
static cycle_t
cycles_to_change(const struct session *s)
{
	const struct session_live *l = &s->control.live;
	cycle_t due = l->n_knobs ? cycles_to_period(s) : CYCLE_NEVER;

	return l->n_replayed ? MIN(due, l->replayed->cycle - sim_cycle(s->sim)) : due;
}

static void
make_changes(struct session *s)
{
	struct session_live *l = &s->control.live;

	if (l->n_lines || l->n_knobs || l->n_replayed)
		session_time_end(s); /* the configuration follows what a replay has set so far */
	make_replayed(s);
	make_lines(s);
	if (l->n_knobs && cycles_to_period(s) == 0)
		set_knobs(s);
}

/* Between two cycles. The pace waits here, and a line may come meanwhile. */
static cycle_t
work_between_cycles(void *session)
{
	struct session *s = session;
	struct session_live *l = &s->control.live;
	cycle_t due, wait;

	do {
		make_changes(s);
		wait = s->ui.interactive ? tempo_wait(s) : CYCLE_NEVER;
	} while (wait && (l->n_lines || (l->n_knobs && cycles_to_period(s) == 0)));
	due = cycles_to_change(s); /* a change may have come during the wait */
	return MIN(due, wait);
}

void
live_begin(struct session *s)
{
	struct session_live *l = &s->control.live;

	l->takes_lines = true;
	if (s->ui.interactive)
		tempo_begin(s);
	if (s->ui.interactive || l->n_knobs || l->n_replayed)
		debug_between(s->debug, work_between_cycles, s);
}

/* The run ended before the period of a knob that waits. */
static void
drop_late_knobs(struct session *s)
{
	struct session_live *l = &s->control.live;
	struct session_knob k;

	while (l->n_knobs) {
		if (find_knob(s, l->knob[0].key, &k))
			say(s, SAY_NOTE,
			    "%s stays %s, not %s: the run ended before the next period", k.key,
			    k.now, l->knob[0].value);
		drop_knob(l, 0);
	}
}

void
live_end(struct session *s)
{
	s->control.live.takes_lines = false;
	make_replayed(s);
	make_lines(s);
	if (sim_done(s->sim))
		drop_late_knobs(s);
}

/* ---------------------------------------------------------------- the command */

static enum session_status
list_knobs(struct session *s)
{
	struct session_knob k;
	struct table t;

	table_begin(&t, "<knob >value >next 2<range 3<unit 1<meaning");
	for (unsigned i = 0; session_knob(s, i, &k); i++) {
		table_text(&t, "%s", k.key);
		table_text(&t, "%s", k.now);
		table_text(&t, "%s", k.next[0] ? k.next : "-");
		if (k.row && k.row->type != OPT_T_enum && k.row->type != OPT_T_bool)
			table_text(&t, "%.10g to %.10g", k.row->min, k.row->max);
		else
			table_text(&t, "%s", "");
		table_text(&t, "%s", k.row ? k.row->unit : "");
		table_text(&t, "%s", k.row ? k.row->help : "the policy stack");
	}
	table_end(s, &t);
	return SESSION_OK;
}

static int
set_in(struct config *c, const char *key, const char *value, struct err *e)
{
	return strcmp(key, "policy") == 0 ? config_policy(c, value, e)
					  : opt_set(config_db(c), key, value, e);
}

/* Whether `set` would take the value, after the changes that wait already; it is written as `set`
 * would keep it. */
static int
check_value(struct session *s, const struct session_knob *k, const char *value, char *buf,
	    size_t size, struct err *e)
{
	const struct session_live *l = &s->control.live;
	struct config *trial = config_copy(s->config);
	int rc = trial ? 0 : err_nomem(e);

	for (unsigned i = 0; rc == 0 && i < l->n_knobs; i++)
		if (strcmp(l->knob[i].key, k->key) != 0)
			set_in(trial, l->knob[i].key, l->knob[i].value, NULL);
	if (rc == 0)
		rc = set_in(trial, k->key, value, e);
	if (rc == 0 && k->row)
		opt_get(config_db(trial), k->key, buf, size, NULL);
	else if (rc == 0)
		snprintf(buf, size, "%s", config_policy_text(trial));
	if (rc == 0)
		rc = config_check_thresholds(trial, e);
	config_free(trial);
	return rc;
}

/* Reports the change and when it comes. A policy without periods takes it at once. */
static void
say_waiting(struct session *s, const struct session_knob *k, const char *value)
{
	cycle_t done;
	char n[HUMAN];

	human(n, session_knobs_due(s));
	if (sim_period(s->sim, &done))
		say(s, SAY_NOTE, "%s %s -> %s at the next period, cycle %s", k->key, k->now, value,
		    n);
	else
		say(s, SAY_NOTE, "%s %s -> %s when the run continues, at cycle %s", k->key, k->now,
		    value, n);
}

static enum session_status
wait_for_period(struct session *s, const struct session_knob *k, const char *value)
{
	struct session_live *l = &s->control.live;
	unsigned i = find_waiting(l, k->key);

	if (i < l->n_knobs)
		drop_knob(l, i);
	if (strcmp(value, k->now) == 0) {
		say(s, SAY_NOTE, "%s stays %s", k->key, k->now);
		return SESSION_OK;
	}
	if (l->n_knobs == LIVE_MOST)
		return fail(s, "knob: at most %u changes can wait; 'knob off' drops them",
			    l->n_knobs);
	i = l->n_knobs;
	l->knob[l->n_knobs++] = (struct waiting_knob){strdup(k->key), strdup(value),
						      s->control.running, ++s->time.made};
	if (!l->knob[i].key || !l->knob[i].value) {
		drop_knob(l, i);
		return fail_memory(s);
	}
	say_waiting(s, k, value);
	return SESSION_OK;
}

static void
say_dropped(struct session *s, const struct waiting_knob *knob)
{
	struct session_knob k;

	if (find_knob(s, knob->key, &k))
		say(s, SAY_RESULT, "dropped the pending change: %s stays %s, not %s", knob->key,
		    k.now, knob->value);
	else
		say(s, SAY_RESULT, "dropped the pending change: %s %s", knob->key, knob->value);
}

static enum session_status
say_none_pending(struct session *s)
{
	say(s, SAY_RESULT, "no change is pending; 'knob NAME VALUE' makes one");
	return SESSION_OK;
}

bool
live_undo_knob(struct session *s)
{
	struct session_live *l = &s->control.live;
	struct waiting_knob *last;

	if (!l->n_knobs)
		return false;
	if (l->n_undone == LIVE_MOST) {
		free_knob(&l->undone[0]);
		memmove(&l->undone[0], &l->undone[1], --l->n_undone * sizeof(l->undone[0]));
	}
	last = &l->undone[l->n_undone++];
	*last = l->knob[--l->n_knobs];
	last->made = ++s->time.made;
	say_dropped(s, last);
	return true;
}

bool
live_redo_knob(struct session *s, enum session_status *status)
{
	struct session_live *l = &s->control.live;
	struct session_knob k;
	struct waiting_knob again;

	if (!l->n_undone)
		return false;
	again = l->undone[--l->n_undone];
	*status = find_knob(s, again.key, &k)
			  ? wait_for_period(s, &k, again.value)
			  : fail(s, "redo: policy %.80s has no parameter '%.40s'",
				 config_policy_text(sim_config(s->sim)), again.key);
	free_knob(&again);
	return true;
}

/* All that waits, now: at the end of this cycle if the model runs. */
static enum session_status
set_now(struct session *s)
{
	struct session_live *l = &s->control.live;
	struct session_knob k;
	char at[HUMAN];

	if (!l->n_knobs)
		return say_none_pending(s);
	if (!s->control.running) {
		human(at, sim_cycle(s->sim));
		for (unsigned i = 0; i < l->n_knobs; i++)
			if (find_knob(s, l->knob[i].key, &k))
				say(s, SAY_RESULT, "%s %s -> %s at cycle %s", k.key, k.now,
				    l->knob[i].value, at);
		set_knobs(s);
		return SESSION_OK;
	}
	while (l->n_knobs) {
		char line[POLICY_TEXT + 160];

		snprintf(line, sizeof(line), "set %s %s", l->knob[0].key, l->knob[0].value);
		if (!live_take(s, line))
			return fail(s, "knob now: the model is moving through time; try again when "
				       "it stops");
		drop_knob(l, 0);
	}
	return SESSION_OK;
}

static enum session_status
drop_all(struct session *s)
{
	struct session_live *l = &s->control.live;

	if (!l->n_knobs)
		return say_none_pending(s);
	while (l->n_knobs) {
		say_dropped(s, &l->knob[l->n_knobs - 1]);
		drop_knob(l, l->n_knobs - 1);
	}
	return SESSION_OK;
}

enum session_status
cmd_knob(struct session *s, struct cmd_args *a)
{
	char value[POLICY_TEXT];
	struct session_knob k;
	struct err e = {0};
	cycle_t tip;

	if (!a->word[0])
		return list_knobs(s);
	if (!*a->word[1] && ascii_same(a->word[0], "now"))
		return set_now(s);
	if (!*a->word[1] && ascii_same(a->word[0], "off"))
		return drop_all(s);
	if (!find_knob(s, a->word[0], &k))
		return fail(s, "knob: policy %.80s has no parameter '%.40s'; 'knob' lists them",
			    config_policy_text(sim_config(s->sim)), a->word[0]);
	if (!*a->word[1])
		return fail(s, "knob %.40s: a value is missing", a->word[0]);
	if (check_value(s, &k, a->word[1], value, sizeof(value), &e))
		return say_err(s, &e);
	if (sim_done(s->sim))
		return fail(s,
			    "knob: the run has ended, so no period follows; 'set %s %s' and 'run' "
			    "restart it, 'goto CYCLE' goes back",
			    k.key, value);
	/* Before the first cycle there is no run to branch from. */
	if (sim_cycle(s->sim) == 0 && !session_behind(s, &tip) && !s->control.running) {
		char line[POLICY_TEXT + 160];

		snprintf(line, sizeof(line), "set %s %s", k.key, value);
		return session_do(s, line, false);
	}
	live_forget_undone(s);
	if (wait_for_period(s, &k, value) != SESSION_OK)
		return SESSION_ERROR;
	if (s->control.running)
		debug_between_now(s->debug);
	return SESSION_OK;
}

void
complete_knob(struct offer *o, const struct before *b)
{
	struct session_knob k;

	if (b->n > 0)
		return;
	offer(o, "now");
	offer(o, "off");
	for (unsigned i = 0; session_knob(o->s, i, &k); i++)
		offer(o, k.key);
}
