/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * coop_log.c - keeps and replays the logs of the CTAs that run at once (coop.c). A log takes 48
 * bytes for a line of instructions and up to 560 for an access. The logs of a launch keep about
 * MEMORY bytes in memory; each writes the rest, in parts, to the end of one file.
 */
#include "record/ptx/exec/coop_log.h"

#include <stdlib.h>
#include <string.h>

#define WHAT "the CTAs that run at once"
#define MEMORY ((size_t)256 << 20)
#define LEAST_PART ((size_t)64 << 10)

struct coop_part {
	uint64_t at;
	size_t n;
};

void
coop_file_init(struct coop_file *f, const char *folder, uint64_t n)
{
	scratch_init(&f->scratch, folder);
	f->most = MAX(MEMORY / (size_t)MAX(n, 1u), LEAST_PART);
}

void
coop_file_close(struct coop_file *f)
{
	scratch_close(&f->scratch);
}

void
coop_log_free(struct coop_log *l)
{
	sb_free(&l->recent);
	free(l->part);
	*l = (struct coop_log){0};
}

static int
report_no_memory(struct err *e)
{
	return err_of(e, ERR_MEMORY, "out of memory for the order of CTAs that run at once");
}

/* Moves the part of a log that is in memory to the end of the file. */
static int
move_to_file(struct coop_file *f, struct coop_log *l, struct err *e)
{
	uint32_t cap = MAX(l->cap_part * 2, 8u);
	struct coop_part *p = l->part;

	if (l->n_part == l->cap_part) {
		p = realloc(p, cap * sizeof(*p));
		if (!p)
			return report_no_memory(e);
		l->part = p;
		l->cap_part = cap;
	}
	p[l->n_part++] = (struct coop_part){f->scratch.bytes, l->recent.n};
	if (scratch_add(&f->scratch, l->recent.p, l->recent.n, WHAT, e))
		return -1;
	sb_clear(&l->recent);
	return 0;
}

int
coop_log_add(struct coop_file *f, struct coop_log *l, const struct logged *t, const uint64_t *lane,
	     struct err *e)
{
	sb_add(&l->recent, t, sizeof(*t));
	sb_add(&l->recent, lane, t->n_lane * sizeof(*lane));
	if (l->recent.failed)
		return report_no_memory(e);
	return l->recent.n >= f->most ? move_to_file(f, l, e) : 0;
}

int
coop_call_sink(const struct ptx_sink *s, const struct logged *t, const uint64_t *lane,
	       struct err *e)
{
	if (t->n == 0)
		return s->inst(s->ctx, t->warp, t->func, t->in, t->mask, t->n_lane ? lane : NULL,
			       t->lane_mask, e);
	if (s->line)
		return s->line(s->ctx, t->warp, t->func, t->in, t->n, t->mask, e);
	for (uint32_t i = 0; i < t->n; i++)
		if (s->inst(s->ctx, t->warp, t->func, t->in + i, t->mask, NULL, 0, e))
			return -1;
	return 0;
}

static int
replay_calls(const char *p, size_t n, struct cta *c, const struct ptx_sink *s)
{
	uint64_t lane[2 * WARP_SIZE];
	struct logged t;

	for (size_t at = 0; at < n;) {
		memcpy(&t, p + at, sizeof(t));
		at += sizeof(t);
		memcpy(lane, p + at, t.n_lane * sizeof(*lane));
		at += t.n_lane * sizeof(*lane);
		if (coop_call_sink(s, &t, lane, c->run->e))
			return exec_report_failed(&c->warp[t.warp], t.in);
	}
	return 0;
}

int
coop_log_replay(struct coop_file *f, struct coop_log *l, struct cta *c, const struct ptx_sink *s)
{
	struct err *e = c->run->e;
	size_t most = 0;
	char *buf;
	int rc = 0;

	for (uint32_t i = 0; i < l->n_part; i++)
		most = MAX(most, l->part[i].n);
	buf = malloc(most + 1);
	if (!buf)
		return report_no_memory(e);
	for (uint32_t i = 0; i < l->n_part && rc == 0; i++)
		rc = scratch_read(&f->scratch, l->part[i].at, buf, l->part[i].n, WHAT, e) ||
				     replay_calls(buf, l->part[i].n, c, s)
			     ? -1
			     : 0;
	free(buf);
	if (rc == 0)
		rc = replay_calls(l->recent.p, l->recent.n, c, s) ? -1 : 0;
	coop_log_free(l);
	return rc;
}
