/* SPDX-License-Identifier: GPL-3.0-or-later */
/* datadir.h - finds machines, themes, traces, sweeps and lessons, whether shipped or added by the
 * user. */
#ifndef BASE_DATADIR_H
#define BASE_DATADIR_H

#include "base/words.h"

/* The path of file NAME of a kind ("machines", "themes", "traces",
 * "sweeps" or "lessons"), written to buf;
 * returns buf, or NULL when there is no such file. name is a plain file name with its suffix,
 * without '/'. */
const char *datadir_find(const char *kind, const char *name, char *buf, size_t size);

/* The folder that shipped machines are found in, and so the rest of the shipped data; NULL: there
 * is none. */
const char *datadir_shipped(char *buf, size_t size);

/* Calls fn for every file of a kind whose name ends in suffix (".machine"), sorted by name. name
 * comes without the suffix. A user's file hides a shipped one of the same name. Stops early when
 * fn returns nonzero and returns that; -1 when memory runs out; 0 otherwise. */
int datadir_each(const char *kind, const char *suffix,
		 int (*fn)(void *ctx, const char *name, const char *path), void *ctx);

/* The hint that ends "no workload 'x'": the nearest names among the files of a kind, or
 * `otherwise`. */
struct hint datadir_hint(const char *kind, const char *suffix, const char *name,
			 const char *otherwise);
/* The same among those names and n_also additional ones. */
struct hint datadir_hint_also(const char *kind, const char *suffix, const char *name,
			      const char *const *also, unsigned n_also, const char *otherwise);

#endif
