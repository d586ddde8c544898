/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sink.h - the default callbacks of a test's sink.
 *
 *     struct ptx_sink sink = {.ctx = &seen, SINK_QUIET, .inst = on_inst};
 */
#ifndef TESTS_RECORD_PTX_SINK_H
#define TESTS_RECORD_PTX_SINK_H

#include "record/ptx/exec/sink.h"

static inline int
sink_begin(void *ctx ATTR_UNUSED, const struct run *run ATTR_UNUSED, struct err *e ATTR_UNUSED)
{
	return 0;
}

static inline int
sink_cta(void *ctx ATTR_UNUSED, const uint32_t xyz[3] ATTR_UNUSED, struct err *e ATTR_UNUSED)
{
	return 0;
}

static inline int
sink_end(void *ctx ATTR_UNUSED, struct err *e ATTR_UNUSED)
{
	return 0;
}

#define SINK_QUIET .begin = sink_begin, .cta = sink_cta, .cta_end = sink_end, .end = sink_end

#endif
