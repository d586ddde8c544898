/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kern.c - builds one kernel: finds static instructions by content, appends CTAs.
 *
 * A row is everything that is constant about a static instruction. Rows are numbered in the order
 * in which they first appear. A program counter usually has one row, with two exceptions: functions
 * that a kernel calls count their program counters from 0 again, and a generic load that reads both
 * shared and global memory is two rows, since the space is part of the row.
 */
#include "trace/trace_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct chunk {
	struct chunk *next;
	size_t used, size;
	char bytes[];
};

struct kern *
kern_new(void)
{
	struct kern *k = calloc(1, sizeof(*k));

	if (k)
		hash_init(&k->content, 1);
	return k;
}

void
kern_free(struct kern *k)
{
	struct chunk *c, *next;

	if (!k)
		return;
	for (c = k->strings; c; c = next) {
		next = c->next;
		free(c);
	}
	sb_free(&k->head);
	sb_free(&k->blob);
	free(k->file);
	free(k->inst);
	free(k->text);
	free(k->slot);
	free(k->files);
	free(k->off);
	free(k->seen);
	free(k->blocks);
	free(k);
}

const char *
kern_string(struct kern *k, const char *p, size_t n)
{
	struct chunk *c = k->strings;
	char *to;

	if (!c || c->size - c->used < n + 1) {
		size_t size = MAX(n + 1, (size_t)4000);

		c = malloc(sizeof(*c) + size);
		if (!c)
			return NULL;
		*c = (struct chunk){.next = k->strings, .size = size};
		k->strings = c;
	}
	to = c->bytes + c->used;
	memcpy(to, p, n);
	to[n] = '\0';
	c->used += n + 1;
	return to;
}

/* ---- static instructions ---- */

static uint64_t
hash_key(const struct inst_key *key)
{
	uint64_t h = key->pc | (uint64_t)key->line << 32, word = 0;
	uint32_t i;

	h = hash_mix(h ^ (uint64_t)key->imm << 8 ^ (uint64_t)key->space << 56 ^ key->mem_width);
	for (i = 0; i + 8 <= key->op_len; i += 8) {
		memcpy(&word, key->op + i, 8);
		h = hash_mix(h ^ word);
	}
	word = 0;
	memcpy(&word, key->op + i, key->op_len - i);
	h = hash_mix(h ^ word ^ (uint64_t)key->imm_kind << 56);
	memcpy(&word, key->src, 8);
	return hash_mix(h ^ word ^ (uint64_t)key->n_dst << 56 ^ (uint64_t)key->n_src << 48 ^
			(uint64_t)key->dst[0] << 40);
}

static bool
row_equals_key(const struct kern *k, uint32_t row, const struct inst_key *key)
{
	const struct inst *i = &k->inst[row];
	const struct inst_text *t = &k->text[row];

	return i->pc == key->pc && i->line == key->line && i->file == key->file &&
	       t->imm == key->imm && t->imm_kind == key->imm_kind && i->n_dst == key->n_dst &&
	       i->n_src == key->n_src && i->space == key->space && t->mem_width == key->mem_width &&
	       t->op_len == key->op_len && memcmp(i->dst, key->dst, key->n_dst) == 0 &&
	       memcmp(i->src, key->src, key->n_src) == 0 &&
	       memcmp(t->op, key->op, key->op_len) == 0;
}

static struct inst_key
row_key(const struct kern *k, uint32_t row)
{
	const struct inst *i = &k->inst[row];
	const struct inst_text *t = &k->text[row];
	struct inst_key key = {.pc = i->pc,
			       .line = i->line,
			       .file = i->file,
			       .op = t->op,
			       .op_len = t->op_len,
			       .mem_width = t->mem_width,
			       .imm = t->imm,
			       .imm_kind = t->imm_kind,
			       .n_dst = i->n_dst,
			       .n_src = i->n_src,
			       .space = i->space};

	memcpy(key.dst, i->dst, sizeof(key.dst));
	memcpy(key.src, i->src, sizeof(key.src));
	return key;
}

static bool
grow_rows(struct kern *k)
{
	uint32_t cap = k->cap_inst ? k->cap_inst * 2 : 64, slots = cap * 2, i;
	struct inst *inst = realloc(k->inst, cap * sizeof(*inst));
	struct inst_text *text;
	uint32_t *slot;

	if (inst)
		k->inst = inst;
	text = realloc(k->text, cap * sizeof(*text));
	if (text)
		k->text = text;
	slot = calloc(slots, sizeof(*slot));
	if (!inst || !text || !slot) {
		free(slot);
		return false;
	}
	for (i = 0; i < k->n_inst; i++) {
		struct inst_key key = row_key(k, i);
		uint64_t at = hash_key(&key);

		while (slot[at & (slots - 1)])
			at++;
		slot[at & (slots - 1)] = i + 1;
	}
	free(k->slot);
	k->slot = slot;
	k->n_slots = slots;
	k->cap_inst = cap;
	return true;
}

static bool
add_row(struct kern *k, const struct inst_key *key)
{
	struct inst *i = &k->inst[k->n_inst];
	struct inst_text *t = &k->text[k->n_inst];

	*i = (struct inst){.pc = key->pc,
			   .cls = key->cls,
			   .space = key->space,
			   .flags = key->flags,
			   .n_dst = key->n_dst,
			   .n_src = key->n_src,
			   .line = key->line,
			   .file = key->file};
	*t = (struct inst_text){.op_len = key->op_len,
				.mem_width = key->mem_width,
				.imm = key->imm,
				.imm_kind = key->imm_kind,
				.mem_index = NO_MEM};
	memcpy(i->dst, key->dst, key->n_dst);
	memcpy(i->src, key->src, key->n_src);
	t->op = kern_string(k, key->op, key->op_len);
	if (!t->op)
		return false;
	if (key->mem_width) {
		i->width = op_width(key->op, key->op_len);
		t->mem_index = k->n_mem++;
	}
	if (key->cls == OP_DEPBAR)
		i->imm = op_depbar(key->op, key->op_len, key->imm);
	k->n_inst++;
	return true;
}

int64_t
kern_find(const struct kern *k, const struct inst_key *key)
{
	uint64_t at = hash_key(key);
	uint32_t row;

	if (!k->n_slots)
		return -1;
	for (; (row = k->slot[at & (k->n_slots - 1)]) != 0; at++)
		if (row_equals_key(k, row - 1, key))
			return row - 1;
	return -1;
}

int64_t
kern_intern(struct kern *k, const struct inst_key *key)
{
	uint64_t at = hash_key(key);
	uint32_t row;

	if (k->n_inst == k->cap_inst) {
		if (k->n_inst >= TRACE_MAX_STATIC)
			return -2;
		if (!grow_rows(k))
			return -1;
	}
	for (; (row = k->slot[at & (k->n_slots - 1)]) != 0; at++)
		if (row_equals_key(k, row - 1, key))
			return row - 1;
	if (!add_row(k, key))
		return -1;
	k->slot[at & (k->n_slots - 1)] = k->n_inst;
	return k->n_inst - 1;
}

int
kern_order_rows(struct kern *k, const uint32_t *order)
{
	struct inst *inst = malloc(k->cap_inst * sizeof(*inst));
	struct inst_text *text = malloc(k->cap_inst * sizeof(*text));
	uint32_t i, n_mem = 0;

	if (!inst || !text) {
		free(inst);
		free(text);
		return -1;
	}
	for (i = 0; i < k->n_inst; i++) {
		inst[order[i] - 1] = k->inst[i];
		text[order[i] - 1] = k->text[i];
	}
	for (i = 0; i < k->n_inst; i++)
		if (text[i].mem_index != NO_MEM)
			text[i].mem_index = n_mem++;
	for (i = 0; i < k->n_slots; i++)
		if (k->slot[i])
			k->slot[i] = order[k->slot[i] - 1];
	free(k->inst);
	free(k->text);
	k->inst = inst;
	k->text = text;
	return 0;
}

/* Writes ", R17", without snprintf since this runs for each register of each row. */
static char *
put_reg(char *p, const char *before, uint32_t reg)
{
	while (*before)
		*p++ = *before++;
	*p++ = 'R';
	if (reg >= 100)
		*p++ = (char)('0' + reg / 100);
	if (reg >= 10)
		*p++ = (char)('0' + reg / 10 % 10);
	*p++ = (char)('0' + reg % 10);
	return p;
}

/* "LDG.E.SYS R4, [R2]", "SHF.L.U32 R0, R0, R255, 0xa". */
static const char *
make_row_text(struct kern *k, uint32_t row)
{
	const struct inst *i = &k->inst[row];
	const struct inst_text *t = &k->text[row];
	char buf[TRACE_MAX_OPCODE + (INST_MAX_DST + INST_MAX_SRC) * 8 + 32], *p = buf;
	const char *sep = " ";
	uint8_t r;

	memcpy(p, t->op, t->op_len);
	p += t->op_len;
	for (r = 0; r < i->n_dst; r++, sep = ", ")
		p = put_reg(p, sep, i->dst[r]);
	for (r = 0; r < i->n_src; r++, sep = ", ") {
		bool memory = t->mem_width && r == 0;

		p = put_reg(p, !memory ? sep : *sep == ',' ? ", [" : " [", i->src[r]);
		if (memory)
			*p++ = ']';
	}
	if (t->imm)
		p += snprintf(p, sizeof(buf) - (size_t)(p - buf), "%s0x%llx", sep,
			      (unsigned long long)t->imm);
	return kern_string(k, buf, (size_t)(p - buf));
}

void
kern_add_counts(struct kern *k, const struct kern_counts *n)
{
	k->pub.warp_insts += n->warp_insts;
	k->pub.thread_insts += n->thread_insts;
	for (uint32_t i = 0; i < OP_CLASSES; i++)
		k->pub.class_warp_insts[i] += n->class_warp_insts[i];
}

/* ---- header ---- */

uint32_t
kern_lanes(const struct kern *k, uint32_t warp)
{
	uint32_t left = k->pub.threads_per_cta - warp * WARP_SIZE;

	return left >= WARP_SIZE ? UINT32_MAX : (1u << left) - 1;
}

int
kern_set_dims(struct kern *k, struct err *e)
{
	struct trace_kernel *p = &k->pub;
	uint64_t ctas = 1, threads = 1;
	int i;

	for (i = 0; i < 3; i++) {
		if (p->grid[i] == 0 || p->block[i] == 0)
			return err_set(e, "a grid or block dimension is 0");
		if (ctas <= TRACE_MAX_CTAS)
			ctas *= p->grid[i];
		if (threads <= TRACE_MAX_THREADS)
			threads *= p->block[i];
	}
	if (ctas > TRACE_MAX_CTAS)
		return err_set(e, "the grid has more than %u thread blocks", TRACE_MAX_CTAS);
	if (threads > TRACE_MAX_THREADS)
		return err_set(e, "a thread block has more than %u threads", TRACE_MAX_THREADS);
	p->n_cta = ctas;
	p->threads_per_cta = (uint32_t)threads;
	p->warps_per_cta = (uint32_t)((threads + WARP_SIZE - 1) / WARP_SIZE);
	return 0;
}

void
kern_set_name(struct kern *k, const char *name, size_t n)
{
	char *to = k->pub.name;

	if (n < sizeof(k->pub.name)) {
		memcpy(to, name, n);
		to[n] = '\0';
		return;
	}
	n = sizeof(k->pub.name) - 4;
	while (n > 0 && ((unsigned char)name[n] & 0xc0) == 0x80)
		n--; /* not in the middle of a character */
	memcpy(to, name, n);
	memcpy(to + n, "...", 4);
}

void
kern_compose_head(struct kern *k, const char *full_name)
{
	const struct trace_kernel *p = &k->pub;

	sb_clear(&k->head);
	sb_printf(&k->head, "-kernel name = %s\n-kernel id = %u\n", full_name, p->id);
	sb_printf(&k->head, "-grid dim = (%u,%u,%u)\n-block dim = (%u,%u,%u)\n", p->grid[0],
		  p->grid[1], p->grid[2], p->block[0], p->block[1], p->block[2]);
	sb_printf(&k->head, "-shmem = %u\n-nregs = %u\n-binary version = %u\n", p->shmem, p->regs,
		  p->binary_version);
	sb_printf(&k->head, "-cuda stream id = %llu\n", (unsigned long long)p->stream);
	sb_printf(&k->head, "-shmem base_addr = 0x%016llx\n-local mem base_addr = 0x%016llx\n",
		  (unsigned long long)p->shmem_base, (unsigned long long)p->local_base);
	sb_printf(&k->head, "-nvbit version = none\n-accelsim tracer version = %u\n",
		  k->tracer_version);
	sb_printf(&k->head, "-enable lineinfo = %d\n\n", k->lineinfo);
	sb_str(&k->head, "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num "
			 "[reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate\n\n\n");
}

/* ---- CTAs ---- */

int
kern_mark_cta(struct kern *k, uint64_t linear)
{
	/* The bits grow with the CTAs that come, as the header of a damaged file can state any
	 * number. */
	if (linear / 8 >= k->n_seen_bytes) {
		uint64_t n = MAX(linear / 8 + 1, k->n_seen_bytes * 2 + 64);
		uint8_t *p = realloc(k->seen, n);

		if (!p)
			return -1;
		memset(p + k->n_seen_bytes, 0, n - k->n_seen_bytes);
		k->seen = p;
		k->n_seen_bytes = n;
	}
	if (k->seen[linear / 8] >> (linear % 8) & 1)
		return 1;
	k->seen[linear / 8] |= (uint8_t)(1u << (linear % 8));
	return 0;
}

int
kern_append_cta(struct kern *k, const void *p, size_t n, bool keep)
{
	uint8_t len[8];
	int i;

	if (k->n_cta + 2 > k->cap_cta) {
		uint64_t cap = k->cap_cta ? k->cap_cta * 2 : 64;
		uint64_t *off = realloc(k->off, cap * sizeof(*off));

		if (!off)
			return -1;
		k->off = off;
		k->cap_cta = cap;
		if (k->n_cta == 0)
			off[0] = 0;
	}
	if (keep) {
		sb_add(&k->blob, p, n);
		if (k->blob.failed)
			return -1;
	}
	for (i = 0; i < 8; i++)
		len[i] = (uint8_t)((uint64_t)n >> (8 * i));
	hash_add(&k->content, len, sizeof(len));
	hash_add(&k->content, p, n);
	k->off[k->n_cta + 1] = k->off[k->n_cta] + n;
	k->n_cta++;
	return 0;
}

static void
hash_u64(struct hash *h, uint64_t v)
{
	uint8_t b[8];
	int i;

	for (i = 0; i < 8; i++)
		b[i] = (uint8_t)(v >> (8 * i));
	hash_add(h, b, sizeof(b));
}

void
kern_hash_head(const struct kern *k, struct hash *h)
{
	const struct trace_kernel *p = &k->pub;
	uint32_t i;

	hash_add(h, p->name, strlen(p->name) + 1);
	for (i = 0; i < 3; i++)
		hash_u64(h, p->grid[i] | (uint64_t)p->block[i] << 32);
	hash_u64(h, p->id | (uint64_t)p->binary_version << 32);
	hash_u64(h, p->shmem | (uint64_t)p->regs << 32);
	hash_u64(h, p->shmem_base);
	hash_u64(h, p->local_base);
	hash_u64(h, p->stream);
	hash_u64(h, k->n_inst);
	for (i = 0; i < k->n_inst; i++) {
		const struct inst *s = &k->inst[i];
		const struct inst_text *t = &k->text[i];

		hash_u64(h, s->pc | (uint64_t)s->line << 32);
		hash_u64(h, t->mem_width | (uint64_t)s->n_dst << 32 | (uint64_t)s->n_src << 40 |
				    (uint64_t)t->imm_kind << 48 | (uint64_t)s->space << 56);
		hash_u64(h, (uint64_t)t->imm);
		hash_add(h, s->dst, sizeof(s->dst));
		hash_add(h, s->src, sizeof(s->src));
		hash_add(h, t->op, t->op_len + 1);
	}
}

static int
check_atomic(const struct kern *k, const struct cta_trace *c, uint32_t warp, const struct winst *r,
	     struct err *e)
{
	uint64_t lane[WARP_SIZE];
	uint32_t none = 0;

	trace_lanes(c, r, lane);
	for (uint32_t m = r->mask; m; m &= m - 1)
		none |= lane[__builtin_ctz(m)] ? 0 : m & -m;
	if (!none)
		return 0;
	return err_set(e,
		       "kernel %u, thread block %llu, warp %u, pc 0x%x: %s: active lane %u has no "
		       "address; every active lane of an atomic needs one other than 0",
		       k->pub.id, (unsigned long long)c->id, warp, k->inst[r->inst].pc,
		       k->inst[r->inst].text, (unsigned)__builtin_ctz(none));
}

int
kern_check_atomics(const struct kern *k, const struct cta_trace *c, struct err *e)
{
	if (!k->pub.class_warp_insts[OP_ATOMIC])
		return 0;
	for (uint32_t w = 0; w < c->n_warps; w++)
		for (uint32_t i = 0; i < c->warp[w].n; i++) {
			const struct winst *r = &c->warp[w].rec[i];

			if (k->inst[r->inst].cls == OP_ATOMIC && check_atomic(k, c, w, r, e) < 0)
				return -1;
		}
	return 0;
}

uint64_t
kern_content_hash(const struct kern *k)
{
	return k->is_stored ? k->stored_content : hash_end(&k->content);
}

int
kern_finish(struct kern *k, struct err *e)
{
	struct hash h;
	uint32_t i;

	for (i = 0; i < k->n_inst; i++) {
		k->inst[i].text = make_row_text(k, i);
		if (!k->inst[i].text)
			return err_nomem(e);
	}
	k->pub.inst = k->inst;
	k->pub.n_inst = k->n_inst;
	k->pub.files = k->files;
	hash_init(&h, 2);
	kern_hash_head(k, &h);
	hash_u64(&h, kern_content_hash(k));
	k->digest = hash_end(&h);
	free(k->slot);
	free(k->seen);
	k->slot = NULL;
	k->seen = NULL;
	k->n_slots = 0;
	k->n_seen_bytes = 0;
	return 0;
}
