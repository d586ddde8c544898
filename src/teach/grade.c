/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grade.c - grades a hand-in: replays it in a child, compares, and writes a row for each task and
 * question.
 *
 * The child has limits on processor time, wall time, memory and cycles, and can write no file; its
 * session refuses the shell, files and plug-ins (session_confine). What it measures comes through a
 * channel while it works, so a hand-in that runs into a limit keeps what was measured before. Only
 * the replay gives points. An item for which the file differs from it is tampered with, unless
 * another build of the program wrote the file, whose digests may differ; the other items keep their
 * points. A file that was cut off on its way counts as far as it goes.
 */
#include "teach/handin_part.h"

#include "base/memory.h"
#include "base/sanitized.h"
#include "base/textfile.h"
#include "base/worker.h"
#include "export/export.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define WALL_FACTOR 10 /* seconds of wall time for one of processor time: others compute, too */

enum frame_kind { FRAME_HEAD = 1, FRAME_RESULT, FRAME_OVER, FRAME_END };

struct head_frame {
	uint64_t machine, trace;
};
struct result_frame {
	unsigned number; /* from 0 */
	struct handin_result result;
};

enum status { STATUS_OK, STATUS_WRONG, STATUS_STALE, STATUS_TAMPERED, STATUS_CUT, STATUS_TIMEOUT };
static const char *const status_names[] = {"ok", "wrong", "stale", "tampered", "cut", "timeout"};

struct grading {
	const struct grade_options *o;
	const char *path; /* of the hand-in */
	struct handin_text text;
	char lesson_path[PATH_MAX];
	struct lesson *lesson;
	/* from the replay */
	struct head_frame head;
	struct handin_result result[LESSON_ITEMS];
	bool began, ended;
	enum status all; /* other than STATUS_OK: of every row */
	char note[400];
};

/* ---------------------------------------------------------------- in the child */

struct replay {
	struct grading *g;
	struct channel *channel;
	struct teacher *t;
	struct handin *h;
	bool sent[LESSON_ITEMS];
	cycle_t at;	 /* the machine's cycle when it was last looked at */
	uint64_t cycles; /* that it ran */
};

static void
set_limit(int which, rlim_t most)
{
	struct rlimit limit;

	if (getrlimit(which, &limit))
		return;
	limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? most : MIN(most, limit.rlim_max);
	limit.rlim_max = limit.rlim_cur;
	setrlimit(which, &limit);
}

/* A sanitizer needs far more addresses than memory. */
static void
limit_child(const struct grade_options *o)
{
	set_limit(RLIMIT_CPU, o->seconds);
	set_limit(RLIMIT_FSIZE, 0);
	set_limit(RLIMIT_CORE, 0);
#ifndef SANITIZED
	set_limit(RLIMIT_AS, (rlim_t)o->memory << 20);
#endif
	alarm(o->seconds * WALL_FACTOR);
}

static void
send_frame(struct replay *r, enum frame_kind kind, const void *body, size_t n)
{
	channel_add(r->channel, kind, &(struct frame_part){body, n}, 1);
	channel_flush(r->channel, true);
}

static void
send_results(struct replay *r)
{
	const struct handin_text *x = handin_text_of(r->h);

	for (unsigned i = 0; i < x->n_results; i++) {
		struct result_frame f = {i, x->result[i]};

		if (!x->result[i].known || (r->sent[i] && x->result[i].mark != MARK_SKIPPED &&
					    r->g->result[i].mark == x->result[i].mark))
			continue;
		r->sent[i] = true;
		r->g->result[i] = x->result[i];
		send_frame(r, FRAME_RESULT, &f, sizeof(f));
	}
}

/* Called while the machine runs and after every line. */
static bool
count_cycles(void *ctx)
{
	struct replay *r = ctx;
	struct sim *s = session_sim(r->t->s);
	cycle_t now = s ? sim_cycle(s) : 0;

	r->cycles += now > r->at ? now - r->at : 0;
	r->at = now;
	if (r->cycles <= r->g->o->cycles)
		return false;
	send_frame(r, FRAME_OVER, &r->cycles, sizeof(r->cycles));
	_exit(1);
}

static bool
after_each_line(void *ctx)
{
	send_results(ctx);
	return count_cycles(ctx);
}

static int
replay_hand_in(struct channel *channel, void *ctx)
{
	struct grading *g = ctx;
	struct replay r = {.g = g, .channel = channel};
	struct session_ui ui = {.ctx = &r, .tick = count_cycles, .interactive = g->text.by_person};
	struct config *c = memory_kept(config_new());
	struct session *s = memory_kept(session_new(c, NULL, &ui, NULL));
	const struct handin_text *x;

	limit_child(g->o);
	r.t = memory_kept(teacher_new(s));
	r.h = handin_begin(r.t, g->lesson_path, (struct lesson_seed){g->text.seed}, g->text.student,
			   NULL);
	if (!r.h)
		return 1;
	x = handin_text_of(r.h);
	send_frame(&r, FRAME_HEAD, &(struct head_frame){x->machine, x->trace},
		   sizeof(struct head_frame));
	handin_replay(r.h, g->text.line, g->text.n_lines, after_each_line, &r);
	send_frame(&r, FRAME_END, "", 0);
	return 0;
}

/* ---------------------------------------------------------------- in the parent */

static void take_all(struct grading *g, enum status status, const char *fmt, ...) ATTR_PRINTF(3, 4);

/* Every row gets this status, unless another is known already. */
static void
take_all(struct grading *g, enum status status, const char *fmt, ...)
{
	va_list ap;

	if (g->all != STATUS_OK)
		return;
	g->all = status;
	va_start(ap, fmt);
	vsnprintf(g->note, sizeof(g->note), fmt, ap);
	va_end(ap);
}

static void
take_frame(struct grading *g, const struct frame *f)
{
	struct result_frame r;

	if (f->kind == FRAME_HEAD && f->bytes == sizeof(g->head)) {
		memcpy(&g->head, f->body, sizeof(g->head));
		g->began = true;
	} else if (f->kind == FRAME_RESULT && f->bytes == sizeof(r)) {
		memcpy(&r, f->body, sizeof(r));
		if (r.number < LESSON_ITEMS)
			g->result[r.number] = r.result;
	} else if (f->kind == FRAME_OVER) {
		snprintf(g->note, sizeof(g->note), "more than %" PRIu64 " cycles", g->o->cycles);
	} else if (f->kind == FRAME_END) {
		g->ended = true;
	}
}

static int
run_child(struct grading *g, struct err *e)
{
	struct worker w;
	struct frame f;
	char why[120];

	memset(g->result, 0, sizeof(g->result));
	if (worker_start(&w, WORKER_QUIET, replay_hand_in, g, e))
		return -1;
	while (!g->ended && channel_wait(&w.channel, &f) == 0)
		take_frame(g, &f);
	worker_reap(&w, why, sizeof(why));
	if (!g->ended && !*g->note)
		snprintf(g->note, sizeof(g->note), "the replay %s; at most %u seconds, %u MiB", why,
			 g->o->seconds, g->o->memory);
	return 0;
}

/* ---------------------------------------------------------------- comparing */

static const char *
mark_text(const struct handin_result *r)
{
	static const char *const names[MARKS] = {"open", "done", "wrong", "solved by ctascope",
						 "skipped"};

	return names[r->known ? r->mark : MARK_OPEN];
}

/* Where claim and replay differ: a word for it, NULL: nowhere. */
static const char *
find_difference(const struct handin_result *claim, const struct handin_result *real)
{
	if (claim->known != real->known || claim->mark != real->mark)
		return "mark";
	if (!claim->known)
		return NULL;
	return claim->question != real->question ? "kind"
	       : claim->cycle != real->cycle	 ? "cycle"
	       : claim->digest != real->digest	 ? "digest"
	       : claim->tries != real->tries	 ? "tries"
	       : claim->hints != real->hints	 ? "hints"
						 : NULL;
}

/* Everything that can be told without a replay. */
static int
examine_header(struct grading *g, struct err *e)
{
	const struct handin_text *x = &g->text;
	const char *name = g->o->lesson ? g->o->lesson : x->lesson;
	struct err why = {0};

	if (lesson_find(name, g->lesson_path, sizeof(g->lesson_path), &why) ||
	    !(g->lesson = lesson_read(g->lesson_path, (struct lesson_seed){x->seed}, &why)))
		return g->o->lesson ? err_set(e, "%s", why.msg)
				    : (take_all(g, STATUS_STALE, "%.300s", why.msg), 0);
	if (x->seed != handin_seed(x->student, g->o->key ? g->o->key : ""))
		take_all(g, STATUS_TAMPERED, "the seed does not belong to the student %s",
			 x->student);
	else if (strcmp(g->lesson->id, x->lesson) != 0)
		take_all(g, STATUS_STALE, "it is for lesson %s", x->lesson);
	else if (x->text != digest_of_file(g->lesson_path))
		take_all(g, STATUS_STALE, "the lesson has changed since");
	return 0;
}

static void
examine_replay(struct grading *g)
{
	if (g->began && g->head.machine != g->text.machine)
		take_all(g, STATUS_STALE, "the machine has changed since");
	else if (g->began && g->head.trace != g->text.trace)
		take_all(g, STATUS_STALE, "the workload has changed since");
	else if (!g->began && g->ended)
		take_all(g, STATUS_STALE, "the lesson cannot be opened");
}

/* ---------------------------------------------------------------- rows */

void
grade_head(FILE *csv)
{
	static const char *const columns[] = {"student", "lesson", "item", "points",
					      "max",	 "status", "note"};

	export_row(csv, columns, ARRAY_LEN(columns));
}

static void
write_row(const struct grading *g, FILE *csv, const char *item, double points, double max,
	  enum status status, const char *note)
{
	char got[32], of[32];
	const char *const field[] = {
		g->text.student, g->text.lesson, item, got, of, status_names[status], note};

	export_number(points, got, sizeof(got));
	if (isnan(max)) /* the lesson is not known */
		of[0] = '\0';
	else
		export_number(max, of, sizeof(of));
	export_row(csv, field, ARRAY_LEN(field));
}

/* What a task or question earned, and why not all. */
static double
points_of(const struct item_points *p, const struct handin_result *r, struct strbuf *note)
{
	double points = p->points;

	if (r->hints)
		sb_printf(note, "%u hint%s", r->hints, r->hints == 1 ? "" : "s");
	if (r->tries > 1)
		sb_printf(note, "%s%u tries", r->hints ? ", " : "", r->tries);
	points -= p->hint * r->hints + p->further_try * (r->tries > 1 ? r->tries - 1 : 0);
	return MAX(points, 0);
}

/* Where the file and the replay of this item differ, in words; "": nowhere. */
static void
describe_difference(const struct grading *g, unsigned number, struct strbuf *note)
{
	const struct handin_result *claim = &g->text.result[number], *real = &g->result[number];
	const char *what = find_difference(claim, real);

	if (claim->spoilt)
		sb_printf(note, "line %" PRIu64 ": %s", g->text.bad.line, g->text.bad.msg);
	else if (what && strcmp(what, "mark") == 0)
		sb_printf(note, "the file says %s, the replay %s", mark_text(claim),
			  mark_text(real));
	else if (what)
		sb_printf(note, "not the %s of the replay", what);
}

/* The status of one item, its points, and a note. Other items do not matter: each is compared with
 * the replay by itself. */
static enum status
judge_item(const struct grading *g, const struct item_points *p, unsigned number, double *points,
	   struct strbuf *note)
{
	const struct handin_result *r = &g->result[number];

	*points = 0;
	if (g->all != STATUS_OK) {
		sb_str(note, g->note);
		return g->all;
	}
	if (!r->known && !g->ended) {
		sb_str(note, g->note);
		return STATUS_TIMEOUT;
	}
	if (g->text.is_cut && !g->text.result[number].known && !g->text.result[number].spoilt) {
		sb_str(note, "the file was cut off before it; hand it in again");
		return STATUS_CUT;
	}
	describe_difference(g, number, note);
	if (note->n)
		return g->text.build == digest_of_build() ? STATUS_TAMPERED : STATUS_STALE;
	if (!r->known || r->mark != MARK_DONE) {
		sb_str(note, mark_text(r));
		return STATUS_WRONG;
	}
	*points = points_of(p, r, note);
	return STATUS_OK;
}

static void
write_item(const struct grading *g, FILE *csv, const struct item *it, unsigned number)
{
	struct strbuf note = {0};
	struct item_points p;
	double points;
	enum status status;
	char name[32];

	points_read(it, &p);
	snprintf(name, sizeof(name), "%s %u", it->kind == ITEM_TASK ? "task" : "question",
		 number + 1);
	status = judge_item(g, &p, number, &points, &note);
	write_row(g, csv, name, points, p.points, status, note.n && !note.failed ? note.p : "");
	sb_free(&note);
}

/* A row for what belongs to no item: the first line that cannot be read, and results of items that
 * the lesson does not have. */
static void
write_rest(const struct grading *g, FILE *csv, unsigned items)
{
	char name[32], note[400];
	bool has_row = false;

	for (unsigned i = 0; i < items; i++)
		has_row |= g->text.result[i].spoilt;
	if (g->text.bad.set && !has_row) {
		snprintf(name, sizeof(name), "line %" PRIu64, g->text.bad.line);
		write_row(g, csv, name, 0, 0, STATUS_TAMPERED, g->text.bad.msg);
	}
	for (unsigned i = items; i < g->text.n_results; i++) {
		if (!g->text.result[i].known)
			continue;
		snprintf(name, sizeof(name), "item %u", i + 1);
		snprintf(note, sizeof(note), "the lesson has no item %u", i + 1);
		write_row(g, csv, name, 0, 0, STATUS_TAMPERED, note);
	}
}

static void
write_rows(const struct grading *g, FILE *csv)
{
	unsigned number = 0;

	if (!g->lesson)
		write_row(g, csv, "", 0, (double)NAN, g->all, g->note);
	for (unsigned i = 0; g->lesson && i < g->lesson->n_items; i++)
		if (item_is_exercise(&g->lesson->item[i]))
			write_item(g, csv, &g->lesson->item[i], number++);
	if (g->lesson && g->all == STATUS_OK)
		write_rest(g, csv, number);
}

/* The lesson of a file that cannot be graded, if it is named: its rows say what was to be had. */
static void
name_lesson(struct grading *g)
{
	const char *name = g->o->lesson ? g->o->lesson : g->text.lesson;

	if (*name && lesson_find(name, g->lesson_path, sizeof(g->lesson_path), NULL) == 0)
		g->lesson = lesson_read(g->lesson_path, (struct lesson_seed){0}, NULL);
	if (g->lesson && !*g->text.lesson)
		snprintf(g->text.lesson, sizeof(g->text.lesson), "%s", g->lesson->id);
}

static int
grade_text(struct grading *g, const struct strbuf *text, struct err *e)
{
	struct err why = {0};

	if (handin_parse(g->path, text->n ? text->p : "", text->n, &g->text, &why)) {
		take_all(g, g->text.is_cut ? STATUS_CUT : STATUS_TAMPERED,
			 "%.200s:%" PRIu64 ": %.150s", g->path, why.line,
			 g->text.is_cut ? "the file was cut off in its header; hand it in again"
					: why.msg);
		name_lesson(g);
		return 0;
	}
	if (examine_header(g, e))
		return -1;
	if (g->all == STATUS_OK && run_child(g, e))
		return -1;
	if (g->all == STATUS_OK)
		examine_replay(g);
	return 0;
}

int
grade_file(const char *path, const struct grade_options *o, FILE *csv, struct err *e)
{
	struct grading *g = memory_new(1, sizeof(*g));
	struct strbuf text = {0};
	int rc;

	g->o = o;
	g->path = path;
	rc = text_read(path, HANDIN_MOST, &text, e);
	if (rc == 0)
		rc = grade_text(g, &text, e);
	if (rc == 0)
		write_rows(g, csv);
	sb_free(&text);
	handin_text_free(&g->text);
	lesson_free(g->lesson);
	free(g);
	return rc;
}
