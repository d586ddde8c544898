/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * found.c - keeps what the policies find for each kernel, namely the number of cores it needs,
 * until the end of the run, and averages it (ctascope-model(7) 16.10).
 *
 * The state of a policy restarts with every kernel, so its field shows only the last result. The
 * first field of the stack that is marked `found` is stored at the end of each kernel. 0 means no
 * result; such a kernel does not count in the mean.
 */
#include "sim/sim_priv.h"

#include <math.h>
#include <string.h>

/* The field, and the address of its value. */
static const struct cta_field *
find_field(const struct sim *s, const uint32_t **at)
{
	for (unsigned p = 0; p < s->stack.n; p++) {
		const struct cta_sched_ops *o = s->stack.policy[p].ops;

		for (unsigned f = 0; f < o->n_fields; f++)
			if (o->fields[f].found) {
				*at = (const uint32_t *)(const void *)((const char *)s->stack.host +
								       s->stack.policy[p].state +
								       o->fields[f].offset);
				return &o->fields[f];
			}
	}
	return NULL;
}

const struct cta_field *
found_field(const struct sim *s)
{
	const uint32_t *at;

	return find_field(s, &at);
}

static uint32_t
current_value(const struct sim *s)
{
	const uint32_t *at;

	return s->machine->running && find_field(s, &at) ? *at : 0;
}

void
found_keep(struct sim *s)
{
	struct machine *m = s->machine;
	uint32_t found = current_value(s);

	if (s->stack.host->ordinal < MAX_KERNELS_KEPT)
		s->kernels[s->stack.host->ordinal].found = found;
	m->found_area += found * (m->cycle - m->launched);
	m->found_cycles += found ? m->cycle - m->launched : 0;
}

void
found_forget(struct sim *s)
{
	s->machine->found_area = s->machine->found_cycles = 0;
	for (unsigned k = 0; k < MAX_KERNELS_KEPT; k++)
		s->kernels[k].found = 0;
}

double
found_mean(const struct sim *s)
{
	const struct machine *m = s->machine;
	uint32_t found = current_value(s);
	uint64_t cycles = found ? m->cycle - m->launched : 0;

	if (!(m->found_cycles + cycles))
		return (double)NAN;
	return (double)(m->found_area + found * cycles) / (double)(m->found_cycles + cycles);
}

const char *
sim_found_name(const struct sim *s)
{
	const struct cta_field *f = found_field(s);

	return f ? f->name : NULL;
}

double
sim_found(const struct sim *s, unsigned ordinal)
{
	uint32_t found = 0;

	if (s->machine->running && ordinal == s->stack.host->ordinal)
		found = current_value(s);
	else if (ordinal < MIN(s->machine->ordinal, MAX_KERNELS_KEPT))
		found = s->kernels[ordinal].found;
	return found ? found : (double)NAN;
}

int
found_index(const struct sim *s, const char *text, unsigned *index, struct err *e)
{
	*index = 0;
	if (!strcmp(text, "mean"))
		return 1;
	if (kernel_index(s, text, " or mean", index, e) < 0)
		return -1;
	++*index;
	return 1;
}
