/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * traceg.c - reads the thread blocks of a .traceg, as the Accel-Sim tracer writes them.
 *
 *     #BEGIN_TB
 *     thread block = 0,0,0
 *     warp = 0
 *     insts = 2
 *     0030 ffffffff 1 R4 LDG.E.SYS 1 R2 4 1 0x7fff00000000 4 0
 *     0040 ffffffff 0 EXIT 0 0 0
 *     #END_TB
 *
 * A record is [ctax ctay ctaz warp] [line] PC mask n-dst dst.. opcode n-src src.. width [addresses]
 * [immediate]: the first group before tracer version 3, where records of several warps may be mixed;
 * the line when the header enables it; addresses when the width is not 0: "0 a a .." one per active
 * lane, "1 base stride", "2 base step step .." one step per further active lane; the immediate is
 * taken wherever it is written.
 *
 * The text is never held: a CTA is collected in a struct ctabuf, encoded at #END_TB and appended to
 * the kernel. Every count, id and mask is checked; nothing is skipped that is not understood.
 */
#include "trace/traceg.h"

#include <string.h>

#define OP_CACHE 64
#define MAX_EMPTY_LINES 100000 /* in a row: more is a file of nothing, not a trace */

struct op_cache {
	char op[TRACE_MAX_OPCODE];
	uint32_t len;
	uint8_t cls, space, flags;
};

struct reader {
	struct in *in;
	struct kern *k;
	struct codec *codec;
	struct ctabuf *b;
	struct strbuf out;
	struct err *e;
	const char *line;
	enum isa isa;
	bool styled, list_styled; /* STYLE_* were set from the first record */
	bool in_tb, has_id;
	int warp;	   /* of the last "warp =", -1 before */
	int64_t declared[TRACE_MAX_WARPS]; /* of "insts =", -1 before */
	struct op_cache cache[OP_CACHE];
};

/* ---- errors ---- */

#define BAD(r, at, len, ...)                                                                       \
	err_at((r)->e, in_name((r)->in), in_number((r)->in), (r)->line, (int)((at) - (r)->line),   \
	       (int)(len), __VA_ARGS__)

static int
word_len(const char *p)
{
	return (int)strcspn(p, " \t\r");
}

/* "expected X, found 'Y'" at p. */
static int
expected(struct reader *r, const char *p, const char *what)
{
	int n = word_len(p);

	if (!*p)
		return BAD(r, p, 1, "expected %s, found the end of the line", what);
	return BAD(r, p, n, "expected %s, found '%.*s%s'", what, MIN(n, 40), p, n > 40 ? "..." : "");
}

/* ---- fields of a record ---- */

/* A decimal field that must be followed by a blank or the end. */
static const char *
field_dec(const char *p, uint64_t max, uint64_t *v)
{
	p = scan_dec(p, max, v);
	return p && (is_blank(*p) || !*p) ? skip_blanks(p) : NULL;
}

static const char *
field_hex(const char *p, int digits, uint64_t *v)
{
	p = scan_hex(p, digits, v);
	return p && (is_blank(*p) || !*p) ? skip_blanks(p) : NULL;
}

static const char *
field_signed(const char *p, int64_t *v)
{
	uint64_t x;
	bool minus = *p == '-';

	p = field_dec(p + minus, (uint64_t)INT64_MAX + minus, &x);
	if (p)
		*v = minus ? (int64_t)-x : (int64_t)x;
	return p;
}

static const char *
field_address(const char *p, uint64_t *v)
{
	if (p[0] != '0' || p[1] != 'x')
		return NULL;
	return field_hex(p + 2, 16, v);
}

/* "n R.. R.." */
static const char *
field_regs(struct reader *r, const char *p, uint32_t max, uint8_t *n, uint8_t *reg, const char *what)
{
	uint64_t count, v;
	const char *next = field_dec(p, max, &count);
	uint64_t i;

	if (!next) {
		BAD(r, p, word_len(p), "expected the number of %s registers, 0 to %u, found '%.*s'", what,
		    max, MIN(word_len(p), 40), p);
		return NULL;
	}
	*n = (uint8_t)count;
	for (i = 0; i < count; i++) {
		p = next;
		next = *p == 'R' ? field_dec(p + 1, 255, &v) : NULL;
		if (!next) {
			expected(r, p, "a register such as R4");
			return NULL;
		}
		reg[i] = (uint8_t)v;
	}
	return next;
}

static const char *
field_opcode(struct reader *r, const char *p, struct inst_key *key)
{
	struct op_cache *c;
	const char *near;
	uint32_t n = 0, mix = 0;

	for (; (p[n] >= '0' && p[n] <= '9') || (p[n] >= 'A' && p[n] <= 'Z') || p[n] == '.' ||
	       p[n] == '_' || (p[n] >= 'a' && p[n] <= 'z'); n++)
		mix = mix * 31 + (unsigned char)p[n];
	if (n == 0 || n >= TRACE_MAX_OPCODE || !(is_blank(p[n]) || !p[n]) || (p[0] >= '0' && p[0] <= '9')) {
		expected(r, p, "an opcode such as FADD");
		return NULL;
	}
	key->op = p;
	key->op_len = n;
	c = &r->cache[(mix ^ mix >> 6 ^ n) % OP_CACHE];
	if (c->len != n || memcmp(c->op, p, n) != 0) {
		if (!op_find(r->isa, p, n, key)) {
			near = op_nearest(r->isa, p, n);
			BAD(r, p, n, "unknown opcode '%.*s' for binary version %u%s%s%s", (int)n, p,
			    r->k->pub.binary_version, near ? "; did you mean " : "", near ? near : "",
			    near ? "?" : "");
			return NULL;
		}
		memcpy(c->op, p, n);
		c->len = n;
		c->cls = key->cls;
		c->space = key->space;
		c->flags = key->flags;
	}
	key->cls = c->cls;
	key->space = c->space;
	key->flags = c->flags;
	return skip_blanks(p + n);
}

/* The address part. *first: the first active lane's address. */
static const char *
field_addresses(struct reader *r, const char *p, struct rawrec *rec, uint64_t *first)
{
	uint32_t lanes = (uint32_t)__builtin_popcount(rec->mask), i;
	uint64_t mode, *a;
	int64_t step;
	const char *next = field_dec(p, MODE_DELTA, &mode);

	if (!next) {
		expected(r, p, "an address mode, 0 (list), 1 (base and stride) or 2 (base and steps)");
		return NULL;
	}
	rec->mode = (uint32_t)mode;
	rec->at = (uint32_t)r->b->n_addr;
	a = ctabuf_addr(r->b, mode == MODE_STRIDE ? 2 : MAX(lanes, 1u));
	if (!a) {
		err_nomem(r->e);
		return NULL;
	}
	a[0] = 0;
	if (mode == MODE_LIST && lanes && !r->list_styled) {
		r->list_styled = true;
		r->k->style |= word_len(next) == 18 ? STYLE_LIST_16 : 0;
	}
	for (i = 0; i < (mode == MODE_LIST ? lanes : 1); i++) {
		p = next;
		next = field_address(p, &a[i]);
		if (!next) {
			expected(r, p, mode == MODE_LIST ? "one address such as 0x7f00 for each active lane"
							 : "a base address such as 0x7f00");
			return NULL;
		}
	}
	for (i = 1; mode != MODE_LIST && i < (mode == MODE_STRIDE ? 2 : lanes); i++) {
		p = next;
		next = field_signed(p, &step);
		if (!next) {
			expected(r, p, mode == MODE_STRIDE ? "a stride in bytes"
							   : "one step in bytes for each further active lane");
			return NULL;
		}
		a[i] = mode == MODE_STRIDE ? (uint64_t)step : a[i - 1] + (uint64_t)step;
	}
	*first = a[0];
	return next;
}

/* The optional last field. */
static const char *
field_immediate(struct reader *r, const char *p, struct inst_key *key)
{
	const char *next;
	uint64_t v;

	if (!*p)
		return p;
	if (p[0] == '0' && p[1] == 'x') {
		next = field_hex(p + 2, 16, &v);
		key->imm = (int64_t)v;
		key->imm_kind = IMM_HEX;
	} else {
		next = field_signed(p, &key->imm);
		key->imm_kind = IMM_DEC;
	}
	if (!next)
		expected(r, p, "an immediate or the end of the record");
	return next;
}

/* ---- records ---- */

/* The thread block and warp numbers in front of a record before version 3. */
static const char *
prefix(struct reader *r, const char *p)
{
	uint64_t v;
	const char *next;
	int i;

	for (i = 0; i < 3; i++, p = next) {
		next = field_dec(p, UINT32_MAX, &v);
		if (!next) {
			expected(r, p, "the thread block number that tracers before version 3 write");
			return NULL;
		}
		if (v != r->b->xyz[i]) {
			BAD(r, p, word_len(p), "the record belongs to another thread block: '%.*s', expected %u",
			    MIN(word_len(p), 20), p, r->b->xyz[i]);
			return NULL;
		}
	}
	next = field_dec(p, r->k->pub.warps_per_cta - 1, &v);
	if (!next) {
		BAD(r, p, word_len(p), "bad warp '%.*s': expected 0 to %u", MIN(word_len(p), 20), p,
		    r->k->pub.warps_per_cta - 1);
		return NULL;
	}
	r->warp = (int)v;
	r->b->warp[v].present = true;
	return next;
}

static const char *
pc_and_mask(struct reader *r, const char *p, struct inst_key *key, uint32_t *mask)
{
	uint64_t v;
	const char *next;

	if (r->k->lineinfo) {
		next = field_dec(p, UINT32_MAX, &v);
		if (!next) {
			expected(r, p, "a source line number, which the header announces");
			return NULL;
		}
		key->line = (uint32_t)v;
		p = next;
	}
	next = field_hex(p, 8, &v);
	if (!next) {
		expected(r, p, "a program counter of up to 8 hexadecimal digits");
		return NULL;
	}
	key->pc = (uint32_t)v;
	p = next;
	next = field_hex(p, 8, &v);
	if (!next) {
		expected(r, p, "an active mask of up to 8 hexadecimal digits");
		return NULL;
	}
	*mask = (uint32_t)v;
	if (*mask & ~kern_lanes(r->k, (uint32_t)r->warp)) {
		BAD(r, p, word_len(p), "the mask '%.*s' has lanes beyond the %u threads of the block",
		    word_len(p), p, r->k->pub.threads_per_cta);
		return NULL;
	}
	return next;
}

static int
add_record(struct reader *r, struct inst_key *key, const struct rawrec *parsed, uint64_t first,
	   const char *op)
{
	struct rawrec *rec;
	int64_t row;

	if (op_resolve(&r->k->pub, key, parsed->mask != 0, first))
		return BAD(r, op, key->op_len, "%.*s is a memory instruction, but its memory width is 0",
			   (int)key->op_len, op);
	row = kern_inst(r->k, key);
	if (row == -2)
		return BAD(r, op, key->op_len, "the kernel has more than %u different instructions",
			   TRACE_MAX_STATIC);
	rec = ctabuf_rec(r->b, (uint32_t)r->warp);
	if (row < 0 || !rec)
		return err_nomem(r->e);
	*rec = *parsed;
	rec->inst = (uint32_t)row;
	r->b->bytes += addr_words(rec->mode, rec->mask) * sizeof(uint64_t);
	if (r->b->bytes > TRACE_MAX_CTA_BYTES || r->b->n_addr > TRACE_MAX_CTA_BYTES / 8)
		return BAD(r, op, key->op_len, "the thread block is larger than %llu MiB decoded",
			   TRACE_MAX_CTA_BYTES >> 20);
	return 0;
}

static int
record(struct reader *r, const char *p, size_t n)
{
	struct inst_key key;
	struct rawrec rec = {.mode = MODE_NONE};
	const char *op, *next;
	uint64_t width, first = 0;
	struct warpbuf *w;

	memset(&key, 0, sizeof key);
	if (r->k->tracer_version < 3 && !(p = prefix(r, p)))
		return -1;
	if (r->warp < 0)
		return expected(r, p, "'warp = ...'");
	w = &r->b->warp[r->warp];
	if (r->k->tracer_version >= 3 && (int64_t)w->n >= r->declared[r->warp])
		return BAD(r, r->line, n, r->declared[r->warp] < 0 ? "expected 'insts = ...'"
					   : "warp %d has more than the %lld instructions it declares",
			   r->warp, (long long)r->declared[r->warp]);
	if (!(p = pc_and_mask(r, p, &key, &rec.mask)) ||
	    !(op = field_regs(r, p, INST_MAX_DST, &key.n_dst, key.dst, "destination")) ||
	    !(p = field_opcode(r, op, &key)) ||
	    !(p = field_regs(r, p, INST_MAX_SRC, &key.n_src, key.src, "source")))
		return -1;
	next = field_dec(p, 255, &width);
	if (!next)
		return expected(r, p, "a memory width in bytes, 0 for no memory");
	p = next;
	key.mem_width = (uint32_t)width;
	if (width && !(p = field_addresses(r, p, &rec, &first)))
		return -1;
	if (!(p = field_immediate(r, p, &key)))
		return -1;
	if (*p)
		return expected(r, p, "the end of the record");
	if (!r->styled) {
		r->styled = true;
		r->k->style |= n && is_blank(r->line[n - 1]) ? STYLE_BLANK_END : 0;
	}
	return add_record(r, &key, &rec, first, op);
}

/* ---- lines around the records ---- */

/* The text after "word =", or NULL when the line is something else. */
static const char *
assignment(const char *p, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(p, word, n) != 0)
		return NULL;
	p = skip_blanks(p + n);
	return *p == '=' ? skip_blanks(p + 1) : NULL;
}

static int
begin_block(struct reader *r)
{
	uint32_t w;

	if (r->in_tb)
		return BAD(r, r->line, strlen(r->line), "#BEGIN_TB before the #END_TB of the last block");
	r->in_tb = true;
	r->has_id = false;
	r->warp = -1;
	for (w = 0; w < TRACE_MAX_WARPS; w++)
		r->declared[w] = -1;
	ctabuf_clear(r->b, r->k->pub.warps_per_cta);
	return 0;
}

static int
block_id(struct reader *r, const char *p)
{
	const uint32_t *g = r->k->pub.grid;
	const char *at = p;
	uint64_t v = 0;
	int i, marked;

	for (i = 0; i < 3 && p; i++) {
		p = scan_dec(skip_blanks(p), g[i] - 1, &v);
		r->b->xyz[i] = (uint32_t)v;
		if (p && i < 2)
			p = *skip_blanks(p) == ',' ? skip_blanks(p) + 1 : NULL;
	}
	if (!p || *skip_blanks(p))
		return BAD(r, at, strlen(at), "bad thread block '%.*s': expected x,y,z inside the grid "
			   "(%u,%u,%u)", (int)MIN(strlen(at), (size_t)40), at, g[0], g[1], g[2]);
	if (r->has_id)
		return BAD(r, r->line, strlen(r->line), "the block has a second 'thread block ='");
	r->has_id = true;
	marked = kern_mark_cta(r->k, r->b->xyz[0] + (uint64_t)g[0] * (r->b->xyz[1] +
								     (uint64_t)g[1] * r->b->xyz[2]));
	if (marked < 0)
		return err_nomem(r->e);
	if (marked)
		return BAD(r, at, strlen(at), "thread block %u,%u,%u is there twice", r->b->xyz[0],
			   r->b->xyz[1], r->b->xyz[2]);
	return 0;
}

/* Does the warp have as many records as it says? */
static int
check_warp(struct reader *r, int w)
{
	uint32_t n = r->b->warp[w].n;

	if (r->declared[w] >= 0 && n != (uint64_t)r->declared[w])
		return BAD(r, r->line, strlen(r->line),
			   "warp %d of thread block %u,%u,%u has %u of the %lld instructions it declares",
			   w, r->b->xyz[0], r->b->xyz[1], r->b->xyz[2], n, (long long)r->declared[w]);
	return 0;
}

static int
warp_line(struct reader *r, const char *p)
{
	uint64_t v;
	const char *end = scan_dec(p, r->k->pub.warps_per_cta - 1, &v);

	if (!r->has_id)
		return expected(r, r->line, "'thread block = x,y,z'");
	if (!end || *skip_blanks(end))
		return BAD(r, p, strlen(p), "bad warp '%.*s': expected 0 to %u",
			   (int)MIN(strlen(p), (size_t)40), p, r->k->pub.warps_per_cta - 1);
	if (r->warp >= 0 && r->k->tracer_version >= 3 && check_warp(r, r->warp))
		return -1;
	if (r->k->tracer_version >= 3 && r->b->warp[v].present)
		return BAD(r, p, strlen(p), "warp %u is there twice", (unsigned)v);
	r->warp = (int)v;
	r->b->warp[v].present = true;
	return 0;
}

static int
insts_line(struct reader *r, const char *p)
{
	uint64_t v;
	const char *end = scan_dec(p, TRACE_MAX_CTA_BYTES / sizeof(struct winst), &v);

	if (r->warp < 0)
		return expected(r, r->line, "'warp = ...'");
	if (r->declared[r->warp] >= 0)
		return BAD(r, r->line, strlen(r->line), "warp %d has a second 'insts ='", r->warp);
	if (!end || *skip_blanks(end))
		return BAD(r, p, strlen(p), "bad number of instructions '%.*s': expected 0 to %llu",
			   (int)MIN(strlen(p), (size_t)40), p,
			   TRACE_MAX_CTA_BYTES / (unsigned long long)sizeof(struct winst));
	r->declared[r->warp] = (int64_t)v;
	return 0;
}

static int
end_block(struct reader *r)
{
	uint32_t w;

	if (!r->in_tb)
		return BAD(r, r->line, strlen(r->line), "#END_TB without #BEGIN_TB");
	if (!r->has_id)
		return expected(r, r->line, "'thread block = x,y,z'");
	for (w = 0; w < r->b->n_warps; w++) {
		if (r->k->tracer_version >= 3 && r->b->warp[w].present && r->declared[w] < 0)
			return BAD(r, r->line, strlen(r->line), "warp %u lacks 'insts = ...'", w);
		if (check_warp(r, (int)w))
			return -1;
	}
	r->in_tb = false;
	sb_clear(&r->out);
	if (cta_encode(r->codec, r->k, r->b, &r->out) || r->out.failed ||
	    kern_push(r->k, r->out.p, r->out.n, true))
		return err_nomem(r->e);
	return 0;
}

static int
other_line(struct reader *r, const char *p, size_t n)
{
	const char *v;

	if (*p == '#') {
		if (strncmp(p, "#BEGIN_TB", 9) == 0 && !*skip_blanks(p + 9))
			return begin_block(r);
		if (strncmp(p, "#END_TB", 7) == 0 && !*skip_blanks(p + 7))
			return end_block(r);
		return 0; /* a comment */
	}
	if (!r->in_tb)
		return expected(r, p, "#BEGIN_TB");
	if ((v = assignment(p, "thread block")))
		return block_id(r, v);
	if ((v = assignment(p, "warp")))
		return warp_line(r, v);
	if ((v = assignment(p, "insts")))
		return insts_line(r, v);
	if (!r->has_id)
		return expected(r, p, "'thread block = x,y,z'");
	return record(r, p, n);
}

static int
read_blocks(struct reader *r)
{
	uint64_t empty = 0, end_line;
	size_t n;
	char *line;
	int got;

	r->line = "#BEGIN_TB";
	if (begin_block(r))
		return -1;
	while ((got = in_line(r->in, &line, &n, r->e)) == 1) {
		const char *p = skip_blanks(line);

		r->line = line;
		if (hex_digit(*p) <= 15 && r->has_id && r->in_tb) {
			if (record(r, p, n))
				return -1;
		} else if (*p && other_line(r, p, n)) {
			return -1;
		}
		empty = *p && *p != '#' ? 0 : empty + 1;
		if (empty > MAX_EMPTY_LINES)
			return BAD(r, line, 1, "more than %d lines in a row say nothing", MAX_EMPTY_LINES);
		if (!r->in_tb)
			r->k->style = (uint8_t)(*p ? r->k->style & ~STYLE_BLANK_TAIL
						   : r->k->style | STYLE_BLANK_TAIL);
	}
	if (got < 0)
		return -1;
	end_line = in_number(r->in);
	if (r->in_tb)
		return err_at(r->e, in_name(r->in), end_line, NULL, 0, 1,
			      "the file ends inside a thread block: it is truncated");
	if (r->k->n_cta != r->k->pub.n_cta)
		return err_at(r->e, in_name(r->in), end_line, NULL, 0, 1,
			      "the file holds %llu thread blocks, but the grid (%u,%u,%u) has %llu",
			      (unsigned long long)r->k->n_cta, r->k->pub.grid[0], r->k->pub.grid[1],
			      r->k->pub.grid[2], (unsigned long long)r->k->pub.n_cta);
	return 0;
}

struct kern *
traceg_read(struct in *in, struct codec *c, struct ctabuf *b, struct err *e)
{
	struct reader r = {.in = in, .codec = c, .b = b, .e = e, .k = kern_new()};

	if (!r.k) {
		err_nomem(e);
		return NULL;
	}
	if (traceg_head(in, r.k, e))
		goto bad;
	r.isa = isa_of(r.k->pub.binary_version);
	if (read_blocks(&r) || kern_finish(r.k, e))
		goto bad;
	sb_free(&r.out);
	return r.k;
bad:
	sb_free(&r.out);
	kern_free(r.k);
	return NULL;
}
