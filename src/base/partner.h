/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * partner.h - one more thread of this process, which runs a function while the caller does
 * something else.
 *
 * It is made on first use and stays. Between two functions it spins for some microseconds, then
 * sleeps. Only one thread of the process may use it. A child process has none.
 */
#ifndef BASE_PARTNER_H
#define BASE_PARTNER_H

#include "ctascope/base.h"

/* Whether there is a second thread; makes it if need be. */
bool partner_is_there(void);
void partner_forbid(void); /* from now on there is none; it must be idle */
/* Begins fn(ctx) on the other thread, which must be idle. What the caller wrote before is visible
 * there, and what fn wrote is visible after partner_wait(). */
void partner_start(void (*fn)(void *ctx), void *ctx);
void partner_wait(void);
/* Seconds of processor time that the last function took, after partner_wait(). */
double partner_used(void);

/* A pause in a loop that waits for the other thread; n counts from 0. After some microseconds it
 * yields the processor, in case the other thread has none. */
void partner_pause(unsigned *n);
/* The same for a thread that is ahead: it looks more rarely after a while, which costs the other
 * one less. */
void partner_doze(unsigned *n);

#endif
