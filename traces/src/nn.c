/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nn.c - host of nn.cu. Images and weights are random (the weights scaled so that no layer
 * saturates). Checked: each layer's outputs against the network in doubles, within 1e-4.
 */
#include "workload.h"

#include <math.h>

/* Outputs of maps from n_in maps of side x side, 5 x 5 filters with stride 2. */
static void
convolve(const float *in, int n_in, int side, const float *weight, int maps, float *out)
{
	int half = (side - 3) / 2, m, k, x, y, i;

	for (m = 0; m < maps; m++, weight += 1 + n_in * 25)
		for (y = 0; y < half; y++)
			for (x = 0; x < half; x++) {
				double sum = weight[0];

				for (k = 0; k < n_in; k++)
					for (i = 0; i < 25; i++)
						sum += (double)weight[1 + k * 25 + i] *
						       in[(k * side + 2 * y + i / 5) * side +
							  2 * x + i % 5];
				*out++ = (float)(1.7159 * tanh(2.0 / 3 * sum));
			}
}

static void
connect(const float *in, int n, const float *weight, int neurons, float *out)
{
	int m, i;

	for (m = 0; m < neurons; m++, weight += 1 + n) {
		double sum = weight[0];

		for (i = 0; i < n; i++)
			sum += (double)weight[1 + i] * in[i];
		out[m] = (float)(1.7159 * tanh(2.0 / 3 * sum));
	}
}

static const int width[5] = {29 * 29, 6 * 169, 1250, 100, 10};
static const int weights[5] = {0, 6 * 26, 50 * 151, 100 * 1251, 10 * 101};

int
main(int argc, char **argv)
{
	static const char *const name[5] = {"", "layer_1", "layer_2", "layer_3", "layer_4"};
	static const struct work_dim block[5] = {
		{1, 1, 1}, {13, 13, 1}, {5, 5, 1}, {1, 1, 1}, {1, 1, 1}};
	static const unsigned ctas[5] = {0, 6, 50, 100, 10};
	struct work w;
	int digits, layer, i;
	float *value[5], *weight[5], *got;
	CUdeviceptr d_in, d_weight, d_out;

	work_open(&w, argc, argv, "nn");
	digits = work_size(&w, 2, 20, 200, [WORK_SHORT] = 3, [WORK_CLASO] = 3);
	for (layer = 0; layer < 5; layer++) {
		value[layer] = work_host(&w, (size_t)(digits * width[layer]) * 4);
		weight[layer] = work_host(&w, (size_t)weights[layer] * 4);
	}
	got = work_host(&w, (size_t)(digits * 1250) * 4);
	for (i = 0; i < digits * width[0]; i++)
		value[0][i] = work_randf(&w, -1, 1);
	d_in = work_put(&w, value[0], (size_t)(digits * width[0]) * 4);
	for (layer = 1; layer < 5; layer++) {
		float scale = layer == 3 ? 0.05f : layer == 1 ? 0.3f : 0.15f;

		for (i = 0; i < weights[layer]; i++)
			weight[layer][i] = work_randf(&w, -scale, scale);
		for (i = 0; i < digits; i++) {
			const float *in = value[layer - 1] + i * width[layer - 1];
			float *out = value[layer] + i * width[layer];

			if (layer < 3)
				convolve(in, layer == 1 ? 1 : 6, layer == 1 ? 29 : 13,
					 weight[layer], layer == 1 ? 6 : 50, out);
			else
				connect(in, width[layer - 1], weight[layer], width[layer], out);
		}
		d_weight = work_put(&w, weight[layer], (size_t)weights[layer] * 4);
		d_out = work_new(&w, (size_t)(digits * width[layer]) * 4);
		work_launch(&w, name[layer], DIM(ctas[layer], (unsigned)digits), block[layer],
			    &d_in, &d_weight, &d_out);
		work_get(&w, got, d_out, (size_t)(digits * width[layer]) * 4);
		work_check_f32(&w, name[layer], got, value[layer], (size_t)(digits * width[layer]),
			       1e-4, 1);
		d_in = d_out;
	}
	return work_close(&w);
}
