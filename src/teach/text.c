/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text.c - the lesson as the screen shows it: all pages down to the open task, with a mark per
 * task.
 *
 *     [x] passed   [!] answered wrong   [=] solved by ctascope   [-] skipped   [>] open
 *
 * Live values are those of the present machine, also on the pages before. Below a task stand its
 * hints and comments, which kept the values that they had.
 */
#include "teach/teach_part.h"

#include "base/words.h"

#include <stdio.h>

struct writer {
	lesson_line_fn *fn;
	void *to;
	enum lesson_line kind;
	unsigned width;
};

static void
write_line(void *ctx, const char *line)
{
	const struct writer *w = ctx;

	w->fn(w->to, w->kind, line);
}

static void
write_wrapped(struct writer *w, enum lesson_line kind, const char *head, const char *text)
{
	w->kind = kind;
	page_wrap(head, text, w->width, write_line, w);
}

static void
write_notes(struct writer *w, const struct strbuf *note)
{
	struct span rest = span_of(note->n && !note->failed ? note->p : ""), line;
	struct strbuf text = {0};

	while (span_part(&rest, '\n', &line)) {
		if (!line.n)
			continue;
		sb_clear(&text);
		sb_add(&text, line.p, line.n);
		if (!text.failed)
			write_wrapped(w, LESSON_NOTE, "    ", text.p);
	}
	sb_free(&text);
}

/* Writes the choices in one line if they fit, else each in its own. */
static void
write_choices(struct writer *w, const struct item *it)
{
	struct strbuf line = {0};
	char head[16];

	for (unsigned i = 0; i < it->n_choices; i++)
		sb_printf(&line, "%s%u %s", i ? "   " : "    ", i + 1, it->choice[i]);
	w->kind = LESSON_TEXT;
	if (it->n_choices && !line.failed && page_columns(line.p) <= w->width) {
		write_line(w, line.p);
		sb_free(&line);
		return;
	}
	sb_free(&line);
	for (unsigned i = 0; i < it->n_choices; i++) {
		snprintf(head, sizeof(head), "    %u ", i + 1);
		write_wrapped(w, LESSON_TEXT, head, it->choice[i]);
	}
}

static void
write_item(const struct teacher *t, struct writer *w, unsigned i)
{
	static const struct {
		const char *head;
		enum lesson_line kind;
	} row[MARKS] = {[MARK_OPEN] = {"[>] ", LESSON_OPEN},
			[MARK_DONE] = {"[x] ", LESSON_DONE},
			[MARK_WRONG] = {"[!] ", LESSON_WRONG},
			[MARK_SOLVED] = {"[=] ", LESSON_DONE},
			[MARK_SKIPPED] = {"[-] ", LESSON_DONE}};
	const struct item *it = &t->lesson->item[i];
	bool waits = t->open && i == t->at;

	write_wrapped(w, LESSON_TEXT, "", "");
	write_wrapped(w, row[t->mark[i]].kind, row[t->mark[i]].head, it->text);
	if (waits)
		write_choices(w, it);
	if (waits && it->kind == ITEM_TASK && !t->presenter && teacher_number_of(t->lesson, i) == 1)
		write_wrapped(w, LESSON_HOWTO, "    ",
			      item_field(it, FIELD_HINT, 0)
				      ? "Press : and type a command, then Enter. H gives a hint."
				      : "Press : and type a command, then Enter.");
	write_notes(w, &t->note[i]);
	if (t->presenter)
		return;
	if (waits && it->kind == ITEM_ASK && it->predict)
		write_wrapped(w, LESSON_TEXT, "    ",
			      "Type your prediction; the model waits for it.");
	else if (waits && it->kind == ITEM_ASK)
		write_wrapped(w, LESSON_TEXT, "    ",
			      it->n_choices ? "Type a choice." : "Type the number.");
}

void
teacher_page_text(struct teacher *t, const char *text, unsigned width, lesson_line_fn *fn, void *to)
{
	struct writer w = {fn, to, LESSON_TEXT, width};

	page_lines(t->s, text, width, write_line, &w);
}

void
teacher_item_text(const struct teacher *t, unsigned i, unsigned width, lesson_line_fn *fn, void *to)
{
	write_item(t, &(struct writer){fn, to, LESSON_TEXT, width}, i);
}

static void
write_title(const struct teacher *t, struct writer *w)
{
	const struct lesson *l = t->lesson;
	unsigned behind = 0;
	char text[120];

	for (unsigned i = 0; i < l->n_items; i++)
		behind += t->mark[i] != MARK_OPEN;
	snprintf(text, sizeof(text), "lesson %.40s: %u of %u", l->id, behind,
		 l->n_tasks + l->n_asks);
	w->fn(w->to, LESSON_TITLE, text);
}

void
teacher_text(void *teacher, unsigned width, lesson_line_fn *fn, void *to)
{
	struct teacher *t = teacher;
	const struct lesson *l = t->lesson;
	struct writer w = {fn, to, LESSON_TEXT, width};

	if (t->presenter) {
		present_text(t, width, fn, to);
		return;
	}
	if (!l)
		return;
	write_title(t, &w);
	for (unsigned i = 0; i < l->n_items && i <= t->at; i++) {
		const struct item *it = &l->item[i];

		if (i == t->at && !t->open && !t->rereads)
			break;
		if (it->kind == ITEM_PAGE && i)
			write_wrapped(&w, LESSON_TEXT, "", "");
		if (it->kind == ITEM_PAGE)
			write_wrapped(&w, LESSON_HEADING, "", it->text);
		w.kind = LESSON_TEXT;
		if (it->kind == ITEM_TEXT)
			page_lines(t->s, it->text, width, write_line, &w);
		if (item_is_exercise(it))
			write_item(t, &w, i);
	}
	if (t->rereads) {
		write_wrapped(&w, LESSON_TEXT, "", "");
		write_wrapped(
			&w, LESSON_REREAD, "",
			"This page is done. `lesson next` continues, `lesson reset` restarts it.");
	}
	if (t->at >= l->n_items) {
		write_wrapped(&w, LESSON_TEXT, "", "");
		write_wrapped(
			&w, LESSON_NOTE, "",
			"The lesson is complete. `lesson next` opens the next one, `lesson list` "
			"names all.");
	}
}

unsigned
teacher_question(void *teacher)
{
	struct teacher *t = teacher;
	const struct item *it = teacher_item(t);

	return it && it->kind == ITEM_ASK && !t->presenter ? teacher_number_of(t->lesson, t->at)
							   : 0;
}
