/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * partner.c - see partner.h.
 */
#include "base/partner.h"
#include "base/clock.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

enum {
	SPINS = 400,	      /* pauses before it yields: some microseconds */
	SPINS_OF_IDLE = 2000, /* before an idle partner sleeps */
};

static struct {
	bool tried, there;
	void (*fn)(void *ctx);
	void *ctx;
	double used;			/* seconds of processor time, by the last function */
	_Alignas(64) atomic_uint begun; /* functions */
	_Alignas(64) atomic_uint ended;
	atomic_bool sleeps;
	pthread_mutex_t lock;
	pthread_cond_t more;
} partner = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};

static inline void
relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

void
partner_pause(unsigned *n)
{
	if (++*n % SPINS)
		relax();
	else
		sched_yield();
}

void
partner_doze(unsigned *n)
{
	for (unsigned i = 0; *n > 8 && i < 16; i++)
		relax();
	partner_pause(n);
}

static void
sleep_until_more(unsigned seen)
{
	pthread_mutex_lock(&partner.lock);
	atomic_store(&partner.sleeps, true);
	while (atomic_load(&partner.begun) == seen)
		pthread_cond_wait(&partner.more, &partner.lock);
	atomic_store(&partner.sleeps, false);
	pthread_mutex_unlock(&partner.lock);
}

static void *
work(void *unused ATTR_UNUSED)
{
	double start;

	for (unsigned seen = 0;; seen++) {
		for (unsigned n = 0; n < SPINS_OF_IDLE && atomic_load(&partner.begun) == seen; n++)
			relax();
		if (atomic_load(&partner.begun) == seen)
			sleep_until_more(seen);
		start = clock_thread();
		partner.fn(partner.ctx);
		partner.used = clock_thread() - start;
		atomic_store(&partner.ended, seen + 1);
	}
	return NULL;
}

void
partner_forbid(void)
{
	partner.tried = true;
	partner.there = false;
}

bool
partner_is_there(void)
{
	sigset_t all, before;
	pthread_t thread;

	if (partner.tried)
		return partner.there;
	partner.tried = true;
	if (pthread_atfork(NULL, NULL, partner_forbid))
		return false;
	sigfillset(&all); /* signals go to the first thread */
	pthread_sigmask(SIG_BLOCK, &all, &before);
	partner.there = pthread_create(&thread, NULL, work, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (partner.there)
		pthread_detach(thread);
	return partner.there;
}

void
partner_start(void (*fn)(void *ctx), void *ctx)
{
	partner.fn = fn;
	partner.ctx = ctx;
	atomic_fetch_add(&partner.begun, 1);
	if (atomic_load(&partner.sleeps)) {
		pthread_mutex_lock(&partner.lock);
		pthread_cond_signal(&partner.more);
		pthread_mutex_unlock(&partner.lock);
	}
}

void
partner_wait(void)
{
	unsigned n = 0, begun = atomic_load(&partner.begun);

	while (atomic_load_explicit(&partner.ended, memory_order_acquire) != begun)
		partner_pause(&n);
}

double
partner_used(void)
{
	return partner.used;
}
