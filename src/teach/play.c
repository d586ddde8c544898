/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * play.c - plays a lesson: moves from item to item or to a page, and plays reference solutions.
 *
 * Text is printed and commands are executed when the lesson reaches them, so the file reads in the
 * order of the lesson. A task or a question waits until the student has passed it.
 */
#include "teach/teach_part.h"

#include "ctascope/sim.h"
#include "eval/eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct item *
teacher_item(struct teacher *t)
{
	return t->lesson && t->open ? &t->lesson->item[t->at] : NULL;
}

/* Returns the number of the item's page, from 0. */
static unsigned
page_of(const struct lesson *l, unsigned at)
{
	unsigned page = 0;

	for (unsigned i = 0; i <= at && i < l->n_items; i++)
		page += l->item[i].kind == ITEM_PAGE;
	return page ? page - 1 : 0;
}

unsigned
lesson_page(const struct lesson *l, unsigned page)
{
	unsigned at = 0;

	while (at + 1 < l->n_items && !(l->item[at].kind == ITEM_PAGE && page_of(l, at) == page))
		at++;
	return at;
}

unsigned
teacher_page(const struct teacher *t)
{
	return page_of(t->lesson, t->at);
}

/* Returns the number of a task or question among all of them, from 1. */
unsigned
teacher_number_of(const struct lesson *l, unsigned at)
{
	unsigned n = 0;

	for (unsigned i = 0; i <= at; i++)
		n += item_is_exercise(&l->item[i]);
	return n;
}

/* ---------------------------------------------------------------- expressions */

bool
teacher_holds(struct teacher *t, const char *text)
{
	struct value v;
	bool holds = false;

	if (session_evaluate(t->s, text, &v, NULL))
		return false;
	for (unsigned i = 0; i < (v.n ? v.n : 1); i++) {
		double x = v.n ? v.v[i] : v.x;

		holds |= !isnan(x) && x != 0;
	}
	value_free(&v);
	return holds;
}

bool
teacher_number(struct teacher *t, const char *text, double *x)
{
	struct value v;

	if (session_evaluate(t->s, text, &v, NULL))
		return false;
	*x = v.n ? NAN : v.x;
	value_free(&v);
	return !isnan(*x);
}

const struct field *
teacher_failing_check(struct teacher *t, const struct item *it)
{
	const struct field *f;

	for (unsigned i = 0; (f = item_field(it, FIELD_CHECK, i)); i++)
		if (!teacher_holds(t, f->text) ||
		    (strstr(f->text, "ended") && session_changed_after_end(t->s)))
			return f;
	return NULL;
}

/* ---------------------------------------------------------------- typing */

/* Commands that arrange the screen are left out if there is no screen. */
static bool
needs_missing_screen(const struct teacher *t, const char *line)
{
	return session_is_screen_command(line) && !session_has_screen(t->s);
}

enum session_status
teacher_type_for_person(struct teacher *t, const char *line, bool quietly)
{
	bool was_typing = t->typing;
	enum session_status status;

	if (needs_missing_screen(t, line))
		return SESSION_OK;
	if (quietly)
		session_mute(t->s);
	else
		say(t->s, SAY_RESULT, "> %s", line);
	t->typing = true;
	status = session_exec(t->s, line);
	t->typing = was_typing;
	if (quietly)
		session_unmute(t->s);
	return status;
}

enum session_status
teacher_type_line(struct teacher *t, const char *line, bool quietly)
{
	enum session_status status;

	session_begin_lesson_typing(t->s);
	status = teacher_type_for_person(t, line, quietly);
	session_end_lesson_typing(t->s);
	return status;
}

void
teacher_say_failed(struct teacher *t, const char *command, unsigned line, const char *what_to_do)
{
	say(t->s, SAY_ERROR, "%s %s, line %u: its command '%s' failed; %s",
	    t->presenter ? "presentation" : "lesson", t->lesson->id, line, command, what_to_do);
}

bool
teacher_type(struct teacher *t, const struct item *it, enum field_key key, bool quietly)
{
	const struct field *f;

	for (unsigned i = 0; (f = item_field(it, key, i)); i++) {
		/* An audience sees the panes, and only what a command is given for. */
		bool hides =
			t->presenter && session_has_screen(t->s) && !session_is_answered(f->text);
		enum session_status status = teacher_type_line(t, f->text, quietly || hides);

		if (status == SESSION_OK)
			continue;
		teacher_say_failed(t, f->text, f->line,
				   t->presenter ? "'present back' undoes the step"
				   : key == FIELD_SOLVE && !quietly
					   ? "'lesson reset' restarts the page, 'lesson skip' "
					     "leaves the task out"
					   : "'lesson reset' restarts the page");
		return false;
	}
	return true;
}

/* ---------------------------------------------------------------- showing */

void
teacher_show_heading(struct teacher *t, unsigned at)
{
	const struct item *it = &t->lesson->item[at];

	if (session_has_screen(t->s))
		return;
	say(t->s, SAY_RESULT, "%s", "");
	page_tell(t, "== %s (page %u of %u) ==", it->text, page_of(t->lesson, at) + 1,
		  t->lesson->n_pages);
}

static void
show_item(struct teacher *t)
{
	const struct item *it = &t->lesson->item[t->at];
	char head[40];

	if (session_has_screen(t->s))
		return;
	say(t->s, SAY_RESULT, "%s", "");
	snprintf(head, sizeof(head), "%s %u of %u: ", it->kind == ITEM_TASK ? "task" : "question",
		 teacher_number_of(t->lesson, t->at), t->lesson->n_tasks + t->lesson->n_asks);
	page_say(t, head, it->text);
	if (it->kind == ITEM_ASK)
		ask_show(t, it);
}

/* The heading of the page that an item is on, and the text before the item. */
static void
show_page_until(struct teacher *t, unsigned at)
{
	const struct lesson *l = t->lesson;
	unsigned from = at;

	while (from > 0 && l->item[from].kind != ITEM_PAGE)
		from--;
	teacher_show_heading(t, from);
	for (unsigned i = from; i < at; i++)
		if (l->item[i].kind == ITEM_TEXT)
			page_say(t, "", l->item[i].text);
}

/* The hints and comments that an item got. */
static void
show_notes(struct teacher *t, unsigned i)
{
	struct span rest = span_of(t->note[i].n ? t->note[i].p : ""), line;
	char text[1000];

	while (span_part(&rest, '\n', &line))
		if (line.n && span_copy(line, text, sizeof(text)))
			page_say(t, "  ", text);
}

/* The page that is read again, with the mark of each task and question. */
static void
show_passed_page(struct teacher *t)
{
	const struct lesson *l = t->lesson;
	unsigned page = teacher_page(t), from = lesson_page(l, page);
	char head[40];

	teacher_show_heading(t, from);
	for (unsigned i = from; i < l->n_items && page_of(l, i) == page; i++) {
		const struct item *it = &l->item[i];

		if (it->kind == ITEM_TEXT)
			page_say(t, "", it->text);
		if (!item_is_exercise(it))
			continue;
		say(t->s, SAY_RESULT, "%s", "");
		snprintf(head, sizeof(head),
			 "%s %u, %s: ", it->kind == ITEM_TASK ? "task" : "question",
			 teacher_number_of(l, i), mark_names[t->mark[i]]);
		page_say(t, head, it->text);
		show_notes(t, i);
	}
	say(t->s, SAY_RESULT, "%s", "");
	page_tell(t, "this page is done; 'lesson next' continues, 'lesson reset' restarts it");
}

enum session_status
teacher_show(struct teacher *t)
{
	if (session_has_screen(t->s)) {
		page_tell(t, "the lesson is on the screen; [ and ] page through it");
		return SESSION_OK;
	}
	if (t->rereads) {
		show_passed_page(t);
		return SESSION_OK;
	}
	show_page_until(t, MIN(t->at, t->lesson->n_items - 1));
	if (t->open)
		show_item(t);
	else
		page_tell(t, "the lesson is complete; 'lesson next' opens the next one, 'lesson "
			     "list' names all");
	return SESSION_OK;
}

/* ---------------------------------------------------------------- moving on */

const char mark_letters[MARKS + 1] = "-dwsk";
const char *const mark_names[MARKS] = {[MARK_OPEN] = "open",
				       [MARK_DONE] = "done",
				       [MARK_WRONG] = "wrong",
				       [MARK_SOLVED] = "solved",
				       [MARK_SKIPPED] = "skipped"};

static void
keep_progress(struct teacher *t)
{
	const struct lesson *l = t->lesson;
	struct progress p = {.items = l->n_tasks + l->n_asks, .seed = l->seed};
	struct strbuf marks = {0};
	struct err e = {0};

	for (unsigned i = 0; i < l->n_items; i++) {
		p.behind += t->mark[i] != MARK_OPEN;
		if (item_is_exercise(&l->item[i]))
			sb_char(&marks, mark_letters[t->mark[i]]);
	}
	t->was_complete |= p.behind == p.items;
	if (t->was_complete)
		p.behind = p.items;
	p.marks = sb_take(&marks);
	p.page = t->at < l->n_items ? page_of(l, t->at) : 0;
	if (t->keeps_progress && progress_keep(l->id, &p, &e)) {
		say(t->s, SAY_NOTE, "lesson: your progress is not saved: %s", e.msg);
		t->keeps_progress = false;
	}
	progress_forget(&p);
}

enum session_status
teacher_fail_at(struct teacher *t, unsigned line, const char *what, const struct err *e)
{
	const char *kind = t->presenter ? "presentation" : "lesson";

	say(t->s, SAY_ERROR, "%s %s, line %u: %s: %s; the %s ends here", kind, t->lesson->id, line,
	    what, e->msg, kind);
	teacher_close(t);
	return SESSION_ERROR;
}

static void
show_end(struct teacher *t)
{
	const struct lesson *l = t->lesson;
	unsigned n[MARK_SKIPPED + 1] = {0};
	char next[64];

	for (unsigned i = 0; i < l->n_items; i++)
		if (item_is_exercise(&l->item[i]))
			n[t->mark[i]]++;
	say(t->s, SAY_RESULT, "%s", "");
	page_tell(t,
		  "lesson %s is complete: %u done, %u answered wrong, %u solved by ctascope, %u "
		  "skipped",
		  l->id, n[MARK_DONE], n[MARK_WRONG], n[MARK_SOLVED], n[MARK_SKIPPED]);
	if (lesson_next(l->id, next, sizeof(next)))
		page_tell(t, "next: lesson %s; 'lesson next' opens it", next);
}

/* A question, and those after it up to a command of the lesson, are about the place where the first
 * opens: the student may leave it before he answers. */
static void
note_place(struct teacher *t, unsigned at)
{
	const struct lesson *l = t->lesson;
	bool moves = false;

	if (at < t->opened_to)
		return;
	t->opened_at = session_sim(t->s) ? sim_cycle(session_sim(t->s)) : 0;
	for (t->opened_to = at; t->opened_to < l->n_items && !moves; t->opened_to++) {
		const struct item *it = &l->item[t->opened_to];

		if (it->kind == ITEM_SESSION || it->kind == ITEM_DO ||
		    (it->kind == ITEM_TASK && t->opened_to > at))
			break;
		moves = it->kind == ITEM_TASK || item_field(it, FIELD_REVEAL, 0);
		if (it->kind == ITEM_ASK)
			ask_note_opening(t, t->opened_to);
	}
}

void
teacher_wait_at(struct teacher *t, unsigned at)
{
	t->at = at;
	t->open = true;
	t->rereads = false;
	t->hints = 0;
	t->used = 0;
	t->passed = false;
	note_place(t, at);
}

enum session_status
teacher_advance(struct teacher *t)
{
	const struct lesson *l = t->lesson;
	struct err e = {0};

	t->open = t->rereads = false;
	for (; t->at < l->n_items; t->at++) {
		const struct item *it = &l->item[t->at];

		switch (it->kind) {
		case ITEM_PAGE:
			teacher_show_heading(t, t->at);
			break;
		case ITEM_TEXT:
			page_say(t, "", it->text);
			break;
		case ITEM_SESSION:
			if (teacher_setup(t, it->text, &e))
				return teacher_fail_at(t, it->line, "@session", &e);
			break;
		case ITEM_DO:
			if (teacher_type_line(t, it->text, true) == SESSION_ERROR)
				teacher_say_failed(t, it->text, it->line,
						   "'lesson reset' restarts the page");
			break;
		case ITEM_TASK:
		case ITEM_ASK:
			teacher_wait_at(t, t->at);
			show_item(t);
			return SESSION_OK;
		}
	}
	keep_progress(t);
	show_end(t);
	return SESSION_OK;
}

void
teacher_pass(struct teacher *t, enum mark mark)
{
	const struct item *it = teacher_item(t);
	const char *why = item_text(it, FIELD_WHY);

	handin_note_pass(t);
	t->mark[t->at] = mark;
	if (why && mark != MARK_SKIPPED)
		page_explain(t, why);
	t->at++;
	t->open = false;
	keep_progress(t);
}

/* ---------------------------------------------------------------- solving */

enum session_status
teacher_resolve(struct teacher *t, bool quietly)
{
	struct item *it = teacher_item(t);
	const struct field *failing;

	if (it->kind == ITEM_ASK) {
		ask_solve(t, it, quietly);
	} else {
		if (!teacher_type(t, it, FIELD_SOLVE, quietly) && !quietly)
			return SESSION_ERROR;
		failing = teacher_failing_check(t, it);
		if (failing && !quietly)
			say(t->s, SAY_NOTE,
			    "the solution does not work from the present cycle; 'lesson reset' "
			    "returns to the start of the page");
	}
	teacher_pass(t, quietly ? MARK_SKIPPED : MARK_SOLVED);
	return SESSION_OK;
}

enum session_status
teacher_solve(struct teacher *t, bool quietly)
{
	enum session_status status = teacher_resolve(t, quietly);

	return status == SESSION_OK ? teacher_advance(t) : status;
}

/* ---------------------------------------------------------------- pages */

/* Repeats, without output, what the items from..to do to the machine. */
static int
replay_items(struct teacher *t, unsigned from, unsigned to, struct err *e)
{
	const struct lesson *l = t->lesson;

	for (unsigned i = from; i < to; i++) {
		const struct item *it = &l->item[i];

		if (it->kind == ITEM_SESSION && teacher_setup(t, it->text, e))
			return -1;
		if (it->kind == ITEM_DO)
			teacher_type_line(t, it->text, true);
		if (it->kind == ITEM_TASK)
			teacher_type(t, it, FIELD_SOLVE, true);
		if (it->kind == ITEM_ASK)
			teacher_type(t, it, FIELD_REVEAL, true);
	}
	return 0;
}

/* The machine becomes what it is before an item; what was done meanwhile is gone. */
enum session_status
teacher_go_to_item(struct teacher *t, unsigned to)
{
	const struct lesson *l = t->lesson;
	unsigned from = 0;
	struct err e = {0};

	t->open = false;
	t->opened_to = 0;
	for (unsigned i = 0; i < to; i++)
		from = l->item[i].kind == ITEM_SESSION ? i : from;
	if (l->item[from].kind != ITEM_SESSION && teacher_setup(t, l->session, &e))
		return teacher_fail_at(t, l->session_line, "session", &e);
	if (replay_items(t, from, to, &e))
		return teacher_fail_at(t, l->item[from].line, "@session", &e);
	t->at = to;
	return SESSION_OK;
}

void
teacher_forget_from(struct teacher *t, unsigned at)
{
	for (unsigned i = at; i < t->lesson->n_items; i++) {
		t->mark[i] = MARK_OPEN;
		t->tries[i] = 0;
		sb_free(&t->note[i]);
	}
}

enum session_status
teacher_go_to_page(struct teacher *t, unsigned page)
{
	unsigned to = lesson_page(t->lesson, page);

	if (teacher_go_to_item(t, to) != SESSION_OK)
		return SESSION_ERROR;
	teacher_forget_from(t, to);
	return teacher_advance(t);
}

/* Returns the first item that no mark has passed; n_items: the lesson is complete. */
static unsigned
first_open(const struct teacher *t)
{
	const struct lesson *l = t->lesson;
	unsigned at = 0;

	while (at < l->n_items && !(item_is_exercise(&l->item[at]) && t->mark[at] == MARK_OPEN))
		at++;
	return at;
}

unsigned
teacher_count_marks_from(const struct teacher *t, unsigned page)
{
	unsigned n = 0;

	for (unsigned i = lesson_page(t->lesson, page); i < t->lesson->n_items; i++)
		n += t->mark[i] != MARK_OPEN;
	return n;
}

enum session_status
teacher_continue(struct teacher *t)
{
	const struct lesson *l = t->lesson;
	unsigned at = first_open(t), page = page_of(l, at);

	while (at > 0 && !item_is_exercise(&l->item[at - 1]) && page_of(l, at - 1) == page)
		at--; /* the text and the commands before it are reached again */
	if (teacher_go_to_item(t, at) != SESSION_OK)
		return SESSION_ERROR;
	if (l->item[at].kind != ITEM_PAGE)
		show_page_until(t, at);
	return teacher_advance(t);
}

enum session_status
teacher_reread_page(struct teacher *t, unsigned page)
{
	const struct lesson *l = t->lesson;
	unsigned open = first_open(t), first = lesson_page(l, page), last = first;

	if (page >= l->n_pages) { /* of a complete lesson */
		t->rereads = false;
		return teacher_go_to_item(t, l->n_items) == SESSION_OK ? teacher_show(t)
								       : SESSION_ERROR;
	}
	if (open < l->n_items && page >= page_of(l, open))
		return teacher_continue(t);
	while (first < l->n_items && !item_is_exercise(&l->item[first]))
		first++; /* after what the page types before its first task */
	while (last + 1 < l->n_items && page_of(l, last + 1) == page)
		last++;
	if (teacher_go_to_item(t, MIN(first, last)) != SESSION_OK)
		return SESSION_ERROR;
	t->at = last;
	t->rereads = true;
	return session_has_screen(t->s) ? SESSION_OK : teacher_show(t);
}
