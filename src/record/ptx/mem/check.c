/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check.c - checks shared memory (CHECK_RACES, CHECK_INIT) with a shadow of the CTA's memory that
 * stores for each byte its last writer and its readers since then.
 *
 * Order: every warp has a clock that advances at its barriers, and knows the tick of every other
 * warp's clock up to which it has waited; a barrier merges the knowledge of its warps (vector
 * clocks, so barriers of some warps are handled correctly). A race is an access to a byte that
 * another warp accessed at a tick unknown to this one, if at least one of the two is a write and at
 * least one is not atomic (atom, red, relaxed, acquire, release; volatile is not).
 *
 * Clocks continue from one CTA to the next and the start of a CTA is stored, so the shadow need not
 * be cleared: anything older is ignored.
 *
 * Atomics, fences and mbarriers order warps too (order.c).
 *
 * Global memory: global.c and written.c. Not detected: races within a warp. Of more than two
 * unordered readers of a byte, two are kept, which misses a race only when both have met the writer
 * at a barrier and a third has not. What a warp does between bar.arrive and the completion of the
 * barrier counts as before it.
 */
#include "record/ptx/mem/check.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int
check_new(struct cta *c, uint32_t checks, struct err *e)
{
	struct shadow *s = c->shadow;

	if (!s) {
		s = calloc(1, sizeof(*s));
		if (!s)
			return err_nomem(e);
		c->shadow = s;
		s->bytes = c->shared_bytes;
		s->cell = calloc(MAX(s->bytes, 1), sizeof(*s->cell));
		s->sync_at = calloc(s->bytes + 1, sizeof(*s->sync_at));
		if (!s->cell || !s->sync_at)
			return err_of(e, ERR_MEMORY,
				      "out of memory for the check of shared memory");
	}
	s->checks = checks;
	order_reset(s);
	for (uint32_t w = 0; w < MAX_WARPS; w++)
		s->start = MAX(s->start, s->now[w] + 1);
	if (s->start > UINT32_MAX / 2) { /* clocks would overflow */
		memset(s->cell, 0, s->bytes * sizeof(*s->cell));
		s->start = 1;
	}
	for (uint32_t w = 0; w < MAX_WARPS; w++) {
		s->now[w] = s->start;
		for (uint32_t v = 0; v < MAX_WARPS; v++)
			s->known[w].of[v] = s->start - 1;
	}
	return 0;
}

void
check_free(struct cta *c)
{
	if (!c->shadow)
		return;
	free(c->shadow->cell);
	free(c->shadow->sync_at);
	free(c->shadow->sync);
	free(c->shadow);
	c->shadow = NULL;
}

void
check_barrier(struct cta *c, uint64_t warps)
{
	struct shadow *s = c->shadow;
	uint32_t all[MAX_WARPS] = {0};

	if (!s)
		return;
	for (uint64_t m = warps; m; m &= m - 1) {
		uint32_t w = (uint32_t)__builtin_ctzll(m);

		s->known[w].of[w] = s->now[w]++;
		for (uint32_t v = 0; v < MAX_WARPS; v++)
			all[v] = MAX(all[v], s->known[w].of[v]);
	}
	for (uint64_t m = warps; m; m &= m - 1)
		memcpy(s->known[__builtin_ctzll(m)].of, all, sizeof(all));
}

/* ---- faults ---- */

/* Writes "st.shared.u32 of thread 3,0,0 (line 12, k.cu:7)". */
static void
describe_touch(const struct warp *w, const struct touch *t, char *buf, size_t size)
{
	const struct run *r = w->cta->run;
	const uint32_t *block = r->launch->block;
	uint32_t x = MAX(block[0], 1), y = MAX(block[1], 1), id = t->warp * WARP_SIZE + t->lane;
	char name[48], place[PLACE_TEXT];
	bool known = prog_place(r->module, t->in, place, sizeof(place));

	mem_name(t->in, name, sizeof(name));
	snprintf(buf, size,
		 "%s of thread %" PRIu32 ",%" PRIu32 ",%" PRIu32 " (line %" PRIu32 "%s%s)", name,
		 id % x, id / x % y, id / x / y, t->in->line, known ? ", " : "",
		 known ? place : "");
}

static int
fault_race(struct warp *w, const struct prog_inst *in, uint32_t lane, uint32_t at,
	   const struct touch *t)
{
	char name[48], other[PLACE_TEXT + 100];

	mem_name(in, name, sizeof(name));
	describe_touch(w, t, other, sizeof(other));
	return exec_fault(w, in, (int)lane,
			  "%s: race on the byte at shared address 0x%" PRIx32
			  ": no barrier since %s",
			  name, at, other);
}

static int
fault_init(struct warp *w, const struct prog_inst *in, uint32_t lane, uint32_t at)
{
	char name[48];

	mem_name(in, name, sizeof(name));
	return exec_fault(w, in, (int)lane,
			  "%s: the byte at shared address 0x%" PRIx32
			  " was never written in this CTA",
			  name, at);
}

static int
report_fault(struct warp *w, const struct touch *mine, enum ptx_check kind, uint32_t at,
	     const struct touch *other)
{
	return kind == CHECK_INIT ? fault_init(w, mine->in, mine->lane, at)
				  : fault_race(w, mine->in, mine->lane, at, other);
}

/* Reports a finding; EXEC_FAULT, or 0 if the launch continues. */
static int
report_finding(struct warp *w, const struct touch *mine, enum ptx_check kind, uint32_t at,
	       const struct touch *other)
{
	struct found_pause p;

	if (!(w->cta->run->launch->go_on & kind))
		return report_fault(w, mine, kind, at, other);
	if (!found_before(w, mine->in, kind, &p)) {
		report_fault(w, mine, kind, at, other);
		found_new(w, mine->in, mine->lane, kind, &p);
	}
	return 0;
}

/* ---- accesses ---- */

/* Is t an access of another warp that nothing orders before warp me? */
static bool
is_unordered(const struct shadow *s, const struct touch *t, uint32_t me)
{
	return t->clock >= s->start && t->warp != me && s->known[me].of[t->warp] < t->clock;
}

static void
note_read(const struct shadow *s, struct cell *c, const struct touch *mine)
{
	uint32_t k = 0;

	/* Replace a read that is ordered before this one, or an older one of this warp. */
	while (k < 2 && is_unordered(s, &c->read[k], mine->warp))
		k++;
	if (k < 2)
		c->read[k] = *mine;
}

static int
touch_byte(struct warp *w, const struct touch *mine, uint32_t at, bool write)
{
	const struct shadow *s = w->cta->shadow;
	struct cell *c = &s->cell[at];
	bool reads = !write || mine->in->op == PTX_atom || mine->in->op == PTX_red;

	if ((s->checks & CHECK_INIT) && reads && c->write.clock < s->start &&
	    report_finding(w, mine, CHECK_INIT, at, NULL))
		return EXEC_FAULT;
	if (s->checks & CHECK_RACES) {
		if (is_unordered(s, &c->write, mine->warp) && !(c->write.atomic && mine->atomic) &&
		    report_finding(w, mine, CHECK_RACES, at, &c->write))
			return EXEC_FAULT;
		for (uint32_t k = 0; write && k < 2; k++)
			if (is_unordered(s, &c->read[k], mine->warp) &&
			    !(c->read[k].atomic && mine->atomic) &&
			    report_finding(w, mine, CHECK_RACES, at, &c->read[k]))
				return EXEC_FAULT;
	}
	if (write)
		c->write = *mine;
	else
		note_read(s, c, mine);
	return 0;
}

int
check_shared(struct warp *w, const struct prog_inst *in, uint32_t mask, const uint32_t *offset,
	     uint32_t bytes, bool write, bool atomic)
{
	struct shadow *s = w->cta->shadow;

	for (; mask; mask &= mask - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(mask);
		struct touch mine = {in, s->now[w->id], (uint8_t)w->id, (uint8_t)lane, atomic};

		for (uint32_t k = 0; k < bytes && offset[lane] + k < s->bytes; k++)
			if (touch_byte(w, &mine, offset[lane] + k, write) != 0)
				return EXEC_FAULT;
	}
	return 0;
}
