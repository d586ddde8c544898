/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_workers.h - what works beside the session: the reference run, and blame.
 */
#ifndef SESSION_SESSION_WORKERS_H
#define SESSION_SESSION_WORKERS_H

#include "ctascope/base.h"

struct blame;
struct reference;

struct session_workers {
	struct reference *reference; /* NULL: none was started */
	bool keeps_references;	     /* uses the user's cache */
	struct blame *blame;	     /* the last one; NULL: none */
};

#endif
