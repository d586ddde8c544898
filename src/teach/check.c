/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check.c - plays the reference solutions of a lesson, so that a change of the model reveals a
 * stale lesson.
 *
 * A task is stale if all its checks hold before its solution is played, or if one does not hold
 * afterwards; a question, if its answer is not the value that the author saw. A task is also stale
 * if its checks hold at the next stop or at the end of the run as well, and a question after it
 * has another answer there: a student may pass the task at either place. Where a run has ended, a
 * `why` that names cycles has to name those of the run. The check uses a separate session without
 * output; the last error it prints explains why a command failed.
 */
#include "teach/teach_part.h"

#include "base/ascii.h"
#include "base/foreign.h"
#include "base/human.h"
#include "ctascope/sim.h"
#include "eval/eval.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS_CHECKED 3 /* beside the author's numbers, where numbers vary */

struct player {
	struct teacher *t;
	unsigned tasks, questions;
	char error[400];	    /* the last error that the session printed */
	bool goes_on[LESSON_ITEMS]; /* the item is a task whose solution does not end the run */
};

static void
keep_error(void *ctx, enum say kind, const char *line)
{
	struct player *p = ctx;

	if (kind == SAY_ERROR && *line != ' ')
		snprintf(p->error, sizeof(p->error), "%s", line);
}

static int report_stale(const struct player *p, unsigned line, struct err *e, const char *fmt, ...)
	ATTR_PRINTF(4, 5);

static int
report_stale(const struct player *p, unsigned line, struct err *e, const char *fmt, ...)
{
	char msg[400], seed[48] = "";
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	if (p->t->lesson->seed.value)
		snprintf(seed, sizeof(seed), "with --seed %" PRIu64 ": ", p->t->lesson->seed.value);
	return err_at(e, p->t->lesson->path, line, NULL, 0, 1, "%s%s", seed, msg);
}

static int
type_one(struct player *p, const char *text, unsigned line, bool as_student, struct err *e)
{
	p->error[0] = '\0';
	if ((as_student ? teacher_type_for_person(p->t, text, true)
			: teacher_type_line(p->t, text, true)) == SESSION_OK)
		return 0;
	return report_stale(p, line, e, "'%.120s' failed: %.200s", text, p->error);
}

/* Types a solution as a student does, whose stops do not stop the commands of the lesson. */
static int
type_all(struct player *p, const struct item *it, enum field_key key, struct err *e)
{
	const struct field *f;

	for (unsigned i = 0; (f = item_field(it, key, i)); i++)
		if (type_one(p, f->text, f->line, key == FIELD_SOLVE, e))
			return -1;
	return 0;
}

/* Formats the value of the expression for the message. */
static void
value_text(struct player *p, const char *expr, char *buf, size_t size)
{
	struct err e = {0};
	struct value v;

	if (session_evaluate(p->t->s, expr, &v, &e)) {
		snprintf(buf, size, "%.150s", e.msg);
		return;
	}
	value_format(&v, 'f', buf, size);
	value_free(&v);
}

static bool
solution_types(const struct item *it, const char *command)
{
	const struct field *f;

	for (unsigned i = 0; (f = item_field(it, FIELD_SOLVE, i)); i++)
		if (session_same_command(f->text, command))
			return true;
	return false;
}

static int
play_task(struct player *p, const struct item *it, struct err *e)
{
	const struct field *check = item_field(it, FIELD_CHECK, 0), *f;

	if (check && !teacher_failing_check(p->t, it))
		return report_stale(p, check->line, e,
				    "the task is already done at its start: '%.200s' holds",
				    check->text);
	if (type_all(p, it, FIELD_SOLVE, e))
		return -1;
	f = teacher_failing_check(p->t, it);
	if (f)
		return report_stale(p, f->line, e, "'%.200s' does not hold after the solution",
				    f->text);
	for (unsigned i = 0; (f = item_field(it, FIELD_USED, i)); i++)
		if (!solution_types(it, f->text))
			return report_stale(p, f->line, e, "the solution does not use '%.100s'",
					    f->text);
	return 0;
}

static int
play_ask(struct player *p, const struct item *it, struct err *e)
{
	const struct field *answer = item_field(it, FIELD_ANSWER, 0),
			   *expect = item_field(it, FIELD_EXPECT, 0), *f;
	char found[200];
	double v;

	if (type_all(p, it, FIELD_REVEAL, e))
		return -1;
	if (expect && !teacher_holds(p->t, expect->text))
		return report_stale(p, expect->line, e, "'%.200s' does not hold", expect->text);
	/* With a student's numbers the author saw no value, but there is an answer. */
	if (answer && !it->n_choices &&
	    (!teacher_number(p->t, answer->text, &v) ||
	     (!p->t->lesson->seed.value && !ask_is_near(it, it->value, v)))) {
		value_text(p, answer->text, found, sizeof(found));
		return report_stale(p, answer->line, e, "the answer is %s, but value is %.10g",
				    found, it->value);
	}
	for (unsigned i = 0; !p->t->lesson->seed.value && (f = item_field(it, FIELD_WRONG, i));
	     i++) {
		wrong_text(it, f, &v);
		if (it->n_choices ? v == it->value : ask_is_near(it, v, it->value))
			return report_stale(p, f->line, e, "wrong: names the right answer");
	}
	return 0;
}

static int
play_item(struct player *p, const struct item *it, struct err *e)
{
	struct err why = {0};

	switch (it->kind) {
	case ITEM_SESSION:
		return teacher_setup(p->t, it->text, &why)
			       ? report_stale(p, it->line, e, "@session: %s", why.msg)
			       : 0;
	case ITEM_DO:
		return type_one(p, it->text, it->line, false, e);
	case ITEM_TASK:
		return play_task(p, it, e);
	case ITEM_ASK:
		return play_ask(p, it, e);
	case ITEM_PAGE:
	case ITEM_TEXT:
		break;
	}
	return 0;
}

/* Live values name values of the machine, which may be gone. */
static int
check_live_values(struct player *p, const char *text, unsigned line, const char *where,
		  struct err *e)
{
	for (const char *at = text; (at = strchr(at, '{')); at++) {
		char expr[EVAL_MAX_TEXT];
		size_t n = strcspn(at + 1, "}\n");
		struct err why = {0};
		struct value v;
		int decimals;

		if (at[1 + n] != '}' && (!n || ascii_is_space(at[1])))
			continue; /* a brace of a program */
		if (at[1 + n] != '}')
			return report_stale(p, line, e, "'{%.*s' %s: the line has no '}' after it",
					    (int)MIN(n, 60), at + 1, where);
		if (!page_live_value((struct span){at + 1, n}, expr, sizeof(expr), &decimals))
			return report_stale(p, line, e, "{%.60s...} %s is too long", at + 1, where);
		if (session_evaluate(p->t->s, expr, &v, &why))
			return report_stale(p, line, e, "{%.100s} %s: %s", expr, where, why.msg);
		value_free(&v);
	}
	return 0;
}

/* Returns the next number of the text that is written as "116,066", outside of live values; 0:
 * there is none. */
static uint64_t
next_long_number(const char **text)
{
	const char *at = *text;

	while (*at) {
		uint64_t v = 0;
		bool has_comma = false;

		if (*at == '{')
			at += strcspn(at, "}");
		if (!ascii_is_digit(*at)) {
			at += *at != '\0';
			continue;
		}
		for (; ascii_is_digit(*at) || (*at == ',' && ascii_is_digit(at[1])); at++) {
			has_comma |= *at == ',';
			v = *at == ',' ? v : 10 * v + (uint64_t)(*at - '0');
		}
		*text = at;
		if (has_comma)
			return v;
	}
	return 0;
}

/* If the run has ended and the text names cycles, one of its numbers is those of the run. */
static int
check_cycles(struct player *p, const struct field *why, struct err *e)
{
	const struct sim *sim = session_sim(p->t->s);
	const char *at = why->text;
	uint64_t v, named = 0;
	char said[HUMAN], real[HUMAN];

	if (p->t->lesson->seed.value || !sim || !sim_done(sim) || !strstr(why->text, "cycles") ||
	    strstr(why->text, "{$cycle}"))
		return 0;
	while ((v = next_long_number(&at)) != 0) {
		if (v == sim_cycle(sim))
			return 0;
		named = named ? named : v;
	}
	if (!named)
		return 0;
	return report_stale(p, why->line, e,
			    "why names %s cycles, but the run took %s; write {$cycle}, or the "
			    "value that is meant, in braces",
			    human(said, named), human(real, sim_cycle(sim)));
}

/* Those of a page are checked before the item after it, those of `why` after the solution. */
static int
check_and_play_item(struct player *p, const struct item *it, struct err *e)
{
	const struct field *why = item_field(it, FIELD_WHY, 0);

	if (it->kind == ITEM_TEXT && check_live_values(p, it->text, it->line, "on this page", e))
		return -1;
	if (item_is_exercise(it) && check_live_values(p, it->text, it->line, "in the text", e))
		return -1;
	if (play_item(p, it, e))
		return -1;
	if (why && check_live_values(p, why->text, why->line, "in why", e))
		return -1;
	return why ? check_cycles(p, why, e) : 0;
}

/* ---------------------------------------------------------------- other places */

/* Commands that lead from the solution to other places where a student may be. */
struct detour {
	const char *command[2];
};

/* Returns the first item after `at` that needs another machine or another task; *asks: there is a
 * question before it. */
static unsigned
end_of_questions(const struct lesson *l, unsigned at, bool *asks)
{
	unsigned i = at + 1;

	for (*asks = false; i < l->n_items; i++) {
		if (l->item[i].kind == ITEM_SESSION || l->item[i].kind == ITEM_TASK)
			break;
		*asks |= l->item[i].kind == ITEM_ASK;
	}
	return i;
}

/* Plays the task at `at` and goes on from its solution. Is the task passed there, too, and does a
 * question before `end` have another answer? */
static int
play_detour(struct player *p, unsigned at, unsigned end, const struct detour *d, struct err *e)
{
	const struct item *it = &p->t->lesson->item[at];
	char cycle[HUMAN], what[40];
	struct err why = {0};
	cycle_t right, now;

	if (teacher_go_to_item(p->t, at) != SESSION_OK)
		return err_set(e, "%s", p->error);
	if (type_all(p, it, FIELD_SOLVE, e))
		return -1;
	right = sim_cycle(session_sim(p->t->s));
	for (unsigned i = 0; i < ARRAY_LEN(d->command) && d->command[i]; i++)
		teacher_type_for_person(p->t, d->command[i], true);
	now = sim_cycle(session_sim(p->t->s));
	snprintf(what, sizeof(what),
		 sim_done(session_sim(p->t->s)) ? "at the end of the run" : "at the next stop");
	if (now == right || teacher_failing_check(p->t, it))
		return 0;
	for (unsigned i = at + 1; i < end; i++)
		if (play_item(p, &p->t->lesson->item[i], &why))
			return report_stale(
				p, it->line, e,
				"the task is also done %s, cycle %s, where line %" PRIu64
				" has: %.200s; let its check contain '$cycle == %" PRIu64 "'",
				what, human(cycle, now), why.line, why.msg, right);
	return 0;
}

static int
check_other_places(struct player *p, unsigned at, struct err *e)
{
	static const struct detour detours[] = {{{"continue"}}, {{"delete", "continue"}}};
	const struct lesson *l = p->t->lesson;
	bool asks;
	unsigned end = end_of_questions(l, at, &asks);

	if (!asks || !item_field(&l->item[at], FIELD_CHECK, 0))
		return 0;
	for (unsigned i = 0; i < ARRAY_LEN(detours); i++)
		if (play_detour(p, at, end, &detours[i], e))
			return -1;
	return 0;
}

static int
play_lesson(struct player *p, struct err *e)
{
	const struct lesson *l = p->t->lesson;
	struct err why = {0};

	if (teacher_setup(p->t, l->session, &why))
		return report_stale(p, l->session_line, e, "session: %s", why.msg);
	for (unsigned i = 0; i < l->n_items; i++) {
		if (check_and_play_item(p, &l->item[i], e))
			return -1;
		p->goes_on[i] = l->item[i].kind == ITEM_TASK && !sim_done(session_sim(p->t->s));
	}
	/* With a student's numbers no answer is compared. */
	for (unsigned i = 0; i < l->n_items && !l->seed.value; i++)
		if (p->goes_on[i] && check_other_places(p, i, e))
			return -1;
	return 0;
}

/* Plays the lesson with the numbers of one seed; *vary: some of its numbers vary. */
static int
play_seed(struct player *p, const char *path, struct lesson_seed seed, bool *vary, struct err *e)
{
	p->t->lesson = lesson_read(path, seed, e);
	if (!p->t->lesson)
		return -1;
	p->t->typing = true;
	p->tasks = p->t->lesson->n_tasks;
	p->questions = p->t->lesson->n_asks;
	*vary = p->t->lesson->n_vary > 0;
	return play_lesson(p, e);
}

static int
play_seeds(struct player *p, const char *path, const struct lesson_seed *seed, struct err *e)
{
	bool vary = true;

	if (seed)
		return play_seed(p, path, *seed, &vary, e);
	for (struct lesson_seed s = {0}; s.value <= SEEDS_CHECKED && vary; s.value++) {
		if (play_seed(p, path, s, &vary, e))
			return -1;
		teacher_close(p->t);
	}
	return 0;
}

int
teach_check(const char *name, const struct lesson_seed *seed, unsigned *tasks, unsigned *questions,
	    struct err *e)
{
	struct player p = {0};
	struct session_ui ui = {.ctx = &p, .out = keep_error};
	struct config *c = config_new();
	struct session *s = c ? session_new(c, NULL, &ui, e) : NULL;
	char path[PATH_MAX];
	int rc = -1;

	p.t = s ? teacher_new(s) : NULL;
	if (!p.t)
		err_nomem(e);
	else if (lesson_find(name, path, sizeof(path), e) == 0)
		rc = play_seeds(&p, path, seed, e);
	*tasks = p.tasks;
	*questions = p.questions;
	session_free(s);
	teacher_free(p.t);
	config_free(c);
	return rc;
}
