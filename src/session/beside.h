/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beside.h - private to src/session: what is measured beside the session. */
#ifndef SESSION_BESIDE_H
#define SESSION_BESIDE_H

#include "session/session_part.h"

void session_forget_blame(struct session *s);
void session_say_blame(struct session *s); /* that it has ended, once */

#endif
