/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shown.h - names and texts from inputs as a terminal may show them.
 *
 * A kernel, a file or a section may be called anything, escape sequences included. Control
 * characters (those of Latin 1, which move cursors too) and bytes that are no UTF-8 are shown as
 * \xNN; everything else stays. Nothing from an input goes to a terminal but through here: the
 * session's say(), errors (err.h), what the subcommands print.
 */
#ifndef BASE_SHOWN_H
#define BASE_SHOWN_H

#include "ctascope/base.h"
#include <stdio.h>

/* The bytes of the character at p (n bytes left) when it may be shown as it is, else 0. */
size_t shown_as_is(const char *p, size_t n);

/* Text into buf, cut at a whole character where it does not fit; buf. */
const char *text_shown(const char *text, char *buf, size_t size);
void text_print(FILE *to, const char *text); /* all of it */

#endif
