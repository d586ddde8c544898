/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * apps.c - how fast the recorded applications run, and how much faster than another build.
 *
 *     apps [--runs N] [--base PROGRAM TRACES] PROGRAM TRACES [NAME...]
 *
 * Each application (TRACES/NAME.ctr, all of workloads.def by default) runs to its end on the
 * default machine, in a process of its own, N times (3). The time is what a user waits, opening the
 * trace included, with as many threads as the program takes by default; of several runs the median.
 * With a base both programs take turns, run by run, so that what else the machine does hits both;
 * each has its own traces and its own machine files. The ratio is the base's time over ours.
 *
 * Nothing is judged here. A row whose cycles differ between the two programs is marked, since the
 * ratio then compares different work; tests/sim/same says what must not differ.
 */
#include "base/clock.h"
#include "base/process.h"
#include "ctascope/base.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RUNS 99

static const char *const apps[] = {
#define WORKLOAD(name, suite, type, n, help) #name,
#include "traces/src/workloads.def"
#undef WORKLOAD
};

/* The applications for which a change for speed had a goal: those that wait for memory most, and
 * the rest. */
static const char *const memory_bound[] = {"pvc", "km", "spmv", "ssc", "mum", "pvr"};

struct program {
	const char *path, *traces;
};

struct run {
	unsigned long long cycles, warp_insts;
	double seconds;
};

struct row {
	struct run own, base; /* seconds are medians */
	double ratio;	      /* 0 without a base */
};

/* Runs in the child: prints the counts to fd. Does not return. */
static void
run_child(const struct program *p, const char *trace, int fd)
{
	/* each build finds the machines of its own tree */
	unsetenv("CTASCOPE_DATADIR");
	dup2(fd, STDOUT_FILENO);
	execl(p->path, p->path, "-n", "-b", trace, "-e", "run", "-e", "print gpu.cycles", "-e",
	      "print gpu.warp_insts", (char *)NULL);
	perror(p->path);
	_exit(127);
}

/* Runs one program once; returns false if it failed, after its own message. */
static bool
run_once(const struct program *p, const char *name, struct run *r)
{
	double before = clock_seconds();
	char trace[PATH_MAX], line[512];
	int fd[2], status;
	FILE *out;
	pid_t pid;

	snprintf(trace, sizeof(trace), "%s/%s.ctr", p->traces, name);
	if (pipe(fd) < 0 || (pid = process_fork()) < 0) {
		perror("apps");
		return false;
	}
	if (pid == 0) {
		close(fd[0]);
		run_child(p, trace, fd[1]);
	}
	close(fd[1]);
	*r = (struct run){0};
	out = fdopen(fd[0], "r");
	while (out && fgets(line, sizeof(line), out)) {
		sscanf(line, "gpu.cycles = %llu", &r->cycles);
		sscanf(line, "gpu.warp_insts = %llu", &r->warp_insts);
	}
	if (out)
		fclose(out);
	if (process_wait(pid, &status, 0) != pid || status != 0 || !r->cycles)
		return false;
	r->seconds = clock_seconds() - before;
	return true;
}

static int
by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double
median(double *v, unsigned n)
{
	qsort(v, n, sizeof(*v), by_size);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* Runs both programs in turn, n times; base may be NULL. */
static bool
measure(const struct program *own, const struct program *base, const char *name, unsigned n,
	struct row *row)
{
	double a[MAX_RUNS], b[MAX_RUNS];

	*row = (struct row){0};
	for (unsigned i = 0; i < n; i++) {
		if (!run_once(own, name, &row->own) || (base && !run_once(base, name, &row->base)))
			return false;
		a[i] = row->own.seconds;
		b[i] = row->base.seconds;
	}
	row->own.seconds = median(a, n);
	if (base) {
		row->base.seconds = median(b, n);
		row->ratio = row->base.seconds / row->own.seconds;
	}
	return true;
}

static void
print_row(const char *name, const struct row *r, bool base)
{
	printf("%-5s %9llu %10llu %8.2f %9.0f %9.0f", name, r->own.cycles, r->own.warp_insts,
	       r->own.seconds, (double)r->own.cycles / r->own.seconds,
	       (double)r->own.warp_insts / r->own.seconds);
	if (base)
		printf(" %8.2f %6.2f%s", r->base.seconds, r->ratio,
		       r->base.cycles != r->own.cycles ? "  other cycles" : "");
	putchar('\n');
}

/* Sums over the rows that were measured. */
struct total {
	unsigned n, n_memory;
	double logs, log_ratio, log_memory, least_speed, least_ratio, least_memory;
	const char *slowest, *least, *least_of_memory;
};

static void
add_row(struct total *t, const char *name, const struct row *r)
{
	double speed = (double)r->own.cycles / r->own.seconds;

	if (!t->n++ || speed < t->least_speed) {
		t->least_speed = speed;
		t->slowest = name;
	}
	t->logs += log(speed);
	if (!r->ratio)
		return;
	t->log_ratio += log(r->ratio);
	if (!t->least || r->ratio < t->least_ratio) {
		t->least_ratio = r->ratio;
		t->least = name;
	}
	for (unsigned i = 0; i < ARRAY_LEN(memory_bound); i++) {
		if (strcmp(name, memory_bound[i]) != 0)
			continue;
		t->n_memory++;
		t->log_memory += log(r->ratio);
		if (!t->least_of_memory || r->ratio < t->least_memory) {
			t->least_memory = r->ratio;
			t->least_of_memory = name;
		}
	}
}

static void
print_total(const struct total *t, unsigned runs)
{
	printf("\n%u applications, median of %u: geometric mean %.0f cycles/s, slowest %s with "
	       "%.0f\n",
	       t->n, runs, exp(t->logs / t->n), t->slowest, t->least_speed);
	if (!t->least)
		return;
	printf("ratio to the base: geometric mean %.2f (target 2.5), least %s with %.2f (0.95)\n",
	       exp(t->log_ratio / t->n), t->least, t->least_ratio);
	if (t->n_memory)
		printf("of pvc km spmv ssc mum pvr: geometric mean %.2f, least %s with %.2f "
		       "(target 4 for each)\n",
		       exp(t->log_memory / t->n_memory), t->least_of_memory, t->least_memory);
}

static int
usage(FILE *to, int status)
{
	fputs("Usage: apps [--runs N] [--base PROGRAM TRACES] PROGRAM TRACES [NAME...]\n"
	      "Runs TRACES/NAME.ctr, all applications by default, and prints the speed of each.\n"
	      "  --runs N                runs of each, of which the median counts; 1 to 99 (3)\n"
	      "  --base PROGRAM TRACES   another build, run in turn with PROGRAM\n",
	      to);
	return status;
}

int
main(int argc, char **argv)
{
	struct program own, other, *base = NULL;
	struct total total = {0};
	unsigned runs = 3, failed = 0;
	const char *const *name = apps;
	size_t n = ARRAY_LEN(apps);
	int i = 1;

	for (; i < argc && !strncmp(argv[i], "--", 2); i++) {
		if (!strcmp(argv[i], "--runs") && i + 1 < argc) {
			runs = (unsigned)atoi(argv[++i]);
		} else if (!strcmp(argv[i], "--base") && i + 2 < argc) {
			other = (struct program){argv[i + 1], argv[i + 2]};
			base = &other;
			i += 2;
		} else {
			bool help = !strcmp(argv[i], "--help");

			return usage(help ? stdout : stderr, help ? 0 : 2);
		}
	}
	if (argc - i < 2 || runs < 1 || runs > MAX_RUNS)
		return usage(stderr, 2);
	own = (struct program){argv[i], argv[i + 1]};
	i += 2;
	if (i < argc) {
		name = (const char *const *)&argv[i];
		n = (size_t)(argc - i);
	}
	printf("%-5s %9s %10s %8s %9s %9s%s\n", "", "cycles", "warp inst.", "wall s", "cycles/s",
	       "warp i/s", base ? "   base s  ratio" : "");
	for (size_t k = 0; k < n; k++) {
		struct row row;

		if (!measure(&own, base, name[k], runs, &row)) {
			printf("%-5s failed\n", name[k]);
			failed++;
			continue;
		}
		print_row(name[k], &row, base != NULL);
		add_row(&total, name[k], &row);
	}
	if (total.n)
		print_total(&total, runs);
	return failed ? 1 : 0;
}
