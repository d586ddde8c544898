/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pvc - Mars MapReduce, page view count: from a log of lines "URL IP cookie" the number of views of
 * each page by each visitor. Map: a thread per line finds its URL and IP and their hash. Group: the
 * pairs go into a hash table in global memory (compare-and-swap, linear probing, equal hashes
 * compared as text). Reduce: views of each pair, counted by atomics, go back to the lines. (Mars
 * itself groups by sorting, as pvr does here.)
 *
 * Type M: every thread reads another line, byte by byte. CTAs of 256 threads as in Mars: N = 4 on
 * kayiran30 by its 1024 threads.
 *
 * Sizes: default 245,760 lines of 46 to 64 bytes (960 CTAs, 8 waves); small and large a tenth and
 * ten times of it. short: 30,720 lines of 46 to 92 bytes (120 CTAs). tcs: 499,968 such lines, 1953
 * CTAs, the second largest grid of the paper; its largest, 3907, would make 80 million
 * instructions, and 25 of its 29 launches are Mars's sort.
 */
#include "device.h"

#define THREADS 256

/* Bytes of URL and IP, up to the second blank, and a hash of them that is not 0. */
KERNEL(THREADS) void
map(const char *text, const int *line, int *key_bytes, u32 *hash, int n)
{
	int id = cta_x * THREADS + tid_x, i, end, blanks = 0;
	u32 h = 2166136261u;

	if (id >= n)
		return;
	end = line[id + 1];
	NO_UNROLL
	for (i = line[id]; i < end; i++) {
		blanks += text[i] == ' ';
		if (blanks == 2)
			break;
		h = (h ^ (u8)text[i]) * 16777619u;
	}
	key_bytes[id] = i - line[id];
	hash[id] = h ? h : 1;
}

DEVICE bool
same_key(const char *text, int a, int b, int n)
{
	int i;

	NO_UNROLL
	for (i = 0; i < n; i++)
		if (text[a + i] != text[b + i])
			return false;
	return true;
}

/* table[slot]: a line with the pair plus 1; 0: free. */
KERNEL(THREADS) void
group(const char *text, const int *line, const int *key_bytes, const u32 *hash, int *table,
      int *views, int *slot_of, int *distinct, int slots, int n)
{
	int id = cta_x * THREADS + tid_x, slot, other, bytes;
	u32 h;

	if (id >= n)
		return;
	h = hash[id];
	bytes = key_bytes[id];
	slot = (int)(h & (u32)(slots - 1));
	for (;;) {
		other = atomic_cas(&table[slot], 0, id + 1) - 1;
		if (other < 0) {
			atomic_add(distinct, 1);
			break;
		}
		if (hash[other] == h && key_bytes[other] == bytes &&
		    same_key(text, line[other], line[id], bytes))
			break;
		slot = (slot + 1) & (slots - 1);
	}
	atomic_add(&views[slot], 1);
	slot_of[id] = slot;
}

KERNEL(THREADS) void
reduce(const int *views, const int *slot_of, int *count, int n)
{
	int id = cta_x * THREADS + tid_x;

	if (id < n)
		count[id] = views[slot_of[id]];
}
