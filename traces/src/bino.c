/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bino.c - host of bino.cu. Checked: all prices against the tree in doubles, within 1e-4 of the
 * larger of the price and 1.
 */
#include "workload.h"

#include <math.h>

#define OPTIONS 512
#define MAX_STEPS 1024

struct option {
	float price, strike, step, up, down;
};

static float
reference(const struct option *o, int steps)
{
	double level[MAX_STEPS + 1], at;
	int i, k;

	for (i = 0; i <= steps; i++) {
		at = o->price * exp((double)o->step * (2 * i - steps)) - (double)o->strike;
		level[i] = at > 0 ? at : 0;
	}
	for (k = steps; k > 0; k--)
		for (i = 0; i < k; i++)
			level[i] = (double)o->up * level[i + 1] + (double)o->down * level[i];
	return (float)level[0];
}

/* Cox, Ross, Rubinstein. */
static struct option
make_option(struct work *w, int steps)
{
	const double riskfree = 0.06, volatility = 0.1;
	struct option o = {.price = work_randf(w, 5, 30), .strike = work_randf(w, 1, 100)};
	double dt = (double)work_randf(w, 0.25f, 10) / steps, step = volatility * sqrt(dt);
	double p = (exp(riskfree * dt) - exp(-step)) / (exp(step) - exp(-step));

	o.step = (float)step;
	o.up = (float)(p * exp(-riskfree * dt));
	o.down = (float)((1 - p) * exp(-riskfree * dt));
	return o;
}

int
main(int argc, char **argv)
{
	struct work w;
	struct option options[OPTIONS] = {{0}};
	float got[OPTIONS], want[OPTIONS];
	int n, steps, i;
	CUdeviceptr d_value, d_buffer;

	work_open(&w, argc, argv, "bino");
	n = work_size(&w, 128, OPTIONS, OPTIONS, [WORK_TCS] = OPTIONS);
	steps = work_size(&w, 128, 256, MAX_STEPS, [WORK_TCS] = 768);
	for (i = 0; i < n; i++) {
		options[i] = make_option(&w, steps);
		want[i] = reference(&options[i], steps);
	}
	d_value = work_new(&w, sizeof(got));
	d_buffer = work_new(&w, (size_t)n * (size_t)(steps + 16) * 4);
	work_const(&w, "options", options, sizeof(options));
	work_launch(&w, "binomial", DIM((unsigned)n, 1), DIM(256, 1), &d_value, &d_buffer, &steps);
	work_get(&w, got, d_value, (size_t)n * 4);
	work_check_f32(&w, "price", got, want, (size_t)n, 1e-4, 1);
	return work_close(&w);
}
