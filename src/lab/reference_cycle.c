/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference_cycle.c - the cycle at which the reference had done some amount of work. It is apart
 * from the rest since it needs no session.
 */
#include "ctascope/session.h"
#include <math.h>

double
reference_cycle(const struct reference_view *v, double insts)
{
	unsigned lo = 0, hi = v->n;
	double c0 = 0, i0 = 0, c1, i1;

	if (!(insts > 0))
		return insts <= 0 ? 0 : NAN;
	/* The sums of samples are a little off the count; and some cycles pass between the last
	 * instruction and the end of the run. */
	if (v->measured && fabs(insts - (double)v->insts) <= 1e-6 * insts)
		return (double)v->cycles;
	while (lo < hi) { /* find the first point with at least that work */
		unsigned mid = (lo + hi) / 2;

		if ((double)v->point[mid].insts < insts)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo > 0) {
		c0 = (double)v->point[lo - 1].cycle;
		i0 = (double)v->point[lo - 1].insts;
	}
	c1 = (double)(lo < v->n ? v->point[lo].cycle : v->cycles);
	i1 = (double)(lo < v->n ? v->point[lo].insts : v->insts);
	if (insts > i1)
		return NAN;
	return i1 > i0 ? c0 + (c1 - c0) * (insts - i0) / (i1 - i0) : c1;
}
