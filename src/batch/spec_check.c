/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spec_check.c - checks that the program knows all names of a sweep, before anything runs, so that
 * a misspelt policy costs a second and not a night.
 *
 * Errors that only a complete machine can detect (an odd number of sets with a hash that needs a
 * power of two) appear in the run concerned.
 */
#include "batch/spec.h"

#include "ctascope/sim.h"
#include "ctascope/trace.h"
#include "base/foreign.h"
#include "base/datadir.h"
#include "base/memory.h"
#include "workload/workload.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---------------------------------------------------------------- files */

void
spec_file(const struct spec *s, const char *name, char *buf, size_t size)
{
	const char *slash = strrchr(s->path, '/');

	if (name[0] == '/' || !strchr(name, '/') || !slash)
		snprintf(buf, size, "%s", name);
	else
		snprintf(buf, size, "%.*s/%s", (int)(slash - s->path), s->path, name);
}

static int
find_file(const struct spec *s, const char *what, const char *name, const char *kind,
	  const char *suffix, struct err *e)
{
	char path[PATH_MAX], file[256];
	struct stat st;

	if (strchr(name, '/')) {
		spec_file(s, name, path, sizeof(path));
		if (stat(path, &st) || access(path, R_OK))
			return err_set(e, "cannot read '%.200s': %s", path, strerror(errno));
		if (!S_ISREG(st.st_mode)) /* every run reads it */
			return err_set(e, "cannot read '%.200s': it is not a regular file", path);
		return 0;
	}
	if ((size_t)snprintf(file, sizeof(file), "%s%s", name, suffix) < sizeof(file) &&
	    datadir_find(kind, file, path, sizeof(path)))
		return 0;
	snprintf(file, sizeof(file), " is shipped; a file is named with its folder, ./%.60s", name);
	return err_set(e, "no %s '%.60s'%s", what, name,
		       datadir_hint(kind, suffix, name, file).text);
}

static int
find_workload(const struct spec *s, const char *name, struct err *e)
{
	char otherwise[160];

	if (strchr(name, '/'))
		return find_file(s, "workload", name, "traces", ".ctr", e);
	snprintf(otherwise, sizeof(otherwise),
		 " is shipped; a file is named with its folder, ./%.60s", name);
	return workload_check(name, otherwise, e);
}

static int
find_machine(const struct spec *s, const char *name, struct err *e)
{
	struct config *c;
	char path[PATH_MAX];
	int rc;

	if (find_file(s, "machine", name, "machines", ".machine", e))
		return -1;
	c = memory_kept(config_new());
	spec_file(s, name, path, sizeof(path));
	rc = config_machine(c, path, e);
	config_free(c);
	return rc;
}

const struct spec_files spec_files = {find_workload, find_machine};

/* ---------------------------------------------------------------- words */

/* Reports why a word was rejected, at its place. If the error has its own text and column (as for a
 * policy stack) and the word is that text, it points into the word. */
static int
refuse_word(const struct spec *s, const struct word *w, const struct err *why, struct err *e)
{
	struct word at = *w;
	bool exact = (size_t)w->len == strlen(w->text) && why->text[0] && why->col < w->len &&
		     strcmp(why->text, w->text) == 0;

	if (why->file[0] && why->line) /* it is in a line of a machine file */
		return spec_error(s, w, e, "%s:%llu: %s", why->file, (unsigned long long)why->line,
				  why->msg);
	if (exact) {
		at.col += why->col;
		at.len = why->len;
	}
	if (!exact && (size_t)w->len != strlen(w->text) && strlen(w->text) < 100)
		return spec_error(s, &at, e, "%s (in %s)", why->msg, w->text);
	return spec_error(s, &at, e, "%s", why->msg);
}

static int
check_word(const struct spec *s, const struct spec_files *f, struct config *c, enum dim d,
	   const struct word *w, struct err *e)
{
	struct err why = {0};
	int rc = 0;

	if (d == DIM_WORKLOAD)
		rc = f->workload(s, w->text, &why);
	else if (d == DIM_MACHINE)
		rc = f->machine(s, w->text, &why);
	else if (d == DIM_POLICY)
		rc = config_policy(c, w->text, &why);
	else
		rc = config_wsched(c, w->text, &why);
	return rc ? refuse_word(s, w, &why, e) : 0;
}

static int
check_axis(const struct spec *s, struct config *c, const struct axis *a, struct err *e)
{
	for (unsigned i = 0; i < a->value.n; i++) {
		const struct word *key = &s->options.w[a->key[i % a->n_keys]];
		struct err why = {0};

		if (opt_set(config_db(c), key->text, a->value.w[i].text, &why))
			return refuse_word(s, &a->value.w[i], &why, e);
	}
	return 0;
}

static int
check_option(const struct spec *s, struct config *c, const struct word *key, struct err *e)
{
	struct err why = {0};
	char value[96];

	if (opt_get(config_db(c), key->text, value, sizeof(value), NULL)) {
		opt_set(config_db(c), key->text, "0", &why); /* names the nearest */
		return refuse_word(s, key, &why, e);
	}
	if (strcmp(key->text, "gpu.warp_sched") == 0)
		return spec_error(s, key, e, "the line 'warp-sched NAME...' chooses it");
	if (strcmp(key->text, "run.max_cycles") == 0 || strcmp(key->text, "run.max_seconds") == 0)
		return spec_error(s, key, e, "the line 'limit %s N' sets it", key->text + 8);
	return 0;
}

int
spec_check(const struct spec *s, const struct spec_files *f, struct err *e)
{
	struct config *c = memory_kept(config_new());
	int rc = 0;

	config_set_try(c, foreign_try);
	for (unsigned i = 0; rc == 0 && i < s->options.n; i++)
		rc = check_option(s, c, &s->options.w[i], e);
	for (unsigned i = 0; rc == 0 && i < s->n_cases; i++) {
		const struct sweep_case *k = &s->cases[i];

		for (unsigned d = 0; d < DIMS; d++)
			for (unsigned j = 0; rc == 0 && k->own[d] && j < k->dim[d].n; j++)
				rc = check_word(s, f, c, (enum dim)d, &k->dim[d].w[j], e);
		for (unsigned j = k->n_common_axes; rc == 0 && j < k->n_axes; j++)
			rc = check_axis(s, c, &k->axis[j], e);
		if (rc == 0 && !k->dim[DIM_WORKLOAD].n && (i || s->n_cases == 1))
			rc = k->name.line
				     ? spec_error(s, &k->name, e,
						  "case %s has no workload; expected a line "
						  "'workload NAME...' in it or before the first "
						  "case",
						  k->name.text)
				     : err_set(e,
					       "%s: no workload; expected a line 'workload "
					       "NAME...'",
					       s->path);
	}
	config_free(c);
	return rc;
}
