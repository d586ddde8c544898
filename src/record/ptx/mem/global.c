/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * global.c - checks global memory for races (CHECK_GLOBAL) with a shadow that stores for each word
 * its last write and two reads since, with the CTA and warp of each.
 *
 * A race is an access to bytes that another warp accessed in this launch, if at least one of the
 * two is a write, at least one is not atomic (atom, red, relaxed, acquire, release, volatile), and
 * nothing orders them. Warps of a CTA are ordered as for shared memory (check.c). CTAs are ordered
 * by a release and a later acquire: a CTA releases what it did before a fence by its next atomic or
 * strong write (one with .release is its own fence), and acquires by an atomic or strong read.
 * Times are ticks of the launch, which advance at fences, releases and acquires.
 *
 * The check does not compare the words through which CTAs synchronize, nor the warps of a CTA that
 * fenced. Both can hide a race, but never report a false one. The same holds for a byte whose word
 * others write more than once. Not detected: races within a warp, and accesses by textures and
 * surfaces.
 */
#include "record/ptx/mem/global.h"

#include "record/ptx/mem/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORD 4u

struct word_touch {
	const struct prog_inst *in; /* NULL: no access */
	uint32_t cta, tick, clock;  /* clock: of the warp, as in struct shadow */
	uint8_t warp, lane;
	uint8_t bytes; /* of the word, a bit each */
	bool atomic;
};

struct word_cell {
	struct word_touch write, read[2];
};

struct release {
	uint32_t at, upto; /* at tick `at`, everything done until tick `upto` became known */
};

struct cta_sync {
	uint32_t fenced, acquired; /* ticks of the last fence and the last acquire; 0: none */
	uint32_t n, cap;
	struct release *release; /* in ascending order */
};

/* The cells of a block of memory. The index of a block does not identify it, because a launch may
 * allocate more blocks (malloc). */
struct block_cells {
	uint64_t addr, bytes;
	struct word_cell *cell;
};

struct global_check {
	struct block_cells *block;
	uint32_t n_block, cap_block;
	uint32_t hint[RUN_HINTS]; /* the block that an instruction touched last */
	struct cta_sync *cta;
	uint64_t n_cta;
	uint32_t tick;
};

struct global_check *
global_new(uint64_t n, struct err *e)
{
	struct global_check *g = calloc(1, sizeof(*g));

	if (g) {
		g->n_cta = n;
		g->tick = 1;
		g->cta = calloc(n, sizeof(*g->cta)); /* unused pages take no memory */
	}
	if (g && g->cta)
		return g;
	global_free(g);
	err_of(e, ERR_MEMORY, "out of memory for the check of global memory");
	return NULL;
}

void
global_free(struct global_check *g)
{
	if (!g)
		return;
	for (uint32_t i = 0; i < g->n_block; i++)
		free(g->block[i].cell);
	for (uint64_t i = 0; g->cta && i < g->n_cta; i++)
		free(g->cta[i].release);
	free(g->block);
	free(g->cta);
	free(g);
}

/* ---- order ---- */

void
global_fence(struct cta *c)
{
	struct global_check *g = c->run->global;

	g->cta[c->index].fenced = g->tick++;
}

/* Makes what the CTA did before its last fence known to those that acquire later. */
static int
release_fenced(struct global_check *g, struct cta_sync *s)
{
	struct release *more;
	uint32_t cap;

	if (!s->fenced || (s->n && s->release[s->n - 1].upto == s->fenced))
		return 0;
	if (s->n == s->cap) {
		cap = MAX(2 * s->cap, 4u);
		more = realloc(s->release, cap * sizeof(*more));
		if (!more)
			return -1;
		s->release = more;
		s->cap = cap;
	}
	s->release[s->n++] = (struct release){g->tick++, s->fenced};
	return 0;
}

/* Is the access ordered before what CTA `me` does now? */
static bool
is_released(const struct global_check *g, const struct word_touch *t, uint64_t me)
{
	const struct cta_sync *s = &g->cta[t->cta];
	uint32_t lo = 0, hi = s->n;

	while (lo < hi) { /* the last release before the acquire */
		uint32_t mid = lo + (hi - lo) / 2;

		if (s->release[mid].at <= g->cta[me].acquired)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && s->release[lo - 1].upto >= t->tick;
}

static bool
is_race(const struct warp *w, const struct word_touch *t, const struct word_touch *mine)
{
	const struct shadow *s = w->cta->shadow;

	if (!t->in || !(t->bytes & mine->bytes) || (t->atomic && mine->atomic))
		return false;
	if (t->cta == mine->cta &&
	    (t->warp == mine->warp || t->clock <= s->known[w->id].of[t->warp]))
		return false;
	return !is_released(w->cta->run->global, t, w->cta->index);
}

/* ---- findings ---- */

static int
report_race(struct warp *w, const struct word_touch *mine, uint64_t at, const struct word_touch *t)
{
	const struct run *r = w->cta->run;
	const uint32_t *block = r->launch->block, *grid = r->launch->grid;
	uint32_t id = t->warp * WARP_SIZE + t->lane;
	char name[48], other[48], place[PLACE_TEXT];
	bool known = prog_place(r->module, t->in, place, sizeof(place));

	mem_name(mine->in, name, sizeof(name));
	mem_name(t->in, other, sizeof(other));
	return exec_fault(w, mine->in, mine->lane,
			  "%s: race on the word at global address 0x%" PRIx64
			  ": no barrier, or fence and atomic, since %s of CTA %u,%u,%u, thread "
			  "%u,%u,%u (line %" PRIu32 "%s%s)",
			  name, at, other, t->cta % grid[0], t->cta / grid[0] % grid[1],
			  t->cta / grid[0] / grid[1], id % block[0], id / block[0] % block[1],
			  id / block[0] / block[1], t->in->line, known ? ", " : "",
			  known ? place : "");
}

static int
handle_race(struct warp *w, const struct word_touch *mine, uint64_t at, const struct word_touch *t)
{
	struct found_pause p;

	if (!(w->cta->run->launch->go_on & CHECK_RACES))
		return report_race(w, mine, at, t);
	if (!found_before(w, mine->in, CHECK_RACES, &p)) {
		report_race(w, mine, at, t);
		found_new(w, mine->in, mine->lane, CHECK_RACES, &p);
	}
	return 0;
}

/* ---- accesses ---- */

static void
note_read(const struct warp *w, struct word_cell *c, const struct word_touch *mine)
{
	struct word_touch as_write = *mine;
	uint32_t k = 0;

	/* Replace a read that is ordered before this one, or an older one of this warp. */
	as_write.atomic = false;
	as_write.bytes = 0xf;
	while (k < 2 && is_race(w, &c->read[k], &as_write))
		k++;
	if (k < 2)
		c->read[k] = *mine;
}

static int
touch_word(struct warp *w, struct word_cell *c, const struct word_touch *mine, uint64_t at,
	   bool write)
{
	if (is_race(w, &c->write, mine) && handle_race(w, mine, at, &c->write))
		return EXEC_FAULT;
	for (uint32_t k = 0; write && k < 2; k++)
		if (is_race(w, &c->read[k], mine) && handle_race(w, mine, at, &c->read[k]))
			return EXEC_FAULT;
	if (!write)
		note_read(w, c, mine);
	else
		c->write = *mine;
	return 0;
}

static struct block_cells *
add_block(struct global_check *g)
{
	struct block_cells *more;
	uint32_t cap;

	if (g->n_block == g->cap_block) {
		cap = MAX(2 * g->cap_block, 16u);
		more = realloc(g->block, cap * sizeof(*more));
		if (!more)
			return NULL;
		g->block = more;
		g->cap_block = cap;
	}
	g->block[g->n_block] = (struct block_cells){0};
	return &g->block[g->n_block++];
}

/* The cells of a block; NULL: out of memory. */
static struct word_cell *
find_cells(struct global_check *g, const struct prog_inst *in, const struct mem_block *b)
{
	uint32_t *hint = &g->hint[(uintptr_t)in / 64 % RUN_HINTS], i = *hint;
	struct block_cells *c;

	if (i < g->n_block && g->block[i].addr == b->addr && g->block[i].bytes == b->bytes)
		return g->block[i].cell;
	for (i = 0; i < g->n_block && g->block[i].addr != b->addr; i++)
		;
	c = i < g->n_block ? &g->block[i] : add_block(g);
	if (!c)
		return NULL;
	*hint = i;
	if (c->bytes != b->bytes) { /* new, or freed and allocated again */
		free(c->cell);
		c->addr = b->addr;
		c->bytes = b->bytes;
		c->cell = calloc((b->addr % WORD + b->bytes + WORD - 1) / WORD, sizeof(*c->cell));
		if (!c->cell)
			c->bytes = 0;
	}
	return c->cell;
}

static int
touch_lane(struct warp *w, struct word_cell *cell, const struct mem_block *b, uint64_t off,
	   uint32_t bytes, bool write, struct word_touch *mine)
{
	uint64_t lead = b->addr % WORD, at = off + lead, end = at + bytes;

	for (uint64_t k = at / WORD; k * WORD < end; k++) {
		uint64_t from = MAX(at, k * WORD) % WORD, n = MIN(end - k * WORD, WORD) - from;

		mine->bytes = (uint8_t)(((1u << n) - 1) << from);
		if (touch_word(w, &cell[k], mine, b->addr - lead + k * WORD, write))
			return EXEC_FAULT;
	}
	return 0;
}

int
global_access(struct warp *w, const struct prog_inst *in, const struct mem_block *b,
	      const uint64_t *off, uint32_t mask, uint32_t bytes, uint32_t mode)
{
	struct global_check *g = w->cta->run->global;
	struct cta_sync *s = &g->cta[w->cta->index];
	bool plain = in->op == PTX_ld || in->op == PTX_st;
	bool strong = (mode & MEM_ATOMIC) || (plain && (in->sub2 || (in->flags & PF_VOLATILE)));
	bool write = (mode & (MEM_WRITE | MEM_ATOMIC)) != 0;
	struct word_cell *cell = b->read_only ? NULL : find_cells(g, in, b);
	struct word_touch mine = {.in = in,
				  .cta = (uint32_t)w->cta->index,
				  .clock = w->cta->shadow->now[w->id],
				  .warp = (uint8_t)w->id,
				  .atomic = strong};

	if (b->read_only)
		return 0;
	if (!cell)
		return err_of(w->cta->run->e, ERR_MEMORY,
			      "out of memory for the check of global memory"),
		       EXEC_FAULT;
	if (strong && in->op != PTX_st)
		s->acquired = g->tick++;
	if (strong && write && (in->sub2 & MEM_RELEASES))
		global_fence(w->cta);
	if (strong && write && release_fenced(g, s))
		return err_of(w->cta->run->e, ERR_MEMORY,
			      "out of memory for the check of global memory"),
		       EXEC_FAULT;
	/* a release includes the atomic that makes it */
	mine.tick = strong && s->fenced ? s->fenced : g->tick;
	for (; mask; mask &= mask - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(mask);

		mine.lane = (uint8_t)lane;
		if (touch_lane(w, cell, b, off[lane], bytes, write, &mine))
			return EXEC_FAULT;
	}
	return 0;
}
