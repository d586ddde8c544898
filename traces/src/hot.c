/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hot.c - host of hot.cu. Checked: the final temperatures against the same steps over the whole
 * grid, within 1e-5.
 */
#include "workload.h"

#include <math.h>
#include <string.h>

struct chip {
	float step_by_cap, rx_inv, ry_inv, rz_inv, ambient;
};

static void
reference(const struct chip *c, const float *power, const float *from, float *to, int side)
{
	int y, x, n, s, w, e, at;

	for (y = 0; y < side; y++)
		for (x = 0; x < side; x++) {
			at = y * side + x;
			n = y ? at - side : at;
			s = y < side - 1 ? at + side : at;
			w = x ? at - 1 : at;
			e = x < side - 1 ? at + 1 : at;
			to[at] = from[at] +
				 c->step_by_cap * (power[at] +
						   (from[s] + from[n] - 2 * from[at]) * c->ry_inv +
						   (from[e] + from[w] - 2 * from[at]) * c->rx_inv +
						   (c->ambient - from[at]) * c->rz_inv);
		}
}

/* The constants of the benchmark: a chip of 16 x 16 mm, 0.5 mm thick. */
static struct chip
make_chip(int side)
{
	float cell = 0.016f / (float)side, thick = 0.0005f, conductivity = 100, heat = 1.75e6f;
	float cap = 0.5f * heat * thick * cell * cell, rx = 1 / (2 * conductivity * thick);
	float rz = thick / (conductivity * cell * cell);
	float step = 0.001f / (3.0e6f / (0.5f * thick * heat));

	return (struct chip){step / cap, 1 / rx, 1 / rx, 1 / rz, 80};
}

int
main(int argc, char **argv)
{
	struct work w;
	int side, i, launch, launches;
	size_t n;
	float *power, *temp, *want, *tmp;
	struct chip c;
	CUdeviceptr d_power, d_from, d_to, d_tmp;
	unsigned ctas;

	work_open(&w, argc, argv, "hot");
	side = work_size(&w, 160, 512, 1616, [WORK_SHORT] = 256, [WORK_ONAC] = 2048);
	c = make_chip(side);
	n = (size_t)side * (size_t)side;
	power = work_host(&w, n * 4);
	temp = work_host(&w, n * 4);
	want = work_host(&w, n * 4);
	tmp = work_host(&w, n * 4);
	for (i = 0; i < side * side; i++) {
		power[i] = work_randf(&w, 0, 0.01f);
		temp[i] = work_randf(&w, 320, 345);
	}
	memcpy(want, temp, n * 4);
	d_power = work_put(&w, power, n * 4);
	d_from = work_put(&w, temp, n * 4);
	d_to = work_new(&w, n * 4);
	ctas = (unsigned)work_div_up(side, 12);
	launches = work_size(&w, 2, 2, 2, [WORK_SHORT] = 2, [WORK_ONAC] = 1);
	for (launch = 0; launch < launches; launch++) {
		work_launch(&w, "hotspot", DIM(ctas, ctas), DIM(16, 16), &d_power, &d_from, &d_to,
			    &side, &side, &c.step_by_cap, &c.rx_inv, &c.ry_inv, &c.rz_inv,
			    &c.ambient);
		reference(&c, power, want, tmp, side);
		reference(&c, power, tmp, want, side);
		d_tmp = d_from;
		d_from = d_to;
		d_to = d_tmp;
	}
	work_get(&w, temp, d_from, n * 4);
	work_check_f32(&w, "temperature", temp, want, n, 1e-5, 1);
	return work_close(&w);
}
