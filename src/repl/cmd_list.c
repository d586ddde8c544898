/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_list.c - `list` and `info line`: the kernel with its warps, as source lines or as
 * instructions.
 *
 * A trace names a source file and line for each instruction, a recorded one those of the CUDA or
 * PTX text. The file is read when it is asked for, under the name the trace has, or under its last
 * part beside the trace, in the folder src there, or among the sources of the shipped workloads.
 * When it cannot be read, instructions are listed.
 */
#include "repl/session_part.h"

#include "base/datadir.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST_ROWS 20
#define LINE_WIDTH 200

struct listing {
	const struct trace_kernel *k;
	uint32_t *count; /* warps at each instruction */
	bool all;	 /* of all cores */
	bool insns;	 /* instructions are wanted */
	uint32_t file;	 /* a file was named, as in inst.file */
	bool has_range;
	uint64_t from, to;
};

/* ---------------------------------------------------------------- warps and places */

/* How many warps of cores from..to-1 stand at each instruction of kernel k; NULL: no memory. */
static uint32_t *
warps_at(struct session *s, const struct trace_kernel *k, unsigned from, unsigned to)
{
	uint32_t *count = calloc(k->n_inst + 1, sizeof(*count));

	for (unsigned c = from; count && c < to; c++) {
		for (unsigned w = 0; w < sim_warps(s->sim); w++) {
			struct warp_view v;

			sim_warp_view(s->sim, c, w, &v);
			if (v.status != WARP_FREE && v.next >= k->inst &&
			    v.next < k->inst + k->n_inst)
				count[v.next - k->inst]++;
		}
	}
	return count;
}

static const char *
last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const char *
file_name(const struct trace_kernel *k, uint32_t file)
{
	return file && file <= k->n_files ? k->files[file - 1] : "";
}

static void
source_place(const struct trace_kernel *k, const struct inst *i, char *buf, size_t size)
{
	buf[0] = '\0';
	if (i->line)
		snprintf(buf, size, "%s:%u", last_part(file_name(k, i->file)), i->line);
}

/* Opens a source file: where the trace says, beside the trace, in src beside the trace, or a
 * shipped one. */
static FILE *
open_source(struct session *s, const struct trace_kernel *k, uint32_t file)
{
	static const char *const folder[] = {"", "src/"};
	const char *name = file_name(k, file), *trace = sim_trace(s->sim)->path;
	char path[PATH_MAX];
	FILE *f = *name ? fopen(name, "r") : NULL;

	for (unsigned i = 0; !f && *name && trace && i < ARRAY_LEN(folder); i++)
		if ((size_t)snprintf(path, sizeof(path), "%.*s%s%s",
				     (int)(last_part(trace) - trace), trace, folder[i],
				     last_part(name)) < sizeof(path))
			f = fopen(path, "r");
	if (!f && *name && datadir_find("traces/src", last_part(name), path, sizeof(path)))
		f = fopen(path, "r");
	return f;
}

/* ---------------------------------------------------------------- arguments */

/* The file whose name ends in word; 0: none. */
static uint32_t
find_file(const struct trace_kernel *k, const char *word)
{
	for (uint32_t i = 1; i <= k->n_files; i++)
		if (strcmp(file_name(k, i), word) == 0 ||
		    strcmp(last_part(file_name(k, i)), last_part(word)) == 0)
			return i;
	return 0;
}

/* "FROM" or "FROM,TO" */
static int
read_numbers(char *word, struct listing *l)
{
	char *comma = strchr(word, ',');

	if (comma)
		*comma++ = '\0';
	if (number_count(word, &l->from) || (comma && number_count(comma, &l->to)))
		return -1;
	if (!comma)
		l->to = l->from + LIST_ROWS - 1;
	l->has_range = true;
	return 0;
}

/* all, insns, FROM[,TO], FILE:FROM[,TO], FILE */
static int
read_list(struct session *s, const char *args, struct listing *l)
{
	char word[512], shown[512], *colon;

	while (next_word(&args, word, sizeof(word))) {
		snprintf(shown, sizeof(shown), "%.60s", word);
		colon = strrchr(word, ':');
		if (strcmp(word, "all") == 0) {
			l->all = true;
		} else if (strcmp(word, "insns") == 0) {
			l->insns = true;
		} else if (colon) {
			*colon++ = '\0';
			l->file = find_file(l->k, word);
			if (!l->file || read_numbers(colon, l)) {
				fail(s,
				     l->file ? "list: expected a line after the file in '%s'"
					     : "list: no file '%s' in this kernel",
				     l->file ? shown : word);
				return -1;
			}
		} else if (read_numbers(word, l)) {
			l->file = find_file(l->k, shown);
			if (!l->file) {
				fail(s, "list: expected all, FROM or FROM,TO, found '%s'", shown);
				return -1;
			}
		}
	}
	return 0;
}

/* ---------------------------------------------------------------- instructions */

static enum session_status
list_insns(struct session *s, const struct listing *l)
{
	const struct trace_kernel *k = l->k;
	uint64_t from = s->list_file ? 0 : s->list_at, to;
	struct table t;

	if (from >= k->n_inst)
		from = 0;
	to = from + LIST_ROWS - 1;
	if (l->has_range) {
		from = l->from;
		to = l->to;
	}
	if (from >= k->n_inst || from > to)
		return fail(s, "list: kernel %s has instructions 0..%u", k->name, k->n_inst - 1);
	to = MIN(to, (uint64_t)k->n_inst - 1);
	table_begin(&t, ">num >warps >pc <instruction 1<source");
	for (uint64_t i = from; i <= to; i++) {
		char place[80];

		source_place(k, &k->inst[i], place, sizeof(place));
		table_u64(&t, i);
		table_text(&t, "%.0u", l->count[i]);
		table_text(&t, "%04x", k->inst[i].pc);
		table_text(&t, "%s", k->inst[i].text ? k->inst[i].text : "");
		table_text(&t, "%s", place);
	}
	table_end(s, &t);
	s->list_at = to + 1 < k->n_inst ? (uint32_t)to + 1 : 0;
	s->list_file = 0;
	return SESSION_OK;
}

/* ---------------------------------------------------------------- lines */

static uint64_t
warps_at_line(const struct listing *l, uint32_t file, uint64_t line)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < l->k->n_inst; i++)
		if (l->k->inst[i].line == line && l->k->inst[i].file == file)
			n += l->count[i];
	return n;
}

/* The instruction to list around: that of the warp in focus, else the one with most warps of those
 * that have a line, else the first with one. In the file named, if one was. NULL: there is none. */
static const struct inst *
place_now(struct session *s, const struct listing *l)
{
	const struct trace_kernel *k = l->k;
	const struct inst *best = NULL;
	struct warp_view v = {.next = NULL};

	if (s->warp < sim_warps(s->sim))
		sim_warp_view(s->sim, s->core, s->warp, &v);
	if (v.status != WARP_FREE && v.next >= k->inst && v.next < k->inst + k->n_inst &&
	    v.next->line && (!l->file || v.next->file == l->file))
		return v.next;
	for (uint32_t i = 0; i < k->n_inst; i++) {
		const struct inst *in = &k->inst[i];

		if (in->line && in->file && (!l->file || in->file == l->file) &&
		    (!best || l->count[i] > l->count[best - k->inst]))
			best = in;
	}
	return best;
}

/* The text of a line without its end, tabs as blanks up to the next multiple of 8; false at the
 * end. */
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

/* "3 warps elsewhere: math.h:12, ..." */
static void
say_elsewhere(struct session *s, const struct listing *l, uint32_t file, uint64_t from, uint64_t to)
{
	uint64_t n = 0, all = 0;
	char list[160] = "";

	for (uint32_t i = 0; i < l->k->n_inst; i++) {
		const struct inst *in = &l->k->inst[i];
		char place[80];

		if (!l->count[i] || (in->file == file && in->line >= from && in->line <= to))
			continue;
		all += l->count[i];
		source_place(l->k, in, place, sizeof(place));
		if (*place && !strstr(list, place) && n++ < 4)
			snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s",
				 *list ? ", " : ": ", place);
	}
	if (all)
		say(s, SAY_RESULT, "%" PRIu64 " warp%s elsewhere%s%s", all, PLURAL(all), list,
		    n > 4 ? ", ..." : "");
}

static enum session_status
show_lines(struct session *s, const struct listing *l, FILE *f, uint32_t file, uint64_t from,
	   uint64_t to, const struct inst *here)
{
	char text[LINE_WIDTH];
	uint64_t n = 0;
	struct table t;

	table_begin(&t, "<  >line >warps <source");
	while (n < to && read_line(f, text, sizeof(text))) {
		if (++n < from)
			continue;
		table_text(&t, "%s", here && here->file == file && here->line == n ? "=>" : "");
		table_u64(&t, n);
		table_text(&t, "%.0u", (unsigned)warps_at_line(l, file, n));
		table_text(&t, "%s", text);
	}
	s->list_at = n == to ? (uint32_t)to + 1 : 0;
	s->list_file = file;
	if (n < from) {
		table_end(s, &t);
		return fail(s, "list: %s has %" PRIu64 " lines", file_name(l->k, file), n);
	}
	say(s, SAY_RESULT, "%s", file_name(l->k, file));
	table_end(s, &t);
	say_elsewhere(s, l, file, from, to);
	return SESSION_OK;
}

static enum session_status
list_lines(struct session *s, struct listing *l)
{
	const struct inst *here = place_now(s, l);
	bool go_on = !l->has_range && !l->file && s->list_at && s->list_file;
	uint32_t file = l->file ? l->file : go_on ? s->list_file : here ? here->file : 0;
	enum session_status status;
	uint64_t from, to;
	FILE *f = open_source(s, l->k, file);

	if (!f && l->file)
		return fail(s, "list: cannot read %s", file_name(l->k, file));
	if (!f)
		return list_insns(s, l);
	from = l->has_range			    ? MAX(l->from, 1u)
	       : go_on				    ? s->list_at
	       : here && here->line > LIST_ROWS / 2 ? here->line - LIST_ROWS / 2
						    : 1;
	to = l->has_range ? l->to : from + LIST_ROWS - 1;
	status = from <= to && to < UINT32_MAX ? show_lines(s, l, f, file, from, to, here)
					       : fail(s, "list: expected FROM,TO with FROM <= TO");
	fclose(f);
	return status;
}

/* ---------------------------------------------------------------- commands */

enum session_status
cmd_list(struct session *s, struct cmd_args *a)
{
	unsigned started = sim_kernels_started(s->sim), cores = sim_instances(s->sim, "core");
	struct listing l = {0};
	enum session_status status;

	if (s->list_kernel != started)
		s->list_at = 0;
	s->list_kernel = started;
	l.k = sim_kernel(s->sim, started - 1);
	if (read_list(s, a->word[0], &l))
		return SESSION_ERROR;
	l.count = warps_at(s, l.k, l.all ? 0 : s->core, l.all ? cores : s->core + 1);
	if (!l.count)
		return fail_memory(s);
	status = l.insns ? list_insns(s, &l) : list_lines(s, &l);
	free(l.count);
	return status;
}

enum session_status
info_line(struct session *s, const char *args ATTR_UNUSED)
{
	unsigned started = sim_kernels_started(s->sim), shown = 0;
	const struct trace_kernel *k;
	uint32_t *count;
	struct table t;

	k = sim_kernel(s->sim, started - 1);
	count = warps_at(s, k, s->core, s->core + 1);
	if (!count)
		return fail_memory(s);
	table_begin(&t, "<source >warps");
	for (uint32_t i = 0; i < k->n_inst; i++) {
		char place[80];
		uint32_t sum = 0;

		if (!count[i])
			continue;
		source_place(k, &k->inst[i], place, sizeof(place));
		/* other instructions of the same line are counted with the first */
		for (uint32_t j = i; j < k->n_inst; j++) {
			if (k->inst[j].line != k->inst[i].line ||
			    k->inst[j].file != k->inst[i].file)
				continue;
			sum += count[j];
			count[j] = 0;
		}
		table_text(&t, "%s", *place ? place : "(line unknown)");
		table_u64(&t, sum);
		shown++;
	}
	free(count);
	if (!shown)
		say(s, SAY_RESULT, "no warp of core %u has an instruction to come", s->core);
	table_end(s, &t);
	return SESSION_OK;
}
