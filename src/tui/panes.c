/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panes.c - the table of panes, made from the list in src/tui/module.am, and the bar that panes
 * share. */
#include "tui/panes.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PANE(name) extern const struct pane_ops pane_##name;
#define PAGE_PANE PANE
#include "tui/panes.def"

#define PANE(name) &pane_##name,
#define PAGE_PANE PANE
const struct pane_ops *const pane_table[] = {
#include "tui/panes.def"
	NULL};

unsigned
pane_count(void)
{
	unsigned n = 0;

	while (pane_table[n])
		n++;
	return n;
}

bool
pane_is_of(const struct pane_ops *pane, enum key_when when)
{
	return (pane->when ? pane->when : WHEN_ALWAYS) & when;
}

bool
pane_is_strip(const struct pane_ops *p)
{
	return p->kind == PANE_STRIP && !p->when;
}

const char *
class_short_name(unsigned cls)
{
	static const char *const names[CC_CLASSES] = {
		[CC_ACTIVE] = "active", [CC_STALL] = "stall",	    [CC_BLOCKED] = "block",
		[CC_MEMORY] = "memory", [CC_DEPENDENCE] = "depend", [CC_IDLE] = "idle",
		[CC_GATED] = "gated"};

	return names[cls];
}

static int
bar_column(double v, double max, int w)
{
	double x = max > 0 ? v / max * w : 0;

	return x <= 0 ? 0 : x >= w ? w : (int)(x + 0.5);
}

enum role
gauge_role(double value, double low, double high, bool above, uint32_t *glyph)
{
	const uint32_t of_band[HEAT_BANDS] = {'<', '=', above ? '>' : 0x2265};
	bool equal = above && value >= high && value <= high; /* not beyond the threshold yet */
	unsigned band = heat_band(equal ? nextafter(high, -INFINITY) : value, low, high, 0);

	*glyph = ' ';
	if (isnan(value) || (isnan(low) && isnan(high)))
		return ROLE_VALUE;
	band = (band - HEAT_BAND) / HEAT_BAND_STEPS;
	*glyph = equal ? '=' : of_band[band];
	return band_role(band);
}

/* A bar with marks at thresholds; in_bands: its parts have the colours of their bands. */
static void
draw_parts(struct canvas *c, int x, int y, int w, double value, double max, double t1, double t2,
	   bool in_bands)
{
	int fill = isnan(value) ? 0 : bar_column(value, max, w);
	int mark[2] = {isnan(t1) ? -1 : bar_column(t1, max, w),
		       isnan(t2) ? -1 : bar_column(t2, max, w)};
	int first = MIN(mark[0] < 0 ? w : mark[0], mark[1] < 0 ? w : mark[1]),
	    last = MAX(mark[0], mark[1]);

	if (fill == 0 && value > 0)
		fill = 1; /* a value above 0 fills at least one column */
	for (int i = 0; i < w; i++) {
		enum role role = !in_bands || last < 0 ? ROLE_BAR
				 : i < first	       ? ROLE_BELOW
				 : i < last	       ? ROLE_BETWEEN
						       : ROLE_ABOVE;

		if (i == mark[0] || i == mark[1])
			canvas_put(c, x + i, y, ROLE_THRESHOLD, 0x2502);
		else if (i < fill)
			canvas_put(c, x + i, y, role, 0x2587);
		else
			canvas_put(c, x + i, y, ROLE_FRAME, 0xb7);
	}
}

void
draw_bar(struct canvas *c, int x, int y, int w, double value, double max, double t1, double t2)
{
	draw_parts(c, x, y, w, value, max, t1, t2, false);
}

void
draw_gauge_bar(struct canvas *c, int x, int y, int w, double value, double max, double low,
	       double high)
{
	draw_parts(c, x, y, w, value, max, low, high, true);
}

#define LIMITER_FORMS 5

/* Writes the limiters in one of the forms, each shorter than the one before: "by shared memory,
 * slots", "by shmem, slots", "shmem, slots", "by 2 limits", "2 limits". */
static void
format_limiters(const char *const *name, unsigned n, unsigned form, char *text, size_t size)
{
	size_t used = 0;

	if (n > 1 && form >= 3) {
		snprintf(text, size, "%s%u limits", form == 3 ? "by " : "", n);
		return;
	}
	for (unsigned i = 0; i < n; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s",
					 i	    ? ", "
					 : form < 2 ? "by "
						    : "",
					 form && strcmp(name[i], "shared memory") == 0 ? "shmem"
										       : name[i]);
}

int
draw_limiters(struct canvas *c, int x, int y, int w, const struct sim *sim, unsigned kernel)
{
	const char *name[OCCUPANCY_LIMITERS];
	unsigned n = sim_occupancy_limiters(sim, kernel, name);
	char text[80];

	for (unsigned form = 0; n && form < LIMITER_FORMS; form++) {
		format_limiters(name, n, form, text, sizeof(text));
		if (text_width(text) <= w)
			return canvas_text(c, x, y, ROLE_DIM, text);
	}
	return 0;
}
