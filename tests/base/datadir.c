/* SPDX-License-Identifier: GPL-3.0-or-later */
/* datadir.c - data files are found in the user's folder first, then in the shipped one. */
#include "base/datadir.h"
#include "tests/tap.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static void
put(const char *root, const char *sub)
{
	char path[PATH_MAX];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", root, sub);
	for (char *p = path + 1; *p; p++)
		if (*p == '/') {
			*p = '\0';
			mkdir(path, 0777);
			*p = '/';
		}
	f = fopen(path, "w");
	if (!f || fclose(f))
		diag("cannot write %s", path);
}

static int
collect(void *ctx, const char *name, const char *path)
{
	char *text = ctx;

	sprintf(text + strlen(text), "%s%s ", name, strstr(path, "/user/") ? "*" : "");
	return 0;
}

static int
stop_at_b(void *ctx, const char *name, const char *path)
{
	(void)path;
	++*(int *)ctx;
	return strcmp(name, "b") == 0 ? 7 : 0;
}

int
main(void)
{
	char top[] = "/tmp/ctascope-datadir.XXXXXX", root[PATH_MAX], want[PATH_MAX], buf[PATH_MAX];
	char text[256] = "", small[8], command[PATH_MAX];
	int calls = 0;

	if (!mkdtemp(top)) {
		ok(false, "a folder to work in");
		return done();
	}
	snprintf(root, sizeof(root), "%s/user", top);
	setenv("XDG_DATA_HOME", root, 1);
	snprintf(root, sizeof(root), "%s/ship", top);
	setenv("CTASCOPE_DATADIR", root, 1);
	put(top, "ship/themes/b.theme");
	put(top, "ship/themes/a.theme");
	put(top, "ship/themes/c.theme");
	put(top, "ship/themes/notes.txt");
	put(top, "ship/themes/.hidden.theme");
	put(top, "ship/machines/tcs28.machine");

	snprintf(want, sizeof(want), "%s/ship/themes/a.theme", top);
	is_str(datadir_find("themes", "a.theme", buf, sizeof(buf)), want, "a shipped theme");
	snprintf(want, sizeof(want), "%s/ship/machines/tcs28.machine", top);
	is_str(datadir_find("machines", "tcs28.machine", buf, sizeof(buf)), want,
	       "machines of a source tree");
	is_str(datadir_find("themes", "none.theme", buf, sizeof(buf)), NULL, "a theme nobody has");
	is_str(datadir_find("themes", "../themes/a.theme", buf, sizeof(buf)), NULL,
	       "a path is not a name");
	is_str(datadir_find("themes", "", buf, sizeof(buf)), NULL, "nor is nothing");
	is_str(datadir_find("themes", "a.theme", small, sizeof(small)), NULL,
	       "a path that does not fit is not given out cut");

	datadir_each("themes", ".theme", collect, text);
	is_str(text, "a b c ", "listed by name, without suffix, without hidden and other files");
	put(top, "user/ctascope/themes/b.theme");
	put(top, "user/ctascope/themes/z.theme");
	text[0] = '\0';
	datadir_each("themes", ".theme", collect, text);
	is_str(text, "a b* c z* ", "the user's own join in and hide shipped ones");
	snprintf(want, sizeof(want), "%s/user/ctascope/themes/b.theme", top);
	is_str(datadir_find("themes", "b.theme", buf, sizeof(buf)), want, "and are found first");
	is_u64((uint64_t)datadir_each("themes", ".theme", stop_at_b, &calls), 7,
	       "the listing ends when the callback says so");
	is_u64((uint64_t)calls, 2, "right there");

	is_str(datadir_hint("machines", ".machine", "tcs82", "; none").text,
	       "; did you mean tcs28?", "the nearest of a kind");
	is_str(datadir_hint("themes", ".theme", "tcs82", "; none").text, "; none",
	       "and not of another");

	snprintf(command, sizeof(command), "rm -rf '%s'", top);
	ok(system(command) == 0, "cleaned up");
	return done();
}
