/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dram.c - one DRAM channel: accepts requests, serves them in banks, returns data, one command
 * cycle at a time (ctascope-model(7) 11).
 *
 * dram_timing.c decides when a command is legal, the scheduler (frfcfs.c, fcfs.c, write_queue.c)
 * which request is served next. A timer is the cycle from which it permits a command. So idle
 * cycles are skipped: the channel sleeps until the first cycle in which a command can become legal
 * or data arrives.
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
	c->last_core = MAX_CORES;
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

/* Restores a time from its low bits; it is less than 2^31 away from t. */
static inline uint64_t
time_near(uint64_t t, uint32_t low)
{
	return t + (uint64_t)(int64_t)(int32_t)(low - (uint32_t)t);
}

/* ---------------------------------------------------------------- credits */

/* The slices with requests that have a credit, their own or a shared one. */
static inline unsigned
slices_with_credit(const struct channel_env *e)
{
	const struct channel *c = e->c;
	unsigned own = c->uses_own_credit & 3, shared = c->in_channel - (own - (own >> 1));

	if (likely(c->in_channel < e->credits))
		return c->asks;
	return c->asks & (shared < e->credits ? ~0u : ~own);
}

static inline void
return_credit(struct channel *c, unsigned slice, uint64_t x)
{
	c->uses_own_credit &= (uint8_t) ~(1u << slice);
	if (!--c->in_channel)
		c->st.pending += x - c->pending_from;
}

static inline void
free_request(struct channel *c, unsigned id)
{
	c->r[id].next = c->free;
	c->free = (uint16_t)id;
}

/* ---------------------------------------------------------------- returning requests */

/* A read for a core leaves the channel, in the order of the column commands (Yu et al. 2.2). */
static inline void
count_served(struct channel *c, unsigned core)
{
	c->st.same_core += core == c->last_core;
	c->last_core = (uint8_t)core;
	c->served[core]++;
	c->st.served++;
}

static inline void
return_request(struct channel_env *e, uint64_t x)
{
	struct channel *c = e->c;
	unsigned id = c->returns.head;
	const struct dram_req *r = &c->r[id];
	struct slice_env *s = &e->slice[r->slice];

	if (ring_full(&s->slice->from_dram))
		return; /* it drains every L2 cycle */
	tags_prefetch_line(s->tags, s->mshr->entry[r->handle].index);
	if (likely(s->mshr->entry[r->handle].core != CORE_NONE))
		count_served(c, s->mshr->entry[r->handle].core);
	ring_push(&s->slice->from_dram, s->from_dram, r->handle);
	*e->slice_awake |= e->slice_bit << r->slice;
	dram_take_first(c, &c->returns);
	c->n_returns--;
	return_credit(c, r->slice, x);
	free_request(c, id);
}

/* Takes the first request out of the data pipe in cycle x, and notes when the next one leaves. */
static inline unsigned
take_from_pipe(struct channel *c, uint64_t x)
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
finish_read(struct channel *c, uint64_t x)
{
	dram_append(c, &c->returns, take_from_pipe(c, x));
	c->n_returns++;
}

static void
finish_write(struct channel_env *e, uint64_t x)
{
	struct channel *c = e->c;
	unsigned id = take_from_pipe(c, x);
	const struct dram_req *r = &c->r[id];
	struct slice_env *s = &e->slice[r->slice];

	req_give(s->pool, s->req, r->handle & ~HANDLE_WRITE);
	return_credit(c, r->slice, x);
	free_request(c, id);
}

/* Delays the pipe by a cycle, as its data has no room to leave. */
static void
stall_pipe(struct channel *c)
{
	c->slip++;
	c->out_at += c->out_at != CYCLE_NEVER;
}

/* ---------------------------------------------------------------- scheduling */

/* Determines the command that the bank's current request needs next. */
static void
update_need(struct channel *c, unsigned bank)
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

/* Makes a request the current one of its bank. */
static void
serve_request(const struct channel_env *e, unsigned id)
{
	struct channel *c = e->c;
	unsigned bank = c->r[id].bank;
	struct dram_bank *b = &c->bank[bank];

	b->cur = (uint16_t)id;
	b->n--;
	dram_count_waiting(e, dram_queue_of(e, c->r[id].handle), -1);
	c->serving |= UINT64_C(1) << bank;
	update_need(c, bank);
	if (b->need == DRAM_ACTIVATE)
		c->st.row_misses++;
	else if (b->need == DRAM_PRECHARGE)
		c->st.row_conflicts++;
	else
		c->st.row_hits++;
}

/* The cycle from which the command that a bank needs is legal and has room in the data pipe. */
static inline uint64_t
legal_from(const struct channel_env *e, unsigned bank)
{
	const struct channel *c = e->c;
	uint64_t at = dram_legal_at(e, bank), out = c->last_out + c->slip + 1;
	uint64_t is_column = c->columns >> bank & 1;

	return MAX(at + e->cfg->tCL, out & -is_column) - e->cfg->tCL;
}

/* The bank needs another command, which may be legal before those of the other banks. */
static inline void
lower_legal_from(struct channel_env *e, unsigned bank)
{
	struct channel *c = e->c;
	uint64_t *from = c->columns >> bank & 1 ? &c->column_at : &c->row_at;

	*from = MIN(*from, legal_from(e, bank));
}

/* Gives a request to one of the banks without a current one. */
static void
schedule_bank(struct channel_env *e, uint64_t banks)
{
	struct channel *c = e->c;
	unsigned id = e->sched->take(e, banks);

	if (id == DRAM_NONE)
		return;
	serve_request(e, id);
	lower_legal_from(e, c->r[id].bank);
}

/* ---------------------------------------------------------------- commands */

/* Adds a request to the data pipe. Its last data leaves at pipe time c->last_out. */
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
	if (!write) /* needed when it leaves */
		__builtin_prefetch(&e->slice[r->slice].mshr->entry[r->handle]);
}

HOT static void
issue_column(struct channel_env *e, unsigned j, uint64_t x, cycle_t now)
{
	const struct mem_cfg *k = e->cfg;
	struct channel *c = e->c;
	struct dram_bank *b = &c->bank[j];
	struct dram_req *r = &c->r[b->cur];
	bool write = b->need == DRAM_WRITE;

	dram_record_command(e, j, (enum dram_cmd)b->need, x);
	c->last_out = MAX(x - c->slip + (write ? k->tWL : k->tCL), c->last_out + 1);
	c->st.writes += write;
	c->st.reads += !write;
	c->st.busy += k->burst;
	if (!--r->columns) {
		enter_pipe(e, b->cur, write);
		b->cur = DRAM_NONE;
		c->serving &= ~(UINT64_C(1) << j);
		c->columns &= ~(UINT64_C(1) << j);
		if (unlikely(k->row_prefetch) && !write && !b->prefetched)
			dram_prefetch_row(e, r, x, now);
	}
	/* the next column command is not legal before this */
	c->column_at = c->columns ? MIN(c->at[DRAM_READ], c->at[DRAM_WRITE]) : CYCLE_NEVER;
}

static void
issue_row(struct channel_env *e, unsigned j, uint64_t x)
{
	struct channel *c = e->c;
	struct dram_bank *b = &c->bank[j];

	dram_record_command(e, j, (enum dram_cmd)b->need, x);
	if (b->need == DRAM_ACTIVATE) {
		b->open = 1;
		b->prefetched = 0;
		b->row = c->r[b->cur].row;
		c->st.activates++;
	} else {
		b->open = 0;
		c->st.precharges++;
	}
	update_need(c, j);
	c->prio = (uint8_t)(j + 1 == e->cfg->banks ? 0 : j + 1);
}

/* A row command to bank j has moved the priority pointer from `was` during the scan. The banks left
 * to scan keep their distance from the pointer: they are counted from its new position. */
static uint64_t
banks_left_in_scan(const struct channel_env *e, unsigned j, unsigned was)
{
	const struct channel *c = e->c;
	unsigned banks = e->cfg->banks, done = (j >= was ? j - was : j + banks - was) + 1;
	uint64_t all = ~UINT64_C(0) >> (64 - banks);
	uint64_t left = done == banks ? 0 : all >> done << done; /* by distance */

	return all & (left << c->prio | left >> (banks - c->prio) % 64);
}

/* The first cycle in which one of some banks can get the command it needs. */
static inline uint64_t
first_legal(const struct channel_env *e, uint64_t banks)
{
	uint64_t at = CYCLE_NEVER;

	for (; banks; banks &= banks - 1)
		at = MIN(at, legal_from(e, (unsigned)__builtin_ctzll(banks)));
	return at;
}

/* With two buses: issues a column command, then a row command, each to the first bank, from the
 * priority pointer on, for which one is legal. */
static NOINLINE void
issue_on_two_buses(struct channel_env *e, uint64_t x, cycle_t now)
{
	struct channel *c = e->c;
	uint64_t left = x < c->column_at ? 0 : c->columns;
	bool tried = left;

	for (; left; left &= ~(UINT64_C(1) << dram_first_bank(c, left)))
		if (legal_from(e, dram_first_bank(c, left)) <= x) {
			issue_column(e, dram_first_bank(c, left), x, now);
			tried = false;
			break;
		}
	if (tried)
		c->column_at = first_legal(e, c->columns);
	left = x < c->row_at ? 0 : c->serving & ~c->columns;
	if (!left)
		return;
	for (; left; left &= ~(UINT64_C(1) << dram_first_bank(c, left)))
		if (legal_from(e, dram_first_bank(c, left)) <= x) {
			unsigned j = dram_first_bank(c, left);

			issue_row(e, j, x);
			lower_legal_from(e, j);
			break;
		}
	c->row_at = first_legal(e, c->serving & ~c->columns);
}

/* With one bus: issues a column command and, if it comes before it in the scan, a row command. The
 * scan starts at the priority pointer, and omits a kind of command that is legal for no bank. */
static void
issue_commands(struct channel_env *e, uint64_t x, cycle_t now)
{
	struct channel *c = e->c;
	uint64_t rows = x < c->row_at ? 0 : c->serving & ~c->columns;
	uint64_t columns = x < c->column_at ? 0 : c->columns;
	uint64_t left = rows | columns;

	while (left) {
		unsigned j = dram_first_bank(c, left), was = c->prio;

		left &= ~(UINT64_C(1) << j);
		if (legal_from(e, j) > x)
			continue;
		if (columns >> j & 1) {
			issue_column(e, j, x, now);
			columns = 0;
			break;
		}
		issue_row(e, j, x);
		lower_legal_from(e, j);
		columns = x < c->column_at ? 0 : c->columns;
		left = columns & banks_left_in_scan(e, j, was);
	}
	if (rows)
		c->row_at = first_legal(e, c->serving & ~c->columns);
	if (columns)
		c->column_at = first_legal(e, c->columns);
}

/* ---------------------------------------------------------------- accepting requests */

/* Determines row and bank of a request, and how many column commands it takes. */
static inline void
locate_data(const struct channel_env *e, struct dram_req *r)
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

/* The queue of the first request of a slice. */
static inline unsigned
queue_of_first(const struct channel_env *e, const struct slice_env *s)
{
	return dram_queue_of(e, ring_front(&s->slice->to_dram, s->to_dram));
}

/* Takes the first request of slice s. */
static inline void
take_request(struct channel_env *e, unsigned s, uint64_t x, cycle_t now)
{
	struct channel *c = e->c;
	struct slice_env *se = &e->slice[s];
	struct ring *from = &se->slice->to_dram;
	unsigned id = c->free;
	struct dram_req *r = &c->r[id];
	cycle_t due = now + e->cfg->dram_latency;

	if (ring_full(from)) /* the slice waits for room */
		*e->slice_awake |= e->slice_bit << s;
	c->free = r->next;
	*r = (struct dram_req){.handle = ring_pop(from, se->to_dram),
			       .slice = s & 3,
			       .due = (uint32_t)due};
	c->asks &= (uint8_t) ~(!from->n << s);
	locate_data(e, r);
	if (c->late.head == DRAM_NONE) {
		c->late_due = due;
		c->late_for = (uint8_t)dram_queue_of(e, r->handle);
	}
	dram_append(c, &c->late, id);
	dram_borrow_credit(c, s, x);
	c->last_slice = (uint8_t)s;
}

/* Accepts a request, from the slices in turn. A slice whose reply queue is full waits; the channel
 * is not told when L2 drains that queue. If the first request of the slice whose turn it is finds
 * no room, none is accepted. */
static inline void
accept_request(struct channel_env *e, uint64_t x, cycle_t now)
{
	struct channel *c = e->c;
	unsigned s = c->last_slice, can = slices_with_credit(e);

	if (c->full == e->full)
		return;
	for (unsigned p = 0; p < e->cfg->slices; p++) {
		s = s + 1 == e->cfg->slices ? 0 : s + 1;
		if (!(can >> s & 1) || ring_full(&e->slice[s].slice->from_dram))
			continue;
		if (likely(!c->full) || !(c->full >> queue_of_first(e, &e->slice[s]) & 1))
			take_request(e, s, x, now);
		return;
	}
}

/* Hands the oldest request of the latency line to the scheduler. */
static inline void
leave_latency_line(const struct channel_env *e, cycle_t now)
{
	struct channel *c = e->c;
	unsigned id = dram_take_first(c, &c->late);

	dram_wait_for_bank(e, id);
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

/* The next cycle after x in which the channel can do something. A request that waits for room in
 * the scheduler needs no visit, as whatever makes the room is one. */
static inline uint64_t
next_visit(const struct channel_env *e, uint64_t x, cycle_t now)
{
	const struct channel *c = e->c;
	bool comes = (c->asks && slices_with_credit(e)) | (c->late_due <= now);
	bool soon =
		c->n_returns | ((c->queued & ~c->serving) != 0) | ((c->full != e->full) & comes);
	uint64_t next = MIN(MIN(c->row_at, c->column_at), c->out_at);

	return soon ? x + 1 : MAX(next, x + 1);
}

/* A read whose data has left, and a request at the end of the latency line, become visible in the
 * next cycle. They are handled at its start. */
HOT uint64_t
channel_tick(struct channel_env *e, uint64_t x, cycle_t now, cycle_t before, cycle_t *core_due)
{
	struct channel *c = e->c;

	if (c->out_at <= x && c->out_read)
		finish_read(c, x);
	if (c->n_returns)
		return_request(e, x);
	if (unlikely(c->n_returns >= e->return_queue))
		stall_pipe(c);
	else if (!c->out_read && c->out_at <= x)
		finish_write(e, x);
	if (c->late_due <= before && !(c->full >> c->late_for & 1))
		leave_latency_line(e, now);
	if (c->queued & ~c->serving)
		schedule_bank(e, c->queued & ~c->serving);
	if (x >= MIN(c->row_at, c->column_at)) {
		if (unlikely(e->cfg->dual_bus))
			issue_on_two_buses(e, x, now);
		else
			issue_commands(e, x, now);
	}
	if (c->asks)
		accept_request(e, x, now);
	*core_due = c->late_due;
	return next_visit(e, x, now);
}
