/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stage.c - see stage.h. */
#include "tests/tui/stage.h"
#include "ctascope/decl.h"
#include "tests/small/small.h"

#include <string.h>

/* What stage_close() gives back beside the session. */
static struct trace *trace;
static struct config *config;
static char last_line[400];

static void
keep_line(void *ctx, enum say kind, const char *line)
{
	(void)ctx;
	(void)kind;
	snprintf(last_line, sizeof(last_line), "%s", line);
}

static void
set_cores(unsigned cores)
{
	struct err e = {0};
	char n[16];

	snprintf(n, sizeof(n), "%u", cores);
	if (opt_set(config_db(config), "gpu.cores_per_cluster", "1", &e) ||
	    opt_set(config_db(config), "gpu.clusters", n, &e))
		small_die("cores", &e);
}

struct session *
stage_open(const struct stage_options *o)
{
	struct session *s;
	struct err e = {0};

	config = small_config(o->policy ? o->policy : "dyncta");
	set_cores(o->cores ? o->cores : 30);
	trace = o->no_workload ? NULL : small_trace();
	s = session_new(config, trace, &(struct session_ui){.out = keep_line, .draws = true}, &e);
	if (!s)
		small_die("the session", &e);
	session_exec(s, "core 5");
	stage_more(s, o->samples);
	return s;
}

void
stage_close(struct session *s)
{
	session_free(s);
	trace_close(trace);
	config_free(config);
}

void
stage_more(struct session *s, unsigned samples)
{
	char line[40];

	if (!samples)
		return;
	snprintf(line, sizeof(line), "advance %llu",
		 (unsigned long long)sim_cycle(session_sim(s)) + samples * STAGE_SAMPLE);
	session_exec(s, line);
}

const char *
stage_last_line(void)
{
	return last_line;
}
