/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config.h - every option of machine, policies and run in one place (struct config of
 * ctascope/sim.h). */
#ifndef SIM_CONFIG_H
#define SIM_CONFIG_H

#include "cache/cache.h"
#include "core/core.h"
#include "cta/cta.h"
#include "ctascope/kernels.h"
#include "ldst/ldst.h"
#include "mem/mem.h"
#include "noc/noc.h"
#include "power/power.h"
#include "sim/plugin.h"
#include "wsched/wsched.h"

extern const char *const kernel_share_names[];

#define OPT DECL_FIELD
#define OPT_ENUM DECL_FIELD_ENUM
struct machine_cfg {
#include "sim/machine.def"
};
#define OPT DECL_FIELD
#define OPT_FIXED DECL_FIELD
struct run_cfg {
#include "sim/run.def"
};

#define CONFIG_WSCHEDS 16
#define CONFIG_POLICIES 128 /* known at the same time: shipped ones and the user's own */

struct config {
#define PART(member, prefix, type, ...) struct type member;
#include "sim/parts.def"
	char machine[128];
	char policy[POLICY_TEXT]; /* canonical stack text */
	/* Those of the text, and after them the one that gpu.warp_sched names (config_stack()). */
	const struct cta_sched_ops *stack[CTA_STACK];
	unsigned n_stack;				    /* of the text */
	const struct cta_sched_ops *known[CONFIG_POLICIES]; /* shipped ones, then the user's own */
	unsigned n_known;
	struct plugin *plugin[CONFIG_POLICIES]; /* one reference each; NULL: a shipped policy */
	config_try_fn *try_load;		/* NULL: policy files are loaded without a trial */
	void *policy_opts[CONFIG_POLICIES];	/* owned, one per known policy */
	void *wsched_opts[CONFIG_WSCHEDS];	/* owned, one per warp scheduler with parameters */
	struct opt_more warp_files;		/* what gpu.warp_sched may be beyond wsched_names */
	struct optdb db;
};

int config_check(const struct config *c, struct err *e); /* rejects impossible combinations */
/* The same for the policies of the stack, where kernels run together. */
int config_check_concurrent(const struct config *c, struct err *e);
/* The power of two below which the hash numbers slices: that of the channels, rounded up, by
 * slices. */
uint32_t config_hashed_slices(const struct mem_cfg *k);
const struct cta_sched_ops *config_known_policy(const struct config *c, const char *name);
/* Mounts the parameters of known policy i; its name is their prefix. */
int config_mount_policy(struct config *c, unsigned i);
/* Loads the policy of a file, or returns the known one of this path. */
const struct cta_sched_ops *config_load_policy(struct config *c, const char *path, struct err *e);
/* The warp scheduler of the cores, an index into wsched_table: of a warp policy, the one that it
 * assumes. */
unsigned config_wsched_index(const struct config *c);
/* The index of a warp scheduler of the program; wsched_count: there is none of this name. */
unsigned config_wsched_called(const char *name);
/* Lets gpu.warp_sched be a file: sets warp_files, and mounts it. */
void config_mount_warp_files(struct config *c);
/* Whether gpu.warp_sched names a policy, of this file or name; NULL: of any. */
bool config_is_warp_file(const struct config *c, const char *file);
/* Puts the policy of gpu.warp_sched after those of the text. */
void config_place_warp_policy(struct config *c);
const void *config_policy_opts(const struct config *c, const struct cta_sched_ops *o);

#endif
