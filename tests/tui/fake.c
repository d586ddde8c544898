/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake.c - see fake.h. Everything is a function of core and sample number. */
#include "tests/tui/fake.h"
#include "tui/screen_part.h"
#include "ctascope/event.h"
#include "export/export_part.h"
#include "session/session.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPAN 512
#define PERIOD 2048
#define EVENTS 1024
#define LOG 400

struct config {
	int nothing;
};

struct sim {
	struct fake_options o;
	struct config config;
	struct event_ring *ring;
	unsigned told; /* samples whose events were written */
};

struct session {
	struct sim sim;
	unsigned focus, n_log;
	char log[LOG][200];
	enum say kind[LOG];
	cycle_t from, to;
	bool mouse;
};

const struct series_row series_core_rows[SC_FIELDS] = {
#define SERIES_CORE(id, name, unit, help, ...) \
	{name, unit, help, SC_##id == SC_C_MEM || SC_##id == SC_C_IDLE},
#include "ctascope/series.def"
};
const struct series_row series_mem_rows[SM_FIELDS] = {
#define SERIES_MEM(id, name, unit, help, ...) {name, unit, help, false},
#include "ctascope/series.def"
};
const struct series_row series_gpu_rows[SG_FIELDS] = {
#define SERIES_GPU(id, name, unit, help, ...) {name, unit, help, false},
#include "ctascope/series.def"
};
const struct view_row view_rows[1];
const unsigned n_view_rows = 0;

/* As in a table. */
void
export_column_name(const char *name, const char *unit, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s%s", name, unit[0] ? "_" : "", unit);
}

const char *const cycle_class_names[CC_CLASSES] = {"active",	 "stall", "blocked", "memory",
						   "dependence", "idle",  "gated"};
const char *const core_state_names[] = {"active", "draining", "throttled", "paused", "off"};

/* ---------------------------------------------------------------- the history */

static unsigned
limit_at(unsigned core, unsigned i)
{
	double x = 4 + 3.2 * sin((double)i / 11 + core * 0.21) * exp(-(double)i / 160) +
		   (core % 7 == 3 ? -1.5 : 0);

	return (unsigned)fmin(8, fmax(1, round(x)));
}

static unsigned
state_at(const struct sim *s, unsigned core, unsigned i)
{
	if (s->o.gating && core >= s->o.cores - 8 && i >= 60)
		return i < 66 + core % 4 ? CORE_DRAINING : CORE_OFF;
	return i == 0 && core > s->o.cores / 2 ? 5 : CORE_ACTIVE;
}

static double
credits_at(const struct sim *s, unsigned core, unsigned i)
{
	return s->o.credits ? fmax(-1, 24 - (double)(i / 4) - core % 3) : NAN;
}

static cycle_t
now(const struct sim *s)
{
	return (cycle_t)s->o.samples * SPAN;
}

/* What dyncta would say at the end of sample i. */
static void
decide(struct sim *s, unsigned i, unsigned core)
{
	unsigned old = limit_at(core, i), new = limit_at(core, i + 4);
	struct event ev = {.cycle = (cycle_t)(i + 1) * SPAN - 1,
			   .core = (int16_t)core,
			   .slot = 3,
			   .cta = i + 40,
			   .kind = new < old   ? EV_PAUSE
				   : new > old ? EV_LIMIT
					       : EV_PERIOD};

	ev.v[0] = new < old ? 812 : new > old ? 97 : 240;
	ev.v[1] = old;
	ev.v[2] = new;
	ev.limit_before = (uint8_t)old;
	ev.limit = (uint8_t) new;
	event_ring_add(s->ring, &ev);
}

static void
tell(struct sim *s)
{
	for (; s->told < s->o.samples; s->told++)
		for (unsigned core = 0; s->told % 4 == 3 && core < s->o.cores; core++)
			decide(s, s->told, core);
}

struct session *
fake_session(const struct fake_options *o)
{
	struct session *s = calloc(1, sizeof(*s));

	s->sim.o = *o;
	if (!s->sim.o.cores)
		s->sim.o.cores = 30;
	s->focus = 5;
	s->sim.ring = malloc(event_ring_size(EVENTS));
	event_ring_init(s->sim.ring, EVENTS);
	tell(&s->sim);
	return s;
}

void
fake_free(struct session *s)
{
	free(s->sim.ring);
	free(s);
}

void
fake_say(struct session *s, enum say kind, const char *line)
{
	if (s->n_log == LOG)
		return;
	s->kind[s->n_log] = kind;
	snprintf(s->log[s->n_log++], sizeof(s->log[0]), "%s", line);
}

/* ---------------------------------------------------------------- session.h */

enum session_status
session_exec(struct session *s ATTR_UNUSED, const char *line)
{
	return strcmp(line, "quit") == 0 ? SESSION_QUIT : SESSION_OK;
}

bool
session_collects(const struct session *s ATTR_UNUSED)
{
	return false;
}

bool
session_asks(const struct session *s ATTR_UNUSED)
{
	return false;
}

void
session_give_up(struct session *s ATTR_UNUSED)
{
}

struct sim *
session_sim(struct session *s)
{
	return &s->sim;
}

struct config *
session_config(struct session *s)
{
	return &s->sim.config;
}

bool
session_running(const struct session *s)
{
	return s->sim.o.running;
}

bool
session_ahead(const struct session *s)
{
	return s->sim.o.running && s->sim.o.pace;
}

bool
session_behind(const struct session *s ATTR_UNUSED, cycle_t *tip ATTR_UNUSED)
{
	return false;
}

bool
session_seeking(const struct session *s ATTR_UNUSED, double *done ATTR_UNUSED,
		double *left ATTR_UNUSED)
{
	return false;
}

void
session_pace(const struct session *s, bool brief, char *buf, size_t size)
{
	snprintf(buf, size, "%s", s->sim.o.pace ? s->sim.o.pace : "");
	if (brief && strstr(buf, "periods/s"))
		snprintf(strstr(buf, "periods/s"), 9, "per/s");
}

/* rr does 140 thread instructions in a cycle, the best fixed limit 236. */
bool
session_reference(const struct session *s, enum reference_kind kind, struct reference_view *v)
{
	static const struct reference_point rr[] = {{15000, 2100000}, {75000, 10500000}},
					    fixed[] = {{44500, 10500000}};
	bool all = s->sim.o.references == 2;

	if (!s->sim.o.references || (kind == REFERENCE_BEST && !all))
		return false;
	if (kind == REFERENCE_STACK)
		*v = (struct reference_view){.name = "rr",
					     .limit = NAN,
					     .measured = all,
					     .cycles = rr[all].cycle,
					     .insts = rr[all].insts,
					     .point = rr,
					     .n = all ? 2 : 1};
	else
		*v = (struct reference_view){.name = "static:n=3",
					     .limit = 3,
					     .measured = true,
					     .cycles = fixed->cycle,
					     .insts = fixed->insts,
					     .point = fixed,
					     .n = 1};
	return true;
}

void
session_reference_progress(const struct session *s, char *buf, size_t size)
{
	snprintf(buf, size, "%s", s->sim.o.references == 1 ? "rr 34 %, 12 s left, 7 more" : "");
}

uint64_t
sim_periods(const struct sim *s)
{
	return now(s) / PERIOD;
}

unsigned
session_beside(const struct session *s, int fd[SESSION_BESIDE])
{
	(void)s;
	(void)fd;
	return 0;
}

bool
session_beside_read(struct session *s)
{
	(void)s;
	return false;
}

void
session_beside_say(struct session *s)
{
	(void)s;
}

void
session_prompt(const struct session *s, char *buf, size_t size)
{
	unsigned long long c = now(&s->sim);

	if (c < 1000)
		snprintf(buf, size, "(ctascope %llu core %u) ", c, s->focus);
	else
		snprintf(buf, size, "(ctascope %llu,%03llu core %u) ", c / 1000, c % 1000,
			 s->focus);
}

unsigned
session_focus_core(const struct session *s)
{
	return s->focus;
}

void
session_set_focus_core(struct session *s, unsigned core)
{
	s->focus = core;
}

void
session_select(struct session *s, cycle_t from, cycle_t to)
{
	s->from = from;
	s->to = to;
}

bool
session_selection(const struct session *s, cycle_t *from, cycle_t *to)
{
	*from = s->from;
	*to = s->to;
	return s->to > 0;
}

bool
session_mouse(const struct session *s)
{
	return s->mouse;
}

void
session_set_mouse(struct session *s, bool on)
{
	s->mouse = on;
}

bool
session_core_has_stop(const struct session *s, unsigned core)
{
	(void)s;
	return core == 12;
}

const char *
session_last_stop(const struct session *s)
{
	(void)s;
	return "";
}

uint64_t
session_log_dropped(const struct session *s ATTR_UNUSED)
{
	return 0;
}

unsigned
session_log_count(const struct session *s)
{
	return s->n_log;
}

const char *
session_log_line(const struct session *s, unsigned i, enum say *kind)
{
	*kind = s->kind[i];
	return s->log[i];
}

/* ---------------------------------------------------------------- sim.h */

/* Two instructions of each line from 30 on; the last one has none. The file is not there. */
#define INST(i, n, what)                                                      \
	{                                                                     \
		.pc = 16 * (i), .file = (n) != 0, .line = (n), .text = (what) \
	}
static const struct inst insts[] = {
	INST(0, 30, "S2R R0"),	       INST(1, 30, "IMAD R2, R0, R1"),
	INST(2, 31, "ISETP.GE R2"),    INST(3, 31, "BRA"),
	INST(4, 34, "LDG.E R4, [R2]"), INST(5, 35, "IADD3 R5, R4, R3"),
	INST(6, 35, "LDG.E R6, [R5]"), INST(7, 36, "ISETP.NE R6"),
	INST(8, 36, "STG.E [R5], R7"), INST(9, 37, "BRA"),
	INST(10, 39, "ATOMG.ADD R8"),  INST(11, 0, "EXIT"),
};
static const char *const files[] = {"/nowhere/bfs-fake.cu"};
#define KERNEL(n)                                                                      \
	{                                                                              \
		.name = (n), .n_cta = 1954, .inst = insts, .n_inst = ARRAY_LEN(insts), \
		.files = files, .n_files = 1                                           \
	}
static const struct trace_kernel kernels[3] = {KERNEL("bfs_kernel"), KERNEL("bfs_kernel2"),
					       KERNEL("bfs_kernel")};

const struct trace_info *
sim_trace(const struct sim *s)
{
	static const struct trace_cmd cmd[20];
	static struct trace_info info = {.kernel = kernels,
					 .n_kernels = 3,
					 .cmd = cmd,
					 .n_cmds = 20};

	info.path = s->o.path ? s->o.path : "/traces/bfs.ctr";
	return &info;
}

const struct config *
sim_config(const struct sim *s)
{
	return &s->config;
}

static const struct cta_sched_ops ops[] = {{.name = "dyncta"}, {.name = "claso"}};

const struct cta_sched_ops *const *
config_stack(const struct config *c, unsigned *n)
{
	static const struct cta_sched_ops *const stack[] = {&ops[0], &ops[1]};

	(void)c;
	*n = ARRAY_LEN(stack);
	return stack;
}

const struct cta_sched_ops *
config_credit_policy(const struct config *c)
{
	(void)c;
	return &ops[1];
}

static const struct cta_gauge gauges[] = {
	{"C_mem", "cycles", "waiting", .low = "t_mem_l", .high = "t_mem_h", .per_core = true},
	{"C_idle", "cycles", "idle", .high = "t_idle", .per_core = true},
};

unsigned
sim_gauges(const struct sim *s)
{
	(void)s;
	return ARRAY_LEN(gauges);
}

void
sim_gauge_view(const struct sim *s, unsigned i, unsigned core, struct gauge_view *v)
{
	(void)s;
	*v = (struct gauge_view){.policy = &ops[0], .gauge = &gauges[i]};
	v->now = i == 0 ? (struct cta_reading){612, 128, 384}
			: (struct cta_reading){core == 7 ? 3 : 0, NAN, 16};
	v->last = i == 0 ? (struct cta_reading){1203, 128, 384} : v->now;
	v->last_end = now(s) >= PERIOD ? now(s) / PERIOD * PERIOD : CYCLE_NEVER;
	v->shown = v->now;
}

cycle_t
sim_period(const struct sim *s, cycle_t *done)
{
	*done = now(s) % PERIOD;
	return PERIOD;
}

const char *
config_policy_text(const struct config *c)
{
	(void)c;
	return "dyncta+claso";
}

cycle_t
sim_cycle(const struct sim *s)
{
	return now(s);
}

bool
sim_done(const struct sim *s)
{
	(void)s;
	return false;
}

unsigned
sim_instances(const struct sim *s, const char *group)
{
	return strcmp(group, "core") == 0 ? s->o.cores : strcmp(group, "sub") == 0 ? 4 : 1;
}

unsigned
sim_channels(const struct sim *s)
{
	(void)s;
	return 6;
}

unsigned
sim_kernels_started(const struct sim *s)
{
	return s->o.samples == 0 ? 0 : s->o.samples < 40 ? 1 : s->o.samples < 52 ? 2 : 3;
}

cycle_t
sim_kernel_start(const struct sim *s, unsigned ordinal)
{
	(void)s;
	return ordinal == 0 ? 0 : ordinal == 1 ? 40 * SPAN : 52 * SPAN;
}

cycle_t
sim_kernel_end(const struct sim *s, unsigned ordinal)
{
	return ordinal + 1 < sim_kernels_started(s) ? sim_kernel_start(s, ordinal + 1)
						    : CYCLE_NEVER;
}

const struct trace_kernel *
sim_kernel(const struct sim *s, unsigned ordinal)
{
	(void)s;
	return &kernels[ordinal];
}

unsigned
sim_warps(const struct sim *s)
{
	(void)s;
	return 4;
}

void
sim_warp_view(const struct sim *s, unsigned core, unsigned warp, struct warp_view *v)
{
	(void)s;
	*v = (struct warp_view){.status = WARP_MEMORY,
				.next = &insts[(core + 3 * warp) % 10],
				.cta = 40 + warp / 2,
				.warp_in_cta = warp % 2,
				.paused = warp == 3,
				.mask = warp == 2 ? 0xff : UINT32_MAX};
}

const char *const warp_status_names[] = {"free",       "ready",		 "memory",
					 "dependence", "barrier",	 "fence",
					 "atomic",     "no instruction", "draining"};

int
sim_past_on(struct sim *s, unsigned core, struct err *e)
{
	(void)s, (void)core, (void)e;
	return 0;
}

void
sim_past_off(struct sim *s)
{
	(void)s;
}

const uint8_t *
sim_past(const struct sim *s, cycle_t cycle)
{
	static uint8_t what[MAX_WARPS];

	(void)s;
	for (unsigned w = 0; w < MAX_WARPS; w++) {
		unsigned k = (unsigned)(cycle + 5 * w) % 23;
		what[w] = k == 0   ? WARP_READY | PAST_ISSUED
			  : k < 3  ? WARP_READY
			  : k < 6  ? WARP_DEPENDENCE
			  : k < 19 ? WARP_MEMORY
				   : WARP_UNFETCHED;
		if (w == 3)
			what[w] |= PAST_PAUSED;
	}
	return what;
}

bool
sim_place(const struct sim *s, unsigned core, unsigned *x, unsigned *y, unsigned *w, unsigned *h)
{
	(void)s, (void)core, (void)x, (void)y, (void)w, (void)h;
	return false;
}

int
sim_profile_on(struct sim *s, struct err *e)
{
	(void)s, (void)e;
	return 0;
}

bool
sim_profile_since(const struct sim *s, cycle_t *since)
{
	(void)s;
	if (since)
		*since = 1024;
	return true;
}

const struct inst_profile *
sim_profile(struct sim *s, uint32_t kernel)
{
	static struct inst_profile p[ARRAY_LEN(insts)];

	(void)s, (void)kernel;
	for (unsigned i = 0; i < ARRAY_LEN(insts); i++)
		p[i] = (struct inst_profile){.issued = 40000 - 3000 * i,
					     .lanes = (40000 - 3000 * i) * (32 - 2 * i),
					     .l1_accesses = i == 4 || i == 6 ? 5000 : 0,
					     .l1_misses = i == 4   ? 500
							  : i == 6 ? 4900
								   : 0,
					     .waits = {[WARP_READY] = 900 * i,
						       [WARP_MEMORY] =
							       i == 5 || i == 7 ? 300000 : 50},
					     .paused = i == 8 ? 90000 : 0};
	return p;
}

const struct event_ring *
sim_events(const struct sim *s)
{
	return s->ring;
}

int
sim_path(const struct sim *s, const char *path, uint64_t *id, struct err *e)
{
	(void)s, (void)path, (void)id;
	return err_set(e, "no paths here");
}

double
sim_value(const struct sim *s, uint64_t id, unsigned element)
{
	(void)s, (void)id, (void)element;
	return 0;
}

const char *
sim_value_name(const struct sim *s, uint64_t id, double v)
{
	(void)s, (void)id, (void)v;
	return NULL;
}

const struct rule *
sim_event_rule(const struct sim *s, const struct event *ev)
{
	static const struct rule r = {"rule", "", .value = {"c_mem", "old", "new"}};

	(void)s, (void)ev;
	return &r;
}

bool
sim_event_is_decision(const struct event *ev)
{
	return ev->kind != EV_SAMPLE;
}

static void
put_sentence(const struct event *ev, bool outcome, char *buf, size_t size)
{
	const char *cause = ev->kind == EV_PAUSE   ? "C_mem {c_mem} >= t_mem_h 384, {outcome}"
			    : ev->kind == EV_LIMIT ? "C_mem {c_mem} < t_mem_l 128, {outcome}"
						   : "t_mem_l 128 <= C_mem {c_mem} < t_mem_h 384, "
						     "{outcome}";
	const struct rule rule = {"", cause, .value = {"c_mem"}};
	size_t n = outcome ? rule_fill(cause, &rule, ev, buf, size)
			   : rule_fill_cause(cause, &rule, ev, buf, size);

	if (ev->kind == EV_PAUSE)
		snprintf(buf + n, size - n, ", paused CTA %u, the youngest of %d running", ev->cta,
			 (int)ev->v[1]);
}

void
sim_event_sentence(const struct sim *s, const struct event *ev, char *buf, size_t size)
{
	(void)s;
	put_sentence(ev, true, buf, size);
}

void
sim_event_cause(const struct sim *s, const struct event *ev, char *buf, size_t size)
{
	(void)s;
	put_sentence(ev, false, buf, size);
}

void
sim_event_text(const struct sim *s, const struct event *ev, char *buf, size_t size)
{
	size_t n =
		(size_t)snprintf(buf, size, "%s, core %d, cycle %llu: ", event_rows[ev->kind].name,
				 ev->core, (unsigned long long)ev->cycle);

	sim_event_sentence(s, ev, buf + n, size - n);
}

unsigned
series_count(const struct sim *s)
{
	return s->o.samples;
}

cycle_t
series_end(const struct sim *s, unsigned i)
{
	(void)s;
	return (cycle_t)(i + 1) * SPAN;
}

cycle_t
series_span(const struct sim *s, unsigned i)
{
	(void)s;
	(void)i;
	return SPAN;
}

uint32_t
series_kernel(const struct sim *s, unsigned i)
{
	(void)s;
	return i < 40 ? 0 : i < 52 ? 1 : 2;
}

uint64_t
series_generation(const struct sim *s)
{
	(void)s;
	return 0;
}

double
series_core(const struct sim *s, enum series_core_field f, unsigned core, unsigned i)
{
	unsigned n = limit_at(core, i), state = state_at(s, core, i);
	unsigned running = state == CORE_OFF || state == 5 ? 0
			   : state == CORE_DRAINING	   ? MIN(n, 2u)
							   : n;

	switch (f) {
	case SC_RUNNING:
		return running;
	case SC_RESIDENT:
		return running ? running + (limit_at(core, i) < limit_at(core, i > 4 ? i - 4 : 0))
			       : 0;
	case SC_LIMIT:
		return n;
	case SC_RACT:
		return running ? 0.5 + 0.45 * cos((double)i / 17 + core * 0.13) : 0;
	case SC_IPC:
		return running * 3.1 + core % 4;
	case SC_ACTIVE:
		return state == CORE_OFF ? 0 : 0.3 + 0.2 * sin((double)i / 9);
	case SC_STALL:
		return state == CORE_OFF ? 0 : 0.05;
	case SC_BLOCKED:
		return state == CORE_OFF ? 0 : 0.1;
	case SC_MEMORY:
		return state == CORE_OFF ? 0 : 0.35 - 0.2 * sin((double)i / 9);
	case SC_DEPEND:
		return state == CORE_OFF ? 0 : 0.15;
	case SC_IDLE:
		return state == CORE_OFF ? 0 : 0.05;
	case SC_GATED:
		return state == CORE_OFF;
	case SC_LAT_RT:
		return 300 + 40 * (double)n;
	case SC_MSHR:
		return n * 7 % 32;
	case SC_C_MEM:
		return running ? 40 + 97 * ((i * 3 + core) % 5) : 0;
	case SC_C_IDLE:
		return core == 7 ? 3 : 0;
	case SC_L1_MISS:
		return running ? 0.2 + 0.09 * n : NAN;
	case SC_CREDITS:
		return credits_at(s, core, i);
	case SC_STATE:
		return state;
	default:
		return NAN;
	}
}

double
series_mem(const struct sim *s, enum series_mem_field f, unsigned channel, unsigned i)
{
	(void)s;
	switch (f) {
	case SM_UTIL:
		return 0.5 + 0.4 * sin((double)i / 13 + channel);
	case SM_ROW_HIT:
		return 0.8 - 0.1 * (channel % 3);
	case SM_QUEUE:
		return (i * 5 + channel * 3) % 24;
	default:
		return NAN;
	}
}

double
series_gpu(const struct sim *s, enum series_gpu_field f, unsigned i)
{
	switch (f) {
	case SG_IPC:
		return (212.4 + 40 * sin((double)i / 9)) * (s->o.cores > 100 ? 20 : 1);
	case SG_RACT:
		return 0.47;
	case SG_CREDITS:
		return s->o.credits ? 12 : NAN;
	default:
		return NAN;
	}
}

bool
sim_sub_cores(const struct sim *s)
{
	(void)s;
	return true;
}

void
sim_sub_view(const struct sim *s, unsigned core, unsigned sub, struct sub_view *v)
{
	(void)s, (void)core;
	*v = (struct sub_view){.warps = 12,
			       .ready = sub,
			       .memory = 7,
			       .dependence = 5 - sub,
			       .issued = 4000 - 1000 * sub,
			       .stalled = 6000 + 1000 * sub};
}

void
sim_core_view(const struct sim *s, unsigned core, struct core_view *v)
{
	unsigned i = s->o.samples ? s->o.samples - 1 : 0, state = state_at(s, core, i);

	memset(v, 0, sizeof(*v));
	v->core = core;
	v->state = state == 5 ? CORE_ACTIVE : (enum core_state)state;
	v->n_max = 8;
	v->limit = limit_at(core, i);
	v->running = s->o.samples ? (uint32_t)series_core(s, SC_RUNNING, core, i) : 0;
	v->paused = v->running > 0 && core % 5 == 0;
	v->resident = v->running + v->paused;
	v->warps = 6 * v->resident;
	v->warps_ready = MIN(v->warps, 11u);
	v->warps_memory = v->warps - v->warps_ready;
	v->class_cycles[CC_ACTIVE] = 4700;
	v->class_cycles[CC_STALL] = 200;
	v->class_cycles[CC_BLOCKED] = 100;
	v->class_cycles[CC_MEMORY] = 3300;
	v->class_cycles[CC_DEPENDENCE] = 1100;
	v->class_cycles[CC_IDLE] = 600;
	v->period_c_mem = 612;
	v->period_c_idle = core == 7 ? 3 : 0;
	v->period_left = PERIOD - now(s) % PERIOD;
	v->ract = 0.47;
	v->ract_now = s->o.samples ? 0.51 : NAN;
	v->n_slots = 8;
	for (unsigned k = 0; k < v->resident && k < 8; k++)
		v->slot[k] = (struct cta_slot_view){.used = true,
						    .paused = k >= v->running,
						    .cta = 40 + k,
						    .warps = 6,
						    .warps_left = 6};
	v->has_credits = s->o.credits;
	v->credits_local = s->o.credits ? (int64_t)credits_at(s, core, i) : 0;
}

/* ---------------------------------------------------------------- pages */

/* The commands of a race and of two runs, which would bring the real machine with them. Here no
 * page is ever shown. */
#define NO_PAGE(fn)                                                                      \
	int fn(struct screen *s ATTR_UNUSED, const char *arg ATTR_UNUSED, struct err *e) \
	{                                                                                \
		return err_set(e, "no page is shown");                                   \
	}
NO_PAGE(race_do_run)
NO_PAGE(race_do_pause)
NO_PAGE(race_do_sample)
NO_PAGE(race_do_period)
NO_PAGE(race_do_advance)
NO_PAGE(race_do_pace)
NO_PAGE(race_do_series)
NO_PAGE(race_do_follow)
NO_PAGE(compare_do_fold)

/* Their panes, for the same reason. */
#define NO_PANE(pane)                                                          \
	const struct pane_ops pane_##pane = {.name = #pane,                    \
					     .help = "of a page",              \
					     .kind = PANE_PAGE,                \
					     .when = WHEN_RACE | WHEN_COMPARE, \
					     .draw = draw_nothing}
static void
draw_nothing(struct screen *s ATTR_UNUSED, struct pane_view *v ATTR_UNUSED,
	     struct canvas *c ATTR_UNUSED)
{
}
NO_PANE(lanes);
NO_PANE(results);
NO_PANE(difference);
NO_PANE(delta);
NO_PANE(shares);
NO_PANE(changes);

/* ---------------------------------------------------------------- lessons: none is open */

bool
session_has_lesson(const struct session *s ATTR_UNUSED)
{
	return false;
}

void
session_lesson_text(struct session *s ATTR_UNUSED, unsigned width ATTR_UNUSED,
		    lesson_line_fn *fn ATTR_UNUSED, void *to ATTR_UNUSED)
{
}

unsigned
session_lesson_question(struct session *s ATTR_UNUSED)
{
	return 0;
}
