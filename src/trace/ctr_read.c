/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ctr_read.c - opens a .ctr and fetches encoded CTAs from it. The layout is in ctr.h.
 *
 * Opening reads head, foot and tables. The hash of the tables covers the hashes of all blocks. A
 * block is read when one of its CTAs is needed, checked against its hash, and kept for its other
 * CTAs until KEPT_BLOCKS more recent ones replace it.
 */
#include "trace/ctr.h"
#include "trace/traceg.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#define KEPT_BLOCKS 16

struct ctr {
	int fd;
	char *path;
	uint64_t size;
	ZSTD_DCtx *zstd;
	struct strbuf packed;
	struct kept {
		const struct ctr_block *block;
		uint8_t *p;
		uint64_t used; /* clock at the last use */
	} kept[KEPT_BLOCKS];
	uint64_t clock;
};

void
ctr_close(struct ctr *c)
{
	int i;

	if (!c)
		return;
	for (i = 0; i < KEPT_BLOCKS; i++)
		free(c->kept[i].p);
	ZSTD_freeDCtx(c->zstd);
	sb_free(&c->packed);
	if (c->fd >= 0)
		close(c->fd);
	free(c->path);
	free(c);
}

static int
read_at(struct ctr *c, void *to, uint64_t n, uint64_t at, struct err *e)
{
	uint64_t got = 0;

	while (got < n) {
		ssize_t r = pread(c->fd, (char *)to + got, n - got, (off_t)(at + got));

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return err_set(e, "cannot read '%s': %s", c->path, strerror(errno));
		if (r == 0)
			return err_at_byte(e, c->path, at + got, "the file ends too early");
		got += (uint64_t)r;
	}
	return 0;
}

/* ---- tables ---- */

struct tables {
	struct ctr *ctr;
	const uint8_t *from, *p, *end;
	bool bad; /* an earlier field was invalid; later fields read as 0 */
};

static uint64_t
get_number(struct tables *t, uint64_t max)
{
	uint64_t v;

	if (t->bad || !get_varint(&t->p, t->end, &v) || v > max) {
		t->bad = true;
		return 0;
	}
	return v;
}

/* Reads a count of items of at least size bytes each, which the remaining bytes limit. */
static uint64_t
get_count(struct tables *t, uint64_t size)
{
	return get_number(t, (uint64_t)(t->end - t->p) / size);
}

static uint64_t
get_u64(struct tables *t)
{
	uint64_t v;

	if (t->bad || t->end - t->p < 8) {
		t->bad = true;
		return 0;
	}
	v = get_le(t->p, 8);
	t->p += 8;
	return v;
}

static const char *
get_text(struct tables *t, uint64_t max, size_t *n)
{
	const char *p;

	*n = (size_t)get_count(t, 1);
	if (*n > max || *n > (size_t)(t->end - t->p))
		t->bad = true;
	if (t->bad)
		*n = 0;
	p = (const char *)t->p;
	t->p += *n;
	return p;
}

/* Reads a text without NUL and, unless lines, without newline, since conversions write it as a line
 * of a text file. It may have control characters: base/shown.h escapes them when it prints. */
static const char *
get_checked_text(struct tables *t, uint64_t max, size_t *n, bool lines)
{
	const char *p = get_text(t, max, n);
	size_t i;

	for (i = 0; i < *n; i++)
		if (p[i] == '\0' || (p[i] == '\n' && !lines))
			t->bad = true;
	return p;
}

static int
get_rows(struct tables *t, struct kern *k, struct err *e)
{
	uint64_t n = get_number(t, TRACE_MAX_STATIC), i;
	struct inst_key key;
	uint32_t pc = 0;

	for (i = 0; i < n && !t->bad; i++) {
		uint8_t width;
		int64_t row;
		size_t len;
		const char *p;

		memset(&key, 0, sizeof(key));
		pc += (uint32_t)unzigzag(get_number(t, UINT64_MAX));
		key.pc = pc;
		key.line = (uint32_t)get_number(t, UINT32_MAX);
		key.file = (uint32_t)get_number(t, k->pub.n_files);
		key.cls = (uint8_t)get_number(t, OP_CLASSES - 1);
		key.space = (uint8_t)get_number(t, SPACE_TEX);
		key.flags = (uint8_t)get_number(t, UINT8_MAX);
		width = (uint8_t)get_number(t, 64);
		p = get_text(t, INST_MAX_DST, &len);
		memcpy(key.dst, p, len);
		key.n_dst = (uint8_t)len;
		p = get_text(t, INST_MAX_SRC, &len);
		memcpy(key.src, p, len);
		key.n_src = (uint8_t)len;
		key.mem_width = (uint32_t)get_number(t, 255);
		key.imm_kind = (uint8_t)get_number(t, IMM_HEX);
		key.imm = unzigzag(get_number(t, UINT64_MAX));
		key.op = get_checked_text(t, TRACE_MAX_OPCODE - 1, &len, false);
		key.op_len = (uint32_t)len;
		if (t->bad || len == 0)
			break;
		row = kern_intern(k, &key);
		if (row < 0)
			return err_nomem(e);
		if ((uint64_t)row != i)
			break; /* the same row twice */
		k->inst[i].width = width;
	}
	if (i < n)
		t->bad = true;
	return 0;
}

static int
get_index(struct tables *t, struct kern *k, uint64_t *at, struct err *e)
{
	uint64_t n = get_count(t, 1), blocks = get_count(t, 10), sum = 0, i;
	struct ctr_blocks *b;

	if (n != k->pub.n_cta || t->bad) {
		t->bad = true;
		return 0;
	}
	b = k->blocks = malloc(sizeof(*b) + (blocks + 1) * sizeof(*b->block));
	k->off = malloc((n + 1) * sizeof(*k->off));
	if (!b || !k->off)
		return err_nomem(e);
	b->n = blocks;
	for (i = 0; i < blocks && !t->bad; i++) {
		b->block[i] = (struct ctr_block){.first = sum, .at = *at};
		sum += get_number(t, n - sum);
		b->block[i].packed = get_number(t, t->ctr->size - *at);
		*at += b->block[i].packed;
		b->block[i].hash = get_u64(t);
		t->bad |= sum == b->block[i].first;
	}
	b->block[blocks] = (struct ctr_block){.first = n, .at = *at};
	t->bad |= sum != n;
	k->off[0] = 0;
	for (i = 0; i < n; i++)
		k->off[i + 1] = k->off[i] + get_number(t, CTR_MAX_BLOCK);
	for (i = 0; i < blocks && !t->bad; i++)
		t->bad = k->off[b->block[i + 1].first] - k->off[b->block[i].first] > CTR_MAX_BLOCK;
	k->n_cta = n;
	return 0;
}

static int
get_files(struct tables *t, struct kern *k, struct err *e)
{
	uint64_t n = get_count(t, 1), i;
	const char *p;
	size_t len;

	k->files = calloc(n + 1, sizeof(*k->files));
	if (!k->files)
		return err_nomem(e);
	for (i = 0; i < n; i++) {
		p = get_checked_text(t, TRACE_MAX_HEAD, &len, false);
		k->files[i] = kern_string(k, p, len);
		if (!k->files[i])
			return err_nomem(e);
	}
	k->pub.n_files = (uint32_t)n;
	return 0;
}

static void
get_fields(struct tables *t, struct kern *k)
{
	struct trace_kernel *p = &k->pub;
	uint64_t classes, v;
	int i;

	p->id = (uint32_t)get_number(t, UINT32_MAX);
	for (i = 0; i < 3; i++)
		p->grid[i] = (uint32_t)get_number(t, UINT32_MAX);
	for (i = 0; i < 3; i++)
		p->block[i] = (uint32_t)get_number(t, UINT32_MAX);
	p->shmem = (uint32_t)get_number(t, TRACE_MAX_SHMEM);
	p->regs = (uint32_t)get_number(t, 255);
	p->binary_version = (uint32_t)get_number(t, UINT32_MAX);
	p->shmem_base = get_number(t, UINT64_MAX);
	p->local_base = get_number(t, UINT64_MAX);
	p->stream = get_number(t, UINT64_MAX);
	k->tracer_version = (uint32_t)get_number(t, TRACER_KEPT);
	k->lineinfo = get_number(t, 1);
	k->style = (uint8_t)get_number(t, 7);
	p->warp_insts = get_number(t, UINT64_MAX);
	p->thread_insts = get_number(t, UINT64_MAX);
	classes = get_number(t, 64);
	for (i = 0; i < (int)classes; i++) {
		v = get_number(t, UINT64_MAX);
		if (i < OP_CLASSES)
			p->class_warp_insts[i] = v;
		else
			t->bad |= v != 0;
	}
	t->bad |= isa_of(p->binary_version) == ISA_NONE;
}

/* Compares the fields with the header text, which a conversion to text writes. */
static int
compare_head(const struct kern *k, bool *same, struct err *e)
{
	static const char end[] = "#BEGIN_TB\n";
	struct strbuf text = {0};
	struct kern *h = kern_new();
	struct in *in = NULL;
	struct err why = {0};
	bool failed, unsorted;

	*same = false;
	sb_add(&text, k->head.p ? k->head.p : "", k->head.n);
	sb_str(&text, end);
	if (h && !text.failed)
		in = in_memory("header", text.p, text.n, NULL);
	if (in && traceg_head(in, h, &unsorted, &why) == 0) {
		const struct trace_kernel *a = &k->pub, *b = &h->pub;

		*same = strcmp(a->name, b->name) == 0 && a->id == b->id && a->shmem == b->shmem &&
			a->regs == b->regs && a->binary_version == b->binary_version &&
			memcmp(a->grid, b->grid, sizeof(a->grid)) == 0 &&
			memcmp(a->block, b->block, sizeof(a->block)) == 0 &&
			a->shmem_base == b->shmem_base && a->local_base == b->local_base &&
			a->stream == b->stream && k->tracer_version == h->tracer_version &&
			k->lineinfo == h->lineinfo && k->head.n == h->head.n;
	}
	/* Running out of memory is not a difference. */
	failed = !in || h->head.failed || why.kind == ERR_MEMORY;
	in_close(in);
	kern_free(h);
	sb_free(&text);
	return failed ? err_nomem(e) : 0;
}

/* Reads the next kernel; NULL with e filled, or with t->bad and e unchanged. */
static struct kern *
get_kernel(struct tables *t, uint64_t *at, struct err *e)
{
	struct kern *k = kern_new();
	const char *p;
	bool same, failed, has_file;
	size_t n;

	if (!k) {
		err_nomem(e);
		return NULL;
	}
	p = get_checked_text(t, 4096, &n, false);
	has_file = n > 0;
	k->file = n ? strndup(p, n) : NULL;
	p = get_checked_text(t, TRACE_MAX_HEAD, &n, true);
	sb_add(&k->head, p, n);
	p = get_checked_text(t, sizeof(k->pub.name) - 1, &n, false);
	kern_set_name(k, p, n);
	get_fields(t, k);
	if (!t->bad && kern_set_dims(k, NULL))
		t->bad = true;
	k->stored_content = get_u64(t);
	k->is_stored = true;
	failed = k->head.failed || (has_file && !k->file);
	if (failed)
		err_nomem(e);
	if (t->bad || failed || compare_head(k, &same, e)) {
		kern_free(k);
		return NULL;
	}
	if (!same)
		t->bad = true;
	if (t->bad || get_files(t, k, e) || get_rows(t, k, e) || get_index(t, k, at, e) || t->bad ||
	    kern_finish(k, e)) {
		kern_free(k);
		return NULL;
	}
	return k;
}

static int
get_tables(struct trace *tr, struct tables *t, struct err *e)
{
	uint64_t n = get_count(t, 1), at = CTR_HEAD, i, kernels = 0;
	struct kern *k;

	for (i = 0; i < n && !t->bad; i++) {
		struct trace_cmd c = {.kind = get_number(t, TRACE_CMD_KINDS - 1)};
		struct err why = {0};

		kernels += c.kind == TRACE_KERNEL;
		c.addr = c.kind == TRACE_KERNEL ? 0 : get_number(t, UINT64_MAX);
		c.bytes = c.kind == TRACE_KERNEL ? 0 : get_number(t, UINT64_MAX);
		t->bad |= trace_add_order(tr, &c, &why) != 0;
		if (why.kind == ERR_MEMORY)
			return err_nomem(e);
	}
	if (get_number(t, UINT32_MAX) != kernels)
		t->bad = true;
	for (i = 0; i < kernels && !t->bad; i++) {
		struct err why = {0};

		k = get_kernel(t, &at, &why);
		if (why.set) {
			if (e)
				*e = why;
			return -1;
		}
		if (k && trace_keep_kernel(tr, k, e))
			return -1;
	}
	if (t->p != t->end || at != t->ctr->size)
		t->bad = true;
	return t->bad ? err_at(e, t->ctr->path, 0, NULL, 0, 1,
			       "the tables are damaged near their byte %zu of %zu",
			       (size_t)(t->p - t->from), (size_t)(t->end - t->from))
		      : 0;
}

/* Did zstd run out of memory? Then the file may be good. */
static bool
is_out_of_memory(size_t r)
{
	return ZSTD_isError(r) && ZSTD_getErrorCode(r) == ZSTD_error_memory_allocation;
}

/* Unpacks the tables. The memory grows with the output, as a damaged foot can state any size. */
static int
unpack_tables(struct ctr *c, const uint8_t *foot, struct strbuf *raw, struct err *e)
{
	uint64_t at = get_le(foot, 8), packed = get_le(foot + 8, 8), size = get_le(foot + 16, 8);
	ZSTD_inBuffer in;
	size_t r = 1;

	if (size > CTR_MAX_TABLES)
		return err_at_byte(e, c->path, at, "the tables are larger than %llu MiB",
				   CTR_MAX_TABLES >> 20);
	if (!sb_reserve(&c->packed, packed))
		return err_nomem(e);
	if (read_at(c, c->packed.p, packed, at, e))
		return -1;
	if (hash64(c->packed.p, packed, CTR_HASH_SEED) != get_le(foot + 24, 8))
		return err_at_byte(e, c->path, at,
				   "the tables are damaged: their checksum is wrong");
	in = (ZSTD_inBuffer){c->packed.p, packed, 0};
	while (in.pos < in.size && raw->n <= size) {
		ZSTD_outBuffer out = {sb_reserve(raw, 1u << 17), 1u << 17, 0};

		if (!out.dst)
			return err_nomem(e);
		r = ZSTD_decompressStream(c->zstd, &out, &in);
		raw->n += out.pos;
		if (ZSTD_isError(r) || (r == 0 && in.pos < in.size))
			break;
		if (r == 0)
			break;
	}
	if (is_out_of_memory(r))
		return err_nomem(e);
	if (r != 0 || in.pos != in.size || raw->n != size)
		return err_at_byte(e, c->path, at, "the tables are damaged: they do not unpack");
	return 0;
}

static int
check_head(struct ctr *c, const uint8_t *both, const uint8_t *foot, struct err *e)
{
	if (memcmp(both, CTR_MAGIC, CTR_MAGIC_SIZE) != 0)
		return err_at(e, c->path, 0, NULL, 0, 1, "not a .ctr file");
	if (hash64(both, 24, CTR_HASH_SEED) != get_le(both + 24, 8))
		return err_at_byte(e, c->path, 8, "the header is damaged: its checksum is wrong");
	if (get_le(both + 8, 4) != CTR_VERSION || get_le(both + 12, 4) != 0)
		return err_at_byte(e, c->path, 8,
				   "version %u with feature flags 0x%x is newer than this "
				   "program: expected version %u with flags 0",
				   (unsigned)get_le(both + 8, 4), (unsigned)get_le(both + 12, 4),
				   CTR_VERSION);
	if (memcmp(foot + 48, CTR_FOOT_MAGIC, 8) != 0)
		return err_at_byte(
			e, c->path, c->size - 8,
			"the end is missing: the file is truncated or was never finished");
	if (hash64(both, CTR_HEAD + 40, CTR_HASH_SEED) != get_le(foot + 40, 8) ||
	    get_le(foot + 32, 8) != c->size || get_le(foot, 8) < CTR_HEAD ||
	    get_le(foot, 8) > c->size - CTR_FOOT ||
	    get_le(foot + 8, 8) != c->size - CTR_FOOT - get_le(foot, 8))
		return err_at_byte(e, c->path, c->size - CTR_FOOT,
				   "the end of the file is damaged");
	return 0;
}

static int
load_file(struct trace *t, struct err *e)
{
	struct ctr *c = t->ctr;
	uint8_t both[CTR_HEAD + CTR_FOOT], *foot = both + CTR_HEAD;
	struct tables tab = {.ctr = c};
	struct strbuf raw = {0};
	struct stat st;
	int r;

	c->fd = open(c->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (c->fd < 0 || fstat(c->fd, &st) < 0)
		return err_set(e, "cannot open '%s': %s", c->path, strerror(errno));
	c->size = (uint64_t)st.st_size;
	if (c->size < CTR_HEAD + CTR_FOOT)
		return err_at_byte(e, c->path, c->size, "the file ends too early: it is truncated");
	if (read_at(c, both, CTR_HEAD, 0, e) || read_at(c, foot, CTR_FOOT, c->size - CTR_FOOT, e) ||
	    check_head(c, both, foot, e))
		return -1;
	r = unpack_tables(c, foot, &raw, e);
	if (r == 0) {
		tab.from = tab.p = (const uint8_t *)raw.p;
		tab.end = tab.p + raw.n;
		c->size = get_le(foot, 8); /* from here on size is the end of the blocks */
		r = get_tables(t, &tab, e);
	}
	sb_free(&raw);
	sb_free(&c->packed);
	return r ? r : trace_seal(t, e);
}

struct trace *
ctr_open(const char *path, struct err *e)
{
	struct trace *t = trace_new(path);

	if (t)
		t->ctr = calloc(1, sizeof(*t->ctr));
	if (t && t->ctr) {
		t->ctr->fd = -1;
		t->ctr->path = strdup(path);
		t->ctr->zstd = ZSTD_createDCtx();
	}
	if (!t || !t->ctr || !t->ctr->path || !t->ctr->zstd) {
		err_nomem(e);
	} else {
		ZSTD_DCtx_setParameter(t->ctr->zstd, ZSTD_d_windowLogMax, 27);
		if (load_file(t, e) == 0)
			return t;
	}
	trace_close(t);
	return NULL;
}

/* ---- blocks ---- */

/* Reads a block into c->packed and compares its checksum. */
static int
read_block(struct ctr *c, const struct ctr_block *b, struct err *e)
{
	sb_clear(&c->packed);
	if (!sb_reserve(&c->packed, b->packed))
		return err_nomem(e);
	if (read_at(c, c->packed.p, b->packed, b->at, e))
		return -1;
	if (hash64(c->packed.p, b->packed, CTR_HASH_SEED) != b->hash)
		return err_at_byte(e, c->path, b->at,
				   "the block is damaged: its checksum is wrong");
	return 0;
}

int
ctr_check_blocks(struct ctr *c, const struct kern *k, struct err *e)
{
	for (uint64_t i = 0; i < k->blocks->n; i++)
		if (read_block(c, &k->blocks->block[i], e))
			return -1;
	return 0;
}

static int
fetch_block(struct ctr *c, const struct kern *k, const struct ctr_block *b, struct kept *to,
	    struct err *e)
{
	uint64_t size = k->off[b[1].first] - k->off[b->first];
	size_t got;

	free(to->p);
	*to = (struct kept){0};
	if (read_block(c, b, e))
		return -1;
	/* Allocate only when the frame states the same size as the index. */
	if (ZSTD_getFrameContentSize(c->packed.p, b->packed) != size)
		return err_at_byte(e, c->path, b->at, "the block is damaged: its size is wrong");
	to->p = malloc(size + 1);
	if (!to->p)
		return err_nomem(e);
	got = ZSTD_decompressDCtx(c->zstd, to->p, size, c->packed.p, b->packed);
	if (is_out_of_memory(got))
		return err_nomem(e);
	if (ZSTD_isError(got) || got != size)
		return err_at_byte(e, c->path, b->at, "the block is damaged: it does not unpack");
	to->block = b;
	return 0;
}

const uint8_t *
ctr_bytes(struct ctr *c, const struct kern *k, uint64_t cta, size_t *n, struct err *e)
{
	const struct ctr_blocks *all = k->blocks;
	uint64_t low = 0, high = all->n, mid;
	struct kept *to = c->kept;
	int i;

	while (high - low > 1) {
		mid = low + (high - low) / 2;
		*(all->block[mid].first <= cta ? &low : &high) = mid;
	}
	for (i = 0; i < KEPT_BLOCKS; i++) {
		if (c->kept[i].block == &all->block[low]) {
			to = &c->kept[i];
			break;
		}
		if (c->kept[i].used < to->used)
			to = &c->kept[i];
	}
	if (to->block != &all->block[low] && fetch_block(c, k, &all->block[low], to, e)) {
		free(to->p);
		*to = (struct kept){0};
		return NULL;
	}
	to->used = ++c->clock;
	*n = (size_t)(k->off[cta + 1] - k->off[cta]);
	return to->p + (k->off[cta] - k->off[all->block[low].first]);
}
