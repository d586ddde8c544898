/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * growth.c - how the cost of a simulated cycle grows with active cores, and that of a run with the
 * grid.
 *
 *     growth [--quick]
 *
 * Cores: 128 clusters of one core, otherwise kayiran30, on its crossbar and on a mesh. The policy
 * cores:n=K leaves K of them on. "compute" is a chain of FFMA in every warp; "memory" loads lines
 * that nobody else reads and uses each. There are more CTAs than any K gets through; after a
 * warm-up a point is measured for half a second on one thread, and beside it for as long on two.
 *
 * Grid: CTAs of two warps that load, add and store, on kayiran30 under rr, from 10 thousand to a
 * million. The trace is written to a file in $TMPDIR, opened and run to its end, in processes of
 * their own, so that peak memory is theirs.
 *
 * All times are processor time, but for the gain of two threads, which is in wall time: nothing
 * else may run. Both tables come with a plot in characters, both axes logarithmic, as
 * ctascope-model(7), COST, shows them. Nothing is judged here. --quick: a tenth of the time and of
 * the grids.
 */
#include "base/clock.h"
#include "base/process.h"
#include "tests/bench/measure.h"
#include "tests/sim/model.h"
#include <sys/resource.h>
#include <sys/stat.h>

#define MAX_POINTS 8
#define MAX_LINES 4

/* ---------------------------------------------------------------- kernels */

enum { TID, LOAD, CHAIN, USE, STORE, END, INSTS };

/* A kernel of one-dimensional CTAs whose static instructions are the above, in this order. */
static void
begin_kernel(struct trace_writer *w, uint32_t ctas, uint32_t threads)
{
	static const struct trace_inst_desc inst[INSTS] = {
		[TID] = {.opcode = "S2R", .n_dst = 1, .dst = {1}},
		[LOAD] = {.opcode = "LDG.E", .n_dst = 1, .dst = {4}, .n_src = 1, .src = {2}},
		[CHAIN] = {.opcode = "FFMA", .n_dst = 1, .dst = {5}, .n_src = 3, .src = {5, 1, 3}},
		[USE] = {.opcode = "FADD", .n_dst = 1, .dst = {5}, .n_src = 2, .src = {5, 4}},
		[STORE] = {.opcode = "STG.E", .n_src = 2, .src = {2, 5}},
		[END] = {.opcode = "EXIT"},
	};
	struct trace_kernel_desc d = {.name = "growth",
				      .grid = {ctas, 1, 1},
				      .block = {threads, 1, 1},
				      .regs = 16};
	struct err e = {0};
	uint32_t no;

	if (!w || trace_writer_kernel(w, &d, &e) < 0)
		model_die("kernel", &e);
	for (uint32_t i = 0; i < INSTS; i++) {
		struct trace_inst_desc x = inst[i];

		x.pc = 16 * i;
		if (trace_writer_inst(w, &x, &no, &e) < 0)
			model_die("instruction", &e);
	}
}

static void
record(struct trace_writer *w, uint32_t warp, uint32_t inst, uint64_t addr)
{
	struct err e = {0};
	int r = addr ? trace_writer_stride(w, warp, inst, ~0U, addr, 4, &e)
		     : trace_writer_record(w, warp, inst, ~0U, NULL, &e);

	if (r < 0)
		model_die("record", &e);
}

static void
begin_cta(struct trace_writer *w, uint32_t cta)
{
	const uint32_t xyz[3] = {cta, 0, 0};
	struct err e = {0};

	if (trace_writer_cta(w, xyz, &e) < 0)
		model_die("CTA", &e);
}

static void
end_cta(struct trace_writer *w)
{
	struct err e = {0};

	if (trace_writer_end_cta(w, &e) < 0)
		model_die("CTA", &e);
}

/* CTAs of 8 warps, 4 at a time on a core: twice as many as 128 cores hold. */
static struct trace *
long_kernel(bool memory)
{
	enum { CTAS = 1024, WARPS = 8, LOOPS = 200 };
	struct err e = {0};
	struct trace_writer *w = trace_writer_new(NULL, &e);
	struct trace *t;
	uint64_t line = 0x100000000;

	begin_kernel(w, CTAS, WARPS * WARP_SIZE);
	for (uint32_t c = 0; c < CTAS; c++) {
		begin_cta(w, c);
		for (uint32_t v = 0; v < WARPS; v++) {
			for (unsigned i = 0; i < LOOPS; i++) {
				if (memory) {
					record(w, v, LOAD, line += 128);
					record(w, v, USE, 0);
				} else {
					record(w, v, CHAIN, 0);
					record(w, v, CHAIN, 0);
				}
			}
			record(w, v, END, 0);
		}
		end_cta(w);
	}
	if (trace_writer_end_kernel(w, &e) < 0 || !(t = trace_writer_trace(w, &e)))
		model_die("kernel", &e);
	return t;
}

static void
write_grid(const char *path, uint32_t ctas)
{
	struct err e = {0};
	struct trace_writer *w = trace_writer_new(path, &e);

	begin_kernel(w, ctas, 2 * WARP_SIZE);
	for (uint32_t c = 0; c < ctas; c++) {
		begin_cta(w, c);
		for (uint32_t v = 0; v < 2; v++) {
			uint64_t at = 0x100000000 + (c * UINT64_C(2) + v) * 128;

			record(w, v, TID, 0);
			record(w, v, LOAD, at);
			record(w, v, USE, 0);
			record(w, v, CHAIN, 0);
			record(w, v, STORE, at + 0x100000000);
			record(w, v, END, 0);
		}
		end_cta(w);
	}
	if (trace_writer_end_kernel(w, &e) < 0 || trace_writer_commit(w, &e) < 0)
		model_die(path, &e);
}

/* ---------------------------------------------------------------- plot */

/* Draws a letter per line, '*' where several meet; a row is a quarter of a decade. */
static void
plot(const char *title, unsigned n, char label[][16], unsigned lines, const char *letters,
     double y[MAX_LINES][MAX_POINTS])
{
	double least = INFINITY, most = 0;
	int low, high;

	for (unsigned l = 0; l < lines; l++)
		for (unsigned i = 0; i < n; i++) {
			least = fmin(least, y[l][i]);
			most = fmax(most, y[l][i]);
		}
	low = (int)lround(4 * log10(least));
	high = (int)lround(4 * log10(most));
	printf("\n%s\n", title);
	for (int row = high; row >= low; row--) {
		char text[8 * MAX_POINTS + 1], mark[16]; /* two digits suffice */

		memset(text, ' ', sizeof(text));
		text[6 * n] = '\0';
		for (unsigned l = 0; l < lines; l++)
			for (unsigned i = 0; i < n; i++) {
				char *at = &text[6 * i + 3];

				if (lround(4 * log10(y[l][i])) == row)
					*at = *at == ' ' ? letters[l] : '*';
			}
		snprintf(mark, sizeof(mark), "%.2g", pow(10, row / 4.0));
		printf("%10.0f |%s\n", atof(mark), text);
	}
	printf("%10s +", "");
	for (unsigned i = 0; i < n; i++)
		printf("------");
	printf("\n%11s", "");
	for (unsigned i = 0; i < n; i++)
		printf("%6s", label[i]);
	putchar('\n');
}

/* ---------------------------------------------------------------- active cores */

/* A run with that many of 128 cores on, and what it took so far. */
struct core_run {
	struct sim *s;
	double cycles, processor, wall; /* in seconds */
};

static struct core_run
begin_core_run(struct trace *t, bool mesh, unsigned cores, const char *threads)
{
	struct core_run r = {0};
	struct config *c;
	struct err e = {0};
	char policy[32];

	snprintf(policy, sizeof(policy), "cores:n=%u", cores);
	c = model_config("kayiran30", policy);
	model_set(c, "gpu.clusters", "128");
	model_set(c, "gpu.cores_per_cluster", "1");
	model_set(c, "noc.type", mesh ? "mesh" : "xbar");
	model_set(c, "run.threads", threads);
	r.s = model_sim(c, t);
	sim_run(r.s, 2000, &e);
	config_free(c);
	return r;
}

static void
measure_core_run(struct core_run *r, double seconds)
{
	double processor = cpu_seconds(), wall = clock_seconds();
	cycle_t from = sim_cycle(r->s);
	struct err e = {0};

	while (clock_seconds() - wall < seconds && !sim_done(r->s))
		if (sim_run(r->s, sim_cycle(r->s) + 1024, &e) != SIM_REACHED && !sim_done(r->s))
			model_die("cores", &e);
	r->processor += cpu_seconds() - processor;
	r->wall += clock_seconds() - wall;
	r->cycles += (double)(sim_cycle(r->s) - from);
}

/* Returns the cycles per second with that many of 128 cores on; *gain: how many times faster two
 * threads are. Both are measured in turn, since other work slows them down now and then. */
static double
speed_of_cores(struct trace *t, bool mesh, unsigned cores, double seconds, double *gain)
{
	enum { TURNS = 5 };
	struct core_run one = begin_core_run(t, mesh, cores, "1");
	struct core_run two = begin_core_run(t, mesh, cores, "2");

	for (unsigned i = 0; i < TURNS; i++) {
		measure_core_run(&one, seconds / TURNS);
		measure_core_run(&two, seconds / TURNS);
	}
	sim_free(one.s);
	sim_free(two.s);
	*gain = one.wall / one.cycles * two.cycles / two.wall;
	return one.cycles / one.processor;
}

static void
grow_cores(bool quick)
{
	static const unsigned cores[MAX_POINTS] = {1, 2, 4, 8, 16, 32, 64, 128};
	static const char *const kernels[] = {"compute, xbar", "memory, xbar", "compute, mesh",
					      "memory, mesh"};
	double y[MAX_LINES][MAX_POINTS], gain[MAX_LINES][MAX_POINTS];
	char label[MAX_POINTS][16];

	for (unsigned l = 0; l < 4; l++) {
		struct trace *t = long_kernel(l % 2);

		for (unsigned i = 0; i < MAX_POINTS; i++)
			y[l][i] =
				speed_of_cores(t, l > 1, cores[i], quick ? 0.05 : 0.5, &gain[l][i]);
		trace_close(t);
	}
	printf("\nSimulated cycles per second of processor time on 1 thread, and how many times "
	       "faster "
	       "2 are,\nby cores that are on, of 128:\n\n%5s",
	       "");
	for (unsigned l = 0; l < 4; l++)
		printf(" %16s", kernels[l]);
	printf("\ncores");
	for (unsigned l = 0; l < 4; l++)
		printf(" %11s %4s", "1", "2");
	for (unsigned i = 0; i < MAX_POINTS; i++) {
		printf("\n%5u", cores[i]);
		for (unsigned l = 0; l < 4; l++)
			printf(" %11.0f %4.2f", y[l][i], gain[l][i]);
		snprintf(label[i], sizeof(label[i]), "%u", cores[i]);
	}
	putchar('\n');
	plot("cycles/s by cores: c compute, m memory on the crossbar; C, M on the mesh; * several",
	     MAX_POINTS, label, 4, "cmCM", y);
}

/* ---------------------------------------------------------------- grid */

struct grid_cost {
	double write_s, open_s, run_s, cycles, bytes;
	long write_kib, run_kib;
};

static long
peak_kib(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return use.ru_maxrss;
}

static void
write_apart(const char *path, uint32_t ctas, struct grid_cost *g)
{
	double start = cpu_seconds();
	struct stat st;

	write_grid(path, ctas);
	g->write_s = cpu_seconds() - start;
	g->write_kib = peak_kib();
	if (stat(path, &st) == 0)
		g->bytes = (double)st.st_size;
}

static void
run_apart(const char *path, uint32_t ctas, struct grid_cost *g)
{
	double start = cpu_seconds();
	struct err e = {0};
	struct trace *t = trace_open(path, &e);
	struct config *c = model_config("kayiran30", "rr");
	struct sim *s;

	(void)ctas;
	model_set(c, "run.threads", "1"); /* else processor time is that of two */
	if (!t)
		model_die(path, &e);
	g->open_s = cpu_seconds() - start;
	s = model_sim(c, t);
	start = cpu_seconds();
	g->cycles = (double)model_run(s);
	g->run_s = cpu_seconds() - start;
	g->run_kib = peak_kib();
	sim_free(s);
	config_free(c);
	trace_close(t);
}

/* Calls fn in a child, which sends back g. */
static void
apart(void (*fn)(const char *, uint32_t, struct grid_cost *), const char *path, uint32_t ctas,
      struct grid_cost *g)
{
	int fd[2], status;
	pid_t pid;
	bool got;

	if (pipe(fd) < 0 || (pid = process_fork()) < 0)
		model_die("fork", NULL);
	if (pid == 0) {
		close(fd[0]);
		fn(path, ctas, g);
		_exit(write(fd[1], g, sizeof(*g)) == (ssize_t)sizeof(*g) ? 0 : 1);
	}
	close(fd[1]);
	got = read(fd[0], g, sizeof(*g)) == (ssize_t)sizeof(*g);
	close(fd[0]);
	if (process_wait(pid, &status, 0) != pid || status != 0 || !got)
		model_die("a process for a grid", NULL);
}

static void
grow_grid(bool quick)
{
	static const uint32_t ctas[] = {10000, 30000, 100000, 300000, 1000000};
	const char *folder = getenv("TMPDIR");
	double y[MAX_LINES][MAX_POINTS];
	char label[MAX_POINTS][16], path[4096];

	snprintf(path, sizeof(path), "%s/ctascope-growth-%ld.ctr", folder ? folder : "/tmp",
		 (long)getpid());
	printf("Grids, of CTAs of two warps and six instructions, on kayiran30; processor time:\n"
	       "\n%8s %9s %9s %9s %9s %9s %9s %10s %9s\n",
	       "CTAs", "file MiB", "write s", "MiB", "open ms", "run s", "MiB", "cycles/s",
	       "CTAs/s");
	for (unsigned i = 0; i < ARRAY_LEN(ctas); i++) {
		struct grid_cost g = {0};
		uint32_t n = quick ? ctas[i] / 10 : ctas[i];

		apart(write_apart, path, n, &g);
		apart(run_apart, path, n, &g);
		unlink(path);
		y[0][i] = g.cycles / g.run_s;
		snprintf(label[i], sizeof(label[i]), "%uk", n / 1000);
		printf("%8u %9.1f %9.2f %9.1f %9.1f %9.2f %9.1f %10.0f %9.0f\n", n,
		       g.bytes / 1048576, g.write_s, (double)g.write_kib / 1024, 1e3 * g.open_s,
		       g.run_s, (double)g.run_kib / 1024, y[0][i], n / g.run_s);
	}
	plot("cycles/s (g) by CTAs of the grid", ARRAY_LEN(ctas), label, 1, "g", y);
}

int
main(int argc, char **argv)
{
	bool quick = argc == 2 && !strcmp(argv[1], "--quick");

	if (argc > 1 && !quick) {
		bool help = !strcmp(argv[1], "--help");

		fputs("Usage: growth [--quick]\n"
		      "Cycles per second by active cores and by grid size, with plots.\n",
		      help ? stdout : stderr);
		return help ? 0 : 2;
	}
	/* First, because its processes start with the memory of this one. */
	grow_grid(quick);
	grow_cores(quick);
	return 0;
}
