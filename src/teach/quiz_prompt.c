/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quiz_prompt.c - the command `quiz`: what does the policy decide about the core in focus at the
 * end of the period that is running?
 *
 * A line that is one of the choices answers; every other line is a command as always. The answer
 * lets the machine run to the end of the period, unless it stops before. A question that was asked
 * at another cycle is void.
 */
#include "teach/quiz_part.h"
#include "teach/teach_part.h"

#include "base/ascii.h"
#include "base/human.h"
#include "base/memory.h"
#include "base/words.h"
#include "debug/debug.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct quiz_prompt {
	bool open;
	cycle_t asked_at, end;
	unsigned core;
	const struct cta_sched_ops *policy;
	bool moves_limit;
	struct quiz_item item;
	unsigned right, asked; /* the score */
};

void
quiz_prompt_free(struct quiz_prompt *p)
{
	if (p)
		quiz_item_clear(&p->item);
	free(p);
}

/* ---------------------------------------------------------------- the question */

/* The first policy of the stack that decides about single cores. */
static const struct cta_sched_ops *
deciding_policy(const struct sim *s)
{
	unsigned n;
	const struct cta_sched_ops *const *ops = config_stack(sim_config(s), &n);

	for (unsigned i = 0; i < n; i++)
		if (ops[i]->decide && ops[i]->period)
			return ops[i];
	return NULL;
}

static bool
is_of(const struct sim *s, const struct event *ev, const struct cta_sched_ops *o)
{
	return ev->kind == EV_PERIOD && ev->core >= 0 &&
	       strcmp(sim_event_policy(s, ev), o->name) == 0;
}

/* Without a limit to move, the choices are the rules that have decided so far. */
static unsigned
take_rules(const struct sim *s, const struct cta_sched_ops *o, struct quiz_item *it)
{
	const struct event_ring *ring = sim_events(s);
	bool seen[256] = {false};
	unsigned n = 0;

	for (uint64_t seq = ring->first; seq < ring->next; seq++) {
		const struct event *ev = event_ring_get(ring, seq);

		if (ev && is_of(s, ev, o))
			seen[ev->rule] = true;
	}
	for (unsigned i = 0; i < o->n_rules && n < QUIZ_CHOICES; i++)
		if (seen[i])
			it->choice[n++] = o->rules[i].name;
	it->n_choices = n;
	return n;
}

static bool
moves_limit(const struct cta_sched_ops *o)
{
	for (unsigned i = 0; i < o->n_rules; i++)
		if (quiz_moves_limit(&o->rules[i]))
			return true;
	return false;
}

static void
ask_question(struct teacher *t, struct quiz_prompt *p, const struct quiz_state *st)
{
	struct strbuf line = {0}, open = {0};

	quiz_facts(st, p->policy, (int)p->core, p->moves_limit ? st->limit : 0, p->end - st->cycle,
		   QUIZ_NORMAL, &line);
	sb_printf(&line, ": %s: ", p->moves_limit ? "what does n do" : "which rule decides");
	quiz_choices_text(&p->item, &line);
	page_tell(t, "%s?", line.failed ? "" : line.p);
	sb_free(&line);
	quiz_open_text(st, p->policy, (int)p->core, p->end - st->cycle, &open);
	if (open.n && !open.failed)
		page_tell(t, "not decided yet: %s; the pane period shows how it grew", open.p);
	sb_free(&open);
	page_tell(t, "  (type your answer; 'hint' shows the rules that determine it)");
	p->open = true;
	p->asked_at = st->cycle;
}

static enum session_status
ask_about_period(struct teacher *t)
{
	struct sim *s = session_sim(t->s);
	const struct item *lesson_item = teacher_item(t);
	struct quiz_prompt *p;
	struct quiz_state st;
	struct core_view v;

	if (lesson_item && lesson_item->kind == ITEM_ASK)
		return teacher_refuse(t, "quiz: first answer the question of the lesson");
	if (!t->quiz)
		t->quiz = memory_new(1, sizeof(*t->quiz));
	p = t->quiz;
	p->open = false;
	p->core = session_focus_core(t->s);
	p->policy = deciding_policy(s);
	quiz_item_clear(&p->item);
	p->item.policy = p->policy;
	sim_core_view(s, p->core, &v);
	if (!p->policy || v.period_left == CYCLE_NEVER)
		return teacher_refuse(t, "quiz: policy %s has no period that is running",
				      config_policy_text(sim_config(s)));
	if (sim_cycle(s) == 0)
		return teacher_refuse(t, "quiz: nothing has run yet; 'step 100' first, or s and n "
					 "on the screen");
	if (!v.resident)
		return teacher_refuse(t,
				      "quiz: core %u has no CTA; choose another one with 'core N'",
				      p->core);
	quiz_look(s, p->core, &st);
	p->end = st.cycle + MAX(v.period_left, 1);
	p->moves_limit = moves_limit(p->policy);
	if (p->moves_limit) {
		p->item.n_choices = QUIZ_MOVES;
		memcpy(p->item.choice, quiz_moves, sizeof(quiz_moves));
	} else if (take_rules(s, p->policy, &p->item) < 2) {
		return teacher_refuse(t, "quiz: %s has used only one rule so far; run further",
				      p->policy->name);
	}
	ask_question(t, p, &st);
	return SESSION_OK;
}

static enum session_status
drop_question(struct teacher *t)
{
	if (!t->quiz || !t->quiz->open)
		return teacher_refuse(t, "quiz off: no question is open");
	t->quiz->open = false;
	page_tell(t, "the question is dropped; it does not count");
	return SESSION_OK;
}

enum session_status
quiz_prompt_command(void *ctx, const char *args)
{
	struct teacher *t = ctx;

	if (strcmp(args, "off") == 0)
		return drop_question(t);
	return *args ? teacher_refuse(t, "quiz: expected nothing or off, found '%.60s'", args)
		     : ask_about_period(t);
}

/* ---------------------------------------------------------------- the answer */

static const struct event *
decision_at(const struct sim *s, const struct quiz_prompt *p)
{
	const struct event_ring *ring = sim_events(s);

	for (uint64_t seq = ring->next; seq > ring->first; seq--) {
		const struct event *ev = event_ring_get(ring, seq - 1);

		if (!ev || ev->cycle < p->end)
			break;
		if (is_of(s, ev, p->policy) && ev->core == (int)p->core)
			return ev;
	}
	return NULL;
}

/* The index of the right answer; a rule that has never decided before is none of the choices. */
static int
right_choice(const struct sim *s, const struct quiz_prompt *p, const struct event *ev)
{
	if (p->moves_limit)
		return (int)quiz_move(ev->limit_before, ev->limit);
	for (unsigned i = 0; i < p->item.n_choices; i++)
		if (strcmp(p->item.choice[i], sim_event_rule(s, ev)->name) == 0)
			return (int)i;
	return -1;
}

static void
say_lines(struct teacher *t, const struct strbuf *text)
{
	struct span rest = span_of(text->n && !text->failed ? text->p : ""), line;

	while (span_part(&rest, '\n', &line))
		if (line.n)
			page_tell(t, "%.*s", (int)line.n, line.p);
}

static void
say_why(struct teacher *t, const struct event *ev)
{
	struct strbuf why = {0};

	debug_explain(session_sim(t->s), ev, &why);
	say_lines(t, &why);
	sb_free(&why);
}

static void
say_hint(struct teacher *t, const struct quiz_item *it)
{
	struct strbuf hint = {0};

	quiz_hint(it, &hint);
	say_lines(t, &hint);
	sb_free(&hint);
}

static enum session_status
judge_answer(struct teacher *t, struct quiz_prompt *p, int choice)
{
	struct sim *s = session_sim(t->s);
	const struct event *ev;
	enum session_status status;
	char line[40], now[HUMAN];
	int right;

	p->open = false;
	snprintf(line, sizeof(line), "advance %" PRIu64, p->end);
	status = teacher_type_for_person(t, line, true);
	ev = sim_cycle(s) == p->end ? decision_at(s, p) : NULL;
	if (!ev && sim_cycle(s) < p->end && !sim_done(s)) {
		page_tell(t, "%s", session_last_stop(t->s));
		page_tell(t,
			  "this came before the period ended at cycle %s, so the question does not "
			  "count",
			  human(now, p->end));
		return status;
	}
	if (!ev) {
		page_tell(t,
			  "cycle %s: %s made no decision about core %u, so the question does not "
			  "count",
			  human(now, sim_cycle(s)), p->policy->name, p->core);
		return status;
	}
	right = right_choice(s, p, ev);
	p->asked++;
	p->right += right == choice;
	page_tell(t, "%s: %s", right == choice ? "right" : "wrong",
		  right >= 0 ? p->item.choice[right] : sim_event_rule(s, ev)->name);
	say_why(t, ev);
	page_tell(t, "score: %u of %u", p->right, p->asked);
	return SESSION_OK;
}

bool
quiz_prompt_takes(struct teacher *t, const char *line, enum session_status *status)
{
	struct quiz_prompt *p = t->quiz;
	struct strbuf choices = {0};
	int choice;

	if (!p || !p->open)
		return false;
	if (!session_sim(t->s) || sim_cycle(session_sim(t->s)) != p->asked_at) {
		p->open = false;
		return false;
	}
	if (quiz_wants_hint(line)) {
		say_hint(t, &p->item);
		*status = SESSION_OK;
		return true;
	}
	choice = quiz_choice(&p->item, line, false); /* "s" is the command step */
	if (choice < 0 && ascii_is_digit(*skip_blanks(line))) {
		quiz_choices_text(&p->item, &choices);
		*status = teacher_refuse(t, "the quiz expects %s", choices.failed ? "" : choices.p);
		sb_free(&choices);
		return true;
	}
	if (choice < 0)
		return false;
	*status = judge_answer(t, p, choice);
	return true;
}
