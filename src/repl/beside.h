/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beside.h - private to src/repl: what is measured beside the session. */
#ifndef REPL_BESIDE_H
#define REPL_BESIDE_H

#include "repl/session_part.h"

void session_forget_blame(struct session *s);
void session_say_blame(struct session *s); /* that it has ended, once */

#endif
