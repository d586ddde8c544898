/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tap.h - a test program in TAP: call ok() for every fact, end main with "return done();".
 *
 *     ok(n == 3, "three warps are ready");
 *     is_str(err.msg, "no core 99", "an unknown core is named");
 *     is_u64(stat.misses, 7, "seven misses");
 *     return done();
 *
 * A program that is slow in a sanitizer build begins with "if (tap_skip_slow()) return done();",
 * one that cannot run everywhere with "if (tap_skip(why)) return done();". One file per program
 * includes this; the counters are its only state.
 */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned tap_run, tap_failed;
static const char *tap_skipped;

static inline bool
tap_vok(bool good, const char *fmt, va_list ap)
{
	printf("%sok %u - ", good ? "" : "not ", ++tap_run);
	vprintf(fmt, ap);
	putchar('\n');
	tap_failed += !good;
	/* Written at once, so that it is visible even if the next line crashes. */
	fflush(stdout);
	return good;
}

__attribute__((format(printf, 2, 3))) static inline bool
tap_ok(bool good, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tap_vok(good, fmt, ap);
	va_end(ap);
	return good;
}

/* Prints a note to the log, as printf does. */
__attribute__((format(printf, 1, 2))) static inline void
diag(const char *fmt, ...)
{
	va_list ap;

	fputs("# ", stdout);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

/* ok(condition, "format", ...): one fact; a failing one names its place. */
#define ok(cond, ...) \
	(tap_ok((cond), __VA_ARGS__) || (diag("%s:%d: %s", __FILE__, __LINE__, #cond), false))

/* Both strings may be NULL. A difference is printed line by line with a leading '#'. */
static inline void
tap_show(const char *what, const char *s)
{
	printf("# %s ", what);
	for (; s && *s; s++) {
		putchar(*s);
		if (*s == '\n')
			fputs("#         ", stdout);
	}
	puts(s ? "" : "(null)");
}

static inline bool
tap_same(const char *got, const char *want)
{
	return got == want || (got && want && strcmp(got, want) == 0);
}

#define is_str(got, want, ...)                                      \
	do {                                                        \
		const char *tap_g = (got), *tap_w = (want);         \
		if (!tap_ok(tap_same(tap_g, tap_w), __VA_ARGS__)) { \
			diag("%s:%d:", __FILE__, __LINE__);         \
			tap_show("   got:", tap_g);                 \
			tap_show("wanted:", tap_w);                 \
		}                                                   \
	} while (0)

#define is_u64(got, want, ...)                                                                     \
	do {                                                                                       \
		uint64_t tap_g = (got), tap_w = (want);                                            \
		if (!tap_ok(tap_g == tap_w, __VA_ARGS__))                                          \
			diag("%s:%d: got %" PRIu64 ", wanted %" PRIu64, __FILE__, __LINE__, tap_g, \
			     tap_w);                                                               \
	} while (0)

/* Returns true if there is a reason and no test ran yet: the program is skipped. why may be NULL;
 * it is not copied. */
static inline bool
tap_skip(const char *why)
{
	if (tap_run == 0 && why)
		tap_skipped = why;
	return tap_skipped;
}

/* Are only fast tests wanted (FAST=1)? `make check` sets FAST to nothing. */
static inline bool
tap_is_fast(void)
{
	const char *fast = getenv("FAST");

	return fast && strcmp(fast, "1") == 0;
}

/* The same if only fast tests are wanted (FAST=1). */
static inline bool
tap_skip_slow(void)
{
	return tap_skip(tap_is_fast() ? "slow, and FAST=1" : NULL);
}

/* Prints the plan; returns the exit status of the program. */
static inline int
done(void)
{
	if (tap_skipped)
		printf("1..0 # SKIP %s\n", tap_skipped);
	else
		printf("1..%u\n", tap_run);
	return fflush(stdout) == 0 && tap_failed == 0 ? 0 : 1;
}

#endif
