/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace.c - builds traces and hands out decoded CTAs. trace_open.c opens files.
 *
 * A pinned CTA is decoded once and its pins are counted. An unpinned one stays decoded, since
 * restoring a checkpoint needs the same CTAs again, until all decoded CTAs exceed the budget; then
 * the least recently used is freed. A pinned CTA is never freed, whatever the budget.
 *
 * CTAs that execute the same instructions share the records of the last decoded CTA that owns its
 * records; only their addresses differ. So the records stay in the host's caches.
 */
#include "trace/trace.h"
#include "trace/trace_obj.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_BUDGET (16ull << 20)
/* Bytes of a cached CTA besides the decoded one: its entry, its slot, two headers of malloc. */
#define CACHED_BYTES (sizeof(struct cached) + sizeof(struct cached *) + 32)

struct cached {
	struct cta_trace *cta;
	struct cached *owner; /* owns the records, and is pinned for it; NULL: cta owns them */
	uint32_t kernel, pins;
	size_t bytes;
	struct cached *next;	      /* in the slot */
	struct cached *newer, *older; /* in the list of the unpinned ones */
};

/* ---- building ---- */

struct trace *
trace_new(const char *path)
{
	struct trace *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->budget = DEFAULT_BUDGET;
	t->max_cta_bytes = TRACE_MAX_CTA_BYTES;
	t->path = strdup(path);
	if (!t->path) {
		free(t);
		return NULL;
	}
	return t;
}

static struct trace_cmd *
add_cmd(struct trace *t)
{
	if (t->n_cmd == t->cap_cmd) {
		uint32_t cap = t->cap_cmd ? t->cap_cmd * 2 : 16;
		struct trace_cmd *p = realloc(t->cmd, cap * sizeof(*p));

		if (!p)
			return NULL;
		t->cmd = p;
		t->cap_cmd = cap;
	}
	t->cmd[t->n_cmd] = (struct trace_cmd){0};
	return &t->cmd[t->n_cmd++];
}

int
trace_add_run(struct trace *t, struct err *e)
{
	struct trace_cmd *cmd = add_cmd(t);

	if (!cmd)
		return err_nomem(e);
	*cmd = (struct trace_cmd){.kind = TRACE_KERNEL, .kernel = t->n_run++};
	return 0;
}

int
trace_keep_kernel(struct trace *t, struct kern *k, struct err *e)
{
	if (t->n_kern == t->cap_kern) {
		uint32_t cap = t->cap_kern ? t->cap_kern * 2 : 16;
		struct kern **p = realloc(t->kern, cap * sizeof(*p));

		if (!p) {
			kern_free(k);
			return err_nomem(e);
		}
		t->kern = p;
		t->cap_kern = cap;
	}
	t->kern[t->n_kern++] = k;
	return 0;
}

int
trace_add_kernel(struct trace *t, struct kern *k, struct err *e)
{
	return trace_keep_kernel(t, k, e) || trace_add_run(t, e) ? -1 : 0;
}

int
trace_add_cmd(struct trace *t, const struct trace_cmd *c, struct err *e)
{
	struct trace_cmd *cmd = add_cmd(t);

	if (!cmd)
		return err_nomem(e);
	*cmd = *c;
	return 0;
}

int
trace_add_copy(struct trace *t, uint64_t addr, uint64_t bytes, struct err *e)
{
	const struct trace_cmd c = {.kind = TRACE_MEMCPY_H2D, .addr = addr, .bytes = bytes};

	return trace_add_cmd(t, &c, e);
}

int
trace_seal(struct trace *t, struct err *e)
{
	struct hash h;
	uint64_t word[3];
	uint32_t i, j;

	t->pub = calloc(t->n_kern + 1, sizeof(*t->pub));
	if (!t->pub)
		return err_nomem(e);
	for (i = 0; i < t->n_kern; i++)
		t->pub[i] = t->kern[i]->pub;
	hash_init(&h, 3);
	for (i = 0; i < t->n_cmd; i++) {
		const struct trace_cmd *c = &t->cmd[i];
		uint8_t bytes[24];

		word[0] = c->kind;
		word[1] = c->kind == TRACE_KERNEL ? t->kern[c->kernel]->digest : c->addr;
		word[2] = c->bytes;
		for (j = 0; j < 24; j++)
			bytes[j] = (uint8_t)(word[j / 8] >> (j % 8 * 8));
		hash_add(&h, bytes, sizeof(bytes));
	}
	t->info = (struct trace_info){.path = t->path,
				      .kernel = t->pub,
				      .n_kernels = t->n_kern,
				      .cmd = t->cmd,
				      .n_cmds = t->n_cmd,
				      .digest = hash_end(&h)};
	return 0;
}

const struct trace_info *
trace_info(const struct trace *t)
{
	return &t->info;
}

void
trace_close(struct trace *t)
{
	struct cached *c, *next;
	uint32_t i;

	if (!t)
		return;
	for (i = 0; i < t->n_slots; i++)
		for (c = t->slot[i]; c; c = next) {
			next = c->next;
			free(c->cta);
			free(c);
		}
	for (i = 0; i < t->n_kern; i++)
		kern_free(t->kern[i]);
	ctr_close(t->ctr);
	codec_free(&t->codec);
	free(t->slot);
	free(t->kern);
	free(t->pub);
	free(t->cmd);
	free(t->path);
	free(t);
}

/* ---- decoded CTAs ---- */

void
trace_set_cache(struct trace *t, uint64_t bytes)
{
	t->budget = bytes;
}

void
trace_set_cta_limit(struct trace *t, uint64_t bytes)
{
	t->max_cta_bytes = MIN(bytes, TRACE_MAX_CTA_BYTES);
}

const uint8_t *
trace_bytes(struct trace *t, uint32_t kernel, uint64_t cta, size_t *n, struct err *e)
{
	const struct kern *k = t->kern[kernel];

	if (t->ctr)
		return ctr_bytes(t->ctr, k, cta, n, e);
	*n = (size_t)(k->off[cta + 1] - k->off[cta]);
	return (const uint8_t *)k->blob.p + k->off[cta];
}

static struct cta_trace *
decode_cta(struct trace *t, uint32_t kernel, uint64_t cta, uint8_t **mode, uint64_t *present,
	   size_t *bytes, struct err *e)
{
	struct cta_trace *c;
	struct err why = {0};
	const uint8_t *p;
	size_t n;

	if (kernel >= t->n_kern || cta >= t->kern[kernel]->n_cta) {
		err_set(e, "no thread block %llu of kernel %u in '%s'", (unsigned long long)cta,
			kernel, t->path);
		return NULL;
	}
	p = trace_bytes(t, kernel, cta, &n, e);
	if (!p)
		return NULL;
	c = cta_decode(&t->codec, t->kern[kernel], p, n, t->max_cta_bytes, mode, present, bytes,
		       &why);
	if (!c) {
		err_at(e, t->path, 0, NULL, 0, 1, "kernel %u, thread block %llu: %s",
		       t->kern[kernel]->pub.id, (unsigned long long)cta, why.msg);
		err_as(e, why.kind);
	} else {
		c->id = cta;
	}
	return c;
}

struct cta_trace *
trace_decode(struct trace *t, uint32_t kernel, uint64_t cta, uint8_t **mode, uint64_t *present,
	     struct err *e)
{
	size_t bytes;

	return decode_cta(t, kernel, cta, mode, present, &bytes, e);
}

static struct cached **
slot_of(const struct trace *t, uint32_t kernel, uint64_t cta)
{
	return &t->slot[hash_mix(cta << 20 ^ kernel) & (t->n_slots - 1)];
}

static struct cached *
find_cached(const struct trace *t, uint32_t kernel, uint64_t cta)
{
	struct cached *c = t->n_slots ? *slot_of(t, kernel, cta) : NULL;

	while (c && (c->kernel != kernel || c->cta->id != cta))
		c = c->next;
	return c;
}

static void
unlink_unpinned(struct trace *t, struct cached *c)
{
	*(c->newer ? &c->newer->older : &t->newest) = c->older;
	*(c->older ? &c->older->newer : &t->oldest) = c->newer;
	c->newer = c->older = NULL;
}

static void
pin_cached(struct trace *t, struct cached *c)
{
	if (c->pins++ == 0)
		unlink_unpinned(t, c);
}

static void
unpin_cached(struct trace *t, struct cached *c)
{
	if (--c->pins)
		return;
	c->older = t->newest;
	*(t->newest ? &t->newest->newer : &t->oldest) = c;
	t->newest = c;
}

static void
evict_unpinned(struct trace *t)
{
	while (t->cached_bytes > t->budget && t->oldest) {
		struct cached *c = t->oldest, **at = slot_of(t, c->kernel, c->cta->id);

		while (*at != c)
			at = &(*at)->next;
		*at = c->next;
		unlink_unpinned(t, c);
		t->cached_bytes -= c->bytes;
		t->n_cached--;
		if (c->owner)
			unpin_cached(t, c->owner);
		if (t->last_owner == c)
			t->last_owner = NULL;
		free(c->cta);
		free(c);
	}
}

static bool
same_records(const struct cta_trace *a, const struct cta_trace *b)
{
	for (uint32_t w = 0; w < a->n_warps; w++)
		if (a->warp[w].n != b->warp[w].n ||
		    memcmp(a->warp[w].rec, b->warp[w].rec, a->warp[w].n * sizeof(*a->warp[w].rec)))
			return false;
	return true;
}

/* Lets a CTA that was just decoded use the records of an earlier one, if they are the same. Its own
 * are the end of its memory, which is then freed. */
static void
share_records(struct trace *t, struct cached *c)
{
	struct cached *o = t->last_owner;
	struct cta_trace *p = c->cta;
	struct wstream *stream = (struct wstream *)(p + 1);
	size_t bytes = (size_t)((const char *)stream[0].rec - (const char *)p);

	if (!o || o->kernel != c->kernel || !same_records(o->cta, p)) {
		t->last_owner = c;
		return;
	}
	pin_cached(t, o);
	c->owner = o;
	for (uint32_t w = 0; w < p->n_warps; w++) {
		c->bytes -= stream[w].n * sizeof(*stream[w].rec);
		stream[w].rec = o->cta->warp[w].rec;
	}
	p = realloc(p, bytes);
	if (!p)
		return; /* the memory stays as long as it was */
	stream = (struct wstream *)(p + 1);
	p->warp = stream;
	p->addr = (const uint64_t *)(stream + p->n_warps);
	c->cta = p;
}

static bool
grow_slots(struct trace *t)
{
	uint32_t n = t->n_slots ? t->n_slots * 2 : 256, old = t->n_slots, i;
	struct cached **was = t->slot, **slot = calloc(n, sizeof(*slot)), *c, *next;

	if (!slot)
		return old != 0; /* longer chains work, too */
	t->slot = slot;
	t->n_slots = n;
	for (i = 0; i < old; i++)
		for (c = was[i]; c; c = next) {
			struct cached **at = slot_of(t, c->kernel, c->cta->id);

			next = c->next;
			c->next = *at;
			*at = c;
		}
	free(was);
	return true;
}

const struct cta_trace *
trace_pin(struct trace *t, uint32_t kernel, uint64_t cta, struct err *e)
{
	struct cached *c = find_cached(t, kernel, cta), **at;

	if (c) {
		pin_cached(t, c);
		return c->cta;
	}
	c = calloc(1, sizeof(*c));
	if (!c || (t->n_cached >= t->n_slots && !grow_slots(t))) {
		free(c);
		err_nomem(e);
		return NULL;
	}
	c->cta = decode_cta(t, kernel, cta, NULL, NULL, &c->bytes, e);
	if (!c->cta || kern_check_atomics(t->kern[kernel], c->cta, e) < 0) {
		free(c->cta);
		free(c);
		return NULL;
	}
	c->bytes += CACHED_BYTES;
	c->kernel = kernel;
	c->pins = 1;
	share_records(t, c);
	at = slot_of(t, kernel, cta);
	c->next = *at;
	*at = c;
	t->n_cached++;
	t->cached_bytes += c->bytes;
	evict_unpinned(t);
	return c->cta;
}

void
trace_unpin(struct trace *t, uint32_t kernel, const struct cta_trace *cta)
{
	struct cached *c = cta ? find_cached(t, kernel, cta->id) : NULL;

	if (!c || c->pins == 0)
		return;
	unpin_cached(t, c);
	evict_unpinned(t);
}

uint32_t
trace_lanes(const struct cta_trace *c, const struct winst *w, uint64_t lane[WARP_SIZE])
{
	const uint64_t *a = c->addr + w->at;
	uint32_t access = 0, i;
	uint64_t at;

	if (w->mode == ADDR_LIST) {
		memcpy(lane, a, WARP_SIZE * sizeof(*lane));
		return w->mask;
	}
	memset(lane, 0, WARP_SIZE * sizeof(*lane));
	if (w->mode != ADDR_STRIDE || !w->mask)
		return 0;
	at = a[0];
	for (i = (uint32_t)__builtin_ctz(w->mask); i < WARP_SIZE && w->mask >> i & 1; i++) {
		lane[i] = at;
		access |= 1u << i;
		at += a[1];
	}
	return access;
}
