/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ray - GPGPU-Sim RAY: ray tracing of spheres over a chequered plane, a thread per pixel, with
 * shadows and up to five reflections; how long a ray lives differs from pixel to pixel.
 *
 * Type C, divergent. CTAs of 16 x 8 threads: N = 6 on kayiran30, as in Kayiran et al., by 40
 * registers (.maxnreg 40: the benchmark's kernel is larger than this one, which needs about 28).
 *
 * Sizes: default 448 x 448 pixels, 1568 CTAs (8 waves), six spheres in constant memory; small 144 x
 * 144, large 1408 x 1408, short 256 x 256.
 */
#include "device.h"

#define SPHERES 6
#define BOUNCES 5
#define FAR 1e10f

struct vec3 {
	float x, y, z;
};

struct sphere {
	struct vec3 centre;
	float radius2;
	struct vec3 colour;
	float mirror;
};

CONSTANT struct sphere spheres[SPHERES];

DEVICE struct vec3
along(struct vec3 o, struct vec3 d, float t)
{
	return {o.x + d.x * t, o.y + d.y * t, o.z + d.z * t};
}

DEVICE float
dot(struct vec3 a, struct vec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

DEVICE struct vec3
unit(struct vec3 a)
{
	float s = rsqrt_approx(dot(a, a));

	return {a.x * s, a.y * s, a.z * s};
}

/* Distance to sphere i, FAR when it is missed. */
DEVICE float
hit_sphere(struct vec3 o, struct vec3 d, int i)
{
	struct vec3 c = along(spheres[i].centre, o, -1);
	float b = dot(c, d), disc = b * b - dot(c, c) + spheres[i].radius2, t;

	if (disc < 0)
		return FAR;
	t = b - sqrt_rn(disc);
	return t > 1e-3f ? t : FAR;
}

DEVICE bool
in_shadow(struct vec3 o, struct vec3 d)
{
	int i;

	NO_UNROLL
	for (i = 0; i < SPHERES; i++)
		if (hit_sphere(o, d, i) < FAR)
			return true;
	return false;
}

MAXNREG(ray, 40)
KERNEL(128) void
ray(u32 *image, int width, int height)
{
	int px = cta_x * 16 + tid_x, py = cta_y * 8 + tid_y, bounce, i, hit;
	struct vec3 o = {0, 1, -6}, d, n, c, light = unit({-0.5f, 1, -0.7f}), sum = {0, 0, 0};
	float weight = 1, t, nearest, mirror, lit, spec;

	d = unit({((float)px + 0.5f) / (float)width * 2.0f - 1.0f,
		  1.0f - ((float)py + 0.5f) / (float)height * 2.0f, 1.6f});
	NO_UNROLL
	for (bounce = 0; bounce < BOUNCES && weight > 0.02f; bounce++) {
		nearest = d.y < 0 ? div_approx(-1.0f - o.y, d.y) : FAR;
		hit = -1;
		NO_UNROLL
		for (i = 0; i < SPHERES; i++) {
			t = hit_sphere(o, d, i);
			if (t < nearest) {
				nearest = t;
				hit = i;
			}
		}
		if (nearest > 1000.0f) { /* sky */
			sum = along(sum, {0.5f, 0.7f, 1}, weight * (0.6f + 0.4f * d.y));
			break;
		}
		o = along(o, d, nearest);
		if (hit >= 0) {
			n = unit(along(o, spheres[hit].centre, -1));
			c = spheres[hit].colour;
			mirror = spheres[hit].mirror;
		} else {
			int odd = ((int)__builtin_floorf(o.x) ^ (int)__builtin_floorf(o.z)) & 1;

			n = {0, 1, 0};
			c = odd ? vec3{0.1f, 0.1f, 0.1f} : vec3{0.9f, 0.9f, 0.9f};
			mirror = 0.2f;
		}
		o = along(o, n, 2e-3f);
		d = along(d, n, -2 * dot(d, n));
		lit = max_f(dot(n, light), 0);
		spec = 0;
		if (lit > 0 && in_shadow(o, light)) {
			lit = 0;
		} else {
			spec = dot(d, light);
			spec = spec > 0.5f ? ex2_approx(32.0f * lg2_approx(spec)) : 0;
		}
		sum = along(sum, c, weight * (1 - mirror) * (0.2f + 0.8f * lit));
		sum = along(sum, {1, 1, 1}, weight * spec * 0.5f);
		weight *= mirror;
	}
	image[py * width + px] = (u32)(min_f(sum.x, 1) * 255) | (u32)(min_f(sum.y, 1) * 255) << 8 |
				 (u32)(min_f(sum.z, 1) * 255) << 16;
}
