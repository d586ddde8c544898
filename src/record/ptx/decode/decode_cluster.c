/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decode_cluster.c - decodes instructions of sm_90 for clusters, caches and launches: mapa
 * getctarank createpolicy setmaxnreg griddepcontrol. Every cluster is a single CTA, and all
 * registers are available. barrier.cluster is in decode_warp.c.
 *
 * Not supported: mapa to another rank, which is a fault.
 */
#include "record/ptx/exec/exec.h"

#include <string.h>

/* The address of the same place in the CTA with the given rank. The only rank is 0. */
static int
exec_mapa(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *rank = vec32(w, in->src[1]);
	uint32_t bytes = in->dst[0].bytes;

	FOR_LANES(l, mask)
	{
		if (rank[l])
			return exec_fault(w, in, (int)l,
					  "mapa: CTA %u of a cluster, but every cluster is a "
					  "single CTA",
					  rank[l]);
		if (bytes != OPND_NONE)
			memcpy((uint8_t *)vec(w, in->dst[0]) + (size_t)l * bytes,
			       (const uint8_t *)vec(w, in->src[0]) + (size_t)l * bytes, bytes);
	}
	return EXEC_NEXT;
}

/* Writes 0: the rank of the CTA, or a cache policy. */
static int
exec_zero(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t bytes = in->dst[0].bytes;

	FOR_LANES(l, bytes == OPND_NONE ? 0 : mask)
	memset((uint8_t *)vec(w, in->dst[0]) + (size_t)l * bytes, 0, bytes);
	return EXEC_NEXT;
}

/* mapa.TYPE d, a, rank; getctarank.TYPE d, a: a is an address in shared memory, or a generic one.
 */
static int
decode_rank(struct decode *d, struct prog_inst *in)
{
	bool map = in->op == PTX_mapa, shared = decode_has(d, W_shared_cluster);
	enum ptx_type t = decode_type(d, 0);

	shared |= decode_space(d) == SP_SHARED;
	if (t != TY_U32 && t != TY_U64)
		return decode_error(d, "expected .u32 or .u64");
	if (t == TY_U32 && !shared)
		return decode_unsupported(d, "a 32-bit generic address");
	in->type = (uint8_t)t;
	in->n_dst = 1;
	in->n_src = map ? 2 : 1;
	in->fn = map ? exec_mapa : exec_zero;
	if (decode_count(d, map ? 3 : 2, map ? 3 : 2) ||
	    decode_dst(d, decode_opnd(d, 0), map ? t : TY_U32, false, &in->dst[0]) ||
	    decode_value(d, decode_opnd(d, 1), t, &in->src[0]))
		return -1;
	return map ? decode_value(d, decode_opnd(d, 2), TY_U32, &in->src[1]) : 0;
}

/* createpolicy: the recorder has no caches, so every policy is 0. */
static int
decode_createpolicy(struct decode *d, struct prog_inst *in)
{
	static const enum ptx_word words[] = {W_fractional,
					      W_range,
					      W_cvt,
					      W_global,
					      W_l2,
					      W_l2_evict_last,
					      W_l2_evict_first,
					      W_l2_evict_normal,
					      W_l2_evict_unchanged};

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		decode_has(d, words[i]);
	in->n_dst = 1;
	in->fn = exec_zero;
	if (!decode_has(d, W_b64))
		return decode_error(d, "expected .b64");
	if (decode_count(d, 1, 4) || decode_dst(d, decode_opnd(d, 0), TY_B64, false, &in->dst[0]))
		return -1;
	for (uint32_t k = 1; k < d->a->n_opnd; k++)
		decode_opnd(d, k);
	return 0;
}

/* Instructions without effect: all registers are always available, and a launch always waits for
 * the one before it. */
static int
decode_hint(struct decode *d, struct prog_inst *in)
{
	static const enum ptx_word words[] = {W_inc,	 W_dec, W_sync,
					      W_aligned, W_u32, W_launch_dependents,
					      W_wait};

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		decode_has(d, words[i]);
	in->fn = exec_nop;
	for (uint32_t k = 0; k < d->a->n_opnd; k++)
		decode_opnd(d, k);
	return decode_count(d, in->op == PTX_setmaxnreg, in->op == PTX_setmaxnreg);
}

int
decode_cluster(struct decode *d, struct prog_inst *in)
{
	switch (in->op) {
	case PTX_mapa:
	case PTX_getctarank:
		return decode_rank(d, in);
	case PTX_createpolicy:
		return decode_createpolicy(d, in);
	default:
		return decode_hint(d, in);
	}
}
