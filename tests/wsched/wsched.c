/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wsched.c - the warp schedulers on masks that the test constructs.
 *
 * Every rule of tl and owl is checked once by hand. Then many random views are given to the
 * scheduler and to a plain model that works on lists instead of masks, and the answers are
 * compared.
 */
#include "tests/tap.h"
#include "wsched/wsched.h"
#include <string.h>

#define B(n) (UINT64_C(1) << (n))

/* 16 warps, four CTAs of four; slot 2 is the oldest, then 0, 3, 1. */
static const uint64_t slots[] = {0xf, 0xf0, 0xf00, 0xf000};
static const uint8_t ages[] = {2, 0, 3, 1};

/* Both have the size of a group as their first parameter, and store the turns first. */
struct state {
	uint64_t turn, front;
};
static struct {
	opt_u32 group;
	opt_bool spread;
} opts;

static const struct warp_sched_ops *
by_name(const char *name)
{
	unsigned i = 0;

	while (wsched_table[i] && strcmp(wsched_table[i]->name, name) != 0)
		i++;
	return wsched_table[i];
}

static struct wsched_view
view(unsigned group)
{
	opts.group = group;
	return (struct wsched_view){.mine = 0xffff,
				    .slot_warps = slots,
				    .by_age = ages,
				    .n_slots = 4,
				    .n_sched = 1,
				    .opts = &opts,
				    .last = 63};
}

/* One cycle: returns the pick, and remembers the warp that issued last, as the core does. */
static unsigned
pick(const char *name, struct wsched_view *v, struct state *st, uint64_t can, uint64_t stalled)
{
	unsigned w;

	v->can = can;
	v->stalled = stalled;
	w = by_name(name)->pick(v, st);
	if (w != WSCHED_NONE)
		v->last = w;
	return w;
}

static void
names(void)
{
	unsigned n = 0;

	for (; wsched_table[n]; n++) {
		const struct warp_sched_ops *o = wsched_table[n];

		is_str(o->name, wsched_names[n], "row %u has its name in the list", n);
		ok(o->help && o->pick && (!o->n_opts || o->opts_size), "%s is complete", o->name);
		for (unsigned i = 0; i < o->n_opts; i++)
			ok(strncmp(o->opts[i].name, o->name, strlen(o->name)) == 0 &&
				   o->opts[i].name[strlen(o->name)] == '_',
			   "%s: its parameter %s is named after it", o->name, o->opts[i].name);
	}
	ok(n >= 4 && !wsched_names[n], "the list of names ends");
}

static void
simple(void)
{
	struct wsched_view v = view(0);
	struct state st = {0};

	is_u64(pick("lrr", &v, &st, 0x0106, 0), 1, "lrr: starts at the first warp");
	is_u64(pick("lrr", &v, &st, 0x0106, 0), 2, "lrr: then the next one");
	is_u64(pick("lrr", &v, &st, 0x0006, 0), 1, "lrr: round");
	is_u64(pick("lrr", &v, &st, 0, 0), WSCHED_NONE, "lrr: none of none");
	v.last = 0;
	is_u64(pick("gto", &v, &st, 0x8021, 0), 0, "gto: the last one");
	is_u64(pick("gto", &v, &st, 0x8020, 0), 15, "gto: else the oldest CTA's");
	is_u64(pick("gto", &v, &st, 0x4c00, 0), 10, "gto: its lowest warp");
	is_u64(pick("gto", &v, &st, 0, 0), WSCHED_NONE, "gto: none of none");
}

static void
tl_turns(void)
{
	struct wsched_view v = view(4);
	struct state st = {0};

	is_u64(pick("tl", &v, &st, 0xffff, 0), 0, "tl: group 0 begins");
	is_u64(pick("tl", &v, &st, 0xffff, 0), 1, "tl: its warps take turns");
	is_u64(pick("tl", &v, &st, 0xfff9, 0), 3, "tl: one that cannot is passed over");
	is_u64(pick("tl", &v, &st, 0xffff, 0), 0, "tl: round within the group");
	is_u64(pick("tl", &v, &st, 0xfff0, 0), WSCHED_NONE,
	       "tl: short waits of the whole group: others wait too");
	is_u64(pick("tl", &v, &st, 0xfff0, 0x7), WSCHED_NONE,
	       "tl: three of four stalled: the same");
	is_u64(pick("tl", &v, &st, 0xfff0, 0xf), 4, "tl: all stalled: the next group");
	is_u64(pick("tl", &v, &st, 0xffff, 0), 5, "tl: which keeps the core");
	is_u64(pick("tl", &v, &st, 0x00ff, 0xfff0), 1,
	       "tl: over a group that is all stalled, and round; group 0 goes on where it was");
	is_u64(pick("tl", &v, &st, 0, 0xffff), WSCHED_NONE, "tl: all groups stalled: none");
	is_u64(st.front, 0, "tl: and the active one stays");
	is_u64(pick("tl", &v, &st, 0, 0xf0ff), WSCHED_NONE, "tl: nobody can");
	is_u64(st.front, 2, "tl: but a group with a short wait is active now");
	is_u64(pick("tl", &v, &st, 0xf00f, 0), WSCHED_NONE, "tl: and holds the core");
}

static void
tl_groups(void)
{
	struct wsched_view v = view(2);
	struct state st = {0};

	/* the second of two schedulers: warps 1, 3, 5, ... */
	v.n_sched = 2;
	v.mine = 0xaaaa;
	is_u64(pick("tl", &v, &st, 0xaaa0, 0x2), WSCHED_NONE,
	       "tl: groups are of the scheduler's own warps: 1 and 3 first");
	is_u64(pick("tl", &v, &st, 0xaaa0, 0xa), 5, "tl: then 5 and 7");
	is_u64(pick("tl", &v, &st, 0xaaa0, 0xa), 7, "tl: 7 is of that group");
	is_u64(pick("tl", &v, &st, 0xaaa0, 0xa), 5, "tl: 9 is not");
	is_u64(pick("tl", &v, &st, 0x8000, ~UINT64_C(0x8000)), 15, "tl: up to the last one");
	/* one group of all; groups of one; 64 warps */
	v = view(64);
	v.mine = ~UINT64_C(0);
	st = (struct state){0};
	is_u64(pick("tl", &v, &st, B(63), 0), 63, "tl: one group of 64: warp 63 is in it");
	is_u64(pick("tl", &v, &st, B(63) | B(5), 0), 5, "tl: and after it comes 5");
	opts.group = 1;
	st = (struct state){.front = 63};
	is_u64(pick("tl", &v, &st, B(0), 0), WSCHED_NONE, "tl: groups of one: 63 holds");
	is_u64(pick("tl", &v, &st, B(0) | B(62), B(63)), 0, "tl: behind 63 comes 0");
	opts.group = 24;
	v.mine = B(48) - 1;
	st = (struct state){.front = 1};
	is_u64(pick("tl", &v, &st, B(23) | B(24), 0), 24, "tl: 24 begins the second of two");
	opts.group = 64;
	v.n_sched = 4;
	st = (struct state){0};
	v.mine = UINT64_C(0x8888888888888888);
	is_u64(pick("tl", &v, &st, B(59) | B(63), 0), 59, "tl: a group larger than all");
}

static void
owl(void)
{
	struct wsched_view v = view(1);
	struct state st = {0};

	is_u64(pick("owl", &v, &st, 0xffff, 0), 8, "owl: the oldest CTA first");
	is_u64(pick("owl", &v, &st, 0xffff, 0), 9, "owl: its warps take turns");
	is_u64(pick("owl", &v, &st, 0xf0ff, 0), 0, "owl: it cannot: the next oldest");
	is_u64(pick("owl", &v, &st, 0xf0ff, 0), 1, "owl: while it cannot");
	is_u64(pick("owl", &v, &st, 0xfdff, 0), 10,
	       "owl: it takes the core back at once and goes on where it was");
	is_u64(pick("owl", &v, &st, 0xf0f0, 0), 12, "owl: age counts, not the slot");
	is_u64(pick("owl", &v, &st, 0x00f0, 0), 4, "owl: the youngest when nobody else can");
	is_u64(pick("owl", &v, &st, 0xf1ff, 0), 8, "owl: round within the CTA");
	is_u64(pick("owl", &v, &st, 0xffff, 0xf00), 9,
	       "owl: whoever can issue is not asked about waits");
	is_u64(pick("owl", &v, &st, 0, 0), WSCHED_NONE, "owl: none of none");
	v = view(2);
	st = (struct state){0};
	is_u64(pick("owl", &v, &st, 0xffff, 0), 0, "owl: groups of two CTAs: 2 and 0");
	is_u64(pick("owl", &v, &st, 0xff0e, 0), 1, "owl: turns over both");
	is_u64(pick("owl", &v, &st, 0xff00, 0), 8, "owl: the older of them has no more right");
	is_u64(pick("owl", &v, &st, 0xf0f0, 0), 4, "owl: the second group is 3 and 1");
	v.n_slots = 3;
	is_u64(pick("owl", &v, &st, 0xf000, 0), 12, "owl: the last group may be smaller");
	is_u64(pick("owl", &v, &st, 0xf006, 0), 1, "owl: the first one keeps its right");
	opts.group = 16;
	st = (struct state){0};
	is_u64(pick("owl", &v, &st, 0xf004, 0), 2, "owl: one group of all");
	is_u64(pick("owl", &v, &st, 0xf004, 0), 12, "owl: which all take turns");
}

/* Neighbouring cores begin with other groups; by age the CTAs are in the slots 2, 0, 3, 1. */
static void
owl_spread(void)
{
	static const uint8_t left[] = {2, 3, 1}, next[] = {2, 3, 1, 0};
	struct wsched_view v = view(1);
	struct state st = {0}, other = {0};

	opts.spread = true;
	v.core = 1;
	is_u64(pick("owl", &v, &st, 0xffff, 0), 0, "owl_spread: core 1 puts the second CTA first");
	is_u64(pick("owl", &v, &st, 0xfff0, 0), 12, "then the third");
	is_u64(pick("owl", &v, &st, 0x0f00, 0), 8, "and round: the first one last");
	v.core = 7;
	is_u64(pick("owl", &v, &other, 0xffff, 0), 4, "core 7, of four groups, the fourth");
	v.core = 1;
	v.by_age = left + 1;
	v.n_slots = 2;
	is_u64(pick("owl", &v, &other, 0xf0f0, 0), 5, "a CTA that became older stays first");
	v.by_age = left;
	v.n_slots = 3;
	is_u64(pick("owl", &v, &st, 0xff00 | 0xf0, 0), 13, "core 1 when its CTA has ended");
	st = (struct state){0};
	v.by_age = ages;
	v.n_slots = 4;
	pick("owl", &v, &st, 0xffff, 0);
	v.by_age = next;
	is_u64(pick("owl", &v, &st, 0xffff, 0), 12, "and when another one has its slot");
	st = (struct state){0};
	v.by_age = ages;
	for (v.n_slots = 1; v.n_slots < 3; v.n_slots++)
		pick("owl", &v, &st, 0xffff, 0);
	v.n_slots = 4;
	v.core = 2;
	is_u64(pick("owl", &v, &st, 0xffff, 0), 12,
	       "while CTAs arrive, core 2 looks for the third");
	v.n_slots = 3;
	v.core = 1;
	is_u64(pick("owl", &v, &st, 0xffff, 0), 13, "with fewer it keeps it");
	v = view(2);
	st = (struct state){0};
	v.core = 3;
	is_u64(pick("owl", &v, &st, 0x0fff, 0), 4, "groups of two: core 3 begins with 3 and 1");
	is_u64(pick("owl", &v, &st, 0x0f0f, 0), 0, "then 2 and 0");
	opts.spread = false;
}

/* ---------------------------------------------------------------- against a plain model */

struct plain {
	unsigned front;
	int last[64]; /* per group, warp; -1: none yet */
};

static uint64_t rnd_state = 88172645463325252u;

static uint64_t
rnd(void)
{
	rnd_state ^= rnd_state << 13;
	rnd_state ^= rnd_state >> 7;
	return rnd_state ^= rnd_state << 17;
}

/* The first of a list after `last`, in circular order, that can issue. */
static unsigned
in_turn(const unsigned *w, unsigned n, int last, uint64_t can)
{
	unsigned from = 0;

	for (unsigned i = 0; i < n; i++)
		if ((int)w[i] == last)
			from = i + 1;
	for (unsigned i = 0; i < n; i++)
		if (can >> w[(from + i) % n] & 1)
			return w[(from + i) % n];
	return WSCHED_NONE;
}

static unsigned
plain_tl(struct plain *p, const struct wsched_view *v)
{
	unsigned list[64][64], n[64] = {0}, groups = 0, w;
	bool up[64] = {false};

	for (unsigned i = 0, rank = 0; i < 64; i++)
		if (v->mine >> i & 1) {
			unsigned g = rank++ / opts.group;

			list[g][n[g]++] = i;
			up[g] |= !(v->stalled >> i & 1);
			groups = g + 1;
		}
	for (unsigned i = 0; i < groups && !up[p->front]; i++)
		if (up[(p->front + i) % groups])
			p->front = (p->front + i) % groups;
	w = in_turn(list[p->front], n[p->front], p->last[p->front], v->can);
	if (w != WSCHED_NONE)
		p->last[p->front] = (int)w;
	return w;
}

static unsigned
plain_owl(struct plain *p, const struct wsched_view *v)
{
	for (unsigned g = 0; g * opts.group < v->n_slots; g++) {
		unsigned list[64], n = 0, w;

		for (unsigned i = 0; i < 64; i++)
			for (unsigned k = g * opts.group; k < v->n_slots && k / opts.group == g;
			     k++)
				if (v->slot_warps[v->by_age[k]] >> i & 1)
					list[n++] = i;
		w = in_turn(list, n, p->last[g], v->can);
		if (w != WSCHED_NONE) {
			p->last[g] = (int)w;
			return w;
		}
	}
	return WSCHED_NONE;
}

/* 48 or 64 warps, one to four schedulers, CTAs of six or eight. */
static void
beside(const char *name, unsigned n_sched, unsigned group)
{
	const struct warp_sched_ops *o = by_name(name);
	bool tl = strcmp(name, "tl") == 0;
	unsigned per_cta = n_sched == 3 ? 6 : 8, wrong = 0, none = 0;
	struct state st = {0}, before;
	struct plain p = {0};
	uint64_t warps[8];
	struct wsched_view v = {.slot_warps = warps,
				.by_age = (const uint8_t *)"\5\2\7\0\1\6\3\4",
				.n_slots = 8,
				.n_sched = n_sched,
				.opts = &opts.group};

	opts.group = group;
	memset(p.last, -1, sizeof(p.last));
	for (unsigned i = 0; i < 8; i++)
		warps[i] = (B(per_cta) - 1) << i * per_cta;
	for (unsigned w = n_sched - 1; w < 8 * per_cta; w += n_sched)
		v.mine |= B(w);
	for (unsigned i = 0; i < 4000; i++) {
		unsigned got, want, again;

		v.stalled = rnd() | (rnd() & rnd());
		v.can = v.mine & ~v.stalled & (i % 3 ? rnd() : rnd() & rnd() & rnd());
		if (rnd() % 4 == 0) /* a whole CTA waits */
			v.stalled |= warps[rnd() % 8], v.can &= ~v.stalled;
		got = o->pick(&v, &st);
		want = tl ? plain_tl(&p, &v) : plain_owl(&p, &v);
		wrong += got != want;
		if (got != WSCHED_NONE)
			continue;
		none += v.can != 0;
		before = st;
		again = o->pick(&v, &st);
		wrong += again != WSCHED_NONE || memcmp(&st, &before, sizeof(st));
	}
	is_u64(wrong, 0, "%s, %u schedulers, groups of %u: as the plain model, and idempotent",
	       name, n_sched, group);
	ok(!tl ? !none : none || group >= 8, "%s, %u schedulers, groups of %u: held back %u times",
	   name, n_sched, group, none);
}

int
main(void)
{
	static const unsigned size[] = {1, 2, 3, 8, 16, 64};

	names();
	simple();
	tl_turns();
	tl_groups();
	owl();
	owl_spread();
	for (unsigned n = 1; n <= 4; n++)
		for (unsigned i = 0; i < sizeof(size) / sizeof(size[0]); i++) {
			beside("tl", n, size[i]);
			if (size[i] <= 16)
				beside("owl", n, size[i]);
		}
	return done();
}
