/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.h - processor time and memory of this process, and the order of several results. */
#ifndef TESTS_BENCH_MEASURE_H
#define TESTS_BENCH_MEASURE_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static inline double
cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double
cpu_ms(void)
{
	return 1e3 * cpu_seconds();
}

static inline double
resident_mib(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	unsigned long all = 0, resident = 0;

	if (f) {
		if (fscanf(f, "%lu %lu", &all, &resident) != 2)
			resident = 0;
		fclose(f);
	}
	return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1048576;
}

static inline int
compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts, so that the median is in the middle and the maximum at the end. */
static inline void
sort_numbers(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), compare_numbers);
}

#endif
