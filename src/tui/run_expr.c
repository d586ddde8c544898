/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_expr.c - compiles expressions over the series of the current run; see run_expr.h. */
#include "tui/run_expr.h"
#include "tui/heat.h"
#include "tui/screen.h"
#include <stdio.h>
#include <string.h>

/* The machine that the screen shows may be another one in each frame. */
static double
read_value(const void *ctx, enum overtime_group g, unsigned field, unsigned k, unsigned sample)
{
	return overtime_sim_value(screen_sim(ctx), g, field, k, sample);
}

static double
read_weight(const void *ctx, enum overtime_group g, unsigned field, unsigned k, unsigned sample)
{
	return overtime_sim_weight(screen_sim(ctx), g, field, k, sample);
}

static unsigned
count_instances(const void *ctx)
{
	return series_count(screen_sim(ctx));
}

static cycle_t
get_sample_end(const void *ctx, unsigned sample)
{
	return series_end(screen_sim(ctx), sample);
}

static cycle_t
get_sample_span(const void *ctx, unsigned sample)
{
	return series_span(screen_sim(ctx), sample);
}

static uint32_t
get_sample_kernel(const void *ctx, unsigned sample)
{
	return series_kernel(screen_sim(ctx), sample);
}

static int
compile_expr(struct run_expr *r, const struct screen *s, struct err *e)
{
	struct overtime_source from = {.ctx = s,
				       .value = read_value,
				       .count = count_instances,
				       .end = get_sample_end,
				       .span = get_sample_span,
				       .kernel = get_sample_kernel,
				       .weight = read_weight};

	r->cores = from.instances[OVERTIME_CORE] = heat_rows_of(s, HEAT_CORES);
	r->channels = from.instances[OVERTIME_MEM] = heat_rows_of(s, HEAT_CHANNELS);
	from.instances[OVERTIME_GPU] = 1;
	overtime_free(r->x);
	r->x = overtime_new_from(&from, r->text, e);
	return r->x ? 0 : -1;
}

int
run_expr_open(struct run_expr *r, const struct screen *s, const char *text, struct err *e)
{
	*r = (struct run_expr){0};
	if (snprintf(r->text, sizeof(r->text), "%s", text) >= (int)sizeof(r->text))
		return err_set(e, "the expression is longer than %d characters", RUN_EXPR_TEXT - 1);
	return compile_expr(r, s, e);
}

void
run_expr_close(struct run_expr *r)
{
	overtime_free(r->x);
	r->x = NULL;
}

int
run_expr_check(struct run_expr *r, const struct screen *s, struct err *e)
{
	if (r->x && r->cores == heat_rows_of(s, HEAT_CORES) &&
	    r->channels == heat_rows_of(s, HEAT_CHANNELS))
		return 0;
	return compile_expr(r, s, e);
}

struct words {
	void (*fn)(void *to, const char *add_word);
	void *to;
	bool star;
};

static void
add_word(void *ctx, const char *path, const char *unit ATTR_UNUSED, const char *help ATTR_UNUSED)
{
	const struct words *w = ctx;
	const char *star = strstr(path, "*.");
	char text[64];

	if (star && !w->star)
		snprintf(text, sizeof(text), "%.*s%s", (int)(star - path), path, star + 2);
	else
		snprintf(text, sizeof(text), "%s", path);
	if (star || w->star)
		w->fn(w->to, text);
}

/* Without a star it lists only series that have one value per core or channel. */
void
run_expr_words(bool star, void (*fn)(void *to, const char *add_word), void *to)
{
	overtime_each_name(add_word, &(struct words){fn, to, star});
}
