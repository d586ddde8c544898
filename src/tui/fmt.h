/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmt.h - formats numbers for people: thousands separators, short axis labels, and "-" for an
 * unknown value. */
#ifndef TUI_FMT_H
#define TUI_FMT_H

#include "ctascope/base.h"

#define FMT_MAX 32 /* large enough for every function here */

/* "22,528". Returns buf. */
const char *fmt_u64(char buf[FMT_MAX], uint64_t v);
const char *fmt_i64(char buf[FMT_MAX], int64_t v);

/* "0.47", "1,234.5"; "-" when v is not a number. */
const char *fmt_num(char buf[FMT_MAX], double v, unsigned decimals);

/* "0", "512", "5k", "12.5k", "1M": at most 6 columns, exact for round numbers. */
const char *fmt_short(char buf[FMT_MAX], uint64_t v);

#endif
