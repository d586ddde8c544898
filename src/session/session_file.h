/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_file.h - private to src/session: writes and reads a whole session as a file.
 * session_file.c describes the file. */
#ifndef SESSION_SESSION_FILE_H
#define SESSION_SESSION_FILE_H

#include "session/session.h"

/* Writes the session, which must have a workload. On failure an old file is unchanged. */
int session_write(struct session *s, const char *path, struct err *e);

/* Called during a run: writes the session from time to time (autosave.c). */
void session_autosave_tick(struct session *s);

/* Returns machine, stack and all options of a configuration as in a file; NULL if memory runs out.
 */
char *session_options_text(const struct config *c);
/* Sets machine, stack and all options as in such a text, except the limits that the session checks.
 */
int session_apply_options(struct config *c, const char *text, struct err *e);

/* policy_files.c: writes the digests of the run's policy files, and checks them against the files
 * of now. */
void policy_files_write(const struct session *s, struct strbuf *out);
int policy_files_check(const char *about, struct err *e);
int policy_files_load(struct config *c, const char *about, struct err *e);
/* Lines about files that are not on disk any more; "": none. */
void policy_files_note_old(const struct session *s, struct strbuf *out);

#endif
