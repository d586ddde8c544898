/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin.h - the user's own policies: shared objects, checked before anything in them is used, and
 * sequences (cta/sequence.h). */
#ifndef SIM_PLUGIN_H
#define SIM_PLUGIN_H

#include "cta/cta.h"
#include "ctascope/cta_sched.h"
#include "ctascope/err.h"
#include "decl/params.h"

/* The largest state of a user's own policy, and of its part per core, in bytes. */
#define PLUGIN_STATE 65536
#define PLUGIN_CORE 512

struct plugin {
	const struct cta_sched_ops *ops;
	void *handle;		   /* from dlopen() */
	struct sequence *sequence; /* instead of a shared object */
	unsigned refs;		   /* configurations that know it */
	char path[256];		   /* as first named; from version 2 on FILE@VERSION */
	unsigned version;	   /* how often the file has been read into a session */
	uint64_t digest;	   /* of the file as it was read */
	/* From version 2 on the policy is NAME_VERSION, so that its options, paths and events are
	 * told from those of the versions before, which the past still needs. */
	struct cta_sched_ops renamed;
	char name[STACK_NAME + 12];
};

/* Copies the file of a path FILE@VERSION and returns the version; 1: the path is that of a file. */
unsigned plugin_version(const char *path, char *file, size_t size);

/* Loads the file and checks what it exports; NULL with the reason in *e. The caller gets one
 * reference. */
struct plugin *plugin_open(const char *path, struct err *e);
/* A sequence without steps, as that of a file of this name; NULL with e. */
struct plugin *plugin_new_sequence(const char *path, const char *help, struct err *e);
struct plugin *plugin_ref(struct plugin *p);
void plugin_close(struct plugin *p); /* the last reference unloads it; p may be NULL */

#endif
