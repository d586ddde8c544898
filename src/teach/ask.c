/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ask.c - asks the questions of a lesson and judges the answers.
 *
 * A line that is a number or one of the choices answers the open question; every other line is an
 * ordinary command. A question without `reveal` may be answered again after a wrong answer. With
 * `reveal` the machine shows the answer, so only the last try counts; the tries before it are
 * compared with what the author saw, without the machine. With a student's own numbers the author
 * saw nothing, so there is one try. The right number is the machine's value after the reveal, or,
 * without one, where the question opened: a student may look elsewhere before he answers.
 */
#include "teach/teach_part.h"

#include "base/ascii.h"
#include "base/words.h"
#include "ctascope/sim.h"
#include "eval/eval.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool
ask_is_near(const struct item *it, double v, double answer)
{
	double room = it->is_relative ? it->tolerance * fabs(answer) : it->tolerance;

	return fabs(v - answer) <= room + 1e-12;
}

static const char *
hint_offer(const struct item *it)
{
	return item_field(it, FIELD_HINT, 0) ? ", or 'hint'" : "";
}

/* Each in a line of its own. */
static void
show_choices_below(struct teacher *t, const struct item *it)
{
	for (unsigned i = 0; i < it->n_choices; i++) {
		char head[16];

		snprintf(head, sizeof(head), "  %u ", i + 1);
		page_say(t, head, it->choice[i]);
	}
}

void
ask_show(struct teacher *t, const struct item *it)
{
	struct strbuf line = {0};

	for (unsigned i = 0; i < it->n_choices; i++)
		sb_printf(&line, "%s%u %s", i ? "   " : "  ", i + 1, it->choice[i]);
	if (it->n_choices && !line.failed && page_columns(line.p) <= 80)
		say(t->s, SAY_RESULT, "%s", line.p);
	else
		show_choices_below(t, it);
	sb_free(&line);
	if (it->predict)
		page_tell(t, "  (type your prediction%s; the model waits for it)", hint_offer(it));
	else
		page_tell(t, "  (type %s%s)", it->n_choices ? "a choice" : "the number",
			  hint_offer(it));
}

/* Formats the answer: a number, or the right choice. */
static void
answer_text(const struct item *it, double answer, char *buf, size_t size)
{
	char number[HUMAN];

	page_number(answer, -1, number);
	snprintf(buf, size, "%s", it->n_choices ? it->choice[it->right] : number);
}

/* Shows the answer on the machine, starting where the question was asked. */
static void
show_on_machine(struct teacher *t, const struct item *it, bool quietly)
{
	char line[40];

	if (!item_field(it, FIELD_REVEAL, 0))
		return;
	if (session_sim(t->s) && sim_cycle(session_sim(t->s)) != t->opened_at) {
		snprintf(line, sizeof(line), "goto %" PRIu64, t->opened_at);
		teacher_type_line(t, line, true);
	}
	teacher_type(t, it, FIELD_REVEAL, quietly);
}

static void comment_answer(struct teacher *t, const char *fmt, ...) ATTR_PRINTF(2, 3);

static void
comment_answer(struct teacher *t, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	page_tell(t, "%s", text);
	sb_printf(&t->note[t->at], "%s\n", text);
}

void
ask_note_opening(struct teacher *t, unsigned at)
{
	const struct item *it = &t->lesson->item[at];
	struct opening *o = &t->opening[at];
	const char *answer = item_text(it, FIELD_ANSWER), *expect = item_text(it, FIELD_EXPECT);

	o->expected = !expect || teacher_holds(t, expect);
	if (it->n_choices || !answer || !teacher_number(t, answer, &o->answer))
		o->answer = (double)NAN;
}

/* Where the machine does not show what the author saw, his answer counts. */
static double
right_answer(struct teacher *t, const struct item *it)
{
	const struct opening *o = &t->opening[t->at];

	if (item_field(it, FIELD_REVEAL, 0) || (!it->n_choices && isnan(o->answer)))
		ask_note_opening(t, t->at);
	if (o->expected && (it->n_choices || !isnan(o->answer)))
		return it->n_choices ? it->value : o->answer;
	say(t->s, SAY_NOTE,
	    "the machine is not where the lesson expects it at this question, so the answer is "
	    "compared with that of the lesson; 'lesson reset' restarts the page");
	return it->value;
}

/* A wrong answer may be right for another cycle. */
static void
comment_place(struct teacher *t)
{
	char cycle[HUMAN];

	if (session_sim(t->s) && sim_cycle(session_sim(t->s)) != t->opened_at)
		comment_answer(t,
			       "  The question is about cycle %s; 'goto %" PRIu64
			       "' returns there.",
			       human(cycle, t->opened_at), t->opened_at);
}

static void
comment_wrong(struct teacher *t, const struct item *it, double v)
{
	const struct field *f;
	double wrong;

	for (unsigned i = 0; (f = item_field(it, FIELD_WRONG, i)); i++) {
		const char *text = wrong_text(it, f, &wrong);

		if (text && ask_is_near(it, v, wrong)) {
			page_note(t, "  ", text);
			return;
		}
	}
}

/* Is it wrong by what the author saw, and may the student try again? */
static bool
may_try_again(const struct teacher *t, const struct item *it, double v)
{
	bool is_right = it->n_choices ? v == it->value : ask_is_near(it, v, it->value);

	return !is_right && !(t->lesson->seed.value && t->lesson->n_vary) &&
	       t->tries[t->at] < it->tries;
}

static const char *
answer_word(const struct item *it)
{
	return it->n_choices ? "choice" : "number";
}

static const char *
hint_words(const struct item *it)
{
	return item_field(it, FIELD_HINT, 0) ? "'hint', " : "";
}

static enum session_status
judge_answer(struct teacher *t, const struct item *it, double v)
{
	bool shows = item_field(it, FIELD_REVEAL, 0);
	char text[200];
	double answer;
	bool right;

	if (t->tries[t->at] && v == t->last_answer) {
		page_tell(t, "that was your last answer; type another %s", answer_word(it));
		return SESSION_OK;
	}
	t->last_answer = v;
	t->tries[t->at]++;
	if (may_try_again(t, it, v)) {
		comment_answer(t, "wrong; type another %s (try %u of %u), or %s'lesson solve'",
			       answer_word(it), t->tries[t->at] + 1, it->tries, hint_words(it));
		comment_wrong(t, it, v);
		return SESSION_OK;
	}
	show_on_machine(t, it, false);
	answer = right_answer(t, it);
	right = it->n_choices ? v == answer : ask_is_near(it, v, answer);
	answer_text(it, answer, text, sizeof(text));
	if (right) {
		comment_answer(t, "right: %s", text);
	} else if (shows || (it->tries && t->tries[t->at] >= it->tries)) {
		comment_answer(t, "wrong: it is %s", text);
		comment_wrong(t, it, v);
	} else {
		comment_answer(t, "wrong; type another %s, or %s'lesson solve'", answer_word(it),
			       hint_words(it));
		comment_wrong(t, it, v);
		comment_place(t);
		return SESSION_OK;
	}
	teacher_pass(t, right ? MARK_DONE : MARK_WRONG);
	return teacher_advance(t);
}

/* A line that is neither a command nor an answer is most likely meant as an answer. */
static bool
refuse_words(struct teacher *t, const struct item *it, const char *text,
	     enum session_status *status)
{
	if (!ascii_is_letter(*text) || session_is_command(t->s, text))
		return false;
	*status = it->n_choices
			  ? teacher_refuse(t, "'%.60s' is neither a choice, 1 to %u, nor a command",
					   text, it->n_choices)
			  : teacher_refuse(t,
					   "the answer is a number; '%.60s' is neither a number "
					   "nor a command",
					   text);
	return true;
}

/* The text with its first comma as a point. */
static enum session_status
refuse_decimal_comma(struct teacher *t, const char *text)
{
	size_t before = strcspn(text, ",");
	struct err e = {0};

	err_set(&e,
		"write %.*s.%.40s, with a point; a comma separates thousands, as in 22,528 (this "
		"was no try)",
		(int)MIN(before, 40), text, text + before + 1);
	return say_err(t->s, &e);
}

/* A share, from 0 to 1, may be typed in percent. */
static double
share_of_percent(const struct item *it, const char *text, double v)
{
	return strchr(text, '%') && it->value > 0 && it->value <= 1 ? v / 100 : v;
}

bool
ask_takes(struct teacher *t, const char *line, enum session_status *status)
{
	struct item *it = teacher_item(t);
	const char *text = skip_blanks(line);
	struct err e = {0};
	int choice;
	double v;

	if (!it || it->kind != ITEM_ASK || !*text)
		return false;
	if (it->n_choices) {
		choice = choice_typed(it, text);
		if (choice < 0 && !ascii_is_digit(*text))
			return refuse_words(t, it, text, status);
		if (choice < 0) {
			err_set(&e, "expected the number of a choice, 1 to %u, found '%.60s'",
				it->n_choices, text);
			*status = say_err(t->s, &e);
			return true;
		}
		*status = judge_answer(t, it, choice);
		return true;
	}
	if (!ascii_is_digit(*text) && !strchr("+-.", *text))
		return refuse_words(t, it, text, status);
	if (number_typed(text, &v)) {
		*status = judge_answer(t, it, share_of_percent(it, text, v));
		return true;
	}
	if (number_has_decimal_comma(text)) {
		*status = refuse_decimal_comma(t, text);
		return true;
	}
	err_set(&e, "the question expects a number, found '%.60s'", text);
	*status = say_err(t->s, &e);
	return true;
}

void
ask_solve(struct teacher *t, struct item *it, bool quietly)
{
	char text[200];

	show_on_machine(t, it, quietly);
	if (quietly)
		return;
	answer_text(it, right_answer(t, it), text, sizeof(text));
	comment_answer(t, "the answer is %s", text);
}
