/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_streams.c - the topic `info streams`: what a program did in which stream, and what waits for
 * what. */
#include "session/command.h"
#include "session/session_part.h"
#include "session/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stream_row {
	uint64_t stream;
	uint32_t kernels, copies, events, waits;
	uint64_t insts;
};

struct stream_rows {
	struct stream_row *row;
	uint32_t n;
	uint32_t host; /* times that the program waits */
};

/* The row of a stream, added when it is new. rows->row has room for one more. */
static struct stream_row *
find_row(struct stream_rows *rows, uint64_t stream)
{
	for (uint32_t i = 0; i < rows->n; i++)
		if (rows->row[i].stream == stream)
			return &rows->row[i];
	rows->row[rows->n] = (struct stream_row){.stream = stream};
	return &rows->row[rows->n++];
}

static void
count_command(const struct trace_info *t, const struct trace_cmd *c, uint64_t *copies,
	      struct stream_rows *rows)
{
	struct stream_row *row;

	switch (c->kind) {
	case TRACE_KERNEL:
		row = find_row(rows, t->kernel[c->kernel].stream);
		row->kernels++;
		row->insts += t->kernel[c->kernel].warp_insts;
		break;
	case TRACE_MEMCPY_H2D:
		find_row(rows, *copies)->copies++;
		break;
	case TRACE_COPY_STREAM:
		*copies = c->stream;
		break;
	case TRACE_EVENT_RECORD:
		find_row(rows, c->stream)->events++;
		break;
	case TRACE_STREAM_WAIT:
		find_row(rows, c->stream)->waits++;
		break;
	case TRACE_HOST_STREAM:
	case TRACE_HOST_EVENT:
	case TRACE_HOST_ALL:
		rows->host++;
		break;
	default:
		break;
	}
}

static int
compare_rows(const void *a, const void *b)
{
	uint64_t x = ((const struct stream_row *)a)->stream;
	uint64_t y = ((const struct stream_row *)b)->stream;

	return x < y ? -1 : x > y;
}

enum session_status
info_streams(struct session *s, const char *args ATTR_UNUSED)
{
	const struct trace_info *info = sim_trace(s->sim);
	struct stream_rows rows = {.row = calloc((size_t)info->n_cmds + 1, sizeof(*rows.row))};
	uint64_t copies = 0;
	char most[16] = "1", how[120];
	struct table t;

	opt_get(config_db_const(sim_config(s->sim)), "gpu.concurrent_kernels", most, sizeof(most),
		NULL);
	snprintf(how, sizeof(how),
		 sim_runs_together(s->sim)
			 ? "up to %s kernels run together (gpu.concurrent_kernels)"
		 : strcmp(most, "1")
			 ? "gpu.concurrent_kernels %s has no effect on one stream"
			 : "kernels run one after the other: see gpu.concurrent_kernels",
		 most);
	if (!rows.row)
		return fail(s, "info streams: out of memory");
	for (uint32_t i = 0; i < info->n_cmds; i++)
		count_command(info, &info->cmd[i], &copies, &rows);
	qsort(rows.row, rows.n, sizeof(*rows.row), compare_rows);
	table_begin(&t, ">stream <kind >kernels >instructions >copies >events >waits");
	for (uint32_t i = 0; i < rows.n; i++) {
		const struct stream_row *r = &rows.row[i];

		table_u64(&t, r->stream);
		table_text(&t, "%s", trace_stream_kind_name(trace_stream_kind(info, r->stream)));
		table_u64(&t, r->kernels);
		table_u64(&t, r->insts);
		table_u64(&t, r->copies);
		table_u64(&t, r->events);
		table_u64(&t, r->waits);
	}
	table_end(s, &t);
	say(s, SAY_RESULT, "the program waits for them %u time%s; %s", rows.host,
	    rows.host == 1 ? "" : "s", how);
	free(rows.row);
	return SESSION_OK;
}
