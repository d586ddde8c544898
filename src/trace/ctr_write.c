/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ctr_write.c - writes a .ctr: blocks as the CTAs come, the tables at the end. The layout is in
 * ctr.h.
 *
 * The file is written from front to back, and ctr_commit gives it its name. Nothing in it depends
 * on time or machine: the same CTAs give the same bytes with the same version of libzstd.
 */
#include "trace/ctr.h"
#include "trace/out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

struct ctr_writer {
	struct out *out;
	ZSTD_CCtx *zstd;
	uint8_t head[CTR_HEAD];
	struct strbuf block; /* the open block, unpacked */
	struct strbuf packed;
	uint64_t first; /* CTA of the open block */
	uint64_t cap;	/* blocks allocated in k->blocks */
};

void
ctr_abort(struct ctr_writer *w)
{
	if (!w)
		return;
	out_abort(w->out);
	ZSTD_freeCCtx(w->zstd);
	sb_free(&w->block);
	sb_free(&w->packed);
	free(w);
}

struct ctr_writer *
ctr_create(const char *path, struct err *e)
{
	struct ctr_writer *w = calloc(1, sizeof(*w));

	if (!w || !(w->zstd = ZSTD_createCCtx())) {
		ctr_abort(w);
		err_nomem(e);
		return NULL;
	}
	w->out = out_open(path, false, e);
	memcpy(w->head, CTR_MAGIC, CTR_MAGIC_SIZE);
	put_le(w->head + 8, CTR_VERSION, 4);
	put_le(w->head + 24, hash64(w->head, 24, CTR_HASH_SEED), 8);
	if (!w->out || out_write(w->out, w->head, sizeof(w->head), e)) {
		ctr_abort(w);
		return NULL;
	}
	return w;
}

/* Writes one zstd frame; *n is its length, *hash its hash. */
static int
put_frame(struct ctr_writer *w, const void *p, size_t size, uint64_t *n, uint64_t *hash,
	  struct err *e)
{
	size_t bound = ZSTD_compressBound(size);
	char *to;

	sb_clear(&w->packed);
	to = sb_reserve(&w->packed, bound);
	if (!to)
		return err_nomem(e);
	*n = ZSTD_compressCCtx(w->zstd, to, bound, p, size, CTR_ZSTD_LEVEL);
	if (ZSTD_isError(*n))
		return err_set(e, "cannot compress a block: %s", ZSTD_getErrorName(*n));
	*hash = hash64(to, *n, CTR_HASH_SEED);
	return out_write(w->out, to, *n, e);
}

static int
close_block(struct ctr_writer *w, struct kern *k, struct err *e)
{
	struct ctr_blocks *b = k->blocks;
	struct ctr_block *to;
	uint64_t cap;

	if (!b || b->n + 2 > w->cap) {
		cap = b ? w->cap * 2 : 16;
		b = realloc(k->blocks, sizeof(*b) + cap * sizeof(*b->block));
		if (!b)
			return err_nomem(e);
		if (!k->blocks)
			b->n = 0;
		k->blocks = b;
		w->cap = cap;
	}
	if (w->block.n == 0)
		return 0;
	to = &b->block[b->n];
	*to = (struct ctr_block){.first = w->first, .at = out_offset(w->out)};
	if (put_frame(w, w->block.p, w->block.n, &to->packed, &to->hash, e))
		return -1;
	b->n++;
	w->first = k->n_cta;
	sb_clear(&w->block);
	return 0;
}

int
ctr_put(struct ctr_writer *w, struct kern *k, const void *p, size_t n, struct err *e)
{
	if (kern_append_cta(k, p, n, false))
		return err_nomem(e);
	sb_add(&w->block, p, n);
	if (w->block.failed)
		return err_nomem(e);
	return w->block.n >= CTR_BLOCK ? close_block(w, k, e) : 0;
}

int
ctr_end_kernel(struct ctr_writer *w, struct kern *k, struct err *e)
{
	if (close_block(w, k, e))
		return -1;
	k->blocks->block[k->blocks->n] =
		(struct ctr_block){.first = k->n_cta, .at = out_offset(w->out)};
	w->cap = 0;
	w->first = 0;
	return 0;
}

/* The blocks of the file have no gaps, so those of the dropped kernel are cut off. */
int
ctr_drop_kernel(struct ctr_writer *w, const struct kern *k, struct err *e)
{
	sb_clear(&w->block);
	w->cap = 0;
	w->first = 0;
	return k->blocks && k->blocks->n ? out_cut(w->out, k->blocks->block[0].at, e) : 0;
}

/* ---- tables ---- */

static void
add_varint(struct strbuf *s, uint64_t v)
{
	uint8_t *p = (uint8_t *)sb_reserve(s, 10);

	if (p)
		s->n += (size_t)(put_varint(p, v) - p);
}

static void
add_text(struct strbuf *s, const char *p, size_t n)
{
	add_varint(s, n);
	sb_add(s, p, n);
}

static void
add_u64(struct strbuf *s, uint64_t v)
{
	uint8_t b[8];

	put_le(b, v, 8);
	sb_add(s, b, sizeof(b));
}

static void
add_rows(struct strbuf *s, const struct kern *k)
{
	uint32_t i, pc = 0;

	add_varint(s, k->n_inst);
	for (i = 0; i < k->n_inst; i++) {
		const struct inst *in = &k->inst[i];
		const struct inst_text *t = &k->text[i];
		const uint64_t field[] = {zigzag((int64_t)in->pc - pc),
					  in->line,
					  in->file,
					  in->cls,
					  in->space,
					  in->flags,
					  in->width};
		size_t f;

		for (f = 0; f < ARRAY_LEN(field); f++)
			add_varint(s, field[f]);
		add_text(s, (const char *)in->dst, in->n_dst);
		add_text(s, (const char *)in->src, in->n_src);
		add_varint(s, t->mem_width);
		add_varint(s, t->imm_kind);
		add_varint(s, zigzag(t->imm));
		add_text(s, t->op, t->op_len);
		pc = in->pc;
	}
}

static void
add_index(struct strbuf *s, const struct kern *k)
{
	const struct ctr_blocks *b = k->blocks;
	uint64_t i;

	add_varint(s, k->n_cta);
	add_varint(s, b->n);
	for (i = 0; i < b->n; i++) {
		add_varint(s, b->block[i + 1].first - b->block[i].first);
		add_varint(s, b->block[i].packed);
		add_u64(s, b->block[i].hash);
	}
	for (i = 0; i < k->n_cta; i++)
		add_varint(s, k->off[i + 1] - k->off[i]);
}

/* The name to store: "" for the usual one, which the kernel's id gives. */
static const char *
kept_name(const struct kern *k)
{
	char usual[40];

	snprintf(usual, sizeof(usual), "kernel-%u.traceg", k->pub.id);
	return k->file && strcmp(k->file, usual) != 0 ? k->file : "";
}

static void
add_kernel(struct strbuf *s, const struct kern *k)
{
	const struct trace_kernel *p = &k->pub;
	const uint64_t field[] = {p->id,	 p->grid[0],	    p->grid[1],	   p->grid[2],
				  p->block[0],	 p->block[1],	    p->block[2],   p->shmem,
				  p->regs,	 p->binary_version, p->shmem_base, p->local_base,
				  p->stream,	 k->tracer_version, k->lineinfo,   k->style,
				  p->warp_insts, p->thread_insts,   OP_CLASSES};
	uint32_t i;

	add_text(s, kept_name(k), strlen(kept_name(k)));
	add_text(s, k->head.p ? k->head.p : "", k->head.n);
	add_text(s, p->name, strlen(p->name));
	for (i = 0; i < ARRAY_LEN(field); i++)
		add_varint(s, field[i]);
	for (i = 0; i < OP_CLASSES; i++)
		add_varint(s, p->class_warp_insts[i]);
	add_u64(s, kern_content_hash(k));
	add_varint(s, p->n_files);
	for (i = 0; i < p->n_files; i++)
		add_text(s, k->files[i], strlen(k->files[i]));
	add_rows(s, k);
	add_index(s, k);
}

static int
put_tables(struct ctr_writer *w, const struct trace *t, struct err *e)
{
	uint8_t foot[CTR_FOOT], both[CTR_HEAD + 40];
	uint64_t at = out_offset(w->out), packed = 0, hash = 0;
	struct strbuf s = {0};
	uint32_t i;
	int r;

	add_varint(&s, t->n_cmd);
	for (i = 0; i < t->n_cmd; i++) {
		add_varint(&s, t->cmd[i].kind);
		if (t->cmd[i].kind == TRACE_KERNEL)
			continue;
		add_varint(&s, t->cmd[i].addr);
		add_varint(&s, t->cmd[i].bytes);
	}
	add_varint(&s, t->n_kern);
	for (i = 0; i < t->n_kern; i++)
		add_kernel(&s, t->kern[i]);
	if (s.failed)
		r = err_nomem(e);
	else if (s.n > CTR_MAX_TABLES)
		r = err_set(e, "the tables of the trace are larger than %llu MiB",
			    CTR_MAX_TABLES >> 20);
	else
		r = put_frame(w, s.p, s.n, &packed, &hash, e);
	if (r == 0) {
		put_le(foot, at, 8);
		put_le(foot + 8, packed, 8);
		put_le(foot + 16, s.n, 8);
		put_le(foot + 24, hash, 8);
		put_le(foot + 32, out_offset(w->out) + CTR_FOOT, 8);
		memcpy(both, w->head, CTR_HEAD);
		memcpy(both + CTR_HEAD, foot, 40);
		put_le(foot + 40, hash64(both, sizeof(both), CTR_HASH_SEED), 8);
		memcpy(foot + 48, CTR_FOOT_MAGIC, 8);
		r = out_write(w->out, foot, sizeof(foot), e);
	}
	sb_free(&s);
	return r;
}

int
ctr_commit(struct ctr_writer *w, const struct trace *t, struct err *e)
{
	struct out *out = w->out;
	int r = put_tables(w, t, e);

	if (r == 0) {
		w->out = NULL;
		r = out_commit(out, e);
	}
	ctr_abort(w);
	return r;
}
