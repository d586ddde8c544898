/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernel.c - stops at the starts of a kernel by its name: "break matmul".
 *
 * Such a stop is one at the rule kernel-start that only admits the kernels of this name. A C++
 * kernel has two, the mangled one of the trace and the one that a person wrote (plain_name.h).
 */
#include "base/plain_name.h"
#include "debug/debug_part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
is_kernel(const struct debug *d, const char *word)
{
	const struct trace_info *t = d->sim ? sim_trace(d->sim) : NULL;

	for (unsigned k = 0; t && k < t->n_kernels; k++)
		if (is_plain_name(word, t->kernel[k].name))
			return true;
	return false;
}

bool
debug_find_kernel(const struct debug *d, struct stop *p, const char *word)
{
	if (!*word || !is_kernel(d, word))
		return false;
	free(p->kernel_name);
	p->kernel_name = strdup(word);
	snprintf(p->rule, sizeof(p->rule), "kernel-start");
	*p->policy = '\0';
	return p->kernel_name;
}

bool
debug_starts_kernel(const struct debug *d, const struct stop *p, const struct event *ev)
{
	return !p->kernel_name ||
	       is_plain_name(p->kernel_name, sim_kernel(d->sim, ev->kernel)->name);
}

void
debug_each_kernel_name(const struct debug *d, void (*fn)(void *ctx, const char *name), void *ctx)
{
	const struct trace_info *t = d && d->sim ? sim_trace(d->sim) : NULL;
	char name[PLAIN_NAME];

	for (unsigned k = 0; t && k < t->n_kernels; k++) {
		unsigned before = 0;

		plain_name(t->kernel[k].name, name, sizeof(name));
		while (before < k && !is_plain_name(name, t->kernel[before].name))
			before++;
		if (before == k)
			fn(ctx, name);
	}
}

/* ---------------------------------------------------------------- the names, in a message */

static void
add_name(void *ctx, const char *name)
{
	struct debug_kernel_names *l = ctx;

	if (l->n < ARRAY_LEN(l->name))
		snprintf(l->name[l->n], sizeof(l->name[0]), "%s", name);
	l->all++;
	l->n = MIN(l->all, (unsigned)ARRAY_LEN(l->name));
}

void
debug_kernel_names(const struct debug *d, struct debug_kernel_names *l)
{
	l->n = l->all = 0;
	debug_each_kernel_name(d, add_name, l);
}

void
debug_list_kernels(const struct debug_kernel_names *l, char *buf, size_t size)
{
	const size_t tail = sizeof(" and 4,294,967,295 more");
	size_t n = 0;
	unsigned i;

	*buf = '\0';
	for (i = 0; i < l->n && n + strlen(l->name[i]) + tail + 40 < size; i++)
		n += (size_t)snprintf(buf + n, size - n, "%s%s",
				      i ? ", " : "; kernels of this trace: ", l->name[i]);
	if (i && l->all > i)
		snprintf(buf + n, size - n, " and %u more", l->all - i);
}
