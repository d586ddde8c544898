/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_ccws.c - CCWS, cache-conscious wavefront scheduling (Rogers et al., MICRO 2012, section 4).
 * The paper was not at hand: this follows what is known of it.
 *
 * Each warp has a victim tag array, which remembers the lines that it brought into L1 and that have
 * been evicted. A miss on one of them is lost locality: the warp would have hit if others had left
 * it more of the cache. Its score then rises from the base score to
 *
 *     k * (lost lines / warp instructions of the core) * cutoff,  cutoff = warps * base score
 *
 * and falls by one point a cycle down to the base score. The warps are ranked by score. Those from
 * the first one on whose scores together exceed the cutoff may not access memory: warps that lose
 * locality push others out, until they have used their lines again. With all warps at the base
 * score everybody may.
 *
 * Decisions: lines and instructions count from the start of the kernel; a score is at most the
 * cutoff, so that the first warp always may; among equal scores the older warp comes first; a lost
 * line that was missed leaves the victim tags, as it is in L1 again; stores are held back as loads
 * are. A tag has 32 bits, folded from the address. An order is computed again when a line was lost,
 * a warp came or ended, or the fall of the scores changes it: to the cycle, as if computed in each.
 */
#include "cta/cta.h"
#include <string.h>

#define VICTIM_SETS 2
#define VICTIM_WAYS 8

struct ccws_opts {
	opt_u32 base, k;
};
static const struct opt_row ccws_opts[] = {
	CTA_PARAM(struct ccws_opts, base, u32, 100, 1, 10000, "points",
		  "score of a warp that lost no line"),
	CTA_PARAM(struct ccws_opts, k, u32, 8, 1, 1000, "",
		  "how much a lost line raises a score (K_throttle)"),
};

enum { R_THROTTLED, R_RELEASED };
static const struct rule ccws_rules[] = {
	[R_THROTTLED] = {"throttled",
			 "scores {sum} > cutoff {cutoff}: {allowed} of {warps} warps access "
			 "memory; {hits} lost lines so far",
			 .value = {"sum", "cutoff", "allowed", "warps", "hits"}},
	[R_RELEASED] = {"released",
			"scores {sum} <= cutoff {cutoff}: all {warps} warps access memory",
			.value = {"sum", "cutoff", "warps"}},
};

struct ccws_core {
	uint64_t falls_to_zero[MAX_WARPS]; /* the cycle in which the score of a warp would be 0 */
	uint64_t warps;			   /* unfinished, when they were ordered last */
	uint64_t lost;			   /* of them, those that missed a lost line since then */
	uint64_t hits;			   /* lost lines that were missed */
	uint64_t insts;			   /* of the core when the kernel began */
	uint32_t victim[MAX_WARPS][VICTIM_SETS][VICTIM_WAYS]; /* tags, the newest first; 0: none */
	uint32_t allowed;				      /* warps that may access memory */
	uint8_t owner[CTA_L1_PLACES]; /* of the line in each place: its warp plus 1; 0: unknown */
	uint8_t begun, pad[3];
};

static const struct cta_field ccws_fields[] = {
	CTA_FIELD_CORE(struct ccws_core, allowed, u32, "warps", "warps that may access memory"),
	CTA_FIELD_CORE(struct ccws_core, hits, u64, "lines", "lost lines that were missed"),
};

enum { G_SCORES, G_ALLOWED };
static const struct cta_gauge ccws_gauges[] = {
	[G_SCORES] = {"scores", "points", "sum of the scores of the core's warps", .high = "cutoff",
		      .per_core = true, .above = true},
	[G_ALLOWED] = {"allowed", "warps", "warps that may access memory", .high = "warps",
		       .per_core = true},
};

static struct ccws_core *
ccws_core(const struct cta_ctx *x, unsigned core)
{
	return (struct ccws_core *)x->state + core;
}

/* ---------------------------------------------------------------- lost lines */

static uint32_t
fold_tag(uint64_t line)
{
	return ((uint32_t)(line >> 5) ^ (uint32_t)(line >> 37)) + 1;
}

static uint32_t *
find_victim_set(struct ccws_core *c, unsigned warp, uint64_t line)
{
	return c->victim[warp][line >> 7 & (VICTIM_SETS - 1)];
}

/* Removes a tag from a set; false if it is not there. */
static bool
take_victim(uint32_t *set, uint32_t tag)
{
	for (unsigned i = 0; i < VICTIM_WAYS; i++)
		if (set[i] == tag) {
			memmove(set + i, set + i + 1, (VICTIM_WAYS - 1 - i) * sizeof(*set));
			set[VICTIM_WAYS - 1] = 0;
			return true;
		}
	return false;
}

static void
put_victim(uint32_t *set, uint32_t tag)
{
	take_victim(set, tag);
	memmove(set + 1, set, (VICTIM_WAYS - 1) * sizeof(*set));
	set[0] = tag;
}

static bool
ccws_l1_miss(struct cta_ctx *x, unsigned core, const struct cta_l1_miss *m)
{
	struct ccws_core *c = ccws_core(x, core);
	bool lost = take_victim(find_victim_set(c, m->warp, m->line), fold_tag(m->line));
	unsigned owner = c->owner[m->place];

	if (m->evicted != CTA_NO_LINE && owner)
		put_victim(find_victim_set(c, owner - 1, m->evicted), fold_tag(m->evicted));
	c->owner[m->place] = (uint8_t)(m->warp + 1);
	c->hits += lost;
	c->lost |= (uint64_t)lost << m->warp;
	return lost;
}

/* Forgets what the former warps in these places of the core have brought and lost. */
static void
forget_warps(struct ccws_core *c, uint64_t warps)
{
	for (unsigned i = 0; i < CTA_L1_PLACES; i++)
		if (c->owner[i] && warps >> (c->owner[i] - 1) & 1)
			c->owner[i] = 0;
	for (; warps; warps &= warps - 1) {
		unsigned w = (unsigned)__builtin_ctzll(warps);

		memset(c->victim[w], 0, sizeof(c->victim[w]));
		c->falls_to_zero[w] = 0;
		c->lost &= ~(UINT64_C(1) << w);
	}
}

/* ---------------------------------------------------------------- scores */

static uint64_t
score_of(const struct cta_ctx *x, const struct ccws_core *c, unsigned warp)
{
	const struct ccws_opts *o = x->opts;
	uint64_t now = x->gpu->cycle, end = c->falls_to_zero[warp];

	return end > now + o->base ? end - now : o->base;
}

static void
raise_scores(const struct cta_ctx *x, struct ccws_core *c, const struct cta_warps *w)
{
	const struct ccws_opts *o = x->opts;
	uint64_t cutoff = (uint64_t)w->n * o->base, insts = MAX(w->warp_insts - c->insts, 1);
	uint64_t score = c->hits * o->k * cutoff / insts;

	for (; c->lost; c->lost &= c->lost - 1)
		c->falls_to_zero[__builtin_ctzll(c->lost)] = x->gpu->cycle + MIN(score, cutoff);
}

struct ranking {
	unsigned n;
	uint8_t warp[MAX_WARPS]; /* by score, then by age */
	uint64_t score[MAX_WARPS], sum;
};

static void
rank_warps(const struct cta_ctx *x, const struct ccws_core *c, const struct cta_warps *w,
	   struct ranking *r)
{
	r->n = 0;
	r->sum = 0;
	for (unsigned i = 0; i < w->n; i++) {
		uint64_t score = score_of(x, c, w->oldest[i]);
		unsigned at = r->n++;

		for (; at && r->score[at - 1] < score; at--) {
			r->score[at] = r->score[at - 1];
			r->warp[at] = r->warp[at - 1];
		}
		r->score[at] = score;
		r->warp[at] = w->oldest[i];
		r->sum += score;
	}
}

/* How long the ranking lets as many warps access memory as now: until the sum that exceeds the
 * cutoff has fallen to it, or a score that falls reaches the base score. */
static cycle_t
next_change(const struct ranking *r, unsigned allowed, uint64_t over, uint64_t base)
{
	uint64_t falling = 0, least = CYCLE_NEVER;

	for (unsigned i = 0; i < r->n && r->score[i] > base; i++) {
		falling += i <= allowed;
		least = r->score[i] - base;
	}
	return MIN(least, (over + falling - 1) / MAX(falling, 1));
}

static cycle_t
ccws_warps(struct cta_ctx *x, unsigned core, const struct cta_warps *w, struct cta_warp_order *out)
{
	const struct ccws_opts *o = x->opts;
	struct ccws_core *c = ccws_core(x, core);
	uint64_t cutoff = (uint64_t)w->n * o->base, sum = 0;
	bool held = c->allowed < (unsigned)__builtin_popcountll(c->warps);
	struct ranking r;
	unsigned allowed = 0;

	if (!c->begun) {
		c->begun = 1;
		c->insts = w->warp_insts;
	}
	if (w->unfinished != c->warps)
		forget_warps(c, w->unfinished ^ c->warps);
	c->warps = w->unfinished;
	raise_scores(x, c, w);
	rank_warps(x, c, w, &r);
	while (allowed < r.n && sum + r.score[allowed] <= cutoff)
		sum += r.score[allowed++];
	for (unsigned i = allowed; i < r.n; i++)
		out->no_memory |= UINT64_C(1) << r.warp[i];
	c->allowed = allowed;
	if (held != (allowed < r.n))
		out->why =
			held ? (struct reason){R_RELEASED, {(int64_t)r.sum, (int64_t)cutoff, r.n}}
			     : (struct reason){R_THROTTLED,
					       {(int64_t)r.sum, (int64_t)cutoff, allowed, r.n,
						(int64_t)c->hits}};
	if (allowed == r.n)
		return CYCLE_NEVER;
	return x->gpu->cycle + next_change(&r, allowed, sum + r.score[allowed] - cutoff, o->base);
}

static void
ccws_read(const struct cta_ctx *x, unsigned core, struct cta_reading *r)
{
	const struct ccws_opts *o = x->opts;
	const struct ccws_core *c = ccws_core(x, core);
	unsigned n = (unsigned)__builtin_popcountll(c->warps);

	r[G_SCORES].value = 0;
	for (uint64_t k = c->warps; k; k &= k - 1)
		r[G_SCORES].value += (double)score_of(x, c, (unsigned)__builtin_ctzll(k));
	r[G_SCORES].high = (double)n * o->base;
	r[G_ALLOWED].value = c->allowed;
	r[G_ALLOWED].high = n;
}

const struct cta_sched_ops cta_sched_ccws = {
	.name = "ccws",
	.help = "warps that lose lines of L1 keep others from memory for a while; made for "
		"gto (Rogers 4)",
	.abi = CTA_SCHED_ABI,
	.warp_sched = "gto",
	.rules = ccws_rules,
	.n_rules = ARRAY_LEN(ccws_rules),
	.opts = ccws_opts,
	.n_opts = ARRAY_LEN(ccws_opts),
	.opts_size = sizeof(struct ccws_opts),
	.core_size = sizeof(struct ccws_core),
	.fields = ccws_fields,
	.n_fields = ARRAY_LEN(ccws_fields),
	.gauges = ccws_gauges,
	.n_gauges = ARRAY_LEN(ccws_gauges),
	.warps = ccws_warps,
	.l1_miss = ccws_l1_miss,
	.read = ccws_read,
};
