/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * file.c - writes a timeline as text for a session file, and reads it back.
 *
 *     branch PARENT FROM TIP INHERITS FROM_SEQ TOLD LEFT NAME    by id, from 0 on
 *     gone                                                       the id of a deleted branch
 *     choice KIND CYCLE ROLE KEY VALUE BEFORE                    of the branch above it
 *     mark BRANCH CYCLE KERNEL AT APPLIED NAME POLICY
 *     here BRANCH AT APPLIED NEXT                                NEXT: the number of the next mark
 *
 * Fields are separated by tabs. States are not included: the present one and those of the marks are
 * snapshots that the caller stores. Automatic snapshots are not stored; replays create them again,
 * beginning at the start of the run and at the marks.
 */
#include "timeline/timeline_part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS 9

static void
write_branch(const struct branch *b, struct strbuf *out)
{
	if (!b) {
		sb_str(out, "gone\n");
		return;
	}
	sb_printf(out,
		  "branch\t%u\t%" PRIu64 "\t%" PRIu64 "\t%u\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
		  "\t%s\n",
		  b->parent, b->from, b->tip, b->inherits, b->from_seq, b->told, b->left, b->name);
	for (unsigned i = 0; i < b->n_choices; i++)
		sb_printf(out, "choice\t%u\t%" PRIu64 "\t%u\t%s\t%s\t%s\n", b->choice[i].kind,
			  b->choice[i].cycle, b->choice[i].role, b->choice[i].key,
			  b->choice[i].value, b->choice[i].before);
}

void
timeline_write(struct timeline *t, struct strbuf *out)
{
	struct spot now = timeline_spot(t);

	timeline_touch(t);
	for (unsigned i = 0; i < t->n_branches; i++)
		write_branch(t->branch[i], out);
	for (unsigned i = 0; i < t->n_named; i++) {
		const struct mark *m = &t->named[i]->mark;
		const struct spot *s = &t->named[i]->kept->spot;

		sb_printf(out, "mark\t%u\t%" PRIu64 "\t%u\t%u\t%u\t%s\t%s\n", m->place.branch,
			  m->place.cycle, m->kernel, s->at, s->applied, m->name, m->policy);
	}
	sb_printf(out, "here\t%u\t%u\t%u\t%u\n", t->here, now.at, now.applied, t->next_name);
}

/* ---------------------------------------------------------------- reading */

struct reading {
	struct timeline *t;
	struct snapshot *(*state)(void *ctx, const char *mark, struct err *e);
	void *ctx;
	struct branch *last; /* the branch of the following choices */
	bool here;	     /* the `here` line was read */
};

/* Splits a line at its tabs. Returns the number of fields, at most FIELDS. */
static unsigned
split_fields(char *line, char *field[FIELDS])
{
	unsigned n = 0;

	while (line && n < FIELDS) {
		field[n++] = line;
		line = strchr(line, '\t');
		if (line)
			*line++ = '\0';
	}
	return line ? FIELDS + 1 : n;
}

/* Parses the fields from one on as numbers. Returns false if one is invalid. */
static bool
parse_numbers(char *const *field, unsigned n, uint64_t *to)
{
	for (unsigned i = 0; i < n; i++) {
		char *end;

		to[i] = strtoull(field[i], &end, 10);
		if (end == field[i] || *end)
			return false;
	}
	return true;
}

static bool
read_branch(struct reading *r, char *const *field)
{
	struct timeline *t = r->t;
	const struct branch *p;
	uint64_t n[7];

	if (!parse_numbers(field, 7, n) || n[0] > UINT32_MAX || n[3] > UINT32_MAX)
		return false;
	p = n[0] < t->n_branches ? t->branch[n[0]] : NULL;
	if (t->n_branches ? !p || n[3] > p->n_choices || n[1] > n[2] : n[0] != BRANCH_NONE)
		return false;
	r->last = timeline_branch_new(t, field[7], (unsigned)n[0], NULL);
	if (!r->last)
		return false;
	r->last->from = n[1];
	r->last->tip = n[2];
	r->last->inherits = (unsigned)n[3];
	r->last->from_seq = n[4];
	r->last->told = n[5];
	r->last->left = n[6];
	return true;
}

/* The id of a deleted branch stays unused. */
static bool
read_gone(struct reading *r)
{
	char name[32];

	snprintf(name, sizeof(name), "gone\t%u", r->t->n_branches);
	name[4] = '-';
	if (!r->t->n_branches || !timeline_branch_new(r->t, name, 0, NULL))
		return false;
	timeline_branch_forget(r->t, r->t->n_branches - 1);
	r->last = NULL;
	return true;
}

static bool
read_choice(struct reading *r, char *const *field)
{
	struct branch *b = r->last;
	struct choice *grown, *c;
	uint64_t n[3];

	if (!b || !parse_numbers(field, 3, n) || n[0] > CHOICE_OUTCOME || n[2] > CHOICE_REDO ||
	    n[1] > b->tip || n[1] < (b->n_choices ? b->choice[b->n_choices - 1].cycle : b->from))
		return false;
	grown = realloc(b->choice, (b->n_choices + 1) * sizeof(*grown));
	if (!grown)
		return false;
	b->choice = grown;
	c = &grown[b->n_choices];
	*c = (struct choice){.kind = (enum choice_kind)n[0],
			     .cycle = n[1],
			     .key = strdup(field[3]),
			     .value = strdup(field[4]),
			     .before = strdup(field[5]),
			     .role = (enum choice_role)n[2]};
	b->n_choices++;
	return c->key && c->value && c->before;
}

/* Brings the machine to the state of a mark (NULL: the present), which is a number of choices
 * into a branch on the way to another. */
static int
stand_at(struct reading *r, const char *mark, const uint64_t spot[3], struct err *e)
{
	struct timeline *t = r->t;
	struct snapshot *k;
	unsigned choices;
	cycle_t cycle;
	int rc;

	if (spot[0] >= t->n_branches || !t->branch[spot[0]] || spot[1] >= t->n_branches ||
	    !timeline_on_path(t, (unsigned)spot[0], (unsigned)spot[1], &choices, &cycle) ||
	    spot[2] > choices)
		return err_set(e, "the timeline is damaged: its branches contradict each other");
	k = r->state(r->ctx, mark, e);
	rc = k && snapshot_cycle(k) > MIN(cycle, t->branch[spot[0]]->tip)
		     ? err_set(e, "the timeline is damaged: a state is ahead of its branch")
	     : k ? sim_restore(t->sim, k, e)
		 : -1;
	snapshot_free(k);
	t->here = (unsigned)spot[0];
	t->at = (unsigned)spot[1];
	t->applied = (unsigned)spot[2];
	return rc;
}

static int
read_mark(struct reading *r, char *const *field, struct err *e)
{
	struct timeline *t = r->t;
	const struct mark *m;
	uint64_t n[5];

	if (!parse_numbers(field, 5, n))
		return err_set(e, "the timeline is damaged: a checkpoint has no cycle");
	if (stand_at(r, field[5], (const uint64_t[]){n[0], n[3], n[4]}, e))
		return -1;
	m = timeline_mark(t, field[5], e);
	return m ? 0 : -1;
}

static int
read_line(struct reading *r, char *line, struct err *e)
{
	char *field[FIELDS];
	unsigned n = split_fields(line, field);
	const char *what = field[0];
	uint64_t at[4];

	if (strcmp(what, "mark") == 0 && n == 8)
		return read_mark(r, &field[1], e);
	if (strcmp(what, "here") == 0 && n == 5 && parse_numbers(&field[1], 4, at)) {
		r->here = true;
		r->t->next_name = (unsigned)MAX(MIN(at[3], UINT32_MAX / 2), 1);
		return stand_at(r, NULL, at, e);
	}
	if ((strcmp(what, "branch") == 0 && n == 9 && read_branch(r, &field[1])) ||
	    (strcmp(what, "gone") == 0 && n == 1 && read_gone(r)) ||
	    (strcmp(what, "choice") == 0 && n == 7 && read_choice(r, &field[1])))
		return 0;
	return err_set(e, "the timeline is damaged at '%.60s'", what);
}

int
timeline_read(struct timeline *t, const char *text,
	      struct snapshot *(*state)(void *ctx, const char *mark, struct err *e), void *ctx,
	      struct err *e)
{
	struct reading r = {.t = t, .state = state, .ctx = ctx};
	struct kept *start = timeline_keep(t, e);
	char *copy = strdup(text), *line, *at = copy;
	int rc = start && copy ? 0 : err_of(e, ERR_MEMORY, "out of memory for a timeline");

	timeline_branch_forget(t, 0);
	t->n_branches = 0;
	debug_mute(t->debug);
	for (line = at; rc == 0 && *at; line = at) {
		at += strcspn(at, "\n");
		if (*at)
			*at++ = '\0';
		rc = read_line(&r, line, e);
	}
	if (rc == 0 && !r.here)
		rc = err_set(e, "the timeline is damaged: its present cycle is missing");
	debug_unmute(t->debug);
	free(copy);
	if (rc) {
		if (start)
			timeline_put(t, start, NULL);
		timeline_begin(t, t->sim, NULL);
	}
	debug_moved(t->debug, true);
	return rc;
}
