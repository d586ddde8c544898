/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * policy_files.c - the policy files of a saved session: their digests, and whether the files are
 * still those that the run used.
 *
 * A file that was read again (`policy reload`) has several versions. On disk there is the newest
 * one at most, so a session that needs an older one can be loaded only with that file in its place.
 */
#include "session/session_file.h"

#include "ctascope/policy_file.h"
#include "session/session_part.h"

#include <inttypes.h>
#include <string.h>

#define POLICY_FILE "policy-file:"

/* Whether a text of stacks names this path, as a whole. */
static bool
names_path(const char *text, const char *path)
{
	size_t n = strlen(path);

	for (const char *at = text; (at = strstr(at, path)); at += n)
		if (strchr(":+ \t\n", at[n]) && (at == text || strchr("+ \t\n", at[-1])))
			return true;
	return false;
}

/* Calls fn for the path of each policy file that the run uses: in its start, its present or on a
 * branch. timeline: as timeline_write() writes it. */
static void
each_policy_file(const struct session *s, const char *timeline,
		 void (*fn)(void *ctx, const char *path), void *ctx)
{
	unsigned n;
	const struct cta_sched_ops *const *o = config_policies(s->config, &n);

	for (unsigned i = 0; i < n; i++) {
		const char *path = config_file(s->config, o[i]);

		if (path && (names_path(timeline, path) || names_path(s->start_options, path) ||
			     names_path(config_policy_text(sim_config(s->sim)), path)))
			fn(ctx, path);
	}
}

struct policy_files {
	const struct session *s;
	struct strbuf *out;
};

static void
write_policy_file(void *ctx, const char *path)
{
	const struct policy_files *f = ctx;

	sb_printf(f->out, POLICY_FILE "%s %016" PRIx64 "\n", path,
		  config_file_digest(f->s->config, path));
}

void
policy_files_write(const struct session *s, struct strbuf *out)
{
	struct strbuf timeline = {0};
	struct policy_files f = {s, out};

	timeline_write(s->timeline, &timeline);
	out->failed |= timeline.failed;
	if (timeline.p)
		each_policy_file(s, timeline.p, write_policy_file, &f);
	sb_free(&timeline);
}

/* A version that its file does not have any more cannot be loaded later. */
static void
note_old_version(void *ctx, const char *path)
{
	const struct policy_files *f = ctx;
	uint64_t digest = config_file_digest(f->s->config, path);

	if (digest != plugin_digest(path))
		sb_printf(f->out,
			  "the run uses an older version of %s, which is no longer on disk; "
			  "load needs it back in its place\n",
			  path);
}

void
policy_files_note_old(const struct session *s, struct strbuf *out)
{
	struct strbuf timeline = {0};
	struct policy_files f = {s, out};

	timeline_write(s->timeline, &timeline);
	if (timeline.p)
		each_policy_file(s, timeline.p, note_old_version, &f);
	sb_free(&timeline);
}

/* Calls fn for each file that the text lists, with its path and digest, until it fails. */
static int
each_listed(const char *about,
	    int (*fn)(void *ctx, const char *path, const char *was, struct err *e), void *ctx,
	    struct err *e)
{
	for (const char *at = about; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		char line[POLICY_TEXT + 64], *was;

		if (strncmp(at, POLICY_FILE, strlen(POLICY_FILE)) != 0 ||
		    !span_copy((struct span){at, strcspn(at, "\n")}, line, sizeof(line)) ||
		    !(was = strrchr(line, ' ')))
			continue;
		*was++ = '\0';
		if (fn(ctx, line + strlen(POLICY_FILE), was, e))
			return -1;
	}
	return 0;
}

static int
check_file(void *ctx ATTR_UNUSED, const char *path, const char *was, struct err *e)
{
	char is[32];

	snprintf(is, sizeof(is), "%016" PRIx64, plugin_digest(path));
	if (strcmp(is, was) == 0)
		return 0;
	return err_set(e, "the policy %.200s is another file now: its digest was %s and is %s",
		       path, was, is);
}

int
policy_files_check(const char *about, struct err *e)
{
	return each_listed(about, check_file, NULL, e);
}

static int
load_file(void *ctx, const char *path, const char *was ATTR_UNUSED, struct err *e)
{
	return config_policy(ctx, path, e);
}

int
policy_files_load(struct config *c, const char *about, struct err *e)
{
	return each_listed(about, load_file, c, e);
}
