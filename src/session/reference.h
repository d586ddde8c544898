/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference.h - private to src/session: the references of a session (lab/reference.h): the
 * configuration they were measured for, what is cached of them, and what is printed.
 * ctascope/session.h declares what the panes see.
 */
#ifndef SESSION_REFERENCE_H
#define SESSION_REFERENCE_H

#include "lab/lab.h"

/* The user's cache (reference_cache.c). reference_cache_load() returns true if it has the complete
 * run. */
uint64_t reference_build(void);
bool reference_cache_load(const struct session *s, struct reference_run *k);
void reference_cache_store(const struct session *s, const struct reference_run *k);
/* The beginning of a cached file, for listing the cache. */
struct reference_kept {
	char magic[8];
	uint64_t build;
	char stack[128], workload[64];
};
/* False: the file is not ours. */
bool reference_cache_read(const char *path, struct reference_kept *to);

/* A hash of all options that references depend on: those that are neither of policies nor only end
 * a run. */
uint64_t reference_fingerprint(const struct session *s);
int session_start_reference(struct session *s, struct err *e);
/* Ends the worker and forgets all references. */
void reference_free(struct session *s);
/* Reads what the worker has sent; returns true if a measurement ended. */
bool reference_read(struct session *s);
/* Forgets references of another configuration. */
void reference_check(struct session *s);
void reference_say(struct session *s); /* prints the pending note */

#endif
