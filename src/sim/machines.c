/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * machines.c - finds machine files: `set KEY VALUE` lines that change the defaults.
 *
 * A machine is NAME.machine in a folder machines/ on the search path of data files
 * (base/datadir.h), which includes the user's own folder. Its first line, "# NAME - TITLE", gives
 * the title for lists.
 */
#include "base/datadir.h"
#include "base/textfile.h"
#include "base/words.h"
#include "sim/config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MACHINES 256 /* names that an error message can choose from */

struct each {
	int (*fn)(void *ctx, const char *name, const char *title);
	void *ctx;
};

static int
with_title(void *ctx, const char *name, const char *path)
{
	const struct each *x = ctx;
	FILE *f = text_open(path, TEXT_MOST, NULL, NULL);
	char line[200] = "";
	const char *title = "";
	size_t n = strlen(name);

	if (f && fgets(line, sizeof(line), f) && !strncmp(line, "# ", 2) &&
	    !strncmp(line + 2, name, n) && !strncmp(line + 2 + n, " - ", 3))
		title = line + 2 + n + 3;
	if (f)
		fclose(f);
	trim_end(line);
	return x->fn(x->ctx, name, title);
}

int
config_each_machine(int (*fn)(void *ctx, const char *name, const char *title), void *ctx)
{
	struct each x = {fn, ctx};

	return datadir_each("machines", ".machine", with_title, &x);
}

struct names {
	char *name[MACHINES];
	unsigned n;
};

static int
collect_name(void *ctx, const char *name, const char *title)
{
	struct names *k = ctx;

	(void)title;
	if (k->n < MACHINES && (k->name[k->n] = strdup(name)))
		k->n++;
	return 0;
}

static int
unknown_machine(const char *name, struct err *e)
{
	struct names k = {.n = 0};
	char all[200] = ", expected a file or one of ";
	size_t at = strlen(all);
	struct hint near;

	config_each_machine(collect_name, &k);
	for (unsigned i = 0; i < k.n && at < sizeof(all); i++)
		at += (size_t)snprintf(all + at, sizeof(all) - at, "%s%s", i ? ", " : "",
				       k.name[i]);
	if (!k.n)
		snprintf(all, sizeof(all), ", and no folder of machines was found");
	near = near_hint(name, (const char *const *)k.name, k.n, all);
	for (unsigned i = 0; i < k.n; i++)
		free(k.name[i]);
	return err_set(e, "unknown machine '%s'%s", name, near.text);
}

void
config_name_machine(struct config *c, const char *name)
{
	snprintf(c->machine, sizeof(c->machine), "%s", name);
}

int
config_machine(struct config *c, const char *name, struct err *e)
{
	char path[4096], file[160];

	if (strchr(name, '/') || strstr(name, ".machine")) {
		snprintf(path, sizeof(path), "%s", name);
	} else {
		snprintf(file, sizeof(file), "%s.machine", name);
		if (!datadir_find("machines", file, path, sizeof(path)))
			return unknown_machine(name, e);
	}
	if (opt_load(&c->db, path, e) < 0)
		return -1;
	config_name_machine(c, name);
	return 0;
}
