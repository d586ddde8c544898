/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.h - writes strings of JSON. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stddef.h>
#include <stdio.h>

/* Writes n bytes of text, for use between the quotes of a string. Returns the number of bytes
 * written: less than n if the text ends inside a UTF-8 character, which the next call may complete.
 */
size_t json_put_text(FILE *to, const char *text, size_t n);
/* Writes a whole string with its quotes. */
void json_put_string(FILE *to, const char *text);

#endif
