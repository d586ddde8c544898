/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * model.h - shared by the tests of the whole model: configurations in one call, the reference
 * traces, the table of reference counts, and shortened kernels of a few CTAs.
 *
 * All functions end the test program on a mistake of the test itself (a missing file, an unknown
 * name), because it cannot continue.
 */
#ifndef TESTS_TIMING_MODEL_H
#define TESTS_TIMING_MODEL_H

#include "ctascope/sim.h"
#include "trace/trace.h"
#include "trace/trace_build.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The generated kernels kept in tests/reference. */
static const char *const model_traces[] = {
	"alu1-120x256",	   "alu4-120x256",  "diverge-120x256", "l1reuse-120x256",
	"l2reuse-120x256", "mixed-120x256", "pchase-15x32",    "phase-120x256",
	"sfu-120x256",	   "smem-120x256",  "stream-120x256",  "stride2-120x256",
	"tail-120x256",
};
#define N_MODEL_TRACES (sizeof(model_traces) / sizeof(model_traces[0]))

/* The machines that are shipped: the two of the reference, the default, then the others by name. */
struct model_list {
	const char *name[64];
	unsigned n;
};
#define model_machines (model_machine_list()->name)
#define N_MODEL_MACHINES (model_machine_list()->n)

/* Long tests run every trace on the first three machines and three or four on each of the others,
 * so that every trace is run on one of them. */
#define N_MODEL_FIRST 3

static inline int
model_add_machine(void *ctx, const char *name, const char *title)
{
	struct model_list *m = ctx;

	(void)title;
	for (unsigned i = 0; i < m->n; i++)
		if (!strcmp(m->name[i], name))
			return 0;
	if (m->n < sizeof(m->name) / sizeof(m->name[0]))
		m->name[m->n++] = strdup(name); /* never freed */
	return 0;
}

static inline const struct model_list *
model_machine_list(void)
{
	static struct model_list m = {{"gtx480", "kay30", "kayiran30"}, N_MODEL_FIRST};

	if (m.n == N_MODEL_FIRST)
		config_each_machine(model_add_machine, &m);
	return &m;
}

static inline bool
model_runs(unsigned trace, unsigned machine)
{
	return machine < N_MODEL_FIRST || (trace + machine) % 4 == 0;
}

/* Less of everything: but for tests/sim/whole.t. */
static inline bool
model_fast(void)
{
	return !getenv("WHOLE");
}

static inline void
model_die(const char *what, const struct err *e)
{
	printf("Bail out! %s: %s\n", what, e ? e->msg : "");
	exit(99);
}

static inline void
model_set(struct config *c, const char *key, const char *value)
{
	struct err e = {0};

	if (opt_set(config_db(c), key, value, &e) < 0)
		model_die(key, &e);
}

static inline void
model_set_u(struct config *c, const char *key, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	model_set(c, key, text);
}

static inline uint64_t
model_get(const struct config *c, const char *key)
{
	char text[64];
	struct err e = {0};

	if (opt_get(config_db_const(c), key, text, sizeof(text), &e) < 0)
		model_die(key, &e);
	return strtoull(text, NULL, 0);
}

static inline struct config *
model_config(const char *machine, const char *policy)
{
	struct config *c = config_new();
	struct err e = {0};

	if (!c || config_machine(c, machine, &e) < 0 || config_policy(c, policy, &e) < 0)
		model_die(machine, &e);
	return c;
}

static inline struct sim *
model_sim(const struct config *c, struct trace *t)
{
	struct err e = {0};
	struct sim *s = sim_new(c, t, &e);

	if (!s)
		model_die("sim_new", &e);
	return s;
}

static inline struct trace *
model_open(const char *path)
{
	struct err e = {0};
	struct trace *t = trace_open(path, &e);

	if (!t)
		model_die(path, &e);
	return t;
}

/* Returns where the trace of a row of reference.csv is in tests/reference: a generated kernel in a
 * folder of text, a shortened application as .ctr; false if the project does not have it. */
static inline bool
model_reference_path(const char *name, char *path, size_t size)
{
	const char *src = getenv("srcdir");

	snprintf(path, size, "%s/tests/reference/%.63s/kernelslist.g", src ? src : ".", name);
	if (access(path, R_OK) == 0)
		return true;
	snprintf(path, size, "%s/tests/reference/%.63s.ctr", src ? src : ".", name);
	return access(path, R_OK) == 0;
}

static inline struct trace *
model_reference(const char *name)
{
	char path[4096];

	if (!model_reference_path(name, path, sizeof(path)))
		model_die(path, NULL);
	return model_open(path);
}

static inline double
model_value(const struct sim *s, const char *path)
{
	struct err e = {0};
	uint64_t id;

	if (sim_path(s, path, &id, &e) != 1)
		model_die(path, &e);
	return sim_value(s, id, 0);
}

/* Runs to the end; returns the cycles, 0 if it did not end well. */
static inline uint64_t
model_run(struct sim *s)
{
	struct err e = {0};
	enum sim_stop how = sim_run(s, CYCLE_NEVER, &e);

	if (how != SIM_DONE)
		printf("# stopped with %d at cycle %llu: %s\n", (int)how,
		       (unsigned long long)sim_cycle(s), e.msg);
	return how == SIM_DONE ? sim_cycle(s) : 0;
}

/* Returns a machine that has run to the end, with samples of that length and room for so many. */
static inline struct sim *
model_run_sampled(struct trace *t, const char *machine, const char *policy, unsigned length,
		  unsigned room)
{
	struct config *c = model_config(machine, policy);
	struct sim *s;

	model_set_u(c, "run.sample", length);
	model_set_u(c, "run.samples", room);
	s = model_sim(c, t);
	model_run(s);
	config_free(c);
	return s;
}

/* What a kernel is, with its first n CTAs in a row. */
static inline struct trace_kernel_desc
model_kernel_desc(const struct trace_kernel *q, uint64_t n)
{
	struct trace_kernel_desc d = {.name = q->name,
				      .id = q->id,
				      .grid = {(uint32_t)(q->n_cta < n ? q->n_cta : n), 0, 0},
				      .shmem = q->shmem,
				      .regs = q->regs,
				      .binary_version = q->binary_version,
				      .shmem_base = q->shmem_base,
				      .local_base = q->local_base,
				      .stream = q->stream};

	memcpy(d.block, q->block, sizeof(d.block));
	return d;
}

static inline bool
model_copy_insts(struct trace_writer *w, const struct trace_kernel *q, struct err *e)
{
	bool bad = false;
	uint32_t no;

	for (uint32_t i = 0; !bad && i < q->n_inst; i++) {
		const struct inst *p = &q->inst[i];
		struct trace_inst_desc x = {
			.pc = p->pc, .n_dst = p->n_dst, .n_src = p->n_src, .imm = p->imm};
		char op[128];

		snprintf(op, sizeof(op), "%.*s", (int)strcspn(p->text, " "), p->text);
		x.opcode = op;
		memcpy(x.dst, p->dst, sizeof(x.dst));
		memcpy(x.src, p->src, sizeof(x.src));
		bad |= trace_writer_inst(w, &x, &no, e) < 0;
	}
	return !bad;
}

/* Copies the first records of the first CTAs of a kernel, as d describes it. Barriers still pair up
 * when all warps of a CTA run the same code; the last record of each warp (EXIT) is always kept. */
static inline void
model_copy_kernel(struct trace_writer *w, struct trace *from, uint32_t k,
		  const struct trace_kernel_desc *d, uint32_t n_rec)
{
	struct err e = {0};
	bool bad = trace_writer_kernel(w, d, &e) < 0 ||
		   !model_copy_insts(w, &trace_info(from)->kernel[k], &e);

	for (uint64_t c = 0; !bad && c < d->grid[0]; c++) {
		const struct cta_trace *ct = trace_pin(from, k, c, &e);
		const uint32_t xyz[3] = {(uint32_t)c, 0, 0};

		bad |= !ct || trace_writer_cta(w, xyz, &e) < 0;
		for (uint32_t v = 0; !bad && v < ct->n_warps; v++) {
			const struct wstream *st = &ct->warp[v];

			for (uint32_t i = 0; !bad && i < st->n; i++) {
				const struct winst *r = &st->rec[i];
				uint64_t lane[WARP_SIZE];

				if (i >= n_rec && i + 1 != st->n)
					continue;
				trace_lanes(ct, r, lane);
				bad |= trace_writer_record(w, v, r->inst, r->mask,
							   r->mode == ADDR_NONE ? NULL : lane,
							   &e) < 0;
			}
		}
		if (ct)
			trace_unpin(from, k, ct);
		bad = bad || trace_writer_end_cta(w, &e) < 0;
	}
	if (bad || trace_writer_end_kernel(w, &e) < 0)
		model_die("copy of a kernel", &e);
}

static inline struct trace *
model_shorter(struct trace *from, uint64_t n_cta, uint32_t n_rec)
{
	const struct trace_info *in = trace_info(from);
	struct err e = {0};
	struct trace_writer *w = trace_writer_new(NULL, &e);
	struct trace *t;

	for (uint32_t k = 0; w && k < in->n_kernels; k++) {
		struct trace_kernel_desc d = model_kernel_desc(&in->kernel[k], n_cta);

		model_copy_kernel(w, from, k, &d, n_rec);
	}
	t = w ? trace_writer_trace(w, &e) : NULL;
	if (!t)
		model_die("shorter trace", &e);
	return t;
}

/* ---------------------------------------------------------------- reference.csv */

struct model_row {
	char trace[64], machine[32];
	unsigned limit; /* 0: as many as fit */
	uint64_t cycles, thread_insts, l1_accesses, l1_misses, l1_fails, l2_accesses, l2_misses;
	uint64_t dram_reads, dram_writes; /* commands; UINT64_MAX if unknown */
	double cpu_s;			  /* 0: unknown */
};

static inline uint64_t
model_field(const char *field)
{
	return *field && *field != '\n' ? strtoull(field, NULL, 10) : UINT64_MAX;
}

/* A table of tests/reference has 17 columns, or just the first four and the seconds (modern.csv).
 */
static inline void
model_read_row(char **field, unsigned n, struct model_row *r)
{
	char nothing[] = "";

	*r = (struct model_row){.cycles = strtoull(field[3], NULL, 10),
				.limit = (unsigned)atoi(field[2]),
				.cpu_s = atof(field[n < 17 ? 4 : 14])};
	snprintf(r->trace, sizeof(r->trace), "%s", field[0]);
	snprintf(r->machine, sizeof(r->machine), "%s", field[1]);
	for (unsigned k = 4; n < 17 && k < 17; k++)
		field[k] = nothing;
	r->thread_insts = model_field(field[4]);
	r->l1_accesses = model_field(field[5]);
	/* the reference counts hits on pending misses separately */
	r->l1_misses = model_field(field[6]);
	if (r->l1_misses != UINT64_MAX)
		r->l1_misses += strtoull(field[7], NULL, 10);
	r->l1_fails = model_field(field[8]);
	r->l2_accesses = model_field(field[9]);
	r->l2_misses = model_field(field[10]);
	r->dram_reads = model_field(field[15]);
	r->dram_writes = model_field(field[16]);
}

/* Reads up to max rows of a table of tests/reference. */
static inline unsigned
model_rows_of(const char *table, struct model_row *row, unsigned max)
{
	const char *src = getenv("srcdir");
	char path[4096], line[1024];
	unsigned n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/reference/%s", src ? src : ".", table);
	f = fopen(path, "r");
	if (!f)
		model_die(path, NULL);
	while (n < max && fgets(line, sizeof(line), f)) {
		char *field[17], *p = line;
		unsigned k = 0;

		p[strcspn(p, "\n")] = '\0';
		while (k < 17 && p)
			field[k++] = strsep(&p, ",");
		if (k < 5 || !strcmp(field[0], "trace"))
			continue;
		model_read_row(field, k, &row[n++]);
	}
	fclose(f);
	return n;
}

static inline unsigned
model_rows(struct model_row *row, unsigned max)
{
	return model_rows_of("reference.csv", row, max);
}

/* The limit is set in the machine, as in the reference: it determines the layout of local memory,
 * while under the policy `static` as many CTAs fit as before. */
static inline struct config *
model_row_config(const struct model_row *r)
{
	struct config *c = model_config(r->machine, "rr");

	if (r->limit)
		model_set_u(c, "core.max_ctas", r->limit);
	return c;
}

#endif
