/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_workers.h - what works beside the session: the reference run, and blame.
 */
#ifndef SESSION_SESSION_WORKERS_H
#define SESSION_SESSION_WORKERS_H

#include "ctascope/session.h"

struct blame;
struct reference;

/* look_back.c: machines at other cycles; each NULL until it is first asked for. */
struct replica;

/* split.c: the run beside the session's. */
struct twin;
struct session_twin {
	char what[POLICY_TEXT]; /* the stack or branch; "": none is wanted */
	struct twin *twin;	/* NULL: to be built by session_twin_follow() */
};

struct session_workers {
	struct replica *replica[SIDES][LOOKS];
	struct session_twin split;
	struct reference *reference; /* NULL: none was started */
	bool keeps_references;	     /* uses the user's cache */
	struct blame *blame;	     /* the last one; NULL: none */
};

struct session;
/* Before its machine or workload is freed. The twin of a split is built again afterwards. */
void session_forget_replicas(struct session *s);
void session_forget_twin(struct session *s);

#endif
