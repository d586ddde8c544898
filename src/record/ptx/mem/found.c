/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * found.c - keeps the findings that do not end a launch: accesses out of bounds, races, reads of
 * uninitialized memory, if the launch is to continue after them, and divergent barriers.
 *
 * A place is a kernel, a line of its PTX, and the kind of finding. The first time, the function
 * that would have ended the launch produces the message, in a separate error; after that the place
 * is only counted. Launches that continue are run by one thread.
 *
 * Limitation: at most MAX_PLACES places are kept; further ones are dropped.
 */
#include "record/ptx/mem/mem.h"
#include <stdlib.h>
#include <string.h>

#define MAX_PLACES 10000u

struct ptx_findings {
	void (*on_new)(void *ctx, const struct ptx_finding *f);
	void *ctx;
	struct ptx_finding *item;
	uint32_t n, cap;
	uint32_t last; /* index of the place found last */
	uint64_t launch;
};

struct ptx_findings *
ptx_findings_new(void (*on_new)(void *ctx, const struct ptx_finding *f), void *ctx)
{
	struct ptx_findings *f = calloc(1, sizeof(*f));

	if (f) {
		f->on_new = on_new;
		f->ctx = ctx;
	}
	return f;
}

void
ptx_findings_free(struct ptx_findings *f)
{
	for (uint32_t i = 0; f && i < f->n; i++)
		free(f->item[i].kernel);
	if (f)
		free(f->item);
	free(f);
}

void
ptx_findings_launch(struct ptx_findings *f, uint64_t launch)
{
	f->launch = launch;
}

uint32_t
ptx_findings_n(const struct ptx_findings *f)
{
	return f->n;
}

const struct ptx_finding *
ptx_findings_at(const struct ptx_findings *f, uint32_t i)
{
	return &f->item[i];
}

static bool
is_same_place(const struct ptx_finding *p, const struct run *r, const struct prog_inst *in,
	      enum ptx_check kind)
{
	return p->e.line == in->line && p->kind == kind &&
	       strcmp(p->kernel, r->launch->kernel->name) == 0 &&
	       strncmp(p->e.file, r->module->ast->name, sizeof(p->e.file) - 1) == 0;
}

/* The finding of this place, NULL when it is new. */
static struct ptx_finding *
find_place(struct ptx_findings *f, const struct run *r, const struct prog_inst *in,
	   enum ptx_check kind)
{
	if (f->last < f->n && is_same_place(&f->item[f->last], r, in, kind))
		return &f->item[f->last];
	for (f->last = 0; f->last < f->n; f->last++)
		if (is_same_place(&f->item[f->last], r, in, kind))
			return &f->item[f->last];
	return NULL;
}

static struct ptx_finding *
add_finding(struct ptx_findings *f)
{
	if (f->n == f->cap) {
		uint32_t cap = f->cap ? 2 * f->cap : 16;
		struct ptx_finding *more = realloc(f->item, cap * sizeof(*more));

		if (!more)
			return NULL;
		f->item = more;
		f->cap = cap;
	}
	f->item[f->n] = (struct ptx_finding){.launch = f->launch};
	return &f->item[f->n];
}

bool
found_known(const struct warp *w, const struct prog_inst *in, enum ptx_check kind)
{
	const struct run *r = w->cta->run;
	const struct ptx_findings *f = r->launch->findings;

	for (uint32_t i = 0; f && i < f->n; i++)
		if (is_same_place(&f->item[i], r, in, kind))
			return true;
	return !f || f->n == MAX_PLACES;
}

bool
found_before(struct warp *w, const struct prog_inst *in, enum ptx_check kind, struct found_pause *p)
{
	struct run *r = w->cta->run;
	struct ptx_findings *f = r->launch->findings;
	struct ptx_finding *place = f ? find_place(f, r, in, kind) : NULL;

	if (place)
		place->times++;
	if (!f || place || f->n == MAX_PLACES)
		return true;
	*p = (struct found_pause){.kept = r->e};
	r->e = &p->mine;
	return false;
}

void
found_new(struct warp *w, const struct prog_inst *in, int lane, enum ptx_check kind,
	  struct found_pause *p)
{
	const struct cta *c = w->cta;
	struct run *r = c->run;
	struct ptx_findings *f = r->launch->findings;
	const uint32_t *block = r->launch->block;
	uint32_t id = w->id * WARP_SIZE + (uint32_t)lane;
	struct ptx_finding *place = add_finding(f);

	r->e = p->kept;
	if (!place || !(place->kernel = strdup(r->launch->kernel->name)))
		return;
	place->kind = kind;
	place->times = 1;
	place->e = p->mine;
	memcpy(place->cta, c->xyz, sizeof(place->cta));
	place->thread[0] = id % block[0];
	place->thread[1] = id / block[0] % block[1];
	place->thread[2] = id / block[0] / block[1];
	prog_place(r->module, in, place->source, sizeof(place->source));
	f->last = f->n++;
	if (f->on_new)
		f->on_new(f->ctx, place);
}
