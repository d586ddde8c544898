/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * snapshot.c - saves and restores a point in time, and computes the digest that identifies a state.
 *
 * A snapshot is an image of the arena and of the requests in use (base/pages.h), plus the samples
 * of the time series, which are outside the arena in blocks that the run and its snapshots share
 * (sim/samples.h). The sim keeps the last image taken or restored, because the next image probably
 * shares most pages with it. The policy stack and the live options are stored separately, once for
 * all snapshots between two changes.
 *
 * As bytes, a snapshot is a head, the names of the policies that its events refer to (files by
 * their paths), the live options, and the parts as they are in memory; the arena holds no
 * pointer. Only the same program can read it, which sim_build_id() verifies. Completeness is
 * checked by a checksum; a state forged together with its checksum is not detected.
 */
#include "base/hash.h"
#include "base/pages.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "sim/sim_priv.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static size_t
bytes_in_use(const struct req_pool *p)
{
	return req_count(p) * sizeof(struct req);
}

uint64_t
sim_hash_requests(const struct sim *s, uint64_t h)
{
	for (unsigned i = 0; i < POOLS; i++)
		h = hash64(s->req + s->pool[i].first, bytes_in_use(s->pool + i), h);
	return h;
}

uint64_t
sim_digest(struct sim *s)
{
	uint64_t h;

	sim_settle(s);
	h = hash64(s->arena, s->model_bytes, 0);
	return sim_hash_requests(s, h);
}

struct setting {
	unsigned refs;
	struct config *cfg; /* a copy */
};

struct snapshot {
	const struct sim *of;
	struct image *image;
	struct setting *setting;
	struct samples samples;
	unsigned n_samples;
	uint32_t n_req[POOLS]; /* requests of each pool */
	char policy[POLICY_TEXT];
	cycle_t cycle;
};

/* ---------------------------------------------------------------- settings */

static void
setting_free(struct setting *g)
{
	if (!g || --g->refs)
		return;
	config_free(g->cfg);
	free(g);
}

void
snapshot_setting_changed(struct sim *s)
{
	setting_free(s->setting);
	s->setting = NULL;
}

/* The present setting with one more holder; NULL: out of memory. */
static struct setting *
setting_share(struct sim *s)
{
	if (!s->setting) {
		struct setting *g = calloc(1, sizeof(*g));

		if (g && !(g->cfg = config_copy(s->cfg))) {
			free(g);
			g = NULL;
		}
		if (!g)
			return NULL;
		g->refs = 1;
		s->setting = g;
	}
	s->setting->refs++;
	return s->setting;
}

static int
setting_put(struct sim *s, const struct snapshot *k, struct err *e)
{
	struct cta_stack next = s->stack;
	struct setting *g = k->setting;

	if (s->setting == g)
		return 0;
	config_put_back(s->cfg, g->cfg);
	if (sim_lay_out_stack(s, &next, e) < 0)
		return -1;
	s->stack = next;
	snapshot_setting_changed(s);
	g->refs++;
	s->setting = g;
	return 0;
}

/* ---------------------------------------------------------------- snapshots */

#define RANGES (1 + POOLS)

/* The arena, and from each pool its first n requests. */
static void
ranges_of(const struct sim *s, const uint32_t n[POOLS], struct memory_range p[RANGES])
{
	p[0] = (struct memory_range){s->arena, s->arena_bytes};
	for (unsigned i = 0; i < POOLS; i++)
		p[1 + i] = (struct memory_range){(char *)(s->req + s->pool[i].first),
						 n[i] * sizeof(struct req)};
}

static size_t
ranges_bytes(const struct memory_range p[RANGES])
{
	size_t n = 0;

	for (unsigned i = 0; i < RANGES; i++)
		n += p[i].bytes;
	return n;
}

static void
keep_image(struct sim *s, struct image *m)
{
	image_share(m);
	image_free(s->image);
	s->image = m;
}

struct snapshot *
sim_save(struct sim *s, struct err *e)
{
	struct snapshot *k = calloc(1, sizeof(*k));
	struct memory_range range[RANGES];

	sim_settle(s);
	for (unsigned i = 0; k && i < POOLS; i++)
		k->n_req[i] = req_count(s->pool + i);
	if (k)
		ranges_of(s, k->n_req, range);
	if (k)
		k->setting = setting_share(s);
	if (k && k->setting && !series_keep(s, &k->samples))
		k->image = image_take(s->image, range, RANGES);
	if (!k || !k->image) {
		snapshot_free(k);
		err_of(e, ERR_MEMORY, "out of memory for a checkpoint of %zu bytes",
		       k ? ranges_bytes(range) : s->arena_bytes);
		return NULL;
	}
	keep_image(s, k->image);
	k->of = s;
	k->n_samples = series_count(s);
	k->cycle = s->machine->cycle;
	memcpy(k->policy, s->cfg->policy, sizeof(k->policy));
	return k;
}

int
sim_restore(struct sim *s, const struct snapshot *k, struct err *e)
{
	uint64_t generation = series_generation(s);
	struct memory_range range[RANGES];

	if (k->of != s && k->of != s->twin_of)
		return err_set(e, "the checkpoint was taken from another run");
	if (k->of != s) { /* the numbers by which events name policies */
		memcpy(s->stack.seen, k->of->stack.seen, sizeof(s->stack.seen));
		s->stack.n_seen = k->of->stack.n_seen;
	}
	if (setting_put(s, k, e) < 0)
		return -1;
	s->resampled = 0;
	for (unsigned c = 0; c < s->n_cores; c++)
		for (unsigned i = 0; i < MAX_CTAS; i++)
			if (s->pin[c][i]) {
				trace_unpin(s->trace, concurrent_kernel_of(s, c, i), s->pin[c][i]);
				s->pin[c][i] = NULL;
			}
	ranges_of(s, k->n_req, range);
	image_put(k->image, range, RANGES);
	keep_image(s, k->image);
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
	setting_free(k->setting);
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

size_t
snapshot_own(const struct snapshot *k)
{
	return sizeof(*k) + image_own(k->image);
}

/* ---------------------------------------------------------------- as bytes */

#define BYTE_ORDER_MARK UINT32_C(0x01020304)

struct head {
	uint64_t hash; /* of everything after it */
	uint32_t order, req_bytes, n_req[POOLS], n_samples, n_seen, pad;
	uint64_t arena_bytes, model_bytes, row_bytes;
	uint64_t digest; /* sim_digest() in this state */
	cycle_t cycle;
	uint32_t seen_bytes, option_bytes;
	char policy[POLICY_TEXT];
};

static size_t
whole_pages(size_t bytes)
{
	return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

/* Allocates memory for the ranges of a state outside any sim; release with ranges_free(). */
static int
ranges_new(const struct sim *s, const uint32_t n[POOLS], struct memory_range p[RANGES])
{
	bool all = true;

	ranges_of(s, n, p);
	for (unsigned i = 0; i < RANGES; i++) {
		p[i].mem = calloc(1, MAX(whole_pages(p[i].bytes), 1));
		all = all && p[i].mem;
	}
	return all ? 0 : -1;
}

static void
ranges_free(struct memory_range p[RANGES])
{
	for (unsigned i = 0; i < RANGES; i++)
		free(p[i].mem);
}

static uint64_t
ranges_digest(const struct sim *s, const struct memory_range p[RANGES])
{
	uint64_t h = hash64(p[0].mem, s->model_bytes, 0);

	for (unsigned i = 1; i < RANGES; i++)
		h = hash64(p[i].mem, p[i].bytes, h);
	return h;
}

static void
write_option(void *ctx, const char *key, const struct opt_group *g ATTR_UNUSED,
	     const struct opt_row *r ATTR_UNUSED)
{
	const struct config *c = ((void **)ctx)[0];
	char value[128];

	if (config_is_choice(c, key) && opt_get(&c->db, key, value, sizeof(value), NULL) == 0)
		sb_printf(((void **)ctx)[1], "%s %s\n", key, value);
}

/* The name of a policy in the file: its name, or the path of its file. */
static const char *
policy_word(const struct config *c, const struct cta_sched_ops *o)
{
	for (unsigned i = 0; i < c->n_known; i++)
		if (c->known[i] == o && c->plugin[i])
			return c->plugin[i]->path;
	return o->name;
}

void
snapshot_write(const struct sim *s, const struct snapshot *k, struct strbuf *out)
{
	struct head h = {.order = BYTE_ORDER_MARK,
			 .req_bytes = sizeof(struct req),
			 .n_samples = k->n_samples,
			 .arena_bytes = s->arena_bytes,
			 .model_bytes = s->model_bytes,
			 .row_bytes = k->samples.row_bytes,
			 .cycle = k->cycle,
			 .n_seen = s->stack.n_seen};
	size_t at = out->n, body = at + sizeof(h);
	void *ctx[] = {k->setting->cfg, out};
	struct memory_range range[RANGES];

	memcpy(h.policy, k->policy, sizeof(h.policy));
	memcpy(h.n_req, k->n_req, sizeof(h.n_req));
	sb_add(out, &h, sizeof(h));
	for (unsigned i = 0; i < h.n_seen; i++)
		sb_printf(out, "%s%c", policy_word(s->cfg, s->stack.seen[i]), 0);
	h.seen_bytes = (uint32_t)(out->n - body);
	opt_each(&k->setting->cfg->db, write_option, ctx);
	sb_char(out, '\0');
	h.option_bytes = (uint32_t)(out->n - body - h.seen_bytes);
	if (ranges_new(s, k->n_req, range) == 0) {
		image_put(k->image, range, RANGES);
		h.digest = ranges_digest(s, range);
		for (unsigned i = 0; i < RANGES; i++)
			sb_add(out, range[i].mem, range[i].bytes);
	} else {
		out->failed = true;
	}
	ranges_free(range);
	for (unsigned i = 0; i < k->n_samples; i++)
		sb_add(out, samples_at(&k->samples, i), k->samples.row_bytes);
	if (out->failed)
		return;
	memcpy(out->p + at, &h, sizeof(h));
	h.hash = hash64(out->p + at + sizeof(h.hash), out->n - at - sizeof(h.hash), 0);
	memcpy(out->p + at, &h.hash, sizeof(h.hash));
}

/* Does the head fit this machine, and do the n bytes match the head? */
static int
check_head(const struct sim *s, const struct head *h, const char *bytes, size_t n, struct err *e)
{
	uint64_t need, n_req = 0;
	uint32_t most = 0;

	if (n < sizeof(*h) || h->hash != hash64(bytes + sizeof(h->hash), n - sizeof(h->hash), 0))
		return err_set(e, "the state is damaged: its checksum is wrong");
	if (h->order != BYTE_ORDER_MARK || h->req_bytes != sizeof(struct req))
		return err_set(e, "the state was written on another kind of computer");
	if (h->arena_bytes != s->arena_bytes || h->model_bytes != s->model_bytes ||
	    h->row_bytes != s->samples.row_bytes)
		return err_set(e,
			       "the state belongs to another machine: %" PRIu64
			       " bytes, this one has %zu",
			       h->arena_bytes, s->arena_bytes);
	for (unsigned i = 0; i < POOLS; i++) {
		n_req += h->n_req[i];
		most = MAX(most, h->n_req[i]);
	}
	need = sizeof(*h) + (uint64_t)h->seen_bytes + h->option_bytes + h->arena_bytes +
	       n_req * h->req_bytes + h->n_samples * h->row_bytes;
	if (most > s->cfg->run.max_requests || h->n_samples > series_room(s) || n != need ||
	    !memchr(h->policy, 0, sizeof(h->policy)))
		return err_set(e, "the state is damaged: its sizes contradict each other");
	return 0;
}

/* Restores the numbers by which events name policies. Policies from files are loaded. */
static int
read_seen(struct sim *s, const struct head *h, const char *body, struct err *e)
{
	const struct cta_sched_ops *seen[CTA_SEEN];
	const char *at = body, *end = body + h->seen_bytes;

	if (h->n_seen > CTA_SEEN || (h->seen_bytes && end[-1]))
		return err_set(e, "the state is damaged: its policies have no names");
	for (unsigned i = 0; i < h->n_seen; i++, at += strlen(at) + 1) {
		seen[i] = NULL;
		if (at < end && strchr(at, '/') && config_policy(s->cfg, at, e) < 0)
			return -1;
		for (unsigned k = 0; at < end && k < s->cfg->n_known; k++)
			if (strcmp(policy_word(s->cfg, s->cfg->known[k]), at) == 0)
				seen[i] = s->cfg->known[k];
		if (!seen[i])
			return err_set(e, "the state names an unknown policy '%.60s'",
				       at < end ? at : "");
	}
	memcpy(s->stack.seen, seen, h->n_seen * sizeof(seen[0]));
	s->stack.n_seen = h->n_seen;
	return 0;
}

/* Options of policies that the run knew but did not use are unknown here. */
static int
read_options(struct config *c, const char *text, size_t n, struct err *e)
{
	const char *end = text + n;

	if (!n || end[-1])
		return err_set(e, "the state is damaged: its options have no end");
	while (*text) {
		char key[128], value[128];

		if (!span_copy(word_next(&text), key, sizeof(key)) ||
		    !span_copy(word_next(&text), value, sizeof(value)) ||
		    (opt_find(&c->db, key, NULL) && opt_set(&c->db, key, value, e) < 0))
			return -1;
		text = skip_blanks(text);
	}
	return 0;
}

/* Reads the setting of the state. It is built in the sim's own configuration, which is then
 * restored. */
static int
read_setting(struct sim *s, const struct head *h, const char *body, struct snapshot *k,
	     struct err *e)
{
	struct config *before = config_copy(s->cfg);
	struct setting *g = calloc(1, sizeof(*g));
	int rc = before && g ? read_seen(s, h, body, e) : err_nomem(e);

	if (rc == 0)
		rc = config_policy(s->cfg, h->policy, e);
	if (rc == 0)
		rc = read_options(s->cfg, body + h->seen_bytes, h->option_bytes, e);
	if (rc == 0 && !(g->cfg = config_copy(s->cfg)))
		rc = err_nomem(e);
	if (before)
		config_put_back(s->cfg, before);
	config_free(before);
	if (rc == 0) {
		g->refs = 1;
		k->setting = g;
		return sim_lay_out_stack(s, &s->stack, e);
	}
	free(g);
	return rc;
}

#define IN_FILE(of) ((const void *)(p[0].mem + ((const char *)(of)-s->arena)))

/* Do the kernels of the state exist, and the places of several at once? */
static bool
kernels_are_valid(const struct sim *s, const struct memory_range p[RANGES])
{
	const struct concurrent *c = s->concurrent ? IN_FILE(s->concurrent) : NULL;
	const struct ready *r = s->concurrent ? IN_FILE(s->ready) : NULL;

	for (unsigned i = 0; i < s->n_places; i++) {
		const struct cta_host *host = IN_FILE(s->host[i]);

		if (host->kernel >= MAX(s->info->n_kernels, 1))
			return false;
	}
	if (!c)
		return true;
	for (unsigned i = 0; i < s->n_cores; i++)
		for (unsigned k = 0; k < MAX_CTAS; k++)
			if (c->place_of[i][k] >= s->n_places)
				return false;
	for (uint32_t i = 0; i < s->plan->n_streams; i++)
		if (r->stream[i].next != READY_NONE && r->stream[i].next >= s->info->n_cmds)
			return false;
	return c->selected < s->n_places && c->turn < s->n_places && r->issued <= s->info->n_cmds;
}

/* Are p the states of pools with n requests each? */
static bool
are_pools(const struct req_pool *p, const struct req_pool *pool, const uint32_t n[POOLS])
{
	for (unsigned i = 0; i < POOLS; i++)
		if (p[i].first != pool[i].first || p[i].end != pool[i].end ||
		    req_count(p + i) != n[i])
			return false;
	return true;
}

/* Checks what the arena says about sizes outside it; the rest is not checked. */
static bool
sizes_are_valid(const struct sim *s, const struct head *h, const struct memory_range p[RANGES])
{
	const struct req_pool *pool = IN_FILE(s->pool);
	const struct machine *m = IN_FILE(s->machine);
	const struct event_ring *ring = IN_FILE(s->events);

	return are_pools(pool, s->pool, h->n_req) && m->cycle == h->cycle &&
	       kernels_are_valid(s, p) && ring->mask == s->events->mask &&
	       series_count_in(IN_FILE(s->series)) == h->n_samples &&
	       h->digest == ranges_digest(s, p);
}
#undef IN_FILE

static int
read_ranges(struct sim *s, const struct head *h, const char *at, struct snapshot *k, struct err *e)
{
	struct memory_range range[RANGES];
	bool good = false, memory = ranges_new(s, h->n_req, range) == 0;

	for (unsigned i = 0; memory && i < RANGES; i++) {
		memcpy(range[i].mem, at, range[i].bytes);
		at += range[i].bytes;
	}
	if (memory && !sizes_are_valid(s, h, range)) {
		err_set(e, "the state is damaged: it contradicts itself");
	} else {
		k->image = memory ? image_take(s->image, range, RANGES) : NULL;
		good = k->image && samples_init(&k->samples, h->row_bytes, series_room(s)) == 0;
		for (unsigned i = 0; good && i < h->n_samples; i++, at += h->row_bytes) {
			void *row = samples_add(&k->samples, i);

			good = row;
			if (row)
				memcpy(row, at, h->row_bytes);
		}
		if (!good)
			err_of(e, ERR_MEMORY, "out of memory for a state of %" PRIu64 " bytes",
			       h->arena_bytes);
	}
	ranges_free(range);
	return good ? 0 : -1;
}

struct snapshot *
snapshot_read(struct sim *s, const void *bytes, size_t n, struct err *e)
{
	const char *body = (const char *)bytes + sizeof(struct head);
	struct snapshot *k;
	struct head h = {0};

	memcpy(&h, bytes, MIN(n, sizeof(h)));
	if (check_head(s, &h, bytes, n, e))
		return NULL;
	k = calloc(1, sizeof(*k));
	if (!k) {
		err_nomem(e);
		return NULL;
	}
	k->of = s;
	k->n_samples = h.n_samples;
	memcpy(k->n_req, h.n_req, sizeof(k->n_req));
	k->cycle = h.cycle;
	memcpy(k->policy, h.policy, sizeof(k->policy));
	if (read_ranges(s, &h, body + h.seen_bytes + h.option_bytes, k, e) ||
	    read_setting(s, &h, body, k, e)) {
		snapshot_free(k);
		return NULL;
	}
	return k;
}

const char *
snapshot_policy(const struct snapshot *k)
{
	return k->setting->cfg->policy;
}
