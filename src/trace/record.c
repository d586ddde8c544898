/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record.c - writes a new trace from calls, streamed into a .ctr or kept in memory.
 *
 * A writer collects one CTA at a time (calls for its warps may come in any order), encodes it and
 * appends it. The kernel gets a header as the tracer writes it, so that a recorded trace can be
 * converted to text.
 */
#include "trace/record_part.h"

#include "base/human.h"
#include "trace/spill.h"

#include <stdlib.h>
#include <string.h>

void
trace_writer_abort(struct trace_writer *w)
{
	if (!w)
		return;
	if (w->t) {
		ctr_abort(w->file);
		kern_free(w->k);
		trace_close(w->t);
		free(w->kind);
		free(w->order.stream);
	}
	ctabuf_free(&w->b);
	codec_free(&w->codec);
	sb_free(&w->enc);
	free(w);
}

struct trace_writer *
trace_writer_new(const char *path, struct err *e)
{
	struct trace_writer *w = calloc(1, sizeof(*w));

	if (w) {
		w->t = trace_new(path ? path : "memory");
		w->max_cta_bytes = TRACE_MAX_CTA_BYTES;
		w->memory = SPILL_BYTES;
	}
	if (!w || !w->t) {
		trace_writer_abort(w);
		err_nomem(e);
		return NULL;
	}
	if (path && !(w->file = ctr_create(path, e))) {
		trace_writer_abort(w);
		return NULL;
	}
	return w;
}

void
trace_writer_set_cta_limit(struct trace_writer *w, uint64_t bytes)
{
	w->max_cta_bytes = MIN(bytes, TRACE_MAX_CTA_BYTES);
}

uint64_t
trace_writer_largest_cta(const struct trace_writer *w)
{
	return w->largest;
}

void
trace_writer_set_spill(struct trace_writer *w, const char *folder, uint64_t bytes)
{
	w->folder = folder;
	w->memory = bytes ? bytes : SPILL_BYTES;
}

int
trace_writer_copy(struct trace_writer *w, uint64_t addr, uint64_t bytes, struct err *e)
{
	return trace_add_copy(w->t, addr, bytes, e);
}

int
trace_writer_kernel(struct trace_writer *w, const struct trace_kernel_desc *d, struct err *e)
{
	struct trace_kernel *p;
	struct strbuf name = {0};
	size_t j;
	int i;

	if (w->k)
		return err_set(e, "the kernel before was not ended");
	w->k = kern_new();
	if (!w->k)
		return err_nomem(e);
	w->largest = 0;
	p = &w->k->pub;
	p->id = d->id ? d->id : w->t->n_kern + 1;
	for (i = 0; i < 3; i++) {
		p->grid[i] = MAX(d->grid[i], 1u);
		p->block[i] = MAX(d->block[i], 1u);
	}
	p->shmem = d->shmem;
	p->regs = d->regs;
	p->binary_version = d->binary_version ? d->binary_version : 70;
	p->shmem_base = d->shmem_base;
	p->local_base = d->local_base;
	p->stream = d->stream;
	w->k->tracer_version = 5;
	w->k->lineinfo = true;
	w->isa = isa_of(p->binary_version);
	if (w->isa == ISA_NONE)
		return err_set(e, "unknown binary version %u", p->binary_version);
	if (p->shmem > TRACE_MAX_SHMEM || p->regs > 255)
		return err_set(
			e,
			"a kernel with %u bytes of shared memory and %u registers, expected at "
			"most %u and 255",
			p->shmem, p->regs, TRACE_MAX_SHMEM);
	if (kern_set_dims(w->k, e))
		return -1;
	for (i = 0; i < (int)p->warps_per_cta; i++)
		w->lanes[i] = kern_lanes(w->k, (uint32_t)i);
	if (w->n_kind)
		memset(w->kind, ROW_UNKNOWN, w->n_kind);
	sb_str(&name, d->name ? d->name : "kernel");
	for (j = 0; j < name.n; j++)
		if ((unsigned char)name.p[j] < 0x20)
			name.p[j] = ' ';
	if (!name.failed) {
		kern_set_name(w->k, name.p, name.n);
		kern_compose_head(w->k, name.p);
	}
	i = name.failed || w->k->head.failed ? err_nomem(e) : 0;
	sb_free(&name);
	return i;
}

int
trace_writer_file(struct trace_writer *w, const char *name, uint32_t *file, struct err *e)
{
	struct kern *k = w->k;
	uint32_t i, cap;
	const char **p;

	if (!k)
		return err_set(e, "no kernel is open");
	for (i = 0; i < k->pub.n_files; i++)
		if (strcmp(k->files[i], name) == 0) {
			*file = i + 1;
			return 0;
		}
	if (i == 0 || i == w->cap_files) {
		cap = i ? i * 2 : 8;
		p = realloc(k->files, cap * sizeof(*p));
		if (!p)
			return err_nomem(e);
		k->files = p;
		w->cap_files = cap;
	}
	k->files[i] = kern_string(k, name, strlen(name));
	if (!k->files[i])
		return err_nomem(e);
	*file = ++k->pub.n_files;
	return 0;
}

/* A generic access has one row for each space that it accessed. */
static bool
is_generic(const struct inst_text *t)
{
	return (strncmp(t->op, "LD", 2) == 0 || strncmp(t->op, "ST", 2) == 0) &&
	       (t->op[2] == '.' || !t->op[2]);
}

static int
classify_row(struct trace_writer *w, uint32_t row)
{
	const struct inst_text *t = &w->k->text[row];
	uint32_t n = MAX(w->n_kind * 2, row + 256);
	uint8_t *p;

	if (row >= w->n_kind) {
		p = realloc(w->kind, n);
		if (!p)
			return -1;
		memset(p + w->n_kind, ROW_UNKNOWN, n - w->n_kind);
		w->kind = p;
		w->n_kind = n;
	}
	w->kind[row] = t->mem_index == NO_MEM ? ROW_PLAIN
		       : is_generic(t)	      ? ROW_GENERIC
					      : ROW_MEMORY;
	return 0;
}

int
trace_writer_inst(struct trace_writer *w, const struct trace_inst_desc *d, uint32_t *inst,
		  struct err *e)
{
	struct inst_key key;
	int64_t row;
	size_t len = strlen(d->opcode);

	if (!w->k || !w->t)
		return err_set(e, "no kernel is open");
	if (d->n_dst > INST_MAX_DST || d->n_src > INST_MAX_SRC || d->file > w->k->pub.n_files)
		return err_set(e, "'%s' has too many registers or an unknown file", d->opcode);
	memset(&key, 0, sizeof(key));
	if (len == 0 || len >= TRACE_MAX_OPCODE ||
	    !op_find(w->isa, d->opcode, (uint32_t)len, &key)) {
		return op_unknown(w->k->pub.binary_version, d->opcode,
				  (uint32_t)MIN(len, (size_t)60), e);
	}
	key.pc = d->pc;
	key.line = d->line;
	key.file = d->file;
	key.op = d->opcode;
	key.op_len = (uint32_t)len;
	key.imm = d->imm;
	key.imm_kind = IMM_DEC;
	key.n_dst = d->n_dst;
	key.n_src = d->n_src;
	memcpy(key.dst, d->dst, d->n_dst);
	memcpy(key.src, d->src, d->n_src);
	if (key.cls == OP_LOAD || key.cls == OP_STORE || key.cls == OP_ATOMIC)
		key.mem_width = op_width(key.op, key.op_len);
	op_resolve(&w->k->pub, &key, false, 0);
	row = kern_intern(w->k, &key);
	if (row < 0)
		return row == -2 ? err_set(e, "the kernel has more than %u different instructions",
					   TRACE_MAX_STATIC)
				 : err_nomem(e);
	*inst = (uint32_t)row;
	return classify_row(w, *inst) ? err_nomem(e) : 0;
}

int
record_mark_cta(struct trace_writer *w, const uint32_t xyz[3], struct err *e)
{
	const uint32_t *g = w->k->pub.grid;
	int marked;

	marked = kern_mark_cta(w->k, xyz[0] + (uint64_t)g[0] * (xyz[1] + (uint64_t)g[1] * xyz[2]));
	if (marked)
		return marked < 0 ? err_nomem(e)
				  : err_set(e, "thread block %u,%u,%u appears twice", xyz[0],
					    xyz[1], xyz[2]);
	return 0;
}

/* Finds the size of a decoded CTA at which something is to be done: the CTA is spilled, or fails.
 */
static void
find_next_check(struct trace_writer *w)
{
	w->next_check = MIN(w->max_cta_bytes, w->b.bytes_spilled + w->memory);
}

int
trace_writer_cta(struct trace_writer *w, const uint32_t xyz[3], struct err *e)
{
	const uint32_t *g;
	uint32_t i;

	if (!w->k || w->in_cta)
		return err_set(e, w->k ? "the thread block before was not ended"
				       : "no kernel is open");
	g = w->k->pub.grid;
	if (xyz[0] >= g[0] || xyz[1] >= g[1] || xyz[2] >= g[2])
		return err_set(e, "thread block %u,%u,%u is outside the grid", xyz[0], xyz[1],
			       xyz[2]);
	if (w->t && record_mark_cta(w, xyz, e))
		return -1;
	ctabuf_clear(&w->b, w->k->pub.warps_per_cta);
	find_next_check(w);
	memcpy(w->b.xyz, xyz, sizeof(w->b.xyz));
	for (i = 0; i < w->b.n_warps; i++)
		w->b.warp[i].present = true;
	w->in_cta = true;
	return 0;
}

/* The row of a generic access whose first address is first. A writer beside another one adds no
 * row. */
static int64_t
find_generic_row(const struct trace_writer *w, uint32_t inst, uint32_t mask, uint64_t first)
{
	struct kern *k = w->k;
	const struct inst *in = &k->inst[inst];
	const struct inst_text *t = &k->text[inst];
	struct inst_key key;

	memset(&key, 0, sizeof(key));
	if (!op_find(isa_of(k->pub.binary_version), t->op, t->op_len, &key))
		return inst;
	key.pc = in->pc;
	key.line = in->line;
	key.file = in->file;
	key.op = t->op;
	key.op_len = t->op_len;
	key.mem_width = t->mem_width;
	key.imm = t->imm;
	key.imm_kind = t->imm_kind;
	key.n_dst = in->n_dst;
	key.n_src = in->n_src;
	memcpy(key.dst, in->dst, sizeof(key.dst));
	memcpy(key.src, in->src, sizeof(key.src));
	op_resolve(&k->pub, &key, mask != 0, first);
	return w->t ? kern_intern(k, &key) : kern_find(k, &key);
}

static inline uint32_t
row_kind(const struct trace_writer *w, uint32_t inst)
{
	return likely(inst < w->n_kind) ? w->kind[inst] : ROW_UNKNOWN;
}

/* Reports why the row cannot have a record with addresses (memory), or one without. */
static int
report_bad_record(const struct trace_writer *w, uint32_t warp, uint32_t inst, bool memory,
		  struct err *e)
{
	if (!w->in_cta || warp >= w->b.n_warps || row_kind(w, inst) == ROW_UNKNOWN)
		return err_set(e, "there is no warp %u or instruction %u to record", warp, inst);
	return err_set(e, "'%s' %s", w->k->text[inst].op,
		       memory ? "takes no addresses" : "needs addresses");
}

static int
report_too_long(const struct trace_writer *w, struct err *e)
{
	char most[HUMAN], limit[HUMAN];

	human(limit, w->max_cta_bytes >> 20);
	if (w->max_cta_bytes >= TRACE_MAX_CTA_BYTES)
		return err_of(e, ERR_TOO_LONG,
			      "the thread block is larger than %s MiB decoded, the maximum in a "
			      "trace: record a smaller input, or leave this launch out (--kernel, "
			      "--launch)",
			      limit);
	return err_of(e, ERR_TOO_LONG,
		      "the thread block is larger than %s MiB decoded (--max-cta raises the limit, "
		      "up to %s MiB; --kernel and --launch leave launches out)",
		      limit, human(most, TRACE_MAX_CTA_BYTES >> 20));
}

/* Handles a CTA that has reached w->next_check. */
static int
check_size(struct trace_writer *w, struct err *e)
{
	if (ctabuf_bytes(&w->b) > w->max_cta_bytes)
		return report_too_long(w, e);
	if (ctabuf_bytes(&w->b) - w->b.bytes_spilled >= w->memory &&
	    ctabuf_spill(&w->b, w->k, w->folder, w->memory, e))
		return -1;
	find_next_check(w);
	return 0;
}

/* Prepares for the next records of a warp, for the lanes of mask. */
static inline __attribute__((always_inline)) int
make_room(struct trace_writer *w, uint32_t warp, uint32_t mask, struct err *e)
{
	if (unlikely(mask & ~w->lanes[warp]))
		return err_set(e, "the mask %08x has lanes beyond the threads of the block", mask);
	return unlikely(ctabuf_bytes(&w->b) > w->next_check) ? check_size(w, e) : 0;
}

int
trace_writer_plain(struct trace_writer *w, uint32_t warp, const uint32_t *inst, uint32_t n,
		   uint32_t mask, struct err *e)
{
	struct rawrec *r;
	uint32_t i;

	if (unlikely(!w->in_cta || warp >= w->b.n_warps))
		return report_bad_record(w, warp, *inst, false, e);
	if (make_room(w, warp, mask, e))
		return -1;
	if (!(r = ctabuf_recs(&w->b, warp, n)))
		return err_nomem(e);
	for (i = 0; i < n; i++) {
		if (unlikely(row_kind(w, inst[i]) != ROW_PLAIN))
			return report_bad_record(w, warp, inst[i], false, e);
		r[i] = (struct rawrec){inst[i], mask, 0, MODE_NONE};
	}
	return 0;
}

/* Adds a record and returns its n address words, or NULL with e filled. */
static inline __attribute__((always_inline)) uint64_t *
add_access(struct trace_writer *w, uint32_t warp, uint32_t inst, const struct rawrec *like,
	   uint32_t n, uint64_t first, struct err *e)
{
	uint32_t kind = row_kind(w, inst);
	struct rawrec *r;
	size_t at;
	uint64_t *a;
	int64_t row = inst;

	if (unlikely(!w->in_cta || warp >= w->b.n_warps ||
		     (kind != ROW_MEMORY && kind != ROW_GENERIC))) {
		report_bad_record(w, warp, inst, true, e);
		return NULL;
	}
	if (make_room(w, warp, like->mask, e))
		return NULL;
	if (kind == ROW_GENERIC)
		row = find_generic_row(w, inst, like->mask, first);
	at = w->b.n_addr;
	r = ctabuf_recs(&w->b, warp, 1);
	a = ctabuf_addr(&w->b, n);
	if (unlikely(row < 0 || !a || !r)) {
		if (row < 0 && !w->t)
			err_set(e, "'%s' continues where it has no row yet", w->k->text[inst].op);
		else
			err_nomem(e);
		return NULL;
	}
	w->b.words += addr_words(like->mode, like->mask);
	*r = (struct rawrec){(uint32_t)row, like->mask, (uint32_t)at, like->mode};
	return a;
}

int
trace_writer_stride(struct trace_writer *w, uint32_t warp, uint32_t inst, uint32_t mask,
		    uint64_t base, int64_t stride, struct err *e)
{
	struct rawrec like = {.mask = mask, .mode = MODE_STRIDE};
	uint64_t *a = add_access(w, warp, inst, &like, 2, base, e);

	if (!a)
		return -1;
	a[0] = base;
	a[1] = (uint64_t)stride;
	return 0;
}

/* Are the active lanes contiguous, with one stride? A single lane is not, as in the tracer. */
static bool
has_stride(uint32_t mask, const uint64_t *lane, int64_t *stride)
{
	uint32_t low = (uint32_t)__builtin_ctz(mask), high = 31 - (uint32_t)__builtin_clz(mask), i;
	uint64_t step, differ = 0;

	if (high == low || (uint64_t)mask >> low != (1ull << (high - low + 1)) - 1)
		return false;
	step = lane[low + 1] - lane[low];
	*stride = (int64_t)step;
	if (*stride < INT32_MIN || *stride > INT32_MAX || lane[high] - lane[high - 1] != step)
		return false;
	if (likely(mask == UINT32_MAX)) { /* compilers vectorize this loop */
		for (i = 0; i < WARP_SIZE - 1; i++)
			differ |= (lane[i + 1] - lane[i]) ^ step;
		return differ == 0;
	}
	for (i = low; i < high; i++)
		differ |= (lane[i + 1] - lane[i]) ^ step;
	return differ == 0;
}

int
trace_writer_record(struct trace_writer *w, uint32_t warp, uint32_t inst, uint32_t mask,
		    const uint64_t *lane, struct err *e)
{
	struct rawrec like = {.mask = mask, .mode = MODE_DELTA};
	uint32_t left = mask;
	uint64_t *a;
	int64_t stride;

	if (!lane)
		return trace_writer_plain(w, warp, &inst, 1, mask, e);
	if (mask == 0)
		return trace_writer_stride(w, warp, inst, mask, 0, 0, e);
	if (has_stride(mask, lane, &stride))
		return trace_writer_stride(w, warp, inst, mask, lane[__builtin_ctz(mask)], stride,
					   e);
	a = add_access(w, warp, inst, &like, (uint32_t)__builtin_popcount(mask),
		       lane[__builtin_ctz(mask)], e);
	if (!a)
		return -1;
	if (likely(mask == UINT32_MAX)) {
		memcpy(a, lane, WARP_SIZE * sizeof(*a));
		return 0;
	}
	for (; left; left &= left - 1)
		*a++ = lane[__builtin_ctz(left)];
	return 0;
}

int
record_push_cta(struct trace_writer *w, const struct strbuf *enc, uint64_t bytes,
		const struct kern_counts *n, struct err *e)
{
	w->largest = MAX(w->largest, bytes);
	kern_add_counts(w->k, n);
	if (w->file)
		return ctr_put(w->file, w->k, enc->p, enc->n, e);
	return kern_append_cta(w->k, enc->p, enc->n, true) ? err_nomem(e) : 0;
}

int
trace_writer_end_cta(struct trace_writer *w, struct err *e)
{
	if (!w->in_cta)
		return err_set(e, "no thread block is open");
	w->in_cta = false;
	if (ctabuf_bytes(&w->b) > w->max_cta_bytes)
		return report_too_long(w, e);
	sb_clear(&w->enc);
	w->counts = (struct kern_counts){0};
	if (cta_encode(&w->codec, w->k, &w->b, &w->enc, &w->counts, e))
		return -1;
	return w->t ? record_push_cta(w, &w->enc, ctabuf_bytes(&w->b), &w->counts, e) : 0;
}

int
trace_writer_end_kernel(struct trace_writer *w, struct err *e)
{
	struct kern *k = w->k;

	if (!k || w->in_cta)
		return err_set(e, k ? "the last thread block was not ended" : "no kernel is open");
	if (k->n_cta != k->pub.n_cta)
		return err_set(e, "the kernel has %llu of the %llu thread blocks of its grid",
			       (unsigned long long)k->n_cta, (unsigned long long)k->pub.n_cta);
	if ((w->file && ctr_end_kernel(w->file, k, e)) || kern_finish(k, e))
		return -1;
	w->k = NULL;
	w->cap_files = 0;
	return trace_add_kernel(w->t, k, e);
}

int
trace_writer_drop_kernel(struct trace_writer *w, struct err *e)
{
	int rc = w->k && w->file ? ctr_drop_kernel(w->file, w->k, e) : 0;

	kern_free(w->k);
	w->k = NULL;
	w->in_cta = false;
	w->cap_files = 0;
	return rc;
}

int
trace_writer_commit(struct trace_writer *w, struct err *e)
{
	struct ctr_writer *file = w->file;
	int r;

	if (w->k || !file) {
		trace_writer_abort(w);
		return err_set(e, file ? "the last kernel was not ended" : "the trace has no file");
	}
	if (record_order_finish(w, e)) {
		trace_writer_abort(w);
		return -1;
	}
	w->file = NULL;
	r = ctr_commit(file, w->t, e);
	trace_writer_abort(w);
	return r;
}

struct trace *
trace_writer_trace(struct trace_writer *w, struct err *e)
{
	struct trace *t = NULL;

	if (w->k || w->file)
		err_set(e, w->k ? "the last kernel was not ended" : "the trace goes to a file");
	else if (record_order_finish(w, e) == 0 && trace_seal(w->t, e) == 0) {
		t = w->t;
		w->t = NULL;
		/* trace_writer_abort does not, as a writer without a trace borrows them */
		free(w->kind);
		free(w->order.stream);
	}
	trace_writer_abort(w);
	return t;
}
