/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * aes.c - host of aes.cu. Checked: all bytes, exactly, against AES as FIPS 197 describes it, byte
 * by byte; the first block is the standard's example and is also compared with its printed result.
 */
#include "workload.h"

#include <string.h>

static uint8_t
times2(uint8_t a)
{
	return (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
}

static uint8_t
times(uint8_t a, uint8_t b)
{
	uint8_t r = 0;

	for (; b; b >>= 1, a = times2(a))
		if (b & 1)
			r ^= a;
	return r;
}

static void
make_sbox(uint8_t *sbox)
{
	int a, b, i;
	uint8_t inv, s;

	for (a = 0; a < 256; a++) {
		inv = 0;
		for (b = 1; b < 256; b++)
			if (times((uint8_t)a, (uint8_t)b) == 1)
				inv = (uint8_t)b;
		s = 0x63;
		for (i = 0; i < 5; i++)
			s ^= (uint8_t)(inv << i | inv >> (8 - i));
		sbox[a] = s;
	}
}

static void
expand_key(const uint8_t *sbox, const uint8_t *key, uint8_t *round_key)
{
	uint8_t t[4], tmp, rcon = 1;
	int i, k;

	memcpy(round_key, key, 16);
	for (i = 4; i < 44; i++) {
		memcpy(t, round_key + 4 * i - 4, 4);
		if (i % 4 == 0) {
			tmp = t[0];
			t[0] = sbox[t[1]] ^ rcon;
			t[1] = sbox[t[2]];
			t[2] = sbox[t[3]];
			t[3] = sbox[tmp];
			rcon = times2(rcon);
		}
		for (k = 0; k < 4; k++)
			round_key[4 * i + k] = round_key[4 * i - 16 + k] ^ t[k];
	}
}

static void
reference(const uint8_t *sbox, const uint8_t *round_key, const uint8_t *in, uint8_t *out)
{
	uint8_t s[16], t[16];
	int r, c, k;

	for (k = 0; k < 16; k++)
		s[k] = in[k] ^ round_key[k];
	for (r = 1; r <= 10; r++) {
		for (k = 0; k < 16; k++) /* substitute, shift row k % 4 to the left by k % 4 */
			t[k] = sbox[s[(k + 4 * (k % 4)) % 16]];
		for (c = 0; c < 16; c += 4)
			for (k = 0; k < 4; k++)
				s[c + k] = r == 10 ? t[c + k]
						   : (uint8_t)(times2(t[c + k]) ^
							       times(t[c + (k + 1) % 4], 3) ^
							       t[c + (k + 2) % 4] ^
							       t[c + (k + 3) % 4]);
		for (k = 0; k < 16; k++)
			s[k] ^= round_key[16 * r + k];
	}
	memcpy(out, s, 16);
}

int
main(int argc, char **argv)
{
	static const uint8_t key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
					0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
	static const uint8_t text[16] = {0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d,
					 0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34};
	static const uint8_t cipher[16] = {0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb,
					   0xdc, 0x11, 0x85, 0x97, 0x19, 0x6a, 0x0b, 0x32};
	struct work w;
	uint8_t sbox[256], round_key[176], table[4096], *in, *out, *want;
	int ctas, i, k;
	size_t n;
	CUdeviceptr d_in, d_out;

	work_open(&w, argc, argv, "aes");
	ctas = work_size(&w, 103, 1028, 10280, [WORK_SHORT] = 257, [WORK_CLASO] = 257);
	n = (size_t)ctas * 1024;
	in = work_host(&w, n);
	out = work_host(&w, n);
	want = work_host(&w, n);
	make_sbox(sbox);
	expand_key(sbox, key, round_key);
	for (i = 0; i < 1024; i++) /* bytes 2s s s 3s, turned by one more for each table */
		for (k = 0; k < 4; k++)
			table[4 * i + k] = times(sbox[i % 256],
						 (uint8_t[]){2, 1, 1, 3}[(k - i / 256 + 4) % 4]);
	for (i = 0; i < (int)n; i++)
		in[i] = (uint8_t)work_rand(&w);
	memcpy(in, text, 16);
	for (i = 0; i < (int)n; i += 16)
		reference(sbox, round_key, in + i, want + i);
	work_const(&w, "round_key", round_key, sizeof(round_key));
	work_const(&w, "t_table", table, sizeof(table));
	d_in = work_put(&w, in, n);
	d_out = work_new(&w, n);
	work_launch(&w, "aes_encrypt", DIM((unsigned)ctas, 1), DIM(256, 1), &d_in, &d_out);
	work_get(&w, out, d_out, n);
	work_check_bytes(&w, "standard", out, cipher, 16);
	work_check_bytes(&w, "out", out, want, n);
	return work_close(&w);
}
