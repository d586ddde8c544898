/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fault.h - the fault switch: makes events happen that are rare or impossible on the real machine.
 *
 * A program linked with tests/small/libfault.a runs the real model, changed by the environment
 * variable CTASCOPE_FAULT, or in a C test by fault_set(). It contains words separated by blanks:
 *
 *     slow=US           every core cycle takes this many microseconds longer
 *     deadlock=CYCLE    from that cycle on no core issues anything, and no event reports it
 *     memory=CYCLE      from that cycle on memory has run out: for all allocations inside a cycle,
 *                       and outside of one for blocks as large as a checkpoint's
 *     hidden=N          every N-th cycle that this machine ever ran, including replayed ones,
 *                       changes a part of the state that no snapshot contains
 *
 * The library has a second sim.o in which the call of one cycle goes to fault.c, and the linker
 * redirects allocations there (FAULT_LINK). It also redirects setpriority(), which then does
 * nothing, so that workers beside a session get their turn however many tests run. Other faults
 * need no switch, because they can be caused directly: a damaged trace is a file with a few wrong
 * bytes.
 */
#ifndef TESTS_FAULT_H
#define TESTS_FAULT_H

void fault_set(const char *words); /* NULL: none */
/* The seconds that slow= has asked for so far in this process, however long the sleeps took. */
double fault_slept(void);
/* From now on only the first n allocations succeed, whatever their size, until the next
 * fault_set(). */
void fault_allocations(unsigned n);

#endif
