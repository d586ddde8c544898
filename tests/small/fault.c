/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fault.c - the fault switch of fault.h. */
#include "tests/small/fault.h"

#undef sim_step /* the whole library calls fault_step instead */
#undef threads_begin
#include "sim/sim_priv.h"
#include "sim/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* A checkpoint of the small machine allocates more than this at once, a printed line less. */
#define LARGE 2048
/* Microseconds; shorter sleeps take too long. */
#define SHORTEST_SLEEP 500

void fault_step(struct sim *s); /* called by the second sim.o */
cycle_t fault_threads(struct sim *s);
void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t m);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t m);
void *__wrap_realloc(void *p, size_t n);
int __wrap_setpriority(int which, id_t who, int priority);

static struct {
	bool known;		   /* the rest was read from the environment or set by a test */
	uint64_t deadlock, memory; /* cycles */
	uint64_t slow, owed;	   /* microseconds */
	uint64_t hidden, ran;	   /* cycles */
	bool within, starved;	   /* inside a cycle; memory has run out */
	bool counted;		   /* only `counted` allocations are left */
	unsigned left;
} fault;
static uint64_t slept; /* microseconds; fault_set() does not reset it */

/* ---------------------------------------------------------------- the switch */

static void
bad_word(const char *word)
{
	fprintf(stderr,
		"CTASCOPE_FAULT: expected slow=, deadlock=, memory= or hidden=, found '%s'\n",
		word);
	exit(99);
}

void
fault_set(const char *words)
{
	char text[256];

	memset(&fault, 0, sizeof(fault));
	fault.known = true;
	fault.deadlock = fault.memory = CYCLE_NEVER;
	snprintf(text, sizeof(text), "%s", words ? words : "");
	for (char *save, *w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		char *value = strchr(w, '=');
		uint64_t n = value ? strtoull(value + 1, NULL, 10) : 0;

		if (value && strncmp(w, "slow=", 5) == 0)
			fault.slow = n;
		else if (value && strncmp(w, "deadlock=", 9) == 0)
			fault.deadlock = n;
		else if (value && strncmp(w, "memory=", 7) == 0)
			fault.memory = n;
		else if (value && strncmp(w, "hidden=", 7) == 0)
			fault.hidden = n;
		else
			bad_word(w);
	}
}

double
fault_slept(void)
{
	return 1e-6 * (double)slept;
}

void
fault_allocations(unsigned n)
{
	fault.counted = true;
	fault.left = n;
}

/* ---------------------------------------------------------------- one cycle */

static void
stop_cores(struct sim *s)
{
	for (unsigned c = 0; c < s->n_cores; c++) {
		core_settle(&s->core[c], s->machine->cycle);
		core_set_state(&s->core[c], CORE_PAUSED);
	}
}

/* Faults happen in cycles on one thread. */
cycle_t
fault_threads(struct sim *s)
{
	if (!fault.known)
		fault_set(getenv("CTASCOPE_FAULT"));
	return fault.slow || fault.hidden || MIN(fault.deadlock, fault.memory) != CYCLE_NEVER
		       ? CYCLE_NEVER
		       : threads_begin(s);
}

void
fault_step(struct sim *s)
{
	if (!fault.known)
		fault_set(getenv("CTASCOPE_FAULT"));
	if (s->machine->cycle >= fault.deadlock)
		stop_cores(s);
	fault.owed += fault.slow;
	if (fault.owed >= SHORTEST_SLEEP) {
		usleep((useconds_t)fault.owed);
		slept += fault.owed;
		fault.owed = 0;
	}
	fault.ran = s->machine->cycle ? fault.ran + 1 : 0;
	if (fault.hidden && fault.ran % fault.hidden == fault.hidden - 1)
		s->kernels[0].found++;
	fault.starved = s->machine->cycle >= fault.memory;
	fault.within = true;
	sim_step(s);
	fault.within = false;
}

/* ---------------------------------------------------------------- memory */

static bool
refused(size_t n)
{
	if (fault.counted)
		return fault.left ? fault.left--, false : true;
	return fault.starved && (fault.within || n >= LARGE);
}

void *
__wrap_malloc(size_t n)
{
	return refused(n) ? NULL : __real_malloc(n);
}

void *
__wrap_calloc(size_t n, size_t m)
{
	return refused(n * m) ? NULL : __real_calloc(n, m);
}

void *
__wrap_realloc(void *p, size_t n)
{
	return refused(n) ? NULL : __real_realloc(p, n);
}

/* ---------------------------------------------------------------- the order of processes */

/* A worker that measures beside a session has the lowest priority. If a test waits for it while
 * other tests run, it would not finish before these do. */
int
__wrap_setpriority(int which, id_t who, int priority)
{
	(void)which;
	(void)who;
	(void)priority;
	return 0;
}
