/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record_beside.c - lets several threads collect the CTAs of one kernel. A writer beside another
 * one collects and encodes a CTA; the other one appends it to the trace, in the order of the CTAs,
 * so that the bytes do not depend on which thread collected which CTA.
 *
 * All writers read the rows of the kernel, and none adds one meanwhile, as rows are numbered in the
 * order in which they are added. A CTA that needs a new row is an error.
 */
#include "trace/record_part.h"

#include <stdlib.h>
#include <string.h>

struct trace_pack {
	uint32_t xyz[3];
	uint64_t bytes; /* of the decoded CTA */
	struct kern_counts counts;
	struct strbuf enc;
};

struct trace_writer *
trace_writer_beside(const struct trace_writer *of, struct err *e)
{
	struct trace_writer *w;

	if (!of->k || of->in_cta) {
		err_set(e, of->k ? "the thread block before was not ended" : "no kernel is open");
		return NULL;
	}
	w = calloc(1, sizeof(*w));
	if (!w) {
		err_nomem(e);
		return NULL;
	}
	w->k = of->k;
	w->kind = of->kind;
	w->n_kind = of->n_kind;
	w->max_cta_bytes = of->max_cta_bytes;
	w->folder = of->folder;
	w->memory = of->memory;
	w->isa = of->isa;
	memcpy(w->lanes, of->lanes, sizeof(w->lanes));
	return w;
}

struct trace_pack *
trace_writer_pack(struct trace_writer *w, struct err *e)
{
	struct trace_pack *p = calloc(1, sizeof(*p));

	if (!p) {
		err_nomem(e);
		return NULL;
	}
	memcpy(p->xyz, w->b.xyz, sizeof(p->xyz));
	p->bytes = ctabuf_bytes(&w->b);
	p->counts = w->counts;
	p->enc = w->enc;
	w->enc = (struct strbuf){0};
	return p;
}

int
trace_writer_put(struct trace_writer *w, struct trace_pack *p, struct err *e)
{
	int rc = record_mark_cta(w, p->xyz, e);

	if (!rc)
		rc = record_push_cta(w, &p->enc, p->bytes, &p->counts, e);
	trace_pack_free(p);
	return rc;
}

void
trace_pack_free(struct trace_pack *p)
{
	if (!p)
		return;
	sb_free(&p->enc);
	free(p);
}
