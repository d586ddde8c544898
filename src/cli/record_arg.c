/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record_arg.c - a kernel argument of `ctascope record --ptx`:
 *
 *     17  0x10  -3  1.5  2f  3d     a number, stored as the parameter's size and kind ask
 *     hex:00ff12                    as many bytes as the parameter has
 *     buf:SIZE:zero|iota|rand|file=F[:TYPE]
 *
 * A buffer is device memory and the parameter its address. SIZE is in bytes, k M G are powers of
 * 1024. TYPE (u32, the default, f32, f64, u64, u16, u8) says what elements iota and rand count in:
 * iota is 0, 1, 2 ...; rand is the same numbers in every run, different for every argument, floats
 * from 0 to 1. A file fills the front of the buffer, the rest is zero.
 */
#include "cli/record_arg.h"

#include "base/number.h"
#include "base/random.h"
#include "base/output.h"
#include "base/textfile.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- numbers */

/* The suffix f or d, which forces the kind of number, else 0. In hexadecimal f and d are digits. */
static char
number_suffix(const char *text)
{
	size_t n = strlen(text);
	bool hex = strncmp(text, "0x", 2) == 0 || strncmp(text, "-0x", 3) == 0;

	if (n < 2 || hex)
		return 0;
	return text[n - 1] == 'f' || text[n - 1] == 'd' ? text[n - 1] : 0;
}

static int
put_real(const char *text, unsigned number, const struct ptx_param *p, char kind, double v,
	 uint8_t *value, struct err *e)
{
	float single = (float)v;

	if (p->size != 4 && p->size != 8)
		return err_set(e, "argument %u, %s: the parameter has %u bytes, a float has 4 or 8",
			       number, text, p->size);
	if ((kind == 'f' && p->size != 4) || (kind == 'd' && p->size != 8))
		return err_set(e, "argument %u, %s: the parameter has %u bytes", number, text,
			       p->size);
	if (p->size == 4)
		memcpy(value, &single, 4);
	else
		memcpy(value, &v, 8);
	return 0;
}

static int
put_number(const char *text, unsigned number, const struct ptx_param *p, uint8_t *value,
	   struct err *e)
{
	char copy[64], kind = number_suffix(text);
	struct number n;
	uint64_t bits, limit;
	bool real;

	snprintf(copy, sizeof(copy), "%.*s", (int)(strlen(text) - (kind != 0)), text);
	if (number_parse(copy, 1000, &n))
		return err_set(e,
			       "argument %u, '%.80s': expected a number, buf:SIZE:... or hex:...",
			       number, text);
	real = kind || p->real || !n.whole ||
	       (strncmp(copy, "0x", 2) != 0 && strpbrk(copy, ".eE") != NULL);
	if (real)
		return put_real(text, number, p, kind, n.f, value, e);
	if (p->size != 1 && p->size != 2 && p->size != 4 && p->size != 8)
		return err_set(e,
			       "argument %u, %s: the parameter has %u bytes; give them as hex:...",
			       number, text, p->size);
	limit = UINT64_MAX >> (64 - 8 * p->size);
	if (n.neg ? n.mag > limit / 2 + 1 : n.mag > limit)
		return err_set(e, "argument %u, %s: does not fit in a parameter of %u byte%s",
			       number, text, p->size, p->size == 1 ? "" : "s");
	bits = n.neg ? 0 - n.mag : n.mag;
	memcpy(value, &bits, p->size); /* little-endian, as the device is */
	return 0;
}

static int
put_hex(const char *text, unsigned number, const struct ptx_param *p, uint8_t *value, struct err *e)
{
	const char *digit = text + strlen("hex:");
	size_t n = strlen(digit);
	unsigned byte;

	if (n != 2 * (size_t)p->size || strspn(digit, "0123456789abcdefABCDEF") != n)
		return err_set(
			e,
			"argument %u, '%.80s': the parameter has %u bytes, expected %u hex digits",
			number, text, p->size, 2 * p->size);
	for (uint32_t i = 0; i < p->size; i++) {
		sscanf(digit + 2 * (size_t)i, "%2x", &byte);
		value[i] = (uint8_t)byte;
	}
	return 0;
}

/* ---------------------------------------------------------------- buffers */

enum fill { FILL_ZERO, FILL_IOTA, FILL_RAND, FILL_FILE };
enum elem { E_U8, E_U16, E_U32, E_U64, E_F32, E_F64 };

static const char *const elem_names[] = {"u8", "u16", "u32", "u64", "f32", "f64"};
static const uint8_t elem_bytes[] = {1, 2, 4, 8, 4, 8};

struct buffer {
	uint64_t bytes;
	enum fill fill;
	enum elem elem;
	char file[1024];
};

static void
fill_element(uint8_t *at, enum elem t, bool random, uint64_t i, uint64_t *state)
{
	uint64_t u = random ? random_next(state) : i;
	double d = random ? (double)(u >> 11) * 0x1p-53 : (double)i;
	float f = random ? (float)(u >> 40) * 0x1p-24f : (float)i;

	if (t == E_F32)
		memcpy(at, &f, sizeof(f));
	else if (t == E_F64)
		memcpy(at, &d, sizeof(d));
	else
		memcpy(at, &u, elem_bytes[t]);
}

static int
fill_from_file(uint8_t *at, const struct buffer *b, unsigned number, struct err *e)
{
	FILE *f = text_open(b->file, 0, NULL,
			    NULL); /* no limit: the size of the buffer is the limit */
	size_t n;
	bool more;
	char why[64];

	if (!f)
		return err_set(e, "argument %u: %s: %s", number, b->file, strerror(errno));
	n = fread(at, 1, b->bytes, f);
	more = n == b->bytes && getc(f) != EOF;
	if (ferror(f)) {
		err_set(e, "argument %u: %s: %s", number, b->file, text_why(errno, 0, why));
		fclose(f);
		return -1;
	}
	fclose(f);
	return more ? err_set(e, "argument %u: %s is larger than the buffer of %llu bytes", number,
			      b->file, (unsigned long long)b->bytes)
		    : 0;
}

static int
read_size(const char *text, uint64_t *bytes)
{
	size_t length = strlen(text);
	char copy[64], *last;
	struct number n;

	if (!length || length >= sizeof(copy))
		return -1;
	/* k M G are the units; accept K m g for them */
	memcpy(copy, text, length + 1);
	last = &copy[length - 1];
	if (*last == 'K')
		*last = 'k';
	else if (*last == 'm' || *last == 'g')
		*last = *last == 'm' ? 'M' : 'G';
	if (number_parse(copy, 1024, &n) || !n.whole || n.neg || !n.mag)
		return -1;
	*bytes = n.mag;
	return 0;
}

/* "buf:SIZE:zero|iota|rand|file=F[:TYPE]" */
static int
read_buffer(const char *text, unsigned number, struct buffer *b, struct err *e)
{
	static const char *const how[] = {"zero", "iota", "rand"};
	char copy[1200], *size, *fill, *type;

	snprintf(copy, sizeof(copy), "%s", text);
	size = copy + strlen("buf:");
	fill = strchr(size, ':');
	if (fill)
		*fill++ = '\0';
	if (read_size(size, &b->bytes))
		return err_set(e,
			       "argument %u, '%.80s': expected a size in bytes such as 4096 or 64k",
			       number, text);
	b->elem = E_U32;
	b->fill = FILL_ZERO;
	if (!fill)
		return 0;
	if (strncmp(fill, "file=", 5) == 0) {
		b->fill = FILL_FILE;
		snprintf(b->file, sizeof(b->file), "%s", fill + 5);
		return 0;
	}
	type = strchr(fill, ':');
	if (type)
		*type++ = '\0';
	for (b->fill = FILL_ZERO; b->fill < FILL_FILE && strcmp(fill, how[b->fill]) != 0;)
		b->fill++;
	if (b->fill == FILL_FILE)
		return err_set(
			e,
			"argument %u, '%.80s': expected zero, iota, rand or file=F after the size",
			number, text);
	for (unsigned i = 0; type && i <= ARRAY_LEN(elem_names); i++) {
		if (i == ARRAY_LEN(elem_names))
			return err_set(
				e, "argument %u, '%.80s': expected u8, u16, u32, u64, f32 or f64",
				number, text);
		b->elem = (enum elem)i;
		if (strcmp(type, elem_names[i]) == 0)
			break;
	}
	return 0;
}

static int
put_buffer(struct record_arg *a, unsigned number, const struct ptx_param *p, struct ptx_device *d,
	   uint8_t *value, struct err *e)
{
	struct buffer b;
	uint64_t state = number;
	uint8_t *at;

	if (p->size != 8)
		return err_set(e, "argument %u, %s: the parameter has %u bytes, an address has 8",
			       number, a->text, p->size);
	if (read_buffer(a->text, number, &b, e))
		return -1;
	a->addr = ptx_alloc(d, b.bytes, 0, a->text, e);
	if (!a->addr)
		return -1;
	a->bytes = b.bytes;
	at = ptx_host(d, a->addr, b.bytes, e);
	if (!at || (b.fill == FILL_FILE && fill_from_file(at, &b, number, e)))
		return -1;
	if (b.fill == FILL_IOTA || b.fill == FILL_RAND)
		for (uint64_t i = 0; (i + 1) * elem_bytes[b.elem] <= b.bytes; i++)
			fill_element(at + i * elem_bytes[b.elem], b.elem, b.fill == FILL_RAND, i,
				     &state);
	memcpy(value, &a->addr, sizeof(a->addr));
	return 0;
}

int
record_arg_make(struct record_arg *a, unsigned number, const struct ptx_param *p,
		struct ptx_device *d, uint8_t *value, struct err *e)
{
	if (strncmp(a->text, "buf:", 4) == 0)
		return put_buffer(a, number, p, d, value, e);
	if (strncmp(a->text, "hex:", 4) == 0)
		return put_hex(a->text, number, p, value, e);
	return put_number(a->text, number, p, value, e);
}

int
record_arg_dump(const struct record_arg *a, struct ptx_device *d, struct err *e)
{
	struct output *o;
	const void *p;

	if (!a->dump)
		return 0;
	p = ptx_host(d, a->addr, a->bytes, e);
	if (!p)
		return -1;
	o = output_open(a->dump, 0, e);
	if (!o)
		return -1;
	if (output_write(o, p, a->bytes, e)) {
		output_abort(o);
		return -1;
	}
	return output_close(o, e);
}
