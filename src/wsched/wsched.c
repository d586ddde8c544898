/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wsched.c - the table of warp schedulers, built from the list in src/wsched/module.am.
 */
#include "wsched/wsched.h"

#define WSCHED(name) extern const struct warp_sched_ops wsched_##name;
#include "wsched/wscheds.def"

#define WSCHED(name) &wsched_##name,
const struct warp_sched_ops *const wsched_table[] = {
#include "wsched/wscheds.def"
	NULL};

#define WSCHED(name) #name,
const char *const wsched_names[] = {
#include "wsched/wscheds.def"
	NULL};

const unsigned wsched_count = ARRAY_LEN(wsched_names) - 1;

const struct opt_row wsched_opts[] = {
	DECL_PARAM_ENUM(struct wsched_cfg, warp_sched, 0, wsched_names, "warp scheduler"),
};
const unsigned wsched_n_opts = ARRAY_LEN(wsched_opts);
