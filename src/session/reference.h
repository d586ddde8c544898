/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference.h - private to src/session: the references of a session (lab/reference.h), for which
 * configuration they were measured, what is kept of them, and what is said. What the panes see of
 * them is in ctascope/session.h.
 */
#ifndef SESSION_REFERENCE_H
#define SESSION_REFERENCE_H

#include "lab/lab.h"

/* In the user's cache (reference_cache.c). load: true when the run is there, and then it has ended.
 */
uint64_t reference_build(void);
bool reference_cache_load(const struct session *s, struct reference_run *k);
void reference_cache_store(const struct session *s, const struct reference_run *k);
/* The begin of a kept file, for who lists them. */
struct reference_kept {
	char magic[8];
	uint64_t build;
	char stack[128], workload[64];
};
bool reference_cache_read(const char *path, struct reference_kept *to); /* false: none of ours */

/* What was measured for one is of no use for another: of the options, but for those of policies. */
uint64_t reference_fingerprint(const struct session *s);
int session_start_reference(struct session *s, struct err *e);
void reference_free(struct session *s); /* ends the child; forgets everything */
/* Takes what has come; true when something came to an end. */
bool reference_read(struct session *s);
void reference_check(struct session *s); /* forgets what was measured for another configuration */
void reference_say(struct session *s);	 /* the note that waits */

#endif
