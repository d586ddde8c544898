/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * change.c - writes what changed in the value of a watch.
 *
 * A vector is long and most of its elements stay the same. So only the elements that changed are
 * named, those with the same change together: "cores 0-3 and 7: 2 -> 1; core 9: 2 -> 3".
 */
#include "base/human.h"
#include "debug/debug_part.h"

#include "base/strbuf.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_CHANGES 4 /* different changes that are written */
#define MOST_RANGES 6  /* of element numbers, for one change */

static bool
same_number(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* What the elements of the vector are: "core", "channel", "slice", or "element" where the text of
 * the watch does not tell. */
static const char *
name_element(const struct debug *d, const struct stop *p, unsigned n)
{
	char path[EVAL_MAX_PATH + 1];
	uint64_t id;

	if (strstr(p->watch_text, "mem.*"))
		return "channel";
	if (strstr(p->watch_text, "l2.*"))
		return "slice";
	if (n != sim_instances(d->sim, "core"))
		return "element";
	/* A name without a group means all cores, or all channels if cores have no such value. */
	snprintf(path, sizeof(path), "core.*.%.100s", p->watch_text);
	if (strstr(p->watch_text, "core.*") || strstr(p->watch_text, "credits.local.*") ||
	    sim_path(d->sim, path, &id, NULL) > 0)
		return "core";
	return "element";
}

static bool
changed_alike(const struct value *old, const struct value *now, unsigned i, unsigned like)
{
	return same_number(old->v[i], old->v[like]) && same_number(now->v[i], now->v[like]);
}

/* Writes "core 3" or "cores 0-3 and 7": the elements that changed as the one numbered `first`. */
static void
add_elements(const struct value *old, const struct value *now, unsigned first, const char *element,
	     struct strbuf *out)
{
	unsigned n = 0, written = 0, ranges = 0;

	for (unsigned i = first; i < now->n; i++)
		n += changed_alike(old, now, i, first);
	if (n == now->n) {
		sb_printf(out, "all %u %ss", n, element);
		return;
	}
	sb_printf(out, "%s%s ", element, n > 1 ? "s" : "");
	for (unsigned i = first; i < now->n && ranges < MOST_RANGES; i++) {
		unsigned last = i;

		if (!changed_alike(old, now, i, first))
			continue;
		while (last + 1 < now->n && changed_alike(old, now, last + 1, first))
			last++;
		written += last - i + 1;
		sb_printf(out, "%s%u", !ranges ? "" : written == n ? " and " : ", ", i);
		if (last > i)
			sb_printf(out, "-%u", last);
		i = last;
		ranges++;
	}
	if (written < n)
		sb_printf(out, " and %u more", n - written);
}

static bool
element_changed(const struct value *old, const struct value *now, unsigned i)
{
	return !same_number(old->v[i], now->v[i]);
}

/* Returns whether an element before i had the same change. */
static bool
is_listed(const struct value *old, const struct value *now, unsigned i)
{
	for (unsigned k = 0; k < i; k++)
		if (changed_alike(old, now, k, i))
			return true;
	return false;
}

static void
add_change(double old, double now, struct strbuf *out)
{
	char before[40], after[40];

	value_format(&(struct value){.x = old}, 0, before, sizeof(before));
	value_format(&(struct value){.x = now}, 0, after, sizeof(after));
	sb_printf(out, "%s -> %s", before, after);
}

static void
add_vector(const struct debug *d, const struct stop *p, const struct value *old,
	   const struct value *now, struct strbuf *out)
{
	const char *element = name_element(d, p, now->n);
	char cycle[HUMAN];
	unsigned kinds = 0, first = 0, left = 0;

	for (unsigned i = now->n; i-- > 0;) {
		if (!element_changed(old, now, i) || is_listed(old, now, i))
			continue;
		first = i;
		kinds++;
	}
	sb_printf(out, "watch %.100s, ", p->watch_text);
	if (kinds == 1) { /* in the form of an event: "watch n, core 3, cycle 2,048: 2 -> 1" */
		add_elements(old, now, first, element, out);
		sb_printf(out, ", cycle %s: ", human(cycle, sim_cycle(d->sim)));
		add_change(old->v[first], now->v[first], out);
		return;
	}
	sb_printf(out, "cycle %s: ", human(cycle, sim_cycle(d->sim)));
	for (unsigned i = first, n = 0; i < now->n; i++) {
		if (!element_changed(old, now, i) || is_listed(old, now, i))
			continue;
		if (n++ == MOST_CHANGES)
			left = i;
		if (n > MOST_CHANGES)
			continue;
		sb_str(out, n > 1 ? "; " : "");
		add_elements(old, now, i, element, out);
		sb_str(out, ": ");
		add_change(old->v[i], now->v[i], out);
	}
	if (left)
		sb_printf(out, "; others, see print %.60s", p->watch_text);
}

void
debug_change_text(const struct debug *d, const struct stop *p, const struct value *old,
		  const struct value *now, char *buf, size_t size)
{
	struct strbuf text = {0};
	char cycle[HUMAN];

	if (now->n && old->n == now->n) {
		add_vector(d, p, old, now, &text);
	} else {
		sb_printf(&text, "watch %.100s, cycle %s: ", p->watch_text,
			  human(cycle, sim_cycle(d->sim)));
		add_change(old->x, now->x, &text);
	}
	snprintf(buf, size, "%s", text.p ? text.p : "watch");
	sb_free(&text);
}
