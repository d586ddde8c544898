/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iix.c - host of iix.cu: makes HTML, searches it with memmem. Checked, exactly: the number of
 * links and, for each, where its URL is, how long, the line, the hash.
 */
#define _GNU_SOURCE 1
#include "workload.h"

#include <stdio.h>
#include <string.h>

#define LONGEST 128

struct emitted {
	int url, bytes, line, hash;
};

static void
make_html(struct work *w, char *text, int *line, int n, uint32_t longest)
{
	int i, at = 0, room;

	for (i = 0; i < n; i++) {
		line[i] = at;
		room = at + 1 + (int)(work_below(w, longest) * work_below(w, longest) / longest);
		while (at < room) {
			if (work_below(w, 8) == 0) {
				uint32_t page = work_below(w, 9999), host = work_below(w, 50);

				at += sprintf(text + at, "<a href=\"http://host%u.net/%u.html\">",
					      host, page);
			} else {
				text[at++] = "aeinorst hf=<>."[work_below(w, 15)];
			}
		}
		text[at - 1] = '\n';
	}
	line[n] = at;
}

static int
reference(const char *text, const int *line, int n, struct emitted *out)
{
	const char *p, *q, *end;
	int i, links = 0;
	uint32_t hash;

	for (i = 0; i < n; i++) {
		end = text + line[i + 1];
		for (p = text + line[i]; (p = memmem(p, (size_t)(end - p), "a href=\"", 8));) {
			p += 8;
			if (p >= end) /* the line ends here */
				break;
			hash = 2166136261u;
			for (q = p; q < end && *q != '"'; q++)
				hash = (hash ^ (uint8_t)*q) * 16777619u;
			out[links++] =
				(struct emitted){(int)(p - text), (int)(q - p), i, (int)hash};
			p = q;
		}
	}
	return links;
}

/* Prefix sums of the CTAs' sums: again in CTAs of 256, whose own sums (1200 CTAs have five) are
 * added up here. Returns the sum of all. */
static int
scan_sums(struct work *w, CUdeviceptr d_sums, CUdeviceptr d_base, int n)
{
	int upper = work_div_up(n, 256), i, sum = 0, *top = work_host(w, (size_t)upper * 4);
	int *base = work_host(w, (size_t)n * 4);
	CUdeviceptr d_top = work_new(w, (size_t)upper * 4);

	work_launch(w, "scan", DIM((unsigned)upper, 1), DIM(256, 1), &d_sums, &d_base, &d_top, &n);
	work_get(w, base, d_base, (size_t)n * 4);
	work_get(w, top, d_top, (size_t)upper * 4);
	for (i = 0; i < n; i++) {
		base[i] += sum;
		if (i % 256 == 255)
			sum += top[i / 256];
	}
	work_set(w, d_base, base, (size_t)n * 4);
	return n % 256 ? sum + top[upper - 1] : sum;
}

int
main(int argc, char **argv)
{
	struct work w;
	int n, links, found, blocks, *line;
	struct emitted *got, *want;
	char *text;
	struct work_dim ctas, block = DIM(256, 1);
	CUdeviceptr d_text, d_line, d_count, d_place, d_sums, d_base, d_out;

	work_open(&w, argc, argv, "iix");
	n = work_size(&w, 24576, 245760, 2457600, [WORK_SHORT] = 25600);
	text = work_host(&w, (size_t)n * LONGEST);
	line = work_host(&w, (size_t)(n + 1) * 4);
	make_html(&w, text, line, n, (uint32_t)work_size(&w, 28, 28, 28, [WORK_SHORT] = 80));
	want = work_host(&w, (size_t)n * 8 * sizeof(*want));
	links = reference(text, line, n, want);
	got = work_host(&w, (size_t)links * sizeof(*got));
	blocks = work_div_up(n, 256);
	ctas = DIM((unsigned)blocks, 1);
	d_text = work_put(&w, text, (size_t)line[n]);
	d_line = work_put(&w, line, (size_t)(n + 1) * 4);
	d_count = work_new(&w, (size_t)n * 4);
	d_place = work_new(&w, (size_t)n * 4);
	d_sums = work_new(&w, (size_t)blocks * 4);
	d_base = work_new(&w, (size_t)blocks * 4);
	work_launch(&w, "map_count", ctas, block, &d_text, &d_line, &d_count, &n);
	work_launch(&w, "scan", ctas, block, &d_count, &d_place, &d_sums, &n);
	found = scan_sums(&w, d_sums, d_base, blocks);
	work_check_i32(&w, "links", &found, &links, 1);
	if (found != links)
		return work_close(&w);
	d_out = work_new(&w, (size_t)links * sizeof(*got));
	work_launch(&w, "map", ctas, block, &d_text, &d_line, &d_place, &d_base, &d_out, &n);
	work_get(&w, got, d_out, (size_t)links * sizeof(*got));
	work_check_i32(&w, "emitted", (int *)got, (int *)want, (size_t)links * 4);
	return work_close(&w);
}
