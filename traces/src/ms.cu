/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ms - SDK mergeSort: sorts keys with their values, stable. sort_shared sorts pieces of 1024 in
 * shared memory. Then pairs of segments are merged, twice as long every time: every 128th key of
 * either is looked up in the other (sample_ranks), both lists of ranks are merged into the limits
 * of intervals (merge_ranks, one launch each), and a CTA merges an interval, at most 128 keys of
 * either segment, in shared memory (merge_intervals).
 *
 * Zhu et al., type A. merge_intervals has CTAs of 128 threads, N = 8 on kayiran30, 2 KiB of shared
 * memory; sort_shared of 512, N = 2, 8 KiB; the others of 256. Left out: a number of keys that is
 * no power of two, and what the sample does about the last segments then.
 *
 * Default: 2^18 keys (2,048 CTAs in each of 8 merges, 16 million warp instructions: half as many
 * keys would be four waves). onac: the 24,567 CTAs of Zhu et al., Table II, are about 3 * 2^20
 * keys, which would make 24,576; here a sixth, 2^19, 4,096 CTAs.
 */
#include "device.h"

#define PIECE 1024
#define SAMPLE 128

/* How many of the n sorted keys are below the given one, or, inclusive, not above it; step is a
 * power of two, n at least. */
DEVICE int
keys_below(u32 key, const u32 *keys, int n, int step, int inclusive)
{
	int pos = 0, next;

	if (n == 0)
		return 0;
	for (; step > 0; step >>= 1) {
		next = min_i(pos + step, n);
		if (keys[next - 1] < key || (inclusive && keys[next - 1] == key))
			pos = next;
	}
	return pos;
}

KERNEL(512) void
sort_shared(u32 *to_key, u32 *to_value, const u32 *from_key, const u32 *from_value)
{
	SHARED u32 key[PIECE], value[PIECE];
	int t = tid_x, at = cta_x * PIECE + t, stride, low, a, b;
	u32 *k, *v, key_a, key_b, value_a, value_b;

	key[t] = from_key[at];
	value[t] = from_value[at];
	key[t + PIECE / 2] = from_key[at + PIECE / 2];
	value[t + PIECE / 2] = from_value[at + PIECE / 2];
	for (stride = 1; stride < PIECE; stride *= 2) {
		low = t & (stride - 1);
		k = key + 2 * (t - low);
		v = value + 2 * (t - low);
		barrier();
		key_a = k[low];
		value_a = v[low];
		key_b = k[low + stride];
		value_b = v[low + stride];
		a = keys_below(key_a, k + stride, stride, stride, 0) + low;
		b = keys_below(key_b, k, stride, stride, 1) + low;
		barrier();
		k[a] = key_a;
		v[a] = value_a;
		k[b] = key_b;
		v[b] = value_b;
	}
	barrier();
	to_key[at] = key[t];
	to_value[at] = value[t];
	to_key[at + PIECE / 2] = key[t + PIECE / 2];
	to_value[at + PIECE / 2] = value[t + PIECE / 2];
}

/* A thread has sample i of both segments of a pair. */
KERNEL(256) void
sample_ranks(u32 *ranks_a, u32 *ranks_b, const u32 *keys, int stride, int threads)
{
	int pos = cta_x * 256 + tid_x, samples = stride / SAMPLE, i = pos & (samples - 1);
	int pair = (pos - i) * 2;
	const u32 *k = keys + pair * SAMPLE;

	if (pos >= threads)
		return;
	ranks_a += pair;
	ranks_b += pair;
	ranks_a[i] = (u32)(i * SAMPLE);
	ranks_b[i] = (u32)keys_below(k[i * SAMPLE], k + stride, stride, stride, 0);
	ranks_b[samples + i] = (u32)(i * SAMPLE);
	ranks_a[samples + i] = (u32)keys_below(k[stride + i * SAMPLE], k, stride, stride, 1);
}

KERNEL(256) void
merge_ranks(u32 *limits, const u32 *ranks, int stride, int threads)
{
	int pos = cta_x * 256 + tid_x, samples = stride / SAMPLE, i = pos & (samples - 1);
	u32 mine;

	if (pos >= threads)
		return;
	ranks += (pos - i) * 2;
	limits += (pos - i) * 2;
	mine = ranks[i];
	limits[keys_below(mine, ranks + samples, samples, samples, 0) + i] = mine;
	mine = ranks[samples + i];
	limits[keys_below(mine, ranks, samples, samples, 1) + i] = mine;
}

KERNEL(128) void
merge_intervals(u32 *to_key, u32 *to_value, const u32 *from_key, const u32 *from_value,
		const u32 *limits_a, const u32 *limits_b, int stride)
{
	SHARED u32 key[2 * SAMPLE], value[2 * SAMPLE];
	SHARED int start_a, start_b, n_a, n_b;
	int t = tid_x, per_pair = 2 * stride / SAMPLE, interval = cta_x & (per_pair - 1);
	int base = (cta_x - interval) * SAMPLE, a = 0, b = 0, to, last;
	u32 key_a = 0, key_b = 0, value_a = 0, value_b = 0;

	if (t == 0) {
		last = interval + 1 == per_pair;
		start_a = (int)limits_a[cta_x];
		start_b = (int)limits_b[cta_x];
		n_a = (last ? stride : (int)limits_a[cta_x + 1]) - start_a;
		n_b = (last ? stride : (int)limits_b[cta_x + 1]) - start_b;
	}
	barrier();
	if (t < n_a) {
		key[t] = from_key[base + start_a + t];
		value[t] = from_value[base + start_a + t];
	}
	if (t < n_b) {
		key[SAMPLE + t] = from_key[base + stride + start_b + t];
		value[SAMPLE + t] = from_value[base + stride + start_b + t];
	}
	barrier();
	if (t < n_a) {
		key_a = key[t];
		value_a = value[t];
		a = keys_below(key_a, key + SAMPLE, n_b, SAMPLE, 0) + t;
	}
	if (t < n_b) {
		key_b = key[SAMPLE + t];
		value_b = value[SAMPLE + t];
		b = keys_below(key_b, key, n_a, SAMPLE, 1) + t;
	}
	barrier();
	if (t < n_a) {
		key[a] = key_a;
		value[a] = value_a;
	}
	if (t < n_b) {
		key[b] = key_b;
		value[b] = value_b;
	}
	barrier();
	to = base + start_a + start_b + t;
	if (t < n_a) {
		to_key[to] = key[t];
		to_value[to] = value[t];
	}
	if (t < n_b) {
		to_key[to + n_a] = key[n_a + t];
		to_value[to + n_a] = value[n_a + t];
	}
}
