/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.h - strings of JSON. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stddef.h>
#include <stdio.h>

/* Writes text within the quotes of a string. Returns how many bytes were taken: fewer than n where
 * the text ends within a character. */
size_t json_put_text(FILE *to, const char *text, size_t n);
/* A whole string, with its quotes. */
void json_put_string(FILE *to, const char *text);

#endif
