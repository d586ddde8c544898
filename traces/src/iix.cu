/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iix - Mars MapReduce, inverted index: finds the links in HTML and emits (URL, position). As Mars
 * cannot allocate in a kernel it maps twice: map_count counts the links of each line, scan
 * (launched twice) turns the counts into places, map goes through the lines again and writes.
 *
 * Type M: every thread reads another line, byte by byte, of very different length. CTAs of 256
 * threads as in Mars: N = 4 on kayiran30 by its 1024 threads.
 *
 * Sizes: default 245,760 lines of up to about 60 bytes (960 CTAs, 8 waves); small and large a tenth
 * and ten times of it; short 25,600 lines of up to about 120 bytes (100 CTAs).
 */
#include "device.h"

#define THREADS 256

/* Where the URL of the next <a href="URL"> begins: after text[at]; end when there is none. */
DEVICE int
next_link(const char *text, int at, int end)
{
	u64 window = 0;

	NO_UNROLL
	for (; at < end; at++) {
		window = window << 8 | (u8)text[at];
		if (window == 0x6120687265663d22ull) /* a href=" */
			return at + 1;
	}
	return end;
}

DEVICE int
link_end(const char *text, int at, int end)
{
	NO_UNROLL
	while (at < end && text[at] != '"')
		at++;
	return at;
}

KERNEL(THREADS) void
map_count(const char *text, const int *line, int *count, int n)
{
	int id = cta_x * THREADS + tid_x, at, end, links = 0;

	if (id >= n)
		return;
	end = line[id + 1];
	NO_UNROLL
	for (at = next_link(text, line[id], end); at < end; at = next_link(text, at, end)) {
		links++;
		at = link_end(text, at, end);
	}
	count[id] = links;
}

/* Exclusive prefix sums of the counts of a CTA's lines, and the sum of all of them. */
KERNEL(THREADS) void
scan(const int *count, int *place, int *sums, int n)
{
	SHARED int part[2][THREADS];
	int t = tid_x, id = cta_x * THREADS + t, step, from = 0, v = id < n ? count[id] : 0;

	part[0][t] = v;
	barrier();
	NO_UNROLL
	for (step = 1; step < THREADS; step *= 2) {
		part[1 - from][t] = part[from][t] + (t >= step ? part[from][t - step] : 0);
		from = 1 - from;
		barrier();
	}
	if (id < n)
		place[id] = part[from][t] - v;
	if (t == THREADS - 1)
		sums[cta_x] = part[from][t];
}

struct emitted {
	int url, bytes, line, hash;
} __attribute__((aligned(16)));

KERNEL(THREADS) void
map(const char *text, const int *line, const int *place, const int *base, struct emitted *out,
    int n)
{
	int id = cta_x * THREADS + tid_x, at, end, to, stop, i;
	u32 hash;

	if (id >= n)
		return;
	end = line[id + 1];
	to = base[cta_x] + place[id];
	NO_UNROLL
	for (at = next_link(text, line[id], end); at < end; at = next_link(text, stop, end)) {
		stop = link_end(text, at, end);
		hash = 2166136261u;
		NO_UNROLL
		for (i = at; i < stop; i++)
			hash = (hash ^ (u8)text[i]) * 16777619u;
		out[to++] = {at, stop - at, id, (int)hash};
	}
}
