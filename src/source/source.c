/* SPDX-License-Identifier: GPL-3.0-or-later */
/* source.c - the source files of a kernel (source.h). */
#include "source/source.h"
#include "base/memory.h"
#include "base/datadir.h"
#include "base/textfile.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_WIDTH 200 /* a longer line is cut */
#define MOST_LINES 100000

static const char *
last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *
source_file(const struct trace_kernel *k, uint32_t file)
{
	return file && file <= k->n_files ? k->files[file - 1] : "";
}

uint32_t
source_find(const struct trace_kernel *k, const char *name)
{
	for (uint32_t i = 1; i <= k->n_files; i++)
		if (strcmp(source_file(k, i), name) == 0 ||
		    strcmp(last_part(source_file(k, i)), last_part(name)) == 0)
			return i;
	return 0;
}

bool
source_is_ptx(const struct trace_kernel *k)
{
	for (uint32_t i = 1; i <= k->n_files; i++) {
		const char *dot = strrchr(source_file(k, i), '.');

		if (!dot || strcmp(dot, ".ptx") != 0)
			return false;
	}
	return k->n_files > 0;
}

void
source_place(const struct trace_kernel *k, const struct inst *i, char *buf, size_t size)
{
	buf[0] = '\0';
	if (i->line)
		snprintf(buf, size, "%s:%u", last_part(source_file(k, i->file)), i->line);
}

static FILE *
open_file(const struct sim *s, const struct trace_kernel *k, uint32_t file)
{
	static const char *const folder[] = {"", "src/"};
	const char *name = source_file(k, file), *trace = sim_trace(s)->path;
	char path[PATH_MAX];
	FILE *f = *name ? text_open_regular(name, TEXT_MOST_MADE) : NULL;

	for (unsigned i = 0; !f && *name && trace && i < ARRAY_LEN(folder); i++)
		if ((size_t)snprintf(path, sizeof(path), "%.*s%s%s",
				     (int)(last_part(trace) - trace), trace, folder[i],
				     last_part(name)) < sizeof(path))
			f = text_open_regular(path, TEXT_MOST_MADE);
	if (!f && *name && datadir_find("traces/src", last_part(name), path, sizeof(path)))
		f = text_open_regular(path, TEXT_MOST_MADE);
	return f;
}

/* Returns false at the end of the file. */
static bool
read_line(FILE *f, char *buf, size_t size)
{
	size_t n = 0;
	int c = getc(f);

	if (c == EOF)
		return false;
	for (; c != EOF && c != '\n'; c = getc(f)) {
		if (c == '\t') {
			do
				if (n + 1 < size)
					buf[n++] = ' ';
			while (n % 8 && n + 1 < size);
		} else if (c >= ' ' && n + 1 < size) {
			buf[n++] = (char)c;
		}
	}
	buf[n] = '\0';
	return true;
}

struct source *
source_read(const struct sim *s, const struct trace_kernel *k, uint32_t file)
{
	FILE *f = open_file(s, k, file);
	struct source *to;
	char text[LINE_WIDTH];

	if (!f)
		return NULL;
	to = memory_new(1, sizeof(*to));
	while (to->n < MOST_LINES && read_line(f, text, sizeof(text))) {
		to->line = array_grow(to->line, to->n, sizeof(*to->line));
		to->line[to->n++] = memory_text(text, strlen(text));
	}
	fclose(f);
	return to;
}

void
source_free(struct source *f)
{
	for (unsigned i = 0; f && i < f->n; i++)
		free((char *)(uintptr_t)f->line[i]);
	if (f)
		free(f->line);
	free(f);
}

uint32_t *
source_warps(const struct sim *s, const struct trace_kernel *k, unsigned from, unsigned to)
{
	uint32_t *count = memory_new(k->n_inst, sizeof(*count));

	for (unsigned c = from; c < to; c++) {
		for (unsigned w = 0; w < sim_warps(s); w++) {
			struct warp_view v;

			sim_warp_view(s, c, w, &v);
			if (v.status != WARP_FREE && v.next >= k->inst &&
			    v.next < k->inst + k->n_inst)
				count[v.next - k->inst]++;
		}
	}
	return count;
}
