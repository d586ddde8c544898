/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * build.c - lays out the machine in its arena and wires the units together.
 *
 * The layout is walked twice: first to count bytes (arena NULL), then to set pointers. The walk
 * also records which stretch of the arena belongs to which part of the machine.
 */
#include "base/pages.h"
#include "sim/sim_priv.h"
#include "sim/threads.h"
#include "trace/trace.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct layout {
	char *base; /* NULL: only counting */
	size_t at;
	struct extent *extent; /* NULL: only counting */
	unsigned n_extents;
};

enum {
	HOST_WAY = 4096,    /* bytes of one way of the host's first cache */
	UNIT_STEP = 23 * 64 /* from one unit to the next, modulo HOST_WAY */
};

/* Everything placed from here on belongs to this part. */
static void
begin_part(struct layout *l, enum sim_part part, unsigned unit)
{
	if (l->extent)
		l->extent[l->n_extents] = (struct extent){l->at, (uint16_t)unit, (uint8_t)part};
	l->n_extents++;
}

static void *
place_bytes(struct layout *l, size_t bytes)
{
	void *p = l->base ? l->base + l->at : NULL;

	l->at += (bytes + 63) & ~(size_t)63;
	return p;
}

/* Ends the state of a core, slice or channel, which began at `from`: the next one follows at an odd
 * number of cache lines modulo HOST_WAY. At a multiple of HOST_WAY, the same field of all units
 * would share one set of the host's first cache. */
static void
space_units(struct layout *l, size_t from)
{
	size_t beyond = (l->at - from) % HOST_WAY;

	l->at += (HOST_WAY + UNIT_STEP - beyond) % HOST_WAY;
}

static void *
place_part(struct layout *l, enum sim_part part, unsigned unit, size_t bytes)
{
	begin_part(l, part, unit);
	return place_bytes(l, bytes);
}

static struct fifo *
place_fifo(struct layout *l, uint32_t cap)
{
	struct fifo *f = place_bytes(l, fifo_bytes(cap));

	if (f)
		fifo_init(f, cap);
	return f;
}

static void
place_cache(struct layout *l, struct tags *t, struct mshr *m, const struct cache_cfg *k,
	    bool keeps_bytes)
{
	void *tags = place_bytes(l, tags_bytes(k, keeps_bytes)),
	     *regs = place_bytes(l, mshr_bytes(k));

	if (!tags)
		return;
	tags_init(t, k, keeps_bytes, tags);
	mshr_init(m, k, regs);
}

static void
place_net(struct sim *s, struct layout *l, struct net_env *n, bool reply)
{
	const struct noc_cfg *k = &s->cfg->noc;
	unsigned n_in = reply ? s->n_slices : s->n_clusters,
		 n_out = reply ? s->n_clusters : s->n_slices;
	struct net *net = place_bytes(l, sizeof(*net));
	void *room = place_bytes(l, net_bytes(k, n_in, n_out));

	*n = (struct net_env){.cfg = k,
			      .net = net,
			      .map = &s->mesh,
			      .n_in = n_in,
			      .n_out = n_out,
			      .req = s->req,
			      .reply = reply,
			      .cluster_of = s->cluster_of};
	for (unsigned i = 0; i < n_in; i++)
		n->in[i] = (struct port){place_fifo(l, k->in_buffer),
					 net ? &net->in_mask[i / 64] : NULL, UINT64_C(1) << i % 64};
	for (unsigned o = 0; o < n_out; o++)
		n->out[o] =
			(struct port){place_fifo(l, k->out_buffer),
				      net ? &net->out_mask[o / 64] : NULL, UINT64_C(1) << o % 64};
	if (net)
		net_init(n, room);
}

static void
place_core(struct sim *s, struct layout *l, unsigned i)
{
	const struct config *k = s->cfg;
	struct core_env *e = &s->core[i];
	size_t from = l->at;
	struct core *c = place_part(l, PART_CORES, i, core_bytes(&k->core));
	struct cache_cfg l1d = k->l1d;
	struct ldst *u;
	struct tags *l1 = &s->tags[CORE_CACHES * i], *l1i = l1 + L1_KINDS;
	struct mshr *l1_m = &s->mshrs[CORE_CACHES * i], *l1i_m = l1_m + L1_KINDS;

	u = place_part(l, PART_L1, i, ldst_bytes(&k->ldst));
	if (k->ldst.sectored)
		l1d.assoc = 1; /* its lines are in the load/store unit */
	place_cache(l, &l1[L1_DATA], &l1_m[L1_DATA], &l1d, k->ldst.wrbk_written_bytes);
	place_cache(l, &l1[L1_TEX], &l1_m[L1_TEX], &k->l1t, false);
	place_cache(l, &l1[L1_CONST], &l1_m[L1_CONST], &k->l1c, false);
	place_cache(l, l1i, l1i_m, &k->l1i, false);
	s->resp[i] = place_fifo(l, k->ldst.response_buffer);
	begin_part(l, PART_CORES, i);
	*e = (struct core_env){.core = c,
			       .shape = &s->shape,
			       .stream = &s->stream[i * MAX_WARPS],
			       .l1i = l1i,
			       .l1i_mshr = l1i_m,
			       .l1i_missq = place_fifo(l, k->l1i.miss_queue),
			       .id = (uint16_t)i,
			       .sched_state = place_bytes(l, s->shape.sched->state_size *
								     k->core.schedulers)};
	e->ldst = (struct ldst_env){.cfg = &k->ldst,
				    .map = &s->map,
				    .unit = u,
				    .tags = l1,
				    .mshr = l1_m,
				    .miss_queue = (uint8_t)k->l1d.miss_queue,
				    .resp = s->resp[i],
				    .out = &s->request.in[s->cluster_of[i]],
				    .pool = sim_pool_of(s, i),
				    .req = s->req,
				    .core = (uint16_t)i,
				    .sectored = k->ldst.sectored,
				    .whole = k->noc.reply == NOC_REPLY_LINE,
				    .ways = (uint16_t)k->l1d.assoc,
				    .reg_banks = (uint8_t)k->core.reg_banks};
	if (k->core.sub_cores) {
		e->ldst.reg_banks = (uint8_t)(k->core.reg_banks / CORE_SUBS);
		e->ldst.sub_last = CORE_SUBS - 1;
	}
	if (c)
		core_init(e);
	space_units(l, from);
}

static void
place_memory(struct sim *s, struct layout *l)
{
	const struct mem_cfg *k = &s->cfg->mem;

	dram_timing_init(&s->dram_timing, k);
	for (unsigned i = 0; i < s->n_slices; i++) {
		struct slice_env *e = &s->slice[i];
		struct tags *t = &s->tags[CORE_CACHES * s->n_cores + i];
		struct mshr *m = &s->mshrs[CORE_CACHES * s->n_cores + i];
		size_t from = l->at;

		begin_part(l, PART_L2, i);
		*e = (struct slice_env){.cfg = k,
					.map = &s->map,
					.slice = place_bytes(l,
							     slice_bytes(k, s->cfg->l2.miss_queue)),
					.tags = t,
					.mshr = m,
					.request = s->request.out[i],
					.reply_mask = s->machine ? &s->machine->l2_out_mask : NULL,
					.id = (uint8_t)i,
					.whole = s->cfg->noc.reply == NOC_REPLY_LINE,
					.pool = s->pool ? &s->pool[POOL_L2] : NULL,
					.core_pool = s->pool,
					.pool_from = s->pool_from,
					.req = s->req,
					.channel = (uint8_t)(i / k->slices)};
		place_cache(l, t, m, &s->cfg->l2, true);
		if (e->slice)
			slice_init(e, s->cfg->l2.miss_queue);
		space_units(l, from);
	}
	for (unsigned i = 0; i < s->n_channels; i++) {
		struct channel_env *e = &s->channel[i];
		size_t from = l->at;

		*e = (struct channel_env){.cfg = k,
					  .map = &s->map,
					  .c = place_part(l, PART_DRAM, i, channel_bytes()),
					  .timing = &s->dram_timing,
					  .slice = &s->slice[i * k->slices],
					  .slice_bit = UINT64_C(1) << i * k->slices};
		if (e->c)
			channel_init(e);
		space_units(l, from);
	}
}

/* Who loaded the lines of each core's L1 data cache: for display, so after the machine's state. */
static void
place_owners(struct sim *s, struct layout *l)
{
	size_t n = ldst_places(&s->cfg->ldst, &s->cfg->l1d);

	for (unsigned i = 0; i < s->n_cores; i++)
		s->tags[CORE_CACHES * i + L1_DATA].owners =
			place_bytes(l, sizeof(struct line_owners) + n * sizeof(uint32_t));
}

/* The most CTAs that a kernel of the workload has. */
static uint64_t
largest_kernel(const struct sim *s)
{
	uint64_t n = 0;

	for (uint32_t k = 0; k < s->info->n_kernels; k++)
		n = MAX(n, s->info->kernel[k].n_cta);
	return n;
}

/* What several kernels at once need besides; nothing otherwise. */
static void
place_concurrent(struct sim *s, struct layout *l)
{
	s->host[0] = s->stack.host;
	if (s->n_places < 2)
		return;
	s->concurrent = place_part(l, PART_CLOCK, 0, sizeof(*s->concurrent));
	s->ready = place_bytes(l, ready_bytes(s->plan));
	s->work = place_bytes(l, MAX_KERNELS_KEPT * sizeof(*s->work));
	begin_part(l, PART_POLICY, 0);
	for (unsigned i = 1; i < s->n_places; i++)
		s->host[i] = place_bytes(l, STACK_ROOM);
}

static void
place_all(struct sim *s, struct layout *l)
{
	s->machine = place_part(l, PART_CLOCK, 0, sizeof(*s->machine));
	s->pool = place_part(l, PART_REQUESTS, 0, POOLS * sizeof(*s->pool));
	s->kernels = place_part(l, PART_CLOCK, 0, MAX_KERNELS_KEPT * sizeof(*s->kernels));
	s->stack.host = place_part(l, PART_POLICY, 0, STACK_ROOM);
	begin_part(l, PART_NOC, 0);
	place_net(s, l, &s->request, false);
	place_net(s, l, &s->reply, true);
	for (unsigned i = 0; i < s->n_clusters; i++)
		s->eject[i] = place_fifo(l, s->cfg->noc.ejection_buffer);
	for (unsigned i = 0; i < s->n_cores; i++)
		place_core(s, l, i);
	place_memory(s, l);
	place_concurrent(s, l);
	s->model_bytes = l->at;
	s->sleep = place_bytes(l, sizeof(*s->sleep));
	s->events = place_bytes(l, event_ring_size(s->cfg->run.events));
	s->series = place_bytes(l, series_bytes());
	place_owners(s, l);
	for (unsigned i = 0; i < s->n_places; i++)
		s->order[i] = place_bytes(l, cta_order_bytes(largest_kernel(s)));
	s->stack.order = s->order[0];
	s->former = place_bytes(l, sizeof(*s->former));
	s->arena_bytes = l->at;
}

static uint64_t
greatest_common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t t = a % b;

		a = b;
		b = t;
	}
	return a;
}

/* Sets the periods of the four clocks. Normally these are whole numbers of a common unit,
 * derived from the clocks in kHz, so that sums are exact up to 2^53 units. With clock_float they
 * are seconds, added up with rounding as in the reference. */
static void
set_clocks(struct sim *s)
{
	const struct machine_cfg *g = &s->cfg->gpu;
	const double mhz[4] = {g->clock_core, g->clock_noc, g->clock_l2, g->clock_dram};
	double *period[4] = {&s->period_core, &s->period_noc, &s->period_l2, &s->period_dram};
	uint64_t lcm = 1;

	for (unsigned i = 0; i < 4; i++) {
		uint64_t khz = (uint64_t)(mhz[i] * 1000 + 0.5);

		lcm = lcm / greatest_common_divisor(lcm, khz) * khz;
	}
	for (unsigned i = 0; i < 4; i++)
		*period[i] = g->clock_float ? 1 / (mhz[i] * 1e6)
					    : (double)(lcm / (uint64_t)(mhz[i] * 1000 + 0.5));
}

static void
set_map(struct sim *s)
{
	const struct mem_cfg *k = &s->cfg->mem;

	s->map = (struct addrmap){.bank_bits = k->bank_bits,
				  .row_bits = k->row_bits,
				  .channels = k->channels,
				  .slices = k->slices,
				  .hash_n = k->slice_hash ? config_hashed_slices(k) : 0};
	if (k->channels & (k->channels - 1)) { /* the bit of the slice takes part, too */
		s->map.channel_shift = CHANNELS_ODD;
	} else {
		s->map.channel_shift = (uint32_t)__builtin_ctz(k->channels);
		s->map.hash_shift = k->slices - 1;
	}
	while (1u << s->map.chunk_shift < k->chunk)
		s->map.chunk_shift++;
	s->map.slice_bit = k->bank_bits ? (uint32_t)__builtin_ctzll(k->bank_bits) : 0;
	for (unsigned i = 0; i < s->n_cores; i++) {
		s->cluster_of[i] = (uint8_t)(i / s->per_cluster);
		s->cluster_end[i] = (uint8_t)((s->cluster_of[i] + 1) * s->per_cluster);
	}
}

/* Zeroed memory in which each element begins at a line of the host's cache. */
static void *
alloc_lines(size_t n, size_t size)
{
	void *p = aligned_alloc(64, n * size);

	return p ? memset(p, 0, n * size) : NULL;
}

static int
allocate_tables(struct sim *s, struct err *e)
{
	s->core = alloc_lines(s->n_cores, sizeof(*s->core));
	s->slice = alloc_lines(s->n_slices, sizeof(*s->slice));
	s->channel = alloc_lines(s->n_channels, sizeof(*s->channel));
	s->resp = calloc(s->n_cores, sizeof(*s->resp));
	s->eject = calloc(s->n_clusters, sizeof(*s->eject));
	s->tags = alloc_lines(CORE_CACHES * s->n_cores + s->n_slices, sizeof(*s->tags));
	s->mshrs = alloc_lines(CORE_CACHES * s->n_cores + s->n_slices, sizeof(*s->mshrs));
	s->dinst = calloc(MAX(1, s->info->n_kernels), sizeof(*s->dinst));
	s->stream = calloc(s->n_cores * MAX_WARPS, sizeof(*s->stream));
	s->pin = calloc(s->n_cores, sizeof(*s->pin));
	if (!s->core || !s->slice || !s->channel || !s->resp || !s->eject || !s->tags ||
	    !s->mshrs || !s->dinst || !s->stream || !s->pin)
		return err_of(e, ERR_MEMORY, "out of memory for %u cores", s->n_cores);
	return 0;
}

static void *
reserve_pages(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
#ifdef MADV_HUGEPAGE
	madvise(p, bytes, MADV_HUGEPAGE); /* avoids page table misses */
#endif
	return p;
}

static void
begin_pool(struct req_pool *p, uint32_t first, uint32_t n)
{
	*p = (struct req_pool){.free = REQ_NONE, .first = first, .high = first, .end = first + n};
}

int
sim_lay_out_stack(const struct sim *s, struct cta_stack *next, struct err *e)
{
	const struct config *c = s->cfg;
	const struct cta_sched_ops *const *o = config_stack(c, &next->n);

	for (unsigned i = 0; i < next->n; i++)
		next->policy[i] =
			(struct cta_policy){.ops = o[i], .opts = config_policy_opts(c, o[i])};
	cta_stack_layout(next, s->n_cores);
	if (next->bytes > STACK_ROOM)
		return err_set(e, "the policies '%s' need %zu bytes of state, expected at most %d",
			       c->policy, next->bytes, STACK_ROOM);
	return 0;
}

static void
divide_cores(struct sim *s)
{
	unsigned half = (s->n_clusters + 1) / 2, quarter = half + (s->n_clusters - half) / 2;

	s->pool_from[POOL_THIRD_QUARTER] = (uint16_t)(half * s->per_cluster);
	s->pool_from[POOL_LAST_QUARTER] = (uint16_t)(quarter * s->per_cluster);
}

int
sim_build(struct sim *s, struct err *e)
{
	const struct config *k = s->cfg;
	const unsigned wsched = config_wsched_index(k);
	struct layout l = {0};

	s->n_clusters = k->gpu.clusters;
	s->per_cluster = k->gpu.cores_per_cluster;
	s->n_cores = s->n_clusters * s->per_cluster;
	divide_cores(s);
	s->n_channels = k->mem.channels;
	s->n_slices = k->mem.channels * k->mem.slices;
	if (allocate_tables(s, e) < 0)
		return -1;
	if (sim_lay_out_stack(s, &s->stack, e) < 0)
		return -1;
	s->req_bytes = (size_t)POOLS * k->run.max_requests * sizeof(struct req);
	s->req = reserve_pages(s->req_bytes);
	if (!s->req)
		return err_of(e, ERR_MEMORY, "out of memory: cannot reserve %zu bytes for requests",
			      s->req_bytes);
	set_map(s);
	ctas_order_clusters(s);
	set_clocks(s);
	if (k->noc.type == NOC_MESH)
		net_mesh_place(&s->mesh, &k->noc, s->n_clusters, s->n_slices);
	s->shape = (struct core_shape){.cfg = &k->core,
				       .sched = wsched_table[wsched],
				       .sched_opts = k->wsched_opts[wsched]};
	core_shape_init(&s->shape);
	if (concurrent_plan(s, e) < 0)
		return -1;
	place_all(s, &l);
	l.base = s->arena = reserve_pages(l.at);
	l.extent = s->extent = calloc(l.n_extents, sizeof(*s->extent));
	if (!s->arena || !s->extent)
		return err_of(e, ERR_MEMORY, "out of memory: the machine needs %zu bytes", l.at);
	s->n_extents = l.n_extents;
	l.at = l.n_extents = 0;
	place_all(s, &l);
	for (unsigned i = 0; i < s->n_slices; i++)
		s->slice[i].channel_awake = &s->sleep->channel_awake;
	for (unsigned i = 0; i < s->n_channels; i++)
		s->channel[i].slice_awake = &s->sleep->slice_awake;
	s->machine->last_cluster = s->n_clusters - 1; /* the first CTA goes to cluster 0, core 0 */
	memset(s->machine->last_core, (int)s->per_cluster - 1, sizeof(s->machine->last_core));
	for (unsigned i = 0; i < POOLS; i++)
		begin_pool(s->pool + i, i * k->run.max_requests, k->run.max_requests);
	s->stack.emit = sim_emit;
	s->stack.emit_ctx = s;
	s->stack.eyes = &policy_eyes;
	for (unsigned i = s->n_places; i--;) {
		s->stack.host = s->host[i];
		cta_stack_start(&s->stack, s->n_cores);
		s->stack.host->round_trip = roundtrip_cycles(k);
	}
	if (concurrent_build(s, e) < 0)
		return -1;
	s->threads = threads_new(s);
	warps_attach(s);
	event_ring_init(s->events, k->run.events);
	trace_set_cache(s->trace, (uint64_t)k->run.trace_cache << 20);
	if (series_init(s) < 0)
		return err_of(e, ERR_MEMORY, "out of memory for the time series");
	return 0;
}

void
sim_unbuild(struct sim *s)
{
	for (unsigned c = 0; s->arena && c < s->n_cores; c++)
		for (unsigned i = 0; i < MAX_CTAS; i++)
			if (s->pin[c][i])
				trace_unpin(s->trace, concurrent_kernel_of(s, c, i), s->pin[c][i]);
	concurrent_unbuild(s);
	threads_free(s->threads);
	for (unsigned i = 0; s->dinst && i < s->info->n_kernels; i++)
		free(s->dinst[i]);
	sim_profile_off(s);
	sim_past_off(s);
	samples_free(&s->samples);
	image_free(s->image);
	snapshot_setting_changed(s);
	if (s->arena)
		munmap(s->arena, s->arena_bytes);
	if (s->req)
		munmap(s->req, s->req_bytes);
	free(s->extent);
	free(s->core);
	free(s->slice);
	free(s->channel);
	free(s->resp);
	free(s->eject);
	free(s->tags);
	free(s->mshrs);
	free(s->dinst);
	free(s->stream);
	free(s->pin);
}
