/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_file.h - private to src/session: a whole session as a file; what is in one,
 * session_file.c says. */
#ifndef SESSION_SESSION_FILE_H
#define SESSION_SESSION_FILE_H

#include "session/session.h"

/* Writes the session; it has a workload. The file is there whole or stays what it was. */
int session_write(struct session *s, const char *path, struct err *e);

/* Writes the session now and then (autosave.c). From a run, now and then: */
void session_autosave_tick(struct session *s);

/* Machine, stack and every option of a configuration, as a file has them; NULL: out of memory. */
char *session_options_text(const struct config *c);

#endif
