/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace.h - facade of src/trace: traces as files (convert, check, show) and the recording of new ones.
 * The in-memory form that the timing model runs is ctascope/trace.h; small traces made by C calls or
 * from a string are in trace_build.h.
 */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "ctascope/trace.h"
#include <stdio.h>

/* Memory for decoded CTAs that are not pinned (default 64 MiB), and the largest CTA that is decoded
 * (default and maximum 1 GiB). */
void trace_set_cache(struct trace *t, uint64_t bytes);
void trace_set_cta_limit(struct trace *t, uint64_t bytes);

#endif
