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

struct session_workers {
	struct replica *replica[LOOKS];
	struct reference *reference; /* NULL: none was started */
	bool keeps_references;	     /* uses the user's cache */
	struct blame *blame;	     /* the last one; NULL: none */
};

struct session;
void session_forget_replicas(struct session *s); /* before its machine or workload is freed */

#endif
