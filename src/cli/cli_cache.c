/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_cache.c - ctascope cache: lists and clears the recorded applications in the user's cache and
 * the measured references (reference_cache.c).
 *
 * A file whose name has another key than the present programs was recorded by another build. It is
 * listed as old, and this build never uses it. Clearing also removes unfinished files of recordings
 * that were killed, but not those of a recording that still runs.
 */
#include "base/memory.h"
#include "session/reference.h"
#include "cli/cli_part.h"
#include "workload/workload.h"
#include "base/process.h"
#include "compat/compat.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct cached {
	char *file;
	char app[40];
	enum workload_size size;
	bool part; /* unfinished: its recording was killed or still runs */
	bool reference;
	bool program; /* of ctascope app; it has no size */
};

#define REFERENCE "reference-" /* prefix of the file names of references */

struct cache {
	char folder[PATH_MAX];
	struct cached *c;
	size_t n;
};

static int
compare_cached(const void *a, const void *b)
{
	const struct cached *x = a, *y = b;
	int o = strcmp(x->app, y->app);

	if (x->program != y->program && x->reference == y->reference)
		return x->program - y->program;
	if (x->reference != y->reference)
		return x->reference - y->reference;
	return o		    ? o
	       : x->size != y->size ? (x->size > y->size) - (x->size < y->size)
				    : strcmp(x->file, y->file);
}

/* A missing folder means an empty cache. */
static int
read_cache(struct cache *k, struct err *e)
{
	struct dirent *d;
	DIR *dir;

	if (workload_cache_folder(k->folder, sizeof(k->folder), e))
		return -1;
	dir = opendir(k->folder);
	if (!dir)
		return errno == ENOENT ? 0 : err_set(e, "%.300s: %s", k->folder, strerror(errno));
	while ((d = readdir(dir))) {
		struct cached c = {.part = false};

		if (strncmp(d->d_name, REFERENCE, strlen(REFERENCE)) == 0 &&
		    strstr(d->d_name, ".ref")) {
			c.reference = true;
			c.part = strcmp(strstr(d->d_name, ".ref"), ".ref") != 0;
		} else if (strncmp(d->d_name, CACHED_PROGRAM, strlen(CACHED_PROGRAM)) == 0 &&
			   strstr(d->d_name, ".ctr")) {
			c.program = true;
			c.part = strcmp(strstr(d->d_name, ".ctr"), ".ctr") != 0;
			snprintf(c.app, sizeof(c.app), "%.*s",
				 (int)strcspn(d->d_name + strlen(CACHED_PROGRAM), "-"),
				 d->d_name + strlen(CACHED_PROGRAM));
		} else if (!workload_cache_name(d->d_name, c.app, sizeof(c.app), &c.size)) {
			continue;
		} else {
			c.part = strcmp(strstr(d->d_name, ".ctr"), ".ctr") != 0;
		}
		c.file = memory_text(d->d_name, strlen(d->d_name));
		k->c = array_grow(k->c, k->n, sizeof(*k->c));
		k->c[k->n++] = c;
	}
	closedir(dir);
	if (k->n)
		qsort(k->c, k->n, sizeof(*k->c), compare_cached);
	return 0;
}

static void
free_cache(struct cache *k)
{
	for (size_t i = 0; i < k->n; i++)
		free(k->c[i].file);
	free(k->c);
}

/* Whether this build would use the file. */
static bool
is_current(const struct cache *k, const struct cached *c)
{
	const struct workload_app *app = workload_app(c->app);
	struct workload_trace t;

	return app && workload_look(&t, app, c->size, NULL) == 0 && t.cached &&
	       strncmp(t.path, k->folder, strlen(k->folder)) == 0 &&
	       strcmp(t.path + strlen(k->folder) + 1, c->file) == 0;
}

/* Reads the time of the last change and the size; false if the file is gone. */
static bool
read_date_and_size(const char *path, char date[40], uint64_t *bytes)
{
	struct stat st;
	struct tm tm;

	date[0] = '\0';
	if (lstat(path, &st))
		return false;
	if (localtime_r(&st.st_mtime, &tm))
		strftime(date, 40, "%Y-%m-%d %H:%M", &tm);
	*bytes = (uint64_t)st.st_size;
	return true;
}

static void
list_trace(const struct cache *k, const struct cached *c, const char *path, bool first,
	   const char *date, uint64_t bytes)
{
	struct err why = {0};

	if (first)
		printf("%-10s %-8s %12s  %-16s  %s\n", "name", "size", "bytes", "recorded", "");
	printf("%-10s %-8s %12" PRIu64 "  %s%s\n", c->app,
	       c->program ? "program" : workload_size_names[c->size], bytes, date,
	       !workload_cached_is_whole(path, &why) ? "  damaged"
	       : c->program || is_current(k, c)	     ? ""
						     : "  old");
}

static void
list_reference(const char *path, bool first, uint64_t build, const char *date, uint64_t bytes)
{
	struct reference_kept r;

	if (first)
		printf("%-10s %-8s %12s  %-16s  %s\n", "reference", "", "bytes", "measured",
		       "stack, trace");
	if (!reference_cache_read(path, &r))
		printf("%-10s %-8s %12" PRIu64 "  %s  damaged\n", "", "", bytes, date);
	else
		printf("%-10s %-8s %12" PRIu64 "  %s  %s, %s%s\n", "", "", bytes, date, r.stack,
		       r.workload, r.build == build ? "" : "  old");
}

static int
list_cache(const struct cache *k)
{
	uint64_t all = 0, bytes, build = reference_build();
	size_t n[2] = {0, 0};

	for (size_t i = 0; i < k->n; i++) {
		const struct cached *c = &k->c[i];
		char path[PATH_MAX + 300], date[40];

		snprintf(path, sizeof(path), "%s/%s", k->folder, c->file);
		if (c->part || !read_date_and_size(path, date, &bytes))
			continue;
		if (c->reference)
			list_reference(path, n[1]++ == 0, build, date, bytes);
		else
			list_trace(k, c, path, n[0]++ == 0, date, bytes);
		all += bytes;
	}
	printf("%zu trace%s, ", n[0], n[0] == 1 ? "" : "s");
	if (n[1])
		printf("%zu reference%s, ", n[1], n[1] == 1 ? "" : "s");
	printf("%" PRIu64 " bytes, in %s\n", all, k->folder);
	return 0;
}

/* Whether the process in the name, ...ctr.record-PID..., still runs. References have no such names,
 * because they are written at once. */
static bool
is_running(const struct cached *c)
{
	const char *p = strstr(c->file, ".record-");
	long pid = p ? strtol(p + 8, NULL, 10) : 0;

	return pid > 1 && pid <= INT_MAX && (process_signal((pid_t)pid, 0) == 0 || errno == EPERM);
}

/* Whether word, which is NAME, NAME:SIZE, "references" or "programs", means this file. */
static bool
matches_word(const struct cached *c, const char *word)
{
	size_t n = strcspn(word, ":");

	if (c->reference || strcmp(word, "references") == 0)
		return c->reference && strcmp(word, "references") == 0;
	if (c->program || strcmp(word, "programs") == 0)
		return c->program && strcmp(word, "programs") == 0;
	return strlen(c->app) == n && strncmp(c->app, word, n) == 0 &&
	       (!word[n] || strcmp(word + n + 1, workload_size_names[c->size]) == 0);
}

static int
clear_cache(const struct cache *k, char **word, int n_words)
{
	unsigned n[2] = {0, 0}, failed = 0;

	for (int w = 0; w < n_words; w++) {
		struct err e = {0};

		if (strcmp(word[w], "references") != 0 && strcmp(word[w], "programs") != 0 &&
		    workload_check(word[w], " (--list-workloads)", &e))
			return report_error(&e, 2);
	}
	for (size_t i = 0; i < k->n; i++) {
		const struct cached *c = &k->c[i];
		char path[PATH_MAX + 300];
		bool meant = n_words == 0;
		struct err e = {0};

		for (int w = 0; w < n_words; w++)
			meant |= matches_word(c, word[w]);
		if (!meant || (c->part && is_running(c)))
			continue;
		snprintf(path, sizeof(path), "%s/%s", k->folder, c->file);
		if (workload_cached_remove(path, &e) == 0)
			n[c->reference] += !c->part;
		else
			failed += report_error(&e, 1) != 0;
	}
	printf("%u trace%s", n[0], n[0] == 1 ? "" : "s");
	if (n[1])
		printf(", %u reference%s", n[1], n[1] == 1 ? "" : "s");
	puts(" cleared");
	return failed ? 1 : 0;
}

static const struct cmd_option options[] = {CMD_HELP, CMD_END};

const struct cmdline cli_cache_cmdline = {
	.name = "cache",
	.usage = "cache [list]\n"
		 "cache clear [NAME[:SIZE]|references|programs]...",
	.about = "List the cache: applications that were recorded on first use, programs of\n"
		 "'ctascope app', and measured references. 'clear' removes all of it, the traces "
		 "of\n"
		 "a NAME, those of a NAME and SIZE, the references, or the programs.\n",
	.section = {{NULL, options}},
};

int
cli_cache(int argc, char **argv, const struct cli_front *f ATTR_UNUSED)
{
	struct cache k = {.n = 0};
	struct err e = {0};
	bool clears;
	int first, rc = cmdline_read(&cli_cache_cmdline, argc, argv, NULL, &first);

	if (rc >= 0)
		return rc;
	clears = first < argc && strcmp(argv[first], "clear") == 0;
	if (first < argc && !clears && (strcmp(argv[first], "list") != 0 || first + 1 < argc))
		return cmdline_usage(&cli_cache_cmdline,
				     "expected list, clear or nothing, found '%s'",
				     argv[strcmp(argv[first], "list") == 0 ? first + 1 : first]);
	rc = read_cache(&k, &e) ? report_error(&e, 1)
	     : clears		? clear_cache(&k, argv + first + 1, argc - first - 1)
				: list_cache(&k);
	free_cache(&k);
	return rc;
}
