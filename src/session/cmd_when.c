/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_when.c - who changed a value, when a condition first held or at all, and questions about
 * another cycle.
 *
 * The answer is in the past, and afterwards the session is where it was: the stops are set aside,
 * the timeline is searched, and the session returns. A value that changed and changed back is the
 * same at both ends of a stretch, so every cycle is examined: `who changed` begins with the latest
 * stretch, as reverse-continue does with a watch; `first` examines the cycles from the start on and
 * stops where the condition holds. Ctrl-C gives up and returns too.
 */
#include "base/clock.h"
#include "session/command.h"
#include "session/experiment.h"
#include "session/session_part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct trip {
	struct place home;
	struct debug_aside aside;
};

static void
begin_trip(struct session *s, struct trip *t)
{
	t->home = timeline_here(s->timeline);
	debug_put_aside(s->debug, &t->aside);
	session_seek(s, true);
}

/* Returns to where the session was, whatever happened on the way. A Ctrl-C has been handled by
 * then, so it does not interrupt the way back. */
static int
end_trip(struct session *s, struct trip *t, struct err *e)
{
	int rc;

	if (!s->control.signal)
		s->control.poll = 0;
	rc = timeline_goto(s->timeline, t->home, e);
	session_seek(s, false);
	debug_bring_back(s->debug, &t->aside);
	return rc ? -1 : 0;
}

/* ---------------------------------------------------------------- another cycle */

enum session_status
session_at_cycle(struct session *s, cycle_t cycle,
		 enum session_status (*fn)(struct session *s, void *ctx), void *ctx)
{
	enum session_status status = SESSION_OK;
	cycle_t tip = timeline_branch(s->timeline, timeline_here(s->timeline).branch)->tip;
	struct err e = {0}, why = {0};
	char a[HUMAN], b[HUMAN];
	struct trip t;
	int rc;

	if (cycle > tip && sim_done(s->sim))
		return fail(s, "cycle %s is after the end of the run, cycle %s", human(a, cycle),
			    human(b, tip));
	if (cycle > tip)
		return fail(
			s,
			"cycle %s has not run yet: the run has reached cycle %s; 'until %" PRIu64
			"' runs to it",
			human(a, cycle), human(b, tip), cycle);
	begin_trip(s, &t);
	rc = timeline_goto(s->timeline, (struct place){t.home.branch, cycle}, &e);
	if (rc == 0)
		status = fn(s, ctx);
	if (end_trip(s, &t, &why))
		return say_err(s, &why);
	return rc > 0 ? session_say_interrupted(s, "going back") : rc < 0 ? say_err(s, &e) : status;
}

/* ---------------------------------------------------------------- who changed */

/* Finds the latest change: in the present cycle, or before it. */
static enum debug_end
find_change(struct session *s, const struct trip *t, struct debug_result *r, struct err *e)
{
	struct debug_goal here = {.until = t->home.cycle}, before = {.until = CYCLE_NEVER};
	enum debug_end end;
	int rc;

	if (t->home.cycle == 0)
		return DEBUG_DONE;
	rc = timeline_goto(s->timeline, (struct place){t->home.branch, t->home.cycle - 1}, e);
	if (rc)
		return rc < 0 ? DEBUG_FAILED : DEBUG_INTERRUPTED;
	end = debug_run(s->debug, &here, r, e);
	if (end == DEBUG_STOP || sim_cycle(s->sim) != t->home.cycle)
		return end;
	return timeline_back(s->timeline, &before, r, e);
}

static void
add_value(struct session *s, const char *text, struct strbuf *out)
{
	struct expr *x = parse_known(s, text);
	struct value v;
	char buf[200];

	if (value_of_expr(s, x, &v)) {
		value_format(&v, 0, buf, sizeof(buf));
		sb_str(out, buf);
		value_free(&v);
	}
	expr_free(x);
}

/* Returns the expression of "who changed EXPR", which is an alias. */
static const char *
without_changed(const char *text)
{
	const char *at = text;

	return span_is(word_next(&at), "changed") && *skip_blanks(at) ? skip_blanks(at) : text;
}

enum session_status
cmd_last_change(struct session *s, struct cmd_args *a)
{
	const char *text = without_changed(a->word[0]);
	struct strbuf answer = {0}, cause = {0};
	struct debug_result r = {0};
	struct err e = {0}, why = {0};
	enum debug_end end = DEBUG_FAILED;
	struct trip t;

	if (strcmp(a->typed, "who") == 0 && text == a->word[0])
		return fail(
			s,
			"who: expected 'changed' and an expression, as in: who changed core.0.n");
	begin_trip(s, &t);
	if (debug_stop_add(s->debug, STOP_WATCH, false, text, &e))
		end = find_change(s, &t, &r, &e);
	if (end == DEBUG_STOP) {
		sb_str(&answer, r.hit[0].text);
		if (debug_why(s->debug, 0, -1, 0, &cause, &why))
			sb_printf(&cause, "%s", why.msg);
	} else if (end == DEBUG_DONE) {
		sb_printf(&answer, "%s is ", text);
		add_value(s, text, &answer);
		sb_str(&answer, ", as at the start");
	}
	if (end_trip(s, &t, &why))
		say_err(s, &why);
	say_text(s, SAY_RESULT, &answer);
	say_text(s, SAY_RESULT, &cause);
	return end == DEBUG_STOP || end == DEBUG_DONE ? SESSION_OK
	       : end == DEBUG_INTERRUPTED	      ? session_say_interrupted(s, "who changed")
						      : say_err(s, &e);
}

/* ---------------------------------------------------------------- first */

static bool
run_tick(void *ctx)
{
	struct session *s = ctx;

	s->time.seek_done = (double)sim_cycle(s->sim) / (double)s->time.seek_to;
	return s->ui.tick && s->ui.tick(s->ui.ctx);
}

/* Compiles the names here, since the policy may be another one than at the start. */
static bool
holds_here(struct session *s, const char *text)
{
	struct expr *x = parse_known(s, text);
	bool holds = x && expr_true(x);

	expr_free(x);
	return holds;
}

/* Searches from the start of the run up to where the session was. */
static enum debug_end
find_first(struct session *s, const struct trip *t, const char *text, struct err *e)
{
	struct debug_goal g = {.until = t->home.cycle, .expr = text};
	struct debug_result r;
	enum debug_end end;
	int rc = timeline_goto(s->timeline, (struct place){t->home.branch, 0}, e);

	if (rc)
		return rc < 0 ? DEBUG_FAILED : DEBUG_INTERRUPTED;
	if (holds_here(s, text) || t->home.cycle == 0)
		return DEBUG_GOAL;
	s->time.seek_to = t->home.cycle;
	sim_poll(s->sim, &s->control.poll);
	sim_every_ms(s->sim, 33, run_tick, s);
	end = debug_run(s->debug, &g, &r, e);
	sim_every_ms(s->sim, 0, NULL, NULL);
	sim_poll(s->sim, NULL);
	return end == DEBUG_DONE || end == DEBUG_LIMIT ? DEBUG_GOAL : end;
}

enum session_status
cmd_first(struct session *s, struct cmd_args *a)
{
	struct err e = {0}, why = {0};
	enum debug_end end;
	char n[HUMAN];
	bool holds;
	cycle_t at;
	struct trip t;

	if (session_check_expr(s, a->word[0], &e))
		return say_err(s, &e);
	begin_trip(s, &t);
	end = find_first(s, &t, a->word[0], &e);
	at = sim_cycle(s->sim);
	holds = end == DEBUG_GOAL && holds_here(s, a->word[0]);
	if (end_trip(s, &t, &why))
		say_err(s, &why);
	if (end == DEBUG_INTERRUPTED)
		return session_say_interrupted(s, "first");
	if (end != DEBUG_GOAL)
		return say_err(s, &e);
	if (holds)
		say(s, SAY_RESULT, "cycle %s: %s", human(n, at), a->word[0]);
	else
		say(s, SAY_RESULT, "%s: never, up to cycle %s", a->word[0], human(n, t.home.cycle));
	return SESSION_OK;
}

/* ---------------------------------------------------------------- find */

void
session_forget_find(struct session *s)
{
	free(s->view.find.hit);
	s->view.find = (struct session_find){.text = ""};
}

unsigned
session_hits(const struct session *s, const cycle_t **hit, const char **text)
{
	const struct session_find *f = &s->view.find;

	*text = NULL;
	if (!s->sim || !f->text[0] || timeline_here(s->timeline).branch != f->branch)
		return 0;
	*text = f->text;
	*hit = f->hit;
	return f->n;
}

bool
session_can_find(struct session *s, const char *text)
{
	struct err e = {0};

	if (!s->sim)
		return false;
	return session_is_event(s, text) ||
	       (strpbrk(text, "<>=!") && session_check_expr(s, text, &e) == 0);
}

static int
add_hit(struct session_find *f, cycle_t cycle)
{
	if (f->n == f->room) {
		unsigned room = f->room ? 2 * f->room : 64;
		cycle_t *grown = realloc(f->hit, room * sizeof(*grown));

		if (!grown)
			return -1;
		f->hit = grown;
		f->room = room;
	}
	f->hit[f->n++] = cycle;
	return 0;
}

/* Runs to the next cycle at which EXPR holds; NULL: to the next stop. False: there is none up to
 * the goal's cycle. */
static bool
run_to_hit(struct session *s, const char *expr, cycle_t to, enum debug_end *end, struct err *e)
{
	struct debug_goal g = {.until = to, .expr = expr};
	struct debug_result r;

	if (sim_cycle(s->sim) >= to)
		return false;
	*end = debug_run(s->debug, &g, &r, e);
	return *end == DEBUG_STOP || (*end == DEBUG_GOAL && expr && holds_here(s, expr));
}

/* All hits from here up to a cycle: every stop, or every cycle at which text begins to hold. */
static enum debug_end
find_hits(struct session *s, const char *text, bool is_event, cycle_t to, struct err *e)
{
	struct session_find *f = &s->view.find;
	enum debug_end end = DEBUG_GOAL;
	char not [300];
	bool holds = !is_event && holds_here(s, text);

	snprintf(not, sizeof(not ), "!(%s)", text);
	while (f->n < HITS_MOST) {
		if (holds && !run_to_hit(s, not, to, &end, e))
			break;
		if (!run_to_hit(s, is_event ? NULL : text, to, &end, e))
			break;
		holds = !is_event;
		if (add_hit(f, sim_cycle(s->sim))) {
			err_nomem(e);
			return DEBUG_FAILED;
		}
	}
	return end == DEBUG_STOP || end == DEBUG_DONE || end == DEBUG_LIMIT ? DEBUG_GOAL : end;
}

static enum debug_end
look_through(struct session *s, const char *text, cycle_t tip, unsigned branch, struct err *e)
{
	bool is_event = session_is_event(s, text);
	enum debug_end end;
	int rc;

	if (is_event) {
		const struct stop *p = debug_stop_add(s->debug, STOP_EVENT, false, text, e);

		if (!p)
			return DEBUG_FAILED;
		session_note_bare_number(s, p);
	}
	rc = timeline_goto(s->timeline, (struct place){branch, 0}, e);
	if (rc)
		return rc < 0 ? DEBUG_FAILED : DEBUG_INTERRUPTED;
	s->time.seek_to = tip;
	sim_poll(s->sim, &s->control.poll);
	sim_every_ms(s->sim, 33, run_tick, s);
	end = find_hits(s, text, is_event, tip, e);
	sim_every_ms(s->sim, 0, NULL, NULL);
	sim_poll(s->sim, NULL);
	return end;
}

static enum session_status
say_found(struct session *s, cycle_t tip)
{
	const struct session_find *f = &s->view.find;
	char n[HUMAN], first[HUMAN], last[HUMAN];
	bool event = session_is_event(s, f->text); /* one cycle may have several of them */

	if (f->n == 0)
		say(s, SAY_RESULT, "%s: never, up to cycle %s", f->text, human(n, tip));
	else if (f->n == 1)
		say(s, SAY_RESULT, "%s: once, at cycle %s", f->text, human(first, f->hit[0]));
	else
		say(s, SAY_RESULT, "%s: %s%s%s %s, first at cycle %s, last at %s", f->text,
		    event ? "in " : "", human(n, f->n), f->n == HITS_MOST ? " or more" : "",
		    event ? "cycles" : "times", human(first, f->hit[0]),
		    human(last, f->hit[f->n - 1]));
	return SESSION_OK;
}

enum session_status
cmd_find_hits(struct session *s, struct cmd_args *a)
{
	const char *text = a->word[0];
	struct session_find *f = &s->view.find;
	struct err e = {0}, why = {0};
	enum debug_end end;
	cycle_t tip;
	struct trip t;

	if (strcmp(text, "off") == 0) {
		session_forget_find(s);
		return SESSION_OK;
	}
	if (strlen(text) >= sizeof(f->text))
		return fail(s, "find: the text is too long");
	if (!session_is_event(s, text) && session_check_expr(s, text, &e))
		return say_err(s, &e);
	session_forget_find(s);
	begin_trip(s, &t);
	tip = timeline_branch(s->timeline, t.home.branch)->tip;
	end = look_through(s, text, tip, t.home.branch, &e);
	if (end_trip(s, &t, &why))
		say_err(s, &why);
	if (end != DEBUG_GOAL)
		session_forget_find(s);
	if (end == DEBUG_INTERRUPTED)
		return session_say_interrupted(s, "find");
	if (end != DEBUG_GOAL)
		return say_err(s, &e);
	snprintf(f->text, sizeof(f->text), "%s", text);
	f->branch = t.home.branch;
	return say_found(s, tip);
}
