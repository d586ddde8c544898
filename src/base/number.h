/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number.h - the numbers a user types, read without losing a digit. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include "ctascope/base.h"

struct number {
	bool neg;
	bool whole;   /* mag holds the value exactly */
	uint64_t mag; /* absolute value */
	double f;     /* the value as a double, sign included; may be infinite when out of reach */
};

/* Reads "4096", "4_096", "0x1000", "4k", "1.5M", "1e6", "-3". kilo is what one k stands for (1000
 * or 1024; M and G are its powers). Returns -1 when text is not a number from end to end. */
int number_parse(const char *text, unsigned kilo, struct number *out);

/* A count or a cycle as people write it: 22528, 22,528, 22_528, 20k, 1.5M, 0x5800. Returns -1, *out
 * untouched, when word is not a whole number from 0 to 2^64 - 1. */
int number_count(const char *word, uint64_t *out);

/* Do the commas of the digits at the start of the word, if any, stand before every three digits, as
 * in 22,528? A decimal comma does not. */
bool number_commas_fit(const char *word);

/* What is wrong with a number that number_count() refuses: "is too large, at most ...", "is
 * negative" or "is not a whole number"; NULL: the word is no number at all, or it is good. */
const char *number_count_fault(const char *word);

/* Parses "from..to"; a missing end leaves its variable unchanged. Returns -1 for any other text,
 * -2 when from is greater than to. */
int number_range(const char *word, uint64_t *from, uint64_t *to);

/* Shortest text that reads back as exactly v. */
void number_format(double v, char *buf, size_t size);

#endif
