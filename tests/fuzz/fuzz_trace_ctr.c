/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_trace_ctr.c - any bytes as a .ctr. Checksums would reject nearly every input at once, so the
 * first byte says which part the rest replaces, and the checksums around it are corrected:
 *
 *     'F' a whole file    'T' the unpacked tables of a small file    'C' one encoded thread block
 *
 * Mutations of a whole file mostly change its meaning (ctr_mutate.h).
 *
 * Requirements: no crash, no endless work, an error with a message for rejected files.
 */
#define FUZZ_CORPUS "trace_ctr"
#define FUZZ_COVERS "src/trace/ctr_read.c src/trace/codec_read.c"
#define FUZZ_MUTATIONS 200
#include "tests/fuzz/replay.h"

#include "tests/fuzz/ctr_mutate.h"
#include "trace/ctr.h"
#include "trace/trace.h"
#include "trace/trace_build.h"
#include "trace/traceg.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#define LIMIT \
	(64u << 10) /* bytes of a decoded block: three bytes may stand for thousands of records */

static unsigned n_whole, n_opened, n_blocks; /* whole files tried, opened; blocks decoded of them */

static const char sample[] =
	"-kernel name = k\n-kernel id = 1\n-grid dim = (2,1,1)\n-block dim = (40,1,1)\n-shmem = 0\n"
	"-nregs = 16\n-binary version = 70\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n"
	"#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 4\n"
	"0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4 0\n"
	"0010 ffff00ff 1 R4 FADD 2 R2 R3 0 0\n"
	"0020 00000007 0 STG.E 2 R2 R4 4 2 0x1000 64 -32 0\n"
	"0030 ffffffff 0 EXIT 0 0 0\n#END_TB\n"
	"#BEGIN_TB\nthread block = 1,0,0\nwarp = 1\ninsts = 1\n0030 000000ff 0 EXIT 0 0 "
	"0\n#END_TB\n";

static void
walk(struct trace *t)
{
	uint64_t lane[WARP_SIZE], cta;
	uint32_t k, w, i;

	trace_set_cta_limit(t, LIMIT);
	for (k = 0; k < t->n_kern && k < 4; k++)
		for (cta = 0; cta < t->kern[k]->n_cta && cta < 16; cta++) {
			struct err e = {0};
			const struct cta_trace *c = trace_pin(t, k, cta, &e);

			fuzz_check(c || (e.set && e.msg[0]));
			n_blocks += c != NULL;
			for (w = 0; c && w < c->n_warps; w++)
				for (i = 0; i < c->warp[w].n; i++) {
					fuzz_check(c->warp[w].rec[i].inst < t->kern[k]->n_inst);
					trace_lanes(c, &c->warp[w].rec[i], lane);
				}
			trace_unpin(t, k, c);
		}
}

static void
open_bytes(const uint8_t *p, size_t n)
{
	struct err e = {0};
	struct trace *t;
	char path[64];
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("ctr", 0);
	if (fd < 0)
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (pwrite(fd, p, n, 0) == (ssize_t)n && ftruncate(fd, (off_t)n) == 0) {
		t = ctr_open(path, &e);
		fuzz_check(t || (e.set && e.msg[0]));
		n_opened += t != NULL;
		if (t)
			walk(t);
		trace_close(t);
	}
}

/* Writes the right checksums into head, tables and foot. */
static void
seal(uint8_t *p, size_t n)
{
	uint8_t both[CTR_HEAD + 40], *foot = p + n - CTR_FOOT;
	uint64_t at, packed;

	if (n < CTR_HEAD + CTR_FOOT)
		return;
	memcpy(p, CTR_MAGIC, CTR_MAGIC_SIZE);
	put_le(p + 24, hash64(p, 24, CTR_HASH_SEED), 8);
	at = get_le(foot, 8);
	packed = get_le(foot + 8, 8);
	if (at <= n - CTR_FOOT && packed <= n - CTR_FOOT - at)
		put_le(foot + 24, hash64(p + at, packed, CTR_HASH_SEED), 8);
	put_le(foot + 32, n, 8);
	memcpy(both, p, CTR_HEAD);
	memcpy(both + CTR_HEAD, foot, 40);
	put_le(foot + 40, hash64(both, sizeof(both), CTR_HASH_SEED), 8);
	memcpy(foot + 48, CTR_FOOT_MAGIC, 8);
}

/* Returns the sample as a .ctr in memory. */
static uint8_t *
sample_ctr(size_t *n)
{
	char text[] = "/tmp/fuzz-trace-XXXXXX", ctr[64];
	int fd = mkstemp(text);
	uint8_t *p = NULL;
	FILE *f;

	*n = 0;
	if (fd < 0)
		return NULL;
	snprintf(ctr, sizeof(ctr), "%s.ctr", text);
	if (write(fd, sample, sizeof(sample) - 1) == sizeof(sample) - 1 &&
	    trace_convert(text, ctr, NULL) == 0 && (f = fopen(ctr, "rb")) != NULL) {
		p = malloc(65536);
		*n = p ? fread(p, 1, 65536, f) : 0;
		fclose(f);
	}
	close(fd);
	unlink(text);
	unlink(ctr);
	return p;
}

static void
try_tables(const uint8_t *data, size_t size)
{
	static uint8_t *base;
	static size_t n_base;
	uint64_t at;
	size_t bound = ZSTD_compressBound(size), packed;
	uint8_t *p, *foot;

	if (!base)
		base = sample_ctr(&n_base);
	if (!base || n_base < CTR_HEAD + CTR_FOOT)
		return;
	at = get_le(base + n_base - CTR_FOOT, 8);
	p = calloc(1, at + bound + CTR_FOOT);
	if (!p)
		return;
	memcpy(p, base, at);
	packed = ZSTD_compressCCtx(zstd_in(), p + at, bound, data, size, 1);
	foot = p + at + packed;
	put_le(foot, at, 8);
	put_le(foot + 8, packed, 8);
	put_le(foot + 16, size, 8);
	seal(p, at + packed + CTR_FOOT);
	open_bytes(p, at + packed + CTR_FOOT);
	free(p);
}

static void
try_block(const uint8_t *data, size_t size)
{
	static struct trace *t;
	struct err e = {0};
	struct strbuf out = {0};
	struct cta_trace *c;
	uint64_t present;
	uint8_t *mode;
	size_t bytes;

	if (!t)
		t = trace_from_text(sample, &e);
	fuzz_check(t);
	c = cta_decode(&t->codec, t->kern[0], data, size, LIMIT, &mode, &present, &bytes, &e);
	fuzz_check(c || e.set);
	if (c) {
		traceg_write_cta(t->kern[0], c, mode, present, true, &out);
		free(mode);
	}
	sb_free(&out);
	free(c);
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	size_t n = 0;

	if (size == 0 || max_size < 2)
		return LLVMFuzzerMutate(data, size, max_size);
	if (data[0] != 'T' && data[0] != 'C' && seed % 16)
		n = ctr_mutate(data + 1, size - 1, max_size - 1, seed);
	return 1 + (n ? n : LLVMFuzzerMutate(data + 1, size - 1, max_size - 1));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *p;

	if (size == 0)
		return 0;
	switch (data[0]) {
	case 'T':
		try_tables(data + 1, size - 1);
		break;
	case 'C':
		try_block(data + 1, size - 1);
		break;
	default:
		p = malloc(size);
		if (!p)
			break;
		n_whole++;
		memcpy(p, data + 1, size - 1);
		seal(p, size - 1);
		open_bytes(p, size - 1);
		free(p);
	}
	return 0;
}

#ifndef FUZZING
static void
fuzz_after(void)
{
	ok(n_opened > n_whole / 4, "of %u changed files a good part opens: %u", n_whole, n_opened);
	ok(n_blocks > n_opened, "and blocks of them are decoded: %u", n_blocks);
}
#endif
