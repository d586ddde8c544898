/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * traceg_write.c - writes a CTA as .traceg text, formatted as the tracer formats it. A kernel that
 * was read from such a file is written back byte for byte, except for comments inside the blocks,
 * the order of warps, and records of several warps that were mixed (tracers before version 3).
 */
#include "trace/traceg.h"

#include <string.h>

#define RECORD_MAX 2048 /* 32 addresses of 20 characters, 16 registers, an opcode, some numbers */

static char *
put_str(char *p, const char *s, size_t n)
{
	memcpy(p, s, n);
	return p + n;
}

static char *
put_dec(char *p, uint64_t v)
{
	char digit[20];
	int n = 0;

	do
		digit[n++] = (char)('0' + v % 10);
	while (v /= 10);
	while (n)
		*p++ = digit[--n];
	return p;
}

static char *
put_signed(char *p, int64_t v)
{
	if (v >= 0)
		return put_dec(p, (uint64_t)v);
	*p++ = '-';
	return put_dec(p, -(uint64_t)v);
}

static char *
put_hex(char *p, uint64_t v, int least)
{
	int n = v ? (67 - __builtin_clzll(v)) / 4 : 1;

	for (n = MAX(n, least); n; n--)
		*p++ = "0123456789abcdef"[v >> (4 * (n - 1)) & 15];
	return p;
}

static char *
put_address(char *p, uint64_t v, int least)
{
	*p++ = ' ';
	*p++ = '0';
	*p++ = 'x';
	return put_hex(p, v, least);
}

static char *
put_regs(char *p, const uint8_t *reg, uint32_t n)
{
	uint32_t i;

	p = put_dec(p, n);
	for (i = 0; i < n; i++) {
		p = put_str(p, " R", 2);
		p = put_dec(p, reg[i]);
	}
	return p;
}

/* Writes the addresses. A list of one lane was decoded as base and stride. */
static char *
put_access(const struct kern *k, char *p, const struct winst *w, uint8_t mode, const uint64_t *a)
{
	bool list = w->mode == ADDR_LIST;
	uint32_t left = w->mask;
	uint64_t last;

	*p++ = ' ';
	*p++ = (char)('0' + mode);
	if (mode == MODE_LIST) {
		int least = k->style & STYLE_LIST_16 ? 16 : 1;

		for (; left; left &= left - 1)
			p = put_address(p, list ? a[__builtin_ctz(left)] : a[0], least);
		return p;
	}
	if (mode == MODE_STRIDE) {
		p = put_address(p, a[0], 1);
		*p++ = ' ';
		return put_signed(p, (int64_t)a[1]);
	}
	last = list ? a[__builtin_ctz(left)] : a[0];
	p = put_address(p, last, 1);
	for (left &= left - 1; left; left &= left - 1) {
		*p++ = ' ';
		p = put_signed(p, (int64_t)(a[__builtin_ctz(left)] - last));
		last = a[__builtin_ctz(left)];
	}
	return p;
}

static char *
put_record(const struct kern *k, char *p, const struct cta_trace *c, uint32_t warp,
	   const struct winst *w, uint8_t mode)
{
	const struct inst *in = &k->inst[w->inst];
	const struct inst_text *t = &k->text[w->inst];
	int i;

	if (k->tracer_version < 3) {
		for (i = 0; i < 3; i++) {
			p = put_dec(p, c->xyz[i]);
			*p++ = ' ';
		}
		p = put_dec(p, warp);
		*p++ = ' ';
	}
	if (k->lineinfo) {
		p = put_dec(p, in->line);
		*p++ = ' ';
	}
	p = put_hex(p, in->pc, 4);
	*p++ = ' ';
	p = put_hex(p, w->mask, 8);
	*p++ = ' ';
	p = put_regs(p, in->dst, in->n_dst);
	*p++ = ' ';
	p = put_str(p, t->op, t->op_len);
	*p++ = ' ';
	p = put_regs(p, in->src, in->n_src);
	*p++ = ' ';
	p = put_dec(p, t->mem_width);
	if (t->mem_width)
		p = put_access(k, p, w, mode, c->addr + w->at);
	if (t->imm_kind == IMM_HEX) {
		p = put_address(p, (uint64_t)t->imm, 1);
	} else if (t->imm_kind == IMM_DEC) {
		*p++ = ' ';
		p = put_signed(p, t->imm);
	}
	if (k->style & STYLE_BLANK_END)
		*p++ = ' ';
	*p++ = '\n';
	return p;
}

void
traceg_write_cta(const struct kern *k, const struct cta_trace *c, const uint8_t *mode,
		 uint64_t present, bool first, struct strbuf *out)
{
	uint32_t w, i;

	sb_printf(out, "%s#BEGIN_TB\n\nthread block = %u,%u,%u\n", first ? "" : "\n", c->xyz[0],
		  c->xyz[1], c->xyz[2]);
	for (w = 0; w < c->n_warps; w++) {
		if (!(present >> w & 1))
			continue;
		sb_printf(out, "\nwarp = %u\ninsts = %u\n", w, c->warp[w].n);
		for (i = 0; i < c->warp[w].n; i++) {
			char *from = sb_reserve(out, RECORD_MAX);

			if (!from)
				return;
			out->n += (size_t)(put_record(k, from, c, w, &c->warp[w].rec[i], *mode++) -
					   from);
		}
	}
	sb_str(out, "\n#END_TB\n");
}
