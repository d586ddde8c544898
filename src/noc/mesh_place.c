/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mesh_place.c - the nodes of a mesh: how many, which ones have the clusters and the slices, and
 * the time that a packet takes from one to another through an empty mesh.
 *
 * The paper does not say where the slices are. Here slice j of n is in row j * height / n, and each
 * is 3/8 of the width further right than the one before. In a square mesh with as many slices as
 * rows (both meshes of the paper) every row and every column has one slice and no two are
 * neighbours, so no line of links carries more memory traffic than another. Clusters take the rest.
 */
#include "noc/noc_part.h"

static unsigned
get_width(const struct noc_cfg *k, unsigned ports)
{
	unsigned w = k->mesh_width;

	if (!w)
		while (w * w < ports)
			w++;
	return w;
}

unsigned
net_mesh_nodes(const struct noc_cfg *k, unsigned ports)
{
	unsigned w = get_width(k, ports);

	return (ports + w - 1) / w * w;
}

static unsigned
get_gcd(unsigned a, unsigned b)
{
	return b ? get_gcd(b, a % b) : a;
}

void
net_mesh_place(struct mesh_map *m, const struct noc_cfg *k, unsigned clusters, unsigned slices)
{
	unsigned nodes = net_mesh_nodes(k, clusters + slices), w = get_width(k, clusters + slices);
	unsigned h = nodes / w, step = MAX(1, w * 3 / 8), at = 0;
	bool taken[MESH_NODES] = {false};

	assert(nodes <= MESH_NODES);
	while (get_gcd(step, w) > 1)
		step++;
	m->width = (uint8_t)w;
	m->nodes = (uint16_t)nodes;
	for (unsigned i = 0; i < nodes; i++) {
		m->x[i] = (uint8_t)(i % w);
		m->y[i] = (uint8_t)(i / w);
	}
	for (unsigned j = 0; j < slices; j++) {
		unsigned node = j * h / slices * w + (step / 2 + j * step) % w;

		while (taken[node])
			node = (node + 1) % nodes;
		taken[node] = true;
		m->slice[j] = (uint8_t)node;
	}
	for (unsigned i = 0; i < clusters; i++) {
		while (taken[at])
			at++;
		m->cluster[i] = (uint8_t)at++;
	}
}

/* Evaluates the formula in the head comment of mesh.c for the mean distance from a cluster to a
 * slice. */
double
net_mesh_unloaded(const struct noc_cfg *k, unsigned clusters, unsigned slices, unsigned flits)
{
	struct mesh_map m = {0};
	unsigned hops = 0;

	net_mesh_place(&m, k, clusters, slices);
	for (unsigned i = 0; i < clusters; i++)
		for (unsigned j = 0; j < slices; j++) {
			unsigned a = m.cluster[i], b = m.slice[j];

			hops += MAX(m.x[a], m.x[b]) - MIN(m.x[a], m.x[b]);
			hops += MAX(m.y[a], m.y[b]) - MIN(m.y[a], m.y[b]);
		}
	return ((double)hops / (clusters * slices) + 1) *
		       (1 + k->channel_latency + k->routing_delay) +
	       1 + k->channel_latency + flits - 1;
}
