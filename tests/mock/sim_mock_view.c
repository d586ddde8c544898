/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim_mock_view.c - the toy machine as seen through sim.h: paths, structs, events.
 */
#include "tests/mock/sim_mock.h"

#include "base/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------- the program it runs */

static const struct inst insts[MOCK_INSTS] = {
	{.pc = 0x00,
	 .cls = OP_ALU,
	 .n_dst = 1,
	 .dst = {1},
	 .line = 10,
	 .file = 1,
	 .text = "S2R R1, SR_TID.X"},
	{.pc = 0x10,
	 .cls = OP_LOAD,
	 .space = SPACE_GLOBAL,
	 .width = 4,
	 .n_dst = 1,
	 .dst = {4},
	 .n_src = 1,
	 .src = {2},
	 .line = 11,
	 .file = 1,
	 .text = "LDG.E R4, [R2]"},
	{.pc = 0x20,
	 .cls = OP_SP,
	 .n_dst = 1,
	 .dst = {5},
	 .n_src = 2,
	 .src = {4, 1},
	 .line = 12,
	 .file = 1,
	 .text = "FMUL R5, R4, R1"},
	{.pc = 0x30,
	 .cls = OP_STORE,
	 .space = SPACE_GLOBAL,
	 .width = 4,
	 .n_src = 2,
	 .src = {2, 5},
	 .line = 13,
	 .file = 1,
	 .text = "STG.E [R2], R5"},
	{.pc = 0x40, .cls = OP_BRANCH, .line = 14, .file = 1, .text = "BRA 0x10"},
	{.pc = 0x50, .cls = OP_EXIT, .line = 15, .file = 1, .text = "EXIT"},
};
static const char *const files[] = {"toy.cu"};

const struct trace_kernel mock_kernel[MOCK_KERNELS] = {
	{.name = "first",
	 .id = 1,
	 .grid = {96, 1, 1},
	 .block = {64, 1, 1},
	 .regs = 20,
	 .n_cta = 96,
	 .binary_version = 70,
	 .threads_per_cta = 64,
	 .warps_per_cta = 2,
	 .inst = insts,
	 .n_inst = MOCK_INSTS,
	 .files = files,
	 .n_files = 1,
	 .warp_insts = 600,
	 .thread_insts = 19200},
	{.name = "second",
	 .id = 2,
	 .grid = {24, 2, 1},
	 .block = {64, 1, 1},
	 .regs = 40,
	 .shmem = 8192,
	 .n_cta = 48,
	 .binary_version = 70,
	 .threads_per_cta = 64,
	 .warps_per_cta = 2,
	 .inst = insts,
	 .n_inst = MOCK_INSTS,
	 .files = files,
	 .n_files = 1,
	 .warp_insts = 300,
	 .thread_insts = 9600},
};
static const struct trace_cmd cmds[] = {{.kind = TRACE_KERNEL, .kernel = 0},
					{.kind = TRACE_KERNEL, .kernel = 1}};
static const struct trace_info info = {.path = "mock.ctr",
				       .kernel = mock_kernel,
				       .n_kernels = MOCK_KERNELS,
				       .cmd = cmds,
				       .n_cmds = 2,
				       .digest = 0x0123456789abcdef};

const struct trace_info *
sim_trace(const struct sim *s ATTR_UNUSED)
{
	return &info;
}

const struct config *
sim_config(const struct sim *s)
{
	return s->config;
}

cycle_t
sim_cycle(const struct sim *s)
{
	return s->st.cycle;
}

uint64_t
sim_digest(struct sim *s)
{
	uint64_t h = s->st.cycle * UINT64_C(0x9e3779b97f4a7c15);

	for (unsigned c = 0; c < MOCK_CORES; c++) {
		h = (h ^ s->st.core[c].limit) * UINT64_C(0x9e3779b97f4a7c15);
		h = (h ^ (uint64_t)s->st.core[c].credits) * UINT64_C(0x9e3779b97f4a7c15);
		h = (h ^ s->st.core[c].warp_insts) * UINT64_C(0x9e3779b97f4a7c15);
	}
	return h ^ s->st.done_all;
}

void
sim_progress(const struct sim *s, uint64_t *done, uint64_t *total)
{
	*done = s->st.done_all;
	*total = mock_kernel[0].n_cta + mock_kernel[1].n_cta;
}

/* ---------------------------------------------------------------- paths */

enum {
	G_CYCLES,
	G_WARP,
	G_THREAD,
	G_IPC,
	G_RACT,
	G_UTIL,
	G_ISSUED,
	G_DONE,
	G_IDLE,
	C_N,
	C_RES,
	C_RUN,
	C_PAUSED,
	C_RACT,
	C_CMEM,
	C_CIDLE,
	C_INSTS,
	L1_ACC,
	L1_MISS,
	M_READS,
	K_DONE,
	K_NAME,
	CR_LOCAL,
	CR_GLOBAL,
	P_LIMIT
};

const struct view_row view_rows[] = {
	[G_CYCLES] = {"gpu", "cycles", "cycles", "core cycles simulated", true},
	[G_WARP] = {"gpu", "warp_insts", "instructions", "warp instructions issued", true},
	[G_THREAD] = {"gpu", "thread_insts", "instructions", "thread instructions issued", true},
	[G_IPC] = {"gpu", "ipc", "thread instructions/cycle", "thread instructions per cycle",
		   false},
	[G_RACT] = {"gpu", "ract", "ratio", "share of active cycles, averaged over cores", false},
	[G_UTIL] = {"gpu", "util", "ratio", "share of cycles in which a core holds a CTA", false},
	[G_ISSUED] = {"gpu", "ctas_issued", "CTAs", "CTAs handed to cores", true},
	[G_DONE] = {"gpu", "ctas_done", "CTAs", "CTAs that have ended", true},
	[G_IDLE] = {"gpu", "idle_cycles", "cycles", "idle cycles, all cores", true},
	[C_N] = {"core", "n", "CTAs", "limit of running CTAs", false},
	[C_RES] = {"core", "resident", "CTAs", "resident CTAs", false},
	[C_RUN] = {"core", "running", "CTAs", "running CTAs", false},
	[C_PAUSED] = {"core", "paused", "CTAs", "paused CTAs", false},
	[C_RACT] = {"core", "ract", "ratio", "share of active cycles", false},
	[C_CMEM] = {"core", "c_mem", "cycles", "memory cycles of the period", false},
	[C_CIDLE] = {"core", "c_idle", "cycles", "idle cycles of the period", false},
	[C_INSTS] = {"core", "warp_insts", "instructions", "warp instructions issued", true},
	[L1_ACC] = {"l1", "accesses", "accesses", "L1 data cache accesses", true},
	[L1_MISS] = {"l1", "misses", "accesses", "L1 data cache misses", true},
	[M_READS] = {"mem", "reads", "commands", "DRAM reads", true},
	[K_DONE] = {"kernel", "ctas_done", "CTAs", "CTAs of the running kernel that have ended",
		    false},
	[K_NAME] = {"kernel", "ctas", "CTAs", "CTAs of the running kernel", false},
	[CR_LOCAL] = {"credits", "local", "credits", "local credits of a core", false},
	[CR_GLOBAL] = {"credits", "global", "credits", "global credits", false},
	[P_LIMIT] = {"policy", "dyncta.limit", "CTAs", "dyncta's limit of a core", false},
};
const unsigned n_view_rows = ARRAY_LEN(view_rows);

unsigned
sim_instances(const struct sim *s ATTR_UNUSED, const char *group)
{
	if (strcmp(group, "core") == 0 || strcmp(group, "l1") == 0)
		return MOCK_CORES;
	if (strcmp(group, "mem") == 0)
		return MOCK_CHANNELS;
	return strcmp(group, "gpu") == 0 || strcmp(group, "kernel") == 0;
}

/* Instances of a row, 0 when the path has no index. */
static unsigned
row_width(const struct sim *s, unsigned row)
{
	unsigned n = sim_instances(s, view_rows[row].group);

	return row == CR_LOCAL || row == P_LIMIT ? MOCK_CORES : n > 1 ? n : 0;
}

static void
row_path(const struct sim *s, unsigned row, const char *index, char *buf, size_t size)
{
	const struct view_row *r = &view_rows[row];

	if (row == CR_LOCAL || row == P_LIMIT)
		snprintf(buf, size, "%s.%s.%s", r->group, r->field, index);
	else if (row_width(s, row))
		snprintf(buf, size, "%s.%s.%s", r->group, index, r->field);
	else
		snprintf(buf, size, "%s.%s", r->group, r->field);
}

int
sim_path(const struct sim *s, const char *path, uint64_t *id, struct err *e)
{
	const char *names[ARRAY_LEN(view_rows)], *near[3];
	char text[ARRAY_LEN(view_rows)][64], one[64], list[200] = "";
	unsigned n;

	for (unsigned r = 0; r < n_view_rows; r++) {
		row_path(s, r, "*", text[r], sizeof(text[r]));
		names[r] = text[r];
		if (strcmp(text[r], path) == 0)
			return *id = (uint64_t)r << 16 | 0xffff,
			       row_width(s, r) ? (int)row_width(s, r) : 1;
		for (unsigned i = 0; i < row_width(s, r); i++) {
			char index[16];

			snprintf(index, sizeof(index), "%u", i);
			row_path(s, r, index, one, sizeof(one));
			if (strcmp(one, path) == 0)
				return *id = (uint64_t)r << 16 | i, 1;
		}
	}
	n = near_names(path, names, n_view_rows, near, 3);
	for (unsigned i = 0; i < n; i++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s",
			 i ? ", " : "; did you mean ", near[i]);
	return err_set(e, "unknown name '%s'%s%s", path, list, n ? "?" : "");
}

static double
ratio(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

static double
core_ract(const struct mock_core *c)
{
	return ratio((double)c->cls[CC_ACTIVE],
		     (double)(c->cls[CC_ACTIVE] + c->cls[CC_MEMORY] + c->cls[CC_IDLE]));
}

static double
gpu_value(const struct sim *s, unsigned row)
{
	const struct mock_state *st = &s->st;
	double issued = 0, idle = 0, active = 0, ract = 0;

	for (unsigned c = 0; c < MOCK_CORES; c++) {
		issued += (double)st->core[c].warp_insts;
		idle += (double)st->core[c].cls[CC_IDLE];
		active += (double)(st->core[c].cls[CC_ACTIVE] + st->core[c].cls[CC_MEMORY]);
		ract += core_ract(&st->core[c]) / MOCK_CORES;
	}
	switch (row) {
	case G_CYCLES:
		return (double)st->cycle;
	case G_WARP:
		return issued;
	case G_THREAD:
		return 32 * issued;
	case G_IPC:
		return ratio(32 * issued, (double)st->cycle);
	case G_RACT:
		return ract;
	case G_UTIL:
		return ratio(active, MOCK_CORES * (double)st->cycle);
	case G_ISSUED:
		return (double)st->issued_all;
	case G_DONE:
		return (double)st->done_all;
	default:
		return idle;
	}
}

double
sim_value(const struct sim *s, uint64_t id, unsigned element)
{
	unsigned row = (unsigned)(id >> 16),
		 i = (id & 0xffff) == 0xffff ? element : (unsigned)(id & 0xffff);
	const struct mock_core *c = &s->st.core[i % MOCK_CORES];
	uint32_t running, n = mock_resident(c, &running);

	if (row <= G_IDLE)
		return gpu_value(s, row);
	switch (row) {
	case C_N:
	case P_LIMIT:
		return c->limit;
	case C_RES:
		return n;
	case C_RUN:
		return running;
	case C_PAUSED:
		return n - running;
	case C_RACT:
		return core_ract(c);
	case C_CMEM:
		return (double)c->c_mem;
	case C_CIDLE:
		return (double)c->c_idle;
	case C_INSTS:
		return (double)c->warp_insts;
	case L1_ACC:
		return (double)(c->warp_insts / 4);
	case L1_MISS:
		return (double)(c->warp_insts / 16);
	case M_READS:
		return (double)(s->st.cycle / 8 + i);
	case K_DONE:
		return s->st.done;
	case K_NAME:
		return s->st.started ? (double)mock_kernel[s->st.started - 1].n_cta : NAN;
	case CR_LOCAL:
		return s->config->use_claso ? (double)c->credits : NAN;
	default:
		return s->config->use_claso ? (double)s->st.credits_global : NAN;
	}
}

void
sim_each_path(const struct sim *s, void (*fn)(void *, const char *, const char *, const char *),
	      void *ctx)
{
	char path[64], index[16];

	for (unsigned r = 0; r < n_view_rows; r++) {
		row_path(s, r, "*", path, sizeof(path));
		fn(ctx, path, view_rows[r].unit, view_rows[r].help);
		for (unsigned i = 0; i < row_width(s, r); i++) {
			snprintf(index, sizeof(index), "%u", i);
			row_path(s, r, index, path, sizeof(path));
			fn(ctx, path, view_rows[r].unit, view_rows[r].help);
		}
	}
}

/* ---------------------------------------------------------------- structs */

const char *const cycle_class_names[CC_CLASSES] = {"active",	 "stall", "memory",
						   "dependence", "idle",  "gated"};
const char *const core_state_names[] = {"active", "draining", "throttled", "paused", "off"};
const char *const warp_status_names[] = {"free",   "ready",  "memory",	  "dependence", "barrier",
					 "membar", "atomic", "unfetched", "draining"};

void
sim_core_view(const struct sim *s, unsigned core, struct core_view *v)
{
	const struct mock_core *c = &s->st.core[core];
	uint32_t running;

	*v = (struct core_view){.core = core,
				.cluster = core / 2,
				.n_max = mock_n_max(s),
				.limit = c->limit};
	v->resident = mock_resident(c, &running);
	v->running = running;
	v->paused = v->resident - running;
	v->warps = 2 * v->resident;
	v->warps_ready = 2 * running;
	v->warps_memory = 2 * v->paused;
	memcpy(v->class_cycles, c->cls, sizeof(v->class_cycles));
	v->period_c_mem = c->c_mem;
	v->period_c_idle = c->c_idle;
	v->period_left = CYCLE_NEVER;
	if (s->config->use_dyncta)
		v->period_left = s->config->dyncta.period - s->st.cycle % s->config->dyncta.period;
	v->ract = core_ract(c);
	v->ract_now = s->st.n_samples ? s->st.sample[s->st.n_samples - 1].core[core][SC_RACT] : NAN;
	v->warp_insts = c->warp_insts;
	v->thread_insts = 32 * c->warp_insts;
	v->mshr_max = 64;
	v->n_slots = MOCK_SLOTS;
	for (unsigned i = 0; i < MOCK_SLOTS; i++) {
		const struct mock_slot *t = &c->slot[i];
		struct cta_slot_view *o = &v->slot[i];

		if (!t->used)
			continue;
		*o = (struct cta_slot_view){.used = true,
					    .paused = t->paused,
					    .cta = t->cta,
					    .warps_left = 2,
					    .warps = 2,
					    .issued = t->issued};
		for (unsigned j = 0; j < MOCK_SLOTS; j++)
			o->order += c->slot[j].used && c->slot[j].order_key < t->order_key;
	}
	v->has_credits = s->config->use_claso;
	v->credits_local = c->credits;
}

unsigned
sim_warps(const struct sim *s ATTR_UNUSED)
{
	return MOCK_WARPS;
}

void
sim_warp_view(const struct sim *s, unsigned core, unsigned warp, struct warp_view *v)
{
	const struct mock_slot *t = &s->st.core[core].slot[warp / 2];

	*v = (struct warp_view){.wait_reg = 255};
	if (!t->used)
		return;
	v->status = (s->st.cycle / 16 + core) % 3 == 0 ? WARP_MEMORY : WARP_READY;
	v->paused = t->paused;
	v->cta = t->cta;
	v->warp_in_cta = warp % 2;
	v->total = 33;
	v->done = t->left < 33 ? 33 - t->left : 0;
	v->next = &insts[v->done % MOCK_INSTS];
	v->mask = 0xffffffff;
	v->wait_reg = v->status == WARP_MEMORY ? 4 : 255;
}

unsigned
sim_channels(const struct sim *s ATTR_UNUSED)
{
	return MOCK_CHANNELS;
}

void
sim_mem_view(const struct sim *s, unsigned channel, struct mem_view *v)
{
	*v = (struct mem_view){.queue = (unsigned)(s->st.cycle + channel) % 5,
			       .queue_max = 16,
			       .banks = 4,
			       .reads = s->st.cycle / 8 + channel,
			       .writes = s->st.cycle / 32,
			       .row_hits = s->st.cycle / 16,
			       .row_misses = s->st.cycle / 32,
			       .activates = s->st.cycle / 32,
			       .busy = s->st.cycle / 4};
	for (unsigned b = 0; b < 4; b++) {
		v->bank[b].open = s->st.cycle > 8 && b != 3;
		v->bank[b].row = 100 + b;
		v->bank[b].queued = (unsigned)(s->st.cycle + b) % 3;
	}
}

void
sim_why_not(const struct sim *s, unsigned core, struct refusal_view *v)
{
	const struct mock_core *c = &s->st.core[core];
	uint32_t running, n = mock_resident(c, &running);

	*v = (struct refusal_view){.kind = REFUSE_NONE};
	if (!s->st.running)
		snprintf(v->text, sizeof(v->text), "no kernel runs"), v->kind = REFUSE_NO_KERNEL;
	else if (s->st.issued >= mock_kernel[s->st.started - 1].n_cta)
		snprintf(v->text, sizeof(v->text), "no CTA is left: all %u of kernel %u are issued",
			 s->st.issued, s->st.started),
			v->kind = REFUSE_NO_CTA;
	else if (n != running)
		snprintf(v->text, sizeof(v->text), "%u paused CTAs wait and come first",
			 n - running),
			v->kind = REFUSE_PAUSED;
	else if (n >= mock_n_max(s))
		snprintf(v->text, sizeof(v->text),
			 "%u CTAs of 64 threads fill the %u threads of the core", n, 64 * n),
			v->kind = REFUSE_THREADS;
	else if (running >= c->limit)
		snprintf(v->text, sizeof(v->text), "dyncta's limit: %u running CTAs >= %u", running,
			 c->limit),
			v->kind = REFUSE_LIMIT;
	else if (s->config->use_claso && c->credits < 0)
		snprintf(v->text, sizeof(v->text), "local credits %jd are below zero",
			 (intmax_t)c->credits),
			v->kind = REFUSE_LOCAL_CREDIT;
	else
		snprintf(v->text, sizeof(v->text), "it would take CTA %u in this cycle or the next",
			 s->st.issued);
}

/* ---------------------------------------------------------------- events */

const struct event_ring *
sim_events(const struct sim *s)
{
	return s->ring;
}

const struct rule *
sim_event_rule(const struct sim *s ATTR_UNUSED, const struct event *ev)
{
	return &mock_rules[ev->rule];
}

const char *
sim_event_policy(const struct sim *s ATTR_UNUSED, const struct event *ev)
{
	return ev->policy == POLICY_HOST ? "host" : ev->policy ? "claso" : "dyncta";
}

bool
sim_event_is_decision(const struct event *ev)
{
	return ev->kind != EV_KERNEL && ev->kind != EV_CTA_DONE && ev->kind != EV_SAMPLE &&
	       ev->kind != EV_PERIOD;
}

void
sim_event_text(const struct sim *s, const struct event *ev, char *buf, size_t size)
{
	const struct rule *r = sim_event_rule(s, ev);
	size_t n = (size_t)snprintf(buf, size, "%s, ", event_rows[ev->kind].name);

	if (ev->core >= 0)
		n += (size_t)snprintf(buf + n, size - n, "core %d, ", ev->core);
	if (ev->kind == EV_CTA_ISSUE || ev->kind == EV_CTA_DONE)
		n += (size_t)snprintf(buf + n, size - n, "CTA %u, ", ev->cta);
	n += (size_t)snprintf(buf + n, size - n, "cycle %ju: ", (uintmax_t)ev->cycle);
	for (const char *p = r->fmt; *p && n + 24 < size; p++) {
		if (*p != '{')
			buf[n++] = *p;
		else
			n += (size_t)snprintf(buf + n, size - n, "%jd",
					      (intmax_t)ev->v[p[1] - '0']),
				p += 2;
	}
	buf[n] = '\0';
}

static const struct cta_sched_ops ops[] = {
	{.name = "rr", .help = "round robin up to what fits"},
	{.name = "dyncta",
	 .help = "a limit per core from its memory and idle cycles",
	 .rules = mock_rules,
	 .n_rules = MR_RULES},
	{.name = "claso", .help = "admission by local and global credits"},
};
static const struct cta_sched_ops *const all_ops[] = {&ops[0], &ops[1], &ops[2]};

const char *
sim_value_name(const struct sim *s, uint64_t id, double v)
{
	(void)s, (void)id, (void)v;
	return NULL;
}

const struct cta_sched_ops *const *
cta_sched_list(unsigned *n)
{
	*n = ARRAY_LEN(all_ops);
	return all_ops;
}
