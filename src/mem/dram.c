/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dram.c - one DRAM channel: requests come in, banks serve them, data goes out, one command cycle
 * at a time (ctascope-model(7) 11).
 *
 * When a command is legal is the business of dram_timing.c, which request is served next that of
 * the scheduler (frfcfs.c, fcfs.c, write_queue.c). Timers are kept as the cycle from which they
 * permit, so that cycles in which nothing can happen need not be visited: after an idle cycle the
 * channel sleeps to the earliest cycle at which a command could become legal or data arrives.
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

	for (unsigned i = 0; i < DRAM_INSIDE; i++)
		c->r[i].next = (uint16_t)(i + 1 < DRAM_INSIDE ? i + 1 : DRAM_NONE);
	for (unsigned b = 0; b < DRAM_BANKS; b++)
		c->bank[b].cur = c->bank[b].queue.head = c->bank[b].writes.head = DRAM_NONE;
	c->late.head = c->out.head = c->returns.head = c->arrivals.head = DRAM_NONE;
	c->late_due = c->out_at = c->row_at = c->column_at = CYCLE_NEVER;
	c->last_slice = (uint8_t)(k->slices - 1);
	e->credits = k->sched_queue + k->return_queue + k->write_queue - (k->slices - 1);
	e->split = k->write_queue;
	e->full = e->split ? 1 << DRAM_READS | 1 << DRAM_WRITES : 1 << DRAM_READS;
	e->sched = e->split ? &dram_write_queue : dram_scheds[k->dram_sched];
	e->queues[DRAM_READS] = (uint16_t)k->sched_queue;
	e->queues[DRAM_WRITES] = (uint16_t)k->write_queue;
	e->return_queue = (uint16_t)k->return_queue;
	e->bank_rows = 1u << __builtin_popcountll(k->bank_bits);
	e->bank_rows = (e->bank_rows + k->banks - 1) / k->banks;
	e->bank_xor = k->bank_hash ? k->banks - 1 : 0;
	for (unsigned i = 0; i <= LINE_SECTORS; i++)
		e->columns[i] = (uint8_t)((i * SECTOR + k->atom - 1) / k->atom);
	for (unsigned s = 0; s < k->slices; s++) {
		e->slice[s].asks = &c->asks;
		e->slice[s].asks_bit = (uint8_t)(1u << s);
	}
}

/* A time of which the low bits are known; it is less than 2^31 away from another one. */
static inline uint64_t
time_near(uint64_t t, uint32_t low)
{
	return t + (uint64_t)(int64_t)(int32_t)(low - (uint32_t)t);
}

/* ---------------------------------------------------------------- credits */

/* Of the slices that ask, those that have a credit: one of their own, or a shared one. */
static inline unsigned
with_credit(const struct channel_env *e)
{
	const struct channel *c = e->c;
	unsigned own = c->privately & 3, shared = c->in_channel - (own - (own >> 1));

	if (likely(c->in_channel < e->credits))
		return c->asks;
	return c->asks & (shared < e->credits ? ~0u : ~own);
}

static inline void
borrow_credit(struct channel *c, unsigned slice, uint64_t x)
{
	if (!c->in_channel)
		c->pending_from = x;
	c->privately |= (uint8_t)(1u << slice);
	c->in_channel++;
}

static inline void
return_credit(struct channel *c, unsigned slice, uint64_t x)
{
	c->privately &= (uint8_t) ~(1u << slice);
	if (!--c->in_channel)
		c->st.pending += x - c->pending_from;
}

static inline void
give_back(struct channel *c, unsigned id)
{
	c->r[id].next = c->free;
	c->free = (uint16_t)id;
}

/* ---------------------------------------------------------------- ways out */

static inline void
return_one(struct channel_env *e, uint64_t x)
{
	struct channel *c = e->c;
	unsigned id = c->returns.head;
	const struct dram_req *r = &c->r[id];
	struct slice_env *s = &e->slice[r->slice];

	if (ring_full(&s->slice->from_dram))
		return; /* it drains every L2 cycle */
	tags_prefetch_line(s->tags, s->mshr->entry[r->handle].index);
	ring_push(&s->slice->from_dram, s->from_dram, r->handle);
	*e->slice_awake |= e->slice_bit << r->slice;
	dram_take_first(c, &c->returns);
	c->n_returns--;
	return_credit(c, r->slice, x);
	give_back(c, id);
}

/* The pipe's first data is out; what comes next? In cycle x. */
static inline unsigned
leave_pipe(struct channel *c, uint64_t x)
{
	unsigned id = dram_take_first(c, &c->out);

	if (c->out.head == DRAM_NONE) {
		c->out_at = CYCLE_NEVER;
	} else {
		const struct dram_req *next = &c->r[c->out.head];

		c->out_read = !(next->handle & HANDLE_WRITE);
		c->out_at = time_near(x - c->slip, next->due) + c->slip + c->out_read;
	}
	return id;
}

static inline void
read_is_done(struct channel *c, uint64_t x)
{
	dram_append(c, &c->returns, leave_pipe(c, x));
	c->n_returns++;
}

static void
write_is_done(struct channel_env *e, uint64_t x)
{
	struct channel *c = e->c;
	unsigned id = leave_pipe(c, x);
	const struct dram_req *r = &c->r[id];
	struct slice_env *s = &e->slice[r->slice];

	req_give(s->pool, s->req, r->handle & ~HANDLE_WRITE);
	return_credit(c, r->slice, x);
	give_back(c, id);
}

/* There is no room for what would be out. */
static void
pipe_stands_still(struct channel *c)
{
	c->slip++;
	c->out_at += c->out_at != CYCLE_NEVER;
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
		b->need = r->handle & HANDLE_WRITE ? DRAM_WRITE : DRAM_READ;
		c->columns |= UINT64_C(1) << bank;
	}
}

/* The number of requests in a queue has changed by n. */
static inline void
count_waiting(const struct channel_env *e, unsigned queue, int n)
{
	struct channel *c = e->c;

	c->waiting[queue] = (uint16_t)(c->waiting[queue] + n);
	c->full &= (uint8_t) ~(1u << queue);
	c->full |= (uint8_t)((unsigned)(c->waiting[queue] >= e->queues[queue]) << queue);
}

/* The bank of a request serves it. */
static void
serve(const struct channel_env *e, unsigned id)
{
	struct channel *c = e->c;
	unsigned bank = c->r[id].bank;
	struct dram_bank *b = &c->bank[bank];

	b->cur = (uint16_t)id;
	b->n--;
	count_waiting(e, dram_queue_of(e, c->r[id].handle), -1);
	c->serving |= UINT64_C(1) << bank;
	see_need(c, bank);
	if (b->need == DRAM_ACTIVATE)
		c->st.row_misses++;
	else if (b->need == DRAM_PRECHARGE)
		c->st.row_conflicts++;
	else
		c->st.row_hits++;
}

/* The cycle from which the command that a bank needs is legal and finds room in the data pipe. */
static inline uint64_t
may_come(const struct channel_env *e, unsigned bank)
{
	const struct channel *c = e->c;
	uint64_t at = dram_legal_at(e, bank), out = c->last_out + c->slip + 1;
	uint64_t is_column = c->columns >> bank & 1;

	return MAX(at + e->cfg->tCL, out & -is_column) - e->cfg->tCL;
}

/* The bank has come to need another command. */
static inline void
may_come_earlier(struct channel_env *e, unsigned bank)
{
	struct channel *c = e->c;
	uint64_t *from = c->columns >> bank & 1 ? &c->column_at : &c->row_at;

	*from = MIN(*from, may_come(e, bank));
}

/* One of the banks that serve none gets a request. */
static void
schedule(struct channel_env *e, uint64_t banks)
{
	struct channel *c = e->c;
	unsigned id = e->sched->take(e, banks);

	if (id == DRAM_NONE)
		return;
	serve(e, id);
	may_come_earlier(e, c->r[id].bank);
}

/* ---------------------------------------------------------------- commands */

/* The last data of a request will be out at pipe time c->last_out. */
static inline void
enter_pipe(struct channel_env *e, unsigned id, bool write)
{
	struct channel *c = e->c;
	struct dram_req *r = &c->r[id];

	r->due = (uint32_t)c->last_out;
	if (c->out.head == DRAM_NONE) {
		c->out_at = c->last_out + c->slip + !write;
		c->out_read = !write;
	}
	dram_append(c, &c->out, id);
	if (!write) /* asked for as it leaves */
		__builtin_prefetch(&e->slice[r->slice].mshr->entry[r->handle]);
}

static void
column(struct channel_env *e, unsigned j, uint64_t x)
{
	const struct mem_cfg *k = e->cfg;
	struct channel *c = e->c;
	struct dram_bank *b = &c->bank[j];
	struct dram_req *r = &c->r[b->cur];
	bool write = b->need == DRAM_WRITE;

	dram_given(e, j, (enum dram_cmd)b->need, x);
	c->last_out = MAX(x - c->slip + (write ? k->tWL : k->tCL), c->last_out + 1);
	c->st.writes += write;
	c->st.reads += !write;
	c->st.busy += k->burst;
	if (!--r->columns) {
		enter_pipe(e, b->cur, write);
		b->cur = DRAM_NONE;
		c->serving &= ~(UINT64_C(1) << j);
		c->columns &= ~(UINT64_C(1) << j);
	}
	/* no other one is legal before */
	c->column_at = c->columns ? MIN(c->at[DRAM_READ], c->at[DRAM_WRITE]) : CYCLE_NEVER;
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

/* A row command, to bank j, has moved the pointer from `was`, in mid-scan: what is left is as many
 * banks behind the new one as it would have been behind the old one. */
static uint64_t
scan_goes_on(const struct channel_env *e, unsigned j, unsigned was)
{
	const struct channel *c = e->c;
	unsigned banks = e->cfg->banks, done = (j >= was ? j - was : j + banks - was) + 1;
	uint64_t all = ~UINT64_C(0) >> (64 - banks);
	uint64_t left = done == banks ? 0 : all >> done << done; /* by distance */

	return all & (left << c->prio | left >> (banks - c->prio) % 64);
}

/* The cycle in which the first of some banks may have the command it needs. */
static inline uint64_t
first_legal(const struct channel_env *e, uint64_t banks)
{
	uint64_t at = CYCLE_NEVER;

	for (; banks; banks &= banks - 1)
		at = MIN(at, may_come(e, (unsigned)__builtin_ctzll(banks)));
	return at;
}

/* With two buses: a column command, then a row command, each to the first bank that may have one
 * from the pointer on. */
static NOINLINE void
command_on_two(struct channel_env *e, uint64_t x)
{
	struct channel *c = e->c;
	uint64_t left = x < c->column_at ? 0 : c->columns;
	bool tried = left;

	for (; left; left &= ~(UINT64_C(1) << dram_first_bank(c, left)))
		if (may_come(e, dram_first_bank(c, left)) <= x) {
			column(e, dram_first_bank(c, left), x);
			tried = false;
			break;
		}
	if (tried)
		c->column_at = first_legal(e, c->columns);
	left = x < c->row_at ? 0 : c->serving & ~c->columns;
	if (!left)
		return;
	for (; left; left &= ~(UINT64_C(1) << dram_first_bank(c, left)))
		if (may_come(e, dram_first_bank(c, left)) <= x) {
			unsigned j = dram_first_bank(c, left);

			row_command(e, j, x);
			may_come_earlier(e, j);
			break;
		}
	c->row_at = first_legal(e, c->serving & ~c->columns);
}

/* One column command and, if it comes first in the scan, one row command. Banks are scanned from
 * the priority pointer on; those that need a kind of command that none may have are left out. */
static void
command(struct channel_env *e, uint64_t x)
{
	struct channel *c = e->c;
	uint64_t rows = x < c->row_at ? 0 : c->serving & ~c->columns;
	uint64_t columns = x < c->column_at ? 0 : c->columns;
	uint64_t left = rows | columns;

	while (left) {
		unsigned j = dram_first_bank(c, left), was = c->prio;

		left &= ~(UINT64_C(1) << j);
		if (may_come(e, j) > x)
			continue;
		if (columns >> j & 1) {
			column(e, j, x);
			columns = 0;
			break;
		}
		row_command(e, j, x);
		may_come_earlier(e, j);
		columns = x < c->column_at ? 0 : c->columns;
		left = columns & scan_goes_on(e, j, was);
	}
	if (rows)
		c->row_at = first_legal(e, c->serving & ~c->columns);
	if (columns)
		c->column_at = first_legal(e, c->columns);
}

/* ---------------------------------------------------------------- ways in */

/* Where the data of a request is, and how many commands move it. */
static inline void
find_place(const struct channel_env *e, struct dram_req *r)
{
	const struct slice_env *s = &e->slice[r->slice];
	uint64_t addr, local;
	unsigned sectors = 1, bank;

	if (r->handle & HANDLE_WRITE) {
		const struct req *q = &s->req[r->handle & ~HANDLE_WRITE];

		addr = q->addr;
		sectors = sector_count(q->sectors);
	} else {
		addr = s->mshr->entry[r->handle].addr;
	}
	r->columns = e->columns[sectors];
	addr_route(e->map, addr, &local);
	bank = addr_gather(local, e->map->bank_bits);
	r->row = addr_gather(local, e->map->row_bits);
	if (e->bank_rows > 1) {
		r->row = r->row * e->bank_rows + bank / e->cfg->banks;
		bank %= e->cfg->banks;
	}
	bank ^= r->row & e->bank_xor;
	r->bank = (uint8_t)bank & (DRAM_BANKS - 1);
}

static inline uint32_t
next_of(const struct slice_env *s)
{
	return ring_front(&s->slice->to_dram, s->to_dram);
}

/* Slice s has a request that is taken. */
static inline void
take_from(struct channel_env *e, unsigned s, uint64_t x, cycle_t now)
{
	struct channel *c = e->c;
	struct slice_env *se = &e->slice[s];
	struct ring *from = &se->slice->to_dram;
	unsigned id = c->free;
	struct dram_req *r = &c->r[id];
	cycle_t due = now + e->cfg->dram_latency;

	if (ring_full(from)) /* it waits for room */
		*e->slice_awake |= e->slice_bit << s;
	c->free = r->next;
	*r = (struct dram_req){.handle = ring_pop(from, se->to_dram),
			       .slice = s & 3,
			       .due = (uint32_t)due};
	c->asks &= (uint8_t) ~(!from->n << s);
	find_place(e, r);
	if (c->late.head == DRAM_NONE) {
		c->late_due = due;
		c->late_for = (uint8_t)dram_queue_of(e, r->handle);
	}
	dram_append(c, &c->late, id);
	borrow_credit(c, s, x);
	c->last_slice = (uint8_t)s;
}

/* The slices take turns. One whose way back is full waits; L2 drains it without telling us. If the
 * request of the one whose turn it is has no room, none comes. */
static inline void
accept(struct channel_env *e, uint64_t x, cycle_t now)
{
	struct channel *c = e->c;
	unsigned s = c->last_slice, can = with_credit(e);

	if (c->full == e->full)
		return;
	for (unsigned p = 0; p < e->cfg->slices; p++) {
		s = s + 1 == e->cfg->slices ? 0 : s + 1;
		if (!(can >> s & 1) || ring_full(&e->slice[s].slice->from_dram))
			continue;
		if (likely(!c->full) || !(c->full >> dram_queue_of(e, next_of(&e->slice[s])) & 1))
			take_from(e, s, x, now);
		return;
	}
}

/* The request that has waited longest comes to the scheduler. */
static inline void
leave_latency_line(const struct channel_env *e, cycle_t now)
{
	struct channel *c = e->c;
	unsigned id = dram_take_first(c, &c->late);

	c->bank[c->r[id].bank].n++;
	count_waiting(e, dram_queue_of(e, c->r[id].handle), 1);
	e->sched->add(e, id);
	if (c->late.head == DRAM_NONE) {
		c->late_due = CYCLE_NEVER;
		return;
	}
	c->late_due = time_near(now, c->r[c->late.head].due);
	c->late_for = (uint8_t)dram_queue_of(e, c->r[c->late.head].handle);
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
static inline uint64_t
next_visit(const struct channel_env *e, uint64_t x, cycle_t now)
{
	const struct channel *c = e->c;
	bool comes = (c->asks && with_credit(e)) | (c->late_due <= now);
	bool soon =
		c->n_returns | ((c->queued & ~c->serving) != 0) | ((c->full != e->full) & comes);
	uint64_t next = MIN(MIN(c->row_at, c->column_at), c->out_at);

	return soon ? x + 1 : MAX(next, x + 1);
}

/* A read whose data is out, and a request at the end of the latency line, can be seen by nobody
 * before the next cycle: they come first in that, where they mostly go on at once. */
uint64_t
channel_tick(struct channel_env *e, uint64_t x, cycle_t now, cycle_t before, cycle_t *core_due)
{
	struct channel *c = e->c;

	if (c->out_at <= x && c->out_read)
		read_is_done(c, x);
	if (c->n_returns)
		return_one(e, x);
	if (unlikely(c->n_returns >= e->return_queue))
		pipe_stands_still(c);
	else if (!c->out_read && c->out_at <= x)
		write_is_done(e, x);
	if (c->late_due <= before && !(c->full >> c->late_for & 1))
		leave_latency_line(e, now);
	if (c->queued & ~c->serving)
		schedule(e, c->queued & ~c->serving);
	if (x >= MIN(c->row_at, c->column_at)) {
		if (unlikely(e->cfg->dual_bus))
			command_on_two(e, x);
		else
			command(e, x);
	}
	if (c->asks)
		accept(e, x, now);
	*core_due = c->late_due;
	return next_visit(e, x, now);
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
	return e->c->waiting[DRAM_READS] + e->c->waiting[DRAM_WRITES];
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

	*v = (struct mem_view){.queue = channel_waiting(e),
			       .queue_max = e->cfg->sched_queue + e->cfg->write_queue,
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
