/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * traceg_head.c - reads the header of a .traceg: "-key = value" lines up to the first #BEGIN_TB, or
 * up to the first record of a .trace, which the tracer writes and which is not sorted.
 *
 * The text is kept, so that it can be written back. Only the tracer's version is changed: what is
 * read from version 6 is written as version 5, see traceg_rec.c. Unknown keys, which later tracers
 * may write, are accepted. Known keys must have valid values, and those that a kernel needs to run
 * are required. The ranges are narrow, to detect damaged captures.
 */
#include "trace/traceg.h"

#include <string.h>

enum key_kind { KEY_NAME, KEY_DEC, KEY_HEX, KEY_TRIPLE, KEY_SKIP };

/* clang-format off */
static const struct head_key {
	const char *name;
	enum key_kind kind;
	bool required;
	uint64_t max;
} keys[] = {
	{"kernel name", KEY_NAME, true, 0},
	{"kernel id", KEY_DEC, false, UINT32_MAX},
	{"grid dim", KEY_TRIPLE, true, UINT32_MAX},
	{"block dim", KEY_TRIPLE, true, TRACE_MAX_THREADS},
	{"shmem", KEY_DEC, true, TRACE_MAX_SHMEM},
	{"nregs", KEY_DEC, true, 255},
	{"binary version", KEY_DEC, true, UINT32_MAX},
	{"cuda stream id", KEY_DEC, false, UINT64_MAX},
	{"shmem base_addr", KEY_HEX, false, 0},
	{"local mem base_addr", KEY_HEX, false, 0},
	{"nvbit version", KEY_SKIP, false, 0},
	{"accelsim tracer version", KEY_DEC, false, TRACER_LAST},
	{"enable lineinfo", KEY_DEC, false, 1},
};
enum { H_NAME, H_ID, H_GRID, H_BLOCK, H_SHMEM, H_NREGS, H_BINARY, H_STREAM, H_SHMEM_BASE,
       H_LOCAL_BASE, H_NVBIT, H_TRACER, H_LINEINFO, N_KEYS };
/* clang-format on */

_Static_assert(ARRAY_LEN(keys) == N_KEYS, "one enumerator per header key");

struct head {
	struct in *in;
	struct kern *k;
	const char *line;
	uint32_t seen;	   /* bit per key */
	size_t version_at; /* the last digit of the tracer's version in k->head; 0: none */
	struct err *e;
};

static int
word_len(const char *p)
{
	return (int)word_next(&p).n;
}

static int
bad_value(struct head *h, const char *at, const struct head_key *key)
{
	int col = (int)(at - h->line), len = word_len(at);

	switch (key->kind) {
	case KEY_HEX:
		return err_at(h->e, in_name(h->in), in_number(h->in), h->line, col, len,
			      "invalid %s '%.*s': expected an address such as 0x00007f0000000000",
			      key->name, MIN(len, 40), at);
	case KEY_TRIPLE:
		return err_at(h->e, in_name(h->in), in_number(h->in), h->line, col, len,
			      "invalid %s '%.*s': expected three numbers from 1 to %llu such as "
			      "(120,1,1)",
			      key->name, MIN(len, 40), at, (unsigned long long)key->max);
	default:
		return err_at(h->e, in_name(h->in), in_number(h->in), h->line, col, len,
			      "invalid %s '%.*s': expected a number from 0 to %llu", key->name,
			      MIN(len, 40), at, (unsigned long long)key->max);
	}
}

static const char *
scan_triple(const char *p, uint64_t max, uint32_t v[3])
{
	uint64_t x;
	int i;

	for (i = 0; i < 3; i++) {
		if (*p != "(,,"[i])
			return NULL;
		p = scan_dec(skip_blanks(p + 1), max, &x);
		if (!p || x == 0)
			return NULL;
		v[i] = (uint32_t)x;
		p = skip_blanks(p);
	}
	return *p == ')' ? p + 1 : NULL;
}

/* Reads the value of a key into x or triple. */
static int
read_value(struct head *h, const struct head_key *key, const char *at, uint64_t *x,
	   uint32_t triple[3])
{
	const char *p = at;

	if (key->kind == KEY_NAME || key->kind == KEY_SKIP)
		return 0;
	if (key->kind == KEY_TRIPLE)
		p = scan_triple(p, key->max, triple);
	else if (key->kind == KEY_HEX)
		p = scan_hex(p[0] == '0' && (p[1] | 0x20) == 'x' ? p + 2 : p, 16, x);
	else
		p = scan_dec(p, key->max, x);
	if (!p || *skip_blanks(p))
		return bad_value(h, at, key);
	return 0;
}

static void
store_value(struct kern *k, int which, uint64_t x, const uint32_t triple[3])
{
	struct trace_kernel *p = &k->pub;

	switch (which) {
	case H_ID:
		p->id = (uint32_t)x;
		break;
	case H_GRID:
		memcpy(p->grid, triple, sizeof(p->grid));
		break;
	case H_BLOCK:
		memcpy(p->block, triple, sizeof(p->block));
		break;
	case H_SHMEM:
		p->shmem = (uint32_t)x;
		break;
	case H_NREGS:
		p->regs = (uint32_t)x;
		break;
	case H_BINARY:
		p->binary_version = (uint32_t)x;
		break;
	case H_STREAM:
		p->stream = x;
		break;
	case H_SHMEM_BASE:
		p->shmem_base = x;
		break;
	case H_LOCAL_BASE:
		p->local_base = x;
		break;
	case H_TRACER:
		k->tracer_version = (uint32_t)x;
		break;
	case H_LINEINFO:
		k->lineinfo = x != 0;
		break;
	}
}

/* Reads one "-key = value" line. */
static int
read_key(struct head *h)
{
	const char *from = skip_blanks(h->line + 1), *equal = strchr(from, '='), *at;
	struct span key;
	uint32_t triple[3] = {0};
	uint64_t x = 0;
	size_t i;

	if (!equal)
		return err_at(h->e, in_name(h->in), in_number(h->in), h->line, 0,
			      (int)strlen(h->line), "expected '-key = value'");
	key = span_trim((struct span){from, (size_t)(equal - from)});
	for (i = 0; i < N_KEYS; i++)
		if (span_is(key, keys[i].name))
			break;
	if (i == N_KEYS)
		return 0;
	if (h->seen >> i & 1)
		return err_at(h->e, in_name(h->in), in_number(h->in), h->line, 1, (int)key.n,
			      "the header has '%s' twice", keys[i].name);
	h->seen |= 1u << i;
	at = skip_blanks(equal + 1);
	if (i == H_NAME) {
		kern_set_name(h->k, at, span_trim(span_of(at)).n);
		return 0;
	}
	if (read_value(h, &keys[i], at, &x, triple))
		return -1;
	if (i == H_BINARY && isa_of((uint32_t)x) == ISA_NONE)
		return err_at(h->e, in_name(h->in), in_number(h->in), h->line, (int)(at - h->line),
			      word_len(at),
			      "unknown binary version %llu: expected " BINARY_VERSIONS,
			      (unsigned long long)x);
	store_value(h->k, (int)i, x, triple);
	if (i == H_TRACER)
		h->version_at = h->k->head.n - strlen(h->line) - 2 + (size_t)(at - h->line) +
				(size_t)word_len(at);
	return 0;
}

/* Checks, after the last line, that all required keys are present and the dimensions are valid. */
static int
check_header(struct head *h)
{
	struct err why = {0};
	size_t i;

	for (i = 0; i < N_KEYS; i++)
		if (keys[i].required && !(h->seen >> i & 1))
			return err_at(h->e, in_name(h->in), in_number(h->in), h->line, 0,
				      (int)strlen(h->line), "the header lacks '-%s = ...'",
				      keys[i].name);
	if (kern_set_dims(h->k, &why)) {
		err_at(h->e, in_name(h->in), in_number(h->in), NULL, 0, 1, "%s", why.msg);
		return err_as(h->e, why.kind);
	}
	if (h->k->tracer_version > TRACER_KEPT)
		h->k->head.p[h->version_at] = '0' + TRACER_KEPT;
	return 0;
}

/* Does the next line begin with a digit, as the records of a .trace do? */
static bool
next_is_record(struct in *in)
{
	const char *p;

	return in_peek(in, &p, 1, NULL) == 1 && *p >= '0' && *p <= '9';
}

int
traceg_head(struct in *in, struct kern *k, bool *unsorted, struct err *e)
{
	struct head h = {.in = in, .k = k, .line = "", .e = e};
	char *line;
	size_t n;
	int r;

	*unsorted = false;
	while ((r = in_line(in, &line, &n, e)) == 1) {
		h.line = line;
		if (strncmp(line, "#BEGIN_TB", 9) == 0 && !*skip_blanks(line + 9))
			return check_header(&h);
		if (k->head.n + n >= TRACE_MAX_HEAD)
			return err_at(e, in_name(in), in_number(in), NULL, 0, 1,
				      "the header is longer than %u bytes", TRACE_MAX_HEAD);
		sb_add(&k->head, line, n);
		sb_char(&k->head, '\n');
		if (k->head.failed)
			return err_nomem(e);
		if (line[0] == '-') {
			if (read_key(&h))
				return -1;
		} else if (line[0] != '#' && *skip_blanks(line)) {
			return err_at(e, in_name(in), in_number(in), line, 0, (int)n,
				      "expected '-key = value', a '#' comment or #BEGIN_TB");
		}
		if (next_is_record(in)) {
			*unsorted = true;
			return check_header(&h);
		}
	}
	if (r == 0)
		return err_at(e, in_name(in), in_number(in), NULL, 0, 1,
			      "the file ends before the first #BEGIN_TB");
	return -1;
}
