/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * traceg_rec.c - reads one record of a .traceg, field by field; the format is in traceg.c.
 *
 * Tracer version 6 also names registers that are not of a thread (UR4, P0, UP1), has a second
 * immediate, and ends records in "NoVal", or in "Val" and the values of the registers. The model
 * uses none of these. They are checked and left out, so that what is kept is version 5.
 */
#include "trace/traceg_read.h"

#include <string.h>

#define MAX_OPERANDS 32 /* registers of version 6 */

static int
word_len(const char *p)
{
	return (int)word_next(&p).n;
}

int
traceg_expected(struct reader *r, const char *p, const char *what)
{
	int n = word_len(p);

	if (!*p)
		return BAD(r, p, 1, "expected %s, found the end of the line", what);
	return BAD(r, p, n, "expected %s, found '%.*s%s'", what, MIN(n, 40), p,
		   n > 40 ? "..." : "");
}

/* ---- fields of a record ---- */

/* Scans a decimal field; NULL unless a blank or the end of the line follows. */
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

/* Scans a register of version 6 that no thread has to itself: UR4, URZ, P0, PT, UP1. */
static const char *
field_shared_reg(const char *p)
{
	uint64_t v;

	if (p[0] == 'U' && (p[1] == 'R' || p[1] == 'P'))
		p += 2;
	else if (p[0] == 'P')
		p++;
	else
		return NULL;
	if ((*p == 'Z' || *p == 'T') && (is_blank(p[1]) || !p[1]))
		return skip_blanks(p + 1);
	return field_dec(p, 255, &v);
}

/* Scans "n R.. R..". */
static const char *
field_regs(struct reader *r, const char *p, uint32_t max, uint8_t *n, uint8_t *reg,
	   const char *what)
{
	uint64_t count, v;
	const char *next = field_dec(p, r->version >= 6 ? MAX_OPERANDS : max, &count);
	uint64_t i;

	if (!next) {
		BAD(r, p, word_len(p), "expected the number of %s registers, 0 to %u, found '%.*s'",
		    what, max, MIN(word_len(p), 40), p);
		return NULL;
	}
	*n = 0;
	for (i = 0; i < count; i++) {
		p = next;
		if (r->version >= 6 && (next = field_shared_reg(p)))
			continue;
		next = *p == 'R' && *n < max ? field_dec(p + 1, 255, &v) : NULL;
		if (!next) {
			traceg_expected(r, p, "a register such as R4");
			return NULL;
		}
		reg[(*n)++] = (uint8_t)v;
	}
	return next;
}

static const char *
field_opcode(struct reader *r, const char *p, struct inst_key *key)
{
	struct err why = {0};
	struct op_cache *c;
	uint32_t n = 0, mix = 0;

	for (; (p[n] >= '0' && p[n] <= '9') || (p[n] >= 'A' && p[n] <= 'Z') || p[n] == '.' ||
	       p[n] == '_' || (p[n] >= 'a' && p[n] <= 'z');
	     n++)
		mix = mix * 31 + (unsigned char)p[n];
	if (n == 0 || n >= TRACE_MAX_OPCODE || !(is_blank(p[n]) || !p[n]) ||
	    (p[0] >= '0' && p[0] <= '9')) {
		traceg_expected(r, p, "an opcode such as FADD");
		return NULL;
	}
	key->op = p;
	key->op_len = n;
	c = &r->cache[(mix ^ mix >> 6 ^ n) % OP_CACHE];
	if (c->len != n || memcmp(c->op, p, n) != 0) {
		if (!op_find(r->isa, p, n, key)) {
			op_unknown(r->k->pub.binary_version, p, n, &why);
			BAD(r, p, n, "%s", why.msg);
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

/* Scans the addresses. *first becomes the first active lane's address. */
static const char *
field_addresses(struct reader *r, const char *p, struct rawrec *rec, uint64_t *first)
{
	uint32_t lanes = (uint32_t)__builtin_popcount(rec->mask), i;
	uint64_t mode, *a;
	int64_t step;
	const char *next = field_dec(p, MODE_DELTA, &mode);

	if (!next) {
		traceg_expected(
			r, p,
			"an address mode, 0 (list), 1 (base and stride) or 2 (base and steps)");
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
			traceg_expected(r, p,
					mode == MODE_LIST
						? "one address such as 0x7f00 for each active lane"
						: "a base address such as 0x7f00");
			return NULL;
		}
	}
	for (i = 1; mode != MODE_LIST && i < (mode == MODE_STRIDE ? 2 : lanes); i++) {
		p = next;
		next = field_signed(p, &step);
		if (!next) {
			traceg_expected(r, p,
					mode == MODE_STRIDE
						? "a stride in bytes"
						: "one step in bytes for each further active lane");
			return NULL;
		}
		a[i] = mode == MODE_STRIDE ? (uint64_t)step : a[i - 1] + (uint64_t)step;
	}
	*first = a[0];
	return next;
}

/* Scans the optional last field. */
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
		traceg_expected(r, p, "an immediate or the end of the record");
	return next;
}

/* Scans what version 6 has after the first immediate: another one, and the values of the registers.
 */
static const char *
skip_values(struct reader *r, const char *p)
{
	const char *next;
	int64_t imm;
	uint64_t v;

	if ((next = field_signed(p, &imm)))
		p = next;
	if (strncmp(p, "NoVal", 5) == 0)
		return skip_blanks(p + 5);
	if (strncmp(p, "Val", 3) != 0)
		return p;
	for (p = skip_blanks(p + 3); *p; p = next) {
		next = field_hex(p[0] == '0' && p[1] == 'x' ? p + 2 : p, 16, &v);
		if (!next) {
			traceg_expected(r, p, "the value of a register");
			return NULL;
		}
	}
	return p;
}

/* ---- records ---- */

/* Scans the numbers before a record: of its thread block, its warp and its cluster. */
static const char *
parse_prefix(struct reader *r, const char *p)
{
	uint64_t v;
	const char *next;
	uint32_t i;

	for (i = 0; i < 3; i++, p = next) {
		next = field_dec(p, UINT32_MAX, &v);
		if (!next) {
			traceg_expected(
				r, p,
				"the number of the thread block, which this record begins with");
			return NULL;
		}
		if (r->sorter && v < r->k->pub.grid[i]) {
			r->b->xyz[i] = (uint32_t)v;
		} else if (r->sorter) {
			BAD(r, p, word_len(p),
			    "thread block number %.*s is outside the grid (%u,%u,%u)",
			    MIN(word_len(p), 20), p, r->k->pub.grid[0], r->k->pub.grid[1],
			    r->k->pub.grid[2]);
			return NULL;
		} else if (v != r->b->xyz[i]) {
			BAD(r, p, word_len(p),
			    "the record belongs to another thread block: '%.*s', expected %u",
			    MIN(word_len(p), 20), p, r->b->xyz[i]);
			return NULL;
		}
	}
	next = field_dec(p, r->k->pub.warps_per_cta - 1, &v);
	if (!next) {
		BAD(r, p, word_len(p), "invalid warp '%.*s': expected 0 to %u",
		    MIN(word_len(p), 20), p, r->k->pub.warps_per_cta - 1);
		return NULL;
	}
	r->warp = (int)v;
	r->b->warp[v].present = true;
	for (i = PREFIX_WARP; i < r->prefix; i++) {
		p = next;
		next = field_dec(p, UINT32_MAX, &v);
		if (!next) {
			traceg_expected(r, p, "the number of a cluster");
			return NULL;
		}
	}
	return next;
}

static const char *
parse_pc_and_mask(struct reader *r, const char *p, struct inst_key *key, uint32_t *mask)
{
	uint64_t v;
	const char *next;

	if (r->k->lineinfo) {
		next = field_dec(p, UINT32_MAX, &v);
		if (!next) {
			traceg_expected(r, p, "a source line number, which the header announces");
			return NULL;
		}
		key->line = (uint32_t)v;
		p = next;
	}
	next = field_hex(p, 8, &v);
	if (!next) {
		traceg_expected(r, p, "a program counter of up to 8 hexadecimal digits");
		return NULL;
	}
	key->pc = (uint32_t)v;
	p = next;
	next = field_hex(p, 8, &v);
	if (!next) {
		traceg_expected(r, p, "an active mask of up to 8 hexadecimal digits");
		return NULL;
	}
	*mask = (uint32_t)v;
	if (*mask & ~kern_lanes(r->k, (uint32_t)r->warp)) {
		BAD(r, p, word_len(p),
		    "the mask '%.*s' has lanes beyond the %u threads of the block", word_len(p), p,
		    r->k->pub.threads_per_cta);
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
		return BAD(r, op, key->op_len,
			   "%.*s is a memory instruction, but its memory width is 0",
			   (int)key->op_len, op);
	row = kern_intern(r->k, key);
	if (row == -2)
		return BAD(r, op, key->op_len, "the kernel has more than %u different instructions",
			   TRACE_MAX_STATIC);
	rec = ctabuf_recs(r->b, (uint32_t)r->warp, 1);
	if (row < 0 || !rec)
		return err_nomem(r->e);
	*rec = *parsed;
	rec->inst = (uint32_t)row;
	r->b->words += addr_words(rec->mode, rec->mask);
	if (ctabuf_bytes(r->b) > TRACE_CTA_BYTES || r->b->n_addr > TRACE_CTA_BYTES / 8)
		return BAD(r, op, key->op_len,
			   "the thread block is larger than %llu MiB decoded, the maximum: trace a "
			   "smaller input, or leave this kernel out of kernelslist.g",
			   TRACE_CTA_BYTES >> 20);
	return 0;
}

int
traceg_record(struct reader *r, const char *p, size_t n)
{
	struct inst_key key;
	struct rawrec rec = {.mode = MODE_NONE};
	const char *op, *next;
	uint64_t width, first = 0;
	struct warpbuf *w;

	memset(&key, 0, sizeof(key));
	if (r->prefix && !(p = parse_prefix(r, p)))
		return -1;
	if (r->warp < 0)
		return traceg_expected(r, p, "'warp = ...'");
	w = &r->b->warp[r->warp];
	if (!r->prefix && (int64_t)w->n >= r->declared[r->warp])
		return BAD(r, r->line, n,
			   r->declared[r->warp] < 0
				   ? "expected 'insts = ...'"
				   : "warp %d has more than the %lld instructions it declares",
			   r->warp, (long long)r->declared[r->warp]);
	if (!(p = parse_pc_and_mask(r, p, &key, &rec.mask)) ||
	    !(op = field_regs(r, p, INST_MAX_DST, &key.n_dst, key.dst, "destination")) ||
	    !(p = field_opcode(r, op, &key)) ||
	    !(p = field_regs(r, p, INST_MAX_SRC, &key.n_src, key.src, "source")))
		return -1;
	next = field_dec(p, 255, &width);
	if (!next)
		return traceg_expected(r, p, "a memory width in bytes, 0 for no memory");
	p = next;
	key.mem_width = (uint32_t)width;
	if (width && !(p = field_addresses(r, p, &rec, &first)))
		return -1;
	if (!(p = field_immediate(r, p, &key)))
		return -1;
	if (r->version >= 6 && !(p = skip_values(r, p)))
		return -1;
	if (*p)
		return traceg_expected(r, p, "the end of the record");
	if (!r->styled) {
		r->styled = true;
		r->k->style |= n && is_blank(r->line[n - 1]) ? STYLE_BLANK_END : 0;
	}
	return add_record(r, &key, &rec, first, op);
}
