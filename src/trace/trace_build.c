/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace_build.c - traces for tests. It keeps the emitted records in a list, sorts them by CTA when
 * the kernel is complete, and gives them to a trace_writer.
 */
#include "trace/trace_build.h"
#include "trace/in.h"
#include "trace/trace.h"
#include "trace/trace_obj.h"

#include <stdlib.h>
#include <string.h>

struct step {
	uint64_t cta, order; /* order: number of the call */
	uint32_t warp, inst, mask;
	uint32_t mode; /* enum addr_mode */
	uint64_t base;
	int64_t stride;
	size_t lanes; /* where the 32 addresses begin in tb.lane, ADDR_LIST only */
};

struct tb {
	struct trace_writer *w;
	struct trace_kernel_desc desc;
	struct strbuf name;
	bool open;	/* a kernel was begun */
	bool described; /* the writer knows the kernel */
	struct step *step;
	size_t n, cap;
	uint64_t *lane;
	size_t n_lane, cap_lane;
	struct err e;
};

struct tb *
tb_new(void)
{
	struct tb *b = calloc(1, sizeof(*b));

	if (b)
		b->w = trace_writer_new(NULL, &b->e);
	return b;
}

static int
compare_by_cta(const void *x, const void *y)
{
	const struct step *a = x, *b = y;

	if (a->cta != b->cta)
		return a->cta < b->cta ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

/* Begins the kernel in the writer. This waits for the first call that needs it, as tb_dims and
 * tb_windows change the kernel until then. */
static bool
describe_kernel(struct tb *b)
{
	if (b->e.set || b->described)
		return !b->e.set;
	if (!b->open)
		err_set(&b->e, "tb_kernel was not called");
	else if (trace_writer_kernel(b->w, &b->desc, &b->e) == 0)
		b->described = true;
	return !b->e.set;
}

static void
write_step(struct tb *b, const struct step *s)
{
	if (s->mode == ADDR_STRIDE)
		trace_writer_stride(b->w, s->warp, s->inst, s->mask, s->base, s->stride, &b->e);
	else
		trace_writer_record(b->w, s->warp, s->inst, s->mask,
				    s->mode == ADDR_LIST ? b->lane + s->lanes : NULL, &b->e);
}

static void
end_kernel(struct tb *b)
{
	const uint32_t *g = b->desc.grid;
	uint64_t cta, n = (uint64_t)MAX(g[0], 1u) * MAX(g[1], 1u) * MAX(g[2], 1u);
	size_t at = 0;

	if (!b->open || !describe_kernel(b))
		return;
	if (b->n)
		qsort(b->step, b->n, sizeof(*b->step), compare_by_cta);
	for (cta = 0; cta < n && !b->e.set; cta++) {
		uint32_t x = MAX(g[0], 1u), y = MAX(g[1], 1u);
		uint32_t xyz[3] = {(uint32_t)(cta % x), (uint32_t)(cta / x % y),
				   (uint32_t)(cta / x / y)};

		trace_writer_cta(b->w, xyz, &b->e);
		for (; at < b->n && b->step[at].cta == cta && !b->e.set; at++)
			write_step(b, &b->step[at]);
		if (!b->e.set)
			trace_writer_end_cta(b->w, &b->e);
	}
	if (!b->e.set && at < b->n)
		err_set(&b->e, "tb_emit for thread block %llu, but there are %llu",
			(unsigned long long)b->step[at].cta, (unsigned long long)n);
	if (!b->e.set)
		trace_writer_end_kernel(b->w, &b->e);
	b->n = 0;
	b->n_lane = 0;
	b->open = b->described = false;
}

void
tb_kernel(struct tb *b, const char *name, uint32_t n_cta, uint32_t threads, uint32_t regs,
	  uint32_t shmem, uint32_t binary_version)
{
	if (!b)
		return;
	end_kernel(b);
	sb_clear(&b->name);
	sb_str(&b->name, name);
	b->desc = (struct trace_kernel_desc){.name = b->name.p,
					     .grid = {n_cta, 1, 1},
					     .block = {threads, 1, 1},
					     .regs = regs,
					     .shmem = shmem,
					     .binary_version = binary_version};
	b->open = true;
	b->described = false;
}

void
tb_dims(struct tb *b, const uint32_t grid[3], const uint32_t block[3])
{
	if (!b)
		return;
	memcpy(b->desc.grid, grid, sizeof(b->desc.grid));
	memcpy(b->desc.block, block, sizeof(b->desc.block));
}

void
tb_windows(struct tb *b, uint64_t shmem_base, uint64_t local_base)
{
	if (!b)
		return;
	b->desc.shmem_base = shmem_base;
	b->desc.local_base = local_base;
}

void
tb_copy(struct tb *b, uint64_t addr, uint64_t bytes)
{
	if (!b)
		return;
	end_kernel(b);
	if (!b->e.set)
		trace_writer_copy(b->w, addr, bytes, &b->e);
}

/* Parses "R4 R8" into numbers, at most max, and returns how many there are. */
static uint8_t
parse_registers(struct tb *b, const char *text, uint8_t *reg, uint32_t max)
{
	uint32_t n = 0;
	char *end;
	long v;

	for (; *text; text++) {
		if (*text == ' ' || *text == ',')
			continue;
		v = *text == 'R' ? strtol(text + 1, &end, 10) : -1;
		if (v < 0 || v > 255 || end == text + 1 || n == max) {
			err_set(&b->e, "bad registers '%s': expected at most %u such as 'R4 R8'",
				text, max);
			return 0;
		}
		reg[n++] = (uint8_t)v;
		text = end - 1;
	}
	return (uint8_t)n;
}

uint32_t
tb_inst_imm(struct tb *b, uint32_t pc, const char *opcode, const char *dsts, const char *srcs,
	    int64_t imm, uint32_t line)
{
	struct trace_inst_desc d = {.pc = pc, .opcode = opcode, .imm = imm, .line = line};
	uint32_t inst = 0;

	if (!b || !describe_kernel(b))
		return 0;
	d.n_dst = parse_registers(b, dsts, d.dst, INST_MAX_DST);
	d.n_src = parse_registers(b, srcs, d.src, INST_MAX_SRC);
	if (!b->e.set)
		trace_writer_inst(b->w, &d, &inst, &b->e);
	return inst;
}

uint32_t
tb_inst(struct tb *b, uint32_t pc, const char *opcode, const char *dsts, const char *srcs)
{
	return tb_inst_imm(b, pc, opcode, dsts, srcs, 0, 0);
}

static struct step *
add_step(struct tb *b)
{
	if (!b || b->e.set)
		return NULL;
	if (b->n == b->cap) {
		size_t cap = b->cap ? b->cap * 2 : 256;
		struct step *p = realloc(b->step, cap * sizeof(*p));

		if (!p) {
			err_nomem(&b->e);
			return NULL;
		}
		b->step = p;
		b->cap = cap;
	}
	b->step[b->n] = (struct step){.order = b->n};
	return &b->step[b->n++];
}

void
tb_emit(struct tb *b, uint64_t cta, uint32_t warp, uint32_t inst, uint32_t mask,
	enum addr_mode mode, uint64_t base, int64_t stride)
{
	struct step *s = add_step(b);

	if (!s)
		return;
	s->cta = cta;
	s->warp = warp;
	s->inst = inst;
	s->mask = mask;
	s->mode = mode;
	s->base = base;
	s->stride = stride;
	if (mode == ADDR_LIST)
		err_set(&b->e, "tb_emit with ADDR_LIST: use tb_emit_lanes");
}

void
tb_emit_lanes(struct tb *b, uint64_t cta, uint32_t warp, uint32_t inst, uint32_t mask,
	      const uint64_t lane[WARP_SIZE])
{
	struct step *s = add_step(b);

	if (!s)
		return;
	if (b->n_lane + WARP_SIZE > b->cap_lane) {
		size_t cap = b->cap_lane ? b->cap_lane * 2 : 64 * WARP_SIZE;
		uint64_t *p = realloc(b->lane, cap * sizeof(*p));

		if (!p) {
			err_nomem(&b->e);
			return;
		}
		b->lane = p;
		b->cap_lane = cap;
	}
	memcpy(b->lane + b->n_lane, lane, WARP_SIZE * sizeof(*lane));
	s->cta = cta;
	s->warp = warp;
	s->inst = inst;
	s->mask = mask;
	s->mode = ADDR_LIST;
	s->lanes = b->n_lane;
	b->n_lane += WARP_SIZE;
}

struct trace *
tb_finish(struct tb *b, struct err *e)
{
	struct trace *t = NULL;

	if (!b) {
		err_nomem(e);
		return NULL;
	}
	end_kernel(b);
	if (b->e.set) {
		if (e)
			*e = b->e;
		trace_writer_abort(b->w);
	} else {
		t = trace_writer_trace(b->w, e);
	}
	sb_free(&b->name);
	free(b->step);
	free(b->lane);
	free(b);
	return t;
}

struct trace *
trace_from_bytes(const char *name, const void *p, size_t n, struct err *e)
{
	struct in *in = in_memory(name, p, n, e);
	struct trace *t = in ? trace_from_in(in, NULL, e) : NULL;

	in_close(in);
	return t;
}

struct trace *
trace_from_text(const char *text, struct err *e)
{
	return trace_from_bytes("text", text, strlen(text), e);
}
