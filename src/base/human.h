/* SPDX-License-Identifier: GPL-3.0-or-later */
/* human.h - numbers as people read them. Each function fills buf and returns it. */
#ifndef BASE_HUMAN_H
#define BASE_HUMAN_H

#include <stdint.h>

#define HUMAN 40
const char *human(char buf[HUMAN], uint64_t v);	      /* "22,528" */
const char *human_cycle(char buf[HUMAN], uint64_t v); /* the same, "-" for CYCLE_NEVER */
const char *human_num(char buf[HUMAN], double v);     /* "0.47", "1,234.5", "-" when unknown */
/* Two numbers to be compared, with the same number of decimals: "0.2290" and "0.0939". */
void human_pair(char a[HUMAN], char b[HUMAN], double va, double vb);
const char *human_fixed(char buf[HUMAN], double v,
			unsigned decimals); /* "6,226,167", "0.470", "-" */
/* A difference in percent, "+4.2 %": never a zero with a sign; ">-0.01 %" is one below 0. */
const char *human_change(char buf[HUMAN], double percent, int decimals);
const char *human_ratio(char buf[HUMAN], double v); /* "0.470" */
#define PLURAL(n) ((n) == 1 ? "" : "s")

#endif
