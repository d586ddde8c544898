/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * foreign.h - foreign code in our process: the user's own policies. Nothing in the model uses it.
 *
 * Such code may call exit() or crash. Loading can be tried in a child process first (foreign_try).
 * Later the code runs inside the machine; then all we can do is report whose fault it was and end
 * with a status that says so (foreign_watch).
 */
#ifndef BASE_FOREIGN_H
#define BASE_FOREIGN_H

#include "ctascope/err.h"

/* Calls load(path) in a child process first. Returns 0 if the call returned there, with any
 * result, so that it may be called here; also if no child could be created. Returns -1 if the child
 * died in it; e says how. */
int foreign_try(int (*load)(const char *path, struct err *e), const char *path, struct err *e);

/* The same for run(ctx), which calls code of the policy. `when` says what it does for the error:
 * "in a trial run". After `seconds` (0: never) a child that does not return is ended. */
int foreign_run(void (*run)(void *ctx), void *ctx, unsigned seconds, const char *path,
		const char *when, struct err *e);

/* From now on, exit() and faults in code that is loaded later are reported on standard error
 * with its file name. Such an exit() ends the program with status 1, whatever its argument, and
 * without the normal end of a session, so the automatic save is kept. Call it once, when the
 * program starts. */
void foreign_watch(void);

#endif
