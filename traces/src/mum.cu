/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mum - GPGPU-Sim MUM (MUMmerGPU, Schatz et al.): where short reads match a reference genome. A
 * thread walks its read down the suffix tree of the reference; where it cannot go on it notes the
 * length, follows the suffix link and goes on with the next start. A node is 32 bytes at an address
 * that depends on the last one.
 *
 * Type M. CTAs of 256 threads (as in TCS, ISPASS 2009): N = 4 on kayiran30 by its 1024 threads. The
 * benchmark fetches nodes by texture, here they are global loads.
 *
 * Sizes: default 245,760 reads of 25 bases (960 CTAs, 8 waves), reference of 65,536, matches of at
 * least 24 bases (MUMmer: 20), which bounds the starts of a read; small a tenth, large four times
 * as many; short and tcs 50,000 (196 CTAs).
 */
#include "device.h"

#define READ 25
#define STARTS \
	2 /* matches of at least 24 bases are looked for (20 in MUMmer: three times the work) */

/* first: the edge to the node is reference[first + depth of parent .. first + depth). 0: no such
 * child. */
struct node {
	u32 first, depth, link, unused;
	u32 child[4];
} __attribute__((aligned(16)));

KERNEL(256) void
match(const struct node *tree, const u8 *reference, const u8 *reads, u8 *length, int n)
{
	int id = cta_x * 256 + tid_x, start = 0;
	u32 at = 0, next = 0, matched = 0, end = 0, first = 0, base = 0;
	const u8 *read = reads + id * READ;
	bool more;

	if (id >= n)
		return;
	/* A round is a base compared, or the step to the next start. matched == end: at the node
	 * next. */
	NO_UNROLL
	while (start < STARTS) {
		more = start + matched < READ;
		if (more) {
			base = read[start + matched];
			if (matched == end) {
				at = next;
				next = tree[at].child[base];
				more = next != 0;
				first = tree[next].first;
				end = tree[next].depth;
			}
		}
		if (more && reference[first + matched] == base) {
			matched++;
		} else {
			length[start * n + id] = (u8)matched;
			next = at = tree[at].link;
			matched = end = tree[at].depth;
			start++;
		}
	}
}
