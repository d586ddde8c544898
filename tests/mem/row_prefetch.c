/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * row_prefetch.c - which lines of an open row of DRAM a channel brings into L2, and when
 * (ctascope-model(7) 11.10).
 *
 * On kayiran30 a row has 2 KB: 32 lines of L2, each of two sectors.
 */
#include "tests/mem/dram_rig.h"

#define LINE 64u
#define SECTORS 2u /* of a line */

static const char *const two_lines[] = {"mem.row_prefetch", "2", NULL};

static bool
came(const struct bench *b, unsigned n, uint64_t addr)
{
	return n < b->log->n_done && b->log->done_addr[n] == addr;
}

/* Are these, from the nth on, the sectors of a line? */
static bool
came_line(const struct bench *b, unsigned n, uint64_t line)
{
	for (unsigned sector = 0; sector < SECTORS; sector++)
		if (!came(b, n + sector, line + sector * SECTOR))
			return false;
	return true;
}

static bool
is_there(const struct bench *b, uint64_t addr)
{
	const struct slice_env *s = b->e->slice;
	uint64_t local;
	uint32_t index;

	addr_route(s->map, addr, &local);
	return tags_probe(s->tags, tags_set(s->tags, addr_l2_index(s->map, local)),
			  addr & ~(uint64_t)(LINE - 1), addr % LINE / SECTOR, false,
			  &index) == PROBE_PENDING; /* the test takes data without filling L2 */
}

static void
lines_that_follow(void)
{
	struct bench b = bench_new("kayiran30", two_lines);

	read_at(&b, 1, 5, 3 * LINE + SECTOR);
	run(&b, 600);
	is_u64(b.e->c->st.prefetches, 4, "after a read, two lines of its row: four sectors");
	is_u64(b.log->n_done, 5, "all come");
	ok(came(&b, 0, rig_address(&b.r, 1, 5, 3 * LINE + SECTOR)), "first what was asked for");
	ok(came_line(&b, 1, rig_address(&b.r, 1, 5, 4 * LINE)) &&
		   came_line(&b, 3, rig_address(&b.r, 1, 5, 5 * LINE)),
	   "then the two lines behind it");
	ok(is_there(&b, rig_address(&b.r, 1, 5, 4 * LINE)) &&
		   !is_there(&b, rig_address(&b.r, 1, 5, 6 * LINE)) &&
		   !is_there(&b, rig_address(&b.r, 1, 5, 0)),
	   "which have a place in L2, and no others do");
	is_u64(b.e->c->st.activates, 1, "the row was opened once");
	is_u64(b.e->c->st.served, 1, "a prefetch is no read for a core");
	ok(!b.e->c->in_channel && !b.e->c->uses_own_credit, "all credits are back");

	read_at(&b, 1, 5, 9 * LINE);
	run(&b, 600);
	is_u64(b.e->c->st.prefetches, 4, "no more while the row stays open");
	read_at(&b, 1, 6, 31 * LINE);
	run(&b, 600);
	ok(b.log->n_done == 11 && came_line(&b, 7, rig_address(&b.r, 1, 6, 0)) &&
		   came_line(&b, 9, rig_address(&b.r, 1, 6, LINE)),
	   "behind the last line of a row comes the first");
	read_at(&b, 1, 5, 3 * LINE);
	run(&b, 600);
	ok(came_line(&b, 12, rig_address(&b.r, 1, 5, 6 * LINE)) &&
		   came_line(&b, 14, rig_address(&b.r, 1, 5, 7 * LINE)),
	   "opened again, the row gives the next two lines that L2 lacks");
	bench_free(&b);
}

/* A request for the row that waits comes first; one for another row comes last. */
static void
order(void)
{
	struct bench b = bench_new("kayiran30", two_lines);

	read_at(&b, 1, 5, 0);
	read_at(&b, 1, 7, 0);
	read_at(&b, 1, 5, 8 * LINE);
	run(&b, 1000);
	is_u64(b.log->n_done, 3 + 4 + 4, "two rows: three reads and twice two lines");
	ok(came(&b, 0, rig_address(&b.r, 1, 5, 0)) &&
		   came(&b, 1, rig_address(&b.r, 1, 5, 8 * LINE)),
	   "what was asked of the open row comes first");
	ok(came_line(&b, 2, rig_address(&b.r, 1, 5, 9 * LINE)) &&
		   came_line(&b, 4, rig_address(&b.r, 1, 5, 10 * LINE)),
	   "then the lines behind the last read");
	ok(came(&b, 6, rig_address(&b.r, 1, 7, 0)), "then the other row is opened");
	is_u64(b.e->c->st.activates, 2, "two rows were opened");
	bench_free(&b);
}

static void
what_starts_none(void)
{
	struct bench b = bench_new("kayiran30", NULL);

	read_at(&b, 1, 5, 0);
	run(&b, 600);
	is_u64(b.log->n_done, 1, "without the option nothing is prefetched");
	bench_free(&b);
	b = bench_new("kayiran30", two_lines);
	write_at(&b, 1, 5, 0, 1);
	run(&b, 600);
	is_u64(b.e->c->st.prefetches, 0, "nor after a write");
	bench_free(&b);
}

static void
partly_there(void)
{
	static const char *const all[] = {"mem.row_prefetch", "128", NULL};
	struct bench b = bench_new("kayiran30", all);

	for (unsigned line = 0; line < 31; line++)
		for (unsigned sector = 0; sector < SECTORS; sector++)
			if (line != 3 && !(line == 9 && sector == 1))
				slice_warm(b.e->slice,
					   rig_address(&b.r, 1, 5, line * LINE + sector * SECTOR),
					   0);
	read_at(&b, 1, 5, 31 * LINE);
	run(&b, 1000);
	is_u64(b.log->n_done, 1 + 2 + 1, "of a whole row: what L2 lacks");
	ok(came_line(&b, 1, rig_address(&b.r, 1, 5, 3 * LINE)) &&
		   came(&b, 3, rig_address(&b.r, 1, 5, 9 * LINE + SECTOR)),
	   "a line, and the sector that another line lacks");
	bench_free(&b);
}

static void
no_room(const char *what, const char *const *options, unsigned most)
{
	struct bench b = bench_new("kayiran30", options);

	read_at(&b, 1, 5, 0);
	run(&b, 2000);
	is_u64(b.e->c->st.prefetches, most, "%s: %u sectors", what, most);
	is_u64(b.log->n_done, most + 1, "%s: they come", what);
	ok(!b.e->c->in_channel, "%s: all credits are back", what);
	bench_free(&b);
}

/* The two slices of a channel, and slices whose number is hashed: the lines of a row are found. */
static void
same_row(const char *machine)
{
	struct bench b = bench_new(machine, (const char *const[]){"mem.row_prefetch", "16", NULL});
	const struct addrmap *m = &b.r.s->map;
	struct slice_env *s = b.e->slice;
	uint64_t addr = 0x123400, local, other, seen = 0;
	unsigned wrong = 0;
	uint32_t entry;

	while (addr_route(m, addr, &local) != s->id)
		addr += SECTOR;
	entry = mshr_take(s->mshr, addr);
	slice_push_to_dram(s, entry);
	run(&b, 3000);
	for (unsigned i = 1; i < b.log->n_done; i++) {
		wrong += addr_route(m, b.log->done_addr[i], &other) != s->id;
		wrong += ((other ^ local) & (m->bank_bits | m->row_bits)) != 0;
		seen += other != local;
	}
	ok(seen >= 16 && !wrong, "%s: %u sectors, all of the same slice, bank and row", machine,
	   (unsigned)seen);
	bench_free(&b);
}

/* Under fcfs the row would be left and opened again for what the channel asks for itself. */
static void
wants_first_ready(void)
{
	struct config *c = model_config("kayiran30", "rr");
	struct trace *t = model_reference("alu1-120x256");
	struct err e = {0};

	model_set(c, "mem.row_prefetch", "2");
	model_set(c, "mem.dram_sched", "fcfs");
	ok(!sim_new(c, t, &e), "with fcfs there is no prefetching");
	is_str(e.msg, "mem.row_prefetch: expected mem.dram_sched frfcfs", "the message says so");
	trace_close(t);
	config_free(c);
}

int
main(void)
{
	lines_that_follow();
	order();
	what_starts_none();
	partly_there();
	no_room("a short queue",
		(const char *const[]){"mem.row_prefetch", "4", "mem.sched_queue", "6", NULL}, 6);
	no_room("few entries of the MSHRs",
		(const char *const[]){"mem.row_prefetch", "4", "l2.mshr", "5", NULL}, 4);
	wants_first_ready();
	same_row("gtx480");
	same_row("onac32");
	same_row("mesh110");
	same_row("qv100");
	return done();
}
