/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stack.c - see stack.h. */
#include "tui/stack.h"

#include <math.h>

/* Returns the code that row y of h (from the top) has in a column; HEAT_NONE above the stack. */
static unsigned
stack_code(const struct stack *k, int x, int y, int h)
{
	double at = (h - y - 0.5) / h * k->cores, sum = 0;

	for (unsigned i = 0; i < k->kinds; i++) {
		double n = k->count[i * (size_t)k->w + (size_t)x];

		sum += isnan(n) ? 0 : n;
		if (at < sum)
			return k->code[i];
	}
	return HEAT_NONE;
}

void
stack_draw(const struct stack *k, struct canvas *area, const struct painter *p, int cursor)
{
	/* Two levels in one cell would merge to a third on a terminal that draws them as hues. */
	int parts = p->half && !p->hues ? 2 : 1, h = area->h * parts;

	for (int x = 0; x < MIN(k->w, area->w); x++)
		for (int y = 0; y < area->h; y++) {
			unsigned up = stack_code(k, x, parts * y, h),
				 low = stack_code(k, x, parts * y + parts - 1, h);

			if (up == HEAT_NONE && low == HEAT_NONE && x == cursor)
				canvas_put(area, x, y, ROLE_CURSOR, 0x2502);
			else if (up != HEAT_NONE || low != HEAT_NONE)
				canvas_heat(area, x, y, up, low, x == cursor);
		}
	if (k->most)
		canvas_digits(area, k->most);
}

void
stack_count(const struct sim *sim, const struct time_column *col, unsigned cores,
	    int (*kind_of)(const struct sim *sim, unsigned core, unsigned sample), double *count,
	    unsigned kinds, int w)
{
	struct column_sample k = {0};
	double all = 0;

	for (unsigned i = 0; i < kinds; i++)
		count[i * (size_t)w + (size_t)col->x] = 0;
	while (column_next_sample(sim, col, true, &k)) {
		all += k.weight;
		for (unsigned core = 0; core < cores; core++) {
			int kind = kind_of(sim, core, k.i);

			if (kind >= 0 && kind < (int)kinds)
				count[(size_t)kind * (size_t)w + (size_t)col->x] += k.weight;
		}
	}
	for (unsigned i = 0; i < kinds; i++) {
		double *n = &count[i * (size_t)w + (size_t)col->x];

		*n = all > 0 ? *n / all : (double)NAN;
	}
}
