/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bt.h - the B+ tree of bt1 and bt2, as Rodinia lays it out for the device: nodes of order 256 in
 * breadth-first order, the root first. The least key of a child stands at the child's place, the
 * first of a node counts as minus infinity, and what is not used as plus infinity. Nodes are half
 * full, which is what inserting ascending keys leaves. Record i has a key of 4 i .. 4 i + 2.
 */
#ifndef BT_H
#define BT_H

#include "workload.h"

#include <limits.h>

#define BT_ORDER 256
#define BT_FILL (BT_ORDER / 2)

struct bt_node {
	int32_t location;
	int32_t indices[BT_ORDER + 1]; /* nodes; of a leaf, records */
	int32_t keys[BT_ORDER + 1];
	int32_t is_leaf, n_keys;
};

struct bt {
	struct bt_node *node;
	int32_t n_nodes, height; /* levels above the leaves */
	int32_t *key, *value;	 /* of the records */
};

/* The nodes of one level from place `at` on: over n records (below < 0), or over the n nodes from
 * place `below` on. A child has `span` records under it. */
static inline void
bt_level(struct bt *t, int32_t at, int32_t n, int32_t below, int32_t span)
{
	int32_t i, k;

	for (i = 0; i < n; i++) {
		struct bt_node *node = &t->node[at + i / BT_FILL];

		if (node->n_keys == 0) {
			node->location = at + i / BT_FILL;
			node->is_leaf = below < 0;
			for (k = 0; k <= BT_ORDER; k++)
				node->keys[k] = INT_MAX;
		}
		k = node->n_keys++;
		node->indices[k] = below < 0 ? i : below + i;
		node->keys[k] = below >= 0 && k == 0 ? INT_MIN : t->key[i * span];
	}
}

static inline struct bt
bt_build(struct work *w, int32_t records)
{
	struct bt t = {.n_nodes = 0};
	int32_t width[8], i, n, at, span = 1;

	t.key = work_host(w, (size_t)records * 4);
	t.value = work_host(w, (size_t)records * 4);
	for (i = 0; i < records; i++) {
		t.key[i] = 4 * i + (int32_t)work_below(w, 3);
		t.value[i] = (int32_t)work_below(w, INT_MAX);
	}
	for (n = records; n > 1 || t.height == 0; n = width[t.height++]) {
		width[t.height] = work_div_up(n, BT_FILL);
		t.n_nodes += width[t.height];
	}
	t.node = work_host(w, (size_t)t.n_nodes * sizeof(*t.node));
	at = t.n_nodes - width[0];
	bt_level(&t, at, records, -1, span);
	for (i = 1; i < t.height; i++) {
		span *= BT_FILL;
		bt_level(&t, at - width[i], width[i - 1], at, span);
		at -= width[i];
	}
	t.height--;
	return t;
}

#endif
