/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_file.h - private to src/repl: a whole session as a file; what is in one, session_file.c
 * says. */
#ifndef REPL_SESSION_FILE_H
#define REPL_SESSION_FILE_H

#include "ctascope/session.h"

/* Writes the session; it has a workload. The file is there whole or stays what it was. */
int session_write(struct session *s, const char *path, struct err *e);
/* The session becomes that of the file; its trace is that of the file. all: the machine, too,
 * which else has to be the same. -1 with e: nothing changed. */
int session_read(struct session *s, const char *path, bool all, struct err *e);
/* The path of the trace that a session in a file runs. */
int session_file_workload(const char *path, char *workload, size_t size, struct err *e);

/* Writes the session now and then (autosave.c). From a run, now and then: */
void session_autosave_tick(struct session *s);
/* The session ends: writes it once more if a signal ends it; removes the file, but never after a
 * signal. */
void session_autosave_end(struct session *s);
void session_autosave_drop(struct session *s);
/* Takes the newest file of a process that is gone: from now on it is this session's own, at path.
 * -1 with e: there is none, or other processes have them. */
int session_autosave_take(struct session *s, char *path, size_t size, struct err *e);
/* Where the program keeps NAME between runs, in a folder that is made; -1: no place is known. */
int session_state_path(const char *name, char *path, size_t size);

/* Machine, stack and every option of a configuration, as a file has them; NULL: out of memory. */
char *session_options_text(const struct config *c);

#endif
