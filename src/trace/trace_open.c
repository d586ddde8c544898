/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace_open.c - opens traces. It recognizes the three kinds of file by content. It reads a
 * kernelslist.g or .traceg whole, into encoded CTAs in memory; of a .ctr it reads only the tables.
 */
#include "trace/trace.h"
#include "trace/trace_obj.h"
#include "trace/traceg.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const suffixes[] = {"", ".xz", ".gz", ".zst"};

/* Finds the file that a line of the list names, in the list's directory, compressed or not. */
static int
find_kernel_file(const struct in *list, const struct list_entry *le, struct strbuf *path,
		 struct err *e)
{
	const char *slash = strrchr(in_name(list), '/');
	size_t dir = slash && le->name[0] != '/' ? (size_t)(slash - in_name(list)) + 1 : 0, i, n;

	sb_clear(path);
	sb_add(path, in_name(list), dir);
	sb_str(path, le->name);
	n = path->n;
	for (i = 0; i < ARRAY_LEN(suffixes) && !path->failed; i++) {
		path->n = n;
		sb_str(path, suffixes[i]);
		if (!path->failed && access(path->p, F_OK) == 0)
			return 0;
	}
	if (path->failed)
		return err_nomem(e);
	return err_at(e, in_name(list), le->line, le->name, 0, (int)strlen(le->name),
		      "cannot find the kernel's file '%.*s' (nor with .xz, .gz or .zst)", (int)n,
		      path->p);
}

/* The file name without directory and compression suffix, for writing the kernel back. A .trace is
 * sorted by then, and so a .traceg. */
static char *
plain_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *from = slash ? slash + 1 : path;
	char *name = malloc(strlen(from) + 2);
	size_t n, i;

	if (name)
		memcpy(name, from, strlen(from) + 1);
	for (i = 1; name && i < ARRAY_LEN(suffixes); i++) {
		n = strlen(name);
		if (n > strlen(suffixes[i]) &&
		    strcmp(name + n - strlen(suffixes[i]), suffixes[i]) == 0)
			name[n - strlen(suffixes[i])] = '\0';
	}
	n = name ? strlen(name) : 0;
	if (n > 6 && strcmp(name + n - 6, ".trace") == 0)
		memcpy(name + n, "g", 2);
	return name;
}

static int
read_kernel(struct trace *t, struct in *in, const char *name, struct ctabuf *b, struct err *e)
{
	struct kern *k = traceg_read(in, &t->codec, b, e);

	if (!k)
		return -1;
	k->file = name ? plain_name(name) : NULL;
	if (name && !k->file) {
		kern_free(k);
		return err_nomem(e);
	}
	return trace_add_kernel(t, k, e);
}

/* Adds a command other than a kernel. */
static int
add_command(struct trace *t, const struct in *in, const struct list_entry *le, struct err *e)
{
	struct err why = {0};

	if (trace_add_order(t, &le->cmd, &why) == 0)
		return 0;
	return why.kind == ERR_MEMORY ? err_nomem(e)
				      : err_at(e, in_name(in), le->line, NULL, 0, 1, "%s", why.msg);
}

static int
read_list(struct trace *t, struct in *in, struct ctabuf *b, const struct trace_watch *watch,
	  struct err *e)
{
	struct strbuf path = {0};
	struct list l = {0};
	struct in *kernel;
	uint32_t i;
	int r = list_read(in, &l, e);

	for (i = 0; i < l.n && r == 0; i++) {
		if (l.entry[i].cmd.kind != TRACE_KERNEL) {
			r = add_command(t, in, &l.entry[i], e);
			continue;
		}
		r = find_kernel_file(in, &l.entry[i], &path, e);
		kernel = r ? NULL : in_open(path.p, e);
		if (kernel)
			in_watch(kernel, watch);
		r = kernel ? read_kernel(t, kernel, l.entry[i].name, b, e) : -1;
		in_close(kernel);
	}
	if (r == 0 && t->n_kern == 0)
		r = err_at(e, in_name(in), in_number(in), NULL, 0, 1, "the list names no kernel");
	list_free(&l);
	sb_free(&path);
	return r;
}

/* 1: the text begins like a kernel's header, a line with '-'; 0: like a list; -1: neither. */
static int
is_kernel(struct in *in, struct err *e)
{
	const char *p, *end;
	long n = in_peek(in, &p, 4096, e);

	if (n < 0)
		return -1;
	for (end = p + n; p < end; p++) {
		if (*p == '#')
			while (p < end && *p != '\n')
				p++;
		else if (*p != '\n' && !is_blank(*p))
			return *p == '-';
	}
	if (n == 0)
		return err_set(e, "'%s' is empty", in_name(in));
	return err_set(e, "'%s' contains no trace, only empty lines and comments", in_name(in));
}

struct trace *
trace_from_in(struct in *in, const struct trace_watch *watch, struct err *e)
{
	struct trace *t = trace_new(in_name(in));
	struct ctabuf b = {0};
	int kernel = is_kernel(in, e), r = -1;

	if (kernel > 0)
		in_watch(in, watch);
	if (!t)
		err_nomem(e);
	else if (kernel >= 0)
		r = kernel ? read_kernel(t, in, NULL, &b, e) : read_list(t, in, &b, watch, e);
	if (r == 0)
		r = trace_seal(t, e);
	ctabuf_free(&b);
	if (r == 0)
		return t;
	trace_close(t);
	return NULL;
}

/* Refuses what has to be recorded first: a program, PTX, or CUDA source. */
static bool
is_no_trace(const char *path, const char *head, long n, struct err *e)
{
	const char *end = strrchr(path, '.');

	if (n >= 4 && memcmp(head, "\177ELF", 4) == 0)
		err_set(e,
			"%s is a program, not a trace; record it with 'ctascope record -o NAME.ctr "
			"-- PROGRAM'",
			path);
	else if (end && strcmp(end, ".ptx") == 0)
		err_set(e,
			"%s is PTX, not a trace; record it with 'ctascope record --ptx %s -o "
			"NAME.ctr'",
			path, path);
	else if (end && strcmp(end, ".cu") == 0)
		err_set(e,
			"%s is CUDA source, not a trace; compile it, then record it (see man "
			"ctascope-record)",
			path);
	else if (end && strcmp(end, ".tracez") == 0)
		err_set(e, "%s: " TRACEZ_REFUSED, path);
	else
		return false;
	return true;
}

#define CONTEXT_LIST "kernelslist_ctx_"

/* Newer tracers write a list for each context of the program, often one, and leave that of a
 * context without kernels empty. Appends the name of the only one with content to the folder. -1:
 * there are several. */
static int
add_context_list(struct strbuf *list, const char *folder, struct err *e)
{
	const size_t prefix = strlen(CONTEXT_LIST);
	char found[256] = "";
	struct dirent *entry;
	struct stat st;
	unsigned n = 0;
	DIR *dir = opendir(folder);

	while (dir && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, CONTEXT_LIST, prefix) != 0 ||
		    fstatat(dirfd(dir), entry->d_name, &st, 0) || !st.st_size)
			continue;
		if (!n++ || strcmp(entry->d_name, found) < 0)
			snprintf(found, sizeof(found), "%s", entry->d_name);
	}
	if (dir)
		closedir(dir);
	if (n == 1)
		sb_printf(list, "%s/%s", folder, found);
	return n < 2 ? 0
		     : err_set(e,
			       "%s has kernels of %u contexts, a list for each; name one of them, "
			       "such as %s/%s",
			       folder, n, folder, found);
}

/* Writes the path of the list of kernels in a folder. The tracer's own list is as good as that of
 * its tool, and there alone before the tool has run. */
static int
find_list(struct strbuf *list, const char *folder, struct err *e)
{
	static const char *const name[] = {"kernelslist.g", "kernelslist"};

	for (unsigned i = 0; i < ARRAY_LEN(name); i++) {
		sb_clear(list);
		sb_printf(list, "%s/%s", folder, name[i]);
		if (list->failed || access(list->p, F_OK) == 0 || errno != ENOENT)
			return list->failed ? err_nomem(e) : 0;
	}
	sb_clear(list);
	if (add_context_list(list, folder, e))
		return -1;
	if (!list->n && !list->failed)
		return err_set(e,
			       "'%s' is a folder without a kernelslist.g; name a trace "
			       "file, or a folder that the Accel-Sim tracer wrote",
			       folder);
	return list->failed ? err_nomem(e) : 0;
}

struct trace *
trace_open(const char *path, struct err *e)
{
	return trace_open_watched(path, NULL, e);
}

struct trace *
trace_open_watched(const char *path, const struct trace_watch *watch, struct err *e)
{
	struct strbuf list = {0};
	struct trace *t = NULL;
	struct stat st;
	struct in *in;
	const char *p;
	long n;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
		if (find_list(&list, path, e)) {
			sb_free(&list);
			return NULL;
		}
		path = list.p;
	}
	in = in_open(path, e);
	if (in) {
		n = in_peek(in, &p, CTR_MAGIC_SIZE, e);
		if (n == CTR_MAGIC_SIZE && memcmp(p, CTR_MAGIC, CTR_MAGIC_SIZE) == 0)
			t = ctr_open(path, e);
		else if (n >= 0 && !is_no_trace(path, p, n, e))
			t = trace_from_in(in, watch, e);
		in_close(in);
	}
	sb_free(&list);
	return t;
}
