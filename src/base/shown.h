/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shown.h - names and texts from inputs as a terminal may show them.
 *
 * Names of kernels, files and sections may contain escape sequences. Control characters, including
 * those of Latin 1, which also move the cursor, and invalid UTF-8 are shown as \xNN; all other
 * characters stay. All text from inputs passes through these functions before it is printed: in the
 * session's say(), in errors (err.h), and in the output of subcommands.
 */
#ifndef BASE_SHOWN_H
#define BASE_SHOWN_H

#include "ctascope/base.h"
#include <stdio.h>

/* Returns the bytes of the character at p, where n bytes are left; 0 if it must be escaped. */
size_t shown_as_is(const char *p, size_t n);

/* Copies the escaped text into buf, without the characters that do not fit, and returns buf. */
const char *text_shown(const char *text, char *buf, size_t size);
void text_print(FILE *to, const char *text); /* prints the escaped text */

#endif
