/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ctr_mutate.h - changes the meaning of a .ctr. It parses the file into commands, kernels, rows and
 * encoded thread blocks, changes one thing, and writes it again with correct counts, lengths,
 * frames and checksums, so that the reader meets the change itself.
 *
 * Parts that must agree mostly stay in agreement (the text of a header and its fields, the grid and
 * the number of blocks), since a disagreement is rejected at once; sometimes they do not. Limits
 * (below) keep the file small; one beyond them is changed byte by byte.
 */
#ifndef TESTS_FUZZ_CTR_MUTATE_H
#define TESTS_FUZZ_CTR_MUTATE_H

#include "base/strbuf.h"
#include "trace/ctr.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define PARTS_CMDS 16
#define PARTS_KERNELS 4
#define PARTS_FILES 4
#define PARTS_ROWS 48
#define PARTS_CTAS 24
#define PARTS_ROOM (192u << 10) /* bytes of all texts and blocks */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

struct section {
	uint8_t *p;
	size_t n;
};

struct part_row {
	uint64_t first[7]; /* zigzag pc step, line, file, class, space, flags, width */
	struct section dst, src;
	uint64_t last[3]; /* memory width, kind of immediate, zigzag immediate */
	struct section op;
};

enum part_field {
	FIELD_ID,
	FIELD_GRID,
	FIELD_BLOCK = 4,
	FIELD_SHMEM = 7,
	FIELD_REGS,
	FIELD_BINARY,
	FIELD_SHMEM_BASE,
	FIELD_LOCAL_BASE,
	FIELD_STREAM,
	FIELD_TRACER,
	FIELD_LINEINFO,
	FIELD_STYLE,
	FIELD_WARP_INSTS,
	FIELD_THREAD_INSTS,
	PART_FIELDS
};

struct part_kernel {
	struct section name, head, kernel; /* file name, header text, kernel name */
	uint64_t field[PART_FIELDS], classes[64], n_classes, content;
	struct section file[PARTS_FILES];
	struct part_row row[PARTS_ROWS];
	struct section cta[PARTS_CTAS];
	uint64_t n_files, n_rows, n_ctas;
};

struct parts {
	struct {
		uint64_t kind, addr, bytes;
	} cmd[PARTS_CMDS];
	struct part_kernel kern[PARTS_KERNELS];
	uint64_t n_cmds, n_kernels;
	uint8_t room[PARTS_ROOM];
	size_t used;
	uint32_t random;
};

/* Created once, since they are larger than all data that they process. */
static inline ZSTD_CCtx *
zstd_in(void)
{
	static ZSTD_CCtx *c;

	return c ? c : (c = ZSTD_createCCtx());
}

static inline ZSTD_DCtx *
zstd_out(void)
{
	static ZSTD_DCtx *d;

	return d ? d : (d = ZSTD_createDCtx());
}

/* ---- taking apart ---- */

struct parts_in {
	struct parts *to;
	const uint8_t *p, *end;
	bool bad;
};

static inline uint64_t
part_number(struct parts_in *in, uint64_t max)
{
	uint64_t v = 0;

	if (in->bad || !get_varint(&in->p, in->end, &v) || v > max) {
		in->bad = true;
		return 0;
	}
	return v;
}

static inline struct section
part_bytes(struct parts_in *in, size_t n)
{
	struct section x = {in->to->room + in->to->used, n};

	if (in->bad || n > (size_t)(in->end - in->p) || n > PARTS_ROOM - in->to->used) {
		in->bad = true;
		return (struct section){in->to->room, 0};
	}
	if (n)
		memcpy(x.p, in->p, n);
	in->p += n;
	in->to->used += n;
	return x;
}

static inline struct section
part_text(struct parts_in *in)
{
	return part_bytes(in, part_number(in, PARTS_ROOM));
}

static inline uint64_t
part_u64(struct parts_in *in)
{
	struct section x = part_bytes(in, 8);

	return x.n == 8 ? get_le(x.p, 8) : 0;
}

/* Parses the blocks of a kernel, from *at in the file. */
static inline void
part_ctas(struct parts_in *in, struct part_kernel *k, const uint8_t *file, size_t *at, size_t end)
{
	static uint8_t raw[PARTS_ROOM];
	uint64_t ctas = part_number(in, PARTS_CTAS), blocks = part_number(in, PARTS_CTAS);
	size_t n = 0;

	for (uint64_t i = 0; i < blocks && !in->bad; i++) {
		uint64_t packed;
		size_t r;

		part_number(in, PARTS_CTAS);
		packed = part_number(in, end - *at);
		part_u64(in);
		r = ZSTD_decompressDCtx(zstd_out(), raw + n, sizeof(raw) - n, file + *at, packed);
		in->bad |= ZSTD_isError(r) != 0;
		n += in->bad ? 0 : r;
		*at += packed;
	}
	for (size_t i = 0, from = 0; i < ctas && !in->bad; i++) {
		size_t len = part_number(in, n - from);
		struct parts_in cut = {in->to, raw + from, raw + n, in->bad};

		k->cta[i] = part_bytes(&cut, len);
		in->bad = cut.bad;
		from += len;
	}
	k->n_ctas = ctas;
}

static inline void
part_kernel(struct parts_in *in, struct part_kernel *k)
{
	k->name = part_text(in);
	k->head = part_text(in);
	k->kernel = part_text(in);
	for (unsigned i = 0; i < PART_FIELDS; i++)
		k->field[i] = part_number(in, UINT64_MAX);
	k->n_classes = part_number(in, ARRAY_LEN(k->classes));
	for (unsigned i = 0; i < k->n_classes; i++)
		k->classes[i] = part_number(in, UINT64_MAX);
	k->content = part_u64(in);
	k->n_files = part_number(in, PARTS_FILES);
	for (unsigned i = 0; i < k->n_files; i++)
		k->file[i] = part_text(in);
	k->n_rows = part_number(in, PARTS_ROWS);
	for (unsigned i = 0; i < k->n_rows; i++) {
		struct part_row *r = &k->row[i];

		for (unsigned f = 0; f < ARRAY_LEN(r->first); f++)
			r->first[f] = part_number(in, UINT64_MAX);
		r->dst = part_text(in);
		r->src = part_text(in);
		for (unsigned f = 0; f < ARRAY_LEN(r->last); f++)
			r->last[f] = part_number(in, UINT64_MAX);
		r->op = part_text(in);
	}
}

/* Returns false if it is not a valid .ctr, or larger than fits. */
static inline bool
parts_read(struct parts *to, const uint8_t *file, size_t n)
{
	static uint8_t tables[PARTS_ROOM];
	struct parts_in in = {.to = to};
	uint64_t at, packed;
	size_t got, block = CTR_HEAD;

	to->used = 0;
	if (n < CTR_HEAD + CTR_FOOT)
		return false;
	at = get_le(file + n - CTR_FOOT, 8);
	packed = get_le(file + n - CTR_FOOT + 8, 8);
	if (at < CTR_HEAD || at > n - CTR_FOOT || packed > n - CTR_FOOT - at)
		return false;
	got = ZSTD_decompressDCtx(zstd_out(), tables, sizeof(tables), file + at, packed);
	if (ZSTD_isError(got))
		return false;
	in.p = tables;
	in.end = tables + got;
	to->n_cmds = part_number(&in, PARTS_CMDS);
	for (unsigned i = 0; i < to->n_cmds; i++) {
		to->cmd[i].kind = part_number(&in, UINT64_MAX);
		if (to->cmd[i].kind == TRACE_KERNEL)
			continue;
		to->cmd[i].addr = part_number(&in, UINT64_MAX);
		to->cmd[i].bytes = part_number(&in, UINT64_MAX);
	}
	to->n_kernels = part_number(&in, PARTS_KERNELS);
	for (unsigned i = 0; i < to->n_kernels && !in.bad; i++) {
		part_kernel(&in, &to->kern[i]);
		if (!in.bad)
			part_ctas(&in, &to->kern[i], file, &block, at);
	}
	return !in.bad && in.p == in.end;
}

/* ---- putting together ---- */

static inline void
put_number(struct strbuf *s, uint64_t v)
{
	uint8_t b[10];

	sb_add(s, b, (size_t)(put_varint(b, v) - b));
}

static inline void
put_section(struct strbuf *s, struct section x)
{
	put_number(s, x.n);
	if (x.n)
		sb_add(s, x.p, x.n);
}

static inline void
put_u64(struct strbuf *s, uint64_t v)
{
	uint8_t b[8];

	put_le(b, v, 8);
	sb_add(s, b, 8);
}

/* Appends a frame to s; returns its bytes in the file. */
static inline size_t
put_packed(struct strbuf *s, const struct strbuf *raw)
{
	size_t bound = ZSTD_compressBound(raw->n), n;
	char *to = sb_reserve(s, bound);

	n = to ? ZSTD_compressCCtx(zstd_in(), to, bound, raw->n ? raw->p : "", raw->n, 1) : 0;
	s->n += ZSTD_isError(n) ? 0 : n;
	return ZSTD_isError(n) ? 0 : n;
}

static inline void
put_kernel(struct strbuf *t, struct strbuf *file, const struct part_kernel *k)
{
	struct strbuf raw = {0};
	size_t packed, at = file->n;

	put_section(t, k->name);
	put_section(t, k->head);
	put_section(t, k->kernel);
	for (unsigned i = 0; i < PART_FIELDS; i++)
		put_number(t, k->field[i]);
	put_number(t, k->n_classes);
	for (unsigned i = 0; i < k->n_classes; i++)
		put_number(t, k->classes[i]);
	put_u64(t, k->content);
	put_number(t, k->n_files);
	for (unsigned i = 0; i < k->n_files; i++)
		put_section(t, k->file[i]);
	put_number(t, k->n_rows);
	for (unsigned i = 0; i < k->n_rows; i++) {
		const struct part_row *r = &k->row[i];

		for (unsigned f = 0; f < ARRAY_LEN(r->first); f++)
			put_number(t, r->first[f]);
		put_section(t, r->dst);
		put_section(t, r->src);
		for (unsigned f = 0; f < ARRAY_LEN(r->last); f++)
			put_number(t, r->last[f]);
		put_section(t, r->op);
	}
	put_number(t, k->n_ctas);
	put_number(t, k->n_ctas > 0);
	for (unsigned i = 0; i < k->n_ctas; i++)
		if (k->cta[i].n)
			sb_add(&raw, k->cta[i].p, k->cta[i].n);
	if (k->n_ctas) {
		packed = put_packed(file, &raw);
		put_number(t, k->n_ctas);
		put_number(t, packed);
		put_u64(t, hash64(file->p + at, packed, CTR_HASH_SEED));
	}
	for (unsigned i = 0; i < k->n_ctas; i++)
		put_number(t, k->cta[i].n);
	sb_free(&raw);
}

static inline void
parts_write(const struct parts *x, struct strbuf *file)
{
	uint8_t both[CTR_HEAD + CTR_FOOT] = {0}, *foot = both + CTR_HEAD;
	struct strbuf t = {0};
	size_t at, packed;

	memcpy(both, CTR_MAGIC, CTR_MAGIC_SIZE);
	put_le(both + 8, CTR_VERSION, 4);
	put_le(both + 24, hash64(both, 24, CTR_HASH_SEED), 8);
	sb_add(file, both, CTR_HEAD);
	put_number(&t, x->n_cmds);
	for (unsigned i = 0; i < x->n_cmds; i++) {
		put_number(&t, x->cmd[i].kind);
		if (x->cmd[i].kind == TRACE_KERNEL)
			continue;
		put_number(&t, x->cmd[i].addr);
		put_number(&t, x->cmd[i].bytes);
	}
	put_number(&t, x->n_kernels);
	for (unsigned i = 0; i < x->n_kernels; i++)
		put_kernel(&t, file, &x->kern[i]);
	at = file->n;
	packed = put_packed(file, &t);
	put_le(foot, at, 8);
	put_le(foot + 8, packed, 8);
	put_le(foot + 16, t.n, 8);
	put_le(foot + 24, hash64(file->p + at, packed, CTR_HASH_SEED), 8);
	put_le(foot + 32, file->n + CTR_FOOT, 8);
	put_le(foot + 40, hash64(both, CTR_HEAD + 40, CTR_HASH_SEED), 8);
	memcpy(foot + 48, CTR_FOOT_MAGIC, 8);
	sb_add(file, foot, CTR_FOOT);
	sb_free(&t);
}

/* ---- one change ---- */

static inline uint32_t
part_random(struct parts *x, uint64_t n)
{
	x->random ^= x->random << 13;
	x->random ^= x->random >> 17;
	x->random ^= x->random << 5;
	return n ? (uint32_t)(x->random % n) : 0;
}

static inline void
change_number(struct parts *x, uint64_t *v)
{
	static const uint64_t edge[] = {0,	    1,		2,	    3,	       31,
					32,	    33,		63,	    64,	       65,
					127,	    128,	255,	    256,       1023,
					1024,	    1025,	2047,	    2048,      65535,
					65536,	    1u << 20,	1u << 24,   1u << 26,  INT32_MAX,
					UINT32_MAX, 1ull << 32, 1ull << 47, INT64_MAX, UINT64_MAX};
	/* a short list of the values that are allowed in these fields */
	static const uint64_t known[] = {35, 60, 61, 70, 75, 80, 86, 5, 4, 3};

	switch (part_random(x, 5)) {
	case 0:
		*v = edge[part_random(x, ARRAY_LEN(edge))];
		break;
	case 1:
		*v += part_random(x, 9) - 4u;
		break;
	case 2:
		*v ^= 1ull << part_random(x, part_random(x, 2) ? 8 : 64);
		break;
	case 3:
		*v = known[part_random(x, ARRAY_LEN(known))];
		break;
	default:
		*v = part_random(x, 40);
	}
}

static inline void
change_section(struct parts *x, struct section *t)
{
	size_t room = PARTS_ROOM - x->used, more = t->n + 1 + part_random(x, 32);

	if (more > room || more > 4096)
		return;
	if (t->n)
		memmove(x->room + x->used, t->p, t->n);
	t->p = x->room + x->used;
	t->n = LLVMFuzzerMutate(t->p, t->n, more);
	x->used += more;
}

/* Makes the header text agree with the fields. */
static inline void
agree(struct parts *x, struct part_kernel *k)
{
	struct kern *h = kern_new();
	char name[64];

	if (!h)
		return;
	snprintf(name, sizeof(name), "%.*s", (int)MIN(k->kernel.n, sizeof(name) - 1),
		 (const char *)k->kernel.p);
	h->pub.id = (uint32_t)k->field[FIELD_ID];
	for (unsigned i = 0; i < 3; i++) {
		h->pub.grid[i] = (uint32_t)k->field[FIELD_GRID + i];
		h->pub.block[i] = (uint32_t)k->field[FIELD_BLOCK + i];
	}
	h->pub.shmem = (uint32_t)k->field[FIELD_SHMEM];
	h->pub.regs = (uint32_t)k->field[FIELD_REGS];
	h->pub.binary_version = (uint32_t)k->field[FIELD_BINARY];
	h->pub.shmem_base = k->field[FIELD_SHMEM_BASE];
	h->pub.local_base = k->field[FIELD_LOCAL_BASE];
	h->pub.stream = k->field[FIELD_STREAM];
	h->tracer_version = (uint32_t)k->field[FIELD_TRACER];
	h->lineinfo = k->field[FIELD_LINEINFO] != 0;
	kern_compose_head(h, name);
	if (h->head.n <= PARTS_ROOM - x->used) {
		k->head.p = x->room + x->used;
		k->head.n = h->head.n;
		memcpy(k->head.p, h->head.p, h->head.n);
		x->used += h->head.n;
	}
	kern_free(h);
}

static inline void
change_row(struct parts *x, struct part_kernel *k)
{
	static const char *const ops[] = {"LDG.E.128", "STG.E",	   "LD.E.64",	 "ATOMG.ADD",
					  "LDS.U.32",  "BAR.SYNC", "DEPBAR",	 "LDGSTS",
					  "TEX",       "SULD",	   "HMMA.16816", "EXIT",
					  "RED.E",     "LDL",	   "MUFU.RCP"};
	struct part_row *r = &k->row[part_random(x, k->n_rows)];
	const char *op;

	switch (part_random(x, 6)) {
	case 0:
		change_number(x, &r->first[part_random(x, ARRAY_LEN(r->first))]);
		break;
	case 1:
		change_number(x, &r->last[part_random(x, ARRAY_LEN(r->last))]);
		break;
	case 2:
		change_section(x, part_random(x, 2) ? &r->dst : &r->src);
		break;
	case 3:
		change_section(x, &r->op);
		break;
	case 4: /* another opcode */
		op = ops[part_random(x, ARRAY_LEN(ops))];
		if (strlen(op) <= PARTS_ROOM - x->used) {
			r->op = (struct section){x->room + x->used, strlen(op)};
			memcpy(r->op.p, op, r->op.n);
			x->used += r->op.n;
		}
		break;
	default: /* one more, with another pc */
		if (k->n_rows < PARTS_ROWS) {
			k->row[k->n_rows] = *r;
			k->row[k->n_rows++].first[0] = 32;
		} else {
			k->n_rows--;
		}
	}
}

static inline void
change_ctas(struct parts *x, struct part_kernel *k)
{
	struct section *c = &k->cta[part_random(x, k->n_ctas)];

	if (part_random(x, 8)) {
		change_section(x, c);
		return;
	}
	if (part_random(x, 2) && k->n_ctas < PARTS_CTAS)
		k->cta[k->n_ctas++] = *c;
	else if (k->n_ctas > 1)
		k->n_ctas--;
	k->field[FIELD_GRID] = k->n_ctas;
	k->field[FIELD_GRID + 1] = k->field[FIELD_GRID + 2] = 1;
	agree(x, k);
}

static inline void
change_kernel(struct parts *x, struct part_kernel *k)
{
	switch (part_random(x, 12)) {
	case 0:
		change_section(x, part_random(x, 2) ? &k->name : &k->kernel);
		break;
	case 1:
		change_section(x, &k->head);
		break;
	case 2:
		change_number(x, &k->classes[part_random(x, k->n_classes)]);
		break;
	case 3:
		change_number(x, part_random(x, 3) ? &k->content : &k->n_classes);
		k->n_classes %= ARRAY_LEN(k->classes) + 1;
		break;
	case 4:
		k->n_files = part_random(x, PARTS_FILES + 1);
		change_section(x, &k->file[part_random(x, PARTS_FILES)]);
		break;
	case 5:
	case 6:
		change_number(x, &k->field[part_random(x, PART_FIELDS)]);
		if (part_random(x, 4))
			agree(x, k);
		break;
	case 7:
	case 8:
		if (k->n_rows)
			change_row(x, k);
		break;
	default:
		if (k->n_ctas)
			change_ctas(x, k);
	}
}

static inline void
change_parts(struct parts *x)
{
	unsigned at = part_random(x, x->n_cmds), what = part_random(x, 24);

	if (what == 0 && x->n_cmds < PARTS_CMDS) { /* a copy more */
		x->cmd[x->n_cmds].kind = TRACE_MEMCPY_H2D;
		change_number(x, &x->cmd[x->n_cmds].addr);
		change_number(x, &x->cmd[x->n_cmds++].bytes);
	} else if (what == 1 && x->n_cmds) {
		change_number(x, &x->cmd[at].kind);
	} else if (what == 2 && x->n_kernels && x->n_kernels < PARTS_KERNELS &&
		   x->n_cmds < PARTS_CMDS) {
		x->kern[x->n_kernels] = x->kern[part_random(x, x->n_kernels)];
		x->n_kernels++;
		x->cmd[x->n_cmds++].kind = TRACE_KERNEL;
	} else if (what == 3 && x->n_kernels) {
		x->n_kernels--;
	} else if (x->n_kernels) {
		change_kernel(x, &x->kern[part_random(x, x->n_kernels)]);
	}
}

/* Changes the file of size bytes in place; returns its new size, or 0 if it is invalid or becomes
 * too large. */
static inline size_t
ctr_mutate(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	static struct parts x;
	struct strbuf file = {0};
	size_t n = 0;

	memset(&x, 0, offsetof(struct parts, room));
	x.random = seed * 2654435761u | 1;
	part_random(&x, 1);
	if (!parts_read(&x, data, size))
		return 0;
	for (unsigned n_changes = 1 + part_random(&x, 3); n_changes; n_changes--)
		change_parts(&x);
	parts_write(&x, &file);
	if (!file.failed && file.n <= max_size) {
		memcpy(data, file.p, file.n);
		n = file.n;
	}
	sb_free(&file);
	return n;
}

#endif
