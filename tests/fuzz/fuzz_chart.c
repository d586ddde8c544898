/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_chart.c - any bytes as a table, drawn as a picture and as text. The first line holds the
 * options: x, y, group, condition and baseline with '\t' between them; an empty one is not given.
 *
 * Requirements: no crash, no unlimited memory, an error with a message for what is refused; a
 * picture is refused exactly when the text is.
 */
#define FUZZ_CORPUS "chart"
#define FUZZ_COVERS                                                                           \
	"src/plot/chart.c src/plot/chart_base.c src/plot/chart_draw.c src/plot/chart_plan.c " \
	"src/plot/chart_table.c src/plot/chart_text.c"
#include "tests/fuzz/replay.h"

#include "plot/plot.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { OPTION_X, OPTION_Y, OPTION_GROUP, OPTION_WHERE, OPTION_BASE, OPTIONS };

/* Cuts the first line into options; returns the bytes that it takes. */
static size_t
take_options(const uint8_t *data, size_t size, char *line, const char *option[OPTIONS])
{
	const uint8_t *eol = memchr(data, '\n', size);
	size_t n = eol ? (size_t)(eol - data) : size, len = n < 4000 ? n : 4000;
	char *at = line;

	memcpy(line, data, len);
	line[len] = '\0';
	for (unsigned i = 0; i < OPTIONS && at; i++) {
		char *tab = strchr(at, '\t');

		if (tab)
			*tab = '\0';
		option[i] = *at ? at : NULL;
		at = tab ? tab + 1 : NULL;
	}
	return eol ? n + 1 : size;
}

static int
draw_chart(const struct chart_job *j, bool as_text)
{
	struct err e = {0};
	char *out = NULL;
	size_t n;
	FILE *f = open_memstream(&out, &n);
	int rc = as_text ? plot_chart_text(j, f, 80, true, &e) : plot_chart_svg(j, f, &e);

	fclose(f);
	fuzz_check(rc == 0 ? n > 0 : e.set && e.msg[0]);
	free(out);
	return rc;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	const char *option[OPTIONS] = {NULL};
	char line[4001], path[64];
	size_t used = take_options(data, size, line, option);
	struct chart_job j = {.path = path,
			      .x = option[OPTION_X],
			      .y = option[OPTION_Y],
			      .group = option[OPTION_GROUP],
			      .where = &option[OPTION_WHERE],
			      .n_where = option[OPTION_WHERE] != NULL,
			      .normalize = option[OPTION_BASE]};

	if (fd < 0)
		fd = memfd_create("table", 0);
	fuzz_check(fd >= 0 && pwrite(fd, data + used, size - used, 0) == (ssize_t)(size - used) &&
		   ftruncate(fd, (off_t)(size - used)) == 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fuzz_check(draw_chart(&j, true) == draw_chart(&j, false));
	j.kind = CHART_BARS_ALWAYS;
	draw_chart(&j, false);
	return 0;
}
