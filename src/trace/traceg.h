/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traceg.h - reads and writes .traceg text; see traceg.c. */
#ifndef TRACE_TRACEG_H
#define TRACE_TRACEG_H

#include "base/words.h"
#include "trace/codec.h"
#include "trace/in.h"
#include <stdio.h>

/* Reads one kernel. c and b are buffers that calls reuse. NULL with e filled. */
struct kern *traceg_read(struct in *in, struct codec *c, struct ctabuf *b, struct err *e);

#define TRACER_LAST 6 /* the newest tracer version that is read */
#define TRACER_KEPT 5 /* the newest that is kept: what version 6 adds is not */

/* Reads the header into k's fields and k->head, and the line after it, #BEGIN_TB; or sets *unsorted
 * when the records follow at once, as the tracer writes them. 0 on success. */
int traceg_head(struct in *in, struct kern *k, bool *unsorted, struct err *e);

/* Appends one CTA as text to out. first: it is the first one after the header. */
void traceg_write_cta(const struct kern *k, const struct cta_trace *c, const uint8_t *mode,
		      uint64_t present, bool first, struct strbuf *out);

/* ---- numbers, for the header and the records ---- */

/* Scans a decimal number up to max; NULL when there is none or it is larger. */
static inline const char *
scan_dec(const char *p, uint64_t max, uint64_t *v)
{
	uint64_t x = 0;
	unsigned d = (unsigned char)*p - '0';

	if (d > 9)
		return NULL;
	for (; d <= 9; d = (unsigned char)*++p - '0') {
		if (x > (max - d) / 10 || max < d)
			return NULL;
		x = x * 10 + d;
	}
	*v = x;
	return p;
}

/* The value of a hexadecimal digit; over 15 for another character. */
static inline unsigned
hex_digit(char c)
{
	unsigned d = (unsigned char)c - '0';

	if (d > 9) {
		d = ((unsigned char)c | 0x20u) - 'a' + 10u;
		if (d < 10)
			return 99;
	}
	return d;
}

/* Scans a hexadecimal number without 0x, of at most digits digits. */
static inline const char *
scan_hex(const char *p, int digits, uint64_t *v)
{
	uint64_t x = 0;
	unsigned d = hex_digit(*p);
	int n = 0;

	if (d > 15)
		return NULL;
	for (; d <= 15; d = hex_digit(*++p)) {
		if (n == digits)
			return NULL;
		n += x || d; /* leading zeros do not count */
		x = x << 4 | d;
	}
	*v = x;
	return p;
}

#endif
