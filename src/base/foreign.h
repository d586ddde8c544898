/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * foreign.h - code that is not ours in our process: policies of a user's own. Nothing in the model
 * uses it.
 *
 * Such code may call exit() or crash. While it is loaded a child can take that (foreign_try). Later
 * it runs in the middle of the machine, and all that is left is to report whose fault it was and to
 * end with a status that says so (foreign_watch).
 */
#ifndef BASE_FOREIGN_H
#define BASE_FOREIGN_H

#include "ctascope/err.h"

/* Calls load(path) in a child process first. 0: it returned there, whatever it returned, so it may
 * be called here; also where there can be no child. -1: the child ended in it, e says how. */
int foreign_try(int (*load)(const char *path, struct err *e), const char *path, struct err *e);

/* From now on exit() and faults in code that is loaded later are reported on standard error with
 * the name of its file. Such an exit() ends the program with status 1, whatever it says, and
 * without the end of a session: its automatic save stays. To be called once, when the program
 * starts. */
void foreign_watch(void);

#endif
