/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beside.h - private to src/session: measurements that workers make while the session goes on. */
#ifndef SESSION_BESIDE_H
#define SESSION_BESIDE_H

#include "session/session_part.h"

void session_forget_blame(struct session *s);
/* Prints once that the measurement has ended. */
void session_say_blame(struct session *s);

#endif
