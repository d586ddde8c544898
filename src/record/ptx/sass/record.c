/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record.c - the sink that writes a trace: one kernel per launch, the machine instructions of
 * sass.c.
 *
 * Program counters are 16 bytes apart: the entry function first, then the others in the order of
 * the module, without other kernels. A function's instructions are added to the writer when one of
 * them is first executed. The mask excludes lanes that a guard switches off. An instruction whose
 * guard is false in all lanes leaves no record, though a machine would issue it; branches always
 * leave one.
 *
 * CTAs that run in parallel have a recorder each, besides that of the launch. They share its plans
 * and refuse instructions that are not in them yet, since rows are numbered in the order of the
 * CTAs.
 *
 * Each lane of a warp executes EXIT once. Lanes that have not done so when their CTA ends (a kernel
 * may run off its end) execute it then.
 */
#include "record/ptx/mem/mem.h"
#include "record/ptx/ptx_record.h"

#include "record/ptx/sass/sass.h"
#include "record/ptx/exec/sink.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

#define MAX_CTA_WARPS 64
#define PC_STEP 16

#define ROW_MEMORY 1u /* flags below a row's number */
#define ROW_EXIT 2u
#define ROW_BITS 2
#define ROW_FLAGS ((1u << ROW_BITS) - 1)

/* The rows of a function's machine instructions: those of instruction i are row[first[i]] to
 * row[first[i + 1] - 1]; the module owns first. The plain[k] rows from k on have no flags;
 * number[k] is row[k] without flags. */
struct plan {
	const uint32_t *first;
	uint32_t *row, *number, *plain;
	uint32_t
		*shared; /* rows of atomics that accessed shared memory, as row; 0: not added yet */
	uint32_t pc;
};

static const struct arch {
	uint32_t version, generation;
} archs[PTX_ARCHS] = {
	{70, GEN_VOLTA}, /* PTX_ARCH_ANY */
#define ARCH(name, version, generation) {version, GEN_##generation},
#include "record/ptx/arch.def"
};

struct ptx_recorder {
	const struct arch *arch;
	struct trace_writer *w;
	struct ptx_sink sink;
	bool shares_plans; /* another recorder owns plans and files */
	uint32_t regs;
	uint64_t stream;
	uint64_t insts;
	/* of the launch */
	struct ptx_module *m;
	struct plan *plan;
	uint32_t *file, ptx_file;    /* numbers of the writer's files, 0: not added yet */
	uint32_t src_file, src_line; /* last place in the source, in the function being added */
	uint32_t exit_pc, exit_row;  /* of an EXIT after all functions; row 0: not added yet */
	uint32_t n_warps, n_threads;
	uint32_t exited[MAX_CTA_WARPS];
};

static void
forget_launch(struct ptx_recorder *r)
{
	uint32_t i;

	for (i = 0; r->plan && i < r->m->ast->n_func; i++) {
		free(r->plan[i].row);
		free(r->plan[i].number);
		free(r->plan[i].plain);
		free(r->plan[i].shared);
	}
	free(r->plan);
	free(r->file);
	r->plan = NULL;
	r->file = NULL;
	r->ptx_file = 0;
	r->m = NULL;
}

/* ---------------------------------------------------------------- static instructions */

static int
refuse_new_row(struct err *e)
{
	return err_set(e, "an instruction that the trace does not have yet, in a CTA that runs "
			  "in parallel");
}

static int
add_file(struct ptx_recorder *r, const struct prog_inst *in, struct trace_inst_desc *d,
	 struct err *e)
{
	const struct ast_module *a = r->m->ast;
	uint32_t *known = &r->ptx_file;
	const char *name = a->name;

	if (in->src_file &&
	    in->src_line) { /* line 0: generated code, which keeps the place before it */
		r->src_file = in->src_file;
		r->src_line = in->src_line;
	}
	d->line = in->line;
	if (in->src_file && r->src_file && r->src_file <= a->n_file) {
		known = &r->file[r->src_file - 1];
		name = a->file[r->src_file - 1].name;
		d->line = r->src_line;
	}
	if (r->w && !*known && trace_writer_file(r->w, name, known, e))
		return -1;
	d->file = *known;
	return 0;
}

static int
add_inst(struct ptx_recorder *r, const struct prog_inst *in, const struct sass *s, uint32_t pc,
	 uint32_t *row, struct err *e)
{
	struct trace_inst_desc d = {
		.pc = pc, .opcode = s->op, .n_dst = s->n_dst, .n_src = s->n_src, .imm = s->imm};
	uint32_t number = 0;

	memcpy(d.dst, s->dst, sizeof(d.dst));
	memcpy(d.src, s->src, sizeof(d.src));
	if (add_file(r, in, &d, e) || (r->w && trace_writer_inst(r->w, &d, &number, e)))
		return -1;
	*row = number << ROW_BITS | (s->accesses_memory ? ROW_MEMORY : 0) |
	       (strcmp(s->op, "EXIT") == 0 ? ROW_EXIT : 0);
	return 0;
}

static int
make_plan(struct ptx_recorder *r, uint32_t func, struct err *e)
{
	const struct prog_func *f = &r->m->func[func];
	struct plan *p = &r->plan[func];
	const struct sass_list *l;
	uint32_t at = 0, i;

	if (r->shares_plans)
		return refuse_new_row(e);
	if (!(l = sass_of(r->m, func, e)))
		return -1;
	p->row = calloc(l->n + 1, sizeof(*p->row));
	p->number = calloc(l->n + 1, sizeof(*p->number));
	p->plain = calloc(l->n + 1, sizeof(*p->plain));
	p->shared = calloc(l->n + 1, sizeof(*p->shared));
	if (!p->row || !p->number || !p->plain || !p->shared)
		return err_nomem(e);
	r->src_file = 0;
	for (i = 0; i < f->n_inst; i++)
		for (; at < l->first[i + 1]; at++)
			if (add_inst(r, &f->inst[i], &l->inst[at], p->pc + at * PC_STEP,
				     &p->row[at], e))
				return -1;
	p->first = l->first;
	while (at-- > 0) {
		p->number[at] = p->row[at] >> ROW_BITS;
		p->plain[at] = p->row[at] & ROW_FLAGS ? 0 : p->plain[at + 1] + 1;
	}
	return 0;
}

/* Assigns program counters to functions, and to the EXIT after the last one. */
static int
assign_pcs(struct ptx_recorder *r, uint32_t entry, struct err *e)
{
	const struct sass_list *list;
	uint32_t pc = 0, i, k;

	for (k = 0; k <= r->m->ast->n_func; k++) {
		i = k ? k - 1 : entry;
		if (k && (i == entry || r->m->func[i].ast->entry))
			continue;
		r->plan[i].pc = pc;
		if (!(list = sass_of(r->m, i, e)))
			return -1;
		pc += list->n * PC_STEP;
	}
	r->exit_pc = pc;
	r->exit_row = 0;
	return make_plan(r, entry, e);
}

/* ---------------------------------------------------------------- the sink */

static int
on_begin(void *ctx, const struct run *run, struct err *e)
{
	struct ptx_recorder *r = ctx;
	const struct ptx_launch *l = run->launch;
	struct trace_kernel_desc d = {
		.name = l->kernel->name,
		.shmem = l->kernel->shared_bytes + l->shared_bytes,
		.regs = r->regs ? r->regs : MIN(l->kernel->regs, 255u),
		.binary_version = r->arch->version,
		.shmem_base = PTX_SHARED_BASE,
		.local_base = PTX_LOCAL_BASE,
		.stream = r->stream,
	};

	forget_launch(r);
	r->m = run->module;
	r->m->generation = r->arch->generation;
	r->n_threads = 1;
	for (int i = 0; i < 3; i++) {
		d.grid[i] = MAX(l->grid[i], 1u);
		d.block[i] = MAX(l->block[i], 1u);
		r->n_threads *= d.block[i];
	}
	r->n_warps = (r->n_threads + WARP_SIZE - 1) / WARP_SIZE;
	if (r->n_warps > MAX_CTA_WARPS)
		return err_set(e, "a block of %u threads, expected at most %u", r->n_threads,
			       MAX_CTA_WARPS * WARP_SIZE);
	r->plan = calloc(r->m->ast->n_func + 1, sizeof(*r->plan));
	r->file = calloc(r->m->ast->n_file + 1, sizeof(*r->file));
	if (!r->plan || !r->file)
		return err_nomem(e);
	if (r->w && trace_writer_kernel(r->w, &d, e))
		return -1;
	return assign_pcs(r, (uint32_t)(run->entry - r->m->func), e);
}

static int
on_cta(void *ctx, const uint32_t xyz[3], struct err *e)
{
	struct ptx_recorder *r = ctx;

	memset(r->exited, 0, sizeof(r->exited));
	return r->w ? trace_writer_cta(r->w, xyz, e) : 0;
}

static int
put_record(struct ptx_recorder *r, uint32_t warp, uint32_t row, uint32_t mask, const uint64_t *lane,
	   uint32_t lane_mask, struct err *e)
{
	static const uint64_t nowhere[WARP_SIZE];

	r->insts++;
	if (row & ROW_EXIT)
		r->exited[warp] |= mask;
	if (!r->w)
		return 0;
	if (row & ROW_MEMORY)
		return trace_writer_record(r->w, warp, row >> ROW_BITS, lane ? lane_mask : 0,
					   lane ? lane : nowhere, e);
	return trace_writer_record(r->w, warp, row >> ROW_BITS, mask, NULL, e);
}

/* Records an atomic through a generic address that accessed shared memory: another machine
 * instruction with the same program counter. */
static int
put_shared(struct ptx_recorder *r, uint32_t warp, const struct prog_func *f, uint32_t i,
	   uint32_t mask, const uint64_t *lane, uint32_t lane_mask, struct err *e)
{
	struct plan *p = &r->plan[f - r->m->func];
	struct sass s[SASS_MAX];
	uint32_t n = sass_expand_shared(f, i, r->m->generation, s), k, row;

	for (k = 0; k < n; k++) {
		/* a loop has more instructions than there are program counters: the last share one
		 */
		uint32_t at = p->first[i] + MIN(k, p->first[i + 1] - p->first[i] - 1);

		if (k || !p->shared[at]) {
			if (r->shares_plans)
				return refuse_new_row(e);
			if (add_inst(r, &f->inst[i], &s[k], p->pc + at * PC_STEP, &row, e))
				return -1;
			if (!k)
				p->shared[at] = row + 1;
		} else {
			row = p->shared[at] - 1;
		}
		if (put_record(r, warp, row, mask, lane, lane_mask, e))
			return -1;
	}
	return 0;
}

static bool
goes_to_shared(const struct prog_inst *in, const uint64_t *lane, uint32_t lane_mask)
{
	return (in->op == PTX_atom || in->op == PTX_red) && in->space == SP_NONE && lane &&
	       lane_mask && lane[__builtin_ctz(lane_mask)] - PTX_SHARED_BASE < PTX_WINDOW_BYTES;
}

/* A copy reads, then writes; an access of 32 bytes is two of 16. */
static bool
has_two_accesses(const struct prog_inst *in)
{
	return in->op == PTX_cp || in->fn == mem_load_32 || in->fn == mem_store_32;
}

static int
on_inst(void *ctx, uint32_t warp, const struct prog_func *func, const struct prog_inst *in,
	uint32_t mask, const uint64_t *lane, uint32_t lane_mask, struct err *e)
{
	struct ptx_recorder *r = ctx;
	uint32_t f = (uint32_t)(func - r->m->func), i = (uint32_t)(in - func->inst), k;
	struct plan *p = &r->plan[f];

	if (unlikely(!p->first) && make_plan(r, f, e))
		return -1;
	if (unlikely(goes_to_shared(in, lane, lane_mask)))
		return put_shared(r, warp, func, i, mask, lane, lane_mask, e);
	for (k = p->first[i]; k < p->first[i + 1]; k++) {
		if (put_record(r, warp, p->row[k], mask, lane, lane_mask, e))
			return -1;
		if (lane && has_two_accesses(in) && (p->row[k] & ROW_MEMORY))
			lane += WARP_SIZE;
	}
	return 0;
}

/* A load or store of all lanes with evenly spaced addresses; never a copy or a generic atomic. */
static int
on_even(void *ctx, uint32_t warp, const struct prog_func *func, const struct prog_inst *in,
	uint64_t first, int32_t step, struct err *e)
{
	struct ptx_recorder *r = ctx;
	uint32_t f = (uint32_t)(func - r->m->func), i = (uint32_t)(in - func->inst), k;
	struct plan *p = &r->plan[f];

	if (unlikely(!p->first) && make_plan(r, f, e))
		return -1;
	for (k = p->first[i]; k < p->first[i + 1]; k++) {
		if (!(p->row[k] & ROW_MEMORY)) {
			if (put_record(r, warp, p->row[k], UINT32_MAX, NULL, 0, e))
				return -1;
			continue;
		}
		r->insts++;
		if (r->w &&
		    trace_writer_stride(r->w, warp, p->number[k], UINT32_MAX, first, step, e))
			return -1;
	}
	return 0;
}

static int
on_line(void *ctx, uint32_t warp, const struct prog_func *func, const struct prog_inst *in,
	uint32_t n, uint32_t mask, struct err *e)
{
	struct ptx_recorder *r = ctx;
	uint32_t f = (uint32_t)(func - r->m->func), i = (uint32_t)(in - func->inst), k, end, plain;
	struct plan *p = &r->plan[f];

	if (unlikely(!p->first) && make_plan(r, f, e))
		return -1;
	end = p->first[i + n];
	for (k = p->first[i]; k < end; k += plain + 1) {
		plain = MIN(p->plain[k], end - k);
		r->insts += plain;
		if (plain && r->w && trace_writer_plain(r->w, warp, &p->number[k], plain, mask, e))
			return -1;
		if (k + plain < end && put_record(r, warp, p->row[k + plain], mask, NULL, 0, e))
			return -1;
	}
	return 0;
}

static int
add_exit(struct ptx_recorder *r, struct err *e)
{
	static const struct prog_inst nowhere;
	const struct sass s = {.op = "EXIT"};

	if (r->exit_row)
		return 0;
	return r->shares_plans ? refuse_new_row(e)
			       : add_inst(r, &nowhere, &s, r->exit_pc, &r->exit_row, e);
}

static int
on_cta_end(void *ctx, struct err *e)
{
	struct ptx_recorder *r = ctx;

	for (uint32_t w = 0; w < r->n_warps; w++) {
		uint32_t left = r->n_threads - w * WARP_SIZE;
		uint32_t lanes = left >= WARP_SIZE ? UINT32_MAX : (1u << left) - 1;

		if ((lanes & ~r->exited[w]) &&
		    (add_exit(r, e) ||
		     put_record(r, w, r->exit_row, lanes & ~r->exited[w], NULL, 0, e)))
			return -1;
	}
	return r->w ? trace_writer_end_cta(r->w, e) : 0;
}

static int
on_end(void *ctx, struct err *e)
{
	struct ptx_recorder *r = ctx;

	forget_launch(r);
	return r->w ? trace_writer_end_kernel(r->w, e) : 0;
}

/* ---------------------------------------------------------------- CTAs in parallel */

struct pack {
	struct trace_pack *cta;
	uint64_t insts;
};

static const struct ptx_sink *
on_beside(void *ctx, struct err *e)
{
	const struct ptx_recorder *of = ctx;
	struct ptx_recorder *r = malloc(sizeof(*r));

	if (!r) {
		err_nomem(e);
		return NULL;
	}
	*r = *of;
	r->shares_plans = true;
	r->insts = 0;
	r->sink.ctx = r;
	r->w = of->w ? trace_writer_beside(of->w, e) : NULL;
	if (of->w && !r->w) {
		free(r);
		return NULL;
	}
	return &r->sink;
}

static void
on_beside_free(const struct ptx_sink *s)
{
	struct ptx_recorder *r = s->ctx;

	trace_writer_abort(r->w);
	free(r);
}

static void *
on_pack(void *ctx, struct err *e)
{
	struct ptx_recorder *r = ctx;
	struct pack *p = calloc(1, sizeof(*p));

	if (!p || (r->w && !(p->cta = trace_writer_pack(r->w, e)))) {
		free(p);
		err_nomem(e);
		return NULL;
	}
	p->insts = r->insts;
	r->insts = 0;
	return p;
}

static int
on_put(void *ctx, void *pack, struct err *e)
{
	struct ptx_recorder *r = ctx;
	struct pack *p = pack;
	int rc = r->w ? trace_writer_put(r->w, p->cta, e) : 0;

	r->insts += p->insts;
	free(p);
	return rc;
}

static void
on_drop(void *pack)
{
	struct pack *p = pack;

	trace_pack_free(p->cta);
	free(p);
}

/* ---------------------------------------------------------------- creation and settings */

struct ptx_recorder *
ptx_recorder_new(struct trace_writer *w, struct err *e)
{
	struct ptx_recorder *r = calloc(1, sizeof(*r));

	if (!r) {
		err_nomem(e);
		return NULL;
	}
	r->w = w;
	r->arch = &archs[PTX_ARCH_ANY];
	r->sink = (struct ptx_sink){.ctx = r,
				    .begin = on_begin,
				    .cta = on_cta,
				    .inst = on_inst,
				    .cta_end = on_cta_end,
				    .end = on_end,
				    .line = on_line,
				    .even = on_even,
				    .beside = on_beside,
				    .beside_free = on_beside_free,
				    .pack = on_pack,
				    .put = on_put,
				    .drop = on_drop};
	return r;
}

const struct ptx_sink *
ptx_recorder_sink(struct ptx_recorder *r)
{
	return &r->sink;
}

void
ptx_recorder_set_regs(struct ptx_recorder *r, uint32_t regs)
{
	r->regs = regs;
}

void
ptx_recorder_set_stream(struct ptx_recorder *r, uint64_t stream)
{
	r->stream = stream;
}

enum ptx_arch
ptx_arch_of(unsigned binary_version)
{
	for (unsigned i = PTX_ARCH_ANY + 1; i < PTX_ARCHS; i++)
		if (archs[i].version == binary_version)
			return (enum ptx_arch)i;
	return PTX_ARCH_ANY;
}

void
ptx_recorder_set_arch(struct ptx_recorder *r, enum ptx_arch arch)
{
	r->arch = &archs[arch < PTX_ARCHS ? arch : PTX_ARCH_ANY];
}

uint64_t
ptx_recorder_insts(const struct ptx_recorder *r)
{
	return r->insts;
}

void
ptx_recorder_free(struct ptx_recorder *r)
{
	if (!r)
		return;
	forget_launch(r);
	free(r);
}
