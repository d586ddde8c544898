/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ray.c - host of ray.cu. Checked: each channel of each pixel against the same tracing in doubles,
 * within 3 of 255. A ray that grazes an edge may take another way when rounded differently: up to 1
 * % of the pixels may differ by more.
 */
#include "workload.h"

#include <math.h>
#include <stdlib.h>

#define SPHERES 6
#define FAR 1e10

struct sphere {
	float centre[3], radius2, colour[3], mirror;
};

static double
dot(const double *a, const double *b)
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void
add(double *a, const double *b, double t)
{
	int k;

	for (k = 0; k < 3; k++)
		a[k] += b[k] * t;
}

static void
make_unit(double *a)
{
	add(a, a, 1 / sqrt(dot(a, a)) - 1);
}

static double
hit_sphere(const struct sphere *s, const double *o, const double *d)
{
	double c[3] = {s->centre[0] - o[0], s->centre[1] - o[1], s->centre[2] - o[2]}, b, disc, t;

	b = dot(c, d);
	disc = b * b - dot(c, c) + (double)s->radius2;
	if (disc < 0)
		return FAR;
	t = b - sqrt(disc);
	return t > 1e-3 ? t : FAR;
}

/* What the ray hits: fills in normal, colour and mirror; moves o there; false: the sky. */
static bool
trace(const struct sphere *s, double *o, const double *d, double *n, double *c, double *mirror)
{
	double nearest = d[1] < 0 ? (-1 - o[1]) / d[1] : FAR, t;
	int i, k, hit = -1;

	for (i = 0; i < SPHERES; i++) {
		t = hit_sphere(&s[i], o, d);
		if (t < nearest) {
			nearest = t;
			hit = i;
		}
	}
	if (nearest > 1000)
		return false;
	add(o, d, nearest);
	for (k = 0; k < 3; k++) {
		n[k] = hit >= 0 ? o[k] - (double)s[hit].centre[k] : k == 1;
		c[k] = hit >= 0					   ? s[hit].colour[k]
		       : ((int)floor(o[0]) ^ (int)floor(o[2])) & 1 ? 0.1
								   : 0.9;
	}
	make_unit(n);
	*mirror = hit >= 0 ? s[hit].mirror : 0.2f;
	return true;
}

static void
pixel(const struct sphere *s, double x, double y, int *out)
{
	static const double sky[3] = {0.5, 0.7, 1}, white[3] = {1, 1, 1};
	double o[3] = {0, 1, -6}, d[3] = {x, y, 1.6}, light[3] = {-0.5, 1, -0.7}, sum[3] = {0};
	double n[3], c[3], mirror, weight = 1, lit, spec;
	int bounce, i;

	make_unit(d);
	make_unit(light);
	for (bounce = 0; bounce < 5 && weight > 0.02; bounce++) {
		if (!trace(s, o, d, n, c, &mirror)) {
			add(sum, sky, weight * (0.6 + 0.4 * d[1]));
			break;
		}
		add(o, n, 2e-3);
		add(d, n, -2 * dot(d, n));
		lit = fmax(dot(n, light), 0);
		for (i = 0; lit > 0 && i < SPHERES; i++)
			if (hit_sphere(&s[i], o, light) < FAR)
				lit = -1;
		spec = lit < 0 ? 0 : dot(d, light);
		spec = spec > 0.5 ? pow(spec, 32) : 0;
		add(sum, c, weight * (1 - mirror) * (0.2 + 0.8 * fmax(lit, 0)));
		add(sum, white, weight * spec * 0.5);
		weight *= mirror;
	}
	for (i = 0; i < 3; i++)
		out[i] = (int)(fmin(sum[i], 1) * 255);
}

int
main(int argc, char **argv)
{
	static const struct sphere spheres[SPHERES] = {
		{{0, 0, 0}, 1, {0.9f, 0.2f, 0.2f}, 0.4f},
		{{-1.9f, -0.3f, 0.6f}, 0.49f, {0.2f, 0.8f, 0.3f}, 0.5f},
		{{1.8f, -0.2f, 0.4f}, 0.64f, {0.2f, 0.3f, 0.9f}, 0.5f},
		{{-0.7f, -0.6f, -1.6f}, 0.16f, {0.9f, 0.8f, 0.1f}, 0.3f},
		{{0.9f, -0.65f, -1.5f}, 0.1225f, {0.8f, 0.3f, 0.8f}, 0.3f},
		{{0.3f, 1.9f, 1.5f}, 0.81f, {0.95f, 0.95f, 0.95f}, 0.8f},
	};
	struct work w;
	int side, x, y, k, pixels, outliers, want[3];
	uint32_t *image;
	float *a, *b;
	CUdeviceptr d_image;

	work_open(&w, argc, argv, "ray");
	side = work_size(&w, 144, 448, 1408, [WORK_SHORT] = 256);
	pixels = side * side;
	image = work_host(&w, (size_t)pixels * 4);
	a = work_host(&w, (size_t)pixels * 12);
	b = work_host(&w, (size_t)pixels * 12);
	work_const(&w, "spheres", spheres, sizeof(spheres));
	d_image = work_new(&w, (size_t)pixels * 4);
	work_launch(&w, "ray", DIM((unsigned)side / 16, (unsigned)side / 8), DIM(16, 8), &d_image,
		    &side, &side);
	work_get(&w, image, d_image, (size_t)pixels * 4);
	outliers = pixels / 100;
	for (y = 0; y < side; y++)
		for (x = 0; x < side; x++) {
			bool outlier = false;
			int at = y * side + x;

			pixel(spheres, (x + 0.5) / side * 2 - 1, 1 - (y + 0.5) / side * 2, want);
			for (k = 0; k < 3; k++) {
				a[3 * at + k] = (float)(image[at] >> 8 * k & 255);
				b[3 * at + k] = (float)want[k];
				outlier |= abs((int)(image[at] >> 8 * k & 255) - want[k]) > 3;
			}
			if (outlier && outliers-- > 0)
				for (k = 0; k < 3; k++)
					a[3 * at + k] = b[3 * at + k];
		}
	work_check_f32(&w, "channel", a, b, (size_t)pixels * 3, 3.0 / 255, 255);
	return work_close(&w);
}
