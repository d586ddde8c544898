/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * digits.h - numbers as decimal text, without printf: for tables of millions of rows.
 *
 * Each function writes at `to`, adds no NUL and returns the place behind the last character.
 */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include "ctascope/base.h"

#define DIGITS_MAX 32 /* room that any number fits into */

char *digits_u64(char *to, uint64_t v);
char *digits_i64(char *to, int64_t v);

/* Writes the first of printf's "%.6g", "%.7g" ... "%.17g" that reads back as exactly v; a whole
 * number below 1e15 gets all its digits and no exponent. v must be finite. */
char *digits_double(char *to, double v);

#endif
