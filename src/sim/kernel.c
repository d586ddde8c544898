/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernel.c - starts and ends kernels, and defines the order of actions after a cycle
 * (ctascope-model(7) 2).
 *
 * After every core cycle, in this order: CTAs that ended free their slots; periods of the policies
 * end; the policies decide which cores work; clusters request CTAs, at most one each, round robin
 * after the one served last; clusters without a warp invalidate their L1; the time series may close
 * a sample; a kernel may end and the next one begin. Of several kernels at once, the one in the
 * lowest place acts first.
 */
#include "base/human.h"
#include "base/plain_name.h"
#include "sim/sim_priv.h"

void
sim_emit(void *ctx, struct event *ev)
{
	struct sim *s = ctx;

	ev->cycle = s->machine->cycle;
	ev->kernel = s->stack.host->kernel;
	event_ring_add(s->events, ev);
	if (s->listen_mask & EV_BIT(ev->kind))
		s->listen(s->listen_ctx, ev);
}

static void
emit_host(struct sim *s, enum event_kind kind, enum host_rule rule, int64_t a, int64_t b, int64_t c)
{
	struct event ev = {.kind = (uint8_t)kind,
			   .core = -1,
			   .slot = -1,
			   .cta = UINT32_MAX,
			   .policy = POLICY_HOST,
			   .rule = (uint8_t)rule,
			   .v = {a, b, c}};

	sim_emit(s, &ev);
}

/* Updates which clusters the reference visits: those with a live warp, and all while CTAs are
 * left. The order of their cores rotates. */
static void
update_clusters(struct sim *s)
{
	struct machine *m = s->machine;
	const unsigned n = s->per_cluster, turn = (unsigned)(m->cycle % n);
	bool more = concurrent_has_ctas(s);

	if (n == 1) /* nothing rotates, and there may be more clusters than bits in a word */
		return;
	for (unsigned cl = 0; cl < s->n_clusters; cl++) {
		uint64_t bit = UINT64_C(1) << cl;
		bool on = more;

		for (unsigned j = 0; !on && j < n; j++)
			on = kernels_core(s, cl * n + j).resident;
		if (on == (m->cluster_on >> cl & 1))
			continue;
		m->rot[cl] = (uint8_t)((m->rot[cl] + (on ? n - turn : turn)) % n);
		m->cluster_on ^= bit;
	}
}

/* ---------------------------------------------------------------- kernels */

/* A copy to the device places its sectors in L2. Of a long copy only the end can remain there;
 * for the rest only the clocks of the slices advance. */
static void
warm_l2(struct sim *s, const struct trace_cmd *c)
{
	const struct mem_cfg *k = &s->cfg->mem;
	uint64_t room = 4ull * s->n_slices * s->cfg->l2.sets * s->cfg->l2.assoc * s->cfg->l2.line;
	uint64_t from = c->bytes > room ? (c->bytes - room) / SECTOR * SECTOR : 0, local;

	if (!k->memcpy_warms_l2)
		return;
	for (unsigned i = 0; i < s->n_slices; i++)
		slice_warm_past(&s->slice[i], from / SECTOR / s->n_slices);
	for (uint64_t i = from; i < c->bytes; i += SECTOR) {
		uint64_t a = c->addr + i;

		if (k->memcpy_32bit)
			a &= UINT32_MAX;
		slice_warm(&s->slice[addr_route(&s->map, a, &local)], a, s->machine->cycle);
	}
}

static bool
decode_kernel(struct sim *s, uint32_t k)
{
	const struct trace_kernel *t = &s->info->kernel[k];

	if (!s->dinst[k])
		s->dinst[k] = core_decode_kernel(&s->cfg->core, t, s->cfg->ldst.sectored);
	if (!s->dinst[k]) {
		err_of(&s->failure, ERR_MEMORY, "out of memory for the instructions of kernel %u",
		       t->id);
		return false;
	}
	issued_mark(s, k);
	profile_kernel(s, k);
	if (s->concurrent) {
		concurrent_load_code(s, k);
		return true;
	}
	for (unsigned i = 0; i < s->n_cores; i++) {
		s->core[i].di = s->dinst[k];
		ldst_set_kernel(&s->core[i].ldst, t->threads_per_cta, s->machine->n_max,
				s->n_cores);
		ldst_set_ways(&s->core[i].ldst, (uint64_t)t->shmem * s->machine->n_max);
	}
	return true;
}

/* ---------------------------------------------------------------- states of cores */

static void
apply_states(struct sim *s)
{
	if (!cta_merge_states(&s->stack))
		return;
	if (s->concurrent) {
		err_set(&s->failure,
			"a policy of '%.80s' changes the state of cores, which kernels that run "
			"together share; set gpu.concurrent_kernels to 1",
			s->cfg->policy);
		return;
	}
	for (unsigned c = 0; c < s->n_cores; c++) {
		core_settle(&s->core[c], s->machine->cycle);
		core_set_state(&s->core[c], s->stack.host->core[c].state);
		sim_wake_core(s, c);
	}
	s->sleep->ask = 1;
}

/* Lets the policies act on the whole GPU if one of them has a reason to. */
void
kernel_act(struct sim *s, bool ended)
{
	if (cta_acts(&s->stack)) {
		ctas_show_counters(s);
		cta_act(&s->stack, ended);
		if (cta_take_forget(&s->stack))
			for (unsigned c = 0; c < s->n_cores; c++)
				ldst_forget_runs(&s->core[c].ldst, s->machine->cycle);
		s->sleep->ask = 1; /* time alone may have changed the answer of a policy */
	}
	apply_states(s);
	s->sleep->look_at = 0;
}

static uint32_t
ctas_per_core(const struct config *cfg, const struct trace_kernel *t, struct cta_limits *limits)
{
	const struct core_cfg *c = &cfg->core;
	uint32_t n = cta_occupancy(t, c->threads, c->registers, c->shmem, c->max_ctas, limits);

	return MIN(n, (uint32_t)(c->threads / WARP_SIZE) / t->warps_per_cta);
}

uint32_t
config_ctas_per_core(const struct config *c, const struct trace_kernel *k)
{
	struct cta_limits limits;

	return ctas_per_core(c, k, &limits);
}

/* ---------------------------------------------------------------- a kernel that does not fit */

struct machine_search {
	const struct trace_kernel *kernel;
	char name[48]; /* the first machine that has room */
};

static int
on_machine(void *ctx, const char *name, const char *title ATTR_UNUSED)
{
	struct machine_search *f = ctx;
	struct config *c = config_new();
	struct err e = {0};
	bool fits = c && config_machine(c, name, &e) == 0 && config_ctas_per_core(c, f->kernel) > 0;

	if (fits)
		snprintf(f->name, sizeof(f->name), "%s", name);
	config_free(c);
	return fits;
}

/* Describes what a block needs, what a core of this machine has, and a machine with room for the
 * block. */
static void
explain_misfit(const struct sim *s, const struct trace_kernel *t, const struct cta_limits *l,
	       struct err *e)
{
	const struct core_cfg *c = &s->cfg->core;
	struct machine_search found = {.kernel = t};
	char advice[128] = "it fits on no shipped machine", a[HUMAN], b[HUMAN];
	unsigned long long need = t->threads_per_cta, has = (unsigned long long)c->threads;
	const char *what = "threads", *option = "threads";
	char name[PLAIN_NAME];

	if (!l->shmem) {
		need = t->shmem;
		has = (unsigned long long)c->shmem;
		what = "bytes of shared memory";
		option = "shmem";
	} else if (!l->registers) {
		need = (unsigned long long)t->threads_per_cta * t->regs;
		has = (unsigned long long)c->registers;
		what = option = "registers";
	}
	if (config_each_machine(on_machine, &found))
		snprintf(advice, sizeof(advice), "it fits on %s (-c %s)", found.name, found.name);
	err_set(e,
		"kernel %u '%.120s' does not fit on a core of machine %.80s: a CTA needs %s %s, "
		"core.%s is %s; %s",
		t->id, plain_name(t->name, name, sizeof(name)), config_machine_name(s->cfg),
		human(a, need), what, option, human(b, has), advice);
}

/* Is a small grid spread over all cores? Not if the kernel has only some of them: how many changes
 * while it runs, and N does not. Taking turns spreads its CTAs over them (ctascope-model(7) 2.15).
 * Accel-Sim does not do it either where several kernels run (2.16).
 */
static bool
is_balanced(const struct sim *s)
{
	const uint8_t share = s->cfg->gpu.kernel_share;

	return s->cfg->gpu.balance &&
	       !(s->concurrent && (share == SHARE_SPATIAL || share == SHARE_ACCELSIM));
}

static uint32_t
count_ctas(const struct sim *s, uint32_t kernel, bool balanced, struct cta_limits *limits)
{
	const struct trace_kernel *t = &s->info->kernel[kernel];
	uint32_t n = ctas_per_core(s->cfg, t, limits);

	if (balanced && t->n_cta < (uint64_t)n * s->n_cores)
		n = (uint32_t)((t->n_cta + s->n_cores - 1) / s->n_cores);
	return n;
}

/* N: the CTAs of a kernel that fit on a core, lowered where the grid is small. */
uint32_t
kernel_most_ctas(const struct sim *s, uint32_t kernel, struct cta_limits *limits)
{
	return count_ctas(s, kernel, is_balanced(s), limits);
}

/* The shared memory by which L1 is sized. Accel-Sim spreads a small grid for this purpose only. */
uint64_t
kernel_shared_need(const struct sim *s, uint32_t kernel)
{
	struct cta_limits limits;
	bool balanced =
		s->cfg->gpu.kernel_share == SHARE_ACCELSIM ? s->cfg->gpu.balance : is_balanced(s);

	return (uint64_t)s->info->kernel[kernel].shmem * count_ctas(s, kernel, balanced, &limits);
}

uint32_t
sim_most_ctas(const struct sim *s, uint32_t kernel)
{
	struct cta_limits limits;

	return kernel_most_ctas(s, kernel, &limits);
}

/* Gives the kernel of a command a free place, if there are places, and selects it. */
static void
take_place(struct sim *s, uint32_t cmd, uint32_t n_max, const struct cta_limits *limits)
{
	unsigned place = concurrent_free_place(s);

	s->machine->launched = s->machine->cycle;
	s->machine->n_max = n_max;
	s->machine->limits = *limits;
	if (!s->concurrent)
		return;
	s->concurrent->place[place] = (struct running_kernel){.launched = s->machine->cycle,
							      .runs = 1,
							      .cmd = cmd,
							      .n_max = n_max,
							      .limits = *limits};
	ready_start(s->plan, s->ready, cmd);
	concurrent_select(s, place);
}

/* Kernels are numbered as in the trace. Of several at once a later one may start first. */
static void
note_start(struct sim *s, uint32_t kernel)
{
	struct machine *m = s->machine;
	struct kernel_run run = {.start = CYCLE_NEVER, .end = CYCLE_NEVER};

	for (; m->ordinal <= kernel; m->ordinal++) {
		run.kernel = m->ordinal;
		if (m->ordinal >= MAX_KERNELS_KEPT)
			continue; /* none of the others is kept */
		s->kernels[m->ordinal] = run;
		if (s->concurrent)
			s->work[m->ordinal] = (struct kernel_work){.first_cta = CYCLE_NEVER};
	}
	if (kernel < MAX_KERNELS_KEPT)
		s->kernels[kernel].start = m->cycle;
}

static void
launch_kernel(struct sim *s, uint32_t cmd)
{
	const uint32_t k = s->info->cmd[cmd].kernel;
	const struct trace_kernel *t = &s->info->kernel[k];
	struct machine *m = s->machine;
	struct cta_limits limits;
	uint32_t n = kernel_most_ctas(s, k, &limits);

	if (!n) {
		explain_misfit(s, t, &limits, &s->failure);
		return;
	}
	take_place(s, cmd, n, &limits);
	if (!decode_kernel(s, k))
		return;
	for (unsigned i = 0; i < s->n_cores && !s->concurrent; i++)
		core_begin_kernel(&s->core[i]);
	ctas_show_counters(s);
	m->running++;
	note_start(s, k);
	s->sleep->ask = 1;
	cta_kernel(&s->stack, k, k, t->n_cta, n);
	emit_host(s, EV_KERNEL, HR_KERNEL_START, t->id, (int64_t)t->n_cta, n);
	kernel_act(s, false);
	update_clusters(s);
}

/* Runs the commands that may begin, while there is a place for a kernel. */
static void
launch_concurrent(struct sim *s)
{
	struct machine *m = s->machine;
	uint32_t cmd;

	while (!s->failure.set && concurrent_free_place(s) != s->n_places &&
	       (cmd = ready_next(s->plan, s->ready)) != READY_NONE) {
		if (s->info->cmd[cmd].kind == TRACE_KERNEL) {
			launch_kernel(s, cmd);
		} else {
			warm_l2(s, &s->info->cmd[cmd]);
			ready_end(s->plan, s->ready, cmd);
		}
	}
	concurrent_select_oldest(s);
	m->cmd = s->ready->issued;
	m->done = !m->running && ready_is_over(s->plan, s->ready);
}

void
kernel_launch_next(struct sim *s)
{
	struct machine *m = s->machine;

	if (s->concurrent) {
		launch_concurrent(s);
		return;
	}
	while (!m->running && !s->failure.set && m->cmd < s->info->n_cmds) {
		const struct trace_cmd *c = &s->info->cmd[m->cmd++];

		if (c->kind == TRACE_MEMCPY_H2D)
			warm_l2(s, c);
		else if (c->kind == TRACE_KERNEL)
			launch_kernel(s, (uint32_t)(c - s->info->cmd));
	}
	if (!m->running && m->cmd == s->info->n_cmds)
		m->done = 1;
}

/* Ends the selected kernel, which is in this place. */
static void
end_kernel(struct sim *s, unsigned place)
{
	struct machine *m = s->machine;
	const struct cta_host *h = s->stack.host;

	if (h->ordinal < MAX_KERNELS_KEPT)
		s->kernels[h->ordinal].end = m->cycle;
	found_keep(s);
	emit_host(s, EV_KERNEL, HR_KERNEL_END, s->info->kernel[h->kernel].id,
		  (int64_t)(m->cycle - m->launched), 0);
	m->running--;
	m->warp_insts_before += s->info->kernel[h->kernel].warp_insts;
	if (!s->concurrent)
		return;
	s->concurrent->place[place].runs = 0;
	ready_end(s->plan, s->ready, s->concurrent->place[place].cmd);
}

static void
end_kernels(struct sim *s)
{
	bool ended = false;

	if (!s->machine->running)
		return;
	for (unsigned i = 0; concurrent_select_next(s, &i); i++) {
		if (s->stack.host->done != s->stack.host->n_cta)
			continue;
		end_kernel(s, i);
		ended = true;
	}
	if (!ended)
		return;
	kernel_launch_next(s);
	if (s->machine->done && s->machine->cycle > s->sleep->sample_start)
		series_close_sample(s);
}

/* ---------------------------------------------------------------- after a cycle */

/* Invalidates the L1 of the cores of a cluster whose last warp has retired. */
static void
empty_clusters(struct sim *s, const uint64_t freed[2])
{
	for (unsigned cl = 0; cl < s->n_clusters && s->cfg->ldst.flush_l1; cl++) {
		bool touched = false, live = false;

		for (unsigned j = 0; j < s->per_cluster; j++) {
			unsigned i = cl * s->per_cluster + j;

			touched |= freed[i / 64] >> i % 64 & 1;
		}
		for (unsigned j = 0; touched && j < s->per_cluster; j++)
			live |= core_has_warps(s->core[cl * s->per_cluster + j].core);
		for (unsigned j = 0; touched && !live && j < s->per_cluster; j++)
			ldst_flush_l1(&s->core[cl * s->per_cluster + j].ldst);
	}
}

/* Is the selected kernel launched, so that clusters may ask for its CTAs? */
static bool
has_launched(const struct sim *s)
{
	const struct machine *m = s->machine;

	return m->running && m->cycle > m->launched + s->cfg->gpu.launch_latency;
}

void
kernel_after_cycle(struct sim *s)
{
	struct machine *m = s->machine;
	struct sleepers *z = s->sleep;
	const uint64_t freed[2] = {z->freed[0], z->freed[1]};
	bool changed = freed[0] | freed[1];
	cycle_t due = CYCLE_NEVER;

	for (unsigned word = 0; word < 2 && changed; word++) {
		for (uint64_t k = freed[word]; k; k &= k - 1)
			ctas_free(s, word * 64 + (unsigned)__builtin_ctzll(k));
		z->freed[word] = 0;
	}
	for (unsigned i = 0; concurrent_select_next(s, &i); i++)
		if (unlikely(changed || m->cycle >= cta_next_due(&s->stack))) {
			ctas_end_periods(s);
			kernel_act(s, changed);
		}
	if (z->ask && (s->concurrent || has_launched(s))) {
		ctas_ask(s);
		changed = true;
	}
	if (changed) {
		update_clusters(s);
		empty_clusters(s, freed);
	}
	if (unlikely(s->orders_warps))
		warps_ask(s);
	concurrent_select_oldest(s);
	if (unlikely(m->cycle >= s->sleep->next_sample))
		series_close_sample(s);
	if (changed)
		end_kernels(s);
	for (unsigned i = 0; concurrent_select_next(s, &i); i++)
		due = MIN(due, cta_next_due(&s->stack));
	concurrent_select_oldest(s);
	z->look_at = MIN(z->next_sample, due);
	if (unlikely(s->orders_warps))
		z->look_at = MIN(z->look_at, cta_next_order(&s->stack));
	if (unlikely(s->failure.set))
		s->stop = true;
}

/* After a restore: rebuilds everything outside the arena that follows from its contents. */
void
kernel_attach(struct sim *s)
{
	warps_attach(s);
	if (s->concurrent)
		s->stack.host = s->host[s->concurrent->selected];
	for (unsigned i = 0; s->machine->ordinal && concurrent_select_next(s, &i); i++)
		if (!decode_kernel(s, s->stack.host->kernel))
			return;
	concurrent_select_oldest(s);
	if (s->machine->ordinal)
		ctas_attach(s);
}
