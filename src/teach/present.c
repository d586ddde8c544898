/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * present.c - presents a lesson in a lecture hall: its lecturer moves through its steps with one
 * key, and nothing is checked.
 *
 * A step is what one key does: a page's heading with the commands and the text below it; later the
 * commands up to the next text, task or question, and that; a question after a text; its answer.
 * Before a step the machine is where the last one left it: what the lecturer tried meanwhile is
 * undone. Going back undoes a step; as in a lesson, the machine is set up again and the steps
 * before are repeated without output, except if the step had no command.
 */
#include "teach/teach_part.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/words.h"
#include "ctascope/sim.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define KEYS_W 25 /* columns beside the title in which the screen names its keys */

/* Where a step begins: at an item, which may be a question that is already shown. */
struct start {
	unsigned at;
	bool open;
};

struct presenter {
	struct start *start; /* of each step that was carried out */
	unsigned n;
	struct start end;	    /* of the last one */
	struct session_place place; /* of the machine then */
	bool broken_off; /* a run of the last step was interrupted; `end.at` is its item */
};

void
presenter_free(struct presenter *p)
{
	if (p)
		free(p->start);
	free(p);
}

/* ---------------------------------------------------------------- showing */

static const struct item *
item_at(const struct teacher *t, unsigned i)
{
	return &t->lesson->item[i];
}

static bool
is_command(const struct item *it)
{
	return it->kind == ITEM_SESSION || it->kind == ITEM_DO;
}

static void
say_line(void *session, enum lesson_line kind ATTR_UNUSED, const char *line)
{
	say(session, SAY_RESULT, "%s", line);
}

static void
show_exercise(struct teacher *t)
{
	if (session_has_screen(t->s))
		return;
	teacher_item_text(t, t->at, 80, say_line, t->s);
	say(t->s, SAY_RESULT, "(Enter: the answer)");
}

/* Returns the page of the last step, as an index of its heading. */
static unsigned
page_at(const struct teacher *t)
{
	unsigned i = MIN(t->at, t->lesson->n_items - 1);

	if (i && !t->open && i == t->at)
		i--; /* the item at `at` is still to come */
	while (i > 0 && item_at(t, i)->kind != ITEM_PAGE)
		i--;
	return i;
}

/* The number of the page, and the title of the presentation where both have room beside the keys.
 */
static void
present_title(const struct teacher *t, unsigned page, unsigned width, lesson_line_fn *fn, void *to)
{
	const struct lesson *l = t->lesson;
	char number[60], title[160];

	snprintf(number, sizeof(number), "page %u of %u%s", page, l->n_pages,
		 t->at >= l->n_items ? ", the last step" : "");
	snprintf(title, sizeof(title), "%s: %.90s", number, l->title);
	fn(to, LESSON_TITLE, page_columns(title) + KEYS_W <= width ? title : number);
}

void
present_text(struct teacher *t, unsigned width, lesson_line_fn *fn, void *to)
{
	const struct presenter *p = t->presenter;
	unsigned from = p->n ? p->start[p->n - 1].at : 0, page = page_at(t), n = 0;
	for (unsigned i = 0; i <= page; i++)
		n += item_at(t, i)->kind == ITEM_PAGE;
	present_title(t, n, width, fn, to);
	fn(to, LESSON_HEADING, item_at(t, page)->text);
	if (p->broken_off)
		fn(to, LESSON_NOTE, "Paused. The next step continues the run.");
	for (unsigned i = from; i < t->at + t->open && i < t->lesson->n_items; i++) {
		const struct item *it = item_at(t, i);

		if (it->kind == ITEM_TEXT)
			teacher_page_text(t, it->text, width, fn, to);
		else if (item_is_exercise(it))
			teacher_item_text(t, i, width, fn, to);
	}
}

/* ---------------------------------------------------------------- steps */

/* Notes where the step ended, which is where the next one begins. */
static void
note_end(struct teacher *t)
{
	t->presenter->end = (struct start){t->at, t->open};
	t->presenter->place = session_place(t->s);
}

static bool
is_moved(const struct teacher *t)
{
	struct session_place now = session_place(t->s), then = t->presenter->place;

	return now.machine != then.machine || now.branch != then.branch || now.cycle != then.cycle;
}

/* Returns the command that continues one whose run was interrupted. */
static const char *
rest_of(const char *command)
{
	return session_same_command(command, "run") ? "continue" : command;
}

/* Executes a command of the presentation; false: it failed or was interrupted. */
static bool
do_command(struct teacher *t, const struct item *it, bool continues)
{
	enum session_status status;

	status = teacher_type_line(t, continues ? rest_of(it->text) : it->text,
				   session_has_screen(t->s) && !session_is_answered(it->text));
	if (session_was_interrupted(t->s)) {
		t->presenter->broken_off = true;
		return false;
	}
	if (status != SESSION_OK)
		teacher_say_failed(t, it->text, it->line,
				   "the next step continues, 'present back' undoes this one");
	return true;
}

enum phase { PHASE_HEADING, PHASE_COMMANDS, PHASE_TEXT, PHASE_END };

static enum phase
phase_of(const struct item *it, enum phase now)
{
	switch (it->kind) {
	case ITEM_PAGE:
		return PHASE_HEADING;
	case ITEM_SESSION:
	case ITEM_DO:
		return PHASE_COMMANDS;
	case ITEM_TEXT:
		return PHASE_TEXT;
	default: /* a task or question, which ends a step, and begins one after a text */
		return now < PHASE_TEXT ? now : PHASE_END;
	}
}

/* Carries out the items of one step from t->at on. continues: the first one was interrupted. */
static enum session_status
do_items(struct teacher *t, bool continues)
{
	enum phase now = continues ? PHASE_COMMANDS : PHASE_HEADING;
	struct err e = {0};

	for (bool first = !continues; t->at < t->lesson->n_items; t->at++, first = false) {
		const struct item *it = item_at(t, t->at);
		enum phase next = phase_of(it, now);

		if (next < now || next == PHASE_END ||
		    (next == PHASE_HEADING && !first && it->kind == ITEM_PAGE))
			break;
		now = next;
		if (it->kind == ITEM_PAGE)
			teacher_show_heading(t, t->at);
		else if (it->kind == ITEM_TEXT)
			page_say(t, "", it->text);
		else if (it->kind == ITEM_SESSION && teacher_setup(t, it->text, &e))
			return teacher_fail_at(t, it->line, "@session", &e);
		else if (it->kind == ITEM_DO && !do_command(t, it, continues))
			break;
		if (t->vote) { /* what follows would show its outcome */
			t->at++;
			break;
		}
		if (item_is_exercise(it)) {
			teacher_wait_at(t, t->at);
			show_exercise(t);
			break;
		}
		continues = false;
	}
	return SESSION_OK;
}

/* Repeats, without output, all commands before the place where the last step ended. */
static enum session_status
restore_step(struct teacher *t, struct start to)
{
	enum session_status status;
	unsigned from = 0;

	for (unsigned i = 0; i < to.at; i++)
		from = item_at(t, i)->kind == ITEM_SESSION ? i : from;
	session_hurry(t->s, true);
	t->repeats = true;
	teacher_type_line(t, "note", true);
	teacher_type_line(t, "spotlight off", true);
	/* A new session leaves the screen as it is, so it has what the pages before arranged. */
	for (unsigned i = 0; i < from; i++)
		if (item_at(t, i)->kind == ITEM_DO &&
		    (session_is_screen_command(item_at(t, i)->text) ||
		     session_same_command(item_at(t, i)->text, "note")))
			teacher_type_line(t, item_at(t, i)->text, true);
	status = teacher_go_to_item(t, to.at);
	t->repeats = false;
	session_hurry(t->s, false);
	if (status != SESSION_OK)
		return status;
	t->at = to.at;
	if (to.open)
		teacher_wait_at(t, to.at);
	return SESSION_OK;
}

static enum session_status
solve_exercise(struct teacher *t)
{
	enum session_status status = teacher_resolve(t, false);

	if (status != SESSION_OK) /* a command of the solution failed, and has been reported */
		teacher_pass(t, MARK_SOLVED);
	return SESSION_OK;
}

static enum session_status
do_step(struct teacher *t)
{
	struct presenter *p = t->presenter;
	bool continues = p->broken_off;
	enum session_status status;

	p->broken_off = false;
	if (!continues) {
		if (is_moved(t) && (status = restore_step(t, p->end)) != SESSION_OK)
			return status;
		p->start = array_grow(p->start, p->n, sizeof(*p->start));
		p->start[p->n++] = (struct start){t->at, t->open};
	}
	status = t->open ? solve_exercise(t) : do_items(t, continues);
	if (status == SESSION_OK)
		note_end(t);
	return status;
}

enum session_status
present_next(struct teacher *t)
{
	enum session_status status;

	if (t->vote) {
		status = vote_end(t);
		if (t->presenter)
			note_end(t);
		return status;
	}
	if (t->at < t->lesson->n_items)
		return do_step(t);
	say(t->s, SAY_RESULT,
	    "this was the last step; 'present back' undoes it, 'present off' "
	    "ends the presentation");
	return SESSION_OK;
}

/* Whether the last step, which ended at `to`, moved the machine or arranged the screen. */
static bool
did_something(const struct teacher *t, struct start from, unsigned to)
{
	if (from.open)
		return true;
	for (unsigned i = from.at; i < to; i++)
		if (is_command(item_at(t, i)))
			return true;
	return t->presenter->broken_off;
}

static void
show_again(struct teacher *t)
{
	const struct presenter *p = t->presenter;

	if (session_has_screen(t->s))
		return;
	teacher_show_heading(t, page_at(t));
	for (unsigned i = p->n ? p->start[p->n - 1].at : 0; i < t->at; i++)
		if (item_at(t, i)->kind == ITEM_TEXT)
			page_say(t, "", item_at(t, i)->text);
	if (t->open)
		show_exercise(t);
}

static enum session_status
go_back(struct teacher *t)
{
	struct presenter *p = t->presenter;
	struct start to;

	vote_drop(t);
	if (p->n < 2) {
		say(t->s, SAY_RESULT, "this is the first step");
		return SESSION_OK;
	}
	to = p->start[p->n - 1];
	if (did_something(t, to, t->at) || is_moved(t)) {
		if (restore_step(t, to) != SESSION_OK)
			return SESSION_ERROR;
	} else {
		t->at = to.at;
		t->open = false;
	}
	p->broken_off = false;
	p->n--;
	teacher_forget_from(t, t->at);
	note_end(t);
	show_again(t);
	return SESSION_OK;
}

/* ---------------------------------------------------------------- the command */

/* Where the step ends that begins at `from`: do_items() without doing anything. */
static struct start
end_of_step(const struct teacher *t, struct start from)
{
	enum phase now = PHASE_HEADING;

	if (from.open)
		return (struct start){from.at + 1, false};
	for (unsigned at = from.at; at < t->lesson->n_items; at++) {
		const struct item *it = item_at(t, at);
		enum phase next = phase_of(it, now);

		if (next < now || next == PHASE_END || (it->kind == ITEM_PAGE && at > from.at))
			return (struct start){at, false};
		now = next;
		if (it->kind == ITEM_DO && session_same_command(it->text, "predict"))
			return (struct start){at + 1, false};
		if (item_is_exercise(it))
			return (struct start){at, true};
	}
	return (struct start){t->lesson->n_items, false};
}

/* The steps before the page count as carried out, so `present back` leads there. */
static enum session_status
skip_to_page(struct teacher *t, unsigned page)
{
	struct presenter *p = t->presenter;
	unsigned to = lesson_page(t->lesson, page - 1);
	struct start at = {0, false};

	for (; at.at < to; at = end_of_step(t, at)) {
		p->start = array_grow(p->start, p->n, sizeof(*p->start));
		p->start[p->n++] = at;
	}
	return p->n ? restore_step(t, at) : SESSION_OK;
}

enum session_status
teacher_present(struct teacher *t, const char *name, unsigned page)
{
	char path[PATH_MAX];
	struct err e = {0};
	struct lesson *l = NULL;

	if (presentation_find(name, path, sizeof(path), &e) == 0)
		l = lesson_read(path, (struct lesson_seed){0}, &e);
	if (l && (page < 1 || page > l->n_pages)) {
		err_set(&e, "present: %.60s has the pages 1 to %u, not %u", l->id, l->n_pages,
			page);
		lesson_free(l);
		l = NULL;
	}
	if (!l || teacher_take_lesson(t, l, &e))
		return say_err(t->s, &e);
	t->keeps_progress = false;
	t->presenter = memory_new(1, sizeof(*t->presenter));
	teacher_attach(t);
	if (teacher_setup(t, l->session, &e))
		return teacher_fail_at(t, l->session_line, "session", &e);
	if (!session_has_screen(t->s))
		say(t->s, SAY_RESULT,
		    "%s: Enter plays the next step, 'present back' undoes the last one", l->title);
	if (skip_to_page(t, page) != SESSION_OK)
		return SESSION_ERROR;
	note_end(t);
	return do_step(t);
}

enum session_status
teacher_present_all(struct teacher *t)
{
	enum session_status status = SESSION_OK;

	while (t->presenter && t->at < t->lesson->n_items && status == SESSION_OK) {
		status = present_next(t);
		if (session_was_interrupted(t->s))
			return SESSION_INTERRUPTED;
	}
	return status;
}

enum session_status
present_command(void *teacher, const char *args)
{
	struct teacher *t = teacher;
	char name[PATH_MAX], number[40];
	const char *at = args;
	uint64_t page = 1;
	bool is_step, has_page;

	if (!word_unquote(&at, name, sizeof(name)))
		return teacher_refuse(t, "present: expected the name or file of a presentation");
	has_page = word_unquote(&at, number, sizeof(number));
	if (has_page && number_count(number, &page))
		return teacher_refuse(t, "present: expected the number of a page, found '%.30s'",
				      number);
	if (*skip_blanks(at))
		return teacher_refuse(t, "present: expected nothing after '%.30s'", number);
	if (t->typing)
		return teacher_refuse(t, "present: a presentation cannot open another one");
	is_step = strcmp(name, "next") == 0 || strcmp(name, "back") == 0;
	if (is_step || strcmp(name, "off") == 0) {
		if (has_page)
			return teacher_refuse(t, "present: expected nothing after '%.30s'", name);
		if (!t->presenter && !(t->vote && is_step))
			return teacher_refuse(t, "present %s: no presentation is open", name);
		if (!t->presenter)
			return vote_end(t);
		if (is_step)
			return *name == 'n' ? present_next(t) : go_back(t);
		say(t->s, SAY_RESULT, "the presentation ends here");
		vote_drop(t);
		session_set_note(t->s, "");
		teacher_close(t);
		return SESSION_OK;
	}
	if (t->handin)
		return teacher_refuse(
			t,
			"present: the open lesson is recorded for hand-in; 'lesson off' ends it");
	if (teacher_check_name(t, name, true) != SESSION_OK)
		return SESSION_ERROR;
	return teacher_asks_to_lose(t, "present", args)
		       ? SESSION_OK
		       : teacher_present(t, name, (unsigned)MIN(page, UINT_MAX));
}
