/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare_since.c - makes the counts of a comparison of two machines those since an earlier one
 * (tests/session/sessions/what-if.session).
 */
#include "export/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct compare_item *
find_item(const struct compare *c, const char *name)
{
	for (unsigned i = 0; i < c->n_items; i++)
		if (strcmp(c->item[i].name, name) == 0)
			return &c->item[i];
	return NULL;
}

/* Two counts make the IPC, which can therefore be that of the same cycles. */
static void
set_ipc(const struct compare *c, struct compare_item *ipc)
{
	const struct compare_item *insts = find_item(c, "gpu.thread_insts"),
				  *cycles = find_item(c, "gpu.cycles");

	for (unsigned side = 0; side < 2 && insts && cycles; side++)
		ipc->value[side] = cycles->value[side] > 0
					   ? insts->value[side] / cycles->value[side]
					   : (double)NAN;
}

void
compare_count_from(struct compare *c, const struct compare *earlier)
{
	for (unsigned i = 0; i < c->n_items; i++) {
		struct compare_item *k = &c->item[i];
		const struct compare_item *was = find_item(earlier, k->name);
		size_t n = strlen(k->name);

		for (unsigned side = 0; side < 2 && was && export_stat_is_count(k->name); side++)
			k->value[side] -= was->value[side];
		if (strcmp(k->name, "gpu.ipc") == 0)
			set_ipc(c, k);
		else if (!k->is_wall_clock && !export_stat_is_count(k->name))
			snprintf(k->name + n, sizeof(k->name) - n, " *");
	}
	for (unsigned side = 0; side < 2; side++)
		for (unsigned k = 0; k < CC_CLASSES; k++)
			c->class_cycles[side][k] -= earlier->class_cycles[side][k];
}
