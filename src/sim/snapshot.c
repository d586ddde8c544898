/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * snapshot.c - a point in time: saved, come back to, and the digest that says it is the same.
 *
 * A snapshot is an image of the arena and of the requests in use (base/pages.h), and the samples of
 * the time series, which lie outside of it in blocks that the run and its snapshots share
 * (sim/samples.h). The sim holds on to the image last taken or put back, the one that the next is
 * likely to have most in common with.
 */
#include "base/hash.h"
#include "base/pages.h"
#include "sim/sim_priv.h"
#include <stdlib.h>
#include <string.h>

uint64_t
sim_digest(struct sim *s)
{
	uint64_t h;

	sim_settle(s);
	h = hash64(s->arena, s->model_bytes, 0);
	return hash64(s->req, s->pool->high * sizeof(struct req), h);
}

struct snapshot {
	const struct sim *of;
	struct image *image;
	struct samples samples;
	unsigned n_samples;
	uint32_t n_req;
	char policy[sizeof(((struct config *)0)->policy)];
	cycle_t cycle;
};

#define PIECES 2

static void
pieces_of(const struct sim *s, uint32_t n_req, struct piece p[PIECES])
{
	p[0] = (struct piece){s->arena, s->arena_bytes};
	p[1] = (struct piece){(char *)s->req, n_req * sizeof(struct req)};
}

static void
remember(struct sim *s, struct image *m)
{
	image_share(m);
	image_free(s->image);
	s->image = m;
}

struct snapshot *
sim_save(struct sim *s, struct err *e)
{
	struct snapshot *k = calloc(1, sizeof(*k));
	struct piece piece[PIECES];

	sim_settle(s);
	pieces_of(s, s->pool->high, piece);
	if (k && !series_keep(s, &k->samples))
		k->image = image_take(s->image, piece, PIECES);
	if (!k || !k->image) {
		snapshot_free(k);
		err_set(e, "out of memory for a checkpoint of %zu bytes",
			piece[0].bytes + piece[1].bytes);
		return NULL;
	}
	remember(s, k->image);
	k->of = s;
	k->n_samples = series_count(s);
	k->n_req = s->pool->high;
	k->cycle = s->m->cycle;
	memcpy(k->policy, s->cfg->policy, sizeof(k->policy));
	return k;
}

int
sim_restore(struct sim *s, const struct snapshot *k, struct err *e)
{
	uint64_t generation = series_generation(s);
	uint32_t kernel = s->stack.h->kernel;
	struct piece piece[PIECES];

	if (k->of != s)
		return err_set(e, "the checkpoint was taken from another run");
	if (strcmp(k->policy, s->cfg->policy))
		return err_set(e, "the checkpoint was taken under policy %s, the run is under %s",
			       k->policy, s->cfg->policy);
	for (unsigned c = 0; c < s->n_cores; c++)
		for (unsigned i = 0; i < MAX_CTAS; i++)
			if (s->pin[c][i]) {
				trace_unpin(s->trace, kernel, s->pin[c][i]);
				s->pin[c][i] = NULL;
			}
	pieces_of(s, k->n_req, piece);
	image_put(k->image, piece, PIECES);
	remember(s, k->image);
	err_clear(&s->failure);
	kernel_attach(s);
	series_restored(s, &k->samples, generation);
	if (s->profile)
		profile_restart(s);
	if (s->past)
		past_restart(s);
	if (s->failure.set) {
		if (e)
			*e = s->failure;
		return -1;
	}
	return 0;
}

void
snapshot_free(struct snapshot *k)
{
	if (!k)
		return;
	image_free(k->image);
	samples_free(&k->samples);
	free(k);
}

cycle_t
snapshot_cycle(const struct snapshot *k)
{
	return k->cycle;
}

size_t
snapshot_bytes(const struct snapshot *k)
{
	return sizeof(*k) + image_bytes(k->image) + k->n_samples * k->samples.row_bytes;
}

size_t
snapshot_added(const struct snapshot *k)
{
	return sizeof(*k) + image_added(k->image);
}
