/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * beside.h - private to src/session: what processes that measure something beside the session have
 * in common.
 */
#ifndef SESSION_BESIDE_H
#define SESSION_BESIDE_H

#include <sys/types.h>

/*
 * First of all in the child of that parent. It is a fork of the program and shares nothing with it
 * but its pipe: signals are as at the start of a program but for Ctrl-C, which is for the parent;
 * standard input, output and error lead nowhere; it runs at the lowest priority and dies with its
 * parent.
 */
void beside_begin(pid_t parent);

#endif
