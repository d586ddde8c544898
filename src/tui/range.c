/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * range.c - the command `range`: sets the values at the ends of a pane's colours or of its y axis.
 * The range belongs to the view: the same pane with another argument has its own.
 */
#include "base/number.h"
#include "base/words.h"
#include "tui/screen_part.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP 1.5 /* `range up` and `range down` multiply and divide the upper end by this */

static void
notice_range(struct screen *s, const struct pane_view *v)
{
	const struct view_range *r = &v->range;

	if (r->how == RANGE_AUTO)
		screen_notice(s, "range of %s: all values", v->ops->name);
	else if (r->how == RANGE_PERCENTILE)
		screen_notice(s, "range of %s: all but %g %% of the values at either end",
			      v->ops->name, r->percent);
	else
		screen_notice(s, "range of %s: %.6g to %.6g", v->ops->name, r->lo, r->hi);
}

/* Returns the view to change: the active one if it has a range, else the one in front. */
static struct pane_view *
view_with_range(struct screen *s, struct err *e)
{
	struct pane_view *v = s->pane->shown.lo < s->pane->shown.hi ? s->pane : s->front;

	if (v->shown.lo < v->shown.hi)
		return v;
	err_set(e, "range: pane %s has none; Tab chooses one with a legend of numbers",
		v->ops->name);
	return NULL;
}

static int
refuse_range(const char *arg, struct err *e)
{
	return err_set(
		e,
		"range: expected auto, next, up, down, PERCENT%% below 50, or LOW HIGH; found "
		"'%s'",
		arg);
}

/* Parses one number and moves past it. */
static bool
parse_number(const char **at, double *v)
{
	char *end;

	*v = strtod(*at, &end);
	if (end == *at || !isfinite(*v))
		return false;
	*at = end;
	return true;
}

static int
parse_range(struct view_range *r, const char *arg, struct err *e)
{
	const char *at = arg;
	struct view_range to = {0};

	if (!parse_number(&at, &to.lo))
		return refuse_range(arg, e);
	if (strcmp(skip_blanks(at), "%") == 0) {
		to.how = RANGE_PERCENTILE;
		to.percent = to.lo;
		if (!(to.percent > 0 && to.percent < 50))
			return refuse_range(arg, e);
	} else {
		to.how = RANGE_FIXED;
		if (!parse_number(&at, &to.hi) || *skip_blanks(at))
			return refuse_range(arg, e);
		if (!(to.lo < to.hi))
			return err_set(e, "range: %g is not below %g: the range is empty", to.lo,
				       to.hi);
	}
	*r = to;
	return 0;
}

/* Cycles through automatic, without the outermost values, and without more of them. */
static struct view_range
next_range(const struct view_range *r)
{
	if (r->how == RANGE_AUTO)
		return (struct view_range){.how = RANGE_PERCENTILE, .percent = 2};
	if (r->how == RANGE_PERCENTILE && r->percent < 10)
		return (struct view_range){.how = RANGE_PERCENTILE, .percent = 10};
	return (struct view_range){.how = RANGE_AUTO};
}

int
screen_do_range(struct screen *s, const char *arg, struct err *e)
{
	struct pane_view *v = view_with_range(s, e);
	struct view_range r;

	if (!v)
		return -1;
	r = v->range;
	if (!*arg || strcmp(arg, "auto") == 0) {
		r = (struct view_range){.how = RANGE_AUTO};
	} else if (strcmp(arg, "next") == 0) {
		r = next_range(&r);
	} else if (strcmp(arg, "up") == 0 || strcmp(arg, "down") == 0) {
		double span = v->shown.hi - v->shown.lo;
		r = (struct view_range){.how = RANGE_FIXED, .lo = v->shown.lo};
		r.hi = r.lo + (arg[0] == 'u' ? span * STEP : span / STEP);
	} else if (parse_range(&r, arg, e) < 0) {
		return -1;
	}
	v->range = r;
	v->heat.ranged = 0; /* restart an automatic range */
	v->heat.most = v->heat.least = 0;
	notice_range(s, v);
	return 0;
}
