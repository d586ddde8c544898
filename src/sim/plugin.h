/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin.h - policies of a user's own: shared objects, checked before anything of them is used. */
#ifndef SIM_PLUGIN_H
#define SIM_PLUGIN_H

#include "ctascope/cta_sched.h"
#include "ctascope/err.h"

/* Bytes of state a policy of a user's own may ask for, and of each core's part of it. */
#define PLUGIN_STATE 65536
#define PLUGIN_CORE 512

struct plugin {
	const struct cta_sched_ops *ops;
	void *handle;	/* of dlopen() */
	unsigned refs;	/* configurations that know it */
	char path[256]; /* as it was first named */
};

/* Loads the file and checks what it exports; NULL with the reason. The caller has one reference. */
struct plugin *plugin_open(const char *path, struct err *e);
struct plugin *plugin_ref(struct plugin *p);
void plugin_close(struct plugin *p); /* the last reference unloads it; NULL is none */

#endif
