/* SPDX-License-Identifier: GPL-3.0-or-later */
/* comparison_report.h - private to src/session: prints a comparison for flip, try, compare and
 * diverge. */
#ifndef SESSION_COMPARISON_REPORT_H
#define SESSION_COMPARISON_REPORT_H

#include "lab/lab.h"
#include "session/session_part.h"

void report_comparison(struct session *s, const struct comparison *c);
/* all: what to call the decisions if none differs, such as "every decision after it" */
void report_first_difference(struct session *s, const struct first_difference *f,
			     const char *const name[2], const char *all);

#endif
