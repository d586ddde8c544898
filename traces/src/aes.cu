/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * aes - GPGPU-Sim's AES (Manavski): AES-128 encryption of a buffer, ECB. Four threads share a block
 * of 16 bytes, each makes one column per round from four T-tables; tables and state are in shared
 * memory, the round keys in constant memory.
 *
 * Type M. CTAs of 256 threads (64 blocks each): N = 4 by 256 threads, as in Kayiran et al. 6 KiB of
 * shared memory per CTA would allow 5.
 *
 * Sizes: default 1,052,672 bytes (1028 CTAs, 8 waves); small 103 and large 10,280 CTAs; short and
 * claso 257 CTAs, a picture of 256 x 256.
 */
#include "device.h"

CONSTANT u32 round_key[44];
CONSTANT u32 t_table[1024];

KERNEL(256) void
aes_encrypt(const u32 *in, u32 *out)
{
	SHARED u32 table[1024], state[2][256];
	int id = tid_x, column = id & 3, block = id & ~3, r, i;
	int c1 = block + ((column + 1) & 3), c2 = block + ((column + 2) & 3);
	int c3 = block + ((column + 3) & 3);
	u32 word;

	UNROLL
	for (i = 0; i < 4; i++)
		table[i * 256 + id] = t_table[i * 256 + id];
	state[0][id] = in[cta_x * 256 + id] ^ round_key[column];
	barrier();
	NO_UNROLL
	for (r = 1; r < 10; r++) {
		const u32 *from = state[(r + 1) & 1];

		word = table[from[id] & 255] ^ table[256 + (from[c1] >> 8 & 255)] ^
		       table[512 + (from[c2] >> 16 & 255)] ^ table[768 + (from[c3] >> 24)] ^
		       round_key[4 * r + column];
		state[r & 1][id] = word;
		barrier();
	}
	/* The last round has no mixing of columns: the second byte of the first table is the S-box.
	 */
	word = (table[state[1][id] & 255] >> 8 & 255) | (table[state[1][c1] >> 8 & 255] & 0xff00) |
	       (table[state[1][c2] >> 16 & 255] << 8 & 0xff0000) |
	       (table[state[1][c3] >> 24] << 16 & 0xff000000);
	out[cta_x * 256 + id] = word ^ round_key[40 + column];
}
