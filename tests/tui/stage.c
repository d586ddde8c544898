/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stage.c - see stage.h. */
#include "tests/tui/stage.h"
#include "ctascope/decl.h"
#include "lab/reference.h"
#include "session/session_part.h"
#include "tests/small/small.h"

#include <poll.h>
#include <string.h>

/* What stage_close() frees besides the session. */
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
set_option(const char *key, const char *value)
{
	struct err e = {0};

	if (opt_set(config_db(config), key, value, &e))
		small_die(key, &e);
}

static void
set_cores(unsigned cores)
{
	char n[16];

	snprintf(n, sizeof(n), "%u", cores);
	set_option("gpu.cores_per_cluster", "1");
	set_option("gpu.clusters", n);
}

/* The small workload three times, since there are more cores; in the loop half of the lanes of
 * every second warp are off. */
static struct trace *
open_trace(const char *file)
{
	struct trace_writer *w =
		small_write_shape(file, &(struct small_shape){.times = 3, .lanes = 0xffff});
	struct err e = {0};
	struct trace *t;

	if (file && trace_writer_commit(w, &e) < 0)
		small_die(file, &e);
	t = file ? trace_open(file, &e) : trace_writer_trace(w, &e);
	if (!t)
		small_die("the workload", &e);
	return t;
}

static void
execute(struct session *s, const char *line)
{
	if (session_exec(s, line) != SESSION_OK) {
		printf("Bail out! %s: %s\n", line, last_line);
		exit(99);
	}
}

/* The state that a worker leaves which has measured a third and continues. */
static void
cut_reference(struct reference_run *r)
{
	r->state = REF_RUNS;
	r->n /= 3;
	r->cycles = r->point[r->n - 1].cycle;
	r->insts = r->point[r->n - 1].insts;
}

static void
measure_references(struct session *s, enum stage_references references)
{
	struct err e = {0};

	if (references && !stage_measure(s, "reference rr", REFERENCE_STACK))
		small_die("reference rr", &e);
	if (references == STAGE_A_THIRD)
		cut_reference(&s->workers.reference->run[0]);
	if (references == STAGE_ALL && !stage_measure(s, "reference static", REFERENCE_BEST))
		small_die("reference static", &e);
}

static struct session *
new_session(const struct stage_options *o)
{
	const char *policy = o->policy ? o->policy : "dyncta";
	struct session *s;
	struct err e = {0};

	config = o->modern ? small_modern_config(policy) : small_config(policy);
	if (!o->small) {
		set_cores(o->cores ? o->cores : 30);
		set_option("core.max_ctas", "8");
		set_option("mem.channels", "6");
	}
	trace = o->no_workload ? NULL : o->small ? small_trace() : open_trace(o->file);
	s = session_new(config, trace, &(struct session_ui){.out = keep_line, .draws = true}, &e);
	if (!s)
		small_die("the session", &e);
	if (!o->small)
		session_set_focus_core(s, 5);
	return s;
}

struct session *
stage_open(const struct stage_options *o)
{
	struct session *s = new_session(o);

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

/* Sets a stop on core 12; the machine is then at a decision, and the log shows it. */
static void
stop_at_pause(struct session *s)
{
	execute(s, "break gate core 12");
	execute(s, "tbreak pause");
	execute(s, "continue");
}

static struct session *
new_shown(const struct stage_options *o)
{
	struct session *s = new_session(o);
	unsigned before = o->samples / 2;

	stage_more(s, before);
	if (sim_profile_on(session_sim(s), NULL) < 0 || sim_past_on(session_sim(s), 5, NULL) < 0)
		small_die("the profile and the past", &(struct err){.msg = "out of memory"});
	stage_more(s, o->samples - before);
	if (o->pace)
		execute(s, o->pace);
	measure_references(s, o->references);
	if (o->samples)
		stop_at_pause(s);
	s->control.running = o->running;
	return s;
}

static bool
has_past(struct session *s)
{
	struct sim *sim = session_sim(s);

	return sim_cycle(sim) == 0 || sim_past(sim, sim_cycle(sim));
}

struct session *
stage_show(const struct stage_options *o)
{
	static struct session *last;
	static const struct stage_options *its;

	if (last && (o != its || !has_past(last))) {
		stage_close(last);
		last = NULL;
	}
	its = o;
	if (o && !last)
		last = new_shown(o);
	if (last) {
		session_set_focus_core(last, 5);
		session_select(last, 0, 0);
	}
	return last;
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

bool
stage_measure(struct session *s, const char *command, enum reference_kind kind)
{
	struct reference_view v;
	unsigned n;

	session_exec(s, command);
	do {
		struct pollfd p[SESSION_BESIDE];
		int fd[SESSION_BESIDE];

		n = session_beside(s, fd);
		for (unsigned i = 0; i < n; i++)
			p[i] = (struct pollfd){.fd = fd[i], .events = POLLIN};
		if (n > 0 && poll(p, n, 60000) <= 0)
			return false;
		if (session_beside_read(s))
			session_beside_say(s);
	} while (n > 0);
	return session_reference(s, kind, &v) && v.measured;
}
