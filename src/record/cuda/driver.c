/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * driver.c - keeps the only driver of the process: its lock, its initialization, the table of
 * handles.
 *
 * A library must keep its state somewhere; all of it is in `the_driver`, which only driver_lock
 * returns. The lock is recursive, because functions of the program that run inside a call
 * (cuLaunchHostFunc, cuOccupancyMaxPotentialBlockSize) may call the driver.
 */
#include "record/cuda/driver.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

static struct driver the_driver;
static pthread_mutex_t lock;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
make_lock(void)
{
	pthread_mutexattr_t a;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&lock, &a);
	pthread_mutexattr_destroy(&a);
}

struct driver *
driver_lock(void)
{
	pthread_once(&once, make_lock);
	pthread_mutex_lock(&lock);
	return &the_driver;
}

void
driver_unlock(struct driver **d)
{
	if (*d)
		pthread_mutex_unlock(&lock);
}

bool
driver_try_lock(struct driver **d)
{
	pthread_once(&once, make_lock);
	*d = pthread_mutex_trylock(&lock) == 0 ? &the_driver : NULL;
	return *d;
}

void
driver_print(const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fprintf(stderr, "ctascope: %s\n", text);
}

CUresult
driver_error(const struct err *e, CUresult r)
{
	char text[1600];

	err_format(e, "ctascope", text, sizeof(text));
	fprintf(stderr, "%s\n", text);
	return r;
}

/* ---- start ---- */

static uint32_t
read_variable(const char *name, uint32_t value, uint32_t min, uint32_t max)
{
	const char *s = getenv(name);
	char *end;
	unsigned long v;

	if (!s || !*s)
		return value;
	errno = 0;
	v = strtoul(s, &end, 10);
	if (errno || *end || v < min || v > max) {
		driver_print("%s: expected a number from %u to %u, found '%s'", name, min, max, s);
		return value;
	}
	return (uint32_t)v;
}

CUresult
driver_start(struct driver *d)
{
	struct err e = {0};

	if (d->ready)
		return CUDA_SUCCESS;
#define MACHINE(field, name, value, min, max) \
	d->machine.field = read_variable(name, value, min, max);
#include "record/cuda/machine.def"
#undef MACHINE
	d->device = ptx_device_new(0, &e);
	if (!d->device)
		return driver_error(&e, CUDA_ERROR_OUT_OF_MEMORY);
	d->machine.unified = ptx_unified(d->device);
	d->recording = recording_new();
	d->ready = true;
	return CUDA_SUCCESS;
}

CUresult
driver_check(struct driver *d, enum need need)
{
	struct context *c;

	d->stream = NULL;
	if (need == NEED_NOTHING)
		return CUDA_SUCCESS;
	if (!d->ready)
		return CUDA_ERROR_NOT_INITIALIZED;
	if (need == NEED_INIT)
		return CUDA_SUCCESS;
	c = context_current();
	if (!c)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (!FIND(d, OBJ_CONTEXT, c))
		return CUDA_ERROR_CONTEXT_IS_DESTROYED;
	return c->sticky;
}

/* Handles the end of the process while another thread holds the lock. Of the data that the lock
 * protects, only the recording is read. */
static void
end_while_locked(void)
{
	if (the_driver.recording)
		recording_notify_reported(&the_driver);
	driver_print("nothing is recorded: the program ended while a thread was still using the "
		     "device");
}

/* Ends the recording when the program ends. */
__attribute__((destructor)) static void
end_recording(void)
{
	struct driver *d __attribute__((cleanup(driver_unlock))) = NULL;

	if (driver_try_lock(&d)) {
		recording_check_signal(d);
		recording_end(d);
	} else if (recording_is_dying()) {
		for (;;)
			pause();
	} else {
		end_while_locked();
	}
}

/* ---- handles ---- */

static struct object **
find_bucket(struct driver *d, uint64_t key)
{
	return &d->bucket[(key * 0x9e3779b97f4a7c15ull) >> 54];
}

void
object_add(struct driver *d, struct object *o, enum object_kind kind, uint64_t key)
{
	struct object **b = find_bucket(d, key);

	o->key = key;
	o->kind = kind;
	o->next = *b;
	*b = o;
}

void *
object_find(struct driver *d, enum object_kind kind, uint64_t key)
{
	for (struct object *o = *find_bucket(d, key); o; o = o->next)
		if (o->key == key && o->kind == kind)
			return o;
	return NULL;
}

void
object_remove(struct driver *d, struct object *o)
{
	struct object **p = find_bucket(d, o->key);

	while (*p && *p != o)
		p = &(*p)->next;
	if (*p)
		*p = o->next;
}

CUresult
object_destroy(struct driver *d, struct object *o)
{
	if (!o)
		return CUDA_ERROR_INVALID_HANDLE;
	object_remove(d, o);
	free(o);
	return CUDA_SUCCESS;
}

void
object_each(struct driver *d, enum object_kind kind, const struct context *ctx,
	    void (*fn)(struct driver *d, struct object *o))
{
	for (unsigned i = 0; i < OBJECT_BUCKETS; i++) {
		struct object *o = d->bucket[i];

		/* fn may also remove others, such as the functions of a module: restart the list */
		while (o) {
			if (o->kind != kind || o->ctx != ctx) {
				o = o->next;
				continue;
			}
			fn(d, o);
			o = d->bucket[i];
		}
	}
}
