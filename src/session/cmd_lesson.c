/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_lesson.c - what a session offers to a teacher, who belongs to a higher folder: the command
 * `lesson`, a restart with another machine, and expressions and commands without output.
 */
#include "session/command.h"
#include "session/offer.h"
#include "session/reference.h"
#include "session/session_file.h"
#include "session/session_part.h"

#include <stdlib.h>
#include <string.h>

void
session_set_teacher(struct session *s, const struct session_teacher *t)
{
	s->teacher = *t;
}

bool
session_has_lesson(const struct session *s)
{
	return s->teacher.hides_chatter;
}

void
session_lesson_text(struct session *s, unsigned width, lesson_line_fn *fn, void *to)
{
	if (session_has_lesson(s))
		s->teacher.text(s->teacher.ctx, width, fn, to);
}

unsigned
session_lesson_question(struct session *s)
{
	return session_has_lesson(s) ? s->teacher.question(s->teacher.ctx) : 0;
}

bool
session_lesson_has_hint(struct session *s)
{
	return session_has_lesson(s) && s->teacher.has_hint(s->teacher.ctx);
}

void
session_confine(struct session *s, const char *reason)
{
	s->confined = reason;
}

enum session_status
cmd_lesson(struct session *s, struct cmd_args *a)
{
	if (!s->teacher.command)
		return fail(s, "lesson: this session has no lessons");
	return s->teacher.command(s->teacher.ctx, a->word[0] ? a->word[0] : "");
}

enum session_status
cmd_quiz(struct session *s, struct cmd_args *a)
{
	if (!s->teacher.quiz)
		return fail(s, "quiz: this session has no teacher");
	return s->teacher.quiz(s->teacher.ctx, a->word[0] ? a->word[0] : "");
}

static void
offer_lesson_word(void *o, const char *word)
{
	offer(o, word);
}

void
complete_lesson(struct offer *o, const struct before *b)
{
	if (b->n)
		return;
	complete_usage(o, b);
	if (o->s->teacher.words)
		o->s->teacher.words(o->s->teacher.ctx, offer_lesson_word, o);
}

/* ---------------------------------------------------------------- another machine */

static void
forget_displays(struct session *s)
{
	for (unsigned i = 0; i < s->view.n_displays; i++) {
		free(s->view.display[i].text);
		expr_free(s->view.display[i].expr);
	}
	s->view.n_displays = 0;
	s->view.next_display = 1;
}

int
session_restart(struct session *s, struct config *c, struct trace *t, struct err *e)
{
	struct sim *fresh = sim_new(c, t, e);
	char *options = fresh ? session_options_text(c) : NULL;
	struct strbuf lost = {0};
	int rc;

	if (!fresh)
		return -1;
	if (!options) {
		sim_free(fresh);
		return err_nomem(e);
	}
	debug_stop_delete(s->debug, 0);
	session_forget_deletions(s);
	lesson_stops_forget(s);
	forget_displays(s);
	reference_free(s);
	script_drop_pending(s);
	s->config = c;
	s->trace = t;
	s->run = 1;
	s->view.core = s->view.warp = s->view.mem = 0;
	s->view.from = s->view.to = 0;
	s->last_stop[0] = '\0';
	rc = session_adopt(s, fresh, options, &lost, e);
	sb_free(&lost);
	free(options);
	return rc;
}

/* ---------------------------------------------------------------- without output */

int
session_evaluate(struct session *s, const char *text, struct value *v, struct err *e)
{
	struct expr *x = expr_parse(text, debug_names(s->debug), e);
	int rc = x ? expr_eval(x, v) : -1;

	if (x && rc)
		err_nomem(e);
	expr_free(x);
	return rc;
}

void
session_mute(struct session *s)
{
	s->log.mutes++;
}

void
session_unmute(struct session *s)
{
	s->log.mutes--;
}

bool
session_has_screen(const struct session *s)
{
	return s->ui.draws;
}

bool
session_is_screen_command(const char *line)
{
	const struct cmd_row *r;
	char word[64];

	span_copy(word_next(&line), word, sizeof(word));
	r = cmd_find(word, NULL);
	return r && r->fn == cmd_screen;
}

bool
session_is_command(const struct session *s, const char *line)
{
	struct err e = {0};
	char word[64];

	span_copy(word_until(&line, "/("), word, sizeof(word));
	return cmd_find(word, &e) || user_find(s, word, false) || e.kind != ERR_NAME;
}

/* Writes the full name of the command that a line begins with, and for `info` that of the topic;
 * *rest is the text after them. */
static void
expand_name(const char *line, char *name, size_t size, const char **rest)
{
	char word[64];
	const struct cmd_row *r;
	const struct info_row *topic;
	const char *at = line;

	span_copy(word_until(&at, "/("), word, sizeof(word));
	r = cmd_find(word, NULL);
	snprintf(name, size, "%s", r ? r->name : word);
	*rest = at;
	if (!r || strcmp(r->name, "info") != 0)
		return;
	span_copy(word_next(&at), word, sizeof(word));
	topic = *word ? info_find(word, NULL) : NULL;
	if (!topic)
		return;
	snprintf(name, size, "info %s", topic->name);
	*rest = at;
}

bool
session_changed_after_end(const struct session *s)
{
	const struct branch *b = NULL;

	if (s->sim && sim_done(s->sim))
		b = timeline_branch(s->timeline, timeline_here(s->timeline).branch);
	return b && b->n_choices && b->choice[b->n_choices - 1].cycle >= sim_cycle(s->sim);
}

bool
session_same_command(const char *line, const char *wanted)
{
	char a[80], b[80];
	struct span word;

	expand_name(line, a, sizeof(a), &line);
	expand_name(wanted, b, sizeof(b), &wanted);
	if (strcmp(a, b) != 0)
		return false;
	while ((word = word_next(&wanted)).n) {
		struct span typed = word_next(&line);

		if (typed.n != word.n || strncmp(typed.p, word.p, word.n) != 0)
			return false;
	}
	return true;
}
