/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mum.c - host of mum.cu: sorts the suffixes, builds the tree from their common prefixes, finds the
 * suffix links by walking down from the root. Checked: the length of every match, exactly, by
 * binary search among the sorted suffixes.
 */
#include "workload.h"

#include <stdlib.h>
#include <string.h>

#define READ 25
#define STARTS 2

struct node {
	uint32_t first, depth, link, unused;
	uint32_t child[4];
};

struct tree {
	int n; /* bases */
	uint8_t *text;
	uint32_t *suffix; /* sorted */
	struct node *node;
	uint32_t n_nodes;
};

static int
common(const uint8_t *a, const uint8_t *b, int n)
{
	int i;

	for (i = 0; i < n && a[i] == b[i]; i++)
		;
	return i;
}

/* The text ends with a 0xff, which no base equals; suffixes are pointers into it while they are
 * sorted. */
static int
compare(const void *a, const void *b)
{
	const uint8_t *x = *(uint8_t *const *)a, *y = *(uint8_t *const *)b;

	while (*x == *y) {
		x++;
		y++;
	}
	if (*x == 0xff || *y == 0xff) /* the shorter one comes first */
		return *x == 0xff ? -1 : 1;
	return *x < *y ? -1 : 1;
}

static void
sort_suffixes(struct work *w, struct tree *t)
{
	uint8_t **p = work_host(w, (size_t)t->n * sizeof(*p));
	int i;

	t->suffix = work_host(w, (size_t)t->n * 4);
	for (i = 0; i < t->n; i++)
		p[i] = t->text + i;
	qsort(p, (size_t)t->n, sizeof(*p), compare);
	for (i = 0; i < t->n; i++)
		t->suffix[i] = (uint32_t)(p[i] - t->text);
}

static void
build_tree(struct work *w, struct tree *t)
{
	uint32_t *stack = work_host(w, (size_t)t->n * 8), top = 0, last, v, lcp, s, i;
	struct node *node = t->node = work_host(w, (size_t)t->n * 2 * sizeof(*node));

	t->n_nodes = 1; /* the root */
	stack[0] = 0;
	for (i = 0; i < (uint32_t)t->n; i++) {
		s = t->suffix[i];
		lcp = i ? (uint32_t)common(t->text + t->suffix[i - 1], t->text + s, t->n - (int)s)
			: 0;
		for (last = 0; node[stack[top]].depth > lcp; top--)
			last = stack[top];
		if (node[stack[top]].depth < lcp) { /* splits the edge to last */
			v = t->n_nodes++;
			node[v].first = t->suffix[i - 1];
			node[v].depth = lcp;
			node[stack[top]].child[t->text[node[v].first + node[stack[top]].depth]] = v;
			node[v].child[t->text[node[last].first + lcp]] = last;
			stack[++top] = v;
		}
		v = t->n_nodes++;
		node[v].first = s;
		node[v].depth = (uint32_t)t->n - s;
		node[stack[top]].child[t->text[s + node[stack[top]].depth]] = v;
		stack[++top] = v;
	}
	for (i = 1; i < t->n_nodes; i++) {
		s = node[i].first + 1;
		for (v = 0; node[v].depth + 1 < node[i].depth;)
			v = node[v].child[t->text[s + node[v].depth]];
		node[i].link = v;
	}
}

/* Longest prefix of read[0 .. n - 1] that occurs in the text. */
static int
longest(const struct tree *t, const uint8_t *read, int n)
{
	int lo = 0, hi = t->n, mid, k, best = 0, left;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		left = t->n - (int)t->suffix[mid];
		k = common(t->text + t->suffix[mid], read, left < n ? left : n);
		if (k > best)
			best = k;
		if (k == n)
			break;
		if (k == left || t->text[t->suffix[mid] + (uint32_t)k] < read[k])
			lo = mid + 1;
		else
			hi = mid;
	}
	return best;
}

static void
make_text(struct work *w, struct tree *t)
{
	int i, k, from;

	t->text = work_host(w, (size_t)t->n + 1);
	for (i = 0; i < t->n; i++)
		t->text[i] = (uint8_t)work_below(w, 4);
	for (k = 0; k < t->n / 2048; k++) { /* repeats, as genomes have them */
		from = (int)work_below(w, (uint32_t)t->n - 200);
		i = (int)work_below(w, (uint32_t)t->n - 200);
		memmove(t->text + i, t->text + from, 200);
	}
	t->text[t->n] = 0xff;
}

int
main(int argc, char **argv)
{
	struct work w;
	struct tree t;
	int n, i, k;
	uint8_t *reads, *length, *want;
	CUdeviceptr d_tree, d_text, d_reads, d_length;

	work_open(&w, argc, argv, "mum");
	n = work_size(&w, 24576, 245760, 983040, [WORK_SHORT] = 50000, [WORK_TCS] = 50000);
	t.n = 65536;
	make_text(&w, &t);
	sort_suffixes(&w, &t);
	build_tree(&w, &t);
	reads = work_host(&w, (size_t)n * READ);
	length = work_host(&w, (size_t)n * STARTS);
	want = work_host(&w, (size_t)n * STARTS);
	for (i = 0; i < n; i++) { /* pieces of the reference with an error in 25 bases */
		uint8_t error;

		memcpy(reads + i * READ, t.text + work_below(&w, (uint32_t)t.n - READ), READ);
		error = (uint8_t)work_below(&w, 4);
		reads[i * READ + (int)work_below(&w, READ)] = error;
		for (k = 0; k < STARTS; k++)
			want[k * n + i] = (uint8_t)longest(&t, reads + i * READ + k, READ - k);
	}
	d_tree = work_put(&w, t.node, t.n_nodes * sizeof(*t.node));
	d_text = work_put(&w, t.text, (size_t)t.n + 1);
	d_reads = work_put(&w, reads, (size_t)n * READ);
	d_length = work_new(&w, (size_t)n * STARTS);
	work_launch(&w, "match", DIM((unsigned)work_div_up(n, 256), 1), DIM(256, 1), &d_tree,
		    &d_text, &d_reads, &d_length, &n);
	work_get(&w, length, d_length, (size_t)n * STARTS);
	work_check_bytes(&w, "length", length, want, (size_t)n * STARTS);
	return work_close(&w);
}
