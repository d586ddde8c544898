/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dram.c - one DRAM channel: requests come in, banks serve them, data goes out, one command cycle
 * at a time (ctascope-model(7) 11).
 *
 * When a command is legal is the business of dram_timing.c, which request a bank serves next that
 * of frfcfs.c. Timers are kept as the cycle from which they permit, so that cycles in which nothing
 * can happen need not be visited: after an idle cycle the channel sleeps to the earliest cycle at
 * which a command could become legal or data arrives.
 */
#include "mem/mem_part.h"

size_t
channel_bytes(void)
{
	return sizeof(struct channel);
}

void
channel_init(struct channel_env *e)
{
	const struct mem_cfg *k = e->cfg;
	struct channel *c = e->c;

	for (unsigned i = 0; i < DRAM_QUEUE; i++)
		c->r[i].next = (uint16_t)(i + 1 < DRAM_QUEUE ? i + 1 : DRAM_NONE);
	for (unsigned b = 0; b < DRAM_BANKS; b++) {
		c->bank[b].cur = c->bank[b].head = c->bank[b].tail = DRAM_NONE;
		c->bank[b].group = (uint16_t)DRAM_TIMER(DRAM_AT_GROUP, b & (k->bank_groups - 1));
	}
	c->intake = DRAM_NONE;
	c->last_slice = (uint8_t)(k->slices - 1);
	e->credits = k->sched_queue + k->return_queue - (k->slices - 1);
	while (c->late_mask + 1 < MIN(e->credits + k->slices, DRAM_QUEUE))
		c->late_mask = c->late_mask * 2 + 1;
	dram_timing_init(&e->timing, k);
	e->bank_rows = 1u << __builtin_popcountll(k->bank_bits);
	e->bank_rows = (e->bank_rows + k->banks - 1) / k->banks;
}

/* ---------------------------------------------------------------- credits */

static bool
has_credit(const struct channel_env *e, unsigned slice)
{
	return !e->c->private_credit[slice] || e->c->shared_credit < e->credits;
}

static void
borrow_credit(struct channel *c, unsigned slice, uint64_t x)
{
	if (!c->in_channel)
		c->pending_from = x;
	if (!c->private_credit[slice])
		c->private_credit[slice] = 1;
	else
		c->shared_credit++;
	c->in_channel++;
}

static void
return_credit(struct channel *c, unsigned slice, uint64_t x)
{
	if (c->private_credit[slice])
		c->private_credit[slice] = 0;
	else
		c->shared_credit--;
	if (!--c->in_channel)
		c->st.pending += x - c->pending_from;
	c->st.served++;
}

static void
give_back(struct channel *c, unsigned id)
{
	c->r[id].next = c->free;
	c->free = (uint16_t)id;
}

/* ---------------------------------------------------------------- ways out */

static void
return_one(struct channel_env *e, uint64_t x)
{
	struct channel *c = e->c;
	uint32_t id;
	struct slice_env *s;

	id = fifo_front(e->returns);
	s = &e->slice[c->r[id].slice];
	if (ring_full(&s->s->from_dram))
		return; /* it drains every L2 cycle */
	tags_prefetch_line(s->tags, s->mshr->e[c->r[id].handle].index);
	ring_push(&s->s->from_dram, s->from_dram, c->r[id].handle);
	*e->slice_awake |= e->slice_bit << c->r[id].slice;
	return_credit(c, c->r[id].slice, x);
	give_back(c, id);
	fifo_pop(e->returns);
}

static void
deliver(struct channel_env *e, uint64_t x)
{
	struct channel *c = e->c;
	const struct dram_out *o = &c->out[c->out_head % ARRAY_LEN(c->out)];
	struct dram_req *r;

	if (fifo_full(e->returns)) {
		c->slip++; /* the pipe stands still */
		return;
	}
	if (!c->out_n || o->at != x - c->slip)
		return;
	r = &c->r[o->id];
	if (r->write) {
		struct slice_env *s = &e->slice[r->slice];

		req_give(s->pool, s->req, r->handle & ~HANDLE_WRITE);
		return_credit(c, r->slice, x);
		give_back(c, o->id);
	} else {
		__builtin_prefetch(&e->slice[r->slice].mshr->e[r->handle]);
		fifo_push(e->returns, o->id);
	}
	c->out_head++;
	c->out_n--;
}

/* ---------------------------------------------------------------- scheduling */

/* What the bank's current request needs next. */
static void
see_need(struct channel *c, unsigned bank)
{
	struct dram_bank *b = &c->bank[bank];
	const struct dram_req *r = &c->r[b->cur];

	c->columns &= ~(UINT64_C(1) << bank);
	if (!b->open) {
		b->need = DRAM_ACTIVATE;
	} else if (b->row != r->row) {
		b->need = DRAM_PRECHARGE;
	} else {
		b->need = r->write ? DRAM_WRITE : DRAM_READ;
		c->columns |= UINT64_C(1) << bank;
	}
}

/* The bank gets a request to serve. */
static void
serve_next(struct channel *c, unsigned bank)
{
	struct dram_bank *b = &c->bank[bank];

	b->cur = (uint16_t)frfcfs_take(c, bank);
	c->serving |= UINT64_C(1) << bank;
	see_need(c, bank);
	if (b->need == DRAM_ACTIVATE)
		c->st.row_misses++;
	else if (b->need == DRAM_PRECHARGE)
		c->st.row_conflicts++;
	else
		c->st.row_hits++;
}

/* Of the banks m that serve none one gets a request, the first from the priority pointer on. */
static void
schedule(struct channel_env *e, uint64_t m)
{
	struct channel *c = e->c;
	uint64_t after = m & (~UINT64_C(0) << c->prio);
	unsigned bank = (unsigned)__builtin_ctzll(after ? after : m);

	serve_next(c, bank);
	c->prio = (uint8_t)(c->prio + 1u == e->cfg->banks ? 0 : c->prio + 1);
	c->cmd_at = 0;
}

/* ---------------------------------------------------------------- commands */

static void
column(struct channel_env *e, unsigned j, uint64_t x)
{
	const struct mem_cfg *k = e->cfg;
	struct channel *c = e->c;
	struct dram_bank *b = &c->bank[j];
	struct dram_req *r = &c->r[b->cur];

	dram_given(e, j, r->write ? DRAM_WRITE : DRAM_READ, x);
	c->last_out = MAX(x - c->slip + (r->write ? k->tWL : k->tCL), c->last_out + 1);
	if (r->write)
		c->st.writes++;
	else
		c->st.reads++;
	c->st.busy += k->burst;
	r->bytes = (uint16_t)(r->bytes > k->atom ? r->bytes - k->atom : 0);
	if (!r->bytes) {
		c->out[(c->out_head + c->out_n++) % ARRAY_LEN(c->out)] =
			(struct dram_out){.at = c->last_out, .id = b->cur};
		b->cur = DRAM_NONE;
		c->serving &= ~(UINT64_C(1) << j);
	}
}

static void
row_command(struct channel_env *e, unsigned j, uint64_t x)
{
	struct channel *c = e->c;
	struct dram_bank *b = &c->bank[j];

	dram_given(e, j, (enum dram_cmd)b->need, x);
	if (b->need == DRAM_ACTIVATE) {
		b->open = 1;
		b->row = c->r[b->cur].row;
		c->st.activates++;
	} else {
		b->open = 0;
		c->st.precharges++;
	}
	see_need(c, j);
	c->prio = (uint8_t)(j + 1 == e->cfg->banks ? 0 : j + 1);
}

/* Banks with a request by their distance from the priority pointer, which is where the scan starts.
 */
static uint64_t
from_prio(const struct channel_env *e)
{
	const struct channel *c = e->c;

	return (c->serving >> c->prio | c->serving << (e->cfg->banks - c->prio) % 64) &
	       (~UINT64_C(0) >> (64 - e->cfg->banks));
}

/* A column command has been given in cycle x: no bank can have another command before. */
static uint64_t
after_column(const struct channel *c, uint64_t x)
{
	const uint64_t *at = &c->at[DRAM_AT_CHANNEL];

	return c->serving & ~c->columns ? x + 1 : MAX(x + 1, MIN(at[DRAM_READ], at[DRAM_WRITE]));
}

/* One column command and, if it comes first in the scan, one row command. Banks are scanned from
 * the priority pointer, which a row command moves in mid-scan. */
static void
command(struct channel_env *e, uint64_t x)
{
	struct channel *c = e->c;
	unsigned banks = e->cfg->banks;
	uint64_t next = CYCLE_NEVER, left, pipe;
	bool row = false;

	left = from_prio(e);
	pipe = c->last_out + c->slip < e->cfg->tCL + 1u ? 0 : c->last_out + c->slip - e->cfg->tCL;
	while (left) {
		unsigned i = (unsigned)__builtin_ctzll(left), k = i + c->prio;
		unsigned j = k < banks ? k : k - banks;
		bool is_column = c->bank[j].need >= DRAM_READ;
		uint64_t at = dram_legal_at(e, j);

		left &= left - 1;
		if (is_column) /* room in the data pipe */
			at = MAX(at, pipe);
		if (at > x) {
			next = MIN(next, at);
		} else if (is_column) {
			column(e, j, x);
			c->cmd_at = after_column(c, x);
			return;
		} else if (!row) {
			row_command(e, j, x);
			row = true;
			left = from_prio(e) & ~((UINT64_C(2) << i) - 1);
		}
	}
	c->cmd_at = row ? x + 1 : MAX(next, x + 1);
}

/* ---------------------------------------------------------------- ways in */

/* Would the channel take a request of this slice? */
static bool
wants_from(const struct channel_env *e, unsigned s)
{
	return e->slice[s].s->to_dram.n && has_credit(e, s) && e->c->waiting < e->cfg->sched_queue;
}

/* The slices take turns. One whose way back is full waits; L2 drains it without telling us. */
static void
accept(struct channel_env *e, uint64_t x, cycle_t now)
{
	struct channel *c = e->c;
	unsigned s = c->last_slice;

	for (unsigned p = 0; p < e->cfg->slices; p++) {
		struct slice_env *se;

		s = s + 1 == e->cfg->slices ? 0 : s + 1;
		se = &e->slice[s];
		if (!wants_from(e, s) || ring_full(&se->s->from_dram))
			continue;
		if (ring_full(&se->s->to_dram)) /* it waits for room */
			*e->slice_awake |= e->slice_bit << s;
		c->late[(c->late_head + c->late_n++) & c->late_mask] =
			(struct dram_late){.due = now + e->cfg->dram_latency,
					   .handle = ring_pop(&se->s->to_dram, se->to_dram),
					   .slice = s};
		borrow_credit(c, s, x);
		c->last_slice = (uint8_t)s;
		return;
	}
}

/* The request that has waited longest comes to the scheduler. */
static void
leave_latency_line(struct channel_env *e)
{
	struct channel *c = e->c;
	struct dram_late *l = &c->late[c->late_head & c->late_mask];
	struct slice_env *se;
	struct dram_req *r;
	uint64_t addr, local;
	unsigned id, bank;

	se = &e->slice[l->slice];
	id = c->free;
	r = &c->r[id];
	c->free = r->next;
	*r = (struct dram_req){.handle = l->handle,
			       .slice = (uint8_t)l->slice,
			       .write = (l->handle & HANDLE_WRITE) != 0};
	if (r->write) {
		const struct req *q = &se->req[l->handle & ~HANDLE_WRITE];

		addr = q->addr;
		r->bytes = (uint16_t)(SECTOR * sector_count(q->sectors));
	} else {
		addr = se->mshr->e[l->handle].addr;
		r->bytes = SECTOR;
	}
	addr_route(e->map, addr, &local);
	bank = addr_gather(local, e->map->bank_bits);
	r->bank = (uint8_t)(bank % e->cfg->banks);
	r->row = addr_gather(local, e->map->row_bits) * e->bank_rows + bank / e->cfg->banks;
	c->late_head++;
	c->late_n--;
	c->intake = (uint16_t)id;
	c->st.requests++;
}

/* ---------------------------------------------------------------- one cycle */

void
channel_settle(struct channel_env *e, uint64_t x)
{
	struct channel *c = e->c;

	if (c->in_channel)
		c->st.pending += x - c->pending_from;
	c->pending_from = x;
}

/* After cycle x: when can something happen by itself? What waits for the scheduler to have room is
 * let in by what the channel does then. */
static uint64_t
next_visit(const struct channel_env *e, uint64_t x)
{
	const struct channel *c = e->c;
	uint64_t next = CYCLE_NEVER;

	if (e->returns->n || c->intake != DRAM_NONE || c->queued & ~c->serving)
		return x + 1;
	for (unsigned s = 0; s < e->cfg->slices; s++)
		if (wants_from(e, s))
			return x + 1;
	if (c->out_n)
		next = c->out[c->out_head % ARRAY_LEN(c->out)].at + c->slip;
	if (c->serving)
		next = MIN(next, c->cmd_at);
	return MAX(next, x + 1);
}

uint64_t
channel_tick(struct channel_env *e, uint64_t x, cycle_t now, cycle_t *core_due)
{
	struct channel *c = e->c;

	if (e->returns->n)
		return_one(e, x);
	deliver(e, x);
	if (c->intake != DRAM_NONE) {
		frfcfs_add(c, c->intake);
		c->intake = DRAM_NONE;
	}
	if (c->queued & ~c->serving)
		schedule(e, c->queued & ~c->serving);
	if (c->serving && x >= c->cmd_at)
		command(e, x);
	accept(e, x, now);
	*core_due = CYCLE_NEVER;
	if (c->late_n) {
		*core_due = c->late[c->late_head & c->late_mask].due;
		if (now >= *core_due) {
			if (c->waiting < e->cfg->sched_queue)
				leave_latency_line(e);
			*core_due = CYCLE_NEVER;
		}
	}
	return next_visit(e, x);
}

/* ---------------------------------------------------------------- questions */

const struct dram_stat *
channel_stat(const struct channel_env *e)
{
	return &e->c->st;
}

unsigned
channel_waiting(const struct channel_env *e)
{
	return e->c->waiting;
}

unsigned
channel_inside(const struct channel_env *e)
{
	return e->c->in_channel;
}

void
channel_look(const struct channel_env *e, struct mem_view *v)
{
	const struct channel *c = e->c;

	*v = (struct mem_view){.queue = c->waiting,
			       .queue_max = e->cfg->sched_queue,
			       .banks = e->cfg->banks,
			       .reads = c->st.reads,
			       .writes = c->st.writes,
			       .row_hits = c->st.row_hits,
			       .row_misses = c->st.row_misses,
			       .row_conflicts = c->st.row_conflicts,
			       .activates = c->st.activates,
			       .busy = c->st.busy};
	for (unsigned b = 0; b < v->banks; b++) {
		v->bank[b].open = c->bank[b].open;
		v->bank[b].busy = c->serving >> b & 1;
		v->bank[b].row = c->bank[b].row;
		v->bank[b].queued = c->bank[b].n;
	}
}
