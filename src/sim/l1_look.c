/* SPDX-License-Identifier: GPL-3.0-or-later */
/* l1_look.c - the lines of a core's L1 data cache, and the CTAs that loaded them. */
#include "sim/sim_priv.h"

void
sim_l1_view(const struct sim *s, unsigned core, struct l1_view *v)
{
	const struct tags *t = &s->core[core].ldst.tags[L1_DATA];

	v->sets = t->sets;
	v->ways = ldst_ways(&s->core[core].ldst);
	v->evicted_by_others = t->owners->evicted_by_others;
}

void
sim_l1_line(const struct sim *s, unsigned core, unsigned set, unsigned way, struct l1_line_view *v)
{
	struct ldst_line l = ldst_line(&s->core[core].ldst, set, way);

	v->used = l.used;
	v->pending = l.pending;
	v->resident = l.used && owner_is_present(s->core[core].ldst.tags[L1_DATA].owners, l.owner);
	v->slot = (uint8_t)owner_slot(l.owner);
	v->addr = l.addr;
}
