/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * async.c - executes cp.async and the operations on mbarriers.
 *
 * A copy is executed immediately, which is one of the times allowed by PTX: groups and waits have
 * nothing to do, and a missing wait is not detected. A trace has a load from global memory and a
 * store to shared memory, as on machines before sm_80.
 *
 * An mbarrier is an opaque 64-bit word: 20 bits for the threads expected in a phase, 20 for those
 * that have yet to arrive, 21 for the bytes that have yet to arrive (below 0 when more have arrived
 * than were announced so far), and the number of the phase. A phase is complete when no thread and
 * no byte is missing. The state that arrive returns is that word before the arrival. A warp that
 * waits for an incomplete phase ends its turn, so that others run.
 */
#include "record/ptx/mem/async.h"

#include <inttypes.h>
#include <string.h>
#include "record/ptx/exec/exec.h"

#define COUNT_BITS 20
#define COUNT_MOST ((1u << COUNT_BITS) - 1)
#define BYTES_BITS 21

/* ---------------------------------------------------------------- cp.async */

/* Reads the bytes of each lane's source into x. */
static int
copy_read(const struct prog_inst *in, struct warp *w, const uint64_t *from, const uint32_t *bytes,
	  uint32_t mask, uint8_t (*x)[16])
{
	struct prog_inst load = *in;
	struct mem_span s;

	load.space = SP_GLOBAL;
	for (uint32_t size = 1; size <= 16; size++) { /* lanes of the same size together */
		uint32_t those = 0;

		FOR_LANES(l, mask)
		those |= (uint32_t)(bytes[l] == size) << l;
		for (uint32_t left = those; left; left &= ~s.lanes) {
			if (mem_span(&load, w, from, left, size, MEM_READ, &s) != 0)
				return EXEC_FAULT;
			FOR_LANES(l, s.lanes)
			memcpy(x[l], s.host + s.off[l], size);
		}
	}
	return 0;
}

int
exec_cp_async(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint64_t to[WARP_SIZE], from[WARP_SIZE];
	uint32_t bytes[WARP_SIZE];
	uint8_t x[WARP_SIZE][16] = {{0}};
	struct mem_span s;

	mem_addresses(in, w, mask, to);
	FOR_LANES(l, mask)
	{
		from[l] = vec64(w, in->src[1])[l] + (uint64_t)(int64_t)(int32_t)in->target;
		bytes[l] = in->src[2].bytes == OPND_NONE ? in->vec : vec32(w, in->src[2])[l];
		if (bytes[l] > in->vec)
			return exec_fault(w, in, (int)l,
					  "cp.async: it reads %" PRIu32 " bytes but writes only %u",
					  bytes[l], in->vec);
	}
	if (copy_read(in, w, from, bytes, mask, x))
		return EXEC_FAULT;
	for (uint32_t left = mask; left; left &= ~s.lanes) {
		if (mem_span(in, w, to, left, in->vec, MEM_WRITE, &s) != 0)
			return EXEC_FAULT;
		FOR_LANES(l, s.lanes)
		memcpy(s.host + s.off[l], x[l], in->vec);
	}
	w->addr_mask = w->cta->run->sink ? mask : 0;
	FOR_LANES(l, w->addr_mask)
	{
		w->addr[l] = from[l];
		w->addr[WARP_SIZE + l] = to[l] + PTX_SHARED_BASE;
	}
	return EXEC_NEXT;
}

/* ---------------------------------------------------------------- mbarrier */

static uint32_t
get_expected_threads(uint64_t word)
{
	return word & COUNT_MOST;
}

static uint32_t
get_pending_threads(uint64_t word)
{
	return word >> COUNT_BITS & COUNT_MOST;
}

/* Bytes that were announced and have not arrived; below 0 if more arrived. */
static int32_t
get_missing_bytes(uint64_t word)
{
	return (int32_t)(word >> 2 * COUNT_BITS << (32 - BYTES_BITS)) >> (32 - BYTES_BITS);
}

static uint64_t
phase_number(uint64_t word)
{
	return word >> (2 * COUNT_BITS + BYTES_BITS);
}

static uint64_t
make_word(uint64_t number, int32_t bytes, uint32_t wait_for, uint32_t all)
{
	return number << (2 * COUNT_BITS + BYTES_BITS) |
	       ((uint64_t)(uint32_t)bytes & ((1u << BYTES_BITS) - 1)) << 2 * COUNT_BITS |
	       (uint64_t)wait_for << COUNT_BITS | all;
}

/* Returns the word after `arrived` bytes and n threads have arrived, `drop` of which are no longer
 * expected. */
static uint64_t
arrive_threads(uint64_t word, uint32_t n, uint32_t drop, int32_t arrived)
{
	uint32_t all = get_expected_threads(word) - drop, left = get_pending_threads(word) - n;
	int32_t bytes = get_missing_bytes(word) - arrived;

	return left || bytes ? make_word(phase_number(word), bytes, left, all)
			     : make_word(phase_number(word) + 1, 0, all, all);
}

/* Counts n bytes that are announced or, if arrived, have arrived. */
static int
count_bytes(const struct prog_inst *in, struct warp *w, uint32_t l, uint64_t *word, uint32_t n,
	    bool arrived)
{
	int64_t left = (int64_t)get_missing_bytes(*word) + (arrived ? -(int64_t)n : (int64_t)n);

	if (left > (int64_t)COUNT_MOST || left < -(int64_t)COUNT_MOST)
		return exec_fault(w, in, (int)l,
				  "mbarrier: %" PRId64 " bytes are pending, expected at most %u",
				  left, COUNT_MOST);
	*word = arrived ? arrive_threads(*word, 0, 0, (int32_t)n)
			: make_word(phase_number(*word), (int32_t)left, get_pending_threads(*word),
				    get_expected_threads(*word));
	return 0;
}

/* Applies the operation of lane l to the word; *done: the result of a test. */
static int
update_word(const struct prog_inst *in, struct warp *w, uint32_t l, uint64_t *word, bool *done)
{
	uint32_t n = 1;

	switch (in->sub) {
	case MBAR_INIT:
		n = vec32(w, in->src[1])[l];
		if (!n || n > COUNT_MOST)
			return exec_fault(w, in, (int)l,
					  "mbarrier: a count of %" PRIu32 ", expected 1 to %u", n,
					  COUNT_MOST);
		*word = make_word(0, 0, n, n);
		return 0;
	case MBAR_INVAL:
		*word = 0;
		return 0;
	case MBAR_TEST:
		*done = in->sub2 ? (phase_number(*word) & 1) != (vec32(w, in->src[1])[l] & 1)
				 : phase_number(*word) != phase_number(vec64(w, in->src[1])[l]);
		return 0;
	case MBAR_COPIED: /* the copies are complete: an arrival, if it was counted (.noinc) */
		if (!in->sub2)
			return 0;
		break;
	case MBAR_EXPECT:
	case MBAR_COMPLETE:
		return count_bytes(in, w, l, word, vec32(w, in->src[1])[l],
				   in->sub == MBAR_COMPLETE);
	default:
		if (in->src[1].bytes != OPND_NONE && !in->sub2)
			n = vec32(w, in->src[1])[l];
		else if (in->sub2 && count_bytes(in, w, l, word, vec32(w, in->src[1])[l], false))
			return EXEC_FAULT;
	}
	if (!n || n > get_pending_threads(*word))
		return exec_fault(w, in, (int)l,
				  "mbarrier: %" PRIu32
				  " threads arrive, but only %u of %u are pending",
				  n, get_pending_threads(*word), get_expected_threads(*word));
	*word = arrive_threads(*word, n, in->sub == MBAR_DROP ? n : 0, 0);
	return 0;
}

static int
pending_count(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t *to = vec(w, in->dst[0]);

	if (in->dst[0].bytes != OPND_NONE)
		FOR_LANES(l, mask)
	to[l] = get_pending_threads(vec64(w, in->src[1])[l]);
	return EXEC_NEXT;
}

int
mbarrier_complete(const struct prog_inst *in, struct warp *w, uint32_t lane, uint64_t addr,
		  uint32_t bytes)
{
	struct prog_inst access = *in;
	uint64_t at[WARP_SIZE], word, before;
	struct mem_span s;

	access.space = SP_SHARED;
	access.type = TY_B64;
	for (uint32_t l = 0; l < WARP_SIZE; l++)
		at[l] = addr;
	if (mem_span(&access, w, at, 1u << lane, 8, MEM_ATOMIC, &s) != 0)
		return EXEC_FAULT;
	memcpy(&word, s.host + s.off[lane], 8);
	before = word;
	if (count_bytes(in, w, lane, &word, bytes, true))
		return EXEC_FAULT;
	memcpy(s.host + s.off[lane], &word, 8);
	return order_arrive(w, (uint32_t)s.off[lane], phase_number(word) != phase_number(before));
}

/* Notes the order among warps that an operation on the mbarrier at an offset establishes. */
static int
note_order(const struct prog_inst *in, struct warp *w, uint32_t offset, uint64_t before,
	   uint64_t after, bool passed)
{
	switch (in->sub) {
	case MBAR_TEST:
		if (passed)
			order_pass(w, offset);
		return 0;
	case MBAR_INIT:
	case MBAR_INVAL:
	case MBAR_EXPECT:
		return 0;
	default:
		return order_arrive(w, offset, phase_number(before) != phase_number(after));
	}
}

int
exec_mbarrier(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint64_t at[WARP_SIZE], before[WARP_SIZE];
	uint32_t done = 0;
	struct mem_span s;

	if (in->sub == MBAR_PENDING)
		return pending_count(in, w, mask);
	mem_addresses(in, w, mask, at);
	mem_report(in, w, at, mask);
	FOR_LANES(l, mask)
	{
		uint64_t word;
		bool yes = false;

		if (mem_span(in, w, at, 1u << l, 8, MEM_ATOMIC, &s) != 0)
			return EXEC_FAULT;
		memcpy(&word, s.host + s.off[l], 8);
		before[l] = word;
		if (update_word(in, w, l, &word, &yes))
			return EXEC_FAULT;
		memcpy(s.host + s.off[l], &word, 8);
		done |= (uint32_t)yes << l;
		if (note_order(in, w, (uint32_t)s.off[l], before[l], word, yes))
			return EXEC_FAULT;
	}
	if (in->sub == MBAR_TEST) {
		if (in->dst[0].bytes != OPND_NONE)
			vec_set_pred(w, in->dst[0], done, mask);
		return done == mask ? EXEC_NEXT : EXEC_SLICE;
	}
	if (in->n_dst && in->dst[0].bytes == 8)
		FOR_LANES(l, mask)
	((uint64_t *)vec(w, in->dst[0]))[l] = before[l];
	return EXEC_NEXT;
}
