/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * command.c - creates and frees the teacher of a session, and implements the command `lesson` and
 * the hooks.
 */
#include "teach/teach_part.h"

#include "base/number.h"
#include "base/words.h"
#include "ctascope/sim.h"
#include "ctascope/trace.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MAX_USED 64 /* bits of teacher.used */

/* ---------------------------------------------------------------- life */

struct teacher *
teacher_new(struct session *s)
{
	struct teacher *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->s = s;
	teacher_attach(t);
	return t;
}

static void
free_notes(struct teacher *t)
{
	for (unsigned i = 0; t->lesson && t->note && i < t->lesson->n_items; i++)
		sb_free(&t->note[i]);
	free(t->note);
}

void
teacher_close(struct teacher *t)
{
	free_notes(t);
	lesson_free(t->lesson);
	free(t->mark);
	free(t->tries);
	free(t->opening);
	presenter_free(t->presenter);
	t->presenter = NULL;
	t->note = NULL;
	t->lesson = NULL;
	t->mark = NULL;
	t->tries = NULL;
	t->opening = NULL;
	t->opened_to = 0;
	t->open = false;
	teacher_attach(t);
}

void
teacher_free(struct teacher *t)
{
	if (!t)
		return;
	free_notes(t);
	lesson_free(t->lesson);
	free(t->mark);
	free(t->tries);
	free(t->opening);
	trace_close(t->trace);
	config_free(t->config);
	quiz_prompt_free(t->quiz);
	handin_free(t->handin);
	presenter_free(t->presenter);
	free(t->vote);
	free(t);
}

enum session_status
teacher_refuse(struct teacher *t, const char *fmt, ...)
{
	struct err e = {0};
	va_list ap;

	va_start(ap, fmt);
	err_vset(&e, fmt, ap);
	va_end(ap);
	return say_err(t->s, &e);
}

int
teacher_take_lesson(struct teacher *t, struct lesson *l, struct err *e)
{
	enum mark *mark = calloc(l->n_items, sizeof(*mark));
	unsigned *tries = calloc(l->n_items, sizeof(*tries));
	struct strbuf *note = calloc(l->n_items, sizeof(*note));
	struct opening *opening = calloc(l->n_items, sizeof(*opening));

	if (!mark || !tries || !note || !opening) {
		free(note);
		free(mark);
		free(tries);
		free(opening);
		lesson_free(l);
		return err_nomem(e);
	}
	vote_drop(t); /* its command belongs to the session before */
	teacher_close(t);
	t->lesson = l;
	t->mark = mark;
	t->tries = tries;
	t->opening = opening;
	t->note = note;
	t->at = 0;
	teacher_attach(t);
	return 0;
}

/* The marks of the last sitting; false: it passed nothing or all, and the lesson begins at its
 * first page. */
static bool
take_marks(struct teacher *t, const struct progress *p)
{
	const struct lesson *l = t->lesson;
	unsigned k = 0;

	if (!p->marks || !p->behind || p->seed.value != l->seed.value ||
	    strlen(p->marks) != l->n_tasks + l->n_asks ||
	    strspn(p->marks, mark_letters) != strlen(p->marks) ||
	    !strchr(p->marks, mark_letters[MARK_OPEN]))
		return false;
	for (unsigned i = 0; i < l->n_items; i++)
		if (item_is_exercise(&l->item[i]))
			t->mark[i] =
				(enum mark)(strchr(mark_letters, p->marks[k++]) - mark_letters);
	return true;
}

static void
say_lesson(struct teacher *t, bool continues)
{
	const struct lesson *l = t->lesson;

	if (session_has_screen(t->s))
		return;
	page_tell(t, "lesson %s: %s%s%s%s", l->id, l->title, l->time ? " (" : "",
		  l->time ? l->time : "", l->time ? ")" : "");
	page_tell(t, "'hint' helps, 'lesson skip' leaves a task out, 'lesson off' ends the lesson");
	if (continues)
		page_tell(t, "you continue where you stopped; 'lesson reset' restarts the page");
}

static enum session_status
open_lesson(struct teacher *t, const char *name, const struct lesson_seed *seed, bool with_progress,
	    struct progress *p)
{
	char path[PATH_MAX];
	struct err e = {0};
	struct lesson *l = NULL;
	bool continues;

	if (lesson_find(name, path, sizeof(path), &e) == 0)
		l = lesson_read(path, seed ? *seed : (struct lesson_seed){0}, &e);
	if (l && with_progress && progress_of(l->id, p) && !seed && p->seed.value) {
		lesson_free(l); /* the numbers of the last sitting */
		l = lesson_read(path, p->seed, &e);
	}
	if (!l || teacher_take_lesson(t, l, &e))
		return say_err(t->s, &e);
	t->keeps_progress = with_progress;
	t->was_complete = p->items && p->behind >= p->items && p->items == l->n_tasks + l->n_asks;
	continues = take_marks(t, p);
	say_lesson(t, continues);
	return continues ? teacher_continue(t) : teacher_go_to_page(t, 0);
}

enum session_status
teacher_check_name(struct teacher *t, const char *name, bool presents)
{
	char path[PATH_MAX];
	struct err e = {0};
	struct lesson *l;

	if (!name)
		return SESSION_OK;
	if ((presents ? presentation_find : lesson_find)(name, path, sizeof(path), &e) ||
	    !(l = lesson_read(path, (struct lesson_seed){0}, &e)))
		return say_err(t->s, &e);
	lesson_free(l);
	return SESSION_OK;
}

enum session_status
teacher_open(struct teacher *t, const char *name, const struct lesson_seed *seed,
	     bool with_progress)
{
	struct progress p = {0};
	enum session_status status;
	char next[64];

	if (!name && !lesson_next(NULL, next, sizeof(next))) {
		page_tell(t, "all lessons are complete; 'lesson list' names them");
		return SESSION_OK;
	}
	status = open_lesson(t, name ? name : next, seed, with_progress, &p);
	progress_forget(&p);
	return status;
}

/* ---------------------------------------------------------------- the command */

/* A run that has ended since the task opened can only begin again. */
static bool
has_run_past(const struct teacher *t, const struct item *it)
{
	const struct sim *s = session_sim(t->s);

	return it->kind == ITEM_TASK && s && sim_done(s) && sim_cycle(s) != t->opened_at;
}

static bool
has_hint(void *ctx)
{
	struct teacher *t = ctx;
	const struct item *it = teacher_item(t);

	return it && item_field(it, FIELD_HINT, t->hints);
}

static enum session_status
say_hint(struct teacher *t)
{
	const struct item *it = teacher_item(t);
	const struct field *f = item_field(it, FIELD_HINT, t->hints);

	if (has_run_past(t, it))
		page_tell(t, "the program has ended; 'start' returns to its beginning, 'lesson "
			     "reset' to "
			     "that of the page");

	if (f) {
		t->hints++;
		page_note(t, "hint: ", f->text);
	} else {
		page_tell(t, "no %shint; 'lesson solve' shows the solution",
			  t->hints ? "further " : "");
	}
	return SESSION_OK;
}

static enum session_status
say_help(struct teacher *t)
{
	static const char *const row[][2] = {
		{"hint", "a hint for the open task"},
		{"lesson", "the page again"},
		{"lesson solve", "type the solution and show its effect"},
		{"lesson skip", "leave the task out"},
		{"lesson back", "to the previous page; your answers are kept"},
		{"lesson next", "to the next page that is done, or to the open task"},
		{"lesson reset", "restart the page, without its answers and the later ones"},
		{"lesson off", "ends the lesson"},
		{"help", "all other commands"},
	};

	for (unsigned i = has_hint(t) ? 0 : 1; i < ARRAY_LEN(row); i++)
		say(t->s, SAY_RESULT, "%-14s %s", row[i][0], row[i][1]);
	return SESSION_OK;
}

static enum session_status
close_by_user(struct teacher *t)
{
	page_tell(t, "lesson %s ends here; 'lesson %s' opens it again", t->lesson->id,
		  t->lesson->id);
	teacher_close(t);
	return SESSION_OK;
}

/* A complete lesson is behind its last page. */
static enum session_status
go_back(struct teacher *t)
{
	unsigned page = teacher_page(t);
	bool is_behind = t->at >= t->lesson->n_items;

	if (!page && !is_behind) {
		page_tell(t, "this is the first page");
		return SESSION_OK;
	}
	return teacher_reread_page(t, is_behind ? page : page - 1);
}

/* After its last page: opens the lesson that was named as the next one. */
static enum session_status
open_next(struct teacher *t)
{
	char next[64];

	if (!t->handin && lesson_next(t->lesson->id, next, sizeof(next)))
		return teacher_open(t, next, NULL, true);
	page_tell(t, t->handin ? "the lesson is complete; 'lesson off' ends it"
			       : "the lesson is complete, and so are all others; 'lesson list' "
				 "names them");
	return SESSION_OK;
}

static enum session_status
go_on(struct teacher *t)
{
	if (t->rereads)
		return teacher_reread_page(t, teacher_page(t) + 1);
	if (!t->open)
		return open_next(t);
	page_tell(t, "the next page opens after the tasks of this one; 'lesson skip' leaves one "
		     "out");
	return SESSION_OK;
}

/* Only what would be lost is asked about. */
static enum session_status
reset_page(struct teacher *t)
{
	unsigned page = teacher_page(t), marks = teacher_count_marks_from(t, page);

	if (marks && session_ask(t->s, "lesson reset",
				 "%u passed task%s from page %u on will open%s again; restart the "
				 "page? (y or n) ",
				 marks, PLURAL(marks), page + 1, marks == 1 ? "s" : ""))
		return SESSION_OK;
	return teacher_go_to_page(t, page);
}

/* The machine of a lesson is not the student's: nothing of it is lost. */
bool
teacher_asks_to_lose(struct teacher *t, const char *command, const char *args)
{
	char line[PATH_MAX];

	snprintf(line, sizeof(line), "%s %s", command, args);
	return !t->lesson && session_asks_to_lose(t->s, line, "open the lesson anyway");
}

static enum session_status
do_word(struct teacher *t, const char *word)
{
	if (strcmp(word, "off") == 0)
		return close_by_user(t);
	if (strcmp(word, "back") == 0)
		return go_back(t);
	if (strcmp(word, "next") == 0)
		return go_on(t);
	if (strcmp(word, "reset") == 0)
		return reset_page(t);
	if (!teacher_item(t))
		return teacher_refuse(
			t, "lesson %s: %s", word,
			t->rereads ? "no task is open on this page; 'lesson next' continues"
				   : "the lesson is complete; 'lesson list' names "
				     "others");
	if (strcmp(word, "hint") == 0)
		return say_hint(t);
	return teacher_solve(t, strcmp(word, "skip") == 0);
}

static enum session_status
run_lesson_command(void *ctx, const char *args)
{
	static const char *const words[] = {"hint",  "skip",  "back", "next",
					    "reset", "solve", "off"};
	struct teacher *t = ctx;
	const char *at = args;
	char name[PATH_MAX] = "", word[64];
	struct lesson_seed number = {0}, *seed = NULL;

	if (!word_unquote(&at, name, sizeof(name)))
		return t->lesson			       ? teacher_show(t)
		       : teacher_asks_to_lose(t, "lesson", "") ? SESSION_OK
							       : teacher_open(t, NULL, NULL, true);
	if (word_unquote(&at, word, sizeof(word))) {
		if (strcmp(word, "--seed") != 0 || !word_unquote(&at, word, sizeof(word)) ||
		    number_count(word, &number.value))
			return teacher_refuse(t,
					      "lesson: expected nothing or --seed N after '%.60s'",
					      name);
		seed = &number;
	}
	if (*skip_blanks(at))
		return teacher_refuse(t, "lesson: expected nothing after '%.60s'", word);
	if (t->presenter && strcmp(name, "list") != 0)
		return teacher_refuse(t, "lesson: a presentation is open; 'present off' ends it");
	if (t->typing)
		return teacher_refuse(t, "lesson: a lesson cannot open another one");
	if (strcmp(name, "list") == 0)
		return teacher_list(t);
	for (unsigned i = 0; i < ARRAY_LEN(words); i++) {
		if (strcmp(name, words[i]) != 0)
			continue;
		if (t->lesson)
			return do_word(t, name);
		return teacher_refuse(t,
				      "lesson %s: no lesson is open; 'lesson' opens the next one",
				      name);
	}
	if (t->handin)
		return teacher_refuse(
			t, "lesson: the open lesson is recorded for hand-in; 'lesson off' ends it");
	if (teacher_check_name(t, name, false) != SESSION_OK)
		return SESSION_ERROR;
	return teacher_asks_to_lose(t, "lesson", args) ? SESSION_OK
						       : teacher_open(t, name, seed, true);
}

/* ---------------------------------------------------------------- hooks */

/* H is the key of the screen, and no command, so it may also be typed; a choice of that name is
 * an answer. */
static bool
asks_for_hint(struct teacher *t, struct span word)
{
	const struct item *it = teacher_item(t);

	if (!it || !(span_is(word, "hint") || span_is(word, "H")))
		return false;
	return it->kind != ITEM_ASK || choice_typed(it, *word.p == 'H' ? "H" : "hint") < 0;
}

static bool
is_paging_key(struct span word)
{
	return span_is(word, "[") || span_is(word, "]");
}

static bool
take_answer(void *ctx, const char *line, enum session_status *status)
{
	struct teacher *t = ctx;

	if (t->typing)
		return false;
	if (quiz_prompt_takes(t, line, status))
		return true;
	if ((t->vote || t->presenter) && !*skip_blanks(line) && session_is_interactive(t->s)) {
		*status = present_next(t);
		return true;
	}
	if (!t->lesson || t->presenter)
		return false;
	if (asks_for_hint(t, span_trim(span_of(line)))) {
		*status = say_hint(t);
		return true;
	}
	if (is_paging_key(span_trim(span_of(line)))) {
		page_tell(t,
			  "[ and ] turn pages on the screen; here 'lesson' prints the page again, "
			  "'lesson back' the previous one");
		*status = SESSION_OK;
		return true;
	}
	if (span_is(span_trim(span_of(line)), "?")) {
		*status = say_help(t);
		return true;
	}
	return ask_takes(t, line, status);
}

static int
check_allowed(void *ctx, struct err *e)
{
	struct teacher *t = ctx;
	const struct item *it = teacher_item(t);

	if (t->typing)
		return 0;
	if (t->vote || (t->presenter && it && it->kind == ITEM_ASK && it->predict))
		return err_set(e, "the outcome is hidden until %s",
			       session_has_screen(t->s) ? "Space is pressed"
							: "an empty line, or 'present next'");
	if (!it || it->kind != ITEM_ASK || !it->predict)
		return 0;
	return err_set(e, "the model waits for your answer: type %s, or 'lesson skip'",
		       it->n_choices ? "a choice" : "a number");
}

static void
after_command(void *ctx, const char *line, enum session_status status)
{
	struct teacher *t = ctx;
	const struct item *it = teacher_item(t);
	const struct field *f;
	uint64_t all = 0;

	if (t->typing || !it || it->kind != ITEM_TASK || t->passed || t->presenter)
		return;
	for (unsigned i = 0; i < MAX_USED && (f = item_field(it, FIELD_USED, i)); i++) {
		all |= UINT64_C(1) << i;
		if (status == SESSION_OK && session_same_command(line, f->text))
			t->used |= UINT64_C(1) << i;
	}
	t->passed = t->used == all && !teacher_failing_check(t, it);
}

static void
pass_done_task(struct teacher *t)
{
	if (t->typing || !t->open || !t->passed)
		return;
	page_tell(t, "task done");
	teacher_pass(t, MARK_DONE);
	teacher_advance(t);
}

static void
after_line(void *ctx)
{
	pass_done_task(ctx);
	handin_after_line(ctx);
}

struct words {
	void (*fn)(void *to, const char *word);
	void *to;
};

static int
add_word(void *ctx, const char *id, const char *path ATTR_UNUSED)
{
	const struct words *w = ctx;

	w->fn(w->to, id);
	return 0;
}

static void
each_word(void *ctx ATTR_UNUSED, void (*fn)(void *to, const char *word), void *to)
{
	teach_each(add_word, &(struct words){fn, to});
}

static enum session_steps
steps_now(const struct teacher *t)
{
	if (t->presenter)
		return t->vote ? STEPS_PRESENT_VOTE : STEPS_PRESENT;
	return t->vote ? STEPS_VOTE : STEPS_NONE;
}

void
teacher_attach(struct teacher *t)
{
	session_set_teacher(t->s,
			    &(struct session_teacher){.ctx = t,
						      .command = run_lesson_command,
						      .typed = t->handin ? handin_typed : NULL,
						      .changed = t->handin ? handin_changed : NULL,
						      .quiz = quiz_prompt_command,
						      .present = present_command,
						      .predict = vote_command,
						      .takes = take_answer,
						      .allows = check_allowed,
						      .after_command = after_command,
						      .after_line = after_line,
						      .words = each_word,
						      .text = teacher_text,
						      .question = teacher_question,
						      .has_hint = has_hint,
						      .hides_chatter = t->lesson != NULL,
						      .steps = steps_now(t)});
}

/* ---------------------------------------------------------------- the report */

bool
teacher_report(struct teacher *t)
{
	char tries[32];
	unsigned n = 0;
	bool all = true;

	for (unsigned i = 0; t->lesson && i < t->lesson->n_items; i++) {
		const struct item *it = &t->lesson->item[i];

		if (!item_is_exercise(it))
			continue;
		all &= t->mark[i] == MARK_DONE;
		snprintf(tries, sizeof(tries), t->tries[i] > 1 ? " (%u answers)" : "", t->tries[i]);
		page_tell(t, "%-7s  %u %s: %s%s", mark_names[t->mark[i]], ++n,
			  it->kind == ITEM_TASK ? "task" : "question", it->text, tries);
	}
	return all && !handin_is_unwritten(t);
}
