/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sto.c - host of sto.cu. Checked: all digests, exactly, against a loop form of MD5 whose constants
 * come from the sine as the RFC defines them; that one against the RFC's digest of "message
 * digest".
 */
#include "workload.h"

#include <math.h>
#include <string.h>

#define CHUNK 64

struct md5 {
	uint32_t k[64], h[4];
};

static void
md5_block(struct md5 *m, const uint8_t *p)
{
	static const int shift[4][4] = {{7, 12, 17, 22},
					{5, 9, 14, 20},
					{4, 11, 16, 23},
					{6, 10, 15, 21}};
	uint32_t a = m->h[0], b = m->h[1], c = m->h[2], d = m->h[3], f, x, word[16];
	int i, k, s;

	memcpy(word, p, 64);
	for (i = 0; i < 64; i++) {
		switch (i / 16) {
		case 0:
			f = (b & c) | (~b & d);
			k = i;
			break;
		case 1:
			f = (b & d) | (c & ~d);
			k = (5 * i + 1) % 16;
			break;
		case 2:
			f = b ^ c ^ d;
			k = (3 * i + 5) % 16;
			break;
		default:
			f = c ^ (b | ~d);
			k = 7 * i % 16;
		}
		x = a + f + word[k] + m->k[i];
		s = shift[i / 16][i % 4];
		a = d;
		d = c;
		c = b;
		b += x << s | x >> (32 - s);
	}
	m->h[0] += a;
	m->h[1] += b;
	m->h[2] += c;
	m->h[3] += d;
}

static void
md5(struct md5 *m, const void *data, uint32_t bytes)
{
	static const uint32_t first[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
	const uint8_t *p = data;
	uint8_t last[128] = {0};
	uint32_t rest, bits = bytes * 8, size;

	memcpy(m->h, first, sizeof(first));
	for (rest = bytes; rest >= 64; rest -= 64, p += 64)
		md5_block(m, p);
	memcpy(last, p, rest);
	last[rest] = 0x80;
	size = rest < 56 ? 64 : 128;
	memcpy(last + size - 8, &bits, 4);
	md5_block(m, last);
	if (size == 128)
		md5_block(m, last + 64);
}

int
main(int argc, char **argv)
{
	static const uint8_t known[16] = {0xf9, 0x6b, 0x69, 0x7d, 0x7c, 0xb7, 0x93, 0x8d,
					  0x52, 0x5a, 0x2f, 0x31, 0xaa, 0xf1, 0x61, 0xd0};
	struct work w;
	struct md5 m;
	int ctas, i;
	size_t chunks, n;
	uint8_t *data, *digest, *want;
	CUdeviceptr d_data, d_digest;

	work_open(&w, argc, argv, "sto");
	ctas = work_size(&w, 102, 1024, 10240, [WORK_SHORT] = 384);
	chunks = (size_t)ctas * 128;
	n = chunks * CHUNK;
	data = work_host(&w, n);
	digest = work_host(&w, chunks * 16);
	want = work_host(&w, chunks * 16);
	for (i = 0; i < 64; i++)
		m.k[i] = (uint32_t)(int64_t)(fabs(sin(i + 1)) * 4294967296.0);
	md5(&m, "message digest", 14);
	work_check_bytes(&w, "message digest", m.h, known, 16);
	for (i = 0; i < (int)n; i++)
		data[i] = (uint8_t)work_rand(&w);
	for (i = 0; i < (int)chunks; i++) {
		md5(&m, data + (size_t)i * CHUNK, CHUNK);
		memcpy(want + i * 16, m.h, 16);
	}
	d_data = work_put(&w, data, n);
	d_digest = work_new(&w, chunks * 16);
	work_launch(&w, "md5_chunks", DIM((unsigned)ctas, 1), DIM(128, 1), &d_data, &d_digest);
	work_get(&w, digest, d_digest, chunks * 16);
	work_check_bytes(&w, "digest", digest, want, chunks * 16);
	return work_close(&w);
}
