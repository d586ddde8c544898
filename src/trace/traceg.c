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
 * A record is
 *
 *     [ctax ctay ctaz warp] [line] PC mask n-dst dst.. opcode n-src src.. width [addresses]
 *     [immediate]
 *
 * The first group exists before tracer version 3, where the records of several warps may be mixed,
 * and in a .trace, which has nothing but records (traceg_sort.c). Version 6 has more
 * (traceg_rec.c). The line exists when the header enables it. Addresses exist when the width is not
 * 0: "0 a a .." has one per active lane, "1 base stride" has two numbers, "2 base step step .." one
 * step per further active lane. The immediate is optional.
 *
 * The text is not kept: a CTA is collected in a struct ctabuf, encoded at #END_TB and appended to
 * the kernel. Every count, id and mask is checked, and a line that cannot be parsed is an error.
 */
#include "trace/traceg_read.h"

#include <string.h>

#define MAX_EMPTY_LINES 100000 /* in a row */

/* ---- lines around the records ---- */

/* The text after "word =", or NULL when the line is something else. */
static const char *
match_assignment(const char *p, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(p, word, n) != 0)
		return NULL;
	p = skip_blanks(p + n);
	return *p == '=' ? skip_blanks(p + 1) : NULL;
}

/* Version 6 says to which cluster a block belongs, which the model does not use. */
static bool
is_cluster_line(const char *p)
{
	return match_assignment(p, "cluster id") || match_assignment(p, "cluster cta") ||
	       match_assignment(p, "cluster rank");
}

static int
begin_block(struct reader *r)
{
	uint32_t w;

	if (r->in_tb)
		return BAD(r, r->line, strlen(r->line),
			   "#BEGIN_TB before the #END_TB of the last block");
	r->in_tb = true;
	r->has_id = false;
	r->warp = -1;
	for (w = 0; w < TRACE_MAX_WARPS; w++)
		r->declared[w] = -1;
	ctabuf_clear(r->b, r->k->pub.warps_per_cta);
	return 0;
}

static int
parse_block_id(struct reader *r, const char *p)
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
		return BAD(r, at, strlen(at),
			   "invalid thread block '%.*s': expected x,y,z inside the grid "
			   "(%u,%u,%u)",
			   (int)MIN(strlen(at), (size_t)40), at, g[0], g[1], g[2]);
	if (r->has_id)
		return BAD(r, r->line, strlen(r->line), "the block has a second 'thread block ='");
	r->has_id = true;
	marked = kern_mark_cta(r->k,
			       r->b->xyz[0] + (uint64_t)g[0] * (r->b->xyz[1] +
								(uint64_t)g[1] * r->b->xyz[2]));
	if (marked < 0)
		return err_nomem(r->e);
	if (marked)
		return BAD(r, at, strlen(at), "thread block %u,%u,%u appears twice", r->b->xyz[0],
			   r->b->xyz[1], r->b->xyz[2]);
	return 0;
}

/* Checks that the warp has as many records as it declares. */
static int
check_warp(struct reader *r, int w)
{
	uint32_t n = r->b->warp[w].n;

	if (r->declared[w] >= 0 && n != (uint64_t)r->declared[w])
		return BAD(r, r->line, strlen(r->line),
			   "warp %d of thread block %u,%u,%u has %u of the %lld instructions it "
			   "declares",
			   w, r->b->xyz[0], r->b->xyz[1], r->b->xyz[2], n,
			   (long long)r->declared[w]);
	return 0;
}

static int
parse_warp_line(struct reader *r, const char *p)
{
	uint64_t v;
	const char *end = scan_dec(p, r->k->pub.warps_per_cta - 1, &v);

	if (!r->has_id)
		return traceg_expected(r, r->line, "'thread block = x,y,z'");
	if (!end || *skip_blanks(end))
		return BAD(r, p, strlen(p), "invalid warp '%.*s': expected 0 to %u",
			   (int)MIN(strlen(p), (size_t)40), p, r->k->pub.warps_per_cta - 1);
	if (r->warp >= 0 && r->k->tracer_version >= 3 && check_warp(r, r->warp))
		return -1;
	if (r->k->tracer_version >= 3 && r->b->warp[v].present)
		return BAD(r, p, strlen(p), "warp %u appears twice", (unsigned)v);
	r->warp = (int)v;
	r->b->warp[v].present = true;
	return 0;
}

static int
parse_insts_line(struct reader *r, const char *p)
{
	uint64_t v;
	const char *end = scan_dec(p, TRACE_CTA_BYTES / sizeof(struct winst), &v);

	if (r->warp < 0)
		return traceg_expected(r, r->line, "'warp = ...'");
	if (r->declared[r->warp] >= 0)
		return BAD(r, r->line, strlen(r->line), "warp %d has a second 'insts ='", r->warp);
	if (!end || *skip_blanks(end))
		return BAD(r, p, strlen(p),
			   "invalid number of instructions '%.*s': expected 0 to %llu",
			   (int)MIN(strlen(p), (size_t)40), p,
			   TRACE_CTA_BYTES / (unsigned long long)sizeof(struct winst));
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
		return traceg_expected(r, r->line, "'thread block = x,y,z'");
	for (w = 0; w < r->b->n_warps; w++) {
		if (r->k->tracer_version >= 3 && r->b->warp[w].present && r->declared[w] < 0)
			return BAD(r, r->line, strlen(r->line), "warp %u lacks 'insts = ...'", w);
		if (check_warp(r, (int)w))
			return -1;
	}
	r->in_tb = false;
	return traceg_end_block(r);
}

int
traceg_end_block(struct reader *r)
{
	struct kern_counts n = {0};

	sb_clear(&r->out);
	if (cta_encode(r->codec, r->k, r->b, &r->out, &n, r->e))
		return -1;
	if (kern_append_cta(r->k, r->out.p, r->out.n, true))
		return err_nomem(r->e);
	kern_add_counts(r->k, &n);
	return 0;
}

static int
parse_other_line(struct reader *r, const char *p, size_t n)
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
		return traceg_expected(r, p, "#BEGIN_TB");
	if ((v = match_assignment(p, "thread block")))
		return parse_block_id(r, v);
	if ((v = match_assignment(p, "warp")))
		return parse_warp_line(r, v);
	if ((v = match_assignment(p, "insts")))
		return parse_insts_line(r, v);
	if (!r->has_id)
		return traceg_expected(r, p, "'thread block = x,y,z'");
	if (is_cluster_line(p))
		return 0;
	return traceg_record(r, p, n);
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
		if (hex_digit(*p) <= 15 && p[1] != 'l' && r->has_id && r->in_tb) {
			if (traceg_record(r, p, n))
				return -1;
		} else if (*p && parse_other_line(r, p, n)) {
			return -1;
		}
		empty = *p && *p != '#' ? 0 : empty + 1;
		if (empty > MAX_EMPTY_LINES)
			return BAD(r, line, 1, "more than %d empty or comment lines in a row",
				   MAX_EMPTY_LINES);
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
			      "the file has %llu thread blocks, but the grid (%u,%u,%u) has %llu",
			      (unsigned long long)r->k->n_cta, r->k->pub.grid[0], r->k->pub.grid[1],
			      r->k->pub.grid[2], (unsigned long long)r->k->pub.n_cta);
	return 0;
}

struct kern *
traceg_read(struct in *in, struct codec *c, struct ctabuf *b, struct err *e)
{
	struct reader r = {.in = in, .codec = c, .b = b, .e = e, .k = kern_new()};
	bool unsorted;

	if (!r.k) {
		err_nomem(e);
		return NULL;
	}
	if (traceg_head(in, r.k, &unsorted, e))
		goto bad;
	r.isa = isa_of(r.k->pub.binary_version);
	r.version = r.k->tracer_version;
	r.k->tracer_version = MIN(r.version, (uint32_t)TRACER_KEPT);
	r.prefix = r.version < 3 ? PREFIX_WARP : 0;
	if ((unsorted ? traceg_sort(&r) : read_blocks(&r)) || kern_finish(r.k, e))
		goto bad;
	sb_free(&r.out);
	return r.k;
bad:
	sb_free(&r.out);
	kern_free(r.k);
	return NULL;
}
