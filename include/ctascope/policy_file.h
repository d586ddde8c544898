/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_file.h - policies that are files, shared objects and sequences, and their versions: a file
 * that is read again during a session is another policy beside the one before. */
#ifndef CTASCOPE_POLICY_FILE_H
#define CTASCOPE_POLICY_FILE_H

#include "ctascope/sim.h"

/* Reads the policy files of the stack again, or only one, named by file or policy. A file that has
 * changed becomes another policy, NAME_VERSION with the path FILE@VERSION; `stack` is the present
 * one with the newest versions and the values that their parameters have. The stack itself stays as
 * it is. Returns how many policies of the stack have a newer version; -1 with e. */
int config_reload(struct config *c, const char *file, char stack[POLICY_TEXT], struct err *e);
/* The policy of a file that gpu.warp_sched names; NULL: it names a warp scheduler. */
const struct cta_sched_ops *config_warp_policy(const struct config *c);
/* The path of the file from which a policy was loaded; NULL if it is a shipped one. */
const char *config_file(const struct config *c, const struct cta_sched_ops *o);
/* Digest of a policy file: as it was when it was loaded, and of the file now; 0: none. */
uint64_t config_file_digest(const struct config *c, const char *path);
uint64_t plugin_digest(const char *path);
/* The path of the newest version of a file that was loaded; else the path itself. */
const char *config_newest_path(const struct config *c, const char *path);
/* Makes the policies of files that `from` knows known to another configuration. */
int config_learn(struct config *to, const struct config *from, struct err *e);
/* Makes the policies of files that a configuration knows known to the machine: config_learn(). */
int sim_learn(struct sim *s, const struct config *from, struct err *e);

#endif
