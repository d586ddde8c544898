/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fault.h - the fault switch: what the real machine does rarely or never, when a test asks for it.
 *
 * A program linked with tests/small/libfault.a runs the real model, but for what the environment
 * variable CTASCOPE_FAULT says, or in a C test fault_set(). Words with blanks between:
 *
 *     slow=US           every core cycle takes so many microseconds longer
 *     deadlock=CYCLE    from that cycle on no core issues anything, and nobody was told
 *     memory=CYCLE      from that cycle on memory has run out: for all within a cycle, and outside
 *                       of one for blocks as large as a checkpoint's
 *     hidden=N          of the cycles that this machine ever ran, replayed ones too, every N-th
 *                       changes it: a part of the state that is in no snapshot
 *
 * How: the library has a second sim.o, in which the call of one cycle leads to fault.c, and the
 * linker leads allocations there (FAULT_LINK); and setpriority(), which does nothing then: what is
 * measured beside a session gets its turn however many tests run. Other faults need no switch, as
 * they can be had in earnest: a damaged trace is a file with a few wrong bytes.
 */
#ifndef TESTS_FAULT_H
#define TESTS_FAULT_H

void fault_set(const char *words); /* NULL: none */
/* Seconds that slow= has added so far in this process, as asked for, however long they took. */
double fault_slept(void);
/* From now on the first n allocations succeed, of any size and anywhere, and no other; until the
 * next fault_set(). */
void fault_allocations(unsigned n);

#endif
