/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * keep.c - writes all stops as text, with their numbers and counts, and reads them back.
 *
 *     next ID                          the number of the next stop
 *     here SEQ ID CORE                 the event stopped at, and the watch that changed there
 *     stop ID ENABLED HITS IGNORE FIRST LAST TOLD
 *     is TEXT                          "tbreak pause core 3 if core.3.n < 2"
 *     apart BUCKET COUNT               of a tracepoint
 *     do LINE                          one of its commands
 *
 * Unlike the output of `save breakpoints`, this text is not meant for people, and it restores every
 * stop with its identity.
 */
#include "base/number.h"
#include "base/words.h"
#include "debug/debug_part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void
write_stop(const struct stop *p, struct strbuf *out)
{
	char text[2 * EVAL_MAX_TEXT];

	debug_stop_text(p, text, sizeof(text));
	sb_printf(out,
		  "stop %u %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\nis %s\n",
		  p->id, p->enabled, p->hits, p->ignore, p->first_hit, p->last_hit, p->told, text);
	for (unsigned b = 0; b < TRACE_BUCKETS; b++)
		if (p->bucket[b])
			sb_printf(out, "apart %u %" PRIu64 "\n", b, p->bucket[b]);
	for (unsigned c = 0; c < p->n_commands; c++)
		sb_printf(out, "do %s\n", p->command[c]);
}

void
debug_stop_write(const struct debug *d, unsigned id, struct strbuf *out)
{
	const struct stop *p = debug_find(d, id);

	if (p)
		write_stop(p, out);
}

void
debug_stops_write(const struct debug *d, struct strbuf *out)
{
	bool here = d->sim && d->stopped_at == sim_cycle(d->sim);

	sb_printf(out, "next %u\n", d->next_id);
	sb_printf(out, "here %" PRIu64 " %u %d\n", here ? d->stopped_seq : UINT64_MAX,
		  here ? d->watched : 0, here ? d->watched_core : -1);
	for (unsigned i = 0; i < d->n_stops; i++)
		write_stop(d->stop[i], out);
}

void
debug_put_aside(struct debug *d, struct debug_aside *a)
{
	*a = (struct debug_aside){d->stop,	   d->n_stops,	   d->next_id,	 d->watched,
				  d->watched_core, d->stopped_seq, d->stopped_at};
	d->stop = NULL;
	d->n_stops = 0;
	debug_listen(d);
}

void
debug_bring_back(struct debug *d, const struct debug_aside *a)
{
	debug_stop_delete(d, 0);
	free(d->stop);
	d->stop = a->stop;
	d->n_stops = a->n_stops;
	d->next_id = a->next_id;
	d->watched = a->watched;
	d->watched_core = a->watched_core;
	d->stopped_seq = a->stopped_seq;
	d->stopped_at = a->stopped_at;
	debug_listen(d);
}

/* ---------------------------------------------------------------- reading */

/* What has been read of a stop before it is created. */
struct reading {
	struct debug *d;
	struct strbuf *lost;
	unsigned next;	    /* number of the next stop */
	bool open;	    /* the numbers of a stop were read, its text must follow */
	uint64_t number[7]; /* of `stop` */
	struct stop *now;   /* the stop created last; NULL: it could not be created */
	bool bad;	    /* the text is malformed */
};

static bool
parse_numbers(const char *at, uint64_t *to, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		char *end;

		at = skip_blanks(at);
		to[i] = strtoull(at, &end, 10);
		if (end == at)
			return false;
		at = end;
	}
	return !*skip_blanks(at);
}

/* Creates a stop from the text of debug_stop_text(). */
static void
make_stop(struct reading *r, const char *text)
{
	static const struct {
		const char *verb;
		enum stop_kind kind;
		bool temporary;
	} verbs[] = {{"break", STOP_EVENT, false},
		     {"tbreak", STOP_EVENT, true},
		     {"watch", STOP_WATCH, false},
		     {"trace", STOP_TRACE, false}};
	struct span verb = word_next(&text);
	struct err e = {0};
	unsigned i = 0;

	while (i < ARRAY_LEN(verbs) && !span_is(verb, verbs[i].verb))
		i++;
	if (!r->open || i == ARRAY_LEN(verbs) || r->number[0] == 0 || r->number[0] > UINT32_MAX) {
		r->bad = true;
		return;
	}
	r->open = false;
	r->now = NULL;
	if (!debug_stop_add(r->d, verbs[i].kind, verbs[i].temporary, text, &e)) {
		sb_printf(r->lost, "stop %u was dropped: %s\n", (unsigned)r->number[0], e.msg);
		return;
	}
	r->now = r->d->stop[r->d->n_stops - 1];
	r->now->id = (unsigned)r->number[0];
	r->now->enabled = r->number[1] != 0;
	r->now->hits = r->number[2];
	r->now->ignore = r->number[3];
	r->now->first_hit = r->number[4];
	r->now->last_hit = r->number[5];
	r->now->told = r->number[6];
}

static void
add_command(struct reading *r, const char *line)
{
	struct stop *p = r->now;
	char **grown, *copy;

	if (!p)
		return;
	grown = realloc(p->command, (p->n_commands + 1) * sizeof(*grown));
	if (grown)
		p->command = grown;
	copy = grown ? strdup(line) : NULL;
	if (copy)
		p->command[p->n_commands++] = copy;
	else
		sb_printf(r->lost, "out of memory: stop %u lost a command\n", p->id);
}

static void
read_line(struct reading *r, const char *line)
{
	struct span verb = word_next(&line);
	uint64_t n[6];

	line += *line == ' ';
	if (span_is(verb, "next") && parse_numbers(line, n, 1)) {
		r->next = (unsigned)MIN(MAX(n[0], 1), UINT32_MAX / 2);
	} else if (span_is(verb, "here") && parse_numbers(line, n, 3)) {
		r->d->stopped_seq = n[0];
		r->d->watched = (unsigned)n[1];
		r->d->watched_core = (int)n[2];
		r->d->stopped_at = r->d->sim ? sim_cycle(r->d->sim) : CYCLE_NEVER;
	} else if (span_is(verb, "stop") && parse_numbers(line, r->number, 7)) {
		r->open = true;
	} else if (span_is(verb, "is")) {
		make_stop(r, line);
	} else if (span_is(verb, "apart") && parse_numbers(line, n, 2) && n[0] < TRACE_BUCKETS) {
		if (r->now)
			r->now->bucket[n[0]] = n[1];
	} else if (span_is(verb, "do")) {
		add_command(r, line);
	} else {
		r->bad = true;
	}
}

/* Creates the stops of the text after those that are set. */
static int
read_lines(struct reading *r, const char *text, struct err *e)
{
	char *copy = strdup(text), *line, *at = copy;

	if (!copy)
		return err_nomem(e);
	for (line = at; !r->bad && *at; line = at) {
		at += strcspn(at, "\n");
		if (*at)
			*at++ = '\0';
		read_line(r, line);
	}
	free(copy);
	return r->bad ? err_set(e, "the stops are damaged") : 0;
}

int
debug_stops_read(struct debug *d, const char *text, struct strbuf *lost, struct err *e)
{
	struct stop **had = d->stop;
	unsigned n_had = d->n_stops, next = d->next_id;
	struct reading r = {.d = d, .lost = lost};

	d->stop = NULL;
	d->n_stops = 0;
	if (read_lines(&r, text, e)) {
		debug_stop_delete(d, 0);
		free(d->stop);
		d->stop = had;
		d->n_stops = n_had;
		d->next_id = next;
		debug_listen(d);
		return -1;
	}
	for (unsigned i = 0; i < n_had; i++)
		debug_stop_free(had[i]);
	free(had);
	d->next_id = MAX(r.next, 1u);
	for (unsigned i = 0; i < d->n_stops; i++)
		d->next_id = MAX(d->next_id, d->stop[i]->id + 1);
	debug_listen(d);
	return 0;
}

static int
compare_numbers(const void *a, const void *b)
{
	const struct stop *x = *(struct stop *const *)a, *y = *(struct stop *const *)b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* What was counted in another run says nothing about this one. */
static void
forget_counts(struct stop *p)
{
	p->hits = 0;
	p->first_hit = p->last_hit = CYCLE_NEVER;
	memset(p->bucket, 0, sizeof(p->bucket));
}

int
debug_stops_add(struct debug *d, const char *text, const struct debug_again *how,
		struct strbuf *lost, struct err *e)
{
	unsigned n_had = d->n_stops, next = d->next_id;
	struct reading r = {.d = d, .lost = lost};
	int rc = read_lines(&r, text, e);

	while (rc && d->n_stops > n_had)
		debug_stop_free(d->stop[--d->n_stops]);
	for (unsigned i = n_had; i < d->n_stops; i++) {
		d->stop[i]->told = how->told;
		if (how->is_other_run)
			forget_counts(d->stop[i]);
	}
	if (d->n_stops > n_had)
		qsort(d->stop, d->n_stops, sizeof(struct stop *), compare_numbers);
	d->next_id = next;
	debug_listen(d);
	return rc;
}
