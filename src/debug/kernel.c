/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernel.c - kernels by their names: stops at the starts of one, "break matmul", and the number of
 * one, "why kernel matmul".
 *
 * Such a stop is one at the rule kernel-start that only admits the kernels of this name. A C++
 * kernel has two, the mangled one of the trace and the one that a person wrote (plain_name.h).
 */
#include "base/number.h"
#include "base/plain_name.h"
#include "base/words.h"
#include "debug/debug_part.h"

#include <inttypes.h>
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

/* Does the trace have a kernel of exactly that name? */
static bool
has_name(const struct debug *d, const char *word)
{
	const struct trace_info *t = sim_trace(d->sim);

	for (unsigned k = 0; k < t->n_kernels; k++)
		if (strcmp(word, t->kernel[k].name) == 0)
			return true;
	return false;
}

bool
debug_find_kernel(const struct debug *d, struct stop *p, const char *word)
{
	char name[PLAIN_NAME];

	if (!*word || !is_kernel(d, word))
		return false;
	free(p->kernel_name);
	/* the types in a signature are not compared, so the stop does not show them either */
	p->kernel_name = strdup(has_name(d, word) ? word : plain_name(word, name, sizeof(name)));
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

/* ---------------------------------------------------------------- the number of a kernel */

/* Writes the numbers of the n kernels of that name: "1, 3 and 4", or "1, 2, 3 and 5 more". */
static void
list_numbers(const struct trace_info *t, const char *word, unsigned n, char *buf, size_t size)
{
	const unsigned shown = n > 4 ? 3 : n;
	unsigned i = 0;
	size_t used = 0;

	for (unsigned k = 0; k < t->n_kernels && i < shown; k++) {
		if (!is_plain_name(word, t->kernel[k].name))
			continue;
		used += (size_t)snprintf(buf + used, size - used, "%s%u",
					 i == 0	      ? ""
					 : i + 1 == n ? " and "
						      : ", ",
					 k + 1);
		i++;
	}
	if (n > shown)
		snprintf(buf + used, size - used, " and %u more", n - shown);
}

static int
refuse_unknown(const struct debug *d, const char *word, struct err *e)
{
	const char *names[ARRAY_LEN(((struct debug_kernel_names *)0)->name)];
	struct debug_kernel_names kernels;
	char list[300] = "";
	struct hint near;

	debug_kernel_names(d, &kernels);
	for (unsigned i = 0; i < kernels.n; i++)
		names[i] = kernels.name[i];
	near = near_hint(word, names, kernels.n, "");
	if (!near.text[0])
		debug_list_kernels(&kernels, list, sizeof(list));
	return err_set(e, "'%.60s' is neither the number nor the name of a kernel%s%s", word,
		       near.text, list);
}

static int
find_number(const struct debug *d, const char *word, unsigned *kernel, struct err *e)
{
	const struct trace_info *t = sim_trace(d->sim);
	char list[120], name[PLAIN_NAME];
	unsigned n = 0;

	for (unsigned k = t->n_kernels; k-- > 0;)
		if (is_plain_name(word, t->kernel[k].name)) {
			*kernel = k + 1;
			n++;
		}
	if (n == 1)
		return 0;
	if (n == 0)
		return refuse_unknown(d, word, e);
	list_numbers(t, word, n, list, sizeof(list));
	return err_set(e, "%.60s is the name of kernels %s: give the number of one",
		       plain_name_shown(t->kernel[*kernel - 1].name, name, sizeof(name)), list);
}

int
debug_kernel_number(const struct debug *d, const char *word, unsigned *kernel, struct err *e)
{
	const uint32_t kernels = d->sim ? sim_trace(d->sim)->n_kernels : UINT32_MAX;
	uint64_t n;

	if (number_count_fault(word))
		return err_set(e, "'%.60s' %s", word, number_count_fault(word));
	if (number_count(word, &n)) {
		if (d->sim)
			return find_number(d, word, kernel, e);
		return err_set(e,
			       "'%.60s' is not the number of a kernel, and names of kernels need a "
			       "workload",
			       word);
	}
	if (n == 0 || n > kernels)
		return err_set(e, "no kernel %" PRIu64 ": this trace has kernels 1..%" PRIu32, n,
			       kernels);
	*kernel = (unsigned)n;
	return 0;
}
