/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * near.c - "did you mean ...?"
 *
 * Names are ranked by their distance from the typed text: the Damerau-Levenshtein distance (one
 * insertion, deletion, substitution or swap of neighbours costs one; case is ignored), with a bonus
 * when the typed text is the beginning or a part of the name. Dotted names with the same head as
 * the typed text ("l1d." of "l1d.set") always qualify, after closer ones: a reader who knows the
 * group wants to see its contents. Ties keep the order of the list.
 */
#include "base/ascii.h"
#include "base/words.h"

#include <stdio.h>
#include <string.h>

#define MAX_LEN 63  /* characters compared; more does not change the ranking */
#define FAR 1000000 /* no suggestion at all */
#define SAME_HEAD 1000

static int
lower_case(char c)
{
	return ascii_lower(c);
}

/* Three rows of the usual table are enough, because a swap looks back two rows. */
static unsigned
edit_distance(const char *a, unsigned n, const char *b, unsigned m)
{
	unsigned rows[3][MAX_LEN + 1];
	unsigned *before = rows[0], *last = rows[1], *now = rows[2];

	for (unsigned j = 0; j <= m; j++)
		last[j] = j;
	for (unsigned i = 1; i <= n; i++) {
		unsigned *spare = before;

		now[0] = i;
		for (unsigned j = 1; j <= m; j++) {
			bool same = lower_case(a[i - 1]) == lower_case(b[j - 1]);
			unsigned d = last[j - 1] + !same;

			d = MIN(d, MIN(last[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && lower_case(a[i - 1]) == lower_case(b[j - 2]) &&
			    lower_case(a[i - 2]) == lower_case(b[j - 1]))
				d = MIN(d, before[j - 2] + 1);
			now[j] = d;
		}
		before = last;
		last = now;
		now = spare;
	}
	return last[m];
}

/* Place of needle in hay, case ignored; -1 when it is not in there. */
static int
place_in(const char *hay, unsigned m, const char *needle, unsigned n)
{
	for (unsigned at = 0; at + n <= m; at++) {
		unsigned i = 0;

		while (i < n && lower_case(hay[at + i]) == lower_case(needle[i]))
			i++;
		if (i == n)
			return (int)at;
	}
	return -1;
}

static bool
same_head(const char *typed, unsigned n, const char *name, unsigned m)
{
	unsigned head = 0;

	for (unsigned i = 0; i < n; i++)
		if (typed[i] == '.')
			head = i + 1;
	return head && head <= m && place_in(name, head, typed, head) == 0;
}

/* Lower is nearer. Four points for each edit, so that a bonus can sit between two distances. */
static unsigned
rank_name(const char *typed, unsigned n, const char *name)
{
	unsigned m = (unsigned)strnlen(name, MAX_LEN);
	unsigned d = edit_distance(typed, n, name, m);
	unsigned best = FAR;
	int place = n >= 2 ? place_in(name, m, typed, n) : -1;

	if (d <= MAX(n / 3, 1u))
		best = 4 * d;
	if (place == 0)
		best = MIN(best, 3u);
	else if (place > 0)
		best = MIN(best, 6u);
	if (best == FAR && same_head(typed, n, name, m))
		best = SAME_HEAD + 4 * d;
	return best;
}

/* A list may hold a name twice, as that of the keys does. */
static bool
is_listed(const char *name, const char *const *out, unsigned found)
{
	for (unsigned i = 0; i < found; i++)
		if (strcmp(out[i], name) == 0)
			return true;
	return false;
}

unsigned
near_names(const char *typed, const char *const *names, unsigned n, const char **out, unsigned max)
{
	unsigned scores[16];
	unsigned found = 0, len = (unsigned)strnlen(typed, MAX_LEN);

	max = MIN(max, (unsigned)ARRAY_LEN(scores));
	for (unsigned i = 0; i < n; i++) {
		unsigned s = names[i] ? rank_name(typed, len, names[i]) : FAR;
		unsigned at = found;

		if (s >= FAR || is_listed(names[i], out, found))
			continue;
		while (at > 0 && scores[at - 1] > s)
			at--;
		if (at >= max)
			continue;
		found = MIN(found + 1, max);
		for (unsigned j = found - 1; j > at; j--) {
			scores[j] = scores[j - 1];
			out[j] = out[j - 1];
		}
		scores[at] = s;
		out[at] = names[i];
	}
	return found;
}

struct hint
near_hint(const char *typed, const char *const *names, unsigned n, const char *otherwise)
{
	const char *near[3];
	unsigned found = near_names(typed, names, n, near, ARRAY_LEN(near));
	struct hint h;
	size_t used = 0;

	snprintf(h.text, sizeof(h.text), "%s", otherwise);
	for (unsigned i = 0; i < found && used < sizeof(h.text); i++)
		used += (size_t)snprintf(h.text + used, sizeof(h.text) - used, "%s%s%s",
					 i ? ", " : "; did you mean ", near[i],
					 i + 1 == found ? "?" : "");
	return h;
}
