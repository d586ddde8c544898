/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * handin.c - records a lesson for a hand-in, and replays one.
 *
 * The recorder sees every line before it is executed, and the teacher after it. What has changed
 * between is what the line did: an answer more, a hint more, a task or question passed. Recording
 * and grading therefore count in the same way, and both refuse the same commands.
 *
 * The first mark of a task or question stays, unless it was skipped: a page that is begun again
 * gives no second chance after ctascope has shown the answer.
 */
#include "teach/handin_part.h"

#include "base/memory.h"
#include "base/output.h"
#include "base/sha256.h"
#include "base/textfile.h"
#include "base/words.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define REASON "a lesson that is handed in"

struct handin {
	struct teacher *t;
	struct handin_text text;
	char path[PATH_MAX]; /* "": nothing is written */
	bool replaying;	     /* the lines are there already */
	bool unwritten;	     /* the last attempt to write it failed */
	bool over;	     /* the lesson was left: nothing more counts */
	/* before the present line */
	unsigned at, hints, tries;
	bool open;
	cycle_t cycle;
	char last_stop[512];
	/* the machine when the present line passed an item, before the lesson went on */
	unsigned passed;
	bool has_passed;
	cycle_t passed_cycle;
	uint64_t passed_digest;
	unsigned tries_of[LESSON_ITEMS], hints_of[LESSON_ITEMS]; /* by item, never taken back */
};

uint64_t
handin_seed(const char *student, const char *key)
{
	uint8_t mac[SHA256_BYTES];
	uint64_t seed = 0;

	hmac_sha256(key, strlen(key), student, strlen(student), mac);
	for (unsigned i = 0; i < 4; i++) /* 32 bits, so that a person can type it */
		seed = seed << 8 | mac[i];
	return seed ? seed : 1;
}

const struct handin_text *
handin_text_of(const struct handin *h)
{
	return &h->text;
}

void
handin_free(struct handin *h)
{
	if (h)
		handin_text_free(&h->text);
	free(h);
}

/* ---------------------------------------------------------------- what a line did */

static cycle_t
machine_cycle(const struct handin *h)
{
	struct sim *s = session_sim(h->t->s);

	return s ? sim_cycle(s) : 0;
}

static void
remember_place(struct handin *h)
{
	const struct teacher *t = h->t;

	h->at = t->at;
	h->open = teacher_item(h->t) != NULL;
	h->hints = t->hints;
	h->tries = h->open ? t->tries[t->at] : 0;
	h->cycle = machine_cycle(h);
	h->has_passed = false;
	snprintf(h->last_stop, sizeof(h->last_stop), "%s", session_last_stop(t->s));
}

void
handin_note_pass(struct teacher *t)
{
	struct handin *h = t->handin;
	struct sim *s = session_sim(t->s);

	if (!h || h->over)
		return;
	h->has_passed = true;
	h->passed = t->at;
	h->passed_cycle = machine_cycle(h);
	h->passed_digest = s ? sim_digest(s) : 0;
}

/* Notes the task or question that this line has passed; true: there is one. */
static bool
note_mark(struct handin *h)
{
	const struct lesson *l = h->t->lesson;
	struct handin_result *r;
	unsigned number = 0;

	if (!h->has_passed)
		return false;
	for (unsigned i = 0; i < h->passed; i++)
		number += item_is_exercise(&l->item[i]);
	r = &h->text.result[number];
	if (r->known && (r->mark != MARK_SKIPPED || h->t->mark[h->passed] == MARK_SKIPPED))
		return false;
	*r = (struct handin_result){.known = true,
				    .question = l->item[h->passed].kind == ITEM_ASK,
				    .mark = h->t->mark[h->passed],
				    .cycle = h->passed_cycle,
				    .digest = h->passed_digest,
				    .tries = h->tries_of[h->passed],
				    .hints = h->hints_of[h->passed],
				    .after = h->text.n_lines};
	h->text.n_results = MAX(h->text.n_results, number + 1);
	return true;
}

/* A run that Ctrl-C ended cannot be repeated; going to its cycle can. */
static void
note_interrupt(struct handin *h)
{
	char line[40];

	if (h->replaying || !strstr(session_last_stop(h->t->s), "interrupted, cycle ") ||
	    (strcmp(h->last_stop, session_last_stop(h->t->s)) == 0 && h->cycle == machine_cycle(h)))
		return;
	snprintf(line, sizeof(line), "goto %" PRIu64, machine_cycle(h));
	handin_add_line(&h->text, line, CYCLE_NEVER);
}

static int
write_text(void *ctx, FILE *to, struct err *e)
{
	const struct strbuf *text = ctx;

	return fwrite(text->p, 1, text->n, to) == text->n ? 0 : err_set(e, "it was not written");
}

static int
write_file(const struct handin *h, struct err *e)
{
	struct strbuf text = {0};
	int rc;

	if (!*h->path)
		return 0;
	handin_write(&h->text, &text);
	rc = text.failed ? err_nomem(e) : output_replace(h->path, 0, write_text, &text, e);
	sb_free(&text);
	return rc;
}

bool
handin_is_unwritten(const struct teacher *t)
{
	return t->handin && t->handin->unwritten;
}

void
handin_typed(void *teacher, const char *line)
{
	struct teacher *t = teacher;
	struct handin *h = t->handin;

	if (t->typing || h->over || h->replaying)
		return;
	handin_add_line(&h->text, line, CYCLE_NEVER);
}

/* Also during a run of the lesson itself, after an answer. */
void
handin_changed(void *teacher, const char *line, cycle_t cycle)
{
	struct handin *h = ((struct teacher *)teacher)->handin;

	if (!h->over && !h->replaying)
		handin_add_line(&h->text, line, cycle);
}

void
handin_after_line(struct teacher *t)
{
	struct handin *h = t->handin;
	struct err e = {0};

	if (!h || h->over || t->typing)
		return;
	if (!t->lesson) {
		h->over = true;
		return;
	}
	note_interrupt(h);
	if (h->open && t->tries[h->at] > h->tries)
		h->tries_of[h->at]++;
	if (h->open && t->at == h->at && t->open && t->hints > h->hints)
		h->hints_of[h->at]++;
	if (note_mark(h) && !h->replaying) {
		h->unwritten = write_file(h, &e) != 0;
		if (h->unwritten)
			say(t->s, SAY_ERROR, "the hand-in was not written: %s", e.msg);
	}
	remember_place(h);
}

/* ---------------------------------------------------------------- beginning */

static int
refuse_plugin(int (*load)(const char *path, struct err *e) ATTR_UNUSED, const char *path,
	      struct err *e)
{
	return err_set(e, "policy '%.200s': not allowed in " REASON, path);
}

static void
fill_header(struct handin *h, const char *student)
{
	const struct teacher *t = h->t;
	struct handin_text *x = &h->text;

	snprintf(x->student, sizeof(x->student), "%s", student);
	snprintf(x->lesson, sizeof(x->lesson), "%s", t->lesson->id);
	snprintf(x->version, sizeof(x->version), "%s", PACKAGE_VERSION);
	x->seed = t->lesson->seed.value;
	x->build = digest_of_build();
	x->text = digest_of_file(t->lesson->path);
	x->machine = digest_of_config(session_config(t->s));
	x->trace = sim_trace(session_sim(t->s))->digest;
	x->by_person = session_is_interactive(t->s);
}

static bool
needs_shell(const struct item *it)
{
	static const enum field_key keys[] = {FIELD_SOLVE, FIELD_REVEAL};

	if (it->kind == ITEM_DO && session_same_command(it->text, "shell"))
		return true;
	for (unsigned k = 0; k < ARRAY_LEN(keys); k++)
		for (unsigned i = 0; item_field(it, keys[k], i); i++)
			if (session_same_command(item_field(it, keys[k], i)->text, "shell"))
				return true;
	return false;
}

/* A lesson that runs programs cannot be replayed where none may run. */
static bool
refuse_lesson(struct teacher *t, const char *name, struct lesson_seed seed)
{
	char path[PATH_MAX];
	struct lesson *l = NULL;
	bool refused = false;

	if (lesson_find(name, path, sizeof(path), NULL) == 0)
		l = lesson_read(path, seed, NULL);
	for (unsigned i = 0; l && i < l->n_items; i++)
		refused |= needs_shell(&l->item[i]);
	if (refused)
		teacher_refuse(t,
			       "lesson %s cannot be handed in: it runs programs (shell), which "
			       "grading does not. Do it without --hand-in and hand in your files",
			       l->id);
	lesson_free(l);
	return refused;
}

struct handin *
handin_begin(struct teacher *t, const char *lesson, struct lesson_seed seed, const char *student,
	     const char *path)
{
	struct handin *h;

	session_confine(t->s, REASON);
	t->plugin_try = refuse_plugin;
	config_set_try(session_config(t->s), refuse_plugin);
	if (refuse_lesson(t, lesson, seed) || teacher_open(t, lesson, &seed, false) != SESSION_OK ||
	    !t->lesson)
		return NULL;
	if (!handin_name_is_good(t->lesson->id) || !session_sim(t->s)) {
		teacher_refuse(t, "lesson %s cannot be handed in", t->lesson->id);
		return NULL;
	}
	h = memory_new(1, sizeof(*h));
	h->t = t;
	if (path)
		snprintf(h->path, sizeof(h->path), "%s", path);
	fill_header(h, student);
	remember_place(h);
	t->handin = h;
	teacher_attach(t);
	return h;
}

/* The lines that were typed during the run of the line before them, up to the next one. */
static unsigned
take_changes(struct handin *h, const struct handin_line *line, unsigned n,
	     struct session_typed_change **change)
{
	unsigned k = 0;

	for (; k < n && line[k].at != CYCLE_NEVER; k++) {
		*change = array_grow(*change, k, sizeof(**change));
		(*change)[k] = (struct session_typed_change){line[k].at, line[k].text};
		handin_add_line(&h->text, line[k].text, line[k].at);
	}
	return k;
}

void
handin_replay(struct handin *h, const struct handin_line *line, unsigned n, bool (*each)(void *ctx),
	      void *ctx)
{
	bool ends = false;

	h->replaying = true;
	for (unsigned i = 0, k; i < n && !h->over && !ends; i += k + 1) {
		struct session_typed_change *change = NULL;

		if (line[i].at == CYCLE_NEVER)
			handin_add_line(&h->text, line[i].text, CYCLE_NEVER);
		k = take_changes(h, line + i + 1, n - i - 1, &change);
		session_replay_changes(h->t->s, change, k);
		if (line[i].at == CYCLE_NEVER) /* else there is no run that it belongs to */
			ends = session_exec(h->t->s, line[i].text) == SESSION_QUIT ||
			       (each && each(ctx));
		session_replay_changes(h->t->s, NULL, 0);
		free(change);
	}
	h->replaying = false;
}

/* ---------------------------------------------------------------- several sittings */

/* The hand-in in the file, if there is one. 1: there is none; -1 with e: it is another's. */
static int
read_earlier(const struct handin *h, struct handin_text *earlier, struct err *e)
{
	const struct handin_text *own = &h->text;
	struct strbuf text = {0};
	struct stat st;
	int rc;

	if (stat(h->path, &st))
		return 1;
	rc = text_read(h->path, HANDIN_MOST, &text, e);
	if (rc == 0)
		rc = handin_parse(h->path, text.n ? text.p : "", text.n, earlier, e);
	sb_free(&text);
	if (rc)
		return -1;
	if (earlier->bad.set) {
		*e = earlier->bad;
		return -1;
	}
	if (strcmp(earlier->student, own->student) != 0 ||
	    strcmp(earlier->lesson, own->lesson) != 0 || earlier->seed != own->seed)
		return err_set(e, "%s is the hand-in of %s for lesson %s; name another file",
			       h->path, earlier->student, earlier->lesson);
	if (earlier->text != own->text || earlier->machine != own->machine ||
	    earlier->trace != own->trace)
		return err_set(e,
			       "%s: the lesson, machine or workload has changed since; name "
			       "another file and start again",
			       h->path);
	return 0;
}

static int
continue_earlier(struct handin *h, struct err *e)
{
	struct handin_text earlier = {.seed = 0};
	int rc = read_earlier(h, &earlier, e);

	if (rc == 0) {
		session_mute(h->t->s);
		handin_replay(h, earlier.line, earlier.n_lines, NULL, NULL);
		session_unmute(h->t->s);
		if (h->t->lesson)
			teacher_show(h->t);
	}
	handin_text_free(&earlier);
	return rc < 0 ? -1 : 0;
}

enum session_status
teacher_hand_in(struct teacher *t, const char *lesson, const char *student, struct lesson_seed seed,
		const char *path)
{
	struct err e = {0};
	struct handin *h;
	struct stat st;
	bool exists;

	if (!handin_name_is_good(student))
		return teacher_refuse(t,
				      "--student expects letters, digits, '-', '_', '.', '@' and "
				      "'+', at most %d, found '%.80s'",
				      HANDIN_NAME, student);
	/* A file that exists decides which page is shown, or none: it may be another student's. */
	exists = stat(path, &st) == 0;
	if (exists)
		session_mute(t->s);
	h = handin_begin(t, lesson, seed, student, path);
	if (exists)
		session_unmute(t->s);
	if (!h)
		return SESSION_ERROR;
	if (continue_earlier(h, &e) || write_file(h, &e))
		return say_err(t->s, &e);
	return SESSION_OK;
}
